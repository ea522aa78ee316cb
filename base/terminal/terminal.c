// SPDX-License-Identifier: Apache-2.0
/* What a stream can show: colours, width, and a redrawn line. */
#include <ctype.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/terminal/character.h"
#include "base/terminal/terminal.h"

static const double redraw_seconds = 0.1, line_seconds = 10;

static bool is_terminal(FILE *stream)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
}

bool terminal_has_colours(FILE *stream)
{
    const char *never = getenv("NO_COLOR"), *always = getenv("CLICOLOR_FORCE");
    if (never && never[0] != '\0')
        return false;
    if (always && always[0] != '\0' && strcmp(always, "0") != 0)
        return true;
    return is_terminal(stream);
}

/* The locale of a category, from the variables that POSIX defines for it; "" if none is set. */
static const char *locale_of(const char *category)
{
    const char *const names[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return locale;
    }
    return "";
}

bool terminal_has_unicode(void)
{
    const char *locale = locale_of("LC_CTYPE");
    return strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8");
}

bool terminal_wants(const char *language)
{
    const char *locale = locale_of("LC_MESSAGES");
    const size_t size = strcspn(locale, "_.@");
    return strlen(language) == size && strncmp(locale, language, size) == 0 && terminal_has_unicode();
}

unsigned terminal_width(FILE *stream)
{
    enum { NARROWEST = 20, WIDEST = 10000 }; /* other widths are ignored */
    const char *columns = getenv("COLUMNS");
    char *end = NULL;
    const unsigned long said = columns ? strtoul(columns, &end, 10) : 0;
    struct winsize size = {0};
    if (columns && *end == '\0' && said >= NARROWEST && said <= WIDEST)
        return (unsigned)said;
    if (!is_terminal(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col < NARROWEST ? 0 : size.ws_col;
}

/* ---- progress ---- */

bool progress_due(const struct progress_line *progress, FILE *stream)
{
    const char *when = getenv("ORCHIL_PROGRESS");
    if (when && strcmp(when, "never") == 0)
        return false;
    return progress->last == 0 ||
           clock_seconds() - progress->last >= (is_terminal(stream) ? redraw_seconds : line_seconds);
}

void progress_show(struct progress_line *progress, FILE *stream, const char *line)
{
    const unsigned width = terminal_width(stream);
    LOCAL(text) clean = {0}, safe = {0};
    progress->last = clock_seconds();
    progress->drawn = is_terminal(stream);
    terminal_add_safe(&clean, line);
    terminal_add_inert(&safe, text_string(&clean));
    /* One column stays free: a full line would wrap, and its first part could not be redrawn. */
    if (progress->drawn)
        (void)fprintf(stream, "\r\033[K%.*s", (int)terminal_bytes(text_string(&safe), width > 0 ? width - 1 : 78),
                      text_string(&safe));
    else
        (void)fprintf(stream, "%s\n", text_string(&safe));
    (void)fflush(stream);
}

void progress_say(struct progress_line *progress, FILE *stream, const char *format, ...)
{
    LOCAL(text) line = {0};
    va_list arguments;
    if (!progress_due(progress, stream))
        return;
    va_start(arguments, format);
    text_add_list(&line, format, arguments);
    va_end(arguments);
    progress_show(progress, stream, text_string(&line));
}

void progress_clear(struct progress_line *progress, FILE *stream)
{
    if (progress->drawn) {
        (void)fputs("\r\033[K", stream);
        (void)fflush(stream);
    }
    progress->drawn = false;
}

/* ---- widths ---- */

/* The size of the first item of a text that is not empty, and the columns that it takes. */
static size_t terminal_step(const char *text, size_t *columns)
{
    uint32_t code = 0;
    const size_t style = terminal_style_size(text), size = style > 0 ? 0 : character_read(text, &code);
    *columns = style > 0 ? 0 : size > 0 ? character_columns(code) : 1;
    return style > 0 ? style : size > 0 ? size : 1;
}

size_t terminal_bytes(const char *text, size_t columns)
{
    size_t bytes = 0, taken;
    for (size_t used = 0; text[bytes]; used += taken) {
        const size_t size = terminal_step(text + bytes, &taken);
        if (used + taken > columns)
            break;
        bytes += size;
    }
    return bytes;
}

/* The columns of the first `size` bytes. */
static size_t columns_of(const char *text, size_t size)
{
    size_t columns = 0, taken;
    for (size_t at = 0; at < size; columns += taken)
        at += terminal_step(text + at, &taken);
    return columns;
}

size_t terminal_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

/* ---- breaking lines ---- */

struct wrapped_line {
    struct text *text;
    size_t width, indent, used;
    bool fresh; /* only the indentation is in it */
    bool whole; /* words are not broken, and parts that are two blanks apart only if they do not fit into a line */
};

static void line_break(struct wrapped_line *line)
{
    text_add(line->text, "\n%*s", (int)line->indent, "");
    line->used = line->indent;
    line->fresh = true;
}

/* Whether a name may be broken before this byte: where a part of it starts, never within a number. */
static bool is_seam(const char *at)
{
    if (isdigit((unsigned char)at[0]) && (isdigit((unsigned char)at[-1]) || strchr(",.", at[-1])))
        return false;
    return *at == '+' || *at == '(' || (strchr("/,;:=-_.", at[-1]) != NULL && *at != ' ');
}

/* The bytes of a word that fit into the line: up to the last seam, or all that fit if there is none. */
static size_t word_part(const char *word, size_t columns)
{
    const size_t bytes = terminal_bytes(word, columns > 0 ? columns : 1);
    for (size_t at = bytes; at > 1; at--)
        if (is_seam(word + at))
            return at;
    return bytes > 0 ? bytes : 1;
}

static void line_add_word(struct wrapped_line *line, const char *word, size_t size)
{
    size_t columns = columns_of(word, size);
    while (!line->whole && line->used + columns > line->width && columns > line->width - line->indent) {
        const size_t part = word_part(word, line->width - line->used);
        text_add_bytes(line->text, word, part);
        word += part;
        size -= part;
        columns = columns_of(word, size);
        line_break(line);
    }
    text_add_bytes(line->text, word, size);
    line->used += columns;
    line->fresh = false;
}

static bool is_unit(const char *at)
{
    static const char *const units[] = {"k", "M", "G", "T", "ms", "s", "min", "h", "%", "kB", "MB", "GB"};
    const size_t size = strcspn(at, " \n,.;:)");
    return ANY_OF(unit, units, COUNT(units), strlen(*unit) == size && strncmp(at, *unit, size) == 0);
}

/* Chinese has no spaces: a line may be broken on either side of a wide character, except at these marks. */
static const char *const never_first[] = {"，", "。", "、", "；", "：", "？", "！", "）", "」", "』", "》", "”",
                                          "’",  "…",  ",",  ".",  ";",  ":",  "?",  "!",  ")",  "]",  "%"};
static const char *const never_last[] = {"（", "「", "『", "《", "“", "‘", "(", "["};

static bool is_one_of(const char *at, const char *const *marks, size_t count)
{
    return ANY_OF(mark, marks, count, strncmp(at, *mark, strlen(*mark)) == 0);
}

static bool is_wide(const char *at)
{
    uint32_t code;
    return character_read(at, &code) > 0 && character_columns(code) > 1;
}

static bool may_break(const char *before, const char *after)
{
    return (is_wide(before) || is_wide(after)) && !is_one_of(before, never_last, COUNT(never_last)) &&
           !is_one_of(after, never_first, COUNT(never_first));
}

/* The bytes up to the first place within a word where the rules of wide characters allow a break. */
static size_t unbroken_size(const char *word, size_t size)
{
    size_t columns;
    for (size_t at = 0, next = 0; at < size; at = next) {
        next = at + terminal_step(word + at, &columns);
        if (next < size && may_break(word + at, word + next))
            return next;
    }
    return size;
}

/* The bytes of a word; a number and its unit are one. */
static size_t word_size(const char *from)
{
    const size_t word = unbroken_size(from, strcspn(from, " \n"));
    const bool number = word > 0 && isdigit((unsigned char)from[word - 1]) && from[word] == ' ';
    return number && is_unit(from + word + 1) ? word + 1 + strcspn(from + word + 1, " \n") : word;
}

/* Whether a part that begins here, and ends before two blanks, does not fit, but would into the next line. It is not
 * looked for beyond a line's width, since a text may be long. */
static bool part_breaks(const struct wrapped_line *line, const char *from, size_t blanks)
{
    if (!line->whole || blanks < 2)
        return false;
    const size_t bytes = terminal_bytes(from, line->width + 2);
    const char *end = memmem(from, bytes, "  ", 2);
    const size_t columns = columns_of(from, end ? (size_t)(end - from) : bytes);
    return line->used + blanks + columns > line->width && line->indent + columns <= line->width;
}

static void line_add_words(struct wrapped_line *line, const char *from, size_t size)
{
    for (size_t at = 0, blanks = 0; at < size; at += blanks = strspn(from + at, " ")) {
        const size_t word = word_size(from + at), columns = columns_of(from + at, word);
        if (!line->fresh && (line->used + blanks + columns > line->width || part_breaks(line, from + at, blanks)))
            line_break(line);
        else
            text_add(line->text, "%*s", (int)blanks, "");
        line->used += line->fresh ? 0 : blanks;
        line_add_word(line, from + at, word);
        at += word;
    }
}

void terminal_wrap_line(struct text *text, const char *from, size_t size, size_t width, size_t indent)
{
    const size_t blanks = strspn(from, " ");
    struct wrapped_line line = {
        .text = text, .width = width, .indent = indent < width ? indent : 0, .used = blanks, .fresh = true};
    text_add_bytes(text, from, blanks);
    line_add_words(&line, from + blanks, size - blanks);
}

size_t terminal_fill_width(const struct text *text)
{
    enum { USUAL = 80 };
    return text->width > 0 && text->width < USUAL ? text->width : USUAL;
}

void terminal_fill(struct text *text, const char *from, size_t used, size_t indent)
{
    struct wrapped_line line = {
        .text = text, .width = terminal_fill_width(text), .indent = indent, .used = used, .fresh = true, .whole = true};
    line_add_words(&line, from, strlen(from));
}

size_t wrap_longest_word(const char *text)
{
    size_t longest = 0;
    while (*text) {
        const size_t size = unbroken_size(text, strcspn(text, " ")), columns = columns_of(text, size);
        longest = columns > longest ? columns : longest;
        text += size + strspn(text + size, " ");
    }
    return longest;
}

/* A continuation line is indented like the words of the first line: after its spaces and the mark of a list or
 * quotation. A line without either is one record of several, so its continuation is indented more. */
static size_t indent_of(const char *line, size_t width)
{
    const size_t blanks = strspn(line, " ");
    const bool marked = line[blanks] && strchr("*-|", line[blanks]) && line[blanks + 1] == ' ';
    const size_t indent = blanks + (marked || blanks == 0 ? 2 : 0);
    return indent < width / 2 ? indent : 2;
}

void terminal_wrap(struct text *text, const char *lines, size_t width)
{
    while (*lines) {
        const size_t size = strcspn(lines, "\n");
        if (width > 0 && columns_of(lines, size) > width)
            terminal_wrap_line(text, lines, size, width, indent_of(lines, width));
        else
            text_add_bytes(text, lines, size);
        text_add(text, "%s", lines[size] ? "\n" : "");
        lines += size + (lines[size] == '\n');
    }
}

/* ---- printing ---- */

/* A line that consists of several parts: everything except the program's own styles is made safe again. */
static void add_line(struct text *text, const char *line, bool colours)
{
    LOCAL(text) part = {0};
    while (*line) {
        const size_t style = colours ? terminal_style_size(line) : 0;
        const char *next = strchr(line + 1, '\033');
        const size_t size = style > 0 ? style : next ? (size_t)(next - line) : strlen(line);
        text_clear(&part);
        text_add_bytes(&part, line, size);
        if (style > 0)
            text_add(text, "%s", text_string(&part));
        else
            terminal_add_safe_lines(text, text_string(&part));
        line += size;
    }
}

/* width 0: lines are not broken. Printed line by line, because a source may be longer than a text can be. obeyed:
 * GitHub Actions may take them as commands. */
static void terminal_print_lines(FILE *stream, const char *lines, size_t width, bool obeyed)
{
    const bool colours = terminal_has_colours(stream);
    LOCAL(text) line = {0}, safe = {0}, wrapped = {0}, inert = {0};
    while (*lines) {
        const size_t size = strcspn(lines, "\n") + 1;
        const bool ended = lines[size - 1] == '\n';
        text_clear(&line);
        text_clear(&safe);
        text_clear(&wrapped);
        text_clear(&inert);
        text_add_bytes(&line, lines, ended ? size : size - 1);
        add_line(&safe, text_string(&line), colours);
        terminal_wrap(&wrapped, text_string(&safe), width);
        if (!obeyed)
            terminal_add_inert(&inert, text_string(&wrapped));
        (void)fputs(text_string(obeyed ? &wrapped : &inert), stream);
        lines += ended ? size : size - 1;
    }
}

void terminal_write(FILE *stream, const char *lines)
{
    terminal_print_lines(stream, lines, terminal_width(stream), false);
}

void terminal_write_source(FILE *stream, const char *lines)
{
    terminal_print_lines(stream, lines, 0, false);
}

void terminal_end(FILE *stream, struct text *lines)
{
    terminal_write(stream, text_string(lines));
    text_release(lines);
}

void terminal_end_source(FILE *stream, struct text *lines)
{
    terminal_write_source(stream, text_string(lines));
    text_release(lines);
}

void terminal_write_commands(FILE *stream, const char *lines)
{
    terminal_print_lines(stream, lines, 0, true);
}

void terminal_print(FILE *stream, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(&text, format, arguments);
    va_end(arguments);
    terminal_end(stream, &text);
}
