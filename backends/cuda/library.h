// SPDX-License-Identifier: Apache-2.0
/* The CUDA driver and NVRTC, opened at run time. Both stay loaded until the process ends. */
#ifndef ORCHIL_CUDA_LIBRARY_H
#define ORCHIL_CUDA_LIBRARY_H

#include <stdbool.h>

#include "backends/cuda/symbols.h"
#include "base/status.h"
#include "base/text.h"

/* CUlaunchAttribute with cluster dimensions, CUlaunchConfig, and CUDA_KERNEL_NODE_PARAMS of
 * cuda.h. */
union CUlaunchAttributeValue_union {
    char room[64];
    struct {
        unsigned x, y, z;
    } cluster;
};

struct cuda_attribute {
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
    struct cuda_attribute *attributes;
    unsigned attribute_count;
};

#define CUDA_ENUM(ours, theirs, value) ours = (value),
enum cuda_constant { CUDA_CONSTANTS(CUDA_ENUM) };
#undef CUDA_ENUM

#define CUDA_MEMBER(result, name, symbol, parameters) result(*name) parameters;
struct cuda_driver {
    void *handle;
    int version; /* of the driver's interface: 13000 for CUDA 13.0 */
    CUDA_DRIVER_FUNCTIONS(CUDA_MEMBER)
    CUDA_CLUSTER_FUNCTIONS(CUDA_MEMBER) /* all NULL if the driver lacks one */
    CUDA_GRAPH_FUNCTIONS(CUDA_MEMBER)   /* cuGraphCreate is NULL if the driver lacks one of these or the next */
    CUDA_NODE_FUNCTION(CUDA_MEMBER, )
    CUDA_PATH_FUNCTIONS(CUDA_MEMBER)  /* cuMemMap is NULL if the driver lacks one */
    CUDA_SHARE_FUNCTIONS(CUDA_MEMBER) /* cuMemHostRegister is NULL if the driver lacks one */
};

struct cuda_nvrtc {
    void *handle;
    int major, minor;
    CUDA_NVRTC_FUNCTIONS(CUDA_MEMBER)
};

struct cuda_nvml {
    void *handle;
    CUDA_NVML_FUNCTIONS(CUDA_MEMBER)
    CUDA_NVML_DEVICE_FUNCTIONS(CUDA_MEMBER) /* each NULL if NVML lacks it */
};
#undef CUDA_MEMBER

/* Opens libcuda.so.1 and initialises it. NO_DEVICE, with what to do, if the library is missing or
 * finds no hardware. */
enum status cuda_driver_open(struct cuda_driver *driver, struct error *error);

/*
 * Opens NVRTC: the file that ORCHIL_NVRTC names, else the newest one found whose PTX a driver of
 * the given version can read, else the newest one found. driver_version 0: any. BUILD_FAILED, with
 * the places searched and how to get it, if there is none.
 */
enum status cuda_nvrtc_open(struct cuda_nvrtc *nvrtc, int driver_version, struct error *error);

/* Opens NVML; false if it is missing. */
bool cuda_nvml_open(struct cuda_nvml *nvml);

/* Reports a failed call of the driver. DEVICE_LOST, which ends the session, if the code means
 * that. */
struct backend_device;
enum status cuda_call_failed(const struct cuda_driver *driver, const struct backend_device *device, const char *call,
                             unsigned code, struct error *error);

/* The name of a driver's error code: the driver's own, or "an unknown CUDA error". */
const char *cuda_error_name(const struct cuda_driver *driver, unsigned code);

/* Whether a code leaves the process unable to use the device (NVIDIA: "the process must be
 * terminated"). */
bool cuda_error_is_loss(unsigned code);

/* Whether a code of cuModuleLoadDataEx means that the device code was refused. */
bool cuda_error_is_refusal(unsigned code);

enum { CUDA_REFUSAL_OF_VERSION = 222 }; /* CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the PTX is newer than the driver */

#endif
