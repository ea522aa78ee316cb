// SPDX-License-Identifier: Apache-2.0
/*
 * Which tests a command line selects. A TEST argument is a name or a glob over the names of the catalogue (optionally
 * with a dialect before it, "ptx:MP*"), a path to a .litmus file, a directory (all .litmus files below it), or an index
 * "@FILE" or path of a file whose name starts with '@'. An argument that holds a '/' or ends in ".litmus" is a path; if
 * it does not exist, the catalogue is searched too ("MP/"). A file with axes selects all its instances.
 *
 * A name that no test has selects a family of the catalogue ("MP", "ptx:MP", also "ptx:MP/"); else a folder of the
 * working directory, or of the index; else, with a dialect, a variant, if it has the form of one
 * (catalogue/cycles/variant.h). If it could also mean something else, a note says so.
 *
 * An index is one argument per line; '#' starts a comment. A line "generate OPTION..." selects the variants that
 * `orchil generate` makes of these options. Lines "budget = 2m" and "confidence =
 * 0.95" make it a suite, and "score = mutants" or "score = assumptions" asks for more at the end of
 * its run, see enum selection_score.
 */
#pragma once

#include "catalogue/catalogue.h"
#include "models/models.h"

struct selected_test {
    struct litmus_test *test;
    char *file;     /* "MP/opencl/MP+relaxed.litmus" within the catalogue, the path that was read, or, of a variant that
                       has no file, "generated/MP/opencl/MP+relaxed.litmus" */
    char *template; /* the title of the template that it is an instance of ("MP+$tag"), or NULL */
    const struct template *source; /* of the selection's catalogue, with the number of its instance; or NULL */
    size_t instance;
};

/* What a suite wants to know at the end of a run. */
enum selection_score {
    SELECTION_SCORES_NOTHING,
    SELECTION_SCORES_MUTANTS,    /* how many of its mutants were seen, and how often */
    SELECTION_SCORES_ASSUMPTIONS /* which of its assumptions hold: those of its tests with `Planted` metadata */
};

struct selection {
    struct selected_test *tests;
    size_t count;
    /* Settings of the suites on the command line (those of nested indices are ignored); 0: not set. */
    double budget;              /* seconds for the whole run; of several suites, their sum */
    double confidence;          /* between 0 and 1; of several suites, the largest */
    enum selection_score score; /* of several suites, the first that asks for one */
    struct catalogue catalogue;
    /* The files that cannot be read: for each "FILE:LINE:COLUMN: message", once. */
    char **unread;
    size_t unread_count;
    char **notes; /* on arguments with two meanings: which one was used, and how to write the other */
    size_t note_count;
};

/* Reads every test that the arguments name, each once, in the order of the arguments and, within one, of names (digits
 * compare as numbers). An argument that selects nothing is an error; the message names close matches. So is a file that
 * cannot be read or parsed if the only argument is its path or its test's name; in a folder, a glob or an index, or
 * among several arguments, it is put on the list of unread files, and the rest is selected. USAGE if nothing but unread
 * files is left. After an error the selection holds only that list. judging judges the variants of cycles that no file
 * has; with NULL, names do not find them. The caller releases the selection, whatever the result. */
enum status selection_make(char *const *arguments, size_t count, model_judging *judging, struct selection *selection,
                           struct error *error);

enum { EXCLUSIONS_MAXIMUM = 64 };

/* TESTs to leave out, as a command line names them. */
struct exclusions {
    char *list[EXCLUSIONS_MAXIMUM]; /* borrowed */
    size_t count;
};

/* Removes the tests that the words select; their forms are those of the arguments above. Names and globs also match
 * selected tests that are not in the catalogue. A word whose tests are not selected changes nothing. A word that
 * matches no test at all is an error, and so is an empty result. */
enum status selection_exclude(struct selection *selection, char *const *words, size_t count, model_judging *judging,
                              struct error *error);

/* The whole catalogue. */
enum status selection_all(struct selection *selection, struct error *error);

/* Finds a test by exact name and dialect, for the controls and mutants that a test names: one of the selection's
 * catalogue, or the variant of that name. USAGE if there is none. The test is the caller's, who calls
 * selected_test_release. */
enum status selection_find(const struct selection *selection, const char *name, enum litmus_dialect dialect,
                           struct selected_test *found, struct error *error);

/* The selected test of that name and dialect; NULL if there is none. */
const struct selected_test *selection_get(const struct selection *selection, const char *name,
                                          enum litmus_dialect dialect);

/* Whether a selected test is the one that selection_find would find, so that it need not be read again. */
bool selection_would_find(const struct selection *selection, const struct selected_test *test);

/* SYNTAX if the test's Expect= is not one of the words that it may be. */
enum status selected_test_check_claim(const struct selected_test *test, struct error *error);

void selected_test_release(struct selected_test *test);
void selection_release(struct selection *selection);
