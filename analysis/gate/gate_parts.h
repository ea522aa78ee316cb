// SPDX-License-Identifier: Apache-2.0
/* The parts that make a gate's decision. Private to the files gate*.c. */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_PARTS_H
#define ORCHIL_ANALYSIS_GATE_GATE_PARTS_H

#include "analysis/gate/gate.h"

/* What is decided, and marks of the expectations that were met. */
struct gate_deciding {
    struct gate *gate;
    const struct gate_options *options;
    bool *met;  /* per entry: something that it speaks of was seen */
    bool *live; /* per entry: a test that it speaks of was run to its end */
};

/* ---- expectations: gate_expect.c ---- */

bool gate_speaks_of(const struct expectation *entry, const struct sample *sample);

/* What a reason that is not sure of a change would be if it were: what is known as `rate` excuses an unconfirmed rate, too. */
enum gate_kind gate_kind_if_sure(const struct gate_reason *reason);

/* Whether an entry that speaks of the test excuses the reason. */
bool gate_excuses(const struct expectation *entry, const struct gate_reason *reason);

/* The first entry that excuses a reason, all such entries being met; NULL for none. */
const struct expectation *gate_find_excuse(const struct gate_deciding *deciding, const struct sample *sample,
                                           const struct gate_reason *reason);

/* The first entry by which nothing of the test counts. */
const struct expectation *gate_find_skip(const struct gate_deciding *deciding, const struct sample *sample);

/* Lists known reasons that are gone from tests that ran, and entries that speak of no test at all. */
void gate_find_stale(struct gate_deciding *deciding);

/* ---- cases: gate_cases.c ---- */

/* Adds a reason to a case; the sentence is taken from text, which is emptied. */
void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason,
                     struct text *text);

/* Makes all cases. */
void gate_add_cases(struct gate_deciding *deciding);

/* The sample of a rerun (side B of a pass, which may be NULL) that is the same test on the same device; NULL for none. */
const struct sample *gate_find_rerun(const struct comparison *pass, const struct sample *sample);

/* ---- compiled code: gate_kept.c ---- */

/* Adds what became of the test in the compiled code, as all runs of B together say, where it is not what the baseline has, or
 * is not the test in either. baseline: NULL where the baseline has not run it. */
void gate_add_kept(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline,
                   struct text *text);

/* ---- changes: gate_changes.c ---- */

/* Adds what one side alone has seen, and which rates changed, as the passes together say. */
void gate_add_changes(struct gate_deciding *deciding, struct gate_case *of, const struct pair *pair, struct text *text);

/* ---- doubts: gate_doubts.c ---- */

/* Adds what makes the silence of a mutant's controls mean nothing: the mutant ran to its end, and was hardly seen. pair: with
 * the baseline, or NULL. */
void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct pair *pair, struct text *text);

/* ---- lines: gate_lines.c ---- */

/* Fills in the reason's line, evidence and command. A line that is there already gets the test's name before it. */
void gate_add_lines(struct gate *gate, const struct gate_case *of, struct gate_reason *reason);

/* Adds "ptx:SB+relaxed", as an argument that a shell takes. */
void gate_add_argument(const struct sample *sample, struct text *text);

/* Adds the test's name with what distinguishes it from others of the gate: the dialect, the test that it is a control of,
 * the device. */
void gate_add_name(const struct gate *gate, const struct sample *sample, struct text *text);

/* ---- order: gate_order.c ---- */

/*
 * Makes the entries of a gate whose cases are complete, and puts cases and the reasons of each into the same order: by
 * section, then from the gravest kind to the most harmless, then by test, as the comparison has them. Counts them.
 */
void gate_order(struct gate *gate);

/* Whether one side alone has seen the outcome of a finding, which may be NULL. */
bool gate_is_one_sided(const struct finding *finding);

/* ---- printing ---- */

const char *gate_section_title(enum gate_section section);

/* The verdict in capitals. */
const char *gate_verdict_word(enum gate_verdict verdict);

/* Adds "known: REASON: " where an expectation excuses the entry. */
void gate_add_excuse(const struct gate_entry *entry, struct text *text);

/* Adds sentences on how the decision was made: tests, runs, draws; and one on what else differs between the sides. */
void gate_add_facts(const struct gate *gate, struct text *text);
void gate_add_confounders(const struct gate *gate, struct text *text);

/* Adds which times would end the doubts, if any is known. */
void gate_add_suffices(const struct gate *gate, struct text *text);

#endif
