// SPDX-License-Identifier: Apache-2.0
/* Protects the Vulkan backend on a real device; device.c holds the cases. */
#include <stdlib.h>
#include <string.h>

#include "tests/backends/device/device.h"

/* Kernels cannot leave their buffers, so a layer (tests/drivers/failing_vulkan.c) says that the device is lost. */
static bool lose(void)
{
    const char *layers = getenv("VK_INSTANCE_LAYERS");
    return layers && strstr(layers, "VK_LAYER_ORCHIL_failing") && setenv("FAIL_CALL", "vkQueueSubmit", 1) == 0 &&
           setenv("FAIL_AS", "-4", 1) == 0;
}

int main(void)
{
    return device_run("vulkan", lose);
}
