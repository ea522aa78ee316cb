// SPDX-License-Identifier: Apache-2.0
/* An audit: modules and their kernels are read, patterns add candidates, the model judges their tests, each once, and
 * what it allows becomes findings. */
#include "audit/audit.h"

#include "audit/pattern.h"
#include "models/explain/repair.h"
#include "models/models.h"

enum { DEFAULT_SECONDS = 5, MOST_CANDIDATES_OF_KERNEL = 100000 };

/* A candidate with its places, and its tests. */
struct waiting {
    struct audit_finding finding;
    struct audit_test *test, *lenient; /* lenient: NULL, or as in struct audit_candidate */
    size_t kernel;                     /* how many were read before and with it */
};

struct audit_work {
    struct waiting *waiting;    /* candidates */
    size_t count, room, before; /* before: of the kernels that were read before */
    struct hash_index tests;    /* audit->tests by text */
    /* what is being read */
    const char *path, *kernel;
    struct audited *audited;
};

#define AUDIT_MEANING(name, word, meaning, ...) meaning,

WORDS_OF(audit_pattern_word, enum audit_pattern, AUDIT_PATTERN_LIST(WORD_OF))

WORDS_OF(audit_pattern_meaning, enum audit_pattern, AUDIT_PATTERN_LIST(AUDIT_MEANING))

WORDS_OF(audit_grade_word, enum audit_grade, AUDIT_GRADE_LIST(WORD_OF))

WORDS_OF(audit_grade_meaning, enum audit_grade, AUDIT_GRADE_LIST(AUDIT_MEANING))

/* ---- places ---- */

/* Parts of the paths of headers that come with the toolkit, whose lines are not the program's. */
static const char toolkit_paths[] =
    "device_atomic_functions device_functions sm_20_ sm_30_ sm_32_ sm_35_ sm_60_ sm_61_ sm_70_ sm_80_ sm_90_ /crt/ "
    "/cuda/std/ /cuda/__ /cuda/ptx device_runtime_api cooperative_groups cuda_fp16 cuda_bf16 cuda_pipeline "
    "cuda_awbarrier <nv/target>";

static bool is_toolkit(const char *path)
{
    while (*path && text_starts_with(toolkit_paths, path) == 0)
        path++;
    return *path != '\0';
}

static const char *path_of(const struct ptx_module *module, unsigned number)
{
    for (size_t i = module->file_count; i > 0; i--)
        if (module->files[i - 1].number == number)
            return module->files[i - 1].path;
    return "";
}

static struct audit_spot find_spot(struct audit *audit, const struct audited *audited, unsigned instruction)
{
    enum { LONGEST_CHAIN = 32 };
    const struct listing *listing = &audited->flow.kernel->listing;
    struct audit_spot spot = {.file = ""};
    if (instruction == FLOW_NONE)
        return spot;
    const struct machine_instruction *machine = audited->flow.instructions[instruction].machine;
    spot.text = arena_copy(&audit->arena, machine->text);
    spot.ptx_line = (unsigned)machine->place;
    for (long loc = machine->loc; loc >= 0 && spot.chain_count < LONGEST_CHAIN; loc = listing->locs[loc].parent) {
        const char *path = path_of(audited->flow.module, listing->locs[loc].file);
        if (listing->locs[loc].line == 0)
            continue;
        if (!spot.file[0] && !is_toolkit(path)) {
            spot.file = arena_copy(&audit->arena, path);
            spot.line = listing->locs[loc].line;
        }
        ARENA_ADD(&audit->arena, spot.chain, spot.chain_count) =
            arena_print(&audit->arena, "%s:%u", path, listing->locs[loc].line);
    }
    if (!spot.file[0] && machine->loc >= 0 && listing->locs[machine->loc].line > 0) { /* all of it is the toolkit's */
        spot.file = arena_copy(&audit->arena, path_of(audited->flow.module, listing->locs[machine->loc].file));
        spot.line = listing->locs[machine->loc].line;
    }
    return spot;
}

static void add_place(const struct audit_spot *spot, struct text *text)
{
    const char *slash = strrchr(spot->file, '/');
    if (spot->file[0])
        text_add(text, "%s:%u", slash ? slash + 1 : spot->file, spot->line);
    else
        text_add(text, "line %u of the PTX", spot->ptx_line);
}

static const char *fill_in(struct audit *audit, const char *says, const struct audit_spot *at,
                           const struct audit_spot *other)
{
    struct text text = {0};
    for (const char *c = says; *c; c++)
        if (*c == '%' && (c[1] == '1' || c[1] == '2'))
            add_place(*++c == '1' ? at : other, &text);
        else
            text_add_bytes(&text, c, 1);
    return arena_keep(&audit->arena, &text);
}

/* ---- candidates ---- */

/* The test with this text, which is added once. */
static struct audit_test *add_test(struct audit *audit, const char *text, unsigned ideal)
{
    struct audit_work *work = audit->work;
    enum { SHOWN = 12 };
    char hash[HASH_HEX_SIZE];
    size_t step = 0, item;
    const uint64_t key = hash_index_key(0, text);
    hash_hex(text, strlen(text), hash);
    const char *name = arena_print(&audit->arena, "audit-%.*s", SHOWN, hash);
    while (hash_index_next(&work->tests, key, &step, &item))
        if (strcmp(audit->tests[item]->name, name) == 0)
            return audit->tests[item];
    struct audit_test *made = arena_take(&audit->arena, 1, sizeof *made);
    *made =
        (struct audit_test){.name = name, .text = arena_print(&audit->arena, "PTX %s\n%s", name, text), .ideal = ideal};
    hash_index_add(&work->tests, key, audit->test_count);
    ARENA_ADD(&audit->arena, audit->tests, audit->test_count) = made;
    return made;
}

void audit_add_candidate(struct audit *audit, const struct audit_candidate *candidate)
{
    struct audit_work *work = audit->work;
    struct waiting added = {.test = add_test(audit, candidate->test, candidate->ideal), .kernel = audit->kernels};
    struct audit_finding *finding = &added.finding;
    if (candidate->lenient)
        added.lenient = add_test(audit, candidate->lenient, candidate->ideal);
    *finding = (struct audit_finding){.pattern = candidate->pattern,
                                      .grade = candidate->grade,
                                      .at = find_spot(audit, work->audited, candidate->at),
                                      .other = find_spot(audit, work->audited, candidate->other),
                                      .test = added.test,
                                      .path = work->path,
                                      .kernel = work->kernel,
                                      .kernels = 1};
    finding->says = fill_in(audit, candidate->says, &finding->at, &finding->other);
    for (unsigned i = 0; i < CANDIDATE_MOST_ASSUMPTIONS && candidate->assumptions[i]; i++)
        ARENA_ADD(&audit->arena, finding->assumptions, finding->assumption_count) = candidate->assumptions[i];
    LIST_ADD(work->waiting, work->count, work->room) = added;
    work->audited->late |= work->count - work->before > MOST_CANDIDATES_OF_KERNEL;
    audit->communications[candidate->pattern] += candidate->pattern != AUDIT_SHARED;
}

/* ---- reading ---- */

static void add_gap(struct audit *audit, const char *path, const char *kernel, const char *reason)
{
    ARENA_ADD(&audit->arena, audit->gaps, audit->gap_count) =
        (struct audit_gap){path, kernel, arena_copy(&audit->arena, reason)};
}

void audit_begin(struct audit *audit, const struct audit_options *options)
{
    *audit = (struct audit){.options = *options, .work = memory_take(1, sizeof *audit->work)};
    if (audit->options.seconds <= 0)
        audit->options.seconds = DEFAULT_SECONDS;
}

#define PATTERN_CALL(function)                                                                                         \
    if (!audited.late)                                                                                                 \
        function(audit, &audited);

static void read_kernel(struct audit *audit, const struct ptx_module *module, const struct ptx_kernel *kernel)
{
    struct audit_work *work = audit->work;
    LOCAL(audited) audited;
    const char *reason;
    const size_t before = work->before = work->count;
    size_t communications[AUDIT_PATTERN_COUNT];
    memcpy(communications, audit->communications, sizeof communications);
    work->kernel = arena_copy(&audit->arena, kernel->name);
    work->audited = &audited;
    audit->kernels++;
    if (!audited_read(module, kernel, clock_seconds() + audit->options.seconds, audit->options.all, &audited, &reason))
        add_gap(audit, work->path, work->kernel, reason);
    else {
        audit->instructions += audited.flow.count;
        PATTERN_LIST(PATTERN_CALL)
        if (audited.late) { /* what it found last may rest on ways that were not followed */
            const bool many = work->count - before > MOST_CANDIDATES_OF_KERNEL;
            work->count = before;
            memcpy(audit->communications, communications, sizeof communications);
            add_gap(audit, work->path, work->kernel,
                    many ? "its threads communicate at more than 100,000 pairs of instructions"
                         : "the kernel takes too long to judge (--time SECONDS gives more time)");
        }
    }
}

void audit_add(struct audit *audit, const char *path, const char *text, size_t size)
{
    LOCAL(ptx_module) module = {0};
    const size_t kernels = audit->kernels;
    audit->work->path = arena_copy(&audit->arena, path);
    audit->modules++;
    if (strlen(text) != size) {
        add_gap(audit, audit->work->path, NULL, "not PTX: the file contains a NUL byte");
        return;
    }
    ptx_module_read(text, &module);
    for (size_t i = 0; i < module.count; i++)
        read_kernel(audit, &module, &module.kernels[i]);
    if (audit->kernels == kernels && !strstr(text, ".version"))
        add_gap(audit, audit->work->path, NULL,
                "not PTX: the file has no .version; `nvcc -ptx -lineinfo FILE.cu` makes PTX");
}

/* ---- judging ---- */

/* "`red.relaxed.gpu.add y, 1` becomes `red.release.gpu.add y, 1`" */
static void add_change(const struct repair_change *change, struct text *text)
{
    if (change->before && change->after)
        text_add(text, "`%s` becomes `%s`", change->before, change->after);
    else if (change->after)
        text_add(text, "`%s` is added", change->after);
}

/* Whether all changes are in columns that the kernel's code is in. */
static bool is_own(const struct repair *repair, unsigned ideal)
{
    return !ANY_OF(change, repair->changes, repair->count,
                   change->thread < 0 || change->line == 0 || (ideal >> change->thread & 1)) &&
           repair->count > 0;
}

static void describe_repair(struct audit *audit, const struct repairs *repairs, struct audit_test *test)
{
    const struct repair *best = NULL;
    LOCAL(text) text = {0};
    for (size_t i = 0; i < repairs->count && !best; i++)
        if (is_own(&repairs->items[i], test->ideal))
            best = &repairs->items[i];
    for (size_t i = 0; best && !best->meets && i < best->count; i++) {
        text_add(&text, "%s", i == 0 ? "" : i + 1 == best->count ? ", and " : ", ");
        add_change(&best->changes[i], &text);
    }
    if (best && best->meets)
        text_add(&text, "a barrier (`%s`) between the two", best->changes[0].after);
    if (text.size > 0)
        test->repair = arena_copy(&audit->arena, text_string(&text));
}

static void find_repair(struct audit *audit, const struct model *model, const struct litmus_test *read,
                        const struct judgement *judgement, struct audit_test *test)
{
    const struct judged_outcome *outcome = FIRST_OF(each, judgement->outcomes, judgement->outcome_count,
                                                    each->witness && each->verdict != VERDICT_FORBIDDEN);
    LOCAL(repairs) repairs = {0};
    struct error error;
    if (!outcome || read->edge_count > 0)
        return;
    const struct repair_wanted wanted = {.model = model,
                                         .test = read,
                                         .values = outcome->values,
                                         .cause = outcome->explanation,
                                         .judging = model_judge,
                                         .deadline = clock_seconds() + audit->options.seconds};
    if ((outcome->verdict != VERDICT_WEAK || repairs_find(&wanted, &repairs, &error) == STATUS_OK) &&
        (repairs.count > 0 || !barriers_can_meet(read) || barriers_find(&wanted, &repairs, &error) == STATUS_OK))
        describe_repair(audit, &repairs, test);
}

/* Judges a test unless it has been. */
static void judge_test(struct audit *audit, const struct model *model, struct audit_test *test)
{
    struct litmus_test *read = NULL;
    struct judgement judgement = {0};
    struct error error;
    const struct judge_options options = {.explain = audit->options.repairs,
                                          .deadline = clock_seconds() + audit->options.seconds};
    if (test->judged || test->reason)
        return;
    enum status status = litmus_parse(test->name, test->text, strlen(test->text), &read, &error);
    THEN(status, model_judge(model, read, &options, &judgement, &error));
    test->judged = status == STATUS_OK && !judgement.cut;
    if (!test->judged)
        test->reason = arena_copy(&audit->arena, status == STATUS_OK ? judgement.cut : error.text);
    test->allowed = test->judged && judgement.holds;
    if (test->allowed && audit->options.repairs)
        find_repair(audit, model, read, &judgement, test);
    if (status == STATUS_OK)
        judgement_release(&judgement);
    litmus_release(read);
}

/* ---- findings ---- */

static int compare_spots(const struct audit_spot *one, const struct audit_spot *two)
{
    /* Without lines of a program each instruction is a place. */
    return strcmp(one->file, two->file) ?: ORDER(one->line, two->line)
           ?: (one->line > 0 ? 0 : ORDER(one->ptx_line, two->ptx_line));
}

/* In order of places, so that the same of several kernels stand together. */
ORDERED_BY(compare_findings, const struct waiting,
           ORDER(a->finding.grade, b->finding.grade) ?: compare_spots(&a->finding.at, &b->finding.at)
               ?: ORDER(a->finding.pattern, b->finding.pattern)
               ?: (a->finding.at.file[0] ? 0 : strcmp(a->finding.path, b->finding.path))
               ?: ORDER(a->kernel, b->kernel) ?: compare_spots(&a->finding.other, &b->finding.other))

/* Whether two are about one instruction of a flow, in as many kernels as have it. */
static bool is_same_place(const struct audit_finding *one, const struct audit_finding *two)
{
    return one->grade == two->grade && one->pattern == two->pattern && compare_spots(&one->at, &two->at) == 0 &&
           (one->at.file[0] || strcmp(one->path, two->path) == 0);
}

/* Keeps what the model allows, sets the grade, and counts the kernels of each place. */
static void keep_findings(struct audit *audit)
{
    struct audit_work *work = audit->work;
    size_t kept = 0;
    FOR_EACH(struct waiting, waiting, work->waiting, work->count) {
        if (!waiting->test->judged)
            add_gap(audit, waiting->finding.path, waiting->finding.kernel, waiting->test->reason);
        if (waiting->lenient && waiting->lenient->judged && !waiting->lenient->allowed)
            waiting->finding.grade = AUDIT_LETTER;
        if (waiting->test->allowed)
            work->waiting[kept++] = *waiting;
    }
    SORT(work->waiting, kept, compare_findings);
    for (size_t i = 0; i < kept; i++) {
        const struct waiting *waiting = &work->waiting[i];
        if (i > 0 && is_same_place(&waiting->finding, &waiting[-1].finding))
            audit->findings[audit->finding_count - 1].kernels += waiting->kernel != waiting[-1].kernel;
        else
            ARENA_ADD(&audit->arena, audit->findings, audit->finding_count) = waiting->finding;
    }
}

enum status audit_judge(struct audit *audit, struct error *error)
{
    struct model *model;
    TRY(model_load("ptx", &model, error));
    for (size_t i = 0; i < audit->work->count; i++) {
        judge_test(audit, model, audit->work->waiting[i].test);
        if (audit->work->waiting[i].lenient && audit->work->waiting[i].test->allowed)
            judge_test(audit, model, audit->work->waiting[i].lenient);
    }
    size_t judged = 0;
    for (size_t i = 0; i < audit->test_count; i++)
        if (audit->tests[i]->judged || audit->tests[i]->reason)
            audit->tests[judged++] = audit->tests[i];
    audit->test_count = judged;
    keep_findings(audit);
    model_release(model);
    return STATUS_OK;
}

void audit_release(struct audit *audit)
{
    hash_index_release(&audit->work->tests);
    free(audit->work->waiting);
    free(audit->work);
    arena_release(&audit->arena);
    *audit = (struct audit){0};
}
