// SPDX-License-Identifier: Apache-2.0
/* The Vulkan backend: each session has one device and one queue, each program four storage buffers
 * and a pipeline for each shape of launch. */
#include "backends/vulkan/vulkan.h"

#include <stdlib.h>
#include <string.h>

#include "backends/driver.h"
#include "backends/vulkan/devices.h"
#include "backends/vulkan/glsl.h"
#include "backends/vulkan/play.h"
#include "backends/vulkan/session.h"
#include "base/clock.h"
#include "base/memory.h"

extern const char vulkan_prelude[]; /* prelude.comp, as text */

static struct vulkan_session *vulkan_session(struct backend_session *opened)
{
    return (struct vulkan_session *)opened;
}

static struct vulkan_program *vulkan_program(struct backend_program *built)
{
    return (struct vulkan_program *)built;
}

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
        return error_set(error, STATUS_NO_DEVICE, "there is no vulkan:%u: the devices here are vulkan:0 to vulkan:%u",
                         index, count - 1);
    vulkan_describe(&session->library, session->physical, index, &session->device);
    session->most_groups = vulkan_most_groups(&session->library, session->physical);
    return session->device.takes ? STATUS_OK
                                 : error_set(error, STATUS_UNSUPPORTED, "vulkan:%u (%s) takes %s", index,
                                             session->device.name, session->device.compiler);
}

static enum status create_device(struct vulkan_session *session, struct error *error)
{
    static const float priorities[BACKEND_MAXIMUM_STEPS] = {1, 1, 1, 1};
    struct vulkan_features features;
    vulkan_read_features(&session->library, session->physical, &features);
    session->family = (uint32_t)vulkan_find_family(&session->library, session->physical, &session->queue_count);
    if (session->queue_count > BACKEND_MAXIMUM_STEPS)
        session->queue_count = BACKEND_MAXIMUM_STEPS;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = session->family,
                                           .queueCount = session->queue_count,
                                           .pQueuePriorities = priorities};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = vulkan_link_features(&features),
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    VULKAN_CALL(session, vkCreateDevice, session->physical, &info, NULL, &session->logical);
    for (uint32_t i = 0; i < session->queue_count; i++)
        session->library.vkGetDeviceQueue(session->logical, session->family, i, &session->queues[i]);
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
    VULKAN_CALL(session, vkCreateCommandPool, session->logical, &pool, NULL, &session->commands);
    const VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = session->commands,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
    VULKAN_CALL(session, vkAllocateCommandBuffers, session->logical, &buffer, &session->recorded);
    VULKAN_CALL(session, vkCreateFence, session->logical, &fence, NULL, &session->ended);
    return STATUS_OK;
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct vulkan_session *session = vulkan_session(opened);
    TRY(vulkan_library_open(&session->library, error));
    TRY(find_device(session, index, error));
    TRY(create_device(session, error));
    TRY(create_commands(session, error));
    session->layout.uniform_words = vulkan_uniform_words(&session->library, session->physical);
    const VkResult code = vulkan_layout_create(&session->library, session->logical, DRIVER_BUFFERS, &session->layout);
    if (code != VK_SUCCESS)
        return vulkan_failed(session, "creating the layout of the kernels", code, error);
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

static enum status compile_text(const struct backend_source *source, struct text *bytes, struct text *log,
                                struct error *error)
{
    struct text text = {0};
    text_add(&text, "%s%s", vulkan_prelude, source->kernel);
    const enum status status = glsl_compile(source->name, text_string(&text), text.size, bytes, log, error);
    text_release(&text);
    return status;
}

static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    (void)opened;
    if (source->code)
        text_add_bytes(&code->bytes, source->code, source->code_size);
    else
        TRY(compile_text(source, &code->bytes, &code->log, error));
    code->portable = code->bytes.size;
    glsl_describe(code->compiler, sizeof code->compiler);
    driver_copy(code->options, sizeof code->options, GLSL_OPTIONS);
    driver_copy(code->target, sizeof code->target, GLSL_TARGET);
    return STATUS_OK;
}

/* SPIR-V has no architectures. */
static enum status compile_for(const char *architecture, const struct backend_source *source, struct backend_code *code,
                               struct error *error)
{
    (void)architecture;
    return compile_kernel(NULL, source, code, error);
}

/* Drivers do not check modules; what is no module at all would make them crash. */
static enum status check_code(const struct vulkan_session *session, const struct backend_source *source,
                              struct error *error)
{
    static const uint32_t magic = 0x07230203;
    uint32_t first = 0;
    if (source->code_size >= sizeof first)
        memcpy(&first, source->code, sizeof first);
    return first == magic && source->code_size % sizeof first == 0
               ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED,
                           "the saved code of %s is no SPIR-V: the driver %s of vulkan:%u (%s) was not given it",
                           source->name, session->device.driver, session->device.index, session->device.name);
}

static enum status open_module(const struct vulkan_session *session, struct vulkan_program *program,
                               struct error *error)
{
    const VkResult made = vulkan_pipelines_open(&session->library, session->logical, program->code.data,
                                                program->code.size, &program->pipelines);
    return made == VK_SUCCESS ? STATUS_OK : vulkan_failed(session, "vkCreateShaderModule", made, error);
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    const struct vulkan_session *session = vulkan_session(opened);
    struct vulkan_program *program = vulkan_program(built);
    (void)binary;
    enum status status =
        source->code ? check_code(session, source, error) : compile_text(source, &program->code, log, error);
    if (status == STATUS_OK && source->code)
        text_add_bytes(&program->code, source->code, source->code_size);
    if (status == STATUS_OK)
        status = open_module(session, program, error);
    return status == STATUS_OK ? vulkan_create_sets(session, 1, &program->pool, &program->set, error) : status;
}

static void release_program(struct backend_session *opened, struct backend_program *built)
{
    struct vulkan_session *session = vulkan_session(opened);
    struct vulkan_program *program = vulkan_program(built);
    if (!program)
        return;
    vulkan_play_release(session, &program->play);
    vulkan_pipelines_close(&session->library, session->logical, &program->pipelines);
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        vulkan_buffer_release(&session->memory, &program->buffers[i]);
    vulkan_buffer_release(&session->memory, &program->upload);
    vulkan_buffer_release(&session->memory, &program->download);
    session->library.vkDestroyDescriptorPool(session->logical, program->pool, NULL);
    text_release(&program->code);
    free(program);
}

/* ---- launches ---- */

static enum status launch_program(struct backend_session *opened, struct backend_program *built,
                                  const struct backend_launch *launch, double *seconds, struct error *error)
{
    const double start = clock_seconds();
    const enum status status = vulkan_launch(vulkan_session(opened), vulkan_program(built), launch, error);
    *seconds = clock_seconds() - start;
    return status;
}

static enum status play_program(struct backend_session *opened, struct backend_program *built,
                                const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                                double *seconds, struct error *error)
{
    struct vulkan_session *session = vulkan_session(opened);
    const double start = clock_seconds();
    struct steps_plan plan;
    *seconds = 0;
    TRY(steps_plan(&session->device, launch, steps, count, &plan, error));
    const enum status status = vulkan_run_play(session, vulkan_program(built), launch, &plan, error);
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

/* The driver's own code is not to be had; SPIR-V is what it is given. */
static void add_code(struct backend_session *opened, struct backend_program *built, unsigned member, struct text *code)
{
    const struct text *own = &vulkan_program(built)->code;
    (void)opened, (void)member;
    text_add_bytes(code, own->data, own->size);
}

static void add_code_ahead(const char *code, size_t size, struct text *ptx, struct text *machine_code)
{
    (void)ptx;
    text_add_bytes(machine_code, code, size);
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
    .compile_for = compile_for,
    .compiles_ahead = compiles_ahead,
    .program_size = sizeof(struct vulkan_program),
    .fill = fill_program,
    .launch = launch_program,
    .play = play_program,
    .group_limit = group_limit,
    .resident = count_resident,
    .machine_code = add_code,
    .machine_code_ahead = add_code_ahead,
    .observe = observe_device,
    .release = release_program,
    .close = close_session,
    .explain = vulkan_explain,
};
