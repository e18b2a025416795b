"""The secondary indexes, built by sorting the full tables."""

from __future__ import annotations

from django.db import migrations, models


def _unique(model: str, table: str, fields: tuple[str, ...], columns: str, name: str) -> migrations.RunSQL:
    """Make a unique index in place: Django's AddConstraint would copy the whole table on SQLite."""
    return migrations.RunSQL(
        sql=f"CREATE UNIQUE INDEX {name} ON {table} ({columns})",
        reverse_sql=f"DROP INDEX {name}",
        state_operations=[migrations.AddConstraint(model, models.UniqueConstraint(fields=fields, name=name))],
    )


class Migration(migrations.Migration):
    """Create the indexes; which query needs which is said beside the models."""

    dependencies = [("bibliography", "0001_tables")]

    operations = [
        _unique("publication", "publications", ("key",), "key", "publications_key"),
        _unique("author", "authors", ("name",), "name", "authors_name"),
        migrations.AddIndex(
            "author", models.Index(fields=["pid"], name="authors_pid", condition=models.Q(pid__isnull=False))
        ),
        migrations.AddIndex(
            "author", models.Index(fields=["orcid"], name="authors_orcid", condition=models.Q(orcid__isnull=False))
        ),
        migrations.AddIndex("author", models.Index(fields=["folded"], name="authors_folded")),
        migrations.AddIndex("authoralias", models.Index(fields=["author"], name="author_aliases_author")),
        migrations.AddIndex("authoralias", models.Index(fields=["folded"], name="author_aliases_folded")),
        _unique(
            "authorship",
            "pub_authors",
            ("author", "role", "publication"),
            "author_id, role, pub_id",
            "pub_authors_author",
        ),
    ]
