"""One dump to one complete store file, not yet verified: the work of several processes, put together here.

Parsing is most of it, so the other processes work beside it::

    parser 1..n ──batches──▶ this process ──titles──▶ title index            (build_db)
                             keys' index              link index, people     (index_db)

Each index process has a file of its own; what it made is copied into the store at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from bibliography import store
from pipeline.archive import CHUNK_BYTES, open_dump, read_head
from pipeline.dtd import read_entities
from pipeline.fulltext import NAMES, TITLES, adopt_index, index_people, index_titles
from pipeline.links import adopt_links, index_links, write_links
from pipeline.load import PublicationWriter, adopt_people, apply_migration, insert_people, writing
from pipeline.parsing import batches, parse
from pipeline.people import People, Signatures
from pipeline.processes import Child, children, pipe
from pipeline.progress import Check, Pace, Report
from pipeline.records import Batch


@dataclass(frozen=True)
class Contents:
    """What was put into a store."""

    publications: int
    authors: int
    aliases: int
    authorships: int
    person_pages: int
    by_type: dict[str, int]
    passed_over: dict[str, int]


@dataclass(frozen=True)
class Effort:
    """How a store is put together: parsing processes, rows written at once, records between two reports."""

    workers: int
    batch_size: int
    progress_every: int


@dataclass
class _Loaded:
    """What has been taken from the dump so far."""

    signatures: Signatures = field(default_factory=Signatures)
    by_type: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    publications: int = 0


def assemble(dump: Path, dtd: Path, target: Path, effort: Effort, report: Report, check: Check) -> Contents:
    """Make the store ``target`` of a dump; files beside it are used on the way.

    Raises what parsing (``DumpError``) and writing (``LoadError``) raise; ``target`` is rubbish then.
    """
    report.phase("decompress_xml")
    with open_dump(dump) as stream:
        read_head(stream.read(CHUNK_BYTES), dump.name)
        report.progress(written_bytes=CHUNK_BYTES, total_bytes=dump.stat().st_size)
    read_entities(dtd)  # Fails here, before any process is started, where the DTD will not do.
    titles, names, links = (target.with_name(f"{part}.sqlite") for part in ("titles", "names", "links"))
    migrations = store.later_migrations()
    for path in (target, titles, names, links):
        store.create_tables(path)
    for path in (titles, names):
        with writing(path) as connection:
            connection.execute(migrations["0003_fulltext"])
    with children() as start:
        report.phase("build_db")
        title_rows, title_sender = pipe()
        title_index: Child = start("title index", index_titles, titles, title_rows)
        parsers = [start(f"parser {i + 1}", parse, dump, dtd, i, effort.workers) for i in range(effort.workers)]
        with writing(target, check) as connection:
            send = title_index.sender(title_sender, check)
            loaded = _load(connection, batches(parsers, check), send, dump.stat().st_size, effort, report)
        report.phase("index_db")
        people = People(loaded.signatures, check)
        for note in people.notes:
            report.log(note)
        packed = target.with_name("links")
        authorships, tally = write_links(people, packed, check)
        ranks, indexes = tally.ranks(), migrations["0002_indexes"]
        link_index: Child = start("link index", index_links, links, packed, ranks.tobytes(), indexes)
        insert_people(names, people, tally, ranks, effort.batch_size, check)
        people_index: Child = start("people index", index_people, names, indexes)
        with writing(target, check) as connection:
            contents = _contents(loaded, people, authorships)
            del people, loaded, tally, ranks  # Gigabytes at full size, and sorting the indexes wants memory too.
            for name, sql in migrations.items():
                apply_migration(connection, name, sql)
            title_index.finish(check)
            adopt_index(connection, titles, TITLES)
            link_index.finish(check)
            adopt_links(connection, links)
            people_index.finish(check)
            adopt_people(connection, names)
            adopt_index(connection, names, NAMES)
            _analyse(connection)
    for path in (titles, names, links, packed):
        path.unlink()
    return contents


def _load(
    connection: apsw.Connection,
    parsed: Iterator[Batch],
    titles: Callable[[bytes], None],
    size: int,
    effort: Effort,
    report: Report,
) -> _Loaded:
    """Take in all batches; ``size`` is the length of the dump's file in bytes."""
    loaded = _Loaded()
    writer = PublicationWriter(connection, titles, effort.batch_size)
    pace, records, written, told = Pace(size), 0, 0, 0
    for batch in parsed:
        loaded.signatures.add(batch)
        loaded.passed_over.update(batch.passed_over)
        writer.add(batch)
        records += len(batch.publications) + len(batch.page_names) + len(batch.redirects)
        written += batch.xml_bytes
        if records - told >= effort.progress_every:
            told = records
            rate = {"records_per_sec": round(records / pace.elapsed())}
            report.progress(processed_records=records, written_bytes=written, **rate, **pace.at(batch.offset))
    writer.flush()
    titles(b"")
    report.progress(processed_records=records, written_bytes=written, percent=100.0)
    if loaded.passed_over:
        counted = ", ".join(f"{count:,} {name}" for name, count in loaded.passed_over.most_common())
        report.log(f"records of unknown types were passed over: {counted}")
    loaded.publications, loaded.by_type = writer.written, writer.by_type
    return loaded


def _contents(loaded: _Loaded, people: People, links: int) -> Contents:
    return Contents(
        publications=loaded.publications,
        authors=people.count,
        aliases=len(people.aliases),
        authorships=links,
        person_pages=len(loaded.signatures.page_names) + len(loaded.signatures.redirects),
        by_type=dict(loaded.by_type.most_common()),
        passed_over=dict(loaded.passed_over),
    )


def _analyse(connection: apsw.Connection) -> None:
    """Let SQLite look at a sample of every index, so that it plans queries by what is there."""
    connection.execute("PRAGMA analysis_limit=1000")  # Rows of an index: all of them would take a minute.
    connection.execute("ANALYZE")
