// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, for GLSL with the Vulkan memory model. The head of
// backends/opencl/prelude.cl says what each means. There are no pointers: CELL(array, index) is the index, and a function's
// array parameters are one number that nobody reads, because the arrays are known to all functions.
//
// Test memory has several names, all of the same binding: an access is private, non-private, or makes available or visible at
// a scope by the name through which it is made. The skeleton's accesses are non-private, and so are ordered by its meetings.
//
//   memory                           non-private
//   memory_private                   private
//   memory_volatile                  non-private; every access is made
//   memory_signed                    the same words as signed numbers, for atomic operations
//   memory_sg memory_wg memory_qf memory_dv   loads make visible and stores make available, at that scope
//
// A kernel whose test has numbers of 64, 16 or 8 bits says so after this text: VIEWS then gives each of
// these names to numbers of that size, ending in _64, _16 or _8, and LONGS chooses. Other kernels need no such numbers, which
// few phones have: their u64 has 32 bits.

#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : enable
#extension GL_GOOGLE_cpp_style_line_directive : enable
#pragma use_vulkan_memory_model

#define LONGS(long_number, number) number

#define s8 int8_t
#define u8 uint8_t
#define s16 int16_t
#define u16 uint16_t
#define u32 uint
#define u64 LONGS(uint64_t, uint)
#define LONG LONGS(int64_t, int)
#define INDEX uint

#define TO_U32(n) uint(n)
#define TO_U64(n) u64(n)
#define TO_LONG(n) LONG(n)
#define TO_INDEX(n) uint(n)
#define STRUCT(name) name
#define OUT out

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint LOCAL_WORDS = 64u;
layout(constant_id = 2) const uint DRAW_WORDS = 4096u;

layout(std430, set = 0, binding = 0) uniform DrawBlock { u32 draw[DRAW_WORDS]; };
#define VIEW(words, name, number) layout(set = 0, binding = 1) words buffer Block_##name { number name[]; }
#define NAMED_VIEWS(VIEW, number, signed_number, plain, own, kept, of_signed, sg, wg, qf, dv)                          \
    VIEW(nonprivate, plain, number);                                                                                   \
    VIEW(, own, number);                                                                                               \
    VIEW(volatile nonprivate, kept, number);                                                                           \
    VIEW(nonprivate, of_signed, signed_number);                                                                        \
    VIEW(subgroupcoherent, sg, number);                                                                                \
    VIEW(workgroupcoherent, wg, number);                                                                               \
    VIEW(queuefamilycoherent, qf, number);                                                                             \
    VIEW(devicecoherent, dv, number)
#define VIEWS_BY(VIEW, number, signed_number, size)                                                                    \
    NAMED_VIEWS(VIEW, number, signed_number, memory##size, memory_private##size, memory_volatile##size,                \
                memory_signed##size, memory_sg##size, memory_wg##size, memory_qf##size, memory_dv##size)
#define VIEWS_32(VIEW)                                                                                                 \
    NAMED_VIEWS(VIEW, u32, int, memory, memory_private, memory_volatile, memory_signed, memory_sg, memory_wg, memory_qf, \
                memory_dv)
#define VIEWS(number, signed_number, size) VIEWS_BY(VIEW, number, signed_number, size)
VIEWS_32(VIEW);

// A place of test memory: the number of a word. The test's accesses are to VIEW_AT(view, place), or to such numbers of another
// size.
#define PLACE u32
#define PLACED(index) (index)
#define VIEW_AT(view, place) view[place]
#define VIEW_64_AT(view, place) view##_64[(place) / 2u]
#define VIEW_16_AT(view, place) view##_16[(place) * 2u]
#define VIEW_8_AT(view, place) view##_8[(place) * 4u]
layout(set = 0, binding = 2) nonprivate volatile buffer ScratchBlock { u32 scratch[]; };
layout(set = 0, binding = 3) nonprivate buffer CountersBlock { u32 counters[]; };
shared u32 local_memory[LOCAL_WORDS];

#define FUNCTION
#define ENTRY(draw, memory, scratch, counters, local_memory) void main()
#define ENTRY_OF_ONE_DRAW ENTRY
#define MEMORY_PARAMETERS u32 arrays
#define MEMORY_ARGUMENTS 0u
#define AT(array, start, k) array[(start) + (k)]
#define CELL(array, index) (index)
#define COMPUTED(addresses)                                                                                            \
    if ((addresses) == 0xfffffff1u) /* never: no word lies there */                                            \
        scratch[0] = 0u

#define GROUP gl_WorkGroupID.x
#define LANE gl_LocalInvocationID.x
#define GROUP_SIZE gl_WorkGroupSize.x
#define cluster_groups() 1u
#define agreed(n) (n)
#define unranged(n) (n)

#define ROLLED
u32 high_product(u32 a, u32 b)
{
    u32 high, low;
    umulExtended(a, b, high, low);
    return high;
}

#define RELEASES gl_SemanticsRelease | gl_SemanticsMakeAvailable
#define ACQUIRES gl_SemanticsAcquire | gl_SemanticsMakeVisible
#define BOTH gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible
#define ALL_STORAGE gl_StorageSemanticsBuffer | gl_StorageSemanticsShared

#define group_barrier() controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, ALL_STORAGE, BOTH)
#define arrive(array, i) atomicAdd(array[i], 1u, gl_ScopeDevice, ALL_STORAGE, RELEASES)
#define arrived(array, i) atomicLoad(array[i], gl_ScopeDevice, ALL_STORAGE, ACQUIRES)
#define peek(array, i) atomicLoad(array[i], gl_ScopeDevice, 0, 0)
#define add(array, i, n) atomicAdd(array[i], n, gl_ScopeDevice, 0, 0)
#define add_local(array, i, n) atomicAdd(array[i], n, gl_ScopeWorkgroup, 0, 0)
#define claim(array, i, old, new) atomicCompSwap(array[i], old, new, gl_ScopeDevice, ALL_STORAGE, BOTH, ALL_STORAGE, ACQUIRES)
#define publish(array, i, n) atomicStore(array[i], n, gl_ScopeDevice, ALL_STORAGE, RELEASES)

#define stress_load(array, i) array[i]
#define stress_load_cached(array, i) array[i]
#define stress_store(array, i, n) array[i] = n

// Without a clock, a step of this loop takes some nanoseconds.
#define rest(nanoseconds) for (u32 left = (nanoseconds) / 4u; left != 0u; left--) scratch[0] = left
