// SPDX-License-Identifier: Apache-2.0
/*
 * Options as rows: a verb has a table of struct option_row, and options_parse fills its request from the command line
 * by that table. The table is data: manual pages and completion read it too. A thin layer over argp.
 *
 * A value goes to the member of the verb's request that .offset names, with the type that its kind says. A wrong value
 * ends the process with a message that names the option, what was expected and what was found, and exit code 2.
 */
#pragma once

#include <argp.h>

#include "base/base.h"

enum option_kind {
    OPTION_HEADING, /* not an option: .help is the title of the options that follow */
    OPTION_SET,     /* bool: without a value, sets it */
    OPTION_CLEAR,   /* bool: true, unless this option, which has no value, clears it */
    OPTION_TEXT,    /* const char *; with .words, one of these, given in any case; with .expected, not empty */
    OPTION_COUNT,   /* uint64_t or int64_t, from 1 on; accepts k, M, G and T */
    OPTION_WHOLE,   /* unsigned, from .low to .high */
    OPTION_NUMBER,  /* double, between .low and .high, exclusive */
    OPTION_SECONDS, /* double; accepts s, m and h */
    OPTION_SEED,    /* uint64_t, up to 2^63-1: JSON's readers and SQLite know no larger integer */
    OPTION_WORD,    /* an enum: the value of one of .words, in any case */
    OPTION_WORDS,   /* unsigned: adds the bits of some of .words, in any case, with commas between */
    OPTION_SHARD,   /* two of unsigned, at .offset and .second: of "2/8" the part, from 1, and how many there are */
    OPTION_OTHER    /* as .read decides */
};

/* What the value of an option is, if it names a file or a folder; see options.c. */
enum option_file {
    OPTION_FILE_NONE,
    OPTION_FILE_READ,     /* read: a file, a folder, or a name in its place; runs of a database; a list of them */
    OPTION_FILE_WRITTEN,  /* replaced, or added to */
    OPTION_FILE_DATABASE, /* a database that gets results */
    OPTION_FILE_FOLDER    /* files are written into it */
};

/* A word that an option takes, and its value in an enum. A list ends with {0}. */
struct option_word {
    const char *word;
    int value;
};

struct option_row {
    const char *name;
    int key;             /* a letter for the short form; 0: none */
    const char *metavar; /* NULL: there is no value */
    enum option_kind kind;
    size_t offset;                   /* of the member in the request */
    const char *usual;               /* the value if the option is not given, as it would be typed; NULL: the
                                      * request's */
    const char *help;                /* of a heading: its title; of a row that a list makes: its text; else NULL, and
                                      * help.txt has it */
    double low, high;                /* limits; high is 0 if there are none */
    const char *expected;            /* in messages; NULL: derived from the kind and the limits */
    const struct option_word *words; /* of an OPTION_WORD; of OPTION_OTHER, those that completion offers */
    size_t given;  /* of a bool that becomes true when the option is given; 0 (no first member): none */
    size_t second; /* of another member that it sets */
    bool decided;  /* a resumed run has its own value */
    enum option_file file;
    /* NULL, or it may be a key of a project file, which counts unless the option is typed or one of these: each between
     * blanks, as " baseline stored ". */
    const char *project;
    const char *replaces; /* the option whose file this option's may be: it is read before it is replaced; or NULL */
    void (*read)(const struct argp_state *state, const struct option_row *row, const char *value, void *request);
};

/* The arguments that are not options, in order: a member of the request. */
struct verb_arguments {
    char **list; /* part of argv */
    size_t count;
};

struct verb;
struct text;

/* ---- the rows, as --help, the manual and completion read them ---- */

/* The options of every verb, after its own rows; ends with {0}. */
extern const struct option_row options_common[];

/* Whether this is the {0} that ends the rows. */
bool option_ends(const struct option_row *row);

/* Its short form; 0: none. */
char option_letter(const struct option_row *row);

/* ---- for verbs ---- */

/* Fills a request by the verb's table: defaults, then the values of argv (argv[0] is "orchil VERB"), then those of the
 * project file, then the verb's own check. Ends the process for --help and any error. The request may point
 * into the arena. */
void options_parse(const struct verb *verb, int argc, char **argv, void *request, struct arena *arena);

/* For .read and .check, which receive the state: ends the process with "--OPTION: expected EXPECTED, found 'VALUE'".
 * They call options_error for other messages. */
void options_refuse(const struct argp_state *state, const struct option_row *row, const char *expected,
                    const char *value);

/* Ends the process with "orchil VERB: MESSAGE" and where to find help; formatted as by terminal_add. Used instead of
 * argp_error, which prints arguments unescaped. */
void options_error(const struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last given option that a resumed run already has a value for; NULL: none. For .check. */
const char *options_decided(const struct argp_state *state);
