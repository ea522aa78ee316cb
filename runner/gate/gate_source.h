// SPDX-License-Identifier: Apache-2.0
/*
 * How a baseline was measured, so that a gate can repeat it: the texts of its tests, the
 * environment of each device, the seed.
 */
#ifndef ORCHIL_RUNNER_GATE_GATE_SOURCE_H
#define ORCHIL_RUNNER_GATE_GATE_SOURCE_H

#include "analysis/sides/place.h"
#include "backends/backend.h"
#include "base/arena.h"
#include "catalogue/selection.h"
#include "runner/environment/environment.h"
#include "runner/run/plan_run.h"

struct source_job; /* private */

struct gate_source {
    const char *file; /* the first of its databases; borrowed */
    struct source_job *jobs;
    size_t count;
    struct arena arena;
};

/* Reads the place's databases. USAGE if one has no job. Those of a folder that cannot be read are
 * skipped; side_read_all reports them. If no other is left, that is a failure. The caller calls
 * gate_source_release, whatever the result. */
enum status gate_source_read(const struct stored_place *place, struct gate_source *source, struct error *error);
void gate_source_release(struct gate_source *source);

/* Whether the source has jobs of this device: the same UUID or, if either has none, the same name;
 * and the same backend. */
bool gate_source_has(const struct gate_source *source, const struct backend_device *device);

/* Appends its devices, each once: "ACME X1 (simulated), NVIDIA H200 (cuda, UUID GPU-8c...)". */
void gate_source_add_devices(const struct gate_source *source, struct text *text);

/* Appends the request with which devices_find_for finds the devices that ran its jobs. */
void gate_source_specs(const struct gate_source *source, struct text *specs);

/* The seed of most jobs: with it, most batches have a partner with an equal draw. */
uint64_t gate_source_seed(const struct gate_source *source);

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

/* Whether each is the name of one of its tests, not of a control: "SB+relaxed" or
 * "ptx:SB+relaxed". */
bool gate_source_names(const struct gate_source *source, char *const *names, size_t count);

/* Selects its tests that are not controls, as they were run, whatever the catalogue now has under
 * their names. names: only these; all if count is 0. The caller releases it, whatever the
 * result. */
enum status gate_source_select(const struct gate_source *source, char *const *names, size_t count,
                               struct selection *selection, struct error *error);

/* The environment in which the source's jobs of a device ran; of any device if it has none of this
 * one. If there are several environments, the first. */
enum status gate_source_environment(const struct gate_source *source, const struct backend_device *device,
                                    struct environment *environment, struct error *error);

/* Narrows selectors of the source to the chosen devices if it also has others, whose absence is
 * then not a doubt. */
void gate_source_narrow(const struct gate_source *source, const struct backend_device *const *chosen, size_t count,
                        struct selector *selectors, size_t selector_count);

#endif
