// SPDX-License-Identifier: Apache-2.0
/* One outcome explained, as JSON. */
#include "base/json.h"
#include "cli/explain/explained.h"
#include "cli/test_json.h"
#include "models/explain/repair.h"

/* A drawn event is numbered by the index of its explained event: edges name events by it. */
static json_t *pack_events(const struct explained *explained)
{
    const struct explanation *explanation = explained->explanation;
    json_t *array = json_array();
    for (unsigned i = 0; i < explanation->event_count; i++) {
        const struct explained_event *event = &explanation->events[i];
        const int drawn = drawing_find(&explained->drawing, explanation, i);
        json_t *object = json_pack("{s:i, s:s*, s:s*, s:s}", "event", (int)i, "letter",
                                   drawn == LITMUS_NONE ? NULL : explained->drawing.events[drawn].letter, "instruction",
                                   event->instruction, "does", event->what);
        if (event->thread != LITMUS_NONE) {
            (void)json_object_set_new(object, "thread", json_integer(event->thread));
            (void)json_object_set_new(object, "line", json_integer(event->place.line));
        }
        (void)json_array_append_new(array, object);
    }
    return array;
}

static json_t *pack_edges(const struct explained_edge *edges, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct explained_edge *edge = &edges[i];
        const unsigned from = edge->inverted ? edge->to : edge->from, to = edge->inverted ? edge->from : edge->to;
        if (edge->relation)
            (void)json_array_append_new(array, json_pack("{s:i, s:i, s:s, s:s*}", "from", (int)from, "to", (int)to,
                                                         "relation", edge->relation, "calls", edge->calls));
    }
    return array;
}

static json_t *pack_turns(const struct explanation *explanation)
{
    json_t *array = json_array();
    for (size_t i = 0; i < explanation->turn_count; i++)
        (void)json_array_append_new(array, json_integer(explanation->turns[i]));
    return array;
}

/* The indices in the cycle of the program orders that need not be kept. */
static json_t *pack_reorderings(const struct explained *explained)
{
    json_t *array = json_array();
    for (size_t i = 0; i < explained->explanation->cycle_count; i++)
        if (explained->weakness.alone[i])
            (void)json_array_append_new(array, json_integer((json_int_t)i));
    return array;
}

static json_t *pack_words(const struct explained *explained)
{
    struct text text = {0};
    words_print_story(explained->explanation, &explained->drawing, explained->model, &text);
    if (explained->weakness.alone)
        words_print_weakness(explained->explanation, &explained->drawing, explained->model, &explained->weakness,
                             &explained->repairs, &text);
    json_t *words = json_string(text_string(&text));
    text_release(&text);
    return words;
}

/* A new line between launches has no number. */
static json_t *pack_repair(const struct repair *repair)
{
    json_t *array = json_array();
    for (size_t i = 0; i < repair->count; i++) {
        const struct repair_change *change = &repair->changes[i];
        json_t *object = json_pack("{s:i, s:i, s:s?, s:s?}", "thread", change->thread, "line", (int)change->line,
                                   "before", change->before, "after", change->after);
        if (change->line == 0)
            (void)json_object_del(object, "line");
        (void)json_array_append_new(array, object);
    }
    return array;
}

/* A change with its meaning. */
static json_t *pack_said(const struct repair *repair)
{
    return json_pack("{s:s, s:s?, s:o}", "says", repair->says, "then", verdict_word(repair->then), "changes",
                     pack_repair(repair));
}

static json_t *pack_launches(const struct repairs *repairs)
{
    json_t *array = json_array();
    for (size_t i = 0; i < repairs->launch_count; i++)
        (void)json_array_append_new(array, pack_said(&repairs->launches[i]));
    return array;
}

static json_t *pack_repairs(const struct explained *explained)
{
    const struct repairs *repairs = &explained->repairs;
    json_t *array = json_array();
    bool needed = repairs->count > 0;
    for (size_t i = 0; i < repairs->count; i++) {
        (void)json_array_append_new(array, pack_repair(&repairs->items[i]));
        needed &= repairs->items[i].needed;
    }
    return json_pack("{s:o, s:o, s:b, s:b, s:b, s:I, s:I}", "changes", array, "launches", pack_launches(repairs),
                     "fewest", repairs->is_fewest, "needed", needed, "cut", repairs->cut, "unjudged",
                     (json_int_t)repairs->unjudged, "judged", (json_int_t)repairs->tried);
}

static json_t *pack_nearest(const struct explained *explained)
{
    json_t *array = json_array();
    for (size_t i = 0; i < explained->nearest_count; i++) {
        const struct nearest_test *nearest = &explained->nearest[i];
        (void)json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "test", nearest->name, "expect",
                                                     nearest->expect, "differs", nearest->differs));
    }
    return array;
}

static json_t *pack_job(const struct explained_job *job)
{
    return json_pack("{s:s, s:I, s:I, s:s, s:s, s:I, s:I}", "database", job->database, "run", (json_int_t)job->run,
                     "job", (json_int_t)job->job, "device", job->device, "driver", job->driver, "count",
                     (json_int_t)job->count, "instances", (json_int_t)job->instances);
}

static const char *const reasons[] = {[WEAK_UNKNOWN] = "unknown",         [WEAK_SCOPES] = "scopes",
                                      [WEAK_ACCESSES] = "weak-accesses",  [WEAK_BOTH] = "weak-accesses-and-scopes",
                                      [WEAK_REORDERED] = "reordered",     [WEAK_TOGETHER] = "together",
                                      [WEAK_PROPAGATION] = "propagation", [WEAK_DESPITE] = "despite-fences"};

/* The changed tests that the reason rests on. */
static json_t *pack_claims(const struct weakness *weakness)
{
    json_t *array = json_array();
    for (size_t i = 0; i < weakness->claim_count; i++)
        (void)json_array_append_new(array, pack_said(&weakness->claims[i]));
    return array;
}

static void add_explanation(const struct explained *explained, json_t *object)
{
    const struct explanation *explanation = explained->explanation;
    const char *sentence = explanation_axiom_sentence(explained->model, explanation->axiom);
    if (explanation->axiom)
        (void)json_object_set_new(object, "axiom", json_string(explanation->axiom));
    if (sentence)
        (void)json_object_set_new(object, "axiom_says", json_string(sentence));
    (void)json_object_set_new(object, "events", pack_events(explained));
    (void)json_object_set_new(object, "edges", pack_edges(explanation->edges, explanation->edge_count));
    (void)json_object_set_new(object, "cycle", pack_edges(explanation->cycle, explanation->cycle_count));
    if (explanation->turns)
        (void)json_object_set_new(object, "turns", pack_turns(explanation));
    if (explained->weakness.alone) {
        (void)json_object_set_new(object, "reordered", pack_reorderings(explained));
        (void)json_object_set_new(object, "weak_by", json_string(reasons[explained->weakness.reason]));
        (void)json_object_set_new(object, "weak_claims", pack_claims(&explained->weakness));
    }
    (void)json_object_set_new(object, "words", pack_words(explained));
}

json_t *explained_to_json(const struct explained *explained)
{
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s?, s:b}", "test", explained->test->name, "dialect",
                  litmus_dialect_name(explained->test->dialect), "model", explained->model, "outcome", explained->label,
                  "verdict", verdict_word(explained->verdict), "witness", explained->witness);
    if (explained->emitted)
        (void)json_object_set_new(object, "emitted", json_true());
    if (explained->cut)
        (void)json_object_set_new(object, "cut", json_string(explained->cut));
    if (explained->job.job > 0)
        (void)json_object_set_new(object, "job", pack_job(&explained->job));
    if (explained->explanation)
        add_explanation(explained, object);
    if (explained->searched)
        (void)json_object_set_new(object, explained->verdict == VERDICT_FORBIDDEN ? "held_by" : "forbidden_by",
                                  pack_repairs(explained));
    race_set_json(object, &explained->race);
    (void)json_object_set_new(object, "nearest", pack_nearest(explained));
    return object;
}
