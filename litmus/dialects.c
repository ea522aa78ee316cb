// SPDX-License-Identifier: Apache-2.0
/* The table of dialects. */
#include "litmus/dialects.h"

#include "litmus/parse/parser.h"
#include "litmus/print/printer.h"

const struct dialect dialects[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] =
        {"OPENCL", {"OPENCL", "OpenCL", "opencl"}, parse_opencl_threads, print_opencl_threads, true, false},
    [LITMUS_PTX] = {"PTX", {"PTX", "ptx"}, parse_ptx_threads, print_ptx_threads, true, true},
    [LITMUS_CUDA] = {"CUDA", {"CUDA", "cuda"}, parse_cuda_threads, print_cuda_threads, true, false},
    [LITMUS_C] = {"C", {"C"}, parse_herd_c_threads, print_herd_c_threads, false, false},
    [LITMUS_VULKAN] =
        {"VULKAN", {"VULKAN", "Vulkan", "vulkan"}, parse_vulkan_threads, print_vulkan_threads, true, true},
};

const char *litmus_dialect_name(enum litmus_dialect dialect)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT ? dialects[dialect].name : "?";
}

bool litmus_has_columns(enum litmus_dialect dialect)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT && dialects[dialect].columns;
}
