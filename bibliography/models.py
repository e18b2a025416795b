"""The tables of the store: what was built from dblp, never changed once it is published.

Field names are those of dblp. Constraints and indexes are created by the migrations *after* the rows are
loaded, because an index that is built by sorting takes a fraction of the time of one that grows row by row.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Publication(models.Model):
    """One publication: any record of dblp but ``www``."""

    id = models.IntegerField(primary_key=True)
    key = models.TextField(help_text="dblp's stable identifier: https://dblp.org/rec/<key>")
    pub_type = models.TextField(help_text="the record's element name, such as article")
    title = models.TextField(help_text="all text of the title, markup left out; empty where there is none")
    year = models.IntegerField(null=True)
    venue = models.TextField(null=True, help_text="journal, else booktitle, else school")
    publtype = models.TextField(null=True, help_text="words such as informal or withdrawn")
    ee = models.TextField(null=True, help_text="first link to the document")
    mdate = models.TextField(null=True, help_text="when dblp last changed the record, YYYY-MM-DD")
    # Last, and so behind all other columns in a row: a scan of those does not have to pass over it.
    raw_xml = models.TextField(help_text="the record, well-formed by itself")

    class Meta:
        """Table, and the constraint that finds a publication by its key."""

        db_table = "publications"
        constraints: ClassVar = [models.UniqueConstraint(fields=["key"], name="publications_key")]

    def __str__(self) -> str:
        return self.title or self.key


class AuthorKind(models.TextChoices):
    """What a name of dblp stands for."""

    PERSON = "person", "person"
    GROUP = "group", "group"
    DISAMBIGUATION = "disambiguation", "people not yet told apart"


class Author(models.Model):
    """One person (or group, or page of people not told apart) by primary name, homonym number included.

    Ids are ranks: the person with the most publications is 1. So whatever goes through people by id, an index for
    full text above all, meets the best known first and may stop when it has enough.
    """

    id = models.IntegerField(primary_key=True)
    name = models.TextField(help_text="primary name with its homonym number")
    pid = models.TextField(null=True, help_text="https://dblp.org/pid/<pid>; null without a person page")
    orcid = models.TextField(null=True)
    affiliation = models.TextField(null=True)
    kind = models.TextField(choices=AuthorKind.choices, default=AuthorKind.PERSON)
    publications = models.IntegerField(help_text="how many publications, as author or editor")
    first_year = models.IntegerField(null=True, help_text="of the publications")
    last_year = models.IntegerField(null=True, help_text="of the publications")
    other_names = models.TextField(null=True, help_text="aliases and spellings in ASCII, a line each, for full text")
    folded = models.TextField(help_text="letters and digits of the name without its number, blind to case and accents")

    class Meta:
        """Table, and one index a way in."""

        db_table = "authors"
        # Exact names, and by range the homonyms of a base name ("Wei Wang" up to "Wei Wang 9999").
        constraints: ClassVar = [models.UniqueConstraint(fields=["name"], name="authors_name")]
        indexes: ClassVar = [
            # A person picked once is asked for again by pid or ORCID.
            models.Index(fields=["pid"], name="authors_pid", condition=models.Q(pid__isnull=False)),
            models.Index(fields=["orcid"], name="authors_orcid", condition=models.Q(orcid__isnull=False)),
            # The blind comparison of names.
            models.Index(fields=["folded"], name="authors_folded"),
        ]

    def __str__(self) -> str:
        return self.name


class AuthorAlias(models.Model):
    """Another name of a person; papers signed with it belong to the person."""

    name = models.TextField(primary_key=True)
    author = models.ForeignKey(Author, models.DO_NOTHING, related_name="aliases", db_index=False)
    folded = models.TextField(help_text="as that of an author's name")

    class Meta:
        """Table, and indexes: a person's aliases, and the blind comparison of names."""

        db_table = "author_aliases"
        indexes: ClassVar = [
            models.Index(fields=["author"], name="author_aliases_author"),
            models.Index(fields=["folded"], name="author_aliases_folded"),
        ]

    def __str__(self) -> str:
        return self.name


class FormerPid(models.Model):
    """A pid that dblp gave up for another one: its page leads to the person's."""

    pid = models.TextField(primary_key=True)
    author = models.ForeignKey(Author, models.DO_NOTHING, related_name="former_pids", db_index=False)

    class Meta:
        """Table; it is asked by pid alone."""

        db_table = "former_pids"

    def __str__(self) -> str:
        return self.pid


class Role(models.TextChoices):
    """In which role a person signed."""

    AUTHOR = "author", "author"
    EDITOR = "editor", "editor"


class Authorship(models.Model):
    """One person's part in one publication: one row a person, publication and role.

    The table has no row ids: it lies sorted by its key, so the people of a publication are one page, and the
    index of a person's publications holds all columns.
    """

    pk = models.CompositePrimaryKey("publication_id", "role", "position")
    publication = models.ForeignKey(
        Publication, models.DO_NOTHING, db_column="pub_id", related_name="authorships", db_index=False
    )
    author = models.ForeignKey(Author, models.DO_NOTHING, related_name="authorships", db_index=False)
    position = models.IntegerField(help_text="from 1, in the order of the record, roles apart")
    role = models.TextField(choices=Role.choices)

    class Meta:
        """Table, and the index of a person's publications, which is the one that pairs are answered from."""

        db_table = "pub_authors"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["author", "role", "publication"], name="pub_authors_author")
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.position} of publication {self.publication_id}"


class StoreInfo(models.Model):
    """What the store was built from, when, and how much is in it: a single row, written last."""

    id = models.IntegerField(primary_key=True, default=1)
    release = models.TextField(null=True, help_text="date of the monthly release, YYYY-MM-DD; null for other files")
    source_url = models.TextField()
    md5 = models.TextField()
    sha256 = models.TextField()
    etag = models.TextField(null=True, help_text="the server's tag of the file, a hint for --if-changed")
    data_date = models.TextField(help_text="of which day the data is, YYYY-MM-DD")
    built_at = models.DateTimeField()
    program_version = models.TextField()
    publications = models.IntegerField()
    authors = models.IntegerField()
    aliases = models.IntegerField()
    authorships = models.IntegerField()
    person_pages = models.IntegerField()
    by_type = models.JSONField(help_text="publications of each type")
    passed_over = models.JSONField(help_text="records of unknown types, counted")
    completed = models.BooleanField(default=False, help_text="set by the last step before publication")

    class Meta:
        """Table."""

        db_table = "store_info"

    def __str__(self) -> str:
        return f"dblp of {self.data_date}"
