// SPDX-License-Identifier: Apache-2.0
/* Self-contained pages: markup with every text escaped, one style and one script, and a policy that admits nothing
 * else. */
#pragma once

#include "analysis/words/words.h"
#include "base/document/document.h"

/* Adds markup with texts of any origin in it, as escape_format does. */
#define html_add(text, ...) escape_format(text, ESCAPE_HTML, __VA_ARGS__)

/* Escapes what was added since the text had this size. HTML_SAY(text, call) does so with what the call adds to it:
 * words that are not for a page alone. */
void html_escape_from(struct text *text, size_t size);
#define HTML_SAY(text, call)                                                                                           \
    do {                                                                                                               \
        const size_t html_size_before = (text)->size;                                                                  \
        call;                                                                                                          \
        html_escape_from((text), html_size_before);                                                                    \
    } while (0)

/* Adds a text for <pre>: escaped, but line breaks and tabs stay. At most `most` bytes of it; a note says what was cut
 * off. */
void html_add_lines(struct text *text, const char *from, size_t most);

/* Adds a text as part of an id or of a link to one: letters, digits and +-._ stay, any other byte becomes '_'. Returns
 * whether there was another byte. */
bool html_add_anchor(struct text *text, const char *from);

enum { HTML_NUMBER_SIZE = 64 };

/* A rate with three significant digits, zeros at the end too: "0.250", "2.13e-3". Returns buffer. */
const char *html_rate(double rate, char buffer[HTML_NUMBER_SIZE]);

/* An interval: "0.116 to 0.129", with so many digits that its ends differ; equal ends as one number. Returns buffer. */
const char *html_interval(struct interval interval, char buffer[2 * HTML_NUMBER_SIZE]);

/* The rate of count in n; for zero the 95 % bound: "< 3.0e-6"; "" for n = 0. Returns buffer. */
const char *html_rate_of(uint64_t count, uint64_t n, char buffer[HTML_NUMBER_SIZE]);

/* "3.1 trillion", "24.3 million", "1,234". Returns buffer. */
const char *html_count_in_words(uint64_t count, char buffer[HTML_NUMBER_SIZE]);

/* The digits, for an id or an attribute. Returns buffer. */
const char *html_number(uint64_t number, char buffer[HTML_NUMBER_SIZE]);

/* For use as a call's argument: the buffer belongs to the enclosing block. */
#define HTML_RATE(rate) html_rate((rate), (char[HTML_NUMBER_SIZE]){""})
#define HTML_INTERVAL(interval) html_interval((interval), (char[2 * HTML_NUMBER_SIZE]){""})
#define HTML_RATE_OF(count, n) html_rate_of((count), (n), (char[HTML_NUMBER_SIZE]){""})
#define HTML_NUMBER(number) html_number((uint64_t)(number), (char[HTML_NUMBER_SIZE]){""})
#define HTML_COUNT_IN_WORDS(count) html_count_in_words((count), (char[HTML_NUMBER_SIZE]){""})

/* Everything before and after the content of <main>, which begins in its header, below the title. The policy names
 * style and script by their hashes. */
void html_start(struct text *text, const char *title);
void html_end(struct text *text);

/* A document as a part of a page: its answer, for the header; links to its sections; and all that is below. */
void page_print_answer(const struct document *document, struct text *text);
void page_print_links(const struct document *document, struct text *text);
void page_print_document(const struct document *document, struct text *text);
