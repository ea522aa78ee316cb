// SPDX-License-Identifier: Apache-2.0
/* Tags of program-order edges: the edge's part, and the orders of its two events. */
#include "catalogue/cycles/variant_parts.h"

#include <string.h>

/* The requirements of the words on the events, in the order in which a name chooses among them. */
static const struct order_tag {
    const char *name;
    enum litmus_order orders[2];
    bool first_reads, last_writes; /* only then */
} order_tags[] = {
    {"relaxed", {LITMUS_RELAXED, LITMUS_RELAXED}, false, false},
    {"weak", {LITMUS_PLAIN, LITMUS_PLAIN}, false, false},
    {"plain", {LITMUS_PLAIN, LITMUS_PLAIN}, false, false},
    {"vol", {LITMUS_VOLATILE, LITMUS_VOLATILE}, false, false},
    {"sc", {LITMUS_SEQ_CST, LITMUS_SEQ_CST}, false, false},
    {"rel", {LITMUS_RELAXED, LITMUS_RELEASE}, false, true},
    {"acq", {LITMUS_ACQUIRE, LITMUS_RELAXED}, true, false},
    {"plainrel", {LITMUS_PLAIN, LITMUS_RELEASE}, false, true},
    {"acqplain", {LITMUS_ACQUIRE, LITMUS_PLAIN}, true, false},
};

static const char release_acquire[] = "ra"; /* a release or an acquire by the direction of each event */

static const struct part {
    const char *name;
    enum cycle_relation relation;
    enum litmus_order fence;
} parts[] = {
    {"fencear", CYCLE_FENCE, LITMUS_ACQ_REL},
    {"fencesc", CYCLE_FENCE, LITMUS_SEQ_CST},
    {"fenceacq", CYCLE_FENCE, LITMUS_ACQUIRE},
    {"fencerel", CYCLE_FENCE, LITMUS_RELEASE},
    {"addr", CYCLE_ADDRESS, LITMUS_PLAIN},
    {"data", CYCLE_DATA, LITMUS_PLAIN},
    {"ctrl", CYCLE_CONTROL, LITMUS_PLAIN},
    {"rfi", CYCLE_RF, LITMUS_PLAIN},
    {"coi", CYCLE_CO, LITMUS_PLAIN},
    {"fri", CYCLE_FR, LITMUS_PLAIN},
    {"po", CYCLE_PO, LITMUS_PLAIN},
};

static const char *const order_words[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = "pln",   [LITMUS_VOLATILE] = "vol", [LITMUS_RELAXED] = "rlx", [LITMUS_ACQUIRE] = "acq",
    [LITMUS_RELEASE] = "rel", [LITMUS_ACQ_REL] = "ar",   [LITMUS_SEQ_CST] = "sc",
};

enum { ORDER_TAG_COUNT = sizeof order_tags / sizeof *order_tags, PART_COUNT = sizeof parts / sizeof *parts };

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* "weak" and "plain" mean the same; each dialect has its own word. */
static bool is_foreign(enum litmus_dialect dialect, const char *word)
{
    return (strcmp(word, "weak") == 0 || strcmp(word, "plain") == 0) &&
           strcmp(word, variant_abilities[dialect].plain) != 0;
}

static enum litmus_order release_or_acquire(enum cycle_direction direction)
{
    return direction == CYCLE_READ ? LITMUS_ACQUIRE : LITMUS_RELEASE;
}

static bool starts_with(const char *text, size_t size, const char *start)
{
    return size >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* "po" is the shortest and the last, so no part hides another. */
static const struct part *find_part(const char *text, size_t size)
{
    for (size_t i = 0; i < PART_COUNT; i++)
        if (starts_with(text, size, parts[i].name))
            return &parts[i];
    return NULL;
}

static enum cycle_relation relation_of_tag(const char *text, size_t size)
{
    const struct part *part = find_part(text, size);
    return part ? part->relation : CYCLE_PO;
}

static bool take_order(const char **text, size_t *size, enum litmus_order *order)
{
    for (int i = 0; i < LITMUS_ORDER_COUNT; i++) {
        if (!starts_with(*text, *size, order_words[i]))
            continue;
        *text += strlen(order_words[i]);
        *size -= strlen(order_words[i]);
        *order = (enum litmus_order)i;
        return true;
    }
    return false;
}

/* The text after the part: s, two orders, the scope of a fence. */
static bool read_rest(enum litmus_dialect dialect, const char *text, size_t size, struct variant_tag *tag)
{
    tag->orders[0] = tag->orders[1] = LITMUS_RELAXED;
    /* "s" begins the order "sc" too; no order begins with "c" after it. */
    if (!tag->edge.same_location && starts_with(text, size, "s") && !starts_with(text, size, "sc")) {
        tag->edge.same_location = true;
        text++;
        size--;
    }
    if (take_order(&text, &size, &tag->orders[0]) && !take_order(&text, &size, &tag->orders[1]))
        return false;
    if (tag->edge.relation == CYCLE_FENCE && starts_with(text, size, "."))
        return variant_scope(dialect, text + 1, size - 1, &tag->edge.fence_scope);
    return size == 0;
}

static bool read_tag(enum litmus_dialect dialect, const char *text, size_t size,
                     const enum cycle_direction directions[2], struct variant_tag *tag)
{
    *tag = (struct variant_tag){.edge = {.relation = CYCLE_PO}};
    if (is_word(text, size, release_acquire)) {
        tag->orders[0] = release_or_acquire(directions[0]);
        tag->orders[1] = release_or_acquire(directions[1]);
        return true;
    }
    for (size_t i = 0; i < ORDER_TAG_COUNT; i++) {
        const struct order_tag *row = &order_tags[i];
        if (!is_word(text, size, row->name) || is_foreign(dialect, row->name))
            continue;
        memcpy(tag->orders, row->orders, sizeof tag->orders);
        return (!row->first_reads || directions[0] == CYCLE_READ) &&
               (!row->last_writes || directions[1] == CYCLE_WRITE);
    }
    const struct part *part = find_part(text, size);
    if (!part)
        return false;
    tag->edge.relation = part->relation;
    tag->edge.fence = part->fence;
    tag->edge.same_location = cycle_is_communication(part->relation);
    return read_rest(dialect, text + strlen(part->name), size - strlen(part->name), tag);
}

/* The directions that a part requires of its edge. */
static bool part_fits(enum cycle_relation relation, const enum cycle_direction directions[2])
{
    const bool read = directions[0] == CYCLE_READ, write = directions[1] == CYCLE_WRITE;
    switch (relation) {
    case CYCLE_RF:
        return !read && !write;
    case CYCLE_CO:
        return !read && write;
    case CYCLE_FR:
    case CYCLE_DATA:
        return read && write;
    case CYCLE_ADDRESS:
    case CYCLE_CONTROL:
        return read;
    case CYCLE_PO:
    case CYCLE_FENCE:
        break;
    }
    return true;
}

enum status variant_read_tag(enum litmus_dialect dialect, const char *text, size_t size,
                             const enum cycle_direction directions[2], struct variant_tag *tag, struct error *error)
{
    const char *plain = variant_abilities[dialect].plain;
    if (read_tag(dialect, text, size, directions, tag) && part_fits(tag->edge.relation, directions))
        return STATUS_OK;
    return error_set(error, STATUS_SYNTAX,
                     "tag '%.*s': expected one that fits a %s and then a %s in %s: relaxed, %s, ra, rel, acq, fencear, "
                     "fencesc, addr, data, ctrl, or po and two of pln, vol, rlx, rel, acq, ar, sc",
                     (int)size, text, directions[0] == CYCLE_READ ? "read" : "write",
                     directions[1] == CYCLE_READ ? "read" : "write", litmus_dialect_name(dialect), plain);
}

/* The word for the orders of a plain edge; NULL if there is none. */
static const char *find_order_tag(enum litmus_dialect dialect, const struct cycle_event *first,
                                  const struct cycle_event *last)
{
    for (size_t i = 0; i < ORDER_TAG_COUNT; i++) {
        const struct order_tag *row = &order_tags[i];
        if (row->orders[0] == first->order && row->orders[1] == last->order && !is_foreign(dialect, row->name) &&
            (!row->first_reads || first->direction == CYCLE_READ) &&
            (!row->last_writes || last->direction == CYCLE_WRITE))
            return row->name;
    }
    if (first->order == release_or_acquire(first->direction) && last->order == release_or_acquire(last->direction))
        return release_acquire;
    return NULL;
}

static void write_tag(const struct variant *variant, size_t index, bool same, struct text *text)
{
    const struct cycle *cycle = &variant->cycle;
    const struct cycle_edge *edge = &cycle->edges[index];
    const struct cycle_event *first = &cycle->events[index], *last = &cycle->events[(index + 1) % cycle->count];
    const bool marked = edge->same_location && !same && !cycle_is_communication(edge->relation);
    const char *words = find_order_tag(variant->dialect, first, last);
    if (edge->relation == CYCLE_PO && !marked && words) {
        text_add(text, "%s", words);
        return;
    }
    size_t i = 0;
    while (parts[i].relation != edge->relation || parts[i].fence != edge->fence)
        i++;
    text_add(text, "%s%s", parts[i].name, marked ? "s" : "");
    if (first->order != LITMUS_RELAXED || last->order != LITMUS_RELAXED)
        text_add(text, "%s%s", order_words[first->order], order_words[last->order]);
    if (edge->fence_scope != LITMUS_SCOPE_NONE)
        text_add(text, ".%s", variant_abilities[variant->dialect].scope_words[edge->fence_scope]);
}

enum litmus_order variant_shared_order(const char *tag, size_t size, enum cycle_direction direction)
{
    if (is_word(tag, size, release_acquire))
        return release_or_acquire(direction);
    for (size_t i = 0; i < ORDER_TAG_COUNT; i++)
        if (is_word(tag, size, order_tags[i].name) && order_tags[i].orders[0] == order_tags[i].orders[1])
            return order_tags[i].orders[0];
    return LITMUS_RELAXED;
}

static const char *const single_tags[LITMUS_ORDER_COUNT] = {
    [LITMUS_VOLATILE] = "vol", [LITMUS_RELAXED] = "relaxed", [LITMUS_ACQUIRE] = "acq",
    [LITMUS_RELEASE] = "rel",  [LITMUS_ACQ_REL] = "ar",      [LITMUS_SEQ_CST] = "sc",
};

const char *variant_single_tag(enum litmus_dialect dialect, enum litmus_order order)
{
    return order == LITMUS_PLAIN ? variant_abilities[dialect].plain : single_tags[order];
}

bool variant_single_order(enum litmus_dialect dialect, const char *tag, size_t size, enum litmus_order *order)
{
    for (int i = 0; i < LITMUS_ORDER_COUNT; i++) {
        *order = (enum litmus_order)i;
        if (is_word(tag, size, variant_single_tag(dialect, *order)))
            return true;
    }
    return false;
}

/* Adds a tag; written: the direction before it, or LITMUS_NONE. */
static void add_tag(struct variant_chain *chain, const char *tag, size_t size, int written)
{
    if (chain->count > 0) {
        const size_t last = chain->count - 1;
        const int before = cycle_required_last(relation_of_tag(chain->tags[last], chain->sizes[last]));
        chain->between[last] = written != LITMUS_NONE  ? written
                               : before != LITMUS_NONE ? before
                                                       : cycle_required_first(relation_of_tag(tag, size));
    }
    chain->tags[chain->count] = tag;
    chain->between[chain->count] = LITMUS_NONE;
    chain->sizes[chain->count++] = size;
}

enum status variant_read_chain(const char *text, size_t size, struct variant_chain *chain, struct error *error)
{
    *chain = (struct variant_chain){0};
    int written = LITMUS_NONE;
    for (size_t at = 0, length; at <= size; at += length + 1) {
        const char *dash = memchr(text + at, '-', size - at);
        length = dash ? (size_t)(dash - text) - at : size - at;
        const bool letter = length == 1 && (text[at] == 'R' || text[at] == 'W');
        if (letter && chain->count > 0 && written == LITMUS_NONE && dash)
            written = text[at] == 'R' ? CYCLE_READ : CYCLE_WRITE;
        else if (letter || length == 0 || chain->count == CYCLE_MAXIMUM_EDGES)
            return error_set(error, STATUS_SYNTAX,
                             "tag '%.*s': expected tags joined by '-', with R or W between two of them", (int)size,
                             text);
        else {
            add_tag(chain, text + at, length, written);
            written = LITMUS_NONE;
        }
    }
    return STATUS_OK;
}

/* Do the relations of two edges of a thread give the direction of the event between them? */
static bool is_direction_given(const struct cycle_edge *before, const struct cycle_edge *after)
{
    return cycle_required_last(before->relation) != LITMUS_NONE || cycle_required_first(after->relation) != LITMUS_NONE;
}

void variant_write_chain(const struct variant *variant, size_t first, size_t last, bool same, struct text *text)
{
    const struct cycle *cycle = &variant->cycle;
    for (size_t i = first; i < last; i++) {
        if (i > first && !is_direction_given(&cycle->edges[i - 1], &cycle->edges[i]))
            text_add(text, "-%s", cycle->events[i].direction == CYCLE_READ ? "R" : "W");
        text_add(text, "%s", i > first ? "-" : "");
        write_tag(variant, i, same, text);
    }
}
