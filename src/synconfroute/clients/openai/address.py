"""Base addresses of OpenAI-compatible servers."""

import re


def api_base(url: str) -> str:
    """The address that paths such as /completions are below.

    `https://host` and `https://host/` become `https://host/v1`; a path that names a version keeps
    it, wherever a gateway put it (`/openai/v1`, `/team/model/v1`); a pasted full path
    (`/v1/completions`) loses its end.
    """
    base = re.sub(r"/(?:chat/)?completions/?$", "", url.strip()).rstrip("/")
    path = re.sub(r"^[a-z]+://[^/]*", "", base, flags=re.IGNORECASE)
    return base if re.search(r"/v[0-9]+[a-z0-9]*(?:/|$)", path) else f"{base}/v1"


def server_root(base: str) -> str:
    """The address above the version, where servers answer /version and /props."""
    return re.sub(r"/v[0-9]+[a-z0-9]*$", "", base)
