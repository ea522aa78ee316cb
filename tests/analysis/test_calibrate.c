// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <stdlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "tests/analysis/planted.h"
int main(int argc, char **argv)
{
    size_t runs = argc > 1 ? (size_t)atoi(argv[1]) : 8;
    double sd = argc > 2 ? atof(argv[2]) : 0.1, noisy = argc > 3 ? atof(argv[3]) : 0;
    struct side side = planted_side("1.0");
    static char names[42][16];
    struct random random = random_start(argc > 4 ? (uint64_t)atoi(argv[4]) : 1, 0, 0, 0);
    for (size_t r = 0; r < runs; r++)
        for (int t = 0; t < 42; t++) {
            snprintf(names[t], 16, "T%02d", t);
            planted_add(&side, "1.0", &(struct planted_test){.name = names[t], .batches = 60, .instances = 100000,
                .rate = 1e-4 * exp((t == 7 ? noisy ? noisy : sd : sd) * planted_normal(&random)), .variation = 0.5, .spread = true, .seconds = 1, .draws = 5 + (uint64_t)t, .noise = 1000 * r + (uint64_t)t + 1});
            side.jobs[side.job_count - 1].row.run_id = (int64_t)r + 1;
            side.jobs[side.job_count - 1].row.seed = 5;
        }
    struct calibration_options options = calibration_usual_options();
    struct calibration c; struct error error; struct text text = {0};
    clock_t start = clock();
    if (calibrate(&side, &options, &c, &error)) { puts(error.text); return 1; }
    fprintf(stderr, "%.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    calibration_print_text(&c, &text);
    fputs(text_string(&text), stdout);
    return 0;
}
