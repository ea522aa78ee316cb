// SPDX-License-Identifier: Apache-2.0
/*
 * What a baseline says about how it was taken, so that a gate can take the same again: its tests as texts, the
 * environment of each device, the seed. Private to the files gate*.c and verb_gate.c.
 */
#ifndef ORCHIL_CLI_GATE_GATE_SOURCE_H
#define ORCHIL_CLI_GATE_GATE_SOURCE_H

#include "backends/backend.h"
#include "base/arena.h"
#include "catalogue/selection.h"
#include "cli/options.h"
#include "cli/place.h"
#include "runner/environment/environment.h"
#include "runner/run/plan_run.h"

struct source_job; /* private */

struct gate_source {
    const char *file; /* the first of its databases; borrowed */
    struct source_job *jobs;
    size_t count;
    struct arena arena;
};

/* Reads what the place has. USAGE where a database of it has no job. Those of a folder that cannot be read are passed
 * over, as side_read_all does, which says so; where no other is left, that is a failure. The caller calls
 * gate_source_release, whatever came back. */
enum status gate_source_read(const struct place *place, struct gate_source *source, struct error *error);
void gate_source_release(struct gate_source *source);

/* Whether the source has jobs of this device: the same UUID or, where either has none, the same name; and the same
 * backend. */
bool gate_source_has(const struct gate_source *source, const struct backend_device *device);

/* Appends what devices_find_for has to look for to find the devices that its jobs were run on. */
void gate_source_specs(const struct gate_source *source, struct text *specs);

/* The seed that most jobs have: with it, most batches find a partner with an equal draw. */
uint64_t gate_source_seed(const struct gate_source *source);

/* By which lowerings its CUDA tests were run. */
enum run_lowering gate_source_lowering(const struct gate_source *source);

/* Whether each is the name of a test that it has and that is not a control, as "SB+relaxed" or "ptx:SB+relaxed". */
bool gate_source_names(const struct gate_source *source, const struct arguments *names);

/* Selects its tests that are not controls, as they were run, whatever the catalogue says of their names
 * now. names: only these; of count 0: all. The caller releases it, whatever came back. */
enum status gate_source_select(const struct gate_source *source, const struct arguments *names,
                               struct selection *selection, struct error *error);

/* The environment in which the source's jobs of a device ran; of jobs of any device where it has none of this one. Of
 * several environments, the first. */
enum status gate_source_environment(const struct gate_source *source, const struct backend_device *device,
                                    struct environment *environment, struct error *error);

/* Narrows selectors of the source to the chosen devices, if it has others too: their absence is not a doubt; they were not asked
 * for. */
void gate_source_narrow(const struct gate_source *source, const struct backend_device *const *chosen, size_t count,
                        struct selector *selectors, size_t selector_count);

#endif
