// SPDX-License-Identifier: Apache-2.0
/* A folder with a baseline for each device and driver. */
#pragma once

#include "gate/gate_suite.h"

/* Appends the name of a device's baseline: "FOLDER/cuda-NVIDIA-H200-8c1f02ab-570.1.db". */
void baselines_add_path(const char *folder, const struct backend_device *device, struct text *text);

/*
 * The place of the newest baselines of the devices that request->device selects in the folder request->baselines, each
 * narrowed to its device, and says which they are. For a processor without one, an alike processor of this machine
 * stands that is no longer here, since a driver's update may have renamed it. Databases that cannot be read come last:
 * side_read_all reports them. *missing is true, with USAGE, if a device has none: the error names it, and the command
 * that makes one. The arena keeps what the place has.
 */
enum status baselines_find(const struct gate_request *request, struct arena *arena, struct stored_place *place,
                           bool *missing, struct error *error);
