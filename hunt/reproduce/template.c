// SPDX-License-Identifier: Apache-2.0
/* Filling templates, and replacing words of a program. */
#include "hunt/reproduce/template.h"

/* ---- values ---- */

struct text *values_add(struct template_values *values, const char *name)
{
    const size_t i = INDEX_OF(one, values->list, values->count, strcmp(one->name, name) == 0);
    if (i == values->count && values->count < TEMPLATE_VALUES)
        values->list[values->count++].name = name;
    return &values->list[i < TEMPLATE_VALUES ? i : TEMPLATE_VALUES - 1].text;
}

void values_set(struct template_values *values, const char *name, const char *format, ...)
{
    va_list arguments;
    struct text *text = values_add(values, name);
    va_start(arguments, format);
    text_clear(text);
    text_add_list(text, format, arguments);
    va_end(arguments);
}

void values_note(struct template_values *values, const char *name, bool condition)
{
    if (condition)
        values_set(values, name, "yes");
}

void template_values_release(struct template_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        text_release(&values->list[i].text);
    *values = (struct template_values){0};
}

/* The value of a name of `size` bytes, or NULL. */
static const char *template_value_of(const struct template_values *values, const char *name, size_t size)
{
    return VALUE_OF(const char *, one, values->list, values->count,
                    strlen(one->name) == size && memcmp(one->name, name, size) == 0, text_string(&one->text), NULL);
}

/* ---- templates ---- */

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* The length of the name of a hole at text; 0 if there is none. */
static size_t hole_at(const char *text)
{
    const size_t length = text[0] == '@' ? name_length(text + 1) : 0;
    return length > 0 && text[1 + length] == '@' ? length : 0;
}

/* Appends a text of any origin as Markdown, each line indented like the hole: a block of code, or prose. */
static void add_markdown_lines(const char *value, size_t indent, struct text *out)
{
    enum { CODE_INDENT = 4 };
    while (*value) {
        text_add(out, "%*s", escape_line_size(value) > 0 ? (int)indent : 0, "");
        value += escape_add_line(out, indent >= CODE_INDENT ? ESCAPE_PLAIN : ESCAPE_PROSE, value);
        text_add(out, "\n");
    }
}

/* Appends a value, each line indented like the hole. */
static void template_add_lines(const char *value, size_t indent, struct text *out)
{
    while (*value) {
        const size_t size = strcspn(value, "\n");
        if (size > 0)
            text_add(out, "%*s", (int)indent, "");
        text_add_bytes(out, value, size);
        text_add(out, "\n");
        value += size + (value[size] == '\n');
    }
}

static enum status no_value(const char *name, size_t size, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "a template has a hole @%.*s@ that nothing fills", (int)size, name);
}

static enum status fill_line(const char *line, size_t size, enum template_form form,
                             const struct template_values *values, struct text *out, struct error *error)
{
    bool is_code = false; /* between backticks of the template */
    const size_t indent = strspn(line, " ");
    const size_t alone = indent < size ? hole_at(line + indent) : 0;
    if (alone > 0 && indent + alone + 2 == size) {
        const char *value = template_value_of(values, line + indent + 1, alone);
        if (!value)
            return no_value(line + indent + 1, alone, error);
        (form == TEMPLATE_MARKDOWN ? add_markdown_lines : template_add_lines)(value, indent, out);
        return STATUS_OK;
    }
    for (size_t i = 0; i < size;) {
        const size_t length = hole_at(line + i);
        const char *value = length > 0 ? template_value_of(values, line + i + 1, length) : NULL;
        if (length > 0 && !value)
            return no_value(line + i + 1, length, error);
        is_code ^= line[i] == '`';
        if (value && form == TEMPLATE_MARKDOWN)
            escape_format(out, is_code ? ESCAPE_CODE : ESCAPE_PROSE, "$", value);
        else if (value)
            text_add(out, "%s", value);
        else
            text_add_bytes(out, line + i, 1);
        i += length > 0 ? length + 2 : 1;
    }
    text_add(out, "\n");
    return STATUS_OK;
}

/* Whether the following lines are kept, by depth of the conditions. */
struct keeping {
    bool keeps[TEMPLATE_DEPTH];
    size_t depth;
};

/* Handles a directive; false if it is unpaired. */
static bool take_directive(const char *words, size_t size, const struct template_values *values,
                           struct keeping *keeping)
{
    if (size >= 3 && memcmp(words, "end", 3) == 0)
        return keeping->depth-- > 0;
    const bool unless = size > 7 && memcmp(words, "unless ", 7) == 0;
    const size_t skip = unless ? 7 : 3;
    if (size <= skip || (!unless && memcmp(words, "if ", 3) != 0) || keeping->depth + 1 >= TEMPLATE_DEPTH)
        return false;
    const bool given = template_value_of(values, words + skip, size - skip) != NULL;
    keeping->keeps[keeping->depth + 1] = keeping->keeps[keeping->depth] && given != unless;
    keeping->depth++;
    return true;
}

enum status template_fill(const char *template, enum template_form form, const struct template_values *values,
                          struct text *out, struct error *error)
{
    static const char directive[] = "//% ";
    struct keeping keeping = {.keeps = {true}};
    for (const char *line = template; *line;) {
        const size_t size = strcspn(line, "\n");
        const bool is_directive = strncmp(line, directive, sizeof directive - 1) == 0;
        if (is_directive &&
            !take_directive(line + sizeof directive - 1, size - (sizeof directive - 1), values, &keeping))
            return error_set(error, STATUS_INTERNAL, "a template has a line that does not pair: %.*s", (int)size, line);
        if (!is_directive && keeping.keeps[keeping.depth])
            TRY(fill_line(line, size, form, values, out, error));
        line += size + (line[size] == '\n');
    }
    if (keeping.depth > 0)
        return error_set(error, STATUS_INTERNAL, "a template lacks %zu lines //%% end", keeping.depth);
    return STATUS_OK;
}

/* ---- words ---- */

/* The length of a token that is not a word and is copied: a quoted text, a comment, a number, or one character. */
static size_t skip_length(const char *source)
{
    size_t length = 1;
    if (source[0] == '/' && source[1] == '/')
        return strcspn(source, "\n");
    if (source[0] == '"') {
        while (source[length] && source[length] != '"')
            length += source[length] == '\\' && source[length + 1] ? 2 : 1;
        return length + (source[length] == '"');
    }
    return isdigit((unsigned char)source[0]) ? name_length(source) : 1;
}

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* The position after the bracket that matches the bracket at source. */
static const char *behind_brackets(const char *source)
{
    int depth = 0;
    do {
        depth += (*source == '(') - (*source == ')');
        source++;
    } while (depth > 0 && *source);
    return source;
}

/* The replacement of words in one text. */
struct rewording {
    const struct template_word *words;
    bool (*other)(const char *word, struct text *out, const void *context);
    const void *context;
};

/* Appends the word's replacement; returns the rest of the source. */
static const char *replace_word(const struct rewording *rewording, const struct template_word *word, const char *after,
                                struct text *out)
{
    text_add(out, "%s", word->to);
    if (word->form == WORD_CALL && strncmp(after, "()", 2) == 0)
        return after + 2;
    if ((word->form == WORD_BRACKETS || word->form == WORD_ELEMENT) && *after == '(') {
        const char *end = behind_brackets(after), *start = after + 1;
        const char *comma = word->form == WORD_ELEMENT ? memchr(start, ',', (size_t)(end - start)) : NULL;
        LOCAL(text) inner = {0};
        if (comma) {
            text_add(&inner, "%.*s[", (int)(comma - start), start);
            start = comma + 2;
        }
        text_add(&inner, "%.*s%s", (int)(end - start) - 1, start, comma ? "]" : "");
        words_replace(text_string(&inner), rewording->words, rewording->other, rewording->context, out);
        return end;
    }
    if (word->form == WORD_DRAWN && strncmp(after, "[DRAW_", 6) == 0) {
        const size_t length = name_length(after + 6);
        text_add_bytes(out, after + 6, length);
        return after + 6 + length + (after[6 + length] == ']');
    }
    return word->to[0] == '\0' && *after == ' ' ? after + 1 : after;
}

void words_replace(const char *source, const struct template_word *words,
                   bool (*other)(const char *word, struct text *out, const void *context), const void *context,
                   struct text *out)
{
    const struct rewording rewording = {words, other, context};
    while (*source) {
        if (!starts_word(*source)) {
            const size_t length = skip_length(source);
            text_add_bytes(out, source, length);
            source += length;
            continue;
        }
        const size_t length = name_length(source);
        LOCAL(text) name = {0};
        const struct template_word *word = words;
        text_add_bytes(&name, source, length);
        while (word->from && strcmp(word->from, text_string(&name)) != 0)
            word++;
        source += length;
        if (word->from)
            source = replace_word(&rewording, word, source, out);
        else if (!other || !other(text_string(&name), out, context))
            text_add(out, "%s", text_string(&name));
    }
}

bool words_have(const char *source, const char *word)
{
    const size_t size = strlen(word);
    while (*source) {
        const bool is_word = starts_word(*source);
        const size_t length = is_word ? name_length(source) : skip_length(source);
        if (is_word && length == size && memcmp(source, word, size) == 0)
            return true;
        source += length;
    }
    return false;
}
