// SPDX-License-Identifier: Apache-2.0
/* ptxas, if it is installed. */
#include "tests/backends/ptx/assembler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

const char *assembler_find(char path[256])
{
    const char *named = getenv("ORCHIL_PTXAS"), *places = getenv("PATH");
    if (named)
        return named;
    for (const char *at = places; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        (void)snprintf(path, 256, "%.*s/ptxas", (int)strcspn(at, ":"), at);
        if (access(path, X_OK) == 0)
            return path;
    }
    (void)snprintf(path, 256, "/usr/local/cuda/bin/ptxas");
    return access(path, X_OK) == 0 ? path : NULL;
}

bool assembler_accepts(const char *assembler, const char *gpu, const char *ptx, char *complaint, size_t size)
{
    char path[32];
    int status = -1;
    const int text = memfd_create("kernel.ptx", 0), said = memfd_create("said", 0);
    assert_true(text >= 0 && said >= 0);
    assert_int_equal(write(text, ptx, strlen(ptx)), strlen(ptx));
    (void)snprintf(path, sizeof path, "/dev/fd/%d", text);
    const pid_t pid = fork();
    if (pid == 0) {
        if (dup2(said, STDERR_FILENO) >= 0 && dup2(said, STDOUT_FILENO) >= 0)
            (void)execl(assembler, "ptxas", "--gpu-name", gpu, "--output-file", "/dev/null", path, (char *)NULL);
        _exit(127);
    }
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 127);
    const ssize_t got = pread(said, complaint, size - 1, 0);
    complaint[got > 0 ? got : 0] = '\0';
    assert_int_equal(close(text), 0);
    assert_int_equal(close(said), 0);
    return status == 0;
}
