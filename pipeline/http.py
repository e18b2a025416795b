"""Asking trusted servers for files: redirects checked one by one, failures told apart, pauses that grow."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urljoin

import requests
import tenacity
import urllib3
from django.utils import timezone

import pubmeta
from pipeline.connections import CheckedAdapter
from pipeline.errors import BuildStopped, DownloadFailed, NotTheDump
from pipeline.trust import TrustedHosts

_REDIRECTS = 5
_ATTEMPTS = 6
_LONGEST_PAUSE = 120.0  # Seconds, also where a server asks for more: who runs the build is waiting.
_TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_SMALL = 16 * 1024 * 1024  # Bytes of a page, a checksum or a DTD at the very most.
_BLOCK = 64 * 1024
_SLOWEST = 1000  # Bytes a second; a server that drips less would hold the build, and its lock, for days.
_BY_HAND = (
    "if the site asks browsers to prove that they are no robots, download the file with a browser "
    "and build with --from-file"
)
T = TypeVar("T")
Log = Callable[[str], None]


class Interrupted(Exception):
    """The transfer broke off, or the server is busy: worth another try, after ``pause`` seconds if given."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


class Refused(DownloadFailed):
    """The server answers, but does not give the file; ``status`` says why."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


class _Session(requests.Session):
    """A session that leaves redirects to us.

    Even where it is told not to follow them, requests reads the whole body of a redirect, however long that is.
    """

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """See no redirect in any answer."""
        return None


class Client:
    """Fetches from trusted servers only. One thread uses it; another may call ``cancel``.

    ``stall_timeout`` is how many seconds a server may send nothing, ``first_pause`` how long to wait before the
    second try; each further pause is twice as long.
    """

    def __init__(self, trusted: TrustedHosts, stall_timeout: float, first_pause: float) -> None:
        self.trusted = trusted
        self._stall_timeout = stall_timeout
        self._first_pause = first_pause
        self._cancelled = threading.Event()
        self._response: requests.Response | None = None
        self._session = _Session()
        self._session.mount("https://", CheckedAdapter(trusted))
        self._session.headers["User-Agent"] = f"pubmeta/{pubmeta.__version__}"
        # A dump must arrive as the server keeps it; "gzip" here would have it packed once more on the way.
        self._session.headers["Accept-Encoding"] = "identity"

    def cancel(self) -> None:
        """Let whatever is being fetched end at once with ``BuildStopped``."""
        self._cancelled.set()
        response = self._response
        if response is not None:
            # Wakes the other thread where it waits for a server that sends nothing.
            with suppress(OSError, ValueError, RuntimeError):  # The response may have ended this very moment.
                response.raw.shutdown()

    def check_cancelled(self) -> None:
        """Raise ``BuildStopped`` after ``cancel``."""
        if self._cancelled.is_set():
            raise BuildStopped("stopped while downloading")

    def close(self) -> None:
        """Let go of the connections that were kept for the next request; there may be one all the same."""
        self._session.close()

    @contextmanager
    def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        method: str = "GET",
        accepted: frozenset[int] = frozenset({200}),
    ) -> Iterator[requests.Response]:
        """Open an address, following redirects to trusted addresses only, until an accepted status comes.

        Raises ``Interrupted`` where another try may help, ``DownloadFailed`` where it will not (``Refused`` for
        another status), ``UntrustedSource`` before connecting to what is not trusted.
        """
        asked = url
        for _ in range(_REDIRECTS + 1):
            with self._ask(method, url, headers) as response:
                if not response.is_redirect:
                    _check_status(url, response, accepted)
                    yield response
                    return
                url = _target(url, response)
        raise DownloadFailed(f"{asked}: the server redirects in circles")

    @contextmanager
    def _ask(self, method: str, url: str, headers: Mapping[str, str] | None) -> Iterator[requests.Response]:
        self.check_cancelled()
        self.trusted.check(url)
        try:
            self.trusted.check_addresses(url)
        except OSError as error:
            # Also a line that is down for a moment, in the middle of a download, looks like this.
            raise Interrupted(f"{url}: the host cannot be found ({error.strerror or error})") from error
        try:
            response = self._session.request(
                method, url, headers=headers, stream=True, allow_redirects=False, timeout=self._stall_timeout
            )
        except requests.RequestException as error:
            if isinstance(error, requests.exceptions.InvalidURL) or "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise DownloadFailed(f"{url}: {_in_words(error)}") from error
            raise Interrupted(f"{url}: {_in_words(error)}") from error
        with response:
            self._response = response
            try:
                self.check_cancelled()  # After the line above: whoever cancels sees the response, or we see that.
                yield response
            finally:
                self._response = None

    def chunks(self, response: requests.Response, size: int = _BLOCK, decode: bool = False) -> Iterator[bytes]:
        """Yield the body as it arrives, at most ``size`` bytes at once; as it was sent, or decoded.

        Raises ``Interrupted`` where it breaks off, or (next to) nothing comes for too long.
        """
        since, received = time.monotonic(), 0
        try:
            # Unlike iter_content, read1 hands over what came before a cut, and knows no Content-Encoding: some
            # servers send a .gz file as "gzip", which is no reason to store it unpacked.
            while chunk := response.raw.read1(size, decode_content=decode):
                self.check_cancelled()
                yield chunk
                received += len(chunk)
                waited = time.monotonic() - since
                if waited > self._stall_timeout:
                    if received < _SLOWEST * waited:
                        raise Interrupted(f"{response.url}: less than {_SLOWEST} bytes a second come")
                    since, received = time.monotonic(), 0
        except urllib3.exceptions.HTTPError as error:
            self.check_cancelled()
            raise Interrupted(f"{response.url}: {_in_words(error)}") from error
        self.check_cancelled()

    def small(self, url: str, log: Log | None = None, page: bool = False) -> bytes:
        """Fetch a small file: a checksum or a DTD, or a ``page``; tries again where that may help."""

        def fetch() -> bytes:
            with self.get(url) as response:
                if not page:
                    refuse_html(url, response)
                body = bytearray()
                for chunk in self.chunks(response, decode=True):
                    body += chunk
                    if len(body) > _SMALL:
                        raise NotTheDump(f"{url}: more than {_SMALL >> 20} MB came where a small file was expected")
                return bytes(body)

        return self.retry(fetch, log)

    def retry(self, work: Callable[[], T], log: Log | None = None) -> T:
        """Do the work again while it is ``Interrupted``, after pauses that grow or that the server asks for."""

        def pause(state: tenacity.RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            asked = error.pause if isinstance(error, Interrupted) else None
            grown = self._first_pause * 2 ** (state.attempt_number - 1)
            return min(_LONGEST_PAUSE, grown if asked is None else asked)

        def tell(state: tenacity.RetryCallState) -> None:
            if log is not None and state.outcome is not None and state.next_action is not None:
                log(f"{state.outcome.exception()}; trying again in {state.next_action.sleep:.3g} s")

        def sleep(seconds: float) -> None:
            self._cancelled.wait(seconds)
            self.check_cancelled()

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(Interrupted),
            stop=tenacity.stop_after_attempt(_ATTEMPTS),
            wait=pause,
            sleep=sleep,
            before_sleep=tell,
            reraise=True,
        )
        try:
            return retrying(work)
        except Interrupted as error:
            raise DownloadFailed(f"{error} (after {_ATTEMPTS} tries)") from error


def _target(url: str, response: requests.Response) -> str:
    """Give the address that a redirect leads to."""
    try:
        return urljoin(url, response.headers["Location"])
    except ValueError as error:
        raise DownloadFailed(f"{url}: the server redirects to what is no address: {error}") from error


def _check_status(url: str, response: requests.Response, accepted: frozenset[int]) -> None:
    """Sort out answers that are no file."""
    status = response.status_code
    if status in accepted:
        return
    # The reason that the server sends is not repeated: it may be anything, of any length.
    name = HTTPStatus(status).phrase if status in set(HTTPStatus) else "of an unknown kind"
    if status in _TRY_AGAIN:
        raise Interrupted(f"{url}: the server answers {status} {name}", _retry_after(response))
    hint = {
        401: _BY_HAND,
        403: _BY_HAND,
        404: "look whether the address is right",
        416: "the file there is empty",
    }.get(status)
    raise Refused(f"{url}: the server answers {status} {name}" + (f"; {hint}" if hint else ""), status)


def _retry_after(response: requests.Response) -> float | None:
    """Read ``Retry-After``, seconds or a date (RFC 9110, section 10.2.3); None where it asks for no wait."""
    value = response.headers.get("Retry-After", "").strip()
    try:
        if value.isdecimal():
            return float(value) or None
        return max(0.0, (parsedate_to_datetime(value) - timezone.now()).total_seconds()) or None
    except (ValueError, TypeError):
        return None


def refuse_html(url: str, response: requests.Response) -> None:
    """Raise ``NotTheDump`` where a page came instead of a file, as dblp.org answers programs since September 2026."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        raise NotTheDump(f"{url}: a web page came instead of the file; {_BY_HAND}")


def _in_words(error: Exception) -> str:
    """Say what happened to a connection; the libraries' own texts are for programmers."""
    if isinstance(error, requests.exceptions.InvalidURL):
        return "this is no address to download from"
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return "the server does not answer"
    if isinstance(error, requests.exceptions.Timeout | urllib3.exceptions.TimeoutError):
        return "nothing came for too long"
    if isinstance(error, requests.exceptions.SSLError | urllib3.exceptions.SSLError):
        return f"no safe connection: {error}"
    if isinstance(error, urllib3.exceptions.DecodeError):
        return "what came cannot be unpacked"
    if isinstance(error, urllib3.exceptions.ProtocolError):
        return "the connection broke off"
    return f"the connection failed ({type(error).__name__})"
