/* One process of an engine, as far as /proc shows it: it was started with the command line and the
 * environment of the scenario, maps the libraries and holds the descriptors that are listed there,
 * and then sleeps. Source of the formats: proc(5). */
#include "standin.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The libraries of a maps file; one that the image does not have is left out. */
static void map_libraries(int role) {
    const int file = openat(role, "maps", O_RDONLY | O_CLOEXEC);
    FILE* maps = file < 0 ? NULL : fdopen(file, "r");
    char line[PATH_MAX + 128];
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char* path = strchr(line, '/');
        if (path == NULL) {
            continue;
        }
        path[strcspn(path, "\n")] = '\0';
        const int library = open(path, O_RDONLY | O_CLOEXEC);
        if (library >= 0) {
            mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, library, 0);
            close(library);
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
}

/* The links of an fd folder, as far as they are files that can be opened. */
static void open_descriptors(int role) {
    const int folder = openat(role, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* links = folder < 0 ? NULL : fdopendir(folder);
    const struct dirent* entry = NULL;
    while (links != NULL && (entry = readdir(links)) != NULL) {
        char target[PATH_MAX];
        const int number = atoi(entry->d_name);
        const ssize_t size = readlinkat(folder, entry->d_name, target, sizeof target - 1);
        if (number < 3 || size <= 0 || target[0] != '/') {
            continue;
        }
        target[size] = '\0';
        const int file = open(target, O_RDWR | O_CLOEXEC);
        if (file >= 0) {
            dup2(file, number + 100); /* out of the way of our own */
            close(file);
        }
    }
    if (links != NULL) {
        closedir(links);
    }
}

static void take_name(int role) {
    char name[32] = "";
    const int file = openat(role, "comm", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, name, sizeof name - 1) > 0) {
        name[strcspn(name, "\n")] = '\0';
        prctl(PR_SET_NAME, name);
    }
    close(file);
}

int main(void) {
    signal(SIGCHLD, SIG_IGN);
    take_name(ROLE_DESCRIPTOR);
    map_libraries(ROLE_DESCRIPTOR);
    open_descriptors(ROLE_DESCRIPTOR);
    close(ROLE_DESCRIPTOR);
    for (;;) {
        pause();
    }
}
