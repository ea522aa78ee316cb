// SPDX-License-Identifier: Apache-2.0
/* The program's entry: finds the verb and hands over. */
#include <fcntl.h>
#include <signal.h>

#include "base/json.h"
#include "base/terminal/resemblance.h"
#include "cli/help.h"
#include "cli/output.h"
#include "version.h"

/* ---- the program's own help ---- */

static void print_help(FILE *stream)
{
    struct text text = {0};
    text_add(&text, "Usage: orchil ");
    help_add(&verb_program, "usage", "", &text);
    text_add(&text, "\n");
    help_add(&verb_program, "about", "\n", &text);
    text_add(&text, "\n\n");
    terminal_write(stream, text_string(&text));
    struct table table = {0};
    table_columns(&table, "||~");
    for (size_t i = 0; verb_program.below[i]; i++) {
        const bool goes_on = i > 0 && verb_groups[i] == verb_groups[i - 1];
        LOCAL(text) summary = {0};
        if (!verb_groups[i])
            continue;
        help_add(verb_program.below[i], "summary", "", &summary);
        table_add(&table, "%s", goes_on ? "" : verb_groups[i]);
        table_add_styled(&table, TERMINAL_STRONG, "%s", verb_program.below[i]->name);
        table_add(&table, "%s", text_string(&summary));
    }
    table_print(&table, stream, 2);
    text_clear(&text);
    text_add(&text, "\nExamples:\n  ");
    help_add(&verb_program, "example", "\n  ", &text);
    text_add(&text, "\n\n");
    help_add(&verb_program, "details", "\n", &text);
    text_add(&text, "\n");
    terminal_end(stream, &text);
}

/* Whether it may be a TEST or a file: no verb has such letters. */
static bool is_no_verb(const char *word)
{
    return word[0] != '-' && word[strspn(word, "abcdefghijklmnopqrstuvwxyz-")] != '\0';
}

static int refuse_verb(const char *name)
{
    struct resemblance best = {0};
    LOCAL(text) meant = {0}, typed = {0};
    const bool is_test = is_no_verb(name);
    const char *const ending = is_test ? strrchr(name, '.') : NULL;
    text_add(&typed, "typed %s", ending ? ending : name);
    help_add(&verb_program, text_string(&typed), "", &meant);
    for (const struct verb *const *verb = verb_program.below; *verb; verb++)
        if (!(*verb)->hidden)
            resemblance_offer(&best, name, (*verb)->name);
    if (meant.size > 0 || is_test) {
        terminal_print(stderr, "orchil: unknown verb '%s' (did you mean 'orchil %s%s%s'?)\n", name,
                       meant.size > 0 ? meant.data : "run", is_test ? " " : "", is_test ? name : "");
        return EXIT_USAGE;
    }
    resemblance_print(&best, &meant);
    terminal_print(stderr, "orchil: unknown %s '%s'%s\n", name[0] == '-' ? "option" : "verb", name,
                   text_string(&meant));
    terminal_print(stderr, "run 'orchil --help' for a list\n");
    return EXIT_USAGE;
}

/* ---- the start and the end ---- */

/* A file or database must never be opened under the number of a standard stream. */
static bool open_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0 && close(descriptor) == 0)
        return true;
    terminal_print(stderr, "orchil: /dev/null cannot be opened: %s\n", strerror(errno));
    return false;
}

/* above: "orchil", or the verb that this one is below. */
static int run_verb(const struct verb *verb, const char *above, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s %s", above, verb->name);
    const struct verb *below = argc > 1 ? verb_below(verb, argv[1]) : NULL;
    if (below)
        return run_verb(below, name, argc - 1, argv + 1);
    argv[0] = name;
    return verb_execute(verb, argc, argv);
}

/* `orchil help VERB`, and `orchil help VERB BELOW`. */
static int help_verb(int count, char **words)
{
    const struct verb *verb = verb_below(&verb_program, words[0]);
    char option[] = "--help";
    char *arguments[] = {words[0], count > 1 ? words[1] : option, option, NULL};
    return verb && !verb->hidden ? run_verb(verb, "orchil", count > 1 ? 3 : 2, arguments) : refuse_verb(words[0]);
}

static int dispatch(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    static const char *const version[] = {"--version", "version", "-V", "-v"};
    if (ANY_OF(name, version, COUNT(version), strcmp(word, *name) == 0)) {
        const char *commit = ORCHIL_COMMIT;
        terminal_print(stdout, "orchil %s%s%s%s\n", ORCHIL_VERSION, commit[0] ? " (" : "", commit,
                       commit[0] ? ")" : "");
        return 0;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0 ||
        (strcmp(word, "help") == 0 && argc == 2)) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(word, "help") == 0)
        return help_verb(argc - 2, argv + 2);
    const struct verb *verb = verb_below(&verb_program, word);
    return verb ? run_verb(verb, "orchil", argc - 1, argv + 1) : refuse_verb(word);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_USAGE;
    json_start();
    /* A worker that has died must be seen by write() and by waitpid(), and a file that may not grow any further by
     * write(), whatever the parent process has set. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL);
    if (!open_standard_streams())
        return EXIT_OUTPUT;
    return finish_output(dispatch(argc, argv));
}
