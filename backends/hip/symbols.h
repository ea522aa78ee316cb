// SPDX-License-Identifier: Apache-2.0
/*
 * What HIP has in another form than CUDA. backends/gpu/symbols.h has the rest.
 * tests/backends/test_hip_prototypes.c compares these lines with AMD's headers if they are installed.
 *
 * X(result, name, parameters). All are in HIP 5.0 to 7.2 with the symbols of their names.
 */
#pragma once

#include "backends/gpu/constants_lists.h"
#include "backends/gpu/symbols_lists.h"
#include "base/base.h"

#ifndef HIP_TYPES
#define HIP_TYPES
/* hipKernelNodeParams: a node of a graph. */
struct hip_node {
    unsigned block_x, block_y, block_z;
    void **extra;
    void *function;
    unsigned grid_x, grid_y, grid_z;
    void **parameters;
    unsigned shared_bytes;
};
typedef struct hip_node hip_node;
typedef struct CUgraph_st *hip_graph;
typedef struct CUgraphNode_st *hip_graph_node;
typedef void hip_properties; /* hipDeviceProp_t, of HIP_PROPERTIES_BYTES at most */
#endif
