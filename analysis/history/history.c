// SPDX-License-Identifier: Apache-2.0
/* A history in sentences. */
#include "analysis/history/history.h"

#include "analysis/words/words.h"

/* ---- finding them ---- */

static struct history_alarm *alarm_of(struct history *history, const struct history_device *device,
                                      const struct history_series *series)
{
    FOR_EACH(struct history_alarm, alarm, history->alarms, history->alarm_count)
        if (alarm->device == device && alarm->series->segment->test == series->segment->test &&
            strcmp(alarm->series->label, series->label) == 0)
            return alarm;
    ARENA_ADD(&history->arena, history->alarms, history->alarm_count) =
        (struct history_alarm){.device = device, .series = series, .first = SIZE_MAX};
    return &history->alarms[history->alarm_count - 1];
}

/* A test has a series of the outcome in each of its segments that saw it. */
static void add_series(struct history *history, const struct history_device *device,
                       const struct history_series *series)
{
    struct history_alarm *alarm = alarm_of(history, device, series);
    alarm->count += series->count;
    alarm->kind = series->ruling.kind > alarm->kind ? series->ruling.kind : alarm->kind;
    for (size_t i = 0; i < series->segment->run_count; i++)
        if (series->points[i].count > 0 && series->points[i].device_run < alarm->first)
            alarm->first = series->points[i].device_run;
}

/* Whether an earlier run counted instances of the test and did not see the outcome. */
static bool has_begun(const struct history_alarm *alarm)
{
    const struct history_test *test = alarm->series->segment->test;
    return ANY_NUMBER(
        size_t, i, 0, test->segment_count,
        ANY_NUMBER(size_t, r, 0, test->segments[i]->run_count,
                   test->segments[i]->device_runs[r] < alarm->first && test->segments[i]->runs[r].batch_count > 0));
}

/* New ones first, the newest of them first; then the gravest. */
ORDERED_BY(compare_alarms, const struct history_alarm,
           ORDER(b->began, a->began) ?: (a->began ? ORDER(b->first, a->first) : 0) ?: ORDER(b->kind, a->kind)
               ?: strcmp(a->series->segment->test->name, b->series->segment->test->name)
               ?: strcmp(a->series->label, b->series->label))

/* Finds the outcomes that must never appear. */
static void history_find_alarms(struct history *history)
{
    for (size_t i = 0; i < history->device_count; i++) {
        const struct history_device *device = history->devices[i];
        for (size_t s = 0; s < device->series_count; s++)
            if (device->series[s]->ruling.fails)
                add_series(history, device, device->series[s]);
    }
    for (size_t i = 0; i < history->alarm_count; i++)
        history->alarms[i].began = has_begun(&history->alarms[i]);
    SORT(history->alarms, history->alarm_count, compare_alarms);
}

static void add_break(const struct history *history, const struct history_device *device,
                      const struct history_break *found, struct text *text)
{
    const char *before = device->runs[found->device_run - 1].facts[HISTORY_TOOL];
    const char *after = device->runs[found->device_run].facts[HISTORY_TOOL];
    text_add(text, "Not compared across run ");
    history_add_run(history, device, found->device_run, text);
    words_add(text, ": there $$$$$ of $", found->test ? "the text" : "",
              found->test && (found->environment || found->kernel) ? " and " : "",
              found->environment ? "the environment" : "", found->environment && found->kernel ? " and " : "",
              found->kernel ? "the kernel" : "", found->first->name);
    if (found->tests > 1)
        words_add(text, " and $ more", QUANTITY_COUNT(found->tests - 1));
    text_add(text, " changed");
    if (strcmp(before, after) != 0)
        words_add(text, " (orchil $ -> $)", before, after);
    text_add(text, ". Runs before and after it are separate series; 'orchil run --kernels' replays saved kernels.");
}

/* ---- limits ---- */

/* Moves the sentence to the list of limits. */
static void add_limit(struct history *history, struct text *sentence)
{
    ARENA_ADD(&history->arena, history->limits, history->limit_count) = arena_keep(&history->arena, sentence);
}

static void find_limits_of(struct history *history, const struct history_device *device)
{
    struct text text = {0};
    for (size_t i = 0; i < device->break_count; i++) {
        add_break(history, device, &device->breaks[i], &text);
        add_limit(history, &text);
    }
    if (device->too_short > 0) {
        words_add(&text, "$: $ with too few runs to look for a step, which needs $ before it.", device->device,
                  WORDS_COUNTED(device->too_short, "test", "tests"), QUANTITY_COUNT(history->options.fewest_runs));
        add_limit(history, &text);
    }
    if (device->lag > 0) {
        words_add(&text, "$: successive runs are correlated (", device->device);
        text_add(&text, "%.2f), so rates drift; errors are multiplied by %.2g.", device->lag,
                 sqrt((1 + device->lag) / (1 - device->lag)));
        add_limit(history, &text);
    }
    if (device->step_count == 0 && isfinite(device->findable)) {
        words_add(&text, "$: with these runs, a step by a factor of ", device->device);
        text_add(&text, "%.3g would be found half of the time in a typical test.", device->findable);
        add_limit(history, &text);
    }
}

void history_make(const struct side *sides, size_t count, const struct history_options *options,
                  struct history *history)
{
    *history = (struct history){.options = *options};
    history_gather(sides, count, history);
    for (size_t i = 0; i < history->device_count; i++)
        history_find_breaks(&history->arena, history->devices[i]);
    history_find_steps(history);
    history_find_alarms(history);
    struct text text = {0};
    for (size_t i = 0; i < history->device_count; i++)
        find_limits_of(history, history->devices[i]);
    if (history->duplicate_jobs > 0) {
        words_add(&text, "$ in two databases and counted once.",
                  WORDS_COUNTED(history->duplicate_jobs, "job is", "jobs are"));
        add_limit(history, &text);
    }
}

ARENA_RELEASES(, history)

size_t history_steps(const struct history *history)
{
    return SUM_OF(size_t, device, history->devices, history->device_count, (*device)->step_count);
}

bool history_is_worth(const struct history *history)
{
    return ANY_NUMBER(
        size_t, i, 0, history->device_count,
        ANY_NUMBER(size_t, t, 0, history->devices[i]->test_count,
                   ANY_NUMBER(size_t, s, 0, history->devices[i]->tests[t]->segment_count,
                              history->devices[i]->tests[t]->segments[s]->run_count >= history->options.fewest_runs)));
}

/* ---- saying it ---- */

static const char *reason(const struct history_alarm *alarm)
{
    return alarm->kind == RULING_FORBIDDEN ? "forbidden by the model"
           : alarm->kind == RULING_CONTROL ? "a control's witness"
                                           : "its file says so";
}

void history_add_alarm(const struct history *history, const struct history_alarm *alarm, struct text *text)
{
    const char *driver = alarm->device->runs[alarm->first].facts[HISTORY_DRIVER];
    history_add_series(alarm->series, text);
    words_add(text, " ($), seen $", reason(alarm), WORDS_COUNTED(alarm->count, "time", "times"));
    if (!alarm->began) {
        text_add(text, ", already in the first run of the test");
    } else {
        text_add(text, ", first in run ");
        history_add_run(history, alarm->device, alarm->first, text);
        words_add(text, ", with driver $", *driver ? driver : "(unknown)");
    }
    if (history->device_count > 1)
        words_add(text, " on $ ($)", alarm->device->device, alarm->device->backend);
}

void history_add_alarms(const struct history *history, struct text *text)
{
    size_t began = 0;
    for (size_t i = 0; i < history->alarm_count; i++)
        began += history->alarms[i].began;
    if (history->alarm_count == 0)
        return;
    const size_t count = began > 0 ? began : history->alarm_count;
    words_add(text, "$ that must never appear: ",
              began > 0 ? WORDS_COUNTED(began, "NEW outcome", "NEW outcomes")
                        : WORDS_COUNTED(count, "outcome", "outcomes"));
    history_add_alarm(history, &history->alarms[0], text);
    if (count > 1)
        words_add(text, "; and $ more $", QUANTITY_COUNT(count - 1), count == 2 ? "outcome" : "outcomes");
    text_add(text, ". ");
    if (began > 0 && began < history->alarm_count)
        words_add(text, "$ seen from the start. ",
                  WORDS_COUNTED(history->alarm_count - began, "other was", "others were"));
}

WORDS_OF(history_cause_word, enum history_cause, [HISTORY_BY_DRIVER] = "driver", [HISTORY_UNCLEAR] = "unclear",
         [HISTORY_BY_OTHER] = "other", [HISTORY_BY_NOTHING] = "nothing")

static void add_percent(double share, struct text *text)
{
    if (share > 0.995)
        text_add(text, "over 99 %%");
    else
        text_add(text, "%.0f %%", 100 * share);
}

void history_add_run(const struct history *history, const struct history_device *device, size_t device_run,
                     struct text *text)
{
    const size_t run = device->runs[device_run].run;
    words_add(text, "$", QUANTITY_COUNT(run + 1));
    if (*history->runs[run].started_at) {
        words_add(text, " ($)", PRINTED(11, "%.10s", history->runs[run].started_at));
    }
}

void history_add_test(const struct history_test *test, struct text *text)
{
    words_add(text, "$$$", test->name, *test->among ? " in " : "", test->among);
    if (*test->controls)
        words_add(text, " (control of $)", test->controls);
    if (*test->lowering)
        words_add(text, " by $", test->lowering);
}

void history_add_series(const struct history_series *series, struct text *text)
{
    history_add_test(series->segment->test, text);
    words_add(text, "  $", series->label);
}

static void add_measured(const struct statistics_ratio *ratio, struct text *text)
{
    text_add(text, "x%.3g", ratio->ratio);
    if (ratio->kind == STATISTICS_RATIO_IN_DRAWS)
        words_add(text, " in $", WORDS_COUNTED(ratio->draws, "draw", "draws"));
}

void history_add_factor(const struct history_move *move, struct text *text)
{
    if (move->count[0] == 0)
        text_add(text, "new");
    else if (move->count[1] == 0)
        text_add(text, "lost");
    else
        add_measured(&move->ratio, text);
}

/* ---- changes ---- */

static void history_add_change(const struct history_change *change, struct text *text)
{
    words_add(text, "$ $ -> $", change->words, *change->before ? change->before : "(unknown)",
              *change->after ? change->after : "(unknown)");
}

static const struct history_change *driver_of(const struct history_step *step)
{
    return FIRST_OF(change, step->changes, step->change_count, change->is_driver);
}

/* The changes that may have caused the step, or the others; with or without the driver. */
static size_t add_changes(const struct history_step *step, bool suspect, bool with_driver, struct text *text)
{
    size_t count = 0;
    const size_t total = SUM_OF(size_t, one, step->changes, step->change_count,
                                one->suspect == suspect && (with_driver || !one->is_driver));
    FOR_EACH(const struct history_change, change, step->changes, step->change_count) {
        if (change->suspect != suspect || (change->is_driver && !with_driver))
            continue;
        text_add(text, "%s", count == 0 ? "" : count + 1 < total ? ", " : " and ");
        history_add_change(change, text);
        count++;
    }
    return count;
}

/* The driver's part, for the middle of a sentence. */
static void add_driver_elsewhere(const struct history_device *device, const struct history_step *step,
                                 struct text *text)
{
    text_add(text, "the driver did not change there");
    if (step->driver_changed > 0) {
        text_add(text, " (it changed at run ");
        words_add(text, "$)", QUANTITY_COUNT(device->runs[step->driver_changed].run + 1));
    } else
        text_add(text, " (nor in any other run)");
}

static bool has_others(const struct history_step *step)
{
    return ANY_OF(change, step->changes, step->change_count, change->suspect && !change->is_driver);
}

void history_add_cause(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text)
{
    const struct history_change *driver = driver_of(step);
    LOCAL(text) others = {0};
    switch (step->cause) {
    case HISTORY_BY_DRIVER:
        text_add(text, "It came with ");
        history_add_change(driver, text);
        text_add(text, " (");
        add_percent(driver->probability, text);
        text_add(text, "): nothing else that could change rates changed there.");
        break;
    case HISTORY_UNCLEAR:
        if (has_others(step)) {
            text_add(text, "Cannot tell which of these it came with: ");
            (void)add_changes(step, true, true, text);
            text_add(text, step->first == step->last ? " changed in the same run." : " changed in these runs.");
            break;
        }
        text_add(text, "Cannot tell whether it came with ");
        history_add_change(driver, text);
        text_add(text, ", at run ");
        history_add_run(history, device, driver->device_run, text);
        text_add(text, ": the step is there with ");
        add_percent(driver->probability, text);
        text_add(text, ".");
        break;
    case HISTORY_BY_OTHER:
        text_add(text, "Not with a driver: ");
        add_driver_elsewhere(device, step, text);
        text_add(text, ". What changed there: ");
        (void)add_changes(step, true, false, text);
        text_add(text, ".");
        break;
    case HISTORY_BY_NOTHING:
        text_add(text, "Not with a driver: ");
        add_driver_elsewhere(device, step, text);
        text_add(text, ". Nothing else that is recorded changed there.");
        break;
    }
    if (add_changes(step, false, false, &others) > 0)
        text_add(text, " Also different, but not a cause of rates: %s.", text_string(&others));
}

void history_add_place(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text)
{
    text_add(text, "It is between run ");
    history_add_run(history, device, step->first - 1, text);
    text_add(text, " and run ");
    history_add_run(history, device, step->last, text);
    text_add(text, ": ");
    double held = 0;
    for (size_t device_run = step->first; device_run <= step->last; device_run++)
        held += step->posterior[device_run];
    add_percent(held, text);
    if (step->first != step->last) {
        text_add(text, "; most likely before run ");
        history_add_run(history, device, step->device_run, text);
        text_add(text, ": ");
        add_percent(step->probability, text);
    }
    text_add(text, ".");
}

/* ---- the answer ---- */

/* What other than the driver may have caused the step. */
static void add_others(const struct history_step *step, struct text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < step->change_count; i++)
        if (step->changes[i].suspect && !step->changes[i].is_driver)
            words_add(text, "$$", count++ > 0 ? ", " : "", step->changes[i].words);
}

/* The cause in a few words, for the answer. */
static void add_short_cause(const struct history_device *device, const struct history_step *step, struct text *text)
{
    const struct history_change *driver = driver_of(step);
    switch (step->cause) {
    case HISTORY_BY_DRIVER:
        words_add(text, ", with driver $ (", *driver->after ? driver->after : "(unknown)");
        add_percent(driver->probability, text);
        text_add(text, ")");
        break;
    case HISTORY_UNCLEAR:
        text_add(text,
                 has_others(step) ? "; cannot tell with what: driver and " : "; cannot tell whether with driver ");
        if (!has_others(step))
            words_add(text, "$", *driver->after ? driver->after : "(unknown)");
        add_others(step, text);
        text_add(text, has_others(step) ? " changed" : "");
        break;
    case HISTORY_BY_OTHER:
        text_add(text, "; ");
        add_others(step, text);
        text_add(text, " changed there, the driver did not");
        break;
    case HISTORY_BY_NOTHING:
        text_add(text, "; ");
        add_driver_elsewhere(device, step, text);
        break;
    }
}

/* From grave to harmless: 0 for a new outcome, 1 for a lost one, 2 for a rate. */
static int gravity_of(const struct history_move *move)
{
    return move->count[0] == 0 ? 0 : move->count[1] == 0 ? 1 : 2;
}

/* The gravest of a step's moves, and of those the surest. */
static const struct history_move *gravest_of(const struct history_step *step)
{
    const struct history_move *found = step->moves;
    for (size_t i = 1; i < step->move_count; i++)
        if (gravity_of(&step->moves[i]) < gravity_of(found))
            found = &step->moves[i];
    return found;
}

void history_add_title(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text)
{
    if (step->shared) {
        text_add(text, "all weak rates, ");
        add_measured(&step->ratio, text);
    } else {
        const struct history_move *move = gravest_of(step);
        words_add(text, "$, ", move->series->segment->test->name);
        history_add_factor(move, text);
    }
    if (!step->shared && step->test_count > 1)
        words_add(text, ", and $ more $", QUANTITY_COUNT(step->test_count - 1),
                  step->test_count == 2 ? "test" : "tests");
    text_add(text, " since run ");
    history_add_run(history, device, step->device_run, text);
    if (history->device_count > 1)
        words_add(text, " on $ ($)", device->device, device->backend);
}

void history_add_sentence(const struct history *history, const struct history_device *device,
                          const struct history_step *step, struct text *text)
{
    history_add_title(history, device, step, text);
    add_short_cause(device, step, text);
}

/* Where series break, in the same sentence. */
static void add_breaks(const struct history *history, struct text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < history->device_count; i++) {
        const struct history_device *device = history->devices[i];
        for (size_t b = 0; b < device->break_count; b++) {
            if (count++ > 0)
                continue;
            words_add(text, "; $ not compared across run ",
                      WORDS_COUNTED(device->breaks[b].tests, "test is", "tests are"));
            history_add_run(history, device, device->breaks[b].device_run, text);
        }
    }
    if (count > 1)
        words_add(text, " (and $ more such)", QUANTITY_COUNT(count - 1));
}

/* The gravest steps, at most three. Returns how many. */
static size_t add_steps(const struct history *history, struct text *text)
{
    size_t said = 0;
    for (int gravity = 0; gravity <= 2; gravity++)
        for (size_t i = 0; i < history->device_count; i++)
            for (size_t s = 0; s < history->devices[i]->step_count && said < 3; s++) {
                const struct history_step *step = &history->devices[i]->steps[s];
                if (gravity_of(gravest_of(step)) != gravity)
                    continue;
                text_add(text, "%s", said++ > 0 ? "; " : "");
                history_add_sentence(history, history->devices[i], step, text);
            }
    return said;
}

void history_add_answer(const struct history *history, struct text *text)
{
    history_add_alarms(history, text);
    history_add_steps(history, text);
}

void history_add_steps(const struct history *history, struct text *text)
{
    const size_t steps = history_steps(history);
    const size_t searched = SUM_OF(size_t, device, history->devices, history->device_count, (*device)->searched_count);
    if (history->questions == 0 || searched == 0) {
        text_add(text, "Cannot say whether there is a step: ");
        words_add(text, "$", WORDS_COUNTED(history->run_count, "run", "runs"));
        words_add(text, ", and a test has to be seen in $ that can be compared.",
                  QUANTITY_COUNT(history->options.fewest_runs + 1));
        return;
    }
    if (steps == 0)
        text_add(text, "No step in ");
    else
        words_add(text, "$ in ", WORDS_COUNTED(steps, "step", "steps"));
    words_add(text, "$", WORDS_COUNTED(history->run_count, "run", "runs"));
    text_add(text, steps == 0 ? "" : ": ");
    const size_t said = add_steps(history, text);
    if (steps > said)
        words_add(text, "; and $ more", QUANTITY_COUNT(steps - said));
    add_breaks(history, text);
    text_add(text, steps == 0 ? "." : "");
}
