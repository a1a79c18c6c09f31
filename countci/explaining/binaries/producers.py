"""Compiler and flags of each compiled file, from the debug information. Pure."""

from __future__ import annotations

import posixpath
import re

_UNIT = re.compile(r"^ <0><[0-9a-f]+>: Abbrev Number: ", re.MULTILINE)
_FIELD = re.compile(
    r"^ +<[0-9a-f]+> +DW_AT_(producer|name|comp_dir) *: (?:\((?:ind|alt|idx|str)[^)]*\): )?(.*)$",
    re.MULTILINE,
)
_RUST_UNIT = re.compile(r"/@/.*$")


def producers(text: str, stage: str) -> dict[str, str]:
    """Return compiler and flags by compiled file, below the stage where it is there.

    gcc writes its flags down by itself, clang with -grecord-command-line.

    Args:
        text: what `objdump --dwarf=info --dwarf-depth=1` printed.
        stage: path of the tree.
    """
    found: dict[str, set[str]] = {}
    for unit in _UNIT.split(text)[1:]:
        fields = {kind: value.strip() for kind, value in reversed(_FIELD.findall(unit))}
        if "producer" in fields and "name" in fields:
            file = _file(fields["name"], fields.get("comp_dir", ""), stage)
            found.setdefault(file, set()).add(fields["producer"])
    return {file: "\n".join(sorted(each)) for file, each in sorted(found.items())}


def _file(name: str, folder: str, stage: str) -> str:
    name = _RUST_UNIT.sub("", name)  # a crate is compiled in parts with a digest in their names
    if name.startswith("<"):
        return name  # link-time optimisation: `<artificial>`
    return posixpath.normpath(posixpath.join(folder, name)).removeprefix(f"{stage}/")
