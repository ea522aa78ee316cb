// SPDX-License-Identifier: Apache-2.0
/* The values of a test's metadata keys, and the names in them. */
#include <stdio.h>
#include <string.h>

#include "litmus/litmus.h"

const char litmus_text_key[] = "Text.";
const char litmus_controls[] = "Control", litmus_mutants[] = "Mutants", litmus_planted[] = "Planted";

const char *litmus_metadata(const struct litmus_test *test, const char *key)
{
    for (size_t i = 0; i < test->metadata_count; i++)
        if (strcmp(test->metadata[i].key, key) == 0)
            return test->metadata[i].value;
    return NULL;
}

const char *litmus_text(const struct litmus_test *test, const char *language)
{
    const size_t size = strlen(litmus_text_key);
    if (strcmp(language, "en") == 0)
        return *test->doc ? test->doc : NULL;
    for (size_t i = 0; i < test->metadata_count; i++)
        if (strncmp(test->metadata[i].key, litmus_text_key, size) == 0 &&
            strcmp(test->metadata[i].key + size, language) == 0)
            return test->metadata[i].value;
    return NULL;
}

enum litmus_claim litmus_claim(const struct litmus_test *test)
{
    static const struct {
        const char *word;
        enum litmus_claim claim;
    } words[] = {{"allowed", LITMUS_CLAIM_ALLOWED},
                 {"unpromised", LITMUS_CLAIM_UNPROMISED},
                 {"forbidden", LITMUS_CLAIM_FORBIDDEN}};
    const char *expect = litmus_metadata(test, "Expect");
    if (!expect)
        return LITMUS_CLAIM_NONE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(expect, words[i].word) == 0)
            return words[i].claim;
    return LITMUS_CLAIM_UNKNOWN;
}

bool litmus_forbids_witness(const struct litmus_test *test)
{
    const enum litmus_claim claim = litmus_claim(test);
    if (claim != LITMUS_CLAIM_NONE)
        return claim == LITMUS_CLAIM_FORBIDDEN;
    return test->quantifier == LITMUS_NOT_EXISTS || test->quantifier == LITMUS_FORALL;
}

bool litmus_is_progress(const struct litmus_test *test)
{
    const char *progress = litmus_metadata(test, "Progress");
    return progress && strcmp(progress, "yes") == 0;
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
