// SPDX-License-Identifier: Apache-2.0
/* The compiler of GLSL to SPIR-V: Khronos' glslang, as a program. Saved kernels need none. */
#ifndef ORCHIL_VULKAN_GLSL_H
#define ORCHIL_VULKAN_GLSL_H

#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/* What the text of a kernel is compiled to, and the options of the compiler that matter: -g lets
 * instructions name their lines; -Od, no optimiser changes what the text says. All buffers are marked as Aliased. */
#define GLSL_TARGET "SPIR-V 1.5, Vulkan 1.2"
#define GLSL_OPTIONS "--target-env vulkan1.2 -g -Od, Aliased"

/* Writes the compiler's name and version, "glslang 11:12.0.0"; empty if there is none. The program is
 * asked once. */
void glsl_describe(char *compiler, size_t size);

/* Compiles a compute shader to SPIR-V, appended to *bytes. What the compiler says is appended to
 * *log. BUILD_FAILED if it refuses the text; UNSUPPORTED, with what to install, if there is no
 * compiler. */
enum status glsl_compile(const char *name, const char *text, size_t size, struct text *bytes, struct text *log,
                         struct error *error);

#endif
