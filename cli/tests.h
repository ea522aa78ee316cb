// SPDX-License-Identifier: Apache-2.0
/* Tests as verbs take and give them: the TEST arguments, with unread files, and the seed of a run; a folder of
 * generated tests; tests as JSON. */
#pragma once

#include <jansson.h>

#include "base/field.h"
#include "catalogue/selection.h"
#include "cli/options.h"
#include "litmus/litmus.h"
#include "models/races.h"

/* selection_make, with its notes and the list of unread files on standard error. After a failure there is nothing to
 * release. */
enum status tests_select(char *const *arguments, size_t count, struct selection *selection, struct error *error);

struct verb_call;
struct exclusions;

/* The same into call->selection, which the caller of the verb releases, less the exclusions (or NULL). */
enum status tests_take(struct verb_call *call, const struct verb_arguments *tests, const struct exclusions *exclude,
                       struct error *error);

/* For struct verb: the message if a required TEST is missing. */
extern const char tests_none[];

/* The list on standard error, a line for each file. */
void tests_print_unread(const struct selection *selection);

/* The exit code of a verb that would end with `code` without unread files. */
int tests_exit_code(size_t unread_count, int code);

/* The graver of two exit codes of runs: an interruption, what is unsound, a fault, what is inconclusive. */
int tests_graver_code(int a, int b);

/* ---- --exclude ---- */

/* The row; at: of a struct exclusions. */
#define ROW_EXCLUDE(at)                                                                                                \
    "exclude", 0, "TEST", OPTION_OTHER, .offset = (at), .read = exclude_read, .decided = true, .file = OPTION_FILE_READ

/* Adds a value to the exclusions of the request. */
void exclude_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request);

/* Leaves them out of the selection; on failure the selection is released. */
enum status exclude_tests(const struct exclusions *exclusions, struct selection *selection, struct error *error);

/* ---- a folder of generated tests ---- */

/* DIR/FAMILY/DIALECT/NAME.litmus, and the index DIR/@all. */

struct test_folder {
    const char *path;
    bool force; /* overwrite files with other content */
    struct arena arena;
    const char **listed; /* the lines of the index */
    size_t listed_count;
    size_t written, kept; /* kept: files that already had this content */
};

/* Creates the folder. UNREADABLE or SYSTEM, as for file_writer_open, if it cannot be created or written to. Then the
 * caller calls test_folder_close, whatever happens. path must live until then. A process that is killed leaves the
 * index as it was. */
enum status test_folder_open(const char *path, bool force, struct test_folder *folder, struct error *error);

/* Writes one test and its line of the index. USAGE for an existing file with other content that must not be
 * overwritten. */
enum status test_folder_add(struct test_folder *folder, const char *family, const struct litmus_test *test,
                            struct error *error);

/* Writes a text to a file of the folder, in which it does not get a line: as test_folder_add. */
enum status test_folder_put(struct test_folder *folder, const char *path, const struct text *text, struct error *error);

/* Puts the index in place; if not `complete`, keeps the existing one. */
enum status test_folder_close(struct test_folder *folder, bool complete, struct error *error);

/* ---- a test as JSON and the placement of its threads, for `list`, `show`, `check` and `explain` ---- */

/* ---- kinds of members of JSON objects (base/field.h) ---- */

/* A test's final condition, as `condition`. */
#define field_condition_of_type field_condition_type
json_t *field_condition_of(const struct litmus_test *test);

/* What the parser warns of, and the data race of a CUDA test; absent if there is none. */
extern const struct field_type field_warnings_type, field_cuda_race_type;
json_t *field_warnings(const struct litmus_test *test);
json_t *field_cuda_race(const struct race *race);

/* A test with its file, as `list --json` prints it. */
extern const struct field_type field_catalogue_test_type;
json_t *field_catalogue_test(const struct selected_test *selected, const struct litmus_test *test);

/* Appends the numbers of the threads, threads of one work-group together, groups joined by '-': "0-1", "01-2". 'w'
 * precedes threads that share a sub-group ("w01"), brackets enclose the groups of one cluster ("[0-1]-2"), '|'
 * separates devices, 'h' precedes the threads of the host ("0|h1"). Numbers of two digits are separated by ',', a range
 * of equal threads is written "0..7". */
void placement_print(const struct litmus_test *test, struct text *text);
