"""Commits made on purpose on small programs of our own, each with the lines that are to blame."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tests.real.bank import Repository

SOURCES = Path(__file__).parent.parent / "data" / "constructed"


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Some text of a file, replaced."""

    file: str
    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Made:
    """One commit on top of the first."""

    name: str
    query: str
    edits: tuple[Edit, ...]
    blamed: Edit | None
    """The one whose lines cause the difference; None where it is no line of a source."""
    moved: dict[str, str] = field(default_factory=dict)
    """New names of files, before the edits."""
    noise: bool = True
    """Other edits that cause nothing come with it."""
    line_ends: tuple[str, ...] = ()
    """Files whose every line ends differently, after the edits."""


def _one(name: str, query: str, file: str, old: str, new: str, *others: Edit) -> Made:
    """Return a commit whose first edit is to blame."""
    blamed = Edit(file=file, old=old, new=new)
    return Made(name=name, query=query, edits=(blamed, *others), blamed=blamed)


_NOISE = (
    Edit(file="unused.c", old="number * 3 + 1", new="number * 5 + 2"),
    Edit(file="main.c", old='"usage: work KIND N\\n"', new='"usage: work KIND TIMES\\n"'),
    Edit(file="work.h", old="/* What an ask of each kind does. */", new="/* What is asked. */"),
)
_CACHE = """    if (key == last_key)
        return last_place;
"""
_DIGITS = """static int digits(long number, char *out)
{
    int count = 0;
    do {
        out[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return count;
}
"""
_DIGITS_MOVED = """int digits(long number, char *out)
{
    int count = 0;
    do {
        out[count++] = (char)('0' + number % 10);
        number = number / 10 + number % 2 - (number & 1);
    } while (number);
    return count;
}
"""
_MOVED = Edit(file="digits.c", old="", new=_DIGITS_MOVED)

COMMITS = (
    _one(
        "struct field",
        "c/list",
        "list.h",
        "    long weight;\n",
        "    long weight;\n    char name[200];\n",
    ),
    _one(
        "macro",
        "c/hash",
        "check.h",
        "#define CHECK(condition) ((void)0)",
        "#define CHECK(condition) ((condition) ? (void)0 : abort())",
        Edit(file="hash.c", old="/* Return the digest of the whole text. */\n", new=""),
    ),
    Made(
        name="optimisation flag",
        query="c/lookup",
        edits=(blamed := Edit(file="build.sh", old="-O2", new="-Os"),),
        blamed=blamed,
    ),
    Made(
        name="protection flag",
        query="c/words",
        edits=(blamed := Edit(file="build.sh", old="-O2", new="-O2 -fstack-protector-all"),),
        blamed=blamed,
    ),
    _one("removed cache", "c/lookup", "lookup.c", _CACHE, ""),
    Made(
        name="renamed file",
        query="c/hash",
        edits=(
            blamed := Edit(
                file="digest.c",
                old="    state ^= (unsigned long)letter;\n",
                new="    state ^= (unsigned long)letter + (state >> 9);\n",
            ),
        ),
        blamed=blamed,
        moved={"hash.c": "digest.c"},
    ),
    Made(
        name="moved function",
        query="c/print",
        edits=(
            _MOVED,
            Edit(file="print.c", old=_DIGITS, new="int digits(long number, char *out);\n"),
        ),
        blamed=_MOVED,
    ),
    _one(
        "table entry",
        "c/levels",
        "levels.c",
        "    {8, 16},\n",
        "    {8, 24},\n",
        Edit(file="levels.c", old="/* How thoroughly it is searched. */", new="/* Levels. */"),
    ),
    _one("class constant", "cpp/blocks", "pool.h", "kBlock = 4096", "kBlock = 64"),
    _one(
        "class field",
        "cpp/items",
        "pool.h",
        "    double weight_;\n",
        "    double weight_;\n    char name_[2000] = {};\n",
    ),
    Made(
        name="changed signature",
        query="cpp/weigh",
        edits=(
            blamed := Edit(
                file="weigh.cpp",
                old="int count)\n{\n    double sum = 0;\n    for (int at = 0; at < count; at++)\n"
                "        sum += items[at].weight();\n",
                new="int count, double least)\n{\n    double sum = 0;\n"
                "    for (int at = 0; at < count; at++)\n"
                "        if (items[at].weight() > least)\n"
                "            sum += items[at].weight();\n",
            ),
            Edit(file="pool.h", old="*items, int count)", new="*items, int count, double least)"),
            Edit(file="pools.cpp", old="weigh(each, 8)", new="weigh(each, 8, 1.0)"),
        ),
        blamed=blamed,
    ),
    _one("malloc size", "c/buffers", "buffers.c", "malloc(64)", "malloc(3000)"),
    _one("format", "c/print", "print.c", "%1.15g", "%1.17g"),
    Made(
        name="reordered table",
        query="c/words",
        edits=(
            blamed := Edit(
                file="words.c",
                old='    "if",\n    "else",\n',
                new="",
            ),
            Edit(
                file="words.c",
                old='    "default",\n',
                new='    "default",\n    "else",\n    "if",\n',
            ),
        ),
        blamed=blamed,
        line_ends=("words.c",),
    ),
    Made(
        name="table beside a function",
        query="c/scan",
        edits=(
            Edit(file="scan.c", old="(*from++ - '0')", new="(*from++ & 15)"),
            blamed := Edit(file="kinds.c", old="'9'] = DIGIT", new="'9'] = LETTER"),
        ),
        blamed=blamed,
    ),
    Made(
        name="enum beside a macro",
        query="c/windows",
        edits=(
            Edit(file="scan.h", old="#define PASSES 8", new="#define PASSES 9"),
            blamed := Edit(file="scan.h", old="WINDOW = 16", new="WINDOW = 17"),
        ),
        blamed=blamed,
    ),
    Made(
        name="table value only",
        query="c/steps",
        edits=(blamed := Edit(file="steps.c", old="    7, 9, 3, 8,\n", new="    7, 9, 3, 2,\n"),),
        blamed=blamed,
        noise=False,
    ),
)


def first(folder: Path) -> Repository:
    """Return the programs as one commit of a new repository below `folder`."""
    made = Repository(top=folder / "constructed", cache=folder / "cache")
    for path in SOURCES.rglob("*"):
        if path.is_file():
            to = made.top / path.relative_to(SOURCES)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(path.read_bytes())
    (made.top / "gitignore").rename(made.top / ".gitignore")
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.email", "constructed@example.invalid")
    made.git("config", "user.name", "Constructed")
    made.git("config", "core.autocrlf", "false")
    made.commit("First")
    return made


def commit(repository: Repository, made: Made) -> str:
    """Return the sha of a commit on top of the first one, on a branch of its own."""
    repository.git("checkout", "-q", "-B", made.name.replace(" ", "-"), "main")
    for old, new in made.moved.items():
        repository.git("mv", old, new)
    for edit in (*made.edits, *(_NOISE if made.noise else ())):
        _replace(repository.top / edit.file, edit)
    for file in made.line_ends:
        path = repository.top / file
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return repository.commit(made.name)


def _replace(path: Path, edit: Edit) -> None:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert edit.old in text
    path.write_text(text.replace(edit.old, edit.new, 1), encoding="utf-8")


def lines(repository: Repository, edit: Edit) -> tuple[int, int]:
    """Return the first and the last line of an edit, in the tree that is checked out.

    Of removed text, the line before it and the one after.
    """
    text = (repository.top / edit.file).read_bytes().decode().replace("\r\n", "\n")
    if edit.new:
        at = text.index(edit.new)
        return text[:at].count("\n") + 1, text[: at + len(edit.new.rstrip("\n"))].count("\n") + 1
    base = repository.git("show", f"main:{edit.file}")
    line = base[: base.index(edit.old)].count("\n")
    return line, line + 1
