// SPDX-License-Identifier: Apache-2.0
/* orchil reproduce: a program of its own that shows an outcome of a stored job. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/quantity.h"
#include "base/terminal/terminal.h"
#include "base/whole_file.h"
#include "cli/complaint.h"
#include "cli/verbs/verb.h"

#include "runner/reproduce/recall.h"
#include "version.h"

struct reproduce_request {
    uint64_t job;
    const char *outcome, *folder;
    struct arguments places;
};

#define AT(member) offsetof(struct reproduce_request, member)

static const struct option_row reproduce_rows[] = {
    {"job", 0, "N", OPTION_COUNT, AT(job), .expected = "the number of a job",
     .help = "the job, by its number in the database (`orchil export --format csv DATABASE` lists them)"},
    {"outcome", 0, "LABEL", OPTION_TEXT, AT(outcome),
     .help = "the outcome, as '1:r0=1; 1:r1=0;' (default: one that a model forbids, else the one that the test asks for)"},
    {"output", 'o', "FOLDER", OPTION_TEXT, AT(folder), .help = "write the program into this folder, which must be new or empty of such files"},
    {0}};

static const char documentation[] =
    "Writes a program of its own that shows an outcome which a stored job has seen: for a bug report, or to see it without orchil."
    "\vThe program is one reproduce.cu, or reproduce.cl with its host reproduce.c, with a Makefile and a README.md that has "
    "the test, what the memory model says, and where it was seen. It needs CUDA's toolkit, or OpenCL's headers and "
    "loader, and nothing else. It plays the test as the job's best batch did, with the numbers of that as constants. Three "
    "runs say `seen K of N` each; it exits with 1 where the outcome was seen, 0 where it was not, 2 where it failed.\n\n"
    "Examples:\n"
    "  orchil run --db mp.db ptx:MP+relaxed\n"
    "  orchil reproduce mp.db --job 1 -o mp\n"
    "  make -C mp run\n"
    "  orchil reproduce mp.db --job 1 --outcome '1:r0=1; 1:r1=0;' -o mp\n\n"
    "Exit codes: 0 written; 2 wrong usage, there is no such job, it has no kernel or has not seen the outcome, the "
    "program cannot be written for it, or a file cannot be created; 4 the database or the disk failed.";

static void reproduce_check(const struct argp_state *state, const void *data)
{
    const struct reproduce_request *request = data;
    if (request->places.count > 1)
        options_error(state, "expected one DATABASE, found also '%s'", request->places.list[1]);
    else if (request->job == 0)
        options_error(state, "expected --job N, the number of a job of the database");
    else if (!request->folder)
        options_error(state, "expected -o FOLDER, where the program goes");
}

/* ---- writing ---- */

static enum status write_file(const char *folder, const struct reproduced_file *file, struct error *error)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, file->name) >= (int)sizeof path)
        return error_set(error, STATUS_USAGE, "%s: the path is too long", folder);
    return file_write_whole(path, text_string(&file->text), file->text.size, error);
}

/* A folder that somebody keeps other things in is left alone. */
static enum status make_folder(const char *folder, const struct reproducer *reproducer, struct error *error)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < reproducer->file_count; i++) {
        struct stat found;
        const bool fits = snprintf(path, sizeof path, "%s/%s", folder, reproducer->files[i].name) < (int)sizeof path;
        if (fits && stat(path, &found) == 0)
            return error_set(error, STATUS_USAGE, "%s is there already: give -o a folder that is new", path);
    }
    return file_make_folders(folder, 0777, error);
}

static void tell_written(const struct reproduce_facts *facts, const struct reproducer *reproducer, const char *folder)
{
    terminal_print(stdout, "%s: %s on %s\n", facts->test->name, facts->outcome, facts->device->name);
    for (size_t i = 0; i < reproducer->file_count; i++)
        terminal_print(stdout, "  %s/%s\n", folder, reproducer->files[i].name);
    terminal_print(stdout, "%u lines of program; three runs take %s. At the rate of the job, %s of %s, all three see it after %s.\n",
                   reproducer->lines, QUANTITY_SECONDS(reproducer->seconds), QUANTITY_COUNT(facts->seen),
                   QUANTITY_COUNT(facts->instances), QUANTITY_SECONDS(fmax(reproducer->expected, 0.1)));
    terminal_print(stdout, "To build and run it: make -C %s run\n", folder);
}

static enum status write_all(const struct reproduce_request *request, const struct reproduce_facts *facts,
                             struct error *error)
{
    struct reproducer reproducer;
    enum status status = reproduce_write(facts, &reproducer, error);
    if (status == STATUS_OK)
        status = make_folder(request->folder, &reproducer, error);
    for (size_t i = 0; status == STATUS_OK && i < reproducer.file_count; i++)
        status = write_file(request->folder, &reproducer.files[i], error);
    if (status == STATUS_OK)
        tell_written(facts, &reproducer, request->folder);
    reproduce_release(&reproducer);
    return status;
}

/* ---- the verb ---- */

static enum status reproduce_job(struct reproduce_request *request, int argc, char **argv, struct error *error)
{
    const char *database = request->places.count > 0 ? request->places.list[0] : "orchil.db";
    struct reproduce_job job = {.test = NULL};
    struct store *store = NULL;
    struct text command = {0};
    char day[32] = "";
    const time_t now = time(NULL);
    for (int i = 0; i < argc; i++) {
        text_add(&command, i > 0 ? " " : "");
        if (i == 0)
            text_add(&command, "%s", argv[i]); /* "orchil reproduce" */
        else
            text_add_shell_word(&command, argv[i]);
    }
    (void)strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    enum status status = store_open(database, STORE_READ, &store, error);
    if (status == STATUS_OK)
        status = reproduce_recall(store, (int64_t)request->job, request->outcome, &job, error);
    job.facts.tool = "orchil " ORCHIL_VERSION;
    job.facts.command = text_string(&command);
    job.facts.when = day;
    if (status == STATUS_OK)
        status = write_all(request, &job.facts, error);
    if (status == STATUS_UNSUPPORTED) /* whatever is asked for, there is nothing to be written */
        status = error->status = STATUS_USAGE;
    store_close(store);
    reproduce_forget(&job);
    text_release(&command);
    return status;
}

static int reproduce_main(int argc, char **argv)
{
    struct reproduce_request request = {.job = 0};
    struct error error;
    options_parse(&verb_reproduce, argc, argv, &request);
    return reproduce_job(&request, argc, argv, &error) == STATUS_OK ? 0 : complain(argv[0], &error);
}

const struct verb verb_reproduce = {.name = "reproduce",
                                    .summary = "writes a program of its own that shows an outcome",
                                    .usage = "[DATABASE] --job N -o FOLDER",
                                    .documentation = documentation,
                                    .options = reproduce_rows,
                                    .arguments = AT(places),
                                    .check = reproduce_check,
                                    .run = reproduce_main};
