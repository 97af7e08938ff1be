//! The program `falcon`: the library's main function, on the machine.

#![cfg_attr(target_os = "none", no_std, no_main)]

leanvm_guest::entry!(falcon_guest::main, advice_words = 1 << 14, stack_words = 1280);
