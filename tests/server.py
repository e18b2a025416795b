"""A real HTTP server on this machine that can be slow, wrong or cut off, as the test asks."""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_BLOCK = 16 * 1024


@dataclass
class Answer:
    """How one request is answered; the fields that are not given are what an honest server would do."""

    body: bytes = b""
    status: int = 200
    headers: dict = field(default_factory=dict)
    cut_after: int | None = None  # Bytes of the body after which the connection is closed.
    stall_after: int | None = None  # Bytes of the body after which nothing comes until the server is closed.
    ignore_range: bool = False
    total: int | str | None = None  # The length that is promised, right or wrong; "" for none.
    chunked: int | None = None  # Bytes a chunk, instead of a length.
    drip: float | None = None  # Seconds between single bytes.
    stall_first: bool = False  # Nothing at all comes until the server is closed.
    gate: threading.Event | None = None  # More than the beginning does not come until it is set, or the server closed.


class Server:
    """Serves ``files`` (path → list of answers, the last one for ever) and keeps what it was asked."""

    def __init__(self):
        self.files: dict[str, list[Answer]] = {}
        self.requests: list[tuple[str, str, str | None]] = []  # Method, path, range
        self.headers: list[dict] = []
        self.closing = threading.Event()
        self.stalled = threading.Event()
        self.sent = 0  # Bytes of all bodies, as far as somebody is told of them.
        self.on_sent: Callable[[int], None] | None = None  # Told after each block how much of an answer is sent.
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def put(self, path, *answers):
        """Answer requests of that path with those, one after the other."""
        self.files[path] = [Answer(answer) if isinstance(answer, bytes) else answer for answer in answers]
        return self.origin + path

    def paths(self):
        return [f"{method} {path}" for method, path, _ in self.requests]

    def close(self):
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _handler(server):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self._answer(with_body=True)

        def do_HEAD(self):
            self._answer(with_body=False)

        def _answer(self, with_body):
            server.requests.append((self.command, self.path, self.headers["Range"]))
            server.headers.append(dict(self.headers))
            answers = server.files.get(self.path)
            self.close_connection = True  # One request a connection: the server waits for none when it is closed.
            answer = Answer(b"nothing here", 404) if not answers else answers.pop(0) if len(answers) > 1 else answers[0]
            status, body, headers = answer.status, answer.body, dict(answer.headers)
            found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers["Range"] or "")
            if_range = self.headers["If-Range"]
            valid = if_range is None or if_range in (headers.get("ETag"), headers.get("Last-Modified"))
            if found and status == 200 and not answer.ignore_range and valid:
                start, total = int(found[1]), len(body)
                if start >= total:
                    status, body = 416, b""
                    headers["Content-Range"] = f"bytes */{total}"
                else:
                    end = min(total, int(found[2]) + 1) if found[2] else total
                    status, body = 206, body[start:end]
                    headers["Content-Range"] = f"bytes {start}-{end - 1}/{total}"
            if self.headers["If-None-Match"] and self.headers["If-None-Match"] == headers.get("ETag"):
                status, body = 304, b""
            if answer.stall_first:
                server.stalled.set()
                server.closing.wait()
            self._send(answer, status, headers, body if with_body else b"", len(body))

        def _send(self, answer, status, headers, body, length):
            self.send_response(status)
            for name, value in {"Content-Type": "application/octet-stream", **headers}.items():
                self.send_header(name, value)
            if answer.chunked:
                self.send_header("Transfer-Encoding", "chunked")
            elif answer.total != "":
                self.send_header("Content-Length", str(answer.total if answer.total is not None else length))
            self.send_header("Connection", "close")
            stop = min((n for n in (answer.cut_after, answer.stall_after) if n is not None), default=len(body))
            try:
                self.end_headers()
                beginning = (self.headers["Range"] or "").startswith("bytes=0-")
                if answer.gate is not None and not beginning:
                    server.stalled.set()
                    while not answer.gate.wait(0.02) and not server.closing.is_set():
                        pass
                self._write(answer, body[:stop], whole=stop == len(body))
                if answer.stall_after is not None:
                    server.stalled.set()
                    server.closing.wait()
            except (BrokenPipeError, ConnectionResetError):
                pass

        def _write(self, answer, body, whole):
            if answer.drip is not None:
                for at in range(len(body)):
                    self.wfile.write(body[at : at + 1])
                    if server.closing.wait(answer.drip):
                        return
            elif answer.chunked:
                for at in range(0, len(body), answer.chunked):
                    chunk = body[at : at + answer.chunked]
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                self.wfile.write(b"0\r\n\r\n" if whole else b"")
            elif server.on_sent is not None:
                for at in range(0, len(body), _BLOCK):
                    self.wfile.write(body[at : at + _BLOCK])
                    server.sent += len(body[at : at + _BLOCK])
                    server.on_sent(min(at + _BLOCK, len(body)))
            else:
                self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, *args):
            pass

    return Handler
