"""What runs inside a measured process: only the standard library, and nothing else of countci.

`runner.py` (one function) and `suite.py` (a pytest suite) are started by path in the
project's own interpreter, CPython 3.11 or later, where countci isn't installed. The C files
are compiled on the machine (`counting.preloads`) and preloaded into the process.
"""
