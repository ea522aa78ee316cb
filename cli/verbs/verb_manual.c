// SPDX-License-Identifier: Apache-2.0
/* orchil manual: manual pages of orchil and of its verbs, in the macros of man(7), for groff and mandoc, from the same
 * rows and texts as --help; and the guides of docs/. On a terminal, a pager shows what --help prints. */
#include "base/field.h"
#include "base/terminal/resemblance.h"
#include "base/terminal/table.h"
#include "base/tool.h"
#include "cli/common_rows.h"
#include "cli/guides_list.h"
#include "cli/help.h"
#include "cli/output.h"
#include "version.h"

/* ---- texts ---- */

/* Characters that groff would interpret: as a command, or as a typographic character that cannot be pasted into a shell
 * (groff_man_style(7), "Portability"). */
static const char *escape_of(char character, bool starts_line)
{
    static const struct {
        char character;
        const char *escape;
    } escapes[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    if (character == '.')
        return starts_line ? "\\&." : NULL;
    return VALUE_OF(const char *, row, escapes, COUNT(escapes), row->character == character, row->escape, NULL);
}

static void add_plain(struct text *page, const char *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *escape = escape_of(from[i], i == 0 || from[i - 1] == '\n');
        if (escape)
            text_add(page, "%s", escape);
        else
            text_add_bytes(page, from + i, 1);
    }
}

static void add_bold(struct text *page, const char *from, size_t size)
{
    text_add(page, "\\fB");
    add_plain(page, from, size);
    text_add(page, "\\fR");
}

/* Adds prose. Text in backticks is printed in bold, without them. */
static void add_prose(struct text *page, const char *from, size_t size)
{
    const char *end = from + size;
    bool code = false;
    while (from < end) {
        const char *tick = memchr(from, '`', (size_t)(end - from));
        const char *stop = tick ? tick : end;
        add_plain(page, from, (size_t)(stop - from));
        if (tick)
            text_add(page, "%s", (code = !code) ? "\\fB" : "\\fR");
        from = tick ? tick + 1 : end;
    }
    text_add(page, "%s\n", code ? "\\fR" : "");
}

static void add_paragraphs(struct text *page, const char *from)
{
    while (*from) {
        const char *blank = strstr(from, "\n\n");
        text_add(page, ".PP\n");
        add_prose(page, from, blank ? (size_t)(blank - from) : strlen(from));
        from = blank ? blank + strspn(blank, "\n") : from + strlen(from);
    }
}

/* Adds a word of a usage line: an option in bold, the name of a value underlined. */
static void add_usage_word(struct text *page, const char *word, size_t size)
{
    const bool option = word[0] == '-', value = isupper((unsigned char)word[0]);
    text_add(page, "%s", option ? "\\fB" : value ? "\\fI" : "");
    add_plain(page, word, size);
    text_add(page, "%s", option || value ? "\\fR" : "");
}

static void add_usage(struct text *page, const char *usage, size_t size)
{
    static const char in_words[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";
    for (size_t i = 0; i < size;) {
        size_t length = strspn(usage + i, in_words);
        if (length > size - i)
            length = size - i;
        if (length > 0)
            add_usage_word(page, usage + i, length);
        else
            add_plain(page, usage + i, length = 1);
        i += length;
    }
}

/* "orchil-gate-baseline". */
static void manual_add_title(const char *name, struct text *text)
{
    for (; *name; name++)
        text_add(text, "%c", *name == ' ' ? '-' : *name);
}

/* ---- sections ---- */

static void manual_add_head(struct text *page, const char *name, const struct verb *verb)
{
    LOCAL(text) title = {0};
    manual_add_title(name, &title);
    text_add(page, ".\\\" Made by `orchil manual`: what it says is in the verb's rows of options and texts.\n.TH ");
    for (const char *at = text_string(&title); *at; at++)
        text_add(page, "%s", *at == '-' ? "\\-" : (char[]){(char)toupper((unsigned char)*at), '\0'});
    text_add(page, " 1 \"\" \"orchil %s\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n", ORCHIL_VERSION);
    add_plain(page, text_string(&title), title.size);
    text_add(page, " \\- ");
    text_clear(&title);
    help_add(verb, "summary", "", &title);
    add_plain(page, text_string(&title), title.size);
    text_add(page, "\n");
}

static void add_synopsis(struct text *page, const char *name, const struct verb *verb)
{
    static const char options[] = "[OPTION...] ";
    text_add(page, ".SH SYNOPSIS\n");
    LOCAL(text) usage = {0};
    for (const char *at = NULL, *before = ""; help_next(verb, "usage", &at, &usage); before = ".br\n") {
        text_add(page, "%s", before);
        add_bold(page, name, strlen(name));
        text_add(page, " ");
        if (verb->run)
            add_usage(page, options, sizeof options - 1);
        add_usage(page, text_string(&usage), usage.size);
        text_add(page, "\n");
    }
}

static void add_rows(struct text *page, const struct verb *verb, const struct option_row *rows)
{
    for (const struct option_row *row = rows; row && !option_ends(row); row++) {
        if (row->name) {
            LOCAL(text) help = {0};
            const char letter[] = {'-', option_letter(row), '\0'};
            text_add(page, ".TP\n");
            if (letter[1]) {
                add_bold(page, letter, strlen(letter));
                text_add(page, ", ");
            }
            text_add(page, "\\fB\\-\\-");
            add_plain(page, row->name, strlen(row->name));
            text_add(page, "\\fR%s", row->metavar ? "=\\fI" : "");
            if (row->metavar) {
                add_plain(page, row->metavar, strlen(row->metavar));
                text_add(page, "\\fR");
            }
            text_add(page, "\n");
            help_add_option(verb, row, &help);
            add_prose(page, text_string(&help), help.size);
        } else {
            text_add(page, ".SS ");
            add_prose(page, row->help, strlen(row->help));
        }
    }
}

/* "orchil-gate-baseline(1)" */
static void add_reference(struct text *page, const char *name, size_t size, const char *below)
{
    LOCAL(text) full = {0}, title = {0};
    text_add(&full, "%.*s%s%s", (int)size, name, below ? " " : "", below ? below : "");
    manual_add_title(text_string(&full), &title);
    add_bold(page, text_string(&title), title.size);
    text_add(page, "(1)");
}

static void manual_add_verbs(struct text *page, const char *name, const struct verb *verb)
{
    text_add(page, verb->below ? ".SH VERBS\n" : "");
    for (const struct verb *const *below = verb->below; below && *below; below++) {
        LOCAL(text) summary = {0};
        if ((*below)->hidden)
            continue;
        help_add(*below, "summary", "", &summary);
        text_add(page, ".TP\n");
        add_reference(page, name, strlen(name), (*below)->name);
        text_add(page, "\n");
        add_prose(page, text_string(&summary), summary.size);
    }
}

/* The page of a verb. name: "orchil gate baseline". */
static void manual_add(const char *name, const struct verb *verb, struct text *page)
{
    LOCAL(text) text = {0}, exit_code = {0};
    manual_add_head(page, name, verb);
    add_synopsis(page, name, verb);
    text_add(page, ".SH DESCRIPTION\n");
    help_add(verb, "about", " ", &text);
    text_add(&text, "\n\n");
    help_add(verb, "details", "\n\n", &text);
    add_paragraphs(page, text_string(&text));
    manual_add_verbs(page, name, verb);
    text_add(page, ".SH OPTIONS\n");
    add_rows(page, verb, verb->options);
    if (verb->run) /* the program has its own --help */
        add_rows(page, verb, options_common);
    text_clear(&text);
    help_add(verb, "example", "\n", &text);
    text_add(page, ".SH EXAMPLES\n.nf\n");
    add_plain(page, text_string(&text), text.size);
    text_add(page, "\n.fi\n.SH EXIT STATUS\n");
    for (const char *at = NULL; help_next(verb, "exit", &at, &exit_code);) {
        const size_t size = strcspn(exit_code.data, ":");
        text_add(page, ".TP\n");
        add_bold(page, exit_code.data, size);
        text_add(page, "\n");
        add_prose(page, exit_code.data + size + 2, exit_code.size - size - 2);
    }
    /* The parent pages; child pages are under VERBS. */
    const char *space = strchr(name, ' ');
    text_add(page, space ? ".SH SEE ALSO\n" : "");
    for (; space; space = strchr(space + 1, ' ')) {
        add_reference(page, name, (size_t)(space - name), NULL);
        text_add(page, "%s\n", strchr(space + 1, ' ') ? "," : "");
    }
}

/* ---- guides, which messages name, and a machine under test has no docs/ ---- */

#define GUIDE_TEXT(symbol, name, title, folder) extern const char symbol[];
GUIDE_LIST(GUIDE_TEXT)

#define GUIDE_ROW(symbol, name, title, folder) {name, title, folder, symbol},
static const struct guide {
    const char *name, *title, *folder, *text;
} guides[] = {GUIDE_LIST(GUIDE_ROW)};

/* The guide of a name, or of a file, "docs/guide/gate.md"; NULL if there is none. */
static const struct guide *find_guide(const char *word)
{
    const char *const from = word + (strncmp(word, "docs/", 5) == 0 ? 5 : 0);
    const size_t size = strlen(from), end = size > 3 && strcmp(from + size - 3, ".md") == 0 ? size - 3 : size;
    FOR_EACH(const struct guide, guide, guides, COUNT(guides)) {
        const char *const last = strrchr(guide->name, '/') ? strrchr(guide->name, '/') + 1 : guide->name;
        const char *const path = PRINTED(96, "%s/%s", guide->folder, last);
        if ((strlen(guide->name) == end && strncmp(guide->name, from, end) == 0) ||
            (strlen(path) == end && strncmp(path, from, end) == 0))
            return guide;
    }
    return NULL;
}

struct manual_request {
    const char *output; /* a folder for all pages, or NULL */
    bool schemas;
    struct verb_arguments words;
};

#define AT(member) offsetof(struct manual_request, member)

static const struct option_row option_rows[] = {{"schemas", 0, NULL, OPTION_SET, .offset = AT(schemas)},
                                                {ROW_OUT("DIR", AT(output)), .file = OPTION_FILE_FOLDER},
                                                {0}};

/* The guide that is asked for; NULL: none. */
static const struct guide *asked_guide(const struct manual_request *request)
{
    const char *const word = request->words.count == 1 ? request->words.list[0] : NULL;
    return word && !verb_below(&verb_program, word) ? find_guide(word) : NULL;
}

static void manual_check_options(const struct argp_state *state, const void *data)
{
    const struct manual_request *request = data;
    if (request->output && request->words.count > 0)
        options_error(state, "--out writes all pages and takes no VERB, found '%s'", request->words.list[0]);
    if (request->schemas && !request->output)
        options_error(state, "--schemas needs --out");
    const struct verb *verb = &verb_program;
    for (size_t i = 0; i < request->words.count && !asked_guide(request); i++) {
        const char *const word = request->words.list[i];
        const struct verb *const above = verb;
        struct resemblance best = {0};
        LOCAL(text) meant = {0};
        verb = verb_below(above, word);
        if (verb && !verb->hidden)
            continue;
        for (const struct verb *const *known = above->below; known && *known; known++)
            resemblance_offer(&best, word, (*known)->hidden ? "" : (*known)->name);
        for (size_t k = 0; k < COUNT(guides) && i == 0; k++)
            resemblance_offer(&best, word, guides[k].name);
        resemblance_print(&best, &meant);
        options_error(state, "unknown verb or guide '%s'%s", word, text_string(&meant));
        return;
    }
}

struct manual_folder {
    const char *path;
    enum status status; /* of the first page that could not be written */
    struct error error;
};

static void write_page(const char *name, const struct verb *verb, void *data)
{
    struct manual_folder *folder = data;
    LOCAL(text) path = {0}, page = {0};
    text_add(&path, "%s/", folder->path);
    manual_add_title(name, &path);
    text_add(&path, ".1");
    manual_add(name, verb, &page);
    if (folder->status == STATUS_OK)
        folder->status = page_file_write(text_string(&path), &page, &folder->error);
}

/* ---- schemas ---- */

/* Writes a schema as WORD.json. Drops it. */
static enum status write_schema(const char *folder, const char *word, json_t *schema, struct error *error)
{
    LOCAL(text) path = {0}, text = {0};
    text_add(&path, "%s/%s.json", folder, word);
    json_add_foreign(schema, &text);
    return page_file_write(text_string(&path), &text, error);
}

static enum status write_schemas(const char *folder, struct error *error)
{
#define SCHEMA_ROW(name, kind, word, version, verb, about) {JSON_##name, word, &field_document_##kind##_type},
    static const struct {
        enum json_schema schema;
        const char *word;
        const struct field_type *type;
    } schemas[] = {JSON_SCHEMA_LIST(SCHEMA_ROW)};
    enum status status = STATUS_OK;
    json_t *common = json_object();
    for (size_t i = 0; i < COUNT(schemas) && status == STATUS_OK; i++)
        status = write_schema(folder, schemas[i].word, field_schema(schemas[i].schema, schemas[i].type, common), error);
    json_t *shared = json_pack("{s:s, s:s, s:s, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
                               "common.json", "title", "What several documents of orchil contain", "$defs", common);
    if (status == STATUS_OK)
        return write_schema(folder, "common", shared, error);
    json_decref(shared);
    return status;
}

/* ---- one page ---- */

static void print_index(void)
{
    struct table table = {0};
    table_columns(&table, "||~");
    for (size_t i = 0; i < COUNT(guides); i++) {
        const bool goes_on = i > 0 && strcmp(guides[i].folder, guides[i - 1].folder) == 0;
        TABLE_ADD_TEXTS(&table, goes_on ? "" : guides[i].folder, guides[i].name, guides[i].title);
    }
    terminal_print(stdout, "'orchil manual NAME' prints a guide:\n\n");
    table_print(&table, stdout, 2);
    terminal_print(stdout, "\n'orchil manual VERB' prints the page of a verb of 'orchil --help'.\n"
                           "Models, names of tests, databases and JSON: docs/reference of the source.\n");
}

/* On a terminal, becomes a shell in which a pager shows what the same words print into a pipe, or a verb's --help. The
 * words follow $0, so nothing in them is expanded. */
static enum status show_in_pager(const struct manual_request *request, struct error *error)
{
    static char shell[] = "/bin/sh", option[] = "-c", help[] = "--help", manual[] = "manual",
                script[] = "pager=${PAGER-less}; [ \"$pager\" ] && command -v ${pager%% *} >/dev/null || pager=cat; "
                           "\"$0\" \"$@\" | eval \"$pager\"";
    const size_t count = request->words.count;
    const bool is_verb = count > 0 && !asked_guide(request);
    char program[PATH_MAX];
    FREED char **words = memory_take(count + 6, sizeof *words);
    TRY(tool_find_self(program, error));
    char *const first[] = {shell, option, script, program, is_verb ? NULL : manual};
    memcpy(words, first, sizeof first);
    memcpy(words + (is_verb ? 4 : 5), request->words.list, count * sizeof *words);
    words[count + (is_verb ? 4 : 5)] = is_verb ? help : NULL;
    (void)setenv("LESS", "FRX", false);
    (void)execv(shell, words);
    return error_set(error, STATUS_SYSTEM, "/bin/sh cannot be started: %s", strerror(errno));
}

static enum status print_words(const struct manual_request *request)
{
    LOCAL(text) text = {0};
    const struct verb *verb = &verb_program;
    if (request->words.count == 0)
        print_index();
    else if (asked_guide(request))
        terminal_write_source(stdout, asked_guide(request)->text);
    else {
        text_add(&text, "%s", verb->name);
        for (size_t i = 0; i < request->words.count; i++) {
            verb = verb_below(verb, request->words.list[i]);
            text_add(&text, " %s", verb->name);
        }
        struct text page = {0};
        manual_add(text_string(&text), verb, &page);
        terminal_end_source(stdout, &page);
    }
    return STATUS_OK;
}

static enum status manual_execute(void *data, UNUSED struct verb_call *call, struct error *error)
{
    const struct manual_request *request = data;
    if (!request->output)
        return isatty(STDOUT_FILENO) ? show_in_pager(request, error) : print_words(request);
    struct manual_folder folder = {.path = request->output};
    TRY(file_make_folders(request->output, 0777, error));
    if (request->schemas)
        return write_schemas(request->output, error);
    verb_each(write_page, &folder);
    *error = folder.error;
    return folder.status;
}

VERB_ENTRY(manual, words, (0), .check = manual_check_options);
