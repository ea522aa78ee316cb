// SPDX-License-Identifier: Apache-2.0
/* VULKAN's instructions, one row each, and the words that follow an instruction's name, one row each: what they are in
 * VULKAN, in GLSL (GL_KHR_memory_scope_semantics) and in SPIR-V. The parser, the printer, the lowering and the reader
 * of SPIR-V take all from here. Sources: the Vulkan specification, appendix Memory Model; SPIR-V 1.6, sections 3.25 to
 * 3.27 and 3.52. */
#pragma once

#include "litmus/litmus.h"

enum vulkan_shape {
    VULKAN_LOAD,
    VULKAN_STORE,
    VULKAN_UPDATE, /* a read-modify-write, which is atomic */
    VULKAN_FENCE,
    VULKAN_BARRIER,
    VULKAN_HOST /* the host's operation, which no kernel has */
};

struct vulkan_instruction {
    const char *name;      /* the first word; NULL: tests do not have it, compiled code may */
    const char *operation; /* of a read-modify-write, the last word; NULL: it has none, or does not need it */
    enum vulkan_shape shape;
    enum litmus_operation means; /* of an access; else LOAD */
    bool atomic;
    const char *glsl;  /* the function; NULL: an assignment, or nothing */
    const char *spirv; /* its name; NULL: SPIR-V has none */
    unsigned number;   /* of its opcode */
    /* The words of its operands, from 1; 0: it has none. Memory semantics follow the scope. */
    unsigned char pointer, scope;
    bool is_signed; /* it compares signed numbers */
    unsigned host;  /* the bit of enum litmus_semantics that the host's operation has */
};

enum vulkan_part {
    VULKAN_ORDER,    /* enum litmus_order; in SPIR-V bits of memory semantics */
    VULKAN_SCOPE,    /* enum litmus_scope */
    VULKAN_OPERAND,  /* a bit of enum litmus_semantics, and so the next two; a bit of SPIR-V's memory operands */
    VULKAN_STORAGE,  /* a storage class */
    VULKAN_SEMANTICS /* a bit of memory semantics */
};

struct vulkan_word {
    enum vulkan_part part;
    const char *text; /* NULL: VULKAN has no other word for it */
    unsigned value;   /* 0: VULKAN does not say it */
    unsigned on;      /* the shapes that may have it, as bits */
    const char *glsl, *spirv;
    uint32_t number; /* in SPIR-V: a bit, or the value */
};

/* The next word of a part; the first one after NULL; NULL after the last. */
const struct vulkan_word *vulkan_next_word(enum vulkan_part part, const struct vulkan_word *word);

/* The word of VULKAN that is the text of size bytes; the first of a part with the value, and with the number in SPIR-V.
 * NULL if there is none. */
const struct vulkan_word *vulkan_find_word(const char *text, size_t size);
const struct vulkan_word *vulkan_word_of(enum vulkan_part part, unsigned value);
const struct vulkan_word *vulkan_spirv_word(enum vulkan_part part, uint32_t number);

/* The text of vulkan_word_of; "?" if VULKAN cannot spell it. */
const char *vulkan_word_name(enum vulkan_part part, unsigned value);

/* The first row that begins with the name; the read-modify-write of the last word; the row of an operation; the
 * operation of the host that a fence is; the row of an opcode of SPIR-V. NULL if there is none. */
const struct vulkan_instruction *vulkan_find_name(const char *name, size_t size);
const struct vulkan_instruction *vulkan_find_update(const char *operation, size_t size);
const struct vulkan_instruction *vulkan_instruction_of(enum litmus_operation operation, bool atomic);
const struct vulkan_instruction *vulkan_host_operation(struct litmus_ordering ordering);
const struct vulkan_instruction *vulkan_find_opcode(unsigned number);

/* The word for an operation: "ld", "rmw" for an exchange, "add"; "?" if there is none. */
const char *vulkan_operation_name(enum litmus_operation operation);

/* Appends the words of a part, each after a dot. */
void vulkan_add_words(enum vulkan_part part, struct litmus_ordering ordering, struct text *text);

/* The ordering with what it includes: av and vis include nonpriv, and an atomic access has all three by itself
 * ("Availability and Visibility"). And without that, as tests write it. */
struct litmus_ordering vulkan_whole(struct litmus_ordering written);
struct litmus_ordering vulkan_own(struct litmus_ordering whole);

/* The ordering of a compare-and-swap that fails, and so only reads; without a scope. */
struct litmus_ordering vulkan_failure(struct litmus_ordering success, enum litmus_order failure);
