"""The pages in a real browser, as it keeps to the Content-Security-Policy: nothing that they need is refused."""

import http.client
import re
import shutil
import subprocess
import threading
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest

from tests.service import serving

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --enable-logging=stderr --v=0 --virtual-time-budget=5000 --dump-dom"""
PASSWORD = "only-for-this-test"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@contextmanager
def carrying(cookie, port):
    """Pass requests on to that port with a cookie: a browser started from a shell cannot be given one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
                connection.request("GET", self.path, headers={"Cookie": cookie, "Connection": "close"})
                response = connection.getresponse()
                self.send_response(response.status)
                for name, value in response.getheaders():
                    if name not in ("Connection", "Transfer-Encoding"):
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(response.read())

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sign_in(port):
    """Sign in over HTTP as a browser would, and give the cookie of the session."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", "/sign-in")
        response = connection.getresponse()
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', response.read().decode())[1]
        headers = {
            "Cookie": response.headers["Set-Cookie"].partition(";")[0],
            "Content-Type": "application/x-www-form-urlencoded",
        }
        form = {"username": "staff", "password": PASSWORD, "csrfmiddlewaretoken": token}
        connection.request("POST", "/sign-in", urlencode(form), headers)
        response = connection.getresponse()
        assert (response.status, response.headers["Location"]) == (302, "/bootstrap")
        cookies = [value for name, value in response.getheaders() if name == "Set-Cookie"]
        return next(cookie.partition(";")[0] for cookie in cookies if cookie.startswith("sessionid="))


def test_no_page_asks_for_what_its_policy_refuses(served_sample, manage, tmp_path):
    made = manage("createsuperuser", "--noinput", "--username=staff", "--email=", DJANGO_SUPERUSER_PASSWORD=PASSWORD)
    assert made.wait(timeout=60) == 0
    assert manage("collectstatic", "--noinput").wait(timeout=60) == 0
    expected = {
        "/bootstrap": "Signed in as staff",
        "/sign-in": 'type="password"',
        "/admin/": "Recent actions",
        "/admin/bibliography/author/?q=orla": "Nevin",
        "/api/docs#/queries/bibliography_api_coauthor_pairs": "left_authors",  # Drawn from the API's description.
    }
    with serving(served_sample) as port, carrying(sign_in(port), port) as front:
        for path, text in expected.items():
            shown = subprocess.run(
                [
                    CHROMIUM,
                    *OPTIONS.split(),
                    f"--user-data-dir={tmp_path / 'browser'}",
                    f"http://127.0.0.1:{front}{path}",
                ],
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert text in shown.stdout, path
            said = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
            assert not [line for line in said if "Content Security Policy" in line], path
