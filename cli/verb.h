// SPDX-License-Identifier: Apache-2.0
/* The verbs of the command line. Each is described by an entry in a file of its own, cli/verbs/verb_NAME.c; to add one,
 * write that file and a row of verbs.txt. */
#pragma once

#include "catalogue/selection.h"
#include "cli/options.h"
#include "cli/verbs_lists.h"
#include "runner/run/provenance.h"

/* A call of a verb. */
struct verb_call {
    int argc;
    char **argv;                  /* name, and the words, of which options come first */
    const char *name;             /* "orchil gate baseline" */
    const char *typed;            /* the words as they were typed, for a shell */
    struct provenance provenance; /* once verb_provenance was called */
    struct selection selection;   /* what tests_take took */
    size_t unread;                /* other files that could not be read */
    int code; /* to exit with; unless it is of a signal, an error has another, and so have unread files */
};

/* What a verb's request is before its options are parsed. */
#define VERB_REQUEST(type, ...) .request = &(const type){__VA_ARGS__}, .request_size = sizeof(type)

struct verb {
    const char *name;                 /* "gate"; a subordinate verb has only its own word: "baseline" */
    bool hidden;                      /* not for people: has no texts */
    const struct verb *like;          /* whose texts it has of options of which it has none of its own; or NULL */
    const char *const *inserted;      /* what its texts have in place of {0} and {1}; or NULL */
    const struct option_row *options; /* ends with {0} */
    const void *request;              /* VERB_REQUEST; NULL: words are not parsed */
    size_t request_size;
    size_t arguments;         /* the offset of a struct verb_arguments in the request */
    const char *no_arguments; /* the message if there are none; NULL: they are optional */
    void (*check)(const struct argp_state *state, const void *request); /* called after parsing; or NULL */
    const struct verb *const *below;                                    /* subordinate verbs, up to a NULL; or NULL */
    const struct verb *const *project; /* the verbs whose options a project file may have, up to a NULL; NULL: this one
                                        * reads none */
    enum status (*run)(void *request, struct verb_call *call, struct error *error); /* request: parsed */
};

/* The entry of `orchil NAME`, whose request is a struct NAME_request with the initial values in parentheses, and which
 * NAME_execute runs. member: takes the arguments. */
#define VERB_ENTRY(entry, member, initial, ...)                                                                        \
    const struct verb verb_##entry = {.name = #entry,                                                                  \
                                      .options = option_rows,                                                          \
                                      .arguments = offsetof(struct entry##_request, member),                           \
                                      VERB_REQUEST(struct entry##_request, VERB_INITIAL initial),                      \
                                      .run = entry##_execute,                                                          \
                                      __VA_ARGS__}
#define VERB_INITIAL(...) __VA_ARGS__

#define VERB_DECLARE(name, group) extern const struct verb verb_##name;
VERB_LIST(VERB_DECLARE)

/* `orchil` itself: all verbs are subordinate to it, and main handles its options. */
extern const struct verb verb_program;

/* The group of each verb below it. */
extern const char *const verb_groups[];

/* The subordinate verb of that name, or NULL. */
const struct verb *verb_below(const struct verb *above, const char *name);

/* Who runs this, found when it is first asked for; the caller of the verb releases it. */
const struct provenance *verb_provenance(struct verb_call *call);

/* Parses the words, of which argv[0] is "orchil VERB", runs the verb, and complains of its error. Returns the exit
 * code. */
int verb_execute(const struct verb *verb, int argc, char **argv);

/* Calls visit for orchil, for each verb for people, and for each of their subordinate verbs. name: "orchil gate
 * baseline". */
void verb_each(void (*visit)(const char *name, const struct verb *verb, void *data), void *data);
