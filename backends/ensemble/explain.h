// SPDX-License-Identifier: Apache-2.0
/* For `doctor`. */
#ifndef ORCHIL_ENSEMBLE_EXPLAIN_H
#define ORCHIL_ENSEMBLE_EXPLAIN_H

#include "base/text.h"

/* Lists devices of other backends without opening them, so it does not say whether they reach each
 * other's memory. */
void ensemble_explain(struct text *text);

#endif
