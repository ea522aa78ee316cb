// SPDX-License-Identifier: Apache-2.0
// Message passing in PTX with a release that ptxas leaves out: a 64-bit reduction in shared memory, on sm_90.
//
// One block of a cluster writes data in global memory, then raises a flag in its shared memory. The other block reads both:
//
//     writer                                          reader
//     st.relaxed.cluster.global x, n                  f = ld.acquire.cluster.shared::cluster flag
//     red.release.cluster.shared.add.u64 flag, 1      b = ld.relaxed.cluster.global x
//
// The flag counts the rounds, and x has the number of the newest one. Seen: b < f. Nothing here is a data race.
// The controls release by an exchange, for which ptxas emits the fence, or by a fence of their own before a relaxed reduction.
// "In one block" is the program with both threads in one: there the outcome is forbidden too, and not seen.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

enum { CLUSTERS = 66, THREADS = 128, ROUNDS = 20000, LAUNCHES = 4, CELL = 32, SCRATCH = 8 };
enum release { ADD, EXCHANGE, FENCE, ADD_IN_BLOCK };

__device__ unsigned draw(unsigned &state)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

template <release RELEASE> __global__ void play(unsigned *cells, unsigned *scratch, unsigned seed, unsigned long long *counts)
{
    namespace cg = cooperative_groups;
    __shared__ unsigned long long flags[THREADS];
    const unsigned rank = cg::this_cluster().block_rank(), half = THREADS / 2;
    const bool writes = RELEASE == ADD_IN_BLOCK ? threadIdx.x < half : rank == 0;
    const unsigned slot = RELEASE == ADD_IN_BLOCK ? threadIdx.x % half : threadIdx.x;
    const size_t pair = (RELEASE == ADD_IN_BLOCK ? blockIdx.x : blockIdx.x / 2) * THREADS + slot;
    unsigned *x = cells + pair * CELL;
    unsigned state = seed * 2654435761u + blockIdx.x * 40503u + threadIdx.x * 9176u + 1;
    unsigned long long asked = 0, seen = 0;
    flags[threadIdx.x] = 0;
    cg::this_cluster().sync();
    const unsigned own = (unsigned)__cvta_generic_to_shared(&flags[slot]);
    unsigned flag = own;
    if (RELEASE != ADD_IN_BLOCK)
        asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(flag) : "r"(own));
    for (unsigned round = 1; round <= ROUNDS; round++) {
        if (writes) {
            for (unsigned i = draw(state) % SCRATCH; i > 0; i--) // keeps the way to the cache busy
                scratch[(draw(state) % 4096 * THREADS + threadIdx.x) * 8] = round;
            if (RELEASE == ADD)
                asm volatile("st.relaxed.cluster.global.u32 [%0], %1;\n\tred.release.cluster.shared.add.u64 [%2], 1;"
                             ::"l"(x), "r"(round), "r"(own) : "memory");
            else if (RELEASE == FENCE)
                asm volatile("st.relaxed.cluster.global.u32 [%0], %1;\n\tfence.acq_rel.cluster;\n\t"
                             "red.relaxed.cluster.shared.add.u64 [%2], 1;" ::"l"(x), "r"(round), "r"(own) : "memory");
            else if (RELEASE == EXCHANGE)
                asm volatile("{\n\t.reg .b64 old;\n\tst.relaxed.cluster.global.u32 [%0], %1;\n\t"
                             "atom.release.cluster.shared.exch.b64 old, [%2], %3;\n\t}"
                             ::"l"(x), "r"(round), "r"(own), "l"((unsigned long long)round) : "memory");
            else
                asm volatile("st.relaxed.cta.global.u32 [%0], %1;\n\tred.release.cta.shared.add.u64 [%2], 1;"
                             ::"l"(x), "r"(round), "r"(own) : "memory");
        } else {
            unsigned long long f;
            unsigned b;
            if (RELEASE == ADD_IN_BLOCK)
                asm volatile("ld.acquire.cta.shared.u64 %0, [%2];\n\tld.relaxed.cta.global.u32 %1, [%3];"
                             : "=l"(f), "=r"(b) : "r"(flag), "l"(x) : "memory");
            else
                asm volatile("ld.acquire.cluster.shared::cluster.u64 %0, [%2];\n\tld.relaxed.cluster.global.u32 %1, [%3];"
                             : "=l"(f), "=r"(b) : "r"(flag), "l"(x) : "memory");
            asked++;
            seen += b < f;
        }
        if (round % 64 == 0)
            cg::this_cluster().sync();
    }
    cg::this_cluster().sync();
    atomicAdd(counts, seen);
    atomicAdd(counts + 1, asked);
}

template <release RELEASE> static unsigned long long count(const char *what, unsigned seed)
{
    const size_t cells_size = sizeof(unsigned) * CELL * THREADS * CLUSTERS * 2, scratch_size = sizeof(unsigned) * 4096 * THREADS * 8;
    unsigned *cells, *scratch;
    unsigned long long *counts, host[2];
    if (cudaMalloc(&cells, cells_size) || cudaMalloc(&scratch, scratch_size) || cudaMalloc(&counts, sizeof host) ||
        cudaMemset(counts, 0, sizeof host))
        exit(2);
    for (unsigned launch = 0; launch < LAUNCHES; launch++) {
        cudaMemset(cells, 0, cells_size);
        cudaLaunchConfig_t config = {CLUSTERS * 2, THREADS, 0, 0, NULL, 0};
        cudaLaunchAttribute cluster;
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {2, 1, 1};
        config.attrs = &cluster;
        config.numAttrs = 1;
        cudaLaunchKernelEx(&config, play<RELEASE>, cells, scratch, seed * LAUNCHES + launch, counts);
    }
    if (cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost)) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        exit(2);
    }
    printf("%s: seen %llu of %llu\n", what, host[0], host[1]);
    return host[0];
}

int main(int count_of_arguments, char **arguments)
{
    const unsigned seed = count_of_arguments > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    const unsigned long long seen = count<ADD>("red.release.cluster.shared.add.u64", seed);
    count<ADD_IN_BLOCK>("the same in one block, scope cta", seed);
    const unsigned long long exchange = count<EXCHANGE>("atom.release.cluster.shared.exch.b64 (control)", seed);
    const unsigned long long fence = count<FENCE>("fence.acq_rel.cluster; red.relaxed (control)", seed);
    return seen > 0 && exchange == 0 && fence == 0 ? 0 : 1;
}
