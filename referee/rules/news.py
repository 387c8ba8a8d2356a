"""News: the events of a turn as their audience reads them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.views import Block, Log, Sentences, View

MOST: Final = 8
"""A report opens with at most so many sentences of news."""


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


def _log(details: Iterable[Event], headings: Sequence[str]) -> Iterator[Sentences]:
    """Yield a block for each heading that has events, in the sequence of *headings*."""
    ranks = {heading: rank for rank, heading in enumerate(headings)}
    told = sorted(details, key=lambda event: ranks.get(event.heading, len(ranks)))
    for heading, group in groupby(told, key=lambda event: event.heading):
        yield Sentences(tuple(event.text for event in group), heading)
