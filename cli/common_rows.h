// SPDX-License-Identifier: Apache-2.0
/* Rows of options that several verbs share: the fields between the braces of a row. `at` is the offset of a member of
 * the verb's request. */
#pragma once

#include "cli/options.h"
#include "runner/supervise/supervisor.h"

enum { OPEN_SECONDS = 60 }; /* for a worker to open its device; --build-limit can shorten it */

#define ROW_DEVICE(at) "device", 0, "SPEC", OPTION_TEXT, .offset = (at), .decided = true
#define ROW_PROFILE(at)                                                                                                \
    "profile", 0, "NAME|FILE", OPTION_TEXT, .offset = (at), .decided = true, .file = OPTION_FILE_READ
#define ROW_HOME(at) "home", 0, "PLACES", OPTION_TEXT, .offset = (at), .decided = true
#define ROW_TIME(at) "time", 0, "S", OPTION_SECONDS, .offset = (at), .decided = true
#define ROW_DATABASE(at) "db", 0, "FILE", OPTION_TEXT, .offset = (at), "orchil.db", .file = OPTION_FILE_DATABASE
#define ROW_SARIF(at) "sarif", 0, "FILE", OPTION_TEXT, .offset = (at), .file = OPTION_FILE_WRITTEN
#define ROW_JSON(at) "json", 'j', NULL, OPTION_SET, .offset = (at)
#define ROW_VERBOSE(at) "verbose", 'v', NULL, OPTION_SET, .offset = (at)
#define ROW_OUT(metavar, at) "out", 'o', metavar, OPTION_TEXT, .offset = (at)
#define ROW_PAGE(at) "page", 0, "FILE", OPTION_TEXT, .offset = (at), .file = OPTION_FILE_WRITTEN
#define ROW_INSTANCES(at)                                                                                              \
    "instances", 0, "N", OPTION_COUNT, .offset = (at), .decided = true,                                                \
                                       .expected = "a positive whole number, like 1000000, 100M or 1G"

/* given_at: of a bool, whether a seed was given. */
#define ROW_SEED(at, given_at) "seed", 0, "N", OPTION_SEED, .offset = (at), .given = (given_at), .decided = true

#define ROW_STRICT(at) "strict", 0, NULL, OPTION_SET, .offset = (at), .decided = true

#define ROW_SHARD(at, second_at) "shard", 0, "I/N", OPTION_SHARD, .offset = (at), .second = (second_at), .decided = true
#define ROW_LAST_FAILED(at) "last-failed", 0, NULL, OPTION_SET, .offset = (at), .decided = true
#define ROW_DRY_RUN(at) "dry-run", 0, NULL, OPTION_SET, .offset = (at), .decided = true

/* at: of a struct supervisor_limits; batch_seconds: the default limit, as text. */
#define ROW_BUILD_LIMIT(at)                                                                                            \
    "build-limit", 0, "S", OPTION_SECONDS, .offset = (at) + offsetof(struct supervisor_limits, build), "120",          \
                                           .decided = true
#define ROW_BATCH_LIMIT(at, batch_seconds)                                                                             \
    "batch-limit", 0, "S", OPTION_SECONDS, .offset = (at) + offsetof(struct supervisor_limits, batch), batch_seconds,  \
                                           .decided = true

/* The definition of a change of a rate; at: of a struct compare_options. */
#define ROW_TOLERANCE(at)                                                                                              \
    "tolerance", 0, "FACTOR", OPTION_NUMBER, .offset = (at) + offsetof(struct compare_options, tolerance), "1.1",      \
                                             .low = 1, .high = 1000
#define ROW_ALPHA(at)                                                                                                  \
    "alpha", 0, "P", OPTION_NUMBER, .offset = (at) + offsetof(struct compare_options, alpha), "0.05", .low = 0,        \
                                    .high = 1
