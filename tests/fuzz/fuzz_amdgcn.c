// SPDX-License-Identifier: Apache-2.0
/* Any text gives a listing of an AMD GPU with indexes in range, or an error with a message. The text comes from a
 * compiler. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "inspect/readers.h"
#include "listing/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = memory_copy_part((const char *)bytes, size);
    struct listing listing;
    struct error error = {0};
    if (listing_read_amdgcn(text, &listing, &error) != STATUS_OK)
        demand(error.text[0] != '\0');
    for (size_t i = 0; i < listing.count; i++) {
        const struct machine_instruction *instruction = &listing.instructions[i];
        demand(instruction->next < (long)listing.count && instruction->branch < (long)listing.count);
        demand(instruction->line_count <= MACHINE_MAXIMUM_LINES && instruction->lanes > 0 && instruction->guard <= 64);
    }
    listing_release(&listing);
    free(text);
    return 0;
}
