// SPDX-License-Identifier: Apache-2.0
/* Protects orchil's subset of the cat language: all of it is accepted, everything else is refused with the place and
 * what was expected, and no text costs more than its limits. Texts and messages are in cat/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"
#include "models/cat/cat.h"
#include "models/explain/explain.h"
#include "tests/corpus.h"
#include "tests/models/judged.h"

enum { PATH_SIZE = 4096 };

static const char folder[] = ORCHIL_SOURCE_DIR "/tests/models/cat/";

/* Includes name other cases: all are files before the first is loaded. */
static void write_model(struct corpus_case *one, void *context)
{
    char path[PATH_SIZE];
    const struct text *text = corpus_part(one, "");
    struct error error;
    (void)snprintf(path, sizeof path, "%s/%s.cat", (const char *)context, one->title);
    assert_int_equal(file_write_whole(path, text_string(text), text->size, &error), STATUS_OK);
}

static void check_refused(struct corpus_case *one, void *context)
{
    char path[PATH_SIZE];
    struct text message = {0};
    struct model *model;
    struct error error = {0};
    const int skip = snprintf(path, sizeof path, "%s/", (const char *)context);
    (void)snprintf(path, sizeof path, "%s/%s.cat", (const char *)context, one->title);
    assert_int_not_equal(model_load(path, &model, &error), STATUS_OK);
    assert_null(model);
    text_add(&message, "%s\n", error.text + (strncmp(error.text, path, (size_t)skip) == 0 ? skip : 0));
    corpus_expect(one, "expected", text_string(&message));
    text_release(&message);
}

static void refused_texts(void **state)
{
    char path[PATH_SIZE], scratch[256];
    struct error error;
    (void)state;
    (void)snprintf(path, sizeof path, "%srefused.txt", folder);
    assert_int_equal(temporary_folder_make("cat", scratch, sizeof scratch, &error), STATUS_OK);
    assert_true(corpus_each(path, write_model, scratch) > 0);
    assert_true(corpus_each(path, check_refused, scratch) > 0);
    temporary_folder_remove(scratch);
}

/* A model's verdicts on a test, a line for each outcome. */
static void print_judgement(const struct litmus_test *test, const struct judgement *judgement, struct text *text)
{
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        const struct judged_outcome *outcome = &judgement->outcomes[i];
        litmus_print_outcome(test, outcome->values, text);
        text_add(text, " %s%s%s\n", verdict_word(outcome->verdict), outcome->axiom ? ": " : "",
                 outcome->axiom ? outcome->axiom : "");
        if (outcome->verdict == VERDICT_FORBIDDEN && outcome->explanation)
            explanation_print_cycle(outcome->explanation, text);
    }
}

static void check_meaning(struct corpus_case *one, void *context)
{
    char path[PATH_SIZE];
    struct text found = {0};
    struct model *model;
    struct judgement judgement;
    struct error error = {0};
    const struct judge_options options = {.explain = true};
    write_model(one, context);
    (void)snprintf(path, sizeof path, "%s/%s.cat", (const char *)context, one->title);
    if (model_load(path, &model, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    struct litmus_test *test = parsed(text_string(corpus_part(one, "test")));
    if (model_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    print_judgement(test, &judgement, &found);
    corpus_expect(one, "expected", text_string(&found));
    text_release(&found);
    judgement_release(&judgement);
    litmus_release(test);
    model_release(model);
}

/* Next to the models is a file under one of orchil's own names, which must not be read. */
static void meaning_of_statements(void **state)
{
    static const char unread[] = "this is not a model: %";
    char path[PATH_SIZE], scratch[256];
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("cat", scratch, sizeof scratch, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/cos.cat", scratch);
    assert_int_equal(file_write_whole(path, unread, strlen(unread), &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%smeanings.txt", folder);
    assert_true(corpus_each(path, check_meaning, scratch) > 0);
    temporary_folder_remove(scratch);
}

/* Text after a NUL would be part of the file but not of the model. */
static void text_with_nul(void **state)
{
    char path[PATH_SIZE], scratch[256];
    struct model *model;
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("cat", scratch, sizeof scratch, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/nul.cat", scratch);
    assert_int_equal(file_write_whole(path, "acyclic po\n\0acyclic rf\n", 23, &error), STATUS_OK);
    assert_int_equal(model_load(path, &model, &error), STATUS_SYNTAX);
    assert_non_null(strstr(error.text, "nul.cat: expected text, found NUL bytes"));
    temporary_folder_remove(scratch);
}

static void accepted_text(void **state)
{
    char path[PATH_SIZE];
    struct model *model;
    struct error error = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%saccepted/everything.cat", folder);
    if (model_load(path, &model, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(strncmp(model_id(model), "everything.cat:", 15), 0);
    model_release(model);
}

struct identities {
    struct model *model;
    unsigned checked;
};

/* Executions of one rule, with many relations, none of them trivial. */
static void check_identities(struct corpus_case *one, void *context)
{
    struct identities *identities = context;
    const struct text *text = corpus_part(one, "");
    struct litmus_test *test;
    struct judgement judgement;
    struct error error = {0};
    if (strcmp(one->title, "ptx-MP+rmw-chain") != 0)
        return;
    if (litmus_parse(one->title, text_string(text), text->size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(model_judge(identities->model, test, NULL, &judgement, &error), STATUS_OK);
    assert_true(judgement.consistent > 0);
    for (size_t i = 0; i < judgement.outcome_count; i++)
        if (judgement.outcomes[i].axiom)
            fail_msg("the check '%s' fails", judgement.outcomes[i].axiom);
    assert_true(judgement.consistent == judgement.candidates);
    judgement_release(&judgement);
    litmus_release(test);
    identities->checked++;
}

static void meaning_of_operators(void **state)
{
    char path[PATH_SIZE];
    struct identities identities = {0};
    struct error error = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%saccepted/identities.cat", folder);
    if (model_load(path, &identities.model, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    (void)snprintf(path, sizeof path, "%s../rules/ptx-synchronisation.txt", folder);
    (void)corpus_each(path, check_identities, &identities);
    assert_int_equal(identities.checked, 1);
    model_release(identities.model);
}

static enum status parse(const char *text, struct cat **cat, struct error *error)
{
    return cat_parse("text.cat", text, NULL, NULL, cat, error);
}

static void check_limit(const char *text, const char *message)
{
    struct cat *cat;
    struct error error = {0};
    assert_int_equal(parse(text, &cat, &error), STATUS_LIMIT);
    assert_null(cat);
    assert_string_equal(error.text, message);
}

static void repeat(struct text *text, const char *what, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        text_add(text, "%s", what);
}

static void nesting(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "acyclic ");
    repeat(&text, "(", 200);
    text_add(&text, "po");
    repeat(&text, ")", 200);
    check_limit(text_string(&text), "text.cat:1:58: expected at most 100 levels of nesting");
    text_clear(&text);
    text_add(&text, "acyclic ");
    repeat(&text, "~", 200);
    text_add(&text, "po");
    check_limit(text_string(&text), "text.cat:1:107: expected at most 100 levels of nesting");
    text_release(&text);
}

/* Each function calls the one before it three times. */
static void expansion(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "let f0(x) = x; x\n");
    for (unsigned i = 1; i < 40; i++)
        text_add(&text, "let f%u(x) = f%u(f%u(x)); f%u(x)\n", i, i - 1, i - 1, i - 1);
    text_add(&text, "acyclic f39(po)");
    struct cat *cat;
    struct error error = {0};
    assert_int_equal(parse(text_string(&text), &cat, &error), STATUS_LIMIT);
    text_release(&text);
}

/* Each procedure calls the one before it ten times. */
static void calls(void **state)
{
    struct text text = {0};
    struct cat *cat;
    struct error error = {0};
    (void)state;
    text_add(&text, "procedure p0(r) = let a = r end\n");
    for (unsigned i = 1; i < 40; i++) {
        text_add(&text, "procedure p%u(r) =\n", i);
        for (unsigned k = 0; k < 10; k++)
            text_add(&text, "call p%u(r)\n", i - 1);
        text_add(&text, "end\n");
    }
    text_add(&text, "call p39(po)");
    assert_int_equal(parse(text_string(&text), &cat, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "expected calls of procedures of at most 1048576 bytes in all"));
    text_release(&text);
}

/* So many that each calls the one before it. */
static void nested_statements(void **state)
{
    struct text text = {0};
    (void)state;
    repeat(&text, "if \"a\"\n", 200);
    check_limit(text_string(&text), "text.cat:100:4: expected at most 100 levels of nesting");
    text_clear(&text);
    text_add(&text, "let a = ");
    repeat(&text, "let b = po in ", 200);
    check_limit(text_string(&text), "text.cat:1:1375: expected at most 100 levels of nesting");
    text_clear(&text);
    text_add(&text, "procedure p0(r) = let a = r end\n");
    for (unsigned i = 1; i < 200; i++)
        text_add(&text, "procedure p%u(r) = call p%u(r) end\n", i, i - 1);
    text_add(&text, "call p199(po)");
    check_limit(text_string(&text), "text.cat:152:31: expected at most 100 levels of nesting");
    text_release(&text);
}

static void operations(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "let a0 = po\n");
    for (unsigned i = 1; i < 3000; i++)
        text_add(&text, "let a%u = po; (rf; a%u)\n", i, i - 1);
    check_limit(text_string(&text),
                "text.cat:1014:22: expected a model of at most 2048 operations with its functions expanded");
    text_clear(&text);
    repeat(&text, "acyclic po as a\n", 200);
    check_limit(text_string(&text), "text.cat:129:1: expected at most 128 checks");
    text_clear(&text);
    repeat(&text, "flag acyclic po as a\n", 40);
    check_limit(text_string(&text), "text.cat:33:1: expected at most 32 flags");
    text_release(&text);
}

static void file_size(void **state)
{
    struct text text = {0};
    (void)state;
    repeat(&text, "    \n", CAT_MAXIMUM_FILE / 4);
    check_limit(text_string(&text), "text.cat: expected at most 262144 bytes");
    text_release(&text);
}

static void names_of_models(void **state)
{
    struct model *model;
    struct error error = {0};
    (void)state;
    for (size_t i = 0; model_names[i]; i++) {
        model = loaded(model_names[i]);
        model_release(model);
    }
    assert_int_equal(model_load("moon", &model, &error), STATUS_USAGE);
    assert_string_equal(
        error.text,
        "unknown model 'moon': expected one of sc, tso, ptx, ptx-6.0, ptx-strengthened, ptx-x86, ptx-aarch64, "
        "opencl, opencl-3.1, opencl-scoped, rc11, rc11-scoped, hsa, vulkan, vulkan-nochains, or a file whose name ends in .cat");
    assert_int_equal(model_load("no/such/file.cat", &model, &error), STATUS_UNREADABLE);
    assert_string_equal(error.text, "no/such/file.cat: cannot be read: No such file or directory");
    assert_string_equal(model_default(LITMUS_PTX), "ptx");
    assert_string_equal(model_default(LITMUS_OPENCL), "opencl");
    assert_string_equal(model_default(LITMUS_CUDA), "ptx"); /* of the emitted code */
    assert_string_equal(model_default(LITMUS_C), "rc11");
}

static void write_text(const char *path, const char *text)
{
    struct error error = {0};
    if (file_write_whole(path, text, strlen(text), &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void hash_of(const char *name, char hash[HASH_HEX_SIZE])
{
    struct model *model;
    struct error error = {0};
    if (model_load(name, &model, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    (void)snprintf(hash, HASH_HEX_SIZE, "%s", model_hash(model));
    assert_int_equal(strlen(hash), HASH_HEX_SIZE - 1);
    model_release(model);
}

/* A model's hash covers its text and all that it includes, in order, and nothing else. */
static void hashes(void **state)
{
    char name[PATH_SIZE], model[PATH_SIZE + 16], part[PATH_SIZE + 16], first[HASH_HEX_SIZE], second[HASH_HEX_SIZE];
    struct error error = {0};
    (void)state;
    assert_int_equal(temporary_folder_make("hash", name, sizeof name, &error), STATUS_OK);
    (void)snprintf(model, sizeof model, "%s/own.cat", name);
    (void)snprintf(part, sizeof part, "%s/part.cat", name);
    write_text(model, "\"own\"\ninclude \"part.cat\"\nacyclic order as Order\n");
    write_text(part, "let order = po | rf\n");
    hash_of(model, first);
    hash_of(model, second);
    assert_string_equal(first, second);
    write_text(part, "let order = po | co\n");
    hash_of(model, second);
    assert_string_not_equal(first, second);
    write_text(part, "let order = po | rf\n");
    hash_of(model, second);
    assert_string_equal(first, second);
    write_text(model, "\"own\"\ninclude \"part.cat\"\nacyclic order as Other\n");
    hash_of(model, second);
    assert_string_not_equal(first, second);
    hash_of("opencl", first); /* they differ in their own text, and share what they include */
    hash_of("opencl-3.1", second);
    assert_string_not_equal(first, second);
    temporary_folder_remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_texts),
        cmocka_unit_test(accepted_text),
        cmocka_unit_test(text_with_nul),
        cmocka_unit_test(meaning_of_operators),
        cmocka_unit_test(meaning_of_statements),
        cmocka_unit_test(nesting),
        cmocka_unit_test(expansion),
        cmocka_unit_test(operations),
        cmocka_unit_test(calls),
        cmocka_unit_test(nested_statements),
        cmocka_unit_test(file_size),
        cmocka_unit_test(names_of_models),
        cmocka_unit_test(hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
