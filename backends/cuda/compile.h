// SPDX-License-Identifier: Apache-2.0
/* Compiles kernel text to PTX with NVRTC. Needs no GPU and no driver. */
#ifndef ORCHIL_CUDA_COMPILE_H
#define ORCHIL_CUDA_COMPILE_H

#include "backends/cuda/library.h"
#include "base/status.h"
#include "base/text.h"

extern const char cuda_prelude[]; /* prelude.cu, as text */

/* Text to compile, prelude + kernel, and how to compile it. */
struct cuda_request {
    const char *kernel;
    const char *architecture; /* of the device: "sm_90" */
    int driver_version;       /* of the driver that is to read the PTX, as from cuDriverGetVersion; 0: unknown */
    bool lines;               /* the PTX names the line of prelude + kernel of each instruction */
    bool includes;            /* it includes headers of libcu++ (headers.h) */
    struct text *options;     /* receives the options given to NVRTC, separated by spaces; or NULL */
};

/*
 * Compiles a request. The PTX, stamped for the driver and the architecture (ptx.h), is appended
 * to *ptx, and the compiler's output to *log, whatever the result. BUILD_FAILED if NVRTC knows
 * neither the architecture nor an older one, or if it rejects the kernel.
 */
enum status cuda_compile(const struct cuda_nvrtc *nvrtc, const struct cuda_request *request, struct text *ptx,
                         struct text *log, struct error *error);

#endif
