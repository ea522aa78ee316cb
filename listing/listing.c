// SPDX-License-Identifier: Apache-2.0
/* Labels, queries and release of listings. */
#include "listing/listing.h"

void listing_release(struct listing *listing)
{
    free(listing->instructions);
    arena_release(&listing->arena);
    *listing = (struct listing){0};
}

const char *listing_add_label(struct listing *listing, const char *name, size_t length)
{
    const char *own = arena_copy_part(&listing->arena, name, length);
    ARENA_ADD(&listing->arena, listing->labels, listing->label_count) =
        (struct listing_label){own, length, listing->count};
    return own;
}

long listing_find_label(const struct listing *listing, const char *name, size_t length)
{
    for (size_t i = listing->label_count; i > 0; i--) {
        const struct listing_label *label = &listing->labels[i - 1];
        if (label->length == length && memcmp(label->name, name, length) == 0 && label->index < listing->count)
            return (long)label->index;
    }
    return MACHINE_NO_NEXT;
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
