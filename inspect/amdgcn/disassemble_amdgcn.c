// SPDX-License-Identifier: Apache-2.0
/*
 * Two programs of LLVM read the object. An instruction of llvm-objdump is
 *
 *   s_cbranch_scc0 24                  // 00000000160C: BF840018 <orchil+0x70>
 *
 * and a row of the line table of llvm-dwarfdump is
 *
 *   0x000000000000161c   1301     24      1   0             0  is_stmt
 *
 * with the address from which the row holds, the line (0: none), the column, and the number of a file.
 */
#include "inspect/amdgcn/disassemble_amdgcn.h"

#include "base/tool.h"
#include "inspect/amdgcn/amdgcn.h"

enum { SECONDS = 60, MAXIMUM_BYTES = 64 << 20 };

/* The kernel descriptor (LLVM, "AMDGPU Kernel Descriptor"): words that say how waves are placed. */
enum { DESCRIPTOR_BYTES = 64, THIRD_WORD = 44, FIRST_WORD = 48, GROUP_MODE_BIT = 29, SPLIT_BIT = 16 };

struct line_row {
    unsigned long address;
    unsigned line; /* of the kernel's text; 0: none */
};

struct printed_instruction {
    unsigned long address, target; /* target: where it jumps; 0: nowhere */
    const char *text;              /* not terminated */
    size_t length;
    unsigned line; /* of the kernel's text; 0: unknown */
};

struct code_object {
    const struct text *bytes;
    struct text listing, table; /* what the programs print */
    unsigned long start, size;  /* of the kernel's code */
    unsigned long descriptor;   /* its address, which is its place in the file */
    struct line_row *rows;
    size_t row_count, row_room;
    struct printed_instruction *instructions;
    size_t count, room;
};

/* second: another option, or NULL. */
static enum status disassemble_amdgcn_run(const char *program, const char *option, const char *second,
                                          const struct text *bytes, struct text *text, struct error *error)
{
    struct memory_file file;
    /* Debian's unversioned program may be older than what is installed beside it. */
    static const char *const versions[] = {"-22", "-19", "-16", "-15", ""};
    enum status status = STATUS_UNSUPPORTED;
    TRY(memory_file_make(bytes->data, bytes->size, &file, error));
    for (size_t i = 0; status == STATUS_UNSUPPORTED && i < COUNT(versions); i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%s%s", program, versions[i]);
        const char *const arguments[] = {name, option, file.path, second, NULL};
        status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, text, error);
    }
    if (status == STATUS_UNSUPPORTED)
        (void)error_set(error, STATUS_UNSUPPORTED, "there is no %s on PATH; Debian's package is llvm", program);
    memory_file_close(&file);
    return status;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

/* "0000000000001600 g     F .text  0000000000001f64 .protected orchil" */
static enum status find_symbols(struct code_object *object, struct error *error)
{
    for (const char *at = strstr(text_string(&object->listing), "SYMBOL TABLE:"); at && *at; at = next_line(at)) {
        const size_t length = strcspn(at, "\n");
        char line[256], name[64], section[64];
        unsigned long address, size;
        (void)snprintf(line, sizeof line, "%.*s", (int)length, at);
        const char *last = strrchr(line, ' ');
        const char *place = strstr(line, " .");
        if (!last || !place || sscanf(place, " %63s %lx", section, &size) != 2 || sscanf(line, "%lx", &address) != 1)
            continue;
        (void)snprintf(name, sizeof name, "%s", last + 1);
        if (strcmp(name, "orchil") == 0)
            object->start = address, object->size = size;
        if (strcmp(name, "orchil.kd") == 0)
            object->descriptor = address;
    }
    if (strstr(text_string(&object->listing), "\t.long "))
        return error_set(error, STATUS_UNSUPPORTED,
                         "llvm-objdump does not know an instruction of the code (LLVM 14 lacks buffer_wbl2): install "
                         "a newer llvm");
    if (object->size == 0 || object->descriptor == 0 || object->descriptor + DESCRIPTOR_BYTES > object->bytes->size)
        return error_set(error, STATUS_UNREADABLE, "llvm-objdump shows no kernel 'orchil' in the code object");
    return STATUS_OK;
}

/* The numbers of the files in the table that are the kernel's text; rows of others have no line. */
static bool is_kernel_file(const char *table, unsigned long number)
{
    char head[40];
    (void)snprintf(head, sizeof head, "file_names[%3lu]:", number);
    const char *entry = strstr(table, head);
    const char *name = entry ? strstr(entry, "name: \"") : NULL;
    if (!name)
        return false;
    name += strlen("name: \"");
    return memmem(name, strcspn(name, "\"\n"), AMDGCN_KERNEL_FILE, strlen(AMDGCN_KERNEL_FILE)) != NULL;
}

/* The place after "<orchil+" at the end of a line, or 0. */
static unsigned long target_of(const struct code_object *object, const char *text, const char *rest, size_t length)
{
    static const char mark[] = "<orchil";
    const char *at = strstr(rest, mark);
    const bool jumps = strncmp(text, "s_branch", 8) == 0 || strncmp(text, "s_cbranch", 9) == 0;
    if (!jumps || !at || at >= rest + length)
        return 0;
    at += strlen(mark);
    return object->start + (*at == '+' ? strtoul(at + 1, NULL, 16) : 0);
}

static unsigned long word_at(const struct code_object *object, unsigned place)
{
    uint32_t word;
    memcpy(&word, object->bytes->data + object->descriptor + place, sizeof word);
    return word;
}

static enum status read_object(struct code_object *object, struct error *error)
{
    TRY(disassemble_amdgcn_run("llvm-objdump", "-d", "--syms", object->bytes, &object->listing, error));
    TRY(disassemble_amdgcn_run("llvm-dwarfdump", "--debug-line", NULL, object->bytes, &object->table, error));
    TRY(find_symbols(object, error));
    const char *table = text_string(&object->table);
    for (const char *at = table; *at; at = next_line(at)) {
        unsigned long address, line, column, file;
        if (strncmp(at, "0x", 2) == 0 && sscanf(at, "%lx %lu %lu %lu", &address, &line, &column, &file) == 4)
            LIST_ADD(object->rows, object->row_count, object->row_room) =
                (struct line_row){address, is_kernel_file(table, file) ? (unsigned)line : 0};
    }
    for (const char *at = text_string(&object->listing); *at; at = next_line(at)) {
        const size_t length = strcspn(at, "\n");
        const char *comment = strstr(at, "// ");
        if (*at != '\t' || !comment || comment >= at + length)
            continue;
        const unsigned long address = strtoul(comment + 3, NULL, 16);
        if (address < object->start || address >= object->start + object->size)
            continue;
        size_t size = (size_t)(comment - at) - 1;
        while (size > 0 && at[size] == ' ')
            size--;
        LIST_ADD(object->instructions, object->count, object->room) =
            (struct printed_instruction){.address = address,
                                         .target = target_of(object, at + 1, comment, length - (size_t)(comment - at)),
                                         .text = at + 1,
                                         .length = size};
    }
    for (size_t i = 0; i < object->count; i++) {
        unsigned line = 0;
        for (size_t k = 0; k < object->row_count && object->rows[k].address <= object->instructions[i].address; k++)
            line = object->rows[k].line;
        object->instructions[i].line = line;
    }
    return STATUS_OK;
}

static void release_object(struct code_object *object)
{
    free(object->rows);
    free(object->instructions);
    text_release(&object->listing);
    text_release(&object->table);
}

static bool is_memory(const struct printed_instruction *instruction)
{
    return text_starts_with("flat_ global_ buffer_ ds_ scratch_", instruction->text) > 0;
}

/* Whether a thread has a clause of accesses: others are of scalar loads. It has the line of its first access. */
static bool has_clause(const struct code_object *object, const struct kernel *kernel)
{
    for (size_t i = 0; i + 1 < object->count; i++) {
        const struct printed_instruction *one = &object->instructions[i];
        if (strncmp(one->text, "s_clause ", 9) == 0 && is_memory(one + 1) && one->line >= kernel->functions_line &&
            one->line < kernel->functions_end)
            return true;
    }
    return false;
}

static size_t operand_length(const char *at)
{
    size_t length = 0;
    while (at[length] && at[length] != ',')
        length += at[length] == '[' ? strcspn(at + length, "]") : 1; /* "v[4:5]" */
    return length;
}

/* Writes an access without the registers of its address, the first operand or the one after the result, and others that
 * are scalar: "flat_atomic_add v21, v[4:5], v3 glc" -> "flat_atomic_add v21,, v3 glc". */
static void write_access(const struct printed_instruction *instruction, char access[160])
{
    char text[128];
    (void)snprintf(text, sizeof text, "%.*s ", (int)instruction->length, instruction->text);
    const bool has_result = strstr(text, "_load") || strstr(text, "_read") || strstr(text, "_rtn") ||
                            (strstr(text, "_atomic") && (strstr(text, " glc ") || strstr(text, " sc0 ")));
    const char *at = text + strcspn(text, " ");
    int length = snprintf(access, 160, "%.*s", (int)(at - text), text);
    for (unsigned operand = 0; *at; operand++) {
        const size_t size = operand_length(at), scalar = strncmp(at, " s", 2) == 0 ? 1 + strcspn(at + 1, " ,") : 0;
        const size_t left_out = operand == (has_result ? 1 : 0) ? 1 + strcspn(at + 1, " ,") : scalar;
        if (left_out < size)
            length += snprintf(access + length, 160 - (size_t)length, "%.*s", (int)(size - left_out), at + left_out);
        at += size;
        if (*at == ',')
            length += snprintf(access + length, 160 - (size_t)length, ","), at++;
    }
}

/* Whether both do the same to memory: their addresses may be in other registers. That results and what is stored are in
 * the same ones shows that two accesses of one clause did not change places. */
static bool is_same_access(const struct printed_instruction *left, const struct printed_instruction *right)
{
    char a[160], b[160];
    write_access(left, a);
    write_access(right, b);
    return strcmp(a, b) == 0;
}

/* The index of the first memory instruction from there on. */
static size_t find_memory(const struct code_object *object, size_t at)
{
    while (at < object->count && !is_memory(&object->instructions[at]))
        at++;
    return at;
}

static enum status take_lines(struct code_object *object, const struct code_object *twin, struct error *error)
{
    size_t i = find_memory(object, 0), k = find_memory(twin, 0);
    while (i < object->count && k < twin->count && is_same_access(&object->instructions[i], &twin->instructions[k])) {
        object->instructions[i].line = twin->instructions[k].line;
        i = find_memory(object, i + 1);
        k = find_memory(twin, k + 1);
    }
    if (i == object->count && k == twin->count)
        return STATUS_OK;
    return error_set(error, STATUS_UNREADABLE,
                     "LLVM gives all accesses of a clause one line, and if the accesses are kept apart, the code "
                     "differs at 0x%lx",
                     i < object->count ? object->instructions[i].address : object->start + object->size);
}

enum status disassemble_amdgcn(const struct text *object, const struct text *twin, const struct kernel *kernel,
                               const char *processor, struct text *text, bool *needs_twin, struct error *error)
{
    struct code_object of = {.bytes = object}, other = {.bytes = twin};
    enum status status = read_object(&of, error);
    *needs_twin = status == STATUS_OK && !twin && has_clause(&of, kernel);
    if (status == STATUS_OK && twin)
        status = read_object(&other, error);
    if (status == STATUS_OK && twin)
        status = take_lines(&of, &other, error);
    if (status == STATUS_OK) {
        text_add(text, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n\t.file\t1 \"%s\"\norchil:\n", processor,
                 AMDGCN_KERNEL_FILE);
        FOR_EACH(const struct printed_instruction, one, of.instructions, of.count) {
            if (ANY_OF(jump, of.instructions, of.count, jump->target == one->address))
                text_add(text, ".L%lx:\n", one->address);
            text_add(text, "\t.loc\t1 %u 0\n\t", one->line);
            const size_t word = strcspn(one->text, " ");
            if (one->target != 0)
                text_add(text, "%.*s .L%lx\n", (int)word, one->text, one->target);
            else
                text_add(text, "%.*s\n", (int)one->length, one->text);
        }
        const bool is_first = strncmp(processor, "gfx1", 4) == 0; /* gfx10 and later have the first bit */
        text_add(text, ".Lfunc_end0:\n\t\t.amdhsa_workgroup_processor_mode %lu\n\t\t.amdhsa_tg_split %lu\n",
                 is_first ? word_at(&of, FIRST_WORD) >> GROUP_MODE_BIT & 1 : 0,
                 is_first ? 0 : word_at(&of, THIRD_WORD) >> SPLIT_BIT & 1);
    }
    release_object(&of);
    release_object(&other);
    return status;
}
