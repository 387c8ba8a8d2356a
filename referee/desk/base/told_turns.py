"""The events of turns on file, and the views of reports that tell them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from referee.desk.base.loaded_games import LoadedGame, Showing
from referee.rules.news import headline, news_of, with_log
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.views import Block, Log, View
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, TurnRow


def rows_of(events: Iterable[Event]) -> list[Any]:
    """Return events as ``referee.store.models.TurnRow`` keeps them."""
    return [
        [
            event.text,
            sorted(event.audience) if event.audience is not None else None,
            event.weight.name,
            event.places,
            event.heading,
            event.told,
        ]
        for event in events
    ]


def events_of(turn: TurnRow) -> tuple[Event, ...]:
    """Return the events of a resolved turn; a row of a text and an audience is a note."""
    return tuple(map(_event, turn.events or ()))


def _event(row: Sequence[Any]) -> Event:
    text, audience, weight, places, heading, told = (*row, "NOTE", (), "", "")[:6]
    heard = frozenset(map(Seat, audience)) if audience is not None else None
    return Event(text, heard, Weight[weight], tuple(places), heading, told)


def told_by(session: Session, game: Game, number: int) -> Sequence[TurnRow]:
    """Return the turns that the report of a turn tells: the one before it, and those of robots.

    The first report tells none.
    """
    told = games.told_in(session, game, number)
    return told or before(session, game, number)


def has_report(session: Session, game: Game, number: int) -> bool:
    """Return whether a turn had a report: it has none if robots played it at once."""
    return number == 1 or before(session, game, number)[0].told_turn == number


def before(session: Session, game: Game, number: int) -> Sequence[TurnRow]:
    """Return the turn before a turn, which its public report tells; the first one tells none."""
    return [games.turn_of(session, game, number - 1)] if number > 1 else []


def news(told: Iterable[TurnRow], seat: Seat | None) -> Sequence[Event]:
    """Return the news of a seat, or of an observer, in the turns that a report tells."""
    return news_of((event for turn in told for event in events_of(turn)), seat)


def opened(table: LoadedGame, to: Showing, told: Sequence[TurnRow]) -> View:
    """Return the view as ``shown`` does, below the news."""
    return (*headline(news(told, to.seat)), *shown(table, to, told))


def shown(table: LoadedGame, to: Showing, told: Sequence[TurnRow]) -> View:
    """Return the view of a loaded game with the logs of the turns that the report tells.

    That of the last one has its place in the view; those before it come first.
    """
    view = table.show(to)
    earlier = (block for turn in told[:-1] for block in _log(view, turn, to.seat))
    last = events_of(told[-1]) if told else ()
    return (*earlier, *with_log(view, last, to.seat))


def _log(view: View, turn: TurnRow, seat: Seat | None) -> Iterator[Block]:
    places = tuple(block for block in view if isinstance(block, Log))
    for block in with_log(places, events_of(turn), seat):
        yield replace(block, title=f"{block.title} in turn {turn.number}")
