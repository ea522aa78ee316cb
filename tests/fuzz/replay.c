// SPDX-License-Identifier: Apache-2.0
/* Runs a fuzz target over inputs, for compilers without libFuzzer: of a file NAME.txt every case (tests/corpus.h), of
 * any other file its bytes. Without any input it fails, so that a lost corpus is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/whole_file.h"
#include "tests/corpus.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { INPUT_MAXIMUM = 1 << 20 };

static void replay_bytes(const struct text *input)
{
    /* Exactly as large as the input, so that a sanitizer detects a read past its end. */
    uint8_t *bytes = malloc(input->size > 0 ? input->size : 1);
    if (!bytes)
        fail_msg("no memory for an input of %zu bytes", input->size);
    if (input->size > 0)
        memcpy(bytes, input->data, input->size);
    (void)LLVMFuzzerTestOneInput(bytes, input->size);
    free(bytes);
}

static void replay_case(struct corpus_case *one, void *context)
{
    (void)context;
    replay_bytes(corpus_part(one, ""));
}

/* Returns the number of inputs that the target survived. */
static size_t replay(const char *path)
{
    const size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".txt") == 0)
        return corpus_each(path, replay_case, NULL);
    struct text bytes = {0};
    struct error error = {0};
    if (file_read_whole(path, INPUT_MAXIMUM, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    replay_bytes(&bytes);
    text_release(&bytes);
    return 1;
}

int main(int argc, char **argv)
{
    size_t inputs = 0;
    for (int i = 1; i < argc; i++)
        inputs += replay(argv[i]);
    if (inputs == 0) {
        (void)fprintf(stderr, "usage: %s FILE...   (and at least one input in all)\n", argv[0]);
        return 1;
    }
    (void)printf("%zu inputs\n", inputs);
    return 0;
}
