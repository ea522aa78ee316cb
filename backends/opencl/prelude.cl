// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, for OpenCL C 1.2 and later. The same list, with the same meanings,
// is the CUDA prelude; a new backend writes its own. OpenCL C 1.2 knows no orders and no scopes: there a word does what
// programs for such devices do, and a device promises less than the word says.
//
//   s8 u8 s16 u16       integers of that many bits, with and without a sign
//   u32 u64             unsigned integers of that many bits
//   LONG                the signed integer of 64 bits
//   GLOBAL LOCAL        address spaces; in OpenCL C also CONSTANT
//   FUNCTION            before each function
//   ENTRY(...)          the entry point's head, with its five parameters
//   GROUP LANE          number of this work-group in the launch; of this item in the group
//   GROUP_SIZE          items of a group
//   group_barrier()     all items of the group meet; global and local writes before it are seen by the group after it
//   arrive(p)           adds 1 to *p: release, device scope
//   arrived(p)          loads *p: acquire, device scope
//   peek(p)             loads *p: relaxed, device scope
//   add(p, n)           adds n to *p: relaxed, device scope
//   add_local(p, n)     adds n to *p in local memory: relaxed, work-group scope
//   claim(p, old, new)  compare and swap, acquire and release, device scope; gives what *p was
//   publish(p, n)       stores n to *p: release, device scope
//   signal(p, n)        stores n to *p: release, system scope, so that other devices and the host see it; device scope where
//                       the language has no wider one
//   signalled(p)        loads *p: acquire, of the same scope
//   cluster_groups()    work-groups of this one's cluster; 1 where there are none
//   unranged(n)         n, where the compiler must not use that it is small
//   stress_load(p), stress_store(p, n)   accesses that the compiler keeps, of no order
//   stress_load_cached(p)                the same, which the cache nearest to the item may serve
//   rest(nanoseconds)   lets the item do nothing for about that long, or the next thing that the device has
//   BULK_COPIES         (CUDA) defined where there are, for one item that moves whole units of 16 bytes:
//     copy_begin(mbarrier)                     before its first copy; mbarrier: two words of local memory
//     copy_in(mbarrier, to, from, bytes, phase) global to local memory, and waits; phase: 0 and 1 in turn
//     copy_out(to, from, bytes)                local to global memory, and waits until `from` has been read
//     copy_end()                               waits until all is written
//   LOCAL_OPERAND, GLOBAL_OPERAND, GENERIC_OPERAND             (inline PTX) constraint of an address operand
//   local_address(p), global_address(p), generic_address(p)  (inline PTX) the operand's value

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

#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define FUNCTION static inline __attribute__((always_inline))
#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    __kernel void orchil(__global const u32 *restrict draw, __global u32 *memory, __global u32 *scratch,               \
                         __global u32 *counters, __local u32 *local_memory)

#define GROUP ((u32)get_group_id(0))
#define LANE ((u32)get_local_id(0))
#define GROUP_SIZE ((u32)get_local_size(0))

#define group_barrier() barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#define cluster_groups() 1u

#if __OPENCL_C_VERSION__ >= 200
#define unranged(n) (n)
#define ATOMIC(p) ((volatile __global atomic_uint *)(p))

FUNCTION void arrive(GLOBAL u32 *p)
{
    (void)atomic_fetch_add_explicit(ATOMIC(p), 1u, memory_order_release, memory_scope_device);
}

FUNCTION u32 arrived(GLOBAL u32 *p)
{
    return atomic_load_explicit(ATOMIC(p), memory_order_acquire, memory_scope_device);
}

FUNCTION u32 peek(GLOBAL u32 *p)
{
    return atomic_load_explicit(ATOMIC(p), memory_order_relaxed, memory_scope_device);
}

FUNCTION void add(GLOBAL u32 *p, u32 n)
{
    (void)atomic_fetch_add_explicit(ATOMIC(p), n, memory_order_relaxed, memory_scope_device);
}

FUNCTION void add_local(LOCAL u32 *p, u32 n)
{
    (void)atomic_fetch_add_explicit((volatile LOCAL atomic_uint *)p, n, memory_order_relaxed, memory_scope_work_group);
}

FUNCTION u32 claim(GLOBAL u32 *p, u32 expected, u32 desired)
{
    (void)atomic_compare_exchange_strong_explicit(ATOMIC(p), &expected, desired, memory_order_acq_rel,
                                                  memory_order_acquire, memory_scope_device);
    return expected;
}

FUNCTION void publish(GLOBAL u32 *p, u32 n)
{
    atomic_store_explicit(ATOMIC(p), n, memory_order_release, memory_scope_device);
}

#if defined(__opencl_c_atomic_scope_all_devices) || defined(__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)
#define SYSTEM_SCOPE memory_scope_all_svm_devices
#else
#define SYSTEM_SCOPE memory_scope_device
#endif

FUNCTION void signal(GLOBAL u32 *p, u32 n)
{
    atomic_store_explicit(ATOMIC(p), n, memory_order_release, SYSTEM_SCOPE);
}

FUNCTION u32 signalled(GLOBAL u32 *p)
{
    return atomic_load_explicit(ATOMIC(p), memory_order_acquire, SYSTEM_SCOPE);
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

FUNCTION void arrive(GLOBAL u32 *p)
{
    fence_all();
    (void)atomic_inc((volatile GLOBAL u32 *)p);
}

// Loads and stores of the meetings are read-modify-writes, which no cache of one work-group serves.
FUNCTION u32 peek(GLOBAL u32 *p)
{
    return atomic_or((volatile GLOBAL u32 *)p, 0u);
}

FUNCTION u32 arrived(GLOBAL u32 *p)
{
    const u32 count = peek(p);
    fence_all();
    return count;
}

FUNCTION void add(GLOBAL u32 *p, u32 n)
{
    (void)atomic_add((volatile GLOBAL u32 *)p, n);
}

FUNCTION void add_local(LOCAL u32 *p, u32 n)
{
    (void)atomic_add((volatile LOCAL u32 *)p, n);
}

FUNCTION u32 claim(GLOBAL u32 *p, u32 expected, u32 desired)
{
    fence_all();
    const u32 old = atomic_cmpxchg((volatile GLOBAL u32 *)p, expected, desired);
    fence_all();
    return old;
}

FUNCTION void publish(GLOBAL u32 *p, u32 n)
{
    fence_all();
    (void)atomic_xchg((volatile GLOBAL u32 *)p, n);
}

// No read-modify-writes: the link to another device may have none.
FUNCTION void signal(GLOBAL u32 *p, u32 n)
{
    fence_all();
    *(volatile GLOBAL u32 *)p = n;
}

FUNCTION u32 signalled(GLOBAL u32 *p)
{
    const u32 n = *(volatile GLOBAL u32 *)p;
    fence_all();
    return n;
}
#endif

FUNCTION u32 stress_load(GLOBAL u32 *p)
{
    return *(volatile GLOBAL u32 *)p;
}

// OpenCL C has no way to say which cache may serve a load.
FUNCTION u32 stress_load_cached(GLOBAL u32 *p)
{
    return *(volatile GLOBAL u32 *)p;
}

FUNCTION void stress_store(GLOBAL u32 *p, u32 n)
{
    *(volatile GLOBAL u32 *)p = n;
}

// OpenCL C has no clock: a step of this loop takes some nanoseconds.
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
