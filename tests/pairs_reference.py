"""Who has written with whom, answered a second time, in plain loops over a dump as ``reference`` reads it.

Nothing is shared with the program but the contract.
"""

import re
import unicodedata
from collections import defaultdict

SPELT = {"ß": "ss", "ø": "o", "ł": "l", "ı": "i", "đ": "d", "ð": "d", "æ": "ae", "þ": "th", "œ": "oe"}


def fold(text):
    letters = []
    for letter in unicodedata.normalize("NFKD", text):
        if letter.isalnum() and not "\u02b0" <= letter <= "\u02ff":
            for part in letter.casefold():
                letters.append(SPELT.get(part, part))
    return "".join(letters)


def split(name):
    found = re.fullmatch(r"(.+) ([0-9]{4})", name)
    return found.groups() if found else (name, None)


class Answers:
    """Answers questions about a dump that ``reference.read`` has read."""

    def __init__(self, dump):
        self.publications = dump["publications"]
        self.people = {name: about[4] for name, about in dump["people"].items()}
        self.kinds = {name: about[3] for name, about in dump["people"].items()}
        self.names = [(name, name) for name in dump["people"]] + list(dump["aliases"].items())
        self.resolved = {}
        self.by_fold = defaultdict(list)
        for name, who in self.names:
            self.by_fold[fold(split(name)[0])].append((name, who))
        self.signers = {role: defaultdict(set) for role in ("author", "editor")}
        for key, who, role, _ in dump["authorships"]:
            self.signers[role][key].add(who)
        self.works = {role: defaultdict(set) for role in ("author", "editor")}
        for key, who, role, _ in dump["authorships"]:
            self.works[role][who].add(key)

    def resolve(self, entry):
        """Give method and people of an entry."""
        if entry not in self.resolved:
            self.resolved[entry] = self._resolve(entry)
        return self.resolved[entry]

    def _resolve(self, entry):
        base, number = split(entry)
        near = self.by_fold[fold(base)]
        exact = [(name, who) for name, who in near if name == entry or (not number and split(name)[0] == entry)]
        if exact:
            return ("alias" if all(name != who for name, who in exact) else "exact"), {who for _, who in exact}
        if base.count(",") == 1:
            last, first = base.split(",")
            near = near + self.by_fold[fold(first + last)]
        people = {who for name, who in near if fold(base) and number in (None, split(name)[1])}
        return ("folded" if people else None), people

    def status(self, people):
        if not people:
            return "none"
        if any(self.kinds[who] == "disambiguation" for who in people):
            return "disambiguation"
        return "one" if len(people) == 1 else "several"

    def together(self, left, right, editors):
        """Give the keys of what a person of one group and another person of the other have signed."""
        found = set()
        roles = ("author", "editor") if editors else ("author",)
        for who in left:
            others = right - {who}
            for role in roles:
                for key in self.works[role].get(who, ()):
                    for other_role in roles:
                        if not others.isdisjoint(self.signers[other_role].get(key, ())):
                            found.add(key)
        return found

    def pair(self, left, right, *, first=None, last=None, editors=False, limit=None):
        """Give what the answer should say of a pair of entries, without their names."""
        one, other = self.resolve(left)[1], self.resolve(right)[1]
        listed = []
        for key in self.together(one, other, editors):
            pub_type, title, year, venue, _, link, _ = self.publications[key]
            if first is not None and (year is None or year < first):
                continue
            if last is not None and (year is None or year > last):
                continue
            listed.append((-year if year else 1, title, key, year, venue, pub_type, link))
        certain = self.status(one) == self.status(other) == "one"
        words = ("coauthors", "possible") if listed else ("none", "unknown")
        return {
            "count": len(listed),
            "verdict": words[0] if certain else words[1],
            "same_person": bool(one & other),
            "items": [
                {
                    "title": title,
                    "year": year,
                    "venue": venue,
                    "pub_type": pub_type,
                    "key": key,
                    "url": link or f"https://dblp.org/rec/{key}",
                }
                for _, title, key, year, venue, pub_type, link in sorted(listed, key=lambda row: row[:3])[:limit]
            ],
        }
