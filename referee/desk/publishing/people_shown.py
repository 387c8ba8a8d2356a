"""The people and their words on the pages of a game: only of those who let this audience read them.

No address and no token is on a page, whoever wrote it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from referee.desk.base.forgotten import forgotten
from referee.desk.base.press_privacy import without_addresses
from referee.desk.games.revealing import on_pages, unnamed
from referee.desk.orders import real_names
from referee.desk.players.privacy import redacted
from referee.desk.publishing.openness import Audience, Openness
from referee.desk.reports.game_archive import writer_of
from referee.desk.reports.press_delivery import addressees
from referee.domain.revealed_parts import RevealedPart
from referee.letters.outgoing.local_time import Moment
from referee.pages.document import Words
from referee.store import Session
from referee.store.games import attendance, diaries, press
from referee.store.models import Game
from referee.store.people import agreements


@dataclass(frozen=True, slots=True)
class Written:
    """A text by a player from a *turn*, which the audience may read: a message or a diary entry."""

    turn: int
    words: Words
    is_diary: bool


def who_was_who(session: Session, game: Game, opened: Openness) -> tuple[str, ...]:
    """Return the seats with the real names of those who let the audience read them."""
    hidden, played = set(unnamed(session, game)), attendance.stints(session, game)
    if opened.audience is not Audience.PLAYERS:
        people = {row.person_id for row in game.seats} | {each.person.id for each in played}
        hidden |= {person for person in people if person is not None} - on_pages(session, game)
    return real_names.listed(game.seats, hidden, forgotten(session, game), played)


def written(session: Session, game: Game, opened: Openness) -> tuple[Written, ...]:
    """Return the messages and diaries that the audience may read, each kind in its order."""
    if not opened.has_words:
        return ()
    agreeing = agreements.deviating(session, game, RevealedPart.PRESS)
    keeping = agreements.deviating(session, game, RevealedPart.DIARY)
    entries = [each for each in diaries.of_game(session, game) if each.person_id not in keeping]
    if opened.audience is not Audience.PLAYERS:
        on_them = on_pages(session, game)
        agreeing &= on_them
        entries = [each for each in entries if each.person_id in on_them]
    messages = press.to_reveal(session, game, agreeing)
    return (*_messages(game, messages), *_entries(game, entries))


def _messages(game: Game, messages: list[press.Press]) -> Iterator[Written]:
    for item in messages:
        sender = writer_of(game, item.sender, item.letter.holder_id)
        head = f"{sender} to {addressees(game, item)}"
        yield Written(item.turn, Words(head, safe(item.text)), is_diary=False)


def _entries(game: Game, entries: list[diaries.DiaryEntry]) -> Iterator[Written]:
    for entry in entries:
        writer = writer_of(game, entry.seat_number, entry.person_id)
        head = f"{writer}, {Moment(entry.written_at, 'UTC')}"
        yield Written(entry.turn, Words(head, safe(entry.text)), is_diary=True)


def safe(text: str) -> str:
    """Return a text for a page, without what could be an address, a security code or a token."""
    return without_addresses(redacted(text))
