// SPDX-License-Identifier: Apache-2.0
/* Instructions of PTX that are identified by all their words: asynchronous copies, mbarriers,
 * barriers of clusters, fences of one direction, tensor maps. */
#include "litmus/parse/ptx_cell.h"

/* "shared" is the thread's own work-group's memory, which "shared::cluster" may be too. */
#define SHARED "shared|shared::cta|shared::cluster"
#define OWN "shared|shared::cta"
#define ACQUIRES "acquire.sync_restrict::shared::cluster"
#define RELEASES "release.sync_restrict::shared::cta"
#define MAPS "tensormap::generic"
#define NOTIFIES "mbarrier::complete_tx::bytes"

/* A row for each supported form. A '?' ends an optional word. */
static const struct ptx_form forms[] = {
    {"cp.async.ca." OWN "?.global?", ptx_parse_copy, .to = LITMUS_LOCAL, .from = LITMUS_GLOBAL, .unread = 4},
    {"cp.async.cg." OWN "?.global?", ptx_parse_copy, .flags = PTX_THROUGH_L2, .to = LITMUS_LOCAL, .from = LITMUS_GLOBAL,
     .unread = 4},
    {"cp.async.bulk." SHARED ".global." NOTIFIES, ptx_parse_copy, .flags = PTX_BULK | PTX_NOTIFIES, .to = LITMUS_LOCAL,
     .from = LITMUS_GLOBAL},
    {"cp.async.bulk.shared::cluster.global." NOTIFIES ".multicast::cluster", ptx_parse_copy,
     .flags = PTX_BULK | PTX_NOTIFIES | PTX_MULTICAST, .to = LITMUS_LOCAL, .from = LITMUS_GLOBAL},
    {"cp.async.bulk.tensor.1d." SHARED ".global.tile?." NOTIFIES, ptx_parse_copy,
     .flags = PTX_BULK | PTX_NOTIFIES | PTX_TENSOR, .to = LITMUS_LOCAL, .from = LITMUS_GLOBAL},
    {"cp.async.bulk.tensor.1d.global." OWN ".tile?.bulk_group", ptx_parse_copy, .flags = PTX_BULK | PTX_TENSOR,
     .to = LITMUS_GLOBAL, .from = LITMUS_LOCAL},
    {"cp.async.bulk.global." OWN ".bulk_group", ptx_parse_copy, .flags = PTX_BULK, .to = LITMUS_GLOBAL,
     .from = LITMUS_LOCAL},
    {"cp.async.bulk.relaxed.SCOPE." SHARED ".global." NOTIFIES ".b128", ptx_parse_copy,
     .flags = PTX_BULK | PTX_NOTIFIES, .to = LITMUS_LOCAL, .from = LITMUS_GLOBAL, .order = LITMUS_RELAXED},
    {"cp.async.bulk.relaxed.SCOPE.global." OWN ".bulk_group.b128", ptx_parse_copy, .flags = PTX_BULK,
     .to = LITMUS_GLOBAL, .from = LITMUS_LOCAL, .order = LITMUS_RELAXED},
    {"cp.async.bulk.shared::cluster." OWN "." NOTIFIES, ptx_parse_copy, .flags = PTX_BULK | PTX_NOTIFIES,
     .to = LITMUS_LOCAL, .from = LITMUS_LOCAL},
    {"cp.reduce.async.bulk.global." OWN ".bulk_group.OPERATION.TYPE?", ptx_parse_copy, .flags = PTX_BULK,
     .to = LITMUS_GLOBAL, .from = LITMUS_LOCAL},
    {"cp.reduce.async.bulk.shared::cluster." OWN "." NOTIFIES ".OPERATION.TYPE?", ptx_parse_copy,
     .flags = PTX_BULK | PTX_NOTIFIES, .to = LITMUS_LOCAL, .from = LITMUS_LOCAL},
    {"st.async.release.SCOPE.global?.TYPE?", ptx_parse_value_copy, .to = LITMUS_GLOBAL, .order = LITMUS_RELEASE},
    {"red.async.release.SCOPE.global?.OPERATION.TYPE?", ptx_parse_value_copy, .to = LITMUS_GLOBAL,
     .order = LITMUS_RELEASE},
    {"st.async.ORDER?.shared::cluster?." NOTIFIES "?.TYPE?", ptx_parse_value_copy, .flags = PTX_NOTIFIES,
     .to = LITMUS_LOCAL, .order = LITMUS_PLAIN},
    {"red.async.ORDER.SCOPE.shared::cluster?." NOTIFIES "?.OPERATION.TYPE?", ptx_parse_value_copy,
     .flags = PTX_NOTIFIES, .to = LITMUS_LOCAL, .order = LITMUS_RELAXED},
    {"cp.async.commit_group", ptx_parse_group, .action = LITMUS_GROUP_COMMIT},
    {"cp.async.wait_group", ptx_parse_group, .action = LITMUS_GROUP_WAIT},
    {"cp.async.wait_all", ptx_parse_group, .action = LITMUS_GROUP_WAIT_ALL},
    {"cp.async.bulk.commit_group", ptx_parse_group, .flags = PTX_BULK, .action = LITMUS_GROUP_COMMIT},
    {"cp.async.bulk.wait_group", ptx_parse_group, .flags = PTX_BULK, .action = LITMUS_GROUP_WAIT},
    {"cp.async.bulk.wait_group.read", ptx_parse_group, .flags = PTX_BULK | PTX_READ, .action = LITMUS_GROUP_WAIT},
    {"cp.async.mbarrier.arrive." OWN "?.b64", ptx_parse_group, .action = LITMUS_GROUP_ARRIVE},
    {"cp.async.mbarrier.arrive.noinc." OWN "?.b64", ptx_parse_group, .flags = PTX_NO_INCREMENT,
     .action = LITMUS_GROUP_ARRIVE},
    {"mbarrier.init." OWN "?.b64", ptx_parse_arrival, .operation = LITMUS_MBARRIER_INIT, .order = LITMUS_PLAIN},
    {"mbarrier.arrive.ORDER?.SCOPE?." SHARED "?.b64", ptx_parse_arrival, .flags = PTX_SINK, .operation = LITMUS_ARRIVE,
     .order = LITMUS_RELEASE},
    {"mbarrier.arrive.expect_tx.ORDER?.SCOPE?." SHARED "?.b64", ptx_parse_arrival, .flags = PTX_SINK,
     .operation = LITMUS_ARRIVE_EXPECT_TX, .order = LITMUS_RELEASE},
    {"mbarrier.expect_tx.ORDER?.SCOPE?." SHARED "?.b64", ptx_parse_arrival, .operation = LITMUS_EXPECT_TX,
     .order = LITMUS_RELAXED},
    {"mbarrier.complete_tx.ORDER?.SCOPE?." SHARED "?.b64", ptx_parse_arrival, .operation = LITMUS_COMPLETE_TX,
     .order = LITMUS_RELAXED},
    {"mbarrier.test_wait.parity.ORDER?.SCOPE?." OWN "?.b64", ptx_parse_test, .operation = LITMUS_TEST_WAIT,
     .order = LITMUS_ACQUIRE},
    {"mbarrier.try_wait.parity.ORDER?.SCOPE?." OWN "?.b64", ptx_parse_test, .operation = LITMUS_TRY_WAIT,
     .order = LITMUS_ACQUIRE, .unread = 4},
    {"barrier.cluster.arrive.ORDER?", ptx_parse_cluster, .flags = PTX_ARRIVES, .order = LITMUS_RELEASE},
    {"barrier.cluster.wait.acquire?", ptx_parse_cluster, .order = LITMUS_ACQUIRE},
    {"fence." ACQUIRES ".cluster", ptx_parse_fence, .flags = PTX_CLUSTER, .order = LITMUS_ACQUIRE,
     .restriction = LITMUS_SYNC_RESTRICT},
    {"fence." RELEASES ".cluster", ptx_parse_fence, .order = LITMUS_RELEASE, .restriction = LITMUS_SYNC_RESTRICT},
    {"fence.proxy.async::generic." ACQUIRES ".cluster", ptx_parse_fence, .flags = PTX_CLUSTER, .order = LITMUS_ACQUIRE,
     .proxy = LITMUS_ASYNC, .restriction = LITMUS_SYNC_RESTRICT},
    {"fence.proxy.async::generic." RELEASES ".cluster", ptx_parse_fence, .order = LITMUS_RELEASE, .proxy = LITMUS_ASYNC,
     .restriction = LITMUS_SYNC_RESTRICT},
    {"fence.mbarrier_init.release.cluster", ptx_parse_fence, .order = LITMUS_RELEASE,
     .restriction = LITMUS_INIT_RESTRICT},
    {"fence.proxy." MAPS ".release.SCOPE", ptx_parse_map_fence, .order = LITMUS_RELEASE},
    {"fence.proxy." MAPS ".acquire.SCOPE", ptx_parse_map_fence, .order = LITMUS_ACQUIRE, .to = LITMUS_GLOBAL},
    {"tensormap.cp_fenceproxy.global.shared::cta." MAPS ".release.SCOPE.sync.aligned", ptx_parse_map_fence,
     .flags = PTX_TENSOR, .order = LITMUS_RELEASE, .to = LITMUS_GLOBAL, .from = LITMUS_LOCAL},
    {"tensormap.replace.tile.global_address.global.b1024.b64", ptx_parse_replace, .to = LITMUS_GLOBAL},
    {"tensormap.replace.tile.global_address." OWN ".b1024.b64", ptx_parse_replace, .to = LITMUS_LOCAL},
};

/* A word of the instruction with its suffix: "shared::cta". */
static struct token word_at(const struct ptx_cell *cell, size_t *at)
{
    struct token word = *at == 0 ? cell->name : cell->parts[*at - 1];
    for (++*at; *at <= cell->part_count && cell->parts[*at - 1].text[0] == ':'; ++*at)
        word.size = (size_t)(cell->parts[*at - 1].text + cell->parts[*at - 1].size - word.text);
    return word;
}

/* Is the word one of size bytes of "a|b|c"? */
static bool is_one_of(const struct token *word, const char *choices, size_t size)
{
    for (const char *end = choices + size; choices < end;) {
        const char *bar = memchr(choices, '|', (size_t)(end - choices));
        const size_t length = (size_t)((bar ? bar : end) - choices);
        if (word->size == length && memcmp(word->text, choices, length) == 0)
            return true;
        choices += length + 1;
    }
    return false;
}

static bool is_pattern(const char *pattern, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(pattern, name, size) == 0;
}

/* Does the word match one of the form's? Stores its meaning. */
static bool fits(struct ptx_modifiers *modifiers, const struct token *word, const char *pattern, size_t size)
{
    if (is_pattern(pattern, size, "ORDER"))
        return ptx_set_once(&modifiers->order, word_find(ptx_order_words, word));
    if (is_pattern(pattern, size, "SCOPE"))
        return ptx_set_once(&modifiers->scope, word_find(ptx_scope_words, word));
    if (is_pattern(pattern, size, "TYPE"))
        return ptx_set_once(&modifiers->type, word_find(ptx_type_words, word));
    if (is_pattern(pattern, size, "OPERATION"))
        return ptx_set_once(&modifiers->operation, ptx_find_operation(word));
    return is_one_of(word, pattern, size);
}

/* Reads the words in the form's order; false if they do not match. */
static bool take_words(struct ptx_cell *cell, const struct ptx_form *form)
{
    size_t at = 0;
    cell->modifiers = ptx_no_modifiers;
    cell->cluster = false;
    for (const char *pattern = form->words; *pattern;) {
        size_t size = strcspn(pattern, ".");
        const char *const next = pattern + size + (pattern[size] == '.');
        const bool optional = pattern[size - 1] == '?';
        size_t after = at;
        size -= optional;
        const struct token word = at <= cell->part_count ? word_at(cell, &after) : (struct token){0};
        if (word.size > 0 && fits(&cell->modifiers, &word, pattern, size)) {
            static const char cluster[] = "shared::cluster";
            cell->cluster |= is_one_of(&word, cluster, strlen(cluster));
            at = after;
        } else if (!optional)
            return false;
        pattern = next;
    }
    return at == cell->part_count + 1;
}

/* The number of operands up to the end of the cell. */
static unsigned count_operands(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    unsigned count = 1, depth = 0;
    for (struct token token = parser->token; !token_is(&token, "|") && !token_is(&token, ";");
         token = scanner_next(&ahead)) {
        if (token.kind == TOKEN_END || token.kind == TOKEN_FAULT)
            break;
        depth += token_is(&token, "[");
        depth -= token_is(&token, "]") && depth > 0;
        count += token_is(&token, ",") && depth == 0;
    }
    return count;
}

/* Does "[{" come next? */
static bool at_list(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    return parser_at(parser, "[") && token_is(&next, "{");
}

const struct ptx_form *ptx_find_form(struct ptx_cell *cell)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct ptx_form *form = &forms[i];
        if (!take_words(cell, form))
            continue;
        const bool sink = (form->flags & PTX_SINK) == 0 || parser_at(cell->parser, "_");
        const bool list = (form->flags & PTX_MULTICAST) == 0 || at_list(cell->parser);
        return sink && list && (form->unread == 0 || count_operands(cell->parser) != form->unread) ? form : NULL;
    }
    return NULL;
}
