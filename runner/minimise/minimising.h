// SPDX-License-Identifier: Apache-2.0
/* A minimisation in progress. Private to this folder. */
#ifndef ORCHIL_RUNNER_MINIMISE_MINIMISING_H
#define ORCHIL_RUNNER_MINIMISE_MINIMISING_H

#include "runner/minimise/minimise.h"
#include "runner/minimise/minimise_parameter.h"

/* A test in an environment, and the outcome to see there: one value for each of the test's variables. */
struct minimise_setting {
    struct litmus_test *test; /* owned by the minimisation */
    const char *text;         /* of the test, printed */
    int64_t *values;
    const char *outcome; /* their label */
    struct environment environment;
    double rate; /* the lowest of the trials that accepted it */
};

/* The draws of the batches that showed the outcome most often, the best first: environments of single values. */
enum { MINIMISE_BEST = 4 };
struct minimise_best {
    struct environment environments[MINIMISE_BEST];
    double rates[MINIMISE_BEST];
    size_t count;
};

/* Takes a batch's draw into the best, if it is one of them. */
void minimise_best_add(struct minimise_best *best, const struct environment *drawn, double rate);

/* What a trial shall be. */
struct minimise_ask {
    uint64_t seed;
    double seconds;  /* of launches */
    double required; /* the rate that decides; 0: there is none yet */
    bool whole;      /* let it last to its end, whatever it shows */
};

/* Whether a trial has shown enough. */
bool minimise_is_settled(const struct minimise_ask *ask, const struct minimise_trial *trial);

/* What runs trials: a worker under a supervisor, or a test's stand-in. */
struct minimise_bench {
    /* Runs one trial and fills *trial, which has its seed already. best: NULL, or to be added to. */
    void (*measure)(const struct minimise_setting *setting, const struct minimise_ask *ask,
                    struct minimise_trial *trial, struct minimise_best *best, void *context);
    double (*clock)(void *context);
    bool (*stopped)(void *context); /* the user wants no more */
    void *context;
};

/* minimise on a bench of the caller's. Of options, device is for the models alone; cache, limits and stop are not looked at. */
enum status minimise_on(const struct minimise_options *options, const struct minimise_bench *bench,
                        const struct minimise_listener *listener, struct minimal *minimal, struct error *error);

/* How long a run of the reproducer shall be where the outcome has this rate, and what rate a setting must keep. */
struct minimise_bar {
    double run_seconds, required;
};
struct minimise_bar minimise_bar_for(double rate, double run_seconds, double longest_run);

struct minimising {
    const struct minimise_options *options;
    const struct minimise_bench *bench;
    const struct minimise_listener *listener;
    struct minimal *minimal;           /* its arena holds what settings point to */
    struct minimise_setting *settings; /* accepted one after the other; the last is where it is */
    size_t setting_count, setting_room;
    struct litmus_test **tests; /* all that were made; owned */
    size_t test_count, test_room;
    parameter_set *failed; /* sets of parameters that were tried with the present values, and not kept; owned */
    size_t failed_count, failed_room;
    char (*refused)[65]; /* hashes of smaller tests that were tried and not kept */
    size_t refused_count, refused_room;
    struct minimise_best best; /* of the trials as given */
    struct minimise_bar bar;
    double required;                         /* the rate that a trial must have now: the bar's, or more */
    double trial_seconds, batch_seconds;     /* of a trial; of a batch of the start */
    double began, stage_end, steps_end, end; /* by the clock; end: of everything */
    bool late;                               /* something was left out because the stage's time was up */
    bool rare; /* a trial sees the outcome so seldom that the three of a step are counted together */
    bool lost; /* the device can run nothing */
    struct error *error;
    enum status status; /* what ends it: memory of the models, never a device */
};

/* The setting where it is. */
struct minimise_setting *minimising_now(const struct minimising *minimising);

/* Whether there is time, and a device, for another trial; sets late. */
bool minimising_goes_on(struct minimising *minimising);

/* Tries a setting: the first trial, and where that is good enough the others. Tells the step, with `what` said of it (which is
 * copied), and takes the setting where it is kept. *first: NULL, or the first trial if it was run before. */
bool minimising_try(struct minimising *minimising, enum minimise_stage stage, const char *what,
                    const struct minimise_setting *setting, const struct minimise_trial *first);

/* The first trial of a setting alone. */
struct minimise_trial minimising_screen(struct minimising *minimising, const struct minimise_setting *setting);

/* Whether a trial is good enough. */
bool minimising_passes(const struct minimising *minimising, const struct minimise_trial *trial);

/* Adds a step that came to nothing, without confirming. */
void minimising_undo(struct minimising *minimising, enum minimise_stage stage, const char *what,
                     const struct minimise_trial *trial);

/* Adds a step that needed no trial to come to nothing. */
void minimising_tell(struct minimising *minimising, enum minimise_stage stage, const char *what, const char *result);

/* Takes note that a set of parameters is not enough. */
void minimising_keep_failed(struct minimising *minimising, parameter_set set);

/* The stages: everything neutral, fewer rounds, single values, fewer parameters, less of the test. */
void minimise_to_nothing(struct minimising *minimising);
void minimise_shorten(struct minimising *minimising);
void minimise_fix(struct minimising *minimising);
void minimise_environment(struct minimising *minimising);
void minimise_test(struct minimising *minimising);

#endif
