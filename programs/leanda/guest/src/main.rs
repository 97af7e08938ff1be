//! The program `leanda`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(leanda_guest::main, advice_words = 1 << 18, stack_words = 3 << 10);
