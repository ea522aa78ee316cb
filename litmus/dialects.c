// SPDX-License-Identifier: Apache-2.0
/* The table of dialects. */
#include "litmus/dialects.h"

#include "litmus/parse/parser.h"
#include "litmus/print/printer.h"

const struct dialect dialects[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] = {.name = "OPENCL",
                       .words = {"OPENCL", "OpenCL", "opencl"},
                       .parse_threads = parse_c_threads,
                       .print_threads = print_c_threads,
                       .has_places = true,
                       .has_scopes = true,
                       .has_atomic_types = true,
                       .has_flags = true,
                       .has_seq_cst = true,
                       .article = "an",
                       .group_word = "work-group",
                       .sub_group_word = "sub-group"},
    [LITMUS_PTX] = {.name = "PTX",
                    .words = {"PTX", "ptx", "GPU_PTX"},
                    .parse_threads = parse_ptx_threads,
                    .print_threads = print_ptx_threads,
                    .has_places = true,
                    .columns = true,
                    .has_scopes = true,
                    .is_nvidia = true,
                    .article = "a",
                    .group_word = "block",
                    .sub_group_word = "warp"},
    [LITMUS_CUDA] = {.name = "CUDA",
                     .words = {"CUDA", "cuda"},
                     .parse_threads = parse_c_threads,
                     .parse_assembly = parse_ptx_instruction,
                     .print_threads = print_c_threads,
                     .has_places = true,
                     .has_scopes = true,
                     .has_seq_cst = true,
                     .is_nvidia = true,
                     .judged_as_ptx = true,
                     .article = "a",
                     .group_word = "block",
                     .sub_group_word = "warp"},
    [LITMUS_C] = {.name = "C",
                  .words = {"C"},
                  .parse_threads = parse_c_threads,
                  .print_threads = print_c_threads,
                  .has_atomic_types = true,
                  .has_seq_cst = true,
                  .article = "a",
                  .group_word = "work-group",
                  .sub_group_word = "sub-group"},
    [LITMUS_VULKAN] = {.name = "VULKAN",
                       .words = {"VULKAN", "Vulkan", "vulkan"},
                       .parse_threads = parse_vulkan_threads,
                       .print_threads = print_vulkan_threads,
                       .has_places = true,
                       .columns = true,
                       .has_scopes = true,
                       .has_semantics = true,
                       .is_dat3m = true,
                       .article = "a",
                       .group_word = "work-group",
                       .sub_group_word = "sub-group"},
};

const char *litmus_dialect_name(enum litmus_dialect dialect)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT ? dialects[dialect].name : "?";
}

bool litmus_has_columns(enum litmus_dialect dialect)
{
    return (unsigned)dialect < LITMUS_DIALECT_COUNT && dialects[dialect].columns;
}
