// SPDX-License-Identifier: Apache-2.0
/* Verdicts of the default models on variants of cycles, and the resulting siblings: the control of an allowed variant,
 * the mutants of a forbidden one. Verdicts are cached by name, in bounded memory, because siblings recur. */
#pragma once

#include "catalogue/cycles/variant.h"
#include "models/models.h"

struct variant_judge;

enum { VARIANT_MAXIMUM_MUTANTS = 8 };

/* judging judges the tests of variants. Models are loaded when they are first needed. */
struct variant_judge *variant_judge_open(model_judging *judging);
void variant_judge_release(struct variant_judge *judge);

/* RACY: a data race, after which no outcome has a meaning. */
enum variant_verdict { VARIANT_UNJUDGED, VARIANT_ALLOWED, VARIANT_FORBIDDEN, VARIANT_RACY, VARIANT_VERDICT_COUNT };

/* Why the last verdict is UNJUDGED or RACY, until the next call; else "". */
const char *variant_judge_reason(const struct variant_judge *judge);

/* The variant's test with its claims: Expect=; for an allowed one Control=, the first of release and acquire where they
 * synchronise, then ra, fencear, sc and fencesc on all edges, whose witness is forbidden, at the variant's scope and
 * then at device scope; for a forbidden one Mutants=, at most VARIANT_MAXIMUM_MUTANTS siblings with one tag relaxed,
 * one scope a step narrower or (VULKAN) one storage class left out whose witness is allowed. A racy variant has no
 * Expect=, and its text says so; of VULKAN it has Control=, a sibling without what makes it race. VULKAN has no
 * sequentially consistent order, so its controls may have read-modify-writes instead. An unjudged variant has none of
 * these; see *verdict. The caller releases *test. */
enum status variant_judge_test(struct variant_judge *judge, const struct variant *variant, struct litmus_test **test,
                               enum variant_verdict *verdict, struct error *error);
