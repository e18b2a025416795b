"""Made-up words and names for generated dumps, as Zipf-like as those of dblp.

Nobody real is named: names are put together from invented syllables, and a name is a function of a
person's number alone, so that a dump of any size needs no table of names.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt

# Common words of titles in computer science, most frequent first; the long tail is coined below.
_TITLE_WORDS = """
for of a and the in on with using based to an learning network data analysis system model networks
systems from detection approach method models algorithm control via deep optimization adaptive
wireless design information by multi time neural distributed performance image estimation dynamic
online graph recognition efficient energy evaluation classification framework robust under sensor
application study prediction computing process software linear hybrid sparse semantic mobile search
web theory parallel fuzzy towards feature structure large clustering scale service simulation random
problem management local machine robot language power video human self security modeling through
stochastic planning resource automatic selection new scheduling allocation intelligent generation
tracking knowledge social between space user optimal environment signal communication testing
reinforcement quality architecture speech cloud level low high channel domain visual integrated
computation bounds complexity programming query logic verification compression routing privacy
matching coding interactive mining inference segmentation retrieval transfer
""".split()

_ONSETS = "b c d f g h j k l m n p r s t v w y z br ch gr kr sh st tr".split()
_NUCLEI = "a e i o u a e i o ia ai ou".split()
_CODAS = [*[""] * 14, *"n n r l s m t nd rk ng".split()]
# About one name in eight holds a letter of Latin-1; ß, ø and æ are those that Unicode does not decompose.
_ACCENTED_NUCLEI = "ä ö ü é è ê á í ó ú ã ñu ç ø å æ ß ï".split()


def _word(random: Random, syllables: int, accented: bool = False) -> str:
    """Coin a word of so many syllables; ``accented`` gives one of them a letter of Latin-1."""
    parts = [random.choice(_ONSETS) + random.choice(_NUCLEI) + random.choice(_CODAS) for _ in range(syllables)]
    if accented:
        parts.insert(1, random.choice(_ACCENTED_NUCLEI) + random.choice("nlrst"))
    return "".join(parts)


def _distinct_words(random: Random, count: int, accented_share: float = 0.0) -> list[str]:
    """Coin ``count`` different words, the frequent (first) ones shorter."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = 2 if len(words) < count // 20 else random.choice((2, 3, 3, 4))
        words[_word(random, syllables, random.random() < accented_share)] = None
    return list(words)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All that titles and names of a generated dump are drawn from.

    ``words`` are title words by falling frequency; ``word_cdf`` is their cumulative frequency (0 to 1).
    ``given`` and ``family`` are parts of names by falling frequency; ``family_start[r]`` is how many names have
    a family name of rank below ``r``, so that a number stands for one pair of both.
    """

    words: list[str]
    word_cdf: npt.NDArray[np.float64]
    given: list[str]
    family: list[str]
    family_start: list[int]

    @classmethod
    def coin(cls, seed: int, names: int, words: int) -> Vocabulary:
        """Coin a vocabulary for ``names`` different names and ``words`` different title words."""
        random = Random(seed)
        coined = [*_TITLE_WORDS, *_distinct_words(random, words)]
        rank = np.arange(1, len(coined) + 1, dtype=np.float64)
        frequency = (rank + 12) ** -1.2  # Zipf's law with Mandelbrot's shift: no word fills every title.
        family_count = max(200, int(names**0.5) * 4)
        given_count = max(200, int(names**0.5) * 2)
        plain_given = _distinct_words(random, given_count, accented_share=0.06)
        given = [name.capitalize() for name in plain_given]
        given += [f"{name} {initial}." for initial in "ABCDEFGHJKLMNPRSTVWY" for name in given]
        # The r-th family name is borne by a share of people that falls as 1/r^0.8, as few as one.
        sizes = np.arange(1, family_count + 1, dtype=np.float64) ** -0.8
        sizes = np.ceil(sizes * (1.3 * names / sizes.sum())).clip(max=len(given)).astype(np.int64)
        return cls(
            words=coined,
            word_cdf=np.cumsum(frequency) / frequency.sum(),
            given=given,
            family=[name.capitalize() for name in _distinct_words(random, family_count, accented_share=0.07)],
            family_start=[0, *np.cumsum(sizes).tolist()],
        )

    def name(self, number: int) -> str:
        """Give the name of that number, different for every number below the ``names`` it was coined for."""
        capacity = self.family_start[-1]
        # Multiplying by a prime that does not divide the capacity is a bijection: it scatters the ranks.
        scattered = number * 2_654_435_761 % capacity
        rank = bisect_right(self.family_start, scattered) - 1
        return f"{self.given[scattered - self.family_start[rank]]} {self.family[rank]}"
