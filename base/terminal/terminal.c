// SPDX-License-Identifier: Apache-2.0
/* What a stream can show: colours, width, a redrawn line. */
#include "base/terminal/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

static const double redraw_seconds = 0.1, line_seconds = 10;

static bool is_terminal(FILE *stream)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
}

bool terminal_has_colours(FILE *stream)
{
    const char *never = getenv("NO_COLOR"), *always = getenv("CLICOLOR_FORCE");
    if (never && never[0] != '\0')
        return false;
    if (always && always[0] != '\0' && strcmp(always, "0") != 0)
        return true;
    return is_terminal(stream);
}

unsigned terminal_width(FILE *stream)
{
    struct winsize size = {0};
    if (!is_terminal(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

const char *terminal_style(bool colours, enum terminal_style style)
{
    /* The first eight colours only: every palette has them, dark or light. */
    static const char *const codes[] = {
        [TERMINAL_PLAIN] = "\033[0m", [TERMINAL_STRONG] = "\033[1m", [TERMINAL_FAINT] = "\033[2m",
        [TERMINAL_GOOD] = "\033[32m", [TERMINAL_BAD] = "\033[31m",   [TERMINAL_WARNING] = "\033[33m",
    };
    return colours && (size_t)style < sizeof codes / sizeof *codes ? codes[style] : "";
}

void terminal_add_safe(struct text *text, const char *from)
{
    for (; *from; from++) {
        const unsigned char byte = (unsigned char)*from;
        text_add_bytes(text, byte < ' ' || byte == 0x7f ? "?" : from, 1);
    }
}

/* ---- progress ---- */

bool progress_due(const struct progress *progress, FILE *stream)
{
    return progress->last == 0 ||
           clock_seconds() - progress->last >= (is_terminal(stream) ? redraw_seconds : line_seconds);
}

void progress_show(struct progress *progress, FILE *stream, const char *line)
{
    const unsigned width = terminal_width(stream);
    progress->last = clock_seconds();
    progress->drawn = is_terminal(stream);
    /* One column stays free: a full line would wrap, and its first part could not be drawn anew. */
    if (progress->drawn)
        (void)fprintf(stream, "\r\033[K%.*s", width > 1 ? (int)width - 1 : 78, line);
    else
        (void)fprintf(stream, "%s\n", line);
    (void)fflush(stream);
}

void progress_clear(struct progress *progress, FILE *stream)
{
    if (progress->drawn) {
        (void)fputs("\r\033[K", stream);
        (void)fflush(stream);
    }
    progress->drawn = false;
}
