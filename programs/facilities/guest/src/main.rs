//! The program `facilities`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(
    facilities_guest::main,
    advice_words = 128,
    stack_words = 1024,
    heap_words = 1024
);
