// SPDX-License-Identifier: Apache-2.0
/* orchil synthesise: the tests that a model needs. */
#include "base/field.h"
#include "base/terminal/table.h"
#include "catalogue/synthesis/synthesis.h"
#include "cli/common_rows.h"
#include "cli/output.h"
#include "cli/tests.h"
#include "cli/verb.h"
#include "models/models.h"
#include "runner/supervise/stop_signals.h"

struct synthesise_request {
    const char *model, *allow, *forbid, *folder;
    int dialect;
    struct synthesis_bound bound;
    unsigned shard, shards;
    bool json, force;
    struct verb_arguments tests;
};

/* ---- the command line ---- */

static const struct option_word dialect_words[] = {
    {"c", LITMUS_C}, {"opencl", LITMUS_OPENCL}, {"ptx", LITMUS_PTX}, {"vulkan", LITMUS_VULKAN}, {0}};

static void synthesise_check_options(const struct argp_state *state, const void *data)
{
    const struct synthesise_request *request = data;
    if (request->model ? request->allow || request->forbid : !request->allow || !request->forbid)
        options_error(state, "expected --model, or both --allow and --forbid");
    if (request->tests.count > 0 && (!request->model || request->folder))
        options_error(state, "TEST needs --model, and no --out");
    if (request->folder && request->json)
        options_error(state, "expected --json or --out, found both");
    if (request->force && !request->folder)
        options_error(state, "--force needs --out");
}

#define AT(member) offsetof(struct synthesise_request, member)
#define BOUND_ROW(name, member, usually, least, most)                                                                  \
    name, 0, "N", OPTION_WHOLE, .offset = AT(bound.member), .usual = (usually), .low = (least), .high = (most)

static const struct option_row option_rows[] = {
    {.kind = OPTION_HEADING, .help = "Models (a built-in one, or a .cat file):"},
    {"model", 0, "MODEL", OPTION_TEXT, .offset = AT(model), .file = OPTION_FILE_READ},
    {"forbid", 0, "MODEL", OPTION_TEXT, .offset = AT(forbid), .file = OPTION_FILE_READ},
    {"allow", 0, "MODEL", OPTION_TEXT, .offset = AT(allow), .file = OPTION_FILE_READ},
    {"dialect", 0, "D", OPTION_WORD, .offset = AT(dialect), .words = dialect_words},
    {.kind = OPTION_HEADING, .help = "Bound (the largest number in a test):"},
    {BOUND_ROW("threads", threads, "2", 1, SYNTHESIS_MAXIMUM_THREADS)},
    {BOUND_ROW("accesses", accesses, "4", 1, SYNTHESIS_MAXIMUM_ACCESSES)},
    {BOUND_ROW("fences", fences, "2", 0, SYNTHESIS_MAXIMUM_ACCESSES)},
    {BOUND_ROW("rmws", updates, "0", 0, SYNTHESIS_MAXIMUM_ACCESSES)},
    {BOUND_ROW("dependencies", dependencies, "0", 0, SYNTHESIS_MAXIMUM_ACCESSES)},
    {BOUND_ROW("barriers", barriers, "0", 0, SYNTHESIS_MAXIMUM_THREADS / 2)},
    {BOUND_ROW("local", local, "0", 0, SYNTHESIS_MAXIMUM_ACCESSES)},
    {"shard", 0, "I/N", OPTION_SHARD, .offset = AT(shard), .second = AT(shards)},
    {.kind = OPTION_HEADING, .help = "Output:"},
    {ROW_OUT("DIR", AT(folder)), .file = OPTION_FILE_FOLDER},
    {"force", 0, NULL, OPTION_SET, .offset = AT(force)},
    {ROW_JSON(AT(json))},
    {0}};

/* ---- what was found ---- */

struct synthesiser {
    const struct synthesise_request *request;
    const struct model *forbid;
    struct known_tests known;
    struct test_folder folder;
    uint64_t new_tests; /* not in the catalogue */
    bool complete;
    struct progress_line progress;
    struct stop_signals stop;
    double started;
    unsigned accesses; /* of the skeletons that are searched now, since `since` */
    double since;
};

/* The time left is for skeletons of this number of accesses, as if all took the same. */
static void synthesise_show_progress(unsigned accesses, double done, const struct synthesis_counts *counts,
                                     void *context)
{
    struct synthesiser *synthesiser = context;
    LOCAL(text) left = {0};
    const double now = clock_seconds();
    if (accesses != synthesiser->accesses) {
        synthesiser->accesses = accesses;
        synthesiser->since = now;
    }
    if (done > 0)
        text_add(&left, ", about %s left", QUANTITY_SECONDS((now - synthesiser->since) * (1 - done) / done));
    progress_say(&synthesiser->progress, stderr, "%u accesses, %.0f%%: %" PRIu64 " tests, %s judgements, %s%s",
                 accesses, 100 * done, counts->tests, QUANTITY_COUNT(counts->judged),
                 QUANTITY_SECONDS(now - synthesiser->started), text_string(&left));
}

static bool is_stopped(void *context)
{
    struct synthesiser *synthesiser = context;
    return stop_signals_came(&synthesiser->stop);
}

#define FOUND_MEMBERS(X)                                                                                               \
    X("test", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("model", text, "the model that forbids the outcome", model_id(model))                                            \
    X("catalogue", boolean, "whether the catalogue contains the test", is_known)                                       \
    X("text", made_text, "the text of the litmus file", FIELD_WRITTEN(litmus_print, test))
FIELD_DOCUMENT(document_synthesise, FOUND_MEMBERS, const struct litmus_test *test, const struct model *model,
               bool is_known)

static enum status synthesise_take(const struct litmus_test *test, bool is_known, void *context, struct error *error)
{
    struct synthesiser *synthesiser = context;
    const struct synthesise_request *request = synthesiser->request;
    synthesiser->new_tests += !is_known;
    progress_clear(&synthesiser->progress, stderr);
    if (request->folder)
        return test_folder_add(&synthesiser->folder, model_id(synthesiser->forbid), test, error);
    if (request->json) {
        json_t *document = field_document_synthesise(test, synthesiser->forbid, is_known);
        (void)json_write_line(JSON_SYNTHESISE, document, stdout); /* the caller asks ferror */
    } else
        terminal_print(stdout, "%s%s\n", test->name, is_known ? "" : "  (not in the catalogue)");
    (void)fflush(stdout);
    return ferror(stdout) ? error_set(error, STATUS_SYSTEM, "standard output cannot be written") : STATUS_OK;
}

/* ---- given tests ---- */

static enum status examine_all(const struct synthesise_request *request, const struct model *model,
                               struct verb_call *call, struct error *error)
{
    TRY(tests_take(call, &request->tests, NULL, error));
    for (size_t i = 0; i < call->selection.count; i++) {
        LOCAL(text) spare = {0};
        struct litmus_test *contained;
        const enum synthesis_answer answer =
            synthesis_examine(model, call->selection.tests[i].test, &spare, &contained);
        static const char *const words[] = {[SYNTHESIS_MINIMAL] = "minimal",
                                            [SYNTHESIS_CONTAINS] = "contains",
                                            [SYNTHESIS_ALLOWED] = "allowed",
                                            [SYNTHESIS_INEXPRESSIBLE] = "not of a kind that the search enumerates"};
        terminal_print(stdout, "%s: %s", call->selection.tests[i].test->name, words[answer]);
        if (contained)
            terminal_print(stdout, " %s: it is still forbidden with %s", contained->name, text_string(&spare));
        else if (answer == SYNTHESIS_INEXPRESSIBLE)
            terminal_print(stdout, ": %s", text_string(&spare));
        terminal_print(stdout, "\n");
        litmus_release(contained);
    }
    return STATUS_OK;
}

/* ---- the end ---- */

static void print_counts(const struct synthesiser *synthesiser, const struct synthesis_counts *counts, bool complete)
{
    struct text line = {0};
    text_add(&line, "%" PRIu64 " tests: ", counts->tests);
    const struct synthesis_bound *bound = &synthesiser->request->bound;
    text_add(&line, "%s tests of ", complete ? "all minimal" : "some minimal");
    terminal_add(&line, "%s", model_id(synthesiser->forbid));
    if (synthesiser->request->allow)
        terminal_add(&line, " that %s allows,", synthesiser->request->allow);
    text_add(&line, " with up to %u threads, %u accesses, %u fences, ", bound->threads, bound->accesses, bound->fences);
    if (bound->barriers > 0)
        text_add(&line, "%u barriers, ", bound->barriers);
    if (bound->local > 0)
        text_add(&line, "%u locations in local memory, ", bound->local);
    text_add(&line, "%u read-modify-writes and %u dependencies", bound->updates, bound->dependencies);
    if (synthesiser->request->shards > 1)
        text_add(&line, " (part %u of %u)", synthesiser->request->shard, synthesiser->request->shards);
    text_add(&line,
             "; %" PRIu64
             " are not in the catalogue. With weaker forms, the search of %s programs made %s judgements in %s.",
             synthesiser->new_tests, QUANTITY_COUNT(counts->programs), QUANTITY_COUNT(counts->judged),
             QUANTITY_SECONDS(clock_seconds() - synthesiser->started));
    if (counts->unjudged > 0)
        text_add(&line, " It cannot judge %" PRIu64 ", which count as allowed.", counts->unjudged);
    if (counts->contradictions > 0)
        text_add(&line,
                 " %" PRIu64 " tests were left out because a weaker form of them is forbidden: this model forbids "
                 "less of some stronger programs, so others may be missing.",
                 counts->contradictions);
    text_add(&line, "\n");
    terminal_end(stderr, &line);
}

#define COUNTS_MEMBERS(X)                                                                                              \
    X("complete", boolean, "whether every test up to the bounds was found; with `--shard`, every test of the part",    \
      complete)                                                                                                        \
    X("threads", count, "the largest number allowed in a program", bound->threads)                                     \
    X("accesses", count, "the largest number allowed in a program", bound->accesses)                                   \
    X("fences", count, "the largest number allowed in a program", bound->fences)                                       \
    X("rmw", count, "the largest number allowed in a program", bound->updates)                                         \
    X("dependencies", count, "the largest number allowed in a program", bound->dependencies)                           \
    X("barriers", count, "the largest number allowed in a program", bound->barriers)                                   \
    X("local", count, "the largest number allowed in a program", bound->local)                                         \
    X("tests", count, "the number of tests found", counts->tests)                                                      \
    X("not_in_catalogue", count, "the number of these tests that the catalogue lacks", synthesiser->new_tests)         \
    X("skeletons", count, "the number of programs searched, not counting variants of orders and fences",               \
      counts->skeletons)                                                                                               \
    X("programs", count, "the number of programs searched, counting variants of orders and fences", counts->programs)  \
    X("judged", count, "how often a model judged a program or a weaker form of it; may exceed `programs`",             \
      counts->judged)                                                                                                  \
    X("unjudged", count, "how often a model could not judge a program", counts->unjudged)                              \
    X("contradictions", count, "the number of tests left out because a weaker form is forbidden, too",                 \
      counts->contradictions)                                                                                          \
    X("seconds", number, "the duration of the search", clock_seconds() - synthesiser->started)
FIELD_DOCUMENT(document_synthesise_counts, COUNTS_MEMBERS, const struct synthesiser *synthesiser,
               const struct synthesis_bound *bound, const struct synthesis_counts *counts, bool complete)

static bool print_json_counts(const struct synthesiser *synthesiser, const struct synthesis_counts *counts,
                              bool complete)
{
    const struct synthesis_bound *bound = &synthesiser->request->bound;
    json_t *document = field_document_synthesise_counts(synthesiser, bound, counts, complete);
    return json_write_line(JSON_SYNTHESISE_COUNTS, document, stdout);
}

static enum status synthesise_all(struct synthesiser *synthesiser, const struct model *allow, struct error *error)
{
    const struct synthesise_request *request = synthesiser->request;
    const struct synthesis_request wanted = {.forbid = synthesiser->forbid,
                                             .allow = allow,
                                             .dialect = request->dialect,
                                             .bound = request->bound,
                                             .shard = request->shards > 0 ? request->shard - 1 : 0,
                                             .shards = request->shards,
                                             .known = &synthesiser->known,
                                             .progress = synthesise_show_progress,
                                             .stopped = is_stopped,
                                             .take = synthesise_take,
                                             .context = synthesiser};
    struct synthesis_counts counts;
    TRY(stop_signals_catch(&synthesiser->stop, error));
    TRY(known_tests_open(&synthesiser->known, synthesis_dialect(model_id(synthesiser->forbid), request->dialect),
                         error));
    synthesiser->started = clock_seconds();
    if (request->folder)
        TRY(test_folder_open(request->folder, request->force, &synthesiser->folder, error));
    TRY(synthesise(&wanted, &counts, &synthesiser->complete, error));
    progress_clear(&synthesiser->progress, stderr);
    if (request->json)
        return print_json_counts(synthesiser, &counts, synthesiser->complete)
                   ? STATUS_OK
                   : error_set(error, STATUS_SYSTEM, "standard output cannot be written");
    print_counts(synthesiser, &counts, synthesiser->complete);
    return STATUS_OK;
}

static enum status synthesise_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct synthesise_request *request = data;
    struct synthesiser synthesiser = {
        .request = request, .stop = {.descriptor = -1}, .progress = {.last = clock_seconds()}};
    struct model *forbid = NULL, *allow = NULL;
    enum status status = model_load(request->model ? request->model : request->forbid, &forbid, error);
    synthesiser.forbid = forbid;
    if (status == STATUS_OK && request->allow)
        status = model_load(request->allow, &allow, error);
    THEN(status, request->tests.count > 0 ? examine_all(request, forbid, call, error)
                                          : synthesise_all(&synthesiser, allow, error));
    const enum status closed =
        test_folder_close(&synthesiser.folder, status == STATUS_OK && synthesiser.complete, error);
    THEN(status, closed);
    call->code = synthesiser.stop.count > 0 ? 128 + synthesiser.stop.first : 0;
    stop_signals_release(&synthesiser.stop);
    known_tests_release(&synthesiser.known);
    model_release(forbid);
    model_release(allow);
    return status;
}

VERB_ENTRY(synthesise, tests, (.dialect = LITMUS_NONE), .check = synthesise_check_options);
