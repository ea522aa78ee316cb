// SPDX-License-Identifier: Apache-2.0
/* A run's plan in the database, so that the run can be resumed without the files and options with which it began. */
#pragma once

#include "runner/run/run_jobs.h"
#include "runner/supervise/devices.h"

/* The words of enum run_until, followed by NULL. */
extern const char *const plan_until_words[];

/* Stores the plan and the options that affect the run's results. */
enum status plan_keep(struct store *store, int64_t run_id, const struct run_options *options,
                      const struct run_plan *plan, struct error *error);

/* The run that `--resume` names: a number, or "last" for the newest run of the file. USAGE if there is none. */
enum status plan_find_run(struct store *store, const char *name, int64_t *run_id, struct error *error);

/* A run that a command has begun. */
struct begun_run {
    int64_t run_id;
    uint64_t seed;
    bool planned; /* its plan is stored; else the run was killed before, and has no job, or it was merged */
    bool completed, strict, rerun; /* the last two: as in struct run_options */
};

/* The runs that `--resume` goes on with, by their numbers, whether they have ended or not. If `first` is 0, for `auto`,
 * those that this command line began, or all if it is NULL; else that run, USAGE if it is not there, and the reruns
 * after it if it is a gate's. */
enum status plan_list_begun(struct store *store, const char *command_line, int64_t first, struct arena *arena,
                            struct begun_run **begun, size_t *count, struct error *error);

/* Appends the SPECs with which devices_find_for finds the devices of a run's plan; nothing if their records are
 * damaged. USAGE, with the reason, if the run cannot be resumed: it has no plan, or another version of orchil made
 * it. */
enum status plan_recall_specs(struct store *store, int64_t run_id, struct text *specs, struct error *error);

/* Reads the plan back, with the progress of each job, and fills in the stored options. NO_DEVICE, with what it was and
 * what it is now, if a device of the run is gone or has changed, for instance its driver. The plan points into devices;
 * the caller releases it, whatever the result. */
enum status plan_recall(struct store *store, int64_t run_id, const struct device_list *devices,
                        struct run_options *options, struct run_plan *plan, struct error *error);

/* Gives a selection without tests the list of files that could not be read when the run began. The caller releases it,
 * whatever the result. */
enum status plan_recall_unread(struct store *store, int64_t run_id, struct selection *selection, struct error *error);

/* ---- the device of a stored job ---- */

/* Whether `now` is the device that `then` describes: equal in all but its place in the list, with its memory within an
 * eighth. */
bool device_is_resumed(const struct backend_device *then, const struct backend_device *now);
