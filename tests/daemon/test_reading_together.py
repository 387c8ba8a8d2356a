"""Letters read in one transaction have the same effects as letters read separately."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from referee.daemon import inbox_reader
from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail, OutgoingMail
from referee.plugins import installed_rulesets
from referee.testing.conversation import ADDRESS, Conversation
from referee.testing.correspondents import signed

GM = "gm@example.org"
PLAYERS = [f"{name}@shire.example" for name in ("frodo", "sam", "merry", "pippin")]
WRITERS = [GM, *PLAYERS]
ROUNDS = (
    # Nothing changes in the game or for any player.
    ("LIST", "ENDING 8000", "STATUS", "CHECK\nENDING 7000", "HELP"),
    # Changes by one letter are visible to the next ones.
    ("OPTION GRACE 2 hours", "FINAL", "STATUS", "SET ZONE Asia/Tokyo\nFINAL", "ENDING 9000"),
    ("STATUS", "VOTE DRAW", "VOTE DRAW YES\nSTATUS", "ENDING 8000", "VOTE DRAW NO\nSTATUS"),
    ("UNDO", "ABSENT from 2026-09-02 to 2026-09-05", "STATUS", "SET ZONE UTC", "AWAY"),
    ("PROMOTE sam@shire.example", "STATUS", "SET HTML OFF\nSTATUS", "RESIGN", "STATUS"),
    ("CONFIRM", "STATUS", "STATUS", "CONFIRM", "STATUS"),
    ("STATUS", "STATUS", "STATUS", "STATUS", "FORGET ME"),
    ("HOLD", "STATUS", "STATUS", "STANDBY", "CONFIRM"),
    ("RESUME", "STATUS", "STATUS", "STATUS", "HELP"),
    # After the last letter, all are ready.
    ("STATUS", "STATUS", "FINAL", "STATUS", "FINAL"),
    ("STATUS", "FINAL", "STATUS", "STATUS", "STATUS"),
)


def play(together: int, monkeypatch: pytest.MonkeyPatch) -> list[OutgoingMail]:
    """Play with batches of *together* letters, and return all mail that was sent."""
    monkeypatch.setattr(inbox_reader, "MAX_TOGETHER", together)
    with closing(Conversation(installed_rulesets())) as talk:
        begin(talk)
        for bodies in ROUNDS:
            write(talk, bodies)
        return talk.mailed


def begin(talk: Conversation) -> None:
    """Begin the game of all players."""
    create = f'CREATE STARWEB SEATS {len(PLAYERS)} DEADLINE "72 hours" OPTION early=0'
    talk.arrive(talk.person(GM).letter(ADDRESS, "", create, talk.now, {}))
    for number, player in enumerate(PLAYERS):
        join = f"JOIN SW-1 HOBBIT{'ABCD'[number]} AS Empire Builder"
        talk.arrive(talk.person(player).letter(ADDRESS, "", join, talk.now, {}))


def write(talk: Conversation, bodies: Sequence[str]) -> None:
    """Make everyone reply to their last letter before any reply is read."""
    for writer, body in zip(WRITERS, bodies, strict=True):
        person = talk.person(writer)
        raw = signed(person.reply(person.got[-1], body, talk.now, {}))
        with talk.store.write() as session:
            intake.accept(
                session,
                IncomingMail("wait", f"{writer} {body} {talk.now}", raw, talk.now, "", ADDRESS),
            )
    talk.pass_to(talk.now.replace(minute=talk.now.minute + 1))


@pytest.mark.slow
@pytest.mark.sqlite("only there letters are read together")
def test_letters_read_together_have_the_same_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, together = play(1, monkeypatch), play(8, monkeypatch)
    assert [(each.recipient, each.raw) for each in together] == [
        (each.recipient, each.raw) for each in alone
    ]
    assert any(b"turn 1 resolved" in each.raw for each in alone)


@pytest.mark.slow
@pytest.mark.sqlite("only there letters are read together")
def test_letters_read_together_load_their_seats_in_one_query() -> None:
    loaded = list[str]()

    def note(*given: Any) -> None:
        loaded.extend(given[2:3] if "FROM seats JOIN games" in given[2] else ())

    with closing(Conversation(installed_rulesets())) as talk:
        begin(talk)
        event.listen(Engine, "before_cursor_execute", note)
        write(talk, ROUNDS[0])
        event.remove(Engine, "before_cursor_execute", note)
    assert len(loaded) == 1
