// SPDX-License-Identifier: Apache-2.0
/* Giving back a listing. */
#include "runner/inspect/listing.h"

#include <stdlib.h>

void listing_release(struct listing *listing)
{
    free(listing->instructions);
    arena_release(&listing->arena);
    *listing = (struct listing){0};
}
