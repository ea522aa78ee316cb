// SPDX-License-Identifier: Apache-2.0
/* What the test of a variant says about itself. */
#include "litmus/cycles/variant_parts.h"

#include <string.h>

enum { LINE_WIDTH = 110 }; /* columns of a doc line, without its quotes */

/* ---- words ---- */

/* How a title names an access, by order. */
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
    [CYCLE_FR] = "a write behind a read",
    [CYCLE_PO] = "",
    [CYCLE_FENCE] = "a fence",
    [CYCLE_ADDRESS] = "an address dependency",
    [CYCLE_DATA] = "a data dependency",
    [CYCLE_CONTROL] = "a control dependency",
};

static bool has_edge(const struct variant *variant, enum cycle_relation relation)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.edges[i].relation == relation && !variant->cycle.edges[i].external)
            return true;
    return false;
}

static bool has_fence(const struct variant *variant, enum litmus_order order)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.edges[i].relation == CYCLE_FENCE && variant->cycle.edges[i].fence == order)
            return true;
    return false;
}

static bool has_order(const struct variant *variant, enum litmus_order order)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.events[i].order == order)
            return true;
    return false;
}

/* Relaxed accesses of several locations, and nothing that orders them. */
static bool is_relaxed(const struct variant *variant)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.events[i].order != LITMUS_RELAXED ||
            (!variant->cycle.edges[i].external && variant->cycle.edges[i].relation != CYCLE_PO))
            return false;
    return variant_locations(variant) > 1;
}

/* RC11 has no cycle of program order and reads-from. A read-modify-write makes a reads-from of each order of writes. */
static bool keeps_writes_behind_reads(const struct variant *variant)
{
    bool reads_from_alone = true;
    for (size_t i = 0; i < variant->cycle.count; i++)
        reads_from_alone &= !variant->cycle.edges[i].external || variant->cycle.edges[i].relation == CYCLE_RF;
    return variant->dialect == LITMUS_C && is_relaxed(variant) && (reads_from_alone || variant->rmw != VARIANT_NO_RMW);
}

static bool keeps_no_order(const struct variant *variant)
{
    return is_relaxed(variant) && !keeps_writes_behind_reads(variant);
}

static bool is_weak(const struct variant *variant)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.events[i].order != LITMUS_PLAIN || variant->cycle.edges[i].relation == CYCLE_FENCE)
            return false;
    return true;
}

static bool has_release_and_acquire(const struct variant *variant)
{
    return has_order(variant, LITMUS_RELEASE) && has_order(variant, LITMUS_ACQUIRE);
}

static bool has_fence_of_both(const struct variant *variant)
{
    return has_fence(variant, LITMUS_ACQ_REL);
}

static bool has_strong_fence(const struct variant *variant)
{
    return has_fence(variant, LITMUS_SEQ_CST);
}

static bool has_strong_access(const struct variant *variant)
{
    return has_order(variant, LITMUS_SEQ_CST);
}

static bool has_false_dependency(const struct variant *variant)
{
    return has_edge(variant, CYCLE_ADDRESS) || has_edge(variant, CYCLE_DATA);
}

static bool has_branch(const struct variant *variant)
{
    return has_edge(variant, CYCLE_CONTROL);
}

/* Is a scope narrower than the distance of the threads? */
static bool is_narrow(const struct variant *variant)
{
    bool apart = false, narrow = variant_has_scope(variant) && variant->scope == LITMUS_WORK_GROUP;
    for (unsigned i = 1; i < variant->threads; i++)
        apart |= variant->work_group[i] != variant->work_group[0];
    for (size_t i = 0; i < variant->cycle.count; i++)
        narrow |= variant->cycle.edges[i].fence_scope == LITMUS_WORK_GROUP;
    return apart && (narrow || (variant_has_fence(variant) && variant->scope == LITMUS_WORK_GROUP));
}

static bool mixes_regions(const struct variant *variant)
{
    return variant->local != 0 && variant->local != variant_locations(variant);
}

/* What a reader should know of a feature. */
static const struct {
    const char *sentence;
    bool (*holds)(const struct variant *variant);
} facts[] = {
    {"Relaxed atomic accesses keep no order between two locations.", keeps_no_order},
    {"The only order of relaxed atomic accesses is that RC11 keeps a thread's writes behind its earlier reads.",
     keeps_writes_behind_reads},
    {"These are the ordinary accesses, which keep no order.", is_weak},
    {"An acquire that reads from a release orders what stands before the one and behind the other.",
     has_release_and_acquire},
    {"A fence of acquire and release orders what stands before it and behind it, for threads that communicate.",
     has_fence_of_both},
    {"All sequentially consistent fences have one order.", has_strong_fence},
    {"All sequentially consistent accesses have one order.", has_strong_access},
    {"The dependency takes a bit of the value read that is always 0, which no compiler can know.",
     has_false_dependency},
    {"What stands behind the branch happens only where the read before it gave the value of the witness.", has_branch},
    {"A scope of the work-group reaches no thread of another one.", is_narrow},
    {"Local and global memory are different memories, which not every order spans.", mixes_regions},
};

enum { FACT_COUNT = sizeof facts / sizeof *facts };

/* ---- lines ---- */

/* Appends words in lines of their own, broken at blanks. */
static void add_lines(struct text *text, const char *words)
{
    while (*words) {
        size_t size = strlen(words);
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

/* Do all threads of several accesses, and the others, share what a title says? */
static const char *shared_words(const struct variant *variant)
{
    static const struct {
        const char *tag, *words;
    } rows[] = {
        {"relaxed", "relaxed accesses"},
        {"weak", "weak accesses"},
        {"plain", "plain accesses"},
        {"vol", "volatile accesses"},
        {"sc", "sequentially consistent accesses"},
        {"ra", "release stores and acquire loads"},
        {"rel", "release stores"},
        {"acq", "acquire loads"},
        {"rel+acq", "release and acquire"},
        {"fencear", "acquire-release fences"},
        {"fencesc", "sequentially consistent fences"},
        {"fenceacq", "acquire fences"},
        {"fencerel", "release fences"},
        {"addr", "address dependencies"},
        {"data", "data dependencies"},
        {"ctrl", "control dependencies"},
    };
    struct variant probe = *variant;
    struct error error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct variant tagged = probe;
        if (variant_set_tags(&tagged, rows[i].tag, &error) == STATUS_OK && variant_same(&tagged, &probe))
            return rows[i].words;
    }
    return NULL;
}

static void add_edge(const struct variant *variant, size_t index, struct text *text)
{
    const struct cycle *cycle = &variant->cycle;
    const struct cycle_edge *edge = &cycle->edges[index];
    if (edge->relation == CYCLE_FENCE)
        text_add(text, " %s fence%s%s,", access_words[edge->fence],
                 edge->fence_scope != LITMUS_SCOPE_NONE ? " of scope " : "",
                 edge->fence_scope != LITMUS_SCOPE_NONE
                     ? variant_abilities[variant->dialect].scope_words[edge->fence_scope]
                     : "");
    else if (edge->relation != CYCLE_PO)
        text_add(text, " %s,", edge_words[edge->relation]);
}

/* "P0 relaxed, acquire-release fence, relaxed; P1 ..." */
static void add_threads(const struct variant *variant, struct text *text)
{
    size_t starts[CYCLE_MAXIMUM_THREADS + 1];
    variant_starts(&variant->cycle, starts);
    for (unsigned i = 0; i < variant->threads; i++) {
        text_add(text, "%sP%u", i > 0 ? "; " : "", i);
        for (size_t k = starts[i]; k < starts[i + 1]; k++) {
            const bool last = k + 1 == starts[i + 1];
            text_add(text, " %s %s%s", order_word(variant, variant->cycle.events[k].order),
                     variant->cycle.events[k].direction == CYCLE_READ ? "read" : "write", last ? "" : ",");
            if (!last)
                add_edge(variant, k, text);
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
            text_add(text, "%c%s", variant_letter(i), variant->local >> i == 1 ? " in " : " and ");
    text_add(text, "local memory");
}

/* ", P0 and P2 in one work-group" for a group of several threads. */
static void add_group(const struct variant *variant, unsigned group, struct text *text)
{
    unsigned members = 0, total = 0;
    for (unsigned i = 0; i < variant->threads; i++)
        total += variant->work_group[i] == group;
    if (total < 2)
        return;
    for (unsigned i = 0; i < variant->threads; i++)
        if (variant->work_group[i] == group)
            text_add(text, "%sP%u", members++ == 0 ? ", " : members == total ? " and " : ", ", i);
    text_add(text, " in one %s", variant->one_sub_group[group] ? "sub-group" : "work-group");
}

static void add_placement(const struct variant *variant, struct text *text)
{
    const unsigned groups = variant_groups(variant);
    if (variant->threads > 1 && groups == 1)
        text_add(text, ", one %s", variant->one_sub_group[0] ? "sub-group" : "work-group");
    for (unsigned group = 0; group < groups && groups > 1; group++)
        add_group(variant, group, text);
    if (variant->one_cluster)
        text_add(text, ", one cluster");
}

static void add_title(const struct variant *variant, const char *family, const struct variant_notes *notes,
                      struct text *text)
{
    static const char *const rmw_words[] = {
        [VARIANT_NO_RMW] = "",
        [VARIANT_RMW_WRITES] = ", writes by exchange",
        [VARIANT_RMW_READS] = ", reads by adding 0",
        [VARIANT_RMW_ALL] = ", all accesses read-modify-writes",
    };
    const char *title = cycle_title(family), *shared = shared_words(variant);
    if (title)
        text_add(text, "%s", title);
    else
        text_add(text, "Cycle %s", family);
    text_add(text, ", ");
    if (shared)
        text_add(text, "%s", shared);
    else
        text_add(text, "mixed accesses");
    text_add(text, "%s", rmw_words[variant->rmw]);
    add_region(variant, text);
    if (variant->scope != LITMUS_DEVICE && variant->local != variant_locations(variant))
        text_add(text, ", scope %s", variant_abilities[variant->dialect].scope_words[variant->scope]);
    add_placement(variant, text);
    if (notes && notes->expect)
        text_add(text, ": %s", notes->expect);
    text_add(text, ".");
    if (shared)
        return;
    text_add(text, "\n");
    add_threads(variant, text);
    text_add(text, ".");
}

void variant_describe(const struct variant *variant, const struct variant_notes *notes, struct text *text)
{
    struct text words = {0}, family = {0};
    cycle_family(&variant->cycle, &family);
    add_title(variant, text_string(&family), notes, &words);
    for (char *line = words.data; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        add_lines(text, line);
        line = end ? end + 1 : NULL;
    }
    const char *question = cycle_question(text_string(&family));
    if (question)
        add_lines(text, question);
    for (size_t i = 0; i < FACT_COUNT; i++)
        if (facts[i].holds(variant))
            add_lines(text, facts[i].sentence);
    text_release(&words);
    text_release(&family);
}
