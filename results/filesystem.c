// SPDX-License-Identifier: Apache-2.0
/* Which file systems are shared between machines, and how much space is free. */
#include "results/filesystem.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* Magic numbers of statfs(2) and linux/magic.h; several are not in the headers of the C library. */
static const unsigned long shared_types[] = {
    0x6969,     /* NFS */
    0x517b,     /* SMB */
    0xff534d42, /* CIFS */
    0xfe534d42, /* SMB2 and later */
    0x564c,     /* NCP */
    0x73757245, /* Coda */
    0x5346414f, /* AFS, OpenAFS */
    0x6b414653, /* the kernel's AFS */
    0x01021997, /* 9P */
    0x00c36400, /* Ceph */
    0x0bd00bd0, /* Lustre */
    0x47504653, /* GPFS */
    0x19830326, /* BeeGFS */
    0x7461636f, /* OCFS2 */
    0x01161970, /* GFS2 */
    0x786f4256, /* VirtualBox shared folders */
    0xbacbacbc, /* VMware shared folders */
    0x65735546, /* FUSE: sshfs, virtiofs, s3fs and others, which cannot be distinguished */
};

bool filesystem_shared(unsigned long type)
{
    for (size_t i = 0; i < sizeof shared_types / sizeof *shared_types; i++)
        if (shared_types[i] == type)
            return true;
    return false;
}

bool filesystem_holds_shared(const char *path)
{
    struct statfs about;
    /* f_type is signed on some machines: CIFS would be negative. */
    return statfs(path, &about) != 0 || filesystem_shared((uint32_t)about.f_type);
}

const char *filesystem_room(const char *path, char buffer[FILESYSTEM_ROOM_SIZE])
{
    struct statvfs about;
    if (statvfs(path, &about) != 0) {
        (void)snprintf(buffer, FILESYSTEM_ROOM_SIZE, "how much is free there is unknown");
    } else {
        const double free_bytes = (double)about.f_bavail * (double)about.f_frsize;
        (void)snprintf(buffer, FILESYSTEM_ROOM_SIZE, "%.0f MiB are free there", free_bytes / (1024 * 1024));
    }
    return buffer;
}
