// SPDX-License-Identifier: Apache-2.0
/*
 * Measures how fast a processor and a GPU can play tests over pinned memory at most: MP and SB, relaxed, of system scope, in a
 * loop with the threads' accesses, one meeting per round, and a count of the weak outcomes. scripts/bench-agents --loop compares
 * `orchil run` on cuda:0+host with it.
 *
 * build: nvcc -O2 -arch=native -o host_loop host_loop.cu
 * usage: host_loop [--seconds S] [--pairs N] [--lanes N] [--each N] [--device N]
 *
 * A pair is a host thread and a block of N lanes (default 64). In a round they play lanes * each instances (default 64 * 4); lane
 * l plays instances k * lanes + l. Every location is written once in a round, with the round's number, so nothing has to be reset:
 * a read that returns less shows the weak outcome. The sides meet through words that only one side writes. Prints a JSON object
 * per line and shape: MP-h0 (the host writes), MP-h1 (the GPU writes), SB-h1. Exit code 1: a call failed, or a partner was late.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

enum shape { MP_HOST_WRITES, MP_GPU_WRITES, SB, SHAPES };
static const char *const shape_names[SHAPES] = {"MP-h0", "MP-h1", "SB-h1"};

enum {
    ROUNDS = 20000,    /* per launch */
    LINE = 32,         /* words between words of different pairs */
    EACH_MAXIMUM = 16,
    POLLS = 1 << 24,   /* a few seconds over a link */
    PAIRS_MAXIMUM = 1024
};

/* A pair, in pinned memory. */
struct pair {
    volatile uint32_t *host_round, *gpu_round; /* the round that each side has begun */
    volatile uint32_t *x, *y;                  /* lanes * each words */
    uint32_t *host_read, *gpu_read;            /* twice as many, for even and odd rounds */
    unsigned long long *gpu_weak;
};

struct loop {
    enum shape shape;
    unsigned lanes, each;
    uint32_t first; /* round of the launch */
    struct pair *pairs; /* in pinned memory too */
};

#define LOAD(p) load_relaxed(p)
#define STORE(p, n) store_relaxed(p, n)

static __device__ uint32_t load_relaxed(volatile uint32_t *p)
{
    uint32_t n;
    asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(n) : "l"(p) : "memory");
    return n;
}

static __device__ void store_relaxed(volatile uint32_t *p, uint32_t n)
{
    asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(p), "r"(n) : "memory");
}

static __device__ bool meet(const struct pair *pair, uint32_t round)
{
    __shared__ uint32_t met;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t seen = 0;
        asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(pair->gpu_round), "r"(round) : "memory");
        for (uint32_t polls = POLLS; polls != 0 && seen < round; polls--)
            asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(seen) : "l"(pair->host_round) : "memory");
        met = seen >= round;
    }
    __syncthreads();
    return met != 0;
}

/* One round of a lane: all accesses of one kind before the next kind, so that many are in flight. */
static __device__ void play(const struct loop *loop, const struct pair *pair, uint32_t round, unsigned long long *weak)
{
    uint32_t first[EACH_MAXIMUM], second[EACH_MAXIMUM];
    uint32_t *results = pair->gpu_read + (round & 1) * loop->lanes * loop->each;
#pragma unroll
    for (unsigned k = 0; k < EACH_MAXIMUM; k++) {
        const unsigned i = k * loop->lanes + threadIdx.x;
        if (k >= loop->each)
            continue;
        if (loop->shape == MP_HOST_WRITES) {
            first[k] = LOAD(pair->y + i);
            second[k] = LOAD(pair->x + i);
        } else if (loop->shape == MP_GPU_WRITES) {
            STORE(pair->x + i, round);
            STORE(pair->y + i, round);
        } else {
            STORE(pair->y + i, round);
            first[k] = LOAD(pair->x + i);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < EACH_MAXIMUM; k++) {
        if (k >= loop->each)
            continue;
        if (loop->shape == MP_HOST_WRITES)
            *weak += first[k] == round && second[k] != round;
        else if (loop->shape == SB)
            results[k * loop->lanes + threadIdx.x] = first[k];
    }
}

extern "C" __global__ void gpu_side(struct loop loop, uint32_t rounds)
{
    const struct pair pair = loop.pairs[blockIdx.x];
    unsigned long long weak = 0;
    for (uint32_t round = loop.first; round < loop.first + rounds; round++) {
        if (!meet(&pair, round))
            return;
        play(&loop, &pair, round, &weak);
    }
    (void)meet(&pair, loop.first + rounds); /* the host reads what was read in the last round */
    if (weak > 0)
        atomicAdd(pair.gpu_weak, weak);
}

/* ---- the host ---- */

struct worker {
    struct loop loop;
    struct pair pair;
    uint32_t rounds;
    unsigned long long weak;
    bool failed;
};

static bool meet_host(const struct pair *pair, uint32_t round)
{
    __atomic_store_n(pair->host_round, round, __ATOMIC_RELEASE);
    for (unsigned long long polls = (unsigned long long)POLLS * 64; polls != 0; polls--)
        if (__atomic_load_n(pair->gpu_round, __ATOMIC_ACQUIRE) >= round)
            return true;
    return false;
}

static void play_host(struct worker *worker, uint32_t round)
{
    const struct pair *pair = &worker->pair;
    const unsigned instances = worker->loop.lanes * worker->loop.each;
    uint32_t *results = pair->host_read + (round & 1) * instances;
    for (unsigned i = 0; i < instances; i++)
        if (worker->loop.shape == MP_HOST_WRITES) {
            __atomic_store_n(pair->x + i, round, __ATOMIC_RELAXED);
            __atomic_store_n(pair->y + i, round, __ATOMIC_RELAXED);
        } else if (worker->loop.shape == MP_GPU_WRITES) {
            const uint32_t y = __atomic_load_n(pair->y + i, __ATOMIC_RELAXED);
            worker->weak += y == round && __atomic_load_n(pair->x + i, __ATOMIC_RELAXED) != round;
        } else {
            __atomic_store_n(pair->x + i, round, __ATOMIC_RELAXED);
            results[i] = __atomic_load_n(pair->y + i, __ATOMIC_RELAXED);
        }
}

/* Waits until both sides have ended that round. */
static void count_host(struct worker *worker, uint32_t round)
{
    const struct pair *pair = &worker->pair;
    const unsigned instances = worker->loop.lanes * worker->loop.each, half = (round & 1) * instances;
    for (unsigned i = 0; worker->loop.shape == SB && i < instances; i++)
        worker->weak += pair->host_read[half + i] != round && pair->gpu_read[half + i] != round;
}

static void *host_side(void *argument)
{
    struct worker *worker = (struct worker *)argument;
    const uint32_t first = worker->loop.first, end = first + worker->rounds;
    for (uint32_t round = first; round <= end; round++) {
        if (!meet_host(&worker->pair, round)) {
            worker->failed = true;
            return NULL;
        }
        if (round < end)
            play_host(worker, round);
        if (round > first)
            count_host(worker, round - 1);
    }
    return NULL;
}

static void check(cudaError_t code, const char *call)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "host_loop: %s: %s\n", call, cudaGetErrorString(code));
    exit(1);
}
#define CHECK(call) check(call, #call)

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *pinned(size_t bytes)
{
    void *memory;
    CHECK(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
    memset(memory, 0, bytes);
    return memory;
}

static void make_pairs(struct loop *loop, unsigned count)
{
    const size_t instances = (size_t)loop->lanes * loop->each;
    uint32_t *lines = (uint32_t *)pinned((size_t)count * 3 * LINE * sizeof *lines);
    loop->pairs = (struct pair *)pinned(count * sizeof *loop->pairs);
    for (unsigned p = 0; p < count; p++, lines += 3 * LINE) {
        uint32_t *words = (uint32_t *)pinned(6 * instances * sizeof *words);
        loop->pairs[p].host_round = lines;
        loop->pairs[p].gpu_round = lines + LINE;
        loop->pairs[p].gpu_weak = (unsigned long long *)(lines + 2 * LINE);
        loop->pairs[p].x = words;
        loop->pairs[p].y = words + instances;
        loop->pairs[p].host_read = words + 2 * instances;
        loop->pairs[p].gpu_read = words + 4 * instances;
    }
}

/* One launch; the weak outcomes that the host counted. */
static unsigned long long play_launch(const struct loop *loop, unsigned pairs, uint32_t rounds)
{
    static struct worker workers[PAIRS_MAXIMUM];
    static pthread_t threads[PAIRS_MAXIMUM];
    unsigned long long weak = 0;
    bool failed = false;
    gpu_side<<<pairs, loop->lanes>>>(*loop, rounds);
    CHECK(cudaGetLastError());
    for (unsigned p = 0; p < pairs; p++) {
        workers[p] = (struct worker){*loop, loop->pairs[p], rounds, 0, false};
        if (pthread_create(&threads[p], NULL, host_side, &workers[p]) != 0) {
            fprintf(stderr, "host_loop: no thread can be started\n");
            exit(1);
        }
    }
    for (unsigned p = 0; p < pairs; p++) {
        pthread_join(threads[p], NULL);
        weak += workers[p].weak;
        failed |= workers[p].failed;
    }
    CHECK(cudaDeviceSynchronize());
    if (failed) {
        fprintf(stderr, "host_loop: a block did not come to a meeting\n");
        exit(1);
    }
    return weak;
}

static void measure(struct loop *loop, unsigned pairs, double seconds)
{
    unsigned long long weak = 0, instances = 0;
    (void)play_launch(loop, pairs, 10); /* the first launch loads the kernel */
    loop->first += 11;
    for (unsigned p = 0; p < pairs; p++)
        *loop->pairs[p].gpu_weak = 0;
    const double start = now();
    do {
        weak += play_launch(loop, pairs, ROUNDS);
        loop->first += ROUNDS + 1;
        instances += (unsigned long long)ROUNDS * pairs * loop->lanes * loop->each;
    } while (now() - start < seconds);
    const double lasted = now() - start;
    for (unsigned p = 0; p < pairs; p++)
        weak += *loop->pairs[p].gpu_weak;
    printf("{\"shape\":\"%s\",\"pairs\":%u,\"lanes\":%u,\"each\":%u,\"instances\":%llu,\"weak\":%llu,\"seconds\":%.3f}\n",
           shape_names[loop->shape], pairs, loop->lanes, loop->each, instances, weak, lasted);
    fflush(stdout);
}

int main(int count, char **words)
{
    double seconds = 2;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned pairs = cores > 1 ? (unsigned)cores - 1 : 1, device = 0; /* one core is left for the thread that waits for the kernel */
    struct loop loop = {MP_HOST_WRITES, 64, 4, 1, NULL};
    for (int i = 1; i < count; i += 2) {
        unsigned *number = strcmp(words[i], "--pairs") == 0    ? &pairs
                           : strcmp(words[i], "--lanes") == 0  ? &loop.lanes
                           : strcmp(words[i], "--each") == 0   ? &loop.each
                           : strcmp(words[i], "--device") == 0 ? &device
                                                               : NULL;
        if (i + 1 == count || (!number && strcmp(words[i], "--seconds") != 0)) {
            fprintf(stderr, "usage: host_loop [--seconds S] [--pairs N] [--lanes N] [--each N] [--device N]\n");
            return 2;
        }
        if (number)
            *number = (unsigned)strtoul(words[i + 1], NULL, 10);
        else
            seconds = strtod(words[i + 1], NULL);
    }
    if (pairs < 1 || pairs > PAIRS_MAXIMUM || loop.lanes < 1 || loop.lanes > 1024 || loop.each < 1 || loop.each > EACH_MAXIMUM) {
        fprintf(stderr, "host_loop: expected 1 to %d pairs, 1 to 1024 lanes and 1 to %d instances each\n", PAIRS_MAXIMUM, EACH_MAXIMUM);
        return 2;
    }
    CHECK(cudaSetDevice((int)device));
    make_pairs(&loop, pairs);
    for (int shape = 0; shape < SHAPES; shape++) {
        loop.shape = (enum shape)shape;
        measure(&loop, pairs, seconds);
    }
    return 0;
}
