// SPDX-License-Identifier: Apache-2.0
/* Characters of UTF-8, and what becomes of each in a form. */
#include "analysis/page/escape.h"

#include <stdint.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct range {
    unsigned long first, last;
};

/* Those that XML takes, without control characters of either set. */
static const struct range characters[] = {{0x20, 0x7e}, {0xa0, 0xd7ff}, {0xe000, 0xfffd}, {0x10000, 0x10ffff}};

/* Marks that show nothing themselves and reorder, join or hide their neighbours. */
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

static bool is_in(unsigned long code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

/* How many bytes the character at the start of a text has; 0 where there is none. */
static size_t decode(const char *text, unsigned long *code)
{
    static const struct {
        unsigned char mask, lead;
        unsigned long least; /* smaller ones have a shorter form */
    } forms[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *at = (const unsigned char *)text;
    size_t form = 0;
    while (form < COUNT(forms) && (at[0] & forms[form].mask) != forms[form].lead)
        form++;
    if (form == COUNT(forms))
        return 0;
    *code = at[0] & (0xffU ^ forms[form].mask);
    for (size_t i = 1; i <= form; i++) {
        if ((at[i] & 0xc0U) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3fU);
    }
    return *code >= forms[form].least && is_in(*code, characters, COUNT(characters)) ? form + 1 : 0;
}

static const char *const xml_names[] = {"amp", "lt", "gt", "quot", "apos"};
static const char *const html_names[] = {"amp", "lt", "gt", "quot", "#39"};

static const struct {
    const char *marks;        /* that must not stay */
    const char *const *names; /* of entities, one for each mark; NULL: they are written by number */
} forms[] = {
    [ESCAPE_PLAIN] = {"", NULL},
    [ESCAPE_XML] = {"&<>\"'", xml_names},
    [ESCAPE_HTML] = {"&<>\"'", html_names},
    [ESCAPE_MARKDOWN] = {"\\`*_{}[]()<>#!|&~@:", NULL},
    [ESCAPE_COMMAND] = {"%", NULL},
    [ESCAPE_PROPERTY] = {"%:,", NULL},
};

static void add_mark(struct text *text, enum escape form, char mark)
{
    if (forms[form].names)
        text_add(text, "&%s;", forms[form].names[strchr(forms[form].marks, mark) - forms[form].marks]);
    else
        text_add(text, form == ESCAPE_MARKDOWN ? "&#%u;" : "%%%02X", (unsigned)mark);
}

/* Adds the character at the start of a text and gives its size. */
static size_t add_character(struct text *text, enum escape form, const char *from)
{
    unsigned long code = 0;
    const size_t size = decode(from, &code);
    if (size == 0)
        text_add(text, form == ESCAPE_HTML ? "[0x%02x]" : "?", (unsigned char)*from);
    else if (size == 1 && strchr(forms[form].marks, *from))
        add_mark(text, form, *from);
    else if (form == ESCAPE_HTML && is_in(code, deceptive, COUNT(deceptive)))
        text_add(text, "[U+%04lX]", code);
    else
        text_add_bytes(text, from, size);
    return size > 0 ? size : 1;
}

size_t escape_add_some(struct text *text, enum escape form, const char *from, size_t most)
{
    size_t plain = 0;
    while (plain < most && from[plain] >= ' ' && from[plain] < 0x7f && !strchr(forms[form].marks, from[plain]))
        plain++;
    text_add_bytes(text, from, plain);
    return plain > 0 ? plain : add_character(text, form, from);
}

static void add_text(struct text *text, enum escape form, const char *from)
{
    while (*from) {
        const bool blank = form == ESCAPE_HTML && strchr("\n\r\t", *from);
        if (blank)
            text_add_bytes(text, " ", 1);
        from += blank ? 1 : escape_add_some(text, form, from, SIZE_MAX);
    }
}

void escape_format_list(struct text *text, enum escape form, const char *const *markup_and_arguments)
{
    const char *markup = *markup_and_arguments++;
    for (;;) {
        const size_t plain = strcspn(markup, "$");
        text_add_bytes(text, markup, plain);
        if (!markup[plain])
            return;
        if (!*markup_and_arguments) { /* a `$` without an argument */
            text->failed = true;
            return;
        }
        add_text(text, form, *markup_and_arguments++);
        markup += plain + 1;
    }
}
