// SPDX-License-Identifier: Apache-2.0
/* Variants of cycles, which need no file. */
#include "catalogue/cycles/generate.h"
#include "catalogue/selection_parts.h"

/* The path that the variant's file would have. */
static void selection_variants_add_path(const struct variant *variant, struct text *path)
{
    text_add(path, "generated/");
    cycle_family(&variant->cycle, path);
    text_add(path, "/");
    catalogue_add_dialect(variant->dialect, path);
    text_add(path, "/");
    variant_name(variant, path);
    text_add(path, ".litmus");
}

/* The status for a name that is not a variant's: OK, if only its text is wrong. */
static enum status unless_wrong(enum status status)
{
    return status == STATUS_SYNTAX || status == STATUS_USAGE || status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}

static enum status add_judged(struct maker *maker, const struct variant *variant)
{
    struct litmus_test *test;
    LOCAL(text) path = {0};
    enum variant_verdict verdict;
    TRY(selection_count(maker, 1, 0));
    if (!maker->judging)
        return error_set(maker->error, STATUS_UNSUPPORTED, "no model judges the tests of cycles here");
    if (!maker->judge)
        maker->judge = variant_judge_open(maker->judging);
    TRY(variant_judge_test(maker->judge, variant, &test, &verdict, maker->error));
    selection_variants_add_path(variant, &path);
    (void)selection_add(maker, test, text_string(&path), NULL);
    return STATUS_OK;
}

enum status selection_add_variant(struct maker *maker, const char *name, enum litmus_dialect dialect)
{
    struct variant variant;
    const enum status status = variant_parse_name(dialect, name, &variant, maker->error);
    return unless_wrong(status == STATUS_OK ? add_judged(maker, &variant) : status);
}

static enum status add_generated(const struct variant *variant, void *context, struct error *error)
{
    struct maker *maker = context;
    (void)error; /* maker has the same */
    const enum status status = add_judged(maker, variant);
    return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}

/* The limit for one line of an index without --limit: each variant is judged and kept. */
enum { MAXIMUM_GENERATED = 20000 };

enum status selection_add_generated(struct maker *maker, char *words)
{
    struct generation generation;
    unsigned long count;
    enum status status = generation_parse(words, &generation, maker->error);
    if (status == STATUS_OK && generation.limit == 0)
        generation.limit = MAXIMUM_GENERATED;
    THEN(status, generation_check(&generation, &count, maker->error));
    /* The caller prefixes these messages with the place in the index. */
    if (status == STATUS_SYNTAX)
        status = STATUS_USAGE;
    return status == STATUS_OK ? generation_each(&generation, add_generated, maker, maker->error) : status;
}

enum status selection_find_variant(const char *name, enum litmus_dialect dialect, struct selected_test *found,
                                   struct error *error)
{
    struct variant variant;
    struct text path = {0};
    enum status status = variant_parse_name(dialect, name, &variant, error);
    THEN(status, variant_test(&variant, NULL, &found->test, error));
    if (status != STATUS_OK)
        return unless_wrong(status);
    selection_variants_add_path(&variant, &path);
    found->file = text_take(&path);
    return STATUS_OK;
}

/* Does the name start like a variant's? */
static bool has_family(const char *name)
{
    struct cycle cycle;
    struct error error;
    char family[64];
    const size_t length = strcspn(name, "+");
    if (length >= sizeof family)
        return false;
    memcpy(family, name, length);
    family[length] = '\0';
    return cycle_of_family(family, &cycle, &error) == STATUS_OK;
}

static enum status can_make(const char *name, enum litmus_dialect dialect, struct error *error)
{
    struct variant variant;
    struct litmus_test *test;
    TRY(variant_parse_name(dialect, name, &variant, error));
    TRY(variant_test(&variant, NULL, &test, error));
    litmus_release(test);
    return STATUS_OK;
}

void selection_hint_variant(const char *name, int dialect, struct text *text)
{
    struct error error;
    bool made = false;
    if (dialect != LITMUS_NONE) {
        if (has_family(name) && can_make(name, (enum litmus_dialect)dialect, &error) != STATUS_OK)
            text_add(text, "; it cannot be generated either: %s", error.text);
        return;
    }
    for (int other = 0; other < LITMUS_DIALECT_COUNT; other++) {
        if (can_make(name, (enum litmus_dialect)other, &error) != STATUS_OK)
            continue;
        text_add(text, "%s", made ? " or " : "; to generate it, write its dialect first: ");
        catalogue_add_dialect((enum litmus_dialect)other, text);
        text_add(text, ":%s", name);
        made = true;
    }
}
