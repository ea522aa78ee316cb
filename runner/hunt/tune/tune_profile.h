// SPDX-License-Identifier: Apache-2.0
/* A tuned environment as a profile: an INI file with comments on its origin. Private to tuning. */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNE_PROFILE_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNE_PROFILE_H

#include "runner/hunt/tune/tune_bench.h"
#include "runner/hunt/tune/tune_duel.h"

struct tune_origin {
    const char *database, *start; /* with the trials; the starting profile */
    uint64_t trials;
    /* Its comparison with the starting profile; NULL: none, after an interrupt. */
    const struct tune_duel *duel;
};

/* Prints the file's text. */
void tune_profile_print(const struct bench *bench, const struct trial *trial, const struct tune_origin *origin,
                        struct text *text);

/* Checks, before the search, that the file can probably be written. */
enum status tune_profile_check(const char *path, struct error *error);

/* Writes the text, then gives the file its name; replaces an existing file atomically. */
enum status tune_profile_write(const char *path, const struct text *text, struct error *error);

#endif
