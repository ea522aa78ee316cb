// SPDX-License-Identifier: Apache-2.0
/* The sections that all dialects have, and the checks on the whole text. */
#include "litmus/dialects.h"
#include "litmus/parse/parser.h"

/* Does the file begin as a program in CUDA C++ or OpenCL C does? */
static bool at_program(const struct parser *parser)
{
    static const char words[] =
        "__global__ __kernel kernel __device__ extern template using typedef static struct void "
        "__host__";
    const struct token first = parser_next(parser);
    return (first.size > 0 && first.text[0] == '#') || text_has_word(words, first.text, first.size);
}

static enum status refuse_program(struct parser *parser)
{
    const struct scanner *text = &parser->scanner;
    const bool opencl =
        !memmem(text->text, text->size, "__global__", 10) && memmem(text->text, text->size, "kernel ", 7);
    return parser_fail(
        parser, (struct litmus_place){1, 1},
        "this looks like %s source: a test begins with `%s NAME`, then { x=0; }, then for each thread %s "
        "{ ... } with the statements that access or order memory, then exists (x=1); "
        "docs/guide/writing-tests.md shows how%s",
        opencl ? "OpenCL C" : "CUDA", opencl ? "OPENCL" : "CUDA",
        opencl ? "P0@wg 0, dev 0 (global int* x)" : "P0@cta 0, gpu 0 (int* x)",
        opencl ? "" : "; whole kernels, compiled by `nvcc -ptx -lineinfo`, are for `orchil audit`");
}

static enum status parse_header(struct parser *parser, const struct dialect **dialect)
{
    *dialect = NULL;
    if (at_program(parser))
        return refuse_program(parser);
    parser_advance(parser);
    for (size_t i = 0; i < LITMUS_DIALECT_COUNT; i++)
        for (const char *const *word = dialects[i].words; *word; word++)
            if (parser_at(parser, *word))
                *dialect = &dialects[i];
    if (parser_at(parser, "."))
        return parser_expected(
            parser, "a litmus test, not the PTX of a compiler, which `orchil audit FILE` reads: PTX name, { x=0; }, "
                    "P0@cta 0,gpu 0 ;, and in each row one of the kernel's instructions that access or order memory");
    if (!*dialect)
        return parser_expected(parser, "a dialect: OPENCL, PTX, CUDA, C or VULKAN");
    parser->test->dialect = (enum litmus_dialect)(*dialect - dialects);
    const struct token name = scanner_line(&parser->scanner);
    if (name.size == 0)
        return parser_fail(parser, name.place, "expected the name of the test, found the end of the line");
    const char *tab = memchr(name.text, '\t', name.size);
    if (tab)
        return parser_expected_not(parser,
                                   &(struct token){.kind = TOKEN_MARK, .place = name.place, .text = tab, .size = 1},
                                   "a name without tabs");
    parser->test->name = parser_copy(parser, &name);
    return STATUS_OK;
}

/* A key is a word, or a word and a language: "Expect", "Text.zh". */
static enum status parse_key(struct parser *parser, struct token *key)
{
    *key = parser->token;
    parser_advance(parser);
    if (parser->token.kind != TOKEN_MARK || parser->token.text != key->text + key->size || *parser->token.text != '.')
        return STATUS_OK;
    struct token language;
    parser->scanner.at -= parser->token.size - 1; /* where the scanner saw a longer mark */
    parser->scanner.place.column -= (unsigned)parser->token.size - 1;
    parser_advance(parser);
    TRY(parser_take_word(parser, "a language after the '.' of a metadata key, such as zh", &language));
    key->size = (size_t)(language.text + language.size - key->text);
    return STATUS_OK;
}

/* A text may have several lines, each with its key: they are one value. */
static bool continue_text(struct litmus_test *test, const char *key, const char *value)
{
    FOR_EACH(struct litmus_metadata, before, test->metadata, test->metadata_count)
        if (strncmp(key, litmus_text_key, strlen(litmus_text_key)) == 0 && strcmp(before->key, key) == 0) {
            before->value = arena_print(&test->arena, "%s\n%s", before->value, value);
            return true;
        }
    return false;
}

static enum status parse_metadata(struct parser *parser)
{
    struct litmus_test *test = parser->test;
    struct token key;
    TRY(parse_key(parser, &key));
    if (parser->token.kind != TOKEN_MARK || parser->token.text[0] != '=')
        return parser_expected(parser, "'=' after a metadata key (the initial state is in braces: { x=0; })");
    /* The value is raw text and starts right after the '=', even if the scanner saw a longer mark. */
    parser->scanner.at -= parser->token.size - 1;
    parser->scanner.place.column -= (unsigned)parser->token.size - 1;
    const struct token value = scanner_line(&parser->scanner);
    char *const name = parser_copy(parser, &key), *const text = parser_copy(parser, &value);
    if (!continue_text(test, name, text))
        ARENA_ADD(&test->arena, test->metadata, test->metadata_count) = (struct litmus_metadata){name, text};
    parse_warn_of_key(parser, key.place, name);
    parser_advance(parser);
    return STATUS_OK;
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

/* Is the byte a quote, or the carriage return of a line's end? */
static bool is_changed(const struct token *quoted, size_t at)
{
    return quoted->text[at] == '"' || (quoted->text[at] == '\r' && quoted->text[at + 1] == '\n');
}

/* Adds a quoted text without the ends of lines at its edges, which only set the quotes apart. A quote in it becomes
 * "'", so that the text can be printed between quotes. */
static void add_doc(struct text *doc, struct token quoted)
{
    while (quoted.size > 0 && ends_line(quoted.text[0])) {
        quoted.text++;
        quoted.size--;
    }
    while (quoted.size > 0 && ends_line(quoted.text[quoted.size - 1]))
        quoted.size--;
    for (size_t at = 0; at < quoted.size; at++) {
        const size_t start = at;
        while (at < quoted.size && !is_changed(&quoted, at))
            at++;
        text_add_bytes(doc, quoted.text + start, at - start);
        if (at < quoted.size && quoted.text[at] == '"')
            text_add_bytes(doc, "'", 1);
    }
}

/* Doc lines and metadata, in any order. */
static enum status parse_description(struct parser *parser)
{
    LOCAL(text) doc = {0};
    bool first = true;
    parser_advance(parser);
    while (!parser_at(parser, "{")) {
        if (parser->token.kind == TOKEN_TEXT) {
            if (!first)
                text_add_bytes(&doc, "\n", 1);
            first = false;
            add_doc(&doc, parser->token);
            parser_advance(parser);
        } else if (parser->token.kind == TOKEN_WORD)
            TRY(parse_metadata(parser));
        else
            return parser_expected(parser, "a quoted text, a line Key=value, or '{' of the initial state");
    }
    parser->test->doc = arena_copy(parser_arena(parser), text_string(&doc));
    return STATUS_OK;
}

/* "regions: x: global, y: local". In a C test a region is any name, which models may ask for; none here does. */
static enum status memory_map(struct parser *parser)
{
    const bool has_places = dialects[parser->test->dialect].has_places;
    do {
        struct token name;
        TRY(parser_take_word(parser, "the name of a location", &name));
        const int index = parser_find_location(parser, &name);
        if (index == LITMUS_NONE)
            return parser_expected_not(parser, &name, "a location of the test");
        TRY(parser_take(parser, ":"));
        int region = word_find(region_words, &parser->token);
        if (region == LITMUS_NONE && !has_places && parser->token.kind == TOKEN_WORD)
            region = LITMUS_GLOBAL;
        if (region == LITMUS_NONE || (region != LITMUS_GLOBAL && !has_places))
            return parser_expected(parser, has_places ? "a region: global, local or shared"
                                                      : "no local region (all memory of a C test is global)");
        TRY(parser_place_location(parser, index, (enum litmus_region)region, parser->token.place));
        parser_advance(parser);
    } while (parser_take_if(parser, parser_at(parser, ";") ? ";" : ","));
    return STATUS_OK;
}

static enum status parse_regions(struct parser *parser)
{
    parser_advance(parser);
    TRY(parser_take(parser, ":"));
    return memory_map(parser);
}

/* A GPU_PTX test has its regions right after the tree: "x: shared, y: global". */
static enum status parse_tree_and_map(struct parser *parser)
{
    TRY(parse_scope_tree(parser));
    const struct token name = parser->token, colon = parser_next(parser);
    const bool map = parser_find_location(parser, &name) != LITMUS_NONE && token_is(&colon, ":");
    return map ? memory_map(parser) : STATUS_OK;
}

static const struct {
    const char *word; /* NULL: a thread's name, and a word */
    enum status (*parse)(struct parser *parser);
    bool places; /* the placement or the launch of threads */
} trailers[] = {
    {"scopeTree", parse_tree_and_map, true},
    {"ScopeTree", parse_tree_and_map, true},
    {"scopes", parse_scope_tree, true},
    {"regions", parse_regions, false},
    {NULL, parse_edge, true},
    {"locations", parse_locations, false},
    {"filter", parse_filter, false},
};

static enum status parse_trailers(struct parser *parser)
{
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < COUNT(trailers) && !found; i++) {
            if (trailers[i].word ? !parser_at(parser, trailers[i].word) : !parse_at_edge(parser))
                continue;
            if (trailers[i].places && !dialects[parser->test->dialect].has_places)
                return parser_expected(
                    parser, "locations, a filter or the condition (a C test has one thread per work-group, all on one "
                            "device and launched at once)");
            found = true;
            TRY(trailers[i].parse(parser));
        }
    }
    return STATUS_OK;
}

ORDERED_BY(by_thread, const struct litmus_thread, ORDER(a->first, b->first))

/* Moves the drafts (every dialect makes at least one) into the test, in the order of their numbers, which must be 0, 1,
 * ... without gaps. */
static enum status finish_threads(struct parser *parser)
{
    struct litmus_test *test = parser->test;
    test->threads = arena_take(&test->arena, parser->draft_count, sizeof *test->threads);
    test->body_count = parser->draft_count;
    for (size_t i = 0; i < test->body_count; i++)
        test->threads[i] = parser->drafts[i]->thread;
    SORT(test->threads, test->body_count, by_thread);
    FOR_EACH(const struct litmus_thread, thread, test->threads, test->body_count) {
        if (thread->first != test->thread_count)
            return parser_fail(parser, thread->place, "expected thread P%u before this one, found P%u",
                               test->thread_count, thread->first);
        test->thread_count += thread->count;
    }
    for (size_t i = 0; i < parser->start_count; i++)
        if (!parser->starts[i].taken)
            return parser_fail(parser, parser->starts[i].place, "expected a thread of the test, found thread %u",
                               parser->starts[i].thread);
    return STATUS_OK;
}

/* An alias is another name for storage, so it has the properties of the location that it names. */
static void finish_locations(struct litmus_test *test)
{
    for (size_t i = 0; i < test->location_count; i++) {
        struct litmus_location *location = &test->locations[i];
        if (location->alias_of == LITMUS_NONE)
            continue;
        const struct litmus_location *root = &test->locations[litmus_storage(test, (unsigned)i)];
        location->type = root->type;
        location->elements = root->elements;
        location->array = root->array;
        location->initial = root->initial;
        location->points_to = root->points_to;
        location->region = root->region;
        location->home = root->home;
    }
}

static enum status parse_sections(struct parser *parser)
{
    const struct dialect *dialect;
    TRY(parse_header(parser, &dialect));
    TRY(parse_description(parser));
    TRY(parse_initial_state(parser));
    struct scanner after = parser->scanner;
    after.at = (size_t)(parser->token.text - after.text); /* the token at hand is after it, too */
    TRY(dialect->parse_threads(parser));
    /* Types of locations are known here; the condition's constants follow them. */
    TRY(parse_fit_initial(parser));
    finish_locations(parser->test);
    TRY(parse_trailers(parser));
    TRY(parse_groups(parser));
    TRY(settle_c_places(parser));
    finish_locations(parser->test);
    TRY(finish_threads(parser));
    TRY(parse_condition(parser));
    if (parser->token.kind != TOKEN_END)
        return parser_expected(parser, "the end of the file after the condition");
    TRY(parser_finish(parser));
    parse_order_variables(parser);
    TRY(parse_check_edges(parser));
    TRY(parse_check_hosts(parser));
    TRY(parse_check_vectors(parser));
    TRY(parse_check_caches(parser));
    TRY(parse_check_types(parser));
    TRY(parse_check_async(parser));
    TRY(parse_check_vulkan(parser));
    parse_warn(parser, &after);
    return STATUS_OK;
}

enum status litmus_parse(const char *file, const char *text, size_t size, struct litmus_test **test,
                         struct error *error)
{
    *test = NULL;
    if (size > LITMUS_MAXIMUM_FILE)
        return error_set(error, STATUS_LIMIT, "%s: expected at most %d bytes, found %zu", file, LITMUS_MAXIMUM_FILE,
                         size);
    TRY(litmus_clean(file, &text, &size, error));
    struct parser parser = {
        .file = file,
        .scanner = {.text = text, .size = size, .place = {1, 1}, .mode = SCAN_SECTIONS},
        .error = error,
    };
    parser.test = litmus_new();
    const enum status status = parse_sections(&parser);
    if (status != STATUS_OK) {
        litmus_release(parser.test);
        return status;
    }
    char *copy = arena_take(&parser.test->arena, size + 1, 1);
    memcpy(copy, text, size); /* not empty: it has a header */
    parser.test->text = copy;
    parser.test->text_dialect = parser.test->dialect;
    *test = parser.test;
    return STATUS_OK;
}

enum status litmus_read_file(const char *path, struct text *text, struct error *error)
{
    return file_read_input(path, LITMUS_MAXIMUM_FILE, text, error);
}
