"""The story of a game that has ended: the news of a seat turn by turn, and what others lost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.desk.base.told_turns import events_of
from referee.desk.publishing.page_parts import GamePages, turn_title
from referee.desk.publishing.people_shown import safe
from referee.pages.document import Episode, Link, Section, Told
from referee.rules.news import heard
from referee.rules.ruleset import Event, Weight
from referee.store.games import games

_MOST_OWN: Final = 4
_MOST_ELSEWHERE: Final = 2


def story(
    pages: GamePages, links: Sequence[Sequence[Link]], colours: Mapping[str, str]
) -> Iterator[Section]:
    """Yield the turns of which the reader has something to read, each with its links.

    The turns are numbered as their reports, and *links* has those of each, from turn 1. *colours*
    are those of the seats by name.
    """
    title = "The story"
    for turn, beside in enumerate(links[1:], 2):
        told = _told(pages, turn, colours)
        if told.own or told.elsewhere:
            yield Section(replace(told, links=tuple(beside)), title)
            title = ""


def _told(pages: GamePages, turn: int, colours: Mapping[str, str]) -> Episode:
    events = _by_weight(events_of(games.turn_of(pages.session, pages.game, turn - 1)))
    head = turn_title(pages.game, turn)
    own = _own(pages, turn, events)[:_MOST_OWN]
    elsewhere = _elsewhere(pages, events, colours)[:_MOST_ELSEWHERE]
    return Episode(head, (), tuple(own), tuple(elsewhere))


def _by_weight(events: Sequence[Event]) -> Sequence[Event]:
    news = (event for event in events if event.weight is not Weight.DETAIL)
    return sorted(news, key=lambda event: event.weight)


def _own(pages: GamePages, turn: int, events: Sequence[Event]) -> list[Told]:
    """Return the news of the reader: for those without a seat, what the public report has."""
    if pages.seat is None and turn not in pages.opened.reports:
        return []
    known = heard(events, pages.seat)
    return [Told(safe(event.text), event.weight.name.lower()) for event in known]


def _elsewhere(pages: GamePages, events: Sequence[Event], colours: Mapping[str, str]) -> list[Told]:
    """Return the news of others, in the third person."""
    if not pages.opened.has_maps:
        return []
    return [
        Told(safe(event.told), colour=colours.get(_seat(pages, event), ""))
        for event in events
        if event.told and event.audience is not None and pages.seat not in event.audience
    ]


def _seat(pages: GamePages, event: Event) -> str:
    """Return the name of the seat that an event is about, or "" if it is about several."""
    seats = event.audience or ()
    names = [row.name for row in pages.game.seats if row.number in seats]
    return names[0] if len(names) == 1 else ""
