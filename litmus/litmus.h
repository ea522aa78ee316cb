// SPDX-License-Identifier: Apache-2.0
/*
 * The language of litmus tests: text in, struct litmus_test out, and back.
 *
 * The structure is the same for every dialect. A dialect is a parser and a printer; the names of orders, scopes and
 * operations belong to the dialect, their meanings do not. Code that runs or judges a test works on the structure,
 * never on the text.
 *
 * Ownership: a test owns everything reachable from it; litmus_release frees it all. Nothing in it is shared between
 * tests. A test does not change after litmus_parse returns it.
 */
#pragma once

#include "base/record.h"

/* Limits, so that a malformed file is rejected early. */
enum {
    LITMUS_MAXIMUM_FILE = 1024 * 1024, /* bytes */
    LITMUS_MAXIMUM_THREADS = 1024,     /* threads of a test, including those of ranges */
    LITMUS_MAXIMUM_BODIES = 64,        /* threads with code of their own */
    LITMUS_MAXIMUM_STATEMENTS = 4096,  /* of all bodies */
    LITMUS_MAXIMUM_NESTING = 64,       /* of blocks, expressions and propositions */
    LITMUS_MAXIMUM_LOCATIONS = 256,
    LITMUS_MAXIMUM_REGISTERS = 256,  /* of one body */
    LITMUS_MAXIMUM_ELEMENTS = 4096,  /* of one array location */
    LITMUS_MAXIMUM_VARIABLES = 1024, /* observed registers and locations */
    LITMUS_MAXIMUM_RELATIONS = 4096  /* relations and connectives of the condition and the filter together */
};

/* A place in a file; both count from 1, and 0 means unknown. */
struct litmus_place {
    unsigned line, column;
};

/* CUDA is CUDA C++ with its built-in functions, C is C11 as herd reads it, VULKAN is SPIR-V for Vulkan in Dat3M's
 * words. A name that exists in several dialects is searched in this order. */
enum litmus_dialect { LITMUS_OPENCL, LITMUS_PTX, LITMUS_CUDA, LITMUS_C, LITMUS_VULKAN, LITMUS_DIALECT_COUNT };

/* Memory orders. PLAIN is the non-atomic access of OpenCL and C and the weak one of PTX and CUDA; VOLATILE is PTX's
 * ld/st.volatile, and an access through a volatile pointer in CUDA, of scope ALL_DEVICES. In OPENCL and C such an
 * access is PLAIN: the location says that it is volatile. */
enum litmus_order {
    LITMUS_PLAIN,
    LITMUS_VOLATILE,
    LITMUS_RELAXED,
    LITMUS_ACQUIRE,
    LITMUS_RELEASE,
    LITMUS_ACQ_REL,
    LITMUS_SEQ_CST,
    LITMUS_ORDER_COUNT
};

/* Scopes, narrow to wide. PTX: cta, cluster, gpu, sys. VULKAN: sg, wg, qf, dv. Atomic operations of C have DEVICE. */
enum litmus_scope {
    LITMUS_SCOPE_NONE, /* plain accesses have none */
    LITMUS_WORK_ITEM,
    LITMUS_SUB_GROUP,
    LITMUS_WORK_GROUP,
    LITMUS_CLUSTER,
    LITMUS_QUEUE_FAMILY,
    LITMUS_DEVICE,
    LITMUS_ALL_DEVICES,
    LITMUS_SCOPE_COUNT
};

enum { LITMUS_STORAGE_CLASSES = 4 };

/* VULKAN: bits that an access, a fence or a barrier has besides its order and scope; 0 in other dialects. Source: the
 * Vulkan specification, appendix Memory Model. The four storage classes stand for those that memory semantics name:
 * uniform, workgroup, image and output memory. */
enum litmus_semantics {
    /* An access is of exactly one storage class: bit number 0 is class 0. */
    LITMUS_OF_STORAGE = (1 << LITMUS_STORAGE_CLASSES) - 1,
    /* The storage classes that the memory semantics constrain: any of them. */
    LITMUS_STORAGE_SHIFT = LITMUS_STORAGE_CLASSES,
    LITMUS_ON_STORAGE = LITMUS_OF_STORAGE << LITMUS_STORAGE_SHIFT,
    LITMUS_MAKE_AVAILABLE = 1 << 8, /* in the memory semantics: MakeAvailable, of a release */
    LITMUS_MAKE_VISIBLE = 1 << 9,   /* MakeVisible, of an acquire */
    LITMUS_AVAILABLE = 1 << 10,     /* of a plain store: MakePointerAvailable, with a scope */
    LITMUS_VISIBLE = 1 << 11,       /* of a plain load: MakePointerVisible, with a scope */
    LITMUS_NON_PRIVATE = 1 << 12,   /* of a plain access that has neither: NonPrivatePointer */
    /* Of a fence of order PLAIN and no scope: the host's operation on all memory of the device. */
    LITMUS_AVAILABLE_DEVICE = 1 << 13,
    LITMUS_VISIBLE_DEVICE = 1 << 14
};

/* What an instruction orders besides its own memory: one value, copied and compared whole (litmus/language/order.h). */
struct litmus_ordering {
    enum litmus_order order;
    enum litmus_scope scope;
    unsigned semantics; /* bits of enum litmus_semantics */
};

/* Members of a struct: its ordering, and what that has by the same names. */
#define LITMUS_ORDERED                                                                                                 \
    union {                                                                                                            \
        struct litmus_ordering ordering;                                                                               \
        struct {                                                                                                       \
            enum litmus_order order;                                                                                   \
            enum litmus_scope scope;                                                                                   \
            unsigned semantics;                                                                                        \
        };                                                                                                             \
    }

/* In order of C's ranks. A char is signed. size_t and its family have 64 bits. A float or a double is loaded, stored,
 * exchanged, and compared with == and != only; in PTX and CUDA also added. Its values in a test are whole numbers that
 * it holds exactly. */
enum litmus_type {
    LITMUS_CHAR,
    LITMUS_UCHAR,
    LITMUS_SHORT,
    LITMUS_USHORT,
    LITMUS_INT,
    LITMUS_UINT,
    LITMUS_LONG,
    LITMUS_ULONG,
    LITMUS_SIZE,    /* size_t */
    LITMUS_PTRDIFF, /* ptrdiff_t */
    LITMUS_INTPTR,  /* intptr_t */
    LITMUS_UINTPTR, /* uintptr_t */
    LITMUS_FLOAT,
    LITMUS_DOUBLE,
    /* atomic_flag: 0, or 1 once it is set. An EXCHANGE for 1 is its test-and-set, a STORE of 0 its clear; nothing else
     * accesses it. */
    LITMUS_FLAG,
    /* PTX's mbarrier object, in shared memory. Its initial value is the number of arrivals that end each of its phases,
     * from 1 to 2^20 - 1; 0: none, until LITMUS_MBARRIER_INIT makes it one. Only the operations LITMUS_ARRIVE to
     * LITMUS_MBARRIER_INIT, and the ends of asynchronous operations, access it; conditions cannot. */
    LITMUS_MBARRIER,
    /* PTX's tensor map, as far as a test can tell: the address of the location that it names, in `points_to` at first.
     * A map is for one dimension and a box of 16 bytes. Only tensormap.replace (a STORE of an ADDRESS),
     * tensormap.cp_fenceproxy and copies access it; conditions cannot. */
    LITMUS_TENSORMAP,
    LITMUS_TYPE_COUNT
};

/* An IMAGE (OPENCL) is a read_write image1d_t of one int channel; the elements of the location are its pixels. Its
 * accesses are plain, and no backend runs them. */
enum litmus_region { LITMUS_GLOBAL, LITMUS_LOCAL, LITMUS_IMAGE };

/* PTX proxies. PTX has fences of ALIAS and ASYNC; fences of the others are from the mixed-proxy paper, and no device
 * has them. */
enum litmus_proxy {
    LITMUS_GENERIC,
    LITMUS_TEXTURE,
    LITMUS_SURFACE,
    LITMUS_CONSTANT,
    LITMUS_ALIAS,           /* of fences only */
    LITMUS_ASYNC,           /* of bulk copies, of fences, and of a LOAD that is wgmma.mma_async */
    LITMUS_READONLY,        /* of ld.proxy::readonly only */
    LITMUS_TENSORMAP_PROXY, /* of copies that read a tensor map, and of fences */
    LITMUS_PROXY_COUNT
};

enum { LITMUS_NONE = -1 }; /* "no such index" wherever an index of this header is an int */

struct litmus_location {
    char *name;
    enum litmus_type type;
    bool atomic;      /* some thread declares it with an atomic type (OPENCL, C) */
    bool is_volatile; /* some thread declares it volatile (OPENCL, C) */
    bool legacy;      /* a function of OpenCL C 1.x accesses it, which makes it an atomic object whatever its type */
    bool constant;    /* it is in constant memory, which the models treat as global; never written (OPENCL) */
    enum litmus_region region;
    /* LOCAL: the number of the work-group (placement.work_group) whose memory holds it, if the test says so. The
     * work-groups of its cluster reach it too (PTX's distributed shared memory). LITMUS_NONE: the only work-group that
     * uses it. */
    int home;
    uint32_t elements; /* 1 for a scalar */
    bool array;        /* declared as an array, also with one element */
    int64_t *initial;  /* one value per element */
    int points_to;     /* index of the location whose address it holds initially, or LITMUS_NONE */
    int alias_of;      /* index of the location whose storage this is another name of, or LITMUS_NONE */
    enum litmus_proxy proxy;
    struct litmus_place place;
};

struct litmus_register {
    char *name;
    enum litmus_type type;
    int64_t initial;
    int points_to; /* as in litmus_location */
    bool numbered; /* PTX: its initial value is the thread's number in its range, from 0; `initial` is 0 */
};

enum litmus_operator {
    /* unary */
    LITMUS_NEGATE,
    LITMUS_NOT,
    LITMUS_COMPLEMENT,
    /* binary */
    LITMUS_ADD,
    LITMUS_SUB,
    LITMUS_MUL,
    LITMUS_DIV,
    LITMUS_REM,
    LITMUS_AND,
    LITMUS_OR,
    LITMUS_XOR,
    LITMUS_SHL,
    LITMUS_SHR,
    LITMUS_EQ,
    LITMUS_NE,
    LITMUS_LT,
    LITMUS_LE,
    LITMUS_GT,
    LITMUS_GE,
    LITMUS_LOGICAL_AND,
    LITMUS_LOGICAL_OR,
    LITMUS_MINIMUM,
    LITMUS_MAXIMUM, /* PTX min, max: no C spelling */
    LITMUS_OPERATOR_COUNT
};

enum litmus_operation {
    LITMUS_LOAD,
    LITMUS_STORE,
    LITMUS_EXCHANGE,
    LITMUS_CAS,      /* compare_exchange_strong, or PTX's cas and CUDA's atomicCAS: see `expected` of the access */
    LITMUS_CAS_WEAK, /* compare_exchange_weak */
    LITMUS_FETCH_ADD,
    LITMUS_FETCH_SUB,
    LITMUS_FETCH_MUL, /* MUL and DIV are Dat3M's: no device has them */
    LITMUS_FETCH_DIV,
    LITMUS_FETCH_AND,
    LITMUS_FETCH_OR,
    LITMUS_FETCH_XOR,
    LITMUS_FETCH_MIN,
    LITMUS_FETCH_MAX,
    LITMUS_FETCH_INC, /* PTX's and CUDA's inc: old >= operand ? 0 : old + 1, without a sign */
    LITMUS_FETCH_DEC, /* dec: old == 0 || old > operand ? operand : old - 1 */
    /* Of an mbarrier (PTX ISA, "mbarrier"). A phase ends when no arrival and no byte is pending; then the next
     * begins. */
    LITMUS_ARRIVE,           /* as many arrivals as the operand says */
    LITMUS_EXPECT_TX,        /* that many more bytes are pending */
    LITMUS_ARRIVE_EXPECT_TX, /* EXPECT_TX of the operand, then one arrival */
    LITMUS_COMPLETE_TX,      /* that many fewer bytes are pending: mbarrier.complete_tx, and the end of a copy */
    LITMUS_EXPECT_ARRIVE,    /* that many more arrivals are pending: cp.async.mbarrier.arrive without .noinc */
    LITMUS_TEST_WAIT, /* 1 if the current phase does not have the parity of the operand: that one has ended; else 0 */
    LITMUS_TRY_WAIT,  /* the same; may wait for a while first */
    LITMUS_MBARRIER_INIT, /* a plain write: from now on as many arrivals as the operand says end each phase */
    LITMUS_OPERATION_COUNT
};

struct litmus_expression;

/* PTX: how a load or store uses caches; hints in the ISA ("Cache Operators", "Cache Eviction Priority Hints"). */
enum litmus_cache {
    LITMUS_CACHE_NONE,
    LITMUS_CACHE_ALL,           /* .ca */
    LITMUS_CACHE_GLOBAL,        /* .cg */
    LITMUS_CACHE_STREAMING,     /* .cs */
    LITMUS_CACHE_VOLATILE,      /* ld.cv */
    LITMUS_CACHE_LAST_USE,      /* ld.lu */
    LITMUS_CACHE_WRITE_BACK,    /* st.wb */
    LITMUS_CACHE_WRITE_THROUGH, /* st.wt */
    LITMUS_CACHE_NO_ALLOCATE,   /* .L1::no_allocate */
    LITMUS_CACHE_EVICT_NORMAL,  /* .L1::evict_normal; so the next three */
    LITMUS_CACHE_EVICT_UNCHANGED,
    LITMUS_CACHE_EVICT_FIRST,
    LITMUS_CACHE_EVICT_LAST,
    LITMUS_CACHE_PREFETCH_64, /* .L2::64B, on loads; so the next two */
    LITMUS_CACHE_PREFETCH_128,
    LITMUS_CACHE_PREFETCH_256
};

/* How a test wrote an instruction, where its dialect can write the same one differently. Nothing of it changes the
 * meaning; all false in PTX. */
struct litmus_spelling {
    bool explicit_order, explicit_scope; /* OPENCL, C: atomic_store(x, 1), or with an order, or both */
    /* OPENCL: in OpenCL C 1.x. An access is a function, atomic_add(x, 1): relaxed, of work-group scope ("OpenCL C 1.x
     * Legacy Atomics" in OpenCL C 3.0). A fence is mem_fence, read_mem_fence or write_mem_fence, for the order acq_rel,
     * acquire or release, of work-group scope ("Fences"). A barrier is barrier(flags). */
    bool legacy;
    bool legacy_atom; /* with the prefix of the older extensions: atom_add(x, 1) */
    bool legacy_step; /* without its operand, 1: atomic_inc(x) */
    bool library;     /* CUDA: cuda::atomic_ref or cuda::atomic_thread_fence, not an equivalent built-in function */
    bool assembly;    /* CUDA: an access is an instruction of PTX in asm, which takes no part in races of C++ */
};

/* One access of memory: a load, a store or a read-modify-write. PTX's wgmma.mma_async is a LOAD of proxy ASYNC: the
 * word that it reads from shared memory stands for its matrices, and is in the register once the thread has waited for
 * its group. */
struct litmus_access {
    enum litmus_operation operation;
    enum litmus_type type; /* of the value moved: gives size and signedness */
    LITMUS_ORDERED;
    enum litmus_order failure; /* of a compare_exchange that fails; else equal to order */
    enum litmus_proxy proxy;
    struct litmus_spelling spelling;
    bool no_result;             /* PTX red: its read is not a read operation of acquire patterns */
    enum litmus_cache cache;    /* PTX: the cache operator or eviction hint; the models ignore it */
    enum litmus_cache prefetch; /* PTX: the prefetch of a load, PREFETCH_64 to _256, or NONE; the models ignore it */
    bool read_only;             /* PTX ld.global.nc: proxy is LITMUS_TEXTURE, the address that of the generic name */
    bool mmio;                  /* PTX .mmio: relaxed.sys, and never merged or split */
    struct litmus_expression *address;  /* an ADDRESS, or a pointer-valued register */
    struct litmus_expression *operand;  /* value stored, added, exchanged or, for CAS, desired; NULL for a load. Of an
                                            mbarrier a CONSTANT: arrivals, bytes or parity */
    struct litmus_expression *expected; /* PTX's cas and CUDA's atomicCAS: the value compared with; else NULL. Such an
                                            access returns the old value, any other compare-and-swap returns success. */
    /* Any other CAS: the place of the expected value, and of the old value on failure. Exactly one of the two is
     * set. */
    int expected_register;                      /* index of a register of the thread ("&r0"), or LITMUS_NONE */
    struct litmus_expression *expected_address; /* a location, read and on failure written plainly, or NULL */
};

enum { LITMUS_MAXIMUM_DESTINATIONS = 8 }; /* of a multicast: the work-groups of a portable cluster */

enum litmus_expression_kind {
    LITMUS_EXPRESSION_CONSTANT,
    LITMUS_EXPRESSION_REGISTER,
    LITMUS_EXPRESSION_ADDRESS, /* of location `index`, element `left` (NULL: element 0); `right`: see litmus_copy */
    LITMUS_EXPRESSION_UNARY,
    LITMUS_EXPRESSION_BINARY,
    LITMUS_EXPRESSION_ACCESS /* the result of the access */
};

struct litmus_expression {
    enum litmus_expression_kind kind;
    struct litmus_place place;
    int64_t value;           /* CONSTANT; ADDRESS: 1 + the register of PTX that always has it and is written, or 0 */
    int index;               /* REGISTER: of the thread's registers; ADDRESS: of the test's locations */
    enum litmus_operator op; /* UNARY (operand in left), BINARY */
    struct litmus_expression *left, *right;
    struct litmus_access *access; /* ACCESS */
    bool generic;                 /* ADDRESS: through a parameter that names no address space (OPENCL) */
    enum litmus_type suffix; /* CONSTANT: UINT, LONG, ULONG or FLOAT if it is written 1u, 1l, 1ul or 1.0f; else 0 */
};

enum litmus_statement_kind {
    LITMUS_ASSIGN,  /* register target = value */
    LITMUS_PERFORM, /* value is an ACCESS whose result is dropped */
    LITMUS_FENCE,
    LITMUS_BARRIER,
    LITMUS_IF,         /* value, body, otherwise */
    LITMUS_WHILE,      /* value, body */
    LITMUS_DO_WHILE,   /* body, value */
    LITMUS_LABEL,      /* label */
    LITMUS_GOTO,       /* label; taken if value is NULL or not zero */
    LITMUS_COPY,       /* copy */
    LITMUS_GROUP,      /* group */
    LITMUS_VECTOR,     /* vector */
    LITMUS_COLLECTIVE, /* register target = what `collective` makes of the values of several lanes */
    LITMUS_IDLE,       /* PTX: an instruction that changes no memory, no register and no order: text */
    LITMUS_UNSUPPORTED /* an instruction that parses but has no meaning here: text */
};

struct litmus_block {
    struct litmus_statement *statements;
    size_t count;
};

/* PTX: a fence that orders only some operations. */
enum litmus_restriction {
    LITMUS_UNRESTRICTED,
    LITMUS_SYNC_RESTRICT, /* .sync_restrict: operations on shared memory, `flag_local` and `cluster` */
    /* fence.proxy.tensormap::generic: changes of tensor maps before it, for copies that read them; only of `map`, if
     * there is one. */
    LITMUS_TENSORMAP_RESTRICT,
    LITMUS_INIT_RESTRICT, /* fence.mbarrier_init: its own thread's mbarrier.init before it */
    /* griddepcontrol.wait: what the launches did that this one comes after "by programmatic", for what follows. */
    LITMUS_GRID_WAIT,
    LITMUS_GRID_TRIGGER /* griddepcontrol.launch_dependents: the next launch may begin, after a fence before it */
};

/* How struct litmus_fence and struct litmus_barrier begin, with the same members, so that it is the beginning of either
 * in a statement (C17, 6.5.2.3). */
struct litmus_orders {
    LITMUS_ORDERED;
    /* OPENCL: CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE, CLK_IMAGE_MEM_FENCE. PTX's fence.proxy.async and
     * .sync_restrict: the memory that it covers; both if it names none. Else false. */
    bool flag_global, flag_local, flag_image;
    struct litmus_spelling spelling;
};

struct litmus_fence {
    LITMUS_ORDERED; /* order PLAIN: a proxy fence of both directions; VULKAN: avdevice or visdevice */
    bool flag_global, flag_local, flag_image;
    struct litmus_spelling spelling;
    bool cluster;            /* PTX: .shared::cluster, not only the memory of the thread's own work-group */
    enum litmus_proxy proxy; /* GENERIC unless it is a PTX proxy fence */
    enum litmus_restriction restriction;
    struct litmus_expression *map; /* TENSORMAP_RESTRICT: the ADDRESS of a tensor map; NULL: of all */
    /* tensormap.cp_fenceproxy: the ADDRESS of the tensor map that it copies to `map` first, or NULL. */
    struct litmus_expression *from;
};

struct litmus_barrier {
    /* The order: in VULKAN that of its memory semantics, or PLAIN; in other dialects PLAIN. The scope in OPENCL:
     * work_group_barrier(flags, scope). Elsewhere, the threads that meet: WORK_GROUP (bar.sync, __syncthreads),
     * SUB_GROUP (bar.warp.sync, __syncwarp) or CLUSTER (barrier.cluster). WORK_GROUP if none is written. VULKAN: the
     * memory scope. */
    LITMUS_ORDERED;
    bool flag_global, flag_local, flag_image;
    struct litmus_spelling spelling;
    bool arrive;    /* PTX bar.arrive, barrier.cluster.arrive: does not wait */
    bool wait;      /* PTX barrier.cluster.wait: waits for the barrier at which it arrived */
    bool relaxed;   /* PTX barrier.cluster.arrive.relaxed: orders nothing */
    bool unaligned; /* PTX barrier.cta.sync without .aligned: the lanes of a warp may come from different
                     * instructions */
    bool sub_group; /* OPENCL, CUDA: sub_group_barrier, __syncwarp */
    char *instance; /* label in C or instance in PTX, which identifies the dynamic barrier; or NULL */
    struct litmus_expression *resource; /* PTX barrier id, or NULL */
    struct litmus_expression *quorum;   /* PTX: number of threads that take part, or NULL for all */
};

/*
 * PTX: an asynchronous operation, performed some time after the instruction that initiates it. cp.async.bulk and
 * cp.reduce.async.bulk: `bulk`, from memory, through the async proxy. cp.async: from memory, through the generic one.
 * st.async and red.async: of `value`, through the generic one; to shared memory with an mbarrier, to global memory as a
 * release without.
 *
 * .multicast::cluster: what is read once goes to several work-groups of the cluster, each time to the same offset of
 * its memory, and each one's mbarrier counts the end. The addresses of `to` and of `mbarrier` are then lists of one
 * length, linked by `right`.
 *
 * cp.async.bulk.relaxed: each 16 bytes are read and written at once, like .b128 (LITMUS_VECTOR); both sides have
 * elements of 64 bits.
 *
 * cp.async.bulk.tensor: one of `to` and `from` is the ADDRESS of a tensor map, which the copy reads through the
 * tensormap proxy, and stands for what that map names.
 */
struct litmus_copy {
    bool bulk;
    enum litmus_operation operation; /* STORE, or the read-modify-write that it applies to each element of `to` */
    enum litmus_type type;           /* of an element of `to` */
    enum litmus_order order;         /* of its accesses of `to`: PLAIN for a copy, else RELAXED, or RELEASE to global
                                        memory by st.async and red.async; of a copy that is RELAXED, also of `from` */
    enum litmus_scope scope;         /* if the order is not PLAIN */
    struct litmus_expression *to;    /* an ADDRESS */
    struct litmus_expression *from;  /* an ADDRESS, or NULL */
    struct litmus_expression *value; /* if `from` is NULL */
    /* As written, if `from` is not NULL. Multiples of 16 may extend beyond the location by less than 16. */
    uint32_t bytes;
    struct litmus_expression
        *mbarrier;   /* the ADDRESS of the mbarrier that counts its end; NULL: its thread's group does */
    bool cluster;    /* `to` is written .shared::cluster, required if it is in another work-group's memory */
    bool through_l2; /* cp.async.cg, not .ca */
};

#define LITMUS_MAXIMUM_LANES 8

/* One instruction that accesses several words in a row: PTX's .v2, .v4 and .v8 (32 bytes at most), and its vector
 * atomics; OPENCL's vload and vstore, and plain accesses of vector types. The models see `lanes` accesses in no order
 * among themselves (PTX ISA, "Vector Data-types" of the memory consistency model). PTX's .b128 is two words of 64 bits
 * that are accessed at once: `whole`. */
struct litmus_vector {
    /* The access of each word: operation, type of a word, order, scope, cache, read_only, mmio. address: the ADDRESS of
     * the first word, aligned to the whole vector except for OPENCL's vload and vstore; operand: NULL. */
    struct litmus_access access;
    unsigned lanes; /* 2, 4 or 8; 3 only if `unaligned` */
    bool whole;     /* one access: no other access sees half of it */
    bool unaligned; /* OPENCL vload, vstore: aligned to a word only */
    /* Of the thread, for the words read: LITMUS_NONE if a word is dropped or nothing is read. */
    int registers[LITMUS_MAXIMUM_LANES];
    struct litmus_expression *values[LITMUS_MAXIMUM_LANES];   /* stored, exchanged or added, each; NULL in a load */
    struct litmus_expression *expected[LITMUS_MAXIMUM_LANES]; /* a CAS compares with these, all at once; else NULL */
};

/* PTX: an operation on the thread's own asynchronous copies that name no mbarrier, or on its wgmma.mma_async. */
enum litmus_group_action {
    LITMUS_GROUP_COMMIT,
    LITMUS_GROUP_WAIT,     /* for all groups except the `pending` newest ones */
    LITMUS_GROUP_WAIT_ALL, /* cp.async.wait_all: for all copies, committed or not */
    LITMUS_GROUP_ARRIVE, /* cp.async.mbarrier.arrive: an arrival at `mbarrier` once all its cp.async so far are done */
    LITMUS_GROUP_FENCE   /* wgmma.fence: wgmma.mma_async may use registers that were accessed before */
};

struct litmus_group {
    enum litmus_group_action action;
    bool bulk;                          /* of bulk copies */
    bool matrix;                        /* of wgmma.mma_async; if neither, of cp.async */
    uint32_t pending;                   /* WAIT */
    bool read;                          /* WAIT, bulk: only until the copies have read their sources */
    bool no_increment;                  /* ARRIVE: .noinc, the mbarrier already expects the arrival */
    struct litmus_expression *mbarrier; /* ARRIVE: an ADDRESS */
};

/*
 * A function that the lanes of one sub-group call together, each with a value of its own (PTX ISA, vote.sync,
 * shfl.sync, match.sync, redux.sync, elect.sync, activemask; CUDA programming guide, "Warp Vote Functions" and what
 * follows it; OpenCL C 3.0, "Sub-Group Functions"). The lanes are the threads of a test in one sub-group, numbered from
 * 0 in the order of the threads; bit k of a mask is lane k. They wait for each other and exchange values; none but SYNC
 * orders memory, and nothing promises a dependency through them.
 */
enum litmus_collective_function {
    LITMUS_VOTE_ANY, /* 1 if some lane's value is not 0 */
    LITMUS_VOTE_ALL,
    LITMUS_BALLOT,      /* the mask of the lanes whose value is not 0 */
    LITMUS_SHUFFLE,     /* the value of lane `lane` */
    LITMUS_SHUFFLE_XOR, /* the value of the lane whose number is the own one ^ `lane` */
    LITMUS_MATCH_ANY,   /* the mask of the lanes whose value is the own one */
    LITMUS_MATCH_ALL,   /* the mask if all values are equal, else 0 */
    LITMUS_REDUCE_ADD,
    LITMUS_REDUCE_MIN,
    LITMUS_REDUCE_MAX,
    LITMUS_ELECT,      /* 1 in one lane of the mask, always the same; 0 in the others */
    LITMUS_ACTIVE,     /* a mask with the own lane and any others: nobody waits */
    LITMUS_SYNC_LANES, /* no value: a barrier of the lanes, for what they access before and after it */
    LITMUS_COLLECTIVE_COUNT
};

/* Of a statement with the value of the thread, or NULL, in `value`, and the register for the result, or LITMUS_NONE, in
 * `target`. */
struct litmus_collective {
    enum litmus_collective_function function;
    enum litmus_type type; /* of the values, except in votes: INT or UINT */
    struct litmus_expression *lane;
    struct litmus_expression
        *mask; /* the lanes that call it; those that the test does not have are left out of one with
                                       all bits. NULL: all, or of ACTIVE none */
};

/* What every statement has is zero, NULL or LITMUS_NONE in kinds that lack it. */
struct litmus_statement {
    enum litmus_statement_kind kind;
    struct litmus_place place;
    int target; /* ASSIGN, COLLECTIVE */
    struct litmus_expression *value;
    struct litmus_block body, otherwise;
    int label;                         /* LABEL, GOTO: index of the thread's labels */
    union {                            /* read only the member of the kind */
        struct litmus_orders orders;   /* FENCE, BARRIER */
        struct litmus_fence fence;     /* FENCE */
        struct litmus_barrier barrier; /* BARRIER */
        struct litmus_copy copy;       /* COPY */
        struct litmus_group group;     /* GROUP */
        struct litmus_vector vector;   /* VECTOR */
        struct litmus_collective collective;
        char *text; /* IDLE, UNSUPPORTED: the instruction as written */
    };
};

/* The placement of a thread. Numbers identify instances of a level within the next wider level; LITMUS_NONE: not given.
 * In C each thread is in the work-group of its own number, on device 0. */
struct litmus_placement {
    int sub_group, work_group, cluster, device;
    int queue_family; /* VULKAN: around the work-groups */
    bool host;        /* a thread of the host: it belongs to no device, and the numbers are LITMUS_NONE */
};

extern const struct litmus_placement litmus_unplaced; /* no number is given */

/* A thread, or a range of equal threads that share one body. */
struct litmus_thread {
    unsigned first; /* P<first> */
    unsigned count; /* 1, or more for P<first>..P<first+count-1> */
    struct litmus_placement placement;
    struct litmus_register *registers;
    size_t register_count;
    char **labels;
    size_t label_count;
    struct litmus_block body;
    struct litmus_place place;
};

enum { LITMUS_MAXIMUM_AGENTS = 4, LITMUS_MAXIMUM_LAUNCHES = 8 };

/* The agents that run a test's threads: each device that they name, in order of number, then the host. */
struct litmus_agents {
    unsigned count; /* 1 for most tests */
    bool host;      /* the last one is the host */
    unsigned of_body[LITMUS_MAXIMUM_BODIES];
};

/* "P1 after P0 by queue", "P1 beside P0": threads that are not launched together, and the call of the host that orders
 * their launches. VULKAN's "ssw 0 1" is P1 after P0, by a barrier. */
struct litmus_edge {
    unsigned later, earlier; /* indices of test->threads; for BESIDE either may be first */
    enum launch_edge kind;
    struct litmus_place place;
};

/* Threads that are launched together, because they have the same edges. */
struct litmus_launch {
    unsigned agent; /* number in struct litmus_agents */
    unsigned after; /* bit k: an edge of the test leads from launch k, an earlier one, to this one */
    enum launch_edge edges[LITMUS_MAXIMUM_LAUNCHES]; /* the edge for each of these bits */
};

/* The launches of a test, in an order in which they can be made. */
struct litmus_launches {
    unsigned count; /* 1 if the test has no edge: its threads run at once */
    unsigned of_body[LITMUS_MAXIMUM_BODIES];
    struct litmus_launch launches[LITMUS_MAXIMUM_LAUNCHES];
};

/* A component of an outcome: a register of a thread or an element of a location. */
struct litmus_variable {
    int thread;       /* number of the thread (P<thread>), or LITMUS_NONE for a location */
    int body;         /* index in test->threads of that thread, or LITMUS_NONE */
    int index;        /* of the body's registers, or of the test's locations */
    uint32_t element; /* of an array location */
};

enum litmus_relation { LITMUS_IS, LITMUS_IS_NOT, LITMUS_LESS, LITMUS_LESS_OR_IS, LITMUS_MORE, LITMUS_MORE_OR_IS };

/* An operand of an atom: a variable of the test's `variables`, or a constant. */
struct litmus_term {
    int variable;  /* index, or LITMUS_NONE */
    int64_t value; /* if variable is LITMUS_NONE */
};

enum litmus_proposition_kind {
    LITMUS_TRUE,
    LITMUS_FALSE,
    LITMUS_ATOM,
    LITMUS_NEGATION,
    LITMUS_CONJUNCTION,
    LITMUS_DISJUNCTION,
    LITMUS_IMPLICATION
};

struct litmus_proposition {
    enum litmus_proposition_kind kind;
    struct litmus_term terms[2];   /* ATOM */
    enum litmus_relation relation; /* ATOM */
    struct litmus_proposition *left, *right;
};

enum litmus_quantifier {
    LITMUS_EXISTS,
    LITMUS_NOT_EXISTS,
    LITMUS_FORALL,
    LITMUS_NO_CONDITION /* a test that only lists locations */
};

/* A "Key=value" line between the header and the initial state, such as Cycle=, Com= or Control=. Lines of one
 * Text.LANGUAGE= are one value, joined by newlines. */
/* What is probably a mistake in a test that has a meaning. */
struct litmus_warning {
    struct litmus_place place; /* in the test's text */
    char *text;
};

struct litmus_metadata {
    char *key, *value;
};

struct litmus_test {
    struct arena arena; /* holds the test and everything reachable from it */
    enum litmus_dialect dialect;
    /* Its source text, which its places point into: NUL-terminated. text_dialect is the dialect of that text, which may
     * differ from `dialect`. NULL for a test that was not parsed. */
    const char *text;
    enum litmus_dialect text_dialect;
    char *name;
    char *doc; /* the quoted lines, joined by newlines; never NULL */
    struct litmus_metadata *metadata;
    size_t metadata_count;
    struct litmus_warning *warnings;
    size_t warning_count;
    struct litmus_location *locations;
    size_t location_count;
    struct litmus_thread *threads; /* bodies, in the order of their thread numbers */
    size_t body_count;
    unsigned thread_count;     /* threads, including those of ranges */
    struct litmus_edge *edges; /* in the order of the text */
    size_t edge_count;
    /* Observed: the registers and locations named in the condition, `locations` and `filter`; registers by thread and
     * order of declaration, then locations by order of declaration and element. An outcome is one value for each. */
    struct litmus_variable *variables;
    size_t variable_count;
    size_t *listed; /* the `variables` that a locations [...] list names, ascending; for the printer */
    size_t listed_count;
    struct litmus_proposition *filter; /* or NULL */
    enum litmus_quantifier quantifier;
    struct litmus_proposition *condition; /* NULL only for LITMUS_NO_CONDITION */
};

/* LIMIT, with the reason, for a test of more than LITMUS_MAXIMUM_AGENTS. */
enum status litmus_find_agents(const struct litmus_test *test, struct litmus_agents *agents, struct error *error);

/* The location whose storage this one names: itself, unless it is an alias. */
unsigned litmus_storage(const struct litmus_test *test, unsigned location);

/* The location whose address this one has. A texture, surface or constant name has the generic address that it was made
 * from; a generic alias is an address of its own. */
unsigned litmus_address(const struct litmus_test *test, unsigned location);

/* Whether a read-modify-write of scope ALL_DEVICES may change a location that another agent may access. A thread that
 * accesses memory through a register may access all locations. */
bool litmus_agents_share_atomics(const struct litmus_test *test, unsigned location);

/* Whether a test has an edge of this kind. */
bool litmus_has_edge(const struct litmus_test *test, enum launch_edge kind);

/* The launches that a test's edges define. LIMIT if there are more than LITMUS_MAXIMUM_LAUNCHES; SYNTAX, with the
 * reason, if the edges contradict each other. Always OK for a test that litmus_parse returned. */
enum status litmus_find_launches(const struct litmus_test *test, struct litmus_launches *launches, struct error *error);

/* Whether launch a ends before launch b begins, by one edge or by several, none of them programmatic. */
bool litmus_launch_precedes(const struct litmus_launches *launches, unsigned a, unsigned b);

/* Whether a fence is LITMUS_GRID_WAIT or LITMUS_GRID_TRIGGER. */
bool litmus_fence_is_of_grids(const struct litmus_fence *fence);

/* Whether a programmatic edge leads from launch a to launch b. */
bool litmus_launch_is_dependent(const struct litmus_launches *launches, unsigned a, unsigned b);

/* Whether a wait of launch b (LITMUS_GRID_WAIT) ends only when launch a has ended. */
bool litmus_launch_awaits(const struct litmus_launches *launches, unsigned a, unsigned b);

/* Whether two launches may access the same location and one of them may write it. */
bool litmus_launches_conflict(const struct litmus_test *test, const struct litmus_launches *launches, unsigned a,
                              unsigned b);

/* Whether a body may access the location, by whichever of its names. */
bool litmus_accesses(const struct litmus_test *test, unsigned body, unsigned location);

/* Whether the location may be written while the body runs, other than by the thread's own statements: by a thread of a
 * launch that comes neither before nor after, or by an asynchronous copy. Threads that share the body are others to
 * each other. */
bool litmus_may_change(const struct litmus_test *test, const struct litmus_launches *launches, unsigned body,
                       unsigned location);

/* Parses size bytes of text. file names the text in errors, which read "FILE:LINE:COLUMN: expected ..., found ...". On
 * success *test is the caller's; on failure it is NULL. */
enum status litmus_parse(const char *file, const char *text, size_t size, struct litmus_test **test,
                         struct error *error);

/* The test that its printed text is, with the lines of that text. On success *copy is the caller's; on failure it is
 * NULL. */
enum status litmus_reread(const struct litmus_test *test, struct litmus_test **copy, struct error *error);

/* Appends a whole file, which may be a pipe: `orchil show MP | orchil check /dev/stdin`. UNREADABLE if it cannot be
 * read, LIMIT if it is larger than LITMUS_MAXIMUM_FILE. */
enum status litmus_read_file(const char *path, struct text *text, struct error *error);

/* Creates an empty test in its own arena; releases a test, which may be NULL. */
struct litmus_test *litmus_new(void);
void litmus_release(struct litmus_test *test);

/* The same test with a body for each thread, and numbers as initial values of numbered registers; NULL if the test has
 * none. It shares the original's memory: release it first. */
struct litmus_test *litmus_expand(const struct litmus_test *test);

/* Appends the test in its own dialect, in orchil's layout. Parsing that text gives an equal test. */
void litmus_print(const struct litmus_test *test, struct text *text);

/* Appends an edge as "P1 after P0 by queue", without a newline. The edge need not belong to the test. */
void litmus_print_edge(const struct litmus_test *test, const struct litmus_edge *edge, struct text *text);

/* Appends the instruction at a place of the test's text, as written, but on one line. False, with nothing appended, if
 * the test has no text or the place is not in it. */
bool litmus_print_instruction(const struct litmus_test *test, struct litmus_place place, struct text *text);

/* Appends "exists (...)", "forall (...)" or nothing, on one line. */
void litmus_print_condition(const struct litmus_test *test, struct text *text);

/* Appends the call of a fence in a dialect in C, or of a barrier of OPENCL, without label and semicolon:
 * "mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence()", "work_group_barrier(0, memory_scope_device)". */
void litmus_print_c_fence(enum litmus_dialect dialect, const struct litmus_fence *fence, struct text *text);
void litmus_print_opencl_barrier(const struct litmus_barrier *barrier, struct text *text);

/* The same for a PTX fence: "fence.acq_rel.gpu", "fence.proxy.async.shared::cta". */
void litmus_print_ptx_fence(const struct litmus_fence *fence, struct text *text);

/* Appends the words of VULKAN besides order and scope, each after a dot: ".sc0.semsc0.semav". */
void litmus_print_semantics(struct litmus_ordering ordering, struct text *text);

/* Whether the call of a CUDA fence names libcu++, whose header it then needs. */
bool litmus_cuda_fence_is_library(const struct litmus_fence *fence);

/* CUDA's built-in function for this, such as "atomicAdd_block", or NULL. expects_value: whether a CAS takes a value to
 * compare with, as atomicCAS does, not its place. */
const char *litmus_cuda_function(enum litmus_operation operation, enum litmus_order order, enum litmus_scope scope,
                                 bool expects_value);
/* "__ldcg", the function of CUDA for a load or a store with that cache operator, or "__ldg"; NULL: there is none. */
const char *litmus_cuda_cached(enum litmus_operation operation, enum litmus_cache cache, bool read_only);

/* Appends the names of instructions that orchil parses but has no kernel for ("atom.mul, cp.async.bulk.prefetch.L2"),
 * each once, with the reason for a fence that exists only in the paper; false if there are none. */
bool litmus_unsupported(const struct litmus_test *test, struct text *text);

/* The first rule of OpenCL C that an instruction of an OPENCL test breaks, as a sentence with the function and the
 * section; NULL if there is none. Such a test is judged as if it had a meaning, but does not run. */
const char *litmus_broken_rule(const struct litmus_test *test);

/* The content hash: SHA-256, in hexadecimal, of the printed test without its name, doc lines and metadata; empty if
 * that text would exceed the maximum of base/text.h. */
void litmus_hash(const struct litmus_test *test, char hex[65]);

/* The value of a metadata key, or NULL. */
const char *litmus_metadata(const struct litmus_test *test, const char *key);

/* The prefix of the keys of descriptions in other languages: "Text.", as in "Text.zh". */
extern const char litmus_text_key[];

/* The description in a language, such as "zh": lines joined by newlines. The doc lines are "en". NULL if the test has
 * none in that language. */
const char *litmus_text(const struct litmus_test *test, const char *language);

/* A test's claim about its witness (Expect=). UNPROMISED: its model allows it, but programs rely on never seeing it. */
enum litmus_claim {
    LITMUS_CLAIM_NONE,
    LITMUS_CLAIM_ALLOWED,
    LITMUS_CLAIM_UNPROMISED,
    LITMUS_CLAIM_FORBIDDEN,
    LITMUS_CLAIM_UNKNOWN /* another word */
};
enum litmus_claim litmus_claim(const struct litmus_test *test);

/* Whether the test itself says that its witness must never appear: Expect=forbidden, or a condition ~exists or forall
 * that Expect= does not contradict. An unpromised witness is allowed. */
bool litmus_forbids_witness(const struct litmus_test *test);

/* Whether the test is about progress (Progress=yes): whether all its threads finish. */
bool litmus_is_progress(const struct litmus_test *test);

/* The metadata keys that name other tests. Planted names the test that contains the violation on purpose. */
extern const char litmus_controls[], litmus_mutants[], litmus_planted[];

/* The names of a metadata key one by one; *rest starts as NULL. False after the last, if the key is missing, or if test
 * is NULL. A longer name is cut. */
enum { LITMUS_NAME_SIZE = 256 };
bool litmus_next_name(const struct litmus_test *test, const char *key, const char **rest, char name[LITMUS_NAME_SIZE]);

/* Whether the outcome (one value per test->variables) satisfies the filter; the proposition of the condition. A witness
 * of `exists` and `~exists` satisfies the proposition, one of `forall` violates it (as in herd's and litmus7's
 * logs). */
bool litmus_passes_filter(const struct litmus_test *test, const int64_t *values);
bool litmus_is_witness(const struct litmus_test *test, const int64_t *values);

/* Reads an outcome that litmus_print_outcome printed, into one value per test->variables; false if the label is not an
 * outcome of the test. */
bool litmus_label_read(const struct litmus_test *test, const char *label, int64_t *values);

/* litmus_is_witness of such a label; false if it is not an outcome of the test. */
bool litmus_label_is_witness(const struct litmus_test *test, const char *label);

/* Appends an outcome as "0:r0=1; 1:r1=0; [x]=2;". The only outcome of a test that observes nothing is "-": a label is
 * never empty. */
void litmus_print_outcome(const struct litmus_test *test, const int64_t *values, struct text *text);

/* The name of its register or location. */
const char *litmus_variable_name(const struct litmus_test *test, const struct litmus_variable *variable);

/* For qsort_r: the order of two outcomes, each one value per variable of the struct litmus_test. */
int litmus_compare_values(const void *left, const void *right, void *test);

/* Values of a type wrap like the device's: its low bits, sign- or zero-extended. A float or a double does not wrap: its
 * value is returned unchanged. */
int64_t litmus_wrap(enum litmus_type type, int64_t value);
size_t litmus_type_size(enum litmus_type type);      /* 1, 2, 4 or 8 bytes */
bool litmus_type_is_float(enum litmus_type type);    /* float or double */
bool litmus_type_is_unsigned(enum litmus_type type); /* false for float and double too */

/* The type in which C computes with a value: int for narrower types, long and ulong for size_t and its family. */
enum litmus_type litmus_type_promoted(enum litmus_type type);
/* The type of a CONSTANT in C: of its suffix, else int or long. */
enum litmus_type litmus_type_of_constant(const struct litmus_expression *constant);

/* The type of `left + right`: the promoted type of higher rank. */
enum litmus_type litmus_type_common(enum litmus_type left, enum litmus_type right);

/* Whether a float or a double is a whole number that a test may have: at most 2^24 or 2^53 away from 0. */
bool litmus_is_exact(enum litmus_type type, int64_t value);

/* A value as memory holds it, in the low bits, and back. Each pattern of bits is one value. A pattern that is not an
 * exact whole number (a torn double, -0.0, a NaN) is a value for which litmus_is_exact is false, printed as its bits:
 * 0x80000000. */
uint64_t litmus_value_bits(enum litmus_type type, int64_t value);
int64_t litmus_value_of_bits(enum litmus_type type, uint64_t bits);
enum litmus_type litmus_variable_type(const struct litmus_test *test, const struct litmus_variable *variable);

/* The value of an element before the first access: `initial`, or for an mbarrier the packed value of its first phase
 * (litmus/language/value.h). */
int64_t litmus_initial(const struct litmus_location *location, uint32_t element);

/* The group whose threads meet at a barrier: WORK_GROUP, SUB_GROUP or, in PTX, CLUSTER. In OPENCL and VULKAN a
 * barrier's scope does not say who meets. */
enum litmus_scope litmus_barrier_level(enum litmus_dialect dialect, const struct litmus_barrier *barrier);

/* "plain", "volatile", "relaxed", "acquire", "release", "acq_rel", "seq_cst": the order, whatever the dialect. */
const char *litmus_order_word(enum litmus_order order);

/* "work_item", "sub_group", "work_group", "cluster", "queue_family", "device", "all_devices", likewise; "" for none. */
const char *litmus_scope_word(enum litmus_scope scope);

/* Words of the formats, for messages and tables. Never NULL; "?" for a value outside the enumeration. */
const char *litmus_dialect_name(enum litmus_dialect dialect); /* "OPENCL", "PTX", "CUDA", "C", "VULKAN" */
/* Whether its threads are columns of instructions, not functions in C. */
bool litmus_has_columns(enum litmus_dialect dialect);
const char *litmus_order_name(enum litmus_dialect dialect,
                              enum litmus_order order); /* "memory_order_relaxed", "relaxed" */
const char *litmus_scope_name(enum litmus_dialect dialect, enum litmus_scope scope); /* "memory_scope_device", "gpu" */
const char *litmus_operation_name(enum litmus_dialect dialect,
                                  enum litmus_operation operation); /* "fetch_add", "add" */
/* The name of a read-modify-write in OpenCL C 1.x, after "atomic_" or "atom_": "add", "cmpxchg"; step: the form without
 * an operand, "inc". NULL if there is none. */
const char *litmus_legacy_name(enum litmus_operation operation, bool step);
const char *litmus_operator_name(enum litmus_operator op); /* "+", "==" */
const char *litmus_proxy_name(enum litmus_proxy proxy);    /* "texture", "async" */
const char *litmus_cache_name(enum litmus_cache cache);    /* "cg", "L1::no_allocate", "L2::128B"; not of NONE */
bool litmus_cache_is_operator(enum litmus_cache cache);    /* .ca to .wt, and neither a hint nor NONE */
const char *litmus_type_name(enum litmus_type type);       /* "int", "size_t", "atomic_flag" */
