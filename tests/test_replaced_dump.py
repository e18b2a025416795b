"""A dump that is not the same file from the first look at it to the last makes no store."""

import os
import shutil

import pytest

from pipeline.build import BuildOptions, build
from pipeline.errors import BadArchive
from tests.conftest import publication


def replace(path):
    shutil.copy(path, path.with_name("new"))
    os.replace(path.with_name("new"), path)


def rewrite(path):
    path.write_bytes(path.read_bytes())
    os.utime(path, ns=(0, 0))  # Files may be written twice within one tick of the clock.


def lengthen(path):
    before = path.stat()
    with path.open("ab") as file:
        file.write(bytes(512))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def remove(path):
    path.unlink()


@pytest.mark.parametrize("change", [replace, rewrite, lengthen, remove])
def test_a_dump_that_changes_while_it_is_read(data, report, client_of, make_dump, change):
    path = make_dump(publication("a/1", "Ada Test"))

    def phase(name):
        report.phases.append(name)
        if name == "verify":
            change(path)

    report.phase = phase
    with pytest.raises(BadArchive, match="dump.xml.gz was changed or replaced while it was read"):
        build(BuildOptions(file=path), data, client_of(), report, lambda: None)
    assert not data.link.exists()
