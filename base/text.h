// SPDX-License-Identifier: Apache-2.0
/*
 * A growing string with a maximum. Everything that orchil prints, generates or stores as text is built in one of these.
 *
 * A struct text starts as {0}. The owner of the struct calls text_release; data belongs to the struct. When the maximum
 * is passed, `failed` is set, and further additions do nothing: code that builds a text of unknown size checks once, at
 * the end.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_MAXIMUM = 64 * 1024 * 1024 }; /* bytes; far more than orchil needs */

struct text {
    char *data; /* NUL-terminated once anything was added, else NULL */
    size_t size;
    size_t capacity;
    bool failed;
    size_t width; /* columns that its lines may have, for code that breaks lines; 0: unknown */
    bool colours; /* its reader sees them, for code that has some */
};

/* Bytes within a text of another owner; not terminated. */
struct text_part {
    const char *start;
    size_t size;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(struct text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
void text_add_bytes(struct text *text, const char *bytes, size_t size);

/* A text in an array of the block that calls it, cut to `size` - 1 bytes: PRINTED(64, "%s.%s", table, column). */
#define PRINTED(size, ...) text_printed((char[size]){0}, size, __VA_ARGS__)
const char *text_printed(char *array, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends a word, shell-quoted if necessary. */
void text_add_shell_word(struct text *text, const char *word);

/* Appends " --NAME VALUE", with the value as a word for a shell; nothing if it is NULL. */
void text_add_option(struct text *text, const char *name, const char *value);

/* The string so far: never NULL, valid until the next addition. */
const char *text_string(const struct text *text);

/* Empties the text and keeps its memory. */
void text_clear(struct text *text);
void text_release(struct text *text);

/* Passes the string to the caller, who frees it; the text is empty afterwards. NULL if the text has failed. */
char *text_take(struct text *text);

/* The bytes of the UTF-8 character (RFC 3629) at the start of `size` bytes, 1 to 4, and its code; 0 if there is
 * none. */
size_t text_character(const char *bytes, size_t size, uint32_t *code);

/* Whether one of the words, which single blanks separate, is this one of `size` bytes. */
bool text_has_word(const char *words, const char *word, size_t size);

/* The length of the first of the words, which single blanks separate, that the text starts with; 0: none. */
size_t text_starts_with(const char *words, const char *text);

/* Whether the bytes are UTF-8. */
bool text_is_utf8(const char *bytes, size_t size);
