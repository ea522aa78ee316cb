// SPDX-License-Identifier: Apache-2.0
/*
 * A Vulkan layer (VK_LAYER_ORCHIL_failing) between orchil and a driver, for tests: it makes one call of a process fail.
 * It knows one device in a process, as orchil's workers have.
 *
 *   FAIL_CALL    the function, one of CALL_LIST; without it none fails. It may be set while the process runs
 *   FAIL_AT      which of its calls, from 1; without it all
 *   FAIL_AS      a number, which the call returns without being made (VkResult: -4 is VK_ERROR_DEVICE_LOST); or `hang`,
 *                it never returns; or `crash`, it ends the process
 *   FAIL_ONCE    a file that is created when the call fails; where it exists, none fails
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vk_layer.h>

static PFN_vkGetInstanceProcAddr next_of_instance;
static PFN_vkGetDeviceProcAddr next_of_device;
static VkInstance instance;
static VkDevice device;

/* ---- which call fails ---- */

/* Whether this is the first process that asks, if FAIL_ONCE is set. */
static bool is_first(void)
{
    const char *once = getenv("FAIL_ONCE");
    const int created = once ? open(once, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (created >= 0)
        (void)close(created);
    return !once || created >= 0;
}

/* Whether this call fails, and with which result. */
static bool fails(const char *call, atomic_long *calls, VkResult *result)
{
    const char *failing = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"), *as = getenv("FAIL_AS");
    if (!failing || !as || strcmp(call, failing) != 0)
        return false;
    const long number = atomic_fetch_add(calls, 1) + 1;
    if ((at && number != strtol(at, NULL, 10)) || !is_first())
        return false;
    if (strcmp(as, "crash") == 0)
        abort();
    while (strcmp(as, "hang") == 0)
        (void)pause();
    *result = (VkResult)strtol(as, NULL, 10);
    return true;
}

/* ---- the calls ---- */

/* X(name, parameters, their names): functions of a device that return a VkResult. */
#define CALL_LIST(X)                                                                                                   \
    X(vkCreateBuffer, (VkDevice d, const VkBufferCreateInfo *i, const VkAllocationCallbacks *a, VkBuffer *b),          \
      (d, i, a, b))                                                                                                    \
    X(vkAllocateMemory,                                                                                                \
      (VkDevice d, const VkMemoryAllocateInfo *i, const VkAllocationCallbacks *a, VkDeviceMemory *m), (d, i, a, m))    \
    X(vkBindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o), (d, b, m, o))                    \
    X(vkMapMemory, (VkDevice d, VkDeviceMemory m, VkDeviceSize o, VkDeviceSize s, VkMemoryMapFlags f, void **p),       \
      (d, m, o, s, f, p))                                                                                              \
    X(vkCreateShaderModule,                                                                                            \
      (VkDevice d, const VkShaderModuleCreateInfo *i, const VkAllocationCallbacks *a, VkShaderModule *m),              \
      (d, i, a, m))                                                                                                    \
    X(vkCreateComputePipelines,                                                                                        \
      (VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *i,                                \
       const VkAllocationCallbacks *a, VkPipeline *p),                                                                 \
      (d, c, n, i, a, p))                                                                                              \
    X(vkCreateDescriptorPool,                                                                                          \
      (VkDevice d, const VkDescriptorPoolCreateInfo *i, const VkAllocationCallbacks *a, VkDescriptorPool *p),          \
      (d, i, a, p))                                                                                                    \
    X(vkAllocateDescriptorSets, (VkDevice d, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *s), (d, i, s))     \
    X(vkCreateSemaphore, (VkDevice d, const VkSemaphoreCreateInfo *i, const VkAllocationCallbacks *a, VkSemaphore *s), \
      (d, i, a, s))                                                                                                    \
    X(vkBeginCommandBuffer, (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))                            \
    X(vkEndCommandBuffer, (VkCommandBuffer c), (c))                                                                    \
    X(vkQueueSubmit, (VkQueue q, uint32_t n, const VkSubmitInfo *i, VkFence f), (q, n, i, f))                          \
    X(vkWaitForFences, (VkDevice d, uint32_t n, const VkFence *f, VkBool32 all, uint64_t t), (d, n, f, all, t))        \
    X(vkResetFences, (VkDevice d, uint32_t n, const VkFence *f), (d, n, f))                                            \
    X(vkWaitSemaphores, (VkDevice d, const VkSemaphoreWaitInfo *i, uint64_t t), (d, i, t))

#define DEFINE_CALL(name, parameters, values)                                                                          \
    static VKAPI_ATTR VkResult VKAPI_CALL failing_##name parameters                                                    \
    {                                                                                                                  \
        static atomic_long calls;                                                                                      \
        VkResult result;                                                                                               \
        return fails(#name, &calls, &result) ? result : ((PFN_##name)next_of_device(device, #name))values;             \
    }
CALL_LIST(DEFINE_CALL)

/* ---- the layer ---- */

/* Finds the layer below, in the list that the loader gives to the creation of an instance or a device, and takes it
 * from there. */
static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator, VkInstance *created)
{
    VkLayerInstanceCreateInfo *chain = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (chain &&
           !(chain->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO && chain->function == VK_LAYER_LINK_INFO))
        chain = (VkLayerInstanceCreateInfo *)(uintptr_t)chain->pNext;
    if (!chain)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_of_instance = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
    const VkResult result =
        ((PFN_vkCreateInstance)next_of_instance(NULL, "vkCreateInstance"))(info, allocator, created);
    instance = *created;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator, VkDevice *created)
{
    static atomic_long calls;
    VkResult result;
    VkLayerDeviceCreateInfo *chain = (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
    while (chain &&
           !(chain->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO && chain->function == VK_LAYER_LINK_INFO))
        chain = (VkLayerDeviceCreateInfo *)(uintptr_t)chain->pNext;
    if (!chain)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (fails("vkCreateDevice", &calls, &result))
        return result;
    next_of_device = chain->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
    result = ((PFN_vkCreateDevice)next_of_instance(instance, "vkCreateDevice"))(physical, info, allocator, created);
    device = *created;
    return result;
}

static PFN_vkVoidFunction find(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } calls[] = {
#define ROW(name, parameters, values) {#name, (PFN_vkVoidFunction)failing_##name},
        CALL_LIST(ROW)
#undef ROW
            {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)vkGetInstanceProcAddr},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)vkGetDeviceProcAddr},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            return calls[i].function;
    return NULL;
}

VK_LAYER_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance of, const char *name)
{
    const PFN_vkVoidFunction ours = find(name);
    return ours || !next_of_instance ? ours : next_of_instance(of, name);
}

VK_LAYER_EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice of, const char *name)
{
    const PFN_vkVoidFunction ours = find(name);
    return ours || !next_of_device ? ours : next_of_device(of, name);
}
