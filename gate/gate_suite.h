// SPDX-License-Identifier: Apache-2.0
/* The suite of a gate: tests, devices, environment, seed and duration. `gate` and `gate baseline`
 * have the same options for it. */
#pragma once

#include "analysis/sides/side.h"
#include "backends/backend.h"
#include "catalogue/selection.h"
#include "results/results.h"
#include "runner/environment/environment.h"
#include "runner/run/plan_run.h"
#include "runner/run/plan_store.h"
#include "runner/run/provenance.h"
#include "runner/run/run_jobs.h"
#include "runner/supervise/devices.h"

/* How a baseline was measured, so that a gate can repeat it: the texts of its tests, the environment of each device,
 * the seed. */

struct source_job; /* private */

struct gate_source {
    const char *file; /* the first of its databases; borrowed */
    struct source_job *jobs;
    size_t count;
    struct arena arena;
};

/* Reads the place's databases. USAGE if one has no job. Those of a folder that cannot be read are skipped;
 * side_read_all reports them. If no other is left, that is a failure. The caller calls gate_source_release, whatever
 * the result. */
enum status gate_source_read(const struct stored_place *place, struct gate_source *source, struct error *error);
void gate_source_release(struct gate_source *source);

/* Whether the source has jobs of this device: the same UUID or, if either has none, the same name; and the same
 * backend. */
bool gate_source_has(const struct gate_source *source, const struct backend_device *device);

/* Whether a job was run on this device, by the same rule. */
bool gate_source_is_row_of(const struct store_job_row *row, const struct backend_device *device);

/* Whether it may have been run on this device before an update of its driver renamed it: see gate_source_adopt. */
bool gate_source_may_be_row_of(const struct store_job_row *row, const struct backend_device *device);

/* Takes a device for the source's one device of its backend, which has another name or UUID, as after an update of a
 * driver that puts its version there: the device then repeats that one's draws. named: the user says so. Else both must
 * be processors with as many compute units. Returns the name that the source's
 * device had; NULL: nothing was done. */
const char *gate_source_adopt(struct gate_source *source, const struct backend_device *device, bool named);

/* Appends its devices, each once: "ACME X1 (simulated), NVIDIA H200 (cuda, UUID GPU-8c...)". */
void gate_source_add_devices(const struct gate_source *source, struct text *text);

/* Appends the request with which devices_find_for finds the devices that ran its jobs. */
void gate_source_specs(const struct gate_source *source, struct text *specs);

/* The seed of most jobs of the chosen devices: with it, most batches have a partner with an equal draw. */
uint64_t gate_source_seed(const struct gate_source *source, const struct backend_device *const *chosen, size_t count);

/* The lowerings of its CUDA tests. */
enum run_lowering gate_source_lowering(const struct gate_source *source);

/* How much of a job its runs played, with which other runs repeat their draws. */
struct source_extent {
    struct job_extent extent; /* without seconds */
    uint64_t launched;        /* instances of the longest run */
    double seconds;           /* of the longest run */
    double build_seconds;     /* of its longest build */
};

/* False if the source has no batches of the job: the same test, controlled test, lowering and device. */
bool gate_source_extent(const struct gate_source *source, const struct planned_job *planned,
                        struct source_extent *found);

/* Whether each is the name of one of its tests, not of a control: "SB+relaxed" or "ptx:SB+relaxed". */
bool gate_source_names(const struct gate_source *source, char *const *names, size_t count);

/* Selects its tests that are not controls, as they were run, whatever the catalogue now has under their names. names:
 * only these; all if count is 0. The caller releases it, whatever the result. */
enum status gate_source_select(const struct gate_source *source, char *const *names, size_t count,
                               struct selection *selection, struct error *error);

/* The environment in which the source's jobs of a device ran; of any device if it has none of this one. If there are
 * several environments, the first. */
enum status gate_source_environment(const struct gate_source *source, const struct backend_device *device,
                                    struct environment *environment, struct error *error);

/* Narrows selectors of the source to the chosen devices if it also has others, whose absence is then not a doubt. */
void gate_source_narrow(const struct gate_source *source, const struct backend_device *const *chosen, size_t count,
                        struct selector *selectors, size_t selector_count);

/* Who runs plans for a gate and shows its messages: the program, which has a terminal. */
struct gate_listener {
    /* A line for people, with its newline, safe for a terminal. */
    void (*message)(const char *line);
    /* Selects tests by TEST arguments, as selection_make does, and shows its notes. */
    enum status (*select)(char *const *tests, size_t count, struct selection *selection, struct error *error);
    /* The suite is planned. */
    void (*planned)(const struct run_plan *plan);
    /* Runs a plan with progress, by run_jobs. Returns the exit code that a run of it has. */
    int (*run)(const struct run_options *options, const struct run_plan *plan, struct run_result *result);
    /* A side was read; some of its databases may not be readable. */
    void (*read)(const struct side *side);
    /* Judges stored outcomes again before they are read, see side.h. */
    side_preparation *prepare;
};

/* Writes a line; %s arguments are made safe, as by terminal_add. */
void gate_message(const struct gate_listener *listener, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The values of the options that the three share (cli/verbs/verb_gate.h). Each is NULL or 0 if not given. */
struct gate_request {
    const char *device, *profile, *homes, *database;
    const char *baselines; /* a folder with a baseline for each device and driver */
    const char *project;   /* the project file that was named, whose values are here; else NULL */
    bool no_project;
    double seconds;     /* of each test */
    double budget;      /* seconds for all */
    uint64_t instances; /* of each test */
    uint64_t seed;
    bool seeded, strict, json;
    double confidence;      /* confidence of seeing a mutant again */
    const char *kernels;    /* a folder of saved kernels to replay; NULL: kernels are compiled */
    const char *resume;     /* the first run of a gate to go on with: its number, or "auto"; or NULL */
    unsigned shard, shards; /* the part of the suite to play; shards is 0 for all of it */
    bool last_failed;       /* only tests that failed in the newest run of the database */
    struct exclusions exclude;
    struct supervisor_limits limits;
    char *const *tests; /* TEST arguments */
    size_t test_count;
    const struct gate_listener *listener;
    const struct provenance *provenance;
};

/* The runs that this gate has begun, in their order: with --resume, those that are there. */
struct gate_ledger {
    struct begun_run *runs;
    size_t count, next;
    struct arena arena;
};

struct gate_suite {
    struct gate_request request; /* completed: seconds, seed and confidence as used */
    struct gate_ledger ledger;
    struct selection selection;
    struct device_list devices;
    const struct backend_device **chosen;
    size_t chosen_count;
    struct run_plan *plan; /* owned */
    double started;        /* by clock_seconds */
    double each;           /* seconds for a job of which no run is to be repeated */
    double allowance;      /* seconds for a run of the suite; 0: as long as its jobs take */
    double built;          /* seconds that the last run spent on compiling */
    double needed;         /* seconds that the baseline's draws take; 0: not known */
    size_t units;          /* tests of the suite before a shard was taken */
};

/*
 * Plans a suite. source may be NULL. Without TEST arguments the tests are the source's, as they were run, else @ci;
 * names of tests of the source select these. Without --profile the environment is the source's, else the one that fits
 * the device, with the homes of --home; without --device the device is the source's, if present, else the default;
 * without --seed the seed is the source's. Jobs of the source get its numbers of instances and work-groups, so that its
 * draws are repeated, unless request->instances says otherwise; USAGE if they take longer than request->budget. With
 * request->resume, finds the runs that there are. Writes which settings came from where. The caller calls
 * gate_suite_release, whatever the result.
 */
enum status gate_suite_make(const struct gate_request *request, struct gate_source *source, struct gate_suite *suite,
                            struct error *error);
void gate_suite_release(struct gate_suite *suite);

/* A run of jobs of the suite. */
struct gate_play {
    const struct run_plan *plan;
    const char *database; /* NULL: the request's */
    uint64_t seed;
    double seconds;    /* of each job without a number of instances; 0: the suite's */
    double allowance;  /* seconds until it ends; 0: as long as the jobs take */
    bool pilot, rerun; /* see struct run_options */
};

/* Plays the whole suite, or what is left of it. */
bool gate_suite_run(struct gate_suite *suite, uint64_t seed, int64_t *run_id, int *code);

/*
 * Runs only the wanted tests of the suite, each with its controls, as a separate run: with the same keys and
 * environments, so that with the same seed its draws are those of the suite's run. `wanted` is called for tests and
 * controls; a wanted control selects its test and all of that test's controls. allowance: as in struct gate_play. If
 * nothing is wanted, nothing runs: false,
 * *code 0.
 */
bool gate_suite_run_some(struct gate_suite *suite, bool (*wanted)(const struct planned_job *job, void *context),
                         void *context, uint64_t seed, double allowance, int64_t *run_id, int *code);

/* The largest number of jobs of such a run on one device. */
size_t gate_suite_count_some(const struct gate_suite *suite,
                             bool (*wanted)(const struct planned_job *job, void *context), void *context);

/* ---- how many instances of a job take a given time ---- */

/* Batches of a pilot start small and double, so its
 * last batches show what a batch of each size costs on this device, whatever its speed. */

struct pilot_batch {
    uint64_t instances;
    double seconds; /* until the next batch could start */
};

/* How a job can be played within its share of the time. */
struct pilot_choice {
    uint64_t instances; /* in all; 0: the pilot shows nothing */
    uint64_t batch;     /* the most of a batch */
    double needed;      /* seconds that enough batches need, if that is more than the share; else 0 */
};

/* Chooses for a job of the environment that should take `seconds`: in ENVIRONMENT_BATCHES batches or more, or in fewer
 * if these have far more instances, but each member of a portfolio has ENVIRONMENT_MEMBER_BATCHES. If the smallest
 * batches are too long even for that, as many of them as fit, and `needed` says how long enough of them would take. */
struct pilot_choice pilot_choose(const struct pilot_batch *batches, size_t count, double seconds,
                                 const struct environment *environment);

/* Plays a pilot of the suite's jobs that have no number of instances yet, and gives each test and its controls one
 * number with which they take their share of the suite's time. Writes how long that took, and which tests need more
 * than their share. The pilot's run is not kept unless it saw what must not be; then it is added to the database.
 * *code: the exit code of its run. *done is false if there is nothing to go on with: it was interrupted, or could not
 * be stored. */
enum status gate_suite_pilot(struct gate_suite *suite, bool *done, int *code, struct error *error);

/* If a run that took so many seconds was clearly longer than the suite's time, makes all jobs shorter and says so: then
 * the run should be played again. False if it was not, if no time was asked for, or if the time is far too short for
 * the suite. */
bool gate_suite_shrink(struct gate_suite *suite, double seconds);

/* ---- the file of a baseline ---- */

/* The source of a baseline. Borrowed. */
struct baseline_content {
    const char *from;                    /* the database */
    const int64_t *runs;                 /* the runs to take */
    size_t run_count;                    /* 0: all */
    const struct provenance *provenance; /* of this process */
};

/* USAGE if the file exists: a baseline is not overwritten. */
enum status baseline_file_check(const char *path, struct error *error);

/* Writes the file, which gets its name once it is complete. */
enum status baseline_file_write(const char *path, const struct baseline_content *content,
                                struct store_merge_tally *tally, struct error *error);

/* Appends "base.db: 3 runs, 6 jobs, 124 batches, 45,056 bytes." to text. */
enum status baseline_file_describe(const char *path, const struct store_merge_tally *tally, struct text *text,
                                   struct error *error);
