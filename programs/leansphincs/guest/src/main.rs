//! The program `leansphincs`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(leansphincs_guest::main, advice_words = 1 << 16, stack_words = 256);
