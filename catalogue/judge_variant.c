// SPDX-License-Identifier: Apache-2.0
/* Verdicts on variants, kept by name, and the search for controls and mutants among their siblings. */
#include "catalogue/judge_variant.h"

#include "base/hash_index.h"
#include "litmus/dialects.h"

static const char race_reason[] = "the test is racy";

enum { MAXIMUM_KNOWN = 1 << 15 }; /* verdicts kept; when full, all are dropped */

struct known_verdict {
    char *name;
    enum litmus_dialect dialect;
    enum variant_verdict verdict;
    char *reason; /* of UNJUDGED, else NULL */
};

struct variant_judge {
    model_judging *judging;
    struct model *models[LITMUS_DIALECT_COUNT]; /* NULL: not loaded yet */
    struct known_verdict *known;
    size_t known_count, known_room;
    struct hash_index index; /* of known, by dialect and name */
    const char *reason;      /* of the last UNJUDGED or RACY verdict: one of known, or race_reason */
    /* The search for siblings of a variant: a sibling is listed if its witness has the wanted verdict. */
    struct {
        const char *name; /* of the variant itself */
        enum variant_verdict wanted;
        struct text names; /* of the siblings found, joined by ", " */
        size_t count, maximum;
        struct error *error;
    } siblings;
};

/* ---- the judge ---- */

struct variant_judge *variant_judge_open(model_judging *judging)
{
    struct variant_judge *judge = memory_take(1, sizeof *judge);
    judge->judging = judging;
    return judge;
}

static void forget_verdicts(struct variant_judge *judge)
{
    for (size_t i = 0; i < judge->known_count; i++) {
        free(judge->known[i].name);
        free(judge->known[i].reason);
    }
    judge->known_count = 0;
    judge->reason = NULL;
    hash_index_clear(&judge->index);
}

void variant_judge_release(struct variant_judge *judge)
{
    if (!judge)
        return;
    forget_verdicts(judge);
    for (size_t i = 0; i < LITMUS_DIALECT_COUNT; i++)
        if (judge->models[i])
            model_release(judge->models[i]);
    hash_index_release(&judge->index);
    text_release(&judge->siblings.names);
    free(judge->known);
    free(judge);
}

const char *variant_judge_reason(const struct variant_judge *judge)
{
    return judge->reason ? judge->reason : "";
}

/* ---- one verdict ---- */

static enum variant_verdict read_judgement(const struct judgement *judgement, struct error *why)
{
    enum variant_verdict verdict = judgement->cut ? VARIANT_UNJUDGED : VARIANT_FORBIDDEN;
    if (verdict == VARIANT_UNJUDGED)
        (void)error_set(why, STATUS_UNSUPPORTED, "not all executions were followed: %s",
                        judgement->cut ? judgement->cut : "a bound was reached");
    FOR_EACH(const struct judged_outcome, outcome, judgement->outcomes, judgement->outcome_count) {
        if (!outcome->witness)
            continue;
        if (outcome->verdict == VERDICT_SC || outcome->verdict == VERDICT_WEAK)
            return VARIANT_ALLOWED;
        if (outcome->verdict != VERDICT_FORBIDDEN) {
            verdict = judgement->racy ? VARIANT_RACY : VARIANT_UNJUDGED;
            (void)error_set(why, STATUS_UNSUPPORTED, "its witness is %s, because the model says nothing",
                            verdict_word(outcome->verdict));
        }
    }
    return verdict;
}

static enum status judge_variant_judge_test(struct variant_judge *judge, const struct litmus_test *test,
                                            enum variant_verdict *verdict, struct error *why, struct error *error)
{
    struct model **model = &judge->models[test->dialect];
    struct judgement judgement;
    if (!*model)
        TRY(model_load(model_default(test->dialect), model, error));
    const struct judge_options options = {0};
    const enum status status = judge->judging(*model, test, &options, &judgement, why);
    if (status == STATUS_UNSUPPORTED || status == STATUS_LIMIT) {
        *verdict = VARIANT_UNJUDGED;
        return STATUS_OK;
    }
    if (status != STATUS_OK) {
        *error = *why;
        return status;
    }
    *verdict = read_judgement(&judgement, why);
    judgement_release(&judgement);
    return STATUS_OK;
}

static const struct known_verdict *recall_verdict(const struct variant_judge *judge, uint64_t key, const char *name,
                                                  enum litmus_dialect dialect)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&judge->index, key, &step, &item);) {
        const struct known_verdict *known = &judge->known[item];
        if (known->dialect == dialect && strcmp(known->name, name) == 0)
            return known;
    }
    return NULL;
}

static enum status find_verdict(struct variant_judge *judge, const struct variant *variant, const char *name,
                                enum variant_verdict *verdict, struct error *error)
{
    const uint64_t key = hash_index_key((int)variant->dialect, name);
    const struct known_verdict *known = recall_verdict(judge, key, name, variant->dialect);
    struct litmus_test *test;
    struct error why = {0};
    if (known) {
        *verdict = known->verdict;
        judge->reason = known->verdict == VARIANT_RACY ? race_reason : known->reason;
        return STATUS_OK;
    }
    TRY(variant_test(variant, NULL, &test, error));
    const enum status status = judge_variant_judge_test(judge, test, verdict, &why, error);
    litmus_release(test);
    TRY(status);
    if (judge->known_count == MAXIMUM_KNOWN)
        forget_verdicts(judge);
    char *const kept = *verdict == VARIANT_UNJUDGED ? memory_copy(why.text) : NULL;
    judge->reason = *verdict == VARIANT_RACY ? race_reason : kept;
    hash_index_add(&judge->index, key, judge->known_count);
    LIST_ADD(judge->known, judge->known_count, judge->known_room) = (struct known_verdict){
        .name = memory_copy(name), .dialect = variant->dialect, .verdict = *verdict, .reason = kept};
    return STATUS_OK;
}

/* ---- siblings ---- */

static bool judge_variant_is_listed(const struct text *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text_string(names); *at; at += *at == ',' ? 2 : 0) {
        const size_t size = strcspn(at, ",");
        if (size == length && memcmp(at, name, size) == 0)
            return true;
        at += size;
    }
    return false;
}

/* A sibling that the dialect cannot express is skipped. */
static enum status try_sibling(struct variant_judge *judge, const struct variant *sibling)
{
    LOCAL(text) name = {0};
    enum variant_verdict verdict = VARIANT_UNJUDGED;
    enum status status = STATUS_OK;
    variant_name(sibling, &name);
    const char *const text = text_string(&name);
    if (judge->siblings.count < judge->siblings.maximum && strcmp(text, judge->siblings.name) != 0 &&
        !judge_variant_is_listed(&judge->siblings.names, text))
        status = find_verdict(judge, sibling, text, &verdict, judge->siblings.error);
    if (status == STATUS_UNSUPPORTED)
        status = STATUS_OK;
    else if (status == STATUS_OK && verdict == judge->siblings.wanted) {
        text_add(&judge->siblings.names, "%s%s", judge->siblings.count > 0 ? ", " : "", text);
        judge->siblings.count++;
    }
    return status;
}

/* Does a thread consist of this event alone? */
static bool stands_alone(const struct cycle *cycle, size_t event)
{
    const size_t before = (event + cycle->count - 1) % cycle->count;
    return cycle->edges[event].external && cycle->edges[before].external;
}

/* ---- controls ---- */

/* From the cheapest to the strongest. */
static const char *const strengthenings[] = {"ra", "fencear", "sc", "fencesc"};

static enum status try_strengthenings(struct variant_judge *judge, const struct variant *base)
{
    for (size_t i = 0; i < COUNT(strengthenings); i++) {
        struct variant sibling = *base;
        struct error why;
        if (variant_set_tags(&sibling, strengthenings[i], &why) == STATUS_OK)
            TRY(try_sibling(judge, &sibling));
    }
    return STATUS_OK;
}

/* VULKAN has no sequentially consistent order. Where every access is a read-modify-write, each step of the cycle is a
 * read that fences order. */
static enum status try_updates(struct variant_judge *judge, const struct variant *base)
{
    struct variant sibling = *base;
    sibling.rmw = VARIANT_RMW_ALL;
    return dialects[base->dialect].has_semantics ? try_strengthenings(judge, &sibling) : STATUS_OK;
}

static enum status find_control(struct variant_judge *judge, const struct variant *variant)
{
    judge->siblings.wanted = VARIANT_FORBIDDEN;
    judge->siblings.maximum = 1;
    for (int wide = 0; wide < 2; wide++) {
        struct variant base = *variant;
        if (wide && (base.scope == LITMUS_SCOPE_NONE || base.scope >= LITMUS_DEVICE))
            break;
        if (wide)
            base.scope = LITMUS_DEVICE;
        base.semantics = 0;
        struct variant synchronized = base;
        struct error ignored;
        if (variant_set_tags(&synchronized, "relaxed", &ignored) == STATUS_OK) {
            /* Release and acquire where they synchronise: the last write of a thread, the first read; the choice
             * closest to relaxed. */
            static const char *const tags[] = {"rel", "acq", "ra"};
            for (size_t edge = 0; edge < synchronized.cycle.count; edge++) {
                bool set = synchronized.cycle.edges[edge].external;
                for (size_t i = 0; i < COUNT(tags) && !set; i++)
                    set = variant_set_tag(&synchronized, edge, tags[i]);
            }
            TRY(try_sibling(judge, &synchronized));
        }
        TRY(try_strengthenings(judge, &base));
        TRY(try_updates(judge, &base));
    }
    return STATUS_OK;
}

/* VULKAN: the variant whose plain accesses are made available and visible, at its scope or at device scope. */
static enum status find_race_free(struct variant_judge *judge, const struct variant *variant)
{
    judge->siblings.wanted = VARIANT_FORBIDDEN;
    judge->siblings.maximum = 1;
    for (int wide = 0; wide < 2 && dialects[variant->dialect].has_semantics; wide++) {
        struct variant sibling = *variant;
        sibling.plain = VARIANT_PLAIN_SHOWN;
        if (wide)
            sibling.scope = LITMUS_DEVICE;
        TRY(try_sibling(judge, &sibling));
    }
    return judge->siblings.count == 0 && dialects[variant->dialect].has_semantics ? find_control(judge, variant)
                                                                                  : STATUS_OK;
}

/* ---- mutants ---- */

/* The next narrower scope that every device has, or SCOPE_NONE. */
static enum litmus_scope narrower_scope(enum litmus_dialect dialect, enum litmus_scope scope)
{
    switch (scope) {
    case LITMUS_ALL_DEVICES:
        return LITMUS_DEVICE;
    case LITMUS_DEVICE:
    case LITMUS_QUEUE_FAMILY:
    case LITMUS_CLUSTER:
        return LITMUS_WORK_GROUP;
    case LITMUS_WORK_GROUP:
        return dialect == LITMUS_VULKAN ? LITMUS_SUB_GROUP : LITMUS_SCOPE_NONE;
    default:
        return LITMUS_SCOPE_NONE;
    }
}

static void relax_event(struct cycle_event *event, bool *weaker)
{
    *weaker |= event->order > LITMUS_RELAXED;
    if (event->order > LITMUS_RELAXED)
        event->order = LITMUS_RELAXED;
}

static enum status try_orders(struct variant_judge *judge, const struct variant *variant)
{
    const struct cycle *cycle = &variant->cycle;
    for (size_t i = 0; i < cycle->count; i++) {
        const enum cycle_relation relation = cycle->edges[i].relation;
        struct variant sibling = *variant;
        bool weaker = false;
        if (relation == CYCLE_RF || relation == CYCLE_CO || relation == CYCLE_FR) {
            /* A communication has no tag; within a thread its two events have orders, otherwise a single event. */
            if (stands_alone(cycle, i) || !cycle->edges[i].external)
                relax_event(&sibling.cycle.events[i], &weaker);
            if (!cycle->edges[i].external)
                relax_event(&sibling.cycle.events[(i + 1) % cycle->count], &weaker);
        } else
            weaker = variant_set_tag(&sibling, i, "relaxed");
        if (weaker)
            TRY(try_sibling(judge, &sibling));
    }
    return STATUS_OK;
}

static enum status try_scopes(struct variant_judge *judge, const struct variant *variant)
{
    struct variant sibling = *variant;
    sibling.scope = narrower_scope(variant->dialect, variant->scope);
    if (sibling.scope != LITMUS_SCOPE_NONE)
        TRY(try_sibling(judge, &sibling));
    for (size_t i = 0; i < variant->cycle.count; i++) {
        const struct cycle_edge *edge = &variant->cycle.edges[i];
        if (edge->relation != CYCLE_FENCE)
            continue;
        sibling = *variant;
        sibling.cycle.edges[i].fence_scope = narrower_scope(
            variant->dialect, edge->fence_scope != LITMUS_SCOPE_NONE ? edge->fence_scope : variant->scope);
        if (sibling.cycle.edges[i].fence_scope != LITMUS_SCOPE_NONE)
            TRY(try_sibling(judge, &sibling));
    }
    return STATUS_OK;
}

static enum status find_mutants(struct variant_judge *judge, const struct variant *variant)
{
    judge->siblings.wanted = VARIANT_ALLOWED;
    judge->siblings.maximum = VARIANT_MAXIMUM_MUTANTS;
    TRY(try_orders(judge, variant));
    TRY(try_scopes(judge, variant));
    /* VULKAN: orders that leave out one storage class of the test. */
    for (unsigned named = 1; named <= 2 && dialects[variant->dialect].has_semantics; named++) {
        struct variant sibling = *variant;
        sibling.semantics = named;
        TRY(try_sibling(judge, &sibling));
    }
    /* Of relaxed accesses that coherence alone keeps in order, only plain ones are weaker. */
    struct variant sibling = *variant;
    struct error why;
    if (judge->siblings.count == 0 && variant_set_tags(&sibling, "weak", &why) == STATUS_OK)
        return try_sibling(judge, &sibling);
    return STATUS_OK;
}

/* ---- the test ---- */

static enum status judge_variant_make_test(struct variant_judge *judge, const struct variant *variant, const char *name,
                                           struct litmus_test **test, enum variant_verdict *verdict,
                                           struct error *error)
{
    static const char *const expectations[VARIANT_VERDICT_COUNT] = {
        [VARIANT_ALLOWED] = "allowed", [VARIANT_FORBIDDEN] = "forbidden"};
    judge->siblings.name = name;
    judge->siblings.count = 0;
    judge->siblings.error = error;
    text_clear(&judge->siblings.names);
    enum status status = find_verdict(judge, variant, name, verdict, error);
    const char *const reason = judge->reason; /* no sibling of an unjudged variant is looked at */
    if (status == STATUS_OK && *verdict == VARIANT_ALLOWED)
        status = find_control(judge, variant);
    else if (status == STATUS_OK && *verdict == VARIANT_FORBIDDEN)
        status = find_mutants(judge, variant);
    else if (status == STATUS_OK && *verdict == VARIANT_RACY)
        status = find_race_free(judge, variant);
    judge->reason = *verdict == VARIANT_RACY ? race_reason : *verdict == VARIANT_UNJUDGED ? reason : NULL;
    const char *const siblings = judge->siblings.count > 0 ? text_string(&judge->siblings.names) : NULL;
    const struct variant_notes notes = {.expect = expectations[*verdict],
                                        .racy = *verdict == VARIANT_RACY,
                                        .control = *verdict != VARIANT_FORBIDDEN ? siblings : NULL,
                                        .mutants = *verdict == VARIANT_FORBIDDEN ? siblings : NULL};
    return status == STATUS_OK ? variant_test(variant, &notes, test, error) : status;
}

enum status variant_judge_test(struct variant_judge *judge, const struct variant *variant, struct litmus_test **test,
                               enum variant_verdict *verdict, struct error *error)
{
    LOCAL(text) name = {0};
    *test = NULL;
    *verdict = VARIANT_UNJUDGED;
    variant_name(variant, &name);
    return judge_variant_make_test(judge, variant, text_string(&name), test, verdict, error);
}
