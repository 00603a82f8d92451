"""A model file from an https address, verified while it comes."""

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.clients.http import base_address, is_loopback
from synconfroute.errors import UsageError, WeightsDamaged, WeightsMissing

if TYPE_CHECKING:
    import httpx

_TIMEOUT_SECONDS = 30.0


def download(url: str, target: Path, sha256: str) -> None:
    """Fetch a file and verify it.

    The user's proxy and certificate settings (HTTPS_PROXY, SSL_CERT_FILE) apply; an address on
    this machine is reached without a proxy. Progress is shown if stderr is a terminal.

    Args:
        url: an https address; http is allowed on this machine only.
        target: the file to write.
        sha256: what the file must be, in lower-case hex.

    Raises:
        UsageError: the address is not https.
        WeightsMissing: the file could not be fetched whole.
        WeightsDamaged: it is not what the checksum says.
    """
    import httpx

    refuse_plain_http(url)
    try:
        with (
            httpx.Client(
                follow_redirects=True,
                timeout=_TIMEOUT_SECONDS,
                trust_env=not is_loopback(_plain(url)),
                event_hooks={"request": [lambda request: refuse_plain_http(str(request.url))]},
            ) as client,
            client.stream("GET", url) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise WeightsMissing(
                    f"{_plain(url)} answers {response.status_code}"
                    f" {response.reason_phrase}; the model file was not fetched."
                )
            found = _write(response, target)
    except httpx.HTTPError as error:
        raise WeightsMissing(
            f"The download from {_plain(url)} failed ({type(error).__name__});"
            " run the command again."
        ) from error
    if found != sha256:
        raise WeightsDamaged(
            f"What {_plain(url)} serves is not the expected file: its sha256 is {found},"
            f" not {sha256}."
        )


def refuse_plain_http(url: str) -> None:
    """Make sure that the address is https, or on this machine.

    Raises:
        UsageError: it is not.
    """
    plain = _plain(url)
    if plain.startswith("https://") or is_loopback(plain):
        return
    raise UsageError(f"{plain} is not an https address; nothing was fetched.")


def _write(response: "httpx.Response", target: Path) -> str:
    from tqdm import tqdm

    digest = hashlib.sha256()
    expected = int(response.headers.get("Content-Length", 0)) or None
    with (
        target.open("wb") as file,
        tqdm(
            total=expected,
            unit="B",
            unit_scale=True,
            desc="Model file",
            file=sys.stderr,
            disable=not sys.stderr.isatty(),
        ) as bar,
    ):
        for chunk in response.iter_bytes(1024 * 1024):
            digest.update(chunk)
            file.write(chunk)
            bar.update(len(chunk))
    return digest.hexdigest()


def _plain(url: str) -> str:
    """The address for people and for judging it: a query or a user's part may hold a token."""
    return base_address(url.partition("?")[0]) or "what was given"
