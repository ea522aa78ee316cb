// SPDX-License-Identifier: Apache-2.0
/* Columns of results: made, compared with each other and with a baseline. */
#include "inspect/compile/columns.h"

#include "inspect/compile/given_code.h"

enum { MAXIMUM_COLUMNS = 64, MAXIMUM_BASELINE = 16 * 1024 * 1024 };

static const char spirv[] = "spirv"; /* the target of VULKAN tests */

const char *inspect_column_place(const struct inspect_column *column, const struct litmus_test *test)
{
    return !column->compiler.word && test->dialect == LITMUS_VULKAN ? spirv : column->place;
}

/* ---- which compilers, and for what ---- */

/* The next part of a list, in the arena; NULL at its end. */
static char *next_part(struct arena *arena, const char **list)
{
    const size_t length = strcspn(*list, ",");
    if (length == 0)
        return NULL;
    char *part = arena_copy_part(arena, *list, length);
    *list += length + ((*list)[length] == ',');
    return part;
}

/* A column of the compiler, which knows the target. */
static enum status columns_add(const struct inspect_compilers *known, const char *compiler,
                               const struct inspect_target *target, struct inspect_columns *columns,
                               struct error *error)
{
    if (columns->count == MAXIMUM_COLUMNS)
        return error_set(error, STATUS_USAGE, "more than %d pairs of a compiler and a target", MAXIMUM_COLUMNS);
    struct inspect_column *column = &columns->items[columns->count];
    *column = (struct inspect_column){.target = *target};
    struct text word = {0};
    inspect_target_add(target, &word);
    const char *place = arena_copy(&columns->arena, text_string(&word));
    text_release(&word);
    column->place = column->name = place;
    TRY(inspect_compiler_find(known, compiler, &column->compiler, error));
    TRY(inspect_compiler_version(&column->compiler, column->version, error));
    TRY(inspect_compiler_check(&column->compiler, target, error));
    columns->count++;
    return STATUS_OK;
}

static enum status columns_read(const struct inspect_compilers *known, const char *compilers, const char *targets,
                                struct inspect_columns *columns, struct error *error)
{
    struct inspect_target target = {0};
    for (const char *part; (part = next_part(&columns->arena, &targets)) != NULL;) {
        struct inspect_target next;
        struct text word = {0};
        const bool whole = !target.machine || !target.processor[0] || strcmp(part, spirv) == 0 ||
                           (strchr(part, ':') && strncmp(part, "gfx", 3) != 0);
        text_add(&word, "%s%s%s", whole ? "" : target.machine, whole ? "" : ":", part);
        const enum status status = inspect_target_read(text_string(&word), &next, error);
        text_release(&word);
        TRY(status);
        target = next;
        const char *rest = compilers;
        for (const char *compiler; (compiler = next_part(&columns->arena, &rest)) != NULL;)
            TRY(columns_add(known, compiler, &target, columns, error));
    }
    return columns->count > 0
               ? STATUS_OK
               : error_set(error, STATUS_USAGE,
                           "--compiler and --target must be used together, for example clang-19 and amdgcn:gfx90a; "
                           "`orchil inspect --compilers` lists what is installed");
}

/* ---- inspecting ---- */

enum part { PART_ALL, PART_VULKAN, PART_OTHERS };

static bool is_in_part(const struct litmus_test *test, enum part part)
{
    return part == PART_ALL || (test->dialect == LITMUS_VULKAN) == (part == PART_VULKAN);
}

/* Inspects a part of the selection. why: the reason why nothing can compile it; NULL if something can. */
static enum status inspect_part(const struct inspect_many_options *options, const char *why,
                                const struct selection *selection, enum part part, struct inspected *results,
                                struct error *error)
{
    FREED const struct litmus_test **tests = memory_take(selection->count, sizeof *tests);
    struct inspected *found = memory_take(selection->count, sizeof *found);
    enum status status = STATUS_OK;
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++)
        if (is_in_part(selection->tests[i].test, part))
            tests[count++] = selection->tests[i].test;
    for (size_t i = 0; i < count && why; i++)
        inspect_skip(&found[i].inspection, why);
    if (count > 0 && !why)
        status = inspect_many(options, tests, count, found, error);
    for (size_t i = 0, k = 0; i < selection->count; i++)
        if (is_in_part(selection->tests[i].test, part))
            results[i] = found[k++];
    free(found);
    return status;
}

/* Inspects the selection by the column's compiler. */
static enum status inspect_column(const struct inspect_many_options *options, const struct selection *selection,
                                  struct inspect_column *column, enum part part, const char *why, struct error *error)
{
    struct inspect_many_options own = *options;
    own.device = inspect_target_device(&column->target);
    own.compiler = &column->compiler;
    own.target = &column->target;
    own.version = column->version;
    return inspect_part(&own, why, selection, part, column->results, error);
}

/* Inspects the VULKAN tests by glslang, and the others by NVRTC. */
static enum status inspect_usually(const struct inspect_many_options *options, const struct selection *selection,
                                   struct inspect_column *column, struct error *error)
{
    struct inspect_column glslang = {.results = column->results};
    struct error why;
    TRY(inspect_part(options, NULL, selection, PART_OTHERS, column->results, error));
    TRY(inspect_compiler_find(options->known, INSPECT_GLSLANG, &glslang.compiler, error));
    TRY(inspect_target_read(spirv, &glslang.target, error));
    const bool there = inspect_compiler_version(&glslang.compiler, glslang.version, &why) == STATUS_OK;
    TRY(inspect_column(options, selection, &glslang, PART_VULKAN, there ? NULL : why.text, error));
    for (size_t i = 0; i < selection->count; i++)
        if (column->results[i].compiler[0])
            (void)snprintf(column->version, sizeof column->version, "%s", column->results[i].compiler);
    return STATUS_OK;
}

/* Starts with a column of the usual compilers. */
static void columns_start(const struct selection *selection, const char *architecture, struct inspect_columns *columns)
{
    columns->selection = selection;
    columns->items = arena_take(&columns->arena, MAXIMUM_COLUMNS, sizeof *columns->items);
    columns->items[0].place = arena_copy(&columns->arena, architecture);
    columns->items[0].name = arena_print(&columns->arena, "nvidia:%s", architecture);
}

static void take_results(struct inspect_columns *columns, struct inspect_column *column)
{
    column->results = arena_take(&columns->arena, columns->selection->count, sizeof *column->results);
}

static void columns_compare(struct inspect_columns *columns);

enum status inspect_columns_make(const char *compilers, const char *targets, const struct inspect_many_options *options,
                                 const struct selection *selection, struct inspect_columns *columns,
                                 struct error *error)
{
    const bool usual = !compilers && !targets;
    columns_start(selection, options->device->architecture, columns);
    if (usual)
        columns->count = 1;
    else
        TRY(columns_read(options->known, compilers ? compilers : "", targets ? targets : "", columns, error));
    for (size_t c = 0; c < columns->count; c++)
        take_results(columns, &columns->items[c]);
    for (size_t c = 0; c < columns->count; c++)
        TRY(usual ? inspect_usually(options, selection, &columns->items[c], error)
                  : inspect_column(options, selection, &columns->items[c], PART_ALL, NULL, error));
    columns_compare(columns);
    return STATUS_OK;
}

enum status inspect_columns_make_of_code(const struct text *bytes, const struct selection *selection,
                                         struct inspect_columns *columns, struct error *error)
{
    if (selection->count != 1)
        return error_set(error, STATUS_USAGE, "--code: expected one test, found %zu tests", selection->count);
    columns_start(selection, "", columns);
    struct inspect_column *column = &columns->items[columns->count++];
    take_results(columns, column);
    column->place = column->name = given_code_inspect(bytes, selection->tests[0].test, &column->results[0].inspection);
    columns_compare(columns);
    return STATUS_OK;
}

void inspect_columns_release(struct inspect_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++)
        for (size_t t = 0; columns->items[c].results && t < columns->selection->count; t++)
            inspection_release(&columns->items[c].results[t].inspection);
    arena_release(&columns->arena);
}

/* ---- differences ---- */

static enum kept kept_by(const struct inspect_column *column, size_t test)
{
    return column->results[test].inspection.kept;
}

/* Whether a compiler made of the test what it may make of it. */
static bool is_fine(const struct inspect_column *column, size_t test)
{
    return !kept_is_worse(kept_by(column, test), TEST_MERGED);
}

static void columns_add_change(struct inspect_columns *columns, const struct inspect_column *before,
                               const struct inspect_column *now, size_t test)
{
    ARENA_ADD(&columns->arena, columns->changes, columns->change_count) = (struct inspect_change){before, now, test};
    columns->lost += (!before || is_fine(before, test)) && !is_fine(now, test);
}

/* Counts the results, and finds the tests that a column does not treat as the compiler before it for the same
 * target. */
static void columns_compare(struct inspect_columns *columns)
{
    for (size_t c = 0; c < columns->count; c++) {
        struct inspect_column *now = &columns->items[c];
        const struct inspect_column *before = c > 0 && strcmp(now[-1].place, now->place) == 0 ? now - 1 : NULL;
        for (size_t t = 0; t < columns->selection->count; t++) {
            now->counts[kept_by(now, t)]++;
            if (before && kept_by(before, t) != kept_by(now, t))
                columns_add_change(columns, before, now, t);
        }
    }
}

bool inspect_column_is_unknown(const struct inspect_column *column, const struct inspect_columns *columns)
{
    return column->counts[TEST_NOT_INSPECTED] == columns->selection->count;
}

int inspect_columns_exit_code(const struct inspect_columns *columns, bool with_baseline)
{
    size_t not_kept = 0;
    bool unknown = false;
    for (size_t c = 0; c < columns->count; c++) {
        not_kept += columns->items[c].counts[TEST_NOT_KEPT];
        unknown |= inspect_column_is_unknown(&columns->items[c], columns);
    }
    if ((with_baseline || columns->count > 1 ? columns->lost : not_kept) > 0)
        return 1;
    return unknown ? 3 : 0;
}

/* ---- baselines ---- */

/* A line of a baseline: "amdgcn:gfx90a opencl:MP+relaxed". */
static void columns_add_line(const struct inspect_column *column, const struct litmus_test *test, struct text *text)
{
    text_add(text, "%s ", column->name);
    catalogue_add_dialect(test->dialect, text);
    text_add(text, ":%s\n", test->name);
}

enum status inspect_baseline_write(const char *path, const struct inspect_columns *columns, struct error *error)
{
    LOCAL(text) text = {0};
    text_add(&text,
             "# Tests that compilers kept or merged: target, test. orchil inspect --baseline compares with them.\n");
    for (size_t c = 0; c < columns->count; c++)
        for (size_t t = 0; t < columns->selection->count; t++)
            if (is_fine(&columns->items[c], t))
                columns_add_line(&columns->items[c], columns->selection->tests[t].test, &text);
    return file_write_whole(path, text_string(&text), text.size, error);
}

/* Whether the text has the line. */
static bool has_line(const char *text, const char *line)
{
    for (const char *found = strstr(text, line); found; found = strstr(found + 1, line))
        if (found == text || found[-1] == '\n')
            return true;
    return false;
}

enum status inspect_baseline_compare(const char *path, struct inspect_columns *columns, struct error *error)
{
    LOCAL(text) baseline = {0}, line = {0};
    TRY(file_read_whole(path, MAXIMUM_BASELINE, &baseline, error));
    for (size_t c = 0; c < columns->count; c++)
        for (size_t t = 0; t < columns->selection->count; t++) {
            text_clear(&line);
            columns_add_line(&columns->items[c], columns->selection->tests[t].test, &line);
            if (!is_fine(&columns->items[c], t) && has_line(text_string(&baseline), text_string(&line)))
                columns_add_change(columns, NULL, &columns->items[c], t);
        }
    return STATUS_OK;
}
