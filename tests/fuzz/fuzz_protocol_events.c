// SPDX-License-Identifier: Apache-2.0
/* Any line from a worker is refused, or is an event that can be counted and stored. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/supervise/claims.h"
#include "verdicts/tally.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { INSTANCES = 1000, NOW = 100 };

static const char test_text[] = "OPENCL sb\n{ x=0; y=0; }\n"
                                "P0@wg 0, dev 0 (global int* x, global int* y) { *x = 1; int r0 = *y; }\n"
                                "P1@wg 1, dev 0 (global int* x, global int* y) { *y = 1; int r0 = *x; }\n"
                                "exists (0:r0=0 /\\ 1:r0=0)\n";

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static uint64_t sum_of(const struct count *counts, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        demand(counts[i].count > 0 && counts[i].label[0]);
        for (size_t other = 0; other < i; other++)
            demand(strcmp(counts[i].label, counts[other].label) != 0);
        demand(!__builtin_add_overflow(sum, counts[i].count, &sum));
    }
    return sum;
}

static void check_object(const char *text)
{
    json_t *object = json_loads(text, 0, NULL);
    demand(json_is_object(object));
    json_decref(object);
}

static void check_batch(const struct batch *batch, const struct tally *tally)
{
    uint64_t all;
    const uint64_t outcomes = sum_of(batch->outcomes, batch->outcome_count);
    demand(!__builtin_add_overflow(outcomes, sum_of(batch->voids, batch->void_count), &all));
    demand(batch->invalid || all == batch->instances);
    demand(batch->instances > 0 && batch->instances <= INT32_MAX);
    demand(batch->number == tally->batches + tally->invalid_batches && tally->launched < INSTANCES);
    demand(batch->seconds >= 0 && batch->started >= 0 && batch->seconds + batch->started < 3 * NOW);
    for (size_t i = 0; i < batch->outcome_count; i++)
        demand(batch->outcomes[i].witness == (strcmp(batch->outcomes[i].label, "0:r0=0; 1:r0=0;") == 0));
    check_object(batch->draw);
    check_object(batch->liveness);
}

static void check_event(const struct worker_event *event, struct tally *tally)
{
    if (event->kind == WORKER_BATCH) {
        check_batch(&event->batch, tally);
        tally_add(tally, &event->batch);
    } else if (event->kind == WORKER_BUILT) {
        demand(event->build.seconds >= 0 && event->build.resident_groups > 0 && event->build.kernel[0]);
    } else if (event->kind == WORKER_ENDED) {
        demand(event->ending.status != STATUS_OK || tally->launched >= INSTANCES);
    }
}

/* Reads lines until one is refused or the order is answered; returns their bytes. */
static size_t hear(struct claims claims, const char *bytes, size_t size, struct tally *tally)
{
    size_t at = 0;
    bool over = false;
    while (!over && at < size) {
        struct worker_event event;
        struct error error = {.text = ""};
        const char *end = memchr(bytes + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - bytes) - at : size - at;
        const enum claims_verdict verdict = claims_hear(&claims, bytes + at, length, NOW, &event, &error);
        demand(verdict == CLAIMS_FINE || error.text[0]);
        over = verdict != CLAIMS_FINE || event.kind == WORKER_OPENED || event.kind == WORKER_ENDED;
        if (verdict == CLAIMS_FINE)
            check_event(&event, tally);
        worker_event_release(&event);
        at += length + 1;
    }
    return at < size ? at : size;
}

/* Parsed once: that takes longer than most inputs. */
static const struct litmus_test *parsed_test(void)
{
    static struct litmus_test *test;
    struct error error;
    if (!test)
        demand(litmus_parse("sb", test_text, sizeof test_text - 1, &test, &error) == STATUS_OK);
    return test;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct tally tally = {.outcomes = NULL};
    const struct litmus_test *test = parsed_test();
    const struct job job = {.test = test, .extent = {.instances = INSTANCES}};
    const char *text = (const char *)bytes;
    const size_t opening = hear(claims_of_opening(), text, size, &tally);
    (void)hear(claims_of_job(1, &job, 0, false), text + opening, size - opening, &tally);
    demand(tally.batches + tally.invalid_batches <= INSTANCES && tally.launched < INSTANCES + (uint64_t)INT32_MAX);
    tally_release(&tally);
    return 0;
}
