// SPDX-License-Identifier: Apache-2.0
/* From the jobs of databases to series in order of time. */
#include <fnmatch.h>

#include "analysis/compare/compare.h"
#include "analysis/history/history.h"

/* Counts a job for the mutation scores of its run on a device, if it ran a mutant of a suite that asked for a score. */
static void history_add_score(struct arena *arena, struct history_device_run *device_run, const struct side_job *job)
{
    if (!job->mutant)
        return;
    const size_t at =
        INDEX_OF(score, device_run->scores, device_run->score_count, strcmp(score->dialect, job->row.dialect) == 0);
    if (at == device_run->score_count)
        ARENA_ADD(arena, device_run->scores, device_run->score_count) =
            (struct history_score){.dialect = job->row.dialect, .profile = job->row.profile};
    mutation_score_add(
        &device_run->scores[at].score,
        SUM_OF(uint64_t, outcome, job->outcomes, job->outcome_count, outcome->witness ? outcome->count : 0),
        job->row.seconds);
}

ORDERED_BY(by_place, const struct history_scored,
           strcmp(a->device->device, b->device->device) ?: strcmp(a->device->backend, b->device->backend)
               ?: strcmp(a->device->uuid, b->device->uuid) ?: strcmp(a->score->dialect, b->score->dialect)
               ?: ORDER(a->device_run, b->device_run))

struct history_scored *history_list_scores(const struct history *history, size_t *count)
{
    struct history_scored *list = NULL;
    size_t room = 0;
    *count = 0;
    for (size_t d = 0; d < history->device_count; d++)
        for (size_t r = 0; r < history->devices[d]->run_count; r++)
            for (size_t s = 0; s < history->devices[d]->runs[r].score_count; s++)
                LIST_ADD(list, *count, room) =
                    (struct history_scored){history->devices[d], r, &history->devices[d]->runs[r].scores[s]};
    SORT(list, *count, by_place);
    return list;
}

/* A job and where it belongs. */
struct placed_job {
    const struct side_job *job;
    const char *run_uuid;
    const char *kernel; /* the hash of its kernel; of a replayed one, the kernel that it replaces */
    size_t run;         /* of the history's, once they are in order */
};

struct entries {
    struct placed_job *list;
    size_t count;
};

/* ---- which jobs ---- */

static bool is_wanted(const struct history_options *options, const struct store_job_row *row)
{
    const bool device = !options->device || strcasestr(row->device, options->device) ||
                        strcasecmp(row->device_uuid, options->device) == 0;
    return device && (!options->test || fnmatch(options->test, row->test, 0) == 0);
}

static const char *identity_of(const struct store_job_row *row)
{
    return *row->device_uuid ? row->device_uuid : row->device;
}

static void take_jobs(const struct side *side, struct history *history, struct entries *entries)
{
    for (size_t i = 0; i < side->job_count; i++) {
        const struct store_job_row *row = &side->jobs[i].row;
        if (!is_wanted(&history->options, row))
            continue;
        entries->list[entries->count++] = (struct placed_job){
            .job = &side->jobs[i],
            .run_uuid = row->run_uuid && *row->run_uuid
                            ? row->run_uuid
                            : arena_print(&history->arena, "%s#%lld", side->title, (long long)row->run_id)};
    }
}

static int compare_devices(const struct store_job_row *left, const struct store_job_row *right)
{
    return strcmp(left->backend, right->backend) ?: strcmp(identity_of(left), identity_of(right));
}

static int compare_tests(const struct store_job_row *left, const struct store_job_row *right)
{
    return compare_devices(left, right) ?: strcmp(left->test, right->test) ?: strcmp(left->dialect, right->dialect)
           ?: strcmp(left->controls, right->controls)
           ?: strcmp(store_requested_lowering(left), store_requested_lowering(right));
}

/* Except for the kernel. */
static int compare_contents(const struct store_job_row *left, const struct store_job_row *right)
{
    return compare_tests(left, right) ?: strcmp(left->test_hash, right->test_hash)
           ?: strcmp(left->environment_hash, right->environment_hash);
}

int history_compare_jobs(const struct store_job_row *left, const struct store_job_row *right)
{
    return compare_contents(left, right) ?: strcmp(left->key, right->key) ?: ORDER(left->seed, right->seed)
           ?: ORDER(left->replicate, right->replicate);
}

/* 0 if both are the same job of one run, in whichever file. */
static int compare_jobs(const struct placed_job *a, const struct placed_job *b)
{
    return strcmp(a->run_uuid, b->run_uuid) ?: history_compare_jobs(&a->job->row, &b->job->row);
}

/* Of copies of a job, the one with the most data comes first. */
ORDERED_BY(by_job, const struct placed_job,
           compare_jobs(a, b) ?: ORDER(b->job->run.batch_count, a->job->run.batch_count))

/* ---- runs ---- */

ORDERED_BY(by_time, const struct history_run, strcmp(a->started_at, b->started_at) ?: strcmp(a->uuid, b->uuid))

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* The jobs are in order of their runs' UUIDs. */
static void list_runs(struct history *history, struct entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        const char *started = text_of(entries->list[i].job->row.started_at);
        if (i == 0 || strcmp(entries->list[i - 1].run_uuid, entries->list[i].run_uuid) != 0)
            ARENA_ADD(&history->arena, history->runs, history->run_count) =
                (struct history_run){.uuid = entries->list[i].run_uuid, .started_at = started};
        struct history_run *run = &history->runs[history->run_count - 1];
        run->jobs++;
        if (strcmp(started, run->started_at) < 0)
            run->started_at = started;
    }
    SORT(history->runs, history->run_count, by_time);
}

POINTERS_BY(by_uuid, const struct history_run, strcmp(a->uuid, b->uuid))

static void number_runs(const struct history *history, struct entries *entries)
{
    FREED const struct history_run **index = memory_take(history->run_count, sizeof *index);
    size_t at = 0;
    for (size_t i = 0; i < history->run_count; i++)
        index[i] = &history->runs[i];
    SORT(index, history->run_count, by_uuid);
    for (size_t i = 0; i < entries->count; i++) {
        while (strcmp(index[at]->uuid, entries->list[i].run_uuid) != 0)
            at++;
        entries->list[i].run = (size_t)(index[at] - history->runs);
    }
}

/* ---- the order of series ---- */

static int compare_segments(const struct placed_job *a, const struct placed_job *b)
{
    return compare_contents(&a->job->row, &b->job->row) ?: strcmp(a->kernel, b->kernel);
}

static int compare_runs(const struct placed_job *a, const struct placed_job *b)
{
    return ORDER(a->run, b->run) ?: compare_jobs(a, b);
}

ORDERED_BY(by_content, const struct placed_job, compare_contents(&a->job->row, &b->job->row) ?: compare_runs(a, b))

ORDERED_BY(by_series, const struct placed_job, compare_segments(a, b) ?: compare_runs(a, b))

/* ---- replayed kernels ---- */

static bool is_replayed(const struct placed_job *entry)
{
    return entry->job->row.marks & MARK_FROZEN;
}

/* A replayed kernel was chosen for a comparison with earlier runs: it counts as the kernel of the last run that was not
 * replayed, or of the first such run if none came before. The entries have equal content and are in order of time. */
static void stand_in(struct placed_job *entries, size_t count)
{
    const char *kernel = NULL;
    for (size_t i = 0; i < count && !kernel; i++)
        kernel = is_replayed(&entries[i]) ? NULL : entries[i].kernel;
    for (size_t i = 0; i < count; i++) {
        if (!is_replayed(&entries[i]))
            kernel = entries[i].kernel;
        else
            entries[i].kernel = kernel ? kernel : "";
    }
}

/* ---- runs of the device ---- */

struct device_run_jobs {
    const struct placed_job **list;
    size_t count;
};

static void read_circumstances(const char *text, struct circumstances *circumstances)
{
    json_auto_t *object = text ? json_loads(text, 0, NULL) : NULL;
    *circumstances = (struct circumstances){.known = 0};
    if (object)
        (void)circumstances_read(object, circumstances);
}

static void add_fact(struct arena *arena, struct history_device_run *device_run, enum history_fact fact,
                     const char *text)
{
    if (text && *text)
        device_run->facts[fact] = side_join(arena, device_run->facts[fact], text);
}

static void fill_device_run(struct arena *arena, const struct device_run_jobs *jobs,
                            struct history_device_run *device_run)
{
    FREED double *numbers = memory_take(jobs->count * CIRCUMSTANCE_COUNT, sizeof *numbers);
    size_t known[CIRCUMSTANCE_COUNT] = {0};
    for (size_t i = 0; i < HISTORY_FACT_COUNT; i++)
        device_run->facts[i] = "";
    for (size_t i = 0; i < jobs->count; i++) {
        const struct side_job *job = jobs->list[i]->job;
        struct circumstances circumstances;
        add_fact(arena, device_run, HISTORY_DRIVER, job->row.driver);
        add_fact(arena, device_run, HISTORY_TOOL, job->row.tool_version);
        add_fact(arena, device_run, HISTORY_COMPILER, job->row.compiler);
        add_fact(arena, device_run, HISTORY_HOST, job->row.host);
        add_fact(arena, device_run, HISTORY_MODELS, job->source_model);
        add_fact(arena, device_run, HISTORY_MODELS, job->target_model);
        read_circumstances(job->row.circumstances, &circumstances);
        add_fact(arena, device_run, HISTORY_THROTTLE, arena_copy(arena, circumstances.throttle));
        for (size_t c = 0; c < CIRCUMSTANCE_COUNT; c++)
            if (circumstances.known >> c & 1)
                numbers[c * jobs->count + known[c]++] = circumstances.numbers[c];
    }
    for (size_t c = 0; c < CIRCUMSTANCE_COUNT; c++)
        device_run->numbers[c] = known[c] > 0 ? statistics_median(numbers + c * jobs->count, known[c]) : NAN;
}

/* entries: all of the device. place: the device's number of each run of the history. */
static void list_device_runs(struct history *history, const struct placed_job *entries, size_t count,
                             struct history_device *device, size_t *place)
{
    FREED struct device_run_jobs *jobs = memory_take(history->run_count, sizeof *jobs);
    LOCAL(arena) arena = {0};
    for (size_t i = 0; i < count; i++) {
        struct device_run_jobs *of = &jobs[entries[i].run];
        ARENA_ADD(&arena, of->list, of->count) = &entries[i];
    }
    for (size_t run = 0; run < history->run_count; run++) {
        if (jobs[run].count == 0)
            continue;
        place[run] = device->run_count;
        ARENA_ADD(&history->arena, device->runs, device->run_count) = (struct history_device_run){.run = run};
        fill_device_run(&history->arena, &jobs[run], &device->runs[device->run_count - 1]);
        /* Some tests of a suite, chosen by name, have no score. */
        for (size_t i = 0; i < jobs[run].count && !history->options.test; i++)
            history_add_score(&history->arena, &device->runs[device->run_count - 1], jobs[run].list[i]->job);
    }
}

/* ---- one run of a segment ---- */

static uint64_t draws_of(uint64_t draws, const struct side_job *job)
{
    draws = (draws ^ job->run.key) * UINT64_C(0x9e3779b97f4a7c15);
    return (draws ^ draws >> 32) + job->row.seed;
}

/* The jobs of one run for the same test count as one: their batches are concatenated. */
static struct statistics_run join_jobs(struct arena *arena, const struct placed_job *entries, size_t count)
{
    struct statistics_run run = {.side = STATISTICS_A};
    if (count == 1) {
        const struct sample_run *only = &entries->job->run;
        return (struct statistics_run){.draws = draws_of(0, entries->job),
                                       .batch_count = only->batch_count,
                                       .numbers = only->numbers,
                                       .arguments = only->arguments,
                                       .sizes = only->counted};
    }
    for (size_t i = 0; i < count; i++)
        run.batch_count += entries[i].job->run.batch_count;
    uint32_t *numbers = arena_take(arena, run.batch_count, sizeof *numbers), next = 0;
    uint64_t *arguments = arena_take(arena, run.batch_count, sizeof *arguments);
    uint64_t *sizes = arena_take(arena, run.batch_count, sizeof *sizes);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample_run *from = &entries[i].job->run;
        const uint32_t start = next;
        run.draws = draws_of(run.draws, entries[i].job);
        for (size_t b = 0; b < from->batch_count; b++, at++) {
            numbers[at] = start + from->numbers[b];
            arguments[at] = from->arguments[b];
            sizes[at] = from->counted[b];
            next = numbers[at] + 1;
        }
    }
    run.numbers = numbers;
    run.arguments = arguments;
    run.sizes = sizes;
    return run;
}

static const uint64_t *join_counts(struct arena *arena, const struct placed_job *entries, size_t count,
                                   const struct statistics_run *run, const char *label)
{
    uint64_t *counts = NULL;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample_outcome *outcome =
            FIRST_OF(one, entries[i].job->outcomes, entries[i].job->outcome_count, strcmp(one->label, label) == 0);
        if (outcome && outcome->counts[0] && count == 1)
            return outcome->counts[0];
        if (outcome && outcome->counts[0]) {
            counts = counts ? counts : arena_take(arena, run->batch_count, sizeof *counts);
            memcpy(counts + at, outcome->counts[0], entries[i].job->run.batch_count * sizeof *counts);
        }
        at += entries[i].job->run.batch_count;
    }
    return counts;
}

/* ---- series ---- */

static struct history_series *series_of(struct arena *arena, struct history_segment *segment, size_t room,
                                        const struct sample_outcome *outcome)
{
    for (size_t i = 0; i < segment->series_count; i++)
        if (strcmp(segment->series[i].label, outcome->label) == 0)
            return &segment->series[i];
    ARENA_ADD(arena, segment->series, segment->series_count) =
        (struct history_series){.label = outcome->label,
                                .counts = arena_take(arena, room, sizeof(const uint64_t *)),
                                .points = arena_take(arena, room, sizeof(struct history_point)),
                                .number = SIZE_MAX};
    return &segment->series[segment->series_count - 1];
}

ORDERED_BY(by_label, const struct history_series, strcmp(a->label, b->label))

/* Outcomes that a model lists and no run has seen are not series. */
static void add_run(struct arena *arena, struct history_segment *segment, size_t room, const struct placed_job *entries,
                    size_t count)
{
    const size_t at = segment->run_count++;
    segment->runs[at] = join_jobs(arena, entries, count);
    for (size_t i = 0; i < count; i++) {
        FOR_EACH(const struct sample_outcome, outcome, entries[i].job->outcomes, entries[i].job->outcome_count) {
            if (outcome->count == 0)
                continue;
            struct history_series *series = series_of(arena, segment, room, outcome);
            series->count += outcome->count;
            series->witness |= outcome->witness;
            series->weak = compare_shows_weakness(outcome);
            series->verdict = sample_verdict(outcome);
            sample_add_ruling(&series->ruling, &outcome->ruling);
            if (!series->counts[at])
                series->counts[at] = join_counts(arena, entries, count, &segment->runs[at], outcome->label);
        }
    }
}

static void count_points(struct history_segment *segment)
{
    FOR_EACH(struct history_series, series, segment->series, segment->series_count) {
        series->segment = segment;
        for (size_t r = 0; r < segment->run_count; r++) {
            struct history_point *point = &series->points[r];
            *point = (struct history_point){.device_run = segment->device_runs[r], .interval = {0, 1}};
            for (size_t b = 0; b < segment->runs[r].batch_count; b++) {
                point->counted += segment->runs[r].sizes[b];
                point->count += series->counts[r] ? series->counts[r][b] : 0;
            }
            point->rate = (double)point->count / (double)point->counted;
        }
    }
}

static struct history_segment *make_segment(struct arena *arena, const struct placed_job *entries, size_t count,
                                            const size_t *place)
{
    struct history_segment *segment = arena_take(arena, 1, sizeof *segment);
    const struct store_job_row *row = &entries->job->row;
    *segment = (struct history_segment){.test_hash = row->test_hash,
                                        .environment_hash = row->environment_hash,
                                        .kernel_hash = entries->kernel,
                                        .kernels = arena_take(arena, count, sizeof(const char *)),
                                        .profile = row->profile,
                                        .runs = arena_take(arena, count, sizeof *segment->runs),
                                        .device_runs = arena_take(arena, count, sizeof *segment->device_runs)};
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && entries[to].run == entries[from].run)
            to++;
        segment->device_runs[segment->run_count] = place[entries[from].run];
        segment->kernels[segment->run_count] = text_of(entries[from].job->row.kernel_hash);
        add_run(arena, segment, count, entries + from, to - from);
    }
    SORT(segment->series, segment->series_count, by_label);
    count_points(segment);
    return segment;
}

POINTERS_BY(by_first_run, struct history_segment,
            ORDER(a->device_runs[0], b->device_runs[0]) ?: strcmp(a->environment_hash, b->environment_hash))

static struct history_test *make_test(struct arena *arena, const struct placed_job *entries, size_t count,
                                      const size_t *place)
{
    struct history_test *test = arena_take(arena, 1, sizeof *test);
    const struct store_job_row *row = &entries->job->row;
    *test = (struct history_test){.name = row->test,
                                  .dialect = row->dialect,
                                  .among = "",
                                  .controls = row->controls,
                                  .lowering = store_requested_lowering(row)};
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && compare_segments(&entries[from], &entries[to]) == 0)
            to++;
        struct history_segment *segment = make_segment(arena, entries + from, to - from, place);
        segment->test = test;
        ARENA_ADD(arena, test->segments, test->segment_count) = segment;
    }
    SORT(test->segments, test->segment_count, by_first_run);
    return test;
}

/* Jobs without counts have no rate. */
static size_t keep_counted(struct placed_job *entries, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].job->run.instances > 0)
            entries[kept++] = entries[i];
    return kept;
}

/* Tests are in order of name, then of dialect. */
static void name_dialects(struct history_test *const *tests, size_t count)
{
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && strcmp(tests[from]->name, tests[to]->name) == 0)
            to++;
        for (size_t i = from; i < to && strcmp(tests[from]->dialect, tests[to - 1]->dialect) != 0; i++)
            tests[i]->among = tests[i]->dialect;
    }
}

static void make_device(struct history *history, struct placed_job *entries, size_t count)
{
    struct arena *arena = &history->arena;
    struct history_device *device = arena_take(arena, 1, sizeof *device);
    const struct store_job_row *row = &entries[count - 1].job->row;
    FREED size_t *place = memory_take(history->run_count, sizeof *place);
    *device = (struct history_device){.backend = row->backend, .device = row->device, .uuid = row->device_uuid};
    list_device_runs(history, entries, count, device, place);
    count = keep_counted(entries, count);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && compare_tests(&entries[from].job->row, &entries[to].job->row) == 0)
            to++;
        struct history_test *test = make_test(arena, entries + from, to - from, place);
        test->number = device->test_count;
        ARENA_ADD(arena, device->tests, device->test_count) = test;
        for (size_t i = 0; i < test->segment_count; i++)
            for (size_t s = 0; s < test->segments[i]->series_count; s++)
                ARENA_ADD(arena, device->series, device->series_count) = &test->segments[i]->series[s];
    }
    name_dialects(device->tests, device->test_count);
    ARENA_ADD(arena, history->devices, history->device_count) = device;
}

void history_gather(const struct side *sides, size_t count, struct history *history)
{
    const size_t most = SUM_OF(size_t, one, sides, count, one->job_count);
    struct entries entries = {.list = memory_take(most, sizeof *entries.list)};
    for (size_t i = 0; i < count; i++)
        take_jobs(&sides[i], history, &entries);
    size_t kept = 0;
    SORT(entries.list, entries.count, by_job);
    for (size_t i = 0; i < entries.count; i++)
        if (kept == 0 || compare_jobs(&entries.list[kept - 1], &entries.list[i]) != 0)
            entries.list[kept++] = entries.list[i];
    history->duplicate_jobs = entries.count - kept;
    entries.count = kept;
    list_runs(history, &entries);
    number_runs(history, &entries);
    for (size_t i = 0; i < entries.count; i++)
        entries.list[i].kernel = text_of(entries.list[i].job->row.kernel_hash);
    SORT(entries.list, entries.count, by_content);
    for (size_t from = 0, to = 0; from < entries.count; from = to) {
        while (to < entries.count && compare_contents(&entries.list[from].job->row, &entries.list[to].job->row) == 0)
            to++;
        stand_in(entries.list + from, to - from);
    }
    SORT(entries.list, entries.count, by_series);
    for (size_t from = 0, to = 0; from < entries.count; from = to) {
        while (to < entries.count && compare_devices(&entries.list[from].job->row, &entries.list[to].job->row) == 0)
            to++;
        make_device(history, entries.list + from, to - from);
    }
    free(entries.list);
}

/* ---- breaks ---- */

static void add_break(struct arena *arena, struct history_device *device, const struct history_segment *before,
                      const struct history_segment *after)
{
    const struct history_break found = {.device_run = after->device_runs[0],
                                        .test = strcmp(before->test_hash, after->test_hash) != 0,
                                        .environment = strcmp(before->environment_hash, after->environment_hash) != 0,
                                        .kernel = strcmp(before->kernel_hash, after->kernel_hash) != 0,
                                        .first = after->test,
                                        .tests = 1};
    FOR_EACH(struct history_break, known, device->breaks, device->break_count) {
        if (known->device_run != found.device_run || known->test != found.test ||
            known->environment != found.environment || known->kernel != found.kernel)
            continue;
        known->tests++;
        return;
    }
    ARENA_ADD(arena, device->breaks, device->break_count) = found;
}

ORDERED_BY(by_device_run, const struct history_break, ORDER(a->device_run, b->device_run))

/* A segment that begins where another ended continues it; one that overlaps others does not. */
void history_find_breaks(struct arena *arena, struct history_device *device)
{
    for (size_t t = 0; t < device->test_count; t++) {
        const struct history_test *test = device->tests[t];
        for (size_t i = 1; i < test->segment_count; i++) {
            const struct history_segment *before = NULL;
            for (size_t b = 0; b < i; b++) {
                const struct history_segment *other = test->segments[b];
                if (other->device_runs[other->run_count - 1] < test->segments[i]->device_runs[0] &&
                    (!before || other->device_runs[other->run_count - 1] >= before->device_runs[before->run_count - 1]))
                    before = other;
            }
            if (before)
                add_break(arena, device, before, test->segments[i]);
        }
    }
    SORT(device->breaks, device->break_count, by_device_run);
}
