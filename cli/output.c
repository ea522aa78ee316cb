// SPDX-License-Identifier: Apache-2.0
/* What a verb writes: its error, its files and pages, and whether standard output has all of it. */
#include "cli/output.h"

#include <poll.h>
#include <signal.h>

/* Whether a text begins with FILE:LINE: or FILE:LINE:COLUMN:. */
static bool has_position(const char *text)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        const size_t digits = strspn(colon + 1, "0123456789");
        if (digits > 0 && colon[1 + digits] == ':')
            return true;
    }
    return false;
}

int complain(const char *verb, const struct error *error)
{
    struct text detail = {0};
    const bool in_file =
        error->status == STATUS_SYNTAX || (error->status == STATUS_UNREADABLE && has_position(error->text));
    terminal_print(stderr, "%s%s%s\n", in_file || !verb ? "" : verb, in_file || !verb ? "" : ": ", error->text);
    terminal_add_indented(&detail, "  ", error->detail);
    terminal_end(stderr, &detail);
    return status_exit_code(error->status);
}

size_t complain_of_unread(const char *verb, const struct side *side)
{
    for (size_t i = 0; i < side->unread_count; i++)
        (void)complain(verb, &side->unread[i].error);
    return side->unread_count;
}

enum status page_text_check(const struct text *text, const char *what, struct error *error)
{
    return text->failed ? error_set(error, STATUS_LIMIT, "%s is larger than %d MiB: select fewer tests", what,
                                    TEXT_MAXIMUM >> 20)
                        : STATUS_OK;
}

enum status page_file_write(const char *path, const struct text *text, struct error *error)
{
    TRY(page_text_check(text, "the page", error));
    if (strcmp(path, "-") == 0) {
        LOCAL(text) inert = {0};
        terminal_add_inert(&inert, text_string(text));
        (void)fwrite(text_string(&inert), 1, inert.size, stdout); /* main reports errors of standard output */
        return STATUS_OK;
    }
    return file_write_whole(path, text_string(text), text->size, error);
}

enum status output_document(const struct document *document, int printer, const char *path, struct error *error)
{
    LOCAL(text) text = {0};
    if (!path)
        return STATUS_OK;
    document_printers[printer].print(document, &text);
    return page_file_write(path, &text, error);
}

enum status output_end(struct output *output, struct error *error)
{
    if (output->document.answer) {
        output->text.width = terminal_width(stdout);
        output->text.colours = terminal_has_colours(stdout);
        document_print_text(&output->document, &output->text);
    }
    document_release(&output->document);
    enum status status = page_text_check(&output->text, output->what, error);
    if (status == STATUS_OK && !(output->path && strcmp(output->path, "-") == 0)) /* main reports errors */
        (output->source ? terminal_write_source : terminal_write)(stdout, text_string(&output->text));
    if (status == STATUS_OK && output->path)
        status = page_file_write(output->path, &output->page, error);
    text_release(&output->text);
    text_release(&output->page);
    return status;
}

int finish_output(int code)
{
    const int why = fflush(stdout) == 0 ? 0 : errno;
    if (why == 0 && !ferror(stdout))
        return code;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR)) {
        /* The reader has seen enough, like `head`: the usual end of a filter, without a message. */
        (void)signal(SIGPIPE, SIG_DFL);
        (void)raise(SIGPIPE);
    }
    terminal_print(stderr, "orchil: standard output cannot be written: %s\n",
                   why ? strerror(why) : "some of it was lost");
    return code != 0 ? code : EXIT_OUTPUT;
}
