// SPDX-License-Identifier: Apache-2.0
/* JSON values from texts and numbers of unknown origin, and printing of documents. */
#ifndef ORCHIL_BASE_JSON_H
#define ORCHIL_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Makes the library end the process if memory runs out (base/memory.h), so it never returns NULL
 * for lack of memory. Called at the start of a program. */
void json_start(void);

/* The text; if it is not UTF-8 (a device name from a driver, a file in another encoding), with
 * '?' for each byte beyond ASCII; null for NULL. */
json_t *json_text(const char *text);

/* The number; null if it is not finite. */
json_t *json_number(double number);
json_t *json_count(uint64_t count);

/* Appends an item to an array. */
void json_append(json_t *array, json_t *item);

/* Printed JSON contains no byte that controls a terminal: characters that must not be shown, or
 * that deceive (base/terminal/character.h), are escaped by number. */

/* Appends the document to text, indented, with a newline, and drops it. */
void json_add_document(json_t *document, struct text *text);

/* Prints a document to standard output, indented, with a newline, and drops it. False if it could
 * not be written. */
bool json_print(json_t *document);

/* Writes a document on one line, and drops it. False if it could not be written. */
bool json_write_line(json_t *document, FILE *stream);

#endif
