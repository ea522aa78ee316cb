// SPDX-License-Identifier: Apache-2.0
/*
 * Between the inputs of a fuzz target as single files, which libFuzzer reads and writes, and its file of cases in
 * tests/fuzz/corpus (tests/corpus.h).
 *
 *     corpus_inputs unpack tests/fuzz/corpus/cat.txt FOLDER   writes each input to FOLDER, under its title
 *     corpus_inputs pack INPUT...                             prints each as a case, to be added to such a file
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/whole_file.h"
#include "tests/corpus.h"

enum { INPUT_MAXIMUM = 1 << 20, FOLDER_MODE = 0777 };

static void unpack_case(struct corpus_case *one, void *context)
{
    const char *folder = context;
    const struct text *input = corpus_part(one, "");
    struct text path = {0};
    struct error error = {0};
    if (one->count != 1 || strchr(one->title, '/'))
        fail_msg("%s:%u: expected the name of a file, and one part", one->path, one->line);
    text_add(&path, "%s/%s", folder, one->title);
    if (file_write_quick(text_string(&path), text_string(input), input->size, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&path);
}

static int unpack(const char *path, char *folder)
{
    struct error error = {0};
    if (file_make_folders(folder, FOLDER_MODE, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return corpus_each(path, unpack_case, folder) > 0 ? 0 : 1;
}

static int pack(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct text bytes = {0}, one = {0};
    struct error error = {0};
    if (file_read_whole(path, INPUT_MAXIMUM, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_add(&one, "\n==== %s\n", slash ? slash + 1 : path);
    corpus_print(&bytes, &one);
    const bool printed = fwrite(one.data, 1, one.size, stdout) == one.size && fflush(stdout) == 0;
    text_release(&bytes);
    text_release(&one);
    return printed ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "unpack") == 0)
        return unpack(argv[2], argv[3]);
    int failed = argc < 3 || strcmp(argv[1], "pack") != 0;
    if (failed)
        (void)fprintf(stderr, "usage: %s unpack FILE FOLDER | pack INPUT...\n", argv[0]);
    for (int i = 2; i < argc && !failed; i++)
        failed = pack(argv[i]);
    return failed;
}
