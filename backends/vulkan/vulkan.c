// SPDX-License-Identifier: Apache-2.0
/* The Vulkan backend: each session has one device and one queue, each program four storage buffers
 * and a pipeline for each shape of launch. */
#include "backends/vulkan/vulkan.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/nvml.h"
#include "backends/driver.h"
#include "backends/vulkan/buffers.h"
#include "backends/vulkan/devices.h"
#include "backends/vulkan/glsl.h"
#include "backends/vulkan/pipelines.h"
#include "base/clock.h"
#include "base/memory.h"

extern const char vulkan_prelude[]; /* prelude.comp, as text */

struct vulkan_session {
    struct vulkan_library library;
    struct backend_device device;
    struct nvml_device nvml; /* of an NVIDIA GPU */
    struct vulkan_memory memory;
    VkPhysicalDevice physical;
    VkDevice logical;
    uint32_t family;
    VkQueue queue;
    VkCommandPool commands;
    VkCommandBuffer recorded;
    VkFence ended;
    struct vulkan_layout layout;
};

struct vulkan_program {
    struct vulkan_pipelines pipelines;
    struct vulkan_buffer buffers[DRIVER_BUFFERS];
    struct vulkan_buffer upload, download; /* the draw on its way to the device; the counters on theirs back */
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

static struct vulkan_session *vulkan_session(struct backend_session *opened)
{
    return (struct vulkan_session *)opened;
}

static struct vulkan_program *vulkan_program(struct backend_program *built)
{
    return (struct vulkan_program *)built;
}

static enum status driver_failed(const struct vulkan_session *session, const char *call, VkResult code,
                                 struct error *error)
{
    return vulkan_call_failed(&session->device, call, code, error);
}

/* Returns from the function if a call failed. */
#define CALL(session, function, ...)                                                                                   \
    do {                                                                                                               \
        const VkResult call_code = (session)->library.function(__VA_ARGS__);                                           \
        if (call_code != VK_SUCCESS)                                                                                   \
            return driver_failed(session, #function, call_code, error);                                                \
    } while (0)

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    struct vulkan_library library = {0};
    VkPhysicalDevice *found = NULL;
    uint32_t number = 0;
    *devices = NULL;
    *count = 0;
    enum status status = vulkan_library_open(&library, error);
    if (status == STATUS_OK)
        status = vulkan_find_devices(&library, &found, &number, error);
    if (status == STATUS_OK)
        *devices = memory_take(number, sizeof **devices);
    for (uint32_t i = 0; status == STATUS_OK && i < number; i++)
        vulkan_describe(&library, found[i], i, &(*devices)[i]);
    *count = number;
    free(found);
    vulkan_library_close(&library);
    return status;
}

/* ---- sessions ---- */

static enum status find_device(struct vulkan_session *session, unsigned index, struct error *error)
{
    VkPhysicalDevice *found;
    uint32_t count;
    TRY(vulkan_find_devices(&session->library, &found, &count, error));
    const bool exists = index < count;
    if (exists)
        session->physical = found[index];
    free(found);
    if (!exists)
        return error_set(error, STATUS_NO_DEVICE,
                         "there is no vulkan:%u: the devices here are vulkan:0 to vulkan:%u", index, count - 1);
    vulkan_describe(&session->library, session->physical, index, &session->device);
    return session->device.takes ? STATUS_OK
                                 : error_set(error, STATUS_UNSUPPORTED, "vulkan:%u (%s) takes %s", index,
                                             session->device.name, session->device.compiler);
}

static enum status create_device(struct vulkan_session *session, struct error *error)
{
    static const float priority = 1;
    struct vulkan_features features;
    vulkan_read_features(&session->library, session->physical, &features);
    features.features.pNext = &features.since_1_2;
    session->family = (uint32_t)vulkan_find_family(&session->library, session->physical);
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = session->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features.features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    CALL(session, vkCreateDevice, session->physical, &info, NULL, &session->logical);
    session->library.vkGetDeviceQueue(session->logical, session->family, 0, &session->queue);
    session->memory = (struct vulkan_memory){.library = &session->library, .device = session->logical};
    session->library.vkGetPhysicalDeviceMemoryProperties(session->physical, &session->memory.types);
    return STATUS_OK;
}

static enum status create_commands(struct vulkan_session *session, struct error *error)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = session->family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    CALL(session, vkCreateCommandPool, session->logical, &pool, NULL, &session->commands);
    const VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = session->commands,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    CALL(session, vkAllocateCommandBuffers, session->logical, &buffer, &session->recorded);
    CALL(session, vkCreateFence, session->logical, &fence, NULL, &session->ended);
    return STATUS_OK;
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct vulkan_session *session = vulkan_session(opened);
    TRY(vulkan_library_open(&session->library, error));
    TRY(find_device(session, index, error));
    TRY(create_device(session, error));
    TRY(create_commands(session, error));
    const VkResult code =
        vulkan_layout_create(&session->library, session->logical, DRIVER_BUFFERS, &session->layout);
    if (code != VK_SUCCESS)
        return driver_failed(session, "creating the layout of the kernels", code, error);
    if (strstr(session->device.vendor, "NVIDIA"))
        nvml_device_open(session->device.uuid, &session->nvml);
    return STATUS_OK;
}

static void close_session(struct backend_session *opened)
{
    struct vulkan_session *session = vulkan_session(opened);
    const struct vulkan_library *library = &session->library;
    if (session->logical) {
        vulkan_layout_release(library, session->logical, &session->layout);
        library->vkDestroyFence(session->logical, session->ended, NULL);
        library->vkDestroyCommandPool(session->logical, session->commands, NULL);
        library->vkDestroyDevice(session->logical, NULL);
    }
    vulkan_library_close(&session->library);
    nvml_device_close(&session->nvml);
    free(session);
}

/* ---- programs ---- */

static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    (void)opened;
    struct text text = {0};
    enum status status = STATUS_OK;
    text_add(&text, "%s%s", vulkan_prelude, source->kernel);
    if (source->code)
        text_add_bytes(&code->bytes, source->code, source->code_size);
    else
        status = glsl_compile(source->name, text_string(&text), text.size, &code->bytes, &code->log, error);
    text_release(&text);
    code->portable = code->bytes.size;
    glsl_describe(code->compiler, sizeof code->compiler);
    driver_copy(code->target, sizeof code->target, GLSL_TARGET);
    return status;
}

static enum status create_set(struct vulkan_session *session, struct vulkan_program *program, struct error *error)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DRIVER_BUFFERS};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    CALL(session, vkCreateDescriptorPool, session->logical, &pool, NULL, &program->pool);
    const VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = program->pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &session->layout.set};
    CALL(session, vkAllocateDescriptorSets, session->logical, &set, &program->set);
    return STATUS_OK;
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct vulkan_session *session = vulkan_session(opened);
    struct vulkan_program *program = vulkan_program(built);
    struct backend_code code = {0};
    (void)binary;
    enum status status = compile_kernel(opened, source, &code, error);
    text_add_bytes(log, text_string(&code.log), code.log.size);
    if (status == STATUS_OK) {
        const VkResult made = vulkan_pipelines_open(&session->library, session->logical, text_string(&code.bytes),
                                                    code.bytes.size, &program->pipelines);
        if (made != VK_SUCCESS)
            status = driver_failed(session, "vkCreateShaderModule", made, error);
    }
    backend_code_release(&code);
    return status == STATUS_OK ? create_set(session, program, error) : status;
}

static void release_program(struct backend_session *opened, struct backend_program *built)
{
    struct vulkan_session *session = vulkan_session(opened);
    struct vulkan_program *program = vulkan_program(built);
    if (!program)
        return;
    vulkan_pipelines_close(&session->library, session->logical, &program->pipelines);
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        vulkan_buffer_release(&session->memory, &program->buffers[i]);
    vulkan_buffer_release(&session->memory, &program->upload);
    vulkan_buffer_release(&session->memory, &program->download);
    session->library.vkDestroyDescriptorPool(session->logical, program->pool, NULL);
    free(program);
}

/* ---- launches ---- */

static void bind_buffer(const struct vulkan_session *session, const struct vulkan_program *program,
                        enum driver_buffer which)
{
    const VkDescriptorBufferInfo info = {program->buffers[which].buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = program->set,
                                        .dstBinding = which,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    session->library.vkUpdateDescriptorSets(session->logical, 1, &write, 0, NULL);
}

/* Makes a buffer large enough. *grown: bit `which` is set if it is a new one, which is not zeroed. */
static enum status grow_buffer(struct vulkan_session *session, struct vulkan_program *program,
                               enum driver_buffer which, size_t words, unsigned *grown, struct error *error)
{
    struct vulkan_buffer *buffer = &program->buffers[which];
    if (words <= buffer->words)
        return STATUS_OK;
    vulkan_buffer_release(&session->memory, buffer);
    const VkResult code = vulkan_buffer_create(&session->memory, words, false, buffer);
    if (code != VK_SUCCESS) {
        vulkan_buffer_release(&session->memory, buffer);
        return driver_buffer_refused(&session->device, which, words, vulkan_error_name(code), error);
    }
    bind_buffer(session, program, which);
    *grown |= 1U << which;
    return STATUS_OK;
}

static enum status grow_transfer(struct vulkan_session *session, struct vulkan_buffer *buffer, size_t words,
                                 struct error *error)
{
    if (words <= buffer->words)
        return STATUS_OK;
    vulkan_buffer_release(&session->memory, buffer);
    const VkResult code = vulkan_buffer_create(&session->memory, words, true, buffer);
    if (code == VK_SUCCESS)
        return STATUS_OK;
    vulkan_buffer_release(&session->memory, buffer);
    return driver_failed(session, "vkAllocateMemory (host memory)", code, error);
}

static enum status grow_buffers(struct vulkan_session *session, struct vulkan_program *program,
                                const struct backend_launch *launch, unsigned *grown, struct error *error)
{
    size_t words[DRIVER_BUFFERS];
    TRY(driver_buffer_words(launch, words, error));
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        TRY(grow_buffer(session, program, i, words[i], grown, error));
    TRY(grow_transfer(session, &program->upload, launch->draw_words, error));
    return grow_transfer(session, &program->download, launch->read_words, error);
}

/* All accesses of the first stage come before all of the second. */
static void add_barrier(const struct vulkan_session *session, VkPipelineStageFlags from, VkPipelineStageFlags to)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                                     .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    session->library.vkCmdPipelineBarrier(session->recorded, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void record_start(const struct vulkan_session *session, const struct vulkan_program *program,
                         const struct backend_launch *launch, unsigned grown)
{
    const struct vulkan_library *library = &session->library;
    if (launch->clear_counters)
        grown |= 1U << DRIVER_COUNTERS;
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        if (grown >> i & 1)
            library->vkCmdFillBuffer(session->recorded, program->buffers[i].buffer, 0, VK_WHOLE_SIZE, 0);
    if (grown >> DRIVER_DRAW & 1)
        add_barrier(session, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
    if (launch->draw_words > 0) {
        const VkBufferCopy all = {.size = launch->draw_words * sizeof *launch->draw};
        memcpy(program->upload.mapped, launch->draw, all.size);
        library->vkCmdCopyBuffer(session->recorded, program->upload.buffer, program->buffers[DRIVER_DRAW].buffer, 1,
                                 &all);
    }
    add_barrier(session, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}

static void record_end(const struct vulkan_session *session, const struct vulkan_program *program,
                       const struct backend_launch *launch)
{
    if (launch->read_words == 0)
        return;
    const VkBufferCopy all = {.size = launch->read_words * sizeof *launch->counters};
    add_barrier(session, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
    session->library.vkCmdCopyBuffer(session->recorded, program->buffers[DRIVER_COUNTERS].buffer,
                                     program->download.buffer, 1, &all);
    add_barrier(session, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT);
}

static enum status record_launch(struct vulkan_session *session, struct vulkan_program *program,
                                 const struct backend_launch *launch, VkPipeline pipeline, unsigned grown,
                                 struct error *error)
{
    const struct vulkan_library *library = &session->library;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    CALL(session, vkBeginCommandBuffer, session->recorded, &begin);
    record_start(session, program, launch, grown);
    library->vkCmdBindPipeline(session->recorded, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    library->vkCmdBindDescriptorSets(session->recorded, VK_PIPELINE_BIND_POINT_COMPUTE, session->layout.pipeline, 0, 1,
                                     &program->set, 0, NULL);
    library->vkCmdDispatch(session->recorded, launch->groups, 1, 1);
    record_end(session, program, launch);
    CALL(session, vkEndCommandBuffer, session->recorded);
    return STATUS_OK;
}

static enum status submit(struct vulkan_session *session, struct error *error)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &session->recorded};
    CALL(session, vkQueueSubmit, session->queue, 1, &info, session->ended);
    CALL(session, vkWaitForFences, session->logical, 1, &session->ended, VK_TRUE, UINT64_MAX);
    CALL(session, vkResetFences, session->logical, 1, &session->ended);
    return STATUS_OK;
}

static enum status run_launch(struct vulkan_session *session, struct vulkan_program *program,
                              const struct backend_launch *launch, struct error *error)
{
    unsigned grown = 0;
    VkPipeline pipeline;
    const VkResult code =
        vulkan_pipelines_find(&session->library, session->logical, &session->layout, &program->pipelines,
                              launch->group_size, launch->local_bytes / sizeof(uint32_t), &pipeline);
    if (code != VK_SUCCESS)
        return driver_failed(session, "vkCreateComputePipelines", code, error);
    TRY(grow_buffers(session, program, launch, &grown, error));
    enum status status = record_launch(session, program, launch, pipeline, grown, error);
    if (status == STATUS_OK)
        status = submit(session, error);
    if (status != STATUS_OK) /* new buffers are not zeroed: the next launch creates them again */
        for (size_t i = 0; i < DRIVER_BUFFERS; i++)
            if (grown >> i & 1)
                program->buffers[i].words = 0;
    if (status == STATUS_OK && launch->read_words > 0)
        memcpy(launch->counters, program->download.mapped, launch->read_words * sizeof *launch->counters);
    return status;
}

static enum status launch_program(struct backend_session *opened, struct backend_program *built,
                                  const struct backend_launch *launch, double *seconds, struct error *error)
{
    const double start = clock_seconds();
    const enum status status = run_launch(vulkan_session(opened), vulkan_program(built), launch, error);
    *seconds = clock_seconds() - start;
    return status;
}

/* A pipeline may have as many items as the device takes, whatever its kernel. */
static unsigned group_limit(struct backend_session *opened, struct backend_program *built)
{
    (void)opened, (void)built;
    return 0;
}

/* Vulkan has no such query; the runner measures it. */
static unsigned count_resident(struct backend_session *opened, struct backend_program *built, unsigned member,
                               unsigned group_size, unsigned cluster_groups, size_t local_bytes)
{
    (void)opened, (void)built, (void)member, (void)group_size, (void)cluster_groups, (void)local_bytes;
    return 0;
}

static void observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    nvml_device_observe(&vulkan_session(opened)->nvml, circumstances);
}

/* On a CPU other processes would take the cores that are tested. */
static bool compiles_ahead(const struct backend_device *device)
{
    return device->gpu;
}

const struct backend vulkan_backend = {
    .name = "vulkan",
    .title = "Vulkan",
    .prelude = vulkan_prelude,
    .list = list_devices,
    .session_size = sizeof(struct vulkan_session),
    .start = start_session,
    .source_suffix = "comp",
    .code_suffix = "spv",
    .compile = compile_kernel,
    .compiles_ahead = compiles_ahead,
    .program_size = sizeof(struct vulkan_program),
    .fill = fill_program,
    .launch = launch_program,
    .group_limit = group_limit,
    .resident = count_resident,
    .observe = observe_device,
    .release = release_program,
    .close = close_session,
    .explain = vulkan_explain,
};
