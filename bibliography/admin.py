"""The read-only admin of the store; quick on millions of rows, because nothing in it counts or sorts a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from bibliography import search, store
from bibliography.models import Author, Publication

if TYPE_CHECKING:  # Generic for the type checker only.
    _ModelAdmin = admin.ModelAdmin[Any]
    _Paginator = Paginator[Any]
else:
    _ModelAdmin, _Paginator = admin.ModelAdmin, Paginator

_MOST_FOUND = 1000  # Whoever finds more has to add a word.
_MOST_LISTED = 200  # Publications of a person, people of a publication.


class ReadOnlyAdmin(_ModelAdmin):
    """Lets staff look and nobody change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let all staff look."""
        return bool(request.user.is_staff)


class IdPaginator(_Paginator):
    """Pages of a whole table by ranges of ids, which have no gaps in a store.

    OFFSET would read all rows before the page, and COUNT the whole table. What a search found is short, and is
    counted and paged as usual.
    """

    object_list: QuerySet[Any]

    @property
    def _is_whole_table(self) -> bool:
        return not self.object_list.query.where

    @cached_property
    def count(self) -> int:
        """Give how many rows there are."""
        if not self._is_whole_table:
            return self.object_list.count()
        info = store.info()
        return info.publications if self.object_list.model is Publication else info.authors

    def page(self, number: int | str) -> Page[Any]:
        """Give a page; pages are numbered from 1."""
        if not self._is_whole_table:
            return super().page(number)
        number = self.validate_number(number)
        first = (number - 1) * self.per_page + 1
        return Page(self.object_list.filter(pk__gte=first, pk__lt=first + self.per_page), number, self)


class StoreAdmin(ReadOnlyAdmin):
    """What publications and people have in common."""

    paginator = IdPaginator
    show_full_result_count = False
    sortable_by = ()
    ordering = ("pk",)
    list_per_page = 50
    actions = None

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest | None = None) -> bool:
        """Refuse conditions in the address: most of them would read the whole table."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """List rows; without a store say so on the page before."""
        return self._from_store(request, lambda: super(StoreAdmin, self).changelist_view(request, extra_context))

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show a row; without a store say so on the page before."""
        return self._from_store(request, lambda: super(StoreAdmin, self).changeform_view(request, *args, **kwargs))

    def _from_store(self, request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
        try:
            store.info()
        except store.StoreNotReady as error:
            self.message_user(request, str(error), messages.ERROR)
            return redirect("admin:index")
        return answer()

    def find(self, text: str) -> list[int]:
        """Give the ids of what a full-text index has of a text."""
        raise NotImplementedError

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search through the full-text index."""
        if search_term.strip():
            queryset = queryset.filter(pk__in=self.find(search_term))
        return queryset, False


@admin.register(Publication)
class PublicationAdmin(StoreAdmin):
    """Publications with their people."""

    list_display = ("title", "year", "venue", "pub_type", "key")
    search_fields = ("title",)
    search_help_text = f'Words and "phrases" of the title; the first {_MOST_FOUND} are found.'
    readonly_fields = ("people", "link")
    fields = (
        *("title", "people", "year", "venue", "pub_type", "publtype"),
        *("key", "link", "ee", "mdate", "raw_xml"),
    )

    def find(self, text: str) -> list[int]:
        """Search titles."""
        return [hit.id for hit in search.titles(text, 0, _MOST_FOUND)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Publication]:
        """Leave the raw records of a whole page unread."""
        rows = super().get_queryset(request)
        return (
            rows
            if "object_id" in (request.resolver_match.kwargs if request.resolver_match else {})
            else rows.defer("raw_xml")
        )

    @admin.display(description="people")
    def people(self, publication: Publication) -> SafeString:
        """List who signed it, in order."""
        rows = publication.authorships.select_related("author").order_by("role", "position")[:_MOST_LISTED]
        return format_html_join(
            ", ",
            '<a href="/admin/bibliography/author/{}/change/">{}</a>{}',
            ((row.author_id, row.author.name, " (editor)" if row.role == "editor" else "") for row in rows),
        )

    @admin.display(description="dblp")
    def link(self, publication: Publication) -> SafeString:
        """Link to the record at dblp."""
        return format_html('<a href="https://dblp.org/rec/{0}">https://dblp.org/rec/{0}</a>', publication.key)


@admin.register(Author)
class AuthorAdmin(StoreAdmin):
    """People with their other names and publications."""

    list_display = ("name", "kind", "publications", "pid", "orcid", "affiliation")
    search_fields = ("name",)
    search_help_text = f"Words of a name, accents or not; the first {_MOST_FOUND} are found."
    readonly_fields = ("other", "written")
    fields = ("name", "other", "kind", "pid", "orcid", "affiliation", "publications", "written")

    def find(self, text: str) -> list[int]:
        """Search names."""
        return [hit.person.id for hit in search.people_beginning(text, 0, _MOST_FOUND)]

    @admin.display(description="other names")
    def other(self, author: Author) -> str:
        """List the aliases."""
        return ", ".join(author.aliases.values_list("name", flat=True)) or "–"

    @admin.display(description=f"the first {_MOST_LISTED} of them")
    def written(self, author: Author) -> SafeString:
        """List publications."""
        rows = (
            author.authorships.select_related("publication")
            .defer("publication__raw_xml")
            .order_by("role", "publication_id")
        )
        return format_html_join(
            "",
            '<a href="/admin/bibliography/publication/{}/change/">{}</a> {}<br>',
            (
                (row.publication_id, row.publication.title or "untitled", row.publication.year or "")
                for row in rows[:_MOST_LISTED]
            ),
        )
