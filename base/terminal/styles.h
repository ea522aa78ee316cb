// SPDX-License-Identifier: Apache-2.0
/* The escape sequences of the styles, recognised. Private to this folder. */
#ifndef ORCHIL_BASE_TERMINAL_STYLES_H
#define ORCHIL_BASE_TERMINAL_STYLES_H

#include <stddef.h>

/* The bytes of the sequence at the start of a text that terminal_style gives; 0 where there is none. */
size_t terminal_style_size(const char *text);

#endif
