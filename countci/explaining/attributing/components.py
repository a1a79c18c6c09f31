"""Functions that call each other in circles, as one node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping


def components(nodes: Iterable[str], calls: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return the number of each node's component; a callee's is never larger than its caller's.

    Source:
        Tarjan, "Depth-first search and linear graph algorithms", 1972; without recursion,
        since call graphs are deeper than Python's stack.
    """
    search = _Search(calls)
    for node in nodes:
        if node not in search.index:
            search.visit(node)
    return search.component


class _Search:
    def __init__(self, calls: Mapping[str, Iterable[str]]) -> None:
        self.index: dict[str, int] = {}
        self.component: dict[str, int] = {}
        self._calls = calls
        self._low: dict[str, int] = {}
        self._stack: list[str] = []
        self._open: set[str] = set()
        self._count = 0

    def visit(self, first: str) -> None:
        """Number the component of a node, and of all that it reaches."""
        work = [self._enter(first)]
        while work:
            node, callees = work[-1]
            new = self._next(node, callees)
            if new is not None:
                work.append(self._enter(new))
                continue
            work.pop()
            if work:
                above = work[-1][0]
                self._low[above] = min(self._low[above], self._low[node])
            if self._low[node] == self.index[node]:
                self._leave(node)

    def _enter(self, node: str) -> tuple[str, Iterator[str]]:
        self.index[node] = self._low[node] = len(self.index)
        self._stack.append(node)
        self._open.add(node)
        return node, iter(self._calls.get(node, ()))

    def _next(self, node: str, callees: Iterator[str]) -> str | None:
        """Return the next callee that was not seen yet."""
        for callee in callees:
            if callee not in self.index:
                return callee
            if callee in self._open:
                self._low[node] = min(self._low[node], self.index[callee])
        return None

    def _leave(self, root: str) -> None:
        while True:
            node = self._stack.pop()
            self._open.discard(node)
            self.component[node] = self._count
            if node == root:
                break
        self._count += 1
