// SPDX-License-Identifier: Apache-2.0
/*
 * How functions of every room report failure.
 *
 * A fallible function returns an enum status and fills the struct error that its caller passed. The caller owns the
 * struct; nothing in it is allocated, so an error can be copied or forgotten.
 */
#pragma once

#include <stdbool.h>

/* X(name, meaning, exit code). If this status ends a verb, the verb exits with the exit code
 * (docs/reference/exit-codes.md). */
#define STATUS_LIST(X)                                                                                                 \
    X(OK, "no error", 0)                                                                                               \
    X(USAGE, "wrong usage", 2)                                                                                         \
    X(UNREADABLE, "a file cannot be read", 2)                                                                          \
    X(SYNTAX, "a file cannot be parsed", 2)                                                                            \
    X(LIMIT, "a limit of orchil is exceeded", 2)                                                                       \
    X(NO_DEVICE, "no device", 4)                                                                                       \
    X(UNSUPPORTED, "not supported by the device", 0)                                                                   \
    X(BUILD_FAILED, "the device's compiler rejected the kernel", 4)                                                    \
    X(DEVICE_FAILED, "a driver call failed", 4)                                                                        \
    X(DEVICE_LOST, "the device was lost", 4)                                                                           \
    X(DATABASE, "the database failed", 4)                                                                              \
    X(SYSTEM, "a system call failed", 4)                                                                               \
    X(INTERNAL, "internal error", 4)

#define STATUS_ENUM(name, text, exit_code) STATUS_##name,
enum status { STATUS_LIST(STATUS_ENUM) STATUS_COUNT };

struct error {
    enum status status;
    char text[1024];   /* what failed, where, what was expected, what to do; one line, lower case, no full stop */
    char detail[4096]; /* the end of a build log or of a driver's message; empty, or several lines */
};

/* The name of a status as in STATUS_LIST ("DEVICE_LOST"), for messages between processes; and back: false for any other
 * word. */
const char *status_name(enum status status);
bool status_from_name(const char *name, enum status *status);

/* The exit code of a status; 0 to 4. */
int status_exit_code(enum status status);

/* Fills *error with status and a formatted text (cut to its size) and returns status, so that a function can end with
 * `return error_set(...)`. Leaves detail empty. error may be NULL: then only the status is reported. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps the last lines of text (at most what detail holds, cut at a line's start) as error's detail. */
void error_set_detail(struct error *error, const char *text);

/* Returns from the calling function with the status of expression, unless that is STATUS_OK. */
#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        const enum status try_status = (expression);                                                                   \
        if (try_status != STATUS_OK)                                                                                   \
            return try_status;                                                                                         \
    } while (0)

/* Goes on with expression, unless something has failed: for functions that have to clean up, where TRY would leave. */
#define THEN(status, expression) ((status) = (status) == STATUS_OK ? (expression) : (status))
