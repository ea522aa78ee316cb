// SPDX-License-Identifier: Apache-2.0
/* The text of a kernel: the generated parts around the skeleton; and whether a device can play it. */
#include "kernel/body.h"
#include "litmus/dialects.h"
#include "litmus/language/user_atomics.h"
#include "litmus/language/walk.h"

extern const char kernel_skeleton[], kernel_lanes[]; /* skeleton.cl and lanes.cl, embedded by the build */

/* ---- warming the caches of the ways to cells: reads before a round, whose values are unused ---- */

/* Writes reads of what a body will read, by the same ways. Returns their number. */
static unsigned warm_body(struct writer *writer, unsigned body)
{
    const struct allocation *allocation = writer->allocation;
    /* What it reads by other ways: bits 1 << enum litmus_proxy of each location; and by ld.global.nc. */
    unsigned proxies[LITMUS_MAXIMUM_LOCATIONS] = {0}, count = 0;
    bool read_only[LITMUS_MAXIMUM_LOCATIONS] = {false};
    for (struct litmus_walk walk = litmus_walk_block(&allocation->test->threads[body].body); litmus_walk_next(&walk);) {
        const struct litmus_access *access = walk.access;
        if (!access || access->operation == LITMUS_STORE || access->address->kind != LITMUS_EXPRESSION_ADDRESS ||
            !allocation->path_of[access->address->index].shared)
            continue;
        if (access->read_only)
            read_only[access->address->index] = true;
        else
            proxies[access->address->index] |= 1u << access->proxy;
    }
    write_instance(allocation, body, &writer->code.text);
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        if (allocation->region_of[l] == LITMUS_GLOBAL && (proxies[l] || read_only[l]))
            write_location_names(allocation, body, l, &writer->code.text);
    writer->body = body;
    if (allocation->kernel->width > 1)
        write_text(writer, "    if (p%u_plays) {\n", body);
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        for (enum litmus_proxy proxy = 0; proxy < LITMUS_PROXY_COUNT; proxy++)
            if (proxies[l] >> proxy & 1u) {
                write_read(writer, l, proxy, false);
                count += allocation->test->locations[l].elements;
            }
        if (read_only[l]) {
            write_read(writer, l, LITMUS_TEXTURE, true);
            count += allocation->test->locations[l].elements;
        }
    }
    write_text(writer, "%s", allocation->kernel->width > 1 ? "    }\n" : "");
    return count;
}

/* Appends the functions that read, before a round, the cells that the threads of a slot will read by an alias or
 * through a proxy, and sets kernel->warm_cells. */
static void write_warm(struct writer *writer)
{
    const unsigned slots = writer->allocation->kernel->slots;
    for (unsigned slot = 0; slot < slots; slot++) {
        struct kernel *kernel = writer->allocation->kernel;
        unsigned count = 0;
        if (!kernel_plays_slot(kernel, slot))
            continue;
        write_text(writer,
                   "FUNCTION u32 warm_%u(MEMORY_PARAMETERS, u32 owner, u32 lane, u32 instances)\n{\n    u32 sum = 0;\n",
                   slot);
        write_enter_slot(writer, slot);
        write_items(writer);
        for (unsigned body = 0; body < kernel->bodies; body++)
            if (allocation_in_slot(writer->allocation, body, slot))
                count += warm_body(writer, body);
        text_add(
            &writer->code.text,
            "    if (sum == 0xdeadbeefu) // the compiler cannot know that it seldom is\n        stress_store(scratch, 0u, 0u);\n"
            "    return %u;\n}\n\n",
            count);
        if (count > kernel->warm_cells)
            kernel->warm_cells = count;
    }
    text_add(
        &writer->code.text,
        "FUNCTION u32 warm(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances)\n{\n    u32 cells = 0;\n");
    for (unsigned slot = 0; slot < slots; slot++)
        if (kernel_plays_slot(writer->allocation->kernel, slot))
            write_text(writer,
                       "    if (slot == %u)\n        cells = warm_%u(MEMORY_ARGUMENTS, owner, lane, instances);\n",
                       kernel_slot_number(writer->allocation->kernel, slot), slot);
    write_text(writer, "    return cells;\n}\n");
}

/* ---- whether a device has the agents that a test needs ---- */

/* UNSUPPORTED if only some threads are placed on a device: the others would be on one more. */
static enum status refuse_unplaced(const struct litmus_test *test, struct error *error)
{
    const struct litmus_thread *placed = NULL, *unplaced = NULL;
    const bool opencl = test->dialect == LITMUS_OPENCL;
    FOR_EACH(const struct litmus_thread, thread, test->threads, test->body_count) {
        if (!thread->placement.host && thread->placement.device != LITMUS_NONE && !placed)
            placed = thread;
        if (!thread->placement.host && thread->placement.device == LITMUS_NONE && !unplaced)
            unplaced = thread;
    }
    if (!placed || !unplaced)
        return STATUS_OK;
    const int group = unplaced->placement.work_group;
    return error_set(
        error, STATUS_UNSUPPORTED, "P%u is placed on no device, but P%u is: write, for example, P%u@%s %u, %s %d",
        unplaced->first, placed->first, unplaced->first, opencl ? "wg" : "cta",
        group == LITMUS_NONE ? unplaced->first : (unsigned)group, opencl ? "dev" : "gpu", placed->placement.device);
}

/* UNSUPPORTED: the test needs other devices. The message gives the options that select them, or the placement that a
 * thread lacks. */
static enum status agents_refuse(const struct litmus_test *test, const struct backend_device *device,
                                 const struct litmus_agents *agents, struct error *error)
{
    TRY(refuse_unplaced(test, error));
    const unsigned devices = agents->count - agents->host;
    LOCAL(text) names = {0};
    /* Appends the value of --device that selects what the test needs: this device and those that follow it, and the
     * host. */
    const struct backend_device *first = device->member_count > 0 ? &device->members[0] : device;
    for (unsigned i = 0; i < devices; i++)
        text_add(&names, "%s%s:%u", i > 0 ? "+" : "", first->backend, first->index + i);
    if (agents->host)
        text_add(&names, "%shost", devices > 0 ? "+" : "");
    return error_set(error, STATUS_UNSUPPORTED, "the test needs %u device%s%s: --device %s", devices,
                     devices == 1 ? "" : "s", agents->host ? " and the host" : " at once", text_string(&names));
}

/* Finds the test's agents. UNSUPPORTED, with the reason, if the device, or the members of an ensemble, cannot play
 * them. */
static enum status agents_check(const struct litmus_test *test, const struct backend_device *device,
                                struct litmus_agents *agents, struct error *error)
{
    struct error why = {0};
    if (litmus_find_agents(test, agents, &why) != STATUS_OK)
        return error_set(error, STATUS_UNSUPPORTED, "%s", why.text);
    if (agents->count == 1 && device->member_count > 0)
        return error_set(error, STATUS_UNSUPPORTED, "the test names one device: run the test with --device %s:%u",
                         device->members[0].backend, device->members[0].index);
    if (agents->count == 1 && agents->host && device->gpu)
        return error_set(error, STATUS_UNSUPPORTED, "all threads of the test belong to the host, but %s is a GPU",
                         device->name);
    if (agents->count > 1 && (agents->count != device->member_count || agents->host != device->host))
        return agents_refuse(test, device, agents, error);
    return STATUS_OK;
}

/* UNSUPPORTED, with the reason, if no memory of the ensemble makes the kernel's read-modify-writes atomic. */
static enum status agents_check_atomics(const struct backend_device *ensemble, const struct kernel *kernel,
                                        struct error *error)
{
    for (unsigned l = 0; l < kernel->locations; l++)
        if (ensemble->atomic_homes == 0 && kernel->atomic_locations && kernel->atomic_locations[l])
            return error_set(
                error, STATUS_UNSUPPORTED,
                "%s needs read-modify-writes that are atomic between devices, and the links of %s lack them (%s)",
                kernel->location_names[l], ensemble->name, ensemble->links);
    return STATUS_OK;
}

/* UNSUPPORTED, with the reason, if the kernels of two agents of the ensemble lay out an instance differently. */
static enum status agents_check_layout(const struct backend_device *ensemble, const struct kernel *first,
                                       const struct kernel *other, struct error *error)
{
    bool same = first->width == other->width && first->cell_words == other->cell_words &&
                first->local_cells == other->local_cells && first->result_words == other->result_words &&
                first->counter_words == other->counter_words;
    const struct backend_device *a = &ensemble->members[first->agent], *b = &ensemble->members[other->agent];
    for (unsigned body = 0; body < first->bodies; body++)
        same &= first->sub_group_of[body] == other->sub_group_of[body] &&
                (first->sub_group_of[body] == LITMUS_NONE || a->sub_group_size == b->sub_group_size);
    if (same)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "the test places threads in sub-groups, which have %u items on %s and %u on %s: devices can run "
                     "a test together only if their sub-groups have the same size",
                     a->sub_group_size, a->name, b->sub_group_size, b->name);
}

/* ---- the choice of a lowering, and the text ---- */

/* In order of preference: instructions of the test's own language first. */
static const struct lowering *const lowerings[] = {&lowering_c11,  &lowering_ptx,  &lowering_opencl1,
                                                   &lowering_glsl, &lowering_wgsl, &lowering_source};

/* By its own name, or by the one that it has with the user's header. */
static const struct lowering *lowering_of(const char *name)
{
    for (size_t i = 0; i < COUNT(lowerings); i++)
        if (strcmp(lowerings[i]->name, name) == 0)
            return lowerings[i];
        else if (strcmp(lower_user_of(lowerings[i])->name, name) == 0)
            return lower_user_of(lowerings[i]);
    return NULL;
}

const char *kernel_user_lowering(const char *name)
{
    const struct lowering *const own = name ? lowering_of(name) : NULL;
    return own ? lower_user_of(own)->name : name;
}

bool kernel_has_lowering(enum litmus_dialect dialect, const char *name)
{
    const struct lowering *lowering = lowering_of(name);
    return lowering && lowering->applies(dialect);
}

const char *kernel_lowering_word(const char *name)
{
    const struct lowering *lowering = lowering_of(name);
    return lowering ? lowering->name : "";
}

/* The lowering of an agent's threads. */
struct agent_choice {
    const char *wanted;    /* NULL: the device's default */
    unsigned agent, plays; /* as in struct kernel */
    bool host;             /* its threads are the host's */
    bool built_in;         /* without the user's header */
};

/* Finds a lowering that was requested by name. */
static enum status find_lowering(const struct litmus_test *test, const struct backend_device *device,
                                 const char *wanted, const struct lowering **lowering, struct error *error)
{
    *lowering = lowering_of(wanted);
    if (!*lowering && lowering_header(wanted))
        return error_set(error, STATUS_USAGE, "the kernel is %s: give its header with --atomics", wanted);
    if (!*lowering)
        return error_set(error, STATUS_USAGE, "there is no lowering '%s'", wanted);
    if (!(*lowering)->applies(test->dialect))
        return error_set(error, STATUS_UNSUPPORTED, "%s %s test has no lowering '%s'%s",
                         dialects[test->dialect].article, litmus_dialect_name(test->dialect), wanted,
                         (*lowering)->is_cuda ? ": only CUDA tests are written in CUDA C++" : "");
    if (!(device->takes & (*lowering)->takes))
        return error_set(error, STATUS_UNSUPPORTED, "%s does not take kernels of the lowering '%s'%s", device->name,
                         wanted, (*lowering)->is_cuda ? ": only CUDA devices compile CUDA C++" : "");
    return STATUS_OK;
}

/* The host's threads are C11, whatever language the others have. */
static enum status choose_for_host(const struct backend_device *device, const struct lowering **lowering,
                                   struct error *error)
{
    *lowering = &lowering_c11;
    if (device->takes & lowering_c11.takes)
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED,
                     "the test's host threads cannot run on %s: they need OpenCL C 2.0 or later%s", device->name,
                     device->gpu ? " on a CPU" : "");
}

static enum status choose_lowering(const struct litmus_test *test, const struct backend_device *device,
                                   const struct agent_choice *choice, const struct lowering **lowering,
                                   struct error *error)
{
    struct text unsupported = {0};
    enum status status = STATUS_OK;
    if (litmus_unsupported(test, &unsupported))
        status = error_set(error, STATUS_UNSUPPORTED, "no kernel for %s", text_string(&unsupported));
    else if (litmus_broken_rule(test))
        status = error_set(error, STATUS_UNSUPPORTED, "%s", litmus_broken_rule(test));
    text_release(&unsupported);
    if (status != STATUS_OK)
        return status;
    if (choice->host)
        return choose_for_host(device, lowering, error);
    if (choice->wanted)
        return find_lowering(test, device, choice->wanted, lowering, error);
    for (size_t i = 0; i < COUNT(lowerings); i++) {
        *lowering = lowerings[i];
        if ((!lowerings[i]->asked || !(device->takes & BACKEND_TAKES_PTX)) && (device->takes & lowerings[i]->takes) &&
            lowerings[i]->applies(test->dialect)) {
            const bool users = user_atomics_loaded() && !choice->built_in;
            *lowering = users && !dialects[test->dialect].columns ? lower_user_of(lowerings[i]) : lowerings[i];
            return !users || (*lowering)->is_user
                       ? STATUS_OK
                       : error_set(error, STATUS_UNSUPPORTED, "%s %s test on %s does not call functions of %s",
                                   dialects[test->dialect].article, litmus_dialect_name(test->dialect), device->name,
                                   user_atomics_name());
        }
    }
    return error_set(error, STATUS_UNSUPPORTED, "%s %s test cannot run on %s: the device takes %s",
                     dialects[test->dialect].article, litmus_dialect_name(test->dialect), device->name,
                     device->takes & BACKEND_TAKES_PTX                             ? "only inline PTX"
                     : device->takes & BACKEND_TAKES_CUDA                          ? "OpenCL C and CUDA C++, but no PTX"
                     : device->takes & (BACKEND_TAKES_C11 | BACKEND_TAKES_OPENCL1) ? "only OpenCL C"
                                                                                   : "neither OpenCL C nor inline PTX");
}

static const char *name_lowering(const struct litmus_test *test, const struct backend_device *device, bool built_in)
{
    const struct lowering *lowering = NULL;
    struct litmus_agents agents;
    struct error error;
    if (litmus_find_agents(test, &agents, &error) != STATUS_OK)
        return "";
    /* With several agents, the first one's: results name its kernel. */
    const struct agent_choice choice = {.host = agents.host && agents.count == 1, .built_in = built_in};
    const struct backend_device *first = device->member_count > 0 ? &device->members[0] : device;
    return choose_lowering(test, first, &choice, &lowering, &error) == STATUS_OK ? lowering->name : "";
}

const char *kernel_usual_lowering(const struct litmus_test *test, const struct backend_device *device)
{
    return name_lowering(test, device, false);
}

const char *kernel_built_in_lowering(const struct litmus_test *test, const struct backend_device *device)
{
    return name_lowering(test, device, true);
}

/* What only a kernel of several agents has. */
static void write_agent_words(struct text *text)
{
    static const char *const words[] = {
#define AGENT_NAME(name) #name,
        AGENT_LIST(AGENT_NAME)};
    text_add(text, "#define SEVERAL_AGENTS\n#define MEETING_LINE %uu\n#define AGENT_WORDS %uu\n",
             (unsigned)MEETING_LINE, (unsigned)AGENT_WORDS);
    for (unsigned i = 0; i < AGENT_WORDS; i++)
        text_add(text, "#define AGENT_%s %uu\n", words[i], i);
}

/* "#define SLOTS_OF(agent) ((agent) == 0u ? 1u : 2u)" and what else the skeleton knows about agents. One agent is an
 * ensemble of one. */
static void write_agents(const struct kernel *kernel, struct text *text)
{
    unsigned slots[LITMUS_MAXIMUM_AGENTS] = {0};
    const unsigned last = kernel->agents - 1;
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        slots[kernel->agent_of_slot[slot]]++;
    const bool several = __builtin_popcount(kernel->plays) > 1;
    text_add(text, "#define AGENTS %uu\n#define AGENT %s\n#define SLOTS_OF(agent) (", kernel->agents,
             several ? "draw[draw[DRAW_DISTANCES]]" : PRINTED(16, "%uu", kernel->agent));
    for (unsigned agent = 0; agent < last; agent++)
        text_add(text, "(agent) == %uu ? %uu : ", agent, slots[agent]);
    text_add(text, "%uu)\n#define MEMBERS_BEFORE(agent) (", slots[last]);
    unsigned before = 0;
    for (unsigned agent = 0; agent < last; before += slots[agent++])
        text_add(text, "(agent) == %uu ? %uu : ", agent, before);
    text_add(text, "%uu)\n#define AGENT_OF(member) (", before);
    before = 0;
    for (unsigned agent = 0; agent < last; agent++)
        text_add(text, "(member) < %uu ? %uu : ", before += slots[agent], agent);
    text_add(text, "%uu)\n", last);
    if (kernel->agents > 1)
        write_agent_words(text);
}

/* The position of the histogram in local memory, after the words that the skeleton keeps there. */
static unsigned local_histogram(const struct kernel *kernel)
{
    return kernel->delays ? LOCAL_HISTOGRAM_DELAYS : LOCAL_HISTOGRAM;
}

/* The numbers that the host and the kernel share (layout.h). */
static void write_layout(const struct kernel *kernel, struct text *text)
{
    static const struct {
        const char *name;
        unsigned number;
    } shared[] = {
#define DRAW_NUMBER(name) {"DRAW_" #name, DRAW_##name},
        {"LANE_MAP_WORDS", LANE_MAP_WORDS},
#define STEP_NUMBER(name, bit) {"STEP_" #name, STEP_##name},
#define COUNTER_NUMBER(name, kind, label) {"COUNTER_" #name, COUNTER_##name},
        DRAW_LIST(DRAW_NUMBER) STEP_LIST(STEP_NUMBER) COUNTER_LIST(COUNTER_NUMBER)};
    for (size_t i = 0; i < COUNT(shared); i++)
        text_add(text, "#define %s %uu\n", shared[i].name, shared[i].number);
    text_add(text, "#define COUNTER_HISTOGRAM %uu\n#define COUNTER_TABLE %uu\n#define LOCAL_HISTOGRAM %uu\n\n",
             (unsigned)COUNTER_HISTOGRAM, (unsigned)COUNTER_HISTOGRAM + kernel->histogram_words,
             local_histogram(kernel));
}

static void write_numbers(const struct allocation *allocation, struct text *text)
{
    const struct kernel *kernel = allocation->kernel;
    text_add(text, "\n// Numbers of this test.\n");
    text_add(text, "#define SLOTS %uu\n#define WIDTH %uu\n#define WORDS %uu\n#define OUTCOMES %uu\n", kernel->slots,
             kernel->width, kernel->words, kernel->outcomes);
    text_add(
        text,
        "#define HISTOGRAM_WORDS %uu\n#define TABLE_ENTRIES %uu\n#define CELL_WORDS %uu\n#define LOCAL_CELLS %uu\n",
        kernel->histogram_words, kernel->table_entries, kernel->cell_words, kernel->local_cells);
    text_add(text, "#define SPINS %uu\n", allocation->gave_up_word != LITMUS_NONE);
    text_add(text, "#define REPEATS %s\n", kernel->repeats ? "draw[DRAW_REPEATS]" : "1u");
    /* Whether all groups that run at one time have one draw, and constant memory is free for it. */
    text_add(text, "#define KERNEL_ENTRY %s\n",
             (!kernel_has_launches(kernel) && !kernel_takes_paths(kernel)) ? "ENTRY_OF_ONE_DRAW" : "ENTRY");
    if (kernel->in_clusters)
        text_add(text, "#define IN_CLUSTERS\n");
    if (allocation->async.mbarriers)
        text_add(text, "#undef group_barrier\n#define group_barrier() item_barrier()\n");
    if (kernel->separate)
        text_add(text, "#define SEPARATE\n");
    if (kernel_takes_paths(kernel))
        text_add(text, "#define WARMS\n");
    if (kernel->delays)
        text_add(text, "#define DELAYS\n");
    write_agents(kernel, text);
    if (kernel_has_launches(kernel))
        launches_write(kernel, text);
    if (kernel->sub_groups > 0)
        text_add(text, "#define SUB_GROUP_SIZE %uu\n#define SUB_GROUPS %uu\n#define SUB_GROUP_ITEMS %uu\n",
                 kernel->sub_group_size, kernel->sub_groups, kernel->sub_group_items);
    write_layout(kernel, text);
}

/* The pointer to an element; for a contiguous array, the array's plus the offset of the element. */
static void write_element(const struct allocation *allocation, unsigned location, uint32_t element, struct text *text)
{
    const unsigned step = allocation_step(allocation, location, element);
    text_add(text, "%s", step > 0 ? "(" : "");
    write_cell(allocation, location, allocation_cell(allocation, location, element), "instance", text);
    if (step > 0)
        text_add(text, " + %u)", step);
}

static void write_initialise(const struct allocation *allocation, struct text *text)
{
    const struct litmus_test *test = allocation->test;
    text_add(text, "FUNCTION void initialise(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances)\n{\n");
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        const bool global = allocation->region_of[l] == LITMUS_GLOBAL && allocation->path_of[l].storage == l;
        for (uint32_t e = 0; global && e < location->elements; e++) {
            const struct litmus_location *own = &allocation->test->locations[l];
            const struct syntax *syntax = allocation->kernel->lowering->syntax;
            const bool two = allocation_words(own->type) == 2;
            const struct syntax_around *set = &syntax->set[allocation_place(allocation, l)];
            text_add(text, "    ");
            syntax_open(set, two ? "u64" : "u32", text);
            write_element(allocation, l, e, text);
            text_add(text, "%s = %s(0x%llx%s);\n", set->after, two ? "TO_U64" : "TO_U32",
                     (unsigned long long)litmus_value_bits(own->type, own->initial[e]),
                     two ? syntax->long_suffix : "u");
        }
    }
    if (allocation->async.bulk)
        text_add(text, "    async_fence();\n");
    text_add(text, "}\n\n");
}

/* Declares v<n>, the n-th variable's value, read in place. */
static void write_variable(const struct allocation *allocation, unsigned v, struct text *text)
{
    const struct litmus_variable *variable = &allocation->test->variables[v];
    const enum litmus_type type = litmus_variable_type(allocation->test, variable);
    const unsigned words = allocation_words(type);
    const struct syntax *syntax = allocation->kernel->lowering->syntax;
    if (allocation->variables[v].part == LITMUS_NONE) {
        text_add(text, "    const %s v%u = ", lower_type(type), v);
        const struct syntax_around *read = &syntax->read[allocation_place(allocation, (unsigned)variable->index)];
        syntax_open(read, lower_type(type), text);
        write_element(allocation, (unsigned)variable->index, variable->element, text);
        text_add(text, "%s%s;\n", read->after, type == LITMUS_FLAG ? " != 0" : "");
        return;
    }
    text_add(text, "    const %s v%u = ", lower_type(type), v);
    syntax_open(&syntax->cast, lower_type(type), text);
    if (words == 1)
        text_add(text, "(AT(memory, result, %uu * all))", allocation->variables[v].word);
    else
        text_add(text, "(AT(memory, result, %uu * all) | TO_U64(AT(memory, result, %uu * all)) << 32)",
                 allocation->variables[v].word, allocation->variables[v].word + 1);
    text_add(text, "%s;\n", syntax->cast.after);
}

/* Adds the n-th variable's index in its domain to the bin. */
static void write_bin(const struct allocation *allocation, unsigned v, struct text *text)
{
    const struct kernel_domain *domain = &allocation->kernel->domains[v];
    const enum litmus_type type = litmus_variable_type(allocation->test, &allocation->test->variables[v]);
    const struct syntax *syntax = allocation->kernel->lowering->syntax;
    const bool is_float = litmus_type_is_float(type);
    const bool short_words = syntax->longs && !(allocation->kernel->types & BACKEND_TYPE_LONG); /* u64 has 32 bits */
    const int64_t first = domain->values[0];
    const bool contiguous = !is_float &&
                            (uint64_t)domain->values[domain->count - 1] - (uint64_t)first == domain->count - 1 &&
                            first > INT32_MIN && first < INT32_MAX;
    if (contiguous) {
        text_add(text, "    index = TO_U64(TO_LONG(v%u) - (%d));\n", v, (int)first);
    } else {
        text_add(text, "    index = %u;\n", domain->count);
        for (uint32_t i = 0; i < domain->count; i++)
            text_add(text, "    if (TO_U64(v%u) == TO_U64(0x%llx%s))\n        index = %u;\n", v,
                     (unsigned long long)(is_float      ? litmus_value_bits(type, domain->values[i])
                                          : short_words ? (uint32_t)domain->values[i]
                                                        : (uint64_t)domain->values[i]),
                     short_words ? "u" : syntax->long_suffix, i);
    }
    text_add(text, "    if (index >= %u)\n        return BIN_OUTSIDE;\n    bin = bin * %u + TO_U32(index);\n",
             domain->count, domain->count);
}

static void write_classify(const struct allocation *allocation, struct text *text)
{
    const struct kernel *kernel = allocation->kernel;
    unsigned word = 0;
    text_add(
        text,
        "FUNCTION u32 classify(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances, u32 stamp, OUT u32 words[WORDS])\n{\n"
        "    const u32 result = result_of(MEMORY_ARGUMENTS, owner, instance, instances);\n"
        "    const u32 all = draw[DRAW_REGIONS] * instances;\n");
    if (allocation->async.bulk)
        text_add(text, "    async_fence();\n");
    if (allocation->gave_up_word != LITMUS_NONE)
        text_add(text, "    if (AT(memory, result, %du * all) == stamp)\n        return BIN_GAVE_UP;\n",
                 allocation->gave_up_word);
    for (unsigned p = 0; p < allocation->part_count; p++)
        text_add(text, "    if (AT(memory, result, %uu * all) != stamp)\n        return BIN_STALE;\n",
                 allocation->parts[p].stamp_word);
    for (unsigned v = 0; v < kernel->variables; v++) {
        write_variable(allocation, v, text);
        text_add(text, "    words[%u] = TO_U32(v%u);\n", word++, v);
        if (litmus_type_size(litmus_variable_type(allocation->test, &allocation->test->variables[v])) == 8)
            text_add(text, "    words[%u] = TO_U32(TO_U64(v%u) >> 32);\n", word++, v);
    }
    if (word == 0)
        text_add(text, "    words[0] = 0;\n");
    if (kernel->outcomes == 0) {
        text_add(text, "    return BIN_OUTSIDE;\n}\n\n");
        return;
    }
    text_add(text, "    u32 bin = 0;\n");
    if (kernel->variables > 0)
        text_add(text, "    u64 index;\n");
    for (unsigned v = 0; v < kernel->variables; v++)
        write_bin(allocation, v, text);
    text_add(text, "    return bin;\n}\n");
}

unsigned kernel_unit_line(const struct backend *backend, unsigned line)
{
    return code_count_lines(backend->prelude) + line;
}

/* Appends the functions of the instructions and of the threads, and records their lines in the source. */
static void write_bodies(const struct writer *writer, struct text *source, struct kernel *kernel)
{
    struct text functions = {0};
    kernel->helpers_line = code_count_lines(text_string(source)) + 1;
    for (size_t i = 0; i < writer->function_count; i++)
        code_print_function(&writer->functions[i], source);
    kernel->functions_line = code_count_lines(text_string(source)) + 1;
    code_print(writer, writer->steps, &functions);
    kernel->functions_end = kernel->functions_line + code_count_lines(text_string(&functions));
    text_add(source, "%s", text_string(&functions));
    text_release(&functions);
    kernel->steps = writer->steps;
    kernel->step_count = writer->step_count;
    for (size_t i = 0; i < kernel->step_count; i++)
        kernel->steps[i].line += kernel->functions_line - 1;
}

/* Work-groups that meet need acquire and release at device scope, or at system scope, whatever the test uses. */
static bool can_meet(const struct backend_device *device, const struct kernel *kernel)
{
    const enum litmus_scope scope = kernel->agents > 1 ? LITMUS_ALL_DEVICES : LITMUS_DEVICE;
    return kernel->slots == 1 || kernel_has_launches(kernel) || lower_declared(device, LITMUS_ACQ_REL, scope, false);
}

/* The parts that were written, around the skeleton. */
static void join_parts(const struct writer *writer, const struct text *warm, struct kernel *kernel, struct text *source)
{
    const struct allocation *allocation = writer->allocation;
    /* A header costs compile time, so only kernels that need it include it. */
    kernel->includes = writer->needs & CODE_NEEDS_CUDA_LIBRARY;
    if (kernel->includes)
        text_add(source, "#include <cuda/atomic>\n");
    kernel->includes |= writer->user_code && user_atomics_need_library();
    const struct backend *backend = backend_find(allocation->device->backend);
    if (backend && allocation->device->types & BACKEND_TYPE_POINTER)
        text_add(source, "%s", backend->pointers);
    if (kernel->types & BACKEND_TYPE_LONG)
        text_add(source, "%s", kernel->lowering->syntax->longs);
    if (kernel->types & BACKEND_TYPE_SHORT)
        text_add(source, "%s", kernel->lowering->syntax->shorts);
    if (kernel->types & BACKEND_TYPE_CHAR)
        text_add(source, "%s", kernel->lowering->syntax->chars);
    if (backend && backend->clock && allocation->device->shared_clock &&
        (kernel_starts_at_ticks(kernel) || kernel->delays))
        text_add(source, "%s", backend->clock);
    write_numbers(allocation, source);
    text_add(source, "%s%s", kernel_skeleton, writer->needs & CODE_NEEDS_LANES ? kernel_lanes : "");
    text_add(source, "\n// ---- this test ----\n\n");
    kernel->body = source->size;
    code_print_constants(allocation->test, "CONSTANT", source);
    write_path_words(allocation, source);
    write_bodies(writer, source, kernel);
    kernel->body_size = source->size - kernel->body - 1; /* without the empty line after the last function */
    write_initialise(allocation, source);
    text_add(source,
             "FUNCTION void play(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances, u32 stamp, u32 "
             "team)\n{\n");
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        if (kernel_plays_slot(kernel, slot))
            text_add(source,
                     "    if (slot == %u)\n        play_%u(MEMORY_ARGUMENTS, owner, lane, instances, stamp, team);\n",
                     kernel_slot_number(kernel, slot), slot);
    text_add(source, "}\n\n");
    write_classify(allocation, source);
    text_add(source, "%s%s", warm->size > 0 ? "\n" : "", text_string(warm));
    if (kernel->user_code)
        kernel->prologue = user_atomics_prologue(backend_find(allocation->device->backend)->prelude, kernel_skeleton);
    kernel->undeclared = writer->undeclared || (kernel->lowering->is_opencl && !can_meet(allocation->device, kernel));
}

/* Whether items may play several instances in a round: not if these would share local memory, or need launches or
 * progress of their own. */
static bool can_repeat(const struct allocation *allocation)
{
    const struct kernel *kernel = allocation->kernel;
    return kernel_starts_at_ticks(kernel) && kernel->local_cells == 0 && !kernel->in_clusters &&
           !kernel->cluster_barriers && !kernel->progress && !allocation->async.bulk && !allocation->async.mbarriers &&
           !kernel_takes_paths(kernel);
}

/* only_check: only the threads' functions are written, which may fail, and the source stays NULL. */
static enum status write_kernel(const struct allocation *allocation, bool only_check, struct kernel *kernel,
                                struct error *error)
{
    struct text source = {0}, warm = {0};
    struct writer writer = {
        .allocation = allocation, .lowering = kernel->lowering, .arena = &kernel->arena, .error = error};

    kernel->separate = kernel_takes_paths(kernel) || kernel->lowering->separate;
    kernel->repeats = can_repeat(allocation);
    for (unsigned slot = 0; slot < kernel->slots; slot++)
        if (kernel_plays_slot(kernel, slot))
            write_slot(&writer, slot);
        else
            write_skip_sites(&writer, slot);
    const struct code code = writer.code;
    writer.code = (struct code){0};
    if (kernel_takes_paths(kernel))
        write_warm(&writer);
    code_print(&writer, NULL, &warm);
    text_release(&writer.code.text);
    writer.code = code;
    /* Notes the types of locations and registers, which have a kernel's variables even if nothing accesses them. */
    const struct litmus_test *test = writer.allocation->test;
    for (size_t l = 0; l < test->location_count; l++)
        access_note_type(&writer, test->locations[l].type, writer.allocation->region_of[l]);
    for (unsigned body = 0; body < writer.allocation->kernel->bodies; body++)
        for (size_t r = 0; r < test->threads[body].register_count; r++)
            access_note_type(&writer, test->threads[body].registers[r].type, LITMUS_GLOBAL);
    kernel->types = writer.types;
    kernel->user_code = writer.user_code;
    if (kernel->lowering->is_user && !writer.user_code)
        write_note(&writer,
                   error_set(error, STATUS_UNSUPPORTED,
                             "none of its accesses, fences and barriers calls a function of %s", user_atomics_name()));
    if (kernel->lowering->is_user && !only_check)
        write_note(&writer, user_atomics_check(error));
    if (writer.status == STATUS_OK && !only_check) {
        join_parts(&writer, &warm, kernel, &source);
        kernel->source = text_take(&source);
    }
    text_release(&writer.code.text);
    text_release(&warm);
    return writer.status;
}

/* The kernel of one agent, which plays its threads on this device; only_check as in write_kernel. */
static enum status generate_kernel_text(const struct litmus_test *test, const struct backend_device *device,
                                        const struct agent_choice *choice, bool delays, bool only_check,
                                        struct kernel *kernel, struct error *error)
{
    struct allocation allocation = {0};
    const bool programmatic = litmus_has_edge(test, LAUNCH_EDGE_PROGRAMMATIC);
    *kernel = (struct kernel){.progress = litmus_is_progress(test),
                              .programmatic = programmatic,
                              .delays = delays || programmatic, /* draw.c: without them no launches overlap */
                              .agent = choice->agent,
                              .plays = choice->plays};
    enum status status = choose_lowering(test, device, choice, &kernel->lowering, error);
    THEN(status, allocation_make(test, device, kernel, &allocation, error));
    if (status == STATUS_OK) {
        if (!only_check || kernel->agents > 1) /* whose layouts are compared */
            allocation_domains(test, kernel);
        status = write_kernel(&allocation, only_check, kernel, error);
    }
    allocation_release(&allocation);
    if (status != STATUS_OK)
        kernel_release(kernel);
    return status;
}

enum status kernel_generate(const struct litmus_test *test, const struct backend_device *device, const char *lowering,
                            bool delays, struct kernel *kernel, struct error *error)
{
    struct litmus_agents agents;
    *kernel = (struct kernel){0};
    TRY(agents_check(test, device, &agents, error));
    TRY(launches_check(test, device, error));
    if (agents.count > 1)
        return agents_refuse(test, device, &agents, error);
    const struct agent_choice choice = {.wanted = lowering, .plays = 1, .host = agents.host};
    return generate_kernel_text(test, device, &choice, delays, false, kernel, error);
}

/* Whether two members' kernels may be one: the same code runs on both. The host is a member in its own right. */
static bool are_equal(const struct backend_device *a, const struct backend_device *b)
{
    return strcmp(a->backend, b->backend) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->architecture, b->architecture) == 0 && strcmp(a->platform, b->platform) == 0 &&
           strcmp(a->driver, b->driver) == 0 && strcmp(a->compiler, b->compiler) == 0 && a->takes == b->takes;
}

/* How agent `agent` gets its kernel, which it shares with the agents on equal devices. */
static struct agent_choice choose_agent(const struct backend_device *device, const struct litmus_agents *agents,
                                        unsigned agent, const char *lowering)
{
    const unsigned host = agents->host ? agents->count - 1 : LITMUS_MAXIMUM_AGENTS;
    struct agent_choice choice = {.wanted = lowering, .agent = agent, .plays = 1U << agent, .host = agent == host};
    for (unsigned other = 0; other < agents->count && agents->count > 1 && !choice.host; other++)
        if (other != host && are_equal(&device->members[agent], &device->members[other]))
            choice.plays |= 1U << other;
    return choice;
}

/* As kernel_generate_agents; only_check as in write_kernel. */
static enum status generate_agents(const struct litmus_test *test, const struct backend_device *device,
                                   const char *lowering, bool delays, bool only_check,
                                   struct kernel kernels[LITMUS_MAXIMUM_AGENTS], unsigned *agents, struct error *error)
{
    struct litmus_agents who;
    enum status status = STATUS_OK;
    unsigned made = 0, certain = 0;
    for (unsigned agent = 0; agent < LITMUS_MAXIMUM_AGENTS; agent++)
        kernels[agent] = (struct kernel){0};
    TRY(agents_check(test, device, &who, error));
    TRY(launches_check(test, device, error));
    *agents = who.count;
    for (; made < who.count && status == STATUS_OK; made++) {
        const struct agent_choice choice = choose_agent(device, &who, made, lowering);
        const struct backend_device *on = who.count > 1 ? &device->members[made] : device;
        status = generate_kernel_text(test, on, &choice, delays, only_check, &kernels[made], error);
        if (status == STATUS_OK && who.count > 1)
            status = agents_check_atomics(device, &kernels[made], error);
        if (status == STATUS_OK && made > 0)
            status = agents_check_layout(device, &kernels[0], &kernels[made], error);
        certain |= kernels[made].certain_sites;
    }
    for (unsigned agent = 0; agent < made; agent++)
        if (status == STATUS_OK)
            kernels[agent].certain_sites = certain;
        else
            kernel_release(&kernels[agent]);
    return status;
}

enum status kernel_generate_agents(const struct litmus_test *test, const struct backend_device *device,
                                   const char *lowering, bool delays, struct kernel kernels[LITMUS_MAXIMUM_AGENTS],
                                   unsigned *agents, struct error *error)
{
    return generate_agents(test, device, lowering, delays, false, kernels, agents, error);
}

enum status kernel_check_agents(const struct litmus_test *test, const struct backend_device *device,
                                const char *lowering, struct error *error)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    unsigned agents = 0;
    const enum status status = generate_agents(test, device, lowering, false, true, kernels, &agents, error);
    for (unsigned agent = 0; agent < agents && status == STATUS_OK; agent++)
        kernel_release(&kernels[agent]);
    return status;
}

void kernel_release(struct kernel *kernel)
{
    free(kernel->source);
    free(kernel->domains);
    arena_release(&kernel->arena);
    *kernel = (struct kernel){0};
}

struct backend_source kernel_backend_source(const struct kernel *kernel, const char *name)
{
    return (struct backend_source){.name = name,
                                   .kernel = kernel->source,
                                   .prologue = kernel->prologue,
                                   .folders = kernel->prologue ? user_atomics_folders() : NULL,
                                   .functions_line = kernel->functions_line,
                                   .clusters = kernel->cluster_groups > 1,
                                   .paths = kernel->paths,
                                   .aliases = kernel->aliases};
}

const char *kernel_lowering_name(const struct kernel *kernel)
{
    return kernel->lowering->name;
}

size_t kernel_local_words(const struct kernel *kernel, uint32_t group_size, uint32_t stride)
{
    return local_histogram(kernel) + kernel->histogram_words +
           (size_t)(group_size / kernel->width) * kernel->local_cells * stride;
}

/* ---- a test's threads as kernel text, by slot, without the skeleton ---- */

enum status kernel_pieces_make(const struct litmus_test *test, const struct backend_device *device,
                               const char *lowering, bool delays, struct kernel_pieces *pieces, struct error *error)
{
    *pieces = (struct kernel_pieces){0};
    TRY(kernel_generate(test, device, lowering, delays, &pieces->kernel, error));
    pieces->laid.delays = pieces->kernel.delays;
    pieces->laid.lowering = pieces->kernel.lowering;
    pieces->laid.progress = pieces->kernel.progress;
    TRY(allocation_make(test, device, &pieces->laid, &pieces->allocation, error));
    struct writer *writer = &pieces->writer;
    *writer = (struct writer){.allocation = &pieces->allocation,
                              .lowering = pieces->kernel.lowering,
                              .arena = &pieces->kernel.arena,
                              .error = error};
    for (unsigned slot = 0; slot < pieces->kernel.slots; slot++) {
        write_threads(writer, slot);
        pieces->threads[slot] = writer->code;
        writer->code = (struct code){0};
    }
    return writer->status;
}

void kernel_pieces_release(struct kernel_pieces *pieces)
{
    for (unsigned slot = 0; slot < KERNEL_MAXIMUM_SLOTS; slot++)
        text_release(&pieces->threads[slot].text);
    allocation_release(&pieces->allocation);
    kernel_release(&pieces->kernel);
}
