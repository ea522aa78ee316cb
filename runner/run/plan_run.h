// SPDX-License-Identifier: Apache-2.0
/* What a run has to do: its jobs, in order. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_PLAN_RUN_H
#define ORCHIL_RUNNER_RUN_PLAN_RUN_H

#include "catalogue/selection.h"
#include "results/results.h"
#include "runner/environment/environment.h"
#include "runner/supervise/supervisor.h"

struct planned_job {
    const struct selected_test *test;
    const struct litmus_test *controlled; /* the test that this job is a control of, in the same draws; or NULL */
    const struct backend_device *device;
    const char *compiler; /* of the kernel that it replays; NULL: as the device says */
    const struct environment *environment;
    const char *lowering; /* of kernel.h, by which its kernel is made; "" where the device has none for the test */
    char key[65];         /* hash(test, environment, replicate); a control has the key of the test that it controls */
    size_t number;        /* in the plan that the database keeps */
    bool kept;            /* it keeps it */
    bool refused;         /* the device cannot run it, as run_plan_refuse has found; false where nobody has looked */
    const char *refusal;  /* why; NULL where it is not refused. In the arena of the plan that was looked at */
    /* In a run that is taken up again: what it has of the job, INTERRUPTED also where its supervisor was killed, and on
     * which device of the plan; or NULL. */
    const struct store_progress *begun;
    const struct backend_device *begun_on;
};

/* A test with its controls, which run after it on the same device. */
struct planned_unit {
    size_t first, end;                   /* jobs first .. end-1 */
    size_t group;                        /* of devices: one of them runs it */
    const struct backend_device *pinned; /* the only one that may, because it has begun; or NULL */
};

/* A device and the group that it belongs to: its jobs are those of the group, shared with the group's other devices. */
struct planned_device {
    const struct backend_device *device;
    size_t group;
};

struct run_plan {
    struct planned_job *jobs; /* job->device is the first of the group */
    size_t job_count;
    struct planned_unit *units; /* in the order of the jobs; those of a group stand together */
    size_t unit_count;
    struct planned_device *devices; /* groups are numbered from 0; there are no more than devices */
    size_t device_count;
    struct environment *environments; /* one per device */
    struct selected_test *controls;   /* tests that the selection names as controls; owned */
    size_t control_count;
    struct arena arena; /* for refusals, and for what a run that is taken up again has of its jobs */
    bool completed;     /* the run had come to its end */
};

/* By which lowerings a run plays its tests. */
enum run_lowering {
    RUN_LOWERING_USUAL,  /* each by the one that its device usually takes */
    RUN_LOWERING_SOURCE, /* each by "source": only CUDA tests have it */
    RUN_LOWERING_BOTH    /* CUDA tests by either on devices that take both, the others by the usual one */
};

/*
 * Every device runs every selected test, each followed by its controls (the tests that its metadata line Control=
 * names, separated by commas) if with_controls. profile is a name, a path, or NULL for the built-in one that fits the
 * device. homes, where it is not NULL, says in which memory of ensembles locations lie (environment_set_homes), in
 * place of the profile; USAGE where none of the devices is an ensemble. The plan points into selection and devices. The caller releases it, whatever the result.
 */
enum status run_plan_make(const struct selection *selection, const struct backend_device *const *devices,
                          size_t device_count, const char *profile, const char *homes, enum run_lowering lowering,
                          bool with_controls, struct run_plan *plan, struct error *error);

/* Says where locations of tests that several devices play lie, as --home does: nothing where homes is NULL or the device is a single
 * one. USAGE where homes cannot be read. */
enum status plan_set_homes(struct environment *environment, const struct backend_device *device, const char *homes,
                           struct error *error);

/* Lets equal devices share their jobs: devices that differ in nothing that can change a result, so that it does not
 * matter which of them runs a test. Each test is then planned once for all of them. */
void run_plan_share(struct run_plan *plan);

/* Leaves only part `shard` of `shards` (1 .. shards). A unit's part follows from its key, so it is the same in every
 * selection, and each unit is in exactly one. */
void run_plan_shard(struct run_plan *plan, unsigned shard, unsigned shards);

/* Makes another plan of those units of which a job is wanted: the same jobs, with the same keys, on the same devices.
 * It points into `plan`, which must outlive it; the caller releases it. */
void run_plan_pick(const struct run_plan *plan, bool (*wanted)(const struct planned_job *job, void *context),
                   void *context, struct run_plan *picked);

/* Whether the two cannot run at the same time: they are one piece of hardware, or have one as a member both. A device
 * without a UUID is nobody else's. */
bool plan_same_hardware(const struct backend_device *a, const struct backend_device *b);

/* Finds the jobs that their devices cannot run, by what is known without a driver: what the devices declare. A compiler
 * may refuse more of them. */
void run_plan_refuse(struct run_plan *plan);

/* How many jobs that are not refused follow each other, at most, on one piece of hardware, if equal devices share
 * evenly. */
size_t run_plan_longest(const struct run_plan *plan);

/* The same where of each job only a part is left to do: left[i], from 0 to 1, of job i. */
double run_plan_longest_left(const struct run_plan *plan, const double *left);

/* The key of a job: hash(test, environment, replicate). */
void plan_job_key(const struct litmus_test *test, const struct environment *environment, unsigned replicate,
                  char key[65]);

/* Whether the test itself says that its witness must not appear: Expect=forbidden, or a condition ~exists or forall
 * that Expect= does not contradict. What is unpromised is allowed. */
bool plan_forbids(const struct litmus_test *test);

void run_plan_release(struct run_plan *plan);

#endif
