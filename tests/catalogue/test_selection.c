// SPDX-License-Identifier: Apache-2.0
/* Protects the meaning of a command line: which tests a word selects, in which order, each once; and that a word that
 * selects nothing gives a helpful error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/temporary_folder.h"
#include "base/terminal/resemblance.h"
#include "base/whole_file.h"
#include "catalogue/catalogue.h"
#include "catalogue/selection.h"
#include "tests/corpus.h"

/* ---- a catalogue in place of the real one ---- */

#define OPENCL_TEST(path, head, value)                                                                                 \
    {                                                                                                                  \
        path,                                                                                                          \
            head "\n{ x=0; }\nP0@wg 0, dev 0 (atomic_int* x) { int r0 = atomic_load(x); }\nexists (0:r0=" value ")\n", \
            sizeof head "\n{ x=0; }\nP0@wg 0, dev 0 (atomic_int* x) { int r0 = atomic_load(x); }\nexists (0:r0=" value \
                        ")\n" -                                                                                        \
                1                                                                                                      \
    }
#define PTX_TEST(path, head)                                                                                           \
    {                                                                                                                  \
        path, head "\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (0:r0=0)\n",                      \
            sizeof head "\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (0:r0=0)\n" - 1              \
    }
#define INDEX(path, text)                                                                                              \
    {                                                                                                                  \
        path, text, sizeof text - 1                                                                                    \
    }

const struct catalogue_file catalogue_files[] = {
    INDEX("@broken", "MP/none.litmus\n"),
    INDEX("@quick", "SB/sb.litmus\nMP/\n"),
    INDEX("MP/@fences", "fences.litmus\n"),
    OPENCL_TEST("MP/fences.litmus", "OPENCL MP+fences", "0"),
    OPENCL_TEST("MP/relaxed.litmus", "(* a comment (* in one *) *)\n// and another\nOPENCL MP+relaxed", "0"),
    PTX_TEST("MP/relaxed.ptx.litmus", "PTX MP+relaxed"),
    OPENCL_TEST("R/r10.litmus", "OPENCL R10+[a]", "0"),
    OPENCL_TEST("R/r9.litmus", "OPENCL R9+[a]", "0"),
    OPENCL_TEST("SB/sb.litmus", "/* C */ OPENCL   SB+relaxed  ", "0"),
    OPENCL_TEST("T/t.litmus", "OPENCL T", "0"),
    OPENCL_TEST("T/u.litmus", "OPENCL U", "0"),
    OPENCL_TEST("V/opencl/v.litmus", "OPENCL V+$kind\nvary (kind, value) = (one, 1), (two, 2), (three, 3)", "$value"),
    OPENCL_TEST("W/bad.litmus", "OPENCL WWW", ")"),
    OPENCL_TEST("W/good.litmus", "OPENCL WW", "0"),
    {0},
};
const size_t catalogue_file_count = sizeof catalogue_files / sizeof *catalogue_files - 1;

/* ---- helpers ---- */

enum { MAXIMUM_WORDS = 8 };

/* Splits at blanks. */
static size_t split(char *line, char **words)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        assert_true(count < MAXIMUM_WORDS);
        words[count++] = word;
    }
    return count;
}

static enum status make(const char *line, struct selection *selection, struct error *error)
{
    char *words[MAXIMUM_WORDS], *copy = strdup(line);
    assert_non_null(copy);
    const size_t count = split(copy, words);
    const enum status status = selection_make(words, count, model_judge, selection, error);
    free(copy);
    return status;
}

static void expect_tests(const struct selection *selection, const char *expected)
{
    struct text found = {0};
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        text_add(&found, "%s%s%s", i > 0 ? " " : "", test->dialect == LITMUS_PTX ? "ptx:" : "", test->name);
    }
    assert_string_equal(text_string(&found), expected);
    text_release(&found);
}

static void expect(const char *line, const char *expected)
{
    struct selection selection;
    struct error error = {0};
    if (make(line, &selection, &error) != STATUS_OK)
        fail_msg("%s: %s", line, error.text);
    expect_tests(&selection, expected);
    selection_release(&selection);
}

static void expect_error(const char *line, enum status status, const char *text)
{
    struct selection selection;
    struct error error = {0};
    assert_int_equal(make(line, &selection, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.text, text);
    assert_int_equal(selection.count, 0);
    assert_null(selection.tests);
}

/* The tests of `line`, and the messages about files that cannot be read: each starts with one of `starts`, in order. */
static void expect_unread(const char *line, const char *expected, size_t count, const char *const *starts)
{
    struct selection selection;
    struct error error = {0};
    if (make(line, &selection, &error) != STATUS_OK)
        fail_msg("%s: %s", line, error.text);
    expect_tests(&selection, expected);
    assert_int_equal(selection.unread_count, count);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(strstr(selection.unread[i], starts[i]), selection.unread[i]);
    selection_release(&selection);
}

/* ---- names ---- */

static void a_name_selects_every_dialect_unless_it_names_one(void **state)
{
    (void)state;
    expect("MP+relaxed", "MP+relaxed ptx:MP+relaxed");
    expect("ptx:MP+relaxed", "ptx:MP+relaxed");
    expect("PTX:MP*", "ptx:MP+relaxed");
    expect("opencl:MP+relaxed", "MP+relaxed");
}

static void a_glob_selects_in_the_order_of_names(void **state)
{
    (void)state;
    expect("*", "MP+fences MP+relaxed ptx:MP+relaxed R9+[a] R10+[a] SB+relaxed T U V+one V+three V+two WW");
    expect("?B*", "SB+relaxed");
    expect("R*", "R9+[a] R10+[a]");
    expect("[MS]*relaxed", "MP+relaxed ptx:MP+relaxed SB+relaxed");
}

static void a_name_that_looks_like_a_glob_is_a_name_first(void **state)
{
    (void)state;
    expect("R9+[a]", "R9+[a]");
}

static void arguments_keep_their_order_and_each_test_comes_once(void **state)
{
    (void)state;
    expect("SB+relaxed opencl:MP* SB* MP+relaxed", "SB+relaxed MP+fences MP+relaxed ptx:MP+relaxed");
}

static void an_unknown_name_is_an_error_with_close_ones(void **state)
{
    (void)state;
    expect_error("SB+relaxed MP+relxed", STATUS_USAGE,
                 "no test or family of the catalogue is called 'MP+relxed' (did you mean MP+relaxed or SB+relaxed?); "
                 "'orchil list --search WORD' searches");
    expect_error("ptx:fences", STATUS_USAGE,
                 "no test or family of the catalogue in PTX is called 'fences'; 'orchil list --search WORD' searches");
    expect_error(
        "*FENCES", STATUS_USAGE,
        "no test of the catalogue matches '*FENCES' (did you mean MP+fences?); 'orchil list --search WORD' searches");
    expect_error(
        "opncl:MP+relaxed", STATUS_USAGE,
        "no test or family of the catalogue is called 'opncl:MP+relaxed' (did you mean MP+relaxed or SB+relaxed?); "
        "'orchil list --search WORD' searches");
    expect_error(
        "@quik", STATUS_UNREADABLE,
        "no suite of the catalogue and no file is called '@quik' (did you mean @quick?); the suites are @broken @quick MP/@fences");
    expect_error("@unlike", STATUS_UNREADABLE,
                 "no suite of the catalogue and no file is called '@unlike'; the suites are @broken @quick MP/@fences");
    expect_error(
        "cude:MP+relaxed", STATUS_USAGE,
        "no test or family of the catalogue is called 'cude:MP+relaxed' (did you mean MP+relaxed or SB+relaxed?); 'orchil list --search WORD' searches");
}

/* The tests of `line`, and the notes about words with two meanings: each a part of a note, in order. */
static void expect_notes(const char *line, const char *expected, size_t count, const char *const *notes)
{
    struct selection selection;
    struct error error = {0};
    if (make(line, &selection, &error) != STATUS_OK)
        fail_msg("%s: %s", line, error.text);
    expect_tests(&selection, expected);
    assert_int_equal(selection.note_count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(selection.notes[i], notes[i]);
    selection_release(&selection);
}

/* From tests-litmus/aliases.txt, which every catalogue has: here MP+relaxed has a file, and MP+fencear needs none. */
static void an_alias_is_the_test_that_it_names(void **state)
{
    (void)state;
    expect_notes("ptx:MP-L2-L2+unfenced", "ptx:MP+relaxed", 1,
                 (const char *const[]){"'MP-L2-L2+unfenced' is an alias of the PTX test MP+relaxed"});
    expect_notes("MP-L2-L2+fencear", "ptx:MP+fencear", 1,
                 (const char *const[]){"'MP-L2-L2+fencear' is an alias of the PTX test MP+fencear"});
    expect_error("opencl:MP-L2-L2+unfenced", STATUS_USAGE,
                 "no test or family of the catalogue in OPENCL is called 'MP-L2-L2+unfenced'; "
                 "'orchil list --search WORD' searches");
}

static void a_family_needs_no_slash(void **state)
{
    (void)state;
    expect_notes("MP", "MP+fences MP+relaxed ptx:MP+relaxed", 0, NULL);
    expect_notes("ptx:MP PTX:MP/ V", "ptx:MP+relaxed V+one V+three V+two", 0, NULL);
    expect_notes("./@families", "MP+fences MP+relaxed ptx:MP+relaxed", 0, NULL);
    expect_unread("W", "WW", 1, (const char *const[]){"W/bad.litmus:4:"});
    expect_error("ptx:V", STATUS_USAGE,
                 "no test or family of the catalogue in PTX is called 'V'; 'orchil list --search WORD' searches");
    expect_error("mp", STATUS_USAGE,
                 "no test or family of the catalogue is called 'mp' (did you mean MP, MP+fences or MP+relaxed?); "
                 "'orchil list --search WORD' searches");
}

static void a_folder_needs_no_slash(void **state)
{
    (void)state;
    expect_notes("folder", "A B+9 B+10", 0, NULL);
    expect_notes("folder/@here", "A", 0, NULL); /* relative to the index */
    expect_error("empty", STATUS_USAGE, "empty: no .litmus file below this folder");
}

/* The first of: a test, a family, a folder. */
static void a_word_with_two_meanings_is_noted(void **state)
{
    (void)state;
    expect_notes("T", "T", 1, (const char *const[]){"'T' means the test of that name; for the family, write T/"});
    expect_notes("T/", "T U", 0, NULL);
    expect_notes(
        "R", "R9+[a] R10+[a]", 1,
        (const char *const[]){"'R' means the family of the catalogue; for the folder of that name here, write ./R"});
    expect_notes("./R", "OWN", 0, NULL);
    expect_notes(
        "U", "U", 1,
        (const char *const[]){"'U' means the test of the catalogue; for the folder of that name here, write ./U"});
}

static void no_word_is_an_error(void **state)
{
    (void)state;
    expect_error("", STATUS_USAGE, "no test was named; expected names, globs, .litmus files, folders or @indices");
}

/* ---- paths ---- */

static void a_path_selects_a_file_and_a_folder_all_below_it(void **state)
{
    (void)state;
    expect("same.litmus", "MP+relaxed");
    expect("./folder", "A B+9 B+10");
    expect("folder/", "A B+9 B+10");
    expect("folder/deep/third.litmus folder/first.litmus", "A B+10");
}

static void equal_tests_are_one_and_others_of_the_same_name_are_not(void **state)
{
    (void)state;
    expect("opencl:MP+relaxed same.litmus", "MP+relaxed");
    expect("opencl:MP+relaxed other.litmus", "MP+relaxed MP+relaxed");
}

static void a_file_that_cannot_be_read_or_parsed_is_an_error_if_it_is_the_only_argument(void **state)
{
    struct selection selection;
    struct error error;
    (void)state;
    assert_int_equal(make("none.litmus", &selection, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "none.litmus"));
    assert_int_equal(make("broken.litmus", &selection, &error), STATUS_SYNTAX);
    assert_ptr_equal(strstr(error.text, "broken.litmus:"), error.text);
    assert_null(selection.tests);
    expect_error("./empty", STATUS_USAGE, "./empty: no .litmus file below this folder");
}

/* ---- files that cannot be read, among others ---- */

static void an_unread_file_of_a_folder_costs_only_itself(void **state)
{
    static const char *const starts[] = {
        "mixed/a-broken.litmus:3:", "mixed/deep/deeper/c-head.litmus:1:", "mixed/z-lost.litmus: "};
    (void)state;
    expect_unread("mixed/", "GOOD1 GOOD2", 3, starts);
    expect_unread(
        "./mixed mixed/deep SB* mixed/", "GOOD1 GOOD2 SB+relaxed", 6,
        (const char *const[]){"./mixed/a-", "./mixed/deep/", "./mixed/z-", "mixed/deep/", "mixed/a-", "mixed/z-"});
}

static void an_unread_file_among_others_costs_only_itself(void **state)
{
    static const char *const starts[] = {"none.litmus: ", "broken.litmus:"};
    struct selection selection;
    struct error error;
    (void)state;
    expect_unread("SB+relaxed none.litmus broken.litmus", "SB+relaxed", 2, starts);
    assert_int_equal(make("SB+relaxed NoSuchTest", &selection, &error), STATUS_USAGE);
    assert_int_equal(make("SB+relaxed @none", &selection, &error), STATUS_UNREADABLE);
}

static void an_unread_file_of_an_index_costs_only_itself(void **state)
{
    static const char *const starts[] = {"./@missing:2:1: ./folder/none.litmus: cannot be read: "};
    static const char *const mixed[] = {
        "mixed/a-broken.litmus:3:", "mixed/deep/deeper/c-head.litmus:1:", "mixed/z-lost.litmus: "};
    (void)state;
    expect_unread("./@missing", "B+9", 1, starts);
    expect_unread("@mixed", "GOOD1 GOOD2 MP+relaxed ptx:MP+relaxed", 3, mixed);
}

static void an_unread_file_of_a_glob_or_the_catalogue_costs_only_itself(void **state)
{
    static const char *const starts[] = {"W/bad.litmus:4:"};
    struct selection selection;
    struct error error;
    (void)state;
    expect_unread("WW*", "WW", 1, starts);
    expect_unread("W/ SB/", "WW SB+relaxed", 1, starts);
    assert_int_equal(make("WWW", &selection, &error), STATUS_SYNTAX);
    assert_int_equal(make("W/bad.litmus", &selection, &error), STATUS_SYNTAX);
    assert_int_equal(selection_all(&selection, &error), STATUS_OK);
    assert_int_equal(selection.unread_count, 1);
    selection_release(&selection);
}

static void an_unread_instance_costs_only_itself(void **state)
{
    static const char *const starts[] = {"instances/I.litmus:5:"};
    struct selection selection;
    struct error error;
    (void)state;
    expect_unread("instances/", "I+four I+one", 1, starts);
    assert_int_equal(make("instances/I.litmus", &selection, &error), STATUS_SYNTAX);
    assert_int_equal(selection.unread_count, 0);
}

static void unread_files_alone_are_an_error(void **state)
{
    struct selection selection;
    struct error error;
    (void)state;
    assert_int_equal(make("mixed/deep/deeper", &selection, &error), STATUS_USAGE);
    assert_string_equal(error.text, "no test is left: the only file cannot be read");
    assert_int_equal(selection.count, 0);
    assert_int_equal(selection.unread_count, 1);
    selection_release(&selection);
    assert_int_equal(selection.unread_count, 0);
}

/* ---- limits ---- */

/* A file of the working directory. */
static void write_file(const char *path, const char *text)
{
    struct error error;
    assert_int_equal(file_write_whole(path, text, strlen(text), &error), STATUS_OK);
}

/* Makes a folder and works in it until leave. */
static char *enter(char folder[256])
{
    struct error error;
    char *here = getcwd(NULL, 0);
    assert_non_null(here);
    assert_int_equal(temporary_folder_make("selection", folder, 256, &error), STATUS_OK);
    assert_int_equal(chdir(folder), 0);
    return here;
}

static void leave(char *here, char *folder)
{
    assert_int_equal(chdir(here), 0);
    temporary_folder_remove(folder);
    free(here);
}

static void an_index_that_names_itself_is_named(void **state)
{
    char folder[256], *here = enter(folder);
    (void)state;
    write_file("@a", "SB+relaxed\n@b\n");
    write_file("@b", "@c\n");
    write_file("@c", "\n@a\n");
    write_file("@self", "./@self\n");
    assert_int_equal(file_write_whole("@nul", "SB*\n\0MP*\n", 9, NULL), STATUS_OK);
    expect_error("./@nul", STATUS_SYNTAX, "./@nul:1:1: expected text, found NUL bytes");
    assert_int_equal(symlink("@self", "@link"), 0);
    expect_error("./@a", STATUS_SYNTAX,
                 "./@c:2:1: the index names itself: ./@a names ./@b, which names ./@c, which names ./@a");
    expect_error("./@link", STATUS_SYNTAX, "./@link:1:1: the index names itself: ./@link names ././@self");
    leave(here, folder);
}

/* 8 indices that each name the next 8 times would be 2 million readings of the last. */
static void indices_that_name_each_other_often_are_read_once(void **state)
{
    char folder[256], *here = enter(folder), name[3] = "@a";
    (void)state;
    for (char last = 'a'; last < 'h'; last++) {
        struct text text = {0};
        for (int i = 0; i < 8; i++)
            text_add(&text, "@%c\n", last + 1);
        name[1] = last;
        write_file(name, text_string(&text));
        text_release(&text);
    }
    write_file("@h", "MP+fences\nSB*\n");
    const double started = clock_seconds();
    expect("./@a", "MP+fences SB+relaxed");
    assert_true(clock_seconds() - started < 60); /* which is hours without a bound */
    expect("./@h ./@g @quick", "MP+fences SB+relaxed MP+relaxed ptx:MP+relaxed");
    leave(here, folder);
}

/* `word` on `lines` lines of an index is refused with `why`. */
static void expect_too_much(const char *word, int lines, const char *why)
{
    struct text text = {0};
    struct selection selection;
    struct error error;
    for (int i = 0; i < lines; i++)
        text_add(&text, "%s\n", word);
    write_file("@many", text_string(&text));
    assert_int_equal(make("./@many", &selection, &error), STATUS_SYNTAX);
    if (!strstr(error.text, why))
        fail_msg("%s", error.text);
    selection_release(&selection);
    text_release(&text);
}

static void what_is_named_and_read_is_bounded(void **state)
{
    enum { MEBIBYTE = 1024 * 1024 };
    char folder[256], *here = enter(folder);
    struct text comment = {0};
    (void)state;
    write_file("@h", "SB+relaxed\n");
    expect_too_much("@h", 250000,
                    "@many:249998:1: more than 250000 tests are named, counting those named more than once");
    text_add(&comment, "OPENCL T\n(*%*s*)\n", MEBIBYTE - 32, "");
    write_file("large.litmus", text_string(&comment));
    expect_too_much("large.litmus", 300, ":1: the tests' files are larger than 256 MiB");
    text_release(&comment);
    leave(here, folder);
}

/* 2^30 paths lead through these links, and one folder's own leads back to it. */
static void links_between_folders_are_followed_once(void **state)
{
    enum { FOLDERS = 30 };
    char folder[256], *here = enter(folder), path[64], target[32];
    (void)state;
    for (int i = 0; i <= FOLDERS; i++) {
        (void)snprintf(path, sizeof path, "d%d", i);
        assert_int_equal(mkdir(path, 0700), 0);
        (void)snprintf(target, sizeof target, "../d%d", i + 1);
        (void)snprintf(path, sizeof path, "d%d/left", i);
        assert_int_equal(i < FOLDERS ? symlink(target, path) : symlink(".", path), 0);
        (void)snprintf(path, sizeof path, "d%d/right", i);
        assert_int_equal(i < FOLDERS ? symlink(target, path) : symlink("../d0", path), 0);
    }
    write_file("d30/t.litmus", "OPENCL T\n{ x=0; }\nP0@wg 0, dev 0 (atomic_int* x) { int r0 = atomic_load(x); }\n"
                               "exists (0:r0=0)\n");
    expect("./d0", "T");
    leave(here, folder);
}

static void what_is_called_a_test_and_is_no_file_is_listed_and_not_waited_for(void **state)
{
    static const char *const starts[] = {"./pipe.litmus: cannot be read: it is not a regular file",
                                         "./zero.litmus: cannot be read: it is not a regular file"};
    char folder[256], *here = enter(folder);
    (void)state;
    write_file("a.litmus", "OPENCL T\n{ x=0; }\nP0@wg 0, dev 0 (atomic_int* x) { int r0 = atomic_load(x); }\n"
                           "exists (0:r0=0)\n");
    assert_int_equal(mkfifo("pipe.litmus", 0600) | mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("/dev/zero", "zero.litmus"), 0);
    write_file("@index", "pipe.litmus\na.litmus\n");
    expect_unread("./", "T", 2, starts);
    expect_unread("./@index", "T", 1, (const char *const[]){"./@index:1:1: ./pipe.litmus: cannot be read: it is not"});
    leave(here, folder);
}

/* ---- indices ---- */

static void an_index_keeps_its_order_and_its_paths_are_relative_to_it(void **state)
{
    char *here = getcwd(NULL, 0);
    (void)state;
    expect("@index", "B+9 A SB+relaxed B+10 ptx:MP+relaxed");
    expect("folder/../@index", "B+9 A SB+relaxed B+10 ptx:MP+relaxed");
    assert_non_null(here);
    assert_int_equal(chdir("/"), 0);
    struct text path = {0};
    text_add(&path, "%s/@nested", here);
    expect(text_string(&path), "B+10 ptx:MP+relaxed");
    text_release(&path);
    assert_int_equal(chdir(here), 0);
    free(here);
}

static void an_index_of_the_catalogue_lists_its_files(void **state)
{
    (void)state;
    expect("@quick", "SB+relaxed MP+fences MP+relaxed ptx:MP+relaxed");
    expect_error("@broken", STATUS_SYNTAX, "@broken:1:1: the catalogue has no test at MP/none.litmus");
}

static void a_fault_in_an_index_names_its_line(void **state)
{
    (void)state;
    expect_error(
        "./@wrong", STATUS_SYNTAX,
        "./@wrong:3:1: no test or family of the catalogue is called 'MP+relxed' (did you mean MP+relaxed or SB+relaxed?); "
        "'orchil list --search WORD' searches");
    expect_error("@loop", STATUS_SYNTAX, "@loop:1:1: the index names itself: @loop names @loop");
    expect_error("@none", STATUS_UNREADABLE,
                 "no suite of the catalogue and no file is called '@none'; the suites are @broken @quick MP/@fences");
    expect_error("@empty", STATUS_USAGE, "@empty: the index names no test");
}

/* ---- templates ---- */

static void a_template_of_the_catalogue_has_the_names_of_its_instances(void **state)
{
    (void)state;
    expect("V+two", "V+two");
    expect("opencl:V*", "V+one V+three V+two");
    expect("V/opencl/v.litmus", "V+one V+three V+two");
    expect("V/", "V+one V+three V+two");
    expect_error("V+tow", STATUS_USAGE,
                 "no test or family of the catalogue is called 'V+tow' (did you mean V+two?); "
                 "'orchil list --search WORD' searches");
    expect("V", "V+one V+three V+two");
}

static void a_file_with_axes_stands_for_its_instances(void **state)
{
    struct selection selection;
    struct error error = {0};
    (void)state;
    assert_int_equal(make("templates/family.litmus ./templates", &selection, &error), STATUS_OK);
    expect_tests(&selection, "T+relaxed T+seq_cst");
    assert_string_equal(selection.tests[0].file, "templates/family.litmus");
    assert_string_equal(selection.tests[0].template, "T+$order");
    selection_release(&selection);
    assert_int_equal(make("same.litmus", &selection, &error), STATUS_OK);
    assert_null(selection.tests[0].template);
    selection_release(&selection);
}

static void many_tests_of_one_name_are_told_apart_by_content(void **state)
{
    (void)state;
    expect("opencl:* ./templates templates/family.litmus V* R* V+one",
           "MP+fences MP+relaxed R9+[a] R10+[a] SB+relaxed T U V+one V+three V+two WW T+relaxed T+seq_cst");
}

/* ---- variants ---- */

static void a_name_with_a_dialect_needs_no_file(void **state)
{
    struct selection selection;
    struct error error = {0};
    (void)state;
    assert_int_equal(make("ptx:SB+relaxed+sys", &selection, &error), STATUS_OK);
    expect_tests(&selection, "ptx:SB+relaxed+sys");
    assert_string_equal(selection.tests[0].file, "generated/SB/ptx/SB+relaxed+sys.litmus");
    assert_string_equal(litmus_metadata(selection.tests[0].test, "Expect"), "allowed");
    assert_string_equal(litmus_metadata(selection.tests[0].test, "Control"), "SB+fencesc+sys");
    selection_release(&selection);
    expect("opencl:MP+relaxed", "MP+relaxed"); /* the file's, which is not that test */
    expect_error(
        "SB+relaxed+sys", STATUS_USAGE,
        "no test or family of the catalogue is called 'SB+relaxed+sys' (did you mean SB+relaxed?); to generate it, write "
        "its dialect first: ptx:SB+relaxed+sys or cuda:SB+relaxed+sys; 'orchil list --search WORD' searches");
    expect_error("ptx:SB+*+sys", STATUS_USAGE,
                 "no test of the catalogue in PTX matches 'SB+*+sys'; 'orchil list --search WORD' searches");
}

static void a_control_needs_no_file(void **state)
{
    struct selection selection;
    struct selected_test found;
    struct error error = {0};
    (void)state;
    assert_int_equal(make("SB*", &selection, &error), STATUS_OK);
    assert_int_equal(selection_find(&selection, "SB+fencesc+sys", LITMUS_PTX, &found, &error), STATUS_OK);
    assert_string_equal(found.test->name, "SB+fencesc+sys");
    assert_string_equal(found.file, "generated/SB/ptx/SB+fencesc+sys.litmus");
    assert_null(litmus_metadata(found.test, "Expect")); /* nobody asks */
    selected_test_release(&found);
    assert_int_equal(selection_find(&selection, "SB+fencesc+sys", LITMUS_OPENCL, &found, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "it cannot be generated either: "));
    selection_release(&selection);
}

static void an_index_generates(void **state)
{
    struct selection selection;
    struct error error = {0};
    (void)state;
    expect("templates/@generated", "ptx:MP+relaxed ptx:MP+ra ptx:SB+fencesc+sys");
    assert_int_equal(make("templates/@generated", &selection, &error), STATUS_OK);
    assert_string_equal(litmus_metadata(selection.tests[0].test, "Control"), "MP+rel+acq");
    assert_string_equal(litmus_metadata(selection.tests[1].test, "Expect"), "forbidden");
    assert_non_null(litmus_metadata(selection.tests[1].test, "Mutants"));
    selection_release(&selection);
    assert_int_equal(make("templates/@generated-family", &selection, &error), STATUS_SYNTAX);
    assert_ptr_equal(strstr(error.text, "templates/@generated-family:2:1: "), error.text);
    assert_non_null(strstr(error.text, "'NONE'"));
    assert_int_equal(make("templates/@generated-option", &selection, &error), STATUS_SYNTAX);
    assert_ptr_equal(strstr(error.text, "templates/@generated-option:1:1: "), error.text);
    assert_int_equal(make("templates/@generated-nothing", &selection, &error), STATUS_SYNTAX);
    assert_ptr_equal(strstr(error.text, "templates/@generated-nothing:1:1: "), error.text);
}

/* ---- suites ---- */

static void expect_suite(const char *line, double budget, double confidence)
{
    struct selection selection;
    struct error error = {0};
    if (make(line, &selection, &error) != STATUS_OK)
        fail_msg("%s: %s", line, error.text);
    assert_true(selection.budget == budget);
    assert_true(selection.confidence == confidence);
    selection_release(&selection);
}

static void a_suite_says_its_budget_and_confidence(void **state)
{
    (void)state;
    expect_suite("SB*", 0, 0);
    expect_suite("@index", 0, 0);
    expect_suite("templates/@second", 30, 0.9);
    expect_suite("templates/@suite", 120, 0.95); /* settings of the nested suite do not count */
    expect_suite("templates/@suite SB* templates/@second", 150, 0.95);
}

static void a_setting_that_is_wrong_names_its_line(void **state)
{
    (void)state;
    expect_error("templates/@unknown", STATUS_SYNTAX,
                 "templates/@unknown:2:1: expected the setting budget or confidence or score, found 'speed'");
    expect_error(
        "templates/@bad-budget", STATUS_SYNTAX,
        "templates/@bad-budget:2:1: budget: expected a positive number of seconds, such as 90, 2m or 1h, found '2 "
        "minutes'");
    expect_error(
        "templates/@bad-confidence", STATUS_SYNTAX,
        "templates/@bad-confidence:2:1: confidence: expected a number between 0 and 1 (exclusive), such as 0.95, "
        "found '1'");
    expect_error("templates/@twice", STATUS_SYNTAX,
                 "templates/@twice:3:1: expected one line for budget, found a second one");
    expect_error("templates/@settings-only", STATUS_USAGE, "templates/@settings-only: the index names no test");
}

/* ---- the rest of the door ---- */

static void the_whole_catalogue_holds_every_test_once(void **state)
{
    struct selection selection;
    struct error error = {0};
    (void)state;
    assert_int_equal(selection_all(&selection, &error), STATUS_OK);
    expect_tests(&selection,
                 "MP+fences MP+relaxed ptx:MP+relaxed R9+[a] R10+[a] SB+relaxed T U V+one V+three V+two WW");
    assert_string_equal(selection.tests[0].file, "MP/fences.litmus");
    selection_release(&selection);
}

static void a_control_is_found_by_name_and_dialect(void **state)
{
    struct selection selection;
    struct selected_test found;
    struct error error = {0};
    (void)state;
    assert_int_equal(make("SB*", &selection, &error), STATUS_OK);
    assert_int_equal(selection_find(&selection, "MP+relaxed", LITMUS_PTX, &found, &error), STATUS_OK);
    assert_int_equal(found.test->dialect, LITMUS_PTX);
    assert_string_equal(found.file, "MP/relaxed.ptx.litmus");
    selected_test_release(&found);
    assert_int_equal(selection_find(&selection, "MP+fences", LITMUS_PTX, &found, &error), STATUS_USAGE);
    assert_null(found.test);
    /* a name, never a glob */
    assert_int_equal(selection_find(&selection, "MP*", LITMUS_PTX, &found, &error), STATUS_USAGE);
    selection_release(&selection);
}

static void numbers_in_names_compare_by_value(void **state)
{
    static const char *const ascending[] = {"",          "2+2W",     "10",      "IRIW", "IRIW+2",
                                            "IRIW+02+a", "IRIW+2+b", "IRIW+10", "a"};
    (void)state;
    for (size_t i = 0; i + 1 < sizeof ascending / sizeof *ascending; i++) {
        assert_true(catalogue_compare_names(ascending[i], ascending[i + 1]) < 0);
        assert_true(catalogue_compare_names(ascending[i + 1], ascending[i]) > 0);
        assert_int_equal(catalogue_compare_names(ascending[i], ascending[i]), 0);
    }
    assert_int_not_equal(catalogue_compare_names("a01", "a1"), 0); /* different names are never equal */
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(resemblance_distance("", "abc"), 3);
    assert_int_equal(resemblance_distance("abc", ""), 3);
    assert_int_equal(resemblance_distance("abc", "ABC"), 0);
    assert_int_equal(resemblance_distance("abcd", "acbd"), 1);
    assert_int_equal(resemblance_distance("relaxed", "relxed"), 1);
    assert_int_equal(resemblance_distance("kitten", "sitting"), 3);
}

/* ---- the files ---- */

static struct {
    char path[256], *left;
} files;

static int make_files(void **state)
{
    (void)state;
    files.left = enter(files.path);
    assert_true(corpus_unpack(ORCHIL_SOURCE_DIR "/tests/catalogue/selection.txt", files.path) > 30);
    assert_int_equal(symlink("nowhere.litmus", "mixed/z-lost.litmus"), 0);
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    leave(files.left, files.path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_selects_every_dialect_unless_it_names_one),
        cmocka_unit_test(a_glob_selects_in_the_order_of_names),
        cmocka_unit_test(a_name_that_looks_like_a_glob_is_a_name_first),
        cmocka_unit_test(arguments_keep_their_order_and_each_test_comes_once),
        cmocka_unit_test(an_unknown_name_is_an_error_with_close_ones),
        cmocka_unit_test(an_alias_is_the_test_that_it_names),
        cmocka_unit_test(a_family_needs_no_slash),
        cmocka_unit_test(a_folder_needs_no_slash),
        cmocka_unit_test(a_word_with_two_meanings_is_noted),
        cmocka_unit_test(no_word_is_an_error),
        cmocka_unit_test(a_path_selects_a_file_and_a_folder_all_below_it),
        cmocka_unit_test(equal_tests_are_one_and_others_of_the_same_name_are_not),
        cmocka_unit_test(a_file_that_cannot_be_read_or_parsed_is_an_error_if_it_is_the_only_argument),
        cmocka_unit_test(an_unread_file_of_a_folder_costs_only_itself),
        cmocka_unit_test(an_unread_file_among_others_costs_only_itself),
        cmocka_unit_test(an_unread_file_of_an_index_costs_only_itself),
        cmocka_unit_test(an_unread_file_of_a_glob_or_the_catalogue_costs_only_itself),
        cmocka_unit_test(an_unread_instance_costs_only_itself),
        cmocka_unit_test(unread_files_alone_are_an_error),
        cmocka_unit_test(an_index_that_names_itself_is_named),
        cmocka_unit_test(indices_that_name_each_other_often_are_read_once),
        cmocka_unit_test(what_is_named_and_read_is_bounded),
        cmocka_unit_test(links_between_folders_are_followed_once),
        cmocka_unit_test(what_is_called_a_test_and_is_no_file_is_listed_and_not_waited_for),
        cmocka_unit_test(an_index_keeps_its_order_and_its_paths_are_relative_to_it),
        cmocka_unit_test(an_index_of_the_catalogue_lists_its_files),
        cmocka_unit_test(a_fault_in_an_index_names_its_line),
        cmocka_unit_test(a_template_of_the_catalogue_has_the_names_of_its_instances),
        cmocka_unit_test(a_file_with_axes_stands_for_its_instances),
        cmocka_unit_test(many_tests_of_one_name_are_told_apart_by_content),
        cmocka_unit_test(a_name_with_a_dialect_needs_no_file),
        cmocka_unit_test(a_control_needs_no_file),
        cmocka_unit_test(an_index_generates),
        cmocka_unit_test(a_suite_says_its_budget_and_confidence),
        cmocka_unit_test(a_setting_that_is_wrong_names_its_line),
        cmocka_unit_test(the_whole_catalogue_holds_every_test_once),
        cmocka_unit_test(a_control_is_found_by_name_and_dialect),
        cmocka_unit_test(numbers_in_names_compare_by_value),
        cmocka_unit_test(distance_counts_edits),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
