// SPDX-License-Identifier: Apache-2.0
/* What is wrong with an option, in the words of getopt_long, which would print its argument
 * unescaped. */
#include "cli/options_wrong.h"

#include <stdbool.h>
#include <string.h>

#include "base/terminal/resemblance.h"
#include "base/terminal/terminal.h"

static bool options_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

/* The option that a word without its value means, in full or abbreviated; and how many it may
 * mean. */
static const struct argp_option *find_long(const struct argp_option *options, const char *word, size_t size,
                                           size_t *count)
{
    const struct argp_option *found = NULL;
    *count = 0;
    for (const struct argp_option *option = options; !options_end(option); option++) {
        if (!option->name || strncmp(option->name, word, size) != 0)
            continue;
        found = option;
        if (option->name[size] == '\0') {
            *count = 1;
            return found;
        }
        ++*count;
    }
    return found;
}

static void add_candidates(const struct argp_option *options, const char *word, size_t size, struct text *text)
{
    terminal_add(text, "option '--%s' is ambiguous; possibilities:", word);
    for (const struct argp_option *option = options; !options_end(option); option++)
        if (option->name && strncmp(option->name, word, size) == 0)
            terminal_add(text, " '--%s'", option->name);
}

static void add_unknown(const struct argp_option *options, const char *word, size_t size, struct text *text)
{
    struct resemblance best = {0};
    struct text name = {0}, known = {0};
    text_add(&name, "--%.*s", (int)size, word);
    for (const struct argp_option *option = options; !options_end(option); option++) {
        text_clear(&known);
        text_add(&known, "--%s", option->name ? option->name : "");
        resemblance_offer(&best, text_string(&name), text_string(&known));
    }
    terminal_add(text, "unrecognized option '--%s'", word);
    resemblance_print(&best, text);
    text_release(&known);
    text_release(&name);
}

/* word: the part after the two dashes. False if nothing is wrong with it. */
static bool add_wrong_long(const struct argp_option *options, const char *word, bool is_last, struct text *text)
{
    const size_t size = strcspn(word, "=");
    size_t count;
    const struct argp_option *option = find_long(options, word, size, &count);
    if (count == 0)
        add_unknown(options, word, size, text);
    else if (count > 1)
        add_candidates(options, word, size, text);
    else if (word[size] == '=' && !option->arg)
        terminal_add(text, "option '--%s' doesn't allow an argument", option->name);
    else if (word[size] == '\0' && option->arg && is_last)
        terminal_add(text, "option '--%s' requires an argument", option->name);
    else
        return false;
    return true;
}

static const struct argp_option *find_short(const struct argp_option *options, char letter)
{
    for (const struct argp_option *option = options; !options_end(option); option++)
        if (option->key == (unsigned char)letter)
            return option;
    return NULL;
}

/* letters: the part after the dash. The first that takes a value takes the rest. */
static bool add_wrong_short(const struct argp_option *options, const char *letters, bool is_last, struct text *text)
{
    for (; *letters; letters++) {
        const char letter[2] = {*letters};
        const struct argp_option *option = find_short(options, *letters);
        if (!option)
            terminal_add(text, "invalid option -- '%s'", letter);
        else if (option->arg && (letters[1] || !is_last))
            return false;
        else if (option->arg)
            terminal_add(text, "option requires an argument -- '%s'", letter);
        if (!option || option->arg)
            return true;
    }
    return false;
}

static bool add_wrong(const struct argp_option *options, const struct argp_state *state, int at, struct text *text)
{
    if (at < 1 || at >= state->argc || state->argv[at][0] != '-')
        return false;
    const char *argument = state->argv[at];
    return argument[1] == '-' ? add_wrong_long(options, argument + 2, at + 1 == state->argc, text)
                              : add_wrong_short(options, argument + 1, at + 1 == state->argc, text);
}

void options_wrong(const struct argp_option *options, const struct argp_state *state, struct text *text)
{
    if (!add_wrong(options, state, state->next - 1, text) && !add_wrong(options, state, state->next, text))
        terminal_add(text, "wrong options");
}
