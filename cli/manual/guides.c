// SPDX-License-Identifier: Apache-2.0
/* Guides of docs/ that the program can print, because its messages name them and a machine under test has no docs/. */
#include "cli/manual/guides.h"

#include <string.h>

#define GUIDE_TEXT(symbol, name, summary) extern const char guide_##symbol[];
GUIDE_LIST(GUIDE_TEXT)
#undef GUIDE_TEXT

const char *manual_guide(const char *name)
{
#define GUIDE_ROW(symbol, name, summary) {name, guide_##symbol},
    static const struct {
        const char *name, *text;
    } guides[] = {GUIDE_LIST(GUIDE_ROW)};
#undef GUIDE_ROW
    for (size_t i = 0; i < sizeof guides / sizeof *guides; i++)
        if (strcmp(guides[i].name, name) == 0)
            return guides[i].text;
    return NULL;
}
