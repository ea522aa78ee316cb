// SPDX-License-Identifier: Apache-2.0
/* The descriptions of generated tests, in English and Chinese. */
#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"

enum { LINE_WIDTH = 110 }; /* columns of a doc line, without its quotes */

/* ---- words ---- */

/* The word for an access in a title, by order. */
static const char *const access_words[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = "plain",
    [LITMUS_VOLATILE] = "volatile",
    [LITMUS_RELAXED] = "relaxed",
    [LITMUS_ACQUIRE] = "acquire",
    [LITMUS_RELEASE] = "release",
    [LITMUS_ACQ_REL] = "acquire-release",
    [LITMUS_SEQ_CST] = "sequentially consistent",
};

static const char *order_word(const struct variant *variant, enum litmus_order order)
{
    return order == LITMUS_PLAIN ? variant_abilities[variant->dialect].plain : access_words[order];
}

static const char *const edge_words[] = {
    [CYCLE_RF] = "a read of its own write",
    [CYCLE_CO] = "two writes of one location",
    [CYCLE_FR] = "a write after a read",
    [CYCLE_PO] = "",
    [CYCLE_FENCE] = "a fence",
    [CYCLE_ADDRESS] = "an address dependency",
    [CYCLE_DATA] = "a data dependency",
    [CYCLE_CONTROL] = "a control dependency",
};

static bool has_edge(const struct variant *variant, enum cycle_relation relation)
{
    return ANY_OF(edge, variant->cycle.edges, variant->cycle.count, edge->relation == relation && !edge->external);
}

static bool variant_describe_has_order(const struct variant *variant, enum litmus_order order)
{
    return ANY_OF(event, variant->cycle.events, variant->cycle.count, event->order == order);
}

static bool is_all(const struct variant *variant, enum litmus_order order)
{
    return !ANY_NUMBER(size_t, i, 0, variant->cycle.count,
                       variant->cycle.events[i].order != order || variant->cycle.edges[i].relation == CYCLE_FENCE);
}

/* A sequentially consistent fence between every two accesses of a thread, and two at least. */
static bool has_strong_fences(const struct variant *variant)
{
    unsigned fences = 0;
    FOR_EACH(const struct cycle_edge, edge, variant->cycle.edges, variant->cycle.count) {
        if (!edge->external && (edge->relation != CYCLE_FENCE || edge->fence != LITMUS_SEQ_CST))
            return false;
        fences += !edge->external;
    }
    return fences > 1;
}

static bool has_strong(const struct variant *variant)
{
    return ANY_NUMBER(size_t, i, 0, variant->cycle.count,
                      variant->cycle.edges[i].relation == CYCLE_FENCE &&
                          variant->cycle.edges[i].fence == LITMUS_SEQ_CST) ||
           variant_describe_has_order(variant, LITMUS_SEQ_CST);
}

/* In at least two steps, a thread misses or overwrites another's write, where release and acquire do not help. */
static bool has_two_steps_without_reading(const struct variant *variant)
{
    const unsigned steps = SUM_OF(unsigned, edge, variant->cycle.edges, variant->cycle.count,
                                  edge->external && edge->relation != CYCLE_RF);
    return steps > 1 && variant->rmw == VARIANT_NO_RMW && !has_strong(variant);
}

/* OpenCL's order of sequentially consistent fences only covers accesses before and after a fence. */
static bool has_access_without_fence(const struct variant *variant)
{
    const struct cycle *cycle = &variant->cycle;
    bool alone = false;
    for (size_t i = 0; i < cycle->count; i++)
        alone |= cycle->edges[i].external && cycle->edges[(i + cycle->count - 1) % cycle->count].external;
    return variant->dialect == LITMUS_OPENCL && alone && has_strong_fences(variant);
}

static bool uses_scope(const struct variant *variant, enum litmus_scope scope)
{
    bool uses = variant->scope == scope && (variant_has_scope(variant) || variant_has_fence(variant));
    for (size_t i = 0; i < variant->cycle.count; i++)
        uses |= variant->cycle.edges[i].fence_scope == scope;
    return uses;
}

/* Does the variant use this scope although the scope does not include all threads? */
static bool is_narrow(const struct variant *variant, enum litmus_scope scope)
{
    bool apart = false;
    for (unsigned i = 1; i < variant->threads; i++)
        apart |= variant->work_group[i] != variant->work_group[0];
    return apart && uses_scope(variant, scope) && (scope != LITMUS_CLUSTER || !variant->one_cluster);
}

/* Does a scope of VULKAN leave a thread out? */
static bool is_narrow_vulkan(const struct variant *variant)
{
    bool one_sub_group = variant->one_sub_group[0];
    for (unsigned i = 1; i < variant->threads; i++)
        one_sub_group &= variant->work_group[i] == variant->work_group[0];
    return dialects[variant->dialect].has_semantics &&
           ((!one_sub_group && uses_scope(variant, LITMUS_SUB_GROUP)) || is_narrow(variant, LITMUS_WORK_GROUP) ||
            (variant->own_families && uses_scope(variant, LITMUS_QUEUE_FAMILY)));
}

/* ---- what sentences are about ---- */

#define HOLDS(name, condition)                                                                                         \
    static bool name(const struct variant *variant)                                                                    \
    {                                                                                                                  \
        return condition;                                                                                              \
    }
HOLDS(has_one_location, variant_locations(variant) == 1)
HOLDS(is_weak, is_all(variant, LITMUS_PLAIN))
HOLDS(is_volatile, is_all(variant, LITMUS_VOLATILE))
HOLDS(is_sequential, is_all(variant, LITMUS_SEQ_CST))
HOLDS(is_weak_of_one_location, is_weak(variant) && has_one_location(variant))
HOLDS(has_false_dependency, has_edge(variant, CYCLE_ADDRESS) || has_edge(variant, CYCLE_DATA))
HOLDS(has_branch, has_edge(variant, CYCLE_CONTROL))
HOLDS(has_dependency, has_false_dependency(variant) || has_branch(variant))
/* Relaxed accesses of several locations, and nothing that orders them. */
HOLDS(is_relaxed, is_all(variant, LITMUS_RELAXED) && !has_dependency(variant) && !has_one_location(variant))
HOLDS(has_ordered_access, variant_describe_has_order(variant, LITMUS_RELEASE) ||
                              variant_describe_has_order(variant, LITMUS_ACQUIRE) ||
                              variant_describe_has_order(variant, LITMUS_ACQ_REL))
HOLDS(has_only_fences, has_edge(variant, CYCLE_FENCE) && !has_ordered_access(variant) &&
                           !variant_describe_has_order(variant, LITMUS_SEQ_CST))
HOLDS(has_only_ordered_accesses, has_ordered_access(variant) && !has_edge(variant, CYCLE_FENCE) &&
                                     !variant_describe_has_order(variant, LITMUS_SEQ_CST))
HOLDS(has_only_dependencies, has_dependency(variant) && !has_ordered_access(variant) && !has_edge(variant, CYCLE_FENCE))
HOLDS(keeps_writes_after_reads, variant->dialect == LITMUS_C && is_relaxed(variant))
HOLDS(is_nvidia, dialects[variant->dialect].is_nvidia)
HOLDS(is_narrow_block, is_nvidia(variant) && is_narrow(variant, LITMUS_WORK_GROUP))
HOLDS(is_narrow_group, variant->dialect == LITMUS_OPENCL && is_narrow(variant, LITMUS_WORK_GROUP))
HOLDS(is_narrow_cluster, is_narrow(variant, LITMUS_CLUSTER))
HOLDS(mixes_regions, variant->local != 0 && variant->local != variant_locations(variant))
HOLDS(mixes_memories, variant->dialect == LITMUS_OPENCL && mixes_regions(variant))
HOLDS(is_any, variant)

static const struct {
    const char *name;
    bool (*holds)(const struct variant *variant);
} facts[] = {
    {"has_false_dependency", has_false_dependency},
    {"has_branch", has_branch},
    {"is_relaxed", is_relaxed},
    {"is_weak", is_weak},
    {"is_volatile", is_volatile},
    {"has_two_steps_without_reading", has_two_steps_without_reading},
    {"has_access_without_fence", has_access_without_fence},
    {"is_narrow_block", is_narrow_block},
    {"is_narrow_group", is_narrow_group},
    {"is_narrow_cluster", is_narrow_cluster},
    {"is_narrow_vulkan", is_narrow_vulkan},
    {"variant_misses_class", variant_misses_class},
    {"mixes_memories", mixes_memories},
    {"has_dependency", has_dependency},
    {"is_any", is_any},
    {"is_weak_of_one_location", is_weak_of_one_location},
    {"has_one_location", has_one_location},
    {"keeps_writes_after_reads", keeps_writes_after_reads},
    {"is_sequential", is_sequential},
    {"has_strong_fences", has_strong_fences},
    {"has_only_dependencies", has_only_dependencies},
    {"has_only_fences", has_only_fences},
    {"has_only_ordered_accesses", has_only_ordered_accesses},
};

extern const char variant_sentences[]; /* catalogue/cycles/sentences.txt */

struct sentence {
    struct text_part english, chinese; /* of no bytes: there is none */
};

/* Whether a fact holds, or all threads have these tags. */
static bool variant_describe_fits(const struct variant *variant, const char *name)
{
    struct variant tagged = *variant;
    struct error error;
    const size_t fact = INDEX_OF(one, facts, COUNT(facts), strcmp(one->name, name) == 0);
    return fact < COUNT(facts) ? facts[fact].holds(variant)
                               : variant_set_tags(&tagged, name, &error) == STATUS_OK && variant_same(&tagged, variant);
}

/* The sentence for the property number `index` that fits, of a list: "\n[allowed]\n". */
static struct sentence find_sentence(const struct variant *variant, const char *list, size_t index)
{
    const char *at = strstr(variant_sentences, list) + strlen(list);
    for (const char *end; *at && *at != '\n'; at = end + 1) {
        end = at + strcspn(at, "\n");
        const struct text_part property = catalogue_take_column(&at, end);
        const struct text_part english = catalogue_take_column(&at, end);
        FREED char *name = memory_copy_part(property.start, property.size);
        if (variant_describe_fits(variant, name) && index-- == 0)
            return (struct sentence){english, catalogue_take_column(&at, end)};
    }
    return (struct sentence){{"", 0}, {"", 0}};
}

/* ---- lines ---- */

/* Appends lines, broken at blanks. */
static void variant_describe_add_lines(struct text *text, const char *words)
{
    while (*(words += strspn(words, "\n"))) {
        size_t size = strcspn(words, "\n");
        if (size > LINE_WIDTH) {
            size = LINE_WIDTH;
            while (size > 1 && words[size] != ' ')
                size--;
        }
        text_add(text, "%s%.*s", text->size > 0 ? "\n" : "", (int)size, words);
        words += size;
        words += *words == ' ';
    }
}

/* The common property of all threads, for a title, such as "relaxed accesses"; none if those of several accesses, or
 * the others, differ. */
static struct sentence variant_shared_words(const struct variant *variant)
{
    return find_sentence(variant, "\n[accesses]\n", 0);
}

/* "P0 relaxed, acquire-release fence, relaxed; P1 ..." */
static void variant_describe_add_threads(const struct variant *variant, struct text *text)
{
    size_t starts[CYCLE_MAXIMUM_THREADS + 1];
    variant_starts(&variant->cycle, starts);
    for (unsigned i = 0; i < variant->threads; i++) {
        text_add(text, "%sP%u", i > 0 ? "; " : "", i);
        for (size_t k = starts[i]; k < starts[i + 1]; k++) {
            const bool last = k + 1 == starts[i + 1];
            text_add(text, " %s %s%s", order_word(variant, variant->cycle.events[k].order),
                     variant->cycle.events[k].direction == CYCLE_READ ? "read" : "write", last ? "" : ",");
            if (!last) {
                const struct cycle *cycle = &variant->cycle;
                const struct cycle_edge *edge = &cycle->edges[k];
                if (edge->relation == CYCLE_FENCE)
                    text_add(text, " %s fence%s%s,", access_words[edge->fence],
                             edge->fence_scope != LITMUS_SCOPE_NONE ? " of scope " : "",
                             edge->fence_scope != LITMUS_SCOPE_NONE
                                 ? variant_abilities[variant->dialect].scope_words[edge->fence_scope]
                                 : "");
                else if (edge->relation != CYCLE_PO)
                    text_add(text, " %s,", edge_words[edge->relation]);
            }
        }
    }
}

static void add_region(const struct variant *variant, struct text *text)
{
    if (variant->local == 0)
        return;
    text_add(text, ", ");
    for (unsigned i = 0; mixes_regions(variant) && i < CYCLE_MAXIMUM_EDGES; i++)
        if (variant->local >> i & 1)
            text_add(text, "%c%s", variant_letters[i], variant->local >> i == 1 ? " in " : " and ");
    text_add(text, "%s memory", variant_abilities[variant->dialect].region_word);
}

static const char *group_word(const struct variant *variant, unsigned group)
{
    const struct dialect *dialect = &dialects[variant->dialect];
    return variant->one_sub_group[group] ? dialect->sub_group_word : dialect->group_word;
}

/* ", P0 and P2 in one work-group" for a group of several threads. */
static void variant_describe_add_group(const struct variant *variant, unsigned group, struct text *text)
{
    unsigned members = 0;
    const unsigned total = SUM_OF(unsigned, each, variant->work_group, variant->threads, *each == group);
    if (total < 2)
        return;
    for (unsigned i = 0; i < variant->threads; i++)
        if (variant->work_group[i] == group)
            text_add(text, "%sP%u", members++ == 0 ? ", " : members == total ? " and " : ", ", i);
    text_add(text, " in one %s", group_word(variant, group));
}

static void add_placement(const struct variant *variant, struct text *text)
{
    const unsigned groups = variant_groups(variant);
    if (variant->threads > 1 && groups == 1)
        text_add(text, ", one %s", group_word(variant, 0));
    for (unsigned group = 0; group < groups && groups > 1; group++)
        variant_describe_add_group(variant, group, text);
    if (variant->one_cluster)
        text_add(text, ", one cluster");
    if (variant->own_families)
        text_add(text, ", a queue family for each work-group");
}

static void variant_describe_add_title(const struct variant *variant, struct text_part title,
                                       const struct variant_notes *notes, struct text *text)
{
    static const char *const rmw_words[] = {
        [VARIANT_NO_RMW] = "",
        [VARIANT_RMW_WRITES] = ", writes by exchange",
        [VARIANT_RMW_READS] = ", reads by adding 0",
        [VARIANT_RMW_ALL] = ", all accesses read-modify-writes",
    };
    const struct text_part shared = variant_shared_words(variant).english;
    text_add(text, "%.*s, %.*s%s%s", (int)title.size, title.start, (int)shared.size, shared.start,
             shared.size > 0 ? "" : "mixed accesses", rmw_words[variant->rmw]);
    if (variant_has_plain(variant) && dialects[variant->dialect].has_semantics)
        text_add(text, ", plain ones %s", variant_plain_words[variant->plain].title);
    add_region(variant, text);
    if (variant_class_words[variant->semantics])
        text_add(text, ", semantics %s", variant_class_words[variant->semantics]);
    if (variant->scope != LITMUS_DEVICE && variant->local != variant_locations(variant))
        text_add(text, ", scope %s", variant_abilities[variant->dialect].scope_words[variant->scope]);
    add_placement(variant, text);
    if (notes && notes->expect)
        text_add(text, ": %s", notes->expect);
    if (notes && notes->racy)
        text_add(text, ": undefined");
    text_add(text, ".");
    if (shared.size > 0)
        return;
    text_add(text, "\n");
    variant_describe_add_threads(variant, text);
    text_add(text, ".");
}

/* The line of the variant's family. A family without one has the words "Cycle " and its key, which live in `words`. */
static struct catalogue_family_line family_line(const struct variant *variant, const char *cycle, struct text *words)
{
    text_add(words, "%s", cycle);
    cycle_family(&variant->cycle, words);
    const struct text_part whole = {text_string(words), words->size};
    const size_t before = strlen(cycle);
    struct catalogue_family_line line = catalogue_family_line(whole.start + before, whole.size - before);
    if (line.title.size == 0)
        line.title = line.chinese_title = whole;
    return line;
}

/* A sentence on how a feature such as a dependency is made, by index. */
static struct sentence variant_feature(const struct variant *variant, size_t index)
{
    return find_sentence(variant, "\n[features]\n", index);
}

/* Why the model says `expect` of the witness; none if expect is not a verdict. */
static struct sentence variant_reason(const struct variant *variant, const char *expect, bool racy)
{
    const char *const list = racy                               ? "\n[racy]\n"
                             : strcmp(expect, "allowed") == 0   ? "\n[allowed]\n"
                             : strcmp(expect, "forbidden") == 0 ? "\n[forbidden]\n"
                                                                : NULL;
    return list ? find_sentence(variant, list, 0) : (struct sentence){{"", 0}, {"", 0}};
}

void variant_describe(const struct variant *variant, const struct variant_notes *notes, struct text *text)
{
    LOCAL(text) words = {0}, family = {0};
    const struct catalogue_family_line line = family_line(variant, "Cycle ", &family);
    variant_describe_add_title(variant, line.title, notes, &words);
    text_add(&words, "\n%.*s\n", (int)line.question.size, line.question.start);
    for (size_t i = 0; variant_feature(variant, i).english.size > 0; i++) {
        const struct text_part feature = variant_feature(variant, i).english;
        text_add(&words, "%.*s\n", (int)feature.size, feature.start);
    }
    const struct text_part reason =
        variant_reason(variant, notes && notes->expect ? notes->expect : "", notes && notes->racy).english;
    text_add(&words, "%.*s%s", (int)reason.size, reason.start, reason.size > 0 ? "\n" : "");
    variant_describe_add_lines(text, text_string(&words));
}

/* ---- the description of a variant's test, in Chinese ---- */

static void add_region_in_chinese(const struct variant *variant, struct text *text)
{
    if (variant->local == 0)
        return;
    text_add(text, "，");
    if (variant->local != variant_locations(variant))
        for (unsigned i = 0, added = 0; i < CYCLE_MAXIMUM_EDGES; i++)
            if (variant->local >> i & 1)
                text_add(text, "%s%c", added++ > 0 ? "、" : "", variant_letters[i]);
    text_add(text, dialects[variant->dialect].has_atomic_types ? "在局部内存"
                   : dialects[variant->dialect].has_semantics  ? "在工作组内存"
                                                               : "在共享内存");
}

static void add_group_in_chinese(const struct variant *variant, unsigned group, struct text *text)
{
    const unsigned members = SUM_OF(unsigned, one, variant->work_group, variant->threads, *one == group);
    if (members < 2)
        return;
    text_add(text, "，");
    for (unsigned i = 0, added = 0; i < variant->threads && members < variant->threads; i++)
        if (variant->work_group[i] == group)
            text_add(text, "%sP%u", added++ > 0 ? "、" : "", i);
    const bool nvidia = dialects[variant->dialect].is_nvidia;
    text_add(text, "在同一%s",
             variant->one_sub_group[group] ? (nvidia ? " warp" : "子组")
             : nvidia                      ? "线程块"
                                           : "工作组");
}

static void add_title_in_chinese(const struct variant *variant, struct text_part title, const char *expect,
                                 struct text *text)
{
    static const char *const rmw_words[] = {
        [VARIANT_NO_RMW] = "",
        [VARIANT_RMW_WRITES] = "，写用交换",
        [VARIANT_RMW_READS] = "，读用加 0",
        [VARIANT_RMW_ALL] = "，所有访问都是读-改-写",
    };
    static const char *const plain_words[VARIANT_PLAIN_COUNT] = {
        [VARIANT_PLAIN_SHOWN] = "自己可用、可见",         [VARIANT_PLAIN_BY_ORDERS] = "由内存序使其可用、可见",
        [VARIANT_PLAIN_AVAILABLE] = "可用而不可见",       [VARIANT_PLAIN_VISIBLE] = "可见而不可用",
        [VARIANT_PLAIN_NON_PRIVATE] = "既不可用也不可见", [VARIANT_PLAIN_PRIVATE] = "是私有的",
    };
    const struct text_part shared = variant_shared_words(variant).chinese;
    text_add(text, "%.*s，%.*s%s%s", (int)title.size, title.start, (int)shared.size, shared.start,
             shared.size > 0 ? "" : "各线程的访问不同", rmw_words[variant->rmw]);
    if (variant_has_plain(variant) && dialects[variant->dialect].has_semantics)
        text_add(text, "，普通访问%s", plain_words[variant->plain]);
    add_region_in_chinese(variant, text);
    if (variant_class_words[variant->semantics])
        text_add(text, "，语义只指定 %s", variant_class_words[variant->semantics]);
    if (variant->scope != LITMUS_DEVICE && variant->local != variant_locations(variant))
        text_add(text, "，作用域 %s", variant_abilities[variant->dialect].scope_words[variant->scope]);
    for (unsigned group = 0; group < variant_groups(variant) && variant->threads > 1; group++)
        add_group_in_chinese(variant, group, text);
    if (variant->one_cluster)
        text_add(text, "，在同一簇");
    if (variant->own_families)
        text_add(text, "，各工作组在不同的队列族");
    text_add(text, "%s",
             strcmp(expect, "allowed") == 0     ? "：允许。"
             : strcmp(expect, "forbidden") == 0 ? "：禁止。"
             : strcmp(expect, "undefined") == 0 ? "：未定义。"
                                                : "。");
}

bool variant_describe_in_chinese(const struct litmus_test *test, struct text *text)
{
    struct variant variant;
    struct error error;
    LOCAL(text) family = {0};
    const bool racy = test->doc && strstr(test->doc, "the test is racy");
    const char *given = litmus_metadata(test, "Expect"), *expect = given ? given : racy ? "undefined" : "";
    if (!litmus_metadata(test, "Cycle") || variant_parse_name(test->dialect, test->name, &variant, &error) != STATUS_OK)
        return false;
    const struct catalogue_family_line line = family_line(&variant, "环 ", &family);
    add_title_in_chinese(&variant, line.chinese_title, expect, text);
    if (line.chinese_question.size > 0)
        text_add(text, "\n%.*s", (int)line.chinese_question.size, line.chinese_question.start);
    const struct text_part sentences[] = {variant_feature(&variant, 0).chinese, variant_feature(&variant, 1).chinese,
                                          variant_reason(&variant, expect, racy).chinese};
    for (size_t i = 0; i < COUNT(sentences); i++)
        text_add(text, "%s%.*s", sentences[i].size > 0 ? "\n" : "", (int)sentences[i].size, sentences[i].start);
    return true;
}
