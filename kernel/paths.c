// SPDX-License-Identifier: Apache-2.0
/* Kernel text for the ways to cells that the backend provides. */
#include "kernel/paths.h"

#include <stdio.h>

#include "kernel/access.h"

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
static void write_call(const struct allocation *allocation, const char *function, unsigned l, unsigned offset,
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
    write_call(allocation, banked ? "bank_cell" : "cell", l, offset, instance, out);
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
        write_call(allocation, "cell", l, allocation->cell_of[l], instance, out);
        text_add(out, ")%s;\n", surface ? ")" : "");
    }
    if (path->proxies & 1u << LITMUS_CONSTANT) {
        text_add(out, "    const u32 p%u_k%u = ", body, l);
        write_call(allocation, "bank_place", l, allocation->cell_of[l], instance, out);
        text_add(out, ";\n");
    }
}

const char *path_parameters(enum litmus_proxy proxy)
{
    return proxy == LITMUS_TEXTURE   ? "u64 texture, u32 word"
           : proxy == LITMUS_SURFACE ? "u64 surface, u32 place"
                                     : "u32 word";
}

/* ---- warming the caches of these ways: reads before a round, and reads with unused values ---- */

/* What a body reads by other ways: bits 1 << enum litmus_proxy of each location. */
struct body_reads {
    const struct allocation *allocation;
    unsigned proxies[LITMUS_MAXIMUM_LOCATIONS];
    bool read_only[LITMUS_MAXIMUM_LOCATIONS]; /* by ld.global.nc */
};

static bool note_read(const struct litmus_expression *expression, void *context)
{
    struct body_reads *reads = context;
    const struct litmus_access *access = expression->access;
    if (access && access->operation != LITMUS_STORE && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
        reads->allocation->path_of[access->address->index].shared) {
        if (access->read_only)
            reads->read_only[access->address->index] = true;
        else
            reads->proxies[access->address->index] |= 1u << access->proxy;
    }
    return true;
}

/* Writes reads of what a body will read, by the same ways. Returns their number. */
static unsigned warm_body(struct writer *writer, unsigned body)
{
    const struct allocation *allocation = writer->allocation;
    struct body_reads reads = {.allocation = allocation};
    unsigned count = 0;
    (void)allocation_each_expression(&allocation->test->threads[body].body, note_read, &reads);
    write_instance(allocation, body, &writer->functions);
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        if (allocation->region_of[l] == LITMUS_GLOBAL && (reads.proxies[l] || reads.read_only[l]))
            write_location_names(allocation, body, l, &writer->functions);
    writer->body = body;
    if (allocation->kernel->width > 1)
        text_add(&writer->functions, "    if (p%u_plays) {\n", body);
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        for (enum litmus_proxy proxy = 0; proxy < LITMUS_PROXY_COUNT; proxy++)
            if (reads.proxies[l] >> proxy & 1u) {
                write_read(writer, l, proxy, false);
                count += allocation->test->locations[l].elements;
            }
        if (reads.read_only[l]) {
            write_read(writer, l, LITMUS_TEXTURE, true);
            count += allocation->test->locations[l].elements;
        }
    }
    text_add(&writer->functions, "%s", allocation->kernel->width > 1 ? "    }\n" : "");
    return count;
}

static void warm_slot(struct writer *writer, unsigned slot)
{
    struct kernel *kernel = writer->allocation->kernel;
    unsigned count = 0;
    text_add(&writer->functions,
             "FUNCTION u32 warm_%u(MEMORY_PARAMETERS, u32 owner, u32 lane, u32 instances)\n{\n    u32 sum = 0;\n",
             slot);
    write_enter_slot(writer, slot);
    write_items(writer);
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (write_is_in_slot(writer, body, slot))
            count += warm_body(writer, body);
    text_add(
        &writer->functions,
        "    if (sum == 0xdeadbeefu) // the compiler cannot know that it seldom is\n        stress_store(scratch, 0u, 0u);\n"
        "    return %u;\n}\n\n",
        count);
    if (count > kernel->warm_cells)
        kernel->warm_cells = count;
}

void write_warm(struct writer *writer)
{
    const unsigned slots = writer->allocation->kernel->slots;
    for (unsigned slot = 0; slot < slots; slot++)
        warm_slot(writer, slot);
    text_add(
        &writer->functions,
        "FUNCTION u32 warm(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances)\n{\n    u32 cells = 0;\n");
    for (unsigned slot = 0; slot < slots; slot++)
        text_add(&writer->functions,
                 "    if (slot == %u)\n        cells = warm_%u(MEMORY_ARGUMENTS, owner, lane, instances);\n", slot,
                 slot);
    text_add(&writer->functions, "    return cells;\n}\n");
}

bool paths_is_observed(const struct litmus_test *test, unsigned body, unsigned number)
{
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].thread != LITMUS_NONE && test->variables[v].body == (int)body &&
            test->variables[v].index == (int)number)
            return true;
    return false;
}

void write_unobserved(struct writer *writer, unsigned slot)
{
    const struct litmus_test *test = writer->allocation->test;
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned r = 0; write_is_in_slot(writer, body, slot) && r < test->threads[body].register_count; r++)
            if (!paths_is_observed(test, body, r))
                text_add(&writer->functions,
                         "    if ((u32)p%u_r%u == 0xdeadbeefu) // so that it is read, though nobody looks at it\n"
                         "        local_memory[LOCAL_GAVE_UP] = 1u;\n",
                         body, r);
}
