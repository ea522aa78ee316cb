// SPDX-License-Identifier: Apache-2.0
/*
 * Records that go out as JSON. A record is one list of its members, each with its name, the kind of its value, its
 * meaning and the value itself; writing it, its JSON Schema and the tables of docs/reference/json.md come out of the
 * list:
 *
 *     #define SHARE_MEMBERS(X)                                                                    \
 *         X("splits", count, "splits that were judged", share->splits)                            \
 *         X("low?", number, "the interval's lower end; absent if unknown", share->interval.low)
 *     FIELD_RECORD(share, SHARE_MEMBERS, const struct share *share)
 *
 * defines field_share(share), which makes the object, and field_share_type, which describes it: `share` is then the
 * kind of a member of other records. A name that ends with '?' is a member that may be absent: it is left out if its
 * value is null and its kind has no null; one that ends with '*' is left out if it is an empty array; one that ends
 * with '!' is there unless a named other member is (`unless`). A meaning of NULL is that of the kind, which then has
 * one in common.json.
 */
#pragma once

#include "base/json.h"

/* What a value may be, as JSON has it; a value that may be several is their sum. */
enum field_shape {
    FIELD_IS_TEXT = 1,
    FIELD_IS_WHOLE = 2,
    FIELD_IS_NUMBER = 4,
    FIELD_IS_BOOLEAN = 8,
    FIELD_IS_NULL = 16,
    FIELD_IS_OBJECT = 32,
    FIELD_IS_ARRAY = 64,
    FIELD_IS_PAIR = 128,        /* an array of two values of the kind `of` */
    FIELD_AT_LEAST_0 = 256,     /* a number that is not negative */
    FIELD_IS_PROBABILITY = 512, /* a number from 0 to 1 */
    FIELD_IS_TRUE = 1024,       /* true, and absent otherwise */
    FIELD_IS_HASH = 2048,       /* a SHA-256 in hexadecimal */
    FIELD_IS_BASE = 4096        /* an object whose members other objects have, too (`all`) */
};

/* A kind of values: of one of the shapes; with words, one of these, or an array of them. */
struct field_type {
    unsigned shape;               /* of enum field_shape */
    const char *name;             /* of a kind that several documents have: common.json describes it; or NULL */
    const char *meaning;          /* of a kind with a name */
    const char *const *words;     /* ends with NULL */
    const char *(*word)(size_t);  /* the same as a function: NULL after the last */
    const struct field_type *of;  /* the items of an array, or the values of an object with free names */
    const struct field *fields;   /* of an object; ends with a row without a name */
    const struct field_type *all; /* a kind whose members such an object has, too */
    const char *unless;           /* the member whose presence says that those whose names end with '!' are absent */
};

struct field {
    const char *name;
    const struct field_type *type;
    const char *meaning;
};

#define FIELD_ROW(name, kind, meaning, ...) {name, &field_##kind##_type, meaning},
#define FIELD_SET(name, kind, meaning, ...) field_set(object, name, &field_##kind##_type, field_##kind(__VA_ARGS__));

/* Defines a kind whose values are objects; the parameters are those of the function that makes one. */
#define FIELD_RECORD(kind, MEMBERS, ...)                                                                               \
    static FIELD_TYPE(kind, FIELD_IS_OBJECT, MEMBERS) FIELD_FUNCTION(static, kind, MEMBERS, true, __VA_ARGS__)

/* The same for an object that is null unless the condition holds. */
#define FIELD_OR_NULL(kind, MEMBERS, condition, ...)                                                                   \
    static FIELD_TYPE(kind, FIELD_IS_OBJECT | FIELD_IS_NULL, MEMBERS)                                                  \
        FIELD_FUNCTION(static, kind, MEMBERS, condition, __VA_ARGS__)

/* The same for a document of JSON_SCHEMA_LIST, whose kind is called document_KIND. */
#define FIELD_DOCUMENT(kind, MEMBERS, ...)                                                                             \
    FIELD_TYPE(kind, FIELD_IS_OBJECT, MEMBERS) FIELD_FUNCTION(static, kind, MEMBERS, true, __VA_ARGS__)

/* The same for a record that several documents have: common.json describes it by the name of its kind. */
#define FIELD_NAMED(kind, MEMBERS, says, ...)                                                                          \
    static FIELD_NAMED_TYPE(kind, FIELD_IS_OBJECT, MEMBERS, says)                                                      \
        FIELD_FUNCTION(static, kind, MEMBERS, true, __VA_ARGS__)

/* The same for other files to use. */
#define FIELD_SHARED(kind, MEMBERS, says, ...)                                                                         \
    FIELD_NAMED_TYPE(kind, FIELD_IS_OBJECT, MEMBERS, says) FIELD_FUNCTION(, kind, MEMBERS, true, __VA_ARGS__)

#define FIELD_TYPE(kind, is, MEMBERS)                                                                                  \
    const struct field_type field_##kind##_type = {.shape = (is),                                                      \
                                                   .fields = (const struct field[]){MEMBERS(FIELD_ROW){0}}};

#define FIELD_NAMED_TYPE(kind, is, MEMBERS, says)                                                                      \
    const struct field_type field_##kind##_type = {                                                                    \
        .shape = (is), .name = #kind, .meaning = (says), .fields = (const struct field[]){MEMBERS(FIELD_ROW){0}}};

#define FIELD_FUNCTION(storage, kind, MEMBERS, condition, ...)                                                         \
    storage json_t *field_##kind(__VA_ARGS__)                                                                          \
    {                                                                                                                  \
        json_t *object = (condition) ? json_object() : json_null();                                                    \
        if (condition) {                                                                                               \
            MEMBERS(FIELD_SET)                                                                                         \
        }                                                                                                              \
        return object;                                                                                                 \
    }

/* Defines a document that has the members of a base, whose type says so (FIELD_IS_BASE), and perhaps more: rows of
 * struct field, the last of which is {0}. */
#define FIELD_EXTENDED(kind, base, ...)                                                                                \
    const struct field_type field_##kind##_type = {                                                                    \
        .shape = FIELD_IS_OBJECT, .fields = (const struct field[]){__VA_ARGS__}, .all = &field_##base##_type};

/* Defines a kind whose values are arrays: for each i from 0 to count, of the kind `item`, with the rest as its
 * arguments. */
#define FIELD_LIST(kind, item, parameters, count, ...)                                                                 \
    static const struct field_type field_##kind##_type = {.shape = FIELD_IS_ARRAY, .of = &field_##item##_type};        \
    static FIELD_LIST_FUNCTION(kind, item, parameters, count, __VA_ARGS__)

/* The same for all documents, as FIELD_SHARED. */
#define FIELD_SHARED_LIST_OF(kind, item, says, parameters, count, ...)                                                 \
    const struct field_type field_##kind##_type = {                                                                    \
        .shape = FIELD_IS_ARRAY, .name = #kind, .meaning = (says), .of = &field_##item##_type};                        \
    FIELD_LIST_FUNCTION(kind, item, parameters, count, __VA_ARGS__)

#define FIELD_LIST_FUNCTION(kind, item, parameters, count, ...)                                                        \
    json_t *field_##kind parameters                                                                                    \
    {                                                                                                                  \
        json_t *array = json_array();                                                                                  \
        for (size_t i = 0; i < (count); i++)                                                                           \
            field_append(array, field_##item(__VA_ARGS__));                                                            \
        return array;                                                                                                  \
    }

/* Defines a kind whose values are objects with free names: for each i from 0 to count, a member of the kind `item`. */
#define FIELD_MAP(kind, item, parameters, count, name, value)                                                          \
    static const struct field_type field_##kind##_type = {.shape = FIELD_IS_OBJECT, .of = &field_##item##_type};       \
    static json_t *field_##kind parameters                                                                             \
    {                                                                                                                  \
        json_t *object = json_object();                                                                                \
        for (size_t i = 0; i < (size_t)(count); i++)                                                                   \
            (void)json_object_set_new(object, name, field_##item(value));                                              \
        return object;                                                                                                 \
    }

/* Defines a kind whose values are one of some words: it is made of the number of one, and of any other number null. */
#define FIELD_WORDS(kind, ...)                                                                                         \
    static const char *const field_##kind##_words[] = {__VA_ARGS__, NULL};                                             \
    static const struct field_type field_##kind##_type = {.shape = FIELD_IS_TEXT, .words = field_##kind##_words};      \
    static json_t *field_##kind(size_t number)                                                                         \
    {                                                                                                                  \
        return number < sizeof field_##kind##_words / sizeof *field_##kind##_words                                     \
                   ? json_text(field_##kind##_words[number])                                                           \
                   : json_null();                                                                                      \
    }

/* The same for an enumeration of `count` values, whose words are those that the function `name` gives. */
#define FIELD_NAMES(kind, enumeration, count, name)                                                                    \
    static const char *field_##kind##_name(size_t number)                                                              \
    {                                                                                                                  \
        return number < (size_t)(count) ? name((enumeration)number) : NULL;                                            \
    }                                                                                                                  \
    static const struct field_type field_##kind##_type = {.shape = FIELD_IS_TEXT, .word = field_##kind##_name};        \
    static json_t *field_##kind(enumeration value)                                                                     \
    {                                                                                                                  \
        return json_text(name(value));                                                                                 \
    }

/* Adds a member to an object; none for NULL, nor for a null if the name ends with a mark and the kind has no null. The
 * name is one of a row: names from data, which may end so, are added by json_object_set_new. */
void field_set(json_t *object, const char *name, const struct field_type *type, json_t *value);

/* Appends an item to an array, and nothing for NULL. */
void field_append(json_t *array, json_t *item);

/* ---- kinds that all rooms have ---- */

#define FIELD_PAIR(a, b) ((const uint64_t[]){(a), (b)})

/* X(kind, shape, what it is made of, condition): the kinds without a meaning of their own; null unless the condition on
 * `value` holds. Texts that are NULL and numbers that are not finite are null in all of them. */
#define FIELD_KIND_LIST(X)                                                                                             \
    X(text, FIELD_IS_TEXT, const char *, true)                                                                         \
    X(text_or_null, FIELD_IS_TEXT | FIELD_IS_NULL, const char *, true)                                                 \
    X(nonempty_or_null, FIELD_IS_TEXT | FIELD_IS_NULL, const char *, value &&value[0])                                 \
    X(whole, FIELD_IS_WHOLE, int64_t, true)                                                                            \
    X(count, FIELD_IS_WHOLE | FIELD_AT_LEAST_0, uint64_t, true)                                                        \
    X(positive_or_null, FIELD_IS_WHOLE | FIELD_IS_NULL | FIELD_AT_LEAST_0, uint64_t, value > 0)                        \
    X(number, FIELD_IS_NUMBER, double, true)                                                                           \
    X(number_or_null, FIELD_IS_NUMBER | FIELD_IS_NULL, double, true)                                                   \
    X(duration_or_null, FIELD_IS_NUMBER | FIELD_IS_NULL, double, value > 0)                                            \
    X(boolean, FIELD_IS_BOOLEAN, bool, true)                                                                           \
    X(true_or_absent, FIELD_IS_TRUE, bool, value)

#define FIELD_KIND_DECLARE(kind, shape, made_of, ...)                                                                  \
    extern const struct field_type field_##kind##_type;                                                                \
    json_t *field_##kind(made_of value);
FIELD_KIND_LIST(FIELD_KIND_DECLARE)

/* X(kind, shape, what it is made of, meaning): kinds that common.json describes. */
#define FIELD_SHARED_LIST(X)                                                                                           \
    X(test, FIELD_IS_TEXT, const char *, "the test's name")                                                            \
    X(condition, FIELD_IS_TEXT, const char *, "the final condition of the test; empty if there is none")               \
    X(device, FIELD_IS_TEXT, const char *, "the name of the device")                                                   \
    X(device_uuid, FIELD_IS_TEXT, const char *, "the UUID of the device, or empty")                                    \
    X(driver, FIELD_IS_TEXT, const char *, "the driver's version")                                                     \
    X(compiler, FIELD_IS_TEXT, const char *, "the compiler's version")                                                 \
    X(hash, FIELD_IS_TEXT | FIELD_IS_HASH, const char *, "a SHA-256, in hexadecimal")                                  \
    X(outcome, FIELD_IS_TEXT, const char *, "the values that a test ended with, such as `0:r0=1; 1:r1=0;`")            \
    X(witness, FIELD_IS_BOOLEAN, bool, "whether the outcome satisfies the condition")                                  \
    X(reason, FIELD_IS_TEXT, const char *, "why the job ended in this state; may be empty")                            \
    X(lowering, FIELD_IS_TEXT, const char *, "how the test became instructions; empty if unknown")                     \
    X(kept_reason, FIELD_IS_TEXT | FIELD_IS_NULL, const char *,                                                        \
      "why the code does not match the test, or was not inspected; null for a job without a build")                    \
    X(control_of, FIELD_IS_TEXT, const char *, "the test that this one controls, or empty")                            \
    X(profile, FIELD_IS_TEXT, const char *, "the name of the profile")                                                 \
    X(mutants, FIELD_IS_WHOLE | FIELD_AT_LEAST_0, uint64_t, "the number of mutants that ran")                          \
    X(killed, FIELD_IS_WHOLE | FIELD_AT_LEAST_0, uint64_t, "the number of mutants whose witness was seen")             \
    X(mutation_score, FIELD_IS_NUMBER | FIELD_IS_PROBABILITY, double, "the proportion of mutants that were killed")    \
    X(death_rate, FIELD_IS_NUMBER | FIELD_AT_LEAST_0, double,                                                          \
      "witnesses per second, averaged over all mutants that ran")

FIELD_SHARED_LIST(FIELD_KIND_DECLARE)

/* X(kind, shape, list of base/record.h, what it is made of, meaning): the same with the words of a list. */
#define FIELD_WORDED_LIST(X)                                                                                              \
    X(dialect, FIELD_IS_TEXT, DIALECT_WORD_LIST, const char *, "the dialect of the test")                                 \
    X(backend, FIELD_IS_TEXT, BACKEND_WORD_LIST, const char *, "the backend")                                             \
    X(verdict, FIELD_IS_TEXT, VERDICT_LIST, const char *,                                                                 \
      "a model's verdict on an outcome: `sc` if some interleaving gives it, `weak` if it is allowed but no interleaving " \
      "gives it, `forbidden` if it is not allowed, `undefined` if the language gives the test no meaning, "               \
      "`unspecified` if the model says nothing about the test (see models.md)")                                           \
    X(verdict_or_null, FIELD_IS_TEXT | FIELD_IS_NULL, VERDICT_LIST, const char *,                                         \
      "the verdict of the model; null if there is none")                                                                  \
    X(state, FIELD_IS_TEXT, JOB_STATE_LIST, const char *, "how the job ended")                                            \
    X(kept, FIELD_IS_TEXT | FIELD_IS_NULL, KEPT_LIST, const char *,                                                       \
      "whether the compiled code still matches the test; null for a job without a build")                                 \
    X(marks, FIELD_IS_ARRAY, MARK_LIST, unsigned, "what qualifies the results of the job")

#define FIELD_WORDED_DECLARE(kind, shape, list, made_of, meaning) FIELD_KIND_DECLARE(kind, shape, made_of)
FIELD_WORDED_LIST(FIELD_WORDED_DECLARE)

/* A count that is only there if the condition holds. */
extern const struct field_type field_count_if_type;
json_t *field_count_if(bool condition, uint64_t value);

/* A text that was made for this member: it is released. FIELD_WRITTEN makes one of what add(..., &text) appends. */
#define FIELD_WRITTEN(add, ...)                                                                                        \
    ({                                                                                                                 \
        struct text field_written = {0};                                                                               \
        add(__VA_ARGS__, &field_written);                                                                              \
        field_written;                                                                                                 \
    })
extern const struct field_type field_made_text_type;
json_t *field_made_text(struct text text);

/* Two counts or numbers, of side A and of side B. */
extern const struct field_type field_pair_type, field_pair_of_numbers_type;
json_t *field_pair(const uint64_t *pair);
json_t *field_pair_of_numbers(const double *pair);

/* ---- schemas ---- */

#define FIELD_DOCUMENT_DECLARE(name, kind, word, version, verb, about)                                                 \
    extern const struct field_type field_document_##kind##_type;
JSON_SCHEMA_LIST(FIELD_DOCUMENT_DECLARE)

/* The JSON Schema (2020-12) of a document. common: gets the kinds with a name, as "$defs". The caller owns it. */
json_t *field_schema(enum json_schema schema, const struct field_type *type, json_t *common);
