// SPDX-License-Identifier: Apache-2.0
/* What a browser played, as a backend: its device is what a results.json describes, and its launches give the
 * counters that the browser counted. So a file that is imported goes the way of a run: its draws are made again, its
 * batches are added up and its outcomes judged by the same code. */
#include "backends/driver.h"
#include "backends/webgpu/recorded.h"
#include "backends/webgpu/wgsl.h"

struct replay_session {
    struct recorded recorded;
};

/* A test; it can have several jobs, with keys of their own, as the control of several tests. */
struct replay_program {
    const char *name;
    unsigned groups; /* the most that a job of it had at once */
};

static enum status replay_read_file(struct recorded *recorded, struct error *error)
{
    const char *path = getenv(RECORDED_VARIABLE);
    LOCAL(text) text = {0};
    *recorded = (struct recorded){.root = NULL};
    if (!path)
        return error_set(error, STATUS_NO_DEVICE, "there is no " RECORDED_VARIABLE);
    TRY(file_read_whole(path, RECORDED_MAXIMUM_FILE, &text, error));
    return recorded_read(text_string(&text), text.size, recorded, error);
}

static enum status replay_list(struct backend_device **devices, size_t *count, struct error *error)
{
    LOCAL(recorded) recorded = {0};
    *devices = NULL;
    *count = 0;
    TRY(replay_read_file(&recorded, error));
    *devices = memory_take(1, sizeof **devices);
    (*devices)[(*count)++] = recorded.device;
    return STATUS_OK;
}

static enum status replay_start(struct backend_session *opened, UNUSED unsigned index, struct error *error)
{
    return replay_read_file(&((struct replay_session *)opened)->recorded, error);
}

/* The browser has compiled it. */
static enum status replay_compile(UNUSED struct backend_session *opened, UNUSED const struct backend_source *source,
                                  UNUSED struct backend_code *code, UNUSED struct error *error)
{
    return STATUS_OK;
}

static enum status replay_fill(struct backend_session *opened, const struct backend_source *source,
                               struct backend_program *built, UNUSED struct text *log, UNUSED struct text *binary,
                               struct error *error)
{
    const struct recorded *recorded = &((struct replay_session *)opened)->recorded;
    struct replay_program *program = (struct replay_program *)built;
    FOR_EACH(const struct recorded_job, job, recorded->jobs, recorded->job_count)
        if (!job->refused && strcmp(job->name, source->name) == 0) {
            program->name = job->name;
            program->groups = job->resident_groups > program->groups ? job->resident_groups : program->groups;
        }
    return program->name ? STATUS_OK
                         : error_set(error, STATUS_UNSUPPORTED, "the browser did not play %s", source->name);
}

/* Of the launches of a batch, the one that reads counters gives what the browser counted, and its seconds. */
static enum status replay_launch(struct backend_session *opened, struct backend_program *built,
                                 const struct backend_launch *launch, double *seconds, struct error *error)
{
    const struct recorded *recorded = &((struct replay_session *)opened)->recorded;
    const char *name = ((struct replay_program *)built)->name;
    *seconds = 0;
    if (launch->read_words == 0)
        return STATUS_OK;
    const struct recorded_job *job =
        FIRST_OF(own, recorded->jobs, recorded->job_count,
                 !own->refused && strcmp(own->name, name) == 0 && (own->key ^ recorded->seed) == launch->seed);
    if (!job || launch->batch >= job->batch_count)
        return error_set(error, STATUS_DEVICE_FAILED, "the browser played no batch %" PRIu64 " of this job of %s",
                         launch->batch, name);
    const struct recorded_batch *batch = &job->batches[launch->batch];
    if (!recorded_counters(batch, launch->counters, launch->read_words))
        return error_set(error, STATUS_DEVICE_FAILED, "batch %" PRIu64 " of %s has counters that no kernel has",
                         launch->batch, job->name);
    *seconds = batch->seconds;
    return STATUS_OK;
}

static unsigned replay_resident(UNUSED struct backend_session *opened, struct backend_program *built,
                                UNUSED unsigned member, UNUSED unsigned group_size, UNUSED unsigned cluster_groups,
                                UNUSED size_t local_bytes)
{
    return ((struct replay_program *)built)->groups;
}

enum kept webgpu_kept(UNUSED struct backend_session *opened, UNUSED struct backend_program *built,
                      UNUSED unsigned member, struct text *reason)
{
    text_add(reason, "WebGPU shows no code");
    return TEST_NOT_INSPECTED;
}

static void replay_release(UNUSED struct backend_session *opened, struct backend_program *program)
{
    free(program);
}

static void replay_close(struct backend_session *opened)
{
    if (opened)
        recorded_release(&((struct replay_session *)opened)->recorded);
    free(opened);
}

static bool replay_offered(void)
{
    return getenv(RECORDED_VARIABLE);
}

const struct backend replay_backend = {
    .name = "webgpu",
    .title = "WebGPU",
    .prelude = webgpu_prelude,
    .list = replay_list,
    .offered = replay_offered,
    .session_size = sizeof(struct replay_session),
    .start = replay_start,
    .source_suffix = "wgsl",
    .code_suffix = "wgsl",
    .compile = replay_compile,
    .compiles_ahead = driver_never,
    .invents_seconds = true,
    .is_past = true,
    .program_size = sizeof(struct replay_program),
    .fill = replay_fill,
    .launch = replay_launch,
    .resident = replay_resident,
    .invent_kept = webgpu_kept,
    .release = replay_release,
    .close = replay_close,
};
