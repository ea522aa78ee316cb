// SPDX-License-Identifier: Apache-2.0
/* Assumptions: the answer to each, its figures, the exit code of all, and how they are printed. */
#include "gate/assume/assumptions.h"

#include <math.h>

#include "analysis/statistics/statistics.h"
#include "base/field.h"
#include "base/terminal/table.h"

/* What is said of an answer, and the exit code if it is the gravest. */
static const struct answer {
    const char *word;
    enum terminal_style style;
    int code;
    const char *one, *many;
} answers[] = {
    [ASSUMPTION_BROKEN] = {"broken", TERMINAL_BAD, 1, "is broken", "are broken"},
    [ASSUMPTION_FAILED] = {"failed", TERMINAL_BAD, 4, "failed to run", "failed to run"},
    [ASSUMPTION_UNKNOWN] = {"cannot tell", TERMINAL_WARNING, 3, "cannot be decided", "cannot be decided"},
    [ASSUMPTION_UNSUPPORTED] = {"unsupported", TERMINAL_PLAIN, 3, "is unsupported", "are unsupported"},
    [ASSUMPTION_HOLDS] = {"holds so far", TERMINAL_GOOD, 0, "holds so far", "hold so far"},
};

/* ---- answers ---- */

/* Why not seeing a violation means nothing; NULL if it means something. */
static const char *why_unknown(const struct assumption *assumption)
{
    const struct assumption_job *itself = &assumption->itself, *planted = &assumption->planted;
    if (itself->not_kept)
        return "the compiled code is not the test";
    if (itself->instances == 0)
        return "no instance ran to its end";
    if (itself->state != JOB_COMPLETED &&
        itself->state != JOB_INTERRUPTED) /* the counts of an interrupted job are valid */
        return "not all that was counted is to be believed";
    if (planted->state != JOB_COMPLETED && planted->witnesses == 0)
        return "the planted violation did not run to its end";
    return planted->witnesses == 0 ? "the planted violation was not seen, so this one would not be seen either" : NULL;
}

static bool is_fault(const struct assumption_job *job)
{
    return job->impossible > 0 || job_state_class(job->state) == JOB_CLASS_FAULT;
}

enum assumption_answer assumption_answer(const struct assumption *assumption)
{
    const struct assumption_job *itself = &assumption->itself;
    if (itself->witnesses > 0)
        return ASSUMPTION_BROKEN;
    if (itself->state == JOB_UNSUPPORTED)
        return ASSUMPTION_UNSUPPORTED;
    if (is_fault(itself) || is_fault(&assumption->planted))
        return ASSUMPTION_FAILED;
    return why_unknown(assumption) ? ASSUMPTION_UNKNOWN : ASSUMPTION_HOLDS;
}

static size_t assumptions_count(const struct assumptions *assumptions, enum assumption_answer answer)
{
    size_t count = 0;
    for (size_t i = 0; i < assumptions->count; i++)
        count += assumption_answer(&assumptions->list[i]) == answer;
    return count;
}

int assumptions_exit_code(const struct assumptions *assumptions)
{
    if (assumptions->signal > 0)
        return 128 + assumptions->signal;
    for (enum assumption_answer answer = 0; answer < ASSUMPTION_ANSWERS; answer++)
        if (answer != ASSUMPTION_UNSUPPORTED && assumptions_count(assumptions, answer) > 0)
            return answers[answer].code;
    return answers[ASSUMPTION_UNSUPPORTED].code;
}

/* ---- figures ---- */

/* The upper bound on the chance of a violation per instance if none was seen, with STATISTICS_CONFIDENCE. */
static double assumption_bound(const struct assumption *assumption)
{
    return statistics_zero_bound(assumption->itself.instances, STATISTICS_CONFIDENCE);
}

static void add_failure(const struct assumption_job *job, struct text *text)
{
    if (job->impossible > 0)
        text_add(text, "%s: %s instances ended as the model forbids; what to do: 'orchil manual forbidden'", job->test,
                 QUANTITY_COUNT(job->impossible));
    else
        text_add(text, "%s: %s", job_state_word(job->state), job->reason);
}

static void assumptions_add_broken(const struct assumption_job *job, struct text *text)
{
    const double every = (double)job->instances / (double)job->witnesses;
    text_add(text, "seen in %s of %s instances, 1 in %s", QUANTITY_COUNT(job->witnesses),
             QUANTITY_COUNT(job->instances), QUANTITY_COUNT((uint64_t)round(every)));
    if (job->not_kept)
        text_add(text, "; the compiled code is not the test: %s", job->not_kept);
}

static void add_none(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *job = &assumption->itself;
    const char *why = why_unknown(assumption);
    if (job->instances > 0)
        text_add(text, "0 of %s instances", QUANTITY_COUNT(job->instances));
    if (!why) {
        text_add(text, ": below %.1e per instance (%.0f %%)", assumption_bound(assumption),
                 100 * STATISTICS_CONFIDENCE);
        return;
    }
    text_add(text, "%s%s", job->instances > 0 ? ", but " : "", why);
    if (job->not_kept)
        text_add(text, ": %s", job->not_kept);
    if (job->state != JOB_COMPLETED)
        text_add(text, "; %s%s%s", job_state_word(job->state), job->reason[0] ? ": " : "", job->reason);
}

void assumption_add_figures(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *itself = &assumption->itself;
    switch (assumption_answer(assumption)) {
    case ASSUMPTION_BROKEN:
        assumptions_add_broken(itself, text);
        break;
    case ASSUMPTION_UNSUPPORTED:
        text_add(text, "%s", itself->reason);
        break;
    case ASSUMPTION_FAILED:
        add_failure(is_fault(itself) ? itself : &assumption->planted, text);
        break;
    default:
        add_none(assumption, text);
        break;
    }
}

/* How often the planted violation was seen, if it was not. */
static void add_unseen_planted(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *job = &assumption->planted;
    if (job->instances == 0) {
        text_add(text, "%s%s%s", job_state_word(job->state), job->reason[0] ? ": " : "", job->reason);
        return;
    }
    text_add(text, "not seen in %s instances in %s", QUANTITY_COUNT(job->instances), QUANTITY_SECONDS(job->seconds));
}

void assumptions_add_sum(const struct assumptions *assumptions, struct text *text)
{
    size_t said = 0;
    if (assumptions->count > 0 && assumptions_count(assumptions, ASSUMPTION_UNSUPPORTED) == assumptions->count) {
        if (assumptions->count == 1)
            text_add(text, "The assumption cannot run on this device");
        else
            text_add(text, "None of the %zu assumptions can run on this device", assumptions->count);
        return;
    }
    for (int i = 0; i < ASSUMPTION_ANSWERS; i++) {
        const enum assumption_answer answer = (enum assumption_answer)((ASSUMPTION_HOLDS + i) % ASSUMPTION_ANSWERS);
        const size_t count = assumptions_count(assumptions, answer);
        if (count == 0)
            continue;
        text_add(text, "%s%zu", said > 0 ? ", " : "", count);
        if (said++ == 0)
            text_add(text, " assumption%s", count == 1 ? "" : "s");
        text_add(text, " %s", count == 1 ? answers[answer].one : answers[answer].many);
    }
}

/* ---- on a page of text, for a terminal and for an issue ---- */

static void assumptions_add_row(const struct assumption *assumption, struct table *table)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    const struct assumption_job *itself = &assumption->itself;
    table_add_styled(table, answers[answer].style, "%s", answers[answer].word);
    table_add(table, "%s", itself->test);
    if (itself->witnesses > 0)
        table_add(table, "%s", QUANTITY_COUNT(itself->witnesses));
    else if (answer == ASSUMPTION_HOLDS)
        table_add(table, "< %.1e", assumption_bound(assumption));
    else
        table_add(table, "%s", itself->instances > 0 ? "0" : "");
    table_add(table, "%s", itself->instances > 0 ? QUANTITY_SHORT((double)itself->instances) : "");
    if (assumption->planted.witnesses > 0)
        table_add(table, "in %s", QUANTITY_SECONDS(assumption->planted.seconds));
    else
        table_add(table, "%s", assumption->planted.instances > 0 ? "NOT SEEN" : "-");
}

enum { INDENT = 4 }; /* of the pieces that a line of details is broken into */

static void assumptions_add_line(struct text *text, size_t width, const char *title, const char *words)
{
    struct text line = {0};
    if (!words[0])
        return;
    terminal_add(&line, "  %s %s", title, words);
    terminal_wrap_line(text, text_string(&line), line.size, width, INDENT);
    text_add(text, "\n");
    text_release(&line);
}

static void add_details(const struct assumption *assumption, size_t width, bool colours, struct text *text)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    struct text figures = {0}, planted = {0};
    assumption_add_figures(assumption, &figures);
    add_unseen_planted(assumption, &planted);
    terminal_add(text, "\n%s: %s%s%s\n", assumption->itself.test, terminal_style(colours, answers[answer].style),
                 answers[answer].word, terminal_style(colours, TERMINAL_PLAIN));
    assumptions_add_line(text, width, "Assumed:", assumption->assumes);
    assumptions_add_line(text, width, "Found:", text_string(&figures));
    if (answer != ASSUMPTION_UNSUPPORTED && assumption->planted.witnesses == 0)
        assumptions_add_line(text, width, "Planted violation:", text_string(&planted));
    assumptions_add_line(text, width, "Relied on by:", assumption->relies);
    assumptions_add_line(text, width, assumption->promised ? "Promised:" : "Not promised:", assumption->promises);
    assumptions_add_line(text, width, "Promised instead:", assumption->instead);
    text_release(&figures);
    text_release(&planted);
}

/* Unsupported assumptions in one line for each reason: nothing was found out about them. */
static void add_unsupported(const struct assumptions *of, size_t width, struct text *text)
{
    for (size_t i = 0; i < of->count; i++) {
        const char *reason = of->list[i].itself.reason;
        size_t alike = 0, before = 0;
        for (size_t j = 0; j < of->count; j++)
            if (assumption_answer(&of->list[j]) == ASSUMPTION_UNSUPPORTED &&
                strcmp(of->list[j].itself.reason, reason) == 0) {
                alike++;
                before += j < i;
            }
        if (assumption_answer(&of->list[i]) != ASSUMPTION_UNSUPPORTED || before > 0)
            continue;
        struct text line = {0};
        terminal_add(&line, "%zu of the %zu assumptions cannot run on this device: %s", alike, of->count, reason);
        text_add(text, "\n");
        terminal_wrap_line(text, text_string(&line), line.size, width, 2);
        text_add(text, "\n");
        text_release(&line);
    }
}

void assumptions_print_text(const struct assumptions *assumptions, bool colours, size_t width, struct text *text)
{
    struct text sum = {0};
    assumptions_add_sum(assumptions, &sum);
    const struct backend_device *device = assumptions->device;
    terminal_add(text, "%s on %s (%s:%u%s%s)\n", assumptions->tool, device->name, device->backend, device->index,
                 device->architecture[0] ? ", " : "", device->architecture);
    terminal_add(text, "driver %s%s%s%s%s, %s\n", device->driver, device->compiler[0] ? ", compiler " : "",
                 device->compiler, device->platform[0] ? ", " : "", device->platform, assumptions->when);
    terminal_add(text, "%zu assumption%s, %s each, profile %s, seed %" PRIu64 "\n", assumptions->count,
                 assumptions->count == 1 ? "" : "s", QUANTITY_SECONDS(assumptions->seconds), assumptions->profile,
                 assumptions->seed);
    terminal_add(text, "%s%s%s%s\n", terminal_style(colours, TERMINAL_STRONG), text_string(&sum),
                 assumptions->signal > 0 ? "; interrupted" : "", terminal_style(colours, TERMINAL_PLAIN));
    struct table table = {0};
    table_columns(&table, "answer|assumption|>seen|>instances|planted seen");
    for (size_t i = 0; i < assumptions->count; i++)
        assumptions_add_row(&assumptions->list[i], &table);
    terminal_add(text, "\n");
    table_add_to(&table, text, width, colours, 0);
    table_release(&table);
    add_unsupported(assumptions, width, text);
    for (size_t i = 0; i < assumptions->count; i++)
        if (assumption_answer(&assumptions->list[i]) != ASSUMPTION_UNSUPPORTED)
            add_details(&assumptions->list[i], width, colours, text);
    terminal_add(text, "\n\"Holds so far\" promises nothing: it is what was seen here, in this time.\n");
    terminal_add(text, "Stored in %s: run %" PRId64 ", planted violations run %" PRId64 "\n", assumptions->database,
                 assumptions->runs[ASSUMPTION_ITSELF], assumptions->runs[ASSUMPTION_PLANTED]);
    text_release(&sum);
}

/* ---- as JSON: figures are numbers, unknown ones null ---- */

#define JOB_MEMBERS(X, job)                                                                                            \
    X("test", test, NULL, (job)->test)                                                                                 \
    X("state", state, NULL, job_state_word((job)->state))                                                              \
    X("reason", nonempty_or_null, "why the job ended in this state", (job)->reason)                                    \
    X("not_kept", nonempty_or_null, "why the compiled code is not the test", (job)->not_kept)                          \
    X("witnesses", count, "instances that satisfy the condition", (job)->witnesses)                                    \
    X("impossible", count, "instances with other outcomes that no execution has", (job)->impossible)                   \
    X("instances", count, "instances without void ones", (job)->instances)                                             \
    X("seconds", number, "how long it ran", (job)->seconds)
#define PLANTED_MEMBERS(X) JOB_MEMBERS(X, planted)
FIELD_RECORD(planted_violation, PLANTED_MEMBERS, const struct assumption_job *planted)

static const char *assumption_word(enum assumption_answer answer)
{
    return answers[answer].word;
}
FIELD_NAMES(assumption_answer, enum assumption_answer, ASSUMPTION_ANSWERS, assumption_word)

static const struct field_type field_figures_type = {.shape = FIELD_IS_TEXT | FIELD_IS_NULL};
static json_t *field_figures(const struct assumption *assumption)
{
    struct text figures = {0};
    assumption_add_figures(assumption, &figures);
    json_t *text = field_nonempty_or_null(text_string(&figures));
    text_release(&figures);
    return text;
}

#define ASSUMPTION_MEMBERS(X)                                                                                          \
    JOB_MEMBERS(X, &assumption->itself)                                                                                \
    X("answer", assumption_answer, "what was found", answer)                                                           \
    X("found", figures, "the figures as text", assumption)                                                             \
    X("bound", number_or_null, "if it holds so far, the bound on the rate of the violation",                           \
      answer == ASSUMPTION_HOLDS ? assumption_bound(assumption) : NAN)                                                 \
    X("confidence", number_or_null, "the bound's confidence", STATISTICS_CONFIDENCE)                                   \
    X("planted", planted_violation, "the planted violation", &assumption->planted)                                     \
    X("assumes", nonempty_or_null, "what is assumed", assumption->assumes)                                             \
    X("relies", nonempty_or_null, "who relies on it", assumption->relies)                                              \
    X("promised", boolean, "whether the specification promises it", assumption->promised)                              \
    X("specification", nonempty_or_null, "what the specification says", assumption->promises)                          \
    X("instead", nonempty_or_null, "what it promises instead", assumption->instead)
FIELD_RECORD(assumption, ASSUMPTION_MEMBERS, const struct assumption *assumption, enum assumption_answer answer)
FIELD_LIST(every_assumption, assumption, (const struct assumptions *of), of->count, &of->list[i],
           assumption_answer(&of->list[i]))

#define DEVICE_MEMBERS(X)                                                                                              \
    X("backend", backend, NULL, device->backend)                                                                       \
    X("index", count, "the number within the backend", device->index)                                                  \
    X("name", device, NULL, device->name)                                                                              \
    X("architecture", nonempty_or_null, "null if unknown", device->architecture)                                       \
    X("driver", nonempty_or_null, "null if unknown", device->driver)                                                   \
    X("compiler", nonempty_or_null, "null if unknown", device->compiler)                                               \
    X("platform", nonempty_or_null, "null if unknown", device->platform)
FIELD_RECORD(assuming_device, DEVICE_MEMBERS, const struct backend_device *device)

FIELD_MAP(answers, count, (const struct assumptions *of), ASSUMPTION_ANSWERS, answers[i].word,
          assumptions_count(of, (enum assumption_answer)i))

#define RUNS_OF "the runs of the assumptions, and of their planted violations"
#define ASSUME_MEMBERS(X)                                                                                              \
    X("tool", text, "the version of orchil", of->tool)                                                                 \
    X("when", text, "the date", of->when)                                                                              \
    X("device", assuming_device, "the device", of->device)                                                             \
    X("seconds", number_or_null, "the time for each assumption", of->seconds)                                          \
    X("seed", count, "the seed", of->seed)                                                                             \
    X("profile", text, "the name of the profile", of->profile)                                                         \
    X("environment", nonempty_or_null, "the hash of the environment", of->environment)                                 \
    X("database", text, "where the results are stored", of->database)                                                  \
    X("run", count, RUNS_OF, (uint64_t)of->runs[ASSUMPTION_ITSELF])                                                    \
    X("planted_run", count, RUNS_OF, (uint64_t)of->runs[ASSUMPTION_PLANTED])                                           \
    X("answers", answers, "the number of assumptions for each answer", of)                                             \
    X("assumptions", every_assumption, "each assumption", of)                                                          \
    X("exit_code", count, "the exit code", (uint64_t)assumptions_exit_code(of))
FIELD_DOCUMENT(document_assume, ASSUME_MEMBERS, const struct assumptions *of)

void assumptions_print_json(const struct assumptions *assumptions, struct text *text)
{
    json_add_document(JSON_ASSUME, field_document_assume(assumptions), text);
}
