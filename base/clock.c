// SPDX-License-Identifier: Apache-2.0
/* The monotonic clock and the date. */
#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *clock_today(char day[CLOCK_DAY_SIZE])
{
    const time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || strftime(day, CLOCK_DAY_SIZE, "%Y-%m-%d", &parts) == 0)
        day[0] = '\0';
    return day;
}
