"""Attacks on the disk: letters that are long, or sent to many addresses."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from referee.app import App, build
from referee.desk.base.desk import Desk
from referee.desk.reception import intake, quotas
from referee.domain.mail_transfer import IncomingMail
from referee.domain.trust import ReturnToken, SeatToken, sign
from referee.errors import OverQuota
from referee.settings import load
from referee.store.models import InboxLetter, InboxState, OutboxLetter
from referee.testing.conversation import ADDRESS
from tests.attacks.siege import FRODO, Siege
from tests.mail.wire import Wire
from tests.store.rows import a_running_game, a_seat

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
SETTINGS = """
[site]
address = "games@referee.example"
operator = "operator@referee.example"
[sending]
kind = "maildir"
path = "sent"
[receiver]
port = 8025
[limits]
sender_bytes_a_day = 10_000_000
intake_bytes_a_day = 24_000_000
"""
LONG = b"From: x@y.example\r\nSubject: long\r\n\r\n" + bytes(range(32, 122)) * 60_000


@pytest.fixture
def app(tmp_path: Path) -> App:
    """Return a site with a receiver that is not started."""
    (tmp_path / "referee.toml").write_text(SETTINGS)
    return build(load(tmp_path / "referee.toml"))


def letter(sender: str, recipient: str = "games@referee.example", number: str = "") -> IncomingMail:
    """Return a letter of a megabyte."""
    raw = f"From: {sender}\r\nSubject: {number}\r\n\r\n".encode() + b"x\r\n" * 333_000
    return IncomingMail("smtp", f"{sender} {recipient} {number}", raw, NOON, sender, recipient)


def flood(site: App, *arrivals: IncomingMail) -> int:
    """Deliver letters, and return how many were refused."""
    refused = 0
    for arrival in arrivals:
        try:
            site.accept(arrival)
        except OverQuota:
            refused += 1
    return refused


def warnings(site: App) -> list[str]:
    with site.store.read() as session:
        return [row.recipient for row in session.scalars(select(OutboxLetter))]


def a_player(site: App) -> tuple[str, str]:
    """Add a player; return their address, and the one that they reply to."""
    with site.store.write() as session:
        seat = a_seat(session, a_running_game(session))
        assert seat.person is not None
        token = sign(SeatToken(seat.id, seat.epoch, "report1", 1), site.site.key)
        return seat.person.address, f"games+{token}@referee.example"


def test_a_flood_of_one_sender_is_refused_and_stops_nobody_else(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        assert flood(app, *(letter("x@y.example", number=f"{n}") for n in range(15))) == 6
        assert warnings(app) == ["operator@referee.example"]
        assert flood(app, letter(player, reply)) == 0
        assert flood(app, letter("frodo@shire.example")) == 0


def test_a_flood_to_the_reply_address_of_another_is_charged_to_its_sender(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        assert flood(app, *(letter("x@y.example", reply, f"{n}") for n in range(15))) == 6
        assert flood(app, *(letter(player, reply, f"{n}") for n in range(9))) == 0


def test_a_flood_of_many_senders_leaves_half_for_replies(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        assert flood(app, *(letter(f"{n}@y.example") for n in range(15))) == 4
        assert warnings(app) == ["operator@referee.example"]
        assert flood(app, *(letter(player, reply, f"{n}") for n in range(9))) == 0


def test_a_quota_is_fresh_the_next_day(app: App) -> None:
    with closing(app), app.store.write() as session:
        desk = Desk(session, app.site, NOON)
        quotas.charge(desk, [letter("x@y.example")] * 9)
        with pytest.raises(OverQuota):
            quotas.charge(desk, [letter("x@y.example")])
        quotas.charge(replace(desk, now=NOON + timedelta(days=1)), [letter("x@y.example")] * 9)


def stored(siege: Siege) -> int:
    """Return the number of bytes of all letters that came."""
    with siege.store.read() as session:
        return session.scalar(select(func.sum(func.length(InboxLetter.stored)))) or 0


def test_a_plus_address_without_a_token_of_ours_is_rejected(app: App) -> None:
    token = sign(ReturnToken(7, "report4"), app.site.key)
    forged = sign(SeatToken(1, 1, "report4"), b"x" * 32)
    assert app.receiver is not None
    app.receiver.port = 0
    with closing(app):
        app.open_receiver()
        with Wire(("127.0.0.1", app.receiver.port)) as wire:
            wire.hear()
            wire.ask(b"EHLO test")
            wire.ask(b"MAIL FROM:<a@b.example>")
            names = ["games", f"games+{token}", f"GAMES+{token.upper()}"]
            names += ["games+1", "games+", f"games+{forged}", "x"]
            asked = [f"RCPT TO:<{name}@referee.example>".encode() for name in names]
            answers = [wire.ask(words)[:3] for words in asked]
        app.receiver.stop()
    assert answers == ["250"] * 3 + ["550"] * 4


def test_a_long_letter_to_a_hundred_addresses_takes_little_disk_space() -> None:
    siege = Siege()
    before = stored(siege)
    for n in range(100):
        arrival = IncomingMail("smtp", f"long/{n}", LONG, siege.now, "x@y.example", ADDRESS)
        with siege.store.write() as session:
            intake.accept(session, arrival)
    siege.later(minutes=1)
    assert stored(siege) - before < 100_000
    with siege.store.read() as session:
        letters = session.scalars(select(InboxLetter).where(InboxLetter.source_id > "long/"))
        found = {(letter.state, letter.note, letter.size) for letter in letters}
    assert found == {(InboxState.IGNORED, "too big", len(LONG))}


def test_the_beginning_of_a_long_letter_is_not_carried_out() -> None:
    siege = Siege()
    before = siege.picture()
    to = siege.last(FRODO, "T1").reply_to
    siege.raw(f"From: {FRODO}\nTo: {to}\n\nENDING 1000\n" + "x\n" * 2_000_000, to)
    assert siege.picture() == before
