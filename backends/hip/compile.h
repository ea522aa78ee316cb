// SPDX-License-Identifier: Apache-2.0
/* Compiles kernel text to a code object with HIPRTC. Needs no GPU. */
#ifndef ORCHIL_HIP_COMPILE_H
#define ORCHIL_HIP_COMPILE_H

#include "backends/hip/library.h"

extern const char hip_prelude[]; /* prelude.hip, as text */

/*
 * Compiles prelude + kernel for a processor, "gfx90a" or with features "gfx90a:xnack-". Fills *code:
 * its bytes are an ELF object, whose instructions name their lines in the file `orchil-kernel`, the
 * kernel's text; the compiler's output is appended to its log, whatever the result. BUILD_FAILED if
 * HIPRTC rejects the kernel or does not know the processor.
 */
enum status hip_compile(const struct hiprtc *hiprtc, const char *processor, const struct backend_source *source,
                        struct backend_code *code, struct error *error);

#endif
