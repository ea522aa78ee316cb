// SPDX-License-Identifier: Apache-2.0
/* The environment of a device if no profile is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/environment/environment.h"
#include "runner/environment/profiles.h"

/* Devices on which profiles were measured (docs/results/README.md). A name is a part of the
 * driver's name. The first row that fits counts; one without a backend fits all. What `hopper` adds to
 * `h100` is faster by CUDA and slower by OpenCL; by Vulkan it was not measured. */
static const struct measured_profile {
    const char *vendor, *name, *backend, *profile;
} measured[] = {
    {"NVIDIA", "H100", "opencl", "h100"}, {"NVIDIA", "H200", "opencl", "h100"}, {"NVIDIA", "H100", "vulkan", "h100"},
    {"NVIDIA", "H200", "vulkan", "h100"}, {"NVIDIA", "H100", NULL, "hopper"},   {"NVIDIA", "H200", NULL, "hopper"},
};

static bool is_measured(const struct measured_profile *row, const struct backend_device *device)
{
    return strstr(device->vendor, row->vendor) && strstr(device->name, row->name) &&
           (!row->backend || strcmp(device->backend, row->backend) == 0);
}

enum {
    RULE_ARCHITECTURE = 70,  /* from here on threads of a warp proceed independently, as on the measured device */
    RULE_GROUPS = 32,        /* most that a multiprocessor holds */
    RULE_INSTANCE_BYTES = 16 /* of test memory, at stride 1: two or three locations with gaps */
};

static void load(const char *profile, const struct backend_device *device, struct environment *environment)
{
    (void)environment_load(profile, device, environment, NULL); /* a unit test reads every built-in profile */
}

/* 90 for "sm_90" or "sm_90a"; 0 for anything else. */
static unsigned architecture_number(const struct backend_device *device)
{
    return strncmp(device->architecture, "sm_", 3) == 0 ? (unsigned)strtoul(device->architecture + 3, NULL, 10) : 0;
}

/* The largest stride at which all groups of the size use no more than a quarter of the L2 cache; at least 1. */
static uint32_t fitting_stride(const struct backend_device *device, uint32_t group_size)
{
    const uint64_t bytes = (uint64_t)device->compute_units * RULE_GROUPS * group_size * RULE_INSTANCE_BYTES;
    const uint64_t stride = bytes > 0 ? device->l2_bytes / 4 / bytes : UINT32_MAX;
    return stride < 1 ? 1 : stride > UINT32_MAX ? UINT32_MAX : (uint32_t)stride;
}

static void cap(struct environment_range *range, uint32_t most)
{
    if (range->high > most)
        range->high = most;
    if (range->low > most)
        range->low = most;
}

static void say_rule(const struct backend_device *device, struct environment *environment)
{
    const int size = snprintf(environment->why, sizeof environment->why, "derived from %s, %u multiprocessors",
                              device->architecture, device->compute_units);
    if (device->l2_bytes > 0 && size > 0)
        (void)snprintf(environment->why + size, sizeof environment->why - (size_t)size, ", %.0f MiB of L2",
                       (double)device->l2_bytes / (1024 * 1024));
}

void environment_by_rule(const struct backend_device *device, struct environment *environment)
{
    if (!device->gpu || !strstr(device->vendor, "NVIDIA") || architecture_number(device) < RULE_ARCHITECTURE ||
        device->compute_units == 0) {
        environment_base(device, environment);
        (void)snprintf(environment->why, sizeof environment->why, "the default for %s", device->gpu ? "GPUs" : "CPUs");
        return;
    }
    load("hopper", device, environment);
    (void)snprintf(environment->name, sizeof environment->name, "rule");
    if (device->l2_bytes > 0) {
        const uint32_t most = fitting_stride(device, environment_highest(environment, PARAMETER_group_size));
        cap(&environment->stride, most);
        for (uint32_t i = 0; i < environment->other_count; i++)
            cap(&environment->others[i].ranges[PARAMETER_stride], most);
    }
    say_rule(device, environment);
}

void environment_default(const struct backend_device *device, struct environment *environment)
{
    /* An interpreter needs minutes for a launch sized for a processor, and the job would end as a
     * hang. */
    if (strstr(device->name, "Oclgrind")) {
        load("oclgrind", device, environment);
        (void)snprintf(environment->why, sizeof environment->why, "the default for Oclgrind");
        return;
    }
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (is_measured(&measured[i], device)) {
            load(measured[i].profile, device, environment);
            (void)snprintf(environment->why, sizeof environment->why, "measured on %s %s%s", measured[i].vendor,
                           measured[i].name, device->member_count > 0 ? " alone" : ""); /* not with other devices */
            return;
        }
    environment_by_rule(device, environment);
}
