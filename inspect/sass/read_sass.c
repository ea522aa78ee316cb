// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the output of `nvdisasm -c -gp` or `-c -gi`. A line or a block of lines such as
 *
 *   //## File ".nv_debug_ptx_txt", line 1404
 *
 *   //## File "orchil.cu", line 47 inlined at "orchil.cu", line 445
 *   //## File "orchil.cu", line 445
 *
 * gives the place of the instructions after it, innermost first, up to the next block. ptxas writes a new block only
 * when the innermost line changes, so two successive stores by one helper share the first one's block. The lines of the
 * PTX distinguish them, and its .loc directives give their places. A label is on its own line and ends with a colon. An
 * instruction is its address in a comment, a guard such as @!P0, an opcode and operands.
 */
#include "inspect/readers.h"
#include "inspect/sass/sass_opcode.h"

/* ---- operands ---- */

/*
 * Finds the instructions that wrote a register, on all paths back from one that uses it; and its value, if all of them
 * write the same constant or copy a register for which this holds.
 *
 * ptxas 13.0 gives UBLKCP and UBLKRED their size, in units of 16 bytes, in a uniform register: "UMOV UR6, 0x1". In a
 * multicast it is the low half, and the mask the high one: "UPRMT UR6, UR6, 0x5410, UR7".
 */

enum { UNIT = 16, MAXIMUM_COPIES = 8, LOW_HALF = 0xffff }; /* bytes; longest chain of copied registers */
enum { FIRST_UNIFORM = 8 };                                /* a guard above it is a uniform predicate */

/* "UR6", or "R4": its text, its file and its number. */
struct register_name {
    const char *text;
    bool uniform;
    unsigned number;
};

struct tracer {
    const struct listing *listing;
    size_t *first, *before; /* the instructions before i are before[first[i]] to before[first[i + 1] - 1] */
    bool known, any;        /* known: so far; any: a value was found */
    unsigned long value;
    long writer; /* the only instruction that wrote the first register; MACHINE_NO_NEXT: none yet, or several */
    unsigned writers;
    bool wants_value;
    unsigned depth;
    uint64_t written; /* predicates that were written on the paths back to a vote */
    unsigned vote;    /* the predicate of the votes so far; 0: none */
};

static bool read_register(const char *at, struct register_name *name)
{
    *name = (struct register_name){.text = at, .uniform = *at == 'U'};
    at += name->uniform;
    if (*at != 'R' || at[1] < '0' || at[1] > '9')
        return false;
    name->number = (unsigned)strtoul(at + 1, NULL, 10);
    return true;
}

static const char *first_operand(const struct machine_instruction *instruction, const char **opcode)
{
    const char *at = instruction->text;
    if (*at == '@') {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    *opcode = at;
    at += strcspn(at, " ");
    return at + strspn(at, " ");
}

static const char *next_operand(const char *at)
{
    at += strcspn(at, ",;");
    return *at == ',' ? at + 1 + strspn(at + 1, " ") : at + strlen(at);
}

static const char *last_operand(const struct machine_instruction *instruction)
{
    const char *opcode, *operand = first_operand(instruction, &opcode);
    while (*next_operand(operand))
        operand = next_operand(operand);
    return operand;
}

static bool is_predicate(const char *at)
{
    at += *at == 'U';
    return *at == 'P' && strcspn(at, " ,") == 2;
}

/* Whether the instruction writes the register. A predicate may come before the register. 64-bit and wide results take
 * two registers, 128-bit results four. */
static bool writes_register(const struct machine_instruction *instruction, const struct register_name *name)
{
    struct register_name written;
    const char *opcode, *at = first_operand(instruction, &opcode);
    const size_t length = strcspn(opcode, " ");
    if (is_predicate(at))
        at = next_operand(at);
    if (!read_register(at, &written) || written.uniform != name->uniform || written.number > name->number)
        return false;
    const char *const wide = strstr(opcode, "64"), *const wider = strstr(opcode, "WIDE"),
                      *const widest = strstr(opcode, "128");
    const bool two = (wide && wide < opcode + length) || (wider && wider < opcode + length);
    return name->number - written.number < (widest && widest < opcode + length ? 4 : two ? 2 : 1);
}

static void trace(struct tracer *tracer, size_t at, const struct register_name *name);

/* Told of an instruction on a path back; whether the path goes on beyond it. */
typedef bool walk_step(struct tracer *tracer, size_t at, const void *wanted);

/* Follows all paths back from an instruction, excluding itself, while the tracer knows. A path that reaches the start
 * of the function makes it not know. */
static void walk_back(struct tracer *tracer, size_t at, walk_step *step, const void *wanted)
{
    const size_t count = tracer->listing->count;
    FREED bool *seen = memory_take(count, sizeof *seen);
    size_t *stack = memory_take(count + 1, sizeof *stack), top = 0;
    stack[top++] = at;
    while (top > 0 && tracer->known) {
        const size_t here = stack[--top];
        if (tracer->first[here] == tracer->first[here + 1])
            tracer->known = false;
        for (size_t i = tracer->first[here]; i < tracer->first[here + 1]; i++) {
            const size_t before = tracer->before[i];
            if (seen[before])
                continue;
            seen[before] = true;
            if (step(tracer, before, wanted))
                stack[top++] = before;
        }
    }
    free(stack);
}

static bool trace_register(struct tracer *tracer, size_t at, const void *wanted)
{
    const struct machine_instruction *instruction = &tracer->listing->instructions[at];
    const bool writes = writes_register(instruction, wanted);
    if (writes && tracer->depth == 1)
        tracer->writer = tracer->writers++ == 0 ? (long)at : MACHINE_NO_NEXT;
    if (writes && tracer->wants_value) {
        /* Takes the value that an instruction writes to the register. */
        static const char *const copies[] = {"MOV ", "UMOV ", "R2UR", "IMAD.MOV.U32 ", "IMAD.U32 "};
        const char *opcode, *operand = first_operand(&tracer->listing->instructions[at], &opcode);
        struct register_name name;
        bool is_copy = ANY_OF(copy, copies, COUNT(copies), strncmp(opcode, *copy, strlen(*copy)) == 0);
        const bool multiplies = strncmp(opcode, "IMAD", 4) == 0;
        if (multiplies && strncmp(next_operand(operand), "RZ, RZ, ", 8) != 0)
            is_copy = false;
        const char *const joined = next_operand(operand);
        const bool joins = strncmp(opcode, "UPRMT ", 6) == 0 || strncmp(opcode, "PRMT ", 5) == 0;
        is_copy |= joins && strncmp(next_operand(joined), "0x5410, ", 8) == 0;
        operand = joins ? joined : last_operand(&tracer->listing->instructions[at]);
        if (is_copy && strncmp(operand, "0x", 2) == 0) {
            const unsigned long value = strtoul(operand, NULL, 16);
            tracer->known &= !tracer->any || tracer->value == value;
            tracer->any = true;
            tracer->value = value;
        } else if (is_copy && read_register(operand, &name) && tracer->depth < MAXIMUM_COPIES)
            trace(tracer, at, &name);
        else
            tracer->known = false;
    }
    return !writes || instruction->predicated;
}

static void trace(struct tracer *tracer, size_t at, const struct register_name *name)
{
    tracer->depth++;
    walk_back(tracer, at, trace_register, name);
    tracer->depth--;
}

/* Fills `first` and `before` from the pairs of an instruction and one that may run next. */
static void link_back(const struct listing *listing, size_t *first, size_t *before)
{
    for (size_t i = 0; i < listing->count; i++) {
        const long next[] = {listing->instructions[i].next, listing->instructions[i].branch};
        for (size_t k = 0; k < 2; k++) {
            if (next[k] == MACHINE_NO_NEXT)
                continue;
            if (before)
                before[first[next[k]]++] = i;
            else
                first[next[k] + 1]++;
        }
    }
}

/* The predicate, from 1, of a vote "VOTEU.ANY UP0, P3"; 0 if the instruction is none, or if it is not plain. */
static unsigned vote_of(const struct machine_instruction *instruction)
{
    static const char opcode[] = "VOTEU.ANY U";
    const char *own = strstr(instruction->text, ", ");
    if (strncmp(instruction->text, opcode, strlen(opcode)) != 0 || !own || own[2] != 'P' || own[3] < '0' ||
        own[3] > '6' || own[4] != '\0')
        return 0;
    return (unsigned)(own[3] - '0') + 1;
}

static bool trace_predicate(struct tracer *tracer, size_t at, const void *wanted)
{
    const struct machine_instruction *instruction = &tracer->listing->instructions[at];
    const unsigned uniform = *(const unsigned *)wanted, vote = vote_of(instruction);
    if (!(instruction->writes & UINT64_C(1) << (uniform - 1))) {
        tracer->written |= instruction->writes;
        return true;
    }
    tracer->known &= vote != 0 && (tracer->vote == 0 || tracer->vote == vote);
    tracer->vote = vote;
    return false;
}

/* The predicate of the vote that gave a uniform predicate its value, if all paths back to an instruction come from
 * votes by one predicate, which is not written since; else 0. */
static unsigned trace_vote(struct tracer *tracer, size_t at, unsigned uniform)
{
    tracer->known = true;
    tracer->written = 0;
    tracer->vote = 0;
    walk_back(tracer, at, trace_predicate, &uniform);
    const bool same = tracer->known && tracer->vote != 0 && !(tracer->written & UINT64_C(1) << (tracer->vote - 1));
    return same ? tracer->vote : 0;
}

/* The coordinates of a texture access, after its two results, or of a surface access, in brackets. */
static const char *coordinates(const struct machine_instruction *instruction)
{
    const char *opcode, *operand = first_operand(instruction, &opcode);
    if (instruction->proxy == LITMUS_TEXTURE)
        return next_operand(next_operand(operand));
    operand += strcspn(operand, "[");
    return operand + (*operand == '[');
}

/* Traces an operand of an instruction. */
static bool trace_operand(struct tracer *tracer, size_t at, const char *operand, bool wants_value)
{
    struct register_name name;
    if (!read_register(operand, &name))
        return false;
    tracer->known = true;
    tracer->any = false;
    tracer->writers = 0;
    tracer->writer = MACHINE_NO_NEXT;
    tracer->wants_value = wants_value;
    trace(tracer, at, &name);
    return tracer->known;
}

static void read_size(struct tracer *tracer, struct machine_instruction *instruction, size_t at)
{
    if (!trace_operand(tracer, at, last_operand(instruction), true) || !tracer->any)
        return;
    instruction->bytes = (unsigned)(instruction->multicast ? tracer->value & LOW_HALF : tracer->value) * UNIT;
    instruction->unread = NULL;
}

/* ptxas 13.0 gives no line for texture and surface accesses; they seem to have the preceding instruction's. The code
 * that computed the place has the step's line or the next one (kernel/access.c). */
static void read_lines(struct tracer *tracer, struct machine_instruction *instruction, size_t at)
{
    const bool found = trace_operand(tracer, at, coordinates(instruction), false);
    instruction->line_count = 0;
    if (!found || tracer->writer == MACHINE_NO_NEXT)
        return;
    const struct machine_instruction *writer = &tracer->listing->instructions[tracer->writer];
    memcpy(instruction->lines, writer->lines, sizeof instruction->lines);
    instruction->line_count = writer->line_count;
}

/* Fills the bytes of bulk copies and clears their `unread`, if all paths to a copy give its size the same constant.
 * Gives copies the predicate of the item that starts them. Gives texture and surface accesses the lines of the
 * instruction that computed their place, or none if several did. The `next` and `branch` of the listing's instructions
 * must be set. */
static void sass_trace_operands(struct listing *listing)
{
    struct tracer tracer = {.listing = listing};
    for (size_t i = 0; i < listing->count; i++) {
        struct machine_instruction *instruction = &listing->instructions[i];
        const bool placed = listing_is_placed(instruction);
        const bool votes = instruction->effect == MACHINE_ASYNC && instruction->guard > FIRST_UNIFORM;
        if (!instruction->unread && !placed && !votes)
            continue;
        if (!tracer.first) {
            const size_t count = tracer.listing->count;
            tracer.first = memory_take(count + 2, sizeof *tracer.first);
            link_back(tracer.listing, tracer.first, NULL);
            for (size_t k = 0; k < count; k++)
                tracer.first[k + 1] += tracer.first[k];
            tracer.before = memory_take(tracer.first[count] + 1, sizeof *tracer.before);
            link_back(tracer.listing, tracer.first, tracer.before);
            for (size_t k = count; k > 0; k--) /* the second walk has moved each to the start of the next */
                tracer.first[k] = tracer.first[k - 1];
            tracer.first[0] = 0;
        }
        if (placed)
            read_lines(&tracer, instruction, i);
        else if (instruction->unread)
            read_size(&tracer, instruction, i);
        if (votes) {
            /* Copies are started by one item of a sub-group after another, under a uniform predicate that is true if
             * any item copies: so an item's own copy depends on its own predicate. */
            const unsigned own = trace_vote(&tracer, i, instruction->guard);
            if (own != 0 && instruction->guard_value)
                instruction->guard = own;
        }
    }
    free(tracer.first);
    free(tracer.before);
}

/* ---- the listing ---- */

struct sass_reader {
    struct listing *listing;
    const struct listing *ptx; /* or NULL */
    unsigned ptx_line;
    enum sass_flow *flows; /* of each instruction */
    size_t flow_count;
    unsigned lines[MACHINE_MAXIMUM_LINES];
    unsigned line_count;
    bool in_block; /* the previous line was in the same block */
    const char *outer;
    size_t outer_length; /* of the outermost line's file, the kernel's text; lines of other files are 0 */
};

/* ---- lines ---- */

/* Takes the lines of the PTX instruction on that line. */
static void read_ptx_line(struct sass_reader *reader, unsigned long number)
{
    size_t low = 0, high = reader->ptx->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (reader->ptx->instructions[middle].place < number)
            low = middle + 1;
        else
            high = middle;
    }
    reader->line_count = 0;
    if (low == reader->ptx->count || reader->ptx->instructions[low].place != number)
        return;
    reader->line_count = reader->ptx->instructions[low].line_count;
    memcpy(reader->lines, reader->ptx->instructions[low].lines, sizeof reader->lines);
}

/* "//## File "x.cu", line 47 inlined at ..." */
static void read_place(struct sass_reader *reader, const char *at)
{
    const char *name = strchr(at, '"'), *end = name ? strchr(name + 1, '"') : NULL;
    const char *line = end ? strstr(end, "line ") : NULL;
    if (!line)
        return;
    if (reader->ptx) {
        read_ptx_line(reader, strtoul(line + 5, NULL, 10) - reader->ptx_line + 1);
        return;
    }
    if (!reader->in_block)
        reader->line_count = 0;
    reader->in_block = true;
    /* The outermost line of each block is in the kernel's entry, so the first block gives its file. */
    if (!reader->outer) {
        reader->outer = name;
        reader->outer_length = (size_t)(end - name);
    }
    const bool own =
        reader->outer_length == (size_t)(end - name) && memcmp(reader->outer, name, reader->outer_length) == 0;
    if (reader->line_count < MACHINE_MAXIMUM_LINES)
        reader->lines[reader->line_count++] = own ? (unsigned)strtoul(line + 5, NULL, 10) : 0;
}

/* ---- predicates ---- */

/* "P0", "!P3", "UP1", "PT": the number from 1, plus 8 for a uniform predicate; 0 for PT and UPT; -1 for anything
 * else. */
static int read_predicate(const char *at, bool *value, size_t *length)
{
    const char *start = at;
    *value = *at != '!';
    at += *at == '!';
    const bool uniform = *at == 'U';
    at += uniform;
    if (*at != 'P' || ((at[1] < '0' || at[1] > '6') && at[1] != 'T') || strcspn(at + 2, " ,;") != 0)
        return -1;
    *length = (size_t)(at + 2 - start);
    return at[1] == 'T' ? 0 : at[1] - '0' + 1 + (uniform ? 8 : 0);
}

/* Predicates that an instruction writes: the first two operands if they are predicates, and those directly after a
 * first register (a carry). Of two predicates alone the second is read: "VOTEU.ANY UP0, P1". R2P writes all, and UR2UP
 * all uniform ones. */
static unsigned read_writes(const char *opcode, const char *operands)
{
    unsigned writes = 0;
    bool value, after_register = false;
    size_t length;
    if (strncmp(opcode, "R2P", 3) == 0 || strncmp(opcode, "UR2UP", 5) == 0)
        return ~0u;
    const bool alone = *next_operand(operands) && !*next_operand(next_operand(operands));
    for (unsigned n = 0; *operands && n < (alone ? 1 : 4); n++, operands = next_operand(operands)) {
        const int predicate = read_predicate(operands, &value, &length);
        if (predicate > 0 && value)
            writes |= 1u << (predicate - 1);
        if (predicate < 0 && (after_register || n >= 2 || (*operands != 'R' && *operands != 'U')))
            break;
        if (predicate < 0)
            after_register = true;
        else if (!after_register && n == 1)
            break;
    }
    return writes;
}

/* ---- instructions ---- */

/* The guard of an instruction that never runs. The driver's ptxas puts "@!PT LDS RZ, [RZ]" after fences on sm_90. */
#define NEVER "@!PT "

/* Reads the guard and returns the text after it. A guard that is always true is ignored. */
static const char *read_guard(struct machine_instruction *instruction, const char *at)
{
    size_t length = 0;
    if (*at != '@')
        return at;
    const int predicate = read_predicate(at + 1, &instruction->guard_value, &length);
    instruction->predicated = predicate != 0 || !instruction->guard_value;
    instruction->guard = predicate > 0 ? (unsigned)predicate : 0;
    at += strcspn(at, " ");
    return at + strspn(at, " ");
}

/* A branch that also depends on an operand: "BRA P1, `(.L_x_4)", "BRA.DIV UR4, ...". */
static void read_condition(struct machine_instruction *instruction, const char *operands)
{
    bool value;
    size_t length;
    if (*operands == '`' || *operands == '\0' || *operands == ';')
        return;
    const int predicate = read_predicate(operands, &value, &length);
    if (predicate == 0 && value)
        return;
    instruction->guard = !instruction->predicated && predicate > 0 ? (unsigned)predicate : 0;
    instruction->guard_value = value;
    instruction->predicated = true;
}

static void read_sass_add_instruction(struct sass_reader *reader, const char *at, const char *end, unsigned long place)
{
    struct listing *listing = reader->listing;
    at += strspn(at, " {");
    while (end > at && (end[-1] == ' ' || end[-1] == ';' || end[-1] == '}'))
        end--;
    char *text = arena_copy_part(&listing->arena, at, (size_t)(end - at));
    struct machine_instruction instruction = {
        .text = text, .place = place, .next = MACHINE_NO_NEXT, .branch = MACHINE_NO_NEXT};
    memcpy(instruction.lines, reader->lines, sizeof instruction.lines);
    instruction.line_count = reader->line_count;
    const char *opcode = read_guard(&instruction, text);
    const size_t length = strcspn(opcode, " ");
    const char *operands = opcode + length + strspn(opcode + length, " ");
    const enum sass_flow flow = sass_opcode(opcode, length, &instruction);
    if (flow == SASS_BRANCH && strncmp(opcode, "BSYNC", 5) != 0)
        read_condition(&instruction, operands);
    if (flow == SASS_ON)
        instruction.writes = read_writes(opcode, operands);
    if (strncmp(text, NEVER, strlen(NEVER)) == 0)
        instruction.effect = MACHINE_NOTHING;
    LIST_ADD(listing->instructions, listing->count, listing->room) = instruction;
    ARENA_ADD(&listing->arena, reader->flows, reader->flow_count) = flow;
}

static enum status read_line(struct sass_reader *reader, const char *line, size_t length, unsigned number,
                             struct error *error)
{
    const char *at = line + strspn(line, " \t"), *end = line + length;
    if (strncmp(at, "//##", 4) == 0) {
        read_place(reader, at);
        return STATUS_OK;
    }
    reader->in_block = false;
    if (strncmp(at, "/*", 2) == 0) {
        char *after;
        const unsigned long place = strtoul(at + 2, &after, 16);
        if (after == at + 2 || strncmp(after, "*/", 2) != 0 || memchr(after, ';', (size_t)(end - after)) == NULL)
            return error_set(error, STATUS_SYNTAX, "line %u of the disassembly is not an instruction: %.*s", number,
                             (int)(length < 60 ? length : 60), line);
        read_sass_add_instruction(reader, after + 2, end, place);
    } else if (length > 1 && at == line && line[length - 1] == ':') {
        (void)listing_add_label(reader->listing, line, length - 1);
    }
    return STATUS_OK;
}

/* ---- control flow ---- */

/* The target in "`(.L_x_4)"; MACHINE_NO_NEXT if there is none. */
static long find_target(const struct listing *listing, const char *text)
{
    const char *at = strstr(text, "`(");
    return at ? listing_find_label(listing, at + 2, strcspn(at + 2, ")")) : MACHINE_NO_NEXT;
}

/* The targets of an indirect branch, (*"BRANCH_TARGETS .L_x_1,.L_x_2"*): adds an instruction for each, which jumps
 * there. */
static bool link_switch(struct listing *listing, size_t index)
{
    const char *at = strstr(listing->instructions[index].text, "BRANCH_TARGETS ");
    size_t from = index;
    if (!at)
        return false;
    for (at += strlen("BRANCH_TARGETS "); *at && *at != '"'; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ", \"");
        const long target = listing_find_label(listing, at, length);
        if (target == MACHINE_NO_NEXT)
            return false;
        listing->instructions[from].next = (long)listing->count;
        from = listing->count;
        LIST_ADD(listing->instructions, listing->count, listing->room) = (struct machine_instruction){
            .text = "", .place = listing->instructions[index].place, .next = MACHINE_NO_NEXT, .branch = target};
        at += length;
    }
    return true;
}

/* The end of a region that threads leave together: BSYNC continues at the target of the preceding BSSY, which is nearly
 * always the next instruction. */
static long find_meeting(const struct listing *listing, size_t index, const char *barrier)
{
    long nearest = MACHINE_NO_NEXT;
    for (size_t i = 0; i < index; i++) {
        const char *begins = strstr(listing->instructions[i].text, "BSSY");
        const char *own = begins ? strchr(begins, ' ') : NULL;
        if (!own || strncmp(own + 1, barrier, 2) != 0)
            continue;
        nearest = find_target(listing, own);
        if (nearest == (long)index + 1)
            return nearest;
    }
    return nearest;
}

static enum status link_instruction(struct sass_reader *reader, size_t index, struct error *error)
{
    struct machine_instruction *instruction = &reader->listing->instructions[index];
    const long next = index + 1 < reader->flow_count ? (long)index + 1 : MACHINE_NO_NEXT;
    const enum sass_flow flow = reader->flows[index];
    if (flow == SASS_ON || instruction->predicated)
        instruction->next = next;
    if (flow == SASS_BRANCH) {
        const char *barrier = strstr(instruction->text, "BSYNC ");
        instruction->branch = barrier ? find_meeting(reader->listing, index, barrier + strlen("BSYNC "))
                                      : find_target(reader->listing, instruction->text);
    }
    if ((flow == SASS_BRANCH && instruction->branch == MACHINE_NO_NEXT) ||
        (flow == SASS_SWITCH && !link_switch(reader->listing, index)))
        return error_set(error, STATUS_SYNTAX, "the target of '%s' at 0x%lx is not in the disassembly",
                         reader->listing->instructions[index].text, reader->listing->instructions[index].place);
    return STATUS_OK;
}

enum status listing_read_sass(const char *text, const struct listing *ptx, unsigned ptx_line, struct listing *listing,
                              struct error *error)
{
    enum status status = STATUS_OK;
    *listing = (struct listing){0};
    struct sass_reader reader = {.listing = listing, .ptx = ptx, .ptx_line = ptx_line};
    unsigned number = 1;
    for (const char *line = text; *line && status == STATUS_OK; number++) {
        const size_t length = strcspn(line, "\n");
        status = read_line(&reader, line, length, number, error);
        line += length + (line[length] == '\n');
    }
    for (size_t i = 0; i < reader.flow_count && status == STATUS_OK; i++)
        status = link_instruction(&reader, i, error);
    if (status == STATUS_OK && listing->count == 0)
        status = error_set(error, STATUS_SYNTAX, "the disassembly has no instruction");
    if (status == STATUS_OK)
        sass_trace_operands(listing);
    return status;
}
