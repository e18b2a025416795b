"""Connections that look where they have come to, before anything is sent."""

from __future__ import annotations

import socket
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPSConnection

from pipeline.trust import TrustedHosts


class CheckedAdapter(HTTPAdapter):
    """Connects by https to addresses that a trusted name may have; a proxy is where the operator says.

    Looking at what a name resolves to is not enough: asked again, to connect, it may resolve to something else.
    """

    def __init__(self, trusted: TrustedHosts) -> None:
        self._trusted = trusted
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Let the connections that go to no proxy be checked ones."""
        super().init_poolmanager(*args, **options)
        trusted = self._trusted

        class Connection(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                connected = super()._new_conn()
                try:
                    trusted.check_peer(self.host, self.port, connected.getpeername()[0])
                except BaseException:
                    connected.close()
                    raise
                return connected

        class Pool(HTTPSConnectionPool):
            ConnectionCls = Connection

        self.poolmanager.pool_classes_by_scheme = {"http": HTTPConnectionPool, "https": Pool}
