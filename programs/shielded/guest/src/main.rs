//! The program `shielded`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(shielded_guest::main, advice_words = 1 << 18, stack_words = 256);
