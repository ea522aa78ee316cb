// SPDX-License-Identifier: Apache-2.0
/* The one parser of option rows, over argp. */
#include "cli/options.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/terminal/resemblance.h"
#include "base/terminal/terminal.h"
#include "base/text.h"
#include "cli/option_files.h"
#include "cli/output.h"
#include "cli/verb.h"

enum {
    KEY_USAGE = 255,
    FIRST_KEY,
    ROWS_AT_MOST = 64
}; /* rows are numbered from the first key on, unless they have a letter */

const struct option_row options_common[] = {
    {"help", '?', .help = "print this help"}, {"usage", KEY_USAGE, .help = "print a short usage message"}, {0}};

/* The data that argp passes to its callbacks. */
struct option_context {
    const struct verb *verb;
    const struct argp_option *list;
    void *request;
    const char *decided;
    struct option_files files;
};

enum { HELP_COLUMNS = 79, NARROWEST_HELP = 30, ROOMY_HELP = 60 };

static unsigned help_columns(void)
{
    const unsigned width = terminal_width(stdout);
    return width == 0 || width > HELP_COLUMNS ? HELP_COLUMNS : width < NARROWEST_HELP ? NARROWEST_HELP : width;
}

/* argp takes the widths of its help from the environment only. */
static void fit_help(void)
{
    const unsigned columns = help_columns();
    struct text format = {0};
    if (columns == HELP_COLUMNS)
        return;
    text_add(&format, "rmargin=%u%s", columns, columns < ROOMY_HELP ? ",opt-doc-col=10" : "");
    (void)setenv("ARGP_HELP_FMT", text_string(&format), false);
    text_release(&format);
}

/* argp is silent (ARGP_NO_ERRS), since it prints arguments unescaped. A copy that is not silent
 * prints the help. */
static void options_help(const struct argp_state *state, FILE *stream, unsigned flags)
{
    struct argp_state open = *state;
    open.flags &= ~(unsigned)ARGP_NO_ERRS;
    fit_help();
    argp_state_help(&open, stream, flags);
}

/* Prints help that was asked for, and ends the process. argp itself would not see that it was lost. */
static void answer(const struct argp_state *state, unsigned flags)
{
    options_help(state, stdout, flags & ~(unsigned)ARGP_HELP_EXIT_OK);
    exit(finish_output(EXIT_SUCCESS));
}

void options_error(const struct argp_state *state, const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(&message, format, arguments);
    va_end(arguments);
    terminal_print(stderr, "%s: %s\n", state->name, text_string(&message));
    text_release(&message);
    options_help(state, stderr, ARGP_HELP_STD_ERR);
}

void options_refuse(const struct argp_state *state, const struct option_row *row, const char *expected,
                    const char *value)
{
    options_error(state, "--%s: expected %s, found '%s'", row->name, expected, value);
}

bool options_read_shard(const char *value, unsigned *shard, unsigned *shards)
{
    char *end = NULL;
    const unsigned long part = strtoul(value, &end, 10);
    const bool divided = value[0] >= '0' && value[0] <= '9' && end[0] == '/' && end[1] >= '0' && end[1] <= '9';
    const unsigned long parts = divided ? strtoul(end + 1, &end, 10) : 0;
    if (!divided || *end != '\0' || part < 1 || part > parts || parts > UINT_MAX)
        return false;
    *shard = (unsigned)part;
    *shards = (unsigned)parts;
    return true;
}

const char *options_decided(const struct argp_state *state)
{
    return ((const struct option_context *)state->input)->decided;
}

bool option_ends(const struct option_row *row)
{
    return !row->name && !row->help;
}

char option_letter(const struct option_row *row)
{
    return row->key > ' ' && row->key < KEY_USAGE ? (char)row->key : '\0';
}

static int option_key(const struct verb *verb, const struct option_row *row)
{
    return row->key ? row->key : FIRST_KEY + (int)(row - verb->options);
}

static const struct option_row *option_of(const struct verb *verb, int key)
{
    for (const struct option_row *row = verb->options; row && !option_ends(row); row++)
        if (row->name && option_key(verb, row) == key)
            return row;
    return NULL;
}

/* ---- values ---- */

/* Each reads a value into *to; false if it is not valid. */

static bool read_whole(const struct option_row *row, const char *value, unsigned *to)
{
    char *end;
    errno = 0;
    const unsigned long whole = strtoul(value, &end, 10);
    *to = (unsigned)whole;
    return *value >= '0' && *value <= '9' && *end == '\0' && errno == 0 && (double)whole >= row->low &&
           (double)whole <= row->high;
}

static bool read_count(const struct option_row *row, const char *value, uint64_t *to)
{
    return quantity_parse_count(value, to) && (row->high <= 0 || ((double)*to >= row->low && (double)*to <= row->high));
}

static bool read_number(const struct option_row *row, const char *value, double *to)
{
    char *end;
    *to = strtod(value, &end);
    return end != value && *end == '\0' && *to > row->low && *to < row->high;
}

static bool read_seed(const char *value, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(value, &end, 10);
    return *value >= '0' && *value <= '9' && *end == '\0' && errno == 0 && *to <= INT64_MAX;
}

static bool read_word(const struct option_row *row, const char *value, int *to)
{
    for (const struct option_word *word = row->words; word->word; word++) {
        *to = word->value;
        if (strcasecmp(word->word, value) == 0)
            return true;
    }
    return false;
}

static bool read_value(const struct option_row *row, const char *value, void *to)
{
    switch (row->kind) {
    case OPTION_SET:
    case OPTION_CLEAR:
        *(bool *)to = row->kind == OPTION_SET;
        return true;
    case OPTION_TEXT:
        *(const char **)to = value;
        return true;
    case OPTION_COUNT:
        return read_count(row, value, to);
    case OPTION_WHOLE:
        return read_whole(row, value, to);
    case OPTION_NUMBER:
        return read_number(row, value, to);
    case OPTION_SECONDS:
        return quantity_parse_seconds(value, to);
    case OPTION_SEED:
        return read_seed(value, to);
    case OPTION_WORD:
        return read_word(row, value, to);
    default:
        return false;
    }
}

/* ---- what was expected instead ---- */

static void add_words(struct text *text, const struct option_word *words)
{
    for (const struct option_word *word = words; word->word; word++)
        text_add(text, "%s%s", word == words ? "" : word[1].word ? ", " : " or ", word->word);
}

static void add_expected(struct text *text, const struct option_row *row)
{
    if (row->expected)
        text_add(text, "%s", row->expected);
    else if (row->kind == OPTION_SECONDS)
        text_add(text, "a positive number of seconds, like 10, 2m or 1h");
    else if (row->kind == OPTION_SEED)
        text_add(text, "a whole number from 0 to 9223372036854775807");
    else if (row->kind == OPTION_NUMBER)
        text_add(text, "a number between %g and %g", row->low, row->high);
    else if (row->kind == OPTION_WORD)
        add_words(text, row->words);
    else if (row->high > 0)
        text_add(text, "a whole number from %.0f to %.0f", row->low, row->high);
    else
        text_add(text, "a positive whole number");
}

static void refuse_value(const struct argp_state *state, const struct option_row *row, const char *value)
{
    struct text expected = {0};
    add_expected(&expected, row);
    options_refuse(state, row, text_string(&expected), value);
    text_release(&expected);
}

/* ---- what is wrong with an option, in the words of getopt_long, which would print its argument unescaped ---- */

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

/* Appends what is wrong with the option at which getopt_long stopped: it is unknown, ambiguous,
 * lacks its value or must not have one. state->next is the argument after it, or the argument
 * itself if it is several letters. options: those given to argp. */
static void options_wrong(const struct argp_option *options, const struct argp_state *state, struct text *text)
{
    if (!add_wrong(options, state, state->next - 1, text) && !add_wrong(options, state, state->next, text))
        terminal_add(text, "wrong options");
}

/* ---- argp's callbacks ---- */

static void take_option(const struct argp_state *state, const struct option_row *row, const char *value)
{
    struct option_context *context = state->input;
    char *request = context->request;
    if (row->decided)
        context->decided = row->name;
    if (row->given)
        *(bool *)(request + row->given) = true;
    if (row->file != OPTION_FILE_NONE)
        option_files_add(&context->files, row, value);
    if (row->kind == OPTION_SET && strcmp(row->name, "json") == 0)
        context->files.json = true;
    if (row->kind == OPTION_OTHER)
        row->read(state, row, value, request);
    else if (!read_value(row, value, request + row->offset))
        refuse_value(state, row, value);
}

static void refuse_option(const struct argp_state *state)
{
    const struct option_context *context = state->input;
    struct text text = {0};
    options_wrong(context->list, state, &text);
    options_error(state, "%s", text_string(&text));
    text_release(&text);
}

/* The files of options that were not given are those of their default values. */
static void check_files(const struct argp_state *state)
{
    struct option_context *context = state->input;
    struct error error;
    for (const struct option_row *row = context->verb->options; row && !option_ends(row); row++) {
        if (row->file != OPTION_FILE_NONE && row->usual &&
            *(const char **)((char *)context->request + row->offset) == row->usual)
            option_files_add(&context->files, row, row->usual);
    }
    if (option_files_check(&context->files, &error) != STATUS_OK)
        exit(complain(state->name, &error));
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct option_context *context = state->input;
    const struct verb *verb = context->verb;
    const struct option_row *row = option_of(verb, key);
    if (row) {
        take_option(state, row, value);
        return 0;
    }
    switch (key) {
    case '?':
        answer(state, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        answer(state, ARGP_HELP_USAGE);
        return 0;
    case ARGP_KEY_ERROR:
        refuse_option(state);
        return 0;
    case ARGP_KEY_ARGS:
        *(struct verb_arguments *)((char *)context->request + verb->arguments) = context->files.arguments =
            (struct verb_arguments){state->argv + state->next, (size_t)(state->argc - state->next)};
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (verb->no_arguments)
            options_error(state, "%s", verb->no_arguments);
        return 0;
    case ARGP_KEY_END:
        if (verb->check)
            verb->check(state, context->request);
        check_files(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void option_help(const struct option_row *row, struct text *text)
{
    const char *place = row->usual && row->help ? strstr(row->help, "%s") : NULL;
    if (place)
        text_add(text, "%.*s%s%s", (int)(place - row->help), row->help, row->usual, place + 2);
    else
        text_add(text, "%s", row->help ? row->help : "");
}

static void add_exit_codes(const struct verb *verb, struct text *text)
{
    enum { INDENT = 12 };
    const unsigned columns = help_columns() - 1; /* argp breaks a line that reaches its margin */
    text_add(text, "%s", verb->exit_codes ? "\nExit codes:\n" : "");
    for (const struct exit_code *code = verb->exit_codes; code && code->codes; code++) {
        struct text line = {0};
        text_add(&line, "  %-*s%s", INDENT - 2, code->codes, code->meaning);
        terminal_wrap_line(text, text_string(&line), line.size, columns, INDENT);
        text_add(text, "%s", code[1].codes ? "\n" : "");
        text_release(&line);
    }
}

static void add_ending(const struct verb *verb, struct text *text)
{
    if (verb->examples)
        text_add(text, "\n\nExamples:\n");
    for (const char *const *example = verb->examples; example && *example; example++)
        text_add(text, "  %s\n", *example);
    add_exit_codes(verb, text);
}

/* The text that argp prints in place of a help text, or after all of them. argp frees new text. */
static char *fill_help(int key, const char *help, void *input)
{
    const struct option_context *context = input;
    const struct option_row *row = context && help ? option_of(context->verb, key) : NULL;
    struct text text = {0};
    if (key == ARGP_KEY_HELP_DUP_ARGS_NOTE)
        return NULL; /* "Mandatory or optional arguments to long options are also ..." */
    if (context && key == ARGP_KEY_HELP_POST_DOC) {
        text_add(&text, "%s", help ? help : "");
        add_ending(context->verb, &text);
    } else if (row && row->usual) {
        option_help(row, &text);
    } else {
        return (char *)(uintptr_t)help;
    }
    return text_take(&text);
}

/* ---- all options ---- */

/* Lists the rows for argp, and sets the defaults. */
static void list_rows(const struct verb *verb, char *request, struct argp_option list[ROWS_AT_MOST + 3])
{
    int group = 0;
    for (const struct option_row *row = verb->options; row && !option_ends(row); row++) {
        group += row->name ? 0 : 1;
        if (row->kind == OPTION_CLEAR)
            *(bool *)(request + row->offset) = true;
        else if (row->usual)
            (void)read_value(row, row->usual, request + row->offset);
        *list++ = (struct argp_option){.name = row->name,
                                       .key = row->name ? option_key(verb, row) : 0,
                                       .arg = row->metavar,
                                       .doc = row->help,
                                       .group = group};
    }
    for (const struct option_row *row = options_common; row->name; row++)
        *list++ = (struct argp_option){.name = row->name, .key = row->key, .doc = row->help, .group = -1};
}

void options_parse(const struct verb *verb, int argc, char **argv, void *request)
{
    struct argp_option list[ROWS_AT_MOST + 3] = {{0}};
    struct option_context context = {.verb = verb, .list = list, .request = request};
    context.files.list = memory_take((size_t)argc + ROWS_AT_MOST, sizeof *context.files.list);
    const struct argp argp = {list, parse_option, verb->usage, verb->documentation, NULL, fill_help, NULL};
    list_rows(verb, request, list);
    if (argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &context) != 0)
        memory_fail(0); /* all others have ended the process */
    free(context.files.list);
}
