// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/planted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

double planted_factor(struct random *random, double variation)
{
    const double variance = log1p(variation * variation);
    return exp(sqrt(variance) * planted_normal(random) - variance / 2);
}

struct side planted_side(const char *driver)
{
    return (struct side){.title = driver};
}

void planted_add(struct side *side, const char *driver, const struct planted_test *test)
{
    struct arena *arena = &side->arena;
    struct random factors = random_start(test->draws, 0, 0, 0), noise = random_start(test->noise, 1, 0, 0);
    struct sample_batch *batches = need(arena_make(arena, test->batches, sizeof *batches));
    struct sample_outcome *outcomes = need(arena_make(arena, 2, sizeof *outcomes));
    const bool forbidden = test->verdict && test->verdict[0] == 'f';
    outcomes[0] = (struct sample_outcome){.label = "1:r0=0; 1:r1=0;", .verdict = "sc", .axiom = ""};
    outcomes[1] = (struct sample_outcome){.label = test->label ? test->label : PLANTED_WITNESS,
                                          .witness = true,
                                          .verdict = test->verdict ? test->verdict : "weak",
                                          .model = forbidden ? "ptx" : NULL,
                                          .axiom = forbidden ? "causality" : ""};
    for (int i = 0; i < 2; i++)
        outcomes[i].counts = need(arena_make(arena, test->batches, sizeof(uint64_t)));
    for (size_t i = 0; i < test->batches; i++) {
        const double mean = (double)test->instances * test->rate;
        const double varied = mean * (1 + 0.1 * ((double)((5 * i + test->noise) % 7) - 3));
        const uint64_t drawn = test->even ? (uint64_t)llround(varied)
                                          : planted_poisson(&noise, mean * planted_factor(&factors, test->variation));
        const uint64_t witnesses = drawn < test->instances ? drawn : test->instances;
        batches[i] = (struct sample_batch){.key = 7,
                                           .seed = test->draws,
                                           .number = i,
                                           .counted = test->instances,
                                           .seconds = test->seconds / (double)test->batches};
        outcomes[1].count += outcomes[1].counts[i] = witnesses;
        outcomes[0].count += outcomes[0].counts[i] = test->instances - witnesses;
    }
    side->jobs = need(arena_grow(arena, side->jobs, side->job_count, sizeof *side->jobs));
    side->jobs[side->job_count] = (struct side_job){
        .id = (int64_t)side->job_count + 1,
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
        .environment_hash = "e",
        .profile = "gpu",
        .source_model = "ptx",
        .target_model = "",
        .controls = test->controls ? test->controls : "",
        .reason = test->reason ? test->reason : "",
        .undeclared = test->undeclared,
        .state = test->state,
        .key = 7,
        .seed = test->draws,
        .invalid_batches = test->invalid_batches,
        .seconds = test->seconds,
        .batches = batches,
        .batch_count = test->batches,
        .outcomes = outcomes,
        .outcome_count = 2,
    };
    side->job_count++;
}

char *planted_read_file(const char *name)
{
    char path[512], bytes[4096];
    struct text text = {0};
    (void)snprintf(path, sizeof path, "%s/tests/analysis/%s", ORCHIL_SOURCE_DIR, name);
    FILE *file = need(fopen(path, "r"));
    for (size_t size = fread(bytes, 1, sizeof bytes, file); size > 0; size = fread(bytes, 1, sizeof bytes, file))
        text_add_bytes(&text, bytes, size);
    (void)fclose(file);
    return need(text_take(&text));
}
