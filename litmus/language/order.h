// SPDX-License-Identifier: Apache-2.0
/* What orders, scopes and operations imply, whatever the dialect. */
#pragma once

#include "litmus/litmus.h"

/* ---- orders ---- */

static inline bool order_acquires(enum litmus_order order)
{
    return order == LITMUS_ACQUIRE || order == LITMUS_ACQ_REL || order == LITMUS_SEQ_CST;
}

static inline bool order_releases(enum litmus_order order)
{
    return order == LITMUS_RELEASE || order == LITMUS_ACQ_REL || order == LITMUS_SEQ_CST;
}

/* Whether an access of this order is atomic and therefore has a scope. */
static inline bool order_is_atomic(enum litmus_order order)
{
    return order >= LITMUS_RELAXED;
}

/* Whether `order` guarantees all that `than` does. A volatile access is a relaxed one of the widest scope (PTX ISA,
 * "ld"). */
static inline bool order_at_least(enum litmus_order order, enum litmus_order than)
{
    if (order == than || than == LITMUS_PLAIN || order == LITMUS_SEQ_CST)
        return true;
    if (than == LITMUS_VOLATILE || than == LITMUS_RELAXED)
        return order != LITMUS_PLAIN;
    return order == LITMUS_ACQ_REL && than != LITMUS_SEQ_CST;
}

/* The weakest order that is at least both. Of the read and the write of a read-modify-write: the order of the whole. */
static inline enum litmus_order order_joined(enum litmus_order one, enum litmus_order two)
{
    return order_at_least(one, two) ? one : order_at_least(two, one) ? two : LITMUS_ACQ_REL;
}

/* The order of the read of a read-modify-write, and so of a compare-and-swap that fails if only the order of success is
 * written (C++20, [atomics.ref.ops]); the order of its write. */
static inline enum litmus_order order_of_read(enum litmus_order order)
{
    return order == LITMUS_ACQ_REL ? LITMUS_ACQUIRE : order == LITMUS_RELEASE ? LITMUS_RELAXED : order;
}

static inline enum litmus_order order_of_write(enum litmus_order order)
{
    return order == LITMUS_ACQ_REL ? LITMUS_RELEASE : order == LITMUS_ACQUIRE ? LITMUS_RELAXED : order;
}

/* ---- orderings ---- */

static inline bool ordering_same(struct litmus_ordering a, struct litmus_ordering b)
{
    return a.order == b.order && a.scope == b.scope && a.semantics == b.semantics;
}

/* Whether `has` guarantees all that `needs` does, apart from the scope. */
static inline bool ordering_covers(struct litmus_ordering has, struct litmus_ordering needs)
{
    return order_at_least(has.order, needs.order) && (needs.semantics & ~has.semantics) == 0;
}

/* Of the halves of a read-modify-write: acquire belongs to the read, which makes visible, and release to the write,
 * which makes available; both have its scope and its storage classes. */
static inline struct litmus_ordering ordering_of_read(struct litmus_ordering whole)
{
    whole.order = order_of_read(whole.order);
    whole.semantics &= ~(unsigned)LITMUS_MAKE_AVAILABLE;
    return whole;
}

static inline struct litmus_ordering ordering_of_write(struct litmus_ordering whole)
{
    whole.order = order_of_write(whole.order);
    whole.semantics &= ~(unsigned)LITMUS_MAKE_VISIBLE;
    return whole;
}

/* VULKAN: the storage classes of an access, bit 0 for class 0. */
static inline unsigned ordering_storage(struct litmus_ordering ordering)
{
    return ordering.semantics & LITMUS_OF_STORAGE;
}

/* VULKAN: what an order adds to the semantics: the storage classes that it constrains and, if it shows other accesses,
 * to make available what it releases, and visible what it acquires. Nothing of an order that does neither. */
static inline unsigned order_semantics(enum litmus_order order, unsigned classes, bool shows)
{
    const bool releases = order_releases(order), acquires = order_acquires(order);
    if (!releases && !acquires)
        return 0;
    return classes << LITMUS_STORAGE_SHIFT | (shows && releases ? LITMUS_MAKE_AVAILABLE : 0U) |
           (shows && acquires ? LITMUS_MAKE_VISIBLE : 0U);
}

/* ---- operations ---- */

/* A compare-and-swap, which may fail. */
static inline bool operation_compares(enum litmus_operation operation)
{
    return operation == LITMUS_CAS || operation == LITMUS_CAS_WEAK;
}

/* A load or a store; any other operation of memory both reads and writes. */
static inline bool operation_moves(enum litmus_operation operation)
{
    return operation == LITMUS_LOAD || operation == LITMUS_STORE;
}

/* An operation of an mbarrier; one that waits for a phase. */
static inline bool operation_is_mbarrier(enum litmus_operation operation)
{
    return operation >= LITMUS_ARRIVE;
}

static inline bool operation_is_wait(enum litmus_operation operation)
{
    return operation == LITMUS_TEST_WAIT || operation == LITMUS_TRY_WAIT;
}

/* Whether C has the operation with this order: a load does not release, and a store does not acquire. */
static inline bool operation_has_order(enum litmus_operation operation, enum litmus_order order)
{
    return order == LITMUS_SEQ_CST || ((operation != LITMUS_LOAD || !order_releases(order)) &&
                                       (operation != LITMUS_STORE || !order_acquires(order)));
}

/* ---- scopes ---- */

/* Whether two different threads at these places are in one instance of the scope.
 *
 * If the test does not give a number, every thread is alone at that level (a cluster has one CTA by default, and two
 * work-items need not share a sub-group), but there is one device, and one queue family. A thread of the host is on no
 * device. */
static inline bool scope_includes(enum litmus_scope scope, const struct litmus_placement *one,
                                  const struct litmus_placement *two)
{
    const bool device = one->device == two->device && !one->host && !two->host;
    const bool family = device && one->queue_family == two->queue_family;
    const bool group =
        family && one->cluster == two->cluster && one->work_group == two->work_group && one->work_group != LITMUS_NONE;
    switch (scope) {
    case LITMUS_SUB_GROUP:
        return group && one->sub_group != LITMUS_NONE && one->sub_group == two->sub_group;
    case LITMUS_WORK_GROUP:
        return group;
    case LITMUS_CLUSTER:
        return group || (device && one->cluster != LITMUS_NONE && one->cluster == two->cluster);
    case LITMUS_QUEUE_FAMILY:
        return family;
    case LITMUS_DEVICE:
        return device;
    case LITMUS_ALL_DEVICES:
        return true;
    default:
        return false;
    }
}
