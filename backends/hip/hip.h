// SPDX-License-Identifier: Apache-2.0
/* AMD GPUs through HIP's runtime and HIPRTC. */
#ifndef ORCHIL_HIP_H
#define ORCHIL_HIP_H

#include "backends/backend.h"
#include "backends/hip/library.h"

/* ---- HIPRTC ---- */

extern const char hip_prelude[]; /* prelude.hip, as text */

/*
 * Compiles prelude + kernel for a processor, "gfx90a" or with features "gfx90a:xnack-". Fills *code:
 * its bytes are an ELF object, whose instructions name their lines in the file `orchil-kernel`, the
 * kernel's text; the compiler's output is appended to its log, whatever the result. BUILD_FAILED if
 * HIPRTC rejects the kernel or does not know the processor.
 */
enum status hip_compile(const struct hiprtc *hiprtc, const char *processor, const struct backend_source *source,
                        struct backend_code *code, struct error *error);

/* ---- devices ---- */

/* Through which HIP reaches every GPU. */
#define HIP_KERNEL_DEVICE "/dev/kfd"

/* The dies that compute (XCDs) of the GPU at a place of the PCI bus, "0000:83:00.0", as the files of
 * the kernel's driver below a folder say; 0: unknown. */
unsigned hip_count_dies(const char *folder, const char *place);

/* As explain_lacks in backend.h: /dev/kfd, and who may open it. */
void hip_explain_lacks(struct text *causes);

#endif
