"""Attacks on the disk: letters that are long, or sent to many addresses."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from referee.app import App, build
from referee.clock import now
from referee.desk.base import codes, ledger
from referee.desk.base.codes import hash_code
from referee.desk.base.desk import Desk
from referee.desk.reception import intake
from referee.desk.seats.address_switch import expire_tokens
from referee.domain.mail_transfer import IncomingMail
from referee.domain.shares import Charge, Key, Thing
from referee.domain.tokens import Kind, Place, Token, sign
from referee.errors import OverQuota
from referee.letters.incoming.decode import decode
from referee.settings import load
from referee.store.letter_states import InboxState
from referee.store.models import InboxLetter, OutboxLetter, SeatRow
from referee.store.people import people
from referee.testing.conversation import ADDRESS
from tests.attacks.siege import FRODO, Siege
from tests.letters.signing import COVERED, signed
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
disk_a_day = 200_000_000
[trust]
dns = false
authserv_ids = ["mx.referee.example"]
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


def small(
    sender: str, recipient: str = "games@referee.example", number: str = "", network: str = ""
) -> IncomingMail:
    """Return a letter of 60 kB."""
    arrival = letter(sender, recipient, f"small {number}")
    return replace(arrival, raw=arrival.raw[:60_000], network=network)


def flood(site: App, *arrivals: IncomingMail) -> int:
    """Deliver letters, and return how many were refused."""
    refused = 0
    for arrival in arrivals:
        try:
            site.accept(arrival)
        except OverQuota:
            refused += 1
    return refused


def sent_by_others(site: App, octets: int, network: str = "a network") -> None:
    """Book octets of small letters that others sent today from a network, who prove nothing."""
    with site.store.write() as session:
        charge = Charge(Thing.OCTETS_KEPT, {Key.ANYBODY: "", Key.NETWORK: network}, octets)
        ledger.book(Desk(session, site.site, now()), charge)


def warnings(site: App) -> list[str]:
    with site.store.read() as session:
        return [row.recipient for row in session.scalars(select(OutboxLetter))]


def a_player(site: App) -> tuple[str, str]:
    """Add a player; return their address, and the one that they reply to."""
    with site.store.write() as session:
        seat = a_seat(session, a_running_game(session))
        assert seat.person is not None
        seat.person.address = "player@shire.example"
        return seat.person.address, reply_to(site, seat)


def reply_to(site: App, seat: SeatRow) -> str:
    """Return the address that the player of a seat replies to."""
    token = Token(Kind.SEAT, seat.id, seat.epoch, 1, "report1")
    return f"games+{sign(token, Place.REPLY_TO, site.site.key)}@referee.example"


def tokens_replaced(site: App) -> str:
    """Replace the tokens of the player, and return the address that they reply to."""
    with site.store.write() as session:
        (seat,) = session.scalars(select(SeatRow))
        assert seat.person is not None
        expire_tokens(session, seat.person)
        return reply_to(site, seat)


def test_a_flood_of_large_letters_stops_no_reply_and_no_small_letter(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        assert flood(app, *(letter("x@y.example", number=f"{n}") for n in range(20))) == 5
        assert warnings(app) == ["operator@referee.example"]
        assert flood(app, letter(player, reply)) == 0
        assert flood(app, small("frodo@shire.example"), small(player)) == 0


@pytest.mark.slow
def test_a_flood_to_the_reply_address_of_another_is_not_charged_to_its_owner(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        assert flood(app, *(letter("x@y.example", reply, f"{n}") for n in range(20))) == 5
        assert flood(app, *(letter(player, reply, f"{n}") for n in range(9))) == 0


@pytest.mark.slow
def test_the_operator_reads_whose_quota_is_used_up(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        assert flood(app, *(letter(player, reply, f"{n}") for n in range(27))) == 4
        with app.store.read() as session:
            told = [decode(row.raw).text for row in session.scalars(select(OutboxLetter))]
        whose = [" ".join(text.split()) for text in told]
        assert any("are used up by the player of SEAT1 of SW-1." in text for text in whose)
        assert any("are used up by everyone who proves nothing" in text for text in whose)


@pytest.mark.slow
def test_a_thief_of_a_reply_address_does_not_close_the_door_to_its_owner(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        flood(app, *(letter(player, reply, f"{n}") for n in range(27)))
        assert flood(app, letter(player, reply)) == 1
        # SET TOKENS NEW is small, and is paid as if it had no reply address.
        assert flood(app, small(player, reply), small(player)) == 0
        new = tokens_replaced(app)
        assert flood(app, *(letter(player, new, f"new {n}") for n in range(9))) == 0
        assert flood(app, letter(player, reply, "old")) == 1


@pytest.mark.slow
def test_forged_letters_of_one_network_leave_the_door_open_to_others(app: App) -> None:
    with closing(app):
        player, _ = a_player(app)
        there, elsewhere = "8.8.8.0/24", "9.9.9.0/24"
        sent_by_others(app, 15_000_000, there)
        forged = (small(player, number=f"{n}", network=there) for n in range(9))
        assert flood(app, *forged) == 3
        assert flood(app, small(player, number="own", network=there)) == 1
        assert flood(app, small(player, number="own", network=elsewhere)) == 0


@pytest.mark.release
def test_large_signed_letters_of_strangers_leave_newcomers_the_door(app: App) -> None:
    with closing(app):
        signed = [proven(f"s{n}@y{n % 7}.example", f"{n}") for n in range(80)]
        assert flood(app, *signed) == 0
        assert flood(app, small("newcomer@far.example")) == 0


@pytest.mark.slow
def test_a_flood_of_many_senders_leaves_the_rest_for_replies(app: App) -> None:
    with closing(app):
        player, reply = a_player(app)
        sent_by_others(app, 50_000_000)
        assert flood(app, *(small(f"{n}@y.example") for n in range(9))) == 9
        assert warnings(app) == ["operator@referee.example"]
        assert flood(app, *(letter(player, reply, f"{n}") for n in range(9))) == 0


def proven(sender: str, number: str) -> IncomingMail:
    """Return a letter of a megabyte that the domain of its sender signed, as our server found."""
    domain = sender.partition("@")[2]
    head = f"From: {sender}\r\nTo: games@referee.example\r\nSubject: {number}\r\n"
    dated = f"Date: Tue, 01 Sep 2026 11:59:00 +0000\r\nMessage-ID: <{number}@{domain}>\r\n"
    kind = "Content-Type: text/plain\r\nContent-Transfer-Encoding: 7bit\r\n"
    covered = (*COVERED, b"content-type", b"content-transfer-encoding")
    raw = f"{head}{dated}{kind}\r\n".encode() + (b"x" * 58 + b"\r\n") * 16_666
    raw = signed(raw, domain, covered=covered)
    found = f"mx.referee.example; dkim=pass header.d={domain} header.s=s"
    raw = f"Authentication-Results: {found}\r\n".encode() + raw
    return IncomingMail("smtp", f"{sender} {number}", raw, NOON, sender, "games@referee.example")


def coded(sender: str, code: str, number: str) -> IncomingMail:
    """Return a letter of a megabyte with a security code."""
    arrival = letter(sender, number=number)
    return replace(
        arrival, raw=arrival.raw.replace(b"\r\nx", f"\r\nSW-1 T1 #1, {code}".encode(), 1)
    )


def code_of(site: App, address: str) -> str:
    """Change a player's security code, and return the new one."""
    with site.store.write() as session:
        person = people.by_address(session, address)
        assert person is not None
        person.code_hash = hash_code("K7QXABCD", person.code_salt)
    return "K7QXABCD"


@pytest.mark.slow
def test_a_flood_of_forged_letters_leaves_the_proven_ones_a_quota_of_their_own(app: App) -> None:
    with closing(app):
        player, _ = a_player(app)
        code = code_of(app, player)
        sent_by_others(app, 50_000_000)
        assert flood(app, small(player), letter(player)) == 2
        assert flood(app, *(proven(player, f"{n}") for n in range(4))) == 0
        assert flood(app, *(coded(player, code, f"c{n}") for n in range(4))) == 0
        assert flood(app, *(proven(player, f"{n}") for n in range(8, 15))) == 6
        assert flood(app, coded(player, "AAAA2222", "wrong")) == 1


@pytest.mark.slow
def test_a_flood_of_many_senders_leaves_the_rest_for_proven_letters(app: App) -> None:
    with closing(app):
        player, _ = a_player(app)
        sent_by_others(app, 50_000_000)
        assert flood(app, *(small(f"{n}@y.example") for n in range(9))) == 9
        assert flood(app, proven(player, "1")) == 0
        assert flood(app, proven("stranger@y.example", "1")) == 0


@pytest.mark.slow
def test_copies_of_a_proven_letter_use_up_no_quota_of_its_owner(app: App) -> None:
    with closing(app):
        player, _ = a_player(app)
        sent_by_others(app, 50_000_000)
        assert flood(app, proven(player, "1")) == 0
        with app.store.write() as session:
            row = session.scalars(select(InboxLetter).order_by(InboxLetter.id.desc())).first()
            assert row is not None
            row.state, row.message_id = InboxState.READ, decode(row.raw).message_id
        copy = replace(proven(player, "1"), source_id="again")
        assert flood(app, copy) == 1


@pytest.mark.slow
def test_wrong_codes_in_refused_letters_are_counted(app: App) -> None:
    with closing(app):
        player, _ = a_player(app)
        sent_by_others(app, 50_000_000)
        assert flood(app, *(coded(player, f"AAAA22{n}", f"{n}") for n in range(22, 25))) == 3
        with app.store.read() as session:
            person = people.by_address(session, player)
            assert person is not None
            assert ledger.used(session, codes.guesses(person), NOON) == 3


def test_a_quota_is_fresh_the_next_day(app: App) -> None:
    with closing(app), app.store.write() as session:
        desk = Desk(session, app.site, NOON)
        intake.charge(desk, [letter("x@y.example")] * 15)
        with pytest.raises(OverQuota):
            intake.charge(desk, [letter("x@y.example")])
        intake.charge(replace(desk, now=NOON + timedelta(days=1)), [letter("x@y.example")] * 15)


def stored(siege: Siege) -> int:
    """Return the number of bytes of all letters that came."""
    with siege.store.read() as session:
        return session.scalar(select(func.sum(func.length(InboxLetter.stored)))) or 0


def test_a_plus_address_without_a_token_of_ours_is_rejected(app: App) -> None:
    token = sign(Token(Kind.RETURN, 7, letter="report4"), Place.RETURN_PATH, app.site.key)
    forged = sign(Token(Kind.SEAT, 1, 1, letter="report4"), Place.REPLY_TO, b"x" * 32)
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


@pytest.mark.slow
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


def test_a_long_letter_is_not_carried_out_and_a_person_reads_why() -> None:
    siege = Siege()
    before = siege.picture()
    to = siege.last(FRODO, "T1").reply_to
    letter = f"From: {FRODO}\nTo: {to}\n\nENDING 1000\n" + "x\n" * 2_000_000
    siege.raw(letter, to)
    assert siege.picture() == before
    assert siege.last(FRODO, "too big to be read").text.startswith("Nothing in your email was done")
    count = len(siege.person(FRODO).got)
    siege.raw(f"Auto-Submitted: auto-replied\n{letter}", to)
    assert len(siege.person(FRODO).got) == count
