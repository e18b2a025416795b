"""Which addresses a download may come from."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

import requests

from pipeline.errors import DownloadFailed, UntrustedSource

_USUAL_PORT = {"https": 443, "http": 80}


class TrustedHosts:
    """The list of trusted hosts: a bare host means https on its usual port, a full origin exactly that origin."""

    def __init__(self, entries: Iterable[str]) -> None:
        """Raises ``ValueError`` for an entry that is neither a host nor an origin."""
        self.entries = tuple(entries)
        self._hosts: set[str] = set()
        self._origins: set[str] = set()
        for entry in self.entries:
            if "://" in entry:
                self._origins.add(_origin(urlsplit(entry)))
            elif "/" in entry or ":" in entry.replace("[", "").partition("]")[2] or not entry:
                raise ValueError(f"{entry!r} is neither a host (dblp.org) nor an origin (http://127.0.0.1:9000)")
            else:
                self._hosts.add(entry.lower())

    def check(self, url: str) -> None:
        """Raise ``UntrustedSource`` unless the address may be fetched from; does not connect anywhere."""
        try:
            parts = urlsplit(url)
            origin = _origin(parts)
        except ValueError as error:
            raise UntrustedSource(url, f"this is no address to download from: {error}") from None
        if parts.username is not None or parts.password is not None:
            raise UntrustedSource(_without_credentials(parts), "an address must not hold a name or password")
        if origin in self._origins:
            return
        host = (parts.hostname or "").lower()
        if host not in self._hosts:
            listed = ", ".join(self.entries) or "none"
            raise UntrustedSource(url, f"the host {host} is not trusted (PUBMETA_TRUSTED_HOSTS lists {listed})")
        if parts.scheme != "https":
            raise UntrustedSource(url, f"{host} is trusted by https only; list the full origin to allow more")
        if origin != f"https://{host}:443":
            raise UntrustedSource(url, f"{host} is trusted on its usual port only; list the full origin to allow more")

    def check_addresses(self, url: str) -> None:
        """Raise ``UntrustedSource`` where the host's name resolves to this machine or its own network.

        Not asked of origins that are listed in full, nor where a proxy resolves names instead of this machine.
        """
        parts = urlsplit(url)
        if _origin(parts) in self._origins or requests.utils.get_environ_proxies(url):
            return
        host = parts.hostname or ""
        try:
            found = socket.getaddrinfo(host, parts.port or 443, type=socket.SOCK_STREAM)
        except OSError as error:
            raise DownloadFailed(f"{host} cannot be found: {error.strerror or error}") from error
        for *_, address in found:
            if not ipaddress.ip_address(str(address[0]).partition("%")[0]).is_global:
                raise UntrustedSource(url, f"{host} resolves to {address[0]}, which is on this machine or its network")


def _origin(parts: SplitResult) -> str:
    """Give scheme, host and port; raises ``ValueError`` for anything that is not http or https to a host."""
    if parts.scheme not in _USUAL_PORT or not parts.hostname:
        raise ValueError("it is not https://host/…")
    return f"{parts.scheme}://{parts.hostname.lower()}:{parts.port or _USUAL_PORT[parts.scheme]}"


def _without_credentials(parts: SplitResult) -> str:
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
