// SPDX-License-Identifier: Apache-2.0
/* The devices of all Vulkan drivers, and what each promises. */
#ifndef ORCHIL_VULKAN_DEVICES_H
#define ORCHIL_VULKAN_DEVICES_H

#include <stdbool.h>

#include "backends/backend.h"
#include "backends/vulkan/library.h"
#include "base/status.h"

/* Finds the physical devices, which are the instance's. NO_DEVICE if there are none. The caller
 * frees *devices with free(). */
enum status vulkan_find_devices(const struct vulkan_library *library, VkPhysicalDevice **devices, uint32_t *count,
                                struct error *error);

/* Describes a device. One that lacks what every kernel needs takes none, and its `compiler` says what
 * is missing. */
void vulkan_describe(const struct vulkan_library *library, VkPhysicalDevice physical, unsigned index,
                     struct backend_device *device);

/* The features that kernels use, to be enabled: vulkan_link_features makes one list of the structures. */
struct vulkan_features {
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan11Features since_1_1;
    VkPhysicalDeviceVulkan12Features since_1_2;
};
void vulkan_read_features(const struct vulkan_library *library, VkPhysicalDevice physical,
                          struct vulkan_features *features);
const VkPhysicalDeviceFeatures2 *vulkan_link_features(struct vulkan_features *features);

/* The most work-groups of a launch. */
uint32_t vulkan_most_groups(const struct vulkan_library *library, VkPhysicalDevice physical);

/* Words of the uniform buffer with a kernel's draw. */
uint32_t vulkan_uniform_words(const struct vulkan_library *library, VkPhysicalDevice physical);

/* The first family of queues that computes, and the number of its queues; -1 if there is none. */
int vulkan_find_family(const struct vulkan_library *library, VkPhysicalDevice physical, uint32_t *queues);

#endif
