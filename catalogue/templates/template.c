// SPDX-License-Identifier: Apache-2.0
/* A template: its head, its instances and their tests. */
#include "catalogue/templates/template.h"
#include "catalogue/templates/template_parts.h"
#include "litmus/dialects.h"
#include "litmus/parse/tokens.h"

/* ---- the head of the text ---- */

static bool find_dialect(const struct token *word, enum litmus_dialect *dialect)
{
    for (size_t i = 0; i < LITMUS_DIALECT_COUNT; i++) {
        for (const char *const *known = dialects[i].words; *known; known++) {
            if (token_is(word, *known)) {
                *dialect = (enum litmus_dialect)i;
                return true;
            }
        }
    }
    return false;
}

/* The vary and exclude lines, between doc lines and metadata. All other lines are left to the parser, which reports
 * their errors. */
static enum status template_read_lines(struct template *template, struct scanner *scanner, struct error *error)
{
    for (;;) {
        struct token token = scanner_next(scanner);
        size_t at = (size_t)(token.text - template->source);
        if (token_is(&token, "vary") || token_is(&token, "exclude")) {
            TRY(template_read_line(template, &at, error));
            scanner->at = at;
        } else if (token.kind == TOKEN_WORD || (at < template->size && *token.text == '$'))
            (void)scanner_line(scanner);
        else if (token.kind != TOKEN_TEXT)
            return STATUS_OK;
    }
}

/* The error of litmus_parse for a text with a wrong head. */
static enum status refuse_head(const char *file, const char *text, size_t size, struct error *error)
{
    struct litmus_test *test;
    const enum status status = litmus_parse(file, text, size, &test, error);
    if (status != STATUS_OK)
        return status;
    litmus_release(test);
    return error_set(error, STATUS_INTERNAL, "%s: internal error: the head of this test parses, but was not recognised",
                     file);
}

/* ---- instances ---- */

static bool excludes_combination(const struct template *template, const struct exclusion *exclusion, size_t combination)
{
    FOR_EACH(const struct exclusion_term, term, exclusion->terms, exclusion->count) {
        const struct extent *value = template_value(template, combination, term->axis, term->column);
        const bool same =
            value->size == term->value.size &&
            memcmp(template->source + value->start, template->source + term->value.start, value->size) == 0;
        if (same == term->differs)
            return false;
    }
    return true;
}

static enum status count_combinations(const struct template *template, size_t *count, struct error *error)
{
    *count = 1;
    FOR_EACH(const struct template_axis, axis, template->axes, template->axis_count) {
        *count *= axis->value_count / axis->width;
        if (*count > TEMPLATE_MAXIMUM_COMBINATIONS)
            return template_fail(template, axis->names[0].start, error, STATUS_LIMIT,
                                 "expected at most %d combinations of values, found more: split the template",
                                 TEMPLATE_MAXIMUM_COMBINATIONS);
    }
    return STATUS_OK;
}

static enum status find_instances(struct template *template, struct error *error)
{
    size_t combinations;
    TRY(count_combinations(template, &combinations, error));
    for (size_t combination = 0; combination < combinations; combination++) {
        bool excluded = false;
        for (size_t i = 0; i < template->exclusion_count; i++) {
            const bool matches = excludes_combination(template, &template->exclusions[i], combination);
            template->exclusions[i].matched |= matches;
            excluded |= matches;
        }
        if (excluded)
            continue;
        if (template->count == TEMPLATE_MAXIMUM_INSTANCES)
            return template_fail(template, template->header.start, error, STATUS_LIMIT,
                                 "expected at most %d instances, found more: split the template",
                                 TEMPLATE_MAXIMUM_INSTANCES);
        ARENA_ADD(&template->arena, template->combinations, template->count) = combination;
    }
    for (size_t i = 0; i < template->exclusion_count; i++)
        if (!template->exclusions[i].matched)
            return template_fail(template, template->exclusions[i].start, error, STATUS_SYNTAX,
                                 "expected a combination of the axes' values: this line excludes none");
    if (template->count == 0)
        return template_fail(template, template->exclusions[template->exclusion_count - 1].start, error, STATUS_SYNTAX,
                             "expected at least one combination that no line excludes");
    return STATUS_OK;
}

/* Appends "order=relaxed, tag=fenced". */
static void add_values(const struct template *template, size_t instance, struct text *text)
{
    for (size_t axis = 0; axis < template->axis_count; axis++) {
        const struct extent name = template->axes[axis].names[0];
        const struct extent *value = template_value(template, template->combinations[instance], axis, 0);
        text_add(text, "%s%.*s=%.*s", axis > 0 ? ", " : "", (int)name.size, template->source + name.start,
                 (int)value->size, template->source + value->start);
    }
}

/* Of places in the list of names: equal names in the order of their instances. */
ORDERED_BY(compare_names, char *const *const, strcmp(**a, **b) ?: ORDER(*a, *b))

static enum status refuse_equal_names(const struct template *template, struct error *error)
{
    enum status status = STATUS_OK;
    FREED char ***sorted = memory_take(template->count, sizeof *sorted);
    for (size_t i = 0; i < template->count; i++)
        sorted[i] = &template->names[i];
    SORT(sorted, template->count, compare_names);
    for (size_t i = 0; i + 1 < template->count && status == STATUS_OK; i++) {
        LOCAL(text) values = {0};
        if (strcmp(*sorted[i], *sorted[i + 1]) != 0)
            continue;
        add_values(template, (size_t)(sorted[i] - template->names), &values);
        text_add(&values, " and ");
        add_values(template, (size_t)(sorted[i + 1] - template->names), &values);
        status = template_fail(template, template->header.start, error, STATUS_SYNTAX,
                               "expected a different name for each instance, found '%s' for %s", *sorted[i],
                               text_string(&values));
    }
    return status;
}

static enum status make_instances(struct template *template, struct error *error)
{
    if (template->axis_count == 0) {
        ARENA_ADD(&template->arena, template->names, template->count) = template->title;
        return STATUS_OK;
    }
    TRY(template_check_uses(template, error));
    TRY(find_instances(template, error));
    enum status status = STATUS_OK;
    LOCAL(text) name = {0};
    template->names = arena_take(&template->arena, template->count, sizeof *template->names);
    for (size_t i = 0; i < template->count && status == STATUS_OK; i++) {
        text_clear(&name);
        status = template_expand(template, template->combinations[i], template->header, TEMPLATE_MAXIMUM_NAME, &name,
                                 NULL, error);
        template->names[i] = arena_copy(&template->arena, text_string(&name));
        if (status == STATUS_OK && name.size == 0)
            status = template_fail(template, template->header.start, error, STATUS_SYNTAX,
                                   "expected a name for each instance, found an empty one");
    }
    return status == STATUS_OK ? refuse_equal_names(template, error) : status;
}

/* ---- the door ---- */

/* A template whose text and head are known; *understood is false if it has no valid head. */
static struct template *start_template(const char *file, const char *text, size_t size, struct scanner *scanner,
                                       bool *understood)
{
    struct arena arena = {0};
    struct template *template = arena_take(&arena, 1, sizeof *template);
    template->arena = arena;
    template->file = arena_copy(&template->arena, file);
    template->source = arena_copy_part(&template->arena, text, size);
    template->size = size;
    *scanner = (struct scanner){.text = template->source, .size = size, .place = {1, 1}, .mode = SCAN_SECTIONS};
    const struct token word = scanner_next(scanner);
    *understood = find_dialect(&word, &template->dialect);
    const struct token name = scanner_line(scanner);
    *understood = *understood && name.size > 0;
    template->header = (struct extent){(size_t)(name.text - template->source), name.size};
    template->title = arena_copy_part(&template->arena, name.text, name.size);
    return template;
}

enum status template_parse(const char *file, const char *text, size_t size, struct template **result,
                           struct error *error)
{
    struct scanner scanner;
    bool understood;
    *result = NULL;
    if (size > LITMUS_MAXIMUM_FILE)
        return refuse_head(file, text, size, error);
    TRY(litmus_clean(file, &text, &size, error));
    struct template *template = start_template(file, text, size, &scanner, &understood);
    enum status status = understood ? STATUS_OK : refuse_head(file, text, size, error);
    THEN(status, template_read_lines(template, &scanner, error));
    THEN(status, make_instances(template, error));
    if (status == STATUS_OK)
        *result = template;
    else
        template_release(template);
    return status;
}

void template_release(struct template *template)
{
    if (!template)
        return;
    struct arena arena = template->arena; /* it holds the template itself */
    arena_release(&arena);
}

size_t template_count(const struct template *template)
{
    return template->count;
}

bool template_is_family(const struct template *template)
{
    return template->axis_count > 0;
}

enum litmus_dialect template_dialect(const struct template *template)
{
    return template->dialect;
}

const char *template_name(const struct template *template, size_t instance)
{
    return template->names[instance];
}

const char *template_title(const struct template *template)
{
    return template->title;
}

enum status template_text(const struct template *template, size_t instance, struct text *text, struct origin_map *map,
                          struct error *error)
{
    const struct extent whole = {0, template->size};
    if (template->axis_count > 0)
        return template_expand(template, template->combinations[instance], whole, LITMUS_MAXIMUM_FILE, text, map,
                               error);
    text_add_bytes(text, template->source, template->size);
    return STATUS_OK;
}

static size_t offset_of(const char *text, size_t size, struct litmus_place place)
{
    size_t at = 0;
    for (unsigned line = 1; line < place.line && at < size; at++)
        line += text[at] == '\n';
    return at + place.column - 1 < size ? at + place.column - 1 : size;
}

/* Turns "FILE:LINE:COLUMN: message" of the instance's text into the place in the template, and names the instance. */
static void lead_back(const struct template *template, size_t instance, const struct text *text,
                      const struct origin_map *map, struct error *error)
{
    const size_t file = strlen(template->file);
    struct litmus_place place;
    int message = 0;
    if (!error)
        return;
    const struct error inner = *error;
    if (strncmp(inner.text, template->file, file) == 0 &&
        sscanf(inner.text + file, ":%u:%u: %n", &place.line, &place.column, &message) == 2 && message > 0) {
        const size_t at = template_origin(map, offset_of(text_string(text), text->size, place));
        (void)template_fail(template, at, error, inner.status, "%s (in the instance %s)", inner.text + file + message,
                            template->names[instance]);
    } else
        (void)error_set(error, inner.status, "%s (in the instance %s)", inner.text, template->names[instance]);
}

enum status template_test(const struct template *template, size_t instance, struct litmus_test **test,
                          struct error *error)
{
    LOCAL(text) text = {0};
    struct origin_map map = {0};
    *test = NULL;
    enum status status = template_text(template, instance, &text, &map, error);
    if (status == STATUS_OK) {
        status = litmus_parse(template->file, text_string(&text), text.size, test, error);
        if (status != STATUS_OK && template_is_family(template))
            lead_back(template, instance, &text, &map, error);
        /* Not every instance uses all names, and the places of an instance are not those of the file. */
        if (status == STATUS_OK && template_is_family(template))
            (*test)->warning_count = 0;
    }
    free(map.pieces);
    return status;
}
