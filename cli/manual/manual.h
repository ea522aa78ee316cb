// SPDX-License-Identifier: Apache-2.0
/* Manual pages, made of what a verb declares: the same rows and texts as its --help. Private to this room. */
#ifndef ORCHIL_CLI_MANUAL_MANUAL_H
#define ORCHIL_CLI_MANUAL_MANUAL_H

#include "base/text.h"
#include "cli/verbs/verb.h"

/* Appends the page of a verb in the macros of man(7). name: "orchil gate baseline". */
void manual_add(const char *name, const struct verb *verb, struct text *page);

/* Appends what the page is called: "orchil-gate-baseline". */
void manual_add_title(const char *name, struct text *text);

#endif
