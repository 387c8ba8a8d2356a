"""The first game of deploy/install.md, with the settings and the emails of the page."""

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import select

from referee.app import App, build
from referee.daemon import Daemon
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load
from referee.store.models import OutboxLetter
from tests.support.hourly import run
from tests.support.installing import blocks
from tests.support.pages import read_page
from tests.support.ports import free_port

PAGE: Final = read_page("deploy/install.md")
NOON: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)
STEP: Final = re.compile(
    r'^sendmail -f (?P<sender>\S+) (?:"(?P<to>[^"]+)"|-t) <<END\n(?P<raw>.*?)^END$'
    r"|^confirm (?P<confirms>\w+)$"
    r'|^until grep -qs "(?P<words>[^"]+)" /var/mail/(?P<reader>\w+);'
    r"|^to=\$\(sed -n '[^\n]+' /var/mail/(?P<replies>\w+) \| tail -1\)$",
    re.MULTILINE | re.DOTALL,
)
"""A command of the page that sends an email, waits for one, or looks up a reply address."""


def variables() -> dict[str, str]:
    """Return what the page writes into the variables of its shell."""
    return dict(re.findall(r"^(\w+)=([^$\s]+)$", PAGE, re.MULTILINE))


def expanded(words: str, **more: str) -> str:
    """Return a text in which the variables of the shell are replaced, as it does itself."""
    for name, value in {**variables(), **more}.items():
        words = words.replace(f"${name}", value)
    return words


class Machine:
    """The users of the page with their mailboxes, and the referee, without a mail server."""

    def __init__(self, app: App) -> None:
        self.app, self.daemon = app, Daemon(app)
        self.sent, self.seen = 0, 0
        self.mailboxes: dict[str, str] = defaultdict(str)
        self.to = ""

    def send(self, sender: str, to: str, raw: str) -> None:
        """Receive an email as from Postfix, and deliver what the referee answers."""
        self.sent += 1
        lines = raw.replace("\n", "\r\n").encode()
        self.app.accept(IncomingMail("lmtp", str(self.sent), lines, NOON, sender, to))
        self.daemon.step(NOON + self.sent * timedelta(seconds=1))
        with self.app.store.read() as session:
            newer = select(OutboxLetter).where(OutboxLetter.id > self.seen)
            for letter in session.scalars(newer.order_by(OutboxLetter.id)):
                self.seen = letter.id
                name = letter.recipient.partition("@")[0]
                self.mailboxes[name] += letter.raw.decode().replace("\r\n", "\n")

    def do(self, step: re.Match[str]) -> None:
        """Do what a command of the page does."""
        if sender := step["sender"]:
            raw = expanded(step["raw"], to=self.to)
            (header,) = re.findall(r"^To: (.+)$", raw, re.MULTILINE)
            self.send(sender, expanded(step["to"] or header), raw)
        elif name := step["confirms"]:
            self.confirm(name)
        elif name := step["reader"]:
            assert step["words"] in self.mailboxes[name]
        else:
            *_, self.to = re.findall(r".* <(games\+.*)>$", self.mailboxes[step["replies"]], re.M)

    def confirm(self, name: str) -> None:
        """Do what the function of the page does: answer the last question."""
        (function,) = re.findall(r"^confirm\(\) \{\n(.*?)^\}", PAGE, re.MULTILINE | re.DOTALL)
        (words,) = re.findall(r'grep -qs "([^"]+)"', function)
        assert words in self.mailboxes[name]
        (raw,) = re.findall(r"<<END\n(.*?)^END$", function, re.MULTILINE | re.DOTALL)
        (pattern,) = re.findall(r"grep -o '([^']+)'", function)
        *_, to = re.findall(pattern.replace("+", r"\+"), self.mailboxes[name])
        (looked_up,) = re.findall(r"^To: (\$\(.+\))$", raw, re.MULTILINE)
        raw = raw.replace(looked_up, to)
        self.send(f"{name}@localhost", to, expanded(raw.replace("$1", name)))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Yield the machine with the settings of the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    monkeypatch.setenv("REFEREE_STATE_DIR", str(tmp_path / "state"))
    # On port 25 of this machine may be a mail server.
    monkeypatch.setenv("REFEREE_SENDING__PORT", str(free_port()))
    (settings,) = re.findall(r"referee\.toml <<END\n(.*?)^END$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "referee.toml").write_text(expanded(settings), "utf-8")
    with closing(build(load(tmp_path / "referee.toml"))) as app:
        yield Machine(app)


@pytest.mark.slow
def test_the_first_turn_is_played_as_written(machine: Machine) -> None:
    (game,) = (each for each in blocks(PAGE) if "CREATE STARWEB" in each)
    (orders,) = (each for each in blocks(PAGE) if "my orders" in each)
    steps = [*STEP.finditer(game), *STEP.finditer(orders)]
    assert len(steps) == 14
    for step in steps:
        machine.do(step)
    status = run("status").output
    assert re.search(r"^SW-1 +starweb +running +2 +2 of 2 ", status, re.MULTILINE)
    assert run("replay", "SW-1").output == "SW-1: 1 turn resolved again, identical\n"


@pytest.mark.slow
def test_the_doctor_marks_faults_with_the_word_of_the_page(machine: Machine) -> None:
    assert machine.app.settings.site.creators == ("gm@localhost",)
    (command,) = re.findall(r"referee referee (doctor .+)$", PAGE, re.MULTILINE)
    done = run(*command.split())
    (mark,) = re.findall(r"`referee doctor` marks each fault with (\w+)", PAGE)
    # Without a mail server on this machine, only sending is a fault.
    faults = [line.split()[0] for line in done.output.splitlines() if f" {mark} " in line]
    assert faults == ["smtp"]
    assert done.exit_code == 1
