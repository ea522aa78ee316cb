// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the instructions that wrote a register, on all paths back from one that uses it; and its
 * value, if all of them write the same constant or copy a register for which this holds.
 *
 * ptxas 13.0 gives UBLKCP and UBLKRED their size, in units of 16 bytes, in a uniform register: "UMOV UR6, 0x1".
 * In a multicast it is the low half, and the mask the high one: "UPRMT UR6, UR6, 0x5410, UR7".
 */
#include "inspect/sass/sass_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
    at += strcspn(at, ",");
    return *at ? at + 1 + strspn(at + 1, " ") : at;
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

/* Whether the instruction writes the register. A predicate may come before the register. 64-bit and
 * wide results take two registers, 128-bit results four. */
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

static void take_value(struct tracer *tracer, unsigned long value)
{
    tracer->known &= !tracer->any || tracer->value == value;
    tracer->any = true;
    tracer->value = value;
}

/* Takes the value that an instruction writes to the register. */
static void take_writer(struct tracer *tracer, size_t at)
{
    static const char *const copies[] = {"MOV ", "UMOV ", "R2UR", "IMAD.MOV.U32 ", "IMAD.U32 "};
    const char *opcode, *operand = first_operand(&tracer->listing->instructions[at], &opcode);
    struct register_name name;
    bool is_copy = false;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        is_copy |= strncmp(opcode, copies[i], strlen(copies[i])) == 0;
    const bool multiplies = strncmp(opcode, "IMAD", 4) == 0;
    if (multiplies && strncmp(next_operand(operand), "RZ, RZ, ", 8) != 0)
        is_copy = false;
    const char *const joined = next_operand(operand);
    const bool joins = strncmp(opcode, "UPRMT ", 6) == 0 || strncmp(opcode, "PRMT ", 5) == 0;
    is_copy |= joins && strncmp(next_operand(joined), "0x5410, ", 8) == 0;
    operand = joins ? joined : last_operand(&tracer->listing->instructions[at]);
    if (is_copy && strncmp(operand, "0x", 2) == 0)
        take_value(tracer, strtoul(operand, NULL, 16));
    else if (is_copy && read_register(operand, &name) && tracer->depth < MAXIMUM_COPIES)
        trace(tracer, at, &name);
    else
        tracer->known = false;
}

/* Told of an instruction on a path back; whether the path goes on beyond it. */
typedef bool walk_step(struct tracer *tracer, size_t at, const void *wanted);

/* Follows all paths back from an instruction, excluding itself, while the tracer knows. A path that
 * reaches the start of the function makes it not know. */
static void walk_back(struct tracer *tracer, size_t at, walk_step *step, const void *wanted)
{
    const size_t count = tracer->listing->count;
    bool *seen = memory_take(count, sizeof *seen);
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
    free(seen);
}

static bool trace_register(struct tracer *tracer, size_t at, const void *wanted)
{
    const struct machine_instruction *instruction = &tracer->listing->instructions[at];
    const bool writes = writes_register(instruction, wanted);
    if (writes && tracer->depth == 1)
        tracer->writer = tracer->writers++ == 0 ? (long)at : MACHINE_NO_NEXT;
    if (writes && tracer->wants_value)
        take_writer(tracer, at);
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

static void build(struct tracer *tracer)
{
    const size_t count = tracer->listing->count;
    tracer->first = memory_take(count + 2, sizeof *tracer->first);
    link_back(tracer->listing, tracer->first, NULL);
    for (size_t i = 0; i < count; i++)
        tracer->first[i + 1] += tracer->first[i];
    tracer->before = memory_take(tracer->first[count] + 1, sizeof *tracer->before);
    link_back(tracer->listing, tracer->first, tracer->before);
    for (size_t i = count; i > 0; i--) /* the second walk has moved each to the start of the next */
        tracer->first[i] = tracer->first[i - 1];
    tracer->first[0] = 0;
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

/* The predicate of the vote that gave a uniform predicate its value, if all paths back to an
 * instruction come from votes by one predicate, which is not written since; else 0. */
static unsigned trace_vote(struct tracer *tracer, size_t at, unsigned uniform)
{
    tracer->known = true;
    tracer->written = 0;
    tracer->vote = 0;
    walk_back(tracer, at, trace_predicate, &uniform);
    const bool same = tracer->known && tracer->vote != 0 && !(tracer->written & UINT64_C(1) << (tracer->vote - 1));
    return same ? tracer->vote : 0;
}

/* The coordinates of a texture access, after its two results, or of a surface access, in
 * brackets. */
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

/* ptxas 13.0 gives no line for texture and surface accesses; they seem to have the preceding
 * instruction's. The code that computed the place has the step's line or the next one
 * (kernel/access.c). */
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

/* Copies are started by one item of a sub-group after another, under a uniform predicate that is true if any item
 * copies: so an item's own copy depends on its own predicate. */
static void read_vote(struct tracer *tracer, struct machine_instruction *instruction, size_t at)
{
    const unsigned own = trace_vote(tracer, at, instruction->guard);
    if (own != 0 && instruction->guard_value)
        instruction->guard = own;
}

void sass_trace_operands(struct listing *listing)
{
    struct tracer tracer = {.listing = listing};
    for (size_t i = 0; i < listing->count; i++) {
        struct machine_instruction *instruction = &listing->instructions[i];
        const bool placed = listing_is_placed(instruction);
        const bool votes = instruction->effect == MACHINE_ASYNC && instruction->guard > FIRST_UNIFORM;
        if (!instruction->unread && !placed && !votes)
            continue;
        if (!tracer.first)
            build(&tracer);
        if (placed)
            read_lines(&tracer, instruction, i);
        else if (instruction->unread)
            read_size(&tracer, instruction, i);
        if (votes)
            read_vote(&tracer, instruction, i);
    }
    free(tracer.first);
    free(tracer.before);
}
