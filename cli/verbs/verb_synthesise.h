// SPDX-License-Identifier: Apache-2.0
/* The request of `orchil synthesise`, shared by its parts. */
#ifndef ORCHIL_CLI_VERBS_VERB_SYNTHESISE_H
#define ORCHIL_CLI_VERBS_VERB_SYNTHESISE_H

#include "catalogue/synthesis/synthesis.h"
#include "cli/options.h"

struct synthesise_request {
    const char *model, *allow, *forbid, *folder, *seen;
    int dialect;
    struct synthesis_bound bound;
    unsigned shard, shards;
    bool json, force, fresh;
    struct verb_arguments tests;
};

#endif
