"""The log of whole conversations, at every level, contains no private data."""

import logging
import re
import smtplib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import click
import pytest

from referee.app import build
from referee.cli.run import command
from referee.daemon import Daemon, logs
from referee.domain.mail_transfer import IncomingMail
from referee.plugins import installed_rulesets
from referee.settings import load
from referee.testing.conversation import Conversation, statements
from referee.testing.correspondents import Received
from tests.mail.scripted import Answer, Fault, ScriptedSmtp
from tests.mail.scripted_imap import ScriptedImap
from tests.support.examples import mostly_slow
from tests.support.ports import free_port

FOLDER = Path(__file__).parents[1] / "conversations"
CONVERSATIONS = ("set_address", "gamemaster", "machines", "press", "starweb_turns", "trust")
"""Conversations with codes, tokens, messages, GMs and automatic senders."""
(LEVELS,) = (
    tuple(option.type.choices)
    for option in command.params
    if option.name == "level" and isinstance(option.type, click.Choice)
)
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
TOKEN = f"s-{'abcdefghij' * 4}"
LETTER = f"""\
From: Frodo Baggins <frodo@shire.example>
To: games+{TOKEN}@example.org
Subject: Meet me at the Green Dragon
Message-ID: <ring-bearer@shire.example>

SW-1 [CERES], #1001, K7QX-M2PD
The ring goes to Mount Doom.
"""
PRIVATE = (
    *("shire.example", "you@example.org", "games@example.org", TOKEN, "Frodo", "Green Dragon"),
    *("K7QX", "Mount Doom", "ring-bearer"),
)
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[receiver]
port = {receiver}
[[imap]]
name = "games"
host = "127.0.0.1"
port = {imap}
security = "none"
user = "games@example.org"
password_file = "password"
[[maildir]]
name = "orders"
path = "incoming"
[sending]
kind = "smtp"
host = "127.0.0.1"
port = {smtp}
security = "none"
"""


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Restore the loggers afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("referee")
    handlers, levels = root.handlers[:], (root.level, ours.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


def texts(words: str) -> set[str]:
    """Return the lines of a text that are long enough to be unique."""
    return {line.strip() for line in words.splitlines() if len(line.strip()) > 15}


def told_by(conversation: Conversation, written: str) -> Iterator[str]:
    """Return all private data of a finished conversation."""
    yield from conversation.people
    for statement in statements(written):
        yield from texts("\n".join(statement.body))
    for person in conversation.people.values():
        for letter in person.got:
            yield from texts(letter.text)
            yield from secrets_of(letter)


def secrets_of(letter: Received) -> Iterator[str]:
    """Return the tokens in a letter of ours, and the security code."""
    token = letter.reply_to.partition("@")[0].partition("+")[2]
    yield from filter(None, (token, letter.message_id.strip("<>").partition("@")[0]))
    code = r"^  Security code: (\S+)|^    .*, #\d+, (\S+)$"
    yield from filter(None, chain(*re.findall(code, letter.text, re.MULTILINE)))


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("name", mostly_slow(CONVERSATIONS))
def test_the_log_of_a_conversation_has_nothing_private(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # The lowest level includes the events of all levels.
    logs.begin("debug")
    conversation = Conversation(installed_rulesets())
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    conversation.run(written)
    log = capsys.readouterr().err
    assert log.count('event="letter read"') > 0
    assert [words for words in told_by(conversation, written) if words in log] == []


def test_the_secrets_of_a_conversation_are_found() -> None:
    conversation = Conversation(installed_rulesets())
    written = (FOLDER / "starweb_turns.txt").read_text(encoding="utf-8")
    conversation.run(written)
    frodo = conversation.people["frodo@shire.example"]
    found = [secret for letter in frodo.got for secret in secrets_of(letter)]
    assert any(re.fullmatch(r"[A-Z0-9-]{4,}", secret) for secret in found)
    assert any(re.fullmatch(r"s-[a-z2-7]{40}", secret) for secret in found)
    assert "frodo@shire.example" in set(told_by(conversation, written))


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_log_of_failures_with_chatty_servers_has_nothing_private(
    level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.begin(level)
    quoting = f"<frodo@shire.example> games+{TOKEN}@example.org: no mail for you@example.org"
    script: dict[str, list[Answer]] = {
        "GREETING": ["220 ready", f"554 {quoting}", "220 ready"],
        "RCPT": [f"550 {quoting}", f"450 {quoting}"],
        "DOT": [f"554 {quoting}", Fault.DROP],
    }
    refusals = {"LOGIN": [f"NO [AUTHENTICATIONFAILED] {quoting}"]}
    with ScriptedSmtp(script) as smtp, ScriptedImap({1: LETTER.encode()}, refusals) as imap:
        _live_through(tmp_path, smtp.port, imap.port)
    log = capsys.readouterr().err
    assert "level=error" in log
    assert ("level=info" in log) == (level != "error")
    assert [words for words in PRIVATE if words in log] == []


def _live_through(folder: Path, smtp: int, imap: int) -> None:
    """Run a site that receives letters in every way, fails on some and answers others."""
    port = free_port()
    (folder / "referee.toml").write_text(SETTINGS.format(receiver=port, imap=imap, smtp=smtp))
    (folder / "password").write_text("K7QX")
    app = build(load(folder / "referee.toml"), installed_rulesets())
    daemon = Daemon(app)
    app.open_receiver()
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as client:
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            client.sendmail("frodo@shire.example", [f"games+{TOKEN}@example.org"], LETTER)
        client.sendmail("frodo@shire.example", ["games@example.org"], LETTER)
    for number in range(3):
        help_me = LETTER.replace("ring-bearer", str(number)) + "HELP\n"
        app.accept(IncomingMail("pipe", str(number), help_me.encode(), NOON))
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    daemon.sources.watch("games", stop, lambda: NOON)
    for hour in range(4):
        daemon.step(NOON + timedelta(hours=hour))
        daemon.send(NOON + timedelta(hours=hour))
    assert app.receiver is not None
    app.receiver.stop()
    app.close()
