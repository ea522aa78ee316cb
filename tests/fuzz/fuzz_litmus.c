// SPDX-License-Identifier: Apache-2.0
/* Any text is either refused with a message or parsed to a test whose printed form parses to the same printed form. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/litmus.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct litmus_test *test, *again;
    struct error error = {0};
    if (litmus_parse("fuzz", (const char *)bytes, size, &test, &error) != STATUS_OK) {
        demand(!test && error.text[0]);
        return 0;
    }
    struct text once = {0}, twice = {0}, names = {0};
    char hash[65], hash_again[65];
    litmus_print(test, &once);
    /* The printed form may exceed the limit for files; then there is nothing to compare. */
    if (once.size <= LITMUS_MAXIMUM_FILE) {
        demand(litmus_parse("printed", text_string(&once), once.size, &again, &error) == STATUS_OK);
        litmus_print(again, &twice);
        demand(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
        litmus_hash(test, hash);
        litmus_hash(again, hash_again);
        demand(strcmp(hash, hash_again) == 0);
        litmus_release(again);
    }
    int64_t *values = calloc(test->variable_count + 1, sizeof *values);
    demand(values);
    (void)litmus_passes_filter(test, values);
    (void)litmus_is_witness(test, values);
    litmus_print_outcome(test, values, &names);
    (void)litmus_unsupported(test, &names);
    free(values);
    litmus_release(test);
    text_release(&once);
    text_release(&twice);
    text_release(&names);
    return 0;
}
