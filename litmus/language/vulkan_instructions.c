// SPDX-License-Identifier: Apache-2.0
/* The tables of VULKAN's instructions and words. */
#include "litmus/language/vulkan_instructions.h"

#include "litmus/language/order.h"
#include "litmus/language/vulkan_instructions_lists.h"

static const struct vulkan_instruction instructions[] = {VULKAN_INSTRUCTION_LIST(ROW_OF)};

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

static const struct vulkan_word words[] = {VULKAN_WORD_LIST(ROW_OF)};

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
