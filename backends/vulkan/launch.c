// SPDX-License-Identifier: Apache-2.0
/* Launches, one or several with edges between them: buffers, pipelines, commands, and the wait for their end. */
#include "backends/vulkan/session.h"

/* ---- buffers ---- */

/* The first type of memory with these properties that the buffer may be in, or -1. */
static int find_type(const struct vulkan_memory *memory, uint32_t allowed, VkMemoryPropertyFlags properties)
{
    for (uint32_t i = 0; i < memory->types.memoryTypeCount; i++)
        if (allowed >> i & 1 && (memory->types.memoryTypes[i].propertyFlags & properties) == properties)
            return (int)i;
    return -1;
}

/* Bytes of a large page of NVIDIA's GPUs. With memory in whole pages, 13 of 14 tests showed up to 15 % more weak
 * outcomes per second on an H200. */
enum { LARGE_PAGE = 2 << 20 };

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
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkDeviceSize page = needs.size < LARGE_PAGE ? 1 : LARGE_PAGE;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = memory->pointers ? &flags : NULL,
                                       .allocationSize = (needs.size + page - 1) / page * page,
                                       .memoryTypeIndex = (uint32_t)type};
    const VkResult code = memory->library->vkAllocateMemory(memory->device, &info, NULL, &buffer->memory);
    if (code != VK_SUCCESS)
        return code;
    *call = "vkBindBufferMemory";
    return memory->library->vkBindBufferMemory(memory->device, buffer->buffer, buffer->memory, 0);
}

static VkDeviceAddress find_address(const struct vulkan_memory *memory, VkBuffer buffer)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return memory->pointers ? memory->library->vkGetBufferDeviceAddress(memory->device, &info) : 0;
}

static VkResult map(const struct vulkan_memory *memory, struct vulkan_buffer *buffer, const char **call)
{
    void *mapped = NULL;
    *call = "vkMapMemory";
    const VkResult code = memory->library->vkMapMemory(memory->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    buffer->mapped = mapped;
    return code;
}

/* Creates a buffer of that many words, whose contents are undefined: on the device or, if `host`, in memory that the
 * host reaches without flushes. The caller releases it, whatever the result. *call: the last call that was made, which
 * is the one that failed. */
static VkResult vulkan_buffer_create(const struct vulkan_memory *memory, size_t words, bool host,
                                     struct vulkan_buffer *buffer, const char **call)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = words * sizeof(uint32_t),
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              (memory->pointers ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0)};
    *call = "vkCreateBuffer";
    VkResult code = memory->library->vkCreateBuffer(memory->device, &info, NULL, &buffer->buffer);
    if (code == VK_SUCCESS)
        code = give_memory(memory, host, buffer, call);
    if (code == VK_SUCCESS && host)
        code = map(memory, buffer, call);
    if (code == VK_SUCCESS) {
        buffer->words = words;
        buffer->address = find_address(memory, buffer->buffer);
    }
    return code;
}

void vulkan_buffer_release(const struct vulkan_memory *memory, struct vulkan_buffer *buffer)
{
    memory->library->vkDestroyBuffer(memory->device, buffer->buffer, NULL);
    memory->library->vkFreeMemory(memory->device, buffer->memory, NULL);
    *buffer = (struct vulkan_buffer){0};
}

/* ---- pipelines ---- */

static VkDescriptorType vulkan_argument_type(uint32_t binding)
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
    const VkPushConstantRange address = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(VkDeviceAddress)};
    const VkPipelineLayoutCreateInfo pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .setLayoutCount = 1,
                                                 .pSetLayouts = &layout->set,
                                                 .pushConstantRangeCount = 1,
                                                 .pPushConstantRanges = &address};
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
    FREED uint32_t *words = memory_take(size / sizeof *words + 1, sizeof *words);
    memcpy(words, code, size);
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size & ~(size_t)3, .pCode = words};
    const VkResult made = library->vkCreateShaderModule(device, &info, NULL, &pipelines->module);
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
    static const VkSpecializationMapEntry entries[] = {
        {0, 0, SIZE}, {1, SIZE, SIZE}, {2, 2 * SIZE, SIZE}, {3, 3 * SIZE, SIZE}};
    const uint32_t values[] = {constants[0], constants[1], layout->uniform_words, layout->clock_step};
    const VkSpecializationInfo constant = {
        .mapEntryCount = COUNT(entries), .pMapEntries = entries, .dataSize = sizeof values, .pData = values};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = pipelines->module,
                                                        .pName = "main",
                                                        .pSpecializationInfo = &constant},
                                              .layout = layout->pipeline};
    return library->vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
}

/* The pipeline for such launches; it stays valid until VULKAN_PIPELINES others were asked for. No launch of the kernel
 * may be running. */
static VkResult vulkan_pipelines_find(const struct vulkan_library *library, VkDevice device,
                                      const struct vulkan_layout *layout, struct vulkan_pipelines *pipelines,
                                      uint32_t group_size, size_t local_bytes, VkPipeline *pipeline)
{
    const uint32_t constants[2] = {group_size, driver_local_words(local_bytes)};
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

/* ---- launches ---- */

/* ---- arguments ---- */

enum status vulkan_create_sets(const struct vulkan_session *session, uint32_t count, VkDescriptorPool *pool,
                               VkDescriptorSet *sets, struct error *error)
{
    VkDescriptorSetLayout layouts[BACKEND_MAXIMUM_STEPS];
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, count},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count * (DRIVER_BUFFERS - 1)}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = count,
                                             .poolSizeCount = COUNT(sizes),
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

/* Makes a buffer an argument of the kernel, the one of that number. */
static void vulkan_bind(const struct vulkan_session *session, VkDescriptorSet set, enum driver_buffer which,
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

/* Makes a buffer large enough; its contents are then undefined. *created: whether it is a new one. */
static enum status vulkan_grow(const struct vulkan_session *session, size_t words, bool host,
                               struct vulkan_buffer *buffer, bool *created, struct error *error)
{
    const char *call = "";
    const VkResult code = grow(session, words, host, buffer, created, &call);
    return code == VK_SUCCESS ? STATUS_OK : vulkan_call_failed(&session->device, call, code, error);
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

static enum status vulkan_open_commands(const struct vulkan_session *session, VkCommandBuffer commands,
                                        struct error *error)
{
    const VkCommandBufferBeginInfo launch_begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                   .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VULKAN_CALL(session, vkBeginCommandBuffer, commands, &launch_begin);
    return STATUS_OK;
}

static enum status vulkan_close_commands(const struct vulkan_session *session, VkCommandBuffer commands,
                                         struct error *error)
{
    VULKAN_CALL(session, vkEndCommandBuffer, commands);
    return STATUS_OK;
}

/* All accesses of the first stages come before all of the second. */
static void vulkan_add_barrier(const struct vulkan_session *session, VkCommandBuffer commands,
                               VkPipelineStageFlags from, VkPipelineStageFlags to)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    session->library.vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void vulkan_add_copy(const struct vulkan_session *session, VkCommandBuffer commands,
                            const struct vulkan_buffer *from, const struct vulkan_buffer *to, size_t words)
{
    const VkBufferCopy all = {.size = words * sizeof(uint32_t)};
    if (words > 0)
        session->library.vkCmdCopyBuffer(commands, from->buffer, to->buffer, 1, &all);
}

static void vulkan_add_dispatch(const struct vulkan_session *session, VkCommandBuffer commands, VkPipeline pipeline,
                                VkDescriptorSet set, const struct vulkan_program *program, uint32_t groups)
{
    const struct vulkan_library *library = &session->library;
    const VkDeviceAddress memory = program->buffers[DRIVER_MEMORY].address;
    library->vkCmdPushConstants(commands, session->layout.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof memory,
                                &memory);
    library->vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    library->vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, session->layout.pipeline, 0, 1, &set, 0,
                                     NULL);
    library->vkCmdDispatch(commands, groups, 1, 1);
}

/* Submits session->recorded and waits for its end. */
static enum status vulkan_submit(const struct vulkan_session *session, struct error *error)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &session->recorded};
    VULKAN_CALL(session, vkQueueSubmit, session->queues[0], 1, &info, session->ended);
    VULKAN_CALL(session, vkWaitForFences, session->logical, 1, &session->ended, VK_TRUE, UINT64_MAX);
    VULKAN_CALL(session, vkResetFences, session->logical, 1, &session->ended);
    return STATUS_OK;
}

/* ---- launches ---- */

/* Forgets new buffers, which were not zeroed: the next launch creates them again. */
static void vulkan_forget_grown(struct vulkan_program *program, unsigned grown)
{
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        if (grown >> i & 1)
            program->buffers[i].words = 0;
}

/* The pipeline of a launch, and room for its buffers. *grown: bit k if the program's buffer k is a new one. After a
 * failure nothing is grown. */
static enum status vulkan_prepare(struct vulkan_session *session, struct vulkan_program *program,
                                  const struct backend_launch *launch, VkPipeline *pipeline, unsigned *grown,
                                  struct error *error)
{
    *grown = 0;
    const char *why = driver_refuses_launch(&session->device, launch, session->most_groups);
    if (!why && launch->draw_words > session->layout.uniform_words)
        why = "the device's uniform buffers hold fewer words than a draw of this many work-groups needs";
    if (why)
        return driver_call_failed(&session->device, "vkCmdDispatch", why, NULL, error);
    const VkResult code = vulkan_pipelines_find(&session->library, session->logical, &session->layout,
                                                &program->pipelines, launch->group_size, launch->local_bytes, pipeline);
    if (code != VK_SUCCESS)
        return vulkan_call_failed(&session->device, "vkCreateComputePipelines", code, error);
    const enum status status = grow_buffers(session, program, launch, grown, error);
    if (status != STATUS_OK)
        vulkan_forget_grown(program, *grown);
    return status;
}

/* Adds what zeroes new buffers and, if the launch asks for it, the counters; and what brings its counters to
 * program->download. */
static void vulkan_add_zeroes(const struct vulkan_session *session, const struct vulkan_program *program,
                              const struct backend_launch *launch, unsigned grown)
{
    const unsigned zeroed = grown | (unsigned)launch->clear_counters << DRIVER_COUNTERS;
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        if (zeroed >> i & 1)
            session->library.vkCmdFillBuffer(session->recorded, program->buffers[i].buffer, 0, VK_WHOLE_SIZE, 0);
    if (zeroed >> DRIVER_DRAW & 1)
        vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
}

static void vulkan_add_counters(const struct vulkan_session *session, const struct vulkan_program *program,
                                const struct backend_launch *launch)
{
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT);
    vulkan_add_copy(session, session->recorded, &program->buffers[DRIVER_COUNTERS], &program->download,
                    launch->read_words);
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT);
}

static enum status launch_run(const struct vulkan_session *session, const struct vulkan_program *program,
                              const struct backend_launch *launch, VkPipeline pipeline, unsigned grown,
                              struct error *error)
{
    TRY(vulkan_open_commands(session, session->recorded, error));
    vulkan_add_zeroes(session, program, launch, grown);
    if (launch->draw_words > 0)
        memcpy(program->upload.mapped, launch->draw, launch->draw_words * sizeof *launch->draw);
    vulkan_add_copy(session, session->recorded, &program->upload, &program->buffers[DRIVER_DRAW], launch->draw_words);
    vulkan_add_barrier(session, session->recorded, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    vulkan_add_dispatch(session, session->recorded, pipeline, program->set, program, launch->groups);
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
    const enum status status = launch_run(session, program, launch, pipeline, grown, error);
    if (status != STATUS_OK)
        vulkan_forget_grown(program, grown);
    else if (launch->read_words > 0)
        memcpy(launch->counters, program->download.mapped, launch->read_words * sizeof *launch->counters);
    return status;
}

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

void vulkan_play_release(const struct vulkan_session *session, struct vulkan_play *play)
{
    FOR_EACH(struct vulkan_play_step, step, play->steps, BACKEND_MAXIMUM_STEPS) {
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
static enum status launch_begin(const struct playing *playing, unsigned grown, struct error *error)
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
    VkPipelineStageFlags stages[BACKEND_MAXIMUM_STEPS];
    const struct vulkan_session *session = playing->session;
    const struct vulkan_play_step *step = &playing->program->play.steps[k];
    VkSemaphore ends[BACKEND_MAXIMUM_STEPS];
    uint64_t values[BACKEND_MAXIMUM_STEPS];
    const uint32_t count = list_ends(playing, steps_after(playing->plan, k, STEPS_EVENT), ends, values);
    for (uint32_t i = 0; i < count; i++)
        stages[i] = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
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
    vulkan_add_dispatch(session, step->recorded, playing->pipeline, step->set, playing->program,
                        playing->launch->groups);
    TRY(vulkan_close_commands(session, step->recorded, error));
    return submit_step(playing, k, error);
}

static enum status run_steps(const struct playing *playing, unsigned grown, struct error *error)
{
    unsigned given = 0;
    TRY(launch_begin(playing, grown, error));
    playing->program->play.plays++;
    while (given != (1U << playing->plan->count) - 1) {
        const unsigned k = steps_next(playing->plan, given);
        TRY(play_step(playing, k, error));
        given |= 1U << k;
    }
    const struct vulkan_session *session = playing->session;
    TRY(wait_by_host(playing, (1U << playing->plan->count) - 1, error));
    TRY(vulkan_open_commands(session, session->recorded, error));
    vulkan_add_counters(session, playing->program, playing->launch);
    TRY(vulkan_close_commands(session, session->recorded, error));
    return vulkan_submit(session, error);
}

enum status vulkan_run_play(struct vulkan_session *session, struct vulkan_program *program,
                            const struct backend_launch *launch, const struct steps_plan *plan, struct error *error)
{
    struct playing playing = {session, program, launch, plan, VK_NULL_HANDLE};
    unsigned grown;
    if (plan->out_of_order != 0 && plan->queues > session->queue_count)
        return error_set(error, STATUS_UNSUPPORTED,
                         "vulkan:%u (%s) has %u compute queues, but the test's launches need %u", session->device.index,
                         session->device.name, session->queue_count, plan->queues);
    VkDescriptorSet sets[BACKEND_MAXIMUM_STEPS];
    if (!program->play.pool) {
        TRY(vulkan_create_sets(session, BACKEND_MAXIMUM_STEPS, &program->play.pool, sets, error));
        for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
            program->play.steps[k].set = sets[k];
    }
    for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
        TRY(create_step(session, &program->play.steps[k], error));
    TRY(vulkan_prepare(session, program, launch, &playing.pipeline, &grown, error));
    const enum status status = run_steps(&playing, grown, error);
    if (status != STATUS_OK) {
        vulkan_forget_grown(program, grown);
        (void)session->library.vkDeviceWaitIdle(session->logical); /* nothing is running when this returns */
    } else if (launch->read_words > 0)
        memcpy(launch->counters, program->download.mapped, launch->read_words * sizeof *launch->counters);
    return status;
}
