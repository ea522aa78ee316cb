// SPDX-License-Identifier: Apache-2.0
//
// OpenCL C's functions as clang's own, for a compiler without a library: what the kernel prelude and the lowerings call
// becomes the builtin function that a driver's library would call. Macros, so that an instruction has the line of the call.
//
// Atomic functions are __opencl_atomic_*, whose orders and scopes clang knows. A function of OpenCL C 1.x is relaxed, with
// the scope of a device (OpenCL C 3.0, 6.15.12.7.1). A fence or a barrier of one address space is that where clang can say
// it, from version 19. Before, it is of all, as in ROCm's library, and an error in a test that has both global and local memory.

#define DEVICE
#define PICK_5(a, b, c, d, e, name, ...) name
#define PICK_7(a, b, c, d, e, f, g, name, ...) name

#define DEFAULT_ORDER memory_order_seq_cst
#define DEFAULT_SCOPE memory_scope_device

// ---- loads, stores, updates ----

// Clang 15 to 18 make a store of an exchange without a result, and lose its line. Here the result is used.
#if defined(__AMDGCN__) && __clang_major__ >= 15 && __clang_major__ < 19
#define EXCHANGED(call)                                                                                                \
    ({                                                                                                                 \
        __auto_type old = call;                                                                                        \
        __asm__ volatile("" : : "v"(old));                                                                             \
        old;                                                                                                           \
    })
#else
#define EXCHANGED(call) call
#endif

#define atomic_init(p, v) __opencl_atomic_init(p, v)

#define LOAD_1(p) __opencl_atomic_load(p, DEFAULT_ORDER, DEFAULT_SCOPE)
#define LOAD_2(p, o) __opencl_atomic_load(p, o, DEFAULT_SCOPE)
#define LOAD_3(p, o, s) __opencl_atomic_load(p, o, s)
#define atomic_load(p) LOAD_1(p)
#define atomic_load_explicit(...) PICK_5(__VA_ARGS__, , , LOAD_3, LOAD_2, LOAD_1, )(__VA_ARGS__)

// A store and an update have a value: 2, 3 or 4 arguments.
#define VALUE_2(f, p, v) f(p, v, DEFAULT_ORDER, DEFAULT_SCOPE)
#define VALUE_3(f, p, v, o) f(p, v, o, DEFAULT_SCOPE)
#define VALUE_4(f, p, v, o, s) f(p, v, o, s)
#define WITH_VALUE(f, ...) PICK_5(__VA_ARGS__, , VALUE_4, VALUE_3, VALUE_2, , )(f, __VA_ARGS__)
#define atomic_store(...) WITH_VALUE(__opencl_atomic_store, __VA_ARGS__)
#define atomic_store_explicit(...) WITH_VALUE(__opencl_atomic_store, __VA_ARGS__)
#define atomic_exchange(...) EXCHANGED(WITH_VALUE(__opencl_atomic_exchange, __VA_ARGS__))
#define atomic_exchange_explicit(...) EXCHANGED(WITH_VALUE(__opencl_atomic_exchange, __VA_ARGS__))
#define atomic_fetch_add(...) WITH_VALUE(__opencl_atomic_fetch_add, __VA_ARGS__)
#define atomic_fetch_add_explicit(...) WITH_VALUE(__opencl_atomic_fetch_add, __VA_ARGS__)
#define atomic_fetch_sub(...) WITH_VALUE(__opencl_atomic_fetch_sub, __VA_ARGS__)
#define atomic_fetch_sub_explicit(...) WITH_VALUE(__opencl_atomic_fetch_sub, __VA_ARGS__)
#define atomic_fetch_and(...) WITH_VALUE(__opencl_atomic_fetch_and, __VA_ARGS__)
#define atomic_fetch_and_explicit(...) WITH_VALUE(__opencl_atomic_fetch_and, __VA_ARGS__)
#define atomic_fetch_or(...) WITH_VALUE(__opencl_atomic_fetch_or, __VA_ARGS__)
#define atomic_fetch_or_explicit(...) WITH_VALUE(__opencl_atomic_fetch_or, __VA_ARGS__)
#define atomic_fetch_xor(...) WITH_VALUE(__opencl_atomic_fetch_xor, __VA_ARGS__)
#define atomic_fetch_xor_explicit(...) WITH_VALUE(__opencl_atomic_fetch_xor, __VA_ARGS__)
#define atomic_fetch_min(...) WITH_VALUE(__opencl_atomic_fetch_min, __VA_ARGS__)
#define atomic_fetch_min_explicit(...) WITH_VALUE(__opencl_atomic_fetch_min, __VA_ARGS__)
#define atomic_fetch_max(...) WITH_VALUE(__opencl_atomic_fetch_max, __VA_ARGS__)
#define atomic_fetch_max_explicit(...) WITH_VALUE(__opencl_atomic_fetch_max, __VA_ARGS__)

#define FLAG_SET(p, v, o, s) (EXCHANGED(__opencl_atomic_exchange(p, v, o, s)) != 0)
#define SET_1(p) FLAG_SET(p, 1, DEFAULT_ORDER, DEFAULT_SCOPE)
#define SET_2(p, o) FLAG_SET(p, 1, o, DEFAULT_SCOPE)
#define SET_3(p, o, s) FLAG_SET(p, 1, o, s)
#define atomic_flag_test_and_set(p) SET_1(p)
#define atomic_flag_test_and_set_explicit(...) PICK_5(__VA_ARGS__, , , SET_3, SET_2, SET_1, )(__VA_ARGS__)
#define CLEAR_1(p) __opencl_atomic_store(p, 0, DEFAULT_ORDER, DEFAULT_SCOPE)
#define CLEAR_2(p, o) __opencl_atomic_store(p, 0, o, DEFAULT_SCOPE)
#define CLEAR_3(p, o, s) __opencl_atomic_store(p, 0, o, s)
#define atomic_flag_clear(p) CLEAR_1(p)
#define atomic_flag_clear_explicit(...) PICK_5(__VA_ARGS__, , , CLEAR_3, CLEAR_2, CLEAR_1, )(__VA_ARGS__)

#define COMPARE_3(f, p, e, d) f(p, e, d, DEFAULT_ORDER, DEFAULT_ORDER, DEFAULT_SCOPE)
#define COMPARE_5(f, p, e, d, o, n) f(p, e, d, o, n, DEFAULT_SCOPE)
#define COMPARE_6(f, p, e, d, o, n, s) f(p, e, d, o, n, s)
#define WITH_EXPECTED(f, ...) PICK_7(__VA_ARGS__, , COMPARE_6, COMPARE_5, , COMPARE_3, , , )(f, __VA_ARGS__)
#define atomic_compare_exchange_strong(...) WITH_EXPECTED(__opencl_atomic_compare_exchange_strong, __VA_ARGS__)
#define atomic_compare_exchange_strong_explicit(...) WITH_EXPECTED(__opencl_atomic_compare_exchange_strong, __VA_ARGS__)
#define atomic_compare_exchange_weak(...) WITH_EXPECTED(__opencl_atomic_compare_exchange_weak, __VA_ARGS__)
#define atomic_compare_exchange_weak_explicit(...) WITH_EXPECTED(__opencl_atomic_compare_exchange_weak, __VA_ARGS__)

// ---- OpenCL C 1.x ----

#define LEGACY(f, p, v) f(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#ifndef __HIP_MEMORY_SCOPE_AGENT
#define __HIP_MEMORY_SCOPE_AGENT 4
#endif
#define atomic_add(p, v) LEGACY(__hip_atomic_fetch_add, p, v)
#define atomic_sub(p, v) LEGACY(__hip_atomic_fetch_add, p, -(v))
#define atomic_and(p, v) LEGACY(__hip_atomic_fetch_and, p, v)
#define atomic_or(p, v) LEGACY(__hip_atomic_fetch_or, p, v)
#define atomic_xor(p, v) LEGACY(__hip_atomic_fetch_xor, p, v)
#define atomic_min(p, v) LEGACY(__hip_atomic_fetch_min, p, v)
#define atomic_max(p, v) LEGACY(__hip_atomic_fetch_max, p, v)
#define atomic_xchg(p, v) EXCHANGED(LEGACY(__hip_atomic_exchange, p, v))
#define atomic_inc(p) LEGACY(__hip_atomic_fetch_add, p, 1)
#define atomic_dec(p) LEGACY(__hip_atomic_fetch_add, p, -1)
#define atomic_cmpxchg(p, e, v)                                                                                        \
    ({                                                                                                                 \
        __typeof__(v) old = e;                                                                                         \
        __hip_atomic_compare_exchange_strong(p, &old, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);\
        old;                                                                                                           \
    })
#define atom_add atomic_add
#define atom_sub atomic_sub
#define atom_and atomic_and
#define atom_or atomic_or
#define atom_xor atomic_xor
#define atom_min atomic_min
#define atom_max atomic_max
#define atom_xchg atomic_xchg
#define atom_inc atomic_inc
#define atom_dec atomic_dec
#define atom_cmpxchg atomic_cmpxchg

// ---- fences and barriers ----

#ifdef __AMDGCN__
// The builtin takes only literals. A header of the user's may compute them, from constants.
#define IN_SCOPE(what, scope, ...)                                                                                     \
    switch (scope) {                                                                                                   \
    case __OPENCL_MEMORY_SCOPE_WORK_ITEM:                                                                              \
        what(__VA_ARGS__, "singlethread");                                                                             \
        break;                                                                                                         \
    case __OPENCL_MEMORY_SCOPE_SUB_GROUP:                                                                              \
        what(__VA_ARGS__, "wavefront");                                                                                \
        break;                                                                                                         \
    case __OPENCL_MEMORY_SCOPE_WORK_GROUP:                                                                             \
        what(__VA_ARGS__, "workgroup");                                                                                \
        break;                                                                                                         \
    case __OPENCL_MEMORY_SCOPE_DEVICE:                                                                                 \
        what(__VA_ARGS__, "agent");                                                                                    \
        break;                                                                                                         \
    default:                                                                                                           \
        what(__VA_ARGS__, "");                                                                                         \
    }

#if __clang_major__ >= 19
#define FENCE(flags, order, scope)                                                                                     \
    ({                                                                                                                 \
        if ((flags) == CLK_GLOBAL_MEM_FENCE)                                                                           \
            __builtin_amdgcn_fence(order, scope, "global");                                                            \
        else if ((flags) == CLK_LOCAL_MEM_FENCE)                                                                       \
            __builtin_amdgcn_fence(order, scope, "local");                                                             \
        else if ((flags) != 0)                                                                                         \
            __builtin_amdgcn_fence(order, scope);                                                                      \
    })
#else
// CELL_WORDS and LOCAL_CELLS are the kernel's: the words of global and of local memory of an instance.
static __attribute__((always_inline, nodebug)) void check_flags(uint flags, uint global_words, uint local_words)
    __attribute__((diagnose_if((flags == CLK_LOCAL_MEM_FENCE || flags == CLK_GLOBAL_MEM_FENCE) && global_words != 0 &&
                                   local_words != 0,
                               "clang has no fence of local or of global memory alone before version 19", "error")))
{
}
#define FENCE(flags, order, scope)                                                                                     \
    ({                                                                                                                 \
        check_flags(flags, CELL_WORDS, LOCAL_CELLS);                                                                   \
        if ((flags) != 0)                                                                                              \
            __builtin_amdgcn_fence(order, scope);                                                                      \
    })
#endif
#define BARRIER(flags, scope, meet)                                                                                    \
    ({                                                                                                                 \
        FENCE(flags, __ATOMIC_RELEASE, scope);                                                                         \
        meet();                                                                                                        \
        FENCE(flags, __ATOMIC_ACQUIRE, scope);                                                                         \
    })

#define FENCE_IN(flags, order, scope) IN_SCOPE(FENCE, scope, flags, order)
// A relaxed fence is none.
#define atomic_work_item_fence(flags, order, scope)                                                                    \
    ({                                                                                                                 \
        switch (order) {                                                                                               \
        case __ATOMIC_ACQUIRE:                                                                                         \
            FENCE_IN(flags, __ATOMIC_ACQUIRE, scope);                                                                  \
            break;                                                                                                     \
        case __ATOMIC_RELEASE:                                                                                         \
            FENCE_IN(flags, __ATOMIC_RELEASE, scope);                                                                  \
            break;                                                                                                     \
        case __ATOMIC_ACQ_REL:                                                                                         \
            FENCE_IN(flags, __ATOMIC_ACQ_REL, scope);                                                                  \
            break;                                                                                                     \
        case __ATOMIC_SEQ_CST:                                                                                         \
            FENCE_IN(flags, __ATOMIC_SEQ_CST, scope);                                                                  \
        }                                                                                                              \
    })

#define BARRIER_1(flags) BARRIER(flags, "workgroup", __builtin_amdgcn_s_barrier)
#define GROUP_BARRIER(flags, meet, scope) BARRIER(flags, scope, meet)
#define BARRIER_2(flags, scope) ({ IN_SCOPE(GROUP_BARRIER, scope, flags, __builtin_amdgcn_s_barrier); })
#define SUB_BARRIER_1(flags) BARRIER(flags, "wavefront", __builtin_amdgcn_wave_barrier)
#define SUB_BARRIER_2(flags, scope) ({ IN_SCOPE(GROUP_BARRIER, scope, flags, __builtin_amdgcn_wave_barrier); })
#define get_group_id(d) __builtin_amdgcn_workgroup_id_x()
#define get_local_id(d) __builtin_amdgcn_workitem_id_x()
#define get_local_size(d) __builtin_amdgcn_workgroup_size_x()
#endif

// For PTX, a fence is C's, whose scope is the system: clang has no other before version 21.
#ifdef __NVPTX__
#ifndef __opencl_c_atomic_order_seq_cst
#define memory_order_seq_cst ((memory_order)__ATOMIC_SEQ_CST)
#endif
#define FENCE(flags, order, scope) __c11_atomic_thread_fence(order)
#define atomic_work_item_fence(flags, order, scope) __c11_atomic_thread_fence(order)
#define BARRIER_1(flags) __syncthreads()
#define BARRIER_2(flags, scope) __syncthreads()
#define SUB_BARRIER_1(flags) __nvvm_bar_warp_sync(0xffffffff)
#define SUB_BARRIER_2(flags, scope) __nvvm_bar_warp_sync(0xffffffff)
#define get_group_id(d) __nvvm_read_ptx_sreg_ctaid_x()
#define get_local_id(d) __nvvm_read_ptx_sreg_tid_x()
#define get_local_size(d) __nvvm_read_ptx_sreg_ntid_x()
#endif

#define mul_hi(a, b) ((uint)((ulong)(a) * (b) >> 32))
#define barrier(flags) BARRIER_1(flags)
#define work_group_barrier(...) PICK_5(__VA_ARGS__, , , , BARRIER_2, BARRIER_1, )(__VA_ARGS__)
#define sub_group_barrier(...) PICK_5(__VA_ARGS__, , , , SUB_BARRIER_2, SUB_BARRIER_1, )(__VA_ARGS__)
#define mem_fence(flags) FENCE(flags, __ATOMIC_ACQ_REL, "workgroup")
#define read_mem_fence(flags) FENCE(flags, __ATOMIC_ACQUIRE, "workgroup")
#define write_mem_fence(flags) FENCE(flags, __ATOMIC_RELEASE, "workgroup")
