"""`countci hook`: git hooks that compare before a push, and before a merge is committed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from countci import hooks, revisions
from countci.cli.options import environment

_HOOK = click.option(
    "--hook",
    "names",
    multiple=True,
    type=click.Choice(hooks.HOOKS),
    help="Only this one. May be repeated.  [default: both]",
)


@click.group()
def hook() -> None:
    """Compare before pushes, and before merges are committed: hooks of git that call countci."""


@hook.command()
@_HOOK
def install(names: tuple[str, ...]) -> None:
    """Put the hooks into the repository at hand; a hook that is there is kept, and called first."""

    def put(place: hooks.Hook) -> str:
        done = "installed" if hooks.install(place, sys.executable) else "is installed already"
        first = f", after {place.before.name}" if place.before.exists() else ""
        return f"{place.name}: {done}{first}"

    _each(names, put)
    click.echo("git push --no-verify and git merge --no-verify go past them")


@hook.command()
@_HOOK
def remove(names: tuple[str, ...]) -> None:
    """Take the hooks out again; what was there before is put back to the byte."""

    def take(place: hooks.Hook) -> str:
        return f"{place.name}: {'removed' if hooks.remove(place) else 'was not installed'}"

    _each(names, take)


@hook.command()
def status() -> None:
    """Say which hooks are installed."""
    _each((), lambda place: f"{place.name}: {hooks.look(place).value}")


@hook.command(context_settings={"ignore_unknown_options": True})
@click.argument("name", type=click.Choice(hooks.HOOKS))
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def run(name: str, words: tuple[str, ...]) -> int:
    """Do what a hook does; git gives it its WORDS and its standard input."""
    from countci.cli.hooked import before_merge, before_push

    if name == "pre-push":
        return before_push(words, environment())
    return before_merge(environment())


def _each(names: tuple[str, ...], do: Callable[[hooks.Hook], str]) -> None:
    """Do something to each hook of the repository at hand, and print what came of it."""
    repository = revisions.open_repository(Path.cwd(), environment())
    folder = revisions.hook_folder(repository)
    for name in names or hooks.HOOKS:
        click.echo(do(hooks.Hook(folder=folder, name=name)))
