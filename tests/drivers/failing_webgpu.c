// SPDX-License-Identifier: Apache-2.0
/* A library of WebGPU that plays nothing, for tests of what orchil makes of a library's failures. FAIL_AS says how it
 * fails: `none`, `old`, `device`, `kernel`, `map` or `lost`. */
#include "backends/webgpu/symbols.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* These have functions of their own; all others succeed, and do nothing. */
#define wgpuInstanceRequestAdapter ignored_request_adapter
#define wgpuAdapterGetInfo ignored_get_info
#define wgpuAdapterGetLimits ignored_get_limits
#define wgpuAdapterRequestDevice ignored_request_device
#define wgpuDeviceCreateShaderModule ignored_create_shader_module
#define wgpuBufferMapAsync ignored_map
#define wgpuBufferGetConstMappedRange ignored_get_range
#define wgpuQueueSubmit ignored_submit
#define STUB(result, name, parameters)                                                                                 \
    result wgpu##name parameters                                                                                       \
    {                                                                                                                  \
        return (result)1;                                                                                              \
    }
#define STUB_RELEASE(object) STUB(void, object##Release, (void *handle))
WEBGPU_FUNCTIONS(STUB)
WEBGPU_RELEASES(STUB_RELEASE)
#undef wgpuInstanceRequestAdapter
#undef wgpuAdapterGetInfo
#undef wgpuAdapterGetLimits
#undef wgpuAdapterRequestDevice
#undef wgpuDeviceCreateShaderModule
#undef wgpuBufferMapAsync
#undef wgpuBufferGetConstMappedRange
#undef wgpuQueueSubmit

#define WORD(text) ((struct webgpu_word){text, sizeof text - 1})

static struct webgpu_device device;

static bool fails_as(const char *fault)
{
    const char *chosen = getenv("FAIL_AS");
    return chosen && strcmp(chosen, fault) == 0;
}

uint64_t wgpuInstanceRequestAdapter(void *instance, const struct webgpu_request_adapter_options *options,
                                    struct webgpu_callback callback)
{
    callback.call.handle(1, fails_as("none") ? NULL : &device, WORD("planted: no adapter"), callback.to, NULL);
    return 1;
}

uint32_t wgpuAdapterGetInfo(void *adapter, struct webgpu_adapter_info *info)
{
    info->vendor = info->device = WORD("planted");
    info->description = WORD("1.0");
    return 1;
}

uint32_t wgpuAdapterGetLimits(void *adapter, struct webgpu_limits *limits)
{
    *limits = (struct webgpu_limits){.immediate_bytes = limits->immediate_bytes,
                                     .storage_bytes = 1 << 30,
                                     .buffer_bytes = 1 << 30,
                                     .local_bytes = 16384,
                                     .group_items = 256,
                                     .group_x = 256,
                                     .groups = 65535};
    if (!fails_as("old"))
        limits->immediate_bytes = 0;
    return 1;
}

uint64_t wgpuAdapterRequestDevice(void *adapter, const struct webgpu_device *options, struct webgpu_callback callback)
{
    device = *options;
    callback.call.handle(1, fails_as("device") ? NULL : &device, WORD("planted: no device"), callback.to, NULL);
    return 1;
}

void *wgpuDeviceCreateShaderModule(void *own, const struct webgpu_head *options)
{
    if (fails_as("kernel"))
        device.error(NULL, 1, WORD("planted: no kernel\nin its second line"), device.to, NULL);
    return own;
}

void wgpuQueueSubmit(void *queue, size_t count, void *const *commands)
{
    if (fails_as("lost"))
        device.lost.call.trouble(NULL, WEBGPU_LOST, WORD("planted: the device fell off\nat a line"), device.lost.to,
                                 NULL);
}

uint64_t wgpuBufferMapAsync(void *buffer, uint64_t mode, size_t offset, size_t bytes, struct webgpu_callback callback)
{
    callback.call.mapped(fails_as("map") ? 3 : 1, WORD("planted: no map"), callback.to, NULL);
    return 1;
}

const void *wgpuBufferGetConstMappedRange(void *buffer, size_t offset, size_t bytes)
{
    static const char zeros[1 << 20];
    return bytes <= sizeof zeros ? zeros : NULL;
}
