// SPDX-License-Identifier: Apache-2.0
/* orchil completion: the scripts with which shells complete command lines, and their requests. */
#include "catalogue/catalogue.h"
#include "cli/guides_list.h"
#include "cli/help.h"
#include "models/models.h"
#include "runner/environment/environment.h"

/* Completions of a word of a command line: verbs, options and known values; for files, a directive to the shell. */

/* ---- values, by the word that help texts use for them ---- */

/* The word to complete: a prefix that each answer keeps ("--device="), and from `start` on the part to complete. */
struct typed {
    const char *word, *start; /* start is in word */
};

/* Appends the completions of a value. */
typedef void value_source(const struct typed *typed, struct text *lines);

/* Appends "BEFORE WORD<tab>DESCRIPTION" as a line if the word begins as typed. description: NULL for none. */
static void offer(const struct typed *typed, const char *word, const char *description, struct text *lines)
{
    if (strncmp(word, typed->start, strlen(typed->start)) == 0)
        text_add(lines, "%.*s%s\t%s\n", (int)(typed->start - typed->word), typed->word, word,
                 description ? description : "");
}

static void offer_words(const struct typed *typed, const char *const *words, struct text *lines)
{
    for (; words && *words; words++)
        offer(typed, *words, NULL, lines);
}

/* Families and indices; tests only once something is typed, since there are thousands. */
static void add_tests(const struct typed *typed, struct text *lines)
{
    LOCAL(catalogue) catalogue = {0};
    int dialect;
    const char *start = catalogue_dialect(typed->start, &dialect);
    const struct typed rest = {typed->word, start};
    size_t count;
    catalogue_open(&catalogue);
    FREED struct catalogue_family *families = catalogue_list_families(&catalogue, NULL, &count);
    for (size_t i = 0; i < catalogue_file_count && dialect == LITMUS_NONE; i++)
        if (catalogue_files[i].path[0] == '@')
            offer(&rest, catalogue_files[i].path, NULL, lines);
    FOR_EACH(const struct catalogue_family, family, families, count)
        if (dialect == LITMUS_NONE || family->counts[dialect] > 0)
            offer(&rest, PRINTED(NAME_MAX, "%.*s", (int)family->length, family->path), "a family", lines);
    FOR_EACH(const struct catalogue_entry, entry, catalogue.entries, *start ? catalogue.count : 0)
        if (dialect == LITMUS_NONE || dialect == (int)entry->dialect)
            offer(&rest, entry->name, NULL, lines);
    text_add(lines, ":tests\n");
}

static void add_dialects(const struct typed *typed, struct text *lines)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        LOCAL(text) word = {0};
        catalogue_add_dialect((enum litmus_dialect)dialect, &word);
        offer(typed, text_string(&word), NULL, lines);
    }
}

static void offer_below(const struct verb *verb, const struct typed *typed, struct text *lines)
{
    for (const struct verb *const *below = verb->below; below && *below; below++)
        if (!(*below)->hidden) {
            LOCAL(text) summary = {0};
            help_add(*below, "summary", "", &summary);
            offer(typed, (*below)->name, text_string(&summary), lines);
        }
}

static void completion_add_verbs(const struct typed *typed, struct text *lines)
{
    offer_below(&verb_program, typed, lines);
}

static void add_guides(const struct typed *typed, struct text *lines)
{
#define GUIDE_OFFER(symbol, name, title, folder) offer(typed, name, title, lines);
    GUIDE_LIST(GUIDE_OFFER)
}

/* Devices are not looked for: a driver may take seconds. */
static const char *const device_words[] = {"all",   "cuda",   "cuda:0",   "cuda:all",  "hip",
                                           "hip:0", "opencl", "opencl:0", "simulated", NULL};
static const char *const backend_words[] = {"cuda", "hip", "opencl", "simulated", NULL};
static const char *const shell_words[] = {"bash", "fish", "zsh", NULL};
static const char *const rule_word[] = {"rule", NULL};

/* Words that a value may be, two lists of them, and a line for the shell; or what appends them. */
static const struct value_row {
    const char *metavars; /* with blanks between */
    const char *const *words, *const *more;
    const char *line;
    value_source *add;
} value_rows[] = {{"TEST", .add = add_tests},
                  {"SPEC", .words = device_words},
                  {"BACKEND", .words = backend_words},
                  {"NAME|FILE.cat", .words = model_names, .line = ":files\n"},
                  {"NAME|FILE", .words = environment_profile_names, .more = rule_word, .line = ":files\n"},
                  {"DIALECT D,...", .add = add_dialects},
                  {"SHELL", .words = shell_words},
                  {"VERB", .add = completion_add_verbs},
                  {"GUIDE", .add = add_guides},
                  {"FILE FILE[:RUNS] DATABASE A B", .line = ":files\n"},
                  {"DIR FOLDER", .line = ":folders\n"}};

/* The row of "FILE", "TEST" or another word of help texts; NULL if unknown. */
static const struct value_row *find_values(const char *metavar, size_t size)
{
    for (size_t i = 0; i < COUNT(value_rows); i++)
        for (const char *at = value_rows[i].metavars; *at; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");
            if (length == size && strncmp(at, metavar, size) == 0)
                return &value_rows[i];
            at += length;
        }
    return NULL;
}

static void offer_row(const struct value_row *row, const struct typed *typed, struct text *lines)
{
    offer_words(typed, row->words, lines);
    offer_words(typed, row->more, lines);
    if (row->add)
        row->add(typed, lines);
    text_add(lines, "%s", row->line ? row->line : "");
}

enum { DESCRIPTION_SIZE = 72 }; /* bytes: more would wrap */

/* ---- options ---- */

static void offer_rows(const struct verb *verb, const struct option_row *rows, const struct typed *typed,
                       struct text *lines)
{
    for (const struct option_row *row = rows; row && !option_ends(row); row++) {
        LOCAL(text) word = {0}, clause = {0};
        const char letter[] = {'-', option_letter(row), '\0'};
        if (row->name) {
            text_add(&word, "--%s%s", row->name, row->metavar ? "=" : "");
            /* Appends the first clause of a row's help. */
            static const char *const ends[] = {" (", "; ", ": ", ". "};
            LOCAL(text) help = {0};
            help_add_option(verb, row, &help);
            size_t size = help.size;
            for (size_t i = 0; i < COUNT(ends); i++) {
                const char *end = strstr(text_string(&help), ends[i]);
                if (end && (size_t)(end - text_string(&help)) < size)
                    size = (size_t)(end - text_string(&help));
            }
            if (size > DESCRIPTION_SIZE)
                for (size = DESCRIPTION_SIZE; size > 0 && text_string(&help)[size] != ' ';)
                    size--;
            text_add(&clause, "%.*s", (int)size, text_string(&help));
            offer(typed, text_string(&word), text_string(&clause), lines);
            if (letter[1] && typed->start[1] != '-')
                offer(typed, letter, text_string(&clause), lines);
        }
    }
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
        offer(&value, word->word, NULL, lines);
    const struct value_row *known = row->words ? NULL : find_values(row->metavar, strlen(row->metavar));
    if (known)
        offer_row(known, &value, lines);
}

/* ---- arguments ---- */

/* The words of a usage, "--into FILE DATABASE...", are its arguments, except values of options. Several ways to call a
 * verb may share arguments. */
static void offer_arguments(const struct verb *verb, const struct typed *typed, struct text *lines)
{
    unsigned offered = 0; /* bit i: value_rows[i] */
    bool taken = false;   /* by the option before */
    LOCAL(text) usage = {0};
    help_add(verb, "usage", "\n", &usage);
    for (const char *at = text_string(&usage); *at;) {
        const size_t size = strcspn(at, " \n[].");
        const struct value_row *row = taken ? NULL : find_values(at, size);
        if (row && !(offered >> (row - value_rows) & 1)) {
            offer_row(row, typed, lines);
            offered |= 1U << (row - value_rows);
        }
        if (size > 0)
            taken = at[0] == '-' && option_with_value(verb, at, size);
        at += size + (at[size] != '\0');
    }
}

/* Appends the completions of the last word, which may be half typed. words: those after "orchil". A completion is one
 * line:
 *   WORD<tab>DESCRIPTION   a word that begins as typed; a value follows at once if WORD ends with '='
 *   :files                 the shell adds the names of all files
 *   :folders               the shell adds the names of folders
 *   :tests                 the shell adds folders and files whose names end with .litmus
 * Appends nothing if nothing fits. Opens no device. */
static void completion_answer(char *const *words, size_t count, struct text *lines)
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
        offer_rows(verb, verb->options, &whole, lines);
        if (verb->run) /* the program has its own --help */
            offer_rows(verb, options_common, &whole, lines);
    } else {
        if (first + 1 == count)
            offer_below(verb, &whole, lines);
        if (first + 1 == count && verb == &verb_program && !is_help)
            offer(&whole, "help", "list the verbs, or the options of one", lines);
        if (verb->run && !is_help)
            offer_arguments(verb, &whole, lines);
    }
}

struct completion_request {
    bool answer;
    struct verb_arguments words;
};

#define AT(member) offsetof(struct completion_request, member)

static const struct option_row option_rows[] = {{"answer", 0, NULL, OPTION_SET, .offset = AT(answer)}, {0}};

/* Made by the build from cli/completion/. */
extern const char completion_bash[], completion_fish[], completion_zsh[];

static const struct {
    const char *name, *script;
} shells[] = {{"bash", completion_bash}, {"fish", completion_fish}, {"zsh", completion_zsh}};

static const char *find_script(const char *name)
{
    return VALUE_OF(const char *, shell, shells, COUNT(shells), strcmp(shell->name, name) == 0, shell->script, NULL);
}

static void completion_check_options(const struct argp_state *state, const void *data)
{
    const struct completion_request *request = data;
    if (request->answer)
        return;
    if (request->words.count != 1)
        options_error(state, "expected one SHELL: bash, fish or zsh");
    else if (!find_script(request->words.list[0]))
        options_error(state, "unknown shell '%s'; expected bash, fish or zsh", request->words.list[0]);
}

static enum status completion_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct completion_request *request = data;
    LOCAL(text) lines = {0};
    (void)call, (void)error;
    if (request->answer)
        completion_answer(request->words.list, request->words.count, &lines);
    terminal_write_source(stdout, request->answer ? text_string(&lines) : find_script(request->words.list[0]));
    return STATUS_OK;
}

VERB_ENTRY(completion, words, (0), .check = completion_check_options);
