// SPDX-License-Identifier: Apache-2.0
/* AMD GPUs through HIP's runtime and HIPRTC. */
#ifndef ORCHIL_HIP_H
#define ORCHIL_HIP_H

#include "backends/backend.h"

extern const struct backend hip_backend;

void hip_explain(struct text *text);

/* As explain_lacks in backend.h: /dev/kfd, and who may open it. */
void hip_explain_lacks(struct text *causes);

#endif
