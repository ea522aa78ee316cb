// SPDX-License-Identifier: Apache-2.0
/* One outcome explained, as text and as JSON. */
#include "cli/explain/explained.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/quantity.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "cli/tests.h"
#include "litmus/dialects.h"
#include "models/explain/repair.h"

enum { PARAGRAPH_WIDTH = 78, PARAGRAPH_INDENT = 2 };

/* ---- paragraphs ---- */

static unsigned line_width(void)
{
    const unsigned terminal = terminal_width(stdout);
    return terminal > 0 && terminal < PARAGRAPH_WIDTH ? terminal : PARAGRAPH_WIDTH;
}

/* Each line of the text is a paragraph: wrapped, at an indent. */
static void print_paragraphs(const char *paragraphs)
{
    const unsigned width = line_width();
    struct text lines = {0};
    while (*paragraphs) {
        const size_t size = strcspn(paragraphs, "\n");
        struct text line = {0};
        terminal_add(&line, "%*s", PARAGRAPH_INDENT, "");
        text_add_bytes(&line, paragraphs, size);
        if (size > 0)
            terminal_wrap_line(&lines, text_string(&line), line.size, width, PARAGRAPH_INDENT);
        text_add(&lines, "\n");
        text_release(&line);
        paragraphs += size + (paragraphs[size] == '\n');
    }
    terminal_write_source(stdout, text_string(&lines));
    text_release(&lines);
}

static void print_heading(const char *heading)
{
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "\n%s%s%s\n\n", terminal_style(colours, TERMINAL_STRONG), heading,
                   terminal_style(colours, TERMINAL_PLAIN));
}

/* ---- the outcome ---- */

static bool is_race(const char *flags)
{
    return flags && (strstr(flags, "data-race") || strstr(flags, "ordinary-race") || strstr(flags, "scope-race"));
}

/* flags: of an undefined test. */
static const char *verdict_sentence(enum verdict verdict, const char *flags)
{
    switch (verdict) {
    case VERDICT_SC:
        return "allowed, and sequentially consistent";
    case VERDICT_WEAK:
        return "allowed (weak: no interleaving gives it)";
    case VERDICT_FORBIDDEN:
        return "forbidden";
    case VERDICT_UNDEFINED:
        return is_race(flags) ? "undefined: the test has a data race" : "undefined: the test has no meaning";
    case VERDICT_UNSPECIFIED:
        return "unspecified: the model says nothing about the test";
    default:
        return "unjudged";
    }
}

/* The model and the device cannot both be right. */
static void print_contradiction(const struct explained *explained)
{
    struct text text = {0};
    text_add(
        &text,
        "The model forbids this outcome, but the device showed it %s time%s: the device, its driver, the compiled %s, "
        "or the model is wrong.\n",
        QUANTITY_COUNT(explained->job.count), explained->job.count == 1 ? "" : "s",
        explained->emitted ? "PTX" : "code");
    print_paragraphs(text_string(&text));
    text_release(&text);
}

static void print_outcome(const struct explained *explained)
{
    const bool colours = terminal_has_colours(stdout);
    struct text condition = {0};
    litmus_print_condition(explained->test, &condition);
    terminal_print(stdout, "%s%s%s (%s%s) under %s\n", terminal_style(colours, TERMINAL_STRONG), explained->test->name,
                   terminal_style(colours, TERMINAL_PLAIN), litmus_dialect_name(explained->test->dialect),
                   explained->emitted ? ", as the PTX that was emitted" : "", explained->model);
    print_paragraphs(text_string(&condition));
    text_clear(&condition);
    text_add(&condition, "%s%s%s", explained->label, *explained->label ? "  " : "",
             verdict_sentence(explained->verdict, explained->flags));
    print_paragraphs(text_string(&condition));
    if (explained->job.job > 0)
        terminal_print(stdout, "  seen %s of %s times on %s, driver %s (run %" PRId64 ", job %" PRId64 ")\n",
                       QUANTITY_COUNT(explained->job.count), QUANTITY_COUNT(explained->job.instances),
                       explained->job.device, explained->job.driver, explained->job.run, explained->job.job);
    if (explained->job.job > 0 && explained->verdict == VERDICT_FORBIDDEN)
        print_contradiction(explained);
    if (explained->end) {
        text_clear(&condition);
        text_add(&condition, "%s\n", explained->end);
        print_paragraphs(text_string(&condition));
    }
    if (explained->cut)
        terminal_print(stdout, "  The search was cut: %s.\n", explained->cut);
    text_release(&condition);
}

/* The legend of the marks that a drawing has. */
static const struct {
    const char *label, *meaning;
} marks[] = {{"rf", "read from"},
             {"fr", "read before that write"},
             {"whole", "one access of 128 bits"},
             {"co", "overwritten by"},
             {"sync", "release to acquire"},
             {"sc", "order of sc fences"},
             {"barrier", "a barrier in between"},
             {"launch", "the host waits in between"},
             {"race", "nothing orders the two"}};

static bool has_label(const struct execution_drawing *drawing, const char *label)
{
    bool has = false;
    for (size_t i = 0; i < drawing->arrow_count; i++)
        has |= strcmp(drawing->arrows[i].label, label) == 0;
    return has;
}

static bool has_program_order(const struct execution_drawing *drawing)
{
    bool has = false;
    for (size_t i = 0; i < drawing->event_count; i++)
        has |= drawing->events[i].po_in_cycle;
    return has;
}

static void explained_print_legend(const struct explained *explained)
{
    const struct execution_drawing *drawing = &explained->drawing;
    const bool race = explained->verdict == VERDICT_UNDEFINED || explained->verdict == VERDICT_UNSPECIFIED;
    struct text text = {0};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (has_label(drawing, marks[i].label))
            text_add(&text, "%s: %s; ", marks[i].label, marks[i].meaning);
    text_add(&text, "%s", has_program_order(drawing) ? "po: program order; " : "");
    const bool heavy = explained->explanation->cycle_count > 1; /* of one event, nothing is drawn */
    if (text.size > 1 && !heavy)
        text.size -= 2; /* the comma */
    text_add(&text, "%s%s",
             !heavy ? ""
             : race ? "heavy line: the race (there is no cycle)"
                    : "heavy lines: the cycle",
             text.size > 0 || heavy ? "\n\n" : "");
    print_paragraphs(text_string(&text));
    text_release(&text);
}

static void print_execution(const struct explained *explained)
{
    const struct execution_style style = {terminal_has_unicode(), terminal_has_colours(stdout), PARAGRAPH_INDENT,
                                          line_width()};
    struct text text = {0};
    print_heading("Execution");
    const bool drawn = execution_draw(&explained->drawing, &style, &text);
    text_add(&text, "%s", drawn ? "\n" : "");
    terminal_write_source(stdout, text_string(&text));
    text_clear(&text);
    if (drawn)
        explained_print_legend(explained);
    else if (style.width < PARAGRAPH_WIDTH)
        print_paragraphs("The drawing does not fit into this terminal; a wider one may have room for it.\n\n");
    execution_list(&explained->drawing, explained->explanation, explained->emitted, &style, &text);
    terminal_write_source(stdout, text_string(&text));
    text_release(&text);
}

static void print_reason(const struct explained *explained)
{
    struct text text = {0};
    print_heading("Why");
    words_print_story(explained->explanation, &explained->drawing, explained->model, &text);
    if (explained->weakness.alone) {
        const size_t before = text.size;
        struct text reordering = {0};
        words_print_weakness(explained->explanation, &explained->drawing, explained->model, &explained->weakness,
                             &explained->repairs, &reordering);
        text_add(&text, "%s%s", reordering.size > 0 && before > 0 ? "\n" : "", text_string(&reordering));
        text_release(&reordering);
    }
    print_paragraphs(text_string(&text));
    text_release(&text);
}

/* ---- changes ---- */

static const char *verdict_brief(enum verdict verdict, const char *flags)
{
    switch (verdict) {
    case VERDICT_FORBIDDEN:
        return "forbidden";
    case VERDICT_UNDEFINED:
        return is_race(flags) ? "undefined (data race)" : "undefined";
    case VERDICT_SC:
    case VERDICT_WEAK:
        return "allowed";
    default:
        return "unjudged";
    }
}

static void print_instruction(const char *sign, const char *instruction)
{
    struct text line = {0}, lines = {0};
    terminal_add(&line, "    %s%s", sign, instruction);
    terminal_wrap_line(&lines, text_string(&line), line.size, line_width(), 10);
    text_add(&lines, "\n");
    terminal_write_source(stdout, text_string(&lines));
    text_release(&line);
    text_release(&lines);
}

/* alone: the repair that has only this change, to print the outcome's new verdict; else NULL. */
static void print_change(const struct repair_change *change, const struct repair *alone)
{
    terminal_print(stdout, "  P%d %sline %u%s%s\n", change->thread, change->before ? "" : "after ", change->line,
                   alone ? ": " : "", alone ? verdict_brief(alone->then, alone->flag) : "");
    if (change->before)
        print_instruction(change->after ? "- " : "remove ", change->before);
    if (change->after)
        print_instruction("+ ", change->after);
}

/* The lines between launches, below their meaning. If the verdict was not `allowed`, with the new verdict. */
static void print_launch_repair(const struct explained *explained, const struct repair *repair)
{
    const bool with_verdict = explained->verdict != VERDICT_WEAK && explained->verdict != VERDICT_SC;
    struct text line = {0}, lines = {0};
    text_add(&line, "  %c%s%s%s", toupper((unsigned char)*repair->says), repair->says + 1,
             explained->verdict == VERDICT_UNDEFINED ? ": the outcome is then "
             : with_verdict                          ? ": "
                                                     : "",
             with_verdict ? verdict_brief(repair->then, repair->flag) : "");
    terminal_wrap_line(&lines, text_string(&line), line.size, line_width(), 4);
    text_add(&lines, "\n");
    terminal_write_source(stdout, text_string(&lines));
    for (size_t i = 0; i < repair->count; i++) {
        const struct repair_change *change = &repair->changes[i];
        if (change->before)
            print_instruction("- ", change->before);
        if (change->after)
            print_instruction("+ ", change->after);
    }
    text_release(&line);
    text_release(&lines);
}

static void print_repairs(const struct explained *explained)
{
    const struct repairs *repairs = &explained->repairs;
    const bool alone = explained->verdict == VERDICT_FORBIDDEN;
    for (size_t i = 0; i < repairs->count; i++) {
        if (i > 0 && !alone)
            terminal_print(stdout, "  or\n");
        for (size_t k = 0; k < repairs->items[i].count; k++)
            print_change(&repairs->items[i].changes[k], alone ? &repairs->items[i] : NULL);
    }
    for (size_t i = 0; i < repairs->launch_count; i++) {
        if (repairs->count + i > 0 && !alone)
            terminal_print(stdout, "  or\n");
        print_launch_repair(explained, &repairs->launches[i]);
    }
}

static bool is_needed(const struct repairs *repairs)
{
    bool needed = true;
    for (size_t i = 0; i < repairs->count; i++)
        needed &= repairs->items[i].needed;
    return needed;
}

static void print_search(const struct explained *explained)
{
    const struct repairs *repairs = &explained->repairs;
    struct text text = {0};
    text_add(&text, "Tried %s variant%s of the test", QUANTITY_COUNT(repairs->tried), repairs->tried == 1 ? "" : "s");
    if (repairs->cut)
        text_add(&text, "; the search was cut after %s%s", QUANTITY_SECONDS(explained->seconds),
                 repairs->count + repairs->launch_count == 0 ? ", so there may be a change that does"
                 : repairs->is_fewest                        ? ", so there may be a cheaper one"
                 : explained->verdict == VERDICT_FORBIDDEN   ? ", so there may be more of them"
                 : is_needed(repairs) ? ", so there may be a smaller one; of these none can be left out"
                                      : ", so there may be a smaller one");
    else if (repairs->count > 0 && explained->verdict != VERDICT_FORBIDDEN && !repairs->is_fewest)
        text_add(&text, "%s",
                 is_needed(repairs) ? "; none of these changes can be left out, but others may do with fewer"
                                    : "; there may be a smaller change");
    text_add(&text, ".\n");
    if (repairs->count > 0 && explained->verdict == VERDICT_UNDEFINED)
        text_add(&text, "The outcome is then %s.\n", verdict_brief(repairs->items[0].then, repairs->items[0].flag));
    terminal_print(stdout, "\n");
    print_paragraphs(text_string(&text));
    text_release(&text);
}

static const char *wanted_words(const struct explained *explained)
{
    return explained->verdict != VERDICT_UNDEFINED ? "forbids the outcome"
           : is_race(explained->flags)             ? "removes the data race"
                                                   : "gives the test a meaning";
}

/* For the case that no change of an instruction was found. */
static void add_nothing_found(const struct explained *explained, struct text *text)
{
    const bool launches = explained->repairs.launch_count > 0;
    if (explained->verdict != VERDICT_SC)
        text_add(text, "No stronger order, wider scope or new fence was found that does; barriers were not tried.%s%s",
                 is_race(explained->flags)
                     ? " Making the accesses that race atomic would; that changes the types of locations, which is "
                       "not tried."
                     : "",
                 launches ? " " : "");
    if (launches)
        text_add(text, "The end of a kernel %s:\n", wanted_words(explained));
    else if (explained->verdict == VERDICT_SC)
        text_add(text, "No order of the launches was found that forbids the outcome.");
    text_add(text, "\n");
}

static void print_strengthening(const struct explained *explained)
{
    const size_t changes = explained->repairs.changes;
    struct text text = {0};
    if (changes == 0)
        add_nothing_found(explained, &text);
    else
        text_add(&text, "It %s (orders, scopes and fences were tried%s). Change %s:\n\n", wanted_words(explained),
                 explained->test->edge_count > 0 ? ", and the launches' order" : "",
                 changes == 1   ? "this"
                 : changes == 2 ? "both"
                                : "all of these");
    print_heading("The smallest change found");
    print_paragraphs(text_string(&text));
    text_release(&text);
}

static void print_weakening(const struct explained *explained)
{
    const struct repairs *repairs = &explained->repairs;
    const bool launches = explained->test->edge_count > 0;
    print_heading("What forbids it");
    if (repairs->count + repairs->launch_count > 0)
        print_paragraphs("Each change below, made alone, allows the outcome:\n\n");
    else if (launches)
        print_paragraphs(
            "No single weaker order, narrower scope or missing fence was found that would allow it, nor two "
            "launches at the same time.\n");
    else
        print_paragraphs("No single weaker order, narrower scope or missing fence was found that would allow it.\n");
}

static void print_changes(const struct explained *explained)
{
    if (explained->verdict == VERDICT_FORBIDDEN)
        print_weakening(explained);
    else
        print_strengthening(explained);
    print_repairs(explained);
    print_search(explained);
}

static void print_race(const struct explained *explained)
{
    struct text text = {0};
    if (explained->race.kind == RACE_NONE)
        return;
    race_describe(&explained->race, &text);
    text_add(&text, "\n\n%s\n", race_rule);
    print_heading("In CUDA C++");
    print_paragraphs(text_string(&text));
    text_release(&text);
}

/* ---- the nearest tests ---- */

/* A test of the catalogue without a claim about its witness is undefined or, in PTX, unspecified. */
static const char *expected_outcome(const struct explained *explained, const struct nearest_test *nearest)
{
    const enum litmus_dialect dialect = explained->test->dialect;
    return *nearest->expect ? nearest->expect : dialects[dialect].is_nvidia ? "unspecified" : "undefined";
}

static void print_nearest(const struct explained *explained)
{
    struct table table = {0};
    print_heading("Nearest tests of the catalogue");
    print_paragraphs("Each is judged for its own outcome.\n\n");
    table_columns(&table, "its outcome|~name|~how it differs");
    for (size_t i = 0; i < explained->nearest_count; i++) {
        table_add(&table, "%s", expected_outcome(explained, &explained->nearest[i]));
        table_add(&table, "%s", explained->nearest[i].name);
        table_add(&table, "%s", explained->nearest[i].differs);
    }
    struct text text = {0};
    table_add_to(&table, &text, line_width(), terminal_has_colours(stdout), PARAGRAPH_INDENT);
    terminal_write_source(stdout, text_string(&text));
    text_release(&text);
    table_release(&table);
}

/* empty: as in struct judgement. */
static void print_no_execution(const char *empty)
{
    struct text text = {0};
    text_add(&text,
             empty ? "The test asks nothing: %s.\n" : "No execution that the model looked at has this outcome.\n",
             empty);
    print_paragraphs(text_string(&text));
    text_release(&text);
}

void explained_print(const struct explained *explained)
{
    print_outcome(explained);
    if (explained->explanation) {
        print_execution(explained);
        print_reason(explained);
    } else if (explained->verdict == VERDICT_FORBIDDEN) {
        print_heading("Why");
        print_no_execution(explained->empty);
    }
    print_race(explained);
    if (explained->searched)
        print_changes(explained);
    if (explained->nearest_count > 0)
        print_nearest(explained);
}

/* ---- one outcome explained, as JSON ---- */

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
