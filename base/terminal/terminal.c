// SPDX-License-Identifier: Apache-2.0
/* What a stream can show: colours, width, and a redrawn line. */
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

/* The locale of a category, from the variables that POSIX defines for it; "" if none is set. */
static const char *locale_of(const char *category)
{
    const char *const names[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return locale;
    }
    return "";
}

bool terminal_has_unicode(void)
{
    const char *locale = locale_of("LC_CTYPE");
    return strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8");
}

bool terminal_wants(const char *language)
{
    const char *locale = locale_of("LC_MESSAGES");
    const size_t size = strcspn(locale, "_.@");
    return strlen(language) == size && strncmp(locale, language, size) == 0 && terminal_has_unicode();
}

unsigned terminal_width(FILE *stream)
{
    enum { NARROWEST = 20, WIDEST = 10000 }; /* other widths are ignored */
    const char *columns = getenv("COLUMNS");
    char *end = NULL;
    const unsigned long said = columns ? strtoul(columns, &end, 10) : 0;
    struct winsize size = {0};
    if (columns && *end == '\0' && said >= NARROWEST && said <= WIDEST)
        return (unsigned)said;
    if (!is_terminal(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col < NARROWEST ? 0 : size.ws_col;
}

/* ---- progress ---- */

bool progress_due(const struct progress_line *progress, FILE *stream)
{
    const char *when = getenv("ORCHIL_PROGRESS");
    if (when && strcmp(when, "never") == 0)
        return false;
    return progress->last == 0 ||
           clock_seconds() - progress->last >= (is_terminal(stream) ? redraw_seconds : line_seconds);
}

void progress_show(struct progress_line *progress, FILE *stream, const char *line)
{
    const unsigned width = terminal_width(stream);
    struct text clean = {0}, safe = {0};
    progress->last = clock_seconds();
    progress->drawn = is_terminal(stream);
    terminal_add_safe(&clean, line);
    terminal_add_inert(&safe, text_string(&clean));
    /* One column stays free: a full line would wrap, and its first part could not be redrawn. */
    if (progress->drawn)
        (void)fprintf(stream, "\r\033[K%.*s", (int)terminal_bytes(text_string(&safe), width > 0 ? width - 1 : 78),
                      text_string(&safe));
    else
        (void)fprintf(stream, "%s\n", text_string(&safe));
    text_release(&clean);
    text_release(&safe);
    (void)fflush(stream);
}

void progress_clear(struct progress_line *progress, FILE *stream)
{
    if (progress->drawn) {
        (void)fputs("\r\033[K", stream);
        (void)fflush(stream);
    }
    progress->drawn = false;
}
