// SPDX-License-Identifier: Apache-2.0
/* Protects the variants that a generation makes, each once and in order, and its refusals. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/cycles/generate.h"
#include "tests/catalogue/cycles/cycles.h"

/* ---- names of a line ---- */

static enum status add_name(const struct variant *variant, void *context, struct error *error)
{
    struct text *names = context;
    struct litmus_test *test;
    if (variant_test(variant, NULL, &test, error) != STATUS_OK)
        fail_msg("a variant that has no test: %s", error->text);
    text_add(names, "%s ", test->name);
    litmus_release(test);
    return STATUS_OK;
}

/* Appends the names that a line makes, each followed by a blank. The count must equal generation_check's. */
static unsigned long generate(char *line, struct text *names)
{
    struct generation generation;
    struct error error = {0};
    unsigned long count;
    size_t made = 0;
    const size_t start = names->size;
    if (generation_parse(line, &generation, &error) != STATUS_OK ||
        generation_check(&generation, &count, &error) != STATUS_OK ||
        generation_each(&generation, add_name, names, &error) != STATUS_OK)
        fail_msg("%s: %s", line, error.text);
    assert_false(names->failed);
    for (size_t i = start; i < names->size; i++)
        made += names->data[i] == ' ';
    assert_int_equal(made, count);
    return count;
}

static void check_made(char *line, void *context)
{
    struct text names = {0};
    const char *expected = cut_line(line, " => ");
    (void)context;
    (void)generate(line, &names);
    names.data[names.size - 1] = '\0';
    assert_string_equal(text_string(&names), expected);
    text_release(&names);
}

static void lines_make_the_names_behind_them(void **state)
{
    (void)state;
    assert_true(each_cycle_line("made.txt", check_made, NULL) > 10);
}

/* ---- the matrix of cuda-litmus ---- */

static const struct {
    const char *family;
    unsigned long count;
} matrix[] = {
    {"2+2W", 32}, {"3.2W", 160},   {"IRIW", 240}, {"ISA2", 230}, {"RWC", 110},
    {"WRC", 110}, {"WRW+2W", 110}, {"WWC", 150},  {"Z6.3", 160},
};

struct matrix_state {
    size_t row;
    struct text names;
};

static void check_matrix(char *line, void *context)
{
    struct matrix_state *state = context;
    assert_non_null(strstr(line, matrix[state->row].family));
    assert_int_equal(generate(line, &state->names), matrix[state->row].count);
    state->row++;
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void the_matrix_of_cuda_litmus_has_1302_names(void **state)
{
    enum { COUNT = 1302 };
    struct matrix_state rows = {0};
    static char *names[COUNT];
    size_t count = 0;
    (void)state;
    assert_int_equal(each_cycle_line("cuda-litmus.txt", check_matrix, &rows), sizeof matrix / sizeof *matrix);
    for (char *at = rows.names.data, *blank; (blank = strchr(at, ' ')); at = blank + 1) {
        assert_true(count < COUNT);
        *blank = '\0';
        names[count++] = at;
    }
    assert_int_equal(count, COUNT);
    qsort(names, COUNT, sizeof *names, by_text);
    for (size_t i = 1; i < COUNT; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            fail_msg("%s is made twice", names[i]);
    text_release(&rows.names);
}

/* ---- refusals ---- */

static void check_refused(char *line, void *context)
{
    struct generation generation;
    struct error error = {0};
    unsigned long count;
    const char *expected = cut_line(line, " => ");
    (void)context;
    enum status status = generation_parse(line, &generation, &error);
    if (status == STATUS_OK)
        status = generation_check(&generation, &count, &error);
    assert_true(status != STATUS_OK);
    assert_string_equal(error.text, expected);
}

static void refused_lines_say_why(void **state)
{
    (void)state;
    assert_true(each_cycle_line("refused-lines.txt", check_refused, NULL) > 20);
}

/* ---- counting ---- */

static void check_count(const char *words, enum status expected, unsigned long least, unsigned long most)
{
    struct generation generation;
    struct error error = {0};
    struct text line = {0};
    unsigned long count;
    text_add(&line, "%s", words);
    assert_int_equal(generation_parse(line.data, &generation, &error), STATUS_OK);
    assert_int_equal(generation_check(&generation, &count, &error), expected);
    assert_true(count >= least && count <= most);
    text_release(&line);
}

#define MANY_TAGS                                                                                                      \
    "relaxed,ra,rel,acq,sc,plain,plainrel,acqplain,fencear,fencesc,fenceacq,fencerel,addr,data,ctrl,poscrlx,porlxsc,"  \
    "poplnrlx,porlxpln,porelrlx,porlxacq,poscacq,porelsc,fencearplnpln,fencescplnpln,addrplnpln,ctrlplnpln"

static void large_products_are_bounded_and_never_overflow(void **state)
{
    (void)state;
    check_count("--family 4.SB --mix --tags " MANY_TAGS " --limit 100", STATUS_LIMIT, 100, 100);
    check_count("--family WR+WR+WR+WR+WR+WR+WR+WR --mix --tags " MANY_TAGS " --dialect opencl,c --placements all",
                STATUS_OK, 100001, ULONG_MAX - 1);
    check_count("--critical --threads 8 --mix --tags " MANY_TAGS
                " --dialect opencl,ptx,cuda,c --placements all,each,together,warp --rmw none,writes,reads,all "
                "--scopes wg,dev,all,cluster --fence-scopes wg,dev,all,cluster --regions global,local,localx,localy",
                STATUS_OK, ULONG_MAX, ULONG_MAX);
    /* none of them has a test, and the search ends before the last */
    check_count("--family WR+WR+WR+WR+WR+WR+WR+WR --mix --tags " MANY_TAGS " --placements c0-1-2-3-4-5-6-7",
                STATUS_LIMIT, 0, 0);
    check_count("--family MP --tags relaxed,ra --limit 2", STATUS_OK, 2, 2);
    check_count("--family MP --tags relaxed,ra --limit 1", STATUS_LIMIT, 1, 1);
}

static enum status take_two(const struct variant *variant, void *context, struct error *error)
{
    size_t *count = context;
    (void)variant;
    return ++*count == 3 ? error_set(error, STATUS_INTERNAL, "enough") : STATUS_OK;
}

static void generation_ends_where_take_does(void **state)
{
    const struct generation generation = {.critical_threads = 8, .placements = "all"};
    struct error error = {0};
    size_t count = 0;
    (void)state;
    assert_int_equal(generation_each(&generation, take_two, &count, &error), STATUS_INTERNAL);
    assert_string_equal(error.text, "enough");
    assert_int_equal(count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_make_the_names_behind_them),
        cmocka_unit_test(the_matrix_of_cuda_litmus_has_1302_names),
        cmocka_unit_test(refused_lines_say_why),
        cmocka_unit_test(large_products_are_bounded_and_never_overflow),
        cmocka_unit_test(generation_ends_where_take_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
