// SPDX-License-Identifier: Apache-2.0
/* Places: the files that paths name. */
#include "cli/place.h"

enum { MOST_LINKS = 40 };

static bool append(char path[PATH_MAX], const char *name, size_t length)
{
    const size_t old = strlen(path);
    const int added =
        snprintf(path + old, PATH_MAX - old, "%s%.*s", old > 0 && path[old - 1] == '/' ? "" : "/", (int)length, name);
    return added >= 0 && (size_t)added < PATH_MAX - old;
}

/* One step of a path from a folder. Sets *target to the path that a link names. */
static bool place_step(char path[PATH_MAX], const char *name, size_t length, char target[PATH_MAX])
{
    target[0] = '\0';
    if (length == 0 || (length == 1 && name[0] == '.'))
        return true;
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        *strrchr(path, '/') = '\0';
        return path[0] != '\0' || append(path, "", 0);
    }
    const size_t folder = strlen(path);
    if (!append(path, name, length))
        return false;
    const ssize_t size = readlink(path, target, PATH_MAX - 1);
    target[size > 0 ? size : 0] = '\0';
    if (size > 0)
        path[folder] = '\0';
    return true;
}

/* realpath of a path that may not exist, or may be a link to a file that does not. */
static bool resolve(const char *path, unsigned links, char resolved[PATH_MAX])
{
    char target[PATH_MAX];
    if (*path == '/')
        (void)snprintf(resolved, PATH_MAX, "/");
    for (const char *at = path; *at;) {
        const size_t length = strcspn(at, "/");
        if (!place_step(resolved, at, length, target) ||
            (target[0] && (links == 0 || !resolve(target, links - 1, resolved))))
            return false;
        at += length + (at[length] == '/');
    }
    return true;
}

bool place_find(const char *path, struct place *place)
{
    if (!getcwd(place->path, sizeof place->path))
        (void)snprintf(place->path, sizeof place->path, "/");
    if (path[0] == '\0' || !resolve(path, MOST_LINKS, place->path))
        return false;
    place->exists = stat(path, &place->facts) == 0 || stat(place->path, &place->facts) == 0;
    return true;
}

bool place_is_same(const struct place *a, const struct place *b)
{
    if (a->exists && b->exists)
        return a->facts.st_dev == b->facts.st_dev && a->facts.st_ino == b->facts.st_ino;
    return !a->exists && !b->exists && strcmp(a->path, b->path) == 0;
}

bool place_is_below(const struct place *place, const struct place *folder)
{
    const size_t length = strcmp(folder->path, "/") == 0 ? 0 : strlen(folder->path);
    return strncmp(place->path, folder->path, length) == 0 && place->path[length] == '/';
}
