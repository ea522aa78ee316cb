// SPDX-License-Identifier: Apache-2.0
/* Characters of UTF-8, and how each is escaped in a form. */
#include "analysis/page/escape.h"

#include <inttypes.h>
#include <string.h>

#include "base/terminal/character.h"

static const char *const xml_names[] = {"amp", "lt", "gt", "quot", "apos"};
static const char *const html_names[] = {"amp", "lt", "gt", "quot", "#39"};

static const struct {
    const char *marks;        /* that must be escaped */
    const char *const *names; /* of entities, one for each mark; NULL: marks are written by
                               * number */
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
    uint32_t code = 0;
    const size_t size = character_read(from, &code);
    if (size == 0)
        text_add(text, form == ESCAPE_HTML ? "[0x%02x]" : "?", (unsigned char)*from);
    else if (size == 1 && strchr(forms[form].marks, *from))
        add_mark(text, form, *from);
    else if (form == ESCAPE_HTML && character_deceives(code))
        text_add(text, "[U+%04" PRIX32 "]", code);
    else if (character_deceives(code))
        text_add(text, "?");
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
