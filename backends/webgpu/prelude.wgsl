// SPDX-License-Identifier: Apache-2.0
//
// The words in which the kernel skeleton is written, for WGSL. The head of backends/opencl/prelude.cl says what each means.
// What is between #verbatim and #end is WGSL; the rest is kernel text, which backends/webgpu/wgsl.c translates.
//
// WGSL has neither orders nor fences between work-groups: all atomic operations are relaxed. Only the end of a dispatch
// orders what two groups do, so initialising, playing and counting are dispatches of their own, and meetings only bring
// partners to the same moment. A word of memory is atomic or plain, never both: `plain` has the cells of locations that
// a test accesses plainly, at the same positions that they would have in `memory`.

#verbatim
override GROUP_SIZE : u32 = 64u;
override LOCAL_WORDS : u32 = 64u;

@group(0) @binding(0) var<storage, read> draw : array<u32>;
@group(0) @binding(1) var<storage, read_write> memory : array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> scratch : array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> counters : array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> plain : array<u32>;
var<workgroup> local_memory : array<atomic<u32>, LOCAL_WORDS>;
var<workgroup> plain_local : array<u32, LOCAL_WORDS>;
var<workgroup> agreed_word : u32;
var<private> lane_id : u32;

// A number that all items of the group then have, as only the first item's counts: a barrier may depend on it.
fn agree(number : u32) -> u32 {
    if (lane_id == 0u) {
        agreed_word = number;
    }
    return workgroupUniformLoad(&agreed_word);
}

fn high_product(a : u32, b : u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let cross = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (cross & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (cross >> 16u) + (other >> 16u);
}

// Compare and swap that fails only if the word has another value. Each returns what was there.
fn compare_memory(place : u32, old : u32, wanted : u32) -> u32 {
    var found = old;
    loop {
        let result = atomicCompareExchangeWeak(&memory[place], old, wanted);
        found = result.old_value;
        if (result.exchanged || found != old) {
            break;
        }
    }
    return found;
}

fn compare_local_memory(place : u32, old : u32, wanted : u32) -> u32 {
    var found = old;
    loop {
        let result = atomicCompareExchangeWeak(&local_memory[place], old, wanted);
        found = result.old_value;
        if (result.exchanged || found != old) {
            break;
        }
    }
    return found;
}

fn claim(place : u32, old : u32, wanted : u32) -> u32 {
    var found = old;
    loop {
        let result = atomicCompareExchangeWeak(&counters[place], old, wanted);
        found = result.old_value;
        if (result.exchanged || found != old) {
            break;
        }
    }
    return found;
}
#end

#define int i32
#define u64 u32
#define LONG i32
#define INDEX u32

#define TO_U32(n) u32(n)
#define TO_U64(n) u32(n)
#define TO_LONG(n) i32(n)
#define TO_INDEX(n) u32(n)
#define STRUCT(name) name
#define OUT inout

#define FUNCTION
#define ENTRY(draw, memory, scratch, counters, local_memory) void main()
#define ENTRY_OF_ONE_DRAW ENTRY
#define MEMORY_PARAMETERS u32 arrays
#define MEMORY_ARGUMENTS 0u
#define AT(array, start, k) array[(start) + (k)]
#define CELL(array, index) (index)
#define COMPUTED(addresses)                                                                                            \
    if ((addresses) == 0xfffffff1u) /* never: no word lies there */                                                    \
        scratch[0] = 0u

#define GROUP group_id.x
#define LANE lane_id
#define cluster_groups() 1u
#define unranged(n) (n)
#define agreed(n) agree(n)
#define ROLLED

#define group_barrier() both_barriers()
#define arrive(array, i) atomicAdd(&array[i], 1u)
#define arrived(array, i) atomicLoad(&array[i])
#define peek(array, i) atomicLoad(&array[i])
#define add(array, i, n) atomicAdd(&array[i], n)
#define add_local(array, i, n) atomicAdd(&array[i], n)
#define claim(array, i, old, wanted) claim(i, old, wanted)
#define publish(array, i, n) atomicStore(&array[i], n)

#define stress_load(array, i) array[i]
#define stress_load_cached(array, i) array[i]
#define stress_store(array, i, n) array[i] = n

// WGSL has no clock: a step of this loop takes some nanoseconds.
#define rest(nanoseconds) for (u32 left = (nanoseconds) / 4u; left != 0u; left--) scratch[0] = left

void both_barriers()
{
    workgroupBarrier();
    storageBarrier();
}
