// SPDX-License-Identifier: Apache-2.0
/* The simulated backend: it reads no kernel, and invents counters as its script says. It exists to test the other
 * rooms. */
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "backends/driver.h"
#include "backends/simulated/sample.h"
#include "backends/simulated/script.h"
#include "backends/steps.h"
#include "base/json.h"

/* A moment in the life of a session. */
struct fault_point {
    enum script_phase phase;
    unsigned device;
    const char *test; /* NULL before a program is built */
    uint64_t batch;
};

struct fault_effect {
    enum script_how
        wrong;   /* SCRIPT_SUM, SCRIPT_ZERO or SCRIPT_OVERLAP: the error in the counters; else SCRIPT_HOW_DEFAULT */
    bool wedged; /* the device is wedged from now on */
    const json_t *rates; /* rates of this batch instead of the script's, by label; NULL: none */
    double slow_seconds; /* by which the launch takes longer */
};

/* ---- faults, and the file that records them ---- */

enum {
    LOOK_MILLISECONDS = 5,      /* between reads of the state, while waiting for other devices */
    MAXIMUM_STATE = 1024 * 1024 /* bytes */
};

/* The state file: {"fired": {"0": 2}, "wedged": [1], "came": {"1": {"0": true}}}: how often each fault with `times`,
 * `after` or `wedged` was met, by its position in the script; the devices that are wedged; the devices that have come
 * to each `await`. Locked while it is open, since workers run at the same time. */
struct fault_state {
    const char *path;
    int file;
    json_t *root;
};

static enum status state_failed(const struct fault_state *state, const char *what, struct error *error)
{
    return error_set(error, STATUS_SYSTEM, "%s: the simulated devices' state cannot be %s: %s", state->path, what,
                     strerror(errno));
}

static void state_close(struct fault_state *state)
{
    json_decref(state->root);
    if (state->file >= 0)
        (void)close(state->file); /* state_save reports every failure that matters */
}

/* Other processes wait for the lock of this file, so it is not replaced but written in place. */
static bool is_state(const struct fault_state *state)
{
    struct stat facts;
    return fstat(state->file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= MAXIMUM_STATE;
}

static enum status state_open(const char *path, struct fault_state *state, struct error *error)
{
    json_error_t parse_error;
    *state = (struct fault_state){.path = path, .file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)};
    if (state->file < 0)
        return state_failed(state, "opened", error);
    if (flock(state->file, LOCK_EX) != 0) {
        const enum status status = state_failed(state, "locked", error);
        state_close(state);
        return status;
    }
    if (!is_state(state))
        state->root = NULL;
    else if (lseek(state->file, 0, SEEK_END) == 0)
        state->root = json_pack("{s:{}, s:[]}", "fired", "wedged");
    else if (lseek(state->file, 0, SEEK_SET) == 0)
        state->root = json_loadfd(state->file, 0, &parse_error);
    if (state->root && json_is_object(json_object_get(state->root, "fired")) &&
        json_is_array(json_object_get(state->root, "wedged")))
        return STATUS_OK;
    state_close(state);
    return error_set(error, STATUS_SYNTAX, "%s: not a state of the simulated devices; remove it to start over", path);
}

static enum status state_save(const struct fault_state *state, struct error *error)
{
    if (lseek(state->file, 0, SEEK_SET) != 0 || ftruncate(state->file, 0) != 0 ||
        json_dumpfd(state->root, state->file, JSON_COMPACT) != 0)
        return state_failed(state, "written", error);
    return STATUS_OK;
}

static bool state_has_wedged(const struct fault_state *state, unsigned device)
{
    const json_t *wedged = json_object_get(state->root, "wedged");
    for (size_t i = 0; i < json_array_size(wedged); i++)
        if (json_integer_value(json_array_get(wedged, i)) == device)
            return true;
    return false;
}

/* Whether an earlier fault has wedged the device. */
static enum status faults_wedged(const struct script *script, unsigned device, bool *wedged, struct error *error)
{
    struct fault_state state;
    *wedged = false;
    if (!script->state)
        return STATUS_OK;
    TRY(state_open(script->state, &state, error));
    *wedged = state_has_wedged(&state, device);
    state_close(&state);
    return STATUS_OK;
}

/* Whether the fault happens now; this is recorded before it happens. */
static enum status note_fault(const struct script *script, size_t index, unsigned device, bool *happens,
                              struct error *error)
{
    const struct script_fault *fault = &script->faults[index];
    struct fault_state state;
    enum status status = STATUS_OK;
    *happens = true;
    if (fault->times < 0 && fault->after == 0 && !fault->wedged)
        return STATUS_OK;
    TRY(state_open(script->state, &state, error));
    const char *const key = PRINTED(32, "%zu", index);
    json_t *fired = json_object_get(state.root, "fired");
    const json_int_t count = json_integer_value(json_object_get(fired, key));
    const bool is_over = fault->times >= 0 && count >= fault->after + fault->times;
    *happens = count >= fault->after && !is_over;
    if (!is_over) {
        (void)json_object_set_new(fired, key, json_integer(count + 1));
        if (*happens && fault->wedged && !state_has_wedged(&state, device))
            json_append(json_object_get(state.root, "wedged"), json_integer(device));
        status = state_save(&state, error);
    }
    state_close(&state);
    return status;
}

static void sleep_milliseconds(unsigned milliseconds)
{
    struct timespec rest = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        continue;
}

/* Records that the device has come to the fault. *enough: whether enough devices have. */
static enum status come_to_fault(const struct script *script, size_t index, unsigned device, bool *enough,
                                 struct error *error)
{
    struct fault_state state;
    TRY(state_open(script->state, &state, error));
    const char *const fault = PRINTED(32, "%zu", index);
    const char *const name = PRINTED(32, "%u", device);
    json_t *came = json_object_get(state.root, "came");
    if (!came)
        (void)json_object_set_new(state.root, "came", came = json_object());
    json_t *devices = json_object_get(came, fault);
    if (!devices)
        (void)json_object_set_new(came, fault, devices = json_object());
    (void)json_object_set_new(devices, name, json_true());
    const enum status status = state_save(&state, error);
    *enough = json_object_size(devices) >= script->faults[index].devices;
    state_close(&state);
    return status;
}

static enum status await_others(const struct script *script, size_t index, unsigned device, struct error *error)
{
    bool enough = false;
    do {
        TRY(come_to_fault(script, index, device, &enough, error));
        if (!enough)
            sleep_milliseconds(LOOK_MILLISECONDS);
    } while (!enough);
    return STATUS_OK;
}

_Noreturn static void crash(enum script_how how)
{
    /* As in a driver, nobody catches the following, and no buffer is flushed. */
    if (how == SCRIPT_EXIT)
        _exit(3);
    const int number = how == SCRIPT_ABORT ? SIGABRT : SIGSEGV;
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    _exit(3);
}

/* Makes malloc() fail from now on. The memory taken here is never released. */
static void starve(void)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_AS, &none);
    for (size_t size = (size_t)1 << 20; size >= sizeof(void *); size /= 2) {
        void *volatile taken;
        do
            taken = malloc(size);
        while (taken);
    }
}

static void simulated_print_lines(const struct script_fault *fault)
{
    for (size_t i = 0; i < json_array_size(fault->lines); i++)
        (void)fprintf(stderr, "%s\n", json_string_value(json_array_get(fault->lines, i)));
    (void)fflush(stderr);
}

/* Replaces this program by another one, which keeps its open files. */
static enum status simulated_become(const json_t *command, struct error *error)
{
    const size_t count = json_array_size(command);
    FREED const char **arguments = memory_take(count + 1, sizeof *arguments);
    for (size_t i = 0; i < count; i++)
        arguments[i] = json_string_value(json_array_get(command, i));
    (void)execvp(arguments[0], (char *const *)(uintptr_t)arguments); /* which does not change them */
    return error_set(error, STATUS_SYSTEM, "the simulated device cannot run %s: %s", arguments[0], strerror(errno));
}

static enum status let_happen(const struct script *script, size_t index, const struct fault_point *point,
                              struct fault_effect *effect, struct text *log, struct error *error)
{
    const struct script_fault *fault = &script->faults[index];
    effect->wedged |= fault->wedged;
    switch ((enum script_action)fault->action) {
    case SCRIPT_HANG:
        for (;;)
            (void)pause();
    case SCRIPT_STDERR:
        simulated_print_lines(fault);
        crash(fault->how);
    case SCRIPT_CRASH:
        crash(fault->how);
    case SCRIPT_LOST:
        return error_set(error, STATUS_DEVICE_LOST, "simulated:%u was lost, as its script says", point->device);
    case SCRIPT_WRONG:
        effect->wrong = fault->how == SCRIPT_HOW_DEFAULT ? SCRIPT_SUM : (enum script_how)fault->how;
        return STATUS_OK;
    case SCRIPT_BUILD_ERROR:
        (void)error_set(error, STATUS_BUILD_FAILED, "the simulated compiler of simulated:%u refused the kernel of %s",
                        point->device, point->test);
        text_add(log, "%s\n", fault->text ? fault->text : "error: the script says so");
        error_set_detail(error, fault->text ? fault->text : "error: the script says so");
        return STATUS_BUILD_FAILED;
    case SCRIPT_SLOW:
        sleep_milliseconds(fault->milliseconds);
        effect->slow_seconds += fault->milliseconds / 1000.0;
        return STATUS_OK;
    case SCRIPT_STARVE:
        starve();
        return STATUS_OK;
    case SCRIPT_RATES:
        effect->rates = fault->outcomes;
        return STATUS_OK;
    case SCRIPT_EXEC:
        return simulated_become(fault->command, error);
    case SCRIPT_AWAIT:
        return await_others(script, index, point->device, error);
    default:
        return STATUS_OK;
    }
}

/* Triggers every fault of the script that fits the point, in the script's order. Does not return from a hang or a
 * crash. DEVICE_LOST and BUILD_FAILED come from the faults; SYSTEM or SYNTAX if the state file cannot be used. The log
 * of a refused build is appended to *log, which may be NULL unless the phase is SCRIPT_BUILD. */
static enum status faults_meet(const struct script *script, const struct fault_point *point,
                               struct fault_effect *effect, struct text *log, struct error *error)
{
    for (size_t i = 0; i < script->fault_count; i++) {
        const struct script_fault *fault = &script->faults[i];
        bool happens;
        if (fault->phase != (unsigned)point->phase || (fault->device >= 0 && fault->device != point->device) ||
            (fault->batch >= 0 && (uint64_t)fault->batch != point->batch) ||
            (fault->test && (!point->test || fnmatch(fault->test, point->test, 0) != 0)))
            continue;
        TRY(note_fault(script, i, point->device, &happens, error));
        if (happens)
            TRY(let_happen(script, i, point, effect, log, error));
    }
    return STATUS_OK;
}

struct simulated_session {
    struct script script;
    const struct script_device *device;
    bool wedged, lost;
};

/* One counter of the kernel. */
struct script_counter {
    enum backend_counter_kind kind;
    uint32_t index;
    char *label;   /* owned */
    double rate;   /* per instance */
    double weight; /* share of what the rates leave; 0 if a rate is given */
    bool dead;
};

struct simulated_program {
    char *test;
    struct script_counter *counters;
    size_t count;
    double variation;
    enum kept kept;
    char *kept_reason;
    bool beside;                /* some two launches of the last play are unordered */
    struct fault_effect effect; /* of the running batch */
};

/* ---- the backend ---- */

static struct simulated_session *simulated_session(struct backend_session *opened)
{
    return (struct simulated_session *)opened;
}

static struct simulated_program *simulated_program(struct backend_program *built)
{
    return (struct simulated_program *)built;
}

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    struct script script;
    struct fault_effect effect = {0};
    *devices = NULL;
    *count = 0;
    TRY(script_read(getenv("ORCHIL_SIMULATED"), &script, error));
    enum status status = faults_meet(&script, &(struct fault_point){.phase = SCRIPT_LIST}, &effect, NULL, error);
    if (status == STATUS_OK && script.device_count == 0)
        status = error_set(error, STATUS_NO_DEVICE, "the script of the simulated devices has no devices");
    if (status == STATUS_OK)
        *devices = memory_take(script.device_count, sizeof **devices);
    for (size_t i = 0; status == STATUS_OK && i < script.device_count; i++)
        (*devices)[(*count)++] = script.devices[i].device;
    script_release(&script);
    return status;
}

static void close_session(struct backend_session *opened)
{
    FREED struct simulated_session *session = simulated_session(opened);
    if (session)
        script_release(&session->script);
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct simulated_session *session = simulated_session(opened);
    struct fault_effect effect = {0};
    TRY(script_read(getenv("ORCHIL_SIMULATED"), &session->script, error));
    if (index >= session->script.device_count)
        return error_set(error, STATUS_NO_DEVICE, "there is no simulated:%u: the script names %zu device(s)", index,
                         session->script.device_count);
    session->device = &session->script.devices[index];
    TRY(faults_wedged(&session->script, index, &session->wedged, error));
    TRY(faults_meet(&session->script, &(struct fault_point){.phase = SCRIPT_OPEN, .device = index}, &effect, NULL,
                    error));
    session->wedged |= effect.wedged;
    return STATUS_OK;
}

static void release_program(UNUSED struct backend_session *opened, struct backend_program *built)
{
    struct simulated_program *program = simulated_program(built);
    if (!program)
        return;
    for (size_t i = 0; i < program->count; i++)
        free(program->counters[i].label);
    free(program->counters);
    free(program->test);
    free(program->kept_reason);
    free(program);
}

/* Triggers the faults of this moment; after a loss every call fails. */
static enum status meet_faults(struct simulated_session *session, const struct fault_point *point,
                               struct fault_effect *effect, struct text *log, struct error *error)
{
    *effect = (struct fault_effect){0};
    if (session->lost)
        return error_set(error, STATUS_DEVICE_LOST, "simulated:%u was lost before", session->device->device.index);
    const enum status status = faults_meet(&session->script, point, effect, log, error);
    session->lost = status == STATUS_DEVICE_LOST;
    session->wedged |= effect->wedged;
    return status;
}

static bool has_text(const json_t *texts, const char *text)
{
    for (size_t i = 0; i < json_array_size(texts); i++)
        if (strcmp(json_string_value(json_array_get(texts, i)), text) == 0)
            return true;
    return false;
}

/* One counter as the script describes it; the script may not mention this test. */
static struct script_counter script_counter_of(const struct backend_counter *declared, const struct script_test *test)
{
    static const struct script_test silence;
    if (!test)
        test = &silence;
    struct script_counter counter = {
        .kind = declared->kind, .index = declared->index, .label = memory_copy(declared->label)};
    const json_t *rate = NULL, *weight = NULL;
    switch (declared->kind) {
    case BACKEND_COUNTER_OUTCOME:
        rate = json_object_get(test->outcomes, declared->label);
        weight = json_object_get(test->weights, declared->label);
        counter.weight = rate ? 0 : weight ? json_number_value(weight) : 1;
        break;
    case BACKEND_COUNTER_VOID:
        rate = json_object_get(test->voids, declared->label);
        break;
    case BACKEND_COUNTER_LIVENESS:
        counter.dead = has_text(test->dead, declared->label);
        break;
    }
    counter.rate = json_number_value(rate);
    return counter;
}

static bool has_counter(const struct backend_source *source, enum backend_counter_kind kind, const char *label)
{
    return ANY_OF(counter, source->counters, source->counter_count,
                  counter->kind == kind && strcmp(counter->label, label) == 0);
}

/* A label that the test does not have is a mistake if the entry names exactly this test. */
static enum status check_labels(const struct backend_source *source, const json_t *rates,
                                enum backend_counter_kind kind, struct error *error)
{
    const char *label;
    json_t *rate;
    json_object_foreach((json_t *)(uintptr_t)rates, label, rate) if (
        !has_counter(source, kind,
                     label)) return error_set(error, STATUS_USAGE,
                                              "the script of the simulated devices gives %s a rate for '%s', which is "
                                              "not one of its %s",
                                              source->name, label,
                                              kind == BACKEND_COUNTER_OUTCOME ? "outcomes" : "void reasons");
    return STATUS_OK;
}

static enum status plan_counters(const struct simulated_session *session, const struct backend_source *source,
                                 struct simulated_program *program, struct error *error)
{
    const struct script_test *test = script_find(&session->script, session->device, source->name);
    bool has_outcome = false;
    if (test && strcmp(test->pattern, source->name) == 0) {
        TRY(check_labels(source, test->outcomes, BACKEND_COUNTER_OUTCOME, error));
        TRY(check_labels(source, test->weights, BACKEND_COUNTER_OUTCOME, error));
        TRY(check_labels(source, test->voids, BACKEND_COUNTER_VOID, error));
    }
    program->variation = test ? test->variation : 0;
    program->kept = test ? (enum kept)test->kept : TEST_NOT_INSPECTED;
    program->kept_reason = memory_copy(test && test->kept_reason             ? test->kept_reason
                                       : program->kept == TEST_NOT_INSPECTED ? "a simulated device cannot compile code"
                                                                             : "");
    program->test = memory_copy(source->name);
    program->counters = memory_take(source->counter_count, sizeof *program->counters);
    for (size_t i = 0; i < source->counter_count; i++) {
        program->counters[program->count++] = script_counter_of(&source->counters[i], test);
        has_outcome |= source->counters[i].kind == BACKEND_COUNTER_OUTCOME;
    }
    if (source->counter_count > 0 && !has_outcome)
        return error_set(error, STATUS_UNSUPPORTED,
                         "a simulated device cannot play %s: it has too many outcomes for one counter each",
                         source->name);
    return STATUS_OK;
}

/* The code of a kernel is its text. */
static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, UNUSED struct error *error)
{
    if (source->code)
        text_add_bytes(&code->bytes, source->code, source->code_size);
    else
        text_add(&code->bytes, "%s", source->kernel);
    code->portable = code->bytes.size;
    driver_copy(code->compiler, sizeof code->compiler, simulated_session(opened)->device->device.compiler);
    return STATUS_OK;
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, UNUSED struct text *binary,
                                struct error *error)
{
    struct simulated_session *session = simulated_session(opened);
    struct fault_effect effect;
    const struct fault_point point = {
        .phase = SCRIPT_BUILD, .device = session->device->device.index, .test = source->name};
    if (source->code && source->kernel && strcmp(source->code, source->kernel) != 0)
        return error_set(error, STATUS_BUILD_FAILED, "the cached code of %s belongs to another kernel", source->name);
    TRY(meet_faults(session, &point, &effect, log, error));
    return plan_counters(session, source, simulated_program(built), error);
}

/* Devices and tests draw differently from one seed, so that two devices never agree by an accident of simulation. Equal
 * devices do agree, so that a test's result does not depend on which of them ran it. */
static uint64_t stream_of(const struct simulated_session *session, const struct simulated_program *program)
{
    const struct backend_device *device = &session->device->device;
    const char *const texts[] = {program->test, device->name, device->driver};
    uint64_t hash = 0;
    for (size_t i = 0; i < COUNT(texts); i++)
        for (const char *c = texts[i];; c++) {
            hash = random_mix(hash ^ (unsigned char)*c);
            if (!*c)
                break;
        }
    return hash;
}

/* The rates of this batch: the script's rates, varied for each outcome; outcomes without a rate share the rest. */
static void draw_rates(const struct simulated_program *program, struct random *random, double *rates)
{
    double voids = 0, outcomes = 0, weights = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct script_counter *counter = &program->counters[i];
        const json_t *instead =
            counter->kind == BACKEND_COUNTER_OUTCOME ? json_object_get(program->effect.rates, counter->label) : NULL;
        rates[i] = instead ? json_number_value(instead) : counter->rate;
        if (counter->kind == BACKEND_COUNTER_OUTCOME && rates[i] > 0)
            rates[i] *= sample_factor(random, program->variation);
        *(counter->kind == BACKEND_COUNTER_VOID ? &voids : &outcomes) += rates[i];
        weights += counter->weight;
    }
    /* If all outcomes have rates, or variation took their sum above 1, they fill what the voids leave. */
    const bool fills = outcomes > 0 && (weights <= 0 || voids + outcomes > 1);
    const double scale = fills ? (1 - voids) / outcomes : 1;
    const double rest = fills ? 0 : 1 - voids - outcomes;
    for (size_t i = 0; i < program->count; i++) {
        const struct script_counter *counter = &program->counters[i];
        if (counter->kind == BACKEND_COUNTER_OUTCOME)
            rates[i] = rates[i] * scale + (counter->weight > 0 && rest > 0 ? rest * counter->weight / weights : 0);
    }
}

/* Unordered launches overlap, unless the script says that they do not; a fault makes launches overlap in any case. */
static uint64_t count_liveness(const struct simulated_program *program, const struct script_counter *counter,
                               const struct backend_launch *launch)
{
    const bool overlaps = program->beside || program->effect.wrong == SCRIPT_OVERLAP;
    if (strcmp(counter->label, BATCH_OVERLAPPED) == 0)
        return counter->dead || !overlaps ? 0 : launch->groups;
    return counter->dead ? 0 : 1 + launch->instances / 1024;
}

/* Writes the counts of one batch to the counters, which are zero. */
static enum status fill_counters(const struct simulated_session *session, const struct simulated_program *program,
                                 const struct backend_launch *launch, uint64_t *counts, struct error *error)
{
    const bool zero = session->wedged || program->effect.wrong == SCRIPT_ZERO;
    bool surplus = program->effect.wrong == SCRIPT_SUM;
    for (size_t i = 0; i < program->count && !zero; i++) {
        const struct script_counter *counter = &program->counters[i];
        if (counter->kind == BACKEND_COUNTER_LIVENESS)
            counts[i] = count_liveness(program, counter, launch);
        else if (counter->kind == BACKEND_COUNTER_OUTCOME && surplus) {
            counts[i]++;
            surplus = false;
        }
        if (counter->index >= launch->read_words || counts[i] > UINT32_MAX)
            return error_set(error, STATUS_INTERNAL,
                             "the simulated device cannot count %llu in counter %u of %zu for %s",
                             (unsigned long long)counts[i], counter->index, launch->read_words, program->test);
        launch->counters[counter->index] = (uint32_t)counts[i];
    }
    return STATUS_OK;
}

static enum status answer_launch(const struct simulated_session *session, const struct simulated_program *program,
                                 const struct backend_launch *launch, struct error *error)
{
    struct random random = random_start(launch->seed, stream_of(session, program), launch->batch, 0);
    FREED double *rates = memory_take(program->count, sizeof *rates);
    FREED uint64_t *counts = memory_take(program->count, sizeof *counts);
    memset(launch->counters, 0, launch->read_words * sizeof *launch->counters);
    draw_rates(program, &random, rates);
    sample_split(&random, launch->instances, rates, counts, program->count);
    return fill_counters(session, program, launch, counts, error);
}

static enum status simulated_answer(struct simulated_session *session, struct simulated_program *program,
                                    const struct backend_launch *launch, double *seconds, struct error *error)
{
    const double start = clock_seconds(), speed = session->device->instances_per_second;
    if (session->lost)
        return error_set(error, STATUS_DEVICE_LOST, "simulated:%u was lost before", session->device->device.index);
    if (launch->read_words > 0)
        TRY(answer_launch(session, program, launch, error));
    *seconds = speed > 0 ? (launch->read_words > 0 ? (double)launch->instances / speed : 0) : clock_seconds() - start;
    return STATUS_OK;
}

/* A batch of several steps meets its faults in the first step, and gets its counters in the step that reads them. */
static enum status launch_program(struct backend_session *opened, struct backend_program *built,
                                  const struct backend_launch *launch, double *seconds, struct error *error)
{
    struct simulated_session *session = simulated_session(opened);
    struct simulated_program *program = simulated_program(built);
    const double start = clock_seconds();
    const struct fault_point point = {
        .phase = SCRIPT_BATCH, .device = session->device->device.index, .test = program->test, .batch = launch->batch};
    if (launch->clear_counters)
        TRY(meet_faults(session, &point, &program->effect, NULL, error));
    const double met = clock_seconds() - start;
    TRY(simulated_answer(session, program, launch, seconds, error));
    *seconds += session->device->instances_per_second > 0 ? program->effect.slow_seconds : met;
    return STATUS_OK;
}

/* No kernel runs, so the order of the steps only decides whether they overlap. The first launch of the batch has met
 * its faults. */
static enum status play_program(struct backend_session *opened, struct backend_program *built,
                                const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                                double *seconds, struct error *error)
{
    struct simulated_session *session = simulated_session(opened);
    struct simulated_program *program = simulated_program(built);
    struct steps_plan plan;
    *seconds = 0;
    TRY(steps_plan(&session->device->device, launch, steps, count, &plan, error));
    /* Steps of a member may be ordered by steps of others, which it does not know. */
    program->beside = launch->memory_address != 0 ? launch->beside : plan.beside;
    return simulated_answer(session, program, launch, seconds, error);
}

/* No kernel runs, so nobody accesses the memory; only whether it can be had matters. */
static enum status check_sharing(const struct simulated_session *session, struct error *error)
{
    if (session->device->shares)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED, "simulated:%u (%s) cannot share memory, as its script says",
                     session->device->device.index, session->device->device.name);
}

static enum status share_memory(struct backend_session *opened, size_t bytes, struct backend_shared *shared,
                                struct error *error)
{
    struct simulated_session *session = simulated_session(opened);
    *shared = (struct backend_shared){0};
    TRY(check_sharing(session, error));
    void *host = host_memory_take(bytes);
    if (!host)
        return driver_buffer_refused(&session->device->device, DRIVER_MEMORY, bytes / sizeof(uint32_t), "out of memory",
                                     error);
    *shared = (struct backend_shared){.owner = &simulated_backend,
                                      .index = session->device->device.index,
                                      .host = host,
                                      .address = (uint64_t)(uintptr_t)host,
                                      .bytes = bytes,
                                      .handle = session};
    return STATUS_OK;
}

static enum status reach_memory(struct backend_session *opened, const struct backend_shared *shared, uint64_t *address,
                                struct error *error)
{
    TRY(check_sharing(simulated_session(opened), error));
    *address = shared->address;
    return STATUS_OK;
}

static bool describe_link(struct backend_session *opened, UNUSED const struct backend_shared *shared, struct text *text)
{
    const bool native = simulated_session(opened)->device->native_atomics;
    text_add(text, "host memory%s", native ? "" : ", no native atomics");
    return native;
}

static void forget_memory(struct backend_session *opened, const struct backend_shared *shared)
{
    if (shared->handle == simulated_session(opened))
        host_memory_release(shared->host, shared->bytes);
}

static unsigned simulated_group_limit(struct backend_session *opened, UNUSED struct backend_program *built)
{
    return simulated_session(opened)->device->group_limit;
}

static unsigned count_resident(struct backend_session *opened, struct backend_program *built, unsigned member,
                               unsigned group_size, unsigned cluster_groups, size_t local_bytes)
{
    (void)built, (void)member, (void)group_size, (void)cluster_groups, (void)local_bytes;
    return simulated_session(opened)->device->resident;
}

static enum kept invent_kept(struct backend_session *opened, struct backend_program *built, unsigned member,
                             struct text *reason)
{
    struct simulated_program *program = simulated_program(built);
    (void)opened, (void)member;
    text_add(reason, "%s", program->kept_reason);
    return program->kept;
}

static void observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    *circumstances = simulated_session(opened)->device->circumstances;
}

static void explain_script(struct text *text)
{
    const char *path = getenv("ORCHIL_SIMULATED");
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    text_add(text, "Simulated\n");
    if (!path || !path[0]) {
        text_add(text, "  one default device; ORCHIL_SIMULATED is not set\n");
        return;
    }
    if (list_devices(&devices, &count, &error) != STATUS_OK) {
        terminal_add(text, "  no device: %s\n", error.text);
        return;
    }
    text_add(text, "  script: %s; devices: %zu\n", path, count);
    free(devices);
}

static bool is_offered(void)
{
    return getenv("ORCHIL_SIMULATED");
}

const struct backend simulated_backend = {
    .offered = is_offered,
    .name = "simulated",
    .title = "Simulated",
    .prelude = "",
    .list = list_devices,
    .session_size = sizeof(struct simulated_session),
    .start = start_session,
    .compile = compile_kernel,
    .compiles_ahead = driver_always,
    .invents_seconds = true,
    .source_suffix = "txt",
    .code_suffix = "code",
    .program_size = sizeof(struct simulated_program),
    .fill = fill_program,
    .launch = launch_program,
    .play = play_program,
    .relays_events = true,
    .share = share_memory,
    .reach = reach_memory,
    .forget = forget_memory,
    .describe_link = describe_link,
    .zero_shared = driver_zero_host_memory,
    .group_limit = simulated_group_limit,
    .resident = count_resident,
    .observe = observe_device,
    .invent_kept = invent_kept,
    .release = release_program,
    .close = close_session,
    .explain = explain_script,
};
