// SPDX-License-Identifier: Apache-2.0
/* The scanner. */
#include "litmus/parse/tokens.h"

/* Longest first, so that the first match is the right one. The modes in which a mark exists are bits. */
enum { IN_SECTIONS = 1 << SCAN_SECTIONS, IN_C = 1 << SCAN_C, IN_PTX = 1 << SCAN_PTX, EVERYWHERE = ~0 };

static const struct {
    const char *text;
    int modes;
} marks[] = {
    {"/\\", EVERYWHERE},
    {"\\/", EVERYWHERE},
    {"=>", IN_SECTIONS | IN_PTX},
    {"<>", IN_SECTIONS | IN_PTX},
    {"<<=", IN_C},
    {">>=", IN_C},
    {"==", EVERYWHERE},
    {"!=", EVERYWHERE},
    {"<=", EVERYWHERE},
    {">=", EVERYWHERE},
    {"<<", IN_C},
    {">>", IN_C},
    {"&&", IN_C | IN_SECTIONS},
    {"||", IN_C | IN_SECTIONS},
    {"++", IN_C},
    {"?", IN_C},
    {"->", IN_C},
    {"--", IN_C},
    {"+=", IN_C},
    {"-=", IN_C},
    {"*=", IN_C},
    {"/=", IN_C},
    {"%=", IN_C},
    {"&=", IN_C},
    {"|=", IN_C},
    {"^=", IN_C},
    {"..", EVERYWHERE},
    {"::", EVERYWHERE},
};

static const char single_marks[] = "(){}[];:,.=<>~!&|^+-*/%@";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const bool word_bytes[UCHAR_MAX + 1] = {
    ['0' ... '9'] = true, ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['_'] = true};

static bool is_word(char c)
{
    return word_bytes[(unsigned char)c];
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* Does the text, of at least one character, come next? Mostly the first character already tells. */
static bool starts(const struct scanner *scanner, const char *text)
{
    if (scanner->at == scanner->size || scanner->text[scanner->at] != *text)
        return false;
    const size_t length = strlen(text);
    return scanner->size - scanner->at >= length && memcmp(scanner->text + scanner->at, text, length) == 0;
}

static void move_on(struct scanner *scanner, size_t count)
{
    for (; count > 0; count--) {
        if (scanner->text[scanner->at++] == '\n') {
            scanner->place.line++;
            scanner->place.column = 1;
        } else
            scanner->place.column++;
    }
}

/* The same for characters none of which ends a line. */
static void move_along(struct scanner *scanner, size_t count)
{
    scanner->at += count;
    scanner->place.column += (unsigned)count;
}

static struct token fault_token(struct token token, const char *expected)
{
    token.kind = TOKEN_FAULT;
    token.expected = expected;
    return token;
}

static struct token empty_token(const struct scanner *scanner)
{
    return (struct token){.place = scanner->place, .text = scanner->text + scanner->at};
}

/* Skips one comment that opens here; false if it does not end. Only "(*" nests, as in herd. A #pragma says how to
 * compile, which changes no meaning. */
static bool skip_comment(struct scanner *scanner)
{
    if (starts(scanner, "//") || starts(scanner, "#pragma")) {
        while (scanner->at < scanner->size && scanner->text[scanner->at] != '\n')
            move_on(scanner, 1);
        return true;
    }
    const bool nests = starts(scanner, "(*");
    const char *const end = nests ? "*)" : "*/";
    size_t open = 1;
    move_on(scanner, 2);
    while (scanner->at < scanner->size) {
        if (starts(scanner, end)) {
            move_on(scanner, 2);
            if (--open == 0)
                return true;
        } else if (nests && starts(scanner, "(*")) {
            move_on(scanner, 2);
            open++;
        } else
            move_on(scanner, 1);
    }
    return false;
}

static bool at_comment(const struct scanner *scanner)
{
    const char c = scanner->text[scanner->at];
    if (c == '#')
        return scanner->mode == SCAN_C && starts(scanner, "#pragma");
    if (c != '/' && c != '(')
        return false;
    return starts(scanner, "//") || starts(scanner, "/*") || (scanner->mode != SCAN_C && starts(scanner, "(*"));
}

/* The number of the last characters of a number that say its type, "u", "ll", "uLL" (C11, 6.4.4.1). */
static size_t scan_suffix(struct token *token)
{
    size_t size = 0, longs = 0, signs = 0;
    for (; size < token->size; size++) {
        const char letter = token->text[token->size - size - 1];
        if (letter != 'u' && letter != 'U' && letter != 'l' && letter != 'L')
            break;
        longs += letter == 'l' || letter == 'L';
        signs += letter == 'u' || letter == 'U';
    }
    if (longs > 2 || signs > 1)
        return 0;
    token->suffix = longs > 0 ? signs > 0 ? LITMUS_ULONG : LITMUS_LONG : signs > 0 ? LITMUS_UINT : LITMUS_CHAR;
    return size;
}

/* ".0f" at hand, after the digits of a number; false for a fraction other than 0. */
static bool scan_fraction(const struct scanner *scanner, struct token *token)
{
    const char *const end = scanner->text + scanner->size, *at = token->text + token->size + 1;
    while (at < end && *at == '0')
        at++;
    at += at < end && (*at == 'f' || *at == 'F');
    const bool whole = at == end || !is_word(*at);
    while (at < end && is_word(*at))
        at++;
    token->size = (size_t)(at - token->text);
    token->suffix = LITMUS_FLOAT;
    return whole;
}

static struct token scan_number(struct scanner *scanner)
{
    struct token token = empty_token(scanner);
    token.kind = TOKEN_NUMBER;
    while (scanner->at + token.size < scanner->size && is_word(token.text[token.size]))
        token.size++;
    const char *after = token.text + token.size, *end = scanner->text + scanner->size;
    const bool in_ptx = scanner->mode == SCAN_PTX;
    size_t digits = token.size;
    if (end - after > 1 && after[0] == '.' && (is_digit(after[1]) || after[1] == 'f')) {
        if (!scan_fraction(scanner, &token) || in_ptx)
            return fault_token(token, "a whole number (values of float and double are whole, too)");
    } else if (!in_ptx)
        digits -= scan_suffix(&token);
    move_along(scanner, token.size);
    const bool hexadecimal = digits > 2 && token.text[0] == '0' && (token.text[1] == 'x' || token.text[1] == 'X');
    const int base = hexadecimal ? 16 : 10;
    /* C would read 010 as eight and a reader as ten: refused rather than guessed. */
    if (!hexadecimal && digits > 1 && token.text[0] == '0')
        return fault_token(token, "a number without leading zeros or letters");
    for (size_t i = hexadecimal ? 2 : 0; i < digits; i++) {
        const int digit = digit_value(token.text[i]);
        if (digit >= base)
            return fault_token(token, "a number without letters");
        if (token.number > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
            return fault_token(token, "a number below 2^64");
        token.number = token.number * (uint64_t)base + (uint64_t)digit;
    }
    return token;
}

/* The distance from a place to the next occurrence of a character, or to the end of the text. */
static size_t distance_to(const struct scanner *scanner, size_t from, char wanted)
{
    const char *found = memchr(scanner->text + from, wanted, scanner->size - from);
    return (found ? (size_t)(found - scanner->text) : scanner->size) - from;
}

static size_t skip_blanks(const struct scanner *scanner, size_t at)
{
    while (at < scanner->size && scanner->text[at] != '\n' && is_blank(scanner->text[at]))
        at++;
    return at;
}

/* Can a description continue like this after a text that ends before `at`: at the end of the line, with another text,
 * with "Key=", with the initial state or with a comment? */
static bool may_follow_text(const struct scanner *scanner, size_t at)
{
    at = skip_blanks(scanner, at);
    if (at == scanner->size || strchr("\n\"{/(", scanner->text[at]))
        return true;
    while (at < scanner->size && is_word(scanner->text[at]))
        at++;
    at = skip_blanks(scanner, at);
    return at < scanner->size && scanner->text[at] == '=';
}

/* The end of a text that has quotes in it. One that starts below its quote ends with a quote on a line of its own, any
 * other with the last one of its line. */
static size_t end_of_quoting_text(const struct scanner *scanner, size_t start)
{
    const size_t line = start + distance_to(scanner, start, '\n');
    if (skip_blanks(scanner, start) == line) {
        for (size_t at = line; at < scanner->size; at += distance_to(scanner, at, '\n')) {
            const size_t first = skip_blanks(scanner, ++at), next = skip_blanks(scanner, first + 1);
            if (first < scanner->size && scanner->text[first] == '"' &&
                (next >= scanner->size || scanner->text[next] == '\n'))
                return first;
        }
    }
    size_t last = start + distance_to(scanner, start, '"');
    for (size_t at = last; at < line; at += 1 + distance_to(scanner, at + 1, '"'))
        last = at;
    return last;
}

static struct token scan_text(struct scanner *scanner)
{
    struct token token = empty_token(scanner);
    const size_t start = scanner->at + 1;
    size_t end = start + distance_to(scanner, start, '"');
    token.kind = TOKEN_TEXT;
    token.text++;
    if (scanner->mode != SCAN_C && end < scanner->size && !may_follow_text(scanner, end + 1))
        end = end_of_quoting_text(scanner, start);
    move_on(scanner, end + 1 - start);
    if (scanner->at == scanner->size)
        return fault_token(token, "a '\"' that ends this text");
    token.size = end - start;
    move_on(scanner, 1);
    return token;
}

static struct token scan_mark(struct scanner *scanner)
{
    struct token token = empty_token(scanner);
    token.kind = TOKEN_MARK;
    for (size_t i = 0; i < COUNT(marks) && token.size == 0; i++)
        if (marks[i].text[0] == token.text[0] && (marks[i].modes & 1 << scanner->mode) != 0 &&
            starts(scanner, marks[i].text))
            token.size = strlen(marks[i].text);
    uint32_t code;
    if (token.size == 0 && (unsigned char)token.text[0] >= 0x80) {
        token.size = text_character(token.text, scanner->size - scanner->at, &code);
        token.size += token.size == 0;
        return fault_token(token, "a word, a number or a mark of the language");
    }
    if (token.size == 0) {
        token.size = 1;
        if (!strchr(single_marks, token.text[0]))
            return fault_token(token, "a word, a number or a mark of the language");
    }
    move_along(scanner, token.size);
    return token;
}

/* A modifier of PTX may begin with a digit: "1d" in "tensor.1d", "128B" in "L2::128B". */
static bool at_modifier(const struct scanner *scanner)
{
    const char before = scanner->at > 0 ? scanner->text[scanner->at - 1] : ' ';
    return scanner->names || (scanner->mode == SCAN_PTX && (before == '.' || before == ':'));
}

struct token scanner_next(struct scanner *scanner)
{
    while (scanner->at < scanner->size) {
        if (is_blank(scanner->text[scanner->at]))
            move_on(scanner, 1);
        else if (at_comment(scanner)) {
            const struct token start = empty_token(scanner);
            const bool nests = starts(scanner, "(*");
            if (!skip_comment(scanner))
                return fault_token(start,
                                   nests ? "'*)' at the end of this comment" : "'*/' at the end of this comment");
        } else
            break;
    }
    if (scanner->at == scanner->size)
        return empty_token(scanner);
    const char c = scanner->text[scanner->at];
    if (is_digit(c) && !at_modifier(scanner))
        return scan_number(scanner);
    if (c == '"')
        return scan_text(scanner);
    const bool dollar = c == '$' && scanner->mode == SCAN_PTX; /* as in labels of compilers */
    if (!is_word(c) && !dollar)
        return scan_mark(scanner);
    struct token token = empty_token(scanner);
    token.kind = TOKEN_WORD;
    token.size = dollar;
    while (scanner->at + token.size < scanner->size && is_word(token.text[token.size]))
        token.size++;
    move_along(scanner, token.size);
    return token;
}

struct token scanner_line(struct scanner *scanner)
{
    while (scanner->at < scanner->size && scanner->text[scanner->at] != '\n' && is_blank(scanner->text[scanner->at]))
        move_on(scanner, 1);
    struct token token = empty_token(scanner);
    token.kind = TOKEN_TEXT;
    token.size = distance_to(scanner, scanner->at, '\n');
    move_along(scanner, token.size);
    while (token.size > 0 && is_blank(token.text[token.size - 1]))
        token.size--;
    return token;
}

struct litmus_place scanner_place(const char *text, size_t at)
{
    struct litmus_place place = {1, 1};
    for (const char *c = text; c < text + at; c++) {
        place.line += *c == '\n';
        place.column = *c == '\n' ? 1 : place.column + 1;
    }
    return place;
}

bool token_is(const struct token *token, const char *text)
{
    if ((token->kind != TOKEN_WORD && token->kind != TOKEN_MARK) || token->text[0] != text[0])
        return false;
    return token->size == strlen(text) && memcmp(token->text, text, token->size) == 0;
}

/* ---- bytes that no text of a test has ---- */

enum status litmus_clean(const char *file, const char **text, size_t *size, struct error *error)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    if (*size >= 2 && (memcmp(*text, "\xff\xfe", 2) == 0 || memcmp(*text, "\xfe\xff", 2) == 0))
        return error_set(error, STATUS_SYNTAX, "%s:1:1: expected UTF-8, found UTF-16: save the file as UTF-8", file);
    if (*size >= sizeof mark && memcmp(*text, mark, sizeof mark) == 0) {
        *text += sizeof mark;
        *size -= sizeof mark;
    }
    for (size_t i = 0; i < *size; i++) {
        const unsigned char c = (unsigned char)(*text)[i];
        if (c >= ' ' && c != 0x7f)
            continue;
        const bool alone = c == '\r' && (i + 1 == *size || (*text)[i + 1] != '\n');
        if (alone || ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)) {
            /* "FILE:LINE:COLUMN: expected ..., found ...", for the byte at a place. */
            const struct litmus_place place = scanner_place(*text, i);
            const unsigned char byte = (unsigned char)(*text)[i];
            if (byte == '\0')
                return error_set(error, STATUS_SYNTAX, "%s:%u:%u: expected text, found a NUL byte", file, place.line,
                                 place.column);
            if (byte == '\r')
                return error_set(error, STATUS_SYNTAX,
                                 "%s:%u:%u: expected a line feed after the carriage return: end lines with LF or CR LF",
                                 file, place.line, place.column);
            return error_set(error, STATUS_SYNTAX,
                             "%s:%u:%u: expected text, found the control character 0x%02x: remove it", file, place.line,
                             place.column, byte);
        }
    }
    return STATUS_OK;
}
