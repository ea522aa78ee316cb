// SPDX-License-Identifier: Apache-2.0
/* A litmus test as a JSON object, and the placement of its threads in a word. */
#include "cli/test_json.h"

#include "litmus/language/order.h"
#include "litmus/litmus.h"

/* ---- the placement of its threads, as test names write it ---- */

/* Two threads of the same instance of a level. Threads without a placement share the device, but
 * not a work-group. */
static bool same_device(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->host == b->host && a->device == b->device;
}

static bool same_cluster(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return same_device(a, b) && a->queue_family == b->queue_family && a->cluster == b->cluster;
}

static bool same_group(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return scope_includes(LITMUS_WORK_GROUP, a, b);
}

static bool same_sub_group(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return scope_includes(LITMUS_SUB_GROUP, a, b);
}

typedef bool sameness(const struct litmus_placement *a, const struct litmus_placement *b);

/* Is the body the first of those equal to it? */
static bool is_first(const struct litmus_test *test, size_t body, sameness *same)
{
    for (size_t i = 0; i < body; i++)
        if (same(&test->threads[i].placement, &test->threads[body].placement))
            return false;
    return true;
}

struct printer {
    const struct litmus_test *test;
    struct text *text;
    bool wide; /* some numbers have two digits, or are ranges */
};

static void print_threads(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    unsigned members = 0;
    size_t before = printer->text->size;
    for (size_t i = leader; i < test->body_count; i++)
        if (i == leader || same_sub_group(&test->threads[i].placement, &test->threads[leader].placement))
            members += test->threads[i].count;
    if (members > 1 && test->threads[leader].placement.sub_group != LITMUS_NONE) {
        text_add(printer->text, "w");
        before++;
    }
    for (size_t i = leader; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        if (i != leader && !same_sub_group(&thread->placement, &test->threads[leader].placement))
            continue;
        text_add(printer->text, "%s%u", printer->wide && printer->text->size > before ? "," : "", thread->first);
        if (thread->count > 1)
            text_add(printer->text, "..%u", thread->first + thread->count - 1);
    }
}

static void print_group(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    bool first = true;
    for (size_t i = leader; i < test->body_count; i++) {
        if (i != leader && !same_group(&test->threads[i].placement, &test->threads[leader].placement))
            continue;
        if (!is_first(test, i, same_sub_group))
            continue;
        text_add(printer->text, "%s", printer->wide && !first ? "," : "");
        print_threads(printer, i);
        first = false;
    }
}

static void print_cluster(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    const bool named = test->threads[leader].placement.cluster != LITMUS_NONE;
    bool first = true;
    text_add(printer->text, "%s", named ? "[" : "");
    for (size_t i = leader; i < test->body_count; i++) {
        if (!same_cluster(&test->threads[i].placement, &test->threads[leader].placement) ||
            !is_first(test, i, same_group))
            continue;
        text_add(printer->text, "%s", first ? "" : "-");
        print_group(printer, i);
        first = false;
    }
    text_add(printer->text, "%s", named ? "]" : "");
}

void placement_print(const struct litmus_test *test, struct text *text)
{
    struct printer printer = {.test = test, .text = text};
    const char *between = "";
    for (size_t i = 0; i < test->body_count; i++)
        printer.wide |= test->threads[i].count > 1 || test->threads[i].first > 9;
    for (size_t device = 0; device < test->body_count; device++) {
        if (!is_first(test, device, same_device))
            continue;
        for (size_t i = device; i < test->body_count; i++) {
            if (!same_device(&test->threads[i].placement, &test->threads[device].placement) ||
                !is_first(test, i, same_cluster))
                continue;
            text_add(text, "%s%s", between, test->threads[i].placement.host ? "h" : "");
            print_cluster(&printer, i);
            between = "-";
        }
        between = "|";
    }
}

/* ---- JSON ---- */

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

static json_t *race_accesses_to_json(const struct race *race)
{
    json_t *json = json_array();
    for (size_t i = 0; i < 2; i++) {
        const struct explained_event *access = race->accesses[i];
        (void)json_array_append_new(json, json_pack("{s:i, s:i, s:s, s:s*}", "thread", access->thread, "line",
                                                    (int)access->place.line, "access", access->what, "instruction",
                                                    access->instruction));
    }
    return json;
}

void race_set_json(json_t *object, const struct race *race)
{
    if (race->unjudged)
        (void)json_object_set_new(object, "cuda_race", json_pack("{s:s}", "unjudged", race->unjudged));
    if (race->unjudged || race->kind == RACE_NONE)
        return;
    json_t *outcomes = json_array();
    for (size_t i = 0; i < race->outcomes.outcome_count; i++) {
        struct text label = {0};
        if (!race_occurs_with(&race->outcomes.outcomes[i]))
            continue;
        litmus_print_outcome(race->test, race->outcomes.outcomes[i].values, &label);
        (void)json_array_append_new(outcomes, json_text(text_string(&label)));
        text_release(&label);
    }
    (void)json_object_set_new(object, "cuda_race",
                              json_pack("{s:s, s:s, s:s, s:o, s:o, s:b}", "kind", race_word(race->kind), "rule",
                                        race_rule, "location", race->accesses[0]->location, "accesses",
                                        race_accesses_to_json(race), "outcomes", outcomes, "witness",
                                        race->witness_count > 0));
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
