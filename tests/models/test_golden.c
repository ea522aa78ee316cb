// SPDX-License-Identifier: Apache-2.0
/* Protects the models' verdicts on every family with a critical cycle of up to four threads, at every strength of
 * access: a change of a rule shows here as changed cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/models/judged.h"
#include "tests/models/shapes.h"

/* For each group of shapes, 'A' or 'F' per strength: allowed or forbidden. */
struct expectation {
    const char *model;
    const char *verdicts[4];
};

enum { PTX_STRENGTHS = 5, OPENCL_STRENGTHS = 5 };

static const struct strength ptx_strengths[PTX_STRENGTHS] = {
    {"weak", "ld.weak", "st.weak", ""},
    {"relaxed", "ld.relaxed", "st.relaxed", ""},
    {"release/acquire", "ld.acquire", "st.release", ""},
    {"fence.acq_rel", "ld.relaxed", "st.relaxed", "fence.acq_rel"},
    {"fence.sc", "ld.relaxed", "st.relaxed", "fence.sc"},
};

static const struct strength opencl_strengths[OPENCL_STRENGTHS] = {
    {"relaxed", "memory_order_relaxed", "memory_order_relaxed", ""},
    {"release/acquire", "memory_order_acquire", "memory_order_release", ""},
    {"fence acq_rel", "memory_order_relaxed", "memory_order_relaxed", "memory_order_acq_rel"},
    {"fence seq_cst", "memory_order_relaxed", "memory_order_relaxed", "memory_order_seq_cst"},
    {"seq_cst", "memory_order_seq_cst", "memory_order_seq_cst", ""},
};

static const struct expectation ptx_expected[] = {
    {"ptx", {"AAFFF", "AAFFF", "AAAAF", "AAAAF"}},  {"ptx-6.0", {"AAFFF", "AAFFF", "AAAAF", "AAAAF"}},
    {"rc11", {"AAFFF", "AFFFF", "AAAAF", "AAAAF"}}, {"rc11-scoped", {"AAFFF", "AAFFF", "AAAAF", "AAAAF"}},
    {"sc", {"FFFFF", "FFFFF", "FFFFF", "FFFFF"}},
};

static const struct expectation opencl_expected[] = {
    {"opencl", {"AFFFF", "AFFFF", "AAAFF", "AAAAF"}},        {"opencl-3.1", {"AFFFF", "AFFFF", "AAAFF", "AAAAF"}},
    {"opencl-scoped", {"AFFFF", "AFFFF", "AAAFF", "AAAAF"}}, {"rc11", {"AFFFF", "FFFFF", "AAAFF", "AAAFF"}},
    {"rc11-scoped", {"AFFFF", "AFFFF", "AAAFF", "AAAFF"}},   {"sc", {"FFFFF", "FFFFF", "FFFFF", "FFFFF"}},
    {"hsa", {"AFFFF", "AFFFF", "AFFFF", "AFFFF"}},
};

static void check(const struct model *model, const char *name, const struct shape *shape,
                  const struct strength *strength, const struct text *text, bool expected)
{
    if (reachable(model, text_string(text)) != expected)
        fail_msg("%s: %s with %s should be %s\n%s", name, shape->name, strength->name,
                 expected ? "allowed" : "forbidden", text_string(text));
}

static void ptx_matrix(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof ptx_expected / sizeof ptx_expected[0]; m++) {
        struct model *model = loaded(ptx_expected[m].model);
        for (size_t i = 0; i < shape_count; i++)
            for (size_t k = 0; k < PTX_STRENGTHS; k++) {
                struct text text = {0};
                shape_print_ptx(&shapes[i], &ptx_strengths[k], k == 0 ? "" : ".gpu", &text);
                check(model, ptx_expected[m].model, &shapes[i], &ptx_strengths[k], &text,
                      ptx_expected[m].verdicts[shapes[i].group][k] == 'A');
                text_release(&text);
            }
        model_release(model);
    }
}

/* Scopes that do not include the other thread order nothing. */
static void ptx_narrow_scope(void **state)
{
    static const char *const models[] = {"ptx", "ptx-6.0", "rc11", "rc11-scoped"};
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        struct model *model = loaded(models[m]);
        for (size_t i = 0; i < shape_count; i++)
            for (size_t k = 1; k < PTX_STRENGTHS; k++) {
                struct text text = {0};
                shape_print_ptx(&shapes[i], &ptx_strengths[k], ".cta", &text);
                check(model, models[m], &shapes[i], &ptx_strengths[k], &text, true);
                text_release(&text);
            }
        model_release(model);
    }
}

static void opencl_matrix(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof opencl_expected / sizeof opencl_expected[0]; m++) {
        struct model *model = loaded(opencl_expected[m].model);
        for (size_t i = 0; i < shape_count; i++)
            for (size_t k = 0; k < OPENCL_STRENGTHS; k++) {
                struct text text = {0};
                shape_print_opencl(&shapes[i], &opencl_strengths[k], &text);
                check(model, opencl_expected[m].model, &shapes[i], &opencl_strengths[k], &text,
                      opencl_expected[m].verdicts[shapes[i].group][k] == 'A');
                text_release(&text);
            }
        model_release(model);
    }
}

/* Total store order lets a write be passed by a later read, unless a fence is between them, and does nothing else. */
static void tso_column(void **state)
{
    struct model *model = loaded("tso");
    (void)state;
    for (size_t i = 0; i < shape_count; i++)
        for (size_t k = 0; k < 4; k++) {
            struct text text = {0};
            shape_print_opencl(&shapes[i], &opencl_strengths[k], &text);
            check(model, "tso", &shapes[i], &opencl_strengths[k], &text, k < 3 && strstr(shapes[i].cycle, "PodWR"));
            text_release(&text);
        }
    model_release(model);
}

/* One location, two threads: the guarantees of morally strong accesses, and the remaining ones of weak accesses. */
static void coherence(void **state)
{
    static const struct {
        const char *name, *code, *condition;
        bool weak_allowed;
    } tests[] = {
        {"CoRR", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ; S x, 1 | L r0, x ; | L r1, x ;", "1:r0=1 /\\ 1:r1=0", true},
        {"CoWW", "P0@cta 0,gpu 0 ; S x, 1 ; S x, 2 ;", "x=1", false},
        {"CoRW1", "P0@cta 0,gpu 0 ; L r0, x ; S x, 1 ;", "0:r0=1", false},
        {"CoRW2", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ; S x, 1 | L r0, x ; | S x, 2 ;", "1:r0=1 /\\ x=1", true},
        {"CoWR", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ; S x, 1 | S x, 2 ; | L r0, x ;", "1:r0=1 /\\ x=2", true},
        {"CoWR0", "P0@cta 0,gpu 0 ; S x, 1 ; L r0, x ;", "0:r0=0", false},
        {"CoWW-RR", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ; S x, 1 | L r0, x ; S x, 2 | L r1, x ;", "1:r0=2 /\\ 1:r1=1",
         true},
    };
    struct model *model = loaded("ptx");
    (void)state;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        for (int strong = 0; strong < 2; strong++) {
            struct text text = {0};
            text_add(&text, "PTX %s\n{ x=0; }\n", tests[i].name);
            for (const char *at = tests[i].code; *at; at++)
                if (*at == 'S' || *at == 'L')
                    text_add(&text, "%s.%s", *at == 'S' ? "st" : "ld", strong ? "relaxed.gpu" : "weak");
                else
                    text_add(&text, "%c", *at);
            text_add(&text, "\nexists (%s)\n", tests[i].condition);
            if (reachable(model, text_string(&text)) != (!strong && tests[i].weak_allowed))
                fail_msg("%s, %s\n%s", tests[i].name, strong ? "strong" : "weak", text_string(&text));
            text_release(&text);
        }
    model_release(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ptx_matrix), cmocka_unit_test(ptx_narrow_scope), cmocka_unit_test(opencl_matrix),
        cmocka_unit_test(tso_column), cmocka_unit_test(coherence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
