/* Makes calls fail: a library that is loaded before the C library (LD_PRELOAD), for tests/faults.rs.
 *
 * It counts the calls that a process makes on files below a folder, and does something to one of them.
 *
 *   FAULT_ROOT   the folder, as the program is given it
 *   FAULT_AT     which call, counted from 1; 0 or none: only count
 *   FAULT_KIND   what happens:
 *     fail    the call fails: no space if it writes, a bad disk if it reads or syncs
 *     full    it and all later ones that need space fail: the disk stays full
 *     short   it reads or writes only a part, and says so; another call is left alone
 *     tear    a write leaves its first half, and the process is killed; before another call, it is killed
 *     power   the process is killed before the call, and what was not synced is lost
 *     half    the same, but half of what was not synced is there
 *     lie     a sync says that it is done and is not; at the end of the process, what was not synced by another is lost
 *     after   nothing happens, but at the end of the process, what was not synced is lost
 *   FAULT_TRACE  a file to which each call is written, a line each
 *
 * What is lost is cut off the ends of files: everything that is watched here only appends. Names of files are not lost:
 * a file that was made or renamed stays so.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum class { READS, WRITES, SYNCS, NAMES };
enum act { GO, FAIL, SHORT, DIE_HALF, LIE };
enum { MOST = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root, *kind;
static long at, count;
static int trace = -1;
static char watched[MOST];

/* Files that were written, with what of them was synced. Each is held open, because its name may change. */
static struct file {
    dev_t device;
    ino_t inode;
    int fd;
    off_t synced;
} files[MOST];
static int file_count;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

static int is(const char *name) { return kind && strcmp(kind, name) == 0; }

static void set_up(void) {
    static int is_done;
    if (is_done)
        return;
    is_done = 1;
    root = getenv("FAULT_ROOT");
    kind = getenv("FAULT_KIND");
    at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
    const char *path = getenv("FAULT_TRACE");
    if (path)
        trace = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static int is_below(const char *path) {
    set_up();
    return root && path && strncmp(path, root, strlen(root)) == 0;
}

static int is_watched(int fd) { return fd >= 0 && fd < MOST && watched[fd]; }

static struct file *find(int fd) {
    struct stat stat;
    if (fstat(fd, &stat) != 0)
        return NULL;
    for (int i = 0; i < file_count; i++)
        if (files[i].device == stat.st_dev && files[i].inode == stat.st_ino)
            return &files[i];
    return NULL;
}

/* Remembers a file that was opened for writing. What was in it before is taken for synced. */
static void remember(int fd) {
    struct stat stat;
    pthread_mutex_lock(&lock);
    if (!find(fd) && file_count < MOST && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode)) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        int own = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
        if (own >= 0)
            files[file_count++] = (struct file){stat.st_dev, stat.st_ino, own, stat.st_size};
    }
    pthread_mutex_unlock(&lock);
}

static void note_synced(int fd) {
    struct stat stat;
    pthread_mutex_lock(&lock);
    struct file *file = find(fd);
    if (file && fstat(fd, &stat) == 0)
        file->synced = stat.st_size;
    pthread_mutex_unlock(&lock);
}

/* Cuts off what was not synced, or half of it. */
static void lose(int halves) {
    struct stat stat;
    for (int i = 0; i < file_count; i++)
        if (fstat(files[i].fd, &stat) == 0 && stat.st_size > files[i].synced) {
            off_t kept = halves ? (stat.st_size - files[i].synced) / 2 : 0;
            syscall(SYS_ftruncate, files[i].fd, files[i].synced + kept);
        }
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

__attribute__((destructor)) static void at_end(void) {
    if (is("lie") || is("after"))
        lose(0);
}

/* Counts a call, and says what to do with it. */
static enum act meet(enum class class, const char *name, const char *path) {
    set_up();
    pthread_mutex_lock(&lock);
    long number = ++count;
    if (trace >= 0) {
        char line[600];
        int length = snprintf(line, sizeof line, "%ld %s %.500s\n", number, name, path);
        syscall(SYS_write, trace, line, length);
    }
    enum act act = GO;
    int is_it = at > 0 && number == at;
    if (is("full") && at > 0 && number >= at && (class == WRITES || class == NAMES)) {
        errno = ENOSPC;
        act = FAIL;
    } else if (is_it && is("fail")) {
        errno = class == WRITES || class == NAMES ? ENOSPC : EIO;
        act = FAIL;
    } else if (is_it && is("short"))
        act = SHORT;
    else if (is_it && is("tear"))
        act = DIE_HALF;
    else if (is_it && is("lie"))
        act = LIE;
    else if (is_it && (is("power") || is("half"))) {
        lose(is("half"));
        die();
    }
    pthread_mutex_unlock(&lock);
    /* What has no halves. */
    if (act == DIE_HALF && class != WRITES)
        die();
    return act;
}

static const char *path_of(int fd, char *buffer, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlink, link, buffer, size - 1);
    buffer[length < 0 ? 0 : length] = 0;
    return buffer;
}

static enum act meet_fd(enum class class, const char *name, int fd) {
    char path[512];
    return meet(class, name, trace >= 0 ? path_of(fd, path, sizeof path) : "");
}

static void opened(int fd, int flags) {
    if (fd >= 0 && fd < MOST) {
        watched[fd] = 1;
        if ((flags & O_ACCMODE) != O_RDONLY)
            remember(fd);
    }
}

static int open_any(const char *name, int directory, const char *path, int flags, mode_t mode) {
    int is_ours = is_below(path) || (path && path[0] != '/' && is_watched(directory));
    if (is_ours && meet(flags & O_CREAT ? NAMES : READS, name, path) == FAIL)
        return -1;
    int fd = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (is_ours)
        opened(fd, flags);
    return fd;
}

#define MODE \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) {
    MODE
    return open_any("open", AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE
    return open_any("open", AT_FDCWD, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    MODE
    return open_any("openat", directory, path, flags, mode);
}

FILE *fopen(const char *path, const char *how) {
    int is_ours = is_below(path);
    if (is_ours && meet(how[0] == 'r' ? READS : NAMES, "fopen", path) == FAIL)
        return NULL;
    FILE *file = REAL(fopen)(path, how);
    if (is_ours && file)
        opened(fileno(file), how[0] == 'r' ? O_RDONLY : O_RDWR);
    return file;
}

int close(int fd) {
    if (is_watched(fd))
        watched[fd] = 0;
    return REAL(close)(fd);
}

int fclose(FILE *file) {
    int fd = file ? fileno(file) : -1;
    if (is_watched(fd))
        watched[fd] = 0;
    return REAL(fclose)(file);
}

/* Half of a size, and no less than one byte. */
static size_t part(size_t size) { return size > 1 ? size / 2 : size; }

ssize_t read(int fd, void *to, size_t size) {
    if (is_watched(fd))
        switch (meet_fd(READS, "read", fd)) {
        case FAIL: return -1;
        case SHORT: size = part(size); break;
        default: break;
        }
    return syscall(SYS_read, fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t from) {
    if (is_watched(fd))
        switch (meet_fd(READS, "pread", fd)) {
        case FAIL: return -1;
        case SHORT: size = part(size); break;
        default: break;
        }
    return syscall(SYS_pread64, fd, to, size, from);
}

/* In parentheses, because it is a macro, too. */
size_t(fread_unlocked)(void *to, size_t size, size_t items, FILE *file) {
    if (is_watched(fileno(file)) && meet_fd(READS, "fread", fileno(file)) == FAIL) {
        file->_flags |= 0x20; /* The stream says that it failed. */
        errno = EIO;
        return 0;
    }
    size_t (*next)(void *, size_t, size_t, FILE *) = real("fread_unlocked");
    return next(to, size, items, file);
}

ssize_t write(int fd, const void *from, size_t size) {
    if (is_watched(fd))
        switch (meet_fd(WRITES, "write", fd)) {
        case FAIL: return -1;
        case SHORT: size = part(size); break;
        case DIE_HALF: syscall(SYS_write, fd, from, size / 2); die();
        default: break;
        }
    return syscall(SYS_write, fd, from, size);
}

ssize_t writev(int fd, const struct iovec *from, int items) {
    if (is_watched(fd) && items > 0)
        switch (meet_fd(WRITES, "writev", fd)) {
        case FAIL: return -1;
        case SHORT: return syscall(SYS_write, fd, from[0].iov_base, part(from[0].iov_len));
        case DIE_HALF: syscall(SYS_write, fd, from[0].iov_base, from[0].iov_len / 2); die();
        default: break;
        }
    return syscall(SYS_writev, fd, from, items);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t to) {
    if (is_watched(fd))
        switch (meet_fd(WRITES, "pwrite", fd)) {
        case FAIL: return -1;
        case SHORT: size = part(size); break;
        case DIE_HALF: syscall(SYS_pwrite64, fd, from, size / 2, to); die();
        default: break;
        }
    return syscall(SYS_pwrite64, fd, from, size, to);
}

static int sync_any(const char *name, int number, int fd) {
    if (!is_watched(fd))
        return (int)syscall(number, fd);
    switch (meet_fd(SYNCS, name, fd)) {
    case FAIL: return -1;
    case LIE: return 0;
    default: break;
    }
    /* The test does not turn off the power: what matters is what would be there. */
    note_synced(fd);
    return 0;
}

int fsync(int fd) { return sync_any("fsync", SYS_fsync, fd); }
int fdatasync(int fd) { return sync_any("fdatasync", SYS_fdatasync, fd); }

int ftruncate(int fd, off_t size) {
    if (is_watched(fd) && meet_fd(WRITES, "ftruncate", fd) == FAIL)
        return -1;
    return (int)syscall(SYS_ftruncate, fd, size);
}

int fallocate(int fd, int how, off_t from, off_t size) {
    if (is_watched(fd) && meet_fd(WRITES, "fallocate", fd) == FAIL)
        return -1;
    return (int)syscall(SYS_fallocate, fd, how, from, size);
}

#define NAMED(name, path, call) (is_below(path) && meet(NAMES, name, path) == FAIL ? -1 : (int)(call))

int rename(const char *from, const char *to) {
    return NAMED("rename", to, syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}
int link(const char *from, const char *to) {
    return NAMED("link", to, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int mkdir(const char *path, mode_t mode) {
    struct stat stat;
    /* One that exists needs no room, and no disk says that it does. */
    if (fstatat(AT_FDCWD, path, &stat, 0) == 0) {
        errno = EEXIST;
        return -1;
    }
    return NAMED("mkdir", path, syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int unlink(const char *path) {
    int fails = is_below(path) && meet(READS, "unlink", path) == FAIL;
    return fails ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void *map(void *where, size_t size, int how, int flags, int fd, off_t from) {
    if (is_watched(fd) && meet_fd(READS, "mmap", fd) == FAIL)
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, where, size, how, flags, fd, from);
}

void *mmap(void *where, size_t size, int how, int flags, int fd, off_t from) {
    return map(where, size, how, flags, fd, from);
}
void *mmap64(void *where, size_t size, int how, int flags, int fd, off_t from) {
    return map(where, size, how, flags, fd, from);
}
