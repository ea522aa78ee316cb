// SPDX-License-Identifier: Apache-2.0
/* Protects the central promise: that the instruction which runs is the one that the test names. Each row of the tables
 * in lowering.txt is a statement of a test and its exact text under one lowering. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/corpus.h"
#include "tests/kernel/fixture.h"

/* The test around a row's statement. */
static const char opencl_form[] =
    "OPENCL row\n{ x=0; u=0; l=0; w=0; y=0; v=0; f=0; d=0; }\n"
    "P0@sg 0, wg 0, dev 0 (global atomic_int* x, global atomic_uint* u, global atomic_long* l, global atomic_ulong* w,\n"
    "                global int* y, volatile global int* v, local atomic_int* s, local long* t, global atomic_float* f,\n"
    "                global atomic_double* d, local float* g) {\n"
    "  int r0 = 0; uint r1 = 0; long r2 = 0; ulong r3 = 0; int r4 = 0; float r5 = 0; double r6 = 0;\n  %s\n}\n"
    "exists (0:r0=0)\n";
static const char legacy_form[] =
    "OPENCL row\n{ x=0; u=0; l=0; w=0; f=0; }\n"
    "P0@wg 0, dev 0 (volatile global int* x, global uint* u, global long* l, volatile global ulong* w, global float* f,\n"
    "                local int* s, volatile local uint* t, local ulong* m) {\n"
    "  int r0 = 0; uint r1 = 0; long r2 = 0; ulong r3 = 0; float r5 = 0;\n  %s\n}\nexists (0:r0=0)\n";
static const char ptx_form[] = "PTX row\n{ x=0; uint u=0; long l=0; ulong w=0; s=0; P0:r0=0; P0:.reg .u64 r2 = 0; }\n"
                               " P0@warp 0,cta 0,gpu 0 ;\n %s ;\nregions: s: shared\nexists (0:r0=0)\n";

static const char cuda_form[] =
    "CUDA row\n{ x=0; u=0; l=0; w=0; y=0; }\n"
    "P0@warp 0, cta 0, gpu 0 (int* x, unsigned* u, long long* l, unsigned long long* w, volatile int* y,\n"
    "                         __shared__ int* s, __shared__ volatile long long* t) {\n"
    "  int r0 = 0; unsigned r1 = 0; long long r2 = 0; unsigned long long r3 = 0; int r4 = 0;\n  %s\n}\n"
    "exists (0:r0=0)\n";
static const char c_form[] =
    "C row\n{ x=0; u=0; l=0; w=0; y=0; v=0; }\n"
    "P0 (atomic_int* x, _Atomic uint32_t* u, _Atomic int64_t* l, _Atomic uint64_t* w, int* y, volatile int* v) {\n"
    "  int r0 = 0; uint32_t r1 = 0; int64_t r2 = 0; uint64_t r3 = 0; int r4 = 0;\n  %s\n}\nexists (0:r0=0)\n";

/* The same for types and address spaces. */
static const char opencl_types_form[] =
    "OPENCL row\n{ k=1; }\n"
    "P0@wg 0, dev 0 (global char* c, volatile global uchar* u, local short* s, global ushort* h, global atomic_size_t* z,\n"
    "                global atomic_ptrdiff_t* d, local atomic_intptr_t* i, global atomic_uintptr_t* w, constant int* k,\n"
    "                global atomic_flag* m, local atomic_flag* n, atomic_int* x, generic long* y) {\n"
    "  int r0 = 0; size_t r1 = 0;\n  %s\n}\n"
    "regions: y: local\nexists (0:r0=0)\n";
static const char ptx_types_form[] =
    "PTX row\n{ char c=0; uchar u=0; short s=0; ushort h=0; uint x=0; float f=0; double d=0; }\n"
    " P0@cta 0,gpu 0 ;\n %s ;\nregions: s: shared\nexists (true)\n";
static const char cuda_types_form[] =
    "CUDA row\n{ x=0; }\n"
    "P0@cta 0, gpu 0 (char* c, volatile unsigned char* u, __shared__ unsigned short* h, unsigned* x, float* f, double* d) {\n"
    "  int r0 = 0; unsigned r1 = 0; float r2 = 0; double r3 = 0;\n  %s\n}\nexists (0:r0=0)\n";

/* The test for the rows of a table, by how its title starts. */
static const struct {
    const char *title, *form;
} forms[] = {
    {"types-ptx", ptx_types_form}, {"types-cuda", cuda_types_form},
    {"types-", opencl_types_form}, {"ptx-", ptx_form},
    {"cuda", cuda_form},           {"herd-c-", c_form},
    {"legacy", legacy_form},       {"", opencl_form},
};

static const char *form_of(const char *title)
{
    size_t i = 0;
    while (strncmp(title, forms[i].title, strlen(forms[i].title)) != 0)
        i++;
    return forms[i].form;
}

/* Appends the bodies of the helper functions, joined by " // ", their lines by spaces. */
static void collect(const char *generated, struct text *found)
{
    const char *play = strstr(generated, "FUNCTION void play_0(");
    assert_non_null(play);
    for (const char *at = strstr(generated, "\n{\n    "); at && at < play; at = strstr(at + 1, "\n{\n    ")) {
        const char *from = at + strlen("\n{\n    ");
        const char *const end = strstr(from, "\n}\n");
        text_add(found, "%s", found->size ? " // " : "");
        for (const char *line = from; line < end; line += strcspn(line, "\n") + strlen("\n    "))
            text_add(found, "%s%.*s", line == from ? "" : " ", (int)strcspn(line, "\n"), line);
    }
}

/* The line between P0's two segments, if the row's statement is a barrier. */
static void collect_barrier(const char *generated, struct text *found)
{
    const char *first = strstr(generated, "    { // P0\n");
    assert_non_null(first);
    const char *end = strstr(first, "    }\n    ");
    assert_non_null(end);
    end += strlen("    }\n    ");
    text_add(found, "%.*s", (int)strcspn(end, "\n"), end);
}

static void check_row(const char *title, unsigned line, const char *takes, const char *statement, const char *expected)
{
    const struct backend_device device = fixture_device(takes);
    const bool is_barrier =
        strstr(statement, "barrier") || strncmp(statement, "bar.", 4) == 0 || strncmp(statement, "__sync", 6) == 0;
    char place[64];
    struct text text = {0}, found = {0};
    (void)snprintf(place, sizeof place, "%s, line %u", title, line);
    const char *form = form_of(title);
    const char *hole = strstr(form, "%s");
    text_add(&text, "%.*s%s%s", (int)(hole - form), form, statement, hole + 2);
    struct litmus_test *test = fixture_parse(place, text_string(&text));
    char *generated = fixture_generate(test, &device);
    if (is_barrier)
        collect_barrier(generated, &found);
    else
        collect(generated, &found);
    if (strcmp(text_string(&found), expected) != 0)
        fail_msg("%s: %s\n  expected %s\n  found    %s", place, statement, expected, text_string(&found));
    free(generated);
    litmus_release(test);
    text_release(&text);
    text_release(&found);
}

/* A case of lowering.txt to be checked. */
struct table {
    const char *title, *takes;
    unsigned rows;
};

/* Each line of the case is `statement => text`, or a comment that starts with '#'. */
static void check_rows(struct corpus_case *one, void *context)
{
    struct table *table = context;
    if (strcmp(one->title, table->title) != 0)
        return;
    char *copy = strdup(text_string(corpus_part(one, ""))), *rest = copy;
    assert_non_null(copy);
    for (unsigned line = one->line + 1; *rest; line++) {
        char *statement = strsep(&rest, "\n"), *arrow = strstr(statement, " => ");
        if (statement[0] == '#' || statement[0] == '\0')
            continue;
        assert_non_null(arrow);
        *arrow = '\0';
        check_row(table->title, line, table->takes, statement, arrow + 4);
        table->rows++;
    }
    free(copy);
}

static void check_table(const char *title, const char *takes, unsigned least)
{
    struct table table = {.title = title, .takes = takes};
    (void)corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/lowering.txt", check_rows, &table);
    assert_true(table.rows >= least);
}

static void test_c11(void **state)
{
    (void)state;
    check_table("c11", "c11", 40);
}

static void test_opencl_as_ptx(void **state)
{
    (void)state;
    check_table("opencl-as-ptx", "ptx", 40);
}

static void test_ptx(void **state)
{
    (void)state;
    check_table("ptx-test", "ptx", 40);
    check_table("ptx-test", "both", 40); /* the language decides if the device takes both */
}

static void test_cuda(void **state)
{
    (void)state;
    check_table("cuda", "ptx", 40);
    check_table("cuda", "both", 40);
}

/* CUDA C++ of a test is emitted as written. */
static void test_source(void **state)
{
    (void)state;
    check_table("cuda-source", "source", 100);
    check_table("types-cuda-source", "source", 14);
}

static void test_herd_c(void **state)
{
    (void)state;
    check_table("herd-c-as-c11", "c11", 15);
    check_table("herd-c-as-c11", "both", 15);
    check_table("herd-c-as-ptx", "ptx", 15);
}

/* OpenCL C 1.x of a test is emitted as written, whatever the device's version. */
static void test_glsl(void **state)
{
    (void)state;
    check_table("herd-c-as-glsl", "glsl", 4);
}

static void test_legacy(void **state)
{
    (void)state;
    check_table("legacy", "c11", 30);
    check_table("legacy", "opencl1", 30);
    check_table("legacy-as-ptx", "ptx", 15);
}

static void test_opencl1(void **state)
{
    (void)state;
    check_table("opencl1", "opencl1", 40);
    check_table("herd-c-as-opencl1", "opencl1", 10);
}

static void test_types(void **state)
{
    (void)state;
    check_table("types-c11", "c11", 15);
    check_table("types-as-ptx", "ptx", 8);
    check_table("types-ptx", "ptx", 15);
    check_table("types-cuda", "ptx", 6);
}

static void test_preference(void **state)
{
    (void)state;
    check_table("c11", "both", 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glsl),       cmocka_unit_test(test_c11),    cmocka_unit_test(test_opencl_as_ptx),
        cmocka_unit_test(test_ptx),        cmocka_unit_test(test_cuda),   cmocka_unit_test(test_herd_c),
        cmocka_unit_test(test_preference), cmocka_unit_test(test_legacy), cmocka_unit_test(test_opencl1),
        cmocka_unit_test(test_types),      cmocka_unit_test(test_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
