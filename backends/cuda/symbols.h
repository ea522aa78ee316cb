// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of NVML that orchil uses, declared here so that no CUDA header is needed to build.
 * tests/backends/test_cuda_prototypes.c compares these lines with NVIDIA's headers if they are installed.
 * backends/gpu/symbols.h has the driver's and NVRTC's.
 *
 * X(result, name, symbol in the library, parameters). If a function was changed, its symbol contains the version.
 */
#pragma once

#include "backends/gpu/constants_lists.h"
#include "backends/gpu/symbols_lists.h"
#include "base/base.h"

struct nvmlDevice_st;
struct nvmlProcessInfo_st;
