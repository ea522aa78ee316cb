// SPDX-License-Identifier: Apache-2.0
/* The driver API that CUDA and HIP have in common, as a table of functions: the libraries are opened at run time, and
 * stay loaded until the process ends. Functions have CUDA's names, whose documentation ("CUDA Driver API") also says
 * what HIP's do ("HIP Porting Driver API Guide"). */
#pragma once

#include "backends/backend.h"
#include "backends/driver.h"
#include "backends/gpu/symbols.h"

/* CUlaunchAttribute with cluster dimensions or for a programmatic launch, CUlaunchConfig, and CUDA_KERNEL_NODE_PARAMS
 * of cuda.h. */
union CUlaunchAttributeValue_union {
    char room[64];
    struct {
        unsigned x, y, z;
    } cluster;
    int programmatic;
};

struct CUlaunchAttribute_st {
    unsigned id;
    unsigned pad;
    union CUlaunchAttributeValue_union value;
};

struct CUDA_KERNEL_NODE_PARAMS_v2_st {
    struct CUfunc_st *function;
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    void **parameters, **extra;
    void *kernel; /* used if function is NULL */
    struct CUctx_st *context;
};

struct CUlaunchConfig_st {
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    unsigned shared_bytes;
    struct CUstream_st *stream;
    struct CUlaunchAttribute_st *attributes;
    unsigned attribute_count;
};

#define CUDA_ENUM(ours, theirs, value) ours = (value),
enum cuda_constant { CUDA_CONSTANTS(CUDA_ENUM) };
#undef CUDA_ENUM

#define CUDA_ENUM(name, value, loss) name = (value),
enum cuda_code { CUDA_ERRORS(CUDA_ENUM) };
#undef CUDA_ENUM

struct gpu_api;

/* What differs between CUDA and HIP. */
/* Facts about the whole machine, as each backend says them (cuda.c, hip.c); empty: unknown. */
struct gpu_software {
    char driver[128], platform[96], compiler[128];
};

struct gpu_driver {
    const struct backend *backend;
    const char *title;           /* for people: "CUDA", "HIP" */
    const char *call;            /* in a sentence: "the CUDA driver", "HIP" */
    const char *vendor;          /* of its devices */
    const char *hiding_variable; /* in the environment, names the devices to be seen */
    bool is_hip;                 /* the library has HIP's names */
    size_t shared_unasked;       /* bytes of dynamic shared memory that every kernel may use */
    /* Opens the library and initialises it. NO_DEVICE, with what to do, if it is missing or finds no hardware. */
    enum status (*open)(struct gpu_api *api, struct error *error);
    void (*describe_software)(const struct gpu_api *api, struct gpu_software *software);
    /* Fills in what the other driver does not say, or says differently, of device number id. */
    void (*describe)(const struct gpu_api *api, const struct gpu_software *software, int id,
                     struct backend_device *device);
    const char *lacks; /* why a device takes no kernels: "orchil needs sm_70 or later, ..." */
};

#define GPU_MEMBER(result, name, cuda, hip, parameters) result(*name) parameters;
#define CUDA_MEMBER(result, name, symbol, parameters) result(*name) parameters;
struct gpu_api {
    const struct gpu_driver *driver; /* whose functions these are */
    void *handle;
    int version; /* of the driver's interface: 13000 for CUDA 13.0, 50221153 for HIP 5.2.21153 */
    GPU_FUNCTIONS(GPU_MEMBER)
    GPU_GRAPH_FUNCTIONS(GPU_MEMBER) /* cuGraphCreate is NULL if the driver lacks one of these, or cannot add kernels */
    GPU_SHARE_FUNCTIONS(GPU_MEMBER) /* cuMemHostRegister is NULL if the driver lacks one */
    GPU_MAP_FUNCTIONS(GPU_MEMBER)   /* cuMemMap is NULL if the driver lacks one */
    CUDA_OWN_FUNCTIONS(CUDA_MEMBER) /* of HIP: cuGetErrorName only */
    CUDA_CLUSTER_FUNCTIONS(CUDA_MEMBER) /* all NULL if the driver lacks one */
    CUDA_NODE_FUNCTIONS(CUDA_MEMBER)
    CUDA_NODE_FUNCTION(CUDA_MEMBER, )
    CUDA_PATH_FUNCTIONS(CUDA_MEMBER) /* cuTexObjectCreate is NULL if the driver lacks one */
    /* Memory that other devices reach while kernels run. NULL: that of cuMemAlloc is such memory. */
    unsigned (*allocate_shared)(unsigned long long *address, size_t bytes);
};

/* NVRTC, or HIPRTC. */
struct gpu_compiler {
    void *handle;
    bool is_hip;
    int major, minor; /* as it says: NVRTC 13.0; HIPRTC 9.0 for HIP 5, 6.2, 7.0 */
    GPU_COMPILER_FUNCTIONS(GPU_MEMBER)
    CUDA_NVRTC_FUNCTIONS(CUDA_MEMBER) /* of HIP: NULL */
};
#undef CUDA_MEMBER
#undef GPU_MEMBER

/* Fills the functions that NVRTC and HIPRTC have in common from compiler->handle, and asks for the version; false if
 * one is missing. */
bool gpu_load_compiler(struct gpu_compiler *compiler);

/* Reports a failed call of a compiler: BUILD_FAILED. call: the function's name in NVRTC. */
enum status gpu_compiler_failed(const struct gpu_compiler *compiler, const char *call, unsigned code,
                                struct error *error);

/* A text to compile. */
struct gpu_text {
    const char *source, *name; /* name: of its file, in messages */
    const char *architecture;  /* for the message if it is refused */
    const char *const *options;
    int option_count;
    const char *const *folders;       /* in which it finds what it includes, NULL-terminated; or NULL */
    const char *header, *header_name; /* that it may include; NULL: none */
};

/* Compiles a text, and appends its code and, whatever the result, the compiler's output. BUILD_FAILED if it is
 * refused. */
enum status gpu_compile(const struct gpu_compiler *compiler, const struct gpu_text *text, struct text *code,
                        struct text *log, struct error *error);

/* Fills the functions that CUDA and HIP have in common from api->handle. NULL, or the name of the first one without
 * which nothing works. */
const char *gpu_load_functions(struct gpu_api *api);

/* Reports a failed call of the driver, by the name that the function has in it. DEVICE_LOST, which ends the session, if
 * the code means that. */
enum status gpu_call_failed(const struct gpu_api *api, const struct backend_device *device, const char *call,
                            unsigned code, struct error *error);

/* Returns from the function if a call of the driver fails. */
#define GPU_CALL(api, device, function, ...)                                                                           \
    do {                                                                                                               \
        const unsigned call_code = (api)->function(__VA_ARGS__);                                                       \
        if (call_code != 0)                                                                                            \
            return gpu_call_failed(api, device, #function, call_code, error);                                          \
    } while (0)

/* The name that the function has in the driver; other words stay as they are. */
const char *gpu_function_name(const struct gpu_api *api, const char *call);

/* The name of a driver's error code: the driver's own, or "an unknown CUDA error". */
const char *gpu_error_name(const struct gpu_api *api, unsigned code);

/* Whether a code leaves the process unable to use the device (NVIDIA: "the process must be terminated"). HIP's codes
 * have the same numbers. */
bool gpu_error_is_loss(unsigned code);

/* An attribute of a device, by the driver's number of the device; 0 if the driver does not report it. */
unsigned gpu_attribute(const struct gpu_api *api, int id, enum cuda_constant attribute);
