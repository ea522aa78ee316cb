// SPDX-License-Identifier: Apache-2.0
/* JSON values from texts and numbers of unknown origin, and printing of documents. */
#pragma once

#include <jansson.h>

#include "base/base.h"

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

/* The documents of the verbs. X(name, kind, word, version, verb, what it is): its kind is document_KIND (base/field.h),
 * the schema WORD.json describes it, and the version is raised if a member is removed or changes its meaning. */
#define JSON_SCHEMA_LIST(X)                                                                                            \
    X(AUDIT, audit, "audit", 1, "audit", "One object: what the model allows where kernels communicate.")               \
    X(CHECK, check, "check", 1, "check", "An object for each test and model, on a line.")                              \
    X(CHECK_DIFFER, check_differ, "check-differ", 1, "check --differ",                                                 \
      "An object for each test on which the models differ, on a line.")                                                \
    X(CHECK_PROGRESS, check_progress, "check-progress", 1, "check --progress and explain --progress",                  \
      "An object for each test and scheduler, on a line: whether the program must end.")                               \
    X(COMPARE, compare, "compare", 2, "compare", "One object: what changed from side A to side B.")                    \
    X(DEVICES, devices, "devices", 1, "devices", "An array with an object for each device.")                           \
    X(EXPLAIN, explain, "explain", 1, "explain", "One object: why an outcome has its verdict.")                        \
    X(EXPORT_BATCHES, export_batches, "export-batches", 1, "export --what batches",                                    \
      "A row of the view `v_batch`, on a line.")                                                                       \
    X(EXPORT_JOBS, export_jobs, "export-jobs", 1, "export --what jobs",                                                \
      "The object that `orchil run --json` printed, with the columns of `v_job` that it lacks.")                       \
    X(EXPORT_JUDGEMENTS, export_judgements, "export-judgements", 1, "export --what judgements",                        \
      "A row of the view `v_judgement`, on a line.")                                                                   \
    X(EXPORT_MERGES, export_merges, "export-merges", 1, "export --what merges",                                        \
      "A row of the view `v_merge`, on a line.")                                                                       \
    X(EXPORT_OUTCOMES, export_outcomes, "export-outcomes", 1, "export --what outcomes",                                \
      "A row of the view `v_outcome`, on a line.")                                                                     \
    X(EXPORT_PARTS, export_parts, "export-parts", 1, "export --what parts", "A row of the view `v_part`, on a line.")  \
    X(EXPORT_RESUMPTIONS, export_resumptions, "export-resumptions", 1, "export --what resumptions",                    \
      "A row of the view `v_resumption`, on a line.")                                                                  \
    X(EXPORT_RUNS, export_runs, "export-runs", 1, "export --what runs", "A row of the view `v_run`, on a line.")       \
    X(EXPORT_VOIDS, export_voids, "export-voids", 1, "export --what voids", "A row of the view `v_void`, on a line.")  \
    X(GATE, gate, "gate", 1, "gate",                                                                                   \
      "One object: the decision. If the gate ends with exit code 4 or is interrupted, the object has only "            \
      "`verdict`, `exit_code` and `error`.")                                                                           \
    X(GATE_BASELINE, gate_baseline, "gate-baseline", 1, "gate baseline", "One object: what the baseline contains.")    \
    X(GATE_PART, gate_part, "gate-part", 1, "gate --shard", "One object: what the part played.")                       \
    X(HISTORY, history, "history", 1, "history", "One object: when rates changed.")                                    \
    X(INSPECT, inspect, "inspect", 1, "inspect", "An object for each test, on a line.")                                \
    X(LIST, list, "list", 1, "list", "An array with an object for each test.")                                         \
    X(LIST_FIELD, list_field, "list-field", 1, "list --field",                                                         \
      "An array with an object for each bug, with the fields of its entry in `tests-litmus/field/bugs.txt`, "          \
      "each one line of text.")                                                                                        \
    X(MERGE, merge, "merge", 1, "merge", "One object: what was added.")                                                \
    X(RUN, run, "run", 1, "run", "An object for each job, on a line, when the job has ended.")                         \
    X(RUN_ASSUMPTIONS, run_assumptions, "run-assumptions", 1, "run, the last line for a suite of assumptions",         \
      "Which assumptions hold, for a suite with `score = assumptions`, such as `@assumptions`.")                       \
    X(RUN_DRY_RUN, run_dry_run, "run-dry-run", 1, "run --dry-run and gate --dry-run",                                  \
      "One object: what the run would do.")                                                                            \
    X(RUN_SCORE, run_score, "run-score", 1, "run, the last line for a suite with a score",                             \
      "The mutation score of a suite with `score = mutants`, such as `@mcmutants`.")                                   \
    X(SHOW, show, "show", 1, "show", "An array with an object for each test.")                                         \
    X(SYNTHESISE, synthesise, "synthesise", 1, "synthesise", "An object for each test, on a line.")                    \
    X(SYNTHESISE_COUNTS, synthesise_counts, "synthesise-counts", 1, "synthesise, the last line", "What was searched.")

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
