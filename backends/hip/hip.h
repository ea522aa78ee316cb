// SPDX-License-Identifier: Apache-2.0
/* AMD GPUs through HIP's runtime and HIPRTC. */
#pragma once

#include "backends/backend.h"
#include "backends/gpu/api.h"
#include "backends/hip/symbols.h"

extern const struct gpu_driver hip_driver;

/* As `open` in struct gpu_driver: libamdhip64, version 7, 6 or 5, or the file that ORCHIL_HIP names. The functions that
 * HIP has in another form than CUDA get theirs. Both libraries stay loaded until the process ends. */
enum status hip_open(struct gpu_api *api, struct error *error);

/* Opens HIPRTC: the file that ORCHIL_HIPRTC names, else the newest libhiprtc, else the runtime itself, which has it up
 * to version 7. BUILD_FAILED, with the places searched and how to get it. */
enum status hiprtc_open(struct gpu_compiler *hiprtc, struct error *error);

extern const char hip_prelude[]; /* prelude.hip, as text */

/* Compiles prelude + kernel for a processor, "gfx90a" or with features "gfx90a:xnack-". Fills *code: its bytes are an
 * ELF object, whose instructions name their lines in the file `orchil-kernel`, the kernel's text; the compiler's output
 * is appended to its log, whatever the result. BUILD_FAILED if HIPRTC rejects the kernel or does not know the
 * processor. */
enum status hip_compile(const struct gpu_compiler *hiprtc, const char *processor, const struct backend_source *source,
                        struct backend_code *code, struct error *error);

/* The dies that compute (XCDs) of the GPU at a place of the PCI bus, "0000:83:00.0", as the files of the kernel's
 * driver below a folder say; 0: unknown. */
unsigned hip_count_dies(const char *folder, const char *place);
