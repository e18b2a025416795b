"""Asking trusted servers for files: redirects checked one by one, failures told apart, pauses that grow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import urljoin

import requests
import tenacity
from django.utils import timezone

import pubmeta
from pipeline.errors import BuildStopped, DownloadFailed, NotTheDump
from pipeline.trust import TrustedHosts

_REDIRECTS = 5
_ATTEMPTS = 6
_LONGEST_PAUSE = 120.0  # Seconds, also where a server asks for more: who runs the build is waiting.
_TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_SMALL = 16 * 1024 * 1024  # Bytes of a page, a checksum or a DTD at the very most.
_BY_HAND = (
    "if the site asks browsers to prove that they are no robots, download the file with a browser "
    "and build with --from-file"
)
T = TypeVar("T")


class Interrupted(Exception):
    """The transfer broke off, or the server is busy: worth another try, after ``pause`` seconds if given."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.pause = pause


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
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"pubmeta/{pubmeta.__version__}"
        # A dump must arrive as the server keeps it; "gzip" here would have it unpacked on the way.
        self._session.headers["Accept-Encoding"] = "identity"

    def cancel(self) -> None:
        """Let whatever is being fetched end soon with ``BuildStopped``."""
        self._cancelled.set()

    def check_cancelled(self) -> None:
        """Raise ``BuildStopped`` after ``cancel``."""
        if self._cancelled.is_set():
            raise BuildStopped("stopped while downloading")

    @contextmanager
    def get(
        self, url: str, headers: Mapping[str, str] | None = None, method: str = "GET"
    ) -> Iterator[requests.Response]:
        """Open an address, following redirects to trusted addresses only.

        Raises ``Interrupted`` where another try may help, ``DownloadFailed`` where it will not.
        """
        for _ in range(_REDIRECTS):
            self.check_cancelled()
            self.trusted.check(url)
            self.trusted.check_addresses(url)
            try:
                response = self._session.request(
                    method, url, headers=headers, stream=True, allow_redirects=False, timeout=self._stall_timeout
                )
            except requests.RequestException as error:
                raise Interrupted(f"{url}: {_in_words(error)}") from error
            with response:
                if not response.is_redirect:
                    _check_status(url, response)
                    yield response
                    return
                url = urljoin(url, response.headers["Location"])
        raise DownloadFailed(f"{url}: the server redirects in circles")

    def chunks(self, response: requests.Response, size: int) -> Iterator[bytes]:
        """Yield the body; raises ``Interrupted`` where it breaks off or nothing comes for too long."""
        try:
            for chunk in response.iter_content(size):
                self.check_cancelled()
                yield chunk
        except requests.RequestException as error:
            raise Interrupted(f"{response.url}: {_in_words(error)}") from error

    def text(self, url: str, method: str = "GET") -> str:
        """Fetch a small text: a page, a checksum, a DTD; tries again where that may help."""

        def fetch() -> str:
            with self.get(url) as response:
                body = b""
                for chunk in self.chunks(response, 65536):
                    body += chunk
                    if len(body) > _SMALL:
                        raise NotTheDump(f"{url}: more than {_SMALL >> 20} MB came where a small text was expected")
                return body.decode("utf-8", errors="replace")

        return self.retry(fetch)

    def retry(self, work: Callable[[], T], log: Callable[[str], None] | None = None) -> T:
        """Do the work again while it is ``Interrupted``, after pauses that grow or that the server asks for."""

        def pause(state: tenacity.RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            asked = error.pause if isinstance(error, Interrupted) else None
            grown = self._first_pause * 2 ** (state.attempt_number - 1)
            return min(_LONGEST_PAUSE, grown if asked is None else asked)

        def tell(state: tenacity.RetryCallState) -> None:
            if log is not None and state.outcome is not None and state.next_action is not None:
                log(f"{state.outcome.exception()}; trying again in {state.next_action.sleep:.0f} s")

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


def _check_status(url: str, response: requests.Response) -> None:
    """Sort out answers that are no file."""
    status = response.status_code
    if status in _TRY_AGAIN:
        raise Interrupted(f"{url}: the server answers {status} {response.reason}", _retry_after(response))
    if status >= 400 and status != 416:
        hint = f"; {_BY_HAND}" if status in (401, 403) else ""
        raise DownloadFailed(f"{url}: the server answers {status} {response.reason}{hint}")


def _retry_after(response: requests.Response) -> float | None:
    """Read ``Retry-After``, seconds or a date (RFC 9110, section 10.2.3)."""
    value = response.headers.get("Retry-After", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - timezone.now()).total_seconds())
    except (ValueError, TypeError):
        return None


def refuse_html(url: str, response: requests.Response) -> None:
    """Raise ``NotTheDump`` where a page came instead of a file, as dblp.org answers programs since September 2026."""
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind in ("text/html", "application/xhtml+xml"):
        raise NotTheDump(f"{url}: a web page came instead of the file; {_BY_HAND}")


def _in_words(error: requests.RequestException) -> str:
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return "the server does not answer"
    if isinstance(error, requests.exceptions.Timeout) or "Read timed out" in str(error):
        return "nothing came for too long"
    if isinstance(error, requests.exceptions.SSLError):
        return f"no safe connection: {error}"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke off"
    return f"the connection failed ({type(error).__name__})"
