// SPDX-License-Identifier: Apache-2.0
/* The growing string. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/memory.h"

/* Makes room for `more` bytes and a NUL. */
static bool text_reserve(struct text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more >= TEXT_MAXIMUM - text->size) {
        text->failed = true;
        return false;
    }
    const size_t needed = text->size + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data)
        memory_fail(capacity);
    text->data = data;
    text->capacity = capacity;
    return true;
}

const char *text_printed(char *array, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(array, size, format, arguments);
    va_end(arguments);
    return array;
}

void text_add_bytes(struct text *text, const char *bytes, size_t size)
{
    if (!text_reserve(text, size))
        return;
    if (size > 0)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

/* ---- formats ---- */

/* One of the conversions that most formats are made of: %s, %.*s, %c, %%, and %d, %u and %x, also with l, ll or z,
 * without flags, widths and precisions. The C library formats them ten times as slowly. */
struct conversion {
    size_t size; /* of its text, with the '%'; 0: it is none of these */
    char kind;
    unsigned longs; /* 2 for ll */
    bool of_size, cut;
};

static struct conversion read_conversion(const char *text)
{
    struct conversion conversion = {0};
    const char *at = text + 1;
    conversion.cut = strncmp(at, ".*s", 3) == 0;
    at += conversion.cut ? 2 : 0;
    for (; *at == 'l'; at++)
        conversion.longs++;
    conversion.of_size = *at == 'z';
    at += conversion.of_size;
    const bool number = *at == 'd' || *at == 'u' || *at == 'x';
    const bool plain = conversion.longs == 0 && !conversion.of_size && (*at == 's' || *at == 'c' || *at == '%');
    conversion.kind = *at;
    if (plain || (number && conversion.longs + conversion.of_size <= 2))
        conversion.size = (size_t)(at + 1 - text);
    return conversion;
}

static bool is_plain_format(const char *format)
{
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        const size_t size = read_conversion(at).size;
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

static uint64_t take_unsigned(const struct conversion *conversion, va_list *arguments)
{
    if (conversion->of_size)
        return va_arg(*arguments, size_t);
    return conversion->longs == 2   ? va_arg(*arguments, unsigned long long)
           : conversion->longs == 1 ? va_arg(*arguments, unsigned long)
                                    : va_arg(*arguments, unsigned);
}

static int64_t take_signed(const struct conversion *conversion, va_list *arguments)
{
    if (conversion->of_size)
        return va_arg(*arguments, ssize_t);
    return conversion->longs == 2   ? va_arg(*arguments, long long)
           : conversion->longs == 1 ? va_arg(*arguments, long)
                                    : va_arg(*arguments, int);
}

static void text_add_number(struct text *text, const struct conversion *conversion, va_list *arguments)
{
    char digits[24];
    size_t at = sizeof digits;
    const unsigned base = conversion->kind == 'x' ? 16 : 10;
    const int64_t number = conversion->kind == 'd' ? take_signed(conversion, arguments) : 0;
    uint64_t rest = conversion->kind != 'd' ? take_unsigned(conversion, arguments)
                    : number < 0            ? -(uint64_t)number
                                            : (uint64_t)number;
    do {
        digits[--at] = "0123456789abcdef"[rest % base];
        rest /= base;
    } while (rest > 0);
    if (number < 0)
        digits[--at] = '-';
    text_add_bytes(text, digits + at, sizeof digits - at);
}

static void add_plain(struct text *text, const char *format, va_list *arguments)
{
    const size_t size = text->size;
    for (const char *at = format; *at;) {
        const char *end = strchrnul(at, '%');
        text_add_bytes(text, at, (size_t)(end - at));
        if (*end == '\0')
            break;
        const struct conversion conversion = read_conversion(end);
        if (conversion.kind == 's') {
            const int most = conversion.cut ? va_arg(*arguments, int) : -1;
            const char *given = va_arg(*arguments, const char *), *string = given ? given : "(null)";
            text_add_bytes(text, string, most < 0 ? strlen(string) : strnlen(string, (size_t)most));
        } else if (conversion.kind == 'c' || conversion.kind == '%')
            text_add_bytes(text, &(char){conversion.kind == '%' ? '%' : (char)va_arg(*arguments, int)}, 1);
        else
            text_add_number(text, &conversion, arguments);
        at = end + conversion.size;
    }
    if (text->failed) { /* nothing rather than a part */
        text->size = size;
        text->data[size] = '\0';
    }
}

/* Formats into the room that there is, and again if that was too little. */
void text_add_list(struct text *text, const char *format, va_list arguments)
{
    if (!text_reserve(text, 0))
        return;
    text->data[text->size] = '\0';
    va_list again;
    if (is_plain_format(format)) {
        va_copy(again, arguments);
        add_plain(text, format, &again);
        va_end(again);
        return;
    }
    va_copy(again, arguments);
    const size_t room = text->capacity - text->size;
    const int length = vsnprintf(text->data + text->size, room, format, arguments);
    if (length < 0)
        text->failed = true;
    else if ((size_t)length < room)
        text->size += (size_t)length;
    else if (text_reserve(text, (size_t)length))
        text->size += (size_t)vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
    va_end(again);
    text->data[text->size] = '\0'; /* also after a part of what does not fit */
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_add_list(text, format, arguments);
    va_end(arguments);
}

void text_add_shell_word(struct text *text, const char *word)
{
    if (*word &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") == strlen(word)) {
        text_add(text, "%s", word);
        return;
    }
    text_add(text, "'");
    for (const char *c = word; *c; c++)
        text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(text, "'");
}

void text_add_option(struct text *text, const char *name, const char *value)
{
    if (!value)
        return;
    text_add(text, " --%s ", name);
    text_add_shell_word(text, value);
}

const char *text_string(const struct text *text)
{
    return text->data ? text->data : "";
}

void text_clear(struct text *text)
{
    text->size = 0;
    text->failed = false;
    if (text->data)
        text->data[0] = '\0';
}

void text_release(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

char *text_take(struct text *text)
{
    if (!text->data)
        text_add_bytes(text, "", 0);
    char *data = text->data;
    if (text->failed) {
        free(data);
        data = NULL;
    }
    *text = (struct text){0};
    return data;
}

size_t text_character(const char *bytes, size_t size, uint32_t *code)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least; /* smaller codes have a shorter form */
    } forms[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    const unsigned char *at = (const unsigned char *)bytes;
    size_t more = 0;
    if (size == 0)
        return 0;
    while (more < 4 && (at[0] & forms[more].mask) != forms[more].lead)
        more++;
    if (more == 4 || more >= size)
        return 0;
    *code = at[0] & (0xffU ^ forms[more].mask);
    for (size_t i = 1; i <= more; i++) {
        if ((at[i] & 0xc0U) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3fU);
    }
    const bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code >= forms[more].least && *code <= 0x10ffff && !surrogate ? more + 1 : 0;
}

bool text_has_word(const char *words, const char *word, size_t size)
{
    for (const char *at = words; *at; at += *at == ' ') {
        const size_t length = strcspn(at, " ");
        if (length == size && memcmp(at, word, size) == 0)
            return true;
        at += length;
    }
    return false;
}

size_t text_starts_with(const char *words, const char *text)
{
    for (const char *at = words; *at; at += *at == ' ') {
        const size_t length = strcspn(at, " ");
        if (strncmp(text, at, length) == 0)
            return length;
        at += length;
    }
    return 0;
}

bool text_is_utf8(const char *bytes, size_t size)
{
    uint32_t code;
    for (size_t at = 0; at < size;) {
        if ((unsigned char)bytes[at] < 0x80) { /* nearly all are */
            at++;
            continue;
        }
        const size_t step = text_character(bytes + at, size - at, &code);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}
