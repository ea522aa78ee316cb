// SPDX-License-Identifier: Apache-2.0
/* Characters of UTF-8: which may be shown, which deceive, and how wide they are. */
#pragma once

#include "base/base.h"

/* The bytes of the character at the start of a string, 1 to 4, and its code. 0 if there is none that may be shown: a
 * control character (C0, DEL or C1, the end of the string too), a surrogate, or a byte that is not UTF-8. */
size_t character_read(const char *text, uint32_t *code);

/* Whether it is invisible and reorders, joins or hides its neighbours (Unicode Technical Report
 * 36): marks and overrides of direction, separators of lines, characters of no width, private
 * use. */
bool character_deceives(uint32_t code);

/* Columns that it takes on a terminal: 2 for wide East Asian characters and emoji, 0 for combining marks, else 1. */
unsigned character_columns(uint32_t code);
