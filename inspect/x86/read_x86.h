// SPDX-License-Identifier: Apache-2.0
/* x86-64 machine code -> text that listing_read_x86 reads. */
#ifndef ORCHIL_INSPECT_X86_READ_X86_H
#define ORCHIL_INSPECT_X86_READ_X86_H

#include "base/base.h"

/* ---- machine code ---- */

/* Appends the output of objdump (GNU binutils 2.35 or later) for an ELF object: its line table and its instructions.
 * UNSUPPORTED if there is no objdump; LIMIT, SYSTEM or UNREADABLE if it fails. */
enum status disassemble_x86(const struct text *object, struct text *text, struct error *error);

#endif
