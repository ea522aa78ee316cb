// SPDX-License-Identifier: Apache-2.0
/* Names: the catalogue's, a cycle's, or the accesses of the test in words. */
#include "catalogue/synthesis/sketch_name.h"

#include <string.h>

#include "catalogue/synthesis/sketch_cycle.h"
#include "catalogue/synthesis/sketch_test.h"
#include "catalogue/synthesis/strength.h"
#include "litmus/dialects.h"

void sketch_key(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                struct text *key)
{
    text_add(key, "%d:", (int)dialect);
    for (size_t i = 0; i < sizeof *sketch; i++)
        text_add(key, "%02x", ((const unsigned char *)sketch)[i]);
    for (size_t i = 0; i < sizeof *outcome; i++)
        text_add(key, "%02x", ((const unsigned char *)outcome)[i]);
}

bool synthesis_key(const struct litmus_test *test, struct text *key)
{
    struct sketch sketch;
    struct outcome outcome;
    if (!sketch_of_test(test, &sketch, &outcome, NULL))
        return false;
    sketch_normalise(&sketch, &outcome);
    sketch_key(test->dialect, &sketch, &outcome, key);
    return true;
}

/* ---- in words ---- */

static const char *order_word(uint8_t strength, bool fence)
{
    static const char *const words[LITMUS_ORDER_COUNT] = {
        [LITMUS_PLAIN] = "",       [LITMUS_RELAXED] = ".rlx", [LITMUS_ACQUIRE] = ".acq",
        [LITMUS_RELEASE] = ".rel", [LITMUS_ACQ_REL] = ".ar",  [LITMUS_SEQ_CST] = ".sc"};
    const enum litmus_order order = strength_order(strength);
    return fence || order != LITMUS_PLAIN ? words[order] : "";
}

/* The memory that a fence or a barrier names: of a fence, global memory goes without saying. */
static void add_regions(uint8_t strength, bool fence, struct text *text)
{
    if (strength & SKETCH_ON_GLOBAL && (!fence || strength & SKETCH_ON_LOCAL))
        text_add(text, ".global");
    if (strength & SKETCH_ON_LOCAL)
        text_add(text, ".local");
}

static void add_strength(enum litmus_dialect dialect, uint8_t strength, bool fence, struct text *text)
{
    static const char *const narrow[LITMUS_DIALECT_COUNT] = {
        [LITMUS_OPENCL] = ".wg", [LITMUS_PTX] = ".cta", [LITMUS_VULKAN] = ".wg"};
    text_add(text, "%s", order_word(strength, fence));
    if (fence)
        add_regions(strength, true, text);
    if ((fence || strength & SKETCH_ATOMIC) && !(strength & SKETCH_WIDE) && narrow[dialect])
        text_add(text, "%s", narrow[dialect]);
    if (strength & SKETCH_DEPENDS && !fence)
        text_add(text, "%s", strength & SKETCH_ADDRESS ? ".addr" : strength & SKETCH_DATA ? ".data" : ".ctrl");
}

static void add_barrier(enum litmus_dialect dialect, uint8_t strength, struct text *text)
{
    text_add(text, "B");
    add_regions(strength, false, text);
    if (strength != 0 && dialects[dialect].has_flags)
        text_add(text, "%s", strength & SKETCH_WIDE ? "" : ".wg");
    else if (strength != 0)
        add_strength(dialect, strength, true, text);
}

static void add_outcome(const struct sketch *sketch, const struct outcome *outcome, struct text *text)
{
    static const char digits[] = "012345678";
    for (unsigned i = 0; i < sketch->count; i++)
        if (sketch_reads(sketch, i))
            text_add(text, "%c",
                     outcome->source[i] < OUTCOME_INITIAL ? digits[sketch_value(sketch, outcome->source[i])] : '0');
    for (unsigned i = 0; i < sketch->locations; i++)
        if (outcome->last[i] < OUTCOME_INITIAL)
            text_add(text, "%c%c", "xyzabcde"[i], digits[sketch_value(sketch, outcome->last[i])]);
}

/* Every thread's accesses; what is in local memory; its group, if threads share one; what the reads return and the locations end in. */
static void add_words(enum litmus_dialect dialect, const struct sketch *sketch, const struct outcome *outcome,
                      struct text *text)
{
    bool grouped = false;
    for (unsigned i = 0; i < sketch->threads; i++)
        grouped |= sketch->group[i] != i;
    for (unsigned i = 0; i < sketch->count; i++) {
        if (i > 0)
            text_add(text, "%s", sketch_starts(sketch, i) ? "+" : "-");
        if (sketch->fence[i]) {
            text_add(text, "F");
            add_strength(dialect, sketch->fence[i], true, text);
            text_add(text, "-");
        }
        if (sketch->kind[i] == SKETCH_BARRIER) {
            add_barrier(dialect, sketch->strength[i], text);
            continue;
        }
        text_add(text, "%c%c", "RWU"[sketch->kind[i]], "xyzabcde"[sketch->location[i]]);
        add_strength(dialect, sketch->strength[i] & (uint8_t) ~(sketch->strength[i] & SKETCH_ATOMIC ? 0 : SKETCH_WIDE),
                     false, text);
    }
    text_add(text, "%s", sketch->local ? "+local" : "");
    for (unsigned i = 0; i < sketch->locations && sketch->local + 1U != 1U << sketch->locations; i++)
        if (sketch->local >> i & 1)
            text_add(text, "%c", "xyzabcde"[i]);
    for (unsigned i = 0; i < sketch->threads && grouped; i++)
        text_add(text, "%s%u", i == 0 ? "+g" : "", sketch->group[i]);
    text_add(text, "+");
    add_outcome(sketch, outcome, text);
}

void sketch_name(const struct sketch *sketch, const struct outcome *outcome, synthesis_naming *naming, void *context,
                 struct litmus_test *test)
{
    struct text key = {0}, name = {0};
    sketch_key(test->dialect, sketch, outcome, &key);
    const char *known = naming ? naming(text_string(&key), context) : NULL;
    if (known)
        text_add(&name, "%s", known);
    else if (!sketch_cycle_name(test->dialect, sketch, outcome, text_string(&key), &name))
        add_words(test->dialect, sketch, outcome, &name);
    test->name = arena_copy(&test->arena, text_string(&name));
    text_release(&key);
    text_release(&name);
}
