// SPDX-License-Identifier: Apache-2.0
/* Shared by selection*.c: a selection under construction. */
#pragma once

#include <sys/stat.h>

#include "catalogue/judge_variant.h"
#include "catalogue/selection.h"

/* Limits of one selection: a few hundred bytes of indices could select any number of tests. */
enum {
    SELECTION_MAXIMUM_NESTING = 16,              /* of indices */
    SELECTION_MAXIMUM_NAMED = 250000,            /* tests and words, including those that are already selected */
    SELECTION_MAXIMUM_BYTES = 256 * 1024 * 1024, /* of files */
    SELECTION_MAXIMUM_ENTRIES = 1000000          /* of folders */
};

/* The place where words of a command line or of an index are looked up. */
struct origin {
    const char *folder;         /* "" or with a '/' at its end */
    bool embedded;              /* the folder is one of the catalogue */
    unsigned depth;             /* of indices */
    const struct origin *above; /* the index that names this one; NULL on the command line */
    const char *index;          /* the path of this index; NULL: the command line */
    uint64_t device, file;      /* its identity, if it is a file */
};

struct maker {
    struct selection *selection;
    size_t room, unread_room, note_room; /* of the selection's lists */
    size_t named, bytes, entries;        /* so far; see the bounds */
    size_t matched;                      /* tests that the current word selects, including tests already selected and
                                          * unread files */
    const struct litmus_test **added;    /* the selected tests in order of selection, unaffected by sorting */
    size_t added_count, added_room;
    struct hash_index seen;         /* of added, by dialect and name */
    struct hash_index seen_content; /* of the added tests whose name another test has, by content */
    struct hash_index unread;       /* of the selection's unread files, by their messages */
    struct origin *indices;         /* that were read, below others */
    size_t index_count, index_room;
    struct hash_index index_keys; /* of indices */
    struct stat *folders;         /* the folder that is being read, and those below it so far */
    size_t folder_count, folder_room;
    struct hash_index folder_keys; /* of folders, by their identity */
    model_judging *judging;        /* of variants */
    struct variant_judge *judge;   /* NULL until a variant is selected */
    struct error *error;
};

/* Whether name, dialect and content are equal: such duplicates are skipped. */
bool selection_is_same(const struct litmus_test *left, const struct litmus_test *right);

/* Counts what a selection has cost so far; USAGE if a limit is exceeded. */
enum status selection_count(struct maker *maker, size_t named, size_t bytes);
enum status selection_count_entry(struct maker *maker);

/* Whether the status concerns only the file that was read. */
bool selection_is_fault(enum status status);

/* If the status is such a fault, puts the maker's error on the list of unread files and returns OK; else returns the
 * status. */
enum status selection_pass_over(struct maker *maker, enum status status);

/* USAGE if only unread files were selected. */
enum status selection_check_rest(const struct maker *maker);

void selection_release_unread(struct selection *selection);

/* Adds a test unless an equal one is present; takes ownership of the test. template may be NULL. Returns the test in
 * the selection until the next call, or NULL. */
struct selected_test *selection_add(struct maker *maker, struct litmus_test *test, const char *file,
                                    const char *template);

/* Sorts by name the tests added after the first `first` tests. */
void selection_sort(struct selection *selection, size_t first);

/* Puts a message on the list of notes. */
void selection_note(struct maker *maker, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tests of the catalogue by the path of a file or folder. */
enum status selection_add_embedded(struct maker *maker, const char *path);

/* Tests that have no file. Adds the variant of a name, with its verdicts; adds nothing for any other name. When a name
 * is reported as missing, `selection_hint_variant` appends how it could be generated, or why not. */
enum status selection_add_variant(struct maker *maker, const char *name, enum litmus_dialect dialect);
enum status selection_find_variant(const char *name, enum litmus_dialect dialect, struct selected_test *found,
                                   struct error *error);
void selection_hint_variant(const char *name, int dialect, struct text *text);

/* Adds the variants that options of `orchil generate` select; words are modified. USAGE for unknown options. */
enum status selection_add_generated(struct maker *maker, char *words);

/* A key that identifies a file or folder, whatever its name. */
uint64_t selection_file_key(const struct stat *what);

/* The meanings of a word. */
enum status selection_add_word(struct maker *maker, const char *word, const struct origin *origin);

bool selection_ends_in(const char *text, const char *end);
