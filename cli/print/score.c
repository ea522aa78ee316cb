// SPDX-License-Identifier: Apache-2.0
/* The mutation score of a run, as its jobs end. */
#include "cli/print/run_output.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "runner/protocol/device.h"

static struct score_row *find_row(struct score *score, const struct job_report *report)
{
    for (size_t i = 0; i < score->count; i++)
        if (score->rows[i].device == report->device && score->rows[i].dialect == report->test->dialect)
            return &score->rows[i];
    struct score_row *row = &LIST_ADD(score->rows, score->count, score->room);
    *row = (struct score_row){.device = report->device, .dialect = report->test->dialect};
    (void)snprintf(row->profile, sizeof row->profile, "%s", report->profile);
    return row;
}

void score_add(struct score *score, const struct job_report *report)
{
    if (mutation_score_has(report->controlled != NULL, litmus_forbids_witness(report->test), report->result->state))
        mutation_score_add(&find_row(score, report)->score, report->tally->witnesses, report->tally->seconds);
}

static void print_json(const struct score *score)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < score->count; i++) {
        const struct score_row *row = &score->rows[i];
        (void)json_array_append_new(
            rows, json_pack("{s:s, s:I, s:o, s:o, s:s, s:I, s:I, s:f, s:f}", "backend", row->device->backend,
                            "device_index", (json_int_t)row->device->index, "device", json_text(row->device->name),
                            "profile", json_text(row->profile), "dialect", litmus_dialect_name(row->dialect), "mutants",
                            (json_int_t)row->score.mutants, "killed", (json_int_t)row->score.killed, "score",
                            mutation_score_share(&row->score), "death_rate", mutation_score_death_rate(&row->score)));
    }
    json_t *object = json_pack("{s:o}", "mutation_score", rows);
    (void)json_write_line(JSON_RUN_SCORE, object, stdout); /* main reports errors of standard output */
}

void score_print(const struct score *score, bool json)
{
    if (json) {
        print_json(score);
        return;
    }
    for (size_t i = 0; i < score->count; i++) {
        const struct score_row *row = &score->rows[i];
        char rate[QUANTITY_SIZE];
        terminal_print(stdout,
                       "Mutation score of %s with profile %s, %s: %.1f %% (%zu of %zu mutants killed), "
                       "%s kills per second.\n",
                       device_address(row->device).text, row->profile, litmus_dialect_name(row->dialect),
                       100 * mutation_score_share(&row->score), row->score.killed, row->score.mutants,
                       quantity_short(mutation_score_death_rate(&row->score), rate));
    }
    if (score->count > 0)
        terminal_print(stdout, "A mutant is killed when its witness is seen. Kills per second are the mean over all "
                               "mutants, with 0\nfor those that were not killed (Levine et al., MC Mutants, ASPLOS "
                               "2023).\n");
}

void score_release(struct score *score)
{
    free(score->rows);
    *score = (struct score){0};
}
