"""Peers beside each other: the servers that they speak to, our own session, rows and page."""

import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.peers import neovims
from benchmarks.peers.comparison import Result
from benchmarks.peers.contestant import Contestant
from benchmarks.peers.document import table, written
from benchmarks.peers.measure import figures
from benchmarks.peers.model import SHAPES, SPEED
from benchmarks.peers.plain import NAME, plain
from benchmarks.peers.rows import Missing, rows
from benchmarks.peers.servers import OURS, named, ours
from benchmarks.peers.stage import Seat, seat
from benchmarks.trace.account import Account, account
from benchmarks.trace.knowing import Knowing, pieces
from benchmarks.trace.passages import passages
from benchmarks.trace.strokes import plan
from benchmarks.trace.typist import Part, Typist
from benchmarks.validation.report import place_of_figures
from tests.e2e.editors.programs import program

SEED = "1"
JAVA = passages()[0]
WRITTEN = Knowing(JAVA, SEED).text(JAVA.before)


@pytest.fixture
def llama_cpp() -> Iterator[Seat]:
    """A seat before llama.cpp's server."""
    with seat(JAVA, "llama_cpp", SEED) as place:
        yield place


def posted(place: Seat, path: str, body: dict[str, Any]) -> bytes:
    """The answer to a request."""
    connection = http.client.HTTPConnection("127.0.0.1", place.model.port, timeout=20)
    connection.request("POST", path, json.dumps(body))
    answer = connection.getresponse().read()
    connection.close()
    return answer


def infilled(place: Seat, **more: Any) -> str:
    """What llama.cpp's server writes where the typing begins."""
    above, _, line = JAVA.before.rpartition("\n")
    asked = {"input_prefix": above + "\n", "prompt": line, "input_suffix": JAVA.after, **more}
    answer = posted(place, "/infill", asked)
    assert answer.startswith(b'{"content":"')
    return str(json.loads(answer)["content"])


def test_llama_cpp_ends_where_its_client_wants_it(llama_cpp: Seat) -> None:
    """By tokens, by stop texts, by a line that is indented less, or by time behind a line break."""
    assert infilled(llama_cpp) == WRITTEN
    assert WRITTEN.startswith(infilled(llama_cpp, n_predict=3))
    assert infilled(llama_cpp, stop=["\n"]) == WRITTEN.partition("\n")[0]
    within = infilled(llama_cpp, n_indent=8)
    assert WRITTEN.startswith(within)
    assert 0 < len(within) < len(WRITTEN)
    infilled(llama_cpp, t_max_predict_ms=250)
    assert infilled(llama_cpp, n_predict=0) == ""
    tokens = [made.generation.tokens for made in llama_cpp.model.made()]
    assert tokens[1] == 3
    assert tokens[4] == 1 + round(0.25 / SPEED.next)
    assert len(tokens) == 5


def test_what_a_client_hangs_up_on_counts_as_far_as_it_was_written(llama_cpp: Seat) -> None:
    """Nothing is generated behind that."""
    connection = http.client.HTTPConnection("127.0.0.1", llama_cpp.model.port, timeout=20)
    connection.request("POST", "/infill", json.dumps({"prompt": JAVA.before}))
    time.sleep(SPEED.first + 5 * SPEED.next)
    connection.close()
    deadline = time.monotonic() + 20
    while not llama_cpp.model.made():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    (made,) = llama_cpp.model.made()
    assert not made.generation.whole
    assert 0 < made.generation.tokens < 60
    assert JAVA.before.endswith(made.left)


def test_tabby_gets_a_choice_of_at_most_64_tokens_up_to_a_blank_line() -> None:
    """And its agents hear that the server is well."""
    with seat(JAVA, "tabby", SEED) as place:
        segments = {"prefix": JAVA.before, "suffix": JAVA.after}
        answer = json.loads(posted(place, "/v1/completions", {"segments": segments}))
        assert answer["choices"] == [{"index": 0, "text": WRITTEN.partition("\n\n")[0] + "\n"}]
        assert json.loads(posted(place, "/v1/health", {}))["model"]
        assert posted(place, "/v1/events", {}) == b""
        assert posted(place, "/no/such", {}) == b""
        assert len(place.model.made()) == 1


def completes_a_line(contestant: Contestant) -> None:
    """A line is typed in real time: something is shown, and each token is accounted for."""
    passage = next(each for each in passages() if each.name == "debounce.py").lines(2)
    keys = plan(passage.text, SEED)
    with seat(passage, contestant.shape, SEED) as place, contestant.opened(place) as editor:
        place.model.forget()
        log = Typist(editor, keys).types()
        assert editor.left() == passage.text
        time.sleep(1)
        made = place.model.made()
    found = account(
        log,
        made,
        before=passage.before,
        first=SPEED.first,
        following=SPEED.next,
        typed_alone=keys.seconds,
    )
    assert log.seen
    assert found.calls == len(made) > 0
    assert found.generated == sum(each.generation.tokens for each in made)
    assert found.generated >= found.shown > 0
    assert all(each.left.lstrip() in passage.before + passage.text for each in made)


def test_our_server_completes_the_trace_over_stdio() -> None:
    """As an editor that shows inline completions asks it."""
    completes_a_line(ours())


def test_our_plugin_completes_the_trace_in_neovim() -> None:
    """Keys go in as from a keyboard, grey text is read from the buffer."""
    found = program("nvim", "SYNCONFROUTE_NEOVIM", "`.ci/from_sid FOLDER neovim` unpacks one")
    completes_a_line(neovims.ours(found))


def test_a_plain_client_asks_at_each_key_and_shows_a_line() -> None:
    """It hangs up on the request before, and takes what it shows."""
    passage = next(each for each in passages() if each.name == "budget.py")
    with seat(passage, "ollama", SEED) as place, plain().opened(place) as editor:
        for key in ("    ", "e", "n"):
            editor.type(key)
            time.sleep(0.05)
        time.sleep(1)
        shown = editor.look()[-1]
        editor.take(shown.text, Part.WHOLE)
        editor.erase()
        text = Knowing(passage, SEED).text(passage.before + "    en").partition("\n")[0]
        assert (shown.left, shown.text) == ("    en", text)
        assert editor.left() == ("    en" + text)[:-1]
        tokens = [made.generation.tokens for made in place.model.made()]
    assert len(tokens) >= 3
    assert tokens[:2] == [0, 0]
    assert len(pieces(text)) <= tokens[2] <= len(pieces(text)) + 2


def test_a_server_is_named_with_the_protocol_of_its_model() -> None:
    """The address of the model stands in its command."""
    peer = named("other = other-server --stdio --url {vllm}/v1")
    assert (peer.name, peer.shape, peer.editor) == ("other", "vllm", "LSP")
    for wrong in ("other", "other=server", "other=server {vllm} {tabby}", "=server {none}"):
        with pytest.raises(ValueError, match="NAME=COMMAND"):
            named(wrong)


def test_a_peer_that_is_not_installed_is_a_row_with_a_reason(tmp_path: Path) -> None:
    """What to do stands in it."""
    found = rows(tmp_path, neovim=str(tmp_path / "nvim"))
    assert [row.name for row in found if isinstance(row, Contestant)] == [OURS, NAME]
    assert len(found) == 7
    reasons = [row.reason for row in found if isinstance(row, Missing)]
    assert all("install" in reason for reason in reasons)
    assert "skipped: " in table([row for row in found if isinstance(row, Missing)])


def result(name: str, **figures_: Any) -> Result:
    """A product over LSP, and what it came to."""
    return Result(Contestant(name, "1", "LSP", "ollama", "`x`", ours().opened), Account(**figures_))


def test_the_page_has_a_line_a_product_with_its_settings() -> None:
    """What failed and what is absent stands there, too."""
    one = result(
        "one", generated=300, accepted=100, characters=50, added_ms=(5.0, 7.0), typed_alone=2.0
    )
    failed = Result(one.contestant, None, "It hung.")
    page = written([one, failed, Missing("two", "LSP", "Install it.")], quick=False)
    assert "| LSP | one | 0 | 300 | 0 | 100 | 50 | 200 | 4 | 6 | 7 |" in page.replace(
        " | 7 | ", " | 7 | "
    )
    assert "FAILED: It hung." in page
    assert "skipped: Install it." in page
    assert "| LSP | one | 1 | `x` |" in page


def test_ours_must_be_ahead_of_a_peer() -> None:
    """On tokens and on time, of those that run as they are shipped; nothing taken gives no row."""
    mine = result("SynConfRoute", generated=30, characters=10, added_ms=(40.0,))
    better = result("tabby-agent", generated=20, characters=10, added_ms=(30.0,))
    worse = result("tabby-agent", generated=90, characters=10, added_ms=(90.0,))
    assert [row.kept for row in figures(mine, better)] == [False, False]
    assert [row.kept for row in figures(mine, worse)] == [True, True]
    other = result("another", generated=20, characters=10, added_ms=(30.0,))
    assert [row.kept for row in figures(mine, other)] == [None, None]
    assert list(figures(mine, result("tabby-agent", generated=9))) == []


def test_every_shape_can_be_asked() -> None:
    """The names that a peer's command may hold."""
    assert set(SHAPES) >= {"ollama", "vllm", "tabby", "llama_cpp"}


def test_the_document_has_a_place_for_the_figures() -> None:
    """`--write` finds the marks."""
    document = Path(__file__).parents[2] / "docs" / "peers.md"
    assert place_of_figures(document.read_text(encoding="utf-8")) is not None
