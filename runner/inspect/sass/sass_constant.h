// SPDX-License-Identifier: Apache-2.0
/* Values that registers hold in code: what an opcode does not say of a bulk copy. Private to this folder. */
#ifndef ORCHIL_RUNNER_INSPECT_SASS_CONSTANT_H
#define ORCHIL_RUNNER_INSPECT_SASS_CONSTANT_H

#include "runner/inspect/listing.h"

/* Fills the bytes of bulk copies, and clears what was unread of them, where all ways to a copy give its size the same constant.
 * The listing's instructions must know what comes next. */
void sass_read_sizes(struct listing *listing);

#endif
