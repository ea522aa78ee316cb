// SPDX-License-Identifier: Apache-2.0
/* What `gate` and `gate baseline` share. */
#pragma once

#include "cli/common_rows.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "gate/gate_suite.h"

extern const struct verb verb_gate_baseline;

/* The verbs that read a project file, up to a NULL. */
extern const struct verb *const verb_gate_family[];

/* The rows of options that they share. AT(member): the offset of a member of the verb's request, of which .request is a
 * struct gate_request. */
#define GATE_ROWS(AT)                                                                                                  \
    {ROW_EXCLUDE(AT(request.exclude))},                                                                                \
        {ROW_DEVICE(AT(request.device)), .project = "",                                                                \
         .help = "one device, as in `orchil run` (default: for a gate, the baseline's devices; else the first GPU)"},  \
        {ROW_PROFILE(AT(request.profile)), .project = "",                                                              \
         .help = "the environment (default: for a gate, the baseline's; else chosen for the device)"},                 \
        {ROW_HOME(AT(request.homes)), .project = "",                                                                   \
         .help = HELP_HOME " (default: for a gate, the baseline's; else drawn for each batch)"},                       \
        {"budget",                                                                                                     \
         0,                                                                                                            \
         "S",                                                                                                          \
         OPTION_SECONDS,                                                                                               \
         AT(request.budget),                                                                                           \
         .project = " time instances ",                                                                                \
         .help = "time for each run, in seconds or with the suffix m or h: for a baseline, it chooses how much of "    \
                 "each test is played (default: the suite's budget, else 1m); for a gate, the most that its run may "  \
                 "take (default: as long as the baseline's draws take)"},                                              \
        {ROW_TIME(AT(request.seconds)), .project = " budget instances ",                                               \
         .help = "time for each test in seconds, or with the suffix m or h, instead of a budget; a gate cuts a test "  \
                 "short after four times this"},                                                                       \
        {ROW_INSTANCES(AT(request.instances)), .project = " budget time ",                                             \
         .help = "minimum number of instances of each test, with an optional suffix "                                  \
                 "k, M, G or T, instead of a budget (for a gate, default: the baseline's)"},                           \
        {ROW_SEED(AT(request.seed), AT(request.seeded)), .project = "",                                                \
         .help =                                                                                                       \
             "the seed of all random choices (default: for a gate, the baseline's, so that draws are equal and are "   \
             "compared one by one; else a new one)"},                                                                  \
        {ROW_DATABASE(AT(request.database)), .project = "", .help = "the database to store results in (default: %s)"}, \
        {"project",                                                                                                    \
         0,                                                                                                            \
         "FILE",                                                                                                       \
         OPTION_TEXT,                                                                                                  \
         AT(request.project),                                                                                          \
         .file = OPTION_FILE_READ,                                                                                     \
         .help = "the INI file whose keys are options that are not given (default: orchil.ini of this folder, or of "  \
                 "the first above that has one)"},                                                                     \
        {"no-project", 0, NULL, OPTION_SET, AT(request.no_project), .help = "read no project file"},                   \
        {ROW_JSON(AT(request.json)), .help = "print one JSON object and nothing else"},                                \
        {ROW_BUILD_LIMIT(AT(request.limits))},                                                                         \
    {                                                                                                                  \
        ROW_BATCH_LIMIT(AT(request.limits), "30")                                                                      \
    }

/* Completes the request of a verb: its TEST arguments, the terminal, to which what gate reports goes, and the
 * provenance. */
void verb_gate_attach(struct gate_request *request, const struct verb_arguments *tests, struct verb_call *call);
