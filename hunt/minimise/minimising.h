// SPDX-License-Identifier: Apache-2.0
/* A minimisation in progress. */
#pragma once

#include "hunt/minimise/minimise.h"

/* ---- sets of parameters, neutral and single values, for the minimiser ---- */

/* The parameters of a mechanism. */
parameter_set minimise_mechanism(enum mechanism_group group);

/* The parameters that are not neutral and have an effect: for example, no size of stress without stress. */
parameter_set minimise_active(const struct environment *environment);

/* The set without the parameters that have no effect once all parameters outside it are neutral. */
parameter_set minimise_effective(parameter_set set);

/* The environment with every parameter outside the set neutral; sizes keep their values. */
struct environment minimise_neutral(const struct environment *environment, parameter_set kept);

/* The environment of a draw: one value for each parameter; for a chance, the coin's 0 or 1. */
struct environment minimise_drawn(const struct environment *of, const uint32_t values[PARAMETER_COUNT]);

/* The environment in the middle of its ranges; for a chance, the more likely value. */
struct environment minimise_middle(const struct environment *environment);

/* The environment with the single values of `values` instead of its ranges. */
struct environment minimise_fixed(const struct environment *environment, const struct environment *values);

/* Whether each parameter, including neutral ones, has a single value; for a chance 0 or 100. */
bool minimise_is_fixed(const struct environment *environment);

/* Appends "jitter, stride": first mechanisms, if the set has all their parameters in `of`, then single parameters. */
void minimise_print_set(parameter_set set, parameter_set of, struct text *text);

/* Appends the active parameters with their values: "stride 64, jitter of up to 32 steps"; nothing if there are none. */
void minimise_print_values(const struct environment *environment, struct text *text);

/* A test in an environment, and the outcome to see: one value for each variable of the test. */
struct minimise_setting {
    struct litmus_test *test; /* owned by the minimisation */
    const char *text;         /* the test, printed */
    int64_t *values;
    const char *outcome; /* label of the values */
    struct environment environment;
    double rate; /* the lowest of the trials that accepted it */
};

/* The draws of the batches that showed the outcome most often, best first, as environments of single values. */
enum { MINIMISE_BEST = 4 };
struct minimise_best {
    struct environment environments[MINIMISE_BEST];
    double rates[MINIMISE_BEST];
    size_t count;
};

/* Adds a batch's draw to the best, if it is one of them. */
void minimise_best_add(struct minimise_best *best, const struct environment *drawn, double rate);

/* What is asked of a trial. */
struct minimise_ask {
    uint64_t seed;
    double seconds;  /* of launches */
    double required; /* the rate that decides; 0: none yet */
    bool whole;      /* do not end it early */
};

/* Whether a trial has shown enough. */
bool minimise_is_settled(const struct minimise_ask *ask, const struct minimise_trial *trial);

/* A bench that runs trials: a worker under a supervisor, or a test's stand-in. */
struct minimise_bench {
    /* Runs one trial and fills *trial, which already has its seed. Adds to best, if not NULL. */
    void (*measure)(const struct minimise_setting *setting, const struct minimise_ask *ask,
                    struct minimise_trial *trial, struct minimise_best *best, void *context);
    double (*clock)(void *context);
    bool (*stopped)(void *context); /* by the user */
    void *context;
};

/* As minimise, on a bench of the caller. Of options, device is only for the models; cache, limits and stop are
 * ignored. */
enum status minimise_on(const struct minimise_options *options, const struct minimise_bench *bench,
                        const struct minimise_listener *listener, struct minimal *minimal, struct error *error);

/* How long a run of the reproducer must be for an outcome of this rate, and the rate that a setting must keep. */
struct minimise_bar {
    double run_seconds, required;
};
struct minimise_bar minimise_bar_for(double rate, double run_seconds, double longest_run);

struct minimising {
    const struct minimise_options *options;
    const struct minimise_bench *bench;
    const struct minimise_listener *listener;
    struct minimal *minimal;           /* its arena owns the settings' texts */
    struct minimise_setting *settings; /* accepted, in order; the last is the current one */
    size_t setting_count, setting_room;
    struct litmus_test **tests; /* all tests made; owned */
    size_t test_count, test_room;
    parameter_set *failed; /* sets of parameters tried with the current values and not kept; owned */
    size_t failed_count, failed_room;
    char (*refused)[65]; /* hashes of smaller tests tried and not kept */
    size_t refused_count, refused_room;
    struct minimise_best best; /* of the start's trials */
    struct minimise_bar bar;
    double required;                         /* the rate that a trial needs now: the bar's, or more */
    double trial_seconds, batch_seconds;     /* of a trial; of a batch of the start */
    double began, stage_end, steps_end, end; /* by the bench's clock; end: of everything */
    bool late;                               /* something was skipped because the stage's time was up */
    bool rare; /* a trial sees the outcome so rarely that a step's three trials are counted together */
    bool lost; /* the device can no longer run anything */
    struct error *error;
    enum status status; /* a failure that ends it: the models' memory, never the device */
};
