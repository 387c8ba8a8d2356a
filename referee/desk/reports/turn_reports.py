"""The letters of a turn: every seat's report, notices of missed turns, and the final standing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from referee.desk.base.attachments import enclosures
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import LoadedGame, commitment, seat_name
from referee.desk.base.outbox_writer import Addressing, mailbox, post, written
from referee.desk.base.site import Site
from referee.desk.games import vacancies
from referee.desk.orders.deputy_rights import until
from referee.desk.reports import vote_text
from referee.desk.reports.press_delivery import addressees, message_of
from referee.desk.reports.report_formats import as_wanted, deadline_of, view_of
from referee.letters.outgoing.notices import (
    FinalStanding,
    MissedTurn,
    OrderResult,
    PressItem,
    Report,
)
from referee.letters.outgoing.seat_notices import SeatSilent
from referee.reports.text import text
from referee.rules.ruleset import Event, Outcome, Seat, Verdict
from referee.rules.views import View
from referee.store import Session
from referee.store.games import audit, press
from referee.store.games import votes as ballots
from referee.store.games.press import Press
from referee.store.games.votes import Vote
from referee.store.mail import outbox
from referee.store.mail.outbox import Finished
from referee.store.models import Game, SeatRow
from referee.store.people import deputies
from referee.store.people.deputies import Deputy


@dataclass(frozen=True, slots=True)
class TurnTransition:
    """A resolved turn: the table as it stands now, and how it came to that.

    *missed* are the seats that sent nothing; their *outcomes* are of orders made for them.
    *standing* are those that sent nothing and had provided for it.
    """

    table: LoadedGame
    outcomes: Mapping[Seat, Sequence[tuple[Any, Outcome]]]
    missed: frozenset[Seat]
    events: Sequence[Event]
    verdict: Verdict | None
    standing: frozenset[Seat] = frozenset()
    excused: frozenset[Seat] = frozenset()
    """Those of the missed whose players were away as they had said."""
    notes: tuple[str, ...] = ()
    """What GMs did since the last report, in words for everybody."""
    votes: tuple[Vote, ...] = ()
    """The votes that closed since the last report, and those that are open."""


def report_turn(desk: Desk, turnover: TurnTransition) -> None:
    """Put the letters of a resolved turn into the outbox and mark its press as delivered."""
    game = turnover.table.game
    waiting = press.undelivered(desk.session, game)
    turnover = _with_votes(desk.session, _with_notes(desk.session, turnover))
    acting = deputies.acting_in(desk.session, game, desk.now)
    letters: list[Finished] = []
    for row in game.seats:
        if row.person is not None:
            letters += _reported(desk, turnover, row, waiting, acting.get(row.id))
            letters += _missed(desk, turnover, row)
    outbox.put(desk.session, desk.now, *letters)
    for item in waiting:
        item.delivered_turn = game.turn
    _tell_masters(desk, turnover)


def report_start(desk: Desk, table: LoadedGame) -> None:
    """Put the first report of every seat into the outbox."""
    start = _with_notes(desk.session, TurnTransition(table, {}, frozenset(), (), None))
    acting = deputies.acting_in(desk.session, table.game, desk.now)
    for row in table.game.seats:
        if row.person is not None:
            letters = _reported(desk, start, row, (), acting.get(row.id))
            outbox.put(desk.session, desk.now, *letters)


def report_anew(desk: Desk, table: LoadedGame, row: SeatRow, serial: str) -> None:
    """Put a seat's report into the outbox as the game stands now that its state was corrected."""
    report, slip = report_now(desk.site, table, row, serial, desk.now)
    deputy = deputies.acting(desk.session, row, desk.now)
    copy = _copied(desk, report, slip, deputy)
    outbox.put(desk.session, desk.now, *written(desk, report, slip), *copy)


def report_now(
    site: Site, table: LoadedGame, row: SeatRow, serial: str, now: datetime
) -> tuple[Report, Addressing]:
    """Return a seat's report as the game stands now, and the slip to post it with."""
    return _whole(site, TurnTransition(table, {}, frozenset(), (), None), row, serial, (), now)


def report_end(desk: Desk, game: Game, verdict: Verdict) -> None:
    """Put the final standing and the seed into the outbox, for every player and GM."""
    _tell_end(desk, game, verdict)


def _with_notes(session: Session, turnover: TurnTransition) -> TurnTransition:
    """Return the turnover with all that no report has told yet, which is told from now on."""
    game = turnover.table.game
    entries = audit.untold(session, game)
    for entry in entries:
        entry.told_turn = game.turn
    return replace(turnover, notes=tuple(entry.what for entry in entries))


def _with_votes(session: Session, turnover: TurnTransition) -> TurnTransition:
    """Return the turnover with the votes that no report has told yet, and those that are open."""
    game = turnover.table.game
    closed, running = ballots.untold(session, game), ballots.running(session, game)
    for vote in closed:
        vote.told_turn = game.turn
    return replace(turnover, votes=(*closed, *running))


def _reported(
    desk: Desk,
    turnover: TurnTransition,
    row: SeatRow,
    messages: Sequence[Press],
    deputy: Deputy | None,
) -> tuple[Finished, ...]:
    """Return the report of a seat, and the copy for its deputy if it has one."""
    report, slip = _whole(desk.site, turnover, row, _of_turn(turnover), messages, desk.now)
    wanted = as_wanted(desk.session, desk.site, turnover.table, row, report)
    copy = _copied(desk, report, slip, deputy)
    return (*written(desk, wanted, slip), *copy)


def _of_turn(turnover: TurnTransition) -> str:
    """Return the serial of the reports of a turn."""
    return f"report{_serial(turnover.table.game)}"


def _whole(
    site: Site,
    turnover: TurnTransition,
    row: SeatRow,
    serial: str,
    messages: Sequence[Press],
    now: datetime,
) -> tuple[Report, Addressing]:
    """Return the whole report of a seat, and the slip to post it with."""
    view = view_of(turnover.table, row)
    slip = _slip(turnover.table.game, row, serial)
    files = enclosures(site, turnover.table, row, view, now)
    return _report(turnover, row, view, messages), replace(slip, files=files)


def _copied(
    desk: Desk, report: Report, slip: Addressing, deputy: Deputy | None
) -> tuple[Finished, ...]:
    """Return the copy of a report, whole and without files, for the deputy of the slip's seat."""
    if deputy is None or deputy.person is None:
        return ()
    due = report.deadline
    copy = replace(
        report,
        deputy_until=until(deputy),
        deadline=replace(due, zone=deputy.person.zone) if due is not None else None,
    )
    theirs = replace(slip, to=mailbox(deputy.person), deputy=deputy, files=())
    return written(desk, copy, theirs)


def _report(
    turnover: TurnTransition, row: SeatRow, view: View, messages: Sequence[Press]
) -> Report:
    table, game, seat = turnover.table, turnover.table.game, Seat(row.number)
    outcomes = () if row.eliminated else turnover.outcomes.get(seat, ())
    render = table.ruleset.render
    missed = seat in turnover.missed
    over = turnover.verdict is not None
    awaited = not over and row.number in table.awaiting
    return Report(
        game=game.name,
        title=game.title,
        turn=game.turn,
        seat=row.name,
        view=text(view),
        eliminated=row.eliminated,
        missed=missed,
        standing=seat in turnover.standing,
        excused=seat in turnover.excused,
        generated=tuple(render(order) for order, _ in outcomes) if missed else (),
        failed=tuple(
            OrderResult(render(order), outcome.reason)
            for order, outcome in outcomes
            if not outcome.done
        ),
        events=tuple(_heard(turnover.events, None if row.eliminated else seat)),
        press=tuple(_press_for(game, seat, messages)),
        votes=tuple(vote_text.lines(turnover.votes, row)),
        delivered=tuple(_delivered(row, messages)),
        notes=tuple(_notes(turnover)),
        deadline=deadline_of(game, row),
        awaited=awaited,
        template=table.template(seat) if awaited else (),
        commitment=commitment(game.seed) if game.turn == 1 else "",
        seed=game.seed.hex() if over else "",
    )


def _heard(events: Iterable[Event], seat: Seat | None) -> Iterable[str]:
    """Return what the seat hears of; None hears what everybody does."""
    return (event.text for event in events if event.audience is None or seat in event.audience)


def _press_for(game: Game, seat: Seat, messages: Iterable[Press]) -> Iterable[PressItem]:
    return (message_of(game, item) for item in messages if seat in item.recipients)


def _delivered(row: SeatRow, messages: Iterable[Press]) -> Iterable[str]:
    """Tell the writer of messages that they have gone out, if he asked to be told."""
    for item in messages:
        if item.sender == row.number and item.receipt:
            yield (
                f"Your message of receipt {item.letter_id} to {addressees(row.game, item)} is in "
                "the reports of this turn."
            )


def _notes(turnover: TurnTransition) -> Iterable[str]:
    game = turnover.table.game
    holders = {row.person_id for row in game.seats}
    if game.turn == 1 and any(master.person_id in holders for master in game.masters):
        yield "A GM of this game plays in it himself; he is told no more than any other player."
    yield from turnover.notes
    silent = sorted(seat_name(game, seat) for seat in turnover.missed)
    if silent and _names_are_public(turnover.table):
        yield f"No orders came from: {', '.join(silent)}."


def _names_are_public(table: LoadedGame) -> bool:
    """Return whether every seat knows every other, so that naming one tells nobody anything."""
    everybody = {Seat(row.number) for row in table.game.seats}
    return all(
        everybody <= table.ruleset.contacts(table.state, seat) | {seat} for seat in everybody
    )


def _missed(desk: Desk, turnover: TurnTransition, row: SeatRow) -> tuple[Finished, ...]:
    """Return the letter to a player who has missed the turn; none if there is nothing to tell."""
    seat, game = Seat(row.number), turnover.table.game
    # After the end nobody is asked for orders any more, and who is away reads his report alone.
    if seat not in turnover.missed - turnover.excused or turnover.verdict is not None:
        return ()
    render = turnover.table.ruleset.render
    notice = MissedTurn(
        game=game.name,
        turn=game.turn - 1,
        seat=row.name,
        missed=row.missed,
        limit=game.missed_limit,
        generated=tuple(render(order) for order, _ in turnover.outcomes.get(seat, ())),
        deadline=deadline_of(game, row),
        offered=game.standby,
    )
    slip = replace(_slip(game, row, f"missed{_serial(game)}"), can_wait=True)
    return written(desk, notice, slip)


def _tell_masters(desk: Desk, turnover: TurnTransition) -> None:
    game = turnover.table.game
    counted = turnover.missed - turnover.excused
    for row in game.seats:
        if row.number not in counted or not _is_newly_silent(row, desk.now):
            continue
        told = _silent(desk.session, row)
        for master in game.masters:
            slip = Addressing(
                mailbox(master.person), f"silent{_serial(game)}s{row.number}", game=game
            )
            post(desk, told, replace(slip, can_wait=True))
    if turnover.verdict is not None:
        _tell_end(desk, game, turnover.verdict)


def _is_newly_silent(row: SeatRow, now: datetime) -> bool:
    """Return whether the seat has just missed as many turns as its game allows."""
    at_limit = row.missed == row.game.missed_limit
    return vacancies.is_abandoned(row) and (at_limit or row.offered_at == now)


def _silent(session: Session, row: SeatRow) -> SeatSilent:
    return SeatSilent(
        game=row.game.name,
        turn=row.game.turn - 1,
        seat=row.name,
        missed=row.missed,
        offered=row.offered_at is not None,
        takers=len(vacancies.takers(session, row)),
    )


def _tell_end(desk: Desk, game: Game, verdict: Verdict) -> None:
    """Mail the final standing and the seed to every player and GM of the game."""
    notice = FinalStanding(
        game=game.name,
        title=game.title,
        turn=game.turn,
        winners=tuple(seat_name(game, seat) for seat in sorted(verdict.winners)),
        standing=text(verdict.standing),
        commitment=commitment(game.seed),
        seed=game.seed.hex(),
    )
    for row in game.seats:
        if row.person is not None:
            post(desk, notice, _slip(game, row, "standing"))
    for master in game.masters:
        post(desk, notice, Addressing(mailbox(master.person), "standing", game=game))


def _serial(game: Game) -> str:
    """Return what tells the letters of a turn from those of the same turn before a rollback."""
    return f"{game.turn}b{game.rollbacks}" if game.rollbacks else str(game.turn)


def _slip(game: Game, row: SeatRow, serial: str) -> Addressing:
    assert row.person is not None
    return Addressing(mailbox(row.person), serial, game=game, seat=row, turn=game.turn)
