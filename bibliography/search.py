"""Full-text search of titles and people."""

from __future__ import annotations

from django.db import connections

from pubmeta.routers import STORE


def match_expression(text: str) -> str:
    """Turn what somebody typed into an FTS5 expression: all words, the last one possibly unfinished.

    Each word is quoted, so no input is an operator or a syntax error; empty where there is no word.
    """
    words = text.replace("\0", " ").split()
    quoted = ['"{}"'.format(word.replace('"', '""')) for word in words]
    return " ".join(quoted) + "*" if quoted else ""


def matching_ids(table: str, text: str, limit: int) -> list[int]:
    """Give the ids of the first ``limit`` rows whose full-text index (``title_fts``, ``author_fts``) has the words."""
    expression = match_expression(text)
    if not expression:
        return []
    with connections[STORE].cursor() as cursor:
        cursor.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH %s ORDER BY rowid LIMIT %s", [expression, limit])
        return [row[0] for row in cursor.fetchall()]
