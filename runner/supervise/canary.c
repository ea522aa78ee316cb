// SPDX-License-Identifier: Apache-2.0
/* Canaries of one device and of ensembles. */
#include "runner/supervise/canary.h"

static const char one_device[] = "OPENCL canary\n"
                                 "{ x=0; }\n"
                                 "P0@wg 0, dev 0 (global atomic_int* x) {\n"
                                 "  atomic_store_explicit(x, 42, memory_order_relaxed, memory_scope_device);\n"
                                 "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
                                 "}\n"
                                 "exists (0:r0=42)\n";

static bool is_host(const struct backend_device *device, unsigned member)
{
    return device->host && member == device->member_count - 1;
}

static bool all_take_c11(const struct backend_device *device)
{
    for (unsigned k = 0; k < device->member_count; k++)
        if (!(device->members[k].takes & BACKEND_TAKES_C11))
            return false;
    return true;
}

static void add_start(const struct backend_device *device, const char *dialect, struct text *text)
{
    text_add(text, "%s canary\n{", dialect);
    for (unsigned k = 0; k < device->member_count; k++)
        text_add(text, " x%u=0;", k);
    for (unsigned k = 0; k < device->member_count && dialect[0] == 'P'; k++)
        text_add(text, " P%u:r0=0;", k);
    text_add(text, " }\n");
}

static void add_condition(const struct backend_device *device, struct text *text)
{
    text_add(text, "exists (");
    for (unsigned k = 0; k < device->member_count; k++)
        text_add(text, "%s%u:r0=42 /\\ [x%u]=42", k > 0 ? " /\\ " : "", k, k);
    text_add(text, ")\n");
}

static void add_opencl(const struct backend_device *device, struct text *text)
{
    add_start(device, "OPENCL", text);
    for (unsigned k = 0; k < device->member_count; k++) {
        if (is_host(device, k))
            text_add(text, "P%u@host", k);
        else
            text_add(text, "P%u@wg 0, dev %u", k, k);
        text_add(text,
                 " (global atomic_int* x%u) {\n"
                 "  atomic_store_explicit(x%u, 42, memory_order_relaxed, memory_scope_all_svm_devices);\n"
                 "  int r0 = atomic_load_explicit(x%u, memory_order_relaxed, memory_scope_all_svm_devices);\n"
                 "}\n",
                 k, k, k);
    }
    add_condition(device, text);
}

/* Each member's column has three lines: a head and two instructions. */
static void add_cell(const struct backend_device *device, unsigned member, unsigned line, struct text *text)
{
    const bool host = is_host(device, member);
    if (line == 0 && host)
        text_add(text, "P%u@host", member);
    else if (line == 0)
        text_add(text, "P%u@cta 0,gpu %u", member, member);
    else if (line == 1)
        text_add(text, host ? "atomic_store_explicit(x%u, 42, memory_order_relaxed)" : "st.relaxed.sys x%u, 42",
                 member);
    else
        text_add(text, host ? "r0 = atomic_load_explicit(x%u, memory_order_relaxed)" : "ld.relaxed.sys r0, x%u",
                 member);
}

static void add_ptx(const struct backend_device *device, struct text *text)
{
    add_start(device, "PTX", text);
    for (unsigned line = 0; line < 3; line++) {
        for (unsigned k = 0; k < device->member_count; k++) {
            text_add(text, "%s", k > 0 ? " | " : "");
            add_cell(device, k, line, text);
        }
        text_add(text, " ;\n");
    }
    add_condition(device, text);
}

void canary_add_text(const struct backend_device *device, struct text *text)
{
    if (device->member_count == 0)
        text_add(text, "%s", one_device);
    else if (all_take_c11(device))
        add_opencl(device, text);
    else
        add_ptx(device, text);
}
