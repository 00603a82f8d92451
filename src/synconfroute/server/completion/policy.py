"""May this file's text leave the machine?"""

import os
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Settings

# What usually holds secrets, by name alone; compared without regard to case.
_SECRET_NAMES = (
    # environments and credentials of tools
    ".env*", "*.env", ".netrc*", "_netrc", ".npmrc", ".yarnrc*", ".pypirc", ".pgpass",
    "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".git-credentials", ".gitconfig", ".htpasswd*",
    ".dockercfg", ".dockerconfigjson", ".boto", ".s3cfg", ".vault-token", ".vault_pass*",
    "terraform.rc", ".terraformrc", "*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json",
    "credentials", "credentials.*", "*.credentials", "*credentials*.json", "*_credentials.*",
    "*-credentials.*", "secret", "secret.*", "secrets", "secrets.*", "*.secret", "*.secrets",
    "*_secrets.*", "*-secrets.*", "*-secret.*", "client_secret*", "service-account*.json",
    "service_account*.json", "password", "password.*", "passwords", "passwords.*", "passwd*",
    "shadow", "shadow-", "kubeconfig*", "*.kubeconfig", "kube.config", "*_history",
    # keys, certificates with keys, keystores
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*_rsa", "*_dsa", "*_ecdsa", "*_ed25519",
    "*.pem", "*.key", "*.p8", "*.pk8", "*.p12", "*.pfx", "*.ppk", "*.der", "*.asc", "*.gpg",
    "*.pgp", "*.jks", "*.jceks", "*.bks", "*.keystore", "*.kdb", "*.kdbx", "*.keychain*", "*.ovpn",
    "private_key*", "private-key*", "privatekey*", "*private_key", "*private-key",
    # dumps
    "*.dump", "*.dmp", "*.hprof", "*.core", "dump.sql", "*_dump.sql", "*-dump.sql",
)  # fmt: skip
_SECRET_FOLDERS = (
    ".ssh", ".gnupg", ".aws", ".azure", ".gcloud", "gcloud", ".kube", ".docker", ".oci",
    ".password-store", ".secrets", "secrets",
)  # fmt: skip
# Editors and people keep copies of such files beside them.
_COPY = re.compile(r"(?:~|\.(?:bak|old|orig|save|backup|copy|swp|swo|tmp|[0-9]{1,9}))+$")
_LONGEST_PATH = 4096


@dataclass(frozen=True, slots=True)
class Allowed:
    """The text may go to the organisation's server."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The text stays here.

    Attributes:
        sentence: why, for the user.
    """

    sentence: str


def may_leave(hole: Hole, settings: Settings) -> Allowed | Refused:
    """Whether text of the hole's file may go to the organisation's server.

    Follows symbolic links on disk, so that a link cannot give a secret file a harmless name.
    """
    short = hole.path is not None and len(hole.path) <= _LONGEST_PATH
    return judge(hole, settings, _real_path(hole.path) if short else None)


def judge(hole: Hole, settings: Settings, real_path: str | None) -> Allowed | Refused:
    """The rule itself, a function of its inputs.

    Args:
        hole: whose text would leave.
        settings: `escalation.enabled` forbids everything.
        real_path: the hole's path with symbolic links followed; None if they lead nowhere.
    """
    if not settings.escalation.enabled:
        return Refused("Escalation is switched off (escalation.enabled = false).")
    if not hole.path:
        return Refused("A document without a file path never leaves this machine.")
    if len(hole.path) > _LONGEST_PATH:
        return Refused("The file's path is too long to be looked at, so its text stays here.")
    if not real_path:
        return Refused("The file's path cannot be followed on disk, so its text stays here.")
    for path in dict.fromkeys((hole.path, real_path)):
        mark = secret_mark(path)
        if mark is not None:
            return Refused(
                f"The file looks like one that holds secrets ({mark}), and such files never leave"
                " this machine."
            )
    return Allowed()


def secret_mark(path: str) -> str | None:
    """The pattern by which a path looks secret, or None. Slashes and backslashes separate."""
    *folders, name = [_plain(part) for part in re.split(r"[/\\]", path)] or [""]
    for folder in folders:
        if folder in _SECRET_FOLDERS:
            return f"{folder}/"
    for spelling in (name, _COPY.sub("", name)):
        for pattern in _SECRET_NAMES:
            if fnmatchcase(spelling, pattern):
                return pattern
    return None


def _plain(part: str) -> str:
    """A name as Windows and macOS compare it: case, closing dots and streams do not count."""
    stem = part if len(part) < 3 else part[:2] + part[2:].partition(":")[0]
    return stem.casefold().rstrip(". ").removeprefix("#").removeprefix(".#").rstrip("#")


def _real_path(path: str | None) -> str | None:
    try:
        return os.path.realpath(path) if path else None
    except (OSError, ValueError):
        return None
