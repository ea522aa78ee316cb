// SPDX-License-Identifier: Apache-2.0
/* The backend that combines others: its sessions and programs have one part per member. */
#include "backends/ensemble/ensemble.h"

#include "backends/driver.h"
#include "backends/ensemble/session.h"

static enum status open_work(struct member *member, UNUSED void *argument, struct error *error)
{
    return backend_open(member->backend, member->device.index, &member->session, error);
}

static enum status close_work(struct member *member, void *argument, struct error *error)
{
    (void)argument, (void)error;
    if (member->session)
        member->backend->close(member->session);
    member->session = NULL;
    return STATUS_OK;
}

static void close_members(struct ensemble_session *session)
{
    for (size_t i = 0; i < session->count; i++)
        if (session->members[i].started) {
            (void)member_do(&session->members[i], close_work, NULL, NULL);
            member_end(&session->members[i]);
        }
    free(session);
}

static void ensemble_close_session(struct backend_session *opened)
{
    if (opened)
        close_members(ensemble_session(opened));
}

/* One member after the other: some drivers fail if two threads start them at once. */
static enum status open_members(struct ensemble_session *session, struct error *error)
{
    TRY(ensemble_find_members(session, error));
    for (size_t i = 0; i < session->count; i++) {
        TRY(member_start(&session->members[i], error));
        TRY(member_do(&session->members[i], open_work, NULL, error));
    }
    ensemble_describe(session);
    return STATUS_OK;
}

static enum status ensemble_start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct ensemble_session *session = ensemble_session(opened);
    if (index != 0)
        return error_set(error, STATUS_NO_DEVICE, "there is no ensemble:%u: a process has one ensemble", index);
    TRY(open_members(session, error));
    return session->device.homes != 0 ? STATUS_OK
                                      : error_set(error, STATUS_UNSUPPORTED, "%s cannot share memory because %s",
                                                  session->device.name, session->device.links);
}

static const struct backend_device *ensemble_describe_device(struct backend_session *opened)
{
    return &ensemble_session(opened)->device;
}

static enum status ensemble_list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    struct ensemble_session *session = memory_take(1, sizeof *session);
    *devices = NULL;
    *count = 0;
    const enum status status = open_members(session, error);
    if (status == STATUS_OK) {
        *devices = memory_take(1, sizeof **devices);
        **devices = session->device;
        *count = 1;
    }
    close_members(session);
    return status;
}

static void name_member(const struct member *member, struct text *text)
{
    text_add(text, BACKEND_MEMBER_LINE "%s:%u (%s)\n", member->number, member->backend->name, member->device.index,
             member->device.name);
}

static void end_line(struct text *text)
{
    if (text->size > 0 && text->data[text->size - 1] != '\n')
        text_add(text, "\n");
}

struct building {
    const struct backend_source *source;
    struct ensemble_program *program;
    struct text *log, *binary;
};

static enum status build_work(struct member *member, void *argument, struct error *error)
{
    const struct building *building = argument;
    end_line(building->log);
    end_line(building->binary);
    name_member(member, building->log);
    name_member(member, building->binary);
    return backend_build(member->backend, member->session, &building->source->members[member->number],
                         &building->program->programs[member->number], building->log, building->binary, error);
}

/* One after the other, so that two compilers of one driver never run at once. */
static enum status ensemble_fill_program(struct backend_session *opened, const struct backend_source *source,
                                         struct backend_program *built, struct text *log, struct text *binary,
                                         struct error *error)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct building building = {source, ensemble_program(built), log, binary};
    if (!source->members || source->member_count != session->count)
        return error_set(error, STATUS_INTERNAL, "%s has kernels for %zu members, but the ensemble has %zu",
                         source->name, source->members ? source->member_count : 0, session->count);
    for (size_t i = 0; i < session->count; i++)
        TRY(member_do(&session->members[i], build_work, &building, error));
    return STATUS_OK;
}

struct compiling {
    const struct backend_source *source;
    struct backend_code *code;
};

static enum status compile_work(struct member *member, void *argument, struct error *error)
{
    const struct compiling *compiling = argument;
    return member->backend->compile(member->session, compiling->source, compiling->code, error);
}

/* The code of one member; the caller keeps each member's code separately. */
static enum status ensemble_compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                           struct backend_code *code, struct error *error)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct compiling compiling = {source, code};
    if (source->member >= session->count)
        return error_set(error, STATUS_INTERNAL, "%s is compiled for member %u, but the ensemble has %zu", source->name,
                         source->member, session->count);
    return member_do(&session->members[source->member], compile_work, &compiling, error);
}

static enum status headers_work(struct member *member, void *argument, UNUSED struct error *error)
{
    if (member->backend->name_headers)
        member->backend->name_headers(member->session, 0, argument);
    return STATUS_OK;
}

static void ensemble_name_headers(struct backend_session *opened, unsigned member, struct text *text)
{
    struct ensemble_session *session = ensemble_session(opened);
    if (member < session->count)
        (void)member_do(&session->members[member], headers_work, text, NULL);
}

static bool ensemble_compiles_ahead(const struct backend_device *device)
{
    return ANY_OF(member, device->members, device->member_count, backend_find(member->backend)->compiles_ahead(member));
}

static enum status release_work(struct member *member, void *argument, UNUSED struct error *error)
{
    struct ensemble_program *program = argument;
    if (program->programs[member->number])
        member->backend->release(member->session, program->programs[member->number]);
    return STATUS_OK;
}

static void ensemble_release_program(struct backend_session *opened, struct backend_program *built)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct ensemble_program *program = ensemble_program(built);
    if (!program)
        return;
    region_release(session, &program->memory);
    for (size_t i = 0; i <= session->count; i++)
        region_release(session, &program->homes[i]);
    (void)members_do(session->members, session->count, release_work, program, NULL);
    free(program);
}

/* A query to a member about its program, with the answer. */
struct member_query {
    struct ensemble_program *program;
    unsigned group_size, cluster_groups;
    size_t local_bytes;
    unsigned number;
    struct text *text;
    struct circumstances *circumstances;
    enum kept kept;
};

static enum status limit_work(struct member *member, void *argument, UNUSED struct error *error)
{
    struct member_query *query = argument;
    if (member->backend->group_limit)
        query->number = member->backend->group_limit(member->session, query->program->programs[member->number]);
    return STATUS_OK;
}

static unsigned ensemble_group_limit(struct backend_session *opened, struct backend_program *built)
{
    struct ensemble_session *session = ensemble_session(opened);
    unsigned limit = 0;
    for (size_t i = 0; i < session->count; i++) {
        struct member_query query = {.program = ensemble_program(built)};
        (void)member_do(&session->members[i], limit_work, &query, NULL);
        if (query.number > 0 && (limit == 0 || query.number < limit))
            limit = query.number;
    }
    return limit;
}

/* Without an answer from its driver, a processor can run one work-group on each of its threads. */
static enum status resident_work(struct member *member, void *argument, UNUSED struct error *error)
{
    struct member_query *query = argument;
    if (member->backend->resident)
        query->number = member->backend->resident(member->session, query->program->programs[member->number], 0,
                                                  query->group_size, query->cluster_groups, query->local_bytes);
    if (query->number == 0 && !member->device.gpu && query->group_size <= member->device.max_group_size)
        query->number = member->device.compute_units;
    return STATUS_OK;
}

static unsigned ensemble_count_resident(struct backend_session *opened, struct backend_program *built, unsigned member,
                                        unsigned group_size, unsigned cluster_groups, size_t local_bytes)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct member_query query = {.program = ensemble_program(built),
                                 .group_size = group_size,
                                 .cluster_groups = cluster_groups,
                                 .local_bytes = local_bytes};
    if (member < session->count)
        (void)member_do(&session->members[member], resident_work, &query, NULL);
    return query.number;
}

static enum status machine_code_work(struct member *member, void *argument, UNUSED struct error *error)
{
    const struct member_query *query = argument;
    if (member->backend->machine_code)
        member->backend->machine_code(member->session, query->program->programs[member->number], 0, query->text);
    return STATUS_OK;
}

static void machine_code(struct backend_session *opened, struct backend_program *built, unsigned member,
                         struct text *code)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct member_query query = {.program = ensemble_program(built), .text = code};
    if (member < session->count)
        (void)member_do(&session->members[member], machine_code_work, &query, NULL);
}

static enum status kept_work(struct member *member, void *argument, UNUSED struct error *error)
{
    struct member_query *query = argument;
    if (member->backend->invent_kept)
        query->kept =
            member->backend->invent_kept(member->session, query->program->programs[member->number], 0, query->text);
    return STATUS_OK;
}

static enum kept invent_kept(struct backend_session *opened, struct backend_program *built, unsigned member,
                             struct text *reason)
{
    struct ensemble_session *session = ensemble_session(opened);
    struct member_query query = {.program = ensemble_program(built), .text = reason, .kept = TEST_NOT_INSPECTED};
    if (member < session->count)
        (void)member_do(&session->members[member], kept_work, &query, NULL);
    return query.kept;
}

static enum status observe_work(struct member *member, void *argument, UNUSED struct error *error)
{
    const struct member_query *query = argument;
    if (member->backend->observe)
        member->backend->observe(member->session, query->circumstances);
    return STATUS_OK;
}

/* Only the first member is observed. */
static void ensemble_observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    struct member_query query = {.circumstances = circumstances};
    (void)member_do(&ensemble_session(opened)->members[0], observe_work, &query, NULL);
}

const struct backend ensemble_backend = {
    .offered = ensemble_is_defined,
    .name = "ensemble",
    .title = "Ensemble",
    .prelude = "",
    .list = ensemble_list_devices,
    .session_size = sizeof(struct ensemble_session),
    .start = ensemble_start_session,
    .describe = ensemble_describe_device,
    .source_suffix = "txt",
    .code_suffix = "txt",
    .compile = ensemble_compile_kernel,
    .name_headers = ensemble_name_headers,
    .compiles_ahead = ensemble_compiles_ahead,
    .program_size = sizeof(struct ensemble_program),
    .fill = ensemble_fill_program,
    .launch = ensemble_launch,
    .play = ensemble_play,
    .group_limit = ensemble_group_limit,
    .resident = ensemble_count_resident,
    .machine_code = machine_code,
    .observe = ensemble_observe_device,
    .invent_kept = invent_kept,
    .release = ensemble_release_program,
    .close = ensemble_close_session,
    .explain = ensemble_explain,
};
