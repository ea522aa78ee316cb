// SPDX-License-Identifier: Apache-2.0
/* Protects the WebGPU backend on a real device, with the library that ORCHIL_WEBGPU names; device.c holds the cases. */
#include "tests/backends/device/device.h"

int main(void)
{
    return device_run("webgpu", device_lose_by_layer);
}
