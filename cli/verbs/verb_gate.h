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
    {ROW_EXCLUDE(AT(request.exclude))}, {ROW_DEVICE(AT(request.device)), .project = ""},                               \
        {ROW_PROFILE(AT(request.profile)), .project = ""}, {ROW_HOME(AT(request.homes)), .project = ""},               \
        {"budget", 0, "S", OPTION_SECONDS, .offset = AT(request.budget), .project = " time instances "},               \
        {ROW_TIME(AT(request.seconds)), .project = " budget instances "},                                              \
        {ROW_INSTANCES(AT(request.instances)), .project = " budget time "},                                            \
        {ROW_SEED(AT(request.seed), AT(request.seeded)), .project = ""},                                               \
        {ROW_DATABASE(AT(request.database)), .project = ""},                                                           \
        {"project", 0, "FILE", OPTION_TEXT, .offset = AT(request.project), .file = OPTION_FILE_READ},                  \
        {"no-project", 0, NULL, OPTION_SET, .offset = AT(request.no_project)}, {ROW_JSON(AT(request.json))},           \
        {ROW_BUILD_LIMIT(AT(request.limits))},                                                                         \
    {                                                                                                                  \
        ROW_BATCH_LIMIT(AT(request.limits), "30")                                                                      \
    }

/* Completes the request of a verb: its TEST arguments, the terminal, to which what gate reports goes, and the
 * provenance. */
void verb_gate_attach(struct gate_request *request, const struct verb_arguments *tests, struct verb_call *call);
