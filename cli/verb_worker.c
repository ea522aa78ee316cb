// SPDX-License-Identifier: Apache-2.0
/* orchil worker: how orchil starts itself. It takes no options of ours. */
#include "cli/verb.h"
#include "runner/worker/worker.h"

const struct verb verb_worker = {.name = "worker", .run = worker_main};
