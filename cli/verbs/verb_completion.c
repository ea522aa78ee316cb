// SPDX-License-Identifier: Apache-2.0
/* orchil completion: the scripts with which shells complete command lines, and their requests. */
#include <string.h>

#include "base/terminal/terminal.h"
#include "cli/completion/completion.h"
#include "cli/verb.h"

struct completion_request {
    bool answer;
    struct verb_arguments words;
};

#define AT(member) offsetof(struct completion_request, member)

static const struct option_row option_rows[] = {
    {"answer", 0, NULL, OPTION_SET, AT(answer),
     .help = "print the completions of the last WORD, one per line, each followed by a tab and its description; for "
             "the scripts"},
    {0}};

static const char documentation[] =
    "Print a script that completes command lines of orchil in a shell: verbs, options, tests, models, profiles, "
    "devices and files.\v"
    "SHELL is bash, fish or zsh. Installing orchil installs the scripts where the shells look for them. Otherwise, "
    "load the script in the file that your shell reads when it starts.\n\n"
    "The scripts call `orchil completion --answer` and do not know any verbs or options themselves.";

static const char *const examples[] = {"source <(orchil completion bash)", "orchil completion zsh > ~/.zfunc/_orchil",
                                       "orchil completion fish > ~/.config/fish/completions/orchil.fish",
                                       "orchil completion --answer -- run MP+rel", NULL};

static const struct exit_code exit_codes[] = {{"0", "printed"}, {"2", "wrong usage"}, {0}};

/* Made by the build from cli/completion/. */
extern const char completion_bash[], completion_fish[], completion_zsh[];

static const struct shell {
    const char *name, *script;
} shells[] = {{"bash", completion_bash}, {"fish", completion_fish}, {"zsh", completion_zsh}};

static const char *find_script(const char *name)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, name) == 0)
            return shells[i].script;
    return NULL;
}

static void check_options(const struct argp_state *state, const void *data)
{
    const struct completion_request *request = data;
    if (request->answer)
        return;
    if (request->words.count != 1)
        options_error(state, "expected one SHELL: bash, fish or zsh");
    else if (!find_script(request->words.list[0]))
        options_error(state, "unknown shell '%s'; expected bash, fish or zsh", request->words.list[0]);
}

static int execute(int argc, char **argv)
{
    struct completion_request request = {0};
    struct text lines = {0};
    options_parse(&verb_completion, argc, argv, &request);
    if (request.answer)
        completion_answer(request.words.list, request.words.count, &lines);
    terminal_write_source(stdout, request.answer ? text_string(&lines) : find_script(request.words.list[0]));
    text_release(&lines);
    return 0;
}

const struct verb verb_completion = {.name = "completion",
                                     .summary = "print a completion script for a shell",
                                     .usage = "SHELL\n--answer WORD...",
                                     .documentation = documentation,
                                     .examples = examples,
                                     .exit_codes = exit_codes,
                                     .options = option_rows,
                                     .arguments = AT(words),
                                     .check = check_options,
                                     .run = execute};
