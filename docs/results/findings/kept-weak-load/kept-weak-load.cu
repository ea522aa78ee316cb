// SPDX-License-Identifier: Apache-2.0
// Message passing in PTX: a weak load before the acquire, and the same load after it. ptxas keeps the first one's value.
//
// Block b writes the cells that block b ^ 1 reads. Each cell is written once, and read by one thread in one round:
//
//     writer                          reader
//     st.weak x, 1                    a = ld.weak x
//     st.release.gpu y, 1             f = ld.acquire.gpu y
//                                     b = ld.weak x
//
// Seen: f = 1 and b = 0. Between a and f the reader calculates for about a thousand cycles, so that the writer has time.
// With a fence after a relaxed load in place of the acquire load, the same program never shows it.
#include <cstdio>
#include <cstdlib>

enum { BLOCKS = 264, THREADS = 256, ROUNDS = 32, LAUNCHES = 64, CELL = 16 }; // a cell is 64 bytes: x, and y 32 bytes after it

__device__ unsigned draw(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

template <bool FENCE> __global__ void play(unsigned *cells, unsigned zero, unsigned seed, unsigned long long *counts)
{
    const bool writes = blockIdx.x % 2 == 0;
    unsigned state = seed * 2654435761u + blockIdx.x * 40503u + threadIdx.x * 9176u + 1;
    unsigned long long asked = 0, seen = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        __syncthreads();
        size_t cell = ((size_t)round * BLOCKS / 2 + blockIdx.x / 2) * THREADS + threadIdx.x;
        unsigned *x = cells + cell * CELL, *y = x + CELL / 2;
        for (unsigned i = draw(state) % 64; i > 0; i--)
            __nanosleep(20);
        if (writes) {
            asm volatile("st.weak.global.u32 [%0], 1;\n\tst.release.gpu.global.u32 [%1], 1;" ::"l"(x), "l"(y) : "memory");
            continue;
        }
        unsigned a, b, f, chain;
        asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(a) : "l"(x) : "memory");
        chain = a;
#pragma unroll
        for (int i = 0; i < 200; i++)
            chain = chain * chain + zero;
        if (FENCE)
            asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];\n\tfence.acq_rel.gpu;" : "=r"(f) : "l"(y + (chain & zero)) : "memory");
        else
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(f) : "l"(y + (chain & zero)) : "memory");
        asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(b) : "l"(x) : "memory");
        asked++;
        seen += f == 1 && b == 0;
    }
    atomicAdd(counts, seen);
    atomicAdd(counts + 1, asked);
}

template <bool FENCE> static unsigned long long count(const char *what, unsigned seed)
{
    const size_t size = sizeof(unsigned) * CELL * ROUNDS * (BLOCKS / 2) * THREADS;
    unsigned *cells;
    unsigned long long *counts, host[2];
    if (cudaMalloc(&cells, size) || cudaMalloc(&counts, sizeof host) || cudaMemset(counts, 0, sizeof host))
        exit(2);
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        cudaMemset(cells, 0, size);
        play<FENCE><<<BLOCKS, THREADS>>>(cells, 0, seed * LAUNCHES + launch, counts);
    }
    if (cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost)) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        exit(2);
    }
    printf("%s: seen %llu of %llu\n", what, host[0], host[1]);
    cudaFree(cells);
    cudaFree(counts);
    return host[0];
}

int main(int count_of_arguments, char **arguments)
{
    const unsigned seed = count_of_arguments > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    const unsigned long long seen = count<false>("ld.acquire.gpu", seed);
    const unsigned long long control = count<true>("ld.relaxed.gpu; fence.acq_rel.gpu (control)", seed);
    return seen > 0 && control == 0 ? 0 : 1;
}
