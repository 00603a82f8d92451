"""The head of a declaration that ends where people break lines is a step to code that is whole."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import session_of
from synconfroute.validators.verdict import Outcome

_HEADS = {
    "java": (
        "@A(⏎b = 3,⏎c = {1,⏎2}⏎)⏎public static final class C<⏎T extends D<T>,⏎U>⏎extends E<T>⏎"
        "implements F,⏎G<T>⏎{",
        "public sealed interface C<T>⏎extends D,⏎E<T>⏎permits F⏎{",
        "public enum C⏎implements D<E>⏎{",
        "private record C<T>(⏎int a,⏎@B⏎List<T> d⏎)⏎implements E<T>⏎{",
        "@Override⏎protected <T extends A & B<T>>⏎Map<T, C>⏎f(⏎int[] a,⏎D<?>... b)⏎throws E,⏎F⏎{",
    ),
    "cpp": (
        "template <⏎typename T,⏎class U = V<T>>⏎class C final⏎: public D<T>,⏎private e::F<⏎U>⏎{",
        "template <class T>⏎class C :⏎public D<⏎e::f<T>::g>⏎{",
        "struct C⏎: D⏎{",
        "enum class C⏎: int⏎{",
        "template <class T>⏎inline auto⏎f(⏎const T& a,⏎vector<int> b)⏎const noexcept⏎-> C<T>⏎{",
        "explicit A(int a)⏎: a_(a),⏎b_(c(d))⏎{",
        "typedef a::b<c>⏎d;",
        "static constexpr int⏎f(⏎D<T>* a = nullptr)⏎{",
    ),
    "rust": (
        "#[cfg(test)]⏎pub struct C<⏎'a,⏎T: D<E> + F,⏎>⏎where⏎T: G,⏎{",
        "impl<T: A>⏎B<T>⏎for C<T>⏎where⏎T: D +⏎E,⏎{",
        "pub fn f<T>(⏎#[cfg(a)]⏎a: &mut T,⏎b: [u8; 4],⏎)⏎-> Result<Vec<T>, E>⏎where⏎T: A⏎+ B,⏎{",
        "#[derive(⏎Debug,⏎Clone)]⏎pub enum C⏎{",
        "pub trait C<T>:⏎D + E<T>⏎{",
    ),
}
"""By LSP language id; at each mark a line may end."""

_TYPE = {"java": ("class A {", "}"), "cpp": ("class A {", "};"), "rust": ("mod a {", "}")}
_METHOD = {"java": "void g() {", "cpp": "void g() {", "rust": "fn g() {"}


def _places(language: str) -> Iterator[tuple[str, str]]:
    """The end of a file and of a block, and places with a declaration below."""
    method = f"    {_METHOD[language]}\n        h();\n    }}\n"
    head, end = _TYPE[language]
    yield "", "\n"
    yield "", f"\n\n{head}\n{method}{end}\n"
    yield f"{head}\n    ", f"\n{end}\n"
    yield f"{head}\n{method}\n    ", f"\n\n{method}{end}\n"


def _steps(language: str) -> Iterator[Insertion]:
    """The head on one line, which does not end before a bracket alone; and on several."""
    for head in _HEADS[language]:
        parts = head.split("⏎")
        for number in range(1, len(parts) + 1):
            for prefix, suffix in _places(language):
                if parts[number : number + 1] != [")"]:
                    yield Insertion(prefix, " ".join(parts[:number]), suffix)
                above = "".join(f"{part}\n        " for part in parts[: number - 1])
                yield Insertion(prefix + above, parts[number - 1], suffix)


@pytest.mark.parametrize("language", _HEADS)
def test_a_head_may_end_where_a_line_may(language: str) -> None:
    """The rest of it and its body are still to come."""
    session = session_of(language)
    refused = []
    for step in _steps(language):
        with suppress(Undecidable):  # a machine that is busy
            verdict = session.judge(step)
            if verdict.outcome is not Outcome.VALID:
                refused.append((step.prefix, step.text, verdict.reason))
    assert not refused
