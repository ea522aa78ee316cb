// SPDX-License-Identifier: Apache-2.0
/* Makes the draws of a job as a page does, and invents its counters. */
#include "tests/web/import/browser.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/webgpu/recorded.h"
#include "base/json.h"
#include "kernel/typical_device.h"
#include "runner/environment/environment.h"
#include "runner/run/plan_run.h"
#include "web/web.h"

enum { BROWSER_GROUPS = 4, BROWSER_INSTANCES = 1 << 12, BROWSER_GROUP_SIZE = 256 };

static void check(enum status status, const struct error *error)
{
    if (status == STATUS_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

static json_t *play_batch(const struct browser *browser, const struct environment *environment,
                          const struct kernel *kernel, uint64_t key, unsigned number)
{
    const struct draw_limits limits = {.resident_groups = BROWSER_GROUPS,
                                       .max_group_size = BROWSER_GROUP_SIZE,
                                       .sub_group_size = 1,
                                       .local_bytes = 16384,
                                       .batch_instances = BROWSER_INSTANCES};
    struct draw draw;
    struct error error;
    check(draw_make(environment, kernel, &limits, browser->seed, key, number, &draw, &error), &error);
    json_t *batch = json_pack("{s:i,s:f,s:I,s:[i,I]}", "number", (int)number, "seconds", 0.001, "draw",
                              (json_int_t)recorded_hash(draw.words, draw.word_count), "counters",
                              (int)(COUNTER_HISTOGRAM + browser->bin), (json_int_t)draw.instances);
    draw_release(&draw);
    return batch;
}

static json_t *play_job(const struct browser *browser, const struct environment *environment,
                        const struct litmus_test *test, const struct litmus_test *keyed)
{
    struct kernel kernel;
    struct error error;
    struct text printed = {0}, wgsl = {0};
    char key[HASH_HEX_SIZE], hash[HASH_HEX_SIZE], kernel_hash[HASH_HEX_SIZE], number[24];
    check(web_kernel_make(test, &kernel, &error), &error);
    check(kernel_print_wgsl(&kernel, &wgsl, &error), &error);
    plan_job_key(keyed, environment, 0, key);
    litmus_hash(test, hash);
    hash_hex(text_string(&wgsl), wgsl.size, kernel_hash);
    litmus_print(test, &printed);
    (void)snprintf(number, sizeof number, "%" PRIu64, hash_number(key));
    json_t *batches = json_array();
    for (unsigned i = 0; i < browser->batches; i++)
        (void)json_array_append_new(batches, play_batch(browser, environment, &kernel, hash_number(key), i));
    json_t *job = json_pack("{s:s,s:s,s:s,s:s,s:s,s:i,s:i,s:s,s:o}", "name", test->name, "text", text_string(&printed),
                            "hash", hash, "key", number, "kernel_hash", kernel_hash, "resident_groups", BROWSER_GROUPS,
                            "batch_instances", BROWSER_INSTANCES, "ended", "completed", "batches", batches);
    text_release(&printed);
    text_release(&wgsl);
    kernel_release(&kernel);
    return job;
}

json_t *browser_play(const struct browser *browser, struct litmus_test *const *tests, size_t count)
{
    struct environment environment;
    struct text ranges = {0};
    struct error error;
    char seed[24];
    json_t *jobs = json_array();
    check(environment_load("gpu", typical_device("webgpu", LITMUS_OPENCL), &environment, &error), &error);
    environment_print(&environment, &ranges);
    char name[LITMUS_NAME_SIZE];
    for (size_t i = 0; i < count; i++) {
        const char *rest = NULL;
        const bool control =
            i > 0 && litmus_next_name(tests[0], litmus_controls, &rest, name) && strcmp(name, tests[i]->name) == 0;
        (void)json_array_append_new(jobs, play_job(browser, &environment, tests[i], tests[control ? 0 : i]));
    }
    (void)snprintf(seed, sizeof seed, "%" PRIu64, browser->seed);
    json_t *results =
        json_pack("{s:i,s:s,s:s,s:s,s:o,s:s,s:{s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:i,s:i},s:o}", "format", RECORDED_FORMAT,
                  "orchil", "0.1.0", "seed", seed, "environment", "gpu", "ranges",
                  json_loads(text_string(&ranges), 0, NULL), "began", "2026-11-30T12:00:00.000Z", "device", "browser",
                  "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "vendor", "",
                  "architecture", "", "device", "", "description", "", "model", "Pixel 11", "fallback", 0,
                  "max_group_size", BROWSER_GROUP_SIZE, "local_bytes", 16384, "jobs", jobs);
    text_release(&ranges);
    return results;
}
