// SPDX-License-Identifier: Apache-2.0
/* Tuning from start to end. */
#include "hunt/tune/tune.h"
#include "base/random.h"
#include "kernel/kernel_cache.h"
#include "runner/protocol/device.h"
#include "runner/run/job_record.h"
#include "version.h"

enum {
    ELITE = 4,         /* best candidates: searched near, and measured again */
    FINAL_PERCENT = 40 /* of the time, for measuring again */
};

struct tuning {
    const struct tune_options *options;
    const struct tune_listener *listener;
    struct bench bench;
    struct environment_search search;
    struct environment start;
    struct stop_signals stop;
    struct kernel_cache cache;
    struct temporary_folder driver_cache;
    struct trial *trials; /* all, by number */
    size_t count, room;
    size_t elite[ELITE + 1]; /* numbers of the best, best first; one more place for inserting */
    size_t elite_count;
    double *records; /* the highest rate of each pair */
    uint64_t drawn;
    unsigned failures; /* in a row */
    struct trial finals[ELITE + 1];
    size_t final_count;
    unsigned final_rounds; /* completed */
    struct tune_duel duel;
    double duel_seconds; /* of each of its jobs */
    bool measuring_again;
    double began, search_end, end;
    enum status status;
    struct error failure;
};

enum {
    BEST_REPLICATES = 12,   /* most jobs of one candidate in the search */
    EXPLORED = 24,          /* trials before the search goes near the best, */
    EXPLORING_PERCENT = 30, /* or this share of the time */
    RANDOM_PERCENT = 25,    /* of later trials, drawn from all choices */
    SLICES = 100,           /* the search's time, in complete trials */
    FAILURES = 8,           /* in a row, which the environment cannot explain */
    MAXIMUM_DRAWS = 100     /* to find an untried candidate */
};

static const double longest_slice = 1; /* seconds of one job */

enum search_purpose { PURPOSE_KIND = 2048, PURPOSE_PARENT };

/* ---- candidates ---- */

static bool was_tried(const struct tuning *tuning, const struct environment *candidate)
{
    char hash[65];
    environment_hash(candidate, hash);
    return ANY_OF(trial, tuning->trials, tuning->count, strcmp(trial->hash, hash) == 0);
}

static bool is_exploring(const struct tuning *tuning)
{
    const double passed = clock_seconds() - tuning->began;
    return tuning->elite_count == 0 ||
           (tuning->count <= EXPLORED && passed * 100 < (tuning->end - tuning->began) * EXPLORING_PERCENT);
}

/* The best with probability one half, else any of the elite. */
static const struct environment *choose_parent(const struct tuning *tuning)
{
    struct random random = random_start(tuning->options->seed, 0, tuning->drawn, PURPOSE_PARENT);
    const bool best = random_below(&random, 2) == 0;
    return &tuning->trials[tuning->elite[best ? 0 : random_below(&random, (uint32_t)tuning->elite_count)]].environment;
}

/* False if no untried candidate is found. */
static bool propose(struct tuning *tuning, struct environment *candidate)
{
    for (int i = 0; i < MAXIMUM_DRAWS; i++) {
        struct random random = random_start(tuning->options->seed, 0, tuning->drawn, PURPOSE_KIND);
        if (tuning->count == 0)
            *candidate = tuning->start;
        else if (random_below(&random, 100) < RANDOM_PERCENT || is_exploring(tuning))
            search_draw(&tuning->search, tuning->drawn, candidate);
        else
            search_near(&tuning->search, tuning->drawn, choose_parent(tuning), candidate);
        tuning->drawn++;
        if (!was_tried(tuning, candidate))
            return true;
    }
    return false;
}

/* ---- the search ---- */

static bool would_lead(const struct tuning *tuning, const struct trial *trial)
{
    return trial->fate == TUNE_MEASURED && trial->score > 0 &&
           (tuning->elite_count < ELITE || trial->score > tuning->trials[tuning->elite[ELITE - 1]].score);
}

static void join_elite(struct tuning *tuning, const struct trial *trial)
{
    size_t at = tuning->elite_count;
    for (; at > 0 && trial->score > tuning->trials[tuning->elite[at - 1]].score; at--)
        tuning->elite[at] = tuning->elite[at - 1];
    tuning->elite[at] = trial->number;
    if (tuning->elite_count < ELITE)
        tuning->elite_count++;
}

static enum status tune_measure(struct tuning *tuning, struct trial *trial, double seconds,
                                const struct tune_rival *rival, struct error *error)
{
    return bench_measure(&tuning->bench, trial, trial->replicates++, seconds, rival, error);
}

/* Reports to the listener at once a trial that may condemn the harness or the device. */
static void tuning_tell_alarm(const struct tuning *tuning, const struct trial *trial)
{
    tuning->listener->alarm(trial, tuning->listener->context);
}

/* Measures the best again, whose place may have been luck, and updates its place. */
static enum status measure_best(struct tuning *tuning, double seconds, struct error *error)
{
    struct trial *best = &tuning->trials[tuning->elite[0]];
    TRY(tune_measure(tuning, best, seconds, NULL, error));
    memmove(tuning->elite, tuning->elite + 1, --tuning->elite_count * sizeof *tuning->elite);
    if (best->fate == TUNE_CONDEMNED)
        tuning_tell_alarm(tuning, best);
    else if (best->fate == TUNE_MEASURED || best->fate == TUNE_INTERRUPTED)
        join_elite(tuning, best);
    return STATUS_OK;
}

/* A candidate that seems good is measured twice; if it seems better than the best, the best is measured again. */
static enum status try_candidate(struct tuning *tuning, struct trial *trial, double seconds, struct error *error)
{
    const struct trial *best = tuning->elite_count > 0 ? &tuning->trials[tuning->elite[0]] : NULL;
    const struct tune_rival rival = {tuning->records, best ? best->score : 0, best ? best->score_lower : 0};
    TRY(tune_measure(tuning, trial, seconds, best ? &rival : NULL, error));
    if (would_lead(tuning, trial))
        TRY(tune_measure(tuning, trial, seconds, NULL, error));
    if (best && would_lead(tuning, trial) && trial->score > best->score && best->replicates < BEST_REPLICATES)
        TRY(measure_best(tuning, seconds, error));
    if (would_lead(tuning, trial))
        TRY(bench_control(&tuning->bench, trial, 0, seconds, error));
    return STATUS_OK;
}

static struct trial *add_trial(struct tuning *tuning, const struct environment *candidate)
{
    const size_t number = tuning->count;
    LIST_ADD(tuning->trials, tuning->count, tuning->room) = trial_make(&tuning->bench, number, candidate);
    return &tuning->trials[number];
}

/* Whether a failure or a signal has ended the search. */
static bool tuning_is_over(const struct tuning *tuning)
{
    return tuning->status != STATUS_OK || tuning->stop.count > 0;
}

static bool search_goes_on(const struct tuning *tuning)
{
    const uint64_t most = tuning->options->trials;
    return !tuning_is_over(tuning) && (most == 0 || tuning->count < most) && clock_seconds() < tuning->search_end &&
           tuning->failures < FAILURES &&
           !ANY_OF(supervisor, tuning->bench.supervisors, tuning->bench.device_count, supervisor->retired);
}

static const double shortest_slice = 0.05; /* seconds of one job */

/* Each job's seconds if `jobs` jobs share `seconds`, within sensible bounds. */
static double tuning_slice(double seconds, size_t jobs, double longest)
{
    const double part = seconds / (double)(jobs > 0 ? jobs : 1);
    return part < shortest_slice ? shortest_slice : part > longest ? longest : part;
}

/* Keeps the first failure, which ends the search; does nothing for OK. */
static void tuning_check(struct tuning *tuning, enum status status)
{
    if (tuning->status == STATUS_OK)
        tuning->status = status;
}

/* Tries candidates until the search's time is over. */
static void tuning_search(struct tuning *tuning)
{
    const double seconds =
        tuning_slice((tuning->search_end - tuning->began) / SLICES, tuning->bench.pair_count, longest_slice);
    struct environment candidate;
    while (search_goes_on(tuning) && propose(tuning, &candidate)) {
        struct trial *trial = add_trial(tuning, &candidate);
        tuning_check(tuning, try_candidate(tuning, trial, seconds, &tuning->failure));
        if (tuning->status == STATUS_OK) {
            if (trial->fate == TUNE_CONDEMNED)
                tuning_tell_alarm(tuning, trial);
            else {
                for (size_t i = 0; i < tuning->bench.pair_count; i++) {
                    const double value = tune_rate_value(&trial->rates[i]);
                    if (trial->rates[i].batches.count >= TUNE_LEAST_BATCHES && value > tuning->records[i])
                        tuning->records[i] = value;
                }
            }
            if (would_lead(tuning, trial))
                join_elite(tuning, trial);
            const bool failed =
                trial->fate == TUNE_FAILED || trial->fate == TUNE_UNSUPPORTED || trial->fate == TUNE_INVALID;
            tuning->failures = failed ? tuning->failures + 1 : 0;
        }
    }
}

enum {
    FINAL_REPLICATES = 100, /* numbers start here, so that the draws are new */
    FINAL_ROUNDS = 2,       /* so that a busy moment of the machine affects all finalists */
    CHOOSING_PERCENT = 40   /* of the time for finals; the rest is for the comparison */
};

static const double longest_final = 20; /* seconds of one job, here and in the duel */

/* ---- the finals: measuring the best few again, because the best of many measurements is always partly luck ---- */

static enum status measure_again(struct tuning *tuning, unsigned round, double seconds, struct error *error)
{
    const unsigned replicate = FINAL_REPLICATES + round;
    FOR_EACH(struct trial, trial, tuning->finals, tuning->final_count) {
        if (tuning->stop.count > 0 || (round > 1 && clock_seconds() > tuning->end))
            return STATUS_OK;
        if (trial->fate != TUNE_MEASURED)
            continue;
        TRY(bench_measure(&tuning->bench, trial, replicate, seconds, NULL, error));
        TRY(bench_control(&tuning->bench, trial, replicate, seconds, error));
        if (trial->fate == TUNE_CONDEMNED)
            tuning_tell_alarm(tuning, trial);
    }
    tuning->final_rounds += tuning->stop.count == 0;
    return STATUS_OK;
}

/* The best of the trials that were measured again; with_start: including the start. */
static const struct trial *best_final(const struct tuning *tuning, bool with_start)
{
    const struct trial *best = NULL;
    FOR_EACH(const struct trial, trial, tuning->finals, tuning->final_count)
        if ((trial->fate == TUNE_MEASURED || trial->fate == TUNE_INTERRUPTED) && trial->score > 0 &&
            (with_start || trial->number != 0) && (!best || trial->score > best->score))
            best = trial;
    return best;
}

static const struct trial *find_start(const struct tuning *tuning)
{
    return FIRST_OF(trial, tuning->finals, tuning->final_count, trial->number == 0) ?: &tuning->trials[0];
}

/* ---- the duel with the old profile ---- */

/* The best candidate against the starting profile. The two are measured in turn, each time by new jobs, so that a busy
 * moment of the machine affects both; the order changes from repeat to repeat. Earlier measurements do not count here,
 * because they chose the candidate: the best of many measurements is partly luck. */

static void enter_side(struct tuning *tuning, enum tune_side side, const struct trial *trial)
{
    struct tune_duel *duel = &tuning->duel;
    duel->sides[side] = trial_make(&tuning->bench, trial->number, &trial->environment);
    duel->sides[side].fate = trial->fate;
    duel->sides[side].control_instances = trial->control_instances;
    memcpy(duel->sides[side].why, trial->why, sizeof trial->why);
    duel->rates[side] = memory_take(tuning->bench.pair_count, sizeof *duel->rates[side]);
}

enum {
    DUEL_REPLICATES = 200, /* numbers start here, so that the draws are new */
    DUEL_REPEATS = 8
};

static bool is_measured(const struct tune_duel *duel, enum tune_side side)
{
    return duel->sides[side].rates && duel->sides[side].fate == TUNE_MEASURED;
}

/* Measures a side once; logs: the logarithm of each pair's rate in this repeat. */
static enum status measure_side(struct tuning *tuning, enum tune_side side, unsigned repeat, double *logs,
                                struct error *error)
{
    struct trial *trial = &tuning->duel.sides[side];
    const size_t pairs = tuning->bench.pair_count;
    FREED struct tune_rate *before = memory_take(pairs, sizeof *before);
    memcpy(before, trial->rates, pairs * sizeof *before);
    const enum status status =
        bench_measure(&tuning->bench, trial, DUEL_REPLICATES + repeat, tuning->duel_seconds, NULL, error);
    for (size_t i = 0; i < pairs; i++)
        logs[i] = tune_log_since(&trial->rates[i], &before[i]);
    return status;
}

static enum status repeat_once(struct tuning *tuning, unsigned repeat, double *const logs[TUNE_SIDES],
                               struct error *error)
{
    struct tune_duel *duel = &tuning->duel;
    const bool alone = !is_measured(duel, TUNE_START);
    for (unsigned turn = 0; turn < TUNE_SIDES && tuning->stop.count == 0; turn++) {
        const enum tune_side side = (repeat + turn) % TUNE_SIDES;
        if (duel->sides[side].fate == TUNE_MEASURED && duel->sides[TUNE_CANDIDATE].fate == TUNE_MEASURED)
            TRY(measure_side(tuning, side, repeat, logs[side], error));
        if (duel->sides[side].fate == TUNE_CONDEMNED)
            tuning_tell_alarm(tuning, &duel->sides[side]);
    }
    if (tuning->stop.count == 0 && is_measured(duel, TUNE_CANDIDATE) && (alone || is_measured(duel, TUNE_START))) {
        /* A repeat counts only if both sides were measured completely. */
        double difference = 0;
        for (size_t i = 0; i < tuning->bench.pair_count; i++) {
            for (enum tune_side side = 0; side < TUNE_SIDES; side++)
                tune_repeats_add(&duel->rates[side][i], logs[side][i]);
            difference += logs[TUNE_CANDIDATE][i] - logs[TUNE_START][i];
        }
        tune_repeats_add(&duel->ratio, difference / (double)tuning->bench.pair_count);
    }
    return STATUS_OK;
}

static enum tune_verdict tune_settle(const struct tuning *tuning)
{
    const struct tune_duel *duel = &tuning->duel;
    if (tuning_is_over(tuning))
        return TUNE_VERDICT_NOT_COMPARED;
    if (!is_measured(duel, TUNE_CANDIDATE))
        return TUNE_VERDICT_REJECTED;
    return is_measured(duel, TUNE_START) ? tune_repeats_decide(&duel->ratio) : TUNE_VERDICT_ALONE;
}

/* Measures a candidate and the start in turn, for about `seconds` in total, and decides which is better:
 * tuning->duel. */
static void tuning_compare(struct tuning *tuning, const struct trial *candidate, const struct trial *start,
                           double seconds)
{
    double *logs[TUNE_SIDES];
    struct tune_duel *duel = &tuning->duel;
    enter_side(tuning, TUNE_CANDIDATE, candidate);
    enter_side(tuning, TUNE_START, start);
    tuning->duel_seconds =
        tuning_slice(seconds, (size_t)DUEL_REPEATS * TUNE_SIDES * tuning->bench.pair_count, longest_final);
    for (enum tune_side side = 0; side < TUNE_SIDES; side++)
        logs[side] = memory_take(tuning->bench.pair_count, sizeof *logs[side]);
    for (unsigned repeat = 1; repeat <= DUEL_REPEATS && !tuning_is_over(tuning) && is_measured(duel, TUNE_CANDIDATE) &&
                              (duel->ratio.count < TUNE_LEAST_REPEATS || clock_seconds() < tuning->end);
         repeat++)
        tuning_check(tuning, repeat_once(tuning, repeat, logs, &tuning->failure));
    duel->verdict = tune_settle(tuning);
    for (enum tune_side side = 0; side < TUNE_SIDES; side++)
        free(logs[side]);
}

/* Measures the best candidates again, with the start, and compares the best of them with the start. */
static void tuning_measure_finals(struct tuning *tuning)
{
    if (tuning_is_over(tuning) || tuning->elite_count == 0)
        return;
    bool start = false;
    for (size_t i = 0; i <= tuning->elite_count; i++) {
        const size_t number = i < tuning->elite_count ? tuning->elite[i] : 0;
        if ((i == tuning->elite_count && start) || tuning->trials[number].fate != TUNE_MEASURED)
            continue;
        start |= number == 0;
        tuning->finals[tuning->final_count++] = trial_make(&tuning->bench, number, &tuning->trials[number].environment);
    }
    /* A search that --trials ended early takes the same share of its time. */
    const double searched = (clock_seconds() - tuning->began) * FINAL_PERCENT / (100 - FINAL_PERCENT);
    const double kept = tuning->end - tuning->search_end, all = (searched < kept ? searched : kept) * 0.9;
    const size_t jobs = tuning->final_count * tuning->bench.plan->job_count * FINAL_ROUNDS;
    const double seconds = tuning_slice(all * CHOOSING_PERCENT / 100, jobs, longest_final);
    tuning->measuring_again = true;
    /* The first round must be complete to compare anything; later rounds end with the time. */
    for (unsigned round = 1; round <= FINAL_ROUNDS && !tuning_is_over(tuning) && tuning->final_rounds + 1 == round;
         round++)
        tuning_check(tuning, measure_again(tuning, round, seconds, &tuning->failure));
    const struct trial *candidate = best_final(tuning, false);
    if (candidate && !tuning_is_over(tuning))
        tuning_compare(tuning, candidate, find_start(tuning), all * (100 - CHOOSING_PERCENT) / 100);
}

/* The trial whose profile to write: the candidate that was better than the start or, if an interrupt came before the
 * comparison, the best so far. NULL: none. */
static const struct trial *tuning_best(const struct tuning *tuning)
{
    const enum tune_verdict verdict = tuning->duel.verdict;
    if (verdict == TUNE_VERDICT_BETTER || verdict == TUNE_VERDICT_ALONE)
        return &tuning->duel.sides[TUNE_CANDIDATE];
    if (verdict != TUNE_VERDICT_NOT_COMPARED || tuning->stop.count == 0)
        return NULL;
    const struct trial *best = tuning->final_rounds > 0  ? best_final(tuning, true)
                               : tuning->elite_count > 0 ? &tuning->trials[tuning->elite[0]]
                                                         : NULL;
    /* Only the start can be a portfolio, and a written profile is one environment. */
    return best && best->environment.other_count > 0 ? NULL : best;
}

/* ---- the profile as text ---- */

/* Names are cut because the reader of profiles takes lines of 200 bytes. */
static void tune_add_name(struct text *text, const char *name)
{
    const char *const cut = PRINTED(100, "%.99s", name);
    terminal_add_safe(text, cut);
}

static double instances_per_second(const struct tune_rate *rate)
{
    return rate->seconds > 0 ? (double)rate->instances / rate->seconds : 0;
}

/* Adds the rate of a pair, on one side of the comparison, with its interval. */
static void add_rate(const struct tune_duel *duel, enum tune_side side, size_t pair, struct text *text)
{
    char interval[TUNE_INTERVAL_SIZE];
    const double per_second = instances_per_second(&duel->sides[side].rates[pair]);
    text_add(text, "%s witnesses/s, %s instances/s", tune_repeats_print(&duel->rates[side][pair], interval),
             QUANTITY_SHORT(per_second));
}

static void tune_add_devices(const struct bench *bench, struct text *text)
{
    const struct backend_device *last = NULL;
    for (size_t i = 0; i < bench->pair_count; i++) {
        const struct backend_device *device = bench->pairs[i].job->device;
        if (device == last)
            continue;
        text_add(text, "; Device %s: ", device_address(device).text);
        tune_add_name(text, device->name);
        text_add(text, "\n;   driver ");
        tune_add_name(text, device->driver);
        text_add(text, "\n");
        last = device;
    }
}

static void add_heading(const struct tune_duel *duel, const char *start, struct text *text)
{
    if (!duel)
        text_add(text, "; Measured in an interrupted search, not compared with the profile %s:\n", start);
    else if (duel->verdict == TUNE_VERDICT_ALONE)
        text_add(text, "; Measured %u times (95 %% intervals); the profile %s could not be measured:\n",
                 duel->rates[TUNE_CANDIDATE][0].count, start);
    else
        text_add(text, "; Measured in turn with the profile %s, %u times each (95 %% intervals):\n", start,
                 duel->ratio.count);
}

static void add_rates(const struct tuning *tuning, const struct trial *trial, const char *start, struct text *text)
{
    /* The comparison with the starting profile; none after an interrupt. */
    const struct tune_duel *duel = tuning->duel.verdict == TUNE_VERDICT_NOT_COMPARED ? NULL : &tuning->duel;
    char interval[TUNE_INTERVAL_SIZE];
    add_heading(duel, start, text);
    for (size_t i = 0; i < tuning->bench.pair_count; i++) {
        const struct planned_job *job = tuning->bench.pairs[i].job;
        text_add(text, ";   ");
        tune_add_name(text, job->test->test->name);
        text_add(text, " (%s) on %s\n;     ", litmus_dialect_name(job->test->test->dialect),
                 device_address(job->device).text);
        if (duel)
            add_rate(duel, TUNE_CANDIDATE, i, text);
        else {
            /* Adds a rate of an interrupted search, with the bounds from its batches. */
            const struct tune_rate *rate = &trial->rates[i];
            text_add(text, "%s witnesses/s", QUANTITY_SHORT(tune_rate_value(rate)));
            if (rate->batches.count >= TUNE_LEAST_BATCHES)
                text_add(text, " (by its batches %s to %s)", QUANTITY_SHORT(tune_rate_lower(rate)),
                         QUANTITY_SHORT(tune_rate_upper(rate)));
            text_add(text, ", %s instances/s", QUANTITY_SHORT(instances_per_second(rate)));
        }
        if (duel && duel->verdict == TUNE_VERDICT_BETTER) {
            text_add(text, "\n;     the profile %s: ", start);
            add_rate(duel, TUNE_START, i, text);
        }
        text_add(text, "\n");
    }
    if (duel && duel->verdict == TUNE_VERDICT_BETTER)
        text_add(text, "; %s times the rate of %s.\n", tune_repeats_print(&duel->ratio, interval), start);
}

/* Prints the file's text. */
static void profile_print(const struct tuning *tuning, const struct trial *trial, struct text *text)
{
    const struct bench *bench = &tuning->bench;
    LOCAL(text) start = {0};
    tune_add_name(&start, tuning->start.name); /* may be the name of a file */
    char day[CLOCK_DAY_SIZE];
    text_add(text, "; Made by orchil tune, orchil %s", ORCHIL_VERSION);
    if (clock_today(day)[0])
        text_add(text, " on %s", day);
    text_add(text, ": candidate %" PRIu64 " of %" PRIu64 ", seed %" PRIu64 ".\n; Every trial is in run %" PRId64 " of ",
             trial->number, (uint64_t)tuning->count, bench->seed, bench->run_id);
    tune_add_name(text, tuning->options->database);
    text_add(text, ".\n");
    tune_add_devices(bench, text);
    add_rates(tuning, trial, text_string(&start), text);
    if (trial->control_instances > 0)
        text_add(text, "; Controls in the same environment: 0 witnesses in %s instances.\n",
                 QUANTITY_COUNT(trial->control_instances));
    text_add(text, "[environment]\n");
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        text_add(text, "%s = %u", environment_parameters[i].name, trial->environment.ranges[i].low);
        if (trial->environment.ranges[i].high != trial->environment.ranges[i].low)
            text_add(text, "..%u", trial->environment.ranges[i].high);
        text_add(text, "\n");
    }
    if (trial->environment.homes[0] != '\0')
        text_add(text, "home = %s\n", trial->environment.homes);
}

/* ---- the file ---- */

/* Adds what to do to an error. */
static enum status say_choose(enum status status, struct error *error)
{
    if (status == STATUS_OK)
        return status;
    const struct error cause = *error;
    return error_set(error, status, "the profile %.900s; choose another with --out", cause.text);
}

/* ---- reports to the listener ---- */

static void tell_progress(void *context)
{
    const struct tuning *tuning = context;
    const struct trial *best = tuning->elite_count > 0 ? &tuning->trials[tuning->elite[0]] : NULL;
    const struct tune_progress progress = {.trials = tuning->count,
                                           .finals = tuning->measuring_again ? tuning->final_count : 0,
                                           .best = best,
                                           .pairs = tuning->bench.pair_count,
                                           .seconds_left = tuning->end - clock_seconds()};
    tuning->listener->went_on(&progress, tuning->listener->context);
}

static void tell_end(const struct tuning *tuning, const struct trial *best)
{
    const struct tune_report report = {.bench = &tuning->bench,
                                       .trials = tuning->trials,
                                       .trial_count = tuning->count,
                                       .finals = tuning->finals,
                                       .final_count = tuning->final_rounds > 0 ? tuning->final_count : 0,
                                       .duel = &tuning->duel,
                                       .best = best,
                                       .start = tuning->start.name,
                                       .out = tuning->options->out,
                                       .database = tuning->options->database,
                                       .seconds = clock_seconds() - tuning->began};
    tuning->listener->ended(&report, tuning->listener->context);
}

/* ---- from start to end ---- */

static enum status begin_tuning(struct tuning *tuning, struct error *error)
{
    const struct tune_options *options = tuning->options;
    struct bench *bench = &tuning->bench;
    TRY(say_choose(file_check_writable(options->out, error), error));
    TRY(stop_signals_catch(&tuning->stop, error));
    TRY(kernel_cache_open(false, &tuning->cache, error));
    TRY(tune_cache_open(&tuning->driver_cache, error));
    TRY(job_record_open(options->database, options->provenance, options->seed, false, &bench->store, &bench->run_id,
                        error));
    bench_open(bench, &options->limits, tuning->cache.folder);
    tuning->records = memory_take(bench->pair_count, sizeof *tuning->records);
    return STATUS_OK;
}

/* Chooses the environment from which the search starts and whose choices it takes: a GPU's if there is one. */
static enum status choose_start(struct tuning *tuning, const struct run_plan *plan, struct error *error)
{
    const struct backend_device *device = plan->jobs[0].device;
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct litmus_test *test = plan->jobs[i].test->test;
        if (plan->jobs[i].device->gpu && !device->gpu)
            device = plan->jobs[i].device;
        for (unsigned l = 0; l < test->location_count; l++) {
            if (test->locations[l].region == LITMUS_LOCAL)
                tuning->search.has |= SEARCH_LOCAL;
            if (test->locations[l].alias_of != LITMUS_NONE)
                tuning->search.has |= SEARCH_PATHS;
        }
        if (plan->jobs[i].device->max_cluster_groups > 1)
            tuning->search.has |= SEARCH_CLUSTERS;
        if (draw_device_copies(plan->jobs[i].device))
            tuning->search.has |= SEARCH_COPIES;
        if (plan->jobs[i].device->shared_clock)
            tuning->search.has |= SEARCH_CLOCK;
    }
    tuning->search.gpu = device->gpu;
    tuning->search.seed = tuning->options->seed;
    tuning->search.start = &tuning->start;
    if (tuning->options->profile)
        TRY(environment_load(tuning->options->profile, device, &tuning->start, error));
    else
        environment_default(device, &tuning->start);
    return plan_set_homes(&tuning->start, device, tuning->options->homes, error);
}

static void finish_run(struct tuning *tuning)
{
    struct error error;
    const enum run_state state = tuning->stop.count > 0        ? RUN_INTERRUPTED
                                 : tuning->status == STATUS_OK ? RUN_COMPLETED
                                                               : RUN_FAILED;
    if (tuning->bench.run_id > 0 &&
        store_finish_run(tuning->bench.store, tuning->bench.run_id, state, &error) != STATUS_OK) {
        tuning->failure = tuning->status == STATUS_OK ? error : tuning->failure;
        tuning_check(tuning, error.status);
    }
}

static void write_profile(struct tuning *tuning, const struct trial *best)
{
    LOCAL(text) text = {0};
    profile_print(tuning, best, &text);
    const enum status written = file_write_whole(tuning->options->out, text_string(&text), text.size, &tuning->failure);
    tuning_check(tuning, say_choose(written, &tuning->failure));
}

static void release_tuning(struct tuning *tuning)
{
    struct store *store = tuning->bench.store;
    bench_close(&tuning->bench);
    store_close(store);
    for (size_t i = 0; i < tuning->count; i++)
        trial_release(&tuning->trials[i]);
    for (size_t i = 0; i < tuning->final_count; i++)
        trial_release(&tuning->finals[i]);
    for (enum tune_side side = 0; side < TUNE_SIDES; side++) {
        trial_release(&tuning->duel.sides[side]);
        free(tuning->duel.rates[side]);
    }
    tuning->duel = (struct tune_duel){0};
    free(tuning->trials);
    free(tuning->records);
    temporary_folder_close(&tuning->driver_cache);
    kernel_cache_close(&tuning->cache);
    if (tuning->stop.descriptor >= 0)
        (void)close(tuning->stop.descriptor);
}

void tune_run(const struct tune_options *options, const struct run_plan *plan, const struct tune_listener *listener,
              struct tune_result *result)
{
    struct tuning tuning = {
        .options = options, .listener = listener, .stop = {.descriptor = -1}, .began = clock_seconds()};
    const struct trial *best = NULL;
    tuning.bench = (struct bench){
        .plan = plan, .seed = options->seed, .stop = &tuning.stop, .turn = tell_progress, .context = &tuning};
    tuning.end = tuning.began + options->seconds;
    tuning.search_end = tuning.began + options->seconds * (100 - FINAL_PERCENT) / 100;
    tuning.status = choose_start(&tuning, plan, &tuning.failure);
    if (tuning.status == STATUS_OK)
        tuning.status = begin_tuning(&tuning, &tuning.failure);
    if (tuning.status == STATUS_OK) {
        tuning_search(&tuning);
        tuning_measure_finals(&tuning);
        best = tuning_best(&tuning);
        if (best)
            write_profile(&tuning, best);
    }
    finish_run(&tuning);
    *result = (struct tune_result){.status = tuning.status,
                                   .error = tuning.failure,
                                   .signal = tuning.stop.first,
                                   .alarms = tuning.bench.alarms,
                                   .found = best != NULL,
                                   .failed = tuning.count > 0 && tuning.trials[tuning.count - 1].fate == TUNE_FAILED};
    if (tuning.status == STATUS_OK)
        tell_end(&tuning, best);
    release_tuning(&tuning);
}
