// SPDX-License-Identifier: Apache-2.0
/* Where the results of a slot's threads lie, and the kernel text that stores them. */
#include <stdio.h>

#include "kernel/body.h"
#include "kernel/paths.h"

/* The thread whose results a part holds, if each item plays all threads of its slot; else NONE. */
static int body_of_part(const struct allocation *allocation, const struct allocation_part *part, unsigned slot)
{
    return part->slot == slot && allocation->kernel->width == 1 ? part->body : LITMUS_NONE;
}

void write_result_places(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    for (unsigned p = 0; p < allocation->part_count; p++) {
        const int body = body_of_part(allocation, &allocation->parts[p], slot);
        if (body != LITMUS_NONE)
            write_text(writer, "    const u32 p%d_result = result_of(MEMORY_ARGUMENTS, owner, p%d_i, instances);\n",
                       body, body);
    }
}

/* Appends the address of a result word, after a |. */
static void add_result_address(const struct allocation *allocation, int body, unsigned word, struct text *addresses)
{
    const struct syntax_around *cast = &allocation->kernel->lowering->syntax->cast;
    text_add(addresses, " | ");
    syntax_open(cast, "u64", addresses);
    text_add(addresses, "(CELL(memory, p%d_result) + %uu * all)%s", body, word, cast->after);
}

void write_result_addresses(const struct allocation *allocation, unsigned slot, struct text *addresses)
{
    for (unsigned p = 0; p < allocation->part_count; p++) {
        const int body = body_of_part(allocation, &allocation->parts[p], slot);
        if (body == LITMUS_NONE)
            continue;
        for (unsigned v = 0; v < allocation->kernel->variables; v++)
            if (allocation->variables[v].part == (int)p)
                add_result_address(allocation, body, allocation->variables[v].word, addresses);
        add_result_address(allocation, body, allocation->parts[p].stamp_word, addresses);
    }
}

/* Stores a variable's value at its result word: one or two words, each for `all` instances. */
static void write_store_value(struct writer *writer, unsigned variable, const char *value, const char *place,
                              const char *padding)
{
    const struct allocation *allocation = writer->allocation;
    const unsigned word = allocation->variables[variable].word;
    const enum litmus_type type = litmus_variable_type(allocation->test, &allocation->test->variables[variable]);
    write_text(writer, "%sAT(memory, %s, %uu * all) = TO_U32(%s);\n", padding, place, word, value);
    if (litmus_type_size(type) == 8)
        write_text(writer, "%sAT(memory, %s, %uu * all) = TO_U32(TO_U64(%s) >> 32);\n", padding, place, word + 1,
                   value);
}

static void write_thread_results(struct writer *writer, const struct allocation_part *part, unsigned index)
{
    const struct allocation *allocation = writer->allocation;
    const unsigned body = (unsigned)part->body;
    const bool one_thread = allocation->kernel->width > 1;
    const char *padding = one_thread ? "        " : "    ";
    char place[32] = "result";
    if (one_thread)
        write_text(writer,
                   "    if (p%u_plays != 0u && thread == %uu) {\n"
                   "        const u32 result = result_of(MEMORY_ARGUMENTS, owner, p%u_i, instances);\n",
                   body, allocation->first_thread[body] + part->thread, body);
    else
        (void)snprintf(place, sizeof place, "p%u_result", body);
    for (unsigned v = 0; v < allocation->kernel->variables; v++) {
        char value[32];
        if (allocation->variables[v].part != (int)index)
            continue;
        (void)snprintf(value, sizeof value, "p%u_r%d", body, allocation->test->variables[v].index);
        write_store_value(writer, v, value, place, padding);
    }
    write_text(writer, "%sAT(memory, %s, %uu * all) = stamp;\n%s", padding, place, part->stamp_word,
               one_thread ? "    }\n" : "");
}

static void write_local_results(struct writer *writer, const struct allocation_part *part, unsigned index)
{
    const struct allocation *allocation = writer->allocation;
    const struct syntax *syntax = writer->lowering->syntax;
    write_text(writer, "    group_barrier();\n    if (lane < instances) {\n"
                       "        const u32 result = result_of(MEMORY_ARGUMENTS, owner, lane, instances);\n");
    for (unsigned v = 0; v < allocation->kernel->variables; v++) {
        const struct litmus_variable *variable = &allocation->test->variables[v];
        struct text value = {0};
        if (allocation->variables[v].part != (int)index)
            continue;
        const enum litmus_type type = allocation->test->locations[variable->index].type;
        text_add(&value, "%s", type == LITMUS_FLAG ? "!!" : "");
        syntax_open(&syntax->read_local, lower_type(type), &value);
        write_local_cell(allocation, (unsigned)variable->index, variable->element, &value);
        text_add(&value, "%s", syntax->read_local.after);
        write_store_value(writer, v, text_string(&value), "result", "        ");
        text_release(&value);
    }
    write_text(writer, "        AT(memory, result, %uu * all) = stamp;\n    }\n", part->stamp_word);
}

/* Writes lines that use the registers of a slot's threads that are not variables: ptxas drops a
 * read whose value is unused, and the read would then not bring its line into a cache. */
static void write_unobserved(struct writer *writer, unsigned slot)
{
    const struct litmus_test *test = writer->allocation->test;
    for (unsigned body = 0; body < test->body_count; body++)
        for (unsigned r = 0;
             allocation_in_slot(writer->allocation, body, slot) && r < test->threads[body].register_count; r++)
            if (!allocation_observes(test, body, r))
                write_text(writer,
                           "    if ((u32)p%u_r%u == 0xdeadbeefu) // so that it is read, though nobody looks at it\n"
                           "        local_memory[LOCAL_GAVE_UP] = 1u;\n",
                           body, r);
}

void write_results(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    for (unsigned body = 0; body < allocation->kernel->bodies; body++) {
        const struct litmus_thread *thread = &allocation->test->threads[body];
        if (!allocation_in_slot(writer->allocation, body, slot) || !allocation_spins(&thread->body))
            continue;
        write_text(writer,
                   "    if (p%u_gave_up != 0u) {\n"
                   "        AT(memory, result_of(MEMORY_ARGUMENTS, owner, p%u_i, instances), %du * all) = stamp;\n"
                   "        local_memory[LOCAL_GAVE_UP] = 1u;\n"
                   "    }\n",
                   body, body, allocation->gave_up_word);
    }
    if (kernel_takes_paths(allocation->kernel))
        write_unobserved(writer, slot);
    for (unsigned p = 0; p < allocation->part_count; p++) {
        const struct allocation_part *part = &allocation->parts[p];
        if (part->slot != slot)
            continue;
        if (part->body == LITMUS_NONE)
            write_local_results(writer, part, p);
        else
            write_thread_results(writer, part, p);
    }
}
