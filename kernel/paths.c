// SPDX-License-Identifier: Apache-2.0
/* Kernel text for the ways to cells that the backend provides. */
#include "kernel/paths.h"

#include <stdio.h>
/* A word of test memory and its place in a surface. A surface's memory is in tiles of 64 KiB, 128 x
 * 128 elements, with an order of elements that the backend measures. */
static const char surface_text[] =
    "FUNCTION u32 surface_place(u32 word)\n{\n"
    "    const u32 tile = word / BACKEND_TILE_WORDS, within = orchil_tile[word % BACKEND_TILE_WORDS];\n"
    "    return within + tile % orchil_tile_columns * 128u + (tile / orchil_tile_columns * 128u << 16);\n}\n\n";

static const char bank_text[] =
    "FUNCTION u32 bank_place(MEMORY_PARAMETERS, u32 location, u32 offset, u32 owner, u32 instance, u32 instances)\n{\n"
    "    const u32 map = draw[DRAW_CELL_MAPS] + 3u * location;\n"
    "    const u32 region = (owner + AT(draw, map, 2u)) % draw[DRAW_TESTING_GROUPS];\n"
    "    const u32 product = instance * AT(draw, map, 0u) + AT(draw, map, 1u);\n"
    "    const u32 position = reduce(product, instances, draw[DRAW_INSTANCES_RECIPROCAL]);\n"
    "    return ((region * instances + position) * BANK_WORDS + offset) * draw[DRAW_STRIDE];\n}\n\n"
    "FUNCTION GLOBAL u32 *bank_cell(MEMORY_PARAMETERS, u32 location, u32 offset, u32 owner, u32 instance, u32 instances)\n"
    "{\n    return CELL((GLOBAL u32 *)orchil_bank_address,\n"
    "                bank_place(MEMORY_ARGUMENTS, location, offset, owner, instance, instances));\n}\n\n";

/* ptxas treats textures and constant banks as memory that is never written: it moves reads of them
 * over stores, fences and acquiring loads, and stores over them (seen with CUDA 13.0 for sm_90), so
 * the device would run another test. Their place is therefore made to depend on a weak load, which
 * is not moved, of a word of the draw that is 0 and unknown to ptxas. A fence that hardly ever runs
 * depends on their value, so later accesses wait for it. */
static const char pin_text[] =
    "FUNCTION u32 pinned(GLOBAL const u32 *draw, u32 place)\n{\n    u32 zero;\n"
    "    asm volatile(\"ld.weak.global.u32 %0, [%1];\" : \"=r\"(zero) : \"l\"(draw + DRAW_RESULTS) : \"memory\");\n"
    "    return place + zero;\n}\n\n"
    "FUNCTION u32 settled(u32 value)\n{\n"
    "    asm volatile(\"{ .reg .pred p; setp.eq.u32 p, %0, 0xdeadbeef; @p fence.sc.gpu; }\" :: \"r\"(value) : \"memory\");\n"
    "    return value;\n}\n\n";

static const char long_text[] =
    "FUNCTION u64 settled_long(u64 value)\n{\n    (void)settled((u32)value);\n    return value;\n}\n\n";

/* Nothing can depend on a surface store: ptxas moves later accesses, even releases, before it.
 * Nothing moves over a loop with an unknown number of iterations; this one has none. */
static const char hold_text[] = "FUNCTION void hold(GLOBAL const u32 *draw)\n{\n"
                                "    for (u32 turns = pinned(draw, 0); turns != 0; turns--)\n"
                                "        asm volatile(\"nanosleep.u32 1;\" ::: \"memory\");\n}\n\n";

void write_path_words(const struct allocation *allocation, struct text *text)
{
    const struct kernel *kernel = allocation->kernel;
    if (!kernel_takes_paths(kernel))
        return;
    text_add(text, "// Ways to the cells, which the backend fills in.\nextern \"C\" {\n");
    if (kernel->paths & BACKEND_PATH_ALIAS)
        text_add(text, "__device__ u64 orchil_aliases[%u]; // bytes from memory to each of its other addresses\n",
                 kernel->aliases);
    if (kernel->paths & BACKEND_PATH_TEXTURE)
        text_add(text, "__device__ u64 orchil_textures[%u]; // of memory at each of its addresses\n",
                 kernel->aliases + 1);
    if (kernel->paths & BACKEND_PATH_SURFACE)
        text_add(text,
                 "__device__ u64 orchil_surfaces[%u]; // of memory at each of its addresses\n"
                 "__device__ u32 orchil_tile[%u]; // column + 65536 * row of each word of a tile\n"
                 "__device__ u32 orchil_tile_columns; // tiles side by side\n",
                 kernel->aliases + 1, (unsigned)BACKEND_TILE_WORDS);
    if (kernel->paths & BACKEND_PATH_CONSTANT)
        text_add(text, "__constant__ u32 orchil_bank[%u];\n__device__ u64 orchil_bank_address; // global\n",
                 (unsigned)BACKEND_BANK_WORDS);
    text_add(text, "}\n#define BANK_WORDS %uu\n#define BACKEND_TILE_WORDS %uu\n\n", kernel->bank_words,
             (unsigned)BACKEND_TILE_WORDS);
    text_add(text, "%s%s%s%s%s", kernel->paths & ~(unsigned)BACKEND_PATH_ALIAS ? pin_text : "",
             kernel->paths & BACKEND_PATH_READ_ONLY ? long_text : "",
             kernel->paths & BACKEND_PATH_CONSTANT ? bank_text : "",
             kernel->paths & BACKEND_PATH_SURFACE ? surface_text : "",
             kernel->paths & BACKEND_PATH_SURFACE ? hold_text : "");
}

/* "cell(MEMORY_ARGUMENTS, 0, 2, owner, p0_i, instances)" */
static void add_place(const struct allocation *allocation, const char *function, unsigned l, unsigned offset,
                      const char *instance, struct text *out)
{
    text_add(out, "%s(MEMORY_ARGUMENTS, %u, %u, owner, %s, instances)", function, allocation->path_of[l].storage,
             offset, instance);
}

void write_cell(const struct allocation *allocation, unsigned l, unsigned offset, const char *instance,
                struct text *out)
{
    const bool banked = allocation->path_of[l].banked;
    text_add(out, "%s", banked ? "" : "CELL(memory, ");
    add_place(allocation, banked ? "bank_cell" : "cell", l, offset, instance, out);
    text_add(out, "%s", banked ? "" : ")");
}

static void write_address(const struct allocation *allocation, unsigned body, unsigned l, struct text *out)
{
    const unsigned mapping = allocation->path_of[l].mapping;
    char instance[32];
    (void)snprintf(instance, sizeof instance, "p%u_i", body);
    text_add(out, "    %sp%u_x%u = ", allocation->kernel->lowering->syntax->global, body, l);
    if (mapping > 0)
        text_add(out, "(GLOBAL u32 *)((u64)");
    write_cell(allocation, l, allocation->cell_of[l], instance, out);
    if (mapping > 0)
        text_add(out, " + orchil_aliases[%u])", mapping - 1);
    text_add(out, ";\n");
}

void write_location_names(const struct allocation *allocation, unsigned body, unsigned l, struct text *out)
{
    const struct allocation_path *path = &allocation->path_of[l];
    char instance[32];
    (void)snprintf(instance, sizeof instance, "p%u_i", body);
    if (allocation->test->locations[l].proxy == LITMUS_GENERIC)
        write_address(allocation, body, l, out);
    if (path->proxies & (1u << LITMUS_TEXTURE | 1u << LITMUS_SURFACE)) {
        const bool surface = path->proxies & 1u << LITMUS_SURFACE;
        text_add(out, "    const u64 p%u_t%u = orchil_%s[%u];\n    const u32 p%u_c%u = %s", body, l,
                 surface ? "surfaces" : "textures", path->mapping, body, l,
                 surface ? "surface_place(TO_U32(" : "TO_U32(");
        add_place(allocation, "cell", l, allocation->cell_of[l], instance, out);
        text_add(out, ")%s;\n", surface ? ")" : "");
    }
    if (path->proxies & 1u << LITMUS_CONSTANT) {
        text_add(out, "    const u32 p%u_k%u = ", body, l);
        add_place(allocation, "bank_place", l, allocation->cell_of[l], instance, out);
        text_add(out, ";\n");
    }
}

void write_local_cell(const struct allocation *allocation, unsigned location, uint32_t element, struct text *out)
{
    const unsigned step = allocation_step(allocation, location, element);
    text_add(out, "%sCELL(local_memory, local_cell(MEMORY_ARGUMENTS, %u, lane))", step > 0 ? "(" : "",
             allocation_cell(allocation, location, element));
    if (step > 0)
        text_add(out, " + %u)", step);
}
