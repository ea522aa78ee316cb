// SPDX-License-Identifier: Apache-2.0
/* The door of the inspection: which machine's reader and rules, and the comparison. */
#include "runner/inspect/inspect.h"

#include <stdio.h>
#include <stdlib.h>

#include "runner/inspect/needs.h"

/* A machine: what reads its code, and what its instructions are for. */
static const struct {
    enum status (*read)(const char *text, struct listing *listing, struct error *error);
    inspect_rule *rule;
    bool items_in_turn; /* as in struct inspect_subject */
    /* Corrects lines of the listing by what is known of the test. NULL: nothing to correct. */
    void (*place)(const struct inspect_subject *subject, struct listing *listing);
} machines[INSPECT_MACHINE_COUNT] = {
    [INSPECT_SASS] = {listing_read_sass, rules_sass},
    [INSPECT_X86] = {listing_read_x86, rules_x86, .items_in_turn = true, .place = x86_place_folded_loads},
};

void inspect_skip(struct inspection *inspection, const char *reason)
{
    *inspection = (struct inspection){.kept = TEST_NOT_INSPECTED};
    inspection->reason = arena_copy(&inspection->arena, reason);
}

void inspect_text(enum inspect_machine machine, const char *text, const char *architecture,
                  const struct litmus_test *test, const struct kernel *kernel, unsigned first_line,
                  struct inspection *inspection)
{
    struct listing listing = {0};
    struct error error;
    *inspection = (struct inspection){0};
    if (!machines[machine].read) {
        inspect_skip(inspection, "no reader for this machine's code");
        return;
    }
    if (machines[machine].read(text, &listing, &error) != STATUS_OK) {
        inspect_skip(inspection, error.text);
    } else {
        if (architecture[0])
            (void)snprintf(listing.architecture, sizeof listing.architecture, "%s", architecture);
        const struct inspect_subject subject = {.test = test,
                                                .kernel = kernel,
                                                .listing = &listing,
                                                .items_in_turn = machines[machine].items_in_turn,
                                                .first_line = first_line};
        if (machines[machine].place)
            machines[machine].place(&subject, &listing);
        inspect_compare(&subject, machines[machine].rule, inspection);
    }
    listing_release(&listing);
}

void listing_release(struct listing *listing)
{
    free(listing->instructions);
    arena_release(&listing->arena);
    *listing = (struct listing){0};
}

void inspection_release(struct inspection *inspection)
{
    arena_release(&inspection->arena);
    *inspection = (struct inspection){0};
}

const char *inspect_fault_word(enum inspect_fault fault)
{
    static const char *const words[] = {
#define INSPECT_FAULT_WORD(name, word) word,
        INSPECT_FAULT_LIST(INSPECT_FAULT_WORD)
#undef INSPECT_FAULT_WORD
    };
    return words[fault];
}
