// SPDX-License-Identifier: Apache-2.0
/* orchil generate: litmus tests from cycles, and random programs. */
#include "base/random.h"
#include "catalogue/catalogue.h"
#include "catalogue/cycles/generate.h"
#include "catalogue/judge_variant.h"
#include "catalogue/random/random_program.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "litmus/litmus.h"
#include "runner/run/rejudge.h"

/* ---- the command line ---- */

enum { DEFAULT_THREADS = 3, DEFAULT_PROGRAMS = 10 };

struct generate_request {
    struct generation generation;
    const char *folder; /* NULL: standard output */
    unsigned threads;   /* of --threads; 0: not given */
    uint64_t limit;     /* 0: none */
    bool critical, names, verdicts, force, random, seeded;
    uint64_t count, seed; /* of --random */
    struct verb_arguments cycles;
};

/* Whether there is nothing of what only cycles have. */
static bool generate_is_bare(const struct generate_request *request)
{
    const struct generation *generation = &request->generation;
    return request->cycles.count == 0 && !request->critical && !request->names && !generation->mix &&
           !generation->families && !generation->tags && !generation->scopes && !generation->fence_scopes &&
           !generation->placements && !generation->regions && !generation->rmw && !generation->plain &&
           !generation->semantics && request->limit == 0;
}

static void generate_check_options(const struct argp_state *state, const void *data)
{
    const struct generate_request *request = data;
    const struct generation *generation = &request->generation;
    const size_t room = COUNT(generation->cycles);
    if (request->cycles.count > room)
        options_error(state, "expected at most %zu cycles", room);
    if (request->threads > 0 && !request->critical)
        options_error(state, "--threads needs --critical");
    if (!request->random && request->cycles.count == 0 && !generation->families && !request->critical)
        options_error(state, "expected a cycle (\"PodWW Rfe PodRR Fre\"), --family, --critical or --random");
    if (request->random && !generate_is_bare(request))
        options_error(state, "--random can be combined only with --count, --seed, --dialect, -o and --force");
    if (!request->random && (request->count > 0 || request->seeded))
        options_error(state, "--count and --seed need --random");
    if (request->force && !request->folder)
        options_error(state, "--force needs -o");
    if (request->names && request->folder)
        options_error(state, "expected --names or -o, found both");
}

#define AT(member) offsetof(struct generate_request, member)
#define AXIS(member) OPTION_TEXT, .offset = AT(generation.member)

static const struct option_row option_rows[] = {
    {.kind = OPTION_HEADING, .help = "Cycles:"},
    {"family", 0, "F,...", AXIS(families)},
    {"critical", 0, NULL, OPTION_SET, .offset = AT(critical)},
    {"threads", 0, "N", OPTION_WHOLE, .offset = AT(threads), .low = 2, .high = CYCLE_MAXIMUM_THREADS},
    {.kind = OPTION_HEADING, .help = "Random programs:"},
    {"random", 0, NULL, OPTION_SET, .offset = AT(random)},
    {"count", 0, "N", OPTION_COUNT, .offset = AT(count)},
    {ROW_SEED(AT(seed), AT(seeded))},
    {.kind = OPTION_HEADING, .help = "Variation (all combinations that have a test are generated):"},
    {"dialect", 0, "D,...", AXIS(dialects)},
    {"tags", 0, "T,...", AXIS(tags)},
    {"mix", 0, NULL, OPTION_SET, .offset = AT(generation.mix)},
    {"scopes", 0, "S,...", AXIS(scopes)},
    {"fence-scopes", 0, "S,...", AXIS(fence_scopes)},
    {"placements", 0, "P,...", AXIS(placements)},
    {"regions", 0, "R,...", AXIS(regions)},
    {"rmw", 0, "R,...", AXIS(rmw)},
    {"plain", 0, "P,...", AXIS(plain)},
    {"semantics", 0, "C,...", AXIS(semantics)},
    {"limit", 0, "N", OPTION_COUNT, .offset = AT(limit), .expected = "a positive whole number, like 1000 or 1M"},
    {.kind = OPTION_HEADING, .help = "Output:"},
    {ROW_OUT("DIR", AT(folder)), .file = OPTION_FILE_FOLDER},
    {"force", 0, NULL, OPTION_SET, .offset = AT(force)},
    {"names", 0, NULL, OPTION_SET, .offset = AT(names)},
    {"no-verdicts", 0, NULL, OPTION_CLEAR, .offset = AT(verdicts)},
    {0}};

/* ---- making them ---- */

enum { SHOWN_NOTES = 5 };

struct generator {
    const struct generate_request *request;
    struct variant_judge *judge; /* NULL: no verdicts */
    struct test_folder folder;
    struct progress_line progress;
    struct text scratch;
    unsigned long count, expected, verdicts[VARIANT_VERDICT_COUNT], untested;
};

static enum status cannot_print(struct error *error)
{
    return error_set(error, STATUS_SYSTEM, "standard output cannot be written: %s", strerror(errno));
}

/* The name for `orchil run`: with the dialect, since there may be no file. */
static void generate_add_name(const struct variant *variant, struct text *text)
{
    catalogue_add_dialect(variant->dialect, text);
    text_add_bytes(text, ":", 1);
    variant_name(variant, text);
}

static enum status generate_print_test(struct generator *generator, const struct litmus_test *test, struct error *error)
{
    struct text *text = &generator->scratch;
    text_clear(text);
    litmus_print(test, text);
    terminal_write_source(stdout, generator->count > 0 ? "\n" : "");
    terminal_write_source(stdout, text_string(text));
    return ferror(stdout) ? cannot_print(error) : STATUS_OK;
}

static void generator_note(struct generator *generator, const struct variant *variant, const char *what,
                           const char *reason, unsigned long before)
{
    LOCAL(text) name = {0}, safe = {0};
    if (before >= SHOWN_NOTES)
        return;
    generate_add_name(variant, &name);
    terminal_add_safe(&safe, reason);
    progress_clear(&generator->progress, stderr);
    terminal_print(stderr, "%s %s: %s\n", text_string(&name), what, text_string(&safe));
}

static enum status generate_make_test(struct generator *generator, const struct variant *variant,
                                      struct litmus_test **test, struct error *error)
{
    enum variant_verdict verdict;
    if (!generator->judge)
        return variant_test(variant, NULL, test, error);
    TRY(variant_judge_test(generator->judge, variant, test, &verdict, error));
    if (verdict == VARIANT_UNJUDGED || verdict == VARIANT_RACY)
        generator_note(generator, variant, verdict == VARIANT_RACY ? "is undefined" : "is unjudged",
                       variant_judge_reason(generator->judge), generator->verdicts[verdict]);
    generator->verdicts[verdict]++;
    return STATUS_OK;
}

/* Prints a test or puts it into the folder, and releases it. A variant is of its cycle's family. */
static enum status write_test(struct generator *generator, const struct variant *variant, struct litmus_test *test,
                              struct error *error)
{
    LOCAL(text) family = {0};
    enum status status;
    if (variant)
        cycle_family(&variant->cycle, &family);
    if (generator->request->folder)
        status = test_folder_add(&generator->folder, variant ? text_string(&family) : "random", test, error);
    else
        status = generate_print_test(generator, test, error);
    litmus_release(test);
    TRY(status);
    generator->count++;
    if (generator->request->folder)
        progress_say(&generator->progress, stderr, "test %s of %s", QUANTITY_COUNT(generator->count),
                     QUANTITY_COUNT(generator->expected));
    return STATUS_OK;
}

static enum status generator_take(const struct variant *variant, void *context, struct error *error)
{
    struct generator *generator = context;
    struct litmus_test *test;
    if (generator->request->names) {
        struct text *name = &generator->scratch;
        text_clear(name);
        generate_add_name(variant, name);
        terminal_print(stdout, "%s\n", text_string(name));
        if (ferror(stdout))
            return cannot_print(error);
        generator->count++;
        return STATUS_OK;
    }
    const enum status made = generate_make_test(generator, variant, &test, error);
    if (made == STATUS_UNSUPPORTED) {
        generator_note(generator, variant, "has no test", error->text, generator->untested++);
        return STATUS_OK;
    }
    TRY(made);
    return write_test(generator, variant, test, error);
}

/* The programs of each dialect of a list. */
static enum status generate_random(struct generator *generator, struct error *error)
{
    const struct generate_request *request = generator->request;
    uint64_t seed = request->seed;
    struct litmus_test *test;
    int dialect;
    size_t size;
    if (!request->seeded)
        TRY(random_seed(&seed, error));
    if (request->folder)
        TRY(test_folder_open(request->folder, request->force, &generator->folder, error));
    generator->expected = request->count > 0 ? (unsigned long)request->count : DEFAULT_PROGRAMS;
    const char *word = request->generation.dialects ? request->generation.dialects : "opencl";
    for (; *word; word += size + (word[size] == ',')) {
        struct text *name = &generator->scratch;
        size = strcspn(word, ",");
        text_clear(name);
        text_add(name, "%.*s:", (int)size, word);
        (void)catalogue_dialect(text_string(name), &dialect);
        if (dialect == LITMUS_NONE)
            return error_set(error, STATUS_USAGE, "--dialect: expected opencl, ptx, cuda, c or vulkan, found '%.*s'",
                             (int)size, word);
        for (uint64_t number = 0; number < generator->expected; number++) {
            TRY(random_program((enum litmus_dialect)dialect, seed, number, &test, error));
            TRY(write_test(generator, NULL, test, error));
        }
    }
    return STATUS_OK;
}

/* ---- the end ---- */

static void print_rest(unsigned long count, const char *what)
{
    if (count > SHOWN_NOTES)
        terminal_print(stderr, "and %lu others %s\n", count - SHOWN_NOTES, what);
}

static void print_summary(const struct generator *generator)
{
    print_rest(generator->verdicts[VARIANT_UNJUDGED], "are unjudged");
    print_rest(generator->verdicts[VARIANT_RACY], "are undefined");
    print_rest(generator->untested, "have no test");
    if (!generator->request->folder)
        return;
    struct text line = {0};
    terminal_add(&line, "%s: %zu test%s written", generator->request->folder, generator->folder.written,
                 generator->folder.written == 1 ? "" : "s");
    if (generator->folder.kept > 0)
        terminal_add(&line, ", %zu there already", generator->folder.kept);
    if (generator->judge)
        terminal_add(&line, "; %lu allowed, %lu forbidden, %lu unjudged", generator->verdicts[VARIANT_ALLOWED],
                     generator->verdicts[VARIANT_FORBIDDEN], generator->verdicts[VARIANT_UNJUDGED]);
    if (generator->judge && generator->verdicts[VARIANT_RACY] > 0)
        terminal_add(&line, ", %lu undefined", generator->verdicts[VARIANT_RACY]);
    terminal_add(&line, "\n");
    terminal_end(stderr, &line);
}

static enum status make_all(struct generator *generator, struct error *error)
{
    const struct generate_request *request = generator->request;
    if (request->random)
        return generate_random(generator, error);
    const enum status checked = generation_check(&request->generation, &generator->expected, error);
    if (checked == STATUS_SYNTAX)
        error->status = STATUS_USAGE; /* a word of the command line, not of a file */
    TRY(checked);
    if (request->verdicts && !request->names)
        generator->judge = variant_judge_open(kernel_judge);
    if (request->folder)
        TRY(test_folder_open(request->folder, request->force, &generator->folder, error));
    TRY(generation_each(&request->generation, generator_take, generator, error));
    if (generator->count == 0)
        return error_set(error, STATUS_USAGE, "none of these combinations has a test");
    return STATUS_OK;
}

static enum status generate_execute(void *data, struct verb_call *call, struct error *error)
{
    struct generate_request *request = data;
    struct generator generator = {.request = request, .progress = {.last = clock_seconds()}}; /* not at once */
    /* The parts of the command line that are not options. */
    struct generation *generation = &request->generation;
    generation->limit = (unsigned long)request->limit;
    if (request->critical)
        generation->critical_threads = request->threads > 0 ? request->threads : DEFAULT_THREADS;
    for (size_t i = 0; i < request->cycles.count; i++)
        generation->cycles[generation->cycle_count++] = request->cycles.list[i];
    enum status status = make_all(&generator, error);
    progress_clear(&generator.progress, stderr);
    const enum status closed = test_folder_close(&generator.folder, status == STATUS_OK, error);
    THEN(status, closed);
    if (status == STATUS_OK)
        print_summary(&generator);
    variant_judge_release(generator.judge);
    text_release(&generator.scratch);
    call->code = ferror(stdout) ? EXIT_OUTPUT : 0;
    return ferror(stdout) ? STATUS_OK : status; /* main reports errors of standard output */
}

VERB_ENTRY(generate, cycles, (.folder = NULL), .check = generate_check_options);
