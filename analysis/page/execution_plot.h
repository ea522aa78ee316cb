// SPDX-License-Identifier: Apache-2.0
/* An execution as a picture in a page: inline SVG that follows the page's colours (page.css), as plot.h has it. Private to
 * analysis/. */
#ifndef ORCHIL_ANALYSIS_PAGE_EXECUTION_PLOT_H
#define ORCHIL_ANALYSIS_PAGE_EXECUTION_PLOT_H

#include "base/text.h"
#include "models/explain/drawing.h"

/* A column for each thread, its events from top to bottom, arrows between them; the cycle is heavy and in the accent colour.
 * title: the alternative text. */
void execution_plot(const struct execution_drawing *drawing, const char *title, struct text *text);

#endif
