// SPDX-License-Identifier: Apache-2.0
/* Makes modules of SPIR-V from lines of text, for the tests of its reader: no other program is needed. */
#pragma once

#include "base/text.h"
#include "kernel/kernel.h"

/*
 * Appends the words of a module whose entry point has the instructions of these lines, each with the step of whose line
 * it is; those that do something to memory are in a helper that is called from there. "-": what is around the threads.
 * In the text of the reader:
 *
 *     0 OpAtomicStore StorageBuffer Device Release|UniformMemory
 *     1 OpLoad StorageBuffer:64 MakePointerVisible Device NonPrivatePointer
 *     1 loop:                         a block begins
 *     1 branch loop                   it ends
 *     1 choose loop end               it ends with either
 *     1 next = 3                      a local variable
 *     1 choose next == 3 part end
 *     - unknown 5000                  an instruction of that number
 */
void spirv_words_add(const struct kernel *kernel, const char *lines, struct text *module);
