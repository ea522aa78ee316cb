// SPDX-License-Identifier: Apache-2.0
/* The product of the axes, one variant after the other. */
#include "catalogue/cycles/generate_parts.h"
#include "catalogue/cycles/variant_parts.h"

enum { COUNTED_EXACTLY = 100000, MOST_TRIED = 1000000 };

struct generation_walk {
    struct axes axes;
    enum status (*take)(const struct variant *variant, void *context, struct error *error);
    void *context;
    struct error *error;
    struct error reason;        /* why the first combination without a test has none */
    unsigned long tried, most;  /* combinations of cycles and tags; most: refuse more, or 0 */
    unsigned long count, limit; /* of variants, while they are counted, which ends after limit */
    /* of the combination at hand */
    struct cycle cycle;
    enum litmus_dialect dialect;
    const char *tag;                       /* one word of the axis for all edges, or NULL: */
    const char *tags[CYCLE_MAXIMUM_EDGES]; /* one for each edge; NULL for an external one */
};

static const struct generation_axis *axis_of(const struct generation_walk *walk, enum axis_name name)
{
    return &walk->axes.axes[name];
}

__attribute__((format(printf, 3, 4))) static void pass_over(struct generation_walk *walk, const struct variant *variant,
                                                            const char *format, ...)
{
    LOCAL(text) text = {0};
    va_list arguments;
    if (walk->reason.text[0] != '\0')
        return;
    cycle_family(&variant->cycle, &text);
    text_add(&text, " of %s: ", litmus_dialect_name(variant->dialect));
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    (void)error_set(&walk->reason, STATUS_USAGE, "%s", text_string(&text));
}

/* ---- placements ---- */

/* Has an earlier word of the axis, or an earlier way of this one, given this placement? */
static bool is_placed_again(const struct generation_walk *walk, const struct variant *variant, size_t word)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_PLACEMENT);
    for (size_t i = 0; i < word; i++) {
        struct variant other = *variant;
        for (bool first = true; axis_place(axis->words[i], first, &other); first = false)
            if (variant_same(&other, variant))
                return true;
    }
    return false;
}

static enum status walk_placements(struct generation_walk *walk, const struct variant *base)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_PLACEMENT);
    for (size_t i = 0; i < axis->count; i++) {
        struct variant variant = *base;
        if (!axis_place(axis->words[i], true, &variant))
            pass_over(walk, base, "placement %s has a different number of threads", axis->words[i]);
        for (bool first = true; axis_place(axis->words[i], first, &variant); first = false) {
            struct variant settled = variant;
            struct error reason = {0};
            variant_settle(&settled);
            if (is_placed_again(walk, &variant, i))
                continue;
            if (variant_check(&settled, &reason) != STATUS_OK)
                pass_over(walk, &settled, "%s", reason.text);
            else
                TRY(walk->take(&settled, walk->context, walk->error));
        }
    }
    return STATUS_OK;
}

/* ---- pairs of values, from two axes ---- */

/* Sets each of the pairs of values, and takes the next step with it. One that changes nothing, such as a fence's scope
 * without a fence, is used once. */
static enum status walk_pairs(struct generation_walk *walk, const struct variant *base, size_t count,
                              void (*set)(const struct generation_walk *, struct variant *, size_t number),
                              enum status (*next)(struct generation_walk *, const struct variant *))
{
    for (size_t i = 0; i < count; i++) {
        struct variant variant = *base;
        bool again = false;
        set(walk, &variant, i);
        for (size_t k = 0; k < i && !again; k++) {
            struct variant other = *base;
            set(walk, &other, k);
            again = variant_same(&other, &variant);
        }
        if (!again)
            TRY(next(walk, &variant));
    }
    return STATUS_OK;
}

/* ---- scopes ---- */

static void set_scopes(const struct generation_walk *walk, struct variant *variant, size_t number)
{
    const struct generation_axis *fences = axis_of(walk, AXIS_FENCE_SCOPE);
    const enum litmus_scope scope = axis_scope(axis_of(walk, AXIS_SCOPE)->words[number / fences->count]);
    const enum litmus_scope fence = axis_scope(fences->words[number % fences->count]);
    if (scope != LITMUS_SCOPE_NONE)
        variant->scope = scope;
    for (size_t i = 0; i < variant->cycle.count && fence != LITMUS_SCOPE_NONE; i++)
        if (variant->cycle.edges[i].relation == CYCLE_FENCE)
            variant->cycle.edges[i].fence_scope = fence;
}

/* Scopes of accesses, then of fences. */
static enum status walk_scopes(struct generation_walk *walk, const struct variant *base)
{
    const size_t count = axis_of(walk, AXIS_SCOPE)->count * axis_of(walk, AXIS_FENCE_SCOPE)->count;
    return walk_pairs(walk, base, count, set_scopes, walk_placements);
}

/* ---- VULKAN: plain accesses and semantics ---- */

static void set_vulkan(const struct generation_walk *walk, struct variant *variant, size_t number)
{
    const struct generation_axis *semantics = axis_of(walk, AXIS_SEMANTICS);
    variant->plain = axis_plain(axis_of(walk, AXIS_PLAIN)->words[number / semantics->count]);
    (void)axis_name_classes(semantics->words[number % semantics->count], variant);
}

/* Words for plain accesses, then for semantics. */
static enum status walk_vulkan(struct generation_walk *walk, const struct variant *base)
{
    const size_t count = axis_of(walk, AXIS_PLAIN)->count * axis_of(walk, AXIS_SEMANTICS)->count;
    return walk_pairs(walk, base, count, set_vulkan, walk_scopes);
}

/* ---- regions ---- */

static enum status walk_regions(struct generation_walk *walk, const struct variant *base)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_REGION);
    const unsigned all = variant_locations(base);
    for (size_t i = 0; i < axis->count; i++) {
        struct variant variant = *base;
        const unsigned local = axis_region(axis->words[i]);
        const bool again = ANY_OF(word, axis->words, i, ((axis_region(*word) ^ local) & all) == 0);
        variant.local = local & all;
        if (local != ~0U && (local & ~all))
            pass_over(walk, base, "it has no location for %s", axis->words[i]);
        else if (!again)
            TRY(walk_vulkan(walk, &variant));
    }
    return STATUS_OK;
}

/* ---- read-modify-writes and tags ---- */

/* The cycle's variant with the tag on all edges; NULL: with the tags of the walk. */
static enum status set_tags(const struct generation_walk *walk, enum variant_rmw rmw, const char *tag,
                            struct variant *variant, struct error *reason)
{
    variant_of_cycle(&walk->cycle, walk->dialect, variant);
    variant->rmw = rmw;
    if (tag)
        return *tag ? variant_set_tags(variant, tag, reason) : STATUS_OK;
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (walk->tags[i] && !variant_set_tag(variant, i, walk->tags[i]))
            return error_set(reason, STATUS_USAGE, "tag %s does not fit edge %zu of the cycle", walk->tags[i], i + 1);
    /* Tags of adjacent edges that disagree about the event between them override each other. */
    for (size_t i = 0; i < variant->cycle.count; i++) {
        struct variant again = *variant;
        if (walk->tags[i] && (!variant_set_tag(&again, i, walk->tags[i]) || !variant_same(&again, variant)))
            return error_set(reason, STATUS_USAGE, "tag %s contradicts its neighbour", walk->tags[i]);
    }
    return STATUS_OK;
}

/* Has an earlier word of the axis the same meaning for this cycle? */
static bool is_same_rmw(const struct variant *variant, const struct generation_axis *axis, size_t word)
{
    for (size_t i = 0; i < word; i++) {
        struct variant other = *variant;
        other.rmw = axis_rmw(axis->words[i]);
        if (variant_same(&other, variant))
            return true;
    }
    return false;
}

/* Has an earlier word of the tags made this variant already? */
static bool is_same_tag(const struct generation_walk *walk, const struct variant *variant, size_t word)
{
    for (size_t i = 0; i < word; i++) {
        struct variant other;
        struct error reason;
        if (set_tags(walk, variant->rmw, axis_of(walk, AXIS_TAGS)->words[i], &other, &reason) == STATUS_OK &&
            variant_same(&other, variant))
            return true;
    }
    return false;
}

/* word: of the tags' axis, if one word is set for all; else 0. */
static enum status walk_rmw(struct generation_walk *walk, size_t word)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_RMW);
    for (size_t i = 0; i < axis->count; i++) {
        struct variant variant;
        struct error reason = {0};
        if (walk->tried++ == walk->most && walk->most > 0)
            return error_set(walk->error, STATUS_LIMIT,
                             "expected fewer tags to combine: after %lu combinations there are more", walk->most);
        const enum status status = set_tags(walk, axis_rmw(axis->words[i]), walk->tag, &variant, &reason);
        if (status != STATUS_OK)
            pass_over(walk, &variant, "%s", reason.text);
        else if (!is_same_rmw(&variant, axis, i) && !(walk->tag && is_same_tag(walk, &variant, word)))
            TRY(walk_regions(walk, &variant));
    }
    return STATUS_OK;
}

/* The words of the tags that fit an edge under some value of the rmw axis, each meaning once. */
struct tag_choice {
    size_t edge, count, words[AXIS_MAXIMUM_WORDS];
};

static bool set_one(const struct generation_walk *walk, size_t edge, size_t word, struct variant *variant)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_RMW);
    for (size_t i = 0; i < axis->count; i++) {
        variant_of_cycle(&walk->cycle, walk->dialect, variant);
        variant->rmw = axis_rmw(axis->words[i]);
        if (variant_set_tag(variant, edge, axis_of(walk, AXIS_TAGS)->words[word]))
            return true;
    }
    return false;
}

static void find_choices(const struct generation_walk *walk, struct tag_choice *choice)
{
    for (size_t i = 0; i < axis_of(walk, AXIS_TAGS)->count; i++) {
        struct variant variant, other;
        bool again = !set_one(walk, choice->edge, i, &variant);
        for (size_t k = 0; k < choice->count && !again; k++)
            again = set_one(walk, choice->edge, choice->words[k], &other) && variant_same(&other, &variant);
        if (!again)
            choice->words[choice->count++] = i;
    }
}

/* Increments the numbers like an odometer, the last edge fastest; false at the end. */
static bool next_choices(const struct tag_choice *choices, size_t count, size_t numbers[CYCLE_MAXIMUM_EDGES])
{
    for (size_t i = count; i-- > 0;) {
        if (++numbers[i] < choices[i].count)
            return true;
        numbers[i] = 0;
    }
    return false;
}

static enum status walk_choices(struct generation_walk *walk, const struct tag_choice *choices, size_t count)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_TAGS);
    size_t numbers[CYCLE_MAXIMUM_EDGES] = {0};
    do {
        bool equal = true;
        memset(walk->tags, 0, sizeof walk->tags);
        for (size_t i = 0; i < count; i++) {
            walk->tags[choices[i].edge] = axis->words[choices[i].words[numbers[i]]];
            equal &= choices[i].words[numbers[i]] == choices[0].words[numbers[0]];
        }
        /* One tag on all edges is set by its name, which also applies to threads of one access. */
        walk->tag = equal ? axis->words[choices[0].words[numbers[0]]] : NULL;
        TRY(walk_rmw(walk, 0));
    } while (next_choices(choices, count, numbers));
    return STATUS_OK;
}

static enum status walk_mix(struct generation_walk *walk)
{
    FREED struct tag_choice *choices = memory_take(CYCLE_MAXIMUM_EDGES, sizeof *choices);
    size_t count = 0;
    bool none = false;
    for (size_t i = 0; i < walk->cycle.count; i++) {
        if (walk->cycle.edges[i].external)
            continue;
        choices[count].edge = i;
        find_choices(walk, &choices[count]);
        none |= choices[count++].count == 0;
    }
    if (!none)
        return walk_choices(walk, choices, count);
    struct variant variant;
    variant_of_cycle(&walk->cycle, walk->dialect, &variant);
    pass_over(walk, &variant, "no tag fits one of the edges");
    return STATUS_OK;
}

static enum status walk_tags(struct generation_walk *walk)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_TAGS);
    if (walk->axes.generation->mix)
        return walk_mix(walk);
    for (size_t i = 0; i < axis->count; i++) {
        walk->tag = axis->words[i];
        TRY(walk_rmw(walk, i));
    }
    return STATUS_OK;
}

/* ---- cycles ---- */

static enum status walk_cycle(struct generation_walk *walk, const struct cycle *cycle)
{
    const struct generation_axis *axis = axis_of(walk, AXIS_DIALECT);
    struct variant_values values;
    struct variant variant;
    struct error reason = {0};
    walk->cycle = *cycle;
    if (variant_find_values(cycle, &values, &reason) != STATUS_OK) {
        variant_of_cycle(cycle, axis_dialect(axis->words[0]), &variant);
        pass_over(walk, &variant, "%s", reason.text);
        return STATUS_OK;
    }
    for (size_t i = 0; i < axis->count; i++) {
        walk->dialect = axis_dialect(axis->words[i]);
        TRY(walk_tags(walk));
    }
    return STATUS_OK;
}

static enum status walk_all(struct generation_walk *walk)
{
    const struct axes *axes = &walk->axes;
    struct cycle_key key = {.count = 0};
    struct cycle cycle;
    for (size_t i = 0; i < axes->cycle_count; i++)
        TRY(walk_cycle(walk, &axes->cycles[i]));
    while (cycle_next_critical(axes->generation->critical_threads, &key, &cycle))
        if (!axes_have_cycle(axes, &cycle))
            TRY(walk_cycle(walk, &cycle));
    return STATUS_OK;
}

static enum status start_walk(const struct generation *generation, struct generation_walk **walk, struct error *error)
{
    *walk = memory_take(1, sizeof **walk);
    (*walk)->error = error;
    return axes_read(generation, &(*walk)->axes, error);
}

static void stop_walk(struct generation_walk *walk)
{
    free(walk->axes.cycles);
    free(walk);
}

/* ---- counting ---- */

static enum status count_one(const struct variant *variant, void *context, struct error *error)
{
    struct generation_walk *walk = context;
    (void)variant, (void)error;
    return walk->count++ == walk->limit ? STATUS_LIMIT : STATUS_OK;
}

/* The placements of so many threads; *count is 0 until they are counted. */
static unsigned long count_placements(const struct axes *axes, unsigned threads, unsigned long *count)
{
    const struct generation_axis *axis = &axes->axes[AXIS_PLACEMENT];
    if (*count > 0)
        return *count;
    for (size_t i = 0; i < axis->count; i++) {
        struct variant variant = {.threads = threads};
        for (bool first = true; axis_place(axis->words[i], first, &variant); first = false)
            ++*count;
    }
    return *count;
}

/* Counts every word of every axis for every edge, whether they fit or not. placements: by number of threads. */
static double bound_of_cycle(const struct axes *axes, const struct cycle *cycle, unsigned long *placements)
{
    const unsigned threads = (unsigned)cycle_threads(cycle);
    double product = (double)count_placements(axes, threads, &placements[threads]);
    for (size_t i = 0; i < cycle->count && axes->generation->mix; i++)
        product *= cycle->edges[i].external ? 1 : (double)axes->axes[AXIS_TAGS].count;
    for (int i = AXIS_DIALECT; i < AXIS_PLACEMENT; i++)
        if (i != AXIS_TAGS || !axes->generation->mix)
            product *= (double)axes->axes[i].count;
    return product;
}

static unsigned long find_bound(const struct axes *axes)
{
    unsigned long placements[CYCLE_MAXIMUM_THREADS + 1] = {0};
    double total = 0;
    struct cycle_key key = {.count = 0};
    struct cycle cycle;
    for (size_t i = 0; i < axes->cycle_count; i++)
        total += bound_of_cycle(axes, &axes->cycles[i], placements);
    while (cycle_next_critical(axes->generation->critical_threads, &key, &cycle))
        total += bound_of_cycle(axes, &cycle, placements);
    return total < 0x1p64 ? (unsigned long)total : ULONG_MAX;
}

enum status generation_check(const struct generation *generation, unsigned long *count, struct error *error)
{
    struct generation_walk *walk;
    *count = 0;
    enum status status = start_walk(generation, &walk, error);
    if (status == STATUS_OK) {
        walk->most = MOST_TRIED;
        walk->take = count_one;
        walk->context = walk;
        walk->limit = generation->limit > 0 ? generation->limit : COUNTED_EXACTLY;
        status = walk_all(walk);
        *count = walk->count < walk->limit ? walk->count : walk->limit;
    }
    const bool over = walk->count > walk->limit;
    if (over && generation->limit > 0)
        status = error_set(error, STATUS_LIMIT, "expected at most %lu tests (--limit), found more", generation->limit);
    else if (over) {
        status = STATUS_OK;
        *count = find_bound(&walk->axes);
    } else if (status == STATUS_OK && walk->count == 0)
        status = error_set(error, STATUS_USAGE, "nothing to generate: %s", walk->reason.text);
    stop_walk(walk);
    return status;
}

enum status generation_each(const struct generation *generation,
                            enum status (*take)(const struct variant *variant, void *context, struct error *error),
                            void *context, struct error *error)
{
    struct generation_walk *walk;
    enum status status = start_walk(generation, &walk, error);
    if (status == STATUS_OK) {
        walk->take = take;
        walk->context = context;
        status = walk_all(walk);
    }
    stop_walk(walk);
    return status;
}
