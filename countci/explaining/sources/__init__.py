"""What the text of C, C++ and Rust says: functions, definitions, comments."""

from countci.explaining.sources.definitions import Definition
from countci.explaining.sources.functions import Function
from countci.explaining.sources.including import included
from countci.explaining.sources.inert import asserts_only, inert
from countci.explaining.sources.language import is_source
from countci.explaining.sources.names import ChangedNames, changed_names, names_in
from countci.explaining.sources.tree import Tree, outside

__all__ = [
    "ChangedNames",
    "Definition",
    "Function",
    "Tree",
    "asserts_only",
    "changed_names",
    "included",
    "inert",
    "is_source",
    "names_in",
    "outside",
]
