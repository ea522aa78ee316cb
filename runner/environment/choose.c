// SPDX-License-Identifier: Apache-2.0
/* The environment of a device if no profile is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/environment/environment.h"
#include "runner/environment/profiles.h"

/* Devices on which profiles were measured (docs/results/measurements.md). A name is a part of the driver's name. */
static const struct measured_device {
    const char *vendor, *name;
} measured[] = {{"NVIDIA", "H100"}, {"NVIDIA", "H200"}};

/* What `hopper` adds to `h100` needs a clock. */
static const char *measured_profile(const struct backend_device *device)
{
    return device->shared_clock ? "hopper" : "h100";
}

static bool is_measured(const struct measured_device *row, const struct backend_device *device)
{
    return strstr(device->vendor, row->vendor) && strstr(device->name, row->name);
}

enum { RULE_ARCHITECTURE = 70 }; /* from here on threads of a warp proceed independently, as on the measured devices */

static void load(const char *profile, const struct backend_device *device, struct environment *environment)
{
    (void)environment_load(profile, device, environment, NULL); /* a unit test reads every built-in profile */
}

/* 90 for "sm_90" or "sm_90a"; 0 for anything else. */
static unsigned architecture_number(const struct backend_device *device)
{
    return strncmp(device->architecture, "sm_", 3) == 0 ? (unsigned)strtoul(device->architecture + 3, NULL, 10) : 0;
}

void environment_by_rule(const struct backend_device *device, struct environment *environment)
{
    const bool like_measured =
        device->gpu && strstr(device->vendor, "NVIDIA") && architecture_number(device) >= RULE_ARCHITECTURE;
    if (like_measured) {
        load("h100", device, environment); /* the clocks of other GPUs have other steps */
        (void)snprintf(environment->name, sizeof environment->name, "rule");
    } else
        environment_base(device, environment);
    (void)snprintf(environment->why, sizeof environment->why, "the default for %s",
                   like_measured ? "NVIDIA GPUs from sm_70 on"
                   : device->gpu ? "GPUs"
                                 : "CPUs");
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
            load(measured_profile(device), device, environment);
            (void)snprintf(environment->why, sizeof environment->why, "measured on %s %s%s", measured[i].vendor,
                           measured[i].name, device->member_count > 0 ? " alone" : ""); /* not with other devices */
            return;
        }
    environment_by_rule(device, environment);
}
