"""The full-text tables, empty: the loader fills them from indexes that were built beside the load.

``content`` stands in double quotes where Datasette and sqlite-utils shall find the table and offer a search
box, and in single quotes where they shall not: authors have two, and the one for words is the one to offer.
"""

from __future__ import annotations

from django.db import migrations

# Words without regard to accents; letters that Unicode does not decompose are in authors.other_names.
_WORDS = "tokenize='unicode61 remove_diacritics 2'"


def _table(name: str, declaration: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        sql=f"CREATE VIRTUAL TABLE {name} USING fts5({declaration})", reverse_sql=f"DROP TABLE {name}"
    )


class Migration(migrations.Migration):
    """Create the FTS5 tables."""

    dependencies = [("bibliography", "0002_indexes")]

    operations = [
        _table("title_fts", f'title, content="publications", content_rowid="id", {_WORDS}'),
        # The beginnings of words have an index of their own: one letter begins the words of half a million people.
        _table("author_fts", f'name, other_names, content="authors", content_rowid="id", prefix=\'1 2 3\', {_WORDS}'),
        # For text inside a name. Positions are not needed to find it, and are most of such an index.
        _table(
            "author_trigram",
            "name, other_names, content='authors', content_rowid='id', tokenize='trigram', detail=none, columnsize=0",
        ),
    ]
