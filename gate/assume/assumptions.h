// SPDX-License-Identifier: Apache-2.0
/* Whether assumptions that programs make and no specification promises hold on a device. An assumption is a test whose
 * witness breaks it, with a sibling in which the violation is planted. Not seeing a violation means something only if
 * the planted one was seen. */
#ifndef ORCHIL_GATE_ASSUME_ASSUMPTIONS_H
#define ORCHIL_GATE_ASSUME_ASSUMPTIONS_H

#include "analysis/sides/side.h"
#include "catalogue/selection.h"
#include "runner/run/run_jobs.h"

/* Gravest first. */
enum assumption_answer {
    ASSUMPTION_BROKEN,
    ASSUMPTION_FAILED,
    ASSUMPTION_UNKNOWN,
    ASSUMPTION_UNSUPPORTED,
    ASSUMPTION_HOLDS,
    ASSUMPTION_ANSWERS
};

/* The result of a test's job. */
struct assumption_job {
    const char *test;
    enum job_state state;
    const char *reason;            /* why it did not complete, or "" */
    const char *not_kept;          /* why the compiled code is not the test; NULL if it is, or was not inspected */
    uint64_t witnesses, instances; /* instances: without void ones */
    uint64_t impossible;           /* instances in forbidden outcomes other than the witness: a fault */
    double seconds;                /* from the first launch to the last read-back */
};

/* Planted violations run first, in a run of their own. */
enum assumption_half { ASSUMPTION_PLANTED, ASSUMPTION_ITSELF, ASSUMPTION_HALVES };

/* The texts are never NULL; "" if the test does not say. */
struct assumption {
    enum litmus_dialect dialect;
    struct assumption_job itself, planted;
    const char *assumes;  /* the assumption, as a sentence */
    const char *relies;   /* who relies on it */
    const char *promises; /* what the specification says */
    const char *instead;  /* the promise that is missing */
    bool promised;        /* the specification promises it: a witness is a device fault */
};

/* All assumptions on one device. Starts as {0}; assumptions_release frees its contents. */
struct assumptions {
    struct assumption *list;
    size_t count;
    struct selection tests[ASSUMPTION_HALVES]; /* what each run plays: each test once, of the selection or found */
    struct selected_test *found;               /* planted violations that the selection lacks */
    size_t found_count;
    const struct backend_device *device;
    const char *tool, *when;           /* "orchil 0.9", "2026-11-23" */
    const char *profile, *environment; /* of a job; environment: its hash; "" if none began */
    const char *database;
    int64_t runs[ASSUMPTION_HALVES]; /* in the database; 0: it did not begin */
    double seconds;                  /* that each was given */
    uint64_t seed;
    int signal; /* that ended it; 0: none */
    struct side sides[ASSUMPTION_HALVES];
    struct arena arena;
};

/* Takes the tests of the selection, which must outlive it, that name a planted violation. USAGE if none does, if a
 * named one does not exist, or if the planted one's witness is not allowed. */
enum status assumptions_choose(const struct selection *selection, struct assumptions *assumptions, struct error *error);

/* Plans the run of a half on the device: the assumptions as the options say, planted violations, which are frequent,
 * until they are seen and for a second at most. The caller releases the plan, whatever the result. */
enum status assumptions_plan(const struct assumptions *assumptions, enum assumption_half half,
                             struct run_options *options, struct run_plan *plan, struct error *error);

/* Reads what the runs have stored. */
enum status assumptions_read(struct assumptions *assumptions, struct error *error);

void assumptions_release(struct assumptions *assumptions);

enum assumption_answer assumption_answer(const struct assumption *assumption);

/* The answer with its figures: "0 of 2,100,000,000 instances: below 1.4e-09 per instance (95 %)"; or why it has
 * none. */
void assumption_add_figures(const struct assumption *assumption, struct text *text);

/* "3 assumptions hold so far, 1 is broken". */
void assumptions_add_sum(const struct assumptions *assumptions, struct text *text);

/* 128 + the signal if interrupted; else 1 if an assumption is broken, 4 if a job failed, 3 if something cannot be
 * decided or nothing was supported, 0 if all supported assumptions hold. */
int assumptions_exit_code(const struct assumptions *assumptions);

/* colours: use terminal styles. width: columns per line; names and paths are not broken. */
void assumptions_print_text(const struct assumptions *assumptions, bool colours, size_t width, struct text *text);
void assumptions_print_json(const struct assumptions *assumptions, struct text *text);

#endif
