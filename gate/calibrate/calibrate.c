// SPDX-License-Identifier: Apache-2.0
/* The steps of a calibration: splits are decided, tests measured, limits learned, noted and tried. */
#include "gate/calibrate/calibrate.h"

#include <math.h>

#include "analysis/statistics/statistics.h"
#include "base/json.h"
#include "base/random.h"
#include "litmus/litmus.h"

/* ---- measures a test over all runs: its rate, how much its runs differ, and which change would be found ---- */

enum { ENOUGH_SIGHTINGS = 30 }; /* in the mean run: enough to separate the variance of runs from counting noise */

static double mean_sightings(const struct statistics_measure *measure)
{
    const size_t runs = measure->runs[SIDE_A] + measure->runs[SIDE_B];
    return runs > 0 ? (double)(measure->count[SIDE_A] + measure->count[SIDE_B]) / (double)runs : 0;
}

/* ---- how much runs differ ---- */

static void measure_question(const struct statistics_measure *measure, struct calibration_test *test)
{
    if (measure->freedom <= 0 || mean_sightings(measure) < ENOUGH_SIGHTINGS)
        return;
    const double deviation = sqrt(fmax(0, measure->scatter - measure->expected_scatter));
    const double reach = statistics_student_above(0.025, measure->freedom) * sqrt(1 + 1.0 / CALIBRATE_BASELINE);
    if (isnan(test->note.run_deviation) || deviation > test->note.run_deviation)
        test->note.run_deviation = deviation;
    test->varies = fmax(test->varies, exp(reach * deviation));
}

/* ---- the smallest change ---- */

/* The level that the correction leaves for a weak outcome, if it has the smallest p. */
static double level_of(const struct comparison *split)
{
    double sum = 0;
    for (size_t i = 0; i < split->pair_count; i++)
        for (size_t r = 0; r < split->pairs[i].question_count; r++)
            sum += compare_shows_weakness(split->pairs[i].rates[r].outcome) ? split->options.weak_weight : 1;
    return split->options.alpha * fmin(1, split->options.weak_weight / fmax(1, sum));
}

/* A gate's decision with this many runs of the candidate if its rate were the same. */
static struct statistics_decision foresee(const struct comparison *split, const struct rate *rate, size_t runs)
{
    struct statistics_measure measure = rate->measure;
    struct statistics_decision decision;
    double per_run = 0;
    for (int side = 0; side < SIDES; side++)
        per_run += measure.batches[side] * (double)measure.runs[side] / SIDES;
    const size_t of_side[SIDES] = {CALIBRATE_BASELINE, runs};
    measure.run_share = 0;
    for (int side = 0; side < SIDES; side++) {
        measure.runs[side] = of_side[side];
        measure.batches[side] = per_run / (double)of_side[side];
        measure.run_share += 1 / (double)of_side[side];
    }
    measure.freedom = (double)(CALIBRATE_BASELINE + runs - SIDES);
    measure.log_ratio = 0;
    statistics_decide(&measure, &split->suites[compare_suite_of(rate->outcome)], split->options.confidence, &decision);
    return decision;
}

/* Whether a candidate without sightings, after three baseline runs, could be distinguished from chance. */
static bool can_be_lost(const struct rate *rate, double level)
{
    const double count = mean_sightings(&rate->measure) * CALIBRATE_BASELINE / fmax(1, rate->measure.dispersion);
    return 1 - count <= log2(level); /* each sighting is as likely on either side */
}

/* The logarithm of the factor; INFINITY if there is none. */
static double smallest_change(const struct comparison *split, const struct rate *rate, double power)
{
    const struct compare_options *options = &split->options;
    const double level = level_of(split), half_miss = (1 - power) / 2;
    const struct statistics_decision first = foresee(split, rate, 1), again = foresee(split, rate, CALIBRATE_AGAIN);
    if (first.freedom <= 0 || again.freedom <= 0 || !can_be_lost(rate, level))
        return INFINITY;
    const double chosen = statistics_student_above(options->suspect / 2, first.freedom) +
                          statistics_student_above(half_miss, first.freedom);
    const double beyond = log(fmax(options->tolerance, rate->limit.tolerance)) +
                          statistics_student_above((1 - options->confidence) / 2, again.freedom) * again.error;
    const double decided = fmax(statistics_student_above(level / 2, again.freedom) * again.error, beyond) +
                           statistics_student_above(half_miss, again.freedom) * again.error;
    return fmax(chosen * first.error, decided);
}

/* ---- tests ---- */

static const struct sample_outcome *find_witness(const struct sample *sample)
{
    const struct sample_outcome *most = NULL;
    for (size_t i = 0; i < sample->outcome_count; i++) {
        const struct sample_outcome *outcome = &sample->outcomes[i];
        if (outcome->witness && outcome->count > 0 && (!most || outcome->count > most->count))
            most = outcome;
    }
    return most;
}

/* ---- what is learned ---- */

static const char *calibrate_explain(struct arena *arena, const struct calibration_test *test)
{
    if (isinf(test->alarm))
        return "outcomes come and go from run to run";
    const double factor = fmax(test->varies, test->alarm);
    if (factor > 1000)
        return "a run may differ from three others by a factor of more than 1,000";
    return arena_print(arena,
                       factor < 9.95 ? "a run may differ from three others by a factor of %.1f"
                                     : "a run may differ from three others by a factor of %.0f",
                       factor);
}

/* Updates the notes of the tests by what is known so far; true if a note has changed. */
static bool calibrate_learn(struct calibration *calibration)
{
    const struct calibration_options *options = &calibration->options;
    const double needed = ceil(statistics_count_for(options->assurance));
    bool more = false;
    calibration->notes.count = 0;
    for (size_t i = 0; i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        const struct store_job_row *row = &test->sample->row;
        const struct compare_limit before = test->note.limit;
        test->note.of = (struct store_calibration){.test_hash = row->test_hash,
                                                   .dialect = row->dialect,
                                                   .environment_hash = row->environment_hash,
                                                   .backend = row->backend,
                                                   .device = *row->device_uuid ? row->device_uuid : row->device};
        test->note.runs = sample_spread(test->sample, NULL).runs;
        test->note.limit.ungated |= fmax(test->varies, test->alarm) > options->most_tolerance;
        test->note.limit.tolerance = test->note.limit.ungated ? 0 : fmax(options->compare.tolerance, test->alarm);
        test->note.reason = test->note.limit.ungated ? calibrate_explain(&calibration->arena, test) : "";
        more |= test->note.limit.ungated != before.ungated ||
                (!test->note.limit.ungated &&
                 test->note.limit.tolerance > fmax(before.tolerance, options->compare.tolerance));
        const bool is_blind = !test->is_control && test->sightings < needed;
        test->standing = test->note.limit.ungated ? CALIBRATION_UNGATED
                         : is_blind               ? CALIBRATION_BLIND
                                                  : CALIBRATION_GATED;
        ARENA_ADD(&calibration->arena, calibration->notes.notes, calibration->notes.count) = test->note;
    }
    return more;
}

/* ---- ways to split runs, and the interval of the share of splits that fail ---- */

bool split_has(const struct split *split, size_t run, bool with_again)
{
    bool has = split->candidate == run;
    for (size_t i = 0; i < CALIBRATE_BASELINE; i++)
        has |= split->baseline[i] == run;
    for (size_t i = 0; with_again && i < CALIBRATE_AGAIN; i++)
        has |= split->again[i] == run;
    return has;
}

/* Three of the remaining runs, all equally likely. */
static void choose_again(struct split *split, size_t runs, struct random *random)
{
    size_t left = 0, wanted = CALIBRATE_AGAIN;
    for (size_t run = 0; run < runs; run++)
        left += !split_has(split, run, false);
    for (size_t run = 0; run < runs && wanted > 0; run++) {
        if (split_has(split, run, false))
            continue;
        if (random_below(random, (uint32_t)left) < wanted)
            split->again[CALIBRATE_AGAIN - wanted--] = run;
        left--;
    }
}

size_t splits_list(struct arena *arena, size_t runs, size_t most, uint64_t seed, struct split **splits, size_t *count)
{
    const size_t possible = runs * (runs - 1) * (runs - 2) / 6 * (runs - 3);
    struct random random = random_start(seed, 0, 0, 0);
    size_t left = possible, wanted = possible < most ? possible : most;
    *splits = arena_take(arena, wanted, sizeof **splits);
    *count = 0;
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++)
            for (size_t c = b + 1; c < runs; c++)
                for (size_t candidate = 0; candidate < runs; candidate++) {
                    if (candidate == a || candidate == b || candidate == c)
                        continue;
                    /* Each remaining one with equal probability (Knuth's algorithm S). */
                    if (random_below(&random, (uint32_t)left--) >= wanted)
                        continue;
                    wanted--;
                    struct split *split = &(*splits)[(*count)++];
                    *split = (struct split){.baseline = {a, b, c}, .candidate = candidate};
                    if (runs >= SPLIT_FEWEST_AGAIN)
                        choose_again(split, runs, &random);
                }
    return possible;
}

/* The share without one run; NAN if no split is left. */
static double share_without(const struct split *splits, const bool *fails, size_t count, size_t run, bool with_again)
{
    size_t left = 0, failing = 0;
    for (size_t i = 0; i < count; i++) {
        if (run != SIZE_MAX && split_has(&splits[i], run, with_again))
            continue;
        left++;
        failing += fails[i];
    }
    return left > 0 ? (double)failing / (double)left : NAN;
}

/* The variance of the share by the jackknife over runs; 0 if it says nothing. */
static double jackknife(const struct split *splits, const bool *fails, size_t count, size_t runs, bool with_again)
{
    double *shares = memory_take(runs, sizeof *shares), mean = 0, squares = 0;
    bool known = true;
    for (size_t run = 0; run < runs; run++) {
        shares[run] = share_without(splits, fails, count, run, with_again);
        known &= !isnan(shares[run]);
        mean += shares[run] / (double)runs;
    }
    for (size_t run = 0; run < runs; run++)
        squares += (shares[run] - mean) * (shares[run] - mean);
    free(shares);
    return known ? squares * (double)(runs - 1) / (double)runs : 0;
}

/* The x with probability p below it. Shapes below 1 occur because the equivalent numbers of splits are not whole. */
static double beta_quantile(double a, double b, double p)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (tails_beta_below(a, b, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The Clopper-Pearson interval for a count that need not be whole. */
static struct interval exact_interval(double failing, double n, double confidence)
{
    const double tail = (1 - confidence) / 2;
    return (struct interval){failing > 0 ? beta_quantile(failing, n - failing + 1, tail) : 0,
                             failing < n ? beta_quantile(failing + 1, n - failing, 1 - tail) : 1};
}

void splits_share(const struct split *splits, const bool *fails, size_t count, size_t runs, bool with_again,
                  double confidence, struct calibration_share *share)
{
    *share = (struct calibration_share){.splits = count, .interval = {0, 1}};
    for (size_t i = 0; i < count; i++)
        share->failing += fails[i];
    if (count == 0)
        return;
    const double p = share->share = (double)share->failing / (double)count;
    const double variance = jackknife(splits, fails, count, runs, with_again);
    double worth = (double)runs;
    if (variance > 0)
        worth = fmin((double)count, fmax(1, p * (1 - p) / variance));
    share->interval = exact_interval(p * worth, worth, confidence);
}

/* A calibration in progress. */
struct calibrating {
    struct calibration *calibration;
    const struct side *runs;
    int64_t *numbers; /* the runs' numbers in their file */
    struct split *splits;
    size_t split_count;
};

/* ---- the runs ---- */

static void calibrate_add_run(struct calibrating *calibrating, int64_t run)
{
    struct calibration *calibration = calibrating->calibration;
    for (size_t r = 0; r < calibration->runs; r++)
        if (calibrating->numbers[r] == run)
            return;
    ARENA_ADD(&calibration->arena, calibrating->numbers, calibration->runs) = run;
}

/* Runs of several drivers differ for more reasons than chance. */
static enum status check_runs(const struct calibrating *calibrating, struct error *error)
{
    const struct side *side = calibrating->runs;
    if (calibrating->calibration->runs < CALIBRATE_FEWEST)
        return error_set(
            error, STATUS_USAGE,
            "%s: has %zu runs; a calibration needs at least %d, three for a baseline and a candidate, and 8 for useful figures",
            side->title, calibrating->calibration->runs, CALIBRATE_FEWEST);
    for (size_t i = 0; i < side->sample_count; i++)
        for (size_t r = 1; r < side->samples[i].run_count; r++) {
            const struct store_job_row *first = side->samples[i].runs[0].row, *other = side->samples[i].runs[r].row;
            if (strcmp(first->driver, other->driver) != 0)
                return error_set(
                    error, STATUS_USAGE,
                    "%s: has runs with the drivers %.100s and %.100s of %.100s; a calibration needs runs of one driver: use `orchil merge --into FILE --run N` to put them into a separate file",
                    side->title, first->driver, other->driver, first->device);
        }
    return STATUS_OK;
}

/* ---- deciding the splits ---- */

static struct calibration_test *find_test(struct calibration *calibration, const struct sample *sample)
{
    for (size_t i = 0; i < calibration->test_count; i++)
        if (sample_compare(calibration->tests[i].sample, sample, calibration->options.compare.dimensions) == 0)
            return &calibration->tests[i];
    return NULL;
}

/* Rounded up, so that the printed value suffices. */
static double tolerance_against(const struct finding *finding)
{
    if (finding->kind != FINDING_RATE)
        return INFINITY; /* no tolerance ends a new or a lost outcome */
    const struct interval ratio = finding->rate->ratio.interval;
    return ceil(100 * fmax(ratio.low, 1 / ratio.high)) / 100;
}

static bool is_behaviour(const struct finding *finding)
{
    return finding->standing == STANDING_SURE && finding->kind >= FINDING_SHIFT;
}

/* Whether any finding is sure; records the tolerance that each test would have needed. */
static bool note_alarms(struct calibration *calibration, const struct comparison *comparison, bool count)
{
    const struct calibration_test *last = NULL;
    bool fails = false;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (!is_behaviour(finding))
            continue;
        fails = true;
        calibration->shifts += count && finding->kind == FINDING_SHIFT;
        struct calibration_test *test =
            finding->kind == FINDING_SHIFT ? NULL : find_test(calibration, finding->sample[SIDE_A]);
        if (!test)
            continue;
        if (finding->outcome->of == SAMPLE_OUTCOME) /* limits are for these */
            test->alarm = fmax(test->alarm, tolerance_against(finding));
        test->failing += count && test != last;
        last = test;
    }
    return fails;
}

/* The runs at these places of a split. */
static void calibrate_take(const struct calibrating *calibrating, const size_t *places, size_t count, struct side *side)
{
    int64_t runs[CALIBRATE_BASELINE + CALIBRATE_AGAIN];
    for (size_t i = 0; i < count; i++)
        runs[i] = calibrating->numbers[places[i]];
    side_take_runs(calibrating->runs, runs, count, side);
}

static bool fails_again(const struct calibrating *calibrating, const struct split *split,
                        const struct comparison *first)
{
    struct compare_options options = first->options;
    struct comparison comparison;
    struct side baseline, again;
    bool fails = false;
    options.first = first;
    calibrate_take(calibrating, split->baseline, CALIBRATE_BASELINE, &baseline);
    calibrate_take(calibrating, split->again, CALIBRATE_AGAIN, &again);
    compare_sides(&baseline, &again, &options, &comparison);
    for (size_t i = 0; i < comparison.finding_count; i++)
        fails |= is_behaviour(&comparison.findings[i]);
    comparison_release(&comparison);
    side_release(&again);
    side_release(&baseline);
    return fails;
}

/* again: if not NULL, set to whether three other runs confirm. foresee: also compute the smallest changes that would be
 * found. */
static bool fails_once(const struct calibrating *calibrating, const struct split *split,
                       const struct compare_options *options, bool foresee, bool *again)
{
    struct comparison comparison;
    struct side baseline, candidate;
    calibrate_take(calibrating, split->baseline, CALIBRATE_BASELINE, &baseline);
    calibrate_take(calibrating, &split->candidate, 1, &candidate);
    compare_sides(&baseline, &candidate, options, &comparison);
    const bool fails = note_alarms(calibrating->calibration, &comparison, again != NULL);
    if (foresee) {
        /* Adds the smallest changes that a gate with the runs of this split would find. */
        for (size_t i = 0; i < calibrating->calibration->test_count; i++) {
            struct calibration_test *test = &calibrating->calibration->tests[i];
            const struct sample_pair *pair = test->label ? compare_find_pair(&comparison, SIDE_A, test->sample) : NULL;
            double change = INFINITY; /* also where these runs have not seen it */
            const struct rate *rate = compare_find_in_pair(pair, test->label);
            if (rate)
                change = smallest_change(&comparison, rate, calibrating->calibration->options.power);
            if (isfinite(change))
                test->foreseen += change;
            test->hopeless_in += isfinite(change) ? 0 : 1;
            test->foreseen_in++;
        }
    }
    if (again && calibrating->calibration->runs >= SPLIT_FEWEST_AGAIN)
        *again = fails_again(calibrating, split, &comparison);
    comparison_release(&comparison);
    side_release(&candidate);
    side_release(&baseline);
    return fails;
}

/* Decides every split. again: NULL, or the share of those that three other runs confirm. */
static void decide_splits(const struct calibrating *calibrating, const struct compare_options *options,
                          struct calibration_share *share, struct calibration_share *again)
{
    enum { FORESEEN = 20 }; /* splits: their estimates differ little */
    const size_t runs = calibrating->calibration->runs, count = calibrating->split_count;
    const size_t each = count > FORESEEN ? count / FORESEEN : 1;
    bool *fails = memory_take(count, sizeof *fails), *confirmed = memory_take(count, sizeof *confirmed);
    for (size_t i = 0; i < count; i++)
        fails[i] =
            fails_once(calibrating, &calibrating->splits[i], options, i % each == 0, again ? &confirmed[i] : NULL);
    /* Takes the mean of all added changes and starts again. */
    for (size_t i = 0; i < calibrating->calibration->test_count; i++) {
        struct calibration_test *test = &calibrating->calibration->tests[i];
        const double hoped = (double)(test->foreseen_in - test->hopeless_in);
        test->note.smallest = hoped < calibrating->calibration->options.power * (double)test->foreseen_in
                                  ? INFINITY
                                  : exp(test->foreseen / hoped);
        test->foreseen = 0;
        test->foreseen_in = test->hopeless_in = 0;
    }
    splits_share(calibrating->splits, fails, count, runs, false, options->confidence, share);
    if (again && runs >= SPLIT_FEWEST_AGAIN)
        splits_share(calibrating->splits, confirmed, count, runs, true, options->confidence, again);
    free(confirmed);
    free(fails);
}

/* ---- tests whose witness a model forbids: it should never be seen, so there is no rate to gate ---- */

/* True if a model forbids all witnesses of the test. parsed: NULL if the sample has seen them; else the test, because
 * only its condition tells whether an outcome that was not seen is a witness. */
static bool has_forbidden_witness(const struct sample *sample, const struct litmus_test *parsed)
{
    bool forbidden = false;
    for (size_t i = 0; i < sample->outcome_count; i++) {
        const struct sample_outcome *outcome = &sample->outcomes[i];
        if (!outcome->witness && !(parsed && litmus_label_is_witness(parsed, outcome->label)))
            continue;
        if (sample_verdict(outcome) != VERDICT_FORBIDDEN)
            return false;
        forbidden = true;
    }
    return forbidden;
}

static enum status calibrate_read_test(struct store *store, struct calibration *calibration,
                                       struct calibration_test *test, struct error *error)
{
    struct store_text_row text;
    struct litmus_test *parsed = NULL;
    struct error ignored; /* a test that cannot be read stays as it is */
    TRY(store_load_text(store, STORE_TEST, test->sample->runs[0].row->job_id, &calibration->arena, &text, error));
    if (text.text &&
        litmus_parse(test->sample->row.test, text.text, strlen(text.text), &parsed, &ignored) == STATUS_OK &&
        has_forbidden_witness(test->sample, parsed))
        test->standing = CALIBRATION_FORBIDDEN;
    litmus_release(parsed);
    return STATUS_OK;
}

/* Marks tests whose witness a model forbids. Reads the texts of tests that have not shown their witness from the side's
 * database, if it has one. Returns errors from reading it. */
static enum status calibrate_forbid(struct calibration *calibration, struct error *error)
{
    const char *database = calibration->all->database;
    struct store *store = NULL;
    enum status status = database ? store_open(database, STORE_READ, &store, error) : STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        if (test->is_control)
            continue;
        if (has_forbidden_witness(test->sample, NULL))
            test->standing = CALIBRATION_FORBIDDEN;
        else if (store && test->sightings <= 0)
            status = calibrate_read_test(store, calibration, test, error);
    }
    store_close(store);
    return status;
}

/* ---- all runs together ---- */

/* Even runs against odd ones, so that drift from run to run counts within both sides. */
static void compare_whole(struct calibrating *calibrating)
{
    struct calibration *calibration = calibrating->calibration;
    for (int side = 0; side < SIDES; side++) {
        int64_t *runs = memory_take(calibration->runs, sizeof *runs);
        size_t count = 0;
        for (size_t i = (size_t)side; i < calibration->runs; i += SIDES)
            runs[count++] = calibrating->numbers[i];
        side_take_runs(calibrating->runs, runs, count, &calibration->halves[side]);
        free(runs);
    }
    compare_sides(&calibration->halves[SIDE_A], &calibration->halves[SIDE_B], &calibration->options.compare,
                  &calibration->whole);
    for (size_t i = 0; i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        const struct sample *sample = test->sample;
        const struct sample_outcome *witness = find_witness(sample);
        const struct sample_pair *pair = compare_find_pair(&calibration->whole, SIDE_A, sample);
        test->label = witness ? witness->label : NULL;
        test->rate = witness ? (double)witness->count / (double)sample->counted : 0;
        test->sightings = (double)sample_shown(sample) / (double)sample_spread(sample, NULL).runs;
        test->note.run_deviation = NAN;
        for (size_t r = 0; pair && r < pair->rate_count; r++)
            measure_question(&pair->rates[r].measure, test);
    }
}

/* Learns until nothing is added: leaving tests out changes the estimate for the others. */
static void learn(struct calibrating *calibrating)
{
    enum { MOST_PASSES = 5 };
    struct calibration *calibration = calibrating->calibration;
    struct compare_options noted = calibration->options.compare;
    notes_apply(&calibration->notes, &noted);
    calibration->noted = calibration->plain;
    for (int pass = 0; calibrate_learn(calibration) && pass < MOST_PASSES; pass++)
        decide_splits(calibrating, &noted, &calibration->noted, NULL);
}

enum status calibrate(struct side *runs, const struct calibration_options *options, struct calibration *calibration,
                      struct error *error)
{
    struct calibrating calibrating = {.calibration = calibration, .runs = runs};
    *calibration = (struct calibration){.options = *options, .all = runs};
    side_lend_models(runs, runs); /* a job that had no time belongs to the sample of those that had */
    side_gather(runs, options->compare.dimensions);
    for (size_t i = 0; i < runs->sample_count; i++)
        for (size_t r = 0; r < runs->samples[i].run_count; r++)
            calibrate_add_run(&calibrating, runs->samples[i].runs[r].row->run_id);
    TRY(check_runs(&calibrating, error));
    health_read(runs, &calibration->health);
    const struct side *all = calibration->all;
    calibration->tests = arena_take(&calibration->arena, all->sample_count, sizeof *calibration->tests);
    for (size_t i = 0; i < all->sample_count; i++)
        if (all->samples[i].counted > 0)
            calibration->tests[calibration->test_count++] = (struct calibration_test){
                .sample = &all->samples[i], .is_control = *all->samples[i].row.controls != 0, .varies = 1, .alarm = 1};
    compare_whole(&calibrating);
    calibration->possible = splits_list(&calibration->arena, calibration->runs, options->most_splits, options->seed,
                                        &calibrating.splits, &calibrating.split_count);
    decide_splits(&calibrating, &options->compare, &calibration->plain, &calibration->again);
    learn(&calibrating);
    return calibrate_forbid(calibration, error);
}

void calibration_release(struct calibration *calibration)
{
    comparison_release(&calibration->whole);
    for (int side = 0; side < SIDES; side++)
        side_release(&calibration->halves[side]);
    notes_release(&calibration->notes);
    arena_release(&calibration->arena);
    *calibration = (struct calibration){.tests = NULL};
}

/* ---- notes on tests: found for a sample ---- */

/* The note on a sample's test, environment and device, or NULL. */
static const struct calibration_note *notes_find(const struct calibration_notes *notes, const struct sample *sample)
{
    const struct store_job_row *row = &sample->row;
    const char *device = *row->device_uuid ? row->device_uuid : row->device;
    for (size_t i = 0; i < notes->count; i++) {
        const struct store_calibration *of = &notes->notes[i].of;
        if (strcmp(of->test_hash, row->test_hash) == 0 && strcmp(of->dialect, row->dialect) == 0 &&
            strcmp(of->environment_hash, row->environment_hash) == 0 && strcmp(of->backend, row->backend) == 0 &&
            strcmp(of->device, device) == 0)
            return &notes->notes[i];
    }
    return NULL;
}

static struct compare_limit limit_of(const void *limits, const struct sample *sample)
{
    const struct calibration_note *note = notes_find(limits, sample);
    return note ? note->limit : (struct compare_limit){.ungated = false};
}

void notes_apply(const struct calibration_notes *notes, struct compare_options *options)
{
    options->limits = notes;
    options->limit_of = limit_of;
}

/* ---- storing notes, as JSON ---- */

static char *print_note(const struct calibration_note *note)
{
    json_t *object = json_pack("{so so so so so so}", "gated", json_boolean(!note->limit.ungated), "tolerance",
                               note->limit.ungated ? json_null() : json_number(note->limit.tolerance), "reason",
                               json_text(note->reason), "runs", json_count(note->runs), "run_deviation",
                               json_number(note->run_deviation), "smallest_change", json_number(note->smallest));
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

enum status notes_write(const char *database, const struct calibration_notes *notes, struct error *error)
{
    struct store *store = NULL;
    struct store_calibration *rows = memory_take(notes->count, sizeof *rows);
    char **texts = memory_take(notes->count, sizeof *texts);
    for (size_t i = 0; i < notes->count; i++) {
        rows[i] = notes->notes[i].of;
        rows[i].note = texts[i] = print_note(&notes->notes[i]);
    }
    enum status status = store_open(database, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = store_put_calibrations(store, rows, notes->count, error);
    store_close(store);
    for (size_t i = 0; i < notes->count; i++)
        free(texts[i]);
    free(texts);
    free(rows);
    return status;
}

/* ---- reading notes ---- */

/* A malformed note is an error: it could hide every change of a test. */
static enum status read_note(const char *database, const struct store_calibration *row, struct arena *arena,
                             struct calibration_note *note, struct error *error)
{
    json_error_t where;
    json_t *object = json_loads(row->note, 0, &where);
    const json_t *gated = json_object_get(object, "gated"), *tolerance = json_object_get(object, "tolerance");
    const json_t *deviation = json_object_get(object, "run_deviation");
    const json_t *smallest = json_object_get(object, "smallest_change");
    const char *reason = json_string_value(json_object_get(object, "reason"));
    const bool is_note = json_is_boolean(gated) && reason &&
                         (json_is_false(gated) || (json_is_number(tolerance) && json_number_value(tolerance) >= 1));
    if (is_note)
        *note =
            (struct calibration_note){.of = *row,
                                      .limit = {.ungated = json_is_false(gated),
                                                .tolerance = json_is_true(gated) ? json_number_value(tolerance) : 0},
                                      .reason = arena_copy(arena, reason),
                                      .runs = (uint64_t)json_integer_value(json_object_get(object, "runs")),
                                      .run_deviation = json_is_number(deviation) ? json_number_value(deviation) : NAN,
                                      .smallest = json_is_number(smallest) ? json_number_value(smallest) : NAN};
    json_decref(object);
    return is_note ? STATUS_OK
                   : error_set(error, STATUS_SYNTAX,
                               "%s: the calibration's note on the test %.64s is malformed: expected \"gated\", "
                               "\"tolerance\" and \"reason\"; calibrate again",
                               database, row->test_hash);
}

enum status notes_read(const char *database, struct calibration_notes *notes, struct error *error)
{
    struct store *store = NULL;
    struct store_calibration *rows = NULL;
    size_t count = 0;
    TRY(store_open(database, STORE_READ, &store, error));
    enum status status = store_load_calibrations(store, &notes->arena, &rows, &count, error);
    store_close(store);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct calibration_note note;
        status = read_note(database, &rows[i], &notes->arena, &note, error);
        if (status == STATUS_OK)
            ARENA_ADD(&notes->arena, notes->notes, notes->count) = note;
    }
    return status;
}

void notes_release(struct calibration_notes *notes)
{
    arena_release(&notes->arena);
    *notes = (struct calibration_notes){.notes = NULL};
}
