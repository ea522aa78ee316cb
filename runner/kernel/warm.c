// SPDX-License-Identifier: Apache-2.0
/*
 * What keeps lines in the caches of aliases and proxies: the reads before a round that bring them there, and those of the test
 * whose value nobody looks at.
 */
#include "runner/kernel/access.h"
#include "runner/kernel/paths.h"

/* What a body reads by a way of its own: bits 1 << enum litmus_proxy of each location. */
struct body_reads {
    const struct plan *plan;
    unsigned proxies[LITMUS_MAXIMUM_LOCATIONS];
};

static bool note_read(const struct litmus_expression *expression, void *context)
{
    struct body_reads *reads = context;
    const struct litmus_access *access = expression->access;
    if (access && access->operation != LITMUS_STORE && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
        reads->plan->path_of[access->address->index].shared)
        reads->proxies[access->address->index] |= 1u << access->proxy;
    return true;
}

/* Reads what a body will read, by the same ways; how many reads that is. */
static unsigned warm_body(struct writer *writer, unsigned body)
{
    const struct plan *plan = writer->plan;
    struct body_reads reads = {.plan = plan};
    unsigned count = 0;
    (void)plan_each_expression(&plan->test->threads[body].body, note_read, &reads);
    write_instance(plan, body, &writer->functions);
    for (unsigned l = 0; l < plan->test->location_count; l++)
        if (plan->test->locations[l].region == LITMUS_GLOBAL && reads.proxies[l])
            write_location_names(plan, body, l, &writer->functions);
    writer->body = body;
    if (plan->kernel->width > 1)
        text_add(&writer->functions, "    if (p%u_plays) {\n", body);
    for (unsigned l = 0; l < plan->test->location_count; l++)
        for (enum litmus_proxy proxy = 0; proxy < LITMUS_PROXY_COUNT; proxy++)
            if (reads.proxies[l] >> proxy & 1u) {
                write_read(writer, l, proxy);
                count += plan->test->locations[l].elements;
            }
    text_add(&writer->functions, "%s", plan->kernel->width > 1 ? "    }\n" : "");
    return count;
}

static void warm_slot(struct writer *writer, unsigned slot)
{
    struct kernel *kernel = writer->plan->kernel;
    unsigned count = 0;
    text_add(
        &writer->functions,
        "FUNCTION u32 warm_%u(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, u32 owner, u32 lane,\n"
        "                    u32 instances)\n{\n    u32 sum = 0;\n",
        slot);
    write_enter_slot(writer, slot);
    write_items(writer);
    for (unsigned body = 0; body < kernel->bodies; body++)
        if (write_is_in_slot(writer, body, slot))
            count += warm_body(writer, body);
    text_add(
        &writer->functions,
        "    if (sum == 0xdeadbeefu) // the compiler cannot know that it seldom is\n        stress_store(scratch, 0);\n"
        "    return %u;\n}\n\n",
        count);
    if (count > kernel->warm_cells)
        kernel->warm_cells = count;
}

void write_warm(struct writer *writer)
{
    const unsigned slots = writer->plan->kernel->slots;
    for (unsigned slot = 0; slot < slots; slot++)
        warm_slot(writer, slot);
    text_add(
        &writer->functions,
        "FUNCTION u32 warm(GLOBAL const u32 *draw, GLOBAL u32 *memory, GLOBAL u32 *scratch, u32 slot, u32 owner, u32 lane,\n"
        "                 u32 instances)\n{\n    u32 cells = 0;\n");
    for (unsigned slot = 0; slot < slots; slot++)
        text_add(&writer->functions,
                 "    if (slot == %u)\n        cells = warm_%u(draw, memory, scratch, owner, lane, instances);\n", slot,
                 slot);
    text_add(&writer->functions, "    return cells;\n}\n");
}

static bool is_observed(const struct litmus_test *test, unsigned body, unsigned number)
{
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].thread != LITMUS_NONE && test->variables[v].body == (int)body &&
            test->variables[v].index == (int)number)
            return true;
    return false;
}

void write_unobserved(struct writer *writer, unsigned slot)
{
    const struct litmus_test *test = writer->plan->test;
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned r = 0; write_is_in_slot(writer, body, slot) && r < test->threads[body].register_count; r++)
            if (!is_observed(test, body, r))
                text_add(&writer->functions,
                         "    if ((u32)p%u_r%u == 0xdeadbeefu) // so that it is read, though nobody looks at it\n"
                         "        spins[1] = 1;\n",
                         body, r);
}
