// SPDX-License-Identifier: Apache-2.0
/*
 * Between a file of cases (tests/corpus.h) and single files, for programs that read those: scripts, libFuzzer.
 *
 *     corpus_files unpack FILE FOLDER   writes each case of FILE to FOLDER, under its title
 *     corpus_files pack FILE...         prints each file as a case, to be added to a file of cases
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/whole_file.h"
#include "tests/corpus.h"

enum { FILE_MAXIMUM = 1 << 20 };

static bool pack(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct text bytes = {0}, one = {0};
    struct error error = {0};
    if (file_read_whole(path, FILE_MAXIMUM, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_add(&one, "\n==== %s\n", slash ? slash + 1 : path);
    corpus_print(&bytes, &one);
    const bool printed = fwrite(one.data, 1, one.size, stdout) == one.size && fflush(stdout) == 0;
    text_release(&bytes);
    text_release(&one);
    return printed;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "unpack") == 0)
        return corpus_unpack(argv[2], argv[3]) > 0 ? 0 : 1;
    if (argc < 3 || strcmp(argv[1], "pack") != 0) {
        (void)fprintf(stderr, "usage: %s unpack FILE FOLDER | pack FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (!pack(argv[i]))
            return 1;
    return 0;
}
