// SPDX-License-Identifier: Apache-2.0
/* Kernel text of the ways to a cell other than its address: aliases, textures, surfaces, the constant bank. Private to this folder. */
#ifndef ORCHIL_RUNNER_PATHS_H
#define ORCHIL_RUNNER_PATHS_H

#include "runner/kernel/body.h"

/* The module's variables that the backend fills (backends/backend.h), and what computes places with them; nothing for a kernel
 * without paths. */
void write_path_words(const struct plan *plan, struct text *text);

/* Declares what the accesses of a body name of a global location: p<body>_x<l>, its address; p<body>_t<l>, a texture or surface,
 * and p<body>_c<l>, the place in it; p<body>_k<l>, the place in the constant bank. */
void write_location_names(const struct plan *plan, unsigned body, unsigned l, struct text *out);

/* Whether an outcome has the register of a thread of the body. */
bool paths_is_observed(const struct litmus_test *test, unsigned body, unsigned number);

/* The parameters that tell the helper of an access through a proxy where. */
const char *path_parameters(enum litmus_proxy proxy);

#endif
