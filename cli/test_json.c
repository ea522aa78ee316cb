// SPDX-License-Identifier: Apache-2.0
#include "cli/test_json.h"

#include "catalogue/related.h"

/* Sets a member to the text, which is released. */
static int set_built(json_t *json, const char *member, struct text *text)
{
    const int failed = text->failed || json_object_set_new(json, member, json_text(text_string(text))) != 0;
    text_release(text);
    return failed;
}

static json_t *metadata_to_json(const struct litmus_test *test)
{
    json_t *json = json_object();
    for (size_t i = 0; json && i < test->metadata_count; i++) {
        /* The parser's keys are words of ASCII. */
        if (json_object_set_new(json, test->metadata[i].key, json_text(test->metadata[i].value)) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

static json_t *names_to_json(const struct litmus_test *test, const char *key)
{
    char name[RELATED_NAME_SIZE];
    json_t *json = json_array();
    for (const char *rest = NULL; json && related_next(test, key, &rest, name);) {
        if (json_array_append_new(json, json_text(name)) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

static json_t *text_or_null(const char *text)
{
    return text ? json_text(text) : json_null();
}

json_t *test_to_json(const struct selected_test *selected)
{
    const struct litmus_test *test = selected->test;
    struct text placement = {0}, condition = {0}, family = {0};
    char hash[65];
    json_t *json = json_object();
    int failed = !json;
    placement_print(test, &placement);
    litmus_print_condition(test, &condition);
    litmus_hash(test, hash);
    failed |= json_object_set_new(json, "name", json_text(test->name));
    failed |= json_object_set_new(json, "dialect", json_text(litmus_dialect_name(test->dialect)));
    failed |= json_object_set_new(json, "file", json_text(selected->file));
    text_add(&family, "%.*s", (int)catalogue_family(selected->file), selected->file);
    failed |= set_built(json, "family", &family);
    failed |= json_object_set_new(json, "template", text_or_null(selected->template));
    failed |= json_object_set_new(json, "threads", json_integer(test->thread_count));
    failed |= set_built(json, "placement", &placement);
    failed |= json_object_set_new(json, "expect", text_or_null(litmus_metadata(test, "Expect")));
    failed |= json_object_set_new(json, "control", text_or_null(litmus_metadata(test, related_controls)));
    failed |= json_object_set_new(json, "controls", names_to_json(test, related_controls));
    failed |= json_object_set_new(json, "mutants", names_to_json(test, related_mutants));
    failed |= json_object_set_new(json, "doc", json_text(test->doc));
    failed |= set_built(json, "condition", &condition);
    failed |= json_object_set_new(json, "metadata", metadata_to_json(test));
    failed |= json_object_set_new(json, "hash", json_text(hash));
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}
