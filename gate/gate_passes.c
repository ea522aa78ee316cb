// SPDX-License-Identifier: Apache-2.0
/* Reads or runs the sides of a gate, and runs again the tests that look changed. */
#include "gate/gate_passes.h"

#include <sys/stat.h>

#include "gate/baselines.h"
#include "litmus/language/user_atomics.h"

enum { RERUNS = 3 };

/* ---- the sides ---- */

static enum status read_side(const struct gate_listener *listener, struct gate_reading *reading, struct error *error)
{
    for (size_t i = 0; i < reading->count; i++)
        reading->selectors[i].prepare = listener->prepare;
    TRY(side_read_all(reading->selectors, reading->count, &reading->side, error));
    listener->read(&reading->side);
    return STATUS_OK;
}

static void choose_place(struct stored_place *place, struct gate_reading *reading)
{
    reading->selectors = place->selectors;
    reading->count = place->count;
}

/* The runs of the database into which the suite's runs go. */
static void choose_runs(struct gate_decision *decision, const char *database, const int64_t *runs, size_t count,
                        struct gate_reading *reading)
{
    reading->selectors = arena_take(&decision->arena, 1, sizeof *reading->selectors);
    reading->count = 1;
    *reading->selectors = (struct selector){.database = database,
                                            .run = count == 1 ? runs[0] : 0,
                                            .runs = count == 1 ? NULL : runs,
                                            .run_count = count == 1 ? 0 : count};
}

static enum status choose_stored(const struct gate_command *command, struct gate_decision *decision,
                                 struct error *error)
{
    struct gate_reading *const readings[SIDES] = {&decision->baseline, &decision->judged[GATE_FIRST]};
    for (int side = 0; side < SIDES; side++) {
        TRY(stored_place_read(command->request.tests[side], command->request.database, &decision->arena,
                              &decision->place[side], error));
        choose_place(&decision->place[side], readings[side]);
    }
    return STATUS_OK;
}

/* ---- the first run ---- */

static double confirm_budget(const struct gate_command *command, const struct gate_suite *suite)
{
    return command->confirm_budget >= 0 ? command->confirm_budget : suite->allowance > 0 ? suite->allowance : INFINITY;
}

static void report_confirming(const struct gate_listener *listener, double budget)
{
    if (budget <= 0)
        gate_message(listener, "confirm: no reruns (--confirm-budget 0), so changes stay unconfirmed\n");
    else if (isinf(budget))
        gate_message(listener,
                     "confirm: tests that look changed are rerun up to %d times (--confirm-budget limits it)\n",
                     RERUNS + 1);
    else
        gate_message(listener, "confirm: tests that look changed are rerun, for at most %s more (--confirm-budget)\n",
                     QUANTITY_SECONDS(budget));
}

/* Runs the suite for side B. */
static enum status run_suite(const struct gate_command *command, struct gate_decision *decision, int *code,
                             struct error *error)
{
    struct gate_suite *suite = &decision->suite;
    TRY(command->request.baselines
            ? baselines_find(&command->request, &decision->arena, &decision->place[SIDE_A], &decision->has_no_baseline,
                             error)
            : stored_place_read(command->baseline, NULL, &decision->arena, &decision->place[SIDE_A], error));
    /* A baseline in the run's own database would be compared with itself. */
    struct stat a, b;
    FOR_EACH(const struct selector, file, decision->place[SIDE_A].selectors, decision->place[SIDE_A].count)
        if (file->run_count == 0 && stat(file->database, &a) == 0 && stat(command->request.database, &b) == 0 &&
            a.st_dev == b.st_dev && a.st_ino == b.st_ino)
            return error_set(error, STATUS_USAGE,
                             "the run would be stored in its own baseline %s: choose another file with --db, or name "
                             "the baseline's run, as %s:1",
                             command->request.database, file->database);
    TRY(gate_source_read(&decision->place[SIDE_A], &decision->source, error));
    TRY(gate_suite_make(&command->request, &decision->source, suite, error));
    if (command->dry)
        return STATUS_OK;
    if (command->request.shards == 0)
        report_confirming(command->request.listener, confirm_budget(command, suite));
    if (!gate_suite_run(suite, suite->request.seed, &decision->played, code) || command->request.shards > 0)
        return STATUS_OK;
    *code = 0;
    gate_message(command->request.listener, "stored as run %" PRId64 " in %s, %s\n", decision->played,
                 command->request.database, QUANTITY_SECONDS(clock_seconds() - suite->started));
    choose_place(&decision->place[SIDE_A], &decision->baseline);
    choose_runs(decision, command->request.database, &decision->played, 1, &decision->judged[GATE_FIRST]);
    if (command->request.device) /* else the absence of one of the baseline's devices is a doubt */
        gate_source_narrow(&decision->source, suite->chosen, suite->chosen_count, decision->baseline.selectors,
                           decision->baseline.count);
    return STATUS_OK;
}

static void compare_pass(const struct gate_command *command, struct gate_decision *decision, int pass)
{
    struct compare_options options = command->compare;
    options.dimensions = DIMENSION_DRIVER; /* what a gate compares */
    options.first = pass == GATE_AGAIN ? &decision->comparisons[GATE_FIRST] : NULL;
    compare_sides(&decision->baseline.side, &decision->judged[pass].side, &options, &decision->comparisons[pass]);
}

/* ---- reruns ---- */

static bool gate_passes_is_of(const struct sample *sample, const struct planned_job *job)
{
    const struct litmus_test *test = job->test->test;
    return strcmp(sample->row.test, test->name) == 0 &&
           strcmp(sample->row.dialect, litmus_dialect_name(test->dialect)) == 0 &&
           strcmp(sample->row.controls, job->controlled ? job->controlled->name : "") == 0 &&
           strcmp(sample->row.lowering, job->lowering) == 0 && strcmp(sample->row.backend, job->device->backend) == 0 &&
           strcmp(sample->row.device, job->device->name) == 0;
}

/* Pairs of the first pass to run again: those with a suspect, or only those with a new or lost outcome. */
struct suspects {
    const struct comparison *first;
    bool only_one_sided;
};

static bool is_suspect(const struct suspects *suspects, const struct sample_pair *pair)
{
    return ANY_OF(rate, pair->rates, (suspects->only_one_sided ? pair->rate_count : pair->question_count),
                  rate->suspect && (!suspects->only_one_sided || rate_is_one_sided(rate)));
}

static bool gate_passes_is_wanted(const struct planned_job *job, void *context)
{
    const struct suspects *suspects = context;
    return ANY_OF(pair, suspects->first->pairs, suspects->first->pair_count,
                  gate_passes_is_of(pair->sample[SIDE_B], job) && is_suspect(suspects, pair));
}

/* Successive runs that share a time limit. */
struct reruns {
    struct gate_suite *suite;
    double ends; /* by clock_seconds; INFINITY: as long as they take */
    size_t left; /* runs still to come */
};

/* False if the process was interrupted, or the run could not be stored. Without time left, nothing runs: *run is 0. */
static bool run_again(struct reruns *reruns, struct suspects *suspects, uint64_t seed, int64_t *run, int *code)
{
    const double left = (reruns->ends - clock_seconds()) / (double)reruns->left--;
    *run = 0;
    if (left <= 0)
        return true;
    const bool done =
        gate_suite_run_some(reruns->suite, gate_passes_is_wanted, suspects, seed, isinf(left) ? 0 : left, run, code);
    *code = done ? 0 : *code;
    return done;
}

static enum status read_reruns(const struct gate_command *command, struct gate_decision *decision, int pass,
                               const int64_t *runs, size_t count, struct error *error)
{
    if (count == 0)
        return STATUS_OK;
    choose_runs(decision, command->request.database, runs, count, &decision->judged[pass]);
    TRY(read_side(command->request.listener, &decision->judged[pass], error));
    compare_pass(command, decision, pass);
    return STATUS_OK;
}

/* others: jobs with other draws. */
static void report_reruns(const struct gate_listener *listener, size_t jobs, size_t others, double budget)
{
    LOCAL(text) line = {0};
    terminal_add(&line, "confirm: %zu job%s, %d times with the same draws", jobs, jobs == 1 ? "" : "s", RERUNS);
    if (others > 0)
        terminal_add(&line, ", and %zu once with other draws", others);
    if (!isinf(budget))
        terminal_add(&line, ": at most %s", QUANTITY_SECONDS(budget));
    text_add(&line, "\n");
    listener->message(text_string(&line));
}

/* Runs the tests that the first pass suspects three times with its draws; and once, with other draws, those with
 * outcomes that one side alone has seen there. */
static enum status confirm_suspects(const struct gate_command *command, struct gate_decision *decision, int *code,
                                    struct error *error)
{
    const struct comparison *first = &decision->comparisons[GATE_FIRST];
    struct gate_suite *suite = &decision->suite;
    struct suspects all = {first, false}, one_sided = {first, true};
    const double budget = confirm_budget(command, suite);
    const bool is_enough = budget > 0 && first->runs[SIDE_A] >= first->options.fewest_runs;
    const size_t jobs = is_enough ? gate_suite_count_some(suite, gate_passes_is_wanted, &all) : 0;
    if (jobs == 0)
        return STATUS_OK;
    const size_t others = gate_suite_count_some(suite, gate_passes_is_wanted, &one_sided);
    report_reruns(suite->request.listener, jobs, others, budget);
    struct reruns reruns = {suite, clock_seconds() + budget, RERUNS + (others > 0)};
    int64_t *runs = arena_take(&decision->arena, RERUNS + 1, sizeof *runs);
    size_t count = 0;
    for (int i = 0; i < RERUNS; i++) {
        if (!run_again(&reruns, &all, suite->request.seed, &runs[count], code))
            return STATUS_OK;
        count += runs[count] > 0;
    }
    if (others > 0 && !run_again(&reruns, &one_sided, (suite->request.seed + 1) & INT64_MAX, &runs[RERUNS], code))
        return STATUS_OK;
    TRY(read_reruns(command, decision, GATE_AGAIN, runs, count, error));
    return read_reruns(command, decision, GATE_OTHER, &runs[RERUNS], runs[RERUNS] > 0, error);
}

/* ---- the decision ---- */

/* The command with the options that the result depends on. */
static void add_choices(const struct gate_command *command, struct text *text)
{
    const struct gate_request *request = &command->request;
    text_add_option(text, "profile", request->profile);
    text_add_option(text, "home", request->homes);
    text_add_option(text, "kernels", request->kernels);
    text_add_option(text, "project", request->project);
    user_atomics_add_options(text);
    if (request->seconds > 0)
        text_add(text, " --time %g", request->seconds);
    if (request->instances > 0)
        text_add(text, " --instances %llu", (unsigned long long)request->instances);
    text_add(text, "%s%s", request->strict ? " --strict" : "", request->no_project ? " --no-project" : "");
}

/* The commands of the decision. */
static struct gate_commands make_commands(const struct gate_command *command, struct gate_decision *decision)
{
    const struct gate_request *request = &command->request;
    const size_t runs = decision->comparisons[GATE_FIRST].runs[SIDE_A], fewest = command->compare.fewest_runs;
    text_add_option(&decision->from, "baseline", command->stored ? request->tests[SIDE_A] : command->baseline);
    text_add_option(&decision->from, "baselines", request->baselines);
    add_choices(command, &decision->repeat);
    if (fabs(command->compare.tolerance - ((struct compare_options){COMPARE_USUAL}).tolerance) > 0)
        text_add(&decision->repeat, " --tolerance %g", command->compare.tolerance);
    text_add(&decision->more_runs, "orchil gate baseline");
    add_choices(command, &decision->more_runs);
    return (struct gate_commands){.from = text_string(&decision->from),
                                  .repeat = text_string(&decision->repeat),
                                  .has_length = request->seconds > 0 || request->instances > 0,
                                  .baseline = text_string(&decision->more_runs),
                                  .runs = runs < fewest ? fewest : 2 * runs,
                                  .device = request->device,
                                  .database = command->stored ? NULL : request->database,
                                  .folder = decision->place[SIDE_A].is_folder ? decision->place[SIDE_A].word : NULL};
}

static void decide(const struct gate_command *command, struct gate_decision *decision)
{
    const struct gate_request *request = &command->request;
    const double confidence = command->stored ? request->confidence : decision->suite.request.confidence;
    const bool chosen = request->test_count > 0 || request->exclude.count > 0 || request->last_failed;
    const struct gate_passes passes = {
        .first = &decision->comparisons[GATE_FIRST],
        .again = decision->judged[GATE_AGAIN].count > 0 ? &decision->comparisons[GATE_AGAIN] : NULL,
        .other = decision->judged[GATE_OTHER].count > 0 ? &decision->comparisons[GATE_OTHER] : NULL,
        .chooses = !command->stored};
    decision->options = (struct gate_options){.strict = request->strict,
                                              .assurance = confidence > 0 ? confidence : 0.99999,
                                              .chosen = !command->stored && chosen,
                                              .strict_expectations = command->strict_expectations,
                                              .fail_on = command->fail_on,
                                              .commands = make_commands(command, decision)};
    gate_decide(&passes, &decision->options, command->expect ? &decision->expectations : NULL, &decision->gate);
}

enum status gate_decision_reach(const struct gate_command *command, struct gate_decision *decision, int *code,
                                struct error *error)
{
    if (command->stored)
        TRY(choose_stored(command, decision, error));
    else
        TRY(run_suite(command, decision, code, error));
    if (*code != 0 || command->dry || command->request.shards > 0)
        return STATUS_OK;
    TRY(read_side(command->request.listener, &decision->baseline, error));
    TRY(read_side(command->request.listener, &decision->judged[GATE_FIRST], error));
    compare_pass(command, decision, GATE_FIRST);
    if (!command->stored)
        TRY(confirm_suspects(command, decision, code, error));
    if (*code != 0)
        return STATUS_OK;
    stop_signals_forget(); /* what is left can be asked again */
    decide(command, decision);
    return STATUS_OK;
}

void gate_decision_release(struct gate_decision *decision)
{
    gate_release(&decision->gate);
    expectations_release(&decision->expectations);
    for (int pass = GATE_PASSES - 1; pass >= 0; pass--) {
        comparison_release(&decision->comparisons[pass]);
        side_release(&decision->judged[pass].side);
    }
    side_release(&decision->baseline.side);
    gate_suite_release(&decision->suite);
    gate_source_release(&decision->source);
    text_release(&decision->from);
    text_release(&decision->repeat);
    text_release(&decision->more_runs);
    arena_release(&decision->arena);
}
