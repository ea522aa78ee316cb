// SPDX-License-Identifier: Apache-2.0
/* An explanation in sentences. A door of models/explain for other rooms. */
#ifndef ORCHIL_MODELS_EXPLAIN_WORDS_H
#define ORCHIL_MODELS_EXPLAIN_WORDS_H

#include "models/explain/drawing.h"

/*
 * Append paragraphs, each one line, separated by empty ones. Events are called by their letters in the drawing.
 *
 * words_print_story: what happens along the cycle, and why it cannot be in one order; of an `sc` outcome, an order that
 * gives it; of an undefined one, the race. model: the id.
 */
void words_print_story(const struct explanation *explanation, const struct drawing *drawing, const char *model,
                       struct text *text);

/* Which program orders of a weak outcome's cycle the model does not keep; `alone` and `together` are as
 * reorderings_find gives them. */
void words_print_reorderings(const struct explanation *explanation, const struct drawing *drawing, const char *model,
                             const bool *alone, bool together, struct text *text);

#endif
