// SPDX-License-Identifier: Apache-2.0
/*
 * Protects finding machine code in a program's binary: the wrong object (another group size) would
 * mean that the inspected code is not the code that ran, and a truncated binary must not be read
 * beyond its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <elf.h>
#include <string.h>

#include "backends/opencl/machine_code.h"
#include "base/text.h"

enum { SECTIONS = 2 };

/* What PoCL adds to its binary for a file: its path, and its bytes. The mark distinguishes
 * objects. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
