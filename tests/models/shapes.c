// SPDX-License-Identifier: Apache-2.0
/* Litmus shapes with their orders and scopes put in. */
#include "tests/models/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const struct shape shapes[] = {
    {"MP", "PodWW Rfe PodRR Fre", SHAPE_CAUSAL},
    {"S", "PodWW Rfe PodRW Coe", SHAPE_CAUSAL},
    {"LB", "PodRW Rfe PodRW Rfe", SHAPE_LOADS_ONLY},
    {"WRC", "Rfe PodRW Rfe PodRR Fre", SHAPE_CAUSAL},
    {"WWC", "Rfe PodRW Rfe PodRW Coe", SHAPE_CAUSAL},
    {"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre", SHAPE_CAUSAL},
    {"3.LB", "PodRW Rfe PodRW Rfe PodRW Rfe", SHAPE_LOADS_ONLY},
    {"Z6.2", "PodWW Rfe PodRW Rfe PodRW Coe", SHAPE_CAUSAL},
    {"SB", "PodWR Fre PodWR Fre", SHAPE_FENCED},
    {"R", "PodWW Coe PodWR Fre", SHAPE_FENCED},
    {"2+2W", "PodWW Coe PodWW Coe", SHAPE_FENCED},
    {"W+RWC", "PodWW Rfe PodRR Fre PodWR Fre", SHAPE_FENCED},
    {"3.SB", "PodWR Fre PodWR Fre PodWR Fre", SHAPE_FENCED},
    {"3.2W", "PodWW Coe PodWW Coe PodWW Coe", SHAPE_FENCED},
    {"Z6.0", "PodWW Rfe PodRW Coe PodWR Fre", SHAPE_FENCED},
    {"Z6.1", "PodWW Coe PodWW Rfe PodRW Coe", SHAPE_FENCED},
    {"Z6.3", "PodWW Coe PodWW Rfe PodRR Fre", SHAPE_FENCED},
    {"Z6.4", "PodWW Coe PodWR Fre PodWR Fre", SHAPE_FENCED},
    {"Z6.5", "PodWW Coe PodWW Coe PodWR Fre", SHAPE_FENCED},
    {"RWC", "Rfe PodRR Fre PodWR Fre", SHAPE_LONE_WRITER},
    {"WRW+WR", "Rfe PodRW Coe PodWR Fre", SHAPE_LONE_WRITER},
    {"WRR+2W", "Rfe PodRR Fre PodWW Coe", SHAPE_LONE_WRITER},
    {"WRW+2W", "Rfe PodRW Coe PodWW Coe", SHAPE_LONE_WRITER},
    {"IRIW", "Rfe PodRR Fre Rfe PodRR Fre", SHAPE_LONE_WRITER},
    {"IRRWIW", "Rfe PodRR Fre Rfe PodRW Coe", SHAPE_LONE_WRITER},
    {"IRWIW", "Rfe PodRW Coe Rfe PodRW Coe", SHAPE_LONE_WRITER},
};
const size_t shape_count = sizeof shapes / sizeof shapes[0];

enum { ACCESSES = 8, THREADS = 4 };

struct access {
    bool write;
    unsigned thread, location, value;
};

struct layout {
    struct access accesses[ACCESSES];
    unsigned count, threads, locations;
    unsigned last[ACCESSES], writes[ACCESSES]; /* by location: final value, number of writes */
};

/* Values follow each location's part of the cycle: a write adds one, a read sees what is there. */
static void give_values(struct layout *layout, unsigned start)
{
    unsigned value = 0;
    for (unsigned i = 0; i < layout->count; i++) {
        struct access *access = &layout->accesses[(start + i) % layout->count];
        const struct access *previous = &layout->accesses[(start + i + layout->count - 1) % layout->count];
        if (i == 0 || access->location != previous->location)
            value = 0;
        if (access->write)
            layout->writes[access->location]++;
        value += access->write;
        access->value = value;
        layout->last[access->location] = value;
    }
}

static struct layout lay_out(const char *cycle)
{
    struct layout layout = {0};
    unsigned thread = 0, location = 0, start = 0;
    for (const char *at = cycle; *at;) {
        assert_true(layout.count < ACCESSES);
        struct access *access = &layout.accesses[layout.count++];
        access->thread = thread;
        access->location = location;
        const bool po = strncmp(at, "Pod", 3) == 0;
        access->write = po ? at[3] == 'W' : at[0] != 'F';
        if (po) {
            location++;
            start = layout.count;
        } else {
            thread++;
        }
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    layout.threads = thread;
    layout.locations = location;
    for (unsigned i = 0; i < layout.count; i++)
        layout.accesses[i].location %= location;
    give_values(&layout, start % layout.count);
    return layout;
}

static void print_condition(const struct layout *layout, struct text *text)
{
    const char *joint = "";
    text_add(text, "exists (");
    for (unsigned i = 0; i < layout->count; i++)
        if (!layout->accesses[i].write) {
            text_add(text, "%s%u:r%u=%u", joint, layout->accesses[i].thread, i, layout->accesses[i].value);
            joint = " /\\ ";
        }
    for (unsigned i = 0; i < layout->locations; i++)
        if (layout->writes[i] > 1) {
            text_add(text, "%sx%u=%u", joint, i, layout->last[i]);
            joint = " /\\ ";
        }
    text_add(text, ")\n");
}

static void print_head(const char *dialect, const struct shape *shape, const struct layout *layout, struct text *text)
{
    text_add(text, "%s %s\n{ ", dialect, shape->name);
    for (unsigned i = 0; i < layout->locations; i++)
        text_add(text, "x%u=0; ", i);
    text_add(text, "}\n");
}

/* The n-th instruction of a thread: its first access, a fence, its second access. */
static void print_ptx_cell(const struct layout *layout, const struct strength *strength, const char *scope,
                           unsigned thread, unsigned row, struct text *text)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < layout->count; i++) {
        const struct access *access = &layout->accesses[i];
        if (access->thread != thread)
            continue;
        if (row == 2 * seen && access->write)
            text_add(text, "%s%s x%u, %u", strength->store, scope, access->location, access->value);
        else if (row == 2 * seen)
            text_add(text, "%s%s r%u, x%u", strength->load, scope, i, access->location);
        seen++;
    }
    if (row == 1 && seen == 2 && strength->fence[0])
        text_add(text, "%s%s", strength->fence, scope);
}

void shape_print_ptx(const struct shape *shape, const struct strength *strength, const char *scope, struct text *text)
{
    const struct layout layout = lay_out(shape->cycle);
    print_head("PTX", shape, &layout, text);
    for (unsigned t = 0; t < layout.threads; t++)
        text_add(text, "%s P%u@cta %u,gpu 0", t ? " |" : "", t, t);
    text_add(text, " ;\n");
    for (unsigned row = 0; row < 3; row++) {
        for (unsigned t = 0; t < layout.threads; t++) {
            text_add(text, t ? " | " : " ");
            print_ptx_cell(&layout, strength, scope, t, row, text);
        }
        text_add(text, " ;\n");
    }
    print_condition(&layout, text);
}

static void print_opencl_access(const struct access *access, unsigned number, const struct strength *strength,
                                struct text *text)
{
    if (access->write)
        text_add(text, "  atomic_store_explicit(x%u, %u, %s, memory_scope_device);\n", access->location, access->value,
                 strength->store);
    else
        text_add(text, "  int r%u = atomic_load_explicit(x%u, %s, memory_scope_device);\n", number, access->location,
                 strength->load);
}

void shape_print_opencl(const struct shape *shape, const struct strength *strength, struct text *text)
{
    const struct layout layout = lay_out(shape->cycle);
    print_head("OPENCL", shape, &layout, text);
    for (unsigned t = 0; t < layout.threads; t++) {
        unsigned seen = 0;
        text_add(text, "P%u@wg %u, dev 0 (", t, t);
        for (unsigned i = 0; i < layout.locations; i++)
            text_add(text, "%sglobal atomic_int* x%u", i ? ", " : "", i);
        text_add(text, ") {\n");
        for (unsigned i = 0; i < layout.count; i++) {
            if (layout.accesses[i].thread != t)
                continue;
            if (seen++ == 1 && strength->fence[0])
                text_add(text, "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s, memory_scope_device);\n",
                         strength->fence);
            print_opencl_access(&layout.accesses[i], i, strength, text);
        }
        text_add(text, "}\n");
    }
    print_condition(&layout, text);
}
