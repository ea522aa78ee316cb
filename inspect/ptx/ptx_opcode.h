// SPDX-License-Identifier: Apache-2.0
/* The effect of a PTX opcode on memory, by the PTX ISA. Private to this folder. */
#ifndef ORCHIL_INSPECT_PTX_PTX_OPCODE_H
#define ORCHIL_INSPECT_PTX_PTX_OPCODE_H

#include "inspect/listing.h"

/* Fills the effect, bytes, lanes, region, order, scope and operation of an instruction whose opcode, with its
 * qualifiers, is size bytes of text ("atom.global.exch.b32"). False if it accesses memory in a way
 * that a listing cannot express (cp.async, mbarrier). */
bool ptx_opcode_read(const char *opcode, size_t size, struct machine_instruction *instruction);

#endif
