// SPDX-License-Identifier: Apache-2.0
/* Plays on a real device. */
#pragma once

#include "backends/backend.h"

/* Plays a small kernel over each edge that the device has. The calling test fails if a later launch does not see what
 * an earlier one wrote, or if an edge that the device lacks is not refused. */
void edges_check(const struct backend *backend, const struct backend_device *device, struct backend_session *session);
