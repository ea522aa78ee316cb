// SPDX-License-Identifier: Apache-2.0
/* Every pair of runs compared; then what all pairs say of each rate. */
#include "analysis/gate/gate_calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gate/gate_detect.h"
#include "base/memory.h"

struct calibration_options calibration_usual_options(void)
{
    return (struct calibration_options){
        .compare = compare_usual_options(), .power = 0.95, .simulations = 200, .seed = 1};
}

/* Two runs compared. */
struct couple {
    struct comparison comparison;
    int draws;
};

/* What is under way. */
struct calibrating {
    struct calibration *calibration;
    struct side *runs;
    struct couple *couples;
    size_t couple_count;
    double
        weights; /* of all rates of the comparison that has most: what a correction for many tests deals the level to */
};

static double weight_of(const struct calibrating *calibrating, const struct sample_outcome *outcome)
{
    return compare_shows_weakness(outcome) ? calibrating->calibration->options.compare.weak_weight : 1;
}

/* The level that the correction leaves to one rate, at worst. */
static double level_of(const struct calibrating *calibrating, const struct calibration_rate *rate)
{
    const double weight = weight_of(calibrating, sample_outcome(rate->sample, rate->label));
    return calibrating->calibration->options.compare.alpha * weight / fmax(weight, calibrating->weights);
}

/* ---- pairs of runs ---- */

static bool is_alarm(const struct finding *finding)
{
    return finding->kind >= FINDING_NEW && finding->kind != FINDING_STATE && finding->sure;
}

/* How far a rate that is significantly different lies from the other side's, whatever the tolerance: at least so. */
static double certain_factor(const struct compare_options *options, const struct rate *rate)
{
    if (rate->adjusted > options->alpha || rate->count[SIDE_A] == 0 || rate->count[SIDE_B] == 0)
        return 1;
    return fmax(1, fmax(rate->ratio.interval.low, 1 / rate->ratio.interval.high));
}

static void judge_couple(struct calibrating *calibrating, struct couple *couple)
{
    const struct comparison *comparison = &couple->comparison;
    size_t alarms = 0, tested = 0;
    double certain = 1, weights = 0;
    couple->draws = DRAWS_OTHER;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        if (pair->equal_draws > 0)
            couple->draws = DRAWS_EQUAL;
        for (size_t r = 0; r < pair->rate_count; r++) {
            tested += pair->rates[r].test.method != STATISTICS_NONE;
            weights += weight_of(calibrating, pair->rates[r].outcome);
            certain = fmax(certain, certain_factor(&comparison->options, &pair->rates[r]));
        }
    }
    for (size_t i = 0; i < comparison->finding_count; i++)
        alarms += is_alarm(&comparison->findings[i]);
    struct calibration_pairs *pairs = &calibrating->calibration->pairs[couple->draws];
    pairs->pairs++;
    pairs->alarms += alarms > 0;
    pairs->rates += tested;
    pairs->false_rates += alarms;
    pairs->tolerance = fmax(pairs->tolerance, ceil(100 * certain - 1e-9) / 100);
    calibrating->weights = fmax(calibrating->weights, weights);
}

static void compare_runs(struct calibrating *calibrating)
{
    struct calibration *calibration = calibrating->calibration;
    for (size_t i = 0; i < calibration->runs; i++) {
        for (size_t j = i + 1; j < calibration->runs; j++) {
            struct couple *couple = &calibrating->couples[calibrating->couple_count++];
            compare_sides(&calibrating->runs[i], &calibrating->runs[j], &calibration->options.compare,
                          &couple->comparison);
            judge_couple(calibrating, couple);
        }
    }
    for (int draws = 0; draws < DRAWS; draws++) {
        struct calibration_pairs *pairs = &calibration->pairs[draws];
        pairs->alarm_rate = statistics_binomial(pairs->alarms, pairs->pairs, calibration->options.compare.confidence);
    }
}

/* Jobs that say more than that the device varies. */
static size_t count_unsound(const struct side *side)
{
    size_t unsound = 0;
    for (size_t i = 0; i < side->sample_count; i++) {
        const struct sample *sample = &side->samples[i];
        bool seen = job_state_class(sample->row.state) == JOB_CLASS_FAULT;
        for (size_t o = 0; o < sample->outcome_count && !(sample->row.marks & MARK_UNDECLARED); o++) {
            const struct sample_outcome *outcome = &sample->outcomes[o];
            seen |= outcome->count > 0 && sample_condemns(outcome, sample->row.controls);
        }
        unsound += seen;
    }
    return unsound;
}

/* ---- rates ---- */

static const struct rate *find_rate(const struct couple *couple, const struct calibration_rate *wanted,
                                    const struct pair **pair)
{
    for (size_t i = 0; i < couple->comparison.pair_count; i++) {
        *pair = &couple->comparison.pairs[i];
        if (sample_compare((*pair)->sample[SIDE_A], wanted->sample, couple->comparison.dimensions) != 0)
            continue;
        for (size_t r = 0; r < (*pair)->rate_count; r++)
            if (strcmp((*pair)->rates[r].outcome->label, wanted->label) == 0)
                return &(*pair)->rates[r];
    }
    return NULL;
}

static bool is_known(const struct calibration *calibration, const struct sample *sample, const char *label,
                     unsigned dimensions)
{
    for (size_t i = 0; i < calibration->rate_count; i++)
        if (strcmp(calibration->rates[i].label, label) == 0 &&
            sample_compare(calibration->rates[i].sample, sample, dimensions) == 0)
            return true;
    return false;
}

static void list_rates_of(struct calibration *calibration, const struct pair *pair, unsigned dimensions)
{
    for (size_t r = 0; r < pair->rate_count; r++) {
        const struct sample_outcome *outcome = pair->rates[r].outcome;
        if (outcome->witness && !is_known(calibration, pair->sample[SIDE_A], outcome->label, dimensions))
            ARENA_ADD(&calibration->arena, calibration->rates, calibration->rate_count) =
                (struct calibration_rate){.sample = pair->sample[SIDE_A], .label = outcome->label};
    }
}

/* The witnesses of tests that are no controls: what a gate relies on. */
static void list_rates(struct calibrating *calibrating)
{
    for (size_t c = 0; c < calibrating->couple_count; c++) {
        const struct comparison *comparison = &calibrating->couples[c].comparison;
        for (size_t i = 0; i < comparison->pair_count; i++)
            if (!*comparison->pairs[i].sample[SIDE_A]->row.controls)
                list_rates_of(calibrating->calibration, &comparison->pairs[i], comparison->dimensions);
    }
}

/* The counts of one side as batches; positions NULL: all that counted something. */
static struct statistics_batch *take_batches(struct arena *arena, const struct sample *sample, const char *label,
                                             const size_t *positions, size_t *count)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    const size_t most = positions ? *count : sample->batch_count;
    struct statistics_batch *batches = arena_take(arena, most, sizeof *batches);
    *count = 0;
    for (size_t i = 0; i < most; i++) {
        const size_t at = positions ? positions[i] : i;
        if (sample->batches[at].counted > 0)
            batches[(*count)++] =
                (struct statistics_batch){outcome ? outcome->counts[at] : 0, sample->batches[at].counted};
    }
    return batches;
}

static double rate_of(const struct statistics_batch *batches, size_t count)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)batches[i].count;
        n += (double)batches[i].n;
    }
    return n > 0 ? sum / n : 0;
}

/* The variance between batches that is more than counting, over the square of the mean. */
static double excess_of(const struct statistics_batch *batches, size_t count)
{
    const double mean = rate_of(batches, count);
    double sum = 0, counting = 0;
    if (mean <= 0 || count < 2)
        return 0;
    for (size_t i = 0; i < count; i++) {
        sum += pow((double)batches[i].count / (double)batches[i].n - mean, 2);
        counting += mean / (double)batches[i].n;
    }
    return fmax(0, sum / (double)(count - 1) - counting / (double)count) / (mean * mean);
}

/* What all pairs of runs have of one rate. */
struct gathered {
    struct detect_data *data[DRAWS];
    size_t count[DRAWS];
    double squares; /* of the logarithms of the ratios between runs of equal draws */
    double excess, rate;
    size_t sides, ratios;
};

static void gather_couple(struct arena *arena, const struct couple *couple, const struct calibration_rate *rate,
                          struct gathered *gathered)
{
    const struct pair *pair;
    struct detect_data data = {.paired = false};
    double rates[SIDES];
    if (!find_rate(couple, rate, &pair))
        return;
    data.paired = pair->paired;
    for (int side = 0; side < SIDES; side++) {
        data.count[side] = pair->equal_draws;
        data.batches[side] = take_batches(arena, pair->sample[side], rate->label,
                                          pair->paired ? pair->partners[side] : NULL, &data.count[side]);
        rates[side] = rate_of(data.batches[side], data.count[side]);
        gathered->excess += excess_of(data.batches[side], data.count[side]);
        gathered->rate += rates[side];
        gathered->sides++;
    }
    if (data.count[SIDE_A] == 0 || data.count[SIDE_B] == 0)
        return;
    if (couple->draws == DRAWS_EQUAL && rates[SIDE_A] > 0 && rates[SIDE_B] > 0) {
        gathered->squares += pow(log(rates[SIDE_B] / rates[SIDE_A]), 2);
        gathered->ratios++;
    }
    gathered->data[couple->draws][gathered->count[couple->draws]++] = data;
}

static void measure_rate(struct calibrating *calibrating, struct calibration_rate *rate)
{
    const struct calibration *calibration = calibrating->calibration;
    const struct calibration_options *options = &calibration->options;
    struct arena scratch = {0};
    struct gathered gathered = {.sides = 0};
    for (int draws = 0; draws < DRAWS; draws++)
        gathered.data[draws] = arena_take(&scratch, calibrating->couple_count, sizeof *gathered.data[draws]);
    for (size_t c = 0; c < calibrating->couple_count; c++)
        gather_couple(&scratch, &calibrating->couples[c], rate, &gathered);
    if (gathered.sides > 0) {
        rate->rate = gathered.rate / (double)gathered.sides;
        rate->batch_variation = sqrt(gathered.excess / (double)gathered.sides);
    }
    /* Each run's logarithm varies by half the variance of a difference. */
    rate->run_variation = gathered.ratios > 0 ? sqrt(gathered.squares / (double)gathered.ratios / 2) : NAN;
    const struct detect_options detect = {.level = level_of(calibrating, rate),
                                          .tolerance = calibration->tolerance,
                                          .confidence = options->compare.confidence,
                                          .power = options->power,
                                          .simulations = options->simulations,
                                          .seed = options->seed};
    for (int draws = 0; draws < DRAWS; draws++)
        rate->detectable[draws] =
            gathered.count[draws] > 0 ? gate_detect(gathered.data[draws], gathered.count[draws], &detect) : NAN;
    arena_release(&scratch);
}

/* ---- all of it ---- */

static int compare_factors(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void summarize_factors(struct calibration *calibration)
{
    double *factors = memory_take(calibration->rate_count, sizeof *factors);
    for (int draws = 0; draws < DRAWS; draws++) {
        size_t count = 0;
        for (size_t i = 0; i < calibration->rate_count; i++)
            if (!isnan(calibration->rates[i].detectable[draws]))
                factors[count++] = calibration->rates[i].detectable[draws];
        if (count > 0)
            qsort(factors, count, sizeof *factors, compare_factors);
        calibration->median[draws] = count > 0 ? factors[count / 2] : NAN;
        calibration->largest[draws] = count > 0 ? factors[count - 1] : NAN;
    }
    free(factors);
}

static void measure_runs(struct calibrating *calibrating)
{
    struct calibration *calibration = calibrating->calibration;
    compare_runs(calibrating);
    for (size_t i = 0; i < calibration->runs; i++)
        calibration->unsound += count_unsound(&calibrating->runs[i]);
    const int decisive = calibration->pairs[DRAWS_EQUAL].pairs > 0 ? DRAWS_EQUAL : DRAWS_OTHER;
    calibration->tolerance = fmax(calibration->options.compare.tolerance, calibration->pairs[decisive].tolerance);
    list_rates(calibrating);
    for (size_t i = 0; i < calibration->rate_count; i++)
        measure_rate(calibrating, &calibration->rates[i]);
    summarize_factors(calibration);
}

enum status calibrate(struct side *runs, size_t count, const struct calibration_options *options,
                      struct calibration *calibration, struct error *error)
{
    struct calibrating calibrating = {.calibration = calibration, .runs = runs};
    *calibration = (struct calibration){.options = *options, .first = runs, .runs = count};
    for (int draws = 0; draws < DRAWS; draws++)
        calibration->pairs[draws].tolerance = 1;
    if (count < 2)
        return error_set(error, STATUS_USAGE, "expected two runs or more to calibrate with, found %zu", count);
    calibrating.couples = memory_take(count * (count - 1) / 2, sizeof *calibrating.couples);
    measure_runs(&calibrating);
    /* The samples that rates point to are the sides'. */
    for (size_t i = 0; i < calibrating.couple_count; i++)
        comparison_release(&calibrating.couples[i].comparison);
    free(calibrating.couples);
    return STATUS_OK;
}

void calibration_release(struct calibration *calibration)
{
    arena_release(&calibration->arena);
    *calibration = (struct calibration){.rates = NULL};
}
