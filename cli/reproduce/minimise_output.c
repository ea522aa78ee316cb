// SPDX-License-Identifier: Apache-2.0
/* The steps of a minimisation, a line each. */
#include "cli/reproduce/minimise_output.h"

#include <inttypes.h>

#include "base/quantity.h"
#include "base/terminal/terminal.h"

static void tried(const struct minimise_step *step, double seconds_left, void *context)
{
    char rate[QUANTITY_SIZE];
    (void)context;
    terminal_print(stderr, "%s: %s: %s", minimise_stage_title(step->stage), step->what, step->result);
    if (step->trial_count > 0)
        terminal_print(stderr, " (%s per second; %s left)", quantity_short(step->rate, rate),
                       QUANTITY_SECONDS(seconds_left));
    terminal_print(stderr, "\n");
}

const struct minimise_listener minimise_output = {tried, NULL};

void minimise_output_print(const struct minimal *minimal)
{
    struct text needed = {0};
    minimal_print_needed(minimal, &needed);
    terminal_print(stdout, "Minimised in %s, %s.\n  Needed: %s.\n", QUANTITY_SECONDS(minimal->seconds),
                   minimise_end_title(minimal->end), text_string(&needed));
    if (minimal->reduced)
        terminal_print(stdout, "  What is left of the test is %s.\n", minimal->test->name);
    for (unsigned i = 0; i < minimal->run_count; i++)
        terminal_print(stdout, "  run %u: seen %" PRIu64 " of %" PRIu64 " in %s\n", i + 1, minimal->runs[i].seen,
                       minimal->runs[i].instances, QUANTITY_SECONDS(minimal->runs[i].seconds));
    text_release(&needed);
}
