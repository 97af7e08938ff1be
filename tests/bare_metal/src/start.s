# From the BIOS's hand-over in real mode to `rust_main` in long mode, with the AVX-512 state enabled.
#
# The BIOS loads the first sector of the disc's boot file, which is this, to 0x7c00. It reads the others itself, to
# 1 MiB upwards, since the BIOS cannot load more than 64 KiB and reads into the first MiB alone.
#
# Memory: 0x1000 to 0x3fff page tables, 0x7c00 this, 0x10000 to 0x17fff sectors on their way, 0x100000 upwards the rest
# of the image, 0xf00000 downwards the stack, 0x1000000 upwards the heap. The first GiB is mapped to itself in pages of
# 2 MiB.
#
# Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3: 10.8.5 (entering IA-32e mode),
# 14.5 (XCR0 and the state components of AVX-512). INCITS 452 (EDD): interrupt 0x13, function 0x42.

.section .start, "awx"
.code16
.globl start
start:
    cli
    ljmp    $0, $real                   # some BIOSes enter at 0x7c0:0
.org 8                                  # genisoimage -boot-info-table writes from here to byte 63:
    .long   0
file_sector:                            # the first sector of this file
    .long   0
file_bytes:                             # its length
    .long   0
.org 64
drive:
    .byte   0
.balign 4
packet:                                 # what to read: 16 sectors of 2048 bytes to 0x1000:0
    .byte   16, 0
    .word   16
    .word   0, 0x1000
packet_sector:
    .quad   0

real:
    cld
    xorw    %ax, %ax
    movw    %ax, %ds
    movw    %ax, %es
    movw    %ax, %ss
    movw    $0x7c00, %sp
    movb    %dl, drive
    inb     $0x92, %al                  # address line 20
    orb     $2, %al
    outb    %al, $0x92

    movl    file_sector, %eax
    incl    %eax
    movl    %eax, packet_sector
    movl    $0x100000, %edi
read:
    pushl   %edi
    movb    $0x42, %ah
    movb    drive, %dl
    movw    $packet, %si
    int     $0x13
    popl    %edi
    jc      stop
    cli
    # In protected mode for a moment, so that segments reach beyond the first MiB.
    lgdtl   gdt_pointer
    movl    %cr0, %eax
    orb     $1, %al
    movl    %eax, %cr0
    movw    $16, %bx
    movw    %bx, %ds
    movw    %bx, %es
    andb    $0xfe, %al
    movl    %eax, %cr0
    xorw    %bx, %bx
    movw    %bx, %ds
    movw    %bx, %es
    movl    $0x10000, %esi
    movl    $(0x8000 / 4), %ecx
    .byte   0x67, 0xf3, 0x66, 0xa5      # addr32 rep movsl, which the assembler does not know here
    addl    $16, packet_sector
    movl    %edi, %eax
    subl    $(0x100000 - 2048), %eax    # bytes of the file that are in memory now
    cmpl    file_bytes, %eax
    jb      read
    jmp     enter_long_mode
stop:
    hlt
    jmp     stop

enter_long_mode:
    movl    $0x1000, %edi               # three tables, cleared
    movl    $(3 * 4096 / 4), %ecx
    xorl    %eax, %eax
    rep stosl
    movl    $(0x2000 | 3), 0x1000       # present, writable
    movl    $(0x3000 | 3), 0x2000
    movw    $0x3000, %di
    movl    $0x83, %eax                 # present, writable, a page of 2 MiB
page:
    movl    %eax, (%di)
    addl    $0x200000, %eax
    addw    $8, %di
    cmpw    $0x4000, %di
    jne     page

    movl    $0x1000, %eax
    movl    %eax, %cr3
    movl    $0x40620, %eax              # PAE, OSFXSR, OSXMMEXCPT, OSXSAVE
    movl    %eax, %cr4
    movl    $0xc0000080, %ecx           # EFER: LME
    rdmsr
    orl     $0x100, %eax
    wrmsr
    lgdtl   gdt_pointer
    movl    $0x80000033, %eax           # PG, NE, ET, MP, PE
    movl    %eax, %cr0
    ljmpl   $8, $long

.balign 8
gdt:
    .quad   0
    .quad   0x00209a0000000000          # 8: code, long mode
    .quad   0x00cf92000000ffff          # 16: data, 4 GiB
gdt_pointer:
    .word   gdt_pointer - gdt - 1
    .long   gdt

.code64
long:
    movw    $16, %ax
    movw    %ax, %ds
    movw    %ax, %es
    movw    %ax, %ss
    movl    $0xf00000, %esp
    xorl    %ecx, %ecx
    xgetbv
    orl     $0xe7, %eax                 # x87, SSE, AVX, opmask, ZMM_Hi256, Hi16_ZMM
    xsetbv
    lidt    idt_pointer
    call    rust_main
halt:
    hlt
    jmp     halt

# Every exception ends in `rust_fault(vector, stack)`. The descriptors are filled by `rust_main`.
.globl fault_stubs
.balign 16
fault_stubs:
.set vector, 0
.rept 32
    .balign 16
    movl    $vector, %edi
    jmp     fault
    .set vector, vector + 1
.endr
fault:
    movq    %rsp, %rsi
    andq    $-16, %rsp
    call    rust_fault

.balign 8
idt_pointer:
    .word   32 * 16 - 1
    .quad   IDT

.org 2048                               # the sector ends here
