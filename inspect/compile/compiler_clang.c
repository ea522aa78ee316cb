// SPDX-License-Identifier: Apache-2.0
/*
 * clang, which compiles OpenCL C for AMD GPUs and to PTX, and HIP C++ for AMD GPUs, without any library.
 *
 * What is compiled is the kernel that orchil runs, after words for OpenCL's functions (clang_words.cl) or, for a CUDA
 * test, after the HIP backend's prelude, which has CUDA's.
 * The assembly that clang prints is read, not an object: it has a label for each target of a jump and a line for each
 * instruction, and needs no other program. For AMD GPUs, only the threads' functions and the kernel itself have line
 * information (`nodebug`): LLVM gives what it inlines from others the line of the call, and its assembly has only
 * innermost lines. So an instruction of a thread has a line of the thread, and any other a line of the kernel. The same
 * for PTX.
 *
 * Where a bundle of instructions has one line only, the lines of its pass find the others. What it reads makes clang
 * half as slow again, and few kernels need it.
 *
 * Two passes are turned off that make one instruction of equal instructions at the ends of branches: all threads are
 * branches of one kernel, and an instruction of two threads would have no line.
 */
#include <ctype.h>

#include "base/tool.h"
#include "inspect/amdgcn/amdgcn.h"
#include "inspect/compile/compilers.h"
#include "kernel/lower.h"

/* The pass whose result clang is asked to print (-print-after): no later pass moves an instruction. */
#define CLANG_LINES_PASS "branch-relaxation"

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
    for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++) {
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
static unsigned compiler_clang_find_place(const char *line, size_t length)
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
 * LLVM prints the line of a bundle's first instruction only; `dump`, what it printed after that pass, has them all. If
 * the two do not have the same memory instructions, the assembly is appended as it is. */
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
            LIST_ADD(list.items, list.count, list.room) =
                (struct dumped){beginning, compiler_clang_find_place(at, length)};
        at += length + (at[length] == '\n');
    }
    if (file >= 0 && list.count > 0 && is_same_code(assembly, &list))
        compiler_clang_add_lines(assembly, &list, file, text);
    else
        text_add(text, "%s", assembly);
    free(list.items);
}

/* ---- the compiler ---- */

extern const char clang_words[];

enum { SECONDS = 60, MAXIMUM_BYTES = 32 << 20 };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* One processor of each generation. */
static const char *const processors[] = {"gfx803",  "gfx906",  "gfx90a",  "gfx942", "gfx950",
                                         "gfx1030", "gfx1100", "gfx1200", "gfx1250"};

static bool owns(const char *word)
{
    return strncmp(last_part(word), "clang", 5) == 0;
}

/* "Debian clang version 15.0.6" -> "clang 15.0.6" */
static enum status version(const char *word, char version[128], struct error *error)
{
    static const char before[] = "clang version ";
    const char *const arguments[] = {word, "--version", NULL};
    struct text text = {0};
    enum status status = tool_run(arguments, SECONDS, MAXIMUM_BYTES, &text, error);
    const char *found = status == STATUS_OK ? strstr(text_string(&text), before) : NULL;
    if (found)
        (void)snprintf(version, 128, "clang %.*s", (int)strcspn(found + strlen(before), " (\n"),
                       found + strlen(before));
    else if (status == STATUS_OK)
        status = error_set(error, STATUS_UNSUPPORTED, "%s does not say which version of clang it is", word);
    else if (status == STATUS_UNSUPPORTED)
        (void)error_set(error, STATUS_UNSUPPORTED, "there is no %s on PATH; Debian's package is %s", word,
                        last_part(word));
    text_release(&text);
    return status;
}

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
static void compiler_clang_add_kernel(const struct kernel *kernel, struct text *text)
{
    const size_t functions = offset_of_line(kernel->source, kernel->functions_line);
    const size_t includes =
        kernel->includes ? offset_of_line(kernel->source, 2) : 0; /* the words stand for the header */
    text_add(text, "#undef FUNCTION\n#define FUNCTION DEVICE static inline __attribute__((always_inline, nodebug))\n");
    text_add(text, "#line %u \"" AMDGCN_KERNEL_FILE "\"\n", includes > 0 ? 2 : 1);
    /* Appends these bytes of the kernel's text, each of those functions with an empty body of as many lines. */
    const char *source = kernel->source + includes;
    const size_t size = functions - includes;
    size_t from = 0;
    while (from < size) {
        const char *body = NULL, *end = NULL;
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
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

/* The first error among what the compiler said, without the path of its input. */
static void find_error(const char *said, char found[256])
{
    static const char mark[] = "error: ";
    const char *at = strstr(said, mark);
    (void)snprintf(found, 256, "%.*s", at ? (int)strcspn(at + strlen(mark), "\n") : 0, at ? at + strlen(mark) : "");
    char *address = strstr(found, "0x"), *node = address ? strstr(address, "ch = ") : NULL;
    if (node) /* "Cannot select: 0x55c9...: ch = AtomicFence 0x55...": other numbers in each run */
        memmove(address, node + 5, strlen(node + 5) + 1);
    if (address)
        address[strcspn(address, " <")] = '\0';
}

enum { MAXIMUM_ARGUMENTS = 40 };

struct command {
    const char *arguments[MAXIMUM_ARGUMENTS]; /* NULL-terminated */
    size_t count;
};

static void add_arguments(struct command *command, const char *const *arguments)
{
    for (; *arguments; arguments++)
        command->arguments[command->count++] = *arguments;
}

/* What is compiled: a file, its language, and whether the line of each instruction is asked for. */
struct input {
    const char *path;
    bool hip;
    bool all_lines;
};

/* processor: the buffer of an argument, which lives as long as the command. */
static void add_target(const struct inspect_target *target, const struct input *input, char processor[64],
                       struct command *command)
{
    (void)snprintf(processor, 64, "%s=%s", input->hip ? "--offload-arch" : "-mcpu", target->processor);
    if (strcmp(target->machine, "amdgcn") == 0) {
        const char *const mode = strcmp(target->mode, "cumode") == 0    ? "-mcumode"
                                 : strcmp(target->mode, "tgsplit") == 0 ? "-mtgsplit"
                                                                        : NULL;
        if (input->hip)
            add_arguments(command, (const char *const[]){"--cuda-device-only", "-nogpuinc", NULL});
        else /* clang gives HIP that option itself */
            add_arguments(command, (const char *const[]){"-target", "amdgcn-amd-amdhsa", "-mllvm",
                                                         "-amdgpu-internalize-symbols", NULL});
        add_arguments(command, (const char *const[]){processor, "-nogpulib", "-gline-tables-only", mode, NULL});
        if (input->all_lines)
            add_arguments(command, (const char *const[]){"-mllvm", "-print-after=" CLANG_LINES_PASS, NULL});
    } else { /* clang 14 fails with more than directives */
        add_arguments(command, (const char *const[]){"-target", "nvptx64-nvidia-cuda", "-Xclang", "-target-cpu",
                                                     "-Xclang", target->processor, "-gline-directives-only", NULL});
    }
}

static enum status compiler_clang_run(const char *word, const struct inspect_target *target, const struct input *input,
                                      struct text *code, struct error *error)
{
    char processor[64], found[256];
    struct text said = {0}, assembly = {0};
    struct command command = {0};
    add_arguments(&command, input->hip ? (const char *const[]){word, "-x", "hip", "-std=c++17", "-O2", NULL}
                                       : (const char *const[]){word, "-x", "cl", "-cl-std=CL2.0", "-O2", NULL});
    add_target(target, input, processor, &command);
    add_arguments(&command, (const char *const[]){"-mllvm", "-use-unknown-locations=Enable", "-mllvm",
                                                  "-sink-common-insts=false", "-mllvm", "-enable-tail-merge=false",
                                                  "-w", "-S", "-o", "-", input->path, NULL});
    enum status status = tool_run_heard(command.arguments, SECONDS, MAXIMUM_BYTES, &assembly, &said, error);
    find_error(text_string(&said), found);
    if (status == STATUS_SYSTEM && found[0])
        status = error_set(error, STATUS_BUILD_FAILED, "%s: %s", last_part(word), found);
    else if (status == STATUS_OK && input->all_lines)
        clang_lines_add(text_string(&assembly), text_string(&said), code);
    else if (status == STATUS_OK)
        text_add(code, "%s", text_string(&assembly));
    text_release(&said);
    text_release(&assembly);
    return status;
}

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

static bool compiler_clang_is_access(const struct kernel *kernel, unsigned long line)
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
        if (place && compiler_clang_is_access(kernel, line))
            text_add(text, "%s%lu %u 1, function_name $L__info_string0, inlined_at %lu %lu 1\n", directive, file,
                     kernel->helpers_line, file, line);
        else {
            text_add_bytes(text, at, length);
            text_add(text, "\n");
        }
        at += length + (at[length] == '\n');
    }
}

/* The prelude's own words, in which groups meet, without orders: LLVM up to 19 makes no PTX of stores that release, and
 * only the threads are inspected. */
static const char relaxed_words[] = "#define memory_order_release memory_order_relaxed\n"
                                    "#define memory_order_acquire memory_order_relaxed\n"
                                    "#define memory_order_acq_rel memory_order_relaxed\n";
static const char usual_words[] = "#undef memory_order_release\n#undef memory_order_acquire\n"
                                  "#undef memory_order_acq_rel\n";

static bool compiler_clang_is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static enum status compiler_clang_compile(const char *word, const struct inspect_target *target,
                                          const struct kernel *kernel, bool all_lines, struct compiled_kernel *compiled,
                                          struct error *error)
{
    const bool amd = strcmp(target->machine, "amdgcn") == 0;
    struct memory_file file;
    struct text text = {0};
    if (kernel->lowering->is_cuda)
        text_add(&text, "%s", backend_find("hip")->prelude);
    else
        text_add(&text, "%s%s%s%s", clang_words, amd ? "" : relaxed_words, backend_find("opencl")->prelude,
                 amd ? "" : usual_words);
    compiler_clang_add_kernel(kernel, &text);
    enum status status = memory_file_make(text_string(&text), text.size, &file, error);
    if (status == STATUS_OK) {
        const struct input input = {file.path, kernel->lowering->is_cuda, amd && all_lines};
        status = compiler_clang_run(word, target, &input, &compiled->code, error);
        memory_file_close(&file);
    }
    if (status == STATUS_OK && compiler_clang_is_blank(text_string(&compiled->code)))
        status = error_set(error, STATUS_BUILD_FAILED, "the compiler printed no assembly");
    if (status == STATUS_OK && !amd) {
        struct text ptx = {0};
        add_body(text_string(&compiled->code), &ptx);
        text_clear(&compiled->code);
        add_calls(kernel, text_string(&ptx), &compiled->code);
        text_release(&ptx);
    }
    compiled->machine = amd ? INSPECT_AMDGCN : INSPECT_PTX;
    compiled->first_line = 1;
    compiled->has_all_lines = !amd || all_lines;
    text_release(&text);
    return status;
}

static enum status check(const char *word, const struct inspect_target *target, struct error *error)
{
    struct memory_file file;
    struct text code = {0};
    static const char empty[] = "kernel void orchil(void) {}\n";
    TRY(memory_file_make(empty, strlen(empty), &file, error));
    const enum status status = compiler_clang_run(word, target, &(const struct input){.path = file.path}, &code, error);
    memory_file_close(&file);
    text_release(&code);
    return status;
}

static void add_targets(const char *word, struct text *text)
{
    struct inspect_target target = {.machine = "amdgcn"};
    struct error ignored;
    text_add(text, "amdgcn:");
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        (void)snprintf(target.processor, sizeof target.processor, "%s", processors[i]);
        if (check(word, &target, &ignored) == STATUS_OK)
            text_add(text, "%s%s", text->data[text->size - 1] == ':' ? "" : ",", processors[i]);
    }
}

const struct inspect_compiler_kind inspect_compiler_clang = {
    /* those of Debian 12, with its security updates */
    .words = {"clang-14", "clang-15", "clang-16", "clang-19", "clang-22"},
    .owns = owns,
    .version = version,
    .add_targets = add_targets,
    .check = check,
    .compile = compiler_clang_compile};
