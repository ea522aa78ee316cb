// SPDX-License-Identifier: Apache-2.0
/* The Vulkan backend: each session has one device and one queue, each program four storage buffers and a pipeline for
 * each shape of launch. */

#include "backends/vulkan/session.h"
#include "base/tool.h"

/* What the text of a kernel is compiled to, and the options of the compiler that matter: -g lets instructions name
 * their lines; -Od, no optimiser changes what the text says. All buffers are marked as Aliased. */
#define GLSL_TARGET "SPIR-V 1.5, Vulkan 1.2"
#define GLSL_OPTIONS "--target-env vulkan1.2 -g -Od, Aliased"

/* ---- glslang ---- */

/* Runs glslang. Its library has no stable interface in C, and shaderc's library, which has one, cannot be opened in
 * Debian 12: it lacks the functions of glslang that it calls. */

enum { MOST_BYTES = 16 << 20, MOST_SAID = 1 << 20 };

static const double most_seconds = 120;

/* Debian's and Ubuntu's name; ORCHIL_GLSLANG is another program. */
static const char *program(void)
{
    const char *named = getenv("ORCHIL_GLSLANG");
    return named && named[0] ? named : "glslangValidator";
}

static pthread_once_t described = PTHREAD_ONCE_INIT;
static char description[64];

static void describe_once(void)
{
    static const char label[] = "Glslang Version: ";
    const char *const arguments[] = {program(), "--version", NULL};
    LOCAL(text) said = {0};
    struct error ignored; /* then there is no compiler, which glsl_compile reports */
    if (tool_run(arguments, 10, MOST_SAID, &said, &ignored) == STATUS_OK) {
        const char *version = strstr(text_string(&said), label);
        version = version ? version + strlen(label) : "";
        (void)snprintf(description, sizeof description, "glslang %.*s", (int)strcspn(version, "\n"), version);
    }
}

/* Writes the compiler's name and version, "glslang 11:12.0.0"; empty if there is none. The program is asked once. */
static void glsl_describe(char *compiler, size_t size)
{
    (void)pthread_once(&described, describe_once);
    (void)snprintf(compiler, size, "%s", description);
}

/* With GLSL_OPTIONS. */
static enum status vulkan_run(const struct memory_file *source, const struct memory_file *binary, struct text *log,
                              struct error *error)
{
    const char *const arguments[] = {program(), "--target-env", "vulkan1.2",  "-S",         "comp", "-g",
                                     "-Od",     "-o",           binary->path, source->path, NULL};
    return tool_run_heard(arguments, most_seconds, MOST_BYTES, log, log, error);
}

static enum status read_module(const struct memory_file *binary, struct text *bytes, struct error *error)
{
    LOCAL(text) module = {0}, marked = {0};
    TRY(memory_file_read(binary, MOST_BYTES, &module, error));
    /* GLSL lets buffers be the same memory; glslang does not say so. Without the decoration Aliased, a driver may
     * take variables for separate memory (SPIR-V, "Aliasing"), and the names of test memory are one. Adds it where
     * a variable gets its binding. */
    enum { HEAD = 5, DECORATE = 71, ALIASED = 20, BINDING = 33 };
    uint32_t words[4];
    for (size_t at = 0, count; module.size - at >= sizeof *words; at += count * sizeof *words) {
        memcpy(words, module.data + at, sizeof *words);
        count = at == 0 ? HEAD : words[0] >> 16;
        if (count == 0 || count > (module.size - at) / sizeof *words)
            count = (module.size - at) / sizeof *words; /* no instruction: what is left stays as it is */
        text_add_bytes(&marked, module.data + at, count * sizeof *words);
        if (count != 4 || (words[0] & 0xffff) != DECORATE)
            continue;
        memcpy(words, module.data + at, sizeof words);
        if (words[2] == BINDING) {
            const uint32_t decoration[] = {3U << 16 | DECORATE, words[1], ALIASED};
            text_add_bytes(&marked, (const char *)decoration, sizeof decoration);
        }
    }
    text_add_bytes(bytes, marked.data, marked.size);
    return STATUS_OK;
}

static enum status vulkan_compile(const char *name, const struct memory_file *source, struct text *bytes,
                                  struct text *log, struct error *error)
{
    struct memory_file binary;
    const size_t start = log->size;
    TRY(memory_file_make("", 0, &binary, error));
    enum status status = vulkan_run(source, &binary, log, error);
    if (status == STATUS_OK)
        status = read_module(&binary, bytes, error);
    else if (status == STATUS_UNSUPPORTED)
        (void)error_set(error, status,
                        "there is no %s on PATH to compile kernels for Vulkan: install glslang-tools, or replay saved "
                        "kernels (--kernels)",
                        program());
    else if (status == STATUS_SYSTEM) {
        status = error_set(error, STATUS_BUILD_FAILED, "%s refused the kernel of %s", program(), name);
        error_set_detail(error, text_string(log) + start);
    }
    memory_file_close(&binary);
    return status;
}

/* Compiles a compute shader to SPIR-V, appended to *bytes. What the compiler says is appended to
 * *log. BUILD_FAILED if it refuses the text; UNSUPPORTED, with what to install, if there is no
 * compiler. */
static enum status glsl_compile(const char *name, const char *text, size_t size, struct text *bytes, struct text *log,
                                struct error *error)
{
    struct memory_file source;
    TRY(memory_file_make(text, size, &source, error));
    const enum status status = vulkan_compile(name, &source, bytes, log, error);
    memory_file_close(&source);
    return status;
}

/* ---- for doctor ---- */

static void vulkan_explain(struct text *text)
{
    struct vulkan_library library = {0};
    struct error error = {0};
    text_add(text, "Vulkan\n");
    const enum status status = vulkan_library_open(&library, &error);
    if (status != STATUS_OK)
        terminal_add(text, "  missing: %s\n", error.text);
    else
        text_add(text, "  loader: %s (Vulkan %u.%u.%u)\n", driver_library_path(library.handle),
                 VK_API_VERSION_MAJOR(library.version), VK_API_VERSION_MINOR(library.version),
                 VK_API_VERSION_PATCH(library.version));
    vulkan_library_close(&library);
    char compiler[64];
    glsl_describe(compiler, sizeof compiler);
    if (compiler[0])
        text_add(text, "  compiler: %s\n", compiler);
    else
        text_add(text, "  no compiler: apt-get install glslang-tools (saved kernels need none)\n");
    if (status == STATUS_OK && !driver_explain_devices(&vulkan_backend, "a feature that kernels need is missing", text))
        text_add(text, "    apt-get install mesa-vulkan-drivers      for AMD, Intel and other GPUs, and the CPU\n");
}

/* The features that kernels use, to be enabled: link_features makes one list of the structures. */
struct vulkan_features {
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan11Features since_1_1;
    VkPhysicalDeviceVulkan12Features since_1_2;
    VkPhysicalDeviceShaderClockFeaturesKHR clock; /* in the list if the device has the extension */
};

/* ---- properties of Vulkan devices, and what they promise for atomics ---- */

enum { VENDOR_AMD = 0x1002, VENDOR_ARM = 0x13b5, VENDOR_NVIDIA = 0x10de };

/* Finds the physical devices, which are the instance's. NO_DEVICE if there are none. The caller frees *devices with
 * free(). */
static enum status find_devices(const struct vulkan_library *library, VkPhysicalDevice **devices, uint32_t *count,
                                struct error *error)
{
    *devices = NULL;
    *count = 0;
    VkResult code = library->vkEnumeratePhysicalDevices(library->instance, count, NULL);
    if (code == VK_SUCCESS && *count > 0) {
        *devices = memory_take(*count, sizeof **devices);
        code = library->vkEnumeratePhysicalDevices(library->instance, count, *devices);
    }
    if (code == VK_SUCCESS && *count > 0)
        return STATUS_OK;
    free(*devices);
    *devices = NULL;
    return code == VK_SUCCESS
               ? error_set(error, STATUS_NO_DEVICE,
                           "the Vulkan loader finds no device; install a driver, such as mesa-vulkan-drivers")
               : error_set(error, STATUS_NO_DEVICE, "vkEnumeratePhysicalDevices failed: %s", vulkan_error_name(code));
}

static const VkPhysicalDeviceFeatures2 *link_features(struct vulkan_features *features)
{
    features->features.pNext = &features->since_1_1;
    features->since_1_1.pNext = &features->since_1_2;
    features->since_1_2.pNext = features->clock.sType ? &features->clock : NULL;
    return &features->features;
}

static bool has_extension(const struct vulkan_library *library, VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    bool found = false;
    if (library->vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) != VK_SUCCESS || count == 0)
        return false;
    FREED VkExtensionProperties *extensions = memory_take(count, sizeof *extensions);
    if (library->vkEnumerateDeviceExtensionProperties(physical, NULL, &count, extensions) == VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(extensions[i].extensionName, name) == 0;
    return found;
}

static void read_features(const struct vulkan_library *library, VkPhysicalDevice physical,
                          struct vulkan_features *features)
{
    struct vulkan_features all = {.features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
                                  .since_1_1 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES},
                                  .since_1_2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES}};
    if (has_extension(library, physical, VK_KHR_SHADER_CLOCK_EXTENSION_NAME))
        all.clock.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR;
    (void)link_features(&all);
    library->vkGetPhysicalDeviceFeatures2(physical, &all.features);
    *features = (struct vulkan_features){
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                     .features = {.shaderInt64 = all.features.features.shaderInt64,
                                  .shaderInt16 = all.features.features.shaderInt16,
                                  .robustBufferAccess = all.features.features.robustBufferAccess}},
        .since_1_1 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                      .storageBuffer16BitAccess = all.since_1_1.storageBuffer16BitAccess},
        .since_1_2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                      .uniformBufferStandardLayout = all.since_1_2.uniformBufferStandardLayout,
                      .shaderInt8 = all.since_1_2.shaderInt8,
                      .storageBuffer8BitAccess = all.since_1_2.storageBuffer8BitAccess,
                      .shaderBufferInt64Atomics = all.since_1_2.shaderBufferInt64Atomics,
                      .timelineSemaphore = all.since_1_2.timelineSemaphore,
                      .bufferDeviceAddress = all.since_1_2.bufferDeviceAddress,
                      .vulkanMemoryModel = all.since_1_2.vulkanMemoryModel,
                      .vulkanMemoryModelDeviceScope = all.since_1_2.vulkanMemoryModelDeviceScope,
                      .vulkanMemoryModelAvailabilityVisibilityChains =
                          all.since_1_2.vulkanMemoryModelAvailabilityVisibilityChains},
        .clock = {.sType = all.clock.sType, .shaderDeviceClock = all.clock.shaderDeviceClock}};
}

/* The first family of queues that computes, and the number of its queues; -1 if there is none. */
static int find_family(const struct vulkan_library *library, VkPhysicalDevice physical, uint32_t *queues)
{
    uint32_t count = 0;
    int found = -1;
    library->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
    FREED VkQueueFamilyProperties *families = memory_take(count, sizeof *families);
    library->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count && found < 0; i++)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            found = (int)i;
            *queues = families[i].queueCount;
        }
    return found;
}

static VkPhysicalDeviceLimits read_limits(const struct vulkan_library *library, VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    library->vkGetPhysicalDeviceProperties2(physical, &all);
    return all.properties.limits;
}

/* Nanoseconds between two counts of a kernel's clock, rounded: AMD counts at 100 MHz. Drivers read the clock that they
 * also read for timestamps, and Vulkan gives the period of these alone. */
static uint32_t vulkan_clock_step(const VkPhysicalDeviceLimits *limits)
{
    const float period = limits->timestampPeriod;
    return period > 1 && period < 65536 ? (uint32_t)(period + 0.5F) : 1;
}

/* Words of the uniform buffer with a kernel's draw. */
static uint32_t vulkan_uniform_words(const struct vulkan_library *library, VkPhysicalDevice physical)
{
    enum { MOST = 16384 }; /* more than any draw has, and what most devices offer */
    const size_t words = read_limits(library, physical).maxUniformBufferRange / sizeof(uint32_t);
    return words < MOST ? (uint32_t)words : MOST;
}

/* Vulkan has no number of compute units; vendors have extensions for it. 0: unknown. llvmpipe has one: none of its
 * work-groups can wait for another (docs/results/devices.md). */
static unsigned count_units(const struct vulkan_library *library, VkPhysicalDevice physical, uint32_t vendor,
                            VkDriverId driver)
{
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nvidia = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceShaderCorePropertiesAMD amd = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD};
    VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM arm = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    if (driver == VK_DRIVER_ID_MESA_LLVMPIPE)
        return 1;
    if (driver == VK_DRIVER_ID_GOOGLE_SWIFTSHADER)
        return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (vendor == VENDOR_NVIDIA && has_extension(library, physical, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME))
        properties.pNext = &nvidia;
    else if (vendor == VENDOR_AMD && has_extension(library, physical, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME))
        properties.pNext = &amd;
    else if (vendor == VENDOR_ARM && has_extension(library, physical, VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME))
        properties.pNext = &arm;
    library->vkGetPhysicalDeviceProperties2(physical, &properties);
    return nvidia.shaderSMCount + arm.shaderCoreCount +
           amd.shaderEngineCount * amd.shaderArraysPerEngineCount * amd.computeUnitsPerShaderArray;
}

/* The largest heap on the device, cut to what one buffer can show to a kernel. */
static uint64_t memory_bytes(const struct vulkan_library *library, VkPhysicalDevice physical,
                             const VkPhysicalDeviceLimits *limits)
{
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t largest = 0;
    library->vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT && memory.memoryHeaps[i].size > largest)
            largest = memory.memoryHeaps[i].size;
    return largest < limits->maxStorageBufferRange ? largest : limits->maxStorageBufferRange;
}

/* llvmpipe of Mesa 22.3 loses items after loops if a work-group is larger than a vector. */
static unsigned largest_group(const VkPhysicalDeviceLimits *limits, uint32_t vector, VkDriverId driver)
{
    const unsigned most = limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
                              ? limits->maxComputeWorkGroupInvocations
                              : limits->maxComputeWorkGroupSize[0];
    return driver == VK_DRIVER_ID_MESA_LLVMPIPE && vector < most ? vector : most;
}

static const char *vendor_name(uint32_t vendor)
{
    static const struct {
        uint32_t vendor;
        const char *name;
    } vendors[] = {
        {VENDOR_AMD, "AMD"}, {0x1010, "Imagination"},     {VENDOR_NVIDIA, "NVIDIA Corporation"},
        {VENDOR_ARM, "Arm"}, {0x5143, "Qualcomm"},        {0x8086, "Intel"},
        {0x106b, "Apple"},   {VK_VENDOR_ID_MESA, "Mesa"}, {0x1ae0, "Google"},
    };
    return VALUE_OF(const char *, row, vendors, COUNT(vendors), row->vendor == vendor, row->name, "");
}

/* What every kernel needs, or NULL if the device has it. */
static const char *find_lack(const struct vulkan_library *library, VkPhysicalDevice physical, uint32_t version)
{
    struct vulkan_features features;
    uint32_t queues;
    if (version < VK_API_VERSION_1_2)
        return "Vulkan 1.2";
    read_features(library, physical, &features);
    return !features.since_1_2.vulkanMemoryModel              ? "vulkanMemoryModel"
           : !features.since_1_2.vulkanMemoryModelDeviceScope ? "vulkanMemoryModelDeviceScope"
           : !features.since_1_2.vulkanMemoryModelAvailabilityVisibilityChains
               ? "vulkanMemoryModelAvailabilityVisibilityChains"
           : !features.since_1_2.uniformBufferStandardLayout ? "uniformBufferStandardLayout"
           : find_family(library, physical, &queues) < 0     ? "a queue that computes"
                                                             : NULL;
}

/* The types beside those of 32 bits. */
static unsigned list_types(const struct vulkan_features *features)
{
    const VkPhysicalDeviceFeatures *own = &features->features.features;
    return (own->shaderInt64 ? BACKEND_TYPE_LONG : 0U) |
           (features->since_1_2.shaderBufferInt64Atomics ? BACKEND_TYPE_LONG_ATOMICS : 0U) |
           (own->shaderInt16 && features->since_1_1.storageBuffer16BitAccess ? BACKEND_TYPE_SHORT : 0U) |
           (features->since_1_2.shaderInt8 && features->since_1_2.storageBuffer8BitAccess ? BACKEND_TYPE_CHAR : 0U) |
           (own->shaderInt64 && features->since_1_2.bufferDeviceAddress ? BACKEND_TYPE_POINTER : 0U);
}

/* Describes a device. One that lacks what every kernel needs takes none, and its `compiler` says what is missing. */
static void vulkan_describe(const struct vulkan_library *library, VkPhysicalDevice physical, unsigned index,
                            struct backend_device *device)
{
    VkPhysicalDeviceVulkan12Properties since_1_2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceVulkan11Properties since_1_1 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES,
                                                    .pNext = &since_1_2};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &since_1_1};
    library->vkGetPhysicalDeviceProperties2(physical, &all);
    const VkPhysicalDeviceProperties *own = &all.properties;
    const VkPhysicalDeviceLimits *limits = &own->limits;
    const char *lack = find_lack(library, physical, own->apiVersion);

    *device = (struct backend_device){.backend = "vulkan", .index = index};
    driver_copy(device->name, sizeof device->name, own->deviceName);
    driver_copy(device->vendor, sizeof device->vendor, vendor_name(own->vendorID));
    if (since_1_2.driverInfo[0])
        driver_copy(device->driver, sizeof device->driver, since_1_2.driverInfo);
    else
        (void)snprintf(device->driver, sizeof device->driver, "%u.%u.%u", VK_API_VERSION_MAJOR(own->driverVersion),
                       VK_API_VERSION_MINOR(own->driverVersion), VK_API_VERSION_PATCH(own->driverVersion));
    (void)snprintf(device->platform, sizeof device->platform, "%.60s, Vulkan %u.%u", since_1_2.driverName,
                   VK_API_VERSION_MAJOR(own->apiVersion), VK_API_VERSION_MINOR(own->apiVersion));
    driver_uuid(device->uuid, since_1_1.deviceUUID);
    device->gpu = own->deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
    device->compute_units = count_units(library, physical, own->vendorID, since_1_2.driverID);
    device->max_group_size = largest_group(limits, since_1_1.subgroupSize, since_1_2.driverID);
    device->sub_group_size = since_1_1.subgroupSize;
    device->memory_bytes = memory_bytes(library, physical, limits);
    device->local_bytes = limits->maxComputeSharedMemorySize;
    if (lack) {
        (void)snprintf(device->compiler, sizeof device->compiler, "nothing: it lacks %s", lack);
        return;
    }
    struct vulkan_features features;
    read_features(library, physical, &features);
    glsl_describe(device->compiler, sizeof device->compiler);
    device->takes = BACKEND_TAKES_GLSL;
    device->types = list_types(&features);
    device->edges = VULKAN_EDGES;
    device->shared_clock = features.clock.shaderDeviceClock;
    device->clock_grain = device->shared_clock ? vulkan_clock_step(limits) : 0;
    device->atomic_orders = device->fence_orders = BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL;
    device->atomic_scopes = device->fence_scopes =
        BACKEND_SCOPE_SUB_GROUP | BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE;
}

extern const char vulkan_prelude[], vulkan_clock[], vulkan_pointers[]; /* prelude.comp and so on, as texts */

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
    FREED VkPhysicalDevice *found = NULL;
    uint32_t number = 0;
    *devices = NULL;
    *count = 0;
    enum status status = vulkan_library_open(&library, error);
    THEN(status, find_devices(&library, &found, &number, error));
    if (status == STATUS_OK)
        *devices = memory_take(number, sizeof **devices);
    for (uint32_t i = 0; status == STATUS_OK && i < number; i++)
        vulkan_describe(&library, found[i], i, &(*devices)[i]);
    *count = number;
    vulkan_library_close(&library);
    return status;
}

/* ---- sessions ---- */

static enum status find_device(struct vulkan_session *session, unsigned index, struct error *error)
{
    VkPhysicalDevice *found;
    uint32_t count;
    TRY(find_devices(&session->library, &found, &count, error));
    const bool exists = index < count;
    if (exists)
        session->physical = found[index];
    free(found);
    if (!exists)
        return error_set(error, STATUS_NO_DEVICE, "there is no vulkan:%u: the devices here are vulkan:0 to vulkan:%u",
                         index, count - 1);
    vulkan_describe(&session->library, session->physical, index, &session->device);
    session->most_groups = read_limits(&session->library, session->physical).maxComputeWorkGroupCount[0];
    return session->device.takes ? STATUS_OK
                                 : error_set(error, STATUS_UNSUPPORTED, "vulkan:%u (%s) takes %s", index,
                                             session->device.name, session->device.compiler);
}

static enum status create_device(struct vulkan_session *session, struct error *error)
{
    static const float priorities[BACKEND_MAXIMUM_STEPS] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct vulkan_features features;
    read_features(&session->library, session->physical, &features);
    session->family = (uint32_t)find_family(&session->library, session->physical, &session->queue_count);
    if (session->queue_count > BACKEND_MAXIMUM_STEPS)
        session->queue_count = BACKEND_MAXIMUM_STEPS;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = session->family,
                                           .queueCount = session->queue_count,
                                           .pQueuePriorities = priorities};
    static const char *const clock[] = {VK_KHR_SHADER_CLOCK_EXTENSION_NAME};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = link_features(&features),
                                     .enabledExtensionCount = features.clock.sType ? COUNT(clock) : 0,
                                     .ppEnabledExtensionNames = clock,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    VULKAN_CALL(session, vkCreateDevice, session->physical, &info, NULL, &session->logical);
    for (uint32_t i = 0; i < session->queue_count; i++)
        session->library.vkGetDeviceQueue(session->logical, session->family, i, &session->queues[i]);
    session->memory = (struct vulkan_memory){.library = &session->library,
                                             .device = session->logical,
                                             .pointers = session->device.types & BACKEND_TYPE_POINTER};
    session->library.vkGetPhysicalDeviceMemoryProperties(session->physical, &session->memory.types);
    return STATUS_OK;
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct vulkan_session *session = vulkan_session(opened);
    TRY(vulkan_library_open(&session->library, error));
    TRY(find_device(session, index, error));
    TRY(create_device(session, error));
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
    session->layout.uniform_words = vulkan_uniform_words(&session->library, session->physical);
    session->layout.clock_step = session->device.clock_grain;
    const VkResult code = vulkan_layout_create(&session->library, session->logical, DRIVER_BUFFERS, &session->layout);
    if (code != VK_SUCCESS)
        return vulkan_call_failed(&session->device, "creating the layout of the kernels", code, error);
    if (strstr(session->device.vendor, "NVIDIA"))
        nvml_device_open(session->device.uuid, &session->nvml);
    return STATUS_OK;
}

static void close_session(struct backend_session *opened)
{
    FREED struct vulkan_session *session = vulkan_session(opened);
    const struct vulkan_library *library = &session->library;
    if (session->logical) {
        vulkan_layout_release(library, session->logical, &session->layout);
        library->vkDestroyFence(session->logical, session->ended, NULL);
        library->vkDestroyCommandPool(session->logical, session->commands, NULL);
        library->vkDestroyDevice(session->logical, NULL);
    }
    vulkan_library_close(&session->library);
    nvml_device_close(&session->nvml);
}

/* ---- programs ---- */

static enum status compile_text(const struct backend_source *source, struct text *bytes, struct text *log,
                                struct error *error)
{
    LOCAL(text) text = {0};
    text_add(&text, "%s%s", vulkan_prelude, source->kernel);
    return glsl_compile(source->name, text_string(&text), text.size, bytes, log, error);
}

static enum status compile_kernel(UNUSED struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
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
static enum status vulkan_compile_for(UNUSED const char *architecture, const struct backend_source *source,
                                      struct backend_code *code, struct error *error)
{
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
                           "the saved code of %s is not SPIR-V, so it was not given to the driver %s of vulkan:%u (%s)",
                           source->name, session->device.driver, session->device.index, session->device.name);
}

static enum status open_module(const struct vulkan_session *session, struct vulkan_program *program,
                               struct error *error)
{
    const VkResult made = vulkan_pipelines_open(&session->library, session->logical, program->code.data,
                                                program->code.size, &program->pipelines);
    return made == VK_SUCCESS ? STATUS_OK : vulkan_call_failed(&session->device, "vkCreateShaderModule", made, error);
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, UNUSED struct text *binary,
                                struct error *error)
{
    const struct vulkan_session *session = vulkan_session(opened);
    struct vulkan_program *program = vulkan_program(built);
    enum status status =
        source->code ? check_code(session, source, error) : compile_text(source, &program->code, log, error);
    if (status == STATUS_OK && source->code)
        text_add_bytes(&program->code, source->code, source->code_size);
    THEN(status, open_module(session, program, error));
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

/* The driver's own code is not to be had; SPIR-V is what it is given. */
static void add_code(struct backend_session *opened, struct backend_program *built, unsigned member, struct text *code)
{
    const struct text *own = &vulkan_program(built)->code;
    (void)opened, (void)member;
    text_add_bytes(code, own->data, own->size);
}

static void observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    nvml_device_observe(&vulkan_session(opened)->nvml, circumstances);
}

const struct backend vulkan_backend = {
    .name = "vulkan",
    .title = "Vulkan",
    .prelude = vulkan_prelude,
    .clock = vulkan_clock,
    .pointers = vulkan_pointers,
    .list = list_devices,
    .session_size = sizeof(struct vulkan_session),
    .start = start_session,
    .source_suffix = "comp",
    .code_suffix = "spv",
    .compile = compile_kernel,
    .compile_for = vulkan_compile_for,
    .compiles_ahead = driver_for_gpus,
    .program_size = sizeof(struct vulkan_program),
    .fill = fill_program,
    .launch = launch_program,
    .play = play_program,
    .machine_code = add_code,
    .machine_code_ahead = driver_code_ahead,
    .observe = observe_device,
    .release = release_program,
    .close = close_session,
    .explain = vulkan_explain,
};
