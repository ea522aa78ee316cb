// SPDX-License-Identifier: Apache-2.0
/* Decodes the accesses, fences and barriers of SPIR-V: scopes, memory semantics, memory operands and
 * storage classes, in VULKAN's words. */
#include "inspect/spirv/spirv_opcode.h"

#include "litmus/language/vulkan_instructions.h"

static const enum machine_effect effects[] = {
    [VULKAN_LOAD] = MACHINE_LOAD,   [VULKAN_STORE] = MACHINE_STORE,     [VULKAN_UPDATE] = MACHINE_UPDATE,
    [VULKAN_FENCE] = MACHINE_FENCE, [VULKAN_BARRIER] = MACHINE_BARRIER,
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

enum {
    OPERAND_VOLATILE = 1,
    OPERAND_ALIGNED = 2,
    SEMANTICS_VOLATILE = 0x8000,
    SHARED_BY_GROUP = 2, /* VULKAN's storage class 1 */
    MOST_LANES = 16
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

static void read_atomic(const struct spirv_module *module, size_t at, const struct vulkan_instruction *row,
                        struct machine_instruction *instruction, struct text *text)
{
    const size_t semantics = row->scope + 1u;
    instruction->scope = read_scope(module, spirv_word(module, at, row->scope), instruction, text);
    read_semantics(module, spirv_word(module, at, semantics), &instruction->ordering, instruction, text);
    if (row->means == LITMUS_CAS)
        read_semantics(module, spirv_word(module, at, semantics + 1), &instruction->vulkan.failure, instruction, text);
    if (row->pointer)
        instruction->ordering = vulkan_whole(instruction->ordering);
    instruction->vulkan.is_signed = row->is_signed;
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
    const struct vulkan_instruction *row = vulkan_find_opcode(number);
    if (!row && is_harmless(number))
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
    if (row->scope)
        read_atomic(module, at, row, instruction, text);
    else
        read_operands(module, at, row->shape == VULKAN_LOAD ? 4 : 3, instruction, text);
    return true;
}
