// SPDX-License-Identifier: Apache-2.0
/* Names behind a key of a test's metadata. */
#include "catalogue/related.h"

#include <stdio.h>
#include <string.h>

const char related_controls[] = "Control", related_mutants[] = "Mutants";

bool related_next(const struct litmus_test *test, const char *key, const char **rest, char name[RELATED_NAME_SIZE])
{
    static const char between[] = ", \t";
    const char *at = *rest ? *rest : litmus_metadata(test, key);
    if (!at)
        return false;
    at += strspn(at, between);
    const size_t length = strcspn(at, between);
    (void)snprintf(name, RELATED_NAME_SIZE, "%.*s", (int)(length < RELATED_NAME_SIZE ? length : RELATED_NAME_SIZE - 1),
                   at);
    *rest = at + length;
    return length > 0;
}
