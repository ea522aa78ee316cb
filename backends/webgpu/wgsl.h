// SPDX-License-Identifier: Apache-2.0
/* Kernel text as WGSL. */
#pragma once

#include "base/base.h"

extern const char webgpu_prelude[]; /* prelude.wgsl */

/* Appends a kernel as a module of WGSL (W3C, "WebGPU Shading Language"). source: what follows the prelude, in the part
 * of C that the skeleton and the lowering for WGSL use. SYNTAX with the token that this part does not have: a fault of
 * orchil, as no byte of a test is in a kernel. */
enum status wgsl_translate(const char *source, struct text *wgsl, struct error *error);
