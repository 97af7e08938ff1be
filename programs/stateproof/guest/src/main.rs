//! The program `stateproof`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(stateproof_guest::main, advice_words = 1 << 15, stack_words = 512);
