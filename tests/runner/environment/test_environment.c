// SPDX-License-Identifier: Apache-2.0
/* Protects environments and their identity: the built-in profiles are complete and within bounds, an error in a
 * profile's file is reported with its line, the canonical text can be read back, the hash does not depend on the name,
 * and the reference page lists the profiles. */
#include <regex.h>
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
#include "tests/between.h"
#include "tests/corpus.h"

#define FOLDER ORCHIL_SOURCE_DIR "/tests/runner/environment"

static void check_bounds(const struct environment *environment)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = environment->ranges[i];
        if (range.low > range.high || range.low < environment_parameters[i].lowest ||
            range.high > environment_parameters[i].highest)
            fail_msg("%s: %s = %u..%u", environment->name, environment_parameters[i].name, range.low, range.high);
    }
}

/* Equal except for the reason of the choice. */
static void check_same(const struct environment *loaded, const struct environment *chosen)
{
    struct environment without = *chosen;
    assert_string_not_equal(chosen->why, "");
    memset(without.why, 0, sizeof without.why);
    assert_memory_equal(loaded, &without, sizeof without);
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
        check_same(&loaded, &fitting);
        /* The device's base profile has no influence. */
        assert_int_equal(environment_load(names[i], &other, &on_the_other, &error), STATUS_OK);
        assert_memory_equal(&loaded, &on_the_other, sizeof loaded);
    }
}

/* Every other profile is read without an error, whatever it leaves to the device's base profile. */
static void test_further_profiles(void **state)
{
    static const char *const names[] = {"h100", "hopper", "hunt", "oclgrind", "pocl", "portable", "progress"};
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

/* Oclgrind interprets: with launches sized for a processor its jobs would end as hangs. */
static void test_oclgrind_and_webgpu_have_their_own(void **state)
{
    const struct backend_device oclgrind = {.name = "Oclgrind Simulator"}, cpu = {.name = "A processor"};
    const struct backend_device web = {.backend = "webgpu", .name = "NVIDIA H200", .vendor = "NVIDIA", .gpu = true};
    const struct backend_device web_cpu = {.backend = "webgpu"};
    struct environment loaded, fitting;
    struct error error;
    (void)state;
    assert_int_equal(environment_load("oclgrind", &oclgrind, &loaded, &error), STATUS_OK);
    environment_default(&oclgrind, &fitting);
    check_same(&loaded, &fitting);
    environment_default(&cpu, &fitting);
    assert_string_equal(fitting.name, "cpu");
    environment_default(&web, &fitting);
    assert_string_equal(fitting.name, "webgpu");
    environment_default(&web_cpu, &fitting);
    assert_string_equal(fitting.name, "webcpu");
}

static void check_choice(const struct backend_device *device, const char *name, const char *why)
{
    struct environment chosen;
    environment_default(device, &chosen);
    assert_string_equal(chosen.name, name);
    assert_string_equal(chosen.why, why);
    check_bounds(&chosen);
}

/* A measured device's profile is chosen by its name; other NVIDIA GPUs get a rule from their attributes; other devices
 * get "gpu" or "cpu". A device that differs from a measured one only in its name gets the measured one's
 * environment. */
static void test_choice(void **state)
{
    struct backend_device device = {.gpu = true,
                                    .backend = "cuda",
                                    .vendor = "NVIDIA Corporation",
                                    .name = "NVIDIA H200",
                                    .architecture = "sm_90",
                                    .compute_units = 132,
                                    .l2_bytes = 50u << 20};
    struct environment measured, ruled;
    char hash[65], other[65];
    struct error error;
    (void)state;
    check_choice(&device, "h100", "measured on NVIDIA H200");
    device.shared_clock = true;
    check_choice(&device, "hopper", "measured on NVIDIA H200");
    device.shared_clock = false;
    device.member_count = 2; /* an ensemble with another device, which was not measured */
    check_choice(&device, "h100", "measured on NVIDIA H200 alone");
    device.member_count = 0;
    environment_default(&device, &measured);
    (void)snprintf(device.name, sizeof device.name, "NVIDIA X9");
    check_choice(&device, "rule", "the default for NVIDIA GPUs from sm_70 on");
    environment_default(&device, &ruled);
    environment_hash(&measured, hash);
    environment_hash(&ruled, other);
    assert_string_equal(hash, other);
    (void)snprintf(device.name, sizeof device.name, "NVIDIA H200");
    assert_int_equal(environment_load("rule", &device, &ruled, &error), STATUS_OK); /* which ignores the name */
    assert_string_equal(ruled.name, "rule");
    (void)snprintf(device.architecture, sizeof device.architecture, "sm_61");
    (void)snprintf(device.name, sizeof device.name, "NVIDIA X9");
    check_choice(&device, "gpu", "the default for GPUs");
}

/* A file with a portfolio: members from built-in profiles and from its own section take turns by batch number. */
static void test_portfolio(void **state)
{
    static const char text[] = "[portfolio]\ngpu = 2\nenvironment = 1\nh100 = 3\n[environment]\nstride = 77\n";
    static const char *const turns = "ggehhhggehhhg";
    const struct backend_device device = {.gpu = true};
    struct environment gpu, h100, own, portfolio, again;
    struct text once = {0}, twice = {0};
    struct error error;
    (void)state;
    assert_int_equal(environment_load("gpu", &device, &gpu, &error), STATUS_OK);
    assert_int_equal(environment_load("h100", &device, &h100, &error), STATUS_OK);
    own = gpu;
    own.stride = (struct environment_range){77, 77};
    portfolio = gpu;
    assert_int_equal(environment_read("file.ini", text, &portfolio, &error), STATUS_OK);
    environment_print(&portfolio, &once);
    assert_int_equal(environment_parse(text_string(&once), &again, &error), STATUS_OK);
    for (uint64_t batch = 0; turns[batch]; batch++) {
        const struct environment *expected = turns[batch] == 'g' ? &gpu : turns[batch] == 'e' ? &own : &h100;
        const struct environment turn = environment_of_batch(&portfolio, batch);
        const struct environment turn_again = environment_of_batch(&again, batch);
        char hash[65], is[65], is_again[65];
        environment_hash(expected, hash);
        environment_hash(&turn, is);
        environment_hash(&turn_again, is_again);
        assert_string_equal(is, hash);
        assert_string_equal(is_again, hash);
        assert_int_equal(turn.other_count, 0);
    }
    assert_int_equal(environment_highest(&portfolio, PARAMETER_stride), 77);
    assert_int_equal(environment_highest(&portfolio, PARAMETER_rounds), 1000);
    environment_print(&again, &twice);
    assert_string_equal(text_string(&once), text_string(&twice));
    /* A portfolio with one member is that member: its hash is the profile's. */
    again = gpu;
    assert_int_equal(environment_read("file.ini", "[portfolio]\nh100 = 3\n", &again, &error), STATUS_OK);
    text_clear(&once);
    text_clear(&twice);
    environment_print(&again, &once);
    environment_print(&h100, &twice);
    assert_string_equal(text_string(&once), text_string(&twice));
    text_release(&once);
    text_release(&twice);
}

/* Malformed portfolios in a canonical text. */
static void test_refused_portfolios(void **state)
{
    static const char *const wrong[][2] = {
        {"\"batches\":1", "\"batches\":0"},
        {"\"batches\":1}", "\"batches\":17}"},
        {"\"others\":[", "\"others\":[],\"ignored\":["},
        {"\"others\":[{\"group_size\":[64,64]", "\"others\":[{\"group_size\":[0,64]"},
    };
    const struct backend_device device = {.gpu = true};
    struct environment portfolio, read;
    struct text text = {0};
    struct error error;
    (void)state;
    assert_int_equal(environment_load("hunt", &device, &portfolio, &error), STATUS_OK);
    environment_print(&portfolio, &text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text changed = {0};
        const char *at = strstr(text_string(&text), wrong[i][0]);
        assert_non_null(at);
        text_add_bytes(&changed, text_string(&text), (size_t)(at - text_string(&text)));
        text_add(&changed, "%s%s", wrong[i][1], at + strlen(wrong[i][0]));
        assert_int_equal(environment_parse(text_string(&changed), &read, &error), STATUS_SYNTAX);
        text_release(&changed);
    }
    text_release(&text);
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

/* A file with a base differs from it in what it names, on any device. */
static void test_base(void **state)
{
    (void)state;
    for (int gpu = 0; gpu < 2; gpu++) {
        const struct backend_device device = {.gpu = gpu};
        struct environment base, read;
        struct error error;
        assert_int_equal(environment_load("h100", &device, &base, &error), STATUS_OK);
        environment_default(&device, &read);
        assert_int_equal(environment_read("file.ini", "[environment]\nbase = h100\nstride = 77\n", &read, &error),
                         STATUS_OK);
        base.stride = (struct environment_range){77, 77};
        assert_memory_equal(read.ranges, base.ranges, sizeof base.ranges);
    }
}

/* Each row of the list is complete. */
static void test_list(void **state)
{
    (void)state;
    regex_t choices;
    assert_int_equal(regcomp(&choices, "^(([0-9]+\\*)?[0-9]+(\\.\\.[0-9]+)?( |$))+$", REG_EXTENDED), 0);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_parameter *row = &environment_parameters[i];
        const bool chance = row->kind == PARAMETER_KIND_CHANCE;
        assert_true(row->title && row->meaning);
        assert_int_equal(chance, strstr(row->name, "_chance") != NULL);
        assert_int_equal(chance, row->with_value == NULL);
        assert_true(chance || strstr(row->with_value, "%s"));
        assert_between(row->neutral, row->lowest, row->highest);
        if (row->unnamed != ENVIRONMENT_NAMED)
            assert_between(row->unnamed, row->lowest, row->highest);
        assert_int_equal(row->needs >> i & 1, 0);
        assert_int_equal(row->gpu != NULL, row->cpu != NULL);
        assert_int_equal(row->gpu ? regexec(&choices, row->gpu, 0, NULL, 0) : 0, 0);
        assert_int_equal(row->cpu ? regexec(&choices, row->cpu, 0, NULL, 0) : 0, 0);
    }
    regfree(&choices);
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
        "hopper hunt oclgrind pocl portable progress webcpu webgpu rule) or a file");
    assert_int_equal(environment_load("../environment", &gpu, &environment, &error), STATUS_UNREADABLE);
    assert_string_equal(
        error.text,
        "profile ../environment: cannot be read: Is a directory; expected a built-in profile (one of gpu cpu h100 hopper hunt oclgrind "
        "pocl portable progress webcpu webgpu rule) or a file");
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
            struct environment_range range = environment.ranges[i];
            range.high = range.high == environment_parameters[i].highest ? range.high - 1 : range.high + 1;
            changed.ranges[i] = range;
            environment_hash(&changed, hash_again);
            assert_string_not_equal(hash, hash_again);
        }
        text_release(&text);
        text_release(&second);
    }
}

/* A text without the parameters of clusters is an environment without clusters. */
static void test_canonical_text_of_unnamed(void **state)
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

/* Replaces the range of stride in the canonical text and reads the result. */
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
        assert_between(length, 1, 5);
        assert_true(bits < 1u << length);
        assert_false(seen[length][bits]);
        seen[length][bits] = true;
    }
}

/* ---- the reference page ---- */

static void check_row(const char *row)
{
    const size_t length = strcspn(row, "`");
    if (length == 4 && strncmp(row, "rule", length) == 0) /* computed, not a file */
        return;
    for (size_t i = 0; environment_profile_names[i]; i++)
        if (strlen(environment_profile_names[i]) == length && strncmp(environment_profile_names[i], row, length) == 0)
            return;
    fail_msg("profiles.md has a profile that does not exist: %.40s", row);
}

/* The page names every built-in profile and nothing else, each in a row that starts with its name. */
static void test_reference_page(void **state)
{
    static const char start[] = "\n| `";
    struct text text = {0};
    struct error error;
    size_t profiles = 1 /* rule */, rows = 0;
    (void)state;
    while (environment_profile_names[profiles - 1])
        profiles++;
    if (file_read_input(ORCHIL_SOURCE_DIR "/docs/reference/profiles.md", 1 << 20, &text, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (const char *row = text_string(&text); (row = strstr(row, start)) != NULL; rows++)
        check_row(row += strlen(start));
    assert_int_equal(rows, profiles);
    text_release(&text);
}

static void add_range(char *cell, size_t size, const struct environment_range *range)
{
    (void)snprintf(cell, size, range->low == range->high ? "%u" : "%u..%u", range->low, range->high);
}

/* The page has a row for each parameter, with what the list says of it, and no others. */
static void test_page_of_parameters(void **state)
{
    struct text page = {0};
    struct error error;
    struct environment gpu, cpu;
    size_t rows = 0;
    (void)state;
    environment_default(&(const struct backend_device){.gpu = true}, &gpu);
    environment_default(&(const struct backend_device){.gpu = false}, &cpu);
    assert_int_equal(file_read_input(ORCHIL_SOURCE_DIR "/docs/reference/parameters.md", 1 << 20, &page, &error),
                     STATUS_OK);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_parameter *row = &environment_parameters[i];
        char wanted[1024], of_gpu[32], of_cpu[32];
        add_range(of_gpu, sizeof of_gpu, &gpu.ranges[i]);
        add_range(of_cpu, sizeof of_cpu, &cpu.ranges[i]);
        (void)snprintf(wanted, sizeof wanted, "\n| `%s` | %u to %u%s | %s | %s | %s. |\n", row->name, row->lowest,
                       row->highest, row->kind == PARAMETER_KIND_CHANCE ? " percent" : "", of_gpu, of_cpu,
                       row->meaning);
        if (!strstr(text_string(&page), wanted))
            fail_msg("parameters.md lacks the row %s", wanted);
    }
    for (const char *row = text_string(&page); (row = strstr(row, "\n| `")) != NULL; row++)
        rows++;
    assert_int_equal(rows, PARAMETER_COUNT);
    text_release(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_further_profiles),
        cmocka_unit_test(test_oclgrind_and_webgpu_have_their_own),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_portfolio),
        cmocka_unit_test(test_refused_portfolios),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_base),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_refused_files),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_canonical_text),
        cmocka_unit_test(test_canonical_text_of_unnamed),
        cmocka_unit_test(test_canonical_text_refused),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_reference_page),
        cmocka_unit_test(test_page_of_parameters),
    };
    if (chdir(FOLDER) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
