// SPDX-License-Identifier: Apache-2.0
/* Characters of UTF-8, and how each is escaped in a form. */
#include "base/escape/escape.h"

#include "base/terminal/character.h"

static const char *const xml_names[] = {"amp", "lt", "gt", "quot", "apos"};
static const char *const html_names[] = {"amp", "lt", "gt", "quot", "#39"};

static const char *const latex_names[] = {
    "textbackslash",  "{",        "}",           "$",      "&", "#", "%", "_", "textasciicircum",
    "textasciitilde", "textless", "textgreater", "textbar"};

static const struct {
    const char *marks;        /* that must be escaped */
    const char *const *names; /* of entities or commands, one for each mark; NULL: marks are written by number, or
                               * after a backslash */
    bool backslash;
    bool blank; /* a line break or a tab becomes a blank */
} forms[] = {
    [ESCAPE_PLAIN] = {.marks = ""},
    [ESCAPE_XML] = {.marks = "&<>\"'", .names = xml_names},
    [ESCAPE_HTML] = {.marks = "&<>\"'", .names = html_names, .blank = true},
    [ESCAPE_MARKDOWN] = {.marks = "\\`*_[]<>#|&~@:"},
    [ESCAPE_COMMAND] = {.marks = "%"},
    [ESCAPE_PROPERTY] = {.marks = "%:,"},
    [ESCAPE_PROSE] = {.marks = "\\`*_[]<>#!|&~", .backslash = true, .blank = true},
    [ESCAPE_CODE] = {.marks = "`|", .backslash = true, .blank = true},
    [ESCAPE_SPAN] = {.marks = "", .blank = true},
    [ESCAPE_LATEX] = {.marks = "\\{}$&#%_^~<>|", .names = latex_names, .blank = true},
    [ESCAPE_STRING] = {.marks = "\"\\?", .backslash = true, .blank = true},
    [ESCAPE_COMMENT] = {.marks = ""},
};

/* Whether a mark of Markdown is mere punctuation: a colon that is not in an address, a workflow command or an emoji
 * such as :bug:, and a `>` that is not the first of a line or a list's item, as in `->`. */
static bool is_punctuation(const struct text *text, const char *mark)
{
    const size_t word = strcspn(mark + 1, " :;,\t\n");
    if (*mark == ':')
        return mark[1] != '/' && mark[1] != ':' && (word == 0 || mark[1 + word] != ':');
    return *mark == '>' && text->size > 0 && !strchr(" \n", text_string(text)[text->size - 1]);
}

/* Adds the character at the start of a text and gives its size. */
static size_t add_character(struct text *text, enum escape form, const char *from)
{
    uint32_t code = 0;
    const size_t size = character_read(from, &code);
    if (size == 0)
        text_add(text, form == ESCAPE_HTML ? "[0x%02x]" : "?", (unsigned char)*from);
    else if (size == 1 && strchr(forms[form].marks, *from) &&
             (form != ESCAPE_MARKDOWN || !is_punctuation(text, from))) {
        if (forms[form].names)
            text_add(text, form == ESCAPE_LATEX ? "\\%s{}" : "&%s;",
                     forms[form].names[strchr(forms[form].marks, *from) - forms[form].marks]);
        else if (form == ESCAPE_CODE && *from == '`')
            text_add(text, "'"); /* within code nothing escapes it */
        else if (forms[form].backslash)
            text_add(text, "\\%c", *from);
        else
            text_add(text, form == ESCAPE_MARKDOWN ? "&#%u;" : "%%%02X", (unsigned)*from);
    } else if (form == ESCAPE_HTML && character_deceives(code))
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
        const bool blank = forms[form].blank && strchr("\n\r\t", *from);
        if (blank)
            text_add_bytes(text, " ", 1);
        from += blank ? 1 : escape_add_some(text, form, from, SIZE_MAX);
    }
}

void escape_add_span(struct text *text, const char *from)
{
    size_t longest = 0, length = 0;
    for (const char *c = from; *c; c++) {
        length = *c == '`' ? length + 1 : 0;
        longest = length > longest ? length : longest;
    }
    if (!*from || strchr(from, '|')) {
        escape_format(text, ESCAPE_MARKDOWN, "$", from);
        return;
    }
    for (size_t i = 0; i <= longest; i++)
        text_add(text, "`");
    text_add(text, "%s", longest > 0 ? " " : "");
    add_text(text, ESCAPE_SPAN, from);
    text_add(text, "%s", longest > 0 ? " " : "");
    for (size_t i = 0; i <= longest; i++)
        text_add(text, "`");
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

/* The bytes of the line end at the start of a text; 0 if there is none. */
static size_t line_end_size(const char *text)
{
    static const char *const ends[] = {"\r\n", "\n", "\r", "\v", "\f", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    return VALUE_OF(size_t, row, ends, COUNT(ends), strncmp(text, *row, strlen(*row)) == 0, strlen(*row), 0);
}

size_t escape_line_size(const char *text)
{
    size_t size = 0;
    while (text[size] && line_end_size(text + size) == 0)
        size++;
    return size;
}

/* Whether a compiler would join a line with the next one: it ends with a backslash, perhaps with blanks after it, or
 * with its trigraph. */
static bool escape_joins(const char *line, size_t size)
{
    while (size > 0 && line[size - 1] == ' ')
        size--;
    return (size > 0 && line[size - 1] == '\\') || (size > 2 && memcmp(line + size - 3, "?\?/", 3) == 0);
}

size_t escape_add_line(struct text *text, enum escape form, const char *from)
{
    const size_t size = escape_line_size(from), start = text->size;
    for (size_t i = 0; i < size;) {
        if (from[i] == '\t')
            text_add(text, " ");
        i += from[i] == '\t' ? 1 : escape_add_some(text, form, from + i, size - i);
    }
    if (form == ESCAPE_COMMENT && escape_joins(text_string(text) + start, text->size - start))
        text_add(text, ".");
    return size + line_end_size(from + size);
}
