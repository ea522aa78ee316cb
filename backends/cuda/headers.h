// SPDX-License-Identifier: Apache-2.0
/* The headers of libcu++, which kernels of CUDA C++ include: found at run time, as NVRTC is. */
#ifndef ORCHIL_CUDA_HEADERS_H
#define ORCHIL_CUDA_HEADERS_H

#include "backends/cuda/library.h"
#include "base/status.h"

enum { CUDA_HEADERS_PATH = 4096 };

struct cuda_headers {
    char folder[CUDA_HEADERS_PATH];         /* contains cuda/atomic */
    char version[32];                       /* "3.0.1", or "of unknown version" */
    char options[2][CUDA_HEADERS_PATH + 4]; /* for NVRTC: that folder, and the toolkit's own */
};

/* Looks below CUDA_INC_PATH, CUDA_HOME, CUDA_PATH, next to the opened NVRTC, /usr/local/cuda and
 * /usr. BUILD_FAILED, with the places searched and how to get the headers, if they are in none of
 * these. */
enum status cuda_headers_find(const struct cuda_nvrtc *nvrtc, struct cuda_headers *headers, struct error *error);

#endif
