// SPDX-License-Identifier: Apache-2.0
/* Protects backends/hip/symbols.h, and HIP's side of backends/gpu/symbols.h: every function and constant that they
 * declare is as in AMD's headers, with HIP's types where they have a name. The compiler checks everything; the program
 * only prints what was compared. Built if the headers are installed. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* of contexts, which HIP 7 still has */
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stddef.h>
#include <stdio.h>

/* The types of the lists. An enumeration of AMD's is compatible with unsigned, which our declarations use. */
#define GPU_TYPES
typedef hipCtx_t gpu_context;
typedef hipModule_t gpu_module;
typedef hipFunction_t gpu_function;
typedef hipStream_t gpu_stream;
typedef hipEvent_t gpu_event;
typedef hipGraph_t gpu_graph;
typedef hipGraphExec_t gpu_instance;
typedef hipUUID gpu_uuid;
typedef hipMemAllocationProp gpu_property;
typedef hipMemAccessDesc gpu_access;
typedef void *gpu_address;
typedef hipMemGenericAllocationHandle_t gpu_memory_handle;
typedef void *gpu_source;
typedef int gpu_word;
typedef hiprtcProgram gpu_unit;
typedef const char **gpu_strings;
#define HIP_TYPES
typedef hipKernelNodeParams hip_node;
typedef hipGraph_t hip_graph;
typedef hipGraphNode_t hip_graph_node;
typedef hipDeviceProp_t hip_properties;

#include "backends/gpu/symbols.h"
#include "backends/hip/symbols.h"

#define SAME(symbol, result, parameters)                                                                               \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&symbol), result(*) parameters),                            \
                   #symbol " is declared otherwise");
#define SAME_GPU(result, name, cuda, hip, parameters) SAME(hip, result, parameters)
#define SAME_OWN(result, name, parameters) SAME(name, result, parameters)
#define SAME_CONSTANT(name, value) _Static_assert(name == (value), #name " has another value");
#define SAME_ATTRIBUTE(cuda, name, value) SAME_CONSTANT(name, value)

GPU_FUNCTIONS(SAME_GPU)
GPU_GRAPH_FUNCTIONS(SAME_GPU)
GPU_SHARE_FUNCTIONS(SAME_GPU)
GPU_MAP_FUNCTIONS(SAME_GPU)
HIP_OWN_FUNCTIONS(SAME_OWN)
GPU_COMPILER_FUNCTIONS(SAME_GPU)
HIP_CONSTANTS(SAME_CONSTANT)
HIP_ATTRIBUTES(SAME_ATTRIBUTE)

/* hip.c asserts the same for our structure. */
_Static_assert(sizeof(hipKernelNodeParams) == 64 && offsetof(hipKernelNodeParams, func) == 24 &&
                   offsetof(hipKernelNodeParams, kernelParams) == 48,
               "node");
_Static_assert(sizeof(hipUUID) == 16, "hipUUID has another size");
_Static_assert(sizeof(void *) == sizeof(unsigned long long), "an address is no number of our type");

#if HIP_VERSION_MAJOR >= 6
_Static_assert(offsetof(hipDeviceProp_t, gcnArchName) == 1160, "the name of the processor lies elsewhere");
#else
_Static_assert(offsetof(hipDeviceProp_t, gcnArchName) == 396, "the name of the processor lies elsewhere");
#endif

/* HIP 5.2 and earlier have no attribute for memory with several addresses, and another structure for it, which orchil
 * does not use there. */
#if HIP_VERSION_MAJOR > 5 || HIP_VERSION_MINOR > 2
HIP_LATER_ATTRIBUTES(SAME_ATTRIBUTE)
_Static_assert(sizeof(hipMemAllocationProp) == 32 && offsetof(hipMemAllocationProp, location) == 8 &&
                   offsetof(hipMemAllocationProp, allocFlags.usage) == 26 && sizeof(hipMemAccessDesc) == 12,
               "allocation");
#endif

/* Codes and flags with CUDA's numbers. */
_Static_assert(hipErrorIllegalAddress == 700 && hipErrorLaunchTimeOut == 702 && hipErrorLaunchFailure == 719 &&
                   hipErrorUnknown == 999 && hipErrorECCNotCorrectable == 214 && hipErrorAssert == 710,
               "a loss has another number");
_Static_assert(hipErrorInvalidImage == 200 && hipErrorNoBinaryForGpu == 209 && hipErrorInvalidKernelFile == 218,
               "a refusal has another number");
_Static_assert(hipErrorPeerAccessAlreadyEnabled == 704 && hipErrorHostMemoryAlreadyRegistered == 712, "another number");
_Static_assert(hipStreamNonBlocking == 1 && hipEventDisableTiming == 2 && hipHostRegisterPortable == 1 &&
                   hipHostRegisterMapped == 2,
               "a flag has another number");
_Static_assert(hipMemAllocationTypePinned == 1 && hipMemLocationTypeDevice == 1 &&
                   hipMemAccessFlagsProtReadWrite == 3 && hipMemAllocationGranularityMinimum == 0,
               "a constant of mapped memory has another number");

int main(void)
{
    printf("compared with HIP %d.%d\n", HIP_VERSION_MAJOR, HIP_VERSION_MINOR);
    return 0;
}
