// SPDX-License-Identifier: Apache-2.0
/* Assumptions as one HTML page. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/page/html.h"
#include "base/quantity.h"
#include "runner/gate/assume/assumptions.h"

static const char *class_of(enum assumption_answer answer)
{
#define ASSUMPTION_CLASS(name, word, class) [ASSUMPTION_##name] = (class),
    static const char *const classes[] = {ASSUMPTION_ANSWER_LIST(ASSUMPTION_CLASS)};
#undef ASSUMPTION_CLASS
    return classes[answer];
}

/* ---- the first screen ---- */

static void print_lead(const struct assumptions *of, struct text *text)
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

static void print_row(const struct assumption *assumption, struct text *text)
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

static void print_table(const struct assumptions *of, struct text *text)
{
    text_add(
        text,
        "<div class=wide><table class=\"stack data\" data-name=assumptions>\n<thead><tr><th>Answer<th>Test<th>Assumed"
        "<th data-n>Rate<th data-n>Instances<th>Planted violation</thead>\n<tbody>\n");
    for (size_t i = 0; i < of->count; i++)
        print_row(&of->list[i], text);
    html_add(text,
             "</table></div>\n"
             "<p class=note>A rate after &lt; is a bound: nothing was seen, and with 95 % confidence the chance per "
             "instance is below it. Silence says something only where the planted violation was seen.</p>\n");
}

/* ---- each ---- */

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
    print_lead(assumptions, text);
    print_table(assumptions, text);
    for (size_t i = 0; i < assumptions->count; i++)
        print_details(&assumptions->list[i], text);
    html_add(text, "<p class=note>Stored in $, runs ", assumptions->database);
    text_add(text, "%" PRId64 " and %" PRId64 ".</p>\n", assumptions->run, assumptions->planted_run);
    html_end(text);
    text_release(&title);
}
