// SPDX-License-Identifier: Apache-2.0
/* A launch: buffers, commands, and the wait for their end. */
#include <string.h>

#include "backends/vulkan/session.h"

enum status vulkan_failed(const struct vulkan_session *session, const char *call, VkResult code, struct error *error)
{
    return vulkan_call_failed(&session->device, call, code, error);
}

/* ---- arguments ---- */

enum status vulkan_create_sets(const struct vulkan_session *session, uint32_t count, VkDescriptorPool *pool,
                               VkDescriptorSet *sets, struct error *error)
{
    VkDescriptorSetLayout layouts[BACKEND_MAXIMUM_STEPS];
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, count},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count * (DRIVER_BUFFERS - 1)}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = count,
                                             .poolSizeCount = sizeof sizes / sizeof *sizes,
                                             .pPoolSizes = sizes};
    for (uint32_t i = 0; i < count; i++)
        layouts[i] = session->layout.set;
    VULKAN_CALL(session, vkCreateDescriptorPool, session->logical, &info, NULL, pool);
    const VkDescriptorSetAllocateInfo all = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = *pool,
                                             .descriptorSetCount = count,
                                             .pSetLayouts = layouts};
    VULKAN_CALL(session, vkAllocateDescriptorSets, session->logical, &all, sets);
    return STATUS_OK;
}

void vulkan_bind(const struct vulkan_session *session, VkDescriptorSet set, enum driver_buffer which,
                 const struct vulkan_buffer *buffer)
{
    const VkDescriptorBufferInfo info = {buffer->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = which,
                                        .descriptorCount = 1,
                                        .descriptorType = vulkan_argument_type(which),
                                        .pBufferInfo = &info};
    session->library.vkUpdateDescriptorSets(session->logical, 1, &write, 0, NULL);
}

/* Reports the driver's own error: the caller says whose buffer it was. */
static VkResult grow(const struct vulkan_session *session, size_t words, bool host, struct vulkan_buffer *buffer,
                     bool *created, const char **call)
{
    *created = words > buffer->words;
    if (!*created)
        return VK_SUCCESS;
    vulkan_buffer_release(&session->memory, buffer);
    const VkResult code = vulkan_buffer_create(&session->memory, words, host, buffer, call);
    if (code != VK_SUCCESS)
        vulkan_buffer_release(&session->memory, buffer);
    return code;
}

enum status vulkan_grow(const struct vulkan_session *session, size_t words, bool host, struct vulkan_buffer *buffer,
                        bool *created, struct error *error)
{
    const char *call = "";
    const VkResult code = grow(session, words, host, buffer, created, &call);
    return code == VK_SUCCESS ? STATUS_OK : vulkan_failed(session, call, code, error);
}

static enum status grow_buffers(struct vulkan_session *session, struct vulkan_program *program,
                                const struct backend_launch *launch, unsigned *grown, struct error *error)
{
    size_t words[DRIVER_BUFFERS];
    bool created;
    const char *call;
    TRY(driver_buffer_words(launch, words, error));
    words[DRIVER_DRAW] = session->layout.uniform_words;
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++) {
        const VkResult code = grow(session, words[i], false, &program->buffers[i], &created, &call);
        if (code != VK_SUCCESS)
            return driver_buffer_refused(&session->device, i, words[i], vulkan_error_name(code), error);
        if (created)
            vulkan_bind(session, program->set, i, &program->buffers[i]);
        *grown |= (unsigned)created << i;
    }
    TRY(vulkan_grow(session, launch->draw_words, true, &program->upload, &created, error));
    return vulkan_grow(session, launch->read_words, true, &program->download, &created, error);
}

/* ---- commands ---- */

enum status vulkan_open_commands(const struct vulkan_session *session, VkCommandBuffer commands, struct error *error)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VULKAN_CALL(session, vkBeginCommandBuffer, commands, &begin);
    return STATUS_OK;
}

enum status vulkan_close_commands(const struct vulkan_session *session, VkCommandBuffer commands, struct error *error)
{
    VULKAN_CALL(session, vkEndCommandBuffer, commands);
    return STATUS_OK;
}

void vulkan_add_barrier(const struct vulkan_session *session, VkCommandBuffer commands, VkPipelineStageFlags from,
                        VkPipelineStageFlags to)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    session->library.vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void vulkan_add_copy(const struct vulkan_session *session, VkCommandBuffer commands, const struct vulkan_buffer *from,
                     const struct vulkan_buffer *to, size_t words)
{
    const VkBufferCopy all = {.size = words * sizeof(uint32_t)};
    if (words > 0)
        session->library.vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, &all);
}

void vulkan_add_dispatch(const struct vulkan_session *session, VkCommandBuffer commands, VkPipeline pipeline,
                         VkDescriptorSet set, uint32_t groups)
{
    const struct vulkan_library *library = &session->library;
    library->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    library->vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, session->layout.pipeline, 0, 1, &set, 0,
                                     NULL);
    library->vkCmdDispatch(commands, groups, 1, 1);
}

enum status vulkan_submit(const struct vulkan_session *session, struct error *error)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &session->recorded};
    VULKAN_CALL(session, vkQueueSubmit, session->queues[0], 1, &info, session->ended);
    VULKAN_CALL(session, vkWaitForFences, session->logical, 1, &session->ended, VK_TRUE, UINT64_MAX);
    VULKAN_CALL(session, vkResetFences, session->logical, 1, &session->ended);
    return STATUS_OK;
}

/* ---- launches ---- */

/* Vulkan gives a launch beyond its limits no meaning. */
static enum status check_launch(const struct vulkan_session *session, const struct backend_launch *launch,
                                struct error *error)
{
    const char *why = launch->group_size > session->device.max_group_size ? "the device has no work-groups of that size"
                      : launch->local_bytes > session->device.local_bytes ? "the device has less local memory"
                      : launch->groups > session->most_groups             ? "the device takes fewer work-groups"
                      : launch->draw_words > session->layout.uniform_words
                          ? "the device's uniform buffers hold fewer words than the draw of so many work-groups has"
                          : NULL;
    return why ? driver_call_failed(&session->device, "vkCmdDispatch", why, NULL, error) : STATUS_OK;
}

enum status vulkan_prepare(struct vulkan_session *session, struct vulkan_program *program,
                           const struct backend_launch *launch, VkPipeline *pipeline, unsigned *grown,
                           struct error *error)
{
    *grown = 0;
    TRY(check_launch(session, launch, error));
    const VkResult code =
        vulkan_pipelines_find(&session->library, session->logical, &session->layout, &program->pipelines,
                              launch->group_size, launch->local_bytes / sizeof(uint32_t), pipeline);
    if (code != VK_SUCCESS)
        return vulkan_failed(session, "vkCreateComputePipelines", code, error);
    const enum status status = grow_buffers(session, program, launch, grown, error);
    if (status != STATUS_OK)
        vulkan_forget_grown(program, *grown);
    return status;
}

void vulkan_forget_grown(struct vulkan_program *program, unsigned grown)
{
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        if (grown >> i & 1)
            program->buffers[i].words = 0;
}

void vulkan_add_zeroes(const struct vulkan_session *session, const struct vulkan_program *program,
                       const struct backend_launch *launch, unsigned grown)
{
    const unsigned zeroed = grown | (unsigned)launch->clear_counters << DRIVER_COUNTERS;
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        if (zeroed >> i & 1)
            session->library.vkCmdFillBuffer(session->recorded, program->buffers[i].buffer, 0, VK_WHOLE_SIZE, 0);
    if (zeroed >> DRIVER_DRAW & 1)
        vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
}

void vulkan_add_counters(const struct vulkan_session *session, const struct vulkan_program *program,
                         const struct backend_launch *launch)
{
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT);
    vulkan_add_copy(session, session->recorded, &program->buffers[DRIVER_COUNTERS], &program->download,
                    launch->read_words);
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT);
}

static enum status run(const struct vulkan_session *session, const struct vulkan_program *program,
                       const struct backend_launch *launch, VkPipeline pipeline, unsigned grown, struct error *error)
{
    TRY(vulkan_open_commands(session, session->recorded, error));
    vulkan_add_zeroes(session, program, launch, grown);
    if (launch->draw_words > 0)
        memcpy(program->upload.mapped, launch->draw, launch->draw_words * sizeof *launch->draw);
    vulkan_add_copy(session, session->recorded, &program->upload, &program->buffers[DRIVER_DRAW], launch->draw_words);
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    vulkan_add_dispatch(session, session->recorded, pipeline, program->set, launch->groups);
    vulkan_add_counters(session, program, launch);
    TRY(vulkan_close_commands(session, session->recorded, error));
    return vulkan_submit(session, error);
}

enum status vulkan_launch(struct vulkan_session *session, struct vulkan_program *program,
                          const struct backend_launch *launch, struct error *error)
{
    unsigned grown;
    VkPipeline pipeline;
    TRY(vulkan_prepare(session, program, launch, &pipeline, &grown, error));
    const enum status status = run(session, program, launch, pipeline, grown, error);
    if (status != STATUS_OK)
        vulkan_forget_grown(program, grown);
    else if (launch->read_words > 0)
        memcpy(launch->counters, program->download.mapped, launch->read_words * sizeof *launch->counters);
    return status;
}
