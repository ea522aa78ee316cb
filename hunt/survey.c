// SPDX-License-Identifier: Apache-2.0
/* Which models a database contradicts. The candidates for the next test are the minimal tests of all models on which
 * they do not agree; that one is best that splits those that are left most evenly. */
#include "hunt/survey.h"

#include "base/hash.h"
#include "kernel/target.h"
#include "results/results.h"

/* A test on which the models do not agree. */
struct survey_candidate {
    struct litmus_test *test;
    uint64_t allowed; /* bit k: model k allows its condition */
    char hash[HASH_HEX_SIZE];
    bool ran, seen; /* by the database: it was run; its condition was seen */
};

static const struct judge_options survey_judging = {0};

/* ---- models and candidates ---- */

static enum status load_models(const char *names, struct survey *survey, struct error *error)
{
    for (const char *name = names; *name;) {
        const size_t size = strcspn(name, ",");
        if (survey->model_count == SURVEY_MODELS)
            return error_set(error, STATUS_USAGE, "expected at most %d models", SURVEY_MODELS);
        struct survey_model *model = &survey->models[survey->model_count];
        *model = (struct survey_model){.reason = ""};
        TRY(model_load(arena_copy_part(&survey->arena, name, size), &model->model, error));
        survey->model_count++;
        name += size + (name[size] == ',');
    }
    return STATUS_OK;
}

static bool survey_allows(const struct model *model, const struct litmus_test *test)
{
    struct judgement judgement;
    struct error error;
    if (kernel_judge(model, test, &survey_judging, &judgement, &error) != STATUS_OK)
        return true;
    const bool allowed = judgement.racy || judgement.holds;
    judgement_release(&judgement);
    return allowed;
}

/* The candidate that is an equal test, or NULL. */
static struct survey_candidate *find_candidate(const struct survey *survey, const char hash[HASH_HEX_SIZE])
{
    for (size_t i = 0; i < survey->count; i++)
        if (strcmp(survey->candidates[i].hash, hash) == 0)
            return &survey->candidates[i];
    return NULL;
}

/* Keeps a test on which the models disagree. */
static enum status add_candidate(const struct litmus_test *test, bool is_known, void *context, struct error *error)
{
    struct survey *survey = context;
    struct survey_candidate candidate = {0};
    (void)is_known;
    litmus_hash(test, candidate.hash);
    for (size_t k = 0; k < survey->model_count; k++)
        candidate.allowed |= (uint64_t)survey_allows(survey->models[k].model, test) << k;
    if (candidate.allowed == 0 || candidate.allowed == (UINT64_C(1) << survey->model_count) - 1 ||
        find_candidate(survey, candidate.hash))
        return STATUS_OK;
    TRY(litmus_reread(test, &candidate.test, error));
    ARENA_ADD(&survey->arena, survey->candidates, survey->count) = candidate;
    return STATUS_OK;
}

/* The minimal tests of every model. */
static enum status find_candidates(const struct survey_request *request, const struct known_tests *known,
                                   struct survey *survey, struct error *error)
{
    for (size_t k = 0; k < survey->model_count; k++) {
        const struct synthesis_request wanted = {.forbid = survey->models[k].model,
                                                 .dialect = (int)request->dialect,
                                                 .bound = request->bound,
                                                 .known = known,
                                                 .take = add_candidate,
                                                 .context = survey};
        struct synthesis_counts counts;
        bool complete;
        TRY(synthesise(&wanted, &counts, &complete, error));
    }
    return STATUS_OK;
}

/* ---- what was seen ---- */

static void survey_add_reason(struct survey *survey, struct survey_model *model, const struct litmus_test *test,
                              const char *outcome)
{
    if (model->reason[0] == '\0')
        model->reason = arena_print(&survey->arena, "%s: %s", test->name, outcome);
}

static bool was_seen(const struct count *counts, size_t count, const char *label)
{
    for (size_t i = 0; i < count; i++)
        if (counts[i].count > 0 && strcmp(counts[i].label, label) == 0)
            return true;
    return false;
}

/* An outcome that a model forbids contradicts it. */
static void note_outcomes(struct survey *survey, struct survey_model *model, const struct litmus_test *test,
                          const struct count *seen, size_t count)
{
    struct judgement judgement;
    struct error error;
    if (model->contradicted || kernel_judge(model->model, test, &survey_judging, &judgement, &error) != STATUS_OK)
        return;
    for (size_t i = 0; i < judgement.outcome_count && !model->contradicted; i++) {
        struct text label = {0};
        litmus_print_outcome(test, judgement.outcomes[i].values, &label);
        model->contradicted =
            judgement.outcomes[i].verdict == VERDICT_FORBIDDEN && was_seen(seen, count, text_string(&label));
        if (model->contradicted)
            survey_add_reason(survey, model, test, text_string(&label));
        text_release(&label);
    }
    judgement_release(&judgement);
}

static enum status survey_read_job(struct survey *survey, struct store *store, const struct store_job_row *job,
                                   struct error *error)
{
    struct arena arena = {0};
    struct store_text_row text = {0};
    struct litmus_test *test = NULL;
    struct count *seen;
    size_t count;
    struct error ignored;
    char hash[HASH_HEX_SIZE];
    enum status status = store_load_text(store, STORE_TEST, job->job_id, &arena, &text, error);
    if (status == STATUS_OK)
        status = store_load_counts(store, STORE_OUTCOMES, job->job_id, &arena, &seen, &count, error);
    if (status == STATUS_OK && text.text && count > 0 &&
        litmus_parse(job->test, text.text, strlen(text.text), &test, &ignored) == STATUS_OK) {
        for (size_t k = 0; k < survey->model_count; k++)
            note_outcomes(survey, &survey->models[k], test, seen, count);
        litmus_hash(test, hash);
        struct survey_candidate *candidate = find_candidate(survey, hash);
        if (candidate)
            candidate->ran = true;
        for (size_t i = 0; i < count && candidate; i++)
            candidate->seen |= seen[i].witness && seen[i].count > 0;
    }
    litmus_release(test);
    arena_release(&arena);
    return status;
}

static enum status survey_read_database(struct survey *survey, const char *database, struct error *error)
{
    struct store *store;
    struct store_cursor jobs;
    enum status status = STATUS_OK;
    TRY(store_open(database, STORE_READ, &store, error));
    store_query(store, STORE_JOBS, 0, &jobs, error);
    while (status == STATUS_OK && store_next(&jobs))
        status = survey_read_job(survey, store, &jobs.job, error);
    status = store_end(&jobs, status);
    store_close(store);
    return status;
}

enum status survey_make(const struct survey_request *request, struct survey *survey, struct error *error)
{
    struct known_tests known = {.keys = NULL};
    enum status status = load_models(request->models, survey, error);
    if (status == STATUS_OK)
        status = known_tests_open(&known, request->dialect, error);
    if (status == STATUS_OK)
        status = find_candidates(request, &known, survey, error);
    if (status == STATUS_OK && request->database)
        status = survey_read_database(survey, request->database, error);
    known_tests_release(&known);
    /* What was run and not seen, although a model allows it. */
    for (size_t i = 0; i < survey->count; i++) {
        const struct survey_candidate *candidate = &survey->candidates[i];
        for (size_t k = 0; k < survey->model_count && candidate->ran && !candidate->seen; k++)
            if (candidate->allowed >> k & 1) {
                survey->models[k].loose = true;
                survey_add_reason(survey, &survey->models[k], candidate->test, "not seen");
            }
    }
    uint64_t *verdicts = memory_take(survey->count + 1, sizeof *verdicts), left = 0;
    for (size_t k = 0; k < survey->model_count; k++)
        left |= (uint64_t)(!survey->models[k].contradicted && !survey->models[k].loose) << k;
    for (size_t i = 0; i < survey->count; i++)
        verdicts[i] = survey->candidates[i].ran ? 0 : survey->candidates[i].allowed;
    const size_t next = synthesis_split(verdicts, survey->count, left);
    survey->next = next == SIZE_MAX ? NULL : survey->candidates[next].test;
    free(verdicts);
    return status;
}

void survey_release(struct survey *survey)
{
    for (size_t i = 0; i < survey->count; i++)
        litmus_release(survey->candidates[i].test);
    for (size_t k = 0; k < survey->model_count; k++)
        model_release(survey->models[k].model);
    arena_release(&survey->arena);
}
