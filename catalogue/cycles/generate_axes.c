// SPDX-License-Identifier: Apache-2.0
/* The words of the axes: cut apart, checked, understood; and all axes from one line of an index. */
#include "catalogue/cycles/generate_parts.h"
#include "catalogue/cycles/variant_parts.h"
#include "litmus/language/words.h"

static const struct word dialect_words[] = {{"opencl", LITMUS_OPENCL}, {"ptx", LITMUS_PTX},       {"cuda", LITMUS_CUDA},
                                            {"c", LITMUS_C},           {"vulkan", LITMUS_VULKAN}, {NULL, 0}};

static const struct word rmw_words[] = {{"none", VARIANT_NO_RMW},
                                        {"writes", VARIANT_RMW_WRITES},
                                        {"reads", VARIANT_RMW_READS},
                                        {"all", VARIANT_RMW_ALL},
                                        {NULL, 0}};

static bool is_word(const struct word *words, const char *word)
{
    return word_value(words, word, strlen(word)) != LITMUS_NONE;
}

enum litmus_dialect axis_dialect(const char *word)
{
    return is_word(dialect_words, word) ? (enum litmus_dialect)word_value(dialect_words, word, strlen(word)) : 0;
}

enum variant_rmw axis_rmw(const char *word)
{
    return is_word(rmw_words, word) ? (enum variant_rmw)word_value(rmw_words, word, strlen(word)) : 0;
}

static bool read_region(const char *word, unsigned *mask)
{
    *mask = 0;
    return strcmp(word, "global") == 0 || variant_read_region(word, strlen(word), mask);
}

unsigned axis_region(const char *word)
{
    unsigned mask = 0;
    (void)read_region(word, &mask);
    return mask;
}

static bool read_plain(const char *word, enum variant_plain *plain)
{
    *plain = VARIANT_PLAIN_SHOWN;
    return strcmp(word, "shown") == 0 || variant_read_plain(word, strlen(word), plain);
}

enum variant_plain axis_plain(const char *word)
{
    enum variant_plain plain;
    (void)read_plain(word, &plain);
    return plain;
}

bool axis_name_classes(const char *word, struct variant *variant)
{
    variant->semantics = 0;
    return strcmp(word, "own") == 0 || variant_read_classes(word, strlen(word), &variant->semantics);
}

enum litmus_scope axis_scope(const char *word)
{
    enum litmus_scope scope = LITMUS_SCOPE_NONE;
    for (int i = 0; i < LITMUS_DIALECT_COUNT; i++)
        if (variant_scope((enum litmus_dialect)i, word, strlen(word), &scope))
            return scope;
    return LITMUS_SCOPE_NONE;
}

/* The partition before the variant's; false at the first, in which all threads are together. */
static bool place_before(struct variant *variant)
{
    unsigned *groups = variant->work_group, highest = 0;
    unsigned i = variant->threads;
    while (i > 0 && groups[i - 1] == 0)
        i--;
    if (i == 0)
        return false;
    groups[i - 1]--;
    for (unsigned k = 0; k < i; k++)
        highest = groups[k] > highest ? groups[k] : highest;
    for (; i < variant->threads; i++)
        groups[i] = ++highest;
    return true;
}

bool axis_place(const char *word, bool first, struct variant *variant)
{
    const bool warp = strcmp(word, "warp") == 0, all = strcmp(word, "all") == 0;
    if (!first)
        return all && place_before(variant);
    variant->one_cluster = variant->own_families = false;
    for (unsigned i = 0; i < CYCLE_MAXIMUM_THREADS; i++)
        variant->one_sub_group[i] = false;
    /* Each thread alone: the last of all partitions, written with work_group[i] at most one above all before it. */
    for (unsigned i = 0; i < variant->threads; i++)
        variant->work_group[i] = i;
    if (all || strcmp(word, "each") == 0)
        return true;
    if (!warp && strcmp(word, "together") != 0)
        return variant_read_placement(word, strlen(word), variant);
    for (unsigned i = 0; i < variant->threads; i++)
        variant->work_group[i] = 0;
    variant->one_sub_group[0] = warp;
    return true;
}

/* ---- checks: each says what its axis expects, or NULL for a good word ---- */

static const char *check_family(UNUSED const struct axes *axes, const char *word, struct error *reason)
{
    struct cycle cycle;
    return cycle_of_family(word, &cycle, reason) == STATUS_OK ? NULL : "";
}

/* Does one part of a word fit some edge, or a thread of one access, in some dialect that is asked for? */
static bool fits_somewhere(const struct axes *axes, const char *text, size_t size, struct error *reason)
{
    const struct generation_axis *dialects = &axes->axes[AXIS_DIALECT];
    for (size_t i = 0; i < dialects->count; i++) {
        const enum litmus_dialect dialect = axis_dialect(dialects->words[i]);
        struct variant_chain chain;
        enum litmus_order order;
        if (variant_read_chain(text, size, &chain, reason) != STATUS_OK)
            return false;
        size_t good = 0;
        for (size_t part = 0; part < chain.count; part++) {
            bool fits = variant_single_order(dialect, chain.tags[part], chain.sizes[part], &order);
            for (unsigned pair = 0; pair < 4 && !fits; pair++) {
                const enum cycle_direction directions[] = {pair & 1 ? CYCLE_WRITE : CYCLE_READ,
                                                           pair & 2 ? CYCLE_WRITE : CYCLE_READ};
                struct variant_tag tag;
                fits = variant_read_tag(dialect, chain.tags[part], chain.sizes[part], directions, &tag, reason) ==
                       STATUS_OK;
            }
            good += fits;
        }
        if (good == chain.count)
            return true;
    }
    return false;
}

static const char *check_tags(const struct axes *axes, const char *word, struct error *reason)
{
    if (axes->generation->mix && strchr(word, '+'))
        return "tags without '+', which --mix joins itself";
    for (const char *at = word;;) {
        const size_t size = strcspn(at, "+");
        if (!fits_somewhere(axes, at, size, reason))
            return "tags such as relaxed, ra, rel+acq or fencear that the dialect has";
        if (!at[size])
            return NULL;
        at += size + 1;
    }
}

static bool has_placement(const char *word)
{
    return ANY_NUMBER(unsigned, threads, 1, CYCLE_MAXIMUM_THREADS + 1,
                      axis_place(word, true, &(struct variant){.threads = threads}));
}

/* Words that are good or bad by themselves. */
#define AXIS_CHECK(axis, good, expected)                                                                               \
    static const char *check_##axis(UNUSED const struct axes *axes, const char *word, UNUSED struct error *reason)     \
    {                                                                                                                  \
        return (good) ? NULL : (expected);                                                                             \
    }
AXIS_CHECK(dialect, is_word(dialect_words, word), "opencl, ptx, cuda, c or vulkan")
AXIS_CHECK(rmw, is_word(rmw_words, word), "none, writes, reads or all")
AXIS_CHECK(region, read_region(word, &(unsigned){0}),
           "global, local, or local and locations such as localx and localyz")
AXIS_CHECK(plain, read_plain(word, &(enum variant_plain){0}), "shown, semav, novis, noav, nonpriv or private")
AXIS_CHECK(semantics, axis_name_classes(word, &(struct variant){0}), "own, semsc0, semsc1 or semsc01")
AXIS_CHECK(axis_scope, axis_scope(word) != LITMUS_SCOPE_NONE,
           "cta, cluster, gpu or sys, wg, dev or all, or sg, wg, qf or dv")
AXIS_CHECK(placement, has_placement(word),
           "each, together, warp, all, or work-groups such as 0-1, 01-2, w01, c0-1, q0-1")

static const struct {
    const char *option;
    size_t offset; /* of the text in struct generation */
    const char *standard;
    /* What was expected, or NULL for a good word; "" if the reason says it. */
    const char *(*check)(const struct axes *axes, const char *word, struct error *reason);
} rows[AXIS_COUNT] = {
    [AXIS_FAMILY] = {"--family", offsetof(struct generation, families), NULL, check_family},
    [AXIS_DIALECT] = {"--dialect", offsetof(struct generation, dialects), "opencl", check_dialect},
    [AXIS_TAGS] = {"--tags", offsetof(struct generation, tags), NULL, check_tags},
    [AXIS_RMW] = {"--rmw", offsetof(struct generation, rmw), "none", check_rmw},
    [AXIS_REGION] = {"--regions", offsetof(struct generation, regions), "global", check_region},
    [AXIS_PLAIN] = {"--plain", offsetof(struct generation, plain), "shown", check_plain},
    [AXIS_SEMANTICS] = {"--semantics", offsetof(struct generation, semantics), "own", check_semantics},
    [AXIS_SCOPE] = {"--scopes", offsetof(struct generation, scopes), NULL, check_axis_scope},
    [AXIS_FENCE_SCOPE] = {"--fence-scopes", offsetof(struct generation, fence_scopes), NULL, check_axis_scope},
    [AXIS_PLACEMENT] = {"--placements", offsetof(struct generation, placements), "each", check_placement},
};

/* The member for the text of the axis with this option; NULL if there is none. */
static const char **axis_text(struct generation *generation, const char *option)
{
    return VALUE_OF(const char **, row, rows, AXIS_COUNT, strcmp(row->option, option) == 0,
                    (const char **)((char *)generation + row->offset), NULL);
}

static enum status generate_axes_add_word(const struct axes *axes, enum axis_name name, struct generation_axis *axis,
                                          const char *text, size_t size, struct error *error)
{
    struct error reason = {0};
    if (axis->count == AXIS_MAXIMUM_WORDS)
        return error_set(error, STATUS_LIMIT, "%s: expected at most %d words", axis->option, AXIS_MAXIMUM_WORDS);
    if (size >= AXIS_WORD_SIZE)
        return error_set(error, STATUS_LIMIT, "%s: expected words of at most %d characters", axis->option,
                         AXIS_WORD_SIZE - 1);
    char *word = axis->words[axis->count];
    memcpy(word, text, size);
    word[size] = '\0';
    /* Words are taken in any case: a family becomes its nickname, every other word is lower-case. */
    const char *nickname;
    for (size_t i = 0; name == AXIS_FAMILY && (nickname = cycle_nickname(i)); i++)
        if (strcasecmp(nickname, word) == 0)
            memcpy(word, nickname, strlen(nickname));
    for (char *c = word; name != AXIS_FAMILY && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    const char *expected = rows[name].check(axes, word, &reason);
    if (expected && *expected)
        return error_set(error, STATUS_USAGE, "%s: expected %s, found '%s'", axis->option, expected, word);
    if (expected)
        return error_set(error, STATUS_USAGE, "%s: %s", axis->option, reason.text);
    if (ANY_OF(one, axis->words, axis->count, strcmp(*one, word) == 0))
        return error_set(error, STATUS_USAGE, "%s: expected each word once, found '%s' twice", axis->option, word);
    axis->count++;
    return STATUS_OK;
}

static enum status read_axis(struct axes *axes, enum axis_name name, struct error *error)
{
    struct generation_axis *axis = &axes->axes[name];
    const char *text = *(const char *const *)((const char *)axes->generation + rows[name].offset);
    axis->option = rows[name].option;
    if (!text)
        text = rows[name].standard;
    if (!text) {
        axis->count = name == AXIS_FAMILY ? 0 : 1;
        return STATUS_OK;
    }
    for (bool more = true; more;) {
        const size_t size = strcspn(text, ",");
        TRY(generate_axes_add_word(axes, name, axis, text, size, error));
        more = text[size] == ',';
        text += size + more;
    }
    return STATUS_OK;
}

/* ---- cycles ---- */

bool axes_have_cycle(const struct axes *axes, const struct cycle *cycle)
{
    struct variant variant, other;
    variant_of_cycle(cycle, LITMUS_C, &variant);
    for (size_t i = 0; i < axes->cycle_count; i++) {
        variant_of_cycle(&axes->cycles[i], LITMUS_C, &other);
        if (variant_same(&other, &variant))
            return true;
    }
    return false;
}

static void add_cycle(struct axes *axes, struct cycle *cycle)
{
    cycle_normalize(cycle);
    if (axes->generation->tags) {
        for (size_t i = 0; i < cycle->count; i++) {
            struct cycle_edge *edge = &cycle->edges[i];
            cycle->events[i] = (struct cycle_event){.direction = cycle->events[i].direction};
            if (!cycle_is_communication(edge->relation))
                *edge = (struct cycle_edge){.relation = CYCLE_PO, .same_location = edge->same_location};
        }
    }
    if (!axes_have_cycle(axes, cycle))
        LIST_ADD(axes->cycles, axes->cycle_count, axes->cycle_room) = *cycle;
}

static enum status read_cycles(struct axes *axes, struct error *error)
{
    const struct generation *generation = axes->generation;
    const struct generation_axis *families = &axes->axes[AXIS_FAMILY];
    struct cycle cycle;
    if (generation->critical_threads != 0 &&
        (generation->critical_threads < 2 || generation->critical_threads > CYCLE_MAXIMUM_THREADS))
        return error_set(error, STATUS_USAGE, "critical cycles: expected 2 to %d threads, found %u",
                         CYCLE_MAXIMUM_THREADS, generation->critical_threads);
    if (generation->cycle_count + families->count == 0 && generation->critical_threads == 0)
        return error_set(error, STATUS_USAGE,
                         "expected cycles: a cycle such as \"PodWW Rfe PodRR Fre\", --family MP, or --critical");
    for (size_t i = 0; i < generation->cycle_count; i++) {
        struct error reason = {0};
        const enum status status = cycle_parse(generation->cycles[i], &cycle, &reason);
        if (status != STATUS_OK)
            return error_set(error, status, "'%.120s': %s", generation->cycles[i], reason.text);
        add_cycle(axes, &cycle);
    }
    for (size_t i = 0; i < families->count; i++) {
        TRY(cycle_of_family(families->words[i], &cycle, error));
        add_cycle(axes, &cycle);
    }
    return STATUS_OK;
}

enum status axes_read(const struct generation *generation, struct axes *axes, struct error *error)
{
    *axes = (struct axes){.generation = generation};
    if (generation->mix && !generation->tags)
        return error_set(error, STATUS_USAGE, "--mix: expected --tags with the words to combine");
    for (int i = 0; i < AXIS_COUNT; i++)
        TRY(read_axis(axes, (enum axis_name)i, error));
    return read_cycles(axes, error);
}

/* ---- a generation from one line of an index ---- */

static const char blanks[] = " \t\r\n";

/* Cuts the next word off; quotes hold blanks together. *word is NULL at the end. */
static enum status generate_axes_take_word(char **rest, char **word, struct error *error)
{
    char *at = *rest + strspn(*rest, blanks);
    const char quote = *at == '"' || *at == '\'' ? *at : '\0';
    *word = NULL;
    *rest = at;
    if (!*at)
        return STATUS_OK;
    if (quote)
        at++;
    char *end = quote ? strchr(at, quote) : at + strcspn(at, blanks);
    if (!end)
        return error_set(error, STATUS_SYNTAX, "expected %c after %c%.80s", quote, quote, at);
    *word = at;
    *rest = *end ? end + 1 : end;
    if (quote && **rest && !strchr(blanks, **rest))
        return error_set(error, STATUS_SYNTAX, "expected a space after %c%.80s", quote, at);
    *end = '\0';
    return STATUS_OK;
}

static enum status generate_axes_read_number(const char *option, const char *value, unsigned long most,
                                             unsigned long *number, struct error *error)
{
    char *end;
    errno = 0;
    *number = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || errno || *number > most)
        return error_set(error, STATUS_SYNTAX, "%s: expected a whole number up to %lu, found '%s'", option, most,
                         value);
    return STATUS_OK;
}

static enum status generate_axes_read_value(struct generation *generation, unsigned long *threads, const char *option,
                                            char *value, struct error *error)
{
    const char **text = axis_text(generation, option);
    if (text && *text)
        return error_set(error, STATUS_SYNTAX, "%s: expected once, found twice", option);
    if (text) {
        *text = value;
        return STATUS_OK;
    }
    if (strcmp(option, "--threads") == 0)
        return generate_axes_read_number(option, value, CYCLE_MAXIMUM_THREADS, threads, error);
    return generate_axes_read_number(option, value, ~0UL, &generation->limit, error);
}

static enum status add_written_cycle(struct generation *generation, const char *cycle, struct error *error)
{
    const size_t room = COUNT(generation->cycles);
    if (generation->cycle_count == room)
        return error_set(error, STATUS_LIMIT, "expected at most %zu cycles", room);
    generation->cycles[generation->cycle_count++] = cycle;
    return STATUS_OK;
}

static enum status generate_axes_read_word(struct generation *generation, unsigned long *threads, char *word,
                                           char **rest, struct error *error)
{
    enum { STANDARD_THREADS = 3 };
    char *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    if (equals)
        *equals = '\0';
    const bool has_value =
        axis_text(generation, word) || strcmp(word, "--threads") == 0 || strcmp(word, "--limit") == 0;
    if (strcmp(word, "--mix") == 0)
        generation->mix = true;
    else if (strcmp(word, "--critical") == 0)
        generation->critical_threads = STANDARD_THREADS;
    else if (!has_value && word[0] != '-')
        return add_written_cycle(generation, word, error);
    else if (!has_value)
        return error_set(
            error, STATUS_SYNTAX,
            "expected a cycle in quotes, --family, --critical, --threads, --dialect, --tags, --mix, "
            "--scopes, --fence-scopes, --placements, --regions, --rmw, --plain, --semantics or --limit, found '%s'",
            word);
    else {
        char *value = equals ? equals + 1 : NULL;
        if (!equals)
            TRY(generate_axes_take_word(rest, &value, error));
        if (!value)
            return error_set(error, STATUS_SYNTAX, "%s: expected a value after it", word);
        return generate_axes_read_value(generation, threads, word, value, error);
    }
    return STATUS_OK;
}

enum status generation_parse(char *words, struct generation *generation, struct error *error)
{
    unsigned long threads = 0;
    *generation = (struct generation){0};
    for (char *word;;) {
        TRY(generate_axes_take_word(&words, &word, error));
        if (!word)
            break;
        TRY(generate_axes_read_word(generation, &threads, word, &words, error));
    }
    if (threads > 0 && generation->critical_threads == 0)
        return error_set(error, STATUS_SYNTAX, "--threads: expected --critical, whose cycles --threads bounds");
    if (threads > 0)
        generation->critical_threads = (unsigned)threads;
    return STATUS_OK;
}
