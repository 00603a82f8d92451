"""Buffers with a text inserted, written as one text: the inserted part stands between « and »."""

from synconfroute.validators.evidence.python.witness import PythonWitness
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.session import Witness
from synconfroute.validators.verdict import Evidence


def evidence(marked: str, witness: Witness | None = None) -> tuple[Evidence, ...]:
    """What a witness (Python's, where none is given) finds."""
    prefix, _, rest = marked.partition("«")
    text, _, suffix = rest.partition("»")
    witness = witness or PythonWitness()
    witness.update(prefix + suffix)
    return witness.find(Insertion.of(prefix, text, suffix))


def found(marked: str, witness: Witness | None = None) -> list[tuple[str, int]]:
    """The kinds and lines of what it finds."""
    return [(each.kind, each.line) for each in evidence(marked, witness)]
