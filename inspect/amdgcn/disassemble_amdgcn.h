// SPDX-License-Identifier: Apache-2.0
/* Code objects of AMD GPUs -> the form of assembly that listing_read_amdgcn reads. */
#pragma once

#include "kernel/kernel.h"

/*
 * LLVM gives the instructions of a clause (gfx10 and later: `s_clause`, successive accesses) the line of the first.
 * Such code needs a twin: an object of the same kernel whose accesses were kept apart (backend.h). If both have the
 * same memory instructions, with the same registers except for addresses, the lines of these are the twin's.
 *
 * Appends the kernel `orchil` of an ELF object for a processor ("gfx90a:xnack-"), as llvm-objdump and llvm-dwarfdump
 * print it: instructions with their lines, labels where jumps go, and how waves of a work-group are placed. UNSUPPORTED
 * if there is no such program, with its package; LIMIT, SYSTEM or UNREADABLE if it fails, or the object has no such
 * kernel, or the twin is another. twin: NULL if there is none; then *needs_twin tells whether a thread of the kernel
 * has a clause.
 */
enum status disassemble_amdgcn(const struct text *object, const struct text *twin, const struct kernel *kernel,
                               const char *processor, struct text *text, bool *needs_twin, struct error *error);
