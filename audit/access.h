// SPDX-License-Identifier: Apache-2.0
/*
 * What a kernel does to memory, and how its threads order that: accesses with the buffer and the threads that they
 * belong to, fences and barriers, the ways between them, and the loops that wait.
 */
#pragma once

#include "audit/value.h"

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_RED, ACCESS_ATOM };

/* Which threads of a block execute an instruction. */
enum access_role { ROLE_ALL, ROLE_WARP /* one warp */, ROLE_LANE /* one thread of each warp */, ROLE_ONE };

enum access_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED };

enum { ACCESS_MOST_BUFFERS = 4 };

struct access {
    unsigned instruction;
    enum access_kind kind;
    enum access_space space;
    const struct form *address;
    /* The parameters, variables and loaded pointers that the address may be based on; none if that is not known. */
    const struct form_term *buffers[ACCESS_MOST_BUFFERS];
    unsigned buffer_count;
    enum litmus_order order;
    enum litmus_scope scope; /* of a weak access too: DEVICE */
    unsigned bytes;
    bool read_only; /* ld.global.nc */
    enum access_role role;
};

enum sync_kind {
    SYNC_FENCE = 1,
    SYNC_PROXY = 2,
    SYNC_BLOCK = 4, /* a barrier of the block or of a cluster, or a wait for an mbarrier */
    SYNC_WARP = 8,
    SYNC_SHUFFLE = 16, /* threads of a warp exchange values */
    SYNC_GRID_WAIT = 32,
    SYNC_TRIGGER = 64,
    SYNC_BULK = 128,  /* a bulk copy, or wgmma.mma_async */
    SYNC_ARRIVE = 256 /* at an mbarrier */
};

struct sync {
    enum sync_kind kind;
    unsigned instruction;
    enum access_role role;
};

/* A loop that waits until a load, or an atomic, reads something else. */
struct poll {
    unsigned access;
    const struct flow_loop *loop;
};

enum { FACTS_MOST_AROUND = 64 };

/* A kernel with all that is known of it. */
struct audited {
    struct arena arena;
    struct flow flow;
    struct values values;
    struct access *accesses;
    size_t access_count;
    struct sync *syncs;
    size_t sync_count;
    struct poll *polls;
    size_t poll_count;
    unsigned *of_instruction; /* one more than the index of its access; 0: none */
    double deadline;          /* by clock_seconds */
    bool tables;              /* as in audited_read */
    bool late;                /* it has passed: what follows is not complete */
    unsigned *seen, stamp;    /* of blocks, for walks */
    unsigned *stack;
    bool *marked; /* audited_depending's */
};

/* tables: pointers that are loaded from one table point to one buffer. False, with the reason, if the kernel is not
 * followed. The caller calls audited_release whatever the result. */
bool audited_read(const struct ptx_module *module, const struct ptx_kernel *kernel, double deadline, bool tables,
                  struct audited *audited, const char **reason);
void audited_release(struct audited *audited);

/* Whether the deadline has passed. Loops over accesses ask, so that each kernel ends. */
bool audited_is_late(struct audited *audited);

/* ---- ways ---- */

/* Instructions that a way may not pass, and facts that hold on it: it takes no branch that one of them excludes. */
struct way {
    const unsigned *avoid;
    unsigned avoid_count;
    const struct value_fact *facts;
    unsigned fact_count;
};

/* Can control go from one instruction to another, in at least one step? way may be NULL. Instructions that a guard may
 * skip are no obstacle. */
bool audited_reaches(struct audited *audited, unsigned from, unsigned to, const struct way *way);

/* What orders all ways from one instruction to another: the syncs of these kinds (bits) that each way passes, in order,
 * at most `most`. Returns how many. */
unsigned audited_between(struct audited *audited, unsigned from, unsigned to, unsigned kinds, const struct sync **syncs,
                         unsigned most);

/* The next of the branches that decide whether a block runs, from the closest one outwards: *block starts as the block
 * and moves on. *truth: what the branch's guard is where the block runs. NULL after the last. */
const struct flow_instruction *audited_next_branch(const struct audited *audited, unsigned *block, bool *truth);

/* The facts of the branches that lead to an instruction, and of its guard; at most FACTS_MOST_AROUND. */
unsigned audited_facts(struct audited *audited, unsigned instruction, struct value_fact *facts);

/* ---- values ---- */

/* The registers whose values depend on those of an instruction, through registers and, unless `loop` is given, shared
 * memory; in a loop, through its instructions only. A bool for each register; the audited's, until the next call. */
const bool *audited_depending(struct audited *audited, unsigned instruction, const struct flow_loop *loop);

/* Whether both may be in one buffer; false if either is unknown. */
bool access_shares_buffer(const struct access *one, const struct access *two);

/* Whether the instruction's access is a compare-and-swap, an exchange. */
bool access_is(const struct audited *audited, const struct access *access, const char *word);
