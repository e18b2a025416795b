"""Which addresses a download may come from."""

import socket
import threading

import pytest

from pipeline.errors import DownloadFailed, UntrustedSource
from pipeline.trust import TrustedHosts

TRUSTED = TrustedHosts(["dblp.org", "drops.dagstuhl.de", "http://127.0.0.1:9000", "https://mirror.example:8443"])


@pytest.mark.parametrize(
    "url",
    [
        "https://dblp.org/xml/dblp.xml.gz",
        "https://DBLP.org/xml/dblp.xml.gz",
        "https://dblp.org:443/x",
        "https://drops.dagstuhl.de/x?y#z",
        "http://127.0.0.1:9000/dump.xml.gz",
        "https://mirror.example:8443/x",
    ],
)
def test_trusted(url):
    TRUSTED.check(url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://evil.example/x", "not trusted"),
        ("https://dblp.org.evil.example/x", "not trusted"),
        ("https://sub.dblp.org/x", "not trusted"),
        ("https://evildblp.org/x", "not trusted"),
        ("http://dblp.org/x", "by https only"),
        ("https://dblp.org:8443/x", "usual port only"),
        ("https://name:secret@dblp.org/x", "must not hold a name or password"),
        ("https://dblp.org@evil.example/x", "must not hold a name or password"),
        ("https://@dblp.org/x", "must not hold a name or password"),
        ("http://127.0.0.1/x", "not trusted"),
        ("http://127.0.0.1:9001/x", "not trusted"),
        ("https://127.0.0.1:9000/x", "not trusted"),
        ("http://localhost:9000/x", "not trusted"),
        ("https://mirror.example/x", "not trusted"),
        ("https://[::1]/x", "not trusted"),
        ("file:///etc/passwd", "no address to download from"),
        ("ftp://dblp.org/x", "no address to download from"),
        ("dblp.org/xml", "no address to download from"),
        ("https:///x", "no address to download from"),
        ("https://dblp.org:port/x", "no address to download from"),
        ("https://evil.example\\@dblp.org/x", "a backslash"),
        ("https://dblp.org\\.evil.example/x", "a backslash"),
        ("https://dblp.org\t/x", "a control character"),
        (" https://dblp.org/x", "a space"),
        ("https://dblp.org/x\r\nHost: evil.example", "a control character"),
        ("https://dblp.org:0/x", "no port 0"),
        ("https://dblp.org:99999/x", "no address to download from"),
        ("https://[dblp.org]/x", "no address to download from"),
        ("https://dblp.org./x", "not trusted"),
        ("https://dblp.org%2eevil.example/x", "not trusted"),
        ("https://dblp。org/x", "not trusted"),
        ("https://dblp\u200b.org/x", "not trusted"),
        ("https://2130706433/x", "not trusted"),
        ("https://name:secret@dblp.org:port/x", "must not hold a name or password"),
        ("ftp://name:secret@dblp.org/x", "must not hold a name or password"),
        ("https://name:secret@[dblp.org/x", "no address to download from"),
        ("https:dblp.org/x", "no address to download from"),
        ("javascript:alert(1)", "no address to download from"),
        ("", "no address to download from"),
    ],
)
def test_not_trusted(url, reason):
    with pytest.raises(UntrustedSource, match=reason) as caught:
        TRUSTED.check(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    [
        "dblp.org/xml",
        "dblp.org:443",
        "",
        "ftp://dblp.org",
        "https://",
        "*.dblp.org",
        "a b",
        "me@dblp.org",
        *(
            "http://127.0.0.1:9000/xml",
            "http://u:p@127.0.0.1",
            "http://x:port",
            "https://dblp.org?x",
            "dblp.org/",
            "ﬀ.org",
        ),
    ],
)
def test_an_entry_that_is_neither_host_nor_origin_is_refused(entry):
    with pytest.raises(ValueError, match=r".+"):
        TrustedHosts([entry])


def resolving_to(monkeypatch, *addresses):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: found)
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.8",
        "172.16.3.4",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "::7f00:1",
        "::808:808",
        "fec0::1",
        "64:ff9b:1::7f00:1",
        "2001:db8::1",
        "ff0e::1",
    ],
)
def test_a_trusted_name_that_resolves_to_this_machine_or_its_network_is_refused(monkeypatch, address):
    resolving_to(monkeypatch, "1.1.1.1", address)
    with pytest.raises(UntrustedSource, match="on this machine or its network"):
        TRUSTED.check_addresses("https://dblp.org/x")


def test_a_public_address_is_fine(monkeypatch):
    resolving_to(monkeypatch, "1.1.1.1", "2606:4700::1111")
    TRUSTED.check_addresses("https://dblp.org/x")


@pytest.mark.parametrize("address", ["::ffff:1.1.1.1", "64:ff9b::101:101"], ids=["mapped", "NAT64"])
def test_a_public_ipv4_address_written_as_ipv6_is_fine(monkeypatch, address):
    resolving_to(monkeypatch, address)
    TRUSTED.check_addresses("https://dblp.org/x")


def test_a_proxy_for_http_does_not_spare_https_the_look(monkeypatch):
    resolving_to(monkeypatch, "10.0.0.1")
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    with pytest.raises(UntrustedSource):
        TRUSTED.check_addresses("https://dblp.org/x")
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    TRUSTED.check_addresses("https://dblp.org/x")  # Resolved by the proxy, which need not be where we are.


def test_an_ipv6_host_may_be_listed():
    trusted = TrustedHosts(["[2606:4700::1111]"])
    trusted.check("https://[2606:4700::1111]/x")
    with pytest.raises(UntrustedSource):
        trusted.check("https://[2606:4700::1112]/x")


def test_a_long_address_does_not_fill_the_screen():
    with pytest.raises(UntrustedSource) as caught:
        TRUSTED.check(f"https://{'a' * 50_000}.example/{'b' * 50_000}")
    assert len(str(caught.value)) < 1_000


def test_an_origin_that_is_listed_in_full_may_be_on_this_machine():
    TRUSTED.check_addresses("http://127.0.0.1:9000/x")


def test_a_name_that_nobody_knows_is_an_error_of_the_network(monkeypatch):
    resolving_to(monkeypatch)

    def unknown(*args, **options):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(OSError, match="Name or service not known"):
        TRUSTED.check_addresses("https://dblp.org/x")


def test_the_client_looks_at_addresses_before_it_connects(monkeypatch, client_of):
    resolving_to(monkeypatch, "127.0.0.1")
    with pytest.raises(UntrustedSource, match="dblp.org resolves to 127.0.0.1"):
        client_of("dblp.org").small("https://dblp.org/x")


def test_a_name_that_resolves_to_this_machine_only_to_connect_is_refused_before_a_byte_is_sent(monkeypatch, client_of):
    resolving_to(monkeypatch, "1.1.1.1")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        here = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", listening.getsockname())]
        found = iter([socket.getaddrinfo(), here])
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: next(found))
        with pytest.raises(UntrustedSource, match="dblp.org resolves to 127.0.0.1, which is on this machine"):
            client_of("dblp.org").small("https://dblp.org/x")
        connected, _ = listening.accept()
        with connected:
            assert connected.recv(1) == b""


def test_an_origin_that_is_listed_in_full_is_connected_to_wherever_it_is(client_of):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        origin = f"https://127.0.0.1:{listening.getsockname()[1]}"
        answering = threading.Thread(target=_hang_up, args=(listening,))
        answering.start()
        with pytest.raises(DownloadFailed):
            client_of(origin).small(f"{origin}/x")
        answering.join()


def _hang_up(listening):
    for _ in range(6):  # As often as is tried.
        connected, _ = listening.accept()
        with connected:
            assert connected.recv(1) == b"\x16"  # TLS says hello.


def test_a_name_that_nobody_knows_for_a_moment_is_asked_for_again(monkeypatch, client_of):
    resolving_to(monkeypatch, "127.0.0.1")

    def unknown(*args, **options):
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    log = []
    with pytest.raises(DownloadFailed, match=r"the host cannot be found \(Temporary failure .*\) \(after 6 tries\)"):
        client_of("dblp.org").small("https://dblp.org/x", log.append)
    assert len(log) == 5
