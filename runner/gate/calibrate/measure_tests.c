// SPDX-License-Identifier: Apache-2.0
/* Measures a test over all runs: its rate, how much its runs differ, and which change would be
 * found. */
#include <math.h>
#include <string.h>

#include "runner/gate/calibrate/calibrate_parts.h"

enum {
    ENOUGH_SIGHTINGS = 30
}; /* in the mean run: enough to separate the variance of runs from
                                 * counting noise */

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

/* Whether a candidate without sightings, after three baseline runs, could be distinguished from
 * chance. */
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

static const struct sample_pair *find_pair(const struct comparison *comparison, const struct sample *sample)
{
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (sample_compare(comparison->pairs[i].sample[SIDE_A], sample, comparison->dimensions) == 0)
            return &comparison->pairs[i];
    return NULL;
}

void calibrate_foresee(struct calibration *calibration, const struct comparison *split)
{
    for (size_t i = 0; i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        const struct sample_pair *pair = test->label ? find_pair(split, test->sample) : NULL;
        double change = INFINITY; /* also where these runs have not seen it */
        for (size_t r = 0; pair && r < pair->rate_count; r++)
            if (strcmp(pair->rates[r].outcome->label, test->label) == 0)
                change = smallest_change(split, &pair->rates[r], calibration->options.power);
        if (isfinite(change))
            test->foreseen += change;
        test->hopeless_in += isfinite(change) ? 0 : 1;
        test->foreseen_in++;
    }
}

void calibrate_conclude(struct calibration *calibration)
{
    for (size_t i = 0; i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        const double hoped = (double)(test->foreseen_in - test->hopeless_in);
        test->note.smallest =
            hoped < calibration->options.power * (double)test->foreseen_in ? INFINITY : exp(test->foreseen / hoped);
        test->foreseen = 0;
        test->foreseen_in = test->hopeless_in = 0;
    }
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

static void measure_test(const struct calibration *calibration, struct calibration_test *test)
{
    const struct sample *sample = test->sample;
    const struct sample_outcome *witness = find_witness(sample);
    const struct sample_pair *pair = find_pair(&calibration->whole, sample);
    test->label = witness ? witness->label : NULL;
    test->rate = witness ? (double)witness->count / (double)sample->counted : 0;
    test->sightings = (double)sample_shown(sample) / (double)sample_spread(sample, NULL).runs;
    test->note.run_deviation = NAN;
    for (size_t r = 0; pair && r < pair->rate_count; r++)
        measure_question(&pair->rates[r].measure, test);
}

void calibrate_measure(struct calibration *calibration)
{
    for (size_t i = 0; i < calibration->test_count; i++)
        measure_test(calibration, &calibration->tests[i]);
}

/* ---- what is learned ---- */

static const char *explain(struct arena *arena, const struct calibration_test *test)
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

bool calibrate_learn(struct calibration *calibration)
{
    const struct calibration_options *options = &calibration->options;
    const double needed = ceil(statistics_count_for(options->assurance));
    bool more = false;
    calibration->notes.count = 0;
    for (size_t i = 0; i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        const struct store_job_row *row = &test->sample->row;
        const struct compare_limit before = test->note.limit;
        test->note.test_hash = row->test_hash;
        test->note.dialect = row->dialect;
        test->note.environment_hash = row->environment_hash;
        test->note.backend = row->backend;
        test->note.device = *row->device_uuid ? row->device_uuid : row->device;
        test->note.runs = sample_spread(test->sample, NULL).runs;
        test->note.limit.ungated |= fmax(test->varies, test->alarm) > options->most_tolerance;
        test->note.limit.tolerance = test->note.limit.ungated ? 0 : fmax(options->compare.tolerance, test->alarm);
        test->note.reason = test->note.limit.ungated ? explain(&calibration->arena, test) : "";
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
