// SPDX-License-Identifier: Apache-2.0
/* The page as a whole, and its first screen: the tests, the devices and the results, for people who have never seen a
 * litmus test. */
#include "analysis/page/page_parts.h"

struct overview {
    uint64_t counted, voids, jobs;
    uint64_t classes[JOB_CLASS_FAULT + 1];    /* jobs in each class of states */
    size_t marks[PAGE_MARK_COUNT];            /* tests by their gravest mark */
    size_t allowed, weak_seen;                /* tests whose witness the model allows; of these, seen */
    size_t controls, broken, controlled_seen; /* tests with controls; those with a control that showed its witness;
                                               * those seen themselves */
    size_t silent, lone;   /* tests with a forbidden witness that was not seen: with mutants, and without */
    size_t proven;         /* of those with mutants: a mutant was seen on each device where they ran */
    size_t alarmed;        /* columns in which an outcome was seen that must never appear */
    size_t mutants, seen;  /* of those with mutants, those with counts; of these, seen wherever they ran */
    size_t seen_somewhere; /* and seen on only some of the devices */
};

/* ---- counting ---- */

static void count_mutant(const struct page *page, const struct page_test *mutant, struct overview *overview)
{
    size_t ran = 0, seen = 0;
    for (size_t column = 0; column < page->column_count; column++) {
        const struct page_sum sum = page_sum_of(mutant, column);
        ran += sum.counted > 0;
        seen += sum.witnesses > 0;
    }
    overview->mutants += ran > 0;
    overview->seen += ran > 0 && seen == ran;
    overview->seen_somewhere += seen > 0 && seen < ran;
}

static void count_silence(const struct page *page, const struct page_test *test, bool *listed,
                          struct overview *overview)
{
    const struct page_test *mutants[PAGE_MOST_MUTANTS];
    size_t count;
    const enum page_silence silence = page_silence_anywhere(page, test);
    const struct page_sum sum = page_sum_of(test, SIZE_MAX);
    overview->lone += silence == PAGE_SILENCE_NONE && *test->claim == 'f' && sum.mark == PAGE_UNSEEN;
    if (silence == PAGE_SILENCE_NONE)
        return;
    overview->silent++;
    overview->proven += silence == PAGE_SILENCE_TELLS;
    (void)page_list_mutants(page, test, mutants, &count);
    for (size_t i = 0; i < count; i++) {
        bool *known = &listed[mutants[i] - page->tests];
        if (!*known)
            count_mutant(page, mutants[i], overview);
        *known = true;
    }
}

static size_t count_alarmed(const struct page *page)
{
    size_t count = 0;
    for (size_t column = 0; column < page->column_count; column++) {
        bool alarmed = false;
        for (size_t i = 0; i < page->test_count; i++)
            for (size_t p = 0; p < page->tests[i].part_count; p++)
                alarmed |= page->tests[i].parts[p].column == column && page->tests[i].parts[p].mark <= PAGE_CLAIM;
        count += alarmed;
    }
    return count;
}

static struct overview survey_page(const struct page *page)
{
    struct overview overview = {.alarmed = count_alarmed(page)};
    FREED bool *listed = memory_take(page->test_count + 1, sizeof *listed);
    for (size_t i = 0; i < page->test_count; i++) {
        const struct page_test *test = &page->tests[i];
        const struct page_sum sum = page_sum_of(test, SIZE_MAX);
        const struct page_control control = page_control_of(page, test, SIZE_MAX);
        const char first = *test->claim;
        const bool allowed = first == 'w' || first == 'a'; /* weak; or allowed, if only the text says so */
        overview.marks[test->mark]++;
        if (sum.counted > 0 && allowed) {
            overview.allowed++;
            overview.weak_seen += sum.witnesses > 0;
        }
        if (control.counted > 0) {
            overview.controls++;
            overview.broken += control.witnesses > 0;
            overview.controlled_seen += sum.witnesses > 0;
        }
        count_silence(page, &page->tests[i], listed, &overview);
    }
    for (size_t i = 0; i < page->column_count; i++) {
        overview.counted += page->columns[i].counted;
        overview.voids += page->columns[i].voids;
        overview.jobs += page->columns[i].jobs;
        for (int state = 0; state < JOB_STATE_COUNT; state++)
            overview.classes[job_state_class((enum job_state)state)] += page->columns[i].states[state];
    }
    return overview;
}

static size_t count_alarms(const struct overview *overview)
{
    return overview->marks[PAGE_FORBIDDEN] + overview->marks[PAGE_CONTROL] + overview->marks[PAGE_CLAIM];
}

static uint64_t count_open(const struct overview *overview)
{
    return overview->classes[JOB_CLASS_CUT_SHORT] + overview->classes[JOB_CLASS_FAULT];
}

/* Whether it means something that no forbidden outcome was seen. */
static bool is_telling(const struct overview *overview)
{
    return count_alarms(overview) == 0 && overview->silent > 0 && overview->proven == overview->silent;
}

/* Whether a test asks for an outcome that must never appear. */
static bool asks_for_forbidden(const struct overview *overview)
{
    return count_alarms(overview) + overview->marks[PAGE_UNPROMISED] + overview->silent + overview->lone > 0;
}

static const char *tone_of(const struct overview *overview)
{
    if (count_alarms(overview) > 0)
        return "bad";
    if (overview->marks[PAGE_UNPROMISED] + overview->marks[PAGE_NOT_KEPT] + count_open(overview) > 0)
        return "doubt";
    return is_telling(overview) ? "good" : asks_for_forbidden(overview) || overview->counted == 0 ? "doubt" : "";
}

/* ---- the sentence ---- */

/* An outcome that no earlier run of its device showed, by name. */
static void add_new(const struct page *page, struct text *text)
{
    const struct history *history = page->history;
    const size_t began = INDEX_OF(alarm, history->alarms, history->alarm_count, !alarm->began);
    if (began == 0)
        return;
    text_add(text, "<b>NEW: ");
    HTML_SAY(text, history_add_alarm(history, &history->alarms[0], text));
    if (began > 1)
        html_add(text, "; and $ more", QUANTITY_COUNT(began - 1));
    text_add(text, ".</b> ");
}

/* If none is new, which the sentence before says: the tests, as the findings list them. */
static void add_first_alarms(const struct page *page, struct text *text)
{
    enum { NAMED = 3 };
    size_t count;
    FREED const struct page_test **tests = page_list_found(page, false, &count);
    text_add(text, "<b>An outcome that must never appear was seen in");
    for (size_t i = 0; i < count && i < NAMED; i++) {
        text_add(text, "%s", i == 0 ? " " : i + 1 == count ? " and " : ", ");
        html_add(text, "<a href=\"#found-$\">$</a>", tests[i]->anchor, tests[i]->name);
        if (page_has_namesake(page, tests[i]))
            html_add(text, " ($)", tests[i]->dialect);
    }
    if (count > NAMED)
        html_add(text, " and $ more", QUANTITY_COUNT(count - NAMED));
    text_add(text, ".</b> ");
}

static void add_alarms(const struct page *page, const struct overview *overview, struct text *text)
{
    const size_t forbidden = overview->marks[PAGE_FORBIDDEN], control = overview->marks[PAGE_CONTROL],
                 claim = overview->marks[PAGE_CLAIM];
    if (!page->history->alarm_count || !page->history->alarms[0].began)
        add_first_alarms(page, text);
    if (forbidden > 0)
        text_add(
            text,
            "One is enough to matter. <code class=command>orchil manual "
            "forbidden</code> shows how to find out whether the test, orchil, the compiler, the driver or the device "
            "is wrong. ");
    if (control > 0)
        html_add(text, "<b>$ showed the outcome that $ should rule out.</b> Do not trust the numbers next to $. ",
                 WORDS_COUNTED(control, "control", "controls"), control == 1 ? "it" : "they",
                 control == 1 ? "it" : "them");
    if (claim > 0)
        html_add(text,
                 "<b>$ showed a witness that must never appear, as the test's file says.</b> No model forbids it: "
                 "suspect the test first. ",
                 WORDS_COUNTED(claim, "test", "tests"));
}

static const char mutants_link[] = "<a href=\"#guide\">mutants</a>";

/* What it means that no forbidden outcome was seen: the first sentence, in bold, and its consequences. */
static void add_silence(const struct overview *overview, struct text *text)
{
    static const char unknown[] = "so nothing shows whether the stress could bring one out.</b> ";
    text_add(text, "<b>No forbidden outcome was seen%s",
             overview->marks[PAGE_UNPROMISED] > 0 ? " where the device promises to rule it out" : "");
    if (overview->silent == 0)
        text_add(text, ", but none of these tests has %s, %s", mutants_link, unknown);
    else if (overview->mutants == 0)
        text_add(text, ", but no %s were run, %s", mutants_link, unknown);
    else {
        /* How many mutants were seen, as the rest of the first sentence. */
        const bool none = overview->seen + overview->seen_somewhere == 0, all = overview->seen == overview->mutants;
        html_add(text, "$ $ of $ ",
                 all    ? ", and"
                 : none ? ", but"
                        : ", but only",
                 QUANTITY_COUNT(overview->seen), QUANTITY_COUNT(overview->mutants));
        text_add(text, "%s %s seen", mutants_link, overview->seen == 1 ? "was" : "were");
        if (none)
            text_add(text, " either, so that says little");
        if (overview->seen_somewhere > 0)
            html_add(text, " on every device, and $ on some", QUANTITY_COUNT(overview->seen_somewhere));
        text_add(text, ".</b> ");
    }
    if (overview->proven > 0 && overview->proven == overview->silent)
        text_add(text, "A weakened version of each such test showed the outcome on each device, so these runs could "
                       "have found a fault. ");
}

/* What was seen and is no fault: assumptions by their number, and the most frequent of the others if nothing graver
 * was seen. */
static void add_seen(const struct page *page, bool bold, bool alarmed, struct text *text)
{
    const struct page_seen *const list = page->seen, *most = NULL;
    const size_t count = page->seen_count;
    size_t broken = 0, assumptions = 0;
    for (; broken < count && list[broken].kind == SEEN_UNPROMISED; broken++)
        assumptions += broken == 0 || strcmp(list[broken - 1].words, list[broken].words) != 0;
    for (size_t i = broken; i < count && !alarmed; i++)
        most = most && most->rate >= list[i].rate ? most : &list[i];
    if (broken > 0)
        html_add(text, "<b>$ that programs rely on $ broken.</b> ",
                 WORDS_COUNTED(assumptions, "assumption", "assumptions"), assumptions == 1 ? "is" : "are");
    if (!most && bold && broken == 0)
        text_add(text, "<b>No weak outcome was seen.</b> ");
    if (!most)
        return;
    text_add(text, "%s", bold ? "<b>" : "");
    if (count - broken > 1)
        html_add(text, "$ tests showed weak outcomes, most often ", QUANTITY_COUNT(count - broken));
    page_add_link(most->test, text);
    text_add(text, count - broken > 1 ? ", " : " showed its weak outcome ");
    page_add_share(most, text);
    text_add(text, "%s; the model allows %s. ", bold ? "</b>" : "", count - broken == 1 ? "it" : "them");
}

static void add_gaps(const struct overview *overview, struct text *text)
{
    const size_t unpromised = overview->marks[PAGE_UNPROMISED], refused = overview->marks[PAGE_REFUSED];
    if (unpromised > 0)
        html_add(text,
                 "In $ of the tests one was seen where the device does not promise the order or scope that the test "
                 "uses; that is not a fault. ",
                 QUANTITY_COUNT(unpromised));
    if (overview->marks[PAGE_NOT_KEPT] > 0)
        html_add(text,
                 "In $ of the tests <b>the compiled code is not the test</b>, so what they "
                 "show proves nothing about the device. ",
                 QUANTITY_COUNT(overview->marks[PAGE_NOT_KEPT]));
    if (count_open(overview) > 0)
        html_add(text, "$ of $ jobs gave no complete result. ", QUANTITY_COUNT(count_open(overview)),
                 QUANTITY_COUNT(overview->jobs));
    if (refused > 0)
        html_add(text, "$ unsupported. ", WORDS_COUNTED(refused, "test is", "tests are"));
}

static void print_asked(const struct page *page, const struct overview *overview, struct text *text)
{
    text_add(text, "<p class=asked>");
    html_add(text, "$", WORDS_COUNTED(page->test_count, "litmus test", "litmus tests"));
    text_add(text, " asked in what order threads see each other's writes, on ");
    if (page->column_count == 1)
        page_add_column(page, 0, text);
    else
        html_add(text, "$", WORDS_COUNTED(page->column_count, "device and driver", "pairs of device and driver"));
    html_add(text, ": $ instances", HTML_COUNT_IN_WORDS(overview->counted));
    if (overview->counted >= 1000000)
        html_add(text, " ($)", QUANTITY_COUNT(overview->counted));
    text_add(text, ".</p>\n");
}

/* ---- tiles ---- */

static void print_tile(const char *class, const char *value, const char *what, struct text *text)
{
    html_add(text, "<li$$><b>$</b>$</li>\n", *class ? " class=" : "", class, value, what);
}

static void print_share(size_t part, size_t whole, const char *class, const char *what, struct text *text)
{
    const char *const value = PRINTED(2 * QUANTITY_SIZE + 8, "%s of %s", QUANTITY_COUNT(part), QUANTITY_COUNT(whole));
    if (whole > 0)
        print_tile(class, value, what, text);
}

/* A control that is broken is an alarm, so it is among the first. */
static void print_tiles(const struct page *page, const struct overview *overview, struct text *text)
{
    const size_t alarms = count_alarms(overview);
    const char *class = alarms > 0                     ? "bad"
                        : is_telling(overview)         ? "good"
                        : asks_for_forbidden(overview) ? "doubt"
                                                       : "";
    text_add(text, "<ul class=tiles>\n");
    print_share(alarms, page->test_count, class, "tests showed an outcome that must never appear", text);
    if (page->column_count > 1 && alarms > 0)
        print_share(overview->alarmed, page->column_count, class, "devices and drivers showed such an outcome", text);
    print_share(overview->proven, overview->silent, overview->proven == overview->silent ? "good" : "doubt",
                "forbidden tests that passed were shown to be sensitive: a weakened version showed the outcome", text);
    if (overview->lone > 0)
        print_tile("", QUANTITY_COUNT(overview->lone), "forbidden tests passed, but no weakened version of them ran",
                   text);
    if (overview->broken == 0 && overview->controls > 0)
        print_tile(overview->controlled_seen == overview->controls ? "good" : "", QUANTITY_COUNT(overview->controls),
                   "tests had controls, and no control showed the outcome", text);
    print_share(overview->weak_seen, overview->allowed, "", "weak outcomes that are allowed were seen", text);
    if (count_open(overview) > 0)
        print_tile("doubt", QUANTITY_COUNT(count_open(overview)), "jobs without a complete result", text);
    if (overview->classes[JOB_CLASS_REFUSED] > 0)
        print_tile("", QUANTITY_COUNT(overview->classes[JOB_CLASS_REFUSED]), "jobs that the device does not support",
                   text);
    text_add(text, "</ul>\n");
}

/* What the page lacks comes before what it has. */
static void print_unread(const struct page *page, struct text *text)
{
    if (page->unread_count == 0)
        return;
    text_add(text, "<p class=\"lead doubt\"><b>");
    html_add(text, "$", WORDS_COUNTED(page->unread_count, "database", "databases"));
    text_add(text, " could not be read, so this page lacks what is in %s:</b>",
             page->unread_count == 1 ? "it" : "them");
    for (size_t i = 0; i < page->unread_count; i++)
        html_add(text, "<br>$", page->unread[i].error.text);
    text_add(text, "</p>\n");
}

static void print_overview(const struct page *page, struct text *text)
{
    const struct overview overview = survey_page(page);
    const bool asks = asks_for_forbidden(&overview);
    print_unread(page, text);
    html_add(text, "<p class=\"lead $\">", tone_of(&overview));
    add_new(page, text);
    if (count_alarms(&overview) > 0)
        add_alarms(page, &overview, text);
    else if (overview.counted == 0)
        text_add(text, "<b>Nothing was counted, so nothing is shown.</b> ");
    else if (asks)
        add_silence(&overview, text);
    if (overview.counted > 0)
        add_seen(page, !asks, count_alarms(&overview) > 0, text);
    if (!asks && overview.counted > 0)
        text_add(text, "No test here has a forbidden outcome. ");
    add_gaps(&overview, text);
    text_add(text, "</p>\n");
    print_tiles(page, &overview, text);
    print_asked(page, &overview, text);
    text_add(text, "</header>\n<nav aria-label=\"Parts of this page\"><ul>"
                   "<li><a href=\"#findings\">What was found</a></li>"
                   "<li><a href=\"#map\">Heat map</a></li>");
    page_link_scores(page->history, text);
    text_add(text,
             "%s<li><a href=\"#tests\">Tests in detail</a></li><li><a href=\"#guide\">How to read this page</a></li>"
             "<li><a href=\"#devices\">Devices and drivers</a></li><li><a href=\"#environments\">Environments</a></li>"
             "<li><a href=\"#runs\">Runs</a></li></ul></nav>\n",
             history_is_worth(page->history) ? "<li><a href=\"#history\">Runs in order of time</a></li>" : "");
}

/* ---- the page as a whole ---- */

extern const char page_guide[]; /* analysis/page/guide.html */

void page_print(const struct page *page, struct text *text)
{
    LOCAL(text) title = {0};
    page_add_title(page, &title);
    html_start(text, text_string(&title));
    print_overview(page, text);
    page_print_findings(page, text);
    page_print_map(page, text);
    page_print_unseen(page, text);
    page_print_scores(page->history, text);
    page_print_history(page, text);
    page_print_tests(page, text);
    text_add(text, "%s", page_guide);
    page_print_sources(page, text);
    html_end(text);
}
