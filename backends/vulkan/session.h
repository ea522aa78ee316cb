// SPDX-License-Identifier: Apache-2.0
/* A session, its programs, and what a launch and a play share. */
#ifndef ORCHIL_VULKAN_SESSION_H
#define ORCHIL_VULKAN_SESSION_H

#include "backends/cuda/nvml.h"
#include "backends/driver.h"
#include "backends/vulkan/buffers.h"
#include "backends/vulkan/pipelines.h"
#include "base/text.h"

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

/* Reports a failed call of the driver. */
enum status vulkan_failed(const struct vulkan_session *session, const char *call, VkResult code, struct error *error);

/* Returns from the function if a call of the driver fails. */
#define VULKAN_CALL(session, function, ...)                                                                            \
    do {                                                                                                               \
        const VkResult call_code = (session)->library.function(__VA_ARGS__);                                           \
        if (call_code != VK_SUCCESS)                                                                                   \
            return vulkan_failed(session, #function, call_code, error);                                                \
    } while (0)

/* Makes `count` sets of a kernel's arguments, and the pool that they are from. */
enum status vulkan_create_sets(const struct vulkan_session *session, uint32_t count, VkDescriptorPool *pool,
                               VkDescriptorSet *sets, struct error *error);

/* Makes a buffer an argument of the kernel, the one of that number. */
void vulkan_bind(const struct vulkan_session *session, VkDescriptorSet set, enum driver_buffer which,
                 const struct vulkan_buffer *buffer);

/* Makes a buffer large enough; its contents are then undefined. *created: whether it is a new one. */
enum status vulkan_grow(const struct vulkan_session *session, size_t words, bool host, struct vulkan_buffer *buffer,
                        bool *created, struct error *error);

/* ---- commands; a buffer of them is opened, filled, closed and submitted ---- */

enum status vulkan_open_commands(const struct vulkan_session *session, VkCommandBuffer commands, struct error *error);
enum status vulkan_close_commands(const struct vulkan_session *session, VkCommandBuffer commands, struct error *error);

/* All accesses of the first stages come before all of the second. */
void vulkan_add_barrier(const struct vulkan_session *session, VkCommandBuffer commands, VkPipelineStageFlags from,
                        VkPipelineStageFlags to);
void vulkan_add_copy(const struct vulkan_session *session, VkCommandBuffer commands, const struct vulkan_buffer *from,
                     const struct vulkan_buffer *to, size_t words);
void vulkan_add_dispatch(const struct vulkan_session *session, VkCommandBuffer commands, VkPipeline pipeline,
                         VkDescriptorSet set, uint32_t groups);

/* Submits session->recorded and waits for its end. */
enum status vulkan_submit(const struct vulkan_session *session, struct error *error);

/* ---- launches ---- */

/* The pipeline of a launch, and room for its buffers. *grown: bit k if the program's buffer k is a new
 * one. After a failure nothing is grown. */
enum status vulkan_prepare(struct vulkan_session *session, struct vulkan_program *program,
                           const struct backend_launch *launch, VkPipeline *pipeline, unsigned *grown,
                           struct error *error);

/* Adds what zeroes new buffers and, if the launch asks for it, the counters; and what brings its
 * counters to program->download. */
void vulkan_add_zeroes(const struct vulkan_session *session, const struct vulkan_program *program,
                       const struct backend_launch *launch, unsigned grown);
void vulkan_add_counters(const struct vulkan_session *session, const struct vulkan_program *program,
                         const struct backend_launch *launch);

/* Forgets new buffers, which were not zeroed: the next launch creates them again. */
void vulkan_forget_grown(struct vulkan_program *program, unsigned grown);

/* Runs the kernel once and waits for it. */
enum status vulkan_launch(struct vulkan_session *session, struct vulkan_program *program,
                          const struct backend_launch *launch, struct error *error);

#endif
