// SPDX-License-Identifier: Apache-2.0
/*
 * objdump's output for x86-64 code -> a listing of the function that runs a work-group of the
 * kernel.
 *
 * The text has the line table (--dwarf=decodedline), then the instructions with the chains of
 * inlined calls (-d -l --inlines). Both are needed: an instruction that a compiler moved or merged
 * has line 0 in the table, and would otherwise seem to come from the last line printed.
 *
 * PoCL makes two functions from a kernel: _pocl_kernel_NAME and, with that inlined,
 * _pocl_kernel_NAME_workgroup, which is the one that runs. Up to PoCL 3.1 the second has no lines;
 * x86_twin.c takes them from the first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "inspect/x86/x86_effect.h"
#include "inspect/x86/x86_tables.h"
#include "inspect/x86/x86_twin.h"

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

static void add(struct x86_reader *reader, const struct machine_instruction *instruction,
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
    add(reader, &instruction, &effect);
    if (effect.also_stores) {
        instruction.effect = MACHINE_STORE;
        instruction.order = LITMUS_RELEASE;
        add(reader, &instruction, &effect);
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

static enum status read_line(struct x86_reader *reader, char *line)
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

static enum status read_lines(struct x86_reader *reader, const char *text)
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
        status = read_line(reader, line);
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

/* Finds the index of the first instruction at the target address. SYNTAX if it is outside the
 * function. */
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
    enum status status = read_lines(&reader, text);
    if (status == STATUS_OK)
        status = choose_function(&reader, error);
    arena_release(&reader.arena);
    return status;
}
