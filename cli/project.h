// SPDX-License-Identifier: Apache-2.0
/* Project files: an INI file orchil.ini with a section [gate], whose keys are long names of options
 * (docs/reference/project-file.md). */
#pragma once

#include "cli/options.h"

#define PROJECT_FILE "orchil.ini"

/* A line `key = value`. */
struct project_line {
    const struct option_row *row; /* of the verb, else of another verb with the option */
    bool of_verb;
    const char *value; /* paths of the file's folder lead there from the working folder */
    const char *place; /* "orchil.ini:3:1" */
};

struct project {
    const char *path; /* NULL: there is none */
    struct project_line *lines;
    size_t count;
    struct verb_arguments tests; /* of the key `tests`: of verbs that make a baseline */
};

/*
 * Reads the file `named` or, if it is NULL, the orchil.ini of the working folder or of the first folder above that has
 * one. Such a found file must be a regular file of the user or of root, which others may not write, in a folder of the
 * user or of root: else USAGE, saying how to go on.
 *
 * SYNTAX, with the place, for text that is not UTF-8 or has control characters, another section, a key that is no
 * option of verb->project with .project, that is given twice or has no value, and an output that is not below the
 * file's folder, by its path and after all links. UNREADABLE or LIMIT for a file that is not regular or larger than
 * 64 KiB. Values are not read. All strings are in the arena.
 */
enum status project_read(const char *named, const struct verb *verb, struct arena *arena, struct project *project,
                         struct error *error);

/* The verb's own row of that name; NULL: none. */
const struct option_row *project_find_row(const struct verb *verb, const char *name);
