// SPDX-License-Identifier: Apache-2.0
/* A sentence for each axiom and flag of the built-in models. User models have none. */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "models/explain/explain.h"

/* models: a pattern of ids. The models' texts name the sources. */
static const struct {
    const char *models, *axiom, *sentence;
} axioms[] = {
    {"sc", "sc",
     "All instructions take effect one after the other, each thread's in the order of its text, and a read returns the "
     "latest write."},
    {"tso", "tso",
     "Only a write may be delayed, past later reads of its thread; all threads see writes in one order, and a fence or a "
     "locked instruction waits until the thread's earlier writes are seen."},
    {"tso", "sc-per-location", "All accesses of one location take effect in one order that keeps each thread's own."},
    {"sc", "atomicity", "Nothing writes a location between the read and the write of a read-modify-write."},
    {"tso", "atomicity", "Nothing writes a location between the read and the write of a read-modify-write."},
    {"*", "Atomicity",
     "No other atomic write of the location comes between the read and the write of a read-modify-write."},
    {"ptx*", "Causality",
     "A read returns no write that comes later by causality, and none that is overwritten by causality before the read. "
     "Causality orders what comes before a release ahead of what comes after the acquire that reads it, directly or "
     "through fences and barriers."},
    {"ptx*", "Coherence",
     "A write that comes later by causality also comes later in the order of its location's writes."},
    {"ptx*", "Coherence-of-strong-writes",
     "Strong writes of one location whose scopes include each other's threads are all in one order."},
    {"ptx*", "Fence-SC",
     "All sc fences whose scopes include each other's threads take effect in one order, which respects causality."},
    {"ptx*", "No-Thin-Air",
     "No value may be the reason for itself: a write that depends on a read cannot feed that read."},
    {"rc11", "No-Thin-Air",
     "A read returns no write that comes later in program order, directly or by way of other threads' reads."},
    {"ptx*", "SC-per-Location",
     "All threads see the strong accesses of one location in one order (if their scopes cover both threads), and each "
     "thread's accesses keep their program order in it."},
    {"ptx*", "Whole-reads", "A read of 128 bits does not see parts of two writes of 128 bits."},
    {"ptx*", "Whole-accesses",
     "An access of 128 bits is one: all of it comes before or after every other access of what it reads or writes."},
    {"ptx-strengthened", "Overtaken-Release",
     "What a release publishes stays published when another thread overwrites the released location."},
    {"ptx-x86", "Host-Causality",
     "What precedes a store of the host, or a release of a GPU, comes before what follows a load of the host, or an acquire "
     "of a GPU, that reads it; a read returns no write that comes later, and none that is overwritten before the read."},
    {"ptx-x86", "Host-Coherence",
     "A write that comes later by such causality also comes later in the order of its location's writes."},
    {"ptx-strengthened", "Once-Read", "What one thread has read, threads that synchronise with it later do not miss."},
    {"rc11*", "Coherence",
     "All accesses of one location agree on one order of its writes, and that order respects happens-before: program order and "
     "releases that acquires see."},
    {"rc11*", "SC", "All seq_cst accesses and fences take effect in one order that all threads agree on."},
    {"opencl*", "Happens-before-global",
     "Happens-before, which consists of program order and of releases that acquires see, has no cycle."},
    {"opencl*", "Happens-before-local",
     "Happens-before of local memory, which consists of program order and of releases that acquires see, has no cycle."},
    {"opencl*", "Coherence-global",
     "The writes of an atomic location have one order, which respects happens-before; no read goes back in it."},
    {"opencl*", "Coherence-local",
     "The writes of an atomic location in local memory have one order, which respects happens-before; no read goes back in it."},
    {"opencl*", "Read-from-the-past", "A read returns no write that it happens before."},
    {"opencl*", "Visible-global", "A read of a plain location returns the latest write that happened before it."},
    {"opencl*", "Visible-local",
     "A read of a plain location in local memory returns the latest write that happened before it."},
    {"opencl*", "Visible-image",
     "A read of an image returns the latest write that happened before it, or one of its own work-item's."},
    {"opencl*", "Last-write", "A plain write that happened before another cannot be the final value."},
    {"opencl*", "SC-total-order",
     "All seq_cst operations take effect in one order that all work-items agree on, where they all have scope device."},
    {"opencl-scoped", "SC-scoped",
     "Seq_cst operations whose scopes include each other's work-items take effect in one order that these agree on."},
    {"hsa", "Happens-before",
     "Happens-before, which consists of program order and of releases that acquires see, has no cycle."},
    {"hsa", "Coherent-order",
     "Each location has one order of all its accesses; it respects happens-before, and a read returns the latest write in it."},
    {"hsa", "Plausible",
     "No value may be the reason for itself: a write that depends on a read cannot feed that read."},
    {"hsa", "SC-synchronisation",
     "All releases and acquires of one scope take effect in one order, which respects happens-before and coherence."},
    {"vulkan*", "Acyclicity",
     "What happens before, is made available and is made visible comes first at its location: a read returns no write that "
     "comes later in this order or in that of atomics, and none that is overwritten in it before the read."},
    {"vulkan*", "Coherence", "A location does not end in a write that another overwrites in location order."},
    {"vulkan*", "data-race",
     "Two accesses of the location are in no order, one of them writes, and they are not atomics of one reference whose "
     "scopes reach both threads. An order between threads takes happens-before, a write that is made available and a read "
     "that is made visible, none of them private: the behaviour of the program is undefined."},
    {"rc11*", "data-race",
     "Two threads access the location with nothing ordering them, one of them writes, and one access is not atomic: the "
     "behaviour of the program is undefined."},
    {"opencl*", "data-race",
     "Two threads access the location with nothing ordering them, one of them writes, and one access is not atomic, or their "
     "scopes are not the same, or do not reach both threads: the behaviour of the program is undefined."},
    {"*", "data-race",
     "Two threads access the location with nothing ordering them, one of them writes, and one access is not atomic, or their "
     "scopes do not reach both threads: the behaviour of the program is undefined."},
    {"opencl*", "unsequenced-race",
     "One work-item accesses the location twice in one expression, in no order: the language does not define the program."},
    {"ptx*", "barrier-divergence",
     "Threads of one warp, or in CUDA C++ of one block, do not all reach the same barrier: the program has no meaning."},
    {"*", "barrier-divergence",
     "Some threads of the work-group never reach a barrier that others wait at: the program has no meaning."},
    {"opencl*", "fence-without-flags", "A fence names no memory: the program has no meaning."},
    {"hsa", "ordinary-race",
     "Two threads access the location with nothing ordering them, one of them writes, and not both are atomic."},
    {"hsa", "scope-race", "Two atomic accesses of the location meet whose scopes do not include each other's threads."},
    {"hsa", "overlap-race", "Two atomic accesses overlap in some bytes only."},
    {"hsa", "segment-race", "Work-items of two work-groups access one group segment."},
    {"ptx*", "mbarrier-not-initialised",
     "An operation on an mbarrier may come before its mbarrier.init: the program has no meaning."},
    {"ptx*", "mbarrier-initialised-twice", "mbarrier.init of what already is an mbarrier: the program has no meaning."},
    {"ptx*", "unspecified-host-race", "A plain access of a host thread races: C++ gives that no meaning."},
    {"ptx*", "unspecified-mixed-sizes",
     "Two accesses of different sizes overlap and race: PTX does not say what they see."},
};

const char *explanation_axiom_sentence(const char *model, const char *axiom)
{
    for (size_t i = 0; axiom && i < sizeof axioms / sizeof *axioms; i++)
        if (strcmp(axioms[i].axiom, axiom) == 0 && fnmatch(axioms[i].models, model, 0) == 0)
            return axioms[i].sentence;
    return NULL;
}
