"""Proposals for languages that run from source: Python, JavaScript."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from countci.cli.proposals.packaged import table
from countci.cli.proposals.proposal import (
    Proposal,
    Texts,
    is_aside,
    is_plain,
    stand_in,
    with_arguments,
)

_BIN = "build/venv/bin"
_ENTRY = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")


def python(files: Texts) -> Proposal | None:
    """Return the proposal for a Python project at the top."""
    if not {"pyproject.toml", "setup.py", "setup.cfg"} & files.keys():
        return _script(files)
    # A folder `queries` beside the package would be a package to setuptools, which then
    # refuses to choose; `benchmarks` is among the names that it skips.
    return replace(_python(files), queries="benchmarks/queries")


def _python(files: Texts) -> Proposal:
    project = _table(table(files.get("pyproject.toml", "")), "project")
    scripts = _table(project, "scripts")
    package = _package(files, project)
    if _needs_installing(files, project):
        build = ("python3 -m venv build/venv", f"{_BIN}/pip install --quiet .")
        names = [name for name in scripts if re.fullmatch(r"[\w.-]+", name)]
        if names:
            found = f"Python, the script {names[0]}"
            return Proposal(found=found, build=build, command=f"{_BIN}/{names[0]} --help")
        return _from_package(files, package, f"{_BIN}/python", build)
    entries = [_ENTRY.fullmatch(entry) for entry in scripts.values() if isinstance(entry, str)]
    if package and entries and entries[0]:
        (root, name), (module, function) = package, entries[0].groups()
        start = f'python3 -c "from {module} import {function}; {function}()"'
        return Proposal(
            found=f"Python, the function {module}.{function}",
            build=(),
            command=with_arguments(start, _sources(files, name)),
            env={"PYTHONPATH": root} if root else {},
        )
    return _from_package(files, package, "python3", ())


def _script(files: Texts) -> Proposal | None:
    """Return the proposal for a script that lies at the top, with no package around it."""
    for path, text in sorted(files.items()):
        at_top = path.endswith(".py") and "/" not in path and is_plain(path)
        if at_top and not is_aside(path.removesuffix(".py")) and "__main__" in text:
            command = with_arguments(f"python3 {path}", text)
            return Proposal(found=f"Python, the script {path}", build=(), command=command)
    return None


def node(files: Texts) -> Proposal | None:
    """Return the proposal for a package.json at the top."""
    if "package.json" not in files:
        return None
    try:
        package = json.loads(files["package.json"])
    except (ValueError, RecursionError):
        package = {}
    package = package if isinstance(package, dict) else {}
    build = _node_build(package, files)
    bins = package.get("bin")
    programs = list(bins.values()) if isinstance(bins, dict) else [bins]
    for path in (*programs, package.get("main", "index.js")):
        script = path.removeprefix("./") if isinstance(path, str) else ""
        if script in files and is_plain(script):
            command = with_arguments(f"node {script}", files[script])
            return Proposal(
                found=f"Node, the script {script}",
                build=build,
                command=command,
                sure=path in programs,
            )
    return stand_in("Node, no script", build, "node -e 'console.log(1)'")


def _from_package(
    files: Texts, package: tuple[str, str] | None, interpreter: str, build: tuple[str, ...]
) -> Proposal:
    if package is None:
        return stand_in("Python, no package", build, f"{interpreter} -c 'print(1)'")
    root, name = package
    env = {"PYTHONPATH": root} if root and not build else {}
    if f"{root}/{name}/__main__.py".lstrip("/") in files:
        command = with_arguments(f"{interpreter} -m {name}", _sources(files, name))
        return Proposal(found=f"Python, the module {name}", build=build, command=command, env=env)
    return Proposal(
        found=f"Python, the package {name}",
        build=build,
        command=f'{interpreter} -c "import {name}; print({name}.__name__)"',
        note="This only imports the package: call a function that its users wait for, {n} times",
        sure=False,
        env=env,
    )


def _package(files: Texts, project: dict[str, Any]) -> tuple[str, str] | None:
    """Return the folder that holds the package (`src`, or nothing for the top), and its name."""
    setup = re.search(r"\bname\s*=\s*[\"']?([\w.-]+)", _setup(files))
    written = project.get("name") or (setup[1] if setup else "")
    wanted = re.sub(r"[-.]+", "_", str(written)).lower()
    found = []
    for path in sorted(files):
        match = re.fullmatch(r"(?:(src)/)?([A-Za-z_]\w*)(/__init__)?\.py", path)
        if match and not is_aside(match[2]) and (match[3] or match[2].lower() == wanted):
            found.append((match[1] or "", match[2]))
    return min(found, key=lambda each: each[1].lower() != wanted, default=None)


def _needs_installing(files: Texts, project: dict[str, Any]) -> bool:
    """Return whether the project can't be imported as it lies there."""
    native = r"maturin|scikit-build|scikit_build|mesonpy|meson-python"
    return bool(
        project.get("dependencies")
        or re.search(r"ext_modules|Extension\(|cythonize|install_requires", _setup(files))
        or re.search(native, files.get("pyproject.toml", ""))
    )


def _setup(files: Texts) -> str:
    return files.get("setup.py", "") + files.get("setup.cfg", "")


def _sources(files: Texts, package: str) -> str:
    return "\n".join(
        text
        for path, text in files.items()
        if f"/{package}/" in f"/{path}" and path.endswith(".py")
    )


def _node_build(package: dict[str, Any], files: Texts) -> tuple[str, ...]:
    needs = package.get("dependencies") or package.get("devDependencies")
    install = "npm ci" if "package-lock.json" in files else "npm install"
    builds = "build" in _table(package, "scripts")
    return (*((install,) if needs else ()), *(("npm run build",) if builds else ()))


def _table(value: dict[str, Any], key: str) -> dict[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}
