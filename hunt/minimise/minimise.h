// SPDX-License-Identifier: Apache-2.0
/*
 * Minimising what shows an outcome: the fewest parameters of an environment that still show it on a device and, if a
 * model forbids it, the smallest part of its test. Nothing is printed or stored: every step is reported to a listener.
 *
 * The environment is minimised by delta debugging (Zeller and Hildebrandt, IEEE TSE 28(2), 2002) over the parameters
 * that are not neutral: first whole mechanisms, then single parameters. A neutral parameter does nothing: no stress,
 * words side by side, equal lanes, groups in order. Ranges become single values, taken from a batch that showed the
 * outcome often; if no such values keep the rate, they stay ranges. The parameters left are needed: with any one of
 * them neutral, the outcome is too rare.
 *
 * Too rare: the reproducer runs for run_seconds and must see the outcome in 3 of 3 runs. Seeing it more often is of no
 * use, so a setting may be far rarer than the start; but counts vary more from run to run than chance alone explains.
 * So a setting is kept only if each of MINIMISE_SEEDS trials, with different seeds, reaches the rate at which a run
 * would see the outcome 100 times; for the environment three times this rate, so that later steps are not tried at the
 * bound. If the start's rate is less than ten times this rate, the run is made longer, up to longest_run, and a tenth
 * of the start's rate is required; for a rare outcome, MINIMISE_EXPECTED times in a run, but never more than half of
 * the start's rate (minimise_bar.c). A trial below the required rate undoes its step only if the setting before the
 * step passes right afterwards and the trial then fails again, because machines are sometimes busy. The minimised
 * setting is then run MINIMISE_RUNS times like the reproducer; if one of these runs does not see the outcome, the last
 * step is undone, and so on.
 *
 * The test loses instructions, threads, observed values and branches one by one, as long as the outcome, or what is
 * left of it, is still forbidden and seen with all seeds. The same models judge the smaller tests
 * (runner/run/verdicts.h).
 *
 * Each trial is a job of a worker under a supervisor: a hang, a crash or a lost device only costs the trial and undoes
 * its step.
 */
#pragma once

#include "litmus/litmus.h"
#include "runner/environment/environment.h"
#include "runner/supervise/supervisor.h"

enum {
    MINIMISE_SEEDS = 3,     /* trials of a step, with different seeds */
    MINIMISE_EXPECTED = 10, /* times that a run must see the outcome */
    MINIMISE_RUNS = 3       /* of the minimised setting */
};

struct minimise_options {
    const struct litmus_test *test;
    const struct backend_device *device;
    const struct environment *environment; /* to start from; of a profile or a stored job */
    const char *outcome;                   /* its label, an outcome of the test */
    uint64_t seed;                         /* of the first trial; the other seeds follow from it */
    double seconds;                        /* for everything, including the last three runs */
    double run_seconds;                    /* of a run of the reproducer; 0: 3 */
    double longest_run;                    /* of a run if the outcome is rare; 0: 120 */
    const char *cache;                     /* folder of compiled kernels; or NULL */
    struct supervisor_limits limits;
    struct stop_signals *stop;
};

/* The result of one trial. */
struct minimise_trial {
    uint64_t seed, seen, instances, batches;
    double seconds;           /* of its launches */
    uint64_t key;             /* of its draws; see draw_make */
    uint64_t best_batch;      /* number of the batch that showed the outcome most often */
    double best_rate;         /* in that batch, per second; 0 if no batch showed it */
    uint32_t resident_groups; /* that the device holds at once, for its kernel; 0: not built */
    enum job_state state;     /* COMPLETED, or how it ended */
    char why[256];            /* if not COMPLETED */
};

/* How often it showed the outcome per second; 0 if it took no time. */
double minimise_rate(const struct minimise_trial *trial);

/* X(name, title): the stages of the steps. */
#define MINIMISE_STAGE_LIST(X)                                                                                         \
    X(START, "as given")                                                                                               \
    X(FIXED, "one value for each parameter")                                                                           \
    X(ENVIRONMENT, "environment")                                                                                      \
    X(TEST, "test")                                                                                                    \
    X(RUNS, "runs")

#define MINIMISE_STAGE_ENUM(name, title) MINIMISE_STAGE_##name,
enum minimise_stage { MINIMISE_STAGE_LIST(MINIMISE_STAGE_ENUM) MINIMISE_STAGE_COUNT };

const char *minimise_stage_title(enum minimise_stage stage);

/* One attempted step. */
struct minimise_step {
    enum minimise_stage stage;
    const char *what;   /* "without jitter, stride"; "P1 line 7 gone: r1 = atomic_load(x)" */
    const char *result; /* without a full stop: "kept: seen 3 times in 1.0 s with seed 7", "undone: hang: ..." */
    bool kept;
    double rate_before;                           /* per second, of the setting before the step */
    double rate;                                  /* the lowest of the trials; 0 if there were none */
    struct minimise_trial trials[MINIMISE_SEEDS]; /* fewer if the first decided */
    unsigned trial_count;
};

/* X(name, title): how the minimisation ended. */
#define MINIMISE_END_LIST(X)                                                                                           \
    X(MINIMAL, "minimal: nothing more can be removed")                                                                 \
    X(OUT_OF_TIME, "out of time: more might be removable")                                                             \
    X(UNSEEN, "the outcome was not seen")                                                                              \
    X(FAILED, "the device could not run the test")                                                                     \
    X(STOPPED, "stopped by a signal")

#define MINIMISE_END_ENUM(name, title) MINIMISE_END_##name,
enum minimise_end { MINIMISE_END_LIST(MINIMISE_END_ENUM) MINIMISE_END_COUNT };

const char *minimise_end_title(enum minimise_end end);

/* The result of a minimisation. Starts as {0}; minimal_release frees what it holds. */
struct minimal {
    enum minimise_end end;
    char why[512];            /* a sentence, if not MINIMAL */
    struct litmus_test *test; /* if reduced, with the outcome as its condition; else as given; owned */
    char *outcome;            /* the label of the outcome in that test; owned */
    bool forbidden;           /* by a model; reduced: the test lost something */
    bool reduced;
    struct environment environment; /* of single values if fixed */
    bool fixed;                   /* else no single values kept the rate, or time was up: each batch has its own draw */
    bool needed[PARAMETER_COUNT]; /* neither neutral nor without effect */
    unsigned asked, needed_count; /* parameters that were not neutral at the start; and now */
    uint64_t seed, key, batch;    /* for draw_make: of the batch that showed the outcome most often in the runs */
    uint32_t resident_groups;     /* that the device held at once in that run */
    double run_seconds;           /* of each run of the reproducer */
    struct minimise_trial runs[MINIMISE_RUNS]; /* as long as the reproducer's */
    unsigned run_count;                        /* fewer than MINIMISE_RUNS if time was up */
    unsigned seen_runs;
    double rate;                 /* per second, over these runs */
    double needs_seconds;        /* see minimal_expected_seconds */
    struct minimise_step *steps; /* all, in order; owned */
    size_t step_count, step_room;
    struct arena arena; /* of the steps' texts */
    double seconds;     /* that the minimisation took */
};

/* The listener for progress; what the arguments point to is valid during the call. */
struct minimise_listener {
    void (*tried)(const struct minimise_step *step, double seconds_left, void *context);
    void *context;
};

/* Minimises. USAGE if the outcome is not an outcome of the test; failures of the device are not errors but an enum
 * minimise_end. The caller releases *minimal, whatever the result. */
enum status minimise(const struct minimise_options *options, const struct minimise_listener *listener,
                     struct minimal *minimal, struct error *error);
void minimal_release(struct minimal *minimal);

/* Appends the needed parameters, without a full stop: "2 of 14 parameters: stride 64, jitter of up to 32 steps"; "none
 * of 14 parameters". */
void minimal_print_needed(const struct minimal *minimal, struct text *text);

/* How many seconds a run must last so that three of three runs see an outcome of this rate with a probability of 95 %,
 * if counts are Poisson-distributed or worse: long enough for MINIMISE_EXPECTED of them. INFINITY for a rate of 0. */
double minimal_expected_seconds(double rate);
