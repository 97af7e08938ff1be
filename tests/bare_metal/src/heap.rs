//! A heap that only grows: from 16 MiB to the end of the emulated memory.

use core::{
    alloc::{GlobalAlloc, Layout},
    ptr::null_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

/// First byte of the heap, above the stack.
const START: usize = 0x100_0000;
/// End of the heap: the emulator is given so much memory.
const END: usize = 512 << 20;

struct Heap {
    next: AtomicUsize,
}

#[global_allocator]
static HEAP: Heap = Heap {
    next: AtomicUsize::new(START),
};

// SAFETY: blocks are aligned, lie within `START..END`, which nothing else uses, and never overlap, since
// `next` only grows (or shrinks by exactly the last block).
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = self.next.load(Ordering::Relaxed).next_multiple_of(layout.align());
        match block.checked_add(layout.size()) {
            Some(end) if end <= END => {
                self.next.store(end, Ordering::Relaxed);
                block as *mut u8
            }
            _ => null_mut(),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let start = block as usize;
        if start + layout.size() == self.next.load(Ordering::Relaxed) {
            self.next.store(start, Ordering::Relaxed);
        }
    }
}
