"""The tables alone: rows are loaded before there is any index to keep up."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Create the tables of the store."""

    initial = True

    operations = [
        migrations.CreateModel(
            name="Publication",
            fields=[
                ("id", models.IntegerField(primary_key=True, serialize=False)),
                ("key", models.TextField(help_text="dblp's stable identifier: https://dblp.org/rec/<key>")),
                ("pub_type", models.TextField(help_text="the record's element name, such as article")),
                (
                    "title",
                    models.TextField(help_text="all text of the title, markup left out; empty where there is none"),
                ),
                ("year", models.IntegerField(null=True)),
                ("venue", models.TextField(help_text="journal, else booktitle, else school", null=True)),
                ("publtype", models.TextField(help_text="words such as informal or withdrawn", null=True)),
                ("ee", models.TextField(help_text="first link to the document", null=True)),
                ("mdate", models.TextField(help_text="when dblp last changed the record, YYYY-MM-DD", null=True)),
                ("raw_xml", models.TextField(help_text="the record, well-formed by itself")),
            ],
            options={"db_table": "publications"},
        ),
        migrations.CreateModel(
            name="Author",
            fields=[
                ("id", models.IntegerField(primary_key=True, serialize=False)),
                ("name", models.TextField(help_text="primary name with its homonym number")),
                (
                    "pid",
                    models.TextField(help_text="https://dblp.org/pid/<pid>; null without a person page", null=True),
                ),
                ("orcid", models.TextField(null=True)),
                ("affiliation", models.TextField(null=True)),
                (
                    "kind",
                    models.TextField(
                        choices=[
                            ("person", "person"),
                            ("group", "group"),
                            ("disambiguation", "people not yet told apart"),
                        ],
                        default="person",
                    ),
                ),
                ("publications", models.IntegerField(help_text="how many publications, as author or editor")),
                ("first_year", models.IntegerField(help_text="of the publications", null=True)),
                ("last_year", models.IntegerField(help_text="of the publications", null=True)),
                (
                    "other_names",
                    models.TextField(help_text="aliases and spellings in ASCII, a line each, for full text", null=True),
                ),
                (
                    "folded",
                    models.TextField(
                        help_text="letters and digits of the name without its number, blind to case and accents"
                    ),
                ),
            ],
            options={"db_table": "authors"},
        ),
        migrations.CreateModel(
            name="AuthorAlias",
            fields=[
                ("name", models.TextField(primary_key=True, serialize=False)),
                (
                    "author",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="aliases",
                        to="bibliography.author",
                    ),
                ),
                ("folded", models.TextField(help_text="as that of an author's name")),
            ],
            options={"db_table": "author_aliases"},
        ),
        migrations.CreateModel(
            name="FormerPid",
            fields=[
                ("pid", models.TextField(primary_key=True, serialize=False)),
                (
                    "author",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="former_pids",
                        to="bibliography.author",
                    ),
                ),
            ],
            options={"db_table": "former_pids"},
        ),
        migrations.RunSQL(
            # Django cannot say WITHOUT ROWID: a third smaller, and no second tree for the primary key.
            sql="""
                CREATE TABLE pub_authors (
                    pub_id integer NOT NULL REFERENCES publications (id),
                    role text NOT NULL,
                    position integer NOT NULL,
                    author_id integer NOT NULL REFERENCES authors (id),
                    PRIMARY KEY (pub_id, role, position)
                ) WITHOUT ROWID
            """,
            reverse_sql="DROP TABLE pub_authors",
            state_operations=[
                migrations.CreateModel(
                    name="Authorship",
                    fields=[
                        (
                            "pk",
                            models.CompositePrimaryKey(
                                "publication_id",
                                "role",
                                "position",
                                blank=True,
                                editable=False,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("position", models.IntegerField(help_text="from 1, in the order of the record, roles apart")),
                        ("role", models.TextField(choices=[("author", "author"), ("editor", "editor")])),
                        (
                            "author",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="authorships",
                                to="bibliography.author",
                            ),
                        ),
                        (
                            "publication",
                            models.ForeignKey(
                                db_column="pub_id",
                                db_index=False,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="authorships",
                                to="bibliography.publication",
                            ),
                        ),
                    ],
                    options={"db_table": "pub_authors"},
                ),
            ],
        ),
        migrations.CreateModel(
            name="StoreInfo",
            fields=[
                ("id", models.IntegerField(default=1, primary_key=True, serialize=False)),
                (
                    "release",
                    models.TextField(
                        help_text="date of the monthly release, YYYY-MM-DD; null for other files", null=True
                    ),
                ),
                ("source_url", models.TextField()),
                ("md5", models.TextField()),
                ("sha256", models.TextField()),
                (
                    "etag",
                    models.TextField(help_text="the server's tag of the file, a hint for --if-changed", null=True),
                ),
                ("data_date", models.TextField(help_text="of which day the data is, YYYY-MM-DD")),
                ("built_at", models.DateTimeField()),
                ("program_version", models.TextField()),
                ("publications", models.IntegerField()),
                ("authors", models.IntegerField()),
                ("aliases", models.IntegerField()),
                ("authorships", models.IntegerField()),
                ("person_pages", models.IntegerField()),
                ("by_type", models.JSONField(help_text="publications of each type")),
                ("passed_over", models.JSONField(help_text="records of unknown types, counted")),
                ("completed", models.BooleanField(default=False, help_text="set by the last step before publication")),
            ],
            options={"db_table": "store_info"},
        ),
    ]
