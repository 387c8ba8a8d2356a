"""The pages of a game that has ended: its first page, each turn, and each turn as a seat saw it."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.desk.base.loaded_games import LoadedGame, Showing, ruleset_of
from referee.desk.base.told_turns import opened, told_by
from referee.desk.publishing.openness import Audience
from referee.desk.publishing.page_parts import (
    GamePages,
    blocks,
    drawn_map,
    entitled,
    map_of_nobody,
    report,
    title_of,
    turn_path,
    turn_title,
)
from referee.desk.publishing.people_shown import Written, who_was_who, written
from referee.desk.publishing.story import story
from referee.desk.reports.game_end import is_drawn, verdict_of
from referee.letters.outgoing.local_time import Moment
from referee.pages import curve
from referee.pages.curve import Curve, Line
from referee.pages.document import Folded, Lines, Link, Links, PageFile, Picture, Section
from referee.reports.symbols import OTHERS
from referee.rules.extras import Scores, extras_of
from referee.rules.ruleset import Seat, Verdict
from referee.rules.views import Table
from referee.rules.wording import counted, listed
from referee.store.models import SeatRow

OWN: Final = "own/"
"""The folder of the turns as the reader of a book saw them."""
ATLAS: Final = "atlas.html"
_CURVE: Final = "curve.svg"


def turn_page(turn: int, pages: GamePages) -> list[PageFile]:
    """Return the page of a turn, with its true map and its public report if they may be read."""
    files, sections = map_of_nobody(pages, turn)
    if turn in pages.opened.reports:
        sections += report(pages, turn, "Public report")
    sections += _words(written(pages.session, pages.game, pages.opened), turn)
    lead = ["This is how the game ended."] if turn == pages.game.turn else []
    title = f"{pages.game.name}: {_lowered(turn_title(pages.game, turn))}"
    document = pages.document(turn_path(turn), title, lead, sections)
    return [*files, *pages.drawn(replace(document, onward=_around(pages, turn, "")))]


def own_turn(turn: int, pages: GamePages) -> list[PageFile]:
    """Return the page of a turn as the reader saw it, with their map and the whole report."""
    assert pages.reader is not None
    assert pages.seat is not None
    files, sections = list[PageFile](), list[Section]()
    if (table := pages.table(turn)) is not None:
        chart = table.ruleset.chart(table.state, pages.seat)
        if chart.nodes:
            label = f"The map of {pages.reader.name}, turn {turn}: {len(chart.nodes)} places"
            path = own_map(turn)
            file, sections = drawn_map(path, chart, table.colours, "Your map", label)
            files.append(file)
        told = told_by(pages.session, pages.game, turn)
        view = opened(table, Showing(pages.seat, ""), told)
        sections += entitled("Your report", blocks(view))
    moment = _lowered(turn_title(pages.game, turn))
    title = f"{pages.game.name}: {moment}, as {pages.reader.name} saw it"
    document = pages.document(f"{OWN}{turn_path(turn)}", title, (), sections)
    return [*files, *pages.drawn(replace(document, onward=_around(pages, turn, OWN)))]


def own_map(turn: int) -> str:
    """Return the file of the map of the reader in a turn."""
    return f"{OWN}map-{turn}.svg"


def _lowered(title: str) -> str:
    return title[:1].lower() + title[1:]


def _around(pages: GamePages, turn: int, folder: str) -> tuple[Link, ...]:
    return tuple(
        Link(f"{pages.folder}{folder}{turn_path(number)}", label)
        for number, label in ((turn - 1, "The turn before"), (turn + 1, "The next turn"))
        if 1 <= number <= pages.game.turn
    )


def _words(found: Sequence[Written], turn: int) -> Iterator[Section]:
    for title, is_diary in (("Messages", False), ("Diaries", True)):
        of_kind = [each for each in found if each.turn == turn and each.is_diary is is_diary]
        for number, each in enumerate(of_kind):
            yield Section(each.words, "" if number else title)


def first_page(pages: GamePages, own: Sequence[str] = ()) -> list[PageFile]:
    """Return the first page: result, curve, map, story, standing, people, reports and turns.

    *own* are the other files of the reader's book that nobody else has.
    """
    found = _Scored(pages)
    files, sections = found.curve()
    sections += _map_at_the_end(pages, own)
    links = [list(_beside(pages, turn, own)) for turn in _turns(pages)]
    sections += story(pages, links, found.colours)
    if (table := found.last) is not None:
        verdict = verdict_of(pages.session, table)
        sections += entitled("Final standing", blocks(verdict.standing))
    people = Lines(who_was_who(pages.session, pages.game, pages.opened))
    sections.append(Section(people, "Who was who"))  # voice: ok
    sections += _links(pages, own)
    document = pages.document("index.html", title_of(pages.game), found.lead(), sections)
    return [*files, *pages.drawn(document)]


def _turns(pages: GamePages) -> range:
    return range(1, pages.game.turn + 1)


class _Scored:
    """The scores of all turns that can be read, and the result in words."""

    def __init__(self, pages: GamePages) -> None:
        self._pages = pages
        tables = {turn: pages.table(turn) for turn in _turns(pages)}
        self.last = tables[pages.game.turn]
        rules = ruleset_of(pages.site.rulesets, pages.game.ruleset)
        self.colours = dict(self.last.colours) if self.last is not None else {}
        self._title = rules.info.title
        self._scores = extras_of(rules).scores
        self._by_turn = _by_turn(self._scores, tables) if self._scores is not None else {}

    def lead(self) -> Sequence[str]:
        """Return how the game ended, and where the reader came, in a sentence or two."""
        game, reader = self._pages.game, self._pages.reader
        turns, seats = counted(game.last_turn, "turn"), counted(len(game.seats), "player")
        zone = self._pages.site.zone
        on = f" It ended on {Moment(game.ended_at, zone)}." if game.ended_at is not None else ""
        told = [f"{self._title}, {turns}, {seats}.", *self._result()]
        if reader is not None:
            told.append(f"You were {reader.name}{self._place(reader)}.")
        return (" ".join(told) + on,)

    def _result(self) -> Iterator[str]:
        pages, table = self._pages, self.last
        verdict = verdict_of(pages.session, table) if table is not None else None
        if verdict is None or not verdict.winners:
            return
        names = [row.name for row in _winners(pages, verdict)]
        if is_drawn(pages.session, pages.game, verdict):
            yield f"The game is a draw between {listed(names)}."
            return
        score = self._score(min(verdict.winners)) if len(names) == 1 else ""
        yield f"{listed(names)} {'has' if len(names) == 1 else 'have'} won{score}."

    def _now(self) -> Mapping[Seat, int]:
        """Return the scores at the end, or nothing if they are not known."""
        return self._by_turn.get(self._pages.game.turn, {})

    def _score(self, seat: Seat) -> str:
        if self._scores is None or seat not in self._now():
            return ""
        return f" with {self._now()[seat]} {self._scores.unit}"

    def _place(self, reader: SeatRow) -> str:
        seat = Seat(reader.number)
        if seat not in self._now():
            return ""
        above = sum(score > self._now()[seat] for score in self._now().values())
        return f", {_ordinal(above + 1)}{self._score(seat)}"

    def curve(self) -> tuple[list[PageFile], list[Section]]:
        """Return the curve as a picture, and the sections with it; none without scores."""
        if self._scores is None or len(self._by_turn) < 2:
            return [], []
        pages, unit = self._pages, self._scores.unit
        title = f"{unit[:1].upper()}{unit[1:]}, turn by turn"
        label = f"From turn 1 to {pages.game.turn}"
        drawn = Curve(title, tuple(self._by_turn), tuple(self._lines()))
        names = tuple(line.name for line in drawn.lines)
        scores = zip(*(line.scores for line in drawn.lines), strict=True)
        rows = (
            (str(turn), *map(str, each)) for turn, each in zip(drawn.turns, scores, strict=True)
        )
        path = f"{pages.folder}{_CURVE}"
        folded = Folded("The curve as a table", Table(("Turn", *names), tuple(rows)))
        sections = [Section(Picture(path, label), title), Section(folded)]
        return [PageFile(path, curve.svg(drawn))], sections

    def _lines(self) -> Iterator[Line]:
        for row in self._pages.game.seats:
            scores = tuple(each.get(Seat(row.number), 0) for each in self._by_turn.values())
            yield Line(
                row.name, self.colours.get(row.name, OTHERS), scores, bold=row is self._pages.reader
            )


def _by_turn(
    scores: Scores, tables: Mapping[int, LoadedGame | None]
) -> Mapping[int, Mapping[Seat, int]]:
    return {turn: scores.of(table.state) for turn, table in tables.items() if table is not None}


def _winners(pages: GamePages, verdict: Verdict) -> list[SeatRow]:
    """Return the seats that have won, those of robots last."""
    rows = [row for row in pages.game.seats if row.number in verdict.winners]
    return sorted(rows, key=lambda row: row.robot is not None)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 < number % 100 < 14 else ending}"


def _map_at_the_end(pages: GamePages, own: Container[str]) -> Iterator[Section]:
    """Yield the last map of the reader, or else the true one, and the links to all other maps."""
    last = pages.game.turn
    true_file, true = map_of_nobody(pages, last)
    if (path := own_map(last)) in own:
        yield Section(Picture(path, f"Your map, turn {last}"), "What you knew at the end")
    elif true:
        yield replace(true[0], title=f"{true[0].title} at the end")
    links = [
        (pages.opened.has_maps and bool(true_file), turn_path(last), "The true map"),
        (bool(true_file), turn_path(1), "How it grew, turn by turn"),
        (path in own, f"{OWN}{turn_path(1)}", "Your turns"),
        (ATLAS in own, ATLAS, "Your atlas"),
    ]
    shown = [Link(f"{pages.folder}{to}", label) for is_there, to, label in links if is_there]
    if shown:
        yield Section(Links(tuple(shown), compact=True))


def _beside(pages: GamePages, turn: int, own: Container[str]) -> Iterator[Link]:
    """Yield the links of a turn in the story."""
    if pages.reader is None:
        yield Link(f"{pages.folder}{turn_path(turn)}", "the turn")
    elif (path := f"{folder_of_reports(pages.reader)}turn-{turn:02}.txt") in own:
        yield Link(path, "your report")
    if own_map(turn) in own:
        yield Link(f"{OWN}{turn_path(turn)}", "your map")


def folder_of_reports(row: SeatRow) -> str:
    """Return the folder of the reports of a seat, with a slash at its end."""
    # Rules of other authors may allow any name.
    name = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in row.name)
    return f"reports/{row.number}-{name}/"


def _links(pages: GamePages, own: Sequence[str]) -> Iterator[Section]:
    """Yield the links to the reports of the reader, to all turns, and to the record."""
    reports = [path for path in own if path.startswith("reports/")]
    if reports:
        links = (Link(path, _report_label(path)) for path in reports)
        yield Section(Links(tuple(links), compact=True), "Your reports, as they were mailed")
    yield Section(Links(tuple(_turn_links(pages)), compact=True), "Turn by turn")
    if pages.opened.audience is Audience.PLAYERS:
        note = "for `referee replay`, which resolves the whole game again"
        yield Section(Links((Link(record_path(pages.game.name), "The record of the game", note),)))


def _report_label(path: str) -> str:
    """Return the words of the link to a report: ``Turn 2, replaced 1``."""
    turn, _, replaced = path.rpartition("/turn-")[2].removesuffix(".txt").partition("-replaced-")
    return f"Turn {int(turn)}" + (f", replaced {replaced}" if replaced else "")


def record_path(game: str) -> str:
    """Return the file of the record of a game in its book."""
    return f"{game.lower()}-record.json"


def _turn_links(pages: GamePages) -> Iterator[Link]:
    found = written(pages.session, pages.game, pages.opened)
    for turn in _turns(pages):
        count = sum(each.turn == turn for each in found)
        note = f"with {counted(count, 'text')} of players" if count else ""
        yield Link(f"{pages.folder}{turn_path(turn)}", turn_title(pages.game, turn), note)
