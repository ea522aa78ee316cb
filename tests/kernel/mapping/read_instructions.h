// SPDX-License-Identifier: Apache-2.0
/* The instructions in the text of a helper function: inline PTX, or GLSL's atomic functions. Reads what is written, and
 * knows nothing of the mapping that wrote it. */
#pragma once

#include "litmus/litmus.h"

enum { MOST_FENCES = 4 };

struct instructions {
    struct litmus_fence before[MOST_FENCES],
        after[MOST_FENCES]; /* around the access or the barrier; all before if alone */
    unsigned before_count, after_count;
    unsigned accesses;           /* 1, or for several equal ones in a row (vload, vstore) their number */
    struct litmus_access access; /* without operands; no_result as written */
    bool barriers;
    struct litmus_barrier barrier;
    /* What the instruction says of the memory that it accesses. */
    bool local, generic; /* its state space or array; generic: none is named */
    unsigned bytes;      /* of a word */
    bool is_float, is_signed, is_unsigned;
    unsigned lanes; /* of a vector; else 0 */
    bool whole;
    bool keeps_expected; /* the helper gives success, and writes the old value where the expected one was */
};

/* Reads the statements between the braces of a helper, or a barrier's line. NULL, or why they cannot be read. */
const char *read_instructions(enum litmus_dialect target, const char *body, struct instructions *instructions);
