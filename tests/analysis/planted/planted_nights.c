// SPDX-License-Identifier: Apache-2.0
/* Stores of nights, for the tests of histories. */
#include "tests/analysis/planted/planted_nights.h"

#include <math.h>
#include <stdlib.h>

static bool is_since(size_t change, size_t night)
{
    return change > 0 && night >= change;
}

static struct side_job *plant_job(struct side *side, const struct plan *plan, size_t night, size_t test, double rate)
{
    static const char *const names[MOST_TESTS] = {"A", "B", "C", "D", "E", "F", "G", "H",
                                                  "I", "J", "K", "L", "M", "N", "O", "P"};
    const struct planted_test planted = {.name = names[test],
                                         .state = JOB_COMPLETED,
                                         .batches = BATCHES,
                                         .instances = 10000,
                                         .rate = rate,
                                         .variation = 0.3,
                                         .draws = plan->other_draws ? 100 + night : 5,
                                         .noise = 1 + plan->seed * 1000003 + night * 1009 + test};
    planted_add(side, is_since(plan->driver, night) ? "570" : "560", &planted);
    return &side->jobs[side->job_count - 1];
}

static void date_job(struct side *side, const struct plan *plan, size_t night, struct side_job *job)
{
    const bool slow =
        plan->restless ? night % 2 == 0 : is_since(plan->clock, night) && !is_since(plan->clock_ends, night);
    job->row.key = "k";
    job->row.run_id = (int64_t)night;
    job->row.run_uuid = arena_print(&side->arena, "run-%03zu", night);
    job->row.started_at = arena_print(&side->arena, "2026-%02zu-%02zuT03:00:00.000Z", 1 + night / 28, 1 + night % 28);
    job->row.tool_version = is_since(plan->tool, night) ? "1.1" : "1.0";
    job->row.compiler = is_since(plan->compiler, night) ? "NVRTC 13.0" : "NVRTC 12.4";
    job->row.host = is_since(plan->host, night) ? "there" : "here";
    job->row.kernel_hash = is_since(plan->kernel, night) ? "k2" : "k1";
    job->row.marks = plan->replayed && is_since(plan->kernel, night) ? MARK_FROZEN : 0;
    job->row.environment_hash = is_since(plan->environment, night) ? "e2" : "e1";
    job->row.circumstances =
        arena_print(&side->arena, "{\"sm_clock_mhz\": %d, \"throttle\": \"%s\"}",
                    (slow ? 1410 : 1980) - (int)(night % 3), is_since(plan->throttle, night) ? "power" : "none");
}

struct side planted_nights(const struct plan *plan)
{
    struct side side = planted_side("nights");
    struct random random = random_start(plan->seed, 77, 0, 0);
    double off[MOST_TESTS] = {0};
    for (size_t night = 1; night <= plan->nights; night++) {
        const double shift = plan->shift * planted_normal(&random);
        for (size_t test = 0; test < plan->tests; test++) {
            const double fresh = plan->own * planted_normal(&random);
            off[test] = night == 1 ? fresh : plan->lag * off[test] + sqrt(1 - plan->lag * plan->lag) * fresh;
            const double moved = is_since(plan->step, night) && test < plan->moved ? plan->factor : 1;
            date_job(&side, plan, night,
                     plant_job(&side, plan, night, test, plan->rate * exp(off[test] + shift) * moved));
        }
    }
    return side;
}

struct planted_history planted_history_make(const struct plan *plan)
{
    struct planted_history made = {.side = planted_nights(plan)};
    const struct history_options options = {HISTORY_USUAL};
    history_make(&made.side, 1, &options, &made.history);
    return made;
}

void planted_history_release(struct planted_history *made)
{
    history_release(&made->history);
    side_release(&made->side);
}
