// SPDX-License-Identifier: Apache-2.0
/* The page of an environment's parameters, from their list. */
#include <ctype.h>

#include "cli/manual/manual.h"
#include "runner/environment/environment.h"

static void add_range(struct text *text, const struct environment_range *range)
{
    text_add(text, range->low == range->high ? "%u" : "%u..%u", range->low, range->high);
}

/* "`stride` (1 to 1024; gpu 1..2, cpu 1..16): words from ..." */
static void add_parameter(struct text *text, enum parameter parameter, const struct environment *gpu,
                          const struct environment *cpu)
{
    const struct environment_parameter *row = &environment_parameters[parameter];
    text_add(text, "`%s` (%u to %u%s; gpu ", row->name, row->lowest, row->highest,
             row->kind == PARAMETER_KIND_CHANCE ? " percent" : "");
    add_range(text, &gpu->ranges[parameter]);
    text_add(text, ", cpu ");
    add_range(text, &cpu->ranges[parameter]);
    text_add(text, "): %s.\n\n", row->meaning);
}

void manual_add_parameters(struct text *text)
{
    static const char *const mechanisms[] = {
#define MECHANISM_WORDS(name, words) words,
        MECHANISM_GROUP_LIST(MECHANISM_WORDS)
#undef MECHANISM_WORDS
    };
    struct environment gpu, cpu;
    environment_default(&(const struct backend_device){.gpu = true}, &gpu);
    environment_default(&(const struct backend_device){.gpu = false}, &cpu);
    text_add(text,
             "The parameters of an environment, which profiles set.\v"
             "Each has a range, from which every batch draws a value. A parameter whose name ends in `_chance` is "
             "a probability in percent, of which a batch decides once whether the mechanism is on. With each are "
             "the values that it may have, and its ranges in the built-in profiles gpu and cpu.\n\n");
    for (enum mechanism_group mechanism = 0; mechanism < MECHANISM_GROUP_COUNT; mechanism++) {
        text_add(text, "%c%s:\n\n", toupper((unsigned char)mechanisms[mechanism][0]), mechanisms[mechanism] + 1);
        for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
            if (environment_parameters[i].mechanism == mechanism)
                add_parameter(text, i, &gpu, &cpu);
    }
}
