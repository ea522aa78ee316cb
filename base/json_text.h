// SPDX-License-Identifier: Apache-2.0
/* Texts of unknown origin as JSON strings. Private to this folder. */
#ifndef ORCHIL_BASE_JSON_TEXT_H
#define ORCHIL_BASE_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>

/* The text; where it is not UTF-8 (a driver's name for a device, a file in another encoding), with '?' for each byte
 * beyond ASCII. NULL if memory ran out. */
json_t *json_text(const char *text);

/* Prints a document to standard output, indented, with a newline. False if it could not be written, also for NULL. The
 * document is dropped. */
bool json_print(json_t *document);

#endif
