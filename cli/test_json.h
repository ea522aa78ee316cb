// SPDX-License-Identifier: Apache-2.0
/* A test as JSON and the placement of its threads, for `list`, `show`, `check` and `explain`. */
#ifndef ORCHIL_CLI_TEST_JSON_H
#define ORCHIL_CLI_TEST_JSON_H

#include <jansson.h>

#include "base/json.h"
#include "catalogue/selection.h"
#include "models/races.h"

/* line, column, message of each warning about the test's text. */
json_t *warnings_to_json(const struct litmus_test *test);

/* Sets `cuda_race` of the object if there is a race (kind, rule, accesses, location, outcomes, witness) or if the test was
 * not judged (unjudged: why). */
void race_set_json(json_t *object, const struct race *race);

/* name, dialect, file, family, template (its title or null), threads, placement, expect ("allowed", "forbidden" or
 * null), control (as written, or null), controls, mutants (names), doc, condition, metadata, hash; warnings, if there are any. */
json_t *test_to_json(const struct selected_test *selected);

/* Appends the numbers of the threads, threads of one work-group together, groups joined by '-':
 * "0-1", "01-2". 'w' precedes threads that share a sub-group ("w01"), brackets enclose the groups
 * of one cluster ("[0-1]-2"), '|' separates devices, 'h' precedes the threads of the host ("0|h1").
 * Numbers of two digits are separated by ',', a range of equal threads is written "0..7". */
void placement_print(const struct litmus_test *test, struct text *text);

#endif
