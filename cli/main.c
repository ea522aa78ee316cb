// SPDX-License-Identifier: Apache-2.0
/* The program's entry: finds the verb and hands over. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/terminal/resemblance.h"
#include "base/terminal/table.h"
#include "cli/verbs/verb.h"
#include "version.h"

enum { EXIT_USAGE = 2, EXIT_OUTPUT = 4 };

#define VERB_ROW(name) &verb_##name,
static const struct verb *const verbs[] = {VERB_LIST(VERB_ROW)};
#undef VERB_ROW

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

/* ---- what the program says of itself ---- */

static void print_help(FILE *stream)
{
    struct table table = {0};
    terminal_print(stream, "Usage: orchil VERB [OPTION...] [ARGUMENT...]\n"
                           "Tests the memory model of real GPUs: runs litmus tests under stress through\n"
                           "OpenCL and CUDA, and keeps every outcome.\n\n");
    table_columns(&table, "|~");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (verbs[i]->summary) {
            table_add_styled(&table, TERMINAL_STRONG, "%s", verbs[i]->name);
            table_add(&table, "%s", verbs[i]->summary);
        }
    }
    table_print(&table, stream, 2);
    table_release(&table);
    terminal_print(stream, "\nExamples:\n"
                           "  orchil devices                  list devices\n"
                           "  orchil run MP+relaxed           message passing without order, on a GPU\n"
                           "  orchil run --budget 10m 'SB*'   all store buffering tests, in ten minutes\n"
                           "  orchil show MP+relaxed          print such a test\n"
                           "\n'orchil VERB --help' lists the options of a verb, with examples and exit codes.\n"
                           "README.md is an introduction. 'orchil --version' prints the version.\n");
}

static void print_version(void)
{
    const char *commit = ORCHIL_COMMIT;
    terminal_print(stdout, "orchil %s%s%s%s\n", ORCHIL_VERSION, commit[0] ? " (" : "", commit, commit[0] ? ")" : "");
}

static int refuse_verb(const char *name)
{
    struct resemblance best = {0};
    struct text text = {0};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (verbs[i]->summary)
            resemblance_offer(&best, name, verbs[i]->name);
    resemblance_print(&best, &text);
    terminal_print(stderr, "orchil: there is no %s '%s'%s\n", name[0] == '-' ? "option" : "verb", name,
                   text_string(&text));
    terminal_print(stderr, "'orchil --help' shows them all\n");
    text_release(&text);
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

/* A worker that has died must be seen by write() and by waitpid(), and a file that may not grow any further by write(),
 * whatever whoever started this process prefers. */
static void set_signals(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL);
}

/* Whether all that was printed has arrived. */
static int finish_output(int code)
{
    const int why = fflush(stdout) == 0 ? 0 : errno;
    if (why == 0 && !ferror(stdout))
        return code;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR)) {
        /* The reader has seen enough, like `head`: the usual end of a filter, without a message. */
        (void)signal(SIGPIPE, SIG_DFL);
        (void)raise(SIGPIPE);
    }
    terminal_print(stderr, "orchil: standard output cannot be written: %s\n",
                   why ? strerror(why) : "some of it was lost");
    return code != 0 ? code : EXIT_OUTPUT;
}

/* above: "orchil", or the verb that this one is below. */
static int run_verb(const struct verb *verb, const char *above, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s %s", above, verb->name);
    for (const struct verb *const *below = verb->below; below && *below && argc > 1; below++)
        if (strcmp(argv[1], (*below)->name) == 0)
            return run_verb(*below, name, argc - 1, argv + 1);
    argv[0] = name;
    return verb->run(argc, argv);
}

/* `orchil help VERB`. */
static int help_verb(const char *name)
{
    const struct verb *verb = find_verb(name);
    char program[] = "orchil", option[] = "--help";
    char *arguments[] = {program, option, NULL};
    return verb && verb->summary ? run_verb(verb, "orchil", 2, arguments) : refuse_verb(name);
}

static int dispatch(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        print_version();
        return 0;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0 ||
        (strcmp(word, "help") == 0 && argc == 2)) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(word, "help") == 0)
        return help_verb(argv[2]);
    const struct verb *verb = find_verb(word);
    return verb ? run_verb(verb, "orchil", argc - 1, argv + 1) : refuse_verb(word);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_USAGE;
    json_start();
    set_signals();
    if (!open_standard_streams())
        return EXIT_OUTPUT;
    return finish_output(dispatch(argc, argv));
}
