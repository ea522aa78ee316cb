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
#include "backends/gpu/symbols_lists.h"
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

/* Launches with attributes. A driver older than CUDA 11.8 lacks them. */
struct CUlaunchConfig_st;

/* Kernels as nodes of a graph. A driver older than CUDA 12.0 lacks the second version of cuGraphAddKernelNode; the
 * first version takes the same structure without its last members. */
struct CUDA_KERNEL_NODE_PARAMS_v2_st;
union CUlaunchAttributeValue_union;
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
