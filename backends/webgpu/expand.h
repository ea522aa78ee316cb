// SPDX-License-Identifier: Apache-2.0
/* The tokens of kernel text, with its macros replaced. */
#pragma once

#include "base/base.h"

/* Words, numbers and operators: parts of a text that outlives them. */
struct wgsl_tokens {
    struct text_part *items;
    size_t count;
};

/* Whether a token is this word or operator; whether it is a name. */
bool wgsl_token_is(struct text_part token, const char *word);
bool wgsl_token_is_name(struct text_part token);
bool wgsl_token_same(struct text_part a, struct text_part b);

/* Reads what a C preprocessor would leave of the text, as far as the skeleton and the kernels need one: #define,
 * #undef, #ifdef, #ifndef, #else, #endif, comments. The lines from #verbatim to #end are not C: they are appended to
 * `verbatim`. SYNTAX if a directive is unknown or an end is missing. The tokens lie in the text, their array in the
 * arena. */
enum status wgsl_expand(const char *text, struct arena *arena, struct wgsl_tokens *tokens, struct text *verbatim,
                        struct error *error);
