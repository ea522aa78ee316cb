// SPDX-License-Identifier: Apache-2.0
/* JSON values of texts and numbers of any origin. Private to analysis/. */
#ifndef ORCHIL_ANALYSIS_COMPARE_JSON_H
#define ORCHIL_ANALYSIS_COMPARE_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

/* The text, with '?' for each byte beyond ASCII where it is not UTF-8; null for NULL. NULL if memory ran out. */
json_t *json_of_text(const char *text);

/* The number; null where it is not finite. */
json_t *json_of_number(double number);
json_t *json_of_count(uint64_t count);

/* Adds the document to text as indented JSON with a newline, and drops it. what: for the message. */
enum status json_add_document(json_t *document, const char *what, struct text *text, struct error *error);

#endif
