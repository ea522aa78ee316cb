// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, for OpenCL C 1.2 and later. The same list, with the same meanings,
// is the CUDA prelude; a new backend writes its own. OpenCL C 1.2 knows no orders and no scopes: there a word does what
// programs for such devices do, and a device promises less than the word says.
//
// Memory is an array and an index: a word that accesses memory takes both, so that a prelude may be of a language without
// pointers. The arrays are draw, memory, scratch, counters and local_memory. Words with a star are for the functions generated
// from the test, which may have pointers to cells; the skeleton does not use them.
//
//   u32 u64                unsigned integers of that many bits
//   LONG                   the signed integer of 64 bits
// * s8 u8 s16 u16          integers of that many bits, with and without a sign
//   INDEX                  an integer that can hold a position in test memory
//   TO_U32(n), TO_U64(n), TO_LONG(n), TO_INDEX(n)   n in that type; n: an integer or, for TO_U32, a bool
//   STRUCT(name)           the type that `struct name` declares
//   OUT                    before a parameter that is an array and that the function assigns
//   FUNCTION               before each function
//   ENTRY(...)             the entry point's head, with the names of its five arrays
//   ENTRY_OF_ONE_DRAW(...) the same, if all groups that run at one time have the same draw: it may then be in constant memory
//   high_product(a, b)     the upper 32 bits of the product of two u32
//   ROLLED                 before a loop: the compiler must not unroll it, or an instruction of the test would be there twice
//   MEMORY_PARAMETERS      the first parameters of each function that accesses memory: the five arrays, under their own names
//   MEMORY_ARGUMENTS       the same as arguments of a call
//   AT(array, start, k)    the word at position start + k, to be read or assigned
// * GLOBAL LOCAL           address spaces of pointers; in OpenCL C also CONSTANT
// * CELL(array, index)     a pointer to that word
// * COMPUTED(addresses)    these addresses, joined by |, are computed here and not between the accesses that follow. NVIDIA's
//                          compiler moves no part of a condition across a trap; elsewhere the word is empty.
//   GROUP LANE             number of this work-group in the launch; of this item in the group
//   GROUP_SIZE             items of a group
//   group_barrier()        all items of the group meet; after it the group sees global and local writes before it
//   agreed(n)              n, which is equal in all items of the group, known to the compiler where a barrier may depend on it
//   cluster_barrier()      (CUDA) the same for all items of a cluster
//   cluster_groups()       work-groups of this one's cluster; 1 if there are none
//   unranged(n)            n, but the compiler must not use that it is small
//   arrive(array, i)       adds 1: release, device scope
//   arrived(array, i)      loads: acquire, device scope
//   peek(array, i)         loads: relaxed, device scope
//   add(array, i, n)       adds n: relaxed, device scope
//   add_local(array, i, n) adds n in local memory: relaxed, work-group scope
//   claim(array, i, old, new)  compare and swap, acquire and release, device scope; returns the previous value
//   publish(array, i, n)   stores n: release, device scope
//   signal(array, i, n)    stores n: release, system scope, so that other devices and the host see it; device scope if the
//                          language has no wider one
//   signalled(array, i)    loads: acquire, the same scope as signal
//   stress_load(array, i), stress_store(array, i, n)   accesses without order that the compiler keeps
//   stress_load_cached(array, i)   the same, but the cache nearest to the item may serve it
//   SHARED_CLOCK           (NVIDIA, PoCL on x86-64) defined if all items of the device can read one clock:
//     shared_clock()                  nanoseconds, or nearly so, modulo 2^32
//   rest(nanoseconds)      lets the item do nothing for about that long, or the next best thing that the device has
//   BULK_COPIES            (CUDA) defined if there are bulk copies, by which one item moves whole units of 16 bytes:
//     copy_begin(local, mbarrier)     before its first copy; mbarrier: position of two words of local memory
//     copy_in(local, mbarrier, to, array, from, bytes, phase)   global to local memory, and waits; phase: 0 and 1 in turn
//     copy_out(array, to, local, from, bytes)   local to global memory, and waits until the local words have been read
//     copy_end()                      waits until all is written
// * LOCAL_OPERAND, GLOBAL_OPERAND, GENERIC_OPERAND            (inline PTX) constraint of an address operand
// * local_address(p), global_address(p), generic_address(p)   (inline PTX) the operand's value

// Clang names these scopes, and this order, only where the device declares the feature of OpenCL C 3.0, and some devices
// that declare them to the host forget that; others (rusticl) take them undeclared. Its own numbers are always there.
// NVIDIA's compiler has the order's name without the feature, and with a number of its own.
#if defined(__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES) && !defined(__opencl_c_atomic_scope_all_devices)
#define memory_scope_all_svm_devices ((memory_scope)__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
#endif
#if __OPENCL_C_VERSION__ >= 300 && !defined(__opencl_c_atomic_order_seq_cst) && !defined(__NV_CL_C_VERSION)
#define memory_order_seq_cst ((memory_order)__ATOMIC_SEQ_CST)
#endif
#if defined(__OPENCL_MEMORY_SCOPE_SUB_GROUP) && !defined(__opencl_c_subgroups)
#define memory_scope_sub_group ((memory_scope)__OPENCL_MEMORY_SCOPE_SUB_GROUP)
#endif
// OpenCL C 2.0 has sub_group_barrier as an extension.
#if defined(cl_khr_subgroups) && !defined(__opencl_c_subgroups)
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif

typedef char s8;
typedef uchar u8;
typedef short s16;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
#define LONG long
#define INDEX long

#define TO_U32(n) ((u32)(n))
#define TO_U64(n) ((u64)(n))
#define TO_LONG(n) ((LONG)(n))
#define TO_INDEX(n) ((INDEX)(n))
#define STRUCT(name) struct name
#define OUT

#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define FUNCTION static inline __attribute__((always_inline))
#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    __kernel void orchil(__global const u32 *restrict draw, __global u32 *memory, __global u32 *scratch,               \
                         __global u32 *counters, __local u32 *local_memory)
#define ENTRY_OF_ONE_DRAW ENTRY
#define MEMORY_PARAMETERS                                                                                              \
    GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, GLOBAL u32 *counters, LOCAL u32 *local_memory
#define MEMORY_ARGUMENTS draw, memory, scratch, counters, local_memory
#define AT(array, start, k) ((array) + (start))[k]
#define CELL(array, index) ((array) + (index))
#ifdef __NV_CL_C_VERSION
#define COMPUTED(addresses)                                                                                            \
    if (TO_LONG(addresses) < 0)                                                                                        \
        asm volatile("trap;");
#else
#define COMPUTED(addresses)
#endif

#define high_product(a, b) mul_hi(a, b)
#define ROLLED _Pragma("unroll 1")

#define GROUP ((u32)get_group_id(0))
#define LANE ((u32)get_local_id(0))
#define GROUP_SIZE ((u32)get_local_size(0))

#define group_barrier() barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#define cluster_groups() 1u
#define agreed(n) (n)

#if __OPENCL_C_VERSION__ >= 200
#define unranged(n) (n)
#define ATOMIC(array, i) ((volatile __global atomic_uint *)((array) + (i)))

FUNCTION void arrive(GLOBAL u32 *array, u32 i)
{
    (void)atomic_fetch_add_explicit(ATOMIC(array, i), 1u, memory_order_release, memory_scope_device);
}

FUNCTION u32 arrived(GLOBAL u32 *array, u32 i)
{
    return atomic_load_explicit(ATOMIC(array, i), memory_order_acquire, memory_scope_device);
}

FUNCTION u32 peek(GLOBAL u32 *array, u32 i)
{
    return atomic_load_explicit(ATOMIC(array, i), memory_order_relaxed, memory_scope_device);
}

FUNCTION void add(GLOBAL u32 *array, u32 i, u32 n)
{
    (void)atomic_fetch_add_explicit(ATOMIC(array, i), n, memory_order_relaxed, memory_scope_device);
}

FUNCTION void add_local(LOCAL u32 *array, u32 i, u32 n)
{
    (void)atomic_fetch_add_explicit((volatile LOCAL atomic_uint *)(array + i), n, memory_order_relaxed, memory_scope_work_group);
}

FUNCTION u32 claim(GLOBAL u32 *array, u32 i, u32 expected, u32 desired)
{
    (void)atomic_compare_exchange_strong_explicit(ATOMIC(array, i), &expected, desired, memory_order_acq_rel,
                                                  memory_order_acquire, memory_scope_device);
    return expected;
}

FUNCTION void publish(GLOBAL u32 *array, u32 i, u32 n)
{
    atomic_store_explicit(ATOMIC(array, i), n, memory_order_release, memory_scope_device);
}

#if defined(__opencl_c_atomic_scope_all_devices) || defined(__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
#define SYSTEM_SCOPE memory_scope_all_svm_devices
#else
#define SYSTEM_SCOPE memory_scope_device
#endif

FUNCTION void signal(GLOBAL u32 *array, u32 i, u32 n)
{
    atomic_store_explicit(ATOMIC(array, i), n, memory_order_release, SYSTEM_SCOPE);
}

FUNCTION u32 signalled(GLOBAL u32 *array, u32 i)
{
    return atomic_load_explicit(ATOMIC(array, i), memory_order_acquire, SYSTEM_SCOPE);
}
#else
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define fence_all() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)

// Oclgrind 21.10 takes a wrong branch where clang has made a number of two bits of one that is below 4.
FUNCTION u32 unranged(u32 n)
{
    volatile u32 kept = n;
    return kept;
}

FUNCTION void arrive(GLOBAL u32 *array, u32 i)
{
    fence_all();
    (void)atomic_inc((volatile GLOBAL u32 *)(array + i));
}

// Loads and stores of the meetings are read-modify-writes, which no cache of one work-group serves.
FUNCTION u32 peek(GLOBAL u32 *array, u32 i)
{
    return atomic_or((volatile GLOBAL u32 *)(array + i), 0u);
}

FUNCTION u32 arrived(GLOBAL u32 *array, u32 i)
{
    const u32 count = peek(array, i);
    fence_all();
    return count;
}

FUNCTION void add(GLOBAL u32 *array, u32 i, u32 n)
{
    (void)atomic_add((volatile GLOBAL u32 *)(array + i), n);
}

FUNCTION void add_local(LOCAL u32 *array, u32 i, u32 n)
{
    (void)atomic_add((volatile LOCAL u32 *)(array + i), n);
}

FUNCTION u32 claim(GLOBAL u32 *array, u32 i, u32 expected, u32 desired)
{
    fence_all();
    const u32 old = atomic_cmpxchg((volatile GLOBAL u32 *)(array + i), expected, desired);
    fence_all();
    return old;
}

FUNCTION void publish(GLOBAL u32 *array, u32 i, u32 n)
{
    fence_all();
    (void)atomic_xchg((volatile GLOBAL u32 *)(array + i), n);
}

// No read-modify-writes: the link to another device may have none.
FUNCTION void signal(GLOBAL u32 *array, u32 i, u32 n)
{
    fence_all();
    *(volatile GLOBAL u32 *)(array + i) = n;
}

FUNCTION u32 signalled(GLOBAL u32 *array, u32 i)
{
    const u32 n = *(volatile GLOBAL u32 *)(array + i);
    fence_all();
    return n;
}
#endif

FUNCTION u32 stress_load(GLOBAL u32 *array, u32 i)
{
    return *(volatile GLOBAL u32 *)(array + i);
}

// OpenCL C has no way to say which cache may serve a load.
FUNCTION u32 stress_load_cached(GLOBAL u32 *array, u32 i)
{
    return *(volatile GLOBAL u32 *)(array + i);
}

FUNCTION void stress_store(GLOBAL u32 *array, u32 i, u32 n)
{
    *(volatile GLOBAL u32 *)(array + i) = n;
}

#ifdef __NV_CL_C_VERSION
#define SHARED_CLOCK
FUNCTION u32 shared_clock()
{
    u32 n;
    asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(n));
    return n;
}
#elif defined(__x86_64__) && defined(POCL_DEVICE_ADDRESS_BITS) // PoCL; the cores count at one rate of 2 to 4 GHz
#define SHARED_CLOCK
FUNCTION u32 shared_clock()
{
    return (u32)(__builtin_ia32_rdtsc() / 2u);
}
#endif

// A step of this loop takes some nanoseconds.
FUNCTION void rest(u32 nanoseconds)
{
    volatile u32 left = nanoseconds / 4;
    while (left != 0)
        left = left - 1;
}

#define GLOBAL_OPERAND "l"
#define LOCAL_OPERAND "l"
#define GENERIC_OPERAND "l"
#define global_address(p) (p)
#define local_address(p) (p)
#define generic_address(p) ((__generic u32 *)(p))
