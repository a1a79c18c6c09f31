"""Programs that print what those of the published comparisons print, in a moment."""

from __future__ import annotations

from pathlib import Path

from tests.real.bank import Repository, bank

MAKEFILE = """
all:
\tmkdir -p bin
\tcc -O1 -g -o bin/bank bank.c
\tcc -O1 -g -pthread -o bin/server server.c
\tln bin/server bin/host
\tcp tpcc touch bin
"""
BANK = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { STEPS = 1000 };
int main(int argc, char **argv)
{
    unsigned long state = argc, steps = STEPS * strlen(argv[1]);
    for (long n = atol(argv[2]); n--;)
        for (unsigned long i = 0; i < steps; i++) state = state * 6364136223846793005UL + 1;
    printf("%d\n", state != 0);
    return 0;
}
"""
# Slower than the client that loads it, which would be all that is measured.
# As `host` it holds 100 KiB an app, as `server` it has a thread for each connection.
SERVER = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { APP = 100 * 1024 };
static void *answer(void *given)
{
    int connection = (int)(long)given;
    char text[4096];
    const char *page = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    pthread_setname_np(pthread_self(), getenv("THREADS") ? getenv("THREADS") : "plain");
    while (read(connection, text, sizeof text) > 0)
        if (usleep(10000) || write(connection, page, strlen(page)) < 0) break;
    close(connection);
    return NULL;
}
int main(int argc, char **argv)
{
    int one = 1, port = atoi(argv[argc == 2 ? 1 : 2]), listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int apps = argc == 2 ? 0 : atoi(argv[4]); apps--;) memset(malloc(APP), 1, APP);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 64)) return 1;
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, answer, (void *)(long)accept(listener, NULL, NULL));
        pthread_detach(thread);
    }
}
"""
TPCC = """#!/bin/sh
echo 'transactions/s: 45195.5'
echo 'CPU µs per transaction: 41.0'
echo 'owner thread, share of a core: 0.92'
"""
# nproc heeds the variables that keep programs to one thread, too.
_SHELL = "#!/bin/sh\ncores=$(unset OMP_NUM_THREADS OMP_THREAD_LIMIT; nproc)\n"
# Twice as fast on two processors, so that a placement is seen.
TOOLS = {
    "hackbench": (
        'echo "Running in threaded mode with $2 groups using 40 file descriptors each"\n'
        'echo "Each sender will pass $4 messages of $6 bytes"\n'
        'echo "Time: 0.$((40 / $cores))"'
    ),
    "dbench": 'echo "Throughput $((100 * $cores)) MB/sec  $5 clients  max_latency=40.751 ms"',
    "tbench": 'echo "Throughput $((50 * $cores)) MB/sec  $3 clients  max_latency=4.7 ms"',
    "tbench_srv": (
        "exec python3 -Sc 'import socket, time; s = socket.create_server"
        """(("127.0.0.1", 0)); time.sleep(60)'"""
    ),
    "unshare": 'shift 2; exec "$@"',
    "ip": "exit 0",
    "lat_syscall": 'echo "Simple $3: 0.$((40 / $cores)) microseconds" >&2',
    "singleuser": (
        "cat >/dev/null\n"
        "cut -d, -f1-3 rates | nl -w6 -s' ' |\n"
        r"""sed -n '2,$s|\([^,]*\),\([^,]*\),\(.*\)|\1  60.00  84  1.5  \3.25 \2|p'"""
    ),
}


def program(folder: Path) -> Repository:
    """Return the program in three revisions: more work an ask, then fewer transactions."""
    made = bank(folder)
    made.git("rm", "-rq", "queries", "bank.c", ".gitignore")
    made.write(Makefile=MAKEFILE, bank_dot_c=BANK, server_dot_c=SERVER, tpcc=TPCC)
    made.write(touch="#!/bin/sh\nexit 0\n")
    for name in ("tpcc", "touch"):
        (made.top / name).chmod(0o755)
    made.commit("The program")
    made.edit("More work", "STEPS = 1000", "STEPS = 1050")
    made.edit("Fewer transactions", "45195.5", "42000.5", file="tpcc")
    return made


def tools(folder: Path) -> Path:
    """Return a folder of programs that stand in for those of the same names."""
    folder.mkdir()
    for name, text in TOOLS.items():
        path = folder / name
        path.write_text(f"{_SHELL}{text}\n", encoding="utf-8")
        path.chmod(0o755)
    return folder
