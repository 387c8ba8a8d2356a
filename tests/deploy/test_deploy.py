"""The deploy files: systemd's opinion of the unit, and snippets that match the settings."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from referee import resources
from referee.cli import COMMANDS
from referee.mail.smtpd import CONNECTION_LIMIT
from referee.settings import load
from tests.live.servers import program
from tests.support.installing import blocks

DEPLOY = resources.folder("deploy")
ROOT = Path(__file__).parents[2]
INSTALLS = re.compile(r"\bpip install -").search
MOST_EXPOSED = 1.5


def analyze(*arguments: str) -> str:
    """Run systemd-analyze; skip the test if it is not installed."""
    done = subprocess.run(
        [program("systemd-analyze", "systemd-analyze", "systemd"), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return the unit with an existing program, the only part that depends on the machine."""
    text = (DEPLOY / "referee.service").read_text()
    file = tmp_path / "referee.service"
    file.write_text(text.replace("/opt/referee/bin/referee", sys.executable))
    return file


def test_systemd_accepts_the_unit(unit: Path) -> None:
    complaints = [line for line in analyze("verify", str(unit)).splitlines() if "referee" in line]
    assert complaints == []


def test_the_unit_is_hardly_exposed(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = analyze("security", "--offline=true", "--no-pager", str(unit))
    level = re.search(r"Overall exposure level for referee.service: ([0-9.]+)", told)
    assert level is not None
    with capsys.disabled():
        print(f"\nexposure of referee.service: {level[1]}")  # noqa: T201 - the figure is the point
    assert float(level[1]) <= MOST_EXPOSED


def test_the_unit_runs_the_daemon_with_the_settings_it_names() -> None:
    text = (DEPLOY / "referee.service").read_text()
    assert "Type=notify" in text
    assert "referee --settings /etc/referee/referee.toml run" in text


def test_the_unit_leaves_resources_to_other_services() -> None:
    text = (DEPLOY / "referee.service").read_text()
    limits = dict(re.findall(r"^(MemoryMax|TasksMax|LimitNOFILE)=(\w+)", text, re.M))
    assert limits.keys() == {"MemoryMax", "TasksMax", "LimitNOFILE"}
    # Every connection takes one, and everything else far fewer.
    assert int(limits["LimitNOFILE"]) > 10 * CONNECTION_LIMIT


def made_in(folder: Path, tool: Path | str, *options: str) -> None:
    """Run a program of systemd on a folder in the place of the machine."""
    done = subprocess.run(
        [tool, f"--root={folder}", *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make folders of other users")
def test_a_mail_server_reaches_the_socket_and_not_the_settings(tmp_path: Path) -> None:
    sysusers = program("systemd-sysusers", "systemd-sysusers", "systemd")
    tmpfiles = program("systemd-tmpfiles", "systemd-tmpfiles", "systemd")
    for name in ("etc", "run", "var/lib"):
        (tmp_path / name).mkdir(parents=True)
    made_in(tmp_path, sysusers, str(DEPLOY / "referee.sysusers"))
    made_in(tmp_path, tmpfiles, "--create", str(DEPLOY / "referee.tmpfiles"))
    lines = [line.split(":") for line in (tmp_path / "etc/group").read_text().splitlines()]
    groups = {int(number): name for name, _, number, _ in lines}
    found = {}
    for name in ("etc/referee", "var/lib/referee", "run/referee"):
        state = (tmp_path / name).stat()
        found[name] = (groups[state.st_gid], f"{state.st_mode & 0o7777:o}")
    assert found == {
        "etc/referee": ("referee", "750"),
        "var/lib/referee": ("referee", "700"),
        "run/referee": ("referee-mail", "2750"),
    }
    with socket.socket(socket.AF_UNIX) as lmtp:
        lmtp.bind(str(tmp_path / "run/referee/lmtp"))
    assert groups[(tmp_path / "run/referee/lmtp").stat().st_gid] == "referee-mail"


def test_the_unit_and_every_page_have_the_socket_of_that_folder() -> None:
    text = (DEPLOY / "referee.service").read_text()
    # systemd would give its own folder the group of the service.
    assert "RuntimeDirectory" not in text
    assert "\nReadWritePaths=-/run/referee\n" in text
    for page in ("deploy/install.md", "deploy/postfix.cf", "docs/mail-servers.md"):
        text = (ROOT / page).read_text()
        assert re.search(r"adduser (--quiet )?postfix referee-mail\b", text), page
        # A confined client would look for the socket in Postfix's queue.
        assert "postconf -F lmtp/unix/chroot=n" in text, page
        assert "lmtp:unix:/run/referee/lmtp" in text or page.startswith("docs"), page


def test_no_port_is_open_to_other_users_on_a_machine_with_postfix() -> None:
    for page in ("deploy/install.md", "deploy/postfix.cf"):
        text = (ROOT / page).read_text()
        assert 'socket = "/run/referee/lmtp"' in text, page
        assert "8025" not in text, page


def test_the_passwords_of_the_unit_are_those_of_the_example_settings() -> None:
    loaded = set(
        re.findall(r"^LoadCredential=([\w.]+):", (DEPLOY / "referee.service").read_text(), re.M)
    )
    named = re.findall(r'password_file = "(.+)"', (DEPLOY / "referee.toml").read_text())
    assert loaded == set(named)


@pytest.mark.parametrize("snippet", ["postfix.cf", "postfix-submission.cf", "dovecot.conf"])
def test_the_settings_in_the_snippets_load(tmp_path: Path, snippet: str) -> None:
    lines = (DEPLOY / snippet).read_text().splitlines()
    shown = [line.removeprefix("#     ") for line in lines if line.startswith("#     ")]
    settings = "\n".join(line for line in shown if re.match(r"\[|\w+ = ", line))
    if "[site]" not in settings:
        settings += '\n[site]\naddress = "games@example.org"\n'
    if "[sending]" not in settings:
        settings += '[sending]\nkind = "maildir"\npath = "sent"\n'
    file = tmp_path / "referee.toml"
    file.write_text(settings.replace("[site]", '[site]\noperator = "you@example.org"'))
    assert load(file).site.operator == "you@example.org"


def test_user_and_folders_are_those_of_the_unit() -> None:
    unit = (DEPLOY / "referee.service").read_text()
    assert re.search(r"^u referee ", (DEPLOY / "referee.sysusers").read_text(), re.M)
    folders = re.findall(r"^d (\S+)", (DEPLOY / "referee.tmpfiles").read_text(), re.M)
    assert folders == ["/etc/referee", "/var/lib/referee", "/run/referee"]
    assert "User=referee" in unit
    assert "StateDirectory=referee" in unit


def test_the_page_names_existing_files_and_commands() -> None:
    commands = "\n".join(blocks((DEPLOY / "install.md").read_text()))
    assert subprocess.run(["bash", "-n"], input=commands, text=True, check=False).returncode == 0
    assert set(re.findall(r"deploy/([\w.-]+)", commands)) <= {
        file.name for file in DEPLOY.iterdir()
    }
    called = set(re.findall(r"\breferee referee (\w+)", commands))
    assert {"doctor", "status", "replay", "backup"} <= called <= set(COMMANDS)


def test_every_page_installs_packages_by_their_hashes() -> None:
    pages = (ROOT / "deploy" / "install.md", ROOT / "docs" / "operators.md", ROOT / "Makefile")
    found = [line for page in pages for line in page.read_text().splitlines() if INSTALLS(line)]
    assert len(found) == 8
    # A package of the lock has a hash; the program itself fetches nothing.
    locked = "--require-hashes --requirement requirements.lock"
    alone = "--no-deps --no-build-isolation"
    assert [line for line in found if locked not in line and alone not in line] == []


def test_every_package_of_the_lock_has_a_hash_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    packages = re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", lock, re.M | re.S)
    assert len(packages) > 40
    assert [each for each in packages if "==" not in each or "--hash=sha256:" not in each] == []
    assert "://" not in lock


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_the_web_servers_serve_the_folder_of_the_settings_and_no_hidden_file(name: str) -> None:
    text = (DEPLOY / name).read_text()
    example = (DEPLOY / "referee.toml").read_text()
    folder = re.search(r'^# folder = "(/.*)"$', example, re.MULTILINE)
    assert folder is not None
    assert re.search(rf"\broot (\* )?{folder[1]};?$", text, re.MULTILINE)
    assert f"ReadWritePaths=-{folder[1]}" in (DEPLOY / "referee.service").read_text()
    assert "404" in text
    assert "script-src" not in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(
    ("server", "name", "check"),
    [
        ("caddy", "Caddyfile", ("validate", "--adapter", "caddyfile", "--config")),
        ("nginx", "nginx.conf", ("-t", "-q", "-c")),
    ],
)
def test_the_web_server_accepts_its_example(
    server: str, name: str, check: tuple[str, ...], tmp_path: Path
) -> None:
    found = program(server, server, server)
    text = (DEPLOY / name).read_text()
    if server == "nginx":
        # It is a part of the configuration that Debian's nginx includes.
        where = f"pid {tmp_path}/pid; error_log stderr; events {{ }} http {{ "
        text = f"{where}{text} }}".replace("listen 80", "listen 8980").replace(
            "listen [::]:80", "listen 8981"
        )
    file = tmp_path / name
    file.write_text(text)
    done = subprocess.run(
        [found, *check, str(file)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
