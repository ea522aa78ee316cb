// SPDX-License-Identifier: Apache-2.0
/* The rates of single runs, and where one more would lie. */
#include "analysis/gate/gate_parts.h"

#include <math.h>

enum { FEWEST_RUNS = 3, MOST_RUNS = 256 };

/* One run of a test. */
struct spread_run {
    int64_t job;
    uint64_t end; /* the number behind its last batch */
    double count, counted;
};

struct spread {
    struct spread_run runs[MOST_RUNS];
    size_t count;
};

static struct spread_run *run_of(struct spread *spread, int64_t job)
{
    for (size_t i = 0; i < spread->count; i++)
        if (spread->runs[i].job == job)
            return &spread->runs[i];
    if (spread->count == MOST_RUNS)
        return NULL;
    spread->runs[spread->count] = (struct spread_run){.job = job};
    return &spread->runs[spread->count++];
}

/* Which batches count. */
struct scope {
    bool of_seed;  /* those of one seed, whose draws are equal, and of these the draws that every run has */
    uint64_t seed; /* that */
    uint64_t end;  /* the number behind the last such draw */
};

static bool is_inside(const struct scope *scope, const struct sample_batch *batch)
{
    return batch->counted > 0 && (!scope->of_seed || (batch->seed == scope->seed && batch->number < scope->end));
}

/* Narrows the end of the scope to what every run of the sample has; gives the number of its runs. */
static size_t narrow_scope(const struct sample *sample, struct scope *scope)
{
    struct spread spread = {.count = 0};
    for (size_t i = 0; i < sample->batch_count; i++) {
        const struct sample_batch *batch = &sample->batches[i];
        struct spread_run *run = batch->seed == scope->seed ? run_of(&spread, batch->job) : NULL;
        if (run && batch->number >= run->end)
            run->end = batch->number + 1;
    }
    for (size_t i = 0; i < spread.count; i++)
        scope->end = spread.runs[i].end < scope->end ? spread.runs[i].end : scope->end;
    return spread.count;
}

static struct scope choose_scope(const struct sample *a, const struct sample *b)
{
    struct scope scope = {.of_seed = true, .seed = b->batches[0].seed, .end = UINT64_MAX};
    for (size_t i = 1; i < b->batch_count; i++)
        scope.of_seed &= b->batches[i].seed == scope.seed;
    scope.of_seed &= narrow_scope(b, &scope) > 0 && narrow_scope(a, &scope) >= FEWEST_RUNS;
    return scope;
}

static void sum_runs(const struct sample *sample, const char *label, const struct scope *scope, struct spread *spread)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    for (size_t i = 0; i < sample->batch_count; i++) {
        const struct sample_batch *batch = &sample->batches[i];
        struct spread_run *run = is_inside(scope, batch) ? run_of(spread, batch->job) : NULL;
        if (!run)
            continue;
        run->count += outcome ? (double)outcome->counts[i] : 0;
        run->counted += (double)batch->counted;
    }
}

/* Half a sighting more, so that a run without any has a logarithm, too. */
static double log_rate(double count, double counted)
{
    return log((count + 0.5) / counted);
}

bool gate_runs_vary(const struct finding *finding, struct text *text)
{
    const struct sample *a = finding->sample[SIDE_A], *b = finding->sample[SIDE_B];
    struct spread of_a = {.count = 0}, of_b = {.count = 0};
    if (!a || !b || a->batch_count == 0 || b->batch_count == 0)
        return false;
    const struct scope scope = choose_scope(a, b);
    sum_runs(a, finding->outcome->label, &scope, &of_a);
    sum_runs(b, finding->outcome->label, &scope, &of_b);
    if (of_a.count < FEWEST_RUNS || of_b.count == 0)
        return false;
    double mean = 0, squares = 0, count = 0, counted = 0;
    for (size_t i = 0; i < of_a.count; i++)
        mean += log_rate(of_a.runs[i].count, of_a.runs[i].counted) / (double)of_a.count;
    for (size_t i = 0; i < of_a.count; i++)
        squares += pow(log_rate(of_a.runs[i].count, of_a.runs[i].counted) - mean, 2);
    for (size_t i = 0; i < of_b.count; i++) {
        count += of_b.runs[i].count;
        counted += of_b.runs[i].counted;
    }
    const double freedom = (double)of_a.count - 1;
    const double reach = statistics_student_above(0.025, freedom) *
                         sqrt(squares / freedom * (1 / (double)of_a.count + 1 / (double)of_b.count));
    if (fabs(log_rate(count, counted) - mean) > reach)
        return false;
    text_add(text,
             "; the baseline's %zu runs differ so much that a further one lies within a factor of %.3g with 95 %%",
             of_a.count, exp(reach));
    return true;
}
