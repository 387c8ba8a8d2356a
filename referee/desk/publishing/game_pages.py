"""The pages of one game, for everyone or for its players."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import house_options, ruleset_of
from referee.desk.games import house_rules
from referee.desk.games.missing_orders import awaited
from referee.desk.players.queries import free_seats, listed_as
from referee.desk.publishing.ended_pages import first_page, turn_page
from referee.desk.publishing.openness import Audience, openness
from referee.desk.publishing.page_parts import GamePages, map_of_nobody, report, title_of
from referee.desk.publishing.people_shown import safe
from referee.letters.outgoing.local_time import Moment
from referee.pages.document import EmailTo, Lines, PageFile, Section
from referee.store import Session
from referee.store.games import games
from referee.store.models import GameStatus

Reading = Callable[[], AbstractContextManager[Session]]
"""Opens a transaction that reads, one for each part of the pages."""
Part = Callable[[GamePages], Sequence[PageFile]]
"""Draws a part of the pages."""


def files_of(reading: Reading, site: Site, number: int, audience: Audience) -> Iterator[PageFile]:
    """Yield the files of a game's pages, its first page last; none if the audience has none.

    Raises as ``lay_turn`` does.
    """
    yield from turn_files(reading, site, number, audience)
    yield from parts_of(reading, site, Reader(number, audience), [_first_page])


def turn_files(reading: Reading, site: Site, number: int, audience: Audience) -> Iterator[PageFile]:
    """Yield the page of each turn of a game that has ended. Raises as ``lay_turn`` does."""
    parts = [partial(turn_page, turn) for turn in turns_of(reading, number)]
    return parts_of(reading, site, Reader(number, audience), parts)


def turns_of(reading: Reading, number: int) -> range:
    """Return the turns of a game that has ended; none of another one."""
    with reading() as session:
        game = games.by_id(session, number)
        is_over = game is not None and game.status is GameStatus.ENDED
        return range(1, game.turn + 1) if game is not None and is_over else range(0)


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a game's pages: the game, what its audience may read, and their seat, or 0."""

    game: int
    audience: Audience
    seat: int = 0


def parts_of(
    reading: Reading, site: Site, reader: Reader, parts: Iterable[Part]
) -> Iterator[PageFile]:
    """Yield the files of the *parts* of a game's pages; none if the reader has no pages.

    Every part reads in a transaction of its own, and none is open while the caller has a file, so
    the caller can pause.
    """
    for part in parts:
        with reading() as session:
            pages = _pages(session, site, reader)
            made = [] if pages is None else part(pages)
        yield from made


def _pages(session: Session, site: Site, reader: Reader) -> GamePages | None:
    game = games.by_id(session, reader.game)
    opened = openness(session, game, reader.audience) if game is not None else None
    if game is None or opened is None:
        return None
    own = next((row for row in game.seats if row.number == reader.seat), None)
    return GamePages(session, site, game, opened, own)


def _first_page(pages: GamePages) -> list[PageFile]:
    if pages.is_over:
        return first_page(pages)
    game, listing = pages.game, safe(listed_as(pages.session, pages.site, pages.game))
    lead = [f"{listing}."]
    if game.due_at is not None:
        lead.append(f"Turn {game.turn} is due on {Moment(game.due_at, pages.site.zone)}.")
    if game.status is GameStatus.HELD:
        lead.append("The game is on hold, so no turn is resolved until it resumes.")
    lead += _awaited(pages)
    info = ruleset_of(pages.site.rulesets, game.ruleset).info
    rules = house_rules.charter(info, game)
    chapters = [
        Section(Lines(tuple(map(safe, each.lines))), each.title.capitalize())
        for each in rules.chapters
    ]
    files, report = _public_report(pages)
    sections = [*_invitations(pages), *report, *chapters]
    return [*files, *pages.drawn(pages.document("index.html", title_of(game), lead, sections))]


def _awaited(pages: GamePages) -> Iterator[str]:
    """Yield whose orders are still awaited, if the house rules let everyone know."""
    game = pages.game
    table = pages.table(game.turn) if house_options(game)["awaited"] and game.turn else None
    told = awaited(pages.session, table, None) if table is not None else None
    if told is not None:
        yield told.in_words


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


def _public_report(pages: GamePages) -> tuple[list[PageFile], list[Section]]:
    """Return the newest public report that observers of a running game can read, and its map."""
    files, sections = list[PageFile](), list[Section]()
    for turn in pages.opened.reports:
        drawn, shown = map_of_nobody(pages, turn)
        files += drawn
        sections += [*report(pages, turn, f"Public report of turn {turn}"), *shown]
    return files, sections
