// SPDX-License-Identifier: Apache-2.0
/* Protects the Vulkan backend on a real device; device.c holds the cases. */
#include "tests/backends/device/device.h"

int main(void)
{
    return device_run("vulkan", device_lose_by_layer);
}
