// SPDX-License-Identifier: Apache-2.0
/* Protects the HIP backend on a real device, or on tests/drivers/hip; device.c holds the cases. */
#include <stddef.h>

#include "tests/backends/device/device.h"

int main(void)
{
    return device_run("hip", NULL);
}
