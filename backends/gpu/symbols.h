// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of the CUDA driver and of HIP's runtime that orchil uses, declared here so that no header of theirs is
 * needed to build. HIP's functions are CUDA's under other names, so that one list has both; a function that only one of
 * them has, or that differs, is below. tests/backends/test_cuda_prototypes.c and test_hip_prototypes.c compare these
 * lines with NVIDIA's and AMD's headers if they are installed.
 *
 * The types: enumerations are unsigned; a device is an int; handles are pointers to structs that nobody outside the
 * driver can see. Where HIP's type is another one of the same size and kind, it has a name here; test_hip_prototypes.c
 * gives these names HIP's types before it reads the lists.
 *
 * X(result, name, CUDA's symbol in the library, HIP's, parameters). The name is CUDA's; if a function was changed,
 * CUDA's symbol contains the version.
 */
#pragma once

#include "backends/gpu/constants_lists.h"
#include "base/base.h"

struct CUlinkState_st;
struct CUgraphNode_st;

#ifndef GPU_TYPES
#define GPU_TYPES
typedef struct CUctx_st *gpu_context;
typedef struct CUmod_st *gpu_module;
typedef struct CUfunc_st *gpu_function;
typedef struct CUstream_st *gpu_stream;
typedef struct CUevent_st *gpu_event;
typedef struct CUgraph_st *gpu_graph;
typedef struct CUgraphExec_st *gpu_instance; /* of a graph */
typedef struct CUuuid_st gpu_uuid;           /* 16 bytes */
typedef struct CUmemAllocationProp_st gpu_property;
typedef struct CUmemAccessDesc_st gpu_access;
typedef unsigned long long gpu_address; /* on the device; HIP: a pointer */
typedef unsigned long long gpu_memory_handle;
typedef const void *gpu_source; /* HIP: without const */
typedef unsigned gpu_word;      /* HIP: int */
typedef struct _nvrtcProgram *gpu_unit;
typedef const char *const *gpu_strings; /* HIP: without the second const */
#endif

#define GPU_FUNCTIONS(X)                                                                                               \
    X(unsigned, cuInit, cuInit, hipInit, (unsigned flags))                                                             \
    X(unsigned, cuDriverGetVersion, cuDriverGetVersion, hipDriverGetVersion, (int *version))                           \
    X(unsigned, cuDeviceGetCount, cuDeviceGetCount, hipGetDeviceCount, (int *count))                                   \
    X(unsigned, cuDeviceGet, cuDeviceGet, hipDeviceGet, (int *device, int index))                                      \
    X(unsigned, cuDeviceGetName, cuDeviceGetName, hipDeviceGetName, (char *name, int size, int device))                \
    X(unsigned, cuDeviceGetUuid, cuDeviceGetUuid_v2, hipDeviceGetUuid, (gpu_uuid * uuid, int device))                  \
    X(unsigned, cuDeviceTotalMem, cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t * bytes, int device))                \
    X(unsigned, cuDeviceGetAttribute, cuDeviceGetAttribute, hipDeviceGetAttribute,                                     \
      (int *value, unsigned attribute, int device))                                                                    \
    X(unsigned, cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, hipDevicePrimaryCtxRetain,                         \
      (gpu_context * context, int device))                                                                             \
    X(unsigned, cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, hipDevicePrimaryCtxRelease, (int device))     \
    X(unsigned, cuCtxSetCurrent, cuCtxSetCurrent, hipCtxSetCurrent, (gpu_context context))                             \
    X(unsigned, cuStreamCreate, cuStreamCreate, hipStreamCreateWithFlags, (gpu_stream * stream, unsigned flags))       \
    X(unsigned, cuStreamDestroy, cuStreamDestroy_v2, hipStreamDestroy, (gpu_stream stream))                            \
    X(unsigned, cuStreamSynchronize, cuStreamSynchronize, hipStreamSynchronize, (gpu_stream stream))                   \
    X(unsigned, cuModuleLoadDataEx, cuModuleLoadDataEx, hipModuleLoadDataEx,                                           \
      (gpu_module * module, const void *image, unsigned count, unsigned *options, void **values))                      \
    X(unsigned, cuModuleUnload, cuModuleUnload, hipModuleUnload, (gpu_module module))                                  \
    X(unsigned, cuModuleGetFunction, cuModuleGetFunction, hipModuleGetFunction,                                        \
      (gpu_function * function, gpu_module module, const char *name))                                                  \
    X(unsigned, cuMemAlloc, cuMemAlloc_v2, hipMalloc, (gpu_address * address, size_t bytes))                           \
    X(unsigned, cuMemFree, cuMemFree_v2, hipFree, (gpu_address address))                                               \
    X(unsigned, cuMemsetD32Async, cuMemsetD32Async, hipMemsetD32Async,                                                 \
      (gpu_address address, gpu_word word, size_t words, gpu_stream stream))                                           \
    X(unsigned, cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,                                           \
      (gpu_address to, gpu_source from, size_t bytes, gpu_stream stream))                                              \
    X(unsigned, cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync,                                           \
      (void *to, gpu_address from, size_t bytes, gpu_stream stream))                                                   \
    X(unsigned, cuLaunchKernel, cuLaunchKernel, hipModuleLaunchKernel,                                                 \
      (gpu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,   \
       unsigned block_z, unsigned shared_bytes, gpu_stream stream, void **parameters, void **extra))                   \
    X(unsigned, cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync,                                           \
      (gpu_address to, gpu_address from, size_t bytes, gpu_stream stream))                                             \
    X(unsigned, cuEventCreate, cuEventCreate, hipEventCreateWithFlags, (gpu_event * event, unsigned flags))            \
    X(unsigned, cuEventRecord, cuEventRecord, hipEventRecord, (gpu_event event, gpu_stream stream))                    \
    X(unsigned, cuEventSynchronize, cuEventSynchronize, hipEventSynchronize, (gpu_event event))                        \
    X(unsigned, cuEventDestroy, cuEventDestroy_v2, hipEventDestroy, (gpu_event event))                                 \
    X(unsigned, cuStreamWaitEvent, cuStreamWaitEvent, hipStreamWaitEvent,                                              \
      (gpu_stream stream, gpu_event event, unsigned flags))                                                            \
    X(unsigned, cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,              \
      hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,                                                              \
      (int *blocks, gpu_function function, int block_size, size_t shared_bytes))

/* Graphs of launches. */
#define GPU_GRAPH_FUNCTIONS(X)                                                                                         \
    X(unsigned, cuGraphCreate, cuGraphCreate, hipGraphCreate, (gpu_graph * graph, unsigned flags))                     \
    X(unsigned, cuGraphInstantiate, cuGraphInstantiateWithFlags, hipGraphInstantiateWithFlags,                         \
      (gpu_instance * instance, gpu_graph graph, unsigned long long flags))                                            \
    X(unsigned, cuGraphLaunch, cuGraphLaunch, hipGraphLaunch, (gpu_instance instance, gpu_stream stream))              \
    X(unsigned, cuGraphExecDestroy, cuGraphExecDestroy, hipGraphExecDestroy, (gpu_instance instance))                  \
    X(unsigned, cuGraphDestroy, cuGraphDestroy, hipGraphDestroy, (gpu_graph graph))

/* Memory shared with other sessions. */
#define GPU_SHARE_FUNCTIONS(X)                                                                                         \
    X(unsigned, cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, hipDeviceCanAccessPeer,                                  \
      (int *can, int device, int peer))                                                                                \
    X(unsigned, cuDeviceGetP2PAttribute, cuDeviceGetP2PAttribute, hipDeviceGetP2PAttribute,                            \
      (int *value, unsigned attribute, int device, int peer))                                                          \
    X(unsigned, cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, hipCtxEnablePeerAccess,                                  \
      (gpu_context peer, unsigned flags))                                                                              \
    X(unsigned, cuMemHostRegister, cuMemHostRegister_v2, hipHostRegister,                                              \
      (void *memory, size_t bytes, unsigned flags))                                                                    \
    X(unsigned, cuMemHostUnregister, cuMemHostUnregister, hipHostUnregister, (void *memory))                           \
    X(unsigned, cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, hipHostGetDevicePointer,                      \
      (gpu_address * address, void *memory, unsigned flags))

/* Memory with several addresses, and variables of modules. A CUDA driver older than 11.2 may lack some of them. */
#define GPU_MAP_FUNCTIONS(X)                                                                                           \
    X(unsigned, cuModuleGetGlobal, cuModuleGetGlobal_v2, hipModuleGetGlobal,                                           \
      (gpu_address * address, size_t * bytes, gpu_module module, const char *name))                                    \
    X(unsigned, cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, hipMemGetAllocationGranularity,          \
      (size_t * granularity, const gpu_property *property, unsigned option))                                           \
    X(unsigned, cuMemCreate, cuMemCreate, hipMemCreate,                                                                \
      (gpu_memory_handle * handle, size_t bytes, const gpu_property *property, unsigned long long flags))              \
    X(unsigned, cuMemRelease, cuMemRelease, hipMemRelease, (gpu_memory_handle handle))                                 \
    X(unsigned, cuMemAddressReserve, cuMemAddressReserve, hipMemAddressReserve,                                        \
      (gpu_address * address, size_t bytes, size_t alignment, gpu_address hint, unsigned long long flags))             \
    X(unsigned, cuMemAddressFree, cuMemAddressFree, hipMemAddressFree, (gpu_address address, size_t bytes))            \
    X(unsigned, cuMemMap, cuMemMap, hipMemMap,                                                                         \
      (gpu_address address, size_t bytes, size_t offset, gpu_memory_handle handle, unsigned long long flags))          \
    X(unsigned, cuMemUnmap, cuMemUnmap, hipMemUnmap, (gpu_address address, size_t bytes))                              \
    X(unsigned, cuMemSetAccess, cuMemSetAccess, hipMemSetAccess,                                                       \
      (gpu_address address, size_t bytes, const gpu_access *access, size_t count))

/* NVRTC and HIPRTC, the compilers of text; names of their own. */
#define GPU_COMPILER_FUNCTIONS(X)                                                                                      \
    X(unsigned, version, nvrtcVersion, hiprtcVersion, (int *major, int *minor))                                        \
    X(const char *, error_name, nvrtcGetErrorString, hiprtcGetErrorString, (unsigned code))                            \
    X(unsigned, create, nvrtcCreateProgram, hiprtcCreateProgram,                                                       \
      (gpu_unit * unit, const char *source, const char *name, int header_count, gpu_strings headers,                   \
       gpu_strings header_names))                                                                                      \
    X(unsigned, destroy, nvrtcDestroyProgram, hiprtcDestroyProgram, (gpu_unit * unit))                                 \
    X(unsigned, compile, nvrtcCompileProgram, hiprtcCompileProgram,                                                    \
      (gpu_unit unit, int option_count, gpu_strings options))                                                          \
    X(unsigned, code_size, nvrtcGetPTXSize, hiprtcGetCodeSize, (gpu_unit unit, size_t * size))                         \
    X(unsigned, code, nvrtcGetPTX, hiprtcGetCode, (gpu_unit unit, char *code))                                         \
    X(unsigned, log_size, nvrtcGetProgramLogSize, hiprtcGetProgramLogSize, (gpu_unit unit, size_t * size))             \
    X(unsigned, log, nvrtcGetProgramLog, hiprtcGetProgramLog, (gpu_unit unit, char *log))

/* What only CUDA has, or what HIP has in another form: X(result, name, symbol, parameters). */
#define CUDA_OWN_FUNCTIONS(X)                                                                                          \
    X(unsigned, cuGetErrorName, cuGetErrorName, (unsigned code, const char **name))                                    \
    X(unsigned, cuLinkCreate, cuLinkCreate_v2,                                                                         \
      (unsigned count, unsigned *options, void **values, struct CUlinkState_st **state))                               \
    X(unsigned, cuLinkAddData, cuLinkAddData_v2,                                                                       \
      (struct CUlinkState_st * state, unsigned type, void *data, size_t size, const char *name, unsigned count,        \
       unsigned *options, void **values))                                                                              \
    X(unsigned, cuLinkComplete, cuLinkComplete, (struct CUlinkState_st * state, void **code, size_t *size))            \
    X(unsigned, cuLinkDestroy, cuLinkDestroy, (struct CUlinkState_st * state))                                         \
    X(unsigned, cuFuncSetAttribute, cuFuncSetAttribute, (struct CUfunc_st * function, unsigned attribute, int value))

#define CUDA_NVRTC_FUNCTIONS(X)                                                                                        \
    X(unsigned, nvrtcGetNumSupportedArchs, nvrtcGetNumSupportedArchs, (int *count))                                    \
    X(unsigned, nvrtcGetSupportedArchs, nvrtcGetSupportedArchs, (int *architectures))

/* Launches with attributes. A driver older than CUDA 11.8 lacks them. */
struct CUlaunchConfig_st;
#define CUDA_CLUSTER_FUNCTIONS(X)                                                                                      \
    X(unsigned, cuLaunchKernelEx, cuLaunchKernelEx,                                                                    \
      (const struct CUlaunchConfig_st *config, struct CUfunc_st *function, void **parameters, void **extra))           \
    X(unsigned, cuOccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters,                                            \
      (int *clusters, struct CUfunc_st *function, const struct CUlaunchConfig_st *config))

/* Kernels as nodes of a graph. A driver older than CUDA 12.0 lacks the second version of cuGraphAddKernelNode; the
 * first version takes the same structure without its last members. */
struct CUDA_KERNEL_NODE_PARAMS_v2_st;
union CUlaunchAttributeValue_union;
#define CUDA_NODE_FUNCTIONS(X)                                                                                         \
    X(unsigned, cuGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute,                                          \
      (struct CUgraphNode_st * node, unsigned attribute, const union CUlaunchAttributeValue_union *value))
#define CUDA_NODE_FUNCTION(X, symbol)                                                                                  \
    X(unsigned, cuGraphAddKernelNode, symbol,                                                                          \
      (struct CUgraphNode_st * *node, struct CUgraph_st * graph, struct CUgraphNode_st *const *after, size_t count,    \
       const struct CUDA_KERNEL_NODE_PARAMS_v2_st *kernel))

/* For the paths of backend.h: textures and arrays over mapped memory. */
struct CUDA_RESOURCE_DESC_st;
struct CUDA_TEXTURE_DESC_st;
struct CUDA_RESOURCE_VIEW_DESC_st;
struct CUarray_st;
struct CUmipmappedArray_st;
struct CUextMemory_st;
struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st;
struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st;
struct CUDA_MEMCPY2D_st;
#define CUDA_PATH_FUNCTIONS(X)                                                                                         \
    X(unsigned, cuTexObjectCreate, cuTexObjectCreate,                                                                  \
      (unsigned long long *object, const struct CUDA_RESOURCE_DESC_st *resource,                                       \
       const struct CUDA_TEXTURE_DESC_st *texture, const struct CUDA_RESOURCE_VIEW_DESC_st *view))                     \
    X(unsigned, cuTexObjectDestroy, cuTexObjectDestroy, (unsigned long long object))                                   \
    X(unsigned, cuMemExportToShareableHandle, cuMemExportToShareableHandle,                                            \
      (void *exported, unsigned long long handle, unsigned type, unsigned long long flags))                            \
    X(unsigned, cuImportExternalMemory, cuImportExternalMemory,                                                        \
      (struct CUextMemory_st * *memory, const struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st *handle))                     \
    X(unsigned, cuDestroyExternalMemory, cuDestroyExternalMemory, (struct CUextMemory_st * memory))                    \
    X(unsigned, cuExternalMemoryGetMappedMipmappedArray, cuExternalMemoryGetMappedMipmappedArray,                      \
      (struct CUmipmappedArray_st * *array, struct CUextMemory_st * memory,                                            \
       const struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st *shape))                                              \
    X(unsigned, cuMipmappedArrayGetLevel, cuMipmappedArrayGetLevel,                                                    \
      (struct CUarray_st * *array, struct CUmipmappedArray_st * of, unsigned level))                                   \
    X(unsigned, cuMipmappedArrayDestroy, cuMipmappedArrayDestroy, (struct CUmipmappedArray_st * array))                \
    X(unsigned, cuSurfObjectCreate, cuSurfObjectCreate,                                                                \
      (unsigned long long *object, const struct CUDA_RESOURCE_DESC_st *resource))                                      \
    X(unsigned, cuSurfObjectDestroy, cuSurfObjectDestroy, (unsigned long long object))                                 \
    X(unsigned, cuMemcpy2DAsync, cuMemcpy2DAsync_v2, (const struct CUDA_MEMCPY2D_st *copy, struct CUstream_st *stream))
