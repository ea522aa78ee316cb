// SPDX-License-Identifier: Apache-2.0
/* Protects frozen kernels: a saved kernel is read back unchanged; any fault in a file gives an error that says what to
 * do, never a kernel; and a change of the argument layout requires a new version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"
#include "kernel/frozen_kernels.h"
#include "kernel/kernel_cache.h"
#include "tests/kernel/fixture.h"

static const char test_text[] = "OPENCL MP\n{ x=0; y=0; }\n"
                                "P0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                                "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
                                "  atomic_store_explicit(y, 1, memory_order_relaxed);\n}\n"
                                "P1@wg 1, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                                "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n"
                                "  int r1 = atomic_load_explicit(x, memory_order_relaxed);\n}\n"
                                "exists (1:r0=1 /\\ 1:r1=0)\n";

struct subject {
    char folder[256];
    struct backend_device device;
    struct litmus_test *test;
    struct kernel kernel;
    struct backend_code code;
};

static void begin(struct subject *subject)
{
    struct error error;
    *subject = (struct subject){.device = fixture_device("both")};
    (void)snprintf(subject->device.driver, sizeof subject->device.driver, "1.2.3");
    assert_int_equal(temporary_folder_make("frozen", subject->folder, sizeof subject->folder, &error), STATUS_OK);
    subject->test = fixture_parse("MP", test_text);
    assert_int_equal(kernel_generate(subject->test, &subject->device, NULL, false, &subject->kernel, &error),
                     STATUS_OK);
    text_add_bytes(&subject->code.bytes, "portable\0machine", 16);
    subject->code.portable = 9;
    (void)snprintf(subject->code.compiler, sizeof subject->code.compiler, "Compiler 7");
    (void)snprintf(subject->code.options, sizeof subject->code.options, "--fast");
}

static void save(struct subject *subject)
{
    struct error error = {0};
    if (frozen_save(subject->folder, &subject->device, subject->test, &subject->kernel, &subject->code, &error) !=
        STATUS_OK)
        fail_msg("%s", error.text);
}

static enum status load(struct subject *subject, struct frozen_kernel *frozen, struct error *error)
{
    *frozen = (struct frozen_kernel){0};
    *error = (struct error){0};
    return frozen_load(subject->folder, &subject->device, subject->test, &subject->kernel, frozen, error);
}

static void end(struct subject *subject)
{
    temporary_folder_remove(subject->folder);
    backend_code_release(&subject->code);
    kernel_release(&subject->kernel);
    litmus_release(subject->test);
}

/* The path of the saved kernel's file with this suffix. */
static void find_file(const struct subject *subject, const char *suffix, char path[512])
{
    DIR *folder = opendir(subject->folder);
    assert_non_null(folder);
    path[0] = '\0';
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length > strlen(suffix) && strcmp(entry->d_name + length - strlen(suffix), suffix) == 0)
            (void)snprintf(path, 512, "%s/%s", subject->folder, entry->d_name);
    }
    assert_int_equal(closedir(folder), 0);
    assert_true(path[0] != '\0');
}

/* Replaces the first `from` in a file. */
static void change_file(const char *path, const char *from, const char *to)
{
    struct text text = {0}, changed = {0};
    struct error error;
    assert_int_equal(file_read_whole(path, 1 << 20, &text, &error), STATUS_OK);
    const char *at = strstr(text_string(&text), from);
    assert_non_null(at);
    text_add_bytes(&changed, text.data, (size_t)(at - text.data));
    text_add(&changed, "%s%s", to, at + strlen(from));
    assert_int_equal(file_write_whole(path, changed.data, changed.size, &error), STATUS_OK);
    text_release(&text);
    text_release(&changed);
}

static void test_round_trip(void **state)
{
    struct subject subject;
    struct frozen_kernel frozen;
    struct error error;
    char path[512];
    (void)state;
    begin(&subject);
    save(&subject);
    save(&subject); /* again, into the same files */
    if (load(&subject, &frozen, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(frozen.code.size, 9);
    assert_memory_equal(frozen.code.data, "portable", 9);
    assert_string_equal(text_string(&frozen.source), subject.kernel.source); /* a simulated device has no prelude */
    assert_string_equal(frozen.compiler, "Compiler 7");
    assert_string_equal(frozen.device, "fixture");
    assert_string_equal(frozen.driver, "1.2.3");
    frozen_release(&frozen);
    find_file(&subject, ".json", path);
    assert_non_null(strstr(path, "/simulated-OPENCL-MP-"));
    end(&subject);
}

/* A kernel belongs to the content of a test, not its name; and another device of the backend may try it. */
static void test_other_name_and_device(void **state)
{
    struct subject subject;
    struct frozen_kernel frozen;
    struct error error;
    (void)state;
    begin(&subject);
    save(&subject);
    char *renamed = strdup(test_text);
    assert_non_null(renamed);
    memcpy(strstr(renamed, "MP"), "QQ", 2);
    litmus_release(subject.test);
    subject.test = fixture_parse("QQ", renamed);
    free(renamed);
    assert_int_equal(load(&subject, &frozen, &error), STATUS_OK);
    frozen_release(&frozen);
    (void)snprintf(subject.device.name, sizeof subject.device.name, "another");
    assert_int_equal(load(&subject, &frozen, &error), STATUS_OK);
    assert_string_equal(frozen.device, "fixture");
    frozen_release(&frozen);
    /* If each has its own kernel, each gets its own. */
    (void)snprintf(subject.code.compiler, sizeof subject.code.compiler, "Compiler 8");
    save(&subject);
    assert_int_equal(load(&subject, &frozen, &error), STATUS_OK);
    assert_string_equal(frozen.compiler, "Compiler 8");
    frozen_release(&frozen);
    end(&subject);
}

static void test_wrong_files(void **state)
{
    static const struct {
        const char *suffix, *from, *to; /* from NULL: the file becomes `to`; to NULL: it is removed */
        const char *text;
    } cases[] = {
        {".code", "portable", "Portable", "is damaged or was changed: its SHA-256 is "},
        {".code", NULL, "port", "is damaged or was changed"},
        {".code", NULL, "", "(0 bytes); copy it again, or save it again"},
        {".code", NULL, NULL, "cannot be read: No such file or directory"},
        {".txt", "SLOTS", "SLOTH", "is damaged or was changed"},
        {".txt", NULL, NULL, "cannot be read: No such file or directory"},
        {".json", "\"version\": ", "\"version\": 9", "was saved with version 9"},
        {".json", "\"sha256\": \"", "\"sha256\": \"f", "of the argument layout, but this orchil has version "},
        {".json", "\"layout\": {", "\"layout\": {\"sha256\": \"00\", \"was\": {", ".json:"},
        {".json", "slots=2", "slots=3", "the kernel was made with lowering="},
        {".json", "\"form\": 1", "\"form\": 2", "has format 2, but this orchil reads format 1"},
        {".json", "\"form\": 1", "\"form\": \"1\"", "expected the JSON of a saved kernel"},
        {".json", "\"numbers\"", "\"Numbers\"", "is not the JSON of a saved kernel: "},
        {".json", "\"backend\": \"simulated\"", "\"backend\": \"cuda\"",
         "does not belong to the test and backend in its name"},
        {".json", "\"hash\": \"", "\"hash\": \"f", "does not belong to the test and backend in its name"},
        {".json", NULL, "{", "expected the JSON of a saved kernel"},
        {".json", NULL, "[]", "expected the JSON of a saved kernel"},
        {".json", NULL,
         "\x7f"
         "ELF",
         "expected the JSON of a saved kernel"},
        {".json", NULL, "", "expected the JSON of a saved kernel"},
        {".json", NULL, NULL, "has no kernel of MP (OPENCL, hash "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct subject subject;
        struct frozen_kernel frozen;
        struct error error;
        char path[512];
        begin(&subject);
        save(&subject);
        find_file(&subject, cases[i].suffix, path);
        if (cases[i].from)
            change_file(path, cases[i].from, cases[i].to);
        else if (cases[i].to)
            assert_int_equal(file_write_whole(path, cases[i].to, strlen(cases[i].to), &error), STATUS_OK);
        else
            assert_int_equal(unlink(path), 0);
        assert_int_equal(load(&subject, &frozen, &error), STATUS_BUILD_FAILED);
        assert_int_equal(error.status, STATUS_BUILD_FAILED);
        if (!strstr(error.text, cases[i].text))
            fail_msg("case %zu says: %s", i, error.text);
        frozen_release(&frozen);
        end(&subject);
    }
}

/* Reading must not block on a special file, and a file that is too large is not read. */
static void test_strange_files(void **state)
{
    struct subject subject;
    struct frozen_kernel frozen;
    struct error error;
    char path[512];
    (void)state;
    begin(&subject);
    save(&subject);
    find_file(&subject, ".code", path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(load(&subject, &frozen, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "it is not a regular file"));
    frozen_release(&frozen);
    assert_int_equal(unlink(path), 0);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), 40 << 20), 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(load(&subject, &frozen, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "expected a file of at most 33554432 bytes, found more"));
    frozen_release(&frozen);
    end(&subject);
}

/* A device for which the test's kernel differs. */
static void test_other_numbers(void **state)
{
    struct subject subject;
    struct frozen_kernel frozen;
    struct error error;
    (void)state;
    begin(&subject);
    save(&subject);
    subject.kernel.counter_words++;
    assert_int_equal(load(&subject, &frozen, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "save the kernel again for this device"));
    frozen_release(&frozen);
    subject.kernel.counter_words--;
    subject.kernel.domains[0].values[0]--;
    assert_int_equal(load(&subject, &frozen, &error), STATUS_BUILD_FAILED);
    frozen_release(&frozen);
    end(&subject);
}

static void test_folders(void **state)
{
    struct subject subject;
    struct error error;
    char path[512];
    (void)state;
    begin(&subject);
    (void)snprintf(path, sizeof path, "%s/new/below", subject.folder);
    assert_int_equal(frozen_open(&(struct frozen_folder){FROZEN_REPLAY, path}, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "make one with run --save-kernels"));
    assert_int_equal(frozen_open(&(struct frozen_folder){FROZEN_SAVE, path}, &error), STATUS_OK);
    assert_int_equal(frozen_open(&(struct frozen_folder){FROZEN_REPLAY, path}, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "has no saved kernels"));
    save(&subject);
    assert_int_equal(frozen_open(&(struct frozen_folder){FROZEN_REPLAY, subject.folder}, &error), STATUS_OK);
    find_file(&subject, ".code", path);
    assert_int_equal(frozen_open(&(struct frozen_folder){FROZEN_SAVE, path}, &error), STATUS_UNREADABLE);
    assert_int_equal(frozen_open(&(struct frozen_folder){FROZEN_NONE, NULL}, &error), STATUS_OK);
    temporary_folder_remove(subject.folder);
    (void)snprintf(subject.folder, sizeof subject.folder, "/nowhere/at/all");
    assert_int_equal(frozen_save(subject.folder, &subject.device, subject.test, &subject.kernel, &subject.code, &error),
                     STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "cannot save the kernel of MP: /nowhere/at/all/"));
    subject.folder[0] = '\0';
    end(&subject);
}

/* frozen-layout.txt is the layout of the current version. If this test fails, the layout no longer matches kernels
 * saved before: increment LAYOUT_VERSION, and write the new layout to the file. */
static void test_layout(void **state)
{
    struct text layout = {0};
    char *kept = fixture_read(ORCHIL_SOURCE_DIR "/tests/kernel/frozen-layout.txt");
    (void)state;
    frozen_layout(&layout);
    assert_string_equal(text_string(&layout), kept);
    /* Every word is named with its position, so that adding, removing, renaming or moving a word is a change. */
    for (unsigned i = 0; i < DRAW_FIXED_WORDS; i++) {
        char line[32];
        (void)snprintf(line, sizeof line, "\ndraw %u ", i);
        assert_non_null(strstr(text_string(&layout), line));
    }
    for (unsigned i = 0; i < COUNTER_HISTOGRAM; i++) {
        char line[32];
        (void)snprintf(line, sizeof line, "\ncounter %u ", i);
        assert_non_null(strstr(text_string(&layout), line));
    }
    text_release(&layout);
    free(kept);
}

/* The log and the facts of a compilation survive in the cache; a damaged entry is ignored; the key contains everything
 * that matters. */
static void test_cache(void **state)
{
    struct subject subject;
    struct backend_code found = {0};
    char path[512];
    (void)state;
    begin(&subject);
    struct backend_source source = {.name = "MP", .kernel = subject.kernel.source};
    text_add(&subject.code.log, "a warning\nwith \"two\" lines\n");
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    assert_true(kernel_cache_write(subject.folder, &subject.device, &source, &subject.code));
    assert_true(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    assert_int_equal(found.bytes.size, 16);
    assert_memory_equal(found.bytes.data, "portable\0machine", 16);
    assert_int_equal(found.portable, 9);
    assert_string_equal(text_string(&found.log), "a warning\nwith \"two\" lines\n");
    assert_string_equal(found.compiler, "Compiler 7");
    assert_string_equal(found.options, "--fast");
    backend_code_release(&found);

    source.clusters = true;
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    source.clusters = false;
    source.code = "portable";
    source.code_size = 8;
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    source.code = NULL;

    find_file(&subject, ".code", path);
    change_file(path, "warning", "Warning");
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    assert_int_equal(found.bytes.size + found.log.size, 0);
    assert_int_not_equal(access(path, F_OK), 0);
    end(&subject);
}

/* Cached code is executed, so it must belong to this user, and no other user may change it, whatever the umask; and
 * reading never blocks. */
static void test_cache_of_others(void **state)
{
    struct subject subject;
    struct backend_code found = {0};
    struct stat about;
    char path[512];
    (void)state;
    begin(&subject);
    const struct backend_source source = {.name = "MP", .kernel = subject.kernel.source};
    const mode_t before = umask(0);
    assert_true(kernel_cache_write(subject.folder, &subject.device, &source, &subject.code));
    (void)umask(before);
    find_file(&subject, ".code", path);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_true(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    backend_code_release(&found);
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    assert_int_not_equal(access(path, F_OK), 0);
    if (geteuid() == 0) { /* only root can change a file's owner */
        assert_true(kernel_cache_write(subject.folder, &subject.device, &source, &subject.code));
        assert_int_equal(chown(path, 12345, 12345), 0);
        assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    }
    (void)unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    assert_int_equal(symlink("/dev/zero", path), 0); /* the pipe was removed */
    assert_false(kernel_cache_read(subject.folder, &subject.device, &source, &found));
    end(&subject);
}

/* A folder in which other users may put files is not used. */
static void test_cache_folder_of_others(void **state)
{
    struct subject subject;
    struct kernel_cache cache;
    struct error error;
    struct text path = {0};
    (void)state;
    begin(&subject);
    text_add(&path, "%s/orchil/kernels", subject.folder);
    assert_int_equal(setenv("XDG_CACHE_HOME", subject.folder, 1), 0);
    for (int others = 0; others < 2; others++) {
        assert_int_equal(kernel_cache_open(false, &cache, &error), STATUS_OK);
        assert_int_equal(cache.temporary, others);
        assert_int_equal(strcmp(cache.folder, text_string(&path)) == 0, !others);
        kernel_cache_close(&cache);
        assert_int_equal(chmod(text_string(&path), 0770), 0);
    }
    text_release(&path);
    end(&subject);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_other_name_and_device),
        cmocka_unit_test(test_wrong_files),     cmocka_unit_test(test_strange_files),
        cmocka_unit_test(test_other_numbers),   cmocka_unit_test(test_folders),
        cmocka_unit_test(test_layout),          cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_of_others), cmocka_unit_test(test_cache_folder_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
