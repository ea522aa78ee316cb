// SPDX-License-Identifier: Apache-2.0
/* A run with a deadline: the time that each job gets, and where the time went. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "runner/run/run.h"

/* The part of the time kept out of all shares, so that one batch too many does not keep the last
 * job from starting. */
static const double reserve = 0.04;

const char run_spent_reason[] = "the budget was spent before it could start";

bool run_time_is_up(const struct run *run)
{
    return run->options->deadline > 0 && clock_seconds() >= run->options->deadline;
}

/* How many jobs of a unit, from `first` on, can run. */
static double count_able(const struct run *run, const struct planned_unit *unit, size_t first)
{
    size_t count = 0;
    for (size_t i = first; i < unit->end; i++)
        count += !run->plan->jobs[i].refused;
    return (double)count;
}

/* How many devices can still take a group's units; 0 if none of the lane's devices is in the
 * group. */
static size_t count_takers(const struct lane *lane, size_t group)
{
    const struct run *run = lane->run;
    for (size_t i = 0; i < lane->device_count; i++)
        if (run->plan->devices[lane->devices[i]].group == group)
            return run->groups[group].live > 0 ? run->groups[group].live : 1;
    return 0;
}

/* How many jobs the lane has left, with the current one. */
static double count_left(const struct live_job *job)
{
    const struct run *run = job->run;
    double left = 0;
    for (size_t u = 0; u < run->plan->unit_count; u++) {
        const struct planned_unit *unit = &run->plan->units[u];
        const size_t takers = count_takers(job->lane, unit->group);
        if (job->number >= unit->first && job->number < unit->end)
            left += count_able(run, unit, job->number);
        else if (!run->taken[u] && takers > 0)
            left += count_able(run, unit, unit->first) / (double)takers;
    }
    return fmax(1, left);
}

void run_share_built(struct live_job *job, double seconds)
{
    struct lane *lane = job->lane;
    struct run *run = job->run;
    const double now = clock_seconds(), deadline = run->options->deadline;
    const double left = count_left(job);
    run->spending.building += seconds;
    lane->opened = true;
    if (deadline <= 0)
        return;
    lane->preparation += lane->preparations == 0 ? seconds : now - job->started; /* the first also opens the device */
    lane->preparations++;
    const double each = lane->preparation / lane->preparations;
    const double end = deadline - fmax(reserve * (deadline - run->started), each); /* builds vary too */
    job->until = now + fmax(0, (end - now - (left - 1) * each) / left);
    if (now > deadline)
        run_share_overran(job, "building", seconds);
}

void run_share_ended(struct live_job *job)
{
    job->lane->opened |= !job->planned.refused;
    if (job->planned.refused || job->until > 0)
        return;
    job->lane->preparation += clock_seconds() - job->started;
    job->lane->preparations++;
}

void run_share_overran(struct live_job *job, const char *what, double seconds)
{
    struct run_spending *spending = &job->run->spending;
    char took[QUANTITY_SIZE];
    (void)snprintf(spending->overran, sizeof spending->overran, "%s %.80s took %s", what, job->planned.test->test->name,
                   quantity_seconds(seconds, took));
}
