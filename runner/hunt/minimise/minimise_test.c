// SPDX-License-Identifier: Apache-2.0
/* The smallest part of a test that still shows an outcome that a model forbids. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/hunt/minimise/minimise_edit.h"
#include "runner/hunt/minimise/minimising.h"
#include "verdicts/verdicts.h"

static const double judging_seconds = 5; /* for a smaller test, which is faster to judge than the whole */

/* A smaller test as a setting; its texts and values are in the arena. */
static struct minimise_setting setting_of(struct minimising *minimising, struct litmus_test *test,
                                          const struct text *text, const int64_t *values)
{
    struct arena *arena = &minimising->minimal->arena;
    struct minimise_setting setting = *minimising_now(minimising);
    struct text label = {0};
    LIST_ADD(minimising->tests, minimising->test_count, minimising->test_room) = test;
    litmus_print_outcome(test, values, &label);
    setting.test = test;
    setting.text = arena_copy(arena, text_string(text));
    setting.outcome = arena_copy(arena, text_string(&label));
    setting.values = arena_take(arena, test->variable_count, sizeof *setting.values);
    memcpy(setting.values, values, test->variable_count * sizeof *setting.values);
    text_release(&label);
    return setting;
}

/* Whether a model forbids the outcome of a setting. */
static bool is_forbidden(struct minimising *minimising, const struct minimise_setting *setting)
{
    const struct judge_options limits = {.deadline = clock_seconds() + judging_seconds,
                                         .stopped = minimising->bench->stopped,
                                         .context = minimising->bench->context};
    struct verdicts verdicts;
    minimising->status =
        verdicts_make(setting->test, minimising->options->device, &limits, &verdicts, minimising->error);
    if (minimising->status != STATUS_OK)
        return false;
    const bool forbidden = verdicts_forbid(&verdicts, setting->outcome) != NULL;
    verdicts_release(&verdicts);
    return forbidden;
}

/* Whether the test, made in another way or in an earlier pass, was refused before; else notes
 * it. */
static bool was_refused(struct minimising *minimising, const struct litmus_test *test)
{
    char hash[65];
    litmus_hash(test, hash);
    for (size_t i = 0; i < minimising->refused_count; i++)
        if (strcmp(minimising->refused[i], hash) == 0)
            return true;
    minimising->refused =
        memory_grow(minimising->refused, minimising->refused_count, &minimising->refused_room, sizeof hash);
    memcpy(minimising->refused[minimising->refused_count++], hash, sizeof hash);
    return false;
}

/* Tries an edited test; whether it was kept. */
static bool try_edited(struct minimising *minimising, const char *what, const struct minimise_setting *setting)
{
    if (was_refused(minimising, setting->test))
        return false;
    if (is_forbidden(minimising, setting))
        return minimising_try(minimising, MINIMISE_STAGE_TEST, what, setting, NULL);
    if (minimising->status == STATUS_OK)
        minimising_tell(minimising, MINIMISE_STAGE_TEST, what, "undone: no model forbids the remaining outcome");
    return false;
}

static enum edit_end try_edit(struct minimising *minimising, enum edit_kind kind, size_t number, bool *kept)
{
    const struct minimise_setting *now = minimising_now(minimising);
    struct text what = {0}, text = {0};
    struct litmus_test *edited;
    int64_t *values;
    const enum edit_end end = edit_test(now->test, now->values, kind, number, &what, &edited, &text, &values);
    *kept = false;
    if (end == EDIT_DONE) {
        const struct minimise_setting setting = setting_of(minimising, edited, &text, values);
        *kept = try_edited(minimising, text_string(&what), &setting);
    }
    free(values);
    text_release(&what);
    text_release(&text);
    return end;
}

/* Tries all edits of a kind; whether one was kept. After a removal the same number is tried
 * again. */
static bool try_kind(struct minimising *minimising, enum edit_kind kind)
{
    bool any = false, kept = false;
    enum edit_end end = EDIT_DONE;
    for (size_t number = 0; end != EDIT_MISSING && minimising_goes_on(minimising); number += !kept) {
        end = try_edit(minimising, kind, number, &kept);
        any |= kept;
    }
    return any;
}

void minimise_test(struct minimising *minimising)
{
    bool again = true;
    while (again) {
        again = false;
        for (enum edit_kind kind = 0; kind < EDIT_KIND_COUNT; kind++)
            again |= try_kind(minimising, kind);
    }
}
