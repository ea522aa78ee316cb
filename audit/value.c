// SPDX-License-Identifier: Apache-2.0
/* Makes the forms of registers, by following their definitions back. Recursion is bounded by DEEPEST: what lies further
 * back is a register that is not followed. */
#include "audit/value.h"

#include "litmus/language/ptx_instructions.h"
#include "litmus/language/value.h"
#include "litmus/language/words.h"

enum { DEEPEST = 200 };

/* ---- terms and forms, each once ---- */

static uint64_t mix(uint64_t key, uint64_t with)
{
    key = (key ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static bool terms_equal(const struct form_term *one, const struct form_term *two)
{
    bool equal = one->kind == two->kind && one->identity == two->identity && strcmp(one->name, two->name) == 0 &&
                 (one->kind == TERM_JOIN || one->argument_count == two->argument_count);
    for (unsigned i = 0; equal && one->kind != TERM_JOIN && i < one->argument_count; i++)
        equal = one->arguments[i] == two->arguments[i];
    return equal;
}

/* What a term itself depends on. */
static unsigned term_depends(const struct form_term *term)
{
    static const struct {
        const char *start;
        unsigned depends;
    } special[] = {{"%tid", VALUE_THREAD},
                   {"%laneid", VALUE_THREAD | VALUE_LANE},
                   {"%lanemask", VALUE_THREAD | VALUE_LANE},
                   {"%warpid", VALUE_THREAD | VALUE_OPAQUE},
                   {"%ctaid.x", VALUE_BLOCK_X},
                   {"%ctaid.y", VALUE_BLOCK_Y},
                   {"%ctaid.z", VALUE_BLOCK_Z},
                   {"%clusterid", VALUE_BLOCK},
                   {"%cluster_cta", VALUE_BLOCK},
                   {"%smid", VALUE_BLOCK | VALUE_OPAQUE},
                   {"%clock", VALUE_OPAQUE},
                   {"%globaltimer", VALUE_OPAQUE}};
    if (term->kind == TERM_LOAD || term->kind == TERM_JOIN || term->kind == TERM_REGISTER)
        return VALUE_OPAQUE;
    for (size_t i = 0; term->kind == TERM_SPECIAL && i < COUNT(special); i++)
        if (listing_text_starts(term->name, special[i].start))
            return special[i].depends;
    return 0;
}

/* A JOIN gets its arguments later, so that they can have it in them. */
static struct form_term *make_term(struct values *values, struct form_term wanted)
{
    enum { HEAVIEST = 2000 };
    uint64_t key = hash_index_key((int)wanted.kind, wanted.name);
    key = mix(key, wanted.identity);
    for (unsigned i = 0; i < wanted.argument_count; i++)
        key = mix(key, wanted.arguments[i]->number + 1U);
    size_t step = 0, item;
    while (hash_index_next(&values->term_index, key, &step, &item))
        if (terms_equal(values->terms[item], &wanted))
            return values->terms[item];
    struct form_term *made = arena_take(&values->arena, 1, sizeof *made);
    *made = wanted;
    made->number = (unsigned)values->term_count;
    made->depends = term_depends(&wanted);
    made->weight = 1;
    values->depends |= made->depends;
    for (unsigned i = 0; i < wanted.argument_count; i++) {
        made->depends |= wanted.arguments[i]->depends;
        made->weight += wanted.arguments[i]->weight;
    }
    if (made->weight > HEAVIEST) {
        made->weight = HEAVIEST;
        made->depends |= VALUE_OPAQUE;
    }
    hash_index_add(&values->term_index, key, values->term_count);
    ARENA_ADD(&values->arena, values->terms, values->term_count) = made;
    return made;
}

static const struct form *make_form(struct values *values, const struct form_part *parts, unsigned count,
                                    int64_t constant)
{
    uint64_t key = mix(count, (uint64_t)constant);
    for (unsigned i = 0; i < count; i++)
        key = mix(mix(key, parts[i].term->number), (uint64_t)parts[i].times);
    size_t step = 0, item;
    while (hash_index_next(&values->form_index, key, &step, &item)) {
        const struct form *form = values->forms[item];
        bool equal = form->count == count && form->constant == constant;
        for (unsigned i = 0; equal && i < count; i++)
            equal = form->parts[i].term == parts[i].term && form->parts[i].times == parts[i].times;
        if (equal)
            return form;
    }
    struct form *made = arena_take(&values->arena, 1, sizeof *made);
    *made = (struct form){
        arena_take(&values->arena, count, sizeof *parts), count, constant, 0, 1, (unsigned)values->form_count};
    for (unsigned i = 0; i < count; i++) {
        made->parts[i] = parts[i];
        made->depends |= parts[i].term->depends;
        made->weight += parts[i].term->weight;
    }
    hash_index_add(&values->form_index, key, values->form_count);
    ARENA_ADD(&values->arena, values->forms, values->form_count) = made;
    return made;
}

const struct form *value_constant(struct values *values, int64_t constant)
{
    return make_form(values, NULL, 0, constant);
}

const struct form *value_term(struct values *values, const struct form_term *term)
{
    const struct form_part part = {term, 1};
    return make_form(values, &part, 1, 0);
}

static const struct form *form_of(struct values *values, struct form_term term)
{
    return value_term(values, make_term(values, term));
}

static const struct form *unknown(struct values *values, unsigned a_register)
{
    return form_of(values, (struct form_term){.kind = TERM_REGISTER, .name = "", .identity = a_register});
}

/* ---- arithmetic ---- */

/* NULL if the sum has too many terms. */
static const struct form *sum(struct values *values, const struct form *one, const struct form *two, int64_t times)
{
    struct form_part parts[2 * FORM_MOST_TERMS];
    unsigned count = 0, i = 0, j = 0;
    while (i < one->count || j < two->count) {
        const struct form_part *a = i < one->count ? &one->parts[i] : NULL;
        const struct form_part *b = j < two->count ? &two->parts[j] : NULL;
        const bool first = a && (!b || a->term->number <= b->term->number);
        const bool second = b && (!a || b->term->number <= a->term->number);
        const uint64_t of_two = second ? (uint64_t)b->times * (uint64_t)times : 0;
        parts[count] =
            (struct form_part){first ? a->term : b->term, (int64_t)((first ? (uint64_t)a->times : 0) + of_two)};
        i += first;
        j += second;
        count += parts[count].times != 0;
    }
    const uint64_t constant = (uint64_t)one->constant + (uint64_t)two->constant * (uint64_t)times;
    return count > FORM_MOST_TERMS ? NULL : make_form(values, parts, count, (int64_t)constant);
}

const struct form *value_add(struct values *values, const struct form *one, const struct form *two, int64_t times)
{
    const struct form *added = sum(values, one, two, times);
    const struct form_term opaque = {
        .kind = TERM_OPERATION, .name = "add", .arguments = {one, two}, .argument_count = 2};
    return added ? added : form_of(values, opaque);
}

static const struct form *multiply(struct values *values, const struct form *one, const struct form *two)
{
    if (one->count == 0)
        return value_add(values, values->zero, two, one->constant);
    if (two->count == 0)
        return value_add(values, values->zero, one, two->constant);
    const bool swap = one->number > two->number;
    return form_of(values, (struct form_term){.kind = TERM_PRODUCT,
                                              .name = "",
                                              .arguments = {swap ? two : one, swap ? one : two},
                                              .argument_count = 2});
}

/* ---- registers ---- */

static const struct form *value_at(struct values *values, const struct flow_instruction *instruction,
                                   const char *operand, unsigned depth);

static const struct form *operation(struct values *values, const struct flow_instruction *instruction, unsigned depth)
{
    struct form_term term = {.kind = TERM_OPERATION, .name = ""};
    const char *const word = PRINTED(16, "%.*s", (int)strcspn(instruction->opcode, ". "), instruction->opcode);
    term.name = arena_copy(&values->arena, word);
    for (unsigned i = 1; i < instruction->operand_count && i <= TERM_MOST_ARGUMENTS; i++)
        term.arguments[term.argument_count++] = value_at(values, instruction, instruction->operands[i], depth);
    return form_of(values, term);
}

static bool is_float(const struct flow_instruction *instruction)
{
    return flow_has(instruction, "f16 f16x2 bf16 bf16x2 f32 f64 tf32");
}

static bool is_wide(const struct flow_instruction *instruction)
{
    return flow_has(instruction, "u64 b64 s64");
}

/* ld.param gives the parameter; another load the value at an address. */
static const struct form *loaded(struct values *values, const struct flow_instruction *instruction, unsigned result,
                                 unsigned depth)
{
    const struct form *address = value_at(values, instruction, instruction->operands[1], depth);
    if (flow_has(instruction, "param") && instruction->address) {
        char *name = arena_copy(&values->arena, instruction->address);
        name[strcspn(name, " ")] = '\0';
        return form_of(
            values,
            (struct form_term){.kind = TERM_PARAMETER, .name = name, .identity = result, .wide = is_wide(instruction)});
    }
    return form_of(values, (struct form_term){.kind = TERM_LOAD,
                                              .name = "",
                                              .identity = result,
                                              .wide = is_wide(instruction),
                                              .arguments = {address},
                                              .argument_count = 1});
}

/* Opcodes whose result depends on nothing but their operands. */
static const char operations[] =
    "and or xor shr shl rem div min max bfe mul neg not bfi mad lop3 shf prmt abs popc clz setp mapa";

static const struct form *defined(struct values *values, const struct flow_instruction *instruction, unsigned of,
                                  unsigned result, unsigned depth)
{
    const char *const *operands = instruction->operands;
    const unsigned count = instruction->operand_count;
    const struct form *const nothing = unknown(values, of);
    if (count < 2 || is_float(instruction))
        return nothing;
    if (flow_starts(instruction, "ld"))
        return loaded(values, instruction, result, depth);
    if (instruction->result_count != 1 || operands[0][0] == '{')
        return nothing;
    const struct form *first = value_at(values, instruction, operands[1], depth);
    const struct form *second = count > 2 ? value_at(values, instruction, operands[2], depth) : NULL;
    if (flow_starts(instruction, "mov") || flow_starts(instruction, "cvta") || flow_starts(instruction, "cvt"))
        return operands[1][0] == '{' ? nothing : first;
    if (count == 3 && flow_starts(instruction, "add"))
        return value_add(values, first, second, 1);
    if (count == 3 && flow_starts(instruction, "sub"))
        return value_add(values, first, second, -1);
    if (count >= 3 && (flow_has(instruction, "lo wide"))) {
        const struct form *product = multiply(values, first, second);
        return count == 4 ? value_add(values, product, value_at(values, instruction, operands[3], depth), 1) : product;
    }
    if (count == 3 && flow_starts(instruction, "shl") && second->count == 0 && second->constant >= 0 &&
        second->constant < 62)
        return value_add(values, values->zero, first, (int64_t)1 << second->constant);
    return flow_starts_with_any(instruction, operations) ? operation(values, instruction, depth) : nothing;
}

static void add_choice(struct form_term *join, const struct form *choice, bool *all)
{
    bool known = false;
    for (unsigned i = 0; i < choice->count; i++)
        known |= choice->parts[i].term == join; /* itself, and something added to it */
    if (known)
        join->step = choice->count == 1 && choice->parts[0].times == 1 && join->step == 0 ? choice->constant : 0;
    for (unsigned i = 0; i < join->argument_count; i++)
        known |= join->arguments[i] == choice;
    if (!known && join->argument_count < TERM_MOST_ARGUMENTS)
        join->arguments[join->argument_count++] = choice;
    else
        *all &= known;
}

/* Adds what the register is if this instruction writes it; selp has two. */
static void add_choices(struct values *values, struct form_term *join, const struct flow_instruction *instruction,
                        unsigned depth, bool *all)
{
    const bool selects = flow_starts(instruction, "selp") && instruction->operand_count == 4;
    if (!selects)
        add_choice(join, defined(values, instruction, join->identity, 0, depth), all);
    for (unsigned i = 1; selects && i <= 2; i++)
        add_choice(join, value_at(values, instruction, instruction->operands[i], depth), all);
}

static const struct form *value_of_register(struct values *values, unsigned of, unsigned depth)
{
    const struct flow_register *written = &values->flow->registers[of];
    const struct flow_instruction *instructions = values->flow->instructions;
    if (values->registers[of])
        return values->registers[of];
    if (values->evaluating[of] || depth > DEEPEST || written->definition_count == 0)
        return unknown(values, of);
    const struct flow_instruction *first = &instructions[written->definitions[0]];
    if (written->definition_count == 1 && !first->guard && !flow_starts(first, "selp")) {
        unsigned result = 0;
        while (first->results[result] != of)
            result++;
        values->evaluating[of] = true;
        values->registers[of] = defined(values, first, of, result, depth + 1);
        values->evaluating[of] = false;
        return values->registers[of];
    }
    struct form_term *join = make_term(values, (struct form_term){.kind = TERM_JOIN, .name = "", .identity = of});
    values->registers[of] = value_term(values, join);
    bool all = true;
    for (unsigned i = 0; i < written->definition_count; i++)
        add_choices(values, join, &instructions[written->definitions[i]], depth + 1, &all);
    if (!all)
        join->argument_count = 0;
    return values->registers[of];
}

static const struct form *value_of_name(struct values *values, const struct flow_instruction *instruction,
                                        const char *name, size_t size, unsigned depth)
{
    const unsigned of = flow_register(values->flow, instruction, name, size);
    if (of)
        return value_of_register(values, of, depth);
    const char *own = arena_copy_part(&values->arena, name, size);
    if (*name == '%')
        return form_of(values, (struct form_term){.kind = TERM_SPECIAL, .name = own});
    const struct ptx_variable *variable = ptx_find_variable(values->flow->module, own);
    return form_of(values,
                   (struct form_term){.kind = variable && variable->shared ? TERM_SHARED : TERM_GLOBAL, .name = own});
}

/* "NAME", "NAME+4", "4", each perhaps in brackets. */
static const struct form *value_at(struct values *values, const struct flow_instruction *instruction,
                                   const char *operand, unsigned depth)
{
    const char *at = operand + strspn(operand, "[! ");
    const size_t size = flow_name_size(at);
    const struct form *form = values->zero;
    if (size > 0) {
        form = value_of_name(values, instruction, at, size, depth);
        at += size;
        at += strspn(at, " ");
        at += *at == '+';
    }
    at += strspn(at, " ");
    const uint64_t constant = strtoull(at + (*at == '-'), NULL, 0);
    return value_add(values, form, value_constant(values, (int64_t)(*at == '-' ? 0 - constant : constant)), 1);
}

const struct form *value_of(struct values *values, const struct flow_instruction *instruction, const char *operand)
{
    return value_at(values, instruction, operand, 0);
}

void values_begin(const struct flow *flow, struct values *values)
{
    *values = (struct values){.flow = flow};
    values->registers = arena_take(&values->arena, flow->register_count, sizeof(struct form *));
    values->evaluating = arena_take(&values->arena, flow->register_count, sizeof(bool));
    values->zero = value_constant(values, 0);
}

void values_release(struct values *values)
{
    hash_index_release(&values->term_index);
    hash_index_release(&values->form_index);
    arena_release(&values->arena);
    *values = (struct values){0};
}

const struct form_term *value_table(struct values *values, const struct form_term *loaded)
{
    const struct form *address = loaded->arguments[0], *table = value_constant(values, address->constant);
    unsigned bases = 0;
    for (unsigned i = 0; i < address->count; i++) {
        const struct form_term *term = address->parts[i].term;
        const bool base = address->parts[i].times == 1 &&
                          (term->kind == TERM_PARAMETER || term->kind == TERM_LOAD || term->kind == TERM_GLOBAL);
        if (base && (term->wide || term->kind == TERM_GLOBAL)) {
            table = value_add(values, table, value_term(values, term), 1);
            bases++;
        }
    }
    struct form_term common = *loaded;
    common.arguments[0] = table;
    return bases == 1 ? make_term(values, common) : loaded;
}

/* ---- one thread ---- */

static bool operate(const char *name, const int64_t *arguments, unsigned count, int64_t *value)
{
    const struct ptx_instruction *row = ptx_find_in_code(name, strlen(name));
    const struct litmus_value a = {arguments[0], LITMUS_LONG}, b = {count > 1 ? arguments[1] : 0, LITMUS_LONG};
    /* A sum or a product that is no form of its own is too large for one, or a part of it. */
    if (!row || row->means.shape != PTX_COMPUTE || row->means.op <= LITMUS_MUL ||
        !litmus_value_is_defined(row->means.op, a, b))
        return false;
    *value = litmus_value_binary(row->means.op, a, b).value;
    return true;
}

static bool term_for_thread(const struct form_term *term, const struct value_thread *thread, int64_t *value)
{
    int64_t arguments[TERM_MOST_ARGUMENTS];
    bool known = term->kind == TERM_OPERATION || term->kind == TERM_PRODUCT;
    if (term->kind == TERM_SPECIAL) {
        const bool is_tid = strncmp(term->name, "%tid.", 5) == 0;
        *value = !is_tid                ? thread->lane
                 : term->name[5] == 'x' ? thread->x
                 : term->name[5] == 'y' ? thread->y
                                        : thread->z;
        return is_tid || strcmp(term->name, "%laneid") == 0;
    }
    for (unsigned i = 0; known && i < term->argument_count; i++)
        known = value_for_thread(term->arguments[i], thread, &arguments[i]);
    if (!known || term->argument_count == 0)
        return false;
    if (term->kind == TERM_OPERATION)
        return operate(term->name, arguments, term->argument_count, value);
    *value = (int64_t)((uint64_t)arguments[0] * (uint64_t)arguments[1]);
    return true;
}

bool value_for_thread(const struct form *form, const struct value_thread *thread, int64_t *value)
{
    uint64_t total = (uint64_t)form->constant;
    if (form->depends & ~(unsigned)(VALUE_THREAD | VALUE_LANE))
        return false;
    for (unsigned i = 0; i < form->count; i++) {
        int64_t one;
        if (!term_for_thread(form->parts[i].term, thread, &one))
            return false;
        total += (uint64_t)one * (uint64_t)form->parts[i].times;
    }
    *value = (int64_t)total;
    return true;
}

/* ---- facts ---- */

static bool read_comparison(const struct flow_instruction *instruction, enum fact_comparison *comparison)
{
    static const struct word words[] = {{"eq", FACT_EQ}, {"ne", FACT_NE}, {"lt", FACT_LT}, {"le", FACT_LE},
                                        {"gt", FACT_GT}, {"ge", FACT_GE}, {"lo", FACT_LT}, {"ls", FACT_LE},
                                        {"hi", FACT_GT}, {"hs", FACT_GE}, {NULL, 0}};
    const char *const word = instruction->opcode + strlen("setp.");
    const int found = word_value(words, word, strcspn(word, ". "));
    *comparison = (enum fact_comparison)found;
    return found != LITMUS_NONE;
}

static const enum fact_comparison opposite[] = {
    [FACT_EQ] = FACT_NE, [FACT_NE] = FACT_EQ, [FACT_LT] = FACT_GE,          [FACT_GE] = FACT_LT,
    [FACT_GT] = FACT_LE, [FACT_LE] = FACT_GT, [FACT_ELECTED] = FACT_ELECTED};

static unsigned value_add_facts(struct values *values, unsigned predicate, bool truth, unsigned depth,
                                struct value_fact *facts, unsigned count)
{
    enum { DEEPEST_PREDICATE = 8 };
    const struct flow_register *written = &values->flow->registers[predicate];
    if (written->definition_count != 1 || depth > DEEPEST_PREDICATE || count == FACT_MOST)
        return count;
    const struct flow_instruction *instruction = &values->flow->instructions[written->definitions[0]];
    enum fact_comparison comparison;
    const bool joins = flow_starts(instruction, truth ? "and.pred" : "or.pred");
    if (flow_starts(instruction, "setp") && instruction->operand_count == 3 && !is_float(instruction) &&
        strchr(instruction->operands[0], '|') == NULL && read_comparison(instruction, &comparison)) {
        const struct form *form = value_add(values, value_of(values, instruction, instruction->operands[1]),
                                            value_of(values, instruction, instruction->operands[2]), -1);
        facts[count++] = (struct value_fact){truth ? comparison : opposite[comparison], form};
    } else if (flow_starts(instruction, "elect") && truth)
        facts[count++] = (struct value_fact){FACT_ELECTED, values->zero};
    else if (joins || flow_starts(instruction, "not.pred"))
        for (unsigned i = 0; i < instruction->source_count; i++)
            count = value_add_facts(values, instruction->sources[i], joins == truth, depth + 1, facts, count);
    return count;
}

unsigned facts_of(struct values *values, unsigned predicate, bool truth, struct value_fact *facts)
{
    return value_add_facts(values, predicate, truth, 0, facts, 0);
}

bool fact_holds(enum fact_comparison comparison, int64_t value)
{
    switch (comparison) {
    case FACT_EQ:
        return value == 0;
    case FACT_NE:
        return value != 0;
    case FACT_LT:
        return value < 0;
    case FACT_LE:
        return value <= 0;
    case FACT_GT:
        return value > 0;
    case FACT_GE:
        return value >= 0;
    case FACT_ELECTED:
        break;
    }
    return true;
}

bool facts_exclude(const struct value_fact *one, const struct value_fact *two)
{
    return one->form == two->form && one->comparison != FACT_ELECTED && opposite[one->comparison] == two->comparison;
}
