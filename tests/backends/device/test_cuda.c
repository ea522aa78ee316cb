// SPDX-License-Identifier: Apache-2.0
/* Protects the CUDA backend on a real device; device.c holds the cases. */
#include <stddef.h>

#include "tests/backends/device/device.h"

int main(void)
{
    return device_run("cuda", NULL);
}
