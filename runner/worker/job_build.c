// SPDX-License-Identifier: Apache-2.0
/* From a job's test to its program: kernels, their code from the cache or the compiler, the build, its inspection. Also
 * for jobs that come later. */
#include "inspect/amdgcn/disassemble_amdgcn.h"
#include "inspect/sass/disassemble_sass.h"
#include "kernel/kernel_cache.h"
#include "runner/worker/job_run.h"

/* ---- inspecting the machine code ---- */

/* Inspecting the code of a job's kernel. A disassembler takes half a second, so the result is kept next to the code in
 * the kernel cache, and builders inspect ahead of the worker, so that no batch waits. */

/* Incremented when readers, rules or the comparison give another result for the same code. */
enum { INSPECT_MEANING = 14 };

/* The disassembler and the rules of each backend that has machine code. */
static const struct {
    const char *backend;
    enum inspect_machine machine;
} backend_machines[] = {{"cuda", INSPECT_SASS}, {"hip", INSPECT_AMDGCN}, {"vulkan", INSPECT_SPIRV}};

/* INSPECT_MACHINE_COUNT: it has no machine code. */
static enum inspect_machine machine_of(const struct backend *backend)
{
    return VALUE_OF(enum inspect_machine, row, backend_machines, COUNT(backend_machines),
                    strcmp(row->backend, backend->name) == 0, row->machine, INSPECT_MACHINE_COUNT);
}

/* How the code became text. */
struct disassembly {
    enum inspect_machine machine;
    struct text text;
    bool needs_twin; /* disassemble_amdgcn.h */
};

static enum status disassemble(const struct inspected_machine *of, const struct text *twin,
                               struct disassembly *disassembly, struct error *error)
{
    struct text *text = &disassembly->text;
    text_clear(text);
    switch (disassembly->machine) {
    case INSPECT_SASS:
        return sass_of_code(of->object->data, of->object->size, text, error);
    case INSPECT_AMDGCN:
        return disassemble_amdgcn(of->object, twin, of->kernel, of->device->architecture, text,
                                  &disassembly->needs_twin, error);
    default: /* SPIR-V is read as it is */
        text_add_bytes(text, of->object->data, of->object->size);
        return STATUS_OK;
    }
}

static void inspect_text(const struct inspected_machine *of, const struct disassembly *disassembly,
                         struct inspection *inspection)
{
    const enum inspect_machine machine = disassembly->machine;
    inspect_and_judge(
        &(struct inspect_code){.machine = machine,
                               .text = text_string(&disassembly->text),
                               .size = disassembly->text.size,
                               .ptx = machine == INSPECT_SASS ? of->ptx : NULL,
                               .architecture = of->device->architecture,
                               /* HIPRTC names the kernel's own text */
                               .first_line = machine == INSPECT_AMDGCN ? 1 : kernel_unit_line(of->backend, 1)},
        of->test, of->kernel, of->device, inspection);
}

/* Inspects again, with the lines of a twin. */
static void inspect_with_twin(const struct inspected_machine *of, struct disassembly *disassembly,
                              struct inspection *inspection)
{
    struct backend_source source = kernel_backend_source(of->kernel, of->test->name);
    LOCAL(backend_code) twin = {0};
    struct error error;
    source.apart_line = of->kernel->helpers_line;
    enum status status = of->backend->compile_for(of->device->architecture, &source, &twin, &error);
    THEN(status, disassemble(of, &twin.bytes, disassembly, &error));
    inspection_release(inspection);
    if (status == STATUS_OK)
        inspect_text(of, disassembly, inspection);
    else
        inspect_skip(inspection, error.text);
}

static void inspect_object(const struct inspected_machine *of, struct inspection *inspection)
{
    struct disassembly disassembly = {.machine = machine_of(of->backend)};
    struct error error;
    if (of->object->size == 0)
        inspect_skip(inspection, "the driver does not return the kernel's machine code");
    else if (disassemble(of, NULL, &disassembly, &error) != STATUS_OK)
        inspect_skip(inspection, error.text);
    else
        inspect_text(of, &disassembly, inspection);
    if (disassembly.needs_twin && inspection->kept != TEST_KEPT)
        inspect_with_twin(of, &disassembly, inspection);
    text_release(&disassembly.text);
}

/* ---- kept results ---- */

/* Reads a cached result: "kept", or another word and its reason. */
static bool read_kept(const struct inspected_machine *of, const char *cache, const char *key, enum kept *kept,
                      struct text *reason)
{
    LOCAL(backend_code) entry = {0};
    const struct backend_source source = {.name = of->test->name, .kernel = key};
    bool found = kernel_cache_read(cache, of->device, &source, &entry);
    const char *words = text_string(&entry.bytes);
    const size_t length = strcspn(words, "\n");
    char word[16] = "";
    if (found && length < sizeof word)
        memcpy(word, words, length);
    const enum kept read = kept_from_word(word, KEPT_COUNT);
    found = found && read != KEPT_COUNT;
    if (found) {
        *kept = read;
        text_add(reason, "%s", words[length] ? words + length + 1 : "");
    }
    return found;
}

/* Takes the result and the reason, and releases the inspection. */
static enum kept take_result(struct inspection *inspection, struct text *reason)
{
    const enum kept kept = inspection->kept;
    text_add(reason, "%s", inspection->reason);
    inspection_release(inspection);
    return kept;
}

enum kept inspect_machine_code(const struct inspected_machine *machine, const char *cache, struct text *reason)
{
    struct inspection inspection;
    LOCAL(text) key = {0};
    enum kept kept;
    if (cache && machine->object->size > 0) {
        /* Everything that the inspection's result depends on. */
        char hex[HASH_HEX_SIZE];
        text_add(&key, "inspection %d\n%s\n", INSPECT_MEANING, machine->device->architecture);
        hash_hex(machine->object->data, machine->object->size, hex);
        text_add(&key, "%s\n", hex);
        hash_hex(machine->ptx, strlen(machine->ptx), hex);
        text_add(&key, "%s\n", hex);
        hash_hex(machine->kernel->source, strlen(machine->kernel->source), hex);
        text_add(&key, "%s\n%s\n%s", kernel_lowering_name(machine->kernel), hex,
                 machine->test->text ? machine->test->text : "");
        litmus_print(machine->test, &key);
        if (read_kept(machine, cache, text_string(&key), &kept, reason))
            return kept;
    }
    inspect_object(machine, &inspection);
    if (key.size > 0 && inspection.kept != TEST_NOT_INSPECTED) {
        LOCAL(backend_code) entry = {0};
        const struct backend_source source = {.name = machine->test->name, .kernel = (text_string(&key))};
        text_add(&entry.bytes, "%s\n%s", kept_word(inspection.kept), inspection.reason);
        (void)kernel_cache_write(cache, machine->device, &source, &entry); /* on failure it is inspected again */
    }
    return take_result(&inspection, reason);
}

enum kept inspect_machine_ptx(const struct backend *backend, const struct backend_device *device, const char *ptx,
                              const struct litmus_test *test, const struct kernel *kernel, struct text *reason)
{
    struct inspection inspection;
    const struct inspect_code code = {
        .machine = INSPECT_PTX, .text = ptx, .architecture = "", .first_line = kernel_unit_line(backend, 1)};
    inspect_and_judge(&code, test, kernel, device, &inspection);
    return take_result(&inspection, reason);
}

/* ---- building ---- */

bool job_is_replay(const struct job_session *session)
{
    return session->frozen.use == FROZEN_REPLAY;
}

bool job_is_for_any(const struct job_session *session)
{
    return session->frozen.use != FROZEN_NONE;
}

static enum status job_build_generate(const struct job_session *session, const struct job *job,
                                      struct kernel kernels[LITMUS_MAXIMUM_AGENTS], unsigned *agents,
                                      struct error *error)
{
    const bool named = job->lowering && job->lowering[0] != '\0';
    const bool delays = job_has_delays(&session->device, &job->environment, session->frozen.use);
    if (job_is_for_any(session) && session->device.member_count > 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "kernels of several devices can be neither saved nor replayed; run without --%s",
                         job_is_replay(session) ? "kernels" : "save-kernels");
    return kernel_generate_agents(job->test, &session->device, named ? job->lowering : NULL, delays, kernels, agents,
                                  error);
}

void job_release_kernels(struct kernel *kernels, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        kernel_release(&kernels[k]);
}

/* The device that a kernel is for: the session's, or a member of its ensemble. */
static const struct backend_device *device_of(const struct job_session *session, unsigned member)
{
    return session->device.member_count > 0 ? &session->device.members[member] : &session->device;
}

/* What is compiled for a member, without headers. */
static struct backend_source job_build_source_of(const struct litmus_test *test, unsigned member,
                                                 const struct kernel *kernel)
{
    struct backend_source source = kernel_backend_source(kernel, test->name);
    source.member = member;
    return source;
}

/* Identifies the headers that the kernel includes; empty if it includes none. */
static void job_build_name_headers(const struct job_session *session, const struct kernel *kernel,
                                   struct backend_source *source, struct text *headers)
{
    if (kernel->includes && session->backend->name_headers)
        session->backend->name_headers(session->session, source->member, headers);
    source->headers = kernel->includes ? text_string(headers) : NULL;
}

static void use_code(struct backend_source *source, const struct text *code)
{
    source->code = text_string(code);
    source->code_size = code->size;
}

/* Gives the source the code that the build must load on its member: saved code, cached code, or code that is compiled
 * now and cached. None if the driver compiles during the build. */
static enum status find_code(const struct job_session *session, const struct litmus_test *test,
                             const struct kernel *kernel, struct backend_source *source, struct frozen_kernel *frozen,
                             struct backend_code *code, struct error *error)
{
    const struct backend_device *device = device_of(session, source->member);
    const bool cached = session->cache && backend_find(device->backend)->compiles_ahead(device);
    const bool saves = session->frozen.use == FROZEN_SAVE;
    if (job_is_replay(session)) {
        TRY(frozen_load(session->frozen.path, &session->device, test, kernel, frozen, error));
        use_code(source, &frozen->code);
    }
    if (!cached && !saves)
        return STATUS_OK;
    if (!cached || !kernel_cache_read(session->cache, device, source, code)) {
        TRY(session->backend->compile(session->session, source, code, error));
        if (code->bytes.size == 0 && saves)
            return error_set(error, STATUS_UNSUPPORTED, "the driver %s of %s:%u (%s) returned no code for %s",
                             device->driver, device->backend, device->index, device->name, source->name);
        if (code->bytes.size == 0)
            return STATUS_OK;
        if (cached)
            (void)kernel_cache_write(session->cache, device, source, code);
    }
    use_code(source, &code->bytes);
    return STATUS_OK;
}

/* The source that a device, or a member of an ensemble, must build; the caller keeps counters and headers. */
static struct backend_source describe_source(const struct job_play *play, unsigned member,
                                             const struct backend_counter *counters, size_t counter_count,
                                             struct text *headers)
{
    const struct kernel *kernel = &play->kernels[member];
    struct backend_source source = job_build_source_of(play->job->test, member, kernel);
    source.counters = counters;
    source.counter_count = counter_count;
    job_build_name_headers(play->session, kernel, &source, headers);
    return source;
}

/* Finds the code of a member; its compiler's output goes to the log under the member's name. */
static enum status find_member_code(const struct job_play *play, struct backend_source *source,
                                    struct backend_code *code, struct text *log, struct error *error)
{
    const struct backend_device *device = device_of(play->session, source->member);
    struct frozen_kernel none = {0};
    const enum status status =
        find_code(play->session, play->job->test, &play->kernels[source->member], source, &none, code, error);
    if (code->log.size > 0)
        text_add(log, "// compiled for %s:%u (%s)\n%s\n", device->backend, device->index, device->name,
                 text_string(&code->log));
    return status;
}

/* Every member of an ensemble builds the kernel of its agent. */
static enum status build_members(struct job_play *play, const struct backend_source *first, struct text *log,
                                 struct text *binary, struct error *error)
{
    const struct job_session *session = play->session;
    struct backend_source members[LITMUS_MAXIMUM_AGENTS];
    struct text headers[LITMUS_MAXIMUM_AGENTS] = {{0}};
    struct backend_code codes[LITMUS_MAXIMUM_AGENTS];
    enum status status = STATUS_OK;
    memset(codes, 0, sizeof codes);
    for (unsigned k = 0; k < play->agents && status == STATUS_OK; k++) {
        members[k] = describe_source(play, k, first->counters, first->counter_count, &headers[k]);
        status = find_member_code(play, &members[k], &codes[k], log, error);
    }
    const struct backend_source source = {.name = first->name, .members = members, .member_count = play->agents};
    THEN(status, backend_build(session->backend, session->session, &source, &play->program, log, binary, error));
    for (unsigned k = 0; k < play->agents; k++) {
        text_release(&headers[k]);
        backend_code_release(&codes[k]);
    }
    return status;
}

static enum status build_program(struct job_play *play, struct text *log, struct text *binary, struct error *error)
{
    LOCAL(backend_code) code = {0};
    LOCAL(text) headers = {0};
    struct job_session *session = play->session;
    struct backend_counter *counters = NULL;
    size_t counter_count = 0;
    enum status status = STATUS_OK;
    const bool several = play->agents > 1;
    kernel_counters(play->job->test, &play->kernels[0], &counters, &counter_count);
    struct backend_source source = describe_source(play, 0, counters, counter_count, &headers);
    if (!several)
        status = find_code(session, play->job->test, &play->kernels[0], &source, &play->frozen, &code, error);
    text_add(log, "%s", text_string(&code.log));
    THEN(status, several
                     ? build_members(play, &source, log, binary, error)
                     : backend_build(session->backend, session->session, &source, &play->program, log, binary, error));
    if (status == STATUS_OK && session->frozen.use == FROZEN_SAVE)
        status = frozen_save(session->frozen.path, &session->device, play->job->test, &play->kernels[0], &code, error);
    else if (status == STATUS_BUILD_FAILED)
        error_set_detail(error, text_string(log));
    /* A compiler may refuse what its device does not declare; but what it says of a user's header is the user's. */
    if (status == STATUS_BUILD_FAILED && play->kernels[0].undeclared && !play->kernels[0].user_code &&
        !job_is_replay(session))
        status = error->status = STATUS_UNSUPPORTED;
    if (status == STATUS_BUILD_FAILED || status == STATUS_UNSUPPORTED) {
        /* Adds to the error of refused saved code how it was saved. */
        const size_t length = strlen(error->text);
        if (play->frozen.code.size > 0)
            (void)snprintf(error->text + length, sizeof error->text - length,
                           "; it was saved on %s, driver %s, made by %s", play->frozen.device, play->frozen.driver,
                           play->frozen.compiler[0] ? play->frozen.compiler : "an unnamed compiler");
    }
    kernel_release_counters(counters, counter_count);
    return status;
}

enum status job_play_build(struct job_play *play, struct text *log, struct text *binary, struct error *error)
{
    TRY(job_build_generate(play->session, play->job, play->kernels, &play->agents, error));
    return build_program(play, log, binary, error);
}

/* ---- compiling ahead ---- */

/* Inspects the code as the worker will, so that the worker finds the result in the cache. */
static void inspect_ahead(const struct job_session *session, const struct litmus_test *test,
                          const struct kernel *kernel, const struct backend_source *source)
{
    const struct backend_device *device = device_of(session, source->member);
    const struct backend *backend = backend_find(device->backend);
    LOCAL(text) ptx = {0}, object = {0}, reason = {0};
    if (session->cache && source->code && backend->machine_code_ahead) {
        backend->machine_code_ahead(source->code, source->code_size, &ptx, &object);
        const struct inspected_machine machine = {backend, device, test, kernel, text_string(&ptx), &object};
        (void)inspect_machine_code(&machine, session->cache, &reason);
    }
}

/* Compiles for the session's device, or for a member of its ensemble. */
static enum status job_build_compile_kernel(const struct job_session *session, const struct litmus_test *test,
                                            unsigned member, const struct kernel *kernel, struct error *error)
{
    const struct backend_device *device = device_of(session, member);
    struct backend_source source = job_build_source_of(test, member, kernel);
    LOCAL(backend_code) code = {0};
    struct frozen_kernel frozen = {0};
    LOCAL(text) headers = {0};
    job_build_name_headers(session, kernel, &source, &headers);
    const enum status status = backend_find(device->backend)->compiles_ahead(device)
                                   ? find_code(session, test, kernel, &source, &frozen, &code, error)
                                   : STATUS_OK;
    if (status == STATUS_OK)
        inspect_ahead(session, test, kernel, &source);
    frozen_release(&frozen);
    return status;
}

static bool is_compiled(const struct job_session *session, const struct litmus_test *test, unsigned member,
                        const struct kernel *kernel)
{
    const struct backend_device *device = device_of(session, member);
    const struct backend_source source = job_build_source_of(test, member, kernel);
    LOCAL(backend_code) code = {0};
    return session->cache && !kernel->includes && kernel_cache_read(session->cache, device, &source, &code);
}

bool job_is_compiled(const struct job_session *session, const struct job *job)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    unsigned agents;
    struct error error;
    if (job_build_generate(session, job, kernels, &agents, &error) != STATUS_OK)
        return false;
    bool all = true;
    for (unsigned k = 0; k < agents && all; k++)
        all = is_compiled(session, job->test, k, &kernels[k]);
    job_release_kernels(kernels, agents);
    return all;
}

enum status job_compile(struct job_session *session, const struct job *job, struct error *error)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    unsigned agents;
    TRY(job_build_generate(session, job, kernels, &agents, error));
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < agents && status == STATUS_OK; k++)
        status = job_build_compile_kernel(session, job->test, k, &kernels[k], error);
    job_release_kernels(kernels, agents);
    return status;
}
