// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the reader of the simulated devices' scripts: what it refuses, word for word (refused/NAME.json and the
 * message beside it in NAME.txt, where FILE stands for the path), and what it reads. With --print, prints the messages
 * as they are, to be compared and put into the files by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/simulated/script.h"

static const char folder[] = ORCHIL_SOURCE_DIR "/tests/backends/simulated/";

static int is_script(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".json") == 0;
}

/* The first line of the file beside a script, with the script's path for FILE. */
static void read_expected(const char *path, struct text *expected)
{
    char line[1024] = "", name[512];
    (void)snprintf(name, sizeof name, "%.*s.txt", (int)(strlen(path) - 5), path);
    FILE *file = fopen(name, "re");
    if (file) {
        if (!fgets(line, sizeof line, file))
            line[0] = '\0';
        assert_int_equal(fclose(file), 0);
    }
    line[strcspn(line, "\n")] = '\0';
    text_add(expected, "%s%s", strncmp(line, "FILE", 4) == 0 ? path : "",
             line + (strncmp(line, "FILE", 4) == 0 ? 4 : 0));
}

static void test_refused(void **state)
{
    char refused[512];
    struct dirent **entries;
    const bool print = *state;
    unsigned wrong = 0;
    (void)snprintf(refused, sizeof refused, "%srefused", folder);
    const int count = scandir(refused, &entries, is_script, alphasort);
    assert_true(count > 30);
    for (int i = 0; i < count; i++) {
        char path[1024];
        struct text expected = {0};
        struct script script;
        struct error error = {0};
        (void)snprintf(path, sizeof path, "%s/%s", refused, entries[i]->d_name);
        read_expected(path, &expected);
        const enum status status = script_read(path, &script, &error);
        if (print)
            print_message("%s\tFILE%s\n", entries[i]->d_name, error.text + strlen(path));
        if (status != STATUS_SYNTAX || strcmp(error.text, text_string(&expected)) != 0) {
            print_error("expected: %s\nbut was:  %s\n", text_string(&expected), error.text);
            wrong++;
        }
        script_release(&script);
        text_release(&expected);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(wrong, 0);
}

static void test_absent(void **state)
{
    struct script script;
    struct error error = {0};
    (void)state;
    assert_int_equal(script_read("/nowhere/script.json", &script, &error), STATUS_UNREADABLE);
    assert_string_equal(error.text, "/nowhere/script.json: the simulated devices' script cannot be read: "
                                    "No such file or directory");
}

static void test_default(void **state)
{
    static const char *const none[] = {NULL, ""};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct script script;
        struct error error = {0};
        assert_int_equal(script_read(none[i], &script, &error), STATUS_OK);
        assert_int_equal(script.device_count, 1);
        assert_int_equal(script.fault_count, 0);
        assert_true(script.devices[0].device.gpu);
        assert_string_equal(script.devices[0].device.name, "Simulated device");
        assert_null(script_find(&script, &script.devices[0], "SB"));
        script_release(&script);
    }
}

static void test_read(void **state)
{
    char path[512];
    struct script script;
    struct error error = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%srates.json", folder);
    assert_int_equal(script_read(path, &script, &error), STATUS_OK);
    assert_int_equal(script.device_count, 2);
    const struct script_device *alpha = &script.devices[0], *beta = &script.devices[1];
    assert_string_equal(alpha->device.uuid, "00000000-0000-0000-0000-0000000000a1");
    assert_int_equal(alpha->device.takes, BACKEND_TAKES_C11);
    assert_int_equal(alpha->device.atomic_scopes, BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE);
    assert_int_equal(alpha->device.memory_bytes, 4096);
    assert_int_equal(alpha->resident, 12);
    assert_int_equal(beta->device.index, 1);
    assert_false(beta->device.gpu);
    assert_int_equal(beta->device.compute_units, 16); /* not told: as the default device */
    assert_string_equal(beta->device.driver, "1.0");
    /* The device's own entry, the exact name, the pattern, nothing. */
    assert_ptr_equal(script_find(&script, beta, "plain"), &beta->tests.list[0]);
    assert_ptr_equal(script_find(&script, alpha, "plain"), &script.tests.list[0]);
    assert_string_equal(script_find(&script, beta, "pattern+of+names")->pattern, "pattern*");
    assert_null(script_find(&script, beta, "another"));
    script_release(&script);
}

static void test_state_path(void **state)
{
    char path[512], expected[512];
    struct script script;
    struct error error = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%sfaults.json", folder);
    (void)snprintf(expected, sizeof expected, "%sstate.json", folder);
    assert_int_equal(script_read(path, &script, &error), STATUS_OK);
    assert_string_equal(script.state, expected);
    assert_int_equal(script.fault_count, 14);
    assert_int_equal(script.faults[0].batch, 2);
    assert_int_equal(script.faults[1].batch, -1);
    assert_int_equal(script.faults[11].times, 1);
    assert_true(script.faults[11].wedged);
    script_release(&script);
}

/* The example that README.md shows is a script that is accepted. */
static void test_readme(void **state)
{
    char line[512], path[] = "/tmp/orchil-test-XXXXXX";
    struct script script;
    struct error error = {0};
    bool inside = false;
    (void)state;
    FILE *readme = fopen(ORCHIL_SOURCE_DIR "/backends/simulated/README.md", "re");
    const int descriptor = mkstemp(path);
    FILE *example = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_true(readme && example);
    while (fgets(line, sizeof line, readme)) {
        if (line[0] == '#')
            inside = strcmp(line, "## A script\n") == 0;
        if (inside && strncmp(line, "    ", 4) == 0)
            assert_true(fputs(line, example) >= 0);
    }
    assert_int_equal(fclose(readme), 0);
    assert_int_equal(fclose(example), 0);
    const enum status status = script_read(path, &script, &error);
    assert_int_equal(unlink(path), 0);
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(script.device_count, 2);
    assert_int_equal(script.tests.count, 3);
    assert_int_equal(script.fault_count, 3);
    assert_string_equal(script.state, "/tmp/state.json");
    script_release(&script);
}

int main(int count, char **arguments)
{
    static bool print;
    print = count == 2 && strcmp(arguments[1], "--print") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_refused, print ? &print : NULL),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_state_path),
        cmocka_unit_test(test_readme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
