// SPDX-License-Identifier: Apache-2.0
/* Counts of planted faults, compared with the table in docs/internals/inspection.md. */
#include "tests/inspect/planted_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "tests/kernel/fixture.h"

#define PLANTED_FAULT_ROW(name, word, needed) {word, needed},
static const struct {
    const char *word;
    bool needed;
} kinds[PLANTED_FAULT_COUNT] = {PLANTED_FAULT_LIST(PLANTED_FAULT_ROW)};
#undef PLANTED_FAULT_ROW

void planted_faults_print(const struct inspection *inspection, struct text *text)
{
    text_add(text, "%s\n", kept_word(inspection->kept));
    for (size_t i = 0; i < inspection->finding_count; i++)
        text_add(text, "%s\n", inspection->findings[i].text);
    if (inspection->kept == TEST_NOT_INSPECTED)
        text_add(text, "%s\n", inspection->reason);
}

void planted_faults_add(struct planted_faults *faults, const char *what, const char *word, enum kept kept)
{
    const char *const planted = word ? word : "nothing";
    const size_t size = strcspn(planted, "\n");
    size_t kind = 0;
    if ((kept == TEST_NOT_KEPT) != (word != NULL))
        fail_msg("%s: %.*s was planted, and it is %s", what, (int)size, planted, kept_word(kept));
    if (!word)
        return;
    while (kind < PLANTED_FAULT_COUNT &&
           (strlen(kinds[kind].word) != size || memcmp(kinds[kind].word, word, size) != 0))
        kind++;
    if (kind == PLANTED_FAULT_COUNT)
        fail_msg("%s: '%s' is not one of the kinds in planted_faults.h", what, planted);
    faults->counts[kind]++;
}

void planted_faults_check(const struct planted_faults *faults, const char *machine)
{
    struct text row = {0};
    unsigned all = 0;
    for (size_t i = 0; i < PLANTED_FAULT_COUNT; i++) {
        if (kinds[i].needed && faults->counts[i] == 0)
            fail_msg("%s: no %s is planted", machine, kinds[i].word);
        all += faults->counts[i];
    }
    text_add(&row, "| %s | %u |", machine, all);
    for (size_t i = 0; i < PLANTED_FAULT_COUNT; i++)
        text_add(&row, " %u |", faults->counts[i]);
    char *document = fixture_read(ORCHIL_SOURCE_DIR "/docs/internals/inspection.md");
    if (!strstr(document, text_string(&row)))
        fail_msg("the table in docs/internals/inspection.md has another row than\n%s", text_string(&row));
    free(document);
    text_release(&row);
}
