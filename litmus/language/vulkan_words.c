// SPDX-License-Identifier: Apache-2.0
/* The words of VULKAN: orders, scopes, operations, and the bits of memory semantics. */
#include "litmus/language/vulkan_words.h"

/* No instruction is seq_cst; the word is for messages. */
const struct word vulkan_order_words[] = {
    {"atom", LITMUS_RELAXED},    {"acq", LITMUS_ACQUIRE},     {"rel", LITMUS_RELEASE},
    {"acq_rel", LITMUS_ACQ_REL}, {"seq_cst", LITMUS_SEQ_CST}, {NULL, 0},
};

const struct word vulkan_scope_words[] = {
    {"sg", LITMUS_SUB_GROUP}, {"wg", LITMUS_WORK_GROUP}, {"qf", LITMUS_QUEUE_FAMILY}, {"dv", LITMUS_DEVICE}, {NULL, 0},
};

/* SPIR-V has no other operations that an atomic instruction on integers may name; an exchange is written "rmw" alone. */
const struct word vulkan_operation_words[] = {
    {"ld", LITMUS_LOAD},       {"st", LITMUS_STORE},      {"rmw", LITMUS_EXCHANGE},  {"cas", LITMUS_CAS},
    {"add", LITMUS_FETCH_ADD}, {"sub", LITMUS_FETCH_SUB}, {"and", LITMUS_FETCH_AND}, {"or", LITMUS_FETCH_OR},
    {"xor", LITMUS_FETCH_XOR}, {"min", LITMUS_FETCH_MIN}, {"max", LITMUS_FETCH_MAX}, {NULL, 0},
};

#define STORAGE(number) (1 << (number))
#define ON_STORAGE(number) (1 << (LITMUS_STORAGE_SHIFT + (number)))

const struct word vulkan_semantics_words[] = {
    {"av", LITMUS_AVAILABLE},
    {"vis", LITMUS_VISIBLE},
    {"nonpriv", LITMUS_NON_PRIVATE},
    {"sc0", STORAGE(0)},
    {"sc1", STORAGE(1)},
    {"sc2", STORAGE(2)},
    {"sc3", STORAGE(3)},
    {"semsc0", ON_STORAGE(0)},
    {"semsc1", ON_STORAGE(1)},
    {"semsc2", ON_STORAGE(2)},
    {"semsc3", ON_STORAGE(3)},
    {"semav", LITMUS_MAKE_AVAILABLE},
    {"semvis", LITMUS_MAKE_VISIBLE},
    {"avdevice", LITMUS_AVAILABLE_DEVICE},
    {"visdevice", LITMUS_VISIBLE_DEVICE},
    {NULL, 0},
};
