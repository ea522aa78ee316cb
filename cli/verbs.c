// SPDX-License-Identifier: Apache-2.0
/* All verbs, the help of the program itself, and what each call of a verb begins and ends with. */
#include "cli/atomics.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"

#define VERB_ROW(name, group) &verb_##name,
static const struct verb *const verbs[] = {VERB_LIST(VERB_ROW) NULL};
#define VERB_GROUP(name, group) group,
const char *const verb_groups[] = {VERB_LIST(VERB_GROUP)};

static const struct option_row program_rows[] = {{.name = "help", .key = 'h'}, {.name = "version", .key = 'V'}, {0}};

const struct verb verb_program = {.name = "orchil", .options = program_rows, .below = verbs};

const struct verb *verb_below(const struct verb *above, const char *name)
{
    for (const struct verb *const *verb = above->below; verb && *verb; verb++)
        if (strcmp((*verb)->name, name) == 0)
            return *verb;
    return NULL;
}

static void visit_from(const char *name, const struct verb *verb,
                       void (*visit)(const char *name, const struct verb *verb, void *data), void *data)
{
    visit(name, verb, data);
    for (const struct verb *const *below = verb->below; below && *below; below++) {
        LOCAL(text) longer = {0};
        text_add(&longer, "%s %s", name, (*below)->name);
        if (!(*below)->hidden)
            visit_from(text_string(&longer), *below, visit, data);
    }
}

void verb_each(void (*visit)(const char *name, const struct verb *verb, void *data), void *data)
{
    visit_from(verb_program.name, &verb_program, visit, data);
}

/* ---- a call ---- */

const struct provenance *verb_provenance(struct verb_call *call)
{
    if (!call->provenance.tool_version)
        provenance_find(call->argc, call->argv, &call->provenance);
    return &call->provenance;
}

int verb_execute(const struct verb *verb, int argc, char **argv)
{
    struct verb_call call = {.argc = argc, .argv = argv, .name = argv[0]};
    FREED void *request = verb->request ? memory_take(1, verb->request_size) : NULL;
    LOCAL(arena) arena = {0};
    LOCAL(text) typed = {0};
    struct error error = {0};
    text_add(&typed, "%s", argv[0]); /* before the words are sorted */
    for (int i = 1; i < argc; i++) {
        text_add(&typed, " ");
        text_add_shell_word(&typed, argv[i]);
    }
    call.typed = text_string(&typed);
    if (request) {
        memcpy(request, verb->request, verb->request_size);
        options_parse(verb, argc, argv, request, &arena);
    }
    enum status status = atomics_take(&error);
    THEN(status, verb->run(request, &call, &error));
    int code = status == STATUS_OK ? call.code : complain(argv[0], &error);
    code = call.code >= 128 ? call.code : tests_exit_code(call.selection.unread_count + call.unread, code);
    selection_release(&call.selection);
    provenance_release(&call.provenance);
    return code;
}
