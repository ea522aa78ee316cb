// SPDX-License-Identifier: Apache-2.0
/* The parts that make a history. */
#ifndef ORCHIL_ANALYSIS_HISTORY_HISTORY_PARTS_H
#define ORCHIL_ANALYSIS_HISTORY_HISTORY_PARTS_H

#include "analysis/history/history.h"
#include "analysis/sides/side_job.h"

/* Sorts the jobs of the sides into runs, devices, tests, segments and series. */
void history_gather(const struct side *sides, size_t count, struct history *history);

/* Finds where the series of a device break. */
void history_find_breaks(struct arena *arena, struct history_device *device);

/* Finds the steps of all devices, and divides their series into parts. */
void history_find_steps(struct history *history);

/* Finds what changed where a step may be: fills in its changes, cause and driver_changed. before,
 * after: runs of the device from the step before to the step, and from the step to the next. */
void history_attribute(struct history *history, const struct history_device *device, size_t before, size_t after,
                       struct history_step *step);

/* ---- words ---- */

/* "12 (2026-11-19)", the number and the day of a run. */
void history_add_run(const struct history *history, const struct history_device *device, size_t device_run,
                     struct text *text);

/* The answer, in a sentence or two, the worst first; the sentences on outcomes that must never
 * appear, nothing if there are none, and one of them; of a step, what moved and since when (with its device if there
 * are several); the same with what it came with; the sentences on its place and cause. */
void history_add_answer(const struct history *history, struct text *text);
void history_add_alarms(const struct history *history, struct text *text);
void history_add_alarm(const struct history *history, const struct history_alarm *alarm, struct text *text);
void history_add_title(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text);
void history_add_sentence(const struct history *history, const struct history_device *device,
                          const struct history_step *step, struct text *text);
void history_add_place(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text);
void history_add_cause(const struct history *history, const struct history_device *device,
                       const struct history_step *step, struct text *text);

/* "SB+relaxed  1:r0=0; 1:r1=0;", with what distinguishes tests of one name. */
void history_add_series(const struct history_series *series, struct text *text);

/* "x2.01", "x1/3.06" */
void history_add_ratio(double ratio, struct text *text);

/* The same; if it is of few draws: "x3.06 in 1 draw". */
void history_add_measured(const struct statistics_ratio *ratio, struct text *text);

/* The same, or "new", "lost". */
void history_add_factor(const struct history_move *move, struct text *text);

const char *history_cause_word(enum history_cause cause); /* "driver", "unclear", "other", "nothing" */

#endif
