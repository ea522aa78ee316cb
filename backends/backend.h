// SPDX-License-Identifier: Apache-2.0
/*
 * The one interface to devices. A backend finds devices, builds a kernel text for one, launches it and reads counters
 * back. It knows nothing of litmus tests.
 *
 * The life of a session (in a worker process, one thread):
 *   1. backend->list        what devices are there; loads the driver
 *   2. backend_open         one device
 *   3. backend_build       kernel text -> program; any number of times
 *   4. backend->launch      one batch, or one step of it; any number of times
 *   5. backend->release     each program
 *   6. backend->close       the session
 * After a function returned STATUS_DEVICE_LOST nothing but close may be called, and a new process is needed.
 *
 * The kernel. Every program has one entry point, `orchil`, with four global buffers of 32-bit words:
 *   draw      what the launch shall do: the runner's layout, read-only
 *   memory    test locations, results and whatever else must survive from launch to launch of one program
 *   scratch   what memory stress hits
 *   counters  what the launch tells: zeroed before it, its first words read back after it
 * and `local_bytes` of work-group memory. The backend's prelude (below) declares the entry point and the words in which
 * the kernel skeleton is written; each prelude's own comments are their definition.
 */
#ifndef ORCHIL_BACKEND_H
#define ORCHIL_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/status.h"
#include "base/text.h"

/* Bits of struct backend_device's declared capabilities. */
enum {
    BACKEND_ORDER_RELAXED = 1 << 0,
    BACKEND_ORDER_ACQ_REL = 1 << 1, /* acquire, release and acq_rel */
    BACKEND_ORDER_SEQ_CST = 1 << 2,
    BACKEND_ALL_ORDERS = (1 << 3) - 1,

    BACKEND_SCOPE_WORK_ITEM = 1 << 0,
    BACKEND_SCOPE_SUB_GROUP = 1 << 1,
    BACKEND_SCOPE_WORK_GROUP = 1 << 2,
    BACKEND_SCOPE_CLUSTER = 1 << 3,
    BACKEND_SCOPE_DEVICE = 1 << 4,
    BACKEND_SCOPE_ALL_DEVICES = 1 << 5,
    BACKEND_ALL_SCOPES = (1 << 6) - 1
};

/* What kernel bodies a device takes. */
enum {
    BACKEND_TAKES_C11 = 1 << 0,    /* OpenCL C 2.0 or later: the C11 atomics by name */
    BACKEND_TAKES_PTX = 1 << 1,    /* inline PTX in asm statements */
    BACKEND_TAKES_CUDA = 1 << 3,   /* CUDA C++ with the headers of its library */
    BACKEND_TAKES_OPENCL1 = 1 << 2 /* OpenCL C 1.2, and no later one: atomic_add, mem_fence, barrier */
};

/* The sentence of `devices` and `doctor` on a device that takes OPENCL1 alone. */
#define BACKEND_OPENCL1_NOTE "OpenCL C 1.2: runs through atomic_* and mem_fence; orders are not promised"

/* Types beyond those of 32 bits, and pointers. */
enum {
    BACKEND_TYPE_LONG_ATOMICS = 1 << 0, /* atomic operations of 64 bits */
    BACKEND_TYPE_DOUBLE = 1 << 1,
    BACKEND_TYPE_LONG_POINTERS = 1 << 2, /* addresses, and with them size_t and its family, have 64 bits */
    BACKEND_TYPE_GENERIC = 1 << 3,       /* pointers without an address space */
    BACKEND_ALL_TYPES = (1 << 4) - 1
};

/* Ways to the words of a program's memory buffer other than its address, which a kernel may ask for. */
enum {
    BACKEND_PATH_ALIAS = 1 << 0, /* further addresses of the same memory */
    BACKEND_PATH_TEXTURE = 1 << 1,
    BACKEND_PATH_SURFACE = 1 << 2,
    BACKEND_PATH_CONSTANT = 1 << 3, /* a constant bank, which is memory of its own, and its global address */
    BACKEND_PATH_ASYNC = 1 << 4, /* bulk copies, mbarriers and clusters whose groups reach each other's local memory */
    BACKEND_PATH_READ_ONLY = 1 << 5, /* loads by the cache for what nobody writes (PTX ld.global.nc) */
    BACKEND_ALL_PATHS = (1 << 6) - 1
};

/*
 * A kernel that asks for paths declares variables with C names, which the backend fills whenever it has made the buffers. The
 * buffer's own address has the number 0; alias k, from 1, is at address number k.
 *   u64 orchil_aliases[aliases]        bytes from `memory` to the same word at address number k + 1
 *   u64 orchil_textures[aliases + 1]   objects over the linear memory at address number k: a texel is a word
 *   u64 orchil_surfaces[aliases + 1]   objects of two dimensions over it; an element is a word
 *   u32 orchil_tile[BACKEND_TILE_WORDS], orchil_tile_columns   where each word lies in them: in which column + 65536 * row of its
 *                                      tile, of 128 columns and rows; tiles come in rows of so many
 *   u32 orchil_bank[BACKEND_BANK_WORDS]   in constant memory, zero at first
 *   u64 orchil_bank_address            the global address of that memory
 */
enum { BACKEND_BANK_WORDS = 16384, BACKEND_TILE_WORDS = 16384 };

/* Sessions that play threads of the same instances are the members of an ensemble (backends/ensemble/). */
enum { BACKEND_MAXIMUM_MEMBERS = 4 };

struct backend_device {
    char backend[16]; /* "opencl", "cuda", "simulated"; "ensemble" for several of these that share memory */
    unsigned index;   /* within the backend: flat over OpenCL's platforms */
    char name[128], vendor[128];
    char driver[128];      /* the version of the software that runs the device */
    char platform[128];    /* OpenCL's platform name and version; else empty */
    char compiler[128];    /* what turns kernel text into device code, with version: "NVRTC 13.0"; else empty */
    char uuid[37];         /* 8-4-4-4-12 hexadecimal, or empty where the driver tells none */
    char architecture[32]; /* "sm_90", or empty */
    bool gpu;
    unsigned takes;                        /* BACKEND_TAKES_* */
    unsigned atomic_orders, atomic_scopes; /* declared for atomic operations */
    unsigned fence_orders, fence_scopes;   /* declared for fences */
    unsigned types;                        /* BACKEND_TYPE_* */
    unsigned paths;                        /* BACKEND_PATH_* that its kernels can be given */
    /* Bit k: what enum launch_edge calls k can stand between its launches; 0: `play` is NULL. Of an ensemble: between launches of
     * different members; what can stand between those of one member is in that member's record. */
    unsigned edges;
    unsigned compute_units;
    unsigned max_group_size;
    unsigned max_cluster_groups;        /* work-groups of one cluster at most; 0: the device has no clusters */
    unsigned sub_group_size;            /* items that run in lock step; 1 on a CPU; 0: not known */
    uint64_t memory_bytes, local_bytes; /* of the device; of one work-group */
    uint64_t l2_bytes; /* of the cache that all compute units share; 0: not known. It only chooses an environment */

    /* Of an ensemble; else 0 and NULL. A member that plays the host is the last one. The members of a listed ensemble stay until the
     * process ends. */
    unsigned member_count;
    const struct backend_device *members;
    bool host;      /* the last member plays the host's threads */
    unsigned homes; /* bit k: all members reach memory that lies on member k; bit member_count: memory of the host */
    /* Those homes where read-modify-writes of system scope by different members are atomic to each other. Loads and stores are so
     * everywhere. */
    unsigned atomic_homes;
    char links[256]; /* between members, for people: "peer access, native atomics"; else empty */
};

/* Memory that sessions of one process share. A session that reaches it knows the address at which its kernels see it. */
struct backend_shared {
    const struct backend *owner; /* on a device of this backend; NULL: memory of the host, at `host` */
    unsigned index;              /* of that device */
    void *host;                  /* the host's address; NULL where the host cannot reach it */
    uint64_t address;            /* by which the owner's kernels see it */
    size_t bytes;
    void *handle; /* the owner's */
};

/* What a counter holds, for the simulated device, which has to invent it. */
enum backend_counter_kind {
    BACKEND_COUNTER_OUTCOME, /* instances that ended in the labelled outcome */
    BACKEND_COUNTER_VOID,    /* instances that were void for the labelled reason */
    BACKEND_COUNTER_LIVENESS /* rounds of a mechanism, non-zero where it was asked for */
};

struct backend_counter {
    enum backend_counter_kind kind;
    const char *label;
    uint32_t index; /* in the counters buffer */
};

struct backend_source {
    /* Of an ensemble: what each member builds; the other fields but `name` are unused. Else NULL. */
    const struct backend_source *members;
    size_t member_count;
    unsigned member;    /* of an ensemble: which one compiles it; else 0 */
    const char *name;   /* of the test, for messages and for the simulated device's script */
    const char *kernel; /* everything after the prelude */
    const char
        *code; /* taken instead of compiling kernel: what compile gave, all of it or its portable part; or NULL */
    size_t code_size; /* bytes of it; a NUL follows them */
    bool portable;    /* compile for as many devices and drivers as the kernel can run on, not for this one */
    bool clusters;    /* its work-groups are launched in clusters */
    unsigned paths;   /* BACKEND_PATH_* that it needs */
    unsigned aliases; /* further addresses of its memory that it needs */
    /* The kernel includes headers of the backend's library: what name_headers says of them, on which the code depends. NULL: it
     * includes none. */
    const char *headers;
    const struct backend_counter *counters; /* used by the simulated device only */
    size_t counter_count;
};

/* A compiled kernel. Starts as {0}; backend_code_release frees what it holds. */
struct backend_code {
    struct text bytes;  /* what build takes as source->code */
    size_t portable;    /* the first bytes of it are of use to other drivers too: what may be kept for them */
    struct text log;    /* what the compiler said, warnings too */
    char compiler[128]; /* "NVRTC 13.0" */
    char options[256];  /* as the compiler was given them */
    char target[64];    /* what the portable part is for, if it says so itself: "PTX 6.0, sm_70"; else empty */
};

struct backend_launch {
    uint32_t groups, group_size;
    uint32_t cluster_groups; /* neighbouring work-groups that share a cluster; 0 or 1: none do. groups is a multiple */
    size_t local_bytes;
    const uint32_t *draw;
    size_t draw_words;
    size_t memory_words;  /* zero when the program first gets them; kept until a launch asks for more */
    size_t scratch_words; /* likewise */
    size_t counter_words; /* all of the counters buffer */
    bool clear_counters;  /* zero it before this launch; false for the later steps of one batch */
    uint32_t *counters;   /* receives the first read_words; not touched where read_words is 0 */
    size_t read_words;
    /* Set by an ensemble for its members: `memory` is this address, of memory that they share, instead of the program's own;
     * 0: its own. */
    uint64_t memory_address;
    /* Of an ensemble; else unused. All members launch together, each its own groups, with the same draw. memory_words are of shared
     * memory, of which the first meeting_words are zeroed before each launch. home_words, where they are not 0, are of further shared
     * memory: on each member that launch->homes names, and on the host (number member_count). The draw has from homes_place on two words
     * for each home, which the backend fills: the distance in words from `memory` to that home, the low half first; counters receive
     * read_words of each member, one member after the other. */
    uint32_t member_groups[BACKEND_MAXIMUM_MEMBERS];
    unsigned homes; /* bits as in backend_device: those that this launch uses */
    size_t meeting_words, home_words, homes_place;
    uint64_t instances; /* of the batch; used by the simulated device only */
    uint64_t batch;     /* number of the batch in its job; used by the simulated device only */
    uint64_t seed;      /* of the batch; used by the simulated device only */
    bool beside; /* of a member's play: nothing orders some two of its steps; used by the simulated device only */
};

enum { BACKEND_MAXIMUM_STEPS = 4 };

struct relay; /* backends/relay.h */

/* One of several launches between which the host puts edges. */
struct backend_step {
    const uint32_t *draw; /* draw_words of its own, instead of the launch's */
    unsigned member;      /* of an ensemble: which one launches it; else 0 */
    unsigned after;       /* bit k: step k, an earlier one of the array, ends before this one begins */
    enum launch_edge edges[BACKEND_MAXIMUM_STEPS]; /* by which call, for each of these bits; never BESIDE */
    /* Set by an ensemble for members whose backend relays events; else NULL. The step waits for the event that each relay of `awaits`
     * gives, up to the first that is NULL, and gives its own to `gives`, for steps of other members. */
    struct relay *gives, *awaits[BACKEND_MAXIMUM_STEPS];
};

struct backend_session;
struct backend_program;
struct circumstances; /* base/circumstances.h */

struct backend {
    const char *name;
    const char *title;   /* for people: "CUDA", "OpenCL" */
    const char *prelude; /* kernel text that precedes backend_source.kernel */

    /* Finds all devices. *devices is freed by the caller with free(). No devices and no driver is STATUS_NO_DEVICE
     * with a text that says what was looked for and how to get it. */
    enum status (*list)(struct backend_device **devices, size_t *count, struct error *error);

    /* Fills a session of session_size bytes, all zero, for that device. Where it fails, close takes apart what there is. */
    size_t session_size;
    enum status (*start)(struct backend_session *session, unsigned index, struct error *error);
    /* The device of an open session, as list would describe it. NULL: list knows all devices without opening them. */
    const struct backend_device *(*describe)(struct backend_session *session);

    const char *source_suffix; /* of a file that holds a kernel's text: "cu" */
    const char *code_suffix;   /* of a file that holds the portable part of its code: "ptx" */

    /* Compiles prelude + kernel to code that build takes. Where source->code is a portable part, that is made ready for
     * this device and driver, and nothing else is compiled. Launches nothing. code->log is filled whatever the result, and
     * code->bytes stay empty where the driver gives no code. */
    enum status (*compile)(struct backend_session *session, const struct backend_source *source,
                           struct backend_code *code, struct error *error);
    /* Appends which headers a kernel of that member would include, and their version: "/usr/local/cuda/include/cccl, 3.0.3"; says
     * what was looked for where there are none. Nothing, or NULL: its kernels include none. */
    void (*name_headers)(struct backend_session *session, unsigned member, struct text *text);
    /* Compiles prelude + kernel without a device, for an architecture that need not be here ("sm_90"): code->bytes is the
     * portable part alone, whose instructions say which lines of prelude + kernel they come from. NULL: cannot be done. */
    enum status (*compile_for)(const char *architecture, const struct backend_source *source, struct backend_code *code,
                               struct error *error);
    /* Whether other processes should compile for this device while one measures, and keep the code for later. Not so where
     * they would take the cores that are tested, or where a driver compiles for the size of the groups. Of an ensemble:
     * whether that is so for a member; each member's own backend is then asked about it. */
    bool (*compiles_ahead)(const struct backend_device *device);

    /* Fills a program of program_size bytes, all zero, as backend_build describes. Where it fails, release takes apart
     * what there is. */
    size_t program_size;
    enum status (*fill)(struct backend_session *session, const struct backend_source *source,
                        struct backend_program *program, struct text *log, struct text *binary, struct error *error);

    /* Runs the kernel once and waits for it. *seconds: from the call to the read-back, by the monotonic clock. */
    enum status (*launch)(struct backend_session *session, struct backend_program *program,
                          const struct backend_launch *launch, double *seconds, struct error *error);
    /* Whether launches may tell of more seconds than they took (the simulated device, whose script says how fast it is). */
    bool invents_seconds; /* an ensemble does where all of its members do */

    /* Launches the kernel once for each step, with exactly the calls that their edges name, and waits for all of them. Steps between
     * which no way of edges leads are given to the driver at once, each to a queue or stream of its own, in the order of the array.
     * The launch says all but the draw: its counters are cleared before the first step and read after the last. UNSUPPORTED, with
     * the reason, where the device has not all of these edges. NULL: it has none. */
    enum status (*play)(struct backend_session *session, struct backend_program *program,
                        const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                        double *seconds, struct error *error);
    bool relays_events; /* steps of one session can wait for events of another's (EVENT between members) */

    /*
     * Sharing memory with other sessions of this process; all NULL for a backend that cannot. share: zeroed memory on this session's
     * device. reach: makes memory of another session, or of the host, visible to this one's kernels, and gives the address there;
     * UNSUPPORTED, with the reason, where it cannot. forget: ends what share or reach began, before the owner's share ends.
     */
    enum status (*share)(struct backend_session *session, size_t bytes, struct backend_shared *shared,
                         struct error *error);
    enum status (*reach)(struct backend_session *session, const struct backend_shared *shared, uint64_t *address,
                         struct error *error);
    void (*forget)(struct backend_session *session, const struct backend_shared *shared);
    /* Appends how this session reaches it, for people: "peer access, native atomics". Whether its read-modify-writes of system scope
     * are atomic there to all others that reach it (CUDA C++ Programming Guide, "Atomicity"). */
    bool (*describe_link)(struct backend_session *session, const struct backend_shared *shared, struct text *text);
    /* Makes the buffers that a launch needs, and may fill them, so that the launch itself starts its kernel and no more: a driver may
     * hold other calls up until kernels of other sessions have ended, which may wait for this one's. Comes before each launch whose
     * memory_address is not 0, with the same arguments. */
    enum status (*reserve)(struct backend_session *session, struct backend_program *program,
                           const struct backend_launch *launch, struct error *error);
    /* Sets words of shared memory to 0, and waits for it. */
    enum status (*zero_shared)(struct backend_session *session, uint64_t address, size_t words, struct error *error);

    /* The largest work-group that this program can be launched with: less than the device's where the program needs many
     * registers. 0: as the device says. */
    unsigned (*group_limit)(struct backend_session *session, struct backend_program *program);

    /* How many work-groups of this program and size, launched in clusters of so many (1: in none), the driver says can
     * run at once; 0 where it cannot say (then the runner measures it). Here and below, member: the one of an ensemble that is
     * asked, 0 for other devices. Members that are one processor have a share of it each. */
    unsigned (*resident)(struct backend_session *session, struct backend_program *program, unsigned member,
                         unsigned group_size, unsigned cluster_groups, size_t local_bytes);

    /* Appends the machine code that runs, as an ELF object whose instructions know the lines of prelude + kernel, for work-groups of
     * the size that was launched last. Nothing where the driver gives none, as PoCL does for a size that was launched after it was
     * first asked. NULL: this backend has none. */
    void (*machine_code)(struct backend_session *session, struct backend_program *program, unsigned member,
                         struct text *code);
    /* The same of code that compile gave, and appends its PTX to *ptx: for who compiles ahead. NULL: such code has none. */
    void (*machine_code_ahead)(const char *code, size_t size, struct text *ptx, struct text *machine_code);

    /* Adds what can be read of the device, as it is now, to the circumstances, which have what is known of the host. The
     * simulated device, which the host does not matter to, takes the place of all. NULL: nothing can be read. */
    void (*observe)(struct backend_session *session, struct circumstances *circumstances);

    /* What an inspection of the program's code finds, for a backend without code that could be read (the simulated one, whose
     * script says it), with the reason, as struct build has it. NULL: the code is inspected. An ensemble has this and machine_code,
     * whose members' backends may lack them. */
    enum kept (*invent_kept)(struct backend_session *session, struct backend_program *program, unsigned member,
                             struct text *reason);

    void (*release)(struct backend_session *session, struct backend_program *program);
    void (*close)(struct backend_session *session);

    /* For `doctor`: a line or more on what was found (libraries, versions, registered drivers) and what is missing. */
    void (*explain)(struct text *text);

    /* Whether a driver needs a folder to write to and has none: then the runner names one in BACKEND_FOLDER_VARIABLE before it
     * starts a worker, and the backend gives it to that driver. Loads no driver. NULL: no. */
    bool (*lacks_folder)(void);

    /* What drivers need and this machine lacks, as parts of a sentence with "; " between them: why there may be no device. Adds
     * nothing where all is there. Loads no driver. NULL: nothing is known to be needed. */
    void (*explain_lacks)(struct text *causes);
};

/* The environment variable in which the runner names a folder for drivers that lack one. Not the user's to set. */
#define BACKEND_FOLDER_VARIABLE "ORCHIL_DRIVER_FOLDER"

/* All backends in order of preference (CUDA before OpenCL before simulated; the ensemble last), NULL-terminated. */
extern const struct backend *const backends[];

/* Whether a backend's devices belong into a list of all devices. The simulated one's do only where the environment
 * variable ORCHIL_SIMULATED is set; asked for by name, it works anyway. The ensemble's does only where one is defined. */
bool backend_offered(const struct backend *backend);

/* The backend of that name, or NULL. */
const struct backend *backend_find(const char *name);

/* Opens one device; backend->close ends the session. *session is NULL where it fails. NO_DEVICE where there is no such
 * device, UNSUPPORTED where it can play no kernel. */
enum status backend_open(const struct backend *backend, unsigned index, struct backend_session **session,
                         struct error *error);

/* Builds prelude + kernel, or loads source->code; backend->release ends the program. *program is NULL where it fails. The
 * compiler's log, warnings too, is appended to *log whatever the result; the device code in text form (PTX), where there
 * is one, to *binary. BUILD_FAILED if the compiler refuses it; UNSUPPORTED if the device or the driver cannot take
 * source->code, which others can. */
enum status backend_build(const struct backend *backend, struct backend_session *session,
                          const struct backend_source *source, struct backend_program **program, struct text *log,
                          struct text *binary, struct error *error);

/* Of what an ensemble's fill appended to log or to binary: the part of that member, or NULL; *size: its bytes. */
const char *backend_member_part(const char *joined, unsigned member, size_t *size);

void backend_code_release(struct backend_code *code);

#endif
