//! The program `hash`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(hash_guest::main, advice_words = 4, stack_words = 512);
