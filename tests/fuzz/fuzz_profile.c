// SPDX-License-Identifier: Apache-2.0
/* Any text is either refused as a profile, with line and column, or gives parameters within bounds, which the canonical
 * text gives again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/environment/environment.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void check_ranges(const struct environment *environment)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_parameter *bounds = &environment_parameters[i];
        const struct environment_range range = environment->ranges[i];
        demand(bounds->lowest <= range.low && range.low <= range.high && range.high <= bounds->highest);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct backend_device device = {.gpu = true};
    struct environment environment, again;
    struct error error = {0};
    struct text text = {0}, once = {0}, twice = {0};
    text_add_bytes(&text, (const char *)bytes, size);
    environment_default(&device, &environment);
    const enum status status = environment_read("fuzz", text_string(&text), &environment, &error);
    demand(status == STATUS_OK || (status == STATUS_SYNTAX && strncmp(error.text, "fuzz:", 5) == 0));
    for (uint64_t batch = 0; batch < 3 * ENVIRONMENT_MAXIMUM_BATCHES; batch++) {
        const struct environment member = environment_of_batch(&environment, batch);
        check_ranges(&member);
    }
    environment_print(&environment, &once);
    demand(environment_parse(text_string(&once), &again, &error) == STATUS_OK);
    environment_print(&again, &twice);
    demand(strcmp(text_string(&once), text_string(&twice)) == 0);
    text_release(&text);
    text_release(&once);
    text_release(&twice);
    return 0;
}
