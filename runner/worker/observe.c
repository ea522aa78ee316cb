// SPDX-License-Identifier: Apache-2.0
/* Reading the circumstances of running jobs, seldom enough to cost them nothing. */
#include "runner/worker/observe.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const double seconds_between = 1;

static void observe_load(struct circumstances *circumstances)
{
    double load;
    FILE *file = fopen("/proc/loadavg", "re");
    if (!file)
        return;
    if (fscanf(file, "%lf", &load) == 1)
        (void)circumstances_note(circumstances, CIRCUMSTANCE_HOST_LOAD, load);
    (void)fclose(file);
}

/* Of the processor that this thread runs on, which is not idle. */
static bool read_sysfs_clock(double *megahertz)
{
    char path[96];
    double kilohertz;
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", sched_getcpu());
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const bool read = fscanf(file, "%lf", &kilohertz) == 1;
    (void)fclose(file);
    *megahertz = kilohertz / 1000;
    return read;
}

/* Of the first processor that is listed: to print all of a large machine takes milliseconds. */
static bool read_cpuinfo_clock(double *megahertz)
{
    char line[256];
    bool read = false, next = false;
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return false;
    while (!read && !next && fgets(line, sizeof line, file)) {
        read = sscanf(line, "cpu MHz : %lf", megahertz) == 1;
        next = line[0] == '\n';
    }
    (void)fclose(file);
    return read;
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
    const double in_job = observer->read_at - started; /* how far the job was when it was read last */
    if (observer->read_at > 0 && (now - observer->read_at < seconds_between || now - started < 2 * in_job))
        return;
    observer->last = (struct circumstances){0};
    observe_host(&observer->last);
    if (backend->observe)
        backend->observe(session, &observer->last);
    observer->read_at = now;
}
