// SPDX-License-Identifier: Apache-2.0
/* Every test in detail: its text, its result on each device, the source of that result, and why an outcome is what it
 * is. */
#include "analysis/page/page_parts.h"
#include "analysis/page/plot.h"
#include "litmus/dialects.h"
#include "models/explain/repair.h"
#include "models/races.h"

/* ---- why an outcome is what it is: its execution as a picture, and in words ---- */

enum { EXPLAIN_CANDIDATES = 100000, EXPLAIN_SECONDS = 10 };

static const struct judged_outcome *find_outcome(const struct litmus_test *test, const struct judgement *judgement,
                                                 const char *label)
{
    const struct judged_outcome *found = NULL;
    for (size_t i = 0; i < judgement->outcome_count && !found; i++) {
        LOCAL(text) own = {0};
        litmus_print_outcome(test, judgement->outcomes[i].values, &own);
        if (strcmp(text_string(&own), label) == 0)
            found = &judgement->outcomes[i];
    }
    return found;
}

/* The end of the line that begins here. */
static const char *next_line(const char *line)
{
    const size_t size = strcspn(line, "\n");
    return line + size + (line[size] == '\n');
}

/* A paragraph for each line with something in it. */
static void print_paragraphs(const char *lines, const char *attribute, struct text *text)
{
    for (const char *line = lines; *line; line = next_line(line)) {
        FREED char *copy = memory_copy_part(line, strcspn(line, "\n"));
        if (*copy)
            html_add(text, "<p$>$</p>\n", attribute, copy);
    }
}

static void print_figure(const struct page_test *test, const struct judged_outcome *outcome, const char *label,
                         const char *model, bool open, struct text *text)
{
    struct execution_drawing drawing;
    LOCAL(text) words = {0}, title = {0};
    drawing_make(outcome->explanation, &drawing);
    words_print_story(outcome->explanation, &drawing, model, &words);
    text_add(&title, "An execution of %s with the outcome %s", test->name, label);
    html_add(text, "<details class=fold$><summary>Why: $, <code>$</code>, $ under $</summary>\n<figure class=why>\n",
             open ? " open" : "", test->name, label, verdict_word(outcome->verdict), model);
    execution_plot(&drawing, text_string(&title), PLOT_IN_PAGE, text);
    text_add(text, "</figure>\n");
    print_paragraphs(text_string(&words), "", text);
    text_add(text, "</details>\n");
    drawing_release(&drawing);
}

/* For an OPENCL or C test, the PTX model judges the PTX that was emitted for it. */
static model_judging *choose_judging(const struct page *page, const struct litmus_test *test, const char *model)
{
    const bool source = dialects[test->dialect].has_atomic_types;
    return source && (strcmp(model, model_default(LITMUS_PTX)) == 0 || strcmp(model, model_default(LITMUS_VULKAN)) == 0)
               ? page->judging_emitted
               : page->judging;
}

void page_print_explanation(const struct page *page, const struct page_test *test, const char *label,
                            const char *model_name, bool open, struct text *text)
{
    struct model *model = NULL;
    struct judgement judgement;
    struct error error;
    const struct judge_options options = {
        .explain = true, .listed_candidates = EXPLAIN_CANDIDATES, .deadline = clock_seconds() + EXPLAIN_SECONDS};
    if (!page->judging || !test->parsed || model_load(model_name, &model, &error) != STATUS_OK)
        return;
    model_judging *judging = choose_judging(page, test->parsed, model_name);
    if (judging(model, test->parsed, &options, &judgement, &error) == STATUS_OK) {
        const struct judged_outcome *outcome = find_outcome(test->parsed, &judgement, label);
        if (outcome && outcome->explanation)
            print_figure(test, outcome, label, model_id(model), open, text);
        judgement_release(&judgement);
    }
    model_release(model);
}

enum { SHOWN_OUTCOMES = 16, SHOWN_UNSEEN = 8, SHOWN_JOBS = 6, SHOWN_RATES = 40, SHOWN_BYTES = 20000 };

/* ---- the test ---- */

static void add_test_or_name(const struct page *page, const char *dialect, const char *name, struct text *text)
{
    const struct page_test *test = page_find(page, dialect, name);
    if (test)
        page_add_link(test, text);
    else
        html_add(text, "$ (not run)", name);
}

static void print_related(const struct page *page, const struct page_test *test, const char *key, const char *title,
                          struct text *text)
{
    char name[LITMUS_NAME_SIZE];
    bool first = true;
    for (const char *rest = NULL; litmus_next_name(test->parsed, key, &rest, name); first = false) {
        const struct page_test *related = page_find(page, test->dialect, name);
        const struct page_sum sum = related ? page_sum_of(related, SIZE_MAX) : (struct page_sum){0};
        html_add(text, first ? "<dt>$<dd>" : ", ", title);
        add_test_or_name(page, test->dialect, name, text);
        if (sum.counted > 0)
            html_add(text, " $", HTML_RATE_OF(sum.witnesses, sum.counted));
    }
}

/* A claim is a model's verdict, or the Expect of the test's text. */
static const char *explain_claim(const char *claim)
{
    static const char *const meanings[] = {
        [VERDICT_SC] = ", needs no reordering at all",
        [VERDICT_WEAK] = ", is allowed, and needs reordering",
        [VERDICT_FORBIDDEN] = ", one sighting is a fault",
        [VERDICT_UNDEFINED] = ", may be anything, since the test has a race",
        [VERDICT_UNSPECIFIED] = ", is not specified by the model",
        [VERDICT_NONE] = "",
    };
    if (strcmp(claim, "allowed") == 0)
        return ", is allowed (the test says so itself)";
    if (strcmp(claim, "unpromised") == 0)
        return ", is allowed, and programs rely on never seeing it";
    return meanings[verdict_from_word(claim, VERDICT_NONE)];
}

/* The text without its descriptions, which are printed above it. */
static void print_body(const struct page_test *test, struct text *text)
{
    const size_t head = strcspn(test->text, "\n");
    const char *rest = next_line(test->text);
    while (*test->doc && *rest == '"')
        rest = next_line(rest);
    while (strncmp(rest, litmus_text_key, strlen(litmus_text_key)) == 0)
        rest = next_line(rest);
    FREED char *first = memory_copy_part(test->text, head);
    text_add(text, "<pre>");
    html_add_lines(text, first, SHOWN_BYTES);
    text_add(text, "\n");
    html_add_lines(text, rest, SHOWN_BYTES);
    text_add(text, "</pre>\n");
}

static void print_test(const struct page *page, const struct page_test *test, struct text *text)
{
    const char *chinese = test->parsed ? litmus_text(test->parsed, "zh") : NULL;
    print_paragraphs(test->doc, "", text);
    print_paragraphs(chinese ? chinese : "", " lang=zh", text);
    if (page_ran(test->mark))
        print_body(test, text);
    html_add(text, "<dl class=facts><dt>Witness<dd><code>$</code>", test->condition);
    if (*test->claim)
        html_add(text, ": $$", test->claim, explain_claim(test->claim));
    print_related(page, test, litmus_controls, "Control", text);
    print_related(page, test, litmus_mutants, "Mutants", text);
    /* Of a test of an assumption that programs make: how often the planted violation was seen, and the assumption
     * itself. It is broken if the test's own witness was seen. */
    static const struct {
        const char *key, *title;
    } facts[] = {{"Assumes", "Assumed"},
                 {"Relies", "Relied on by"},
                 {"Promises", "Specification"},
                 {"Instead", "Promised instead"}};
    print_related(page, test, litmus_planted, "Planted violation", text);
    for (size_t i = 0; test->parsed && i < COUNT(facts); i++)
        if (litmus_metadata(test->parsed, facts[i].key))
            html_add(text, "<dt>$<dd>$", facts[i].title, litmus_metadata(test->parsed, facts[i].key));
    html_add(text, "<dt>SHA-256 of the test<dd><code>$</code></dl>\n", PRINTED(PAGE_HASH_DIGITS + 1, "%s", test->hash));
}

/* ---- outcomes ---- */

/* A bar as long as the share of the instances of this part. */
static void print_share(uint64_t count, uint64_t counted, struct text *text)
{
    text_add(text, "<td><svg class=share><rect width=%.2f%% /></svg>\n", 100 * (double)count / (double)counted);
}

static void print_outcome(const struct page_part *part, const struct sample_outcome *outcome, struct text *text)
{
    const struct statistics_run_rate rate = page_rate_of(part, outcome->label);
    const struct sample_opinion *by = sample_deciding(outcome);
    const bool forbidden = by->verdict == VERDICT_FORBIDDEN;
    const char *word = verdict_word(by->verdict), *verdict = word ? word : "";
    html_add(text, "<tr$$><td>$$<td>$<td>$<td>$<td>$$", *verdict ? " class=" : "", verdict, outcome->label,
             outcome->witness ? " *" : "", QUANTITY_COUNT(outcome->count), HTML_RATE(rate.rate),
             HTML_INTERVAL(rate.interval), forbidden ? "\u2716 " : "", *verdict ? verdict : "unjudged");
    if (forbidden)
        html_add(text, " by $: $", by->model, by->axiom);
    if (outcome->ruling.kind == RULING_LIMIT)
        html_add(text, ", although $ forbids it: a known limit of the mapping", outcome->source.model);
    print_share(outcome->count, part->counted, text);
}

/* The unseen outcomes that a model lists, by verdict. */
static void print_unseen(const struct page_part *part, struct text *text)
{
    static const enum verdict order[] = {VERDICT_FORBIDDEN, VERDICT_WEAK, VERDICT_SC, VERDICT_UNDEFINED,
                                         VERDICT_UNSPECIFIED};
    LOCAL(text) list = {0};
    if (part->counted == 0)
        return;
    for (size_t v = 0; v < COUNT(order); v++) {
        size_t count = 0;
        FOR_EACH(const struct sample_outcome, outcome, part->outcomes, part->outcome_count) {
            if (outcome->count > 0 || sample_verdict(outcome) != order[v])
                continue;
            if (count == 0)
                html_add(&list, "$ <b>$</b>", list.size == 0 ? "" : ";", verdict_word(order[v]));
            if (count < SHOWN_UNSEEN)
                html_add(&list, "$ <code>$$</code>", count > 0 ? "," : "", outcome->label,
                         outcome->witness ? " *" : "");
            count++;
        }
        if (count > SHOWN_UNSEEN)
            html_add(&list, " and $ more", QUANTITY_COUNT(count - SHOWN_UNSEEN));
    }
    if (list.size > 0) {
        html_add(text, "<p>Not seen, each $ per instance (95 %):", HTML_RATE_OF(0, part->counted));
        text_add(text, "%s.</p>\n", text_string(&list));
    }
}

static void print_histogram(const struct page *page, const struct page_part *part, struct text *text)
{
    size_t shown = 0;
    uint64_t rest = 0;
    const size_t seen = SUM_OF(size_t, each, part->outcomes, part->outcome_count, each->count > 0);
    if (seen > 0) {
        html_add(text, "<div class=wide><table class=\"hist data\" data-name=outcomes data-test=\"$\" data-where=\"",
                 part->jobs[0].test->name);
        page_add_column(page, part->column, text);
        html_add(text,
                 "\">\n<thead><tr><th>Outcome<th>Instances<th>Per instance<th>95 % interval$"
                 "<th>Verdict<th>Share</thead>\n<tbody>\n",
                 page_rate_of(part, NULL).runs == 1 ? ", one run" : " over runs");
    }
    FOR_EACH(const struct sample_outcome, outcome, part->outcomes, part->outcome_count) {
        if (outcome->count == 0)
            continue;
        if (shown < SHOWN_OUTCOMES || outcome->witness) {
            print_outcome(part, outcome, text);
            shown++;
        } else {
            rest += outcome->count;
        }
    }
    if (seen > shown) {
        html_add(text, "<tr><td>and $ rarer ones<td>$<td><td><td>", QUANTITY_COUNT(seen - shown), QUANTITY_COUNT(rest));
        print_share(rest, part->counted, text);
    }
    if (seen > 0)
        text_add(text, "</table></div>\n");
    print_unseen(part, text);
}

/* The places of the locations, which matter more than stress does. */
static void print_homes(const struct page_part *part, struct text *text)
{
    if (part->home_count == 0)
        return;
    text_add(text, "<div class=wide><table class=hist>\n<thead><tr><th>Home of memory<th>Instances"
                   "<th>Witnesses<th>Per instance</thead>\n<tbody>\n");
    FOR_EACH(const struct sample_home, home, part->homes, part->home_count)
        html_add(text, "<tr><td>$<td>$<td>$<td>$\n", home->homes, QUANTITY_COUNT(home->counted),
                 QUANTITY_COUNT(home->witnesses), HTML_RATE_OF(home->witnesses, home->counted));
    text_add(text, "</table></div>\n");
}

/* ---- the meaning ---- */

/* Why an outcome that was seen has no verdict; NULL if each has one. */
static const char *find_unjudged(const struct page_part *part)
{
    return VALUE_OF(const char *, outcome, part->outcomes, part->outcome_count,
                    outcome->count > 0 && sample_deciding(outcome)->unjudged, sample_deciding(outcome)->unjudged, NULL);
}

/* The controls and mutants of a result, on the same device. */
static void print_beside(const struct page *page, const struct page_test *test, const struct page_part *part,
                         struct text *text)
{
    const struct page_control control = page_control_of(page, test, part->column);
    const struct page_mutants mutants = page_mutants_of(page, test, part->column);
    if (control.counted > 0) {
        html_add(text, " $Its control ", control.witnesses > 0 ? page_marks[PAGE_CONTROL].glyph : "");
        page_add_link(control.test, text);
        text_add(text, ": ");
        page_add_count(control.witnesses, control.counted, control.draws, text);
        text_add(text, ".");
    }
    if (mutants.run > 0) {
        html_add(text, " Of its mutants, $ of $ were seen here", QUANTITY_COUNT(mutants.seen),
                 QUANTITY_COUNT(mutants.run));
        if (mutants.seen > 0) {
            text_add(text, ", most often ");
            page_add_link(mutants.best, text);
            text_add(text, ": ");
            page_add_count(mutants.witnesses, mutants.counted, mutants.draws, text);
        } else if (part->witnesses == 0) {
            text_add(text, ", so that it stays clean says little");
        }
        text_add(text, ".");
    }
}

static void print_meaning(const struct page *page, const struct page_test *test, const struct page_part *part,
                          struct text *text)
{
    text_add(text, "<p>");
    if (test->progress)
        html_add(text, "Gave up: $ of $ instances. ", QUANTITY_COUNT(part->gave_up),
                 QUANTITY_COUNT(part->counted + part->void_sum));
    if (part->counted > 0 && *test->condition) {
        const struct statistics_run_rate rate = page_witness_rate(part);
        text_add(text, "Witness (*): ");
        if (part->witnesses == 0)
            page_add_count(0, part->counted, part->draws, text);
        else
            html_add(text, "$ of $ instances", QUANTITY_COUNT(part->witnesses), QUANTITY_COUNT(part->counted));
        if (part->witnesses > 0)
            page_describe_rate(&rate, text);
        text_add(text, ".");
    }
    print_beside(page, test, part, text);
    if (part->undeclared)
        text_add(
            text,
            " The device does not declare an order or scope that the test uses, so it does not promise this behaviour.");
    if (part->detached)
        text_add(
            text,
            " Not co-resident: the device holds fewer work-groups at once than the test has, so its threads hardly "
            "meet.");
    if (part->apart && !part->together)
        text_add(text,
                 " Not tested here: its launches never overlapped, so what was seen says nothing of launches that run "
                 "at the same time.");
    if (part->kept[TEST_NOT_KEPT] > 0)
        html_add(text, " <b>The compiled code is not the test</b>: $. What it shows proves nothing about the device.",
                 part->kept_reason);
    const char *unjudged = find_unjudged(part);
    if (unjudged)
        html_add(text, " Unjudged: $.", unjudged);
    text_add(text, "</p>\n");
}

/* ---- sources ---- */

static void print_voids(const struct page_part *part, struct text *text)
{
    if (part->void_sum == 0)
        return;
    html_add(text, "<dt>Void<dd>$ instances that are not outcomes (", QUANTITY_COUNT(part->void_sum));
    for (size_t i = 0; i < part->void_count; i++) {
        const char *meaning = void_reason_meaning(part->voids[i].label);
        html_add(text, "$$ $$$", i > 0 ? "; " : "", QUANTITY_COUNT(part->voids[i].count), part->voids[i].label,
                 *meaning ? ": " : "", meaning);
    }
    text_add(text, ")");
}

static void print_controlled(const struct page *page, const struct page_test *test, const struct page_part *part,
                             struct text *text)
{
    size_t count = 0;
    const char *before = "";
    FOR_EACH(const struct page_job, job, part->jobs, part->job_count) {
        if (!*job->job->row.controls || strcmp(job->job->row.controls, before) == 0)
            continue;
        before = job->job->row.controls;
        if (++count > SHOWN_UNSEEN)
            continue;
        text_add(text, "%s", count == 1 ? "<dt>Control of<dd>" : ", ");
        add_test_or_name(page, test->dialect, before, text);
        html_add(text, " $", HTML_RATE_OF(job->witnesses, job->counted));
    }
    if (count > SHOWN_UNSEEN)
        html_add(text, " and $ more", QUANTITY_COUNT(count - SHOWN_UNSEEN));
}

static bool is_shell_word(const char *word)
{
    return *word &&
           strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._") == strlen(word) &&
           *word != '-';
}

/* A command that repeats the same draws; none if a name would need quoting in a shell. */
static void print_repeat(const struct page_test *test, const struct page_part *part, struct text *text)
{
    const struct store_job_row *job = &part->jobs[0].job->row;
    if (!is_shell_word(test->name) || !is_shell_word(job->backend))
        return;
    const bool browser = strcmp(job->profile, RECORD_PAGE_PROFILE) == 0;
    html_add(text, "<dt>Rerun with<dd><code class=command>orchil $$", browser ? "web" : "run --device ",
             browser ? "" : job->backend);
    if (is_shell_word(job->profile))
        html_add(text, " --profile $", job->profile);
    text_add(text, " --seed %" PRIu64 " ", job->seed);
    for (const char *at = test->dialect; *at; at++)
        if (is_shell_word((const char[]){*at, '\0'}))
            text_add(text, "%c", *at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
    html_add(text, ":$</code>", *job->controls && is_shell_word(job->controls) ? job->controls : test->name);
}

static void print_jobs(const struct page *page, const struct page_part *part, struct text *text)
{
    html_add(text, "<dt>Jobs<dd>$, $, $", WORDS_COUNTED(part->job_count, "job", "jobs"),
             WORDS_COUNTED(part->batches, "batch", "batches"), QUANTITY_SECONDS(part->seconds));
    if (part->invalid_batches > 0)
        html_add(text, ", $ invalid batches left out", QUANTITY_COUNT(part->invalid_batches));
    for (size_t i = 0; i < part->job_count && i < SHOWN_JOBS; i++) {
        const struct page_job *job = &part->jobs[i];
        text_add(text, "; job %" PRId64 " of ", job->job->row.job_id);
        page_add_run(page, job->source, job->job->row.run_id, text);
        text_add(text, ", seed %" PRIu64, job->job->row.seed);
        if (job->log > 0)
            text_add(text, ", <a href=\"#log-%zu\">build log %zu</a>", job->log, job->log);
    }
    if (part->job_count > SHOWN_JOBS)
        html_add(text, "; and $ more", QUANTITY_COUNT(part->job_count - SHOWN_JOBS));
}

static void print_kept(const struct page_part *part, struct text *text)
{
    const size_t kept = part->kept[TEST_KEPT], merged = part->kept[TEST_MERGED], not_kept = part->kept[TEST_NOT_KEPT],
                 unknown = part->kept[TEST_NOT_INSPECTED], all = kept + merged + not_kept + unknown;
    if (kept + merged + not_kept == 0 && !(part->kept_reason && *part->kept_reason))
        return;
    text_add(text, "<dt>Compiled code<dd>");
    if (kept == all)
        text_add(text, "matches the test (checked against the machine code)");
    else if (not_kept > 0)
        html_add(text, "read back: it is not the test, in $ of $", QUANTITY_COUNT(not_kept),
                 WORDS_COUNTED(all, "job", "jobs"));
    else if (merged > 0 && unknown == 0)
        html_add(text, "read back: in $ of $ the compiler left out or moved accesses, as the model lets it: $",
                 QUANTITY_COUNT(merged), WORDS_COUNTED(all, "job", "jobs"), part->kept_reason);
    else if (unknown == all)
        html_add(text, "not inspected: $", part->kept_reason);
    else
        html_add(text, "read back in $ of $ jobs, where it is the test$; the others were not inspected: $",
                 QUANTITY_COUNT(kept + merged), QUANTITY_COUNT(all),
                 merged > 0 ? ", or changed as the model lets a compiler change it" : "", part->kept_reason);
}

static void print_provenance(const struct page *page, const struct page_test *test, const struct page_part *part,
                             struct text *text)
{
    const struct side_job *job = part->jobs[0].job;
    const struct page_environment *environment = &page->environments[part->environment];
    text_add(text, "<dl class=facts>");
    print_controlled(page, test, part, text);
    print_voids(part, text);
    if (*job->source_model || *job->target_model)
        html_add(text, "<dt>Models<dd>$$$$", job->source_model, *job->source_model ? " judges the text" : "",
                 *job->source_model && *job->target_model ? ", " : "", job->target_model);
    if (*job->target_model)
        text_add(text, " the instructions that were emitted, and decides");
    html_add(text, "<dt>Environment<dd>$$<a href=\"#environment-", job->row.profile, *job->row.profile ? ", " : "");
    const char *const hash = PRINTED(PAGE_HASH_DIGITS + 1, "%s", environment->hash);
    (void)html_add_anchor(text, hash);
    html_add(text, "\">$</a>", hash);
    if (*job->row.compiler)
        html_add(text, "<dt>Compiler<dd>$", job->row.compiler);
    print_kept(part, text);
    print_jobs(page, part, text);
    print_repeat(test, part, text);
    text_add(text, "</dl>\n");
}

static void print_state(const struct page_part *part, struct text *text)
{
    if (part->state == JOB_COMPLETED)
        return;
    html_add(text, "<p class=note><b>$</b>$$", job_state_word(part->state), *part->reason ? ": " : "", part->reason);
    for (size_t i = 0; i < part->job_count; i++) {
        if (part->jobs[i].job->row.state == part->state && part->jobs[i].detail > 0) {
            html_add(text, ". What was said: <a href=\"#log-$\">log $</a>", HTML_NUMBER(part->jobs[i].detail),
                     HTML_NUMBER(part->jobs[i].detail));
            break;
        }
    }
    text_add(text, "</p>\n");
}

/* ---- devices compared ---- */

/* Parts are sorted by column, so another environment of the same device is adjacent. */
static bool shares_column(const struct page_test *test, size_t part)
{
    const struct page_part *parts = test->parts;
    return (part > 0 && parts[part - 1].column == parts[part].column) ||
           (part + 1 < test->part_count && parts[part + 1].column == parts[part].column);
}

static struct plot_row make_row(const struct page *page, const struct page_part *part, bool shares_column,
                                struct arena *arena)
{
    const struct statistics_run_rate rate = page_witness_rate(part);
    struct text name = {0}, figures = {0};
    page_name_column(page, part->column, &name);
    if (shares_column)
        text_add(&name, ", profile %s", page->environments[part->environment].profiles);
    text_add(&figures, "%s", part->witnesses > 0 ? HTML_RATE(rate.rate) : HTML_RATE_OF(0, part->counted));
    if (part->witnesses > 0)
        text_add(&figures, " (%s), %zu %s", HTML_INTERVAL(rate.interval), rate.runs, rate.runs == 1 ? "run" : "runs");
    return (struct plot_row){.label = arena_keep(arena, &name),
                             .figures = arena_keep(arena, &figures),
                             .value = rate.rate,
                             .low = rate.interval.low,
                             .high = part->witnesses > 0 ? rate.interval.high
                                                         : statistics_zero_bound(part->counted, STATISTICS_CONFIDENCE),
                             .tone = part->mark <= PAGE_CLAIM                                       ? PLOT_BAD
                                     : part->mark == PAGE_UNPROMISED || part->mark == PAGE_NOT_KEPT ? PLOT_DOUBT
                                                                                                    : PLOT_PLAIN};
}

/* The rates of the witness, if there are several to compare and at least one was seen. */
static void print_rates(const struct page *page, const struct page_test *test, struct text *text)
{
    LOCAL(arena) arena = {0};
    struct plot_row *rows = arena_take(&arena, test->part_count, sizeof *rows);
    struct plot_intervals plot = {
        .title = "The witness per instance in a typical run, with 95 % intervals", .most = 1, .rows = rows};
    for (size_t p = 0; p < test->part_count && plot.row_count < SHOWN_RATES; p++)
        if (test->parts[p].counted > 0 && *test->condition)
            rows[plot.row_count++] = make_row(page, &test->parts[p], shares_column(test, p), &arena);
    if (plot.row_count > 1 && page_sum_of(test, SIZE_MAX).witnesses > 0)
        plot_print_intervals(&plot, text);
}

/* On request: a weak witness that was seen. */
static void print_weak(const struct page *page, const struct page_test *test, struct text *text)
{
    const char *model = test->parsed ? model_default(test->parsed->dialect) : NULL;
    if (!page->explain || !model || test->mark != PAGE_SEEN)
        return;
    for (size_t p = 0; p < test->part_count; p++)
        FOR_EACH(const struct sample_outcome, outcome, test->parts[p].outcomes, test->parts[p].outcome_count) {
            if (!outcome->witness || outcome->count == 0)
                continue;
            page_print_explanation(page, test, outcome->label, model, false, text);
            return;
        }
}

/* What CUDA C++ says of a CUDA test, beside the verdicts, which are PTX's. */
static void print_race(struct races *races, const struct page_test *test, struct text *text)
{
    LOCAL(race) race = {0};
    if (!test->parsed)
        return;
    race_find(races, test->parsed, true, &race);
    if (race.kind != RACE_NONE) {
        text_add(text, "<p>");
        HTML_SAY(text, race_describe(&race, text));
        text_add(text, "</p>\n");
    }
}

static void print_card(const struct page *page, const struct page_test *test, struct races *races, struct text *text)
{
    html_add(text,
             "<details><summary>$ <span class=\"tag $\">$$</span> <span class=tag>$</span></summary><div id=\"$\">\n",
             test->name, page_marks[test->mark].class, page_marks[test->mark].glyph, page_marks[test->mark].result,
             test->dialect, test->anchor);
    print_test(page, test, text);
    print_race(races, test, text);
    print_rates(page, test, text);
    print_weak(page, test, text);
    for (int ran = 1; ran >= 0; ran--)
        for (size_t p = 0; p < test->part_count; p++)
            if (page_ran(test->parts[p].mark) == (ran == 1)) {
                const struct page_part *part = &test->parts[p];
                text_add(text, "<h4>");
                page_add_column(page, part->column, text);
                html_add(text, ": $$</h4>\n", page_marks[part->mark].glyph, page_marks[part->mark].result);
                print_state(part, text);
                print_meaning(page, test, part, text);
                print_histogram(page, part, text);
                print_homes(part, text);
                print_provenance(page, test, part, text);
            }
    text_add(text, "</div></details>\n");
}

void page_print_tests(const struct page *page, struct text *text)
{
    const size_t others = page->test_count - page->ran_count;
    struct races *races = races_open();
    text_add(text, "<section id=tests>\n<h2>Tests in detail</h2>\n<div id=cards class=cards>\n");
    for (size_t i = 0; i < page->ran_count; i++)
        print_card(page, page->by_gravity[i], races, text);
    text_add(text, "</div>\n");
    if (others > 0)
        html_add(text,
                 "<details class=fold><summary>$ unsupported here, or counted nothing</summary>\n<div class=cards>\n",
                 WORDS_COUNTED(others, "test is", "tests are"));
    for (size_t i = page->ran_count; i < page->test_count; i++)
        print_card(page, page->by_gravity[i], races, text);
    text_add(text, "%s</section>\n", others > 0 ? "</div></details>\n" : "");
    races_close(races);
}
