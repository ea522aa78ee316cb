// SPDX-License-Identifier: Apache-2.0
/* Traces operands of instructions, for facts that neither the opcode nor the line information
 * gives. */
#ifndef ORCHIL_INSPECT_SASS_SASS_TRACE_H
#define ORCHIL_INSPECT_SASS_SASS_TRACE_H

#include "inspect/listing.h"

/*
 * Fills the bytes of bulk copies and clears their `unread`, if all paths to a copy give its size
 * the same constant. Gives copies the predicate of the item that starts them. Gives texture and
 * surface accesses the lines of the instruction that computed their place, or none if several did.
 * The `next` and `branch` of the listing's instructions must be set.
 */
void sass_trace_operands(struct listing *listing);

#endif
