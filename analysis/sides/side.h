// SPDX-License-Identifier: Apache-2.0
/*
 * One side of a comparison: jobs of a database, chosen by run, backend, device or driver, and gathered into samples. A
 * sample holds all jobs that count as the same, each a run of the test: the same test, environment and models, and the
 * same backend, device and driver except for what is compared.
 *
 * Ownership: everything that a side points to belongs to the side; side_release frees it. Strings are never NULL unless
 * the comment says so.
 */
#pragma once

#include "base/record.h"
#include "models/ruling.h"
#include "results/results.h"

/* The counts of one job: one run of the test. Batches are in order of their numbers. */
struct sample_run {
    const struct store_job_row *row; /* including where, when and with what it was run */
    uint64_t key; /* batches of equal key, seed (the row's), number and launch arguments have the same draw */
    size_t batch_count;
    const uint32_t *numbers;   /* of the batches */
    const uint64_t *arguments; /* of each: a hash of its launch arguments */
    const uint64_t *launched;  /* in each: instances, with those that are void */
    const uint64_t *counted;   /* in each: instances that are not void */
    uint64_t instances;        /* their sum */
};

/* What a question about a test counts. */
enum sample_measure {
    SAMPLE_OUTCOME, /* instances with an outcome, of those that were counted */
    SAMPLE_VOID,    /* instances that are void for one reason, of those that were launched */
    SAMPLE_TIME     /* nanoseconds, of the instances that were launched */
};

#define SAMPLE_VOID_LABEL "void: "
#define SAMPLE_TIME_LABEL "time per instance"

/* The least nanoseconds of a batch: a shorter one mostly measures its launch. */
#define SAMPLE_LEAST_TIME UINT64_C(1000000)

/* What one model says of an outcome. */
struct sample_opinion {
    enum verdict verdict;
    const char *model;    /* NULL if none was asked */
    const char *axiom;    /* why it forbids the outcome; "" if it does not */
    const char *unjudged; /* why there is no verdict; NULL if there is one */
};

/* An outcome, or a share: the other measures, whose label says what is counted and which no model judges. */
struct sample_outcome {
    enum sample_measure of;
    const char *label; /* of a share: SAMPLE_VOID_LABEL and the reason, or SAMPLE_TIME_LABEL */
    bool witness;
    struct sample_opinion source,
        target;              /* of the model of the test's text; of the model of the code that was emitted */
    struct ruling ruling;    /* what it means that it was seen; RULING_NONE for one that was not */
    uint64_t count;          /* 0 for an outcome that a model lists but that was not seen */
    const uint64_t **counts; /* per run: per batch, or NULL if the run has not seen it */
};

/* The counts for one set of places of the test's locations, for tests that several devices play. */
struct sample_home {
    const char *homes; /* "x=1,y=host" */
    uint64_t counted, witnesses;
};

struct sample {
    /* The row of the first job, merged with the others: backend, device, device_uuid, platform, driver and compiler are
     * joined by ", ", marks united and sums added up; state is the gravest, kept the worst of those that were built,
     * and their reasons are from the first job in that state. */
    struct store_job_row row;
    const char *source_model, *target_model; /* "" if there is none */
    bool has_namesake;                /* the side has another device of this name: only the UUID distinguishes them */
    const char *apart;                /* what tells its device from others of its name that have no UUID either: the
                                       * machine, the hardware, or both; "" if nothing is needed */
    const char *database;             /* the file of its first job; NULL if it is from none */
    uint64_t states[JOB_STATE_COUNT]; /* jobs in each */
    uint64_t jobs, counted, launched;
    struct sample_run *runs; /* one for each job, by seed, key and age; a job without counts has no batches */
    size_t run_count;
    struct sample_outcome *outcomes; /* in order of their labels */
    size_t outcome_count;
    struct sample_outcome *shares; /* in order of their labels */
    size_t share_count;
    struct sample_home *homes;
    size_t home_count;
};

/* Adds the counts of places to a list of the arena. */
void sample_add_home(struct arena *arena, struct sample_home **homes, size_t *count, const struct sample_home *home);

/* Adds the ruling of the same outcome in another job: the graver one counts. */
void sample_add_ruling(struct ruling *sum, const struct ruling *of);

/* Adds the same outcome of another job, without its counts by batch: what the models say is taken from the job with the
 * graver ruling. */
void sample_add_outcome(struct sample_outcome *sum, const struct sample_outcome *of);

/* The opinion that decides: the target's, or the source's where the target's model has no verdict. Where neither has
 * one, the one that says why. */
const struct sample_opinion *sample_deciding(const struct sample_outcome *outcome);

/* Its verdict. */
enum verdict sample_verdict(const struct sample_outcome *outcome);

/* The witnesses that show that a mutant can fail: those of its jobs that tested what it asks. */
uint64_t sample_shown(const struct sample *sample);

/* Whether its code is the test, as far as it was inspected: other code proves nothing, whatever it shows. */
bool sample_is_test(const struct sample *sample);

/* The order of the devices of two samples, in the dimensions that separate jobs; 0 if they are the same. */
int sample_compare_devices(const struct sample *a, const struct sample *b, unsigned dimensions);

/* Whether two samples have the same backend, device and driver. */
bool sample_same_device(const struct sample *a, const struct sample *b);

/* The outcome of a label; NULL if the sample has none. */
const struct sample_outcome *sample_outcome(const struct sample *sample, const char *label);

/* The outcome or share of the same measure and label; NULL if the sample has none. */
const struct sample_outcome *sample_same(const struct sample *sample, const struct sample_outcome *as);

/* The instances that a measure refers to: in each batch of a run, and in all of a sample. */
const uint64_t *sample_sizes(const struct sample_run *run, enum sample_measure of);
uint64_t sample_size(const struct sample *sample, enum sample_measure of);

/* How many batches and runs of a sample have counts, and in how many of these an outcome (NULL for none) was seen. */
struct sample_spread {
    size_t batches, seen_in, runs, seen_in_runs;
};
struct sample_spread sample_spread(const struct sample *sample, const struct sample_outcome *outcome);

/* The dimensions in which two sides may differ while their jobs still match. */
enum {
    DIMENSION_BACKEND = 1,
    DIMENSION_DEVICE = 2,
    DIMENSION_DRIVER = 4,  /* with its platform */
    DIMENSION_LOWERING = 8 /* of CUDA tests: as PTX, or as source */
};

/* Called for a database before a side is read from it: judges its tests again (store_rejudge), which this room cannot
 * do. run: 0: all. */
typedef enum status side_preparation(struct store *store, int64_t run, struct error *error);

/* Which jobs to read. NULL and 0 choose all. A device is given by its UUID or a part of its name, a driver by its
 * version or, if no version equals the text, a part of it. */
struct selector {
    const char *database;
    int64_t run;         /* if run_count is 1, that run */
    const int64_t *runs; /* if run is 0: only these, run_count of them; NULL: all */
    size_t run_count;
    const char *backend, *device, *driver;
    const char *lowering;      /* "ptx", "source", ... */
    side_preparation *prepare; /* NULL: the stored verdicts are used */
    bool of_folder;            /* if it cannot be read, side_read_all goes on with the others */
};

/* A database of a folder that could not be read. */
struct side_unread {
    const char *database;
    struct error error; /* why */
};

struct side {
    const char *title;    /* the choice, in words */
    const char *database; /* the file's path as it was given; NULL for a side without a file */
    const char *command;  /* the command line of `orchil run` that began its run, if it has one run; else NULL */
    struct sample *samples;
    size_t sample_count;
    struct side_job *jobs;
    size_t job_count;
    const struct store_change *changes; /* models that have changed since they judged, see store_changes */
    size_t change_count;
    struct side *parts; /* of side_read_all: own the jobs' data */
    size_t part_count;
    struct side_unread *unread; /* databases of a folder that could not be read */
    size_t unread_count;
    struct arena arena;
};

/* Reads the jobs. USAGE, with the available choices, if none fits. The caller calls side_release, whatever the
 * result. */
enum status side_read(const struct selector *selector, struct side *side, struct error *error);

/* Reads several databases, or several choices of one, into one side. Unreadable databases of a folder go into its list;
 * if no other is left, that is a failure. */
enum status side_read_all(const struct selector *selectors, size_t count, struct side *side, struct error *error);

/* The dimensions that a comparison of two sides is about: those given, and those in which the sides differ as wholes.
 * Backend, device and lowering count if each side has a single one and they differ. The driver counts if each device
 * that is on both sides has a single driver on each side, and they are not all equal: so two runs of a machine, before
 * and after its driver changed, compare the drivers, whatever other devices it has. */
unsigned side_find_dimensions(const struct side *a, const struct side *b, unsigned given);

/* Tells devices of one name without a UUID apart, on both sides the same way. The machine that a run names tells them
 * apart, and the hardware, each if B has several of them, or if A has and B's is one of them. Where each side has one
 * device of a name, they match whatever their machines are called. */
void side_tell_apart(struct side *a, struct side *b);

/* The name of the machine that a job ran on; "" if its run does not name it, as in a database that is to be
 * published. */
const char *side_machine(struct arena *arena, const struct store_job_row *row);

/* Appends a sentence for each device without a UUID whose runs are of several machines, or may be: such runs were taken
 * as those of one device. A line each, with `start` before it. */
void side_describe_machines(const struct side *side, const char *start, struct text *text);

/* How many jobs are on both sides: the same jobs of the same file. */
size_t side_shared_jobs(const struct side *a, const struct side *b);

/* Jobs that never ran were not judged. Gives each the models that judged other jobs of its test, of either side: so
 * that they share a sample. */
void side_lend_models(struct side *a, struct side *b);

/* Gathers the jobs into samples, in order of test, dialect, device and so on; equal content has equal order.
 * dimensions: those that do not separate jobs. */
void side_gather(struct side *side, unsigned dimensions);

/* The order of side_gather for two samples of any sides; 0 if they match. */
int sample_compare(const struct sample *a, const struct sample *b, unsigned dimensions);

/* The first sample of the same test that controls the same test, whatever its device; NULL if there is none. */
const struct sample *side_find_test(const struct side *side, const struct sample *sample);

/* Whether the test has a control on the same device, in these dimensions, and is none: it is relied on, since seeing
 * its witness proves that the stress works. */
bool side_is_mutant(const struct side *side, const struct sample *sample, unsigned dimensions);

void side_release(struct side *side);

/* Appends a sentence for each device with runs of several drivers on this side, a line each with `start` before it:
 * such runs do not show how much runs of one driver differ. */
void side_describe_drivers(const struct side *side, const char *start, struct text *text);

/* Appends sentences on a change, one per line with `start` before it: how many tests were judged again, how many keep
 * their verdicts, and why. */
void side_describe_change(const struct store_change *change, const char *start, struct text *text);

/* ---- the place of stored jobs, as a command line names it: a database, runs of it, or a folder of databases ---- */

struct stored_place {
    const char *word;           /* as it was given */
    struct selector *selectors; /* for all jobs of each file: the database and the selected runs */
    size_t count;               /* 1 or more */
    bool is_folder;
    struct arena *arena; /* has the selectors and their texts */
};

/*
 * Reads a word into a place whose selectors the arena keeps:
 *
 *   FILE          a database; a file of exactly this name comes before the other meanings
 *   FOLDER        its databases and files *.db, in order of their names; other files in it, hidden ones and folders are
 *                 passed over
 *   FILE:3        a run of it; FILE:3,5 or FILE:3-5 for several
 *   3, 3,5, 3-5   of usual_file, where that is not NULL
 *
 * UNREADABLE for a folder that cannot be read; USAGE for one without a database, and for malformed runs (3-1). Does not
 * check that files exist.
 */
enum status stored_place_read(const char *word, const char *usual_file, struct arena *arena, struct stored_place *place,
                              struct error *error);

/* Does a file begin as every database does? */
bool stored_place_starts_database(const char *path);

/* Is there a regular file of this name that is a database, or is called *.db? */
bool stored_place_is_database(const char *path);
