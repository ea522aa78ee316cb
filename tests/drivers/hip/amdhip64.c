// SPDX-License-Identifier: Apache-2.0
/*
 * HIP's runtime and HIPRTC for tests of backends/hip without an AMD GPU: a shared library that compiles kernels with
 * this machine's C++ compiler and runs each work-item on a thread of the host. ORCHIL_HIP names it. Calls are made when
 * they are given: a launch has ended when it returns, so streams and events only have to exist.
 *
 * ORCHIL_HIP_FAULT names a file with one line, "CALL N WHAT": the N-th call of that function, counted in this process
 * from 1, fails. WHAT: a code, which it returns; `hang`; or `crash`. The file is removed before that, so that the next
 * process has no fault. After a code that means a lost device, all calls fail with it.
 *
 * ORCHIL_HIP_APART: nanoseconds by which the clock of each work-group is ahead of that of the group before it.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/drivers/hip/words.h"

enum { DEVICES = 2, UNITS = 2, GROUPS_PER_UNIT = 1, LARGEST_GROUP = 16, WAVE = 4, LOCAL_BYTES = 65536 };
enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, NOT_FOUND = 500, FIRST_LOSS = 700 };
enum { GRANULARITY = 65536, PARAMETERS = 4 };

/* ---- faults ---- */

static pthread_mutex_t fault_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned lost; /* the code that all calls return */

static unsigned carry_out(const char *what)
{
    if (strcmp(what, "crash") == 0)
        abort();
    while (strcmp(what, "hang") == 0)
        pause();
    const unsigned code = (unsigned)strtoul(what, NULL, 10);
    if (code >= FIRST_LOSS && code != 704 && code != 712)
        lost = code;
    return code;
}

/* The code with which this call fails, or 0. */
static unsigned fault_of(const char *call)
{
    static char wanted[64], what[16];
    static unsigned at, calls;
    static bool is_read;
    const char *path = getenv("ORCHIL_HIP_FAULT");
    pthread_mutex_lock(&fault_lock);
    FILE *file = path && !is_read ? fopen(path, "r") : NULL;
    is_read = true;
    if (file) {
        if (fscanf(file, "%63s %u %15s", wanted, &at, what) != 3)
            at = 0;
        (void)fclose(file);
    }
    const bool now = at > 0 && strcmp(call, wanted) == 0 && ++calls == at;
    pthread_mutex_unlock(&fault_lock);
    if (!now)
        return lost;
    (void)unlink(path);
    return carry_out(what);
}

#define CALL()                                                                                                         \
    do {                                                                                                               \
        const unsigned fault = fault_of(__func__);                                                                     \
        if (fault != 0)                                                                                                \
            return fault;                                                                                              \
    } while (0)

/* ---- devices ---- */

#define EXPORT __attribute__((visibility("default")))
typedef struct handle *handle;

EXPORT unsigned hipInit(unsigned flags)
{
    CALL();
    return flags;
}

EXPORT unsigned hipDriverGetVersion(int *version)
{
    CALL();
    *version = 60241134;
    return 0;
}

EXPORT const char *hipGetErrorName(unsigned code)
{
    static const struct {
        unsigned code;
        const char *name;
    } names[] = {{INVALID_VALUE, "hipErrorInvalidValue"},
                 {OUT_OF_MEMORY, "hipErrorOutOfMemory"},
                 {100, "hipErrorNoDevice"},
                 {INVALID_IMAGE, "hipErrorInvalidImage"},
                 {209, "hipErrorNoBinaryForGpu"},
                 {NOT_FOUND, "hipErrorNotFound"},
                 {700, "hipErrorIllegalAddress"},
                 {702, "hipErrorLaunchTimeOut"},
                 {719, "hipErrorLaunchFailure"},
                 {999, "hipErrorUnknown"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].name;
    return "hipErrorOther";
}

EXPORT unsigned hipGetDeviceCount(int *count)
{
    CALL();
    *count = DEVICES;
    return 0;
}

EXPORT unsigned hipDeviceGet(int *device, int index)
{
    CALL();
    *device = index;
    return index < DEVICES ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipDeviceGetName(char *name, int size, int device)
{
    CALL();
    (void)snprintf(name, (size_t)size, "a GPU of threads, number %d", device);
    return 0;
}

EXPORT unsigned hipDeviceGetUuid(unsigned char *uuid, int device)
{
    CALL();
    memset(uuid, 'a' + device, 16);
    return 0;
}

EXPORT unsigned hipDeviceTotalMem(size_t *bytes, int device)
{
    CALL();
    *bytes = (size_t)1 << 30;
    return (unsigned)device & 0;
}

EXPORT unsigned hipDeviceGetPCIBusId(char *name, int size, int device)
{
    CALL();
    (void)snprintf(name, (size_t)size, "0000:%02x:00.0", device + 1);
    return 0;
}

EXPORT unsigned hipDeviceGetAttribute(int *value, unsigned attribute, int device)
{
    static const struct {
        unsigned attribute;
        int value;
    } values[] = {{56, LARGEST_GROUP}, {74, LOCAL_BYTES}, {87, WAVE}, {63, UNITS}, {19, 1 << 20}, {15, 1}, {89, 1}};
    CALL();
    (void)device;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].attribute == attribute) {
            *value = values[i].value;
            return 0;
        }
    return INVALID_VALUE;
}

/* gcnArchName of hipDeviceProp_t since HIP 6. */
EXPORT unsigned hipGetDevicePropertiesR0600(char *properties, int device)
{
    CALL();
    (void)device;
    static const char processor[] = "gfx90a:sramecc+:xnack-";
    memcpy(properties + 1160, processor, sizeof processor);
    return 0;
}

/* ---- contexts, streams, events ---- */

static unsigned make_handle(handle *made)
{
    *made = calloc(1, 16);
    return *made ? 0 : OUT_OF_MEMORY;
}

EXPORT unsigned hipDevicePrimaryCtxRetain(handle *context, int device)
{
    static char contexts[DEVICES];
    CALL();
    *context = (handle)(void *)&contexts[device];
    return 0;
}

EXPORT unsigned hipDevicePrimaryCtxRelease(int device)
{
    CALL();
    return (unsigned)device & 0;
}

EXPORT unsigned hipCtxSetCurrent(handle context)
{
    CALL();
    return context ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipStreamCreateWithFlags(handle *stream, unsigned flags)
{
    CALL();
    return flags == 1 ? make_handle(stream) : INVALID_VALUE;
}

EXPORT unsigned hipEventCreateWithFlags(handle *event, unsigned flags)
{
    CALL();
    return flags == 2 ? make_handle(event) : INVALID_VALUE;
}

#define DESTROYS(name)                                                                                                 \
    EXPORT unsigned name(handle destroyed)                                                                             \
    {                                                                                                                  \
        CALL();                                                                                                        \
        free(destroyed);                                                                                               \
        return 0;                                                                                                      \
    }
DESTROYS(hipStreamDestroy)
DESTROYS(hipEventDestroy)

#define WAITS(name)                                                                                                    \
    EXPORT unsigned name(handle awaited)                                                                               \
    {                                                                                                                  \
        CALL();                                                                                                        \
        return awaited ? 0 : INVALID_VALUE;                                                                            \
    }
WAITS(hipStreamSynchronize)
WAITS(hipEventSynchronize)

EXPORT unsigned hipEventRecord(handle event, handle stream)
{
    CALL();
    return event && stream ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipStreamWaitEvent(handle stream, handle event, unsigned flags)
{
    CALL();
    return stream && event && flags == 0 ? 0 : INVALID_VALUE;
}

/* ---- memory ---- */

EXPORT unsigned hipMalloc(void **address, size_t bytes)
{
    CALL();
    *address = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *address ? 0 : OUT_OF_MEMORY;
}

EXPORT unsigned hipExtMallocWithFlags(void **address, size_t bytes, unsigned flags)
{
    CALL();
    *address = flags == 1 ? aligned_alloc(256, (bytes + 255) / 256 * 256) : NULL;
    return *address ? 0 : OUT_OF_MEMORY;
}

EXPORT unsigned hipFree(void *address)
{
    CALL();
    free(address);
    return 0;
}

EXPORT unsigned hipMemsetD32Async(uint32_t *address, int word, size_t words, handle stream)
{
    CALL();
    for (size_t i = 0; i < words; i++)
        address[i] = (uint32_t)word;
    return stream ? 0 : INVALID_VALUE;
}

#define COPIES(name)                                                                                                   \
    EXPORT unsigned name(void *to, const void *from, size_t bytes, handle stream)                                      \
    {                                                                                                                  \
        CALL();                                                                                                        \
        memcpy(to, from, bytes);                                                                                       \
        return stream ? 0 : INVALID_VALUE;                                                                             \
    }
COPIES(hipMemcpyHtoDAsync)
COPIES(hipMemcpyDtoHAsync)
COPIES(hipMemcpyDtoDAsync)

EXPORT unsigned hipDeviceCanAccessPeer(int *can, int device, int peer)
{
    CALL();
    *can = device != peer;
    return 0;
}

EXPORT unsigned hipDeviceGetP2PAttribute(int *value, unsigned attribute, int device, int peer)
{
    CALL();
    *value = attribute == 2 && device != peer;
    return 0;
}

EXPORT unsigned hipCtxEnablePeerAccess(handle peer, unsigned flags)
{
    CALL();
    return peer && flags == 0 ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipHostRegister(void *memory, size_t bytes, unsigned flags)
{
    CALL();
    return memory && bytes > 0 && flags == 3 ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipHostUnregister(void *memory)
{
    CALL();
    return memory ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipHostGetDevicePointer(void **address, void *memory, unsigned flags)
{
    CALL();
    *address = memory;
    return flags;
}

/* ---- memory with several addresses: a handle is a file, from 1 ---- */

EXPORT unsigned hipMemGetAllocationGranularity(size_t *granularity, const void *property, unsigned option)
{
    CALL();
    *granularity = GRANULARITY;
    return property && option == 0 ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipMemCreate(uintptr_t *memory, size_t bytes, const void *property, unsigned long long flags)
{
    CALL();
    const int file = memfd_create("hip", MFD_CLOEXEC);
    if (!property || flags != 0 || file < 0 || ftruncate(file, (off_t)bytes) != 0)
        return OUT_OF_MEMORY;
    *memory = (uintptr_t)file + 1;
    return 0;
}

EXPORT unsigned hipMemRelease(uintptr_t memory)
{
    CALL();
    return close((int)memory - 1) == 0 ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipMemAddressReserve(void **address, size_t bytes, size_t alignment, void *hint,
                                     unsigned long long flags)
{
    CALL();
    (void)alignment, (void)hint, (void)flags;
    *address = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return *address != MAP_FAILED ? 0 : OUT_OF_MEMORY;
}

EXPORT unsigned hipMemAddressFree(void *address, size_t bytes)
{
    CALL();
    return munmap(address, bytes) == 0 ? 0 : INVALID_VALUE;
}

EXPORT unsigned hipMemMap(void *address, size_t bytes, size_t offset, uintptr_t memory, unsigned long long flags)
{
    CALL();
    return flags == 0 &&
                   mmap(address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, (int)memory - 1, (off_t)offset) == address
               ? 0
               : INVALID_VALUE;
}

EXPORT unsigned hipMemUnmap(void *address, size_t bytes)
{
    CALL();
    return mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == address ? 0
                                                                                                      : INVALID_VALUE;
}

EXPORT unsigned hipMemSetAccess(void *address, size_t bytes, const void *access, size_t count)
{
    CALL();
    return access && count == 1 && mprotect(address, bytes, PROT_READ | PROT_WRITE) == 0 ? 0 : INVALID_VALUE;
}

/* ---- modules ---- */

typedef void kernel_function(const uint32_t *draw, uint32_t *memory, uint32_t *scratch, uint32_t *counters);
typedef void enter_function(const struct stub_item *item);

struct kernel {
    kernel_function *run;
    enter_function *enter;
};

struct module {
    void *library;
    int file; /* that it was loaded from */
    struct kernel kernel;
};

/* The image of an ELF file says how long it is: its table of sections is last. */
static size_t image_size(const unsigned char *image)
{
    uint64_t sections;
    uint16_t size, count;
    memcpy(&sections, image + 40, sizeof sections);
    memcpy(&size, image + 58, sizeof size);
    memcpy(&count, image + 60, sizeof count);
    return (size_t)sections + (size_t)size * count;
}

EXPORT unsigned hipModuleLoadDataEx(struct module **module, const void *image, unsigned count, unsigned *options,
                                    void **values)
{
    char path[64];
    CALL();
    (void)options, (void)values;
    const int file = memfd_create("kernel", MFD_CLOEXEC); /* open as long as the module, because dlopen goes by names */
    if (count > 0 || file < 0 || memcmp(image, "\177ELF", 4) != 0 ||
        write(file, image, image_size(image)) != (ssize_t)image_size(image))
        return INVALID_IMAGE;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    *module = calloc(1, sizeof **module);
    (*module)->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (*module)->file = file;
    if ((*module)->library)
        return 0;
    (void)close(file);
    free(*module);
    return INVALID_IMAGE;
}

EXPORT unsigned hipModuleUnload(struct module *module)
{
    CALL();
    (void)dlclose(module->library);
    (void)close(module->file);
    free(module);
    return 0;
}

EXPORT unsigned hipModuleGetFunction(struct kernel **kernel, struct module *module, const char *name)
{
    CALL();
    module->kernel.run = (kernel_function *)dlsym(module->library, name);
    module->kernel.enter = (enter_function *)dlsym(module->library, "stub_enter");
    *kernel = &module->kernel;
    return module->kernel.run && module->kernel.enter ? 0 : NOT_FOUND;
}

EXPORT unsigned hipModuleGetGlobal(void **address, size_t *bytes, struct module *module, const char *name)
{
    CALL();
    *address = dlsym(module->library, name);
    *bytes = SIZE_MAX; /* a symbol's size is not known here */
    return *address ? 0 : NOT_FOUND;
}

/* ---- launches ---- */

/* A work-item, and what those of its group share. */
struct running {
    struct stub_item item; /* the first member: kernels have its address */
    const struct kernel *kernel;
    void *const *arguments;
    pthread_barrier_t *all, *group, *wave;
};

static void meet_group(const struct stub_item *item)
{
    (void)pthread_barrier_wait(((const struct running *)(const void *)item)->group);
}

static void meet_wave(const struct stub_item *item)
{
    (void)pthread_barrier_wait(((const struct running *)(const void *)item)->wave);
}

/* An item that accesses no memory loses the device. */
static __thread sigjmp_buf out_of_kernel;

static void leave_kernel(int number)
{
    (void)number;
    lost = FIRST_LOSS;
    siglongjmp(out_of_kernel, 1);
}

static void *run_item(void *context)
{
    const struct running *running = context;
    void *const *a = running->arguments;
    running->kernel->enter(&running->item);
    (void)pthread_barrier_wait(running->all); /* groups wait for each other for a short time only */
    if (sigsetjmp(out_of_kernel, 1) == 0)
        running->kernel->run(a[0], a[1], a[2], a[3]);
    return NULL;
}

/* All items of a launch run at once: groups wait for each other. */
static unsigned run_launch(const struct kernel *kernel, unsigned groups, unsigned size, size_t local_bytes,
                           void *const *arguments)
{
    const unsigned waves = (size + WAVE - 1) / WAVE, count = groups * size;
    unsigned code = 0, started = 0;
    struct running *all = calloc(count, sizeof *all);
    pthread_t *threads = calloc(count, sizeof *threads);
    pthread_barrier_t *barriers = calloc((size_t)groups * (waves + 1), sizeof *barriers);
    uint32_t **local = calloc(groups, sizeof *local);
    pthread_barrier_t begin;
    pthread_attr_t small;
    (void)pthread_barrier_init(&begin, NULL, count);
    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, 256 * 1024);
    for (unsigned g = 0; g < groups; g++) {
        local[g] = calloc(local_bytes + 16, 1);
        pthread_barrier_t *own = &barriers[g * (waves + 1)];
        (void)pthread_barrier_init(own, NULL, size);
        for (unsigned w = 0; w < waves; w++)
            (void)pthread_barrier_init(&own[w + 1], NULL, size - w * WAVE < WAVE ? size - w * WAVE : WAVE);
        for (unsigned i = 0; i < size; i++)
            all[g * size + i] = (struct running){.item = {g, i, size, local[g], meet_group, meet_wave},
                                                 .kernel = kernel,
                                                 .arguments = arguments,
                                                 .all = &begin,
                                                 .group = own,
                                                 .wave = &own[i / WAVE + 1]};
    }
    const struct sigaction leave = {.sa_handler = leave_kernel};
    struct sigaction usual;
    (void)sigaction(SIGSEGV, &leave, &usual);
    for (; started < count && code == 0; started++)
        code = pthread_create(&threads[started], &small, run_item, &all[started]) == 0 ? 0 : OUT_OF_MEMORY;
    if (code != 0)
        abort(); /* items that have started wait for those that have not */
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    (void)sigaction(SIGSEGV, &usual, NULL);
    for (unsigned g = 0; g < groups; g++)
        free(local[g]);
    free(local);
    free(barriers);
    free(threads);
    free(all);
    (void)pthread_attr_destroy(&small);
    return code;
}

EXPORT unsigned hipModuleLaunchKernel(struct kernel *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned local_bytes,
                                      handle stream, void **parameters, void **extra)
{
    void *arguments[PARAMETERS];
    CALL();
    if (!stream || extra || grid_y * grid_z * block_y * block_z != 1 || block_x > LARGEST_GROUP ||
        local_bytes > LOCAL_BYTES)
        return INVALID_VALUE;
    for (unsigned i = 0; i < PARAMETERS; i++)
        arguments[i] = *(void **)parameters[i];
    return run_launch(kernel, grid_x, block_x, local_bytes, arguments);
}

EXPORT unsigned hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, struct kernel *kernel, int block_size,
                                                                   size_t local_bytes)
{
    CALL();
    *blocks = kernel && block_size <= LARGEST_GROUP && local_bytes <= LOCAL_BYTES ? GROUPS_PER_UNIT : 0;
    return 0;
}

/* ---- graphs: nodes in the order in which they were added, which is one of their orders ---- */

/* hipKernelNodeParams */
struct node_parameters {
    unsigned block_x, block_y, block_z;
    void **extra;
    struct kernel *kernel;
    unsigned grid_x, grid_y, grid_z;
    void **parameters;
    unsigned local_bytes;
};

struct node {
    struct kernel *kernel;
    unsigned groups, size, local_bytes;
    void *arguments[PARAMETERS];
};

struct graph {
    struct node nodes[8];
    unsigned count;
};

EXPORT unsigned hipGraphCreate(struct graph **graph, unsigned flags)
{
    CALL();
    *graph = calloc(1, sizeof **graph);
    return flags;
}

EXPORT unsigned hipGraphAddKernelNode(struct node **node, struct graph *graph, struct node *const *after, size_t count,
                                      const struct node_parameters *of)
{
    CALL();
    for (size_t i = 0; i < count; i++)
        if (after[i] < graph->nodes || after[i] >= graph->nodes + graph->count)
            return INVALID_VALUE;
    *node = &graph->nodes[graph->count++];
    **node = (struct node){of->kernel, of->grid_x, of->block_x, of->local_bytes, {NULL}};
    for (unsigned i = 0; i < PARAMETERS; i++)
        (*node)->arguments[i] = *(void **)of->parameters[i];
    return 0;
}

EXPORT unsigned hipGraphInstantiateWithFlags(struct graph **instance, struct graph *graph, unsigned long long flags)
{
    CALL();
    *instance = malloc(sizeof **instance);
    **instance = *graph;
    return (unsigned)flags;
}

EXPORT unsigned hipGraphLaunch(struct graph *instance, handle stream)
{
    CALL();
    unsigned code = stream ? 0 : INVALID_VALUE;
    for (unsigned i = 0; i < instance->count && code == 0; i++) {
        const struct node *node = &instance->nodes[i];
        code = run_launch(node->kernel, node->groups, node->size, node->local_bytes, node->arguments);
    }
    return code;
}

DESTROYS(hipGraphExecDestroy)
DESTROYS(hipGraphDestroy)

/* ---- HIPRTC ---- */

struct program {
    char *source, *log, *code;
    size_t code_size;
};

EXPORT unsigned hiprtcVersion(int *major, int *minor)
{
    *major = 6;
    *minor = 2;
    return 0;
}

EXPORT const char *hiprtcGetErrorString(unsigned code)
{
    return code == 6 ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_ERROR_OTHER";
}

/* Replaces the first place of a text, which is as long or longer; false if there is none. */
static bool blank_out(char *source, const char *old)
{
    char *at = strstr(source, old);
    if (at)
        memset(at, ' ', strlen(old));
    return at != NULL;
}

EXPORT unsigned hiprtcCreateProgram(struct program **program, const char *source, const char *name, int header_count,
                                    const char **headers, const char **header_names)
{
    static const char entry[] = "ENTRY(draw, memory, scratch, counters, local_memory)\n{";
    static const char local[] = " u32 *const local_memory = stub_item->local;";
    CALL();
    (void)name, (void)header_count, (void)headers, (void)header_names;
    char *text = strdup(source);
    (void)blank_out(text, "extern __shared__ u32 local_memory[];");
    while (blank_out(text, "#include <cuda/atomic>"))
        ;
    const char *at = strstr(text, entry);
    *program = calloc(1, sizeof **program);
    const size_t room = strlen(stub_words) + strlen(text) + sizeof local;
    (*program)->source = malloc(room);
    const size_t head = at ? (size_t)(at - text) + strlen(entry) : 0;
    (void)snprintf((*program)->source, room, "%s%.*s%s%s", stub_words, (int)head, text, at ? local : "", text + head);
    free(text);
    return 0;
}

/* All that a file has. */
static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "r");
    char *bytes = malloc((size_t)1 << 24);
    *size = file ? fread(bytes, 1, ((size_t)1 << 24) - 1, file) : 0;
    bytes[*size] = '\0';
    if (file)
        (void)fclose(file);
    return bytes;
}

EXPORT unsigned hiprtcCompileProgram(struct program *program, int option_count, const char **options)
{
    char folder[] = "/tmp/hip-words.XXXXXX", command[512], path[64];
    size_t log_size;
    CALL();
    if (option_count < 1 || strncmp(options[0], "--offload-arch=gfx", 18) != 0 || !mkdtemp(folder))
        return 5;
    (void)snprintf(path, sizeof path, "%s/kernel.cc", folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(program->source, file) < 0 || fclose(file) != 0)
        return 1;
    (void)snprintf(command, sizeof command,
                   "cd %s && ${CXX:-c++} -std=gnu++17 -O1 -w -fPIC -shared -pthread -o kernel.so kernel.cc >log 2>&1",
                   folder);
    const bool compiled = system(command) == 0;
    (void)snprintf(path, sizeof path, "%s/log", folder);
    program->log = read_all(path, &log_size);
    (void)snprintf(path, sizeof path, "%s/kernel.so", folder);
    if (compiled)
        program->code = read_all(path, &program->code_size);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && compiled ? 0 : 6;
}

EXPORT unsigned hiprtcGetProgramLogSize(struct program *program, size_t *size)
{
    CALL();
    *size = program->log ? strlen(program->log) + 1 : 0;
    return 0;
}

EXPORT unsigned hiprtcGetProgramLog(struct program *program, char *log)
{
    CALL();
    memcpy(log, program->log, strlen(program->log) + 1);
    return 0;
}

EXPORT unsigned hiprtcGetCodeSize(struct program *program, size_t *size)
{
    CALL();
    *size = program->code_size;
    return 0;
}

EXPORT unsigned hiprtcGetCode(struct program *program, char *code)
{
    CALL();
    memcpy(code, program->code, program->code_size);
    return 0;
}

EXPORT unsigned hiprtcDestroyProgram(struct program **program)
{
    CALL();
    free((*program)->source);
    free((*program)->log);
    free((*program)->code);
    free(*program);
    *program = NULL;
    return 0;
}
