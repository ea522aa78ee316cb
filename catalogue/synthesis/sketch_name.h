// SPDX-License-Identifier: Apache-2.0
/* The names of tests made of sketches. */
#ifndef ORCHIL_CATALOGUE_SYNTHESIS_SKETCH_NAME_H
#define ORCHIL_CATALOGUE_SYNTHESIS_SKETCH_NAME_H

#include "catalogue/synthesis/sketch.h"
#include "catalogue/synthesis/synthesis.h"
#include "litmus/litmus.h"

/* Appends the dialect and the bytes of a normalised sketch and its outcome. */
void sketch_key(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                struct text *key);

/*
 * Gives the test of a normalised sketch its name and its description: the name that `naming` knows, which may be NULL;
 * else that of the variant of a cycle that is this test; else its threads' accesses, such as
 * "Wx+Rx.acq.gpu-F.sc.gpu-Rx".
 */
void sketch_name(const struct sketch *sketch, const struct outcome *outcome, synthesis_naming *naming, void *context,
                 struct litmus_test *test);

#endif
