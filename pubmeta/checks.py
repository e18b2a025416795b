"""What ``manage.py check --deploy`` says of settings that are fine on one's own machine, but not on a network."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks

_HTTPS = checks.Warning(
    "The service takes plain http: passwords and the control token can be read on their way.",
    hint="Put a proxy that speaks TLS in front and set PUBMETA_HTTPS=on (docs/operations.md shows how).",
    id="pubmeta.W001",
)
_HOSTS = checks.Warning(
    "The service answers only to the names of this machine itself.",
    hint="Set PUBMETA_ALLOWED_HOSTS to the name under which it is reached.",
    id="pubmeta.W002",
)
_OPEN = checks.Warning(
    "Anybody who reaches the service may start, stop and reset builds.",
    hint="Leave out PUBMETA_CONTROL_AUTH=open.",
    id="pubmeta.W003",
)


@checks.register(checks.Tags.security, deploy=True)
def check_deployment(app_configs: Any, **options: Any) -> list[checks.CheckMessage]:
    """Name each of the settings that a service on a network should not have."""
    environment = settings.ENVIRONMENT
    found = (
        (_HTTPS, not environment.https),
        (_HOSTS, not environment.allowed_hosts),
        (_OPEN, environment.control_auth == "open"),
    )
    return [warning for warning, given in found if given]
