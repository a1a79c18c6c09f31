"""Small programs whose behaviour is known, and a stage to count them on."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from countci import counting
from countci.counting import Count, Counted, Outcome, count_all, environment
from countci.model import Problem
from countci.process import Command
from countci.progress import Silent
from countci.units import Seconds

AND = r"""
int main(void)
{
    long hits = 0;
    /* for (long i = 0; i < 1000000; i++) if (i < 0 && i == 7) hits++; */
    __asm__ volatile(
        "xor %%ecx, %%ecx\n"
        "1: nop\n"
        "test %%rcx, %%rcx\n"
        "jns 2f\n"
        "cmp $7, %%rcx\n"
        "jne 2f\n"
        "inc %0\n"
        "2: inc %%rcx\n"
        "cmp $1000000, %%rcx\n"
        "jne 1b\n"
        : "+r"(hits)
        :
        : "rcx", "cc");
    return (int)hits;
}
"""
"""Six instructions a step; eight for a counter that looks past the condition that never holds."""
WORK = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile long sum = 0;
    for (long ask = atol(argv[1]); ask--;)
        for (long step = atol(argv[2]); step--;)
            sum += step;
    printf("%ld\\n", sum);
    return 0;
}
"""
FORKS = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sum;
static void work(long n) { for (long i = 0; i < n; i++) sum += i; }
int main(void)
{
    work(10000000);
    for (int i = 0; i < 4; i++)
        if (!fork()) { work(1000000); exit(0); }
    while (wait(NULL) > 0) {}
    return 0;
}
"""
SPAWNS = """
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
extern char **environ;
static void *nothing(void *argument) { return argument; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    char *argv[] = {"/bin/true", "spawned", NULL};
    pid_t child;
    posix_spawn(&child, "/bin/true", NULL, NULL, argv, environ);
    waitpid(child, NULL, 0);
    return system("/bin/echo by system");
}
"""
CRASH = """
#include <stdio.h>
int main(void) { fputs("about to crash\\n", stderr); *(volatile int *)0 = 1; return 0; }
"""
KILLED = """
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(void)
{
    char *argv[] = {"/bin/sleep", "60", NULL};
    pid_t child;
    posix_spawn(&child, "/bin/sleep", NULL, NULL, argv, environ);
    sleep(2);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return 0;
}
"""
WIDE = """
int main(void) { __asm__ volatile("vpxorq %%zmm0,%%zmm0,%%zmm0" ::: "xmm0"); return 0; }
"""


@dataclass(frozen=True)
class Bench:
    """A stage with compiled programs."""

    stage: Path
    runs: Path

    def compile(self, name: str, source: str, *flags: str) -> None:
        path = self.stage / f"{name}.c"
        path.write_text(source)
        subprocess.run(["cc", "-O1", "-o", name, path, *flags], cwd=self.stage, check=True)

    @property
    def env(self) -> dict[str, str]:
        return environment({"PATH": "/usr/bin:/bin"}, home=self.stage.parent / "home")

    def asks(self, line: str) -> counting.Asks:
        def ask(n: int) -> Command:
            words = tuple(word.replace("{n}", str(n)) for word in shlex.split(line))
            return Command(argv=words, env=self.env, cwd=self.stage, timeout=Seconds(20.0))

        return ask

    def request(
        self, line: str, *, points: tuple[int, ...] | None = None, name: str = "q"
    ) -> Count:
        return Count(
            query=name,
            build="key",
            fingerprint="print",
            asks=self.asks(line),
            repeats="{n}" in line,
            stage=self.stage,
            folder=self.runs / name,
            points=points,
            trace=True,
        )

    def outcomes(self, *requests: Count) -> dict[str, Outcome]:
        return count_all(requests, jobs=2, progress=Silent())

    def counted(self, line: str, points: tuple[int, ...] | None = None) -> Counted:
        outcome = self.outcomes(self.request(line, points=points))["q"]
        assert outcome.measurement is not None, outcome.problem
        return Counted(measurement=outcome.measurement, notes=outcome.notes)

    def total(self, line: str) -> int:
        return self.counted(line).measurement.counts["instructions"].points[0].total

    def problem(self, line: str) -> Problem:
        problem = self.outcomes(self.request(line))["q"].problem
        assert problem is not None
        return problem


def bench_at(folder: Path) -> Bench:
    """Return an empty stage in `folder`."""
    (folder / "stage").mkdir()
    return Bench(stage=folder / "stage", runs=folder / "runs")
