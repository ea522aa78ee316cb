// SPDX-License-Identifier: Apache-2.0
/* The mutation scores of runs: gathered job by job, and listed beside each other. */
#include <stdlib.h>
#include <string.h>

#include "analysis/history/history_parts.h"
#include "base/memory.h"

static uint64_t witnesses_of(const struct side_job *job)
{
    uint64_t witnesses = 0;
    for (size_t i = 0; i < job->outcome_count; i++)
        witnesses += job->outcomes[i].witness ? job->outcomes[i].count : 0;
    return witnesses;
}

void history_add_score(struct arena *arena, struct history_device_run *device_run, const struct side_job *job)
{
    size_t at = 0;
    if (!job->mutant)
        return;
    while (at < device_run->score_count && strcmp(device_run->scores[at].dialect, job->row.dialect) != 0)
        at++;
    if (at == device_run->score_count)
        ARENA_ADD(arena, device_run->scores, device_run->score_count) =
            (struct history_score){.dialect = job->row.dialect, .profile = job->row.profile};
    mutation_score_add(&device_run->scores[at].score, witnesses_of(job), job->row.seconds);
}

struct scored_list {
    struct history_scored *of;
    size_t count, room;
};

static int by_place(const void *left, const void *right)
{
    const struct history_scored *a = left, *b = right;
    const struct history_device *first = a->device, *second = b->device;
    int order = strcmp(first->device, second->device);
    order = order ? order : strcmp(first->backend, second->backend);
    order = order ? order : strcmp(first->uuid, second->uuid);
    order = order ? order : strcmp(a->score->dialect, b->score->dialect);
    return order ? order : (a->device_run > b->device_run) - (a->device_run < b->device_run);
}

struct history_scored *history_list_scores(const struct history *history, size_t *count)
{
    struct scored_list list = {.count = 0};
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++)
            for (size_t s = 0; s < history->devices[d]->runs[r].score_count; s++)
                LIST_ADD(list.of, list.count, list.room) =
                    (struct history_scored){history->devices[d], r, &history->devices[d]->runs[r].scores[s]};
    if (list.count > 1)
        qsort(list.of, list.count, sizeof *list.of, by_place);
    *count = list.count;
    return list.of;
}
