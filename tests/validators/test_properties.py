"""What holds for every text: truth is not rejected, reasons hold no code, nothing is random."""

import ast
import re
import string
import sysconfig
import warnings
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.validators import Outcome, Validator, unknown
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.rule import judge
from synconfroute.validators.validator import LATE

LANGUAGES = ("python", "java", "cpp")

_MODULES = [
    "argparse", "ast", "bisect", "calendar", "codecs", "configparser", "csv", "dataclasses",
    "difflib", "fnmatch", "fractions", "functools", "glob", "heapq", "inspect", "ipaddress",
    "locale", "pathlib", "shlex", "statistics", "string", "tempfile", "textwrap", "zipfile",
]  # fmt: skip

_JAVA = """\
package a.b;

import java.util.*;

/** A store. */
public final class Store<K extends Comparable<K>, V> implements Iterable<V> {
    private final Map<K, V> kept = new TreeMap<>();
    private static final String TEXT = "a(b{c";

    @Override
    public Iterator<V> iterator() {
        return kept.values().stream().filter(v -> v != null).iterator();
    }

    public V put(final K key, V value) throws IllegalStateException {
        if (key == null || value == null) {
            throw new IllegalStateException("null: " + key);
        }
        for (int i = 0, n = kept.size(); i < n; i++) {
            kept.merge(key, value, (a, b) -> b);
        }
        int kind = switch (kept.size()) {
            case 0, 1 -> 3;
            default -> { yield 4; }
        };
        return kind > 3 ? kept.get(key) : null;
    }
}
"""

_CPP = """\
#include <map>
#include <vector>

#define LIMIT 10

namespace store {

template <typename K, typename V = std::vector<K>>
class Store final {
 public:
  explicit Store(int size) : size_(size), kept_{} {}

  auto get(const K& key) const -> const V* {
    auto found = kept_.find(key);
    if (found == kept_.end()) {
      return nullptr;
    } else if (size_ > LIMIT) {
      throw std::runtime_error("full {");
    }
    for (const auto& [name, value] : kept_) {
      total_ += static_cast<int>(value.size()) << 2;
    }
    std::sort(begin(order_), end(order_), [&](int a, int b) { return a < b; });
    return &found->second;
  }

 private:
  int size_ = 0;
  std::map<K, V> kept_;
};

}  // namespace store
"""


_PIECES = (
    "zqx", "(", "'", "f'{", '"', "=", "def ", "!", "\n", " ", "1", "\\x", "{", "*", "%", "$", ";"
)  # fmt: skip


@cache
def _source(name: str) -> str:
    return (Path(sysconfig.get_path("stdlib")) / f"{name}.py").read_text(encoding="utf-8")


_texts = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=string.printable, max_size=60),
    st.lists(
        st.sampled_from(
            ["(", ")", "{", "}", "[", "]", "\n", "\r\n", "    ", "\t", ";", ":", '"', "'", '"""',
             "x", "if x", "def f", "class A", "=", "#", "//", "\\", "f'{", "\0", "\ud800", "<"]
        ),
        max_size=20,
    ).map("".join),
)  # fmt: skip


@pytest.mark.parametrize("name", _MODULES)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_cut_line_completed_with_the_truth_is_valid(name: str, data: st.DataObject) -> None:
    """Take a real Python file, cut the tail of any line, complete it as the author did."""
    source = _source(name)
    lines = source.split("\n")
    number = data.draw(st.integers(0, len(lines) - 1), label="line")
    cut = data.draw(st.integers(0, len(lines[number])), label="column")
    start = sum(len(line) + 1 for line in lines[:number]) + cut
    end = start + len(lines[number]) - cut
    insertion = Insertion.of(source[:start], source[start:end], source[end:])
    assert judge("python", insertion).outcome is Outcome.VALID


@pytest.mark.parametrize(("language", "source"), [("java", _JAVA), ("cpp", _CPP)])
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_cut_span_completed_with_the_truth_is_valid(
    language: str, source: str, data: st.DataObject
) -> None:
    """The same in Java and C++, with any number of lines."""
    start = data.draw(st.integers(0, len(source)))
    ends = [at for at, character in enumerate(source) if character == "\n" and at >= start]
    end = data.draw(st.sampled_from(ends or [len(source)]))
    insertion = Insertion.of(source[:start], source[start:end], source[end:])
    assert judge(language, insertion).outcome is not Outcome.INVALID


@pytest.mark.parametrize("language", LANGUAGES)
@given(prefix=_texts, text=_texts, suffix=_texts)
@settings(max_examples=100, deadline=None)
def test_a_verdict_is_a_function_of_its_input(
    validator: Validator, language: str, prefix: str, text: str, suffix: str
) -> None:
    """Any text gets a verdict, the same one every time and in either process."""
    insertion = Insertion.of(prefix, text, suffix)
    said = {judge(language, insertion), judge(language, insertion),
            validator.validate_blocking(language, prefix, text, suffix, deadline=30)}  # fmt: skip
    assert len(said - {unknown(LATE)}) <= 1


@given(prefix=_texts, text=_texts, suffix=_texts)
@settings(max_examples=300, deadline=None)
def test_what_the_interpreter_takes_is_valid(prefix: str, text: str, suffix: str) -> None:
    """Where `ast.parse` takes the buffer with the text in it, nothing is broken."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse((prefix + text + suffix).removeprefix("\ufeff"))
    except (SyntaxError, ValueError):
        return
    assert judge("python", Insertion.of(prefix, text, suffix)).outcome is Outcome.VALID


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.lists(st.sampled_from(_PIECES), max_size=12))
@settings(max_examples=200, deadline=None)
def test_a_reason_holds_no_source_code(language: str, text: list[str]) -> None:
    """No name from the buffer is in the reason, and the line is one of the buffer's."""
    insertion = Insertion.of("zqx\n", "".join(text), "\nzqx\n")
    verdict = judge(language, insertion)
    assert "zqx" not in verdict.reason
    assert "\n" not in verdict.reason
    if verdict.outcome is Outcome.INVALID:
        line = re.match(r"line (\d+): .", verdict.reason)
        assert line is not None
        assert 1 <= int(line[1]) <= insertion.buffer.count("\n") + 2
