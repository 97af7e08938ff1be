//! A bump allocator: it hands out the heap front to back and takes back only the latest block.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::{null_mut, with_exposed_provenance_mut};

use crate::single::Single;

unsafe extern "C" {
    /// The ends of the heap, as the symbols' addresses (see `leanvm.ld`).
    static __leanvm_heap_start: u8;
    static __leanvm_heap_end: u8;
}

struct Bump {
    /// Bytes handed out, alignment gaps included.
    used: Single<usize>,
}

#[global_allocator]
static HEAP: Bump = Bump { used: Single::new(0) };

// SAFETY: blocks are cut from the heap one after the other, aligned as asked, and never overlap: `used` only
// goes back over the block that lies last, when that block is given back or shrinks.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = (&raw const __leanvm_heap_start).addr();
        let end = (&raw const __leanvm_heap_end).addr();
        self.used.with(|used| {
            let block = (start + *used).next_multiple_of(layout.align());
            match block.checked_add(layout.size()) {
                Some(block_end) if block_end <= end => {
                    *used = block_end - start;
                    with_exposed_provenance_mut(block)
                }
                _ => null_mut(),
            }
        })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's obligations are those of `alloc`.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // A block may have been used before and given back.
            // SAFETY: `alloc` returned that many bytes.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let start = (&raw const __leanvm_heap_start).addr();
        self.used.with(|used| {
            if block.addr() + layout.size() == start + *used {
                *used = block.addr() - start;
            }
        });
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let start = (&raw const __leanvm_heap_start).addr();
        let end = (&raw const __leanvm_heap_end).addr();
        let grown_in_place = self.used.with(|used| {
            let is_last = block.addr() + layout.size() == start + *used;
            let fits = new_size <= end - block.addr();
            if is_last && fits {
                *used = block.addr() + new_size - start;
            }
            is_last && fits
        });
        if grown_in_place {
            return block;
        }
        if new_size <= layout.size() {
            return block;
        }
        // SAFETY: the caller promises that `new_size`, rounded up to the alignment, does not overflow; the
        // new block is another one and at least as long as what is copied.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(new_size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size());
            }
            new
        }
    }
}
