    lui s1, 0x40000
    lui s2, 0x20000
    addi s3, s1, 512
    addi s4, s1, 1024
    ld s5, 0(s2)
loop:
    mul t0, s5, s0
    mulhu t1, s5, s0
    mulhsu t2, t0, s5
    div t3, t0, t1
    remuw t4, t1, s0
    add s5, s5, t1
    sub s6, s5, t2
    xori s6, s6, -5
    and s7, s6, t4
    srl t5, s5, s0
    sraiw t6, s5, 7
    slli a2, s5, 3
    srli a3, s5, 61
    addw a4, s5, s6
    sltu a5, s5, s6
    blt s5, s6, over
    sd s5, 8(s1)
over:
    sh s6, 18(s1)
    lb a6, 19(s1)
    ld a1, 16(s1)
    sd s5, 512(s1)
    sd s6, 536(s1)
    blake2s s3, s0
    extmac s4, s3, s1
    extmulk s4, s4, s2
    addi s0, s0, -1
    bne s0, x0, loop
    jal ra, last
last:
    li a7, 93
    ecall
