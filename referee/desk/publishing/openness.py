"""Rights to read a game: everyone reads what is public by email, its players also the rest.

A private game is never public, nor a game for one. Of a running game, everyone reads what LIST and
RULES say, and with observers the report that OBSERVE brings. Of a game that has ended, everyone
reads the public reports if it takes observers, and the archive if its GM has revealed it.
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import house_options
from referee.desk.base.private_games import is_private
from referee.desk.games.attendance import reliability_of_game
from referee.desk.games.missing_orders import lacks_sheet
from referee.desk.games.revealing import is_revealed
from referee.desk.reports.public_reports import readable
from referee.pages.drawing import version
from referee.store import Session
from referee.store.games import attendance, audit, diaries, games, press
from referee.store.models import Game, GameStatus, SeatRow
from referee.store.people import agreements

_LISTED: Final = (GameStatus.FORMING, GameStatus.RUNNING)


class Audience(Enum):
    """The readers of the pages of a game."""

    EVERYONE = "everyone"
    OBSERVERS = "observers"
    """The observers of a game that has ended: what everyone may read, also of a private game."""
    PLAYERS = "players"
    """The players and GMs of a game that has ended."""


@dataclass(frozen=True, slots=True)
class Openness:
    """An audience's rights to read a game; *reports* are the turns with their public reports."""

    audience: Audience
    reports: range
    has_maps: bool = False
    """Whether the audience may see the true maps of all turns, and what happened to each seat."""
    has_words: bool = False
    """Whether the audience may read the messages and diaries of those who agree."""


def openness(session: Session, game: Game, audience: Audience) -> Openness | None:
    """Return the audience's rights to read the game, or None if it has no page for them."""
    if audience is Audience.PLAYERS:
        is_over = game.status is GameStatus.ENDED and game.last_turn > 0
        every = range(1, game.turn + 1)
        words = is_over and is_revealed(session, game)
        return Openness(audience, every, has_maps=True, has_words=words) if is_over else None
    observed = game.observers_behind is not None
    if audience is Audience.OBSERVERS:
        is_over = game.status is GameStatus.ENDED and observed
        return _of_ended(session, game, audience) if is_over else None
    if is_private(game) or game.for_one:
        return None
    if game.status is GameStatus.ENDED:
        return _of_ended(session, game, audience)
    if game.status not in _LISTED and not observed:
        return None
    # OBSERVE brings the newest report that can be read, and none from before.
    newest = readable(game) if observed and game.turn else 0
    return Openness(audience, range(max(newest, 1), newest + 1))


def _of_ended(session: Session, game: Game, audience: Audience) -> Openness | None:
    observed, revealed = game.observers_behind is not None, is_revealed(session, game)
    if not game.last_turn or not (observed or revealed):
        return None
    reports = range(1, game.turn + 1) if observed else range(0)
    return Openness(audience, reports, has_maps=revealed, has_words=revealed)


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game that has pages for everyone, and what they may read of it."""

    game: Game
    opened: Openness


def shown(session: Session) -> list[PublicGame]:
    """Return the games that have pages for everyone, in the order they were created."""
    return [
        PublicGame(game, opened)
        for game in games.listing(session)
        if (opened := openness(session, game, Audience.EVERYONE)) is not None
    ]


def mark(session: Session, site: Site, game: Game, opened: Openness) -> str:
    """Return a mark that changes whenever something on the pages of the game can have changed.

    It is keyed, so that nobody can try out in it what the pages leave out. The edition of the rules
    is its end; without rules, it is the beginning of the mark that it would be.
    """
    running = game.status is not GameStatus.ENDED
    known = (
        version(),
        (site.composer.name, site.address, site.zone, site.pages),
        opened,
        (game.status, game.turn, game.rollbacks, game.title, game.places),
        (game.deadline_at, game.schedule, game.observers_behind, game.ended_at),
        (game.starts_at, game.call_off_at, game.options, game.options_of_house, game.rules_version),
        (game.rules_changed_turn, game.press_rules, game.trust, game.missed_limit, game.standby),
        (game.reminders, game.grace_seconds, game.extension_seconds, game.bank_seconds),
        [_seat(row) for row in game.seats],
        games.running_digest(session, game) if running and game.turn else "",
        [*_owing(session, game)] if running and house_options(game)["awaited"] else (),
        reliability_of_game(session, game).percent if running else None,
        [(note.what, note.told_turn) for note in audit.public_after(session, game, -1)],
        [(item.text, item.delivered_turn) for item in press.all_of_masters(session, game)],
        () if running else _decided(session, game),
        () if running else [_stint(each) for each in attendance.stints(session, game)],
    )
    made = hmac.digest(site.key, repr(known).encode(), hashlib.sha256).hex()[:32]
    rules = site.rulesets.get(game.ruleset)
    return f"{made} {rules.info.edition}." if rules is not None else made


def _seat(row: SeatRow) -> tuple[object, ...]:
    name = row.person.name if row.person is not None else ""
    return row.number, row.name, row.person_id, name, row.robot, row.eliminated


def _owing(session: Session, game: Game) -> Iterator[int]:
    """Yield the seats without orders, among them all whose orders are awaited."""
    yield from (row.number for row in game.seats if lacks_sheet(session, game, row))


def _stint(stint: attendance.Stint) -> tuple[object, ...]:
    return stint.seat, stint.person.id, stint.person.name, stint.first, stint.last


def _decided(session: Session, game: Game) -> tuple[object, ...]:
    decided = agreements.every(session, game)
    entries = [(each.id, each.person_id) for each in diaries.of_game(session, game)]
    people = {person for person, _part, agrees in decided if agrees}
    return decided, entries, [item.id for item in press.to_reveal(session, game, people)]
