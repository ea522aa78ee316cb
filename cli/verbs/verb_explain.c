// SPDX-License-Identifier: Apache-2.0
/* orchil explain: why an outcome is allowed or forbidden, and what would change that. */
#include "analysis/page/plot.h"
#include "analysis/sides/side.h"
#include "base/json.h"
#include "catalogue/catalogue.h"
#include "cli/common_rows.h"
#include "cli/explain/explained.h"
#include "cli/output.h"
#include "cli/print/endings.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "litmus/dialects.h"
#include "results/results.h"
#include "runner/run/rejudge.h"

enum { EXIT_UNJUDGED = 3, JUDGE_SECONDS = 60, LISTED_CANDIDATES = 100000, MOST_UNROLL = 8 };

struct explain_request {
    const char *model, *outcome;
    uint64_t job; /* 0: of a test */
    double seconds;
    bool json;
    const char *dot, *svg, *tikz; /* files for the execution; NULL: none */
    unsigned schedulers;          /* as bits: why the test need not end is asked, instead of an outcome */
    struct verb_arguments places; /* a test or a database */
};

#define AT(member) offsetof(struct explain_request, member)

static const struct option_row option_rows[] = {
    {"job", 0, "N", OPTION_COUNT, .offset = AT(job), .expected = "the number of a job"},
    {"outcome", 0, "LABEL", OPTION_TEXT, .offset = AT(outcome)},
    {"model", 0, "NAME|FILE.cat", OPTION_TEXT, .offset = AT(model), .file = OPTION_FILE_READ},
    {ROW_PROGRESS(AT(schedulers), "explain whether the test must end under the scheduler, as `orchil check --progress` "
                                  "does, by a schedule that does not end")},
    {"time", 0, "S", OPTION_SECONDS, .offset = AT(seconds), "10s"},
    {ROW_JSON(AT(json))},
    {"dot", 0, "FILE", OPTION_TEXT, .offset = AT(dot), .file = OPTION_FILE_WRITTEN},
    {"svg", 0, "FILE", OPTION_TEXT, .offset = AT(svg), .file = OPTION_FILE_WRITTEN},
    {"tikz", 0, "FILE", OPTION_TEXT, .offset = AT(tikz), .file = OPTION_FILE_WRITTEN},
    {0}};

static bool has_picture(const struct explain_request *request)
{
    return request->dot || request->svg || request->tikz;
}

static void explain_check_options(const struct argp_state *state, const void *data)
{
    const struct explain_request *request = data;
    if (request->schedulers && (request->job || request->outcome || has_picture(request)))
        options_error(state, "--progress asks whether a test ends: expected no --job, --outcome or picture");
    if (request->places.count != 1)
        options_error(state, "expected one %s, found %zu", request->job ? "DATABASE" : "TEST", request->places.count);
}

/* The outcome to explain, and the owners of its parts. */
struct explaining {
    const struct explain_request *request;
    struct litmus_test *test; /* with a text, so that its instructions have lines */
    struct model *model;
    struct judgement judgement;
    struct arena arena;
    struct explained explained;
    model_judging *judging;
    const char *model_name;
    char *label; /* of the job's outcome, or as requested; NULL: the witness */
};

/* ---- the test ---- */

/* Of a name that several dialects have, the first is explained. */
static enum status choose_test(const char *word, const struct selection *selection, struct error *error)
{
    enum { NAMED = 5 };
    LOCAL(text) names = {0};
    for (size_t i = 0; i < selection->count && i < NAMED; i++) {
        text_add(&names, "%s", i > 0 ? ", " : "");
        catalogue_add_dialect(selection->tests[i].test->dialect, &names);
        text_add(&names, ":%s", selection->tests[i].test->name);
    }
    /* They are sorted by name. */
    if (strcmp(selection->tests[0].test->name, selection->tests[selection->count - 1].test->name) != 0)
        return error_set(error, STATUS_USAGE, "'%s' selects %zu tests: expected one, such as %s", word,
                         selection->count, text_string(&names));
    terminal_print(stderr, "note: '%s' names %s: the first is explained\n", word, text_string(&names));
    return STATUS_OK;
}

/* Lines are counted in the file that the user gave; for a test of the catalogue, in the output of `orchil show`. */
static enum status select_test(struct explaining *explaining, struct error *error)
{
    LOCAL(selection) selection = {0};
    const struct explain_request *request = explaining->request;
    const char *word = request->places.list[0];
    if (stored_place_is_database(word))
        return error_set(error, STATUS_USAGE,
                         "%s is a database, and --job is missing: name the job to explain with --job N; "
                         "`orchil export --format csv` lists them",
                         word);
    enum status status = tests_select(request->places.list, request->places.count, &selection, error);
    if (status == STATUS_OK && selection.count > 1)
        status = choose_test(word, &selection, error);
    if (status == STATUS_OK) {
        const struct selected_test *selected = &selection.tests[0];
        const struct litmus_test *test = selected->test;
        const bool given = test->text && !selected->template && access(selected->file, F_OK) == 0;
        status = given ? litmus_parse(test->name, test->text, strlen(test->text), &explaining->test, error)
                       : litmus_reread(test, &explaining->test, error);
    }
    return status;
}

/* ---- a stored job ---- */

/* The rank of a verdict: higher ones need an explanation more. */
static unsigned gravity_of(enum verdict verdict, bool witness)
{
    static const unsigned gravity[] = {[VERDICT_SC] = 1, [VERDICT_WEAK] = 3, [VERDICT_FORBIDDEN] = 5};
    const size_t known = COUNT(gravity);
    return ((size_t)verdict < known ? gravity[verdict] : 0) * 2 + witness;
}

/* The deciding judgement: that of the emitted instructions, if there is one. */
static const struct store_judgement *deciding_of(const struct store_judgements *judgements)
{
    const struct store_judgement *target = &judgements->target;
    return target->model && target->verdict_count > 0 ? target : &judgements->source;
}

/* Unless another model is requested, the one that decided the job explains it. */
static void choose_model(struct explaining *explaining, const struct store_judgement *deciding)
{
    if (explaining->request->model || !deciding->model)
        return;
    explaining->model_name = arena_copy(&explaining->arena, deciding->model);
    if (deciding->mapping > 0 &&
        strcmp(deciding->model, model_default(kernel_mapping_dialect((unsigned)deciding->mapping))) == 0)
        explaining->judging = kernel_judge_emitted;
}

/* The requested outcome, or the gravest that was seen. */
static enum status choose_outcome(struct store *store, struct explaining *explaining, const struct store_job_row *job,
                                  struct error *error)
{
    struct store_judgements judgements;
    struct count *counts;
    size_t count;
    unsigned gravest = 0;
    TRY(store_load_counts(store, STORE_OUTCOMES, job->job_id, &explaining->arena, &counts, &count, error));
    TRY(store_load_judgements(store, job->job_id, &explaining->arena, &judgements, error));
    const struct store_judgement *deciding = deciding_of(&judgements);
    choose_model(explaining, deciding);
    for (size_t i = 0; i < count; i++) {
        const char *wanted = explaining->request->outcome;
        const unsigned gravity = gravity_of(store_verdict_on(deciding, counts[i].label), counts[i].witness);
        if (wanted ? strcmp(wanted, counts[i].label) != 0 : explaining->label && gravity <= gravest)
            continue;
        gravest = gravity;
        explaining->label = arena_copy(&explaining->arena, counts[i].label);
        explaining->explained.job.count = counts[i].count;
    }
    if (!explaining->label && !explaining->request->outcome)
        return error_set(error, STATUS_USAGE, "%s: job %" PRId64 " has no outcomes",
                         explaining->request->places.list[0], job->job_id);
    return STATUS_OK;
}

static enum status explain_read_job(struct explaining *explaining, struct store *store, struct error *error)
{
    struct store_job_row job;
    struct store_text_row text;
    TRY(store_find_job(store, (int64_t)explaining->request->job, &explaining->arena, &job, error));
    TRY(store_load_text(store, STORE_TEST, job.job_id, &explaining->arena, &text, error));
    if (!text.text)
        return error_set(error, STATUS_UNREADABLE, "%s: job %" PRId64 " has no text of its test",
                         explaining->request->places.list[0], job.job_id);
    explaining->explained.job = (struct explained_job){.job = job.job_id,
                                                       .run = job.run_id,
                                                       .database = explaining->request->places.list[0],
                                                       .device = job.device,
                                                       .driver = job.driver,
                                                       .instances = job.instances};
    TRY(choose_outcome(store, explaining, &job, error));
    return litmus_parse(job.test, text.text, strlen(text.text), &explaining->test, error);
}

static enum status open_job(struct explaining *explaining, struct error *error)
{
    struct store *store;
    TRY(store_open(explaining->request->places.list[0], STORE_READ, &store, error));
    const enum status status = explain_read_job(explaining, store, error);
    store_close(store);
    return status;
}

/* ---- the outcome ---- */

/* The judged outcome of the label; without one the most interesting witness. NULL: the judgement has none. */
static const struct judged_outcome *explain_find_outcome(const struct explaining *explaining, const int64_t *values)
{
    const struct judgement *judgement = &explaining->judgement;
    const struct judged_outcome *best = NULL;
    unsigned gravest = 0;
    FOR_EACH(const struct judged_outcome, outcome, judgement->outcomes, judgement->outcome_count) {
        const bool same =
            values && memcmp(outcome->values, values, explaining->test->variable_count * sizeof *values) == 0;
        const unsigned gravity = (outcome->witness ? 100 : 0) + gravity_of(outcome->verdict, false);
        if (values ? !same : best && gravity <= gravest)
            continue;
        gravest = gravity;
        best = outcome;
    }
    return best;
}

/* Judges the test; with more iterations of loops if the outcome was not found. */
static enum status explain_judge(struct explaining *explaining, const int64_t *values, struct error *error)
{
    const double deadline = clock_seconds() + JUDGE_SECONDS;
    for (unsigned unroll = MODEL_DEFAULT_UNROLL;; unroll *= 2) {
        const struct judge_options options = {
            .unroll = unroll, .explain = true, .listed_candidates = LISTED_CANDIDATES, .deadline = deadline};
        TRY(explaining->judging(explaining->model, explaining->test, &options, &explaining->judgement, error));
        const struct judged_outcome *outcome = explain_find_outcome(explaining, values);
        if (!explaining->judgement.cut || unroll >= MOST_UNROLL || explaining->judgement.racy ||
            (outcome && outcome->verdict != VERDICT_NONE))
            return STATUS_OK;
        judgement_release(&explaining->judgement);
    }
}

static const int64_t *read_label(struct explaining *explaining, struct error *error)
{
    int64_t *values = arena_take(&explaining->arena, explaining->test->variable_count + 1, sizeof *values);
    if (litmus_label_read(explaining->test, explaining->label, values))
        return values;
    LOCAL(text) label = {0};
    for (size_t i = 0; i < explaining->test->variable_count; i++)
        values[i] = 0;
    litmus_print_outcome(explaining->test, values, &label);
    (void)error_set(error, STATUS_USAGE, "%s has no outcome '%s': expected one like '%s'", explaining->test->name,
                    explaining->label, text_string(&label));
    return NULL;
}

static void explain_describe(struct explaining *explaining, const struct judged_outcome *outcome, const int64_t *values)
{
    struct explained *explained = &explaining->explained;
    const struct judgement *judgement = &explaining->judgement;
    LOCAL(text) label = {0};
    if (values)
        litmus_print_outcome(explaining->test, values, &label);
    explained->test = explaining->test;
    explained->model = model_id(explaining->model);
    explained->emitted = explaining->judging != kernel_judge;
    explained->label = arena_copy(&explaining->arena, text_string(&label));
    text_clear(&label);
    judgement_describe_end(judgement, &label);
    explained->end = judgement->never_ends ? arena_copy(&explaining->arena, text_string(&label)) : NULL;
    explained->cut = judgement->cut;
    explained->empty = judgement->empty;
    explained->flags = judgement->undefined_by;
    explained->witness = values && explaining->test->condition && litmus_is_witness(explaining->test, values);
    explained->verdict = outcome           ? outcome->verdict
                         : judgement->racy ? VERDICT_UNDEFINED
                         : judgement->cut  ? VERDICT_NONE
                                           : VERDICT_FORBIDDEN;
    explained->explanation = judgement->undefined ? judgement->undefined : outcome ? outcome->explanation : NULL;
    if (explained->explanation)
        drawing_make(explained->explanation, &explained->drawing);
}

/* ---- what would change it ---- */

static enum status search_repairs(struct explaining *explaining, const int64_t *values, struct error *error)
{
    struct explained *explained = &explaining->explained;
    const enum verdict verdict = explained->verdict;
    const bool launches = explaining->test->edge_count > 0,
               meets = verdict != VERDICT_FORBIDDEN && barriers_can_meet(explaining->test);
    const double deadline = clock_seconds() + explaining->request->seconds; /* barriers have the last quarter */
    struct repair_wanted wanted = {.model = explaining->model,
                                   .test = explaining->test,
                                   .values = values,
                                   .undefined = verdict == VERDICT_UNDEFINED,
                                   .cause = explained->explanation,
                                   .judging = explaining->judging,
                                   .deadline = deadline - (meets ? explaining->request->seconds / 4 : 0)};
    explained->seconds = explaining->request->seconds;
    explained->searched =
        !explained->empty && (verdict == VERDICT_WEAK || verdict == VERDICT_FORBIDDEN || verdict == VERDICT_UNDEFINED ||
                              (verdict == VERDICT_SC && (launches || meets)));
    if (verdict == VERDICT_WEAK && explained->explanation)
        TRY(weakness_find(&wanted, &explained->weakness, error));
    if (explained->searched && verdict == VERDICT_FORBIDDEN) {
        launch_weakenings_find(&wanted, &explained->repairs);
        return weakenings_find(&wanted, &explained->repairs, error);
    }
    if (explained->searched && launches)
        launch_repairs_find(&wanted, &explained->repairs);
    if (!explained->searched)
        return STATUS_OK;
    if (verdict != VERDICT_SC) /* outcomes of interleavings have no instruction as their cause */
        TRY(repairs_find(&wanted, &explained->repairs, error));
    wanted.deadline = deadline;
    if (meets)
        TRY(barriers_find(&wanted, &explained->repairs, error));
    if (verdict != VERDICT_SC && !launches && explained->repairs.count == 0)
        launch_repairs_find(&wanted, &explained->repairs);
    return STATUS_OK;
}

static void find_race(struct explaining *explaining)
{
    if (strcmp(model_id(explaining->model), model_default(LITMUS_CUDA)) != 0)
        return;
    struct races *races = races_open();
    race_find(races, explaining->test, true, &explaining->explained.race);
    races_close(races);
}

/* A picture on standard output takes the explanation's place. */
static bool is_only_picture(const struct explain_request *request)
{
    const char *const files[] = {request->dot, request->svg, request->tikz};
    return ANY_OF(file, files, COUNT(files), *file && strcmp(*file, "-") == 0);
}

static enum status explain_all(struct explaining *explaining, struct error *error)
{
    struct explained *explained = &explaining->explained;
    struct nearest_test *nearest;
    const int64_t *values = NULL;
    if (explaining->label && !(values = read_label(explaining, error)))
        return error->status;
    TRY(explain_judge(explaining, values, error));
    const struct judged_outcome *outcome = explain_find_outcome(explaining, values);
    if (!values && outcome)
        values = outcome->values;
    explain_describe(explaining, outcome, values);
    if (is_only_picture(explaining->request))
        return STATUS_OK; /* it has no changes */
    find_race(explaining);
    TRY(search_repairs(explaining, values, error));
    TRY(nearest_find(explaining->test, explained->verdict != VERDICT_FORBIDDEN, &explaining->arena, &nearest,
                     &explained->nearest_count, error));
    explained->nearest = nearest;
    return STATUS_OK;
}

/* ---- the verb ---- */

static enum status open_test(struct explaining *explaining, struct error *error)
{
    const struct explain_request *request = explaining->request;
    explaining->judging = kernel_judge;
    explaining->model_name = request->model;
    explaining->label = request->outcome ? arena_copy(&explaining->arena, request->outcome) : NULL;
    TRY(request->job > 0 ? open_job(explaining, error) : select_test(explaining, error));
    if (dialects[explaining->test->dialect].judged_as_ptx || kernel_mapping_to(explaining->test->dialect))
        explaining->judging = kernel_judge; /* which judges the emitted code of such tests anyway */
    if (!explaining->model_name)
        explaining->model_name = model_default(explaining->test->dialect);
    return model_load(explaining->model_name, &explaining->model, error);
}

static enum status write_pictures(const struct explain_request *request, const struct explained *explained,
                                  struct error *error)
{
    LOCAL(text) title = {0}, dot = {0}, svg = {0}, tikz = {0};
    if (!explained->explanation)
        return error_set(error, STATUS_USAGE, "%s: there is no execution to draw: the model has none with this outcome",
                         explained->test->name);
    text_add(&title, "%s  %s  %s", explained->test->name, explained->label,
             explained->verdict == VERDICT_NONE ? "" : verdict_word(explained->verdict));
    if (request->dot)
        execution_add_dot(&explained->drawing, text_string(&title), &dot);
    if (request->svg)
        execution_plot(&explained->drawing, text_string(&title), PLOT_SVG, &svg);
    if (request->tikz)
        execution_plot(&explained->drawing, text_string(&title), PLOT_TIKZ, &tikz);
    TRY(request->dot ? page_file_write(request->dot, &dot, error) : STATUS_OK);
    TRY(request->svg ? page_file_write(request->svg, &svg, error) : STATUS_OK);
    return request->tikz ? page_file_write(request->tikz, &tikz, error) : STATUS_OK;
}

static enum status print(const struct explaining *explaining, struct error *error)
{
    if (has_picture(explaining->request))
        TRY(write_pictures(explaining->request, &explaining->explained, error));
    if (is_only_picture(explaining->request))
        return STATUS_OK;
    if (!explaining->request->json)
        explained_print(&explaining->explained);
    else if (!json_print(JSON_EXPLAIN, explained_to_json(&explaining->explained)))
        return error_set(error, STATUS_SYSTEM, "the explanation cannot be written to standard output");
    return STATUS_OK;
}

static enum status explain_end(struct explaining *explaining, struct error *error)
{
    const struct explain_request *request = explaining->request;
    TRY(select_test(explaining, error));
    return endings_print(explaining->test, request->schedulers, true, request->json)
               ? STATUS_OK
               : error_set(error, STATUS_SYSTEM, "the explanation cannot be written to standard output");
}

static enum status explain_execute(void *data, struct verb_call *call, struct error *error)
{
    struct explaining explaining = {.request = data};
    if (explaining.request->schedulers) {
        const enum status ended = explain_end(&explaining, error);
        litmus_release(explaining.test);
        return ended;
    }
    enum status status = open_test(&explaining, error);
    THEN(status, explain_all(&explaining, error));
    THEN(status, print(&explaining, error));
    const bool unjudged = status == STATUS_UNSUPPORTED || status == STATUS_LIMIT;
    if (unjudged)
        (void)complain(call->name, error);
    if (unjudged || (status == STATUS_OK && explaining.explained.verdict == VERDICT_NONE))
        call->code = EXIT_UNJUDGED;
    race_release(&explaining.explained.race);
    repairs_release(&explaining.explained.repairs);
    weakness_release(&explaining.explained.weakness);
    drawing_release(&explaining.explained.drawing);
    judgement_release(&explaining.judgement);
    model_release(explaining.model);
    litmus_release(explaining.test);
    arena_release(&explaining.arena);
    return unjudged ? STATUS_OK : status;
}

VERB_ENTRY(explain, places, (0), .no_arguments = "expected a TEST, or a DATABASE with --job",
           .check = explain_check_options);
