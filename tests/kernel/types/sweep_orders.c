// SPDX-License-Identifier: Apache-2.0
/* Every legal access. OpenCL C 3.0, 6.15.12 and 6.3; C11, 7.17; PTX ISA 9.0, "ld", "st", "atom", "red", without f16,
 * vectors and 128 bits; CUDA C++ Programming Guide, "Atomic Functions". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/kernel/types/sweep.h"

struct litmus_test *sweep_parse(struct text *text)
{
    struct litmus_test *test;
    struct error error;
    if (litmus_parse("sweep", text_string(text), text->size, &test, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(text));
    text_release(text);
    return test;
}

/* ---- OPENCL and C ---- */

enum { WHOLE = 1, SMALL = 2, FRACTION = 4 }; /* what a type has: all operations, plain accesses only, no arithmetic */

static const struct {
    const char *opencl, *c; /* NULL: the dialect has no such atomic type */
    int kind;
} c_types[] = {
    {"int", "int", WHOLE},           {"uint", "uint32_t", WHOLE},       {"long", "int64_t", WHOLE},
    {"ulong", "uint64_t", WHOLE},    {"size_t", "size_t", WHOLE},       {"ptrdiff_t", "ptrdiff_t", WHOLE},
    {"intptr_t", "intptr_t", WHOLE}, {"uintptr_t", "uintptr_t", WHOLE}, {"float", "float", FRACTION},
    {"double", "double", FRACTION},  {"char", "int8_t", SMALL},         {"uchar", "uint8_t", SMALL},
    {"short", "int16_t", SMALL},     {"ushort", "uint16_t", SMALL},
};

static const char *const c_orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
enum { ORDERS = sizeof c_orders / sizeof *c_orders };

static const char *const c_loads[] = {"relaxed", "acquire", "seq_cst"}, *const c_stores[] = {"relaxed", "release",
                                                                                             "seq_cst"};
enum { LOADS = sizeof c_loads / sizeof *c_loads };

static const char *const c_updates[] = {"exchange", "fetch_add", "fetch_sub", "fetch_and",
                                        "fetch_or", "fetch_xor", "fetch_min", "fetch_max"};

/* A text in C while it is made: what each of its calls ends with, and how many it has. */
struct c_sweep {
    struct text text;
    bool opencl;
    const char *scope; /* ", memory_scope_device", or "" */
    size_t count;
};

/* "  TARGET = atomic_NAME_explicit(x_TYPE MIDDLE, ORDER, FAILURE, SCOPE);"; target and failure may be NULL. */
static void add_call(struct c_sweep *sweep, const char *target, const char *type, const char *name, const char *middle,
                     const char *order, const char *failure)
{
    struct text *text = &sweep->text;
    text_add(text, "  %s%satomic_%s_explicit(x_%s%s, memory_order_%s", target ? target : "", target ? " = " : "", name,
             type, middle, order);
    if (failure)
        text_add(text, ", memory_order_%s", failure);
    text_add(text, "%s);\n", sweep->scope);
    sweep->count++;
}

static void add_compares(struct c_sweep *sweep, const char *type)
{
    static const char *const names[] = {"compare_exchange_strong", "compare_exchange_weak"};
    char middle[32];
    (void)snprintf(middle, sizeof middle, ", &r_%s, 1", type);
    for (size_t n = 0; n < 2; n++)
        for (size_t o = 0; o < ORDERS; o++)
            for (size_t f = 0; f < LOADS; f++)
                add_call(sweep, "s", type, names[n], middle, c_orders[o], c_loads[f]);
}

static void add_type(struct c_sweep *sweep, const char *type, int kind)
{
    char target[16];
    (void)snprintf(target, sizeof target, "r_%s", type);
    text_add(&sweep->text, "  %s = *x_%s;\n  *x_%s = 1;\n", target, type, type);
    sweep->count += 2;
    if (kind == SMALL)
        return;
    text_add(&sweep->text, "  %s = atomic_load(x_%s);\n  atomic_store(x_%s, 1);\n", target, type, type);
    sweep->count += 2;
    for (size_t o = 0; o < LOADS; o++) {
        add_call(sweep, target, type, "load", "", c_loads[o], NULL);
        add_call(sweep, NULL, type, "store", ", 1", c_stores[o], NULL);
    }
    const size_t updates = kind == FRACTION ? 1 : sizeof c_updates / sizeof *c_updates - (sweep->opencl ? 0 : 2);
    for (size_t u = 0; u < updates; u++)
        for (size_t o = 0; o < ORDERS; o++)
            add_call(sweep, target, type, c_updates[u], ", 1", c_orders[o], NULL);
    add_compares(sweep, type);
}

static void add_flags(struct c_sweep *sweep)
{
    text_add(&sweep->text, "  s = atomic_flag_test_and_set(x_flag);\n  atomic_flag_clear(x_flag);\n");
    sweep->count += 2;
    for (size_t o = 0; o < ORDERS; o++)
        add_call(sweep, "s", "flag", "flag_test_and_set", "", c_orders[o], NULL);
    for (size_t o = 0; o < LOADS; o++)
        add_call(sweep, NULL, "flag", "flag_clear", "", c_stores[o], NULL);
}

static const char *c_word(const struct c_sweep *sweep, size_t type)
{
    return sweep->opencl ? c_types[type].opencl : c_types[type].c;
}

static void add_parameters(struct c_sweep *sweep, const char *space)
{
    for (size_t t = 0; t < sizeof c_types / sizeof *c_types; t++) {
        const char *atomic = c_types[t].kind == SMALL ? "" : sweep->opencl || t == 0 ? "atomic_" : "_Atomic ";
        text_add(&sweep->text, "%s%s%s* x_%s, ", space, atomic, c_word(sweep, t), c_types[t].opencl);
    }
    text_add(&sweep->text, "%satomic_flag* x_flag", space);
}

static size_t sweep_c(struct c_sweep sweep, const char *scope, const char *space, sweep_visit *visit, void *context)
{
    text_add(&sweep.text, "%s sweep %s %s\n{ }\n%s (", sweep.opencl ? "OPENCL" : "C", scope, space,
             sweep.opencl ? "P0@wg 0, dev 0" : "P0");
    add_parameters(&sweep, space);
    text_add(&sweep.text, ") {\n  int s;\n");
    for (size_t t = 0; t < sizeof c_types / sizeof *c_types; t++)
        text_add(&sweep.text, "  %s r_%s;\n", c_word(&sweep, t), c_types[t].opencl);
    for (size_t t = 0; t < sizeof c_types / sizeof *c_types; t++)
        add_type(&sweep, c_types[t].opencl, c_types[t].kind);
    add_flags(&sweep);
    text_add(&sweep.text, "}\nexists (true)\n");
    visit(sweep_parse(&sweep.text), context);
    return sweep.count;
}

static size_t sweep_opencl(sweep_visit *visit, void *context)
{
    static const char *const scopes[] = {", memory_scope_sub_group", ", memory_scope_work_group",
                                         ", memory_scope_device", ", memory_scope_all_svm_devices", ""};
    static const char *const spaces[] = {"global ", "local ", "generic ", "volatile global "};
    size_t count = 0;
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++)
        for (size_t p = 0; p < sizeof spaces / sizeof *spaces; p++)
            count +=
                sweep_c((struct c_sweep){.opencl = true, .scope = scopes[s]}, scopes[s], spaces[p], visit, context);
    struct text constant = {0};
    text_add(&constant, "OPENCL sweep constant\n{ }\nP0@wg 0, dev 0 (constant int* x");
    for (size_t t = 1; t < sizeof c_types / sizeof *c_types; t++)
        text_add(&constant, ", constant %s* x_%s", c_types[t].opencl, c_types[t].opencl);
    text_add(&constant, ") {\n  int r = *x;\n");
    for (size_t t = 1; t < sizeof c_types / sizeof *c_types; t++, count++)
        text_add(&constant, "  %s r_%s = *x_%s;\n", c_types[t].opencl, c_types[t].opencl, c_types[t].opencl);
    text_add(&constant, "}\nexists (true)\n");
    visit(sweep_parse(&constant), context);
    return count;
}

/* ---- PTX ---- */

static const char *const ptx_moved[] = {"b8",  "u8",  "s8",  "b16", "u16", "s16", "b32",
                                        "u32", "s32", "b64", "u64", "s64", "f32", "f64"};

static const struct {
    const char *operation;
    bool reduces; /* has red too */
    const char *types[8];
} ptx_updates[] = {
    {"exch", false, {"b32", "b64"}},
    {"cas", false, {"b16", "b32", "b64"}},
    {"add", true, {"u32", "s32", "u64", "f32", "f64"}},
    {"inc", true, {"u32"}},
    {"dec", true, {"u32"}},
    {"min", true, {"u32", "s32", "u64", "s64"}},
    {"max", true, {"u32", "s32", "u64", "s64"}},
    {"and", true, {"b32", "b64"}},
    {"or", true, {"b32", "b64"}},
    {"xor", true, {"b32", "b64"}},
};

/* A line with the location and the register of the type: xb32, rb32. */
static void add_ptx(struct text *text, const char *word, const char *order, const char *scope, const char *operation,
                    const char *type, const char *operands, size_t *count)
{
    const bool gives = strcmp(word, "st") != 0 && strcmp(word, "red") != 0;
    text_add(text, " %s.%s%s%s%s.%s ", word, order, scope, operation ? "." : "", operation ? operation : "", type);
    if (gives)
        text_add(text, "r%s, ", type);
    text_add(text, "x%s%s ;\n", type, operands);
    ++*count;
}

static void add_moves(struct text *text, const char *scope, size_t *count)
{
    for (size_t t = 0; t < sizeof ptx_moved / sizeof *ptx_moved; t++) {
        add_ptx(text, "ld", "weak", "", NULL, ptx_moved[t], "", count);
        add_ptx(text, "ld", "volatile", "", NULL, ptx_moved[t], "", count);
        add_ptx(text, "ld", "relaxed", scope, NULL, ptx_moved[t], "", count);
        add_ptx(text, "ld", "acquire", scope, NULL, ptx_moved[t], "", count);
        add_ptx(text, "st", "weak", "", NULL, ptx_moved[t], ", 1", count);
        add_ptx(text, "st", "volatile", "", NULL, ptx_moved[t], ", 1", count);
        add_ptx(text, "st", "relaxed", scope, NULL, ptx_moved[t], ", 1", count);
        add_ptx(text, "st", "release", scope, NULL, ptx_moved[t], ", 1", count);
    }
}

static void add_updates(struct text *text, const char *scope, size_t *count)
{
    static const char *const orders[] = {"relaxed", "release", "acquire", "acq_rel"}; /* red has the first two */
    for (size_t u = 0; u < sizeof ptx_updates / sizeof *ptx_updates; u++)
        for (const char *const *type = ptx_updates[u].types; *type; type++)
            for (size_t o = 0; o < 4; o++) {
                const char *operation = ptx_updates[u].operation;
                add_ptx(text, "atom", orders[o], scope, operation, *type,
                        strcmp(operation, "cas") == 0 ? ", 0, 1" : ", 1", count);
                if (o < 2 && ptx_updates[u].reduces)
                    add_ptx(text, "red", orders[o], scope, operation, *type, ", 1", count);
            }
}

static size_t sweep_ptx(sweep_visit *visit, void *context)
{
    static const char *const scopes[] = {".cta", ".cluster", ".gpu", ".sys"};
    size_t count = 0;
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++)
        for (int shared = 0; shared < 2; shared++) {
            struct text text = {0};
            text_add(&text, "PTX sweep %s %d\n{ }\n P0@cta 0,gpu 0 ;\n", scopes[s], shared);
            add_moves(&text, scopes[s], &count);
            add_updates(&text, scopes[s], &count);
            text_add(&text, shared ? "regions: xb8: shared" : "");
            for (size_t t = 1; t < sizeof ptx_moved / sizeof *ptx_moved && shared; t++)
                text_add(&text, ", x%s: shared", ptx_moved[t]);
            text_add(&text, "\nexists (true)\n");
            visit(sweep_parse(&text), context);
        }
    return count;
}

/* ---- CUDA ---- */

static const struct {
    const char *function, *arguments, *types[6];
} cuda_functions[] = {
    {"atomicAdd", ", 1", {"int", "unsigned", "unsigned long long", "float", "double"}},
    {"atomicSub", ", 1", {"int", "unsigned"}},
    {"atomicExch", ", 1", {"int", "unsigned", "unsigned long long", "float"}},
    {"atomicMin", ", 1", {"int", "unsigned", "unsigned long long", "long long"}},
    {"atomicMax", ", 1", {"int", "unsigned", "unsigned long long", "long long"}},
    {"atomicInc", ", 1", {"unsigned"}},
    {"atomicDec", ", 1", {"unsigned"}},
    {"atomicCAS", ", 0, 1", {"int", "unsigned", "unsigned long long", "unsigned short"}},
    {"atomicAnd", ", 1", {"int", "unsigned", "unsigned long long"}},
    {"atomicOr", ", 1", {"int", "unsigned", "unsigned long long"}},
    {"atomicXor", ", 1", {"int", "unsigned", "unsigned long long"}},
};

static const char *const cuda_types[] = {"int",  "unsigned",      "long long", "unsigned long long", "float", "double",
                                         "char", "unsigned char", "short",     "unsigned short"};
enum { CUDA_TYPES = sizeof cuda_types / sizeof *cuda_types };

static size_t cuda_index(const char *type)
{
    size_t index = 0;
    while (strcmp(cuda_types[index], type) != 0)
        index++;
    return index;
}

static size_t sweep_cuda_at(const char *suffix, bool shared, sweep_visit *visit, void *context)
{
    struct text text = {0};
    size_t count = 0;
    text_add(&text, "CUDA sweep %s %d\n{ }\nP0@cta 0, gpu 0 (", suffix, shared);
    for (size_t t = 0; t < CUDA_TYPES; t++)
        text_add(&text, "%s%s%s* x%zu", t > 0 ? ", " : "", shared ? "__shared__ " : "", cuda_types[t], t);
    text_add(&text, ") {\n");
    for (size_t t = 0; t < CUDA_TYPES; t++, count += 4)
        text_add(&text, "  %s r%zu = *x%zu;\n  *x%zu = 1;\n  r%zu = *(volatile %s*)x%zu;\n  *(volatile %s*)x%zu = 1;\n",
                 cuda_types[t], t, t, t, t, cuda_types[t], t, cuda_types[t], t);
    for (size_t f = 0; f < sizeof cuda_functions / sizeof *cuda_functions; f++)
        for (const char *const *type = cuda_functions[f].types; *type; type++, count++)
            text_add(&text, "  r%zu = %s%s(x%zu%s);\n", cuda_index(*type), cuda_functions[f].function, suffix,
                     cuda_index(*type), cuda_functions[f].arguments);
    text_add(&text, "}\nexists (true)\n");
    visit(sweep_parse(&text), context);
    return count;
}

static size_t sweep_cuda(sweep_visit *visit, void *context)
{
    static const char *const suffixes[] = {"", "_block", "_system"};
    size_t count = 0;
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++)
        for (int shared = 0; shared < 2; shared++)
            count += sweep_cuda_at(suffixes[s], shared, visit, context);
    return count;
}

size_t sweep_orders(enum litmus_dialect dialect, sweep_visit *visit, void *context)
{
    switch (dialect) {
    case LITMUS_OPENCL:
        return sweep_opencl(visit, context);
    case LITMUS_PTX:
        return sweep_ptx(visit, context);
    case LITMUS_CUDA:
        return sweep_cuda(visit, context);
    case LITMUS_C:
        return sweep_c((struct c_sweep){.scope = ""}, "", "", visit, context);
    case LITMUS_VULKAN: /* no kernel */
    case LITMUS_DIALECT_COUNT:
        break;
    }
    return 0;
}
