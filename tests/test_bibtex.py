"""Records of dblp as entries of BibTeX."""

import pytest

from bibliography.bibtex import entry
from tests.conftest import publication


def test_an_article_with_all_that_records_have():
    record = publication(
        "journals/x/Doe24",
        "Jane Doe 0002",
        "Jürgen Müßig",
        title="On <i>k</i>-Means &amp; H<sub>2</sub>O in 100% of x<sup>2</sup>.",
        extra="<pages>1-9, 12:3-12:5</pages><volume>7</volume><journal>J. X</journal>"
        "<ee>https://doi.org/10.1000/a_b</ee><ee>https://example.org/a</ee>",
    )
    assert entry(record) == (
        "@article{DBLP:journals/x/Doe24,\n"
        "  author    = {Jane Doe and Jürgen Müßig},\n"
        "  title     = {On \\emph{k}-Means \\& H$_{2}$O in 100\\% of x$^{2}$},\n"
        "  journal   = {J. X},\n"
        "  volume    = {7},\n"
        "  pages     = {1--9, 12:3--12:5},\n"
        "  year      = {2020},\n"
        "  doi       = {10.1000/a_b},\n"
        "  url       = {https://doi.org/10.1000/a_b}\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("kind", "begins"),
    [("inproceedings", "@inproceedings{"), ("phdthesis", "@phdthesis{"), ("data", "@misc{"), ("www", "@misc{")],
)
def test_types_that_bibtex_does_not_know_are_misc(kind, begins):
    assert entry(publication("x/y", "Jane Doe", kind=kind)).startswith(begins)


def test_what_latex_would_take_for_its_own_is_written_out():
    written = entry(publication("x/y", "A_B {C}", title=r"\x~^#$ {z}", year=None))
    assert r"author    = {A\_B \textbraceleft{}C\textbraceright{}}" in written
    assert r"\textbackslash{}x\textasciitilde{}\textasciicircum{}\#\$ \textbraceleft{}z\textbraceright{}}" in written
    assert "year" not in written


def test_a_blank_at_the_end_of_markup_is_kept():
    assert r"title     = {On \emph{Foo }bar}" in entry(publication("x/y", "A", title="On <i>Foo </i>bar."))
