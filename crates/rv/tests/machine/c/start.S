# Start-up and the two ends of a test program: on leanVM the exit, under QEMU user mode a write of `results`.
        .section .text.start, "ax"
        .globl _start
_start:
        la      sp, stack_top
        call    work
#ifdef ON_QEMU
        li      a7, 64
        li      a0, 1
        la      a1, results
        la      a2, results_size
        ld      a2, 0(a2)
        ecall
#endif
        li      a7, 93
        li      a0, 0
        ecall

        .section .note.leanVM, "a", @note
        .balign 4
        .word   7
        .word   8
        .word   1
        .asciz  "leanVM"
        .balign 4
        .word   1
        .word   4
