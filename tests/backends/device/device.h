// SPDX-License-Identifier: Apache-2.0
/* The tests that every real device must pass. */
#pragma once

#include <stdbool.h>

/* Tests the named backend's first usable device against the contract of backend.h; returns 77, with the reason printed,
 * without a device. lose: makes the next launch report a lost device; false if nothing here can. NULL: a kernel that
 * writes far from all buffers loses it. device_lose_by_layer is for kernels that cannot leave their buffers: a layer of
 * Vulkan (tests/drivers/failing_vulkan.c) says that the device is lost. */
bool device_lose_by_layer(void);
int device_run(const char *name, bool (*lose)(void));
