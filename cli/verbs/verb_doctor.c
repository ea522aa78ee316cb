// SPDX-License-Identifier: Apache-2.0
/* orchil doctor: what can prevent tests from running on this machine, and a report to send to others. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "base/terminal/terminal.h"
#include "base/tool.h"
#include "base/whole_file.h"
#include "cli/output.h"
#include "cli/private_names.h"
#include "cli/verb.h"
#include "runner/run/machine.h"
#include "runner/run/provenance.h"
#include "runner/supervise/devices.h"

/* ---- runs orchil itself in a folder of its own, and packs what that gives ---- */

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

/* Drivers write the paths of their caches and of this folder into code. So the report is made in /tmp, and home is the
 * report's folder. */
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

struct report {
    struct private_names names;
    char here[PATH_MAX]; /* the working folder of its start */
    struct temporary_folder folder;
    char program[PATH_MAX];
    double seconds;    /* for the tests */
    const char *tests; /* a TEST */
};

static const char run_file[] = "run.txt";

/* Runs a program, whose output becomes a part. One that fails, as without a device, still has its output. */
static enum status make_part(const struct report *report, const char *file, const char *const *arguments,
                             double seconds, struct error *error)
{
    struct text output = {0};
    struct error failure = {0};
    (void)fflush(stdout);
    const enum status ended = tool_run_interrupted(arguments, seconds, GRACE_SECONDS, MOST_BYTES, &output, &failure);
    if (ended != STATUS_OK)
        text_add(&output, "\n%s\n", failure.text);
    private_names_leave_out(&report->names, &output);
    const enum status status = file_write_quick(file, text_string(&output), output.size, error);
    text_release(&output);
    return status;
}

/* An interrupted run has stored what it finished, and one that is killed its earlier batches: a report with a part of
 * the tests says more than none. */
static enum status run_tests(const struct report *report, struct error *error)
{
    const double limit = time_limit(report->seconds), started = clock_seconds();
    char budget[32];
    (void)snprintf(budget, sizeof budget, "%.0f", report->seconds < 1 ? 1 : report->seconds);
    /* A shell, which puts messages among the output. */
    const char *const arguments[] = {
        "sh",
        "-c",
        "exec \"$0\" run --db report.db --save-kernels kernels --budget \"$1\" \"$2\" 2>&1",
        report->program,
        budget,
        report->tests,
        NULL};
    terminal_print(stdout, "  %s: the tests of %s on the default device\n", run_file, report->tests);
    TRY(make_part(report, run_file, arguments, limit, error));
    const double took = clock_seconds() - started;
    terminal_print(stdout, "    %s after %.0f s\n", took < limit + GRACE_SECONDS ? "ended" : "stopped", took);
    return STATUS_OK;
}

/* ---- the file ---- */

static enum status make_report(struct report *report, const char *path, struct error *error)
{
    if (readlink("/proc/self/exe", report->program, sizeof report->program - 1) < 0)
        return error_set(error, STATUS_SYSTEM, "cannot find this program's file: %s", strerror(errno));
    const char *const doctor[] = {report->program, "doctor", NULL};
    const char *const devices[] = {report->program, "devices", "--json", NULL};
    terminal_print(stdout, "  doctor.txt: what doctor finds\n");
    TRY(make_part(report, "doctor.txt", doctor, PART_SECONDS, error));
    terminal_print(stdout, "  devices.json: the devices\n");
    TRY(make_part(report, "devices.json", devices, PART_SECONDS, error));
    TRY(run_tests(report, error));
    /* With nobody as the owner of the files: an archive keeps names. */
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

/* Writes a compressed archive: what doctor and devices print, the database of a run of these tests (a TEST) on the
 * default device, which may take that many seconds and is stopped soon after, and the code of its kernels. Names of
 * this user and of this machine, and paths of the home folder, are left out. Prints what it does. Without a usable
 * device, the archive says why. */
static enum status doctor_report(const char *file, double seconds, const char *tests, struct error *error)
{
    struct report report = {.seconds = seconds, .tests = tests};
    struct text path = {0};
    private_names_find(&report.names);
    if (!getcwd(report.here, sizeof report.here))
        report.here[0] = '\0';
    text_add(&path, "%s%s%s", *file == '/' ? "" : report.here, *file == '/' ? "" : "/", file);
    terminal_print(stdout, "The tests take %s; they are stopped after %s.\n", QUANTITY_SECONDS(seconds),
                   QUANTITY_SECONDS(time_limit(seconds) + GRACE_SECONDS));
    enum status status = make_folder(&report.folder, error);
    private_names_add(&report.names, report.folder.path, "(folder)");
    if (status == STATUS_OK)
        status = make_report(&report, text_string(&path), error);
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
    return status;
}

struct doctor_request {
    const char *database, *report; /* report: NULL: none is asked for */
    double seconds;                /* for the report's tests */
    struct verb_arguments tests;   /* of the report: at most one TEST */
};

static void doctor_check_options(const struct argp_state *state, const void *data)
{
    const struct doctor_request *request = data;
    const size_t most = request->report ? 1 : 0;
    if (request->tests.count > most)
        options_error(state, "expected %s, found '%s'", most > 0 ? "one TEST" : "no argument without --report",
                      request->tests.list[most]);
}

#define AT(member) offsetof(struct doctor_request, member)

static const struct option_row option_rows[] = {
    {"db", 'd', "FILE", OPTION_TEXT, AT(database), "orchil.db", .file = OPTION_FILE_READ,
     .help = "check this database (default: %s)"},
    {"report", 'r', "FILE", OPTION_TEXT, AT(report), NULL, .file = OPTION_FILE_WRITTEN,
     .help =
         "instead, run TEST (default: @report) on the default device and write one file to send to others, a .tar.gz: "
         "what doctor and devices print, the database and the compiled kernels, without names of people and machines"},
    {"time", 't', "S", OPTION_SECONDS, AT(seconds), "180",
     .help = "with --report: time for the tests in seconds, or with the suffix m or h (default: %s)"},
    {0}};

static const char documentation[] =
    "Check what orchil finds on this machine: drivers and the files that register them, devices, limits, "
    "environment variables that affect drivers, and the database of this folder. For what is missing, print the "
    "command that installs it.\vEach driver runs in its own process, so a driver that crashes or hangs is reported.";

static const char *const examples[] = {"orchil doctor", "orchil doctor --db results/night.db",
                                       "orchil doctor --report mi300.tar.gz",
                                       "orchil doctor --report short.tar.gz --time 20 opencl:MP+relaxed", NULL};

static const struct exit_code exit_codes[] = {{"0", "at least one device can run tests, or the report was written"},
                                              {"2", "wrong usage"},
                                              {"4", "no device can run tests, or the database is damaged"},
                                              {0}};

static void print_section(const char *title, const char *indent, const char *lines)
{
    const bool colours = terminal_has_colours(stdout);
    struct text text = {0};
    terminal_print(stdout, "%s%s%s\n", terminal_style(colours, TERMINAL_STRONG), title,
                   terminal_style(colours, TERMINAL_PLAIN));
    terminal_add_indented(&text, indent, lines);
    terminal_end(stdout, &text);
}

static void print_machine(const struct machine_section *section)
{
    struct text lines = {0};
    section->add(&lines);
    print_section(section->title, "  ", text_string(&lines));
    text_release(&lines);
}

/* ---- backends ---- */

static enum status print_backends(struct error *error)
{
    for (const struct backend *const *at = backends; *at; at++) {
        struct text text = {0}, title = {0};
        if (!devices_may_be_of(*at))
            continue;
        (void)fflush(stdout);
        const enum status status = devices_explain(*at, &text, error);
        const char *const lines = text_string(&text); /* the first is the title */
        const size_t size = strcspn(lines, "\n");
        text_add_bytes(&title, lines, size);
        print_section(text_string(&title), "", lines + size + (lines[size] == '\n'));
        text_release(&title);
        text_release(&text);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- the verdict, which is printed first ---- */

/* "✓ "; without Unicode, "ok: ". */
static const char *sign(bool good)
{
    if (terminal_has_unicode())
        return good ? "\xe2\x9c\x93 " : "\xe2\x9c\x97 ";
    return good ? "ok: " : "no: ";
}

static void print_verdict_line(bool good, const char *words)
{
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "%s%s%s%s\n", terminal_style(colours, good ? TERMINAL_GOOD : TERMINAL_BAD), sign(good),
                   terminal_style(colours, TERMINAL_PLAIN), words);
}

/* The devices that can run tests, and advice if there is none. */
static size_t doctor_print_devices(const struct device_list *list)
{
    size_t usable = 0;
    struct text text = {0};
    for (size_t i = 0; i < list->count; i++)
        usable += list->devices[i].takes != 0;
    if (usable > 0)
        text_add(&text, "%zu device%s can run tests: `orchil devices` shows what %s", usable, usable == 1 ? "" : "s",
                 usable == 1 ? "it declares" : "they declare");
    else
        text_add(&text, "no device can run tests: each backend below says what is missing");
    print_verdict_line(usable > 0, text_string(&text));
    for (size_t i = 0; i < list->finding_count; i++)
        if (list->findings[i].status == STATUS_DEVICE_FAILED) {
            text_clear(&text);
            text_add(&text, "%s: %s", list->findings[i].backend->title, list->findings[i].text);
            print_verdict_line(false, text_string(&text));
        }
    if (usable == 0)
        terminal_print(stdout, "To try orchil without a device: ORCHIL_SIMULATED= orchil run --device simulated ...\n");
    text_release(&text);
    return usable;
}

/* The answer, before the details that explain it. */
static bool print_verdict(const struct device_list *list, bool sound, const char *database)
{
    const size_t usable = doctor_print_devices(list);
    if (!sound)
        print_verdict_line(false, database);
    terminal_print(stdout, "\n");
    return usable > 0 && sound;
}

static enum status doctor_execute(void *data, struct verb_call *call, struct error *error)
{
    const struct doctor_request *request = data;
    struct device_list list = {0};
    struct text database = {0};
    if (request->report)
        return doctor_report(request->report, request->seconds,
                             request->tests.count > 0 ? request->tests.list[0] : "@report", error);
    TRY(devices_find(NULL, &list, error));
    const bool sound = machine_check_database(request->database, &database);
    struct text first = {0};
    text_add_bytes(&first, text_string(&database), strcspn(text_string(&database), "\n"));
    call->code = print_verdict(&list, sound, text_string(&first)) ? 0 : status_exit_code(STATUS_NO_DEVICE);
    devices_release(&list);
    print_machine(&machine_program);
    const enum status status = print_backends(error);
    if (status == STATUS_OK) {
        for (const struct machine_section *section = machine_sections; section->title; section++)
            print_machine(section);
        print_section("Database", "  ", text_string(&database));
    }
    text_release(&first);
    text_release(&database);
    return status;
}

const struct verb verb_doctor = {.name = "doctor",
                                 .summary = "check drivers, devices and the database, and say what is missing",
                                 .usage = "\n--report=FILE [TEST]",
                                 VERB_PARTS,
                                 .arguments = AT(tests),
                                 .check = doctor_check_options,
                                 VERB_REQUEST(struct doctor_request, 0),
                                 .run = doctor_execute};
