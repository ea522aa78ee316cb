// SPDX-License-Identifier: Apache-2.0
/* Machine code of a processor -> text that listing_read_x86 reads. */
#ifndef ORCHIL_RUNNER_INSPECT_DISASSEMBLE_X86_H
#define ORCHIL_RUNNER_INSPECT_DISASSEMBLE_X86_H

#include "base/status.h"
#include "base/text.h"

/* Appends what objdump (GNU binutils 2.35 or later) prints of an ELF object: its table of lines and its instructions. UNSUPPORTED
 * where there is no objdump; LIMIT, SYSTEM or UNREADABLE where it fails. */
enum status disassemble_x86(const struct text *object, struct text *text, struct error *error);

#endif
