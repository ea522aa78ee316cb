// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of the CUDA driver, NVRTC and NVML that orchil uses, declared here so that no CUDA
 * header is needed to build. tests/backends/test_cuda_prototypes.c compares these lines with
 * NVIDIA's headers if they are installed.
 *
 * The types: NVIDIA's enumerations are unsigned; CUdevice is int; CUdeviceptr is unsigned long
 * long; handles are pointers to structs that nobody outside the driver can see.
 *
 * X(result, name, symbol in the library, parameters). If a function was changed, its symbol
 * contains the version.
 */
#ifndef ORCHIL_CUDA_SYMBOLS_H
#define ORCHIL_CUDA_SYMBOLS_H

#include <stddef.h>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUlinkState_st;
struct CUuuid_st; /* 16 bytes */
struct _nvrtcProgram;
struct nvmlDevice_st;
struct nvmlProcessInfo_st;

#define CUDA_DRIVER_FUNCTIONS(X)                                                                                       \
    X(unsigned, cuInit, cuInit, (unsigned flags))                                                                      \
    X(unsigned, cuDriverGetVersion, cuDriverGetVersion, (int *version))                                                \
    X(unsigned, cuGetErrorName, cuGetErrorName, (unsigned code, const char **name))                                    \
    X(unsigned, cuDeviceGetCount, cuDeviceGetCount, (int *count))                                                      \
    X(unsigned, cuDeviceGet, cuDeviceGet, (int *device, int index))                                                    \
    X(unsigned, cuDeviceGetName, cuDeviceGetName, (char *name, int size, int device))                                  \
    X(unsigned, cuDeviceGetUuid, cuDeviceGetUuid_v2, (struct CUuuid_st * uuid, int device))                            \
    X(unsigned, cuDeviceTotalMem, cuDeviceTotalMem_v2, (size_t * bytes, int device))                                   \
    X(unsigned, cuDeviceGetAttribute, cuDeviceGetAttribute, (int *value, unsigned attribute, int device))              \
    X(unsigned, cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (struct CUctx_st * *context, int device))          \
    X(unsigned, cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (int device))                                 \
    X(unsigned, cuCtxSetCurrent, cuCtxSetCurrent, (struct CUctx_st * context))                                         \
    X(unsigned, cuStreamCreate, cuStreamCreate, (struct CUstream_st * *stream, unsigned flags))                        \
    X(unsigned, cuStreamDestroy, cuStreamDestroy_v2, (struct CUstream_st * stream))                                    \
    X(unsigned, cuStreamSynchronize, cuStreamSynchronize, (struct CUstream_st * stream))                               \
    X(unsigned, cuModuleLoadDataEx, cuModuleLoadDataEx,                                                                \
      (struct CUmod_st * *module, const void *image, unsigned count, unsigned *options, void **values))                \
    X(unsigned, cuLinkCreate, cuLinkCreate_v2,                                                                         \
      (unsigned count, unsigned *options, void **values, struct CUlinkState_st **state))                               \
    X(unsigned, cuLinkAddData, cuLinkAddData_v2,                                                                       \
      (struct CUlinkState_st * state, unsigned type, void *data, size_t size, const char *name, unsigned count,        \
       unsigned *options, void **values))                                                                              \
    X(unsigned, cuLinkComplete, cuLinkComplete, (struct CUlinkState_st * state, void **code, size_t *size))            \
    X(unsigned, cuLinkDestroy, cuLinkDestroy, (struct CUlinkState_st * state))                                         \
    X(unsigned, cuModuleUnload, cuModuleUnload, (struct CUmod_st * module))                                            \
    X(unsigned, cuModuleGetFunction, cuModuleGetFunction,                                                              \
      (struct CUfunc_st * *function, struct CUmod_st * module, const char *name))                                      \
    X(unsigned, cuFuncSetAttribute, cuFuncSetAttribute, (struct CUfunc_st * function, unsigned attribute, int value))  \
    X(unsigned, cuMemAlloc, cuMemAlloc_v2, (unsigned long long *address, size_t bytes))                                \
    X(unsigned, cuMemFree, cuMemFree_v2, (unsigned long long address))                                                 \
    X(unsigned, cuMemsetD32Async, cuMemsetD32Async,                                                                    \
      (unsigned long long address, unsigned word, size_t words, struct CUstream_st *stream))                           \
    X(unsigned, cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                                                               \
      (unsigned long long to, const void *from, size_t bytes, struct CUstream_st *stream))                             \
    X(unsigned, cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                                               \
      (void *to, unsigned long long from, size_t bytes, struct CUstream_st *stream))                                   \
    X(unsigned, cuLaunchKernel, cuLaunchKernel,                                                                        \
      (struct CUfunc_st * function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,               \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, struct CUstream_st *stream, void **parameters,       \
       void **extra))                                                                                                  \
    X(unsigned, cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                                                               \
      (unsigned long long to, unsigned long long from, size_t bytes, struct CUstream_st *stream))                      \
    X(unsigned, cuEventCreate, cuEventCreate, (struct CUevent_st * *event, unsigned flags))                            \
    X(unsigned, cuEventRecord, cuEventRecord, (struct CUevent_st * event, struct CUstream_st * stream))                \
    X(unsigned, cuEventSynchronize, cuEventSynchronize, (struct CUevent_st * event))                                   \
    X(unsigned, cuEventDestroy, cuEventDestroy_v2, (struct CUevent_st * event))                                        \
    X(unsigned, cuStreamWaitEvent, cuStreamWaitEvent,                                                                  \
      (struct CUstream_st * stream, struct CUevent_st * event, unsigned flags))                                        \
    X(unsigned, cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,              \
      (int *blocks, struct CUfunc_st *function, int block_size, size_t shared_bytes))

/* Launches with attributes. A driver older than CUDA 11.8 lacks them. */
struct CUlaunchConfig_st;
#define CUDA_CLUSTER_FUNCTIONS(X)                                                                                      \
    X(unsigned, cuLaunchKernelEx, cuLaunchKernelEx,                                                                    \
      (const struct CUlaunchConfig_st *config, struct CUfunc_st *function, void **parameters, void **extra))           \
    X(unsigned, cuOccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters,                                            \
      (int *clusters, struct CUfunc_st *function, const struct CUlaunchConfig_st *config))

/* Graphs of launches. A driver older than CUDA 12.0 lacks the second version of
 * cuGraphAddKernelNode; the first version takes the same structure without its last members. */
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;
struct CUDA_KERNEL_NODE_PARAMS_v2_st;
union CUlaunchAttributeValue_union;
#define CUDA_GRAPH_FUNCTIONS(X)                                                                                        \
    X(unsigned, cuGraphCreate, cuGraphCreate, (struct CUgraph_st * *graph, unsigned flags))                            \
    X(unsigned, cuGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute,                                          \
      (struct CUgraphNode_st * node, unsigned attribute, const union CUlaunchAttributeValue_union *value))             \
    X(unsigned, cuGraphInstantiate, cuGraphInstantiateWithFlags,                                                       \
      (struct CUgraphExec_st * *instance, struct CUgraph_st * graph, unsigned long long flags))                        \
    X(unsigned, cuGraphLaunch, cuGraphLaunch, (struct CUgraphExec_st * instance, struct CUstream_st * stream))         \
    X(unsigned, cuGraphExecDestroy, cuGraphExecDestroy, (struct CUgraphExec_st * instance))                            \
    X(unsigned, cuGraphDestroy, cuGraphDestroy, (struct CUgraph_st * graph))
#define CUDA_NODE_FUNCTION(X, symbol)                                                                                  \
    X(unsigned, cuGraphAddKernelNode, symbol,                                                                          \
      (struct CUgraphNode_st * *node, struct CUgraph_st * graph, struct CUgraphNode_st *const *after, size_t count,    \
       const struct CUDA_KERNEL_NODE_PARAMS_v2_st *kernel))

/* Memory shared with other sessions. */
#define CUDA_SHARE_FUNCTIONS(X)                                                                                        \
    X(unsigned, cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, (int *can, int device, int peer))                        \
    X(unsigned, cuDeviceGetP2PAttribute, cuDeviceGetP2PAttribute,                                                      \
      (int *value, unsigned attribute, int device, int peer))                                                          \
    X(unsigned, cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, (struct CUctx_st * peer, unsigned flags))                \
    X(unsigned, cuMemHostRegister, cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))                 \
    X(unsigned, cuMemHostUnregister, cuMemHostUnregister, (void *memory))                                              \
    X(unsigned, cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2,                                               \
      (unsigned long long *address, void *memory, unsigned flags))

/* For the paths of backend.h: mapped memory, textures and arrays over it, and variables of modules.
 * A driver older than CUDA 11.2 may lack some of them. */
struct CUmemAllocationProp_st;
struct CUmemAccessDesc_st;
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
    X(unsigned, cuModuleGetGlobal, cuModuleGetGlobal_v2,                                                               \
      (unsigned long long *address, size_t *bytes, struct CUmod_st *module, const char *name))                         \
    X(unsigned, cuMemGetAllocationGranularity, cuMemGetAllocationGranularity,                                          \
      (size_t * granularity, const struct CUmemAllocationProp_st *property, unsigned option))                          \
    X(unsigned, cuMemCreate, cuMemCreate,                                                                              \
      (unsigned long long *handle, size_t bytes, const struct CUmemAllocationProp_st *property,                        \
       unsigned long long flags))                                                                                      \
    X(unsigned, cuMemRelease, cuMemRelease, (unsigned long long handle))                                               \
    X(unsigned, cuMemAddressReserve, cuMemAddressReserve,                                                              \
      (unsigned long long *address, size_t bytes, size_t alignment, unsigned long long hint,                           \
       unsigned long long flags))                                                                                      \
    X(unsigned, cuMemAddressFree, cuMemAddressFree, (unsigned long long address, size_t bytes))                        \
    X(unsigned, cuMemMap, cuMemMap,                                                                                    \
      (unsigned long long address, size_t bytes, size_t offset, unsigned long long handle, unsigned long long flags))  \
    X(unsigned, cuMemUnmap, cuMemUnmap, (unsigned long long address, size_t bytes))                                    \
    X(unsigned, cuMemSetAccess, cuMemSetAccess,                                                                        \
      (unsigned long long address, size_t bytes, const struct CUmemAccessDesc_st *access, size_t count))               \
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

#define CUDA_NVRTC_FUNCTIONS(X)                                                                                        \
    X(unsigned, nvrtcVersion, nvrtcVersion, (int *major, int *minor))                                                  \
    X(const char *, nvrtcGetErrorString, nvrtcGetErrorString, (unsigned code))                                         \
    X(unsigned, nvrtcGetNumSupportedArchs, nvrtcGetNumSupportedArchs, (int *count))                                    \
    X(unsigned, nvrtcGetSupportedArchs, nvrtcGetSupportedArchs, (int *architectures))                                  \
    X(unsigned, nvrtcCreateProgram, nvrtcCreateProgram,                                                                \
      (struct _nvrtcProgram * *program, const char *source, const char *name, int header_count,                        \
       const char *const *headers, const char *const *header_names))                                                   \
    X(unsigned, nvrtcDestroyProgram, nvrtcDestroyProgram, (struct _nvrtcProgram * *program))                           \
    X(unsigned, nvrtcCompileProgram, nvrtcCompileProgram,                                                              \
      (struct _nvrtcProgram * program, int option_count, const char *const *options))                                  \
    X(unsigned, nvrtcGetPTXSize, nvrtcGetPTXSize, (struct _nvrtcProgram * program, size_t * size))                     \
    X(unsigned, nvrtcGetPTX, nvrtcGetPTX, (struct _nvrtcProgram * program, char *ptx))                                 \
    X(unsigned, nvrtcGetProgramLogSize, nvrtcGetProgramLogSize, (struct _nvrtcProgram * program, size_t * size))       \
    X(unsigned, nvrtcGetProgramLog, nvrtcGetProgramLog, (struct _nvrtcProgram * program, char *log))

#define CUDA_NVML_FUNCTIONS(X)                                                                                         \
    X(unsigned, nvmlInit, nvmlInit_v2, (void))                                                                         \
    X(unsigned, nvmlShutdown, nvmlShutdown, (void))                                                                    \
    X(unsigned, nvmlSystemGetDriverVersion, nvmlSystemGetDriverVersion, (char *version, unsigned size))

/* Any of these may be missing; then its value is unknown. */
#define CUDA_NVML_DEVICE_FUNCTIONS(X)                                                                                  \
    X(unsigned, nvmlDeviceGetHandleByUUID, nvmlDeviceGetHandleByUUID,                                                  \
      (const char *uuid, struct nvmlDevice_st **device))                                                               \
    X(unsigned, nvmlDeviceGetClockInfo, nvmlDeviceGetClockInfo,                                                        \
      (struct nvmlDevice_st * device, unsigned type, unsigned *megahertz))                                             \
    X(unsigned, nvmlDeviceGetTemperature, nvmlDeviceGetTemperature,                                                    \
      (struct nvmlDevice_st * device, unsigned sensor, unsigned *celsius))                                             \
    X(unsigned, nvmlDeviceGetPowerUsage, nvmlDeviceGetPowerUsage,                                                      \
      (struct nvmlDevice_st * device, unsigned *milliwatts))                                                           \
    X(unsigned, nvmlDeviceGetCurrentClocksThrottleReasons, nvmlDeviceGetCurrentClocksThrottleReasons,                  \
      (struct nvmlDevice_st * device, unsigned long long *reasons))                                                    \
    X(unsigned, nvmlDeviceGetComputeRunningProcesses, nvmlDeviceGetComputeRunningProcesses_v3,                         \
      (struct nvmlDevice_st * device, unsigned *count, struct nvmlProcessInfo_st *processes))

/* X(our name, NVIDIA's name, value): clocks and sensors, and bits of the reasons why clocks are not
 * higher. */
#define CUDA_NVML_CONSTANTS(X)                                                                                         \
    X(NVML_SM_CLOCK, NVML_CLOCK_SM, 1)                                                                                 \
    X(NVML_MEMORY_CLOCK, NVML_CLOCK_MEM, 2)                                                                            \
    X(NVML_GPU_SENSOR, NVML_TEMPERATURE_GPU, 0)                                                                        \
    X(NVML_IDLE, nvmlClocksThrottleReasonGpuIdle, 0x1)                                                                 \
    X(NVML_CLOCKS_SET, nvmlClocksThrottleReasonApplicationsClocksSetting, 0x2)                                         \
    X(NVML_POWER_CAP, nvmlClocksThrottleReasonSwPowerCap, 0x4)                                                         \
    X(NVML_SLOWDOWN, nvmlClocksThrottleReasonHwSlowdown, 0x8)                                                          \
    X(NVML_SYNC_BOOST, nvmlClocksThrottleReasonSyncBoost, 0x10)                                                        \
    X(NVML_SOFTWARE_THERMAL, nvmlClocksThrottleReasonSwThermalSlowdown, 0x20)                                          \
    X(NVML_HARDWARE_THERMAL, nvmlClocksThrottleReasonHwThermalSlowdown, 0x40)                                          \
    X(NVML_POWER_BRAKE, nvmlClocksThrottleReasonHwPowerBrakeSlowdown, 0x80)                                            \
    X(NVML_DISPLAY, nvmlClocksThrottleReasonDisplayClockSetting, 0x100)

/* X(our name, NVIDIA's name, value): device attributes, JIT options, function attributes and
 * flags. */
#define CUDA_CONSTANTS(X)                                                                                              \
    X(CUDA_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                                        \
    X(CUDA_SHARED_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)                                       \
    X(CUDA_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                                                               \
    X(CUDA_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                              \
    X(CUDA_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                                            \
    X(CUDA_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                         \
    X(CUDA_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                         \
    X(CUDA_SHARED_PER_BLOCK_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)                          \
    X(CUDA_JIT_INPUT_PTX, CU_JIT_INPUT_PTX, 1)                                                                         \
    X(CUDA_JIT_INFO_LOG, CU_JIT_INFO_LOG_BUFFER, 3)                                                                    \
    X(CUDA_JIT_INFO_LOG_SIZE, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4)                                                    \
    X(CUDA_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER, 5)                                                                  \
    X(CUDA_JIT_ERROR_LOG_SIZE, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                                                  \
    X(CUDA_JIT_LINES, CU_JIT_GENERATE_LINE_INFO, 13)                                                                   \
    X(CUDA_MAX_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                                     \
    X(CUDA_CLUSTER_LAUNCH, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 120)                                                    \
    X(CUDA_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4)                                                \
    X(CUDA_EVENT_WITHOUT_TIME, CU_EVENT_DISABLE_TIMING, 2)                                                             \
    X(CUDA_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING, 1)                                                             \
    X(CUDA_SURFACE_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, 56)                                             \
    X(CUDA_SURFACE_HEIGHT, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, 57)                                           \
    X(CUDA_TEXTURE_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 69)                                      \
    X(CUDA_MAPS_MEMORY, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 102)                                  \
    X(CUDA_EXPORTS_MEMORY, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103)                       \
    X(CUDA_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1)                                               \
    X(CUDA_OPAQUE_FILE, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, 1)                                                   \
    X(CUDA_SURFACE_ARRAY, CUDA_ARRAY3D_SURFACE_LDST, 2)                                                                \
    X(CUDA_ARRAY_RESOURCE, CU_RESOURCE_TYPE_ARRAY, 0)                                                                  \
    X(CUDA_HOST_MEMORY, CU_MEMORYTYPE_HOST, 1)                                                                         \
    X(CUDA_ARRAY_MEMORY, CU_MEMORYTYPE_ARRAY, 3)                                                                       \
    X(CUDA_PINNED_MEMORY, CU_MEM_ALLOCATION_TYPE_PINNED, 1)                                                            \
    X(CUDA_DEVICE_LOCATION, CU_MEM_LOCATION_TYPE_DEVICE, 1)                                                            \
    X(CUDA_READ_AND_WRITE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 3)                                                      \
    X(CUDA_LEAST_GRANULARITY, CU_MEM_ALLOC_GRANULARITY_MINIMUM, 0)                                                     \
    X(CUDA_LINEAR_RESOURCE, CU_RESOURCE_TYPE_LINEAR, 2)                                                                \
    X(CUDA_UNSIGNED_32, CU_AD_FORMAT_UNSIGNED_INT32, 3)                                                                \
    X(CUDA_READ_INTEGERS, CU_TRSF_READ_AS_INTEGER, 1)                                                                  \
    X(CUDA_PEER_ACCESS_IS_ENABLED, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                        \
    X(CUDA_IS_REGISTERED, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                              \
    X(CUDA_PEER_NATIVE_ATOMICS, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, 3)                                    \
    X(CUDA_HOST_NATIVE_ATOMICS, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 86)                                  \
    X(CUDA_REGISTER_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE, 1)                                                          \
    X(CUDA_REGISTER_MAPPED, CU_MEMHOSTREGISTER_DEVICEMAP, 2)

/* The codes that orchil acts on. X(NVIDIA's name, value, whether every later call of the process
 * fails too). */
#define CUDA_ERRORS(X)                                                                                                 \
    X(CUDA_SUCCESS, 0, 0)                                                                                              \
    X(CUDA_ERROR_DEINITIALIZED, 4, 1)                                                                                  \
    X(CUDA_ERROR_INVALID_IMAGE, 200, 0)                                                                                \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, 0)                                                                            \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, 1)                                                                            \
    X(CUDA_ERROR_INVALID_PTX, 218, 0)                                                                                  \
    X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220, 1)                                                                         \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, 0)                                                                      \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, 1)                                                                              \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, 1)                                                                               \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, 1)                                                                         \
    X(CUDA_ERROR_ASSERT, 710, 1)                                                                                       \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, 1)                                                                         \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, 1)                                                                          \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, 1)                                                                           \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, 1)                                                                        \
    X(CUDA_ERROR_INVALID_PC, 718, 1)                                                                                   \
    X(CUDA_ERROR_LAUNCH_FAILED, 719, 1)                                                                                \
    X(CUDA_ERROR_EXTERNAL_DEVICE, 911, 1)                                                                              \
    X(CUDA_ERROR_UNKNOWN, 999, 1)

#endif
