// SPDX-License-Identifier: Apache-2.0
/*
 * What a machine can detect: runs of one driver compared with each other, A against A.
 *
 * Every pair of runs is compared as a gate would. Whatever is then called changed, new or lost is a false alarm. Between
 * runs of one seed the draws are equal, and what differs is counting noise and the device's own mood: clocks,
 * temperature, neighbours. Between runs of other seeds the draws differ too.
 *
 * The smallest change that is found is a simulation with the measured data: a bootstrap (Efron: Bootstrap methods, Annals of
 * Statistics 7, 1979) over pairs of runs and, within one, over draws. One side's counts are thinned by the factor
 * (each sighting is kept with the chance 1 / factor, which is what a smaller rate would have given), and the very test
 * of the comparison is applied, at the level that the correction for many tests leaves to one. The smallest factor that is
 * found in the share `power` of simulations is the answer. A rise by a factor and a fall by it are taken as equally hard.
 */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_CALIBRATE_H
#define ORCHIL_ANALYSIS_GATE_GATE_CALIBRATE_H

#include "analysis/compare/compare.h"

struct calibration_options {
    struct compare_options compare;
    double power;         /* 0.95 */
    unsigned simulations; /* of each factor, 200 */
    uint64_t seed;        /* of the simulations */
};
struct calibration_options calibration_usual_options(void);

/* Runs of equal seeds, or of different ones. */
enum { DRAWS_EQUAL, DRAWS_OTHER, DRAWS };

/* The witness's rate of one test. */
struct calibration_rate {
    const struct sample *sample; /* of the first run */
    const char *label;
    double rate;              /* per instance, of all runs */
    double batch_variation;   /* between batches of a run: standard deviation over mean, counting noise taken out */
    double run_variation;     /* between runs of equal draws: standard deviation of the logarithm; NAN for one run */
    double detectable[DRAWS]; /* a factor; INFINITY where none up to 100 is found; NAN where there are no such runs */
};

struct calibration_pairs {
    size_t pairs, alarms;       /* pairs of runs; those with a false alarm */
    struct interval alarm_rate; /* exact, as if the pairs did not share runs */
    size_t rates, false_rates;  /* rates that were tested; those called changed, new or lost */
    double tolerance;           /* the smallest with which no pair would have had a changed rate */
};

struct calibration {
    struct calibration_options options;
    const struct side *first;
    size_t runs;
    struct calibration_pairs pairs[DRAWS];
    double tolerance; /* suggested: that of the pairs of equal draws, but at least the one that was given */
    struct calibration_rate *rates;
    size_t rate_count;
    double median[DRAWS], largest[DRAWS]; /* of the detectable factors; NAN where there are none */
    size_t unsound;                       /* jobs that showed what must never be seen, or ended in a fault */
    struct arena arena;
};

/* Compares the runs, each a side that has been read. The calibration borrows them. The caller calls
 * calibration_release, whatever came back. */
enum status calibrate(struct side *runs, size_t count, const struct calibration_options *options,
                      struct calibration *calibration, struct error *error);
void calibration_release(struct calibration *calibration);

void calibration_print_text(const struct calibration *calibration, struct text *text);
void calibration_print_json(const struct calibration *calibration, struct text *text);

#endif
