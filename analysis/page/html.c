// SPDX-License-Identifier: Apache-2.0
#include "analysis/page/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/page/words.h"
#include "analysis/statistics/statistics.h"
#include "base/hash.h"
#include "base/quantity.h"

extern const char page_style[], page_script[]; /* analysis/page/page.css and page.js */

static const double confidence = 0.95;

/* ---- texts ---- */

/* Marks that show nothing themselves and reorder, join or hide their neighbours. */
static bool is_deceptive(unsigned long code)
{
    static const struct {
        unsigned long first, last;
    } ranges[] = {
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
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static unsigned long code_of(const char *character, size_t size)
{
    const unsigned char *at = (const unsigned char *)character;
    unsigned long code = size == 1 ? at[0] : at[0] & (0xffU >> (size + 1));
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (at[i] & 0x3fU);
    return code;
}

/* Adds the character at the start of from and gives its size. */
static size_t add_character(struct text *text, const char *from)
{
    static const struct {
        char character;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (*from == entities[i].character) {
            text_add(text, "%s", entities[i].entity);
            return 1;
        }
    }
    const size_t size = words_character(from);
    if (size == 0) {
        text_add(text, "[0x%02x]", (unsigned char)*from);
        return 1;
    }
    const unsigned long code = code_of(from, size);
    if (is_deceptive(code))
        text_add(text, "[U+%04lX]", code);
    else
        text_add_bytes(text, from, size);
    return size;
}

static bool is_plain(char c)
{
    return c >= ' ' && c < 0x7f && !strchr("&<>\"'", c);
}

/* Adds the next characters: as many of the next `most` bytes as stay what they are, or a single other one. Gives their size. */
static size_t add_some(struct text *text, const char *from, size_t most)
{
    size_t plain = 0;
    while (plain < most && is_plain(from[plain]))
        plain++;
    text_add_bytes(text, from, plain);
    return plain > 0 ? plain : add_character(text, from);
}

static void add_text(struct text *text, const char *from)
{
    while (*from) {
        const bool blank = *from == '\n' || *from == '\r' || *from == '\t';
        if (blank)
            text_add_bytes(text, " ", 1);
        from += blank ? 1 : add_some(text, from, SIZE_MAX);
    }
}

void html_add_list(struct text *text, const char *const *markup_and_arguments)
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
        add_text(text, *markup_and_arguments++);
        markup += plain + 1;
    }
}

void html_add_lines(struct text *text, const char *from, size_t most)
{
    const char *end = from + strnlen(from, most);
    while (from < end) {
        const bool kept = *from == '\n' || *from == '\t';
        if (kept)
            text_add_bytes(text, from, 1);
        if (kept || (*from == '\r' && from[1] == '\n'))
            from++;
        else
            from += add_some(text, from, (size_t)(end - from));
    }
    if (*from) {
        char buffer[QUANTITY_SIZE];
        html_add(text, "\n[... $ bytes more]", quantity_count(strlen(from), buffer));
    }
}

bool html_add_anchor(struct text *text, const char *from)
{
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    bool other = false;
    for (; *from; from++) {
        const bool keep = strchr(kept, *from) != NULL;
        text_add_bytes(text, keep ? from : "_", 1);
        other |= !keep;
    }
    return other;
}

/* ---- numbers ---- */

/* Digits, and an exponent without the zeros that printf gives it. */
static const char *print_rate(double rate, int digits, char buffer[HTML_NUMBER_SIZE])
{
    char mantissa[32];
    if (!(rate > 0) || rate >= 0.01) {
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%.*g", digits, rate > 0 ? rate : 0);
        return buffer;
    }
    (void)snprintf(mantissa, sizeof mantissa, "%.*e", digits - 1, rate);
    char *exponent = strchr(mantissa, 'e');
    const long power = strtol(exponent + 1, NULL, 10);
    *exponent = '\0';
    (void)snprintf(buffer, HTML_NUMBER_SIZE, "%se%ld", mantissa, power);
    return buffer;
}

const char *html_rate(double rate, char buffer[HTML_NUMBER_SIZE])
{
    return print_rate(rate, 3, buffer);
}

const char *html_rate_of(uint64_t count, uint64_t n, char buffer[HTML_NUMBER_SIZE])
{
    char number[HTML_NUMBER_SIZE];
    if (n == 0)
        buffer[0] = '\0';
    else if (count > 0)
        return html_rate((double)count / (double)n, buffer);
    else
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "< %s", print_rate(statistics_zero_bound(n, confidence), 2, number));
    return buffer;
}

const char *html_count_in_words(uint64_t count, char buffer[HTML_NUMBER_SIZE])
{
    static const char *const units[] = {"million", "billion", "trillion", "quadrillion", "quintillion"};
    char digits[QUANTITY_SIZE];
    double value = (double)count / 1e6;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000;
        unit++;
    }
    if (count < 1000000)
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%s", quantity_count(count, digits));
    else
        (void)snprintf(buffer, HTML_NUMBER_SIZE, "%.3g %s", value, units[unit]);
    return buffer;
}

/* ---- the page ---- */

/* Adds the SHA-256 of a text as a content policy writes it (Content Security Policy Level 3, "hash-source"). */
static void add_hash(struct text *text, const char *of)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[HASH_HEX_SIZE];
    hash_hex(of, strlen(of), hex);
    text_add(text, "'sha256-");
    for (size_t bit = 0; bit < 256; bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++) {
            const char digit = hex[i < 256 ? i / 4 : 0];
            const unsigned nibble = (unsigned)(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
            value = value << 1 | (i < 256 ? nibble >> (3 - i % 4) & 1U : 0U);
        }
        text_add(text, "%c", letters[value]);
    }
    text_add(text, "='");
}

void html_start(struct text *text, const char *title)
{
    text_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    add_hash(text, page_style);
    text_add(text, "; script-src ");
    add_hash(text, page_script);
    text_add(text,
             "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n");
    html_add(text, "<title>$</title>\n<style>", title);
    text_add(text, "%s</style>\n</head>\n<body>\n<main>\n", page_style);
}

void html_end(struct text *text)
{
    text_add(text, "</main>\n<script>%s</script>\n</body>\n</html>\n", page_script);
}
