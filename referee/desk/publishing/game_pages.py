"""The pages of one game, for everyone or for its players."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial

from referee.desk.base.loaded_games import ruleset_of
from referee.desk.base.site import Site
from referee.desk.games import house_rules
from referee.desk.players.queries import free_seats, listed_as
from referee.desk.publishing import ended_pages
from referee.desk.publishing.openness import Audience, openness
from referee.desk.publishing.page_parts import GamePages, report, title_of
from referee.desk.publishing.people_shown import safe
from referee.letters.outgoing.local_time import Moment
from referee.pages.document import EmailTo, Lines, PageFile, Section
from referee.store import Session
from referee.store.games import games
from referee.store.models import GameStatus

Reading = Callable[[], AbstractContextManager[Session]]
"""Opens a transaction that reads, one for each part of the pages."""


def files_of(reading: Reading, site: Site, number: int, audience: Audience) -> Iterator[PageFile]:
    """Yield the files of a game's pages, its first page last; none if the audience has none.

    Every part reads in a transaction of its own, and none is open while the caller has a file, so
    the caller can pause. Raises as ``lay_turn`` does.
    """
    for part in [*_turn_parts(reading, site, number, audience), _first_page]:
        with reading() as session:
            pages = _pages(session, site, number, audience)
            made = [] if pages is None else part(pages)
        yield from made


def _pages(session: Session, site: Site, number: int, audience: Audience) -> GamePages | None:
    game = games.by_id(session, number)
    opened = openness(session, game, audience) if game is not None else None
    return None if game is None or opened is None else GamePages(session, site, game, opened)


def _turn_parts(
    reading: Reading, site: Site, number: int, audience: Audience
) -> Sequence[Callable[[GamePages], list[PageFile]]]:
    """Return what draws the page of each turn of a game that has ended."""
    with reading() as session:
        pages = _pages(session, site, number, audience)
        if pages is None or not pages.is_over:
            return ()
        seat = ended_pages.viewer(pages)
        return [
            partial(ended_pages.turn_page, turn, seat) for turn in range(1, pages.game.turn + 1)
        ]


def _first_page(pages: GamePages) -> list[PageFile]:
    if pages.is_over:
        return ended_pages.first_page(pages)
    game, listing = pages.game, safe(listed_as(pages.session, pages.site, pages.game))
    lead = [f"{listing}."]
    if game.due_at is not None:
        lead.append(f"Turn {game.turn} is due on {Moment(game.due_at, pages.site.zone)}.")
    if game.status is GameStatus.HELD:
        lead.append("The game is on hold, so no turn is resolved until it resumes.")
    info = ruleset_of(pages.site.rulesets, game.ruleset).info
    rules = house_rules.charter(info, game)
    chapters = [
        Section(Lines(tuple(map(safe, each.lines))), each.title.capitalize())
        for each in rules.chapters
    ]
    sections = [*_invitations(pages), *_public_report(pages), *chapters]
    return pages.drawn(pages.document("index.html", title_of(game), lead, sections))


def _invitations(pages: GamePages) -> Iterator[Section]:
    """Yield the emails with which a stranger begins, by what the game is open for."""
    game, address = pages.game, pages.site.address
    if game.status is GameStatus.FORMING and free_seats(game):
        joins = f"joins {game.name}. Write a name for your side in the place of NAME"
        yield Section(EmailTo(address, f"JOIN {game.name} NAME", joins), "Join")
    if game.observers_behind is not None and game.turn:
        behind = game.observers_behind
        later = f", {behind} turn{'s' if behind != 1 else ''} later" if behind else ""
        brings = f"brings you the public report of each turn{later}"
        yield Section(EmailTo(address, f"OBSERVE {game.name}", brings), "Observe")
    vacant = any(row.person is None and not row.eliminated for row in game.seats)
    if game.status is GameStatus.RUNNING and vacant:
        asks = "asks for a seat that no player has"
        yield Section(EmailTo(address, f"TAKEOVER {game.name}", asks), "Take over a seat")


def _public_report(pages: GamePages) -> Iterator[Section]:
    """Yield the newest public report that observers of a running game can read."""
    for turn in pages.opened.reports:
        yield from report(pages, turn, f"Public report of turn {turn}")
