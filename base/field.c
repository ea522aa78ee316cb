// SPDX-License-Identifier: Apache-2.0
/* The kinds of values that all rooms have, the members of objects, and their JSON Schemas. */
#include "base/field.h"

#include <math.h>

#include "base/record.h"

/* ---- members ---- */

static bool may_be_absent(const char *name)
{
    return strchr("?!*", name[strlen(name) - 1]) != NULL;
}

void field_set(json_t *object, const char *name, const struct field_type *type, json_t *value)
{
    const size_t size = strlen(name) - may_be_absent(name);
    const bool needs_value = (may_be_absent(name) || type->shape & FIELD_IS_TRUE) && !(type->shape & FIELD_IS_NULL);
    const bool is_empty = strchr(name, '*') && json_array_size(value) == 0;
    if (!value || is_empty || (needs_value && json_is_null(value))) {
        json_decref(value);
        return;
    }
    FREED char *key = memory_copy_part(name, size);
    if (json_object_set_new(object, key, value) != 0)
        memory_fail(0);
}

void field_append(json_t *array, json_t *item)
{
    if (item)
        json_append(array, item);
}

/* ---- kinds ---- */

static json_t *make_boolean(bool value)
{
    return json_boolean(value);
}

static json_t *make_whole(int64_t value)
{
    return json_integer(value);
}

static json_t *make_marks(unsigned marks)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < MARK_COUNT; i++)
        if (marks >> i & 1)
            json_append(array, json_string(mark_word((enum mark_number)i)));
    return array;
}

#define FIELD_MAKE(value)                                                                                              \
    _Generic((value), const char *: json_text, uint64_t: json_count, int64_t: make_whole, double: json_number,         \
             bool: make_boolean, unsigned: make_marks)(value)

#define FIELD_KIND_DEFINE(kind, is, made_of, condition)                                                                \
    const struct field_type field_##kind##_type = {.shape = (is)};                                                     \
    json_t *field_##kind(made_of value)                                                                                \
    {                                                                                                                  \
        return (condition) ? FIELD_MAKE(value) : json_null();                                                          \
    }
FIELD_KIND_LIST(FIELD_KIND_DEFINE)

#define FIELD_SHARED_DEFINE(kind, is, made_of, says)                                                                   \
    const struct field_type field_##kind##_type = {.shape = (is), .name = #kind, .meaning = (says)};                   \
    json_t *field_##kind(made_of value)                                                                                \
    {                                                                                                                  \
        return FIELD_MAKE(value);                                                                                      \
    }
FIELD_SHARED_LIST(FIELD_SHARED_DEFINE)

#define FIELD_WORD(name, word, ...) word,
#define FIELD_WORDED_DEFINE(kind, is, LIST, made_of, says)                                                             \
    static const char *const kind##_words[] = {LIST(FIELD_WORD) NULL};                                                 \
    const struct field_type field_##kind##_type = {                                                                    \
        .shape = (is), .name = #kind, .meaning = (says), .words = kind##_words};                                       \
    json_t *field_##kind(made_of value)                                                                                \
    {                                                                                                                  \
        return FIELD_MAKE(value);                                                                                      \
    }
FIELD_WORDED_LIST(FIELD_WORDED_DEFINE)

const struct field_type field_count_if_type = {.shape = FIELD_IS_WHOLE | FIELD_AT_LEAST_0};
json_t *field_count_if(bool condition, uint64_t value)
{
    return condition ? json_count(value) : NULL;
}

const struct field_type field_made_text_type = {.shape = FIELD_IS_TEXT};
json_t *field_made_text(struct text text)
{
    json_t *made = json_text(text_string(&text));
    text_release(&text);
    return made;
}

const struct field_type field_pair_type = {.shape = FIELD_IS_PAIR,
                                           .name = "pair",
                                           .meaning = "two numbers, first that of side A, then that of side B",
                                           .of = &field_count_type};
json_t *field_pair(const uint64_t *pair)
{
    return json_pack("[oo]", json_count(pair[0]), json_count(pair[1]));
}

const struct field_type field_pair_of_numbers_type = {.shape = FIELD_IS_PAIR,
                                                      .name = "pair_of_numbers",
                                                      .meaning =
                                                          "two numbers, of side A and of side B; null if unknown",
                                                      .of = &field_number_or_null_type};
json_t *field_pair_of_numbers(const double *pair)
{
    return json_pack("[oo]", json_number(pair[0]), json_number(pair[1]));
}

/* ---- schemas ---- */

static json_t *schema_of(const struct field_type *type, const char *place, json_t *common);

/* "string", or ["string", "null"]. */
static json_t *pack_types(unsigned shape)
{
    static const struct {
        unsigned shape;
        const char *name;
    } types[] = {{FIELD_IS_OBJECT, "object"}, {FIELD_IS_ARRAY | FIELD_IS_PAIR, "array"},
                 {FIELD_IS_NUMBER, "number"}, {FIELD_IS_WHOLE, "integer"},
                 {FIELD_IS_TEXT, "string"},   {FIELD_IS_BOOLEAN, "boolean"},
                 {FIELD_IS_NULL, "null"}};
    json_t *array = json_array();
    for (size_t i = 0; i < COUNT(types); i++)
        if (shape & types[i].shape)
            json_append(array, json_string(types[i].name));
    if (json_array_size(array) > 1)
        return array;
    json_t *only = json_incref(json_array_get(array, 0));
    json_decref(array);
    return only;
}

static json_t *pack_words(const struct field_type *type)
{
    json_t *array = json_array();
    for (const char *const *word = type->words; word && *word; word++)
        json_append(array, json_string(*word));
    for (size_t i = 0; type->word && type->word(i); i++)
        json_append(array, json_string(type->word(i)));
    if (type->shape & FIELD_IS_NULL)
        json_append(array, json_null());
    return array;
}

/* The members of an object: each with its kind, and the names of those that are always there. place: what refers to
 * common.json. */
static void set_members(json_t *schema, const struct field_type *type, const char *place, json_t *common)
{
    json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
    json_auto_t *usual = json_array();
    for (const struct field *field = type->fields; field->name; field++) {
        FREED char *name = memory_copy_part(field->name, strlen(field->name) - may_be_absent(field->name));
        json_t *member = json_object();
        if (field->meaning)
            (void)json_object_set_new(member, "description", json_string(field->meaning));
        json_auto_t *kind = schema_of(field->type, place, common);
        if (json_object_update_missing(member, kind) != 0)
            memory_fail(0);
        (void)json_object_set_new(properties, name, member);
        if (!may_be_absent(field->name) && !(field->type->shape & FIELD_IS_TRUE))
            json_append(required, json_string(name));
        if (strchr(field->name, '!'))
            json_append(usual, json_string(name));
    }
    if (type->unless)
        (void)json_object_set_new(schema, "oneOf",
                                  json_pack("[{s[s]} {sO}]", "required", type->unless, "required", usual));
}

static void set_object(json_t *schema, const struct field_type *type, const char *place, json_t *common)
{
    if (json_object_get(schema, "properties") == NULL) {
        (void)json_object_set_new(schema, "properties", json_object());
        (void)json_object_set_new(schema, "required", json_array());
    }
    if (type->all)
        (void)json_object_set_new(schema, "allOf", json_pack("[o]", schema_of(type->all, place, common)));
    set_members(schema, type, place, common);
    if (!(type->shape & FIELD_IS_BASE))
        (void)json_object_set_new(schema, type->all ? "unevaluatedProperties" : "additionalProperties", json_false());
}

/* What the shape alone says. */
static void set_shape(json_t *schema, const struct field_type *type, const char *place, json_t *common)
{
    if (type->shape & FIELD_IS_TRUE)
        (void)json_object_set_new(schema, "const", json_true());
    else if ((type->words || type->word) && !(type->shape & FIELD_IS_ARRAY))
        (void)json_object_set_new(schema, "enum", pack_words(type));
    else
        (void)json_object_set_new(schema, "type", pack_types(type->shape));
    if (type->shape & (FIELD_AT_LEAST_0 | FIELD_IS_PROBABILITY))
        (void)json_object_set_new(schema, "minimum", json_integer(0));
    if (type->shape & FIELD_IS_PROBABILITY)
        (void)json_object_set_new(schema, "maximum", json_integer(1));
    if (type->shape & FIELD_IS_HASH)
        (void)json_object_set_new(schema, "pattern", json_string("^[0-9a-f]{64}$"));
    if (type->shape & FIELD_IS_PAIR) {
        (void)json_object_set_new(
            schema, "prefixItems",
            json_pack("[oo]", schema_of(type->of, place, common), schema_of(type->of, place, common)));
        (void)json_object_set_new(schema, "items", json_false());
        (void)json_object_set_new(schema, "minItems", json_integer(2));
    } else if (type->shape & FIELD_IS_ARRAY) {
        (void)json_object_set_new(schema, "items",
                                  type->of ? schema_of(type->of, place, common)
                                           : json_pack("{so}", "enum", pack_words(type)));
    } else if (type->of) {
        (void)json_object_set_new(schema, "additionalProperties", schema_of(type->of, place, common));
    }
    if (type->fields)
        set_object(schema, type, place, common);
}

/* A kind with a name is described in common.json, once, and referred to: from a document as "common.json#/$defs/NAME",
 * within that file as "#/$defs/NAME". */
static json_t *schema_of(const struct field_type *type, const char *place, json_t *common)
{
    json_t *schema = json_object();
    if (!type->name) {
        set_shape(schema, type, place, common);
        return schema;
    }
    if (!json_object_get(common, type->name)) {
        (void)json_object_set_new(schema, "description", json_string(type->meaning));
        (void)json_object_set_new(common, type->name, schema); /* before its members: they may have the same kinds */
        set_shape(schema, type, "", common);
        schema = json_object();
    }
    (void)json_object_set_new(schema, "$ref", json_sprintf("%s#/$defs/%s", place, type->name));
    return schema;
}

json_t *field_schema(enum json_schema schema, const struct field_type *type, json_t *common)
{
#define SCHEMA_HEAD(name, kind, word, version, verb, about) {word, version, verb, about},
    static const struct {
        const char *word;
        int version;
        const char *verb, *about;
    } heads[] = {JSON_SCHEMA_LIST(SCHEMA_HEAD)};
    const char *word = heads[schema].word;
    json_t *document =
        json_pack("{s:s, s:s+, s:s+, s:s, s:s, s:{s:{s:s+}, s:{s:i}}, s:[ss]}", "$schema",
                  "https://json-schema.org/draft/2020-12/schema", "$id", word, ".json", "title", "orchil ",
                  heads[schema].verb, "description", heads[schema].about, "type", "object", "properties", "schema",
                  "const", "orchil/", word, "version", "const", heads[schema].version, "required", "schema", "version");
    set_object(document, type, "common.json", common);
    return document;
}
