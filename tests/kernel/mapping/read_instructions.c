// SPDX-License-Identifier: Apache-2.0
/* PTX word by word, and GLSL's calls. */
#include "tests/kernel/mapping/read_instructions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *add_fence(struct instructions *into, struct litmus_fence fence)
{
    const bool after = into->accesses > 0 || into->barriers;
    unsigned *count = after ? &into->after_count : &into->before_count;
    if (*count == MOST_FENCES)
        return "too many fences";
    (after ? into->after : into->before)[(*count)++] = fence;
    return NULL;
}

/* ---- PTX ---- */

static bool take_order(const char *word, enum litmus_order *order)
{
    for (enum litmus_order o = LITMUS_PLAIN; o < LITMUS_ORDER_COUNT; o++)
        if (strcmp(word, litmus_order_name(LITMUS_PTX, o)) == 0) {
            *order = o;
            return true;
        }
    return false;
}

static bool take_scope(const char *word, enum litmus_scope *scope)
{
    static const char *const words[LITMUS_SCOPE_COUNT] = {[LITMUS_WORK_GROUP] = "cta",
                                                          [LITMUS_CLUSTER] = "cluster",
                                                          [LITMUS_DEVICE] = "gpu",
                                                          [LITMUS_ALL_DEVICES] = "sys"};
    for (int s = 0; s < LITMUS_SCOPE_COUNT; s++)
        if (words[s] && strcmp(word, words[s]) == 0) {
            *scope = (enum litmus_scope)s;
            return true;
        }
    return false;
}

/* "b32", "u64", "s8", "f32", "b128", "v4" */
static bool take_type(const char *word, struct instructions *into)
{
    char *end;
    const unsigned long number = isdigit((unsigned char)word[1]) ? strtoul(word + 1, &end, 10) : 0;
    if (number == 0 || *end)
        return false;
    if (word[0] == 'v') {
        into->lanes = (unsigned)number;
        return true;
    }
    into->whole = number == 128;
    into->lanes = into->whole ? 2 : into->lanes;
    into->bytes = into->whole ? 8 : (unsigned)number / 8;
    into->is_float = word[0] == 'f';
    into->is_signed = word[0] == 's';
    into->is_unsigned = word[0] == 'u';
    return strchr("bsuf", word[0]) != NULL;
}

static bool take_operation(const char *word, enum litmus_operation *operation)
{
    static const struct {
        const char *word;
        enum litmus_operation operation;
    } words[] = {
        {"exch", LITMUS_EXCHANGE}, {"cas", LITMUS_CAS},       {"add", LITMUS_FETCH_ADD}, {"and", LITMUS_FETCH_AND},
        {"or", LITMUS_FETCH_OR},   {"xor", LITMUS_FETCH_XOR}, {"min", LITMUS_FETCH_MIN}, {"max", LITMUS_FETCH_MAX},
        {"inc", LITMUS_FETCH_INC}, {"dec", LITMUS_FETCH_DEC},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].word) == 0) {
            *operation = words[i].operation;
            return true;
        }
    return false;
}

/* The words after the first dot, each of one of the kinds above. */
static const char *read_qualifiers(char *words, struct instructions *into, struct litmus_access *access)
{
    char *rest = NULL;
    bool spaced = false;
    for (char *word = strtok_r(words, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
        if (strcmp(word, "global") == 0 || strcmp(word, "shared") == 0) {
            into->local = word[0] == 's';
            spaced = true;
        } else if (!take_order(word, &access->order) && !take_scope(word, &access->scope) && !take_type(word, into) &&
                   !take_operation(word, &access->operation))
            return "a qualifier of PTX that the reader does not know";
    }
    into->generic = !spaced;
    return NULL;
}

static const char *read_ptx_access(const char *mnemonic, char *qualifiers, struct instructions *into)
{
    struct litmus_access access = {.operation = strcmp(mnemonic, "ld") == 0 ? LITMUS_LOAD : LITMUS_STORE,
                                   .expected_register = LITMUS_NONE};
    const char *why = read_qualifiers(qualifiers, into, &access);
    if (why)
        return why;
    access.no_result = strcmp(mnemonic, "red") == 0;
    access.failure = access.order;
    if (access.order == LITMUS_VOLATILE)
        access.scope = LITMUS_ALL_DEVICES;
    if (into->accesses > 0 && (memcmp(&into->access, &access, sizeof access) != 0 || into->after_count > 0))
        return "two accesses in one helper";
    into->access = access;
    into->accesses++;
    return NULL;
}

static const char *read_ptx_instruction(char *line, struct instructions *into)
{
    line[strcspn(line, " ")] = '\0';
    if (strcmp(line, "bar.sync") == 0 || strcmp(line, "bar.warp.sync") == 0) {
        into->barriers = true;
        into->barrier.scope = line[4] == 'w' ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
        return NULL;
    }
    char *qualifiers = line + strcspn(line, ".");
    if (!*qualifiers)
        return "an instruction of PTX without qualifiers";
    *qualifiers++ = '\0';
    if (strcmp(line, "fence") == 0) {
        struct litmus_access words = {.order = LITMUS_PLAIN};
        const char *why = read_qualifiers(qualifiers, into, &words);
        return why ? why
                   : add_fence(into, (struct litmus_fence){
                                         .order = words.order, .scope = words.scope, .proxy = LITMUS_GENERIC});
    }
    if (strcmp(line, "ld") == 0 || strcmp(line, "st") == 0 || strcmp(line, "atom") == 0 || strcmp(line, "red") == 0)
        return read_ptx_access(line, qualifiers, into);
    return "an instruction of PTX that the reader does not know";
}

/* One asm's text, without braces, declarations and moves between registers. */
static const char *read_asm(char *code, struct instructions *into)
{
    char *rest = NULL;
    for (char *line = strtok_r(code, ";", &rest); line; line = strtok_r(NULL, ";", &rest)) {
        line += strspn(line, " {}");
        const char *why = NULL;
        if (*line && strncmp(line, ".reg", 4) != 0 && strncmp(line, "mov.", 4) != 0)
            why = read_ptx_instruction(line, into);
        if (why)
            return why;
    }
    return NULL;
}

static const char *read_ptx(const char *body, struct instructions *into)
{
    static const char opening[] = "asm volatile(\"";
    for (const char *at = strstr(body, opening); at; at = strstr(at, opening)) {
        char code[512];
        at += sizeof opening - 1;
        (void)snprintf(code, sizeof code, "%.*s", (int)strcspn(at, "\""), at);
        const char *why = read_asm(code, into);
        if (why)
            return why;
    }
    if (into->access.operation == LITMUS_FETCH_ADD && strstr(body, "(0u - (u64)value)"))
        into->access.operation = LITMUS_FETCH_SUB;
    into->keeps_expected = strstr(body, "*expected = result;") != NULL;
    return NULL;
}

/* ---- GLSL ---- */

static enum litmus_scope glsl_scope(const char **at)
{
    static const struct {
        const char *word;
        enum litmus_scope scope;
    } words[] = {{"gl_ScopeSubgroup", LITMUS_SUB_GROUP},
                 {"gl_ScopeWorkgroup", LITMUS_WORK_GROUP},
                 {"gl_ScopeQueueFamily", LITMUS_QUEUE_FAMILY},
                 {"gl_ScopeDevice", LITMUS_DEVICE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(*at, words[i].word, strlen(words[i].word)) == 0) {
            *at += strlen(words[i].word);
            return words[i].scope;
        }
    return LITMUS_SCOPE_NONE;
}

/* "gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable" or "0, 0"; up to the closing parenthesis
 * or the third comma. */
static const char *glsl_semantics(const char **at, enum litmus_order *order, unsigned *semantics)
{
    static const struct {
        const char *word;
        unsigned bits;
        enum litmus_order order;
    } words[] = {{"gl_StorageSemanticsBuffer", 1 << LITMUS_STORAGE_SHIFT, LITMUS_PLAIN},
                 {"gl_StorageSemanticsShared", 2 << LITMUS_STORAGE_SHIFT, LITMUS_PLAIN},
                 {"gl_SemanticsAcquireRelease", 0, LITMUS_ACQ_REL},
                 {"gl_SemanticsAcquire", 0, LITMUS_ACQUIRE},
                 {"gl_SemanticsRelease", 0, LITMUS_RELEASE},
                 {"gl_SemanticsMakeAvailable", LITMUS_MAKE_AVAILABLE, LITMUS_PLAIN},
                 {"gl_SemanticsMakeVisible", LITMUS_MAKE_VISIBLE, LITMUS_PLAIN},
                 {"0", 0, LITMUS_PLAIN}};
    unsigned commas = 0;
    *order = LITMUS_PLAIN;
    for (*at += strspn(*at, ", "); **at && **at != ')'; *at += strspn(*at, " |")) {
        size_t i = 0;
        if (**at == ',' && ++commas == 2)
            return NULL;
        *at += strspn(*at, ", ");
        while (i < sizeof words / sizeof *words && strncmp(*at, words[i].word, strlen(words[i].word)) != 0)
            i++;
        if (i == sizeof words / sizeof *words || (words[i].order != LITMUS_PLAIN && *order != LITMUS_PLAIN))
            return "memory semantics of GLSL that the reader does not know";
        *at += strlen(words[i].word);
        *semantics |= words[i].bits;
        *order = words[i].order != LITMUS_PLAIN ? words[i].order : *order;
    }
    return NULL;
}

/* The word at p: "VIEW_64_AT(memory_dv, p)" or "local_memory[p]". */
static const char *glsl_memory(const char *at, struct instructions *into)
{
    static const struct {
        const char *words;
        unsigned bytes;
    } views[] = {{"VIEW_AT(memory", 4}, {"VIEW_64_AT(memory", 8}, {"VIEW_16_AT(memory", 2}, {"VIEW_8_AT(memory", 1}};
    into->local = strncmp(at, "local_memory[", 13) == 0;
    into->bytes = into->local ? 4 : 0;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (strncmp(at, views[i].words, strlen(views[i].words)) == 0) {
            into->bytes = views[i].bytes;
            into->is_signed = strncmp(at + strlen(views[i].words), "_signed", 7) == 0;
        }
    into->access.semantics = into->local ? 2 : 1;
    into->accesses = 1;
    into->access.expected_register = LITMUS_NONE;
    return into->bytes > 0 ? NULL : "an array of GLSL that the reader does not know";
}

static const char *read_glsl_barrier(const char *body, struct instructions *into)
{
    struct litmus_barrier *barrier = &into->barrier;
    const char *at = strstr(body, "controlBarrier(");
    if (!at)
        return NULL;
    at += strlen("controlBarrier(");
    const enum litmus_scope meets = glsl_scope(&at);
    at += strspn(at, ", ");
    barrier->scope = glsl_scope(&at);
    into->barriers = true;
    if ((meets == LITMUS_SUB_GROUP) != (barrier->scope == LITMUS_SUB_GROUP) || meets > LITMUS_WORK_GROUP)
        return "a controlBarrier with a scope that VULKAN's have not";
    return glsl_semantics(&at, &barrier->order, &barrier->semantics);
}

static const char *read_glsl_fence(const char *body, struct instructions *into)
{
    struct litmus_fence fence = {.proxy = LITMUS_GENERIC};
    const char *at = strstr(body, "memoryBarrier(");
    if (!at)
        return NULL;
    at += strlen("memoryBarrier(");
    fence.scope = glsl_scope(&at);
    const char *why = glsl_semantics(&at, &fence.order, &fence.semantics);
    if (fence.order == LITMUS_PLAIN)
        fence.order = LITMUS_RELAXED;
    return why ? why : add_fence(into, fence);
}

static const char *read_glsl_atomic(const char *at, struct instructions *into)
{
    static const struct {
        const char *word;
        enum litmus_operation operation;
    } words[] = {{"atomicLoad(", LITMUS_LOAD},         {"atomicStore(", LITMUS_STORE},
                 {"atomicExchange(", LITMUS_EXCHANGE}, {"atomicAdd(", LITMUS_FETCH_ADD},
                 {"atomicAnd(", LITMUS_FETCH_AND},     {"atomicOr(", LITMUS_FETCH_OR},
                 {"atomicXor(", LITMUS_FETCH_XOR},     {"atomicMin(", LITMUS_FETCH_MIN},
                 {"atomicMax(", LITMUS_FETCH_MAX},     {"atomicCompSwap(", LITMUS_CAS}};
    size_t i = 0;
    struct litmus_access *access = &into->access;
    while (i < sizeof words / sizeof *words && strncmp(at, words[i].word, strlen(words[i].word)) != 0)
        i++;
    if (i == sizeof words / sizeof *words)
        return "a function of GLSL that the reader does not know";
    at += strlen(words[i].word);
    const char *why = glsl_memory(at, into);
    access->operation = words[i].operation;
    if (access->operation == LITMUS_FETCH_ADD && strstr(at, "0u - "))
        access->operation = LITMUS_FETCH_SUB;
    at = strstr(at, "gl_Scope");
    if (why || !at)
        return why ? why : "an atomic function without a scope";
    access->scope = glsl_scope(&at);
    why = glsl_semantics(&at, &access->order, &access->semantics);
    access->order = access->order == LITMUS_PLAIN ? LITMUS_RELAXED : access->order;
    access->failure = access->order;
    if (!why && access->operation == LITMUS_CAS) {
        unsigned of_failure = 0;
        why = glsl_semantics(&at, &access->failure, &of_failure);
        access->failure = access->failure == LITMUS_PLAIN ? LITMUS_RELAXED : access->failure;
        if (of_failure & ~access->semantics)
            why = "a compare-and-swap whose failure orders what its success does not";
    }
    return why;
}

static const char *read_glsl_plain(const char *body, struct instructions *into)
{
    const char *view = strstr(body, "VIEW"), *at = view ? view : strstr(body, "local_memory");
    if (!at)
        return NULL;
    const char *why = glsl_memory(at, into);
    into->access.operation = strstr(body, " = ") ? LITMUS_STORE : LITMUS_LOAD;
    into->access.order = into->access.failure = LITMUS_PLAIN;
    const size_t name = strcspn(at, "[,");
    if (!memmem(at, name, "private", 7))
        into->access.semantics |= LITMUS_NON_PRIVATE;
    return why;
}

static const char *read_glsl(const char *body, struct instructions *into)
{
    const char *atomic = strstr(body, "atomic");
    const char *why = read_glsl_barrier(body, into);
    if (!why)
        why = read_glsl_fence(body, into);
    if (!why && atomic)
        why = read_glsl_atomic(atomic, into);
    else if (!why && into->before_count == 0 && !into->barriers)
        why = read_glsl_plain(body, into);
    into->keeps_expected = strstr(body, "expected = ") != NULL;
    return why;
}

const char *read_instructions(enum litmus_dialect target, const char *body, struct instructions *instructions)
{
    *instructions = (struct instructions){0};
    return (target == LITMUS_PTX ? read_ptx : read_glsl)(body, instructions);
}
