// SPDX-License-Identifier: Apache-2.0
/* Templates. A template is a text with lines `//% if NAME`, `//% unless NAME` and `//% end`, which keep or drop the
 * lines between them, and holes `@NAME@`, which values fill. A hole alone on its line takes a text of several lines,
 * each indented like the hole; if its value is empty, the line is dropped. */
#pragma once

#include "base/escape/escape.h"

enum { TEMPLATE_VALUES = 128, TEMPLATE_DEPTH = 8 };

/* Starts as {0}; template_values_release frees what it holds. */
struct template_values {
    struct {
        const char *name;
        struct text text;
    } list[TEMPLATE_VALUES];
    size_t count;
};

/* Returns the text of the name's value, to append to. The first call adds the value, empty. */
struct text *values_add(struct template_values *values, const char *name);
/* Set the text of a name's value: as printed; to "yes" if the condition is true. */
void values_set(struct template_values *values, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void values_note(struct template_values *values, const char *name, bool condition);
void template_values_release(struct template_values *values);

enum template_form {
    TEMPLATE_PROGRAM, /* values are parts of a program, as they are */
    TEMPLATE_MARKDOWN /* values are texts of any origin: escaped, as prose, as code between backticks, or as an indented
                       * block of code */
};

/* Appends the template with its holes filled. INTERNAL for a hole without a value or unpaired directives. */
enum status template_fill(const char *template, enum template_form form, const struct template_values *values,
                          struct text *out, struct error *error);

/* The replacement of a word of a program. */
struct template_word {
    const char *from, *to;
    enum template_word_form {
        WORD_PLAIN,    /* GROUP */
        WORD_CALL,     /* group_barrier(): including its brackets */
        WORD_BRACKETS, /* global_address(p): only the text in the brackets stays */
        WORD_ELEMENT,  /* VIEW_AT(memory, p): memory[p] */
        WORD_DRAWN     /* draw[DRAW_STRIDE]: STRIDE stays */
    } form;
};

/* Appends C text with words replaced: by the list, which ends with {0}, and by `other`, if not NULL, which appends a
 * replacement and returns true. Quoted texts and comments are kept. If a replacement is empty, the blank after the word
 * is dropped too. */
void words_replace(const char *source, const struct template_word *words,
                   bool (*other)(const char *word, struct text *out, const void *context), const void *context,
                   struct text *out);

/* Whether C text has the word. */
bool words_have(const char *source, const char *word);
