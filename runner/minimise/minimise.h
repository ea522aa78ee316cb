// SPDX-License-Identifier: Apache-2.0
/*
 * The smallest way to an outcome: the fewest parameters of an environment that still show it on a device, and, where a model
 * forbids it, the least of its test. Nothing is printed and nothing is stored: a listener hears of every step.
 *
 * The environment is minimised by delta debugging (Zeller and Hildebrandt, IEEE TSE 28(2), 2002) over the set of parameters
 * that are not neutral: those of one mechanism at first, then each by itself. A neutral parameter does nothing: no stress,
 * words side by side, equal lanes, groups in order. Ranges become single values, those of a batch that showed the
 * outcome often; where none of these keeps the rate, they stay ranges. What is left is needed: with any one of its
 * parameters neutral the outcome is too rare.
 *
 * Too rare. A run of the reproducer lasts run_seconds and shall see the outcome in 3 of 3 runs. How often it is seen beyond that
 * is of no use, so a setting may be far rarer than the start; but counts vary more from run to run than chance alone
 * explains. So it is kept only where each of MINIMISE_SEEDS trials, with seeds of their own, has the rate at which a run would
 * see the outcome 100 times; for the environment three times that, so that what follows is not tried at the bound. Where
 * the start is rarer than ten times 100, a run is made longer, up to longest_run, and a tenth of the start's rate is asked for;
 * of a rare one MINIMISE_EXPECTED times in a run, but never more than half of the start's rate (minimise_bar.c).
 * A trial that comes below that undoes its step only if the setting before the step passes right after, and the trial fails
 * again then: machines are busy at times.
 * What was minimised is then run MINIMISE_RUNS times as the reproducer would; if one of these does not see the outcome, the
 * last step is undone, and so on.
 *
 * The test loses instructions, threads, observed values and branches one by one, as long as the outcome, or what is left of
 * it, is forbidden still and seen with all seeds. A smaller test is asked of the same models as the first
 * (runner/run/verdicts.h).
 *
 * Each trial is a job of a worker under a supervisor: a hang, a crash or a lost device costs that trial and undoes that step.
 */
#ifndef ORCHIL_RUNNER_MINIMISE_H
#define ORCHIL_RUNNER_MINIMISE_H

#include "litmus/litmus.h"
#include "runner/environment/environment.h"
#include "runner/supervise/supervisor.h"

enum {
    MINIMISE_SEEDS = 3,     /* trials that a step needs: a first one and two with other seeds */
    MINIMISE_EXPECTED = 10, /* of the outcome in a run */
    MINIMISE_RUNS = 3       /* of what was minimised */
};

struct minimise_options {
    const struct litmus_test *test;
    const struct backend_device *device;
    const struct environment *environment; /* to start from: of a profile or of a stored job */
    const char *outcome;                   /* its label, an outcome of the test */
    uint64_t seed;                         /* of the first trial; those of the others follow from it */
    double seconds;                        /* for everything; the three last runs are kept time for */
    double run_seconds;                    /* that a run of the reproducer shall take; 0: 3 */
    double longest_run;                    /* that it may take where the outcome is rare; 0: 120 */
    bool keep_test;                        /* leave the test as it is, also where the outcome is forbidden */
    const char *cache;                     /* folder of compiled kernels; or NULL */
    struct supervisor_limits limits;
    struct stop_signals *stop;
};

/* What one trial showed. */
struct minimise_trial {
    uint64_t seed, seen, instances, batches;
    double seconds;           /* that its launches took */
    uint64_t key;             /* of its draws; see draw_make */
    uint64_t best_batch;      /* the number of the batch that showed the outcome most often */
    double best_rate;         /* in that batch, per second; 0 where none did */
    uint32_t resident_groups; /* that the device holds at once, of its kernel; 0: it was not built */
    enum job_state state;     /* COMPLETED, or what became of it */
    char why[256];            /* where it is not COMPLETED */
};

/* Of the outcome per second; 0 where there was no second. */
double minimise_rate(const struct minimise_trial *trial);

/* X(name, title): what the steps try. */
#define MINIMISE_STAGE_LIST(X)                                                                                         \
    X(START, "as given")                                                                                               \
    X(FIXED, "one value for each parameter")                                                                           \
    X(ENVIRONMENT, "environment")                                                                                      \
    X(TEST, "test")                                                                                                    \
    X(RUNS, "runs")

#define MINIMISE_STAGE_ENUM(name, title) MINIMISE_STAGE_##name,
enum minimise_stage { MINIMISE_STAGE_LIST(MINIMISE_STAGE_ENUM) MINIMISE_STAGE_COUNT };
#undef MINIMISE_STAGE_ENUM

const char *minimise_stage_title(enum minimise_stage stage);

/* One thing that was tried. */
struct minimise_step {
    enum minimise_stage stage;
    const char *what;   /* "without jitter, stride"; "P1 line 7 gone: r1 = atomic_load(x)" */
    const char *result; /* without a full stop: "kept: seen 3 times in 1.0 s with seed 7", "undone: hang: ..." */
    bool kept;
    double rate_before;                           /* per second, of the setting that it started from */
    double rate;                                  /* the lowest of the trials'; 0 where there were none */
    struct minimise_trial trials[MINIMISE_SEEDS]; /* those that were run: fewer where the first settled it */
    unsigned trial_count;
};

/* X(name, title): how it ended. */
#define MINIMISE_END_LIST(X)                                                                                           \
    X(MINIMAL, "minimal: nothing more can be removed")                                                                 \
    X(OUT_OF_TIME, "out of time: more might be removable")                                                             \
    X(UNSEEN, "the outcome was not seen")                                                                              \
    X(FAILED, "the device could not run the test")                                                                     \
    X(STOPPED, "stopped by a signal")

#define MINIMISE_END_ENUM(name, title) MINIMISE_END_##name,
enum minimise_end { MINIMISE_END_LIST(MINIMISE_END_ENUM) MINIMISE_END_COUNT };
#undef MINIMISE_END_ENUM

const char *minimise_end_title(enum minimise_end end);

/* What came of it. Starts as {0}; minimal_release frees what it holds. */
struct minimal {
    enum minimise_end end;
    char why[512];            /* a sentence, where it is not MINIMAL */
    struct litmus_test *test; /* with the outcome as its condition where it was reduced, else as it was given; owned */
    char *outcome;            /* the label of the outcome in that test; owned */
    bool forbidden;           /* by a model; reduced: something of the test is gone */
    bool reduced;
    struct environment environment; /* of single values if fixed */
    bool fixed; /* else no single values kept the rate, or the time was up: each batch has its own draw */
    bool needed[PARAMETER_COUNT]; /* not neutral; of parameters that do something */
    unsigned asked, needed_count; /* parameters that were not neutral at the start, and that are not now */
    uint64_t seed, key, batch;    /* for draw_make: the draw of the batch of the runs that showed it most often */
    uint32_t resident_groups;     /* that the device holds at once, of the test's kernel: likewise */
    double run_seconds;           /* that each run of the reproducer takes */
    struct minimise_trial runs[MINIMISE_RUNS]; /* of what was minimised, as long as the reproducer's */
    unsigned run_count;                        /* fewer than MINIMISE_RUNS where the time was up */
    unsigned seen_runs;
    double rate;                 /* per second, over these runs */
    double needs_seconds;        /* after which the outcome is expected in 3 of 3 runs; see minimal_expected_seconds */
    struct minimise_step *steps; /* all, in order; owned */
    size_t step_count, step_room;
    struct arena arena; /* of their words */
    double seconds;     /* that it took */
};

/* The listener for progress; what the arguments point to is valid during the call. */
struct minimise_listener {
    void (*tried)(const struct minimise_step *step, double seconds_left, void *context);
    void *context;
};

/* Minimises. USAGE where the outcome is none of the test's; whatever the device does is not an error but an end. *minimal is
 * always the caller's to release. */
enum status minimise(const struct minimise_options *options, const struct minimise_listener *listener,
                     struct minimal *minimal, struct error *error);
void minimal_release(struct minimal *minimal);

/* Appends what is needed, in words, without a full stop: "2 of 14 parameters: stride 64, jitter of up to 32 steps"; "none of 14
 * parameters". */
void minimal_print_needed(const struct minimal *minimal, struct text *text);

/* Appends the environment as the lines of a profile, all of it: "stride = 64". */
void minimal_print_profile(const struct minimal *minimal, struct text *text);

/* The seconds that a run must last so that three of three see an outcome of this rate with a chance of 95 %, counts being
 * Poisson's or worse: MINIMISE_EXPECTED of it. INFINITY for a rate of 0. */
double minimal_expected_seconds(double rate);

#endif
