// SPDX-License-Identifier: Apache-2.0
/* Explanations in sentences. */
#include "models/explain/repair.h"

#include <fnmatch.h>

#include "litmus/dialects.h"
#include "litmus/language/order.h"

/* ---- what the axioms and flags of the built-in models say ---- */

extern const char axioms_text[]; /* models/explain/axioms.txt */

void explanation_add_axiom(const char *model, const char *axiom, struct text *text)
{
    for (const char *line = axioms_text; axiom && *line; line += strcspn(line, "\n") + 1) {
        char models[32], name[64];
        int size = 0;
        if (sscanf(line, "%31s %63[^:\n]: %n", models, name, &size) == 2 && size > 0 && strcmp(name, axiom) == 0 &&
            fnmatch(models, model, 0) == 0) {
            text_add_bytes(text, line + size, strcspn(line + size, "\n"));
            return;
        }
    }
}

enum { CYCLE_THREADS = 16 };

struct explanation_words {
    const struct explanation *explanation;
    const struct execution_drawing *drawing;
    const char *model;
    struct text *text;
};

static const struct explained_event *event_of(const struct explanation_words *words, unsigned number)
{
    return &words->explanation->events[number];
}

/* Its letter, or a description of an initial write. */
static const char *letter_of(const struct explanation_words *words, unsigned number)
{
    const int index = drawing_find(words->drawing, words->explanation, number);
    return index == LITMUS_NONE ? "the initial value" : words->drawing->events[index].letter;
}

/* ---- along the cycle ---- */

/* The sentence for the order from one event to the next. %1: the first event, %2: the second, %t: the first one's
 * thread, %x: the location, %c: the calls of the host. */
static const struct {
    const char *relation, *sentence;
} steps[] = {
    {"po", "%1 comes before %2 in %t"},
    {"rf", "%2 reads what %1 wrote, so %1 came first"},
    {"co", "%2 overwrites the value of %1, so %1 came first"},
    {"mo", "%2 overwrites the value of %1, so %1 came first"},
    {"fr", "%1 does not see the write %2 of %x, so it read before %2 wrote"},
    {"synchronises", "%2 acquires what %1 released, so all that precedes %1 happens before all that follows %2"},
    {"atomics-on", "%2 acquires what %1 released, so all that precedes %1 happens before all that follows %2"},
    {"sync_fence", "the sc fence %1 takes effect before the sc fence %2"},
    {"syncbar", "%1 and %2 meet at one barrier, so all that precedes %1 happens before all that follows %2"},
    {"barrier", "a barrier is between %1 and %2"},
    {"lanes", "their lanes meet between %1 and %2"},
    {"completes", "%2 comes only after the copy that %1 belongs to is done"},
    {"launch-order", "%c, so %1 comes before %2"},
    {"rmw", "%1 and %2 are the two halves of one read-modify-write"},
    {"whole", "%1 and %2 are one access of 128 bits, which nothing divides"},
    {"observation", "%2 reads what %1 wrote, or the result of read-modify-writes on it"},
    {"addr", "the address of %2 depends on what %1 reads"},
    {"data", "the value that %2 writes depends on what %1 reads"},
    {"ctrl", "whether %2 happens depends on what %1 reads"},
};

static void add_filled(const struct explanation_words *words, const char *sentence, const char *calls, unsigned first,
                       unsigned second)
{
    for (const char *at = sentence; *at; at++) {
        if (*at != '%') {
            text_add_bytes(words->text, at, 1);
            continue;
        }
        at++;
        if (*at == 't')
            text_add(words->text, "P%d", event_of(words, first)->thread);
        else if (*at == 'x')
            text_add(words->text, "%s", event_of(words, second)->location);
        else if (*at == 'c')
            text_add(words->text, "%s", calls ? calls : "the host orders the launches");
        else
            text_add(words->text, "%s", letter_of(words, *at == '1' ? first : second));
    }
}

/* An acquire that reads from a release: it forbids more than the order of these two. */
static bool synchronises(const struct explanation_words *words, unsigned first, unsigned second)
{
    const enum litmus_order from = event_of(words, first)->order, to = event_of(words, second)->order;
    return words->explanation->verdict == VERDICT_FORBIDDEN && order_releases(from) && order_acquires(to);
}

static void add_steps(const struct explanation_words *words)
{
    const struct explanation *explanation = words->explanation;
    size_t said = 0;
    FOR_EACH(const struct explained_edge, edge, explanation->cycle, explanation->cycle_count) {
        if (!edge->relation)
            continue;
        text_add(words->text, "%s", said++ > 0 ? "; " : "");
        const unsigned first = edge->inverted ? edge->to : edge->from, second = edge->inverted ? edge->from : edge->to;
        if (letter_of(words, first) == letter_of(words, second)) {
            text_add(words->text, "%s is one read-modify-write, which nothing divides", letter_of(words, first));
            continue;
        }
        const char *relation = explanation_is_program_order(words->explanation, edge) ? "po" : edge->relation;
        if (strcmp(relation, "rf") == 0 && synchronises(words, first, second))
            relation = "synchronises";
        const char *sentence = VALUE_OF(const char *, step, steps, COUNT(steps), strcmp(step->relation, relation) == 0,
                                        step->sentence, NULL);
        if (sentence)
            add_filled(words, sentence, edge->calls, first, second);
        else
            text_add(words->text, "%s leads to %s by %s", letter_of(words, first), letter_of(words, second),
                     edge->relation);
    }
    text_add(words->text, "%s", said > 0 ? "." : "");
}

/* ---- the verdicts ---- */

static void describe_forbidden(const struct explanation_words *words)
{
    const struct explanation *explanation = words->explanation;
    LOCAL(text) sentence = {0};
    explanation_add_axiom(words->model, explanation->axiom, &sentence);
    text_add(words->text, "%s forbids it by its axiom %s%s%s\n", words->model, explanation->axiom,
             sentence.size > 0 ? ": " : ".", text_string(&sentence));
    if (explanation->cycle_count == 0)
        return;
    text_add(words->text, "\nHere ");
    add_steps(words);
    if (explanation->closed)
        text_add(words->text, " So %s would have to come before itself.", letter_of(words, explanation->cycle[0].from));
    text_add(words->text, "\n");
}

static void describe_weak(const struct explanation_words *words)
{
    const struct explanation *explanation = words->explanation;
    text_add(words->text, "No interleaving of the threads gives this outcome: ");
    if (explanation->cycle_count == 0)
        text_add(words->text, "all of them were tried.");
    else
        add_steps(words);
    if (explanation->closed)
        text_add(words->text, " So %s would have to come before itself. %s allows it anyway.",
                 letter_of(words, explanation->cycle[0].from), words->model);
    text_add(words->text, "\n");
}

static void describe_turns(const struct explanation_words *words)
{
    const struct explanation *explanation = words->explanation;
    text_add(words->text,
             "Nothing is reordered. Executing the instructions one after the other, in this order, gives the outcome:");
    for (size_t i = 0; i < explanation->turn_count; i++) {
        const int half = event_of(words, explanation->turns[i])->other_half;
        const bool again = half != LITMUS_NONE && (unsigned)half < explanation->turns[i];
        text_add(words->text, "%s%s", again ? "" : " ", again ? "" : letter_of(words, explanation->turns[i]));
    }
    text_add(words->text, ". Only an order between the threads could prevent that.\n");
}

static void describe_undefined(const struct explanation_words *words)
{
    const struct explanation *explanation = words->explanation;
    text_add(words->text, "%s says of this test: %s. ", words->model, explanation->axiom ? explanation->axiom : "?");
    explanation_add_axiom(words->model, explanation->axiom, words->text);
    text_add(words->text, "\n");
    if (explanation->cycle_count == 2)
        text_add(words->text, "\nHere the two accesses are %s and %s.\n", letter_of(words, explanation->cycle[0].from),
                 letter_of(words, explanation->cycle[1].from));
    else if (explanation->cycle_count == 1)
        text_add(words->text, "\nHere that is %s.\n", letter_of(words, explanation->cycle[0].from));
}

void words_print_story(const struct explanation *explanation, const struct execution_drawing *drawing,
                       const char *model, struct text *text)
{
    const struct explanation_words words = {explanation, drawing, model, text};
    switch (explanation->verdict) {
    case VERDICT_FORBIDDEN:
        describe_forbidden(&words);
        break;
    case VERDICT_WEAK:
        describe_weak(&words);
        break;
    case VERDICT_SC:
        describe_turns(&words);
        break;
    default:
        describe_undefined(&words);
    }
}

/* ---- reorderings ---- */

static const char *noun_of(const struct explained_event *event)
{
    return event->other_half != LITMUS_NONE ? "update" : event->kind == EXPLAINED_WRITE ? "write" : "read";
}

static void describe_reorderings(const struct explanation_words *words, const struct weakness *weakness)
{
    const struct explanation *explanation = words->explanation;
    size_t said = 0, orders = 0;
    text_add(words->text, "What can cause it: ");
    for (size_t i = 0; i < explanation->cycle_count; i++) {
        orders += explanation_is_program_order(explanation, &explanation->cycle[i]);
        if (!weakness->alone[i])
            continue;
        text_add(words->text, "%s", said++ == 0 ? "" : "; or ");
        const struct explained_event *first = event_of(words, explanation->cycle[i].from),
                                     *second = event_of(words, explanation->cycle[i].to);
        const bool writes = first->kind == EXPLAINED_WRITE, both = writes && second->kind == EXPLAINED_WRITE;
        text_add(words->text, both ? "the others may see P%d's" : "P%d may do the", first->thread);
        text_add(words->text, " %s %s of %s before its %s %s of %s%s", noun_of(second),
                 letter_of(words, explanation->cycle[i].to), second->location, noun_of(first),
                 letter_of(words, explanation->cycle[i].from), first->location,
                 writes && !both ? " is seen by the others" : "");
        text_add(words->text, "%s", weakness->across[i] ? ", even across the branch" : "");
    }
    text_add(words->text, ".%s\n",
             said > 2                                ? " Any one of these is enough."
             : said > 1                              ? " Either is enough."
             : orders > said && weakness->alone_only ? " No other reordering in the cycle is enough alone."
                                                     : "");
}

/* "P0", "P0 and P1", "P0, P1 and P2": the threads whose program order is part of the cycle. Returns their number. */
static size_t words_add_threads(const struct explanation_words *words, const char *each, struct text *text)
{
    const struct explanation *explanation = words->explanation;
    int threads[CYCLE_THREADS];
    size_t count = 0;
    for (size_t i = 0; i < explanation->cycle_count && count < CYCLE_THREADS; i++)
        if (explanation_is_program_order(explanation, &explanation->cycle[i]))
            threads[count++] = event_of(words, explanation->cycle[i].from)->thread;
    for (size_t i = 0; i < count; i++)
        text_add(text, "%s%sP%d", i == 0 ? "" : i + 1 < count ? ", " : " and ", each, threads[i]);
    return count;
}

static bool words_has_order(const struct explanation_words *words, enum litmus_order order)
{
    return ANY_OF(event, words->explanation->events, words->explanation->event_count, event->order == order);
}

/* The threads that the narrow scope covers. */
static const char *scope_group(const struct weakness *weakness)
{
    static const char *const groups[LITMUS_SCOPE_COUNT] = {[LITMUS_WORK_ITEM] = "thread",
                                                           [LITMUS_SUB_GROUP] = "sub-group",
                                                           [LITMUS_CLUSTER] = "cluster",
                                                           [LITMUS_QUEUE_FAMILY] = "queue family"};
    if (weakness->narrow == LITMUS_WORK_GROUP)
        return dialects[weakness->dialect].group_word;
    return groups[weakness->narrow] ? groups[weakness->narrow] : "device";
}

/* Scopes are named as the test's dialect does. */
static void describe_scopes(const struct explanation_words *words, const struct weakness *weakness)
{
    const bool published = words_has_order(words, LITMUS_RELEASE) && words_has_order(words, LITMUS_ACQUIRE);
    const char *dot = weakness->dialect == LITMUS_PTX ? "." : "";
    text_add(words->text, "%s strong enough",
             published ? "Release and acquire are" : "The orders of the instructions are");
    /* ", but .cta covers one block and P0 and P1 are in different blocks", as far as that is so. */
    const char *group = scope_group(weakness), *scope = litmus_scope_name(weakness->dialect, weakness->narrow);
    LOCAL(text) threads = {0};
    const size_t count = words_add_threads(words, "", &threads);
    if (weakness->narrow == LITMUS_SCOPE_NONE)
        text_add(words->text, ", but several scopes are too narrow. ");
    else if (!weakness->apart)
        text_add(words->text, ", but %s%s is too narrow. ", dot, scope);
    else
        text_add(words->text, ", but %s%s covers one %s and %s are %s %s%s. ", dot, scope, group, text_string(&threads),
                 count == 2 ? "in different" : "not all in one", group, count == 2 ? "s" : "");
    text_add(words->text, "With %s%s instead, the outcome is forbidden.\n", dot,
             litmus_scope_name(weakness->dialect, weakness->wide));
}

static void describe_propagation(const struct explanation_words *words)
{
    LOCAL(text) threads = {0};
    const struct explanation *explanation = words->explanation;
    bool readers = true;
    FOR_EACH(const struct explained_edge, edge, explanation->cycle, explanation->cycle_count)
        readers &=
            !explanation_is_program_order(explanation, edge) ||
            (event_of(words, edge->from)->kind == EXPLAINED_READ && event_of(words, edge->to)->kind == EXPLAINED_READ);
    const size_t count = words_add_threads(words, "of ", &threads);
    text_add(words->text,
             "Reordering within a thread is not needed: the outcome stays allowed even with an acq_rel fence between "
             "the %s %s. %s may see the %swrites in different orders unless sc fences order them.\n",
             readers ? "reads" : "instructions", text_string(&threads),
             readers && count == 2 ? "The two readers" : "Threads", readers && count == 2 ? "two " : "");
}

/* The event of an instruction that a change strengthens: of a read-modify-write the half that gets the order; or
 * LITMUS_NONE. */
static int changed_event(const struct explanation_words *words, const struct repair_change *change)
{
    int found = LITMUS_NONE;
    for (size_t i = 0; i < words->explanation->event_count; i++) {
        const struct explained_event *event = event_of(words, (unsigned)i);
        const bool gets = (event->kind == EXPLAINED_WRITE) != (change->order == LITMUS_ACQUIRE);
        if (event->thread == change->thread && event->place.line == change->line && (found == LITMUS_NONE || gets))
            found = (int)i;
    }
    return found;
}

/* "d is relaxed, so it does not release a", where a is what the cycle comes from: what an order would release, or
 * acquire. */
static void describe_missing(const struct explanation_words *words, const struct repair_change *change)
{
    const int event = change->before ? changed_event(words, change) : LITMUS_NONE;
    if (event == LITMUS_NONE) {
        text_add(words->text, "P%d has no %s after line %u", change->thread, change->after, change->line);
        return;
    }
    const struct explained_event *weak = event_of(words, (unsigned)event);
    const char *letter = letter_of(words, (unsigned)event);
    if (weak->order == change->order) {
        text_add(words->text, "the scope of %s is too narrow", letter);
        return;
    }
    text_add(words->text, "%s is %s", letter, weak->order == LITMUS_PLAIN ? "weak" : litmus_order_word(weak->order));
    FOR_EACH(const struct explained_edge, edge, words->explanation->cycle, words->explanation->cycle_count)
        if (edge->to == (unsigned)event || (int)edge->to == weak->other_half)
            text_add(words->text, ", so it does not %s %s", weak->kind == EXPLAINED_WRITE ? "release" : "acquire",
                     letter_of(words, edge->from));
}

static void describe_unknown(const struct explanation_words *words, const struct weakness *weakness,
                             const struct repairs *repairs)
{
    const struct repair *repair = repairs->count > 0 ? repairs->items : NULL;
    if (!repair)
        text_add(words->text, "%s",
                 weakness->cut ? "The time ran out before a cause was found; --time gives more."
                               : "No cause was found among scopes, weak accesses and reorderings within a thread.");
    for (size_t i = 0; repair && i < repair->count; i++) {
        text_add(words->text, "%s", i == 0 ? "What can cause it: " : "; and ");
        describe_missing(words, &repair->changes[i]);
    }
    text_add(words->text, "%s\n", repair ? "." : "");
}

void words_print_weakness(const struct explanation *explanation, const struct execution_drawing *drawing,
                          const char *model, const struct weakness *weakness, const struct repairs *repairs,
                          struct text *text)
{
    const struct explanation_words words = {explanation, drawing, model, text};
    switch (weakness->reason) {
    case WEAK_SCOPES:
        describe_scopes(&words, weakness);
        break;
    case WEAK_ACCESSES:
        text_add(text, "The weak accesses cause it: with relaxed accesses in their place, the outcome is forbidden.\n");
        break;
    case WEAK_BOTH:
        text_add(text, "Weak accesses and narrow scopes cause it together: with relaxed accesses instead of the weak "
                       "ones, and wider scopes, the outcome is forbidden.\n");
        break;
    case WEAK_TOGETHER:
        text_add(text,
                 "No single reordering causes it: if only one program order of the cycle is not kept, whichever it "
                 "is, the outcome is forbidden.\n");
        break;
    case WEAK_DESPITE:
        text_add(
            text,
            "Fences%s do not prevent it: the outcome stays allowed even with %s fences between all instructions.\n",
            weakness->other_proxies ? " of the generic proxy" : "",
            weakness->dialect == LITMUS_VULKAN ? "acq_rel" : "sc");
        break;
    case WEAK_PROPAGATION:
        describe_propagation(&words);
        break;
    case WEAK_REORDERED:
        describe_reorderings(&words, weakness);
        break;
    default:
        describe_unknown(&words, weakness, repairs);
    }
}
