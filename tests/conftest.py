"""What tests share: data directories of their own, small dumps, builds in this process and in real ones."""

import functools
import gzip
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connections

from benchmarks.dtd import DTD_NAME, dtd_text
from bibliography.management.commands.coauthors import Command
from pipeline.build import BuildOptions, build
from pipeline.http import Client
from pipeline.layout import DataDir
from pipeline.manager import manager_of
from pipeline.models import BuildRun
from pipeline.trust import TrustedHosts
from tests.environment import DATA_DIR
from tests.server import Server

# Who is started in the background by a shell ignores Ctrl-C, and so would all programs that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample" / "dblp-sample.xml.gz"
REAL = ROOT.parent / "shared" / "data" / "dblp-real" / "dblp.xml.gz"


@pytest.fixture(scope="session", autouse=True)
def django_db_setup(django_db_blocker):
    """Use real files: the default database is migrated once, stores are made by builds."""
    with django_db_blocker.unblock():
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        connections["default"].close()
        shutil.copy(DATA_DIR / "pubmeta.sqlite3", DATA_DIR / "template.sqlite3")
        yield
        connections.close_all()


@pytest.fixture
def data(tmp_path, settings):
    """A data directory of the test's own; this process serves from it."""
    directory = DataDir(tmp_path / "data")
    directory.root.mkdir()
    settings.DATA_DIR = directory.root
    settings.STORE_LINK = directory.link
    connection = connections["store"]
    before = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = f"file:{directory.link}?mode=ro"
    BuildRun.objects.all().delete()
    yield directory
    manager_of(directory.root).close()
    connection.close()
    connection.settings_dict["NAME"] = before
    connections["default"].close()


class Silence:
    """A report that keeps what it is told."""

    def __init__(self):
        self.phases, self.lines, self.values = [], [], {}

    def phase(self, name):
        self.phases.append(name)

    def progress(self, **values):
        self.values |= values

    def log(self, line):
        self.lines.append(line)


@pytest.fixture
def report():
    return Silence()


@pytest.fixture
def server():
    """A real server, empty; test files put into it what they need."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def client_of():
    """Make a ``pipeline.http.Client`` that trusts those entries and is not patient."""

    def make(*trusted, stall_timeout=0.5, first_pause=0.01):
        return Client(TrustedHosts(trusted), stall_timeout, first_pause)

    return make


@pytest.fixture
def make_dump(tmp_path):
    """Write a dump of those records (strings of XML), and its DTD beside it, and give its path."""

    def make(*records, name="dump.xml.gz", dtd=DTD_NAME, head=None, tail="\n</dblp>\n"):
        if dtd:
            (tmp_path / DTD_NAME).write_text(dtd_text(), encoding="ascii")
        if head is None:
            head = f'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "{dtd}">\n<dblp>\n'
        body = (head + "".join(records) + tail).encode("latin-1")
        path = tmp_path / name
        path.write_bytes(gzip.compress(body, 1) if name.endswith(".gz") else body)
        return path

    return make


@pytest.fixture
def build_from(data, report, client_of):
    """Build and publish a store in this process, from a local file."""

    def run(path, **options):
        return build(BuildOptions(file=path, **options), data, client_of(), report, lambda: None)

    return run


def publication(key, *authors, kind="article", title="A Title.", year="2020", editors=(), extra=""):
    """Write the record of a publication."""
    people = "".join(f"<author>{name}</author>\n" for name in authors)
    people += "".join(f"<editor>{name}</editor>\n" for name in editors)
    dated = f"<year>{year}</year>\n" if year else ""
    titled = f"<title>{title}</title>\n" if title is not None else ""
    return f'<{kind} mdate="2024-01-01" key="{key}">\n{people}{titled}{dated}{extra}</{kind}>'


def person(pid, *names, publtype="", extra=""):
    """Write a person page."""
    attribute = f' publtype="{publtype}"' if publtype else ""
    authors = "".join(f"<author>{name}</author>\n" for name in names)
    return (
        f'<www mdate="2024-01-01" key="homepages/{pid}"{attribute}>\n{authors}<title>Home Page</title>\n{extra}</www>'
    )


def process_environment(data: DataDir, **variables: str) -> dict[str, str]:
    """Give the environment of a process that works on that data directory, its default database migrated."""
    data.root.mkdir(exist_ok=True)
    database = data.root / "pubmeta.sqlite3"
    if not database.exists():
        shutil.copy(DATA_DIR / "template.sqlite3", database)
    return {**os.environ, "PUBMETA_DATA_DIR": str(data.root), **variables}


@pytest.fixture(scope="module")
def uncounted():
    """Let the processes that tests start go without coverage: counting doubles the time of a build.

    For files that run the same build dozens of times, and kill it, maybe while it writes down what was covered.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        yield


@pytest.fixture(scope="session")
def bound():
    """What to put before a command so that permissions count for it: nothing, unless root runs the tests."""
    if os.geteuid() != 0:
        return ()
    drop = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*drop, "true"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("root may read and write everything, and setpriv cannot take that right away here")
    return drop


@pytest.fixture(scope="session")
def stores_of(tmp_path_factory):
    """Build a store of a dump once for all tests; gives its data directory, which is not to be changed."""

    @functools.cache
    def build_once(dump):
        directory = DataDir(tmp_path_factory.mktemp("stores") / "data")
        command = [sys.executable, str(ROOT / "manage.py"), "rebuild_store", "--from-file", str(dump)]
        subprocess.run(command, env=process_environment(directory), check=True, stdout=subprocess.DEVNULL)
        return directory

    return build_once


@pytest.fixture(scope="session")
def sample_stores(stores_of):
    """A data directory with a store of the sample, made once; not to be changed."""
    return stores_of(SAMPLE)


def copy_store(source, target):
    """Put the stores of one data directory into another one."""
    shutil.copytree(source.stores, target.stores)
    target.link.symlink_to(source.link.readlink())
    return target


@pytest.fixture
def serve(data, stores_of):
    """Serve a store of a dump in the test's own data directory."""
    return lambda dump: copy_store(stores_of(dump), data)


@pytest.fixture
def served_sample(serve):
    """Serve a store of the sample in the test's own data directory."""
    return serve(SAMPLE)


@pytest.fixture(scope="session")
def made_up_dump(tmp_path_factory):
    """Write the dump of the made-up people and titles."""
    from tests.made_up import RECORDS

    path = tmp_path_factory.mktemp("made-up") / "dump.xml"
    path.with_name(DTD_NAME).write_text(dtd_text(), encoding="ascii")
    head = f'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "{DTD_NAME}">\n<dblp>\n'
    path.write_bytes((head + "".join(RECORDS) + "\n</dblp>\n").encode("latin-1"))
    return path


@pytest.fixture
def made_up(serve, made_up_dump):
    """Serve the made-up people and titles."""
    return serve(made_up_dump)


@pytest.fixture
def manage(data):
    """Start ``manage.py`` as a real process; gives the ``Popen``. All are ended after the test."""
    started = []

    def start(*arguments, stdin=subprocess.DEVNULL, **variables):
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)],
            env=process_environment(data, **variables),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def coauthors(data, capsys):
    """Run the command ``coauthors`` as a shell does, in this process."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            Command().run_from_argv(["manage.py", "coauthors", *map(str, arguments)])
        printed = capsys.readouterr()
        return SimpleNamespace(returncode=end.value.code, stdout=printed.out, stderr=printed.err)

    return run


@pytest.fixture
def ask_lists(coauthors, tmp_path):
    """Run the command ``coauthors`` on two lists of names, given as text."""

    def ask(left, right, *options):
        for name, lines in (("left.txt", left), ("right.txt", right)):
            (tmp_path / name).write_text(lines, encoding="utf-8", newline="")
        return coauthors(tmp_path / "left.txt", tmp_path / "right.txt", *options)

    return ask


assert django_settings.configured
