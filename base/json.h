// SPDX-License-Identifier: Apache-2.0
/* JSON values from texts and numbers of unknown origin, and printing of documents. */
#pragma once

#include <jansson.h>

#include "base/base.h"
#include "base/json_lists.h"

/* Makes the library end the process if memory runs out (base/memory.h), so it never returns NULL for lack of memory.
 * Called at the start of a program. */
void json_start(void);

/* The text; if it is not UTF-8 (a device name from a driver, a file in another encoding), with '?' for each byte beyond
 * ASCII; null for NULL. */
json_t *json_text(const char *text);

/* The number; null if it is not finite. */
json_t *json_number(double number);
json_t *json_count(uint64_t count);

/* Reads a number of 64 bits that a text has, since other readers of JSON keep 53. False if it is none. */
bool json_read_u64(const json_t *json, uint64_t *value);

/* Appends an item to an array. */
void json_append(json_t *array, json_t *item);

/* Printed JSON contains no byte that controls a terminal: characters that must not be shown, or that deceive
 * (base/terminal/character.h), are escaped by number. */

#define JSON_SCHEMA_ENUM(name, kind, word, version, verb, about) JSON_##name,
enum json_schema { JSON_SCHEMA_LIST(JSON_SCHEMA_ENUM) };

/* The following print a document, an object or an array of objects, and drop it. They put "schema" and "version" before
 * the members of each object. */

/* Appends the document to text, indented, with a newline. */
void json_add_document(enum json_schema schema, json_t *document, struct text *text);

/* The same without a schema: a format that is not ours, or a file that only orchil reads. */
void json_add_foreign(json_t *document, struct text *text);

/* Prints a document to standard output, indented, with a newline. False if it could not be written. */
bool json_print(enum json_schema schema, json_t *document);

/* Writes a document on one line. False if it could not be written. */
bool json_write_line(enum json_schema schema, json_t *document, FILE *stream);
