// SPDX-License-Identifier: Apache-2.0
/* Lists of characters. */
#include "base/terminal/character.h"

#include "base/text.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct range {
    uint32_t first, last;
};

/* The characters that XML allows, without C0 and C1 control characters. */
static const struct range characters[] = {{0x20, 0x7e}, {0xa0, 0xd7ff}, {0xe000, 0xfffd}, {0x10000, 0x10ffff}};

static const struct range deceptive[] = {
    {0xad, 0xad},        /* soft hyphen */
    {0x61c, 0x61c},      /* Arabic letter mark */
    {0x115f, 0x1160},    /* fillers of Hangul */
    {0x17b4, 0x17b5},    /* vowels without a shape */
    {0x180b, 0x180f},    /* Mongolian selectors */
    {0x200b, 0x200f},    /* zero width, marks of direction */
    {0x2028, 0x202e},    /* separators, embeddings and overrides */
    {0x2060, 0x206f},    /* joiners, isolates */
    {0x3164, 0x3164},    /* filler of Hangul */
    {0xe000, 0xf8ff},    /* private use */
    {0xfe00, 0xfe0f},    /* selectors of variants */
    {0xfeff, 0xfeff},    /* byte order mark */
    {0xffa0, 0xffa0},    /* filler of Hangul */
    {0xfff9, 0xfffb},    /* annotations */
    {0xe0000, 0x10ffff}, /* tags, selectors, private use */
};

/* The blocks of Unicode Standard Annex 11 that are wide, except for a few characters. */
static const struct range wide[] = {{0x1100, 0x115f},   {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
                                    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                                    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

static const struct range combining[] = {{0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}};

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

size_t character_read(const char *text, uint32_t *code)
{
    enum { LONGEST = 4 }; /* bytes; the end of the string ends a character, so nothing after it is read */
    const size_t size = text_character(text, LONGEST, code);
    return size > 0 && is_in(*code, characters, COUNT(characters)) ? size : 0;
}

bool character_deceives(uint32_t code)
{
    return is_in(code, deceptive, COUNT(deceptive));
}

unsigned character_columns(uint32_t code)
{
    if (is_in(code, combining, COUNT(combining)))
        return 0;
    return is_in(code, wide, COUNT(wide)) ? 2 : 1;
}
