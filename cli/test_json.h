// SPDX-License-Identifier: Apache-2.0
/* A test as JSON, for `list` and `show`. Private to this folder. */
#ifndef ORCHIL_CLI_TEST_JSON_H
#define ORCHIL_CLI_TEST_JSON_H

#include <jansson.h>

#include "base/json.h"
#include "catalogue/selection.h"
#include "cli/placement.h"

/* line, column, message of each warning about the test's text. */
json_t *warnings_to_json(const struct litmus_test *test);

/* name, dialect, file, family, template (its title or null), threads, placement, expect ("allowed", "forbidden" or
 * null), control (as written, or null), controls, mutants (names), doc, condition, metadata, hash; warnings, if there are any. */
json_t *test_to_json(const struct selected_test *selected);

#endif
