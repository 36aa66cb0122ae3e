/* The sandbox of a pod: reaps what is left to it and ends when it is told to. */
#include <signal.h>
#include <unistd.h>

static void leave(int signal) {
    _exit(signal == SIGTERM ? 0 : 1);
}

int main(void) {
    signal(SIGCHLD, SIG_IGN);
    signal(SIGTERM, leave);
    signal(SIGINT, leave);
    for (;;) {
        pause();
    }
}
