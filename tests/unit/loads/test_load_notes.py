from __future__ import annotations

from countci.loads import notes
from countci.model import Load, Pair, Run, Samples, ThreadUse

CLOSED = Load(url="http://127.0.0.1/", tool="ab", concurrency=20, requests=100)
OPEN = Load(url="http://127.0.0.1/", loop="open", rate=1_000.0, requests=100)


def use(name: str, cpu: float, voluntary: int) -> ThreadUse:
    return ThreadUse(name=name, count=4, cpu=cpu, waiting=0.5, voluntary=voluntary, involuntary=3)


def run(*threads: ThreadUse, remarks: tuple[str, ...] = (), late: float = 2e-5) -> Run:
    values = {"lateness_p99": late, "achieved_rate": 999.0}
    return Run(wall=1, user=1, system=0, wait=None, values=values, threads=threads, remarks=remarks)


def samples(*pairs: tuple[Run, Run]) -> Samples:
    made = tuple(Pair(base=base, head=head, head_first=False) for base, head in pairs)
    return Samples(n=1, pairs=made)


def texts(load: Load, found: Samples) -> list[str]:
    return [note.text.replace("\N{NO-BREAK SPACE}", " ") for note in notes(load, found)]


def test_a_closed_loop_is_labelled_as_one() -> None:
    (text,) = texts(CLOSED, samples((run(), run())))

    assert text.startswith("closed loop of 20 connections (ab)")
    assert text.endswith("no user's; threads that ended with their connection were not seen")


def test_an_open_loop_tells_its_lateness_and_its_rate() -> None:
    (text,) = texts(OPEN, samples((run(), run(late=3e-5))))

    assert "1,000 requests/s asked for, 999 sent, never later than 30.0 µs" in text


def test_threads_are_told_by_name_the_busiest_first_as_medians_of_both_sides() -> None:
    base = [run(use("loop", 0.1, 10), use("pool", cpu, 900)) for cpu in (0.2, 0.3, 0.9)]
    head = [run(use("loop", 0.1, 10), use("pool", 0.4, 1_200)) for _ in base]

    _, pool, loop = texts(CLOSED, samples(*zip(base, head, strict=True)))

    waited = "kept waiting for a processor 500 ms"
    assert pool == (
        f"thread pool: base ×4, CPU 300 ms, {waited}, switches 900 voluntary, 3 involuntary; "
        f"head ×4, CPU 400 ms, {waited}, switches 1,200 voluntary, 3 involuntary"
    )
    assert loop.startswith("thread loop: base ×4, CPU 100 ms")


def test_a_thread_that_one_side_lacks_is_none_there() -> None:
    _, text = texts(CLOSED, samples((run(), run(use("pool", 0.4, 1)))))

    assert text.startswith("thread pool: base none; head ×4")


def test_how_a_server_ended_is_told_once() -> None:
    found = samples((run(remarks=("it was killed",)), run(remarks=("it was killed",))))

    assert texts(CLOSED, found)[1:] == ["it was killed"]


def test_nothing_is_told_of_no_pairs() -> None:
    assert notes(OPEN, Samples(n=1, pairs=())) == ()
