// SPDX-License-Identifier: Apache-2.0
/*
 * Pipelines of a kernel. The size of a work-group and of its local memory are constants of a
 * pipeline, so each pair that launches ask for has one, which is kept.
 */
#ifndef ORCHIL_VULKAN_PIPELINES_H
#define ORCHIL_VULKAN_PIPELINES_H

#include "backends/vulkan/library.h"

/*
 * The arguments of all kernels: so many buffers, bindings 0, 1, ... of set 0. The first one, with the draw, is a uniform
 * buffer of uniform_words: a compiler reads it as constants. A storage buffer it reads again and again between the accesses
 * of a test, with a check of each index; on an H200 a third as many outcomes were weak then. The others are storage buffers.
 */
struct vulkan_layout {
    uint32_t uniform_words;
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
};

VkDescriptorType vulkan_argument_type(uint32_t binding);

/* layout->uniform_words is the caller's. */
VkResult vulkan_layout_create(const struct vulkan_library *library, VkDevice device, uint32_t buffers,
                              struct vulkan_layout *layout);
void vulkan_layout_release(const struct vulkan_library *library, VkDevice device, struct vulkan_layout *layout);

enum { VULKAN_PIPELINES = 32 };

/* Starts as {0}. */
struct vulkan_pipelines {
    VkShaderModule module;
    struct {
        uint32_t group_size, local_words;
        VkPipeline pipeline;
    } kept[VULKAN_PIPELINES];
    size_t made; /* since the start; the oldest one makes room for a new one */
};

/* code: a module of SPIR-V, of whole words. */
VkResult vulkan_pipelines_open(const struct vulkan_library *library, VkDevice device, const char *code, size_t size,
                               struct vulkan_pipelines *pipelines);
void vulkan_pipelines_close(const struct vulkan_library *library, VkDevice device, struct vulkan_pipelines *pipelines);

/* The pipeline for such launches; it stays valid until VULKAN_PIPELINES others were asked for. No
 * launch of the kernel may be running. */
VkResult vulkan_pipelines_find(const struct vulkan_library *library, VkDevice device,
                               const struct vulkan_layout *layout, struct vulkan_pipelines *pipelines,
                               uint32_t group_size, size_t local_words, VkPipeline *pipeline);

#endif
