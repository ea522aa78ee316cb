// SPDX-License-Identifier: Apache-2.0
/* The effect of a PTX opcode on memory, by the PTX ISA. */
#ifndef ORCHIL_INSPECT_PTX_READ_PTX_H
#define ORCHIL_INSPECT_PTX_READ_PTX_H

#include "inspect/listing.h"

/* ---- opcodes ---- */

/* Sets the effect, bytes, lanes, region, order, scope, operation and flaw of a new instruction, as far as its opcode
 * gives them: size bytes of text with its qualifiers ("atom.global.exch.b32"). False if it accesses memory in a way
 * that a listing cannot express (cp.async, mbarrier). */
bool ptx_opcode_read(const char *opcode, size_t size, struct machine_instruction *instruction);

#endif
