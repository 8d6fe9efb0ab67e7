//! The memory of the module: handed out upwards, and taken back whole as soon as nothing is in use.
//!
//! The core keeps nothing from one call to the next, so that is after every call. Within a call small blocks are used
//! again by size. A general allocator is eight times the code, and slower at this.
#![expect(unsafe_code, reason = "an allocator hands out raw memory")]

use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::{memory_grow, memory_size};
use std::cell::UnsafeCell;
use std::ptr::{self, null_mut};

const PAGE: usize = 1 << 16;
/// Blocks are used again in sizes of 16 bytes doubled this many times.
const SIZES: usize = 9;
const SMALLEST: usize = 16;

#[global_allocator]
static MEMORY: Memory = Memory(UnsafeCell::new(State { top: 0, in_use: 0, free: [null_mut(); SIZES] }));

struct Memory(UnsafeCell<State>);

struct State {
    /// The end of what was handed out; 0 before the first block.
    top: usize,
    /// How many blocks are in use.
    in_use: usize,
    /// Blocks of each size that were given back; each holds the next one.
    free: [*mut Block; SIZES],
}

struct Block {
    next: *mut Block,
}

// SAFETY: the module has no threads.
unsafe impl Sync for Memory {}

unsafe extern "C" {
    /// Where the linker's own data ends.
    static __heap_base: u8;
}

// SAFETY: blocks lie above the linker's data, are aligned as asked for, and no two in use overlap.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: no reference to the state outlives a call, and there are no threads.
        let state = unsafe { &mut *self.0.get() };
        let block = state.take(layout);
        state.in_use += usize::from(!block.is_null());
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        state.in_use -= 1;
        if state.in_use == 0 {
            state.top = 0;
            state.free = [null_mut(); SIZES];
        } else if block.addr() + size_of_block(layout) == state.top {
            state.top = block.addr();
        } else if let Some(free) = class(layout).and_then(|class| state.free.get_mut(class)) {
            let block = block.cast::<Block>();
            // SAFETY: the block is not in use, and is large and aligned enough to hold the place of the next one.
            unsafe { block.write(Block { next: *free }) };
            *free = block;
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Ok(new) = Layout::from_size_align(size, layout.align()) else { return null_mut() };
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        let (old_size, new_size) = (size_of_block(layout), size_of_block(new));
        if old_size == new_size {
            return block;
        }
        if block.addr() + old_size == state.top {
            return if state.reaches(block.addr(), new_size) { block } else { null_mut() };
        }
        // SAFETY: the caller keeps to the contract of these; both blocks hold the shorter of the two sizes.
        unsafe {
            let moved = self.alloc(new);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

impl State {
    fn take(&mut self, layout: Layout) -> *mut u8 {
        if let Some(free) = class(layout).and_then(|class| self.free.get_mut(class))
            && !free.is_null()
        {
            let block = *free;
            // SAFETY: what is in the list is a block that holds the place of the next one.
            *free = unsafe { (*block).next };
            return block.cast();
        }
        if self.top == 0 {
            self.top = (&raw const __heap_base).addr();
        }
        let start = self.top.next_multiple_of(layout.align().max(SMALLEST));
        if self.reaches(start, size_of_block(layout)) {
            ptr::with_exposed_provenance_mut(start)
        } else {
            null_mut()
        }
    }

    /// Moves the top to the end of a block, with more memory where that takes it.
    fn reaches(&mut self, start: usize, size: usize) -> bool {
        let Some(end) = start.checked_add(size) else { return false };
        let there = memory_size::<0>();
        let more = end.div_ceil(PAGE).saturating_sub(there);
        let grows = |pages| memory_grow::<0>(pages) != usize::MAX;
        // By more than is needed now, so that it is asked for rarely, where there is that much.
        let reached = more == 0 || grows(more + there / 4) || grows(more);
        if reached {
            self.top = end;
        }
        reached
    }
}

/// The size that a block takes: that of its class, or its own where it is larger than all of them.
fn size_of_block(layout: Layout) -> usize {
    class(layout).map_or(layout.size(), |class| SMALLEST << class)
}

/// The smallest class that holds a block, where one does.
fn class(layout: Layout) -> Option<usize> {
    let size = layout.size().max(SMALLEST).checked_next_power_of_two()?;
    let class = (size / SMALLEST).trailing_zeros() as usize;
    (class < SIZES && layout.align() <= SMALLEST).then_some(class)
}
