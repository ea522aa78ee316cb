// SPDX-License-Identifier: Apache-2.0
/* The values behind the metadata keys of a test, and the names in them. */
#include <stdio.h>
#include <string.h>

#include "litmus/litmus.h"

const char litmus_controls[] = "Control", litmus_mutants[] = "Mutants";

const char *litmus_metadata(const struct litmus_test *test, const char *key)
{
    for (size_t i = 0; i < test->metadata_count; i++)
        if (strcmp(test->metadata[i].key, key) == 0)
            return test->metadata[i].value;
    return NULL;
}

bool litmus_next_name(const struct litmus_test *test, const char *key, const char **rest, char name[LITMUS_NAME_SIZE])
{
    static const char between[] = ", \t";
    const char *at = *rest ? *rest : test ? litmus_metadata(test, key) : NULL;
    if (!at)
        return false;
    at += strspn(at, between);
    const size_t length = strcspn(at, between);
    (void)snprintf(name, LITMUS_NAME_SIZE, "%.*s", (int)(length < LITMUS_NAME_SIZE ? length : LITMUS_NAME_SIZE - 1),
                   at);
    *rest = at + length;
    return length > 0;
}
