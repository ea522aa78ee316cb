// SPDX-License-Identifier: Apache-2.0
/* A tuned environment as a profile: an INI file that says in comments where it comes from. Private to tuning. */
#ifndef ORCHIL_RUNNER_TUNE_TUNE_PROFILE_H
#define ORCHIL_RUNNER_TUNE_TUNE_PROFILE_H

#include "runner/tune/tune_bench.h"
#include "runner/tune/tune_duel.h"

struct tune_origin {
    const char *database, *start; /* where the trials are; the profile that the search started from */
    uint64_t trials;
    const struct tune_duel
        *duel; /* how it was compared with the starting profile; NULL: not at all, after an interrupt */
};

/* The file's text. */
void tune_profile_print(const struct bench *bench, const struct trial *trial, const struct tune_origin *origin,
                        struct text *text);

/* Whether the file can be written, as far as that is known before the search. */
enum status tune_profile_check(const char *path, struct error *error);

/* Writes the text and gives the file its name; an older file of that name is replaced at once. */
enum status tune_profile_write(const char *path, const struct text *text, struct error *error);

#endif
