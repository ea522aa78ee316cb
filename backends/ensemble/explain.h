// SPDX-License-Identifier: Apache-2.0
/* For `doctor`. */
#ifndef ORCHIL_ENSEMBLE_EXPLAIN_H
#define ORCHIL_ENSEMBLE_EXPLAIN_H

#include "base/text.h"

/* Lists devices of other backends; opens none, so whether they reach each other's memory is not known yet. */
void ensemble_explain(struct text *text);

#endif
