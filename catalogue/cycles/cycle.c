// SPDX-License-Identifier: Apache-2.0
/* Cycles: their threads and locations, their validity, their start, and their words; families: nicknames, keys, and
 * cycles built from keys. */
#include "catalogue/cycles/cycle.h"
#include "catalogue/cycles/cycle_lists.h"

#include "base/terminal/resemblance.h"
#include "litmus/language/words.h"

/* ---- the families with a nickname ---- */

/* A family that has a name of its own. The names are those of diy (herdtools7); IRIW, WRC, RWC, ISA2, Z6 and the others
 * come from "Understanding POWER multiprocessors" (Sarkar et al., PLDI 2011) and its test suite. */
static const struct nickname {
    const char *name, *key;
    bool coherence; /* all edges stay at one location */
} nicknames[] = {CYCLE_NICKNAME_LIST(ROW_OF){NULL, NULL, false}};

/* ---- the families' texts, from tests-litmus/families.txt ---- */

struct text_part catalogue_take_column(const char **at, const char *end)
{
    static const char blanks[] = " \t\r";
    const char *const bar = memchr(*at, '|', (size_t)(end - *at));
    const char *start = *at, *stop = bar ? bar : end;
    while (start < stop && strchr(blanks, *start))
        start++;
    while (stop > start && strchr(blanks, stop[-1]))
        stop--;
    *at = bar ? bar + 1 : end;
    return (struct text_part){start, (size_t)(stop - start)};
}

struct catalogue_family_line catalogue_family_line(const char *name, size_t length)
{
    const struct text_part none = {"", 0};
    struct catalogue_family_line family = {SIZE_MAX, none, none, none, none, none};
    struct text_part heading = none;
    size_t order = 0;
    for (const char *line = catalogue_families; *line;) {
        const char *const end = line + strcspn(line, "\n");
        const char *at = line;
        const struct text_part folder = catalogue_take_column(&at, end);
        /* "[Classic shapes]": the heading of the lines below it. */
        if (*line == '[')
            heading = (struct text_part){line + 1, strcspn(line + 1, "]\n")};
        order += *line != '#' && heading.size > 0 && folder.size > 0;
        if (*line != '#' && folder.size == length && memcmp(folder.start, name, length) == 0) {
            family.order = heading.size > 0 ? order : SIZE_MAX;
            family.heading = heading;
            family.title = catalogue_take_column(&at, end);
            family.question = catalogue_take_column(&at, end);
            family.chinese_title = catalogue_take_column(&at, end);
            family.chinese_question = catalogue_take_column(&at, end);
            return family;
        }
        line = end + (*end == '\n');
    }
    return family;
}

/* ---- threads, keys and names ---- */

const struct cycle_thread_kind cycle_kinds[CYCLE_THREAD_COUNT] = {
    [CYCLE_W] = {"W", CYCLE_WRITE, CYCLE_WRITE, true},   [CYCLE_WW] = {"WW", CYCLE_WRITE, CYCLE_WRITE, false},
    [CYCLE_RR] = {"RR", CYCLE_READ, CYCLE_READ, false},  [CYCLE_RW] = {"RW", CYCLE_READ, CYCLE_WRITE, false},
    [CYCLE_WR] = {"WR", CYCLE_WRITE, CYCLE_READ, false}, [CYCLE_R] = {"R", CYCLE_READ, CYCLE_READ, true},
};

static enum cycle_thread thread_of(enum cycle_direction first, enum cycle_direction last, bool single)
{
    enum cycle_thread thread = CYCLE_W;
    while (cycle_kinds[thread].first != first || cycle_kinds[thread].last != last ||
           cycle_kinds[thread].single != single)
        thread++;
    return thread;
}

/* The key of the cycle as given, not of its least rotation. */
static void cycle_key_of(const struct cycle *cycle, struct cycle_key *key)
{
    size_t first = 0;
    key->count = 0;
    for (size_t i = 0; i < cycle->count && key->count < CYCLE_MAXIMUM_THREADS; i++) {
        if (!cycle->edges[i].external)
            continue;
        key->threads[key->count++] = thread_of(cycle->events[first].direction, cycle->events[i].direction, first == i);
        first = i + 1;
    }
}

/* Below, at or above 0. Both have the same count. */
static int cycle_compare_rotations(const struct cycle_key *key, size_t a, size_t b)
{
    for (size_t i = 0; i < key->count; i++) {
        const int left = (int)key->threads[(a + i) % key->count], right = (int)key->threads[(b + i) % key->count];
        if (left != right)
            return left - right;
    }
    return 0;
}

/* Directions joined by '+', nothing else. */
static bool read_key(const char *text, size_t size, struct cycle_key *key)
{
    key->count = 0;
    for (size_t at = 0; at <= size;) {
        const char *plus = memchr(text + at, '+', size - at);
        const size_t length = plus ? (size_t)(plus - text) - at : size - at;
        const size_t i = INDEX_OF(kind, cycle_kinds, CYCLE_THREAD_COUNT,
                                  strlen(kind->name) == length && memcmp(kind->name, text + at, length) == 0);
        if (i == CYCLE_THREAD_COUNT || key->count == CYCLE_MAXIMUM_THREADS)
            return false;
        key->threads[key->count++] = (enum cycle_thread)i;
        at += length + 1;
    }
    return true;
}

bool cycle_find_key(const char *text, size_t size, struct cycle_key *key, bool *same)
{
    *same = false;
    for (const struct nickname *row = nicknames; row->name; row++) {
        if (strlen(row->name) != size || memcmp(row->name, text, size) != 0)
            continue;
        *same = row->coherence;
        return read_key(row->key, strlen(row->key), key);
    }
    return read_key(text, size, key);
}

static const struct nickname *find_nickname(const char *key, bool one_location)
{
    for (const struct nickname *row = nicknames; row->name; row++)
        if (strcmp(row->key, key) == 0 && (!row->coherence || one_location))
            return row;
    return NULL;
}

void cycle_family(const struct cycle *cycle, struct text *text)
{
    struct cycle normal = *cycle;
    struct cycle_key key;
    LOCAL(text) words = {0};
    cycle_normalize(&normal);
    cycle_key_of(&normal, &key);
    for (size_t i = 0; i < key.count; i++)
        text_add(&words, "%s%s", i > 0 ? "+" : "", cycle_kinds[key.threads[i]].name);
    const bool one_location = !ANY_OF(edge, normal.edges, normal.count, !edge->same_location);
    const struct nickname *nickname = find_nickname(text_string(&words), one_location);
    text_add(text, "%s", nickname ? nickname->name : text_string(&words));
}

bool cycle_is_coherence(const struct cycle *cycle)
{
    LOCAL(text) family = {0};
    cycle_family(cycle, &family);
    bool result = false;
    for (const struct nickname *row = nicknames; row->name; row++)
        result |= row->coherence && strcmp(row->name, text_string(&family)) == 0;
    return result;
}

/* The cycle of a key, unchecked: internal edges Pos or Pod, communications according to the directions. */
static void cycle_of_key(const struct cycle_key *key, bool same, struct cycle *cycle)
{
    *cycle = (struct cycle){0};
    for (size_t i = 0; i < key->count; i++) {
        const enum cycle_thread thread = key->threads[i], next = key->threads[(i + 1) % key->count];
        if (!cycle_kinds[thread].single) {
            cycle->events[cycle->count].direction = cycle_kinds[thread].first;
            cycle->edges[cycle->count++] = (struct cycle_edge){.relation = CYCLE_PO, .same_location = same};
        }
        cycle->events[cycle->count].direction = cycle_kinds[thread].last;
        cycle->edges[cycle->count++] =
            (struct cycle_edge){.relation = cycle_communication(cycle_kinds[thread].last, cycle_kinds[next].first),
                                .external = true,
                                .same_location = true};
    }
}

static enum status refuse_name(const char *name, struct error *error)
{
    LOCAL(text) similar = {0};
    size_t least = SIZE_MAX;
    for (const struct nickname *row = nicknames; row->name; row++) {
        const size_t distance = resemblance_distance(name, row->name);
        least = distance < least ? distance : least;
    }
    for (const struct nickname *row = nicknames; row->name && least <= (strlen(name) + 1) / 2; row++)
        if (resemblance_distance(name, row->name) == least)
            text_add(&similar, "%s%s", similar.size > 0 ? ", " : "", row->name);
    return error_set(error, STATUS_USAGE, "expected a family such as MP or W+RR+WW+WR, found '%.80s'%s%s%s", name,
                     similar.size > 0 ? " (similar: " : "", text_string(&similar), similar.size > 0 ? ")" : "");
}

enum status cycle_of_family(const char *name, struct cycle *cycle, struct error *error)
{
    struct cycle_key key;
    bool same;
    if (!cycle_find_key(name, strlen(name), &key, &same))
        return refuse_name(name, error);
    const size_t inner = SUM_OF(size_t, thread, key.threads, key.count, !cycle_kinds[*thread].single);
    cycle_of_key(&key, same || inner < 2, cycle);
    cycle_normalize(cycle);
    struct error reason = {0};
    if (cycle_check(cycle, &reason) != STATUS_OK)
        return error_set(error, STATUS_USAGE, "family '%.80s' has no cycle: %s", name, reason.text);
    return STATUS_OK;
}

const char *cycle_nickname(size_t index)
{
    size_t count = 0;
    while (nicknames[count].name)
        count++;
    return index < count ? nicknames[index].name : NULL;
}

const struct cycle_ends cycle_ends[] = {
    [CYCLE_RF] = {CYCLE_WRITE, CYCLE_READ},     [CYCLE_CO] = {CYCLE_WRITE, CYCLE_WRITE},
    [CYCLE_FR] = {CYCLE_READ, CYCLE_WRITE},     [CYCLE_PO] = {LITMUS_NONE, LITMUS_NONE},
    [CYCLE_FENCE] = {LITMUS_NONE, LITMUS_NONE}, [CYCLE_ADDRESS] = {CYCLE_READ, LITMUS_NONE},
    [CYCLE_DATA] = {CYCLE_READ, CYCLE_WRITE},   [CYCLE_CONTROL] = {CYCLE_READ, LITMUS_NONE},
};

bool cycle_is_communication(enum cycle_relation relation)
{
    return relation == CYCLE_RF || relation == CYCLE_CO || relation == CYCLE_FR;
}

enum cycle_relation cycle_communication(enum cycle_direction from, enum cycle_direction to)
{
    if (from == CYCLE_READ)
        return to == CYCLE_WRITE ? CYCLE_FR : CYCLE_RF;
    return to == CYCLE_WRITE ? CYCLE_CO : CYCLE_RF;
}

size_t cycle_threads(const struct cycle *cycle)
{
    return SUM_OF(size_t, edge, cycle->edges, cycle->count, edge->external);
}

static unsigned count_changes(const struct cycle *cycle)
{
    return SUM_OF(unsigned, edge, cycle->edges, cycle->count, !edge->same_location);
}

unsigned cycle_locations(const struct cycle *cycle, unsigned locations[CYCLE_MAXIMUM_EDGES])
{
    const unsigned changes = count_changes(cycle), count = changes == 0 ? 1 : changes;
    unsigned location = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        locations[i] = location;
        if (!cycle->edges[i].same_location)
            location = (location + 1) % count;
    }
    return count;
}

static const char *direction_name(int direction)
{
    return direction == CYCLE_READ ? "a read" : "a write";
}

/* Whether an edge has the directions that its relation requires. Rfe and DpData have no letters for them. */
static enum status check_ends(const struct cycle *cycle, size_t edge, struct error *error)
{
    const enum cycle_relation relation = cycle->edges[edge].relation;
    const int required[2] = {cycle_ends[relation].first, cycle_ends[relation].last};
    for (size_t i = 0; i < 2; i++) {
        const int found = (int)cycle->events[(edge + i) % cycle->count].direction;
        if (required[i] != LITMUS_NONE && required[i] != found)
            return error_set(error, STATUS_SYNTAX, "edge %zu of the cycle: expected %s at its %s, found %s", edge + 1,
                             direction_name(required[i]), i == 0 ? "start" : "end", direction_name(found));
    }
    return STATUS_OK;
}

enum status cycle_check(const struct cycle *cycle, struct error *error)
{
    const size_t threads = cycle_threads(cycle);
    const unsigned changes = count_changes(cycle);
    bool ordered = false;
    if (cycle->count < 2)
        return error_set(error, STATUS_SYNTAX, "the cycle: expected at least two edges, found %zu", cycle->count);
    for (size_t i = 0; i < cycle->count; i++) {
        TRY(check_ends(cycle, i, error));
        ordered |= !cycle_is_communication(cycle->edges[i].relation);
    }
    if (threads == 0)
        return error_set(error, STATUS_SYNTAX, "the cycle: expected an edge between threads such as Rfe, found none");
    if (threads > CYCLE_MAXIMUM_THREADS)
        return error_set(error, STATUS_LIMIT, "the cycle: expected at most %d threads, found %zu",
                         CYCLE_MAXIMUM_THREADS, threads);
    if (threads == 1 && changes > 0)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected at least two edges between threads if there are several locations, "
                         "found one");
    if (changes == 1)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected no edge to another location, or at least two, found one, after which "
                         "the location never changes back");
    if (changes == 0 && !ordered)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected an edge of program order, found only communications of one location, "
                         "which contradict each other");
    return STATUS_OK;
}

/* Turns the cycle so that event `first` becomes event 0. */
static void cycle_rotate(struct cycle *cycle, size_t first)
{
    const struct cycle old = *cycle;
    for (size_t i = 0; i < old.count; i++) {
        cycle->edges[i] = old.edges[(first + i) % old.count];
        cycle->events[i] = old.events[(first + i) % old.count];
    }
}

void cycle_normalize(struct cycle *cycle)
{
    struct cycle_key key;
    size_t best = 0, start = 0;
    cycle_key_of(cycle, &key);
    for (size_t i = 1; i < key.count; i++)
        if (cycle_compare_rotations(&key, i, best) < 0)
            best = i;
    for (size_t thread = 0; thread < best; start++)
        thread += cycle->edges[start].external;
    if (start > 0)
        cycle_rotate(cycle, start);
}

/* ---- the words of cycles: read and printed by the same tables: read and printed by the same tables ---- */

enum { ANY = -1 };

/* A word is its name, then s or d and the letters of its directions, or e or i for a communication. */
static const struct edge_word {
    const char *name;
    enum cycle_relation relation;
    enum litmus_order fence;
    int first, last; /* directions, or ANY: a letter of the word */
} edge_words[] = {CYCLE_EDGE_WORD_LIST(ROW_OF)};

static const char *const order_words[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = "Pln",   [LITMUS_VOLATILE] = "Vol", [LITMUS_RELAXED] = "Rlx", [LITMUS_ACQUIRE] = "Acq",
    [LITMUS_RELEASE] = "Rel", [LITMUS_ACQ_REL] = "AR",   [LITMUS_SEQ_CST] = "Sc",
};

/* The scopes of fences in PTX's words, with those that only Vulkan has. */
static const struct word scope_words[] = {CYCLE_SCOPE_WORD_LIST(ROW_OF){NULL, 0}};

struct cycle_reader {
    struct cycle *cycle;
    /* Of each edge, until its neighbours are known. */
    enum cycle_direction first[CYCLE_MAXIMUM_EDGES], last[CYCLE_MAXIMUM_EDGES];
    struct text_part words[CYCLE_MAXIMUM_EDGES];
    int orders[CYCLE_MAXIMUM_EDGES + 1]; /* written before edge i, or after the last; LITMUS_NONE */
    struct error *error;
};

static enum status cycle_refuse_word(struct cycle_reader *reader, const struct text_part *word, const char *expected)
{
    return error_set(reader->error, STATUS_SYNTAX, "word '%.*s' of the cycle: expected %s", (int)word->size,
                     word->start, expected);
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

/* Reads the text after the name of the next edge; true if all of it is understood. */
static bool read_rest(struct cycle_reader *reader, const struct edge_word *row, const char *at, const char *end)
{
    const size_t next = reader->cycle->count;
    struct cycle_edge *edge = &reader->cycle->edges[next];
    const bool communication = cycle_is_communication(row->relation);
    if (at == end || !strchr(communication ? "ei" : "sd", *at))
        return false;
    edge->external = *at == 'e';
    edge->same_location = communication || *at == 's';
    at++;
    if (!read_direction(row->first, &at, end, &reader->first[next]) ||
        !read_direction(row->last, &at, end, &reader->last[next]))
        return false;
    if (row->relation == CYCLE_FENCE && at < end && *at == '.')
        return read_scope(at + 1, (size_t)(end - at - 1), &edge->fence_scope);
    return at == end;
}

static bool read_edge(struct cycle_reader *reader, const struct text_part *word)
{
    FOR_EACH(const struct edge_word, row, edge_words, COUNT(edge_words)) {
        const size_t length = strlen(row->name);
        if (word->size <= length || memcmp(word->start, row->name, length) != 0)
            continue;
        reader->words[reader->cycle->count] = *word;
        reader->cycle->edges[reader->cycle->count] =
            (struct cycle_edge){.relation = row->relation, .fence = row->fence};
        if (read_rest(reader, row, word->start + length, word->start + word->size))
            return true;
    }
    return false;
}

static enum status cycle_read_word(struct cycle_reader *reader, const struct text_part *word)
{
    for (int i = 0; i < LITMUS_ORDER_COUNT; i++) {
        if (strlen(order_words[i]) != word->size || memcmp(order_words[i], word->start, word->size) != 0)
            continue;
        if (reader->orders[reader->cycle->count] != LITMUS_NONE)
            return cycle_refuse_word(reader, word, "one annotation of an event, found a second one");
        reader->orders[reader->cycle->count] = i;
        return STATUS_OK;
    }
    if (reader->cycle->count == CYCLE_MAXIMUM_EDGES)
        return error_set(reader->error, STATUS_LIMIT, "the cycle: expected at most %d edges, found more",
                         CYCLE_MAXIMUM_EDGES);
    if (!read_edge(reader, word))
        return cycle_refuse_word(
            reader, word,
            "an edge such as Rfe, Fre, Coe, PodWW, PosRR, FenceScdWR, DpAddrdR, or an annotation (Pln, Vol, "
            "Rlx, Acq, Rel, AR, Sc)");
    reader->orders[++reader->cycle->count] = LITMUS_NONE;
    return STATUS_OK;
}

static enum status cycle_read_words(struct cycle_reader *reader, const char *text)
{
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const struct text_part word = {text, strcspn(text, blanks)};
        TRY(cycle_read_word(reader, &word));
        text += word.size;
    }
    if (reader->cycle->count < 2)
        return error_set(reader->error, STATUS_SYNTAX, "the cycle: expected at least two edges, found %zu",
                         reader->cycle->count);
    return STATUS_OK;
}

/* Joins the edges: each ends where the next one starts. */
static enum status join_edges(struct cycle_reader *reader)
{
    struct cycle *cycle = reader->cycle;
    const size_t count = cycle->count;
    if (reader->orders[0] != LITMUS_NONE && reader->orders[count] != LITMUS_NONE &&
        reader->orders[0] != reader->orders[count])
        return error_set(reader->error, STATUS_SYNTAX,
                         "the cycle: expected the same annotation at the start and the end, which are one event, "
                         "found %s and %s",
                         order_words[reader->orders[0]], order_words[reader->orders[count]]);
    if (reader->orders[0] == LITMUS_NONE)
        reader->orders[0] = reader->orders[count];
    for (size_t i = 0; i < count; i++) {
        const size_t next = (i + 1) % count;
        if (reader->last[i] != reader->first[next])
            return error_set(reader->error, STATUS_SYNTAX,
                             "edge '%.*s' of the cycle ends in %s, but the next edge '%.*s' starts with %s",
                             (int)reader->words[i].size, reader->words[i].start,
                             reader->last[i] == CYCLE_READ ? "a read" : "a write", (int)reader->words[next].size,
                             reader->words[next].start, reader->first[next] == CYCLE_READ ? "a read" : "a write");
        cycle->events[i].direction = reader->first[i];
        cycle->events[i].ordered = reader->orders[i] != LITMUS_NONE;
        if (cycle->events[i].ordered)
            cycle->events[i].order = (enum litmus_order)reader->orders[i];
    }
    return STATUS_OK;
}

enum status cycle_parse(const char *text, struct cycle *cycle, struct error *error)
{
    struct cycle_reader reader = {.cycle = cycle, .orders = {LITMUS_NONE}, .error = error};
    *cycle = (struct cycle){.count = 0};
    TRY(cycle_read_words(&reader, text));
    TRY(join_edges(&reader));
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

/* ---- critical cycles ---- */

/* Critical cycles (Shasha and Snir, "Efficient and correct execution of parallel programs that share memory", TOPLAS
 * 1988; "critical" as in Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014): two events of a thread at most,
 * of different locations, and three of a location at most, of different threads. So successive communications are Co
 * then Rf, or Fr then Rf; other sequences are equivalent to one communication. Hence a thread of one event is a write
 * that is read. */

static bool is_critical(const struct cycle_key *key)
{
    size_t doubles = 0;
    for (size_t i = 0; i < key->count; i++) {
        const enum cycle_thread thread = key->threads[i], next = key->threads[(i + 1) % key->count];
        const bool read_next = cycle_kinds[next].first == CYCLE_READ;
        if (cycle_kinds[thread].last == CYCLE_READ && read_next)
            return false;
        if (thread == CYCLE_W && !read_next)
            return false;
        doubles += !cycle_kinds[thread].single;
    }
    return doubles >= 2;
}

static bool is_least(const struct cycle_key *key)
{
    return !ANY_NUMBER(size_t, i, 1, key->count, cycle_compare_rotations(key, i, 0) < 0);
}

/* The next key in the order in which keys are compared; false after the last one. */
static bool advance(struct cycle_key *key)
{
    for (size_t i = key->count; i-- > 0;) {
        if (key->threads[i] < CYCLE_WR) {
            key->threads[i]++;
            return true;
        }
        key->threads[i] = CYCLE_W;
    }
    return false;
}

bool cycle_next_critical(unsigned threads, struct cycle_key *key, struct cycle *cycle)
{
    do {
        if (!advance(key)) /* which has set all threads to the first kind again */
            key->count = key->count == 0 ? 2 : key->count + 1;
        if (key->count > threads)
            return false;
    } while (!is_critical(key) || !is_least(key));
    cycle_of_key(key, false, cycle);
    return true;
}
