"""People found by full text and by text inside names are those that a plain pass over all names finds."""

import random
import re
import unicodedata

import pytest

from tests import reference
from tests.conftest import REAL
from tests.made_up import ask
from tests.pairs_reference import SPELT, Answers

MOST = 800  # The setting PUBMETA_MAX_AUTHOR_RESOLVE as it is by default.


def latin(text):
    """Give the text in small letters without accents, all else as it is."""
    plain = [letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter)]
    return "".join(SPELT.get(letter, letter) for letter in "".join(plain).casefold())


def words(text):
    return re.findall(r"[^\W_]+", latin(text))


class Names:
    """All names, and plain passes over them."""

    def __init__(self, answers):
        self.all = [(latin(name), words(name), who) for name, who in answers.names]

    def with_words(self, entry):
        """Give who has all the words; a letter by itself begins one, unless an apostrophe follows."""
        wanted = [(word, len(word) == 1 and not mark) for word, mark in re.findall(r"([^\W_]+)(['’]?)", latin(entry))]
        return {
            who
            for _, having, who in self.all
            if wanted
            and all(any(one.startswith(word) if short else one == word for one in having) for word, short in wanted)
        }

    def with_text(self, entry):
        needle = latin(entry)
        if len(needle) < 3:
            return {
                who
                for _, having, who in self.all
                if words(entry) and all(any(one.startswith(word) for one in having) for word in words(entry))
            }
        return {who for name, _, who in self.all if needle in name}


def an_entry(name, draw):
    """Write part of a name, or something like it."""
    parts = name.split()
    at = draw.randrange(len(name))
    return draw.choice(
        [
            parts[-1],
            f"{parts[0][0]}. {parts[-1]}",
            f"{parts[-1]} {parts[0][:1]}",
            " ".join(reversed(parts)).upper(),
            name[at : at + draw.randint(1, 6)],
            latin(name)[at : at + 5],
            name[: at + 1],
            name.replace(" ", "-") + draw.choice(["", "x", "."]),
            draw.choice(parts)[:2],
        ]
    ).strip()


@pytest.mark.skipif(not REAL.exists(), reason="the real records of dblp are not beside the project")
def test_parts_of_names_of_the_real_dblp(serve, client):
    serve(REAL)
    answers, draw = Answers(reference.read(REAL)), random.Random(20261121)
    names, everything = Names(answers), [name for name, _ in answers.names]
    # Half of the names have letters that are not plain.
    special = [name for name in everything if not name.isascii()]
    entries = [an_entry(draw.choice(draw.choice([everything, special])), draw) for _ in range(150)]
    entries = list(dict.fromkeys(" ".join(entry.split()) for entry in entries if entry))
    methods = set()
    for found in ask(client, entries, ["Nobody"], exact_base_match=False)["resolution"]["left"]:
        method, people = answers.resolve(found["entry"])
        if not people:
            method, people = "fulltext", names.with_words(found["entry"])
        if not people:
            method, people = "substring", names.with_text(found["entry"])
        methods.add(method if people else None)
        told = (found["method"], found["total"], found["truncated"])
        assert told == (method if people else None, min(len(people), MOST), len(people) > MOST), found["entry"]
        assert {person["name"] for person in found["authors"]} <= people
        known = [person["publications"] for person in found["authors"]]
        if method in ("fulltext", "substring"):
            assert known == sorted(known, reverse=True)
            assert known == sorted(map(answers.people.get, people), reverse=True)[:20]
    assert methods >= {"exact", "folded", "fulltext", "substring"}
