// SPDX-License-Identifier: Apache-2.0
/* Leaves names of people, hosts and folders out of texts that are to be sent to others. */
#include "cli/private_names.h"

#include <pwd.h>
#include <sys/utsname.h>

enum { SHORTEST = 3, WHOLE_WORD = 6 }; /* bytes: a shorter name than the second is often a part of other words */

/* Names of accounts and hosts that tell nothing about anybody; some are in the names of devices and drivers. */
static const char *const ordinary[] = {
    "root",   "user",   "users",     "admin",     "test",      "guest",  "nobody",      "runner",  "ubuntu", "debian",
    "build",  "host",   "localhost", "container", "worker",    "name",   "nvidia",      "intel",   "amd",    "cuda",
    "opencl", "vulkan", "linux",     "orchil",    "simulated", "device", "localdomain", "jenkins", "pocl"};

/* Where the folders of users are. */
static const char *const homes[] = {"/home/", "/Users/", "\\Users\\", "\\\\Users\\\\"};
static const char name_ends[] = "/\\ \t\n\"'`:;,()[]{}<>|&?";

/* Bytes are equal without regard to the case of ASCII letters, whatever the locale. */
static unsigned char fold(char byte)
{
    return (unsigned char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

static bool is_same(const char *left, const char *right, size_t length)
{
    size_t at = 0;
    while (at < length && fold(left[at]) == fold(right[at]))
        at++;
    return at == length;
}

void private_names_add(struct private_names *names, const char *name, const char *instead)
{
    if (!name || strlen(name) < SHORTEST || strcmp(name, instead) == 0) /* the last: of a copy that was cleaned */
        return;
    for (size_t i = 0; i < COUNT(ordinary); i++)
        if (is_same(ordinary[i], name, strlen(name) + 1))
            return;
    for (size_t i = 0; i < names->count; i++)
        if (is_same(names->list[i].name, name, strlen(name) + 1))
            return;
    ARENA_ADD(&names->arena, names->list, names->count) =
        (struct private_name){arena_copy(&names->arena, name), instead};
    for (size_t i = names->count - 1; i > 0 && strlen(names->list[i].name) > strlen(names->list[i - 1].name); i--) {
        const struct private_name longer = names->list[i];
        names->list[i] = names->list[i - 1];
        names->list[i - 1] = longer;
    }
}

static void add_part(struct private_names *names, const char *start, size_t length, const char *instead)
{
    FREED char *part = memory_copy_part(start, length);
    private_names_add(names, part, instead);
}

void private_names_add_host(struct private_names *names, const char *host)
{
    const size_t length = host ? strcspn(host, ".") : 0; /* of the name within its domain */
    private_names_add(names, host, "(host)");
    if (!host || host[length] == '\0')
        return;
    add_part(names, host, length, "(host)");
    if (strchr(host + length + 1, '.')) /* a word alone, like "local", tells nothing */
        private_names_add(names, host + length + 1, "(domain)");
}

/* Accounts of a directory have names like CORP\user and user@corp.example. */
static void add_user(struct private_names *names, const char *user)
{
    const char *domain = user ? strchr(user, '\\') : NULL;
    private_names_add(names, user, "(user)");
    if (domain)
        private_names_add(names, domain + 1, "(user)");
    else if (user && strchr(user, '@'))
        add_part(names, user, strcspn(user, "@"), "(user)");
}

static void add_account(struct private_names *names)
{
    const struct passwd *account = getpwuid(getuid());
    if (!account)
        return;
    private_names_add(names, account->pw_dir, "(home)");
    private_names_find_in(names, account->pw_dir);
    add_user(names, account->pw_name);
    if (account->pw_gecos)
        add_part(names, account->pw_gecos, strcspn(account->pw_gecos, ","), "(user)");
}

void private_names_find(struct private_names *names)
{
    static const char *const users[] = {"USER", "LOGNAME", "USERNAME", "SUDO_USER"}, *const hosts[] = {"HOSTNAME",
                                                                                                       "HOST"};
    char here[PATH_MAX];
    struct utsname system;
    if (getcwd(here, sizeof here)) {
        private_names_add(names, here, "(here)");
        private_names_find_in(names, here);
    }
    private_names_add(names, getenv("HOME"), "(home)");
    private_names_find_in(names, getenv("HOME") ? getenv("HOME") : "");
    for (size_t i = 0; i < COUNT(users); i++)
        add_user(names, getenv(users[i]));
    for (size_t i = 0; i < COUNT(hosts); i++)
        private_names_add_host(names, getenv(hosts[i]));
    add_account(names);
    if (uname(&system) == 0)
        private_names_add_host(names, system.nodename);
}

void private_names_find_in(struct private_names *names, const char *text)
{
    for (size_t i = 0; i < COUNT(homes); i++)
        for (const char *at = strcasestr(text, homes[i]); at; at = strcasestr(at, homes[i])) {
            at += strlen(homes[i]);
            add_part(names, at, strcspn(at, name_ends), "(user)");
        }
    for (const char *at = strchr(text, '~'); at; at = strchr(at + 1, '~')) { /* ~NAME/ */
        const size_t length = strcspn(at + 1, name_ends);
        if (at[1 + length] == '/' && (at == text || !isalnum((unsigned char)at[-1])))
            add_part(names, at + 1, length, "(user)");
    }
}

ARENA_RELEASES(, private_names)

static bool is_part(const char *bytes, size_t size, size_t at, size_t length)
{
    return (at > 0 && isalnum((unsigned char)bytes[at - 1])) ||
           (at + length < size && isalnum((unsigned char)bytes[at + length]));
}

/* Where the name is, in any case unless exact; `size` if it is not there. */
static size_t private_names_search(const char *name, const char *bytes, size_t size, bool exact)
{
    const size_t length = strlen(name);
    for (size_t at = 0; at + length <= size; at++)
        if (is_same(bytes + at, name, length) && (!exact || memcmp(bytes + at, name, length) == 0) &&
            (length >= WHOLE_WORD || !is_part(bytes, size, at, length)))
            return at;
    return size;
}

const char *private_names_within(const struct private_names *names, const char *bytes, size_t size, bool is_text)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *const name = names->list[i].name;
        if (private_names_search(name, bytes, size, !is_text && strlen(name) < WHOLE_WORD) < size)
            return name;
    }
    return NULL;
}

void private_names_forget_within(struct private_names *names, const char *bytes, size_t size)
{
    size_t kept = 0;
    for (size_t i = 0; i < names->count; i++)
        if (private_names_search(names->list[i].name, bytes, size, false) == size)
            names->list[kept++] = names->list[i];
    names->count = kept;
}

static void leave_out(const struct private_name *name, struct text *text)
{
    struct text kept = {0};
    const char *at = text_string(text);
    size_t left = text->size;
    if (private_names_search(name->name, at, left, false) == left)
        return;
    for (size_t found = private_names_search(name->name, at, left, false); found < left;
         found = private_names_search(name->name, at, left, false)) {
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

/* Whether a path can begin here: after no word, except the letter of an option of a compiler, as in -I/usr/include, and
 * not as the part of an address on the web. */
static bool may_begin(const char *start, const char *at)
{
    static const char inside[] = "/._-+@~%#";
    const bool option = at >= start + 2 && at[-2] == '-' && isalpha((unsigned char)at[-1]);
    const bool address = at > start && at[-1] == ':' && at[0] == '/' && at[1] == '/';
    if (address)
        return at >= start + 5 && is_same(at - 5, "file:", 5);
    return at == start || option || (!isalnum((unsigned char)at[-1]) && !strchr(inside, at[-1]));
}

/* The length of the path that begins here, or 0. One slash alone is none. In quotes, it ends with them. */
static size_t path_length(const char *start, const char *at)
{
    static const char inside[] = "/._-+@~%#";
    const char *slash = at + (*at == '~' ? 1 : strspn(at, "."));
    const char *name = slash + strspn(slash, "/");
    if (slash > at + 2 || *slash != '/' || !may_begin(start, at) ||
        !(isalnum((unsigned char)*name) || *name == '_' || *name == '.' || (unsigned char)*name >= 0x80))
        return 0;
    const char quote = at > start && strchr("'\"`", at[-1]) ? at[-1] : '\n';
    const char *end = strchr(slash, quote);
    if (quote != '\n' && end && !memchr(slash, '\n', (size_t)(end - slash)))
        return (size_t)(end - at);
    while (isalnum((unsigned char)*slash) || (*slash && strchr(inside, *slash)) || (unsigned char)*slash >= 0x80)
        slash++;
    return (size_t)(slash - at);
}

/* The length of the e-mail address that begins here, or 0. */
static size_t address_length(const char *start, const char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+";
    const size_t user = strspn(at, letters), domain = at[user] == '@' ? strspn(at + user + 1, letters) : 0;
    const char *const host = at + user + 1, *dot = domain > 0 ? memrchr(host, '.', domain) : NULL;
    if (user == 0 || (at > start && strchr(letters, at[-1])) || !dot || dot == host)
        return 0;
    while (dot + 1 < host + domain && isalpha((unsigned char)dot[1])) /* "8@2.60GHz" is none */
        dot++;
    return dot + 1 == host + domain && *dot != '.' ? user + 1 + domain : 0;
}

void private_paths_leave_out(struct text *text)
{
    struct text kept = {0};
    const char *start = text_string(text);
    for (const char *at = start; *at;) {
        const size_t path = path_length(start, at), address = path > 0 ? 0 : address_length(start, at);
        if (path > 0 || address > 0)
            text_add(&kept, "%s", path > 0 ? "(path)" : "(address)");
        else
            text_add_bytes(&kept, at, 1);
        at += path + address > 0 ? path + address : 1;
    }
    text_release(text);
    *text = kept;
}
