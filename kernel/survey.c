// SPDX-License-Identifier: Apache-2.0
/* What allocation and the writers of code ask of a test: facts on its threads and cells, and the values that registers
 * and locations may take. */
#include "kernel/allocation.h"
#include "litmus/language/collective.h"
#include "litmus/language/order.h"
#include "litmus/language/value.h"
#include "litmus/language/walk.h"

unsigned allocation_words(enum litmus_type type)
{
    return litmus_type_size(type) == 8 ? 2 : 1;
}

bool allocation_jumps(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_GOTO || statement->kind == LITMUS_LABEL;
}

static bool iterates(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE || allocation_jumps(statement);
}

bool allocation_spins(const struct litmus_block *block)
{
    return litmus_any_statement(block, iterates);
}

enum syntax_place allocation_place(const struct allocation *allocation, unsigned location)
{
    const bool local = allocation->region_of[location] == LITMUS_LOCAL;
    if (allocation->plain[location])
        return local ? SYNTAX_PLAIN_LOCAL : SYNTAX_PLAIN;
    return local                                                               ? SYNTAX_LOCAL
           : allocation_words(allocation->test->locations[location].type) == 2 ? SYNTAX_LONG
                                                                               : SYNTAX_GLOBAL;
}

enum status allocation_part_plain(struct allocation *allocation, struct error *error)
{
    const struct litmus_test *test = allocation->test;
    bool atomic[LITMUS_MAXIMUM_LOCATIONS] = {false}, pointer = false;
    for (size_t body = 0; body < test->body_count; body++)
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[body].body); litmus_walk_next(&walk);) {
            if (!walk.access)
                continue;
            if (walk.access->address->kind != LITMUS_EXPRESSION_ADDRESS)
                pointer = true;
            else if (walk.access->order == LITMUS_PLAIN)
                allocation->plain[walk.access->address->index] = true;
            else
                atomic[walk.access->address->index] = true;
        }
    if (pointer)
        return error_set(error, STATUS_UNSUPPORTED, "an access by a pointer, which WGSL does not allow");
    for (size_t l = 0; l < test->location_count; l++)
        if (allocation->plain[l] && atomic[l])
            return error_set(error, STATUS_UNSUPPORTED,
                             "%s is accessed both plainly and atomically, which WGSL does not allow",
                             test->locations[l].name);
    return STATUS_OK;
}

static bool is_grouped(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_GROUP || (statement->kind == LITMUS_COPY && !statement->copy.mbarrier);
}

bool allocation_has_groups(const struct litmus_block *block)
{
    return litmus_any_statement(block, is_grouped);
}

bool allocation_in_one_piece(const struct allocation *allocation, unsigned location)
{
    const unsigned storage = allocation->path_of[location].storage;
    return allocation->async.room[storage] > 0 || allocation->vectored[storage].room > 0;
}

unsigned allocation_cell(const struct allocation *allocation, unsigned location, uint32_t element)
{
    const unsigned words = allocation_words(allocation->test->locations[location].type);
    return allocation->cell_of[location] + (allocation_in_one_piece(allocation, location) ? 0 : element * words);
}

unsigned allocation_step(const struct allocation *allocation, unsigned location, uint32_t element)
{
    return allocation_in_one_piece(allocation, location)
               ? element * allocation_words(allocation->test->locations[location].type)
               : 0;
}

bool allocation_observes(const struct litmus_test *test, unsigned body, unsigned number)
{
    return ANY_OF(variable, test->variables, test->variable_count,
                  variable->thread != LITMUS_NONE && variable->body == (int)body && variable->index == (int)number);
}

bool allocation_names(const struct litmus_test *test, unsigned body, unsigned location)
{
    bool found = false;
    for (struct litmus_walk walk = litmus_walk_block(&test->threads[body].body); litmus_walk_next(&walk);)
        found |= walk.expression && walk.expression->kind == LITMUS_EXPRESSION_ADDRESS &&
                 walk.expression->index == (int)location;
    return found;
}

bool allocation_has_locals(const struct allocation *allocation, unsigned slot)
{
    return ANY_OF(local, allocation->local_slot, allocation->test->location_count, *local == (int)slot);
}

bool allocation_in_slot(const struct allocation *allocation, unsigned body, unsigned slot)
{
    return allocation->kernel->slot_of[body] == slot;
}

void allocation_need(struct allocation_survey *survey, unsigned architecture, const char *what)
{
    if (architecture <= survey->architecture)
        return;
    survey->architecture = architecture;
    survey->what = what;
}

void allocation_refuse(struct allocation_survey *survey, const char *format, ...)
{
    char reason[sizeof survey->error->text];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (survey->status == STATUS_OK)
        survey->status = error_set(survey->error, STATUS_UNSUPPORTED, "%s", reason);
}

enum status allocation_check_architecture(const struct allocation *allocation, unsigned architecture, const char *what,
                                          struct error *error)
{
    const struct backend_device *device = allocation->device;
    unsigned own = 0;
    if (sscanf(device->architecture, "sm_%4u", &own) == 1 && own < architecture)
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, but %s is %s", what, architecture, device->name,
                         device->architecture);
    return STATUS_OK;
}

/* ---- the values that registers and locations may take ---- */

/* Abstract interpretation over small sets, ignoring control flow. The result only sizes the dense histogram; it does
 * not affect what is allowed. */

/* Rounds of propagation. A counter that grows without end stops here, and its larger values go to the table. */
enum { ROUNDS = 8 };

struct domain_search {
    const struct litmus_test *test;
    struct kernel_domain *locations;  /* elements of an array share one set */
    struct kernel_domain **registers; /* per body */
    unsigned body;
    bool changed;
};

static void set_add(struct kernel_domain *set, int64_t value, bool *changed)
{
    unsigned at = 0;
    while (at < set->count && set->values[at] < value)
        at++;
    if (at < set->count && set->values[at] == value)
        return;
    if (set->count == KERNEL_MAXIMUM_DOMAIN)
        return;
    memmove(&set->values[at + 1], &set->values[at], (set->count - at) * sizeof set->values[0]);
    set->values[at] = value;
    set->count++;
    *changed = true;
}

static void set_join(struct kernel_domain *set, const struct kernel_domain *other, enum litmus_type type, bool *changed)
{
    for (unsigned i = 0; i < other->count; i++)
        set_add(set, litmus_wrap(type, other->values[i]), changed);
}

/* Expressions have no types here: they are computed in 64 bits and wrap when stored. */
static struct litmus_value wide(int64_t value)
{
    return (struct litmus_value){value, LITMUS_LONG};
}

/* The set of a location, or of the location whose storage it names. */
static struct kernel_domain *set_of(struct domain_search *state, int location)
{
    return &state->locations[litmus_storage(state->test, (unsigned)location)];
}

static struct kernel_domain evaluate(struct domain_search *state, const struct litmus_expression *expression);

static struct kernel_domain evaluate_access(struct domain_search *state, const struct litmus_access *access)
{
    struct kernel_domain result = {0};
    struct kernel_domain operand = {0};
    bool ignored = false;
    if (access->operand)
        operand = evaluate(state, access->operand);
    if (access->address->kind != LITMUS_EXPRESSION_ADDRESS)
        return result;
    if (operation_is_mbarrier(access->operation)) { /* only a wait has a result */
        set_add(&result, 0, &ignored);
        set_add(&result, 1, &ignored);
        return result;
    }
    struct kernel_domain *location = set_of(state, access->address->index);
    const enum litmus_type type = state->test->locations[access->address->index].type;

    result = *location;
    for (unsigned i = 0; i < operand.count; i++)
        for (unsigned k = 0; k < result.count; k++)
            set_add(location,
                    litmus_wrap(type, litmus_value_modify(access->operation, access->type, result.values[k],
                                                          operand.values[i])),
                    &state->changed);
    if (access->expected_register != LITMUS_NONE)
        set_join(&state->registers[state->body][access->expected_register], &result, type, &state->changed);
    const bool compares = operation_compares(access->operation);
    if (compares && !access->expected) { /* its result is success */
        result = (struct kernel_domain){0};
        set_add(&result, 0, &ignored);
        set_add(&result, 1, &ignored);
    }
    return result;
}

static struct kernel_domain evaluate(struct domain_search *state, const struct litmus_expression *expression)
{
    struct kernel_domain result = {0}, left, right;
    bool ignored = false;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        set_add(&result, expression->value, &ignored);
        break;
    case LITMUS_EXPRESSION_REGISTER:
        result = state->registers[state->body][expression->index];
        break;
    case LITMUS_EXPRESSION_ADDRESS: /* no number */
        break;
    case LITMUS_EXPRESSION_ACCESS:
        result = evaluate_access(state, expression->access);
        break;
    case LITMUS_EXPRESSION_UNARY:
        left = evaluate(state, expression->left);
        for (unsigned i = 0; i < left.count; i++)
            set_add(&result, litmus_value_unary(expression->op, wide(left.values[i])).value, &ignored);
        break;
    case LITMUS_EXPRESSION_BINARY:
        left = evaluate(state, expression->left);
        right = evaluate(state, expression->right);
        for (unsigned i = 0; i < left.count; i++)
            for (unsigned k = 0; k < right.count; k++)
                set_add(&result, litmus_value_binary(expression->op, wide(left.values[i]), wide(right.values[k])).value,
                        &ignored);
        break;
    }
    return result;
}

/* A copy writes a value or another location's contents, or combines these with the old contents. */
static void copy_to(struct domain_search *state, const struct litmus_copy *copy, int destination)
{
    const enum litmus_type type = state->test->locations[destination].type;
    struct kernel_domain *to = set_of(state, destination);
    const struct kernel_domain from = copy->from ? *set_of(state, copy->from->index) : evaluate(state, copy->value);
    const struct kernel_domain before = *to;
    if (copy->operation == LITMUS_STORE)
        set_join(to, &from, type, &state->changed);
    for (unsigned i = 0; copy->operation != LITMUS_STORE && i < from.count; i++)
        for (unsigned k = 0; k < before.count; k++)
            set_add(
                to,
                litmus_wrap(type, litmus_value_modify(copy->operation, copy->type, before.values[k], from.values[i])),
                &state->changed);
}

/* Words of a vector are treated as separate accesses of one location. */
static void run_vector(struct domain_search *state, const struct litmus_vector *vector)
{
    const struct litmus_register *registers = state->test->threads[state->body].registers;
    for (unsigned lane = 0; lane < vector->lanes; lane++) {
        struct litmus_expression old = {.kind = LITMUS_EXPRESSION_CONSTANT};
        struct litmus_access access = vector->access;
        access.operand = vector->values[lane];
        access.expected = access.operation == LITMUS_CAS ? &old : NULL; /* the result is the old value */
        access.expected_register = LITMUS_NONE;
        const struct kernel_domain value = evaluate_access(state, &access);
        const int target = vector->registers[lane];
        if (target != LITMUS_NONE)
            set_join(&state->registers[state->body][target], &value, registers[target].type, &state->changed);
    }
}

/* A vote gives 0 or 1, a ballot or a match some mask. Other results are not foreseen. */
static void run_collective(struct domain_search *state, const struct litmus_statement *statement)
{
    const enum litmus_collective_function function = statement->collective.function;
    unsigned own;
    const unsigned lanes = litmus_lanes(state->test, state->body, &own);
    const bool number = statement->collective.lane || (function >= LITMUS_REDUCE_ADD && function <= LITMUS_REDUCE_MAX);
    const bool masks = litmus_collective_type(&statement->collective) == LITMUS_UINT;
    for (unsigned value = 0; !number && value < (masks ? 1u << (lanes > 4 ? 4 : lanes) : 2); value++)
        set_add(&state->registers[state->body][statement->target], value, &state->changed);
}

static void run_block(struct domain_search *state, const struct litmus_block *block)
{
    const struct litmus_thread *thread = &state->test->threads[state->body];
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
        if (statement->value) {
            const struct kernel_domain value = evaluate(state, statement->value);
            if (statement->kind == LITMUS_ASSIGN)
                set_join(&state->registers[state->body][statement->target], &value,
                         thread->registers[statement->target].type, &state->changed);
        }
        if (statement->kind == LITMUS_COLLECTIVE && statement->target != LITMUS_NONE)
            run_collective(state, statement);
        if (statement->kind == LITMUS_COPY)
            for (const struct litmus_expression *to = statement->copy.to; to; to = to->right)
                copy_to(state, &statement->copy, to->index);
        if (statement->kind == LITMUS_VECTOR)
            run_vector(state, &statement->vector);
        run_block(state, &statement->body);
        run_block(state, &statement->otherwise);
    }
}

/* Adds the values that the test's condition compares a variable with. */
static void add_from_condition(const struct litmus_test *test, const struct litmus_proposition *proposition,
                               struct kernel_domain *sets)
{
    bool ignored = false;
    if (!proposition)
        return;
    for (int side = 0; side < 2 && proposition->kind == LITMUS_ATOM; side++) {
        const struct litmus_term *term = &proposition->terms[side], *other = &proposition->terms[1 - side];
        if (term->variable != LITMUS_NONE && other->variable == LITMUS_NONE)
            set_add(&sets[term->variable],
                    litmus_wrap(litmus_variable_type(test, &test->variables[term->variable]), other->value), &ignored);
    }
    add_from_condition(test, proposition->left, sets);
    add_from_condition(test, proposition->right, sets);
}

static void add_initial(struct kernel_domain *set, const struct litmus_thread *thread,
                        const struct litmus_register *own)
{
    bool ignored = false;
    for (unsigned i = 0; i < (own->numbered ? thread->count : 1); i++)
        set_add(set, litmus_wrap(own->type, own->initial + i), &ignored);
}

static void state_start(struct domain_search *state)
{
    const struct litmus_test *test = state->test;
    bool ignored = false;
    state->locations = memory_take(test->location_count, sizeof *state->locations);
    state->registers = memory_take(test->body_count, sizeof *state->registers);
    for (size_t l = 0; l < test->location_count; l++)
        for (uint32_t e = 0; e < test->locations[l].elements; e++)
            set_add(&state->locations[l], test->locations[l].initial[e], &ignored);
    for (size_t b = 0; b < test->body_count; b++) {
        state->registers[b] = memory_take(test->threads[b].register_count, sizeof **state->registers);
        for (size_t r = 0; r < test->threads[b].register_count; r++)
            add_initial(&state->registers[b][r], &test->threads[b], &test->threads[b].registers[r]);
    }
}

/* Sizes the histogram for the kernel's domains. */
static void size_histogram(struct kernel *kernel)
{
    uint64_t product = 1;
    FOR_EACH(struct kernel_domain, domain, kernel->domains, kernel->variables) {
        domain->count = domain->count ? domain->count : 1; /* one value, 0, if nothing is known */
        product = product <= KERNEL_MAXIMUM_OUTCOMES ? product * domain->count : product;
    }
    kernel->outcomes = product <= KERNEL_MAXIMUM_OUTCOMES ? (uint32_t)product : 0;
    kernel->histogram_words = (kernel->outcomes + 2) / 2 * 2;
    if (kernel->alignment > 2) /* local cells follow it and must be aligned */
        kernel->histogram_words =
            (kernel->histogram_words + kernel->alignment - 1) / kernel->alignment * kernel->alignment;
    kernel->table_entries = kernel->outcomes ? 1024 : 16384;
    kernel->counter_words =
        (uint32_t)COUNTER_HISTOGRAM + kernel->histogram_words + kernel->table_entries * (kernel->words + 2);
}

void allocation_domains(const struct litmus_test *test, struct kernel *kernel)
{
    struct domain_search state = {.test = test};
    kernel->domains = memory_take(test->variable_count, sizeof *kernel->domains);
    state_start(&state);
    state.changed = true;
    for (int round = 0; round < ROUNDS && state.changed; round++) {
        state.changed = false;
        for (state.body = 0; state.body < test->body_count; state.body++)
            run_block(&state, &test->threads[state.body].body);
    }
    for (size_t v = 0; v < test->variable_count; v++) {
        const struct litmus_variable *variable = &test->variables[v];
        kernel->domains[v] = variable->thread == LITMUS_NONE ? *set_of(&state, variable->index)
                                                             : state.registers[variable->body][variable->index];
    }
    add_from_condition(test, test->condition, kernel->domains);
    add_from_condition(test, test->filter, kernel->domains);
    size_histogram(kernel);
    for (size_t b = 0; b < state.test->body_count; b++)
        free(state.registers[b]);
    free(state.registers);
    free(state.locations);
}
