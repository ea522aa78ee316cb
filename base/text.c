// SPDX-License-Identifier: Apache-2.0
/* The growing string. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void text_add_bytes(struct text *text, const char *bytes, size_t size)
{
    if (!text_reserve(text, size))
        return;
    if (size > 0)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_add_list(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        text->failed = true;
    else if (text_reserve(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_add_list(text, format, arguments);
    va_end(arguments);
}

static bool is_plain_word(const char *word)
{
    return *word &&
           strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%") == strlen(word);
}

void text_add_shell_word(struct text *text, const char *word)
{
    if (is_plain_word(word)) {
        text_add(text, "%s", word);
        return;
    }
    text_add(text, "'");
    for (const char *c = word; *c; c++)
        text_add(text, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(text, "'");
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
