// SPDX-License-Identifier: Apache-2.0
/* Protects the reader of the simulated devices' scripts: what it refuses, word for word (the cases of refused.txt, in
 * which FILE is the path), and what it reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/simulated/script.h"
#include "base/whole_file.h"
#include "tests/corpus.h"

static const char folder[] = ORCHIL_SOURCE_DIR "/tests/backends/simulated/";

static void check_refused(struct corpus_case *one, void *context)
{
    const char *path = context;
    const struct text *text = corpus_part(one, "");
    struct text message = {0};
    struct script script;
    struct error error = {0};
    assert_int_equal(file_write_whole(path, text_string(text), text->size, &error), STATUS_OK);
    const enum status status = script_read(path, &script, &error);
    if (status != STATUS_SYNTAX)
        fail_msg("%s:%u: %s: %s", one->path, one->line, one->title, status_name(status));
    const bool named = strncmp(error.text, path, strlen(path)) == 0;
    text_add(&message, "%s%s\n", named ? "FILE" : "", error.text + (named ? strlen(path) : 0));
    corpus_expect(one, "expected", text_string(&message));
    script_release(&script);
    text_release(&message);
}

static void test_refused(void **state)
{
    char path[] = "/tmp/orchil-script.XXXXXX", corpus[512];
    const int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    (void)snprintf(corpus, sizeof corpus, "%srefused.txt", folder);
    assert_true(corpus_each(corpus, check_refused, path) > 30);
    assert_int_equal(remove(path), 0);
}

static void test_absent(void **state)
{
    struct script script;
    struct error error = {0};
    (void)state;
    assert_int_equal(script_read("/nowhere/script.json", &script, &error), STATUS_UNREADABLE);
    assert_string_equal(error.text, "the simulated devices' script /nowhere/script.json: cannot be read: "
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
    assert_int_equal(beta->device.compute_units, 16); /* missing: as in the default device */
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
    assert_int_equal(script.fault_count, 15);
    assert_int_equal(script.faults[0].batch, 2);
    assert_int_equal(script.faults[1].batch, -1);
    assert_int_equal(script.faults[11].times, 1);
    assert_true(script.faults[11].wedged);
    script_release(&script);
}

/* The example in the reference is accepted. */
static void test_example(void **state)
{
    char line[512], path[] = "/tmp/orchil-test-XXXXXX";
    struct script script;
    struct error error = {0};
    bool wanted = false, inside = false; /* the section, its block of JSON */
    (void)state;
    FILE *page = fopen(ORCHIL_SOURCE_DIR "/docs/reference/simulated.md", "re");
    const int descriptor = mkstemp(path);
    FILE *example = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_true(page && example);
    while (fgets(line, sizeof line, page)) {
        if (line[0] == '#')
            wanted = strcmp(line, "## A script\n") == 0;
        if (strncmp(line, "```", 3) == 0)
            inside = wanted && strcmp(line, "```json\n") == 0;
        else if (inside)
            assert_true(fputs(line, example) >= 0);
    }
    assert_int_equal(fclose(page), 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused), cmocka_unit_test(test_absent),     cmocka_unit_test(test_default),
        cmocka_unit_test(test_read),    cmocka_unit_test(test_state_path), cmocka_unit_test(test_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
