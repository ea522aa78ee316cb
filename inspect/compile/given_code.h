// SPDX-License-Identifier: Apache-2.0
/* Code that somebody else's compiler made from the text of a test's kernel, in a file. */
#pragma once

#include "inspect/inspect.h"
#include "kernel/kernel.h"

/* Appends the whole kernel as the file that a compiler is given: with the backend's prelude and a
 * `#line` whose name tells given_code_inspect which text it was. clang compiles that of OpenCL C without a library. */
void given_code_add_source(const struct backend *backend, const struct kernel *kernel, struct text *text);

/* Inspects and judges a file of code, of whatever kind its bytes say: SPIR-V (or its assembly, by spirv-as), PTX, the
 * output of nvdisasm -c -gp after the PTX, amdgcn assembly or a code object. It is not inspected, with the reason and
 * what to do, if it is none of them or does not name its lines. Returns the word of its
 * machine, "spirv". */
const char *given_code_inspect(const struct text *bytes, const struct litmus_test *test, struct inspection *inspection);
