// SPDX-License-Identifier: Apache-2.0
#include "runner/test_json.h"

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

json_t *test_to_json(const struct selected_test *selected)
{
    const struct litmus_test *test = selected->test;
    const char *control = litmus_metadata(test, "Control");
    struct text placement = {0}, condition = {0};
    char hash[65];
    json_t *json = json_object();
    int failed = !json;
    placement_print(test, &placement);
    litmus_print_condition(test, &condition);
    litmus_hash(test, hash);
    failed |= json_object_set_new(json, "name", json_text(test->name));
    failed |= json_object_set_new(json, "dialect", json_text(litmus_dialect_name(test->dialect)));
    failed |= json_object_set_new(json, "file", json_text(selected->file));
    failed |= json_object_set_new(json, "threads", json_integer(test->thread_count));
    failed |= set_built(json, "placement", &placement);
    failed |= json_object_set_new(json, "control", control ? json_text(control) : json_null());
    failed |= json_object_set_new(json, "doc", json_text(test->doc));
    failed |= set_built(json, "condition", &condition);
    failed |= json_object_set_new(json, "metadata", metadata_to_json(test));
    failed |= json_object_set_new(json, "hash", json_text(hash));
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}
