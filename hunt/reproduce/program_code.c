// SPDX-License-Identifier: Apache-2.0
/* The threads' code in a reproducer: with the test's names, and where a function of an instruction is one statement,
 * with this statement in place of its call. */
#include "hunt/reproduce/program.h"

/* ---- words ---- */

#define CUDA_LOCAL "(unsigned)__cvta_generic_to_shared"
#define OPENCL_MEET "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)"
#define GLSL_MEET "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, STORAGE, BOTH)"

/* What each word becomes in each target; NULL: it stays. A row with WORD_BRACKETS drops brackets where the word becomes
 * nothing. */
static const struct {
    const char *from, *cuda, *opencl, *glsl;
    enum template_word_form form;
} target_words[] = {
    {"draw", "", "", "", WORD_DRAWN},
    {"FUNCTION", "static __device__", "static", "", WORD_PLAIN},
    {"TABLE", "static __constant__ const", "__constant", "const", WORD_PLAIN},
    {"CONSTANT", "const", "__constant", NULL, WORD_PLAIN},
    {"GLOBAL", "", "__global", NULL, WORD_PLAIN},
    {"LOCAL", "", "__local", NULL, WORD_PLAIN},
    {"SHARED", "__shared__", "__local", NULL, WORD_PLAIN},
    {"ENTRY", "__global__ void __launch_bounds__(THREADS)", "__kernel void", NULL, WORD_PLAIN},
    {"group_barrier", "__syncthreads()", OPENCL_MEET, GLSL_MEET, WORD_CALL},
    {"GROUP", "blockIdx.x", "(uint)get_group_id(0)", "gl_WorkGroupID.x", WORD_PLAIN},
    {"LANE", "threadIdx.x", "(uint)get_local_id(0)", "gl_LocalInvocationID.x", WORD_PLAIN},
    {"GROUPS", "BLOCKS", NULL, NULL, WORD_PLAIN},
    {"STRESS_GROUPS", "STRESS_BLOCKS", NULL, NULL, WORD_PLAIN},
    {"GROUP_SIZE", "THREADS", NULL, NULL, WORD_PLAIN},
    {"LONG", "long long", "long", "int", WORD_PLAIN},
    {"s8", "signed char", "char", NULL, WORD_PLAIN},
    {"u8", "unsigned char", "uchar", NULL, WORD_PLAIN},
    {"s16", "short", "short", NULL, WORD_PLAIN},
    {"u16", "unsigned short", "ushort", NULL, WORD_PLAIN},
    {"u32", "unsigned", "uint", "uint", WORD_PLAIN},
    {"u64", "unsigned long long", "ulong", "uint", WORD_PLAIN},
    {"PLACE", NULL, NULL, "uint", WORD_PLAIN},
    {"VIEW_AT", NULL, NULL, "", WORD_ELEMENT},
    {"GLOBAL_OPERAND", "\"l\"", "\"l\"", NULL, WORD_PLAIN},
    {"LOCAL_OPERAND", "\"r\"", "\"l\"", NULL, WORD_PLAIN},
    {"GENERIC_OPERAND", "\"l\"", "\"l\"", NULL, WORD_PLAIN},
    {"global_address", "", "", NULL, WORD_BRACKETS},
    {"local_address", CUDA_LOCAL, "", NULL, WORD_BRACKETS},
    {"generic_address", "", "(__generic uint *)", NULL, WORD_BRACKETS},
};

void program_reword(const struct program *program, const char *kernel, struct text *text)
{
    struct template_word words[COUNT(target_words) + 1] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < COUNT(target_words); i++) {
        const char *const to = program->cuda   ? target_words[i].cuda
                               : program->glsl ? target_words[i].glsl
                                               : target_words[i].opencl;
        const bool plain = to && to[0] != '\0' && target_words[i].form == WORD_BRACKETS;
        if (to)
            words[count++] =
                (struct template_word){target_words[i].from, to, plain ? WORD_PLAIN : target_words[i].form};
    }
    words_replace(kernel, words, NULL, NULL, text);
}

/* ---- names ---- */

static bool is_plain_name(const char *name)
{
    size_t i = 0;
    while (isalnum((unsigned char)name[i]) || name[i] == '_')
        i++;
    return i > 0 && i < 32 && name[i] == '\0';
}

unsigned program_named(const struct program *program, unsigned body)
{
    return program->neutral ? 0 : body;
}

void program_print_name(const struct program *program, enum code_kind kind, unsigned body, unsigned number,
                        struct text *text)
{
    const struct litmus_thread *thread = &program->test->threads[body];
    const bool pointer = kind == CODE_POINTER;
    const char *name = pointer ? program->test->locations[number].name : thread->registers[number].name;
    if (program->neutral || !is_plain_name(name) ||
        (pointer && ANY_OF(own, thread->registers, thread->register_count, strcmp(own->name, name) == 0)))
        text_add(text, "p%u_%c%u", program_named(program, body), pointer ? 'x' : 'r', number);
    else
        text_add(text, "P%u_%s", thread->first, name);
}

/* ---- registers ---- */

bool program_keeps(const struct program *program, const struct code *code, unsigned body, unsigned number)
{
    unsigned count = 0, read = 0;
    if (allocation_observes(program->test, body, number))
        return true;
    for (size_t i = 0; i < code->count; i++) {
        const bool found = (code->pieces[i].kind == CODE_REGISTER || code->pieces[i].kind == CODE_TARGET) &&
                           code->pieces[i].body == body && code->pieces[i].number == number;
        count += found;
        read += found && code->pieces[i].kind == CODE_REGISTER;
    }
    return program->cuda ? count > 0 : read > 0 || count > 1;
}

static const char *type_of(const struct program *program, const struct code_piece *piece)
{
    return lower_type(program->test->threads[piece->body].registers[piece->number].type);
}

/* ---- functions of one statement ---- */

enum form {
    FORM_FUNCTION,  /* anything else */
    FORM_STATEMENT, /* one statement, or the value of one expression */
    FORM_RESULT     /* "TYPE result; asm volatile(...); return result;": for calls of the form NAME = f(...); */
};

/* The semicolon that ends the first statement, or NULL. */
static const char *statement_end(const char *body)
{
    bool quoted = false;
    for (; *body; body++) {
        quoted ^= *body == '"';
        if (*body == ';' && !quoted)
            return body;
    }
    return NULL;
}

/* The form of a function, and its statement without return and semicolon. The lowerings give bodies as text. */
static enum form form_of(const struct code_function *function, struct text *statement)
{
    const char *start = function->body;
    const char *const declared = PRINTED(64, "%s result; asm ", function->result);
    const bool result = strncmp(start, declared, strlen(declared)) == 0;
    if (result)
        start += strlen(declared) - strlen("asm ");
    const char *const end = statement_end(start);
    if (!end || strpbrk(start, "\n{") || strcmp(end + 1, result ? " return result;" : "") != 0)
        return FORM_FUNCTION;
    start += strncmp(start, "return ", 7) == 0 ? 7 : 0;
    text_add_bytes(statement, start, (size_t)(end - start));
    return result ? FORM_RESULT : FORM_STATEMENT;
}

/* ---- printing ---- */

/* The code of a slot. */
struct printing {
    const struct program *program;
    const struct code *code;
    bool single; /* of one thread, whose block then has no braces */
};

static void print_range(const struct printing *printing, size_t first, size_t last, struct text *text);

/* The end of an argument of the call that is open at the piece: a NEXT or END. */
static size_t argument_end(const struct code *code, size_t i)
{
    for (unsigned depth = 0;; i++) {
        const enum code_kind kind = code->pieces[i].kind;
        if (depth == 0 && (kind == CODE_NEXT || kind == CODE_END))
            return i;
        depth = depth + (kind == CODE_CALL) - (kind == CODE_END);
    }
}

/* One call: its function, its arguments as printed, and what takes its result. */
struct inlined_call {
    const struct code_function *function;
    const char *target;
    struct text *arguments;
    bool *fits; /* by argument: the parameter's type is the argument's */
};

static bool add_argument(const char *word, struct text *out, const void *context)
{
    const struct inlined_call *call = context;
    if (call->target && strcmp(word, "result") == 0) {
        text_add(out, "%s", call->target);
        return true;
    }
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *const argument = text_string(&call->arguments[i]), *const type = call->function->parameters[i].type;
        size_t plain = argument[0] == '&' || argument[0] == '-';
        if (strcmp(call->function->parameters[i].name, word) != 0)
            continue;
        while (isalnum((unsigned char)argument[plain]) || argument[plain] == '_')
            plain++;
        if (!call->fits[i])
            text_add(out, "(%.*s)", (int)strcspn(type, " "), type);
        text_add(out, argument[plain] == '\0' ? "%s" : "(%s)", argument);
        return true;
    }
    return false;
}

/* Whether an argument, the pieces from first to last, can replace the parameter without a cast. Inline PTX and
 * overloaded functions (PoCL's atomic_fetch_xor_explicit) need exactly the parameter's type. */
static bool fits_parameter(const struct printing *printing, size_t first, size_t last, const char *type,
                           const struct text *argument)
{
    const struct code_piece *const piece = &printing->code->pieces[first];
    const char *const number = text_string(argument) + (text_string(argument)[0] == '-');
    const size_t size = strcspn(type, " ");
    if (strchr(type, '*') || (strncmp(type, "int", size) == 0 && strspn(number, "0123456789") == strlen(number)))
        return true;
    const char *const own = last == first + 1 && piece->kind == CODE_REGISTER && piece[1].at == piece[-1].at
                                ? type_of(printing->program, piece)
                                : "";
    return strlen(own) == size && strncmp(own, type, size) == 0;
}

/* Prints the statement of a function in place of its call, the piece i. Returns the call's end. */
static size_t print_inlined(const struct printing *printing, size_t i, const struct text *statement, const char *target,
                            struct text *text)
{
    static const struct template_word none[] = {{0}};
    const struct code *const code = printing->code;
    const struct code_function *const function = &printing->program->pieces.writer.functions[code->pieces[i].number];
    struct text arguments[2 * LITMUS_MAXIMUM_LANES + 2] = {{0}};
    bool fits[2 * LITMUS_MAXIMUM_LANES + 2];
    const struct inlined_call call = {function, target, arguments, fits};
    size_t end = function->parameter_count > 0 ? i : argument_end(code, i + 1);
    for (size_t k = 0; k < function->parameter_count; k++) {
        const size_t first = end + 1;
        end = argument_end(code, first);
        print_range(printing, first, end, &arguments[k]);
        fits[k] = fits_parameter(printing, first, end, function->parameters[k].type, &arguments[k]);
    }
    words_replace(text_string(statement), none, add_argument, &call, text);
    for (size_t k = 0; k < function->parameter_count; k++)
        text_release(&arguments[k]);
    return end;
}

/* Prints "NAME = " before a call, or the call's statement. Returns the last piece that is printed. */
static size_t print_target(const struct printing *printing, size_t i, struct text *text)
{
    const struct program *const program = printing->program;
    const struct code_piece *const target = &printing->code->pieces[i];
    LOCAL(text) name = {0}, statement = {0};
    size_t last = i, call = i + 1;
    if (!program_keeps(program, printing->code, target->body, target->number))
        return i;
    while (call < printing->code->count && printing->code->pieces[call].kind == CODE_STEP)
        call++;
    const struct code_piece *const next = &printing->code->pieces[call];
    const struct code_function *const function =
        call < printing->code->count && next->kind == CODE_CALL && next->at == target->at && !program->glsl
            ? &program->pieces.writer.functions[next->number]
            : NULL;
    program_print_name(program, CODE_REGISTER, target->body, target->number, &name);
    if (function && strcmp(type_of(program, target), function->result) == 0 &&
        form_of(function, &statement) == FORM_RESULT)
        last = print_inlined(printing, call, &statement, text_string(&name), text);
    else
        text_add(text, "%s = ", text_string(&name));
    return last;
}

static size_t print_call(const struct printing *printing, size_t i, struct text *text)
{
    const struct program *const program = printing->program;
    const unsigned number = printing->code->pieces[i].number;
    LOCAL(text) statement = {0};
    if (!program->glsl && form_of(&program->pieces.writer.functions[number], &statement) == FORM_STATEMENT) {
        i = print_inlined(printing, i, &statement, NULL, text);
    } else {
        program->called[number] = true;
        code_print_piece(&program->pieces.writer, &printing->code->pieces[i], text);
    }
    return i;
}

/* Prints the piece i. Returns the last piece that is printed. */
static size_t print_piece(const struct printing *printing, size_t i, struct text *text)
{
    const struct program *const program = printing->program;
    struct code_piece piece = printing->code->pieces[i];
    const bool is_brace = piece.kind == CODE_OPEN || piece.kind == CODE_CLOSE;
    if (piece.kind == CODE_TARGET)
        return print_target(printing, i, text);
    if (piece.kind == CODE_CALL)
        return print_call(printing, i, text);
    piece.columns -= printing->single && piece.columns >= 8 ? 4 : 0;
    if (piece.kind == CODE_REGISTER || piece.kind == CODE_POINTER) {
        program_print_name(program, piece.kind, piece.body, piece.number, text);
        return i;
    }
    piece.body = program_named(program, piece.body);
    if (piece.kind == CODE_SITE) {
        if (program->draw.words[DRAW_DELAY_SITES] >> piece.number & 1u)
            text_add(text, "%*srest();\n", (int)piece.columns, "");
    } else if (piece.kind == CODE_BUDGET && !program->glsl) {
        /* A thread without iterations left leaves a loop, or ends at a label. Here the count of 0 shows this, instead
         * of a variable. */
        const int in = (int)piece.columns;
        if (piece.number == CODE_LEAVES_THREAD)
            text_add(text, "%*sif (--p%u_spins == 0)\n%*s    goto p%u_end;\n", in, "", piece.body, in, "", piece.body);
        else
            text_add(text, "%*sif (p%u_spins == 0 || --p%u_spins == 0)\n%*s    break;\n", in, "", piece.body,
                     piece.body, in, "");
    } else if (!is_brace || !printing->single)
        code_print_piece(&program->pieces.writer, &piece, text);
    return i;
}

/* Prints the pieces from first to the one before last, with the characters up to last. */
static void print_range(const struct printing *printing, size_t first, size_t last, struct text *text)
{
    const struct code *const code = printing->code;
    const char *const characters = text_string(&code->text);
    size_t at = first > 0 ? code->pieces[first - 1].at : 0;
    for (size_t i = first; i < last; i++) {
        text_add_bytes(text, characters + at, code->pieces[i].at - at);
        i = print_piece(printing, i, text);
        at = code->pieces[i].at;
    }
    text_add_bytes(text, characters + at, (last < code->count ? code->pieces[last].at : code->text.size) - at);
}

void program_print_code(const struct program *program, const struct code *code, bool single, struct text *text)
{
    const struct printing printing = {program, code, single};
    print_range(&printing, 0, code->count, text);
}

void program_print_functions(const struct program *program, struct text *text)
{
    const struct writer *const writer = &program->pieces.writer;
    for (size_t i = writer->function_count; i-- > 0;) /* those that are called come before the callers */
        for (size_t k = 0; k < writer->functions[i].call_count && program->called[i]; k++)
            program->called[writer->functions[i].calls[k]] = true;
    for (size_t i = 0; i < writer->function_count; i++)
        if (program->called[i] || program->glsl)
            code_print_function(&writer->functions[i], text);
}
