// SPDX-License-Identifier: Apache-2.0
/* Why a driver refused PTX: its version, its target, or its content. */
#include "backends/cuda/refusal.h"

#include <stdio.h>

#include "backends/cuda/library.h"
#include "backends/cuda/ptx.h"

static unsigned capability_of(const struct backend_device *device)
{
    unsigned capability;
    return sscanf(device->architecture, "sm_%4u", &capability) == 1 ? capability : 0;
}

enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error)
{
    const struct backend_device *device = refusal->device;
    const unsigned version = cuda_ptx_version(refusal->ptx), target = cuda_ptx_target(refusal->ptx);
    const unsigned newest = cuda_ptx_newest(refusal->driver_version), capability = capability_of(device);
    char reads[64] = "older versions only";
    if (capability > 0 && target > capability)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the PTX of %s needs sm_%u or later, cuda:%u (%s) is sm_%u (the driver %s said %s)",
                         refusal->test, target, device->index, device->name, capability, device->driver,
                         refusal->code_name);
    if (newest > 0)
        (void)snprintf(reads, sizeof reads, "PTX up to %u.%u", newest / 10, newest % 10);
    if (refusal->code == CUDA_REFUSAL_OF_VERSION || (newest > 0 && version > newest))
        return error_set(error, STATUS_UNSUPPORTED,
                         "the PTX of %s is of version %u.%u, the driver %s of cuda:%u (%s), which is of CUDA %d.%d, "
                         "reads %s (it said %s): install a newer driver",
                         refusal->test, version / 10, version % 10, device->driver, device->index, device->name,
                         refusal->driver_version / 1000, refusal->driver_version % 1000 / 10, reads,
                         refusal->code_name);
    return error_set(error, STATUS_BUILD_FAILED,
                     "the driver %s of cuda:%u (%s) refused the PTX of %s (version %u.%u, sm_%u): %s", device->driver,
                     device->index, device->name, refusal->test, version / 10, version % 10, target,
                     refusal->code_name);
}
