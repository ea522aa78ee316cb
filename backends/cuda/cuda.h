// SPDX-License-Identifier: Apache-2.0
/* What of the CUDA backend can be called without a session. */
#pragma once

#include "backends/cuda/library.h"

/* ---- libcu++ ---- */

enum { CUDA_HEADERS_PATH = 4096 };

struct cuda_headers {
    char folder[CUDA_HEADERS_PATH];         /* contains cuda/atomic */
    char version[32];                       /* "3.0.1", or "of unknown version" */
    char options[2][CUDA_HEADERS_PATH + 4]; /* for NVRTC: that folder, and the toolkit's own */
};

/* Looks below CUDA_INC_PATH, CUDA_HOME, CUDA_PATH, next to the opened NVRTC, /usr/local/cuda and /usr. BUILD_FAILED,
 * with the places searched and how to get the headers, if they are in none of these. */
enum status cuda_headers_find(const struct gpu_compiler *nvrtc, struct cuda_headers *headers, struct error *error);

/* ---- NVRTC ---- */

extern const char cuda_prelude[]; /* prelude.cu, as text */

/* Text to compile, prelude + kernel, and how to compile it. */
struct cuda_request {
    const char *kernel;
    const char *prologue; /* as in struct backend_source */
    const char *const *folders;
    const char *architecture; /* of the device: "sm_90" */
    int driver_version;       /* of the driver that is to read the PTX, as from cuDriverGetVersion; 0: unknown */
    bool lines;               /* the PTX names the line of prelude + kernel of each instruction */
    bool includes;            /* it includes headers of libcu++ */
    struct text *options;     /* receives the options given to NVRTC, separated by spaces; or NULL */
};

/* Compiles a request. The PTX, stamped for the driver and the architecture (ptx.h), is appended to *ptx, and the
 * compiler's output to *log, whatever the result. BUILD_FAILED if NVRTC knows neither the architecture nor an older
 * one, or if it rejects the kernel. */
enum status cuda_compile(const struct gpu_compiler *nvrtc, const struct cuda_request *request, struct text *ptx,
                         struct text *log, struct error *error);

/* ---- devices ---- */

/* Finds the version in a text like /proc/driver/nvidia/version; false if there is none. */
bool cuda_read_version(const char *text, char *version, size_t size);
