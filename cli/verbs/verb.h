// SPDX-License-Identifier: Apache-2.0
/*
 * The verbs of the command line. Each is described by an entry in a file of its own, cli/verb_NAME.c; to add one, write
 * that file and a row here.
 */
#ifndef ORCHIL_CLI_VERBS_VERB_H
#define ORCHIL_CLI_VERBS_VERB_H

#include "cli/options.h"

/* What an exit code means, or several: "130, 143". A list ends with {0}. */
struct exit_code {
    const char *codes, *meaning;
};

struct verb {
    const char *name;    /* "gate"; a verb below another has its own word only: "baseline" */
    const char *summary; /* in `orchil --help` and of its manual page; NULL: not for people */
    const char *usage;   /* the arguments, as the first lines of --help have them; "\n" between several ways; or NULL */
    const char *documentation;   /* what it does; "\v"; what follows the options: paragraphs with "\n\n" between them */
    const char *const *examples; /* command lines, up to a NULL; or NULL */
    const struct exit_code *exit_codes; /* or NULL */
    const struct option_row *options;   /* ends with {0} */
    size_t arguments;                   /* the offset of a struct arguments in the request */
    const char *no_arguments;           /* the message if there are none; NULL: they are optional */
    void (*check)(const struct argp_state *state, const void *request); /* after all is parsed; or NULL */
    const struct verb *const *below;   /* verbs that are words after this one, up to a NULL; or NULL */
    int (*run)(int argc, char **argv); /* argv[0] is "orchil VERB"; gives the process's exit code */
};

/* All of them, in the order of `orchil --help`. */
#define VERB_LIST(X)                                                                                                   \
    X(devices)                                                                                                         \
    X(list)                                                                                                            \
    X(show)                                                                                                            \
    X(generate)                                                                                                        \
    X(check)                                                                                                           \
    X(inspect)                                                                                                         \
    X(explain)                                                                                                         \
    X(run)                                                                                                             \
    X(assume)                                                                                                          \
    X(compare)                                                                                                         \
    X(gate)                                                                                                            \
    X(history)                                                                                                         \
    X(report)                                                                                                          \
    X(reproduce)                                                                                                       \
    X(export)                                                                                                          \
    X(merge)                                                                                                           \
    X(tune)                                                                                                            \
    X(doctor)                                                                                                          \
    X(manual)                                                                                                          \
    X(completion)                                                                                                      \
    X(worker)

#define VERB_DECLARE(name) extern const struct verb verb_##name;
VERB_LIST(VERB_DECLARE)
#undef VERB_DECLARE

/* `orchil` itself: all verbs are below it, and main does what its options say. */
extern const struct verb verb_program;

/* The verb of that name below another, or NULL. */
const struct verb *verb_below(const struct verb *above, const char *name);

/* Calls visit for orchil, for each verb for people, and for each below it. name: "orchil gate baseline". */
void verb_each(void (*visit)(const char *name, const struct verb *verb, void *data), void *data);

#endif
