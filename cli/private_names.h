// SPDX-License-Identifier: Apache-2.0
/* Leaves names of people, hosts and folders out of texts that are to be sent to others. */
#pragma once

#include "base/base.h"

struct private_name {
    const char *name, *instead;
};

/* Names to leave out, longest first. Starts as {0}. */
struct private_names {
    struct private_name *list;
    size_t count;
    struct arena arena;
};

/* Adds a name, unless it has fewer than three bytes or is an ordinary word, such as root or localhost. */
void private_names_add(struct private_names *names, const char *name, const char *instead);

/* Adds the name of a host, the part before its domain, and its domain if that has a dot. NULL: none. */
void private_names_add_host(struct private_names *names, const char *host);

/* Adds what this process knows, from the system and from variables such as SUDO_USER and HOSTNAME: the working folder,
 * the home folder, the user and their full name, the host. */
void private_names_find(struct private_names *names);

/* Adds the users in the paths of home folders (/home/NAME, /Users/NAME, ~NAME/) in a text. */
void private_names_find_in(struct private_names *names, const char *text);

void private_names_release(struct private_names *names);

/* The first of the names in some bytes, in any case, or NULL. A name of fewer than six bytes is found only as a whole
 * word, and in what is no text, where it may be there by chance, only in its own case. */
const char *private_names_within(const struct private_names *names, const char *bytes, size_t size, bool is_text);

/* Forgets the names that are in some bytes, in which they are words like others. */
void private_names_forget_within(struct private_names *names, const char *bytes, size_t size);

/* Replaces each name in the text, in any case. */
void private_names_leave_out(const struct private_names *names, struct text *text);

/* Replaces each absolute path, and each that begins with ~/, ./ or ../. A path in quotes may have spaces. Replaces also
 * each e-mail address. */
void private_paths_leave_out(struct text *text);
