"""What looks like a secret in a text, and what does not."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.server.completion.secret_scan.redaction import redacted
from synconfroute.server.completion.secret_scan.scan import secrets_in
from tests.server.completion.secret_scan.made import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_secret_is_found(kind: str) -> None:
    """Sixty kinds, five of each, made up anew: all of each is found, whatever stands around it."""
    for seed in range(5):
        secret = KINDS[kind](random.Random(f"{kind}{seed}"))
        for before, after in (("", ""), ("client = Client(\n    ", "\n)\n"), ("# ", " and more\n")):
            assert secrets_in(before + secret + after), (kind, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_replaced_is_found_no_more(kind: str) -> None:
    """A placeholder looks like no secret, has its length, and nothing else of the text changes."""
    secret = KINDS[kind](random.Random(kind))
    text = f"first = 1\n{secret}\nlast = 2\n"
    clean = redacted(text, secrets_in(text))
    assert secrets_in(clean) == ()
    assert len(clean) == len(text)
    assert [len(line) for line in clean.split("\n")] == [len(line) for line in text.split("\n")]
    assert clean.startswith("first = 1\n")
    assert clean.endswith("\nlast = 2\n")


@pytest.mark.parametrize(
    "code",
    [
        'password = getpass("Password: ")',
        'password = os.environ["DB_PASSWORD"]',
        'password = ""',
        'token = tokens[index]',
        'self.token = "identifier"',
        'key = "value"',
        'KEY = "primary_key"',
        'parser.add_argument("--password", help="the password of the database user")',
        'secret = "${DB_SECRET}"',
        "password: '{{ vault_password }}'",
        'api_key = "<your api key>"',
        'api_key = "YOUR_API_KEY"',
        'password = "changeme"',
        'token_url = "https://login.example.org/oauth/token"',
        'public_key_path = "/etc/ssl/public.pem"',
        'sort(key=lambda pair: pair[1])',
        'assert token == "return"',
        'if (token.type == "identifier") {',
        'x = "d41d8cd98f00b204e9800998ecf8427e"',
        'sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
        'id = "123e4567-e89b-12d3-a456-426614174000"',
        'url = "https://user@host/path"',
        'image = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"',
        'import sklearn  # scikit-learn',
        'ACTIONS = {"SKIP": 1, "ACCEPT": 2}',
        'names = ["passwd", "shadow1!"]',
        'Token("a1!b2@c3#")',
    ],
)  # fmt: skip
def test_plain_code_is_not_taken_for_a_secret(code: str) -> None:
    """Names without values, placeholders, words, hashes, addresses without a password."""
    assert secrets_in(f"def f():\n    {code}\n") == ()


def test_a_finding_says_what_it_looks_like() -> None:
    """Not what it is: the kind is all that anybody is told."""
    secret = KINDS["GitHub token"](random.Random(1))
    (found,) = secrets_in(f'token = "{secret}"')
    assert found.kind == "a GitHub token"
    assert secret not in repr(found)


def test_this_repositorys_own_modules_hold_none() -> None:
    """Nearly: what is found in them are words that are looked for, in one of two hundred files."""
    import synconfroute

    files = sorted((Path(synconfroute.__file__).parent / "server").rglob("*.py"))
    hits = [file.name for file in files if secrets_in(file.read_text("utf-8"))]
    assert len(files) > 100
    assert len(hits) <= len(files) // 100


_PIECES = st.sampled_from(
    ["AKIA", "sk-", "eyJ", ".", "-----BEGIN ", "PRIVATE KEY-----", "password", " = ", '"', "'", "://",
     ":", "@", "\n", "x", "A1b2C3d4", "é", "AccountKey=", "Bearer ", "=", "/", "+", "\\n", "(", ","]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(_PIECES | st.text(max_size=6), max_size=30).map("".join))
def test_any_text_can_be_looked_through_and_cleaned(text: str) -> None:
    """Findings stand in order, apart and within the text; the cleaned text is as long."""
    found = secrets_in(text)
    places = [place for each in found for place in (each.start, each.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    clean = redacted(text, found)
    assert len(clean) == len(text)
    outside = re.sub("X", "", "".join(clean[a:b] for a, b in _gaps(places, len(text))))
    assert outside == re.sub("X", "", "".join(text[a:b] for a, b in _gaps(places, len(text))))


def _gaps(places: list[int], length: int) -> list[tuple[int, int]]:
    edges = [0, *places, length]
    return [(edges[at], edges[at + 1]) for at in range(0, len(edges), 2)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "eyJ" + "a" * 40_000,
        "eyJ" * 13_000,
        "password" * 5_000,
        "key: a.b" * 5_000,
        'token = "' * 4_000,
        "://" + "a:" * 20_000,
        ("A" * 70 + "\n") * 500,
        ("A" * 70 + "\n" + "x\n") * 500,
        "AKIA" * 10_000,
        "-----BEGIN " * 4_000,
        "Bearer " + "a" * 40_000,
        "sig=&" * 8_000,
    ],
)
def test_no_text_is_slow(text: str) -> None:
    """A buffer made to blow up a pattern is looked through like any other."""
    secrets_in(text)
