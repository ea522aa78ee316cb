// SPDX-License-Identifier: Apache-2.0
/* Advice for a test that a device cannot run. */
#pragma once

#include "backends/backend.h"
#include "litmus/litmus.h"

/* Appends a line or two: the equivalent tests of the catalogue in a dialect that the device can run (opencl:MP+relaxed
 * for ptx:MP+relaxed, opencl:LB+ra+wg+01 for ptx:LB+ra+cta+01), and `orchil check`, which needs no device. Nothing if
 * the device can run the test. */
void siblings_add_hint(const struct litmus_test *test, const struct backend_device *device, struct text *text);
