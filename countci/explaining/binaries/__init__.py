"""What the executables and libraries of a build tell: machine code, tables, compilers."""

from countci.explaining.binaries.examining import Examined, examine

__all__ = ["Examined", "examine"]
