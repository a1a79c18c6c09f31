"""The two files that `countci init` writes: every key is there, defaults as comments."""

from __future__ import annotations

import json
import textwrap

from countci.cli.proposals.proposal import Proposal

DEFAULT_FOLDER = "queries"
_CONFIG = """\
# countci: does a change make the program do more work, or take longer?
# Found here: {found}.

# Commands that make the program, in the repository's top folder. They are split as a shell
# splits words and run without a shell; write sh -c '...' around what needs one.
build = {build}

# Paths that the build reads: a commit that touches none of them builds nothing.
# build-inputs = ["src", "Makefile"]

# Paths that are compared to tell whether two builds are the same, instead of everything.
# artifacts = ["build/program"]

# How long the build may take.
# build-timeout = "30m"

# Names of environment variables that the build may see beside the few that it always does.
# pass-env = ["CCACHE_DIR"]

# The folder of query files: each NAME.toml in it is a suite.
{queries}

# "fail": exit 4 when the data can't decide; "pass": exit 0.
# unsettled = "fail"

# How much disk finished builds may take, and where they are kept.
# cache-size = "5 GiB"
# cache-dir = "/var/cache/countci"

# How far a query may get worse before the check fails; a query may have its own.
[limits]
# instructions = "1%"
# time = "3%"
"""

_SUITE = """\
# The suite "{suite}". Its queries are work that the program is asked to do, the same before and
# after a change. In commands these are filled in:
#   {{n}}        how often to ask in one process; without it, start-up is part of what is counted
#   {{work}}     an empty folder outside the repository, for what `setup` makes
#   {{queries}}  the folder of this file
#   {{build}}    the repository's top folder, where commands run
# Double braces stand for braces.

# A command that runs once for each build, and is not measured:
# setup = "build/program load {{work}}/data"

[query.start]
{note}
command = {command}
{env}\
# stdin = "input.txt"                    # a file beside this one
# env.NAME = "value"
# limit.instructions = "2%"              # instead of the limit in the configuration
# metrics = ["instructions"]             # default: instructions and time
# timeout = "60s"                        # for one run
"""


def config_text(proposal: Proposal) -> str:
    """Return the text of countci.toml."""
    queries = f"queries = {_string(proposal.queries)}"
    return _CONFIG.format(
        found=proposal.found,
        build=_array(proposal.build),
        queries=f"# {queries}" if proposal.queries == DEFAULT_FOLDER else queries,
    )


def suite_text(proposal: Proposal, *, suite: str) -> str:
    """Return the text of the first query file."""
    env = "".join(f"env.{name} = {_string(value)}\n" for name, value in proposal.env.items())
    return _SUITE.format(
        suite=suite,
        note=textwrap.indent(textwrap.fill(f"{proposal.note}.", 92), "# "),
        command=_string(proposal.command),
        env=env,
    )


def _array(commands: tuple[str, ...]) -> str:
    if len(commands) < 2:
        return f"[{', '.join(map(_string, commands))}]"
    return "[\n" + "".join(f"  {_string(command)},\n" for command in commands) + "]"


def _string(text: str) -> str:
    # What both allow: JSON's strings are TOML's, but for one character that needs escaping.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
