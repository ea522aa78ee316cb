// SPDX-License-Identifier: Apache-2.0
/* The effect of a SASS instruction on memory and control flow, by its opcode. */
#pragma once

#include "listing/listing.h"

enum sass_flow {
    SASS_ON,     /* the next instruction */
    SASS_BRANCH, /* its target, and the next if it is conditional */
    SASS_SWITCH, /* one of several targets */
    SASS_END     /* the thread, or the function, ends here */
};

/* Fills effect, bytes, lanes, region, order and scope from "LDG.E.64.STRONG.GPU". Returns what may run next. */
enum sass_flow sass_opcode(const char *opcode, size_t length, struct machine_instruction *instruction);
