// Work for a RISC-V processor of which every result lands in `results`: sorting, hashing, text, tables of
// functions, recursion, and arithmetic of every width and sign.
#include <stddef.h>
#include <stdint.h>

#define RESULTS 512
uint64_t results[RESULTS];
const uint64_t results_size = sizeof results;

static size_t used;

static void put(uint64_t value)
{
    results[used % RESULTS] ^= value + used;
    used++;
}

static uint64_t state = 0x853c49e6748fea9bull;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

void *memcpy(void *to, const void *from, size_t n)
{
    char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    char *t = to;
    while (n--)
        *t++ = (char)byte;
    return to;
}

static void quicksort(int64_t *a, long low, long high)
{
    while (low < high) {
        int64_t pivot = a[low + (high - low) / 2];
        long i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int64_t t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quicksort(a, low, j);
        low = i;
    }
}

static uint32_t crc32(const uint8_t *bytes, size_t n)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

// The mixing of SHA-256 with constants that are not its own.
static void compress(uint32_t h[8], const uint8_t block[64])
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8
            | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25))
            + ((v[4] & v[5]) ^ (~v[4] & v[6])) + w[i] + 0x9e3779b9u * (uint32_t)(i + 1);
        uint32_t t2 = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22))
            + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int k = 7; k > 0; k--)
            v[k] = v[k - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

#define EVERY(name, type)                                                                                          \
    static void name(type a, type b, unsigned by)                                                                  \
    {                                                                                                              \
        put((uint64_t)(a + b));                                                                                    \
        put((uint64_t)(a - b));                                                                                    \
        put((uint64_t)(a * b));                                                                                    \
        if (b != 0 && !(b == (type)-1)) {                                                                          \
            put((uint64_t)(a / b));                                                                                \
            put((uint64_t)(a % b));                                                                                \
        }                                                                                                          \
        put((uint64_t)(type)(a << (by % (8 * sizeof(type)))));                                                     \
        put((uint64_t)(type)(a >> (by % (8 * sizeof(type)))));                                                     \
        put((uint64_t)(a < b) | (uint64_t)(a <= b) << 1 | (uint64_t)(a == b) << 2 | (uint64_t)(a > b) << 3);       \
        put((uint64_t)((a & b) ^ (a | 3) ^ ~b));                                                                   \
    }

EVERY(signed64, int64_t)
EVERY(unsigned64, uint64_t)
EVERY(signed32, int32_t)
EVERY(unsigned32, uint32_t)
EVERY(signed16, int16_t)
EVERY(unsigned16, uint16_t)
EVERY(signed8, int8_t)
EVERY(unsigned8, uint8_t)

static int64_t choose(unsigned which, int64_t a, int64_t b)
{
    switch (which) {
    case 0: return a + b;
    case 1: return a - 3 * b;
    case 2: return a ^ b >> 2;
    case 3: return a > b ? a : b;
    case 4: return a % 1000003;
    case 5: return (int32_t)a * (int64_t)(int32_t)b;
    case 6: return (int64_t)((unsigned __int128)(uint64_t)a * (uint64_t)b >> 64);
    case 7: return (int64_t)((__int128)a * b >> 64);
    default: return (int64_t)((unsigned __int128)(uint64_t)a * 0x1234567 / ((uint64_t)b | 1));
    }
}

static unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static uint64_t twice(uint64_t (*f)(uint64_t), uint64_t x)
{
    return f(f(x));
}
static uint64_t square(uint64_t x) { return x * x; }
static uint64_t reverse(uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 64; i++, x >>= 1)
        r = r << 1 | (x & 1);
    return r;
}
static uint64_t collatz(uint64_t x)
{
    uint64_t steps = 0;
    for (x %= 10000; x > 1; steps++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}
static uint64_t (*const functions[])(uint64_t) = {square, reverse, collatz};

struct record {
    uint8_t kind;
    int16_t small;
    uint32_t middle;
    int64_t large;
    int8_t tail[5];
};

void work(void)
{
    static int64_t numbers[300];
    static uint8_t bytes[640];
    static struct record records[16];
    uint32_t h[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    for (int i = 0; i < 300; i++)
        numbers[i] = (int64_t)next() >> (next() % 60);
    quicksort(numbers, 0, 299);
    for (int i = 0; i < 300; i += 3)
        put((uint64_t)numbers[i]);
    for (int i = 0; i < 640; i++)
        bytes[i] = (uint8_t)next();
    put(crc32(bytes, sizeof bytes));
    for (int i = 0; i < 10; i++)
        compress(h, bytes + 64 * i);
    for (int i = 0; i < 8; i++)
        put(h[i]);
    for (int i = 0; i < 60; i++) {
        uint64_t a = next() >> (next() % 64), b = next() >> (next() % 64);
        unsigned by = (unsigned)next();
        signed64((int64_t)a, (int64_t)b, by);
        unsigned64(a, b, by);
        signed32((int32_t)a, (int32_t)b, by);
        unsigned32((uint32_t)a, (uint32_t)b, by);
        signed16((int16_t)a, (int16_t)b, by);
        unsigned16((uint16_t)a, (uint16_t)b, by);
        signed8((int8_t)a, (int8_t)b, by);
        unsigned8((uint8_t)a, (uint8_t)b, by);
        for (unsigned which = 0; which < 9; which++)
            put((uint64_t)choose(which, (int64_t)a, (int64_t)b));
        put(twice(functions[i % 3], a));
        struct record *r = &records[i % 16];
        r->kind += (uint8_t)a;
        r->small ^= (int16_t)b;
        r->middle += (uint32_t)(a ^ b);
        r->large -= (int64_t)a;
        r->tail[i % 5] = (int8_t)(r->kind + r->small);
        struct record copy = *r;
        put((uint64_t)(copy.large + copy.tail[2] + copy.small) ^ (uint64_t)copy.middle << copy.kind % 32);
    }
    put(ackermann(2, 6));
}
