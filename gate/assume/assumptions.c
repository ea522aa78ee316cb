// SPDX-License-Identifier: Apache-2.0
/* Assumptions: the answer to each, its figures, the exit code of all, and how they are printed. */
#include "gate/assume/assumptions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/page/html.h"
#include "analysis/statistics/statistics.h"
#include "base/json.h"
#include "base/quantity.h"
#include "base/terminal/table.h"

const char *assumption_word(enum assumption_answer answer)
{
#define ASSUMPTION_WORD(name, word, class) [ASSUMPTION_##name] = (word),
    static const char *const words[] = {ASSUMPTION_ANSWER_LIST(ASSUMPTION_WORD)};
#undef ASSUMPTION_WORD
    return words[answer];
}

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

size_t assumptions_count(const struct assumptions *assumptions, enum assumption_answer answer)
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
    if (assumptions_count(assumptions, ASSUMPTION_BROKEN) > 0)
        return 1;
    if (assumptions_count(assumptions, ASSUMPTION_FAILED) > 0)
        return 4;
    if (assumptions_count(assumptions, ASSUMPTION_UNKNOWN) > 0)
        return 3;
    return assumptions_count(assumptions, ASSUMPTION_HOLDS) > 0 ? 0 : 3;
}

/* ---- figures ---- */

double assumption_bound(const struct assumption *assumption)
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

void assumption_add_planted(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *job = &assumption->planted;
    if (job->instances == 0) {
        text_add(text, "%s%s%s", job_state_word(job->state), job->reason[0] ? ": " : "", job->reason);
        return;
    }
    if (job->witnesses > 0)
        text_add(text, "seen, %s of %s instances", QUANTITY_COUNT(job->witnesses), QUANTITY_COUNT(job->instances));
    else
        text_add(text, "not seen in %s instances", QUANTITY_COUNT(job->instances));
    text_add(text, " in %s", QUANTITY_SECONDS(job->seconds));
}

void assumptions_add_sum(const struct assumptions *assumptions, struct text *text)
{
    static const struct {
        enum assumption_answer answer;
        const char *one, *many;
    } words[] = {{ASSUMPTION_HOLDS, "holds so far", "hold so far"},
                 {ASSUMPTION_BROKEN, "is broken", "are broken"},
                 {ASSUMPTION_FAILED, "failed to run", "failed to run"},
                 {ASSUMPTION_UNKNOWN, "cannot be decided", "cannot be decided"},
                 {ASSUMPTION_UNSUPPORTED, "is unsupported", "are unsupported"}};
    size_t said = 0;
    if (assumptions->count > 0 && assumptions_count(assumptions, ASSUMPTION_UNSUPPORTED) == assumptions->count) {
        if (assumptions->count == 1)
            text_add(text, "The assumption cannot run on this device");
        else
            text_add(text, "None of the %zu assumptions can run on this device", assumptions->count);
        return;
    }
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const size_t count = assumptions_count(assumptions, words[w].answer);
        if (count == 0)
            continue;
        text_add(text, "%s%zu", said > 0 ? ", " : "", count);
        if (said++ == 0)
            text_add(text, " assumption%s", count == 1 ? "" : "s");
        text_add(text, " %s", count == 1 ? words[w].one : words[w].many);
    }
}

/* ---- on a page of text, for a terminal and for an issue ---- */

static enum terminal_style style_of(enum assumption_answer answer)
{
    static const enum terminal_style styles[] = {[ASSUMPTION_BROKEN] = TERMINAL_BAD,
                                                 [ASSUMPTION_FAILED] = TERMINAL_BAD,
                                                 [ASSUMPTION_UNKNOWN] = TERMINAL_WARNING,
                                                 [ASSUMPTION_UNSUPPORTED] = TERMINAL_PLAIN,
                                                 [ASSUMPTION_HOLDS] = TERMINAL_GOOD};
    return styles[answer];
}

static void assumptions_add_head(const struct assumptions *of, struct text *text)
{
    terminal_add(text, "%s on %s (%s:%u%s%s)\n", of->tool, of->device, of->backend, of->index,
                 of->architecture[0] ? ", " : "", of->architecture);
    terminal_add(text, "driver %s%s%s%s%s, %s\n", of->driver, of->compiler[0] ? ", compiler " : "", of->compiler,
                 of->platform[0] ? ", " : "", of->platform, of->when);
    terminal_add(text, "%zu assumption%s, %s each, profile %s, seed %" PRIu64 "\n", of->count,
                 of->count == 1 ? "" : "s", QUANTITY_SECONDS(of->seconds), of->profile, of->seed);
}

static void assumptions_add_row(const struct assumption *assumption, struct table *table)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    const struct assumption_job *itself = &assumption->itself;
    char instances[QUANTITY_SIZE];
    table_add_styled(table, style_of(answer), "%s", assumption_word(answer));
    table_add(table, "%s", itself->test);
    if (itself->witnesses > 0)
        table_add(table, "%s", QUANTITY_COUNT(itself->witnesses));
    else if (answer == ASSUMPTION_HOLDS)
        table_add(table, "< %.1e", assumption_bound(assumption));
    else
        table_add(table, "%s", itself->instances > 0 ? "0" : "");
    table_add(table, "%s", itself->instances > 0 ? quantity_short((double)itself->instances, instances) : "");
    if (assumption->planted.witnesses > 0)
        table_add(table, "in %s", QUANTITY_SECONDS(assumption->planted.seconds));
    else
        table_add(table, "%s", assumption->planted.instances > 0 ? "NOT SEEN" : "-");
}

static void assumptions_add_table(const struct assumptions *of, size_t width, bool colours, struct text *text)
{
    struct table table = {0};
    table_columns(&table, "answer|assumption|>seen|>instances|planted seen");
    for (size_t i = 0; i < of->count; i++)
        assumptions_add_row(&of->list[i], &table);
    terminal_add(text, "\n");
    table_add_to(&table, text, width, colours, 0);
    table_release(&table);
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
    assumption_add_planted(assumption, &planted);
    terminal_add(text, "\n%s: %s%s%s\n", assumption->itself.test, terminal_style(colours, style_of(answer)),
                 assumption_word(answer), terminal_style(colours, TERMINAL_PLAIN));
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
    assumptions_add_head(assumptions, text);
    terminal_add(text, "%s%s%s%s\n", terminal_style(colours, TERMINAL_STRONG), text_string(&sum),
                 assumptions->signal > 0 ? "; interrupted" : "", terminal_style(colours, TERMINAL_PLAIN));
    assumptions_add_table(assumptions, width, colours, text);
    add_unsupported(assumptions, width, text);
    for (size_t i = 0; i < assumptions->count; i++)
        if (assumption_answer(&assumptions->list[i]) != ASSUMPTION_UNSUPPORTED)
            add_details(&assumptions->list[i], width, colours, text);
    terminal_add(text, "\n\"Holds so far\" promises nothing: it is what was seen here, in this time.\n");
    terminal_add(text, "Stored in %s: run %" PRId64 ", planted violations run %" PRId64 "\n", assumptions->database,
                 assumptions->run, assumptions->planted_run);
    text_release(&sum);
}

/* ---- as an HTML page ---- */

static const char *class_of(enum assumption_answer answer)
{
#define ASSUMPTION_CLASS(name, word, class) [ASSUMPTION_##name] = (class),
    static const char *const classes[] = {ASSUMPTION_ANSWER_LIST(ASSUMPTION_CLASS)};
#undef ASSUMPTION_CLASS
    return classes[answer];
}

static void assumptions_print_lead(const struct assumptions *of, struct text *text)
{
    struct text sum = {0};
    const int code = assumptions_exit_code(of);
    assumptions_add_sum(of, &sum);
    html_add(text, "<p class=\"lead $\"><b>$</b>$$</p>\n",
             code == 0                ? "good"
             : code == 1 || code == 4 ? "bad"
                                      : "doubt",
             text_string(&sum), strcmp(of->backend, "simulated") == 0 ? ", on a simulated device" : "",
             of->signal > 0 ? "; interrupted" : "");
    html_add(text, "<p class=asked>$ ($$$), driver $$$", of->device, of->backend, of->architecture[0] ? ", " : "",
             of->architecture, of->driver, of->compiler[0] ? ", compiler " : "", of->compiler);
    html_add(text, ". $ each, profile $, seed $. $, $.</p>\n<ul class=tiles>\n", QUANTITY_SECONDS(of->seconds),
             of->profile, QUANTITY_COUNT(of->seed), of->tool, of->when);
    for (enum assumption_answer answer = ASSUMPTION_ANSWERS; answer-- > 0;) {
        const size_t count = assumptions_count(of, answer);
        if (count > 0)
            html_add(text, "<li class=$><b>$</b>$</li>\n", class_of(answer), QUANTITY_COUNT(count),
                     assumption_word(answer));
    }
    text_add(text, "</ul>\n");
    text_release(&sum);
}

static void print_anchor(const struct assumption *assumption, struct text *text)
{
    (void)html_add_anchor(text, assumption->itself.test);
}

static void assumptions_print_row(const struct assumption *assumption, struct text *text)
{
    const struct assumption_job *itself = &assumption->itself;
    const enum assumption_answer answer = assumption_answer(assumption);
    html_add(text, "<tr><th scope=row><b class=$>$</b><td data-l=Test><a href=\"#", class_of(answer),
             assumption_word(answer));
    print_anchor(assumption, text);
    html_add(
        text,
        "\">$</a><td data-l=Assumed>$<td class=n data-l=Rate>$<td class=n data-l=Instances>$<td data-l=\"Planted violation\">$\n",
        itself->test, assumption->assumes, HTML_RATE_OF(itself->witnesses, itself->instances),
        itself->instances > 0 ? HTML_COUNT_IN_WORDS(itself->instances) : "",
        assumption->planted.witnesses > 0   ? "seen"
        : assumption->planted.instances > 0 ? "not seen"
                                            : "");
}

static void assumptions_print_table(const struct assumptions *of, struct text *text)
{
    text_add(
        text,
        "<div class=wide><table class=\"stack data\" data-name=assumptions>\n<thead><tr><th>Answer<th>Test<th>Assumed"
        "<th data-n>Rate<th data-n>Instances<th>Planted violation</thead>\n<tbody>\n");
    for (size_t i = 0; i < of->count; i++)
        assumptions_print_row(&of->list[i], text);
    html_add(text,
             "</table></div>\n"
             "<p class=note>A rate after &lt; is a bound: nothing was seen, and with 95 % confidence the chance per "
             "instance is below it. Silence says something only where the planted violation was seen.</p>\n");
}

static void print_fact(const char *title, const char *words, struct text *text)
{
    if (words[0])
        html_add(text, "<dt>$<dd>$\n", title, words);
}

static void print_details(const struct assumption *assumption, struct text *text)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    struct text figures = {0}, planted = {0};
    assumption_add_figures(assumption, &figures);
    assumption_add_planted(assumption, &planted);
    text_add(text, "<h2 id=\"");
    print_anchor(assumption, text);
    html_add(text, "\" data-link>$: <span class=$>$</span></h2>\n<p>$</p>\n<dl class=facts>\n", assumption->itself.test,
             class_of(answer), assumption_word(answer), assumption->assumes);
    print_fact("Found", text_string(&figures), text);
    if (answer != ASSUMPTION_UNSUPPORTED)
        print_fact("Planted violation", text_string(&planted), text);
    print_fact("Relied on by", assumption->relies, text);
    print_fact(assumption->promised ? "Promised" : "Not promised", assumption->promises, text);
    print_fact("Promised instead", assumption->instead, text);
    text_add(text, "</dl>\n");
    text_release(&figures);
    text_release(&planted);
}

void assumptions_print_page(const struct assumptions *assumptions, struct text *text)
{
    struct text title = {0};
    text_add(&title, "Assumptions on %s, %s %s", assumptions->device, assumptions->backend, assumptions->driver);
    html_start(text, text_string(&title));
    html_add(text, "<h1>$</h1>\n", text_string(&title));
    assumptions_print_lead(assumptions, text);
    assumptions_print_table(assumptions, text);
    for (size_t i = 0; i < assumptions->count; i++)
        print_details(&assumptions->list[i], text);
    html_add(text, "<p class=note>Stored in $, runs ", assumptions->database);
    text_add(text, "%" PRId64 " and %" PRId64 ".</p>\n", assumptions->run, assumptions->planted_run);
    html_end(text);
    text_release(&title);
}

/* ---- as JSON: figures are numbers, unknown ones null ---- */

static json_t *assumptions_pack_text(const char *text)
{
    return text && *text ? json_text(text) : json_null();
}

static json_t *pack_job(const struct assumption_job *job)
{
    return json_pack("{ss so so so so so so so}", "test", job->test, "state", json_text(job_state_word(job->state)),
                     "reason", assumptions_pack_text(job->reason), "not_kept", assumptions_pack_text(job->not_kept),
                     "witnesses", json_count(job->witnesses), "impossible", json_count(job->impossible), "instances",
                     json_count(job->instances), "seconds", json_number(job->seconds));
}

static json_t *pack_assumption(const struct assumption *assumption)
{
    const enum assumption_answer answer = assumption_answer(assumption);
    struct text figures = {0};
    json_t *object = pack_job(&assumption->itself);
    assumption_add_figures(assumption, &figures);
    (void)json_object_set_new(object, "answer", json_text(assumption_word(answer)));
    (void)json_object_set_new(object, "found", assumptions_pack_text(text_string(&figures)));
    (void)json_object_set_new(object, "bound",
                              answer == ASSUMPTION_HOLDS ? json_number(assumption_bound(assumption)) : json_null());
    (void)json_object_set_new(object, "confidence", json_number(STATISTICS_CONFIDENCE));
    (void)json_object_set_new(object, "planted", pack_job(&assumption->planted));
    (void)json_object_set_new(object, "assumes", assumptions_pack_text(assumption->assumes));
    (void)json_object_set_new(object, "relies", assumptions_pack_text(assumption->relies));
    (void)json_object_set_new(object, "promised", json_boolean(assumption->promised));
    (void)json_object_set_new(object, "specification", assumptions_pack_text(assumption->promises));
    (void)json_object_set_new(object, "instead", assumptions_pack_text(assumption->instead));
    text_release(&figures);
    return object;
}

static json_t *pack_device(const struct assumptions *of)
{
    return json_pack("{so so so so so so so}", "backend", json_text(of->backend), "index", json_count(of->index),
                     "name", json_text(of->device), "architecture", assumptions_pack_text(of->architecture), "driver",
                     assumptions_pack_text(of->driver), "compiler", assumptions_pack_text(of->compiler), "platform",
                     assumptions_pack_text(of->platform));
}

static json_t *pack_answers(const struct assumptions *of)
{
    json_t *object = json_object();
    for (enum assumption_answer answer = 0; answer < ASSUMPTION_ANSWERS; answer++)
        (void)json_object_set_new(object, assumption_word(answer), json_count(assumptions_count(of, answer)));
    return object;
}

void assumptions_print_json(const struct assumptions *assumptions, struct text *text)
{
    const struct assumptions *of = assumptions;
    json_t *list = json_array();
    for (size_t i = 0; i < of->count; i++)
        json_append(list, pack_assumption(&of->list[i]));
    json_add_document(JSON_ASSUME,
                      json_pack("{so so so so so so so so so so so so si}", "tool", json_text(of->tool), "when",
                                json_text(of->when), "device", pack_device(of), "seconds", json_number(of->seconds),
                                "seed", json_count(of->seed), "profile", json_text(of->profile), "environment",
                                assumptions_pack_text(of->environment), "database", json_text(of->database), "run",
                                json_count((uint64_t)of->run), "planted_run", json_count((uint64_t)of->planted_run),
                                "answers", pack_answers(of), "assumptions", list, "exit_code",
                                assumptions_exit_code(of)),
                      text);
}
