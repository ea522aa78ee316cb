// SPDX-License-Identifier: Apache-2.0
// Where the lanes of an instance are in their warp. Between the skeleton and the test, in kernels whose lanes call functions
// together, on devices whose compiler takes PTX in asm statements.

// A byte for each lane: the number of the physical lane, or 32 if there is none. `own` is the item's lane in the instance.
// All items of the warp come here.
FUNCTION u64 lanes_of(u32 instance, u32 own)
{
    u32 mine, found;
    u64 lanes = 0;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(mine) : "r"(instance));
    for (u32 k = 0; k < 8u; k++) {
        asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, %2; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(found)
                     : "r"(own), "r"(k));
        found &= mine;
        asm("bfind.u32 %0, %0;" : "+r"(found)); // ~0 if there is none
        lanes |= (u64)(found < 32u ? found : 32u) << 8u * k;
    }
    return lanes;
}

// A mask of an instance's lanes as one of the warp's, and back. A lane that is not there has no bit: 32 is beyond a u32.
FUNCTION u32 lanes_to(u64 lanes, u32 mask)
{
    u32 result = 0;
    for (u32 k = 0; k < 8u; k++)
        result |= (u32)((u64)(mask >> k & 1u) << (lanes >> 8u * k & 63u));
    return result;
}

FUNCTION u32 lanes_from(u64 lanes, u32 mask)
{
    u32 result = 0;
    for (u32 k = 0; k < 8u; k++)
        result |= ((u32)((u64)mask >> (lanes >> 8u * k & 63u)) & 1u) << k;
    return result;
}
