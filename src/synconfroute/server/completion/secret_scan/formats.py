"""Secrets that are known by their form: keys and tokens that services give out.

Forms are as the services document them, or as their own scanners publish them. Every pattern
begins with a fixed text and has bounded repeats, so that no buffer makes it slow.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from synconfroute.server.completion.secret_scan.finding import Finding


@dataclass(frozen=True, slots=True)
class Format:
    """One form.

    Attributes:
        kind: as in `Finding`.
        hints: texts of which one stands in every such secret; without them nothing is looked for.
        pattern: the whole secret; group 1, where there is one, is the secret proper.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _format(kind: str, hints: str, pattern: str, flags: int = 0) -> Format:
    return Format(kind, tuple(hints.split()), re.compile(pattern, re.ASCII | flags))


_START = r"(?<![A-Za-z0-9_])"
_END = r"(?![A-Za-z0-9_])"

FORMATS: tuple[Format, ...] = (
    _format(
        "a private key", "PRIVATE",
        r"-----(?:BEGIN|END)(?: [A-Z0-9]{1,12}){0,3} PRIVATE KEY(?: BLOCK)?-----",
    ),
    _format("an AWS access key", "AKIA ASIA ABIA ACCA",
            _START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + _END),
    _format("a GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
            _START + r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,100})" + _END),
    _format("a GitLab token", "glpat- gldt- glrt- glptt- glcbt- glsoat- glft-",
            _START + r"gl(?:pat|dt|rt|ptt|cbt|soat|ft)-[A-Za-z0-9_.=-]{20,200}"),
    _format("a Slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe xapp-",
            _START + r"(?:xox[bpars]|xoxe(?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{10,250}" + _END),
    _format("a Slack webhook", "hooks.slack.com",
            r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{20,200})"),
    _format("a Discord webhook", "/api/webhooks/",
            r"discord(?:app)?\.com/api/webhooks/([0-9]{15,22}/[A-Za-z0-9_-]{40,120})"),
    _format("a Telegram bot token", ":AA",
            _START + r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    _format("a Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_",
            _START + r"(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}"
            r"|whsec_[A-Za-z0-9+/=]{24,120})"),
    _format("a key for Anthropic's API", "sk-ant-",
            _START + r"sk-ant-[A-Za-z0-9_-]{20,250}"),
    _format("a key for OpenAI's API", "sk-",
            _START + r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}"
            r"|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{32,64}" + _END + ")"),
    _format("a key for OpenRouter", "sk-or-", _START + r"sk-or-v1-[a-f0-9]{32,128}"),
    _format("a Hugging Face token", "hf_ api_org_",
            _START + r"(?:hf_|api_org_)[A-Za-z]{30,40}" + _END),
    _format("a Google API key", "AIza", _START + r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    _format("a Google OAuth secret", "GOCSPX- ya29.",
            _START + r"(?:GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,400})"),
    _format("an npm token", "npm_", _START + r"npm_[A-Za-z0-9]{36}" + _END),
    _format("a PyPI token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,400}"),
    _format("a RubyGems key", "rubygems_", _START + r"rubygems_[a-f0-9]{48}" + _END),
    _format("a Docker token", "dckr_", _START + r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,60}"),
    _format("a DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_",
            _START + r"do[opr]_v1_[a-f0-9]{64}" + _END),
    _format("a SendGrid key", "SG.",
            _START + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}(?![A-Za-z0-9_-])"),
    _format("a Mailgun key", "key-", _START + r"key-[a-f0-9]{32}" + _END),
    _format("a Twilio key", "SK AC", _START + r"(?:SK|AC)[a-f0-9]{32}" + _END),
    _format("a Square token", "sq0 EAAA",
            _START + r"(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,60}"
            r"|EAAA[A-Za-z0-9_-]{56,64}" + _END + ")"),
    _format("a Shopify token", "shp", _START + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}" + _END),
    _format("an Azure key", "AccountKey= SharedAccessKey=",
            r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{43,88}={0,2})"),
    _format("an Azure token", "Q~",
            r"(?<![\w~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![\w~.-])"),
    _format("a signed Azure address", "sig=", r"[?&]sig=([A-Za-z0-9%/+]{40,90}(?:%3[dD]|=){0,2})"),
    _format("a HashiCorp token", "hvs. hvb. hvr. .atlasv1.",
            _START + r"(?:hv[sbr]\.[A-Za-z0-9_-]{24,300}"
            r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,80})"),
    _format("a Databricks token", "dapi", _START + r"dapi[a-f0-9]{32}(?:-[0-9]{1,3})?" + _END),
    _format("a Grafana token", "glc_ glsa_ eyJrIjoi",
            _START + r"(?:glc_[A-Za-z0-9+/]{32,400}={0,2}|glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}"
            r"|eyJrIjoi[A-Za-z0-9+/]{40,400})"),
    _format("a New Relic key", "NRAK- NRJS- NRII-",
            _START + r"NR(?:AK|JS|II)-[A-Za-z0-9_-]{19,42}"),
    _format("a Sentry token", "sntrys_ sntryu_",
            _START + r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    _format("a Linear key", "lin_api_", _START + r"lin_api_[A-Za-z0-9]{40}" + _END),
    _format("an Atlassian token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{60,400}"),
    _format("a Postman key", "PMAK-", _START + r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}" + _END),
    _format("an age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _format("a Cloudflare key", "v1.0-", _START + r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}" + _END),
    _format("a Facebook token", "EAA", _START + r"EAA[A-Za-z0-9]{3,8}ZC[A-Za-z0-9]{80,300}" + _END),
    _format("a JSON web token", "eyJ",
            _START
            + r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}"),
    _format("an address with a password", "://",
            r"://[^\s:/@'\"<>{}$]{0,80}:([^\s:/@'\"<>{}$%]{3,120})@[A-Za-z0-9\[]"),
    _format("an Authorization header", "earer asic",
            r"\b(?:[Bb]earer|[Bb]asic) ([A-Za-z0-9_.~+/-]{24,2000}={0,2})"),
)  # fmt: skip


def by_format(text: str) -> Iterator[Finding]:
    """Each secret of a known form."""
    for form in FORMATS:
        if not any(hint in text for hint in form.hints):
            continue
        for match in form.pattern.finditer(text):
            group = 1 if form.pattern.groups else 0
            yield Finding(form.kind, match.start(group), match.end(group))
