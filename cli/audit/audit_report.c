// SPDX-License-Identifier: Apache-2.0
/* What an audit has found, as a document and as JSON; files of expectations. */
#include "cli/audit/audit_report.h"

#include "base/field.h"

enum { MAXIMUM_EXPECTATIONS = 1024 * 1024, MAXIMUM_SOURCE = 16 * 1024 * 1024, LINES_AROUND = 2 };

static const enum document_severity severities[] = {
#define GRADE_SEVERITY(name, word, meaning, severity) [AUDIT_##name] = DOCUMENT_##severity,
    AUDIT_GRADE_LIST(GRADE_SEVERITY)};

/* ---- places ---- */

/* A module without lines of the program has its own. */
static const char *spot_file(const struct audit_finding *finding, const struct audit_spot *spot)
{
    return file_path_from_here(spot->line > 0 ? spot->file : finding->path);
}

static unsigned spot_line(const struct audit_spot *spot)
{
    return spot->line > 0 ? spot->line : spot->ptx_line;
}

/* ---- expectations ---- */

/* The line of a finding in a file of expectations: "allowed take reduce.cu:75 reduce.cu:20". */
static char *expectation_of(const struct audit_finding *finding, struct arena *arena)
{
    struct text line = {0};
    text_add(&line, "%s %s %s:%u ", audit_grade_word(finding->grade), audit_pattern_word(finding->pattern),
             spot_file(finding, &finding->at), spot_line(&finding->at));
    if (finding->other.text)
        text_add(&line, "%s:%u", spot_file(finding, &finding->other), spot_line(&finding->other));
    else
        text_add(&line, "-");
    return arena_keep(arena, &line);
}

/* Marks the findings that a line of the file is about, whatever its comment is. */
static void expect_line(struct audit_report *report, const char *line)
{
    const char *comment = strstr(line, " #");
    size_t size = comment ? (size_t)(comment - line) : strlen(line);
    bool found = false;
    while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\r'))
        size--;
    if (size == 0 || *line == '#')
        return;
    for (size_t i = 0; i < report->audit->finding_count; i++)
        if (strncmp(report->lines[i], line, size) == 0 &&
            (report->lines[i][size] == '\0' || strncmp(report->lines[i] + size, " #", 2) == 0)) {
            report->lines[i] = line;
            report->expected[i] = found = true;
        }
    if (!found)
        ARENA_ADD(&report->audit->arena, report->stale, report->stale_count) =
            arena_copy_part(&report->audit->arena, line, size);
}

enum status audit_report_expect(struct audit_report *report, const char *path, struct error *error)
{
    struct arena *arena = &report->audit->arena;
    const size_t count = report->audit->finding_count;
    LOCAL(text) text = {0};
    report->expectations = path;
    report->lines = arena_take(arena, count + 1, sizeof *report->lines);
    report->expected = arena_take(arena, count + 1, sizeof *report->expected);
    for (size_t i = 0; i < count; i++)
        report->lines[i] = expectation_of(&report->audit->findings[i], arena);
    const enum status status = path ? file_read_input(path, MAXIMUM_EXPECTATIONS, &text, error) : STATUS_OK;
    for (const char *at = text_string(&text); *at && status == STATUS_OK; at += at[0] == '\n') {
        const size_t size = strcspn(at, "\n");
        expect_line(report, arena_copy_part(arena, at, size));
        at += size;
    }
    return status;
}

enum status audit_report_write_expectations(const struct audit_report *report, const char *path, struct error *error)
{
    LOCAL(text) text = {0};
    text_add(&text,
             "# Findings that `orchil audit --expect` does not count: grade, pattern, place, the other place.\n");
    for (size_t i = 0; i < report->audit->finding_count; i++)
        text_add(&text, "%s\n", report->lines[i]);
    return file_write_whole(path, text_string(&text), text.size, error);
}

/* ---- counts ---- */

/* A kernel may have several gaps, each a test that could not be judged. */
POINTERS_BY(compare_places, const struct audit_gap,
            strcmp(a->path, b->path) ?: (strcmp(a->kernel ? a->kernel : "", b->kernel ? b->kernel : "")))

/* What several gaps may have in common of their reason: not its line, nor what is there
 * ("line 9 of the PTX: a call of a function that was not inlined: call foo, ()"). */
static struct text_part gap_kind(const struct audit_gap *gap)
{
    const char *start = strncmp(gap->reason, "line ", 5) == 0 ? strstr(gap->reason, ": ") : NULL;
    start = start ? start + 2 : gap->reason;
    const char *end = strstr(start, ": ");
    return (struct text_part){start, end ? (size_t)(end - start) : strlen(start)};
}

static int compare_kinds(const void *left, const void *right)
{
    const struct text_part a = gap_kind(*(const struct audit_gap *const *)left);
    const struct text_part b = gap_kind(*(const struct audit_gap *const *)right);
    return (strncmp(a.start, b.start, a.size < b.size ? a.size : b.size)) ?: ORDER(a.size, b.size);
}

/* The gaps in an order; the caller frees the list. */
static const struct audit_gap **sort_gaps(const struct audit *audit, int (*compare)(const void *, const void *))
{
    const struct audit_gap **sorted = memory_take(audit->gap_count + 1, sizeof *sorted);
    for (size_t i = 0; i < audit->gap_count; i++)
        sorted[i] = &audit->gaps[i];
    SORT(sorted, audit->gap_count, compare);
    return sorted;
}

size_t audit_report_gaps(const struct audit_report *report, bool modules)
{
    FREED const struct audit_gap **sorted = sort_gaps(report->audit, compare_places);
    size_t count = 0;
    for (size_t i = 0; i < report->audit->gap_count; i++)
        if ((sorted[i]->kernel == NULL) == modules)
            count += modules || i == 0 || compare_places(&sorted[i - 1], &sorted[i]) != 0;
    return count;
}

/* Findings of a grade that are expected, or that are not. */
static size_t count_findings(const struct audit_report *report, enum audit_grade grade, bool expected)
{
    size_t count = 0;
    for (size_t i = 0; i < report->audit->finding_count; i++)
        count += report->audit->findings[i].grade == grade && report->expected[i] == expected;
    return count;
}

size_t audit_report_failures(const struct audit_report *report)
{
    return count_findings(report, AUDIT_ALLOWED, false);
}

/* Tests that were judged, with this answer. */
static size_t audit_report_count_tests(const struct audit *audit, bool allowed)
{
    return SUM_OF(size_t, test, audit->tests, audit->test_count, (*test)->judged && (*test)->allowed == allowed);
}

static void add_count(size_t count, const char *noun, struct text *text)
{
    text_add(text, "%s %s%s", QUANTITY_COUNT(count), noun, count == 1 ? "" : "s");
}

/* ---- what was not judged ---- */

/* "a call of a function that was not inlined (9), it takes too long (3)". */
static void add_reasons(const struct audit *audit, struct text *text)
{
    FREED const struct audit_gap **sorted = sort_gaps(audit, compare_kinds);
    for (size_t i = 0, end; i < audit->gap_count; i = end) {
        const struct text_part kind = gap_kind(sorted[i]);
        for (end = i + 1; end < audit->gap_count && compare_kinds(&sorted[i], &sorted[end]) == 0;)
            end++;
        text_add(text, "%s%.*s (%s)", i > 0 ? ", " : "", (int)kind.size, kind.start, QUANTITY_COUNT(end - i));
    }
}

/* "12 of 94 kernels and 1 of 3 files were not judged: ..."; nothing if all were. */
static void add_not_judged(const struct audit_report *report, struct text *text)
{
    const size_t kernels = audit_report_gaps(report, false), modules = audit_report_gaps(report, true);
    const size_t files = report->files > modules ? report->files : modules;
    if (kernels + modules == 0)
        return;
    if (kernels > 0)
        text_add(text, "%s of ", QUANTITY_COUNT(kernels));
    if (kernels > 0)
        add_count(report->audit->kernels, "kernel", text);
    text_add(text, "%s", kernels > 0 && modules > 0 ? " and " : "");
    if (modules > 0)
        text_add(text, "%zu of ", modules);
    if (modules > 0)
        add_count(files, "file", text);
    text_add(text, " %s not judged: ", kernels + modules == 1 ? "was" : "were");
    add_reasons(report->audit, text);
    text_add(text, "\n");
}

/* ---- what was looked at ---- */

/* "12 tests: 3 allowed by the model, 9 forbidden". */
static void add_tests(const struct audit *audit, struct text *text)
{
    const size_t allowed = audit_report_count_tests(audit, true), forbidden = audit_report_count_tests(audit, false);
    const size_t counts[] = {allowed, forbidden, audit->test_count - allowed - forbidden};
    static const char *const words[] = {"allowed by the model", "forbidden by the model", "not judged"};
    const char *between = ": ";
    add_count(audit->test_count, "test", text);
    for (size_t i = 0; i < COUNT(words); i++)
        if (counts[i] > 0) {
            text_add(text, "%s%s %s", between, QUANTITY_COUNT(counts[i]), words[i]);
            between = ", ";
        }
}

/* "94 kernels, 117 communications (34 take, 83 shared), 12 tests: 12 forbidden by the model". */
static void add_sum(const struct audit *audit, struct text *text)
{
    const char *between = " (";
    add_count(audit->kernels, "kernel", text);
    text_add(text, ", ");
    add_count(SUM_OF(size_t, communication, audit->communications, AUDIT_PATTERN_COUNT, *communication),
              "communication", text);
    for (int i = 0; i < AUDIT_PATTERN_COUNT; i++)
        if (audit->communications[i] > 0) {
            text_add(text, "%s%s %s", between, QUANTITY_COUNT(audit->communications[i]),
                     audit_pattern_word((enum audit_pattern)i));
            between = ", ";
        }
    text_add(text, "%s, ", *between == ',' ? ")" : "");
    add_tests(audit, text);
    text_add(text, "\n");
    if (audit->kernels == 0 && audit->gap_count == 0)
        text_add(text,
                 "No kernel was found: nvcc leaves out __device__ functions that no __global__ function calls.\n");
    else if (*between != ',')
        text_add(text, "Nothing was found to judge, which does not mean that the kernels are safe: see \"What silence "
                       "means\" in `orchil manual guide/audit`.\n");
}

/* "2 findings: 1 allowed, 1 depends on ...". */
static void add_found(const struct audit_report *report, struct text *text)
{
    const char *between = ": ";
    size_t expected = 0;
    const size_t tests = report->audit->test_count;
    if (report->audit->finding_count == 0) {
        if (tests > 0 && audit_report_count_tests(report->audit, false) == tests)
            text_add(text, "No findings: the model forbids what would be a fault in each test.\n");
        return;
    }
    add_count(report->audit->finding_count, "finding", text);
    for (int i = 0; i < AUDIT_GRADE_COUNT; i++) {
        const size_t count = count_findings(report, (enum audit_grade)i, false);
        expected += count_findings(report, (enum audit_grade)i, true);
        if (count > 0)
            text_add(text, "%s%zu %s", between, count, audit_grade_word((enum audit_grade)i));
        between = count > 0 ? ", " : between;
    }
    if (expected > 0)
        text_add(text, "%s%zu expected", between, expected);
    text_add(text, "\n");
}

/* ---- a finding ---- */

/* The names of templates' kernels are long: a text has their start. */
static void add_kernels(const struct audit_finding *finding, struct text *text)
{
    enum { SHOWN = 48 };
    text_add(text, "%s", finding->kernels == 1 ? "Kernel: " : "");
    if (finding->kernels != 1)
        text_add(text, "Kernels: %zu, the first is ", finding->kernels);
    text_add(text, "%.*s%s, %s:%u.\n", SHOWN, finding->kernel, strlen(finding->kernel) > SHOWN ? "..." : "",
             file_path_from_here(finding->path), finding->at.ptx_line);
}

/* What is below the line of a finding, a sentence on each line; the assumptions end it. */
static void add_details(const struct audit_finding *finding, struct text *text)
{
    const struct audit_test *test = finding->test;
    if (finding->at.text)
        text_add(text, "Instruction: %s;\n", finding->at.text);
    if (finding->other.text && strcmp(spot_file(finding, &finding->other), spot_file(finding, &finding->at)) == 0)
        text_add(text, "Other line: %u: %s;\n", spot_line(&finding->other), finding->other.text);
    else if (finding->other.text)
        text_add(text, "Other line: %s:%u: %s;\n", spot_file(finding, &finding->other), spot_line(&finding->other),
                 finding->other.text);
    if (test->repair)
        text_add(text, "Smallest change: %s.\n", test->repair);
    add_kernels(finding, text);
    text_add(text, "Test: %s.\n", test->name);
    for (size_t i = 0; finding->at.chain_count > 1 && i < finding->at.chain_count; i++) {
        const char *slash = strrchr(finding->at.chain[i], '/');
        text_add(text, "%s%s%s", i == 0 ? "Inlined: " : " in ", slash ? slash + 1 : finding->at.chain[i],
                 i + 1 == finding->at.chain_count ? ".\n" : "");
    }
    for (size_t i = 0; i < finding->assumption_count; i++)
        text_add(text, "%s%s%s", i == 0 ? "Assumes: " : "; ", finding->assumptions[i],
                 i + 1 == finding->assumption_count ? ".\n" : "");
}

/* Lines from elsewhere, each with its number and a mark at one of them; marked 0: without. */
static void add_lines(const char *lines, unsigned first, unsigned last, unsigned marked, struct text *text)
{
    unsigned number = 1;
    for (const char *at = lines; *at && number <= last; at += *at == '\n', number++) {
        const size_t size = strcspn(at, "\n");
        if (number >= first) {
            text_add(text, "      ");
            if (marked > 0)
                text_add(text, "%c %5u | ", number == marked ? '>' : ' ', number);
            for (size_t i = 0; i < size && at[i] != '\r'; i++)
                text_add(text, at[i] == '\t' ? "    " : "%c", at[i]);
            text_add(text, "\n");
        }
        at += size;
    }
}

/* The program's line with a few around it; nothing if the file is not there. */
static void add_source(const struct audit_spot *spot, struct document *document)
{
    LOCAL(text) source = {0};
    struct error ignored;
    if (spot->line > 0 && file_read_whole(spot->file, MAXIMUM_SOURCE, &source, &ignored) == STATUS_OK) {
        text_add(&document->line, "      %s:\n", file_path_from_here(spot->file));
        add_lines(text_string(&source), spot->line > LINES_AROUND ? spot->line - LINES_AROUND : 1,
                  spot->line + LINES_AROUND, spot->line, &document->line);
    }
    document_line(document, "", DOCUMENT_RAW);
}

static void document_add_finding(const struct audit_report *report, size_t index, bool for_people,
                                 struct document *document)
{
    const struct audit_finding *finding = &report->audit->findings[index];
    LOCAL(text) details = {0}, source = {0}, instructions = {0};
    struct error ignored;
    add_details(finding, &details);
    for (size_t i = 0; i < details.size && !for_people; i++)
        details.data[i] = details.data[i] == '\n' ? ' ' : details.data[i];
    text_add(&instructions, "%s\n%s", finding->at.text, finding->other.text ? finding->other.text : "");
    if (!for_people)
        (void)file_read_whole(spot_file(finding, &finding->at), MAXIMUM_SOURCE, &source, &ignored);
    document_find(document, &(struct document_finding){.kind = audit_pattern_word(finding->pattern),
                                                       .meaning = audit_pattern_meaning(finding->pattern),
                                                       .severity = severities[finding->grade],
                                                       .name = finding->kernel,
                                                       .where = audit_grade_word(finding->grade),
                                                       .outcome = text_string(&instructions),
                                                       .file = spot_file(finding, &finding->at),
                                                       .row = spot_line(&finding->at),
                                                       .line = finding->says,
                                                       .evidence = for_people ? "" : text_string(&details),
                                                       .excuse = report->expected[index] ? report->expectations : NULL,
                                                       .excused_as = "expected",
                                                       .source = text_string(&source)});
    if (for_people && (report->verbose || !report->expected[index])) {
        text_add(&document->line, "%s", text_string(&details));
        document_line(document, "    ", 6);
        if (report->source) {
            add_source(&finding->at, document);
            add_source(&finding->other, document);
            add_lines(finding->test->text, 1, UINT32_MAX, 0, &document->line);
            document_line(document, "", DOCUMENT_RAW);
        }
    }
}

/* What a grade means, as a title, and as a line below it what stands after a semicolon. */
static void add_title(enum audit_grade grade, struct document *document)
{
    const char *meaning = audit_grade_meaning(grade);
    const size_t size = strcspn(meaning, ";");
    LOCAL(text) title = {0};
    text_add(&title, "%c%.*s", toupper((unsigned char)*meaning), (int)size - 1, meaning + 1);
    document_section(document, text_string(&title));
    text_add(&document->line, "%s", meaning[size] ? meaning + size + 2 : "");
    document_line(document, "  ", 2);
}

static void add_grade(const struct audit_report *report, enum audit_grade grade, bool for_people,
                      struct document *document)
{
    bool begun = false;
    for (size_t i = 0; i < report->audit->finding_count; i++) {
        if (report->audit->findings[i].grade != grade)
            continue;
        if (!begun)
            add_title(grade, document);
        else if (for_people)
            document_section(document, "");
        begun = true;
        document_add_finding(report, i, for_people, document);
    }
}

/* ---- all of it ---- */

static void add_gaps(const struct audit *audit, struct document *document)
{
    if (audit->gap_count > 0)
        document_section(document, "Not judged");
    FOR_EACH(const struct audit_gap, gap, audit->gaps, audit->gap_count) {
        text_add(&document->line, "%s: %s%s%s", file_path_from_here(gap->path), gap->kernel ? gap->kernel : "",
                 gap->kernel ? ": " : "", gap->reason);
        document_line(document, "", 2);
    }
}

void audit_report_document(const struct audit_report *report, bool for_people, struct document *document)
{
    const struct audit *audit = report->audit;
    document->title = "orchil audit";
    document->hanging = 2;
    add_not_judged(report, &document->line);
    add_found(report, &document->line);
    if (audit->finding_count == 0)
        add_sum(audit, &document->line);
    document_answer(document, audit_report_failures(report) > 0 ? TERMINAL_BAD : TERMINAL_PLAIN);
    document_line(document, "", 2);
    for (int grade = 0; grade < AUDIT_GRADE_COUNT; grade++)
        add_grade(report, (enum audit_grade)grade, for_people, document);
    for (size_t i = 0; i < report->stale_count; i++) {
        if (i == 0)
            document_section(document, "Expected, and not found");
        text_add(&document->line, "%s", report->stale[i]);
        document_line(document, "", 2);
    }
    if (report->verbose)
        add_gaps(audit, document);
    if (audit->finding_count > 0) {
        document_section(document, "");
        add_sum(audit, &document->line);
        document_line(document, "", 2);
    }
}

/* ---- for programs ---- */

FIELD_NAMES(audit_pattern, enum audit_pattern, AUDIT_PATTERN_COUNT, audit_pattern_word)
FIELD_NAMES(audit_grade, enum audit_grade, AUDIT_GRADE_COUNT, audit_grade_word)

FIELD_LIST(audit_chain, text, (const struct audit_spot *spot), spot->chain_count, spot->chain[i])
#define SPOT_MEMBERS(X)                                                                                                \
    X("instruction", text, "the instruction, as in the PTX", spot->text)                                               \
    X("ptx_line", count, "the line of the instruction in the module", spot->ptx_line)                                  \
    X("file", text, "the source file; empty if the PTX has no line information", spot->file ? spot->file : "")         \
    X("line", count, "the line in the source file; 0 if unknown", spot->line)                                          \
    X("chain*", audit_chain, "`FILE:LINE` of each call that was inlined around the instruction, innermost first", spot)
FIELD_RECORD(audit_spot, SPOT_MEMBERS, const struct audit_spot *spot)
FIELD_OR_NULL(audit_other, SPOT_MEMBERS, spot->text, const struct audit_spot *spot)

#define TEST_MEMBERS(X)                                                                                                \
    X("name", text, "the name of the test, which is a hash of its text", test->name)                                   \
    X("text", text, "the text of the litmus file", test->text)                                                         \
    X("repair?", text, "the smallest change that makes the model forbid the condition", test->repair)
FIELD_RECORD(audit_test, TEST_MEMBERS, const struct audit_test *test)

FIELD_LIST(audit_assumptions, text, (const struct audit_finding *finding), finding->assumption_count,
           finding->assumptions[i])
#define FINDING_MEMBERS(X)                                                                                             \
    X("pattern", audit_pattern, "the pattern of the communication", finding->pattern)                                  \
    X("grade", audit_grade, "how certain the finding is", finding->grade)                                              \
    X("says", text, "what may happen, in one or two sentences", finding->says)                                         \
    X("at", audit_spot, "the instruction that the finding is about", &finding->at)                                     \
    X("other", audit_other, "the instruction at the other end, or null", &finding->other)                              \
    X("test", audit_test, "the test that the model judged", finding->test)                                             \
    X("assumptions", audit_assumptions, "the assumptions of the finding", finding)                                     \
    X("path", text, "the path of the module", finding->path)                                                           \
    X("kernel", text, "the first kernel with the finding", finding->kernel)                                            \
    X("kernels", count, "the number of kernels with the finding", finding->kernels)                                    \
    X("expected", boolean, "whether the file of `--expect` lists the finding", expected)
FIELD_RECORD(audit_finding, FINDING_MEMBERS, const struct audit_finding *finding, bool expected)
FIELD_LIST(audit_findings, audit_finding, (const struct audit_report *report), report->audit->finding_count,
           &report->audit->findings[i], report->expected[i])

#define GAP_MEMBERS(X)                                                                                                 \
    X("path", text, "the path of the module", gap->path)                                                               \
    X("kernel", text_or_null, "the name of the kernel; null for the whole module", gap->kernel)                        \
    X("reason", text, "why the kernel or module was not judged", gap->reason)
FIELD_RECORD(audit_gap, GAP_MEMBERS, const struct audit_gap *gap)
FIELD_LIST(audit_gaps, audit_gap, (const struct audit *audit), audit->gap_count, &audit->gaps[i])

#define COUNT_MEMBERS(X)                                                                                               \
    X("pattern", audit_pattern, "the pattern of the communication", pattern)                                           \
    X("found", count, "the number of communications found, whether or not the model allows a weak outcome",            \
      audit->communications[pattern])
FIELD_RECORD(audit_count, COUNT_MEMBERS, const struct audit *audit, enum audit_pattern pattern)
FIELD_LIST(audit_counts, audit_count, (const struct audit *audit), AUDIT_PATTERN_COUNT, audit, (enum audit_pattern)i)
FIELD_LIST(audit_stale, text, (const struct audit_report *report), report->stale_count, report->stale[i])

#define AUDIT_MEMBERS(X)                                                                                               \
    X("files", count, "the number of files that were given or found in folders", report->files)                        \
    X("kernels", count, "the number of kernels, including those that were not judged", report->audit->kernels)         \
    X("instructions", count, "the number of instructions read", report->audit->instructions)                           \
    X("communications", audit_counts, "the number of communications of each pattern", report->audit)                   \
    X("tests", count, "the number of different tests", report->audit->test_count)                                      \
    X("tests_allowed", count, "tests with an allowed condition", audit_report_count_tests(report->audit, true))        \
    X("tests_forbidden", count, "tests with a forbidden condition", audit_report_count_tests(report->audit, false))    \
    X("findings", audit_findings, "weak outcomes that the model allows, in order of files and lines", report)          \
    X("not_judged", audit_gaps, "the kernels and modules that were not judged", report->audit)                         \
    X("not_found", audit_stale, "lines of the file of `--expect` that match no finding", report)
FIELD_DOCUMENT(document_audit, AUDIT_MEMBERS, const struct audit_report *report)

void audit_report_print_json(const struct audit_report *report, struct text *text)
{
    json_add_document(JSON_AUDIT, field_document_audit(report), text);
}
