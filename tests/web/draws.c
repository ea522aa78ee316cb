// SPDX-License-Identifier: Apache-2.0
/* Prints draws of random batches, jobs and limits, a line each, which tests/web/compare makes again in JavaScript.
 * usage: draws PROFILE COUNT TEST... */
#include <stdlib.h>

#include "backends/webgpu/recorded.h"
#include "base/json.h"
#include "base/random.h"
#include "kernel/typical_device.h"
#include "runner/environment/environment.h"
#include "web/web.h"

static struct draw_limits random_limits(struct random *random)
{
    return (struct draw_limits){
        .resident_groups = 1U << random_below(random, 13),
        .max_group_size = 32U << random_below(random, 6),
        .sub_group_size = 1U << random_below(random, 6),
        .local_bytes = (uint64_t)1024 << random_below(random, 6),
        .batch_instances = random_below(random, 4) > 0 ? random_below(random, 1U << random_below(random, 20)) : 0,
    };
}

/* Prints the number of the test on the page, seed, key, batch and limits; then what was drawn, or `error`. */
static void print_draw(const struct environment *environment, const struct kernel *kernel, unsigned test,
                       struct random *random)
{
    const uint64_t seed = random_next(random) >> random_below(random, 64), key = random_next(random);
    const uint64_t batch = random_below(random, 100000);
    struct draw_limits limits = random_limits(random);
    struct draw draw;
    struct error error;
    limits.resident_groups += random_below(random, limits.resident_groups);
    printf("%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %u %u %" PRIu64 " %" PRIu64, test, seed, key, batch,
           limits.resident_groups, limits.max_group_size, limits.sub_group_size, limits.local_bytes,
           limits.batch_instances);
    if (draw_make(environment, kernel, &limits, seed, key, batch, &draw, &error) != STATUS_OK) {
        printf(" error\n");
        return;
    }
    printf(" %u %zu %u %u %zu %zu %zu %zu %" PRIu64 " %d\n", recorded_hash(draw.words, draw.word_count),
           draw.word_count, draw.groups, draw.group_size, draw.memory_words, draw.scratch_words, draw.counter_words,
           draw.local_bytes, draw.instances, draw.detached);
    draw_release(&draw);
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct selection selection;
    struct environment environment;
    json_start();
    if (argc < 4)
        return 2;
    enum status status = selection_make(argv + 3, (size_t)argc - 3, NULL, &selection, &error);
    THEN(status, environment_load(argv[1], typical_device("opencl", LITMUS_C), &environment, &error));
    unsigned made = 0;
    for (size_t i = 0; status == STATUS_OK && i < selection.count; i++) {
        struct kernel kernel;
        struct random random = random_start(i, 0, 0, 0);
        status = web_kernel_make(selection.tests[i].test, &kernel, &error);
        if (status == STATUS_UNSUPPORTED) {
            status = STATUS_OK;
            continue;
        }
        for (long n = strtol(argv[2], NULL, 10); status == STATUS_OK && n > 0; n--)
            print_draw(&environment, &kernel, made, &random);
        kernel_release(&kernel);
        made++;
    }
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", error.text);
    selection_release(&selection);
    return status == STATUS_OK ? 0 : 1;
}
