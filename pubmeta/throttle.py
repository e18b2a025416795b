"""Slows down those who guess secrets: after some failures each further try has to wait, twice as long each time."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict

from django.http import HttpRequest

_FREE = 5  # Failures that cost nothing: people mistype.
_FIRST, _LONGEST = 1.0, 300.0  # Seconds to wait after one more failure than that; then twice as long each time.
_FORGOTTEN_AFTER = 3600.0
_MOST = 10_000  # Addresses remembered; who has ten thousand addresses is not stopped by this.


class Throttle:
    """Remembers in this process which addresses failed how often; an hour without a failure is forgotten."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, address: str) -> float:
        """Give the seconds that the next try from there has to wait, 0 for none."""
        with self._lock:
            count, until = self._failures.get(address, (0, 0.0))
            return max(0.0, until - time.monotonic()) if count > _FREE else 0.0

    def failed(self, address: str) -> None:
        """Count a failure."""
        now = time.monotonic()
        with self._lock:
            count, until = self._failures.pop(address, (0, now))
            count = count + 1 if now < until + _FORGOTTEN_AFTER else 1
            pause = min(_LONGEST, _FIRST * 2.0 ** min(count - _FREE - 1, 20)) if count > _FREE else 0.0
            self._failures[address] = count, now + pause
            while len(self._failures) > _MOST:
                self._failures.popitem(last=False)

    def succeeded(self, address: str) -> None:
        """Forget the failures of an address."""
        with self._lock:
            self._failures.pop(address, None)


def address_of(request: HttpRequest) -> str:
    """Give where a request comes from; of IPv6 the network, for each customer has billions of addresses in one.

    A proxy on this machine says so in the last entry of ``X-Forwarded-For``; those before it anybody may invent.
    """
    here = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    address = _address(here)
    if forwarded and (address is None or address.is_loopback):
        address = _address(forwarded) or address
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or here)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
