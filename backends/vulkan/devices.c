// SPDX-License-Identifier: Apache-2.0
/* Properties of Vulkan devices, and what they promise for atomics. */
#include "backends/vulkan/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/driver.h"
#include "backends/vulkan/glsl.h"
#include "backends/vulkan/play.h"
#include "base/memory.h"

enum { VENDOR_AMD = 0x1002, VENDOR_ARM = 0x13b5, VENDOR_NVIDIA = 0x10de };

enum status vulkan_find_devices(const struct vulkan_library *library, VkPhysicalDevice **devices, uint32_t *count,
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

const VkPhysicalDeviceFeatures2 *vulkan_link_features(struct vulkan_features *features)
{
    features->features.pNext = &features->since_1_1;
    features->since_1_1.pNext = &features->since_1_2;
    return &features->features;
}

void vulkan_read_features(const struct vulkan_library *library, VkPhysicalDevice physical,
                          struct vulkan_features *features)
{
    struct vulkan_features all = {.features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
                                  .since_1_1 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES},
                                  .since_1_2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES}};
    (void)vulkan_link_features(&all);
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
                      .vulkanMemoryModel = all.since_1_2.vulkanMemoryModel,
                      .vulkanMemoryModelDeviceScope = all.since_1_2.vulkanMemoryModelDeviceScope,
                      .vulkanMemoryModelAvailabilityVisibilityChains =
                          all.since_1_2.vulkanMemoryModelAvailabilityVisibilityChains}};
}

int vulkan_find_family(const struct vulkan_library *library, VkPhysicalDevice physical, uint32_t *queues)
{
    uint32_t count = 0;
    int found = -1;
    library->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
    VkQueueFamilyProperties *families = memory_take(count, sizeof *families);
    library->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count && found < 0; i++)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
            found = (int)i;
            *queues = families[i].queueCount;
        }
    free(families);
    return found;
}

static VkPhysicalDeviceLimits read_limits(const struct vulkan_library *library, VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    library->vkGetPhysicalDeviceProperties2(physical, &all);
    return all.properties.limits;
}

uint32_t vulkan_most_groups(const struct vulkan_library *library, VkPhysicalDevice physical)
{
    return read_limits(library, physical).maxComputeWorkGroupCount[0];
}

uint32_t vulkan_uniform_words(const struct vulkan_library *library, VkPhysicalDevice physical)
{
    enum { MOST = 16384 }; /* more than any draw has, and what most devices offer */
    const size_t words = read_limits(library, physical).maxUniformBufferRange / sizeof(uint32_t);
    return words < MOST ? (uint32_t)words : MOST;
}

static bool has_extension(const struct vulkan_library *library, VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    bool found = false;
    if (library->vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) != VK_SUCCESS || count == 0)
        return false;
    VkExtensionProperties *extensions = memory_take(count, sizeof *extensions);
    if (library->vkEnumerateDeviceExtensionProperties(physical, NULL, &count, extensions) == VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(extensions[i].extensionName, name) == 0;
    free(extensions);
    return found;
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
        {0x106b, "Apple"},   {VK_VENDOR_ID_MESA, "Mesa"},
    };
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
        if (vendors[i].vendor == vendor)
            return vendors[i].name;
    return "";
}

/* What every kernel needs, or NULL if the device has it. */
static const char *find_lack(const struct vulkan_library *library, VkPhysicalDevice physical, uint32_t version)
{
    struct vulkan_features features;
    uint32_t queues;
    if (version < VK_API_VERSION_1_2)
        return "Vulkan 1.2";
    vulkan_read_features(library, physical, &features);
    return !features.since_1_2.vulkanMemoryModel              ? "vulkanMemoryModel"
           : !features.since_1_2.vulkanMemoryModelDeviceScope ? "vulkanMemoryModelDeviceScope"
           : !features.since_1_2.vulkanMemoryModelAvailabilityVisibilityChains
               ? "vulkanMemoryModelAvailabilityVisibilityChains"
           : !features.since_1_2.uniformBufferStandardLayout    ? "uniformBufferStandardLayout"
           : vulkan_find_family(library, physical, &queues) < 0 ? "a queue that computes"
                                                                : NULL;
}

/* The types beside those of 32 bits. */
static unsigned list_types(const struct vulkan_features *features)
{
    const VkPhysicalDeviceFeatures *own = &features->features.features;
    return (own->shaderInt64 ? BACKEND_TYPE_LONG : 0U) |
           (features->since_1_2.shaderBufferInt64Atomics ? BACKEND_TYPE_LONG_ATOMICS : 0U) |
           (own->shaderInt16 && features->since_1_1.storageBuffer16BitAccess ? BACKEND_TYPE_SHORT : 0U) |
           (features->since_1_2.shaderInt8 && features->since_1_2.storageBuffer8BitAccess ? BACKEND_TYPE_CHAR : 0U);
}

void vulkan_describe(const struct vulkan_library *library, VkPhysicalDevice physical, unsigned index,
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
    (void)snprintf(device->driver, sizeof device->driver, "%.60s", since_1_2.driverInfo);
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
    vulkan_read_features(library, physical, &features);
    glsl_describe(device->compiler, sizeof device->compiler);
    device->takes = BACKEND_TAKES_GLSL;
    device->types = list_types(&features);
    device->edges = VULKAN_EDGES;
    device->atomic_orders = device->fence_orders = BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL;
    device->atomic_scopes = device->fence_scopes =
        BACKEND_SCOPE_SUB_GROUP | BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE;
}
