// SPDX-License-Identifier: Apache-2.0
/* The monotonic clock. */
#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
