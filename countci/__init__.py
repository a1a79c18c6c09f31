"""Tell a team, before a merge, whether a change made their program do more work or take longer."""

__version__ = "0.1.0"
