// SPDX-License-Identifier: Apache-2.0
/* The parts of the C API of WebGPU that orchil uses, declared here so that no header of it is needed to build: those of
 * webgpu.h (github.com/webgpu-native/webgpu-headers) since May 2025, when bindings and limits got their present form.
 * Enumerations are uint32_t, handles are pointers to structs that nobody outside the library can see. */
#pragma once

#include "base/base.h"

struct webgpu_word { /* WGPUStringView */
    const char *data;
    size_t size;
};

struct webgpu_link { /* WGPUChainedStruct */
    const struct webgpu_link *next;
    uint32_t type;
};

enum {
    WEBGPU_SUCCESS = 1,
    WEBGPU_CPU = 3,             /* WGPUAdapterType_CPU */
    WEBGPU_VULKAN = 6,          /* WGPUBackendType_Vulkan */
    WEBGPU_CORE = 2,            /* WGPUFeatureLevel_Core */
    WEBGPU_PROCESS_EVENTS = 2,  /* WGPUCallbackMode_AllowProcessEvents */
    WEBGPU_IN_COMPUTE = 4,      /* WGPUShaderStage_Compute */
    WEBGPU_LOST_UNKNOWN = 1,    /* WGPUDeviceLostReason_Unknown; others are told when a device is released */
    WEBGPU_SOURCE_WGSL = 2,     /* WGPUSType_ShaderSourceWGSL */
    WEBGPU_TOGGLES = 0x0005000a /* WGPUSType_DawnTogglesDescriptor, of Dawn */
};

enum webgpu_power { WEBGPU_ANY_POWER, WEBGPU_LOW_POWER, WEBGPU_HIGH_PERFORMANCE };
enum webgpu_binding_type { WEBGPU_WRITABLE = 3, WEBGPU_READ_ONLY };
enum webgpu_usage { WEBGPU_MAP_READ = 1, WEBGPU_COPY_FROM = 4, WEBGPU_COPY_TO = 8, WEBGPU_STORAGE = 0x80 };

/* ---- what the library calls ---- */

typedef void webgpu_on_handle(uint32_t status, void *handle, struct webgpu_word said, void *to, void *unused);
typedef void webgpu_on_mapped(uint32_t status, struct webgpu_word said, void *to, void *unused);
typedef void webgpu_on_trouble(void *const *device, uint32_t kind, struct webgpu_word said, void *to, void *unused);

#define WEBGPU_CALLBACK(name, type)                                                                                    \
    struct name {                                                                                                      \
        const struct webgpu_link *next;                                                                                \
        uint32_t mode;                                                                                                 \
        type *call;                                                                                                    \
        void *to, *unused;                                                                                             \
    }
WEBGPU_CALLBACK(webgpu_handle_callback, webgpu_on_handle);
WEBGPU_CALLBACK(webgpu_mapped_callback, webgpu_on_mapped);
WEBGPU_CALLBACK(webgpu_lost_callback, webgpu_on_trouble);

struct webgpu_error_callback {
    const struct webgpu_link *next;
    webgpu_on_trouble *call;
    void *to, *unused;
};

/* ---- descriptors ---- */

struct webgpu_adapter_options {
    const struct webgpu_link *next;
    uint32_t level, power, only_fallback, backend;
    void *surface;
};

struct webgpu_adapter_info {
    const struct webgpu_link *next;
    struct webgpu_word vendor, architecture, device, description;
    uint32_t backend, type, vendor_number, device_number, least_sub_group, most_sub_group;
};

struct webgpu_limits {
    const struct webgpu_link *next;
    uint32_t of_textures[4], of_bindings[7];
    uint32_t storage_buffers; /* of a kernel */
    uint32_t of_stages[2];
    uint64_t uniform_bytes, storage_bytes; /* of a binding */
    uint32_t of_alignment[3];
    uint64_t buffer_bytes;
    uint32_t of_vertices[5];
    uint32_t local_bytes, group_items, group_x, group_y, group_z, groups;
    uint32_t immediate_bytes; /* since May 2025 */
};

struct webgpu_toggles {
    struct webgpu_link link;
    size_t enabled_count;
    const char *const *enabled;
    size_t disabled_count;
    const char *const *disabled;
};

struct webgpu_device_options {
    const struct webgpu_link *next;
    struct webgpu_word label;
    size_t feature_count;
    const uint32_t *features;
    const struct webgpu_limits *limits;
    const struct webgpu_link *next_of_queue;
    struct webgpu_word label_of_queue;
    struct webgpu_lost_callback lost;
    struct webgpu_error_callback error;
};

struct webgpu_wgsl {
    struct webgpu_link link;
    struct webgpu_word code;
};

struct webgpu_module_options {
    const struct webgpu_link *next;
    struct webgpu_word label;
};

struct webgpu_constant {
    const struct webgpu_link *next;
    struct webgpu_word name;
    double value;
};

struct webgpu_pipeline_options {
    const struct webgpu_link *next;
    struct webgpu_word label;
    void *layout;
    const struct webgpu_link *next_of_kernel;
    void *module;
    struct webgpu_word entry;
    size_t constant_count;
    const struct webgpu_constant *constants;
};

struct webgpu_slot { /* WGPUBindGroupLayoutEntry */
    const struct webgpu_link *next;
    uint32_t binding;
    uint64_t stages;
    uint32_t array_size;
    const struct webgpu_link *next_of_buffer;
    uint32_t type, moves;
    uint64_t least_bytes;
    uint64_t sampler[2], texture[3], storage_texture[3];
};

struct webgpu_slots {
    const struct webgpu_link *next;
    struct webgpu_word label;
    size_t count;
    const struct webgpu_slot *slots;
};

struct webgpu_layout_options {
    const struct webgpu_link *next;
    struct webgpu_word label;
    size_t count;
    void *const *groups;
    uint32_t immediate_bytes;
};

struct webgpu_binding { /* WGPUBindGroupEntry */
    const struct webgpu_link *next;
    uint32_t binding;
    void *buffer;
    uint64_t offset, bytes;
    void *sampler, *view;
};

struct webgpu_bindings {
    const struct webgpu_link *next;
    struct webgpu_word label;
    void *slots;
    size_t count;
    const struct webgpu_binding *bindings;
};

struct webgpu_buffer_options {
    const struct webgpu_link *next;
    struct webgpu_word label;
    uint64_t usage, bytes;
    uint32_t mapped;
};

/* X(result, name, parameters) */
#define WEBGPU_FUNCTIONS(X)                                                                                            \
    X(void *, wgpuCreateInstance, (const void *options))                                                               \
    X(void, wgpuInstanceProcessEvents, (void *instance))                                                               \
    X(uint64_t, wgpuInstanceRequestAdapter,                                                                            \
      (void *instance, const struct webgpu_adapter_options *options, struct webgpu_handle_callback callback))          \
    X(uint32_t, wgpuAdapterGetInfo, (void *adapter, struct webgpu_adapter_info *info))                                 \
    X(uint32_t, wgpuAdapterGetLimits, (void *adapter, struct webgpu_limits *limits))                                   \
    X(uint64_t, wgpuAdapterRequestDevice,                                                                              \
      (void *adapter, const struct webgpu_device_options *options, struct webgpu_handle_callback callback))            \
    X(void *, wgpuDeviceGetQueue, (void *device))                                                                      \
    X(void *, wgpuDeviceCreateBindGroupLayout, (void *device, const struct webgpu_slots *slots))                       \
    X(void *, wgpuDeviceCreatePipelineLayout, (void *device, const struct webgpu_layout_options *options))             \
    X(void *, wgpuDeviceCreateShaderModule, (void *device, const struct webgpu_module_options *options))               \
    X(void *, wgpuDeviceCreateComputePipeline, (void *device, const struct webgpu_pipeline_options *options))          \
    X(void *, wgpuDeviceCreateBuffer, (void *device, const struct webgpu_buffer_options *options))                     \
    X(void *, wgpuDeviceCreateBindGroup, (void *device, const struct webgpu_bindings *bindings))                       \
    X(void *, wgpuDeviceCreateCommandEncoder, (void *device, const void *options))                                     \
    X(void, wgpuCommandEncoderClearBuffer, (void *encoder, void *buffer, uint64_t offset, uint64_t bytes))             \
    X(void, wgpuCommandEncoderCopyBufferToBuffer,                                                                      \
      (void *encoder, void *from, uint64_t from_offset, void *to, uint64_t to_offset, uint64_t bytes))                 \
    X(void *, wgpuCommandEncoderBeginComputePass, (void *encoder, const void *options))                                \
    X(void, wgpuComputePassEncoderSetPipeline, (void *pass, void *pipeline))                                           \
    X(void, wgpuComputePassEncoderSetBindGroup,                                                                        \
      (void *pass, uint32_t number, void *group, size_t offset_count, const uint32_t *offsets))                        \
    X(void, wgpuComputePassEncoderDispatchWorkgroups, (void *pass, uint32_t x, uint32_t y, uint32_t z))                \
    X(void, wgpuComputePassEncoderEnd, (void *pass))                                                                   \
    X(void *, wgpuCommandEncoderFinish, (void *encoder, const void *options))                                          \
    X(void, wgpuQueueWriteBuffer, (void *queue, void *buffer, uint64_t offset, const void *data, size_t bytes))        \
    X(void, wgpuQueueSubmit, (void *queue, size_t count, void *const *commands))                                       \
    X(uint64_t, wgpuBufferMapAsync,                                                                                    \
      (void *buffer, uint64_t mode, size_t offset, size_t bytes, struct webgpu_mapped_callback callback))              \
    X(const void *, wgpuBufferGetConstMappedRange, (void *buffer, size_t offset, size_t bytes))                        \
    X(void, wgpuBufferUnmap, (void *buffer))                                                                           \
    X(void, wgpuSupportedWGSLLanguageFeaturesFreeMembers, (void)) /* not called: older libraries lack it */            \
    WEBGPU_RELEASES(X)
/* wgpu...Release */
#define WEBGPU_RELEASES(X)                                                                                             \
    X(void, wgpuInstanceRelease, (void *handle))                                                                       \
    X(void, wgpuAdapterRelease, (void *handle))                                                                        \
    X(void, wgpuDeviceRelease, (void *handle))                                                                         \
    X(void, wgpuQueueRelease, (void *handle))                                                                          \
    X(void, wgpuBindGroupLayoutRelease, (void *handle))                                                                \
    X(void, wgpuPipelineLayoutRelease, (void *handle))                                                                 \
    X(void, wgpuShaderModuleRelease, (void *handle))                                                                   \
    X(void, wgpuComputePipelineRelease, (void *handle))                                                                \
    X(void, wgpuBufferRelease, (void *handle))                                                                         \
    X(void, wgpuBindGroupRelease, (void *handle))                                                                      \
    X(void, wgpuCommandEncoderRelease, (void *handle))                                                                 \
    X(void, wgpuComputePassEncoderRelease, (void *handle))                                                             \
    X(void, wgpuCommandBufferRelease, (void *handle))
