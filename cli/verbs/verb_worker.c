// SPDX-License-Identifier: Apache-2.0
/* orchil worker: internal; orchil starts itself with it. */
#include <stdio.h>

#include "base/terminal/terminal.h"
#include "cli/verb.h"
#include "runner/worker/worker.h"

enum { EXIT_USAGE = 2 };

static int execute(int argc, char **argv)
{
    const int code = worker_main(argc, argv);
    if (code != WORKER_NOT_MEANT)
        return code;
    terminal_print(stderr, "orchil worker: internal; do not run directly\n");
    return EXIT_USAGE;
}

const struct verb verb_worker = {.name = "worker", .run = execute};
