// SPDX-License-Identifier: Apache-2.0
// Litmus tests between two GPUs: how often relaxed accesses of system scope show what no interleaving gives, by the memory in
// which x and y lie; and how long the links take.
//
//     two-gpus SHAPE HOMES [SEED [NANOSECONDS]]     SHAPE: MP SB LB S R 2+2W; HOMES: x's and y's, as in 10, 0h, hh
//     two-gpus latency
//
// One kernel runs on each GPU. Block b of both plays instances b * THREADS to b * THREADS + THREADS - 1 of each round, one
// per thread, and meets its partner before the round. Each instance has cells of its own, which are used once. NANOSECONDS:
// how long GPU 0 waits between its two accesses. The control has fence.sc.sys between the accesses of both.
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { BLOCKS = 120, THREADS = 256, ROUNDS = 64, LAUNCHES = 24, CELLS = BLOCKS * THREADS * ROUNDS, LINE = 32, POLLS = 1 << 23 };

#define CHECK(call)                                                                                                        \
    do {                                                                                                                   \
        const cudaError_t code = (call);                                                                                   \
        if (code != cudaSuccess) {                                                                                         \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code));                                                  \
            exit(2);                                                                                                       \
        }                                                                                                                  \
    } while (0)

__device__ void store(unsigned *p, unsigned value)
{
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

__device__ unsigned load(unsigned *p)
{
    unsigned value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

__device__ void signal(unsigned *p, unsigned value)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

// Whether the word reached the value before the polls were used up.
__device__ bool wait_for(unsigned *p, unsigned value)
{
    unsigned found = 0;
    for (unsigned polls = 0; polls < POLLS && found < value; polls++)
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(found) : "l"(p) : "memory");
    return found >= value;
}

__device__ void rest(unsigned cycles)
{
    for (const long long start = clock64(); clock64() - start < cycles;)
        ;
}

enum shape { MP, SB, LB, S, R, W22, SHAPES };
static const char *const names[SHAPES] = {"MP", "SB", "LB", "S", "R", "2+2W"};

// What the thread of each GPU does: it stores a value in a cell, or loads it (value 0).
struct step {
    int cell;   // 0: x, 1: y
    unsigned value;
};
__constant__ step programs[SHAPES][2][2] = {
    {{{0, 1}, {1, 1}}, {{1, 0}, {0, 0}}}, // MP: x = 1; y = 1      | y; x        weak: 1, 0
    {{{0, 1}, {1, 0}}, {{1, 1}, {0, 0}}}, // SB: x = 1; y          | y = 1; x    weak: 0, 0
    {{{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}}, // LB: x; y = 1          | y; x = 1    weak: 1, 1
    {{{0, 2}, {1, 1}}, {{1, 0}, {0, 1}}}, // S:  x = 2; y = 1      | y; x = 1    weak: 1 and x is 2
    {{{0, 1}, {1, 1}}, {{1, 2}, {0, 0}}}, // R:  x = 1; y = 1      | y = 2; x    weak: 0 and y is 2
    {{{0, 1}, {1, 2}}, {{1, 1}, {0, 2}}}, // 2+2W: x = 1; y = 2    | y = 1; x = 2  weak: x and y are 1
};

template <int SHAPE, int GPU, bool FENCE>
__global__ void play(unsigned *x, unsigned *y, unsigned *results, unsigned *meetings, unsigned seed, unsigned cycles)
{
    __shared__ bool met;
    unsigned *const mine = meetings + (2 * blockIdx.x + GPU) * LINE, *const other = meetings + (2 * blockIdx.x + !GPU) * LINE;
    unsigned state = seed * 2654435761u + blockIdx.x * 40503u + GPU * 977u + 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned i = (round * BLOCKS + blockIdx.x) * THREADS + threadIdx.x;
        const step a = programs[SHAPE][GPU][0], b = programs[SHAPE][GPU][1];
        unsigned *const first = (a.cell ? y : x) + i, *const second = (b.cell ? y : x) + i;
        unsigned r0 = 0, r1 = 0;
        state = state * 1664525u + 1013904223u;
        if (threadIdx.x == 0) {
            signal(mine, round + 1);
            met = wait_for(other, round + 1);
        }
        __syncthreads();
        if (!met)
            return;
        rest(state >> 16 & 1023);
        if (a.value)
            store(first, a.value);
        else
            r0 = load(first);
        if (FENCE)
            asm volatile("fence.sc.sys;" ::: "memory");
        if (GPU == 0 && cycles)
            rest(cycles);
        if (b.value)
            store(second, b.value);
        else
            r1 = load(second);
        results[i] = 1 + r0 + 4 * r1; // 0: was not played
        __syncthreads();
    }
}

static bool is_weak(int shape, unsigned p0, unsigned p1, unsigned x, unsigned y)
{
    const unsigned a = (p0 - 1) / 4, b0 = (p1 - 1) % 4, b1 = (p1 - 1) / 4, a0 = (p0 - 1) % 4;
    switch (shape) {
    case MP: return b0 == 1 && b1 == 0;
    case SB: return a == 0 && b1 == 0;
    case LB: return a0 == 1 && b0 == 1;
    case S: return b0 == 1 && x == 2;
    case R: return y == 2 && b1 == 0;
    default: return x == 1 && y == 1;
    }
}

static unsigned *take(char home, size_t words)
{
    unsigned *memory;
    if (home == 'h') {
        CHECK(cudaHostAlloc(&memory, words * sizeof *memory, cudaHostAllocPortable | cudaHostAllocMapped));
        return memory;
    }
    CHECK(cudaSetDevice(home - '0'));
    CHECK(cudaMalloc(&memory, words * sizeof *memory));
    return memory;
}

static void clear(char home, unsigned *memory, size_t words)
{
    if (home == 'h') {
        memset(memory, 0, words * sizeof *memory);
        return;
    }
    CHECK(cudaSetDevice(home - '0'));
    CHECK(cudaMemset(memory, 0, words * sizeof *memory));
    CHECK(cudaDeviceSynchronize());
}

static unsigned *copied[4];

template <int SHAPE, bool FENCE> static void count(const char *homes, unsigned seed, unsigned nanoseconds)
{
    unsigned *const x = take(homes[0], CELLS), *const y = take(homes[1], CELLS), *const meetings = take('0', 2 * BLOCKS * LINE);
    unsigned *const results[2] = {take('0', CELLS), take('1', CELLS)};
    unsigned long long weak = 0, played = 0;
    int kilohertz;
    CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
    const unsigned cycles = (unsigned)(nanoseconds * 1e-6 * kilohertz);
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        clear(homes[0], x, CELLS);
        clear(homes[1], y, CELLS);
        clear('0', meetings, 2 * BLOCKS * LINE);
        clear('0', results[0], CELLS);
        clear('1', results[1], CELLS);
        CHECK(cudaSetDevice(0));
        play<SHAPE, 0, FENCE><<<BLOCKS, THREADS>>>(x, y, results[0], meetings, seed * 1000 + launch, cycles);
        CHECK(cudaGetLastError());
        CHECK(cudaSetDevice(1));
        play<SHAPE, 1, FENCE><<<BLOCKS, THREADS>>>(x, y, results[1], meetings, seed * 1000 + launch, cycles);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaSetDevice(0));
        CHECK(cudaDeviceSynchronize());
        unsigned *const from[4] = {results[0], results[1], x, y};
        for (int k = 0; k < 4; k++)
            CHECK(cudaMemcpy(copied[k], from[k], CELLS * sizeof(unsigned), cudaMemcpyDefault));
        for (unsigned i = 0; i < CELLS; i++) {
            const bool both = copied[0][i] && copied[1][i];
            played += both;
            weak += both && is_weak(SHAPE, copied[0][i], copied[1][i], copied[2][i], copied[3][i]);
        }
    }
    printf("%s%s x=%c,y=%c seed %u, %u ns: %llu of %llu\n", names[SHAPE], FENCE ? "+fence.sc.sys" : "", homes[0], homes[1], seed, nanoseconds,
           weak, played);
    if (played != (unsigned long long)LAUNCHES * CELLS) {
        fprintf(stderr, "two-gpus: the GPUs did not meet\n");
        exit(3);
    }
    if (FENCE && weak)
        exit(1);
}

template <int SHAPE> static void both(const char *homes, unsigned seed, unsigned nanoseconds)
{
    count<SHAPE, false>(homes, seed, nanoseconds);
    count<SHAPE, true>(homes, seed, nanoseconds);
}

// The time of a load after the other, and of a word that goes to the partner and back.
__global__ void load_chain(unsigned *p, unsigned times, long long *cycles)
{
    unsigned at = load(p);
    const long long start = clock64();
    for (unsigned i = 0; i < times; i++)
        at = load(p + at); // all words are 0
    *cycles = clock64() - start + at;
}

__global__ void ping(unsigned *mine, unsigned *other, unsigned times, bool begins, long long *cycles)
{
    const long long start = clock64();
    for (unsigned i = 1; i <= times; i++) {
        if (begins)
            store(mine, i);
        for (unsigned polls = 0; polls < POLLS && load(other) < i; polls++)
            ;
        if (!begins)
            store(mine, i);
    }
    *cycles = clock64() - start;
}

static void latency()
{
    enum { TIMES = 2000 };
    int kilohertz;
    long long *cycles;
    CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
    CHECK(cudaHostAlloc(&cycles, 2 * sizeof *cycles, cudaHostAllocPortable | cudaHostAllocMapped));
    printf("home: a load of GPU 0; of GPU 1; a word from GPU 0 to GPU 1 and back, both words at that home (ns)\n");
    for (const char *home = "01h"; *home; home++) {
        unsigned *const memory = take(*home, 2 * LINE);
        double nanoseconds[3];
        for (int gpu = 0; gpu < 2; gpu++) {
            clear(*home, memory, 2 * LINE);
            CHECK(cudaSetDevice(gpu));
            for (int again = 0; again < 2; again++)
                load_chain<<<1, 1>>>(memory, TIMES, cycles);
            CHECK(cudaDeviceSynchronize());
            nanoseconds[gpu] = 1e6 * *cycles / kilohertz / TIMES;
        }
        clear(*home, memory, 2 * LINE);
        CHECK(cudaSetDevice(0));
        ping<<<1, 1>>>(memory, memory + LINE, TIMES, true, cycles);
        CHECK(cudaSetDevice(1));
        ping<<<1, 1>>>(memory + LINE, memory, TIMES, false, cycles + 1);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaSetDevice(0));
        CHECK(cudaDeviceSynchronize());
        nanoseconds[2] = 1e6 * *cycles / kilohertz / TIMES;
        printf("%c: %.0f; %.0f; %.0f\n", *home, nanoseconds[0], nanoseconds[1], nanoseconds[2]);
    }
}

int main(int argc, char **argv)
{
    static void (*const plays[SHAPES])(const char *, unsigned, unsigned) = {both<MP>, both<SB>, both<LB>, both<S>, both<R>, both<W22>};
    const bool asks_latency = argc == 2 && strcmp(argv[1], "latency") == 0;
    const char *const homes = argc > 2 ? argv[2] : "10";
    int shape = 0, devices = 0;
    while (argc > 1 && !asks_latency && shape < SHAPES && strcmp(argv[1], names[shape]) != 0)
        shape++;
    if (argc < 2 || argc > 5 || shape == SHAPES || strlen(homes) != 2 || strspn(homes, "01h") != 2) {
        fprintf(stderr, "usage: two-gpus MP|SB|LB|S|R|2+2W HOMES [SEED [NANOSECONDS]], with HOMES such as 10 or 0h; or two-gpus latency\n");
        return 2;
    }
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        fprintf(stderr, "two-gpus: needs two GPUs with peer access, but there are %d\n", devices);
        return 3;
    }
    for (int gpu = 0; gpu < 2; gpu++) {
        CHECK(cudaSetDevice(gpu));
        CHECK(cudaDeviceEnablePeerAccess(!gpu, 0));
    }
    for (int k = 0; k < 4; k++)
        copied[k] = (unsigned *)malloc(CELLS * sizeof(unsigned));
    if (asks_latency)
        latency();
    else
        plays[shape](homes, argc > 3 ? (unsigned)strtoul(argv[3], nullptr, 10) : 1, argc > 4 ? (unsigned)strtoul(argv[4], nullptr, 10) : 0);
    return 0;
}
