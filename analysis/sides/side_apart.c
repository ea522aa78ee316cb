// SPDX-License-Identifier: Apache-2.0
/* Tells devices of one name that have no UUID apart: by the machines of their runs, and by their hardware. And says
 * where runs were taken together that may be of several machines or drivers. */
#include "analysis/sides/side_job.h"

const char *side_machine(struct arena *arena, const struct store_job_row *row)
{
    const char *host = row->host ? row->host : "";
    return strncmp(host, "(host)", 6) == 0 ? "" : arena_copy_part(arena, host, strcspn(host, ","));
}

/* The jobs of one backend and name without a UUID, on one side or both. */
struct namesakes {
    struct side_job **jobs;
    size_t count;
    struct side *a, *b;
};

static bool is_of_b(const struct namesakes *group, size_t at)
{
    return group->jobs[at] >= group->b->jobs && group->jobs[at] < group->b->jobs + group->b->job_count;
}

/* The different values of something among such jobs, and the sides that have each. */
struct traits {
    struct trait {
        const char *text;
        bool on[2];
    } * list;
    size_t count;
};

static void add_trait(struct arena *arena, struct traits *traits, const char *text, bool of_b)
{
    const size_t i = INDEX_OF(one, traits->list, traits->count, strcmp(one->text, text) == 0);
    if (i == traits->count)
        ARENA_ADD(arena, traits->list, traits->count) = (struct trait){.text = text};
    traits->list[i].on[of_b] = true;
}

/* Several values of B are several devices. Several of A are, if B has one of them: else none of them can be said to be
 * B's device, such as where each night ran in a container with a name of its own. */
static bool tells_apart(const struct traits *traits)
{
    size_t of[2] = {0}, shared = 0;
    for (size_t i = 0; i < traits->count; i++) {
        of[0] += traits->list[i].on[0];
        of[1] += traits->list[i].on[1];
        shared += traits->list[i].on[0] && traits->list[i].on[1];
    }
    return of[1] > 1 || (of[0] > 1 && shared > 0);
}

static void tell_namesakes_apart(const struct namesakes *group)
{
    LOCAL(arena) scratch = {0};
    const char **values = arena_take(&scratch, group->count, sizeof *values);
    for (int by_hardware = 0; by_hardware < 2; by_hardware++) {
        struct traits traits = {.count = 0};
        for (size_t i = 0; i < group->count; i++) {
            const struct store_job_row *row = &group->jobs[i]->row;
            const char *machine = side_machine(&scratch, row), *named = *machine ? machine : "unnamed machine";
            values[i] = !by_hardware ? named : row->hardware ? row->hardware : "unknown hardware";
            add_trait(&scratch, &traits, values[i], is_of_b(group, i));
        }
        for (size_t i = 0; tells_apart(&traits) && i < group->count; i++) {
            struct side_job *job = group->jobs[i];
            job->apart = arena_print(is_of_b(group, i) ? &group->b->arena : &group->a->arena, "%s%s%s", job->apart,
                                     *job->apart ? ", " : "", values[i]);
        }
    }
}

POINTERS_BY(compare_namesakes, const struct side_job,
            strcmp(a->row.backend, b->row.backend) ?: strcmp(a->row.device, b->row.device))

/* Takes the jobs of the next name from the sorted jobs of `all`; false after the last. */
static bool next_name(const struct namesakes *all, struct namesakes *group)
{
    group->jobs = group->jobs ? group->jobs + group->count : all->jobs;
    const size_t left = all->count - (size_t)(group->jobs - all->jobs);
    for (group->count = 0; group->count < left;)
        if (compare_namesakes(&group->jobs[0], &group->jobs[group->count]) == 0)
            group->count++;
        else
            break;
    return group->count > 0;
}

/* Adds the jobs of a side without a UUID that are not told apart. */
static void add_jobs(struct arena *arena, const struct side *side, struct namesakes *all)
{
    for (size_t i = 0; i < side->job_count; i++)
        if (!*side->jobs[i].row.device_uuid && side->jobs[i].apart && !*side->jobs[i].apart)
            ARENA_ADD(arena, all->jobs, all->count) = &side->jobs[i];
    SORT(all->jobs, all->count, compare_namesakes);
}

void side_tell_apart(struct side *a, struct side *b)
{
    struct side *const sides[] = {a, b};
    LOCAL(arena) scratch = {0};
    struct namesakes all = {.a = a, .b = b}, group = all;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides[side]->job_count; i++)
            sides[side]->jobs[i].apart = "";
        add_jobs(&scratch, sides[side], &all);
    }
    while (next_name(&all, &group))
        tell_namesakes_apart(&group);
}

static void add_list(const struct traits *traits, size_t most, struct text *text)
{
    for (size_t i = 0; i < traits->count && i < most; i++) {
        text_add(text, i > 0 ? ", " : "");
        terminal_add_safe(text, traits->list[i].text);
    }
}

void side_describe_machines(const struct side *side, const char *start, struct text *text)
{
    LOCAL(arena) arena = {0};
    struct namesakes all = {.count = 0}, group = all;
    add_jobs(&arena, side, &all);
    while (next_name(&all, &group)) {
        struct traits places = {.count = 0};
        for (size_t i = 0; i < group.count; i++) {
            const char *machine = side_machine(&arena, &group.jobs[i]->row), *database = group.jobs[i]->database;
            add_trait(&arena, &places, *machine || !database ? machine : database, false);
        }
        if (places.count < 2)
            continue;
        text_add(text, "%s", start);
        terminal_add_safe(text, group.jobs[0]->row.device);
        text_add(text, " has no UUID, and its runs of %zu machines or databases were taken as those of one device: ",
                 places.count);
        add_list(&places, 4, text);
        text_add(text, "%s.\n", places.count > 4 ? " and others" : "");
    }
}

static bool same_device(const struct side_job *a, const struct side_job *b)
{
    return strcmp(a->row.backend, b->row.backend) == 0 && strcmp(a->row.device, b->row.device) == 0 &&
           strcmp(a->row.device_uuid, b->row.device_uuid) == 0 &&
           strcmp(a->apart ? a->apart : "", b->apart ? b->apart : "") == 0;
}

void side_describe_drivers(const struct side *side, const char *start, struct text *text)
{
    LOCAL(arena) arena = {0};
    for (size_t i = 0; i < side->job_count; i++) {
        struct traits drivers = {.count = 0};
        bool first = true; /* of its device */
        for (size_t k = 0; k < side->job_count && first; k++) {
            if (!same_device(&side->jobs[k], &side->jobs[i]))
                continue;
            first = k >= i;
            add_trait(&arena, &drivers, side->jobs[k].row.driver, false);
        }
        if (!first || drivers.count < 2)
            continue;
        text_add(text, "%sThe runs on ", start);
        terminal_add_safe(text, side->jobs[i].row.device);
        text_add(text, " are of %zu drivers (", drivers.count);
        add_list(&drivers, drivers.count, text);
        text_add(text, "), so they do not show how much runs of one driver vary: name the runs or databases of one of "
                       "them.\n");
    }
}
