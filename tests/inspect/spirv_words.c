// SPDX-License-Identifier: Apache-2.0
/* An assembler of as much SPIR-V as the tests of its reader need. */
#include "tests/inspect/spirv_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Ids; those of constants, helpers and labels are beyond them. */
enum {
    MAIN = 1,
    FILE_NAME,
    VOID,
    FUNCTION_TYPE,
    WORD,
    LONG_WORD,
    BOOLEAN,
    CONDITION,
    NEXT,         /* the local variable */
    POINTER = 20, /* and a storage class */
    LONG_POINTER = 40,
    VARIABLE = 60,
    LONG_VARIABLE = 80,
    CONSTANT = 100, /* and its index among `constants` */
    LABEL = 200,    /* and its index among `labels` */
    OTHER = 300,
    CHOICE = 1000,
    BOUND = 2000,
    MOST = 64
};

enum { FUNCTION_CLASS = 7 };

static const struct {
    const char *name;
    uint32_t number;
} words[] = {
    {"Uniform", 2},
    {"Workgroup", 4},
    {"Private", 6},
    {"Function", 7},
    {"StorageBuffer", 12},
    {NULL, 0},
    /* scopes */
    {"CrossDevice", 0},
    {"Device", 1},
    {"Workgroup", 2},
    {"Subgroup", 3},
    {"Invocation", 4},
    {"QueueFamily", 5},
    {NULL, 0},
    /* semantics */
    {"Relaxed", 0},
    {"Acquire", 2},
    {"Release", 4},
    {"AcquireRelease", 8},
    {"UniformMemory", 0x40},
    {"WorkgroupMemory", 0x100},
    {"MakeAvailable", 0x2000},
    {"MakeVisible", 0x4000},
    {NULL, 0},
    /* memory operands */
    {"Volatile", 1},
    {"Aligned", 2},
    {"MakePointerAvailable", 8},
    {"MakePointerVisible", 16},
    {"NonPrivatePointer", 32},
    {NULL, 0},
};

enum kind { CLASSES, SCOPES, SEMANTICS, OPERANDS };

/* forms: p a pointer, s a scope, m semantics, o memory operands, v a value, r the result and its type */
static const struct {
    const char *name;
    uint32_t number;
    const char *form;
} opcodes[] = {
    {"OpLoad", 61, "rpo"},
    {"OpStore", 62, "pvo"},
    {"OpControlBarrier", 224, "ssm"},
    {"OpMemoryBarrier", 225, "sm"},
    {"OpAtomicLoad", 227, "rpsm"},
    {"OpAtomicStore", 228, "psmv"},
    {"OpAtomicExchange", 229, "rpsmv"},
    {"OpAtomicCompareExchange", 230, "rpsmmvv"},
    {"OpAtomicIAdd", 234, "rpsmv"},
    {"OpAtomicISub", 235, "rpsmv"},
    {"OpAtomicSMin", 236, "rpsmv"},
    {"OpAtomicUMin", 237, "rpsmv"},
    {"OpAtomicOr", 241, "rpsmv"},
};

struct writer {
    const struct kernel *kernel;
    struct text declared, helpers, body;
    uint32_t constants[MOST];
    char labels[MOST][16];
    unsigned constant_count, label_count, helper_count, choice_count;
};

static uint32_t number_of(enum kind kind, const char *name, size_t size)
{
    unsigned at = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        at += words[i].name == NULL;
        if (words[i].name && at == kind && strlen(words[i].name) == size && memcmp(words[i].name, name, size) == 0)
            return words[i].number;
    }
    fail_msg("'%.*s' is no such word of SPIR-V", (int)size, name);
    return 0;
}

static void add_words(struct text *text, uint32_t opcode, size_t count, const uint32_t *operands)
{
    const uint32_t first = (uint32_t)(count + 1) << 16 | opcode;
    text_add_bytes(text, (const char *)&first, sizeof first);
    text_add_bytes(text, (const char *)operands, count * sizeof *operands);
}

#define ADD(text, opcode, ...)                                                                                         \
    add_words(text, opcode, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

static uint32_t constant(struct writer *writer, uint32_t value)
{
    unsigned i = 0;
    while (i < writer->constant_count && writer->constants[i] != value)
        i++;
    assert_true(i < MOST);
    if (i == writer->constant_count) {
        writer->constants[writer->constant_count++] = value;
        ADD(&writer->declared, 43, WORD, CONSTANT + i, value);
    }
    return CONSTANT + i;
}

static uint32_t label(struct writer *writer, const char *name)
{
    unsigned i = 0;
    while (i < writer->label_count && strcmp(writer->labels[i], name) != 0)
        i++;
    assert_true(i < MOST && strlen(name) < sizeof writer->labels[0]);
    if (i == writer->label_count)
        memcpy(writer->labels[writer->label_count++], name, strlen(name) + 1);
    return LABEL + i;
}

static char *next_word(char **rest)
{
    return strtok_r(NULL, " ", rest);
}

static uint32_t read_semantics(const char *word)
{
    uint32_t value = 0;
    for (size_t size; *word; word += size + (word[size] == '|')) {
        size = strcspn(word, "|");
        value |= number_of(SEMANTICS, word, size);
    }
    return value;
}

/* "MakePointerVisible Device NonPrivatePointer": the mask, then the scopes. */
static size_t add_operands(struct writer *writer, char **rest, uint32_t *operands)
{
    size_t count = 1;
    operands[0] = 0;
    for (char *word = next_word(rest); word; word = next_word(rest)) {
        const uint32_t bit = number_of(OPERANDS, word, strlen(word));
        operands[0] |= bit;
        if (bit == 2)
            operands[count++] = 4;
        if (bit == 8 || bit == 16) {
            word = next_word(rest);
            operands[count++] = constant(writer, number_of(SCOPES, word, strlen(word)));
        }
    }
    return operands[0] != 0 ? count : 0;
}

static void add_opcode(struct writer *writer, const char *name, char **rest, struct text *text)
{
    uint32_t operands[16];
    size_t count = 0, row = 0, type = 0;
    while (row < sizeof opcodes / sizeof *opcodes && strcmp(opcodes[row].name, name) != 0)
        row++;
    if (row == sizeof opcodes / sizeof *opcodes)
        fail_msg("'%s' is no instruction of SPIR-V that these tests write", name);
    for (const char *form = opcodes[row].form; *form; form++) {
        char *word = strchr("psm", *form) ? next_word(rest) : NULL;
        const bool is_long = word && strstr(word, ":64") != NULL;
        switch (*form) {
        case 'r':
            type = count;
            operands[count++] = WORD;
            operands[count++] = OTHER;
            break;
        case 'p':
            operands[type] = is_long && form > opcodes[row].form ? LONG_WORD : operands[type];
            operands[count++] = (is_long ? LONG_VARIABLE : VARIABLE) + number_of(CLASSES, word, strcspn(word, ":"));
            break;
        case 's':
            operands[count++] = constant(writer, number_of(SCOPES, word, strlen(word)));
            break;
        case 'm':
            operands[count++] = constant(writer, read_semantics(word));
            break;
        case 'v':
            operands[count++] = constant(writer, 1);
            break;
        default:
            count += add_operands(writer, rest, operands + count);
        }
    }
    add_words(text, opcodes[row].number, count, operands);
}

/* A helper with one instruction, and its call from the step's line. */
static void add_step(struct writer *writer, unsigned step, const char *name, char **rest)
{
    const uint32_t id = OTHER + 1 + 2 * writer->helper_count++;
    ADD(&writer->helpers, 54, VOID, id, 0, FUNCTION_TYPE);
    ADD(&writer->helpers, 248, id + 1);
    ADD(&writer->helpers, 8, FILE_NAME, writer->kernel->helpers_line, 0);
    add_opcode(writer, name, rest, &writer->helpers);
    add_words(&writer->helpers, 253, 0, NULL);
    add_words(&writer->helpers, 56, 0, NULL);
    ADD(&writer->body, 8, FILE_NAME, writer->kernel->steps[step].line, 0);
    ADD(&writer->body, 57, VOID, OTHER, id);
}

static void add_choice(struct writer *writer, char **rest)
{
    char *first = next_word(rest), *second = next_word(rest);
    uint32_t condition = CONDITION;
    if (strcmp(second, "==") == 0) {
        assert_string_equal(first, "next");
        const uint32_t load = CHOICE + 2 * writer->choice_count++;
        condition = load + 1;
        ADD(&writer->body, 61, WORD, load, NEXT);
        ADD(&writer->body, 170, BOOLEAN, condition, load,
            constant(writer, (uint32_t)strtoul(next_word(rest), NULL, 10)));
        first = next_word(rest);
        second = next_word(rest);
    }
    const uint32_t yes = label(writer, first), no = label(writer, second);
    ADD(&writer->body, 250, condition, yes, no);
}

static bool is_flow(const char *word)
{
    return word[strlen(word) - 1] == ':' || strcmp(word, "branch") == 0 || strcmp(word, "choose") == 0 ||
           strcmp(word, "next") == 0;
}

/* What is not in a helper. */
static void add_around(struct writer *writer, unsigned line, char *word, char **rest)
{
    ADD(&writer->body, 8, FILE_NAME, line, 0);
    if (word[strlen(word) - 1] == ':') {
        word[strlen(word) - 1] = '\0';
        ADD(&writer->body, 248, label(writer, word));
    } else if (strcmp(word, "branch") == 0)
        ADD(&writer->body, 249, label(writer, next_word(rest)));
    else if (strcmp(word, "choose") == 0)
        add_choice(writer, rest);
    else if (strcmp(word, "next") == 0) {
        assert_string_equal(next_word(rest), "=");
        ADD(&writer->body, 62, NEXT, constant(writer, (uint32_t)strtoul(next_word(rest), NULL, 10)));
    } else if (strcmp(word, "unknown") == 0)
        ADD(&writer->body, (uint32_t)strtoul(next_word(rest), NULL, 10), WORD);
    else
        add_opcode(writer, word, rest, &writer->body);
}

static void declare(struct writer *writer)
{
    static const uint32_t classes[] = {2, 4, 6, 7, 12};
    struct text *text = &writer->declared;
    ADD(text, 15, 5, MAIN, 0x6863726f /* "orch" */, 0x6c69 /* "il" */);
    ADD(text, 7, FILE_NAME, 0);
    ADD(text, 19, VOID);
    ADD(text, 33, FUNCTION_TYPE, VOID);
    ADD(text, 21, WORD, 32, 0);
    ADD(text, 21, LONG_WORD, 64, 0);
    ADD(text, 20, BOOLEAN);
    ADD(text, 1, BOOLEAN, CONDITION);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        const uint32_t class = classes[i];
        ADD(text, 32, POINTER + class, class, WORD);
        ADD(text, 32, LONG_POINTER + class, class, LONG_WORD);
        if (class == FUNCTION_CLASS)
            continue;
        ADD(text, 59, POINTER + class, VARIABLE + class, class);
        ADD(text, 59, LONG_POINTER + class, LONG_VARIABLE + class, class);
    }
}

void spirv_words_add(const struct kernel *kernel, const char *lines, struct text *module)
{
    static const uint32_t header[] = {0x07230203, 0x00010500, 0, BOUND, 0};
    struct writer writer = {.kernel = kernel};
    char *rest_of_lines, *copy = strdup(lines);
    assert_non_null(copy);
    declare(&writer);
    ADD(&writer.body, 54, VOID, MAIN, 0, FUNCTION_TYPE);
    ADD(&writer.body, 248, OTHER);
    ADD(&writer.body, 59, POINTER + FUNCTION_CLASS, NEXT, FUNCTION_CLASS);
    ADD(&writer.body, 59, POINTER + FUNCTION_CLASS, VARIABLE + FUNCTION_CLASS, FUNCTION_CLASS);
    for (char *line = strtok_r(copy, "\n", &rest_of_lines); line; line = strtok_r(NULL, "\n", &rest_of_lines)) {
        char *rest, *step = strtok_r(line, " ", &rest), *word = next_word(&rest);
        const unsigned number = (unsigned)strtoul(step, NULL, 10);
        assert_true(number < kernel->step_count);
        if (strcmp(step, "-") == 0)
            add_around(&writer, 1, word, &rest);
        else if (is_flow(word))
            add_around(&writer, kernel->steps[number].line, word, &rest);
        else
            add_step(&writer, number, word, &rest);
    }
    add_words(&writer.body, 253, 0, NULL);
    add_words(&writer.body, 56, 0, NULL);
    text_add_bytes(module, (const char *)header, sizeof header);
    text_add_bytes(module, writer.declared.data, writer.declared.size);
    text_add_bytes(module, writer.helpers.data, writer.helpers.size);
    text_add_bytes(module, writer.body.data, writer.body.size);
    text_release(&writer.declared);
    text_release(&writer.helpers);
    text_release(&writer.body);
    free(copy);
}
