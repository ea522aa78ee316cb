// SPDX-License-Identifier: Apache-2.0
/* Builds the tests that code may amount to, and keeps those that it is. */
#include "inspect/amounts.h"

#include "litmus/language/order.h"
#include "litmus/language/walk.h"

enum { NO_PLACE = -1, MAXIMUM_LOADS = 8, MAXIMUM_TESTS = 32, MAXIMUM_REGISTERS = 64 };

/* Statements of the test, which may come from several blocks. */
struct statements {
    const struct litmus_statement **items;
    size_t count;
    const struct statements *outer; /* those before them in the block around them */
};

/* A statement of a changed block. */
struct changed {
    struct litmus_statement statement;
    const struct litmus_statement *from;   /* the statement of the test; NULL: it is new */
    const struct litmus_statement *copies; /* a load that is missing: the access whose value it takes; else NULL */
    long place;                            /* of its first instruction, or of the statement that it goes with */
    size_t number;                         /* in the test's order */
};

struct block_changes {
    struct changed *items;
    size_t count;
};

/* One test of those that the code may amount to, while it is made. */
struct amounting {
    const struct inspect_subject *subject;
    const long *places;
    const struct inspection *inspection;
    struct arena *arena;
    unsigned body;
    bool joins;           /* branches in a row with one condition are one */
    bool gives_up;        /* a thread may end before a loop that runs once, as it does at the limit of iterations */
    struct kernel kernel; /* the kernel's steps in the changed test */
    struct litmus_test test;
    /* Of the k-th missing load: how many values it may have, and which it has. */
    unsigned values[MAXIMUM_LOADS], value[MAXIMUM_LOADS], loads;
    bool possible;
};

/* ---- what a statement reads and writes ---- */

struct registers {
    uint64_t reads, writes; /* bit k: the thread's register k */
};

static void read_register(const struct litmus_expression *expression, struct registers *registers)
{
    if (expression->kind == LITMUS_EXPRESSION_REGISTER)
        registers->reads |= UINT64_C(1) << expression->index;
    if (expression->access && expression->access->operation == LITMUS_CAS &&
        expression->access->expected_register != LITMUS_NONE && !expression->access->expected) {
        registers->reads |= UINT64_C(1) << expression->access->expected_register;
        registers->writes |= UINT64_C(1) << expression->access->expected_register;
    }
}

static struct registers registers_of(const struct litmus_statement *statement)
{
    struct registers registers = {0};
    for (struct litmus_walk walk = litmus_walk_statement(statement); litmus_walk_next(&walk);)
        if (walk.statement) {
            const int *written;
            for (size_t i = litmus_statement_registers(walk.statement, &written); i-- > 0;)
                if (written[i] != LITMUS_NONE)
                    registers.writes |= UINT64_C(1) << written[i];
        } else
            read_register(walk.expression, &registers);
    return registers;
}

static bool depend(const struct litmus_statement *a, const struct litmus_statement *b)
{
    const struct registers of_a = registers_of(a), of_b = registers_of(b);
    return (of_a.writes & (of_b.reads | of_b.writes)) != 0 || (of_a.reads & of_b.writes) != 0;
}

/* ---- steps ---- */

/* The place of a statement's first instruction; NO_PLACE if it has none. *steps: whether it has a step that the code
 * needs. */
static long place_of(const struct amounting *amounting, const struct litmus_statement *statement, bool *steps)
{
    const struct kernel *kernel = amounting->subject->kernel;
    long place = NO_PLACE;
    *steps = false;
    for (size_t i = 0; i < kernel->step_count; i++) {
        const struct litmus_access *access = statement->value ? statement->value->access : NULL;
        if (kernel->steps[i].body != amounting->body || !inspect_is_step_of(&kernel->steps[i], access, statement))
            continue;
        *steps |= !amounting->subject->needless[i] && !inspect_ignores(amounting->subject, i);
        if (!inspect_ignores(amounting->subject, i) &&
            (place == NO_PLACE || (amounting->places[i] != NO_PLACE && amounting->places[i] < place)))
            place = amounting->places[i];
    }
    return place;
}

static bool is_access(const struct litmus_statement *statement, enum litmus_operation operation)
{
    const bool whole = statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM;
    return whole && statement->value->kind == LITMUS_EXPRESSION_ACCESS &&
           statement->value->access->operation == operation;
}

static bool is_missing(const struct amounting *amounting, const struct litmus_statement *statement)
{
    bool steps;
    return (is_access(statement, LITMUS_LOAD) || is_access(statement, LITMUS_STORE)) &&
           place_of(amounting, statement, &steps) == NO_PLACE && steps;
}

static bool is_register(const struct litmus_expression *expression, int index)
{
    return expression->kind == LITMUS_EXPRESSION_REGISTER && expression->index == index;
}

static bool is_read_by(const struct amounting *amounting, const struct litmus_statement *setter, int index,
                       unsigned names);

/* The reads of a register that a statement does not need if the code lacks the store, or from which it only computes
 * what nothing reads. names: computations from a computation at most. */
static int count_dropped(const struct amounting *amounting, const struct litmus_statement *statement, int index,
                         unsigned names)
{
    int dropped = 0;
    const bool stores = is_access(statement, LITMUS_STORE) && is_missing(amounting, statement);
    const bool computes =
        statement->kind == LITMUS_ASSIGN && !litmus_has_access(statement->value) && names > 0 &&
        /* what a register gets from itself is read if the rest is */
        (statement->target == index || !is_read_by(amounting, statement, statement->target, names - 1));
    for (struct litmus_walk walk = litmus_walk_statement(statement); litmus_walk_next(&walk);)
        dropped += (stores || computes) && walk.expression && is_register(walk.expression, index);
    return dropped;
}

/* Whether a thread may come back to a statement. */
static bool may_repeat(const struct litmus_block *block, const struct litmus_statement *statement)
{
    bool repeats = false;
    for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);) {
        const enum litmus_statement_kind kind = walk.statement ? walk.statement->kind : LITMUS_IDLE;
        repeats |= kind == LITMUS_LABEL;
        if (kind == LITMUS_WHILE || kind == LITMUS_DO_WHILE)
            for (struct litmus_walk inner = litmus_walk_statement(walk.statement); litmus_walk_next(&inner);)
                repeats |= inner.statement == statement;
    }
    return repeats;
}

/* Whether what the statement sets the register to is read. */
static bool is_read_by(const struct amounting *amounting, const struct litmus_statement *setter, int index,
                       unsigned names)
{
    const struct litmus_test *test = amounting->subject->test;
    const struct litmus_block *block = &test->threads[amounting->body].body;
    bool after = may_repeat(block, setter);
    int reads = 0, dropped = 0; /* of the test; of these, those that the code does not need */
    for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);) {
        struct registers registers = {0};
        after |= walk.statement == setter;
        if (walk.statement && after)
            dropped += count_dropped(amounting, walk.statement, index, names);
        else if (after && walk.expression)
            read_register(walk.expression, &registers);
        reads += (registers.reads & UINT64_C(1) << index) != 0;
    }
    const bool observed = ANY_OF(variable, test->variables, test->variable_count,
                                 variable->body == (int)amounting->body && variable->index == index);
    return observed || reads > dropped;
}

/* Whether anything that the code has reads what the statement sets its register to, or the test observes it. */
static bool is_read(const struct amounting *amounting, const struct litmus_statement *setter)
{
    return is_read_by(amounting, setter, setter->target, 3);
}

bool amounts_is_read(const struct inspect_subject *subject, const long *places, unsigned body,
                     const struct litmus_statement *setter)
{
    const struct amounting amounting = {.subject = subject, .places = places, .body = body};
    return subject->test->threads[body].register_count > MAXIMUM_REGISTERS || is_read(&amounting, setter);
}

/* ---- updates that became loads or stores ---- */

/* Whether an update writes the value that it reads. */
static bool writes_nothing_new(const struct amounting *amounting, const struct litmus_access *access)
{
    for (size_t i = 0; i < amounting->subject->kernel->step_count; i++)
        if (amounting->subject->kernel->steps[i].access == access)
            return amounting->subject->same[i];
    return false;
}

/* Whether the code has another kind of access for a step. */
static bool is_changed(const struct amounting *amounting, const struct litmus_access *access)
{
    const struct inspection *inspection = amounting->inspection;
    return ANY_OF(finding, inspection->findings, inspection->finding_count,
                  finding->fault == INSPECT_CHANGED &&
                      amounting->subject->kernel->steps[finding->step].access == access);
}

/* Makes a load or a store of a statement's update. */
static void replace_update(struct amounting *amounting, struct litmus_statement *statement, bool loads)
{
    const struct litmus_access *update = statement->value->access;
    struct litmus_access *half = arena_take(amounting->arena, 1, sizeof *half);
    struct litmus_expression *value = arena_take(amounting->arena, 1, sizeof *value);
    *half = *update;
    half->operation = loads ? LITMUS_LOAD : LITMUS_STORE;
    half->operand = loads ? NULL : update->operand;
    half->no_result = false;
    half->order = loads ? order_of_read(update->order) : order_of_write(update->order);
    half->failure = half->order;
    *value = *statement->value;
    value->access = half;
    statement->value = value;
    statement->kind = loads ? statement->kind : LITMUS_PERFORM;
    for (size_t i = 0; i < amounting->kernel.step_count; i++)
        if (amounting->kernel.steps[i].access == update)
            amounting->kernel.steps[i].access = half;
}

/* If the code has another access for a statement's update: an update that writes nothing new is a load, and an exchange
 * whose result nobody reads a store. */
static void change_update(struct amounting *amounting, struct changed *changed)
{
    struct litmus_statement *statement = &changed->statement;
    const bool whole = statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_PERFORM;
    if (!whole || statement->value->kind != LITMUS_EXPRESSION_ACCESS ||
        !is_changed(amounting, statement->value->access))
        return;
    const struct litmus_access *update = statement->value->access;
    if (writes_nothing_new(amounting, update))
        replace_update(amounting, statement, true);
    else if (update->operation == LITMUS_EXCHANGE &&
             (statement->kind == LITMUS_PERFORM || !is_read(amounting, changed->from)))
        replace_update(amounting, statement, false);
}

/* ---- values of missing loads ---- */

static bool amounts_same_place(const struct litmus_access *a, const struct litmus_access *b)
{
    const struct litmus_expression *left = a->address->left, *right = b->address->left;
    return a->type == b->type && a->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           b->address->kind == LITMUS_EXPRESSION_ADDRESS && a->address->index == b->address->index && !left == !right &&
           (!left || (left->kind == LITMUS_EXPRESSION_CONSTANT && right->kind == LITMUS_EXPRESSION_CONSTANT &&
                      left->value == right->value));
}

/* The value that a statement reads or writes at the place of an access; NULL if it is none. */
static struct litmus_expression *value_at(struct amounting *amounting, const struct litmus_statement *statement,
                                          const struct litmus_access *access)
{
    const bool stores = is_access(statement, LITMUS_STORE);
    if ((!stores && !is_access(statement, LITMUS_LOAD)) || !amounts_same_place(statement->value->access, access))
        return NULL;
    struct litmus_expression *operand = statement->value->access->operand;
    if (stores)
        return litmus_has_access(operand) ? NULL : operand;
    if (statement->kind != LITMUS_ASSIGN || is_missing(amounting, statement))
        return NULL;
    struct litmus_expression *loaded = arena_take(amounting->arena, 1, sizeof *loaded);
    *loaded = (struct litmus_expression){
        .kind = LITMUS_EXPRESSION_REGISTER, .place = statement->place, .index = statement->target};
    return loaded;
}

/* Takes the value of a statement, if it has one, when its turn comes. False if it writes the place of the load. */
static bool count_value(struct amounting *amounting, const struct litmus_statement *statement,
                        const struct litmus_statement *load, struct changed *changed)
{
    const unsigned number = amounting->loads;
    struct litmus_expression *value = value_at(amounting, statement, load->value->access);
    if (value && amounting->values[number]++ == amounting->value[number]) {
        changed->statement.value = value;
        changed->copies = statement;
    }
    return !is_access(statement, LITMUS_STORE) || !amounts_same_place(statement->value->access, load->value->access);
}

/* From the nearest statement before the load back to the last write of its place. */
static void count_earlier(struct amounting *amounting, const struct statements *earlier,
                          const struct litmus_statement *load, struct changed *changed)
{
    for (; earlier; earlier = earlier->outer)
        for (size_t i = earlier->count; i > 0; i--)
            if (!count_value(amounting, earlier->items[i - 1], load, changed))
                return;
}

/* Whether a later statement of the list writes the place of a store. */
static bool is_overwritten(const struct statements *list, size_t index)
{
    return ANY_NUMBER(size_t, i, index + 1, list->count,
                      is_access(list->items[i], LITMUS_STORE) &&
                          amounts_same_place(list->items[i]->value->access, list->items[index]->value->access));
}

static bool is_control(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_IF || statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE ||
           statement->kind == LITMUS_LABEL || statement->kind == LITMUS_GOTO || statement->kind == LITMUS_UNSUPPORTED;
}

/* What is known of a store's value from a statement before it: NULL after a search that failed. */
static const struct litmus_expression *value_before(const struct litmus_statement *statement,
                                                    const struct litmus_expression *value)
{
    if (is_control(statement))
        return NULL;
    if (statement->kind == LITMUS_ASSIGN && is_register(value, statement->target))
        return statement->value->kind == LITMUS_EXPRESSION_REGISTER ? statement->value : NULL;
    const bool overwrites = value->kind == LITMUS_EXPRESSION_REGISTER &&
                            (registers_of(statement).writes & UINT64_C(1) << value->index) != 0;
    return overwrites ? NULL : value;
}

static bool is_same_value(const struct litmus_expression *a, const struct litmus_expression *b)
{
    return (b->kind == LITMUS_EXPRESSION_REGISTER && is_register(a, b->index)) ||
           (a->kind == LITMUS_EXPRESSION_CONSTANT && b->kind == LITMUS_EXPRESSION_CONSTANT && a->value == b->value);
}

/* Whether a plain store writes what its thread last read or wrote at its place. */
static bool writes_back(const struct statements *list, size_t index)
{
    const struct litmus_access *store = list->items[index]->value->access;
    const struct litmus_expression *value = store->operand;
    const struct statements own = {list->items, index, list->outer};
    for (const struct statements *earlier = &own; earlier && store->order == LITMUS_PLAIN; earlier = earlier->outer)
        for (size_t i = earlier->count; i > 0 && value; i--) {
            const struct litmus_statement *before = earlier->items[i - 1];
            const bool loads = is_access(before, LITMUS_LOAD), stores = is_access(before, LITMUS_STORE);
            if ((loads || stores) && amounts_same_place(before->value->access, store))
                return loads ? before->kind == LITMUS_ASSIGN && is_register(value, before->target)
                             : is_same_value(value, before->value->access->operand);
            value = value_before(before, value);
        }
    return false;
}

/* Whether the code has a before b. A value is taken after the access that has it. */
static bool is_before(const struct changed *a, const struct changed *b)
{
    if (a->place != b->place)
        return a->place < b->place;
    if (b->copies && b->copies == a->from)
        return true;
    return !(a->copies && a->copies == b->from) && a->number < b->number;
}

/* ---- blocks ---- */

static struct litmus_block change_list(struct amounting *amounting, const struct statements *list);

static void add_all(struct amounting *amounting, struct statements *list, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++)
        ARENA_ADD(amounting->arena, list->items, list->count) = &block->statements[i];
}

/* Whether the code runs a loop once. */
static bool runs_once(const struct amounting *amounting, const struct litmus_statement *loop)
{
    const struct inspection *inspection = amounting->inspection;
    for (size_t i = 0; i < inspection->finding_count; i++) {
        const struct litmus_access *access = amounting->subject->kernel->steps[inspection->findings[i].step].access;
        bool found = false;
        for (struct litmus_walk walk = litmus_walk_statement(loop); litmus_walk_next(&walk);)
            found |= walk.expression && walk.access && walk.access == access;
        if (inspection->findings[i].fault == INSPECT_ONCE && found)
            return true;
    }
    return false;
}

static bool is_on_register(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_IF && statement->value->kind == LITMUS_EXPRESSION_REGISTER &&
           statement->otherwise.count == 0;
}

/* Whether two branches are taken together, and the first leaves their condition as it is. */
static bool are_one(const struct litmus_statement *a, const struct litmus_statement *b)
{
    return is_on_register(a) && is_on_register(b) && a->value->index == b->value->index &&
           (registers_of(a).writes & UINT64_C(1) << a->value->index) == 0;
}

/* Changes a branch or a loop, with the branches after it that are one with it; returns how many statements these
 * are. */
static size_t change_control(struct amounting *amounting, const struct statements *list, size_t index,
                             struct changed *changed)
{
    const struct litmus_statement *statement = list->items[index];
    const struct statements earlier = {list->items, index, list->outer};
    struct statements body = {.outer = &earlier}, otherwise = {.outer = &earlier};
    size_t count = 1;
    add_all(amounting, &body, &statement->body);
    add_all(amounting, &otherwise, &statement->otherwise);
    while (amounting->joins && index + count < list->count && are_one(statement, list->items[index + count]))
        add_all(amounting, &body, &list->items[index + count++]->body);
    changed->statement.body = change_list(amounting, &body);
    changed->statement.otherwise = change_list(amounting, &otherwise);
    const bool loops = statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE;
    if (loops && runs_once(amounting, statement))
        changed->statement.kind = LITMUS_IF;
    if (statement->kind == LITMUS_DO_WHILE && changed->statement.kind == LITMUS_IF) {
        changed->statement.value = arena_take(amounting->arena, 1, sizeof *changed->statement.value);
        *changed->statement.value =
            (struct litmus_expression){.kind = LITMUS_EXPRESSION_CONSTANT, .place = statement->place, .value = 1};
    }
    return count;
}

/* Whether both access one place and one of them writes it. */
static bool conflict(const struct litmus_statement *a, const struct litmus_statement *b)
{
    const bool a_stores = is_access(a, LITMUS_STORE), b_stores = is_access(b, LITMUS_STORE);
    return (a_stores || b_stores) && (a_stores || is_access(a, LITMUS_LOAD)) &&
           (b_stores || is_access(b, LITMUS_LOAD)) && amounts_same_place(a->value->access, b->value->access);
}

/* The place of a statement of a run that has no instruction of its own: that of the access whose value it takes; a
 * computation, and an access that is not compared, comes after what it needs; anything else goes with the statement
 * before it. */
static long place_in_run(const struct amounting *amounting, const struct changed *run, size_t at, long before)
{
    bool steps;
    long place = place_of(amounting, run[at].copies ? run[at].copies : run[at].from, &steps);
    if (place != NO_PLACE || (steps && !run[at].copies))
        return place != NO_PLACE ? place : before;
    if (run[at].statement.kind != LITMUS_ASSIGN)
        place = before;
    for (size_t i = 0; i < at; i++)
        if (run[i].place > place &&
            (depend(&run[i].statement, &run[at].statement) || conflict(&run[i].statement, &run[at].statement)))
            place = run[i].place;
    return place;
}

static void end_run(struct amounting *amounting, struct block_changes *changes, size_t first)
{
    struct changed *run = changes->items + first;
    const size_t count = changes->count - first;
    long before = NO_PLACE;
    for (size_t i = 0; i < count; i++) {
        run[i].place = place_in_run(amounting, run, i, before);
        before = run[i].copies ? before : run[i].place;
    }
    /* Puts a run of statements in the order of the code. */
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && !is_before(&run[j - 1], &run[j]); j--) {
            const struct changed other = run[j];
            run[j] = run[j - 1];
            run[j - 1] = other;
        }
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (run[i].number > run[j].number && !(run[j].copies && run[j].copies == run[i].from) &&
                depend(&run[i].statement, &run[j].statement))
                amounting->possible = false;
}

/* The block of the changed statements. The kernel's steps become theirs. */
static struct litmus_block make_block(struct amounting *amounting, const struct block_changes *changes)
{
    struct litmus_block block = {arena_take(amounting->arena, changes->count + 1, sizeof *block.statements),
                                 changes->count};
    for (size_t i = 0; i < changes->count; i++) {
        struct litmus_statement *to = &block.statements[i];
        const struct litmus_statement *from = changes->items[i].from;
        *to = changes->items[i].statement;
        for (size_t k = 0; from && k < amounting->kernel.step_count; k++) {
            struct kernel_step *step = &amounting->kernel.steps[k];
            step->fence = step->fence == &from->fence ? &to->fence : step->fence;
            step->barrier = step->barrier == &from->barrier ? &to->barrier : step->barrier;
            step->copy = step->copy == &from->copy ? &to->copy : step->copy;
            step->group = step->group == &from->group ? &to->group : step->group;
            step->vector = step->vector == &from->vector ? &to->vector : step->vector;
            step->collective = step->collective == &from->collective ? &to->collective : step->collective;
        }
    }
    return block;
}

/* Whether the changed block has the statement: as it is or, for a missing load, with a value instead. */
static bool keep_statement(struct amounting *amounting, const struct statements *list, size_t index,
                           struct changed *changed)
{
    if (!is_missing(amounting, list->items[index]))
        return true;
    changed->from = NULL;
    if (is_access(list->items[index], LITMUS_LOAD)) {
        /* A missing load gets the value of an access before it, or if there are none, of one after it. */
        const struct litmus_statement *load = list->items[index];
        if (amounting->loads == MAXIMUM_LOADS) {
            amounting->possible = false;
            return false;
        }
        const struct statements earlier = {list->items, index, list->outer};
        amounting->values[amounting->loads] = 0;
        count_earlier(amounting, &earlier, load, changed);
        if (amounting->values[amounting->loads] == 0) {
            /* From the nearest statement after the load to the next write of its place. */
            for (size_t i = index + 1; i < list->count && !is_access(list->items[i], LITMUS_STORE); i++)
                (void)count_value(amounting, list->items[i], list->items[index], changed);
        }
        if (amounting->values[amounting->loads] > 0) {
            amounting->loads++;
            return true;
        }
        amounting->possible &= load->kind == LITMUS_PERFORM || !is_read(amounting, load);
        return false;
    }
    amounting->possible &= is_overwritten(list, index) || writes_back(list, index);
    return false;
}

static struct litmus_block change_list(struct amounting *amounting, const struct statements *list)
{
    /* The statements of a block, with the bodies of loops that run once in their place. */
    struct statements flat = {.outer = list->outer};
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->kind == LITMUS_DO_WHILE && !amounting->gives_up && runs_once(amounting, list->items[i]))
            add_all(amounting, &flat, &list->items[i]->body);
        else
            ARENA_ADD(amounting->arena, flat.items, flat.count) = list->items[i];
    struct block_changes changes = {0};
    size_t run = 0;
    for (size_t i = 0; i < flat.count;) {
        struct changed changed = {.statement = *flat.items[i], .from = flat.items[i], .number = i};
        size_t taken = 1;
        const bool control = is_control(flat.items[i]);
        if (control) {
            end_run(amounting, &changes, run);
            taken = change_control(amounting, &flat, i, &changed);
        }
        change_update(amounting, &changed);
        if (control || keep_statement(amounting, &flat, i, &changed))
            ARENA_ADD(amounting->arena, changes.items, changes.count) = changed;
        if (control)
            run = changes.count;
        i += taken;
    }
    end_run(amounting, &changes, run);
    return make_block(amounting, &changes);
}

/* ---- tests ---- */

static void make_test(struct amounting *amounting)
{
    const struct litmus_test *test = amounting->subject->test;
    const struct kernel *kernel = amounting->subject->kernel;
    amounting->loads = 0;
    amounting->possible = true;
    amounting->kernel = *kernel;
    amounting->kernel.steps = arena_take(amounting->arena, kernel->step_count + 1, sizeof *kernel->steps);
    memcpy(amounting->kernel.steps, kernel->steps, kernel->step_count * sizeof *kernel->steps);
    amounting->test = *test;
    amounting->test.threads = arena_take(amounting->arena, test->body_count + 1, sizeof *test->threads);
    memcpy(amounting->test.threads, test->threads, test->body_count * sizeof *test->threads);
    for (amounting->body = 0; amounting->body < test->body_count; amounting->body++) {
        struct litmus_thread *thread = &amounting->test.threads[amounting->body];
        struct statements list = {0};
        amounting->possible &= thread->register_count <= MAXIMUM_REGISTERS;
        if (!amounting->possible)
            return;
        add_all(amounting, &list, &test->threads[amounting->body].body);
        thread->body = change_list(amounting, &list);
    }
}

/* Gives the missing loads their next values; false after the last. */
static bool next_values(struct amounting *amounting)
{
    for (unsigned i = 0; i < amounting->loads; i++) {
        if (++amounting->value[i] < amounting->values[i])
            return true;
        amounting->value[i] = 0;
    }
    return false;
}

/* Adds the tests of one way to read the branches. All have the same accesses in the same order, so the first is checked
 * for all. */
static void find_tests(struct amounting *amounting, amounts_check *check, struct inspection *inspection)
{
    bool first = true;
    do {
        make_test(amounting);
        struct inspect_subject changed = *amounting->subject;
        changed.test = &amounting->test;
        changed.kernel = &amounting->kernel;
        if (!amounting->possible)
            continue;
        if (first && !check(&changed))
            return;
        first = false;
        if (inspection->amounts_to_count == MAXIMUM_TESTS) {
            inspection->amounts_to_count = 0;
            return;
        }
        struct litmus_test *made = arena_take(amounting->arena, 1, sizeof *made);
        *made = amounting->test;
        ARENA_ADD(amounting->arena, inspection->amounts_to, inspection->amounts_to_count) = made;
    } while (next_values(amounting));
}

void amounts_find(const struct inspect_subject *subject, const long *places, amounts_check *check,
                  struct inspection *inspection)
{
    for (unsigned ways = 0; ways < 4 && inspection->amounts_to_count == 0; ways++) {
        struct amounting amounting = {.subject = subject,
                                      .places = places,
                                      .inspection = inspection,
                                      .arena = &inspection->arena,
                                      .joins = ways % 2 > 0,
                                      .gives_up = ways > 1};
        find_tests(&amounting, check, inspection);
    }
}
