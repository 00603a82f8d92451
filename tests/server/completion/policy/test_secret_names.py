"""What may leave the machine."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.policy import Allowed, Refused, judge, may_leave, secret_mark
from synconfroute.server.settings.tree import Escalation, Settings

_ON = Settings()


def _hole(path: str | None) -> Hole:
    return Hole("python", "a = ", "", path=path)


def test_an_ordinary_file_may_leave(tmp_path: Path) -> None:
    """Source code in a plain file passes."""
    assert may_leave(_hole(str(tmp_path / "app.py")), _ON) == Allowed()


def test_nothing_leaves_when_escalation_is_off(tmp_path: Path) -> None:
    """`escalation.enabled = false` forbids every file."""
    off = replace(_ON, escalation=Escalation(enabled=False))
    decision = may_leave(_hole(str(tmp_path / "app.py")), off)
    assert isinstance(decision, Refused)
    assert "escalation.enabled" in decision.sentence


@pytest.mark.parametrize("path", [None, ""])
def test_a_document_without_a_path_stays(path: str | None) -> None:
    """An untitled buffer never leaves."""
    assert isinstance(may_leave(_hole(path), _ON), Refused)


@pytest.mark.parametrize(
    "path",
    [
        "/w/.env", "/w/.env.local", "/w/.ENV.Production", "/w/prod.env", "/w/.envrc",
        "/home/u/.ssh/config", "/home/u/.ssh/helper.py", "/w/id_rsa", "/w/id_ed25519.pub",
        "/w/deploy_rsa", "/w/server.pem", "/w/SERVER.KEY", "/w/a.p12", "/w/a.pfx", "/w/a.jks",
        "/w/release.keystore", "/w/a.kdbx", "/w/.netrc", "/w/_netrc", "/w/.npmrc", "/w/.pypirc",
        "/home/u/.kube/config", "/w/kubeconfig", "/w/kubeconfig.yaml", "/home/u/.aws/credentials",
        "/home/u/.docker/config.json", "/w/credentials", "/w/credentials.json",
        "/w/google_credentials.py", "/w/secrets.yaml", "/w/secrets.py", "/w/app-secrets.toml",
        "/w/secrets/views.py", "/w/terraform.tfstate", "/w/terraform.tfstate.backup",
        "/w/prod.tfvars", "/w/.git-credentials", "/w/.pgpass", "/w/.htpasswd", "/w/private_key.h",
        "/w/service-account-prod.json", "/w/client_secret_1.json", "/w/heap.hprof", "/w/db.dump",
        "/etc/shadow", "/home/u/.bash_history", "/w/.env~", "/w/server.key.bak", "/w/#.env#",
        "/w/.#id_rsa", "/w/.env.", "/w/server.pem::$DATA", "C:\\Users\\u\\.ssh\\id_rsa",
        "C:\\w\\.Env", "/w/server.key.old~",
    ],
)  # fmt: skip
def test_secret_looking_paths_stay(path: str) -> None:
    """Keys, environments, credentials, keystores, state files and dumps never leave."""
    decision = judge(_hole(path), _ON, path)
    assert isinstance(decision, Refused)
    assert decision.sentence.endswith(".")


@pytest.mark.parametrize(
    "path",
    [
        "/w/app.py", "/w/environment.py", "/w/keys.py", "/w/keyboard.cpp", "/w/token.py",
        "/w/Main.java", "/w/password_reset.py", "/w/credential_form.java", "/w/monkey.py",
        "/w/history.py", "/w/dump.py", "C:\\w\\src\\main.cpp", "/w/score.py",
        "/w/passwd_check/x.py",
    ],
)  # fmt: skip
def test_plain_source_files_are_not_taken_for_secrets(path: str) -> None:
    """A name that merely contains such a word is not refused."""
    assert secret_mark(path) is None


def test_the_file_behind_a_harmless_name_counts() -> None:
    """Both the name and the real path are judged."""
    assert isinstance(judge(_hole("/w/notes.py"), _ON, "/home/u/.ssh/id_rsa"), Refused)
    assert isinstance(judge(_hole("/w/.env"), _ON, "/w/harmless.txt"), Refused)


def test_a_path_that_leads_nowhere_stays() -> None:
    """Where links cannot be followed nothing is known, so nothing leaves."""
    assert isinstance(judge(_hole("/w/app.py"), _ON, None), Refused)
    assert isinstance(may_leave(_hole("/w/a\0b.py"), _ON), Refused)


@pytest.mark.parametrize("name", ["~" * 1_000_000, ".bak" * 300_000, "a" * 1_000_000, "/" * 10**6])
@pytest.mark.timeout(10)
def test_an_endless_path_is_answered_at_once(name: str) -> None:
    """No path keeps the server busy: what is too long stays here."""
    assert isinstance(may_leave(_hole(f"/w/x{name}"), _ON), Refused)
    assert secret_mark(f"/w/server.key{name[:4000]}") in {None, "*.key"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make links")
def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    """A link to a key is a key."""
    (tmp_path / "server.pem").write_text("x")
    os.symlink(tmp_path / "server.pem", tmp_path / "notes.py")
    assert isinstance(may_leave(_hole(str(tmp_path / "notes.py")), _ON), Refused)


@given(st.text(max_size=60), st.booleans())
def test_any_path_gets_a_decision(path: str, enabled: bool) -> None:
    """No text makes the policy raise."""
    settings = replace(_ON, escalation=Escalation(enabled=enabled))
    assert isinstance(may_leave(_hole(path), settings), Allowed | Refused)


@hypothesis_settings(deadline=None)
@given(st.sampled_from([".env", "id_rsa", "x.pem", "credentials"]), st.data())
def test_case_never_helps(name: str, data: st.DataObject) -> None:
    """Any mixture of cases of a secret name is refused."""
    mixed = "".join(data.draw(st.sampled_from([c.lower(), c.upper()])) for c in name)
    assert secret_mark(f"/w/{mixed}") is not None
