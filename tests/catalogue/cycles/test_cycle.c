// SPDX-License-Identifier: Apache-2.0
/* Protects the words of cycles, their families, and that all critical cycles are made, each once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/cycles/cycle.h"
#include "tests/catalogue/cycles/cycles.h"

static void assert_prints(const struct cycle *cycle, const char *expected)
{
    struct text text = {0};
    cycle_print(cycle, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void assert_family(const struct cycle *cycle, const char *expected)
{
    struct text text = {0};
    cycle_family(cycle, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void parse(const char *text, struct cycle *cycle)
{
    struct error error = {0};
    if (cycle_parse(text, cycle, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.text);
}

/* ---- all critical cycles ---- */

static void add_line(char *line, void *context)
{
    text_add(context, "%s\n", line);
}

static void critical_cycles_are_those_of_the_file(void **state)
{
    struct text made = {0}, expected = {0}; /* lines as in the file */
    size_t counts[CYCLE_MAXIMUM_THREADS + 1] = {0};
    struct cycle_key key = {.count = 0};
    struct cycle cycle;
    (void)state;
    while (cycle_next_critical(4, &key, &cycle)) {
        counts[cycle_threads(&cycle)]++;
        cycle_family(&cycle, &made);
        text_add(&made, ": ");
        cycle_print(&cycle, &made);
        text_add(&made, "\n");
    }
    assert_int_equal(counts[2], 6);
    assert_int_equal(counts[3], 17);
    assert_int_equal(counts[4], 45);
    assert_int_equal(each_cycle_line("critical.txt", add_line, &expected), 68);
    assert_string_equal(text_string(&made), text_string(&expected));
    text_release(&made);
    text_release(&expected);
}

/* ---- families ---- */

static void check_nickname(char *name, void *context)
{
    struct cycle cycle, again;
    struct error error = {0};
    size_t *row = context;
    const char *edges = cut_line(name, ": ");
    assert_string_equal(cycle_nickname((*row)++), name);
    assert_int_equal(cycle_of_family(name, &cycle, &error), STATUS_OK);
    assert_prints(&cycle, edges);
    parse(edges, &again);
    assert_family(&again, name);
    const struct catalogue_family_line line = catalogue_family_line(name, strlen(name));
    assert_true(line.title.size > 0 && line.question.size > 0);
    assert_true(line.chinese_title.size > 0 && line.chinese_question.size > 0);
}

static void nicknames_stand_for_the_cycles_of_the_file(void **state)
{
    size_t row = 0;
    (void)state;
    const size_t lines = each_cycle_line("nicknames.txt", check_nickname, &row);
    assert_int_equal(lines, row);
    assert_null(cycle_nickname(row));
    assert_null(cycle_nickname(row + 1));
}

/* The edges of a plain cycle, written from one event on. */
static void print_from(const struct cycle *cycle, size_t first, struct text *text)
{
    static const char *const words[] = {[CYCLE_RF] = "Rfe", [CYCLE_CO] = "Coe", [CYCLE_FR] = "Fre"};
    static const char letters[] = {[CYCLE_READ] = 'R', [CYCLE_WRITE] = 'W'};
    for (size_t k = 0; k < cycle->count; k++) {
        const size_t i = (first + k) % cycle->count, next = (i + 1) % cycle->count;
        if (cycle->edges[i].external)
            text_add(text, "%s ", words[cycle->edges[i].relation]);
        else
            text_add(text, "Po%c%c%c ", cycle->edges[i].same_location ? 's' : 'd', letters[cycle->events[i].direction],
                     letters[cycle->events[next].direction]);
    }
}

/* From whatever event a cycle is written, it has one family and one normal form. */
static void check_rotations(char *name, void *context)
{
    const char *edges = cut_line(name, ": ");
    struct cycle cycle, turned;
    (void)context;
    parse(edges, &cycle);
    for (size_t first = 0; first < cycle.count; first++) {
        struct text text = {0};
        print_from(&cycle, first, &text);
        parse(text_string(&text), &turned);
        assert_true(turned.edges[turned.count - 1].external);
        assert_family(&turned, name);
        cycle_normalize(&turned);
        assert_prints(&turned, edges);
        text_release(&text);
    }
}

static void rotations_have_one_normal_form(void **state)
{
    (void)state;
    (void)each_cycle_line("critical.txt", check_rotations, NULL);
    (void)each_cycle_line("nicknames.txt", check_rotations, NULL);
}

static void raw_keys_are_families_in_any_rotation(void **state)
{
    struct cycle cycle;
    struct error error = {0};
    (void)state;
    assert_int_equal(cycle_of_family("W+RR+WW+RR", &cycle, &error), STATUS_OK);
    assert_prints(&cycle, "Rfe PodRR Fre PodWW Rfe PodRR Fre");
    assert_family(&cycle, "W+RR+WW+RR");
    assert_int_equal(catalogue_family_line("W+RR+WW+RR", 10).title.size, 0);
    assert_int_equal(cycle_of_family("RR+WW", &cycle, &error), STATUS_OK);
    assert_family(&cycle, "MP");
    assert_int_equal(cycle_of_family("WR+WR+WR+WR+WR+WR+WR+WR", &cycle, &error), STATUS_OK);
    assert_int_equal(cycle.count, CYCLE_MAXIMUM_EDGES);
}

static void check_unknown_family(char *name, void *context)
{
    struct cycle cycle;
    struct error error = {0};
    const char *expected = cut_line(name, " => ");
    (void)context;
    assert_int_equal(cycle_of_family(name, &cycle, &error), STATUS_USAGE);
    assert_string_equal(error.text, expected);
}

static void unknown_families_name_similar_ones(void **state)
{
    (void)state;
    assert_true(each_cycle_line("unknown-families.txt", check_unknown_family, NULL) > 3);
}

/* ---- words ---- */

static void check_accepted(char *line, void *context)
{
    struct cycle cycle, again;
    const char *expected = cut_line(line, " => ");
    (void)context;
    parse(line, &cycle);
    assert_prints(&cycle, expected);
    parse(expected, &again);
    assert_prints(&again, expected);
    assert_int_equal(cycle_threads(&cycle), cycle_threads(&again));
}

static void accepted_cycles_print_as_written_behind_them(void **state)
{
    (void)state;
    assert_true(each_cycle_line("accepted.txt", check_accepted, NULL) > 10);
}

static void check_refused(char *line, void *context)
{
    struct cycle cycle;
    struct error error = {0};
    const char *expected = cut_line(line, " => ");
    (void)context;
    const enum status status = cycle_parse(line, &cycle, &error);
    if (status != STATUS_SYNTAX && status != STATUS_LIMIT)
        fail_msg("%s: status %d", line, (int)status);
    assert_string_equal(error.text, expected);
}

static void refused_cycles_say_why(void **state)
{
    (void)state;
    assert_true(each_cycle_line("refused.txt", check_refused, NULL) > 15);
}

static void locations_change_where_edges_say_so(void **state)
{
    struct cycle cycle;
    unsigned locations[CYCLE_MAXIMUM_EDGES];
    (void)state;
    parse("PodWW Rfe PodRW Rfe PodRR Fre", &cycle);
    assert_int_equal(cycle_locations(&cycle, locations), 3);
    const unsigned expected[] = {0, 1, 1, 2, 2, 0};
    for (size_t i = 0; i < cycle.count; i++)
        assert_int_equal(locations[i], expected[i]);
    parse("Rfe PosRR Fre", &cycle);
    assert_int_equal(cycle_locations(&cycle, locations), 1);
    assert_int_equal(locations[2], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critical_cycles_are_those_of_the_file),
        cmocka_unit_test(nicknames_stand_for_the_cycles_of_the_file),
        cmocka_unit_test(rotations_have_one_normal_form),
        cmocka_unit_test(raw_keys_are_families_in_any_rotation),
        cmocka_unit_test(unknown_families_name_similar_ones),
        cmocka_unit_test(accepted_cycles_print_as_written_behind_them),
        cmocka_unit_test(refused_cycles_say_why),
        cmocka_unit_test(locations_change_where_edges_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
