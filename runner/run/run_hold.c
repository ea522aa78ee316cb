// SPDX-License-Identifier: Apache-2.0
/* One process at a time works on a run. */
#include "runner/run/run_hold.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/hash.h"

enum status run_hold(const char *database, int64_t run_id, int *hold, struct error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char path[PATH_MAX], named[PATH_MAX + 32], hash[HASH_HEX_SIZE];
    (void)snprintf(named, sizeof named, "%s:%" PRId64, realpath(database, path) ? path : database, run_id);
    hash_hex(named, strlen(named), hash);
    /* The first byte stays 0, which makes the name abstract. */
    const int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "orchil-run-%s", hash);
    *hold = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (*hold < 0 || bind(*hold, (const struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0)
        return STATUS_OK;
    const bool taken = errno == EADDRINUSE;
    run_let_go(*hold);
    *hold = -1;
    return taken ? error_set(error, STATUS_USAGE, "run %" PRId64 " of %s is still going on, in another process", run_id,
                             database)
                 : STATUS_OK;
}

void run_let_go(int hold)
{
    if (hold >= 0)
        (void)close(hold);
}
