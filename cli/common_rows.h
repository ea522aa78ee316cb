// SPDX-License-Identifier: Apache-2.0
/* Rows of options that several verbs share: the fields between the braces of a row. `at` is the offset of a member of
 * the verb's request. */
#pragma once

#include "cli/options.h"
#include "runner/supervise/supervisor.h"

enum { OPEN_SECONDS = 60 }; /* for a worker to open its device; --build-limit can shorten it */

#define ROW_DEVICE(at) "device", 0, "SPEC", OPTION_TEXT, (at), .decided = true
#define ROW_PROFILE(at) "profile", 0, "NAME|FILE", OPTION_TEXT, (at), .decided = true, .file = OPTION_FILE_READ
#define ROW_HOME(at) "home", 0, "PLACES", OPTION_TEXT, (at), .decided = true
#define HELP_HOME                                                                                                      \
    "the memory that holds each location of a test for several devices, like x=1,y=host: the position of a device in " \
    "--device, from 0, or host; *=1 is for all other locations"
#define ROW_TIME(at) "time", 0, "S", OPTION_SECONDS, (at), .decided = true
#define ROW_DATABASE(at) "db", 0, "FILE", OPTION_TEXT, (at), "orchil.db", .file = OPTION_FILE_DATABASE
#define ROW_SARIF(at)                                                                                                  \
    "sarif", 0, "FILE", OPTION_TEXT, (at), .file = OPTION_FILE_WRITTEN,                                                \
                                           .help = "also write the findings as SARIF 2.1.0, for code scanning"
#define ROW_JSON(at) "json", 0, NULL, OPTION_SET, (at)
#define ROW_INSTANCES(at)                                                                                              \
    "instances", 0, "N", OPTION_COUNT, (at), .decided = true,                                                          \
                                             .expected = "a positive whole number, like 1000000, 100M or 1G"

/* given_at: of a bool, whether a seed was given. */
#define ROW_SEED(at, given_at) "seed", 0, "N", OPTION_SEED, (at), .given = (given_at), .decided = true

#define ROW_STRICT(at)                                                                                                 \
    "strict", 0, NULL, OPTION_SET, (at), .decided = true,                                                              \
                                         .help = "also fail on orders and scopes that the device does not declare"

#define ROW_SHARD(at, second_at) "shard", 0, "I/N", OPTION_SHARD, (at), .second = (second_at), .decided = true
#define ROW_LAST_FAILED(at) "last-failed", 0, NULL, OPTION_SET, (at), .decided = true
#define ROW_DRY_RUN(at)                                                                                                \
    "dry-run", 0, NULL, OPTION_SET, (at), .decided = true,                                                             \
                                          .help = "print the plan and how long it would take, and run nothing; with "  \
                                                  "--json, as one JSON object"

/* at: of a struct supervisor_limits; batch_seconds: the default limit, as text. */
#define ROW_BUILD_LIMIT(at)                                                                                            \
    "build-limit", 0, "S", OPTION_SECONDS, (at) + offsetof(struct supervisor_limits, build), "120",                    \
        .decided = true,                                                                                               \
        .help =                                                                                                        \
            "time limit for building a kernel, and for opening the device if that is less than 60, in seconds (default: %s)"
#define ROW_BATCH_LIMIT(at, batch_seconds)                                                                             \
    "batch-limit", 0, "S", OPTION_SECONDS, (at) + offsetof(struct supervisor_limits, batch), batch_seconds,            \
        .decided = true, .help = "time limit for a batch, in seconds (default: %s)"

/* The definition of a change of a rate; at: of a struct compare_options. */
#define ROW_TOLERANCE(at)                                                                                              \
    "tolerance", 0, "FACTOR", OPTION_NUMBER, (at) + offsetof(struct compare_options, tolerance), "1.1", .low = 1,      \
                                                                                                        .high = 1000
#define ROW_ALPHA(at)                                                                                                  \
    "alpha", 0, "P", OPTION_NUMBER, (at) + offsetof(struct compare_options, alpha), "0.05", .low = 0, .high = 1
#define HELP_TOLERANCE "ignore changes of a rate within this factor (default: %s)"
#define HELP_ALPHA "bound on the chance of any false alarm among the rates (default: %s)"
