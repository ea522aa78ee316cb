// SPDX-License-Identifier: Apache-2.0
/* Judging stored tests again after their models have changed. */
#include "runner/run/rejudge.h"

#include "runner/run/job_record.h"

/* A stored judgement whose model has changed. */
struct stale {
    struct store_judged_row row;
    size_t change;
    bool counted; /* its test is counted in its change */
};

struct judging {
    struct store *store;
    const struct rejudge *options;
    struct arena arena;
    struct store_change *changes;
    size_t change_count;
    struct stale *list; /* tests of one dialect and hash together */
    size_t count;
    size_t tests, done;
    double end; /* by clock_seconds: of all judging */
};

/* ---- what has changed ---- */

static bool is_built_in(const char *name)
{
    for (size_t i = 0; model_names[i]; i++)
        if (strcmp(model_names[i], name) == 0)
            return true;
    return false;
}

/* The hash of the model of that name; empty if there is none. */
static enum status hash_today(struct judging *judging, const char *name, const char **hash, struct error *error)
{
    struct model *model;
    *hash = "";
    if (!is_built_in(name))
        return STATUS_OK;
    TRY(model_load(name, &model, error));
    *hash = arena_copy(&judging->arena, model_hash(model));
    model_release(model);
    return STATUS_OK;
}

/* The index among the changes of a row's model and hash, whether or not it has changed. */
static enum status find_change(struct judging *judging, const struct store_judged_row *row, size_t *at,
                               struct error *error)
{
    const char *hash;
    for (*at = 0; *at < judging->change_count; (*at)++)
        if (strcmp(judging->changes[*at].model, row->model) == 0 &&
            strcmp(judging->changes[*at].stored_hash, row->model_hash) == 0)
            return STATUS_OK;
    TRY(hash_today(judging, row->model, &hash, error));
    ARENA_ADD(&judging->arena, judging->changes, judging->change_count) =
        (struct store_change){.model = arena_copy(&judging->arena, row->model),
                              .stored_hash = arena_copy(&judging->arena, row->model_hash),
                              .hash = hash,
                              .why = ""};
    return STATUS_OK;
}

static enum status take_row(struct judging *judging, const struct store_judged_row *row, struct error *error)
{
    struct arena *arena = &judging->arena;
    size_t at;
    TRY(find_change(judging, row, &at, error));
    struct store_change *change = &judging->changes[at];
    if (!*change->stored_hash || strcmp(change->stored_hash, change->hash) == 0)
        return STATUS_OK;
    if (row->run_id > change->run_id)
        change->run_id = row->run_id;
    struct stale *stale = &ARENA_ADD(arena, judging->list, judging->count);
    *stale = (struct stale){.row = *row, .change = at};
    stale->row.test = arena_copy(arena, row->test);
    stale->row.dialect = arena_copy(arena, row->dialect);
    stale->row.test_hash = arena_copy(arena, row->test_hash);
    stale->row.role = arena_copy(arena, row->role);
    stale->row.model = change->model;
    stale->row.model_hash = change->stored_hash;
    return STATUS_OK;
}

static enum status list_stale(struct judging *judging, struct error *error)
{
    struct store_cursor rows;
    enum status status = STATUS_OK;
    store_query(judging->store, STORE_JUDGED, judging->options->run, &rows, error);
    while (status == STATUS_OK && store_next(&rows))
        status = take_row(judging, &rows.judged, error);
    return store_end(&rows, status);
}

/* ---- one test ---- */

static bool same_test(const struct store_judged_row *a, const struct store_judged_row *b)
{
    return strcmp(a->test_hash, b->test_hash) == 0 && strcmp(a->dialect, b->dialect) == 0;
}

/* Whether two jobs of one test share a judgement in a role. */
static bool same_question(const struct store_judged_row *a, const struct store_judged_row *b)
{
    return strcmp(a->role, b->role) == 0 && strcmp(a->model, b->model) == 0 && a->mapping == b->mapping;
}

/* One test with its stale judgements, and the result of judging it. */
struct again {
    struct judging *judging;
    struct stale *list;
    size_t count;
    struct litmus_test *test; /* NULL: the stored text parses differently */
    struct tally seen;
};

/* Reports a running search; never stops it, because the deadline does. */
static bool rejudge_tell(void *context)
{
    const struct judging *judging = context;
    if (judging->options->went_on)
        judging->options->went_on(judging->done, judging->tests, judging->options->context);
    return false;
}

/* Counts a test once in each of its changes. why: NULL if it was judged. */
static void count_test(struct again *again, const struct stale *first, const char *why)
{
    for (size_t i = 0; i < again->count; i++) {
        struct stale *stale = &again->list[i];
        if (!same_question(&stale->row, &first->row) || stale->counted)
            continue;
        struct store_change *change = &again->judging->changes[stale->change];
        for (size_t j = i; j < again->count; j++)
            again->list[j].counted |=
                again->list[j].change == stale->change && same_question(&again->list[j].row, &first->row);
        change->judged += !why;
        const bool kept = why && stale->row.has_verdicts;
        change->kept += kept;
        if (kept && !*change->why)
            change->why = arena_print(&again->judging->arena, "%s: %s", first->row.test, why);
    }
}

/* Asks the model, and raises the bound on loops like a run. The caller releases *verdicts. */
static enum status rejudge_ask(struct again *again, const struct store_judged_row *row, struct verdicts *verdicts,
                               struct error *error)
{
    const struct judging *judging = again->judging;
    const double now = clock_seconds(), end = now + judging->options->test_seconds;
    const struct judge_options limits = {
        .deadline = end < judging->end ? end : judging->end, .stopped = rejudge_tell, .context = again->judging};
    struct opinion *opinion = strcmp(row->role, "target") == 0 ? &verdicts->target : &verdicts->source;
    bool deepened;
    opinion->mapping = row->mapping;
    (void)snprintf(opinion->model, sizeof opinion->model, "%s", row->model);
    TRY(verdicts_ask_again(again->test, &limits, opinion, error));
    return verdicts_deepen(verdicts, again->test, &again->seen, &limits, &deepened, error);
}

/* Judges all rows with the same question as `first`. */
static enum status rejudge_answer(struct again *again, const struct stale *first, struct error *error)
{
    LOCAL(verdicts) verdicts = {.source = {.model = ""}};
    enum status status = rejudge_ask(again, &first->row, &verdicts, error);
    const struct opinion *opinion = verdicts.target.model[0] ? &verdicts.target : &verdicts.source;
    const bool judged = status == STATUS_OK && !opinion->unjudged[0];
    if (status == STATUS_OK)
        count_test(again, first, judged ? NULL : opinion->unjudged);
    for (size_t i = 0; i < again->count && judged && status == STATUS_OK; i++)
        if (same_question(&again->list[i].row, &first->row))
            status = job_record_opinion(again->judging->store, again->list[i].row.job_id, opinion, first->row.role,
                                        &again->seen, store_rejudge, error);
    return status;
}

/* Why the stored verdicts are kept without asking; NULL if the model must be asked. */
static const char *rejudge_refuse(const struct again *again, const struct stale *stale)
{
    const struct store_change *change = &again->judging->changes[stale->change];
    if (!*change->hash)
        return "this orchil has no such model";
    if (!again->test)
        return "this orchil parses its text differently";
    if (stale->row.mapping == KERNEL_COMPILED)
        return "it judged code that the device's compiler emitted";
    if (stale->row.mapping && !kernel_mapping_is_current(stale->row.mapping))
        return "this orchil would emit different instructions";
    return clock_seconds() < again->judging->end ? NULL : "there was no time left to judge it again";
}

/* Reads the stored text and the outcomes seen in all jobs of the test. */
static enum status recall_test(struct again *again, struct error *error)
{
    const struct store_judged_row *row = &again->list[0].row;
    struct store *store = again->judging->store;
    struct store_text_row text;
    char hash[HASH_HEX_SIZE];
    TRY(store_load_text(store, STORE_TEST, row->job_id, &again->judging->arena, &text, error));
    if (!text.text || litmus_parse(row->test, text.text, strlen(text.text), &again->test, error) != STATUS_OK)
        return STATUS_OK;
    litmus_hash(again->test, hash);
    if (strcmp(hash, row->test_hash) != 0 || strcmp(litmus_dialect_name(again->test->dialect), row->dialect) != 0) {
        litmus_release(again->test);
        again->test = NULL;
        return STATUS_OK;
    }
    for (size_t i = 0; i < again->count; i++)
        if (i == 0 || again->list[i].row.job_id != again->list[i - 1].row.job_id)
            TRY(tally_load(&again->seen, store, again->list[i].row.job_id, error));
    return STATUS_OK;
}

static enum status judge_test_again(struct again *again, struct error *error)
{
    TRY(recall_test(again, error));
    FOR_EACH(struct stale, stale, again->list, again->count) {
        if (stale->counted)
            continue;
        const char *why = rejudge_refuse(again, stale);
        if (why)
            count_test(again, stale, why);
        else
            TRY(rejudge_answer(again, stale, error));
    }
    return STATUS_OK;
}

/* ---- all of them ---- */

static enum status judge_all(struct judging *judging, struct error *error)
{
    size_t end;
    for (size_t i = 0; i < judging->count; i++)
        judging->tests += i == 0 || !same_test(&judging->list[i - 1].row, &judging->list[i].row);
    for (size_t first = 0; first < judging->count; first = end) {
        for (end = first + 1; end < judging->count && same_test(&judging->list[first].row, &judging->list[end].row);)
            end++;
        struct again again = {.judging = judging, .list = &judging->list[first], .count = end - first};
        (void)rejudge_tell(judging);
        const enum status status = judge_test_again(&again, error);
        litmus_release(again.test);
        tally_release(&again.seen);
        if (status != STATUS_OK)
            return status;
        judging->done++;
    }
    return STATUS_OK;
}

enum status rejudge(struct store *store, const struct rejudge *options, struct error *error)
{
    struct judging judging = {.store = store, .options = options, .end = clock_seconds() + options->seconds};
    enum status status = list_stale(&judging, error);
    THEN(status, judge_all(&judging, error));
    for (size_t i = 0; i < judging.change_count && status == STATUS_OK; i++)
        if (judging.changes[i].judged + judging.changes[i].kept > 0)
            store_note_change(store, &judging.changes[i]);
    arena_release(&judging.arena);
    return status;
}
