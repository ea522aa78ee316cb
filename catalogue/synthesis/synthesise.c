// SPDX-License-Identifier: Apache-2.0
/* All minimal tests up to a bound: skeleton by skeleton, the weakest programs that forbid an outcome, and of these the
 * ones that stay so when an access, an atomicity or a placement is taken away. What is said of a given test. */
#include "catalogue/synthesis/lattice.h"

struct synthesis {
    const struct synthesis_request *request;
    const struct strength_row *row;
    struct oracle forbid, allow;
    struct synthesis_counts *counts;
    uint64_t skeleton_count, seen; /* of this number of accesses: all of them, and those that came so far */
    unsigned accesses;
    struct arena arena; /* of found */
    struct found_test {
        struct sketch sketch;
        struct outcome outcome;
    } * found; /* of the present skeleton, normalised; given when it is done, or its tests would come in the order of
                * the search */
    size_t found_count;
    struct arena held_arena;
    struct found_test *held; /* with `allow`: of this number of accesses, until the smallest can be told */
    size_t held_count;
    enum status status;
    struct error *error;
    bool stopped;
};

/* ---- is it minimal? ---- */

/* Adds to the contradictions where a form that is weaker in strength alone is forbidden. */
static bool is_minimal(struct synthesis *synthesis, const struct sketch *sketch, const struct outcome *outcome)
{
    struct weaker weaker = {.next = 0};
    while (weaker_next(synthesis->row, sketch, outcome, &weaker))
        if (oracle_forbids(&synthesis->forbid, &weaker.sketch, &weaker.outcome)) {
            synthesis->counts->contradictions += weaker.kind == WEAKER_ACCESS || weaker.kind == WEAKER_FENCE;
            return false;
        }
    return !synthesis->request->allow || !oracle_forbids(&synthesis->allow, sketch, outcome);
}

/* ---- the tests of a skeleton ---- */

/* What is left to count where the numbers of accesses are equal. */
static unsigned size_of(const struct sketch *sketch)
{
    return sketch_fences(sketch) + sketch_updates(sketch) + sketch_dependencies(sketch) + sketch_barriers(sketch);
}

ORDERED_BY(compare_sizes, const struct found_test,
           ORDER(size_of(&a->sketch), size_of(&b->sketch)) ?: ORDER(a->sketch.threads, b->sketch.threads)
               ?: memcmp(a, b, sizeof *a))

static void give_all(struct synthesis *synthesis, struct found_test *tests, size_t count)
{
    SORT(tests, count, compare_sizes);
    for (size_t i = 0; i < count && synthesis->status == STATUS_OK; i++) {
        const struct synthesis_request *request = synthesis->request;
        struct litmus_test *test = sketch_test(synthesis->row->dialect, &tests[i].sketch, &tests[i].outcome);
        const bool is_known = sketch_name(&tests[i].sketch, &tests[i].outcome, request->known, test);
        /* What the test says of itself: its model, and the claim of the dialect's default model. */
        test->doc =
            arena_print(&test->arena,
                        "A minimal test of %s.\nForbidden, and allowed as soon as any one part is weaker or left out.",
                        model_id(request->forbid));
        if (strcmp(model_id(request->forbid), model_default(test->dialect)) == 0)
            ARENA_ADD(&test->arena, test->metadata, test->metadata_count) =
                (struct litmus_metadata){arena_copy(&test->arena, "Expect"), arena_copy(&test->arena, "forbidden")};
        synthesis->status = request->take(test, is_known, request->context, synthesis->error);
        litmus_release(test);
    }
}

static void take_outcome(struct synthesis *synthesis, const struct lattice *lattice, size_t at, size_t number)
{
    struct found_test test = {.sketch = lattice->asked[at].sketch};
    outcome_of_number(&test.sketch, number, &test.outcome);
    if (!is_minimal(synthesis, &test.sketch, &test.outcome))
        return;
    sketch_normalise(&test.sketch, &test.outcome);
    if (ANY_OF(one, synthesis->found, synthesis->found_count, memcmp(one, &test, sizeof test) == 0))
        return;
    ARENA_ADD(&synthesis->arena, synthesis->found, synthesis->found_count) = test;
    synthesis->counts->tests++;
}

static void synthesise_report(struct synthesis *synthesis)
{
    const struct synthesis_request *request = synthesis->request;
    synthesis->counts->judged = synthesis->forbid.judged + synthesis->allow.judged;
    synthesis->counts->unjudged = synthesis->forbid.unjudged + synthesis->allow.unjudged;
    if (request->progress)
        request->progress(synthesis->accesses, (double)synthesis->seen / (double)synthesis->skeleton_count,
                          synthesis->counts, request->context);
}

/* ---- the search ---- */

static bool take_skeleton(const struct sketch *skeleton, void *context)
{
    struct synthesis *synthesis = context;
    const struct synthesis_request *request = synthesis->request;
    const uint64_t number = synthesis->seen++;
    if (request->shards > 0 && number % request->shards != request->shard)
        return true;
    struct lattice lattice = {
        .row = synthesis->row, .bound = &request->bound, .oracle = &synthesis->forbid, .skeleton = *skeleton};
    synthesise_report(synthesis);
    synthesis->stopped = !lattice_explore(&lattice, request->stopped, request->context);
    for (size_t at = 0; at < lattice.count && !synthesis->stopped; at++)
        for (size_t i = 0; i < lattice.outcomes && synthesis->status == STATUS_OK; i++)
            if (lattice_is_weakest(&lattice, at, i))
                take_outcome(synthesis, &lattice, at, i);
    synthesis->counts->skeletons += !synthesis->stopped;
    synthesis->counts->programs += synthesis->stopped ? 0 : lattice.size;
    for (size_t i = 0; i < synthesis->found_count && synthesis->request->allow; i++)
        ARENA_ADD(&synthesis->held_arena, synthesis->held, synthesis->held_count) = synthesis->found[i];
    if (!synthesis->request->allow)
        give_all(synthesis, synthesis->found, synthesis->found_count);
    synthesis->found_count = 0;
    synthesis->found = NULL;
    arena_release(&synthesis->arena);
    arena_release(&lattice.arena);
    return !synthesis->stopped && synthesis->status == STATUS_OK;
}

static bool count_skeleton(UNUSED const struct sketch *skeleton, void *context)
{
    struct synthesis *synthesis = context;
    synthesis->skeleton_count++;
    return !synthesis->request->stopped || !synthesis->request->stopped(synthesis->request->context);
}

/* All skeletons of this number of accesses. */
static void search_accesses(struct synthesis *synthesis)
{
    const struct synthesis_request *request = synthesis->request;
    synthesis->seen = synthesis->skeleton_count = 0;
    skeletons_each(synthesis->accesses, &request->bound, synthesis->row, count_skeleton, synthesis);
    skeletons_each(synthesis->accesses, &request->bound, synthesis->row, take_skeleton, synthesis);
    /* Also when the search was stopped: what was found is given. */
    give_all(synthesis, synthesis->held, synthesis->held_count);
    synthesis->held_count = 0;
    synthesis->held = NULL;
    arena_release(&synthesis->held_arena);
}

enum litmus_dialect synthesis_dialect(const char *model, int dialect)
{
    return strength_row_of(model, dialect)->dialect;
}

enum status synthesise(const struct synthesis_request *request, struct synthesis_counts *counts, bool *complete,
                       struct error *error)
{
    struct synthesis synthesis = {.request = request, .counts = counts, .error = error};
    *counts = (struct synthesis_counts){0};
    synthesis.row = strength_row_of(model_id(request->forbid), request->dialect);
    if (!synthesis.row)
        return error_set(error, STATUS_USAGE,
                         "expected a dialect of which tests can be made: c, opencl, ptx or vulkan");
    synthesis.forbid = (struct oracle){.model = request->forbid, .dialect = synthesis.row->dialect};
    synthesis.allow = (struct oracle){.model = request->allow, .dialect = synthesis.row->dialect};
    for (unsigned accesses = 1; accesses <= request->bound.accesses; accesses++) {
        if (synthesis.stopped || synthesis.status != STATUS_OK)
            break;
        synthesis.accesses = accesses;
        search_accesses(&synthesis);
    }
    synthesise_report(&synthesis);
    *complete = !synthesis.stopped && synthesis.status == STATUS_OK;
    oracle_release(&synthesis.forbid);
    oracle_release(&synthesis.allow);
    return synthesis.status;
}

/* ---- is a given test minimal? If not, what does it not need, and which minimal test is in it? ---- */

/* The first weaker form that is still forbidden; false: everything is needed. */
static bool find_spare(const struct strength_row *row, struct oracle *oracle, const struct sketch *sketch,
                       const struct outcome *outcome, struct weaker *found)
{
    *found = (struct weaker){.next = 0};
    while (weaker_next(row, sketch, outcome, found))
        if (oracle_forbids(oracle, &found->sketch, &found->outcome))
            return true;
    return false;
}

static void add_spare(const struct sketch *sketch, const struct weaker *weaker, struct text *text)
{
    static const char *const words[WEAKER_KINDS] = {[WEAKER_ACCESS] = "a weaker order, scope or dependency of",
                                                    [WEAKER_FENCE] = "a weaker fence before",
                                                    [WEAKER_REMOVED] = "leaving out",
                                                    [WEAKER_SPLIT] = "no atomicity of",
                                                    [WEAKER_PARTED] = "fences in place of",
                                                    [WEAKER_SEPARATED] = "another work-group for the thread of"};
    static const char *const kinds[] = {"load", "store", "read-modify-write", "barrier"};
    unsigned number = 1;
    for (unsigned i = weaker->access; !sketch_starts(sketch, i); i--)
        number++;
    text_add(text, "%s access %u of P%u, a %s", words[weaker->kind], number, sketch->thread[weaker->access],
             kinds[sketch->kind[weaker->access]]);
}

/* Has an outcome that the model allows what the condition describes? Also if the model gives the test no meaning. */
static bool synthesise_allows(const struct model *model, const struct litmus_test *test)
{
    static const struct judge_options options = {0};
    struct judgement judgement;
    struct error error;
    if (model_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        return true;
    const bool allowed =
        ANY_OF(one, judgement.outcomes, judgement.outcome_count, one->witness && one->verdict != VERDICT_FORBIDDEN);
    judgement_release(&judgement);
    return allowed;
}

/* Reads that the condition leaves out may return anything; nothing else is minimal about them. A branch on what was
 * read is a false dependency in a sketch, so the sketch of a test that branches truly may allow more than the test
 * does. */
enum synthesis_answer synthesis_examine(const struct model *model, const struct litmus_test *test, struct text *spare,
                                        struct litmus_test **contained)
{
    const struct strength_row *row = strength_row_of(model_id(model), (int)test->dialect);
    LOCAL(oracle) oracle = {.model = model, .dialect = test->dialect};
    struct weaker found;
    struct sketch sketch;
    struct outcome outcome;
    enum synthesis_answer answer = SYNTHESIS_MINIMAL;
    *contained = NULL;
    if (synthesise_allows(model, test))
        return SYNTHESIS_ALLOWED;
    if (!row)
        text_add(spare, "the dialect %s under %s", litmus_dialect_name(test->dialect), model_id(model));
    if (!row || !sketch_of_test(test, &sketch, &outcome, spare))
        return SYNTHESIS_INEXPRESSIBLE;
    if (!oracle_forbids(&oracle, &sketch, &outcome)) {
        text_add(spare, "a branch or values without which it is allowed");
        answer = SYNTHESIS_INEXPRESSIBLE;
    }
    while (answer != SYNTHESIS_INEXPRESSIBLE && find_spare(row, &oracle, &sketch, &outcome, &found)) {
        if (answer == SYNTHESIS_MINIMAL)
            add_spare(&sketch, &found, spare);
        answer = SYNTHESIS_CONTAINS;
        sketch = found.sketch;
        outcome = found.outcome;
    }
    if (answer == SYNTHESIS_CONTAINS) {
        sketch_normalise(&sketch, &outcome);
        *contained = sketch_test(test->dialect, &sketch, &outcome);
        (void)sketch_name(&sketch, &outcome, NULL, *contained);
    }
    return answer;
}
