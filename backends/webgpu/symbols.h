// SPDX-License-Identifier: Apache-2.0
/* The parts of the C API of WebGPU that orchil uses, declared here so that no header of it is needed to build: those of
 * webgpu.h (github.com/webgpu-native/webgpu-headers) since May 2025, when bindings and limits got their present form.
 * Enumerations are uint32_t, handles are pointers to structs that nobody outside the library can see. */
#pragma once

#include "backends/webgpu/symbols_lists.h"
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
    WEBGPU_CPU = 3,            /* WGPUAdapterType_CPU */
    WEBGPU_VULKAN = 6,         /* WGPUBackendType_Vulkan */
    WEBGPU_CORE = 2,           /* WGPUFeatureLevel_Core */
    WEBGPU_PROCESS_EVENTS = 2, /* WGPUCallbackMode_AllowProcessEvents */
    WEBGPU_IN_COMPUTE = 4,     /* WGPUShaderStage_Compute */
    WEBGPU_LOST = 1,           /* WGPUDeviceLostReason_Unknown; the others are told of a device that is released */
    WEBGPU_WGSL = 2,           /* WGPUSType_ShaderSourceWGSL */
    WEBGPU_TOGGLES = 0x5000a   /* WGPUSType_DawnTogglesDescriptor */
};

enum { WEBGPU_LOW_POWER = 1, WEBGPU_HIGH_PERFORMANCE };
enum { WEBGPU_WRITABLE = 3, WEBGPU_READ_ONLY }; /* WGPUBufferBindingType */
enum { WEBGPU_MAP_READ = 1, WEBGPU_COPY_FROM = 4, WEBGPU_COPY_TO = 8, WEBGPU_STORAGE = 0x80 };

/* ---- what the library calls ---- */

typedef void webgpu_on_handle(uint32_t status, void *handle, struct webgpu_word said, void *to, void *unused);
typedef void webgpu_on_mapped(uint32_t status, struct webgpu_word said, void *to, void *unused);
typedef void webgpu_on_trouble(void *const *device, uint32_t kind, struct webgpu_word said, void *to, void *unused);

/* WGPU...CallbackInfo. */
struct webgpu_callback {
    const struct webgpu_link *next;
    uint32_t mode;
    union {
        webgpu_on_handle *handle;
        webgpu_on_mapped *mapped;
        webgpu_on_trouble *trouble;
    } call;
    void *to, *unused;
};

/* ---- descriptors: WGPU... without WGPU, Descriptor and Info ---- */

struct webgpu_head {
    const struct webgpu_link *next;
    struct webgpu_word label;
};

struct webgpu_request_adapter_options {
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
    uint32_t of_textures[4], of_bindings[10];
    uint64_t uniform_bytes, storage_bytes; /* of a binding */
    uint32_t of_alignment[3];
    uint64_t buffer_bytes;
    uint32_t of_vertices[5];
    uint32_t local_bytes, group_items, group_x, group_y, group_z, groups;
    uint32_t immediate_bytes; /* since May 2025 */
};

struct webgpu_toggles { /* of Dawn */
    struct webgpu_link link;
    size_t enabled_count;
    const char *const *enabled;
    size_t disabled_count;
    const char *const *disabled;
};

struct webgpu_device {
    struct webgpu_head head;
    size_t feature_count;
    const uint32_t *features;
    const struct webgpu_limits *limits;
    struct webgpu_head queue;
    struct webgpu_callback lost;
    const struct webgpu_link *next_of_error; /* a callback without a mode */
    webgpu_on_trouble *error;
    void *to, *unused;
};

struct webgpu_shader_source_wgsl {
    struct webgpu_link link;
    struct webgpu_word code;
};

struct webgpu_constant_entry {
    const struct webgpu_link *next;
    struct webgpu_word name;
    double value;
};

struct webgpu_compute_pipeline {
    struct webgpu_head head;
    void *layout;
    const struct webgpu_link *next_of_kernel;
    void *module;
    struct webgpu_word entry;
    size_t constant_count;
    const struct webgpu_constant_entry *constants;
};

struct webgpu_bind_group_layout_entry {
    const struct webgpu_link *next;
    uint32_t binding;
    uint64_t stages;
    uint32_t array_size; /* since May 2025 */
    const struct webgpu_link *next_of_buffer;
    uint32_t type, moves;
    uint64_t least_bytes, sampler[2], texture[3], storage_texture[3];
};

struct webgpu_layout { /* of a bind group, which has no immediate_bytes, or of a pipeline */
    struct webgpu_head head;
    size_t count;
    const void *entries; /* or handles of the first kind */
    uint32_t immediate_bytes;
};

struct webgpu_bind_group_entry {
    const struct webgpu_link *next;
    uint32_t binding;
    void *buffer;
    uint64_t offset, bytes;
    void *sampler, *view;
};

struct webgpu_bind_group {
    struct webgpu_head head;
    void *layout;
    size_t count;
    const struct webgpu_bind_group_entry *entries;
};

struct webgpu_buffer {
    struct webgpu_head head;
    uint64_t usage, bytes;
    uint32_t mapped;
};
