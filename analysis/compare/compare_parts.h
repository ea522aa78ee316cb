// SPDX-License-Identifier: Apache-2.0
/* The parts that make a comparison. */
#pragma once

#include "analysis/compare/compare.h"

static const char side_names[SIDES][2] = {"A", "B"};

/* Measures every outcome and share of a pair, without deciding anything. */
void compare_pair(struct comparison *comparison, struct sample_pair *pair);

/* Decides all questions, using what was learned. */
void compare_decide(struct comparison *comparison);

/* Lists the findings in order. */
void compare_find(struct comparison *comparison);

/* Whether both sides of a pair ran the same kernel, into pair->kernels. */
void compare_find_kernels(struct sample_pair *pair);

/* Sets the results of pairs whose kernels differ: nothing is decided for them. */
void compare_leave_kernels(struct comparison *comparison);

/* How many different draws the runs of a sample have that counted something, and in how many of them an outcome of this
 * label was seen. */
struct sample_draws {
    size_t count, seen_in;
};
struct sample_draws compare_count_draws(const struct sample *sample, const char *label);

/* The rate of an outcome of this label over the runs of a sample. */
struct statistics_run_rate compare_rate_over_runs(const struct sample *sample, const char *label, double confidence);

/* Adds the test's name, with what distinguishes it from others of this name, and two blanks. */
void compare_add_test(const struct comparison *comparison, const struct finding *finding, struct text *text);

/* Adds why an outcome must never appear: "forbidden by ptx (Causality)". */
void compare_add_reproach(const struct finding *finding, struct text *text);

/* Adds the details of a finding that its block (compare_block) does not show as figures; may be empty. */
void compare_reservations(const struct comparison *comparison, const struct finding *finding, struct text *text);
