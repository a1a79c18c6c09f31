"""The sentences below a cause."""

from __future__ import annotations

from collections import Counter, defaultdict

from countci.explaining.attributing import Inlined
from countci.explaining.causes import Facts, Judgement
from countci.explaining.causes.flags import gone_and_new, other_producers
from countci.explaining.causes.ranking import Ranked
from countci.explaining.symbols import plain
from countci.explaining.words.calling import listed, sentences, worth
from countci.explaining.words.deep import deep
from countci.explaining.words.inlining import inlined_in
from countci.explaining.words.placing import hunk
from countci.explaining.words.titles import title
from countci.model import CauseKind
from countci.units import show_delta

_MOST = 3
_WORTH = 0.04
"""Of the largest function."""
_PROOF = "every function that runs in an ask has the same machine code on both sides"


def details(facts: Facts, judgement: Judgement, ranked: Ranked) -> tuple[str, ...]:
    """Return what is worth knowing of a cause, without full stops."""
    kind = ranked.group.kind
    if kind is CauseKind.SAME_CODE:
        return tuple(_same_code(facts, judgement, ranked))
    if kind is CauseKind.ALLOCATOR:
        return (_heap(facts, judgement, ranked),)
    if kind is CauseKind.FLAGS:
        return (*_flags(facts), *_inlined(facts, judgement, ranked))
    if kind is CauseKind.COMPILED_DIFFERENTLY:
        return _inlined(facts, judgement, ranked) or (_unexplained(ranked), *_unrecorded(facts))
    if kind is CauseKind.INLINING:
        return _inlined(facts, judgement, ranked)
    return (*sentences(ranked), *_users(ranked), *_inlined(facts, judgement, ranked))


def compiler(facts: Facts) -> str:
    """Return the compiler's name, where the debug information tells it."""
    for side in facts.sides:
        for producer in side.code.producers.values() if side.code else ():
            for word, name in (("rustc", "rustc"), ("clang", "clang"), ("GNU", "gcc")):
                if word in producer:
                    return name
    return "the compiler"


def _heap(facts: Facts, judgement: Judgement, ranked: Ranked) -> str:
    """Return why the allocator itself does more, as far as that is known."""
    verdict = judgement.verdict
    if verdict.edit is None or verdict.group is None or judgement.groups[0] is not ranked:
        return "same calls, other state of the heap"
    place = f"{title(facts, verdict.group)} ({hunk(facts, verdict.edit).text})"
    if verdict.how == "heap-layout":
        return f"a type has another size: {place}"
    if verdict.how == "heap-sizes":
        return f"other sizes are asked for: {place}"
    return f"other calls leave another state of the heap: {place}"


def _same_code(facts: Facts, judgement: Judgement, ranked: Ranked) -> list[str]:
    texts = worth(deep(facts, ranked), ranked.delta) or sentences(ranked) or _functions(ranked)
    how = judgement.verdict.how
    if judgement.groups[0] is not ranked or how not in ("proven", "likely-data"):
        return texts
    texts.append(_PROOF)
    if how == "likely-data":
        texts.append(f"the bytes of {listed(sorted(facts.machine.data)[:_MOST])} differ")
    found = facts.ran.start_up.most_common(_MOST)
    if found:
        places = []
        for function, _ in found:
            edit = facts.changes.edits_of[function][0]
            places.append(f"{function.name} ({hunk(facts, edit, function).text})")
        made = "changed and run in start-up, where this query makes its input"
        texts.append(f"{made}: {listed(places)}")
    return texts


def _functions(ranked: Ranked) -> list[str]:
    costs: dict[str, float] = defaultdict(float)
    for part in ranked.parts:
        costs[plain(part.item.function)] += part.item.delta
    largest = sorted(costs.items(), key=lambda each: -abs(each[1]))[:_MOST]
    largest = [each for each in largest if abs(each[1]) >= _WORTH * abs(largest[0][1])]
    return [f"in {listed(f'{name} ({show_delta(cost)})' for name, cost in largest)}"]


def _unexplained(ranked: Ranked) -> str:
    functions = listed(text.removeprefix("in ") for text in _functions(ranked))
    return f"no changed line, name or flag explains it: {functions}"


def _unrecorded(facts: Facts) -> tuple[str, ...]:
    """Return that flags may differ all the same, where the compiler doesn't write them down."""
    producers = [each for side in facts.sides if side.code for each in side.code.producers.values()]
    if not any("clang" in each and " -" not in each for each in producers):
        return ()
    return (
        "other flags would do that too: clang writes them down with -grecord-command-line only",
    )


def _users(ranked: Ranked) -> list[str]:
    """Return where a definition is used."""
    if ranked.group.kind is not CauseKind.DEFINITION:
        return []
    return [text.replace("in ", "used in ", 1) for text in _functions(ranked)]


def _flags(facts: Facts) -> list[str]:
    changes = Counter(_difference(*pair) for pair in other_producers(facts))
    most = sorted(changes.items(), key=lambda each: (-each[1], each[0]))[:_MOST]
    return [f"{change} (from the debug information)" for change, _ in most]


def _difference(base: str, head: str) -> str:
    gone, new = gone_and_new(base, head)
    return f"{' '.join(gone) or 'nothing'} → {' '.join(new) or 'nothing'}"


def _inlined(facts: Facts, judgement: Judgement, ranked: Ranked) -> tuple[str, ...]:
    found = inlined_in(facts, judgement, ranked)
    return tuple(_inlining(facts, each) for each in found[:_MOST])


def _inlining(facts: Facts, each: Inlined) -> str:
    how = "now inlines" if each.now else "no longer inlines"
    inner, outer = plain(each.inner), plain(each.outer)
    return f"{compiler(facts)} {how} {inner} in {outer}"
