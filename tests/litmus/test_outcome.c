// SPDX-License-Identifier: Apache-2.0
/* Protects how outcomes are judged, printed and hashed, and the words for other rooms to print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/litmus/round_trip.h"
#include "tests/parsed_file.h"

static struct litmus_test *parse(const char *text)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("test", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return test;
}

/* A test of one int x and one ulong y, whose values an outcome gives in this order, with the condition. */
static bool is_witness(const char *condition, int64_t x, int64_t y)
{
    struct text text = {0};
    text_add(&text, "OPENCL T\n{ x=0; ulong y=0; }\nP0 () { }\nlocations [x; y]\n%s", condition);
    struct litmus_test *test = parse(text_string(&text));
    const int64_t values[] = {x, y};
    assert_int_equal(test->variable_count, 2);
    const bool witness = litmus_is_witness(test, values);
    litmus_release(test);
    text_release(&text);
    return witness;
}

static void relations_compare(void **state)
{
    static const struct {
        const char *condition;
        bool less, equal, more; /* x is 1, 2, 3 against the constant 2 */
    } rows[] = {
        {"exists x = 2", false, true, false}, {"exists x != 2", true, false, true},
        {"exists x < 2", true, false, false}, {"exists x <= 2", true, true, false},
        {"exists x > 2", false, false, true}, {"exists x >= 2", false, true, true},
        {"exists 2 < x", false, false, true}, {"exists 2 == x", false, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(is_witness(rows[i].condition, 1, 0), rows[i].less);
        assert_int_equal(is_witness(rows[i].condition, 2, 0), rows[i].equal);
        assert_int_equal(is_witness(rows[i].condition, 3, 0), rows[i].more);
    }
}

static void connectives_follow_their_truth_tables(void **state)
{
    static const struct {
        const char *condition;
        bool results[4]; /* for x, y = 0,0; 0,1; 1,0; 1,1 */
    } rows[] = {
        {"exists x=1 /\\ y=1", {false, false, false, true}},
        {"exists x=1 \\/ y=1", {false, true, true, true}},
        {"exists x=1 => y=1", {true, true, false, true}},
        {"exists ~(x=1)", {true, true, false, false}},
        {"exists true /\\ x=1", {false, false, true, true}},
        {"exists false \\/ x=1", {false, false, true, true}},
        {"~exists (x=1)", {false, false, true, true}},
        {"forall (x=1)", {true, true, false, false}},
        {"exists x=y", {true, false, false, true}},
        {"not exists (x=1 /\\ y=1)", {false, false, false, true}},
        {"exists x=1 => y=1 => false", {true, true, true, false}},
        {"exists (x=1 => y=1) => false", {false, false, true, false}},
        {"exists x=1 \\/ y=1 /\\ false", {false, false, true, true}},
        {"", {false, false, false, false}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int outcome = 0; outcome < 4; outcome++)
            if (is_witness(rows[i].condition, outcome / 2, outcome % 2) != rows[i].results[outcome])
                fail_msg("%s with x=%d, y=%d", rows[i].condition, outcome / 2, outcome % 2);
}

static void unsigned_values_compare_unsigned(void **state)
{
    (void)state;
    assert_true(is_witness("exists y > 5", 0, -1));
    assert_true(is_witness("exists y = 18446744073709551615", 0, -1));
    assert_false(is_witness("exists x > 5", -1, 0));
    assert_true(is_witness("exists x = 0xffffffff", -1, 0));
}

static void filters_are_judged_apart(void **state)
{
    struct litmus_test *test = parse("PTX T\n{ x; }\n P0;\nfilter x=1\nexists (x<3)");
    (void)state;
    assert_true(litmus_passes_filter(test, (int64_t[]){1}));
    assert_false(litmus_passes_filter(test, (int64_t[]){2}));
    assert_true(litmus_is_witness(test, (int64_t[]){2}));
    litmus_release(test);
    test = parse("PTX T\n{ x; }\n P0;\nexists (x<3)");
    assert_true(litmus_passes_filter(test, (int64_t[]){2}));
    litmus_release(test);
}

static void labels_are_witnesses_as_their_values_are(void **state)
{
    struct litmus_test *test = parse("OPENCL T\n{ x=0; y=0; }\nP0 () { }\nexists (x=1 /\\ y=-2)");
    (void)state;
    assert_true(litmus_label_is_witness(test, "[x]=1; [y]=-2;"));
    assert_false(litmus_label_is_witness(test, "[x]=1; [y]=2;"));
    assert_false(litmus_label_is_witness(test, "[x]=1;"));
    assert_false(litmus_label_is_witness(test, "[y]=1; [x]=-2;")); /* no label of this test */
    assert_false(litmus_label_is_witness(test, "-"));
    litmus_release(test);
    test = parse("OPENCL T\n{ ulong x; }\nP0 () { }\nexists (x=18446744073709551615)");
    assert_true(litmus_label_is_witness(test, "[x]=18446744073709551615;")); /* beyond what a signed value holds */
    assert_false(litmus_label_is_witness(test, "[x]=18446744073709551616;"));
    assert_false(litmus_label_is_witness(test, "[x]=-1;"));
    litmus_release(test);
    test = parse("OPENCL T\n{ float x; }\nP0 () { }\nexists (x != 1)");
    assert_true(litmus_label_is_witness(test, "[x]=0x3fc00000;")); /* 1.5, which is printed as its bits */
    assert_true(litmus_label_is_witness(test, "[x]=2;"));
    assert_false(litmus_label_is_witness(test, "[x]=1;"));
    litmus_release(test);
}

/* Also for values that are printed as bits, and for those beyond the largest signed value. */
static void every_label_reads_back_as_its_values(void **state)
{
    struct litmus_test *test =
        parse("OPENCL T\n{ ulong x=0; double d=0; int i=0; }\nP0 () { }\nexists (x=1 /\\ d=1 /\\ i=1)");
    const int64_t values[] = {-1, litmus_value_of_bits(LITMUS_DOUBLE, 0x7ff8000000000001), INT32_MIN};
    int64_t read[] = {0, 0, 0};
    struct text label = {0};
    (void)state;
    litmus_print_outcome(test, values, &label);
    assert_string_equal(text_string(&label), "[x]=18446744073709551615; [d]=0x7ff8000000000001; [i]=-2147483648;");
    assert_true(litmus_label_read(test, text_string(&label), read));
    assert_memory_equal(read, values, sizeof read);
    assert_false(litmus_label_read(test, "[x]=18446744073709551616; [d]=0; [i]=0;", read));
    text_release(&label);
    litmus_release(test);
}

static void variables_stand_in_the_order_of_declaration(void **state)
{
    struct litmus_test *test =
        parse("OPENCL T\n{ x; a[3]; y; ulong z; }\nP1..P2 () { int r1; int r0; }\nP0 () { int q; }\n"
              "locations [z; a]\nexists (x=0 /\\ 2:r0=0 /\\ 1:r0=0 /\\ 2:r1=0 /\\ 0:q=0 /\\ y=0)");
    struct text text = {0};
    (void)state;
    litmus_print_outcome(test, (int64_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, -1}, &text);
    assert_string_equal(text_string(&text), "0:q=1; 1:r0=2; 2:r1=3; 2:r0=4; [x]=5; a[0]=6; a[1]=7; a[2]=8; [y]=9; "
                                            "[z]=18446744073709551615;");
    text_clear(&text);
    litmus_print_condition(test, &text);
    assert_string_equal(text_string(&text), "exists ([x]=0 /\\ 2:r0=0 /\\ 1:r0=0 /\\ 2:r1=0 /\\ 0:q=0 /\\ [y]=0)");
    assert_int_equal(test->variables[2].body, 1);
    assert_int_equal(litmus_variable_type(test, &test->variables[9]), LITMUS_ULONG);
    assert_int_equal(litmus_variable_type(test, &test->variables[2]), LITMUS_INT);
    static const size_t listed[] = {5, 6, 7, 9};
    assert_int_equal(test->listed_count, 4);
    assert_memory_equal(test->listed, listed, sizeof listed);
    text_release(&text);
    litmus_release(test);
}

static void values_wrap_like_the_device(void **state)
{
    (void)state;
    assert_int_equal(litmus_wrap(LITMUS_INT, 0xffffffff), -1);
    assert_int_equal(litmus_wrap(LITMUS_INT, 0x180000000), INT32_MIN);
    assert_int_equal(litmus_wrap(LITMUS_UINT, -1), 0xffffffff);
    assert_int_equal(litmus_wrap(LITMUS_LONG, -1), -1);
    assert_int_equal(litmus_wrap(LITMUS_ULONG, INT64_MIN), INT64_MIN);
    assert_int_equal(litmus_type_size(LITMUS_INT), 4);
    assert_int_equal(litmus_type_size(LITMUS_UINT), 4);
    assert_int_equal(litmus_type_size(LITMUS_LONG), 8);
    assert_int_equal(litmus_type_size(LITMUS_ULONG), 8);
}

static void floats_are_their_bits(void **state)
{
    static const struct {
        enum litmus_type type;
        int64_t value;
        uint64_t bits;
        const char *printed;
    } rows[] = {
        {LITMUS_FLOAT, 0, 0, "0"},
        {LITMUS_FLOAT, 1, 0x3f800000, "1"},
        {LITMUS_FLOAT, -2, 0xc0000000, "-2"},
        {LITMUS_FLOAT, 16777216, 0x4b800000, "16777216"},
        {LITMUS_DOUBLE, 0, 0, "0"},
        {LITMUS_DOUBLE, 1, 0x3ff0000000000000, "1"},
        {LITMUS_DOUBLE, -9007199254740992, 0xc340000000000000, "-9007199254740992"},
        {LITMUS_INT, -1, 0xffffffff, "-1"},
        {LITMUS_ULONG, -1, UINT64_MAX, "18446744073709551615"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(litmus_value_bits(rows[i].type, rows[i].value), rows[i].bits);
        assert_int_equal(litmus_value_of_bits(rows[i].type, rows[i].bits), rows[i].value);
        assert_int_equal(litmus_wrap(rows[i].type, rows[i].value), rows[i].value);
    }
    assert_int_equal(litmus_type_size(LITMUS_FLOAT), 4);
    assert_int_equal(litmus_type_size(LITMUS_DOUBLE), 8);
}

/* Memory contents that are not whole numbers: no two patterns are one value, and none of these is a whole number. */
static void every_pattern_is_a_value_of_its_own(void **state)
{
    static const uint64_t patterns[] = {
        0x80000000,         0x3fc00000,         0x7fc00000,         0xff800000,         0x00000001,
        0x4b800001,         0x8000000000000000, 0x00000000ffffffff, 0x3ff0000000000001, 0x7ff8000000000000,
        0xfff8000000000000, 0x0020000000000000, 0x3fe0000000000000, 0xffffffffffffffff, 0x4340000000000001,
    };
    const size_t count = sizeof patterns / sizeof *patterns;
    (void)state;
    for (int type = LITMUS_FLOAT; type <= LITMUS_DOUBLE; type++)
        for (size_t i = 0; i < count; i++) {
            const uint64_t bits = type == LITMUS_FLOAT ? (uint32_t)patterns[i] : patterns[i];
            const int64_t value = litmus_value_of_bits((enum litmus_type)type, bits);
            assert_int_equal(litmus_value_bits((enum litmus_type)type, value), bits);
            if (type == LITMUS_DOUBLE || i < 6)
                assert_false(litmus_is_exact((enum litmus_type)type, value));
        }
    const char text[] = "OPENCL T\n{ float f=0; double d=0; }\nP0 (global float* f, global double* d) { *f = 1; }\n"
                        "exists (f=1 /\\ d=0)\n";
    const int64_t values[] = {litmus_value_of_bits(LITMUS_FLOAT, 0x80000000),
                              litmus_value_of_bits(LITMUS_DOUBLE, 0x00000000ffffffff)};
    struct litmus_test *test = parse(text);
    struct text printed = {0};
    litmus_print_outcome(test, values, &printed);
    assert_string_equal(text_string(&printed), "[f]=0x80000000; [d]=0x00000000ffffffff;");
    assert_false(litmus_is_witness(test, values));
    text_release(&printed);
    litmus_release(test);
}

static void the_outcome_of_a_test_that_observes_nothing_has_a_label(void **state)
{
    struct litmus_test *test = parse("PTX T\n{ x; }\n P0@cta 0,gpu 0 ;\n st.relaxed.gpu x, 1;\nexists (0=0)");
    struct text text = {0};
    (void)state;
    assert_int_equal(test->variable_count, 0);
    litmus_print_outcome(test, NULL, &text);
    assert_string_equal(text_string(&text), "-");
    text_release(&text);
    litmus_release(test);
}

static void hash_of(const char *text, char hash[65])
{
    struct litmus_test *test = parse(text);
    litmus_hash(test, hash);
    litmus_release(test);
}

static void the_hash_is_of_the_content(void **state)
{
    char hashes[4][65];
    (void)state;
    hash_of("PTX one\n\"doc\"\nKey=value\n{ x=0; }\n P0;\n st x,1;\nexists (x=1)", hashes[0]);
    hash_of("ptx two\n{ [x]=0; }\nP0 ; (* layout *)\nst.weak [x] , 1;exists x == 1", hashes[1]);
    hash_of("PTX one\n{ x=0; }\n P0;\n st x,2;\nexists (x=1)", hashes[2]);
    hash_of("PTX one\n{ x=0; }\n P0;\n st x,1;\nforall (x=1)", hashes[3]);
    assert_string_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[2]);
    assert_string_not_equal(hashes[0], hashes[3]);
    /* Databases hold hashes: this one changes only with the printed form, and then every stored job's key does. */
    assert_string_equal(hashes[0], "8f447354747c6809250f248d1105b72d0f18e0797d4bb513d5305269d1464bf9");
}

static void metadata_is_found_by_key(void **state)
{
    struct litmus_test *test = parse("PTX T\nCycle=Rfe Fre\n\"doc\"\nEmpty=\nCom = Rf\n{ x; }\n P0;\nexists x=0");
    (void)state;
    assert_string_equal(litmus_metadata(test, "Cycle"), "Rfe Fre");
    assert_string_equal(litmus_metadata(test, "Empty"), "");
    assert_string_equal(litmus_metadata(test, "Com"), "Rf");
    assert_null(litmus_metadata(test, "Cyc"));
    assert_string_equal(test->doc, "doc");
    litmus_release(test);
}

static void descriptions_have_languages(void **state)
{
    static const char source[] =
        "PTX T\n\"doc\"\nText.zh=消息传递：允许。\nText.zh=P1 先读 y，再读 x。\nCycle=Rfe\nText.de = deutsch\n"
        "{ x; }\n P0;\nexists (x=0)\n";
    struct litmus_test *test = parse(source);
    struct text text = {0};
    (void)state;
    assert_string_equal(litmus_text(test, "en"), "doc");
    assert_string_equal(litmus_text(test, "zh"), "消息传递：允许。\nP1 先读 y，再读 x。");
    assert_string_equal(litmus_metadata(test, "Text.zh"), litmus_text(test, "zh"));
    assert_string_equal(litmus_text(test, "de"), "deutsch");
    assert_null(litmus_text(test, "fr"));
    assert_null(litmus_text(test, ""));
    litmus_print(test, &text);
    assert_non_null(strstr(text_string(&text), "\nText.zh=消息传递：允许。\nText.zh=P1 先读 y，再读 x。\nCycle=Rfe\n"));
    text_release(&text);
    litmus_release(test);
}

static void keys_with_a_language_need_it(void **state)
{
    struct litmus_test *test = NULL;
    struct error error;
    static const char *const wrong[] = {"PTX T\nText.=a\n{ x; }\n P0;\nexists x=0",
                                        "PTX T\nText .zh=a\n{ x; }\n P0;\nexists x=0",
                                        "PTX T\nText.zh a\n{ x; }\n P0;\nexists x=0"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(litmus_parse("T", wrong[i], strlen(wrong[i]), &test, &error), STATUS_SYNTAX);
}

static void unsupported_instructions_are_named_once(void **state)
{
    struct litmus_test *test = parse(
        "PTX T\n{ x; s @ surface aliases x; }\n P0 | P1;\n sust.weak s, 1 | sust.weak s, 1;\n"
        " fence.proxy.surface | suld.relaxed.gpu r0, s;\n atom.relaxed.gpu.mul r1, x, 2 | red.relaxed.gpu.div x, 2;\n"
        " fence.proxy.surface | cp.async.bulk.prefetch.L2.global [x], 16;\n fence.proxy.generic | suatom.relaxed.gpu.mul r2, s, 1;\n"
        "exists x=0");
    struct text text = {0};
    (void)state;
    text_add(&text, "needs ");
    assert_true(litmus_unsupported(test, &text));
    assert_string_equal(
        text_string(&text),
        "needs fence.proxy.surface, atom.mul, fence.proxy.generic, red.div, "
        "suatom.mul; PTX has no fence for that proxy, and only the end of a kernel orders its accesses");
    litmus_release(test);
    text_clear(&text);
    test = parse("PTX T\n{ x; }\n P0;\n nanosleep 20;\nexists x=0");
    assert_true(litmus_unsupported(test, &text));
    assert_string_equal(text_string(&text), "nanosleep");
    litmus_release(test);
    text_clear(&text);
    test =
        parse("PTX T\n{ x; s @ surface aliases x; }\n P0;\n st x, 1; fence.sc.gpu; sust.weak s, 1; fence.proxy.alias;\n"
              "fence.proxy.async;\nexists x=0");
    assert_false(litmus_unsupported(test, &text));
    assert_string_equal(text_string(&text), "");
    litmus_release(test);
    text_release(&text);
}

static void names_are_the_formats_words(void **state)
{
    (void)state;
    assert_string_equal(litmus_dialect_name(LITMUS_OPENCL), "OPENCL");
    assert_string_equal(litmus_dialect_name(LITMUS_PTX), "PTX");
    assert_string_equal(litmus_dialect_name(LITMUS_CUDA), "CUDA");
    assert_string_equal(litmus_dialect_name(LITMUS_C), "C");
    assert_string_equal(litmus_dialect_name(LITMUS_DIALECT_COUNT), "?");
    assert_string_equal(litmus_order_name(LITMUS_CUDA, LITMUS_PLAIN), "weak");
    assert_string_equal(litmus_order_name(LITMUS_CUDA, LITMUS_RELEASE), "cuda::memory_order_release");
    assert_string_equal(litmus_order_name(LITMUS_C, LITMUS_RELEASE), "memory_order_release");
    assert_string_equal(litmus_scope_name(LITMUS_CUDA, LITMUS_WORK_GROUP), "cuda::thread_scope_block");
    assert_string_equal(litmus_scope_name(LITMUS_C, LITMUS_WORK_GROUP), "?");
    assert_string_equal(litmus_operation_name(LITMUS_CUDA, LITMUS_FETCH_MAX), "fetch_max");
    assert_string_equal(litmus_operation_name(LITMUS_C, LITMUS_FETCH_MAX), "?");
    assert_string_equal(litmus_order_name(LITMUS_OPENCL, LITMUS_ACQ_REL), "memory_order_acq_rel");
    assert_string_equal(litmus_order_name(LITMUS_PTX, LITMUS_SEQ_CST), "sc");
    assert_string_equal(litmus_order_name(LITMUS_PTX, LITMUS_ORDER_COUNT), "?");
    assert_string_equal(litmus_order_name(LITMUS_DIALECT_COUNT, LITMUS_RELAXED), "?");
    assert_string_equal(litmus_scope_name(LITMUS_OPENCL, LITMUS_ALL_DEVICES), "memory_scope_all_svm_devices");
    assert_string_equal(litmus_scope_name(LITMUS_PTX, LITMUS_CLUSTER), "cluster");
    assert_string_equal(litmus_scope_name(LITMUS_OPENCL, LITMUS_CLUSTER), "?");
    assert_string_equal(litmus_scope_name(LITMUS_DIALECT_COUNT, LITMUS_DEVICE), "?");
    assert_string_equal(litmus_operation_name(LITMUS_OPENCL, LITMUS_CAS_WEAK), "compare_exchange_weak");
    assert_string_equal(litmus_operation_name(LITMUS_PTX, LITMUS_FETCH_ADD), "add");
    assert_string_equal(litmus_operation_name(LITMUS_OPENCL, LITMUS_FETCH_MUL), "?");
    assert_string_equal(litmus_operation_name(LITMUS_DIALECT_COUNT, LITMUS_LOAD), "?");
    assert_string_equal(litmus_operator_name(LITMUS_SHL), "<<");
    assert_string_equal(litmus_operator_name(LITMUS_OPERATOR_COUNT), "?");
    assert_string_equal(litmus_proxy_name(LITMUS_ASYNC), "async");
    assert_string_equal(litmus_proxy_name(LITMUS_PROXY_COUNT), "?");
    assert_string_equal(litmus_type_name(LITMUS_ULONG), "ulong");
    assert_string_equal(litmus_type_name(LITMUS_TYPE_COUNT), "?");
}

static void every_operator_and_type_has_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < LITMUS_OPERATOR_COUNT; i++)
        assert_string_not_equal(litmus_operator_name((enum litmus_operator)i), "?");
    for (int i = 0; i < LITMUS_TYPE_COUNT; i++)
        assert_string_not_equal(litmus_type_name((enum litmus_type)i), "?");
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        for (int i = 0; i < LITMUS_ORDER_COUNT; i++)
            assert_string_not_equal(litmus_order_name((enum litmus_dialect)dialect, (enum litmus_order)i), "?");
}

static void unreadable_files_are_told_apart(void **state)
{
    struct litmus_test *test;
    struct error error = {0};
    char path[] = "/tmp/orchil-litmus-XXXXXX";
    (void)state;
    assert_int_equal(parsed_file("/nonexistent/t.litmus", &test, &error), STATUS_UNREADABLE);
    assert_string_equal(error.text, "/nonexistent/t.litmus: cannot be read: No such file or directory");
    assert_null(test);
    assert_int_equal(parsed_file("/", &test, &error), STATUS_UNREADABLE);
    assert_string_equal(error.text, "/: cannot be read: Is a directory");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, LITMUS_MAXIMUM_FILE + 1), 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(parsed_file(path, &test, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, ": expected a file of at most 1048576 bytes, found more"));
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_compare),
        cmocka_unit_test(connectives_follow_their_truth_tables),
        cmocka_unit_test(unsigned_values_compare_unsigned),
        cmocka_unit_test(filters_are_judged_apart),
        cmocka_unit_test(labels_are_witnesses_as_their_values_are),
        cmocka_unit_test(every_label_reads_back_as_its_values),
        cmocka_unit_test(variables_stand_in_the_order_of_declaration),
        cmocka_unit_test(the_outcome_of_a_test_that_observes_nothing_has_a_label),
        cmocka_unit_test(values_wrap_like_the_device),
        cmocka_unit_test(floats_are_their_bits),
        cmocka_unit_test(every_pattern_is_a_value_of_its_own),
        cmocka_unit_test(the_hash_is_of_the_content),
        cmocka_unit_test(metadata_is_found_by_key),
        cmocka_unit_test(descriptions_have_languages),
        cmocka_unit_test(keys_with_a_language_need_it),
        cmocka_unit_test(unsupported_instructions_are_named_once),
        cmocka_unit_test(names_are_the_formats_words),
        cmocka_unit_test(every_operator_and_type_has_a_name),
        cmocka_unit_test(unreadable_files_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
