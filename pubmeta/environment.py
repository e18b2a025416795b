"""Settings from the environment, typed: a value that does not fit stops the start and names itself."""

from __future__ import annotations

import datetime
import fcntl
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from django.core.exceptions import ImproperlyConfigured
from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from pipeline.releases import is_date
from pipeline.trust import TrustedHosts, read_address

PREFIX = "PUBMETA_"
#: dblp's own host, its mirror in Trier, and the archive of monthly releases.
DBLP_HOSTS = ("dblp.org", "dblp.uni-trier.de", "dblp.dagstuhl.de", "drops.dagstuhl.de")
# What a browser sends as Origin: scheme and host, perhaps a port, and nothing after them.
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?|https?://\[[0-9a-fA-F:]+\](?::\d{1,5})?", re.IGNORECASE)
# What Django takes for a host: a name, all names below one, an address, or anything.
_HOST = re.compile(r"\.?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]|\*")
#: Who asks on this machine may always do so: the operator, and what watches the service.
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_LATEST = "latest"
_DAY = 24 * 60 * 60
_SECRETS = ("secret_key", "control_token")  # Settings whose values are not repeated.

CommaSeparated = Annotated[tuple[str, ...], NoDecode]


class Environment(BaseSettings):
    """Every setting that an operator may give, each as ``PUBMETA_<NAME>`` in capitals."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True)

    # Beside manage.py: cron, systemd and a shell start in different directories.
    data_dir: Path = Path(__file__).resolve().parent.parent / "data"
    xml_gz_url: str = _LATEST
    dtd_url: str = _LATEST
    # Where monthly releases are listed and stored; a mirror of DROPS may be named instead.
    releases_origin: str = "https://drops.dagstuhl.de"
    trusted_hosts: CommaSeparated = DBLP_HOSTS
    batch_size: int = Field(default=1_000, ge=100, le=1_000_000)
    progress_every: int = Field(default=50_000, ge=1_000, le=1_000_000_000)
    # Parsing is most of the work: with two processors two parsers and the one that inserts share them best.
    workers: int = Field(default=max(2, (os.cpu_count() or 2) - 1), ge=1, le=64)
    # Seconds: how long a server may send nothing, and how long to wait before the second try (then twice that, …).
    stall_timeout: float = Field(default=30.0, gt=0, le=_DAY)
    retry_pause: float = Field(default=2.0, ge=0, le=_DAY)
    data_date: datetime.date | None = None
    # Releases come monthly, and a day or two late; an older store tells that a build is missing.
    max_age_days: int = Field(default=45, ge=1, le=100_000)
    # Limits of a question: names a side, people that a name may stand for, publications listed a pair, seconds
    # until it is given up, and how many heavy ones a process answers at once.
    max_entries_per_side: int = Field(default=1_000, ge=1, le=100_000)
    max_author_resolve: int = Field(default=800, ge=1, le=100_000)
    max_pair_results: int = Field(default=200, ge=1, le=10_000)
    query_timeout: float = Field(default=20.0, gt=0, le=_DAY)
    heavy_queries: int = Field(default=2, ge=1)
    pc_members: Path | None = None
    cors_origins: CommaSeparated = ()
    # Who may start, stop and reset builds: the bearer of the token, or (``open``) anybody.
    # Others than these characters would not arrive in a header as they were sent (RFC 6750, section 2.1).
    control_token: str | None = Field(default=None, min_length=16, pattern=r"^[A-Za-z0-9._~+/-]+=*$")
    control_auth: Literal["required", "open"] = "required"
    secret_key: str | None = Field(default=None, min_length=32)
    allowed_hosts: CommaSeparated = ()
    # A proxy in front speaks TLS, and tells by X-Forwarded-Proto how it was asked.
    https: bool = False
    debug: bool = False

    @field_validator("trusted_hosts", "allowed_hosts", "cors_origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Take ``a, b`` for two entries."""
        if not isinstance(value, str):
            return value
        entries = tuple(filter(None, map(str.strip, value.split(","))))
        if not entries:
            raise ValueError("there is nothing between the commas")
        return entries

    @field_validator("xml_gz_url", "dtd_url", "releases_origin")
    @classmethod
    def _check_address(cls, value: str, info: ValidationInfo) -> str:
        if value != _LATEST or info.field_name == "releases_origin":
            read_address(value)
        return value

    @field_validator("data_date", mode="before")
    @classmethod
    def _check_day(cls, value: object) -> object:
        """Take days only; pydantic would also take seconds since 1970."""
        if isinstance(value, str) and not is_date(value):
            raise ValueError("this is no day such as 2026-10-03")
        return value

    @field_validator("allowed_hosts")
    @classmethod
    def _check_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for host in value:
            if not _HOST.fullmatch(host):
                raise ValueError(f"{host!r} is no name of a host such as dblp.example.org")
        return value

    @field_validator("trusted_hosts")
    @classmethod
    def _check_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        TrustedHosts(value)
        return value

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Give origins as browsers send them: in small letters, and without the port that their scheme implies."""
        for origin in value:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin!r} is no origin such as https://example.org")
        lower = map(str.lower, value)
        return tuple(one.removesuffix(":443" if one.startswith("https:") else ":80") for one in lower)

    @field_validator("pc_members")
    @classmethod
    def _expand(cls, value: Path | None) -> Path | None:
        try:
            return value and value.expanduser()
        except RuntimeError as error:
            raise ValueError(str(error)) from None

    @classmethod
    def load(cls) -> Environment:
        """Read the environment; raises ``ImproperlyConfigured`` with a line for every bad value."""
        known = {f"{PREFIX}{name.upper()}" for name in (*cls.model_fields, "bind")}  # BIND is for gunicorn alone.
        unknown = sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name not in known)
        if unknown:
            raise ImproperlyConfigured(f"unknown settings in the environment: {', '.join(unknown)}")
        try:
            return cls()
        except ValidationError as error:
            lines = [f"{_shown(str(bad['loc'][0]))}: {bad['msg']}" for bad in error.errors()]
            raise ImproperlyConfigured("bad settings in the environment:\n" + "\n".join(lines)) from None


def _shown(field: str) -> str:
    """Give a setting as it was given, but for a secret: messages end up in logs."""
    name = f"{PREFIX}{field.upper()}"
    return name if field in _SECRETS else f"{name}={os.environ.get(name)!r}"


def prepared(data_dir: Path) -> Path:
    """Give the absolute path of the data directory, made where it is missing.

    Raises ``ImproperlyConfigured`` where something else is in its place, or nothing can be made there.
    """
    try:
        path = data_dir.expanduser().absolute()
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # The latter of a home directory that nobody has.
        raise ImproperlyConfigured(f"{PREFIX}DATA_DIR={str(data_dir)!r}: no directory can be there: {error}") from None
    return path


def private(path: Path) -> Path:
    """Give the path of a file that its owner alone may read, made empty where it is missing and can be made.

    The database holds sessions and hashes of passwords; SQLite would make it as readable as other files.
    """
    with suppress(OSError):  # Who may only read makes none.
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, 0o600))
    return path


def kept_secret(path: Path) -> str:
    """Give the secret in that file; the first call makes it, readable by its owner only.

    Raises ``ImproperlyConfigured`` where it can neither be read nor made.
    """
    try:
        secret = path.read_text(encoding="ascii").strip() if path.exists() else ""
        return secret or _make_secret(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ImproperlyConfigured(f"the secret can neither be read nor made in {path}: {reason}") from None


def _make_secret(path: Path) -> str:
    """Write a secret into the file, unless another process did so first; one that a crash left empty is filled."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # Until it is closed, and so written.
        secret = file.read().strip()
        if not secret:
            secret = secrets.token_urlsafe(50)
            file.write(secret)
    return secret
