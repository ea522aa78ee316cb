// SPDX-License-Identifier: Apache-2.0
/* Minimising from start to end. */
#include "runner/hunt/minimise/minimise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "runner/hunt/minimise/minimising.h"
#include "verdicts/verdicts.h"

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

enum { FAIR_REPEATS = 3 }; /* of a trial while the current setting fails too */

static const char *const stage_titles[MINIMISE_STAGE_COUNT] = {
#define STAGE_TITLE(name, title) title,
    MINIMISE_STAGE_LIST(STAGE_TITLE)
#undef STAGE_TITLE
};

static const char *const end_titles[MINIMISE_END_COUNT] = {
#define END_TITLE(name, title) title,
    MINIMISE_END_LIST(END_TITLE)
#undef END_TITLE
};

const char *minimise_stage_title(enum minimise_stage stage)
{
    return (unsigned)stage < MINIMISE_STAGE_COUNT ? stage_titles[stage] : "?";
}

const char *minimise_end_title(enum minimise_end end)
{
    return (unsigned)end < MINIMISE_END_COUNT ? end_titles[end] : "?";
}

/* ---- trials ---- */

static double now_seconds(const struct minimising *minimising)
{
    return minimising->bench->clock(minimising->bench->context);
}

struct minimise_setting *minimising_now(const struct minimising *minimising)
{
    return &minimising->settings[minimising->setting_count - 1];
}

static bool is_over(const struct minimising *minimising)
{
    return minimising->status != STATUS_OK || minimising->lost ||
           minimising->bench->stopped(minimising->bench->context);
}

bool minimising_goes_on(struct minimising *minimising)
{
    minimising->late |= now_seconds(minimising) >= minimising->stage_end;
    return !is_over(minimising) && now_seconds(minimising) < minimising->stage_end;
}

static struct minimise_trial measure(struct minimising *minimising, const struct minimise_setting *setting,
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
    return measure(minimising, setting, &ask, NULL);
}

bool minimising_passes(const struct minimising *minimising, const struct minimise_trial *trial)
{
    return trial->state == JOB_COMPLETED && trial->seen > 0 &&
           (minimising->rare || minimise_rate(trial) >= minimising->required);
}

/* Whether an accepted setting still passes now. */
static bool still_passes(struct minimising *minimising, const struct minimise_setting *setting, unsigned number)
{
    const struct minimise_trial trial = measure_seed(minimising, setting, number);
    return minimising_passes(minimising, &trial);
}

/* A trial below the bar counts against its setting only if the current setting passes right
 * afterwards and the new setting then fails again: else the machine may have been busy. For rare
 * outcomes there is no time for this. */
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

struct minimise_trial minimising_screen(struct minimising *minimising, const struct minimise_setting *setting)
{
    return measure_fairly(minimising, setting, 0);
}

/* ---- steps ---- */

/* "kept: seen 3 times in 1.0 s with seed 7", or how the trial ended. */
static const char *tell_trial(struct minimising *minimising, const char *word, const struct minimise_trial *trial)
{
    struct arena *arena = &minimising->minimal->arena;
    char seen[QUANTITY_SIZE], seconds[QUANTITY_SIZE];
    if (trial->state != JOB_COMPLETED)
        return arena_print(arena, "%s%s: %s", word, job_state_word(trial->state), trial->why);
    return arena_print(arena, "%sseen %s times in %s with seed %llu", word, quantity_count(trial->seen, seen),
                       quantity_seconds(trial->seconds, seconds), (unsigned long long)trial->seed);
}

static double lowest_rate(const struct minimise_step *step)
{
    double lowest = step->trial_count > 0 ? minimise_rate(&step->trials[0]) : 0;
    for (unsigned i = 1; i < step->trial_count; i++)
        if (minimise_rate(&step->trials[i]) < lowest)
            lowest = minimise_rate(&step->trials[i]);
    return lowest;
}

/* The rate over all trials of a step. */
static double whole_rate(const struct minimise_step *step)
{
    struct minimise_trial all = {0};
    for (unsigned i = 0; i < step->trial_count; i++)
        all.seen += step->trials[i].seen, all.seconds += step->trials[i].seconds;
    return minimise_rate(&all);
}

static void add_step(struct minimising *minimising, const struct minimise_step *step)
{
    struct minimal *minimal = minimising->minimal;
    const double left = minimising->end - now_seconds(minimising);
    LIST_ADD(minimal->steps, minimal->step_count, minimal->step_room) = *step;
    minimising->listener->tried(step, left > 0 ? left : 0, minimising->listener->context);
}

void minimising_undo(struct minimising *minimising, enum minimise_stage stage, const char *what,
                     const struct minimise_trial *trial)
{
    const struct minimise_step step = {.stage = stage,
                                       .what = arena_copy(&minimising->minimal->arena, what),
                                       .result = tell_trial(minimising, "undone: ", trial),
                                       .rate_before = minimising_now(minimising)->rate,
                                       .rate = minimise_rate(trial),
                                       .trials = {*trial},
                                       .trial_count = 1};
    add_step(minimising, &step);
}

void minimising_tell(struct minimising *minimising, enum minimise_stage stage, const char *what, const char *result)
{
    const struct minimise_step step = {.stage = stage,
                                       .what = arena_copy(&minimising->minimal->arena, what),
                                       .result = arena_copy(&minimising->minimal->arena, result),
                                       .rate_before = minimising_now(minimising)->rate};
    add_step(minimising, &step);
}

static void take_setting(struct minimising *minimising, const struct minimise_setting *setting, double rate)
{
    const struct minimise_setting taken = *setting; /* *setting may be in the list that grows */
    LIST_ADD(minimising->settings, minimising->setting_count, minimising->setting_room) = taken;
    minimising_now(minimising)->rate = rate;
}

bool minimising_try(struct minimising *minimising, enum minimise_stage stage, const char *what,
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
    add_step(minimising, &step);
    return step.kept;
}

/* ---- the start ---- */

static enum status copy_test(struct minimising *minimising, struct minimise_setting *setting, struct error *error)
{
    const struct minimise_options *options = minimising->options;
    struct text text = {0};
    litmus_print(options->test, &text);
    setting->text = arena_copy(&minimising->minimal->arena, text_string(&text));
    text_release(&text);
    TRY(litmus_parse(options->test->name, setting->text, strlen(setting->text), &setting->test, error));
    LIST_ADD(minimising->tests, minimising->test_count, minimising->test_room) = setting->test;
    setting->values = arena_take(&minimising->minimal->arena, setting->test->variable_count, sizeof *setting->values);
    if (!litmus_label_read(setting->test, options->outcome, setting->values))
        return error_set(error, STATUS_USAGE, "\"%s\" is not an outcome of %s: expected one like \"0:r0=1; 1:r1=0;\"",
                         options->outcome, options->test->name);
    return STATUS_OK;
}

/* After the device has taken the test, because a search may take a minute. False if it failed. */
static bool judge_start(struct minimising *minimising, const struct minimise_setting *setting)
{
    const struct judge_options limits = {.stopped = minimising->bench->stopped, .context = minimising->bench->context};
    struct verdicts verdicts;
    minimising->status =
        verdicts_make(setting->test, minimising->options->device, &limits, &verdicts, minimising->error);
    if (minimising->status != STATUS_OK)
        return false;
    minimising->minimal->forbidden = verdicts_forbid(&verdicts, setting->outcome) != NULL;
    verdicts_release(&verdicts);
    return true;
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
        const struct minimise_trial trial = measure(minimising, start, &ask, &minimising->best);
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
        char instances[QUANTITY_SIZE], seconds[QUANTITY_SIZE];
        minimising->minimal->end = MINIMISE_END_UNSEEN;
        (void)snprintf(minimising->minimal->why, sizeof minimising->minimal->why,
                       "\"%s\" was not seen in %s instances of %s", start->outcome,
                       quantity_count(all.instances, instances), quantity_seconds(all.seconds, seconds));
    }
    step.kept = all.state == JOB_COMPLETED && all.seen > 0;
    minimising->batch_seconds = all.batches > 0 ? all.seconds / (double)all.batches : 0;
    step.rate = start->rate = minimise_rate(&all);
    step.result = tell_trial(minimising, "", &all);
    add_step(minimising, &step);
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
        const struct minimise_trial run = measure(minimising, minimising_now(minimising), &ask, NULL);
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
        add_step(minimising, &step);
}

/* Finds the fewest parameters, each with a single value. The result must show the outcome more
 * often than the bar, as far as the start does: else all later steps would be tried at the
 * bound. */
static void find_needed(struct minimising *minimising)
{
    const double most = minimising->settings[0].rate / 2;
    minimising->required =
        minimising->rare ? minimising->bar.required : limit(margin * minimising->bar.required, 0, most);
    minimise_to_nothing(minimising);
    minimise_shorten(minimising);
    if (!minimising->rare) /* for a rare outcome there is no time to try several draws; ranges contain them all */
        minimise_fix(minimising);
    minimise_environment(minimising);
    minimise_fix(minimising);
    minimising->required = minimising->bar.required;
}

/* Undoes the last step, and searches for others. */
static void undo_step(struct minimising *minimising)
{
    minimising_keep_failed(minimising, minimise_active(&minimising_now(minimising)->environment));
    minimising->setting_count--;
    find_needed(minimising);
}

/* Whether to run again, or undo a step, after a run did not see the outcome. */
static bool can_improve(const struct minimising *minimising)
{
    const struct minimal *minimal = minimising->minimal;
    return minimal->seen_runs < minimal->run_count && minimising->setting_count > 1 && !is_over(minimising) &&
           now_seconds(minimising) < minimising->end;
}

/* Undoes steps until all runs see the outcome: a step is undone if its runs failed twice and the
 * setting before it passed in between. */
static void confirm(struct minimising *minimising)
{
    run_often(minimising);
    tell_runs(minimising);
    bool fair = minimising->rare;
    for (int again = 0; can_improve(minimising); again++) {
        if (fair || again >= FAIR_REPEATS) {
            undo_step(minimising);
            again = 0;
            fair = minimising->rare;
        } else
            fair = still_passes(minimising, minimising_now(minimising) - 1, 0);
        run_often(minimising);
        tell_runs(minimising);
    }
}

static void sum_runs(struct minimal *minimal)
{
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
    sum_runs(minimal);
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
    const bool test_too = minimising->minimal->forbidden && !minimising->options->keep_test;
    const double steps = minimising->steps_end - now_seconds(minimising);
    minimising->stage_end = minimising->steps_end - (test_too ? steps * (1 - environment_share) : 0);
    find_needed(minimising);
    minimising->stage_end = minimising->steps_end;
    if (test_too && !is_over(minimising))
        minimise_test(minimising);
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
        if (measure_start(&minimising) && judge_start(&minimising, &start)) {
            plan(&minimising);
            minimise_steps(&minimising);
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

void minimal_release(struct minimal *minimal)
{
    litmus_release(minimal->test);
    free(minimal->outcome);
    free(minimal->steps);
    arena_release(&minimal->arena);
    *minimal = (struct minimal){0};
}

void minimal_print_needed(const struct minimal *minimal, struct text *text)
{
    if (minimal->needed_count == 0)
        text_add(text, "none");
    else
        text_add(text, "%u", minimal->needed_count);
    text_add(text, " of %u parameter%s", minimal->asked, minimal->asked == 1 ? "" : "s");
    if (minimal->needed_count > 0)
        text_add(text, ": ");
    minimise_print_values(&minimal->environment, text);
}

void minimal_print_profile(const struct minimal *minimal, struct text *text)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = minimal->environment.ranges[i];
        text_add(text, "%s = %u", environment_parameters[i].name, range.low);
        if (range.high != range.low)
            text_add(text, "..%u", range.high);
        text_add(text, "\n");
    }
}
