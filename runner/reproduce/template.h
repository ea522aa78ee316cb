// SPDX-License-Identifier: Apache-2.0
/*
 * Texts with holes. A template is a text with lines `//% if NAME`, `//% unless NAME` and `//% end`, between which lines are kept
 * or left out, and holes `@NAME@`, which values fill. A hole that is alone in its line takes a text of several lines, each as
 * far in as the hole; where its value is empty, the line goes. Private to this folder.
 */
#ifndef ORCHIL_RUNNER_REPRODUCE_TEMPLATE_H
#define ORCHIL_RUNNER_REPRODUCE_TEMPLATE_H

#include "base/status.h"
#include "base/text.h"

enum { TEMPLATE_VALUES = 112, TEMPLATE_DEPTH = 8 };

/* Starts as {0}; values_release frees what it holds. */
struct values {
    struct {
        const char *name;
        struct text text;
    } list[TEMPLATE_VALUES];
    size_t count;
};

/* A new value, empty so far: its text is to be added to. A name has a value once it was asked for, and one alone. */
struct text *values_add(struct values *values, const char *name);
/* The same with its text, or where the condition is true. */
void values_set(struct values *values, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void values_note(struct values *values, const char *name, bool condition);
void values_release(struct values *values);

/* Appends the template with the values in its holes. INTERNAL for a hole without a value and for lines that do not pair. */
enum status template_fill(const char *template, const struct values *values, struct text *out, struct error *error);

/* What a word of a program becomes. */
struct word {
    const char *from, *to;
    enum {
        WORD_PLAIN,    /* GROUP */
        WORD_CALL,     /* group_barrier(): its brackets too */
        WORD_BRACKETS, /* global_address(p): the word and the brackets go, what is in them stays */
        WORD_DRAWN     /* draw[DRAW_STRIDE]: STRIDE stays */
    } form;
};

/* Appends C text with other words: those of the list, which ends with {0}, and those for which other, if there is one, appends
 * something and gives true. Texts in quotes and comments stay as they are. A word that becomes nothing takes the blank after it along. */
void words_replace(const char *source, const struct word *words,
                   bool (*other)(const char *word, struct text *out, const void *context), const void *context,
                   struct text *out);

/* Whether C text has the word. */
bool words_have(const char *source, const char *word);

#endif
