// SPDX-License-Identifier: Apache-2.0
/* Judging a text in a test. */
#pragma once

#include "models/models.h"

/* These fail the running test, with the error, if the model or the text is not accepted. */

/* A built-in model; or, if the environment variable ORCHIL_TEST_MODELS names a folder, NAME.cat in that folder:
 * tests/models/mutations uses this to run the tests with a model that lacks a rule. */
struct model *loaded(const char *name);
struct litmus_test *parsed(const char *text);
struct judgement judged(const struct model *model, const char *text);

/* Is the condition's proposition true of some consistent execution? */
bool reachable(const struct model *model, const char *text);

/* The verdict of the outcome printed as "0:r0=1; [x]=2;"; fails if there is no such outcome. */
enum verdict verdict_of(const struct model *model, const char *text, const char *outcome);
