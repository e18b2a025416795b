"""A key that two records have: which one is said, because dblp's keys are unique and the dump is to be mended."""

import pytest

from pipeline.errors import LoadError
from tests.conftest import publication


def test_a_doubled_key_is_named(build_from, make_dump, data):
    records = [publication(f"a/{number}", "Ada Test") for number in range(3000)]
    with pytest.raises(LoadError, match=r"^the dump holds more than one record with the key a/77$"):
        build_from(make_dump(*records, records[77]))
    assert not data.link.exists()
    assert not data.staging.exists()
