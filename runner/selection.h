// SPDX-License-Identifier: Apache-2.0
/*
 * Which tests a command line means. A TEST argument is a name or a glob over the names of the catalogue (optionally
 * with a dialect before it, "ptx:MP*"), a path to a .litmus file, a directory (all .litmus files below it), or an index
 * "@FILE" or path of a file whose name starts with '@'. An argument that holds a '/' or ends in ".litmus" is a path.
 */
#ifndef ORCHIL_RUNNER_SELECTION_H
#define ORCHIL_RUNNER_SELECTION_H

#include <stddef.h>

#include "base/status.h"
#include "litmus/litmus.h"

struct selected_test {
    struct litmus_test *test;
    char *file; /* "MP/MP+relaxed.litmus" within the catalogue, or the path that was read */
};

struct selection {
    struct selected_test *tests;
    size_t count;
};

/*
 * Reads every test that the arguments name, each once, in the order of the arguments and, within one, of names (digits
 * compare as numbers). An argument that selects nothing is an error that names close matches; a file that does not
 * parse stops everything. The caller releases the selection.
 */
enum status selection_make(char *const *arguments, size_t count, struct selection *selection, struct error *error);

/* The whole catalogue. */
enum status selection_all(struct selection *selection, struct error *error);

/* Finds a test of the catalogue by exact name and dialect, for the controls that a test names. USAGE if there is none.
 * The test is the caller's. */
enum status selection_find(const char *name, enum litmus_dialect dialect, struct selected_test *found,
                           struct error *error);

void selection_release(struct selection *selection);

#endif
