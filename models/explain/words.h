// SPDX-License-Identifier: Apache-2.0
/* An explanation in sentences. A door of models/explain for other rooms. */
#ifndef ORCHIL_MODELS_EXPLAIN_WORDS_H
#define ORCHIL_MODELS_EXPLAIN_WORDS_H

#include "models/explain/explain.h"
#include "models/explain/repair.h"

/*
 * Append paragraphs, each one line, separated by empty ones. Events are called by their letters in
 * the drawing.
 *
 * words_print_story: what happens along the cycle, and why no single order fits; for an `sc`
 * outcome, an order that gives it; for an undefined one, the race. model: the id.
 */
void words_print_story(const struct explanation *explanation, const struct execution_drawing *drawing,
                       const char *model, struct text *text);

/* Why the model allows a weak outcome. If no reason was found, it is what the first of the repairs strengthens. */
void words_print_weakness(const struct explanation *explanation, const struct execution_drawing *drawing,
                          const char *model, const struct weakness *weakness, const struct repairs *repairs,
                          struct text *text);

#endif
