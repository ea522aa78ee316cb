// SPDX-License-Identifier: Apache-2.0
/* Tells a compiler's lawful change of a test from a fault. */
#ifndef ORCHIL_INSPECT_JUDGE_MERGED_H
#define ORCHIL_INSPECT_JUDGE_MERGED_H

#include "inspect/inspect.h"

/*
 * A test that is not kept becomes merged if the inspection knows tests that the code amounts to,
 * and no outcome that one of them allows is forbidden by the test, each as the model judges it that
 * decides on the device. Of a range of threads that no model can judge, two stand for all. A test
 * that cannot be judged stays as it is.
 */
void judge_merged(const struct litmus_test *test, const struct backend_device *device, struct inspection *inspection);

/* Compares the code with the test (inspect_code), and judges the difference. */
void inspect_and_judge(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                       const struct backend_device *device, struct inspection *inspection);

#endif
