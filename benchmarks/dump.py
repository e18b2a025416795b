"""Generate a dblp dump of any size with dblp's real proportions; everything in it is made up.

    python -m benchmarks.dump --publications 300000 --seed 1 dump.xml.gz

The same arguments give the same bytes. Proportions are those of dblp in 2026: 0.483 person pages a publication,
3.44 authors a paper, 6.7 papers a person with a long tail, 3.5 % numbered homonyms, a disambiguation page on
17 % of the papers, half of the publications articles. The DTD of the dump is written beside it.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from isal import igzip

from benchmarks.dtd import DTD_NAME, ENTITY_OF, dtd_text
from benchmarks.traps import TRAPS
from benchmarks.vocabulary import Vocabulary

PEOPLE_PER_PUBLICATION = 4_202_644 / 8_741_513
BLOCK = 10_000  # Publications drawn at once: enough for NumPy to pay off, small enough to stream.
_FAMILY = 112  # Of so many people, four are numbered homonyms and one is their disambiguation page.

# Cumulative shares of the record types among publications.
_TYPES = ("article", "inproceedings", "phdthesis", "incollection", "proceedings", "book", "data")
_TYPE_CDF = np.cumsum((4_458_737, 3_967_188, 157_236, 71_185, 65_477, 21_639, 51)) / 8_741_513
# Cumulative shares of 1, 2, … authors a paper: mean 3.44, median 3; the tail is drawn apart.
_TEAM_CDF = np.cumsum((0.127, 0.228, 0.240, 0.175, 0.100, 0.055, 0.030, 0.017, 0.009, 0.006, 0.013))


class People:
    """The people of a generated dump: person ``i`` of ``count`` has a name, aliases and a page by number alone."""

    def __init__(self, count: int, vocabulary: Vocabulary) -> None:
        self.count = count
        self.vocabulary = vocabulary
        self.name = functools.lru_cache(maxsize=200_000)(self._name)

    def _name(self, person: int) -> str:
        """Give the primary name in the dump's own spelling, with its homonym number."""
        place = person % _FAMILY
        if place < 4:
            return f"{self._plain(person - place)} {place + 1:04d}"
        if place == 4:
            return self._plain(person - place)
        return self._plain(person)

    def _plain(self, number: int) -> str:
        return self.vocabulary.name(number).translate(ENTITY_OF)

    def alias(self, person: int) -> str | None:
        """Give the other name of a person who has one: the given name shortened to its initial."""
        if person % 31 != 7 or person % _FAMILY <= 4:
            return None
        given, _, rest = self.vocabulary.name(person).partition(" ")
        return f"{given[0]}. Q{person} {rest}".translate(ENTITY_OF)

    def signature(self, person: int, draw: float) -> str:
        """Give the name that a paper is signed with: now and then the alias."""
        return (draw < 0.3 and self.alias(person)) or self.name(person)

    def page(self, person: int) -> str:
        """Give the person page as a record of the dump."""
        names = [self.name(person), self.alias(person)]
        authors = "".join(f"<author>{name}</author>\n" for name in names if name)
        publtype = ' publtype="disambiguation"' if person % _FAMILY == 4 else ""
        extra = ""
        if person % 25 == 3:
            town = self.vocabulary.family[person % 150].translate(ENTITY_OF)
            extra += f'<note type="affiliation">University of {town}</note>\n'
        if person % 10 == 3:
            orcid = f"{person:012d}"
            extra += f"<url>https://orcid.org/0000-{orcid[0:4]}-{orcid[4:8]}-{orcid[8:12]}</url>\n"
        mdate = f"20{10 + person % 16}-0{1 + person % 9}-1{person % 10}"
        return (
            f'<www mdate="{mdate}" key="homepages/{pid(person)}"{publtype}>\n'
            f"{authors}<title>Home Page</title>\n{extra}</www>"
        )


def pid(person: int) -> str:
    """Give the person's identifier, as dblp forms them."""
    return f"{person % 400:02d}/{person // 4}" + (f"-{person % _FAMILY + 1}" if person % _FAMILY < 4 else "")


def records(publications: int, seed: int) -> Iterator[str]:
    """Yield every record of the dump, person pages strewn among the publications, as strings of ASCII."""
    people_count = max(_FAMILY, int(publications * PEOPLE_PER_PUBLICATION))
    vocabulary = Vocabulary.coin(seed, names=people_count, words=min(150_000, 2_000 + publications // 10))
    people = People(people_count, vocabulary)
    random = np.random.Generator(np.random.PCG64(seed))
    paged = 0
    for start in range(0, publications, BLOCK):
        count = min(BLOCK, publications - start)
        yield from _block(people, random, start, count)
        until = (start + count) * people_count // publications
        yield from (people.page(person) for person in range(paged, until) if person % 997 != 9)
        paged = until


def _block(people: People, random: np.random.Generator, start: int, count: int) -> Iterator[str]:
    """Yield ``count`` publications numbered from ``start``."""
    types = np.searchsorted(_TYPE_CDF, random.random(count)).tolist()
    teams = _team_sizes(random, count)
    authors = _authors(people.count, random, teams)
    signing = random.random(len(authors)).tolist()
    orcids = (random.random(len(authors)) < 0.12).tolist()
    words_per_title = (4 + random.random(count) * 10).astype(np.int64)
    words = np.searchsorted(people.vocabulary.word_cdf, random.random(int(words_per_title.sum()))).tolist()
    years = (2026 - (random.random(count) ** 2 * 40)).astype(np.int64).tolist()
    venues = (random.random(count) ** 3 * 4_000).astype(np.int64).tolist()
    numbers = (random.random(count) * 9_000).astype(np.int64).tolist()
    vocabulary, person_at, word_at = people.vocabulary.words, 0, 0
    for i, (kind, team, title_length, year) in enumerate(
        zip(types, teams, words_per_title.tolist(), years, strict=True)
    ):
        names: dict[str, str] = {}
        for j in range(person_at, person_at + team):
            person = authors[j]
            orcid = f' orcid="0000-0000-{person // 10_000:04d}-{person % 10_000:04d}"' if orcids[j] else ""
            names[people.signature(person, signing[j])] = orcid
        title = " ".join([vocabulary[w] for w in words[word_at : word_at + title_length]]).capitalize()
        person_at += team
        word_at += title_length
        yield _publication(start + i, _TYPES[kind], names, title, year, venues[i], numbers[i])


def _team_sizes(random: np.random.Generator, count: int) -> list[int]:
    """Draw how many authors each paper has; one in 80 is the work of a large team, up to 450."""
    sizes = 1 + np.searchsorted(_TEAM_CDF[:-1], random.random(count))
    large = 11 + (random.random(count) ** 12 * 440).astype(np.int64)
    return np.where(sizes == len(_TEAM_CDF), large, sizes).tolist()  # type: ignore[no-any-return]


def _authors(people: int, random: np.random.Generator, teams: list[int]) -> list[int]:
    """Draw the people of all papers of a block: a lead by a power law, the others near to the lead.

    Nearness makes communities, so that pairs recur as they do in dblp (26.8 M different pairs among 60 M).
    """
    size = np.asarray(teams)
    # Weights fall as (rank + shift)^-0.75; the shift caps the most prolific person near dblp's 3,351 papers.
    shift = max(1.0, people / 25_000)
    low, high = shift**0.25, (people + shift) ** 0.25
    lead = (random.random(len(teams)) * (high - low) + low) ** 4 - shift
    total = int(size.sum())
    spread = random.exponential(2.0, total) * np.repeat(np.maximum(size, 4), size)
    person = np.repeat(lead, size) + np.where(random.random(total) < 0.5, -spread, spread)
    person = np.abs(person).astype(np.int64) % people
    # About one author in twenty is somebody whom dblp could not tell apart from others of the name.
    unknown = random.random(total) < 0.04
    page = np.minimum((random.random(total) * (people // _FAMILY)).astype(np.int64) * _FAMILY + 4, people - 1)
    return np.where(unknown, page, person).tolist()  # type: ignore[no-any-return]


def _publication(number: int, kind: str, names: dict[str, str], title: str, year: int, venue: int, pages: int) -> str:
    """Write one publication in dblp's own layout: a field a line, no line break after the record."""
    if number % 41 == 0:
        title = title.replace(" ", " <i>k</i>-", 1)
    if number % 97 == 0:
        title += " in H<sub>2</sub>O &amp; O(n<sup>2</sup>)"
    role = "editor" if kind == "proceedings" or (kind == "book" and number % 2) else "author"
    people = "".join([f"<{role}{orcid}>{name}</{role}>\n" for name, orcid in names.items()])
    mdate = f"20{18 + number % 8}-{1 + number % 12:02d}-{1 + number % 28:02d}"
    doi = f"<ee>https://doi.org/10.{1000 + venue}/{year}.{number}</ee>\n"
    if kind == "article":
        informal = ' publtype="informal"' if number % 7 == 0 else ""
        return (
            f'<article mdate="{mdate}" key="journals/j{venue}/R{number}"{informal}>\n{people}<title>{title}.</title>\n'
            f"<pages>{pages}-{pages + 14}</pages>\n<year>{year}</year>\n<volume>{year - 1980}</volume>\n"
            f"<journal>J. Invented Stud. {venue}</journal>\n<number>{1 + number % 12}</number>\n{doi}"
            f"<url>db/journals/j{venue}/j{venue}{year - 1980}.html#R{number}</url>\n</article>"
        )
    if kind in ("inproceedings", "incollection"):
        return (
            f'<{kind} mdate="{mdate}" key="conf/c{venue}/R{number}">\n{people}<title>{title}.</title>\n'
            f"<pages>{pages}-{pages + 9}</pages>\n<year>{year}</year>\n<booktitle>CONF{venue}</booktitle>\n{doi}"
            f"<crossref>conf/c{venue}/{year}</crossref>\n"
            f"<url>db/conf/c{venue}/c{venue}{year}.html#R{number}</url>\n</{kind}>"
        )
    if kind == "phdthesis":
        venue_field = f"<school>University of Somewhere {venue % 400}</school>\n"
    else:
        venue_field = f"<booktitle>CONF{venue}</booktitle>\n<publisher>Press {venue % 90}</publisher>\n"
    return (
        f'<{kind} mdate="{mdate}" key="{kind}/s{venue}/R{number}">\n{people}<title>{title}.</title>\n'
        f"<year>{year}</year>\n{venue_field}{doi}</{kind}>"
    )


def write_dump(target: BinaryIO, publications: int, seed: int, traps: bool = False) -> None:
    """Write a whole dump, as bytes of ASCII, to ``target``; ``traps`` puts the odd records of dblp first."""
    target.write(f'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "{DTD_NAME}">\n<dblp>\n'.encode())
    if traps:
        target.write("".join(TRAPS).encode("ascii"))
    pending: list[str] = []
    for record in records(publications, seed):
        pending.append(record)
        if len(pending) == 2_000:
            target.write("".join(pending).encode("ascii"))
            pending.clear()
    target.write("".join(pending).encode("ascii") + b"\n</dblp>\n")


def write_files(path: Path, publications: int, seed: int, traps: bool = False) -> None:
    """Write the dump (gzipped where the name ends in ``.gz``) and its DTD beside it."""
    path.with_name(DTD_NAME).write_text(dtd_text(), encoding="ascii")
    if path.suffix != ".gz":
        with path.open("wb") as plain:
            write_dump(plain, publications, seed, traps)
        return
    with path.open("wb") as raw, igzip.IGzipFile("", "wb", 2, raw, mtime=0) as packed:
        write_dump(packed, publications, seed, traps)


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description="Write a made-up dblp dump with dblp's real proportions.")
    parser.add_argument("path", type=Path, help="where to: dump.xml or dump.xml.gz")
    parser.add_argument("--publications", type=int, default=300_000, help="how many (default 300000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same bytes (default 1)")
    parser.add_argument("--traps", action="store_true", help="put the odd records of dblp first")
    given = parser.parse_args()
    write_files(given.path, given.publications, given.seed, given.traps)


if __name__ == "__main__":
    main()
