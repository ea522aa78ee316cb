// SPDX-License-Identifier: Apache-2.0
/* PoCL ends the process that asks it for devices if it cannot examine the processor, so tests ask here first. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether drivers of the named backend may be loaded here; if not, prints why to stderr. */
static inline bool processor_is_described(const char *backend)
{
    static const char topology[] = "/sys/devices/system/cpu";
    if (strcmp(backend, "opencl") != 0 || access(topology, R_OK) == 0)
        return true;
    (void)fprintf(stderr, "skipped: there is no %s, without which PoCL ends the process\n", topology);
    return false;
}
