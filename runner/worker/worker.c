// SPDX-License-Identifier: Apache-2.0
/* The worker: reads jobs from standard input and writes events to standard output. */
#include <poll.h>

#include "backends/ensemble/ensemble.h"
#include "base/json.h"
#include "litmus/language/user_atomics.h"
#include "runner/protocol/device.h"
#include "runner/worker/worker.h"

/* ---- the workers that run no jobs: they list a backend's devices, or explain the backend ---- */

int worker_list(const struct backend *backend, const char *ensemble)
{
    FREED struct backend_device *devices = NULL;
    struct error error = {0};
    size_t count = 0;
    json_t *answer;
    enum status status = ensemble ? ensemble_define(ensemble, &error) : STATUS_OK;
    THEN(status, backend->list(&devices, &count, &error));
    if (status == STATUS_OK) {
        json_t *list = json_array();
        for (size_t i = 0; i < count; i++)
            (void)json_array_append_new(list, field_described_device(&devices[i]));
        answer = json_pack("{s:o}", "devices", list);
    } else
        answer = json_pack("{s:o, s:s}", "error", json_text(error.text), "status",
                           status == STATUS_NO_DEVICE ? "none" : "failed");
    /* The leading newline ends any line that a driver has printed. */
    const bool written = putchar('\n') != EOF && json_dumpf(answer, stdout, JSON_COMPACT) == 0 &&
                         putchar('\n') != EOF && fflush(stdout) == 0;
    json_decref(answer);
    return written ? 0 : status_exit_code(STATUS_SYSTEM);
}

int worker_explain(const struct backend *backend)
{
    LOCAL(text) text = {0};
    backend->explain(&text);
    const bool written = fputs(text_string(&text), stdout) >= 0 && fflush(stdout) == 0;
    return written ? 0 : status_exit_code(STATUS_SYSTEM);
}

/* ---- the worker that runs jobs ---- */

/* Finds the device of an index without opening it. */
static enum status worker_describe_device(const struct backend *backend, unsigned index, struct job_session *session,
                                          struct error *error)
{
    FREED struct backend_device *devices = NULL;
    size_t count = 0;
    TRY(backend->list(&devices, &count, error));
    enum status status = error_set(error, STATUS_NO_DEVICE, "%s has no device %u", backend->title, index);
    for (size_t i = 0; i < count; i++)
        if (devices[i].index == index) {
            session->device = devices[i];
            status = STATUS_OK;
        }
    return status;
}

static enum status worker_open(const struct backend *backend, unsigned index, struct job_session *session,
                               struct error *error)
{
    if (backend->describe) {
        TRY(backend_open(backend, index, &session->session, error));
        session->device = *backend->describe(session->session);
        return STATUS_OK;
    }
    TRY(worker_describe_device(backend, index, session, error));
    return backend_open(backend, index, &session->session, error);
}

enum { PIPE_BYTES = 64 * 1024 /* that a pipe holds on Linux */ };

/* Opens a stream for events on the original standard output. Descriptor 1 becomes standard error, so that drivers that
 * print do not disturb the events. */
static FILE *open_events(void)
{
    const int descriptor = dup(STDOUT_FILENO);
    if (descriptor < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return NULL;
    FILE *events = fdopen(descriptor, "w");
    if (events)
        (void)setvbuf(events, NULL, _IOFBF, PIPE_BYTES); /* else a build's event would wake its reader for each 4 KiB */
    return events;
}

/* Writes an event as one line; false if there is no reader. */
static bool worker_tell(FILE *events, json_t *event)
{
    const bool written =
        json_dumpf(event, events, JSON_COMPACT) == 0 && putc('\n', events) != EOF && fflush(events) == 0;
    json_decref(event);
    return written;
}

/* What was read from standard input; bytes from `at` to `end` are not taken yet. */
struct worker_input {
    char bytes[PIPE_BYTES];
    size_t at, end;
};

/* While a job runs, any input, or the end of input, is a request to stop. */
static bool asked_to_stop(const struct worker_input *input)
{
    struct pollfd polled = {.fd = STDIN_FILENO, .events = POLLIN};
    return input->at < input->end || poll(&polled, 1, 0) > 0;
}

/* The stream for a job's events, the order that they answer, and whether writing one failed: then the job must not end
 * as OK. */
struct telling {
    FILE *events;
    uint64_t order;
    bool failed;
    struct worker_input input;
};

static bool worker_on_built(const struct build *build, void *context)
{
    struct telling *telling = context;
    telling->failed = !worker_tell(telling->events, protocol_built(telling->order, build));
    return !telling->failed;
}

static bool worker_on_batch(const struct batch *batch, void *context)
{
    struct telling *telling = context;
    telling->failed = !worker_tell(telling->events, protocol_batch(telling->order, batch));
    return !telling->failed && !asked_to_stop(&telling->input);
}

/* The duty of the process. */
enum duty { DUTY_RUN, DUTY_COMPILE };

/* Compiles the job's kernel, unless the cache has it. An open device takes time from the job that runs on it, so a
 * builder opens its device no sooner than it must. */
static enum status compile_job(struct job_session *session, const struct job *job, struct error *error)
{
    if (!session->session && job_is_compiled(session, job))
        return STATUS_OK;
    if (!session->session)
        TRY(backend_open(session->backend, session->device.index, &session->session, error));
    return job_compile(session, job, error);
}

/* Serves the job of a line and reports its end. */
static enum status serve_job(struct job_session *session, enum duty duty, const struct text *line,
                             struct telling *telling)
{
    const struct job_listener listener = {.built = worker_on_built, .batch = worker_on_batch, .context = telling};
    struct litmus_test *test;
    struct error error;
    struct job job;
    session->circumstances = (struct circumstances){0};
    telling->failed = false;
    enum status status = protocol_read_request(text_string(line), line->size, &telling->order, &job, &test, &error);
    THEN(status, duty == DUTY_RUN ? job_run(session, &job, &listener, &error) : compile_job(session, &job, &error));
    if (status == STATUS_OK && telling->failed)
        status = error_set(&error, STATUS_SYSTEM, "cannot report the result of %s to the supervisor", test->name);
    litmus_release(test);
    telling->failed =
        !worker_tell(telling->events, protocol_ended(telling->order, status, &error, &session->circumstances));
    return status;
}

/* Reads a line with read(2), not stdio, whose buffer would hide a request to stop from asked_to_stop. Keeps enough of a
 * line that is too long for it to be refused. False at the end of input. */
static bool worker_read_line(struct worker_input *input, struct text *line)
{
    ssize_t got = 0;
    text_clear(line);
    do {
        input->end += got > 0 ? (size_t)got : 0;
        const char *const start = input->bytes + input->at, *const end = memchr(start, '\n', input->end - input->at);
        const size_t size = end ? (size_t)(end - start) : input->end - input->at;
        if (line->size <= PROTOCOL_LINE_MAXIMUM)
            text_add_bytes(line, start, size);
        input->at += size + (end != NULL);
        if (end)
            return true;
        input->at = input->end = 0;
        got = read(STDIN_FILENO, input->bytes, sizeof input->bytes);
    } while (got > 0 || (got < 0 && errno == EINTR));
    return false;
}

/* The command line's arguments after the duty. */
struct setting {
    const struct backend *backend;
    unsigned index;       /* of the device */
    const char *ensemble; /* the address of the ensemble to make here, of index 0; or NULL */
    const char *cache;
    const char *atomics; /* of user_atomics_argument, or NULL */
    struct frozen_folder frozen;
};

/* A builder opens its device only for a kernel that the cache lacks (compile_job). */
static enum status worker_find_device(const struct setting *setting, enum duty duty, struct job_session *session,
                                      struct error *error)
{
    const bool opens = duty == DUTY_RUN || setting->backend->describe || setting->frozen.use != FROZEN_NONE;
    return opens ? worker_open(setting->backend, setting->index, session, error)
                 : worker_describe_device(setting->backend, setting->index, session, error);
}

static int worker_serve(const struct setting *setting, enum duty duty)
{
    const struct backend *backend = setting->backend;
    struct job_session session = {.backend = backend, .cache = setting->cache, .frozen = setting->frozen};
    struct error error;
    FILE *events = open_events();
    if (!events)
        return 2;
    if ((setting->atomics && user_atomics_load_argument(setting->atomics, &error) != STATUS_OK) ||
        (setting->ensemble && ensemble_define(setting->ensemble, &error) != STATUS_OK) ||
        worker_find_device(setting, duty, &session, &error) != STATUS_OK)
        return worker_tell(events, protocol_ended(0, error.status, &error, &session.circumstances)) ? 1 : 2;
    if (job_is_for_any(&session) && session.device.takes & BACKEND_TAKES_GLSL) {
        /* Kernels are also for devices that lack these. */
        session.device.shared_clock = false;
        session.device.types &= ~(unsigned)BACKEND_TYPE_POINTER;
    }
    struct telling telling = {.events = events, .failed = !worker_tell(events, protocol_opened())};
    LOCAL(text) line = {0};
    enum status status = STATUS_OK;
    while (!telling.failed && status != STATUS_DEVICE_LOST && status != STATUS_DEVICE_FAILED &&
           worker_read_line(&telling.input, &line))
        if (line.size > 0 && strcmp(text_string(&line), "stop") != 0)
            status = serve_job(&session, duty, &line, &telling); /* not "stop" that came too late for its job */
    if (session.session)
        backend->close(session.session);
    return telling.failed ? 2 : 0;
}

static bool read_index(const char *text, struct setting *setting)
{
    char *end;
    if (setting->backend == &ensemble_backend) {
        setting->ensemble = text;
        return ensemble_is_address(text);
    }
    const unsigned long index = strtoul(text, &end, 10);
    setting->index = (unsigned)index;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && index <= UINT_MAX;
}

/* Reads orchil worker DUTY BACKEND INDEX [CACHE [--save-kernels|--kernels DIR] [ATOMICS]]; an empty CACHE, option or
 * DIR is none. For the backend `ensemble`, INDEX is the ensemble's address. False for anything else. */
static bool read_setting(int argc, char **argv, const struct backend *backend, struct setting *setting)
{
    *setting = (struct setting){.backend = backend};
    if (argc < 4 || !read_index(argv[3], setting))
        return false;
    if (argc > 4 && argv[4][0] != '\0')
        setting->cache = argv[4];
    if (argc > 7)
        setting->atomics = argv[7];
    if (argc > 6 && argv[6][0] != '\0')
        setting->frozen = (struct frozen_folder){frozen_use_of(argv[5]), argv[6]};
    return true;
}

int worker_main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const struct backend *backend = argc > 2 ? backend_find(argv[2]) : NULL;
    struct setting setting;
    if (backend && strcmp(what, "--list") == 0)
        return worker_list(backend, argc > 3 ? argv[3] : NULL);
    if (backend && strcmp(what, "--explain") == 0)
        return worker_explain(backend);
    const bool runs = strcmp(what, "--serve") == 0, compiles = strcmp(what, "--compile") == 0;
    if (!backend || !(runs || compiles) || !read_setting(argc, argv, backend, &setting))
        return WORKER_NOT_MEANT;
    return worker_serve(&setting, runs ? DUTY_RUN : DUTY_COMPILE);
}
