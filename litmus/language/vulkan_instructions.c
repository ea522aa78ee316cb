// SPDX-License-Identifier: Apache-2.0
/* The tables of VULKAN's instructions and words. */
#include "litmus/language/vulkan_instructions.h"

#include "litmus/language/order.h"

/* SPIR-V has no other operations that an atomic instruction on integers may name. GLSL has no subtraction: the opposite
 * is added. */
static const struct vulkan_instruction instructions[] = {
    {"ld", NULL, VULKAN_LOAD, LITMUS_LOAD, false, NULL, "OpLoad", 61, 3, 0, false, 0},
    {"st", NULL, VULKAN_STORE, LITMUS_STORE, false, NULL, "OpStore", 62, 1, 0, false, 0},
    {"ld", NULL, VULKAN_LOAD, LITMUS_LOAD, true, "atomicLoad", "OpAtomicLoad", 227, 3, 4, false, 0},
    {"st", NULL, VULKAN_STORE, LITMUS_STORE, true, "atomicStore", "OpAtomicStore", 228, 1, 2, false, 0},
    {"rmw", NULL, VULKAN_UPDATE, LITMUS_EXCHANGE, true, "atomicExchange", "OpAtomicExchange", 229, 3, 4, false, 0},
    {"rmw", "cas", VULKAN_UPDATE, LITMUS_CAS, true, "atomicCompSwap", "OpAtomicCompareExchange", 230, 3, 4, false, 0},
    {"rmw", "add", VULKAN_UPDATE, LITMUS_FETCH_ADD, true, "atomicAdd", "OpAtomicIAdd", 234, 3, 4, false, 0},
    {NULL, NULL, VULKAN_UPDATE, LITMUS_FETCH_ADD, true, NULL, "OpAtomicIIncrement", 232, 3, 4, false, 0},
    {"rmw", "sub", VULKAN_UPDATE, LITMUS_FETCH_SUB, true, "atomicAdd", "OpAtomicISub", 235, 3, 4, false, 0},
    {NULL, NULL, VULKAN_UPDATE, LITMUS_FETCH_SUB, true, NULL, "OpAtomicIDecrement", 233, 3, 4, false, 0},
    {"rmw", "and", VULKAN_UPDATE, LITMUS_FETCH_AND, true, "atomicAnd", "OpAtomicAnd", 240, 3, 4, false, 0},
    {"rmw", "or", VULKAN_UPDATE, LITMUS_FETCH_OR, true, "atomicOr", "OpAtomicOr", 241, 3, 4, false, 0},
    {"rmw", "xor", VULKAN_UPDATE, LITMUS_FETCH_XOR, true, "atomicXor", "OpAtomicXor", 242, 3, 4, false, 0},
    {"rmw", "min", VULKAN_UPDATE, LITMUS_FETCH_MIN, true, "atomicMin", "OpAtomicUMin", 237, 3, 4, false, 0},
    {NULL, NULL, VULKAN_UPDATE, LITMUS_FETCH_MIN, true, NULL, "OpAtomicSMin", 236, 3, 4, true, 0},
    {"rmw", "max", VULKAN_UPDATE, LITMUS_FETCH_MAX, true, "atomicMax", "OpAtomicUMax", 239, 3, 4, false, 0},
    {NULL, NULL, VULKAN_UPDATE, LITMUS_FETCH_MAX, true, NULL, "OpAtomicSMax", 238, 3, 4, true, 0},
    {"membar", NULL, VULKAN_FENCE, LITMUS_LOAD, true, "memoryBarrier", "OpMemoryBarrier", 225, 0, 1, false, 0},
    {"cbar", NULL, VULKAN_BARRIER, LITMUS_LOAD, true, "controlBarrier", "OpControlBarrier", 224, 0, 2, false, 0},
    {"avdevice", NULL, VULKAN_HOST, LITMUS_LOAD, false, NULL, NULL, 0, 0, 0, false, LITMUS_AVAILABLE_DEVICE},
    {"visdevice", NULL, VULKAN_HOST, LITMUS_LOAD, false, NULL, NULL, 0, 0, 0, false, LITMUS_VISIBLE_DEVICE},
};

enum {
    LOADS = 1 << VULKAN_LOAD,
    STORES = 1 << VULKAN_STORE,
    PLAIN = LOADS | STORES,
    BARRIERS = 1 << VULKAN_FENCE | 1 << VULKAN_BARRIER,
    ACCESSES = PLAIN | 1 << VULKAN_UPDATE,
    BOTH = 1 << VULKAN_UPDATE | BARRIERS, /* what acquires and releases */
    ALL = ACCESSES | BARRIERS
};

#define ON_STORAGE(number) (1U << (LITMUS_STORAGE_SHIFT + (number)))

/* Of each part in the order in which VULKAN and SPIR-V print it. No instruction is seq_cst; the word is for
 * messages. */
static const struct vulkan_word words[] = {
    {VULKAN_ORDER, "atom", LITMUS_RELAXED, ACCESSES, NULL, NULL, 0},
    {VULKAN_ORDER, "acq", LITMUS_ACQUIRE, LOADS | BOTH, "gl_SemanticsAcquire", "Acquire", 0x2},
    {VULKAN_ORDER, "rel", LITMUS_RELEASE, STORES | BOTH, "gl_SemanticsRelease", "Release", 0x4},
    {VULKAN_ORDER, "acq_rel", LITMUS_ACQ_REL, BOTH, "gl_SemanticsAcquireRelease", "AcquireRelease", 0x8},
    {VULKAN_ORDER, "seq_cst", LITMUS_SEQ_CST, 0, NULL, "SequentiallyConsistent", 0x10},

    {VULKAN_SCOPE, "sg", LITMUS_SUB_GROUP, ALL, "gl_ScopeSubgroup", "Subgroup", 3},
    {VULKAN_SCOPE, "wg", LITMUS_WORK_GROUP, ALL, "gl_ScopeWorkgroup", "Workgroup", 2},
    {VULKAN_SCOPE, "qf", LITMUS_QUEUE_FAMILY, ALL, "gl_ScopeQueueFamily", "QueueFamily", 5},
    {VULKAN_SCOPE, "dv", LITMUS_DEVICE, ALL, "gl_ScopeDevice", "Device", 1},
    {VULKAN_SCOPE, NULL, LITMUS_WORK_ITEM, 0, NULL, "Invocation", 4},
    {VULKAN_SCOPE, NULL, LITMUS_ALL_DEVICES, 0, NULL, "CrossDevice", 0},

    {VULKAN_OPERAND, NULL, 0, 0, NULL, "Volatile", 1},
    {VULKAN_OPERAND, NULL, 0, 0, NULL, "Aligned", 2},
    {VULKAN_OPERAND, NULL, 0, 0, NULL, "Nontemporal", 4},
    {VULKAN_OPERAND, "av", LITMUS_AVAILABLE, STORES, NULL, "MakePointerAvailable", 8},
    {VULKAN_OPERAND, "vis", LITMUS_VISIBLE, LOADS, NULL, "MakePointerVisible", 16},
    {VULKAN_OPERAND, "nonpriv", LITMUS_NON_PRIVATE, PLAIN, NULL, "NonPrivatePointer", 32},

    {VULKAN_STORAGE, "sc0", 1, ACCESSES, NULL, "Uniform", 2},
    {VULKAN_STORAGE, NULL, 1, 0, NULL, "CrossWorkgroup", 5},
    {VULKAN_STORAGE, NULL, 1, 0, NULL, "StorageBuffer", 12},
    {VULKAN_STORAGE, NULL, 1, 0, NULL, "PhysicalStorageBuffer", 5349},
    {VULKAN_STORAGE, "sc1", 2, ACCESSES, NULL, "Workgroup", 4},
    {VULKAN_STORAGE, "sc2", 4, ACCESSES, NULL, "Image", 11},
    {VULKAN_STORAGE, "sc3", 8, ACCESSES, NULL, "Output", 3},

    {VULKAN_SEMANTICS, "semsc0", ON_STORAGE(0), ALL, "gl_StorageSemanticsBuffer", "UniformMemory", 0x40},
    {VULKAN_SEMANTICS, NULL, 0, 0, NULL, "SubgroupMemory", 0x80},
    {VULKAN_SEMANTICS, "semsc1", ON_STORAGE(1), ALL, "gl_StorageSemanticsShared", "WorkgroupMemory", 0x100},
    {VULKAN_SEMANTICS, NULL, ON_STORAGE(0), 0, NULL, "CrossWorkgroupMemory", 0x200},
    {VULKAN_SEMANTICS, NULL, 0, 0, NULL, "AtomicCounterMemory", 0x400},
    {VULKAN_SEMANTICS, "semsc2", ON_STORAGE(2), ALL, NULL, "ImageMemory", 0x800},
    {VULKAN_SEMANTICS, "semsc3", ON_STORAGE(3), ALL, NULL, "OutputMemory", 0x1000},
    {VULKAN_SEMANTICS, "semav", LITMUS_MAKE_AVAILABLE, STORES | BOTH, "gl_SemanticsMakeAvailable", "MakeAvailable",
     0x2000},
    {VULKAN_SEMANTICS, "semvis", LITMUS_MAKE_VISIBLE, LOADS | BOTH, "gl_SemanticsMakeVisible", "MakeVisible", 0x4000},
    {VULKAN_SEMANTICS, NULL, 0, 0, NULL, "Volatile", 0x8000},

};

/* ---- words ---- */

static bool is_text(const char *word, const char *text, size_t size)
{
    return word && strlen(word) == size && memcmp(word, text, size) == 0;
}

const struct vulkan_word *vulkan_next_word(enum vulkan_part part, const struct vulkan_word *word)
{
    for (word = word ? word + 1 : words; word < words + COUNT(words); word++)
        if (word->part == part)
            return word;
    return NULL;
}

const struct vulkan_word *vulkan_find_word(const char *text, size_t size)
{
    return FIRST_OF(word, words, COUNT(words), is_text(word->text, text, size));
}

const struct vulkan_word *vulkan_word_of(enum vulkan_part part, unsigned value)
{
    for (const struct vulkan_word *word = NULL; (word = vulkan_next_word(part, word));)
        if (word->value == value)
            return word;
    return NULL;
}

const struct vulkan_word *vulkan_spirv_word(enum vulkan_part part, uint32_t number)
{
    for (const struct vulkan_word *word = NULL; (word = vulkan_next_word(part, word));)
        if (word->spirv && word->number == number)
            return word;
    return NULL;
}

const char *vulkan_word_name(enum vulkan_part part, unsigned value)
{
    const struct vulkan_word *word = vulkan_word_of(part, value);
    return word && word->text ? word->text : "?";
}

void vulkan_add_words(enum vulkan_part part, struct litmus_ordering ordering, struct text *text)
{
    for (const struct vulkan_word *word = NULL; (word = vulkan_next_word(part, word));)
        if (word->text && (ordering.semantics & word->value))
            text_add(text, ".%s", word->text);
}

/* ---- instructions ---- */

const struct vulkan_instruction *vulkan_find_name(const char *name, size_t size)
{
    return FIRST_OF(instruction, instructions, COUNT(instructions), is_text(instruction->name, name, size));
}

const struct vulkan_instruction *vulkan_find_update(const char *operation, size_t size)
{
    return FIRST_OF(instruction, instructions, COUNT(instructions), is_text(instruction->operation, operation, size));
}

const struct vulkan_instruction *vulkan_instruction_of(enum litmus_operation operation, bool atomic)
{
    return FIRST_OF(instruction, instructions, COUNT(instructions),
                    instruction->name && instruction->shape <= VULKAN_UPDATE && instruction->means == operation &&
                        instruction->atomic == atomic);
}

const struct vulkan_instruction *vulkan_host_operation(struct litmus_ordering ordering)
{
    return FIRST_OF(instruction, instructions, COUNT(instructions), instruction->host & ordering.semantics);
}

const struct vulkan_instruction *vulkan_find_opcode(unsigned number)
{
    return FIRST_OF(instruction, instructions, COUNT(instructions),
                    instruction->spirv && instruction->number == number);
}

const char *vulkan_operation_name(enum litmus_operation operation)
{
    const struct vulkan_instruction *row = vulkan_instruction_of(operation, true);
    return !row ? "?" : row->operation ? row->operation : row->name;
}

/* ---- orderings ---- */

enum { BY_ITSELF = LITMUS_AVAILABLE | LITMUS_VISIBLE | LITMUS_NON_PRIVATE };

struct litmus_ordering vulkan_whole(struct litmus_ordering written)
{
    if (written.order != LITMUS_PLAIN)
        written.semantics |= BY_ITSELF;
    else if (written.semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
        written.semantics |= LITMUS_NON_PRIVATE;
    return written;
}

struct litmus_ordering vulkan_own(struct litmus_ordering whole)
{
    if (whole.order != LITMUS_PLAIN)
        whole.semantics &= ~(unsigned)BY_ITSELF;
    else if (whole.semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
        whole.semantics &= ~(unsigned)LITMUS_NON_PRIVATE;
    return whole;
}

struct litmus_ordering vulkan_failure(struct litmus_ordering success, enum litmus_order failure)
{
    const unsigned kept = order_acquires(failure) ? LITMUS_ON_STORAGE | LITMUS_MAKE_VISIBLE : 0U;
    return (struct litmus_ordering){.order = failure, .semantics = success.semantics & kept};
}
