// SPDX-License-Identifier: Apache-2.0
/* Runs orchil itself in a folder of its own, and packs what that gives. */
#include "cli/verbs/doctor_report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary_folder.h"
#include "base/terminal/terminal.h"
#include "base/tool.h"
#include "base/whole_file.h"
#include "cli/output.h"
#include "runner/run/provenance.h"

enum { SECONDS = 1800, MOST_BYTES = 1 << 30 };

/* What orchil is run with, and where its output goes. */
static const struct {
    const char *file, *what;
    const char *const arguments[8];
} parts[] = {
    {"doctor.txt", "what doctor finds", {"doctor", NULL}},
    {"devices.json", "the devices", {"devices", "--json", NULL}},
    {"run.txt",
     "the tests of @quick on the default device, at most 5 minutes",
     {"run", "--db", "report.db", "--save-kernels", "kernels", "@quick", NULL}},
};

/* Replaces each place of a name in a text. */
static void leave_out(struct text *text, const char *name, const char *instead)
{
    struct text kept = {0};
    const char *at = text_string(text);
    if (!name || strlen(name) < 3) /* too short to be found */
        return;
    for (const char *found = strstr(at, name); found; found = strstr(at, name)) {
        text_add_bytes(&kept, at, (size_t)(found - at));
        text_add(&kept, "%s", instead);
        at = found + strlen(name);
    }
    text_add(&kept, "%s", at);
    text_release(text);
    *text = kept;
}

static void leave_names_out(struct text *text)
{
    struct utsname system;
    leave_out(text, getenv("HOME"), "(home)");
    leave_out(text, getenv("USER"), "(user)");
    leave_out(text, getenv("LOGNAME"), "(user)");
    if (uname(&system) == 0)
        leave_out(text, system.nodename, "(host)");
}

/* A part that fails, as without a device, still has its output. */
static enum status make_part(size_t number, struct error *error)
{
    char program[PATH_MAX] = "";
    const char *arguments[10] = {program};
    struct text output = {0};
    struct error failure = {0};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return error_set(error, STATUS_SYSTEM, "cannot find this program's file: %s", strerror(errno));
    for (size_t i = 0; parts[number].arguments[i]; i++)
        arguments[i + 1] = parts[number].arguments[i];
    terminal_print(stdout, "  %s: %s\n", parts[number].file, parts[number].what);
    (void)fflush(stdout);
    if (tool_run(arguments, SECONDS, MOST_BYTES, &output, &failure) != STATUS_OK)
        text_add(&output, "\n%s\n", failure.text);
    leave_names_out(&output);
    const enum status status = file_write_quick(parts[number].file, text_string(&output), output.size, error);
    text_release(&output);
    return status;
}

/* With nobody as the owner of the files: an archive keeps names. */
static enum status pack(const char *path, struct error *error)
{
    static const char *const made[] = {"report.db", "kernels"};
    const char *arguments[12] = {"tar", "--owner=0",  "--group=0",    "--numeric-owner", "-czf",
                                 path,  "doctor.txt", "devices.json", "run.txt"};
    struct text output = {0};
    size_t count = 9;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (access(made[i], F_OK) == 0)
            arguments[count++] = made[i];
    const enum status status = tool_run(arguments, SECONDS, MOST_BYTES, &output, error);
    text_release(&output);
    return status;
}

static enum status make_report(const char *path, const char *folder, struct error *error)
{
    if (chdir(folder) != 0 || setenv(PROVENANCE_NAMELESS, "1", 1) != 0)
        return error_set(error, STATUS_SYSTEM, "cannot work in %s: %s", folder, strerror(errno));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        TRY(make_part(i, error));
    return pack(path, error);
}

int doctor_report(const char *verb, const char *file)
{
    char here[PATH_MAX], folder[PATH_MAX] = "";
    struct text path = {0};
    struct error error = {0};
    if (!getcwd(here, sizeof here))
        here[0] = '\0';
    text_add(&path, "%s%s%s", *file == '/' ? "" : here, *file == '/' ? "" : "/", file);
    enum status status = temporary_folder_make("report", folder, sizeof folder, &error);
    if (status == STATUS_OK)
        status = make_report(text_string(&path), folder, &error);
    if (chdir(here) == 0)
        temporary_folder_remove(folder);
    if (status == STATUS_OK)
        terminal_print(
            stdout,
            "%s is ready. It has no name of a person or of this machine that orchil knows; look at it before "
            "you send it: tar -tzf %s\n",
            file, file);
    text_release(&path);
    return status == STATUS_OK ? 0 : complain(verb, &error);
}
