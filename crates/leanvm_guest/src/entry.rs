//! The entry macro.

/// Makes a function the guest's main program, and fixes the sizes of its regions.
///
/// `entry!(main)` or `entry!(main, advice_words = N, stack_words = N, heap_words = N)`, in this order, each
/// size optional; `main` is a function without arguments and result. On the machine it defines the start of
/// the program and the ELF note that announces the advice region; elsewhere an empty `fn main`.
///
/// - `advice_words`: words of the advice region, a power of two of at most 2^26; 1024 if absent. Every word
///   of it is committed by the proof, so let it fit.
/// - `stack_words`: 8192 if absent. The stack lies at the bottom of RAM: an overflow traps.
/// - `heap_words`: what the `alloc` feature's allocator hands out; none if absent.
///
/// RAM is the stack, the data and the heap, rounded up to a power of two.
#[macro_export]
macro_rules! entry {
    (
        $main:path
        $(, advice_words = $advice:expr)?
        $(, stack_words = $stack:expr)?
        $(, heap_words = $heap:expr)?
        $(,)?
    ) => {
        // The ELF note: owner "leanVM", type 1, then the version of the note and log2 of the advice words.
        #[cfg(target_os = "none")]
        ::core::arch::global_asm!(
            ".globl __leanvm_advice_end",
            ".set __leanvm_advice_end, 0x20000000 + {advice} * 8",
            ".pushsection .note.leanvm, \"a\", @note",
            ".balign 4",
            ".word 7, 8, 1",
            ".asciz \"leanVM\"",
            ".byte 0",
            ".word 1, {log_advice}",
            ".popsection",
            ".pushsection .stack, \"aw\", @nobits",
            ".skip {stack} * 8",
            ".popsection",
            ".pushsection .heap, \"aw\", @nobits",
            ".skip {heap} * 8",
            ".popsection",
            advice = const $crate::start::advice_words($crate::__or!($($advice)?, 1 << 10)),
            log_advice = const $crate::start::advice_words($crate::__or!($($advice)?, 1 << 10)).trailing_zeros(),
            stack = const $crate::start::ram_words($crate::__or!($($stack)?, 1 << 13)),
            heap = const $crate::start::ram_words($crate::__or!($($heap)?, 0)),
        );

        #[cfg(target_os = "none")]
        const _: () = {
            #[unsafe(no_mangle)]
            extern "C" fn __leanvm_main() -> ! {
                let main: fn() = $main;
                main();
                $crate::start::exit()
            }
        };

        #[cfg(not(target_os = "none"))]
        fn main() {
            let _: fn() = $main;
        }
    };
}

/// The first argument if there is one, else the second.
#[doc(hidden)]
#[macro_export]
macro_rules! __or {
    (, $default:expr) => {
        $default
    };
    ($value:expr, $default:expr) => {
        $value
    };
}
