// SPDX-License-Identifier: Apache-2.0
/* Devices with the memory model of Vulkan 1.2, through libvulkan. */
#ifndef ORCHIL_VULKAN_VULKAN_H
#define ORCHIL_VULKAN_VULKAN_H

#include "backends/backend.h"

extern const struct backend vulkan_backend;

void vulkan_explain(struct text *text);

#endif
