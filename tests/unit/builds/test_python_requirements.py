from __future__ import annotations

import pytest

from countci.builds.python.requirements import Lines, flatten, is_local
from countci.errors import UsageError


def read(files: dict[str, str], *paths: str) -> Lines:
    tree = {path: text.encode() for path, text in files.items()}
    return flatten(paths, tree.get, where="HEAD")


def test_files_are_followed_from_where_they_are() -> None:
    files = {
        "a/bench.txt": "-r more.txt\n-rmore.txt\n--constraint=../held.txt\npyperf  # fast\n",
        "a/more.txt": "-r bench.txt\n\n# nothing\nrich >= 13 ; python_version > '3'\n",
        "held.txt": "rich<14",
    }

    assert read(files, "a/bench.txt") == Lines(
        asked=("rich >= 13 ; python_version > '3'", "pyperf"), constraints=("rich<14",)
    )


def test_options_stay_and_digests_go() -> None:
    options = "--extra-index-url https://x/simple\n--require-hashes\n"
    text = f"{options}a==1 \\\n  --hash=sha256:00 \\\n  --hash=sha256:11\nb\n"

    assert read({"r.txt": text}, "r.txt") == Lines(
        asked=("a==1", "b"), options=("--extra-index-url https://x/simple",)
    )


def test_an_address_with_a_hash_sign_is_no_comment() -> None:
    line = "x @ https://h/x.zip#subdirectory=a"

    assert read({"r.txt": line}, "r.txt").asked == (line,)


@pytest.mark.parametrize("files", [{}, {"r.txt": "-r gone.txt"}])
def test_a_missing_file_is_named(files: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="no such requirements file") as caught:
        read(files, "r.txt")

    assert caught.value.where == f"{'gone.txt' if files else 'r.txt'} of HEAD"


@pytest.mark.parametrize(
    ("line", "local"),
    [
        (".[test]", True),
        ("-e ./sub", True),
        ("--editable=.", True),
        ("sub @ file:///a/sub", True),
        ("/a/sub", True),
        ("attrs==1", False),
        ("attrs[x]>=1 ; extra == './a'", False),
        ("-e git+https://h/x", False),
        ("x @ https://h/x.zip", False),
    ],
)
def test_a_folder_is_told_from_a_package(line: str, local: bool) -> None:  # noqa: FBT001
    assert is_local(line) is local
