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
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.events[i].order != order || variant->cycle.edges[i].relation == CYCLE_FENCE)
            return false;
    return true;
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
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.edges[i].relation == CYCLE_FENCE && variant->cycle.edges[i].fence == LITMUS_SEQ_CST)
            return true;
    return variant_describe_has_order(variant, LITMUS_SEQ_CST);
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

struct variant_fact {
    struct cycle_words sentence;
    bool (*holds)(const struct variant *variant);
};

/* How a feature is expressed. */
static const struct variant_fact facts[] = {
    {{"The dependency takes a bit of the value read that is always 0, which no compiler can know.",
      "依赖取自读到的值中恒为 0 的一位，而编译器无从得知它恒为 0。"},
     has_false_dependency},
    {{"What follows the branch happens only where the read before it gave the value of the witness.",
      "只有分支之前的读得到见证结果的值，分支之后的操作才会执行。"},
     has_branch},
    {{NULL, NULL}, NULL},
};

/* Why the model allows a witness, and why it forbids one: the first that holds ends the text. The sentences are in
 * tests/catalogue/reasons.txt, too, each under its verdict. */
static const struct variant_fact reasons_to_allow[] = {
    {{"Relaxed atomic accesses of different locations keep no order.", "不同位置的 relaxed 原子访问之间没有次序。"},
     is_relaxed},
    {{"Ordinary accesses keep no order that another thread could rely on.", "普通访问没有别的线程可以依赖的次序。"},
     is_weak},
    {{"Volatile accesses keep no order between locations.", "不同位置的 volatile 访问之间没有次序。"}, is_volatile},
    {{"Release and acquire order a write before the reads that see it. Two steps of this cycle are not such reads, and "
      "nothing orders them.",
      "release 与 acquire 使写先于看到它的读。这个环有两步不是这样的读，没有任何东西为它们排序。"},
     has_two_steps_without_reading},
    {{"OpenCL's order of fences covers only what precedes or follows a fence, and one thread has none.",
      "OpenCL 的栅栏次序只管栅栏之前和之后的操作，而有一个线程没有栅栏。"},
     has_access_without_fence},
    {{"A scope of the block does not reach the threads of another block, so order is lost there.",
      "线程块作用域不包含另一个线程块的线程，次序到那里就断了。"},
     is_narrow_block},
    {{"A scope of the work-group does not reach the work-items of another group, so order is lost there.",
      "工作组作用域不包含另一个工作组的工作项，次序到那里就断了。"},
     is_narrow_group},
    {{"A scope of the cluster does not reach the threads of another cluster, so order is lost there.",
      "簇作用域不包含另一个簇的线程，次序到那里就断了。"},
     is_narrow_cluster},
    {{"The scope does not include the other thread, so its order is lost there.",
      "作用域不包含另一个线程，次序到那里就断了。"},
     is_narrow_vulkan},
    {{"The orders do not name the storage class of the data, so they leave it out.",
      "次序没有指定数据的存储类，所以管不到数据。"},
     variant_misses_class},
    {{"Local and global memory are different memories, and these orders do not span both.",
      "局部内存与全局内存是两种内存，这里的次序没有同时覆盖两者。"},
     mixes_memories},
    {{"A dependency does not synchronise with another thread.", "依赖不会与另一个线程同步。"}, has_dependency},
    {{"Not every step of the cycle is ordered, and one that is not is enough.",
      "环中并非每一步都有次序，只要一步没有就够了。"},
     is_any},
    {{NULL, NULL}, NULL},
};

static const struct variant_fact reasons_to_forbid[] = {
    {{"A thread sees its own accesses of one location in program order, ordinary ones too.",
      "线程按程序次序看到自己对同一位置的访问，普通访问也一样。"},
     is_weak_of_one_location},
    {{"All threads agree on the order of the writes of one location, and no thread goes back in it.",
      "所有线程对同一位置的写的次序看法一致，没有线程会倒退。"},
     has_one_location},
    {{"RC11 keeps a thread's writes after its earlier reads, relaxed ones too.",
      "RC11 使线程的写排在它更早的读之后，relaxed 也一样。"},
     keeps_writes_after_reads},
    {{"All sequentially consistent accesses have one order, and none agrees with this outcome.",
      "所有 seq_cst 访问有唯一的全序，没有一种全序能得出这一结果。"},
     is_sequential},
    {{"All sequentially consistent fences have one order, and none agrees with this outcome.",
      "所有 seq_cst 栅栏有唯一的全序，没有一种全序能得出这一结果。"},
     has_strong_fences},
    {{"The value of the witness would have to come out of thin air.", "见证结果的值只能是凭空出现的。"},
     has_only_dependencies},
    {{"The fences synchronise: what precedes the first happens before what follows the second.",
      "两个栅栏相互同步：前一个栅栏之前的操作，先于后一个栅栏之后的操作。"},
     has_only_fences},
    {{"The acquire reads from the release: what precedes the release happens before what follows the acquire.",
      "acquire 读到了 release 写的值：release 之前的操作先于 acquire 之后的操作。"},
     has_only_ordered_accesses},
    {{"Every step of the cycle is ordered, and no execution goes in a circle.",
      "环中每一步都有次序，而执行不可能首尾相接。"},
     is_any},
    {{NULL, NULL}, NULL},
};

const struct cycle_words variant_race_sentence = {
    "Two accesses conflict and nothing orders them: the test is racy, so its outcomes have no meaning.",
    "有两个冲突的访问，没有任何东西为它们排序：测试有竞争，结果没有意义。"};

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

/* The common property of all threads, for a title, such as "relaxed accesses"; NULL if those of several accesses, or
 * the others, differ. */
static const struct cycle_words *variant_shared_words(const struct variant *variant)
{
    static const struct {
        const char *tag;
        struct cycle_words words;
    } rows[] = {
        {"relaxed", {"relaxed accesses", "relaxed 访问"}},
        {"weak", {"weak accesses", "weak 访问"}},
        {"plain", {"plain accesses", "普通访问"}},
        {"vol", {"volatile accesses", "volatile 访问"}},
        {"sc", {"sequentially consistent accesses", "seq_cst 访问"}},
        {"ra", {"release stores and acquire loads", "release 写与 acquire 读"}},
        {"rel", {"release stores", "release 写"}},
        {"acq", {"acquire loads", "acquire 读"}},
        {"rel+acq", {"release and acquire", "release 与 acquire"}},
        {"fencear", {"acquire-release fences", "acq_rel 栅栏"}},
        {"fencesc", {"sequentially consistent fences", "seq_cst 栅栏"}},
        {"fenceacq", {"acquire fences", "acquire 栅栏"}},
        {"fencerel", {"release fences", "release 栅栏"}},
        {"fencerel+fenceacq", {"a release fence and an acquire fence", "一个 release 栅栏与一个 acquire 栅栏"}},
        {"addr", {"address dependencies", "地址依赖"}},
        {"data", {"data dependencies", "数据依赖"}},
        {"ctrl", {"control dependencies", "控制依赖"}},
    };
    struct variant probe = *variant;
    struct error error;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct variant tagged = probe;
        if (variant_set_tags(&tagged, rows[i].tag, &error) == STATUS_OK && variant_same(&tagged, &probe))
            return &rows[i].words;
    }
    return NULL;
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
    const struct cycle_words *shared = variant_shared_words(variant);
    text_add(text, "%.*s, %s%s", (int)title.size, title.start, shared ? shared->english : "mixed accesses",
             rmw_words[variant->rmw]);
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
    if (shared)
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

/* The sentence of true fact number `index` of the list; NULL after the last. */
static const struct cycle_words *find_fact(const struct variant *variant, const struct variant_fact *list, size_t index)
{
    for (const struct variant_fact *fact = list; fact->holds; fact++)
        if (fact->holds(variant) && index-- == 0)
            return &fact->sentence;
    return NULL;
}

/* A sentence on how a feature such as a dependency is made, by index; NULL after the last. */
static const struct cycle_words *variant_feature(const struct variant *variant, size_t index)
{
    return find_fact(variant, facts, index);
}

/* Why the model says `expect` of the witness, as a sentence; NULL if expect is not a verdict. */
static const struct cycle_words *variant_reason(const struct variant *variant, const char *expect)
{
    return strcmp(expect, "allowed") == 0     ? find_fact(variant, reasons_to_allow, 0)
           : strcmp(expect, "forbidden") == 0 ? find_fact(variant, reasons_to_forbid, 0)
                                              : NULL;
}

void variant_describe(const struct variant *variant, const struct variant_notes *notes, struct text *text)
{
    LOCAL(text) words = {0}, family = {0};
    const struct catalogue_family_line line = family_line(variant, "Cycle ", &family);
    variant_describe_add_title(variant, line.title, notes, &words);
    text_add(&words, "\n%.*s\n", (int)line.question.size, line.question.start);
    for (size_t i = 0; variant_feature(variant, i); i++)
        text_add(&words, "%s\n", variant_feature(variant, i)->english);
    const struct cycle_words *reason = notes && notes->racy
                                           ? &variant_race_sentence
                                           : variant_reason(variant, notes && notes->expect ? notes->expect : "");
    if (reason)
        text_add(&words, "%s\n", reason->english);
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
        [VARIANT_PLAIN_SHOWN] = "自己可用、可见",         [VARIANT_PLAIN_BY_ORDERS] = "由次序使其可用、可见",
        [VARIANT_PLAIN_AVAILABLE] = "可用而不可见",       [VARIANT_PLAIN_VISIBLE] = "可见而不可用",
        [VARIANT_PLAIN_NON_PRIVATE] = "既不可用也不可见", [VARIANT_PLAIN_PRIVATE] = "是私有的",
    };
    const struct cycle_words *shared = variant_shared_words(variant);
    text_add(text, "%.*s，%s%s", (int)title.size, title.start, shared ? shared->chinese : "各线程的访问不同",
             rmw_words[variant->rmw]);
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
    const struct cycle_words *const sentences[] = {variant_feature(&variant, 0), variant_feature(&variant, 1),
                                                   racy ? &variant_race_sentence : variant_reason(&variant, expect)};
    for (size_t i = 0; i < COUNT(sentences); i++)
        if (sentences[i])
            text_add(text, "\n%s", sentences[i]->chinese);
    return true;
}
