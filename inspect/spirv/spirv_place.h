// SPDX-License-Identifier: Apache-2.0
/* Gives accesses of SPIR-V the lines that they should have. */
#ifndef ORCHIL_INSPECT_SPIRV_SPIRV_PLACE_H
#define ORCHIL_INSPECT_SPIRV_SPIRV_PLACE_H

#include "inspect/needs.h"

/* Corrects the lines of the listing's accesses, of which the subject is the test. */
void spirv_place(const struct inspect_subject *subject, struct listing *listing);

#endif
