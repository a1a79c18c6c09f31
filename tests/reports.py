"""Literal reports for the tests of everything that renders one: no clock, host or path in them."""

from __future__ import annotations

import msgspec

from countci.model import (
    Blame,
    Cause,
    CauseKind,
    Change,
    CommandWork,
    Comparison,
    Counts,
    Explanation,
    Fingerprint,
    Hunk,
    Identity,
    Kind,
    Limit,
    Measurement,
    Moved,
    Output,
    Pair,
    Point,
    Problem,
    Query,
    Reason,
    Report,
    Revision,
    Run,
    Samples,
    Side,
    Status,
    Verdict,
)
from countci.units import Seconds

WORK = Limit(share=0.01)
SLOWNESS = Limit(share=0.03)
BASE = Side(
    revision=Revision(
        name="main", sha="b" * 40, tree="1" * 40, subject="Load the bank once", when=1_700_000_000
    ),
    build="b0" * 16,
    build_seconds=Seconds(41.2),
    build_cached=True,
)
HEAD = Side(
    revision=Revision(
        name="HEAD", sha="a" * 40, tree="2" * 40, subject="Scan fields by table", when=1_700_086_400
    ),
    build="a0" * 16,
    build_seconds=Seconds(43.9),
    build_cached=False,
)
FINGERPRINT = Fingerprint(
    counter="1",
    valgrind="3.22.0",
    libc="glibc 2.39",
    machine="x86_64",
    cpu="x86-64-v3",
    stage="/cache/countci/0123456789ab/stage",
)
IDENTITY = Identity(differs=("README.md", "docs/guide.md"))


def query(name: str, command: str = "") -> Query:
    """Return the query `bank/NAME`."""
    return Query(
        suite="bank",
        name=name,
        file="queries/bank.toml",
        work=CommandWork(
            command=command or f"build/bank ask {{work}}/bank.db --repeat {{n}} {name}"
        ),
        limits={"instructions": WORK, "time": SLOWNESS},
        digest="d" * 64,
    )


def measurement(name: str, build: str, total: int) -> Measurement:
    """Return the counts of `bank/NAME`: `total` instructions an ask, a million around them."""
    points = (
        Point(n=1, total=1_000_000 + total),
        Point(n=11, total=1_000_000 + 11 * total),
    )
    return Measurement(
        query=f"bank/{name}",
        build=build,
        fingerprint=FINGERPRINT.digest,
        counts={"instructions": Counts(points=points)},
        output=Output(digest="e" * 64, size=120),
    )


def samples(base: float, head: float) -> Samples:
    """Return two pairs of runs that took `base` and `head` seconds."""
    pair = Pair(base=_run(base), head=_run(head), head_first=False)
    return Samples(n=1, pairs=(pair, Pair(base=pair.base, head=pair.head, head_first=True)))


def work(base: float, head: float, status: Status = Status.PASS, *why: Reason) -> Change:
    """Return a change of the instructions."""
    return Change(
        metric="instructions",
        base=base,
        head=head,
        delta=head / base - 1,
        limit=WORK,
        status=status,
        start_up_base=1_000_000.0,
        start_up_head=1_000_000.0,
        reasons=why,
    )


def time(
    base: float, head: float, ends: tuple[float, float], status: Status, *why: Reason
) -> Change:
    """Return a change of the time, after twenty pairs."""
    return Change(
        metric="time",
        base=base,
        head=head,
        delta=head / base - 1,
        limit=SLOWNESS,
        status=status,
        low=ends[0],
        high=ends[1],
        noise=0.004,
        pairs=20,
        core_share=0.97,
        reasons=why,
    )


def proven(metric: str, base: float | None, limit: Limit) -> Change:
    """Return the change of a query that reads nothing that differs."""
    return Change(
        metric=metric,
        base=base,
        head=base,
        delta=0.0,
        limit=limit,
        status=Status.PASS,
        proven=True,
    )


def compared(name: str, base: int, head: int, times: tuple[float, float]) -> Comparison:
    """Return the raw data of a query that was measured on both sides."""
    return Comparison(
        query=query(name),
        base=measurement(name, BASE.build, base),
        head=measurement(name, HEAD.build, head),
        samples=samples(*times),
    )


def verdict(
    name: str, *changes: Change, status: Status = Status.PASS, why: tuple[Reason, ...] = ()
) -> Verdict:
    """Return the verdict on `bank/NAME`, which both sides have."""
    return Verdict(
        query=f"bank/{name}", kind=Kind.BOTH, status=status, changes=changes, reasons=why
    )


def report(
    status: Status,
    judged: tuple[tuple[Comparison, Verdict], ...],
    notices: tuple[Reason, ...] = (),
) -> Report:
    """Return the report on `judged`."""
    return Report(
        countci="0.1.0",
        base=BASE,
        head=HEAD,
        status=status,
        verdicts=tuple(judgement for _, judgement in judged),
        comparisons=tuple(raw for raw, _ in judged),
        fingerprint=FINGERPRINT,
        suites="c" * 64,
        notices=notices,
        seconds=Seconds(201.4),
        command="countci compare main HEAD",
    )


def _run(wall: float) -> Run:
    return Run(
        wall=wall,
        user=wall * 0.95,
        system=wall * 0.02,
        wait=0.0,
        voluntary=1,
        involuntary=2,
        faults=310,
        peak_memory=12 * 2**20,
        processor=1,
    )


_FIELD = (
    compared("field", 1_482_310, 1_516_551, (0.0612, 0.0614)),
    verdict(
        "field",
        work(1_482_310, 1_516_551, Status.FAIL),
        time(0.0612, 0.0614, (-0.009, 0.014), Status.PASS),
        status=Status.FAIL,
        why=(
            Reason(
                code="both",
                text="more work that the processor hides: the time is within its limit",
            ),
        ),
    ),
)
_FOUND = (
    compared("found", 88_120, 85_034, (0.0571, 0.0542)),
    verdict(
        "found",
        work(88_120, 85_034),
        time(0.0571, 0.0542, (-0.062, -0.041), Status.PASS),
    ),
)
_RANKS = (
    compared("ranks", 27_070_114, 27_070_120, (0.2212, 0.2291)),
    verdict(
        "ranks",
        work(27_070_114, 27_070_120),
        time(
            0.2212,
            0.2291,
            (-0.004, 0.071),
            Status.UNSETTLED,
            Reason(
                code="disturbed",
                text="run 17 of base got less of a core than the side's others; "
                "it stays in the data",
            ),
        ),
        status=Status.UNSETTLED,
    ),
)


def _identical(name: str, base: int) -> tuple[Comparison, Verdict]:
    return (
        Comparison(query=query(name), base=measurement(name, BASE.build, base), identity=IDENTITY),
        verdict(name, proven("instructions", base, WORK), proven("time", None, SLOWNESS)),
    )


_CRASHED = Problem(
    problem="killed by signal 11 (SIGSEGV) on head",
    where="build/bank ask work/bank/bank.db --repeat 1 per_branch",
    detail="reading work/bank/bank.db\nbank: branch 17 has no field 4",
)
_GONE = Reason(code="gone", text="gone: base's query files have it, head's don't")

PASSED = report(Status.PASS, (_FOUND, _identical("large", 9_120_004)))

FAILED = report(
    Status.ERROR,
    (
        _FIELD,
        _FOUND,
        _identical("large", 9_120_004),
        _identical("largest_of_every_branch_and_year", 91_200_041),
        _RANKS,
        (
            Comparison(
                query=query("fresh"),
                kind=Kind.NEW,
                head=measurement("fresh", HEAD.build, 2_250_003),
            ),
            Verdict(
                query="bank/fresh",
                kind=Kind.NEW,
                status=Status.PASS,
                changes=(
                    Change(
                        metric="instructions",
                        base=None,
                        head=2_250_003,
                        delta=None,
                        limit=WORK,
                        status=Status.PASS,
                    ),
                ),
            ),
        ),
        (
            Comparison(query=query("per_branch"), problem=_CRASHED),
            Verdict(
                query="bank/per_branch",
                kind=Kind.BOTH,
                status=Status.ERROR,
                changes=(),
                problem=_CRASHED,
            ),
        ),
        (
            Comparison(query=query("old"), kind=Kind.GONE),
            Verdict(
                query="bank/old", kind=Kind.GONE, status=Status.ERROR, changes=(), reasons=(_GONE,)
            ),
        ),
    ),
    notices=(
        Reason(
            code="limit-loosened", text="bank/ranks: head loosens the limit of time, 1 % to 3 %"
        ),
        Reason(code="query-changed", text="queries/bank.toml asks something else than on base"),
    ),
)

SLOWER = report(Status.FAIL, (_FIELD, _FOUND, _identical("large", 9_120_004)))

UNSETTLED = report(Status.UNSETTLED, (_FOUND, _RANKS))

IDENTICAL = report(
    Status.PASS, tuple(_identical(f"query_{number:02}", 1_000_000 + number) for number in range(8))
)

_SCAN = Hunk(file="src/scan.c", first=41, last=58)
WHY = Explanation(
    query="bank/field",
    base=1_482_310.0,
    head=1_516_551.0,
    causes=(
        Cause(
            kind=CauseKind.CHANGED,
            delta=36_912.0,
            share=0.0249,
            title="scan_next",
            hunks=(_SCAN, Hunk(file="src/scan.c", first=88, last=88)),
            words="changed here",
            details=("malloc +21.2k, free +9.1k: 212 more calls of each an ask",),
        ),
        Cause(
            kind=CauseKind.ALLOCATOR,
            delta=-4_671.0,
            share=-0.00315,
            title="malloc and free themselves",
            words="same calls, other state of the heap",
        ),
    ),
    rest=2_000.0,
    blame=Blame(
        hunk=_SCAN,
        sure=True,
        title="scan_next",
        words="212 more calls of malloc (+21.2k) and free (+9.1k)",
        source="    char *word = strndup(at, length);",
    ),
    functions=(Moved(name="scan_next", base=212_004.0, head=219_100.0),),
    lines=(Moved(name="src/scan.c:44", base=0.0, head=7_096.0),),
    notes=(Reason(code="no-libc-names", text="install libc6-dbg to see names inside libc"),),
)
EXPLAINED = msgspec.structs.replace(SLOWER, explanations=(WHY,))

REPORTS = {
    "explained": EXPLAINED,
    "passed": PASSED,
    "failed": FAILED,
    "slower": SLOWER,
    "unsettled": UNSETTLED,
    "identical": IDENTICAL,
}
