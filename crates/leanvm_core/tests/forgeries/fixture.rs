//! A program with an instruction of each class, each with a register of its own for what it computes, or a cell.

use super::forge::Fixture;

/// RAM is used from x9 on, advice from x18 on; x6 and x7 are the operands. The targets of branches are the
/// instructions behind them.
pub(crate) const SOURCE: &str = "
        lui x9, 0x40000
        lui x18, 0x20000
        li a7, 93
operand: ld x6, 0(x18)
        ld x7, 8(x18)
        addi x25, x9, 256
        addi x26, x9, 512
        addi x27, x9, 536
        addi x28, x9, 560
        addi x31, x9, 584
        addi x29, x0, 64
        sd x6, 256(x9)
        sd x7, 320(x9)
        sd x6, 512(x9)
        sd x7, 520(x9)
        sd x7, 536(x9)
        sd x6, 552(x9)
        sd x7, 560(x9)
add:    add x1, x6, x7
sub:    sub a0, x6, x7
addi:   addi x3, x6, -77
logic:  and x4, x6, x7
slli:   slli x5, x6, 5
srli:   srli x8, x6, 9
slt:    slt x14, x6, x7
blt:    blt x6, x7, beq
beq:    beq x6, x7, bne
bne:    bne x6, x7, word
word:   addw x15, x6, x7
shift:  sra x16, x6, x7
load:   lbu x19, 803(x9)
store:  sb x7, 89(x9)
early:  sd x6, 80(x9)
sd:     sd x7, 80(x9)
ld:     ld x20, 80(x9)
mul:    mul x21, x6, x7
mulh:   mulhu x22, x6, x7
div:    div x23, x6, x7
hash:   blake2s.final x25, x29
ext:    extmac x28, x26, x27
extk:   extmulk x31, x26, x27
jal:    jal x24, far
        unimp
far:    ld x30, 16(x18)
jalr:   jalr x0, 0(x30)
        unimp
end:    ecall";

/// The labels of one instruction of each class.
pub(crate) const OF_EACH_CLASS: [&str; 18] = [
    "add", "addi", "jal", "logic", "slli", "slt", "beq", "word", "shift", "load", "store", "ld", "sd", "mul",
    "mulh", "div", "hash", "ext",
];

/// The program on operands of which one is negative.
pub(crate) fn every_class() -> Fixture {
    Fixture::new(SOURCE, |labels| {
        vec![0x8123_4567_89ab_cdef, 0x0000_0003_0000_0005, labels["end"]]
    })
}
