// SPDX-License-Identifier: Apache-2.0
/* Plays: barriers, timeline semaphores and host waits (Vulkan, "Synchronization and Cache Control"). */
#include "backends/vulkan/play.h"

#include <string.h>

/* ---- what steps have of their own ---- */

static enum status create_step(const struct vulkan_session *session, struct vulkan_play_step *step, struct error *error)
{
    const VkSemaphoreTypeCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                                .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &timeline};
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = session->commands,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    if (!step->recorded)
        VULKAN_CALL(session, vkAllocateCommandBuffers, session->logical, &commands, &step->recorded);
    if (!step->ended)
        VULKAN_CALL(session, vkCreateSemaphore, session->logical, &semaphore, NULL, &step->ended);
    return STATUS_OK;
}

static enum status create_play(const struct vulkan_session *session, struct vulkan_play *play, struct error *error)
{
    VkDescriptorSet sets[BACKEND_MAXIMUM_STEPS];
    if (!play->pool) {
        TRY(vulkan_create_sets(session, BACKEND_MAXIMUM_STEPS, &play->pool, sets, error));
        for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
            play->steps[k].set = sets[k];
    }
    for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
        TRY(create_step(session, &play->steps[k], error));
    return STATUS_OK;
}

void vulkan_play_release(const struct vulkan_session *session, struct vulkan_play *play)
{
    for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++) {
        struct vulkan_play_step *step = &play->steps[k];
        vulkan_buffer_release(&session->memory, &step->draw);
        vulkan_buffer_release(&session->memory, &step->upload);
        session->library.vkDestroySemaphore(session->logical, step->ended, NULL);
        if (step->recorded)
            session->library.vkFreeCommandBuffers(session->logical, session->commands, 1, &step->recorded);
    }
    session->library.vkDestroyDescriptorPool(session->logical, play->pool, NULL);
}

/* ---- a play ---- */

struct playing {
    const struct vulkan_session *session;
    struct vulkan_program *program;
    const struct backend_launch *launch;
    const struct steps_plan *plan;
    VkPipeline pipeline;
};

/* Brings a step's draw to the host's buffer, and makes its set: the program's buffers, but its own draw. */
static enum status prepare_step(const struct playing *playing, unsigned k, struct error *error)
{
    const struct vulkan_session *session = playing->session;
    struct vulkan_play_step *step = &playing->program->play.steps[k];
    const size_t words = playing->launch->draw_words;
    bool created;
    TRY(vulkan_grow(session, session->layout.uniform_words, false, &step->draw, &created, error));
    TRY(vulkan_grow(session, words, true, &step->upload, &created, error));
    if (words > 0)
        memcpy(step->upload.mapped, playing->plan->steps[k].draw, words * sizeof(uint32_t));
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        vulkan_bind(session, step->set, i, i == DRIVER_DRAW ? &step->draw : &playing->program->buffers[i]);
    return STATUS_OK;
}

/* Zeroes, and brings all draws to the device, before the first step. */
static enum status begin(const struct playing *playing, unsigned grown, struct error *error)
{
    const struct vulkan_session *session = playing->session;
    for (unsigned k = 0; k < playing->plan->count; k++)
        TRY(prepare_step(playing, k, error));
    TRY(vulkan_open_commands(session, session->recorded, error));
    vulkan_add_zeroes(session, playing->program, playing->launch, grown);
    for (unsigned k = 0; k < playing->plan->count; k++)
        vulkan_add_copy(session, session->recorded, &playing->program->play.steps[k].upload,
                        &playing->program->play.steps[k].draw, playing->launch->draw_words);
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    TRY(vulkan_close_commands(session, session->recorded, error));
    return vulkan_submit(session, error);
}

/* The semaphores of those steps, and what each reaches; their number. */
static uint32_t list_ends(const struct playing *playing, unsigned steps, VkSemaphore *ends, uint64_t *values)
{
    uint32_t count = 0;
    for (unsigned k = 0; k < playing->plan->count; k++)
        if (steps >> k & 1) {
            ends[count] = playing->program->play.steps[k].ended;
            values[count++] = playing->program->play.plays;
        }
    return count;
}

static enum status wait_by_host(const struct playing *playing, unsigned steps, struct error *error)
{
    VkSemaphore ends[BACKEND_MAXIMUM_STEPS];
    uint64_t values[BACKEND_MAXIMUM_STEPS];
    const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = list_ends(playing, steps, ends, values),
                                      .pSemaphores = ends,
                                      .pValues = values};
    if (steps != 0)
        VULKAN_CALL(playing->session, vkWaitSemaphores, playing->session->logical, &info, UINT64_MAX);
    return STATUS_OK;
}

static enum status submit_step(const struct playing *playing, unsigned k, struct error *error)
{
    static const VkPipelineStageFlags stages[BACKEND_MAXIMUM_STEPS] = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
    const struct vulkan_session *session = playing->session;
    const struct vulkan_play_step *step = &playing->program->play.steps[k];
    VkSemaphore ends[BACKEND_MAXIMUM_STEPS];
    uint64_t values[BACKEND_MAXIMUM_STEPS];
    const uint32_t count = list_ends(playing, steps_after(playing->plan, k, STEPS_EVENT), ends, values);
    const VkTimelineSemaphoreSubmitInfo timeline = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                    .waitSemaphoreValueCount = count,
                                                    .pWaitSemaphoreValues = values,
                                                    .signalSemaphoreValueCount = 1,
                                                    .pSignalSemaphoreValues = &playing->program->play.plays};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timeline,
                               .waitSemaphoreCount = count,
                               .pWaitSemaphores = ends,
                               .pWaitDstStageMask = stages,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &step->recorded,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &step->ended};
    VULKAN_CALL(session, vkQueueSubmit, session->queues[playing->plan->queue[k] % session->queue_count], 1, &info,
                VK_NULL_HANDLE);
    return STATUS_OK;
}

static enum status play_step(const struct playing *playing, unsigned k, struct error *error)
{
    const struct vulkan_session *session = playing->session;
    const struct vulkan_play_step *step = &playing->program->play.steps[k];
    TRY(wait_by_host(playing, steps_after(playing->plan, k, STEPS_HOST), error));
    TRY(vulkan_open_commands(session, step->recorded, error));
    if (steps_after(playing->plan, k, STEPS_BARRIER) != 0)
        vulkan_add_barrier(session, step->recorded, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    vulkan_add_dispatch(session, step->recorded, playing->pipeline, step->set, playing->launch->groups);
    TRY(vulkan_close_commands(session, step->recorded, error));
    return submit_step(playing, k, error);
}

static enum status finish(const struct playing *playing, struct error *error)
{
    const struct vulkan_session *session = playing->session;
    TRY(wait_by_host(playing, (1U << playing->plan->count) - 1, error));
    TRY(vulkan_open_commands(session, session->recorded, error));
    vulkan_add_counters(session, playing->program, playing->launch);
    TRY(vulkan_close_commands(session, session->recorded, error));
    return vulkan_submit(session, error);
}

static enum status run(const struct playing *playing, unsigned grown, struct error *error)
{
    unsigned given = 0;
    TRY(begin(playing, grown, error));
    playing->program->play.plays++;
    while (given != (1U << playing->plan->count) - 1) {
        const unsigned k = steps_next(playing->plan, given);
        TRY(play_step(playing, k, error));
        given |= 1U << k;
    }
    return finish(playing, error);
}

enum status vulkan_run_play(struct vulkan_session *session, struct vulkan_program *program,
                            const struct backend_launch *launch, const struct steps_plan *plan, struct error *error)
{
    struct playing playing = {session, program, launch, plan, VK_NULL_HANDLE};
    unsigned grown;
    if (plan->out_of_order != 0 && plan->queues > session->queue_count)
        return error_set(error, STATUS_UNSUPPORTED,
                         "vulkan:%u (%s) has %u queues that compute; the test's launches need %u",
                         session->device.index, session->device.name, session->queue_count, plan->queues);
    TRY(create_play(session, &program->play, error));
    TRY(vulkan_prepare(session, program, launch, &playing.pipeline, &grown, error));
    const enum status status = run(&playing, grown, error);
    if (status != STATUS_OK) {
        vulkan_forget_grown(program, grown);
        (void)session->library.vkDeviceWaitIdle(session->logical); /* nothing is running when this returns */
    } else if (launch->read_words > 0)
        memcpy(launch->counters, program->download.mapped, launch->read_words * sizeof *launch->counters);
    return status;
}
