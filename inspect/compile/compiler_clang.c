// SPDX-License-Identifier: Apache-2.0
/*
 * The text of kernels for compilers, and the lines that LLVM's code lacks.
 *
 * What is compiled is the kernel that orchil runs, after its backend's prelude. clang compiles it without any library:
 * after words for OpenCL's functions (clang_words.cl) or, for a CUDA test, after the HIP backend's prelude, which has
 * CUDA's. There, only the threads' functions and the kernel itself have line information (`nodebug`): LLVM gives what
 * it inlines from others the line of the call, and its assembly has only innermost lines. So an instruction of a thread
 * has a line of the thread, and any other a line of the kernel. The same for PTX.
 *
 * Where a bundle of instructions has one line only, the lines of a pass that clang prints (-print-after) find the
 * others.
 */
#include "inspect/amdgcn/amdgcn.h"
#include "inspect/compile/compiler_rows.h"
#include "kernel/lower.h"

/* ---- lines of bundled instructions ---- */

/* An instruction in the dump is a line with its opcode in capitals, its operands, and after the last "; " its place,
 * the innermost first: "orchil-kernel:828:9 @[ orchil-kernel:806:5 ]". */

/* Beginnings of memory instructions; the dump has them in capitals. */
static const char *const beginnings[] = {"global_", "flat_", "buffer_", "ds_", "scratch_"};

struct dumped {
    const char *beginning;
    unsigned line; /* of the kernel's text; 0: none */
};

struct line_list {
    struct dumped *items;
    size_t count, room;
};

static const char *beginning_of(const char *word, bool capitals)
{
    for (size_t b = 0; b < COUNT(beginnings); b++) {
        size_t i = 0;
        while (beginnings[b][i] &&
               word[i] == (capitals ? (char)toupper((unsigned char)beginnings[b][i]) : beginnings[b][i]))
            i++;
        if (!beginnings[b][i])
            return beginnings[b];
    }
    return NULL;
}

/* The memory instruction in a line of the dump: after the indent, or after "$vgpr1 = ". */
static const char *find_opcode(const char *line, size_t length)
{
    const size_t indent = strspn(line, " ");
    if (indent >= length || indent == 0)
        return NULL;
    if (isupper((unsigned char)line[indent]))
        return beginning_of(line + indent, true);
    for (size_t i = indent; i + 3 < length; i++)
        if (memcmp(line + i, " = ", 3) == 0) {
            for (i += 3; i < length && islower((unsigned char)line[i]); i++) /* "nofpexcept " */
                i += strcspn(line + i, " \n");
            return i < length ? beginning_of(line + i, true) : NULL;
        }
    return NULL;
}

/* The line in the kernel's text of the innermost place there, at the end of a line of the dump. */
static unsigned find_place(const char *line, size_t length)
{
    static const char name[] = AMDGCN_KERNEL_FILE ":";
    const char *comment = NULL;
    for (size_t i = 0; i + 1 < length; i++)
        if (line[i] == ';' && line[i + 1] == ' ')
            comment = line + i;
    const char *found = comment ? strstr(comment, name) : NULL;
    return found && found < line + length ? (unsigned)strtoul(found + strlen(name), NULL, 10) : 0;
}

/* The beginning of the memory instruction in a line of the assembly; or NULL. *inside: whether the line is in the
 * kernel's function, which may have a copy that is not called. */
static const char *memory_instruction(const char *line, bool *inside)
{
    if (strncmp(line, "orchil:", 7) == 0)
        *inside = true;
    if (strncmp(line, ".Lfunc_end", 10) == 0)
        *inside = false;
    return *inside && *line == '\t' ? beginning_of(line + 1, false) : NULL;
}

static bool is_same_code(const char *assembly, const struct line_list *list)
{
    size_t count = 0;
    bool inside = false;
    for (const char *at = assembly; *at;) {
        const char *beginning = memory_instruction(at, &inside);
        if (beginning && (count == list->count || list->items[count].beginning != beginning))
            return false;
        count += beginning != NULL;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return count == list->count;
}

static void compiler_clang_add_lines(const char *assembly, const struct line_list *list, long file, struct text *text)
{
    const char *place = NULL; /* the last .loc */
    size_t count = 0;
    bool inside = false;
    for (const char *at = assembly; *at;) {
        const size_t length = strcspn(at, "\n");
        const bool memory = memory_instruction(at, &inside) != NULL;
        if (strncmp(at, "\t.loc\t", 6) == 0)
            place = at;
        if (memory)
            text_add(text, "\t.loc\t%ld %u 0\n", file, list->items[count++].line);
        text_add_bytes(text, at, length);
        text_add(text, "\n");
        if (memory && place) {
            text_add_bytes(text, place, strcspn(place, "\n"));
            text_add(text, "\n");
        }
        at += length + (at[length] == '\n');
    }
}

/* Appends the assembly with a .loc directive of its own for each memory instruction of the kernel whose line it lacks.
 * LLVM prints the line of a bundle's first instruction only; `dump`, what it printed after its last pass that moves an
 * instruction, has them all. If the two do not have the same memory instructions, the assembly is appended as it is. */
static void clang_lines_add(const char *assembly, const char *dump, struct text *text)
{
    struct line_list list = {0};
    /* The number of the kernel's file in the assembly, or -1. */
    const char *name = strstr(assembly, "\"" AMDGCN_KERNEL_FILE "\"");
    while (name && name > assembly && name[-1] != '\n')
        name--;
    const long file = name && strncmp(name, "\t.file\t", 7) == 0 ? strtol(name + 7, NULL, 10) : -1;
    /* Reads the kernel's function, "# Machine code for function orchil:" to "# End machine code". */
    const char *at = strstr(dump, "# Machine code for function orchil:");
    while (at && *at && strncmp(at, "# End machine code", 18) != 0) {
        const size_t length = strcspn(at, "\n");
        const char *beginning = find_opcode(at, length);
        if (beginning)
            LIST_ADD(list.items, list.count, list.room) = (struct dumped){beginning, find_place(at, length)};
        at += length + (at[length] == '\n');
    }
    if (file >= 0 && list.count > 0 && is_same_code(assembly, &list))
        compiler_clang_add_lines(assembly, &list, file, text);
    else
        text_add(text, "%s", assembly);
    free(list.items);
}

/* ---- the text of a kernel ---- */

extern const char clang_words[];

/* The first bytes of source, up to the line. */
static size_t offset_of_line(const char *source, unsigned line)
{
    const char *at = source;
    for (unsigned i = 1; i < line && *at; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return (size_t)(at - source);
}

/* Functions of the kernel's skeleton that run before, after or beside the threads. They are two thirds of the code, and
 * of the time that clang takes. */
static const char *const beside[] = {"stress", "pre_stress", "idle", "probe", "count", "finish"};

/* Appends the kernel's text with the lines that it has itself, under its own name. All functions but those of the
 * threads have the lines of their calls. */
static void add_kernel(const struct kernel *kernel, struct text *text)
{
    const size_t functions = offset_of_line(kernel->source, kernel->functions_line);
    const size_t includes =
        kernel->includes ? offset_of_line(kernel->source, 2) : 0; /* the words stand for the header */
    text_add(text, "#ifndef DEVICE\n#define DEVICE\n#endif\n#undef FUNCTION\n"
                   "#define FUNCTION DEVICE static inline __attribute__((always_inline, nodebug))\n");
    text_add(text, "#line %u \"" AMDGCN_KERNEL_FILE "\"\n", includes > 0 ? 2 : 1);
    /* Appends these bytes of the kernel's text, each of those functions with an empty body of as many lines. */
    const char *source = kernel->source + includes;
    const size_t size = functions - includes;
    size_t from = 0;
    while (from < size) {
        const char *body = NULL, *end = NULL;
        for (size_t i = 0; i < COUNT(beside); i++) {
            char head[64];
            (void)snprintf(head, sizeof head, "\nFUNCTION void %s(MEMORY_PARAMETERS", beside[i]);
            const char *function = strstr(source + from, head);
            const char *begins = function ? strstr(function, "\n{\n") : NULL;
            if (begins && (!body || begins < body))
                body = begins + 3;
        }
        end = body ? strstr(body - 1, "\n}\n") : NULL;
        if (!end || end >= source + size)
            break;
        text_add_bytes(text, source + from, (size_t)(body - source) - from);
        for (; body <= end; body++)
            if (*body == '\n')
                text_add(text, "\n");
        from = (size_t)(end + 1 - source);
    }
    text_add_bytes(text, source + from, size - from);
    text_add(text, "#undef FUNCTION\n#define FUNCTION DEVICE static inline __attribute__((always_inline))\n");
    text_add(text, "#line %u\n%s", kernel->functions_line, kernel->source + functions);
}

/* The prelude's own words, in which groups meet, without orders: LLVM up to 19 makes no PTX of stores that release, and
 * only the threads are inspected. */
static const char relaxed_words[] = "#define memory_order_release memory_order_relaxed\n"
                                    "#define memory_order_acquire memory_order_relaxed\n"
                                    "#define memory_order_acq_rel memory_order_relaxed\n";
static const char usual_words[] = "#undef memory_order_release\n#undef memory_order_acquire\n"
                                  "#undef memory_order_acq_rel\n";

void compiler_clang_add_unit(const struct compiler_row *row, const struct kernel *kernel, struct text *text,
                             unsigned *first_line)
{
    const struct backend *backend = backend_find(row->language->backend);
    const bool relaxes = row->language->has_words && row->output->machine == INSPECT_PTX;
    *first_line = row->language->innermost ? 1 : kernel_unit_line(backend, 1);
    if (row->language->has_words && kernel->prologue) /* for fences of the header, which comes before them */
        text_add(text, "#define CELL_WORDS %uu\n#define LOCAL_CELLS %uu\n", kernel->cell_words, kernel->local_cells);
    text_add(text, "%s%s%s%s%s", row->language->has_words ? clang_words : "", relaxes ? relaxed_words : "",
             kernel->prologue ? kernel->prologue : "", backend->prelude, relaxes ? usual_words : "");
    if (!row->language->innermost) {
        text_add(text, "%s", kernel->source);
        return;
    }
    add_kernel(kernel, text);
}

/* ---- its code ---- */

/* From version 21, the kernel only calls a function with its body, declared before it and defined after it: makes that
 * the kernel. */
static void add_body(const char *ptx, struct text *text)
{
    static const char name[] = "\n.visible .func __clang_ocl_kern_imp_orchil";
    const char *declared = strstr(ptx, name);
    const char *defined = declared ? strstr(declared + 1, name) : NULL;
    if (!defined) {
        text_add(text, "%s", ptx);
        return;
    }
    text_add_bytes(text, ptx, (size_t)(declared - ptx));
    text_add(text, "\n.visible .entry orchil%s", defined + strlen(name));
}

static bool is_access(const struct kernel *kernel, unsigned long line)
{
    for (size_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].line == line)
            return !kernel->steps[i].barrier;
    return false;
}

/* The reader of PTX expects the lines of calls (`inlined_at`), which LLVM's PTX lacks: gives each place of a step's
 * access that form, as a place in the helpers that was inlined there. */
static void add_calls(const struct kernel *kernel, const char *ptx, struct text *text)
{
    static const char directive[] = "\t.loc\t";
    for (const char *at = ptx; *at;) {
        const size_t length = strcspn(at, "\n");
        char *rest = NULL;
        const bool place = strncmp(at, directive, strlen(directive)) == 0;
        const unsigned long file = place ? strtoul(at + strlen(directive), &rest, 10) : 0;
        const unsigned long line = place ? strtoul(rest, &rest, 10) : 0;
        if (place && is_access(kernel, line))
            text_add(text, "%s%lu %u 1, function_name $L__info_string0, inlined_at %lu %lu 1\n", directive, file,
                     kernel->helpers_line, file, line);
        else {
            text_add_bytes(text, at, length);
            text_add(text, "\n");
        }
        at += length + (at[length] == '\n');
    }
}

void compiler_clang_add_code(const struct compiler_row *row, const struct kernel *kernel, const char *code,
                             const char *said, struct text *text)
{
    LOCAL(text) ptx = {0};
    if (row->output->machine == INSPECT_PTX) {
        add_body(code, &ptx);
        add_calls(kernel, text_string(&ptx), text);
    } else
        clang_lines_add(code, said, text);
}
