// SPDX-License-Identifier: Apache-2.0
/* Decodes the accesses, fences and barriers of SPIR-V: scopes, memory semantics, memory operands and
 * storage classes, in VULKAN's words. */
#include "inspect/spirv/spirv_opcode.h"

#include <string.h>

/* The instructions, with the words of their operands; 0: it has no such operand. */
static const struct opcode {
    unsigned number;
    const char *name;
    enum machine_effect effect;
    enum litmus_operation operation;
    unsigned char pointer, scope, semantics;
    bool is_signed;
} opcodes[] = {
    {SPIRV_LOAD, "OpLoad", MACHINE_LOAD, LITMUS_LOAD, 3, 0, 0, false},
    {SPIRV_STORE, "OpStore", MACHINE_STORE, LITMUS_STORE, 1, 0, 0, false},
    {SPIRV_CONTROL_BARRIER, "OpControlBarrier", MACHINE_BARRIER, LITMUS_LOAD, 0, 2, 3, false},
    {225, "OpMemoryBarrier", MACHINE_FENCE, LITMUS_LOAD, 0, 1, 2, false},
    {227, "OpAtomicLoad", MACHINE_LOAD, LITMUS_LOAD, 3, 4, 5, false},
    {228, "OpAtomicStore", MACHINE_STORE, LITMUS_STORE, 1, 2, 3, false},
    {229, "OpAtomicExchange", MACHINE_UPDATE, LITMUS_EXCHANGE, 3, 4, 5, false},
    {SPIRV_ATOMIC_COMPARE_EXCHANGE, "OpAtomicCompareExchange", MACHINE_UPDATE, LITMUS_CAS, 3, 4, 5, false},
    {232, "OpAtomicIIncrement", MACHINE_UPDATE, LITMUS_FETCH_ADD, 3, 4, 5, false},
    {233, "OpAtomicIDecrement", MACHINE_UPDATE, LITMUS_FETCH_SUB, 3, 4, 5, false},
    {234, "OpAtomicIAdd", MACHINE_UPDATE, LITMUS_FETCH_ADD, 3, 4, 5, false},
    {235, "OpAtomicISub", MACHINE_UPDATE, LITMUS_FETCH_SUB, 3, 4, 5, false},
    {236, "OpAtomicSMin", MACHINE_UPDATE, LITMUS_FETCH_MIN, 3, 4, 5, true},
    {237, "OpAtomicUMin", MACHINE_UPDATE, LITMUS_FETCH_MIN, 3, 4, 5, false},
    {238, "OpAtomicSMax", MACHINE_UPDATE, LITMUS_FETCH_MAX, 3, 4, 5, true},
    {239, "OpAtomicUMax", MACHINE_UPDATE, LITMUS_FETCH_MAX, 3, 4, 5, false},
    {240, "OpAtomicAnd", MACHINE_UPDATE, LITMUS_FETCH_AND, 3, 4, 5, false},
    {241, "OpAtomicOr", MACHINE_UPDATE, LITMUS_FETCH_OR, 3, 4, 5, false},
    {242, "OpAtomicXor", MACHINE_UPDATE, LITMUS_FETCH_XOR, 3, 4, 5, false},
};

/* Ranges of instructions that access no memory, or only what their pointers lead to in another
 * instruction: declarations, access chains, arithmetic, control flow, exchange within a sub-group. */
static const struct {
    unsigned first, last;
} harmless[] = {
    {0, 60},    /* to OpImageTexelPointer */
    {65, 70},   /* access chains, OpArrayLength */
    {71, 84},   /* decorations, composites, OpCopyObject, OpTranspose */
    {109, 126}, /* conversions, negations */
    {127, 205}, /* arithmetic, comparisons, bits */
    {207, 215}, /* derivatives */
    {245, 257}, /* control flow */
    {317, 317}, /* OpNoLine */
    {330, 366}, /* OpModuleProcessed, OpExecutionModeId, OpDecorateId, OpGroupNonUniform* */
    {400, 403}, /* OpCopyLogical, OpPtrEqual, OpPtrNotEqual, OpPtrDiff */
};

/* Storage classes that other items can access, with VULKAN's class; the others are an item's own or
 * cannot be written. */
static const struct {
    uint32_t number;
    const char *name;
    enum litmus_region region;
    unsigned semantics;
} storages[] = {
    {2, "Uniform", LITMUS_GLOBAL, 1},
    {4, "Workgroup", LITMUS_LOCAL, 2},
    {5, "CrossWorkgroup", LITMUS_GLOBAL, 1},
    {11, "Image", LITMUS_GLOBAL, 4},
    {12, "StorageBuffer", LITMUS_GLOBAL, 1},
    {3, "Output", LITMUS_GLOBAL, 8},
    {5349, "PhysicalStorageBuffer", LITMUS_GLOBAL, 1},
};

static const struct {
    const char *name;
    enum litmus_scope scope;
} scopes[] = {
    {"CrossDevice", LITMUS_ALL_DEVICES}, {"Device", LITMUS_DEVICE},        {"Workgroup", LITMUS_WORK_GROUP},
    {"Subgroup", LITMUS_SUB_GROUP},      {"Invocation", LITMUS_WORK_ITEM}, {"QueueFamily", LITMUS_QUEUE_FAMILY},
};

enum { ON = LITMUS_STORAGE_SHIFT, MOST_LANES = 16 };

/* Bits of memory semantics but the orders. */
static const struct {
    uint32_t bit;
    const char *name;
    unsigned semantics;
} semantic_bits[] = {
    {0x40, "UniformMemory", 1 << ON},
    {0x80, "SubgroupMemory", 0},
    {0x100, "WorkgroupMemory", 2 << ON},
    {0x200, "CrossWorkgroupMemory", 1 << ON},
    {0x400, "AtomicCounterMemory", 0},
    {0x800, "ImageMemory", 4 << ON},
    {0x1000, "OutputMemory", 8 << ON},
    {0x2000, "MakeAvailable", LITMUS_MAKE_AVAILABLE},
    {0x4000, "MakeVisible", LITMUS_MAKE_VISIBLE},
    {0x8000, "Volatile", 0},
};

static const struct {
    uint32_t bit;
    const char *name;
    enum litmus_order order;
} orders[] = {
    {0x2, "Acquire", LITMUS_ACQUIRE},
    {0x4, "Release", LITMUS_RELEASE},
    {0x8, "AcquireRelease", LITMUS_ACQ_REL},
    {0x10, "SequentiallyConsistent", LITMUS_SEQ_CST},
};

/* Bits of memory operands. */
enum {
    OPERAND_VOLATILE = 1,
    OPERAND_ALIGNED = 2,
    OPERAND_MAKE_AVAILABLE = 8,
    OPERAND_MAKE_VISIBLE = 16,
    OPERAND_NON_PRIVATE = 32,
    KNOWN_OPERANDS = 0x3f
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- types ---- */

/* The bytes and the lanes of a value; 0 bytes if it is no number and no vector of them. */
static void measure(const struct spirv_module *module, uint32_t type, unsigned *bytes, unsigned *lanes)
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
    measure(module, spirv_word(module, type, 3), &instruction->bytes, &instruction->lanes);
    for (size_t i = 0; i < COUNT(storages); i++)
        if (storages[i].number == spirv_word(module, type, 2)) {
            instruction->region = storages[i].region;
            instruction->vulkan.semantics = storages[i].semantics;
            text_add(text, " %s", storages[i].name);
            return true;
        }
    return false;
}

/* ---- scopes and semantics ---- */

static enum litmus_scope read_scope(const struct spirv_module *module, uint32_t id,
                                    struct machine_instruction *instruction, struct text *text)
{
    uint32_t value;
    if (!spirv_constant(module, id, &value) || value >= COUNT(scopes)) {
        instruction->unread = "its scope";
        return LITMUS_SCOPE_NONE;
    }
    text_add(text, " %s", scopes[value].name);
    return scopes[value].scope;
}

static enum litmus_order read_semantics(const struct spirv_module *module, uint32_t id, unsigned *semantics,
                                        struct machine_instruction *instruction, struct text *text)
{
    enum litmus_order order = LITMUS_RELAXED;
    const char *before = " ";
    uint32_t value;
    if (!spirv_constant(module, id, &value)) {
        instruction->unread = "its memory semantics";
        return order;
    }
    for (size_t i = 0; i < COUNT(orders); i++)
        if (value & orders[i].bit) {
            order = orders[i].order;
            text_add(text, "%s%s", before, orders[i].name);
            before = "|";
        }
    for (size_t i = 0; i < COUNT(semantic_bits); i++)
        if (value & semantic_bits[i].bit) {
            *semantics |= semantic_bits[i].semantics;
            text_add(text, "%s%s", before, semantic_bits[i].name);
            before = "|";
        }
    if (value & 0x8000)
        instruction->hints |= MACHINE_HINT_VOLATILE;
    if (before[0] == ' ')
        text_add(text, " Relaxed");
    return order;
}

/* The memory operands of a load or a store, from a word on. Vulkan's memory model has no others. */
static void read_operands(const struct spirv_module *module, size_t at, size_t word,
                          struct machine_instruction *instruction, struct text *text)
{
    static const char *const names[] = {"Volatile",           "Aligned",          "Nontemporal", "MakePointerAvailable",
                                        "MakePointerVisible", "NonPrivatePointer"};
    const uint32_t operands = spirv_word(module, at, word++);
    if (operands & ~(uint32_t)KNOWN_OPERANDS)
        instruction->unread = "what a memory operand means";
    if (operands & OPERAND_VOLATILE)
        instruction->hints |= MACHINE_HINT_VOLATILE;
    for (size_t i = 0; i < COUNT(names); i++) {
        const uint32_t bit = operands & 1u << i;
        if (bit)
            text_add(text, " %s", names[i]);
        if (bit == OPERAND_ALIGNED)
            word++;
        if (bit == OPERAND_MAKE_AVAILABLE || bit == OPERAND_MAKE_VISIBLE) {
            instruction->scope = read_scope(module, spirv_word(module, at, word++), instruction, text);
            instruction->vulkan.semantics |= bit == OPERAND_MAKE_AVAILABLE ? LITMUS_AVAILABLE : LITMUS_VISIBLE;
        }
    }
    if (operands & OPERAND_NON_PRIVATE)
        instruction->vulkan.semantics |= LITMUS_NON_PRIVATE;
}

/* An atomic access is non-private, and makes available and visible what it accesses (Vulkan, "Availability and Visibility"). */
static void read_atomic(const struct spirv_module *module, size_t at, const struct opcode *opcode,
                        struct machine_instruction *instruction, struct text *text)
{
    struct machine_vulkan *vulkan = &instruction->vulkan;
    instruction->scope = read_scope(module, spirv_word(module, at, opcode->scope), instruction, text);
    instruction->order =
        read_semantics(module, spirv_word(module, at, opcode->semantics), &vulkan->semantics, instruction, text);
    if (opcode->number == SPIRV_ATOMIC_COMPARE_EXCHANGE)
        vulkan->failure = read_semantics(module, spirv_word(module, at, opcode->semantics + 1u),
                                         &vulkan->failure_semantics, instruction, text);
    if (opcode->pointer)
        vulkan->semantics |= LITMUS_NON_PRIVATE | LITMUS_AVAILABLE | LITMUS_VISIBLE;
    vulkan->is_signed = opcode->is_signed;
}

static const struct opcode *find_opcode(unsigned number)
{
    for (size_t i = 0; i < COUNT(opcodes); i++)
        if (opcodes[i].number == number)
            return &opcodes[i];
    return NULL;
}

static bool is_harmless(unsigned number)
{
    for (size_t i = 0; i < COUNT(harmless); i++)
        if (number >= harmless[i].first && number <= harmless[i].last)
            return true;
    return false;
}

bool spirv_opcode_read(const struct spirv_module *module, size_t at, struct machine_instruction *instruction,
                       struct text *text)
{
    const unsigned number = spirv_opcode_at(module, at);
    const struct opcode *opcode = find_opcode(number);
    if (!opcode && is_harmless(number))
        return false;
    if (!opcode) {
        instruction->effect = MACHINE_UPDATE;
        instruction->unread = "what it does to memory";
        text_add(text, "instruction %u of SPIR-V", number);
        return true;
    }
    instruction->effect = opcode->effect;
    instruction->operation = opcode->operation;
    text_add(text, "%s", opcode->name);
    if (opcode->pointer && !read_pointer(module, spirv_word(module, at, opcode->pointer), instruction, text))
        return false;
    if (number == SPIRV_CONTROL_BARRIER)
        instruction->vulkan.meeting = read_scope(module, spirv_word(module, at, 1), instruction, text);
    if (opcode->scope)
        read_atomic(module, at, opcode, instruction, text);
    else
        read_operands(module, at, number == SPIRV_LOAD ? 4 : 3, instruction, text);
    return true;
}
