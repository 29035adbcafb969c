"""Where a server is, what opens it, and keeping both out of everything that is written."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from longbench_eval.errors import UsageError
from longbench_eval.models.base import ServerOptions, without_credentials

DEFAULT_KEY_ENV = "OPENAI_API_KEY"
URL_ENV = "OPENAI_BASE_URL"
_HIDDEN = "[key]"


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address.

    Attributes:
        api: Where `/chat/completions` lies under, e.g. `http://127.0.0.1:8000/v1`.
        root: Where servers keep their own paths, such as `/tokenize`.
        key: The API key, or None. Never printed, not even by `repr`.
        key_env: The variable it came from.
    """

    api: str = field(repr=False)
    root: str = field(repr=False)
    key: str | None = field(default=None, repr=False)
    key_env: str = DEFAULT_KEY_ENV

    @property
    def shown(self) -> str:
        """The address for messages, without credentials."""
        return without_credentials(self.api)

    @property
    def is_loopback(self) -> bool:
        """Whether it is this machine, which no proxy of the environment can reach."""
        return urlsplit(self.api).hostname in ("localhost", "127.0.0.1", "::1")

    def redact(self, text: str) -> str:
        """The text without the key, which some servers repeat in their errors."""
        parts = urlsplit(self.api)
        for secret in (self.key, parts.password, parts.query):
            text = text.replace(secret, _HIDDEN) if secret else text
        return text


def read_address(options: ServerOptions) -> Address:
    """Settle where to ask and with which key.

    Raises:
        UsageError: There is no URL, it is none, or the variable that should hold the key does not.
    """
    url = (options.base_url or os.environ.get(URL_ENV) or "").strip()
    if not url:
        raise UsageError(
            f"An openai: model needs --base-url (or {URL_ENV}): the address of its server, for example "
            "http://127.0.0.1:8000/v1 for vLLM, or https://api.openai.com/v1."
        )
    key = _read_key(options.api_key_env)
    parts = _split(url)
    if key is not None:
        # The HTTP client would send user and password in the key's place.
        parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    path = parts.path.rstrip("/")
    api = parts._replace(path=path or "/v1").geturl()
    root = parts._replace(path=path.removesuffix("/v1")).geturl()
    return Address(api, root, key, options.api_key_env or DEFAULT_KEY_ENV)


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good:
        raise UsageError(f"--base-url is {without_credentials(url)!r}; it must look like http://HOST:PORT/v1.")
    return parts


def _read_key(variable: str | None) -> str | None:
    # The option's value is never shown: people paste the key itself there.
    key = os.environ.get(variable or DEFAULT_KEY_ENV, "").strip()
    if variable is not None and not key:
        raise UsageError(
            "--api-key-env names an environment variable that is not set. It takes the variable's name, not the key: "
            "--api-key-env MY_KEY, with MY_KEY set in the environment."
        )
    if not all("!" <= c <= "~" for c in key):
        raise UsageError(f"The key in {variable or DEFAULT_KEY_ENV} holds white space or other characters no key has.")
    return key or None
