// SPDX-License-Identifier: Apache-2.0
/* The steps of a calibration: splits are decided, tests measured, limits learned and tried. */
#include "runner/gate/calibrate/calibrate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "litmus/litmus.h"
#include "runner/gate/calibrate/calibrate_parts.h"

/* A calibration in progress. */
struct calibrating {
    struct calibration *calibration;
    const struct side *runs;
    int64_t *numbers; /* the runs' numbers in their file */
    struct split *splits;
    size_t split_count;
};

/* ---- the runs ---- */

static void add_run(struct calibrating *calibrating, int64_t run)
{
    struct calibration *calibration = calibrating->calibration;
    for (size_t r = 0; r < calibration->runs; r++)
        if (calibrating->numbers[r] == run)
            return;
    ARENA_ADD(&calibration->arena, calibrating->numbers, calibration->runs) = run;
}

static void find_runs(struct calibrating *calibrating)
{
    const struct side *side = calibrating->runs;
    for (size_t i = 0; i < side->sample_count; i++)
        for (size_t r = 0; r < side->samples[i].run_count; r++)
            add_run(calibrating, side->samples[i].runs[r].row->run_id);
}

/* Runs of several drivers differ for more reasons than chance. */
static enum status check_runs(const struct calibrating *calibrating, struct error *error)
{
    const struct side *side = calibrating->runs;
    if (calibrating->calibration->runs < CALIBRATE_FEWEST)
        return error_set(
            error, STATUS_USAGE,
            "%s: has %zu runs; a calibration needs at least %d, three for a baseline and a candidate, and 8 for useful figures",
            side->title, calibrating->calibration->runs, CALIBRATE_FEWEST);
    for (size_t i = 0; i < side->sample_count; i++)
        for (size_t r = 1; r < side->samples[i].run_count; r++) {
            const struct store_job_row *first = side->samples[i].runs[0].row, *other = side->samples[i].runs[r].row;
            if (strcmp(first->driver, other->driver) != 0)
                return error_set(
                    error, STATUS_USAGE,
                    "%s: has runs with the drivers %.100s and %.100s of %.100s; a calibration needs runs of one driver: use `orchil merge --into FILE --run N` to put them into a separate file",
                    side->title, first->driver, other->driver, first->device);
        }
    return STATUS_OK;
}

/* ---- splits ---- */

static struct calibration_test *find_test(struct calibration *calibration, const struct sample *sample)
{
    for (size_t i = 0; i < calibration->test_count; i++)
        if (sample_compare(calibration->tests[i].sample, sample, calibration->options.compare.dimensions) == 0)
            return &calibration->tests[i];
    return NULL;
}

/* Rounded up, so that the printed value suffices. */
static double tolerance_against(const struct finding *finding)
{
    if (finding->kind != FINDING_RATE)
        return INFINITY; /* no tolerance ends a new or a lost outcome */
    const struct interval ratio = finding->rate->ratio.interval;
    return ceil(100 * fmax(ratio.low, 1 / ratio.high)) / 100;
}

static bool is_behaviour(const struct finding *finding)
{
    return finding->standing == STANDING_SURE && finding->kind >= FINDING_SHIFT;
}

/* Whether any finding is sure; records the tolerance that each test would have needed. */
static bool note_alarms(struct calibration *calibration, const struct comparison *comparison, bool count)
{
    const struct calibration_test *last = NULL;
    bool fails = false;
    for (size_t i = 0; i < comparison->finding_count; i++) {
        const struct finding *finding = &comparison->findings[i];
        if (!is_behaviour(finding))
            continue;
        fails = true;
        calibration->shifts += count && finding->kind == FINDING_SHIFT;
        struct calibration_test *test =
            finding->kind == FINDING_SHIFT ? NULL : find_test(calibration, finding->sample[SIDE_A]);
        if (!test)
            continue;
        if (finding->outcome->of == SAMPLE_OUTCOME) /* limits are for these */
            test->alarm = fmax(test->alarm, tolerance_against(finding));
        test->failing += count && test != last;
        last = test;
    }
    return fails;
}

/* The runs at these places of a split. */
static void take(const struct calibrating *calibrating, const size_t *places, size_t count, struct side *side)
{
    int64_t runs[CALIBRATE_BASELINE + CALIBRATE_AGAIN];
    for (size_t i = 0; i < count; i++)
        runs[i] = calibrating->numbers[places[i]];
    side_take_runs(calibrating->runs, runs, count, side);
}

static bool fails_again(const struct calibrating *calibrating, const struct split *split,
                        const struct comparison *first)
{
    struct compare_options options = first->options;
    struct comparison comparison;
    struct side baseline, again;
    bool fails = false;
    options.first = first;
    take(calibrating, split->baseline, CALIBRATE_BASELINE, &baseline);
    take(calibrating, split->again, CALIBRATE_AGAIN, &again);
    compare_sides(&baseline, &again, &options, &comparison);
    for (size_t i = 0; i < comparison.finding_count; i++)
        fails |= is_behaviour(&comparison.findings[i]);
    comparison_release(&comparison);
    side_release(&again);
    side_release(&baseline);
    return fails;
}

/* again: if not NULL, set to whether three other runs confirm. foresee: also compute the smallest
 * changes that would be found. */
static bool fails_once(const struct calibrating *calibrating, const struct split *split,
                       const struct compare_options *options, bool foresee, bool *again)
{
    struct comparison comparison;
    struct side baseline, candidate;
    take(calibrating, split->baseline, CALIBRATE_BASELINE, &baseline);
    take(calibrating, &split->candidate, 1, &candidate);
    compare_sides(&baseline, &candidate, options, &comparison);
    const bool fails = note_alarms(calibrating->calibration, &comparison, again != NULL);
    if (foresee)
        calibrate_foresee(calibrating->calibration, &comparison);
    if (again && calibrating->calibration->runs >= SPLIT_FEWEST_AGAIN)
        *again = fails_again(calibrating, split, &comparison);
    comparison_release(&comparison);
    side_release(&candidate);
    side_release(&baseline);
    return fails;
}

/* Decides every split. again: NULL, or the share of those that three other runs confirm. */
static void decide_splits(const struct calibrating *calibrating, const struct compare_options *options,
                          struct calibration_share *share, struct calibration_share *again)
{
    enum { FORESEEN = 20 }; /* splits: their estimates differ little */
    const size_t runs = calibrating->calibration->runs, count = calibrating->split_count;
    const size_t each = count > FORESEEN ? count / FORESEEN : 1;
    bool *fails = memory_take(count, sizeof *fails), *confirmed = memory_take(count, sizeof *confirmed);
    for (size_t i = 0; i < count; i++)
        fails[i] =
            fails_once(calibrating, &calibrating->splits[i], options, i % each == 0, again ? &confirmed[i] : NULL);
    calibrate_conclude(calibrating->calibration);
    splits_share(calibrating->splits, fails, count, runs, false, options->confidence, share);
    if (again && runs >= SPLIT_FEWEST_AGAIN)
        splits_share(calibrating->splits, confirmed, count, runs, true, options->confidence, again);
    free(confirmed);
    free(fails);
}

/* ---- all runs together ---- */

static void list_tests(struct calibration *calibration)
{
    const struct side *all = calibration->all;
    calibration->tests = arena_take(&calibration->arena, all->sample_count, sizeof *calibration->tests);
    for (size_t i = 0; i < all->sample_count; i++)
        if (all->samples[i].counted > 0)
            calibration->tests[calibration->test_count++] = (struct calibration_test){
                .sample = &all->samples[i], .is_control = *all->samples[i].row.controls != 0, .varies = 1, .alarm = 1};
}

/* Even runs against odd ones, so that drift from run to run counts within both sides. */
static void compare_whole(struct calibrating *calibrating)
{
    struct calibration *calibration = calibrating->calibration;
    for (int side = 0; side < SIDES; side++) {
        int64_t *runs = memory_take(calibration->runs, sizeof *runs);
        size_t count = 0;
        for (size_t i = (size_t)side; i < calibration->runs; i += SIDES)
            runs[count++] = calibrating->numbers[i];
        side_take_runs(calibrating->runs, runs, count, &calibration->halves[side]);
        free(runs);
    }
    compare_sides(&calibration->halves[SIDE_A], &calibration->halves[SIDE_B], &calibration->options.compare,
                  &calibration->whole);
    calibrate_measure(calibration);
}

/* Learns until nothing is added: leaving tests out changes the estimate for the others. */
static void learn(struct calibrating *calibrating)
{
    enum { MOST_PASSES = 5 };
    struct calibration *calibration = calibrating->calibration;
    struct compare_options noted = calibration->options.compare;
    notes_apply(&calibration->notes, &noted);
    calibration->noted = calibration->plain;
    for (int pass = 0; calibrate_learn(calibration) && pass < MOST_PASSES; pass++)
        decide_splits(calibrating, &noted, &calibration->noted, NULL);
}

enum status calibrate(struct side *runs, const struct calibration_options *options, struct calibration *calibration,
                      struct error *error)
{
    struct calibrating calibrating = {.calibration = calibration, .runs = runs};
    *calibration = (struct calibration){.options = *options, .all = runs};
    side_lend_models(runs, runs); /* a job that had no time belongs to the sample of those that had */
    side_gather(runs, options->compare.dimensions);
    find_runs(&calibrating);
    TRY(check_runs(&calibrating, error));
    health_read(runs, &calibration->health);
    list_tests(calibration);
    compare_whole(&calibrating);
    calibration->possible = splits_list(&calibration->arena, calibration->runs, options->most_splits, options->seed,
                                        &calibrating.splits, &calibrating.split_count);
    decide_splits(&calibrating, &options->compare, &calibration->plain, &calibration->again);
    learn(&calibrating);
    return calibrate_forbid(calibration, error);
}

void calibration_release(struct calibration *calibration)
{
    comparison_release(&calibration->whole);
    for (int side = 0; side < SIDES; side++)
        side_release(&calibration->halves[side]);
    notes_release(&calibration->notes);
    arena_release(&calibration->arena);
    *calibration = (struct calibration){.tests = NULL};
}

/* ---- tests whose witness a model forbids: it should never be seen, so there is no rate to gate ---- */

/* True if a model forbids all witnesses of the test. parsed: NULL if the sample has seen them; else
 * the test, because only its condition tells whether an outcome that was not seen is a witness. */
static bool has_forbidden_witness(const struct sample *sample, const struct litmus_test *parsed)
{
    bool forbidden = false;
    for (size_t i = 0; i < sample->outcome_count; i++) {
        const struct sample_outcome *outcome = &sample->outcomes[i];
        if (!outcome->witness && !(parsed && litmus_label_is_witness(parsed, outcome->label)))
            continue;
        if (sample_verdict(outcome) != VERDICT_FORBIDDEN)
            return false;
        forbidden = true;
    }
    return forbidden;
}

static enum status read_test(struct store *store, struct calibration *calibration, struct calibration_test *test,
                             struct error *error)
{
    struct store_text_row text;
    struct litmus_test *parsed = NULL;
    struct error ignored; /* a test that cannot be read stays as it is */
    TRY(store_load_text(store, STORE_TEST, test->sample->runs[0].row->job_id, &calibration->arena, &text, error));
    if (text.text &&
        litmus_parse(test->sample->row.test, text.text, strlen(text.text), &parsed, &ignored) == STATUS_OK &&
        has_forbidden_witness(test->sample, parsed))
        test->standing = CALIBRATION_FORBIDDEN;
    litmus_release(parsed);
    return STATUS_OK;
}

enum status calibrate_forbid(struct calibration *calibration, struct error *error)
{
    const char *database = calibration->all->database;
    struct store *store = NULL;
    enum status status = database ? store_open(database, STORE_READ, &store, error) : STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < calibration->test_count; i++) {
        struct calibration_test *test = &calibration->tests[i];
        if (test->is_control)
            continue;
        if (has_forbidden_witness(test->sample, NULL))
            test->standing = CALIBRATION_FORBIDDEN;
        else if (store && test->sightings <= 0)
            status = read_test(store, calibration, test, error);
    }
    store_close(store);
    return status;
}
