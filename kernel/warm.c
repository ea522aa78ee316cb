// SPDX-License-Identifier: Apache-2.0
/* Warming the caches of the ways to cells that the backend provides: reads before a round, whose values are unused. */
#include "kernel/access.h"
#include "kernel/body.h"
#include "kernel/paths.h"

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
    write_instance(allocation, body, &writer->code.text);
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        if (allocation->region_of[l] == LITMUS_GLOBAL && (reads.proxies[l] || reads.read_only[l]))
            write_location_names(allocation, body, l, &writer->code.text);
    writer->body = body;
    if (allocation->kernel->width > 1)
        write_text(writer, "    if (p%u_plays) {\n", body);
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
    write_text(writer, "%s", allocation->kernel->width > 1 ? "    }\n" : "");
    return count;
}

static void warm_slot(struct writer *writer, unsigned slot)
{
    struct kernel *kernel = writer->allocation->kernel;
    unsigned count = 0;
    write_text(writer,
               "FUNCTION u32 warm_%u(MEMORY_PARAMETERS, u32 owner, u32 lane, u32 instances)\n{\n    u32 sum = 0;\n",
               slot);
    write_enter_slot(writer, slot);
    write_items(writer);
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (allocation_in_slot(writer->allocation, body, slot))
            count += warm_body(writer, body);
    text_add(
        &writer->code.text,
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
        &writer->code.text,
        "FUNCTION u32 warm(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances)\n{\n    u32 cells = 0;\n");
    for (unsigned slot = 0; slot < slots; slot++)
        write_text(writer, "    if (slot == %u)\n        cells = warm_%u(MEMORY_ARGUMENTS, owner, lane, instances);\n",
                   slot, slot);
    write_text(writer, "    return cells;\n}\n");
}
