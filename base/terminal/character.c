// SPDX-License-Identifier: Apache-2.0
/* Lists of characters, and texts that are made safe for a terminal by them. */
#include "base/terminal/character.h"

#include "base/terminal/character_lists.h"
#include "base/terminal/terminal.h"

/* ---- characters ---- */

struct range {
    uint32_t first, last;
};

static const struct range characters[] = {CHARACTER_SHOWN_LIST(ROW_OF)};
static const struct range deceptive[] = {CHARACTER_DECEPTIVE_LIST(ROW_OF)};
static const struct range wide[] = {CHARACTER_WIDE_LIST(ROW_OF)};
static const struct range combining[] = {CHARACTER_COMBINING_LIST(ROW_OF)};

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    return ANY_OF(one, ranges, count, code >= one->first && code <= one->last);
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

/* ---- texts ---- */

/* Makes texts from elsewhere safe for a terminal; defines the styles, the program's only escape sequences. */

/* Only the first eight colours: they are in every palette, dark or light. */
static const char styles[][6] = {
    [TERMINAL_PLAIN] = "\033[0m", [TERMINAL_STRONG] = "\033[1m", [TERMINAL_FAINT] = "\033[2m",
    [TERMINAL_GOOD] = "\033[32m", [TERMINAL_BAD] = "\033[31m",   [TERMINAL_WARNING] = "\033[33m",
};

const char *terminal_style(bool colours, enum terminal_style style)
{
    return colours && (size_t)style < COUNT(styles) ? styles[style] : "";
}

size_t terminal_style_size(const char *text)
{
    for (size_t i = 0; i < COUNT(styles) && *text == '\033'; i++)
        if (strncmp(text, styles[i], strlen(styles[i])) == 0)
            return strlen(styles[i]);
    return 0;
}

static void add_safe(struct text *text, const char *from, const char *kept)
{
    while (*from) {
        uint32_t code = 0;
        size_t plain = 0;
        while (from[plain] >= ' ' && from[plain] < 0x7f)
            plain++;
        text_add_bytes(text, from, plain);
        from += plain;
        if (*from == '\0')
            return;
        const size_t size = character_read(from, &code);
        const bool ends_line = from[0] == '\r' && from[1] == '\n' && *kept != '\0';
        const bool stays = size > 0 ? !character_deceives(code) : ends_line || strchr(kept, *from) != NULL;
        text_add_bytes(text, stays ? from : "?", stays && size > 0 ? size : 1);
        from += size > 0 ? size : 1;
    }
}

void terminal_add_safe(struct text *text, const char *from)
{
    add_safe(text, from, "");
}

void terminal_add_safe_lines(struct text *text, const char *from)
{
    add_safe(text, from, "\n\t");
}

bool terminal_obeys(void)
{
    const char *actions = getenv("GITHUB_ACTIONS");
    return actions && strcmp(actions, "true") == 0;
}

/* Before the first character of a line that is more than a blank in some script. */
static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || (unsigned char)c >= 0x7f;
}

void terminal_add_inert(struct text *text, const char *lines)
{
    static const struct {
        const char *command, *shown;
        bool starts_line;
    } commands[] = {{"::", ": :", true}, {"##[", "# #[", false}};
    if (!terminal_obeys()) {
        text_add_bytes(text, lines, strlen(lines));
        return;
    }
    for (bool starts = true; *lines;) {
        const size_t style = terminal_style_size(lines);
        size_t size = style > 0 ? style : 1;
        const char *shown = NULL;
        for (size_t i = 0; i < COUNT(commands) && !shown; i++)
            if ((starts || !commands[i].starts_line) &&
                strncmp(lines, commands[i].command, strlen(commands[i].command)) == 0) {
                shown = commands[i].shown;
                size = strlen(commands[i].command);
            }
        text_add_bytes(text, shown ? shown : lines, shown ? strlen(shown) : size);
        starts = *lines == '\n' || (starts && (style > 0 || is_blank(*lines)));
        lines += size;
    }
}

void terminal_add_indented(struct text *text, const char *indent, const char *lines)
{
    while (*lines) {
        const size_t size = strcspn(lines, "\n");
        FREED char *line = memory_copy_part(lines, size);
        text_add(text, "%s", indent);
        add_safe(text, line, "\t");
        text_add(text, "\n");
        lines += size + (lines[size] == '\n');
    }
}

/* ---- formats ---- */

/* A conversion of a format: its text with the stars replaced by numbers, and the letters that give its argument's
 * type. */
struct format_conversion {
    char spec[48];
    char length[3], kind;
    size_t size; /* bytes of the format */
};

static void conversion_add(struct format_conversion *conversion, const char *bytes, size_t size)
{
    const size_t used = strlen(conversion->spec);
    if (used + size < sizeof conversion->spec)
        memcpy(conversion->spec + used, bytes, size);
}

static struct format_conversion conversion_read(const char *format, va_list *arguments)
{
    struct format_conversion conversion = {.spec = "%"};
    const char *at = format + 1;
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        if (*at != '*') {
            conversion_add(&conversion, at, 1);
            continue;
        }
        LOCAL(text) number = {0};
        text_add(&number, "%d", va_arg(*arguments, int));
        conversion_add(&conversion, text_string(&number), number.size);
    }
    for (size_t i = 0; *at && strchr("hlLqjzt", *at); at++)
        if (i < sizeof conversion.length - 1)
            conversion.length[i++] = *at;
    conversion_add(&conversion, conversion.length, strlen(conversion.length));
    conversion.kind = *at;
    conversion_add(&conversion, at, *at ? 1 : 0);
    conversion.size = (size_t)(at - format) + (*at ? 1 : 0);
    return conversion;
}

/* The compiler checked this format as a part of the whole one. */
static void add_one(struct text *text, const char *spec, ...)
{
    va_list arguments;
    va_start(arguments, spec);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_add_list(text, spec, arguments);
#pragma GCC diagnostic pop
    va_end(arguments);
}

static void add_string(struct text *text, const char *spec, const char *from)
{
    LOCAL(text) part = {0};
    /* An own style is recognised by its address, which a text from elsewhere cannot have. */
    if (from && ANY_OF(style, styles, COUNT(styles), from == *style)) {
        text_add(text, "%s", from);
        return;
    }
    add_one(&part, spec, from);
    add_safe(text, text_string(&part), "");
}

_Static_assert(sizeof(long) == sizeof(size_t) && sizeof(long) == sizeof(ptrdiff_t),
               "%zu and %td are read as %lu and %ld");

void terminal_add_list(struct text *text, const char *format, va_list arguments)
{
    va_list left;
    va_copy(left, arguments);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        text_add_bytes(text, format, plain);
        format += plain;
        if (*format) {
            const struct format_conversion conversion = conversion_read(format, &left);
            const char *spec = conversion.spec, *length = conversion.length;
            if (strchr("eEfFgGaA", conversion.kind))
                add_one(text, spec, va_arg(left, double));
            else if (conversion.kind == 's')
                add_string(text, spec, va_arg(left, const char *));
            else if (conversion.kind == '%')
                text_add_bytes(text, "%", 1);
            else if (strcmp(length, "ll") == 0)
                add_one(text, spec, va_arg(left, long long));
            else if (strcmp(length, "j") == 0)
                add_one(text, spec, va_arg(left, intmax_t));
            else if (length[0] == 'l' || length[0] == 'z' || length[0] == 't')
                add_one(text, spec, va_arg(left, long));
            else
                add_one(text, spec, va_arg(left, int));
            format += conversion.size;
        }
    }
    va_end(left);
}

void terminal_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(text, format, arguments);
    va_end(arguments);
}
