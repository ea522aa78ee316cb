// SPDX-License-Identifier: Apache-2.0
/* Protects the promise that a test which cannot be played as written is refused with the reason, never played
 * differently. A case DEVICE-SUBJECT in unsupported/ is such a test for a device that takes DEVICE ("c11", "ptx",
 * "both", "opencl1", "hip", "none"; "sm70", "sm80" and "sm90" are of that architecture, "small" has no sub-groups,
 * "bare" has OpenCL C without any optional feature, "plain" takes PTX and has one address for its memory, "single"
 * takes PTX one launch at a time), and the reason. */
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

/* By the first word of a case's title. */
static struct backend_device device_of(const char *word)
{
    static const struct {
        const char *word, *takes;
    } others[] = {{"small", "both"}, {"bare", "c11"}, {"plain", "ptx"}, {"single", "ptx"},
                  {"sm70", "ptx"},   {"sm80", "ptx"}, {"sm90", "ptx"}};
    size_t i = 0;
    while (i < sizeof others / sizeof *others && strcmp(others[i].word, word) != 0)
        i++;
    struct backend_device device = fixture_device(i < sizeof others / sizeof *others ? others[i].takes : word);
    if (strcmp(word, "plain") == 0)
        device.paths = 0;
    if (strcmp(word, "single") == 0)
        device.edges = 1U << LAUNCH_EDGE_QUEUE;
    if (strcmp(word, "bare") == 0) {
        device.types = 0;
        device.max_cluster_groups = 0;
    }
    if (strcmp(word, "small") == 0)
        device.sub_group_size = 0;
    if (strncmp(word, "sm", 2) == 0 && word[2] >= '7')
        (void)snprintf(device.architecture, sizeof device.architecture, "sm_%.2s", word + 2);
    return device;
}

static void check_refused(struct corpus_case *one, void *context)
{
    char word[8];
    struct kernel kernel;
    struct text reason = {0};
    struct error error = {0};
    (void)context;
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(one->title, "-"), one->title);
    const struct backend_device device = device_of(word);
    struct litmus_test *test = fixture_parse(one->title, text_string(corpus_part(one, "")));
    const enum status status = kernel_generate(test, &device, fixture_lowering(&device), false, &kernel, &error);
    if (status != STATUS_UNSUPPORTED)
        fail_msg("%s:%u: %s: %s", one->path, one->line, one->title, status_name(status));
    text_add(&reason, "%s\n", error.text);
    corpus_expect(one, "expected", text_string(&reason));
    assert_null(kernel.source);
    assert_null(kernel.domains);
    litmus_release(test);
    text_release(&reason);
}

static void test_reasons(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/unsupported", check_refused, NULL) >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reasons)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
