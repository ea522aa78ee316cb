// SPDX-License-Identifier: Apache-2.0
/* C tests, as herd reads them: C11's atomic functions, without scopes. Each thread is a work-group of its own, on one
 * device, and whatever is atomic is so for that device. */
#include "litmus/parse/c_language.h"

static const struct c_language herd = {
    .page = "language-c.md",
    .functions = C_HERD,
    C11_WORDS,
    .a_parameter = "a pointer parameter such as atomic_int* x",
    .atomic_types = true,
    .notes_form = true,
    .fixed_places = true,
};

enum status parse_herd_c_threads(struct parser *parser)
{
    return parse_c_threads(parser, &herd);
}
