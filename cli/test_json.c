// SPDX-License-Identifier: Apache-2.0
/* A litmus test as a JSON object. */
#include "cli/test_json.h"

#include "litmus/litmus.h"

/* Sets a member to the text, which is released. */
static void set_built(json_t *json, const char *member, struct text *text)
{
    (void)json_object_set_new(json, member, json_text(text_string(text)));
    text_release(text);
}

static json_t *metadata_to_json(const struct litmus_test *test)
{
    json_t *json = json_object();
    for (size_t i = 0; i < test->metadata_count; i++) /* The parser's keys are words of ASCII. */
        (void)json_object_set_new(json, test->metadata[i].key, json_text(test->metadata[i].value));
    return json;
}

static json_t *names_to_json(const struct litmus_test *test, const char *key)
{
    char name[LITMUS_NAME_SIZE];
    json_t *json = json_array();
    for (const char *rest = NULL; litmus_next_name(test, key, &rest, name);)
        (void)json_array_append_new(json, json_text(name));
    return json;
}

json_t *warnings_to_json(const struct litmus_test *test)
{
    json_t *json = json_array();
    for (size_t i = 0; i < test->warning_count; i++)
        (void)json_array_append_new(json, json_pack("{s:i, s:i, s:o}", "line", (int)test->warnings[i].place.line,
                                                    "column", (int)test->warnings[i].place.column, "message",
                                                    json_text(test->warnings[i].text)));
    return json;
}

json_t *test_to_json(const struct selected_test *selected)
{
    const struct litmus_test *test = selected->test;
    struct text placement = {0}, condition = {0}, family = {0};
    char hash[65];
    json_t *json = json_object();
    placement_print(test, &placement);
    litmus_print_condition(test, &condition);
    litmus_hash(test, hash);
    text_add(&family, "%.*s", (int)catalogue_family(selected->file), selected->file);
    (void)json_object_set_new(json, "name", json_text(test->name));
    (void)json_object_set_new(json, "dialect", json_text(litmus_dialect_name(test->dialect)));
    (void)json_object_set_new(json, "file", json_text(selected->file));
    set_built(json, "family", &family);
    (void)json_object_set_new(json, "template", json_text(selected->template));
    (void)json_object_set_new(json, "threads", json_integer(test->thread_count));
    set_built(json, "placement", &placement);
    (void)json_object_set_new(json, "expect", json_text(litmus_metadata(test, "Expect")));
    (void)json_object_set_new(json, "control", json_text(litmus_metadata(test, litmus_controls)));
    (void)json_object_set_new(json, "controls", names_to_json(test, litmus_controls));
    (void)json_object_set_new(json, "mutants", names_to_json(test, litmus_mutants));
    (void)json_object_set_new(json, "doc", json_text(test->doc));
    set_built(json, "condition", &condition);
    (void)json_object_set_new(json, "metadata", metadata_to_json(test));
    (void)json_object_set_new(json, "hash", json_text(hash));
    if (test->warning_count > 0)
        (void)json_object_set_new(json, "warnings", warnings_to_json(test));
    return json;
}
