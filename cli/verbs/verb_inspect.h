// SPDX-License-Identifier: Apache-2.0
/* What the files verb_inspect*.c share. */
#ifndef ORCHIL_CLI_VERBS_VERB_INSPECT_H
#define ORCHIL_CLI_VERBS_VERB_INSPECT_H

#include "catalogue/selection.h"
#include "inspect/compile/inspect_many.h"

/* One compiler for one target, with its results: one per test of the selection. */
struct inspect_column {
    const struct inspect_compiler_kind *kind;
    char *compiler; /* "clang-15", or a path */
    char version[128];
    struct inspect_target target;
    struct inspected *results;
};

struct inspect_columns {
    struct inspect_column *items; /* for each target, the compilers in the order of the command line */
    size_t count;
};

/* Reads lists separated by commas: compilers, and targets of which a later one may leave out the machine
 * ("amdgcn:gfx90a,gfx942"). Asks each compiler for its version and whether it knows each target; a pair that cannot
 * compile is UNSUPPORTED, with the reason. */
enum status inspect_columns_read(const char *compilers, const char *targets, struct inspect_columns *columns,
                                 struct error *error);
void inspect_columns_release(struct inspect_columns *columns, size_t tests);

/* Counts the tests that an earlier compiler of the same target kept and a later one does not. With `print`, prints each
 * test in which compilers of a target differ, and a table of all. */
size_t inspect_columns_compare(const struct inspect_columns *columns, const struct selection *selection, bool print);

/* Writes the tests that each column kept, as a baseline. */
enum status inspect_baseline_write(const char *path, const struct inspect_columns *columns,
                                   const struct selection *selection, struct error *error);

/* Counts, and with `print` prints, the tests of a baseline that a column of the same target does not keep. Tests that
 * were not selected are left out. */
enum status inspect_baseline_compare(const char *path, const struct inspect_columns *columns,
                                     const struct selection *selection, bool print, size_t *lost, struct error *error);

/* Appends the differences between compilers as Markdown. */
void inspect_columns_add_markdown(const struct inspect_columns *columns, const struct selection *selection,
                                  struct text *text);

/* Prints a line for each finding. */
void inspect_print_findings(const struct inspection *inspection);

/* Prints the compilers that can be asked for: version and targets, or the package to install. */
void inspect_compilers_print(void);

#endif
