"""The Debian package: what it puts where, and scripts that a shell understands.

``make install-check`` builds it, asks lintian, installs it and removes it.
"""

import re
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest

from deploy.release import ROOT, deb, release_date
from referee.settings import ReceiverSettings, load

SCRIPTS = ("config", "postinst", "prerm", "postrm")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what the package adds next to the program."""
    folder = tmp_path_factory.mktemp("tree")
    deb.add_system_files(folder)
    deb.add_documents(folder)
    return folder


@dataclass(frozen=True, slots=True)
class Machine:
    """A folder in which the scripts run as if it were the root, with a systemd that only notes."""

    root: Path

    @property
    def state(self) -> Path:
        """The file with what systemd says of the service."""
        return self.root / "state"

    @property
    def settings(self) -> Path:
        """The settings of the site."""
        return self.root / "etc/referee/referee.toml"

    def run(self, name: str, *arguments: str) -> None:
        """Run a script of the package."""
        text = (ROOT / "deploy" / "release" / "debian" / name).read_text()
        text = re.sub(
            r"(?<=\s)/(?=run|etc|usr)", f"{self.root}/", text.replace("=/", f"={self.root}/")
        )
        path = f"{self.root / 'bin'}:/usr/bin:/bin"
        subprocess.run(["sh", "-c", text, name, *arguments], env={"PATH": path}, check=True)

    def actions(self) -> list[str]:
        """Return what was done with the service until now."""
        return (self.root / "actions").read_text().split()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine with settings."""
    made = Machine(tmp_path)
    programs = {
        "systemctl": f'[ "$1" != is-active ] || cat {made.state}',
        "deb-systemd-invoke": f'echo "$1" >>{tmp_path}/actions',
    }
    others = (
        "deb-systemd-helper",
        "py3clean",
        "py3compile",
        "systemd-sysusers",
        "systemd-tmpfiles",
    )
    for name in (*others, *programs):
        file = tmp_path / "bin" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{programs.get(name, '')}\n")
        file.chmod(0o755)
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    confmodule = tmp_path / "usr/share/debconf/confmodule"
    for file in (made.settings, confmodule):
        file.parent.mkdir(parents=True)
        file.touch()
    return made


def test_the_changelog_has_the_version_and_its_date() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [each for each in re.findall(r"^## (.+)$", changes, re.M) if each != "Unreleased"]
    assert headings[0] == f"{metadata.version('referee')} ({release_date()})"
    versions = [each.partition(" ")[0] for each in headings]
    assert versions == [*dict.fromkeys(versions)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_shell_understands_the_scripts(name: str) -> None:
    file = ROOT / "deploy" / "release" / "debian" / name
    done = subprocess.run(["sh", "-n", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert file.read_text().startswith("#!/bin/sh\nset -e\n")


def test_a_purge_keeps_the_site_unless_it_is_answered() -> None:
    folder = ROOT / "deploy" / "release" / "debian"
    question = "referee/delete-site"
    assert (
        f"Template: {question}\nType: boolean\nDefault: false\n"
        in (folder / "templates").read_text()
    )
    purge = (folder / "postrm").read_text()
    asked, deleted = purge.index(f"db_get {question}"), purge.index("for place in /var/lib/referee")
    assert asked < purge.index('if [ "$RET" = true ]') < deleted


def test_a_failed_upgrade_starts_the_old_version_again() -> None:
    script = (ROOT / "deploy" / "release" / "debian" / "postinst").read_text()
    for state in ("configure", "abort-upgrade", "abort-deconfigure", "abort-remove"):
        assert state in script


@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("active", "reload-or-restart"),
        # It crashes, and is being restarted.
        ("activating", "reload-or-restart"),
        ("inactive", None),
        # It did not stop in time.
        ("failed", None),
    ],
)
def test_after_an_upgrade_the_service_is_as_before(
    machine: Machine, state: str, action: str | None
) -> None:
    machine.state.write_text(f"{state}\n")
    machine.run("prerm", "upgrade", "1.0.1")
    machine.run("postinst", "configure", "1.0.0")
    assert machine.actions() == ["stop", *filter(None, [action])]


def test_what_ran_before_an_upgrade_that_failed_runs_after_the_next_one(machine: Machine) -> None:
    machine.state.write_text("active\n")
    machine.run("prerm", "upgrade", "1.0.1")
    # The new version could not be configured, and is installed once more.
    machine.state.write_text("inactive\n")
    machine.run("prerm", "upgrade", "1.0.1")
    machine.run("postinst", "configure", "1.0.0")
    assert machine.actions() == ["stop", "stop", "reload-or-restart"]
    machine.run("prerm", "upgrade", "1.0.2")
    machine.run("postinst", "abort-upgrade", "1.0.2")
    assert machine.actions() == ["stop", "stop", "reload-or-restart", "stop"]


def test_an_installation_starts_the_service_if_it_has_settings(machine: Machine) -> None:
    machine.run("postinst", "configure", "")
    assert machine.actions() == ["start"]
    machine.state.write_text("inactive\n")
    machine.run("prerm", "remove")
    machine.run("postrm", "remove")
    machine.run("postinst", "configure", "1.0.0")
    assert machine.actions() == ["start", "stop", "start"]
    machine.settings.unlink()
    machine.run("postinst", "configure", "")
    assert machine.actions() == ["start", "stop", "start"]


def test_the_files_have_the_places_that_the_page_names(tree: Path) -> None:
    page = (ROOT / "deploy" / "install.md").read_text(encoding="utf-8")
    program = page.partition("## From a checkout")[0]
    for place in ("/usr/share/doc/referee", "/etc/referee/referee.toml.example"):
        assert place in program
        assert (tree / place[1:]).exists()
    # The page is followed in the folder of the documents.
    doc = tree / "usr/share/doc/referee"
    named = set(re.findall(r"\bdeploy/[\w.-]+", program))
    assert named >= {"deploy/postfix.cf"}
    assert [name for name in named if not (doc / name).exists()] == []


def test_the_links_between_the_guides_work_in_the_package(tree: Path) -> None:
    doc = tree / "usr/share/doc/referee"
    links = [
        (page, target)
        for page in doc.rglob("*.md")
        for target in LINK.findall(page.read_text(encoding="utf-8"))
    ]
    assert links
    assert [each for each in links if not (each[0].parent / each[1]).exists()] == []
    # Links to what only a checkout has are words.
    assert "\n[requirements.lock]" not in (doc / "docs/licences.md").read_text(encoding="utf-8")
    assert "\nrequirements.lock has" in (doc / "docs/licences.md").read_text(encoding="utf-8")


def test_the_documents_have_no_programs_that_build_the_package(tree: Path) -> None:
    doc = tree / "usr/share/doc/referee"
    assert {each.name for each in (doc / "deploy").iterdir()} == {
        each.name for each in (ROOT / "deploy").iterdir() if each.is_file()
    }


def test_the_example_of_the_settings_is_for_the_service(tree: Path) -> None:
    settings = load(tree / "etc/referee/referee.toml.example")
    assert settings.state_dir == Path("/var/lib/referee")
    assert settings.receiver == ReceiverSettings(
        protocol="lmtp", socket=Path("/run/referee/lmtp"), host="127.0.0.1"
    )
    unit = (tree / "lib/systemd/system/referee.service").read_text()
    assert "\nExecStart=/usr/lib/referee/bin/referee --settings /etc/referee/referee.toml" in unit
    assert "\nAssertPathExists=/etc/referee/referee.toml\n" in unit


def test_an_environment_that_was_moved_names_only_its_new_place(tmp_path: Path) -> None:
    home = tmp_path / deb.HOME
    # The Python of the system, as for the package.
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", home], check=True)
    before = [str(each.readlink()) for each in (home / "bin").iterdir() if each.is_symlink()]
    (site,) = home.glob("lib/python*/site-packages")
    package = site / "referee-1.0.0.dist-info"
    package.mkdir()
    for name in ("referee", "alembic"):
        (home / "bin" / name).write_text(f"#!{home}/bin/python\n")
    (package / "direct_url.json").write_text(f'{{"url": "file://{tmp_path}"}}')
    (package / "RECORD").write_text("../../../bin/referee,sha256=x,1\nreferee/a.py,sha256=y,1\n")
    deb.move_environment(home)
    assert (package / "RECORD").read_text() == "referee/a.py,sha256=y,1\n"
    assert (home / "bin/referee").read_text() == "#!/usr/lib/referee/bin/python\n"
    # As many steps lead from the place of the environment to the folder of the system's Python.
    outside = {f"../../../{Path(link).relative_to('/usr')}" for link in before if link[0] == "/"}
    links = {str(each.readlink()) for each in (home / "bin").iterdir() if each.is_symlink()}
    assert links == outside | {link for link in before if link[0] != "/"}
    files = [each for each in home.rglob("*") if each.is_file() and not each.is_symlink()]
    assert [each for each in files if str(tmp_path).encode() in each.read_bytes()] == []
    assert sorted(each.name for each in (home / "bin").iterdir()) == sorted(
        ["python", "python3", site.parent.name, "referee"]
    )
