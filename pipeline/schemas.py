"""The shapes of what the control of builds takes and gives, as ``/api/docs`` shows them."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from django.conf import settings
from ninja import Schema
from pydantic import ConfigDict, Field, StringConstraints

_DEFAULTS = settings.ENVIRONMENT
BATCH_SIZE = 100, 1_000_000
PROGRESS_EVERY = 1_000, 1_000_000_000

Address = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class Wanted(Schema):
    """What a build is to do; what is left out has its default."""

    model_config = ConfigDict(extra="forbid")  # A misspelt name would start another build than was meant.

    xml_gz_url: Address = Field(default=_DEFAULTS.xml_gz_url, description="a dump, or latest")
    dtd_url: Address = Field(default=_DEFAULTS.dtd_url, description="its DTD, or latest: the one that the dump names")
    batch_size: int = Field(default=_DEFAULTS.batch_size, ge=BATCH_SIZE[0], le=BATCH_SIZE[1])
    progress_every: int = Field(default=_DEFAULTS.progress_every, ge=PROGRESS_EVERY[0], le=PROGRESS_EVERY[1])
    rebuild: bool = Field(default=False, description="remove the old store first: for a small disk")
    if_changed: bool = Field(default=False, description="do nothing if the store is of this dump")
    allow_shrink: bool = Field(default=False, description="publish a store that lost over a tenth")


class Range(Schema):
    """What a number may be, both ends included."""

    min: int
    max: int


class Config(Schema):
    """What a build does by itself, and what it may be told."""

    default_xml_gz_url: str
    default_dtd_url: str
    default_batch_size: int
    default_progress_every: int
    default_rebuild: bool
    default_if_changed: bool
    default_allow_shrink: bool
    data_dir: str = Field(description="its path for those who may control builds, else a dot")
    ranges: dict[str, Range]
    trusted_hosts: list[str]
    control_auth: str = Field(description="required, or open to anybody")
    may_control: bool = Field(description="whether who asks may start, stop and reset")


class State(Schema):
    """The newest build, whoever started it."""

    run: int | None = Field(description="its number; null where there is none to be seen")
    status: Literal["idle", "running", "stopping", "stopped", "completed", "error"]
    step: str = Field(description="idle, starting, a phase, or the final status")
    message: str
    started_at: datetime.datetime | None
    finished_at: datetime.datetime | None
    progress: dict[str, Any]
    options: dict[str, Any] = Field(description="what the build was told")
    logs: list[str] = Field(description="the last part of the log, or what followed the line logs_after")
    logs_after: int = Field(description="the number of the last line, to ask for what follows it")
    may_control: bool


class Run(Schema):
    """A build of the past, or the one that runs."""

    run: int
    status: Literal["running", "stopping", "stopped", "completed", "error"]
    step: str
    message: str
    started_at: datetime.datetime
    finished_at: datetime.datetime | None
    progress: dict[str, Any]
    options: dict[str, Any]


class Runs(Schema):
    """The builds of the past, newest first, whoever started them and whether or not they were reset."""

    items: list[Run]


class File(Schema):
    """A file below the data directory."""

    exists: bool
    size: int | None
    path: str


class FileList(Schema):
    """The files of the service."""

    xml_gz: File
    xml: File = Field(description="never there: a dump is unpacked as it is read")
    dtd: File
    db: File
    db_wal: File
    db_shm: File
    staging: File = Field(description="what a build has written so far, all of it together")


class Files(Schema):
    """Where things are."""

    data_dir: str
    files: FileList
