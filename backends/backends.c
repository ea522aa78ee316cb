// SPDX-License-Identifier: Apache-2.0
/* The table of backends, and the parts common to all: creating sessions and programs, and finding a backend by name. */

#include "backends/driver.h"
#include "backends/ensemble/ensemble.h"

const struct backend *const backends[] = {&cuda_backend,   &hip_backend,       &opencl_backend,   &vulkan_backend,
                                          &webgpu_backend, &simulated_backend, &ensemble_backend, NULL};

const char *const backend_orders_words[] = {BACKEND_ORDER_LIST(WORD_OF) NULL};
const char *const backend_scopes_words[] = {BACKEND_SCOPE_LIST(WORD_OF) NULL};
const char *const backend_takes_words[] = {BACKEND_TAKES_LIST(WORD_OF) NULL};
const char *const backend_types_words[] = {BACKEND_TYPE_LIST(WORD_OF) NULL};
const char *const backend_paths_words[] = {BACKEND_PATH_LIST(WORD_OF) NULL};
const char *const backend_edges_words[] = {LAUNCH_EDGE_LIST(WORD_OF) NULL};

bool backend_offered(const struct backend *backend)
{
    return !backend->offered || backend->offered();
}

const struct backend *backend_find(const char *name)
{
    for (const struct backend *const *at = backends; *at; at++)
        if (strcasecmp((*at)->name, name) == 0)
            return (*at)->replay && backend_offered((*at)->replay) ? (*at)->replay : *at;
    return NULL;
}

enum status backend_open(const struct backend *backend, unsigned index, struct backend_session **session,
                         struct error *error)
{
    *session = memory_take(1, backend->session_size);
    const enum status status = backend->start(*session, index, error);
    if (status != STATUS_OK) {
        backend->close(*session);
        *session = NULL;
    }
    return status;
}

enum status backend_build(const struct backend *backend, struct backend_session *session,
                          const struct backend_source *source, struct backend_program **program, struct text *log,
                          struct text *binary, struct error *error)
{
    *program = memory_take(1, backend->program_size);
    const enum status status = backend->fill(session, source, *program, log, binary, error);
    if (status != STATUS_OK) {
        backend->release(session, *program);
        *program = NULL;
    }
    return status;
}

/* The line that begins each member's part in the text of an ensemble: a comment in every member's language. */
static const char *find_part(const char *joined, unsigned member)
{
    const char *const line = PRINTED(32, BACKEND_MEMBER_LINE, member);
    for (const char *at = strstr(joined, line); at; at = strstr(at + 1, line))
        if (at == joined || at[-1] == '\n')
            return at;
    return NULL;
}

const char *backend_member_part(const char *joined, unsigned member, size_t *size)
{
    const char *line = find_part(joined, member), *part = line ? strchr(line, '\n') : NULL;
    if (!part)
        return NULL;
    const char *end = find_part(++part, member + 1);
    *size = end ? (size_t)(end - part) : strlen(part);
    return part;
}

void backend_code_release(struct backend_code *code)
{
    text_release(&code->bytes);
    text_release(&code->log);
    *code = (struct backend_code){0};
}
