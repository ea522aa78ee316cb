// SPDX-License-Identifier: Apache-2.0
/* Reading the circumstances of running jobs. */
#include "runner/worker/observe.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/whole_file.h"

static const double seconds_between = 1;

static void observe_load(struct circumstances *circumstances)
{
    char line[64];
    double load;
    if (file_read_start("/proc/loadavg", line, sizeof line) > 0 && sscanf(line, "%lf", &load) == 1)
        (void)circumstances_note(circumstances, CIRCUMSTANCE_HOST_LOAD, load);
}

/* The clock of the processor that this thread runs on, which is not idle. */
static bool read_sysfs_clock(double *megahertz)
{
    char path[96], line[64];
    double kilohertz;
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", sched_getcpu());
    if (file_read_start(path, line, sizeof line) == 0 || sscanf(line, "%lf", &kilohertz) != 1)
        return false;
    *megahertz = kilohertz / 1000;
    return true;
}

/* The clock of the first processor listed: printing all of a large machine takes milliseconds. */
static bool read_cpuinfo_clock(double *megahertz)
{
    char start[2048];
    (void)file_read_start("/proc/cpuinfo", start, sizeof start);
    const char *end = strstr(start, "\n\n"), *line = strstr(start, "cpu MHz");
    return line && (!end || line < end) && sscanf(line, "cpu MHz : %lf", megahertz) == 1;
}

void observe_host(struct circumstances *circumstances)
{
    double megahertz;
    observe_load(circumstances);
    if (read_sysfs_clock(&megahertz) || read_cpuinfo_clock(&megahertz))
        (void)circumstances_note(circumstances, CIRCUMSTANCE_CPU_CLOCK, megahertz);
}

void observe(struct observer *observer, const struct backend *backend, struct backend_session *session, double started)
{
    const double now = clock_seconds();
    const double in_job = observer->read_at - started; /* the job's time at the last reading */
    if (observer->read_at > 0 && (now - observer->read_at < seconds_between || now - started < 2 * in_job))
        return;
    observer->last = (struct circumstances){0};
    observe_host(&observer->last);
    if (backend->observe)
        backend->observe(session, &observer->last);
    observer->read_at = now;
}
