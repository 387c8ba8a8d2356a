"""News: the events of a turn as their audience reads them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, TypeVar

from referee.rules.ruleset import Event, Resolution, Ruleset, Seat, Weight
from referee.rules.views import Block, Chart, Log, News, Sentences, View
from referee.rules.wording import listed

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - as in Ruleset[S, O]

MOST: Final = 8
"""A report opens with at most so many sentences of news."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A seat that reads news, with its name."""

    seat: Seat
    name: str

    def reads(self, weight: Weight, text: str, places: Iterable[str] = (), told: str = "") -> Event:
        """Return a piece of news for the seat alone; *told* is for others after the end."""
        return Event(text, frozenset({self.seat}), weight, tuple(places), told=told)

    def did(self, weight: Weight, deed: str, places: Iterable[str] = ()) -> Event:
        """Return a deed or fate of the seat: ``lost W7`` for ``You lost W7.``."""
        return self.reads(weight, f"You {deed}.", places, f"{self.name} {deed}.")


def heard(events: Iterable[Event], seat: Seat | None) -> Iterator[Event]:
    """Yield the events that a seat may know; None is an observer."""
    return (event for event in events if event.audience is None or seat in event.audience)


def news_of(events: Iterable[Event], seat: Seat | None) -> Sequence[Event]:
    """Return the news of a seat, the heaviest first; None is an observer.

    Of more than eight, the last sentence says how many are left out.
    """
    known = (event for event in heard(events, seat) if event.weight is not Weight.DETAIL)
    ranked = sorted(known, key=lambda event: event.weight)
    if len(ranked) <= MOST:
        return ranked
    left = len(ranked) - MOST + 1
    return [
        *ranked[: MOST - 1],
        Event(f"{left} more events: see the report below.", None, Weight.NOTE),
    ]


def log_of(events: Iterable[Event], seat: Seat | None) -> Sequence[Event]:
    """Return the log of the turn for a seat; None is an observer."""
    return [event for event in heard(events, seat) if event.weight is Weight.DETAIL]


def with_log(view: View, events: Iterable[Event], seat: Seat | None) -> View:
    """Return a view with the log of the turn in the place of its Log, or else at its end."""
    details = log_of(events, seat)
    blocks: list[Block] = []
    for block in view:
        blocks.extend(_log(details, block.headings) if isinstance(block, Log) else (block,))
    if not any(isinstance(block, Log) for block in view):
        blocks.extend(_log(details, ()))
    return tuple(blocks)


def completed(
    rules: Ruleset[S, O], before: S, resolution: Resolution[S, O], seats: Iterable[Seat]
) -> Resolution[S, O]:
    """Return a resolution with the default news, if none of its events is for certain seats."""
    if any(event.audience for event in resolution.events):
        return resolution
    found = (
        event
        for seat in seats
        for event in from_charts(
            rules.chart(before, seat), rules.chart(resolution.state, seat), seat
        )
    )
    return replace(resolution, events=(*resolution.events, *found))


def from_charts(before: Chart, after: Chart, seat: Seat) -> Iterator[Event]:
    """Yield the news of a seat whose ruleset tells it none: what has changed on its map."""
    me = next(iter(after.owners), "")
    then, now = ({node.key: node.owner for node in chart.nodes} for chart in (before, after))
    passed = [key for key in then if key in now and me and then[key] != now[key]]
    lost = {key: now[key] for key in passed if then[key] == me}
    taken = {key: then[key] for key in passed if now[key] == me}
    gone = {unit: at for unit, at in _units(before, me).items() if unit not in _units(after, me)}
    new = tuple(key for key in now if key not in then)
    left = tuple(dict.fromkeys(at for at in gone.values() if at in now))
    for things, weight, text, places in (
        (lost, Weight.LOSS, f"You lost {by_owner(lost, 'to')}.", tuple(lost)),
        (gone, Weight.LOSS, f"You no longer have {few(gone)}.", left),
        (taken, Weight.GAIN, f"You took {by_owner(taken, 'from')}.", tuple(taken)),
        (new, Weight.MEETING, f"New on your map: {few(new)}.", new),
    ):
        if things:
            yield Event(text, frozenset({seat}), weight, places)


def _units(chart: Chart, owner: str) -> Mapping[str, str]:
    """Return the units of an owner with the places where they are."""
    return {u.key: node.key for node in chart.nodes for u in node.units if owner == u.owner != ""}


def by_owner(places: Mapping[str, str], joint: str) -> str:
    """Return places in words, by their other owners: ``W6 to CANTOR; W7``."""
    groups: dict[str, list[str]] = {}
    for key in sorted(places, key=lambda key: not places[key]):
        groups.setdefault(f" {joint} {places[key]}" if places[key] else "", []).append(key)
    return "; ".join(f"{few(keys)}{whose}" for whose, keys in groups.items())


def few(names: Collection[str]) -> str:
    """Return names in words; of more than eight, seven and how many others there are."""
    all_named = len(names) <= MOST
    shown = [*names][: MOST if all_named else MOST - 1]
    return listed([*shown, *([] if all_named else [f"{len(names) - len(shown)} others"])])


def opened(view: View, events: Sequence[Event], seat: Seat | None) -> View:
    """Return a view as a whole report: its news first, and the log of the turn in its place."""
    return (*headline(news_of(events, seat)), *with_log(view, events, seat))


def headline(news: Sequence[Event]) -> Sequence[News]:
    """Return the block with which a report opens: none without news."""
    weights = tuple(event.weight.name.lower() for event in news)
    return [News(tuple(event.text for event in news), "NEWS", weights)] if news else []


def _log(details: Iterable[Event], headings: Sequence[str]) -> Iterator[Sentences]:
    """Yield a block for each heading that has events, in the sequence of *headings*."""
    ranks = {heading: rank for rank, heading in enumerate(headings)}
    told = sorted(details, key=lambda event: ranks.get(event.heading, len(ranks)))
    for heading, group in groupby(told, key=lambda event: event.heading):
        yield Sentences(tuple(event.text for event in group), heading)
