// SPDX-License-Identifier: Apache-2.0
/* Finds what to complete: a verb, an option, an option's value, or an argument. */
#include <stdbool.h>
#include <string.h>

#include "cli/completion/completion.h"
#include "cli/completion/values.h"
#include "cli/verb.h"

enum { DESCRIPTION_SIZE = 72 }; /* bytes: more would wrap */

/* ---- options ---- */

/* Appends the first clause of a row's help. */
static void add_clause(const struct option_row *row, struct text *text)
{
    static const char *const ends[] = {" (", "; ", ": ", ". "};
    struct text help = {0};
    option_help(row, &help);
    size_t size = help.size;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(text_string(&help), ends[i]);
        if (end && (size_t)(end - text_string(&help)) < size)
            size = (size_t)(end - text_string(&help));
    }
    if (size > DESCRIPTION_SIZE)
        for (size = DESCRIPTION_SIZE; size > 0 && text_string(&help)[size] != ' ';)
            size--;
    text_add(text, "%.*s", (int)size, text_string(&help));
    text_release(&help);
}

static void offer_rows(const struct option_row *rows, const struct typed *typed, struct text *lines)
{
    for (const struct option_row *row = rows; row && !option_ends(row); row++) {
        struct text word = {0}, clause = {0};
        const char letter[] = {'-', option_letter(row), '\0'};
        if (row->name) {
            text_add(&word, "--%s%s", row->name, row->metavar ? "=" : "");
            add_clause(row, &clause);
            values_offer(typed, text_string(&word), text_string(&clause), lines);
            if (letter[1] && typed->start[1] != '-')
                values_offer(typed, letter, text_string(&clause), lines);
        }
        text_release(&clause);
        text_release(&word);
    }
}

static void offer_options(const struct verb *verb, const struct typed *typed, struct text *lines)
{
    offer_rows(verb->options, typed, lines);
    if (verb->run) /* the program has its own --help */
        offer_rows(options_common, typed, lines);
}

/* The option that a word names, like "--device" or "-o", if it takes a value; else NULL. */
static const struct option_row *option_with_value(const struct verb *verb, const char *word, size_t size)
{
    for (const struct option_row *row = verb->options; row && !option_ends(row); row++) {
        if (!row->name || !row->metavar)
            continue;
        if (size == 2 && word[0] == '-' && word[1] == option_letter(row))
            return row;
        if (size == strlen(row->name) + 2 && strncmp(word, "--", 2) == 0 && strncmp(word + 2, row->name, size - 2) == 0)
            return row;
    }
    return NULL;
}

/* In a list with commas, the last value is completed. */
static void offer_values(const struct option_row *row, const struct typed *typed, struct text *lines)
{
    const char *comma = strrchr(typed->start, ',');
    const struct typed value = {typed->word, comma ? comma + 1 : typed->start};
    for (const struct option_word *word = row->words; word && word->word; word++)
        values_offer(&value, word->word, NULL, lines);
    value_source *known = row->words ? NULL : values_find(row->metavar, strlen(row->metavar));
    if (known)
        known(&value, lines);
}

/* ---- arguments ---- */

/* The words of a usage, "--into FILE DATABASE...", are its arguments, except values of options.
 * Several ways to call a verb may share arguments. */
static void offer_arguments(const struct verb *verb, const struct typed *typed, struct text *lines)
{
    enum { SOURCES = 8 };
    value_source *offered[SOURCES];
    size_t count = 0;
    bool taken = false; /* by the option before */
    for (const char *at = verb->usage ? verb->usage : ""; *at && count < SOURCES;) {
        const size_t size = strcspn(at, " \n[].");
        value_source *source = taken ? NULL : values_find(at, size);
        for (size_t i = 0; i < count; i++)
            source = source == offered[i] ? NULL : source;
        if (source)
            (offered[count++] = source)(typed, lines);
        if (size > 0)
            taken = at[0] == '-' && option_with_value(verb, at, size);
        at += size + (at[size] != '\0');
    }
}

static void offer_below(const struct verb *verb, const struct typed *typed, struct text *lines)
{
    for (const struct verb *const *below = verb->below; below && *below; below++)
        if ((*below)->summary)
            values_offer(typed, (*below)->name, (*below)->summary, lines);
}

void completion_answer(char *const *words, size_t count, struct text *lines)
{
    const struct verb *verb = &verb_program;
    if (count == 0)
        return;
    const bool is_help = count > 1 && strcmp(words[0], "help") == 0; /* `orchil help VERB` */
    size_t first = is_help ? 1 : 0;                                  /* the word after the verb */
    for (const struct verb *below; first + 1 < count && (below = verb_below(verb, words[first])); first++)
        verb = below;
    const char *last = words[count - 1], *equals = strchr(last, '=');
    const struct typed whole = {last, last};
    const struct option_row *row =
        first + 1 < count ? option_with_value(verb, words[count - 2], strlen(words[count - 2])) : NULL;
    if (row) {
        offer_values(row, &whole, lines);
    } else if (equals && (row = option_with_value(verb, last, (size_t)(equals - last)))) {
        offer_values(row, &(struct typed){last, equals + 1}, lines);
    } else if (last[0] == '-') {
        offer_options(verb, &whole, lines);
    } else {
        if (first + 1 == count)
            offer_below(verb, &whole, lines);
        if (first + 1 == count && verb == &verb_program && !is_help)
            values_offer(&whole, "help", "list the verbs, or the options of one", lines);
        if (verb->run && !is_help)
            offer_arguments(verb, &whole, lines);
    }
}
