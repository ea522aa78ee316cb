// SPDX-License-Identifier: Apache-2.0
/* Where the parts of a test go in its kernel: its threads to slots, its locations to cells, what it observes to result
 * words. Shared by generate.c and the writers of the text. */
#pragma once

#include "kernel/lower.h"

/* A set of result words that one item writes together, with the stamp of its round: the observed registers of one
 * thread, or the observed local locations of one slot. Each slot has at least one. */
struct allocation_part {
    int body;        /* index, or LITMUS_NONE for the local locations of a slot */
    unsigned thread; /* number of the thread in its body's range, from 0 */
    unsigned slot;
    unsigned stamp_word;
};

struct allocation_variable {
    int part;      /* index, or LITMUS_NONE for a global location, which is read in place */
    unsigned word; /* first result word */
};

/* What a test's asynchronous operations need (async.c). */
struct allocation_async {
    unsigned architecture;                   /* 80, 90 or 100; 0: the test has no asynchronous operations */
    const char *what;                        /* the operation that needs it: "cp.async.bulk" */
    unsigned room[LITMUS_MAXIMUM_LOCATIONS]; /* words of a copied location, which is contiguous; else 0 */
    bool bulk;                               /* there is a bulk copy, whose proxy is not the kernel's */
    bool mbarriers, transactions;            /* there are mbarriers; they count bytes */
    /* A multicast writes at one offset in the memory of several work-groups: the location there of its first
     * destination. Of any other location: itself. */
    unsigned beside[LITMUS_MAXIMUM_LOCATIONS];
    bool endless;                           /* there is an operation whose end no thread can wait for */
    bool copies[KERNEL_MAXIMUM_SLOTS];      /* slots with cp.async */
    bool bulk_groups[KERNEL_MAXIMUM_SLOTS]; /* slots with bulk copies that complete in groups of their thread */
};

/* A location that vectors access, which is contiguous. */
struct allocation_vectored {
    unsigned room;      /* its words; 0: no vector accesses it */
    unsigned alignment; /* in words */
};

/* Which memory a location names, and by which of its addresses. */
struct allocation_path {
    unsigned storage; /* the location whose cell it is */
    unsigned mapping; /* 0: the address of test memory itself; k: its k-th alias */
    unsigned proxies; /* of the accesses that name it: bits 1 << enum litmus_proxy */
    bool banked;      /* the cell lies in the constant bank */
    bool shared;      /* the cell is also reached by other locations or through a proxy */
    bool read_only;   /* a read_only access names it */
};

struct allocation {
    const struct litmus_test *test;
    const struct backend_device *device;
    struct litmus_agents agents;
    struct kernel *kernel;
    /* Where each location lies: its region or, in VULKAN, that of the storage class of its accesses. */
    enum litmus_region region_of[LITMUS_MAXIMUM_LOCATIONS];
    bool plain[LITMUS_MAXIMUM_LOCATIONS];       /* accessed plainly, in a language that keeps such locations apart */
    unsigned cell_of[LITMUS_MAXIMUM_LOCATIONS]; /* first word of a location among an instance's cells */
    int local_slot[LITMUS_MAXIMUM_LOCATIONS];   /* slot whose group holds a local location; else LITMUS_NONE */
    struct allocation_path path_of[LITMUS_MAXIMUM_LOCATIONS];
    unsigned first_thread[LITMUS_MAXIMUM_BODIES]; /* number of a body's first thread in its slot */
    unsigned row_of[LITMUS_MAXIMUM_BODIES];       /* sub-group of a body, if the kernel lays them out */
    struct allocation_part *parts;                /* owned */
    unsigned part_count;
    struct allocation_variable *variables; /* owned; one per variable */
    struct allocation_async async;
    struct allocation_vectored vectored[LITMUS_MAXIMUM_LOCATIONS];
    int gave_up_word; /* result word that says that a thread gave up, or LITMUS_NONE if none can spin */
};

/* Places threads in slots, locations in cells and variables in result words. UNSUPPORTED, with the reason, if the
 * skeleton cannot play the test. The caller releases the allocation, whatever the result. */
enum status allocation_make(const struct litmus_test *test, const struct backend_device *device, struct kernel *kernel,
                            struct allocation *allocation, struct error *error);
void allocation_release(struct allocation *allocation);

/* Finds the values that each variable may take. Control flow is ignored and the search stops after a few rounds, so
 * other values are possible; these go to the table. */
void allocation_domains(const struct litmus_test *test, struct kernel *kernel);

/* Where a location's cells are. */
enum syntax_place allocation_place(const struct allocation *allocation, unsigned location);

/* Finds the locations that are accessed plainly, for a language in which these have memory of their own. UNSUPPORTED if
 * one is also accessed atomically, or by a pointer. */
enum status allocation_part_plain(struct allocation *allocation, struct error *error);

/* Surveys the asynchronous operations; threads and local locations must have their slots. UNSUPPORTED, with the reason,
 * if the ISA gives one no meaning or the device lacks it. */
enum status allocation_survey_async(struct allocation *allocation, struct error *error);

/* A survey of what a test's instructions need. */
struct allocation_survey {
    struct allocation *allocation;
    unsigned body;                            /* that is surveyed */
    unsigned meetings[LITMUS_MAXIMUM_BODIES]; /* by body: its barrier.cluster.arrive and .wait */
    unsigned architecture;                    /* that the test needs, 80 for sm_80; 0: any */
    const char *what;                         /* the first operation that needs it */
    enum status status;                       /* of the first refusal */
    struct error *error;
};

/* Notes that the test needs an architecture; that it is UNSUPPORTED, with the reason, unless it is already. */
void allocation_need(struct allocation_survey *survey, unsigned architecture, const char *what);
void allocation_refuse(struct allocation_survey *survey, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* UNSUPPORTED if the device's architecture is earlier than sm_<architecture>, which `what` needs. */
enum status allocation_check_architecture(const struct allocation *allocation, unsigned architecture, const char *what,
                                          struct error *error);

/* Whether a body is in the slot. */
bool allocation_in_slot(const struct allocation *allocation, unsigned body, unsigned slot);

/* Whether an instruction of a body names the location; whether a slot has local locations. */
bool allocation_names(const struct litmus_test *test, unsigned body, unsigned location);
bool allocation_has_locals(const struct allocation *allocation, unsigned slot);

/* Whether outcomes contain the register of a thread of the body. */
bool allocation_observes(const struct litmus_test *test, unsigned body, unsigned number);

/* Whether a thread has copies in groups. Waiting for groups waits for all copies of the item. */
bool allocation_has_groups(const struct litmus_block *block);

/* Whether the elements of a location are contiguous whatever the stride. The place of an element is a word among the
 * instance's cells, which the stride multiplies (allocation_cell), plus words that it does not (allocation_step). */
bool allocation_in_one_piece(const struct allocation *allocation, unsigned location);
unsigned allocation_cell(const struct allocation *allocation, unsigned location, uint32_t element);
unsigned allocation_step(const struct allocation *allocation, unsigned location, uint32_t element);

/* An mbarrier's cell: itself, two words, then the arrivals and the bytes that its threads report. */
enum { ALLOCATION_MBARRIER_ARRIVALS = 2, ALLOCATION_MBARRIER_BYTES = 3, ALLOCATION_MBARRIER_WORDS = 4 };

/* 32-bit words of a cell or a result of the type. A narrower type uses the low bytes of a word. */
unsigned allocation_words(enum litmus_type type);

/* Whether a statement is a jump or the label of one; whether a body can iterate, by a loop or a jump. */
bool allocation_jumps(const struct litmus_statement *statement);
bool allocation_spins(const struct litmus_block *block);

/* ---- tests of several launches ---- */

/* Checks that the device, or the ensemble, supports all edges between the test's launches. UNSUPPORTED, with the
 * reason, if not. */
enum status launches_check(const struct litmus_test *test, const struct backend_device *device, struct error *error);

/* "#define LAUNCH_OF(slot) ((slot) == 0u ? 0u : 1u)" and the other definitions that the skeleton needs for a test of
 * several launches. */
void launches_write(const struct kernel *kernel, struct text *text);
