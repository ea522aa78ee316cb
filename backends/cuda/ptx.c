// SPDX-License-Identifier: Apache-2.0
/* The stamps of PTX, what of it no driver needs, and the driver's own compiler and loader. */
#include "backends/cuda/ptx.h"

/* ---- stamps ---- */

/* ---- releases ---- */

/* The version of PTX that came with each CUDA (PTX ISA, release history), oldest first. */
static const struct {
    int cuda; /* as from cuDriverGetVersion */
    unsigned version;
} releases[] = {
    {11000, 70}, {11010, 71}, {11020, 72}, {11030, 73}, {11040, 74}, {11050, 75}, {11060, 76},
    {11070, 77}, {11080, 78}, {12000, 80}, {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84},
    {12050, 85}, {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90}, {13010, 91},
};

unsigned cuda_ptx_newest(int driver_version)
{
    unsigned version = 0;
    for (size_t i = 0; i < COUNT(releases) && releases[i].cuda <= driver_version; i++)
        version = releases[i].version;
    /* Each CUDA reads all versions that its predecessors read; one newer than the table reads more than the table
     * says. */
    return driver_version >= releases[COUNT(releases) - 1].cuda + 10 ? 0 : version;
}

int cuda_ptx_release(unsigned version)
{
    return VALUE_OF(int, release, releases, COUNT(releases), release->version >= version, release->cuda, 0);
}

/* ---- stamps ---- */

/* Finds the text after a directive at the start of a line, and its length; NULL if there is none. */
static const char *find_stamp(const char *ptx, const char *directive, size_t *length)
{
    const size_t size = strlen(directive);
    for (const char *at = ptx; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (strncmp(at, directive, size) != 0 || (at[size] != ' ' && at[size] != '\t'))
            continue;
        at += size + strspn(at + size, " \t");
        *length = strcspn(at, " \t\r\n,/");
        return *length > 0 ? at : NULL;
    }
    return NULL;
}

unsigned cuda_ptx_version(const char *ptx)
{
    size_t length;
    unsigned major, minor;
    const char *at = find_stamp(ptx, ".version", &length);
    return at && sscanf(at, "%3u.%1u", &major, &minor) == 2 ? 10 * major + minor : 0;
}

unsigned cuda_ptx_target(const char *ptx)
{
    size_t length;
    unsigned target;
    const char *at = find_stamp(ptx, ".target", &length);
    return at && sscanf(at, "sm_%4u", &target) == 1 ? target : 0;
}

/* The greatest number of two digits or more after these words anywhere in the log, "8.6" as 86; 0: none. */
static unsigned find_required(const char *log, const char *words)
{
    unsigned greatest = 0, major, minor;
    for (const char *at = log; (at = strstr(at, words)) != NULL;) {
        at += strlen(words);
        const int read = sscanf(at, "%4u.%1u", &major, &minor);
        const unsigned number = read == 2 ? 10 * major + minor : read == 1 ? major : 0;
        greatest = number > greatest ? number : greatest;
    }
    return greatest;
}

void cuda_ptx_require(const char *log, unsigned *version, unsigned *target)
{
    const unsigned required = find_required(log, "requires PTX ISA .version ");
    const unsigned architecture = find_required(log, "requires .target sm_");
    *version = required > *version ? required : *version;
    *target = architecture > *target ? architecture : *target;
}

/* Appends lines without those that tell the assembler which bytes of a vector load are used. They do not change the
 * meaning of the load, and drivers before PTX 8.3 refuse them. */
static void add_without_hints(const char *ptx, struct text *bare)
{
    static const char hint[] = ".pragma \"used_bytes_mask ";
    while (*ptx) {
        const size_t line = strcspn(ptx, "\n"), length = line + (ptx[line] == '\n');
        if (strncmp(ptx + strspn(ptx, " \t"), hint, sizeof hint - 1) != 0)
            text_add_bytes(bare, ptx, length);
        ptx += length;
    }
}

void cuda_ptx_stamp(const char *ptx, int driver_version, unsigned target, struct text *stamped)
{
    size_t version_length, target_length;
    const char *version_at = find_stamp(ptx, ".version", &version_length);
    const char *target_at = find_stamp(ptx, ".target", &target_length);
    const unsigned own = cuda_ptx_version(ptx), newest = cuda_ptx_newest(driver_version);
    const unsigned last = releases[COUNT(releases) - 1].version, at_least = own > last ? own : last;
    const unsigned version = newest > 0 ? newest : at_least;
    if (driver_version < releases[0].cuda || own == 0 || cuda_ptx_target(ptx) == 0 || version_at > target_at) {
        add_without_hints(ptx, stamped);
        return;
    }
    text_add_bytes(stamped, ptx, (size_t)(version_at - ptx));
    text_add(stamped, "%u.%u", version / 10, version % 10);
    text_add_bytes(stamped, version_at + version_length, (size_t)(target_at - version_at) - version_length);
    text_add(stamped, "sm_%u", target);
    add_without_hints(target_at + target_length, stamped);
}

/* ---- unused variables ---- */

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Whether the text contains the word outside this line. */
static bool ptx_is_named(const char *ptx, const char *line, size_t line_size, const char *word, size_t size)
{
    for (const char *at = ptx; (at = memmem(at, strlen(at), word, size)) != NULL; at += size)
        if ((at < line || at >= line + line_size) && !is_of_name(at[size]) && (at == ptx || !is_of_name(at[-1])))
            return true;
    return false;
}

/* Whether a line declares an unused variable: in ".global .align 4 .u32 NAME = 3;" the name is the word before "=", "["
 * or ";". */
static bool is_unused(const char *ptx, const char *line, size_t line_size)
{
    static const char start[] = ".global ";
    if (line_size < sizeof start || strncmp(line, start, sizeof start - 1) != 0)
        return false;
    size_t end = strcspn(line, "=[;\n");
    while (end > 0 && line[end - 1] == ' ')
        end--;
    size_t first = end;
    while (first > 0 && is_of_name(line[first - 1]))
        first--;
    return line[line_size - 1] == ';' && end > first && !ptx_is_named(ptx, line, line_size, line + first, end - first);
}

void cuda_ptx_drop_unused(const char *ptx, struct text *kept)
{
    for (const char *line = ptx; *line;) {
        const size_t size = strcspn(line, "\n"), with_end = size + (line[size] != '\0');
        if (!is_unused(ptx, line, size))
            text_add_bytes(kept, line, with_end);
        line += with_end;
    }
}

/* ---- the driver's compiler ---- */

/* The driver's own compiler and loader, and why they refused PTX: its version, its target, or its content. */

enum { JIT_LOG_SIZE = 64 * 1024, CODE_ALIGNMENT = 16 /* bytes */ };

static unsigned capability_of(const struct backend_device *device)
{
    unsigned capability;
    return sscanf(device->architecture, "sm_%4u", &capability) == 1 ? capability : 0;
}

enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error)
{
    const struct backend_device *device = refusal->device;
    unsigned version = cuda_ptx_version(refusal->ptx), target = cuda_ptx_target(refusal->ptx);
    const unsigned newest = cuda_ptx_newest(refusal->driver_version), capability = capability_of(device);
    char reads[64] = "older versions only", wanted[64];
    cuda_ptx_require(refusal->log, &version, &target);
    if (capability > 0 && target > capability)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the PTX of %s needs sm_%u or later, but cuda:%u (%s) is sm_%u (driver %s: %s)", refusal->test,
                         target, device->index, device->name, capability, device->driver, refusal->code_name);
    if (newest > 0)
        (void)snprintf(reads, sizeof reads, "PTX up to %u.%u", newest / 10, newest % 10);
    const int release = cuda_ptx_release(version);
    if (release > 0)
        (void)snprintf(wanted, sizeof wanted, "a driver of CUDA %d.%d or later", release / 1000, release % 1000 / 10);
    else
        (void)snprintf(wanted, sizeof wanted, "a newer driver");
    if (refusal->code == CUDA_REFUSAL_OF_VERSION || (newest > 0 && version > newest))
        return error_set(error, STATUS_UNSUPPORTED,
                         "the PTX of %s needs version %u.%u, but the driver %s of cuda:%u (%s), CUDA %d.%d, reads %s "
                         "(%s); install %s",
                         refusal->test, version / 10, version % 10, device->driver, device->index, device->name,
                         refusal->driver_version / 1000, refusal->driver_version % 1000 / 10, reads, refusal->code_name,
                         wanted);
    return error_set(error, STATUS_BUILD_FAILED,
                     "the driver %s of cuda:%u (%s) refused the PTX of %s (version %u.%u, sm_%u): %s", device->driver,
                     device->index, device->name, refusal->test, version / 10, version % 10, target,
                     refusal->code_name);
}

/* The logs of the driver's compiler, and the options that request them and line information. */
struct jit_log {
    char *informed, *failed;
    unsigned options[5];
    void *values[5];
};

static void jit_log_open(struct jit_log *log)
{
    log->informed = memory_take(2, JIT_LOG_SIZE);
    log->failed = log->informed + JIT_LOG_SIZE;
    const unsigned options[] = {CUDA_JIT_INFO_LOG, CUDA_JIT_INFO_LOG_SIZE, CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_SIZE,
                                CUDA_JIT_LINES};
    /* The driver takes numbers in place of pointers. */
    void *const values[] = {log->informed, (void *)(size_t)(JIT_LOG_SIZE - 1), log->failed,
                            (void *)(size_t)(JIT_LOG_SIZE - 1), (void *)(size_t)1};
    memcpy(log->options, options, sizeof options);
    memcpy(log->values, values, sizeof values);
}

/* The result of a call of the driver's compiler or loader for that PTX. */
static enum status jit_status(const struct cuda_jit_of *of, const char *ptx, const char *call, unsigned code,
                              const struct jit_log *log, struct error *error)
{
    if (code == 0)
        return STATUS_OK;
    if (!cuda_error_is_refusal(code))
        return gpu_call_failed(of->driver, of->device, call, code, error);
    const struct cuda_refusal refusal = {.test = of->test,
                                         .ptx = ptx,
                                         .log = log->failed,
                                         .device = of->device,
                                         .driver_version = of->driver->version,
                                         .code = code,
                                         .code_name = gpu_error_name(of->driver, code)};
    const enum status status = cuda_refused(&refusal, error);
    error_set_detail(error, log->failed);
    return status;
}

/* After a NUL, and aligned, because drivers read it as words. */
size_t cuda_machine_code_offset(size_t ptx)
{
    return (ptx / CODE_ALIGNMENT + 1) * CODE_ALIGNMENT;
}

enum status cuda_assemble(const struct cuda_jit_of *of, struct text *code, struct text *log, struct error *error)
{
    struct CUlinkState_st *state = NULL;
    struct jit_log jit;
    void *machine_code = NULL;
    size_t size = 0;
    jit_log_open(&jit);
    unsigned result = of->driver->cuLinkCreate(COUNT(jit.options), jit.options, jit.values, &state);
    if (result == 0)
        result =
            of->driver->cuLinkAddData(state, CUDA_JIT_INPUT_PTX, code->data, code->size + 1, of->test, 0, NULL, NULL);
    if (result == 0)
        result = of->driver->cuLinkComplete(state, &machine_code, &size);
    text_add(log, "%s%s", jit.informed, jit.failed);
    const enum status status = jit_status(of, text_string(code), "the PTX compiler", result, &jit, error);
    if (status == STATUS_OK) {
        static const char padding[CODE_ALIGNMENT] = {0};
        text_add_bytes(code, padding, cuda_machine_code_offset(code->size) - code->size);
        text_add_bytes(code, machine_code, size); /* it is freed with the state */
    }
    if (state)
        (void)of->driver->cuLinkDestroy(state);
    free(jit.informed);
    return status;
}

enum status cuda_load(const struct cuda_jit_of *of, const char *ptx, const char *image, struct CUmod_st **module,
                      struct text *log, struct error *error)
{
    struct jit_log jit;
    jit_log_open(&jit);
    const unsigned code = of->driver->cuModuleLoadDataEx(module, image, COUNT(jit.options), jit.options, jit.values);
    text_add(log, "%s%s", jit.informed, jit.failed);
    const enum status status = jit_status(of, ptx, "cuModuleLoadDataEx", code, &jit, error);
    if (status != STATUS_OK)
        *module = NULL;
    free(jit.informed);
    return status;
}
