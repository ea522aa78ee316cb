// SPDX-License-Identifier: Apache-2.0
/* Tests as verbs take and give them: TEST arguments, --exclude, a folder of generated tests, tests as JSON, and known
 * names. */
#include "cli/tests.h"

#include "cli/output.h"
#include "cli/verb.h"
#include "litmus/language/order.h"
#include "runner/run/rejudge.h"

const char tests_none[] = "expected a TEST, such as 'SB*' or a path to a .litmus file";

void tests_print_unread(const struct selection *selection)
{
    for (size_t i = 0; i < selection->unread_count; i++) {
        struct error unread = {0};
        (void)error_set(&unread, STATUS_UNREADABLE, "%s", selection->unread[i]);
        (void)complain(NULL, &unread);
    }
}

enum status tests_select(char *const *arguments, size_t count, struct selection *selection, struct error *error)
{
    const enum status status = selection_make(arguments, count, kernel_judge, selection, error);
    for (size_t i = 0; i < selection->note_count; i++)
        terminal_print(stderr, "note: %s\n", selection->notes[i]);
    for (size_t i = 0; status == STATUS_OK && i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        for (size_t w = 0; w < test->warning_count; w++) {
            const struct litmus_place place = test->warnings[w].place;
            terminal_print(stderr, "%s:%u:%u: warning: %s\n", selection->tests[i].file, place.line, place.column,
                           test->warnings[w].text);
        }
    }
    tests_print_unread(selection);
    if (status != STATUS_OK)
        selection_release(selection);
    return status;
}

enum status tests_take(struct verb_call *call, const struct verb_arguments *tests, const struct exclusions *exclude,
                       struct error *error)
{
    TRY(tests_select(tests->list, tests->count, &call->selection, error));
    return exclude ? exclude_tests(exclude, &call->selection, error) : STATUS_OK;
}

int tests_exit_code(size_t unread_count, int code)
{
    const bool worse = code == 1 || code == 4 || code == 5 || code >= 128; /* docs/reference/exit-codes.md */
    return unread_count > 0 && !worse ? status_exit_code(STATUS_UNREADABLE) : code;
}

int tests_graver_code(int a, int b)
{
    const int fault = status_exit_code(STATUS_DEVICE_FAILED);
    if (a >= 128 || b >= 128)
        return a > b ? a : b;
    return a == 1 || b == 1 ? 1 : a == fault || b == fault ? fault : a != 0 ? a : b;
}

/* ---- --exclude ---- */

void exclude_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request)
{
    struct exclusions *exclusions = (struct exclusions *)((char *)request + row->offset);
    if (exclusions->count == EXCLUSIONS_MAXIMUM)
        options_error(state, "--%s: %d at most; use an index (@FILE) for more tests", row->name, EXCLUSIONS_MAXIMUM);
    else
        exclusions->list[exclusions->count++] = (char *)(uintptr_t)value;
}

enum status exclude_tests(const struct exclusions *exclusions, struct selection *selection, struct error *error)
{
    if (exclusions->count == 0)
        return STATUS_OK;
    const enum status status = selection_exclude(selection, exclusions->list, exclusions->count, kernel_judge, error);
    if (status != STATUS_OK)
        selection_release(selection);
    return status;
}

/* ---- a folder of generated tests, without overwriting others ---- */

static const char index_name[] = "@all";

/* Whether a file has exactly this content. */
static bool file_is_equal(const char *path, const struct text *text)
{
    LOCAL(text) found = {0};
    struct error ignored;
    return file_read_whole(path, TEXT_MAXIMUM, &found, &ignored) == STATUS_OK && found.size == text->size &&
           (found.size == 0 || memcmp(found.data, text->data, found.size) == 0);
}

static void add_index_path(const struct test_folder *folder, struct text *path)
{
    text_add(path, "%s/%s", folder->path, index_name);
}

enum status test_folder_open(const char *path, bool force, struct test_folder *folder, struct error *error)
{
    LOCAL(text) name = {0};
    *folder = (struct test_folder){.path = path, .force = force};
    TRY(file_make_folders(path, 0777, error));
    add_index_path(folder, &name);
    return file_check_writable(text_string(&name), error);
}

enum status test_folder_put(struct test_folder *folder, const char *path, const struct text *text, struct error *error)
{
    if (access(path, F_OK) == 0 && file_is_equal(path, text)) {
        folder->kept++;
        return STATUS_OK;
    }
    if (access(path, F_OK) == 0 && !folder->force)
        return error_set(error, STATUS_USAGE, "%s already exists with other contents; use --force to overwrite it",
                         path);
    folder->written++;
    return file_write_quick(path, text->data, text->size, error);
}

enum status test_folder_add(struct test_folder *folder, const char *family, const struct litmus_test *test,
                            struct error *error)
{
    LOCAL(text) below = {0}, path = {0}, text = {0};
    text_add(&below, "%s/", family);
    catalogue_add_dialect(test->dialect, &below);
    text_add(&path, "%s/%s", folder->path, text_string(&below));
    litmus_print(test, &text);
    enum status status = file_make_folders(text_string(&path), 0777, error);
    text_add(&below, "/%s.litmus", test->name);
    text_add(&path, "/%s.litmus", test->name);
    THEN(status, test_folder_put(folder, text_string(&path), &text, error));
    if (status == STATUS_OK)
        ARENA_ADD(&folder->arena, folder->listed, folder->listed_count) =
            arena_copy(&folder->arena, text_string(&below));
    return status;
}

/* May the index take the place of the existing one? */
static enum status check_index(const struct test_folder *folder, const char *path, const struct text *index,
                               struct error *error)
{
    if (access(path, F_OK) != 0 || folder->force || file_is_equal(path, index))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "%s already exists with other tests; use --force to overwrite it", path);
}

enum status test_folder_close(struct test_folder *folder, bool complete, struct error *error)
{
    LOCAL(text) path = {0}, index = {0};
    enum status status = STATUS_OK;
    if (folder->path && complete) {
        add_index_path(folder, &path);
        for (size_t i = 0; i < folder->listed_count; i++)
            text_add(&index, "%s\n", folder->listed[i]);
        status = check_index(folder, text_string(&path), &index, error);
        THEN(status, file_write_whole(text_string(&path), text_string(&index), index.size, error));
    }
    arena_release(&folder->arena);
    return status;
}

/* ---- the placement of threads, as test names write it ---- */

enum layer { LAYER_ALL, LAYER_DEVICE, LAYER_CLUSTER, LAYER_GROUP, LAYER_SUB_GROUP };

/* Two threads of the same instance of a level. Threads without a placement share the device, but not a work-group. */
static bool same_at(enum layer layer, const struct litmus_placement *a, const struct litmus_placement *b)
{
    if (layer >= LAYER_GROUP)
        return scope_includes(layer == LAYER_GROUP ? LITMUS_WORK_GROUP : LITMUS_SUB_GROUP, a, b);
    return layer == LAYER_ALL ||
           (a->host == b->host && a->device == b->device &&
            (layer == LAYER_DEVICE || (a->queue_family == b->queue_family && a->cluster == b->cluster)));
}

struct printer {
    const struct litmus_test *test;
    struct text *text;
    bool wide; /* some numbers have two digits, or are ranges */
};

static void print_threads(const struct printer *printer, size_t leader)
{
    const struct litmus_test *test = printer->test;
    unsigned members = 0;
    size_t before = printer->text->size;
    for (size_t i = leader; i < test->body_count; i++)
        if (i == leader || same_at(LAYER_SUB_GROUP, &test->threads[i].placement, &test->threads[leader].placement))
            members += test->threads[i].count;
    if (members > 1 && test->threads[leader].placement.sub_group != LITMUS_NONE) {
        text_add(printer->text, "w");
        before++;
    }
    for (size_t i = leader; i < test->body_count; i++) {
        const struct litmus_thread *thread = &test->threads[i];
        if (i != leader && !same_at(LAYER_SUB_GROUP, &thread->placement, &test->threads[leader].placement))
            continue;
        text_add(printer->text, "%s%u", printer->wide && printer->text->size > before ? "," : "", thread->first);
        if (thread->count > 1)
            text_add(printer->text, "..%u", thread->first + thread->count - 1);
    }
}

/* The parts of an instance of a level: those of the next level, each at its first body. */
static void print_parts(const struct printer *printer, enum layer layer, size_t leader)
{
    static const char *const between[] = {
        [LAYER_ALL] = "|", [LAYER_DEVICE] = "-", [LAYER_CLUSTER] = "-", [LAYER_GROUP] = ","};
    const struct litmus_thread *const threads = printer->test->threads;
    const struct litmus_placement *const first = &threads[leader].placement;
    const bool cluster = layer == LAYER_CLUSTER, named = cluster && first->cluster != LITMUS_NONE;
    if (layer == LAYER_SUB_GROUP) {
        print_threads(printer, leader);
        return;
    }
    text_add(printer->text, "%s%s", cluster && first->host ? "h" : "", named ? "[" : "");
    for (size_t i = leader, parts = 0; i < printer->test->body_count; i++) {
        const struct litmus_placement *const place = &threads[i].placement;
        if ((i != leader && !same_at(layer, place, first)) ||
            ANY_OF(before, threads, i, same_at(layer + 1, &before->placement, place)))
            continue;
        text_add(printer->text, "%s", parts++ > 0 && (layer != LAYER_GROUP || printer->wide) ? between[layer] : "");
        print_parts(printer, layer + 1, i);
    }
    text_add(printer->text, "%s", named ? "]" : "");
}

void placement_print(const struct litmus_test *test, struct text *text)
{
    struct printer printer = {.test = test, .text = text};
    for (size_t i = 0; i < test->body_count; i++)
        printer.wide |= test->threads[i].count > 1 || test->threads[i].first > 9;
    print_parts(&printer, LAYER_ALL, 0);
}

/* ---- a test as a JSON object ---- */

/* Sets a member to the text, which is released. */
json_t *field_condition_of(const struct litmus_test *test)
{
    struct text condition = {0};
    litmus_print_condition(test, &condition);
    return field_made_text(condition);
}

#define WARNING_MEMBERS(X)                                                                                             \
    X("line", count, "the line of the mistake", warning->place.line)                                                   \
    X("column", count, "the column of the mistake", warning->place.column)                                             \
    X("message", text, "what is probably wrong", warning->text)
FIELD_RECORD(warning, WARNING_MEMBERS, const struct litmus_warning *warning)
FIELD_SHARED_LIST_OF(warnings, warning, "what is probably a mistake in the test's text",
                     (const struct litmus_test *test), test->warning_count, &test->warnings[i])

/* ---- races ---- */

#define ACCESS_MEMBERS(X)                                                                                              \
    X("thread", whole, "the number of the thread", access->thread)                                                     \
    X("line", whole, "the line of the access in the text of the test", access->place.line)                             \
    X("access", text, "what the access does", access->what)                                                            \
    X("instruction?", text, "the instruction, as in the text of the test", access->instruction)
FIELD_RECORD(race_access, ACCESS_MEMBERS, const struct explained_event *access)
FIELD_LIST(race_accesses, race_access, (const struct race *race), 2, race->accesses[i])

static const struct field_type field_race_outcomes_type = {.shape = FIELD_IS_ARRAY, .of = &field_outcome_type};
static json_t *field_race_outcomes(const struct race *race)
{
    json_t *outcomes = json_array();
    for (size_t i = 0; i < race->outcomes.outcome_count; i++) {
        struct text label = {0};
        if (!race_occurs_with(&race->outcomes.outcomes[i]))
            continue;
        litmus_print_outcome(race->test, race->outcomes.outcomes[i].values, &label);
        json_append(outcomes, field_made_text(label));
    }
    return outcomes;
}

static const char *const race_words[] = {"lasting", "unguarded", NULL};
static const struct field_type field_race_kind_type = {.shape = FIELD_IS_TEXT, .words = race_words};
static json_t *field_race_kind(enum race_kind kind)
{
    return json_text(race_word(kind));
}

#define UNJUDGED_RACE_MEMBERS(X) X("unjudged?", text, "why it is unknown whether the test has a race", race->unjudged)
#define RACE_MEMBERS(X)                                                                                                \
    X("kind!", race_kind, "`unguarded` if only executions that do not see a flag race, else `lasting`", race->kind)    \
    X("rule!", text, "the rule that is violated, as a sentence", race_rule)                                            \
    X("location!", text, "the location that both accesses use", race->accesses[0]->location)                           \
    X("accesses!", race_accesses, "two accesses that race in one execution", race)                                     \
    X("outcomes!", race_outcomes, "the outcomes with which the race occurs", race)                                     \
    X("witness!", boolean, "whether one of these outcomes satisfies the condition", race->witness_count > 0)
static const struct field cuda_race_fields[] = {UNJUDGED_RACE_MEMBERS(FIELD_ROW) RACE_MEMBERS(FIELD_ROW){0}};
const struct field_type field_cuda_race_type = {.shape = FIELD_IS_OBJECT,
                                                .name = "cuda_race",
                                                .meaning = "the data race that a CUDA test has in CUDA C++; absent if "
                                                           "it has none",
                                                .fields = cuda_race_fields,
                                                .unless = "unjudged"};
FIELD_FUNCTION(static, unjudged_race, UNJUDGED_RACE_MEMBERS, true, const struct race *race)
FIELD_FUNCTION(static, found_race, RACE_MEMBERS, true, const struct race *race)
json_t *field_cuda_race(const struct race *race)
{
    return race->unjudged ? field_unjudged_race(race) : race->kind == RACE_NONE ? NULL : field_found_race(race);
}

/* ---- tests ---- */

/* The parser's keys are words of ASCII. */
FIELD_MAP(metadata, text, (const struct litmus_test *test), test->metadata_count, test->metadata[i].key,
          test->metadata[i].value)

static const struct field_type field_names_type = {.shape = FIELD_IS_ARRAY, .of = &field_text_type};
static json_t *field_names(const struct litmus_test *test, const char *key)
{
    char name[LITMUS_NAME_SIZE];
    json_t *json = json_array();
    for (const char *rest = NULL; litmus_next_name(test, key, &rest, name);)
        json_append(json, json_text(name));
    return json;
}

static struct text write_family(const char *file)
{
    struct text family = {0};
    text_add(&family, "%.*s", (int)catalogue_family(file), file);
    return family;
}

#define field_hash_of_type field_hash_type
static json_t *field_hash_of(const struct litmus_test *test)
{
    char hash[65];
    litmus_hash(test, hash);
    return json_text(hash);
}

#define TEST_MEMBERS(X)                                                                                                \
    X("name", test, NULL, test->name)                                                                                  \
    X("dialect", dialect, NULL, litmus_dialect_name(test->dialect))                                                    \
    X("file", text, "the path of the test's file", selected->file)                                                     \
    X("family", made_text, "the family of the test", write_family(selected->file))                                     \
    X("template", text_or_null, "the name of the template that the test was made from", selected->template)            \
    X("threads", count, "the number of threads", (uint64_t)test->thread_count)                                         \
    X("placement", made_text, "which threads share a work-group, as in test names",                                    \
      FIELD_WRITTEN(placement_print, test))                                                                            \
    X("expect", text_or_null, "the metadata `Expect` of the test", litmus_metadata(test, "Expect"))                    \
    X("control", text_or_null, "the controls, as written in the test", litmus_metadata(test, litmus_controls))         \
    X("controls", names, "the names of the test's controls", test, litmus_controls)                                    \
    X("mutants", names, "the names of the test's mutants", test, litmus_mutants)                                       \
    X("doc", text_or_null, "the description of the test", test->doc)                                                   \
    X("condition", condition_of, NULL, test)                                                                           \
    X("metadata", metadata, "all metadata of the test", test)                                                          \
    X("hash", hash_of, "the hash of the test's content", test)                                                         \
    X("warnings*", warnings, NULL, test)
FIELD_NAMED_TYPE(catalogue_test, FIELD_IS_OBJECT | FIELD_IS_BASE, TEST_MEMBERS, "a test of the catalogue, or a file")
FIELD_FUNCTION(, catalogue_test, TEST_MEMBERS, true, const struct selected_test *selected,
               const struct litmus_test *test)
