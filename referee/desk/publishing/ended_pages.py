"""The pages of a game that has ended: the result, and each turn with its map and its words."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from referee.desk.base.loaded_games import ruleset_of, seat_name
from referee.desk.publishing.page_parts import GamePages, blocks, entitled, report, title_of
from referee.desk.publishing.people_shown import Written, who_was_who, written
from referee.desk.reports.game_end import verdict_of
from referee.desk.reports.turn_reports import is_drawn
from referee.letters.outgoing.local_time import Moment
from referee.pages.document import Folded, Lines, Link, Links, PageFile, Picture, Section
from referee.reports import picture
from referee.reports.text import places
from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Chart
from referee.rules.wording import counted, listed
from referee.store.models import Game

_MOST_PICTURES: Final = 64


def viewer(pages: GamePages) -> Seat | None:
    """Return the seat whose maps are shown: the first winner, or else who knew most at the end."""
    table = pages.table(pages.game.turn)
    if table is None or not pages.opened.has_maps:
        return None
    if winners := verdict_of(pages.session, table).winners:
        return min(winners)
    seats = [Seat(row.number) for row in pages.game.seats]
    sizes = {seat: len(table.ruleset.chart(table.state, seat).nodes) for seat in seats}
    return max(seats, key=lambda seat: sizes[seat])


def turn_page(turn: int, seat: Seat | None, pages: GamePages) -> list[PageFile]:
    """Return the page of a turn with its maps: of *seat*, and at the end of all seats."""
    game, last = pages.game, pages.game.turn
    sections: list[Section] = []
    maps: list[PageFile] = []
    table = pages.table(turn) if seat is not None else None
    if table is not None and seat is not None:
        for each in _all_seats(game, seat) if turn == last else [seat]:
            chart = table.ruleset.chart(table.state, each)
            if chart.nodes:
                drawn, shown = _map(pages, turn, each, chart)
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


def _all_seats(game: Game, first: Seat) -> list[Seat]:
    return [first, *(Seat(row.number) for row in game.seats if row.number != first)]


def _map(pages: GamePages, turn: int, seat: Seat, chart: Chart) -> tuple[PageFile, list[Section]]:
    name = seat_name(pages.game, seat)
    path = f"{pages.folder}map-{turn}-{int(seat)}.svg"
    label = f"The map of {name}, turn {turn}: {len(chart.nodes)} places"
    sections = [
        Section(Picture(path, label), f"What {name} knew"),
        Section(Folded(f"The map of {name} as a table", places(chart))),
    ]
    return PageFile(path, _picture(chart)), sections


@lru_cache(maxsize=_MOST_PICTURES)
def _picture(chart: Chart) -> bytes:
    """Return the picture of a map, drawn once for the pages and the books of a game."""
    return picture.svg(chart)


def _words(found: Sequence[Written], turn: int) -> Iterator[Section]:
    for title, is_diary in (("Messages", False), ("Diaries", True)):
        of_kind = [each for each in found if each.turn == turn and each.is_diary is is_diary]
        for number, each in enumerate(of_kind):
            yield Section(each.words, "" if number else title)


def first_page(pages: GamePages) -> list[PageFile]:
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
