// SPDX-License-Identifier: Apache-2.0
/* Rates and counts for dashboards: OpenMetrics, or the JSON of github-action-benchmark. */
#pragma once

#include "base/base.h"

struct gate;
struct history;

/* For the table of options; at: of the path. */
#define ROW_METRICS(at) "metrics", 0, "FILE", OPTION_TEXT, .offset = (at), .file = OPTION_FILE_WRITTEN

/* Writes the rates of what was judged, the gate's counts, and its exit code; of a gate that could not decide, which is
 * NULL, the exit code alone. Errors as for file_write_whole. */
enum status metrics_write_gate(const struct gate *gate, int exit_code, const char *path, struct error *error);

/* Writes the rates of the newest run of each series, and how many steps and alarms were found. */
enum status metrics_write_history(const struct history *history, const char *path, struct error *error);
