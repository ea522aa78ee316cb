// SPDX-License-Identifier: Apache-2.0
/*
 * Pages that need nothing but themselves: markup with every text escaped, one style and one script, and a policy that lets
 * nothing else in. Private to analysis/.
 */
#ifndef ORCHIL_ANALYSIS_PAGE_HTML_H
#define ORCHIL_ANALYSIS_PAGE_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/*
 * html_add(text, markup, argument...) adds the markup, which is a literal of this room, with each `$` in it replaced by the
 * next argument, a text of any origin. Texts are escaped for content and for quoted attributes alike. A line break
 * becomes a blank. What is no character of UTF-8, a control character, or a mark that changes the direction or the
 * place of other characters is written as its number: [U+202E], [0x07].
 */
#define html_add(text, ...) html_add_list(text, (const char *const[]){__VA_ARGS__, NULL})
void html_add_list(struct text *text, const char *const *markup_and_arguments);

/* Adds a text for <pre>: as above, but line breaks and tabs stay. At most `most` bytes of it; what is cut off is said. */
void html_add_lines(struct text *text, const char *from, size_t most);

/* Adds a text as part of an id or of a link to one: letters, digits and +-._ stay, any other byte becomes '_'. Says whether
 * there was another byte. */
bool html_add_anchor(struct text *text, const char *from);

enum { HTML_NUMBER_SIZE = 64 };

/* A rate: "0.251", "2.13e-3". Returns buffer. */
const char *html_rate(double rate, char buffer[HTML_NUMBER_SIZE]);

/* The rate of count in n; of zero the bound below which it lies with 95 %: "< 3.0e-6"; "" for n = 0. Returns buffer. */
const char *html_rate_of(uint64_t count, uint64_t n, char buffer[HTML_NUMBER_SIZE]);

/* "3.1 trillion", "24.3 million", "1,234". Returns buffer. */
const char *html_count_in_words(uint64_t count, char buffer[HTML_NUMBER_SIZE]);

/* All that stands before and behind the content of <main>. The policy names style and script by their hashes. */
void html_start(struct text *text, const char *title);
void html_end(struct text *text);

#endif
