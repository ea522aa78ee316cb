// SPDX-License-Identifier: Apache-2.0
/* orchil manual: manual pages of orchil and of its verbs, and some of its guides. */
#include "base/field.h"
#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "cli/manual/manual.h"
#include "cli/output.h"
#include "cli/verb.h"

/* X(the file's symbol in CMakeLists.txt, its name on the command line, what it is about) */
#define GUIDE_LIST(X)                                                                                                  \
    X(forbidden, "forbidden", "what to do about a forbidden outcome")                                                  \
    X(troubleshooting, "troubleshooting", "symptoms and their causes, and frequent questions")                         \
    X(your_own_atomics, "your-own-atomics", "tests of the functions of your own header")                               \
    X(cheat_sheet, "cheat-sheet", "commands, symbols and exit codes on one page")

/* Guides of docs/ that the program can print, because its messages name them and a machine under test has no docs/. */

#define GUIDE_TEXT(symbol, name, summary) extern const char guide_##symbol[];
GUIDE_LIST(GUIDE_TEXT)

/* The text of a guide; NULL if there is none of that name. */
static const char *manual_guide(const char *name)
{
#define GUIDE_ROW(symbol, name, summary) {name, guide_##symbol},
    static const struct {
        const char *name, *text;
    } guides[] = {GUIDE_LIST(GUIDE_ROW)};
    for (size_t i = 0; i < sizeof guides / sizeof *guides; i++)
        if (strcmp(guides[i].name, name) == 0)
            return guides[i].text;
    return NULL;
}

struct manual_request {
    const char *output; /* a folder for all pages, or NULL */
    bool schemas;
    struct verb_arguments words;
};

#define AT(member) offsetof(struct manual_request, member)

static const struct option_row option_rows[] = {
    {"schemas", 0, NULL, OPTION_SET, AT(schemas),
     .help = "with --output: write the JSON Schemas of what verbs print, and of `orchil export`, instead of pages"},
    {"output", 'o', "DIR", OPTION_TEXT, AT(output), .file = OPTION_FILE_FOLDER,
     .help = "write all pages to DIR, each to a file of its own"},
    {0}};

#define GUIDE_SENTENCE(symbol, name, summary) " `" name "`: " summary "."

static const char documentation[] =
    "Print the manual page of orchil, of a verb, or of the parameters of environments, or a guide.\v"
    "A page has the same text as --help, in the format of man(7). Installing orchil installs the pages too: `man "
    "orchil`, "
    "`man orchil-run`, `man orchil-gate-baseline`.\n\n"
    "GUIDE is one of these texts, printed in Markdown." GUIDE_LIST(GUIDE_SENTENCE);

static const char *const examples[] = {"orchil manual run | man -l -",
                                       "orchil manual gate baseline | man -l -",
                                       "orchil manual parameters | man -l -",
                                       "orchil manual forbidden | less",
                                       "orchil manual --output ~/.local/share/man/man1",
                                       "orchil manual --schemas --output schemas",
                                       NULL};

static const struct exit_code exit_codes[] = {{"0", "printed or written"},
                                              {"2", "wrong usage, or DIR cannot be created"},
                                              {"4", "a page could not be written"},
                                              {0}};

/* A page that is not a verb's. */
static bool is_parameters(const struct manual_request *request)
{
    return request->words.count == 1 && strcmp(request->words.list[0], "parameters") == 0;
}

/* The guide that is asked for; NULL: none. */
static const char *asked_guide(const struct manual_request *request)
{
    return request->words.count == 1 ? manual_guide(request->words.list[0]) : NULL;
}

static void manual_check_options(const struct argp_state *state, const void *data)
{
    const struct manual_request *request = data;
    if (request->output && request->words.count > 0)
        options_error(state, "--output writes all pages and takes no VERB, found '%s'", request->words.list[0]);
    if (request->schemas && !request->output)
        options_error(state, "--schemas needs --output");
    const struct verb *verb = &verb_program;
    for (size_t i = 0; i < request->words.count && !is_parameters(request) && !asked_guide(request); i++) {
        verb = verb_below(verb, request->words.list[i]);
        if (!verb || !verb->summary) {
            options_error(state, "unknown verb or guide '%s'", request->words.list[i]);
            return;
        }
    }
}

/* Calls `add` with the page of parameters, which is described like a verb without options. */
static void with_parameters(void (*add)(const char *name, const struct verb *verb, void *data), void *data)
{
    struct text parameters = {0};
    manual_add_parameters(&parameters);
    const struct verb page = {.summary = "the parameters of environments", .documentation = text_string(&parameters)};
    add("orchil parameters", &page, data);
    text_release(&parameters);
}

static void print_page(const char *name, const struct verb *verb, void *data)
{
    struct text page = {0};
    (void)data;
    manual_add(name, verb, &page);
    terminal_end_source(stdout, &page);
}

struct manual_folder {
    const char *path;
    enum status status; /* of the first page that could not be written */
    struct error error;
};

static void write_page(const char *name, const struct verb *verb, void *data)
{
    struct manual_folder *folder = data;
    struct text path = {0}, page = {0};
    text_add(&path, "%s/", folder->path);
    manual_add_title(name, &path);
    text_add(&path, ".1");
    manual_add(name, verb, &page);
    if (folder->status == STATUS_OK)
        folder->status = page_file_write(text_string(&path), &page, &folder->error);
    text_release(&page);
    text_release(&path);
}

/* ---- schemas ---- */

/* Writes a schema as WORD.json. Drops it. */
static enum status write_schema(const char *folder, const char *word, json_t *schema, struct error *error)
{
    struct text path = {0}, text = {0};
    text_add(&path, "%s/%s.json", folder, word);
    json_add_foreign(schema, &text);
    const enum status status = page_file_write(text_string(&path), &text, error);
    text_release(&text);
    text_release(&path);
    return status;
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
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas && status == STATUS_OK; i++)
        status = write_schema(folder, schemas[i].word, field_schema(schemas[i].schema, schemas[i].type, common), error);
    json_t *shared = json_pack("{s:s, s:s, s:s, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
                               "common.json", "title", "What several documents of orchil contain", "$defs", common);
    if (status == STATUS_OK)
        return write_schema(folder, "common", shared, error);
    json_decref(shared);
    return status;
}

static enum status manual_execute(void *data, struct verb_call *call, struct error *error)
{
    struct manual_request *request = data;
    (void)call;
    if (is_parameters(request))
        with_parameters(print_page, NULL);
    else if (asked_guide(request))
        terminal_write_source(stdout, asked_guide(request));
    else if (!request->output) {
        const struct verb *verb = &verb_program;
        struct text name = {0};
        text_add(&name, "%s", verb->name);
        for (size_t i = 0; i < request->words.count; i++) {
            verb = verb_below(verb, request->words.list[i]);
            text_add(&name, " %s", verb->name);
        }
        print_page(text_string(&name), verb, NULL);
        text_release(&name);
    }
    if (!request->output)
        return STATUS_OK;
    struct manual_folder folder = {.path = request->output};
    TRY(file_make_folders(request->output, 0777, error));
    if (request->schemas)
        return write_schemas(request->output, error);
    verb_each(write_page, &folder);
    if (folder.status == STATUS_OK)
        with_parameters(write_page, &folder);
    *error = folder.error;
    return folder.status;
}

const struct verb verb_manual = {.name = "manual",
                                 .summary = "print manual pages and guides",
                                 .usage = "[VERB...]\nparameters\nGUIDE\n--output DIR",
                                 VERB_PARTS,
                                 .arguments = AT(words),
                                 .check = manual_check_options,
                                 VERB_REQUEST(struct manual_request, 0),
                                 .run = manual_execute};
