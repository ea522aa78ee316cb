// SPDX-License-Identifier: Apache-2.0
/* The test with a known result that a device must pass after a fault. Private to this folder. */
#ifndef ORCHIL_RUNNER_SUPERVISE_CANARY_H
#define ORCHIL_RUNNER_SUPERVISE_CANARY_H

#include "backends/backend.h"
#include "base/text.h"

/*
 * Appends the text of the device's canary. A thread stores 42 and loads it: every instance must end
 * in 42. On an ensemble each member has a thread that does this in its own location, and every
 * member that counts must find 42 there. In OPENCL if all members take it, else in PTX.
 */
void canary_add_text(const struct backend_device *device, struct text *text);

#endif
