// SPDX-License-Identifier: Apache-2.0
/* The Vulkan loader, opened at run time: the functions that orchil uses, by their own names. Never linked. */
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "backends/backend.h"
#include "backends/vulkan/library_lists.h"

struct vulkan_library {
    void *handle;
    VkInstance instance;
    uint32_t version; /* of the loader: VK_API_VERSION_1_2 or later */
#define VULKAN_MEMBER(function) PFN_##function function;
    VULKAN_FUNCTIONS(VULKAN_MEMBER)
};

/* Opens libvulkan.so.1 and creates an instance. NO_DEVICE, with what to install, if there is no loader or no driver.
 * The loader stays loaded until the process ends, because drivers keep threads that run its code. vulkan_library_close
 * destroys the instance; it takes what a failed open left. */
enum status vulkan_library_open(struct vulkan_library *library, struct error *error);
void vulkan_library_close(struct vulkan_library *library);

/* The name of a result, as the headers spell it; "an unknown Vulkan error" for others. */
const char *vulkan_error_name(VkResult code);

/* Reports a failed call of a driver; DEVICE_LOST if that is what the code says. */
enum status vulkan_call_failed(const struct backend_device *device, const char *call, VkResult code,
                               struct error *error);
