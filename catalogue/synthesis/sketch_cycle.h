// SPDX-License-Identifier: Apache-2.0
/* Sketches that are variants of cycles. Private to the room. */
#ifndef ORCHIL_CATALOGUE_SYNTHESIS_SKETCH_CYCLE_H
#define ORCHIL_CATALOGUE_SYNTHESIS_SKETCH_CYCLE_H

#include "catalogue/synthesis/sketch.h"
#include "litmus/litmus.h"

/* Finds the variant of a cycle that is the test with this key, and appends its name. Returns false, and appends nothing, if
 * no variant is that test. */
bool sketch_cycle_name(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                       const char *key, struct text *name);

#endif
