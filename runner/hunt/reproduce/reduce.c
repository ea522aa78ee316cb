// SPDX-License-Identifier: Apache-2.0
/* Minimising a reproducer. */
#include "runner/hunt/reproduce/reduce.h"

#include "kernel/kernel_cache.h"
#include "kernel/target.h"
#include "models/models.h"
#include "runner/hunt/tune/tune_cache.h"
#include "runner/run/resumed_device.h"

const struct backend_device *reproduce_find_device(const struct device_list *list, const struct backend_device *then)
{
    for (size_t i = 0; i < list->count; i++)
        if (device_is_resumed(then, &list->devices[i]))
            return &list->devices[i];
    return NULL;
}

/* ---- the outcome ---- */

/* Appends the labels of the witnesses; returns their number. */
static size_t list_witnesses(const struct litmus_test *test, const struct judgement *judgement, struct text *list)
{
    size_t count = 0;
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        if (!judgement->outcomes[i].witness)
            continue;
        text_add(list, count > 0 ? "', '" : "");
        litmus_print_outcome(test, judgement->outcomes[i].values, list);
        count++;
    }
    return count;
}

enum status reproduce_choose_witness(const struct litmus_test *test, char **label, struct error *error)
{
    const struct judge_options wanted = {0};
    struct judgement judgement;
    struct model *model = NULL;
    struct text list = {0};
    TRY(model_load(model_default(test->dialect), &model, error));
    enum status status = kernel_judge(model, test, &wanted, &judgement, error);
    model_release(model);
    if (status != STATUS_OK)
        return status;
    const size_t count = list_witnesses(test, &judgement, &list);
    judgement_release(&judgement);
    if (count == 1)
        *label = text_take(&list);
    else if (count == 0)
        status = error_set(error, STATUS_USAGE, "%s asks for an outcome that it cannot have; choose one with --outcome",
                           test->name);
    else
        status = error_set(error, STATUS_USAGE, "%s asks for %zu outcomes; choose one with --outcome: '%.700s'",
                           test->name, count, text_string(&list));
    text_release(&list);
    return status;
}

/* ---- minimising ---- */

static enum status minimise_cached(struct minimise_options *options, const struct minimise_listener *listener,
                                   struct minimal *minimal, struct error *error)
{
    struct kernel_cache cache = {.folder = ""};
    struct temporary_folder driver_cache = {.path = ""};
    TRY(kernel_cache_open(false, &cache, error));
    enum status status = tune_cache_open(&driver_cache, error);
    options->cache = cache.folder;
    if (status == STATUS_OK)
        status = minimise(options, listener, minimal, error);
    temporary_folder_close(&driver_cache);
    kernel_cache_close(&cache);
    return status;
}

enum status reproduce_minimise(struct minimise_options *options, const struct minimise_listener *listener,
                               struct minimal *minimal, int *signal, struct error *error)
{
    struct stop_signals stop = {.descriptor = -1};
    TRY(stop_signals_catch(&stop, error));
    options->stop = &stop;
    const enum status status = minimise_cached(options, listener, minimal, error);
    *signal = stop.first;
    options->stop = NULL;
    stop_signals_release(&stop);
    stop_signals_forget();
    return status;
}

void reproduce_take_minimal(const struct minimal *minimal, struct text *needed, struct reproduce_facts *facts)
{
    const bool keeps_draw = !minimal->fixed && !minimal->reduced && facts->environment;
    minimal_print_needed(minimal, needed);
    facts->needed = text_string(needed);
    facts->test = minimal->test;
    facts->outcome = minimal->outcome;
    facts->resident_groups = minimal->resident_groups;
    facts->run_seconds = minimal->run_seconds;
    if (!keeps_draw) {
        facts->environment = &minimal->environment;
        facts->seed = minimal->seed;
        facts->key = minimal->key;
        facts->batch = minimal->batch;
    }
    facts->seen = facts->instances = 0;
    facts->seconds = 0;
    for (unsigned i = 0; i < minimal->run_count; i++) {
        facts->seen += minimal->runs[i].seen;
        facts->instances += minimal->runs[i].instances;
        facts->seconds += minimal->runs[i].seconds;
    }
}
