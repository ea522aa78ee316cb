// SPDX-License-Identifier: Apache-2.0
/* A minimisation in progress. Private to this folder. */
#ifndef ORCHIL_RUNNER_HUNT_MINIMISE_MINIMISING_H
#define ORCHIL_RUNNER_HUNT_MINIMISE_MINIMISING_H

#include "runner/hunt/minimise/minimise.h"
#include "runner/hunt/minimise/minimise_parameter.h"

/* A test in an environment, and the outcome to see: one value for each variable of the test. */
struct minimise_setting {
    struct litmus_test *test; /* owned by the minimisation */
    const char *text;         /* the test, printed */
    int64_t *values;
    const char *outcome; /* label of the values */
    struct environment environment;
    double rate; /* the lowest of the trials that accepted it */
};

/* The draws of the batches that showed the outcome most often, best first, as environments of
 * single values. */
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

/* As minimise, on a bench of the caller. Of options, device is only for the models; cache, limits
 * and stop are ignored. */
enum status minimise_on(const struct minimise_options *options, const struct minimise_bench *bench,
                        const struct minimise_listener *listener, struct minimal *minimal, struct error *error);

/* How long a run of the reproducer must be for an outcome of this rate, and the rate that a setting
 * must keep. */
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

/* The current setting. */
struct minimise_setting *minimising_now(const struct minimising *minimising);

/* Whether there is time, and a device, for another trial; sets late. */
bool minimising_goes_on(struct minimising *minimising);

/* Tries a setting: the first trial and, if it is good enough, the others. Reports the step,
 * described by `what` (which is copied), and adds the setting if it is kept. first: NULL, or the
 * first trial if it has already run. */
bool minimising_try(struct minimising *minimising, enum minimise_stage stage, const char *what,
                    const struct minimise_setting *setting, const struct minimise_trial *first);

/* Runs only the first trial of a setting. */
struct minimise_trial minimising_screen(struct minimising *minimising, const struct minimise_setting *setting);

/* Whether a trial is good enough. */
bool minimising_passes(const struct minimising *minimising, const struct minimise_trial *trial);

/* Adds a step that failed in its first trial. */
void minimising_undo(struct minimising *minimising, enum minimise_stage stage, const char *what,
                     const struct minimise_trial *trial);

/* Adds a step that failed without a trial. */
void minimising_tell(struct minimising *minimising, enum minimise_stage stage, const char *what, const char *result);

/* Notes that a set of parameters is not enough. */
void minimising_keep_failed(struct minimising *minimising, parameter_set set);

/* The stages: everything neutral, fewer rounds, single values, fewer parameters, a smaller test. */
void minimise_to_nothing(struct minimising *minimising);
void minimise_shorten(struct minimising *minimising);
void minimise_fix(struct minimising *minimising);
void minimise_environment(struct minimising *minimising);
void minimise_test(struct minimising *minimising);

#endif
