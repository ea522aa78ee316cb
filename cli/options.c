// SPDX-License-Identifier: Apache-2.0
/* The one parser of option rows, over argp. */
#include "base/terminal/resemblance.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/place.h"
#include "cli/project.h"

/* The value of an option whose row has a kind of file. */
struct option_value {
    const struct option_row *row;
    const char *value;
    const char *place; /* of its line in a project file; NULL: it was typed */
};

struct option_files {
    struct option_value *list; /* with the default values of options that were not given */
    size_t count;
    struct verb_arguments arguments; /* of the verb: files that are read, if they are files */
    bool json;                       /* standard output is taken by --json */
};

/* ---- compares the files of one command line with each other ---- */

/* What SQLite names the files beside a database, and orchil the one in which it makes a baseline. */
static const char *const side_names[] = {"-wal", "-shm", "-journal", ".part"};
/* Whether it is one of the files that are kept beside the database. */
static bool is_beside(const struct place *place, const struct place *database)
{
    for (size_t i = 0; i < COUNT(side_names); i++) {
        struct place side;
        const char *const path = PRINTED(PATH_MAX + 16, "%s%s", database->path, side_names[i]);
        if (place_find(path, &side) && place_is_same(place, &side))
            return true;
    }
    return false;
}

/* Whether its name is that of a file beside a database, which would be damaged. */
static bool is_beside_any(const struct place *place)
{
    const size_t length = strlen(place->path);
    for (size_t i = 0; i < COUNT(side_names); i++) {
        char path[PATH_MAX];
        const size_t side = strlen(side_names[i]);
        if (length <= side || strcmp(place->path + length - side, side_names[i]) != 0)
            continue;
        (void)snprintf(path, sizeof path, "%.*s", (int)(length - side), place->path);
        if (stored_place_starts_database(path))
            return true;
    }
    return false;
}

/* ---- pairs ---- */

/* Whether it is a test in a folder, all of whose tests are read. */
static bool is_test_in(const struct place *place, const struct place *folder)
{
    const char *const ending = strrchr(place->path, '.');
    return place->exists && S_ISDIR(folder->facts.st_mode) && ending && strcmp(ending, ".litmus") == 0 &&
           place_is_below(place, folder);
}

/* Whether an output is the file of another path, or beside it. */
static bool takes(const struct place *output, const char *path, enum option_file kind)
{
    struct place other;
    if (!place_find(path, &other) || (kind == OPTION_FILE_READ && !other.exists))
        return false;
    return place_is_same(output, &other) || (kind == OPTION_FILE_READ && is_test_in(output, &other)) ||
           ((kind == OPTION_FILE_DATABASE || kind == OPTION_FILE_READ) && is_beside(output, &other));
}

/* The same for what is read: a file, a list of them, or runs of one, as in FILE:3-5. */
static bool takes_read(const struct place *output, const char *value)
{
    char path[PATH_MAX];
    for (const char *at = value; *at; at += strspn(at, ",")) {
        const size_t length = strcspn(at, ",");
        (void)snprintf(path, sizeof path, "%.*s", (int)length, at);
        at += length;
        char *runs = strrchr(path, ':');
        const bool found = takes(output, path, OPTION_FILE_READ);
        if (runs && runs[1 + strspn(runs + 1, "0123456789-")] == '\0')
            *runs = '\0';
        if (found || takes(output, path, OPTION_FILE_READ))
            return true;
    }
    return takes(output, value, OPTION_FILE_READ);
}

static bool may_share(const struct option_row *a, const struct option_row *b)
{
    return (a->replaces && strcmp(a->replaces, b->name) == 0) || (b->replaces && strcmp(b->replaces, a->name) == 0);
}

/* A database is added to, so what is read may be in it; its verb refuses what makes no sense. */
static bool is_compared(const struct option_value *output, const struct option_value *other)
{
    if (output->row == other->row || may_share(output->row, other->row))
        return false;
    return output->row->file == OPTION_FILE_WRITTEN ||
           (output->row->file == OPTION_FILE_DATABASE &&
            (other->row->file != OPTION_FILE_READ || strcmp(other->row->name, "project") == 0));
}

static enum status check_pair(const struct option_value *output, const struct place *place,
                              const struct option_value *other, struct error *error)
{
    const bool same = other->row->file == OPTION_FILE_READ ? takes_read(place, other->value)
                                                           : takes(place, other->value, other->row->file);
    return same ? error_set(error, STATUS_USAGE,
                            "--%s '%s' and --%s '%s' use the same file: choose another for one of them",
                            output->row->name, output->value, other->row->name, other->value)
                : STATUS_OK;
}

static enum status check_output(const struct option_files *files, const struct option_value *output,
                                struct error *error)
{
    struct place place;
    if (!place_find(output->value, &place) ||
        /* of a device or a pipe, nothing is lost if it is written twice */
        (place.exists && !S_ISREG(place.facts.st_mode) && !S_ISDIR(place.facts.st_mode)))
        return STATUS_OK;
    for (size_t i = 0; i < files->count; i++)
        if (is_compared(output, &files->list[i]))
            TRY(check_pair(output, &place, &files->list[i], error));
    static const char *const streams[] = {[STDOUT_FILENO] = "standard output", [STDERR_FILENO] = "standard error"};
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        struct place other = {.exists = true};
        if (fstat(stream, &other.facts) == 0 && place_is_same(&place, &other))
            return error_set(error, STATUS_USAGE, "--%s: '%s' is the file that %s goes to: choose another file",
                             output->row->name, output->value, streams[stream]);
    }
    if (is_beside_any(&place))
        return error_set(error, STATUS_USAGE, "--%s: '%s' belongs to a database: choose another file",
                         output->row->name, output->value);
    if (output->row->file != OPTION_FILE_WRITTEN)
        return STATUS_OK;
    if (stored_place_starts_database(place.path))
        return error_set(error, STATUS_USAGE, "--%s: '%s' is a database and would be overwritten: choose another file",
                         output->row->name, output->value);
    for (size_t i = 0; i < files->arguments.count; i++)
        if (takes_read(&place, files->arguments.list[i]))
            return error_set(error, STATUS_USAGE,
                             "--%s: '%s' is also read ('%s') and would be overwritten: choose another file",
                             output->row->name, output->value, files->arguments.list[i]);
    return STATUS_OK;
}

/* ---- standard output ---- */

static bool is_standard_output(const struct option_value *output)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    return output->row->file == OPTION_FILE_WRITTEN &&
           ANY_OF(name, names, COUNT(names), strcmp(output->value, *name) == 0);
}

static enum status check_standard_output(const struct option_files *files, const struct option_value *output,
                                         const struct option_value **before, struct error *error)
{
    if (files->json || *before)
        return error_set(error, STATUS_USAGE,
                         "--%s%s%s and --%s %s both go to standard output: expected a file for one of them",
                         *before ? (*before)->row->name : "json", *before ? " " : "", *before ? (*before)->value : "",
                         output->row->name, output->value);
    *before = output;
    return STATUS_OK;
}

/*
 * USAGE, with both options named, if
 * - an output is the same file as another output, a database that is written, an input or an argument, by any path,
 *   or is a file that SQLite keeps beside a database;
 * - an output is a database, which would be overwritten, or is a file that this process's standard streams go to;
 * - two outputs go to standard output, or one and --json.
 * Devices and pipes may be named repeatedly, and a file that only adds to another's or replaces it (see .replaces).
 */
static enum status option_files_check(const struct option_files *files, struct error *error)
{
    const struct option_value *before = NULL;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++) {
        const struct option_value *value = &files->list[i];
        if (is_standard_output(value))
            status = check_standard_output(files, value, &before, error);
        else if (value->row->file == OPTION_FILE_WRITTEN || value->row->file == OPTION_FILE_DATABASE)
            status = check_output(files, value, error);
        if (status != STATUS_OK && value->place) {
            const struct error why = *error;
            (void)error_set(error, status, "%s: %s", value->place, why.text);
        }
    }
    return status;
}

/* Adds a value. The last value of an option that is a text replaces the one before. The list has room for it. */
static void option_files_add(struct option_files *files, const struct option_row *row, const char *value,
                             const char *place)
{
    const size_t at = INDEX_OF(each, files->list, files->count, row->kind == OPTION_TEXT && each->row == row);
    files->list[at] = (struct option_value){row, value, place};
    files->count += at == files->count;
}

enum { FIRST_KEY = 256, ROWS_AT_MOST = 64 }; /* rows are numbered from the first key on, unless they have a letter */

const struct option_row options_common[] = {{.name = "help", .key = 'h'}, {0}};

/* The data that argp passes to its callbacks. */
struct option_context {
    const struct verb *verb;
    const struct argp_option *list;
    void *request;
    const char *decided;
    struct option_files files;
    struct arena *arena;      /* of the project file's values */
    const char *place;        /* of the line of the project file that is taken; NULL: none */
    bool typed[ROWS_AT_MOST]; /* rows of the verb that the command line has */
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
    LOCAL(text) format = {0};
    if (columns == HELP_COLUMNS)
        return;
    text_add(&format, "rmargin=%u%s", columns, columns < ROOMY_HELP ? ",opt-doc-col=10" : "");
    (void)setenv("ARGP_HELP_FMT", text_string(&format), false);
}

/* Prints help that was asked for, and ends the process. argp itself, which would print arguments unescaped, is silent
 * (ARGP_NO_ERRS), and would not see that the help was lost. */
static void options_answer(const struct argp_state *state)
{
    struct argp_state open = *state;
    open.flags &= ~(unsigned)ARGP_NO_ERRS;
    fit_help();
    argp_state_help(&open, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
    exit(finish_output(EXIT_SUCCESS));
}

void options_error(const struct argp_state *state, const char *format, ...)
{
    LOCAL(text) message = {0};
    va_list arguments;
    va_start(arguments, format);
    terminal_add_list(&message, format, arguments);
    va_end(arguments);
    terminal_print(stderr, "%s: %s\nrun '%s --help' for its options\n", state->name, text_string(&message),
                   state->name);
    exit(EXIT_USAGE);
}

void options_refuse(const struct argp_state *state, const struct option_row *row, const char *expected,
                    const char *value)
{
    const char *place = ((const struct option_context *)state->input)->place;
    options_error(state, "%s%s%s: expected %s, found '%s'", place ? place : "--", place ? ": " : "", row->name,
                  expected, value);
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
    return (char)row->key;
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

static bool read_shard(const char *value, unsigned *part, unsigned *parts)
{
    enum { MOST_SHARDS = 10000 };
    char *end = NULL;
    const unsigned long first = strtoul(value, &end, 10);
    const bool divided = value[0] >= '0' && value[0] <= '9' && end[0] == '/' && end[1] >= '0' && end[1] <= '9';
    const unsigned long all = divided ? strtoul(end + 1, &end, 10) : 0;
    *part = (unsigned)first;
    *parts = (unsigned)all;
    return divided && *end == '\0' && first >= 1 && first <= all && all <= MOST_SHARDS;
}

/* The word that a value is, in any case; NULL if it is none. */
static const struct option_word *options_find_word(const struct option_row *row, const char *value)
{
    for (const struct option_word *word = row->words; word && word->word; word++)
        if (strcasecmp(word->word, value) == 0)
            return word;
    return NULL;
}

static bool read_words(const struct option_row *row, const char *value, unsigned *to)
{
    char name[32]; /* longer than any word */
    const size_t length = strcspn(value, ",");
    (void)snprintf(name, sizeof name, "%.*s", (int)length, value);
    const struct option_word *word = options_find_word(row, name);
    *to |= word ? (unsigned)word->value : 0;
    return word && (value[length] == '\0' || read_words(row, value + length + 1, to));
}

static bool read_text(const struct option_row *row, const char *value, const char **to)
{
    const struct option_word *word = options_find_word(row, value);
    *to = word ? word->word : value;
    return word || (!row->words && (*value || !row->expected));
}

static bool read_value(const struct option_row *row, const char *value, void *to)
{
    const struct option_word *word;
    switch (row->kind) {
    case OPTION_SET:
    case OPTION_CLEAR:
        *(bool *)to = row->kind == OPTION_SET;
        return true;
    case OPTION_TEXT:
        return read_text(row, value, to);
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
        word = options_find_word(row, value);
        *(int *)to = word ? word->value : 0;
        return word != NULL;
    case OPTION_WORDS:
        return read_words(row, value, to);
    case OPTION_SHARD:
        return read_shard(value, to, (unsigned *)((char *)to - row->offset + row->second));
    default:
        return false;
    }
}

/* ---- what was expected instead ---- */

static void add_expected(struct text *text, const struct option_row *row)
{
    if (row->expected)
        text_add(text, "%s", row->expected);
    else if (row->kind == OPTION_SECONDS)
        text_add(text, "a positive number of seconds, like 10, 2m or 1h");
    else if (row->kind == OPTION_SEED)
        text_add(text, "a whole number from 0 to 9223372036854775807");
    else if (row->kind == OPTION_SHARD)
        text_add(text, "I/N, the part and how many there are, from 1/1 to 10000/10000");
    else if (row->kind == OPTION_NUMBER)
        text_add(text, "a number between %g and %g", row->low, row->high);
    else if (row->words) {
        for (const struct option_word *word = row->words; word->word; word++)
            text_add(text, "%s%s", word == row->words ? "" : word[1].word ? ", " : " or ", word->word);
        text_add(text, "%s", row->kind == OPTION_WORDS ? ", or several with commas between" : "");
    } else if (row->high > 0)
        text_add(text, "a whole number from %.0f to %.0f", row->low, row->high);
    else
        text_add(text, "a positive whole number");
}

/* ---- what is wrong with an option, in the words of getopt_long, which would print its argument unescaped ---- */

static bool options_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

/* The option that a word without its value means, in full or abbreviated; and how many it may mean. */
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

/* What an option of other tools is here, by the entry "typed OPTION" of help.txt: of its parts, between bars, the first
 * that is an option of the verb, or no option at all. False if there is none. */
static bool add_habit(const struct verb *verb, const struct argp_option *options, const char *typed, struct text *text)
{
    LOCAL(text) name = {0}, parts = {0};
    text_add(&name, "typed %s", typed);
    help_add_of(verb, text_string(&name), &parts);
    for (const char *part = text_string(&parts); *part;) {
        const size_t length = strcspn(part, "|"), size = strncmp(part, "--", 2) == 0 ? strcspn(part + 2, " |") : 0;
        size_t count = 0;
        if (size == 0 || find_long(options, part + 2, size, &count)) {
            text_add(text, size > 0 ? " (did you mean %.*s?)" : ": %.*s", (int)length, part);
            return true;
        }
        part += length + (part[length] == '|');
    }
    return false;
}

/* word: the part after the two dashes. False if nothing is wrong with it. */
static bool add_wrong_long(const struct verb *verb, const struct argp_option *options, const char *word, bool is_last,
                           struct text *text)
{
    const size_t size = strcspn(word, "=");
    size_t count;
    const struct argp_option *option = find_long(options, word, size, &count);
    if (count == 0) {
        struct resemblance best = {0};
        LOCAL(text) name = {0}, known = {0};
        text_add(&name, "--%.*s", (int)size, word);
        for (const struct argp_option *possible = options; !options_end(possible); possible++) {
            text_clear(&known);
            text_add(&known, "--%s", possible->name ? possible->name : "");
            resemblance_offer(&best, text_string(&name), text_string(&known));
        }
        terminal_add(text, "unrecognized option '--%s'", word);
        if (!add_habit(verb, options, text_string(&name), text))
            resemblance_print(&best, text);
    } else if (count > 1) {
        terminal_add(text, "option '--%s' is ambiguous; possibilities:", word);
        for (const struct argp_option *possible = options; !options_end(possible); possible++)
            if (possible->name && strncmp(possible->name, word, size) == 0)
                terminal_add(text, " '--%s'", possible->name);
    } else if (word[size] == '=' && !option->arg)
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
static bool add_wrong_short(const struct verb *verb, const struct argp_option *options, const char *letters,
                            bool is_last, struct text *text)
{
    for (; *letters; letters++) {
        const char letter[] = {'-', *letters, '\0'};
        const struct argp_option *option = find_short(options, *letters);
        if (!option) {
            terminal_add(text, "unrecognized option '%s'", letter);
            (void)add_habit(verb, options, letter, text);
        } else if (option->arg && (letters[1] || !is_last))
            return false;
        else if (option->arg)
            terminal_add(text, "option '%s' requires an argument", letter);
        if (!option || option->arg)
            return true;
    }
    return false;
}

static bool add_wrong(const struct option_context *context, const struct argp_state *state, int at, struct text *text)
{
    if (at < 1 || at >= state->argc || state->argv[at][0] != '-')
        return false;
    const char *argument = state->argv[at];
    const bool is_last = at + 1 == state->argc;
    return argument[1] == '-' ? add_wrong_long(context->verb, context->list, argument + 2, is_last, text)
                              : add_wrong_short(context->verb, context->list, argument + 1, is_last, text);
}

/* ---- argp's callbacks ---- */

static void take_option(const struct argp_state *state, const struct option_row *row, const char *value)
{
    struct option_context *context = state->input;
    char *request = context->request;
    context->typed[row - context->verb->options] |= !context->place;
    if (row->decided && !context->place)
        context->decided = row->name;
    if (row->given)
        *(bool *)(request + row->given) = true;
    if (row->file != OPTION_FILE_NONE)
        option_files_add(&context->files, row, value, context->place);
    if (row->kind == OPTION_SET && strcmp(row->name, "json") == 0)
        context->files.json = true;
    if (row->kind == OPTION_OTHER)
        row->read(state, row, value, request);
    else if (!read_value(row, value, request + row->offset)) {
        LOCAL(text) expected = {0};
        add_expected(&expected, row);
        options_refuse(state, row, text_string(&expected), value);
    }
}

static void refuse_option(const struct argp_state *state)
{
    const struct option_context *context = state->input;
    LOCAL(text) text = {0};
    /* getopt_long stopped at the argument before state->next or, if that is several letters, at state->next itself. */
    if (!add_wrong(context, state, state->next - 1, &text) && !add_wrong(context, state, state->next, &text))
        terminal_add(&text, "wrong options");
    options_error(state, "%s", text_string(&text));
}

/* The files of options that were not given are those of their default values. */
static void check_files(const struct argp_state *state)
{
    struct option_context *context = state->input;
    struct error error;
    for (const struct option_row *row = context->verb->options; row && !option_ends(row); row++) {
        if (row->file != OPTION_FILE_NONE && row->usual &&
            *(const char **)((char *)context->request + row->offset) == row->usual)
            option_files_add(&context->files, row, row->usual, NULL);
    }
    if (option_files_check(&context->files, &error) != STATUS_OK)
        exit(complain(state->name, &error));
}

/* ---- the project file ---- */

/* names: each between blanks. */
static bool has_typed(const struct option_context *context, const char *names)
{
    for (const struct option_row *row = context->verb->options; !option_ends(row); row++)
        if (context->typed[row - context->verb->options] && text_has_word(names, row->name, strlen(row->name)))
            return true;
    return false;
}

static void take_project_line(const struct argp_state *state, const struct project_line *line)
{
    struct option_context *context = state->input;
    const struct option_row *row = line->row;
    if (!line->of_verb || context->typed[row - context->verb->options] || has_typed(context, row->project))
        return;
    context->place = line->place;
    if (row->metavar || strcmp(line->value, "yes") == 0)
        take_option(state, row, line->value);
    else if (strcmp(line->value, "no") != 0)
        options_refuse(state, row, "yes or no", line->value);
    context->place = NULL;
}

/* Takes the project file's values of options that were not typed. */
static void take_project(const struct argp_state *state)
{
    struct option_context *context = state->input;
    const struct option_row *const file = project_find_row(context->verb, "project"), *const none = project_find_row(
                                                                                          context->verb, "no-project");
    const char *const named = *(const char **)((char *)context->request + file->offset);
    struct project project;
    struct error error;
    if (*(bool *)((char *)context->request + none->offset)) {
        if (named)
            options_error(state, "--project and --no-project exclude each other");
        return;
    }
    if (project_read(named, context->verb, context->arena, &project, &error) != STATUS_OK)
        exit(complain(state->name, &error));
    if (!project.path)
        return;
    terminal_print(stderr, "project: %s\n", project.path);
    option_files_add(&context->files, file, project.path, NULL);
    for (size_t i = 0; i < project.count; i++)
        take_project_line(state, &project.lines[i]);
    /* A gate repeats the tests of its baseline as they were run, and asks for all of them. */
    const bool makes_runs = !project_find_row(context->verb, "stored") && !has_typed(context, " from ");
    if (makes_runs && context->files.arguments.count == 0)
        *(struct verb_arguments *)((char *)context->request + context->verb->arguments) = context->files.arguments =
            project.tests;
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
    case 'h':
        options_answer(state);
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
        if (verb->project)
            take_project(state);
        if (verb->check)
            verb->check(state, context->request);
        check_files(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What stands below the options: details, examples, exit codes. */
static void add_ending(const struct verb *verb, struct text *text)
{
    enum { INDENT = 12 };
    const unsigned columns = help_columns() - 1; /* argp breaks a line that reaches its margin */
    LOCAL(text) exit_code = {0};
    help_add(verb, "details", "\n\n", text);
    text_add(text, "\n\nExamples:\n  ");
    help_add(verb, "example", "\n  ", text);
    text_add(text, "\n\nExit codes:");
    for (const char *at = NULL; help_next(verb, "exit", &at, &exit_code);) {
        LOCAL(text) line = {0};
        const size_t size = strcspn(exit_code.data, ":");
        text_add(&line, "  %-*.*s%s", INDENT - 2, (int)size, exit_code.data, exit_code.data + size + 2);
        text_add(text, "\n");
        terminal_wrap_line(text, text_string(&line), line.size, columns, INDENT);
    }
}

/* The text that argp prints in place of its own. argp frees new text. */
static char *fill_help(int key, const char *help, void *input)
{
    const struct option_context *context = input;
    const struct option_row *row = context ? option_of(context->verb, key) : NULL;
    struct text text = {0};
    for (const struct option_row *common = options_common; common->name; common++)
        row = common->key == key ? common : row;
    if (key == ARGP_KEY_HELP_DUP_ARGS_NOTE)
        return NULL; /* "Mandatory or optional arguments to long options are also ..." */
    if (context && key == ARGP_KEY_HELP_PRE_DOC)
        help_add(context->verb, "about", " ", &text);
    else if (context && key == ARGP_KEY_HELP_POST_DOC)
        add_ending(context->verb, &text);
    else if (context && row)
        help_add_option(context->verb, row, &text);
    else
        return (char *)(uintptr_t)help;
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

void options_parse(const struct verb *verb, int argc, char **argv, void *request, struct arena *arena)
{
    struct argp_option list[ROWS_AT_MOST + 3] = {{0}};
    struct option_context context = {.verb = verb, .list = list, .request = request, .arena = arena};
    context.files.list = memory_take((size_t)argc + ROWS_AT_MOST, sizeof *context.files.list);
    LOCAL(text) usage = {0};
    help_add(verb, "usage", "\n", &usage);
    const struct argp argp = {list, parse_option, text_string(&usage), NULL, NULL, fill_help, NULL};
    list_rows(verb, request, list);
    if (argp_parse(&argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &context) != 0)
        memory_fail(0); /* all others have ended the process */
    free(context.files.list);
}
