// SPDX-License-Identifier: Apache-2.0
/* Measures how long judging takes: benchmark MODEL UNROLL FILE... judges each file and prints the slowest ones and the
 * total. */
#include "models/models.h"
#include "tests/parsed_file.h"

enum { SHOWN = 5 };

struct slow {
    double seconds;
    const char *path;
};

/* Keeps the slowest, slowest first. */
static void benchmark_note(struct slow slowest[SHOWN], double seconds, const char *path)
{
    struct slow next = {seconds, path};
    for (int i = 0; i < SHOWN; i++)
        if (!slowest[i].path || next.seconds > slowest[i].seconds) {
            const struct slow kept = slowest[i];
            slowest[i] = next;
            next = kept;
            if (!next.path)
                return;
        }
}

static double judge_file(const struct model *model, unsigned unroll, const char *path)
{
    struct litmus_test *test;
    struct judgement judgement;
    struct error error = {0};
    const struct judge_options options = {.unroll = unroll};
    if (parsed_file(path, &test, &error) != STATUS_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 0;
    }
    const double start = clock_seconds();
    if (model_judge(model, test, &options, &judgement, &error) == STATUS_OK)
        judgement_release(&judgement);
    else
        (void)fprintf(stderr, "%s: %s\n", path, error.text);
    const double seconds = clock_seconds() - start;
    litmus_release(test);
    return seconds;
}

int main(int argc, char **argv)
{
    struct model *model;
    struct error error = {0};
    struct slow slowest[SHOWN] = {0};
    double sum = 0;
    if (argc < 4) {
        (void)fprintf(stderr, "usage: %s MODEL UNROLL FILE...\n", argv[0]);
        return 2;
    }
    if (model_load(argv[1], &model, &error) != STATUS_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        const double seconds = judge_file(model, (unsigned)strtoul(argv[2], NULL, 10), argv[i]);
        benchmark_note(slowest, seconds, argv[i]);
        sum += seconds;
    }
    (void)printf("%s: %d tests in %.3f s\n", argv[1], argc - 3, sum);
    for (int i = 0; i < SHOWN && slowest[i].path; i++)
        (void)printf("  %8.3f ms  %s\n", 1e3 * slowest[i].seconds, slowest[i].path);
    model_release(model);
    return 0;
}
