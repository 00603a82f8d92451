"""Secrets of every kind, made up anew in each run: none was ever given out by anybody."""

import base64
import json
import random
import string
from collections.abc import Callable

_LETTERS = string.ascii_letters
_ALL = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_URL = _ALL + "_-"


def _some(chance: random.Random, alphabet: str, length: int) -> str:
    return "".join(chance.choices(alphabet, k=length))


def _pem(chance: random.Random, title: str) -> str:
    lines = "\n".join(_some(chance, _ALL + "+/", 64) for _ in range(12))
    return f"-----BEGIN {title}-----\n{lines}\n-----END {title}-----"


def _json_web_token(chance: random.Random) -> str:
    def part(members: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(members).encode()).decode().rstrip("=")

    head = part({"alg": "HS256", "typ": "JWT"})
    return f"{head}.{part({'sub': 'u', 'iat': 1})}.{_some(chance, _URL, 43)}"


def _password(chance: random.Random) -> str:
    return _some(chance, _ALL, 9) + "!7" + _some(chance, _ALL, 3)


KINDS: dict[str, Callable[[random.Random], str]] = {
    "RSA key": lambda r: _pem(r, "RSA PRIVATE KEY"),
    "PKCS#8 key": lambda r: _pem(r, "PRIVATE KEY"),
    "EC key": lambda r: _pem(r, "EC PRIVATE KEY"),
    "OpenSSH key": lambda r: _pem(r, "OPENSSH PRIVATE KEY"),
    "PGP key": lambda r: _pem(r, "PGP PRIVATE KEY BLOCK"),
    "key without its head": lambda r: _pem(r, "PRIVATE KEY").partition("\n")[2],
    "key without head and foot": lambda r: "\n".join(_pem(r, "X").split("\n")[1:-1]) + "\n",
    "AWS access key": lambda r: "AKIA" + _some(r, _UPPER, 16),
    "AWS session key": lambda r: "ASIA" + _some(r, _UPPER, 16),
    "AWS secret": lambda r: f'aws_secret_access_key = "{_some(r, _ALL + "+/", 40)}"',
    "GitHub token": lambda r: "ghp_" + _some(r, _ALL, 36),
    "GitHub fine-grained token": lambda r: f"github_pat_{_some(r, _ALL, 22)}_{_some(r, _ALL, 59)}",
    "GitLab token": lambda r: "glpat-" + _some(r, _ALL, 20),
    "Slack bot token": lambda r: f"xoxb-{_some(r, '123456789', 12)}-{_some(r, _ALL, 24)}",
    "Slack app token": lambda r: f"xapp-1-A{_some(r, _UPPER, 10)}-{_some(r, _HEX, 64)}",
    "Slack webhook": lambda r: (
        f"https://hooks.slack.com/services/T{_some(r, _UPPER, 8)}/B{_some(r, _UPPER, 8)}"
        f"/{_some(r, _ALL, 24)}"
    ),
    "Discord webhook": lambda r: (
        f"https://discord.com/api/webhooks/{_some(r, '123456789', 18)}/{_some(r, _URL, 68)}"
    ),
    "Telegram token": lambda r: f"{_some(r, '123456789', 10)}:AA{_some(r, _URL, 32)}x",
    "Stripe key": lambda r: "sk_live_" + _some(r, _ALL, 24),
    "Stripe webhook secret": lambda r: "whsec_" + _some(r, _ALL, 32),
    "OpenAI key": lambda r: "sk-" + _some(r, _ALL, 48),
    "OpenAI project key": lambda r: "sk-proj-" + _some(r, _URL, 80),
    "Anthropic key": lambda r: "sk-ant-api03-" + _some(r, _URL, 93),
    "Hugging Face token": lambda r: "hf_" + _some(r, _LETTERS, 34),
    "Google API key": lambda r: "AIza" + _some(r, _ALL, 35),
    "Google OAuth secret": lambda r: "GOCSPX-" + _some(r, _ALL, 28),
    "npm token": lambda r: "npm_" + _some(r, _ALL, 36),
    "PyPI token": lambda r: "pypi-AgEIcHlwaS5vcmc" + _some(r, _URL, 80),
    "RubyGems key": lambda r: "rubygems_" + _some(r, _HEX, 48),
    "Docker token": lambda r: "dckr_pat_" + _some(r, _ALL, 27),
    "DigitalOcean token": lambda r: "dop_v1_" + _some(r, _HEX, 64),
    "SendGrid key": lambda r: f"SG.{_some(r, _ALL, 22)}.{_some(r, _ALL, 43)}",
    "Mailgun key": lambda r: "key-" + _some(r, _HEX, 32),
    "Twilio key": lambda r: "SK" + _some(r, _HEX, 32),
    "Shopify token": lambda r: "shpat_" + _some(r, _HEX, 32),
    "Azure storage key": lambda r: (
        f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={_some(r, _ALL, 86)}=="
    ),
    "Azure shared signature": lambda r: (
        f"https://a.blob.core.windows.net/c?sv=2022-11-02&sig={_some(r, _ALL, 43)}%3D"
    ),
    "Azure client secret": lambda r: f"abc8Q~{_some(r, _ALL, 34)}",
    "Vault token": lambda r: "hvs." + _some(r, _ALL, 90),
    "Terraform token": lambda r: f"{_some(r, _ALL, 14)}.atlasv1.{_some(r, _ALL, 67)}",
    "Databricks token": lambda r: "dapi" + _some(r, _HEX, 32),
    "Grafana token": lambda r: f"glsa_{_some(r, _ALL, 32)}_{_some(r, _HEX, 8)}",
    "New Relic key": lambda r: "NRAK-" + _some(r, _UPPER, 27),
    "Linear key": lambda r: "lin_api_" + _some(r, _ALL, 40),
    "Atlassian token": lambda r: "ATATT3" + _some(r, _URL, 180),
    "Postman key": lambda r: f"PMAK-{_some(r, _HEX, 24)}-{_some(r, _HEX, 34)}",
    "age key": lambda r: "AGE-SECRET-KEY-1" + _some(r, _UPPER, 58),
    "JSON web token": _json_web_token,
    "database address": lambda r: f"postgres://app:{_password(r)}@db.example.org:5432/app",
    "redis address": lambda r: f"redis://:{_password(r)}@cache:6379/0",
    "basic authorization": lambda r: (
        "Authorization: Basic " + base64.b64encode(f"u:{_some(r, _ALL, 20)}".encode()).decode()
    ),
    "bearer authorization": lambda r: "Authorization: Bearer " + _some(r, _ALL, 40),
    "password": lambda r: f'password = "{_password(r)}"',
    "password in JSON": lambda r: f'"db_password": "{_password(r)}"',
    "password in Java": lambda r: f'String dbPassword = "{_password(r)}";',
    "password in a call": lambda r: f'connect(user="app", password="{_password(r)}")',
    "API key in JavaScript": lambda r: f"const apiKey = '{_some(r, _ALL, 32)}'",
    "token with a type": lambda r: f'auth_token: str = "{_some(r, _HEX, 40)}"',
    "signing key": lambda r: f'SIGNING_KEY = "{_some(r, _URL, 50)}"',
    "secret in Go": lambda r: f'clientSecret := "{_some(r, _ALL, 40)}"',
}
"""How each is made; as it stands in code or configuration."""
