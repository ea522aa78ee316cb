// SPDX-License-Identifier: Apache-2.0
/* JSON values of texts and numbers of unknown origin, and documents printed. */
#ifndef ORCHIL_BASE_JSON_H
#define ORCHIL_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Lets the library end the process, too, where no memory is left (base/memory.h): what it makes is never NULL for want of
 * memory. At the start of a program. */
void json_start(void);

/* The text; where it is not UTF-8 (a driver's name for a device, a file in another encoding), with '?' for each byte
 * beyond ASCII; null for NULL. */
json_t *json_text(const char *text);

/* The number; null where it is not finite. */
json_t *json_number(double number);
json_t *json_count(uint64_t count);

/* Appends an item to an array. */
void json_append(json_t *array, json_t *item);

/* What is dumped for people and programs holds no byte that steers a terminal: characters that are not to be shown, or
 * that deceive (base/terminal/character.h), are written by number. */

/* Appends the document to text, indented, with a newline, and drops it. */
void json_add_document(json_t *document, struct text *text);

/* Prints a document to standard output, indented, with a newline, and drops it. False if it could not be written. */
bool json_print(json_t *document);

/* Writes a document on one line, and drops it. False if it could not be written. */
bool json_write_line(json_t *document, FILE *stream);

#endif
