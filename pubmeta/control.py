"""Who may control the build: whoever has the token, and staff who have signed in."""

from __future__ import annotations

import hmac
import logging
import math
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest
from ninja.security import HttpBearer
from ninja.utils import check_csrf

from pubmeta.environment import kept_secret
from pubmeta.problems import Problem
from pubmeta.throttle import Throttle, address_of

OPEN = "open"
_log = logging.getLogger(__name__)
# One each: a script with an old token is not to keep the staff behind the same address from signing in.
_tokens, _passwords = Throttle(), Throttle()
_NEEDED = "This needs the control token (Authorization: Bearer …), or a member of staff who has signed in."


def token_file() -> Path:
    """Give where the token is kept that was generated."""
    return Path(settings.DATA_DIR) / "control-token"


def token() -> str:
    """Give the token, generated at the first call unless it is set; raises ``ImproperlyConfigured``.

    It is read each time, so that removing the file is enough for a new one.
    """
    return settings.ENVIRONMENT.control_token or kept_secret(token_file())


def may_control(request: HttpRequest) -> bool:
    """Tell whether a request that changes nothing comes from somebody who may control: that one sees more."""
    if settings.ENVIRONMENT.control_auth == OPEN:
        return True
    if (given := _bearer(request)) is not None:
        return not _tokens.wait(address_of(request)) and _is_token(given)
    return _is_staff(request)


class Control(HttpBearer):
    """Lets through who may control the build; for all others it raises a ``Problem`` of 401, 403 or 429."""

    def __call__(self, request: HttpRequest) -> str:
        """Say who it is."""
        _refuse_foreign(request)
        if settings.ENVIRONMENT.control_auth == OPEN:
            return "anybody"
        if (given := _bearer(request)) is not None:
            return _by_token(request, given)
        return _by_session(request)

    def authenticate(self, request: HttpRequest, token: str) -> None:
        """Never called: the scheme of the header is looked at above."""
        raise NotImplementedError


def _refuse_foreign(request: HttpRequest) -> None:
    """Refuse what a page of another site sends, whatever it brings along.

    Not even an open control is open to every page that its operator's browser happens to show.
    """
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CORS_ALLOWED_ORIGINS or _host(origin) == request.get_host():
        return
    _log.warning("control refused: from %s, of another origin", address_of(request))
    raise Problem(403, "Pages of that origin may not control the build; PUBMETA_CORS_ORIGINS lists those that may.")


def _host(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # It is no address at all.
        return None


def _bearer(request: HttpRequest) -> str | None:
    """Give the token that a request brings along; credentials of other schemes are for a proxy before us."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else None


def _by_token(request: HttpRequest, given: str) -> str:
    address = address_of(request)
    if seconds := _tokens.wait(address):
        raise Problem(
            429,
            f"Too many tokens from your address were wrong; try again in {math.ceil(seconds)} s.",
            headers={"Retry-After": str(math.ceil(seconds))},
        )
    if _is_token(given):
        _tokens.succeeded(address)
        return "token"
    _tokens.failed(address)
    _log.warning("control refused: a wrong token from %s", address)
    raise Problem(403, "This is not the control token; the start of the service says where it is kept.")


def _is_token(given: str) -> bool:
    """Compare in a time that does not depend on how much of it is right."""
    try:
        return hmac.compare_digest(given.encode(), token().encode())
    except ImproperlyConfigured as error:  # Nobody has one where none can be kept.
        _log.warning("there is no control token: %s", error)
        return False


def _by_session(request: HttpRequest) -> str:
    if not request.user.is_authenticated:
        raise Problem(401, _NEEDED, headers={"WWW-Authenticate": 'Bearer realm="pubmeta"'})
    if not _is_staff(request):
        raise Problem(403, "You have signed in, but only staff may control the build.")
    if check_csrf(request):
        raise Problem(403, "The CSRF token is missing or wrong; reload the page. Scripts send the control token.")
    return request.user.get_username()


def _is_staff(request: HttpRequest) -> bool:
    user = request.user
    return user.is_authenticated and user.is_active and user.is_staff


def seconds_to_wait(request: HttpRequest) -> int:
    """Tell how long the address of a request has to wait before the next sign-in, 0 for not at all."""
    return math.ceil(_passwords.wait(address_of(request)))


class SlowedBackend(ModelBackend):
    """Signs in by name and password, but nobody who has to wait after failures."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **others: Any
    ) -> User | None:
        """Give the account; raises ``PermissionDenied``, which counts as a failure, where the address has to wait."""
        if request is not None and _passwords.wait(address_of(request)):
            raise PermissionDenied
        return super().authenticate(request, username, password, **others)


@receiver(user_login_failed)
def _count(sender: Any, request: HttpRequest | None = None, **_: Any) -> None:
    """Note a failure without what was typed: people type passwords in the wrong box."""
    if request is not None:
        address = address_of(request)
        _passwords.failed(address)
        _log.warning("a sign-in failed from %s", address)


@receiver(user_logged_in)
def _forgive(sender: Any, request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None:
        _passwords.succeeded(address_of(request))
