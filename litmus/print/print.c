// SPDX-License-Identifier: Apache-2.0
/* The sections that all dialects have, and the instruction at a place of the text. */
#include "litmus/dialects.h"
#include "litmus/language/walk.h"
#include "litmus/print/printer.h"

/* A list of items on one line if it fits, else one line each. */
struct items {
    struct text texts; /* the items, each after the NUL of its predecessor */
    size_t count, width;
};

static void end_item(struct items *items)
{
    text_add_bytes(&items->texts, ";", 2); /* with the NUL */
    items->count++;
}

bool thread_mentions(const struct litmus_thread *thread, int location)
{
    bool found = false;
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);)
        found |=
            walk.expression && walk.expression->kind == LITMUS_EXPRESSION_ADDRESS && walk.expression->index == location;
    return found;
}

enum litmus_type thread_points_to(const struct litmus_test *test, const struct litmus_thread *thread, int location)
{
    enum litmus_type type = test->locations[location].type;
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);)
        if (walk.expression && walk.access && walk.access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
            walk.access->address->index == location)
            type = walk.access->type;
    return type;
}

/* Does a thread's parameter have another type than the location? */
static bool is_retyped(const struct litmus_test *test, int location)
{
    return ANY_OF(one, test->threads, test->body_count,
                  thread_points_to(test, one, location) != test->locations[location].type);
}

bool thread_points_generic(const struct litmus_thread *thread, int location)
{
    bool found = false;
    for (struct litmus_walk walk = litmus_walk_block(&thread->body); litmus_walk_next(&walk);)
        found |= walk.expression && walk.expression->generic && walk.expression->kind == LITMUS_EXPRESSION_ADDRESS &&
                 walk.expression->index == location;
    return found;
}

/* Does a parameter say in which region the location lies? */
static bool test_places(const struct litmus_test *test, int location)
{
    return ANY_OF(thread, test->threads, test->body_count,
                  thread_mentions(thread, location) && !thread_points_generic(thread, location));
}

bool test_mentions(const struct litmus_test *test, int location)
{
    return ANY_OF(thread, test->threads, test->body_count, thread_mentions(thread, location));
}

size_t started_registers(const struct litmus_test *test, const struct litmus_thread *thread)
{
    if (litmus_has_columns(test->dialect))
        return thread->register_count;
    size_t count = 0;
    for (size_t i = 0; i < thread->register_count; i++)
        if (thread->registers[i].initial != 0 || thread->registers[i].numbered ||
            thread->registers[i].points_to != LITMUS_NONE)
            count = i + 1;
    return count;
}

static void print_type(enum litmus_dialect dialect, enum litmus_type type, int points_to, bool always,
                       struct text *text)
{
    const enum litmus_type assumed = points_to == LITMUS_NONE ? LITMUS_INT : LITMUS_ULONG;
    if (always || type != assumed)
        text_add(text, "%s ", litmus_type_word(dialect, type));
}

void print_c_type(enum litmus_dialect dialect, enum litmus_type type, bool atomic, struct text *text)
{
    if (type == LITMUS_FLAG) {
        text_add(text, "atomic_flag");
        return;
    }
    /* herd knows atomic_int only */
    const bool joined = dialect == LITMUS_OPENCL || type == LITMUS_INT;
    text_add(text, "%s%s", !atomic ? "" : joined ? "atomic_" : "_Atomic ", litmus_type_word(dialect, type));
}

/* Locations that a thread names are also in its parameters; for all others this is the only declaration. */
static void print_location_type(const struct litmus_test *test, size_t index, bool typed, struct text *text)
{
    const struct litmus_location *location = &test->locations[index];
    const bool alone = !litmus_has_columns(test->dialect) && !test_mentions(test, (int)index);
    if (alone && location->is_volatile)
        text_add(text, "volatile ");
    if (test->dialect == LITMUS_C) {
        /* The type of a C test's location in words that herd reads. Where a test has an array, herd asks for the sizes
         * of the types, and knows that of "int", not of "atomic_int". So an array is atomic by its parameters, and a
         * scalar location by "_Atomic", which herd has for all but arrays. */
        const bool atomic = alone && location->atomic && location->type != LITMUS_FLAG;
        if (atomic && location->array)
            text_add(text, "%s", location->type == LITMUS_INT ? "atomic_" : "_Atomic ");
        else if (atomic)
            text_add(text, "_Atomic ");
        print_type(LITMUS_C, location->type, location->points_to,
                   typed || location->array || atomic || (alone && location->is_volatile), text);
    } else if (alone && location->atomic) {
        print_c_type(test->dialect, location->type, true, text);
        text_add(text, " ");
    } else
        print_type(test->dialect, location->type, location->points_to, typed || (alone && location->is_volatile), text);
}

static void print_location(const struct litmus_test *test, size_t index, bool typed, struct text *text)
{
    const struct litmus_location *location = &test->locations[index];
    if (location->alias_of != LITMUS_NONE) {
        text_add(text, "%s", location->name);
        if (test->dialect == LITMUS_PTX)
            text_add(text, " @ %s", litmus_proxy_name(location->proxy));
        text_add(text, " aliases %s", test->locations[location->alias_of].name);
        return;
    }
    if (location->home != LITMUS_NONE && location->type != LITMUS_MBARRIER)
        text_add(text, "shared ");
    print_location_type(test, index, typed || (!litmus_has_columns(test->dialect) && is_retyped(test, (int)index)),
                        text);
    text_add(text, "%s", location->name);
    if (location->home != LITMUS_NONE)
        text_add(text, "@cta %d", location->home);
    if (location->array) {
        text_add(text, "[%" PRIu32 "]={", location->elements);
        for (uint32_t i = 0; i < location->elements; i++) {
            text_add(text, "%s", i > 0 ? "," : "");
            litmus_print_value(location->type, location->initial[i], text);
        }
        text_add(text, "}");
    } else if (location->points_to != LITMUS_NONE)
        text_add(text, "=&%s", test->locations[location->points_to].name);
    else if (location->type != LITMUS_MBARRIER || location->initial[0] != 0) {
        text_add(text, "=");
        litmus_print_value(location->type, location->initial[0], text);
    }
}

static void print_register(const struct litmus_test *test, const struct litmus_thread *thread,
                           const struct litmus_register *start, bool typed, struct text *text)
{
    print_type(test->dialect, start->type, start->points_to, typed, text);
    text_add(text, "%s%u:%s=", litmus_has_columns(test->dialect) ? "P" : "", thread->first, start->name);
    if (start->points_to != LITMUS_NONE)
        text_add(text, "&%s", test->locations[start->points_to].name);
    else if (start->numbered)
        text_add(text, "%%tid");
    else
        litmus_print_value(start->type, start->initial, text);
}

static void print_initial_state(const struct litmus_test *test, struct text *text)
{
    struct items items = {0};
    /* In columns a missing declaration is filled from the instructions, so if one type is not int, all are written. An
     * mbarrier and a tensor map are always declared. */
    bool wide = ANY_OF(location, test->locations, test->location_count,
                       location->type != LITMUS_INT && location->type < LITMUS_MBARRIER);
    for (size_t i = 0; i < test->body_count; i++)
        for (size_t j = 0; j < test->threads[i].register_count; j++)
            wide |= test->threads[i].registers[j].type != LITMUS_INT;
    for (struct litmus_walk walk = litmus_walk_test(test); litmus_walk_next(&walk);) {
        wide |= walk.access && walk.access->type != LITMUS_INT && walk.access->type < LITMUS_MBARRIER;
        wide |= walk.statement && walk.statement->kind == LITMUS_COPY && walk.statement->copy.type != LITMUS_INT;
    }
    const bool typed = wide && litmus_has_columns(test->dialect);
    for (size_t i = 0; i < test->location_count; i++) {
        print_location(test, i, typed, &items.texts);
        end_item(&items);
    }
    FOR_EACH(const struct litmus_thread, thread, test->threads, test->body_count) {
        const size_t count = started_registers(test, thread);
        for (size_t j = 0; j < count; j++) {
            print_register(test, thread, &thread->registers[j], typed, &items.texts);
            end_item(&items);
        }
    }
    const bool one_line = items.texts.size + 3 <= PRINT_WIDTH;
    const char *item = text_string(&items.texts);
    text_add(text, "{");
    for (size_t i = 0; i < items.count; i++, item += strlen(item) + 1)
        text_add(text, one_line ? " %s" : "\n  %s", item);
    text_add(text, one_line ? (items.count > 0 ? " }\n" : "}\n") : "\n}\n");
    text_release(&items.texts);
}

static const struct {
    size_t offset;
    const char *names[LITMUS_DIALECT_COUNT];
} levels[] = {
    {offsetof(struct litmus_placement, sub_group),
     {[LITMUS_OPENCL] = "sg", [LITMUS_PTX] = "warp", [LITMUS_CUDA] = "warp", [LITMUS_VULKAN] = "sg"}},
    {offsetof(struct litmus_placement, work_group),
     {[LITMUS_OPENCL] = "wg", [LITMUS_PTX] = "cta", [LITMUS_CUDA] = "cta", [LITMUS_VULKAN] = "wg"}},
    {offsetof(struct litmus_placement, cluster),
     {[LITMUS_OPENCL] = "cluster", [LITMUS_PTX] = "cluster", [LITMUS_CUDA] = "cluster"}},
    {offsetof(struct litmus_placement, queue_family), {[LITMUS_VULKAN] = "qf"}},
    {offsetof(struct litmus_placement, device), {[LITMUS_OPENCL] = "dev", [LITMUS_PTX] = "gpu", [LITMUS_CUDA] = "gpu"}},
};

/* ---- conditions, filters and lists of locations ---- */

static void print_term(const struct litmus_test *test, const struct litmus_term *term, const struct litmus_term *beside,
                       struct text *text)
{
    if (term->variable != LITMUS_NONE) {
        litmus_print_variable(test, &test->variables[term->variable], text);
        return;
    }
    const enum litmus_type type =
        beside->variable == LITMUS_NONE ? LITMUS_LONG : litmus_variable_type(test, &test->variables[beside->variable]);
    litmus_print_value(type, term->value, text);
}

/* How tightly a proposition binds; an operand that binds less needs parentheses. */
static int level_of(const struct litmus_proposition *proposition)
{
    switch (proposition->kind) {
    case LITMUS_IMPLICATION:
        return 1;
    case LITMUS_DISJUNCTION:
        return 2;
    case LITMUS_CONJUNCTION:
        return 3;
    case LITMUS_NEGATION:
    case LITMUS_ATOM:
    case LITMUS_TRUE:
    case LITMUS_FALSE:
        break;
    }
    return 4;
}

static void print_proposition(const struct litmus_test *test, const struct litmus_proposition *proposition, int level,
                              struct text *text);

/* left CONNECTIVE right, with parentheses at an equal level on the side away from the parser's associativity. */
static void print_connective(const struct litmus_test *test, const struct litmus_proposition *proposition,
                             const char *connective, struct text *text)
{
    const int level = level_of(proposition);
    const bool leans_right = proposition->kind == LITMUS_IMPLICATION;
    print_proposition(test, proposition->left, leans_right ? level + 1 : level, text);
    text_add(text, " %s ", connective);
    print_proposition(test, proposition->right, leans_right ? level : level + 1, text);
}

static void print_proposition(const struct litmus_test *test, const struct litmus_proposition *proposition, int level,
                              struct text *text)
{
    const bool parentheses = level_of(proposition) < level;
    text_add(text, "%s", parentheses ? "(" : "");
    switch (proposition->kind) {
    case LITMUS_TRUE:
        text_add(text, "true");
        break;
    case LITMUS_FALSE:
        text_add(text, "false");
        break;
    case LITMUS_ATOM:
        print_term(test, &proposition->terms[0], &proposition->terms[1], text);
        text_add(text, "%s", word_name(relation_words, (int)proposition->relation));
        print_term(test, &proposition->terms[1], &proposition->terms[0], text);
        break;
    case LITMUS_NEGATION:
        text_add(text, "~");
        print_proposition(test, proposition->left, 4, text);
        break;
    case LITMUS_CONJUNCTION:
        print_connective(test, proposition, "/\\", text);
        break;
    case LITMUS_DISJUNCTION:
        print_connective(test, proposition, "\\/", text);
        break;
    case LITMUS_IMPLICATION:
        print_connective(test, proposition, "=>", text);
        break;
    }
    text_add(text, "%s", parentheses ? ")" : "");
}

void litmus_print_condition(const struct litmus_test *test, struct text *text)
{
    static const char *const quantifiers[] = {
        [LITMUS_EXISTS] = "exists", [LITMUS_NOT_EXISTS] = "~exists", [LITMUS_FORALL] = "forall"};
    if (test->quantifier == LITMUS_NO_CONDITION)
        return;
    text_add(text, "%s (", quantifiers[test->quantifier]);
    print_proposition(test, test->condition, 0, text);
    text_add(text, ")");
}

/* Prints the lines "locations [...]", "filter (...)" and the condition, if present. */
static void observations(const struct litmus_test *test, struct text *text)
{
    if (test->listed_count > 0) {
        text_add(text, "locations [");
        for (size_t i = 0; i < test->listed_count; i++) {
            text_add(text, "%s", i > 0 ? "; " : "");
            /* herd has no brackets here, though it has them in conditions. */
            const struct litmus_variable *variable = &test->variables[test->listed[i]];
            const bool bare =
                test->dialect == LITMUS_C && variable->thread == LITMUS_NONE && !test->locations[variable->index].array;
            if (bare)
                text_add(text, "%s", test->locations[variable->index].name);
            else
                litmus_print_variable(test, variable, text);
        }
        text_add(text, "]\n");
    }
    if (test->filter) {
        text_add(text, "filter (");
        print_proposition(test, test->filter, 0, text);
        text_add(text, ")\n");
    }
    if (test->quantifier != LITMUS_NO_CONDITION) {
        litmus_print_condition(test, text);
        text_add(text, "\n");
    }
}

/* ---- sections ---- */

void print_thread_name(const struct litmus_test *test, const struct litmus_thread *thread, struct text *text)
{
    const char *separator = "@";
    text_add(text, "P%u", thread->first);
    if (thread->count > 1)
        text_add(text, "..P%u", thread->first + thread->count - 1);
    if (thread->placement.host)
        text_add(text, "@host");
    for (size_t i = 0; i < COUNT(levels); i++) {
        const int number = *(const int *)((const char *)&thread->placement + levels[i].offset);
        if (number == LITMUS_NONE || !levels[i].names[test->dialect])
            continue;
        text_add(text, "%s%s %d", separator, levels[i].names[test->dialect], number);
        separator = test->dialect == LITMUS_PTX ? "," : ", ";
    }
}

void litmus_print_edge(const struct litmus_test *test, const struct litmus_edge *edge, struct text *text)
{
    const unsigned later = test->threads[edge->later].first, earlier = test->threads[edge->earlier].first;
    if (dialects[test->dialect].is_dat3m) {
        text_add(text, "ssw %u %u", earlier, later);
        return;
    }
    if (edge->kind == LAUNCH_EDGE_BESIDE)
        text_add(text, "P%u beside P%u", later, earlier);
    else
        text_add(text, "P%u after P%u by %s", later, earlier, launch_edge_word(edge->kind));
}

/* Everything but the header: initial state, threads, trailers, condition. */
static void print_content(const struct litmus_test *test, struct text *text)
{
    print_initial_state(test, text);
    dialects[test->dialect].print_threads(test, text);
    /* Local locations that neither a parameter nor the initial state declares as such. */
    const char *separator = "regions: ";
    for (size_t i = 0; i < test->location_count; i++) {
        const struct litmus_location *location = &test->locations[i];
        if (location->region != LITMUS_LOCAL || location->alias_of != LITMUS_NONE || location->home != LITMUS_NONE ||
            location->type == LITMUS_MBARRIER || (test->dialect != LITMUS_PTX && test_places(test, (int)i)))
            continue;
        text_add(text, "%s%s: %s", separator, location->name, test->dialect == LITMUS_OPENCL ? "local" : "shared");
        separator = ", ";
    }
    if (separator[0] == ',')
        text_add(text, "\n");
    for (size_t i = 0; !dialects[test->dialect].is_dat3m && i < test->edge_count; i++) {
        litmus_print_edge(test, &test->edges[i], text);
        text_add(text, "\n");
    }
    observations(test, text);
}

/* Every line of a value with its own key and marks: "key[before]line[after]". */
static void print_lines(const char *value, const char *key, const char *before, const char *after, struct text *text)
{
    for (const char *line = value; line;) {
        const char *end = strchr(line, '\n');
        text_add(text, "%s%s%.*s%s\n", key, before, (int)(end ? end - line : (ptrdiff_t)strlen(line)), line, after);
        line = end ? end + 1 : NULL;
    }
}

void litmus_print(const struct litmus_test *test, struct text *text)
{
    text_add(text, "%s %s\n", litmus_dialect_name(test->dialect), test->name);
    if (*test->doc)
        print_lines(test->doc, "", "\"", "\"", text);
    for (size_t i = 0; i < test->metadata_count; i++)
        print_lines(test->metadata[i].value, test->metadata[i].key, "=", "", text);
    print_content(test, text);
}

void litmus_hash(const struct litmus_test *test, char hex[65])
{
    LOCAL(text) text = {0};
    text_add(&text, "%s\n", litmus_dialect_name(test->dialect));
    print_content(test, &text);
    if (text.failed)
        hex[0] = '\0';
    else
        hash_hex(text.data, text.size, hex);
}

/* ---- the instruction at a place, as in the test's text ---- */

/* The characters that end an instruction before and after a place of its line. */
static bool ends_instruction(enum litmus_dialect dialect, char c)
{
    return strchr(litmus_has_columns(dialect) ? "|;" : ";{}", c) != NULL;
}

static const char *find_line(const char *text, unsigned number)
{
    while (text && --number > 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

bool litmus_print_instruction(const struct litmus_test *test, struct litmus_place place, struct text *text)
{
    const char *line = test->text && place.line > 0 && place.column > 0 ? find_line(test->text, place.line) : NULL;
    const size_t size = line ? strcspn(line, "\n") : 0;
    const size_t before = text->size;
    size_t first = place.column - 1, end = first;
    if (!line || first >= size)
        return false;
    if (strncmp(line + end, "elect.", 6) == 0 || strncmp(line + end, "shfl.", 5) == 0)
        end += strcspn(line + end, ",\n"); /* over "_|p" */
    while (first > 0 && !ends_instruction(test->text_dialect, line[first - 1]))
        first--;
    for (bool quoted = false;
         line[end] && (quoted ? line[end] != '\n' : !ends_instruction(test->text_dialect, line[end])); end++)
        quoted ^= line[end] == '"';
    /* Appends text without blanks at its ends; other runs of blanks and line ends become one blank. */
    bool blank = false;
    for (size_t i = first; i < end; i++) {
        const bool is_blank = strchr(" \t\r\n", line[i]) != NULL;
        if (blank && !is_blank && text->size > before)
            text_add_bytes(text, " ", 1);
        if (!is_blank)
            text_add_bytes(text, &line[i], 1);
        blank = is_blank;
    }
    return text->size > before;
}
