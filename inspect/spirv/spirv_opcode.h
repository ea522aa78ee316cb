// SPDX-License-Identifier: Apache-2.0
/* The effect of a SPIR-V instruction on memory (SPIR-V 1.6, sections 3.25 to 3.27 and 3.52). */
#ifndef ORCHIL_INSPECT_SPIRV_SPIRV_OPCODE_H
#define ORCHIL_INSPECT_SPIRV_SPIRV_OPCODE_H

#include "base/text.h"
#include "inspect/listing.h"
#include "inspect/spirv/spirv_module.h"

/*
 * Fills in what the instruction at an index does to memory that items share, and appends its text, with scopes and semantics as
 * words ("OpAtomicStore StorageBuffer Device Release|UniformMemory"). What the module does not say
 * (a scope that is no constant) or this reader does not know is `unread`. False: it does nothing to
 * such memory.
 */
bool spirv_opcode_read(const struct spirv_module *module, size_t at, struct machine_instruction *instruction,
                       struct text *text);

#endif
