// SPDX-License-Identifier: Apache-2.0
/* Writing a reproducer: the draw, the holes of the templates, the files. */
#include "hunt/reproduce/reproduce.h"
#include "hunt/reproduce/program.h"
#include "litmus/language/user_atomics.h"
#include "litmus/language/walk.h"
#include "models/explain/explain.h"
#include "verdicts/verdicts.h"

extern const char template_kernel[]; /* kernel.cl: in the words of program_code.c */

extern const char template_main[]; /* main.c: the three runs, of either host */

extern const char template_cuda[]; /* reproduce.cu */

extern const char template_opencl[]; /* reproduce.cl */

extern const char template_opencl_host[]; /* reproduce.c */

extern const char template_vulkan[]; /* reproduce.comp: with a kernel in GLSL */

extern const char template_vulkan_host[]; /* reproduce.c */

extern const char template_vulkan_make[]; /* Makefile.comp */

extern const char template_cuda_make[]; /* Makefile.cu */

extern const char template_opencl_make[]; /* Makefile.cl */

extern const char template_readme[]; /* README.md */

enum {
    EXPECTED_IN_A_RUN = 10, /* times, so that chance does not decide whether three of three runs see it */
    LEAST_SECONDS = 6,      /* of the three runs */
    MOST_SECONDS = 120,     /* unless the user asks for more */
    COMMENT_WIDTH = 100,
    MAXIMUM_TEAMS = 16 /* most arrangements of partners in a program */
};

double reproduce_expected_seconds(double rate)
{
    return rate > 0 ? REPRODUCE_RUNS * EXPECTED_IN_A_RUN / rate : INFINITY;
}

/* ---- the draw ---- */

/* The device's limits on a draw, without limits on instances. */
static struct draw_limits limits_of(const struct program *program)
{
    const struct reproduce_facts *facts = program->facts;
    const struct backend_device *device = facts->device;
    return (struct draw_limits){.resident_groups = facts->resident_groups,
                                .max_group_size = device->max_group_size,
                                .sub_group_size = device->sub_group_size ? device->sub_group_size : 1,
                                .max_cluster_groups = device->max_cluster_groups,
                                .copies = program->cuda && draw_device_copies(device),
                                /* reproducers know the clocks of NVIDIA's GPUs and of PoCL */
                                .shared_clock = device->shared_clock && device->clock_grain == 0,
                                .local_bytes = device->local_bytes};
}

enum status reproduce_check_test(const struct litmus_test *test, struct error *error)
{
    bool lanes = false;
    for (size_t body = 0; body < test->body_count; body++)
        lanes |= litmus_has_collectives(&test->threads[body].body);
    if (lanes)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s has a vote, a shuffle or a barrier of some lanes, but a reproducer does not know which "
                         "lanes of a warp play an instance; 'orchil run' with the job's --seed and --profile shows the "
                         "outcome again",
                         test->name);
    return test->edge_count == 0
               ? STATUS_OK
               : error_set(
                     error, STATUS_UNSUPPORTED,
                     "%s has several launches, but a reproducer makes only one; 'orchil run' with the job's --seed and "
                     "--profile shows the outcome again",
                     test->name);
}

static enum status make_draw(struct program *program, struct error *error)
{
    const struct reproduce_facts *facts = program->facts;
    const struct draw_limits limits = limits_of(program);
    const unsigned slots = program->pieces.kernel.slots;
    struct environment environment = environment_of_batch(facts->environment, facts->batch);
    if (program->pieces.kernel.progress)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s is a test of progress: it shows that a thread does not end, which is not an outcome",
                         program->test->name);
    TRY(reproduce_check_test(program->test, error));
    if (slots > facts->resident_groups)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s needs %u work-groups at once, but %s holds %u; the work-groups of a reproducer must meet",
                         program->test->name, slots, facts->device->name, facts->resident_groups);
    if (program->pieces.kernel.paths & ~(unsigned)BACKEND_PATH_ASYNC)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "%s accesses memory by an alias or through a proxy, but a reproducer has one address for its memory",
            program->test->name);
    if (program->pieces.allocation.async.what)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "%s has %s: reproducers do not support that, because it needs code before and after each round; 'orchil "
            "show --kernel cuda %s' prints a kernel that has it",
            program->test->name, program->pieces.allocation.async.what, program->test->name);
    for (unsigned l = 0; l < program->test->location_count; l++)
        if (program->test->locations[l].region == LITMUS_LOCAL &&
            allocation_in_one_piece(&program->pieces.allocation, l))
            return error_set(error, STATUS_UNSUPPORTED,
                             "%s has vectors in local memory, which a reproducer aligns only to words",
                             program->test->name);
    if (program->glsl && program->pieces.kernel.types != 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s has numbers of 64, 16 or 8 bits, but a reproducer for Vulkan has only 32-bit memory",
                         program->test->name);
    environment.no_meeting_chance = (struct environment_range){0, 0};
    environment.item_instances = (struct environment_range){1, 1}; /* only the rate depends on it */
    if (environment.teams.high > MAXIMUM_TEAMS)
        environment.teams.high = MAXIMUM_TEAMS;
    if (environment.teams.low > MAXIMUM_TEAMS)
        environment.teams.low = MAXIMUM_TEAMS;
    return draw_make(&environment, &program->pieces.kernel, &limits, facts->seed, facts->key, facts->batch,
                     &program->draw, error);
}

/* ---- foreign texts, quoted so that a compiler or make sees only text ---- */

/* Sets a value for use within the quotes of a C string. */
static void set_quoted(struct template_values *values, const char *name, const char *words)
{
    escape_format(values_add(values, name), ESCAPE_STRING, "$", words);
}

/* "sm_90", or nvcc's word for the GPU that it finds. */
static const char *plain_architecture(const struct backend_device *device)
{
    const char *name = device->architecture;
    const size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return plain > 0 && name[plain] == '\0' ? name : "native";
}

/* ---- texts on the test ---- */

/* Appends the non-empty lines, each after a mark; width: at which long lines are broken, or 0. */
static void add_marked(struct text *out, const char *mark, const char *lines, size_t width)
{
    LOCAL(text) wrapped = {0};
    if (width > 0)
        terminal_wrap_line(&wrapped, lines, strlen(lines), width, 0);
    else
        text_add(&wrapped, "%s", lines);
    for (const char *line = text_string(&wrapped); *line;) {
        LOCAL(text) safe = {0};
        line += escape_add_line(&safe, ESCAPE_COMMENT, line);
        if (safe.size > 0)
            text_add(out, "%s %s\n", mark, text_string(&safe));
    }
}

/* The test from its initial state to its end. */
static const char *program_part(const char *litmus)
{
    const char *start = strncmp(litmus, "{", 1) == 0 ? litmus : strstr(litmus, "\n{");
    return start ? start + (*start == '\n') : litmus;
}

static void add_verdict(struct program *program, const struct verdicts *verdicts)
{
    const char *label = program->facts->outcome;
    const struct opinion *opinion = verdicts_deciding(verdicts), *against = verdicts_forbid(verdicts, label);
    const struct judged_outcome *judged;
    struct text *text = values_add(&program->values, "verdict");
    if (against)
        opinion = against;
    judged = opinion->model[0] ? opinion_on(opinion, label) : NULL;
    if (against)
        text_add(text, "is forbidden by the memory model %s: %s.", opinion->model, opinion_reason(opinion, label));
    else if (!judged)
        text_add(text, "has no verdict of a memory model%s%s.", opinion->unjudged[0] ? ": " : "", opinion->unjudged);
    else if (judged->verdict == VERDICT_WEAK)
        text_add(text,
                 "is weak: the memory model %s allows it, although no interleaving of the instructions produces it.",
                 opinion->model);
    else
        text_add(text, "is %s by the memory model %s.", verdict_word(judged->verdict), opinion->model);
    if (!against || !judged || !judged->explanation)
        return;
    explanation_print_cycle(judged->explanation, values_add(&program->values, "cycle"));
    values_set(&program->values, "cycle_model", "%s", opinion->model);
    values_set(&program->values, "cycle_axiom", "%s", judged->axiom);
}

static void reproduce_add_head(struct program *program, const char *litmus)
{
    struct text *head = values_add(&program->values, "head");
    LOCAL(text) words = {0};
    const char *doc = program->test->doc;
    text_add(&words, "%s (%s). %.*s", program->test->name, litmus_dialect_name(program->test->dialect),
             (int)escape_line_size(doc), doc);
    add_marked(head, "//", text_string(&words), COMMENT_WIDTH - 3);
    text_add(head, "//\n");
    add_marked(head, "//   ", program_part(litmus), 0);
    text_add(head, "//\n");
    text_clear(&words);
    text_add(&words, "The outcome %s %s README.md says more.", program->facts->outcome,
             text_string(values_add(&program->values, "verdict")));
    add_marked(head, "//", text_string(&words), COMMENT_WIDTH - 3);
}

/* ---- texts on the device and the rate ---- */

static void reproduce_add_device(struct program *program)
{
    const struct backend_device *device = program->facts->device;
    struct template_values *values = &program->values;
    const char *version = strpbrk(device->platform, ",(");
    values_set(values, "device", "%s", device->name);
    set_quoted(values, "device_text", device->name);
    values_set(values, "architecture", device->architecture[0] ? " (%s)" : "%s", device->architecture);
    values_set(values, "arch", "%s", plain_architecture(device));
    values_set(values, "driver", "%s%s%s", device->platform, device->platform[0] ? ", " : "",
               device->driver[0] ? device->driver : "not known");
    values_set(values, "compiler", "%s", device->compiler[0] ? device->compiler : "the driver's");
    values_set(values, "platform", "%.*s", version ? (int)(version - device->platform) : (int)strlen(device->platform),
               device->platform);
    set_quoted(values, "platform_text", text_string(values_add(values, "platform")));
    values_set(values, "device_type", "%s", device->gpu ? "CL_DEVICE_TYPE_GPU" : "CL_DEVICE_TYPE_CPU");
    values_set(values, "device_kind", "%s", device->gpu ? "GPU" : "CPU");
    values_set(values, "cl_std", "%s", device->takes & BACKEND_TAKES_C11 ? "-cl-std=CL3.0" : "-cl-std=CL1.2");
}

static void add_rate(struct program *program, struct reproducer *reproducer)
{
    const struct reproduce_facts *facts = program->facts;
    struct template_values *values = &program->values;
    const double expected = reproduce_expected_seconds(facts->seconds > 0 ? (double)facts->seen / facts->seconds : 0);
    reproducer->expected = expected;
    reproducer->seconds = facts->run_seconds > 0 ? REPRODUCE_RUNS * facts->run_seconds : expected;
    reproducer->seconds = fmin(fmax(reproducer->seconds, LEAST_SECONDS), MOST_SECONDS);
    values_set(values, "seconds", "%.0f", reproducer->seconds);
    values_set(values, "rate", "%s times in %s instances, in %s", QUANTITY_COUNT(facts->seen),
               QUANTITY_COUNT(facts->instances), QUANTITY_SECONDS(facts->seconds));
    if (facts->seen > 0)
        values_set(values, "expected", "At the rate that orchil saw, 3 of 3 runs see it after %s in all.",
                   QUANTITY_SECONDS(fmax(expected, 0.1)));
    else
        values_set(values, "expected", "orchil has not seen this outcome, so it is unknown how long that takes.");
}

/* ---- how it is played ---- */

static void add_words(struct program *program)
{
    struct template_values *values = &program->values;
    const struct kernel *kernel = &program->pieces.laid;
    const char *group = program->cuda ? "block" : "work-group", *item = program->cuda ? "thread" : "work-item";
    struct text *how = values_add(values, "how");
    values_set(values, "group", "%s", group);
    values_set(values, "item", "%s", item);
    values_set(values, "local", "%s", program->cuda ? "shared" : "local");
    values_set(values, "name", "%s", program->test->name);
    values_set(values, "outcome", "%s", program->facts->outcome);
    set_quoted(values, "name_text", program->test->name);
    set_quoted(values, "outcome_text", program->facts->outcome);
    values_set(values, "count", "%s", program->cuda ? "atomicAdd" : "atomic_inc");
    values_set(values, "missed", "%s",
               program->glsl   ? "VK_TIMEOUT : VK_SUCCESS"
               : program->cuda ? "cudaErrorLaunchFailure : cudaSuccess"
                               : "CL_OUT_OF_RESOURCES : CL_SUCCESS");
    values_set(values, "one", "%s", program->cuda ? ", 1u" : "");
    values_set(values, "what_it_shows", "what the memory model says of no correct machine");
    text_add(
        how,
        "A launch plays many instances of the test at once, each in memory of its own. Each %s owns %s: in each round it "
        "initialises them, ",
        group,
        kernel->width > 1 ? "some of them"
        : program->cuda   ? "one for each of its threads"
                          : "one for each of its items");
    if (kernel->slots > 1)
        text_add(
            how,
            "meets the %ss that play the other threads, plays, meets them again, and counts. So an instance is counted "
            "when all its threads have ended. ",
            group);
    else
        text_add(how, "plays all their threads on different %ss, and counts. ", item);
    text_add(how, "The numbers at the top are those of one launch of orchil.");
    values_note(values, "cuda", program->cuda);
    values_note(values, "opencl", !program->cuda && !program->glsl);
    values_note(values, "vulkan", program->glsl);
    values_note(values, "opencl_2", !program->cuda && program->facts->device->takes & BACKEND_TAKES_C11);
    values_note(values, "opencl_1", !program->cuda && !(program->facts->device->takes & BACKEND_TAKES_C11));
    values_set(values, "tool", "%s", program->facts->tool);
    values_set(values, "command", "%s", program->facts->command);
    values_set(values, "when", "%s", program->facts->when);
    if (program->facts->needed)
        values_set(values, "needed", "%s", program->facts->needed);
}

/* ---- files ---- */

/* Fills a template, as a value for another. */
static enum status fill_value(struct program *program, const char *name, const char *template, bool reword,
                              struct error *error)
{
    LOCAL(text) filled = {0};
    const enum status status = template_fill(template, TEMPLATE_PROGRAM, &program->values, &filled, error);
    struct text *value = values_add(&program->values, name);
    text_clear(value);
    if (reword)
        program_reword(program, text_string(&filled), value);
    else
        text_add(value, "%s", text_string(&filled));
    return status;
}

static enum status add_file(struct program *program, const char *name, bool is_program, const char *template,
                            struct reproducer *reproducer, struct error *error)
{
    struct reproduced_file *file = &reproducer->files[reproducer->file_count++];
    *file = (struct reproduced_file){.name = name, .program = is_program};
    TRY(template_fill(template, template == template_readme ? TEMPLATE_MARKDOWN : TEMPLATE_PROGRAM, &program->values,
                      &file->text, error));
    for (const char *c = text_string(&file->text); is_program && *c; c++)
        reproducer->lines += *c == '\n';
    return STATUS_OK;
}

/* The holes of reproduce.comp that have words of program_code.c. */
static enum status fill_glsl(struct program *program, struct error *error)
{
    static const char *const holes[] = {"group_number", "stress_line", "play_slots", "play_all",   "was_seen",
                                        "initialise",   "position",    "owner",      "first_point"};
    TRY(fill_value(program, "kernel", "@instructions@@plays@@team_maps@", true, error));
    for (size_t i = 0; i < COUNT(holes); i++) {
        LOCAL(text) hole = {0};
        text_add(&hole, "@%s@", holes[i]);
        if (values_add(&program->values, holes[i])->size > 0)
            TRY(fill_value(program, holes[i], text_string(&hole), true, error));
    }
    return STATUS_OK;
}

static enum status fill_program(struct program *program, struct reproducer *reproducer, struct error *error)
{
    LOCAL(text) sizes = {0};
    text_add(&sizes, "%s", text_string(values_add(&program->values, "sizes")));
    enum status status = fill_value(program, "sizes", text_string(&sizes), true, error);
    THEN(status,
         program->glsl ? fill_glsl(program, error) : fill_value(program, "kernel", template_kernel, true, error));
    THEN(status, fill_value(program, "main", template_main, false, error));
    if (status != STATUS_OK)
        return status;
    if (program->cuda) {
        TRY(add_file(program, "reproduce.cu", true, template_cuda, reproducer, error));
        TRY(add_file(program, "Makefile", false, template_cuda_make, reproducer, error));
    } else if (program->glsl) {
        TRY(add_file(program, "reproduce.comp", true, template_vulkan, reproducer, error));
        TRY(add_file(program, "reproduce.c", true, template_vulkan_host, reproducer, error));
        TRY(add_file(program, "Makefile", false, template_vulkan_make, reproducer, error));
    } else {
        TRY(add_file(program, "reproduce.cl", true, template_opencl, reproducer, error));
        TRY(add_file(program, "reproduce.c", true, template_opencl_host, reproducer, error));
        TRY(add_file(program, "Makefile", false, template_opencl_make, reproducer, error));
    }
    if (program->pieces.kernel.user_code) {
        struct reproduced_file *header = &reproducer->files[reproducer->file_count++];
        *header = (struct reproduced_file){.name = user_atomics_file()};
        TRY(user_atomics_add_text(&header->text, error));
    }
    return add_file(program, "README.md", false, template_readme, reproducer, error);
}

/* What the program needs of a user's header, which lies beside it, and where the compiler finds what that includes. */
static void add_user_atomics(struct program *program)
{
    const char *const *folders = user_atomics_folders();
    struct text *const flags = values_add(&program->values, "atomics_folders");
    values_note(&program->values, "user_code", program->pieces.kernel.user_code);
    if (!program->pieces.kernel.user_code)
        return;
    user_atomics_add_include(values_add(&program->values, "atomics"));
    text_add(flags, " -I.");
    for (size_t i = 1; folders[i]; i++)
        text_add(flags, " -I%s", folders[i]);
}

static enum status make_program(struct program *program, const char *litmus, struct reproducer *reproducer,
                                struct error *error)
{
    const bool delays = environment_highest(program->facts->environment, PARAMETER_delay_chance) > 0;
    TRY(kernel_pieces_make(program->test, program->facts->device, program->facts->lowering, delays, &program->pieces,
                           error));
    program->cuda = strcmp(program->facts->device->backend, "opencl") != 0 &&
                    (program->pieces.kernel.lowering->takes & (BACKEND_TAKES_PTX | BACKEND_TAKES_CUDA)) != 0;
    program->glsl = (program->pieces.kernel.lowering->takes & BACKEND_TAKES_GLSL) != 0;
    program->syntax = program->pieces.kernel.lowering->syntax;
    TRY(make_draw(program, error));
    values_note(&program->values, "includes", program->pieces.kernel.includes);
    add_user_atomics(program);
    program_add_test(program);
    program_add_draw(program);
    reproduce_add_device(program);
    add_rate(program, reproducer);
    if (escape_line_size(program->test->doc) > 0)
        values_set(&program->values, "title", "%.*s", (int)escape_line_size(program->test->doc), program->test->doc);
    add_words(program);
    values_set(&program->values, "litmus", "%s", litmus);
    const struct judge_options limits = {.explain = true};
    LOCAL(verdicts) verdicts = {0};
    const enum status status = verdicts_make(program->test, program->facts->device, &limits, &verdicts, error);
    if (status == STATUS_OK)
        add_verdict(program, &verdicts);
    TRY(status);
    reproduce_add_head(program, litmus);
    return fill_program(program, reproducer, error);
}

/* litmus: the printed test, to which the lines of a cycle refer. */
static enum status write_printed(const struct reproduce_facts *facts, const char *litmus, struct reproducer *reproducer,
                                 struct error *error)
{
    struct litmus_test *test = NULL;
    TRY(litmus_parse(facts->test->name, litmus, strlen(litmus), &test, error));
    FREED int64_t *outcome = memory_take(test->variable_count + 1, sizeof *outcome);
    FREED struct program *program = memory_take(1, sizeof *program);
    *program = (struct program){.facts = facts, .test = test, .outcome = outcome};
    enum status status =
        litmus_label_read(test, facts->outcome, outcome)
            ? make_program(program, litmus, reproducer, error)
            : error_set(error, STATUS_USAGE, "'%s' is not an outcome of %s", facts->outcome, test->name);
    draw_release(&program->draw);
    kernel_pieces_release(&program->pieces);
    template_values_release(&program->values);
    litmus_release(test);
    return status;
}

enum status reproduce_write(const struct reproduce_facts *facts, struct reproducer *reproducer, struct error *error)
{
    LOCAL(text) litmus = {0};
    *reproducer = (struct reproducer){0};
    litmus_print(facts->test, &litmus);
    return write_printed(facts, text_string(&litmus), reproducer, error);
}

void reproduce_release(struct reproducer *reproducer)
{
    for (size_t i = 0; i < reproducer->file_count; i++)
        text_release(&reproducer->files[i].text);
    *reproducer = (struct reproducer){0};
}
