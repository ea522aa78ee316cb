// SPDX-License-Identifier: Apache-2.0
/* orchil check: the verdicts of memory models on tests, without a device. */
#include <jansson.h>

#include "base/field.h"
#include "base/terminal/table.h"
#include "catalogue/selection.h"
#include "cli/common_rows.h"
#include "cli/export/export.h"
#include "cli/output.h"
#include "cli/print/endings.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "models/explain/explain.h"
#include "models/models.h"
#include "models/races.h"
#include "runner/run/rejudge.h"
#include "runner/supervise/stop_signals.h"

/* ---- --differ: where models differ, gathered test by test ---- */

/* The most models that can be compared: two columns are for the test. */
enum { DIFFERENCES_MODELS = TABLE_MAXIMUM_COLUMNS - 2 };

/* Tests on whose witness several models differ. Starts as {0} and owns its contents; differences_release frees them. */
struct differences {
    struct compared_model {
        char *id;
        uint64_t counts[VERDICT_COUNT]; /* of tests that every model judged */
        enum verdict verdict;           /* of the present test; VERDICT_NONE: unjudged */
    } models[DIFFERENCES_MODELS];
    size_t model_count;
    size_t present; /* models that have judged the present test */
    struct table table;
    uint64_t tests, differing, unjudged; /* unjudged: by at least one model; they count nowhere else */
};

static const char *witness_word(enum verdict verdict)
{
    return verdict == VERDICT_NONE ? "unjudged" : verdict_word(verdict);
}

/* A model's verdict on the witness: of several, the most permissive. VERDICT_NONE if the bound on loops cut the search
 * before one was found. */
static enum verdict differences_witness(const struct judgement *judgement)
{
    enum verdict found = VERDICT_FORBIDDEN;
    for (size_t i = 0; i < judgement->outcome_count; i++)
        if (judgement->outcomes[i].witness)
            found = verdict_permissive(found, judgement->outcomes[i].verdict);
    return found == VERDICT_FORBIDDEN && judgement->cut ? VERDICT_NONE : found;
}

/* The next model's verdict on the present test. At most DIFFERENCES_MODELS, in the same order for every test. */
static void differences_note(struct differences *differences, const struct model *model, enum verdict verdict)
{
    struct compared_model *compared = &differences->models[differences->present++];
    if (!compared->id) {
        compared->id = memory_copy(model_id(model));
        differences->model_count++;
    }
    compared->verdict = verdict;
}

/* The first row has the titles: file names may contain characters that are special in table_columns. */
static void begin_table(struct differences *differences)
{
    LOCAL(text) columns = {0};
    for (size_t m = 0; m <= differences->model_count; m++)
        text_add(&columns, "|");
    table_columns(&differences->table, text_string(&columns));
    table_add_styled(&differences->table, TERMINAL_STRONG, "test");
    table_add_styled(&differences->table, TERMINAL_STRONG, "dialect");
    for (size_t m = 0; m < differences->model_count; m++)
        table_add_styled(&differences->table, TERMINAL_STRONG, "%s", differences->models[m].id);
}

/* The present test has been judged by all. Do they differ? */
static bool differences_end_test(struct differences *differences, const struct litmus_test *test)
{
    bool differ = false, unjudged = false;
    for (size_t m = 0; m < differences->model_count; m++) {
        unjudged |= differences->models[m].verdict == VERDICT_NONE;
        differ |= differences->models[m].verdict != differences->models[0].verdict;
    }
    differ &= !unjudged;
    differences->present = 0;
    differences->tests++;
    differences->unjudged += unjudged;
    for (size_t m = 0; m < differences->model_count && !unjudged; m++)
        differences->models[m].counts[differences->models[m].verdict]++;
    if (differ) {
        if (differences->differing == 0)
            begin_table(differences);
        TABLE_ADD_TEXTS(&differences->table, test->name, litmus_dialect_name(test->dialect));
        for (size_t m = 0; m < differences->model_count; m++)
            table_add(&differences->table, "%s", witness_word(differences->models[m].verdict));
        differences->differing++;
    }
    return differ;
}

/* The tests on which they differ, and a line with counts. To standard output. */
static void differences_print(struct differences *differences)
{
    if (differences->differing > 0) {
        table_print(&differences->table, stdout, 0);
        terminal_print(stdout, "\n");
    }
    terminal_print(stdout, "The models differ on %s of %s tests.", QUANTITY_COUNT(differences->differing),
                   QUANTITY_COUNT(differences->tests));
    if (differences->unjudged > 0)
        terminal_print(stdout, " Not compared, because some model could not judge it: %s.",
                       QUANTITY_COUNT(differences->unjudged));
    terminal_print(stdout, "\n");
    for (size_t m = 0; m < differences->model_count; m++) {
        LOCAL(text) line = {0};
        bool first = true;
        text_add(&line, "%s: ", differences->models[m].id);
        for (unsigned v = 0; v < VERDICT_COUNT; v++)
            if (differences->models[m].counts[v] > 0) {
                text_add(&line, "%s%s %s", first ? "" : ", ", QUANTITY_COUNT(differences->models[m].counts[v]),
                         verdict_word((enum verdict)v));
                first = false;
            }
        text_add(&line, "%s", first ? "none judged" : "");
        terminal_print(stdout, "  %s\n", text_string(&line));
    }
}

FIELD_MAP(witness_verdicts, text, (const struct differences *differences), differences->model_count,
          differences->models[i].id, witness_word(differences->models[i].verdict))

#define DIFFER_MEMBERS(X)                                                                                              \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("condition", condition_of, NULL, test)                                                                           \
    X("verdicts", witness_verdicts, "the verdict of each model on the witness", differences)
FIELD_DOCUMENT(document_check_differ, DIFFER_MEMBERS, const struct differences *differences,
               const struct litmus_test *test)

static void differences_release(struct differences *differences)
{
    for (size_t m = 0; m < differences->model_count; m++)
        free(differences->models[m].id);
    table_release(&differences->table);
}

struct check_request {
    const char *models; /* names or files, separated by commas; NULL: each test's default */
    const char *sarif;  /* a path, or NULL */
    bool json, herd, explain, differ, verify;
    unsigned unroll;     /* 0: the model's default */
    unsigned schedulers; /* as bits: whether tests must end is asked, instead of their outcomes */
    double seconds;      /* for one test and model, as is the number of candidates */
    uint64_t candidates;
    struct verb_arguments tests;
    struct exclusions exclude;
};

#define AT(member) offsetof(struct check_request, member)

static const struct option_row option_rows[] = {
    {"model", 0, "NAME|FILE.cat", OPTION_TEXT, .offset = AT(models), .file = OPTION_FILE_READ},
    {"unroll", 0, "N", OPTION_WHOLE, .offset = AT(unroll), .low = 1, .high = MODEL_MAXIMUM_UNROLL},
    {"time", 0, "S", OPTION_SECONDS, .offset = AT(seconds), "60"},
    {"candidates", 0, "N", OPTION_COUNT, .offset = AT(candidates)},
    {ROW_PROGRESS(
        AT(schedulers),
        "print whether each test must end, instead of its outcomes, if the scheduler promises steps to every "
        "thread (fair), to the one with the lowest number (hsa), to those that have begun (obe), also to lower "
        "numbers (lobe), to both (hsa-obe), or runs warps in lock step (lockstep)")},
    {ROW_EXCLUDE(AT(exclude))},
    {"explain", 0, NULL, OPTION_SET, .offset = AT(explain)},
    {"differ", 0, NULL, OPTION_SET, .offset = AT(differ)},
    {"verify", 0, NULL, OPTION_SET, .offset = AT(verify)},
    {ROW_SARIF(AT(sarif))},
    {"herd", 0, NULL, OPTION_SET, .offset = AT(herd)},
    {ROW_JSON(AT(json))},
    {0}};

/* ---- one test and one model ---- */

/* Appends the cycle of a forbidden outcome, if requested; false if there is none. */
static bool check_add_cycle(const struct judged_outcome *outcome, struct text *cycle)
{
    if (outcome->verdict == VERDICT_FORBIDDEN && outcome->explanation)
        explanation_print_cycle(outcome->explanation, cycle);
    return cycle->size > 0;
}

/* What the model says of the witness instead of what the test's Expect= does; NULL if that is no contradiction. A test
 * to which it gives no meaning keeps no promise of its author's, whatever was expected. */
static const char *check_contradiction(const struct litmus_test *test, const struct judgement *judgement)
{
    const enum verdict witness = differences_witness(judgement);
    const enum litmus_claim claim = litmus_claim(test);
    if (claim == LITMUS_CLAIM_NONE || claim == LITMUS_CLAIM_UNKNOWN)
        return NULL;
    if (judgement->undefined_by)
        return judgement->racy ? "gives the test no meaning" : "says nothing about the test";
    if (judgement->empty || (judgement->never_ends && !judgement->open))
        return "has no execution of the test that counts";
    if (claim == LITMUS_CLAIM_FORBIDDEN)
        return witness == VERDICT_SC || witness == VERDICT_WEAK ? "allows the witness" : NULL;
    return witness == VERDICT_FORBIDDEN ? "forbids the witness" : NULL;
}

static json_t *field_label(const struct litmus_test *test, const struct judged_outcome *outcome)
{
    struct text label = {0};
    litmus_print_outcome(test, outcome->values, &label);
    return field_made_text(label);
}

static const struct field_type field_cycle_type = {.shape = FIELD_IS_TEXT};
static json_t *field_cycle(const struct judged_outcome *outcome)
{
    LOCAL(text) cycle = {0};
    json_t *text = check_add_cycle(outcome, &cycle) ? json_text(text_string(&cycle)) : NULL;
    return text;
}

#define field_label_type field_outcome_type
#define OUTCOME_MEMBERS(X)                                                                                             \
    X("outcome", label, NULL, test, outcome)                                                                           \
    X("verdict", verdict_or_null, NULL, verdict_word(outcome->verdict))                                                \
    X("unjudged?", text, "why there is no verdict", outcome->verdict == VERDICT_NONE ? cut : NULL)                     \
    X("witness", witness, NULL, outcome->witness)                                                                      \
    X("axiom?", text, "the axiom that a forbidden outcome violates", outcome->axiom)                                   \
    X("cycle?", cycle, "the cycle of events, as text (with `--explain`)", outcome)
FIELD_RECORD(checked_outcome, OUTCOME_MEMBERS, const struct litmus_test *test, const struct judged_outcome *outcome,
             const char *cut)
FIELD_LIST(checked_outcomes, checked_outcome, (const struct litmus_test *test, const struct judgement *judgement),
           judgement->outcome_count, test, &judgement->outcomes[i], judgement->cut)

#define field_contradicted_type field_boolean_type
static json_t *field_contradicted(const struct litmus_test *test, const struct judgement *judgement)
{
    return litmus_metadata(test, "Expect") ? json_boolean(check_contradiction(test, judgement) != NULL) : NULL;
}

#define NAME_MEMBERS(X)                                                                                                \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("model", text, "the model that judged the test", model_id(model))
#define UNJUDGED_MEMBERS(X) X("unjudged?", text, "why the model cannot judge the test", unjudged)
#define JUDGED_MEMBERS(X)                                                                                              \
    X("condition!", condition_of, NULL, test)                                                                          \
    X("holds!", boolean, "whether the condition holds", judgement->holds)                                              \
    X("racy!", boolean, "whether the model finds a data race", judgement->racy)                                        \
    X("reason?", text, "the rules because of which the model says nothing about the test, such as `data-race`",        \
      judgement->undefined_by)                                                                                         \
    X("empty?", text, "present if no allowed execution passes the test's `filter`", judgement->empty)                  \
    X("complete!", boolean, "whether the search was complete", !judgement->cut)                                        \
    X("cut?", text, "the bound that stopped the search", judgement->cut)                                               \
    X("outcomes!", checked_outcomes, "the outcomes, with their verdicts", test, judgement)                             \
    X("never_ends", true_or_absent, "present if a thread waits for ever, so that no execution is complete",            \
      judgement->never_ends)                                                                                           \
    X("warnings*", warnings, NULL, test)                                                                               \
    X("cuda_race?", cuda_race, NULL, race)                                                                             \
    X("expect?", text, "the metadata `Expect=` of the test", litmus_metadata(test, "Expect"))                          \
    X("contradicted?", contradicted, "whether the model's verdict on the witness contradicts `expect`", test, judgement)

static const struct field document_check_fields[] = {NAME_MEMBERS(FIELD_ROW) UNJUDGED_MEMBERS(FIELD_ROW)
                                                         JUDGED_MEMBERS(FIELD_ROW){0}};
const struct field_type field_document_check_type = {
    .shape = FIELD_IS_OBJECT, .fields = document_check_fields, .unless = "unjudged"};

static bool judged_json(const struct litmus_test *test, const struct model *model, const struct judgement *judgement,
                        const struct race *race)
{
    json_t *object = json_object();
    NAME_MEMBERS(FIELD_SET)
    JUDGED_MEMBERS(FIELD_SET)
    return json_write_line(JSON_CHECK, object, stdout);
}

static bool unjudged_json(const struct litmus_test *test, const struct model *model, const char *unjudged)
{
    json_t *object = json_object();
    NAME_MEMBERS(FIELD_SET)
    UNJUDGED_MEMBERS(FIELD_SET)
    return json_write_line(JSON_CHECK, object, stdout);
}

static enum terminal_style verdict_style(enum verdict verdict)
{
    return verdict == VERDICT_FORBIDDEN ? TERMINAL_FAINT : verdict == VERDICT_WEAK ? TERMINAL_WARNING : TERMINAL_PLAIN;
}

static void check_print_head(const struct litmus_test *test, const struct model *model)
{
    LOCAL(text) condition = {0};
    const bool colours = terminal_has_colours(stdout);
    litmus_print_condition(test, &condition);
    terminal_print(stdout, "%s%s%s (%s) under %s\n", terminal_style(colours, TERMINAL_STRONG), test->name,
                   terminal_style(colours, TERMINAL_PLAIN), litmus_dialect_name(test->dialect), model_id(model));
    if (test->quantifier != LITMUS_NO_CONDITION)
        terminal_print(stdout, "  %s\n", text_string(&condition));
}

/* What the model says of the condition. A search that was cut has not seen all executions, so it forbids nothing. */
static const char *check_answer(const struct litmus_test *test, const struct judgement *judgement)
{
    if (test->quantifier == LITMUS_EXISTS)
        return judgement->holds ? "The model allows the condition"
               : judgement->cut ? "No execution that was followed satisfies the condition"
                                : "The model forbids the condition";
    return !judgement->holds ? "The model allows an outcome that violates the condition"
           : judgement->cut  ? "No execution that was followed violates the condition"
                             : "The model allows only what the condition demands";
}

/* Whether the model allows the condition, if there is one and the language gives the test a meaning. */
static void check_print_answer(const struct litmus_test *test, const struct judgement *judgement)
{
    LOCAL(text) answer = {0};
    if (judgement->undefined_by) {
        /* A flag without "race" in its name is not about a race: "barrier-divergence". */
        const char *by = judgement->undefined_by;
        if (!judgement->racy)
            text_add(&answer, "The model says nothing about the test (%s): every outcome is unspecified.", by);
        else if (strstr(by, "race") || !*by)
            text_add(&answer, "The test is racy: every outcome is undefined.");
        else
            text_add(&answer, "The test has no meaning (%s): every outcome is undefined.", by);
    } else if (judgement->never_ends)
        judgement_describe_end(judgement, &answer);
    else if (judgement->empty)
        text_add(&answer, "The test asks nothing: %s.", judgement->empty);
    else if (test->quantifier == LITMUS_NO_CONDITION)
        text_add(&answer, "The test has no condition: it asks for the verdict of each outcome.");
    else
        text_add(&answer, "%s.", check_answer(test, judgement));
    if (judgement->cut)
        text_add(&answer, " Cut: %s.", judgement->cut);
    terminal_print(stdout, "  %s\n", text_string(&answer));
}

/* "contradicts Expect=forbidden: the model says nothing about the test (unspecified-mixed-sizes)". */
static void check_describe_claim(const struct litmus_test *test, const struct judgement *judgement, const char *model,
                                 struct text *text)
{
    text_add(text, "contradicts Expect=%s: %s %s", litmus_metadata(test, "Expect"), model,
             check_contradiction(test, judgement));
    if (judgement->undefined_by)
        text_add(text, " (%s)", judgement->undefined_by);
}

static void check_print_claim(const struct litmus_test *test, const struct judgement *judgement)
{
    LOCAL(text) text = {0};
    if (!check_contradiction(test, judgement))
        return;
    check_describe_claim(test, judgement, "the model", &text);
    terminal_print(stdout, "  This %s.\n", text_string(&text));
}

/* On a terminal, a line that is too long goes on below its instruction, which follows "P1 line 7: " or blanks. */
static void check_print_cycle(const char *cycle)
{
    const size_t width = terminal_width(stdout) > 0 ? terminal_width(stdout) : SIZE_MAX;
    struct text lines = {0};
    for (size_t size = 0; *cycle; cycle += size + (cycle[size] == '\n')) {
        size = strcspn(cycle, "\n");
        const char *colon = *cycle == ' ' ? NULL : strstr(cycle, ": ");
        LOCAL(text) line = {0};
        terminal_add(&line, "    %.*s", (int)size, cycle);
        terminal_wrap_line(&lines, text_string(&line), line.size, width,
                           4 + (colon ? (size_t)(colon - cycle) + 2 : strspn(cycle, " ")));
        text_add(&lines, "\n");
    }
    terminal_end_source(stdout, &lines);
}

static void check_print_cycles(const struct litmus_test *test, const struct judgement *judgement)
{
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        LOCAL(text) label = {0}, cycle = {0};
        if (!check_add_cycle(&judgement->outcomes[i], &cycle))
            continue;
        litmus_print_outcome(test, judgement->outcomes[i].values, &label);
        terminal_print(stdout, "\n  %s breaks %s:\n\n", text_string(&label), judgement->outcomes[i].axiom);
        check_print_cycle(text_string(&cycle));
    }
}

static void check_print_race(const struct race *race)
{
    LOCAL(text) text = {0};
    if (race->unjudged)
        text_add(&text, "Data races in CUDA C++ are not judged: %s.", race->unjudged);
    else if (race->kind != RACE_NONE)
        race_describe(race, &text);
    if (text.size > 0)
        terminal_print(stdout, "  %s\n", text_string(&text));
}

/* race: NULL: not to be told. claimed: whether Expect= is about this model. */
static bool judged_text(const struct litmus_test *test, const struct model *model, const struct judgement *judgement,
                        const struct race *race, bool claimed)
{
    struct table table = {0};
    check_print_head(test, model);
    /* Which text was judged, where a device gets another one. */
    const char *const id = model_id(model);
    const bool vulkan = strcmp(id, model_default(LITMUS_VULKAN)) == 0;
    if (test->dialect == LITMUS_CUDA)
        terminal_print(stdout, "  Judged as the PTX that devices get, which `orchil show --emitted` prints.\n");
    else if (!litmus_has_columns(test->dialect) && (vulkan || strncmp(id, "ptx", 3) == 0))
        terminal_print(stdout, "  Judged as written; devices get what `orchil show --emitted%s` prints.\n",
                       vulkan ? " --kernel vulkan" : "");
    check_print_answer(test, judgement);
    if (claimed)
        check_print_claim(test, judgement);
    const char *rule = litmus_broken_rule(test);
    if (rule)
        terminal_print(stdout, "  The test is not legal, and does not run: %s.\n", rule);
    if (race)
        check_print_race(race);
    terminal_print(stdout, "\n");
    table_columns(&table, "verdict||~outcome|~axiom");
    FOR_EACH(const struct judged_outcome, outcome, judgement->outcomes, judgement->outcome_count) {
        LOCAL(text) label = {0};
        litmus_print_outcome(test, outcome->values, &label);
        table_add_styled(&table, verdict_style(outcome->verdict), "%s",
                         outcome->verdict == VERDICT_NONE ? "unjudged" : verdict_word(outcome->verdict));
        TABLE_ADD_TEXTS(&table, outcome->witness ? "*" : "", text_string(&label), outcome->axiom ? outcome->axiom : "");
    }
    table_print(&table, stdout, 2);
    check_print_cycles(test, judgement);
    terminal_print(stdout, "\n");
    return !ferror(stdout);
}

static bool unjudged_text(const struct litmus_test *test, const struct model *model, const char *reason)
{
    check_print_head(test, model);
    terminal_print(stdout, "  unjudged: %s\n\n", reason);
    return !ferror(stdout);
}

/* A check in progress. */
struct check {
    const struct check_request *request;
    struct stop_signals stop;
    struct progress_line progress;
    struct differences differences; /* between several models */
    const struct litmus_test *test; /* the present one */
    const char *file;               /* its file */
    struct document findings;
    struct races *races;
    struct race race;               /* of the present test, in CUDA C++ */
    size_t race_counts[RACE_KINDS]; /* tests with each kind */
    bool contradicted;              /* by a model, a test's Expect= */
    size_t number, count;           /* of tests; the first is 1 */
    double started;                 /* the present one, by clock_seconds */
};

/* For struct judge_options: shows progress of long searches, and checks for a signal. */
static bool check_is_stopped(void *context)
{
    struct check *check = context;
    progress_say(&check->progress, stderr, "test %zu of %zu: %s, %s", check->number, check->count, check->test->name,
                 QUANTITY_SECONDS(clock_seconds() - check->started));
    return stop_signals_came(&check->stop);
}

/* ---- findings ---- */

/* Adds a finding about the present test. */
static void check_find(struct check *check, struct document_finding finding)
{
    LOCAL(text) name = {0};
    text_add(&name, "%s:%s", litmus_dialect_name(check->test->dialect), check->test->name);
    finding.name = text_string(&name);
    finding.file = check->file;
    finding.source = check->test->text;
    document_find(&check->findings, &finding);
}

static void find_warnings(struct check *check)
{
    for (size_t i = 0; i < check->test->warning_count; i++)
        check_find(check, (struct document_finding){.kind = "warning",
                                                    .meaning = "the test's text probably has a mistake",
                                                    .severity = DOCUMENT_DOUBT,
                                                    .line = check->test->warnings[i].text,
                                                    .row = check->test->warnings[i].place.line,
                                                    .column = check->test->warnings[i].place.column,
                                                    .outcome = check->test->warnings[i].text});
}

static void find_contradiction(struct check *check, const struct model *model, const struct judgement *judgement)
{
    LOCAL(text) text = {0};
    text_add(&text, "%s ", check->test->name);
    check_describe_claim(check->test, judgement, model_id(model), &text);
    check_find(check,
               (struct document_finding){.kind = "contradicted",
                                         .meaning = "a model contradicts what a test's Expect= says of the witness",
                                         .severity = DOCUMENT_UNSOUND,
                                         .line = text_string(&text),
                                         .where = model_id(model)});
}

/* Finds and prints it; false if standard output fails. */
static bool take_unjudged(struct check *check, const struct model *model, const struct error *error)
{
    LOCAL(text) reason = {0};
    bool printed = true;
    /* Why a test is unjudged, which limit may help, and what its author says of that (Unjudged=). */
    const struct check_request *request = check->request;
    if (error->status == STATUS_LIMIT)
        text_add(&reason, "it has more than %s candidate executions; for more: --candidates %" PRIu64,
                 QUANTITY_COUNT(request->candidates), 10 * request->candidates);
    else if (clock_seconds() >= check->started + request->seconds)
        text_add(&reason, "the model searched for %s; for more: --time %.0fs", QUANTITY_SECONDS(request->seconds),
                 ceil(10 * request->seconds));
    else
        text_add(&reason, "%s", error->text);
    const char *known = litmus_metadata(check->test, "Unjudged");
    if (known)
        text_add(&reason, ". %s", known);
    check_find(check, (struct document_finding){.kind = "unjudged",
                                                .meaning = "a model cannot judge a test",
                                                .severity = DOCUMENT_DOUBT,
                                                .line = text_string(&reason),
                                                .where = model_id(model)});
    if (request->herd)
        terminal_print(stderr, "%s: unjudged by %s: %s\n", check->test->name, model_id(model), text_string(&reason));
    else if (!request->differ)
        printed = (request->json ? unjudged_json : unjudged_text)(check->test, model, text_string(&reason));
    return printed;
}

static bool print_judged(const struct check *check, const struct model *model, const struct judgement *judgement)
{
    if (check->request->differ)
        return true;
    if (check->request->herd) {
        struct text block = {0};
        export_herd_block(check->test, judgement, clock_seconds() - check->started, &block);
        terminal_end_source(stdout, &block);
        return !ferror(stdout);
    }
    return check->request->json ? judged_json(check->test, model, judgement, &check->race)
                                : judged_text(check->test, model, judgement, check->count == 1 ? &check->race : NULL,
                                              !check->request->models || check->request->verify);
}

/* What CUDA C++ says beside the model of what CUDA tests are judged by. */
static void check_find_race(struct check *check, const struct model *model)
{
    check->race = (struct race){.kind = RACE_NONE};
    if (check->request->differ || check->request->herd || strcmp(model_id(model), model_default(LITMUS_CUDA)) != 0)
        return;
    race_find(check->races, check->test, check->count == 1 || check->request->json, &check->race);
    check->race_counts[check->race.kind]++;
}

/* witness: the model's verdict on it. */
static enum status check_one(struct check *check, const struct model *model, enum verdict *witness, struct error *error)
{
    const struct check_request *request = check->request;
    check->started = clock_seconds();
    const struct judge_options wanted = {.unroll = request->unroll,
                                         .explain = request->explain,
                                         .maximum_candidates = request->candidates,
                                         .deadline = check->started + request->seconds,
                                         .stopped = check_is_stopped,
                                         .context = check};
    struct judgement judgement;
    const enum status status = kernel_judge(model, check->test, &wanted, &judgement, error);
    bool printed;
    *witness = VERDICT_NONE;
    progress_clear(&check->progress, stderr);
    if (status == STATUS_UNSUPPORTED || status == STATUS_LIMIT) {
        if (stop_signals_came(&check->stop))
            return STATUS_OK;
        printed = take_unjudged(check, model, error);
    } else if (status != STATUS_OK) {
        return status;
    } else {
        check_find_race(check, model);
        printed = print_judged(check, model, &judgement);
        race_release(&check->race);
        *witness = differences_witness(&judgement);
        if (check_contradiction(check->test, &judgement)) {
            check->contradicted = true;
            find_contradiction(check, model, &judgement);
        }
        judgement_release(&judgement);
    }
    printed &= fflush(stdout) == 0; /* a reader of the output need not wait for the next test */
    return printed ? STATUS_OK : error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
}

/* ---- all of them ---- */

struct model_list {
    struct model *models[DIFFERENCES_MODELS]; /* there are fewer default models */
    char *names[DIFFERENCES_MODELS];
    size_t count;
};

/* The model of that name, loaded once. */
static enum status check_find_model(struct model_list *list, const char *name, const struct model **model,
                                    struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        *model = list->models[i];
        if (strcmp(list->names[i], name) == 0)
            return STATUS_OK;
    }
    TRY(model_load(name, &list->models[list->count], error));
    list->names[list->count] = memory_copy(name);
    *model = list->models[list->count++];
    return STATUS_OK;
}

/* Names of models that were given. */
static size_t count_models(const struct check_request *request)
{
    size_t count = 0;
    for (const char *name = request->models; name && *name; name += strcspn(name, ",") + (strchr(name, ',') != NULL))
        count++;
    return count;
}

static bool check_compares(const struct check_request *request)
{
    return count_models(request) > 1;
}

/* All models have judged the present test. */
static enum status check_end_test(struct check *check, struct error *error)
{
    const struct check_request *request = check->request;
    if (!check_compares(request) || !differences_end_test(&check->differences, check->test) || !request->differ ||
        !request->json)
        return STATUS_OK;
    json_t *object = field_document_check_differ(&check->differences, check->test);
    if (json_write_line(JSON_CHECK_DIFFER, object, stdout) && fflush(stdout) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
}

static enum status check_test(struct check *check, struct model_list *models, struct error *error)
{
    const char *names = check->request->models ? check->request->models : model_default(check->test->dialect);
    while (*names && !stop_signals_came(&check->stop)) {
        const struct model *model;
        char name[256];
        const size_t length = strcspn(names, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), names);
        names += length + (names[length] == ',');
        TRY(check_find_model(models, name, &model, error));
        enum verdict witness;
        TRY(check_one(check, model, &witness, error));
        if (check_compares(check->request) && !stop_signals_came(&check->stop))
            differences_note(&check->differences, model, witness);
    }
    return stop_signals_came(&check->stop) ? STATUS_OK : check_end_test(check, error);
}

static enum status check_ends(const struct check *check, struct error *error)
{
    const struct check_request *request = check->request;
    return endings_print(check->test, request->schedulers, request->explain, request->json)
               ? STATUS_OK
               : error_set(error, STATUS_SYSTEM, "the results cannot be written to standard output");
}

/* In a list, the races are only counted. */
static void check_print_races(const struct check *check)
{
    const size_t lasting = check->race_counts[RACE_LASTING], unguarded = check->race_counts[RACE_UNGUARDED];
    if (check->count == 1 || check->request->json || lasting + unguarded == 0)
        return;
    terminal_print(stdout, "Data races in CUDA C++: %zu test%s", lasting, lasting == 1 ? "" : "s");
    if (unguarded > 0)
        terminal_print(stdout, ", and %zu only where a flag was not seen", unguarded);
    terminal_print(stdout, "; `orchil check TEST` says where.\n");
}

/* Judges the tests until a signal arrives. */
static enum status check_all(struct check *check, const struct selection *selection, struct error *error)
{
    struct model_list models = {.count = 0};
    enum status status = stop_signals_catch(&check->stop, error);
    check->races = races_open();
    check->count = selection->count;
    check->progress.last = clock_seconds(); /* none if it is done soon */
    for (size_t i = 0; i < selection->count && status == STATUS_OK && !stop_signals_came(&check->stop); i++) {
        struct litmus_test *again = NULL;
        if (!selection->tests[i]
                 .test->text) /* a generated test: `orchil show` prints the lines that its instructions get */
            status = litmus_reread(selection->tests[i].test, &again, error);
        check->test = again ? again : selection->tests[i].test;
        check->file = selection->tests[i].file;
        check->number = i + 1;
        find_warnings(check);
        THEN(status, selected_test_check_claim(&selection->tests[i], error));
        THEN(status, check->request->schedulers ? check_ends(check, error) : check_test(check, &models, error));
        litmus_release(again);
    }
    if (check->stop.count > 0)
        terminal_print(stderr, "orchil check: interrupted at test %zu of %zu\n", check->number, check->count);
    if (status == STATUS_OK && !check->request->json && check_compares(check->request) &&
        (check->request->differ || check->differences.tests > 1))
        differences_print(&check->differences);
    if (status == STATUS_OK)
        check_print_races(check);
    races_close(check->races);
    differences_release(&check->differences);
    for (size_t i = 0; i < models.count; i++) {
        model_release(models.models[i]);
        free(models.names[i]);
    }
    return status;
}

static enum status check_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct check_request *request = data;
    struct check check = {.request = request, .stop = {.descriptor = -1}, .findings = {.title = call->name}};
    if (request->schedulers && (request->models || request->differ || request->verify || request->sarif))
        return error_set(error, STATUS_USAGE,
                         "--progress uses no model: expected no --model, --differ, --verify or --sarif");
    if (request->differ && !check_compares(request))
        return error_set(error, STATUS_USAGE,
                         "--differ compares models: expected two or more with --model, like "
                         "--model ptx,sc");
    if (request->herd &&
        (request->json || request->differ || request->explain || request->schedulers || check_compares(request)))
        return error_set(error, STATUS_USAGE,
                         "--herd prints what herd7 prints of one model: expected one --model, and no --json, --differ, "
                         "--explain or --progress");
    if (count_models(request) > DIFFERENCES_MODELS)
        return error_set(error, STATUS_USAGE, "expected at most %d models, found %zu", DIFFERENCES_MODELS,
                         count_models(request));
    TRY(tests_take(call, &request->tests, &request->exclude, error));
    enum status status = check_all(&check, &call->selection, error);
    THEN(status, output_document(&check.findings, DOCUMENT_AS_SARIF, request->sarif, error));
    document_release(&check.findings);
    call->code = check.stop.count > 0 ? 128 + check.stop.first : request->verify && check.contradicted;
    stop_signals_release(&check.stop);
    return status;
}

VERB_ENTRY(check, tests, (.candidates = MODEL_DEFAULT_CANDIDATES), .no_arguments = tests_none);
