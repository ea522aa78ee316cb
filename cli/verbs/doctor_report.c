// SPDX-License-Identifier: Apache-2.0
/* Runs orchil itself in a folder of its own, and packs what that gives. */
#include "cli/verbs/doctor_report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/temporary_folder.h"
#include "base/terminal/terminal.h"
#include "base/tool.h"
#include "base/whole_file.h"
#include "cli/output.h"
#include "cli/private_names.h"
#include "runner/run/provenance.h"

enum {
    PART_SECONDS = 120, /* for a part that runs no tests */
    GRACE_SECONDS = 20, /* for an interrupted run to end its batch */
    MOST_BYTES = 1 << 30
};

/* When a run is stopped: some builds take longer than its share of time. */
static double time_limit(double seconds)
{
    return 1.25 * seconds + 10;
}

/* Drivers write the paths of their caches and of this folder into code. So the report is made in /tmp, and home is
 * the report's folder. */
static enum status make_folder(struct temporary_folder *folder, struct error *error)
{
    if (access("/tmp", W_OK) == 0)
        (void)unsetenv("TMPDIR");
    TRY(temporary_folder_open("report", folder, error));
    if (chdir(folder->path) != 0 || setenv(PROVENANCE_NAMELESS, "1", 1) != 0 || setenv("HOME", folder->path, 1) != 0 ||
        unsetenv("USER") != 0 || unsetenv("LOGNAME") != 0 || unsetenv("XDG_CACHE_HOME") != 0)
        return error_set(error, STATUS_SYSTEM, "cannot work in %s: %s", folder->path, strerror(errno));
    return STATUS_OK;
}

/* ---- parts ---- */

/* What orchil is run with, and where its output goes. */
static const struct {
    const char *file, *what;
    const char *const arguments[8];
} parts[] = {
    {"doctor.txt", "what doctor finds", {"doctor", NULL}},
    {"devices.json", "the devices", {"devices", "--json", NULL}},
};
static const char run_file[] = "run.txt";

struct report {
    struct private_names names;
    char here[PATH_MAX]; /* the working folder of its start */
    struct temporary_folder folder;
    char program[PATH_MAX];
    double seconds;    /* for the tests */
    const char *tests; /* a TEST */
};

static enum status write_part(const struct report *report, const char *file, struct text *output, struct error *error)
{
    private_names_leave_out(&report->names, output);
    return file_write_quick(file, text_string(output), output->size, error);
}

/* A part that fails, as without a device, still has its output. */
static enum status make_part(const struct report *report, size_t number, struct error *error)
{
    const char *arguments[10] = {report->program};
    struct text output = {0};
    struct error failure = {0};
    for (size_t i = 0; parts[number].arguments[i]; i++)
        arguments[i + 1] = parts[number].arguments[i];
    terminal_print(stdout, "  %s: %s\n", parts[number].file, parts[number].what);
    (void)fflush(stdout);
    if (tool_run(arguments, PART_SECONDS, MOST_BYTES, &output, &failure) != STATUS_OK)
        text_add(&output, "\n%s\n", failure.text);
    const enum status status = write_part(report, parts[number].file, &output, error);
    text_release(&output);
    return status;
}

/* ---- the tests ---- */

/* Runs in the new process until exec: makes only calls that are safe after a fork. */
static void become_run(const struct report *report, const char *budget)
{
    const int output = open(run_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (output >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0)
        (void)execl(report->program, "orchil", "run", "--db", "report.db", "--save-kernels", "kernels", "--budget",
                    budget, report->tests, (char *)NULL);
    _exit(127);
}

/* Waits for its end, at most until then; whether it has ended. */
static bool wait_for(pid_t run, double until)
{
    static const struct timespec pause = {.tv_nsec = 100000000};
    struct progress_line progress = {0};
    char line[80];
    for (;;) {
        siginfo_t ended = {.si_pid = 0};
        const double left = until - clock_seconds();
        if (waitid(P_PID, (id_t)run, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == run || left <= 0) {
            progress_clear(&progress, stdout);
            return left > 0;
        }
        if (progress_due(&progress, stdout)) {
            (void)snprintf(line, sizeof line, "    at most %.0f s left", left);
            progress_show(&progress, stdout, line);
        }
        (void)nanosleep(&pause, NULL);
    }
}

/* An interrupted run has stored what it finished. One that does not end either is killed: a report with a part
 * of the tests says more than none. */
static enum status run_tests(const struct report *report, struct error *error)
{
    char budget[32];
    struct text output = {0};
    (void)snprintf(budget, sizeof budget, "%.0f", report->seconds < 1 ? 1 : report->seconds);
    terminal_print(stdout, "  %s: the tests of %s on the default device\n", run_file, report->tests);
    (void)fflush(stdout);
    const pid_t run = fork();
    if (run == 0)
        become_run(report, budget);
    if (run < 0)
        return error_set(error, STATUS_SYSTEM, "cannot start the tests: %s", strerror(errno));
    (void)setpgid(run, run);
    const double started = clock_seconds();
    bool ended = wait_for(run, started + time_limit(report->seconds));
    if (!ended && kill(run, SIGINT) == 0)
        ended = wait_for(run, clock_seconds() + GRACE_SECONDS);
    (void)kill(-run, SIGKILL);
    while (waitpid(run, NULL, 0) < 0 && errno == EINTR)
        ;
    terminal_print(stdout, "    %s after %.0f s\n", ended ? "ended" : "stopped", clock_seconds() - started);
    enum status status = file_read_whole(run_file, MOST_BYTES, &output, error);
    if (status == STATUS_OK)
        status = write_part(report, run_file, &output, error);
    text_release(&output);
    return status;
}

/* ---- the file ---- */

/* With nobody as the owner of the files: an archive keeps names. */
static enum status pack(const char *path, struct error *error)
{
    static const char *const made[] = {"report.db", "report.db-wal", "kernels"};
    const char *arguments[13] = {"tar", "--owner=0",  "--group=0",    "--numeric-owner", "-czf",
                                 path,  "doctor.txt", "devices.json", run_file};
    struct text output = {0};
    size_t count = 9;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (access(made[i], F_OK) == 0)
            arguments[count++] = made[i];
    const enum status status = tool_run(arguments, PART_SECONDS, MOST_BYTES, &output, error);
    text_release(&output);
    return status;
}

static enum status make_report(struct report *report, const char *path, struct error *error)
{
    if (readlink("/proc/self/exe", report->program, sizeof report->program - 1) < 0)
        return error_set(error, STATUS_SYSTEM, "cannot find this program's file: %s", strerror(errno));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        TRY(make_part(report, i, error));
    TRY(run_tests(report, error));
    return pack(path, error);
}

int doctor_report(const char *verb, const char *file, double seconds, const char *tests)
{
    struct report report = {.seconds = seconds, .tests = tests};
    struct text path = {0};
    struct error error = {0};
    private_names_find(&report.names);
    if (!getcwd(report.here, sizeof report.here))
        report.here[0] = '\0';
    text_add(&path, "%s%s%s", *file == '/' ? "" : report.here, *file == '/' ? "" : "/", file);
    terminal_print(stdout, "The tests take %s; they are stopped after %s.\n", QUANTITY_SECONDS(seconds),
                   QUANTITY_SECONDS(time_limit(seconds) + GRACE_SECONDS));
    enum status status = make_folder(&report.folder, &error);
    private_names_add(&report.names, report.folder.path, "(folder)");
    if (status == STATUS_OK)
        status = make_report(&report, text_string(&path), &error);
    if (report.folder.path[0] && chdir(report.here) == 0)
        temporary_folder_close(&report.folder);
    if (status == STATUS_OK)
        terminal_print(
            stdout,
            "%s is ready. It has no name of a person or of this machine that orchil knows; look at it before "
            "you send it: tar -tzf %s\n",
            file, file);
    private_names_release(&report.names);
    text_release(&path);
    return status == STATUS_OK ? 0 : complain(verb, &error);
}
