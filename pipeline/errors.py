"""What can go wrong in a build, as one tree; every leaf's text is one line that a person can act on.

PipelineError
├── SourceError            the dump could not be had
│   ├── UntrustedSource    a host that is not on the list of trusted ones
│   ├── NotTheDump         the server sent something else (a bot-check page, a wrong length or md5)
│   ├── DownloadFailed     the server or the network failed, retries included
│   └── NoSpace            the disk cannot hold what is to come
├── DumpError              the file is there but is not a dblp dump that can be read
│   ├── BadArchive         not gzip, truncated, damaged, or a bomb
│   ├── BadDtd             no DTD, or one with entities that are not plain letters
│   └── MalformedDump      the XML breaks off or is not well-formed
├── LoadError              the records contradict each other, or SQLite failed
├── VerificationFailed     the new store is not fit to be published
├── WorkerDied             a process of the build ended without a word
├── BuildLocked            another build holds the lock
└── BuildStopped           somebody asked the build to stop

try:
build(options, report, should_stop)
except BuildStopped: …
except PipelineError as error: print(error)
"""

from __future__ import annotations


class PipelineError(Exception):
    """Base of all that a build raises on purpose; ``str`` of it is one line for people."""


class SourceError(PipelineError):
    """The dump, its checksum or its DTD could not be had."""


class UntrustedSource(SourceError):
    """An address points to a host that is not trusted; ``url`` is the address."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url


class NotTheDump(SourceError):
    """The server answered, but not with the file that was asked for."""


class DownloadFailed(SourceError):
    """The server or the network failed and went on failing."""


class NoSpace(SourceError):
    """The disk has not the room that the next step needs."""


class DumpError(PipelineError):
    """The file cannot be read as a dblp dump."""


class BadArchive(DumpError):
    """The archive is not gzip, is cut off or damaged, or unpacks out of all proportion."""


class BadDtd(DumpError):
    """The DTD is missing or declares entities that are not plain letters."""


class MalformedDump(DumpError):
    """The XML is not well-formed or breaks off; says the line and, where known, the record's key."""


class LoadError(PipelineError):
    """The records contradict each other, or SQLite could not write them."""


class VerificationFailed(PipelineError):
    """The new store is not fit to be published; the old one stays."""


class WorkerDied(PipelineError):
    """A process of the build ended without saying why (killed, or out of memory)."""


class BuildLocked(PipelineError):
    """Another build of the same data directory is running; ``holder`` says which."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"another build holds the lock: {holder}")
        self.holder = holder


class BuildStopped(PipelineError):
    """The build was asked to stop and did."""
