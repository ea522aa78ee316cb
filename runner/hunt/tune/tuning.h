// SPDX-License-Identifier: Apache-2.0
/* A search in progress. Private to tune.c, tune_search.c, tune_finals.c and tune_duel.c. */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNING_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNING_H

#include "kernel/kernel_cache.h"
#include "runner/environment/search.h"
#include "runner/hunt/tune/tune.h"
#include "runner/hunt/tune/tune_cache.h"
#include "runner/hunt/tune/tune_duel.h"

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

/* Whether a failure or a signal has ended the search. */
bool tuning_is_over(const struct tuning *tuning);

/* Keeps the first failure, which ends the search; does nothing for OK. */
void tuning_check(struct tuning *tuning, enum status status);

/* Reports to the listener at once a trial that may condemn the harness or the device. */
void tuning_tell_alarm(const struct tuning *tuning, const struct trial *trial);

/* Each job's seconds if `jobs` jobs share `seconds`, within sensible bounds. */
double tuning_slice(double seconds, size_t jobs, double longest);

/* Tries candidates until the search's time is over. */
void tuning_search(struct tuning *tuning);

/* Measures the best candidates again, with the start, and compares the best of them with the
 * start. */
void tuning_measure_finals(struct tuning *tuning);

/* Measures a candidate and the start in turn, for about `seconds` in total, and decides which is
 * better: tuning->duel. */
void tuning_compare(struct tuning *tuning, const struct trial *candidate, const struct trial *start, double seconds);

/* The trial whose profile to write: the candidate that was better than the start or, if an
 * interrupt came before the comparison, the best so far. NULL: none. */
const struct trial *tuning_best(const struct tuning *tuning);

#endif
