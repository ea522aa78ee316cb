// SPDX-License-Identifier: Apache-2.0
/* Code objects of AMD GPUs -> the form of assembly that listing_read_amdgcn reads. */
#ifndef ORCHIL_RUNNER_INSPECT_AMDGCN_DISASSEMBLE_AMDGCN_H
#define ORCHIL_RUNNER_INSPECT_AMDGCN_DISASSEMBLE_AMDGCN_H

#include "base/status.h"
#include "base/text.h"

/*
 * Appends the kernel `orchil` of an ELF object for a processor ("gfx90a:xnack-"), as llvm-objdump and
 * llvm-dwarfdump print it: instructions with their lines, labels where jumps go, and how waves of a
 * work-group are placed. UNSUPPORTED if there is no such program, with its package; LIMIT, SYSTEM or
 * UNREADABLE if it fails or the object has no such kernel.
 */
enum status disassemble_amdgcn(const struct text *object, const char *processor, struct text *text,
                               struct error *error);

#endif
