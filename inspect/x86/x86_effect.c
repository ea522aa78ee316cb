// SPDX-License-Identifier: Apache-2.0
/* Effects of x86-64 instructions on memory (Intel SDM, volume 2) and their order (volume 3A, 9.2 and 9.3). */
#include "inspect/x86/x86_effect.h"

/* What an instruction does with a memory operand in the destination position. */
enum way {
    WRITES,   /* stores to it */
    READS,    /* only loads it */
    CHANGES,  /* loads and stores it; atomically only with the lock prefix */
    SWAPS,    /* the same, but always locked: xchg */
    COMPARES, /* the same: cmpxchg and xadd, which are only used with lock */
    IGNORES,  /* does not access it: a hint, or a jump through a table */
};

/* Prefixes of names; the first row that matches applies. A name that ends in a space must match as a whole. */
static const struct {
    const char *name;
    enum way way;
} ways[] = {
    {"mov", WRITES},       {"vmov", WRITES},      {"set", WRITES},       {"pextr", WRITES},    {"vpextr", WRITES},
    {"extract", WRITES},   {"vextract", WRITES},  {"vpscatter", WRITES}, {"vscatter", WRITES}, {"vpcompress", WRITES},
    {"vcompress", WRITES}, {"vpmov", WRITES},     {"vpmaskmov", WRITES}, {"vmaskmov", WRITES}, {"maskmov", WRITES},
    {"stos", WRITES},      {"fst", WRITES},       {"fist", WRITES},      {"pop ", WRITES},     {"stmxcsr ", WRITES},
    {"vcvtps2ph", WRITES}, {"cmpxchg", COMPARES}, {"xadd ", COMPARES},   {"xchg ", SWAPS},     {"cmp ", READS},
    {"test ", READS},      {"bt ", READS},        {"mul ", READS},       {"imul ", READS},     {"div ", READS},
    {"idiv ", READS},      {"push ", READS},      {"fld", READS},        {"fild", READS},      {"ldmxcsr ", READS},
    {"scas ", READS},      {"cmps", READS},       {"add ", CHANGES},     {"adc ", CHANGES},    {"sub ", CHANGES},
    {"sbb ", CHANGES},     {"and ", CHANGES},     {"or ", CHANGES},      {"xor ", CHANGES},    {"inc ", CHANGES},
    {"dec ", CHANGES},     {"neg ", CHANGES},     {"not ", CHANGES},     {"shl ", CHANGES},    {"shr ", CHANGES},
    {"sar ", CHANGES},     {"sal ", CHANGES},     {"rol ", CHANGES},     {"ror ", CHANGES},    {"rcl ", CHANGES},
    {"rcr ", CHANGES},     {"shld ", CHANGES},    {"shrd ", CHANGES},    {"btc ", CHANGES},    {"btr ", CHANGES},
    {"bts ", CHANGES},     {"nop", IGNORES},      {"prefetch", IGNORES}, {"clflush", IGNORES}, {"call ", IGNORES},
    {"jmp ", IGNORES},     {"endbr", IGNORES},    {"vpgather", READS},   {"vgather", READS},
};

static const struct {
    const char *word;
    unsigned bytes;
} widths[] = {
    {"BYTE", 1},   {"WORD", 2},   {"DWORD", 4},    {"FWORD", 6},    {"QWORD", 8},
    {"TBYTE", 10}, {"OWORD", 16}, {"XMMWORD", 16}, {"YMMWORD", 32}, {"ZMMWORD", 64},
};

static const char *const prefixes[] = {"rep ",    "repz ",    "repnz ", "data16 ", "cs ",    "ds ",
                                       "addr32 ", "notrack ", "bnd ",   "{vex} ",  "{evex} "};

/* A memory operand. */
struct memory {
    unsigned bytes;      /* 0: there is none */
    unsigned position;   /* among the operands, from 0 */
    const char *address; /* "[rax+4]..." or "fs:[...]..." */
};

struct instruction_words {
    const char *name; /* the instruction without its prefixes */
    bool locked;
};

static bool skip(const char **text, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    while (**text == ' ')
        (*text)++;
    return true;
}

static struct instruction_words x86_effect_read_words(const char *text)
{
    struct instruction_words words = {text, false};
    for (bool found = true; found;) {
        found = skip(&words.name, "lock ") || skip(&words.name, "xacquire ") || skip(&words.name, "xrelease ");
        words.locked = words.locked || found;
        for (size_t i = 0; !found && i < sizeof prefixes / sizeof *prefixes; i++)
            found = skip(&words.name, prefixes[i]);
    }
    return words;
}

static unsigned width_before(const char *text, const char *end)
{
    while (end > text && end[-1] == ' ')
        end--;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const size_t length = strlen(widths[i].word);
        if ((size_t)(end - text) > length && strncmp(end - length, widths[i].word, length) == 0 &&
            strchr(" ,", end[-(long)length - 1]))
            return widths[i].bytes;
    }
    return 0;
}

static struct memory read_memory(const char *text)
{
    struct memory memory = {0};
    const char *word = strstr(text, " PTR "), *broadcast = strstr(text, " BCST ");
    if (broadcast && (!word || broadcast < word))
        word = broadcast;
    if (!word)
        return memory;
    memory.bytes = width_before(text, word);
    memory.address = strchr(word + 1, ' ') + 1;
    for (const char *c = text; c < word; c++)
        memory.position += *c == ',';
    return memory;
}

/* Whether no other thread accesses the address: the stack, constants of the code, and memory relative to a segment
 * register. */
static bool is_private(const char *address, const struct x86_stack *stack)
{
    const size_t length = strcspn(address, "]");
    const char *const registers[] = {"rsp", "rip", stack->rbp ? "rbp" : "rsp", stack->rbx ? "rbx" : "rsp"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        const char *found = strstr(address, registers[i]);
        if (found && found < address + length)
            return true;
    }
    return strncmp(address, "fs:", 3) == 0 || strncmp(address, "gs:", 3) == 0;
}

static bool way_of(const char *name, enum way *way)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const size_t length = strlen(ways[i].name);
        *way = ways[i].way;
        if (strncmp(name, ways[i].name, length) == 0)
            return true;
    }
    return false;
}

/* Bytes of the first vector register in the text. */
static unsigned vector_bytes(const char *text)
{
    const char *found = text ? strstr(text, "mm") : NULL;
    return !found || found == text ? 0 : found[-1] == 'z' ? 64 : found[-1] == 'y' ? 32 : 16;
}

/* Elements of vpgatherDD and the like: limited by its data and by its indexes (D: 4 bytes, Q:
 * 8). */
static unsigned x86_effect_elements_of(const char *name, const struct memory *memory)
{
    const char *kind = strstr(name, "gather") ? strstr(name, "gather") + 6 : strstr(name, "scatter");
    if (!kind)
        return 1;
    if (strncmp(kind, "scatter", 7) == 0)
        kind += 7;
    const char *data = memory->position == 0 ? strchr(memory->address, ']') : name;
    const unsigned items = vector_bytes(data) / memory->bytes;
    const unsigned indexes = vector_bytes(memory->address) / (*kind == 'q' ? 8 : 4);
    const unsigned elements = items < indexes ? items : indexes;
    return elements > 0 ? elements : 1;
}

/* Whether it is movs or cmps, which have two memory operands; other instructions have one. */
static bool is_copy(const char *text)
{
    return strstr(text, " PTR es:") && strstr(text, " PTR ds:");
}

/* The order of an access under TSO. Weaker: stores that bypass the caches; wide accesses, because only up to 8 bytes
 * are guaranteed to be one access; and read-modify-writes without lock, which are two accesses. */
static enum litmus_order x86_effect_order_of(const struct instruction_words *words, enum way way,
                                             const struct x86_effect *effect)
{
    if (effect->effect == MACHINE_UPDATE)
        return words->locked || way == SWAPS ? LITMUS_SEQ_CST : LITMUS_PLAIN;
    if (effect->bytes > 8 || strncmp(words->name, "movnt", 5) == 0 || strncmp(words->name, "vmovnt", 6) == 0)
        return LITMUS_PLAIN;
    return effect->effect == MACHINE_LOAD ? LITMUS_ACQUIRE : LITMUS_RELEASE;
}

static void set_access(const struct instruction_words *words, enum way way, const struct memory *memory,
                       struct x86_effect *effect)
{
    const bool reads = memory->position > 0 || way == READS;
    const bool updates = !reads && (way == COMPARES || way == SWAPS || (way == CHANGES && words->locked));
    const bool copies = is_copy(words->name);
    effect->effect = updates ? MACHINE_UPDATE : reads || way == CHANGES || copies ? MACHINE_LOAD : MACHINE_STORE;
    effect->also_stores = (!reads && way == CHANGES && !words->locked) || (copies && way == WRITES);
    effect->lanes = x86_effect_elements_of(words->name, memory);
    effect->bytes = memory->bytes * effect->lanes;
    effect->order = x86_effect_order_of(words, way, effect);
    /* A gather always has a mask, of the active items. */
    effect->predicated =
        effect->lanes == 1 && (strstr(words->name, "{k") != NULL || strstr(words->name, "maskmov") != NULL);
}

static void set_fence(struct x86_effect *effect, enum litmus_order order)
{
    effect->effect = MACHINE_FENCE;
    effect->order = order;
}

/* Whether compilers fold a load into the instruction. Not imul: the kernel multiplies by its own words to locate a
 * cell. */
static bool folds(const struct instruction_words *words, const struct x86_effect *effect)
{
    static const char *const names[] = {"add ",  "sub ",  "and ",  "or ",  "xor ",  "cmp ", "test ",
                                        "vpadd", "vpsub", "vpand", "vpor", "vpxor", "vpcmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(words->name, names[i], strlen(names[i])) == 0)
            return effect->effect == MACHINE_LOAD && !effect->also_stores;
    return false;
}

/* xchg may have its memory operand on either side. */
static bool is_swap(const char *name, const struct memory *memory)
{
    return memory->bytes > 0 && strncmp(name, "xchg ", 5) == 0;
}

static enum status x86_effect_read_access(const struct instruction_words *words, const struct x86_stack *stack,
                                          struct x86_effect *effect, struct error *error)
{
    struct memory memory = read_memory(words->name);
    enum way way;
    if (memory.bytes == 0)
        return STATUS_OK;
    const bool known = way_of(words->name, &way);
    if (is_swap(words->name, &memory))
        memory.position = 0;
    if (known && way == IGNORES)
        return STATUS_OK;
    if (is_private(memory.address, stack)) {
        if (words->locked || is_swap(words->name, &memory))
            set_fence(effect, LITMUS_SEQ_CST);
        return STATUS_OK;
    }
    if (memory.position == 0 && !known)
        return error_set(error, STATUS_SYNTAX, "the effect of '%s' on memory is not in the table of x86-64",
                         words->name);
    set_access(words, memory.position == 0 ? way : READS, &memory, effect);
    effect->folds = folds(words, effect);
    return STATUS_OK;
}

/* Which instructions may run after it. */
static void read_flow(const char *name, struct x86_effect *effect)
{
    static const char *const ends[] = {"ret", "ud2", "hlt", "int3", "iret"};
    effect->falls = true;
    effect->target = X86_NO_TARGET;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strncmp(name, ends[i], strlen(ends[i])) == 0)
            effect->falls = false;
    if (name[0] != 'j' && strncmp(name, "loop", 4) != 0)
        return;
    char *end;
    const char *target = name + strcspn(name, " ");
    target += strspn(target, " ");
    const unsigned long address = strtoul(target, &end, 16);
    effect->jumps = true;
    effect->falls = strncmp(name, "jmp", 3) != 0;
    if (end > target && (*end == '\0' || *end == ' '))
        effect->target = (long)address;
}

enum status x86_effect_read(const char *text, const struct x86_stack *stack, struct x86_effect *effect,
                            struct error *error)
{
    static const struct {
        const char *name;
        enum litmus_order order;
    } fences[] = {{"mfence", LITMUS_SEQ_CST}, {"lfence", LITMUS_ACQUIRE}, {"sfence", LITMUS_RELEASE}};
    const struct instruction_words words = x86_effect_read_words(text);
    *effect = (struct x86_effect){.effect = MACHINE_NOTHING, .lanes = 1, .order = LITMUS_PLAIN};
    if (strstr(text, "(bad)"))
        return error_set(error, STATUS_SYNTAX, "the disassembler does not know an instruction: '%s'", text);
    read_flow(words.name, effect);
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        if (strncmp(words.name, fences[i].name, 6) == 0)
            set_fence(effect, fences[i].order);
    return x86_effect_read_access(&words, stack, effect, error);
}

/* Whether the first operand is rbx or a part of it, and the instruction may write it. */
static bool writes_rbx(const char *text)
{
    static const char *const reads[] = {"push ", "cmp ", "test ", "bt ", "jmp ", "call "};
    static const char *const parts[] = {"rbx", "ebx", "bx", "bl", "bh"};
    const char *name = x86_effect_read_words(text).name, *operand = name + strcspn(name, " ");
    operand += strspn(operand, " ");
    const size_t length = strcspn(operand, ", ");
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
        if (strncmp(name, reads[i], strlen(reads[i])) == 0)
            return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (length == strlen(parts[i]) && strncmp(operand, parts[i], length) == 0)
            return true;
    return false;
}

/* Whether the text is "mov TO,rsp", with any blanks after the name. */
static bool takes_stack(const char *text, const char *to)
{
    const char *operands = text;
    if (!skip(&operands, "mov "))
        return false;
    operands += strspn(operands, " ");
    const size_t length = strlen(to);
    return strncmp(operands, to, length) == 0 && strcmp(operands + length, ",rsp") == 0;
}

void x86_note_stack(const char *text, struct x86_stack *stack)
{
    stack->rbp = stack->rbp || takes_stack(text, "rbp");
    stack->rbx = takes_stack(text, "rbx") || (stack->rbx && !writes_rbx(text));
}

bool x86_is_padding(const char *text)
{
    const char *name = x86_effect_read_words(text).name;
    return strncmp(name, "nop", 3) == 0 || strncmp(name, "int3", 4) == 0 || strcmp(name, "xchg   ax,ax") == 0;
}
