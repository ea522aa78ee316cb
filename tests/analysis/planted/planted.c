// SPDX-License-Identifier: Apache-2.0
/* Databases with planted laws, for the tests of comparisons. */
#include "tests/analysis/planted/planted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif

static void *need(void *made)
{
    if (!made)
        abort();
    return made;
}

static double uniform(struct random *random)
{
    return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

double planted_normal(struct random *random)
{
    const double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(6.28318530717958647693 * uniform(random));
}

uint64_t planted_poisson(struct random *random, double mean)
{
    if (mean > 500) {
        const double value = mean + sqrt(mean) * planted_normal(random);
        return value > 0 ? (uint64_t)llround(value) : 0;
    }
    uint64_t count = 0;
    for (double product = uniform(random), end = exp(-mean); product > end; product *= uniform(random))
        count++;
    return count;
}

/* Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables", ACM TOMS 26 (2000). */
static double gamma_variate(struct random *random, double shape)
{
    if (shape < 1)
        return gamma_variate(random, shape + 1) * pow(uniform(random), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = planted_normal(random), v = pow(1 + c * x, 3);
        if (v > 0 && log(uniform(random)) < x * x / 2 + d - d * v + d * log(v))
            return d * v;
    }
}

double planted_factor(struct random *random, enum planted_law law, double variation)
{
    const double square = variation * variation, variance = log1p(square);
    if (law == PLANTED_PARETO)
        return 0.1 / 1.1 * pow(uniform(random), -1 / 1.1);
    if (law == PLANTED_BIMODAL)
        return uniform(random) < 0.5 ? 2.0 / 11 : 20.0 / 11;
    if (law == PLANTED_ZERO_INFLATED)
        return uniform(random) < 0.2 ? 5 : 0;
    if (law == PLANTED_GAMMA && square > 0)
        return gamma_variate(random, 1 / square) * square;
    return exp(sqrt(variance) * planted_normal(random) - variance / 2);
}

struct side planted_side(const char *driver)
{
    return (struct side){.title = driver};
}

enum { WITNESS = 1, SPREAD = 3 }; /* the witness's place; how many other outcomes there may be */

/* Shares `rest` instances among the outcomes other than the witness. */
static void share_rest(const struct planted_test *test, struct random *factors, struct random *noise, uint64_t rest,
                       uint64_t counts[SPREAD])
{
    static const double usual[SPREAD] = {0.5, 0.3, 0.2};
    double weights[SPREAD], sum = 0;
    for (int i = 0; i < SPREAD; i++)
        sum += weights[i] = usual[i] * planted_factor(factors, test->law, test->variation);
    counts[SPREAD - 1] = rest;
    for (int i = 0; i < SPREAD - 1; i++) {
        const double share = weights[i] / sum;
        const double value = (double)rest * share + sqrt((double)rest * share * (1 - share)) * planted_normal(noise);
        const uint64_t drawn = value > 0 ? (uint64_t)llround(value) : 0;
        counts[i] = drawn < counts[SPREAD - 1] ? drawn : counts[SPREAD - 1];
        counts[SPREAD - 1] -= counts[i];
    }
}

/* The counts of a batch. */
static void draw_batch(const struct planted_test *test, size_t batch, double wandered, struct random *factors,
                       struct random *noise, uint64_t counts[1 + SPREAD])
{
    const double mean = (double)test->instances * test->rate * exp(wandered);
    const double varied = mean * (1 + 0.1 * ((double)((5 * batch + test->noise) % 7) - 3));
    const uint64_t drawn = test->even
                               ? (uint64_t)llround(varied)
                               : planted_poisson(noise, mean * planted_factor(factors, test->law, test->variation));
    uint64_t others[SPREAD] = {0};
    counts[WITNESS] = drawn < test->instances ? drawn : test->instances;
    others[0] = test->instances - counts[WITNESS];
    if (test->spread)
        share_rest(test, factors, noise, others[0], others);
    counts[0] = others[0];
    memcpy(counts + WITNESS + 1, others + 1, (SPREAD - 1) * sizeof *others);
}

static struct sample_outcome *make_outcomes(struct arena *arena, const struct planted_test *test, size_t count,
                                            uint64_t *kept[1 + SPREAD])
{
    static const char *const labels[1 + SPREAD] = {"1:r0=0; 1:r1=0;", PLANTED_WITNESS, "1:r0=0; 1:r1=1;",
                                                   "1:r0=1; 1:r1=1;"};
    struct sample_outcome *outcomes = need(arena_take(arena, count, sizeof *outcomes));
    for (size_t i = 0; i < count; i++)
        outcomes[i] = (struct sample_outcome){
            .label = labels[i], .source = {.verdict = VERDICT_SC, .model = "ptx"}, .target = {.verdict = VERDICT_NONE}};
    outcomes[WITNESS].label = test->label ? test->label : PLANTED_WITNESS;
    outcomes[WITNESS].witness = true;
    outcomes[WITNESS].source.verdict = VERDICT_WEAK;
    outcomes[WITNESS].source.axiom = "causality";
    if (test->verdict)
        outcomes[WITNESS].source.verdict = verdict_from_word(test->verdict, VERDICT_NONE); /* of "none" */
    for (size_t i = 0; i < count; i++) {
        kept[i] = need(arena_take(arena, test->batches, sizeof(uint64_t)));
        outcomes[i].counts = need(arena_take(arena, 1, sizeof(const uint64_t *)));
        outcomes[i].counts[0] = kept[i];
    }
    return outcomes;
}

static uint64_t *add_share(struct arena *arena, struct side_job *job, enum sample_measure of, const char *label)
{
    uint64_t *kept = need(arena_take(arena, job->run.batch_count, sizeof *kept));
    job->shares = need(arena_grow(arena, job->shares, job->share_count, sizeof *job->shares));
    struct sample_outcome *share = &job->shares[job->share_count++];
    *share = (struct sample_outcome){.of = of,
                                     .label = label,
                                     .source = {.verdict = VERDICT_NONE, .axiom = ""},
                                     .target = {.verdict = VERDICT_NONE, .axiom = ""}};
    share->counts = need(arena_take(arena, 1, sizeof(const uint64_t *)));
    share->counts[0] = kept;
    return kept;
}

/* What batches were launched with, their voids and their times. */
static void plant_shares(struct arena *arena, const struct planted_test *test, struct side_job *job)
{
    struct random factors = random_start(test->draws, 3, 0, 0), noise = random_start(test->noise, 4, 0, 0);
    uint64_t *arguments = need(arena_take(arena, test->batches, sizeof *arguments));
    uint64_t *launched = need(arena_take(arena, test->batches, sizeof *launched));
    uint64_t *times = test->batches > 0 ? add_share(arena, job, SAMPLE_TIME, SAMPLE_TIME_LABEL) : NULL;
    uint64_t *voids = test->voids > 0 ? add_share(arena, job, SAMPLE_VOID, SAMPLE_VOID_LABEL "gave_up") : NULL;
    for (size_t i = 0; i < test->batches; i++) {
        const double factor = planted_factor(&factors, test->law, test->variation);
        const double nanoseconds = 1e9 * test->batch_seconds * planted_factor(&factors, test->law, test->variation) *
                                   exp(0.02 * planted_normal(&noise));
        arguments[i] = test->arguments + i;
        launched[i] = job->run.counted[i];
        times[i] = nanoseconds > (double)SAMPLE_LEAST_TIME ? (uint64_t)nanoseconds : SAMPLE_LEAST_TIME;
        job->shares[0].count += times[i];
        if (voids) {
            voids[i] = planted_poisson(&noise, test->voids * factor);
            launched[i] += voids[i];
            job->shares[1].count += voids[i];
            job->row.voids += voids[i];
        }
    }
    job->run.arguments = arguments;
    job->run.launched = launched;
}

static enum kept planted_kept(const char *word)
{
    const enum kept kept = word ? kept_from_word(word, KEPT_COUNT) : TEST_NOT_INSPECTED;
    if (kept == KEPT_COUNT)
        abort();
    return kept;
}

void planted_add(struct side *side, const char *driver, const struct planted_test *test)
{
    struct arena *arena = &side->arena;
    struct random factors = random_start(test->factors ? test->factors : test->draws, 0, 0, 0);
    struct random noise = random_start(test->noise, 1, 0, 0), wander = random_start(test->noise, 2, 0, 0);
    double wandered = test->wander * planted_normal(&wander);
    const size_t outcome_count = test->spread ? 1 + SPREAD : 2;
    uint32_t *numbers = need(arena_take(arena, test->batches, sizeof *numbers));
    uint64_t *counted = need(arena_take(arena, test->batches, sizeof *counted));
    uint64_t *kept[1 + SPREAD];
    struct sample_outcome *outcomes = make_outcomes(arena, test, outcome_count, kept);
    for (size_t i = 0; i < test->batches; i++) {
        uint64_t counts[1 + SPREAD];
        wandered = test->lag * wandered + test->wander * sqrt(1 - test->lag * test->lag) * planted_normal(&wander);
        draw_batch(test, i, wandered, &factors, &noise, counts);
        numbers[i] = (uint32_t)i;
        counted[i] = test->instances;
        for (size_t o = 0; o < outcome_count; o++)
            outcomes[o].count += kept[o][i] = counts[o];
    }
    const int64_t run = test->run > 0 ? test->run : (int64_t)side->job_count + 1;
    side->jobs = need(arena_grow(arena, side->jobs, side->job_count, sizeof *side->jobs));
    side->jobs[side->job_count] = (struct side_job){
        .row = {.job_id = (int64_t)side->job_count + 1,
                .run_id = run,
                .run_uuid = arena_print(arena, "%lld", (long long)run),
                .test = test->name,
                .dialect = "PTX",
                .test_hash = test->name,
                .condition = "exists (1:r0=1 /\\ 1:r1=0)",
                .backend = "simulated",
                .device = "Simulated GPU",
                .device_uuid = "a",
                .platform = "",
                .driver = driver,
                .compiler = test->compiler ? test->compiler : "",
                .tool_version = "1",
                .host = "h",
                .started_at = "",
                .kernel_hash = test->kernel ? test->kernel : "",
                .circumstances = test->circumstances ? test->circumstances : "{}",
                .environment_hash = "e",
                .profile = "gpu",
                .controls = test->controls ? test->controls : "",
                .reason = test->reason ? test->reason : "",
                .marks = (test->undeclared ? MARK_UNDECLARED : 0U) | (test->apart ? MARK_NOT_OVERLAPPED : 0U),
                .built = test->kept != NULL,
                .kept = planted_kept(test->kept),
                .kept_reason = test->kept && strcmp(test->kept, "kept") != 0 ? "P1 line 7: why" : "",
                .state = test->state,
                .hardware = test->hardware ? test->hardware : "a GPU with 1 compute unit",
                .run_state = test->run_failed ? RUN_FAILED : RUN_COMPLETED,
                .seed = test->draws,
                .instances = test->batches * test->instances,
                .invalid_batches = test->invalid_batches,
                .seconds = test->seconds},
        .run = {.key = 7,
                .batch_count = test->batches,
                .numbers = numbers,
                .counted = counted,
                .instances = test->batches * test->instances},
        .source_model = "ptx",
        .target_model = "",
        .claimed = test->claimed,
        .outcomes = outcomes,
        .outcome_count = outcome_count,
    };
    plant_shares(arena, test, &side->jobs[side->job_count]);
    side_settle(&side->jobs[side->job_count++]);
}

char *planted_read_file(const char *name)
{
    char path[512], bytes[4096];
    struct text text = {0};
    (void)snprintf(path, sizeof path, "%s/tests/%s", ORCHIL_SOURCE_DIR, name);
    FILE *file = need(fopen(path, "r"));
    for (size_t size = fread(bytes, 1, sizeof bytes, file); size > 0; size = fread(bytes, 1, sizeof bytes, file))
        text_add_bytes(&text, bytes, size);
    (void)fclose(file);
    return need(text_take(&text));
}

void planted_print(struct document *document, struct text *text)
{
    document_print_text(document, text);
    document_release(document);
}
