"""Where dblp's monthly releases are: facts about DROPS, Dagstuhl's archive (https://drops.dagstuhl.de)."""

from __future__ import annotations

import datetime
import re
from urllib.parse import urljoin, urlsplit

from pipeline.errors import NotTheDump

_LISTED = re.compile(r"dblp\.xml\.(\d{4}-\d{2}-\d{2})")
_DATED = re.compile(r"-(\d{4})-\d{2}-\d{2}\.(?:xml\.gz|xml|dtd)$")
_RELEASE = re.compile(r"dblp-(\d{4}-\d{2}-\d{2})\.xml(?:\.gz)?$")
_MD5 = re.compile(r"\s*([0-9a-fA-F]{32})(?:\s+\S[^\r\n]*)?\s*")


def collection_url(origin: str) -> str:
    """Give the page that lists all releases."""
    return f"{origin.rstrip('/')}/entities/collection/10.4230/dblp.xml"


def newest_release(page: str, url: str) -> str:
    """Give the date of the newest release on that page; raises ``NotTheDump`` where it lists none."""
    dates: list[str] = [date for date in _LISTED.findall(page) if is_date(date)]
    if not dates:
        raise NotTheDump(f"{url}: the page lists no release of dblp; give --xml-gz-url or --from-file")
    return max(dates)


def release_url(origin: str, date: str) -> str:
    """Give the address of the release of that date; the day is not always the first of a month."""
    return f"{origin.rstrip('/')}/storage/artifacts/dblp/xml/{date[:4]}/dblp-{date}.xml.gz"


def release_of(url_or_name: str) -> str | None:
    """Give the date of the release that a file's name tells, None for other names and for days that never were."""
    found = _RELEASE.search(urlsplit(url_or_name).path)
    return found[1] if found and is_date(found[1]) else None


def is_date(text: str) -> bool:
    """Tell whether text is a day of the calendar, as YYYY-MM-DD."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def md5_url(url: str) -> str:
    """Give where the checksum of a file lies: beside it, under its name and ``.md5``."""
    parts = urlsplit(url)
    return parts._replace(path=f"{parts.path}.md5", fragment="").geturl()


def dtd_url(dump_url: str, dtd_name: str) -> str:
    """Give where the DTD that a dump names lies: beside it, a dated one in the folder of its own year."""
    url = urljoin(dump_url, dtd_name)
    year, dump_year = _DATED.search(dtd_name), _DATED.search(urlsplit(dump_url).path)
    if year and dump_year:
        folder = f"/{dump_year[1]}/"
        if folder in url:
            url = f"/{year[1]}/".join(url.rsplit(folder, 1))
    return url


def read_md5(text: str, url: str) -> str:
    """Read a checksum file, ``<hash>`` or ``<hash>  <name>``; raises ``NotTheDump`` for anything else."""
    found = _MD5.fullmatch(text)
    if not found:
        raise NotTheDump(f"{url}: this is no md5: {text[:60]!r}")
    return found[1].lower()
