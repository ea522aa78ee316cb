// SPDX-License-Identifier: Apache-2.0
/*
 * objdump's output for x86-64 code -> a listing of the function that runs a work-group of the kernel.
 *
 * The text has the line table (--dwarf=decodedline), then the instructions with the chains of inlined calls (-d -l
 * --inlines). Both are needed: an instruction that a compiler moved or merged has line 0 in the table, and would
 * otherwise seem to come from the last line printed.
 *
 * PoCL makes two functions from a kernel: _pocl_kernel_NAME and, with that inlined, _pocl_kernel_NAME_workgroup, which
 * is the one that runs. Up to PoCL 3.1 the second has no lines; they are then taken from the first.
 */
#include "inspect/x86/read_x86.h"

#include <ctype.h>

#include "base/tool.h"
#include "inspect/listing.h"
#include "inspect/needs.h"
#include "inspect/x86/x86_effect.h"

struct x86_frame {
    const char *file;
    unsigned line;
};

/* What may run after an instruction, before addresses have become indexes. */
struct x86_flow {
    bool falls, jumps;
    long target; /* address, or X86_NO_TARGET */
};

struct x86_function {
    const char *name;
    struct machine_instruction *instructions;
    struct x86_flow *flows; /* one for each */
    size_t count, flow_count;
    unsigned long *taken; /* addresses of constants that it takes */
    size_t taken_count;
};

/* The bytes of .rodata, as objdump -s prints them. */
struct x86_constants {
    unsigned long address;
    unsigned char *bytes; /* the arena's */
    size_t count;
};

/* ---- machine code ---- */

enum { SECONDS = 20, MAXIMUM_BYTES = 32 << 20 };

enum status disassemble_x86(const struct text *object, struct text *text, struct error *error)
{
    struct memory_file file;
    TRY(memory_file_make(object->data, object->size, &file, error));
    const char *const arguments[] = {
        "objdump", "-d",      "-l", "--inlines", "--no-show-raw-insn", "-M", "intel", "--dwarf=decodedline",
        "-s",      file.path, NULL};
    const enum status status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, text, error);
    memory_file_close(&file);
    return status;
}

/* ---- functions, and lines for a function without ---- */

/* Takes lines for a function from its twin. Instructions match if they are the same except for registers, places on the
 * stack and jump targets. The longest common subsequence of both functions is matched first, where an access of shared
 * memory counts as much as ACCESS_WEIGHT other instructions; then moved blocks, run by run, then single accesses
 * between two matches. */

enum { MAXIMUM_CELLS = 1 << 26, MAXIMUM_COUNT = 8000, ACCESS_WEIGHT = 8, LEAST_RUN = 3 };

/* One function in the matching: its instructions without padding, as hashes of their normalised text. */
struct twin_side {
    const struct x86_function *function;
    uint32_t *keys;
    size_t *index;   /* in the function */
    size_t *partner; /* position on the other side, or SIZE_MAX */
    size_t count;
};

static bool read_x86_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A register's class, the same for all registers of a width: "r" and the letter of the width. */
static const char *register_class(const char *word, size_t length)
{
    static const char *const low[] = {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl", "ah", "bh", "ch", "dh"};
    static const char *const words[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
    for (size_t i = 0; i < sizeof low / sizeof *low; i++)
        if (strlen(low[i]) == length && strncmp(word, low[i], length) == 0)
            return "r8";
    if (word[0] == 'r' && length > 1 && isdigit((unsigned char)word[1]))
        return word[length - 1] == 'd'   ? "r32"
               : word[length - 1] == 'w' ? "r16"
               : word[length - 1] == 'b' ? "r8"
                                         : "r64";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (length == 2 && strncmp(word, words[i], 2) == 0)
            return "r16";
        if (length == 3 && strncmp(word + 1, words[i], 2) == 0 && (word[0] == 'e' || word[0] == 'r'))
            return word[0] == 'e' ? "r32" : "r64";
    }
    if (length > 3 && length < 6 && strchr("xyz", word[0]) && word[1] == 'm' && word[2] == 'm')
        return word[0] == 'x' ? "xmm" : word[0] == 'y' ? "ymm" : "zmm";
    return NULL;
}

/* Whether it is an address on the stack or of a constant, whose number is meaningless. */
static bool is_hidden(const char *address, const struct x86_stack *stack)
{
    const size_t length = strcspn(address, "]");
    const char *const registers[] = {"rsp", "rbp", "rip", stack->rbx ? "rbx" : "rsp"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        const char *found = strstr(address, registers[i]);
        if (found && found < address + length)
            return true;
    }
    return false;
}

static uint32_t hash_byte(uint32_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * 16777619u;
}

/* FNV-1a of the normalised text. */
static uint32_t read_x86_key_of(const char *text, const struct x86_stack *stack)
{
    uint32_t hash = 2166136261u;
    const bool jumps = text[0] == 'j';
    for (const char *c = text; *c;) {
        if (jumps && *c == ' ')
            break;
        if (*c == '[' && is_hidden(c, stack)) {
            hash = hash_byte(hash, 'S');
            c += strcspn(c, "]");
            continue;
        }
        if (strncmp(c, "+0x0]", 5) == 0) { /* written only for rbp and r13 */
            c += 4;
            continue;
        }
        size_t length = 0;
        while (read_x86_is_name(c[length]))
            length++;
        const char *class = length > 0 ? register_class(c, length) : NULL;
        for (const char *d = class; d && *d; d++)
            hash = hash_byte(hash, *d);
        for (size_t i = 0; !class && i < (length > 0 ? length : 1); i++)
            hash = hash_byte(hash, c[i]);
        c += length > 0 ? length : 1;
    }
    return hash;
}

static struct twin_side side_of(const struct x86_function *function)
{
    struct twin_side side = {
        .function = function,
        .keys = memory_take(function->count, sizeof *side.keys),
        .index = memory_take(function->count, sizeof *side.index),
        .partner = memory_take(function->count, sizeof *side.partner),
    };
    struct x86_stack stack = {0};
    for (size_t i = 0; i < function->count; i++) {
        const char *text = function->instructions[i].text;
        if (x86_is_padding(text))
            continue;
        side.keys[side.count] = read_x86_key_of(text, &stack);
        x86_note_stack(text, &stack);
        side.index[side.count] = i;
        side.partner[side.count++] = SIZE_MAX;
    }
    return side;
}

static void side_release(struct twin_side *side)
{
    free(side->keys);
    free(side->index);
    free(side->partner);
}

static void match(struct twin_side *left, struct twin_side *right, size_t i, size_t k)
{
    left->partner[i] = k;
    right->partner[k] = i;
}

static uint16_t read_x86_weight_of(const struct twin_side *side, size_t i)
{
    return side->function->instructions[side->index[i]].effect == MACHINE_NOTHING ? 1 : ACCESS_WEIGHT;
}

/* Matches the heaviest common subsequence; does nothing if the table would be too large. */
static void match_subsequence(struct twin_side *left, struct twin_side *right)
{
    const size_t width = right->count + 1;
    if (left->count > MAXIMUM_COUNT || right->count > MAXIMUM_COUNT || (left->count + 1) * width > MAXIMUM_CELLS)
        return;
    uint16_t *heaviest = memory_take((left->count + 1) * width, sizeof *heaviest);
    for (size_t i = left->count; i-- > 0;)
        for (size_t k = right->count; k-- > 0;) {
            const uint16_t below = heaviest[(i + 1) * width + k], beside = heaviest[i * width + k + 1];
            const uint16_t both = heaviest[(i + 1) * width + k + 1];
            heaviest[i * width + k] = left->keys[i] == right->keys[k] ? (uint16_t)(both + read_x86_weight_of(left, i))
                                      : below > beside                ? below
                                                                      : beside;
        }
    for (size_t i = 0, k = 0; i < left->count && k < right->count;) {
        if (left->keys[i] == right->keys[k])
            match(left, right, i++, k++);
        else if (heaviest[(i + 1) * width + k] >= heaviest[i * width + k + 1])
            i++;
        else
            k++;
    }
    free(heaviest);
}

/* The number of instructions from there on that match and are not yet taken. */
static size_t run_length(const struct twin_side *left, const struct twin_side *right, size_t i, size_t k)
{
    size_t length = 0;
    while (i + length < left->count && k + length < right->count && left->partner[i + length] == SIZE_MAX &&
           right->partner[k + length] == SIZE_MAX && left->keys[i + length] == right->keys[k + length])
        length++;
    return length;
}

/* Matches moved blocks: each unmatched instruction takes the longest run that it starts. */
static void match_moved(struct twin_side *left, struct twin_side *right)
{
    for (size_t i = 0; i < left->count; i++) {
        size_t best = 0, at = 0;
        for (size_t k = 0; left->partner[i] == SIZE_MAX && k < right->count; k++) {
            const size_t length = run_length(left, right, i, k);
            if (length > best) {
                best = length;
                at = k;
            }
        }
        for (size_t n = 0; best >= LEAST_RUN && n < best; n++)
            match(left, right, i + n, at + n);
    }
}

/* The places of the nearest matched instructions and of their partners. */
struct gap {
    size_t from, to, partner_from, partner_to;
};

static bool find_gap(const struct twin_side *side, size_t i, struct gap *gap)
{
    for (gap->from = i; gap->from > 0 && side->partner[gap->from] == SIZE_MAX;)
        gap->from--;
    for (gap->to = i; gap->to + 1 < side->count && side->partner[gap->to] == SIZE_MAX;)
        gap->to++;
    gap->partner_from = side->partner[gap->from];
    gap->partner_to = side->partner[gap->to];
    return gap->partner_from != SIZE_MAX && gap->partner_to != SIZE_MAX && gap->partner_from < gap->partner_to;
}

/* The number of unmatched accesses and fences with that key between two places; *first: the first of them. */
static size_t count_between(const struct twin_side *side, size_t from, size_t to, uint32_t key, size_t *first)
{
    size_t count = 0;
    for (size_t i = to; i-- > from;) {
        if (side->partner[i] != SIZE_MAX || side->keys[i] != key ||
            side->function->instructions[side->index[i]].effect == MACHINE_NOTHING)
            continue;
        count++;
        *first = i;
    }
    return count;
}

/* Matches scattered accesses and fences in order, if both functions have equally many with the same key between two
 * matches. */
static void match_scattered(struct twin_side *left, struct twin_side *right)
{
    for (size_t i = 0; i < left->count; i++) {
        struct gap gap;
        size_t first = i, k = 0;
        if (left->partner[i] != SIZE_MAX || !find_gap(left, i, &gap))
            continue;
        const size_t count = count_between(left, gap.from, gap.to, left->keys[i], &first);
        if (count > 0 && first == i &&
            count == count_between(right, gap.partner_from, gap.partner_to, left->keys[i], &k))
            match(left, right, i, k);
    }
}

static void copy_lines(struct machine_instruction *to, const struct machine_instruction *from)
{
    memcpy(to->lines, from->lines, sizeof to->lines);
    to->line_count = from->line_count;
}

/* Gives a function's instructions the lines of its twin's: a function that the compiler made from the same code, with
 * other registers and other padding. Instructions are matched in order, and moved blocks as a whole. Adds the accesses
 * and fences of the twin that have no counterpart to listing->lost. */
static void x86_take_lines(struct x86_function *function, const struct x86_function *twin, struct listing *listing)
{
    struct twin_side left = side_of(twin), right = side_of(function);
    match_subsequence(&left, &right);
    match_moved(&left, &right);
    match_scattered(&left, &right);
    for (size_t i = 0; i < left.count; i++) {
        const struct machine_instruction *from = &twin->instructions[left.index[i]];
        if (left.partner[i] != SIZE_MAX)
            copy_lines(&function->instructions[right.index[left.partner[i]]], from);
        else if (from->effect != MACHINE_NOTHING && from->line_count > 0)
            ARENA_ADD(&listing->arena, listing->lost, listing->lost_count) = *from;
    }
    side_release(&left);
    side_release(&right);
}

/* ---- targets of jumps through tables ---- */

enum { MAXIMUM_TARGETS = 256 };

struct targets {
    unsigned long places[MAXIMUM_TARGETS];
    size_t count;
};

static bool read_byte(const char *text, unsigned char *byte)
{
    if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
        return false;
    const char digits[3] = {text[0], text[1], '\0'};
    *byte = (unsigned char)strtoul(digits, NULL, 16);
    return true;
}

/* Reads a line " ADDRESS GROUP GROUP GROUP GROUP  TEXT". */
static void x86_read_constants(struct arena *arena, const char *line, struct x86_constants *constants)
{
    char *text;
    unsigned char byte;
    const unsigned long address = strtoul(line, &text, 16);
    if (line[0] != ' ' || text == line)
        return;
    if (constants->count == 0)
        constants->address = address;
    if (address != constants->address + constants->count)
        return; /* a gap: entries after it are ignored */
    while (text[0] == ' ' && isxdigit((unsigned char)text[1]))
        for (text++; read_byte(text, &byte); text += 2)
            ARENA_ADD(arena, constants->bytes, constants->count) = byte;
}

static bool is_place(const struct x86_function *function, unsigned long place)
{
    for (size_t i = 0; i < function->count; i++)
        if (function->instructions[i].place == place)
            return true;
    return false;
}

static bool has_target(const struct targets *targets, unsigned long place)
{
    for (size_t i = 0; i < targets->count; i++)
        if (targets->places[i] == place)
            return true;
    return false;
}

static void read_x86_add_table(const struct x86_constants *constants, const struct x86_function *function,
                               unsigned long table, struct targets *targets)
{
    for (size_t at = table - constants->address; table >= constants->address && at + 4 <= constants->count; at += 4) {
        const unsigned char *bytes = constants->bytes + at;
        const uint32_t distance =
            (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        const unsigned long place = table + (unsigned long)(int32_t)distance;
        if (!is_place(function, place))
            return;
        if (!has_target(targets, place) && targets->count < MAXIMUM_TARGETS)
            targets->places[targets->count++] = place;
    }
}

/* Lets each jump without a target in the text go to every entry of the function's tables, with an extra instruction for
 * each at the jump's place. Tables have the form of position-independent code: at an address that the function takes,
 * distances of 4 bytes each from there, up to the first that does not lead to an instruction of the function. Without a
 * table, jumps remain as they are. */
static void x86_open_tables(struct arena *arena, const struct x86_constants *constants, struct x86_function *function)
{
    struct x86_function opened = {.name = function->name};
    struct targets targets = {.count = 0};
    for (size_t i = 0; i < function->taken_count; i++)
        read_x86_add_table(constants, function, function->taken[i], &targets);
    if (targets.count == 0 || targets.count == MAXIMUM_TARGETS)
        return;
    for (size_t i = 0; i < function->count; i++) {
        struct x86_flow flow = function->flows[i];
        const bool opens = flow.jumps && flow.target == X86_NO_TARGET;
        flow.jumps = flow.jumps && !opens;
        ARENA_ADD(arena, opened.flows, opened.flow_count) = flow;
        ARENA_ADD(arena, opened.instructions, opened.count) = function->instructions[i];
        for (size_t t = 0; opens && t < targets.count; t++) {
            ARENA_ADD(arena, opened.flows, opened.flow_count) = (struct x86_flow){false, true, (long)targets.places[t]};
            ARENA_ADD(arena, opened.instructions, opened.count) = function->instructions[i];
        }
    }
    *function = opened;
}

/* ---- the listing ---- */

struct x86_row {
    unsigned long address;
    unsigned line;    /* 0: the compiler does not say */
    const char *file; /* last part of its path; NULL: the end of a compilation's code */
};

struct x86_reader {
    struct arena arena; /* for what the listing need not keep */
    struct listing *listing;
    struct x86_row *rows;
    size_t row_count;
    struct x86_function *functions;
    size_t function_count;
    struct x86_frame frames[MACHINE_MAXIMUM_LINES]; /* of the next instruction; the first is from the line table */
    unsigned frame_count;
    struct x86_constants constants;
    bool in_constants; /* in the dump of .rodata */
    bool code;         /* the part with the instructions has begun */
    struct x86_stack stack;
    unsigned number; /* of the current line */
    struct error *error;
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "NAME  LINE  0xADDRESS ...", where LINE is "-" at an end. */
static void read_row(struct x86_reader *reader, char *line)
{
    char *rest, *name = strtok_r(line, " \t", &rest), *number = strtok_r(NULL, " \t", &rest);
    const char *address = strtok_r(NULL, " \t", &rest);
    if (!name || !number || !address || strncmp(address, "0x", 2) != 0)
        return;
    ARENA_ADD(&reader->arena, reader->rows, reader->row_count) = (struct x86_row){
        .address = strtoul(address, NULL, 16),
        .line = (unsigned)strtoul(number, NULL, 10),
        .file = number[0] == '-' ? NULL : arena_copy(&reader->arena, last_part(name)),
    };
}

static int by_address(const void *left, const void *right)
{
    const struct x86_row *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (b->file == NULL) - (a->file == NULL); /* an end sorts before a start */
}

/* The row of an address: the last that is not after it; or NULL. */
static const struct x86_row *row_of(const struct x86_reader *reader, unsigned long address)
{
    size_t low = 0, high = reader->row_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (reader->rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && reader->rows[low - 1].file ? &reader->rows[low - 1] : NULL;
}

/* "inlined by FILE:LINE (FUNCTION)" */
static void read_frame(struct x86_reader *reader, char *text)
{
    char *end = strrchr(text, '(');
    if (end)
        *end = '\0';
    char *colon = strrchr(text, ':');
    if (!colon || reader->frame_count == MACHINE_MAXIMUM_LINES - 1)
        return;
    *colon = '\0';
    reader->frames[++reader->frame_count] =
        (struct x86_frame){arena_copy(&reader->arena, last_part(text)), (unsigned)strtoul(colon + 1, NULL, 10)};
}

/* Gives the instruction its lines in the function's own file. */
static void set_lines(struct x86_reader *reader, struct machine_instruction *instruction)
{
    const struct x86_row *row = row_of(reader, instruction->place);
    reader->frames[0] = row ? (struct x86_frame){row->file, row->line} : (struct x86_frame){0};
    const char *file = reader->frames[reader->frame_count].file;
    for (unsigned i = 0; file && i <= reader->frame_count; i++)
        if (reader->frames[i].line > 0 && reader->frames[i].file && strcmp(reader->frames[i].file, file) == 0)
            instruction->lines[instruction->line_count++] = reader->frames[i].line;
    reader->frame_count = 0;
}

static void read_x86_add(struct x86_reader *reader, const struct machine_instruction *instruction,
                         const struct x86_effect *effect)
{
    struct x86_function *function = &reader->functions[reader->function_count - 1];
    ARENA_ADD(&reader->arena, function->flows, function->flow_count) =
        (struct x86_flow){effect->falls, effect->jumps, effect->target};
    ARENA_ADD(&reader->arena, function->instructions, function->count) = *instruction;
}

/* "  ADDRESS:\tTEXT" */
static enum status read_instruction(struct x86_reader *reader, char *line)
{
    char *text, *comment = strstr(line, " # ");
    struct x86_effect effect;
    struct machine_instruction instruction = {.place = strtoul(line, &text, 16), .next = MACHINE_NO_NEXT};
    if (comment) {
        struct x86_function *function = &reader->functions[reader->function_count - 1];
        ARENA_ADD(&reader->arena, function->taken, function->taken_count) = strtoul(comment + 3, NULL, 16);
        *comment = '\0';
    }
    text += 1 + strspn(text + 1, " \t");
    for (size_t size = strlen(text); size > 0 && text[size - 1] == ' '; size--)
        text[size - 1] = '\0';
    set_lines(reader, &instruction);
    instruction.text = arena_copy(&reader->listing->arena, text);
    TRY(x86_effect_read(text, &reader->stack, &effect, reader->error));
    x86_note_stack(text, &reader->stack);
    instruction.branch = MACHINE_NO_NEXT;
    instruction.effect = effect.effect;
    instruction.bytes = effect.bytes;
    instruction.lanes = effect.lanes;
    instruction.folds = effect.folds;
    instruction.order = effect.order;
    instruction.scope = effect.order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE : LITMUS_ALL_DEVICES;
    instruction.predicated = effect.predicated;
    read_x86_add(reader, &instruction, &effect);
    if (effect.also_stores) {
        instruction.effect = MACHINE_STORE;
        instruction.order = LITMUS_RELEASE;
        read_x86_add(reader, &instruction, &effect);
    }
    return STATUS_OK;
}

/* "ADDRESS <NAME>:" */
static void start_function(struct x86_reader *reader, const char *name, size_t length)
{
    ARENA_ADD(&reader->arena, reader->functions, reader->function_count) =
        (struct x86_function){.name = arena_copy_part(&reader->arena, name, length)};
    reader->stack = (struct x86_stack){0};
    reader->frame_count = 0;
}

static enum status read_x86_read_line(struct x86_reader *reader, char *line)
{
    static const char inlined[] = "inlined by ";
    const size_t length = strlen(line), indent = strspn(line, " "), digits = strspn(line + indent, "0123456789abcdef");
    if (strncmp(line, "Disassembly of section", 22) == 0)
        reader->code = true;
    else if (strncmp(line, "Contents of ", 12) == 0)
        reader->in_constants = strcmp(line, "Contents of section .rodata:") == 0;
    else if (reader->in_constants && !reader->code)
        x86_read_constants(&reader->arena, line, &reader->constants);
    else if (!reader->code)
        read_row(reader, line);
    else if (strncmp(line, inlined, strlen(inlined)) == 0)
        read_frame(reader, line + strlen(inlined));
    else if (indent == 0 && digits > 0 && strncmp(line + digits, " <", 2) == 0 && line[length - 1] == ':')
        start_function(reader, line + digits + 2, length - digits - 4);
    else if (indent > 0 && digits > 0 && line[indent + digits] == ':' && reader->function_count > 0)
        return read_instruction(reader, line);
    return STATUS_OK;
}

static enum status read_x86_read_lines(struct x86_reader *reader, const char *text)
{
    enum status status = STATUS_OK;
    while (*text && status == STATUS_OK) {
        const size_t length = strcspn(text, "\n");
        if (text[length] != '\n')
            return error_set(reader->error, STATUS_SYNTAX, "line %u of the disassembly is truncated",
                             reader->number + 1);
        char *line = memory_copy_part(text, length);
        if (!reader->code && reader->row_count > 0 && strncmp(line, "Disassembly", 11) == 0)
            qsort(reader->rows, reader->row_count, sizeof *reader->rows, by_address);
        reader->number++;
        status = read_x86_read_line(reader, line);
        free(line);
        text += length + 1;
    }
    return status;
}

static struct x86_function *find_function(const struct x86_reader *reader, const char *name, size_t length)
{
    for (size_t i = 0; i < reader->function_count; i++)
        if (strlen(reader->functions[i].name) == length && strncmp(reader->functions[i].name, name, length) == 0)
            return &reader->functions[i];
    return NULL;
}

/* Finds the function that the driver calls for a work-group. */
static struct x86_function *find_launcher(const struct x86_reader *reader)
{
    static const char suffix[] = "_workgroup";
    for (size_t i = 0; i < reader->function_count; i++) {
        const size_t length = strlen(reader->functions[i].name);
        if (length > strlen(suffix) && strcmp(reader->functions[i].name + length - strlen(suffix), suffix) == 0)
            return &reader->functions[i];
    }
    return NULL;
}

static bool has_lines(const struct x86_function *function)
{
    for (size_t i = 0; i < function->count; i++)
        if (function->instructions[i].line_count > 0)
            return true;
    return false;
}

/* Finds the index of the first instruction at the target address. SYNTAX if it is outside the function. */
static enum status find_address(const struct x86_function *function, const struct machine_instruction *from,
                                long address, long *index, struct error *error)
{
    for (size_t i = 0; address >= 0 && i < function->count; i++)
        if (function->instructions[i].place == (unsigned long)address) {
            *index = (long)i;
            return STATUS_OK;
        }
    return error_set(error, STATUS_SYNTAX, "the target of '%s' in %s is unknown: it is not a place in the function",
                     from->text, function->name);
}

static enum status link_flow(struct x86_function *function, struct error *error)
{
    size_t last = function->count;
    while (last > 0 && x86_is_padding(function->instructions[last - 1].text))
        last--;
    for (size_t i = 0; i < function->count; i++) {
        struct machine_instruction *instruction = &function->instructions[i];
        const bool twofold = i + 1 < function->count && instruction[1].place == instruction->place;
        if (twofold || function->flows[i].falls)
            instruction->next = i + 1 < last ? (long)i + 1 : MACHINE_NO_NEXT;
        if (function->flows[i].falls && i + 1 == last)
            return error_set(error, STATUS_SYNTAX, "the code of %s continues after its end, at '%s'", function->name,
                             instruction->text);
        if (function->flows[i].jumps)
            TRY(find_address(function, instruction, function->flows[i].target, &instruction->branch, error));
    }
    return STATUS_OK;
}

static enum status choose_function(struct x86_reader *reader, struct error *error)
{
    struct listing *listing = reader->listing;
    struct x86_function *launcher = find_launcher(reader);
    if (!launcher)
        return error_set(error, STATUS_SYNTAX, "the code has no function that runs a work-group");
    x86_open_tables(&reader->arena, &reader->constants, launcher);
    TRY(link_flow(launcher, error));
    if (!has_lines(launcher)) {
        const struct x86_function *twin =
            find_function(reader, launcher->name, strlen(launcher->name) - strlen("_workgroup"));
        if (!twin || !has_lines(twin))
            return error_set(error, STATUS_SYNTAX, "the code has no line information");
        x86_take_lines(launcher, twin, listing);
    }
    for (size_t i = 0; i < launcher->count; i++)
        LIST_ADD(listing->instructions, listing->count, listing->room) = launcher->instructions[i];
    return STATUS_OK;
}

enum status listing_read_x86(const char *text, struct listing *listing, struct error *error)
{
    *listing = (struct listing){.architecture = "x86-64"};
    struct x86_reader reader = {.listing = listing, .error = error};
    enum status status = read_x86_read_lines(&reader, text);
    if (status == STATUS_OK)
        status = choose_function(&reader, error);
    arena_release(&reader.arena);
    return status;
}

/* ---- lines of accesses ---- */

/*
 * Corrects lines of accesses with knowledge of the kernel.
 *
 * A compiler turns `r = x; x = r + 1` into one `inc DWORD PTR [x]`, whose only line is the store's. On one processor
 * that is the load, the addition and the store, in this order, with nothing else of the thread in between (Intel SDM
 * volume 3A, 9.1.2: only with lock is it one access to other processors). So the load belongs to the test's nearest
 * load of the location before the store.
 *
 * The line table has no row for an instruction that a compiler has moved away from its line: it seems to have the line
 * of the instruction before it. Loads of the launch's arguments (the draw) are moved out of loops in this way. They are
 * recognised by their address, a constant distance from a register. Locations of a test do not have such addresses: the
 * distances of locations, and of an array's elements, are multiples of the draw's stride, which compilers do not know.
 */

static const struct litmus_access *read_x86_access_of(const struct kernel_step *step, bool stores)
{
    const enum litmus_operation operation = stores ? LITMUS_STORE : LITMUS_LOAD;
    return step->access && step->access->operation == operation && step->access->address &&
                   step->access->address->kind == LITMUS_EXPRESSION_ADDRESS
               ? step->access
               : NULL;
}

/* The step whose store is on that line of the compiled text, or NULL. */
static const struct kernel_step *find_store(const struct inspect_subject *subject, unsigned line)
{
    for (size_t i = 0; i < subject->kernel->step_count; i++) {
        const struct kernel_step *step = &subject->kernel->steps[i];
        if (subject->first_line + step->line - 1 == line && read_x86_access_of(step, true))
            return step;
    }
    return NULL;
}

static bool is_load_of(const struct kernel_step *step, const struct kernel_step *store)
{
    const struct litmus_access *load = read_x86_access_of(step, false);
    return load && step->body == store->body && load->address->index == store->access->address->index;
}

/* The load that a store's value may come from: a load of its location in the store's own statement, or else the last
 * before it. */
static const struct kernel_step *find_load(const struct inspect_subject *subject, const struct kernel_step *store)
{
    const struct kernel *kernel = subject->kernel;
    for (const struct kernel_step *step = store + 1; step < kernel->steps + kernel->step_count; step++)
        if (is_load_of(step, store) && step->place.line == store->place.line)
            return step; /* an operand, whose line is after the line of its call */
    for (const struct kernel_step *step = store; step-- > kernel->steps;)
        if (is_load_of(step, store))
            return step;
    return NULL;
}

static void place_folded_load(const struct inspect_subject *subject, struct machine_instruction *load)
{
    for (unsigned l = 0; l < load->line_count; l++) {
        const struct kernel_step *store = find_store(subject, load->lines[l]);
        const struct kernel_step *from = store ? find_load(subject, store) : NULL;
        if (from)
            load->lines[l] = subject->first_line + from->line - 1;
    }
}

/* Whether the address is a register plus a constant other than 0: "[r10+0x70]". */
static bool is_at_distance(const char *text)
{
    const char *start = strchr(text, '[');
    const size_t length = start ? strcspn(start + 1, "+-]*") : 0;
    return length > 0 && (strncmp(start + 1 + length, "+0x", 3) == 0 || strncmp(start + 1 + length, "-0x", 3) == 0) &&
           strncmp(start + 1 + length, "+0x0]", 5) != 0;
}

/* Whether it is in a helper of the threads, where their accesses are. */
static bool is_in_helper(const struct inspect_subject *subject, const struct machine_instruction *instruction)
{
    const unsigned start = subject->first_line + subject->kernel->helpers_line - 1;
    const unsigned end = subject->first_line + subject->kernel->functions_line - 1;
    for (unsigned i = 0; i < instruction->line_count; i++)
        if (instruction->lines[i] >= start && instruction->lines[i] < end)
            return true;
    return false;
}

void x86_place(const struct inspect_subject *subject, struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        struct machine_instruction *load = &listing->instructions[i];
        if (load->effect != MACHINE_LOAD)
            continue;
        if (i + 1 < listing->count && load[1].effect == MACHINE_STORE && load[1].place == load->place)
            place_folded_load(subject, load);
        else if (is_in_helper(subject, load) && is_at_distance(load->text))
            load->line_count = 0;
    }
}
