// SPDX-License-Identifier: Apache-2.0
/* Whether a program must end, as text and as JSON. */
#include "cli/print/endings.h"

#include "base/field.h"
#include "base/terminal/table.h"

/* ---- the option ---- */

const struct option_word endings_words[] = {
#define ENDINGS_WORD(name, word, promise) {word, 1 << SCHEDULER_##name},
    SCHEDULER_LIST(ENDINGS_WORD){"all", (1 << SCHEDULER_COUNT) - 1}, {0}};

/* ---- JSON ---- */

#define STEP_MEMBERS(X)                                                                                                \
    X("thread", count, "the number of the thread", step->thread)                                                       \
    X("line?", count_if, "the line of the access or barrier; absent if the step only computes", step->place.line > 0,  \
      step->place.line)                                                                                                \
    X("location?", text, "the name of the location that the step accesses",                                            \
      step->location == LITMUS_NONE ? NULL : test->locations[step->location].name)                                     \
    X("element", count, "the element of the location", step->element)                                                  \
    X("before", whole, "the value of the element before the step", step->before)                                       \
    X("after", whole, "the value of the element after the step", step->after)
FIELD_RECORD(schedule_step, STEP_MEMBERS, const struct litmus_test *test, const struct termination_step *step)
FIELD_LIST(schedule, schedule_step, (const struct litmus_test *test, const struct termination *answer, bool wanted),
           wanted ? answer->step_count : 0, test, &answer->steps[i])

static const struct field_type field_ends_type = {.shape = FIELD_IS_BOOLEAN | FIELD_IS_NULL};
static json_t *field_ends(const struct termination *answer)
{
    return answer->answer == TERMINATION_UNKNOWN ? json_null() : json_boolean(answer->answer == TERMINATION_ENDS);
}

static const struct field_type field_scheduler_type = {.shape = FIELD_IS_TEXT, .word = scheduler_word};
static json_t *field_scheduler(enum scheduler scheduler)
{
    return json_text(scheduler_word(scheduler));
}

#define ENDING_MEMBERS(X)                                                                                              \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("progress", scheduler, "the scheduler, which determines the threads that are promised steps", scheduler)         \
    X("ends", ends, "whether the program must end; null if unknown", answer)                                           \
    X("reason?", text, "why this is unknown, or which threads run, wait or get no step for ever", answer->reason)      \
    X("states", count, "the number of states searched", answer->states)                                                \
    X("schedule*", schedule, "the steps of a schedule that does not end (from `explain`, or with `--explain`)", test,  \
      answer, schedule)                                                                                                \
    X("repeats_from?", count_if,                                                                                       \
      "the step, from 0, from which the schedule repeats for ever; absent if all remaining threads wait",              \
      schedule && answer->repeated < answer->step_count, answer->repeated)
FIELD_DOCUMENT(document_check_progress, ENDING_MEMBERS, const struct litmus_test *test, enum scheduler scheduler,
               const struct termination *answer, bool schedule)

/* ---- text ---- */

/* "P1 line 9: ld.acquire.gpu r9, y", and what that does to memory. */
static void add_step(const struct litmus_test *test, const struct termination_step *step, struct table *table)
{
    LOCAL(text) instruction = {0};
    if (step->place.line > 0)
        litmus_print_instruction(test, step->place, &instruction);
    table_add(table, "P%u", step->thread);
    table_add(table, step->place.line > 0 ? "line %u" : "", step->place.line);
    table_add(table, "%s", step->place.line > 0 ? text_string(&instruction) : "computes");
    if (step->location == LITMUS_NONE) {
        table_add(table, "%s", "");
        return;
    }
    LOCAL(text) change = {0};
    text_add(&change, "%s", test->locations[step->location].name);
    if (test->locations[step->location].array)
        text_add(&change, "[%" PRIu32 "]", step->element);
    if (step->before != step->after)
        text_add(&change, ": %" PRId64, step->before);
    table_add(table, "%s %s %" PRId64, text_string(&change), step->before == step->after ? "is" : "becomes",
              step->after);
}

static void print_schedule(const struct litmus_test *test, enum scheduler scheduler, const struct termination *answer)
{
    struct table table = {0};
    terminal_print(stdout, "\n  A schedule under %s:\n\n", scheduler_word(scheduler));
    table_columns(&table, "|||");
    for (size_t i = 0; i < answer->step_count; i++) {
        if (i == answer->repeated)
            table_add_heading(&table, "and for ever:");
        add_step(test, &answer->steps[i], &table);
    }
    if (answer->repeated == answer->step_count)
        table_add_heading(&table, "%s.", answer->reason);
    table_print(&table, stdout, 4);
}

static void print_answers(const struct litmus_test *test, unsigned schedulers, const struct termination *answers)
{
    struct table table = {0};
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "%s%s%s (%s): must it end?\n\n", terminal_style(colours, TERMINAL_STRONG), test->name,
                   terminal_style(colours, TERMINAL_PLAIN), litmus_dialect_name(test->dialect));
    table_columns(&table, "scheduler|answer|~because|~steps are promised to");
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++) {
        if (!(schedulers >> i & 1))
            continue;
        table_add(&table, "%s", scheduler_word(i));
        table_add_styled(&table, answers[i].answer == TERMINATION_DOES_NOT ? TERMINAL_WARNING : TERMINAL_PLAIN, "%s",
                         termination_word(&answers[i]));
        TABLE_ADD_TEXTS(&table, answers[i].reason ? answers[i].reason : "", scheduler_promise((enum scheduler)i));
    }
    table_print(&table, stdout, 2);
}

bool endings_print(const struct litmus_test *test, unsigned schedulers, bool schedule, bool json)
{
    struct termination answers[SCHEDULER_COUNT];
    bool printed = true;
    termination_find(test, schedulers, answers);
    for (unsigned i = 0; i < SCHEDULER_COUNT && json; i++)
        if (schedulers >> i & 1) {
            json_t *line = field_document_check_progress(test, (enum scheduler)i, &answers[i], schedule);
            printed &= json_write_line(JSON_CHECK_PROGRESS, line, stdout);
        }
    if (!json) {
        print_answers(test, schedulers, answers);
        for (unsigned i = 0; i < SCHEDULER_COUNT && schedule; i++)
            if (answers[i].answer == TERMINATION_DOES_NOT)
                print_schedule(test, (enum scheduler)i, &answers[i]);
        terminal_print(stdout, "\n");
    }
    for (unsigned i = 0; i < SCHEDULER_COUNT; i++)
        termination_release(&answers[i]);
    return printed && !ferror(stdout) && fflush(stdout) == 0;
}
