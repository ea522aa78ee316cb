// SPDX-License-Identifier: Apache-2.0
/* Queries and release of listings. */
#include "inspect/listing.h"

void listing_release(struct listing *listing)
{
    free(listing->instructions);
    arena_release(&listing->arena);
    *listing = (struct listing){0};
}

bool listing_is_placed(const struct machine_instruction *instruction)
{
    const bool accesses = instruction->effect == MACHINE_LOAD || instruction->effect == MACHINE_STORE ||
                          instruction->effect == MACHINE_UPDATE;
    const bool textures = instruction->proxy == LITMUS_TEXTURE || instruction->proxy == LITMUS_SURFACE;
    return accesses && textures && !instruction->read_only;
}

bool listing_text_starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}
