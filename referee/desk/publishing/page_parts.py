"""The common parts of all pages of a game: their folder, their links, and public reports."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import (
    LoadedGame,
    Showing,
    lay_turn,
    ruleset_of,
)
from referee.desk.base.told_turns import before, shown
from referee.desk.publishing.openness import Audience, Openness
from referee.desk.publishing.people_shown import safe
from referee.desk.reports import public_reports
from referee.pages.document import Document, Folded, Lines, Link, PageFile, Picture, Section, Words
from referee.pages.drawing import draw
from referee.reports import picture
from referee.reports.symbols import Colours
from referee.reports.text import places
from referee.rules.ruleset import Seat
from referee.rules.views import Chart, Sentences, View
from referee.store import Session
from referee.store.games import audit, games
from referee.store.models import Game, GameStatus, SeatRow

FEED: Final = Link("games.xml", "Feed of the games", "application/atom+xml")
CALENDAR: Final = Link("deadlines.ics", "Calendar of deadlines", "text/calendar")
HOME: Final = Link("index.html", "All games")


@dataclass(frozen=True, slots=True)
class GamePages:
    """The context of a game's pages: the open transaction, and the rights of their readers."""

    session: Session
    site: Site
    game: Game
    opened: Openness
    reader: SeatRow | None = None
    """The seat whose book it is, of whose player the pages show everything."""

    @property
    def seat(self) -> Seat | None:
        """The seat of the reader."""
        return Seat(self.reader.number) if self.reader is not None else None

    @property
    def folder(self) -> str:
        """The folder of the game's pages, with a slash at its end."""
        return folder_of(self.game, self.opened.audience)

    @property
    def home(self) -> Link:
        """The first page of the game."""
        return Link(f"{self.folder}index.html", title_of(self.game))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.status is GameStatus.ENDED

    def document(
        self, path: str, title: str, lead: Sequence[str], sections: Sequence[Section]
    ) -> Document:
        """Return a page of the game, with the links of its audience."""
        public = self.opened.audience is Audience.EVERYONE
        name = f"{self.folder}{path}"
        above = [HOME] if public else []
        above += [] if name == self.home.path else [self.home]
        feeds = (FEED, CALENDAR) if public else ()
        return Document(name, title, tuple(lead), tuple(sections), tuple(above), feeds=feeds)

    def table(self, turn: int) -> LoadedGame | None:
        """Return the game before the orders of a turn, or None if its state has another schema."""
        row = games.turn_of(self.session, self.game, turn)
        info = ruleset_of(self.site.rulesets, self.game.ruleset).info
        return lay_turn(self.site, self.game, row) if row.schema == info.schema else None

    def drawn(self, document: Document) -> list[PageFile]:
        """Return the files of a page of the game."""
        return list(draw(document, self.site.composer.name))


def folder_of(game: Game, audience: Audience) -> str:
    """Return the folder of the game's pages: none in the book of its players."""
    return f"{game.name.lower()}/" if audience is Audience.EVERYONE else ""


def drawn_map(
    path: str, chart: Chart, colours: Colours, title: str, label: str
) -> tuple[PageFile, list[Section]]:
    """Return the picture of a map as the file *path*, and the sections that show it."""
    sections = [
        Section(Picture(path, label), title),
        Section(Folded("The map as a table", places(chart))),
    ]
    return PageFile(path, picture.svg(chart, colours)), sections


def map_of_nobody(pages: GamePages, turn: int) -> tuple[list[PageFile], list[Section]]:
    """Return the picture of a turn's true map, or of what observers see, and its sections.

    They are empty if the audience may see neither, or the ruleset has none.
    """
    table, is_true = pages.table(turn), pages.opened.has_maps
    if table is None or not (is_true or turn in pages.opened.reports):
        return [], []
    chart = table.truth if is_true else table.public
    if chart is None or not chart.nodes:
        return [], []
    title = "The true map" if is_true else "What everybody could see"
    label = f"Turn {turn}: {len(chart.nodes)} places"
    file, sections = drawn_map(f"{pages.folder}map-{turn}.svg", chart, table.colours, title, label)
    return [file], sections


def turn_path(turn: int) -> str:
    """Return the file of the page of a turn."""
    return f"turn-{turn}.html"


def turn_title(game: Game, turn: int) -> str:
    """Return the heading of a turn of a game that has ended."""
    return "After the last turn" if turn == game.turn else f"Turn {turn}"


def report(pages: GamePages, turn: int, title: str) -> Iterator[Section]:
    """Yield the public report of a turn as observers read it, or nothing if it is unreadable."""
    session, game = pages.session, pages.game
    if (table := pages.table(turn)) is None:
        return
    view = shown(table, Showing(None, ""), before(session, game, turn))
    yield from entitled(title, blocks(view))
    news = tuple(map(safe, public_reports.public_news(session, game, turn)))
    notes = tuple(map(safe, audit.told_in(session, game, turn)))
    for heading, lines in (("News", news), ("From the GM and the referee", notes)):
        if lines:
            yield Section(Lines(lines), heading)
    for item in public_reports.broadcasts(session, game, turn):
        yield Section(Words("The GM to all players", safe(item.text)))


def entitled(title: str, sections: Iterable[Section]) -> Iterator[Section]:
    """Yield the sections with a heading above the first one."""
    for number, section in enumerate(sections):
        yield section if number else replace(section, title=title)


def blocks(view: View) -> Iterator[Section]:
    """Yield a view of the rules as sections of a page."""
    for block in view:
        if isinstance(block, Chart):
            yield Section(Folded("The map as a table", places(block)))
        elif isinstance(block, Sentences):
            yield Section(Lines(block.sentences), block.title)
        else:
            yield Section(block)


def title_of(game: Game) -> str:
    """Return the name and title of a game."""
    return f"{game.name}: {safe(game.title)}" if game.title else game.name
