//! An allocator for a module that has no state between calls.
//!
//! Allocates upwards, and frees all memory at once when no block is in use, at the end of every call. Within a call it
//! reuses small blocks by size, and grows and shrinks the last block in place.
//!
//! Our own code, because other allocators are larger and slower at this. Measured by `make build` (core.wasm) and by
//! calling `previewOrder` with an order of 10 lines in Node:
//!
//! | | core.wasm | with brotli | preview |
//! |---|---|---|---|
//! | this module | 143,607 bytes | 52,488 | 41.8 µs |
//! | talc 4 | +3,603 bytes | +1,242 | 47.1 µs |
//! | dlmalloc, the default of Rust | +6,581 bytes | +2,357 | 44.3 µs |
//!
//! The algorithm gets its memory through [`Pages`], so the same code runs in the module and in native tests, which Miri
//! checks too (`make test ONLY=miri`).
#![expect(unsafe_code, reason = "an allocator hands out raw memory")]

use std::alloc::Layout;
use std::ptr::NonNull;

/// The number of size classes of reused blocks; each size is twice the one before.
const CLASSES: usize = 9;
const SMALLEST: usize = 16;

/// Memory that starts at a fixed address and can grow.
///
/// # Safety
/// `base` always returns the same address. After `grow_to(size)` returned true, `size` bytes from there on belong to the
/// caller alone.
pub(super) unsafe trait Pages {
    /// Returns the address of the first byte.
    fn base(&self) -> NonNull<u8>;

    /// Makes `size` bytes usable; returns false if there is not that much memory.
    fn grow_to(&mut self, size: usize) -> bool;
}

pub(super) struct Allocator<P> {
    pages: P,
    /// The number of bytes from the base that were handed out.
    top: usize,
    /// The number of blocks in use.
    blocks: usize,
    /// For each class, the block that was freed last.
    free: [Option<NonNull<FreeBlock>>; CLASSES],
}

/// The content of a freed block: a linked list of the blocks of its class.
struct FreeBlock {
    next: Option<NonNull<FreeBlock>>,
}

impl<P: Pages> Allocator<P> {
    pub(super) const fn new(pages: P) -> Self {
        Self { pages, top: 0, blocks: 0, free: [None; CLASSES] }
    }

    /// Returns a block that overlaps no other block in use, `None` if no memory is left.
    pub(super) fn allocate(&mut self, layout: Layout) -> Option<NonNull<u8>> {
        let block = match self.take_free(layout) {
            Some(block) => block,
            None => self.take_new(layout)?,
        };
        self.blocks += 1;
        Some(block)
    }

    /// Frees a block.
    ///
    /// # Safety
    /// The block is in use, and was allocated with this layout.
    pub(super) unsafe fn free(&mut self, block: NonNull<u8>, layout: Layout) {
        self.blocks -= 1;
        if self.blocks == 0 {
            self.top = 0;
            self.free = [None; CLASSES];
        } else if let Some(start) = self.start_of_last(block, layout) {
            self.top = start;
        } else if let Some(free) = class(layout).and_then(|class| self.free.get_mut(class)) {
            let block = block.cast::<FreeBlock>();
            // SAFETY: the block is no longer in use, and a block of a class is large and aligned enough.
            unsafe { block.write(FreeBlock { next: *free }) };
            *free = Some(block);
        }
    }

    /// Changes the size of a block and returns its new address; `None`, with the block unchanged, if no memory is left.
    ///
    /// # Safety
    /// The block is in use, and was allocated with this layout.
    pub(super) unsafe fn resize(
        &mut self,
        block: NonNull<u8>,
        layout: Layout,
        size: usize,
    ) -> Option<NonNull<u8>> {
        let new_layout = Layout::from_size_align(size, layout.align()).ok()?;
        if block_size(layout) == block_size(new_layout) {
            return Some(block);
        }
        if let Some(start) = self.start_of_last(block, layout) {
            return self.move_top(start, block_size(new_layout)).then_some(block);
        }
        let moved = self.allocate(new_layout)?;
        // SAFETY: both blocks are in use, so they don't overlap, and hold the smaller of the two sizes.
        unsafe {
            moved.copy_from_nonoverlapping(block, layout.size().min(size));
            self.free(block, layout);
        }
        Some(moved)
    }

    fn take_free(&mut self, layout: Layout) -> Option<NonNull<u8>> {
        let free = self.free.get_mut(class(layout)?)?;
        let block = (*free)?;
        // SAFETY: a block in the list is not in use, and `free` wrote this into it.
        *free = unsafe { block.read() }.next;
        Some(block.cast())
    }

    fn take_new(&mut self, layout: Layout) -> Option<NonNull<u8>> {
        let base = self.pages.base();
        let address = base.addr().get().checked_add(self.top)?;
        let address = address.checked_next_multiple_of(layout.align().max(SMALLEST))?;
        let start = address - base.addr().get();
        // SAFETY: the memory reaches at least to the end of the block, so to its start.
        self.move_top(start, block_size(layout)).then(|| unsafe { base.add(start) })
    }

    /// Returns how far from the base a block starts, if it is the last one.
    fn start_of_last(&self, block: NonNull<u8>, layout: Layout) -> Option<usize> {
        let start = block.addr().get() - self.pages.base().addr().get();
        (start + block_size(layout) == self.top).then_some(start)
    }

    /// Moves the top to the end of a block; returns false if no memory is left.
    fn move_top(&mut self, start: usize, size: usize) -> bool {
        let top = start.checked_add(size).filter(|top| self.pages.grow_to(*top));
        self.top = top.unwrap_or(self.top);
        top.is_some()
    }
}

/// Returns the size that a block takes: that of its class, or its own if it is larger than all classes.
fn block_size(layout: Layout) -> usize {
    class(layout).map_or(layout.size(), |class| SMALLEST << class)
}

/// Returns the smallest class whose blocks fit the layout, `None` if all are too small.
fn class(layout: Layout) -> Option<usize> {
    let size = layout.size().max(SMALLEST).checked_next_power_of_two()?;
    let class = (size / SMALLEST).trailing_zeros() as usize;
    (class < CLASSES && layout.align() <= SMALLEST).then_some(class)
}

#[cfg(test)]
mod tests;
