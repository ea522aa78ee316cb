// SPDX-License-Identifier: Apache-2.0
/* Creates and keeps pipelines. */
#include "backends/vulkan/session.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LOCAL_STEP = 64 /* words: sizes of local memory are rounded up to multiples, so that they share pipelines */ };

VkDescriptorType vulkan_argument_type(uint32_t binding)
{
    return binding == 0 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

VkResult vulkan_layout_create(const struct vulkan_library *library, VkDevice device, uint32_t buffers,
                              struct vulkan_layout *layout)
{
    VkDescriptorSetLayoutBinding *bindings = memory_take(buffers, sizeof *bindings);
    for (uint32_t i = 0; i < buffers; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = vulkan_argument_type(i),
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = buffers, .pBindings = bindings};
    VkResult code = library->vkCreateDescriptorSetLayout(device, &set, NULL, &layout->set);
    free(bindings);
    if (code != VK_SUCCESS)
        return code;
    const VkPipelineLayoutCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &layout->set};
    return library->vkCreatePipelineLayout(device, &pipeline, NULL, &layout->pipeline);
}

void vulkan_layout_release(const struct vulkan_library *library, VkDevice device, struct vulkan_layout *layout)
{
    library->vkDestroyPipelineLayout(device, layout->pipeline, NULL);
    library->vkDestroyDescriptorSetLayout(device, layout->set, NULL);
}

VkResult vulkan_pipelines_open(const struct vulkan_library *library, VkDevice device, const char *code, size_t size,
                               struct vulkan_pipelines *pipelines)
{
    uint32_t *words = memory_take(size / sizeof *words + 1, sizeof *words);
    memcpy(words, code, size);
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size & ~(size_t)3, .pCode = words};
    const VkResult made = library->vkCreateShaderModule(device, &info, NULL, &pipelines->module);
    free(words);
    return made;
}

void vulkan_pipelines_close(const struct vulkan_library *library, VkDevice device, struct vulkan_pipelines *pipelines)
{
    for (size_t i = 0; i < VULKAN_PIPELINES; i++)
        library->vkDestroyPipeline(device, pipelines->kept[i].pipeline, NULL);
    library->vkDestroyShaderModule(device, pipelines->module, NULL);
}

static VkResult create(const struct vulkan_library *library, VkDevice device, const struct vulkan_layout *layout,
                       const struct vulkan_pipelines *pipelines, const uint32_t constants[2], VkPipeline *pipeline)
{
    enum { SIZE = sizeof(uint32_t) };
    static const VkSpecializationMapEntry entries[] = {{0, 0, SIZE}, {1, SIZE, SIZE}, {2, 2 * SIZE, SIZE}};
    const uint32_t values[] = {constants[0], constants[1], layout->uniform_words};
    const VkSpecializationInfo constant = {
        .mapEntryCount = 3, .pMapEntries = entries, .dataSize = sizeof values, .pData = values};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = pipelines->module,
                                                        .pName = "main",
                                                        .pSpecializationInfo = &constant},
                                              .layout = layout->pipeline};
    return library->vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
}

VkResult vulkan_pipelines_find(const struct vulkan_library *library, VkDevice device,
                               const struct vulkan_layout *layout, struct vulkan_pipelines *pipelines,
                               uint32_t group_size, size_t local_words, VkPipeline *pipeline)
{
    const uint32_t constants[2] = {group_size, (uint32_t)(local_words + LOCAL_STEP - 1) / LOCAL_STEP * LOCAL_STEP};
    for (size_t i = 0; i < VULKAN_PIPELINES; i++)
        if (pipelines->kept[i].pipeline && pipelines->kept[i].group_size == constants[0] &&
            pipelines->kept[i].local_words == constants[1]) {
            *pipeline = pipelines->kept[i].pipeline;
            return VK_SUCCESS;
        }
    const VkResult code = create(library, device, layout, pipelines, constants, pipeline);
    if (code != VK_SUCCESS)
        return code;
    const size_t place = pipelines->made++ % VULKAN_PIPELINES;
    library->vkDestroyPipeline(device, pipelines->kept[place].pipeline, NULL);
    pipelines->kept[place].group_size = constants[0];
    pipelines->kept[place].local_words = constants[1];
    pipelines->kept[place].pipeline = *pipeline;
    return VK_SUCCESS;
}
