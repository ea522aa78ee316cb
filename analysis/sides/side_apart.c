// SPDX-License-Identifier: Apache-2.0
/* Tells devices of one name that have no UUID apart: by the machines of their runs, and by their hardware. */
#include "analysis/sides/side.h"
#include "analysis/sides/side_job.h"
#include "base/terminal/terminal.h"

const char *side_machine(struct arena *arena, const struct store_job_row *row)
{
    const char *host = row->host ? row->host : "";
    return strncmp(host, "(host)", 6) == 0 ? "" : arena_copy_part(arena, host, strcspn(host, ","));
}

static const char *hardware_of(struct arena *arena, const struct store_job_row *row)
{
    (void)arena;
    return row->hardware ? row->hardware : "";
}

/* A value of a trait among the jobs of one name, and the sides that have it. */
struct trait_value {
    const char *text;
    bool on[2];
};

struct trait {
    const char *(*of)(struct arena *arena, const struct store_job_row *row);
    const char *unknown; /* what stands for no value */
    struct trait_value *values;
    size_t count;
};

/* The jobs of one backend and name without a UUID, on one side or both. */
struct namesakes {
    struct side_job **jobs; /* those of A come first */
    size_t count, of_a;
    struct arena *arenas[2]; /* of the sides */
};

static void add_value(struct arena *arena, struct trait *trait, const char *text, int side)
{
    size_t i = 0;
    while (i < trait->count && strcmp(trait->values[i].text, text) != 0)
        i++;
    if (i == trait->count)
        ARENA_ADD(arena, trait->values, trait->count) = (struct trait_value){.text = text};
    trait->values[i].on[side] = true;
}

/* Several values of B are several devices. Several of A are, if B has one of them: else none of them can be said to be
 * B's device, such as where each night ran in a container with a name of its own. */
static bool tells_apart(const struct trait *trait)
{
    size_t of[2] = {0}, shared = 0;
    for (size_t i = 0; i < trait->count; i++) {
        of[0] += trait->values[i].on[0];
        of[1] += trait->values[i].on[1];
        shared += trait->values[i].on[0] && trait->values[i].on[1];
    }
    return of[1] > 1 || (of[0] > 1 && shared > 0);
}

static void tell_namesakes_apart(const struct namesakes *group)
{
    struct arena scratch = {0};
    struct trait traits[] = {{.of = side_machine, .unknown = "unnamed machine"},
                             {.of = hardware_of, .unknown = "unknown hardware"}};
    for (size_t t = 0; t < sizeof traits / sizeof *traits; t++) {
        struct trait *trait = &traits[t];
        for (size_t i = 0; i < group->count; i++)
            add_value(&scratch, trait, trait->of(&scratch, &group->jobs[i]->row), i >= group->of_a);
        for (size_t i = 0; tells_apart(trait) && i < group->count; i++) {
            struct side_job *job = group->jobs[i];
            const char *value = trait->of(&scratch, &job->row);
            job->apart = arena_print(group->arenas[i >= group->of_a], "%s%s%s", job->apart, *job->apart ? ", " : "",
                                     *value ? value : trait->unknown);
        }
    }
    arena_release(&scratch);
}

static int compare_names(const struct side_job *a, const struct side_job *b)
{
    const int order = strcmp(a->row.backend, b->row.backend);
    return order ? order : strcmp(a->row.device, b->row.device);
}

static int compare_namesakes(const void *left, const void *right)
{
    const struct side_job *a = *(struct side_job *const *)left, *b = *(struct side_job *const *)right;
    return compare_names(a, b);
}

/* The jobs of a side without a UUID, sorted by name. */
static struct side_job **list_nameless(struct arena *arena, struct side *side, size_t *count)
{
    struct side_job **jobs = arena_take(arena, side->job_count, sizeof *jobs);
    *count = 0;
    for (size_t i = 0; i < side->job_count; i++) {
        side->jobs[i].apart = "";
        if (!*side->jobs[i].row.device_uuid)
            jobs[(*count)++] = &side->jobs[i];
    }
    if (*count > 0)
        qsort(jobs, *count, sizeof *jobs, compare_namesakes);
    return jobs;
}

/* The first of the jobs from `at` on with another name. */
static size_t end_of_name(struct side_job *const *jobs, size_t count, size_t at)
{
    const struct side_job *first = jobs[at];
    while (at < count && compare_names(jobs[at], first) == 0)
        at++;
    return at;
}

void side_tell_apart(struct side *a, struct side *b)
{
    struct arena scratch = {0};
    size_t counts[2];
    struct side_job **lists[2] = {list_nameless(&scratch, a, &counts[0]), list_nameless(&scratch, b, &counts[1])};
    struct side_job **both = arena_take(&scratch, counts[0] + counts[1], sizeof(struct side_job *));
    for (size_t i = 0, j = 0; i < counts[0] || j < counts[1];) {
        struct namesakes group = {.jobs = both, .arenas = {&a->arena, &b->arena}};
        const int order = i == counts[0] ? 1 : j == counts[1] ? -1 : compare_names(lists[0][i], lists[1][j]);
        for (const size_t end = order <= 0 ? end_of_name(lists[0], counts[0], i) : i; i < end; i++)
            both[group.count++] = lists[0][i];
        group.of_a = group.count;
        for (const size_t end = order >= 0 ? end_of_name(lists[1], counts[1], j) : j; j < end; j++)
            both[group.count++] = lists[1][j];
        tell_namesakes_apart(&group);
    }
    arena_release(&scratch);
}

/* ---- what could not be told apart ---- */

/* Adds the sentence on the jobs of one name: how many machines, or databases that name none, were taken as one
 * device. */
static void describe_namesakes(struct side_job *const *jobs, size_t count, const char *start, struct text *text)
{
    enum { MOST = 4 };
    struct arena arena = {0};
    struct trait machines = {.of = NULL}, databases = {.of = NULL};
    struct text names = {0};
    for (size_t i = 0; i < count; i++) {
        const char *machine = side_machine(&arena, &jobs[i]->row);
        if (*machine)
            add_value(&arena, &machines, machine, 0);
        else
            add_value(&arena, &databases, jobs[i]->database ? jobs[i]->database : "", 0);
    }
    for (size_t i = 0; i < machines.count && i < MOST; i++) {
        text_add(&names, i > 0 ? ", " : "");
        terminal_add_safe(&names, machines.values[i].text);
    }
    if (machines.count + databases.count > 1) {
        text_add(text, "%s", start);
        terminal_add_safe(text, jobs[0]->row.device);
        text_add(text, " has no UUID, and its runs ");
        if (machines.count > 0)
            text_add(text, "on %zu machine%s (%s%s)", machines.count, machines.count == 1 ? "" : "s",
                     text_string(&names), machines.count > MOST ? " and others" : "");
        if (databases.count > 0)
            text_add(text, "%sin %zu database%s without the name of a machine", machines.count > 0 ? " and " : "",
                     databases.count, databases.count == 1 ? "" : "s");
        text_add(text, " were taken as those of one device.\n");
    }
    text_release(&names);
    arena_release(&arena);
}

void side_describe_machines(const struct side *side, const char *start, struct text *text)
{
    struct arena arena = {0};
    struct side_job **jobs = arena_take(&arena, side->job_count, sizeof *jobs);
    size_t count = 0;
    for (size_t i = 0; i < side->job_count; i++)
        if (!*side->jobs[i].row.device_uuid && side->jobs[i].apart && !*side->jobs[i].apart)
            jobs[count++] = &side->jobs[i];
    if (count > 0)
        qsort(jobs, count, sizeof *jobs, compare_namesakes);
    for (size_t at = 0, end; at < count; at = end) {
        end = end_of_name(jobs, count, at);
        describe_namesakes(&jobs[at], end - at, start, text);
    }
    arena_release(&arena);
}
