// SPDX-License-Identifier: Apache-2.0
/* A run's plan in the database, so that the run can be taken up again without the files and options that it was begun
 * with. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_PLAN_STORE_H
#define ORCHIL_RUNNER_RUN_PLAN_STORE_H

#include "results/results.h"
#include "runner/run/run_jobs.h"
#include "runner/supervise/devices.h"

/* The words of enum run_until; ends with NULL. */
extern const char *const plan_until_words[];

/* Stores the plan and those of the options that decide what comes out of the run. */
enum status plan_keep(struct store *store, int64_t run_id, const struct run_options *options,
                      const struct run_plan *plan, struct error *error);

/* The run that `--resume` names: a number, or "last" for the newest one of the file. USAGE if there is none. */
enum status plan_find_run(struct store *store, const char *name, int64_t *run_id, struct error *error);

/* What `--resume auto` takes up. */
struct begun_run {
    int64_t run_id; /* 0: there is none */
    uint64_t seed;
    bool planned; /* the database has its plan; else the run was killed before it had one, and has no job */
};

/* The newest run that this command line began, whether it has ended or not. */
enum status plan_find_begun(struct store *store, const char *command_line, struct begun_run *begun,
                            struct error *error);

/* Appends what devices_find_for has to look for to find the devices of a run's plan; nothing where they are damaged. USAGE, with the
 * reason, where the run cannot be taken up: it has no plan, or another orchil made it. */
enum status plan_recall_specs(struct store *store, int64_t run_id, struct text *specs, struct error *error);

/*
 * Reads the plan back, with how far each job is, and fills the options that it holds. NO_DEVICE, naming what was and what
 * is, where a device of the run is gone or has changed, its driver for instance. The plan points into devices; the caller
 * releases it, whatever the result.
 */
enum status plan_recall(struct store *store, int64_t run_id, const struct device_list *devices,
                        struct run_options *options, struct run_plan *plan, struct error *error);

/* Gives a selection without tests the list of unread files that the run was begun with. The caller releases it, whatever
 * the result. */
enum status plan_recall_unread(struct store *store, int64_t run_id, struct selection *selection, struct error *error);

#endif
