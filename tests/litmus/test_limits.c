// SPDX-License-Identifier: Apache-2.0
/* Protects the limits of litmus.h: what reaches a limit is accepted and survives printing, one more is refused by name,
 * and nothing deep overflows the stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/litmus/round_trip.h"

/* Adds part count times, the index in place of a %u that it may hold. */
static void repeat(struct text *text, const char *before, unsigned count, const char *after)
{
    for (unsigned i = 0; i < count; i++)
        text_add(text, "%s%u%s", before, i, after);
}

static void repeat_plain(struct text *text, const char *part, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        text_add(text, "%s", part);
}

/* Writes a test that has `count` of something. */
typedef void writer(struct text *text, unsigned count);

static void many_threads(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0..P%u (int* x) { }\nexists (x=0)", count - 1);
}

static void many_threads_in_parts(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0..P999 (int* x) { }\nP1000..P%u (int* x) { }\nexists (x=0)", count - 1);
}

static void many_bodies(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\n");
    repeat(text, "P", count, " (int* x) { }\n");
    text_add(text, "exists (x=0)");
}

static void many_bodies_in_columns(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ }\n P0");
    for (unsigned i = 1; i < count; i++)
        text_add(text, "|P%u", i);
    text_add(text, ";\n ld.weak r0, x ");
    repeat_plain(text, "|", count - 1);
    text_add(text, ";\nexists (0:r0=0)");
}

static void many_statements(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ }\n P0|P1;\n");
    repeat_plain(text, "ld.weak r0,x|ld.weak r0,x;\n", count / 2);
    repeat_plain(text, "ld.weak r0,x|;\n", count % 2);
    text_add(text, "exists (0:r0=0)");
}

static void many_labels(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ }\n P0;\n");
    repeat(text, "L", count, ": ;\n");
    text_add(text, "exists true");
}

static void many_locations(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ ");
    repeat(text, "x", count, "; ");
    text_add(text, "}\n P0;\nexists (x0=0)");
}

static void many_registers(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 () {\n");
    repeat(text, "int r", count, ";\n");
    text_add(text, "}\nexists (0:r0=0)");
}

static void many_started_registers(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ ");
    repeat(text, "P0:r", count, "=1;\n");
    text_add(text, "}\n P0;\nexists (0:r0=0)");
}

static void many_variables(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ a[%u]; b; }\n P0;\nlocations [a", count - 1);
    text_add(text, "; b]\nexists (b=0)");
}

static void many_relations(struct text *text, unsigned count)
{
    /* n atoms and n-1 connectives, and one negation where the count is even. */
    text_add(text, "PTX T\n{ x; }\n P0;\nexists (%sx=0", count % 2 == 0 ? "~" : "");
    repeat(text, " /\\ x=", (count - 1) / 2, "");
    text_add(text, ")");
}

static void nested_propositions(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ x; }\n P0;\nexists true /\\ ");
    repeat_plain(text, "(", count - 1);
    text_add(text, "x=0");
    repeat_plain(text, ")", count - 1);
}

static void nested_negations(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ x; }\n P0;\nexists ");
    repeat_plain(text, "~", count - 1);
    text_add(text, "true");
}

static void nested_implications(struct text *text, unsigned count)
{
    text_add(text, "PTX T\n{ x; }\n P0;\nexists x=0");
    repeat(text, " => x=", count - 1, "");
}

/* A test whose thread ends with a statement that has the value in this many parentheses. */
static void nested_parentheses(struct text *text, const char *statement, const char *value, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { %s", statement);
    repeat_plain(text, "(", count);
    text_add(text, "%s", value);
    repeat_plain(text, ")", count);
    text_add(text, "; }\nexists (x=0)");
}

static void nested_expressions(struct text *text, unsigned count)
{
    nested_parentheses(text, "*x = ", "1", count - 1);
}

static void nested_minuses(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { *x = ");
    repeat_plain(text, "- ", count - 1);
    text_add(text, "*x; }\nexists (x=0)");
}

static void nested_sums(struct text *text, unsigned count)
{
    nested_parentheses(text, "bool r0; r0 ^= ", "*x", count - 3);
}

static void nested_fors(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { int r0; ");
    repeat_plain(text, "for (r0 = 0; (r0 = *x); r0++) ", count - 3);
    text_add(text, ";}\nexists (x=0)");
}

static void nested_pointers(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { *");
    repeat_plain(text, "(", count);
    text_add(text, "x");
    repeat_plain(text, ")", count);
    text_add(text, " = 1; }\nexists (x=0)");
}

static void chained_expressions(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { int r0 = 0");
    repeat(text, " + ", count - 1, "");
    text_add(text, "; }\nexists (x=0)");
}

static void nested_blocks(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { ");
    repeat_plain(text, "{", count);
    text_add(text, "*x = 1;");
    repeat_plain(text, "}", count);
    text_add(text, "}\nexists (x=0)");
}

static void nested_branches(struct text *text, unsigned count)
{
    /* The innermost expression is one level of its own. */
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { ");
    repeat_plain(text, "if (1) ", count);
    text_add(text, "barrier(0);");
    text_add(text, "}\nexists (x=0)");
}

static void nested_elses(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { ");
    repeat_plain(text, "if (1) ; else ", count);
    text_add(text, "; }\nexists (x=0)");
}

static void nested_loops(struct text *text, unsigned count)
{
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { ");
    repeat_plain(text, "do ", count);
    text_add(text, ";");
    repeat_plain(text, " while (1);", count);
    text_add(text, " }\nexists (x=0)");
}

static void nested_scopes(struct text *text, unsigned count)
{
    /* Levels get narrower inwards, so the limit of levels is reached long before the limit of nesting. */
    text_add(text, "OPENCL T\n{ }\nP0 (int* x) { }\nscopeTree ");
    repeat_plain(text, "(sys", count);
    repeat_plain(text, ")", count);
}

static const struct {
    const char *name;
    writer *write;
    unsigned limit;
    const char *message; /* the text after the place, for one more */
} limits[] = {
    {"threads", many_threads, LITMUS_MAXIMUM_THREADS, "expected at most 1024 threads, found more"},
    {"threads in parts", many_threads_in_parts, LITMUS_MAXIMUM_THREADS, "expected at most 1024 threads, found more"},
    {"bodies", many_bodies, LITMUS_MAXIMUM_BODIES, "expected at most 64 threads with code of their own, found more"},
    {"columns", many_bodies_in_columns, LITMUS_MAXIMUM_BODIES,
     "expected at most 64 threads with code of their own, found more"},
    {"statements", many_statements, LITMUS_MAXIMUM_STATEMENTS, "expected at most 4096 statements, found more"},
    {"labels", many_labels, LITMUS_MAXIMUM_STATEMENTS, "expected at most 4096 statements, found more"},
    {"locations", many_locations, LITMUS_MAXIMUM_LOCATIONS, "expected at most 256 locations, found more"},
    {"registers", many_registers, LITMUS_MAXIMUM_REGISTERS, "expected at most 256 registers of one thread, found more"},
    {"started registers", many_started_registers, LITMUS_MAXIMUM_REGISTERS,
     "expected at most 256 registers of one thread, found more"},
    {"variables", many_variables, LITMUS_MAXIMUM_VARIABLES,
     "expected at most 1024 observed registers and locations, found more"},
    {"relations", many_relations, LITMUS_MAXIMUM_RELATIONS,
     "expected at most 4096 relations and connectives, found more"},
    {"propositions", nested_propositions, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"negations", nested_negations, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"implications", nested_implications, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"expressions", nested_expressions, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"minuses", nested_minuses, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"sums", nested_sums, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"fors", nested_fors, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"pointers", nested_pointers, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"chained expressions", chained_expressions, LITMUS_MAXIMUM_NESTING,
     "expected at most 64 levels of nesting, found more"},
    {"blocks", nested_blocks, LITMUS_MAXIMUM_NESTING - 1, "expected at most 64 levels of nesting, found more"},
    {"branches", nested_branches, LITMUS_MAXIMUM_NESTING - 1, "expected at most 64 levels of nesting, found more"},
    {"elses", nested_elses, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
    {"loops", nested_loops, LITMUS_MAXIMUM_NESTING, "expected at most 64 levels of nesting, found more"},
};

static enum status parse(writer *write, unsigned count, struct litmus_test **test, struct error *error)
{
    struct text text = {0};
    write(&text, count);
    assert_false(text.failed);
    const enum status status = litmus_parse("limit", text_string(&text), text.size, test, error);
    text_release(&text);
    return status;
}

static void what_reaches_a_limit_is_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct litmus_test *test;
        struct error error = {0};
        if (parse(limits[i].write, limits[i].limit, &test, &error) != STATUS_OK)
            fail_msg("%s: %s", limits[i].name, error.text);
        assert_round_trip(test, limits[i].name);
        litmus_release(test);
    }
}

static void one_more_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct litmus_test *test;
        struct error error = {0};
        const enum status status = parse(limits[i].write, limits[i].limit + 1, &test, &error);
        if (status != STATUS_LIMIT || test || !strstr(error.text, limits[i].message))
            fail_msg("%s: status %d, %s", limits[i].name, (int)status, error.text);
    }
}

/* Far beyond a limit, where a parser without one would have used up its stack. */
static void deep_texts_are_refused(void **state)
{
    static writer *const writers[] = {nested_propositions, nested_negations, nested_implications, nested_expressions,
                                      nested_minuses,      nested_pointers,  nested_blocks,       nested_branches,
                                      nested_elses,        nested_loops,     chained_expressions};
    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        struct litmus_test *test;
        struct error error = {0};
        assert_int_equal(parse(writers[i], 50000, &test, &error), STATUS_LIMIT);
        assert_null(test);
    }
    struct litmus_test *test;
    struct error error = {0};
    assert_int_equal(parse(nested_scopes, 50000, &test, &error), STATUS_SYNTAX);
}

static void a_file_has_a_largest_size(void **state)
{
    struct text text = {0};
    struct litmus_test *test;
    struct error error = {0};
    (void)state;
    text_add(&text, "PTX T\n{ x; }\n P0;\nexists (x=0)");
    while (text.size < LITMUS_MAXIMUM_FILE)
        text_add(&text, " ");
    assert_int_equal(litmus_parse("large", text_string(&text), text.size, &test, &error), STATUS_OK);
    litmus_release(test);
    text_add(&text, " ");
    assert_int_equal(litmus_parse("large", text_string(&text), text.size, &test, &error), STATUS_LIMIT);
    assert_null(test);
    assert_string_equal(error.text, "large: expected at most 1048576 bytes, found 1048577");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_reaches_a_limit_is_accepted),
        cmocka_unit_test(one_more_is_refused_by_name),
        cmocka_unit_test(deep_texts_are_refused),
        cmocka_unit_test(a_file_has_a_largest_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
