// SPDX-License-Identifier: Apache-2.0
/* Protects the files of cases that other tests read (tests/corpus.h): no byte of a case is lost or changed when it is
 * read or when its expected parts are rewritten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/whole_file.h"
#include "tests/corpus.h"

#define HEAD "Odd texts.\n\n"
#define PLAIN "==== plain\none\n\ntwo\n---- expected\nthree\n"
#define ODD "==== odd\n\\x3d=== no title\na\\x00\\x1b\\x5cx41\\/\\y\nb\\\n---- expected\n---- more\nc\\x5c\n"

static void check_read(struct corpus_case *one, void *context)
{
    unsigned *seen = context;
    (*seen)++;
    if (strcmp(one->title, "plain") == 0) {
        assert_int_equal(one->line, 3);
        assert_string_equal(text_string(corpus_part(one, "")), "one\n\ntwo\n");
        assert_string_equal(text_string(corpus_part(one, "expected")), "three\n");
        assert_null(corpus_part(one, "more"));
        return;
    }
    static const char odd[] = "==== no title\na\0\x1b\\x41\\/\\y\nb";
    assert_int_equal(corpus_part(one, "")->size, sizeof odd - 1);
    assert_memory_equal(corpus_part(one, "")->data, odd, sizeof odd - 1);
    assert_int_equal(corpus_part(one, "expected")->size, 0);
    assert_string_equal(text_string(corpus_part(one, "more")), "c\\\n");
}

static void check_and_change(struct corpus_case *one, void *context)
{
    check_read(one, context);
    corpus_expect(one, "expected", "d\\");
}

static void nothing_is_lost_when_a_file_is_read_and_rewritten(void **state)
{
    static const char before[] = HEAD PLAIN "\n" ODD;
    static const char after[] = HEAD "==== plain\none\n\ntwo\n---- expected\nd\\x5c\\\n\n"
                                     "==== odd\n\\x3d=== no title\na\\x00\\x1b\\x5cx41\\/\\y\nb\\\n---- expected\n"
                                     "d\\x5c\\\n---- more\nc\\x5c\n";
    struct text found = {0};
    struct error error = {0};
    unsigned seen = 0;
    char *path = *state;
    assert_int_equal(file_write_whole(path, before, strlen(before), &error), STATUS_OK);
    assert_int_equal(corpus_each(path, check_read, &seen), 2);
    assert_int_equal(seen, 2);
    assert_int_equal(setenv("ORCHIL_UPDATE", "1", 1), 0);
    assert_int_equal(corpus_each(path, check_and_change, &seen), 2);
    assert_int_equal(unsetenv("ORCHIL_UPDATE"), 0);
    assert_int_equal(file_read_whole(path, 4096, &found, &error), STATUS_OK);
    assert_string_equal(text_string(&found), after);
    text_release(&found);
}

int main(void)
{
    char path[] = "/tmp/orchil-corpus.XXXXXX";
    void *state = path;
    const int file = mkstemp(path);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(nothing_is_lost_when_a_file_is_read_and_rewritten, state),
    };
    if (file < 0)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove(path);
    return failed;
}
