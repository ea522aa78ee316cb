// SPDX-License-Identifier: Apache-2.0
/* Threads in C: their parameters and statements. A register belongs to its thread, not to the block that declares
 * it. */
#include "litmus/language/walk.h"
#include "litmus/parse/c_body.h"

/* ---- the dialects ---- */

static const struct word cuda_regions[] = {{"__shared__", LITMUS_LOCAL}, {NULL, 0}};

static const struct c_foreign cuda_foreign[] = {
    {"__shfl", "the nearest form is __shfl_sync or __shfl_xor_sync, among all lanes"},
    {"__any", "the nearest form is __any_sync"},
    {"__all", "the nearest form is __all_sync"},
    {"__ballot", "the nearest form is __ballot_sync"},
    {"__match", "the nearest form is __match_any_sync; PTX also has match.all.sync"},
    {"__reduce_", "the nearest form is __reduce_add_sync, or _min or _max"},
    {"cooperative_groups::", "the nearest form is this_thread_block().sync(), this_cluster().sync() or "
                             "this_grid().sync() of cooperative_groups, or __syncwarp()"},
    {"__ld", "the nearest forms are __ldcg and similar functions, without a vector"},
    {"__st", "the nearest forms are __stcg and similar functions, without a vector"},
    {"atomic_", "the nearest forms are atomicAdd, cuda::atomic_ref<int>(*x).load() and similar functions"},
    {NULL, NULL},
};

static const struct c_foreign opencl_foreign[] = {
    {"sub_group_", "the nearest form is sub_group_any, _all, _broadcast or _reduce_add, _min or _max"},
    {"work_group_", "exchanges in registers neither access nor order memory: the nearest form is local memory with "
                    "a barrier"},
    {"async_work_group", "the nearest form is plain loads and stores and work_group_barrier"},
    {NULL, NULL},
};

/* What C11's functions name: orders, and neither scopes nor regions. */
#define C11_WORDS                                                                                                      \
    .orders = c_order_words, .scopes = no_words, .regions = no_words,                                                  \
    .an_order = "an order such as memory_order_relaxed", .a_scope = "no scope"

static const struct c_language languages[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] =
        {
            .page = "language-opencl.md",
            .foreign = opencl_foreign,
            .functions = C_OPENCL,
            .orders = c_order_words,
            .scopes = c_scope_words,
            .regions = region_words,
            .an_order = "an order such as memory_order_relaxed",
            .a_scope = "a scope such as memory_scope_device",
            .a_parameter = "a pointer parameter such as global atomic_int* x",
            .atomic_types = true,
            .generic_pointers = true,
            .images = true,
            .notes_form = true,
        },
    [LITMUS_CUDA] =
        {
            .page = "language-cuda.md",
            .foreign = cuda_foreign,
            .functions = C_CUDA,
            .reference = C_REFERENCE,
            .object = C_OBJECT,
            .orders = cuda_order_words,
            .scopes = cuda_scope_words,
            .regions = cuda_regions,
            .an_order = "an order such as cuda::memory_order_relaxed",
            .a_scope = "a scope such as cuda::thread_scope_device",
            .a_parameter = "a pointer parameter such as int* x or __shared__ int* x",
            .volatile_accesses = true,
            .failure_never_releases = true,
        },
    /* As herd reads them: C11's atomic functions, without scopes. Each thread is a work-group of its own, on one
     * device, and whatever is atomic is so for that device. */
    [LITMUS_C] =
        {
            .page = "language-c.md",
            .functions = C_HERD,
            C11_WORDS,
            .a_parameter = "a pointer parameter such as atomic_int* x",
            .atomic_types = true,
            .notes_form = true,
            .fixed_places = true,
        },
    /* The cells of host threads: C11's functions, of system scope. */
    [LITMUS_PTX] =
        {
            .page = "language-ptx.md",
            .functions = C_HOST,
            C11_WORDS,
            .a_parameter = "no parameter",
            .finds_locations = true,
            .notes_form = true,
        },
};

/* ---- parameters: "volatile global atomic_int* x", "int x[2]", "read_write image1d_t i" ---- */

/* The words before a parameter's name, in any order. */
struct c_qualifiers {
    enum litmus_type type;
    bool typed, atomic, is_volatile, placed, constant, generic;
    struct object_note object;
    bool array; /* "int a[]": the name is at hand, and no '*' came before it */
    enum litmus_region region;
};

/* The name in "int a[]", or that of a declaration, "int a;". */
static bool is_array_name(const struct parser *parser)
{
    return parser->token.kind == TOKEN_WORD && (parser_next_is(parser, "[") || parser_next_is(parser, ";"));
}

/* "generic" or "constant", which say more than a region; false if neither is at hand. */
static bool take_space(const struct parser *parser, const struct c_language *language, struct c_qualifiers *qualifiers)
{
    const bool generic = parser_at(parser, "generic") || parser_at(parser, "__generic");
    const bool constant = parser_at(parser, "constant") || parser_at(parser, "__constant");
    if (!language->generic_pointers || qualifiers->placed || (!generic && !constant))
        return false;
    qualifiers->placed = true;
    qualifiers->generic = generic;
    qualifiers->constant = constant;
    return true;
}

/* "cuda::atomic<int, cuda::thread_scope_device>", without a scope that of the system. */
static enum status parse_object(struct parser *parser, const struct c_language *language,
                                struct c_qualifiers *qualifiers)
{
    struct c_body body = {.parser = parser, .language = language};
    struct c_reference reference;
    struct token name;
    TRY(parse_c_name(&body, language->object, &name));
    if (!token_is(&name, language->object))
        return parser_expected_not(parser, &name, "cuda::atomic, or a type such as int");
    TRY(parse_c_class(&body, &reference, &qualifiers->type, &name));
    qualifiers->object = (struct object_note){true, reference.scoped ? reference.scope : LITMUS_ALL_DEVICES};
    qualifiers->typed = true;
    return STATUS_OK;
}

static enum status parse_qualifiers(struct parser *parser, const struct c_language *language,
                                    struct c_qualifiers *qualifiers)
{
    *qualifiers = (struct c_qualifiers){.type = LITMUS_INT, .region = LITMUS_GLOBAL};
    while (!parser_at(parser, "*")) {
        const struct token start = parser->token;
        qualifiers->array = qualifiers->typed && is_array_name(parser);
        if (qualifiers->array)
            return STATUS_OK;
        if (!qualifiers->typed && language->object && parser_at(parser, "cuda")) {
            TRY(parse_object(parser, language, qualifiers));
            if (parser_at(parser, "&"))
                break;
            continue;
        }
        if (!qualifiers->typed) {
            TRY(parser_type(parser, &qualifiers->type, &qualifiers->atomic, &qualifiers->typed));
            if (qualifiers->atomic && !language->atomic_types)
                return parser_expected_not(parser, &start, language->a_parameter);
            if (qualifiers->typed)
                continue;
        }
        const int region = word_find(language->regions, &parser->token);
        if (region != LITMUS_NONE && !qualifiers->placed) {
            qualifiers->placed = true;
            qualifiers->region = (enum litmus_region)region;
        } else if (take_space(parser, language, qualifiers))
            ;
        else if (parser_at(parser, "volatile"))
            qualifiers->is_volatile = true;
        else if (!parser_at(parser, "const"))
            return parser_expected(parser, language->a_parameter);
        parser_advance(parser);
    }
    if (!qualifiers->typed)
        return parser_expected(parser, language->atomic_types ? "a type such as int or atomic_int before '*'"
                                                              : "a type such as int before '*'");
    qualifiers->generic |= language->generic_pointers && !qualifiers->placed;
    parser_advance(parser);
    (void)skip_c_silent_words(parser);
    return STATUS_OK;
}

/* "[]" or "[2]" after a parameter's name, which C reads as a pointer. A number says how many elements there are, unless
 * the initial state did: then it must be the same. */
static enum status parse_parameter_elements(struct parser *parser, int index)
{
    struct litmus_location *location = &parser->test->locations[index];
    const bool declared = parser->notes[index].declared;
    const struct token name = parser->token;
    unsigned elements = location->elements;
    TRY(parser_take(parser, "["));
    if (parser_take_if(parser, "]"))
        return STATUS_OK;
    TRY(parser_count(parser, "a number of elements, or ']'", LITMUS_MAXIMUM_ELEMENTS, &elements));
    if (elements == 0)
        return parser_fail(parser, name.place, "expected at least one element, found 0");
    if ((declared || location->array) && elements != location->elements)
        return parser_fail(parser, name.place, "expected '%s' to have as many elements as %s gives it (%u), found %u",
                           location->name, declared ? "the initial state" : "another thread", location->elements,
                           elements);
    if (!location->array && !declared) {
        location->array = true;
        location->elements = elements;
        location->initial = arena_take(parser_arena(parser), elements, sizeof *location->initial);
    }
    return parser_take(parser, "]");
}

/* A parameter that is local in one thread and global in another counts as local here; parse_groups checks whether it
 * can be. */
static enum status place_parameter_region(struct parser *parser, int index, enum litmus_region region,
                                          struct litmus_place place)
{
    struct location_note *note = &parser->notes[index];
    struct litmus_location *location = &parser->test->locations[index];
    const bool local = location->region == LITMUS_LOCAL || region == LITMUS_LOCAL;
    const bool global = location->region == LITMUS_GLOBAL || region == LITMUS_GLOBAL;
    const unsigned threads = SUM_OF(unsigned, draft, parser->drafts, parser->draft_count, (*draft)->visible[index]);
    if (!note->placed || !local || !global || threads < 2)
        return parser_place_location(parser, index, region, place);
    note->mixed = place;
    note->mixed_local = region == LITMUS_LOCAL;
    location->region = LITMUS_LOCAL;
    return STATUS_OK;
}

/* A location has the type of its first declaration. In OPENCL and C, parameters may differ from it in sign and name. */
static enum status type_parameter(struct parser *parser, const struct c_language *language, struct draft *draft,
                                  int index, const struct c_qualifiers *qualifiers, struct litmus_place place)
{
    const enum litmus_type type = qualifiers->type;
    const enum litmus_type other = parser->test->locations[index].type;
    const bool whole =
        !litmus_type_is_float(type) && !litmus_type_is_float(other) && type != LITMUS_FLAG && other != LITMUS_FLAG;
    draft->points_to[index] = type;
    if (parser->notes[index].typed && language->atomic_types && whole && qualifiers->region != LITMUS_IMAGE &&
        litmus_type_size(type) == litmus_type_size(other))
        return STATUS_OK;
    return parser_type_location(parser, index, type, place);
}

/* "read_write image1d_t", or nothing. The functions that orchil reads are those of a channel of type int. */
static enum status parse_image(struct parser *parser, const struct c_language *language,
                               struct c_qualifiers *qualifiers, bool *found)
{
    *found = language->images && (parser_at(parser, "read_write") || parser_at(parser, "__read_write"));
    if (!*found)
        return STATUS_OK;
    *qualifiers = (struct c_qualifiers){.type = LITMUS_INT, .typed = true, .placed = true, .region = LITMUS_IMAGE};
    parser_advance(parser);
    if (!parser_take_if(parser, "image1d_t"))
        return parser_expected(parser, "image1d_t");
    return STATUS_OK;
}

/* A parameter of a thread, "volatile global int* x": the thread sees its location from then on. */
static enum status parse_c_parameter(struct parser *parser, struct draft *draft)
{
    const struct c_language *language = &languages[parser->test->dialect];
    struct c_qualifiers qualifiers;
    struct token name;
    int index;
    bool image;
    TRY(parse_image(parser, language, &qualifiers, &image));
    if (!image)
        TRY(parse_qualifiers(parser, language, &qualifiers));
    TRY(parser_take_word(parser, "the name of a parameter", &name));
    TRY(parser_location(parser, &name, &index));
    if (draft->visible[index] || draft_find_register(draft, &name) != LITMUS_NONE)
        return parser_expected_not(parser, &name, "a name not used in the thread");
    draft->visible[index] = true;
    draft->scalars[index] = qualifiers.array && !parser_at(parser, "[");
    if (qualifiers.array && !draft->scalars[index])
        TRY(parse_parameter_elements(parser, index));
    TRY(type_parameter(parser, language, draft, index, &qualifiers, name.place));
    /* The region that the parameter gives the location. A pointer without an address space gives none. */
    struct litmus_location *location = &parser->test->locations[index];
    struct location_note *note = &parser->notes[index];
    if (note->pointed && note->constant != qualifiers.constant)
        return parser_fail(parser, name.place,
                           "expected the same region for '%s' everywhere, found constant and another", location->name);
    note->pointed = true;
    note->constant = qualifiers.constant;
    draft->points_to_generic[index] = qualifiers.generic;
    if (!qualifiers.generic)
        TRY(place_parameter_region(parser, index, qualifiers.region, name.place));
    location->atomic |= qualifiers.atomic;
    draft->points_to_atomic[index] = qualifiers.atomic;
    draft->objects[index] = qualifiers.object;
    if (language->volatile_accesses)
        draft->points_to_volatile[index] = qualifiers.is_volatile;
    else
        location->is_volatile |= qualifiers.is_volatile;
    return STATUS_OK;
}

static enum status parse_statement(struct c_body *body, struct litmus_block *block);

/* The body of an if or a loop: one statement, or several in braces. Both are one level of nesting, so that the braces
 * which the printer adds do not take a test over the limit. */
static enum status parse_branch(struct c_body *body, struct litmus_block *block)
{
    if (parser_at(body->parser, "{"))
        return parse_statement(body, block);
    TRY(parser_enter(body->parser));
    TRY(parse_statement(body, block));
    parser_leave(body->parser);
    return STATUS_OK;
}

static enum status parse_parenthesized(struct c_body *body, struct litmus_block *before,
                                       struct litmus_expression **value)
{
    TRY(parser_take(body->parser, "("));
    TRY(parse_c_full_expression(body, before, value));
    return parser_take(body->parser, ")");
}

/* Side effects of a condition go before the loop and again at the end of each round: the condition is parsed again. */
static enum status repeat_condition(struct c_body *body, const struct position *condition,
                                    struct litmus_block *repeated)
{
    const struct position after = parser_position(body->parser);
    struct litmus_expression *ignored;
    parser_return(body->parser, condition);
    TRY(parser_enter(body->parser));
    TRY(parse_c_full_expression(body, repeated, &ignored));
    parser_leave(body->parser);
    parser_return(body->parser, &after);
    return STATUS_OK;
}

static enum status parse_if(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block then = {0}, otherwise = {0};
    TRY(parse_parenthesized(body, block, &value));
    TRY(parse_branch(body, &then));
    if (parser_take_if(body->parser, "else"))
        TRY(parse_branch(body, &otherwise));
    return add_c_statement(
        body, block,
        (struct litmus_statement){
            .kind = LITMUS_IF, .place = place, .value = value, .body = then, .otherwise = otherwise});
}

/* The body of a loop, which it enters, with the label where its rounds end. */
static enum status parse_round(struct c_body *body, struct litmus_block *repeated, struct c_labels *around)
{
    *around = c_enter_loop(body, true);
    TRY(parse_branch(body, repeated));
    return add_c_goal(body, repeated, TO_END_OF_ROUND);
}

static enum status parse_while(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block repeated = {0};
    const size_t before = block->count;
    TRY(parser_take(body->parser, "("));
    const struct position condition = parser_position(body->parser);
    TRY(parse_c_full_expression(body, block, &value));
    TRY(parser_take(body->parser, ")"));
    const bool sets = block->count > before;
    struct c_labels around;
    TRY(parse_round(body, &repeated, &around));
    if (sets)
        TRY(repeat_condition(body, &condition, &repeated));
    return add_c_loop(body, block,
                      (struct litmus_statement){.kind = LITMUS_WHILE, .place = place, .value = value, .body = repeated},
                      &around);
}

static enum status parse_do(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct litmus_expression *value;
    struct litmus_block repeated = {0};
    struct c_labels around;
    TRY(parse_round(body, &repeated, &around));
    TRY(parser_take(body->parser, "while"));
    TRY(parse_parenthesized(body, &repeated, &value));
    TRY(parser_take(body->parser, ";"));
    return add_c_loop(
        body, block,
        (struct litmus_statement){.kind = LITMUS_DO_WHILE, .place = place, .value = value, .body = repeated}, &around);
}

/* "case 1:" or "default:" at hand: a label in the switch, and where it is chosen; *otherwise: the label of default. */
static enum status parse_case(struct c_body *body, struct litmus_block *chosen, struct litmus_block *inside,
                              struct litmus_expression *value, int *otherwise)
{
    struct parser *parser = body->parser;
    const struct litmus_place place = parser->token.place;
    struct litmus_expression *number, *equal = parser_expression(parser, LITMUS_EXPRESSION_BINARY, place);
    struct litmus_block jump = {0};
    int label;
    const bool usual = parser_take_if(parser, "default");
    TRY(add_c_new_label(body, inside, place, &label));
    if (usual) {
        *otherwise = label;
        return parser_take(parser, ":");
    }
    TRY(parser_take(parser, "case"));
    TRY(parse_c_cell_value(body, &number));
    if (number->kind != LITMUS_EXPRESSION_CONSTANT)
        return parser_fail(parser, place, "expected a number after case");
    equal->op = LITMUS_EQ;
    equal->right = number;
    equal->left = make_c_register(body, value->index, place);
    TRY(add_c_jump(body, &jump, label, place));
    TRY(add_c_statement(body, chosen,
                        (struct litmus_statement){.kind = LITMUS_IF, .place = place, .value = equal, .body = jump}));
    return parser_take(parser, ":");
}

/* "switch (e) { case 0: S break; default: S }": jumps to labels in the block, and S after them. */
static enum status parse_switch(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct parser *parser = body->parser;
    struct litmus_expression *value;
    struct litmus_block inside = {0};
    int otherwise = LITMUS_NONE;
    TRY(parse_parenthesized(body, block, &value));
    TRY(make_c_temporary(body, block, value, &value));
    const struct c_labels around = c_enter_loop(body, false);
    TRY(parser_take(parser, "{"));
    TRY(parser_enter(parser));
    while (!parser_at(parser, "}"))
        TRY(parser_at(parser, "case") || parser_at(parser, "default")
                ? parse_case(body, block, &inside, value, &otherwise)
                : parse_statement(body, &inside));
    parser_leave(parser);
    parser_advance(parser);
    if (otherwise == LITMUS_NONE)
        TRY(name_c_goal(body, TO_END_OF_LOOP, false, place, &otherwise));
    TRY(add_c_jump(body, block, otherwise, place));
    for (size_t i = 0; i < inside.count; i++)
        ARENA_ADD(parser_arena(parser), block->statements, block->count) = inside.statements[i];
    TRY(add_c_goal(body, block, TO_END_OF_LOOP));
    c_leave_loop(body, &around);
    return STATUS_OK;
}

/* "i = 0, j = 1", or nothing. */
static enum status parse_simple_list(struct c_body *body, struct litmus_block *block, const char *end)
{
    for (bool more = !parser_at(body->parser, end); more;) {
        TRY(parse_c_simple(body, block));
        more = parser_take_if(body->parser, ",");
    }
    return STATUS_OK;
}

static enum status parse_declared_registers(struct c_body *body, struct litmus_block *block, bool *found);

/* "for (int i = 0; i < 3; i++)" is a while loop: its first part goes before it, its last at the end of its body. */
static enum status parse_for(struct c_body *body, struct litmus_block *block, struct litmus_place place)
{
    struct parser *parser = body->parser;
    struct litmus_expression *value = make_c_constant(body, 1, place);
    struct litmus_block repeated = {0}, step = {0};
    bool declared;
    TRY(parser_take(parser, "("));
    TRY(parse_declared_registers(body, block, &declared));
    if (!declared) {
        TRY(parse_simple_list(body, block, ";"));
        TRY(parser_take(parser, ";"));
    }
    const size_t before = block->count;
    const struct position condition = parser_position(parser);
    if (!parser_at(parser, ";"))
        TRY(parse_c_full_expression(body, block, &value));
    TRY(parser_take(parser, ";"));
    const bool sets = block->count > before;
    TRY(parser_enter(parser));
    TRY(parse_simple_list(body, &step, ")"));
    parser_leave(parser);
    TRY(parser_take(parser, ")"));
    struct c_labels around;
    TRY(parse_round(body, &repeated, &around));
    for (size_t i = 0; i < step.count; i++)
        ARENA_ADD(parser_arena(parser), repeated.statements, repeated.count) = step.statements[i];
    if (sets)
        TRY(repeat_condition(body, &condition, &repeated));
    return add_c_loop(body, block,
                      (struct litmus_statement){.kind = LITMUS_WHILE, .place = place, .value = value, .body = repeated},
                      &around);
}

static const struct {
    const char *word;
    enum status (*parse)(struct c_body *body, struct litmus_block *block, struct litmus_place place);
} compounds[] = {
    {"if", parse_if}, {"while", parse_while}, {"do", parse_do}, {"for", parse_for}, {"switch", parse_switch},
};

/* Declares a register of the thread, which may have it already, as the same type. */
static enum status declare_register(struct c_body *body, const struct token *name, enum litmus_type type, bool truth,
                                    int *index)
{
    struct parser *parser = body->parser;
    const int location = parser_find_location(parser, name);
    if (location != LITMUS_NONE && body->draft->visible[location])
        return parser_expected_not(parser, name, "a name that is not a parameter of the thread");
    if (is_c_reference(body, name))
        return parser_expected_not(parser, name, "a name that is not a reference");
    if (c_lanes_of(parser, body->draft, name) > 0)
        return parser_expected_not(parser, name, "a name that is not a vector");
    TRY(draft_register(parser, body->draft, name, index));
    struct litmus_register *target = &body->draft->thread.registers[*index];
    struct register_note *note = &body->draft->registers[*index];
    const enum litmus_dialect dialect = parser->test->dialect;
    if (note->typed && (target->type != type || note->truth != truth))
        return parser_fail(parser, name->place, "expected type %s, as '%s' has already, found %s",
                           note->truth ? "bool" : litmus_type_word(dialect, target->type), target->name,
                           truth ? "bool" : litmus_type_word(dialect, type));
    target->type = type;
    note->typed = true;
    note->truth = truth;
    return STATUS_OK;
}

/* A declaration with its semicolon; *found is false and nothing is taken if there is none. */
static enum status parse_declared_registers(struct c_body *body, struct litmus_block *block, bool *found)
{
    const struct litmus_place place = body->parser->token.place;
    struct c_declared declared;
    TRY(parse_c_type(body, &declared));
    *found = declared.found;
    if (declared.atomic)
        return parser_fail(body->parser, place, "expected a plain type for a register, found an atomic one");
    if (!*found)
        return STATUS_OK;
    /* "int r0 = 1, r1;" with the type taken. */
    struct parser *parser = body->parser;
    do {
        struct token name;
        struct c_target target = {0};
        TRY(parser_take_word(parser, "the name of a register", &name));
        if (declared.deduced) {
            /* "= e" of a declaration by auto, whose type is that of the value. */
            struct litmus_expression *value;
            int index;
            TRY(parser_take(body->parser, "="));
            TRY(parse_c_full_expression(body, block, &value));
            TRY(declare_register(body, &name, c_type_of(body, value), false, &index));
            TRY(add_c_assignment(body, block, index, value, name.place));
        } else
            TRY(declare_register(body, &name, declared.type, declared.truth, &target.index));
        target.place = name.place;
        if (parser_at(parser, "=") && !declared.deduced)
            TRY(parse_c_update(body, block, &target));
    } while (parser_take_if(parser, ","));
    return parser_take(parser, ";");
}

static enum status parse_call_statement(struct c_body *body, struct litmus_block *block, const struct token *name,
                                        const struct token *label)
{
    struct parser *parser = body->parser;
    struct c_body around = *body;
    struct c_call call;
    body->before = block;
    body->moved = 0;
    TRY(parse_c_call(body, name, &call));
    *body = around;
    if (label && (!litmus_kinds[call.statement.kind].meets || call.predicate))
        return parser_expected_not(
            parser, name, call.predicate ? "a barrier without a result after a label" : "a barrier after a label");
    if (label)
        TRY(parser_name(parser, label, &call.statement.barrier.instance));
    struct litmus_expression *ignored;
    if (call.statement.kind == LITMUS_LABEL) {
        if (call.predicate)
            TRY(add_c_dropped(body, block, call.predicate));
        return parser_take(parser, ";");
    }
    TRY(call.predicate ? add_c_reduction(body, block, &call, name->place, &ignored)
                       : add_c_statement(body, block, call.statement));
    if (call.function->kind == LITMUS_BARRIER && call.function->operation == LITMUS_EXPECT_ARRIVE) {
        call.statement.barrier.arrive = false;
        call.statement.barrier.wait = true;
        TRY(add_c_statement(body, block, call.statement));
    }
    return parser_take(parser, ";");
}

/* A statement that starts with a name: a labelled barrier, a call, or an assignment to a register or an element. */
static enum status parse_named(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    struct token name;
    TRY(parse_c_name(body, "a statement", &name));
    const bool labelled = parser_take_if(parser, ":");
    if (labelled && parser->token.kind == TOKEN_WORD && parser_next_is(parser, "(")) {
        struct token function;
        TRY(parse_c_name(body, "a barrier after a label", &function));
        return parse_call_statement(body, block, &function, &name);
    }
    if (labelled) {
        struct litmus_statement *statement;
        int label;
        TRY(draft_label(parser, body->draft, &name, true, &label));
        TRY(parser_statement(parser, block, LITMUS_LABEL, name.place, &statement));
        statement->label = label;
        return parser_at(parser, "}") ? STATUS_OK : parse_statement(body, block);
    }
    bool declared;
    TRY(parse_c_references(body, &name, &declared));
    if (declared)
        return STATUS_OK;
    if (is_c_call(body, &name))
        return parse_call_statement(body, block, &name, NULL);
    struct c_target target;
    struct litmus_expression *load;
    TRY(parse_c_component(parser, body->draft, &name));
    TRY(parse_c_named_target(body, &name, &target));
    if (at_c_update(parser))
        TRY(parse_c_update(body, block, &target));
    else if (target.index != LITMUS_NONE)
        return parser_expected(parser, "'=' after a register");
    else {
        TRY(make_c_access(body, target.address, NULL, false, &load));
        TRY(add_c_access(body, block, load));
    }
    return parser_take(parser, ";");
}

static enum status parse_statements(struct c_body *body, struct litmus_block *block)
{
    while (!parser_at(body->parser, "}"))
        TRY(parse_statement(body, block));
    return STATUS_OK;
}

/* "__shared__ int s[2];" or "local int s;": a location of the thread's group, as a parameter of that kind is. */
static enum status parse_local_location(struct c_body *body, bool *found)
{
    const struct token *token = &body->parser->token;
    *found = token->kind == TOKEN_WORD && word_find(body->language->regions, token) == LITMUS_LOCAL;
    if (!*found)
        return STATUS_OK;
    TRY(parse_c_parameter(body->parser, body->draft));
    return parser_take(body->parser, ";");
}

static enum status parse_statement(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    const struct litmus_place place = parser->token.place;
    if (parser_take_if(parser, ";"))
        return STATUS_OK;
    if (parser_take_if(parser, "{")) {
        const size_t references = body->reference_count;
        TRY(parser_enter(parser));
        TRY(parse_statements(body, block));
        parser_leave(parser);
        body->reference_count = references;
        return parser_take(parser, "}");
    }
    bool taken;
    TRY(parse_c_vector(body, block, &taken));
    if (!taken)
        TRY(parse_c_asm(body, block, &taken));
    if (!taken)
        TRY(parse_local_location(body, &taken));
    if (taken)
        return STATUS_OK;
    if (parser_at(parser, "*") || parser_at(parser, "(") || parser_at(parser, "++") || parser_at(parser, "--")) {
        TRY(parse_c_simple(body, block));
        return parser_take(parser, ";");
    }
    for (size_t i = 0; i < COUNT(compounds); i++)
        if (parser_take_if(parser, compounds[i].word))
            return compounds[i].parse(body, block, place);
    TRY(parse_c_jump(body, block, place, &taken));
    if (taken)
        return STATUS_OK;
    TRY(parse_declared_registers(body, block, &taken));
    if (taken)
        return STATUS_OK;
    if (parser->token.kind != TOKEN_WORD)
        return parser_expected(parser, "a statement");
    return parse_named(body, block);
}

static struct c_body body_of(struct parser *parser, struct draft *draft)
{
    return (struct c_body){
        .parser = parser, .draft = draft, .language = &languages[parser->test->dialect], .moved_target = LITMUS_NONE};
}

/* ---- threads: "P0@wg 0, dev 0 (global atomic_int* x) { ... }" ---- */

/* "P0", or "void P0" as herd's grammar has it. */
static bool at_thread(const struct parser *parser)
{
    const struct token name = parser_at(parser, "void") ? parser_next(parser) : parser->token;
    unsigned number;
    return name.kind == TOKEN_WORD && token_is_thread(&name, &number);
}

static enum status parse_thread(struct parser *parser)
{
    const bool fixed_places = languages[parser->test->dialect].fixed_places;
    (void)(at_thread(parser) && parser_take_if(parser, "void"));
    const struct token next = parser_next(parser);
    struct draft *draft;
    if (fixed_places && (token_is(&next, "@") || token_is(&next, "..")))
        return parser_expected_not(parser, &next, "'(' (a C test has one thread per work-group, all on one device)");
    TRY(parser_start_thread(parser, &draft));
    if (fixed_places) {
        draft->thread.placement.work_group = (int)draft->thread.first;
        draft->thread.placement.device = 0;
    }
    TRY(parser_take(parser, "("));
    for (bool more = !parser_at(parser, ")"); more;) {
        TRY(parse_c_parameter(parser, draft));
        more = parser_take_if(parser, ",");
    }
    TRY(parser_take(parser, ")"));
    /* Parses statements up to the brace that closes the body; '{' is at hand. The locations that the body may name are
     * those marked visible in the draft. */
    struct c_body body = body_of(parser, draft);
    if (!parser_at(parser, "{"))
        return parser_expected(parser, "'{'");
    parser->scanner.mode = SCAN_C;
    TRY(add_c_places(&body));
    parser_advance(parser);
    body.labels.goals = 1U << TO_END_OF_THREAD;
    TRY(parse_statements(&body, &draft->thread.body));
    TRY(add_c_goal(&body, &draft->thread.body, TO_END_OF_THREAD));
    TRY(draft_close(parser, draft));
    TRY(finish_c_jumps(&body));
    parser->scanner.mode = SCAN_SECTIONS;
    parser_advance(parser);
    return STATUS_OK;
}

static enum status check_address(struct parser *parser, int points_to, struct litmus_place place)
{
    const struct litmus_location *location = points_to == LITMUS_NONE ? NULL : &parser->test->locations[points_to];
    return location && location->region == LITMUS_IMAGE
               ? parser_fail(parser, place, "expected the address of a buffer, found the image '%s'", location->name)
               : STATUS_OK;
}

enum status parse_c_threads(struct parser *parser)
{
    do
        TRY(parse_thread(parser));
    while (at_thread(parser) && !parse_at_edge(parser));
    /* Nothing points to an image: only its own functions access it. */
    const struct litmus_test *test = parser->test;
    for (size_t i = 0; i < test->location_count; i++)
        TRY(check_address(parser, test->locations[i].points_to, test->locations[i].place));
    for (size_t i = 0; i < parser->draft_count; i++) {
        const struct litmus_thread *thread = &parser->drafts[i]->thread;
        for (size_t r = 0; r < thread->register_count; r++)
            TRY(check_address(parser, thread->registers[r].points_to, thread->place));
    }
    return STATUS_OK;
}

/* ---- statements in the cells of a column ---- */

static const char forms[] = "a C statement in the column of a host thread, such as a call of "
                            "atomic_store_explicit, 'r0 = ...' or '*x = ...'";

/* "= e" of a location, with the '=' at hand. */
static enum status parse_store(struct c_body *body, struct litmus_block *block, struct litmus_expression *address)
{
    struct litmus_expression *value, *store;
    TRY(parser_take(body->parser, "="));
    TRY(parse_c_cell_value(body, &value));
    TRY(make_c_access(body, address, value, false, &store));
    return add_c_access(body, block, store);
}

static enum status parse_named_in_cell(struct c_body *body, struct litmus_block *block)
{
    struct litmus_expression *address;
    struct token name;
    TRY(parse_c_name(body, forms, &name));
    if (is_c_call(body, &name)) {
        struct c_call call;
        TRY(parse_c_call(body, &name, &call));
        return add_c_statement(body, block, call.statement);
    }
    if (parser_at(body->parser, "=")) {
        /* "= e" of a register, which must not exist before: nothing can be computed from a value that it never had. */
        struct parser *parser = body->parser;
        struct litmus_expression *value;
        int index;
        TRY(parser_take(parser, "="));
        TRY(parse_c_cell_value(body, &value));
        if (parser_find_location(parser, &name) != LITMUS_NONE)
            return parser_expected_not(parser, &name, "a register, not the name of a location");
        TRY(draft_register(parser, body->draft, &name, &index));
        if (body->draft->thread.registers[index].points_to != LITMUS_NONE)
            return parser_expected_not(parser, &name, "a register that holds no address");
        return add_c_assignment(body, block, index, value, name.place);
    }
    if (!parser_at(body->parser, "["))
        return parser_expected_not(body->parser, &name, forms);
    TRY(parse_c_element(body, &name, &address));
    return parse_store(body, block, address);
}

enum status parse_c_cell(struct parser *parser, struct draft *draft)
{
    struct c_body body = body_of(parser, draft);
    struct litmus_expression *address;
    bool is_volatile;
    if (!parser_take_if(parser, "*"))
        return parse_named_in_cell(&body, &draft->thread.body);
    TRY(parse_c_pointee(&body, &address, &is_volatile));
    return parse_store(&body, &draft->thread.body, address);
}
