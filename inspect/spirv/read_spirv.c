// SPDX-License-Identifier: Apache-2.0
/*
 * Reads a module of SPIR-V that glslang made with -g.
 *
 * Calls are followed as if each function were inlined where it is called: so an instruction has the lines of its own
 * function, of the call, and so on outwards, and control flow is that of one item. Instructions that do nothing to
 * memory that items share are left out, but for branches.
 *
 * The line of an instruction is that of the OpLine before it in its function. SPIR-V ends its effect with the block,
 * but glslang writes one only where the line changes.
 */
#include "inspect/needs.h"
#include "inspect/readers.h"
#include "litmus/language/vulkan_instructions.h"

enum { SPIRV_HEADER_WORDS = 5 };

struct spirv_module {
    struct arena arena;
    const uint32_t *words; /* in this machine's byte order */
    size_t count;
    uint32_t bound;          /* ids are below it */
    const uint32_t *defined; /* per id: the index of the instruction that defines it; 0: none does */
    uint32_t entry;          /* the id of the function of its only entry point */
    bool older;              /* it declares the memory model GLSL450 */
    bool coherent;           /* it decorates a variable or a member as Coherent */
};

/* Opcodes that are read for what they define or where they lead (SPIR-V 1.6, section 3.52). */
enum spirv_opcode_number {
    SPIRV_LINE = 8,
    SPIRV_MEMORY_MODEL = 14,
    SPIRV_ENTRY_POINT = 15,
    SPIRV_TYPE_INT = 21,
    SPIRV_TYPE_FLOAT = 22,
    SPIRV_TYPE_VECTOR = 23,
    SPIRV_TYPE_POINTER = 32,
    SPIRV_TYPE_FORWARD_POINTER = 39,
    SPIRV_CONSTANT_TRUE = 41,
    SPIRV_CONSTANT_FALSE = 42,
    SPIRV_CONSTANT = 43,
    SPIRV_FUNCTION = 54,
    SPIRV_FUNCTION_END = 56,
    SPIRV_FUNCTION_CALL = 57,
    SPIRV_LOAD = 61,
    SPIRV_STORE = 62,
    SPIRV_DECORATE = 71,
    SPIRV_MEMBER_DECORATE = 72,
    SPIRV_LABEL = 248,
    SPIRV_BRANCH = 249,
    SPIRV_BRANCH_CONDITIONAL = 250,
    SPIRV_SWITCH = 251,
    SPIRV_KILL = 252,
    SPIRV_RETURN = 253,
    SPIRV_RETURN_VALUE = 254,
    SPIRV_UNREACHABLE = 255,
    SPIRV_NO_LINE = 317,
};

enum { SPIRV_MAXIMUM_FLAGS = 64 /* predicates of a listing; others are not known */ };

struct spirv_flags {
    struct arena arena;
    const bool *holds_constants; /* per id */
    /* Predicate i + 1: the variable has the value. */
    struct {
        uint32_t variable, value;
    } flags[SPIRV_MAXIMUM_FLAGS];
    unsigned count;
};

/* ---- the words of a module ---- */

/* The words of a SPIR-V module (SPIR-V 1.6, section 2.3), and what they define. Every word is read through these
 * functions, which know the sizes, so a damaged module gives 0 or NULL, never a read beyond it. */

enum { MOST_WORDS = 16 << 20, GLSL450 = 1, COHERENT = 23 };

static const uint32_t magic = 0x07230203, reversed_magic = 0x03022307;

static uint32_t reverse(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/* Of the instruction at an index: its opcode, its length in words, and a word of it; 0 beyond its end. */
static unsigned spirv_opcode_at(const struct spirv_module *module, size_t at)
{
    return at < module->count ? module->words[at] & 0xffff : 0;
}

static size_t spirv_length_at(const struct spirv_module *module, size_t at)
{
    return at < module->count ? module->words[at] >> 16 : 0;
}

static uint32_t spirv_word(const struct spirv_module *module, size_t at, size_t word)
{
    return word < spirv_length_at(module, at) && at + word < module->count ? module->words[at + word] : 0;
}

/* The index of the instruction that defines an id; 0 if none does. */
static size_t spirv_definition(const struct spirv_module *module, uint32_t id)
{
    return id < module->bound ? module->defined[id] : 0;
}

/* The value of an integer constant of 32 bits; false if the id is no such constant, as a specialisation constant is
 * not. */
static bool spirv_constant(const struct spirv_module *module, uint32_t id, uint32_t *value)
{
    const size_t at = spirv_definition(module, id), type = spirv_definition(module, spirv_word(module, at, 1));
    *value = spirv_word(module, at, 3);
    return spirv_opcode_at(module, at) == SPIRV_CONSTANT && spirv_length_at(module, at) == 4 &&
           spirv_opcode_at(module, type) == SPIRV_TYPE_INT;
}

/* The operand of an instruction that is its result, as a word of it, of the instructions whose results are looked at:
 * types, constants, functions and their parameters, and whatever gives a pointer or a condition; else 0. */
static size_t result_word(unsigned opcode)
{
    static const unsigned char with_type[] = {
        1,                 /* OpUndef */
        55,  57,  59,  60, /* OpFunctionParameter, OpFunctionCall, OpVariable, OpImageTexelPointer */
        61,  65,  66,  67, /* OpLoad, OpAccessChain, OpInBoundsAccessChain, OpPtrAccessChain */
        70,  83,  120,     /* OpInBoundsPtrAccessChain, OpCopyObject, OpConvertUToPtr */
        124, 169, 245,     /* OpBitcast, OpSelect, OpPhi */
        170, 171,          /* OpIEqual, OpINotEqual */
    };
    if (opcode >= 19 && opcode < SPIRV_TYPE_FORWARD_POINTER)
        return 1;
    if ((opcode >= SPIRV_CONSTANT_TRUE && opcode <= SPIRV_FUNCTION) || memchr(with_type, (int)opcode, sizeof with_type))
        return 2;
    return opcode == SPIRV_LABEL ? 1 : 0;
}

/* Reads a whole module. SYNTAX, with the place in bytes, if it is not one, or does not have exactly one entry point.
 * The caller releases *module whatever the result. */
static enum status spirv_module_read(const char *bytes, size_t size, struct spirv_module *module, struct error *error)
{
    *module = (struct spirv_module){.count = size / 4};
    if (size % 4 != 0 || module->count < SPIRV_HEADER_WORDS || module->count > MOST_WORDS)
        return error_set(error, STATUS_SYNTAX, "a file of %zu bytes is not SPIR-V: expected %d to %d words of 4 bytes",
                         size, SPIRV_HEADER_WORDS, MOST_WORDS);
    uint32_t *words = arena_take(&module->arena, module->count, sizeof *words);
    memcpy(words, bytes, size);
    if (words[0] != magic && words[0] != reversed_magic)
        return error_set(error, STATUS_SYNTAX, "not SPIR-V: first word 0x%08x, expected 0x%08x", words[0], magic);
    for (size_t i = 0; words[0] == reversed_magic && i < module->count; i++)
        words[module->count - 1 - i] = reverse(words[module->count - 1 - i]);
    module->words = words;
    module->bound = words[3];
    if (module->bound > MOST_WORDS)
        return error_set(error, STATUS_SYNTAX, "the SPIR-V is damaged: it claims to have %u ids", module->bound);
    uint32_t *defined = arena_take(&module->arena, module->bound, sizeof *defined);
    for (size_t at = SPIRV_HEADER_WORDS, length; at < module->count; at += length) {
        const unsigned opcode = spirv_opcode_at(module, at);
        length = spirv_length_at(module, at);
        if (length == 0 || length > module->count - at)
            return error_set(error, STATUS_SYNTAX, "the SPIR-V is damaged: its instruction at byte 0x%zx has %zu words",
                             at * 4, length);
        const uint32_t result =
            opcode < 256 && result_word(opcode) > 0 ? spirv_word(module, at, result_word(opcode)) : 0;
        if (result > 0 && result < module->bound)
            defined[result] = (uint32_t)at;
        module->older |= opcode == SPIRV_MEMORY_MODEL && spirv_word(module, at, 2) == GLSL450;
        module->coherent |= (opcode == SPIRV_DECORATE && spirv_word(module, at, 2) == COHERENT) ||
                            (opcode == SPIRV_MEMBER_DECORATE && spirv_word(module, at, 3) == COHERENT);
        if (opcode != SPIRV_ENTRY_POINT)
            continue;
        if (module->entry != 0)
            return error_set(error, STATUS_SYNTAX, "the SPIR-V has several entry points; expected one kernel");
        module->entry = spirv_word(module, at, 2);
    }
    module->defined = defined;
    if (module->older && module->coherent)
        return error_set(error, STATUS_SYNTAX,
                         "the SPIR-V declares the memory model GLSL450 and has Coherent variables: inspect the output "
                         "of `spirv-opt --upgrade-memory-model`");
    return module->entry != 0 ? STATUS_OK
                              : error_set(error, STATUS_SYNTAX, "the SPIR-V has no entry point; expected a kernel");
}

/* ---- opcodes ---- */

static const enum machine_effect effects[] = {
    [VULKAN_LOAD] = MACHINE_LOAD,   [VULKAN_STORE] = MACHINE_STORE,     [VULKAN_UPDATE] = MACHINE_UPDATE,
    [VULKAN_FENCE] = MACHINE_FENCE, [VULKAN_BARRIER] = MACHINE_BARRIER,
};

/* Ranges of instructions that access no memory, or only what their pointers lead to in another instruction:
 * declarations, access chains, arithmetic, control flow, exchange within a sub-group. */
static const struct {
    unsigned first, last;
} harmless[] = {
    {0, 60},      /* to OpImageTexelPointer */
    {65, 70},     /* access chains, OpArrayLength */
    {71, 84},     /* decorations, composites, OpCopyObject, OpTranspose */
    {109, 126},   /* conversions, negations */
    {127, 205},   /* arithmetic, comparisons, bits */
    {207, 215},   /* derivatives */
    {245, 257},   /* control flow */
    {317, 317},   /* OpNoLine */
    {330, 366},   /* OpModuleProcessed, OpExecutionModeId, OpDecorateId, OpGroupNonUniform* */
    {400, 403},   /* OpCopyLogical, OpPtrEqual, OpPtrNotEqual, OpPtrDiff */
    {5056, 5056}, /* OpReadClockKHR */
};

enum {
    OPERAND_VOLATILE = 1,
    OPERAND_ALIGNED = 2,
    SEMANTICS_VOLATILE = 0x8000,
    SHARED_BY_GROUP = 2, /* VULKAN's storage class 1 */
    MOST_LANES = 16
};

/* ---- types ---- */

/* The bytes and the lanes of a value; 0 bytes if it is no number and no vector of them. */
static void read_spirv_measure(const struct spirv_module *module, uint32_t type, unsigned *bytes, unsigned *lanes)
{
    size_t at = spirv_definition(module, type);
    *lanes = 1;
    if (spirv_opcode_at(module, at) == SPIRV_TYPE_VECTOR) {
        const uint32_t parts = spirv_word(module, at, 3);
        *lanes = parts > 0 && parts <= MOST_LANES ? parts : 1;
        at = spirv_definition(module, spirv_word(module, at, 2));
    }
    const unsigned opcode = spirv_opcode_at(module, at);
    const bool number = opcode == SPIRV_TYPE_INT || opcode == SPIRV_TYPE_FLOAT;
    *bytes = number ? (spirv_word(module, at, 2) & 0xff) / 8 * *lanes : 0;
}

/* Fills in the memory that a pointer leads to. False if no other item can access it. */
static bool read_pointer(const struct spirv_module *module, uint32_t pointer, struct machine_instruction *instruction,
                         struct text *text)
{
    const size_t at = spirv_definition(module, pointer), type = spirv_definition(module, spirv_word(module, at, 1));
    if (spirv_opcode_at(module, type) != SPIRV_TYPE_POINTER) {
        instruction->unread = "what its pointer leads to";
        return true;
    }
    read_spirv_measure(module, spirv_word(module, type, 3), &instruction->bytes, &instruction->lanes);
    const struct vulkan_word *storage = vulkan_spirv_word(VULKAN_STORAGE, spirv_word(module, type, 2));
    if (!storage)
        return false;
    instruction->region = storage->value == SHARED_BY_GROUP ? LITMUS_LOCAL : LITMUS_GLOBAL;
    instruction->semantics = storage->value;
    text_add(text, " %s", storage->spirv);
    return true;
}

/* ---- scopes and semantics ---- */

static enum litmus_scope read_scope(const struct spirv_module *module, uint32_t id,
                                    struct machine_instruction *instruction, struct text *text)
{
    uint32_t value;
    const struct vulkan_word *scope =
        spirv_constant(module, id, &value) ? vulkan_spirv_word(VULKAN_SCOPE, value) : NULL;
    if (!scope) {
        instruction->unread = "its scope";
        return LITMUS_SCOPE_NONE;
    }
    text_add(text, " %s", scope->spirv);
    return (enum litmus_scope)scope->value;
}

/* Adds the order and the semantics of a mask. */
static void read_semantics(const struct spirv_module *module, uint32_t id, struct litmus_ordering *ordering,
                           struct machine_instruction *instruction, struct text *text)
{
    const char *before = " ";
    uint32_t value;
    ordering->order = LITMUS_RELAXED;
    if (!spirv_constant(module, id, &value)) {
        instruction->unread = "its memory semantics";
        return;
    }
    for (const struct vulkan_word *word = NULL; (word = vulkan_next_word(VULKAN_ORDER, word));)
        if (value & word->number) {
            ordering->order = (enum litmus_order)word->value;
            text_add(text, "%s%s", before, word->spirv);
            before = "|";
        }
    for (const struct vulkan_word *word = NULL; (word = vulkan_next_word(VULKAN_SEMANTICS, word));)
        if (value & word->number) {
            ordering->semantics |= word->value;
            text_add(text, "%s%s", before, word->spirv);
            before = "|";
        }
    if (value & SEMANTICS_VOLATILE)
        instruction->hints |= MACHINE_HINT_VOLATILE;
    if (before[0] == ' ')
        text_add(text, " Relaxed");
}

/* The memory operands of a load or a store, from a word on. Vulkan's memory model has no others. */
static void read_operands(const struct spirv_module *module, size_t at, size_t word,
                          struct machine_instruction *instruction, struct text *text)
{
    const uint32_t operands = spirv_word(module, at, word++);
    uint32_t known = 0;
    for (const struct vulkan_word *row = NULL; (row = vulkan_next_word(VULKAN_OPERAND, row));) {
        known |= row->number;
        if (!(operands & row->number))
            continue;
        instruction->semantics |= row->value;
        text_add(text, " %s", row->spirv);
        if (row->number == OPERAND_ALIGNED)
            word++;
        if (row->value & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
            instruction->scope = read_scope(module, spirv_word(module, at, word++), instruction, text);
    }
    if (operands & ~known)
        instruction->unread = "what a memory operand means";
    if (operands & OPERAND_VOLATILE)
        instruction->hints |= MACHINE_HINT_VOLATILE;
}

/* Fills in what the instruction at an index does to memory that items share, and appends its text, with scopes and
 * semantics as words ("OpAtomicStore StorageBuffer Device Release|UniformMemory"). What the module does not say (a
 * scope that is no constant) or this reader does not know is `unread`. False: it does nothing to such memory. */
static bool spirv_opcode_read(const struct spirv_module *module, size_t at, struct machine_instruction *instruction,
                              struct text *text)
{
    const unsigned number = spirv_opcode_at(module, at);
    const struct vulkan_instruction *row = vulkan_find_opcode(number);
    if (!row && ANY_OF(range, harmless, COUNT(harmless), number >= range->first && number <= range->last))
        return false;
    if (!row) {
        instruction->effect = MACHINE_UPDATE;
        instruction->unread = "what it does to memory";
        text_add(text, "instruction %u of SPIR-V", number);
        return true;
    }
    instruction->effect = effects[row->shape];
    instruction->operation = row->means;
    text_add(text, "%s", row->spirv);
    if (row->pointer && !read_pointer(module, spirv_word(module, at, row->pointer), instruction, text))
        return false;
    if (row->shape == VULKAN_BARRIER)
        instruction->vulkan.meeting = read_scope(module, spirv_word(module, at, 1), instruction, text);
    if (row->scope) {
        const size_t semantics = row->scope + 1u;
        instruction->scope = read_scope(module, spirv_word(module, at, row->scope), instruction, text);
        read_semantics(module, spirv_word(module, at, semantics), &instruction->ordering, instruction, text);
        if (row->means == LITMUS_CAS)
            read_semantics(module, spirv_word(module, at, semantics + 1), &instruction->vulkan.failure, instruction,
                           text);
        if (row->pointer)
            instruction->ordering = vulkan_whole(instruction->ordering);
        instruction->vulkan.is_signed = row->is_signed;
    } else
        read_operands(module, at, row->shape == VULKAN_LOAD ? 4 : 3, instruction, text);
    if (module->older && !row->scope && instruction->region == LITMUS_LOCAL)
        instruction->unread = "what GLSL450 says about the memory of a work-group"; /* Coherent without saying so */
    return true;
}

/* ---- local variables that hold only constants, as predicates ---- */

/* Local variables that only ever hold constants, as predicates. GLSL has no goto, so a kernel says in a variable which
 * part of a thread comes next (lower/, body.c), and asks it in each part. Whether it is one of the constants that it is
 * compared with is a predicate of the listing, so that no path goes where it says otherwise. */

enum { VARIABLE = 59, EQUAL = 170, NOT_EQUAL = 171, OF_FUNCTION = 7 /* the storage class */ };

/* The variable and the constant that an instruction compares, in either order. */
static bool read_comparison(const struct spirv_module *module, size_t at, uint32_t *variable, uint32_t *value,
                            size_t *load)
{
    const unsigned opcode = spirv_opcode_at(module, at);
    if (opcode != EQUAL && opcode != NOT_EQUAL)
        return false;
    for (size_t i = 3; i < 5; i++) {
        *load = spirv_definition(module, spirv_word(module, at, i));
        *variable = spirv_word(module, *load, 3);
        if (spirv_opcode_at(module, *load) == SPIRV_LOAD &&
            spirv_constant(module, spirv_word(module, at, 7 - i), value))
            return true;
    }
    return false;
}

static unsigned find_flag(const struct spirv_flags *flags, uint32_t variable, uint32_t value)
{
    for (unsigned i = 0; i < flags->count; i++)
        if (flags->flags[i].variable == variable && flags->flags[i].value == value)
            return i + 1;
    return 0;
}

/* Finds them in the module. The caller releases *flags. */
static void spirv_flags_find(const struct spirv_module *module, struct spirv_flags *flags)
{
    *flags = (struct spirv_flags){0};
    bool *holds_constants = arena_take(&flags->arena, module->bound, sizeof *holds_constants);
    size_t code = SPIRV_HEADER_WORDS;
    while (code < module->count && spirv_opcode_at(module, code) != SPIRV_FUNCTION)
        code += spirv_length_at(module, code);
    for (size_t at = code; at < module->count; at += spirv_length_at(module, at))
        if (spirv_opcode_at(module, at) == VARIABLE && spirv_word(module, at, 3) == OF_FUNCTION &&
            spirv_length_at(module, at) == 4 && spirv_word(module, at, 2) < module->bound)
            holds_constants[spirv_word(module, at, 2)] = true;
    for (size_t at = code; at < module->count; at += spirv_length_at(module, at)) {
        /* A word may be a literal that looks like the variable's id; then the variable is not a flag. */
        const unsigned opcode = spirv_opcode_at(module, at);
        if (opcode == SPIRV_LINE || opcode == VARIABLE)
            continue;
        for (size_t i = 1; i < spirv_length_at(module, at); i++) {
            const uint32_t id = spirv_word(module, at, i);
            uint32_t ignored;
            const bool loads = opcode == SPIRV_LOAD && i == 3;
            const bool stores =
                opcode == SPIRV_STORE && i == 1 && spirv_constant(module, spirv_word(module, at, 2), &ignored);
            if (id < module->bound && !loads && !stores)
                holds_constants[id] = false;
        }
    }
    flags->holds_constants = holds_constants;
    for (size_t at = code; at < module->count; at += spirv_length_at(module, at)) {
        uint32_t variable, value;
        size_t load;
        if (flags->count == SPIRV_MAXIMUM_FLAGS || !read_comparison(module, at, &variable, &value, &load) ||
            variable >= module->bound || !flags->holds_constants[variable] || find_flag(flags, variable, value) != 0)
            continue;
        flags->flags[flags->count].variable = variable;
        flags->flags[flags->count++].value = value;
    }
}

/* Whether the instruction stores a constant in such a variable, and which. */
static bool spirv_flags_store(const struct spirv_module *module, const struct spirv_flags *flags, size_t at,
                              uint32_t *variable, uint32_t *value)
{
    *variable = spirv_word(module, at, 1);
    return spirv_opcode_at(module, at) == SPIRV_STORE && *variable < module->bound &&
           flags->holds_constants[*variable] && spirv_constant(module, spirv_word(module, at, 2), value);
}

/* Whether the variable still has the value that was loaded: the branch is in the same block, and nothing writes the
 * variable between. */
static bool is_current(const struct spirv_module *module, uint32_t variable, size_t load, size_t branch)
{
    for (size_t at = load; at < branch; at += spirv_length_at(module, at))
        if (spirv_opcode_at(module, at) == SPIRV_LABEL ||
            (spirv_opcode_at(module, at) == SPIRV_STORE && spirv_word(module, at, 1) == variable))
            return false;
    return load < branch;
}

/* The predicate on which a conditional branch depends, and the value with which the condition is true; 0 if it depends
 * on something else. */
static unsigned spirv_flags_guard(const struct spirv_module *module, const struct spirv_flags *flags, size_t branch,
                                  bool *value)
{
    const size_t condition = spirv_definition(module, spirv_word(module, branch, 1));
    uint32_t variable, compared;
    size_t load;
    if (!read_comparison(module, condition, &variable, &compared, &load) || !is_current(module, variable, load, branch))
        return 0;
    *value = spirv_opcode_at(module, condition) == EQUAL;
    return find_flag(flags, variable, compared);
}

/* ---- the listing ---- */

enum {
    MAXIMUM_DEPTH = 32,       /* of calls */
    MAXIMUM_VISITED = 1 << 22 /* words of all functions, once for each call */
};

/* The call through which the functions that are read are reached; NULL: none. */
struct spirv_call {
    unsigned line;
    unsigned depth;
    const struct spirv_call *outer;
};

/* A jump to a label whose place is not known yet. */
struct spirv_jump {
    size_t instruction;
    uint32_t label;
};

struct spirv_reader {
    struct spirv_module module;
    struct spirv_flags flags;
    struct listing *listing;
    struct error *error;
    unsigned line;  /* of the last OpLine of the function */
    size_t visited; /* words */
    long *
        labels; /* per id: the instruction at which the block of the function that is read begins; or MACHINE_NO_NEXT */
    bool *active;             /* per id: the function is being read */
    struct spirv_jump *jumps; /* of the functions that are being read */
    size_t jump_count, jump_room;
};

static struct machine_instruction *read_spirv_add_instruction(struct spirv_reader *reader, size_t at,
                                                              const struct spirv_call *call)
{
    struct listing *listing = reader->listing;
    struct machine_instruction *added = &LIST_ADD(listing->instructions, listing->count, listing->room);
    *added = (struct machine_instruction){
        .text = "", .place = at * 4, .lanes = 1, .next = (long)listing->count, .branch = MACHINE_NO_NEXT};
    if (reader->line > 0)
        added->lines[added->line_count++] = reader->line;
    for (; call && added->line_count < MACHINE_MAXIMUM_LINES; call = call->outer)
        if (call->line > 0)
            added->lines[added->line_count++] = call->line;
    return added;
}

/* Adds a branch to a label, which is always taken or, with `also`, after which the next instruction may come. */
static struct machine_instruction *add_branch(struct spirv_reader *reader, size_t at, const struct spirv_call *call,
                                              uint32_t label, bool also)
{
    struct machine_instruction *added = read_spirv_add_instruction(reader, at, call);
    added->predicated = also;
    if (!also)
        added->next = MACHINE_NO_NEXT;
    LIST_ADD(reader->jumps, reader->jump_count, reader->jump_room) =
        (struct spirv_jump){reader->listing->count - 1, label};
    return added;
}

static void add_conditional(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    const unsigned condition = spirv_opcode_at(module, spirv_definition(module, spirv_word(module, at, 1)));
    if (condition != SPIRV_CONSTANT_FALSE) {
        struct machine_instruction *added =
            add_branch(reader, at, call, spirv_word(module, at, 2), condition != SPIRV_CONSTANT_TRUE);
        added->guard = spirv_flags_guard(module, &reader->flags, at, &added->guard_value);
    }
    if (condition != SPIRV_CONSTANT_TRUE)
        (void)add_branch(reader, at, call, spirv_word(module, at, 3), false);
}

/* The literals are of 32 bits: orchil's kernels switch over nothing wider. */
static void add_switch(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    for (size_t i = 4; i < spirv_length_at(module, at); i += 2)
        (void)add_branch(reader, at, call, spirv_word(module, at, i), true);
    (void)add_branch(reader, at, call, spirv_word(module, at, 2), false);
}

static enum status read_spirv_refuse(const struct spirv_reader *reader, size_t at, const char *what)
{
    return error_set(reader->error, STATUS_SYNTAX, "byte 0x%zx of the SPIR-V: %s", at * 4, what);
}

static enum status add_function(struct spirv_reader *reader, uint32_t id, size_t caller, const struct spirv_call *call);

/* After a call, the line is that of the calling function again. */
static enum status read_spirv_add_call(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const unsigned line = reader->line;
    const struct spirv_call inner = {line, call ? call->depth + 1 : 1, call};
    if (inner.depth > MAXIMUM_DEPTH)
        return read_spirv_refuse(reader, at, "calls are nested too deeply");
    TRY(add_function(reader, spirv_word(&reader->module, at, 3), at, &inner));
    reader->line = line;
    return STATUS_OK;
}

static void add_memory(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    struct machine_instruction read = {.lanes = 1};
    LOCAL(text) text = {0};
    if (spirv_opcode_read(&reader->module, at, &read, &text)) {
        struct machine_instruction *added = read_spirv_add_instruction(reader, at, call);
        const struct machine_instruction frame = *added;
        *added = read;
        added->text = arena_copy(&reader->listing->arena, text_string(&text));
        added->place = frame.place;
        added->next = frame.next;
        added->branch = frame.branch;
        added->line_count = frame.line_count;
        for (unsigned i = 0; i < frame.line_count; i++)
            added->lines[i] = frame.lines[i];
    }
}

/* Whether the block of a label, or the function's end for none, comes next, so that no jump leads there. */
static bool is_next(const struct spirv_module *module, size_t at, uint32_t label)
{
    const size_t next = at + spirv_length_at(module, at);
    const unsigned opcode = spirv_opcode_at(module, next);
    return label == 0 ? opcode == SPIRV_FUNCTION_END : opcode == SPIRV_LABEL && spirv_word(module, next, 1) == label;
}

static void set_flag(struct machine_instruction *instruction, unsigned predicate, bool value)
{
    instruction->writes = UINT64_C(1) << (predicate - 1);
    instruction->masks[0] = (struct machine_mask){.operation = MACHINE_MASK_MOVE,
                                                  .to = (unsigned char)predicate,
                                                  .left = value ? MACHINE_MASK_TRUE : MACHINE_MASK_FALSE,
                                                  .right = MACHINE_MASK_UNKNOWN};
}

/* Adds what a store says of the predicates of its variable. */
static void add_flags(struct spirv_reader *reader, size_t at, const struct spirv_call *call, uint32_t variable,
                      uint32_t value)
{
    for (unsigned i = 0; i < reader->flags.count; i++)
        if (reader->flags.flags[i].variable == variable)
            set_flag(read_spirv_add_instruction(reader, at, call), i + 1, reader->flags.flags[i].value == value);
}

static enum status add_one(struct spirv_reader *reader, size_t at, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    uint32_t variable, value;
    if (spirv_flags_store(module, &reader->flags, at, &variable, &value)) {
        add_flags(reader, at, call, variable, value);
        return STATUS_OK;
    }
    switch (spirv_opcode_at(module, at)) {
    case SPIRV_LINE:
        reader->line = spirv_word(module, at, 2);
        break;
    case SPIRV_NO_LINE:
        reader->line = 0;
        break;
    case SPIRV_LABEL:
        if (spirv_word(module, at, 1) < module->bound)
            reader->labels[spirv_word(module, at, 1)] = (long)reader->listing->count;
        (void)read_spirv_add_instruction(reader, at, call);
        break;
    case SPIRV_BRANCH:
        if (!is_next(module, at, spirv_word(module, at, 1)))
            (void)add_branch(reader, at, call, spirv_word(module, at, 1), false);
        break;
    case SPIRV_BRANCH_CONDITIONAL:
        add_conditional(reader, at, call);
        break;
    case SPIRV_SWITCH:
        add_switch(reader, at, call);
        break;
    case SPIRV_RETURN:
    case SPIRV_RETURN_VALUE: /* to the end of the function, whose label is none */
        if (!is_next(module, at, 0))
            (void)add_branch(reader, at, call, 0, false);
        break;
    case SPIRV_KILL:
    case SPIRV_UNREACHABLE:
        read_spirv_add_instruction(reader, at, call)->next = MACHINE_NO_NEXT;
        break;
    case SPIRV_FUNCTION_CALL:
        return read_spirv_add_call(reader, at, call);
    default:
        add_memory(reader, at, call);
    }
    return STATUS_OK;
}

/* Gives the function's jumps their targets, and forgets its labels. */
static enum status join_jumps(struct spirv_reader *reader, size_t first_jump, size_t start, size_t end)
{
    const struct spirv_module *module = &reader->module;
    const long returned = (long)reader->listing->count - 1;
    for (size_t i = first_jump; i < reader->jump_count; i++) {
        const struct spirv_jump *jump = &reader->jumps[i];
        struct machine_instruction *from = &reader->listing->instructions[jump->instruction];
        from->branch = jump->label == 0              ? returned
                       : jump->label < module->bound ? reader->labels[jump->label]
                                                     : MACHINE_NO_NEXT;
        if (from->branch == MACHINE_NO_NEXT)
            return read_spirv_refuse(reader, from->place / 4, "a branch to a label that its function does not have");
    }
    reader->jump_count = first_jump;
    for (size_t at = start; at < end; at += spirv_length_at(module, at))
        if (spirv_opcode_at(module, at) == SPIRV_LABEL && spirv_word(module, at, 1) < module->bound)
            reader->labels[spirv_word(module, at, 1)] = MACHINE_NO_NEXT;
    return STATUS_OK;
}

/* Adds the instructions of a function, and one after them at which it returns. caller: the index of the call. */
static enum status add_function(struct spirv_reader *reader, uint32_t id, size_t caller, const struct spirv_call *call)
{
    const struct spirv_module *module = &reader->module;
    const size_t start = spirv_definition(module, id), first_jump = reader->jump_count;
    size_t at = start;
    if (spirv_opcode_at(module, start) != SPIRV_FUNCTION)
        return read_spirv_refuse(reader, caller, "a call of something that is not a function of the module");
    if (reader->active[id])
        return read_spirv_refuse(reader, caller, "a function that calls itself");
    reader->active[id] = true;
    reader->line = 0;
    for (; spirv_opcode_at(module, at) != SPIRV_FUNCTION_END; at += spirv_length_at(module, at)) {
        if (at >= module->count)
            return read_spirv_refuse(reader, start, "a function without an end");
        reader->visited += spirv_length_at(module, at);
        if (reader->visited > MAXIMUM_VISITED)
            return read_spirv_refuse(reader, start, "the code is too large");
        TRY(add_one(reader, at, call));
    }
    reader->line = 0;
    (void)read_spirv_add_instruction(reader, at, call);
    reader->active[id] = false;
    return join_jumps(reader, first_jump, start, at);
}

static enum status read_functions(struct spirv_reader *reader)
{
    const struct spirv_module *module = &reader->module;
    spirv_flags_find(module, &reader->flags);
    reader->labels = memory_take(module->bound, sizeof *reader->labels);
    reader->active = memory_take(module->bound, sizeof *reader->active);
    for (uint32_t i = 0; i < module->bound; i++)
        reader->labels[i] = MACHINE_NO_NEXT;
    TRY(add_function(reader, module->entry, 0, NULL));
    reader->listing->instructions[reader->listing->count - 1].next = MACHINE_NO_NEXT;
    if (ANY_OF(instruction, reader->listing->instructions, reader->listing->count, instruction->line_count > 0))
        return STATUS_OK;
    return error_set(reader->error, STATUS_SYNTAX, "the SPIR-V has no line information (OpLine)");
}

enum status listing_read_spirv(const char *bytes, size_t size, struct listing *listing, struct error *error)
{
    struct spirv_reader reader = {.listing = listing, .error = error};
    *listing = (struct listing){0};
    enum status status = spirv_module_read(bytes, size, &reader.module, error);
    THEN(status, read_functions(&reader));
    free(reader.labels);
    free(reader.active);
    free(reader.jumps);
    arena_release(&reader.flags.arena);
    reader.flags = (struct spirv_flags){0};
    arena_release(&reader.module.arena);
    reader.module = (struct spirv_module){0};
    return status;
}

/* ---- lines of calls ---- */

/* Corrects the lines of calls in a statement of several steps. glslang gives all calls of a statement one of its lines,
 * although each step has a line of its own there. The helper that a call leads to is known by its own lines, and its
 * name is on the step's line: the k-th call of a helper in a statement is the k-th step that names it. */

struct placing {
    const struct inspect_subject *subject;
    const char **lines; /* of kernel->source: where each begins; the first is line 1 */
    unsigned count;
    unsigned *calls; /* per step: the calls that were placed there */
};

static const char *line_at(const struct placing *placing, unsigned line)
{
    return line >= 1 && line <= placing->count ? placing->lines[line - 1] : "";
}

/* The function that a line of a helper is in: its name, as far as "(". */
static const char *name_of_helper(const struct placing *placing, unsigned line, size_t *size)
{
    static const char head[] = "FUNCTION ";
    while (line > 0 && strncmp(line_at(placing, line), head, strlen(head)) != 0)
        line--;
    const char *text = line_at(placing, line), *end = text + strcspn(text, "(\n"), *name = end;
    while (name > text && name[-1] != ' ')
        name--;
    *size = (size_t)(end - name);
    return name;
}

/* Whether a line names a function, up to "(". */
static bool names(const char *line, const char *name, size_t size)
{
    const char *const end = line + strcspn(line, "\n");
    for (const char *at = line; at + size < end; at++)
        if (at[size] == '(' && memcmp(at, name, size) == 0 && (at == line || strchr(" (!", at[-1])))
            return true;
    return false;
}

/* Whether a statement goes on after a line. */
static bool read_spirv_goes_on(const char *line)
{
    const size_t size = strcspn(line, "\n");
    return size > 0 && !strchr(";{}", line[size - 1]);
}

static void place_one(struct placing *placing, struct machine_instruction *instruction)
{
    const struct kernel *kernel = placing->subject->kernel;
    const unsigned before = placing->subject->first_line - 1;
    for (unsigned i = 1; i < instruction->line_count; i++) {
        const unsigned line = instruction->lines[i] - before, inner = instruction->lines[i - 1] - before;
        if (instruction->lines[i] <= before || line < kernel->functions_line || line >= kernel->functions_end)
            continue;
        if (instruction->lines[i - 1] <= before || inner < kernel->helpers_line || inner >= kernel->functions_line)
            return;
        size_t size;
        const char *name = name_of_helper(placing, inner, &size);
        /* The step of the statement on a line that names the helper, and has had the fewest calls. */
        unsigned first = line, last = line;
        int step = LITMUS_NONE;
        while (first > kernel->functions_line && read_spirv_goes_on(line_at(placing, first - 1)))
            first--;
        while (last < placing->count && read_spirv_goes_on(line_at(placing, last)))
            last++;
        for (unsigned k = 0; k < kernel->step_count; k++)
            if (kernel->steps[k].line >= first && kernel->steps[k].line <= last &&
                names(line_at(placing, kernel->steps[k].line), name, size) &&
                (step == LITMUS_NONE || placing->calls[k] < placing->calls[step]))
                step = (int)k;
        if (step == LITMUS_NONE)
            return;
        placing->calls[step]++;
        instruction->lines[i] = kernel->steps[step].line + before;
        return;
    }
}

void spirv_place(const struct inspect_subject *subject, struct listing *listing)
{
    struct placing placing = {.subject = subject,
                              .calls = memory_take(subject->kernel->step_count + 1, sizeof *placing.calls)};
    const char *source = placing.subject->kernel->source;
    size_t room = 0, count = 0;
    for (const char *at = source; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        LIST_ADD(placing.lines, count, room) = at;
    placing.count = (unsigned)count;
    for (size_t i = 0; i < listing->count; i++)
        if (listing->instructions[i].effect != MACHINE_NOTHING)
            place_one(&placing, &listing->instructions[i]);
    free(placing.lines);
    free(placing.calls);
}
