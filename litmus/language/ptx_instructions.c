// SPDX-License-Identifier: Apache-2.0
/* The table of PTX's instructions, and their words out of it. */
#include "litmus/language/ptx_instructions.h"

#include <string.h>

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

#define COPIES(...) .means = {PTX_COPY, __VA_ARGS__}
#define GROUPS(...) .means = {PTX_GROUP, .action = __VA_ARGS__}
#define CHANGES(...) .means = {PTX_MBARRIER, .operation = __VA_ARGS__}
#define ORDERS(...) .means = {PTX_FENCE, __VA_ARGS__}
#define MEETS(...) .means = {PTX_BARRIER, __VA_ARGS__}
#define IS(...) .means = {__VA_ARGS__}
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

const struct ptx_instruction ptx_instructions[] = {
    /* ---- asynchronous copies (PTX ISA, cp.async to st.async) ---- */
    {"cp.async.ca." OWN "?.global?", COPIES(.to = LITMUS_LOCAL), "tfb", .unread = 4},
    {"cp.async.cg." OWN "?.global?", COPIES(PTX_THROUGH_L2, .to = LITMUS_LOCAL), "tfb", .unread = 4},
    {"cp.async.bulk." BULK_SHARED ".global." NOTIFIES, COPIES(PTX_BULK | PTX_NOTIFIES, .to = LITMUS_LOCAL), "tfbm"},
    {"cp.async.bulk.shared::cluster.global." NOTIFIES ".multicast::cluster",
     COPIES(PTX_BULK | PTX_NOTIFIES | PTX_MULTICAST | PTX_CLUSTER, .to = LITMUS_LOCAL), "TfbMk"},
    {"cp.async.bulk.tensor.1d." BULK_SHARED ".global.tile?." NOTIFIES,
     COPIES(PTX_BULK | PTX_NOTIFIES | PTX_TENSOR, .to = LITMUS_LOCAL), "tfm"},
    {"cp.async.bulk.tensor.1d.global." BULK_OWN ".tile?.bulk_group",
     COPIES(PTX_BULK | PTX_TENSOR, .from = LITMUS_LOCAL), "tf"},
    {"cp.async.bulk.global." BULK_OWN ".bulk_group", COPIES(PTX_BULK, .from = LITMUS_LOCAL), "tfb"},
    {"cp.async.bulk.relaxed.SCOPE." BULK_SHARED ".global." NOTIFIES ".b128",
     COPIES(PTX_BULK | PTX_NOTIFIES, .to = LITMUS_LOCAL, .order = LITMUS_RELAXED), "tfbm"},
    {"cp.async.bulk.relaxed.SCOPE.global." BULK_OWN ".bulk_group.b128",
     COPIES(PTX_BULK, .from = LITMUS_LOCAL, .order = LITMUS_RELAXED), "tfb"},
    {"cp.async.bulk.shared::cluster." BULK_OWN "." NOTIFIES,
     COPIES(PTX_BULK | PTX_NOTIFIES | PTX_CLUSTER, .to = LITMUS_LOCAL, .from = LITMUS_LOCAL), "tfbm"},
    /* Each element is changed by a relaxed operation of gpu scope. */
    {"cp.reduce.async.bulk.global." BULK_OWN ".bulk_group.OPERATION.TYPE?",
     COPIES(PTX_BULK, .from = LITMUS_LOCAL, .order = LITMUS_RELAXED, .scope = LITMUS_DEVICE), "tfb"},
    {"cp.reduce.async.bulk.shared::cluster." BULK_OWN "." NOTIFIES ".OPERATION.TYPE?",
     COPIES(PTX_BULK | PTX_NOTIFIES | PTX_CLUSTER, .to = LITMUS_LOCAL, .from = LITMUS_LOCAL, .order = LITMUS_RELAXED,
            .scope = LITMUS_DEVICE),
     "tfbm"},
    /* st.async is weak, red.async relaxed at cluster scope; to global memory both are release at gpu or sys, and
     * red.async adds. */
    {"st.async.release.WIDE_SCOPE.global?.TYPE?", COPIES(PTX_VALUE, .order = LITMUS_RELEASE), "tv"},
    {"red.async.release.WIDE_SCOPE.global?.add.TYPE?",
     COPIES(PTX_VALUE, .operation = LITMUS_FETCH_ADD, .order = LITMUS_RELEASE), "tv"},
    {"st.async.weak?.shared::cluster?." NOTIFIES "?.TYPE?",
     COPIES(PTX_VALUE | PTX_NOTIFIES | PTX_CLUSTER, .to = LITMUS_LOCAL), "tvm"},
    {"red.async.relaxed.cluster.shared::cluster?." NOTIFIES "?.OPERATION.TYPE?",
     COPIES(PTX_VALUE | PTX_NOTIFIES | PTX_CLUSTER, .to = LITMUS_LOCAL, .order = LITMUS_RELAXED,
            .scope = LITMUS_CLUSTER),
     "tvm"},
    {"st.async.release.SCOPE.global?.TYPE?", IS(PTX_REFUSED), .expected = ASYNC_RELEASES},
    {"red.async.release.SCOPE.global?.OPERATION.TYPE?", IS(PTX_REFUSED), .expected = ASYNC_RELEASES},
    {"st.async.ORDER.shared::cluster?." NOTIFIES "?.TYPE?", IS(PTX_REFUSED),
     .expected = "st.async.weak, or st.async.release.gpu or .sys to global memory"},
    {"red.async.ORDER.SCOPE.shared::cluster?." NOTIFIES "?.OPERATION.TYPE?", IS(PTX_REFUSED),
     .expected = "red.async.relaxed.cluster, or red.async.release.gpu or .sys to global memory"},
    {"cp.async.commit_group", GROUPS(LITMUS_GROUP_COMMIT), ""},
    {"cp.async.wait_group", GROUPS(LITMUS_GROUP_WAIT), "n"},
    {"cp.async.wait_all", GROUPS(LITMUS_GROUP_WAIT_ALL), ""},
    {"cp.async.bulk.commit_group", GROUPS(LITMUS_GROUP_COMMIT, .flags = PTX_BULK), ""},
    {"cp.async.bulk.wait_group", GROUPS(LITMUS_GROUP_WAIT, .flags = PTX_BULK), "n"},
    {"cp.async.bulk.wait_group.read", GROUPS(LITMUS_GROUP_WAIT, .flags = PTX_BULK | PTX_READ), "n"},
    {"cp.async.mbarrier.arrive." OWN "?.b64", GROUPS(LITMUS_GROUP_ARRIVE), "m"},
    {"cp.async.mbarrier.arrive.noinc." OWN "?.b64", GROUPS(LITMUS_GROUP_ARRIVE, .flags = PTX_NO_INCREMENT), "m"},

    /* ---- mbarriers ---- */
    {"mbarrier.init." OWN "?.b64", CHANGES(LITMUS_MBARRIER_INIT), "mi"},
    {"mbarrier.arrive" CHANGED, CHANGES(LITMUS_ARRIVE, .order = LITMUS_RELEASE), "_mc"},
    {"mbarrier.arrive.expect_tx" CHANGED, CHANGES(LITMUS_ARRIVE_EXPECT_TX, .order = LITMUS_RELEASE), "_mx"},
    {"mbarrier.expect_tx" CHANGED, CHANGES(LITMUS_EXPECT_TX, .order = LITMUS_RELAXED), "mx"},
    {"mbarrier.complete_tx" CHANGED, CHANGES(LITMUS_COMPLETE_TX, .order = LITMUS_RELAXED), "mx"},
    {"mbarrier.test_wait.parity" WAITED, CHANGES(LITMUS_TEST_WAIT, .order = LITMUS_ACQUIRE), "rmp"},
    {"mbarrier.try_wait.parity" WAITED, CHANGES(LITMUS_TRY_WAIT, .order = LITMUS_ACQUIRE), "rmp", .unread = 4},

    /* ---- barriers ---- */
    {"barrier.cluster.arrive.release?", MEETS(PTX_ARRIVES, .scope = LITMUS_CLUSTER), ""},
    {"barrier.cluster.arrive.relaxed", MEETS(PTX_ARRIVES, .scope = LITMUS_CLUSTER, .order = LITMUS_RELAXED), ""},
    {"barrier.cluster.arrive.ORDER", IS(PTX_REFUSED), .expected = "an arrival that is release or relaxed"},
    {"barrier.cluster.wait.acquire?", MEETS(PTX_WAITS, .scope = LITMUS_CLUSTER), ""},
    {"bar.cta.sync", MEETS(.scope = LITMUS_WORK_GROUP), "IR"},
    {"bar.cta.arrive", MEETS(PTX_ARRIVES, .scope = LITMUS_WORK_GROUP), "IR"},
    {"bar.warp.sync", MEETS(.scope = LITMUS_SUB_GROUP), "I"},

    /* ---- fences: without an order acq_rel; membar is a synonym of fence.sc ---- */
    {"fence.proxy.async", ORDERS(PTX_ON_GLOBAL | PTX_ON_SHARED, .proxy = LITMUS_ASYNC), ""},
    {"fence.proxy.async.global", ORDERS(PTX_ON_GLOBAL, .proxy = LITMUS_ASYNC), ""},
    {"fence.proxy.async.shared::cta", ORDERS(PTX_ON_SHARED, .proxy = LITMUS_ASYNC), ""},
    {"fence.proxy.async.shared::cluster", ORDERS(PTX_ON_SHARED | PTX_CLUSTER, .proxy = LITMUS_ASYNC), ""},
    {"fence|membar.proxy.PROXY", ORDERS(0), ""},
    {"fence.FENCE_ORDER?.SCOPE", ORDERS(.order = LITMUS_ACQ_REL), ""},
    {"fence.SCOPE.FENCE_ORDER", ORDERS(.order = LITMUS_ACQ_REL), ""},
    {"membar.MEMBAR_SCOPE", ORDERS(.order = LITMUS_SEQ_CST), ""},
    {"fence." ACQUIRES,
     ORDERS(PTX_CLUSTER | PTX_ON_SHARED, .order = LITMUS_ACQUIRE, .scope = LITMUS_CLUSTER,
            .restriction = LITMUS_SYNC_RESTRICT),
     ""},
    {"fence." RELEASES,
     ORDERS(PTX_ON_SHARED, .order = LITMUS_RELEASE, .scope = LITMUS_CLUSTER, .restriction = LITMUS_SYNC_RESTRICT), ""},
    {"fence.proxy.async::generic." ACQUIRES,
     ORDERS(PTX_CLUSTER | PTX_ON_SHARED, .order = LITMUS_ACQUIRE, .scope = LITMUS_CLUSTER, .proxy = LITMUS_ASYNC,
            .restriction = LITMUS_SYNC_RESTRICT),
     ""},
    {"fence.proxy.async::generic." RELEASES,
     ORDERS(PTX_ON_SHARED, .order = LITMUS_RELEASE, .scope = LITMUS_CLUSTER, .proxy = LITMUS_ASYNC,
            .restriction = LITMUS_SYNC_RESTRICT),
     ""},
    {"fence.mbarrier_init.release.cluster",
     ORDERS(.order = LITMUS_RELEASE, .scope = LITMUS_CLUSTER, .restriction = LITMUS_INIT_RESTRICT), ""},
    {"fence.proxy." MAPS ".release.SCOPE",
     ORDERS(PTX_ON_GLOBAL, .order = LITMUS_RELEASE, .proxy = LITMUS_TENSORMAP_PROXY,
            .restriction = LITMUS_TENSORMAP_RESTRICT),
     ""},
    {"fence.proxy." MAPS ".acquire.SCOPE",
     ORDERS(PTX_ON_GLOBAL, .order = LITMUS_ACQUIRE, .proxy = LITMUS_TENSORMAP_PROXY,
            .restriction = LITMUS_TENSORMAP_RESTRICT),
     "as"},
    {"tensormap.cp_fenceproxy.global.shared::cta." MAPS ".release.SCOPE.sync.aligned",
     ORDERS(PTX_TENSOR | PTX_ON_GLOBAL, .order = LITMUS_RELEASE, .proxy = LITMUS_TENSORMAP_PROXY,
            .restriction = LITMUS_TENSORMAP_RESTRICT, .from = LITMUS_LOCAL),
     "aAs"},
    {"tensormap.replace.tile.global_address.global.b1024.b64", IS(PTX_REPLACE), "aw"},
    {"tensormap.replace.tile.global_address." BULK_OWN ".b1024.b64", IS(PTX_REPLACE, .to = LITMUS_LOCAL), "aw"},

    /* ---- by their first words, the longer ones first ---- */
    {"bar.red", IS(PTX_TEXT), .in_code = PTX_MEETS},
    {"bar", IS(PTX_WRONG), .expected = "bar.cta.sync, bar.cta.arrive or bar.warp.sync", .in_code = PTX_MEETS},
    {"barrier", IS(PTX_TEXT), .in_code = PTX_MEETS},
    {"cp", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"fence.mbarrier_init", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"fence.proxy.async", IS(PTX_WRONG), .in_code = PTX_UNREAD,
     .expected = "fence.proxy.async, or that with .global, .shared::cta or .shared::cluster"},
    {"fence.proxy", IS(PTX_WRONG), .expected = A_PROXY, .in_code = PTX_UNREAD},
    {"fence", IS(PTX_ANY_FENCE), .in_code = PTX_FENCES},
    {"membar.proxy.async", IS(PTX_WRONG), .expected = "fence.proxy.async (membar has no fence of that proxy)",
     .in_code = PTX_UNREAD},
    {"membar.proxy", IS(PTX_WRONG), .expected = A_PROXY, .in_code = PTX_UNREAD},
    {"membar", IS(PTX_WRONG), .expected = "membar.cta, membar.gl or membar.sys", .in_code = PTX_MEMBARS},
    {"mbarrier", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"multimem", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"nanosleep", IS(PTX_TEXT)},
    {"prefetch", IS(PTX_TEXT)},
    {"red.async", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"st.async", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"st.bulk", IS(PTX_TEXT), .in_code = PTX_UNREAD},
    {"tcgen05", IS(PTX_TEXT)},
    {"tensormap", IS(PTX_TEXT)},
    {"ld", IS(PTX_LOAD), LOADS, .in_code = PTX_ACCESSES},
    {"ldu", IS(PTX_TEXT), .in_code = PTX_ACCESSES},
    {"st", IS(PTX_STORE), STORES, .in_code = PTX_ACCESSES},
    {"atom", IS(PTX_ATOM), UPDATES, .in_code = PTX_UPDATES},
    {"red", IS(PTX_RED), UPDATES, .in_code = PTX_UPDATES},
    {"tld", IS(PTX_LOAD, .proxy = LITMUS_TEXTURE), LOADS},
    {"suld", IS(PTX_LOAD, .proxy = LITMUS_SURFACE), LOADS, .in_code = PTX_UNREAD},
    {"cold", IS(PTX_LOAD, .proxy = LITMUS_CONSTANT), LOADS},
    {"sust", IS(PTX_STORE, .proxy = LITMUS_SURFACE), STORES, .in_code = PTX_UNREAD},
    {"suatom", IS(PTX_ATOM, .proxy = LITMUS_SURFACE), UPDATES},
    {"sured", IS(PTX_RED, .proxy = LITMUS_SURFACE), UPDATES, .in_code = PTX_UNREAD},
    {"ldmatrix", IS(PTX_ABSENT), .in_code = PTX_UNREAD},
    {"stmatrix", IS(PTX_ABSENT), .in_code = PTX_UNREAD},
    {"tex", IS(PTX_ABSENT), .in_code = PTX_UNREAD},
    {"tld4", IS(PTX_ABSENT), .in_code = PTX_UNREAD},
    {"mov", IS(PTX_MOVE)},
    {"add", IS(PTX_COMPUTE, .op = LITMUS_ADD)},
    {"sub", IS(PTX_COMPUTE, .op = LITMUS_SUB)},
    {"mul", IS(PTX_COMPUTE, .op = LITMUS_MUL)},
    {"div", IS(PTX_COMPUTE, .op = LITMUS_DIV)},
    {"rem", IS(PTX_COMPUTE, .op = LITMUS_REM)},
    {"and", IS(PTX_COMPUTE, .op = LITMUS_AND)},
    {"or", IS(PTX_COMPUTE, .op = LITMUS_OR)},
    {"xor", IS(PTX_COMPUTE, .op = LITMUS_XOR)},
    {"shl", IS(PTX_COMPUTE, .op = LITMUS_SHL)},
    {"shr", IS(PTX_COMPUTE, .op = LITMUS_SHR)},
    {"min", IS(PTX_COMPUTE, .op = LITMUS_MINIMUM)},
    {"max", IS(PTX_COMPUTE, .op = LITMUS_MAXIMUM)},
    {"beq", IS(PTX_BRANCH, .op = LITMUS_EQ)},
    {"bne", IS(PTX_BRANCH, .op = LITMUS_NE)},
    {"blt", IS(PTX_BRANCH, .op = LITMUS_LT)},
    {"ble", IS(PTX_BRANCH, .op = LITMUS_LE)},
    {"bgt", IS(PTX_BRANCH, .op = LITMUS_GT)},
    {"bge", IS(PTX_BRANCH, .op = LITMUS_GE)},
    {"setp", IS(PTX_COMPARE)},
    {"goto", IS(PTX_JUMP)},
    {"bra", IS(PTX_JUMP)},
    {NULL, IS(PTX_ABSENT)},
};

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

static const struct litmus_location *location_of(const struct litmus_test *test,
                                                 const struct litmus_expression *address)
{
    return &test->locations[address->index];
}

static struct ptx_meaning meaning_of_copy(const struct litmus_test *test, const struct litmus_copy *copy)
{
    const struct litmus_location *to = location_of(test, copy->to),
                                 *from = copy->from ? location_of(test, copy->from) : to;
    const bool tensor = to->type == LITMUS_TENSORMAP || from->type == LITMUS_TENSORMAP;
    return (struct ptx_meaning){.shape = PTX_COPY,
                                .flags = (copy->bulk ? PTX_BULK : 0u) | (copy->mbarrier ? PTX_NOTIFIES : 0u) |
                                         (copy->through_l2 ? PTX_THROUGH_L2 : 0u) | (copy->cluster ? PTX_CLUSTER : 0u) |
                                         (copy->to->right ? PTX_MULTICAST : 0u) | (tensor ? PTX_TENSOR : 0u) |
                                         (copy->from ? 0u : PTX_VALUE),
                                .operation = copy->operation == LITMUS_STORE ? LITMUS_LOAD : copy->operation,
                                .order = copy->order,
                                .scope = copy->scope,
                                .type = copy->type,
                                .to = to->region,
                                .from = copy->from ? from->region : LITMUS_GLOBAL};
}

static struct ptx_meaning meaning_of_group(const struct litmus_group *group)
{
    return (struct ptx_meaning){.shape = PTX_GROUP,
                                .flags = (group->bulk ? PTX_BULK : 0u) | (group->read ? PTX_READ : 0u) |
                                         (group->no_increment ? PTX_NO_INCREMENT : 0u),
                                .action = group->action};
}

/* An access of an mbarrier or a tensor map. One in the memory of another work-group is written shared::cluster. */
static struct ptx_meaning meaning_of_access(const struct litmus_test *test, const struct litmus_thread *thread,
                                            const struct litmus_access *access)
{
    const struct litmus_location *location = location_of(test, access->address);
    const bool remote = location->home != LITMUS_NONE && location->home != thread->placement.work_group;
    if (access->type == LITMUS_TENSORMAP)
        return (struct ptx_meaning){.shape = PTX_REPLACE, .to = location->region};
    return (struct ptx_meaning){.shape = PTX_MBARRIER,
                                .flags = remote ? PTX_CLUSTER : 0u,
                                .operation = access->operation,
                                .order = access->order,
                                .scope = access->scope};
}

static struct ptx_meaning meaning_of_barrier(const struct litmus_barrier *barrier)
{
    const bool cluster = barrier->scope == LITMUS_CLUSTER, arrives = barrier->arrive;
    return (struct ptx_meaning){.shape = PTX_BARRIER,
                                .flags = arrives   ? PTX_ARRIVES
                                         : cluster ? PTX_WAITS
                                                   : 0u,
                                .order = arrives && barrier->relaxed ? LITMUS_RELAXED : LITMUS_PLAIN,
                                .scope =
                                    cluster || barrier->scope == LITMUS_SUB_GROUP ? barrier->scope : LITMUS_WORK_GROUP};
}

/* The memory that a fence is for; if it names none or all, that of its proxy. */
static unsigned memory_of_fence(const struct litmus_fence *fence)
{
    if (fence->restriction == LITMUS_TENSORMAP_RESTRICT)
        return PTX_ON_GLOBAL | (fence->from ? PTX_TENSOR : 0u);
    if (fence->restriction == LITMUS_SYNC_RESTRICT)
        return PTX_ON_SHARED | (fence->cluster ? PTX_CLUSTER : 0u);
    if (fence->proxy != LITMUS_ASYNC || fence->order != LITMUS_PLAIN)
        return 0;
    if (fence->flag_global == fence->flag_local)
        return PTX_ON_GLOBAL | PTX_ON_SHARED;
    return fence->flag_global ? PTX_ON_GLOBAL : PTX_ON_SHARED | (fence->cluster ? PTX_CLUSTER : 0u);
}

struct ptx_meaning ptx_meaning_of_fence(const struct litmus_fence *fence)
{
    return (struct ptx_meaning){.shape = PTX_FENCE,
                                .flags = memory_of_fence(fence),
                                .order = fence->order,
                                .scope = fence->scope,
                                .proxy = fence->proxy,
                                .restriction = fence->restriction,
                                .from = fence->from ? LITMUS_LOCAL : LITMUS_GLOBAL};
}

struct ptx_meaning ptx_meaning_of(const struct litmus_test *test, const struct litmus_thread *thread,
                                  const struct litmus_statement *statement)
{
    switch (statement->kind) {
    case LITMUS_COPY:
        return meaning_of_copy(test, &statement->copy);
    case LITMUS_GROUP:
        return meaning_of_group(&statement->group);
    case LITMUS_FENCE:
        return ptx_meaning_of_fence(&statement->fence);
    case LITMUS_BARRIER:
        return meaning_of_barrier(&statement->barrier);
    default:
        return meaning_of_access(test, thread, statement->value->access);
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
static bool means(const struct ptx_instruction *row, const struct ptx_meaning *wanted)
{
    const struct ptx_meaning *const own = &row->means;
    const unsigned any = has(row, "|shared::cluster") ? PTX_CLUSTER : 0;
    const bool changes = wanted->operation >= LITMUS_EXCHANGE;
    return own->shape == wanted->shape && ((own->flags ^ wanted->flags) & ~any) == 0 &&
           (has(row, "OPERATION") ? changes : own->operation == wanted->operation) &&
           (has(row, "ORDER") || own->order == wanted->order) && (has(row, "SCOPE") || own->scope == wanted->scope) &&
           (has(row, "PROXY") || own->proxy == wanted->proxy) && own->restriction == wanted->restriction &&
           own->action == wanted->action && own->to == wanted->to && own->from == wanted->from;
}

const struct ptx_instruction *ptx_find_meaning(const struct ptx_meaning *meaning)
{
    const struct ptx_instruction *row = ptx_instructions;
    while (row->words && !means(row, meaning))
        row++;
    return row->words ? row : NULL;
}

void ptx_add_words(const struct ptx_meaning *meaning, struct text *text)
{
    static const char cluster[] = "shared::cluster";
    const struct ptx_instruction *row = ptx_find_meaning(meaning);
    const char *words = row ? row->words : "", *dot = "";
    struct ptx_word word;
    if (!row)
        text_add(text, "?");
    for (; ptx_next_word(&words, &word); dot = ".") {
        const size_t first = strcspn(word.text, "|.?"), size = first < word.size ? first : word.size;
        if (word.slot != LITMUS_NONE)
            text_add(text, "%s%s", dot, slot_name(meaning, word.slot));
        else if ((meaning->flags & PTX_CLUSTER) != 0 && ptx_word_is(&word, cluster, strlen(cluster)))
            text_add(text, "%s%s", dot, cluster);
        else
            text_add(text, "%s%.*s", dot, (int)size, word.text);
    }
}
