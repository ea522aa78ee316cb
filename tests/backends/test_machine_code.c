// SPDX-License-Identifier: Apache-2.0
/* Protects finding the machine code of a program that PoCL compiled, in its binary and among the objects of this
 * process: the wrong object (another group size, another program) would mean that the inspected code is not the code
 * that ran, and a truncated binary must not be read beyond its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/opencl/machine_code.h"
#include "base/text.h"
#include "base/whole_file.h"

enum { SECTIONS = 2 };

/* What PoCL adds to its binary for a file: its path, and its bytes. The mark distinguishes objects. */
static void add_object(struct text *binary, const char *path, unsigned machine, char mark)
{
    const Elf64_Ehdr head = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
        .e_type = ET_DYN,
        .e_machine = (Elf64_Half)machine,
        .e_shoff = sizeof head + 1,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = SECTIONS,
    };
    const Elf64_Shdr sections[SECTIONS] = {{0}};
    text_add(binary, "....%s....", path);
    text_add_bytes(binary, (const char *)&head, sizeof head);
    text_add_bytes(binary, &mark, 1);
    text_add_bytes(binary, (const char *)sections, sizeof sections);
}

static void expect(const struct text *binary, size_t group_size, char mark)
{
    const char *object = NULL;
    size_t size = 0;
    const bool found = opencl_find_object(text_string(binary), binary->size, group_size, &object, &size);
    assert_int_equal(found, mark != '\0');
    if (!found)
        return;
    assert_int_equal(size, sizeof(Elf64_Ehdr) + 1 + SECTIONS * sizeof(Elf64_Shdr));
    assert_int_equal(object[sizeof(Elf64_Ehdr)], mark);
}

static void test_sizes(void **state)
{
    struct text binary = {0};
    (void)state;
    text_add(&binary, "poclbin");
    add_object(&binary, "/orchil/0-0-0/orchil.so", EM_X86_64, 'a');
    add_object(&binary, "/orchil/32-1-1-goffs0-smallgrid/orchil.so", EM_X86_64, 'b');
    add_object(&binary, "/orchil/4096-1-1-goffs0-smallgrid/orchil.so", EM_X86_64, 'c');
    expect(&binary, 32, 'b');
    expect(&binary, 4096, 'c');
    expect(&binary, 64, '\0'); /* 0-0-0 is for any size; it is not what ran if there are objects for single sizes */
    text_release(&binary);
    add_object(&binary, "/orchil/0-0-0/orchil.so", EM_X86_64, 'a');
    expect(&binary, 64, 'a');
    text_release(&binary);
}

static void test_others(void **state)
{
    struct text binary = {0};
    (void)state;
    add_object(&binary, "/orchil/64-1-1/orchil.so", EM_AARCH64, 'a');
    expect(&binary, 64, '\0');
    add_object(&binary, "/orchil/32-1-1/orchil.so", EM_X86_64, 'b');
    expect(&binary, 64, '\0');
    text_release(&binary);
    text_add(&binary, "//--.version 7.0 .target sm_90");
    expect(&binary, 64, '\0');
    text_release(&binary);
    expect(&binary, 64, '\0');
}

/* Every prefix, in memory of exactly its size, so that a sanitizer sees a read beyond its end. */
static void test_cut(void **state)
{
    struct text binary = {0};
    (void)state;
    add_object(&binary, "/orchil/64-1-1/orchil.so", EM_X86_64, 'a');
    for (size_t size = 0; size < binary.size; size++) {
        const char *object;
        size_t object_size;
        char *part = memcpy(test_malloc(size + 1), binary.data, size);
        assert_false(opencl_find_object(part, size, 64, &object, &object_size));
        test_free(part);
    }
    expect(&binary, 64, 'a');
    text_release(&binary);
}

/* ---- loaded objects ---- */

static int read_library(struct dl_phdr_info *info, size_t size, void *bytes)
{
    struct error error;
    (void)size;
    return strstr(info->dlpi_name, "/libcmocka.so") &&
           file_read_whole(info->dlpi_name, SIZE_MAX >> 1, bytes, &error) == STATUS_OK;
}

/* Loads some library as the object of this path in the current folder, whose folders do not exist. */
static void *load(const char *folder, const char *size)
{
    struct text bytes = {0}, path = {0};
    text_add(&path, "%s", folder);
    assert_int_equal(mkdir(text_string(&path), 0700), 0);
    text_add(&path, "/orchil");
    assert_int_equal(mkdir(text_string(&path), 0700), 0);
    text_add(&path, "/%s", size);
    assert_int_equal(mkdir(text_string(&path), 0700), 0);
    text_add(&path, "/orchil.so");
    assert_int_equal(dl_iterate_phdr(read_library, &bytes), 1);
    FILE *file = fopen(text_string(&path), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
    struct text loaded = {0};
    text_add(&loaded, "./%s", text_string(&path));
    void *handle = dlopen(text_string(&loaded), RTLD_NOW | RTLD_LOCAL);
    text_release(&loaded);
    text_release(&path);
    text_release(&bytes);
    assert_non_null(handle);
    return handle;
}

/* Whether there is exactly one object for that group size since the list was made. */
static bool is_found(const struct text *before, size_t group_size)
{
    struct text code = {0};
    opencl_read_loaded(before, group_size, &code);
    const bool found = code.size > 0;
    if (found)
        assert_memory_equal(code.data, ELFMAG, SELFMAG);
    text_release(&code);
    return found;
}

static void test_loaded(void **state)
{
    char folder[] = "/tmp/orchil-loaded.XXXXXX";
    struct text none = {0}, first = {0};
    (void)state;
    assert_true(mkdtemp(folder) && chdir(folder) == 0);
    opencl_list_loaded(&none);
    assert_false(is_found(&none, 64));
    void *handles[] = {load("A", "64-1-1-goffs0-smallgrid"), NULL, NULL};
    opencl_list_loaded(&first);
    assert_true(is_found(&none, 64));
    assert_false(is_found(&none, 32));
    assert_false(is_found(&first, 64)); /* an equal program was loaded before */
    handles[1] = load("B", "32-1-1");
    assert_true(is_found(&none, 64));
    assert_true(is_found(&first, 32));
    handles[2] = load("C", "64-1-1");
    assert_false(is_found(&none, 64)); /* of two programs, nobody knows which */
    assert_true(is_found(&first, 64));
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        assert_int_equal(dlclose(handles[i]), 0);
    assert_false(is_found(&none, 64));
    text_release(&none);
    text_release(&first);
    assert_int_equal(chdir("/"), 0);
    char command[64];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
