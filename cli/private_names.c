// SPDX-License-Identifier: Apache-2.0
/* Leaves names of people, hosts and folders out of texts that are to be sent to others. */
#include "cli/private_names.h"

#include <ctype.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { SHORTEST = 3, WHOLE_WORD = 6 }; /* bytes: a shorter name than the second is often a part of other words */

/* Names of accounts and hosts that tell nothing about anybody. */
static const char *const ordinary[] = {"root",      "user",      "users",  "admin",  "test",  "guest",
                                       "nobody",    "runner",    "ubuntu", "debian", "build", "host",
                                       "localhost", "container", "worker", "name"};

void private_names_add(struct private_names *names, const char *name, const char *instead)
{
    if (!name || strlen(name) < SHORTEST)
        return;
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        if (strcmp(ordinary[i], name) == 0)
            return;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i].name, name) == 0)
            return;
    ARENA_ADD(&names->arena, names->list, names->count) =
        (struct private_name){arena_copy(&names->arena, name), instead};
    for (size_t i = names->count - 1; i > 0 && strlen(names->list[i].name) > strlen(names->list[i - 1].name); i--) {
        const struct private_name longer = names->list[i];
        names->list[i] = names->list[i - 1];
        names->list[i - 1] = longer;
    }
}

void private_names_add_host(struct private_names *names, const char *host)
{
    char label[sizeof((struct utsname *)0)->nodename];
    private_names_add(names, host, "(host)");
    const size_t length = strcspn(host, "."); /* of the name within its domain */
    if (length == strlen(host) || length >= sizeof label)
        return;
    memcpy(label, host, length);
    label[length] = '\0';
    private_names_add(names, label, "(host)");
}

static void add_account(struct private_names *names)
{
    const struct passwd *account = getpwuid(getuid());
    if (!account)
        return;
    private_names_add(names, account->pw_dir, "(home)");
    private_names_add(names, account->pw_name, "(user)");
    char *full = account->pw_gecos ? strndup(account->pw_gecos, strcspn(account->pw_gecos, ",")) : NULL;
    private_names_add(names, full, "(user)");
    free(full);
}

void private_names_find(struct private_names *names)
{
    char here[PATH_MAX];
    struct utsname system;
    if (getcwd(here, sizeof here))
        private_names_add(names, here, "(here)");
    private_names_add(names, getenv("HOME"), "(home)");
    private_names_add(names, getenv("USER"), "(user)");
    private_names_add(names, getenv("LOGNAME"), "(user)");
    add_account(names);
    if (uname(&system) == 0)
        private_names_add_host(names, system.nodename);
}

void private_names_find_in(struct private_names *names, const char *text)
{
    static const char *const above[] = {"/home/", "/Users/"};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
        for (const char *at = strstr(text, above[i]); at; at = strstr(at, above[i])) {
            at += strlen(above[i]);
            const size_t length = strcspn(at, "/ \t\n\"':;,)");
            char *user = strndup(at, length);
            private_names_add(names, user, "(user)");
            free(user);
        }
}

void private_names_release(struct private_names *names)
{
    arena_release(&names->arena);
    *names = (struct private_names){0};
}

static bool is_part(const char *bytes, size_t size, size_t at, size_t length)
{
    return (at > 0 && isalnum((unsigned char)bytes[at - 1])) ||
           (at + length < size && isalnum((unsigned char)bytes[at + length]));
}

/* Where the name is; `size` if it is not there. */
static size_t find(const char *name, const char *bytes, size_t size)
{
    const size_t length = strlen(name);
    for (size_t at = 0; at < size; at++) {
        const char *found = memmem(bytes + at, size - at, name, length);
        if (!found)
            return size;
        at = (size_t)(found - bytes);
        if (length >= WHOLE_WORD || !is_part(bytes, size, at, length))
            return at;
    }
    return size;
}

const char *private_names_within(const struct private_names *names, const char *bytes, size_t size)
{
    for (size_t i = 0; i < names->count; i++)
        if (find(names->list[i].name, bytes, size) < size)
            return names->list[i].name;
    return NULL;
}

static void leave_out(const struct private_name *name, struct text *text)
{
    struct text kept = {0};
    const char *at = text_string(text);
    size_t left = text->size;
    if (find(name->name, at, left) == left)
        return;
    for (size_t found = find(name->name, at, left); found < left; found = find(name->name, at, left)) {
        text_add_bytes(&kept, at, found);
        text_add(&kept, "%s", name->instead);
        at += found + strlen(name->name);
        left -= found + strlen(name->name);
    }
    text_add_bytes(&kept, at, left);
    text_release(text);
    *text = kept;
}

void private_names_leave_out(const struct private_names *names, struct text *text)
{
    for (size_t i = 0; i < names->count; i++)
        leave_out(&names->list[i], text);
}

/* The length of the path that begins here, or 0. One slash alone is none. */
static size_t path_length(const char *start, const char *at)
{
    static const char inside[] = "/._-+@~%#";
    const char *slash = at + (*at == '~' ? 1 : strspn(at, "."));
    if ((at > start && (isalnum((unsigned char)at[-1]) || strchr(inside, at[-1]))) || slash > at + 2 || *slash != '/' ||
        !(isalnum((unsigned char)slash[1]) || slash[1] == '_' || slash[1] == '.'))
        return 0;
    while (isalnum((unsigned char)*slash) || (*slash && strchr(inside, *slash)) || (unsigned char)*slash >= 0x80)
        slash++;
    return (size_t)(slash - at);
}

void private_paths_leave_out(struct text *text)
{
    struct text kept = {0};
    const char *start = text_string(text);
    for (const char *at = start; *at;) {
        const size_t length = path_length(start, at);
        if (length > 0)
            text_add(&kept, "(path)");
        else
            text_add_bytes(&kept, at, 1);
        at += length > 0 ? length : 1;
    }
    text_release(text);
    *text = kept;
}
