// SPDX-License-Identifier: Apache-2.0
/* Recognises styles and breaks lines. Private to this folder. */
#ifndef ORCHIL_BASE_TERMINAL_WRAP_H
#define ORCHIL_BASE_TERMINAL_WRAP_H

#include <stddef.h>

#include "base/text.h"

/* The bytes of the style sequence, as from terminal_style, at the start of a text; 0 if there is
 * none. */
size_t terminal_style_size(const char *text);

/* Columns of the longest part of a text that is not broken at a blank. */
size_t wrap_longest_word(const char *text);

#endif
