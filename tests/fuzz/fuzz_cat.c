// SPDX-License-Identifier: Apache-2.0
/* Any text is either refused with a message or read as a model that can judge a test. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "models/cat/cat.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

/* Two threads, a write and a read each, and a read-modify-write in the second. */
static void fill(struct execution *execution, const struct litmus_test *test)
{
    static const enum event_kind kinds[] = {EVENT_WRITE, EVENT_WRITE, EVENT_READ, EVENT_WRITE,
                                            EVENT_READ,  EVENT_READ,  EVENT_WRITE};
    static const int threads[] = {LITMUS_NONE, 0, 0, 1, 1, 1, 1};
    *execution = (struct execution){.test = test, .count = 7, .initial = 1};
    for (unsigned i = 0; i < execution->count; i++)
        execution->events[i] = (struct event){
            .kind = kinds[i],
            .thread = threads[i],
            .body = threads[i],
            .rmw = i >= 5,
            .size = 4,
            .order = LITMUS_RELAXED,
            .scope = LITMUS_DEVICE,
            .barrier = LITMUS_NONE,
        };
    relation_add(&execution->po, 1, 2);
    for (unsigned i = 3; i < 7; i++)
        for (unsigned k = i + 1; k < 7; k++)
            relation_add(&execution->po, i, k);
    relation_add(&execution->rmw, 5, 6);
    relation_add(&execution->data, 5, 6);
    relation_add(&execution->rf, 3, 2);
    relation_add(&execution->rf, 1, 4);
    relation_add(&execution->rf, 3, 5);
    execution_initial_coherence(execution, &execution->co);
    relation_add(&execution->co, 1, 3);
    relation_add(&execution->co, 1, 6);
    relation_add(&execution->co, 3, 6);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    demand(text);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    struct cat *cat;
    struct error error = {0};
    if (cat_parse("fuzz", text, NULL, NULL, &cat, &error) != STATUS_OK) {
        demand(!cat && error.text[0]);
        free(text);
        return 0;
    }
    free(text);
    struct litmus_thread threads[2] = {{.first = 0, .count = 1}, {.first = 1, .count = 1}};
    const struct litmus_test test = {.dialect = LITMUS_C, .threads = threads, .body_count = 2, .thread_count = 2};
    struct execution execution;
    struct cat_values *values = cat_values_new(cat);
    demand(values);
    fill(&execution, &test);
    for (enum stage stage = STAGE_EVENTS; stage < STAGE_COUNT; stage++) {
        struct cat_step steps[CAT_MAXIMUM_STEPS_SHOWN];
        bool closed;
        const int check = cat_evaluate(cat, values, &execution, stage);
        if (check >= 0)
            demand(cat_offence(cat, values, check, execution.count, steps, &closed) <= CAT_MAXIMUM_STEPS_SHOWN);
    }
    (void)cat_flags(cat, values, execution.count);
    cat_values_release(values);
    cat_release(cat);
    return 0;
}
