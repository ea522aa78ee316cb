// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, for CUDA C++ as NVRTC compiles it (sm_70 and later). What each word
// means stands at the head of the OpenCL prelude. Orders and scopes are written as PTX, so that no header is needed and
// the instruction is the one named here.

#pragma nv_diag_suppress 177, 186, 550 // a test does not use every helper, every bin, every variable and every value

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define LONG long long
#define INDEX long long

#define TO_U32(n) ((u32)(n))
#define TO_U64(n) ((u64)(n))
#define TO_LONG(n) ((LONG)(n))
#define TO_INDEX(n) ((INDEX)(n))
#define STRUCT(name) struct name
#define OUT

#define GLOBAL
#define LOCAL
#define FUNCTION static __device__ __forceinline__
#define KERNEL_OF(draw, place)                                                                                         \
    FUNCTION void orchil_group(MEMORY_PARAMETERS);                                                                     \
    extern __shared__ __align__(16) u32 orchil_local_memory[];                                                         \
    extern "C" __global__ void __launch_bounds__(1024)                                                                 \
        orchil(const u32 *__restrict__ draw, u32 *memory, u32 *scratch, u32 *counters)                                 \
    {                                                                                                                  \
        orchil_group(place, memory, scratch, counters, orchil_local_memory);                                           \
    }                                                                                                                  \
    FUNCTION void orchil_group(MEMORY_PARAMETERS)
#define ENTRY(draw, memory, scratch, counters, local_memory) KERNEL_OF(draw, draw)
// With the draw in constant memory an index costs no load. Of the 64 KiB there, 16 are left for the test.
#define ENTRY_OF_ONE_DRAW(draw, memory, scratch, counters, local_memory)                                               \
    extern "C" {                                                                                                       \
    __constant__ u32 orchil_draw[12288];                                                                               \
    }                                                                                                                  \
    KERNEL_OF(draw, orchil_draw)
#define MEMORY_PARAMETERS const u32 *draw, u32 *memory, u32 *scratch, u32 *counters, u32 *local_memory
#define MEMORY_ARGUMENTS draw, memory, scratch, counters, local_memory
#define AT(array, start, k) ((array) + (start))[k]
#define CELL(array, index) ((array) + (index))
#define COMPUTED(addresses)                                                                                            \
    if (TO_LONG(addresses) < 0)                                                                                        \
        asm volatile("trap;");

#define high_product(a, b) __umulhi(a, b)
#define ROLLED _Pragma("unroll 1")

#define GROUP (blockIdx.x)
#define LANE (threadIdx.x)
#define GROUP_SIZE (blockDim.x)

#define group_barrier() __syncthreads()
#define unranged(n) (n)
#define agreed(n) (n)

#if __CUDA_ARCH__ >= 900
// Lets the launch begin that comes after this one by a programmatic edge, once all groups have called it or have ended.
FUNCTION void launch_dependents(void)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

FUNCTION u32 cluster_groups()
{
    u32 n;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    return n;
}
#else
#define cluster_groups() 1u
#endif

FUNCTION void arrive(u32 *array, u32 i)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(array + i) : "memory");
}

FUNCTION u32 arrived(u32 *array, u32 i)
{
    u32 n;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(array + i) : "memory");
    return n;
}

FUNCTION u32 peek(u32 *array, u32 i)
{
    u32 n;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(n) : "l"(array + i) : "memory");
    return n;
}

FUNCTION void add(u32 *array, u32 i, u32 n)
{
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(array + i), "r"(n) : "memory");
}

FUNCTION void add_local(u32 *array, u32 i, u32 n)
{
    (void)atomicAdd(array + i, n);
}

FUNCTION u32 claim(u32 *array, u32 i, u32 expected, u32 desired)
{
    u32 old;
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(array + i), "r"(expected), "r"(desired)
                 : "memory");
    return old;
}

FUNCTION void publish(u32 *array, u32 i, u32 n)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(array + i), "r"(n) : "memory");
}

FUNCTION void signal(u32 *array, u32 i, u32 n)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(array + i), "r"(n) : "memory");
}

FUNCTION u32 signalled(u32 *array, u32 i)
{
    u32 n;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(n) : "l"(array + i) : "memory");
    return n;
}

FUNCTION u32 stress_load(u32 *array, u32 i)
{
    return *(volatile u32 *)(array + i);
}

FUNCTION u32 stress_load_cached(u32 *array, u32 i)
{
    u32 n;
    asm volatile("ld.weak.global.ca.u32 %0, [%1];" : "=r"(n) : "l"(array + i) : "memory");
    return n;
}

FUNCTION void stress_store(u32 *array, u32 i, u32 n)
{
    *(volatile u32 *)(array + i) = n;
}

#define SHARED_CLOCK
FUNCTION u32 shared_clock()
{
    u32 n;
    asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(n));
    return n;
}

FUNCTION void rest(u32 nanoseconds)
{
#if __CUDA_ARCH__ >= 700
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
#else
    const LONG end = clock64() + nanoseconds; // of some nanosecond each
    while (clock64() < end)
        ;
#endif
}

#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12 // PTX 8.0
#define BULK_COPIES
FUNCTION void copy_begin(u32 *local, u32 mbarrier)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((u32)__cvta_generic_to_shared(local + mbarrier)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

FUNCTION void copy_in(u32 *local, u32 mbarrier, u32 to, u32 *array, u32 from, u32 bytes, u32 phase)
{
    const u32 place = (u32)__cvta_generic_to_shared(local + mbarrier);
    u32 done = 0;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(place), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     (u32)__cvta_generic_to_shared(local + to)),
                 "l"(array + from), "r"(bytes), "r"(place)
                 : "memory");
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(place), "r"(phase)
                     : "memory");
}

FUNCTION void copy_out(u32 *array, u32 to, u32 *local, u32 from, u32 bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(array + to),
                 "r"((u32)__cvta_generic_to_shared(local + from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

FUNCTION void copy_end()
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
#endif

#define GLOBAL_OPERAND "l"
#define LOCAL_OPERAND "r"
#define GENERIC_OPERAND "l"
#define global_address(p) (p)
#define local_address(p) ((u32)__cvta_generic_to_shared(p))
#define generic_address(p) (p)

// ---- asynchronous copies, mbarriers and clusters: words of the kernels that have them ----

// A group barrier for kernels that wait at mbarriers. The items of a warp may leave an mbarrier.try_wait apart, and a barrier
// without a WARPSYNC before it then counts the warp as two and lets others go too early (docs/results/findings/barrier-left-early).
// ptxas 13.0 keeps a WARPSYNC, or a branch to one, in the kernels of @async; in other code it also leaves out one with such a mask.
FUNCTION void item_barrier(void)
{
    const u32 items = GROUP_SIZE - (LANE & ~31u);
    __syncwarp(items < 32 ? (1u << items) - 1u : 0xffffffffu);
    __syncthreads();
}

// An address of another group's local memory, which in_group gave.
FUNCTION u32 remote_address(u32 *p)
{
    u64 address;
    asm volatile("cvta.to.shared::cluster.u64 %0, %1;" : "=l"(address) : "l"(p));
    return (u32)address;
}

// Where the same word of local memory lies in the group of that rank in the cluster.
FUNCTION u32 *in_group(u32 *p, u32 rank)
{
    u32 *there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
}

FUNCTION u32 group_rank(void)
{
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

FUNCTION void cluster_barrier(void)
{
    asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
}

// Orders accesses of the generic proxy with those of bulk copies.
FUNCTION void async_fence(void)
{
    asm volatile("fence.proxy.async;" ::: "memory");
}

// Lets the other groups of the cluster see that mbarriers have started.
FUNCTION void mbarrier_fence(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// All copies of this item are complete.
FUNCTION void copies_end(void)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

FUNCTION void bulk_copies_end(void)
{
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}

// An mbarrier, and what its threads report: their arrivals two strides after it, their bytes three.
FUNCTION void mbarrier_start(u32 *p, u32 expected, u32 stride)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(local_address(p)), "r"(expected) : "memory");
    p[2 * stride] = 0;
    p[3 * stride] = 0;
}

// Whether a phase of that parity has ended, within a bound that no copy reaches.
FUNCTION u32 mbarrier_ended(u32 *p, u32 parity)
{
    u32 ended = 0;
    for (u32 polls = 1u << 20; polls != 0 && ended == 0; polls--)
        asm volatile("{ .reg .pred ended; mbarrier.test_wait.parity.shared.b64 ended, [%1], %2; selp.u32 %0, 1, 0, ended; }"
                     : "=r"(ended)
                     : "r"(local_address(p)), "r"(parity)
                     : "memory");
    return ended;
}

// Ends the mbarrier when nothing in flight ends at it: all its threads have done what they do. The current phase is made to
// end, which takes the arrivals that it lacks. 0 if it does not end.
FUNCTION u32 mbarrier_end(u32 *p, u32 expected, u32 stride)
{
    const u32 arrivals = p[2 * stride];
    u32 ended = 1;
    if (arrivals != 0 && arrivals % expected == 0)
        ended = mbarrier_ended(p, (arrivals / expected - 1) & 1);
    for (u32 lacks = expected - arrivals % expected; ended != 0 && lacks != 0; lacks--)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(local_address(p)) : "memory");
    if (ended != 0)
        ended = mbarrier_ended(p, arrivals / expected & 1);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(local_address(p)) : "memory");
    return ended;
}

// The same where bytes are counted: those that the threads expected and that no copy brings, or the other way round, come first.
FUNCTION u32 mbarrier_end_bytes(u32 *p, u32 expected, u32 stride)
{
    const int bytes = (int)p[3 * stride];
    if (bytes > 0)
        asm volatile("mbarrier.complete_tx.shared.b64 [%0], %1;" ::"r"(local_address(p)), "r"(bytes)
                     : "memory");
    if (bytes < 0)
        asm volatile("mbarrier.expect_tx.shared.b64 [%0], %1;" ::"r"(local_address(p)), "r"(-bytes)
                     : "memory");
    return mbarrier_end(p, expected, stride);
}
