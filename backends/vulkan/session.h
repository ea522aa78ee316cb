// SPDX-License-Identifier: Apache-2.0
/* Pipelines of a kernel. The size of a work-group and of its local memory are constants of a pipeline, so each pair
 * that launches ask for has one, which is kept. */

/* A session, its programs, and what a launch and a play share. */
#pragma once

#include "backends/cuda/nvml.h"
#include "backends/driver.h"
#include "backends/steps.h"
#include "backends/vulkan/library.h"

/* The arguments of all kernels: so many buffers, bindings 0, 1, ... of set 0. The first one, with the draw, is a
 * uniform buffer of uniform_words: a compiler reads it as constants. A storage buffer it reads again and again between
 * the accesses of a test, with a check of each index; on an H200 a third as many outcomes were weak then. The others
 * are storage buffers. */
struct vulkan_layout {
    uint32_t uniform_words;
    uint32_t clock_step; /* nanoseconds between two counts of the clock; 0: there is none */
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
};

/* layout->uniform_words and clock_step are the caller's. */
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

/* ---- buffers and their memory ---- */

/* Words in memory of their own. Starts as {0}. */
struct vulkan_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    size_t words;
    uint32_t *mapped;        /* the host's address, if the host reaches it */
    VkDeviceAddress address; /* the device's, if its kernels have pointers */
};

/* What a buffer is created on. */
struct vulkan_memory {
    const struct vulkan_library *library;
    VkDevice device;
    bool pointers; /* buffers have addresses */
    VkPhysicalDeviceMemoryProperties types;
};

void vulkan_buffer_release(const struct vulkan_memory *memory, struct vulkan_buffer *buffer);

struct vulkan_session {
    struct vulkan_library library;
    struct backend_device device;
    struct nvml_device nvml; /* of an NVIDIA GPU */
    struct vulkan_memory memory;
    VkPhysicalDevice physical;
    uint32_t most_groups; /* of a launch */
    VkDevice logical;
    uint32_t family, queue_count;
    VkQueue queues[BACKEND_MAXIMUM_STEPS]; /* of that family; the first one takes all but the steps of plays */
    VkCommandPool commands;
    VkCommandBuffer recorded;
    VkFence ended;
    struct vulkan_layout layout;
};

/* What the steps of plays have of their own. The first play creates it. */
struct vulkan_play {
    struct vulkan_play_step {
        struct vulkan_buffer draw, upload;
        VkDescriptorSet set;
        VkCommandBuffer recorded;
        VkSemaphore ended; /* a timeline: reaches `plays` when this step of the last play has ended */
    } steps[BACKEND_MAXIMUM_STEPS];
    VkDescriptorPool pool;
    uint64_t plays; /* so far */
};

struct vulkan_program {
    struct text code; /* the SPIR-V that its pipelines are made of */
    struct vulkan_pipelines pipelines;
    struct vulkan_buffer buffers[DRIVER_BUFFERS];
    struct vulkan_buffer upload, download; /* the draw on its way to the device; the counters on theirs back */
    VkDescriptorPool pool;
    VkDescriptorSet set;
    struct vulkan_play play;
};

/* Returns from the function if a call of the driver fails. */
#define VULKAN_CALL(session, function, ...)                                                                            \
    do {                                                                                                               \
        const VkResult call_code = (session)->library.function(__VA_ARGS__);                                           \
        if (call_code != VK_SUCCESS)                                                                                   \
            return vulkan_call_failed(&(session)->device, #function, call_code, error);                                \
    } while (0)

/* Makes `count` sets of a kernel's arguments, and the pool that they are from. */
enum status vulkan_create_sets(const struct vulkan_session *session, uint32_t count, VkDescriptorPool *pool,
                               VkDescriptorSet *sets, struct error *error);

/* ---- commands; a buffer of them is opened, filled, closed and submitted ---- */

/* ---- launches ---- */

/* Runs the kernel once and waits for it. */
enum status vulkan_launch(struct vulkan_session *session, struct vulkan_program *program,
                          const struct backend_launch *launch, struct error *error);

/* What Vulkan has for edges. Nothing orders the launches of a queue by itself, so there is no edge QUEUE. BARRIER:
 * vkCmdPipelineBarrier, before the later launch, in the same queue. EVENT: a timeline semaphore. HOST: the host waits
 * for that semaphore before it submits the later launch. */
enum { VULKAN_EDGES = STEPS_BESIDE | STEPS_BARRIER | STEPS_EVENT | STEPS_HOST };

/* Runs the launch once for each step of the plan, and waits for all. UNSUPPORTED if a barrier would order launches of
 * several queues of the plan, because the device has too few. */
enum status vulkan_run_play(struct vulkan_session *session, struct vulkan_program *program,
                            const struct backend_launch *launch, const struct steps_plan *plan, struct error *error);

void vulkan_play_release(const struct vulkan_session *session, struct vulkan_play *play);
