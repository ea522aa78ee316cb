// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a fuzz target over files, for compilers without libFuzzer: every file named on the command line, and every file
 * in every folder named there. Without any file it fails, so that a lost corpus is noticed.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { PATH_SIZE = 4096 };

/* Both return the number of files that the target survived, or -1 after a message. */
static long replay_file(const char *path, size_t size)
{
    /* Exactly as large as the input, so that a sanitizer detects a read past its end. */
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    FILE *file = fopen(path, "rb");
    const size_t got = bytes && file ? fread(bytes, 1, size, file) : 0;
    const bool read = bytes && file && got == size;
    if (file && fclose(file) != 0)
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
    if (!read)
        (void)fprintf(stderr, "%s: cannot be read\n", path);
    else
        (void)LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return read ? 1 : -1;
}

static long replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return -1;
    }
    if (!S_ISDIR(status.st_mode))
        return replay_file(path, (size_t)status.st_size);
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return -1;
    }
    long files = 0;
    for (int i = 0; i < count; i++) {
        char child[PATH_SIZE];
        const int length = snprintf(child, sizeof child, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && files >= 0) {
            const long more = length < PATH_SIZE ? replay(child) : -1;
            files = more < 0 ? -1 : files + more;
        }
        free(entries[i]);
    }
    free(entries);
    return files;
}

int main(int argc, char **argv)
{
    long files = 0;
    for (int i = 1; i < argc; i++) {
        const long more = replay(argv[i]);
        if (more < 0)
            return 1;
        files += more;
    }
    if (files == 0) {
        (void)fprintf(stderr, "usage: %s FILE-OR-FOLDER...   (and at least one file in all)\n", argv[0]);
        return 1;
    }
    (void)printf("%ld inputs\n", files);
    return 0;
}
