// SPDX-License-Identifier: Apache-2.0
/* One outcome explained, as text and as JSON. */
#include "cli/explain/explained.h"

#include "base/field.h"
#include "base/terminal/table.h"
#include "cli/tests.h"
#include "litmus/dialects.h"

enum { PARAGRAPH_WIDTH = 78, PARAGRAPH_INDENT = 2 };

/* ---- paragraphs ---- */

static unsigned line_width(void)
{
    const unsigned terminal = terminal_width(stdout);
    return terminal > 0 && terminal < PARAGRAPH_WIDTH ? terminal : PARAGRAPH_WIDTH;
}

/* Each line of the text, which is made as text_add does, is a paragraph: wrapped, at an indent. */
static void __attribute__((format(printf, 1, 2))) print_paragraphs(const char *format, ...)
{
    const unsigned width = line_width();
    struct text lines = {0};
    LOCAL(text) all = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&all, format, arguments);
    va_end(arguments);
    for (const char *paragraphs = text_string(&all); *paragraphs;) {
        const size_t size = strcspn(paragraphs, "\n");
        LOCAL(text) line = {0};
        terminal_add(&line, "%*s", PARAGRAPH_INDENT, "");
        text_add_bytes(&line, paragraphs, size);
        if (size > 0)
            terminal_wrap_line(&lines, text_string(&line), line.size, width, PARAGRAPH_INDENT);
        text_add(&lines, "\n");
        paragraphs += size + (paragraphs[size] == '\n');
    }
    terminal_end_source(stdout, &lines);
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

/* What is said of a verdict, at length or in brief. flags: of an undefined test. */
static const char *say_verdict(enum verdict verdict, const char *flags, bool brief)
{
    static const char *const words[][2] = {
        [VERDICT_SC] = {"allowed, and sequentially consistent", "allowed"},
        [VERDICT_WEAK] = {"allowed (weak: no interleaving gives it)", "allowed"},
        [VERDICT_FORBIDDEN] = {"forbidden", "forbidden"},
        [VERDICT_UNDEFINED] = {"undefined: the test has no meaning", "undefined"},
        [VERDICT_UNSPECIFIED] = {"unspecified: the model says nothing about the test", "unjudged"},
        [VERDICT_NONE] = {"unjudged", "unjudged"}};
    if (verdict == VERDICT_UNDEFINED && is_race(flags))
        return brief ? "undefined (data race)" : "undefined: the test has a data race";
    return words[verdict][brief];
}

static void print_outcome(const struct explained *explained)
{
    const bool colours = terminal_has_colours(stdout);
    LOCAL(text) condition = {0};
    litmus_print_condition(explained->test, &condition);
    terminal_print(stdout, "%s%s%s (%s%s) under %s\n", terminal_style(colours, TERMINAL_STRONG), explained->test->name,
                   terminal_style(colours, TERMINAL_PLAIN), litmus_dialect_name(explained->test->dialect),
                   explained->emitted ? ", as the instructions that were emitted" : "", explained->model);
    print_paragraphs("%s", text_string(&condition));
    print_paragraphs("%s%s%s", explained->label, *explained->label ? "  " : "",
                     say_verdict(explained->verdict, explained->flags, false));
    if (explained->job.job > 0)
        terminal_print(stdout, "  seen %s of %s times on %s, driver %s (run %" PRId64 ", job %" PRId64 ")\n",
                       QUANTITY_COUNT(explained->job.count), QUANTITY_COUNT(explained->job.instances),
                       explained->job.device, explained->job.driver, explained->job.run, explained->job.job);
    if (explained->job.job > 0 && explained->verdict == VERDICT_FORBIDDEN)
        print_paragraphs("The model forbids this outcome, but the device showed it %s time%s: the device, its driver, "
                         "the compiled %s, or the model is wrong.\n",
                         QUANTITY_COUNT(explained->job.count), explained->job.count == 1 ? "" : "s",
                         explained->emitted ? "PTX" : "code");
    if (explained->end)
        print_paragraphs("%s\n", explained->end);
    if (explained->cut)
        terminal_print(stdout, "  The search was cut: %s.\n", explained->cut);
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
             {"lanes", "the lanes meet in between"},
             {"launch", "a launch has ended in between"},
             {"race", "nothing orders the two"}};

static void print_legend(const struct explained *explained)
{
    const struct execution_drawing *drawing = &explained->drawing;
    const bool race = explained->verdict == VERDICT_UNDEFINED || explained->verdict == VERDICT_UNSPECIFIED;
    LOCAL(text) text = {0};
    for (size_t i = 0; i < COUNT(marks); i++)
        if (ANY_OF(arrow, drawing->arrows, drawing->arrow_count, strcmp(arrow->label, marks[i].label) == 0))
            text_add(&text, "%s: %s; ", marks[i].label, marks[i].meaning);
    text_add(&text, "%s",
             ANY_OF(event, drawing->events, drawing->event_count, event->po_in_cycle) ? "po: program order; " : "");
    const bool heavy = explained->explanation->cycle_count > 1; /* of one event, nothing is drawn */
    if (text.size > 1 && !heavy)
        text.size -= 2; /* the comma */
    text_add(&text, "%s%s",
             !heavy ? ""
             : race ? "heavy line: the race (there is no cycle)"
                    : "heavy lines: the cycle",
             text.size > 0 || heavy ? "\n\n" : "");
    print_paragraphs("%s", text_string(&text));
}

static struct text write_story(const struct explained *explained)
{
    struct text text = {0};
    LOCAL(text) reordering = {0};
    words_print_story(explained->explanation, &explained->drawing, explained->model, &text);
    if (explained->weakness.alone)
        words_print_weakness(explained->explanation, &explained->drawing, explained->model, &explained->weakness,
                             &explained->repairs, &reordering);
    text_add(&text, "%s%s", reordering.size > 0 && text.size > 0 ? "\n" : "", text_string(&reordering));
    return text;
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
        print_legend(explained);
    else if (style.width < PARAGRAPH_WIDTH)
        print_paragraphs("The drawing does not fit into this terminal; a wider one may have room for it.\n\n");
    execution_list(&explained->drawing, explained->explanation, explained->emitted, &style, &text);
    terminal_end_source(stdout, &text);
}

/* ---- changes ---- */

static void print_instruction(const char *sign, const char *instruction)
{
    struct text lines = {0};
    LOCAL(text) line = {0};
    terminal_add(&line, "    %s%s", sign, instruction);
    terminal_wrap_line(&lines, text_string(&line), line.size, line_width(), 10);
    text_add(&lines, "\n");
    terminal_end_source(stdout, &lines);
}

/* alone: the repair that has only this change, to print the outcome's new verdict; else NULL. */
static void print_change(const struct repair_change *change, const struct repair *alone)
{
    const char *place = change->before ? "" : change->next ? "before an instruction of " : "after ";
    terminal_print(stdout, "  P%d %sline %u%s%s\n", change->thread, place, change->line, alone ? ": " : "",
                   alone ? say_verdict(alone->then, alone->flag, true) : "");
    if (change->before)
        print_instruction(change->after ? "- " : "remove ", change->before);
    if (change->after)
        print_instruction("+ ", change->after);
    if (change->next)
        print_instruction("  ", change->next);
}

/* The lines between launches, below their meaning. If the verdict was not `allowed`, with the new verdict. */
static void print_launch_repair(const struct explained *explained, const struct repair *repair)
{
    const bool with_verdict = explained->verdict != VERDICT_WEAK && explained->verdict != VERDICT_SC;
    print_paragraphs("%c%s%s%s", toupper((unsigned char)*repair->says), repair->says + 1,
                     explained->verdict == VERDICT_UNDEFINED ? ": the outcome is then "
                     : with_verdict                          ? ": "
                                                             : "",
                     with_verdict ? say_verdict(repair->then, repair->flag, true) : "");
    FOR_EACH(const struct repair_change, change, repair->changes, repair->count) {
        if (change->before)
            print_instruction("- ", change->before);
        if (change->after)
            print_instruction("+ ", change->after);
    }
}

/* The function of CUDA that is a seq_cst fence of a fence's scope; NULL: there is none, or it is no fence of CUDA. */
static const char *fence_function(const char *fence)
{
    static const struct {
        const char *scope, *function;
    } functions[] = {
        {"block)", "__threadfence_block"}, {"device)", "__threadfence"}, {"system)", "__threadfence_system"}};
    const char *const scope =
        fence && strncmp(fence, "cuda::atomic_thread_fence(", 26) == 0 ? strstr(fence, "thread_scope_") : NULL;
    return !scope ? NULL
                  : VALUE_OF(const char *, row, functions, COUNT(functions),
                             strcmp(row->scope, scope + strlen("thread_scope_")) == 0, row->function, NULL);
}

static void print_repairs(const struct explained *explained)
{
    const struct repairs *repairs = &explained->repairs;
    const bool alone = explained->verdict == VERDICT_FORBIDDEN;
    for (size_t i = 0; i < repairs->count; i++) {
        const struct repair *repair = &repairs->items[i];
        if (i > 0 && !alone)
            terminal_print(stdout, "  or%s\n",
                           repair->meets                                     ? ", with a barrier"
                           : repairs->items[0].accesses && !repair->accesses ? ", with fences alone"
                           : repair->accesses && !repairs->items[0].accesses ? ", with stronger accesses"
                                                                             : "");
        for (size_t k = 0; k < repair->count; k++)
            print_change(&repair->changes[k], alone ? repair : NULL);
        const char *const fence = fence_function(repair->changes[0].after);
        if (!alone && fence && !ANY_OF(change, repair->changes, repair->count, fence_function(change->after) != fence))
            terminal_print(stdout, "    (%s() is such a fence, or a stronger one.)\n", fence);
    }
    for (size_t i = 0; i < repairs->launch_count; i++) {
        if (repairs->count + i > 0 && !alone)
            terminal_print(stdout, "  or\n");
        print_launch_repair(explained, &repairs->launches[i]);
    }
}

static bool is_needed(const struct repairs *repairs)
{
    return !ANY_OF(repair, repairs->items, repairs->count, !repair->needed);
}

static void print_search(const struct explained *explained)
{
    const struct repairs *repairs = &explained->repairs;
    LOCAL(text) text = {0};
    text_add(&text, "Tried %s variant%s of the test", QUANTITY_COUNT(repairs->tried), repairs->tried == 1 ? "" : "s");
    if (repairs->cut)
        text_add(&text, "; the search was cut after %s%s", QUANTITY_SECONDS(explained->seconds),
                 repairs->count + repairs->launch_count == 0 ? ", so there may be a change that does"
                 : repairs->is_fewest                        ? ", so there may be a cheaper one"
                 : explained->verdict == VERDICT_FORBIDDEN   ? ", so there may be more of them"
                 : is_needed(repairs) ? ", so there may be a smaller one; of these none can be left out"
                                      : ", so there may be a smaller one");
    else if (repairs->changes > 0 && explained->verdict != VERDICT_FORBIDDEN && !repairs->is_fewest)
        text_add(&text, "%s",
                 is_needed(repairs) ? "; none of these changes can be left out, but others may do with fewer"
                                    : "; there may be a smaller change");
    text_add(&text, ".\n");
    if (repairs->count > 0 && explained->verdict == VERDICT_UNDEFINED)
        text_add(&text, "The outcome is then %s.\n", say_verdict(repairs->items[0].then, repairs->items[0].flag, true));
    terminal_print(stdout, "\n");
    print_paragraphs("%s", text_string(&text));
}

static const char *wanted_words(const struct explained *explained)
{
    return explained->verdict != VERDICT_UNDEFINED ? "forbids the outcome"
           : is_race(explained->flags)             ? "removes the data race"
                                                   : "gives the test a meaning";
}

/* What was tried in the threads, joined by "and" or "or"; NULL: nothing. */
static const char *tried_words(const struct explained *explained, bool found)
{
    const bool meets = barriers_can_meet(explained->test);
    if (explained->verdict == VERDICT_SC)
        return !meets ? NULL : found ? "barriers" : "barrier";
    if (found)
        return meets ? "orders, scopes, fences and barriers" : "orders, scopes and fences";
    return meets ? "stronger order, wider scope, new fence or barrier" : "stronger order, wider scope or new fence";
}

/* For the case that no change of a thread was found. */
static void add_nothing_found(const struct explained *explained, struct text *text)
{
    const bool launches = explained->repairs.launch_count > 0;
    const char *tried = tried_words(explained, false);
    if (tried)
        text_add(text, "No %s was found that %s.%s%s", tried, wanted_words(explained),
                 is_race(explained->flags)
                     ? " Making the accesses that race atomic would; that changes the types of locations, which is "
                       "not tried."
                     : "",
                 launches ? " " : "");
    if (launches)
        text_add(text, "The end of a kernel %s:\n", wanted_words(explained));
    else if (!tried)
        text_add(text, "No order of the launches was found that forbids the outcome.");
    text_add(text, "\n");
}

static void print_changes(const struct explained *explained)
{
    if (explained->verdict == VERDICT_FORBIDDEN) {
        const struct repairs *repairs = &explained->repairs;
        print_heading("What forbids it");
        if (repairs->count + repairs->launch_count > 0)
            print_paragraphs("Each change below, made alone, allows the outcome:\n\n");
        else
            print_paragraphs(
                "No single weaker order, narrower scope or missing fence was found that would allow it%s.\n",
                explained->test->edge_count > 0 ? ", nor two launches at the same time" : "");
    } else {
        const size_t changes = explained->repairs.count > 0 ? explained->repairs.items[0].count : 0;
        LOCAL(text) text = {0};
        if (changes == 0)
            add_nothing_found(explained, &text);
        else
            text_add(&text, "It %s (%s were tried%s). Change %s:\n\n", wanted_words(explained),
                     tried_words(explained, true), explained->test->edge_count > 0 ? ", and the launches' order" : "",
                     changes == 1   ? "this"
                     : changes == 2 ? "both"
                                    : "all of these");
        print_heading("The smallest change found");
        print_paragraphs("%s", text_string(&text));
    }
    print_repairs(explained);
    print_search(explained);
}

static void print_race(const struct explained *explained)
{
    LOCAL(text) text = {0};
    if (explained->race.kind == RACE_NONE)
        return;
    race_describe(&explained->race, &text);
    print_heading("In CUDA C++");
    print_paragraphs("%s\n\n%s\n", text_string(&text), race_rule);
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
    LOCAL(table) table = {0};
    print_heading("Nearest tests of the catalogue");
    print_paragraphs("Each is judged for its own outcome.\n\n");
    table_columns(&table, "its outcome|~name|~how it differs");
    for (size_t i = 0; i < explained->nearest_count; i++) {
        TABLE_ADD_TEXTS(&table, expected_outcome(explained, &explained->nearest[i]), explained->nearest[i].name,
                        explained->nearest[i].differs);
    }
    struct text text = {0};
    table_add_to(&table, &text, line_width(), terminal_has_colours(stdout), PARAGRAPH_INDENT);
    terminal_end_source(stdout, &text);
}

void explained_print(const struct explained *explained)
{
    print_outcome(explained);
    if (explained->explanation) {
        print_execution(explained);
        print_heading("Why");
        LOCAL(text) text = write_story(explained);
        print_paragraphs("%s", text_string(&text));
    } else if (explained->verdict == VERDICT_FORBIDDEN) {
        print_heading("Why");
        if (explained->empty)
            print_paragraphs("The test asks nothing: %s.\n", explained->empty);
        else
            print_paragraphs("No execution that the model looked at has this outcome.\n");
    }
    print_race(explained);
    if (explained->searched)
        print_changes(explained);
    if (explained->nearest_count > 0)
        print_nearest(explained);
}

/* ---- one outcome explained, as JSON ---- */

/* A drawn event is numbered by the index of its explained event: edges name events by it. */
/* Its letter, if the drawing has the event. */
static const char *letter_of(const struct explained *explained, unsigned event)
{
    const int drawn = drawing_find(&explained->drawing, explained->explanation, event);
    return drawn == LITMUS_NONE ? NULL : explained->drawing.events[drawn].letter;
}

#define EVENT_MEMBERS(X)                                                                                               \
    X("event", count, "the number of the event", number)                                                               \
    X("letter?", text, "the letter of the event in the drawing", letter_of(explained, (unsigned)number))               \
    X("instruction?", text, "the instruction, if a thread made the event", event->instruction)                         \
    X("does", text, "what the event did", event->what)                                                                 \
    X("thread?", count_if, "the number of the thread, if a thread made the event", event->thread != LITMUS_NONE,       \
      (uint64_t)event->thread)                                                                                         \
    X("line?", count_if, "the line of the instruction in the test", event->thread != LITMUS_NONE, event->place.line)
FIELD_RECORD(explained_event, EVENT_MEMBERS, const struct explained *explained, const struct explained_event *event,
             size_t number)
FIELD_LIST(explained_events, explained_event, (const struct explained *explained, const struct explained_event *events),
           explained->explanation->event_count, explained, &events[i], i)

/* An edge without a relation of its own is left out. */
#define EDGE_MEMBERS(X)                                                                                                \
    X("from", count, "the number of the event at which the edge begins", edge->inverted ? edge->to : edge->from)       \
    X("to", count, "the number of the event at which the edge ends", edge->inverted ? edge->from : edge->to)           \
    X("relation", text, "the relation between the two events", edge->relation)                                         \
    X("calls?", text, "the calls that the host makes between launches", edge->calls)
FIELD_RECORD(found_edge, EDGE_MEMBERS, const struct explained_edge *edge)
static const struct field_type field_edges_type = {.shape = FIELD_IS_ARRAY, .of = &field_found_edge_type};
static json_t *field_edges(const struct explained_edge *edges, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        field_append(array, edges[i].relation ? field_found_edge(&edges[i]) : NULL);
    return array;
}

static const struct field_type field_numbers_type = {.shape = FIELD_IS_ARRAY, .of = &field_count_type};

static json_t *pack_turns(const struct explanation *explanation)
{
    json_t *array = explanation->turns ? json_array() : NULL;
    for (size_t i = 0; array && i < explanation->turn_count; i++)
        json_append(array, json_integer(explanation->turns[i]));
    return array;
}

static json_t *pack_reordered(const struct explained *explained)
{
    json_t *array = explained->weakness.alone ? json_array() : NULL;
    for (size_t i = 0; array && i < explained->explanation->cycle_count; i++)
        if (explained->weakness.alone[i])
            json_append(array, json_count(i));
    return array;
}

/* ---- changes of the test ---- */

#define CHANGE_MEMBERS(X)                                                                                              \
    X("thread", count, "the number of the thread", (uint64_t)change->thread)                                           \
    X("line?", count_if, "the line in the text of the test; absent for a change between launches", change->line > 0,   \
      change->line)                                                                                                    \
    X("before", text_or_null,                                                                                          \
      "the text that `after` replaces; null if `after` is a new fence or barrier, on a new line after `line`",         \
      change->before)                                                                                                  \
    X("after", text_or_null, "the text that replaces `before`; null if `before` is left out", change->after)           \
    X("next?", text, "the instruction on the same line before which the new fence or barrier is placed", change->next)
FIELD_NAMED(change, CHANGE_MEMBERS, "a change of a test", const struct repair_change *change)
FIELD_LIST(changes, change, (const struct repair *repair), repair->count, &repair->changes[i])

#define SAID_MEMBERS(X)                                                                                                \
    X("says", text, "what was changed", repair->says)                                                                  \
    X("then", verdict_or_null, "the verdict on the outcome in the changed test", verdict_word(repair->then))           \
    X("changes", changes, "the change at each place", repair)
FIELD_NAMED(said_change, SAID_MEMBERS, "a change of a test with its effect", const struct repair *repair)
FIELD_LIST(said_changes, said_change, (const struct repair *list, size_t count), count, &list[i])

FIELD_LIST(sets_of_changes, changes, (const struct repairs *repairs), repairs->count, &repairs->items[i])

#define REPAIRS_MEMBERS(X)                                                                                             \
    X("changes", sets_of_changes, "sets of changes to orders, scopes and fences, to fences alone, or to barriers",     \
      repairs)                                                                                                         \
    X("launches", said_changes, "changes to the order of launches", repairs->launches, repairs->launch_count)          \
    X("fewest", boolean, "whether no smaller set of orders, scopes and fences exists", repairs->is_fewest)             \
    X("needed", boolean, "whether the model confirmed that each set needs all its changes",                            \
      repairs->count > 0 && is_needed(repairs))                                                                        \
    X("cut", boolean, "whether the search ran out of time", repairs->cut)                                              \
    X("unjudged", count, "the number of variants that the model could not judge", repairs->unjudged)                   \
    X("judged", count, "the number of variants that were tried", repairs->tried)
FIELD_NAMED(repairs, REPAIRS_MEMBERS, "the smallest changes that change an outcome's verdict",
            const struct repairs *repairs)

#define NEAREST_MEMBERS(X)                                                                                             \
    X("test", test, NULL, nearest->name)                                                                               \
    X("expect", text, "the metadata `Expect` of the test", nearest->expect)                                            \
    X("differs", text, "the word in which the names of the tests differ", nearest->differs)
FIELD_RECORD(nearest_test, NEAREST_MEMBERS, const struct nearest_test *nearest)
FIELD_LIST(nearest_tests, nearest_test, (const struct explained *explained), explained->nearest_count,
           &explained->nearest[i])

/* ---- the whole ---- */

#define JOB_MEMBERS(X)                                                                                                 \
    X("database", text, "the path of the database", job->database)                                                     \
    X("run", count, "the number of the run in this database", (uint64_t)job->run)                                      \
    X("job", count, "the number of the job in this database", (uint64_t)job->job)                                      \
    X("device", device, NULL, job->device)                                                                             \
    X("driver", driver, NULL, job->driver)                                                                             \
    X("count", count, "how often the outcome was seen", job->count)                                                    \
    X("instances", count, "the number of instances launched", job->instances)
FIELD_RECORD(stored_job, JOB_MEMBERS, const struct explained_job *job)

FIELD_WORDS(weak_by, [WEAK_UNKNOWN] = "unknown", [WEAK_SCOPES] = "scopes", [WEAK_ACCESSES] = "weak-accesses",
            [WEAK_BOTH] = "weak-accesses-and-scopes", [WEAK_REORDERED] = "reordered", [WEAK_TOGETHER] = "together",
            [WEAK_PROPAGATION] = "propagation", [WEAK_DESPITE] = "despite-fences")

#define OUTCOME_MEMBERS(X)                                                                                             \
    X("test", test, NULL, explained->test->name)                                                                       \
    X("dialect", dialect, NULL, litmus_dialect_name(explained->test->dialect))                                         \
    X("model", text, "the model that was asked", explained->model)                                                     \
    X("outcome", outcome, NULL, explained->label)                                                                      \
    X("verdict", verdict_or_null, NULL, verdict_word(explained->verdict))                                              \
    X("witness", witness, NULL, explained->witness)                                                                    \
    X("emitted", true_or_absent, "present if the emitted PTX was judged instead of the text", explained->emitted)      \
    X("cut?", text, "the bound that cut the search off", explained->cut)
#define field_axiom_says_type field_text_type
static json_t *field_axiom_says(const char *model, const char *axiom)
{
    LOCAL(text) sentence = {0};
    explanation_add_axiom(model, axiom, &sentence);
    return sentence.size > 0 ? json_text(text_string(&sentence)) : NULL;
}

#define STORED_MEMBER(X) X("job?", stored_job, "the stored job that `--job` names", &explained->job)
#define EXECUTION_MEMBERS(X)                                                                                           \
    X("axiom?", text, "the axiom that forbids the outcome", explanation->axiom)                                        \
    X("axiom_says?", axiom_says, "what the axiom says", explained->model, explanation->axiom)                          \
    X("events?", explained_events, "the events of the execution", explained, explanation->events)                      \
    X("edges?", edges, "the relations between events", explanation->edges, explanation->edge_count)                    \
    X("cycle?", edges, "the cycle because of which the outcome is forbidden or weak", explanation->cycle,              \
      explanation->cycle_count)                                                                                        \
    X("turns?", numbers, "an order of events, by number, that gives a sequentially consistent outcome",                \
      pack_turns(explanation))                                                                                         \
    X("reordered?", numbers, "the edges of `cycle`, from 0, that are program order and need not be kept",              \
      pack_reordered(explained))
#define WEAK_MEMBERS(X)                                                                                                \
    X("weak_by?", weak_by, "why the outcome is weak", explained->weakness.reason)                                      \
    X("weak_claims?", said_changes, "the changed tests that show why the outcome is weak", explained->weakness.claims, \
      explained->weakness.claim_count)
#define WORDS_MEMBER(X) X("words?", made_text, "the text of the explanation", write_story(explained))
#define HELD_MEMBER(X)                                                                                                 \
    X("held_by?", repairs, "the smallest changes that make a forbidden outcome allowed", &explained->repairs)
#define FORBIDDEN_MEMBER(X)                                                                                            \
    X("forbidden_by?", repairs, "the smallest changes that make an allowed outcome forbidden", &explained->repairs)
#define LAST_MEMBERS(X)                                                                                                \
    X("cuda_race?", cuda_race, NULL, &explained->race)                                                                 \
    X("nearest", nearest_tests, "the most similar tests", explained)

static json_t *field_numbers(json_t *array)
{
    return array;
}

static const struct field document_explain_fields[] = {
    OUTCOME_MEMBERS(FIELD_ROW) STORED_MEMBER(FIELD_ROW) EXECUTION_MEMBERS(FIELD_ROW) WEAK_MEMBERS(FIELD_ROW)
        WORDS_MEMBER(FIELD_ROW) HELD_MEMBER(FIELD_ROW) FORBIDDEN_MEMBER(FIELD_ROW) LAST_MEMBERS(FIELD_ROW){0}};
const struct field_type field_document_explain_type = {.shape = FIELD_IS_OBJECT, .fields = document_explain_fields};

static void set_execution(const struct explained *explained, const struct explanation *explanation, json_t *object)
{
    EXECUTION_MEMBERS(FIELD_SET)
    if (explained->weakness.alone) {
        WEAK_MEMBERS(FIELD_SET)
    }
    WORDS_MEMBER(FIELD_SET)
}

json_t *explained_to_json(const struct explained *explained)
{
    json_t *object = json_object();
    OUTCOME_MEMBERS(FIELD_SET)
    if (explained->job.job > 0) {
        STORED_MEMBER(FIELD_SET)
    }
    if (explained->explanation)
        set_execution(explained, explained->explanation, object);
    if (explained->searched && explained->verdict == VERDICT_FORBIDDEN) {
        HELD_MEMBER(FIELD_SET)
    } else if (explained->searched) {
        FORBIDDEN_MEMBER(FIELD_SET)
    }
    LAST_MEMBERS(FIELD_SET)
    return object;
}
