// SPDX-License-Identifier: Apache-2.0
/* Checks JSON values and stores them in structs. */
#include "backends/simulated/fields.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/circumstances.h"
#include "base/text.h"

/* The place of a value, for messages. */
struct spot {
    const char *file, *place;
    const struct field *field;
    struct error *error;
};

static enum status refuse_value(const struct spot *spot, const char *expected)
{
    return error_set(spot->error, STATUS_SYNTAX, "%s: %s%s%s: expected %s", spot->file, spot->place,
                     spot->place[0] ? "." : "", spot->field->name, expected);
}

static enum status refuse_range(const struct spot *spot, const char *what)
{
    char expected[128];
    (void)snprintf(expected, sizeof expected, "%s from %.16g to %.16g", what, spot->field->low, spot->field->high);
    return refuse_value(spot, expected);
}

static enum status refuse_word(const struct spot *spot, const char *what)
{
    struct text list = {0};
    const char *separator = what;
    for (const char *const *word = spot->field->words; *word; word++) {
        if (!**word)
            continue;
        text_add(&list, "%s%s", separator, *word);
        separator = ", ";
    }
    const enum status status = refuse_value(spot, text_string(&list));
    text_release(&list);
    return status;
}

static bool in_range(const struct spot *spot, const json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= spot->field->low &&
           json_number_value(value) <= spot->field->high;
}

/* The position of a text among the field's words, or -1. */
static int find_word(const struct spot *spot, const json_t *value)
{
    const char *text = json_string_value(value);
    for (int i = 0; text && text[0] && spot->field->words[i]; i++)
        if (strcmp(spot->field->words[i], text) == 0)
            return i;
    return -1;
}

static enum status read_chars(const struct spot *spot, const json_t *value, char *to)
{
    const char *text = json_string_value(value);
    if (!text || strlen(text) >= spot->field->size) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a text of less than %zu bytes", spot->field->size);
        return refuse_value(spot, expected);
    }
    memcpy(to, text, strlen(text) + 1);
    return STATUS_OK;
}

static enum status read_whole(const struct spot *spot, const json_t *value, void *to)
{
    const json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || !in_range(spot, value))
        return refuse_range(spot, "a whole number");
    if (spot->field->kind == FIELD_UNSIGNED)
        *(unsigned *)to = (unsigned)number;
    else if (spot->field->kind == FIELD_SIZE)
        *(uint64_t *)to = (uint64_t)number;
    else
        *(int64_t *)to = number;
    return STATUS_OK;
}

static enum status read_words(const struct spot *spot, const json_t *value, unsigned *to)
{
    if (spot->field->kind == FIELD_CHOICE) {
        const int word = find_word(spot, value);
        if (word < 0)
            return refuse_word(spot, "one of ");
        *to = (unsigned)word;
        return STATUS_OK;
    }
    unsigned mask = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const int word = find_word(spot, json_array_get(value, i));
        if (word < 0)
            return refuse_word(spot, "an array of ");
        mask |= 1u << word;
    }
    if (!json_is_array(value))
        return refuse_word(spot, "an array of ");
    *to = mask;
    return STATUS_OK;
}

/* Whether a value is an object or an array whose members are all as the field says. */
static bool members_fit(const struct spot *spot, json_t *value)
{
    const bool array = spot->field->kind == FIELD_TEXTS || spot->field->kind == FIELD_ARRAY;
    const char *key;
    json_t *member;
    if (array ? !json_is_array(value) : !json_is_object(value))
        return false;
    for (size_t i = 0; array && i < json_array_size(value); i++) {
        member = json_array_get(value, i);
        if (spot->field->kind == FIELD_TEXTS ? !json_is_string(member) : !json_is_object(member))
            return false;
    }
    if (!array)
        json_object_foreach(value, key, member) if (spot->field->kind == FIELD_NUMBERS
                                                        ? !in_range(spot, member)
                                                        : !json_is_object(member)) return false;
    return true;
}

static enum status read_members(const struct spot *spot, json_t *value, const json_t **to)
{
    if (members_fit(spot, value)) {
        *to = value;
        return STATUS_OK;
    }
    switch (spot->field->kind) {
    case FIELD_NUMBERS:
        return refuse_range(spot, "an object whose values are numbers");
    case FIELD_TEXTS:
        return refuse_value(spot, "an array of texts");
    case FIELD_ARRAY:
        return refuse_value(spot, "an array of objects");
    default:
        return refuse_value(spot, "an object of objects");
    }
}

static enum status read_value(const struct spot *spot, json_t *value, void *to)
{
    switch (spot->field->kind) {
    case FIELD_CHARS:
        return read_chars(spot, value, to);
    case FIELD_TEXT:
        if (!json_is_string(value))
            return refuse_value(spot, "a text");
        *(const char **)to = json_string_value(value);
        return STATUS_OK;
    case FIELD_BOOLEAN:
        if (!json_is_boolean(value))
            return refuse_value(spot, "true or false");
        *(bool *)to = json_is_true(value);
        return STATUS_OK;
    case FIELD_UNSIGNED:
    case FIELD_INTEGER:
    case FIELD_SIZE:
        return read_whole(spot, value, to);
    case FIELD_REAL:
        if (!in_range(spot, value))
            return refuse_range(spot, "a number");
        *(double *)to = json_number_value(value);
        return STATUS_OK;
    case FIELD_CHOICE:
    case FIELD_MASK:
        return read_words(spot, value, to);
    case FIELD_CIRCUMSTANCES:
        return circumstances_read(value, to) ? STATUS_OK : refuse_value(spot, "the recorded circumstances of a job");
    default:
        return read_members(spot, value, to);
    }
}

static enum status refuse_key(const char *file, const char *place, const char *key, const struct field *fields,
                              size_t count, struct error *error)
{
    struct text known = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&known, "%s%s", i > 0 ? ", " : "", fields[i].name);
    const enum status status = error_set(error, STATUS_SYNTAX, "%s: %s%sunknown key '%s'; known are %s", file, place,
                                         place[0] ? ": " : "", key, text_string(&known));
    text_release(&known);
    return status;
}

enum status fields_read(const char *file, const char *place, const json_t *object, const struct field *fields,
                        size_t count, void *to, struct error *error)
{
    /* jansson does not change the object that it iterates over, but takes a pointer to non-const */
    void *iterator = json_object_iter((json_t *)(uintptr_t)object);
    while (iterator) {
        const char *key = json_object_iter_key(iterator);
        size_t i = 0;
        while (i < count && strcmp(fields[i].name, key) != 0)
            i++;
        if (i == count)
            return refuse_key(file, place, key, fields, count, error);
        const struct spot spot = {file, place, &fields[i], error};
        TRY(read_value(&spot, json_object_iter_value(iterator), (char *)to + fields[i].offset));
        iterator = json_object_iter_next((json_t *)(uintptr_t)object, iterator);
    }
    return STATUS_OK;
}
