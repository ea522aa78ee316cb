// SPDX-License-Identifier: Apache-2.0
/*
 * The texts of a database, for a copy that is to be shared: each text column of the schema, with the kind of its texts. Part
 * of results.h.
 */
#ifndef ORCHIL_RESULTS_SHARE_H
#define ORCHIL_RESULTS_SHARE_H

#include "base/status.h"
#include "base/text.h"

struct store;

/* What a text is, and so how names in it are found. */
enum store_text {
    STORE_TEXT_FIXED, /* a test, a label, a hash, a time, JSON of numbers: other rows depend on it, so it cannot change */
    STORE_TEXT_WORDS,     /* written by a driver, a compiler, a system or orchil */
    STORE_TEXT_NAME,      /* a name, or the path of a file in its place */
    STORE_TEXT_COMMAND,   /* a command line, quoted for a shell */
    STORE_TEXT_HOST,      /* "NAME, SYSTEM RELEASE, MACHINE" */
    STORE_TEXT_VARIABLES, /* a JSON object: names of variables and their values */
    STORE_TEXT_PLACE      /* the path of a file */
};

/* Receives a text, and changes it or not. place: "job.reason", for messages. */
typedef enum status store_text_visitor(enum store_text kind, const char *place, struct text *text, void *data,
                                       struct error *error);

/* Calls visit once for each distinct text of each text column, and stores the texts that it changed, all in one transaction.
 * The tables of plans are left out. Changing a FIXED text is an INTERNAL error. */
enum status store_visit_texts(struct store *store, store_text_visitor *visit, void *data, struct error *error);

/* Forgets all merges of each run but the last. */
enum status store_forget_merges(struct store *store, struct error *error);

/* Writes the database as a new file without free pages, so that nothing that was deleted or changed is in it. */
enum status store_save(struct store *store, const char *path, struct error *error);

#endif
