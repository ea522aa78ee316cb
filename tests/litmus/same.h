// SPDX-License-Identifier: Apache-2.0
/* Are two tests equal in everything but the places in their files? */
#pragma once

#include "litmus/litmus.h"

/* NULL, or what differs first. */
const char *same_tests(const struct litmus_test *a, const struct litmus_test *b);
