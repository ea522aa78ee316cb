// SPDX-License-Identifier: Apache-2.0
/*
 * One side of a comparison: jobs of a database, chosen by run, backend, device or driver, and gathered into samples. A
 * sample holds all jobs that count as the same, each a run of the test: the same test, environment and models, and the same
 * backend, device and driver except for what is compared.
 *
 * Ownership: everything that a side points to belongs to the side; side_release frees it. Strings are never NULL unless
 * the comment says so.
 */
#ifndef ORCHIL_ANALYSIS_SIDES_SIDE_H
#define ORCHIL_ANALYSIS_SIDES_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/status.h"
#include "results/results.h"

/* What was counted in one job: one run of the test. Batches are in order of their numbers. */
struct sample_run {
    const struct store_job_row *row; /* with where, when and by what it was run */
    uint64_t key;                    /* batches of equal key, seed (the row's) and number have the same draw */
    size_t batch_count;
    const uint32_t *numbers; /* of the batches */
    const uint64_t *counted; /* in each: instances that are not void */
    uint64_t instances;      /* their sum */
};

struct sample_outcome {
    const char *label;
    bool witness;
    enum verdict verdict;    /* of the model that decides: the target's, else the source's */
    const char *model;       /* the model that forbids it; NULL where none does */
    const char *axiom;       /* why it does; "" where there is nothing to say */
    const char *limit;       /* the source's model, where it forbids the outcome and the target's does not; else NULL */
    const char *unjudged;    /* why there is no verdict; NULL where there is one, or no model was asked */
    uint64_t count;          /* 0 for an outcome that a model lists and that was not seen */
    const uint64_t **counts; /* per run: per batch, or NULL where the run has not seen it */
};

/* What was counted where the test's locations lay in the same places, of tests that several devices play. */
struct sample_home {
    const char *homes; /* "x=1,y=host" */
    uint64_t counted, witnesses;
};

struct sample {
    /* That of the first job, with what the others add: backend, device, device_uuid, platform, driver and compiler are
     * joined by ", ", marks united and sums added up; state is the gravest, kept the worst of those that were built, and their
     * reasons those of the first job in it. */
    struct store_job_row row;
    const char *source_model, *target_model; /* "" where there is none */
    bool has_namesake;                /* the side has another device of this name: only the UUID distinguishes them */
    uint64_t states[JOB_STATE_COUNT]; /* jobs in each */
    uint64_t jobs, counted;
    struct sample_run *runs; /* one for each job, by seed, key and age; a job that counted nothing has no batches */
    size_t run_count;
    struct sample_outcome *outcomes; /* in order of their labels */
    size_t outcome_count;
    struct sample_home *homes;
    size_t home_count;
};

/* Whether an outcome must never be seen: a model forbids it, or it is the witness of a control and not a known limit of
 * the mapping. controls: the test that the sample or job is a control of, or "". */
bool sample_condemns(const struct sample_outcome *outcome, const char *controls);

/* Adds what was counted in places to a list of the arena. */
void sample_add_home(struct arena *arena, struct sample_home **homes, size_t *count, const struct sample_home *home);

/* The witnesses that show that a mutant can fail: none where its launches never overlapped, which only shows that they ran in
 * another order. */
uint64_t sample_shown(const struct sample *sample);

/* Whether two samples are of one backend, device and driver. */
bool sample_same_device(const struct sample *a, const struct sample *b);

/* The outcome of a label; NULL where the sample has none. */
const struct sample_outcome *sample_outcome(const struct sample *sample, const char *label);

/* How many batches and runs of a sample counted something, and in how many of these an outcome (NULL for none) was seen. */
struct sample_spread {
    size_t batches, seen_in, runs, seen_in_runs;
};
struct sample_spread sample_spread(const struct sample *sample, const struct sample_outcome *outcome);

/* What may differ between two sides without keeping jobs apart. */
enum {
    DIMENSION_BACKEND = 1,
    DIMENSION_DEVICE = 2,
    DIMENSION_DRIVER = 4,  /* with its platform */
    DIMENSION_LOWERING = 8 /* of CUDA tests: as PTX, or as source */
};

/* What is done to a database before a side is read from it: to have its tests judged again (store_judge_again), which
 * this room cannot. run: 0: all. */
typedef enum status side_preparation(struct store *store, int64_t run, struct error *error);

/* Which jobs. NULL and 0 choose all. A device is its UUID or a part of its name, a driver its version or, where no
 * version is the same text, a part of it. */
struct selector {
    const char *database;
    int64_t run;
    const int64_t *runs; /* where run is 0: only these, run_count of them; NULL: all */
    size_t run_count;
    const char *backend, *device, *driver;
    const char *lowering;      /* "ptx", "source", ... */
    side_preparation *prepare; /* NULL: the verdicts are taken as they are stored */
    bool of_folder;            /* where it cannot be read, side_read_all goes on with the others */
};

/* A database of a folder that could not be read. */
struct side_unread {
    const char *database;
    struct error error; /* why */
};

struct side {
    const char *title;    /* what was chosen, in words */
    const char *database; /* the file's path as it was given; NULL for a side of no file */
    struct sample *samples;
    size_t sample_count;
    struct side_job *jobs;
    size_t job_count;
    const struct store_change *changes; /* models that have changed since they judged, see store_changes */
    size_t change_count;
    struct side *parts; /* of side_read_all: what the jobs belong to */
    size_t part_count;
    struct side_unread *unread; /* databases of a folder that it lacks */
    size_t unread_count;
    struct arena arena;
};

/* Reads the jobs. USAGE, with what there is to choose from, where none fits. The caller calls side_release, whatever
 * came back. */
enum status side_read(const struct selector *selector, struct side *side, struct error *error);

/* Reads several databases, or several choices of one, into one side. Those of a folder that cannot be read are in its list of
 * unread ones; where no other is left, that is a failure. */
enum status side_read_all(const struct selector *selectors, size_t count, struct side *side, struct error *error);

/* The part of a side that these runs have, by the number that the file has for them: for dealing the runs of one file. It
 * borrows from `from`. */
void side_take_runs(const struct side *from, const int64_t *runs, size_t count, struct side *side);

/*
 * What a comparison of two sides is about: the dimensions given, and those in which the sides differ as wholes. A backend,
 * a device or a lowering does where each side has a single one. A driver does where each device that is on both sides has a
 * single one on either, and not always the same: so two runs of a machine, before and after its driver changed, compare
 * the drivers, whatever else is in the machine.
 */
unsigned side_find_dimensions(const struct side *a, const struct side *b, unsigned given);

/* How many jobs are on both sides, being the same jobs of the same file. */
size_t side_shared_jobs(const struct side *a, const struct side *b);

/* Jobs that never ran were not judged. Gives each the models that judged other jobs of its test, of either side: so it
 * belongs to their sample. */
void side_lend_models(struct side *a, struct side *b);

/* Gathers the jobs into samples, in order of test, dialect, device and so on, which is the same for equal content.
 * dimensions: those that do not keep jobs apart. */
void side_gather(struct side *side, unsigned dimensions);

/* The order of samples as side_gather puts them, whichever side they are of: 0 where they match. */
int sample_compare(const struct sample *a, const struct sample *b, unsigned dimensions);

/* The first sample of the same test, as the same test's control, whatever its device; NULL where there is none. */
const struct sample *side_find_test(const struct side *side, const struct sample *sample);

void side_release(struct side *side);

/* Appends a sentence for each device with runs of several drivers on this side, a line each with `start` before it: such runs
 * do not say how far runs of one driver lie apart. */
void side_describe_drivers(const struct side *side, const char *start, struct text *text);

/* Appends sentences on a change, a line each with `start` before it: how many tests were judged again, how many keep their
 * verdicts, and why. */
void side_describe_change(const struct store_change *change, const char *start, struct text *text);

/* Adds a database to those that could not be read. */
void side_note_unread(struct side *side, const char *database, const struct error *error);

/* Databases that could not be read, as an array of objects with the file and the reason. */
struct json_t *side_pack_unread(const struct side_unread *unread, size_t count);

/* The changes of a side as an array of objects. */
struct json_t *side_pack_changes(const struct side *side);

#endif
