"""Packages of public registries, fetched by those registries' own clients, and unpacked.

A package is named `kind:name@version`; the kinds are npm, go, crate, deb and maven.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

_RETRIES = "-o", "Acquire::Retries=3"
_MANIFEST = """\
[package]
name = "corpus"
version = "0.0.0"
edition = "2021"
[lib]
path = "l.rs"
[dependencies]
"""


class Unfetched(Exception):
    """A package could not be had; `str` says which and why."""


def fetch(packages: Iterable[str], folder: Path) -> dict[str, Path]:
    """Bring packages into a folder, those apart that are there already.

    Args:
        packages: names such as `npm:express@5.3.0`.
        folder: where each gets a folder of its own.

    Raises:
        Unfetched: a client is missing or fails.
    """
    where = {package: folder / folder_name(package) for package in sorted(set(packages))}
    missing = [package for package, place in where.items() if not place.is_dir()]
    crates = [package for package in missing if package.startswith("crate:")]
    for package in missing:
        if package not in crates:
            _into(package, where[package])
    if crates:
        _vendor(crates, where)
    return where


def parts(package: str) -> tuple[str, str, str]:
    """Kind, name and version."""
    kind, _, rest = package.partition(":")
    name, _, version = rest.rpartition("@")
    return kind, name, version


def folder_name(package: str) -> str:
    """A name that every file system takes."""
    return "".join(each if each.isalnum() or each in "-._@" else "_" for each in package)


def _into(package: str, place: Path) -> None:
    """Unpack a package into a folder, or leave none."""
    kind, name, version = parts(package)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as made:
        _KINDS[kind](name, version, Path(made))
        shutil.move(str(Path(made) / "files"), place)


def _npm(name: str, version: str, at: Path) -> None:
    _run("npm", "pack", "--silent", "--pack-destination", str(at), f"{name}@{version}")
    shutil.unpack_archive(next(at.glob("*.tgz")), at / "files", "gztar", filter="data")


def _go(name: str, version: str, at: Path) -> None:
    said = _run("go", "mod", "download", "-json", f"{name}@{version}", folder=at)
    shutil.unpack_archive(json.loads(said)["Zip"], at / "files", "zip")


def _deb(name: str, version: str, at: Path) -> None:
    _run("apt-get", *_RETRIES, "download", "-qq", f"{name}={version}", folder=at)
    _run("dpkg-deb", "-x", str(next(at.glob("*.deb"))), str(at / "files"))


def _maven(name: str, version: str, at: Path) -> None:
    wanted = f"-Dartifact={name}:{version}:jar:sources"
    _run("mvn", "-q", "-B", "dependency:copy", wanted, f"-DoutputDirectory={at}", folder=at)
    shutil.unpack_archive(next(at.glob("*.jar")), at / "files", "zip")


_KINDS: dict[str, Callable[[str, str, Path], None]] = {
    "npm": _npm,
    "go": _go,
    "deb": _deb,
    "maven": _maven,
}


def _vendor(crates: list[str], where: dict[str, Path]) -> None:
    """Cargo brings crates with what they depend on; only those asked for are kept."""
    named = [parts(crate) for crate in crates]
    wants = "".join(f'{name} = "={version}"\n' for _, name, version in named)
    place = where[crates[0]].parent
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place) as made:
        at = Path(made)
        (at / "Cargo.toml").write_text(_MANIFEST + wants, encoding="utf-8")
        (at / "l.rs").write_text("", encoding="utf-8")
        _run("cargo", "vendor", "--quiet", "--versioned-dirs", str(at / "all"), folder=at)
        for crate, (_, name, version) in zip(crates, named, strict=True):
            shutil.move(str(at / "all" / f"{name}-{version}"), where[crate])


def _run(*command: str, folder: Path | None = None) -> str:
    program = shutil.which(command[0])
    if program is None:
        raise Unfetched(f"{command[0]} is not installed; it is needed to fetch {command[-1]}.")
    done = subprocess.run(
        (program, *command[1:]), cwd=folder, capture_output=True, text=True, check=False,
        timeout=600, env={**os.environ, "GOFLAGS": "-mod=mod"},
    )  # fmt: skip
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Unfetched(f"{command[0]} could not fetch {command[-1]}: {' '.join(last)}")
    return done.stdout
