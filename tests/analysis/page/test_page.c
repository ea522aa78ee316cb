// SPDX-License-Identifier: Apache-2.0
/* Pages: texts of any origin stay text, zero is a bound, forbidden outcomes are found and reported, and the absence of
 * sightings is not overrated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/compare/compare.h"
#include "analysis/page/html.h"
#include "analysis/page/page.h"
#include "analysis/sides/side.h"
#include "analysis/statistics/statistics.h"
#include "results/results.h"

#define HOSTILE_NAME "<script>hostile=1</script> \"'&]]>-->\x1b[31m\x07\xe2\x80\xae"
#define HOSTILE HOSTILE_NAME "\xff" /* where bytes may be: a name that is not UTF-8 is refused when it is read */
#define TEXT                                                                                                           \
    "PTX SB\n{ x=0; y=0; P0:r0=0; P1:r0=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | "             \
    "st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n"
#define WITNESS "0:r0=0; 1:r0=0;"
#define OTHER "0:r0=1; 1:r0=1;"

/* ---- escaping and numbers ---- */

/* Protects: no text of any origin becomes markup, steers a terminal or turns its neighbours around. */
static void test_texts_are_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *from, *text;
    } rows[] = {
        {"a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"},
        {"line\nbreak\ttab\r", "line break tab "},
        {"\x1b[31m\x07\x7f", "[0x1b][31m[0x07][0x7f]"},
        {"\xe2\x80\xae"
         "abc\xe2\x81\xa6\xef\xbb\xbf",
         "[U+202E]abc[U+2066][U+FEFF]"},
        {"\xc2\x85\xc3\xa4\xff\xc0\x80\xed\xa0\x80", "[0xc2][0x85]\xc3\xa4[0xff][0xc0][0x80][0xed][0xa0][0x80]"},
        {"\xf0\x9f\x98\x80\xf3\xa0\x81\x81", "\xf0\x9f\x98\x80[U+E0041]"},
        {"$ %s $", "$ %s $"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0}, wanted = {0};
        html_add(&text, "<b a=\"$\">$</b>", rows[i].from, rows[i].from);
        text_add(&wanted, "<b a=\"%s\">%s</b>", rows[i].text, rows[i].text);
        assert_string_equal(text_string(&text), text_string(&wanted));
        text_release(&text);
        text_release(&wanted);
    }
}

/* Protects: an extra `$` is detected and not printed as a stray pointer. */
static void test_missing_argument_fails(void **state)
{
    (void)state;
    struct text text = {0};
    html_add(&text, "<b>$$</b>", "one");
    assert_true(text.failed);
    text_release(&text);
}

/* Protects: lines stay lines in <pre>, and a note says what was cut off. */
static void test_lines_are_kept_and_cut(void **state)
{
    (void)state;
    struct text text = {0};
    html_add_lines(&text, "a <\n\tb\r\nc\x01", 100);
    text_add(&text, "|");
    html_add_lines(&text, "123456789", 4);
    assert_string_equal(text_string(&text), "a &lt;\n\tb\nc[0x01]|1234\n[... 5 bytes more]");
    text_release(&text);
}

/* Protects: the forms of numbers that people and the page's sorting read. */
static void test_numbers(void **state)
{
    (void)state;
    char buffer[HTML_NUMBER_SIZE];
    assert_string_equal(html_rate(0.25, buffer), "0.250");
    assert_string_equal(html_rate(0.00999, buffer), "9.99e-3");
    assert_string_equal(html_rate(0.009999, buffer), "0.0100");
    assert_string_equal(html_rate(1.234e-12, buffer), "1.23e-12");
    assert_string_equal(html_rate(0, buffer), "0");
    assert_string_equal(html_rate_of(0, 1000000, buffer), "< 3.0e-6");
    assert_string_equal(html_rate_of(1, 4, buffer), "0.250");
    assert_string_equal(html_rate(12, buffer), "12.0");
    assert_string_equal(html_rate(1234.6, buffer), "1235");
    assert_string_equal(html_rate_of(0, 0, buffer), "");
    assert_string_equal(html_rate_of(0, 1, buffer), "< 0.95");
    char pair[2 * HTML_NUMBER_SIZE];
    assert_string_equal(html_interval((struct interval){0.116, 0.129}, pair), "0.116 to 0.129");
    assert_string_equal(html_interval((struct interval){0.32991, 0.33012}, pair), "0.32991 to 0.33012");
    assert_string_equal(html_interval((struct interval){0.999, 1.004}, pair), "0.9990 to 1.004");
    assert_string_equal(html_interval((struct interval){0.25, 0.25}, pair), "0.250");
    assert_string_equal(html_interval((struct interval){0, 3e-6}, pair), "0 to 3.00e-6");
    assert_string_equal(html_count_in_words(999999, buffer), "999,999");
    assert_string_equal(html_count_in_words(3100000000000, buffer), "3.1 trillion");
    assert_string_equal(html_count_in_words(999600000, buffer), "1 billion");
}

/* ---- databases ---- */

struct place {
    char path[64];
    struct store *store;
    int64_t run;
    struct error error;
};

struct planted_job {
    const char *name, *text, *controls, *state, *log, *verdict, *target, *doc, *device;
    unsigned marks, batches; /* batches: 0: one */
    enum kept kept;
    const char *kept_reason; /* NULL: none */
    uint64_t witnesses, others;
};

#define must(expression) assert_int_equal(expression, STATUS_OK)

static void open_place(struct place *place, const char *command)
{
    *place = (struct place){.path = "/tmp/orchil-page-XXXXXX"};
    const int file = mkstemp(place->path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(place->path), 0);
    must(store_open(place->path, STORE_WRITE, &place->store, &place->error));
    const struct store_run run = {"0.1", command, "host", "{}", 7, false};
    must(store_begin_run(place->store, &run, &place->run, &place->error));
}

static void judge(struct place *place, int64_t id, const char *role, const char *model, const char *verdict)
{
    const enum verdict said = verdict_from_word(verdict, VERDICT_NONE);
    assert_int_not_equal(said, VERDICT_NONE);
    const struct store_verdict verdicts[] = {{WITNESS, said, strcmp(verdict, "forbidden") == 0 ? "Axiom" : ""},
                                             {OTHER, VERDICT_SC, ""}};
    const struct store_judgement judgement = {.role = role,
                                              .model = model,
                                              .model_hash = "",
                                              .unjudged = "",
                                              .cut = "",
                                              .verdicts = verdicts,
                                              .verdict_count = 2};
    must(store_put_judgement(place->store, id, &judgement, &place->error));
}

static void add_job(struct place *place, const struct planted_job *planted)
{
    int64_t id = 0;
    const struct store_job job = {.run_id = place->run,
                                  .device = {"simulated", planted->device ? planted->device : "Device", "Vendor", "u",
                                             "arch", true, 4, "", "1.0", "", "{}"},
                                  .test = {"PTX", planted->name, planted->name, planted->text ? planted->text : TEXT,
                                           "exists (0:r0=0 /\\ 1:r0=0)",
                                           planted->doc ? planted->doc : "What it asks.\nWhy."},
                                  .environment = {"e0", "{\"rounds\":[1,2]}", "gpu"},
                                  .key = "0123456789abcdef",
                                  .seed = 7,
                                  .controls = planted->controls ? planted->controls : ""};
    must(store_begin_job(place->store, &job, &id, &place->error));
    const struct build build = {"kernel",
                                "",
                                planted->log ? planted->log : "",
                                0.1,
                                4,
                                planted->marks,
                                "",
                                planted->kept,
                                planted->kept_reason};
    must(store_add_build(place->store, id, &build, &place->error));
    const struct count counts[] = {{OTHER, planted->others, false}, {WITNESS, planted->witnesses, true}};
    struct batch batch = {.draw = "{}",
                          .instances = planted->others + planted->witnesses,
                          .seconds = 0.5,
                          .liveness = "{}",
                          .outcomes = counts,
                          .outcome_count = planted->witnesses > 0 ? 2 : 1};
    for (; planted->others > 0 && (batch.number == 0 || batch.number < planted->batches); batch.number++)
        must(store_add_batches(place->store, id, &batch, 1, &place->error));
    if (planted->verdict)
        judge(place, id, "source", "source-model", planted->verdict);
    if (planted->target)
        judge(place, id, "target", "target-model", planted->target);
    const enum job_state state = planted->state ? job_state_from_word(planted->state, JOB_STATE_COUNT) : JOB_COMPLETED;
    assert_int_not_equal(state, JOB_STATE_COUNT);
    must(store_finish_job(place->store, id, state, planted->state ? HOSTILE : "", planted->state ? HOSTILE : "", 0.5,
                          &place->error));
}

/* The page of a place, which is closed and removed. */
static char *print_place(struct place *place)
{
    struct text text = {0};
    struct page page;
    must(store_finish_run(place->store, place->run, RUN_COMPLETED, &place->error));
    store_close(place->store);
    const char *const databases[] = {place->path};
    const struct selector selector = {.database = databases[0]};
    const struct page_request request = {.selectors = &selector, .count = 1};
    must(page_read(&request, &page, &place->error));
    page_print(&page, &text);
    page_release(&page);
    for (const char *const *suffix = (const char *const[]){"", "-wal", "-shm", NULL}; *suffix; suffix++) {
        char path[80];
        (void)snprintf(path, sizeof path, "%s%s", place->path, *suffix);
        (void)unlink(path);
    }
    char *taken = text_take(&text);
    assert_non_null(taken);
    return taken;
}

static size_t count_of(const char *page, const char *what)
{
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* Protects: names, explanations, texts, reasons, logs and command lines of any content stay text, wherever they are. */
static void test_hostile_database(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, HOSTILE);
    add_job(&place,
            &(struct planted_job){.name = HOSTILE_NAME, .text = HOSTILE, .doc = HOSTILE, .log = HOSTILE, .others = 10});
    add_job(&place,
            &(struct planted_job){.name = "<b>", .text = "x", .controls = HOSTILE_NAME, .others = 10, .witnesses = 3});
    add_job(&place, &(struct planted_job){.name = "[b]", .state = "crash"});
    char *page = print_place(&place);
    assert_int_equal(count_of(page, "<script"), 1);
    assert_int_equal(count_of(page, "<style"), 1);
    assert_int_equal(count_of(page, "<!--"), 0);
    assert_true(count_of(page, "&lt;script&gt;hostile=1&lt;/script&gt; &quot;&#39;&amp;]]&gt;") >= 8);
    for (const char *at = page; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t');
    assert_null(strstr(page, "\xe2\x80\xae"));
    assert_null(strchr(page, '\xff'));
    /* Names that are not anchors have places of their own. */
    assert_int_equal(count_of(page, "<div id=\"ptx-_b_~"), 2);
    free(page);
}

/* Protects: a description in Chinese follows the English one, marked as Chinese, and is not repeated with the text. */
static void test_described_in_chinese(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place,
            &(struct planted_job){.name = "SB",
                                  .verdict = "weak",
                                  .others = 900,
                                  .doc = "Store buffering.",
                                  .text = "PTX SB\n\"Store buffering.\"\nText.zh=存储缓冲。\nText.zh=会<不会>？\n"
                                          "Expect=allowed\n{ x=0; }\n P0@cta 0,gpu 0 ;\n st.relaxed.gpu x, 1 ;\n"
                                          "exists ([x]=1)\n"});
    char *page = print_place(&place);
    assert_non_null(
        strstr(page, "<p>Store buffering.</p>\n<p lang=zh>存储缓冲。</p>\n<p lang=zh>会&lt;不会&gt;？</p>\n"));
    assert_int_equal(count_of(page, "Text.zh"), 0);
    assert_non_null(strstr(page, "Expect=allowed"));
    free(page);
}

/* Protects: a test that the compiler did not keep is not a result, whatever it showed: the first sentence, the map, its
 * card and the legend say so, with the reason; if it shows a forbidden outcome, the compiler is the suspect. */
static void test_not_kept(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place, &(struct planted_job){
                        .name = "A-kept", .verdict = "weak", .others = 900, .witnesses = 100, .kept = TEST_KEPT});
    add_job(&place, &(struct planted_job){.name = "B-lost",
                                          .verdict = "weak",
                                          .others = 900,
                                          .witnesses = 100,
                                          .kept = TEST_NOT_KEPT,
                                          .kept_reason = "P1 <line 7>: the load is missing"});
    add_job(&place, &(struct planted_job){
                        .name = "C-unread", .verdict = "weak", .others = 900, .kept_reason = "no disassembler"});
    add_job(&place, &(struct planted_job){.name = "D-old", .verdict = "weak", .others = 900});
    char *page = print_place(&place);
    assert_non_null(strstr(page, "In 1 of the tests <b>the compiled code is not the test</b>"));
    assert_null(strstr(page, "class=\"lead good\""));
    assert_non_null(strstr(page, "<td class=\"n kp\">\u25b2 0.1"));
    assert_non_null(strstr(page, "<li class=kp>\u25b2 not kept: the compiled code is not the test"));
    assert_non_null(strstr(page, "<span class=\"tag kp\">\u25b2 not kept</span>"));
    assert_int_equal(count_of(page, "<b>The compiled code is not the test</b>: P1 &lt;line 7&gt;: the load is missing"),
                     1);
    assert_int_equal(count_of(page, "<dt>Compiled code<dd>"), 3);
    assert_non_null(strstr(page, "<dt>Compiled code<dd>matches the test (checked against the machine code)<dt>"));
    assert_non_null(strstr(page, "<dt>Compiled code<dd>read back: it is not the test, in 1 of 1 job<dt>"));
    assert_non_null(strstr(page, "<dt>Compiled code<dd>not inspected: no disassembler<dt>"));
    free(page);
}

/* Protects: of several jobs of a test the worst counts, with its reason; a forbidden outcome of a test that was not
 * kept is blamed on the compiler first, and stays a forbidden outcome. */
static void test_not_kept_and_forbidden(void **state)
{
    (void)state;
    struct place place;
    const struct planted_job unread = {
        .name = "A", .verdict = "forbidden", .others = 9, .kept_reason = "no disassembler"};
    open_place(&place, "orchil run");
    add_job(&place, &unread);
    add_job(&place, &(struct planted_job){.name = "A",
                                          .verdict = "forbidden",
                                          .others = 900,
                                          .witnesses = 1,
                                          .kept = TEST_NOT_KEPT,
                                          .kept_reason = "P0 line 2: a fence is gone"});
    add_job(&place, &unread);
    add_job(&place, &(struct planted_job){.name = "B", .verdict = "forbidden", .others = 9, .kept = TEST_KEPT});
    add_job(&place, &(struct planted_job){
                        .name = "B", .verdict = "forbidden", .others = 9, .kept_reason = "no disassembler any more"});
    char *page = print_place(&place);
    assert_non_null(
        strstr(page, "<b>An outcome that must never appear was seen in <a href=\"#found-ptx-A\">A</a>.</b> One is "
                     "enough to matter."));
    assert_non_null(strstr(page,
                           "forbidden by the model source-model: Axiom; suspect the compiler first: the compiled code "
                           "is not the test: P0 line 2: a fence is gone<td data-l=Where rowspan=1>"));
    assert_non_null(strstr(page, "read back: it is not the test, in 1 of 3 jobs<dt>"));
    assert_non_null(strstr(page, "read back in 1 of 2 jobs, where it is the test; the others were not inspected: no "
                                 "disassembler any more<dt>"));
    free(page);
}

/* Protects: the order of the page, its sentence, and the suspects. */
static void test_alarms(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place, &(struct planted_job){.name = "A-clean", .verdict = "forbidden", .others = 1000});
    add_job(&place, &(struct planted_job){.name = "B-weak", .verdict = "weak", .others = 900, .witnesses = 100});
    add_job(&place, &(struct planted_job){
                        .name = "C-control", .controls = "B-weak", .verdict = "weak", .others = 999, .witnesses = 1});
    add_job(&place,
            &(struct planted_job){
                .name = "D-excused", .verdict = "forbidden", .marks = MARK_UNDECLARED, .others = 998, .witnesses = 2});
    add_job(&place, &(struct planted_job){
                        .name = "Y-limit", .verdict = "forbidden", .target = "weak", .others = 996, .witnesses = 4});
    add_job(&place,
            &(struct planted_job){
                .name = "Z-broken", .verdict = "forbidden", .target = "forbidden", .others = 997, .witnesses = 3});
    char *page = print_place(&place);
    assert_non_null(strstr(
        page, "<b>An outcome that must never appear was seen in <a href=\"#found-ptx-Z-broken\">Z-broken</a> and "
              "<a href=\"#found-ptx-C-control\">C-control</a>.</b> One is enough to matter."));
    assert_non_null(strstr(page, "<b>1 control showed the outcome that it should rule out.</b>"));
    assert_non_null(strstr(
        page, "<td data-l=Why rowspan=1>\u2716 forbidden by the model target-model: Axiom<td data-l=Where rowspan=1>"));
    assert_non_null(strstr(page,
                           "3 of 1,000<td class=n data-l=\"Per instance\">3.00e-3<td class=n data-l=\"95 % interval\">"
                           "6.19e-4 to 8.74e-3 <small>one run</small>\n"));
    assert_non_null(strstr(page, "weak, although source-model forbids it: a known limit of the mapping"));
    assert_non_null(strstr(page, "\u2716 it is the control of <a href=\"#ptx-B-weak\">"));
    const char *excused = strstr(page, "<h3>Not promised by the device</h3>");
    assert_non_null(excused);
    assert_non_null(strstr(excused, "2 of 1,000"));
    assert_non_null(strstr(page, "<td class=\"n kz\">&lt; 3.0e-3<td>forbidden<td>not seen"));
    /* Bad results come before alphabetical order. */
    const char *map = strstr(page, "<section id=map>");
    assert_non_null(map);
    assert_true(strstr(map, ">Z-broken<") < strstr(map, ">C-control<"));
    assert_true(strstr(map, ">C-control<") < strstr(map, ">D-excused<"));
    assert_true(strstr(map, ">D-excused<") < strstr(map, ">A-clean<"));
    free(page);
}

/* Protects: a run that failed is not a clean run. */
static void test_nothing_counted(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place, &(struct planted_job){.name = "A", .state = "hang", .verdict = "forbidden"});
    char *page = print_place(&place);
    assert_non_null(strstr(page, "<p class=\"lead doubt\">"));
    assert_non_null(strstr(page, "<b>Nothing was counted, so nothing is shown.</b>"));
    assert_non_null(strstr(page, "<td class=\"n kf\">! fault"));
    assert_non_null(strstr(page, "<tr><th scope=row>hang<td data-l=Reason>&lt;script&gt;"));
    assert_null(strstr(page, "<p>Not seen, each")); /* nothing has no bound */
    free(page);
}

/* Protects: an unseen outcome that a model lists is a witness if the condition says so, and has a bound. */
static void test_unseen_witness(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place, &(struct planted_job){.name = "SB", .verdict = "weak", .others = 1000000});
    char *page = print_place(&place);
    assert_non_null(strstr(page, "<p>Not seen, each &lt; 3.0e-6 per instance (95 %): <b>weak</b> "
                                 "<code>" WITNESS " *</code>.</p>"));
    assert_non_null(strstr(page, "<td class=\"n kz\">&lt; 3.0e-6<td>weak<td>not seen"));
    assert_non_null(
        strstr(page, "<p class=\"lead \"><b>No weak outcome was seen.</b> No test here has a forbidden outcome. </p>"));
    free(page);
}

/* A forbidden test that was never seen to fail, as the control of a weak one: that one is its mutant. */
static void add_pair(struct place *place, const char *weak, const char *forbidden, uint64_t witnesses)
{
    add_job(place, &(struct planted_job){.name = weak, .verdict = "weak", .others = 900, .witnesses = witnesses});
    add_job(place, &(struct planted_job){.name = forbidden, .controls = weak, .verdict = "forbidden", .others = 1000});
}

/* Protects: a page without forbidden outcomes is green only if the mutants were seen; otherwise it is amber, and the
 * first sentence says how many were. The same holds for each cell and for the tile. */
static void test_silence(void **state)
{
    (void)state;
    static const struct {
        uint64_t first, second;
        const char *lead, *tile, *cell;
    } cases[] = {
        {0, 0,
         "<p class=\"lead doubt\"><b>No forbidden outcome was seen, but 0 of 2 <a href=\"#guide\">mutants</a> were seen "
         "either, so that says little.</b> </p>",
         "<li class=doubt><b>0 of 4</b>", "<td class=\"n kq\">? &lt; 3.0e-3"},
        {5, 0,
         "<p class=\"lead doubt\"><b>No forbidden outcome was seen, but only 1 of 2 <a href=\"#guide\">mutants</a> was "
         "seen.</b> <a href=\"#ptx-A-weak\">A-weak</a> showed its weak outcome in 1 of 181 instances; "
         "the model allows it. </p>",
         "<li class=doubt><b>0 of 4</b>", "<td class=\"n kg\">\u2713 &lt; 3.0e-3"},
        {5, 7,
         "<p class=\"lead good\"><b>No forbidden outcome was seen, and 2 of 2 <a href=\"#guide\">mutants</a> were "
         "seen.</b> A weakened version of each such test showed the outcome on each device, so these runs could have "
         "found a fault. 2 tests showed weak outcomes, most often <a href=\"#ptx-B-weak\">B-weak</a>, in 1 "
         "of 130 instances; the model allows them. </p>",
         "<li class=good><b>0 of 4</b>", "<td class=\"n kg\">\u2713 &lt; 3.0e-3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct place place;
        open_place(&place, "orchil run");
        add_pair(&place, "A-weak", "A-fence", cases[i].first);
        add_pair(&place, "B-weak", "B-fence", cases[i].second);
        char *page = print_place(&place);
        assert_non_null(strstr(page, cases[i].lead));
        assert_non_null(strstr(page, cases[i].tile));
        assert_int_equal(strstr(page, "<li><a href=\"#ptx-B-weak\">B-weak</a>: What it asks. <b>Seen in 1 of 130 "
                                      "instances</b>. <small>Also <a href=\"#ptx-A-weak\">A-weak</a> in 1 of 181 "
                                      "instances.</small></li>\n") != NULL,
                         cases[i].second > 0);
        const char *row = strstr(page, "<tr><th scope=row><a href=\"#ptx-A-fence\">");
        assert_non_null(row);
        assert_ptr_equal(strstr(row, cases[i].cell), strstr(row, "<td"));
        free(page);
    }
}

/* Protects: a job without a result leaves the page amber, whatever the mutants showed. */
static void test_gap_is_no_pass(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_pair(&place, "A-weak", "A-fence", 5);
    add_job(&place, &(struct planted_job){.name = "B", .state = "hang", .verdict = "forbidden"});
    char *page = print_place(&place);
    assert_non_null(strstr(page, "<p class=\"lead doubt\"><b>No forbidden outcome was seen, and 1 of 1"));
    assert_non_null(strstr(page, "1 of 3 jobs gave no complete result. </p>"));
    free(page);
}

/* Protects: outcomes that a device does not promise to forbid are also amber, and the first sentence does not deny that
 * they were seen. */
static void test_unpromised_is_no_pass(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_pair(&place, "A-weak", "A-fence", 5);
    add_job(&place, &(struct planted_job){
                        .name = "B", .verdict = "forbidden", .marks = MARK_UNDECLARED, .others = 998, .witnesses = 2});
    char *page = print_place(&place);
    assert_non_null(strstr(page,
                           "<p class=\"lead doubt\"><b>No forbidden outcome was seen where the device promises to "
                           "rule it out, and 1 of 1"));
    assert_non_null(strstr(page, "In 1 of the tests one was seen where the device does not promise"));
    free(page);
}

/* Protects: mutants that were seen on one device say nothing about another, and the sentence distinguishes them. */
static void test_silence_is_of_a_device(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    for (int device = 0; device < 2; device++) {
        const char *name = device == 0 ? "First" : "Second";
        add_job(
            &place,
            &(struct planted_job){
                .name = "A-weak", .device = name, .verdict = "weak", .others = 900, .witnesses = device == 0 ? 4 : 0});
        add_job(&place,
                &(struct planted_job){
                    .name = "A-fence", .device = name, .controls = "A-weak", .verdict = "forbidden", .others = 1000});
    }
    char *page = print_place(&place);
    assert_non_null(strstr(page, "but only 0 of 1 <a href=\"#guide\">mutants</a> were seen on every device, and 1 on "
                                 "some.</b> <a href=\"#ptx-A-weak\">A-weak</a> showed its weak outcome in 1 of 226 "
                                 "instances; the model allows it. </p>"));
    assert_non_null(strstr(page, "<td class=\"n kg\">\u2713 &lt; 3.0e-3<td class=\"n kq\">? &lt; 3.0e-3"));
    /* Two devices are compared in a picture, if at least one saw something. */
    assert_int_equal(count_of(page, "<figure class=plot>"), 1);
    const char *plot = strstr(page, "<figure class=plot>");
    assert_true(plot > strstr(page, "id=\"ptx-A-weak\""));
    assert_non_null(strstr(plot, "<span class=plabel>First, simulated 1.0</span>"));
    assert_non_null(strstr(plot, "<span class=pfigures>&lt; 3.3e-3</span>"));
    free(page);
}

/* Protects: tests that ran come first in the map, the cards and the lists; unsupported ones are folded after them with
 * their number, whatever their names. */
static void test_unsupported_comes_last(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place, &(struct planted_job){.name = "A-refused", .state = "unsupported"});
    add_job(&place, &(struct planted_job){.name = "B-refused", .state = "unsupported"});
    add_job(&place, &(struct planted_job){.name = "C-hang", .state = "hang"});
    add_pair(&place, "Y-weak", "Z-fence", 5);
    char *page = print_place(&place);
    const char *findings = strstr(page, "<section id=findings>"), *map = strstr(page, "<section id=map>");
    const char *cards = strstr(page, "<section id=tests>");
    assert_true(findings && map && cards && findings < map && map < cards);
    assert_true(strstr(findings, "<h3>Without a complete result</h3>") <
                strstr(findings, "<details class=fold><summary>Unsupported: 2 jobs, and why</summary>"));
    assert_true(strstr(findings, ">A-refused<") > strstr(findings, "Unsupported: 2 jobs"));
    static const char fold[] =
        "<details class=fold><summary>2 tests are unsupported here, or counted nothing</summary>";
    const char *map_fold = strstr(map, fold);
    assert_true(map_fold && map_fold < cards);
    assert_true(strstr(map, ">Z-fence<") < map_fold);
    assert_true(strstr(map, ">A-refused<") > map_fold);
    const char *card_fold = strstr(cards, fold);
    assert_non_null(card_fold);
    assert_true(strstr(cards, "id=\"ptx-Z-fence\"") < card_fold);
    assert_true(strstr(cards, "id=\"ptx-A-refused\"") > card_fold);
    assert_non_null(strstr(page, "2 tests are unsupported. </p>"));
    /* The answer and the findings come before the explanation. */
    assert_true(strstr(page, "id=\"guide\"") > card_fold);
    free(page);
}

/* Protects: zero has two bounds, and a run that repeats its draws by an equal seed adds instances but no draws. */
static void test_zero_has_two_bounds(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    for (int run = 0; run < 2; run++)
        add_job(&place, &(struct planted_job){.name = "SB", .verdict = "weak", .others = 1000, .batches = 60});
    char *page = print_place(&place);
    assert_non_null(strstr(page,
                           "Witness (*): 0 of 120,000 instances, below 2.5e-5 per instance if the chance is the same "
                           "everywhere; none of 60 draws showed it, so fewer than 4.9 % do (95 % confidence)."));
    free(page);
}

/* Protects: outcomes that a model allows and a device never showed are listed with their bounds, most instances first,
 * each device separately; the list has neither seen outcomes nor outcomes that a deciding model forbids. */
static void test_allowed_never_seen(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_job(&place, &(struct planted_job){.name = "A-few", .verdict = "weak", .others = 1000});
    add_job(&place, &(struct planted_job){.name = "B-many", .verdict = "sc", .others = 3600000000000, .batches = 60});
    add_job(&place, &(struct planted_job){.name = "C-seen", .verdict = "weak", .others = 999, .witnesses = 1});
    add_job(&place, &(struct planted_job){.name = "D-forbidden", .verdict = "forbidden", .others = 1000});
    add_job(&place,
            &(struct planted_job){.name = "E-target", .verdict = "weak", .target = "forbidden", .others = 1000});
    add_job(&place, &(struct planted_job){.name = "F-undefined", .verdict = "undefined", .others = 1000});
    add_job(&place, &(struct planted_job){.name = "C-seen", .device = "Second", .verdict = "weak", .others = 2000});
    char *page = print_place(&place);
    const char *list = strstr(page, "<section id=unseen>"), *end = list ? strstr(list, "</section>") : NULL;
    assert_non_null(end);
    page[end - page] = '\0';
    assert_non_null(strstr(list, "0 of 216,000,000,000,000 instances, so its rate there is below 1.4e-14 (95 %"));
    assert_non_null(strstr(list, "<td class=n data-l=Instances>0 of 216,000,000,000,000"
                                 "<td class=n data-l=\"Per instance\">&lt; 1.4e-14<td class=n data-l=Draws>60"
                                 "<td class=n data-l=\"Of draws\">&lt; 4.9 %<td data-l=Elsewhere>not seen\n"));
    assert_int_equal(count_of(list, "<tr><th scope=row>"), 3);
    const char *rows = strstr(list, "<tbody>"), *many = strstr(rows, ">B-many<"), *second = strstr(rows, ">C-seen<");
    assert_true(many && second && many < second && second < strstr(rows, ">A-few<"));
    assert_non_null(strstr(second, "Second</span><small class=cut>simulated 1.0</small>"));
    assert_non_null(strstr(second, "0 of 2,000<td class=n data-l=\"Per instance\">&lt; 1.5e-3"));
    assert_true(strstr(second, "<td data-l=Elsewhere>seen\n") < strstr(rows, ">A-few<"));
    free(page);
}

/* Protects: a page without such outcomes has no such list. */
static void test_all_seen(void **state)
{
    (void)state;
    struct place place;
    open_place(&place, "orchil run");
    add_pair(&place, "A-weak", "A-fence", 5);
    char *page = print_place(&place);
    assert_null(strstr(page, "<section id=unseen>"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_missing_argument_fails),
        cmocka_unit_test(test_lines_are_kept_and_cut),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_hostile_database),
        cmocka_unit_test(test_described_in_chinese),
        cmocka_unit_test(test_not_kept),
        cmocka_unit_test(test_not_kept_and_forbidden),
        cmocka_unit_test(test_alarms),
        cmocka_unit_test(test_nothing_counted),
        cmocka_unit_test(test_unseen_witness),
        cmocka_unit_test(test_allowed_never_seen),
        cmocka_unit_test(test_all_seen),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_gap_is_no_pass),
        cmocka_unit_test(test_unpromised_is_no_pass),
        cmocka_unit_test(test_silence_is_of_a_device),
        cmocka_unit_test(test_unsupported_comes_last),
        cmocka_unit_test(test_zero_has_two_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
