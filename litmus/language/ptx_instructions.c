// SPDX-License-Identifier: Apache-2.0
/* The table of PTX's instructions, which ptx_instructions.txt lists, and their words out of it. */
#include "litmus/language/ptx_instructions.h"

#include "litmus/language/ptx_instructions_lists.h"

/* "shared" is the thread's own work-group's memory, which "shared::cluster" may be too. */
#define SHARED "shared|shared::cta|shared::cluster"
#define OWN "shared|shared::cta"
#define BULK_SHARED "shared::cta|shared|shared::cluster"
#define BULK_OWN "shared::cta|shared"
#define NOTIFIES "mbarrier::complete_tx::bytes"
#define ACQUIRES "acquire.sync_restrict::shared::cluster.cluster"
#define RELEASES "release.sync_restrict::shared::cta.cluster"
#define MAPS "tensormap::generic"
#define WAITED ".ORDER?.SCOPE?." OWN "?.b64"
#define CHANGED ".ORDER?.SCOPE?." SHARED "?.b64"

#define COPIES(flags, ...) .means = {PTX_COPY, flags, LITMUS_STORE, __VA_ARGS__}
#define REDUCES(flags, ...)                                                                                            \
    COPIES(flags, .order = LITMUS_RELAXED, .scope = LITMUS_DEVICE, .from = LITMUS_LOCAL, __VA_ARGS__)
#define GROUPS(...) .means = {PTX_GROUP, .action = __VA_ARGS__}
#define CHANGES(...) .means = {PTX_MBARRIER, .operation = __VA_ARGS__}
#define ORDERS(...) .means = {.shape = PTX_FENCE, __VA_ARGS__}
#define RESTRICTED(flags, order, proxy)                                                                                \
    .means = {.shape = PTX_FENCE, PTX_ON_SHARED | (flags), 0, order, LITMUS_CLUSTER, 0, proxy, LITMUS_SYNC_RESTRICT}
#define OF_MAPS(flags, ...)                                                                                            \
    .means = {.shape = PTX_FENCE,                                                                                      \
              PTX_ON_GLOBAL | (flags),                                                                                 \
              .proxy = LITMUS_TENSORMAP_PROXY,                                                                         \
              .restriction = LITMUS_TENSORMAP_RESTRICT,                                                                \
              __VA_ARGS__}
#define MEETS(...) .means = {.shape = PTX_BARRIER, __VA_ARGS__}
#define TOGETHER(...) .means = {.shape = PTX_COLLECTIVE, .together = __VA_ARGS__}
#define IS(...) .means = {.shape = __VA_ARGS__}
#define TEXT(reading) .means = {.shape = PTX_TEXT}, .in_code = reading
#define LOADS                                                                                                          \
    .orders = 1U << LITMUS_PLAIN | 1U << LITMUS_VOLATILE | 1U << LITMUS_RELAXED | 1U << LITMUS_ACQUIRE,                \
    .expected = "an order of loads: weak, volatile, relaxed or acquire"
#define STORES                                                                                                         \
    .orders = 1U << LITMUS_PLAIN | 1U << LITMUS_VOLATILE | 1U << LITMUS_RELAXED | 1U << LITMUS_RELEASE,                \
    .expected = "an order of stores: weak, volatile, relaxed or release"
#define UPDATES                                                                                                        \
    .orders = 1U << LITMUS_RELAXED | 1U << LITMUS_ACQUIRE | 1U << LITMUS_RELEASE | 1U << LITMUS_ACQ_REL,               \
    .expected = "an order of atomics: relaxed, acquire, release or acq_rel"
#define A_PROXY "a fence of a proxy: alias, async, generic, texture, surface or constant"
#define ASYNC_RELEASES "st.async.release or red.async.release.add, at scope gpu or sys"

const struct ptx_instruction ptx_instructions[] = {PTX_INSTRUCTION_LIST(ROW_OF){NULL, IS(PTX_ABSENT)}};

/* ---- rows ---- */

bool ptx_is_start(const struct ptx_instruction *row)
{
    return row->means.shape < PTX_COPY;
}

const struct ptx_instruction *ptx_find_in_code(const char *opcode, size_t size)
{
    for (const struct ptx_instruction *row = ptx_instructions; row->words; row++) {
        const size_t length = strlen(row->words);
        if (ptx_is_start(row) && size >= length && memcmp(opcode, row->words, length) == 0 &&
            (size == length || opcode[length] == '.'))
            return row;
    }
    return NULL;
}

static const char *find_name(enum ptx_shape shape, enum litmus_proxy proxy, enum litmus_operator op)
{
    const struct ptx_instruction *row = ptx_instructions;
    while (row->words && (row->means.shape != shape || row->means.proxy != proxy || row->means.op != op))
        row++;
    return row->words;
}

const char *ptx_operator_name(enum ptx_shape shape, enum litmus_operator op)
{
    return find_name(shape, LITMUS_GENERIC, op);
}

const char *ptx_access_name(enum ptx_shape shape, enum litmus_proxy proxy)
{
    return find_name(shape, proxy, (enum litmus_operator)0);
}

/* ---- meanings of statements ---- */

#define FLAG(shape, flag, member) shape, flag, 0, offsetof(struct litmus_statement, member)
#define MEMBER(shape, name, member)                                                                                    \
    shape, 0, offsetof(struct ptx_meaning, name), offsetof(struct litmus_statement, member)

/* Where a statement has what a meaning says: a bool for a flag, or an enumeration. */
static const struct {
    enum ptx_shape shape;
    unsigned flag;
    size_t meaning, statement;
} members[] = {
    {FLAG(PTX_COPY, PTX_BULK, copy.bulk)},
    {FLAG(PTX_COPY, PTX_THROUGH_L2, copy.through_l2)},
    {FLAG(PTX_COPY, PTX_CLUSTER, copy.cluster)},
    {MEMBER(PTX_COPY, operation, copy.operation)},
    {MEMBER(PTX_COPY, order, copy.order)},
    {MEMBER(PTX_COPY, scope, copy.scope)},
    {MEMBER(PTX_COPY, type, copy.type)},
    {FLAG(PTX_GROUP, PTX_BULK, group.bulk)},
    {FLAG(PTX_GROUP, PTX_MATRIX, group.matrix)},
    {FLAG(PTX_GROUP, PTX_READ, group.read)},
    {FLAG(PTX_GROUP, PTX_NO_INCREMENT, group.no_increment)},
    {MEMBER(PTX_GROUP, action, group.action)},
    {FLAG(PTX_FENCE, PTX_ON_GLOBAL, fence.flag_global)},
    {FLAG(PTX_FENCE, PTX_ON_SHARED, fence.flag_local)},
    {FLAG(PTX_FENCE, PTX_CLUSTER, fence.cluster)},
    {MEMBER(PTX_FENCE, order, fence.order)},
    {MEMBER(PTX_FENCE, scope, fence.scope)},
    {MEMBER(PTX_FENCE, proxy, fence.proxy)},
    {MEMBER(PTX_FENCE, restriction, fence.restriction)},
    {FLAG(PTX_BARRIER, PTX_ARRIVES, barrier.arrive)},
    {FLAG(PTX_BARRIER, PTX_WAITS, barrier.wait)},
    {FLAG(PTX_BARRIER, PTX_RELAXED, barrier.relaxed)},
    {FLAG(PTX_BARRIER, PTX_UNALIGNED, barrier.unaligned)},
    {MEMBER(PTX_BARRIER, scope, barrier.scope)},
    {MEMBER(PTX_COLLECTIVE, together, collective.function)},
    {MEMBER(PTX_COLLECTIVE, type, collective.type)},
};

_Static_assert(sizeof(enum litmus_order) == sizeof(int) && sizeof(enum litmus_restriction) == sizeof(int),
               "an enumeration has the size of an int");

void ptx_set_statement(const struct ptx_meaning *meaning, struct litmus_statement *statement)
{
    for (size_t i = 0; i < COUNT(members); i++) {
        char *const to = (char *)statement + members[i].statement;
        const bool is = (meaning->flags & members[i].flag) != 0;
        if (members[i].shape == meaning->shape)
            memcpy(to, members[i].flag ? (const void *)&is : (const char *)meaning + members[i].meaning,
                   members[i].flag ? sizeof is : sizeof(int));
    }
}

/* The other way. */
static struct ptx_meaning read_members(enum ptx_shape shape, const struct litmus_statement *statement)
{
    struct ptx_meaning meaning = {.shape = shape};
    for (size_t i = 0; i < COUNT(members); i++) {
        const char *const from = (const char *)statement + members[i].statement;
        if (members[i].shape == shape && members[i].flag)
            meaning.flags |= *(const bool *)from ? members[i].flag : 0u;
        else if (members[i].shape == shape)
            memcpy((char *)&meaning + members[i].meaning, from, sizeof(int));
    }
    return meaning;
}

static struct ptx_meaning meaning_of_copy(const struct litmus_test *test, const struct litmus_statement *statement)
{
    const struct litmus_copy *copy = &statement->copy;
    struct ptx_meaning meaning = read_members(PTX_COPY, statement);
    const struct litmus_location *to = &test->locations[copy->to->index],
                                 *from = copy->from ? &test->locations[copy->from->index] : to;
    const bool tensor = to->type == LITMUS_TENSORMAP || from->type == LITMUS_TENSORMAP;
    meaning.flags |= (copy->mbarrier ? PTX_NOTIFIES : 0u) | (copy->to->right ? PTX_MULTICAST : 0u) |
                     (tensor ? PTX_TENSOR : 0u) | (copy->from ? 0u : PTX_VALUE);
    meaning.to = to->region;
    meaning.from = copy->from ? from->region : LITMUS_GLOBAL;
    return meaning;
}

/* An access of an mbarrier, a tensor map or a matrix. One of another work-group's memory is written shared::cluster. */
static struct ptx_meaning meaning_of_access(const struct litmus_test *test, const struct litmus_thread *thread,
                                            const struct litmus_access *access)
{
    const struct litmus_location *location = &test->locations[access->address->index];
    const bool remote = location->home != LITMUS_NONE && location->home != thread->placement.work_group;
    if (access->proxy == LITMUS_ASYNC)
        return (struct ptx_meaning){.shape = PTX_MULTIPLY, .proxy = LITMUS_ASYNC};
    if (access->type == LITMUS_TENSORMAP)
        return (struct ptx_meaning){.shape = PTX_REPLACE, .operation = LITMUS_STORE, .to = location->region};
    return (struct ptx_meaning){.shape = PTX_MBARRIER,
                                .flags = remote ? PTX_CLUSTER : 0u,
                                .operation = access->operation,
                                .order = access->order,
                                .scope = access->scope};
}

/* A fence of the async proxy that names no memory is for all. */
static struct ptx_meaning meaning_of_fence(const struct litmus_statement *statement)
{
    const unsigned all = PTX_ON_GLOBAL | PTX_ON_SHARED;
    struct ptx_meaning meaning = read_members(PTX_FENCE, statement);
    if (meaning.restriction == LITMUS_UNRESTRICTED) {
        const bool some = (meaning.flags & all) == PTX_ON_GLOBAL || (meaning.flags & all) == PTX_ON_SHARED;
        meaning.flags = meaning.proxy != LITMUS_ASYNC || meaning.order != LITMUS_PLAIN ? 0 : some ? meaning.flags : all;
    }
    if (statement->fence.from)
        meaning.flags |= PTX_TENSOR;
    meaning.from = statement->fence.from ? LITMUS_LOCAL : LITMUS_GLOBAL;
    return meaning;
}

/* What no mapping to PTX need set: the work-group, and that who does not arrive at a cluster's barrier waits. */
static struct ptx_meaning meaning_of_barrier(const struct litmus_statement *statement)
{
    struct ptx_meaning meaning = read_members(PTX_BARRIER, statement);
    if (meaning.scope != LITMUS_CLUSTER && meaning.scope != LITMUS_SUB_GROUP)
        meaning.scope = LITMUS_WORK_GROUP;
    if (meaning.scope == LITMUS_CLUSTER && !statement->barrier.arrive)
        meaning.flags |= PTX_WAITS;
    return meaning;
}

struct ptx_meaning ptx_meaning_of(const struct litmus_test *test, const struct litmus_thread *thread,
                                  const struct litmus_statement *statement)
{
    switch (statement->kind) {
    case LITMUS_COPY:
        return meaning_of_copy(test, statement);
    case LITMUS_GROUP:
        return read_members(PTX_GROUP, statement);
    case LITMUS_FENCE:
        return meaning_of_fence(statement);
    case LITMUS_BARRIER:
        return meaning_of_barrier(statement);
    case LITMUS_COLLECTIVE:
        return read_members(PTX_COLLECTIVE, statement);
    default:
        return meaning_of_access(test, thread, statement->value->access);
    }
}

struct litmus_expression **ptx_operand(struct litmus_statement *statement, char letter)
{
    switch (letter) {
    case 't':
    case 'T':
    case 'e':
        return &statement->copy.to;
    case 'f':
        return &statement->copy.from;
    case 'v':
        return &statement->copy.value;
    case 'q':
        return &statement->value;
    case 'l':
        return &statement->collective.lane;
    case 'K':
        return &statement->collective.mask;
    case 'A':
        return &statement->fence.from;
    case 'a':
    case 'd':
        return statement->kind == LITMUS_FENCE ? &statement->fence.map : &statement->value->access->address;
    case 'm':
    case 'M':
        return statement->kind == LITMUS_COPY    ? &statement->copy.mbarrier
               : statement->kind == LITMUS_GROUP ? &statement->group.mbarrier
                                                 : &statement->value->access->address;
    default:
        return &statement->value->access->operand;
    }
}

/* ---- words ---- */

static const struct word slots[] = {
    {"ORDER", PTX_ORDER},
    {"FENCE_ORDER", PTX_FENCE_ORDER},
    {"SCOPE", PTX_SCOPE},
    {"WIDE_SCOPE", PTX_WIDE_SCOPE},
    {"TYPE", PTX_TYPE},
    {"MEMBAR_SCOPE", PTX_MEMBAR_SCOPE},
    {"OPERATION", PTX_OPERATION},
    {"PROXY", PTX_PROXY},
    {NULL, 0},
};

bool ptx_next_word(const char **words, struct ptx_word *word)
{
    if (**words == '\0')
        return false;
    const size_t size = strcspn(*words, ".");
    word->text = *words;
    word->optional = word->text[size - 1] == '?';
    word->size = size - word->optional;
    word->slot = word_value(slots, word->text, word->size);
    *words += size + (word->text[size] == '.');
    return true;
}

bool ptx_word_is(const struct ptx_word *word, const char *text, size_t size)
{
    for (const char *choice = word->text, *end = word->text + word->size; choice < end;) {
        const char *const bar = memchr(choice, '|', (size_t)(end - choice));
        const size_t length = (size_t)((bar ? bar : end) - choice);
        if (length == size && memcmp(choice, text, size) == 0)
            return true;
        choice += length + 1;
    }
    return false;
}

/* For and, or and xor the ISA uses b types. */
static const char *type_name(const struct ptx_meaning *meaning)
{
    const bool bits = meaning->operation >= LITMUS_FETCH_AND && meaning->operation <= LITMUS_FETCH_XOR;
    if (bits && (meaning->type == LITMUS_INT || meaning->type == LITMUS_LONG))
        return meaning->type == LITMUS_INT ? "b32" : "b64";
    return word_name(ptx_type_words, (int)meaning->type);
}

static const char *slot_name(const struct ptx_meaning *meaning, int slot)
{
    switch (slot) {
    case PTX_ORDER:
    case PTX_FENCE_ORDER:
        return litmus_order_name(LITMUS_PTX, meaning->order);
    case PTX_TYPE:
        return type_name(meaning);
    case PTX_OPERATION:
        return litmus_operation_name(LITMUS_PTX, meaning->operation);
    case PTX_PROXY:
        return litmus_proxy_name(meaning->proxy);
    default:
        return litmus_scope_name(LITMUS_PTX, meaning->scope);
    }
}

static bool has(const struct ptx_instruction *row, const char *word)
{
    return strstr(row->words, word) != NULL;
}

/* A word that stands for those of a table may have any meaning in it. */
static bool ptx_instructions_means(const struct ptx_instruction *row, const struct ptx_meaning *wanted)
{
    const struct ptx_meaning *const own = &row->means;
    const unsigned any = PTX_BRIEF | (has(row, "|shared::cluster") ? PTX_CLUSTER : 0u);
    const bool changes = wanted->operation >= LITMUS_EXCHANGE;
    return own->shape == wanted->shape && ((own->flags ^ wanted->flags) & ~any) == 0 &&
           (has(row, "OPERATION") ? changes : own->operation == wanted->operation) &&
           (has(row, "ORDER") || own->order == wanted->order) && (has(row, "SCOPE") || own->scope == wanted->scope) &&
           (has(row, "PROXY") || own->proxy == wanted->proxy) && own->restriction == wanted->restriction &&
           own->action == wanted->action && own->to == wanted->to && own->from == wanted->from &&
           own->together == wanted->together &&
           (own->together < LITMUS_REDUCE_ADD || own->together > LITMUS_REDUCE_MAX || own->type == wanted->type);
}

const struct ptx_instruction *ptx_find_meaning(const struct ptx_meaning *meaning)
{
    const struct ptx_instruction *row = ptx_instructions;
    while (row->words && !ptx_instructions_means(row, meaning))
        row++;
    return row->words ? row : NULL;
}

void ptx_add_words(const struct ptx_meaning *meaning, const char *type, struct text *text)
{
    static const char cluster[] = "shared::cluster";
    const struct ptx_instruction *row = ptx_find_meaning(meaning);
    const char *words = row ? row->words : "", *dot = "";
    struct ptx_word word;
    if (!row)
        text_add(text, "?");
    for (; ptx_next_word(&words, &word); dot = ".") {
        const bool qualifies = word.slot == PTX_ORDER || word.slot == PTX_SCOPE;
        const size_t first = strcspn(word.text, "|.?"), size = first < word.size ? first : word.size;
        if (word.optional && qualifies && (meaning->flags & PTX_BRIEF) != 0)
            continue;
        if (word.slot != LITMUS_NONE)
            text_add(text, "%s%s", dot, type && word.slot == PTX_TYPE ? type : slot_name(meaning, word.slot));
        else if ((meaning->flags & PTX_CLUSTER) != 0 && ptx_word_is(&word, cluster, strlen(cluster)))
            text_add(text, "%s%s", dot, cluster);
        else
            text_add(text, "%s%.*s", dot, (int)size, word.text);
    }
}

/* ---- accesses ---- */

static void add_cache(enum litmus_cache cache, struct text *text)
{
    if (cache != LITMUS_CACHE_NONE)
        text_add(text, ".%s", litmus_cache_name(cache));
}

/* In code, a cache operator comes right after the state space and before .nc; other qualifiers come after .nc. */
void ptx_add_access(const struct litmus_access *access, const char *space, struct text *text)
{
    /* LOAD, STORE, ATOM or RED. */
    const enum ptx_shape shape = access->operation == LITMUS_LOAD    ? PTX_LOAD
                                 : access->operation == LITMUS_STORE ? PTX_STORE
                                 : access->no_result                 ? PTX_RED
                                                                     : PTX_ATOM;
    const bool constant = access->read_only || access->proxy == LITMUS_READONLY;
    const bool scoped = access->order != LITMUS_PLAIN && access->order != LITMUS_VOLATILE;
    const bool first = space && litmus_cache_is_operator(access->cache);
    if (constant)
        text_add(text, access->read_only ? "ld" : "ld.proxy::readonly");
    else
        text_add(text, "%s%s.%s", ptx_access_name(shape, access->proxy), access->mmio ? ".mmio" : "",
                 litmus_order_name(LITMUS_PTX, access->order));
    if (scoped)
        text_add(text, ".%s", litmus_scope_name(LITMUS_PTX, access->scope));
    text_add(text, "%s", space ? space : constant ? ".global" : "");
    if (first)
        add_cache(access->cache, text);
    text_add(text, access->read_only ? ".nc" : "");
    if (!first)
        add_cache(access->cache, text);
    add_cache(access->prefetch, text);
    if (shape == PTX_ATOM || shape == PTX_RED)
        text_add(text, ".%s", litmus_operation_name(LITMUS_PTX, access->operation));
}
