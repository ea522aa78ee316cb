// SPDX-License-Identifier: Apache-2.0
/*
 * The search for a barrier. A meeting is one place in each thread of a work-group (of a sub-group, of a cluster): a new
 * barrier there, or one that some of the threads have and that others lack, or that is to order more memories. All
 * threads of the group have to reach it, so each gets it, outside of branches and loops, after as many barriers as the
 * others; a thread that takes no part in the outcome gets it at the first such place.
 *
 * Meetings are judged in narrow groups before wide ones, and with few memories before more. Of those that do, the
 * result is one that leaves no other witness, orders more at barriers that are there, and leaves the most outcomes and
 * values that were written: a barrier that lets a message through is better than one that cuts it off.
 *
 * A thread of a programmatic launch may wait alone, for the launches before.
 *
 * The bound: n threads that take part, with p places each, have p^n meetings, of which MOST_MEETINGS are judged: two
 * threads of 15 instructions have 256, and so have four of 3 instructions. That is repeated for each level of groups
 * (4, of which most tests have one), for each set of memories (1, or 3 for two of them), and once for all threads.
 */
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "models/explain/sites.h"

enum { MOST_MEETINGS = 512, MOST_STATEMENTS = 2 };

struct meeting {
    uint64_t bodies;                      /* those with a place */
    size_t places[LITMUS_MAXIMUM_BODIES]; /* sites */
    unsigned slot;                        /* of the sites; odd: barriers that are there */
    unsigned last, skew; /* how many places of its slot a thread has before it, and how unlike that is in the threads */
};

struct barrier_search {
    const struct repair_wanted *wanted;
    struct repairs *found;
    struct sites sites;
    uint64_t active; /* threads that take part */
    const struct meeting_row *row;
    unsigned memories; /* bits, as sites_memories */
    struct meeting *meetings;
    size_t count;
    const struct meeting *best;
    uint64_t worth; /* of that */
};

/* ---- what is put into a test ---- */

/* What threads may be given to wait at: which of them share it, and its statements, of which it returns the number. */
struct meeting_row {
    enum litmus_scope level;
    bool (*share)(const struct litmus_test *test, enum litmus_scope level, unsigned one, unsigned two);
    size_t (*write)(const struct barrier_search *search, struct litmus_statement *list);
    bool alone; /* one thread may wait */
};

static bool share_level(const struct litmus_test *test, enum litmus_scope level, unsigned one, unsigned two)
{
    const struct litmus_placement *place = &test->threads[one].placement;
    const bool exists = level != LITMUS_CLUSTER || (test->dialect == LITMUS_PTX && place->cluster != LITMUS_NONE);
    return exists && dialects[test->dialect].has_places && scope_includes(level, place, &test->threads[two].placement);
}

/* A cluster's threads arrive and wait in two instructions. */
static size_t write_barrier(const struct barrier_search *search, struct litmus_statement *list)
{
    static char instance[] = "0"; /* threads meet at barriers of one name in order */
    const struct dialect *dialect = &dialects[search->sites.test->dialect];
    const enum litmus_scope level = search->row->level;
    struct litmus_barrier barrier = {.scope = level, .sub_group = level == LITMUS_SUB_GROUP};
    if (dialect->has_flags) {
        barrier.flag_global = search->memories >> LITMUS_GLOBAL & 1;
        barrier.flag_local = search->memories >> LITMUS_LOCAL & 1;
        barrier.flag_image = search->memories >> LITMUS_IMAGE & 1;
        barrier.spelling.legacy = level == LITMUS_WORK_GROUP; /* barrier(flags), of all versions */
    } else if (dialect->has_semantics) {
        barrier.order = LITMUS_ACQ_REL;
        barrier.semantics = (sites_semantics(search->sites.test, LITMUS_ACQ_REL) & ~(unsigned)LITMUS_ON_STORAGE) |
                            search->memories << LITMUS_STORAGE_SHIFT;
    }
    if (dialect->has_semantics || search->sites.test->dialect == LITMUS_PTX)
        barrier.instance = instance;
    barrier.arrive = level == LITMUS_CLUSTER;
    list[0] = (struct litmus_statement){.kind = LITMUS_BARRIER, .target = LITMUS_NONE, .barrier = barrier};
    list[1] = list[0];
    list[1].barrier.arrive = false;
    list[1].barrier.wait = true;
    return level == LITMUS_CLUSTER ? 2 : 1;
}

/* A thread of a programmatic launch, which may wait for the launches before. */
static bool share_launch(const struct litmus_test *test, UNUSED enum litmus_scope level, unsigned one, unsigned two)
{
    const bool awaits =
        ANY_OF(edge, test->edges, test->edge_count, edge->later == one && edge->kind == LAUNCH_EDGE_PROGRAMMATIC);
    return awaits && one == two;
}

static size_t write_wait(UNUSED const struct barrier_search *search, struct litmus_statement *list)
{
    list[0] = (struct litmus_statement){
        .kind = LITMUS_FENCE, .target = LITMUS_NONE, .fence = {.restriction = LITMUS_GRID_WAIT}};
    return 1;
}

/* Cheap first. */
static const struct meeting_row rows[] = {{LITMUS_SCOPE_NONE, share_launch, write_wait, true},
                                          {LITMUS_SUB_GROUP, share_level, write_barrier, false},
                                          {LITMUS_WORK_GROUP, share_level, write_barrier, false},
                                          {LITMUS_CLUSTER, share_level, write_barrier, false}};
/* ---- the meetings ---- */

/* The threads that share the row's barriers with this one, if it is the first of several. */
static uint64_t barriers_group_of(const struct litmus_test *test, const struct meeting_row *row, unsigned first)
{
    uint64_t bodies = 0;
    unsigned threads = 0;
    for (unsigned body = 0; body < test->body_count; body++)
        if (row->share(test, row->level, first, body)) {
            bodies |= UINT64_C(1) << body;
            threads += test->threads[body].count;
        }
    return (threads > 1 || row->alone) && (bodies & ((UINT64_C(1) << first) - 1)) == 0 ? bodies : 0;
}

bool barriers_can_meet(const struct litmus_test *test)
{
    bool can = false;
    for (size_t row = 0; row < COUNT(rows); row++)
        for (unsigned body = 0; body < test->body_count; body++)
            can |= barriers_group_of(test, &rows[row], body) != 0;
    return can;
}

static bool is_place(const struct barrier_search *search, const struct site *site, unsigned body, unsigned slot)
{
    return site->body == (int)body && site->slot == slot &&
           (slot % 2 == 0
                ? site->kind == SITE_GAP
                : litmus_barrier_level(search->sites.test->dialect, &site->fence->barrier) == search->row->level);
}

/* Lists the meetings of the draft with all places of its bodies from this one on. A body with fewer barriers takes its
 * last slot. */
static void list_places(struct barrier_search *search, struct meeting draft, unsigned body)
{
    while (body < search->sites.test->body_count && !(draft.bodies >> body & 1))
        body++;
    if (body == search->sites.test->body_count) {
        if (search->count < MOST_MEETINGS)
            ARENA_ADD(&search->sites.arena, search->meetings, search->count) = draft;
        return;
    }
    const unsigned before = draft.last, skew = draft.skew;
    unsigned own = 0, position = 0;
    for (size_t i = 0; i < search->sites.count; i++)
        if (search->sites.items[i].body == (int)body && search->sites.items[i].slot <= draft.slot)
            own = search->sites.items[i].slot;
    for (size_t i = 0; i < search->sites.count && (position == 0 || search->active >> body & 1); i++) {
        if (!is_place(search, &search->sites.items[i], body, own))
            continue;
        draft.places[body] = i;
        draft.skew = skew + (position > before ? position - before : before - position);
        draft.last = position++;
        list_places(search, draft, body + 1);
    }
}

static void list_meetings(struct barrier_search *search)
{
    const struct litmus_test *test = search->sites.test;
    search->meetings = NULL;
    search->count = 0;
    for (unsigned first = 0; first < test->body_count; first++) {
        struct meeting draft = {.bodies = barriers_group_of(test, search->row, first)};
        unsigned slots = 0;
        for (size_t i = 0; i < search->sites.count; i++)
            if (draft.bodies >> search->sites.items[i].body & 1 && search->sites.items[i].slot >= slots)
                slots = search->sites.items[i].slot + 1;
        for (; (draft.bodies & search->active) && draft.slot < slots; draft.slot++)
            list_places(search, draft, 0);
    }
}

/* ---- judging them ---- */

/* Gives a barrier also what another orders; false: it does so already. */
static bool add_orders(struct litmus_orders *orders, const struct litmus_orders *more)
{
    const struct litmus_orders was = *orders;
    orders->order = more->order;
    orders->semantics |= more->semantics;
    orders->flag_global |= more->flag_global;
    orders->flag_local |= more->flag_local;
    orders->flag_image |= more->flag_image;
    return was.order != orders->order || was.semantics != orders->semantics || was.flag_global < orders->flag_global ||
           was.flag_local < orders->flag_local || was.flag_image < orders->flag_image;
}

/* If some of its threads have the barrier, the others get the same. */
static void choose_meeting(struct barrier_search *search, const struct meeting *meeting)
{
    struct litmus_statement *list = arena_take(&search->sites.arena, MOST_STATEMENTS, sizeof *list);
    const struct site_option option = {.statements = list, .count = search->row->write(search, list)};
    const struct litmus_orders more = list->orders;
    sites_choose_none(&search->sites);
    for (unsigned body = 0; body < search->sites.test->body_count; body++) {
        struct site *site = meeting->bodies >> body & 1 ? &search->sites.items[meeting->places[body]] : NULL;
        if (site && site->kind == SITE_FENCE)
            *list = *site->fence;
        if (site && (site->kind == SITE_GAP || add_orders(&list->orders, &more)))
            site_choose(site, &option);
    }
}

/* 0: it does not do, or the test could not end. */
static uint64_t worth_of(struct barrier_search *search, const struct meeting *meeting)
{
    enum { WITNESS = 57, EXISTS = 56, ALLOWED = 40, SEEN = 16, SKEW = (1 << SEEN) - 1 };
    choose_meeting(search, meeting);
    const struct change_judgement judged = change_judge_chosen(search->wanted, &search->sites, search->found, NULL);
    if (judged.answer != CHANGE_FORBIDS || judged.allowed == 0)
        return 0;
    return (uint64_t)!judged.witness << WITNESS | (uint64_t)(meeting->slot % 2) << EXISTS |
           (uint64_t)judged.allowed << ALLOWED | (uint64_t)judged.seen << SEEN |
           (meeting->skew < SKEW ? SKEW - meeting->skew : 0);
}

enum status barriers_find(const struct repair_wanted *wanted, struct repairs *repairs, struct error *error)
{
    struct barrier_search search = {.wanted = wanted, .found = repairs};
    const uint64_t active[] = {change_bodies(wanted), UINT64_MAX};
    const unsigned all = sites_memories(wanted->test);
    const bool was_cut = repairs->cut;
    const enum status status = sites_find(wanted->test, UINT64_MAX, SITES_MEETINGS, &search.sites, error);
    repairs->cut = false;
    for (size_t at = 0; status == STATUS_OK && at < 2 * COUNT(rows) && !search.best; at++) {
        search.active = active[at / COUNT(rows)];
        search.row = &rows[at % COUNT(rows)];
        search.memories = 0;
        while (search.memories < all && !search.best)
            if (!(++search.memories & ~all)) {
                list_meetings(&search);
                for (size_t i = 0; i < search.count && !change_is_over(search.wanted, search.found); i++) {
                    const uint64_t worth = worth_of(&search, &search.meetings[i]);
                    if (worth <= search.worth)
                        continue;
                    search.worth = worth;
                    search.best = &search.meetings[i];
                }
            }
    }
    if (search.best) {
        choose_meeting(&search, search.best);
        change_note(wanted, &search.sites, repairs, (struct repair){.meets = true});
    }
    repairs->cut |= was_cut;
    sites_release(&search.sites);
    return status;
}
