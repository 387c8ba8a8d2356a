"""The pages of one game, for everyone or for its players."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from referee.desk.base.desk import Site
from referee.desk.base.loaded_games import LoadedGame, ruleset_of, seat_name
from referee.desk.games import house_rules
from referee.desk.players.queries import free_seats, listed_as
from referee.desk.publishing.openness import Audience, openness
from referee.desk.publishing.page_parts import GamePages, blocks, entitled, report, title_of
from referee.desk.publishing.people_shown import Written, safe, who_was_who, written
from referee.desk.reports.game_end import verdict_of
from referee.desk.reports.turn_reports import is_drawn
from referee.letters.outgoing.local_time import Moment
from referee.pages.document import EmailTo, Folded, Lines, Link, Links, PageFile, Picture, Section
from referee.reports import picture
from referee.reports.symbols import Colours
from referee.reports.text import places
from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Chart
from referee.rules.wording import counted, listed
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
    """Return the functions that draw the page of each turn of a game that has ended."""
    with reading() as session:
        pages = _pages(session, site, number, audience)
        if pages is None or not pages.is_over:
            return ()
        seat = _viewer(pages)
        return [partial(_turn_page, turn, seat) for turn in range(1, pages.game.turn + 1)]


def _first_page(pages: GamePages) -> list[PageFile]:
    if pages.is_over:
        return _ended_first_page(pages)
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


_MOST_PICTURES: Final = 64


def _viewer(pages: GamePages) -> Seat | None:
    """Return the seat whose maps are shown: the first winner, or else who knew most at the end."""
    table = pages.table(pages.game.turn)
    if table is None or not pages.opened.has_maps:
        return None
    if winners := verdict_of(pages.session, table).winners:
        return min(winners)
    seats = [Seat(row.number) for row in pages.game.seats]
    sizes = {seat: len(table.ruleset.chart(table.state, seat).nodes) for seat in seats}
    return max(seats, key=lambda seat: sizes[seat])


def _turn_page(turn: int, seat: Seat | None, pages: GamePages) -> list[PageFile]:
    """Return the page of a turn with its maps: of *seat*, and at the end of all seats."""
    game, last = pages.game, pages.game.turn
    sections: list[Section] = []
    maps: list[PageFile] = []
    table = pages.table(turn) if seat is not None else None
    if table is not None and seat is not None:
        others = (Seat(row.number) for row in game.seats if row.number != seat)
        for each in [seat, *others] if turn == last else [seat]:
            if table.ruleset.chart(table.state, each).nodes:
                drawn, shown = _map(pages, table, each, turn)
                maps.append(drawn)
                sections += shown
    if turn in pages.opened.reports:
        sections += report(pages, turn, "Public report")
    sections += _words(written(pages.session, game, pages.opened), turn)
    lead = ["This is how the game ended."] if turn == last else []
    title = f"{game.name}: after the last turn" if turn == last else f"{game.name}: turn {turn}"
    document = pages.document(_turn_path(turn), title, lead, sections)
    around = [
        Link(f"{pages.folder}{_turn_path(number)}", label)
        for number, label in ((turn - 1, "The turn before"), (turn + 1, "The next turn"))
        if 1 <= number <= last
    ]
    return [*maps, *pages.drawn(replace(document, onward=tuple(around)))]


def _map(
    pages: GamePages, table: LoadedGame, seat: Seat, turn: int
) -> tuple[PageFile, list[Section]]:
    name, chart = seat_name(pages.game, seat), table.ruleset.chart(table.state, seat)
    path = f"{pages.folder}map-{turn}-{int(seat)}.svg"
    label = f"The map of {name}, turn {turn}: {len(chart.nodes)} places"
    sections = [
        Section(Picture(path, label), f"What {name} knew"),
        Section(Folded(f"The map of {name} as a table", places(chart))),
    ]
    return PageFile(path, _picture(chart, table.colours)), sections


@lru_cache(maxsize=_MOST_PICTURES)
def _picture(chart: Chart, colours: Colours) -> bytes:
    """Return the picture of a map, drawn once for the pages and the books of a game."""
    return picture.svg(chart, colours)


def _words(found: Sequence[Written], turn: int) -> Iterator[Section]:
    for title, is_diary in (("Messages", False), ("Diaries", True)):
        of_kind = [each for each in found if each.turn == turn and each.is_diary is is_diary]
        for number, each in enumerate(of_kind):
            yield Section(each.words, "" if number else title)


def _ended_first_page(pages: GamePages) -> list[PageFile]:
    """Return the first page of a game that has ended: the result, who was who, and the turns."""
    session, game = pages.session, pages.game
    info = ruleset_of(pages.site.rulesets, game.ruleset).info
    sections: list[Section] = []
    lead = [f"{info.title}, {_ended_on(pages)}."]
    if (table := pages.table(game.turn)) is not None:
        verdict = verdict_of(session, table)
        lead += _result(pages, verdict)
        sections += entitled("Final standing", blocks(verdict.standing))
    people = Lines(who_was_who(session, game, pages.opened))
    sections.append(Section(people, "Who was who"))  # voice: ok
    turns = Links(tuple(_turn_links(pages)), compact=True)
    sections.append(Section(turns, "Turn by turn"))
    return pages.drawn(pages.document("index.html", title_of(game), lead, sections))


def _ended_on(pages: GamePages) -> str:
    game = pages.game
    turns = counted(game.last_turn, "turn")
    on = f" on {Moment(game.ended_at, pages.site.zone)}" if game.ended_at is not None else ""
    return f"ended after {turns}{on}"


def _result(pages: GamePages, verdict: Verdict) -> list[str]:
    if not verdict.winners:
        return []
    if is_drawn(pages.session, pages.game, verdict):
        return ["The game is a draw."]
    names = [seat_name(pages.game, seat) for seat in sorted(verdict.winners)]
    return [f"{listed(names)} {'has' if len(names) == 1 else 'have'} won."]


def _turn_links(pages: GamePages) -> Iterator[Link]:
    last = pages.game.turn
    found = written(pages.session, pages.game, pages.opened)
    for turn in range(1, last + 1):
        label = "After the last turn" if turn == last else f"Turn {turn}"
        count = sum(each.turn == turn for each in found)
        note = f"with {counted(count, 'text')} of players" if count else ""
        yield Link(f"{pages.folder}{_turn_path(turn)}", label, note)


def _turn_path(turn: int) -> str:
    return f"turn-{turn}.html"
