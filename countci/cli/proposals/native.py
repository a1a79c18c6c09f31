"""Proposals for C and C++: CMake, Meson, autotools, Make."""

from __future__ import annotations

import re

from countci.cli.proposals.proposal import (
    Proposal,
    Texts,
    first,
    folder,
    mains,
    named,
    stand_in,
    with_arguments,
)

_SOURCES = (".c", ".cc", ".cpp", ".cxx")


def cmake(files: Texts) -> Proposal | None:
    """Return the proposal for a project with a CMakeLists.txt at its top."""
    if "CMakeLists.txt" not in files:
        return None
    build = ("cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo", "cmake --build build -j2")
    project = re.search(r"(?i)\bproject\s*\(\s*([\w.+-]+)", files["CMakeLists.txt"])
    output = re.search(
        r"(?i)CMAKE_RUNTIME_OUTPUT_DIRECTORY\s+\"?\$\{(?:CMAKE|PROJECT)_BINARY_DIR\}/?([\w/.-]*)",
        files["CMakeLists.txt"],
    )
    programs = []
    for path in named(files, "CMakeLists.txt"):
        text = re.sub(r"#.*", "", files[path])
        for name, rest in re.findall(r"(?i)\badd_executable\s*\(\s*(\S+)([^)]*)\)", text):
            whole = name.strip('"').replace("${PROJECT_NAME}", project[1] if project else "")
            if "$" in whole or re.search(r"\b(IMPORTED|ALIAS|EXCLUDE_FROM_ALL)\b", rest):
                continue
            place = f"{output[1].strip('/')}/".lstrip("/") if output else folder(path)
            programs.append(f"build/{place}{whole}")
    return _native("CMake", build, first(programs), files)


def meson(files: Texts) -> Proposal | None:
    """Return the proposal for a project with a meson.build at its top."""
    if "meson.build" not in files:
        return None
    build = ("meson setup build --buildtype=debugoptimized", "meson compile -C build")
    programs = [
        f"build/{folder(path)}{name}"
        for path in named(files, "meson.build")
        for name in re.findall(r"\bexecutable\s*\(\s*'([^']+)'", re.sub(r"#.*", "", files[path]))
    ]
    return _native("Meson", build, first(programs), files)


def autotools(files: Texts) -> Proposal | None:
    """Return the proposal for a project with a configure script, or with what makes one."""
    if not {"configure", "configure.ac", "configure.in"} & files.keys():
        return None
    prepare = () if "configure" in files else ("autoreconf -i",)
    programs = [
        f"{folder(path)}{name}"
        for path in named(files, "Makefile.am")
        for names in re.findall(r"(?m)^(?:bin|noinst)_PROGRAMS\s*\+?=\s*(.*)$", files[path])
        for name in names.split()
        if re.fullmatch(r"[\w.+-]+", name)
    ]
    return _native("autotools", (*prepare, "./configure", "make -j2"), first(programs), files)


def make(files: Texts) -> Proposal | None:
    """Return the proposal for a project with a Makefile at its top."""
    name = next((name for name in ("GNUmakefile", "makefile", "Makefile") if name in files), None)
    if name is None:
        return None
    text = files[name].replace("\\\n", " ")
    program = first(_linked(text, _variables(text)))
    target = f" {program}" if program else ""
    return _native("Make", (f"make -j2{target}",), program, files)


def _variables(text: str) -> dict[str, str]:
    return dict(re.findall(r"(?m)^([A-Za-z_]\w*)\s*[:?]?=\s*([^#\n]*?)\s*(?:#.*)?$", text))


def _linked(text: str, variables: dict[str, str]) -> list[str]:
    """Return the targets whose recipe links a program of that name."""
    programs = []
    target = ""
    for line in text.split("\n"):
        rule = re.match(r"([^\s#:=][^:=#]*?)\s*:(?!=)", line)
        if rule and not line.startswith("\t"):
            target = _expand(rule[1], variables)
            continue
        output = re.search(r"\s-o\s*(\S+)", line) if line.startswith("\t") else None
        if output is None or re.search(r"\s-(c|shared)\b", _expand(line, variables)):
            continue
        made = _expand(output[1], {**variables, "@": target})
        if made == target and re.fullmatch(r"[\w./+-]+", made) and not _is_part(made):
            programs.append(made)
    return programs


def _expand(text: str, variables: dict[str, str]) -> str:
    for _ in range(5):  # a variable of variables; one that names itself never ends, and grows
        if len(text) > 10_000:
            break
        text = re.sub(
            r"\$(?:\((\w+|@)\)|\{(\w+|@)\}|(@))",
            lambda found: variables.get(found[1] or found[2] or found[3], ""),
            text,
        )
    return text


def _is_part(name: str) -> bool:
    return name.endswith((".o", ".a", ".so", ".dylib", ".wasm"))


def _native(system: str, build: tuple[str, ...], program: str | None, files: Texts) -> Proposal:
    if program is None:
        return stand_in(f"{system}, no program", build)
    start = program if "/" in program else f"./{program}"
    return Proposal(
        found=f"{system}, the program {program}",
        build=build,
        command=with_arguments(start, *mains(files, *_SOURCES)),
    )
