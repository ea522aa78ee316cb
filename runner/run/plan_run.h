// SPDX-License-Identifier: Apache-2.0
/* The plan of a run: its jobs, in order. */
#pragma once

#include "catalogue/selection.h"
#include "results/results.h"
#include "runner/environment/environment.h"
#include "runner/supervise/supervisor.h"

struct planned_job {
    const struct selected_test *test;
    const struct litmus_test *controlled; /* the test that this job controls, with the same draws; or NULL */
    const struct backend_device *device;
    const char *compiler; /* of the kernel that it replays; NULL: the device's */
    const struct environment *environment;
    const char *lowering;     /* of its kernel, see kernel.h; "" if the device has none for the test */
    const char *test_hash;    /* of `test`, in the plan's arena; NULL: not known */
    struct job_extent extent; /* its own; without instances, the run's options say how much is played */
    char key[65];             /* hash(test, environment, replicate); a control has the key of its test */
    size_t number;            /* in the stored plan */
    bool stored;              /* in the stored plan */
    bool refused;             /* the device cannot run it; set by run_plan_refuse */
    const char *refusal;      /* why; NULL if not refused. In the arena of the plan given to run_plan_refuse */
    /* In a resumed run: what the database has of the job (INTERRUPTED also if its supervisor was killed), and the
     * device of the plan on which it began; or NULL. */
    const struct store_progress *begun;
    const struct backend_device *begun_on;
};

/* A test and its controls, which run after it on the same device. */
struct planned_unit {
    size_t first, end;                   /* jobs first .. end-1 */
    size_t group;                        /* of devices, one of which runs it */
    const struct backend_device *pinned; /* the only device that may run it, because it has begun; or NULL */
};

/* A device and its group, whose devices share their jobs. */
struct planned_device {
    const struct backend_device *device;
    size_t group;
};

struct run_plan {
    struct planned_job *jobs; /* job->device is the group's first */
    size_t job_count;
    struct planned_unit *units; /* in the order of the jobs; a group's units are adjacent */
    size_t unit_count;
    struct planned_device *devices; /* groups are numbered from 0; at most one for each device */
    size_t device_count;
    struct environment *environments; /* one per device */
    struct selected_test *controls;   /* tests named as controls by the selection; owned */
    size_t control_count;
    struct arena arena; /* for refusals, and for what a resumed run has of its jobs */
    bool completed;     /* the run to resume had ended */
};

/* The lowerings by which a run plays its tests. */
enum run_lowering {
    RUN_LOWERING_USUAL,  /* each test by its device's usual one */
    RUN_LOWERING_SOURCE, /* each test by "source", which only CUDA tests have */
    RUN_LOWERING_BOTH    /* CUDA tests by both on devices that take both; other tests by the usual one */
};

/* Plans every selected test on every device. If with_controls, each test is followed by its controls: the tests that
 * its metadata line Control= names, separated by commas. profile is a name, a path, or NULL for the built-in profile
 * that fits the device. homes, if not NULL, overrides the profile: it says in which memory of an ensemble each location
 * lies (environment_set_homes); USAGE if none of the devices is an ensemble. The plan points into selection and
 * devices. The caller releases it, whatever the result. */
enum status run_plan_make(const struct selection *selection, const struct backend_device *const *devices,
                          size_t device_count, const char *profile, const char *homes, enum run_lowering lowering,
                          bool with_controls, struct run_plan *plan, struct error *error);

/* Sets the memory of each location of a test that several devices play, as --home does. Does nothing if homes is NULL
 * or the device is not an ensemble. USAGE if homes cannot be read. */
enum status plan_set_homes(struct environment *environment, const struct backend_device *device, const char *homes,
                           struct error *error);

/* Lets equal devices share their jobs: devices that differ in nothing that can change a result. Each test is then
 * planned once for all of them. */
void run_plan_share(struct run_plan *plan);

/* Keeps only part `shard` of `shards` (1 .. shards). A unit's part follows from its key, so it is the same in every
 * selection, and each unit is in exactly one part. */
void run_plan_shard(struct run_plan *plan, unsigned shard, unsigned shards);

/* Makes a plan of the units that have a wanted job: the same jobs, with the same keys, on the same devices. It points
 * into `plan`, which must outlive it; the caller releases it. */
void run_plan_pick(const struct run_plan *plan, bool (*wanted)(const struct planned_job *job, void *context),
                   void *context, struct run_plan *picked);

/* Whether the two cannot run at the same time: they are the same piece of hardware or have a member in common. A device
 * without a UUID is the same as no other. */
bool plan_same_hardware(const struct backend_device *a, const struct backend_device *b);

/* Finds the jobs that their devices cannot run, according to the devices' descriptions, without a driver. A compiler
 * may refuse more of them. */
void run_plan_refuse(struct run_plan *plan);

/* The most jobs, without refused ones, that one piece of hardware runs if equal devices share evenly. left: the part of
 * each job that is left to do, from 0 to 1; NULL: all of it. */
double run_plan_longest(const struct run_plan *plan, const double *left);

/* The key of a job: hash(test, environment, replicate). */
void plan_job_key(const struct litmus_test *test, const struct environment *environment, unsigned replicate,
                  char key[65]);

void run_plan_release(struct run_plan *plan);
