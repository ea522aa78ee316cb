// SPDX-License-Identifier: Apache-2.0
/* Opening the Vulkan loader; error codes. */
#include "backends/vulkan/library.h"

#include <dlfcn.h>

#include "backends/driver.h"

static const struct driver_symbol symbols[] = {
#define VULKAN_SYMBOL(function) {#function, offsetof(struct vulkan_library, function)},
    VULKAN_FUNCTIONS(VULKAN_SYMBOL)};

/* A function by its name; NULL if the loader lacks it. */
static PFN_vkVoidFunction library_find_function(PFN_vkGetInstanceProcAddr get, VkInstance instance, const char *name)
{
    return get ? get(instance, name) : NULL;
}

static enum status create_instance(struct vulkan_library *library, PFN_vkGetInstanceProcAddr get, struct error *error)
{
    const PFN_vkEnumerateInstanceVersion read_version =
        (PFN_vkEnumerateInstanceVersion)library_find_function(get, NULL, "vkEnumerateInstanceVersion");
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)library_find_function(get, NULL, "vkCreateInstance");
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "orchil", .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    if (!create || !read_version || read_version(&library->version) != VK_SUCCESS ||
        library->version < VK_API_VERSION_1_2)
        return error_set(error, STATUS_NO_DEVICE, "%s is older than Vulkan 1.2; install a newer libvulkan1",
                         driver_library_path(library->handle));
    const VkResult code = create(&info, NULL, &library->instance);
    return code == VK_SUCCESS ? STATUS_OK
                              : error_set(error, STATUS_NO_DEVICE,
                                          "vkCreateInstance failed: %s; install a driver, such as mesa-vulkan-drivers",
                                          vulkan_error_name(code));
}

enum status vulkan_library_open(struct vulkan_library *library, struct error *error)
{
    driver_disable_caches();
    library->handle = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library->handle)
        return error_set(error, STATUS_NO_DEVICE,
                         "cannot open the Vulkan loader: %s; install libvulkan1 and a driver, such as "
                         "mesa-vulkan-drivers",
                         dlerror());
    const PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)dlsym(library->handle, "vkGetInstanceProcAddr");
    TRY(create_instance(library, get, error));
    for (size_t i = 0; i < COUNT(symbols); i++) {
        const PFN_vkVoidFunction function = library_find_function(get, library->instance, symbols[i].name);
        if (!function)
            return error_set(error, STATUS_NO_DEVICE, "%s has no %s", driver_library_path(library->handle),
                             symbols[i].name);
        memcpy((char *)library + symbols[i].offset, &function, sizeof function);
    }
    return STATUS_OK;
}

void vulkan_library_close(struct vulkan_library *library)
{
    if (library->instance && library->vkDestroyInstance)
        library->vkDestroyInstance(library->instance, NULL);
    library->instance = NULL;
}

const char *vulkan_error_name(VkResult code)
{
    static const struct {
        VkResult code;
        const char *name;
    } names[] = {
#define VULKAN_RESULT(code) {code, #code},
        VULKAN_RESULTS(VULKAN_RESULT)};
    return VALUE_OF(const char *, row, names, COUNT(names), row->code == code, row->name, "an unknown Vulkan error");
}

enum status vulkan_call_failed(const struct backend_device *device, const char *call, VkResult code,
                               struct error *error)
{
    const char *lost = code == VK_ERROR_DEVICE_LOST
                           ? "a kernel accessed memory out of bounds or ran too long, or the driver reset the device"
                           : NULL;
    return driver_call_failed(device, call, vulkan_error_name(code), lost, error);
}
