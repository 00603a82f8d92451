"""Files that usually hold secrets, known by their names. Their text never leaves the machine."""

import re
from fnmatch import fnmatchcase

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
