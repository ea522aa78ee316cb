// SPDX-License-Identifier: Apache-2.0
/*
 * Loads that an instruction of x86-64 does for a later store: of `r = x; x = r + 1` a compiler makes one `inc DWORD PTR [x]`, whose
 * only line is the store's. On one processor that is the load, the addition and the store, in this order and with nothing of
 * the thread between them (Intel SDM volume 3A, 9.1.2: only with lock is it one access to others). So the load belongs to
 * the test's nearest load of the location before the store.
 */
#include "runner/inspect/needs.h"

static const struct litmus_access *access_of(const struct kernel_step *step, bool stores)
{
    const enum litmus_operation operation = stores ? LITMUS_STORE : LITMUS_LOAD;
    return step->access && step->access->operation == operation && step->access->address &&
                   step->access->address->kind == LITMUS_EXPRESSION_ADDRESS
               ? step->access
               : NULL;
}

/* The step whose store is in that line of the compiled text; NULL where there is none. */
static const struct kernel_step *find_store(const struct inspect_subject *subject, unsigned line)
{
    for (size_t i = 0; i < subject->kernel->step_count; i++) {
        const struct kernel_step *step = &subject->kernel->steps[i];
        if (subject->first_line + step->line - 1 == line && access_of(step, true))
            return step;
    }
    return NULL;
}

/* The body's last load before a store, of its location. */
static const struct kernel_step *find_load(const struct inspect_subject *subject, const struct kernel_step *store)
{
    for (const struct kernel_step *step = store; step-- > subject->kernel->steps;) {
        const struct litmus_access *load = access_of(step, false);
        if (load && step->body == store->body && load->address->index == store->access->address->index)
            return step;
    }
    return NULL;
}

void x86_place_folded_loads(const struct inspect_subject *subject, struct listing *listing)
{
    for (size_t i = 0; i + 1 < listing->count; i++) {
        struct machine_instruction *load = &listing->instructions[i];
        if (load->effect != MACHINE_LOAD || load[1].effect != MACHINE_STORE || load[1].place != load->place)
            continue;
        for (unsigned l = 0; l < load->line_count; l++) {
            const struct kernel_step *store = find_store(subject, load->lines[l]);
            const struct kernel_step *from = store ? find_load(subject, store) : NULL;
            if (from)
                load->lines[l] = subject->first_line + from->line - 1;
        }
    }
}
