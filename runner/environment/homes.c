// SPDX-License-Identifier: Apache-2.0
/* The homes that an environment gives to locations. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runner/environment/environment.h"

enum { MAXIMUM_NAMED = ENVIRONMENT_MAXIMUM_HOMES / 4 }; /* "x=1," is the shortest */

/* "x=host" without blanks. */
struct named_home {
    char text[ENVIRONMENT_MAXIMUM_HOMES];
    size_t name_length;
};

/* Appends the word at *text, up to one of the ends and without blanks around it, to the home's
 * text. False if there is no valid word. */
static bool take_word(const char **text, const char *ends, const char *others, struct named_home *home)
{
    size_t length = strlen(home->text);
    *text += strspn(*text, " \t");
    const char *from = *text;
    while (isalnum((unsigned char)**text) || (**text != '\0' && strchr(others, **text)))
        ++*text;
    const size_t size = (size_t)(*text - from);
    *text += strspn(*text, " \t");
    if (size == 0 || length + size >= sizeof home->text - 1 || (**text != '\0' && !strchr(ends, **text)))
        return false;
    memcpy(home->text + length, from, size);
    home->text[length + size] = '\0';
    return true;
}

bool environment_is_home(const char *word)
{
    return strcmp(word, "host") == 0 || (word[0] >= '0' && word[0] < '0' + BACKEND_MAXIMUM_MEMBERS && word[1] == '\0');
}

/* Reads "x = 1" up to a comma or the end. */
static bool take_home(const char **text, struct named_home *home)
{
    *home = (struct named_home){0};
    if (!take_word(text, "=", "_*$.%", home) || **text != '=')
        return false;
    ++*text;
    home->name_length = strlen(home->text);
    if (strchr(home->text, '*') && home->name_length != 1)
        return false;
    home->text[home->name_length] = '='; /* take_word left room for it */
    home->text[home->name_length + 1] = '\0';
    return take_word(text, ",", "", home) && environment_is_home(home->text + home->name_length + 1);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct named_home *)a)->text, ((const struct named_home *)b)->text);
}

static bool same_name(const struct named_home *a, const struct named_home *b)
{
    return a->name_length == b->name_length && memcmp(a->text, b->text, a->name_length) == 0;
}

static enum status join_homes(struct named_home *list, size_t count, struct environment *environment,
                              struct error *error)
{
    char joined[ENVIRONMENT_MAXIMUM_HOMES] = "";
    size_t used = 0;
    qsort(list, count, sizeof *list, compare_names);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && same_name(&list[i - 1], &list[i]))
            return error_set(error, STATUS_SYNTAX, "homes: %.*s is given twice", (int)list[i].name_length,
                             list[i].text);
        const int wrote = snprintf(joined + used, sizeof joined - used, "%s%s", i > 0 ? "," : "", list[i].text);
        used += (size_t)wrote;
        if (used >= sizeof joined)
            return error_set(error, STATUS_SYNTAX, "homes: expected less than %d bytes", ENVIRONMENT_MAXIMUM_HOMES);
    }
    memcpy(environment->homes, joined, sizeof joined);
    return STATUS_OK;
}

enum status environment_set_homes(struct environment *environment, const char *text, struct error *error)
{
    struct named_home *list = memory_take(MAXIMUM_NAMED, sizeof *list);
    const char *rest = text;
    size_t count = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && rest[strspn(rest, " \t")] != '\0') {
        if (count == MAXIMUM_NAMED || !take_home(&rest, &list[count++]))
            status = error_set(error, STATUS_SYNTAX,
                               "homes: expected LOCATION=MEMBER, a number from 0 to %d or 'host', separated by commas, "
                               "found '%.100s'",
                               BACKEND_MAXIMUM_MEMBERS - 1, text);
        else if (*rest == ',' && *++rest == '\0')
            status =
                error_set(error, STATUS_SYNTAX, "homes: expected a location after the last comma of '%.100s'", text);
    }
    if (status == STATUS_OK)
        status = join_homes(list, count, environment, error);
    free(list);
    return status;
}

int environment_home_of(const struct environment *environment, const char *location)
{
    int home = ENVIRONMENT_HOME_DRAWN;
    const size_t length = strlen(location);
    for (const char *at = environment->homes; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
        const char *equals = strchr(at, '=');
        const size_t name_length = (size_t)(equals - at);
        const bool named = name_length == length && memcmp(at, location, length) == 0;
        if (named || (at[0] == '*' && home == ENVIRONMENT_HOME_DRAWN))
            home = equals[1] == 'h' ? ENVIRONMENT_HOME_HOST : equals[1] - '0';
        if (named)
            return home;
    }
    return home;
}
