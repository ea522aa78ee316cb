// SPDX-License-Identifier: Apache-2.0
/*
 * Protects what an environment says and how it is identified: the built-in profiles are whole and within bounds, a slip in
 * a profile's file is named with its line, the canonical text survives being read back, and the hash knows no name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"
#include "runner/environment/environment.h"
#include "tests/corpus.h"

#define FOLDER ORCHIL_SOURCE_DIR "/tests/runner/environment"

static void check_bounds(const struct environment *environment)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = environment_range_in(environment, i);
        if (range.low > range.high || range.low < environment_parameters[i].lowest ||
            range.high > environment_parameters[i].highest)
            fail_msg("%s: %s = %u..%u", environment->name, environment_parameters[i].name, range.low, range.high);
    }
}

static void test_profiles(void **state)
{
    static const char *const names[] = {"gpu", "cpu"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct backend_device own = {.gpu = i == 0}, other = {.gpu = i != 0};
        struct environment loaded, fitting, on_the_other;
        struct error error;
        assert_int_equal(environment_load(names[i], &own, &loaded, &error), STATUS_OK);
        assert_string_equal(loaded.name, names[i]);
        check_bounds(&loaded);
        environment_default(&own, &fitting);
        assert_memory_equal(&loaded, &fitting, sizeof loaded);
        /* It names every parameter, so nothing of the profile that fits the device shines through. */
        assert_int_equal(environment_load(names[i], &other, &on_the_other, &error), STATUS_OK);
        assert_memory_equal(&loaded, &on_the_other, sizeof loaded);
    }
}

/* Every other profile is read without a slip, whatever it leaves to the profile that fits the device. */
static void test_further_profiles(void **state)
{
    static const char *const names[] = {"h100", "hunt", "oclgrind", "pocl", "portable", "progress"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int gpu = 0; gpu < 2; gpu++) {
            const struct backend_device device = {.gpu = gpu};
            struct environment loaded, fitting;
            char hash[65], fitting_hash[65];
            struct error error;
            assert_int_equal(environment_load(names[i], &device, &loaded, &error), STATUS_OK);
            assert_string_equal(loaded.name, names[i]);
            check_bounds(&loaded);
            environment_default(&device, &fitting);
            environment_hash(&loaded, hash);
            environment_hash(&fitting, fitting_hash);
            assert_string_not_equal(hash, fitting_hash);
        }
}

/* Oclgrind interprets: with launches of the size that suits a processor its jobs end as hangs. */
static void test_oclgrind_has_its_own(void **state)
{
    const struct backend_device oclgrind = {.name = "Oclgrind Simulator"}, cpu = {.name = "A processor"};
    struct environment loaded, fitting;
    struct error error;
    (void)state;
    assert_int_equal(environment_load("oclgrind", &oclgrind, &loaded, &error), STATUS_OK);
    environment_default(&oclgrind, &fitting);
    assert_memory_equal(&loaded, &fitting, sizeof loaded);
    environment_default(&cpu, &fitting);
    assert_string_equal(fitting.name, "cpu");
}

static void test_file(void **state)
{
    const struct backend_device cpu = {.gpu = false};
    struct environment read, fitting;
    struct error error;
    (void)state;
    assert_int_equal(environment_load("accepted.ini", &cpu, &read, &error), STATUS_OK);
    assert_string_equal(read.name, "accepted.ini");
    environment_default(&cpu, &fitting);
    assert_int_equal(read.group_size.low, 64);
    assert_int_equal(read.group_size.high, 64);
    assert_int_equal(read.stride.low, 2);
    assert_int_equal(read.stride.high, 1024);
    assert_int_equal(read.meet_polls.high, 2147483647);
    assert_memory_equal(&read.teams, &fitting.teams, sizeof read.teams);
    assert_int_equal(environment_load("./accepted.ini", &cpu, &read, &error), STATUS_OK);
    assert_string_equal(read.name, "accepted.ini");
}

static void check_refused(struct corpus_case *one, void *context)
{
    const struct backend_device gpu = {.gpu = true};
    const struct text *text = corpus_part(one, "");
    struct text name = {0}, message = {0};
    struct environment environment;
    struct error error;
    (void)context;
    text_add(&name, "%s.ini", one->title);
    assert_int_equal(file_write_whole(text_string(&name), text_string(text), text->size, &error), STATUS_OK);
    assert_int_equal(environment_load(text_string(&name), &gpu, &environment, &error), STATUS_SYNTAX);
    text_add(&message, "%s\n", error.text);
    corpus_expect(one, "expected", text_string(&message));
    text_release(&name);
    text_release(&message);
}

static void test_refused_files(void **state)
{
    char folder[256];
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("profiles", folder, sizeof folder, &error), STATUS_OK);
    assert_int_equal(chdir(folder), 0);
    assert_true(corpus_each(FOLDER "/refused.txt", check_refused, NULL) >= 10);
    assert_int_equal(chdir(FOLDER), 0);
    temporary_folder_remove(folder);
}

static void test_no_file(void **state)
{
    const struct backend_device gpu = {.gpu = true};
    struct environment environment;
    struct error error;
    (void)state;
    assert_int_equal(environment_load("missing.ini", &gpu, &environment, &error), STATUS_UNREADABLE);
    assert_string_equal(
        error.text,
        "profile missing.ini: cannot be read: No such file or directory; expected a built-in profile (one of gpu cpu h100 "
        "hunt oclgrind pocl portable progress) or a file");
    assert_int_equal(environment_load("../environment", &gpu, &environment, &error), STATUS_UNREADABLE);
    assert_string_equal(
        error.text,
        "profile ../environment: cannot be read: Is a directory; expected a built-in profile (one of gpu cpu h100 hunt oclgrind "
        "pocl portable progress) or a file");
    assert_int_equal(environment_load("/dev/zero", &gpu, &environment, &error), STATUS_LIMIT);
    assert_int_equal(environment_load("/dev/null", &gpu, &environment, &error), STATUS_SYNTAX);
    assert_string_equal(error.text, "/dev/null:1:1: expected the section [environment], found nothing");
}

static void test_canonical_text(void **state)
{
    (void)state;
    for (int gpu = 0; gpu < 2; gpu++) {
        const struct backend_device device = {.gpu = gpu != 0};
        struct environment environment, again;
        struct text text = {0}, second = {0};
        struct error error;
        char hash[65], hash_again[65];
        environment_default(&device, &environment);
        environment_print(&environment, &text);
        assert_int_equal(environment_parse(text_string(&text), &again, &error), STATUS_OK);
        environment_print(&again, &second);
        assert_string_equal(text_string(&text), text_string(&second));
        (void)snprintf(again.name, sizeof again.name, "another name");
        environment_hash(&environment, hash);
        environment_hash(&again, hash_again);
        assert_int_equal(strlen(hash), 64);
        assert_string_equal(hash, hash_again);
        for (enum parameter i = 0; i < PARAMETER_COUNT; i++) { /* each parameter is part of the identity */
            struct environment changed = environment;
            struct environment_range range = environment_range_in(&environment, i);
            range.high = range.high == environment_parameters[i].highest ? range.high - 1 : range.high + 1;
            memcpy((char *)&changed + environment_parameters[i].offset, &range, sizeof range);
            environment_hash(&changed, hash_again);
            assert_string_not_equal(hash, hash_again);
        }
        text_release(&text);
        text_release(&second);
    }
}

/* A text from before there were clusters is that of an environment without them. */
static void test_canonical_text_of_before(void **state)
{
    const struct backend_device device = {.gpu = true};
    struct environment environment, again;
    struct text before = {0}, now = {0};
    struct error error;
    (void)state;
    environment_default(&device, &environment);
    environment_print(&environment, &before);
    assert_null(strstr(text_string(&before), "cluster_"));
    assert_int_equal(environment_parse(text_string(&before), &again, &error), STATUS_OK);
    assert_int_equal(again.cluster_chance.high, 0);
    assert_int_equal(again.cluster_groups.low, 2);
    assert_int_equal(again.cluster_groups.high, 2);
    again.cluster_groups.high = 4;
    environment_print(&again, &now);
    assert_non_null(strstr(text_string(&now), ",\"cluster_groups\":[2,4]}"));
    text_release(&before);
    text_release(&now);
}

/* Puts another range for stride into the canonical text and reads that. */
static enum status parse_with_stride(const char *range, struct error *error)
{
    const struct backend_device device = {.gpu = true};
    struct environment environment;
    struct text text = {0}, changed = {0};
    environment_default(&device, &environment);
    environment_print(&environment, &text);
    const char *at = strstr(text_string(&text), "\"stride\":");
    assert_non_null(at);
    text_add(&changed, "%.*s\"stride\":%s%s", (int)(at - text_string(&text)), text_string(&text), range,
             strchr(at, ']') + 1);
    const enum status status = environment_parse(text_string(&changed), &environment, error);
    text_release(&text);
    text_release(&changed);
    return status;
}

static void test_canonical_text_refused(void **state)
{
    static const char *const ranges[] = {"[0,1]", "[1,1025]", "[3,2]", "[1]", "[1,2,3]", "7", "[-1,2]", "[\"1\",2]"};
    struct environment environment;
    struct error error;
    (void)state;
    assert_int_equal(parse_with_stride("[1,1024]", &error), STATUS_OK);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        assert_int_equal(parse_with_stride(ranges[i], &error), STATUS_SYNTAX);
        assert_string_equal(error.text, "environment: stride: expected [low, high] between 1 and 1024");
    }
    assert_int_equal(environment_parse("{}", &environment, &error), STATUS_SYNTAX);
    assert_int_equal(environment_parse("{\"stride\":", &environment, &error), STATUS_SYNTAX);
    assert_int_equal(strncmp(error.text, "environment:1:10: ", 18), 0);
}

static void test_patterns(void **state)
{
    bool seen[6][32] = {{false}};
    (void)state;
    for (uint32_t n = 0; n < 62; n++) {
        uint32_t bits, length;
        environment_pattern(n, &bits, &length);
        assert_in_range(length, 1, 5);
        assert_true(bits < 1u << length);
        assert_false(seen[length][bits]);
        seen[length][bits] = true;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_further_profiles),
        cmocka_unit_test(test_oclgrind_has_its_own),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_refused_files),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_canonical_text),
        cmocka_unit_test(test_canonical_text_of_before),
        cmocka_unit_test(test_canonical_text_refused),
        cmocka_unit_test(test_patterns),
    };
    if (chdir(FOLDER) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
