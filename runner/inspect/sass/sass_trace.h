// SPDX-License-Identifier: Apache-2.0
/* Where the operands of instructions come from: what neither an opcode nor the line information says. Private to this folder. */
#ifndef ORCHIL_RUNNER_INSPECT_SASS_TRACE_H
#define ORCHIL_RUNNER_INSPECT_SASS_TRACE_H

#include "runner/inspect/listing.h"

/*
 * Fills the bytes of bulk copies, and clears what was unread of them, where all ways to a copy give its size the same constant.
 * Gives texture and surface accesses the lines of what computed their place, or none where that is not one instruction.
 * The listing's instructions must know what comes next.
 */
void sass_trace_operands(struct listing *listing);

#endif
