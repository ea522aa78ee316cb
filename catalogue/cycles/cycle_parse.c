// SPDX-License-Identifier: Apache-2.0
/* The words of cycles: read and printed by the same tables. */
#include "catalogue/cycles/cycle_parts.h"

#include <string.h>

#include "litmus/language/words.h"

enum { ANY = -1 };

/* A word is its name, then s or d and the letters of its directions, or e or i for a communication. */
static const struct edge_word {
    const char *name;
    enum cycle_relation relation;
    enum litmus_order fence;
    int first, last; /* directions, or ANY: a letter of the word */
} edge_words[] = {
    {"Rf", CYCLE_RF, LITMUS_PLAIN, CYCLE_WRITE, CYCLE_READ},
    {"Co", CYCLE_CO, LITMUS_PLAIN, CYCLE_WRITE, CYCLE_WRITE},
    {"Ws", CYCLE_CO, LITMUS_PLAIN, CYCLE_WRITE, CYCLE_WRITE},
    {"Fr", CYCLE_FR, LITMUS_PLAIN, CYCLE_READ, CYCLE_WRITE},
    {"Po", CYCLE_PO, LITMUS_PLAIN, ANY, ANY},
    {"FenceSc", CYCLE_FENCE, LITMUS_SEQ_CST, ANY, ANY},
    {"FenceAR", CYCLE_FENCE, LITMUS_ACQ_REL, ANY, ANY},
    {"FenceAcq", CYCLE_FENCE, LITMUS_ACQUIRE, ANY, ANY},
    {"FenceRel", CYCLE_FENCE, LITMUS_RELEASE, ANY, ANY},
    {"DpAddr", CYCLE_ADDRESS, LITMUS_PLAIN, CYCLE_READ, ANY},
    {"DpData", CYCLE_DATA, LITMUS_PLAIN, CYCLE_READ, ANY},
    {"DpCtrl", CYCLE_CONTROL, LITMUS_PLAIN, CYCLE_READ, ANY},
};

enum { EDGE_WORD_COUNT = sizeof edge_words / sizeof *edge_words };

static const char *const order_words[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = "Pln",   [LITMUS_VOLATILE] = "Vol", [LITMUS_RELAXED] = "Rlx", [LITMUS_ACQUIRE] = "Acq",
    [LITMUS_RELEASE] = "Rel", [LITMUS_ACQ_REL] = "AR",   [LITMUS_SEQ_CST] = "Sc",
};

/* The scopes of fences in PTX's words, with those that only Vulkan has. */
static const struct word scope_words[] = {
    {"sg", LITMUS_SUB_GROUP},
    {"cta", LITMUS_WORK_GROUP},
    {"cluster", LITMUS_CLUSTER},
    {"qf", LITMUS_QUEUE_FAMILY},
    {"gpu", LITMUS_DEVICE},
    {"sys", LITMUS_ALL_DEVICES},
    {NULL, 0},
};

/* A word of the text being read. */
struct word_span {
    const char *text;
    size_t size;
};

/* An edge before its neighbours are known. */
struct loose_edge {
    struct cycle_edge edge;
    enum cycle_direction first, last;
    struct word_span word;
};

struct cycle_reader {
    struct loose_edge edges[CYCLE_MAXIMUM_EDGES];
    size_t count;
    int orders[CYCLE_MAXIMUM_EDGES + 1]; /* written before edge i, or after the last; LITMUS_NONE */
    struct error *error;
};

static enum status refuse_word(struct cycle_reader *reader, const struct word_span *word, const char *expected)
{
    return error_set(reader->error, STATUS_SYNTAX, "word '%.*s' of the cycle: expected %s", (int)word->size, word->text,
                     expected);
}

static bool read_scope(const char *text, size_t size, enum litmus_scope *scope)
{
    const int found = word_value(scope_words, text, size);
    if (found != LITMUS_NONE)
        *scope = (enum litmus_scope)found;
    return found != LITMUS_NONE;
}

static bool read_direction(int fixed, const char **at, const char *end, enum cycle_direction *direction)
{
    if (fixed != ANY) {
        *direction = (enum cycle_direction)fixed;
        return true;
    }
    if (*at == end || (**at != 'R' && **at != 'W'))
        return false;
    *direction = *(*at)++ == 'R' ? CYCLE_READ : CYCLE_WRITE;
    return true;
}

/* Reads the text after the name of an edge; true if all of it is understood. */
static bool read_rest(const struct edge_word *row, const char *at, const char *end, struct loose_edge *edge)
{
    const bool communication = cycle_is_communication(row->relation);
    if (at == end || !strchr(communication ? "ei" : "sd", *at))
        return false;
    edge->edge.external = *at == 'e';
    edge->edge.same_location = communication || *at == 's';
    at++;
    if (!read_direction(row->first, &at, end, &edge->first) || !read_direction(row->last, &at, end, &edge->last))
        return false;
    if (row->relation == CYCLE_FENCE && at < end && *at == '.')
        return read_scope(at + 1, (size_t)(end - at - 1), &edge->edge.fence_scope);
    return at == end;
}

static bool read_edge(const struct word_span *word, struct loose_edge *edge)
{
    for (size_t i = 0; i < EDGE_WORD_COUNT; i++) {
        const struct edge_word *row = &edge_words[i];
        const size_t length = strlen(row->name);
        if (word->size <= length || memcmp(word->text, row->name, length) != 0)
            continue;
        *edge = (struct loose_edge){.edge = {.relation = row->relation, .fence = row->fence}, .word = *word};
        if (read_rest(row, word->text + length, word->text + word->size, edge))
            return true;
    }
    return false;
}

static enum status read_word(struct cycle_reader *reader, const struct word_span *word)
{
    for (int i = 0; i < LITMUS_ORDER_COUNT; i++) {
        if (strlen(order_words[i]) != word->size || memcmp(order_words[i], word->text, word->size) != 0)
            continue;
        if (reader->orders[reader->count] != LITMUS_NONE)
            return refuse_word(reader, word, "one annotation of an event, found a second one");
        reader->orders[reader->count] = i;
        return STATUS_OK;
    }
    if (reader->count == CYCLE_MAXIMUM_EDGES)
        return error_set(reader->error, STATUS_LIMIT, "the cycle: expected at most %d edges, found more",
                         CYCLE_MAXIMUM_EDGES);
    if (!read_edge(word, &reader->edges[reader->count]))
        return refuse_word(
            reader, word,
            "an edge such as Rfe, Fre, Coe, PodWW, PosRR, FenceScdWR, DpAddrdR, or an annotation (Pln, Vol, "
            "Rlx, Acq, Rel, AR, Sc)");
    reader->orders[++reader->count] = LITMUS_NONE;
    return STATUS_OK;
}

static enum status read_words(struct cycle_reader *reader, const char *text)
{
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const struct word_span word = {text, strcspn(text, blanks)};
        TRY(read_word(reader, &word));
        text += word.size;
    }
    if (reader->count < 2)
        return error_set(reader->error, STATUS_SYNTAX, "the cycle: expected at least two edges, found %zu",
                         reader->count);
    return STATUS_OK;
}

/* Joins the edges: each ends where the next one starts. */
static enum status join_edges(struct cycle_reader *reader, struct cycle *cycle)
{
    const size_t count = reader->count;
    if (reader->orders[0] != LITMUS_NONE && reader->orders[count] != LITMUS_NONE &&
        reader->orders[0] != reader->orders[count])
        return error_set(reader->error, STATUS_SYNTAX,
                         "the cycle: expected the same annotation at its start and its end, which are one event, "
                         "found %s and %s",
                         order_words[reader->orders[0]], order_words[reader->orders[count]]);
    if (reader->orders[0] == LITMUS_NONE)
        reader->orders[0] = reader->orders[count];
    *cycle = (struct cycle){.count = count};
    for (size_t i = 0; i < count; i++) {
        const struct loose_edge *edge = &reader->edges[i], *next = &reader->edges[(i + 1) % count];
        if (edge->last != next->first)
            return error_set(reader->error, STATUS_SYNTAX,
                             "edge '%.*s' of the cycle ends in %s, but the next edge '%.*s' starts with %s",
                             (int)edge->word.size, edge->word.text, edge->last == CYCLE_READ ? "a read" : "a write",
                             (int)next->word.size, next->word.text, next->first == CYCLE_READ ? "a read" : "a write");
        cycle->edges[i] = edge->edge;
        cycle->events[i].direction = edge->first;
        cycle->events[i].ordered = reader->orders[i] != LITMUS_NONE;
        if (cycle->events[i].ordered)
            cycle->events[i].order = (enum litmus_order)reader->orders[i];
    }
    return STATUS_OK;
}

enum status cycle_parse(const char *text, struct cycle *cycle, struct error *error)
{
    struct cycle_reader reader = {.orders = {LITMUS_NONE}, .error = error};
    TRY(read_words(&reader, text));
    TRY(join_edges(&reader, cycle));
    size_t start = 0;
    while (start < cycle->count && !cycle->edges[(start + cycle->count - 1) % cycle->count].external)
        start++;
    if (start > 0 && start < cycle->count)
        cycle_rotate(cycle, start);
    return cycle_check(cycle, error);
}

static const char *letter(int fixed, enum cycle_direction direction)
{
    if (fixed != ANY)
        return "";
    return direction == CYCLE_READ ? "R" : "W";
}

static void print_edge(const struct cycle *cycle, size_t index, struct text *text)
{
    const struct cycle_edge *edge = &cycle->edges[index];
    size_t i = 0;
    while (edge_words[i].relation != edge->relation || edge_words[i].fence != edge->fence)
        i++;
    if (cycle_is_communication(edge->relation)) {
        text_add(text, "%s%s", edge_words[i].name, edge->external ? "e" : "i");
        return;
    }
    text_add(text, "%s%s%s%s", edge_words[i].name, edge->same_location ? "s" : "d",
             letter(edge_words[i].first, cycle->events[index].direction),
             letter(edge_words[i].last, cycle->events[(index + 1) % cycle->count].direction));
    if (edge->fence_scope != LITMUS_SCOPE_NONE)
        text_add(text, ".%s", word_name(scope_words, (int)edge->fence_scope));
}

void cycle_print(const struct cycle *cycle, struct text *text)
{
    for (size_t i = 0; i < cycle->count; i++) {
        text_add(text, "%s", i > 0 ? " " : "");
        if (cycle->events[i].ordered)
            text_add(text, "%s ", order_words[cycle->events[i].order]);
        print_edge(cycle, i, text);
    }
}
