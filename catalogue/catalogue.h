// SPDX-License-Identifier: Apache-2.0
/* The embedded catalogue by name. A file is a test or a template; the names of its tests are read from its head and its
 * axes, without parsing the rest. */
#pragma once

#include "base/hash_index.h"
#include "catalogue/catalogue_files.h"
#include "catalogue/cycles/cycle.h"
#include "catalogue/templates/template.h"
#include "litmus/litmus.h"

/* One test. */
struct catalogue_entry {
    const struct catalogue_file *file;
    const struct template *template;
    size_t instance;
    enum litmus_dialect dialect;
    const char *name; /* the template's */
};

/* An alias: a name that the literature uses for a test. */
struct catalogue_alias {
    enum litmus_dialect dialect;
    char *name;
    char *test; /* of the same dialect: a test of the catalogue, or a variant of a cycle */
};

struct catalogue {
    struct template **templates;     /* of each file; NULL for an index, and for a file that does not parse */
    struct catalogue_entry *entries; /* in the order of the files */
    size_t count;
    struct hash_index names;
    struct catalogue_alias *aliases;
    size_t alias_count;
};

/* Reads the heads of all files. A file that does not parse has no entries; selecting it reports the error. */
void catalogue_open(struct catalogue *catalogue);
void catalogue_release(struct catalogue *catalogue);

/* The tests of exactly this name one by one; dialect may be LITMUS_NONE for all. *step starts as 0; NULL after the
 * last. */
const struct catalogue_entry *catalogue_find(const struct catalogue *catalogue, const char *name, int dialect,
                                             size_t *step);

/* tests-litmus/aliases.txt: lines of "DIALECT:ALIAS NAME"; '#' starts a comment. */
extern const char catalogue_aliases[];

/* The aliases of exactly this name one by one, as catalogue_find does it. */
const struct catalogue_alias *catalogue_find_alias(const struct catalogue *catalogue, const char *name, int dialect,
                                                   size_t *step);

/* Whether a path names an index: its name starts with '@'. */
bool catalogue_is_index(const char *path);

/* Appends the names of the catalogue's indices, each after a blank. */
void catalogue_add_suites(struct text *text);

/* The file of exactly this path below tests-litmus/, or NULL. */
const struct catalogue_file *catalogue_at(const char *path);

/* "opencl:" or "ptx:" before a name. Returns the text after it, or the whole text with *dialect = LITMUS_NONE. */
const char *catalogue_dialect(const char *text, int *dialect);

/* Appends the lower-case name of a dialect: "ptx". */
void catalogue_add_dialect(enum litmus_dialect dialect, struct text *text);

/* The family of a file: its folder, without one named after a dialect ("lock/ptx/a.litmus" and "lock/opencl/b.litmus"
 * belong to "lock"). Returns the length of that prefix of path. */
size_t catalogue_family(const char *path);

/* Whether two files are of one family. */
bool catalogue_same_family(const char *path, const char *other);

/* The order in which families are listed: by line, then by name. */
int catalogue_compare_families(const char *left, size_t left_length, const char *right, size_t right_length);

struct catalogue_family {
    const char *path; /* of one of its files: starts with the name */
    size_t length;
    size_t counts[LITMUS_DIALECT_COUNT], total; /* of its tests */
    unsigned score;                             /* of a search */
};

/* The families in that order; with a search, those that have its words, the best first. The caller frees them. */
struct search;
struct catalogue_family *catalogue_list_families(const struct catalogue *catalogue, const struct search *search,
                                                 size_t *count);

/* Appends " (did you mean A, B or C?)": names that resemble the word, otherwise the best that a search for it finds; or
 * nothing. */
void catalogue_suggest(const struct catalogue *catalogue, const char *word, int dialect, struct text *text);

/* The order of names: as strcmp, but numbers in them compare by value. */
int catalogue_compare_names(const char *left, const char *right);

/* ---- the tests of the catalogue nearest to a given one ---- */

/* Those of its family whose names differ from its name in one
 * word, such as a tag of a thread, a scope or a placement. */

struct nearest_test {
    const char *name, *expect; /* expect: its claim about its witness ("allowed"), or "" */
    const char *differs;       /* what its name has: "acq instead of relaxed", "with cta", "without rmw" */
};

enum { NEAREST_MAXIMUM = 5 };

/* At most NEAREST_MAXIMUM tests of the test's dialect, in the order of the catalogue: first those whose witness has the
 * other verdict than the test's, which is `allowed` or not. None if the test's name has no words after its family
 * ("MP+rel+acq" has two). They live in the arena. Errors are those of parsing a test of the catalogue. */
enum status nearest_find(const struct litmus_test *test, bool allowed, struct arena *arena,
                         struct nearest_test **nearest, size_t *count, struct error *error);

/* ---- bugs that broke programs ---- */

/* The entries of tests-litmus/field/bugs.txt, and which tests ask their questions. */

struct bug {
    struct text_part name;
    struct text_part lines; /* "key: value", where a line that starts with two blanks continues the one before */
    struct text_part test;  /* for the caller of bug_next, as is the score of a search */
    unsigned score;
};

/* Steps to the next bug, in the order of the file: *bug starts as {0}. False after the last. */
bool bug_next(struct bug *bug);

/* Steps to the next field of a bug, in the order of the file: *key and *value, with its line ends, start as {0}. False
 * after the last. */
bool bug_next_field(const struct bug *bug, struct text_part *key, struct text_part *value);

/* Appends the value of a field on one line; nothing if the bug does not have the field. */
void bug_add_value(const struct bug *bug, const char *key, struct text *text);

/* Steps to the next test that a bug names, as "ptx:MP+relaxed": *name starts as {0}. False after the last. */
bool bug_next_test(const struct bug *bug, struct text_part *name);

/* Whether this is the name of the test. */
bool bug_is_test(const struct text_part *name, const struct litmus_test *test);

/* ---- searching ---- */

/* The words of a text, of at most so many bytes, without their endings; the first is all of them in one. A word is
 * found at the start of one of another text, whatever its case and also where that is divided: "Spin-locks" has
 * "spinlock". */
enum { SEARCH_WORDS = 17, SEARCH_WORD = 64 };
struct search {
    char words[SEARCH_WORDS][SEARCH_WORD];
    size_t count;
};
struct search search_start(const char *text);

/* A test that has all words, and how well they fit. */
struct search_hit {
    const struct catalogue_entry *entry;
    unsigned score;
};

/* The tests that have all words in their texts, at least one of them in their own, the best first; the caller frees
 * them. */
struct search_hit *search_tests(const struct search *search, const struct catalogue *catalogue, size_t *count);
unsigned search_bug(const struct search *search, const struct bug *bug); /* its score; 0: it lacks a word */
