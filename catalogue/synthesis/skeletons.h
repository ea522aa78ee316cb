// SPDX-License-Identifier: Apache-2.0
/* Skeletons: sketches whose strengths are not chosen yet. */
#ifndef ORCHIL_CATALOGUE_SYNTHESIS_SKELETONS_H
#define ORCHIL_CATALOGUE_SYNTHESIS_SKELETONS_H

#include "catalogue/synthesis/sketch.h"
#include "catalogue/synthesis/strength.h"
#include "catalogue/synthesis/synthesis.h"

/* Calls take for each skeleton of exactly this many accesses within the bound, one of those that
 * are equal up to symmetry. Where the row has scopes, with each way to put its threads into groups; no group has all, unless it
 * has a barrier. Ends early when take returns false. */
void skeletons_each(unsigned accesses, const struct synthesis_bound *bound, const struct strength_row *row,
                    bool (*take)(const struct sketch *skeleton, void *context), void *context);

#endif
