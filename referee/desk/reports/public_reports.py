"""Public reports for observers, sent with the delay in turns that the GM has set."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, Showing, lay_turn
from referee.desk.base.outbox_writer import Addressing, both_ways, mailbox, post
from referee.desk.base.told_turns import before, has_report, news, shown, told_by
from referee.desk.orders.gm_authority import plays
from referee.desk.reports.game_end import OBSERVER, Volume, final_standing, no_book
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.end_notices import FinalStanding
from referee.letters.outgoing.notices import Correction, GameChanged, Notice, PressItem
from referee.letters.outgoing.seat_notices import PublicReport
from referee.reports.changes import changes
from referee.rules.ruleset import Seat
from referee.store import Session
from referee.store.games import agenda, audit, games, press
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, TurnRow
from referee.store.people import observers
from referee.store.people.observers import Observer


def readable(game: Game) -> int:
    """Return the last turn whose report observers may read, or 0 or less if there is none."""
    if game.status is GameStatus.ENDED:
        # After the end, nothing is secret.
        return game.turn
    return game.turn - (game.observers_behind or 0)


def report_in(desk: Desk, game: Game) -> int:
    """Send every observer the reports they may read by now; return how many letters."""
    count = 0
    if game.observers_behind is not None:
        for observer in observers.of(desk.session, game):
            if plays(game, observer.person):
                # A player of the game receives full reports, so the public ones are no longer
                # needed.
                desk.session.delete(observer)
            else:
                count += _catch_up(desk, observer)
    agenda.reschedule(desk.session, game, AgendaTopic.OBSERVERS, None)
    return count


def forget_after(desk: Desk, game: Game, turn: int) -> None:
    """Reset observers to *turn*, so that they receive the later reports again after a rollback."""
    told = f"The GM took the game back to turn {turn}. Reports of later turns no longer count."
    for observer in observers.of(desk.session, game):
        if observer.read_turn > turn:
            observer.read_turn = turn
            notice = GameChanged(game.name, turn, told, None)
            to = Addressing(mailbox(observer.person), f"undone{game.rollbacks}", game=game)
            post(desk, notice, to)


def correct(desk: Desk, table: LoadedGame, after: LoadedGame, reason: str) -> None:
    """Send observers the report of the current turn again if a correction has changed it.

    Those who wait for that report get the corrected one later, like any other.
    """
    old, new = (each.show(Showing(None, "")) for each in (table, after))
    game = after.game
    if old == new:
        return
    row = games.turn_of(desk.session, game, game.turn)
    correction = Correction(reason, both_ways(changes(old, new)), ())
    notice = replace(_public_report(desk.session, after, row), correction=correction)
    for observer in observers.of(desk.session, game):
        if observer.read_turn >= game.turn and not plays(game, observer.person):
            _send(desk, observer, notice, row)


def _catch_up(desk: Desk, observer: Observer) -> int:
    """Send the reports that players had, but not of turns that robots then played at once."""
    game, count = observer.game, 0
    for turn in range(observer.read_turn + 1, readable(game) + 1):
        row = games.turn_of(desk.session, game, turn)
        if has_report(desk.session, game, turn):
            table = lay_turn(desk.site, game, row)
            _send(desk, observer, _public_report(desk.session, table, row), row)
            observer.read_turn, count = turn, count + 1
    if game.status is GameStatus.ENDED and observer.read_turn <= game.turn:
        observer.read_turn = game.turn
        if not agenda.has(desk.session, game, AgendaTopic.BOOK):
            count += send_end(desk, observer, no_book)
    return count


def send_end(desk: Desk, observer: Observer, volume: Callable[[int, int], Volume]) -> int:
    """Send an observer who has read all turns the final standings, with the book; return 1, or 0.

    Those who still wait for a report get them after it, without the book.
    """
    game = observer.game
    if observer.read_turn != game.turn:
        return 0
    row = games.turn_of(desk.session, game, game.turn)
    book, files = volume(OBSERVER, 0)
    notice = final_standing(desk.session, lay_turn(desk.site, game, row))
    _send(desk, observer, replace(notice, observer=True, book=book), row, files)
    # As if the final standings were the report after the last one.
    observer.read_turn = game.turn + 1
    return 1


def _send(
    desk: Desk,
    observer: Observer,
    notice: Notice,
    row: TurnRow,
    files: tuple[OutgoingFile, ...] = (),
) -> None:
    game, turn = observer.game, row.number
    over = isinstance(notice, FinalStanding)
    kind, tagged = ("over", None) if over else ("observed", turn)
    serial = f"{kind}{turn}b{game.rollbacks}c{len(row.corrections)}"
    to = Addressing(mailbox(observer.person), serial, game=game, turn=tagged, files=files)
    post(desk, notice, to)


def _public_report(session: Session, table: LoadedGame, row: TurnRow) -> PublicReport:
    game = table.game
    told = told_by(session, game, row.number)
    return PublicReport(
        game=game.name,
        title=game.title,
        turn=row.number,
        behind=0 if game.status is GameStatus.ENDED else game.turn - row.number,
        view=both_ways(shown(table, Showing(None, ""), told)),
        news=tuple(news(told, None)),
        notes=tuple(audit.told_in(session, game, row.number)),
        press=tuple(broadcasts(session, game, row.number)),
    )


def public_news(session: Session, game: Game, turn: int) -> Iterator[str]:
    """Yield the news for everybody in the report of *turn*."""
    return (event.text for event in news(before(session, game, turn), None))


def broadcasts(session: Session, game: Game, turn: int) -> Iterator[PressItem]:
    """Yield the GM's messages to all players; the players' own messages stay private."""
    everybody = {Seat(row.number) for row in game.seats}
    for item in press.of_masters(session, game, turn):
        if everybody <= set(item.recipients):
            # The list of recipients would reveal the seats.
            yield PressItem("the GM", "", item.text)
