//! Very many changed proofs, one after the other: none is accepted, none makes a verifier panic, and none makes it ask for
//! much memory at once.
//!
//!     cargo run --release --manifest-path fuzz/Cargo.toml --example campaign [-- PROOFS [SEED]]
//!
//! The subjects are those of the fuzz targets, tried in turns. What ends the campaign names the proof by its number, with
//! which it can be repeated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use leanvm_fuzz::changes::CHANGE_BYTES;
use leanvm_fuzz::{Subject, Verifier, argument, flock_batch, run, stack_opening};

/// The greatest allocation that a verifier may ask for, in bytes.
const MAX_ALLOCATION: usize = 64 << 20;

/// The system's allocator, which notes the largest allocation.
struct Noting;

#[global_allocator]
static ALLOCATOR: Noting = Noting;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator keeps the contract, and noting a number changes nothing of it.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are those of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are those of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Ordering::Relaxed);
        // SAFETY: the caller's promises are those of `realloc`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are those of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// SplitMix64, by Steele, Lea and Flood: one state for each proof, so that each can be made alone.
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// One to four changes, few of them more often.
fn changes(random: &mut Random) -> Vec<u8> {
    let count = 1 + (random.next() & random.next() & 3);
    let changes = (0..count).flat_map(|_| random.next().to_le_bytes());
    changes.collect()
}

/// A subject of any kind.
trait Try {
    fn try_changes(&self, changes: &[u8]);
}

impl<V: Verifier> Try for Subject<V> {
    fn try_changes(&self, changes: &[u8]) {
        Subject::try_changes(self, changes);
    }
}

fn main() {
    let number = |i, default| {
        std::env::args()
            .nth(i)
            .map_or(default, |text| text.parse().expect("a number"))
    };
    let (proofs, seed): (u64, u64) = (number(1, 10_000_000), number(2, 0));
    let subjects: [(&str, Box<dyn Try>); 4] = [
        ("stack_opening", Box::new(stack_opening::subject())),
        ("flock_batch", Box::new(flock_batch::subject())),
        ("argument", Box::new(argument::subject())),
        ("run", Box::new(run::subject())),
    ];
    // What follows is verifying alone.
    LARGEST.store(0, Ordering::Relaxed);
    let start = Instant::now();
    let mut seconds = [0.0; 4];
    for proof in 0..proofs {
        let i = (proof % 4) as usize;
        let mut random = Random(seed.wrapping_add(proof).wrapping_mul(0xd134_2543_de82_ef95));
        let changes = changes(&mut random);
        debug_assert_eq!(changes.len() % CHANGE_BYTES, 0);
        let began = Instant::now();
        let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            subjects[i].1.try_changes(&changes)
        }));
        seconds[i] += began.elapsed().as_secs_f64();
        let largest = LARGEST.load(Ordering::Relaxed);
        assert!(
            tried.is_ok() && largest <= MAX_ALLOCATION,
            "proof {proof} of seed {seed}, a {} with the changes {changes:02x?}: an allocation of {largest} bytes, or the panic above",
            subjects[i].0
        );
        let done = proof + 1;
        if done % 100_000 == 0 || done == proofs {
            println!(
                "{done} proofs in {:.0} s, the largest allocation had {largest} bytes",
                start.elapsed().as_secs_f64()
            );
        }
    }
    for ((name, _), seconds) in subjects.iter().zip(seconds) {
        println!("{name} : {seconds:.0} s");
    }
}
