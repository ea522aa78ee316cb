// SPDX-License-Identifier: Apache-2.0
/* A batch of a test of several launches: the host initialises, plays the test's own launches with
 * its edges, and counts. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/worker/job_play.h"

/* Gives each step a copy of the draw with the step's launch. Returns the copies, one allocation
 * that the caller frees. */
static uint32_t *fill_steps(const struct job_play *running, const struct draw *draw, struct backend_step *steps)
{
    const struct kernel *kernel = &running->kernels[0];
    uint32_t *words = memory_take(draw->launches * draw->word_count, sizeof *words);
    for (unsigned i = 0; i < draw->launches; i++) {
        const struct litmus_launch *launch = &kernel->launches.launches[draw->order[i]];
        uint32_t *own = words + i * draw->word_count;
        memcpy(own, draw->words, draw->word_count * sizeof *own);
        own[DRAW_STEPS] = STEP_PLAY;
        own[DRAW_LAUNCH] = draw->order[i];
        steps[i] = (struct backend_step){.draw = own, .member = launch->agent};
        for (unsigned k = 0; k < i; k++)
            if (launch->after >> draw->order[k] & 1) {
                steps[i].after |= 1U << k;
                steps[i].edges[k] = launch->edges[draw->order[k]];
            }
    }
    return words;
}

static enum status play(struct job_play *running, struct draw *draw, uint64_t batch, double *seconds,
                        struct error *error)
{
    const struct job_session *session = running->session;
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    const struct backend_launch call = job_play_describe(running, draw, batch, true, 0);
    uint32_t *words = fill_steps(running, draw, steps);
    const enum status status =
        session->backend->play(session->session, running->program, &call, steps, draw->launches, seconds, error);
    free(words);
    return status;
}

/* Loads into caches the cells that threads will read by paths on which caches keep stale lines.
 * *warmed: how many cells, for each agent. */
static enum status warm(struct job_play *running, struct draw *draw, uint64_t batch, uint32_t *warmed, double *seconds,
                        struct error *error)
{
    const size_t words = running->kernels[0].counter_words;
    TRY(job_play_launch(running, draw, STEP_WARM, batch, true, words, seconds, error));
    for (unsigned k = 0; k < running->agents; k++)
        warmed[k] = running->counters[k * words + COUNTER_WARMED];
    return STATUS_OK;
}

enum status job_play_launches(struct job_play *running, struct draw *draw, uint64_t batch, double *seconds,
                              struct error *error)
{
    const size_t words = running->kernels[0].counter_words;
    uint32_t warmed[LITMUS_MAXIMUM_AGENTS] = {0};
    double part = 0;
    *seconds = 0;
    TRY(job_play_launch(running, draw, STEP_INITIALISE, batch, true, 0, &part, error));
    *seconds += part;
    if (draw->words[DRAW_WARM]) {
        TRY(warm(running, draw, batch, warmed, &part, error));
        *seconds += part;
    }
    TRY(play(running, draw, batch, &part, error));
    *seconds += part;
    TRY(job_play_launch(running, draw, STEP_COUNT, batch, false, words, &part, error));
    *seconds += part;
    for (unsigned k = 0; k < running->agents; k++)
        running->counters[k * words + COUNTER_WARMED] = warmed[k];
    return STATUS_OK;
}
