// SPDX-License-Identifier: Apache-2.0
/* A test read from a file. */
#pragma once

#include "litmus/litmus.h"

/* UNREADABLE if the file cannot be read, LIMIT if it is larger than LITMUS_MAXIMUM_FILE; *test is then NULL. */
static inline enum status parsed_file(const char *path, struct litmus_test **test, struct error *error)
{
    *test = NULL;
    LOCAL(text) text = {0};
    TRY(litmus_read_file(path, &text, error));
    return litmus_parse(path, text_string(&text), text.size, test, error);
}
