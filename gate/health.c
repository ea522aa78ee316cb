// SPDX-License-Identifier: Apache-2.0
/* The problems of one side: gathered, and as part of a document. */
#include "gate/health.h"

#include "analysis/words/words.h"

/* "forbidden", "control", "claim", "fault". */
static const char *kind_name(enum health_kind kind)
{
    static const char *const names[] = {"forbidden", "control", "claim", "fault"};
    return names[kind];
}

/* ---- gathering ---- */

static void health_add_outcomes(struct side *side, const struct sample *sample, enum health_kind kind,
                                struct health *health)
{
    static const enum ruling_kind ruled[] = {
        [HEALTH_FORBIDDEN] = RULING_FORBIDDEN, [HEALTH_CONTROL] = RULING_CONTROL, [HEALTH_CLAIM] = RULING_CLAIM};
    FOR_EACH(const struct sample_outcome, outcome, sample->outcomes, sample->outcome_count)
        if (outcome->ruling.fails && outcome->ruling.kind == ruled[kind])
            ARENA_ADD(&side->arena, health->alarms, health->alarm_count) =
                (struct health_alarm){.kind = kind, .sample = sample, .outcome = outcome};
}

void health_read(struct side *side, struct health *health)
{
    *health = (struct health){.alarms = NULL};
    for (enum health_kind kind = HEALTH_FORBIDDEN; kind <= HEALTH_CLAIM; kind++)
        for (size_t i = 0; i < side->sample_count; i++)
            health_add_outcomes(side, &side->samples[i], kind, health);
    FOR_EACH(const struct sample, sample, side->samples, side->sample_count) {
        for (enum job_state state = 0; state < JOB_STATE_COUNT; state++)
            if (sample->states[state] > 0 && job_state_class(state) == JOB_CLASS_FAULT)
                ARENA_ADD(&side->arena, health->alarms, health->alarm_count) =
                    (struct health_alarm){.kind = HEALTH_FAULT, .sample = sample, .state = state};
        const bool shown = sample_shown(sample) > 0 && sample_is_test(sample);
        if (*sample->row.controls) {
            health->controls += job_state_class(sample->row.state) != JOB_CLASS_REFUSED;
            health->sound_controls += sample->counted > 0 && sample_is_test(sample);
            continue;
        }
        if (!side_is_mutant(side, sample, 0)) {
            if (shown)
                ARENA_ADD(&side->arena, health->shown, health->shown_count) = sample;
            continue;
        }
        health->mutants += job_state_class(sample->row.state) != JOB_CLASS_REFUSED;
        if (!shown && job_state_class(sample->row.state) != JOB_CLASS_REFUSED)
            ARENA_ADD(&side->arena, health->unseen, health->unseen_count) = sample;
    }
}

/* ---- printing ---- */

/* "ptx:MP+relaxed", as a TEST argument names the test. */
static void health_add_name(const struct sample *sample, struct text *text)
{
    for (const char *at = sample->row.dialect; *at; at++)
        text_add(text, "%c", tolower((unsigned char)*at));
    words_add(text, ":$", sample->row.test);
}

static void add_alarm(struct document *document, const struct health_alarm *alarm)
{
    static const char *const marks[] = {"FORBIDDEN", "CONTROL", "CLAIM", "FAULT"};
    const struct sample *sample = alarm->sample;
    LOCAL(text) line = {0}, evidence = {0};
    health_add_name(sample, &line);
    if (alarm->kind == HEALTH_FAULT) {
        words_add(&line, "  $ in $ of $ jobs", job_state_word(alarm->state),
                  QUANTITY_COUNT(sample->states[alarm->state]), QUANTITY_COUNT(sample->jobs));
        if (sample->row.state == alarm->state)
            words_add(&evidence, "$", sample->row.reason);
    } else {
        const struct sample_spread spread = sample_spread(sample, alarm->outcome);
        words_add(&line, "  $", alarm->outcome->label);
        text_add(&evidence, "%s time%s in %zu of %zu runs", QUANTITY_COUNT(alarm->outcome->count),
                 alarm->outcome->count == 1 ? "" : "s", spread.seen_in_runs, spread.runs);
        if (alarm->kind == HEALTH_FORBIDDEN)
            words_add(&evidence, "; the model $ forbids it", sample_deciding(alarm->outcome)->model);
        else if (alarm->kind == HEALTH_CONTROL)
            words_add(&evidence, "; it is the control of $", sample->row.controls);
        else
            text_add(&evidence, "; the test's file says that it must never appear");
    }
    document_find(document, &(struct document_finding){.kind = kind_name(alarm->kind),
                                                       .mark = marks[alarm->kind],
                                                       .line = text_string(&line),
                                                       .evidence = text_string(&evidence),
                                                       .severity = DOCUMENT_UNSOUND,
                                                       .counts = true,
                                                       .plain = true});
}

static void print_names(const struct sample *const *samples, size_t count, struct text *text)
{
    enum { MOST_NAMES = 12 };
    for (size_t i = 0; i < count && i < MOST_NAMES; i++) {
        text_add(text, "  ");
        health_add_name(samples[i], text);
        text_add(text, "\n");
    }
    if (count > MOST_NAMES)
        text_add(text, "  and %zu more\n", count - MOST_NAMES);
}

void health_document(const struct health *health, struct document *document)
{
    enum { MOST_ALARMS = 20 };
    struct text *text = &document->line;
    for (size_t i = 0; i < health->alarm_count && i < MOST_ALARMS; i++)
        add_alarm(document, &health->alarms[i]);
    if (health->alarm_count > MOST_ALARMS)
        text_add(text, "and %zu more, which --json lists.\n", health->alarm_count - MOST_ALARMS);
    if (health->unseen_count > 0) {
        const bool one = health->unseen_count == 1;
        text_add(text, "%zu of %zu mutants %s never seen here: %s controls' silence proves nothing.\n",
                 health->unseen_count, health->mutants, one ? "was" : "were", one ? "its" : "their");
        print_names(health->unseen, health->unseen_count, text);
    }
    if (health->unseen_count > 0 && health->unseen_count == health->mutants) {
        /* Without a mutant that is seen, a gate cannot pass; what helps is a test that shows something. */
        text_add(text,
                 "No mutant was seen, so a gate with this baseline cannot pass: it ends as inconclusive at best.\n");
        if (health->shown_count == 0)
            text_add(text, "No other test of the suite shows its witness here, either: try another --profile, a larger "
                           "--budget,\nor tests of other families ('*+relaxed').\n");
        else
            text_add(text, "These tests show their witness here; add one together with a control:\n");
        print_names(health->shown, health->shown_count, text);
    }
    if (health->controls > 0 && health->sound_controls == 0)
        text_add(text, "No control was counted whose code matches the test, so a gate with this baseline cannot pass.");
    document_line(document, "", DOCUMENT_RAW);
}

static size_t count_cut_short(const struct sample *sample)
{
    size_t count = 0;
    for (enum job_state state = 0; state < JOB_STATE_COUNT; state++)
        count += job_state_class(state) == JOB_CLASS_CUT_SHORT ? sample->states[state] : 0;
    return count;
}

void health_document_incomplete(const struct side *side, struct document *document)
{
    enum { MOST_NAMES = 12, INDENT = 6 };
    size_t incomplete = 0;
    bool short_of_time = false;
    struct text *text = &document->line;
    FOR_EACH(const struct sample, sample, side->samples, side->sample_count) {
        const size_t count = count_cut_short(sample);
        if (count == 0 || job_state_class(sample->row.state) != JOB_CLASS_CUT_SHORT || ++incomplete > MOST_NAMES)
            continue; /* already reported as something worse */
        short_of_time |= sample->states[JOB_NOT_RUN] > 0;
        if (incomplete == 1)
            text_add(text, "In some runs, these tests have no complete result, so a gate has less evidence:");
        document_line(document, "", DOCUMENT_RAW);
        health_add_name(sample, text);
        words_add(text, *sample->row.controls ? " (control of $)  " : "  ", sample->row.controls);
        words_add(text, "$ in $ of $ jobs", job_state_word(sample->row.state), QUANTITY_COUNT(count),
                  QUANTITY_COUNT(sample->jobs));
        words_add(text, *sample->row.reason ? ": $" : "", sample->row.reason);
        document_line(document, "  ", INDENT);
    }
    if (incomplete > MOST_NAMES)
        text_add(text, "  and %zu more\n", incomplete - MOST_NAMES);
    if (short_of_time)
        text_add(text, "A larger --budget gives all tests their time.\n");
    document_line(document, "", DOCUMENT_RAW);
}

/* ---- JSON ---- */

FIELD_NAMES(health_kind, enum health_kind, HEALTH_FAULT + 1, kind_name)
#define ALARM_MEMBERS(X)                                                                                               \
    X("kind", health_kind, "the kind of alarm", alarm->kind)                                                           \
    X("test", test, NULL, sample->row.test)                                                                            \
    X("dialect", dialect, NULL, sample->row.dialect)                                                                   \
    X("backend", backend, NULL, sample->row.backend)                                                                   \
    X("device", device, NULL, sample->row.device)
#define FAULT_MEMBERS(X)                                                                                               \
    X("state?", state, "how the jobs ended (only for faults)", job_state_word(alarm->state))                           \
    X("jobs?", count, "the number of jobs (only for faults)", sample->states[alarm->state])
#define OUTCOME_MEMBERS(X)                                                                                             \
    X("outcome?", outcome, "the outcome (except for faults)", alarm->outcome->label)                                   \
    X("model?", text_or_null, "the model that forbids the outcome; else null",                                         \
      alarm->kind == HEALTH_FORBIDDEN ? sample_deciding(alarm->outcome)->model : NULL)                                 \
    X("count?", count, "how often the outcome was seen", alarm->outcome->count)                                        \
    X("runs?", count, "the number of runs that saw the outcome", sample_spread(sample, alarm->outcome).seen_in_runs)

static const struct field alarm_fields[] = {ALARM_MEMBERS(FIELD_ROW) FAULT_MEMBERS(FIELD_ROW)
                                                OUTCOME_MEMBERS(FIELD_ROW){0}};
static const struct field_type field_alarm_type = {.shape = FIELD_IS_OBJECT, .fields = alarm_fields};
static json_t *field_alarm(const struct health_alarm *alarm)
{
    const struct sample *sample = alarm->sample;
    json_t *object = json_object();
    ALARM_MEMBERS(FIELD_SET)
    if (alarm->kind == HEALTH_FAULT) {
        FAULT_MEMBERS(FIELD_SET)
    } else {
        OUTCOME_MEMBERS(FIELD_SET)
    }
    return object;
}
FIELD_SHARED_LIST_OF(alarms, alarm, "outcomes that must never appear, and faults", (const struct health *health),
                     health->alarm_count, &health->alarms[i])

/* Named as printed, so that tests of one name in two dialects are distinct. */
const struct field_type field_unseen_mutants_type = {.shape = FIELD_IS_ARRAY, .of = &field_text_type};
FIELD_LIST_FUNCTION(unseen_mutants, made_text, (const struct health *health), health->unseen_count,
                    FIELD_WRITTEN(health_add_name, health->unseen[i]))
