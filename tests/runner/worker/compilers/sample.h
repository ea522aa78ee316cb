// SPDX-License-Identifier: Apache-2.0
/* Which tests of the catalogue a test program goes through. All of it where ORCHIL_WHOLE_CATALOGUE is set, as the tests
 * labelled `nightly` do; else, of every SAMPLE_EVERYth family of each dialect, one test, chosen by ORCHIL_SAMPLE_SEED
 * (default 1: the next seeds take the other families), and of a suite every SAMPLE_EVERYth test: of @quick, if
 * with_quick. */
#pragma once

#include "catalogue/selection.h"

enum { SAMPLE_EVERY = 20 }; /* how many families or tests share one that is taken */

/* Whether the test of this number in a suite is gone through. */
bool sample_takes(size_t number);

/* Marks the tests to go through; prints how many and the seed. The marks are freed by the caller. Fails the present
 * test if the catalogue cannot be read. */
bool *sample_choose(const struct selection *selection, bool with_quick);
