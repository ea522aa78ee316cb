// SPDX-License-Identifier: Apache-2.0
/* Protects the records that go out as JSON: the words of dialects and backends are those of their tables, members that
 * may be absent are, and a schema says which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/backend.h"
#include "base/field.h"
#include "litmus/litmus.h"

static size_t count_words(const struct field_type *type)
{
    size_t count = 0;
    while (type->words[count])
        count++;
    return count;
}

static void expect_word(const struct field_type *type, const char *word)
{
    for (const char *const *at = type->words; *at; at++)
        if (strcmp(*at, word) == 0)
            return;
    fail_msg("no word '%s'", word);
}

static void words_are_those_of_the_tables(void **state)
{
    (void)state;
    size_t count = 0;
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        expect_word(&field_dialect_type, litmus_dialect_name((enum litmus_dialect)dialect));
    assert_int_equal(count_words(&field_dialect_type), LITMUS_DIALECT_COUNT);
    for (const struct backend *const *at = backends; *at; at++, count++)
        expect_word(&field_backend_type, (*at)->name);
    assert_int_equal(count_words(&field_backend_type), count);
}

struct sample {
    const char *text, *why;
    double number;
    bool stopped;
};

FIELD_WORDS(colour, "red", "green")
#define USUAL_MEMBERS(X)                                                                                               \
    X("number!", number_or_null, "a number", sample->number)                                                           \
    X("colour!", colour, "a colour", 1)
#define SAMPLE_MEMBERS(X)                                                                                              \
    X("text", text_or_null, "a text", sample->text)                                                                    \
    X("why?", text, "why it stopped", sample->why)                                                                     \
    X("stopped", true_or_absent, "whether it did", sample->stopped)                                                    \
    USUAL_MEMBERS(X)
static const struct field_type field_sample_type = {
    .shape = FIELD_IS_OBJECT, .fields = (const struct field[]){SAMPLE_MEMBERS(FIELD_ROW){0}}, .unless = "why"};
FIELD_FUNCTION(static, sample, SAMPLE_MEMBERS, sample != NULL, const struct sample *sample)

/* Compares the object, which it drops, with a text in which quotes are '. */
static void expect_json(json_t *object, const char *expected)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_ENCODE_ANY);
    for (char *at = text; *at; at++)
        *at = *at == '"' ? '\'' : *at;
    assert_string_equal(text, expected);
    free(text);
    json_decref(object);
}

static void members_that_may_be_absent_are(void **state)
{
    (void)state;
    const double unknown = strtod("nan", NULL);
    expect_json(field_sample(&(struct sample){.text = "a", .number = 2.5}),
                "{'text':'a','number':2.5,'colour':'green'}");
    expect_json(field_sample(&(struct sample){.why = "b", .number = unknown, .stopped = true}),
                "{'text':null,'why':'b','stopped':true,'number':null,'colour':'green'}");
    expect_json(field_sample(NULL), "null");
    expect_json(field_colour(2), "null");
}

static void schemas_say_what_may_be_absent(void **state)
{
    (void)state;
    json_t *common = json_object(), *schema = field_schema(JSON_LIST, &field_sample_type, common);
    const json_t *required = json_object_get(schema, "required");
    assert_int_equal(json_array_size(required), 3); /* with schema and version */
    assert_string_equal(json_string_value(json_array_get(required, 2)), "text");
    expect_json(json_incref(json_object_get(schema, "oneOf")),
                "[{'required':['why']},{'required':['number','colour']}]");
    expect_json(json_incref(json_object_get(json_object_get(schema, "properties"), "colour")),
                "{'description':'a colour','enum':['red','green']}");
    assert_int_equal(json_object_size(common), 0);
    json_decref(schema);
    json_decref(common);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_those_of_the_tables),
                                       cmocka_unit_test(members_that_may_be_absent_are),
                                       cmocka_unit_test(schemas_say_what_may_be_absent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
