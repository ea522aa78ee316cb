// SPDX-License-Identifier: Apache-2.0
// The ways to cells that a CUDA kernel has besides plain addresses: textures, surfaces, a constant bank, loads for data that
// nobody writes. PATH_TEXTURE, PATH_SURFACE, PATH_CONSTANT and PATH_READ_ONLY are 1 if the test uses them, else 0.

#if PATH_TEXTURE || PATH_SURFACE || PATH_CONSTANT || PATH_READ_ONLY
// ptxas treats textures and constant banks as memory that is never written: it moves reads of them over stores, fences and
// acquiring loads, and stores over them (seen with CUDA 13.0 for sm_90), so the device would run another test. Their place is
// therefore made to depend on a weak load, which is not moved, of a word of the draw that is 0 and unknown to ptxas. A fence that
// hardly ever runs depends on their value, so later accesses wait for it.
FUNCTION u32 pinned(GLOBAL const u32 *draw, u32 place)
{
    u32 zero;
    asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(zero) : "l"(draw + ZERO_WORD) : "memory");
    return place + zero;
}

FUNCTION u32 settled(u32 value)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0xdeadbeef; @p fence.sc.gpu; }" :: "r"(value) : "memory");
    return value;
}
#endif

#if PATH_READ_ONLY
FUNCTION u64 settled_long(u64 value)
{
    (void)settled((u32)value);
    return value;
}
#endif

#if PATH_CONSTANT
FUNCTION u32 bank_place(MEMORY_PARAMETERS, u32 location, u32 offset, u32 owner, u32 instance, u32 instances)
{
    const u32 map = draw[DRAW_CELL_MAPS] + 3u * location;
    const u32 region = (owner + AT(draw, map, 2u)) % draw[DRAW_TESTING_GROUPS];
    const u32 product = instance * AT(draw, map, 0u) + AT(draw, map, 1u);
    const u32 position = reduce(product, instances, draw[DRAW_INSTANCES_RECIPROCAL]);
    return ((region * instances + position) * BANK_WORDS + offset) * draw[DRAW_STRIDE];
}

FUNCTION GLOBAL u32 *bank_cell(MEMORY_PARAMETERS, u32 location, u32 offset, u32 owner, u32 instance, u32 instances)
{
    return CELL((GLOBAL u32 *)orchil_bank_address,
                bank_place(MEMORY_ARGUMENTS, location, offset, owner, instance, instances));
}
#endif

#if PATH_SURFACE
// A word of test memory and its place in a surface. A surface's memory is in tiles of 64 KiB, 128 x 128 elements, with an order of
// elements that the backend measures.
FUNCTION u32 surface_place(u32 word)
{
    const u32 tile = word / BACKEND_TILE_WORDS, within = orchil_tile[word % BACKEND_TILE_WORDS];
    return within + tile % orchil_tile_columns * 128u + (tile / orchil_tile_columns * 128u << 16);
}

// Nothing can depend on a surface store: ptxas moves later accesses, even releases, before it. Nothing moves over a loop with an
// unknown number of iterations; this one has none.
FUNCTION void hold(GLOBAL const u32 *draw)
{
    for (u32 turns = pinned(draw, 0); turns != 0; turns--)
        asm volatile("nanosleep.u32 1;" ::: "memory");
}
#endif

