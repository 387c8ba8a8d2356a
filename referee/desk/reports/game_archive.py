"""The archive of a game that has ended, as text: who was who, what GMs changed, and all words."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.desk.base.forgotten import forgotten
from referee.desk.base.loaded_games import seat_name
from referee.desk.base.press_privacy import without_addresses
from referee.desk.games.record import decisions, record_of
from referee.desk.games.revealing import unnamed
from referee.desk.orders import real_names
from referee.desk.reports.press_delivery import addressees
from referee.domain.revealed_parts import RevealedPart
from referee.letters.outgoing.layout import pressed
from referee.letters.outgoing.local_time import Moment
from referee.store import Session
from referee.store.games import attendance, diaries, games, press
from referee.store.games.diaries import DiaryEntry
from referee.store.games.press import Press
from referee.store.models import Game, TurnRow
from referee.store.people import agreements


@dataclass(slots=True)
class _Turn:
    """The texts of players, by turn and kind."""

    orders: TurnRow | None = None
    messages: list[Press] = field(default_factory=list)
    entries: list[DiaryEntry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Archive:
    """The archive of a game, and how many turns, messages and entries it has."""

    text: str
    turns: int
    messages: int
    entries: int


def archive_of(session: Session, game: Game) -> Archive:
    """Return the archive: the diaries that are not kept, and the messages whose writers agree.

    Unsigned messages are never in it: if only one player agrees, they would not be anonymous. Nor
    are messages to the GM and those of the GM. No address is in it: it could be a third person's.
    """
    agreeing = agreements.deviating(session, game, RevealedPart.PRESS)
    keeping = agreements.deviating(session, game, RevealedPart.DIARY)
    messages = press.to_reveal(session, game, agreeing)
    entries = [each for each in diaries.of_game(session, game) if each.person_id not in keeping]
    resolved = [row for row in games.turns_of(session, game) if row.sheets is not None]
    turns = _by_turn(resolved, messages, entries)
    people = "\n".join(
        real_names.listed(
            game.seats,
            unnamed(session, game),
            forgotten(session, game),
            attendance.stints(session, game),
        )
    )
    decided = "\n".join(decisions(record_of(session, game)))
    by_gms = [f"CORRECTIONS AND ROLLBACKS\n{decided}"] if decided else []
    parts = [f"WHO WAS WHO\n{people}", *by_gms, *_parts(game, turns)]
    return Archive("\n\n".join(parts), len(resolved), len(messages), len(entries))


def _by_turn(
    resolved: Sequence[TurnRow], messages: Sequence[Press], entries: Sequence[DiaryEntry]
) -> Mapping[int, _Turn]:
    turns: defaultdict[int, _Turn] = defaultdict(_Turn)
    for row in resolved:
        turns[row.number].orders = row
    for item in messages:
        turns[item.turn].messages.append(item)
    for entry in entries:
        turns[entry.turn].entries.append(entry)
    return turns


def _parts(game: Game, turns: Mapping[int, _Turn]) -> Iterator[str]:
    """Yield the texts, turn by turn. All words of players are marked like press."""
    for number, turn in sorted(turns.items()):
        yield f"TURN {number}"
        if turn.orders is not None:
            yield from _orders(game, turn.orders)
        for item in turn.messages:
            sender = writer_of(game, item.sender, item.letter.holder_id)
            head = f"PRESS FROM {sender} TO {addressees(game, item)}"
            yield f"{head}\n{_words(item.text)}"
        for entry in turn.entries:
            writer = writer_of(game, entry.seat_number, entry.person_id)
            head = f"DIARY OF {writer}, {Moment(entry.written_at, 'UTC')}"
            yield f"{head}\n{_words(entry.text)}"


def _words(text: str) -> str:
    return pressed(without_addresses(text))


def _orders(game: Game, row: TurnRow) -> Iterator[str]:
    for seat in game.seats:
        orders = (row.sheets or {}).get(str(seat.number))
        if orders:
            sent = ", who sent none" if seat.number in (row.missed or ()) else ""
            lines = "\n".join(map(pressed, orders))
            yield f"ORDERS OF {seat.name}{sent}\n{lines}"


def writer_of(game: Game, number: int, person: int | None) -> str:
    """Return the name of a seat, and whether another player holds it now."""
    holder = next(row.person_id for row in game.seats if row.number == number)
    return seat_name(game, number) + ("" if holder == person else ", an earlier player")
