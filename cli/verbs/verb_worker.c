// SPDX-License-Identifier: Apache-2.0
/* orchil worker: internal; orchil starts itself with it. */
#include "cli/output.h"
#include "cli/verb.h"
#include "runner/worker/worker.h"

static enum status worker_execute(UNUSED void *request, struct verb_call *call, struct error *error)
{
    call->code = worker_main(call->argc, call->argv);
    return call->code == WORKER_NOT_MEANT ? error_set(error, STATUS_USAGE, "internal; do not run directly") : STATUS_OK;
}

const struct verb verb_worker = {.name = "worker", .hidden = true, .run = worker_execute};
