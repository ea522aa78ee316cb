// SPDX-License-Identifier: Apache-2.0
/* Finds the tests of the catalogue that are equal to a synthesised one up to names. */
#include "cli/known_tests.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "catalogue/synthesis/synthesis.h"

enum status known_tests_open(struct known_tests *known, enum litmus_dialect dialect, struct error *error)
{
    TRY(selection_all(&known->selection, error));
    known->keys = memory_take(known->selection.count + 1, sizeof *known->keys);
    for (size_t i = 0; i < known->selection.count; i++) {
        const struct litmus_test *test = known->selection.tests[i].test;
        struct text key = {0};
        if (test->dialect == dialect && synthesis_key(test, &key)) {
            known->keys[i] = text_take(&key);
            hash_index_add(&known->index, hash_index_key(0, known->keys[i]), i);
        }
        text_release(&key);
    }
    return STATUS_OK;
}

void known_tests_release(struct known_tests *known)
{
    for (size_t i = 0; known->keys && i < known->selection.count; i++)
        free(known->keys[i]);
    free(known->keys);
    hash_index_release(&known->index);
    selection_release(&known->selection);
}

const char *known_tests_name(const struct known_tests *known, const char *key)
{
    size_t step = 0, item;
    while (hash_index_next(&known->index, hash_index_key(0, key), &step, &item))
        if (strcmp(known->keys[item], key) == 0)
            return known->selection.tests[item].test->name;
    return NULL;
}
