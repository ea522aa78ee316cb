// SPDX-License-Identifier: Apache-2.0
/* Minimising from start to end. */
#include "hunt/minimise/minimise.h"
#include "hunt/minimise/minimise_edit.h"
#include "hunt/minimise/minimising.h"
#include "verdicts/verdicts.h"

/* A step that costs at most this factor of the rate is taken at once; of costlier steps the cheapest is taken. */
static const double small_loss = 2;

/* The search on one level: units are removed or kept whole. */
struct reduction {
    struct minimising *minimising;
    parameter_set units[PARAMETER_COUNT];
    size_t unit_count;
};

/* A candidate setting, with its first trial. */
struct candidate {
    parameter_set set;
    struct minimise_trial trial;
};

/* The current setting. */
static struct minimise_setting *minimising_now(const struct minimising *minimising)
{
    return &minimising->settings[minimising->setting_count - 1];
}

static parameter_set active_now(const struct reduction *reduction)
{
    return minimise_active(&minimising_now(reduction->minimising)->environment);
}

static struct minimise_setting setting_of(const struct reduction *reduction, parameter_set set)
{
    struct minimise_setting setting = *minimising_now(reduction->minimising);
    setting.environment = minimise_neutral(&setting.environment, set);
    return setting;
}

/* "without jitter", "with stride alone" or "everything neutral", whichever is shortest. */
static char *minimise_describe(const struct reduction *reduction, parameter_set set)
{
    const parameter_set active = active_now(reduction);
    struct text text = {0};
    if (set == 0)
        text_add(&text, "everything neutral");
    else if (__builtin_popcountll(set) < __builtin_popcountll(active & ~set)) {
        text_add(&text, "with nothing but ");
        minimise_print_set(set, active, &text);
    } else {
        text_add(&text, "without ");
        minimise_print_set(active & ~set, active, &text);
    }
    return text_take(&text);
}

static bool has_failed(const struct reduction *reduction, parameter_set set)
{
    const struct minimising *minimising = reduction->minimising;
    return ANY_OF(one, minimising->failed, minimising->failed_count, *one == set);
}

/* Notes that a set of parameters is not enough. */
static void minimising_keep_failed(struct minimising *minimising, parameter_set set)
{
    LIST_ADD(minimising->failed, minimising->failed_count, minimising->failed_room) = set;
}

static struct minimise_trial minimise_measure(struct minimising *minimising, const struct minimise_setting *setting,
                                              const struct minimise_ask *ask, struct minimise_best *best)
{
    struct minimise_trial trial = {.seed = ask->seed};
    minimising->bench->measure(setting, ask, &trial, best, minimising->bench->context);
    if (trial.state == JOB_NOT_RUN) {
        minimising->lost = true;
        (void)snprintf(minimising->minimal->why, sizeof minimising->minimal->why, "%s", trial.why);
    }
    return trial;
}

static struct minimise_trial measure_seed(struct minimising *minimising, const struct minimise_setting *setting,
                                          unsigned number)
{
    const struct minimise_ask ask = {.seed = minimising->options->seed + number,
                                     .seconds = minimising->trial_seconds,
                                     .required = minimising->required};
    return minimise_measure(minimising, setting, &ask, NULL);
}

enum { FAIR_REPEATS = 3 }; /* of a trial while the current setting fails too */

/* Whether a trial is good enough. */
static bool minimising_passes(const struct minimising *minimising, const struct minimise_trial *trial)
{
    return trial->state == JOB_COMPLETED && trial->seen > 0 &&
           (minimising->rare || minimise_rate(trial) >= minimising->required);
}

/* ---- trials ---- */

static double now_seconds(const struct minimising *minimising)
{
    return minimising->bench->clock(minimising->bench->context);
}

static bool is_over(const struct minimising *minimising)
{
    return minimising->status != STATUS_OK || minimising->lost ||
           minimising->bench->stopped(minimising->bench->context);
}

/* Whether there is time, and a device, for another trial; sets late. */
static bool minimising_goes_on(struct minimising *minimising)
{
    minimising->late |= now_seconds(minimising) >= minimising->stage_end;
    return !is_over(minimising) && now_seconds(minimising) < minimising->stage_end;
}

/* Whether an accepted setting still passes now. */
static bool still_passes(struct minimising *minimising, const struct minimise_setting *setting, unsigned number)
{
    const struct minimise_trial trial = measure_seed(minimising, setting, number);
    return minimising_passes(minimising, &trial);
}

/* A trial below the bar counts against its setting only if the current setting passes right afterwards and the new
 * setting then fails again: else the machine may have been busy. For rare outcomes there is no time for this. */
static struct minimise_trial measure_fairly(struct minimising *minimising, const struct minimise_setting *setting,
                                            unsigned number)
{
    struct minimise_trial trial = measure_seed(minimising, setting, number);
    bool fair = minimising->rare;
    for (int i = 0; i < FAIR_REPEATS && !fair && trial.state == JOB_COMPLETED &&
                    !minimising_passes(minimising, &trial) && minimising_goes_on(minimising);
         i++) {
        fair = still_passes(minimising, minimising_now(minimising), number);
        if (!is_over(minimising))
            trial = measure_seed(minimising, setting, number);
    }
    return trial;
}

/* ---- steps ---- */

/* "kept: seen 3 times in 1.0 s with seed 7", or how the trial ended. */
static const char *tell_trial(struct minimising *minimising, const char *word, const struct minimise_trial *trial)
{
    struct arena *arena = &minimising->minimal->arena;
    if (trial->state != JOB_COMPLETED)
        return arena_print(arena, "%s%s: %s", word, job_state_word(trial->state), trial->why);
    return arena_print(arena, "%sseen %s times in %s with seed %llu", word, QUANTITY_COUNT(trial->seen),
                       QUANTITY_SECONDS(trial->seconds), (unsigned long long)trial->seed);
}

static void minimise_add_step(struct minimising *minimising, const struct minimise_step *step)
{
    struct minimal *minimal = minimising->minimal;
    const double left = minimising->end - now_seconds(minimising);
    LIST_ADD(minimal->steps, minimal->step_count, minimal->step_room) = *step;
    minimising->listener->tried(step, left > 0 ? left : 0, minimising->listener->context);
}

/* Adds a step that failed in its first trial. */
static void minimising_undo(struct minimising *minimising, enum minimise_stage stage, const char *what,
                            const struct minimise_trial *trial)
{
    const struct minimise_step step = {.stage = stage,
                                       .what = arena_copy(&minimising->minimal->arena, what),
                                       .result = tell_trial(minimising, "undone: ", trial),
                                       .rate_before = minimising_now(minimising)->rate,
                                       .rate = minimise_rate(trial),
                                       .trials = {*trial},
                                       .trial_count = 1};
    minimise_add_step(minimising, &step);
}

/* Runs the first trial of a set; if it is not good enough, reports this and returns false. */
static bool screen(struct reduction *reduction, struct candidate *candidate)
{
    const struct minimise_setting setting = setting_of(reduction, candidate->set);
    candidate->trial = measure_fairly(reduction->minimising, &setting, 0);
    if (minimising_passes(reduction->minimising, &candidate->trial))
        return true;
    FREED char *what = minimise_describe(reduction, candidate->set);
    minimising_undo(reduction->minimising, MINIMISE_STAGE_ENVIRONMENT, what, &candidate->trial);
    minimising_keep_failed(reduction->minimising, candidate->set);
    return false;
}

/* The rate over all trials of a step. */
static double whole_rate(const struct minimise_step *step)
{
    struct minimise_trial all = {0};
    for (unsigned i = 0; i < step->trial_count; i++)
        all.seen += step->trials[i].seen, all.seconds += step->trials[i].seconds;
    return minimise_rate(&all);
}

static double lowest_rate(const struct minimise_step *step)
{
    double lowest = step->trial_count > 0 ? minimise_rate(&step->trials[0]) : 0;
    for (unsigned i = 1; i < step->trial_count; i++)
        if (minimise_rate(&step->trials[i]) < lowest)
            lowest = minimise_rate(&step->trials[i]);
    return lowest;
}

static void take_setting(struct minimising *minimising, const struct minimise_setting *setting, double rate)
{
    const struct minimise_setting taken = *setting; /* *setting may be in the list that grows */
    LIST_ADD(minimising->settings, minimising->setting_count, minimising->setting_room) = taken;
    minimising_now(minimising)->rate = rate;
}

/* Tries a setting: the first trial and, if it is good enough, the others. Reports the step, described by `what` (which
 * is copied), and adds the setting if it is kept. first: NULL, or the first trial if it has already run. */
static bool minimising_try(struct minimising *minimising, enum minimise_stage stage, const char *what,
                           const struct minimise_setting *setting, const struct minimise_trial *first)
{
    struct minimise_step step = {.stage = stage,
                                 .what = arena_copy(&minimising->minimal->arena, what),
                                 .rate_before = minimising_now(minimising)->rate};
    bool passes = true;
    while (passes && step.trial_count < MINIMISE_SEEDS && !is_over(minimising)) {
        struct minimise_trial *trial = &step.trials[step.trial_count];
        *trial = first && step.trial_count == 0 ? *first : measure_fairly(minimising, setting, step.trial_count);
        step.trial_count++;
        passes = minimising_passes(minimising, trial);
    }
    if (step.trial_count == 0)
        return false;
    step.rate = minimising->rare ? whole_rate(&step) : lowest_rate(&step);
    step.kept = passes && step.trial_count == MINIMISE_SEEDS && step.rate >= minimising->required;
    step.result = tell_trial(minimising, step.kept ? "kept: " : "undone: ", &step.trials[step.trial_count - 1]);
    if (step.kept)
        take_setting(minimising, setting, step.rate);
    minimise_add_step(minimising, &step);
    return step.kept;
}

/* ---- the fewest parameters: delta debugging over those that are not neutral ---- */

/* Confirms a set and makes it the current one, without the units that it lacks. */
static bool minimise_take(struct reduction *reduction, const struct candidate *candidate)
{
    const struct minimise_setting setting = setting_of(reduction, candidate->set);
    FREED char *what = minimise_describe(reduction, candidate->set);
    const bool kept =
        minimising_try(reduction->minimising, MINIMISE_STAGE_ENVIRONMENT, what, &setting, &candidate->trial);
    if (!kept)
        minimising_keep_failed(reduction->minimising, candidate->set);
    size_t count = 0;
    for (size_t i = 0; kept && i < reduction->unit_count; i++)
        if (reduction->units[i] & candidate->set)
            reduction->units[count++] = reduction->units[i] & candidate->set;
    reduction->unit_count = kept ? count : reduction->unit_count;
    return kept;
}

/* Piece number `piece` of `pieces` of the units. */
static parameter_set piece_of(const struct reduction *reduction, size_t piece, size_t pieces)
{
    parameter_set set = 0;
    const size_t end = (piece + 1) * reduction->unit_count / pieces;
    for (size_t i = piece * reduction->unit_count / pieces; i < end; i++)
        set |= reduction->units[i];
    return set;
}

/* Tries each piece alone, or everything except each piece. */
static bool try_pieces(struct reduction *reduction, size_t pieces, bool alone)
{
    struct candidate candidates[PARAMETER_COUNT];
    size_t count = 0;
    const parameter_set active = active_now(reduction);
    for (size_t i = 0; i < pieces && minimising_goes_on(reduction->minimising); i++) {
        const parameter_set piece = piece_of(reduction, i, pieces);
        struct candidate candidate = {.set = minimise_effective(alone ? piece : active & ~piece)};
        if (candidate.set == active || has_failed(reduction, candidate.set) || !screen(reduction, &candidate))
            continue;
        const double rate = minimise_rate(&candidate.trial), before = minimising_now(reduction->minimising)->rate;
        if (rate * small_loss < before)
            candidates[count++] = candidate;
        else if (minimise_take(reduction, &candidate))
            return true;
    }
    /* Takes the best of the candidates that can be confirmed. */
    for (size_t left = count; left > 0 && minimising_goes_on(reduction->minimising); left--) {
        size_t best = 0;
        for (size_t i = 1; i < left; i++)
            if (minimise_rate(&candidates[i].trial) > minimise_rate(&candidates[best].trial))
                best = i;
        if (minimise_take(reduction, &candidates[best]))
            return true;
        candidates[best] = candidates[left - 1];
    }
    return false;
}

/* The algorithm ddmin: ever fewer units, in ever smaller pieces. */
static void minimise_reduce(struct reduction *reduction)
{
    size_t pieces = reduction->unit_count > 1 ? 2 : 1;
    while (reduction->unit_count > 0 && minimising_goes_on(reduction->minimising)) {
        if (pieces > 1 && try_pieces(reduction, pieces, true))
            pieces = 2;
        else if (pieces != 2 && try_pieces(reduction, pieces, false))
            pieces = pieces > 2 ? pieces - 1 : 1;
        else if (pieces >= reduction->unit_count)
            return;
        else
            pieces *= 2;
        if (pieces > reduction->unit_count)
            pieces = reduction->unit_count;
    }
}

/* Sets the units to the active mechanisms, or to each active parameter. */
static void set_units(struct reduction *reduction, bool whole)
{
    const parameter_set active = active_now(reduction);
    reduction->unit_count = 0;
    for (enum mechanism_group group = 0; group < MECHANISM_GROUP_COUNT; group++) {
        const parameter_set members = minimise_mechanism(group) & active;
        for (enum parameter i = 0; i < PARAMETER_COUNT && !whole; i++)
            if (members >> i & 1)
                reduction->units[reduction->unit_count++] = (parameter_set)1 << i;
        if (whole && members)
            reduction->units[reduction->unit_count++] = members;
    }
}

/* The stages: everything neutral, fewer rounds, single values, fewer parameters, a smaller test. */
static void minimise_to_nothing(struct minimising *minimising)
{
    struct reduction reduction = {.minimising = minimising};
    struct candidate nothing = {.set = 0};
    if (active_now(&reduction) != 0 && !has_failed(&reduction, 0) && minimising_goes_on(minimising) &&
        screen(&reduction, &nothing))
        (void)minimise_take(&reduction, &nothing);
}

/* ---- single values instead of ranges ---- */

static const double short_batch = 0.1;  /* seconds */
static const double loss_of_values = 2; /* factor of the rate that shorter batches may cost */

/* Candidate single values, with their first trial. */
struct value_candidate {
    struct minimise_setting setting;
    struct minimise_trial trial;
    char what[64];
};

/* Takes the drawn values only of parameters that are still ranges: the others are neutral or cut by now. */
static struct value_candidate values_of(const struct minimising *minimising, const struct environment *drawn)
{
    struct value_candidate values = {.setting = *minimising_now(minimising)};
    values.setting.environment = minimise_fixed(&values.setting.environment, drawn);
    return values;
}

/* Lists the values to try; returns how many. */
static size_t list_values(const struct minimising *minimising, struct value_candidate list[MINIMISE_BEST + 1])
{
    const struct minimise_best *best = &minimising->best;
    const struct environment middle = minimise_middle(&minimising_now(minimising)->environment);
    for (size_t i = 0; i < best->count; i++) {
        list[i] = values_of(minimising, &best->environments[i]);
        (void)snprintf(list[i].what, sizeof list[i].what, "values of the %s batch",
                       (const char *[]){"best", "second best", "third best", "fourth best"}[i]);
    }
    list[best->count] = values_of(minimising, &middle);
    (void)snprintf(list[best->count].what, sizeof list->what, "values in the middle of the ranges");
    return best->count + 1;
}

/* Keeps the values whose first trial is good enough; returns how many. */
static size_t screen_values(struct minimising *minimising, struct value_candidate *list, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count && minimising_goes_on(minimising); i++) {
        list[i].trial = measure_fairly(minimising, &list[i].setting, 0);
        if (minimising_passes(minimising, &list[i].trial))
            list[left++] = list[i];
        else
            minimising_undo(minimising, MINIMISE_STAGE_FIXED, list[i].what, &list[i].trial);
    }
    return left;
}

static void fix_values(struct minimising *minimising)
{
    struct value_candidate list[MINIMISE_BEST + 1];
    size_t count = screen_values(minimising, list, list_values(minimising, list));
    for (; count > 0 && minimising_goes_on(minimising); count--) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (minimise_rate(&list[i].trial) > minimise_rate(&list[best].trial))
                best = i;
        if (minimising_try(minimising, MINIMISE_STAGE_FIXED, list[best].what, &list[best].setting, &list[best].trial)) {
            minimising->failed_count = 0; /* they were for other values */
            return;
        }
        list[best] = list[count - 1];
    }
}

static void minimise_fix(struct minimising *minimising)
{
    if (!minimise_is_fixed(&minimising_now(minimising)->environment))
        fix_values(minimising);
}

/* Cuts the rounds of long batches, so that trials can end as soon as they have shown enough, unless this costs too much
 * of the rate. */
static void shorten(struct minimising *minimising)
{
    struct minimise_setting setting = *minimising_now(minimising);
    struct environment_range *rounds = &setting.environment.rounds;
    if (minimising->rare || minimising->batch_seconds < 2 * short_batch || rounds->high < 2 ||
        !minimising_goes_on(minimising))
        return;
    const double factor = short_batch / minimising->batch_seconds;
    const uint32_t fewer = (uint32_t)(rounds->high * factor);
    rounds->low = rounds->high = fewer < 1 ? 1 : fewer;
    minimising->batch_seconds = 0; /* once is enough */
    const char *const what = PRINTED(64, "%u rounds in a batch", rounds->high);
    const struct minimise_trial first = measure_fairly(minimising, &setting, 0);
    if (minimise_rate(&first) * loss_of_values < minimising_now(minimising)->rate)
        minimising_undo(minimising, MINIMISE_STAGE_FIXED, what, &first);
    else
        (void)minimising_try(minimising, MINIMISE_STAGE_FIXED, what, &setting, &first);
}

/* ---- the smallest part of the test ---- */

static const double judging_seconds = 5; /* for a smaller test, which is faster to judge than the whole */

/* A smaller test as a setting; its texts and values are in the arena. */
static struct minimise_setting setting_of_test(struct minimising *minimising, struct litmus_test *test,
                                               const struct text *text, const int64_t *values)
{
    struct arena *arena = &minimising->minimal->arena;
    struct minimise_setting setting = *minimising_now(minimising);
    LOCAL(text) label = {0};
    LIST_ADD(minimising->tests, minimising->test_count, minimising->test_room) = test;
    litmus_print_outcome(test, values, &label);
    setting.test = test;
    setting.text = arena_copy(arena, text_string(text));
    setting.outcome = arena_copy(arena, text_string(&label));
    setting.values = arena_take(arena, test->variable_count, sizeof *setting.values);
    memcpy(setting.values, values, test->variable_count * sizeof *setting.values);
    return setting;
}

/* Whether a model forbids the outcome of a setting. deadline: as in struct judge_options. */
static bool is_forbidden(struct minimising *minimising, const struct minimise_setting *setting, double deadline)
{
    const struct judge_options limits = {
        .deadline = deadline, .stopped = minimising->bench->stopped, .context = minimising->bench->context};
    struct verdicts verdicts;
    minimising->status =
        verdicts_make(setting->test, minimising->options->device, &limits, &verdicts, minimising->error);
    if (minimising->status != STATUS_OK)
        return false;
    const bool forbidden = verdicts_forbid(&verdicts, setting->outcome) != NULL;
    verdicts_release(&verdicts);
    return forbidden;
}

/* Whether the test, made in another way or in an earlier pass, was refused before; else notes it. */
static bool was_refused(struct minimising *minimising, const struct litmus_test *test)
{
    char hash[65];
    litmus_hash(test, hash);
    if (ANY_OF(one, minimising->refused, minimising->refused_count, strcmp(*one, hash) == 0))
        return true;
    minimising->refused =
        memory_grow(minimising->refused, minimising->refused_count, &minimising->refused_room, sizeof hash);
    memcpy(minimising->refused[minimising->refused_count++], hash, sizeof hash);
    return false;
}

/* Tries an edited test; whether it was kept. */
static bool try_edited(struct minimising *minimising, const char *what, const struct minimise_setting *setting)
{
    if (was_refused(minimising, setting->test))
        return false;
    if (is_forbidden(minimising, setting, clock_seconds() + judging_seconds))
        return minimising_try(minimising, MINIMISE_STAGE_TEST, what, setting, NULL);
    if (minimising->status == STATUS_OK) {
        const struct minimise_step step = {
            .stage = MINIMISE_STAGE_TEST,
            .what = arena_copy(&minimising->minimal->arena, what),
            .result = arena_copy(&minimising->minimal->arena, "undone: no model forbids the remaining outcome"),
            .rate_before = minimising_now(minimising)->rate};
        minimise_add_step(minimising, &step);
    }
    return false;
}

static enum edit_end try_edit(struct minimising *minimising, enum edit_kind kind, size_t number, bool *kept)
{
    const struct minimise_setting *now = minimising_now(minimising);
    LOCAL(text) what = {0}, text = {0};
    struct litmus_test *edited;
    int64_t *values;
    const enum edit_end end = edit_test(now->test, now->values, kind, number, &what, &edited, &text, &values);
    *kept = false;
    if (end == EDIT_DONE) {
        const struct minimise_setting setting = setting_of_test(minimising, edited, &text, values);
        *kept = try_edited(minimising, text_string(&what), &setting);
    }
    free(values);
    return end;
}

/* Tries all edits of a kind; whether one was kept. After a removal the same number is tried again. */
static bool try_kind(struct minimising *minimising, enum edit_kind kind)
{
    bool any = false, kept = false;
    enum edit_end end = EDIT_DONE;
    for (size_t number = 0; end != EDIT_MISSING && minimising_goes_on(minimising); number += !kept) {
        end = try_edit(minimising, kind, number, &kept);
        any |= kept;
    }
    return any;
}

static const double usual_run = 3, usual_longest_run = 120; /* seconds of a run of the reproducer */
static const double shortest_trial = 0.5;
static const double start_share = 20;   /* each trial of the start takes at most one part in this many of the time, */
static const double trial_share = 30;   /* and each later trial one in this many, */
static const double rare_share = 12;    /* or in this many if the outcome is rare, */
static const double rare_expected = 3;  /* that is, fewer than this many are expected in a trial at the required rate */
static const double margin = 3;         /* the environment must keep this many times the required rate */
static const double runs_share = 0.4;   /* of the time, at most, for the last runs */
static const double run_overhead = 1.2; /* factor of a run: building, and time outside launches */
static const double environment_share = 0.6; /* of the time for steps, if steps of the test follow */

/* ---- the start ---- */

static enum status copy_test(struct minimising *minimising, struct minimise_setting *setting, struct error *error)
{
    const struct minimise_options *options = minimising->options;
    LOCAL(text) text = {0};
    litmus_print(options->test, &text);
    setting->text = arena_copy(&minimising->minimal->arena, text_string(&text));
    TRY(litmus_parse(options->test->name, setting->text, strlen(setting->text), &setting->test, error));
    LIST_ADD(minimising->tests, minimising->test_count, minimising->test_room) = setting->test;
    setting->values = arena_take(&minimising->minimal->arena, setting->test->variable_count, sizeof *setting->values);
    if (!litmus_label_read(setting->test, options->outcome, setting->values))
        return error_set(error, STATUS_USAGE, "\"%s\" is not an outcome of %s: expected one like \"0:r0=1; 1:r1=0;\"",
                         options->outcome, options->test->name);
    return STATUS_OK;
}

/* Measures the start. False if there is nothing to minimise. */
static bool measure_start(struct minimising *minimising)
{
    struct minimise_setting *start = minimising_now(minimising);
    struct minimise_step step = {.what = "test and environment", .kept = true};
    struct minimise_trial all = {.seed = minimising->options->seed};
    for (; step.trial_count < MINIMISE_SEEDS && all.state == JOB_COMPLETED && !is_over(minimising);
         step.trial_count++) {
        const struct minimise_ask ask = {.seed = minimising->options->seed + step.trial_count,
                                         .seconds = minimising->trial_seconds};
        const struct minimise_trial trial = minimise_measure(minimising, start, &ask, &minimising->best);
        step.trials[step.trial_count] = trial;
        all.state = trial.state;
        all.seen += trial.seen, all.seconds += trial.seconds, all.batches += trial.batches;
        all.instances += trial.instances;
        memcpy(all.why, trial.why, sizeof all.why);
    }
    if (all.state != JOB_COMPLETED) {
        minimising->minimal->end = MINIMISE_END_FAILED;
        (void)snprintf(minimising->minimal->why, sizeof minimising->minimal->why, "%s", all.why);
    } else if (all.seen == 0) {
        minimising->minimal->end = MINIMISE_END_UNSEEN;
        (void)snprintf(minimising->minimal->why, sizeof minimising->minimal->why,
                       "\"%s\" was not seen in %s instances of %s", start->outcome, QUANTITY_COUNT(all.instances),
                       QUANTITY_SECONDS(all.seconds));
    }
    step.kept = all.state == JOB_COMPLETED && all.seen > 0;
    minimising->batch_seconds = all.batches > 0 ? all.seconds / (double)all.batches : 0;
    step.rate = start->rate = minimise_rate(&all);
    step.result = tell_trial(minimising, "", &all);
    minimise_add_step(minimising, &step);
    return step.kept;
}

static double limit(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Derives from the start's rate the required rate, the time of a trial and the end of the steps. */
static void plan(struct minimising *minimising)
{
    const struct minimise_options *options = minimising->options;
    const double longest = options->longest_run > 0 ? options->longest_run : usual_longest_run;
    minimising->bar = minimise_bar_for(minimising_now(minimising)->rate,
                                       options->run_seconds > 0 ? options->run_seconds : usual_run, longest);
    const double long_enough = minimal_expected_seconds(minimising->bar.required);
    minimising->trial_seconds = limit(long_enough, shortest_trial, options->seconds / trial_share);
    minimising->rare = minimising->trial_seconds * minimising->bar.required < rare_expected;
    if (minimising->rare)
        minimising->trial_seconds = limit(long_enough, shortest_trial, options->seconds / rare_share);
    minimising->required = minimising->bar.required;
    const double runs = MINIMISE_RUNS * minimising->bar.run_seconds * run_overhead;
    minimising->end = minimising->began + options->seconds;
    minimising->steps_end = minimising->end - limit(runs, 0, options->seconds * runs_share);
}

/* ---- the end ---- */

/* Runs the minimised setting like the reproducer. */
static void run_often(struct minimising *minimising)
{
    struct minimal *minimal = minimising->minimal;
    minimal->run_count = minimal->seen_runs = 0;
    while (minimal->run_count < MINIMISE_RUNS && !is_over(minimising)) {
        const double left = (minimising->end - now_seconds(minimising)) / (MINIMISE_RUNS - minimal->run_count);
        const struct minimise_ask ask = {.seed = minimising->options->seed + MINIMISE_SEEDS + minimal->run_count,
                                         .seconds = limit(minimising->bar.run_seconds, 0, left),
                                         .required = minimising->bar.required,
                                         .whole = true};
        if (ask.seconds <= 0)
            return;
        const struct minimise_trial run = minimise_measure(minimising, minimising_now(minimising), &ask, NULL);
        minimal->runs[minimal->run_count++] = run;
        minimal->seen_runs += run.state == JOB_COMPLETED && run.seen > 0;
        if (minimal->seen_runs < minimal->run_count)
            return;
    }
}

static void tell_runs(struct minimising *minimising)
{
    const struct minimal *minimal = minimising->minimal;
    struct minimise_step step = {.stage = MINIMISE_STAGE_RUNS,
                                 .what = "what is left",
                                 .kept = minimal->seen_runs == minimal->run_count,
                                 .rate_before = minimising_now(minimising)->rate,
                                 .trial_count = minimal->run_count};
    for (unsigned i = 0; i < minimal->run_count; i++)
        step.trials[i] = minimal->runs[i];
    step.rate = lowest_rate(&step);
    step.result =
        arena_print(&minimising->minimal->arena, "seen in %u of %u runs", minimal->seen_runs, minimal->run_count);
    if (minimal->run_count > 0)
        minimise_add_step(minimising, &step);
}

/* Finds the fewest parameters, each with a single value. The result must show the outcome more often than the bar, as
 * far as the start does: else all later steps would be tried at the bound. */
static void find_needed(struct minimising *minimising)
{
    const double most = minimising->settings[0].rate / 2;
    minimising->required =
        minimising->rare ? minimising->bar.required : limit(margin * minimising->bar.required, 0, most);
    minimise_to_nothing(minimising);
    shorten(minimising);
    if (!minimising->rare) /* for a rare outcome there is no time to try several draws; ranges contain them all */
        minimise_fix(minimising);
    FREED struct reduction *reduction = memory_take(1, sizeof *reduction);
    reduction->minimising = minimising;
    set_units(reduction, true);
    minimise_reduce(reduction);
    set_units(reduction, false);
    minimise_reduce(reduction);
    minimise_fix(minimising);
    minimising->required = minimising->bar.required;
}

/* Whether to run again, or undo a step, after a run did not see the outcome. */
static bool can_improve(const struct minimising *minimising)
{
    const struct minimal *minimal = minimising->minimal;
    return minimal->seen_runs < minimal->run_count && minimising->setting_count > 1 && !is_over(minimising) &&
           now_seconds(minimising) < minimising->end;
}

/* Undoes steps until all runs see the outcome: a step is undone if its runs failed twice and the setting before it
 * passed in between. */
static void confirm(struct minimising *minimising)
{
    run_often(minimising);
    tell_runs(minimising);
    bool fair = minimising->rare;
    for (int again = 0; can_improve(minimising); again++) {
        if (fair || again >= FAIR_REPEATS) {
            /* undoes the last step, and searches for others */
            minimising_keep_failed(minimising, minimise_active(&minimising_now(minimising)->environment));
            minimising->setting_count--;
            find_needed(minimising);
            again = 0;
            fair = minimising->rare;
        } else
            fair = still_passes(minimising, minimising_now(minimising) - 1, 0);
        run_often(minimising);
        tell_runs(minimising);
    }
}

/* Sets the end and its reason. */
static void conclude(struct minimising *minimising)
{
    struct minimal *minimal = minimising->minimal;
    const struct minimise_setting *last = minimising_now(minimising);
    minimal->environment = last->environment;
    minimal->fixed = minimise_is_fixed(&last->environment);
    minimal->outcome = memory_copy(last->outcome);
    minimal->test = last->test;
    minimal->reduced = last->test != minimising->tests[0];
    for (size_t i = 0; i < minimising->test_count; i++)
        if (minimising->tests[i] == last->test)
            minimising->tests[i] = NULL;
    const parameter_set active = minimise_active(&last->environment);
    minimal->needed_count = (unsigned)__builtin_popcountll(active);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        minimal->needed[i] = active >> i & 1;
    minimal->run_seconds = minimising->bar.run_seconds;
    minimal->seconds = now_seconds(minimising) - minimising->began;
    struct minimise_trial all = {0};
    const struct minimise_trial *best = minimal->runs;
    for (unsigned i = 0; i < minimal->run_count; i++) {
        all.seen += minimal->runs[i].seen, all.seconds += minimal->runs[i].seconds;
        if (minimal->runs[i].best_rate > best->best_rate)
            best = &minimal->runs[i];
    }
    minimal->rate = minimise_rate(&all);
    minimal->needs_seconds = minimal_expected_seconds(minimal->rate);
    minimal->seed = best->seed;
    minimal->key = best->key;
    minimal->batch = best->best_batch;
    minimal->resident_groups = best->resident_groups;
}

static void name_end(struct minimising *minimising)
{
    struct minimal *minimal = minimising->minimal;
    if (minimal->end != MINIMISE_END_MINIMAL) /* set by the start */
        return;
    if (minimising->bench->stopped(minimising->bench->context))
        minimal->end = MINIMISE_END_STOPPED;
    else if (minimising->lost)
        minimal->end = MINIMISE_END_FAILED;
    else if (minimising->late || minimal->run_count < MINIMISE_RUNS)
        minimal->end = MINIMISE_END_OUT_OF_TIME;
}

/* ---- the whole ---- */

static void minimise_steps(struct minimising *minimising)
{
    const bool test_too = minimising->minimal->forbidden;
    const double steps = minimising->steps_end - now_seconds(minimising);
    minimising->stage_end = minimising->steps_end - (test_too ? steps * (1 - environment_share) : 0);
    find_needed(minimising);
    minimising->stage_end = minimising->steps_end;
    if (test_too && !is_over(minimising)) {
        bool again = true;
        while (again) {
            again = false;
            for (enum edit_kind kind = 0; kind < EDIT_KIND_COUNT; kind++)
                again |= try_kind(minimising, kind);
        }
    }
    confirm(minimising);
}

enum status minimise_on(const struct minimise_options *options, const struct minimise_bench *bench,
                        const struct minimise_listener *listener, struct minimal *minimal, struct error *error)
{
    struct minimising minimising = {
        .options = options, .bench = bench, .listener = listener, .minimal = minimal, .error = error};
    struct minimise_setting start = {.outcome = options->outcome, .environment = *options->environment};
    *minimal = (struct minimal){.end = MINIMISE_END_MINIMAL};
    minimising.began = bench->clock(bench->context);
    minimising.end = minimising.began + options->seconds;
    minimising.trial_seconds = options->seconds / start_share;
    minimal->asked = (unsigned)__builtin_popcountll(minimise_active(options->environment));
    enum status status = copy_test(&minimising, &start, error);
    if (status == STATUS_OK) {
        take_setting(&minimising, &start, 0);
        if (measure_start(&minimising)) {
            /* After the device has taken the test, because a search may take a minute. */
            minimal->forbidden = is_forbidden(&minimising, &start, 0);
            if (minimising.status == STATUS_OK) {
                plan(&minimising);
                minimise_steps(&minimising);
            }
        }
        conclude(&minimising);
        name_end(&minimising);
        status = minimising.status;
    }
    for (size_t i = 0; i < minimising.test_count; i++)
        litmus_release(minimising.tests[i]);
    free(minimising.tests);
    free(minimising.refused);
    free(minimising.failed);
    free(minimising.settings);
    return status;
}
