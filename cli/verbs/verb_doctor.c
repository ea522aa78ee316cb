// SPDX-License-Identifier: Apache-2.0
/* orchil doctor: what can prevent tests from running on this machine, and a report to send to others. */
#include <glob.h>
#include <jansson.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "base/temporary_folder.h"
#include "base/tool.h"
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
    LOCAL(text) output = {0};
    struct error failure = {0};
    (void)fflush(stdout);
    const enum status ended = tool_run_interrupted(arguments, seconds, GRACE_SECONDS, MOST_BYTES, &output, &failure);
    if (ended != STATUS_OK)
        text_add(&output, "\n%s\n", failure.text);
    private_names_leave_out(&report->names, &output);
    return file_write_quick(file, text_string(&output), output.size, error);
}

/* An interrupted run has stored what it finished, and one that is killed its earlier batches: a report with a part of
 * the tests says more than none. */
static enum status run_tests(const struct report *report, struct error *error)
{
    const double limit = time_limit(report->seconds), started = clock_seconds();
    const char *const budget = PRINTED(32, "%.0f", report->seconds < 1 ? 1 : report->seconds);
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
    TRY(tool_find_self(report->program, error));
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
    LOCAL(text) output = {0};
    size_t count = 9;
    for (size_t i = 0; i < COUNT(made); i++)
        if (access(made[i], F_OK) == 0)
            arguments[count++] = made[i];
    return tool_run(arguments, PART_SECONDS, MOST_BYTES, &output, error);
}

/* Writes a compressed archive: what doctor and devices print, the database of a run of these tests (a TEST) on the
 * default device, which may take that many seconds and is stopped soon after, and the code of its kernels. Names of
 * this user and of this machine, and paths of the home folder, are left out. Prints what it does. Without a usable
 * device, the archive says why. */
static enum status doctor_report(const char *file, double seconds, const char *tests, struct error *error)
{
    struct report report = {.seconds = seconds, .tests = tests};
    LOCAL(text) path = {0};
    private_names_find(&report.names);
    if (!getcwd(report.here, sizeof report.here))
        report.here[0] = '\0';
    text_add(&path, "%s%s%s", *file == '/' ? "" : report.here, *file == '/' ? "" : "/", file);
    terminal_print(stdout, "The tests take %s; they are stopped after %s.\n", QUANTITY_SECONDS(seconds),
                   QUANTITY_SECONDS(time_limit(seconds) + GRACE_SECONDS));
    enum status status = make_folder(&report.folder, error);
    private_names_add(&report.names, report.folder.path, "(folder)");
    THEN(status, make_report(&report, text_string(&path), error));
    if (report.folder.path[0] && chdir(report.here) == 0)
        temporary_folder_close(&report.folder);
    if (status == STATUS_OK)
        terminal_print(
            stdout,
            "%s is ready. As far as orchil knows, it contains no name of a person or of this machine. Check it before "
            "you send it: tar -tzf %s\n",
            file, file);
    private_names_release(&report.names);
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
    {"db", 0, "FILE", OPTION_TEXT, .offset = AT(database), "orchil.db", .file = OPTION_FILE_READ},
    {"report", 0, "FILE", OPTION_TEXT, .offset = AT(report), NULL, .file = OPTION_FILE_WRITTEN},
    {"time", 0, "S", OPTION_SECONDS, .offset = AT(seconds), "180"},
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

/* ---- the machine, a section each: lines for people, each with what helps ---- */

static void add_program(struct text *lines)
{
    struct utsname name;
    text_add(lines, "version %s%s%s\n", ORCHIL_VERSION, ORCHIL_COMMIT[0] ? ", commit " : "", ORCHIL_COMMIT);
    text_add(lines, "SQLite %s, jansson %s\n", store_library_version(), jansson_version_str());
    if (uname(&name) == 0)
        terminal_add(lines, "%s %s on %s\n", name.sysname, name.release, name.machine);
}

static size_t add_files(const char *pattern, const char *hint, struct text *lines)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    const size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++) {
        const bool usable = access(found.gl_pathv[i], R_OK | W_OK) == 0;
        terminal_add(lines, "%s%s%s\n", found.gl_pathv[i], usable ? "" : ": may not be opened by this user; ",
                     usable ? "" : hint);
    }
    globfree(&found);
    return count;
}

static void add_device_files(struct text *lines)
{
    static const char groups[] = "join its group: 'sudo usermod -aG render,video $USER', then log in again";
    static const char nvidia[] = "ask for the right to it, or start the container with '--gpus all'";
    static const struct {
        const char *pattern, *hint;
    } files[] = {{"/dev/nvidia[0-9]*", nvidia},
                 {"/dev/nvidiactl", nvidia},
                 {"/dev/nvidia-uvm", nvidia},
                 {"/dev/dri/renderD*", groups},
                 {"/dev/kfd", groups}};
    const size_t count = SUM_OF(size_t, file, files, COUNT(files), add_files(file->pattern, file->hint, lines));
    if (count == 0)
        text_add(
            lines,
            "no GPU (/dev/nvidia*, /dev/dri/renderD*, /dev/kfd): there is no GPU, no kernel module for it, or this "
            "is a container without it\n");
}

/* The first line of a file, without its newline; false if it cannot be read. */
static bool first_line(const char *path, char *line, size_t size)
{
    if (file_read_start(path, line, size) == 0)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static void add_container(struct text *lines)
{
    static const struct {
        const char *path, *kind;
    } signs[] = {
        {"/.dockerenv", "Docker"},
        {"/run/.containerenv", "Podman"},
        {"/run/systemd/container", "a container of systemd"},
        {"/var/run/secrets/kubernetes.io", "Kubernetes"},
    };
    for (size_t i = 0; i < COUNT(signs); i++)
        if (access(signs[i].path, F_OK) == 0)
            text_add(lines,
                     "this is a container (%s): it sees a GPU only if it was started with one, as with 'docker run "
                     "--gpus all' or '--device /dev/dri'\n",
                     signs[i].kind);
}

static void add_limits(struct text *lines)
{
    char line[256];
    cpu_set_t processors;
    struct rlimit limit;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0)
        text_add(lines, "processors for this process: %d\n", CPU_COUNT(&processors));
    if (first_line("/sys/fs/cgroup/cpu.max", line, sizeof line) && strncmp(line, "max", 3) != 0)
        terminal_add(lines, "processor time is limited (cpu.max: %s): rates of a CPU device will vary\n", line);
    if (first_line("/sys/fs/cgroup/memory.max", line, sizeof line) && strcmp(line, "max") != 0)
        terminal_add(lines, "memory is limited to %s bytes\n", line);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        text_add(lines, "the address space is limited (ulimit -v): CUDA needs far more than it uses; lift it with "
                        "'ulimit -v unlimited'\n");
    if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur != 0)
        text_add(lines, "a driver that crashes may leave a core file: 'ulimit -c 0' prevents it\n");
    if (first_line("/proc/driver/nvidia/version", line, sizeof line))
        terminal_add(lines, "kernel module: %s\n", line);
    add_container(lines);
}

static void add_variables(struct text *lines)
{
    const bool nameless = getenv(PROVENANCE_NAMELESS) != NULL; /* a report: values have names and paths */
    for (char *const *at = environ; at && *at; at++)
        if (provenance_steers(*at))
            terminal_add(lines, "%.*s%s\n", (int)(nameless ? strcspn(*at, "=") : strlen(*at)), *at,
                         nameless ? "=(set)" : "");
    if (lines->size == 0)
        text_add(lines, "none is set\n");
}

static void print_machine(const char *title, void (*add)(struct text *lines))
{
    LOCAL(text) lines = {0};
    add(&lines);
    print_section(title, "  ", text_string(&lines));
}

/* ---- the database ---- */

/* Appends what there is to say of a database. Returns whether it can be used; one that does not exist can. */
static bool check_database(const char *path, struct text *text)
{
    struct store *store = NULL;
    LOCAL(text) findings = {0};
    struct error error = {0};
    if (access(path, F_OK) != 0) {
        text_add(text, "%s does not exist yet: `orchil run` creates it", path);
        return true;
    }
    enum status status = store_open(path, STORE_READ, &store, &error);
    THEN(status, store_check(store, &findings, &error));
    if (status != STATUS_OK)
        text_add(text, "%s", error.text);
    else if (findings.size > 0)
        text_add(text, "%s is damaged:\n%s", path, text_string(&findings));
    else
        text_add(text, "%s is sound (journal: %s)", path, store_journal(store));
    const bool sound = status == STATUS_OK && findings.size == 0;
    store_close(store);
    return sound;
}

/* ---- backends ---- */

static enum status print_backends(struct error *error)
{
    for (const struct backend *const *at = backends; *at; at++) {
        LOCAL(text) text = {0}, title = {0};
        (void)fflush(stdout);
        const enum status status = devices_explain(*at, &text, error);
        const char *const lines = text_string(&text); /* the first is the title */
        const size_t size = strcspn(lines, "\n");
        text_add_bytes(&title, lines, size);
        print_section(text_string(&title), "", lines + size + (lines[size] == '\n'));
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
    LOCAL(text) text = {0};
    const size_t usable = SUM_OF(size_t, one, list->devices, list->count, one->takes != 0);
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
    LOCAL(text) database = {0};
    if (request->report)
        return doctor_report(request->report, request->seconds,
                             request->tests.count > 0 ? request->tests.list[0] : "@report", error);
    TRY(devices_find(NULL, &list, error));
    const bool sound = check_database(request->database, &database);
    LOCAL(text) first = {0};
    text_add_bytes(&first, text_string(&database), strcspn(text_string(&database), "\n"));
    call->code = print_verdict(&list, sound, text_string(&first)) ? 0 : status_exit_code(STATUS_NO_DEVICE);
    devices_release(&list);
    print_machine("Program", add_program);
    const enum status status = print_backends(error);
    if (status == STATUS_OK) {
        print_machine("Device files", add_device_files);
        print_machine("Limits", add_limits);
        print_machine("Variables that change drivers", add_variables);
        print_section("Database", "  ", text_string(&database));
    }
    return status;
}

VERB_ENTRY(doctor, tests, (0), .check = doctor_check_options);
