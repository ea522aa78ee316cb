// SPDX-License-Identifier: Apache-2.0
/* Buffers and their memory. */
#ifndef ORCHIL_VULKAN_BUFFERS_H
#define ORCHIL_VULKAN_BUFFERS_H

#include "backends/vulkan/library.h"

/* Words in memory of their own. Starts as {0}. */
struct vulkan_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    size_t words;
    uint32_t *mapped; /* the host's address, if the host reaches it */
};

/* What a buffer is created on. */
struct vulkan_memory {
    const struct vulkan_library *library;
    VkDevice device;
    VkPhysicalDeviceMemoryProperties types;
};

/* Creates a buffer of that many words, whose contents are undefined: on the device or, if `host`, in
 * memory that the host reaches without flushes. The caller releases it, whatever the result. *call: the
 * last call that was made, which is the one that failed. */
VkResult vulkan_buffer_create(const struct vulkan_memory *memory, size_t words, bool host, struct vulkan_buffer *buffer,
                              const char **call);
void vulkan_buffer_release(const struct vulkan_memory *memory, struct vulkan_buffer *buffer);

#endif
