// SPDX-License-Identifier: Apache-2.0
/* Protects what an audit finds: in kernels that are broken, right in the usual way, and right for another reason
 * (findings.txt, of kernels/); that it names the kernels of real bugs, and not the mended ones (field/); and what it
 * makes of texts that are hardly PTX, or none (texts.txt). */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "audit/audit.h"
#include "base/whole_file.h"
#include "litmus/litmus.h"
#include "models/models.h"
#include "tests/corpus.h"

#define FOLDER ORCHIL_SOURCE_DIR "/tests/audit/"

static struct model *ptx_model;

/* ---- printing ---- */

static void print_spot(const struct audit_spot *spot, struct text *text)
{
    if (spot->file[0])
        text_add(text, "%s:%u", spot->file, spot->line);
    else if (spot->text)
        text_add(text, "PTX %u", spot->ptx_line);
    else
        text_add(text, "nothing");
}

/* "take allowed in nc_after (2 kernels): known.cu:62, other known.cu:60; `ld...` becomes `ld...`" */
static void print_finding(const struct audit_finding *finding, struct text *text)
{
    text_add(text, "%s %s in %s", audit_pattern_word(finding->pattern), audit_grade_word(finding->grade),
             finding->kernel);
    if (finding->kernels > 1)
        text_add(text, " (%zu kernels)", finding->kernels);
    text_add(text, ": ");
    print_spot(&finding->at, text);
    text_add(text, ", other ");
    print_spot(&finding->other, text);
    text_add(text, "; %s\n", finding->test->repair ? finding->test->repair : "no repair");
}

static void print_audit(const struct audit *audit, struct text *text)
{
    text_add(text, "%zu kernels, %zu instructions;", audit->kernels, audit->instructions);
    for (unsigned i = 0; i < AUDIT_PATTERN_COUNT; i++)
        text_add(text, " %s %zu", audit_pattern_word((enum audit_pattern)i), audit->communications[i]);
    text_add(text, "; %zu tests\n", audit->test_count);
    for (size_t i = 0; i < audit->gap_count; i++)
        text_add(text, "gap %s: %s\n", audit->gaps[i].kernel ? audit->gaps[i].kernel : "the module",
                 audit->gaps[i].reason);
    for (size_t i = 0; i < audit->finding_count; i++)
        print_finding(&audit->findings[i], text);
}

/* ---- what holds for every audit ---- */

/* Each test that an audit makes is parsed, under its name, and judged: by the audit, or here if no finding asked for
 * it. */
static void check_tests(const struct audit *audit)
{
    for (size_t i = 0; i < audit->test_count; i++) {
        const struct audit_test *test = audit->tests[i];
        const struct judge_options options = {0};
        struct judgement judgement = {0};
        struct litmus_test *read;
        struct error error;
        if (litmus_parse("audit", test->text, strlen(test->text), &read, &error) != STATUS_OK)
            fail_msg("%s\n%s", error.text, test->text);
        assert_string_equal(read->name, test->name);
        if (!test->judged && (test->reason || model_judge(ptx_model, read, &options, &judgement, &error) != STATUS_OK))
            fail_msg("%s\n%s", test->reason ? test->reason : error.text, test->text);
        judgement_release(&judgement);
        litmus_release(read);
        assert_true(test->allowed || !test->repair);
    }
}

static void audit_text(const char *path, const struct text *ptx, bool repairs, bool all, struct audit *audit)
{
    const struct audit_options options = {.repairs = repairs, .all = all, .seconds = 60};
    struct error error;
    audit_begin(audit, &options);
    audit_add(audit, path, text_string(ptx), ptx->size);
    assert_int_equal(audit_judge(audit, &error), STATUS_OK);
    check_tests(audit);
}

/* ---- kernels ---- */

static const char entry[] = ".visible .entry ";

/* Replaces all kernels but one by blanks, so that places stay the same. */
static void keep_kernel(char *ptx, const char *kept)
{
    for (char *at = strstr(ptx, entry); at;) {
        char *end = strstr(at, "\n}\n");
        assert_non_null(end);
        for (char *c = at; at != kept && c < end + 2; c++)
            *c = *c == '\n' ? '\n' : ' ';
        at = strstr(end, entry);
    }
}

/* The first grade of which the kernel has a finding when it is audited alone; AUDIT_GRADE_COUNT: it has none. */
static unsigned grade_of(const char *path, const struct text *ptx, size_t kernel, bool all)
{
    struct text one = {0};
    struct audit audit;
    text_add_bytes(&one, ptx->data, ptx->size);
    keep_kernel(one.data, one.data + kernel);
    audit_text(path, &one, false, all, &audit);
    const unsigned grade = audit.finding_count > 0 ? audit.findings[0].grade : AUDIT_GRADE_COUNT;
    assert_int_equal(audit.kernels, 1);
    assert_int_equal(audit.gap_count, 0);
    audit_release(&audit);
    text_release(&one);
    return grade;
}

/* Appends the kernels whose grade is not as the file's name says. */
static void print_wrong(const char *path, const struct text *ptx, struct text *text)
{
    const bool broken = strstr(path, "-broken") != NULL;
    for (const char *at = strstr(ptx->data, entry); at; at = strstr(at + 1, entry)) {
        const unsigned grade = grade_of(path, ptx, (size_t)(at - ptx->data), true);
        const char *name = at + strlen(entry);
        if (broken != (grade == AUDIT_ALLOWED))
            text_add(text, "%.*s: %s\n", (int)strcspn(name, "("), name,
                     grade == AUDIT_GRADE_COUNT ? "no finding" : audit_grade_word((enum audit_grade)grade));
    }
}

static void check_kernels(struct corpus_case *one, void *context)
{
    struct text ptx = {0}, found = {0}, wrong = {0}, path = {0};
    struct error error;
    struct audit audit;
    (void)context;
    text_add(&path, FOLDER "kernels/%s", one->title);
    assert_int_equal(file_read_whole(text_string(&path), 1 << 20, &ptx, &error), STATUS_OK);
    audit_text(one->title, &ptx, true, true, &audit);
    print_audit(&audit, &found);
    corpus_expect(one, "findings", text_string(&found));
    print_wrong(one->title, &ptx, &wrong);
    corpus_expect(one, "wrong", text_string(&wrong));
    audit_release(&audit);
    text_release(&ptx);
    text_release(&found);
    text_release(&wrong);
    text_release(&path);
}

static size_t count_files(const char *folder, const char *end)
{
    size_t count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *file = readdir(open); file; file = readdir(open))
        count +=
            strlen(file->d_name) > strlen(end) && strcmp(file->d_name + strlen(file->d_name) - strlen(end), end) == 0;
    (void)closedir(open);
    return count;
}

static void test_kernels(void **state)
{
    (void)state;
    assert_int_equal(corpus_each(FOLDER "findings.txt", check_kernels, NULL), count_files(FOLDER "kernels", ".ptx"));
}

/* ---- bugs of the field ---- */

static bool has_kernel(const struct text *ptx, const struct text *name)
{
    const char *at = ptx->data;
    while ((at = strstr(at, entry)) &&
           (strncmp(at + strlen(entry), name->data, name->size) != 0 || at[strlen(entry) + name->size] != '('))
        at++;
    return at != NULL;
}

/* A kernel is named as a user would audit it, and its mended twin is not. */
static void check_field(const char *path, const struct text *ptx, struct text *wrong)
{
    static const char mended[] = "_fixed";
    const size_t end = strlen(mended);
    for (const char *at = strstr(ptx->data, entry); at; at = strstr(at + 1, entry)) {
        struct text name = {0}, twin = {0};
        text_add_bytes(&name, at + strlen(entry), strcspn(at + strlen(entry), "("));
        const bool fixed = name.size > end && strcmp(text_string(&name) + name.size - end, mended) == 0;
        const bool named = grade_of(path, ptx, (size_t)(at - ptx->data), false) != AUDIT_GRADE_COUNT;
        if (fixed)
            text_add_bytes(&twin, name.data, name.size - end);
        else
            text_add(&twin, "%s%s", text_string(&name), mended);
        if (named == fixed)
            text_add(wrong, "%s: %s has %s\n", path, text_string(&name), named ? "a finding" : "no finding");
        if (!has_kernel(ptx, &twin))
            text_add(wrong, "%s: %s has no twin %s\n", path, text_string(&name), text_string(&twin));
        text_release(&name);
        text_release(&twin);
    }
}

static void test_field(void **state)
{
    (void)state;
    size_t count = 0;
    struct text wrong = {0};
    DIR *open = opendir(FOLDER "field");
    assert_non_null(open);
    for (const struct dirent *file = readdir(open); file; file = readdir(open)) {
        struct text ptx = {0}, path = {0};
        struct error error;
        const size_t length = strlen(file->d_name);
        if (length <= strlen(".ptx") || strcmp(file->d_name + length - strlen(".ptx"), ".ptx") != 0)
            continue;
        text_add(&path, FOLDER "field/%s", file->d_name);
        assert_int_equal(file_read_whole(text_string(&path), 1 << 20, &ptx, &error), STATUS_OK);
        check_field(file->d_name, &ptx, &wrong);
        count++;
        text_release(&ptx);
        text_release(&path);
    }
    (void)closedir(open);
    if (wrong.size > 0)
        fail_msg("%s", text_string(&wrong));
    assert_true(count > 0);
    text_release(&wrong);
}

/* ---- texts ---- */

static void check_text(struct corpus_case *one, void *context)
{
    struct text found = {0};
    struct audit audit;
    (void)context;
    audit_text(one->title, corpus_part(one, ""), true, true, &audit);
    print_audit(&audit, &found);
    corpus_expect(one, "audit", text_string(&found));
    audit_release(&audit);
    text_release(&found);
}

static void test_texts(void **state)
{
    (void)state;
    assert_true(corpus_each(FOLDER "texts.txt", check_text, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_field),
        cmocka_unit_test(test_texts),
    };
    struct error error;
    if (model_load("ptx", &ptx_model, &error) != STATUS_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    model_release(ptx_model);
    return failed;
}
