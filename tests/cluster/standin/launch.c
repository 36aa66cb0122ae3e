/* What an image's `python3` is here: it makes the container look like the scenario and becomes the
 * engine. It is setuid root, since a pod's own user may neither mount nor make devices:
 *   /sys, /usr, ... the folders of the scenario's tree are bound over them, whole (no mount point
 *                   can be made inside sysfs)
 *   /dev            gets the scenario's device files, as null devices
 *   /proc/driver    the scenario's files; nothing else of /proc can be replaced
 *   /proc/N/limits  of each engine process
 * Every process of the scenario other than the launch script is played by one of `engine`. */
#define _GNU_SOURCE
#include "standin.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static char tree[256]; /* of this container, within the image */

enum { k_most_words = 4096, k_most_bytes = 1 << 20 };

static void complain(const char* what, const char* object) {
    fprintf(stderr, "stand-in: %s %s: %s\n", what, object, strerror(errno));
}

static void bind_over(const char* from, const char* to) {
    if (access(from, F_OK) == 0 && mount(from, to, NULL, MS_BIND | MS_REC, NULL) != 0) {
        complain("cannot bind", to);
    }
}

/* The tree's folders over the image's own; what the runtime mounts is treated on its own. */
static void bind_tree(void) {
    DIR* folder = opendir(tree);
    const struct dirent* entry = NULL;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char source[PATH_MAX + 256];
        char target[PATH_MAX];
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "dev") == 0 ||
            strcmp(entry->d_name, "proc") == 0) {
            continue;
        }
        snprintf(source, sizeof source, "%s/%s", tree, entry->d_name);
        snprintf(target, sizeof target, "/%s", entry->d_name);
        bind_over(source, target);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    char driver[PATH_MAX + 16];
    snprintf(driver, sizeof driver, "%s/proc/driver", tree);
    bind_over(driver, "/proc/driver");
}

/* Copies a folder of device files to /dev: folders, links, and a null device for every file. */
static void make_devices(const char* from, const char* to) {
    DIR* folder = opendir(from);
    const struct dirent* entry = NULL;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char source[PATH_MAX];
        char target[PATH_MAX];
        struct stat kind;
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
        if (lstat(source, &kind) != 0) {
            continue;
        }
        if (S_ISDIR(kind.st_mode)) {
            mkdir(target, 0755);
            make_devices(source, target);
        } else if (mknod(target, S_IFCHR | 0666, makedev(1, 3)) == 0) {
            chmod(target, 0666);
        } else if (errno != EEXIST) {
            complain("cannot make", target);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

/* Strings that end with NUL, as in cmdline and environ. */
static char** read_words(int role, const char* name) {
    static char bytes[2][k_most_bytes];
    static char* words[2][k_most_words + 1];
    const int which = strcmp(name, "environ") == 0;
    const int file = openat(role, name, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, bytes[which], k_most_bytes - 1);
    int count = 0;
    for (ssize_t at = 0; at < size && count < k_most_words;
         at += (ssize_t)strlen(bytes[which] + at) + 1) {
        words[which][count++] = bytes[which] + at;
    }
    words[which][count] = NULL;
    close(file);
    return words[which];
}

static int open_role(const char* pid) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/proc/%s", tree, pid);
    const int role = open(path, O_RDONLY | O_DIRECTORY);
    if (role < 0 || dup2(role, ROLE_DESCRIPTOR) < 0) {
        return -1;
    }
    close(role);
    return ROLE_DESCRIPTOR;
}

/* Becomes the engine process that the scenario calls `pid`; does not come back. */
static void play(const char* pid, char** arguments) {
    char limits[PATH_MAX];
    char target[64];
    const int role = open_role(pid);
    snprintf(limits, sizeof limits, "%s/proc/%s/limits", tree, pid);
    snprintf(target, sizeof target, "/proc/%d/limits", (int)getpid());
    bind_over(limits, target);
    const uid_t user = getuid();
    if (setgid(getgid()) != 0 || setresuid(user, user, user) != 0) {
        complain("cannot become", "the pod's user");
    }
    char** words = arguments != NULL ? arguments : read_words(role, "cmdline");
    execve(SCENARIO "/engine", words, read_words(role, "environ"));
    complain("cannot start", SCENARIO "/engine");
    _exit(127);
}

/* Is it what this process was started as? Then it is not to be forked, but to be become. */
static int is_me(const char* pid, char** arguments) {
    const int role = open_role(pid);
    char** words = read_words(role, "cmdline");
    int i = 0;
    while (words[i] != NULL && arguments[i] != NULL && strcmp(words[i], arguments[i]) == 0) {
        ++i;
    }
    close(role);
    return words[i] == NULL && arguments[i] == NULL;
}

static int is_launch_script(const char* pid) {
    const int role = open_role(pid);
    char** words = read_words(role, "cmdline");
    const int shell = words[0] != NULL && strstr(words[0], "python") == NULL && strcmp(pid, "1") == 0;
    close(role);
    return shell;
}

int main(int count, char** arguments) {
    (void)count;
    char me[256] = "";
    if (getenv("STANDIN_FAILS") != NULL) {
        return 1; /* a container that does not stay up */
    }
    if (setresuid(getuid(), 0, 0) != 0) {
        complain("cannot become", "root");
    }
    const char* root = getenv(ROOT_VARIABLE);
    DIR* processes = NULL;
    if (root != NULL) {
        char place[PATH_MAX + 16];
        snprintf(tree, sizeof tree, SCENARIO "/%s", root);
        snprintf(place, sizeof place, "%s/dev", tree);
        bind_tree();
        make_devices(place, "/dev");
        snprintf(place, sizeof place, "%s/proc", tree);
        processes = opendir(place);
    }
    const struct dirent* entry = NULL;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]) || is_launch_script(entry->d_name)) {
            continue;
        }
        if (me[0] == '\0' && is_me(entry->d_name, arguments)) {
            snprintf(me, sizeof me, "%s", entry->d_name);
        } else if (fork() == 0) {
            play(entry->d_name, NULL);
        }
    }
    if (me[0] != '\0') {
        play(me, arguments);
    }
    for (;;) { /* a pod without a scenario, such as a frontend */
        pause();
    }
}
