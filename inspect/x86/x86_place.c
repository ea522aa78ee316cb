// SPDX-License-Identifier: Apache-2.0
/*
 * Corrects lines of accesses with knowledge of the kernel.
 *
 * A compiler turns `r = x; x = r + 1` into one `inc DWORD PTR [x]`, whose only line is the store's.
 * On one processor that is the load, the addition and the store, in this order, with nothing else
 * of the thread in between (Intel SDM volume 3A, 9.1.2: only with lock is it one access to other
 * processors). So the load belongs to the test's nearest load of the location before the store.
 *
 * The line table has no row for an instruction that a compiler has moved away from its line: it
 * seems to have the line of the instruction before it. Loads of the launch's arguments (the draw)
 * are moved out of loops in this way. They are recognised by their address, a constant distance
 * from a register. Locations of a test do not have such addresses: the distances of locations, and
 * of an array's elements, are multiples of the draw's stride, which compilers do not know.
 */
#include <string.h>

#include "inspect/needs.h"

static const struct litmus_access *access_of(const struct kernel_step *step, bool stores)
{
    const enum litmus_operation operation = stores ? LITMUS_STORE : LITMUS_LOAD;
    return step->access && step->access->operation == operation && step->access->address &&
                   step->access->address->kind == LITMUS_EXPRESSION_ADDRESS
               ? step->access
               : NULL;
}

/* The step whose store is on that line of the compiled text, or NULL. */
static const struct kernel_step *find_store(const struct inspect_subject *subject, unsigned line)
{
    for (size_t i = 0; i < subject->kernel->step_count; i++) {
        const struct kernel_step *step = &subject->kernel->steps[i];
        if (subject->first_line + step->line - 1 == line && access_of(step, true))
            return step;
    }
    return NULL;
}

static bool is_load_of(const struct kernel_step *step, const struct kernel_step *store)
{
    const struct litmus_access *load = access_of(step, false);
    return load && step->body == store->body && load->address->index == store->access->address->index;
}

/* The load that a store's value may come from: a load of its location in the store's own statement,
 * or else the last before it. */
static const struct kernel_step *find_load(const struct inspect_subject *subject, const struct kernel_step *store)
{
    const struct kernel *kernel = subject->kernel;
    for (const struct kernel_step *step = store + 1; step < kernel->steps + kernel->step_count; step++)
        if (is_load_of(step, store) && step->place.line == store->place.line)
            return step; /* an operand, whose line is after the line of its call */
    for (const struct kernel_step *step = store; step-- > kernel->steps;)
        if (is_load_of(step, store))
            return step;
    return NULL;
}

static void place_folded_load(const struct inspect_subject *subject, struct machine_instruction *load)
{
    for (unsigned l = 0; l < load->line_count; l++) {
        const struct kernel_step *store = find_store(subject, load->lines[l]);
        const struct kernel_step *from = store ? find_load(subject, store) : NULL;
        if (from)
            load->lines[l] = subject->first_line + from->line - 1;
    }
}

/* Whether the address is a register plus a constant other than 0: "[r10+0x70]". */
static bool is_at_distance(const char *text)
{
    const char *start = strchr(text, '[');
    const size_t length = start ? strcspn(start + 1, "+-]*") : 0;
    return length > 0 && (strncmp(start + 1 + length, "+0x", 3) == 0 || strncmp(start + 1 + length, "-0x", 3) == 0) &&
           strncmp(start + 1 + length, "+0x0]", 5) != 0;
}

/* Whether it is in a helper of the threads, where their accesses are. */
static bool is_in_helper(const struct inspect_subject *subject, const struct machine_instruction *instruction)
{
    const unsigned start = subject->first_line + subject->kernel->helpers_line - 1;
    const unsigned end = subject->first_line + subject->kernel->functions_line - 1;
    for (unsigned i = 0; i < instruction->line_count; i++)
        if (instruction->lines[i] >= start && instruction->lines[i] < end)
            return true;
    return false;
}

void x86_place(const struct inspect_subject *subject, struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        struct machine_instruction *load = &listing->instructions[i];
        if (load->effect != MACHINE_LOAD)
            continue;
        if (i + 1 < listing->count && load[1].effect == MACHINE_STORE && load[1].place == load->place)
            place_folded_load(subject, load);
        else if (is_in_helper(subject, load) && is_at_distance(load->text))
            load->line_count = 0;
    }
}
