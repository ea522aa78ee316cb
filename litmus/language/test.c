// SPDX-License-Identifier: Apache-2.0
/* A test as a whole: its memory, its outcomes and the propositions that they satisfy, its metadata, and what of it
 * orchil cannot run or OpenCL C does not define. */
#include "litmus/language/ptx_instructions.h"
#include "litmus/language/walk.h"

struct litmus_test *litmus_new(void)
{
    struct arena arena = {0};
    struct litmus_test *test = arena_take(&arena, 1, sizeof *test);
    test->arena = arena;
    return test;
}

void litmus_release(struct litmus_test *test)
{
    if (!test)
        return;
    struct arena arena = test->arena; /* it holds the test itself */
    arena_release(&arena);
}

unsigned litmus_storage(const struct litmus_test *test, unsigned location)
{
    while (test->locations[location].alias_of != LITMUS_NONE)
        location = (unsigned)test->locations[location].alias_of;
    return location;
}

unsigned litmus_address(const struct litmus_test *test, unsigned location)
{
    while (test->locations[location].proxy != LITMUS_GENERIC && test->locations[location].alias_of != LITMUS_NONE)
        location = (unsigned)test->locations[location].alias_of;
    return location;
}

enum litmus_type litmus_variable_type(const struct litmus_test *test, const struct litmus_variable *variable)
{
    if (variable->thread == LITMUS_NONE)
        return test->locations[variable->index].type;
    return test->threads[variable->body].registers[variable->index].type;
}

void litmus_print_value(enum litmus_type type, int64_t value, struct text *text)
{
    if (litmus_type_is_float(type) && !litmus_is_exact(type, value))
        text_add(text, "0x%0*" PRIx64, 2 * (int)litmus_type_size(type), litmus_value_bits(type, value));
    else if (litmus_type_is_unsigned(type))
        text_add(text, "%" PRIu64, (uint64_t)value);
    else
        text_add(text, "%" PRId64, value);
}

enum litmus_scope litmus_barrier_level(enum litmus_dialect dialect, const struct litmus_barrier *barrier)
{
    if (dialect == LITMUS_VULKAN)
        return barrier->scope == LITMUS_SUB_GROUP ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
    if (dialect != LITMUS_OPENCL && (barrier->scope == LITMUS_CLUSTER || barrier->scope == LITMUS_DEVICE))
        return barrier->scope;
    const bool sub_group = dialect == LITMUS_OPENCL ? barrier->sub_group : barrier->scope == LITMUS_SUB_GROUP;
    return sub_group ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
}

static bool is_ulong(const struct litmus_test *test, const struct litmus_term *term)
{
    return term->variable != LITMUS_NONE &&
           litmus_type_promoted(litmus_variable_type(test, &test->variables[term->variable])) == LITMUS_ULONG;
}

/* -1, 0 or 1. A comparison of a ulong with anything is unsigned, as in C. */
static int compare_terms(const struct litmus_test *test, const struct litmus_proposition *atom, const int64_t *values)
{
    int64_t sides[2];
    for (int i = 0; i < 2; i++)
        sides[i] = atom->terms[i].variable == LITMUS_NONE ? atom->terms[i].value : values[atom->terms[i].variable];
    if (is_ulong(test, &atom->terms[0]) || is_ulong(test, &atom->terms[1])) {
        const uint64_t left = (uint64_t)sides[0], right = (uint64_t)sides[1];
        return ORDER(left, right);
    }
    return ORDER(sides[0], sides[1]);
}

static bool atom_holds(const struct litmus_test *test, const struct litmus_proposition *atom, const int64_t *values)
{
    const int order = compare_terms(test, atom, values);
    switch (atom->relation) {
    case LITMUS_IS:
        return order == 0;
    case LITMUS_IS_NOT:
        return order != 0;
    case LITMUS_LESS:
        return order < 0;
    case LITMUS_LESS_OR_IS:
        return order <= 0;
    case LITMUS_MORE:
        return order > 0;
    case LITMUS_MORE_OR_IS:
        return order >= 0;
    }
    return false;
}

static bool holds(const struct litmus_test *test, const struct litmus_proposition *proposition, const int64_t *values)
{
    switch (proposition->kind) {
    case LITMUS_TRUE:
        return true;
    case LITMUS_FALSE:
        return false;
    case LITMUS_ATOM:
        return atom_holds(test, proposition, values);
    case LITMUS_NEGATION:
        return !holds(test, proposition->left, values);
    case LITMUS_CONJUNCTION:
        return holds(test, proposition->left, values) && holds(test, proposition->right, values);
    case LITMUS_DISJUNCTION:
        return holds(test, proposition->left, values) || holds(test, proposition->right, values);
    case LITMUS_IMPLICATION:
        return !holds(test, proposition->left, values) || holds(test, proposition->right, values);
    }
    return false;
}

bool litmus_passes_filter(const struct litmus_test *test, const int64_t *values)
{
    return !test->filter || holds(test, test->filter, values);
}

bool litmus_is_witness(const struct litmus_test *test, const int64_t *values)
{
    if (test->quantifier == LITMUS_NO_CONDITION)
        return false;
    return holds(test, test->condition, values) == (test->quantifier != LITMUS_FORALL);
}

const char *litmus_variable_name(const struct litmus_test *test, const struct litmus_variable *variable)
{
    return variable->thread != LITMUS_NONE ? test->threads[variable->body].registers[variable->index].name
                                           : test->locations[variable->index].name;
}

int litmus_compare_values(const void *left, const void *right, void *test)
{
    const int64_t *a = left, *b = right;
    for (size_t i = 0; i < ((const struct litmus_test *)test)->variable_count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

void litmus_print_variable(const struct litmus_test *test, const struct litmus_variable *variable, struct text *text)
{
    const char *name = litmus_variable_name(test, variable);
    if (variable->thread != LITMUS_NONE)
        text_add(text, "%d:%s", variable->thread, name);
    else if (test->locations[variable->index].array)
        text_add(text, "%s[%" PRIu32 "]", name, variable->element);
    else
        text_add(text, "[%s]", name);
}

void litmus_print_outcome(const struct litmus_test *test, const int64_t *values, struct text *text)
{
    if (test->variable_count == 0)
        text_add(text, "-");
    for (size_t i = 0; i < test->variable_count; i++) {
        text_add(text, "%s", i > 0 ? " " : "");
        litmus_print_variable(test, &test->variables[i], text);
        text_add(text, "=");
        litmus_print_value(litmus_variable_type(test, &test->variables[i]), values[i], text);
        text_add(text, ";");
    }
}

/* Reads the output of litmus_print_value; other text gives an arbitrary value. */
static int64_t test_read_value(enum litmus_type type, const char *text)
{
    if (litmus_type_is_float(type) && strncmp(text, "0x", 2) == 0)
        return litmus_value_of_bits(type, strtoull(text, NULL, 16));
    return litmus_type_is_unsigned(type) ? (int64_t)strtoull(text, NULL, 10) : strtoll(text, NULL, 10);
}

bool litmus_label_read(const struct litmus_test *test, const char *label, int64_t *values)
{
    LOCAL(text) again = {0};
    const char *at = label;
    for (size_t i = 0; i < test->variable_count; i++) {
        at = strchr(at, '=');
        if (!at)
            return false;
        values[i] = test_read_value(litmus_variable_type(test, &test->variables[i]), ++at);
    }
    litmus_print_outcome(test, values, &again);
    return strcmp(text_string(&again), label) == 0;
}

bool litmus_label_is_witness(const struct litmus_test *test, const char *label)
{
    int64_t values[LITMUS_MAXIMUM_VARIABLES];
    return litmus_label_read(test, label, values) && litmus_is_witness(test, values);
}

/* ---- the values of a test's metadata keys, and the names in them ---- */

const char litmus_text_key[] = "Text.";
const char litmus_controls[] = "Control", litmus_mutants[] = "Mutants", litmus_planted[] = "Planted";

const char *litmus_metadata(const struct litmus_test *test, const char *key)
{
    return VALUE_OF(const char *, one, test->metadata, test->metadata_count, strcmp(one->key, key) == 0, one->value,
                    NULL);
}

const char *litmus_text(const struct litmus_test *test, const char *language)
{
    const size_t size = strlen(litmus_text_key);
    if (strcmp(language, "en") == 0)
        return *test->doc ? test->doc : NULL;
    return VALUE_OF(const char *, one, test->metadata, test->metadata_count,
                    strncmp(one->key, litmus_text_key, size) == 0 && strcmp(one->key + size, language) == 0, one->value,
                    NULL);
}

enum litmus_claim litmus_claim(const struct litmus_test *test)
{
    static const struct word words[] = {{"allowed", LITMUS_CLAIM_ALLOWED},
                                        {"unpromised", LITMUS_CLAIM_UNPROMISED},
                                        {"forbidden", LITMUS_CLAIM_FORBIDDEN},
                                        {NULL, 0}};
    const char *expect = litmus_metadata(test, "Expect");
    if (!expect)
        return LITMUS_CLAIM_NONE;
    const int claim = word_value(words, expect, strlen(expect));
    return claim == LITMUS_NONE ? LITMUS_CLAIM_UNKNOWN : (enum litmus_claim)claim;
}

bool litmus_forbids_witness(const struct litmus_test *test)
{
    const enum litmus_claim claim = litmus_claim(test);
    if (claim != LITMUS_CLAIM_NONE)
        return claim == LITMUS_CLAIM_FORBIDDEN;
    return test->quantifier == LITMUS_NOT_EXISTS || test->quantifier == LITMUS_FORALL;
}

bool litmus_is_progress(const struct litmus_test *test)
{
    const char *progress = litmus_metadata(test, "Progress");
    return progress && strcmp(progress, "yes") == 0;
}

bool litmus_next_name(const struct litmus_test *test, const char *key, const char **rest, char name[LITMUS_NAME_SIZE])
{
    static const char between[] = ", \t";
    const char *at = *rest ? *rest : test ? litmus_metadata(test, key) : NULL;
    if (!at)
        return false;
    at += strspn(at, between);
    const size_t length = strcspn(at, between);
    (void)snprintf(name, LITMUS_NAME_SIZE, "%.*s", (int)(length < LITMUS_NAME_SIZE ? length : LITMUS_NAME_SIZE - 1),
                   at);
    *rest = at + length;
    return length > 0;
}

/* ---- ranges of threads whose registers hold their threads' numbers, as threads of their own ---- */

/* Do the threads of a range differ, by a number or by their lanes? */
static bool is_numbered(const struct litmus_test *test)
{
    bool numbered = false;
    FOR_EACH(const struct litmus_thread, thread, test->threads, test->body_count) {
        numbered |= thread->count > 1 && litmus_has_collectives(&thread->body);
        for (size_t k = 0; k < thread->register_count; k++)
            numbered |= thread->registers[k].numbered;
    }
    return numbered;
}

/* One thread of a range. */
static struct litmus_thread thread_of(struct arena *arena, const struct litmus_thread *range, unsigned number)
{
    struct litmus_thread thread = *range;
    thread.first = range->first + number;
    thread.count = 1;
    thread.registers = arena_take(arena, range->register_count, sizeof *thread.registers);
    for (size_t i = 0; i < range->register_count; i++) {
        struct litmus_register *own = &thread.registers[i];
        *own = range->registers[i];
        if (own->numbered)
            own->initial = litmus_wrap(own->type, number);
        own->numbered = false;
    }
    return thread;
}

struct litmus_test *litmus_expand(const struct litmus_test *test)
{
    if (!is_numbered(test))
        return NULL;
    struct litmus_test *expanded = litmus_new();
    struct arena arena = expanded->arena;
    *expanded = *test;
    expanded->threads = arena_take(&arena, test->thread_count, sizeof *expanded->threads);
    expanded->body_count = 0;
    for (size_t i = 0; i < test->body_count; i++)
        for (unsigned k = 0; k < test->threads[i].count; k++)
            expanded->threads[expanded->body_count++] = thread_of(&arena, &test->threads[i], k);
    expanded->variables = arena_take(&arena, test->variable_count, sizeof *expanded->variables);
    for (size_t i = 0; i < test->variable_count; i++) {
        expanded->variables[i] = test->variables[i];
        if (test->variables[i].thread != LITMUS_NONE)
            expanded->variables[i].body = test->variables[i].thread;
    }
    /* An edge between two ranges becomes one between each two of their threads, which are numbered from 0 without
     * gaps. */
    expanded->edges = NULL;
    expanded->edge_count = 0;
    for (size_t i = 0; i < test->edge_count; i++) {
        const struct litmus_thread *later = &test->threads[test->edges[i].later],
                                   *earlier = &test->threads[test->edges[i].earlier];
        for (unsigned a = 0; a < later->count; a++)
            for (unsigned b = 0; b < earlier->count; b++) {
                struct litmus_edge edge = test->edges[i];
                edge.later = later->first + a;
                edge.earlier = earlier->first + b;
                ARENA_ADD(&arena, expanded->edges, expanded->edge_count) = edge;
            }
    }
    expanded->arena = arena;
    return expanded;
}

/* ---- the instructions of a test for which orchil has no kernel ---- */

enum { NAME_SIZE = 160 };

/* The names found so far, each once. The test has few, so they are looked for in the text itself. */
struct unsupported_names {
    struct text names; /* " a, b," */
    bool fence;        /* one is a fence that no PTX has */
};

static void test_add_name(struct unsupported_names *found, const char *name)
{
    const char *const wanted = PRINTED(NAME_SIZE + 4, " %s,", name);
    if (!strstr(text_string(&found->names), wanted))
        text_add(&found->names, "%s", wanted);
}

static void note_access(struct unsupported_names *found, const struct litmus_access *access)
{
    if (access->operation != LITMUS_FETCH_MUL && access->operation != LITMUS_FETCH_DIV)
        return; /* MUL and DIV are Dat3M's */
    const char *const name =
        PRINTED(NAME_SIZE, "%s.%s", ptx_access_name(access->no_result ? PTX_RED : PTX_ATOM, access->proxy),
                litmus_operation_name(LITMUS_PTX, access->operation));
    test_add_name(found, name);
}

static void note_statement(struct unsupported_names *found, const struct litmus_statement *statement)
{
    char name[NAME_SIZE];
    if (statement->kind == LITMUS_UNSUPPORTED)
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(statement->text, " "), statement->text);
    /* PTX has proxy fences of alias and async. The others are from the paper. */
    else if (litmus_is_fence(statement) && statement->fence.order == LITMUS_PLAIN &&
             statement->fence.proxy != LITMUS_ALIAS && statement->fence.proxy != LITMUS_ASYNC &&
             statement->fence.restriction == LITMUS_UNRESTRICTED) {
        (void)snprintf(name, sizeof name, "fence.proxy.%s", litmus_proxy_name(statement->fence.proxy));
        found->fence = true;
    } else
        return;
    test_add_name(found, name);
}

bool litmus_unsupported(const struct litmus_test *test, struct text *text)
{
    struct unsupported_names found = {0};
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);) {
        if (walk.statement)
            note_statement(&found, walk.statement);
        if (walk.access)
            note_access(&found, walk.access);
    }
    const bool any = found.names.size > 0;
    if (any)
        text_add_bytes(text, found.names.data + 1, found.names.size - 2);
    if (found.fence)
        text_add(text, "; PTX has no fence for that proxy, and only the end of a kernel orders its accesses");
    text_release(&found.names);
    return any;
}

/* ---- code that parses but that OpenCL C does not define: invalid combinations of flags and scopes ---- */

/* The rules are those of the OpenCL C 3.0 specification, sections "Synchronization Functions" (6.15.8), "Memory Scope"
 * and "Fences" (6.15.12), and "Reading and Writing to the Same Image in a Kernel" (6.15.15). Each sentence names its
 * section. */

/* The parts of an instruction that these rules check. */
struct instruction {
    enum { INSTRUCTION_ACCESS, INSTRUCTION_FENCE, INSTRUCTION_BARRIER, INSTRUCTION_SUB_GROUP_BARRIER } kind;
    bool buffers, image; /* flags: of global or local memory, of images */
    enum litmus_order order;
    enum litmus_scope scope;
};

static bool is_fence_without_flags(const struct instruction *instruction)
{
    return instruction->kind == INSTRUCTION_FENCE && !instruction->buffers && !instruction->image;
}

static bool is_work_item(const struct instruction *instruction)
{
    const bool of_images = instruction->kind == INSTRUCTION_FENCE && instruction->image && !instruction->buffers;
    return instruction->scope == LITMUS_WORK_ITEM && !of_images;
}

static bool is_other_image_fence(const struct instruction *instruction)
{
    return instruction->kind == INSTRUCTION_FENCE && instruction->image &&
           (instruction->scope != LITMUS_WORK_ITEM || instruction->order != LITMUS_ACQ_REL);
}

static bool is_wide_image_barrier(const struct instruction *instruction)
{
    return instruction->kind == INSTRUCTION_BARRIER && instruction->image && instruction->scope != LITMUS_WORK_GROUP;
}

static const struct {
    bool (*breaks)(const struct instruction *instruction);
    const char *sentence;
} rules[] = {
    {is_fence_without_flags, "atomic_work_item_fence without a flag is undefined (OpenCL C 3.0, Fences)"},
    {is_work_item, "memory_scope_work_item is only for atomic_work_item_fence with CLK_IMAGE_MEM_FENCE "
                   "(OpenCL C 3.0, Memory Scope)"},
    {is_other_image_fence, "atomic_work_item_fence with CLK_IMAGE_MEM_FENCE takes only memory_order_acq_rel and "
                           "memory_scope_work_item (OpenCL C 3.0, Reading and Writing to the Same Image in a Kernel)"},
    {is_wide_image_barrier, "work_group_barrier with CLK_IMAGE_MEM_FENCE takes only memory_scope_work_group "
                            "(OpenCL C 3.0, Synchronization Functions)"},
};

/* What the rules check of where a walk is; false: nothing. */
static bool find_instruction(const struct litmus_walk *walk, struct instruction *instruction)
{
    const struct litmus_statement *statement = walk->statement;
    if (statement && litmus_kinds[statement->kind].orders) {
        const struct litmus_orders *orders = &statement->orders;
        *instruction = (struct instruction){litmus_is_fence(statement)     ? INSTRUCTION_FENCE
                                            : statement->barrier.sub_group ? INSTRUCTION_SUB_GROUP_BARRIER
                                                                           : INSTRUCTION_BARRIER,
                                            orders->flag_global || orders->flag_local, orders->flag_image,
                                            orders->order, orders->scope};
        return true;
    }
    if (!walk->access || walk->access->order == LITMUS_PLAIN)
        return false;
    *instruction = (struct instruction){INSTRUCTION_ACCESS, true, false, walk->access->order, walk->access->scope};
    return true;
}

const char *litmus_broken_rule(const struct litmus_test *test)
{
    const char *broken = NULL;
    struct instruction instruction;
    if (test->dialect != LITMUS_OPENCL)
        return NULL;
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);)
        for (size_t i = 0; i < COUNT(rules) && !broken && find_instruction(&walk, &instruction); i++)
            if (rules[i].breaks(&instruction))
                broken = rules[i].sentence;
    return broken;
}
