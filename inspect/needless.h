// SPDX-License-Identifier: Apache-2.0
/* The steps of a test that no execution of it reaches, and for which the code so needs no instruction. */
#ifndef ORCHIL_INSPECT_NEEDLESS_H
#define ORCHIL_INSPECT_NEEDLESS_H

#include "inspect/needs.h"

/* Per step of the kernel. The caller frees it. */
bool *needless_find(const struct litmus_test *test, const struct kernel *kernel);

#endif
