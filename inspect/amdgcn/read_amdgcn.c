// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the assembly of an AMD GPU that `clang -S` prints. A directive such as
 *
 *   .loc  0 1114 9        ; kernel:1114:9
 *
 * gives the place of the instructions after it: number of a file, line, column. `.file` directives name the files; only
 * lines of the kernel's own text count. The helpers of the threads are compiled without line information, so that what
 * is inlined from them has the line of the call. The kernel's function is `orchil`. The metadata after it says how its
 * waves are placed.
 */
#include "inspect/amdgcn/amdgcn_opcode.h"
#include "inspect/readers.h"

enum { NO_FILE = -1 };

struct amdgcn_reader {
    struct listing *listing;
    const struct amdgcn_generation *generation;
    struct arena arena;
    enum amdgcn_flow *flows; /* of each instruction */
    size_t flow_count;
    long kernel_file;  /* number of the kernel's text among the files; or NO_FILE */
    unsigned line;     /* of the next instruction, in the kernel's text; 0: not there */
    unsigned number;   /* of the current line of the assembly */
    bool in_function;  /* between the label of the kernel's function and its end */
    bool has_function; /* that label was read */
    struct error *error;
};

/* ---- directives ---- */

/* The value of the first such directive of the text, or 0. */
static unsigned metadata(const char *text, const char *directive)
{
    const char *found = strstr(text, directive);
    return found ? (unsigned)strtoul(found + strlen(directive), NULL, 0) : 0;
}

/* "amdgcn-amd-amdhsa--gfx90a:xnack-": finds the processor, and the mode in the metadata. */
static enum status read_target(struct amdgcn_reader *reader, const char *text)
{
    static const char directive[] = ".amdgcn_target \"";
    const char *target = strstr(text, directive);
    const size_t length = target ? strcspn(target + strlen(directive), "\"\n") : 0;
    char name[64] = "";
    if (!target)
        return error_set(
            reader->error, STATUS_UNSUPPORTED,
            "the compiler printed no assembly for an AMD GPU, because the assembly does not name a processor");
    if (length > 0 && length < sizeof name)
        memcpy(name, target + strlen(directive), length);
    const char *dashes = strstr(name, "--");
    const char *processor = dashes ? dashes + 2 : "";
    reader->generation = amdgcn_generation_of(processor);
    if (!reader->generation)
        return error_set(reader->error, STATUS_UNSUPPORTED, "there are no rules for the processor '%s'", processor);
    const bool apart = metadata(text, ".amdhsa_workgroup_processor_mode ") || metadata(text, ".amdhsa_tg_split ");
    (void)snprintf(reader->listing->architecture, sizeof reader->listing->architecture, "%.*s%s",
                   (int)strcspn(processor, ":"), processor, apart ? AMDGCN_APART_SUFFIX : "");
    return STATUS_OK;
}

/* `.file 1 "folder" "name" md5 ...`, `.file 1 "name"`; a string without a number is something else. */
static void read_file(struct amdgcn_reader *reader, const char *text)
{
    char *rest;
    const long number = strtol(text, &rest, 10);
    const char *name = NULL, *end = NULL;
    for (const char *at = rest; rest != text && (at = strchr(at, '"')) && strchr(at + 1, '"'); at = end + 1) {
        name = at + 1;
        end = strchr(name, '"');
    }
    if (name && memmem(name, (size_t)(end - name), AMDGCN_KERNEL_FILE, strlen(AMDGCN_KERNEL_FILE)))
        reader->kernel_file = number;
}

static void read_directive(struct amdgcn_reader *reader, const char *line)
{
    char *rest;
    if (strncmp(line, ".file", 5) == 0)
        read_file(reader, line + 5);
    if (strncmp(line, ".Lfunc_end", 10) == 0)
        reader->in_function = false;
    if (strncmp(line, ".loc", 4) != 0)
        return;
    const long file = strtol(line + 4, &rest, 10);
    const unsigned long number = strtoul(rest, NULL, 10);
    reader->line = file == reader->kernel_file ? (unsigned)number : 0;
}

/* ---- instructions ---- */

static enum litmus_scope scope_of_access(const struct amdgcn_scopes *scopes, const struct amdgcn_reach *rows,
                                         const struct amdgcn_instruction *opcode, enum amdgcn_mode mode)
{
    return amdgcn_scope_of(scopes, amdgcn_reached(rows, AMDGCN_NO_CACHE, opcode->modifiers), mode);
}

static void read_amdgcn_add_instruction(struct amdgcn_reader *reader, const char *text)
{
    struct listing *listing = reader->listing;
    struct amdgcn_instruction opcode;
    amdgcn_opcode(text, reader->generation, &opcode);
    const enum amdgcn_mode mode = amdgcn_mode_of(listing->architecture);
    struct machine_instruction instruction = {.text = arena_copy(&listing->arena, text),
                                              .place = reader->number,
                                              .line_count = reader->line > 0,
                                              .lines = {reader->line},
                                              .effect = opcode.effect,
                                              .bytes = opcode.bytes,
                                              .lanes = opcode.lanes,
                                              .region = opcode.region,
                                              .operation = opcode.operation,
                                              .next = MACHINE_NO_NEXT,
                                              .branch = MACHINE_NO_NEXT};
    const struct amdgcn_generation *generation = reader->generation;
    const bool is_local = opcode.region == LITMUS_LOCAL;
    instruction.order = LITMUS_RELAXED;
    if (opcode.effect == MACHINE_LOAD)
        instruction.scope = scope_of_access(&generation->load, generation->loads, &opcode, mode);
    else if (opcode.effect == MACHINE_STORE)
        instruction.scope = scope_of_access(&generation->store, generation->stores, &opcode, mode);
    else if (opcode.effect == MACHINE_UPDATE)
        instruction.scope = scope_of_access(&generation->update, generation->updates, &opcode, mode);
    else
        instruction.order = LITMUS_PLAIN;
    if (is_local && instruction.order == LITMUS_RELAXED)
        instruction.scope = LITMUS_ALL_DEVICES; /* no cache is before local memory */
    if (opcode.to_local)
        instruction.unread = "which part of local memory it writes";
    LIST_ADD(listing->instructions, listing->count, listing->room) = instruction;
    ARENA_ADD(&reader->arena, reader->flows, reader->flow_count) = opcode.flow;
}

static void start_label(struct amdgcn_reader *reader, const char *line, size_t length)
{
    if (length == strlen("orchil") && memcmp(line, "orchil", length) == 0) {
        reader->in_function = reader->has_function = true;
        reader->line = 0;
    }
    if (reader->in_function)
        (void)listing_add_label(reader->listing, line, length);
}

/* A line without its comment and the blanks around it. */
static void read_line(struct amdgcn_reader *reader, char *line)
{
    char *comment = strchr(line, ';');
    if (comment && !strchr(line, '"'))
        *comment = '\0';
    const bool indented = *line == '\t' || *line == ' ';
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    if (length > 1 && line[length - 1] == ':' && !indented)
        start_label(reader, line, length - 1);
    if (*line == '.')
        read_directive(reader, line);
    else if (reader->in_function && indented && *line)
        read_amdgcn_add_instruction(reader, line);
}

static enum status read_lines(struct amdgcn_reader *reader, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if (text[length] != '\n')
            return error_set(reader->error, STATUS_SYNTAX, "line %u of the assembly is truncated", reader->number + 1);
        char *line = memory_copy_part(text, length);
        reader->number++;
        read_line(reader, line);
        free(line);
        text += length + 1;
    }
    if (!reader->has_function || reader->in_function || reader->listing->count == 0)
        return error_set(reader->error, STATUS_SYNTAX,
                         reader->has_function ? "the assembly ends within the function 'orchil'"
                                              : "the assembly has no function 'orchil'");
    return STATUS_OK;
}

/* ---- control flow ---- */

static enum status link_jump(const struct amdgcn_reader *reader, struct machine_instruction *from)
{
    const char *name = from->text + strcspn(from->text, " \t");
    name += strspn(name, " \t");
    from->branch = listing_find_label(reader->listing, name, strlen(name));
    if (from->branch != MACHINE_NO_NEXT)
        return STATUS_OK;
    return error_set(reader->error, STATUS_SYNTAX, "line %lu of the assembly: '%s' jumps to a label that is not there",
                     from->place, from->text);
}

static enum status link_flow(struct amdgcn_reader *reader)
{
    struct listing *listing = reader->listing;
    for (size_t i = 0; i < listing->count; i++) {
        struct machine_instruction *instruction = &listing->instructions[i];
        const enum amdgcn_flow flow = reader->flows[i];
        if (flow == AMDGCN_CALL)
            return error_set(reader->error, STATUS_UNSUPPORTED,
                             "line %lu of the assembly, '%s', calls a function or jumps to an address in a register",
                             instruction->place, instruction->text);
        if (flow == AMDGCN_JUMP || flow == AMDGCN_BRANCH)
            TRY(link_jump(reader, instruction));
        instruction->predicated |= flow == AMDGCN_BRANCH;
        if (flow == AMDGCN_ON || flow == AMDGCN_BRANCH) {
            if (i + 1 == listing->count)
                return error_set(reader->error, STATUS_SYNTAX, "the code continues after its end, at '%s'",
                                 instruction->text);
            instruction->next = (long)i + 1;
        }
    }
    return STATUS_OK;
}

enum amdgcn_mode amdgcn_mode_of(const char *architecture)
{
    return strstr(architecture, AMDGCN_APART_SUFFIX) ? AMDGCN_APART : AMDGCN_TOGETHER;
}

enum status listing_read_amdgcn(const char *text, struct listing *listing, struct error *error)
{
    *listing = (struct listing){0};
    struct amdgcn_reader reader = {.listing = listing, .kernel_file = NO_FILE, .error = error};
    enum status status = read_target(&reader, text);
    THEN(status, read_lines(&reader, text));
    THEN(status, link_flow(&reader));
    if (status == STATUS_OK)
        amdgcn_find_masks(listing);
    arena_release(&reader.arena);
    return status;
}
