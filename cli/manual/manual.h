// SPDX-License-Identifier: Apache-2.0
/* Manual pages, written from what a verb declares: the same rows and texts as its --help. */
#ifndef ORCHIL_CLI_MANUAL_MANUAL_H
#define ORCHIL_CLI_MANUAL_MANUAL_H

#include "cli/verb.h"

/* Appends the page of a verb in the macros of man(7). name: "orchil gate baseline". */
void manual_add(const char *name, const struct verb *verb, struct text *page);

/* Appends the page's title: "orchil-gate-baseline". */
void manual_add_title(const char *name, struct text *text);

/* Appends the documentation of a page, of which the verb is `parameters`: those of environments. */
void manual_add_parameters(struct text *text);

#endif
