#![expect(unsafe_code, reason = "the tests write to raw memory")]

use std::alloc::{alloc_zeroed, dealloc};

use super::*;

/// Fewer under Miri, which is a thousand times slower.
const STEPS: usize = if cfg!(miri) { 300 } else { 60_000 };
const SEEDS: u64 = if cfg!(miri) { 2 } else { 4 };

/// One block of the system's allocator; the allocator under test may use a growing part of it.
struct Reserved {
    base: NonNull<u8>,
    layout: Layout,
    usable: usize,
}

impl Reserved {
    /// Reserves memory whose first byte has an odd address, as that after the data of a module may.
    fn new(size: usize) -> Self {
        let layout = Layout::from_size_align(size, 1 << 12).unwrap();
        // SAFETY: the size is not 0.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap();
        Self { base, layout, usable: 0 }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.base.as_ptr(), self.layout) }
    }
}

// SAFETY: nothing else uses the memory.
unsafe impl Pages for &mut Reserved {
    fn base(&self) -> NonNull<u8> {
        // SAFETY: within the memory.
        unsafe { self.base.add(1) }
    }

    fn grow_to(&mut self, size: usize) -> bool {
        let fits = size < self.layout.size();
        if fits {
            self.usable = self.usable.max(size);
        }
        fits
    }
}

/// A block in use, all of whose bytes have one value.
struct Block {
    start: NonNull<u8>,
    layout: Layout,
    value: u8,
}

impl Block {
    fn fill(start: NonNull<u8>, layout: Layout, value: u8) -> Self {
        // SAFETY: the block is in use.
        unsafe { start.write_bytes(value, layout.size()) };
        Self { start, layout, value }
    }

    fn bytes(&self, size: usize) -> &[u8] {
        // SAFETY: the block is in use and filled, and nothing writes to it meanwhile.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), size) }
    }

    fn assert_intact(&self, size: usize) {
        assert!(self.bytes(size) == vec![self.value; size], "{:?} was overwritten", self.layout);
    }

    fn range(&self) -> std::ops::Range<usize> {
        let start = self.start.addr().get();
        start..start + self.layout.size()
    }
}

/// The same sequence for the same seed (a linear congruential generator).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// Returns a random size: mostly small, as in a call, sometimes larger than every class.
    fn size(&mut self) -> usize {
        let limit = 1 << (1 + self.below(14));
        1 + self.below(limit)
    }

    fn layout(&mut self) -> Layout {
        Layout::from_size_align(self.size(), 1 << self.below(7)).unwrap()
    }
}

#[test]
fn blocks_are_aligned_never_overlap_and_keep_their_bytes() {
    for seed in 0..SEEDS {
        let mut memory = Reserved::new(1 << 20);
        let mut allocator = Allocator::new(&mut memory);
        let mut random = Random(seed);
        let mut blocks: Vec<Block> = Vec::new();
        let mut refused = 0;
        for step in 0..STEPS {
            let value = u8::try_from(step % 251).unwrap();
            let shrinking = step / 200 % 2 == 1;
            match random.below(if shrinking { 6 } else { 4 }) {
                0 | 1 => {
                    let layout = random.layout();
                    let Some(start) = allocator.allocate(layout) else {
                        refused += 1;
                        continue;
                    };
                    let block = Block::fill(start, layout, value);
                    assert_eq!(start.addr().get() % layout.align(), 0);
                    let range = block.range();
                    let overlaps =
                        |other: &Block| other.range().start < range.end && range.start < other.range().end;
                    assert!(!blocks.iter().any(overlaps), "{layout:?} overlaps");
                    blocks.push(block);
                }
                2 if !blocks.is_empty() => {
                    let index = random.below(blocks.len());
                    let old = blocks.swap_remove(index);
                    let size = random.size();
                    // SAFETY: the block is in use.
                    let Some(start) = (unsafe { allocator.resize(old.start, old.layout, size) }) else {
                        old.assert_intact(old.layout.size());
                        blocks.push(old);
                        refused += 1;
                        continue;
                    };
                    let layout = Layout::from_size_align(size, old.layout.align()).unwrap();
                    Block { start, layout, value: old.value }.assert_intact(size.min(old.layout.size()));
                    assert_eq!(start.addr().get() % layout.align(), 0);
                    let block = Block::fill(start, layout, value);
                    let range = block.range();
                    let overlaps =
                        |other: &Block| other.range().start < range.end && range.start < other.range().end;
                    assert!(!blocks.iter().any(overlaps), "{layout:?} overlaps after growing");
                    blocks.push(block);
                }
                _ if !blocks.is_empty() => {
                    let index = random.below(blocks.len());
                    let block = blocks.swap_remove(index);
                    block.assert_intact(block.layout.size());
                    // SAFETY: the block is in use.
                    unsafe { allocator.free(block.start, block.layout) };
                }
                _ => {}
            }
        }
        for block in blocks {
            block.assert_intact(block.layout.size());
            // SAFETY: the block is in use.
            unsafe { allocator.free(block.start, block.layout) };
        }
        assert_eq!(allocator.top, 0);
        assert!(cfg!(miri) || refused > 0, "the memory was never exhausted");
    }
}

#[test]
fn all_memory_is_freed_when_no_block_is_in_use() {
    let mut memory = Reserved::new(1 << 16);
    let mut allocator = Allocator::new(&mut memory);
    let mut random = Random(7);
    let first = allocator.allocate(Layout::new::<u64>()).unwrap();
    // SAFETY: the block is in use.
    unsafe { allocator.free(first, Layout::new::<u64>()) };
    for _ in 0..100 {
        let layouts: Vec<_> =
            (0..20).map(|_| Layout::from_size_align(1 + random.below(900), 8).unwrap()).collect();
        let blocks: Vec<_> = layouts.iter().map(|layout| allocator.allocate(*layout).unwrap()).collect();
        assert_eq!(blocks.first(), Some(&first));
        for (block, layout) in blocks.into_iter().zip(layouts) {
            // SAFETY: the block is in use.
            unsafe { allocator.free(block, layout) };
        }
    }
    assert!(memory.usable <= 20 * 1024 + SMALLEST, "{}", memory.usable);
}

#[test]
fn the_last_block_grows_in_place_and_a_freed_block_is_used_again() {
    let mut memory = Reserved::new(1 << 16);
    let mut allocator = Allocator::new(&mut memory);
    let small = Layout::from_size_align(24, 8).unwrap();
    let first = allocator.allocate(small).unwrap();
    let last = allocator.allocate(small).unwrap();
    // SAFETY: the blocks are in use.
    unsafe {
        assert_eq!(allocator.resize(last, small, 5_000), Some(last));
        allocator.free(first, small);
    }
    assert_eq!(allocator.allocate(small), Some(first));
}

#[test]
fn if_memory_is_exhausted_allocation_fails_and_blocks_stay_intact() {
    let mut memory = Reserved::new(1 << 12);
    let mut allocator = Allocator::new(&mut memory);
    let layout = Layout::from_size_align(100, 1).unwrap();
    let block = Block::fill(allocator.allocate(layout).unwrap(), layout, 9);
    for size in [1 << 12, 1 << 40, isize::MAX as usize] {
        assert_eq!(allocator.allocate(Layout::from_size_align(size, 1).unwrap()), None);
        // SAFETY: the block is in use.
        assert_eq!(unsafe { allocator.resize(block.start, layout, size) }, None);
    }
    block.assert_intact(100);
    assert!(allocator.allocate(layout).is_some());
}
