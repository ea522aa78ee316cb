// SPDX-License-Identifier: Apache-2.0
/* orchil manual: manual pages of orchil and of its verbs. */
#include <string.h>

#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "cli/complaint.h"
#include "cli/manual/manual.h"
#include "cli/page_file.h"
#include "cli/verbs/verb.h"

struct manual_request {
    const char *output; /* a folder for all pages, or NULL */
    struct arguments words;
};

#define AT(member) offsetof(struct manual_request, member)

static const struct option_row manual_rows[] = {
    {"output", 'o', "DIR", OPTION_TEXT, AT(output), .help = "write all pages to DIR, each as DIR/NAME.1"}, {0}};

static const char documentation[] =
    "Prints the manual page of orchil, or of a verb.\v"
    "A page says what --help says, in the format of man(7). Where orchil is installed, the pages are, too: `man orchil`, "
    "`man orchil-run`, `man orchil-gate-baseline`.";

static const char *const examples[] = {"orchil manual run | man -l -", "orchil manual gate baseline | man -l -",
                                       "orchil manual --output ~/.local/share/man/man1", NULL};

static const struct exit_code exit_codes[] = {
    {"0", "printed or written"}, {"2", "wrong usage, or a wrong path"}, {"4", "a page could not be written"}, {0}};

static void manual_check(const struct argp_state *state, const void *data)
{
    const struct manual_request *request = data;
    if (request->output && request->words.count > 0)
        options_error(state, "--output writes all pages: '%s' is not for it", request->words.list[0]);
    const struct verb *verb = &verb_program;
    for (size_t i = 0; i < request->words.count; i++) {
        verb = verb_below(verb, request->words.list[i]);
        if (!verb || !verb->summary) {
            options_error(state, "there is no verb '%s'", request->words.list[i]);
            return;
        }
    }
}

static void print_page(const struct manual_request *request)
{
    const struct verb *verb = &verb_program;
    struct text name = {0}, page = {0};
    text_add(&name, "%s", verb->name);
    for (size_t i = 0; i < request->words.count; i++) {
        verb = verb_below(verb, request->words.list[i]);
        text_add(&name, " %s", verb->name);
    }
    manual_add(text_string(&name), verb, &page);
    terminal_write_source(stdout, text_string(&page));
    text_release(&page);
    text_release(&name);
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

static int manual_main(int argc, char **argv)
{
    struct manual_request request = {0};
    options_parse(&verb_manual, argc, argv, &request);
    if (!request.output) {
        print_page(&request);
        return 0;
    }
    struct manual_folder folder = {.path = request.output};
    folder.status = file_make_folders(request.output, 0777, &folder.error);
    if (folder.status == STATUS_OK)
        verb_each(write_page, &folder);
    return folder.status == STATUS_OK ? 0 : complain(argv[0], &folder.error);
}

const struct verb verb_manual = {.name = "manual",
                                 .summary = "prints manual pages",
                                 .usage = "[VERB...]\n--output DIR",
                                 .documentation = documentation,
                                 .examples = examples,
                                 .exit_codes = exit_codes,
                                 .options = manual_rows,
                                 .arguments = AT(words),
                                 .check = manual_check,
                                 .run = manual_main};
