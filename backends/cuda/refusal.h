// SPDX-License-Identifier: Apache-2.0
/* What a driver's refusal of PTX means. Needs no driver. */
#ifndef ORCHIL_CUDA_REFUSAL_H
#define ORCHIL_CUDA_REFUSAL_H

#include "backends/backend.h"

struct cuda_refusal {
    const char *test;                    /* whose PTX it is */
    const char *ptx;                     /* as the driver was given it */
    const struct backend_device *device; /* that was to run it */
    int driver_version;                  /* of cuDriverGetVersion; 0: unknown */
    unsigned code;                       /* of the refusal */
    const char *code_name;
};

/* UNSUPPORTED where the device is older than the PTX's target, or the driver than its version: both are named. Else
 * BUILD_FAILED. */
enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error);

#endif
