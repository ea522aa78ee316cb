// SPDX-License-Identifier: Apache-2.0
/* Faults, and the file that records them. */
#include "backends/simulated/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"

enum {
    LOOK_MILLISECONDS = 5,      /* between reads of the state, while waiting for other devices */
    MAXIMUM_STATE = 1024 * 1024 /* bytes */
};

/*
 * The state file: {"fired": {"0": 2}, "wedged": [1], "came": {"1": {"0": true}}}: how often each
 * fault with `times`, `after` or `wedged` was met, by its position in the script; the devices that
 * are wedged; the devices that have come to each `await`. Locked while it is open, since workers
 * run at the same time.
 */
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

enum status faults_wedged(const struct script *script, unsigned device, bool *wedged, struct error *error)
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
    char key[32];
    enum status status = STATUS_OK;
    *happens = true;
    if (fault->times < 0 && fault->after == 0 && !fault->wedged)
        return STATUS_OK;
    TRY(state_open(script->state, &state, error));
    (void)snprintf(key, sizeof key, "%zu", index);
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
    char fault[32], name[32];
    TRY(state_open(script->state, &state, error));
    (void)snprintf(fault, sizeof fault, "%zu", index);
    (void)snprintf(name, sizeof name, "%u", device);
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

static void print_lines(const struct script_fault *fault)
{
    for (size_t i = 0; i < json_array_size(fault->lines); i++)
        (void)fprintf(stderr, "%s\n", json_string_value(json_array_get(fault->lines, i)));
    (void)fflush(stderr);
}

/* Replaces this program by another one, which keeps its open files. */
static enum status become(const json_t *command, struct error *error)
{
    const size_t count = json_array_size(command);
    const char **arguments = memory_take(count + 1, sizeof *arguments);
    for (size_t i = 0; i < count; i++)
        arguments[i] = json_string_value(json_array_get(command, i));
    (void)execvp(arguments[0], (char *const *)(uintptr_t)arguments); /* which does not change them */
    const enum status status =
        error_set(error, STATUS_SYSTEM, "the simulated device cannot run %s: %s", arguments[0], strerror(errno));
    free(arguments);
    return status;
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
        print_lines(fault);
        crash(fault->how);
    case SCRIPT_CRASH:
        crash(fault->how);
    case SCRIPT_LOST:
        return error_set(error, STATUS_DEVICE_LOST, "simulated:%u was lost: its script says so", point->device);
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
        return become(fault->command, error);
    case SCRIPT_AWAIT:
        return await_others(script, index, point->device, error);
    default:
        return STATUS_OK;
    }
}

enum status faults_meet(const struct script *script, const struct fault_point *point, struct fault_effect *effect,
                        struct text *log, struct error *error)
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
