// SPDX-License-Identifier: Apache-2.0
/* The parts that make a gate's decision. */
#pragma once

#include "gate/decide/gate.h"

/* A decision in progress, and which expectations were met. */
struct gate_deciding {
    struct gate *gate;
    const struct gate_options *options;
    bool *met;  /* per entry: something that it covers was seen */
    bool *live; /* per entry: a test that it covers ran to its end */
};

/* ---- reasons: gate_expect.c and gate_lines.c ---- */

/* The kind of reason that a sure finding gives; FORBIDDEN, the first, also for findings that give none by
 * themselves. */
enum gate_kind gate_kind_of_finding(enum finding_kind kind);

/* The first entry that skips the test. */
const struct expectation *gate_find_skip(const struct gate_deciding *deciding, const struct sample *sample);

/* Whether an entry would excuse a reason of this kind of the test, if there were one; an unsound result. */
bool gate_would_excuse(const struct gate *gate, const struct sample *sample, enum gate_kind kind);
bool gate_is_shielded(const struct gate *gate, const struct sample *sample);

/* Lists known reasons that are gone from tests that ran, and entries that match no test. */
void gate_find_stale(struct gate_deciding *deciding);

/* The comparison that a finding belongs to. */
const struct comparison *gate_pass_of(const struct gate *gate, const struct finding *finding);

/* ---- cases: gate_expect.c and gate.c ---- */

/* Adds a reason to a case, with its words. */
void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason);

/* Finds the sample of the same test on the same device in a rerun, which is side B of a pass. NULL if there is none, or
 * if pass is NULL. */
const struct sample *gate_find_rerun(const struct comparison *pass, const struct sample *sample);

/* ---- doubts: gate_expect.c ---- */

/* Adds a doubt about a mutant that ran to its end and was hardly seen: then it means nothing that its controls were not
 * seen. pair: with the baseline, or NULL. */
void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct sample_pair *pair);

/* Whether the sample shows a mutant's witness often enough, in all passes together, with code that is the test. */
bool gate_sees_mutant(const struct gate *gate, const struct sample *sample);

/* ---- the baseline itself, names: gate_known.c ---- */

/* Finds the unsound results of the baseline itself. */
void gate_find_flaws(struct gate *gate);

/* Names of tests for a sentence: each once, and a few of them. */
enum { GATE_NAMES = 3 };
struct gate_names {
    const char *tests[GATE_NAMES];
    size_t count;
    bool more;
};
void gate_names_take(struct gate_names *names, const struct sample *sample);
void gate_names_add(const struct gate_names *names, struct text *text); /* "MP, SB, LB, ..." */

/* ---- lines: gate_lines.c ---- */

/* Whether the change comes and goes: the first run showed it, and its reruns did not, or disagreed. */
bool gate_is_flaky(const struct gate_reason *reason);

/* Fills in the reason's line, evidence, decision and command. An existing line gets the test's name before it. */
void gate_add_lines(struct gate *gate, const struct gate_case *of, struct gate_reason *reason);

/* Adds " ptx:SB+relaxed"; of a control, the test that it controls. */
void gate_add_test(const struct sample *sample, struct text *text);

/* Adds the command that makes a baseline, without its tests: of a device, or of all if sample is NULL; in the file
 * `out`, or of more runs than A has if it is NULL. */
void gate_add_baseline(const struct gate *gate, const struct sample *sample, const char *out, struct text *text);

/* ---- devices: gate_devices.c ---- */

/* Finds the device of each case. A test of a device without a baseline gets a reason that says so. */
void gate_find_devices(struct gate_deciding *deciding);

/* Takes the reasons of tests out of which all of a device has: that it has no baseline, or was not judged. */
void gate_take_lacking(struct gate *gate);

/* Adds a doubt about each device that lacks a side or of which nothing was compared; decides on each device, and sorts
 * them. The cases are in order. */
void gate_judge_devices(struct gate *gate);

/* ---- what is there, and what it means: gate_expect.c and gate_lines.c ---- */

/* Whether it ran to its end and counted something, or asks how often it gives up. */
bool gate_is_counted(const struct sample *sample);

/* What is known of each verdict. The worst has rank 0. */
extern const struct gate_verdict_row {
    const char *word, *title;
    enum terminal_style tone;
    int exit_code, rank;
} gate_verdicts[];

/* The verdict for these numbers of reasons, and its exit code with the gate's options. */
enum gate_verdict gate_judge(const size_t of_class[GATE_CLASS_COUNT]);
int gate_exit_code(const struct gate *gate, const struct gate_counts *counts);

/* Adds a doubt of no test, and takes its texts. */
void gate_add_broken(struct gate *gate, enum gate_kind kind, const struct gate_device *device, struct text *line,
                     struct text *command);

/* ---- order: gate_lines.c ---- */

/* Makes the entries of a gate whose cases are complete, and sorts cases and their reasons the same way: by section,
 * then gravest kind first, then by test in the comparison's order. Counts them. */
void gate_order(struct gate *gate);

/* Whether one side alone has seen the outcome of a finding, which may be NULL. */
bool gate_is_one_sided(const struct finding *finding);
