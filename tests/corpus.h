// SPDX-License-Identifier: Apache-2.0
/*
 * Files of many small test cases, grouped by subject.
 *
 *     What this file is about, up to the first title.
 *
 *     ==== address-bracket
 *     PTX T
 *     { x=0; }
 *     ---- expected
 *     address-bracket.litmus:2:9: expected ...
 *
 *     ==== another-title
 *
 * A line "==== TITLE" starts a case, a line "---- NAME" the next part of it; the first part has no name and may be
 * empty. The empty line before a title belongs to no case. `\x1b` is a byte that does not belong in a text file, or
 * that has another meaning here; a `\` at the end of a part means that its last line has no newline.
 *
 * With ORCHIL_UPDATE set, expected parts are rewritten instead of compared: read the difference before you accept it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct corpus_part {
    char *name; /* "" for the first */
    struct text text;
};

struct corpus_case {
    char *title;
    const char *path; /* of its file */
    unsigned line;    /* of its title, counted from 1 */
    struct corpus_part *parts;
    size_t count, room;
    bool changed; /* by corpus_expect */
};

/* Calls check for every case of a file, or of all *.txt files of a folder in the order of their names. Returns the
 * number of cases. Fails an assertion if a file cannot be read or has two equal titles. */
size_t corpus_each(const char *path, void (*check)(struct corpus_case *one, void *context), void *context);

/* The text of a part, or NULL if the case has no such part. */
const struct text *corpus_part(const struct corpus_case *one, const char *name);

/* Fails an assertion unless the part is exactly this text; with ORCHIL_UPDATE it replaces the part. */
void corpus_expect(struct corpus_case *one, const char *name, const char *found);

/* Writes the first part of every case of a file to FOLDER/TITLE; a title may name folders, too. Returns the number of
 * cases. Fails an assertion if a case has another part or cannot be written. */
size_t corpus_unpack(const char *path, const char *folder);

/* Appends the text of a part in the form that corpus_each reads. */
void corpus_print(const struct text *part, struct text *all);
