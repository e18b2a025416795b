"""Which addresses a download may come from."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

from requests.utils import get_environ_proxies, select_proxy

from pipeline.errors import UntrustedSource

_USUAL_PORT = {"https": 443, "http": 80}
# Programs disagree on where the host ends in an address that holds these; no true address does.
_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f-\xa0\\]")
_CREDENTIALS = re.compile(r"(?<=//)[^/?#]*@")
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
_SHOWN = 300  # Characters of an address: a server may redirect to one that fills the screen.
# These carry an IPv4 address in their last four bytes (RFC 6052), and a gateway leads there.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# All that is given out of IPv6 so far (RFC 4291, section 2.4); what lies elsewhere is local in one way or another.
_GIVEN_OUT = ipaddress.IPv6Network("2000::/3")


class TrustedHosts:
    """The list of trusted hosts: a bare host means https on its usual port, a full origin exactly that origin."""

    def __init__(self, entries: Iterable[str]) -> None:
        """Raises ``ValueError`` for an entry that is neither a host nor an origin."""
        self.entries = tuple(entries)
        self._hosts: set[str] = set()
        self._origins: set[str] = set()
        for entry in self.entries:
            try:
                parts, bare = _read_entry(entry)
            except ValueError:
                raise ValueError(
                    f"{entry!r} is neither a host (dblp.org) nor an origin (http://127.0.0.1:9000)"
                ) from None
            if bare:
                self._hosts.add(parts.hostname or "")
            else:
                self._origins.add(_origin(parts))

    def check(self, url: str) -> None:
        """Raise ``UntrustedSource`` unless the address may be fetched from; does not connect anywhere."""
        shown = _shown(url)
        try:
            parts = read_address(url)
            origin = _origin(parts)
        except ValueError as error:
            raise UntrustedSource(shown, f"this is no address to download from: {error}") from None
        if origin in self._origins:
            return
        host = parts.hostname or ""
        if host not in self._hosts:
            listed = ", ".join(self.entries) or "none"
            raise UntrustedSource(
                shown, f"the host {host[:_SHOWN]} is not trusted (PUBMETA_TRUSTED_HOSTS lists {listed})"
            )
        if parts.scheme != "https":
            raise UntrustedSource(shown, f"{host} is trusted by https only; list the full origin to allow more")
        if origin != f"https://{host}:443":
            raise UntrustedSource(
                shown, f"{host} is trusted on its usual port only; list the full origin to allow more"
            )

    def check_addresses(self, url: str) -> None:
        """Raise ``UntrustedSource`` where the host's name resolves to this machine or its own network.

        Not asked of origins that are listed in full, nor where a proxy resolves names instead of this machine.
        Raises ``OSError`` where the name cannot be resolved.
        """
        parts = urlsplit(url)
        if _origin(parts) in self._origins or select_proxy(url, get_environ_proxies(url)):
            return
        for *_, address in socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM):
            _refuse_private(url, parts.hostname or "", str(address[0]))

    def check_peer(self, host: str, port: int | None, address: str) -> None:
        """Raise ``UntrustedSource`` where a connection by https has come to this machine or its own network."""
        origin = f"https://{host}:{port}"
        if origin not in self._origins:
            _refuse_private(origin, host, address)


def read_address(url: str) -> SplitResult:
    """Take apart an address to download from; raises ``ValueError`` for anything else."""
    if _AMBIGUOUS.search(url):
        raise ValueError("it holds a space, a backslash or a control character")
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise ValueError("it must not hold a name or password")
    _origin(parts)
    return parts


def _read_entry(entry: str) -> tuple[SplitResult, bool]:
    """Read an entry of the list and tell whether it is a bare host; raises ``ValueError``."""
    bare = "://" not in entry
    parts = urlsplit(f"https://{entry}" if bare else entry)
    _origin(parts)
    extra = parts.path.rstrip("/"), parts.query, parts.fragment
    if (
        any(extra)
        or "@" in parts.netloc
        or _AMBIGUOUS.search(entry)
        or (bare and entry.lower() != parts.netloc.lower())
    ):
        raise ValueError
    host = parts.hostname or ""
    if bare and parts.port is not None:
        raise ValueError
    if ":" in host:
        ipaddress.IPv6Address(host)
    elif not _NAME.fullmatch(host):
        raise ValueError
    return parts, bare


def _origin(parts: SplitResult) -> str:
    """Give scheme, host and port; raises ``ValueError`` for anything that is not http or https to a host."""
    if parts.scheme not in _USUAL_PORT or not parts.hostname:
        raise ValueError("it is not https://host/…")
    if parts.port == 0:
        raise ValueError("there is no port 0")
    return f"{parts.scheme}://{parts.hostname}:{parts.port or _USUAL_PORT[parts.scheme]}"


def _refuse_private(url: str, host: str, address: str) -> None:
    if not _is_public(address):
        raise UntrustedSource(url, f"{host} resolves to {address}, which is on this machine or its network")


def _is_public(text: str) -> bool:
    """Tell whether an address is one of the internet, also where it stands for an IPv4 address."""
    address: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        nat64 = ipaddress.IPv4Address(address.packed[-4:]) if address in _NAT64 else None
        address = address.ipv4_mapped or address.sixtofour or nat64 or address
    given_out = address.version == 4 or address in _GIVEN_OUT
    return given_out and address.is_global and not address.is_multicast


def _shown(url: str) -> str:
    """Give an address as it may stand in a log: without a password, on one line, not too long."""
    return _AMBIGUOUS.sub(lambda found: ascii(found[0])[1:-1], _CREDENTIALS.sub("", url))[:_SHOWN]
