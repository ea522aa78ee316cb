// SPDX-License-Identifier: Apache-2.0
/* Any text gives an audit whose findings, gaps and tests are whole. The text comes from a compiler, or is PTX that was
 * written by hand. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit.h"
#include "base/memory.h"
#include "litmus/litmus.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Judging takes most of the time, and other targets judge: one input in so many is judged, one in twice as many with
 * repairs. */
enum { JUDGED = 32 };

static void demand(bool condition)
{
    if (!condition)
        abort();
}

/* A test is read; it may be too large to be judged, which has a reason. */
static void check_test(const struct audit_test *test)
{
    struct litmus_test *read;
    struct error error;
    demand(litmus_parse(test->name, test->text, strlen(test->text), &read, &error) == STATUS_OK);
    demand(!test->judged || !test->reason);
    litmus_release(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = memory_copy_part((const char *)bytes, size);
    const struct audit_options options = {
        .block = {size % 2 ? 64 : 0}, .seconds = 0.5, .repairs = size % (2 * JUDGED) == 0};
    struct audit audit;
    struct error error;
    audit_begin(&audit, &options);
    audit_add(&audit, "fuzz", text, size);
    if (size % JUDGED == 0)
        demand(audit_judge(&audit, &error) == STATUS_OK);
    for (size_t i = 0; i < audit.test_count; i++)
        check_test(audit.tests[i]);
    for (size_t i = 0; i < audit.finding_count; i++)
        demand(audit.findings[i].says && audit.findings[i].test->allowed && audit.findings[i].kernels > 0);
    for (size_t i = 0; i < audit.gap_count; i++)
        demand(audit.gaps[i].reason && audit.gaps[i].reason[0]);
    demand(audit.findings != NULL || audit.finding_count == 0);
    audit_release(&audit);
    free(text);
    return 0;
}
