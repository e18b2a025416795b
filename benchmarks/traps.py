"""The odd records of dblp, each made up after a kind that broke some program; they open the bundled sample.

Names, titles and venues are invented. ``EXPECTED`` in the tests says what each must become.
"""

from __future__ import annotations

_TEAM = "".join(f"<author>Member{n:03d} Ofteam</author>\n" for n in range(1, 451))

TRAPS: tuple[str, ...] = (
    # Person pages: several names, ORCID, affiliations past and present, a redirect, a group, homonyms.
    """<www mdate="2024-03-01" key="homepages/01/1">
<author>Orla O'Nevin</author>
<author>O. O'Nevin</author>
<author>Orla Nevin-Stroud</author>
<title>Home Page</title>
<note label="PhD 2011" type="affiliation">Old Town University</note>
<note type="affiliation">University of Elsewhere, Department of Examples</note>
<url>https://example.org/~orla</url>
<url>https://orcid.org/0000-0001-2345-678X</url>
</www>""",
    '<www mdate="2019-05-05" key="homepages/o/OrlaNevin">\n<author>Orla F. Nevin</author>\n'
    "<title>Home Page</title>\n<crossref>homepages/01/1</crossref>\n</www>",
    '<www mdate="2024-01-02" key="homepages/02/2" publtype="disambiguation">\n<author>Mei Lan</author>\n'
    "<title>Home Page</title>\n</www>",
    '<www mdate="2024-01-02" key="homepages/02/2-1">\n<author>Mei Lan 0001</author>\n<title>Home Page</title>\n</www>',
    '<www mdate="2024-01-02" key="homepages/02/2-3">\n<author>Mei Lan 0003</author>\n<title>Home Page</title>\n'
    '<note type="affiliation">Institute of Gaps</note>\n</www>',
    '<www mdate="2022-10-10" key="homepages/03/3" publtype="group">\n<author>The Sample Collaboration</author>\n'
    "<title>Home Page</title>\n</www>",
    '<www mdate="2020-02-29" key="homepages/04/4">\n<author>S&oslash;ren Wei&szlig;&aelig;cker</author>\n'
    "<author>S. Wei&szlig;&aelig;cker</author>\n<title>Home Page</title>\n</www>",
    '<www mdate="2018-01-01" key="homepages/05/5">\n<author>Sarvindo</author>\n<title>Home Page</title>\n</www>',
    '<www mdate="2018-01-01" key="homepages/06/6">\n<author>Dana (Jing) Tarn</author>\n<title>Home Page</title>\n</www>',
    # Pages of the web that are neither people nor publications.
    '<www mdate="2003-01-01" key="persons/Nobody2003">\n<author>Orla O\'Nevin</author>\n<title>A Speech</title>\n</www>',
    '<www mdate="2003-01-01" key="www/org/example">\n<title>Example Project</title>\n<url>http://example.org/</url>\n</www>',
    # Titles with markup: at the beginning, nested, with a reference; numeric entities above 255; XML's own entities.
    '<article mdate="2020-01-01" key="journals/trap/Begins">\n<author>Orla O\'Nevin</author>\n<author>Mei Lan 0001</author>\n'
    "<title><i>k</i>-means, Begun with Markup.</title>\n<journal>J. Trap. Stud.</journal>\n<year>2019</year>\n"
    "<ee>...</ee>\n<ee>https://doi.org/10.1/first</ee>\n<ee>https://doi.org/10.1/second</ee>\n<cite>...</cite>\n</article>",
    '<article mdate="2020-01-01" key="journals/trap/Nested">\n<author>O. O\'Nevin</author>\n<author>Sarvindo</author>\n'
    '<title>On H<sub>2<sup>+</sup></sub>O &amp; &#956;-Calculus &lt; <tt>C++</tt>: a <ref href="db/x">Reply</ref>.</title>\n'
    "<year>2021</year>\n<journal>J. Trap. Stud.</journal>\n<note>several</note>\n<note>notes</note>\n</article>",
    # Signed with an alias and the primary name at once: one person, who is not their own coauthor.
    '<inproceedings mdate="2021-01-01" key="conf/trap/Self">\n<author>Orla Nevin-Stroud</author>\n<author>Orla O\'Nevin</author>\n'
    "<title>Signed Twice.</title>\n<year>2020</year>\n<booktitle>TRAP</booktitle>\n</inproceedings>",
    # Signed with a name of which only a redirect page tells whose it is.
    '<inproceedings mdate="2021-01-01" key="conf/trap/Redirect">\n<author>Orla F. Nevin</author>\n'
    "<author>S&oslash;ren Wei&szlig;&aelig;cker</author>\n<title>Under a Former Name.</title>\n<year>2012</year>\n"
    "<booktitle>TRAP</booktitle>\n</inproceedings>",
    # Homonyms: the bare name is a page of people not told apart, and a number without a page is a person.
    '<inproceedings mdate="2021-01-01" key="conf/trap/Bare">\n<author>Mei Lan</author>\n<author>Gus L. Stone Jr.</author>\n'
    "<title>By Somebody of That Name.</title>\n<year>2018</year>\n<booktitle>TRAP</booktitle>\n</inproceedings>",
    '<inproceedings mdate="2021-01-01" key="conf/trap/Unpaged">\n<author>Mei Lan 0007</author>\n<author>Mei Lan 0003</author>\n'
    "<title>Two Homonyms, One Without a Page.</title>\n<year>2022</year>\n<booktitle>TRAP</booktitle>\n</inproceedings>",
    # Editors alone; author and editor of one book; no author; no year; no title; a year to come.
    '<proceedings mdate="2021-01-01" key="conf/trap/2020">\n<editor>Orla O\'Nevin</editor>\n<editor>Dana (Jing) Tarn</editor>\n'
    "<title>Proceedings of TRAP.</title>\n<year>2020</year>\n<booktitle>TRAP</booktitle>\n<isbn>1</isbn>\n<isbn>2</isbn>\n</proceedings>",
    '<book mdate="2021-01-01" key="books/trap/Both">\n<editor>Sarvindo</editor>\n<author>Sarvindo</author>\n'
    "<title>Written and Edited.</title>\n<year>2001</year>\n<publisher>Press of Nowhere</publisher>\n</book>",
    '<article mdate="2021-01-01" key="journals/trap/Anonymous">\n<title>Editorial.</title>\n<year>1999</year>\n'
    "<journal>J. Trap. Stud.</journal>\n</article>",
    '<article mdate="2021-01-01" key="journals/trap/Undated" publtype="informal withdrawn">\n<author>Gus L. Stone Jr.</author>\n'
    "<title>No Year Is Known.</title>\n<journal>CoRR</journal>\n</article>",
    '<article mdate="2021-01-01" key="journals/trap/Untitled">\n<author>Gus L. Stone Jr.</author>\n<year>1987</year>\n</article>',
    '<phdthesis mdate="2025-12-01" key="phd/trap/Next">\n<author>Dana (Jing) Tarn</author>\n<title>Next Year\'s Thesis.</title>\n'
    "<year>2027</year>\n<school>University of Elsewhere</school>\n</phdthesis>",
    '<mastersthesis mdate="2006-04-01" key="ms/Trap2006">\n<author>Sarvindo</author>\n<title>A Master\'s Thesis.</title>\n'
    "<year>2006</year>\n<school>University of Elsewhere</school>\n</mastersthesis>",
    '<data mdate="2024-01-01" key="data/trap/Set" publtype="data">\n<author>The Sample Collaboration</author>\n'
    "<title>A Data Set.</title>\n<year>2023</year>\n<publisher>Archive</publisher>\n</data>",
    # A large team, an unknown field, white space that is to be folded, an unknown type of record.
    f'<article mdate="2021-01-01" key="journals/trap/Team">\n{_TEAM}<title>Measured by Many.</title>\n'
    "<journal>J. Trap. Stud.</journal>\n<year>2016</year>\n</article>",
    '<article mdate="2021-01-01" key="journals/trap/Unknown">\n<author>Mei\n  Lan 0001</author>\n<author>Sarvindo</author>\n'
    '<title>Folded\n    Over Lines.</title>\n<shelfmark level="3">QA <i>76</i></shelfmark>\n<stream>streams/journals/trap</stream>\n'
    '<rel uri="https://example.org" label="x" sort="1">rel</rel>\n<year>2010</year>\n<journal>J. Trap. Stud.</journal>\n</article>',
    '<stream mdate="2024-01-01" key="streams/journals/trap">\n<title>Journal of Trap Studies</title>\n</stream>',
    '<stream mdate="2024-01-01" key="streams/conf/trap">\n<title>TRAP</title>\n</stream>',
)
