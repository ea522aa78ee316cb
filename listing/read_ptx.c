// SPDX-License-Identifier: Apache-2.0
/* Reads a module of PTX: the instructions of its kernels, which of them may run next, and the lines that .loc
 * directives give them (PTX ISA 9.0: "Directives", "Debugging Directives: .loc"). Compilers inline everything that
 * kernels call; a kernel with remaining calls is refused. */
#include "listing/read_ptx.h"

#include "litmus/language/ptx_instructions.h"

/* ---- opcodes that access memory ---- */

/* Opcodes of PTX that access memory, and their qualifiers (PTX ISA 9.0: "Data Movement and Conversion Instructions",
 * "Parallel Synchronization and Communication Instructions"). An opcode that is not in the table of instructions
 * computes or jumps. */

/* Takes the next part of an opcode, without its dot; "shared::cta" is one. False at its end. */
static bool next_part(const char **at, const char *end, struct text_part *part)
{
    if (*at >= end)
        return false;
    const char *dot = memchr(*at, '.', (size_t)(end - *at));
    *part = (struct text_part){*at, (size_t)((dot ? dot : end) - *at)};
    *at = dot ? dot + 1 : end;
    return true;
}

static int read_ptx_find_word(const struct word *table, const struct text_part *part)
{
    return word_value(table, part->start, part->size);
}

/* ---- opcodes ---- */

static const struct word barrier_words[] = {{"warp", LITMUS_SUB_GROUP}, {NULL, 0}};

/* State spaces. PRIVATE ones contain nothing that another thread writes. */
enum { PRIVATE = LITMUS_IMAGE + 1 };
static const struct word space_words[] = {{"global", LITMUS_GLOBAL},
                                          {"shared", LITMUS_LOCAL},
                                          {"shared::cta", LITMUS_LOCAL},
                                          {"shared::cluster", LITMUS_LOCAL},
                                          {"local", PRIVATE},
                                          {"param", PRIVATE},
                                          {"param::entry", PRIVATE},
                                          {"param::func", PRIVATE},
                                          {"const", PRIVATE},
                                          {NULL, 0}};

/* "ld.global.nc" and "ld.mmio". */
enum { READ_ONLY_PATH, MMIO_PATH };
static const struct word path_words[] = {{"nc", READ_ONLY_PATH}, {"mmio", MMIO_PATH}, {NULL, 0}};

/* The bytes of types that no test has. */
static const struct word byte_words[] = {{"f16", 2}, {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4}, {"b128", 16}, {NULL, 0}};

/* The qualifiers of an opcode; LITMUS_NONE, or 0 bytes, if absent. */
struct opcode_qualifiers {
    int order, scope, space, lanes;
    unsigned bytes;
    int operation;
    int path;
    unsigned hints;
    bool scope_first; /* the scope comes before the order */
};

static void set_if_found(int *slot, int value)
{
    if (value != LITMUS_NONE && *slot == LITMUS_NONE)
        *slot = value;
}

/* The bytes of a value of the type, or LITMUS_NONE. */
static int find_bytes(const struct text_part *part)
{
    const int type = read_ptx_find_word(ptx_type_words, part);
    return type == LITMUS_NONE ? read_ptx_find_word(byte_words, part) : (int)litmus_type_size((enum litmus_type)type);
}

static struct opcode_qualifiers read_qualifiers(const char *opcode, size_t size)
{
    struct opcode_qualifiers read = {LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, LITMUS_NONE, 0,
                                     LITMUS_NONE, LITMUS_NONE, 0,           false};
    const char *at = opcode;
    struct text_part part;
    (void)next_part(&at, opcode + size, &part);
    while (next_part(&at, opcode + size, &part)) {
        const int bytes = find_bytes(&part), order = read_ptx_find_word(ptx_order_words, &part);
        read.scope_first |= read.scope != LITMUS_NONE && order != LITMUS_NONE;
        set_if_found(&read.order, order);
        set_if_found(&read.scope, read_ptx_find_word(ptx_scope_words, &part));
        set_if_found(&read.scope, read_ptx_find_word(ptx_membar_words, &part));
        set_if_found(&read.scope, read_ptx_find_word(barrier_words, &part));
        set_if_found(&read.space, read_ptx_find_word(space_words, &part));
        set_if_found(&read.lanes, read_ptx_find_word(ptx_lane_words, &part));
        set_if_found(&read.operation, read_ptx_find_word(ptx_operation_words, &part));
        if (bytes != LITMUS_NONE)
            read.bytes = (unsigned)bytes;
        const int cache = ptx_find_cache(part.start, part.size);
        read.hints |= cache == LITMUS_NONE ? 0u : machine_cache_hint((enum litmus_cache)cache);
        set_if_found(&read.path, read_ptx_find_word(path_words, &part));
    }
    return read;
}

static enum litmus_order order_or(const struct opcode_qualifiers *read, enum litmus_order otherwise)
{
    return read->order == LITMUS_NONE ? otherwise : (enum litmus_order)read->order;
}

static enum litmus_scope scope_or(const struct opcode_qualifiers *read, enum litmus_scope otherwise)
{
    return read->scope == LITMUS_NONE ? otherwise : (enum litmus_scope)read->scope;
}

/* An access without an order is weak; an atomic without an order is relaxed, and without a scope has scope gpu; a
 * volatile access has the scope of all devices (PTX ISA, "ld", "atom", "red"). */
static void read_access(const struct opcode_qualifiers *read, const struct ptx_instruction *row,
                        struct machine_instruction *instruction)
{
    const bool atomic = row->in_code == PTX_UPDATES;
    if (read->space == PRIVATE) {
        instruction->effect = MACHINE_NOTHING;
        return;
    }
    instruction->order = order_or(read, atomic ? LITMUS_RELAXED : LITMUS_PLAIN);
    instruction->lanes = read->lanes == LITMUS_NONE ? 1 : (unsigned)read->lanes;
    instruction->bytes = read->bytes * instruction->lanes;
    instruction->region = read->space == LITMUS_LOCAL ? LITMUS_LOCAL : LITMUS_GLOBAL;
    instruction->scope = instruction->order == LITMUS_PLAIN      ? LITMUS_SCOPE_NONE
                         : instruction->order == LITMUS_VOLATILE ? LITMUS_ALL_DEVICES
                                                                 : scope_or(read, LITMUS_DEVICE);
    if (atomic)
        instruction->operation = read->operation != LITMUS_NONE ? (enum litmus_operation)read->operation : LITMUS_STORE;
    instruction->hints = read->hints | (read->path == MMIO_PATH ? MACHINE_HINT_MMIO : 0u);
    instruction->proxy = read->path == READ_ONLY_PATH ? LITMUS_TEXTURE : LITMUS_GENERIC;
    instruction->no_result = row->means.shape == PTX_RED;
}

/* Without an order a fence is acq_rel. The order comes before the scope (PTX ISA, "fence"); ptxas
 * 11.8, 12.4 and 13.0 also take the reverse order and make the same MEMBAR, but no document defines
 * it. libcu++ once emitted it (NVIDIA/cccl #3957). */
static void read_fence(const struct opcode_qualifiers *read, struct machine_instruction *instruction)
{
    if (read->scope_first)
        instruction->flaw = "the order of a fence comes before its scope";
    else {
        instruction->order = order_or(read, LITMUS_ACQ_REL);
        instruction->scope = scope_or(read, LITMUS_DEVICE);
    }
}

static enum machine_effect effect_of(const struct ptx_instruction *row)
{
    static const enum machine_effect effects[] = {
        [PTX_COMPUTES] = MACHINE_NOTHING, [PTX_ACCESSES] = MACHINE_LOAD,         [PTX_UPDATES] = MACHINE_UPDATE,
        [PTX_FENCES] = MACHINE_FENCE,     [PTX_MEMBARS] = MACHINE_FENCE,         [PTX_MEETS] = MACHINE_BARRIER,
        [PTX_AWAITS] = MACHINE_GRID_WAIT, [PTX_TRIGGERS] = MACHINE_GRID_TRIGGER, [PTX_UNREAD] = MACHINE_NOTHING};
    return row->means.shape == PTX_STORE && row->in_code == PTX_ACCESSES ? MACHINE_STORE : effects[row->in_code];
}

bool ptx_opcode_read(const char *opcode, size_t size, struct machine_instruction *instruction)
{
    const struct ptx_instruction *row = ptx_find_in_code(opcode, size);
    if (!row)
        return true;
    const struct opcode_qualifiers read = read_qualifiers(opcode, size);
    instruction->effect = effect_of(row);
    switch (row->in_code) {
    case PTX_COMPUTES:
    case PTX_AWAITS:
    case PTX_TRIGGERS:
        break;
    case PTX_ACCESSES:
    case PTX_UPDATES:
        read_access(&read, row, instruction);
        break;
    case PTX_FENCES:
        read_fence(&read, instruction);
        break;
    case PTX_MEMBARS: /* a synonym of fence.sc (PTX ISA, "membar") */
        instruction->order = LITMUS_SEQ_CST;
        instruction->scope = scope_or(&read, LITMUS_DEVICE);
        break;
    case PTX_MEETS: /* "bar.sync" and "barrier.sync" are barriers of the cta */
        instruction->scope = scope_or(&read, LITMUS_WORK_GROUP);
        break;
    case PTX_UNREAD:
        return false;
    }
    return true;
}

/* ---- the reader ---- */

/* A jump whose label may come later. */
struct jump {
    size_t instruction;
    unsigned scope;
    char *label;
};

/* The targets of a .branchtargets: "L1, L2". */
struct ptx_targets {
    const char *name, *targets;
};

struct ptx_reader {
    struct ptx_module *module;
    struct listing *listing; /* of the kernel that is being read */
    struct error *error;
    const char *at; /* in the text */
    unsigned line;
    unsigned scope;                       /* of braces in the body */
    unsigned depth;                       /* of braces within each other */
    struct arena arena;                   /* for everything except results */
    struct hash_index labels, list_index; /* list_index: of lists, by name */
    struct jump *jumps;
    size_t jump_count;
    struct ptx_targets *lists;
    size_t list_count;
    long loc;   /* index of the current one, or -1 */
    long block; /* how many there were before the current basic block */
};

static enum status read_ptx_refuse(const struct ptx_reader *reader, unsigned line, const char *what, const char *text)
{
    return error_set(reader->error, STATUS_SYNTAX, "line %u of the PTX: %s: %.80s", line, what, text);
}

/* ---- text ---- */

/* Skips blanks and comments. */
static void skip_space(struct ptx_reader *reader)
{
    for (;;) {
        const char *at = reader->at;
        if (*at == '\n')
            reader->line++;
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
            reader->at++;
        else if (at[0] == '/' && at[1] == '/')
            reader->at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            const char *past = end ? end + 2 : at + strlen(at);
            for (; reader->at < past; reader->at++)
                reader->line += *reader->at == '\n';
        } else
            return;
    }
}

/* Takes the text before the first of the bytes in `ends`, as one line with single blanks. */
static char *take_until(struct ptx_reader *reader, const char *ends)
{
    LOCAL(text) text = {0};
    while (*reader->at && !strchr(ends, *reader->at)) {
        const char *before = reader->at;
        skip_space(reader);
        if (reader->at > before && text.size > 0)
            text_add(&text, " ");
        if (*reader->at && !strchr(ends, *reader->at))
            text_add_bytes(&text, reader->at++, 1);
    }
    char *taken = arena_copy(&reader->arena, text_string(&text));
    return taken;
}

static size_t word_size(const char *text)
{
    return strcspn(text, " \t\r\n,;");
}

static bool word_is(const char *text, const char *word)
{
    return word_size(text) == strlen(word) && strncmp(text, word, strlen(word)) == 0;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* The size of a name at this place, or 0. */
static size_t name_size(const char *at)
{
    return strspn(at, "$_%ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
}

/* ---- .loc ---- */

static bool read_place(const char **at, struct listing_loc *loc)
{
    char *end;
    loc->file = (unsigned)strtoul(*at, &end, 10);
    if (end == *at)
        return false;
    loc->line = (unsigned)strtoul(end, &end, 10);
    loc->column = (unsigned)strtoul(end, &end, 10);
    *at = end;
    return true;
}

static bool same_place(const struct listing_loc *a, const struct listing_loc *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

/* The latest .loc of the same place: a compiler writes the .loc of a call shortly before those of the inlined
 * function. */
static long find_loc(const struct listing *listing, const struct listing_loc *place)
{
    enum { NEAR = 4096 };
    for (size_t i = listing->loc_count; i > 0 && listing->loc_count - i < NEAR; i--)
        if (same_place(&listing->locs[i - 1], place))
            return (long)i - 1;
    return -1;
}

/* ".loc FILE LINE COLUMN [, function_name LABEL, inlined_at FILE LINE COLUMN]" */
static enum status read_loc(struct ptx_reader *reader, const char *text)
{
    struct listing *listing = reader->listing;
    struct listing_loc loc = {.parent = -1}, call = {.parent = -1};
    const char *at = text + strlen(".loc");
    if (!read_place(&at, &loc))
        return read_ptx_refuse(reader, reader->line, "a .loc without a place", text);
    const char *inlined = strstr(at, "inlined_at");
    if (inlined) {
        inlined += strlen("inlined_at");
        if (!read_place(&inlined, &call))
            return read_ptx_refuse(reader, reader->line, "an inlined_at without a place", text);
        loc.parent = find_loc(listing, &call);
        if (loc.parent < 0) {
            ARENA_ADD(&listing->arena, listing->locs, listing->loc_count) = call;
            loc.parent = (long)listing->loc_count - 1;
        }
    }
    ARENA_ADD(&listing->arena, listing->locs, listing->loc_count) = loc;
    reader->loc = (long)listing->loc_count - 1;
    return STATUS_OK;
}

/* The .loc of an instruction: the current one. Where a compiler copies a block, the copy may name calls whose .loc is
 * in an earlier block, and another call may have taken their place since. So an instruction that is written like one
 * before it, from the same line of an inlined function and the same call, has the .loc of that one. */
static long loc_of(const struct ptx_reader *reader, const char *text)
{
    enum { NEAR = 4096 };
    const struct listing *listing = reader->listing;
    const struct listing_loc *own = reader->loc >= 0 ? &listing->locs[reader->loc] : NULL;
    if (!own || own->parent < 0 || own->parent >= reader->block)
        return reader->loc;
    for (size_t i = listing->count; i > 0 && listing->count - i < NEAR; i--) {
        const struct machine_instruction *earlier = &listing->instructions[i - 1];
        const struct listing_loc *loc = earlier->loc >= 0 ? &listing->locs[earlier->loc] : own;
        if (loc != own && loc->parent >= 0 && same_place(loc, own) &&
            same_place(&listing->locs[loc->parent], &listing->locs[own->parent]) && strcmp(earlier->text, text) == 0)
            return earlier->loc;
    }
    return reader->loc;
}

/* Gives an instruction the lines of its .loc. The kernel's file is that of the first .loc; lines of other files
 * are omitted, and so is 0, which means unknown. */
static void set_lines(const struct ptx_reader *reader, struct machine_instruction *instruction)
{
    const struct listing *listing = reader->listing;
    for (long i = instruction->loc; i >= 0; i = listing->locs[i].parent) {
        const struct listing_loc *loc = &listing->locs[i];
        if (instruction->line_count < MACHINE_MAXIMUM_LINES && loc->line > 0 && loc->file == listing->locs[0].file)
            instruction->lines[instruction->line_count++] = loc->line;
    }
}

/* ---- instructions ---- */

static struct machine_instruction *read_ptx_add_instruction(struct ptx_reader *reader, unsigned line, const char *text)
{
    struct listing *listing = reader->listing;
    struct machine_instruction *added = &LIST_ADD(listing->instructions, listing->count, listing->room);
    *added = (struct machine_instruction){.text = arena_copy(&listing->arena, text),
                                          .place = line,
                                          .lanes = 1,
                                          .loc = loc_of(reader, text),
                                          .scope_of_names = reader->scope,
                                          .next = (long)listing->count,
                                          .branch = MACHINE_NO_NEXT};
    set_lines(reader, added);
    return added;
}

static void add_jump(struct ptx_reader *reader, const char *label)
{
    ARENA_ADD(&reader->arena, reader->jumps, reader->jump_count) = (struct jump){
        reader->listing->count - 1, reader->scope, arena_copy_part(&reader->arena, label, word_size(label))};
}

/* "brx.idx %r1, LABEL", where LABEL names a list of targets, is a jump to each of them. */
static enum status add_jumps(struct ptx_reader *reader, unsigned line, const char *text, const char *operands)
{
    const char *comma = strchr(operands, ',');
    const char *start = comma ? skip_blanks(comma + 1) : "", *targets = NULL;
    const char *name = arena_copy_part(&reader->arena, start, word_size(start));
    size_t step = 0, item;
    while (hash_index_next(&reader->list_index, hash_index_key(0, name), &step, &item))
        if (strcmp(name, reader->lists[item].name) == 0)
            targets = reader->lists[item].targets;
    if (!targets)
        return read_ptx_refuse(reader, line, "a jump through an unknown list of targets", text);
    while (*targets) {
        read_ptx_add_instruction(reader, line, text)->predicated = true;
        add_jump(reader, targets);
        targets += word_size(targets);
        targets += strspn(targets, ", \t");
    }
    reader->listing->instructions[reader->listing->count - 1].next = MACHINE_NO_NEXT;
    return STATUS_OK;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text);
    return size > strlen(end) && strcmp(text + size - strlen(end), end) == 0;
}

/* Whether the operands of a read-modify-write make it write what it read. */
static bool writes_same(const char *text, enum litmus_operation operation)
{
    switch (operation) {
    case LITMUS_FETCH_ADD:
    case LITMUS_FETCH_OR:
    case LITMUS_FETCH_XOR:
        return ends_with(text, ", 0");
    case LITMUS_CAS:
        return ends_with(text, ", 0, 0");
    default:
        return false;
    }
}

static enum status add_opcode(struct ptx_reader *reader, unsigned line, const char *text, const char *opcode,
                              bool predicated)
{
    const size_t size = word_size(opcode);
    const char *operands = skip_blanks(opcode + size);
    if (strncmp(opcode, "brx.idx", strlen("brx.idx")) == 0)
        return add_jumps(reader, line, text, operands);
    /* Functions that only print or stop the program do nothing to memory. */
    if (strncmp(opcode, "call", strlen("call")) == 0 && !strstr(operands, "vprintf") &&
        !strstr(operands, "__assertfail"))
        return read_ptx_refuse(reader, line, "a call of a function that was not inlined", text);
    struct machine_instruction *added = read_ptx_add_instruction(reader, line, text);
    if (!ptx_opcode_read(opcode, size, added))
        added->unread = "what it does to memory";
    added->writes_same = writes_same(text, added->operation);
    added->predicated = predicated;
    const bool jumps = word_is(opcode, "bra") || word_is(opcode, "bra.uni");
    const bool ends =
        word_is(opcode, "ret") || word_is(opcode, "ret.uni") || word_is(opcode, "exit") || word_is(opcode, "trap");
    if ((jumps || ends) && !predicated)
        added->next = MACHINE_NO_NEXT;
    if (jumps)
        add_jump(reader, operands);
    return STATUS_OK;
}

/* Adds an instruction, with an optional guard "@%p1 " or "@!%p1 ". */
static enum status read_ptx_add_statement(struct ptx_reader *reader, unsigned line, const char *text)
{
    const bool predicated = *text == '@';
    const char *opcode = predicated ? skip_blanks(text + word_size(text)) : text;
    return *opcode ? add_opcode(reader, line, text, opcode, predicated)
                   : read_ptx_refuse(reader, line, "expected an instruction", text);
}

/* ---- declarations ---- */

static bool has_word(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    return found && (found[strlen(word)] == ' ' || found[strlen(word)] == '\t');
}

/* Adds a variable of a declaration such as ".extern .shared .align 16 .b8 NAME[]". */
static void add_variable(struct ptx_reader *reader, const char *declaration)
{
    struct ptx_module *module = reader->module;
    const size_t size = strcspn(declaration, "=[");
    const char *end = declaration + size;
    while (end > declaration && end[-1] == ' ')
        end--;
    const char *start = end;
    while (start > declaration && start[-1] != ' ')
        start--;
    const char *name = arena_copy_part(&module->arena, start, (size_t)(end - start));
    hash_index_add(&module->variable_index, hash_index_key(0, name), module->variable_count);
    ARENA_ADD(&module->arena, module->variables, module->variable_count) = (struct ptx_variable){
        name, has_word(declaration, ".shared"),
        declaration[size] == '[' && has_word(declaration, ".b8") ? strtoul(declaration + size + 1, NULL, 10) : 0};
}

/* The names that a .reg declares in braces within the body: "%p<3>" are %p0 to %p2. */
static void read_ptx_add_registers(struct ptx_reader *reader, const char *declaration)
{
    enum { MOST = 256 };
    struct listing *listing = reader->listing;
    const char *at = declaration + strlen(".reg");
    for (at += strspn(at, " \t"); *at == '.'; at += strspn(at, " \t"))
        at += word_size(at);
    while (*at) {
        const size_t size = name_size(at);
        const unsigned long count = at[size] == '<' ? strtoul(at + size + 1, NULL, 10) : 0;
        for (unsigned long i = 0; i < count && i < MOST; i++)
            ARENA_ADD(&listing->arena, listing->names, listing->name_count) =
                (struct listing_name){reader->scope, arena_print(&listing->arena, "%.*s%lu", (int)size, at, i)};
        if (size > 0 && count == 0)
            ARENA_ADD(&listing->arena, listing->names, listing->name_count) =
                (struct listing_name){reader->scope, arena_copy_part(&listing->arena, at, size)};
        at += strcspn(at, ",");
        at += strspn(at, ", \t");
    }
}

/* A directive of the body ends at its line's end (.loc) or at a semicolon. */
static enum status read_in_body_directive(struct ptx_reader *reader)
{
    if (listing_text_starts(reader->at, ".loc") && (reader->at[4] == '\t' || reader->at[4] == ' ')) {
        const size_t size = strcspn(reader->at, "\n");
        const char *line = arena_copy_part(&reader->arena, reader->at, size);
        reader->at += size;
        return read_loc(reader, line);
    }
    const char *declaration = take_until(reader, ";");
    reader->at += *reader->at == ';';
    if (listing_text_starts(declaration, ".shared") || listing_text_starts(declaration, ".local"))
        add_variable(reader, declaration);
    if (listing_text_starts(declaration, ".reg") && reader->scope > 0)
        read_ptx_add_registers(reader, declaration);
    return STATUS_OK;
}

/* ---- a kernel's body ---- */

static void read_label(struct ptx_reader *reader, size_t size)
{
    const char *name = listing_add_label(reader->listing, reader->at, size);
    reader->block = (long)reader->listing->loc_count;
    hash_index_add(&reader->labels, hash_index_key((int)reader->scope, name), reader->listing->label_count - 1);
    reader->at += size + 1;
    skip_space(reader);
    if (!listing_text_starts(reader->at, ".branchtargets"))
        return;
    reader->at += strlen(".branchtargets");
    skip_space(reader);
    hash_index_add(&reader->list_index, hash_index_key(0, name), reader->list_count);
    ARENA_ADD(&reader->arena, reader->lists, reader->list_count) = (struct ptx_targets){name, take_until(reader, ";")};
    reader->at += *reader->at == ';';
}

/* Takes the blanks out of a guard and an opcode ("@ %p1 ld .relaxed .gpu .u32"), which PTX allows there. */
static char *join_words(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (from[1] != '.' && (from == text || (from[-1] != '@' && from[-1] != '!'))))
            *to++ = *from;
    *to = '\0';
    return text;
}

static enum status read_instruction(struct ptx_reader *reader)
{
    const unsigned line = reader->line;
    const char *text = join_words(take_until(reader, ";"));
    if (*reader->at != ';')
        return read_ptx_refuse(reader, line, "an instruction without its semicolon: the text is truncated", text);
    reader->at++;
    return read_ptx_add_statement(reader, line, text);
}

enum { DEEPEST_BRACES = 64 };

/* Reads the next item of the kernel's body. The scope of its outermost braces is 0. */
static enum status read_in_body(struct ptx_reader *reader)
{
    struct listing *listing = reader->listing;
    const size_t name = name_size(reader->at);
    const bool labels = name > 0 && reader->at[name] == ':' && reader->at[name + 1] != ':'; /* not "shared::cta" */
    if (*reader->at == '{') {
        if (++reader->depth > DEEPEST_BRACES)
            return read_ptx_refuse(reader, reader->line, "more than 64 braces within each other", "{");
        ARENA_ADD(&listing->arena, listing->scopes, listing->scope_count) = reader->scope;
        reader->scope = (unsigned)listing->scope_count - 1;
        reader->at++;
    } else if (*reader->at == '}') {
        reader->scope = listing->scopes[reader->scope];
        reader->depth--;
        reader->at++;
    } else if (labels)
        read_label(reader, name);
    else if (*reader->at == ';')
        reader->at++;
    else
        return *reader->at == '.' ? read_in_body_directive(reader) : read_instruction(reader);
    return STATUS_OK;
}

/* The instruction after a label of this scope or one around it. */
static long find_label(const struct ptx_reader *reader, unsigned scope, const char *name)
{
    for (;; scope = reader->listing->scopes[scope]) {
        size_t step = 0, item;
        while (hash_index_next(&reader->labels, hash_index_key((int)scope, name), &step, &item)) {
            const struct listing_label *label = &reader->listing->labels[item];
            if (strcmp(label->name, name) == 0 && label->index < reader->listing->count)
                return (long)label->index;
        }
        if (scope == 0)
            return MACHINE_NO_NEXT;
    }
}

/* Resolves the jumps once all labels are known. */
static enum status join_jumps(struct ptx_reader *reader)
{
    struct listing *listing = reader->listing;
    for (size_t i = 0; i < reader->jump_count; i++) {
        struct machine_instruction *from = &listing->instructions[reader->jumps[i].instruction];
        from->branch = find_label(reader, reader->jumps[i].scope, reader->jumps[i].label);
        if (from->branch == MACHINE_NO_NEXT)
            return read_ptx_refuse(reader, (unsigned)from->place, "a jump to an unknown label", from->text);
    }
    struct machine_instruction *last = &listing->instructions[listing->count - 1];
    if (last->next >= (long)listing->count)
        last->next = MACHINE_NO_NEXT;
    return STATUS_OK;
}

/* Reads a body up to its closing brace, after the opening one. */
static enum status read_body(struct ptx_reader *reader)
{
    struct listing *listing = reader->listing;
    const bool ends = *reader->at == '{';
    reader->at += ends;
    reader->scope = reader->depth = 0;
    reader->loc = -1;
    reader->block = 0;
    reader->jump_count = reader->list_count = 0;
    reader->jumps = NULL;
    reader->lists = NULL;
    hash_index_clear(&reader->labels);
    hash_index_clear(&reader->list_index);
    ARENA_ADD(&listing->arena, listing->scopes, listing->scope_count) = 0;
    for (skip_space(reader); *reader->at && (*reader->at != '}' || reader->scope > 0); skip_space(reader))
        TRY(read_in_body(reader));
    if (*reader->at != '}' || !ends)
        return read_ptx_refuse(reader, reader->line, "the text is truncated", "it ends in the kernel");
    reader->at++;
    return listing->count > 0 ? join_jumps(reader) : STATUS_OK;
}

/* ---- modules ---- */

/* Skips the braces at this place with what is in them. */
static void skip_braces(struct ptx_reader *reader)
{
    size_t depth = 0;
    do {
        depth += *reader->at == '{';
        depth -= *reader->at == '}' && depth > 0;
        reader->at++;
        skip_space(reader);
    } while (*reader->at && depth > 0);
}

/* A kernel that cannot be read keeps the reason; the rest of the module is read all the same. */
static void read_kernel(struct ptx_reader *reader, const char *head)
{
    struct ptx_module *module = reader->module;
    const char *name = strstr(head, ".entry") + strlen(".entry");
    name += strspn(name, " \t");
    const char *start = reader->at;
    const unsigned line = reader->line;
    struct ptx_kernel *kernel = &LIST_ADD(module->kernels, module->count, module->room);
    *kernel = (struct ptx_kernel){.name = arena_copy_part(&module->arena, name, name_size(name)),
                                  .head = arena_copy(&module->arena, head)};
    reader->listing = &kernel->listing;
    (void)snprintf(kernel->listing.architecture, sizeof kernel->listing.architecture, "%s", module->architecture);
    struct error error = {0};
    reader->error = &error;
    if (read_body(reader) != STATUS_OK) {
        kernel->problem = arena_copy(&module->arena, error.text);
        reader->at = start;
        reader->line = line;
        skip_braces(reader);
    }
}

/* ".file 1 "PATH"" */
static void read_ptx_add_file(struct ptx_module *module, const char *line)
{
    char *end;
    const unsigned long number = strtoul(line + strlen(".file"), &end, 10);
    const char *path = strchr(end, '"');
    if (path)
        ARENA_ADD(&module->arena, module->files, module->file_count) =
            (struct ptx_file){(unsigned)number, arena_copy_part(&module->arena, path + 1, strcspn(path + 1, "\""))};
}

/* Directives that end with their line. */
static bool read_line_directive(struct ptx_reader *reader)
{
    struct ptx_module *module = reader->module;
    const char *line = arena_copy_part(&reader->arena, reader->at, strcspn(reader->at, "\n"));
    const char *after = skip_blanks(line + word_size(line));
    if (word_is(line, ".target"))
        (void)snprintf(module->architecture, sizeof module->architecture, "%.*s", (int)word_size(after), after);
    else if (word_is(line, ".file"))
        read_ptx_add_file(module, line);
    else if (!word_is(line, ".version") && !word_is(line, ".address_size") && !word_is(line, ".loc"))
        return false;
    reader->at += strlen(line);
    return true;
}

static void read_module_item(struct ptx_reader *reader)
{
    if (*reader->at == '{')
        skip_braces(reader);
    else if (*reader->at != '.')
        reader->at++;
    else if (!read_line_directive(reader)) {
        const char *head = take_until(reader, ";{");
        const bool initial = strchr(head, '=') != NULL; /* then the brace is that of a value */
        if (has_word(head, ".entry") && *reader->at == '{')
            read_kernel(reader, head);
        else if (has_word(head, ".shared") || has_word(head, ".global") || has_word(head, ".const"))
            add_variable(reader, head);
        if (initial && *reader->at == '{')
            (void)take_until(reader, ";");
        reader->at += *reader->at == ';';
    }
}

void ptx_module_read(const char *text, struct ptx_module *module)
{
    struct ptx_reader reader = {.module = module, .at = text, .line = 1};
    *module = (struct ptx_module){0};
    for (skip_space(&reader); *reader.at; skip_space(&reader))
        read_module_item(&reader);
    module->lines = reader.line;
    hash_index_release(&reader.labels);
    hash_index_release(&reader.list_index);
    arena_release(&reader.arena);
}

const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name)
{
    size_t step = 0, item;
    while (hash_index_next(&module->variable_index, hash_index_key(0, name), &step, &item))
        if (strcmp(module->variables[item].name, name) == 0)
            return &module->variables[item];
    return NULL;
}

void ptx_module_release(struct ptx_module *module)
{
    for (size_t i = 0; i < module->count; i++)
        listing_release(&module->kernels[i].listing);
    free(module->kernels);
    hash_index_release(&module->variable_index);
    arena_release(&module->arena);
    *module = (struct ptx_module){0};
}

static enum status check_module(const struct ptx_module *module, struct error *error)
{
    const struct ptx_kernel *kernel = module->kernels;
    if (module->count > 1)
        return error_set(error, STATUS_SYNTAX, "the PTX has a second kernel: %.80s", kernel[1].name);
    if (kernel && kernel->problem)
        return error_set(error, STATUS_SYNTAX, "%s", kernel->problem);
    if (!kernel || kernel->listing.count == 0)
        return error_set(error, STATUS_SYNTAX, "line %u of the PTX: expected a kernel: no .entry with instructions",
                         module->lines);
    if (kernel->listing.loc_count == 0)
        return error_set(error, STATUS_SYNTAX,
                         "line %u of the PTX: expected .loc directives: the module has no line information",
                         module->lines);
    return STATUS_OK;
}

enum status listing_read_ptx(const char *text, struct listing *listing, struct error *error)
{
    LOCAL(ptx_module) module = {0};
    ptx_module_read(text, &module);
    *listing = (struct listing){0};
    TRY(check_module(&module, error));
    *listing = module.kernels[0].listing;
    module.kernels[0].listing = (struct listing){0};
    return STATUS_OK;
}

/* Whether an instruction may come from lines first up to end: its line is one of them or unknown. */
static bool may_come_from(const struct machine_instruction *instruction, unsigned first, unsigned end)
{
    if (ANY_OF(line, instruction->lines, instruction->line_count, *line >= first && *line < end))
        return true;
    return instruction->line_count == 0;
}

enum status listing_refuse_ptx(const struct listing *listing, unsigned first, unsigned end, struct error *error)
{
    FOR_EACH(const struct machine_instruction, instruction, listing->instructions, listing->count)
        if (instruction->unread && may_come_from(instruction, first, end))
            return error_set(error, STATUS_SYNTAX, "line %lu of the PTX: an instruction that no test has: %.80s",
                             instruction->place, instruction->text);
    return STATUS_OK;
}
