// SPDX-License-Identifier: Apache-2.0
/*
 * What a gate should expect: an INI file with a section per glob of test names.
 *
 *   [MP+relaxed]
 *   device = H100                    ; optional, a part of the device's name; driver and backend work the same way
 *   known.rate = x0.5 slower since the clocks are capped, https://tracker/123
 *   flaky.lost = seen in every tenth run only
 *
 *   [lock-*]
 *   skip = the test needs two devices
 *
 * known: a reason of this kind exists and does not count; the entry is stale once the reason is
 * gone. flaky: the reason comes and goes and does not count. skip: nothing about the test counts.
 * Every entry says why. The kinds, as in gate.h:
 *
 *   soundness   forbidden, control, fault
 *   behaviour   refused (support that is gone), new, lost, shift, rate, voids, time
 *   doubts      unconfirmed, unseen, other-kernel, invalid, cut-short, missing
 *   any         all of them
 *
 * known.rate, known.time and known.shift begin with the size of the change: a factor, as x2, or a range, as
 * x1.5-3. A change beyond it, by more than the gate's tolerance, counts.
 *
 * new, lost, shift, rate, voids and time also excuse reasons that would be of that kind but are unconfirmed or
 * undecided.
 *
 * `orchil gate --update-expectations FILE` writes entries for the reasons that it sees, with `WHY?`
 * as explanation (EXPECT_DRAFT). Such an entry is a draft: it is refused until a person has filled
 * in the explanation.
 */
#ifndef ORCHIL_RUNNER_GATE_DECIDE_EXPECTATIONS_H
#define ORCHIL_RUNNER_GATE_DECIDE_EXPECTATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/statistics/statistics.h"
#include "base/arena.h"
#include "base/status.h"

enum expectation_effect { EXPECT_KNOWN, EXPECT_FLAKY, EXPECT_SKIP };

struct expectation {
    const char *test;                      /* a glob */
    const char *device, *driver, *backend; /* NULL: any */
    enum expectation_effect effect;
    const char *kind;     /* NULL: any */
    struct interval size; /* of a ratio of rates or times; high is 0 if the entry says none */
    const char *why;
    int line;
};

enum { EXPECTATIONS_MAXIMUM_FILE = 1024 * 1024 }; /* bytes */

/* The start of a draft's reason. */
#define EXPECT_DRAFT "WHY?"

struct expectations {
    const char *path;
    struct expectation *entries;
    size_t count;
    struct arena arena;
};

/* Reads a file. SYNTAX, as FILE:LINE:COLUMN, for a key, a kind, an empty reason, or a draft. After
 * a failure there is nothing to release. */
enum status expectations_read(const char *path, struct expectations *expectations, struct error *error);

/* The same for a file that will be added to: drafts are accepted. A missing file has no entries. */
enum status expectations_read_drafts(const char *path, struct expectations *expectations, struct error *error);
void expectations_release(struct expectations *expectations);

struct gate;
struct text;

/*
 * Appends a section for each test with a reason that counts and that no entry of `known` (which may
 * be empty) excuses: known.KIND for each kind, with the size of a changed rate, and an explanation to be filled in. Returns the
 * number of these lines. In a test's name, characters that are special in a glob are written as
 * `?`; a device or backend name that cannot be a value is left out.
 */
size_t expectations_draft(const struct gate *gate, const struct expectations *known, struct text *text);

#endif
