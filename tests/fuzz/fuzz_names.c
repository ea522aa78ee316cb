// SPDX-License-Identifier: Apache-2.0
/* Any name, cycle, template, `generate` line or index is refused with a reason, or read; and when it is written and
 * read again, the result is the same. The first byte says which of them the rest is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "catalogue/cycles/generate.h"
#include "catalogue/selection.h"
#include "catalogue/templates/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST_INSTANCES = 8, MOST_VARIANTS = 16, INDEX_SIZE = 4096 };

static void demand(bool condition)
{
    if (!condition)
        abort();
}

/* ---- a catalogue that replaces the real one: the index is the input ---- */

static char index_text[INDEX_SIZE];

#define TEST_TEXT(name) "PTX " name "\n{ x=0; }\nP0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x=1)\n"
#define TEST(path, name)                                                                                               \
    {                                                                                                                  \
        path, TEST_TEXT(name), sizeof TEST_TEXT(name) - 1                                                              \
    }

const struct catalogue_file catalogue_files[] = {
    {"@fuzz", index_text, 0},
    {"@other", "# another\nMP\n@fuzz\n", 0},
    TEST("MP/ptx/MP+relaxed.litmus", "MP+relaxed"),
    TEST("MP/ptx/MP+weak.litmus", "MP+weak"),
    TEST("lock/ptx/R9+[a].litmus", "R9+[a]"),
    {0},
};
const size_t catalogue_file_count = sizeof catalogue_files / sizeof *catalogue_files - 1;

/* ---- tests ---- */

/* The printed form of a test is read as an equal test. */
static void check_test(const struct litmus_test *test)
{
    struct litmus_test *again;
    struct text text = {0};
    struct error error = {0};
    char hash[65], hash_again[65];
    litmus_print(test, &text);
    demand(litmus_parse("printed", text_string(&text), text.size, &again, &error) == STATUS_OK);
    demand(strcmp(test->name, again->name) == 0 && test->dialect == again->dialect);
    litmus_hash(test, hash);
    litmus_hash(again, hash_again);
    demand(strcmp(hash, hash_again) == 0);
    litmus_release(again);
    text_release(&text);
}

/* The name of a variant that has a test determines it, and is the name of its test. */
static void check_variant(const struct variant *variant)
{
    static const struct variant_notes notes = {.expect = "allowed"};
    struct variant again;
    struct litmus_test *test;
    struct text name = {0};
    struct error error = {0};
    const enum status status = variant_test(variant, &notes, &test, &error);
    demand(status == STATUS_OK || (status == STATUS_UNSUPPORTED && error.text[0] && !test));
    if (status != STATUS_OK)
        return;
    variant_name(variant, &name);
    demand(strcmp(test->name, text_string(&name)) == 0);
    demand(variant_parse_name(variant->dialect, text_string(&name), &again, &error) == STATUS_OK);
    demand(variant_same(variant, &again));
    check_test(test);
    litmus_release(test);
    text_release(&name);
}

/* ---- the kinds of input ---- */

static void read_name(const char *name)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        struct variant variant;
        struct error error = {0};
        if (variant_parse_name((enum litmus_dialect)dialect, name, &variant, &error) == STATUS_OK)
            check_variant(&variant);
        else
            demand(error.text[0] != '\0');
    }
}

static void read_cycle(const char *text)
{
    struct cycle cycle, again;
    struct text printed = {0}, twice = {0};
    struct error error = {0};
    if (cycle_parse(text, &cycle, &error) != STATUS_OK) {
        demand(error.text[0] != '\0');
        return;
    }
    cycle_print(&cycle, &printed);
    demand(cycle_parse(text_string(&printed), &again, &error) == STATUS_OK);
    cycle_print(&again, &twice);
    demand(strcmp(text_string(&printed), text_string(&twice)) == 0);
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        struct variant variant;
        variant_of_cycle(&cycle, (enum litmus_dialect)dialect, &variant);
        check_variant(&variant);
    }
    text_release(&printed);
    text_release(&twice);
}

static void check_instance(const struct template *template, size_t instance)
{
    struct litmus_test *test, *again;
    struct text text = {0};
    struct error error = {0};
    if (template_test(template, instance, &test, &error) != STATUS_OK) {
        demand(error.text[0] && !test);
        return;
    }
    demand(strcmp(test->name, template_name(template, instance)) == 0 && test->dialect == template_dialect(template));
    demand(template_text(template, instance, &text, NULL, &error) == STATUS_OK);
    demand(litmus_parse("instance", text_string(&text), text.size, &again, &error) == STATUS_OK);
    demand(strcmp(test->name, again->name) == 0);
    litmus_release(again);
    litmus_release(test);
    text_release(&text);
}

static void read_template(const char *text, size_t size)
{
    struct template *template;
    struct error error = {0};
    if (template_parse("fuzz", text, size, &template, &error) != STATUS_OK) {
        demand(error.text[0] && !template);
        return;
    }
    const size_t count = template_count(template);
    demand(count >= 1 && count <= TEMPLATE_MAXIMUM_INSTANCES && template_title(template));
    for (size_t i = 0; i < count && i < MOST_INSTANCES; i++)
        check_instance(template, i);
    check_instance(template, count - 1);
    template_release(template);
}

static enum status take_variant(const struct variant *variant, void *context, struct error *error)
{
    size_t *count = context;
    check_variant(variant);
    return ++*count < MOST_VARIANTS ? STATUS_OK : error_set(error, STATUS_LIMIT, "enough");
}

static void read_generation(char *words)
{
    struct generation generation;
    unsigned long expected;
    size_t count = 0;
    struct error error = {0};
    enum status status = generation_parse(words, &generation, &error);
    if (status == STATUS_OK && (generation.limit == 0 || generation.limit > 1000))
        generation.limit = 1000;
    if (status == STATUS_OK)
        status = generation_check(&generation, &expected, &error);
    if (status != STATUS_OK) {
        demand(error.text[0] != '\0');
        return;
    }
    status = generation_each(&generation, take_variant, &count, &error);
    demand(status == STATUS_LIMIT ? count == MOST_VARIANTS : status == STATUS_OK && count == expected);
}

/* Models are not used: they have their own target. */
static enum status judge_nothing(const struct model *model, const struct litmus_test *test,
                                 const struct judge_options *options, struct judgement *judgement, struct error *error)
{
    (void)model, (void)test, (void)options;
    *judgement = (struct judgement){0};
    return error_set(error, STATUS_UNSUPPORTED, "not judged");
}

static void read_index(const char *text)
{
    static char word[] = "@fuzz";
    char *const words[] = {word};
    struct selection selection;
    struct error error = {0};
    if (strlen(text) >= INDEX_SIZE || strstr(text, "generate"))
        return;
    (void)snprintf(index_text, sizeof index_text, "%s", text);
    if (selection_make(words, 1, judge_nothing, &selection, &error) == STATUS_OK) {
        demand(selection.count > 0 && selection.budget >= 0 && selection.confidence >= 0 && selection.confidence < 1);
        for (size_t i = 0; i < selection.count; i++)
            check_test(selection.tests[i].test);
    } else
        demand(error.text[0] && selection.count == 0);
    selection_release(&selection);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    char *text = memory_take(size, 1);
    memcpy(text, bytes + 1, size - 1);
    switch (bytes[0]) {
    case 'n':
        read_name(text);
        break;
    case 'c':
        read_cycle(text);
        break;
    case 't':
        read_template(text, size - 1);
        break;
    case 'g':
        read_generation(text);
        break;
    case '@':
        read_index(text);
        break;
    default:
        break;
    }
    free(text);
    return 0;
}
