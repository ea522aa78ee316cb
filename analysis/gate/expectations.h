// SPDX-License-Identifier: Apache-2.0
/*
 * What a gate should expect: an INI file with a section per glob of test names.
 *
 *   [MP+relaxed]
 *   device = H100                    ; optional, a part of the device's name; driver and backend work the same way
 *   known.rate = slower since the clocks are capped, https://tracker/123
 *   flaky.lost = seen in every tenth run only
 *
 *   [lock-*]
 *   skip = the test needs two devices
 *
 * known: a reason of this kind is there and does not count; the entry is stale when it is gone. flaky: it comes and
 * goes and does not count. skip: nothing of the test counts. Every entry says why. The kinds, as in gate.h:
 *
 *   soundness   forbidden, control, fault
 *   behaviour   refused (support that is gone), new, lost, shift, rate
 *   doubts      unconfirmed, unseen, other-kernel, invalid, cut-short, missing
 *   any         all of them
 *
 * new, lost, shift and rate also excuse what would be that and is unconfirmed or undecided.
 *
 * `orchil gate --update-expectations FILE` writes an entry for what was seen, with `WHY?` for its reason
 * (EXPECT_DRAFT). Such an entry is a draft: it is refused until a person has said why.
 */
#ifndef ORCHIL_ANALYSIS_GATE_EXPECTATIONS_H
#define ORCHIL_ANALYSIS_GATE_EXPECTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

enum expectation_effect { EXPECT_KNOWN, EXPECT_FLAKY, EXPECT_SKIP };

struct expectation {
    const char *test;                      /* a glob */
    const char *device, *driver, *backend; /* NULL: any */
    enum expectation_effect effect;
    const char *kind; /* NULL: any */
    const char *why;
    int line;
};

enum { EXPECTATIONS_MAXIMUM_FILE = 1024 * 1024 }; /* bytes */

/* What the reason of a draft starts with. */
#define EXPECT_DRAFT "WHY?"

struct expectations {
    const char *path;
    struct expectation *entries;
    size_t count;
    struct arena arena;
};

/* Reads a file. SYNTAX, as FILE:LINE:COLUMN, for a key, a kind, an empty reason, or a draft. Where it fails nothing is
 * left to release. */
enum status expectations_read(const char *path, struct expectations *expectations, struct error *error);

/* The same for a file that more is written to: drafts are read, too. A file that is not there has no entries. */
enum status expectations_read_drafts(const char *path, struct expectations *expectations, struct error *error);
void expectations_release(struct expectations *expectations);

struct gate;
struct text;

/*
 * Appends a section for each test of which something counts that no entry of `known` (which may be empty) excuses: known.KIND for
 * each kind, with a reason to be filled in. Gives their number. Tests and devices of names that a section cannot have
 * are written with `?`, or left out, where that is another text.
 */
size_t expectations_draft(const struct gate *gate, const struct expectations *known, struct text *text);

#endif
