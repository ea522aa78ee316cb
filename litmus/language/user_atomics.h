// SPDX-License-Identifier: Apache-2.0
/*
 * A user's own atomics: a header with functions that kernels call in place of the built-in ones, so that the tests of
 * the catalogue test these functions.
 *
 * A process has one such header or none. It is loaded at the start, from the command line, and by a worker from what
 * its supervisor passes on; never from a database or a test. A kernel includes it by name, before everything else.
 * kernel/lower/lower_user.c says what is called, docs/guide/your-own-atomics.md what a header may define.
 */
#pragma once

#include "base/base.h"

/* What begins the name of each function, order, scope and memory of the header. */
#define USER_ATOMICS_PREFIX "orchil_"

struct user_atomics_request {
    const char *file;               /* NULL: none */
    const char *const *folders;     /* in which its includes are found, besides its own; NULL-terminated, or NULL */
    const char *const *definitions; /* "NAME" or "NAME=VALUE" of macros, likewise */
    bool only;                      /* an access without a function in the header is refused, not built in */
};

/* Reads the header and what it includes from its folders, and keeps their hash. USAGE, with the place and the names
 * that there are, if it has a name with the prefix that kernels never call, or none that they call; UNREADABLE if a
 * file or folder cannot be read; LIMIT if the files are too large. Called once, before threads start. */
enum status user_atomics_load(const struct user_atomics_request *request, struct error *error);

/* What a worker's command line passes on; NULL without a header. Lives as long as the process. */
const char *user_atomics_argument(void);

/* The same header, from that argument. USAGE if the files differ from the supervisor's. */
enum status user_atomics_load_argument(const char *argument, struct error *error);

/* USAGE if the files changed since they were loaded: the kernels of a run must be of one header. */
enum status user_atomics_check(struct error *error);

bool user_atomics_loaded(void);
bool user_atomics_only(void);
bool user_atomics_need_library(void); /* it includes headers of CUDA's library */

/* Whether the header has this name: "orchil_load", "orchil_load_acquire_device". */
bool user_atomics_define(const char *name);

/* "my.h:1a2b3c4d5e": its file and the start of its hash, which lowerings (generate.c) and jobs carry. "" without. */
const char *user_atomics_name(void);

/* Its name without a folder: "my.h". */
const char *user_atomics_file(void);

/* The folders that a compiler must search, NULL-terminated; NULL without a header. */
const char *const *user_atomics_folders(void);

/* Appends the options that named it, as they were given, each after a blank; nothing without a header. */
void user_atomics_add_options(struct text *text);

/* Appends what a program needs to call the functions: the macros and constants, and the header by its name. */
void user_atomics_add_include(struct text *text);

/* Appends the header's own text. */
enum status user_atomics_add_text(struct text *text, struct error *error);

/* What precedes the backend's prelude: that, and an error for each word of the prelude or the skeleton that the
 * header has made a macro. Lines are counted from 1 after it. It is made once for each prelude, not by several threads
 * at once, and lives as long as the process. */
const char *user_atomics_prologue(const char *prelude, const char *skeleton);

/* Appends the names that the header defines, for people: "load, store, fetch_add_relaxed_device". */
void user_atomics_add_names(struct text *text);
