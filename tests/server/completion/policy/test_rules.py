"""Which of the user's, the organisation's and a workspace's rules hold for a document."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.policy import Allowed, Refused, judge, may_leave
from synconfroute.server.completion.policy.place import Place, View
from synconfroute.server.completion.policy.remotes import Project, plain_remote
from synconfroute.server.settings.rules import Rule
from synconfroute.server.settings.tree import Policy, Settings


def _settings(*rules: Rule, default: str = "allow") -> Settings:
    return Settings(policy=Policy(default=default, rules=rules))


def _repository(root: Path, *remotes: str) -> Path:
    """A repository with these remotes, as git would have written its configuration."""
    (root / ".git").mkdir(parents=True)
    sections = (f'[remote "r{n}"]\n\turl = {url}\n' for n, url in enumerate(remotes))
    (root / ".git" / "config").write_text("[core]\n\tbare = false\n" + "".join(sections))
    return root


def _decide(file: Path, settings: Settings, language: str = "python") -> str:
    """What is decided about a file: "allow", "deny" or "shadow"."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    answer = may_leave(Hole(language, "a = ", "", path=str(file)), settings)
    if isinstance(answer, Allowed):
        return "allow"
    assert answer.sentence.endswith(".")
    return "shadow" if answer.shadow else "deny"


@pytest.mark.parametrize(
    ("pattern", "path", "named"),
    [
        ("legal/", "legal/a.py", True),
        ("legal/", "src/legal/deep/a.py", True),
        ("legal", "illegal/a.py", False),
        ("/legal", "src/legal/a.py", False),
        ("*.sql", "db/x.sql", True),
        ("src/*.py", "src/x.py", True),
        ("src/*.py", "src/a/x.py", False),
        ("src/**/x.py", "src/a/b/x.py", True),
        ("**/gen/**", "a/gen/b/x.py", True),
        ("file?.py", "file1.py", True),
        ("[ab].py", "c.py", False),
    ],
)
def test_paths_are_patterns_of_gitignore_below_the_repository(
    tmp_path: Path, pattern: str, path: str, named: bool
) -> None:
    """Anchored at the repository's root, whatever the folders above it are called."""
    root = _repository(tmp_path / "legal" / "app")
    settings = _settings(Rule("deny", paths=("/none", pattern)))
    assert _decide(root / path, settings) == ("deny" if named else "allow")


def test_a_pattern_with_a_tilde_begins_in_the_home_folder(home: Path) -> None:
    """So a user can name a client's folder with many repositories in it."""
    settings = _settings(Rule("deny", paths=("~/clients/",)))
    assert _decide(_repository(home / "clients" / "app") / "a.py", settings) == "deny"
    assert _decide(_repository(home / "own") / "clients" / "a.py", settings) == "allow"


def test_languages_and_size_are_conditions(tmp_path: Path) -> None:
    """All conditions of one rule must hold."""
    settings = _settings(Rule("deny", languages=("SQL", "java"), larger_than=100))
    small, large = tmp_path / "a.java", tmp_path / "b.java"
    large.write_text("x" * 101)
    assert _decide(small, settings, "java") == "allow"
    assert _decide(large, settings, "java") == "deny"
    assert _decide(large, settings, "python") == "allow"


def test_an_unsaved_buffer_counts_with_what_is_in_it(tmp_path: Path) -> None:
    """A file that is empty on disk and large in the editor is large, in bytes of UTF-8."""
    settings = _settings(Rule("deny", larger_than=100))
    file = tmp_path / "a.py"
    file.touch()
    hole = Hole("python", "é" * 30, "é" * 30, path=str(file))
    assert isinstance(may_leave(hole, settings), Refused)
    assert may_leave(replace(hole, suffix=""), settings) == Allowed()


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/app.git",
        "https://me:token@GitHub.com:443/Acme/App",
        "git@github.com:acme/app.git",
        "ssh://git@github.com:22/acme/app",
        '"https://github.com/acme/app"  # ours',
    ],
)
@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("github.com/acme/*", True),
        ("github.com/acme", True),
        ("github.com", True),
        ("github.com/acme/app", True),
        ("git@github.com:acme/app.git", True),
        ("https://github.com/ACME/", True),
        ("*/acme/**", True),
        ("acme/app", False),
        ("github.com/acm", False),
        ("app", False),
        ("gitlab.com/**", False),
    ],
)
def test_a_remote_is_host_and_path_however_it_is_written(
    tmp_path: Path, url: str, pattern: str, named: bool
) -> None:
    """Scheme, user, key, port and `.git` do not count; a pattern begins at the host."""
    root = _repository(tmp_path / "app", url)
    rule = Rule("deny", remotes=(pattern,))
    assert _decide(root / "a.py", _settings(rule)) == ("deny" if named else "allow")


def test_worktrees_and_submodules_are_followed(tmp_path: Path) -> None:
    """Their `.git` is a file that names the folder with the configuration."""
    main = _repository(tmp_path / "main", "https://github.com/acme/main")
    inner = main / ".git" / "worktrees" / "wt"
    inner.mkdir(parents=True)
    (inner / "commondir").write_text("../..\n")
    worktree = tmp_path / "wt"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {inner}\n")
    module = main / ".git" / "modules" / "lib"
    module.mkdir(parents=True)
    (module / "config").write_text('[remote "origin"]\n\turl = https://github.com/other/lib\n')
    (main / "lib").mkdir()
    (main / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    about_main = _settings(Rule("deny", remotes=("github.com/acme/main",)))
    about_lib = _settings(Rule("deny", remotes=("github.com/other/lib",)))
    assert _decide(worktree / "a.py", about_main) == "deny"
    assert _decide(worktree / "a.py", about_lib) == "allow"
    assert _decide(main / "lib" / "a.py", about_lib) == "deny"
    assert _decide(main / "a.py", about_lib) == "allow"


def test_a_repository_inside_another_does_not_lift_what_holds_outside(tmp_path: Path) -> None:
    """A rule that restricts counts for every repository around; one that allows, for the nearest.

    So no `.git` that somebody puts into a folder takes it out of a rule.
    """
    outer = _repository(tmp_path / "outer", "https://github.com/client/secretive")
    inner = _repository(outer / "src" / "vendored", "https://github.com/acme/lib")
    deny = Rule("deny", remotes=("github.com/client/*",))
    assert _decide(inner / "a.py", _settings(deny)) == "deny"
    assert _decide(inner / "a.py", _settings(Rule("deny", paths=("/src/**",)))) == "deny"
    allow_inner = _settings(Rule("allow", remotes=("github.com/acme/*",)), default="deny")
    allow_outer = _settings(Rule("allow", remotes=("github.com/client/*",)), default="deny")
    assert _decide(inner / "a.py", allow_inner) == "allow"
    assert _decide(inner / "a.py", allow_outer) == "deny"


@pytest.mark.parametrize(
    "config",
    [
        None,
        b"\xff\xfe",
        b"[remote",
        b"x" * 300_000,
        b"[include]\n\tpath = elsewhere\n",
        b'[includeIf "gitdir:~/employer/"]\n\tpath = elsewhere\n',
    ],
)
def test_where_remotes_cannot_be_told_a_rule_that_forbids_by_remote_forbids(
    tmp_path: Path, config: bytes | None
) -> None:
    """And one that allows by remote does not allow."""
    (tmp_path / ".git").mkdir()
    if config is not None:
        (tmp_path / ".git" / "config").write_bytes(config)
    file = tmp_path / "a.py"
    named = ("github.com/acme/*",)
    if config is not None:
        assert _decide(file, _settings(Rule("deny", remotes=named))) == "deny"
    assert _decide(file, _settings(Rule("allow", remotes=named), default="deny")) == "deny"


@pytest.mark.parametrize("mark", [".hg", ".svn"])
def test_other_version_control_systems_have_remotes_that_cannot_be_told(
    tmp_path: Path, mark: str
) -> None:
    """Only git's are read."""
    (tmp_path / mark).mkdir()
    assert _decide(tmp_path / "a.py", _settings(Rule("deny", remotes=("x.example/*",)))) == "deny"


def test_a_changed_remote_is_seen_at_once(tmp_path: Path) -> None:
    """What was read is remembered only until the file changes."""
    root = _repository(tmp_path, "https://github.com/acme/app")
    settings = _settings(Rule("deny", remotes=("github.com/acme/*",)))
    assert _decide(root / "a.py", settings) == "deny"
    (root / ".git" / "config").write_text('[remote "origin"]\n\turl = https://example.org/x\n')
    assert _decide(root / "a.py", settings) == "allow"


def test_git_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository's configuration can name programs that git would start."""
    root = _repository(tmp_path, "https://github.com/acme/app")
    with (root / ".git" / "config").open("a") as config:
        config.write(f"[core]\n\tfsmonitor = {tmp_path / 'evil'}\n\tpager = evil\n")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a program was started")

    monkeypatch.setattr("subprocess.Popen.__init__", refuse)
    monkeypatch.setattr("os.system", refuse)
    settings = _settings(Rule("deny", remotes=("github.com/acme/*",)))
    assert _decide(root / "a.py", settings) == "deny"


def test_deny_comes_before_shadow_and_shadow_before_allow(tmp_path: Path) -> None:
    """Whatever the order in which they stand."""
    allow, shadow, deny = Rule("allow"), Rule("shadow"), Rule("deny")
    file = tmp_path / "a.py"
    for rules, expected in [
        ((allow, shadow, deny), "deny"),
        ((deny, shadow, allow), "deny"),
        ((allow, shadow), "shadow"),
        ((shadow, allow), "shadow"),
        ((allow,), "allow"),
    ]:
        assert _decide(file, _settings(*rules, default="shadow")) == expected


@pytest.mark.parametrize("default", ["allow", "deny", "shadow"])
def test_without_a_rule_the_default_holds(tmp_path: Path, default: str) -> None:
    """A rule about other files changes nothing."""
    other = Rule("shadow", paths=("/other/",)), Rule("allow", languages=("java",))
    assert _decide(tmp_path / "a.py", _settings(*other, default=default)) == default


def test_no_rule_lets_a_secret_looking_file_leave(tmp_path: Path) -> None:
    """Neither the user's nor the organisation's."""
    settings = _settings(Rule("allow"), Rule("allow", paths=("*.pem",)))
    assert _decide(tmp_path / "server.pem", settings) == "deny"
    assert _decide(tmp_path / ".env", settings) == "deny"


def test_the_sentence_names_the_rule(tmp_path: Path) -> None:
    """Where it stands and what it is about, so that whoever may can change it."""
    where = "/etc/synconfroute/settings.toml"
    rule = Rule("deny", paths=("*.py",), larger_than=3, where=where)
    (tmp_path / "a.py").write_text("long")
    answer = may_leave(Hole("python", "", "", path=str(tmp_path / "a.py")), _settings(rule))
    assert answer == Refused(
        f"A rule in {where} (path *.py, larger than 3 bytes) keeps this file on this machine."
    )


def test_a_shadow_says_that_it_would_have_gone(tmp_path: Path) -> None:
    """And that nothing was sent."""
    answer = may_leave(
        Hole("python", "", "", path=str(tmp_path / "a.py")), _settings(default="shadow")
    )
    assert answer == Refused(
        "This would have gone to the organisation's server; policy.default = shadow has it only"
        " noted, and nothing was sent.",
        shadow=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs a privilege to make links")
def test_a_link_takes_no_file_out_of_a_rule(tmp_path: Path) -> None:
    """Both names count: a rule that allows must allow both, one that denies needs one."""
    root = _repository(tmp_path / "app")
    (root / "legal").mkdir()
    (root / "legal" / "a.py").touch()
    (root / "src").mkdir()
    os.symlink(root / "legal" / "a.py", root / "src" / "b.py")
    assert _decide(root / "src" / "b.py", _settings(Rule("deny", paths=("/legal/",)))) == "deny"
    allow = _settings(Rule("allow", paths=("/src/",)), default="deny")
    assert _decide(root / "src" / "b.py", allow) == "deny"
    assert _decide(root / "src" / "c.py", allow) == "allow"


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_a_pipe_in_place_of_gits_configuration_does_not_hang(tmp_path: Path) -> None:
    """A workspace may hold anything."""
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "config")
    assert _decide(tmp_path / "a.py", _settings(Rule("deny", remotes=("x.example",)))) == "deny"


_ACTIONS = {"allow": 0, "shadow": 1, "deny": 2}
_RULES = st.builds(
    Rule,
    st.sampled_from(["allow", "deny", "shadow"]),
    paths=st.sampled_from([(), ("/src/",), ("*.py",), ("*.java", "a")]),
    languages=st.sampled_from([(), ("python",), ("java",)]),
    remotes=st.sampled_from([(), ("github.com/acme/*",), ("https://",)]),
    larger_than=st.sampled_from([None, 0, 10_000]),
)
_PROJECTS = st.builds(
    Project, st.sampled_from(["/w", "/w/src"]), st.sampled_from([None, (), ("github.com/acme/x",)])
)
_PLACES = st.builds(
    lambda projects, size: Place("", (View("/w/src/a.py", tuple(projects)),), size, "/home/u"),
    st.lists(_PROJECTS, min_size=1, max_size=2),
    st.sampled_from([0, 20_000]),
)


def _strictness(rules: tuple[Rule, ...], place: Place, default: str) -> int:
    hole = Hole("python", "x", "", path="/w/src/a.py")
    answer = judge(hole, _settings(*rules, default=default), "/w/src/a.py", place)
    if isinstance(answer, Allowed):
        return 0
    return 1 if answer.shadow else 2


@hypothesis_settings(deadline=None)
@given(st.lists(_RULES, max_size=4), _RULES, _PLACES, st.sampled_from(sorted(_ACTIONS)))
def test_a_rule_that_restricts_never_lets_more_leave(
    rules: list[Rule], added: Rule, place: Place, default: str
) -> None:
    """Whatever stands beside it; so a workspace's rules, which only restrict, are harmless."""
    before = _strictness(tuple(rules), place, default)
    after = _strictness((*rules, added), place, default)
    assert after >= before if added.restricts else after <= max(before, 0)


@hypothesis_settings(deadline=None)
@given(
    st.lists(_RULES, max_size=4).flatmap(
        lambda rules: st.tuples(st.just(rules), st.permutations(rules))
    ),
    _PLACES,
)
def test_the_order_of_rules_changes_nothing(
    both: tuple[list[Rule], list[Rule]], place: Place
) -> None:
    """They come from several places, and nobody should have to know in which order."""
    first, second = both
    assert _strictness(tuple(first), place, "deny") == _strictness(tuple(second), place, "deny")


@hypothesis_settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_remote(url: str) -> None:
    """No configuration makes the reader fail, and reading a plain remote again changes nothing."""
    plain = plain_remote(url)
    assert not plain.startswith("/")
    assert "\n" not in plain or "\n" in url
