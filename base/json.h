// SPDX-License-Identifier: Apache-2.0
/* JSON values from texts and numbers of unknown origin, and printing of documents. */
#ifndef ORCHIL_BASE_JSON_H
#define ORCHIL_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Makes the library end the process if memory runs out (base/memory.h), so it never returns NULL for lack of memory.
 * Called at the start of a program. */
void json_start(void);

/* The text; if it is not UTF-8 (a device name from a driver, a file in another encoding), with '?' for each byte beyond
 * ASCII; null for NULL. */
json_t *json_text(const char *text);

/* The number; null if it is not finite. */
json_t *json_number(double number);
json_t *json_count(uint64_t count);

/* Appends an item to an array. */
void json_append(json_t *array, json_t *item);

/* Printed JSON contains no byte that controls a terminal: characters that must not be shown, or that deceive
 * (base/terminal/character.h), are escaped by number. */

/* What the documents of the verbs contain: schemas/WORD.json describes it, and the number is its version, which is
 * raised if a member is removed or changes its meaning. X(name, word, version) */
#define JSON_SCHEMA_LIST(X)                                                                                            \
    X(ASSUME, "assume", 1)                                                                                             \
    X(CHECK, "check", 1)                                                                                               \
    X(CHECK_DIFFER, "check-differ", 1)                                                                                 \
    X(COMPARE, "compare", 2)                                                                                           \
    X(DEVICES, "devices", 1)                                                                                           \
    X(EXPLAIN, "explain", 1)                                                                                           \
    X(EXPORT_BATCHES, "export-batches", 1)                                                                             \
    X(EXPORT_JOBS, "export-jobs", 1)                                                                                   \
    X(EXPORT_JUDGEMENTS, "export-judgements", 1)                                                                       \
    X(EXPORT_MERGES, "export-merges", 1)                                                                               \
    X(EXPORT_OUTCOMES, "export-outcomes", 1)                                                                           \
    X(EXPORT_PARTS, "export-parts", 1)                                                                                 \
    X(EXPORT_RESUMPTIONS, "export-resumptions", 1)                                                                     \
    X(EXPORT_RUNS, "export-runs", 1)                                                                                   \
    X(EXPORT_VOIDS, "export-voids", 1)                                                                                 \
    X(GATE, "gate", 1)                                                                                                 \
    X(GATE_BASELINE, "gate-baseline", 1)                                                                               \
    X(GATE_CALIBRATE, "gate-calibrate", 1)                                                                             \
    X(HISTORY, "history", 1)                                                                                           \
    X(INSPECT, "inspect", 1)                                                                                           \
    X(LIST, "list", 1)                                                                                                 \
    X(LIST_FIELD, "list-field", 1)                                                                                     \
    X(LIST_PAIRS, "list-pairs", 1)                                                                                     \
    X(MERGE, "merge", 1)                                                                                               \
    X(RUN, "run", 1)                                                                                                   \
    X(RUN_DRY_RUN, "run-dry-run", 1)                                                                                   \
    X(RUN_SCORE, "run-score", 1)                                                                                       \
    X(SHOW, "show", 1)                                                                                                 \
    X(SYNTHESISE, "synthesise", 1)                                                                                     \
    X(SYNTHESISE_COUNTS, "synthesise-counts", 1)

#define JSON_SCHEMA_ENUM(name, word, version) JSON_##name,
enum json_schema { JSON_SCHEMA_LIST(JSON_SCHEMA_ENUM) };
#undef JSON_SCHEMA_ENUM

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

#endif
