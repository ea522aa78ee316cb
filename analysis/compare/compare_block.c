// SPDX-License-Identifier: Apache-2.0
/* A finding as a block: its name and outcome, what happened, and a row of figures for each side. */
#include <math.h>
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"
#include "base/quantity.h"
#include "base/terminal/table.h"

enum { INDENT = 4 };

/* ---- the rows ---- */

/* The least and the most of the rates of a side's runs. False with fewer than two runs that have counts. */
static bool find_range(const struct sample *sample, const char *label, double *least, double *most)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    size_t runs = 0;
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < sample->run_count; i++) {
        const struct sample_run *run = &sample->runs[i];
        uint64_t count = 0;
        for (size_t b = 0; b < run->batch_count && outcome && outcome->counts[i]; b++)
            count += outcome->counts[i][b];
        if (run->instances == 0)
            continue;
        *least = fmin(*least, (double)count / (double)run->instances);
        *most = fmax(*most, (double)count / (double)run->instances);
        runs++;
    }
    return runs > 1;
}

static void add_range(struct table *table, const struct sample *sample, const struct finding *finding, int side)
{
    static const double visible = 0.005; /* of three digits */
    double least, most;
    if (finding->count[side] == 0)
        table_add(table, "%s", "");
    else if (!find_range(sample, finding->outcome->label, &least, &most))
        table_add(table, "not known: 1 run");
    else if (least > 0 && log(most / least) < visible)
        table_add(table, "alike");
    else if (least > 0)
        table_add(table, "%.2e to %.2e", least, most);
    else
        table_add(table, "0 to %.2e", most);
}

static void add_side(struct table *table, const struct comparison *comparison, const struct finding *finding, int side)
{
    const struct sample *sample = finding->sample[side];
    char number[QUANTITY_SIZE];
    table_add(table, "%c", side == SIDE_A ? 'A' : 'B');
    if (!sample || sample->counted == 0) {
        table_add(table, "%s", sample ? "nothing counted" : "not run");
        for (int i = 0; i < 5; i++)
            table_add(table, "%s", "");
        return;
    }
    const struct sample_draws draws = compare_count_draws(sample, finding->outcome->label);
    const struct sample_spread spread = sample_spread(sample, sample_outcome(sample, finding->outcome->label));
    table_add(table, "%s", QUANTITY_COUNT(finding->count[side]));
    table_add(table, "%s", quantity_short((double)sample->counted, number));
    if (finding->count[side] == 0)
        table_add(table, "< %.1e", statistics_zero_bound(sample->counted, comparison->options.confidence));
    else
        table_add(table, "%.2e", (double)finding->count[side] / (double)sample->counted);
    add_range(table, sample, finding, side);
    table_add(table, "%s of %s", QUANTITY_COUNT(draws.seen_in), QUANTITY_COUNT(draws.count));
    table_add(table, "%zu of %zu", spread.seen_in_runs, spread.runs);
}

static void add_sides(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    struct table table = {0};
    table_columns(&table, "|>seen|>instances|>per instance|~by run|->draws|>runs");
    for (int side = 0; side < SIDES; side++)
        add_side(&table, comparison, finding, side);
    table_add_to(&table, text, words_width(text), false, INDENT);
    table_release(&table);
}

/* ---- what happened ---- */

static void add_event(const struct finding *finding, struct text *line)
{
    switch (finding->kind) {
    case FINDING_FORBIDDEN:
    case FINDING_CONTROL:
    case FINDING_CLAIM:
        compare_add_reproach(finding, line);
        break;
    case FINDING_NEW:
        text_add(line, "new: only B has seen it");
        break;
    case FINDING_LOST:
        text_add(line, "lost: only A has seen it");
        break;
    case FINDING_RATE:
    case FINDING_UNDECIDED:
        text_add(line, "rate ");
        compare_add_factor(line, &finding->rate->ratio);
        break;
    case FINDING_STATE:
    case FINDING_KEPT:
    case FINDING_SHIFT:
    case FINDING_VOIDS:
    case FINDING_TIME:
    case FINDING_KIND_COUNT:
        break;
    }
}

bool compare_has_block(const struct finding *finding)
{
    return finding->outcome && finding->outcome->of == SAMPLE_OUTCOME;
}

void compare_block(const struct comparison *comparison, const struct finding *finding, bool verbose, struct text *text)
{
    struct text line = {0}, reservations = {0};
    text_add(&line, "%s  ", compare_severity(finding));
    compare_add_test(comparison, finding, &line);
    words_add(&line, "$", finding->outcome->label);
    words_add_wrapped(text, text_string(&line), 0, INDENT);
    text_clear(&line);
    add_event(finding, &line);
    if (verbose) {
        text_add(&line, ".  ");
        compare_describe(comparison, finding, &line);
    } else {
        compare_reservations(comparison, finding, &reservations);
        text_add(&line, "%s%s", reservations.size > 0 ? "; " : "", text_string(&reservations));
    }
    text_add(text, "\n%*s", INDENT, "");
    words_add_wrapped(text, text_string(&line), INDENT, INDENT);
    text_add(text, "\n");
    add_sides(comparison, finding, text);
    text_release(&reservations);
    text_release(&line);
}
