// SPDX-License-Identifier: Apache-2.0
/* Matching the samples of two sides, the circumstances in which they differ, and running the parts of a comparison in
 * order. */
#include "analysis/compare/compare.h"

#include <jansson.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/sides/side_job.h"
#include "analysis/words/words.h"
#include "base/circumstances.h"

/* ---- remarks: the circumstances in which the pairs differ, other than what is compared ---- */

static void add_remark(struct comparison *comparison, const struct remark *remark)
{
    const char *a = remark->value[SIDE_A], *b = remark->value[SIDE_B];
    FOR_EACH(struct remark, known, comparison->remarks, comparison->remark_count)
        if (strcmp(known->what, remark->what) == 0 && strcmp(known->value[SIDE_A], a) == 0 &&
            strcmp(known->value[SIDE_B], b) == 0 && known->so == remark->so) {
            known->tests++;
            return;
        }
    ARENA_ADD(&comparison->arena, comparison->remarks, comparison->remark_count) = *remark;
}

/* ---- who ran what ---- */

/* The distinct values of a text of the rows of a sample's runs, sorted by name. offset: of the text in a row. */
static const char *list_values(struct arena *arena, const struct sample *sample, size_t offset)
{
    const char *list = "";
    for (const char *last = "", *next;; last = next) {
        next = NULL;
        for (size_t i = 0; i < sample->run_count; i++) {
            const char *value = *(const char *const *)((const char *)sample->runs[i].row + offset);
            if (strcmp(value, last) > 0 && (!next || strcmp(value, next) < 0))
                next = value;
        }
        if (!next)
            return list;
        list = side_join(arena, list, next);
    }
}

/* Whether the compiled code was inspected, for a pair whose sides both have some; else nothing. */
static const char *inspection_of(const struct sample *sample, const struct sample *other)
{
    if (!sample->row.built || !other->row.built)
        return "";
    return sample->row.kept == TEST_NOT_INSPECTED ? "not inspected" : "inspected";
}

/* Whether launches that may overlap did, for a pair in which one side reports that they did not; else nothing. */
static const char *overlap_of(const struct sample *sample, const struct sample *other)
{
    if (!sample->row.built || !other->row.built || !((sample->row.marks | other->row.marks) & MARK_NOT_OVERLAPPED))
        return "";
    return sample->row.marks & MARK_NOT_OVERLAPPED ? "never: not tested there" : "yes";
}

/* The header whose functions the accesses are: "my.h:1a2b3c4d5e". */
static const char *header_of(const struct sample *sample)
{
    const char *const header = sample->row.lowering ? lowering_header(sample->row.lowering) : NULL;
    return header ? header : "none";
}

static void remark_traits(struct comparison *comparison, const struct sample *a, const struct sample *b)
{
    struct arena *arena = &comparison->arena;
    const size_t version = offsetof(struct store_job_row, tool_version), host = offsetof(struct store_job_row, host);
    const struct {
        const char *what, *a, *b;
        bool confounds;
    } traits[] = {
        {"backend", a->row.backend, b->row.backend, false},
        {"device", a->row.device, b->row.device, false},
        {"device UUID", a->row.device_uuid, b->row.device_uuid, false},
        {"platform", a->row.platform, b->row.platform, false},
        {"driver", a->row.driver, b->row.driver, false},
        {"compiler", a->row.compiler, b->row.compiler, true},
        {"header of the accesses", header_of(a), header_of(b), true},
        {"version of orchil", list_values(arena, a, version), list_values(arena, b, version), true},
        {"host", list_values(arena, a, host), list_values(arena, b, host), true},
        {"inspection of the compiled code", inspection_of(a, b), inspection_of(b, a), false},
        {"overlap of launches", overlap_of(a, b), overlap_of(b, a), true},
        {"name of the test", a->row.test, b->row.test, false},
        {"model of the target", a->target_model, b->target_model, false},
    };
    for (size_t t = 0; t < COUNT(traits); t++)
        if (strcmp(traits[t].a, traits[t].b) != 0)
            add_remark(comparison, &(struct remark){.what = traits[t].what,
                                                    .value = {traits[t].a, traits[t].b},
                                                    .tests = 1,
                                                    .confounds = traits[t].confounds});
}

static void remark_kernels(struct comparison *comparison, enum pair_kernels kernels)
{
    static const char *const follows[] = {
        [KERNELS_OF_DEVICES] = "rates are compared, since backends, devices and lowerings have kernels of their own",
        [KERNELS_REPLAYED] = "rates are compared, since a saved kernel was chosen",
        [KERNELS_DIFFER] = "rates are not compared; 'orchil run --kernels' replays saved ones",
    };
    if (kernels != KERNELS_EQUAL)
        add_remark(comparison,
                   &(struct remark){
                       .what = "kernel", .value = {"", ""}, .tests = 1, .confounds = true, .so = follows[kernels]});
}

/* ---- clocks and load ---- */

/* The circumstances of a sample's runs: means of what is known, and in how many runs each word of `throttle` was. */
enum { THROTTLE_WORDS = 6 };
static const char *const throttle_words[THROTTLE_WORDS] = {"power",      "thermal",    "slowdown",
                                                           "clocks-set", "sync-boost", "other"};

struct climate {
    double sums[CIRCUMSTANCE_COUNT];
    size_t known[CIRCUMSTANCE_COUNT], throttle[THROTTLE_WORDS], throttle_known;
};

static void add_climate(struct climate *climate, const struct sample *sample)
{
    for (size_t i = 0; i < sample->run_count; i++) {
        struct circumstances of;
        json_auto_t *object = json_loads(sample->runs[i].row->circumstances, 0, NULL);
        const bool read = circumstances_read(object, &of);
        if (!read)
            continue;
        for (int which = 0; which < CIRCUMSTANCE_COUNT; which++) {
            if (!(of.known >> which & 1))
                continue;
            climate->sums[which] += of.numbers[which];
            climate->known[which]++;
        }
        climate->throttle_known += of.throttle[0] != '\0';
        for (int word = 0; word < THROTTLE_WORDS; word++)
            climate->throttle[word] += text_has_word(of.throttle, throttle_words[word], strlen(throttle_words[word]));
    }
}

/* A processor whose load is twice its cores or more has other programs to run, and what a test shows depends on when
 * its threads get their turn. */
static double load_of(const struct sample *sample)
{
    static const double busy = 2;
    struct climate climate = {.throttle_known = 0};
    unsigned units;
    if (!store_is_processor(&sample->row, &units))
        return 0;
    add_climate(&climate, sample);
    if (units < 2 || climate.known[CIRCUMSTANCE_HOST_LOAD] == 0)
        return 0;
    const double load = climate.sums[CIRCUMSTANCE_HOST_LOAD] / (double)climate.known[CIRCUMSTANCE_HOST_LOAD];
    return load >= busy * units ? load : 0;
}

static double mean_of(const struct climate *climate, enum circumstance which)
{
    return climate->sums[which] / (double)climate->known[which];
}

static void remark_numbers(struct comparison *comparison, const struct climate climates[SIDES])
{
    static const double clear = 1.05; /* a factor between clocks */
    static const struct {
        enum circumstance which;
        const char *what, *unit;
        double factor;
    } numbers[] = {{CIRCUMSTANCE_SM_CLOCK, "clock of the multiprocessors", " MHz", clear},
                   {CIRCUMSTANCE_MEMORY_CLOCK, "clock of the memory", " MHz", clear},
                   {CIRCUMSTANCE_CPU_CLOCK, "clock of the processor", " MHz", clear},
                   {CIRCUMSTANCE_OTHER_PROCESSES, "number of other processes on the device", "", 1}};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const enum circumstance which = numbers[i].which;
        if (climates[SIDE_A].known[which] == 0 || climates[SIDE_B].known[which] == 0)
            continue;
        const double a = mean_of(&climates[SIDE_A], which), b = mean_of(&climates[SIDE_B], which);
        if (fmax(a, b) <= numbers[i].factor * fmin(a, b))
            continue;
        struct arena *arena = &comparison->arena;
        add_remark(comparison, &(struct remark){.what = numbers[i].what,
                                                .value = {arena_print(arena, "%.4g%s", a, numbers[i].unit),
                                                          arena_print(arena, "%.4g%s", b, numbers[i].unit)},
                                                .tests = comparison->pair_count,
                                                .confounds = true});
    }
}

/* A word that only one side has: in at least half of its jobs, and in less than a tenth of the other's. */
static void remark_throttle(struct comparison *comparison, const struct climate climates[SIDES])
{
    for (int word = 0; word < THROTTLE_WORDS; word++) {
        double share[SIDES];
        for (int side = 0; side < SIDES; side++)
            share[side] = (double)climates[side].throttle[word] / (double)climates[side].throttle_known;
        if (!(fmax(share[SIDE_A], share[SIDE_B]) >= 0.5 && fmin(share[SIDE_A], share[SIDE_B]) < 0.1))
            continue;
        struct arena *arena = &comparison->arena;
        add_remark(comparison,
                   &(struct remark){.what = arena_print(arena, "throttling of the device ('%s')", throttle_words[word]),
                                    .value = {arena_print(arena, "in %.0f %% of the jobs", 100 * share[SIDE_A]),
                                              arena_print(arena, "in %.0f %%", 100 * share[SIDE_B])},
                                    .tests = comparison->pair_count,
                                    .confounds = true});
    }
}

/* ---- samples without a match ---- */

/* Why a sample has no match, by what differs from the first sample of the same test on the other side. */
static const char *why_unmatched(struct comparison *comparison, const struct sample *sample, int side)
{
    const struct sample *other = side_find_test(comparison->side[1 - side], sample);
    if (!other)
        return "the other side has no job of this test";
    const unsigned free_ones = comparison->dimensions;
    const struct {
        const char *name, *mine, *theirs, *shown; /* shown: NULL if the value means nothing to people */
        bool is_free;
    } traits[] = {
        {"the test's content", sample->row.test_hash, other->row.test_hash, NULL, false},
        {"the backend", sample->row.backend, other->row.backend, other->row.backend, free_ones & DIMENSION_BACKEND},
        {"the device", sample->row.device, other->row.device, other->row.device, free_ones & DIMENSION_DEVICE},
        {"the device's UUID", sample->row.device_uuid, other->row.device_uuid, other->row.device_uuid,
         free_ones & DIMENSION_DEVICE},
        {"the machine or hardware", sample->apart, other->apart, other->apart, free_ones & DIMENSION_DEVICE},
        {"the platform", sample->row.platform, other->row.platform, other->row.platform, free_ones & DIMENSION_DRIVER},
        {"the driver", sample->row.driver, other->row.driver, other->row.driver, free_ones & DIMENSION_DRIVER},
        {"the lowering", store_requested_lowering(&sample->row), store_requested_lowering(&other->row),
         other->row.lowering, free_ones & DIMENSION_LOWERING},
        {"the environment", sample->row.environment_hash, other->row.environment_hash, other->row.profile, false},
        {"the source's model", sample->source_model, other->source_model, other->source_model, false},
        {"the target's model", sample->target_model, other->target_model, other->target_model,
         free_ones & (DIMENSION_BACKEND | DIMENSION_LOWERING)},
    };
    struct text reason = {0};
    for (size_t i = 0; i < COUNT(traits); i++) {
        if (traits[i].is_free || strcmp(traits[i].mine, traits[i].theirs) == 0)
            continue;
        text_add(&reason, "%s%s differs there", reason.size > 0 ? ", " : "", traits[i].name);
        if (traits[i].shown)
            words_add(&reason, " ($)", *traits[i].shown ? traits[i].shown : "none");
    }
    if (reason.size == 0)
        text_add(&reason, "its match is taken");
    return arena_keep(&comparison->arena, &reason);
}

static void add_unmatched(struct comparison *comparison, const struct sample *sample, int side)
{
    const struct unmatched lone = {sample, side, why_unmatched(comparison, sample, side)};
    ARENA_ADD(&comparison->arena, comparison->unmatched, comparison->unmatched_count) = lone;
}

static void compare_add_pair(struct comparison *comparison, const struct sample *a, const struct sample *b)
{
    ARENA_ADD(&comparison->arena, comparison->pairs, comparison->pair_count) =
        (struct sample_pair){.sample = {a, b}, .load = fmax(load_of(a), load_of(b))};
    compare_find_kernels(&comparison->pairs[comparison->pair_count - 1]);
    compare_pair(comparison, &comparison->pairs[comparison->pair_count - 1]);
    const struct sample *const samples[SIDES] = {a, b};
    for (int side = 0; side < SIDES; side++)
        if (samples[side]->run_count > comparison->runs[side])
            comparison->runs[side] = samples[side]->run_count;
}

/* Both sides are in the same order. */
static void match_samples(struct comparison *comparison)
{
    const struct side *a = comparison->side[SIDE_A], *b = comparison->side[SIDE_B];
    for (size_t i = 0, j = 0; i < a->sample_count || j < b->sample_count;) {
        const int order = i == a->sample_count ? 1
                          : j == b->sample_count
                              ? -1
                              : sample_compare(&a->samples[i], &b->samples[j], comparison->dimensions);
        if (order < 0)
            add_unmatched(comparison, &a->samples[i++], SIDE_A);
        else if (order > 0)
            add_unmatched(comparison, &b->samples[j++], SIDE_B);
        else
            compare_add_pair(comparison, &a->samples[i++], &b->samples[j++]);
    }
}

void compare_sides(struct side *a, struct side *b, const struct compare_options *options, struct comparison *comparison)
{
    side_tell_apart(a, b);
    *comparison = (struct comparison){.side = {a, b},
                                      .options = *options,
                                      .dimensions = side_find_dimensions(a, b, options->dimensions),
                                      .shared_jobs = side_shared_jobs(a, b)};
    side_lend_models(a, b);
    side_gather(a, comparison->dimensions);
    side_gather(b, comparison->dimensions);
    match_samples(comparison);
    compare_decide(comparison);
    compare_find(comparison);
    /* Lists the circumstances in which the pairs differ. */
    struct climate climates[SIDES] = {{.throttle_known = 0}};
    FOR_EACH(const struct sample_pair, pair, comparison->pairs, comparison->pair_count) {
        remark_traits(comparison, pair->sample[SIDE_A], pair->sample[SIDE_B]);
        remark_kernels(comparison, pair->kernels);
        for (int side = 0; side < SIDES; side++)
            add_climate(&climates[side], pair->sample[side]);
    }
    remark_numbers(comparison, climates);
    remark_throttle(comparison, climates);
}

ARENA_RELEASES(, comparison)
