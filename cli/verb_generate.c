// SPDX-License-Identifier: Apache-2.0
/* orchil generate: litmus tests made of cycles. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "base/terminal.h"
#include "catalogue/catalogue.h"
#include "catalogue/judge_variant.h"
#include "cli/complaint.h"
#include "cli/generate_files.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "litmus/cycles/generate.h"
#include "runner/kernel/target.h"

/* ---- the command line ---- */

enum option_key {
    OPTION_CRITICAL = 256,
    OPTION_DIALECT,
    OPTION_FAMILY,
    OPTION_FENCE_SCOPES,
    OPTION_FORCE,
    OPTION_LIMIT,
    OPTION_MIX,
    OPTION_NAMES,
    OPTION_NO_VERDICTS,
    OPTION_PLACEMENTS,
    OPTION_REGIONS,
    OPTION_RMW,
    OPTION_SCOPES,
    OPTION_TAGS,
    OPTION_THREADS
};

enum { DEFAULT_THREADS = 3 };

struct request {
    struct generation generation;
    const char *folder; /* NULL: standard output */
    unsigned threads;   /* of --threads; 0: not given */
    bool critical, names, verdicts, force;
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Which cycles:", 1},
    {"family", OPTION_FAMILY, "F,...", 0, "families by name: MP, SB, LB, WRC, IRIW, 2+2W, ...", 1},
    {"critical", OPTION_CRITICAL, NULL, 0, "all critical cycles of 2 up to --threads threads", 1},
    {"threads", OPTION_THREADS, "N", 0, "of --critical (default: 3)", 1},
    {NULL, 0, NULL, 0, "What varies; every combination that has a test is made:", 2},
    {"dialect", OPTION_DIALECT, "D,...", 0, "opencl, ptx, cuda, c (default: opencl)", 2},
    {"tags", OPTION_TAGS, "T,...", 0,
     "orders and fences as names have them: relaxed,ra,fencear, or one for each thread: rel+acq (default: relaxed, or what "
     "a cycle is annotated with)",
     2},
    {"mix", OPTION_MIX, NULL, 0, "every combination of the tags over the threads, instead of one for all", 2},
    {"scopes", OPTION_SCOPES, "S,...", 0, "cta, cluster, gpu, sys, or wg, dev, all (default: the device)", 2},
    {"fence-scopes", OPTION_FENCE_SCOPES, "S,...", 0, "of fences (default: that of the accesses)", 2},
    {"placements", OPTION_PLACEMENTS, "P,...", 0,
     "threads of one work-group together, groups joined by '-': 0-1,01; or all, each, together, warp (default: each)",
     2},
    {"regions", OPTION_REGIONS, "R,...", 0, "global, local (all locations), localx, localxy, ... (default: global)", 2},
    {"rmw", OPTION_RMW, "R,...", 0, "accesses that are read-modify-writes: none, writes, reads, all (default: none)",
     2},
    {"limit", OPTION_LIMIT, "N", 0, "refuse to make more tests than that", 2},
    {NULL, 0, NULL, 0, "What is written:", 3},
    {"output", 'o', "DIR", 0, "write DIR/FAMILY/DIALECT/NAME.litmus and the index DIR/@all", 3},
    {"force", OPTION_FORCE, NULL, 0, "with -o: overwrite files that say something else", 3},
    {"names", OPTION_NAMES, NULL, 0, "print names only, one per line, as `orchil run` takes them", 3},
    {"no-verdicts", OPTION_NO_VERDICTS, NULL, 0, "ask no model: leave Expect=, Control= and Mutants= out", 3},
    {0}};

static error_t bad_value(const struct argp_state *state, const char *option, const char *expected, const char *value)
{
    argp_error(state, "--%s: expected %s, found '%s'", option, expected, value);
    return EINVAL;
}

static error_t parse_threads(const struct argp_state *state, const char *value, struct request *request)
{
    char *end;
    const unsigned long threads = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || threads < 2 || threads > CYCLE_MAXIMUM_THREADS)
        return bad_value(state, "threads", "a whole number from 2 to 8", value);
    request->threads = (unsigned)threads;
    return 0;
}

static error_t parse_limit(const struct argp_state *state, const char *value, struct request *request)
{
    uint64_t limit;
    if (!quantity_parse_count(value, &limit))
        return bad_value(state, "limit", "a positive whole number, like 1000 or 1M", value);
    request->generation.limit = (unsigned long)limit;
    return 0;
}

static error_t add_cycle(const struct argp_state *state, const char *cycle, struct generation *generation)
{
    const size_t room = sizeof generation->cycles / sizeof *generation->cycles;
    if (generation->cycle_count == room) {
        argp_error(state, "expected at most %zu cycles", room);
        return EINVAL;
    }
    generation->cycles[generation->cycle_count++] = cycle;
    return 0;
}

static error_t finish(const struct argp_state *state, struct request *request)
{
    struct generation *generation = &request->generation;
    if (request->threads > 0 && !request->critical)
        argp_error(state, "--threads says how far --critical goes; expected both");
    if (request->critical)
        generation->critical_threads = request->threads > 0 ? request->threads : DEFAULT_THREADS;
    if (generation->cycle_count == 0 && !generation->families && generation->critical_threads == 0)
        argp_error(state, "expected a cycle (\"PodWW Rfe PodRR Fre\"), --family or --critical");
    if (request->force && !request->folder)
        argp_error(state, "--force says what -o may overwrite; expected both");
    if (request->names && request->folder)
        argp_error(state, "expected --names or -o, found both");
    return 0;
}

/* Where the words of an axis go. */
static const char **axis_of(struct generation *generation, int key)
{
    switch (key) {
    case OPTION_FAMILY:
        return &generation->families;
    case OPTION_DIALECT:
        return &generation->dialects;
    case OPTION_TAGS:
        return &generation->tags;
    case OPTION_SCOPES:
        return &generation->scopes;
    case OPTION_FENCE_SCOPES:
        return &generation->fence_scopes;
    case OPTION_PLACEMENTS:
        return &generation->placements;
    case OPTION_REGIONS:
        return &generation->regions;
    case OPTION_RMW:
        return &generation->rmw;
    default:
        return NULL;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct request *request = state->input;
    const char **axis = axis_of(&request->generation, key);
    if (axis) {
        *axis = value;
        return 0;
    }
    switch (key) {
    case OPTION_CRITICAL:
        request->critical = true;
        return 0;
    case OPTION_THREADS:
        return parse_threads(state, value, request);
    case OPTION_LIMIT:
        return parse_limit(state, value, request);
    case OPTION_MIX:
        request->generation.mix = true;
        return 0;
    case OPTION_NAMES:
        request->names = true;
        return 0;
    case OPTION_NO_VERDICTS:
        request->verdicts = false;
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case 'o':
        request->folder = value;
        return 0;
    case ARGP_KEY_ARG:
        return add_cycle(state, value, &request->generation);
    case ARGP_KEY_END:
        return finish(state, request);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "[CYCLE...]",
    .doc =
        "Makes litmus tests of cycles, families and all critical cycles."
        "\vA CYCLE is one argument of edges in diy's words, like \"PodWW Rfe PodRR Fre\", with Rlx, Acq, Rel, Sc, ... "
        "between them for the orders. Every test gets what the model of its dialect says: Expect=; of an allowed test "
        "Control=, the sibling whose witness the model forbids; of a forbidden one Mutants=, the siblings that are "
        "weakened in one place and allowed. A name says all about its test: `orchil run ptx:NAME` needs no file.\n"
        "\nExamples:\n"
        "  orchil generate --family MP\n"
        "  orchil generate \"PodWW Rfe DpAddrdR Fre\" --dialect ptx,opencl\n"
        "  orchil generate --critical --tags relaxed,ra,fencesc --mix --names\n"
        "  orchil generate --family MP --dialect ptx --placements all -o my-tests\n"
        "  orchil generate --family IRIW --tags fencesc --names | xargs orchil run\n"
        "\nExit codes: 0 written; 2 wrong usage, nothing to make, more than --limit, or a file that is not to be "
        "overwritten; 4 memory ran out, or the tests could not be written.",
};

/* ---- making them ---- */

enum { SHOWN_NOTES = 5 };

struct making {
    const struct request *request;
    struct variant_judge *judge; /* NULL: no verdicts */
    struct test_folder folder;
    struct progress progress;
    struct text scratch;
    unsigned long count, expected, verdicts[3], untested;
};

static enum status cannot_print(struct error *error)
{
    return error_set(error, STATUS_SYSTEM, "standard output cannot be written: %s", strerror(errno));
}

/* As `orchil run` takes it: with its dialect, since it may have no file. */
static void add_name(const struct variant *variant, struct text *text)
{
    catalogue_add_dialect(variant->dialect, text);
    text_add_bytes(text, ":", 1);
    variant_name(variant, text);
}

static enum status print_name(struct making *making, const struct variant *variant, struct error *error)
{
    struct text *name = &making->scratch;
    text_clear(name);
    add_name(variant, name);
    if (name->failed)
        return error_set(error, STATUS_MEMORY, "no memory for the name of a test");
    return puts(text_string(name)) >= 0 ? STATUS_OK : cannot_print(error);
}

static enum status print_test(struct making *making, const struct litmus_test *test, struct error *error)
{
    struct text *text = &making->scratch;
    text_clear(text);
    litmus_print(test, text);
    if (text->failed)
        return error_set(error, STATUS_MEMORY, "no memory for the text of a test");
    return printf("%s%s", making->count > 0 ? "\n" : "", text_string(text)) >= 0 ? STATUS_OK : cannot_print(error);
}

static void note(struct making *making, const struct variant *variant, const char *what, const char *reason,
                 unsigned long before)
{
    struct text name = {0}, safe = {0};
    if (before >= SHOWN_NOTES)
        return;
    add_name(variant, &name);
    terminal_add_safe(&safe, reason);
    progress_clear(&making->progress, stderr);
    (void)fprintf(stderr, "%s %s: %s\n", text_string(&name), what, text_string(&safe));
    text_release(&name);
    text_release(&safe);
}

static enum status make_test(struct making *making, const struct variant *variant, struct litmus_test **test,
                             struct error *error)
{
    static const struct variant_notes no_notes = {0};
    enum variant_verdict verdict;
    if (!making->judge)
        return variant_test(variant, &no_notes, test, error);
    TRY(variant_judge_test(making->judge, variant, test, &verdict, error));
    if (verdict == VARIANT_UNJUDGED)
        note(making, variant, "is unjudged", variant_judge_reason(making->judge), making->verdicts[verdict]);
    making->verdicts[verdict]++;
    return STATUS_OK;
}

static enum status write_test(struct making *making, const struct variant *variant, const struct litmus_test *test,
                              struct error *error)
{
    struct text *family = &making->scratch;
    text_clear(family);
    cycle_family(&variant->cycle, family);
    return family->failed ? error_set(error, STATUS_MEMORY, "no memory for the name of a family")
                          : test_folder_add(&making->folder, text_string(family), test, error);
}

static void show_progress(struct making *making)
{
    char line[128], count[QUANTITY_SIZE], expected[QUANTITY_SIZE];
    if (!making->request->folder || !progress_due(&making->progress, stderr))
        return;
    (void)snprintf(line, sizeof line, "test %s of %s", quantity_count(making->count, count),
                   quantity_count(making->expected, expected));
    progress_show(&making->progress, stderr, line);
}

static enum status take(const struct variant *variant, void *context, struct error *error)
{
    struct making *making = context;
    struct litmus_test *test;
    if (making->request->names) {
        TRY(print_name(making, variant, error));
        making->count++;
        return STATUS_OK;
    }
    const enum status made = make_test(making, variant, &test, error);
    if (made == STATUS_UNSUPPORTED) {
        note(making, variant, "has no test", error->text, making->untested++);
        return STATUS_OK;
    }
    TRY(made);
    const enum status status =
        making->request->folder ? write_test(making, variant, test, error) : print_test(making, test, error);
    litmus_release(test);
    TRY(status);
    making->count++;
    show_progress(making);
    return STATUS_OK;
}

/* ---- the end ---- */

static void print_rest(unsigned long count, const char *what)
{
    if (count > SHOWN_NOTES)
        (void)fprintf(stderr, "and %lu others %s\n", count - SHOWN_NOTES, what);
}

static void print_summary(const struct making *making)
{
    print_rest(making->verdicts[VARIANT_UNJUDGED], "are unjudged");
    print_rest(making->untested, "have no test");
    if (!making->request->folder)
        return;
    (void)fprintf(stderr, "%s: %zu test%s written", making->request->folder, making->folder.written,
                  making->folder.written == 1 ? "" : "s");
    if (making->folder.kept > 0)
        (void)fprintf(stderr, ", %zu there already", making->folder.kept);
    if (making->judge)
        (void)fprintf(stderr, "; %lu allowed, %lu forbidden, %lu unjudged", making->verdicts[VARIANT_ALLOWED],
                      making->verdicts[VARIANT_FORBIDDEN], making->verdicts[VARIANT_UNJUDGED]);
    (void)fprintf(stderr, "\n");
}

static enum status make_all(struct making *making, struct error *error)
{
    const struct request *request = making->request;
    const enum status checked = generation_check(&request->generation, &making->expected, error);
    if (checked == STATUS_SYNTAX)
        error->status = STATUS_USAGE; /* a word of the command line, not of a file */
    TRY(checked);
    if (request->verdicts && !request->names)
        making->judge = variant_judge_open(kernel_judge);
    if (request->folder)
        TRY(test_folder_open(request->folder, request->force, &making->folder, error));
    TRY(generation_each(&request->generation, take, making, error));
    if (making->count == 0)
        return error_set(error, STATUS_USAGE, "none of these combinations has a test");
    return STATUS_OK;
}

int verb_generate(int argc, char **argv)
{
    struct request request = {.verdicts = true};
    struct making making = {.request = &request, .progress = {.last = clock_seconds()}}; /* not at once */
    struct error error = {0}, close_error = {0};
    if (argp_parse(&argp, argc, argv, 0, NULL, &request) != 0)
        return status_exit_code(STATUS_USAGE);
    enum status status = make_all(&making, &error);
    progress_clear(&making.progress, stderr);
    const enum status closed = test_folder_close(&making.folder, status == STATUS_OK, &close_error);
    if (status == STATUS_OK && closed != STATUS_OK) {
        status = closed;
        error = close_error;
    }
    if (status == STATUS_OK)
        print_summary(&making);
    variant_judge_release(making.judge);
    text_release(&making.scratch);
    if (status == STATUS_OK)
        return 0;
    return ferror(stdout) ? 4 : complain(argv[0], &error); /* main says what is wrong with standard output */
}
