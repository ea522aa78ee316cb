// SPDX-License-Identifier: Apache-2.0
/* Tags of program-order edges, and names of variants:
 * FAMILY+TAGS[+rmw][+PLAIN][+REGION][+SEMANTICS][+SCOPE][+PLACEMENT], written and read. */
#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"
#include "litmus/language/words.h"

/* ---- tags of program-order edges: the edge's part, and the orders of its two events ---- */

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
} edge_parts[] = {
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

enum { ORDER_TAG_COUNT = COUNT(order_tags), PART_COUNT = COUNT(edge_parts) };

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
static const struct part *variant_name_find_part(const char *text, size_t size)
{
    return FIRST_OF(edge_part, edge_parts, PART_COUNT, starts_with(text, size, edge_part->name));
}

static enum cycle_relation relation_of_tag(const char *text, size_t size)
{
    const struct part *part = variant_name_find_part(text, size);
    return part ? part->relation : CYCLE_PO;
}

static bool take_order(const char **text, size_t *size, enum litmus_order *order)
{
    const size_t i = INDEX_OF(word, order_words, LITMUS_ORDER_COUNT, starts_with(*text, *size, *word));
    if (i == LITMUS_ORDER_COUNT)
        return false;
    *text += strlen(order_words[i]);
    *size -= strlen(order_words[i]);
    *order = (enum litmus_order)i;
    return true;
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
    if (text_has_word(release_acquire, text, size)) {
        tag->orders[0] = release_or_acquire(directions[0]);
        tag->orders[1] = release_or_acquire(directions[1]);
        return true;
    }
    FOR_EACH(const struct order_tag, row, order_tags, ORDER_TAG_COUNT) {
        if (!text_has_word(row->name, text, size) || is_foreign(dialect, row->name))
            continue;
        memcpy(tag->orders, row->orders, sizeof tag->orders);
        return (!row->first_reads || directions[0] == CYCLE_READ) &&
               (!row->last_writes || directions[1] == CYCLE_WRITE);
    }
    const struct part *part = variant_name_find_part(text, size);
    if (!part)
        return false;
    tag->edge.relation = part->relation;
    tag->edge.fence = part->fence;
    tag->edge.same_location = cycle_is_communication(part->relation);
    return read_rest(dialect, text + strlen(part->name), size - strlen(part->name), tag);
}

/* Whether an edge has the directions that its part requires. */
static bool part_fits(enum cycle_relation relation, const enum cycle_direction directions[2])
{
    const int first = cycle_ends[relation].first, last = cycle_ends[relation].last;
    return (first == LITMUS_NONE || first == (int)directions[0]) && (last == LITMUS_NONE || last == (int)directions[1]);
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
    FOR_EACH(const struct order_tag, row, order_tags, ORDER_TAG_COUNT)
        if (row->orders[0] == first->order && row->orders[1] == last->order && !is_foreign(dialect, row->name) &&
            (!row->first_reads || first->direction == CYCLE_READ) &&
            (!row->last_writes || last->direction == CYCLE_WRITE))
            return row->name;
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
    while (edge_parts[i].relation != edge->relation || edge_parts[i].fence != edge->fence)
        i++;
    text_add(text, "%s%s", edge_parts[i].name, marked ? "s" : "");
    if (first->order != LITMUS_RELAXED || last->order != LITMUS_RELAXED)
        text_add(text, "%s%s", order_words[first->order], order_words[last->order]);
    if (edge->fence_scope != LITMUS_SCOPE_NONE)
        text_add(text, ".%s", variant_abilities[variant->dialect].scope_words[edge->fence_scope]);
}

/* The order of a thread's only access under a tag that all threads share. */
static enum litmus_order variant_shared_order(const char *tag, size_t size, enum cycle_direction direction)
{
    if (text_has_word(release_acquire, tag, size))
        return release_or_acquire(direction);
    return VALUE_OF(enum litmus_order, order_tag, order_tags, ORDER_TAG_COUNT,
                    text_has_word(order_tag->name, tag, size) && order_tag->orders[0] == order_tag->orders[1],
                    order_tag->orders[0], LITMUS_RELAXED);
}

static const char *const single_tags[LITMUS_ORDER_COUNT] = {
    [LITMUS_VOLATILE] = "vol", [LITMUS_RELAXED] = "relaxed", [LITMUS_ACQUIRE] = "acq",
    [LITMUS_RELEASE] = "rel",  [LITMUS_ACQ_REL] = "ar",      [LITMUS_SEQ_CST] = "sc",
};

static const char *variant_single_tag(enum litmus_dialect dialect, enum litmus_order order)
{
    return order == LITMUS_PLAIN ? variant_abilities[dialect].plain : single_tags[order];
}

bool variant_single_order(enum litmus_dialect dialect, const char *tag, size_t size, enum litmus_order *order)
{
    for (int i = 0; i < LITMUS_ORDER_COUNT; i++) {
        *order = (enum litmus_order)i;
        if (text_has_word(variant_single_tag(dialect, *order), tag, size))
            return true;
    }
    return false;
}

/* Adds a tag; written: the direction before it, or LITMUS_NONE. */
static void add_tag(struct variant_chain *chain, const char *tag, size_t size, int written)
{
    if (chain->count > 0) {
        const size_t last = chain->count - 1;
        const int before = cycle_ends[relation_of_tag(chain->tags[last], chain->sizes[last])].last;
        chain->between[last] = written != LITMUS_NONE  ? written
                               : before != LITMUS_NONE ? before
                                                       : cycle_ends[relation_of_tag(tag, size)].first;
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
    return cycle_ends[before->relation].last != LITMUS_NONE || cycle_ends[after->relation].first != LITMUS_NONE;
}

/* Appends the tags of a thread's internal edges first to last - 1. same: edges of the family stay at their location, so
 * that this needs no letter. */
static void variant_write_chain(const struct variant *variant, size_t first, size_t last, bool same, struct text *text)
{
    const struct cycle *cycle = &variant->cycle;
    for (size_t i = first; i < last; i++) {
        if (i > first && !is_direction_given(&cycle->edges[i - 1], &cycle->edges[i]))
            text_add(text, "-%s", cycle->events[i].direction == CYCLE_READ ? "R" : "W");
        text_add(text, "%s", i > first ? "-" : "");
        write_tag(variant, i, same, text);
    }
}

enum { MAXIMUM_PARTS = 16 }; /* a tag for each thread, the parts after them, and some to spare */

static const struct word rmw_words[] = {
    {"rmw", VARIANT_RMW_ALL}, {"rmww", VARIANT_RMW_WRITES}, {"rmwr", VARIANT_RMW_READS}, {NULL, 0}};

/* ---- writing ---- */

/* The tags of threads as written in a name: one for all, one for each thread of several accesses, or one for each. */
struct thread_tags {
    size_t starts[CYCLE_MAXIMUM_THREADS + 1];
    struct text tags[CYCLE_MAXIMUM_THREADS]; /* empty for a thread of one access */
};

static bool variant_name_is_single(const struct thread_tags *tags, size_t thread)
{
    return tags->starts[thread + 1] - tags->starts[thread] == 1;
}

static const char *first_tag(const struct variant *variant, const struct thread_tags *tags)
{
    size_t thread = 0;
    while (thread + 1 < variant->threads && variant_name_is_single(tags, thread))
        thread++;
    return text_string(&tags->tags[thread]);
}

static bool all_share(const struct variant *variant, const struct thread_tags *tags)
{
    const char *first = first_tag(variant, tags);
    return !ANY_NUMBER(size_t, i, 0, variant->threads,
                       !variant_name_is_single(tags, i) && strcmp(text_string(&tags->tags[i]), first) != 0);
}

/* Have all threads of one access the order that the other tags imply? shared: the one tag of all, or NULL. */
static bool singles_follow(const struct variant *variant, const struct thread_tags *tags, const char *shared)
{
    for (size_t i = 0; i < variant->threads; i++) {
        const struct cycle_event *event = &variant->cycle.events[tags->starts[i]];
        const enum litmus_order implied =
            shared ? variant_shared_order(shared, strlen(shared), event->direction) : LITMUS_RELAXED;
        if (variant_name_is_single(tags, i) && event->order != implied)
            return false;
    }
    return true;
}

static void write_tags(const struct variant *variant, struct text *text)
{
    struct thread_tags tags = {0};
    const bool same = cycle_is_coherence(&variant->cycle);
    variant_starts(&variant->cycle, tags.starts);
    for (size_t i = 0; i < variant->threads; i++)
        variant_write_chain(variant, tags.starts[i], tags.starts[i + 1] - 1, same, &tags.tags[i]);
    const char *shared = all_share(variant, &tags) ? first_tag(variant, &tags) : NULL;
    const bool follow = singles_follow(variant, &tags, shared);
    if (shared && follow)
        text_add(text, "+%s", shared);
    for (size_t i = 0; i < variant->threads && !(shared && follow); i++) {
        if (!variant_name_is_single(&tags, i))
            text_add(text, "+%s", text_string(&tags.tags[i]));
        else if (!follow)
            text_add(text, "+%s", variant_single_tag(variant->dialect, variant->cycle.events[tags.starts[i]].order));
    }
    for (size_t i = 0; i < variant->threads; i++)
        text_release(&tags.tags[i]);
}

static void write_region(const struct variant *variant, struct text *text)
{
    const unsigned all = variant_locations(variant);
    if (variant->local == 0)
        return;
    text_add(text, "+local");
    for (unsigned i = 0; variant->local != all && variant_letters[i]; i++)
        if (variant->local >> i & 1)
            text_add(text, "%c", variant_letters[i]);
}

static void write_placement(const struct variant *variant, struct text *text)
{
    const unsigned groups = variant_groups(variant);
    if (groups == variant->threads && !variant->one_cluster && !variant->own_families)
        return;
    text_add(text, "+%s%s", variant->one_cluster ? "c" : "", variant->own_families ? "q" : "");
    for (unsigned group = 0; group < groups; group++) {
        text_add(text, "%s%s", group > 0 ? "-" : "", variant->one_sub_group[group] ? "w" : "");
        for (unsigned i = 0; i < variant->threads; i++)
            if (variant->work_group[i] == group)
                text_add(text, "%u", i);
    }
}

void variant_name(const struct variant *given, struct text *text)
{
    struct variant variant = *given;
    variant_settle(&variant);
    cycle_family(&variant.cycle, text);
    write_tags(&variant, text);
    if (variant.rmw != VARIANT_NO_RMW)
        text_add(text, "+%s", word_name(rmw_words, (int)variant.rmw));
    if (variant_plain_words[variant.plain].word)
        text_add(text, "+%s", variant_plain_words[variant.plain].word);
    write_region(&variant, text);
    if (variant_class_words[variant.semantics])
        text_add(text, "+%s", variant_class_words[variant.semantics]);
    if (variant.scope != LITMUS_DEVICE && variant.local != variant_locations(&variant)) {
        const char *word = variant_abilities[variant.dialect].scope_words[variant.scope];
        text_add(text, "+%s", word ? word : "?");
    }
    write_placement(&variant, text);
}

/* ---- setting tags ---- */

/* An edge that is an internal communication stays one, unless the tag names another part; with keep, even then. */
static enum status set_edge(struct variant *variant, size_t index, const struct text_part *tag, bool keep,
                            struct error *error)
{
    struct cycle *cycle = &variant->cycle;
    struct cycle_edge *edge = &cycle->edges[index];
    struct cycle_event *first = &cycle->events[index], *last = &cycle->events[(index + 1) % cycle->count];
    const enum cycle_direction directions[2] = {first->direction, last->direction};
    struct variant_tag read;
    TRY(variant_read_tag(variant->dialect, tag->start, tag->size, directions, &read, error));
    if (!cycle_is_communication(edge->relation) || (!keep && read.edge.relation != CYCLE_PO)) {
        read.edge.same_location |= edge->same_location;
        *edge = read.edge;
    }
    *first = (struct cycle_event){directions[0], true, read.orders[0]};
    *last = (struct cycle_event){directions[1], true, read.orders[1]};
    if (edge->relation == CYCLE_FENCE)
        TRY(variant_check_fence(variant->dialect, edge->fence, error));
    TRY(variant_check_order(variant, index, first->order, error));
    return variant_check_order(variant, (index + 1) % cycle->count, last->order, error);
}

bool variant_set_tag(struct variant *variant, size_t edge, const char *tag)
{
    struct variant changed = *variant;
    const struct text_part span = {tag, strlen(tag)};
    struct error error;
    if (edge >= variant->cycle.count || variant->cycle.edges[edge].external ||
        set_edge(&changed, edge, &span, false, &error) != STATUS_OK)
        return false;
    *variant = changed;
    return true;
}

/* The tag of one thread: one for all its edges, or a chain of as many as there are. */
static enum status set_thread(struct variant *variant, size_t first, size_t last, const struct text_part *tag,
                              bool shared, struct error *error)
{
    struct variant_chain chain;
    TRY(variant_read_chain(tag->start, tag->size, &chain, error));
    if (chain.count != 1 && chain.count != last - first)
        return error_set(error, STATUS_SYNTAX, "tag '%.*s': expected one tag, or %zu of them joined by '-', found %zu",
                         (int)tag->size, tag->start, last - first, chain.count);
    for (size_t i = first; i < last; i++) {
        const size_t part = chain.count == 1 ? 0 : i - first;
        const struct text_part own = {chain.tags[part], chain.sizes[part]};
        const enum litmus_order before = variant->cycle.events[i].order;
        TRY(set_edge(variant, i, &own, shared && chain.count == 1, error));
        const bool said =
            chain.between[part] == LITMUS_NONE || chain.between[part] == (int)variant->cycle.events[i + 1].direction;
        if (!said || (i > first && variant->cycle.events[i].order != before))
            return error_set(error, STATUS_SYNTAX,
                             "tag '%.*s': expected tags that agree on the access between two edges of a thread",
                             (int)tag->size, tag->start);
    }
    return STATUS_OK;
}

static enum status set_single(struct variant *variant, size_t event, const struct text_part *tag, bool shared,
                              struct error *error)
{
    enum litmus_order order = LITMUS_RELAXED;
    if (shared)
        order = variant_shared_order(tag->start, tag->size, variant->cycle.events[event].direction);
    else if (tag && !variant_single_order(variant->dialect, tag->start, tag->size, &order))
        return error_set(error, STATUS_SYNTAX,
                         "tag '%.*s': for a thread of one access, expected relaxed, %s, rel, acq, sc or vol",
                         (int)tag->size, tag->start, variant_abilities[variant->dialect].plain);
    variant->cycle.events[event].ordered = true;
    variant->cycle.events[event].order = order;
    return variant_check_order(variant, event, order, error);
}

/* inner: threads of several accesses. */
static enum status refuse_count(size_t inner, size_t threads, size_t count, struct error *error)
{
    if (inner == threads)
        return error_set(error, STATUS_SYNTAX, "expected one tag for all threads, or %zu, one for each, found %zu",
                         threads, count);
    return error_set(error, STATUS_SYNTAX,
                     "expected one tag for all threads, %zu, one for each thread of several accesses, or %zu, one for "
                     "each thread, found %zu",
                     inner, threads, count);
}

static enum status set_tags(struct variant *variant, const struct text_part *tags, size_t count, struct error *error)
{
    size_t starts[CYCLE_MAXIMUM_THREADS + 1], inner = 0, next = 0;
    variant_starts(&variant->cycle, starts);
    for (size_t i = 0; i < variant->threads; i++)
        inner += starts[i + 1] - starts[i] > 1;
    const bool shared = count == 1, each = count == variant->threads && !shared;
    if (!shared && !each && count != inner)
        return refuse_count(inner, variant->threads, count, error);
    for (size_t i = 0; i < variant->threads; i++) {
        const bool single = starts[i + 1] - starts[i] == 1;
        const struct text_part *tag = shared ? tags : !single || each ? &tags[next++] : NULL;
        if (single)
            TRY(set_single(variant, starts[i], tag, shared, error));
        else
            TRY(set_thread(variant, starts[i], starts[i + 1] - 1, tag, shared, error));
    }
    return STATUS_OK;
}

static bool variant_name_split(const char *text, struct text_part parts[MAXIMUM_PARTS], size_t *count)
{
    *count = 0;
    for (bool more = true; more;) {
        const size_t size = strcspn(text, "+");
        if (*count == MAXIMUM_PARTS)
            return false;
        parts[(*count)++] = (struct text_part){text, size};
        more = text[size] == '+';
        text += size + more;
    }
    return true;
}

enum status variant_set_tags(struct variant *variant, const char *tags, struct error *error)
{
    struct variant changed = *variant;
    struct text_part parts[MAXIMUM_PARTS];
    size_t count;
    struct error reason = {0};
    if (!variant_name_split(tags, parts, &count))
        return error_set(error, STATUS_SYNTAX, "tags '%s': expected at most %d", tags, MAXIMUM_PARTS);
    if (set_tags(&changed, parts, count, &reason) != STATUS_OK || cycle_check(&changed.cycle, &reason) != STATUS_OK)
        return error_set(error, STATUS_SYNTAX, "%s", reason.text);
    *variant = changed;
    return STATUS_OK;
}

/* ---- reading ---- */

/* The longest prefix that is a family; the rest starts with '+'. */
static bool read_family(const char *name, struct cycle_key *key, bool *same, const char **rest)
{
    for (size_t size = strlen(name); size > 0; size--)
        if ((name[size] == '\0' || name[size] == '+') && cycle_find_key(name, size, key, same)) {
            *rest = name + size;
            return true;
        }
    return false;
}

bool variant_read_region(const char *text, size_t size, unsigned *local)
{
    static const char start[] = "local";
    const size_t skipped = sizeof start - 1;
    if (size < skipped || memcmp(text, start, skipped) != 0)
        return false;
    unsigned mask = size == skipped ? ~0U : 0;
    for (size_t i = skipped; i < size; i++) {
        const char *letter = memchr(variant_letters, text[i], sizeof variant_letters - 1);
        if (!letter)
            return false;
        mask |= 1U << (letter - variant_letters);
    }
    *local = mask;
    return true;
}

bool variant_read_placement(const char *text, size_t size, struct variant *variant)
{
    bool placed[CYCLE_MAXIMUM_THREADS] = {false};
    unsigned group = 0, count = 0, members = 0;
    const bool cluster = size > 0 && text[0] == 'c', families = size > 0 && text[0] == 'q';
    for (unsigned i = 0; i < CYCLE_MAXIMUM_THREADS; i++)
        variant->one_sub_group[i] = false;
    for (size_t i = cluster || families; i < size; i++) {
        const unsigned thread = (unsigned)(text[i] - '0');
        if (text[i] == '-' && members > 0 && i + 1 < size) {
            group++;
            members = 0;
        } else if (text[i] == 'w' && members == 0 && !variant->one_sub_group[group] && i + 1 < size)
            variant->one_sub_group[group] = true;
        else if (thread < variant->threads && !placed[thread]) {
            placed[thread] = true;
            variant->work_group[thread] = group;
            members++;
            count++;
        } else
            return false;
    }
    variant->one_cluster = cluster;
    variant->own_families = families;
    return count == variant->threads;
}

static bool read_rmw(struct variant *variant, const struct text_part *part)
{
    const int rmw = word_value(rmw_words, part->start, part->size);
    if (rmw != LITMUS_NONE)
        variant->rmw = (enum variant_rmw)rmw;
    return rmw != LITMUS_NONE;
}

/* Removes the parts after the tags. */
static void read_trailers(struct variant *variant, const struct text_part *parts, size_t *count)
{
    const struct text_part *last = &parts[*count - 1];
    const bool vulkan = dialects[variant->dialect].has_semantics;
    struct variant placed = *variant;
    if (last > parts && variant_read_placement(last->start, last->size, &placed)) {
        *variant = placed;
        last--;
    }
    if (last > parts && variant_scope(variant->dialect, last->start, last->size, &variant->scope))
        last--;
    if (last > parts && vulkan && variant_read_classes(last->start, last->size, &variant->semantics))
        last--;
    if (last > parts && variant_read_region(last->start, last->size, &variant->local))
        last--;
    if (last > parts && vulkan && variant_read_plain(last->start, last->size, &variant->plain))
        last--;
    if (last > parts && read_rmw(variant, last))
        last--;
    *count = (size_t)(last - parts) + 1;
}

static enum status variant_name_add_event(struct cycle *cycle, enum cycle_direction direction, struct cycle_edge edge,
                                          struct error *error)
{
    if (cycle->count == CYCLE_MAXIMUM_EDGES)
        return error_set(error, STATUS_SYNTAX, "expected at most %d edges, found more", CYCLE_MAXIMUM_EDGES);
    cycle->events[cycle->count].direction = direction;
    cycle->edges[cycle->count++] = edge;
    return STATUS_OK;
}

/* The events of a thread of several accesses: as many edges as its tag has parts. */
static enum status add_thread(struct cycle *cycle, enum cycle_thread thread, const struct text_part *tag, bool same,
                              struct error *error)
{
    struct variant_chain chain;
    TRY(variant_read_chain(tag->start, tag->size, &chain, error));
    enum cycle_direction direction = cycle_kinds[thread].first;
    for (size_t i = 0; i < chain.count; i++) {
        TRY(variant_name_add_event(cycle, direction, (struct cycle_edge){.relation = CYCLE_PO, .same_location = same},
                                   error));
        if (i + 1 < chain.count && chain.between[i] == LITMUS_NONE)
            return error_set(error, STATUS_SYNTAX, "tag '%.*s': expected -R- or -W- for the access between two edges",
                             (int)tag->size, tag->start);
        direction = i + 1 < chain.count ? (enum cycle_direction)chain.between[i] : cycle_kinds[thread].last;
    }
    return STATUS_OK;
}

/* The cycle of a key and tags, with plain edges in place of what the tags say. */
static enum status build_cycle(const struct cycle_key *key, bool same, const struct text_part *tags, size_t count,
                               struct cycle *cycle, struct error *error)
{
    size_t next = 0;
    *cycle = (struct cycle){0};
    const size_t inner = SUM_OF(size_t, one, key->threads, key->count, !cycle_kinds[*one].single);
    if (count != 1 && count != inner && count != key->count)
        return refuse_count(inner, key->count, count, error);
    for (size_t i = 0; i < key->count; i++) {
        const enum cycle_thread thread = key->threads[i], following = key->threads[(i + 1) % key->count];
        const bool has_tag = !cycle_kinds[thread].single || count == key->count;
        const struct text_part *tag = count == 1 ? tags : has_tag ? &tags[next++] : NULL;
        if (!cycle_kinds[thread].single)
            TRY(add_thread(cycle, thread, tag, same, error));
        const struct cycle_edge edge = {
            .relation = cycle_communication(cycle_kinds[thread].last, cycle_kinds[following].first),
            .external = true,
            .same_location = true,
        };
        TRY(variant_name_add_event(cycle, cycle_kinds[thread].last, edge, error));
    }
    return STATUS_OK;
}

static char last_letter(const struct variant *variant)
{
    unsigned locations[CYCLE_MAXIMUM_EDGES];
    return variant_letters[cycle_locations(&variant->cycle, locations) - 1];
}

static enum status read_name(enum litmus_dialect dialect, const char *name, struct variant *variant,
                             struct error *error)
{
    struct cycle_key key;
    struct text_part parts[MAXIMUM_PARTS];
    size_t count;
    const char *rest;
    bool same;
    if (!read_family(name, &key, &same, &rest))
        return error_set(error, STATUS_SYNTAX, "expected a family such as MP at its start");
    if (!*rest)
        return error_set(error, STATUS_SYNTAX, "expected tags after the family, such as %s+relaxed", name);
    if (!variant_name_split(rest + 1, parts, &count))
        return error_set(error, STATUS_SYNTAX, "expected at most %d parts", MAXIMUM_PARTS);
    *variant = (struct variant){.dialect = dialect, .scope = LITMUS_DEVICE, .threads = (unsigned)key.count};
    for (unsigned i = 0; i < variant->threads; i++)
        variant->work_group[i] = i;
    read_trailers(variant, parts, &count);
    /* No tag is a scope, so this gives a better message than the tags could. */
    enum litmus_scope scope;
    for (int i = 0; i < LITMUS_DIALECT_COUNT; i++)
        if (variant_scope((enum litmus_dialect)i, parts[count - 1].start, parts[count - 1].size, &scope))
            return error_set(error, STATUS_SYNTAX, "'%.*s': expected the name of a scope that %s has, if any",
                             (int)parts[count - 1].size, parts[count - 1].start, litmus_dialect_name(dialect));
    TRY(build_cycle(&key, same, parts, count, &variant->cycle, error));
    TRY(set_tags(variant, parts, count, error));
    TRY(cycle_check(&variant->cycle, error));
    if (variant->local != ~0U && (variant->local & ~variant_locations(variant)))
        return error_set(error, STATUS_SYNTAX, "expected locations of the test after 'local', the last of which is %c",
                         last_letter(variant));
    return STATUS_OK;
}

enum status variant_parse_name(enum litmus_dialect dialect, const char *name, struct variant *variant,
                               struct error *error)
{
    struct error reason = {0};
    LOCAL(text) own = {0};
    enum status status = read_name(dialect, name, variant, &reason);
    if (status != STATUS_OK)
        return error_set(error, STATUS_SYNTAX, "'%.200s' names no variant of a cycle: %s", name, reason.text);
    variant_settle(variant);
    variant_name(variant, &own);
    if (strcmp(text_string(&own), name) != 0)
        status = error_set(error, STATUS_SYNTAX, "expected %s, the name of that test, found '%.200s'",
                           text_string(&own), name);
    return status;
}
