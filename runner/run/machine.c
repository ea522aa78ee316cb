// SPDX-License-Identifier: Apache-2.0
/* What is found on a machine, a section each. */
#include "runner/run/machine.h"

#include <glob.h>
#include <jansson.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "results/results.h"
#include "runner/run/provenance.h"
#include "version.h"

/* ---- the program ---- */

static void machine_add_program(struct text *lines)
{
    struct utsname name;
    text_add(lines, "version %s%s%s\n", ORCHIL_VERSION, ORCHIL_COMMIT[0] ? ", commit " : "", ORCHIL_COMMIT);
    text_add(lines, "SQLite %s, jansson %s\n", store_library_version(), jansson_version_str());
    if (uname(&name) == 0)
        terminal_add(lines, "%s %s on %s\n", name.sysname, name.release, name.machine);
}

/* ---- device files ---- */

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
    size_t count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        count += add_files(files[i].pattern, files[i].hint, lines);
    if (count == 0)
        text_add(
            lines,
            "no GPU (/dev/nvidia*, /dev/dri/renderD*, /dev/kfd): there is no GPU, no kernel module for it, or this "
            "is a container without it\n");
}

/* ---- limits ---- */

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
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (access(signs[i].path, F_OK) == 0)
            text_add(lines,
                     "this is a container (%s): it sees a GPU only if it was started with one, as with 'docker run "
                     "--gpus all' or '--device /dev/dri'\n",
                     signs[i].kind);
}

static void machine_add_limits(struct text *lines)
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

/* ---- variables ---- */

static void machine_add_variables(struct text *lines)
{
    const bool nameless = getenv(PROVENANCE_NAMELESS) != NULL; /* a report: values have names and paths */
    for (char *const *at = environ; at && *at; at++)
        if (provenance_steers(*at))
            terminal_add(lines, "%.*s%s\n", (int)(nameless ? strcspn(*at, "=") : strlen(*at)), *at,
                         nameless ? "=(set)" : "");
    if (lines->size == 0)
        text_add(lines, "none is set\n");
}

const struct machine_section machine_program = {"Program", machine_add_program};
const struct machine_section machine_sections[] = {{"Device files", add_device_files},
                                                   {"Limits", machine_add_limits},
                                                   {"Variables that change drivers", machine_add_variables},
                                                   {NULL, NULL}};

/* ---- the database ---- */

bool machine_check_database(const char *path, struct text *text)
{
    struct store *store = NULL;
    struct text findings = {0};
    struct error error = {0};
    if (access(path, F_OK) != 0) {
        text_add(text, "%s does not exist yet: `orchil run` creates it", path);
        return true;
    }
    enum status status = store_open(path, STORE_READ, &store, &error);
    if (status == STATUS_OK)
        status = store_check(store, &findings, &error);
    if (status != STATUS_OK)
        text_add(text, "%s", error.text);
    else if (findings.size > 0)
        text_add(text, "%s is damaged:\n%s", path, text_string(&findings));
    else
        text_add(text, "%s is sound (journal: %s)", path, store_journal(store));
    const bool sound = status == STATUS_OK && findings.size == 0;
    store_close(store);
    text_release(&findings);
    return sound;
}
