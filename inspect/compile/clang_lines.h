// SPDX-License-Identifier: Apache-2.0
/* Lines of bundled instructions in clang's assembly of AMD GPUs. */
#ifndef ORCHIL_INSPECT_COMPILE_CLANG_LINES_H
#define ORCHIL_INSPECT_COMPILE_CLANG_LINES_H

#include "base/text.h"

/* The pass whose result clang is asked to print (-print-after): no later pass moves an instruction. */
#define CLANG_LINES_PASS "branch-relaxation"

/*
 * Appends the assembly with a .loc directive of its own for each memory instruction of the kernel
 * whose line it lacks. LLVM prints the line of a bundle's first instruction only; `dump`, what it
 * printed after that pass, has them all. If the two do not have the same memory instructions, the
 * assembly is appended as it is.
 */
void clang_lines_add(const char *assembly, const char *dump, struct text *text);

#endif
