// SPDX-License-Identifier: Apache-2.0
/* Inspects many tests: generates their kernels, shares them among processes, and collects the results. */
#include "inspect/compile/inspect_many.h"

#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "base/json.h"
#include "base/process.h"
#include "inspect/compile/given_code.h"
#include "inspect/rebuild/rebuild_test.h"
#include "inspect/sass/disassemble_sass.h"
#include "kernel/lower.h"
#include "litmus/language/user_atomics.h"

/* ---- a test ---- */

enum { MODULE_KERNELS = 16 /* most that are assembled at once */, MAXIMUM_PROCESSES = 256 };

/* Tests whose kernels have the same text: [first, first + count) of the order. */
struct kernel_group {
    size_t first, count;
};

struct inspect_work {
    const struct inspect_many_options *options;
    const struct litmus_test *const *tests;
    size_t count;
    struct kernel *kernels; /* of each test; empty if there is none */
    bool *has_kernel;
    size_t *order; /* tests by their kernels' texts */
    struct kernel_group *groups;
    size_t group_count, group_room;
    size_t batch;        /* groups that a process takes at a time */
    atomic_size_t *next; /* group; shared by all processes */
    struct inspected *results;
    size_t done;
};

/* ---- kernels ---- */

struct sorted {
    const char *source;
    size_t test;
};

static int compare_sources(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    return strcmp(a->source, b->source) ?: ORDER(a->test, b->test);
}

static void set_reason(struct inspected *result, const char *reason)
{
    inspection_release(&result->inspection);
    inspect_skip(&result->inspection, reason);
}

/* For a test of several devices, all are this device, so one kernel has the threads of all. The host is a CPU that
 * takes C11, whose kernel is not inspected. */
static enum status make_kernel(const struct inspect_work *work, size_t test, struct kernel *kernel, struct error *error)
{
    const struct inspect_many_options *options = work->options;
    const bool from_source = options->compiler && work->tests[test]->dialect == LITMUS_CUDA;
    const char *const lowering = kernel_user_lowering(from_source ? lowering_source.name : options->lowering);
    struct backend_device members[LITMUS_MAXIMUM_AGENTS], ensemble = *options->device;
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct litmus_agents agents;
    /* Whether there are words for a test's language on the target of a compiler. */
    if (options->compiler && work->tests[test]->dialect == LITMUS_PTX)
        return error_set(error, STATUS_UNSUPPORTED,
                         "a PTX test is written in NVIDIA's instructions, which %s cannot express", options->version);
    if (options->compiler && !inspect_compiler_takes(options->compiler, options->target, from_source))
        return error_set(error, STATUS_UNSUPPORTED, "%s cannot compile %s tests for the target %s", options->version,
                         litmus_dialect_name(work->tests[test]->dialect), options->target->machine);
    TRY(litmus_find_agents(work->tests[test], &agents, error));
    if (agents.count > 1 && strcmp(options->device->backend, "vulkan") == 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "threads on several devices (a Vulkan device does not share memory)");
    if (agents.count < 2)
        return kernel_generate(work->tests[test], options->device, lowering, false, kernel, error);
    ensemble.members = members;
    ensemble.member_count = agents.count;
    ensemble.host = agents.host;
    ensemble.homes = ensemble.atomic_homes = (2u << agents.count) - 1;
    for (unsigned k = 0; k < agents.count; k++)
        members[k] = *options->device;
    if (agents.host)
        members[agents.count - 1].takes = BACKEND_TAKES_C11;
    TRY(kernel_generate_agents(work->tests[test], &ensemble, lowering, false, kernels, &agents.count, error));
    *kernel = kernels[0];
    for (unsigned k = 1; k < agents.count; k++)
        kernel_release(&kernels[k]);
    return STATUS_OK;
}

/* Generates the kernels and groups equal ones. */
static void find_groups(struct inspect_work *work)
{
    FREED struct sorted *sorted = memory_take(work->count, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < work->count; i++) {
        struct error error;
        set_reason(&work->results[i], "it was not reached");
        work->has_kernel[i] = make_kernel(work, i, &work->kernels[i], &error) == STATUS_OK;
        if (work->has_kernel[i]) {
            sorted[count++] = (struct sorted){work->kernels[i].source, i};
        } else {
            set_reason(&work->results[i], error.text);
            work->done++;
        }
    }
    qsort(sorted, count, sizeof *sorted, compare_sources);
    for (size_t i = 0; i < count; i++) {
        work->order[i] = sorted[i].test;
        if (i == 0 || strcmp(sorted[i].source, sorted[i - 1].source) != 0)
            LIST_ADD(work->groups, work->group_count, work->group_room) = (struct kernel_group){i, 0};
        work->groups[work->group_count - 1].count++;
    }
}

/* ---- in a child process ---- */

static json_t *pack_findings(const struct inspection *inspection)
{
    json_t *array = json_array();
    for (size_t i = 0; i < inspection->finding_count; i++) {
        const struct inspect_finding *finding = &inspection->findings[i];
        (void)json_array_append_new(array, json_pack("{s:i, s:i, s:i, s:i, s:o}", "fault", (int)finding->fault, "step",
                                                     (int)finding->step, "line", (int)finding->place.line, "column",
                                                     (int)finding->place.column, "text", json_text(finding->text)));
    }
    return array;
}

static json_t *pack_became(const struct inspection *inspection)
{
    json_t *array = json_array();
    for (size_t i = 0; i < inspection->became_count; i++)
        json_append(array, json_pack("[s, o, i]", inspection->became[i].function, json_text(inspection->became[i].code),
                                     (int)inspection->became[i].fault));
    return array;
}

static void inspect_many_tell(int output, size_t test, const char *compiler, const struct inspection *inspection)
{
    json_t *object = json_pack("{s:I, s:i, s:o, s:s, s:o, s:o}", "test", (json_int_t)test, "kept",
                               (int)inspection->kept, "reason", json_text(inspection->reason), "compiler", compiler,
                               "findings", pack_findings(inspection), "became", pack_became(inspection));
    char *line = json_dumps(object, JSON_COMPACT);
    struct text text = {0};
    text_add(&text, "%s\n", line ? line : "");
    for (size_t at = 0; line && at < text.size;) {
        const ssize_t written = write(output, text.data + at, text.size - at);
        if (written < 0 && errno != EINTR)
            _exit(1); /* the reader is gone */
        at += written > 0 ? (size_t)written : 0;
    }
    text_release(&text);
    free(line);
    json_decref(object);
}

/* Whether it is of one architecture alone, as "sm_90a": there are no rules for the SASS, so that the PTX is read. */
static bool is_alone(const struct inspect_work *work)
{
    const char *const name = work->options->device->architecture;
    return strcspn(name, "af") < strlen(name);
}

/* For compiled CUDA C++, the PTX shows which test was compiled, even if the machine code could not be read. ptx: "" if
 * nothing was compiled. */
static void tell_reason(const struct inspect_work *work, int output, const struct kernel_group *group,
                        const char *compiler, const char *ptx, const char *reason)
{
    for (size_t i = 0; i < group->count; i++) {
        const size_t test = work->order[group->first + i];
        const struct compiled_ptx compiled = {work->tests[test], &work->kernels[test],
                                              kernel_unit_line(backend_find("cuda"), 1), ptx};
        struct inspection inspection;
        inspect_skip(&inspection, reason);
        const struct inspect_code code = {
            .machine = INSPECT_PTX, .text = ptx, .architecture = "", .first_line = compiled.first_line};
        if (compiled_ptx_is(compiled.kernel, ptx))
            judge_compiled(&compiled, work->options->device, &inspection);
        else if (ptx[0] && is_alone(work)) {
            inspection_release(&inspection);
            inspect_compiled(&code, work->tests[test], &work->kernels[test], work->options->device, &inspection);
        }
        inspect_many_tell(output, test, compiler, &inspection);
        inspection_release(&inspection);
    }
}

static enum status inspect_many_compile(const struct backend_device *device, const struct litmus_test *test,
                                        const struct kernel *kernel, struct backend_code *code, struct error *error)
{
    struct backend_source source = kernel_backend_source(kernel, test->name);
    source.headers = kernel->includes ? "" : NULL;
    return backend_find("cuda")->compile_for(device->architecture, &source, code, error);
}

/* Rules exist for the SASS of inline PTX. Compiled CUDA C++ is judged by its PTX, which needs no disassembler. */
static bool reads_sass(const struct inspect_work *work)
{
    return !user_atomics_loaded() && !is_alone(work) &&
           (!work->options->lowering || strcmp(work->options->lowering, lowering_source.name) != 0);
}

/* Assembles the compiled kernels together or, if that fails, each half by itself. */
static void tell_batch(const struct inspect_work *work, int output, const struct kernel_group *const *groups,
                       const struct backend_code *codes, struct sass_kernel *kernels, size_t count)
{
    struct error error;
    const enum status status = !reads_sass(work)
                                   ? error_set(&error, STATUS_UNSUPPORTED, "only its PTX is inspected")
                                   : sass_of_ptx(kernels, count, work->options->device->architecture, &error);
    if (status != STATUS_OK && status != STATUS_UNSUPPORTED && count > 1) {
        const size_t half = count / 2;
        tell_batch(work, output, groups, codes, kernels, half);
        tell_batch(work, output, groups + half, codes + half, kernels + half, count - half);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (status == STATUS_OK) {
            for (size_t k = 0; k < groups[i]->count; k++) {
                const size_t test = work->order[groups[i]->first + k];
                struct inspection inspection;
                const struct inspect_code code = {.machine = INSPECT_SASS,
                                                  .text = text_string(&kernels[i].sass),
                                                  .ptx = kernels[i].ptx,
                                                  .ptx_line = kernels[i].first_line,
                                                  .architecture = work->options->device->architecture,
                                                  .first_line = kernel_unit_line(backend_find("cuda"), 1)};
                inspect_compiled(&code, work->tests[test], &work->kernels[test], work->options->device, &inspection);
                inspect_many_tell(output, test, codes[i].compiler, &inspection);
                inspection_release(&inspection);
            }
        } else
            tell_reason(work, output, groups[i], codes[i].compiler, kernels[i].ptx, error.text);
}

/* Compiles one kernel by the compiler that was asked for, and inspects its tests; false, with nothing told, if one is
 * not kept and instructions may lack their lines. */
static bool try_kernel(const struct inspect_work *work, int output, const struct kernel_group *group, bool all_lines)
{
    const struct inspect_many_options *options = work->options;
    const size_t *tests = work->order + group->first;
    struct compiled_kernel compiled = {0};
    struct error error;
    if (inspect_compiler_compile(options->compiler, options->target, work->tests[tests[0]]->dialect == LITMUS_CUDA,
                                 &work->kernels[tests[0]], all_lines, &compiled, &error) != STATUS_OK) {
        tell_reason(work, output, group, options->version, "", error.text);
        text_release(&compiled.code);
        return true;
    }
    const struct inspect_code code = {.machine = compiled.machine,
                                      .text = text_string(&compiled.code),
                                      .size = compiled.code.size,
                                      .architecture = "",
                                      .first_line = compiled.first_line};
    struct inspection *inspections = memory_take(group->count, sizeof *inspections);
    bool final = true;
    for (size_t i = 0; i < group->count; i++) {
        inspect_compiled(&code, work->tests[tests[i]], &work->kernels[tests[i]], options->device, &inspections[i]);
        final &= compiled.has_all_lines || inspections[i].kept == TEST_KEPT;
    }
    for (size_t i = 0; i < group->count; i++) {
        if (final)
            inspect_many_tell(output, tests[i], options->version, &inspections[i]);
        inspection_release(&inspections[i]);
    }
    free(inspections);
    text_release(&compiled.code);
    return final;
}

static void take_batch(const struct inspect_work *work, int output, size_t first, size_t end)
{
    struct backend_code codes[MODULE_KERNELS];
    struct sass_kernel kernels[MODULE_KERNELS];
    const struct kernel_group *groups[MODULE_KERNELS];
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        const struct kernel_group *group = &work->groups[i];
        const size_t test = work->order[group->first];
        struct error error;
        codes[count] = (struct backend_code){0};
        if (inspect_many_compile(work->options->device, work->tests[test], &work->kernels[test], &codes[count],
                                 &error) != STATUS_OK) {
            tell_reason(work, output, group, "", "", error.text);
            backend_code_release(&codes[count]);
            continue;
        }
        kernels[count] = (struct sass_kernel){.ptx = text_string(&codes[count].bytes)};
        groups[count++] = group;
    }
    if (count > 0)
        tell_batch(work, output, groups, codes, kernels, count);
    for (size_t i = 0; i < count; i++) {
        text_release(&kernels[i].sass);
        backend_code_release(&codes[i]);
    }
}

static int inspect_many_work(const void *context, int output)
{
    const struct inspect_work *work = context;
    for (;;) {
        const size_t first = atomic_fetch_add(work->next, work->batch);
        if (first >= work->group_count)
            return 0;
        const size_t left = work->group_count - first;
        const size_t end = first + (left < work->batch ? left : work->batch);
        if (!work->options->compiler)
            take_batch(work, output, first, end);
        for (size_t i = first; work->options->compiler && i < end; i++)
            /* An instruction without its line is missed, so a test that is kept needs no more lines. */
            if (!try_kernel(work, output, &work->groups[i], false))
                (void)try_kernel(work, output, &work->groups[i], true);
    }
}

/* ---- in this process ---- */

struct inspect_process {
    struct process process;
    struct text line; /* of its results, so far */
};

static void take_findings(const json_t *array, struct inspection *inspection)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *object = json_array_get(array, i);
        struct inspect_finding *finding =
            &ARENA_ADD(&inspection->arena, inspection->findings, inspection->finding_count);
        *finding = (struct inspect_finding){
            .fault = (enum inspect_fault)json_integer_value(json_object_get(object, "fault")),
            .step = (unsigned)json_integer_value(json_object_get(object, "step")),
            .place = {(unsigned)json_integer_value(json_object_get(object, "line")),
                      (unsigned)json_integer_value(json_object_get(object, "column"))},
            .text = arena_copy(&inspection->arena, json_string_value(json_object_get(object, "text")))};
    }
}

static void take_became(const json_t *array, struct inspection *inspection)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *function, *code;
        int fault;
        if (json_unpack(json_array_get(array, i), "[s, s, i]", &function, &code, &fault) == 0)
            ARENA_ADD(&inspection->arena, inspection->became, inspection->became_count) =
                (struct inspect_became){arena_copy(&inspection->arena, function), arena_copy(&inspection->arena, code),
                                        (enum inspect_fault)fault};
    }
}

/* Reads what a process has written; false at its end. */
static bool inspect_many_hear(struct inspect_work *work, struct inspect_process *process)
{
    char bytes[16 * 1024];
    const ssize_t count = read(process->process.output, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
        return true;
    if (count <= 0)
        return false;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] != '\n') {
            text_add_bytes(&process->line, &bytes[i], 1);
            continue;
        }
        json_t *object = json_loads(text_string(&process->line), 0, NULL);
        const size_t test = (size_t)json_integer_value(json_object_get(object, "test"));
        if (object && test < work->count) {
            struct inspected *result = &work->results[test];
            set_reason(result, json_string_value(json_object_get(object, "reason")));
            result->inspection.kept = (enum kept)json_integer_value(json_object_get(object, "kept"));
            (void)snprintf(result->compiler, sizeof result->compiler, "%s",
                           json_string_value(json_object_get(object, "compiler")));
            take_findings(json_object_get(object, "findings"), &result->inspection);
            take_became(json_object_get(object, "became"), &result->inspection);
            work->done++;
        }
        json_decref(object);
        text_clear(&process->line);
    }
    return true;
}

static void hear_all(struct inspect_work *work, struct inspect_process *processes, size_t count)
{
    size_t open = count;
    bool go_on = true;
    while (open > 0 && go_on) {
        struct pollfd waits[MAXIMUM_PROCESSES];
        for (size_t i = 0; i < count; i++)
            waits[i] = (struct pollfd){processes[i].process.output, POLLIN, 0};
        (void)poll(waits, count, 200);
        for (size_t i = 0; i < count; i++) {
            if (waits[i].revents == 0 || inspect_many_hear(work, &processes[i]))
                continue;
            (void)process_wait(&processes[i].process);
            open--;
        }
        go_on = !work->options->go_on || work->options->go_on(work->done, work->count, work->options->context);
    }
    for (size_t i = 0; i < count; i++) {
        if (processes[i].process.id > 0) {
            (void)kill(-processes[i].process.id, SIGKILL);
            (void)process_wait(&processes[i].process);
        }
        text_release(&processes[i].line);
    }
}

/* Whether the tests can be inspected at all; if not, gives each test with a kernel the reason. */
static bool has_tools(struct inspect_work *work)
{
    struct error error;
    if (work->options->compiler || !reads_sass(work) || sass_find_tools(&error) == STATUS_OK)
        return true;
    for (size_t i = 0; i < work->count; i++)
        if (work->has_kernel[i])
            set_reason(&work->results[i], error.text);
    return false;
}

static enum status inspect_many_share(struct inspect_work *work, struct error *error)
{
    struct inspect_process processes[MAXIMUM_PROCESSES] = {0};
    size_t wanted = work->options->processes, count = 0;
    wanted = wanted > MAXIMUM_PROCESSES ? MAXIMUM_PROCESSES : wanted == 0 ? 1 : wanted;
    wanted = wanted > work->group_count ? work->group_count : wanted;
    if (wanted == 0)
        return STATUS_OK;
    work->batch = work->group_count / wanted / 2;
    work->batch = work->batch > MODULE_KERNELS ? MODULE_KERNELS : work->batch == 0 ? 1 : work->batch;
    work->next = mmap(NULL, sizeof *work->next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (work->next == MAP_FAILED)
        return error_set(error, STATUS_SYSTEM, "cannot share memory between processes: %s", strerror(errno));
    atomic_init(work->next, 0);
    while (count < wanted && process_start(inspect_many_work, work, &processes[count].process))
        count++;
    const int why = errno;
    hear_all(work, processes, count);
    (void)munmap(work->next, sizeof *work->next);
    return count > 0 ? STATUS_OK : error_set(error, STATUS_SYSTEM, "cannot start a process: %s", strerror(why));
}

enum status inspect_many(const struct inspect_many_options *options, const struct litmus_test *const *tests,
                         size_t count, struct inspected *results, struct error *error)
{
    struct inspect_work work = {.options = options, .tests = tests, .count = count, .results = results};
    work.kernels = memory_take(count, sizeof *work.kernels);
    work.has_kernel = memory_take(count, sizeof *work.has_kernel);
    work.order = memory_take(count, sizeof *work.order);
    find_groups(&work);
    const enum status status = has_tools(&work) ? inspect_many_share(&work, error) : STATUS_OK;
    for (size_t i = 0; i < count; i++)
        if (work.has_kernel[i])
            kernel_release(&work.kernels[i]);
    free(work.kernels);
    free(work.has_kernel);
    free(work.order);
    free(work.groups);
    return status;
}

/* ---- the code of one test, for people ---- */

static enum status show_sass_of(const struct backend_device *device, const struct litmus_test *test,
                                const struct kernel *kernel, struct text *text, struct error *error)
{
    LOCAL(backend_code) code = {0};
    struct sass_kernel sass = {0};
    enum status status = inspect_many_compile(device, test, kernel, &code, error);
    sass.ptx = text_string(&code.bytes);
    THEN(status, sass_of_ptx(&sass, 1, device->architecture, error));
    if (status == STATUS_OK) {
        const struct inspect_code shown = {.machine = INSPECT_SASS,
                                           .text = text_string(&sass.sass),
                                           .ptx = sass.ptx,
                                           .ptx_line = sass.first_line,
                                           .architecture = device->architecture,
                                           .first_line = kernel_unit_line(backend_find("cuda"), 1)};
        status = inspect_print(&shown, test, kernel, text, error);
    }
    text_release(&sass.sass);
    return status;
}

static enum status show_sass(const struct backend_device *device, const struct litmus_test *test, const char *lowering,
                             struct text *text, struct error *error)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    unsigned agents;
    TRY(sass_find_tools(error));
    TRY(kernel_generate_agents(test, device, lowering, false, kernels, &agents, error));
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < agents; k++) {
        const struct backend_device *own = agents > 1 ? &device->members[k] : device;
        if (agents > 1)
            text_add(text, "%smember %u: %s\n", k > 0 ? "\n" : "", k, own->name);
        if (status == STATUS_OK && strcmp(own->backend, "cuda") == 0 && !kernel_is_shared(&kernels[k]))
            status = show_sass_of(own, test, &kernels[k], text, error);
        kernel_release(&kernels[k]);
    }
    return status;
}

static enum status show_spirv(const struct backend_device *device, const struct litmus_test *test, const char *lowering,
                              struct text *text, struct error *error)
{
    const struct backend *vulkan = backend_find("vulkan");
    struct kernel kernel;
    LOCAL(backend_code) compiled = {0};
    TRY(kernel_generate(test, device, lowering, false, &kernel, error));
    const struct backend_source source = {.name = test->name, .kernel = kernel.source};
    enum status status = vulkan->compile_for("", &source, &compiled, error);
    if (status == STATUS_OK) {
        const struct inspect_code code = {.machine = INSPECT_SPIRV,
                                          .text = text_string(&compiled.bytes),
                                          .size = compiled.bytes.size,
                                          .architecture = "",
                                          .first_line = kernel_unit_line(vulkan, 1)};
        status = inspect_print(&code, test, &kernel, text, error);
    }
    kernel_release(&kernel);
    return status;
}

static enum status show_wgsl(const struct backend_device *device, const struct litmus_test *test, struct text *text,
                             struct error *error)
{
    LOCAL(kernel) kernel = {0};
    TRY(kernel_generate(test, device, NULL, false, &kernel, error));
    return kernel_print_wgsl(&kernel, text, error);
}

enum status inspect_show_kernel(const char *backend, const struct litmus_test *test, bool body, const char **lowering,
                                struct text *text, struct error *error)
{
    const bool sass = strcmp(backend, "sass") == 0, spirv = strcmp(backend, "spirv") == 0;
    const char *wanted = *lowering = kernel_user_lowering(*lowering);
    struct typical_ensemble ensemble;
    const bool wgsl = strcmp(backend, "wgsl") == 0;
    const char *const of = sass ? "cuda" : spirv ? "vulkan" : wgsl ? "webgpu" : backend;
    const struct backend_device *device = typical_device_for(of, test, &ensemble);
    if (!device)
        return error_set(error, STATUS_UNSUPPORTED, "no device of %s can run a test in %s", of,
                         litmus_dialect_name(test->dialect));
    if (!sass && !spirv && !wgsl) {
        /* With several agents, each kernel is shown under its device. */
        struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
        unsigned agents;
        TRY(kernel_generate_agents(test, device, *lowering, false, kernels, &agents, error));
        *lowering = kernel_lowering_name(&kernels[0]);
        for (unsigned k = 0; k < agents; k++) {
            const struct backend_device *own = agents > 1 ? &device->members[k] : device;
            const bool shared = kernel_is_shared(&kernels[k]);
            if (agents > 1)
                text_add(text, "%s// member %u: %s%s\n\n", k > 0 ? "\n" : "", k, own->name,
                         shared ? ", with the kernel above" : "");
            if (body && !shared)
                text_add_bytes(text, kernels[k].source + kernels[k].body, kernels[k].body_size);
            else if (!shared)
                given_code_add_source(backend_find(own->backend), &kernels[k], text);
            kernel_release(&kernels[k]);
        }
        return STATUS_OK;
    }
    *lowering = backend;
    if (wgsl)
        return show_wgsl(device, test, text, error);
    return sass ? show_sass(device, test, wanted, text, error) : show_spirv(device, test, wanted, text, error);
}

enum status inspect_show_emitted(const struct litmus_test *test, bool vulkan, struct text *text, struct error *error)
{
    struct kernel_target target;
    if (litmus_has_columns(test->dialect)) {
        litmus_print(test, text);
        return STATUS_OK;
    }
    TRY(kernel_target_make(test, kernel_mapping_to(vulkan ? LITMUS_VULKAN : LITMUS_PTX), &target, error));
    target.test->metadata_count = 0;
    const enum status status = kernel_target_print(&target, text, error);
    kernel_target_release(&target);
    return status;
}
