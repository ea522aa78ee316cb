// SPDX-License-Identifier: Apache-2.0
/* A SQLite VFS whose n-th change of a file fails. */
#include "tests/results/fault_vfs.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* SQLite gives a VFS no way to reach a test except through global state. */
static sqlite3_vfs fault_vfs;
static sqlite3_vfs *real_vfs;
static struct fault_plan *current;

/* SQLite allocates szOsFile bytes: this struct, followed by the file of the real VFS. */
struct fault_file {
    sqlite3_file base;
    sqlite3_file *real;
    int last_errno;
};

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct fault_file *)(void *)file)->real;
}

static bool fails(void)
{
    const int number = ++current->changes;
    const bool failed = number == current->fail_at || (current->lasting && number > current->fail_at);
    current->failures += failed;
    return failed;
}

static int fault_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    if (!fails())
        return real_of(file)->pMethods->xWrite(real_of(file), bytes, size, offset);
    (void)real_of(file)->pMethods->xWrite(real_of(file), bytes, size / 2, offset);
    return current->full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int fault_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    const int number = ++current->reads;
    if (current->fail_read_at == 0 || number < current->fail_read_at ||
        (number > current->fail_read_at && !current->lasting))
        return real_of(file)->pMethods->xRead(real_of(file), bytes, size, offset);
    current->read_failures++;
    ((struct fault_file *)(void *)file)->last_errno = EIO;
    return SQLITE_IOERR_CORRUPTFS;
}

static int fault_control(sqlite3_file *file, int operation, void *argument)
{
    const int cause = ((struct fault_file *)(void *)file)->last_errno;
    if (operation != SQLITE_FCNTL_LAST_ERRNO || cause == 0)
        return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
    *(int *)argument = cause;
    return SQLITE_OK;
}

static int fault_sync(sqlite3_file *file, int flags)
{
    if (fails())
        return current->full ? SQLITE_FULL : SQLITE_IOERR_FSYNC;
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    if (fails())
        return current->full ? SQLITE_FULL : SQLITE_IOERR_TRUNCATE;
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

/* All other calls go to the real file. */
#define PASS(name, parameters, ...)                                                                                    \
    static int pass_##name parameters                                                                                  \
    {                                                                                                                  \
        return real_of(file)->pMethods->x##name(real_of(file), ##__VA_ARGS__);                                         \
    }
PASS(Close, (sqlite3_file * file))
PASS(FileSize, (sqlite3_file * file, sqlite3_int64 *size), size)
PASS(Lock, (sqlite3_file * file, int lock), lock)
PASS(Unlock, (sqlite3_file * file, int lock), lock)
PASS(CheckReservedLock, (sqlite3_file * file, int *held), held)
PASS(SectorSize, (sqlite3_file * file))
PASS(DeviceCharacteristics, (sqlite3_file * file))
PASS(ShmMap, (sqlite3_file * file, int page, int size, int extend, void volatile **memory), page, size, extend, memory)
PASS(ShmLock, (sqlite3_file * file, int offset, int count, int flags), offset, count, flags)
PASS(ShmUnmap, (sqlite3_file * file, int remove), remove)

static void pass_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = pass_Close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = pass_FileSize,
    .xLock = pass_Lock,
    .xUnlock = pass_Unlock,
    .xCheckReservedLock = pass_CheckReservedLock,
    .xFileControl = fault_control,
    .xSectorSize = pass_SectorSize,
    .xDeviceCharacteristics = pass_DeviceCharacteristics,
    .xShmMap = pass_ShmMap,
    .xShmLock = pass_ShmLock,
    .xShmBarrier = pass_barrier,
    .xShmUnmap = pass_ShmUnmap,
};

static int fault_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
    (void)vfs;
    struct fault_file *own = (struct fault_file *)(void *)file;
    own->last_errno = 0;
    own->real = (sqlite3_file *)(void *)(own + 1);
    const int code = real_vfs->xOpen(real_vfs, name, own->real, flags, out_flags);
    file->pMethods = own->real->pMethods ? &methods : NULL;
    return code;
}

void fault_begin(struct fault_plan *plan)
{
    current = plan;
    if (!real_vfs) {
        real_vfs = sqlite3_vfs_find(NULL);
        fault_vfs = *real_vfs;
        fault_vfs.zName = "fault";
        fault_vfs.szOsFile = (int)sizeof(struct fault_file) + real_vfs->szOsFile;
        fault_vfs.xOpen = fault_open;
    }
    (void)sqlite3_vfs_register(&fault_vfs, 1);
}

void fault_end(void)
{
    (void)sqlite3_vfs_register(real_vfs, 1);
}
