// SPDX-License-Identifier: Apache-2.0
/* Protects backends/cuda/symbols.h and backends/gpu/symbols.h: every function and constant that they declare is as in
 * NVIDIA's headers. The compiler checks everything; the program only prints what was compared. Built if the headers are
 * installed. */
#include <cuda.h>
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define HAVE_NVRTC 1
#else
#define HAVE_NVRTC 0
#endif
#if __has_include(<nvml.h>)
#include <nvml.h>
#define HAVE_NVML 1
#else
#define HAVE_NVML 0
#endif
#include <stdio.h>

#include "backends/cuda/symbols.h"
#include "backends/gpu/symbols.h"

/* An enumeration of NVIDIA's is compatible with unsigned, which our declarations use. */
#define SAME_FUNCTION(result, name, symbol, parameters)                                                                \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&symbol), result(*) parameters),                            \
                   #symbol " is declared otherwise");
#define SAME_GPU(result, name, cuda, hip, parameters) SAME_FUNCTION(result, name, cuda, parameters)
#define SAME_CONSTANT(ours, theirs, value) _Static_assert(theirs == (value), #theirs " has another value");
#define SAME_ERROR(name, value, loss) _Static_assert(name == (value), #name " has another value");

GPU_FUNCTIONS(SAME_GPU)
GPU_SHARE_FUNCTIONS(SAME_GPU)
CUDA_OWN_FUNCTIONS(SAME_FUNCTION)
#if CUDA_VERSION >= 11080
CUDA_CLUSTER_FUNCTIONS(SAME_FUNCTION)
/* api.c asserts the same for our structures. */
_Static_assert(sizeof(CUlaunchAttribute) == 72 && offsetof(CUlaunchAttribute, value.clusterDim) == 8 &&
                   offsetof(CUlaunchAttribute, value.programmaticStreamSerializationAllowed) == 8,
               "attribute");
_Static_assert(sizeof(CUlaunchConfig) == 56 && offsetof(CUlaunchConfig, hStream) == 32, "configuration");
_Static_assert(offsetof(CUlaunchConfig, attrs) == 40 && offsetof(CUlaunchConfig, numAttrs) == 48, "configuration");
#endif
#if CUDA_VERSION >= 12000
GPU_GRAPH_FUNCTIONS(SAME_GPU)
CUDA_NODE_FUNCTIONS(SAME_FUNCTION)
CUDA_NODE_FUNCTION(SAME_FUNCTION, cuGraphAddKernelNode)
/* api.c asserts the same for our structure. */
_Static_assert(sizeof(CUDA_KERNEL_NODE_PARAMS) == 72 && offsetof(CUDA_KERNEL_NODE_PARAMS, kernelParams) == 40 &&
                   offsetof(CUDA_KERNEL_NODE_PARAMS, kern) == 56,
               "node");
#endif
#if CUDA_VERSION >= 11020
GPU_MAP_FUNCTIONS(SAME_GPU)
CUDA_PATH_FUNCTIONS(SAME_FUNCTION)
/* structures.h asserts the same for our structures. */
_Static_assert(sizeof(CUmemAllocationProp) == 32 && offsetof(CUmemAllocationProp, allocFlags.usage) == 26,
               "allocation");
_Static_assert(offsetof(CUmemAllocationProp, location) == 8 && sizeof(CUmemAccessDesc) == 12, "location");
_Static_assert(sizeof(CUDA_RESOURCE_DESC) == 144 && offsetof(CUDA_RESOURCE_DESC, res.array.hArray) == 8 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.devPtr) == 8 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.format) == 16 &&
                   offsetof(CUDA_RESOURCE_DESC, res.linear.sizeInBytes) == 24,
               "resource");
_Static_assert(sizeof(CUDA_TEXTURE_DESC) == 104 && offsetof(CUDA_TEXTURE_DESC, flags) == 16, "texture");
_Static_assert(sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC) == 104 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, handle.fd) == 8 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, size) == 24 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, flags) == 32,
               "external memory");
_Static_assert(sizeof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC) == 120 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, arrayDesc.Width) == 8 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, arrayDesc.Height) == 16 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, arrayDesc.Format) == 32 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, arrayDesc.Flags) == 40 &&
                   offsetof(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, numLevels) == 48,
               "array");
_Static_assert(sizeof(CUDA_MEMCPY2D) == 128 && offsetof(CUDA_MEMCPY2D, srcY) == 8 &&
                   offsetof(CUDA_MEMCPY2D, srcMemoryType) == 16 && offsetof(CUDA_MEMCPY2D, srcArray) == 40 &&
                   offsetof(CUDA_MEMCPY2D, dstMemoryType) == 72 && offsetof(CUDA_MEMCPY2D, dstHost) == 80 &&
                   offsetof(CUDA_MEMCPY2D, dstPitch) == 104 && offsetof(CUDA_MEMCPY2D, WidthInBytes) == 112 &&
                   offsetof(CUDA_MEMCPY2D, Height) == 120,
               "copy");
#endif
CUDA_CONSTANTS(SAME_CONSTANT)
CUDA_ERRORS(SAME_ERROR)
#if HAVE_NVRTC
GPU_COMPILER_FUNCTIONS(SAME_GPU)
CUDA_NVRTC_FUNCTIONS(SAME_FUNCTION)
#endif
#if HAVE_NVML
CUDA_NVML_FUNCTIONS(SAME_FUNCTION)
CUDA_NVML_DEVICE_FUNCTIONS(SAME_FUNCTION)
CUDA_NVML_CONSTANTS(SAME_CONSTANT)
/* nvml.c asserts the same for our structure. */
_Static_assert(sizeof(nvmlProcessInfo_t) == 24 && offsetof(nvmlProcessInfo_t, pid) == 0, "process");
#endif

_Static_assert(sizeof(CUuuid) == 16, "CUuuid has another size");

int main(void)
{
    printf("compared with cuda.h %d%s%s\n", CUDA_VERSION, HAVE_NVRTC ? ", nvrtc.h" : "", HAVE_NVML ? ", nvml.h" : "");
    return 0;
}
