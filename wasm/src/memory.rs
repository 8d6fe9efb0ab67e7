//! The linear memory of the module as the memory of its allocator.
#![expect(unsafe_code, reason = "an allocator hands out raw memory")]

use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::{memory_grow, memory_size};
use std::cell::UnsafeCell;
use std::ptr::{self, NonNull, null_mut};

use super::allocator::{Allocator, Pages};

const PAGE: usize = 1 << 16;

#[global_allocator]
static MEMORY: Memory = Memory(UnsafeCell::new(Allocator::new(LinearMemory)));

struct Memory(UnsafeCell<Allocator<LinearMemory>>);

// SAFETY: the module has no threads.
unsafe impl Sync for Memory {}

unsafe extern "C" {
    /// The linker's own data ends here.
    static __heap_base: u8;
}

struct LinearMemory;

// SAFETY: only the one allocator uses the memory after the linker's data.
unsafe impl Pages for LinearMemory {
    fn base(&self) -> NonNull<u8> {
        let address = (&raw const __heap_base).addr();
        // SAFETY: data lies before it, so it is not at 0.
        unsafe { NonNull::new_unchecked(ptr::with_exposed_provenance_mut(address)) }
    }

    fn grow_to(&mut self, size: usize) -> bool {
        let Some(end) = self.base().addr().get().checked_add(size) else { return false };
        let present = memory_size::<0>();
        let missing = end.div_ceil(PAGE).saturating_sub(present);
        let grow = |pages| memory_grow::<0>(pages) != usize::MAX;
        // Grows by a quarter more than needed, to grow rarely; if that fails, by what is needed.
        missing == 0 || grow(missing + present / 4) || grow(missing)
    }
}

// SAFETY: the allocator keeps to the contract of `GlobalAlloc`.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: no other reference to the allocator lives during a call, since there are no threads.
        let allocator = unsafe { &mut *self.0.get() };
        allocator.allocate(layout).map_or(null_mut(), NonNull::as_ptr)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above; the caller passes a block that it got from `alloc` with this layout, so not null.
        unsafe { (*self.0.get()).free(NonNull::new_unchecked(block), layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        let moved = unsafe { (*self.0.get()).resize(NonNull::new_unchecked(block), layout, size) };
        moved.map_or(null_mut(), NonNull::as_ptr)
    }
}
