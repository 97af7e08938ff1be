// Runs a guest of the machine as a process of RISC-V Linux:
//
//   monitor GUEST ADVICE
//
// Maps the segments of the file GUEST and the file ADVICE where they are on the machine, and starts the guest with all
// registers zero. Its custom instructions are illegal here; the handler of that signal does what they are defined to do
// (doc/machine.md) and goes on behind them. Every ecall is made illegal too: at the exit's the handler writes a0 to a3,
// 32 bytes, and ends. Whatever else is illegal, the trap of a panic among it, ends the process with status 2.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

enum { OPENAT = 56, LSEEK = 62, READ_AT = 67, WRITE = 64, EXIT = 93, SIGALTSTACK = 132, SIGACTION = 134, MMAP = 222 };

static long call(long number, long a, long b, long c, long d, long e, long f) {
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = a;
    register long a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    register long a3 __asm__("a3") = d;
    register long a4 __asm__("a4") = e;
    register long a5 __asm__("a5") = f;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7) : "memory");
    return a0;
}

static void __attribute__((noreturn)) end(int status) {
    call(EXIT, status, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

static void __attribute__((noreturn)) fail(const char *message, int status) {
    long length = 0;
    while (message[length]) length++;
    call(WRITE, 2, (long)message, length, 0, 0, 0);
    end(status);
}

// Files and memory.

static long open_file(const char *path) {
    enum { HERE = -100 };
    long file = call(OPENAT, HERE, (long)path, 0, 0, 0, 0);
    if (file < 0) fail("a file does not open\n", 3);
    return file;
}

static void read_at(long file, void *to, long bytes, long offset) {
    while (bytes > 0) {
        long count = call(READ_AT, file, (long)to, bytes, offset, 0, 0);
        if (count <= 0) fail("a file is too short\n", 3);
        to = (u8 *)to + count;
        offset += count;
        bytes -= count;
    }
}

// Maps zeros from the page of `start` up to `end`.
static void map(u64 start, u64 end) {
    enum { PAGE = 4096, READ_WRITE_EXECUTE = 7, PRIVATE = 2, ANONYMOUS = 0x20, FIXED_NOREPLACE = 0x100000 };
    u64 page = start & -(u64)PAGE;
    u64 mapped = call(MMAP, page, end - page, READ_WRITE_EXECUTE, PRIVATE | ANONYMOUS | FIXED_NOREPLACE, -1, 0);
    if (mapped != page) fail("a region is not free\n", 3);
}

static void load_advice(const char *path) {
    const u64 base = 0x20000000;
    enum { FROM_THE_END = 2 };
    long file = open_file(path);
    long bytes = call(LSEEK, file, 0, FROM_THE_END, 0, 0, 0);
    map(base, base + bytes);
    read_at(file, (void *)base, bytes, 0);
}

// The parts of the ELF format that loading takes.
struct header { u8 ident[16]; u16 type, machine; u32 version; u64 entry, segments, sections; u32 flags; u16 size, segment_size, segment_count, rest[3]; };
struct segment { u32 type, flags; u64 offset, address, physical, file_bytes, memory_bytes, alignment; };

// The text is one segment; the others share pages. Nothing was executed from these pages, so no fence is needed. Returns
// the entry point.
static u64 load_guest(const char *path) {
    enum { LOAD = 1, EXECUTE = 1, ECALL = 0x73 };
    long file = open_file(path);
    struct header header;
    read_at(file, &header, sizeof header, 0);
    struct segment segments[8];
    if (header.segment_count > 8 || header.segment_size != sizeof segments[0]) fail("other segments\n", 3);
    read_at(file, segments, header.segment_count * sizeof segments[0], header.segments);

    u64 ram = -1, ram_end = 0;
    for (int i = 0; i < header.segment_count; i++) {
        struct segment *segment = &segments[i];
        u64 segment_end = segment->address + segment->memory_bytes;
        if (segment->type != LOAD) continue;
        if (segment->flags & EXECUTE) {
            map(segment->address, segment_end);
        } else {
            if (segment->address < ram) ram = segment->address;
            if (segment_end > ram_end) ram_end = segment_end;
        }
    }
    if (ram < ram_end) map(ram, ram_end);
    for (int i = 0; i < header.segment_count; i++) {
        struct segment *segment = &segments[i];
        if (segment->type != LOAD) continue;
        read_at(file, (void *)segment->address, segment->file_bytes, segment->offset);
        if (!(segment->flags & EXECUTE)) continue;
        // A word of zeros is illegal.
        u32 *text = (u32 *)segment->address;
        for (u64 k = 0; k < segment->file_bytes / 4; k++)
            if (text[k] == ECALL) text[k] = 0;
    }
    return header.entry;
}

// The compression of RFC 7693 (section 3.2), on 32-bit halves of words.

static const u32 iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const u8 sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static u32 rotate(u32 word, int by) { return word >> by | word << (32 - by); }

static void mix(u32 *v, int a, int b, int c, int d, u32 x, u32 y) {
    v[a] += v[b] + x;
    v[d] = rotate(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = rotate(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 7);
}

static void blake2s(u64 base, u64 counter, int is_last) {
    u32 words[32];
    for (int k = 0; k < 16; k++) {
        u64 word = *(u64 *)(base ^ 8 * k);
        words[2 * k] = word;
        words[2 * k + 1] = word >> 32;
    }
    const u32 *h = words, *m = words + 16;
    u32 v[16];
    for (int i = 0; i < 8; i++) {
        v[i] = h[i];
        v[8 + i] = iv[i];
    }
    v[12] ^= (u32)counter;
    v[13] ^= (u32)(counter >> 32);
    if (is_last) v[14] = ~v[14];
    for (int round = 0; round < 10; round++) {
        const u8 *s = sigma[round];
        mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (int k = 0; k < 4; k++) {
        u32 low = h[2 * k] ^ v[2 * k] ^ v[8 + 2 * k];
        u32 high = h[2 * k + 1] ^ v[2 * k + 1] ^ v[9 + 2 * k];
        *(u64 *)(base ^ 8 * (4 + k)) = (u64)high << 32 | low;
    }
}

// A product modulo x^64 + x^4 + x^3 + x + 1.
static u64 product(u64 a, u64 b) {
    u64 result = 0;
    for (int i = 63; i >= 0; i--) {
        result = result << 1 ^ (result >> 63 ? 0x1b : 0);
        if (b >> i & 1) result ^= a;
    }
    return result;
}

// c = [c +] a b modulo y^3 + y + 1.
static void extension(u64 *c, const u64 *a, const u64 *b, int accumulates, int b_is_a_word) {
    u64 b0 = b[0], b1 = b_is_a_word ? 0 : b[1], b2 = b_is_a_word ? 0 : b[2];
    // Of y^3 and y^4.
    u64 third = product(a[1], b2) ^ product(a[2], b1);
    u64 fourth = product(a[2], b2);
    u64 result[3] = {
        product(a[0], b0) ^ third,
        product(a[0], b1) ^ product(a[1], b0) ^ third ^ fourth,
        product(a[0], b2) ^ product(a[1], b1) ^ product(a[2], b0) ^ fourth,
    };
    for (int i = 0; i < 3; i++) c[i] = accumulates ? c[i] ^ result[i] : result[i];
}

// The entry point of the guest, until it is started.
static u64 entry;

// What a signal handler gets: the kernel's `ucontext`. The first of the registers is the program counter.
struct context { u64 before[22]; u64 registers[32]; };

static void on_illegal(int signal, void *info, struct context *context) {
    (void)signal, (void)info;
    u64 *registers = context->registers;
    if (entry) {
        for (int i = 1; i < 32; i++) registers[i] = 0;
        registers[0] = entry;
        entry = 0;
        return;
    }
    u32 word = *(u32 *)registers[0];
    registers[0] += 4;
    u32 opcode = word & 0x7f, rd = word >> 7 & 31, function = word >> 12 & 7, rs1 = word >> 15 & 31, rs2 = word >> 20 & 31;
    u64 first = rs1 ? registers[rs1] : 0, second = rs2 ? registers[rs2] : 0;
    enum { A0 = 10, A7 = 17 };
    if (word == 0 && registers[A7] == EXIT) {
        call(WRITE, 1, (long)&registers[A0], 32, 0, 0, 0);
        end(0);
    } else if (word >> 25 == 0 && opcode == 0x0b && function < 2 && rd == 0) {
        blake2s(first, second, function & 1);
    } else if (word >> 25 == 0 && opcode == 0x2b && function < 4 && rd != 0) {
        extension((u64 *)registers[rd], (u64 *)first, (u64 *)second, function & 1, function >> 1 & 1);
    } else {
        fail("the guest traps\n", 2);
    }
}

static u64 stack[1 << 12];

static void __attribute__((used, noreturn)) start(u64 *arguments) {
    if (arguments[0] != 3) fail("two files\n", 3);
    // The guest's stack is too small for a signal's frame.
    struct { void *start; int flags; u64 bytes; } alternate = {stack, 0, sizeof stack};
    call(SIGALTSTACK, (long)&alternate, 0, 0, 0, 0, 0);
    enum { ILLEGAL = 4, WITH_INFORMATION = 4, ON_STACK = 0x08000000 };
    struct { void (*handler)(int, void *, struct context *); u64 flags, mask; } action = {
        on_illegal, WITH_INFORMATION | ON_STACK, 0,
    };
    call(SIGACTION, ILLEGAL, (long)&action, 0, sizeof action.mask, 0, 0);
    entry = load_guest((const char *)arguments[2]);
    load_advice((const char *)arguments[3]);
    __asm__ volatile(".word 0" ::: "memory");
    fail("the guest does not start\n", 3);
}

// The arguments are on the stack: their number, then their addresses.
__asm__(".globl _start\n_start: mv a0, sp\nandi sp, sp, -16\ntail start\n");
