// SPDX-License-Identifier: Apache-2.0
/* orchil doctor: what orchil finds on this machine. Every line is about something that can prevent tests from running:
 * a library, a registration, a device file, a limit, a variable, a damaged database. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "base/temporary_folder.h"
#include "base/terminal/terminal.h"
#include "base/tool.h"
#include "base/whole_file.h"
#include "cli/output.h"
#include "cli/private_names.h"
#include "cli/verb.h"
#include "results/results.h"
#include "runner/run/provenance.h"
#include "runner/supervise/devices.h"
#include "version.h"

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
static bool doctor_wait_for(pid_t run, double until)
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

/* An interrupted run has stored what it finished. One that does not end either is killed: a report with a part of the
 * tests says more than none. */
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
    bool ended = doctor_wait_for(run, started + time_limit(report->seconds));
    if (!ended && kill(run, SIGINT) == 0)
        ended = doctor_wait_for(run, clock_seconds() + GRACE_SECONDS);
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

static void print_indented(const char *indent, const char *lines)
{
    struct text text = {0};
    terminal_add_indented(&text, indent, lines);
    terminal_write(stdout, text_string(&text));
    text_release(&text);
}

static void print_title(const char *title)
{
    const bool colours = terminal_has_colours(stdout);
    terminal_print(stdout, "%s%s%s\n", terminal_style(colours, TERMINAL_STRONG), title,
                   terminal_style(colours, TERMINAL_PLAIN));
}

/* A section whose first line is its title. */
static void doctor_print_section(const char *lines)
{
    const size_t size = strcspn(lines, "\n");
    struct text title = {0};
    text_add_bytes(&title, lines, size);
    print_title(text_string(&title));
    print_indented("", lines + size + (lines[size] == '\n'));
    text_release(&title);
}

/* The first line of a file, without its newline; false if it cannot be read. */
static bool first_line(const char *path, char *line, size_t size)
{
    if (file_read_start(path, line, size) == 0)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* ---- the program and the machine ---- */

static void print_program(void)
{
    struct utsname name;
    print_title("Program");
    terminal_print(stdout, "  version %s%s%s\n", ORCHIL_VERSION, ORCHIL_COMMIT[0] ? ", commit " : "", ORCHIL_COMMIT);
    terminal_print(stdout, "  SQLite %s, jansson %s\n", sqlite3_libversion(), jansson_version_str());
    if (uname(&name) == 0)
        terminal_print(stdout, "  %s %s on %s\n", name.sysname, name.release, name.machine);
}

static void print_container(void)
{
    static const struct {
        const char *path, *kind;
    } signs[] = {
        {"/.dockerenv", "Docker"},
        {"/run/.containerenv", "Podman"},
        {"/run/systemd/container", "a container of systemd"},
        {"/var/run/secrets/kubernetes.io", "Kubernetes"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (access(signs[i].path, F_OK) == 0)
            terminal_print(
                stdout,
                "  this is a container (%s): it sees a GPU only if it was started with one, as with 'docker run "
                "--gpus all' or '--device /dev/dri'\n",
                signs[i].kind);
}

static void print_limits(void)
{
    char line[256];
    cpu_set_t processors;
    struct rlimit limit;
    print_title("Limits");
    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        terminal_print(stdout, "  processors for this process: %d\n", CPU_COUNT(&processors));
    if (first_line("/sys/fs/cgroup/cpu.max", line, sizeof line) && strncmp(line, "max", 3) != 0)
        terminal_print(stdout, "  processor time is limited (cpu.max: %s): rates of a CPU device will vary\n", line);
    if (first_line("/sys/fs/cgroup/memory.max", line, sizeof line) && strcmp(line, "max") != 0)
        terminal_print(stdout, "  memory is limited to %s bytes\n", line);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        terminal_print(
            stdout,
            "  the address space is limited (ulimit -v): CUDA needs far more than it uses; lift it with 'ulimit "
            "-v unlimited'\n");
    if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur != 0)
        terminal_print(stdout, "  a driver that crashes may leave a core file: 'ulimit -c 0' prevents it\n");
    if (first_line("/proc/driver/nvidia/version", line, sizeof line))
        terminal_print(stdout, "  kernel module: %s\n", line);
    print_container();
}

/* ---- device files ---- */

static size_t print_files(const char *pattern, const char *hint)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    const size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        const bool usable = access(found.gl_pathv[i], R_OK | W_OK) == 0;
        terminal_print(stdout, "  %s%s%s\n", found.gl_pathv[i], usable ? "" : ": may not be opened by this user; ",
                       usable ? "" : hint);
    }
    globfree(&found);
    return count;
}

static void print_device_files(void)
{
    static const char groups[] = "join its group: 'sudo usermod -aG render,video $USER', then log in again";
    static const char nvidia[] = "ask for the right to it, or start the container with '--gpus all'";
    print_title("Device files");
    size_t count = print_files("/dev/nvidia[0-9]*", nvidia) + print_files("/dev/nvidiactl", nvidia) +
                   print_files("/dev/nvidia-uvm", nvidia);
    count += print_files("/dev/dri/renderD*", groups) + print_files("/dev/kfd", groups);
    if (count == 0)
        terminal_print(
            stdout,
            "  no GPU (/dev/nvidia*, /dev/dri/renderD*, /dev/kfd): there is no GPU, no kernel module for it, or this is a "
            "container without it\n");
}

/* ---- variables ---- */

static void print_variables(void)
{
    bool any = false;
    print_title("Variables that change drivers");
    for (char *const *at = environ; at && *at; at++) {
        if (!provenance_steers(*at))
            continue;
        if (getenv(PROVENANCE_NAMELESS)) /* a report: values have names and paths */
            terminal_print(stdout, "  %.*s=(set)\n", (int)strcspn(*at, "="), *at);
        else
            terminal_print(stdout, "  %s\n", *at);
        any = true;
    }
    if (!any)
        terminal_print(stdout, "  none is set\n");
}

/* ---- backends ---- */

static enum status print_backends(struct error *error)
{
    for (const struct backend *const *at = backends; *at; at++) {
        struct text text = {0};
        if (!devices_may_be_of(*at))
            continue;
        (void)fflush(stdout);
        const enum status status = devices_explain(*at, &text, error);
        doctor_print_section(text_string(&text));
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

/* ---- the database ---- */

/* Appends what there is to say of it. Returns whether it can be used. */
static bool check_database(const char *path, struct text *words)
{
    struct store *store = NULL;
    struct text findings = {0};
    struct error error = {0};
    if (access(path, F_OK) != 0) {
        text_add(words, "%s does not exist yet: `orchil run` creates it", path);
        return true;
    }
    enum status status = store_open(path, STORE_READ, &store, &error);
    if (status == STATUS_OK)
        status = store_check(store, &findings, &error);
    if (status != STATUS_OK)
        text_add(words, "%s", error.text);
    else if (findings.size > 0)
        text_add(words, "%s is damaged:\n%s", path, text_string(&findings));
    else
        text_add(words, "%s is sound (journal: %s)", path, store_journal(store));
    const bool sound = status == STATUS_OK && findings.size == 0;
    store_close(store);
    text_release(&findings);
    return sound;
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
    const bool sound = check_database(request->database, &database);
    struct text first = {0};
    text_add_bytes(&first, text_string(&database), strcspn(text_string(&database), "\n"));
    call->code = print_verdict(&list, sound, text_string(&first)) ? 0 : status_exit_code(STATUS_NO_DEVICE);
    devices_release(&list);
    print_program();
    const enum status status = print_backends(error);
    if (status == STATUS_OK) {
        print_device_files();
        print_limits();
        print_variables();
        print_title("Database");
        print_indented("  ", text_string(&database));
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
