// SPDX-License-Identifier: Apache-2.0
/* Reading and writing whole files, within bounds, and making and listing folders. */
#pragma once

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

/* ---- reading ---- */

enum {
    FILE_WRITER_SECONDS = 5, /* until a program must have opened a pipe to write to it */
    FILE_INPUT_SECONDS = 60, /* that a pipe may take to its end */
};

/* Conditions that a file must meet to be read. */
struct file_terms {
    size_t maximum;  /* bytes */
    double patience; /* seconds for a pipe, terminal or device to reach its end; 0: only regular files are read */
    bool trusted;    /* only files of this user or root that nobody else may change */
};

/* Appends the bytes of a file. LIMIT if there are more than terms->maximum; UNREADABLE, with the reason, if it cannot
 * be read, does not meet the terms, or has not ended in time. */
enum status file_read(const char *path, const struct file_terms *terms, struct text *bytes, struct error *error);

/* The same, of a regular file. */
enum status file_read_whole(const char *path, size_t maximum, struct text *bytes, struct error *error);

/* The same for a file that a person named, which may be a pipe: `orchil check <(...)`, /dev/stdin. */
enum status file_read_input(const char *path, size_t maximum, struct text *bytes, struct error *error);

/* Reads the start of a regular file, also below /proc and /sys: at most size - 1 bytes and a NUL. Returns the number of
 * bytes; 0 with errno set if none can be read, and 0 with errno 0 if the file is empty. */
size_t file_read_start(const char *path, char *bytes, size_t size);

/* ---- writing ---- */

/* A file in the making. It is named PATH.XXXXXX until it is complete: a reader sees the old file or the new one, even
 * after a power cut. The permissions of an old file are kept, and the target of a link is replaced, not the link. A
 * pipe or a device cannot be replaced and is written to directly. */
struct file_writer {
    FILE *file;                /* to be written to; NULL if file_writer_open failed */
    char name[PATH_MAX];       /* as it was given, for messages */
    char path[PATH_MAX];       /* without links */
    char unfinished[PATH_MAX]; /* "" for a pipe or a device */
    bool quick; /* to be set after opening: closing does not sync, and a power cut may leave an empty file */
};

/* UNREADABLE if the path is at fault, as in all functions for writing: a folder that is missing or may not be written
 * to, or a file that may not. SYSTEM if the machine is: a full disk, a limit on the size of files, an input/output
 * error. */
enum status file_writer_open(struct file_writer *writer, const char *path, struct error *error);

/* Ends the writing, and gives the file its name if complete; else, and after any failure, removes it. Asks ferror. */
enum status file_writer_close(struct file_writer *writer, bool complete, struct error *error);

/* Writes bytes as a file, with a file_writer. */
enum status file_write_whole(const char *path, const char *bytes, size_t size, struct error *error);

/* The same with `quick` set: for many files that can be made again. */
enum status file_write_quick(const char *path, const char *bytes, size_t size, struct error *error);

/* Whether file_writer_open can be expected to succeed; nothing is created. For paths that are written to much later. */
enum status file_check_writable(const char *path, struct error *error);

/* ---- folders ---- */

/* Creates a folder and its missing parents. UNREADABLE or SYSTEM, as above and with errno set, if one cannot be
 * created; EEXIST if its name is taken. */
enum status file_make_folders(const char *path, mode_t mode, struct error *error);

/* The part of a path that is below the working directory, without "./" before it: the same for every way to name a file
 * there. A path of elsewhere is returned as it is. */
const char *file_path_from_here(const char *path);

/* ---- listing a folder ---- */

/* The names in a folder, without "." and "..", in the order of strcmp. Released by folder_release. */
struct folder {
    const char **names;
    size_t count;
    struct arena arena;
};

/* UNREADABLE, with errno set, if the folder cannot be read; LIMIT if it has more than `maximum` names. Then there is
 * nothing to release. */
enum status folder_read(const char *path, size_t maximum, struct folder *folder, struct error *error);
void folder_release(struct folder *folder);
