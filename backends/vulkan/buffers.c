// SPDX-License-Identifier: Apache-2.0
/* Creates buffers, each in memory of its own. */
#include "backends/vulkan/session.h"

/* The first type of memory with these properties that the buffer may be in, or -1. */
static int find_type(const struct vulkan_memory *memory, uint32_t allowed, VkMemoryPropertyFlags properties)
{
    for (uint32_t i = 0; i < memory->types.memoryTypeCount; i++)
        if (allowed >> i & 1 && (memory->types.memoryTypes[i].propertyFlags & properties) == properties)
            return (int)i;
    return -1;
}

static VkResult give_memory(const struct vulkan_memory *memory, bool host, struct vulkan_buffer *buffer,
                            const char **call)
{
    VkMemoryRequirements needs;
    *call = "vkAllocateMemory";
    memory->library->vkGetBufferMemoryRequirements(memory->device, buffer->buffer, &needs);
    const int type = find_type(memory, needs.memoryTypeBits,
                               host ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
                                    : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (type < 0)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = (uint32_t)type};
    const VkResult code = memory->library->vkAllocateMemory(memory->device, &info, NULL, &buffer->memory);
    if (code != VK_SUCCESS)
        return code;
    *call = "vkBindBufferMemory";
    return memory->library->vkBindBufferMemory(memory->device, buffer->buffer, buffer->memory, 0);
}

static VkResult map(const struct vulkan_memory *memory, struct vulkan_buffer *buffer, const char **call)
{
    void *mapped = NULL;
    *call = "vkMapMemory";
    const VkResult code = memory->library->vkMapMemory(memory->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    buffer->mapped = mapped;
    return code;
}

VkResult vulkan_buffer_create(const struct vulkan_memory *memory, size_t words, bool host, struct vulkan_buffer *buffer,
                              const char **call)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = words * sizeof(uint32_t),
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    *call = "vkCreateBuffer";
    VkResult code = memory->library->vkCreateBuffer(memory->device, &info, NULL, &buffer->buffer);
    if (code == VK_SUCCESS)
        code = give_memory(memory, host, buffer, call);
    if (code == VK_SUCCESS && host)
        code = map(memory, buffer, call);
    if (code == VK_SUCCESS)
        buffer->words = words;
    return code;
}

void vulkan_buffer_release(const struct vulkan_memory *memory, struct vulkan_buffer *buffer)
{
    memory->library->vkDestroyBuffer(memory->device, buffer->buffer, NULL);
    memory->library->vkFreeMemory(memory->device, buffer->memory, NULL);
    *buffer = (struct vulkan_buffer){0};
}
