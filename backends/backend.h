// SPDX-License-Identifier: Apache-2.0
/*
 * The interface to devices. A backend finds devices, builds kernel text for one, launches the kernel and reads its
 * counters back. It knows nothing about litmus tests.
 *
 * The life of a session (in a worker process, one thread):
 *   1. backend->list        finds the devices; loads the driver
 *   2. backend_open         one device
 *   3. backend_build        kernel text -> program; any number of times
 *   4. backend->launch      one batch, or one step of it; any number of times
 *   5. backend->release     each program
 *   6. backend->close       the session
 * After a function has returned STATUS_DEVICE_LOST, only close may be called, and a new process is needed.
 *
 * The kernel. Every program has one entry point, `orchil`, with four global buffers of 32-bit
 * words:
 *   draw      what the launch does: the runner's layout, read-only
 *   memory    test locations, results and whatever else must survive between launches of one program
 *   scratch   the target of memory stress
 *   counters  the results of the launch: zeroed before it, its first words read back after it
 * and `local_bytes` of work-group memory. The backend's prelude (below) declares the entry point and the macros and
 * functions that the kernel skeleton uses; each prelude's own comments define them.
 */
#pragma once

#include "backends/capabilities_lists.h"
#include "base/record.h"

/* Bits of the capabilities that struct backend_device declares: BACKEND_ORDER_RELAXED ..., each a row of
 * capabilities.txt. */
#define BACKEND_NUMBER(name, word) BACKEND_NUMBER_OF_##name,
#define BACKEND_BIT(name, word) BACKEND_##name = 1 << BACKEND_NUMBER_OF_##name,
enum { BACKEND_ORDER_LIST(BACKEND_NUMBER) BACKEND_ORDER_COUNT };
enum { BACKEND_SCOPE_LIST(BACKEND_NUMBER) BACKEND_SCOPE_COUNT };
enum { BACKEND_TAKES_LIST(BACKEND_NUMBER) };
enum { BACKEND_TYPE_LIST(BACKEND_NUMBER) };
enum { BACKEND_PATH_LIST(BACKEND_NUMBER) BACKEND_PATH_COUNT };
enum { BACKEND_ORDER_LIST(BACKEND_BIT) BACKEND_ALL_ORDERS = (1 << BACKEND_ORDER_COUNT) - 1 };
enum { BACKEND_SCOPE_LIST(BACKEND_BIT) BACKEND_ALL_SCOPES = (1 << BACKEND_SCOPE_COUNT) - 1 };
enum { BACKEND_TAKES_LIST(BACKEND_BIT) };
/* Of tests: only kernels have POINTER. */
enum { BACKEND_TYPE_LIST(BACKEND_BIT) BACKEND_ALL_TYPES = BACKEND_TYPE_POINTER - 1 };
enum { BACKEND_PATH_LIST(BACKEND_BIT) BACKEND_ALL_PATHS = (1 << BACKEND_PATH_COUNT) - 1 };

/* Their words, and those of enum launch_edge, in the order of the bits; NULL ends each. */
extern const char *const backend_orders_words[];
extern const char *const backend_scopes_words[];
extern const char *const backend_takes_words[];
extern const char *const backend_types_words[];
extern const char *const backend_paths_words[];
extern const char *const backend_edges_words[];

/* What `devices` and `doctor` print for a device that takes only OPENCL1. */
#define BACKEND_OPENCL1_NOTE "OpenCL C 1.2: runs through atomic_* and mem_fence; orders are not promised"

/*
 * A kernel that asks for paths declares variables with C names, which the backend fills each time it has created the
 * buffers. The buffer's own address is number 0; alias k, from 1, is address number k.
 *   u64 orchil_aliases[aliases]        bytes from `memory` to the same word at address number k + 1
 *   u64 orchil_textures[aliases + 1]   objects over the linear memory at address number k; a texel is a word
 *   u64 orchil_surfaces[aliases + 1]   two-dimensional objects over it; an element is a word
 *   u32 orchil_tile[BACKEND_TILE_WORDS], orchil_tile_columns
 *                                      the place of each word in a surface: column + 65536 * row in its
 *                                      tile of 128 columns and rows; the number of tiles in a row
 *   u32 orchil_bank[BACKEND_BANK_WORDS]   in constant memory, zero at first
 *   u64 orchil_bank_address            the global address of that memory
 */
enum { BACKEND_BANK_WORDS = 16384, BACKEND_TILE_WORDS = 16384 };

/* Sessions that run threads of the same instances are the members of an ensemble (backends/ensemble/). */
enum { BACKEND_MAXIMUM_MEMBERS = 4 };

struct backend_device {
    char backend
        [16]; /* "opencl", "cuda", "hip", "vulkan", "webgpu", "simulated"; "ensemble" for several of these that share memory */
    unsigned index; /* within the backend: counted over all OpenCL platforms */
    char name[128], vendor[128];
    char driver[128];   /* the version of the software that runs the device */
    char platform[256]; /* name and version of the OpenCL platform, or of ROCm with the dies of the GPU; else empty */
    char compiler[128]; /* compiler of kernel text to device code, with version: "NVRTC 13.0"; else empty */
    char uuid[37];      /* 8-4-4-4-12 hexadecimal, or empty if the driver does not report one */
    char architecture[32]; /* "sm_90", or empty */
    bool gpu;
    unsigned takes;                        /* BACKEND_TAKES_* */
    unsigned atomic_orders, atomic_scopes; /* declared for atomic operations */
    unsigned fence_orders, fence_scopes;   /* declared for fences */
    unsigned types;                        /* BACKEND_TYPE_* */
    unsigned paths;                        /* BACKEND_PATH_* that its kernels can be given */
    /* Bit k: enum launch_edge k is possible between its launches; 0: `play` is NULL. Of an ensemble: between launches
     * of different members; the edges between launches of one member are in that member's record. */
    unsigned edges;
    unsigned compute_units; /* 0: unknown */
    unsigned max_group_size;
    unsigned max_cluster_groups; /* the most work-groups in one cluster; 0: the device has no clusters */
    bool shared_clock;           /* the prelude has the word shared_clock */
    /* Nanoseconds that a reading of it may be wrong: its step, and how far the readings of two work-groups were proven
     * to be apart. Until it is measured, the step that the driver says. 0: its behaviour is known (NVIDIA, PoCL). */
    uint32_t clock_grain;
    unsigned sub_group_size;            /* items that run in lock step; 1 on a CPU; 0: unknown */
    uint64_t memory_bytes, local_bytes; /* of the device; of one work-group */
    uint64_t l2_bytes; /* of the cache that all compute units share; 0: unknown. It only chooses an environment */

    /* Of an ensemble; else 0 and NULL. A member that plays the host comes last. The members of a listed ensemble live
     * until the process ends. */
    unsigned member_count;
    const struct backend_device *members;
    bool host;      /* the last member plays the host's threads */
    unsigned homes; /* bit k: all members reach memory of member k; bit member_count: memory of the host */
    /* The homes where system-scope read-modify-writes by different members are atomic with respect to each other. Loads
     * and stores are atomic everywhere. */
    unsigned atomic_homes;
    char links[256]; /* between members, for people: "peer access, native atomics"; else empty */
};

/* Memory that sessions of one process share. Each session that reaches it knows its address in its own kernels. */
struct backend_shared {
    const struct backend *owner; /* on a device of this backend; NULL: memory of the host, at `host` */
    unsigned index;              /* of that device */
    void *host;                  /* the host's address; NULL if the host cannot reach it */
    uint64_t address;            /* in the owner's kernels */
    size_t bytes;
    void *handle; /* the owner's */
};

/* The meaning of a counter, for the simulated device, which has to invent its value. */
enum backend_counter_kind {
    BACKEND_COUNTER_OUTCOME, /* instances that ended in the labelled outcome */
    BACKEND_COUNTER_VOID,    /* instances that were void for the labelled reason */
    BACKEND_COUNTER_LIVENESS /* rounds of a mechanism; non-zero if it was requested */
};

struct backend_counter {
    enum backend_counter_kind kind;
    const char *label;
    uint32_t index; /* in the counters buffer */
};

struct backend_source {
    /* Of an ensemble: what each member builds; the other fields except `name` are unused. Else NULL. */
    const struct backend_source *members;
    size_t member_count;
    unsigned member;    /* of an ensemble: the member that compiles it; else 0 */
    const char *name;   /* of the test, for messages and for the simulated device's script */
    const char *kernel; /* everything after the prelude */
    /* Text before the prelude, after which lines are counted from 1 again, and the folders in which its includes are
     * found, NULL-terminated. Both NULL: none. Only backends that compile OpenCL C or CUDA C++ take them. */
    const char *prologue;
    const char *const *folders;
    /* Line of kernel from which on the test's threads' own functions stand, after all helpers. For a compiler whose
     * code names innermost lines only: what is inlined from helpers then has the line of the call. 0: unknown. */
    unsigned functions_line;
    /* Line of kernel from which on the test's helpers stand, if the compiler is to keep the access of each away from
     * the next: some give accesses that they join the line of the first. 0: compile as usual. */
    unsigned apart_line;
    const char
        *code; /* used instead of compiling kernel: the result of compile, all of it or its portable part; or NULL */
    size_t code_size; /* bytes of it; a NUL follows them */
    bool clusters;    /* its work-groups are launched in clusters */
    unsigned paths;   /* BACKEND_PATH_* that it needs */
    unsigned aliases; /* further addresses of its memory that it needs */
    /* If the kernel includes headers of the backend's library: the result of name_headers, on which the code depends.
     * Else NULL. */
    const char *headers;
    const struct backend_counter *counters; /* used by the simulated device only */
    size_t counter_count;
};

/* A compiled kernel. Starts as {0}; backend_code_release frees what it holds. */
struct backend_code {
    struct text bytes;  /* build takes them as source->code */
    size_t portable;    /* bytes at the start that other drivers can use too, and that may be kept for them */
    struct text log;    /* the compiler's output, including warnings */
    char compiler[128]; /* "NVRTC 13.0" */
    char options[256];  /* as the compiler was given them */
    char target[64];    /* what the portable part is for, if its text says so: "PTX 6.0, sm_70"; else empty */
};

struct backend_launch {
    uint32_t groups, group_size;
    uint32_t cluster_groups; /* neighbouring work-groups that share a cluster; 0 or 1: no clusters. Divides groups */
    size_t local_bytes;
    const uint32_t *draw;
    size_t draw_words;
    size_t memory_words;  /* zero at first; kept until a launch asks for more */
    size_t scratch_words; /* likewise */
    size_t counter_words; /* all of the counters buffer */
    bool clear_counters;  /* zero it before this launch; false for the later steps of one batch */
    uint32_t *counters;   /* receives the first read_words; not written if read_words is 0 */
    size_t read_words;
    /* Set by an ensemble for its members: `memory` is this address, in memory that they share, instead of the program's
     * own; 0: its own. */
    uint64_t memory_address;
    /* Of an ensemble; else unused. All members launch together, each with its own number of groups and the same draw.
     * memory_words is the size of the shared memory; its first meeting_words are zeroed before each launch. home_words,
     * unless 0, is the size of more shared memory in each home that launch->homes names: a member, or the host (number
     * member_count). From homes_place on, the draw has words that the backend fills: the member's number, and two words
     * for each home: the distance in words from `memory` to that home, low half first. counters receives read_words for
     * each member, in the order of members. */
    uint32_t member_groups[BACKEND_MAXIMUM_MEMBERS];
    unsigned homes; /* bits as in backend_device: the homes that this launch uses */
    size_t meeting_words, home_words, homes_place;
    uint64_t instances; /* of the batch; used by the simulated device only */
    uint64_t batch;     /* number of the batch in its job; used by the simulated device only */
    uint64_t seed;      /* of the batch; used by the simulated device only */
    bool beside;        /* of a member's play: some two of its steps are unordered; used by the simulated device only */
};

/* At homes_place, for that many members. */
#define BACKEND_HOME_WORDS(members) (1 + 2 * ((size_t)(members) + 1))

enum { BACKEND_MAXIMUM_STEPS = 8 };

struct relay; /* backends/steps.h */

/* One of several launches that the host orders by edges. */
struct backend_step {
    const uint32_t *draw; /* draw_words of its own, instead of the launch's */
    unsigned member;      /* of an ensemble: the member that launches it; else 0 */
    unsigned after;       /* bit k: step k, an earlier one of the array, ends before this one begins */
    enum launch_edge edges[BACKEND_MAXIMUM_STEPS]; /* the call for each of these bits; never BESIDE */
    /* Set by an ensemble for members whose backend relays events; else NULL. The step waits for the event of each relay
     * in `awaits`, up to the first NULL, and gives its own event to `gives`, for steps of other members. */
    struct relay *gives, *awaits[BACKEND_MAXIMUM_STEPS];
};

struct backend_session;
struct backend_program;
struct circumstances; /* base/circumstances.h */

struct backend {
    const char *name;
    const char *title;   /* for people: "CUDA", "OpenCL" */
    const char *prelude; /* kernel text that precedes backend_source.kernel */
    /* Kernel text that follows the prelude, if only the host knows whether the device has a clock that groups share, or
     * pointers (BACKEND_TYPE_POINTER). NULL: the prelude has those words, or has them not. */
    const char *clock, *pointers;

    /* Finds all devices. The caller frees *devices with free(). STATUS_NO_DEVICE if there are none, with a text that
     * says what was looked for and how to get it. */
    enum status (*list)(struct backend_device **devices, size_t *count, struct error *error);
    bool (*offered)(void); /* see backend_offered; NULL: always */

    const struct backend *replay; /* takes this one's place where it is offered; NULL: none */

    /* Fills a session of session_size zeroed bytes for that device. After a failure, close releases what was
     * created. */
    size_t session_size;
    enum status (*start)(struct backend_session *session, unsigned index, struct error *error);
    /* The device of an open session, as list would describe it. NULL: list knows all devices without opening them. */
    const struct backend_device *(*describe)(struct backend_session *session);

    const char *source_suffix; /* of a file that holds a kernel's text: "cu" */
    const char *code_suffix;   /* of a file that holds the portable part of its code: "ptx" */

    /* Compiles prelude + kernel to code that build takes. If source->code is a portable part, it is made ready for this
     * device and driver, and nothing else is compiled. Launches nothing. code->log is filled whatever the result;
     * code->bytes stays empty if the driver returns no code. */
    enum status (*compile)(struct backend_session *session, const struct backend_source *source,
                           struct backend_code *code, struct error *error);
    /* Appends the headers that a kernel of that member would include, and their version: "/usr/local/cuda/include/cccl,
     * 3.0.3"; without headers, what was looked for. Nothing, or NULL: its kernels include none. */
    void (*name_headers)(struct backend_session *session, unsigned member, struct text *text);
    /* Compiles prelude + kernel without a device, for an architecture that this machine need not have ("sm_90").
     * code->bytes is the portable part only, whose instructions name their lines of prelude + kernel. NULL: not
     * possible. */
    enum status (*compile_for)(const char *architecture, const struct backend_source *source, struct backend_code *code,
                               struct error *error);
    /* Whether other processes should compile for this device while one measures, and keep the code for later. False if
     * they would take the cores that are tested, or if a driver compiles for a group size. Of an ensemble: whether this
     * holds for any member; then each member's own backend is asked about it. */
    bool (*compiles_ahead)(const struct backend_device *device);

    /* Fills a program of program_size zeroed bytes, as backend_build describes. After a failure, release releases what
     * was created. */
    size_t program_size;
    enum status (*fill)(struct backend_session *session, const struct backend_source *source,
                        struct backend_program *program, struct text *log, struct text *binary, struct error *error);

    /* Runs the kernel once and waits for it. *seconds: from the call to the read-back, by the monotonic clock. */
    enum status (*launch)(struct backend_session *session, struct backend_program *program,
                          const struct backend_launch *launch, double *seconds, struct error *error);
    /* Whether launches may report more seconds than they took (the simulated device, whose script sets its speed). */
    bool invents_seconds; /* of an ensemble: if all members do */
    bool is_past;         /* its batches were played on another day: each began when the one before it had ended */

    /* Launches the kernel once for each step, with exactly the calls that their edges name, and waits for all of them.
     * Steps that no path of edges orders are given to the driver together, each to its own queue or stream, in the
     * order of the array. `launch` gives everything except the draw: counters are cleared before the first step and
     * read after the last. UNSUPPORTED, with the reason, if the device lacks one of the edges. NULL: it has none. */
    enum status (*play)(struct backend_session *session, struct backend_program *program,
                        const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                        double *seconds, struct error *error);
    bool relays_events; /* steps of one session can wait for events of another session (EVENT between members) */

    /* Sharing memory with other sessions of this process; all NULL for a backend that cannot. share: zeroed memory on
     * this session's device. reach: makes memory of another session, or of the host, visible to this session's kernels
     * and returns its address there; UNSUPPORTED, with the reason, if it cannot. forget: undoes share or reach; each
     * reach is undone before the owner's share. */
    enum status (*share)(struct backend_session *session, size_t bytes, struct backend_shared *shared,
                         struct error *error);
    enum status (*reach)(struct backend_session *session, const struct backend_shared *shared, uint64_t *address,
                         struct error *error);
    void (*forget)(struct backend_session *session, const struct backend_shared *shared);
    /* Appends how this session reaches the memory, for people: "peer access, native atomics". Returns whether its
     * system-scope read-modify-writes there are atomic with respect to everyone else who reaches the memory (CUDA C++
     * Programming Guide, "Atomicity"). */
    bool (*describe_link)(struct backend_session *session, const struct backend_shared *shared, struct text *text);
    /* Creates the buffers that a launch needs, and may fill them, so that the launch itself only starts its kernel: a
     * driver may block other calls until kernels of other sessions have ended, and these may wait for this session's
     * kernel. Called before each launch whose memory_address is not 0, with the same arguments. */
    enum status (*reserve)(struct backend_session *session, struct backend_program *program,
                           const struct backend_launch *launch, struct error *error);
    /* Zeroes words of shared memory, and waits for the end. */
    enum status (*zero_shared)(struct backend_session *session, uint64_t address, size_t words, struct error *error);

    /* The largest work-group with which this program can be launched: smaller than the device's maximum if the program
     * needs many registers. 0, and NULL: the device's maximum. */
    unsigned (*group_limit)(struct backend_session *session, struct backend_program *program);

    /* How many work-groups of this program and size, launched in clusters of cluster_groups (1: no clusters), can run
     * at once according to the driver; 0, and NULL, if it does not know (then the runner measures it). Here and below,
     * member is the member of an ensemble that is asked, 0 for other devices. Members on the same processor each have a
     * share of it. */
    unsigned (*resident)(struct backend_session *session, struct backend_program *program, unsigned member,
                         unsigned group_size, unsigned cluster_groups, size_t local_bytes);

    /* Appends the machine code that runs, as an ELF object whose instructions name their lines of prelude + kernel; of
     * Vulkan, the SPIR-V. Appends nothing if the driver returns none. NULL: this backend has none, as OpenCL, whose
     * code is read if a build returns it as PTX. */
    void (*machine_code)(struct backend_session *session, struct backend_program *program, unsigned member,
                         struct text *code);
    /* The same for the result of compile; also appends its PTX to *ptx. For code that is compiled ahead. NULL: such
     * code has none. */
    void (*machine_code_ahead)(const char *code, size_t size, struct text *ptx, struct text *machine_code);

    /* Adds the current values that can be read from the device to the circumstances, which already hold those of the
     * host. The simulated device, which does not depend on the host, replaces all of them. NULL: nothing can be
     * read. */
    void (*observe)(struct backend_session *session, struct circumstances *circumstances);

    /* The result of inspecting the program's code, with the reason, as in struct build, for a backend whose code cannot
     * be read (the simulated one, whose script defines it). NULL: the code is inspected. An ensemble has both this and
     * machine_code, and the backends of its members may lack either. */
    enum kept (*invent_kept)(struct backend_session *session, struct backend_program *program, unsigned member,
                             struct text *reason);

    void (*release)(struct backend_session *session, struct backend_program *program);
    void (*close)(struct backend_session *session);

    /* For `doctor`: one or more lines on what was found (libraries, versions, registered drivers) and what is
     * missing. */
    void (*explain)(struct text *text);

    /* Whether a driver needs a folder to write to and has none. Then the runner names one in BACKEND_FOLDER_VARIABLE
     * before it starts a worker, and the backend gives it to that driver. Loads no driver. NULL: no. */
    bool (*lacks_folder)(void);

    /* What drivers need and this machine lacks, as parts of a sentence separated by "; ": possible reasons for having
     * no device. Adds nothing if nothing is missing. Loads no driver. NULL: no needs are known. */
    void (*explain_lacks)(struct text *causes);
};

/* The environment variable in which the runner names a folder for drivers that lack one. Users do not set it. */
#define BACKEND_FOLDER_VARIABLE "ORCHIL_DRIVER_FOLDER"

/* All backends in order of preference (CUDA before OpenCL before simulated; the ensemble last), NULL-terminated. */
extern const struct backend *const backends[];

/* Whether a backend's devices belong in a list of all devices. The simulated devices do only if the environment
 * variable ORCHIL_SIMULATED is set, but work anyway when asked for by name. The ensemble does only if one is
 * defined. */
bool backend_offered(const struct backend *backend);

/* The backend of that name, or NULL. */
const struct backend *backend_find(const char *name);

/* Opens one device; backend->close ends the session. *session is NULL on failure. NO_DEVICE if the device does not
 * exist, UNSUPPORTED if it cannot run any kernel. */
enum status backend_open(const struct backend *backend, unsigned index, struct backend_session **session,
                         struct error *error);

/* Builds prelude + kernel, or loads source->code; backend->release ends the program. *program is NULL on failure.
 * Whatever the result, the compiler's log, including warnings, is appended to
 * *log, and device code in text form (PTX), if there is any, to *binary. BUILD_FAILED if the
 * compiler rejects the kernel; UNSUPPORTED if this device or driver cannot take source->code, which others can. */
enum status backend_build(const struct backend *backend, struct backend_session *session,
                          const struct backend_source *source, struct backend_program **program, struct text *log,
                          struct text *binary, struct error *error);

/* Measures clock_grain of the device of an open session; UINT32_MAX if that fails. The error of a launch that
 * failed. */
enum status backend_measure_clock(const struct backend *backend, struct backend_session *session,
                                  struct backend_device *device, struct error *error);

/* The part of one member in what an ensemble's build appended to log or binary, or NULL; *size: its bytes. */
const char *backend_member_part(const char *joined, unsigned member, size_t *size);

void backend_code_release(struct backend_code *code);
