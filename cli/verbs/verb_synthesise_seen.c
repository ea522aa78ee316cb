// SPDX-License-Identifier: Apache-2.0
/* orchil synthesise --seen: which models does a database contradict, and which test splits the others? */
#include "cli/verbs/verb_synthesise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/terminal/table.h"
#include "base/terminal/terminal.h"
#include "cli/known_tests.h"
#include "kernel/target.h"
#include "models/models.h"
#include "results/results.h"

enum { MOST_MODELS = 16 };

/* A test on which the models do not agree. */
struct survey_candidate {
    struct litmus_test *test;
    uint64_t allowed; /* bit k: model k allows its condition */
    char hash[HASH_HEX_SIZE];
    bool ran, seen; /* by the database: it was run; its condition was seen */
};

struct survey {
    const struct synthesise_request *request;
    struct model *models[MOST_MODELS];
    size_t model_count;
    struct known_tests known;
    struct survey_candidate *candidates;
    size_t count, room;
    uint64_t contradicted;            /* models that forbid an outcome that was seen */
    uint64_t loose;                   /* models that allow the condition of a candidate that was run and not seen */
    struct text reasons[MOST_MODELS]; /* of these: the first test and outcome */
};

static uint64_t left_of(const struct survey *survey)
{
    return ((UINT64_C(1) << survey->model_count) - 1) & ~survey->contradicted & ~survey->loose;
}

/* ---- models and candidates ---- */

static enum status load_models(struct survey *survey, struct error *error)
{
    for (const char *name = survey->request->model; *name;) {
        const size_t size = strcspn(name, ",");
        struct text text = {0};
        if (survey->model_count == MOST_MODELS)
            return error_set(error, STATUS_USAGE, "expected at most %d models", MOST_MODELS);
        text_add_bytes(&text, name, size);
        const enum status status = model_load(text_string(&text), &survey->models[survey->model_count], error);
        text_release(&text);
        TRY(status);
        survey->model_count++;
        name += size + (name[size] == ',');
    }
    return STATUS_OK;
}

static bool allows(const struct model *model, const struct litmus_test *test)
{
    static const struct judge_options options = {0};
    struct judgement judgement;
    struct error error;
    if (kernel_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        return true;
    const bool allowed = judgement.racy || judgement.holds;
    judgement_release(&judgement);
    return allowed;
}

static const char *find_name(const char *key, void *context)
{
    const struct survey *survey = context;
    return known_tests_name(&survey->known, key);
}

/* Keeps a test on which the models disagree. */
static enum status add_candidate(const struct litmus_test *test, void *context, struct error *error)
{
    struct survey *survey = context;
    struct survey_candidate candidate = {0};
    struct text text = {0};
    litmus_print(test, &text);
    const enum status status = litmus_parse(test->name, text_string(&text), text.size, &candidate.test, error);
    text_release(&text);
    TRY(status);
    litmus_hash(candidate.test, candidate.hash);
    for (size_t i = 0; i < survey->model_count; i++)
        candidate.allowed |= (uint64_t)allows(survey->models[i], candidate.test) << i;
    bool is_new = candidate.allowed != 0 && candidate.allowed != (UINT64_C(1) << survey->model_count) - 1;
    for (size_t i = 0; i < survey->count; i++)
        is_new &= strcmp(survey->candidates[i].hash, candidate.hash) != 0;
    if (is_new)
        LIST_ADD(survey->candidates, survey->count, survey->room) = candidate;
    else
        litmus_release(candidate.test);
    return STATUS_OK;
}

/* The minimal tests of every model. */
static enum status find_candidates(struct survey *survey, struct error *error)
{
    const int dialect = survey->request->dialect == LITMUS_NONE ? LITMUS_PTX : survey->request->dialect;
    TRY(known_tests_open(&survey->known, (enum litmus_dialect)dialect, error));
    for (size_t i = 0; i < survey->model_count; i++) {
        const struct synthesis_request wanted = {.forbid = survey->models[i],
                                                 .dialect = dialect,
                                                 .bound = survey->request->bound,
                                                 .naming = find_name,
                                                 .take = add_candidate,
                                                 .context = survey};
        struct synthesis_counts counts;
        bool complete;
        TRY(synthesise(&wanted, &counts, &complete, error));
    }
    return STATUS_OK;
}

/* ---- what was seen ---- */

static void add_reason(struct survey *survey, size_t model, const struct litmus_test *test, const char *label)
{
    if (survey->reasons[model].size == 0)
        text_add(&survey->reasons[model], "%s: %s", test->name, label);
}

/* An outcome that a model forbids contradicts it. */
static void note_outcomes(struct survey *survey, const struct litmus_test *test, const struct count *seen, size_t count)
{
    static const struct judge_options options = {0};
    for (size_t k = 0; k < survey->model_count; k++) {
        struct judgement judgement;
        struct error error;
        if (kernel_judge(survey->models[k], test, &options, &judgement, &error) != STATUS_OK)
            continue;
        for (size_t i = 0; i < judgement.outcome_count && !(survey->contradicted >> k & 1); i++) {
            struct text label = {0};
            litmus_print_outcome(test, judgement.outcomes[i].values, &label);
            for (size_t j = 0; j < count && judgement.outcomes[i].verdict == VERDICT_FORBIDDEN; j++)
                if (seen[j].count > 0 && strcmp(seen[j].label, text_string(&label)) == 0) {
                    survey->contradicted |= UINT64_C(1) << k;
                    add_reason(survey, k, test, text_string(&label));
                }
            text_release(&label);
        }
        judgement_release(&judgement);
    }
}

static void note_candidate(struct survey *survey, const struct litmus_test *test, const struct count *seen,
                           size_t count)
{
    char hash[HASH_HEX_SIZE];
    litmus_hash(test, hash);
    for (size_t i = 0; i < survey->count; i++) {
        struct survey_candidate *candidate = &survey->candidates[i];
        if (strcmp(candidate->hash, hash) != 0)
            continue;
        candidate->ran = true;
        for (size_t j = 0; j < count; j++)
            candidate->seen |= seen[j].witness && seen[j].count > 0;
    }
}

static enum status read_job(struct survey *survey, struct store *store, const struct store_job_row *job,
                            struct error *error)
{
    struct arena arena = {0};
    struct store_text_row text = {0};
    struct litmus_test *test = NULL;
    struct count *seen;
    size_t count;
    struct error ignored;
    enum status status = store_load_text(store, STORE_TEST, job->job_id, &arena, &text, error);
    if (status == STATUS_OK)
        status = store_load_counts(store, STORE_OUTCOMES, job->job_id, &arena, &seen, &count, error);
    if (status == STATUS_OK && text.text && count > 0 &&
        litmus_parse(job->test, text.text, strlen(text.text), &test, &ignored) == STATUS_OK) {
        note_outcomes(survey, test, seen, count);
        note_candidate(survey, test, seen, count);
    }
    litmus_release(test);
    arena_release(&arena);
    return status;
}

/* What was run and not seen, although a model allows it. */
static void note_unseen(struct survey *survey)
{
    for (size_t i = 0; i < survey->count; i++) {
        const struct survey_candidate *candidate = &survey->candidates[i];
        if (!candidate->ran || candidate->seen)
            continue;
        survey->loose |= candidate->allowed;
        for (size_t k = 0; k < survey->model_count; k++)
            if (candidate->allowed >> k & 1)
                add_reason(survey, k, candidate->test, "not seen");
    }
}

static enum status read_database(struct survey *survey, struct error *error)
{
    struct store *store;
    struct store_cursor jobs;
    enum status status = STATUS_OK;
    if (access(survey->request->seen, F_OK) != 0) {
        terminal_print(stderr, "%s does not exist yet: nothing was seen.\n", survey->request->seen);
        return STATUS_OK;
    }
    TRY(store_open(survey->request->seen, STORE_READ, &store, error));
    store_query(store, STORE_JOBS, 0, &jobs, error);
    while (status == STATUS_OK && store_next(&jobs))
        status = read_job(survey, store, &jobs.job, error);
    status = store_end(&jobs, status);
    store_close(store);
    note_unseen(survey);
    return status;
}

/* The next test; NULL: none splits the models that are left. */
static const struct survey_candidate *find_next(const struct survey *survey)
{
    uint64_t *verdicts = memory_take(survey->count + 1, sizeof *verdicts);
    for (size_t i = 0; i < survey->count; i++)
        verdicts[i] = survey->candidates[i].ran ? 0 : survey->candidates[i].allowed;
    const size_t next = synthesis_split(verdicts, survey->count, left_of(survey));
    free(verdicts);
    return next == SIZE_MAX ? NULL : &survey->candidates[next];
}

/* ---- printing ---- */

static void print_models(const struct survey *survey)
{
    struct table table = {0};
    table_columns(&table, "model|seen|~by");
    for (size_t i = 0; i < survey->model_count; i++) {
        const bool contradicted = survey->contradicted >> i & 1, loose = survey->loose >> i & 1;
        table_add(&table, "%s", model_id(survey->models[i]));
        table_add_styled(&table,
                         contradicted ? TERMINAL_BAD
                         : loose      ? TERMINAL_PLAIN
                                      : TERMINAL_GOOD,
                         "%s",
                         contradicted ? "contradicted"
                         : loose      ? "allows more"
                                      : "fits");
        table_add(&table, "%s", text_string(&survey->reasons[i]));
    }
    table_print(&table, stdout, 0);
    table_release(&table);
}

static void print_next(const struct survey *survey)
{
    const struct survey_candidate *next = find_next(survey);
    struct text text = {0};
    if (!next) {
        terminal_print(stdout, "No test of this size splits the models that fit.\n");
        return;
    }
    terminal_print(stdout, "The next test, which some of the models that fit allow and some forbid:\n\n");
    litmus_print(next->test, &text);
    terminal_write_source(stdout, text_string(&text));
    terminal_print(
        stdout,
        "\nSave it as next.litmus, run it, and ask again:\n\n    orchil run --no-controls --db %s next.litmus\n",
        survey->request->seen);
    text_release(&text);
}

enum status synthesise_seen(const struct synthesise_request *request, struct error *error)
{
    struct survey survey = {.request = request};
    enum status status = load_models(&survey, error);
    if (status == STATUS_OK)
        status = find_candidates(&survey, error);
    if (status == STATUS_OK)
        status = read_database(&survey, error);
    if (status == STATUS_OK) {
        print_models(&survey);
        print_next(&survey);
    }
    for (size_t i = 0; i < survey.count; i++)
        litmus_release(survey.candidates[i].test);
    free(survey.candidates);
    known_tests_release(&survey.known);
    for (size_t i = 0; i < survey.model_count; i++) {
        model_release(survey.models[i]);
        text_release(&survey.reasons[i]);
    }
    return status;
}
