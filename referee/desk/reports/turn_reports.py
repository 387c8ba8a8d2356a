"""The letters of a turn: reports, and notices of missed turns."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

from referee.desk.base import robots
from referee.desk.base.announcements import REFEREE, current_deadline
from referee.desk.base.attachments import enclosures
from referee.desk.base.call_outs import call_out, due, for_all
from referee.desk.base.desk import Desk
from referee.desk.base.faults import FAILED, Part, Parts, try_part
from referee.desk.base.loaded_games import LoadedGame, commitment, lay_turn, seat_name
from referee.desk.base.outbox_writer import Addressing, both_ways, mailbox, written
from referee.desk.base.told_turns import news, told_by
from referee.desk.games import missing_orders
from referee.desk.orders.standing_orders import standing_doubts
from referee.desk.reports import turn_summaries, vote_text
from referee.desk.reports.press_delivery import addressees, in_letters, message_of
from referee.desk.reports.report_formats import as_wanted, deadline_of, view_of
from referee.desk.reports.report_guide import first_guide, lesson
from referee.domain.call_outs import CallOutEvent
from referee.domain.days import in_words
from referee.letters.outgoing.end_notices import FinalStanding, Plain
from referee.letters.outgoing.notices import (
    Correction,
    MissedTurn,
    OrderResult,
    PressItem,
    Report,
)
from referee.letters.outgoing.press_notices import MorePress
from referee.rules.extras import extras_of
from referee.rules.ruleset import Outcome, Seat, Verdict
from referee.rules.views import View
from referee.rules.wording import counted, listed
from referee.store import Session
from referee.store.games import audit, games, press
from referee.store.games import votes as ballots
from referee.store.games.games import SheetOrders
from referee.store.games.press import Press
from referee.store.games.votes import Vote
from referee.store.mail import digests, outbox
from referee.store.mail.digests import OwedKind
from referee.store.mail.outbox import Finished
from referee.store.models import Game, SeatRow, TurnRow
from referee.store.people import deputies
from referee.store.people.deputies import Deputy

RETRIED: Final = timedelta(hours=2)
"""The time after which a report that lacks a part is tried again."""


@dataclass(frozen=True, slots=True)
class TurnTransition:
    """A resolved turn: the loaded game in its new state, and the results of the turn.

    *missed* are the seats without a sheet; their *outcomes* are those of default orders. *standing*
    are those without a sheet that have standing orders.
    """

    table: LoadedGame
    outcomes: Mapping[Seat, Sequence[tuple[Any, Outcome]]]
    missed: frozenset[Seat]
    verdict: Verdict | None
    told: tuple[TurnRow, ...] = ()
    """The turns whose results the reports tell: the last one, and those of robots before it."""
    standing: frozenset[Seat] = frozenset()
    excused: Mapping[Seat, str] = field(default_factory=dict)
    """Why the turn does not count as missed, for those of the missed seats."""
    notes: tuple[str, ...] = ()
    """Public notes of GM actions since the last report."""
    votes: tuple[Vote, ...] = ()
    """The votes that closed since the last report, and the open ones."""
    why: str = ""
    """Why the turn was resolved when it was, for the GMs; "" if it was one of robots."""
    ahead: Mapping[int, SheetOrders] = field(default_factory=dict)
    """The sheets that were sent ahead for the turn that begins, by seat id."""


def report_turn(desk: Desk, turnover: TurnTransition) -> None:
    """Put the letters of a resolved turn into the outbox, and mark its press as delivered.

    If robots play the next turn at once, the report waits for a turn in which they do not.
    """
    game = turnover.table.game
    rows = [row for row in game.seats if row.person is not None]
    if turnover.verdict is None and game.ready_at is not None and game.ready_at <= desk.now:
        for note in _silent(Parts(desk, game), turnover):
            audit.note(desk.session, game, REFEREE, note, desk.now)
        letters = [each for row in rows for each in _missed(desk, turnover, row)]
        outbox.put(desk.session, desk.now, *letters)
    else:
        turnover = _report_all(desk, turnover, rows)
        if turnover.verdict is None:
            resolved = f"{game.name}: turn {game.turn - 1} is resolved.{due(desk.site, game)}"
            call_out(desk, game, for_all(CallOutEvent.RESOLVED, resolved), _serial(game))
    _notify_gms(desk, turnover)


def _report_all(desk: Desk, turnover: TurnTransition, rows: Sequence[SeatRow]) -> TurnTransition:
    """Report to these seats, and return the turnover with the notes, votes and turns of it."""
    game, waiting = turnover.table.game, press.undelivered(desk.session, turnover.table.game)
    turnover = _with_votes(desk.session, _with_notes(desk.session, turnover))
    acting = deputies.acting_in(desk.session, game)
    turnover = replace(
        turnover,
        ahead=games.sheets_on_file(desk.session, game),
        told=tuple(games.told_in(desk.session, game, None)),
    )
    done = _done_with(desk, turnover)
    letters: list[Finished] = []
    for row in rows:
        if row.number not in done or any(row.number in each.recipients for each in waiting):
            letters += _report_letters(desk, turnover, row, waiting, acting.get(row.id))
            letters += _missed(desk, turnover, row)
    outbox.put(desk.session, desk.now, *letters)
    for item in waiting:
        item.delivered_turn, item.due_at = game.turn, None
    for turn in turnover.told:
        turn.told_turn = game.turn
    return turnover


def _done_with(desk: Desk, turnover: TurnTransition) -> Collection[int]:
    """Return the seats whose players know that they are eliminated; the next letter is the end.

    A game for one goes on only while its player asks for the next report.
    """
    table, game = turnover.table, turnover.table.game
    out = [row for row in game.seats if table.is_out(row)]
    if not out or game.for_one or turnover.verdict is not None:
        return ()
    known = lay_turn(desk.site, game, turnover.told[0])
    return {row.number for row in out if known.is_out(row)}


def report_start(desk: Desk, table: LoadedGame) -> None:
    """Put the first report of every seat into the outbox."""
    start = _with_notes(desk.session, TurnTransition(table, {}, frozenset(), None))
    acting = deputies.acting_in(desk.session, table.game)
    for row in table.game.seats:
        if row.person is not None:
            letters = _report_letters(desk, start, row, (), acting.get(row.id))
            outbox.put(desk.session, desk.now, *letters)
    game = table.game
    begun = f"{game.name} {game.title} has begun.{due(desk.site, game)}"
    call_out(desk, game, for_all(CallOutEvent.BEGUN, begun), _serial(game))


def report_anew(
    desk: Desk, table: LoadedGame, row: SeatRow, serial: str, correction: Correction | None = None
) -> None:
    """Put a seat's report on the current state into the outbox again; a *correction* is named."""
    outbox.put(desk.session, desk.now, *complete_report(desk, table, row, serial, correction))


def complete_report(
    desk: Desk, table: LoadedGame, row: SeatRow, serial: str, correction: Correction | None = None
) -> Sequence[Finished]:
    """Return the letters with a seat's report on the current state, again; name a *correction*.

    It has the messages of the report before, because REPORT mails it in the place of that one. The
    faults of the desk name what it lacks.
    """
    report, addressing = report_now(desk, table, row, serial)
    messages = press.in_reports(desk.session, table.game)
    groups = in_letters(_press_for(table.game, Seat(row.number), messages))
    more = sum(map(len, groups[1:]))
    report = replace(report, correction=correction, press=groups[0], more_press=more)
    if missing_orders.lacks_sheet(desk.session, table.game, row):
        report = replace(report, doubts=standing_doubts(table, row))
    deputy = deputies.acting(desk.session, row)
    copied = partial(_deputy_copy, desk, report, addressing, deputy, ())
    nothing: tuple[Finished, ...] = ()
    copy = try_part(desk, row.game, Part.DEPUTY, copied, nothing)
    rest = _more_press(desk, report, addressing, groups[1:])
    return (*laid_out(desk, row.game, report, addressing), *copy, *rest)


def _results(told: Sequence[TurnRow], row: SeatRow) -> tuple[list[OrderResult], Any]:
    """Return the failed orders of a seat in these turns, and whether each was done."""
    own = [
        each
        for turn in told
        for each in (() if row.eliminated else (turn.outcomes or {}).get(str(row.number), ()))
    ]
    return (
        [OrderResult(order, reason) for order, done, reason in own if not done],
        [(order, done) for order, done, _reason in own],
    )


def report_now(
    desk: Desk, table: LoadedGame, row: SeatRow, serial: str
) -> tuple[Report, Addressing]:
    """Return a seat's report on the current state, and its addressing."""
    game, session = table.game, desk.session
    told, votes = told_by(session, game, game.turn), ballots.running(session, game)
    turnover = TurnTransition(table, {}, frozenset(), None, told=tuple(told), votes=tuple(votes))
    report, addressing, parts = _whole(desk, turnover, row, serial, ())
    return _lacking(report, parts), addressing


def _with_notes(session: Session, turnover: TurnTransition) -> TurnTransition:
    """Return the turnover with all unreported notes, and mark them as reported."""
    game = turnover.table.game
    entries = audit.untold(session, game)
    for entry in entries:
        entry.told_turn = game.turn
    return replace(turnover, notes=tuple(entry.what for entry in entries))


def _with_votes(session: Session, turnover: TurnTransition) -> TurnTransition:
    """Return the turnover with all open and unreported votes; mark the latter as reported."""
    game = turnover.table.game
    closed, running = ballots.untold(session, game), ballots.running(session, game)
    for vote in closed:
        vote.told_turn = game.turn
    return replace(turnover, votes=(*closed, *running))


def _report_letters(
    desk: Desk,
    turnover: TurnTransition,
    row: SeatRow,
    messages: Sequence[Press],
    deputy: Deputy | None,
) -> tuple[Finished, ...]:
    """Return the report of a seat, and the copy for its deputy if there is one."""
    game = row.game
    groups = in_letters(_press_for(game, Seat(row.number), messages))
    report, addressing, parts = _whole(desk, turnover, row, f"report{_serial(game)}", messages)
    report = replace(report, press=groups[0], more_press=sum(map(len, groups[1:])))
    if turnover.verdict is None and row.id not in turnover.ahead:
        report = replace(report, doubts=standing_doubts(turnover.table, row))
    shorter = partial(as_wanted, desk.site, turnover.table, row, report, turnover.told)
    wanted = parts.make(Part.FORMAT, shorter, report)
    to = [one for one in (addressing, _to_deputy(addressing, deputy)) if one is not None]
    more: tuple[Finished, ...] = parts.make(
        Part.MORE_PRESS,
        lambda: tuple(each for one in to for each in _more_press(desk, report, one, groups[1:])),
        (),
    )
    given = (desk, _lacking(report, parts), addressing, deputy, turnover.votes)
    copy: tuple[Finished, ...] = parts.make(Part.DEPUTY, lambda: _deputy_copy(*given), ())
    before = len(desk.faults)
    letters = laid_out(desk, game, _lacking(wanted, parts), addressing)
    if turnover.verdict is None and (parts.lost or len(desk.faults) > before):
        times = digests.Times(desk.now, desk.now + RETRIED)
        digests.owe(desk.session, row, row.person_id or 0, OwedKind.REPORT, times)
    return (*letters, *copy, *more)


def _lacking(report: Report, parts: Parts) -> Report:
    """Return a report that names the parts that could not be made."""
    if not parts.lost:
        return report
    names = listed(part.title for part in parts.lost)
    missing = f"This email lacks {names}, {FAILED} You get it again when that is fixed."
    return replace(report, notes=(*report.notes, missing))


def laid_out(
    desk: Desk, game: Game, notice: Report | FinalStanding, addressing: Addressing
) -> tuple[Finished, ...]:
    """Return the letter with a report, or with its plain text if its layout fails."""

    def laid_out() -> tuple[Finished, ...] | None:
        return written(desk, notice, addressing)

    letters = try_part(desk, game, Part.LAYOUT, laid_out, None)
    if letters is None:
        return written(desk, _plain(notice), replace(addressing, files=()))
    return letters


def _plain(notice: Report | FinalStanding) -> Plain:
    """Return a report without its layout."""
    if isinstance(notice, FinalStanding):
        facts = (f"The winners: {listed(notice.winners) or 'none'}.", *notice.notes)
        return Plain("final standings", facts, notice.standing, notice.kind)
    due = f"Orders due: {notice.deadline.in_full}" if notice.deadline else "No deadline is set."
    messages = len(notice.press) + notice.more_press
    press = f"{counted(messages, 'message')} of press came, which REPORT shows later."
    told = (event.text for event in notice.news)
    facts = (due, *told, *notice.notes, *[press] * bool(messages))
    return Plain("report", facts, notice.view, notice.kind)


def _more_press(
    desk: Desk, report: Report, addressing: Addressing, groups: Sequence[tuple[PressItem, ...]]
) -> Iterable[Finished]:
    """Yield the letters with the messages that do not fit into the report."""
    for number, press_items in enumerate(groups, start=1):
        notice = MorePress(report.game, report.turn, number, len(groups), press_items)
        serial = f"{addressing.serial}m{number}"
        yield from written(desk, notice, replace(addressing, serial=serial, files=()))


def _whole(
    desk: Desk, turnover: TurnTransition, row: SeatRow, serial: str, messages: Sequence[Press]
) -> tuple[Report, Addressing, Parts]:
    """Return the full report of a seat, its addressing, and the parts that it lacks."""
    view = view_of(turnover.table, row, turnover.told)
    addressing = _addressing(turnover.table.game, row, serial)
    told = news(turnover.told, _reader(row))
    files, lost = enclosures(desk, turnover.table, row, view, addressing, told)
    parts = Parts(desk, turnover.table.game, [*lost])
    report = _report(parts, turnover, row, view, messages)
    return report, replace(addressing, files=tuple(files)), parts


def _deputy_copy(
    desk: Desk,
    report: Report,
    addressing: Addressing,
    deputy: Deputy | None,
    votes: Sequence[Vote],
) -> tuple[Finished, ...]:
    """Return the full report without files, for the deputy of the addressed seat."""
    if deputy is None or deputy.person is None:
        return ()
    copy = replace(
        report,
        deputy_until=in_words(deputy.days.last),
        votes=tuple(vote_text.open_lines(votes, None, deputy.person.zone)),
        deadline=current_deadline(deputy.seat.game, deputy.person.zone, desk.now),
    )
    theirs = _to_deputy(addressing, deputy)
    if theirs is None:
        return ()
    return written(desk, copy, theirs)


def _to_deputy(addressing: Addressing, deputy: Deputy | None) -> Addressing | None:
    """Return the addressing of the deputy's copy, or None without a deputy."""
    if deputy is None or deputy.person is None:
        return None
    return replace(addressing, to=mailbox(deputy.person), deputy=deputy, files=())


def _zone(row: SeatRow) -> str:
    return row.person.zone if row.person is not None else "UTC"


def _report(
    parts: Parts, turnover: TurnTransition, row: SeatRow, view: View, messages: Sequence[Press]
) -> Report:
    table, game, seat = turnover.table, turnover.table.game, Seat(row.number)
    failed, results = _results(turnover.told, row)
    missed = seat in turnover.missed
    over = turnover.verdict is not None
    awaited = not over and table.awaits(row)
    now, own = parts.desk.now, () if missed else results
    taught = None if over else parts.make(Part.LESSON, lambda: lesson(table, row, own), None)
    is_first = game.turn == 1 and not (over or taught)
    return Report(
        game=game.name,
        title=game.title,
        turn=game.turn,
        seat=row.name,
        view=both_ways(view),
        eliminated=_eliminated(table, row),
        missed=missed,
        standing=seat in turnover.standing,
        excused=turnover.excused.get(seat, ""),
        generated=_generated(turnover, row) if missed else (),
        failed=tuple(failed),
        news=tuple(news(turnover.told, _reader(row))),
        press=tuple(_press_for(game, seat, messages)),
        votes=tuple(vote_text.open_lines(turnover.votes, row, _zone(row))),
        closed_votes=tuple(vote_text.closed_lines(turnover.votes)),
        delivered=tuple(_delivered(row, messages)),
        notes=(*_notes(turnover), *_silent(parts, turnover)),
        deadline=current_deadline(game, _zone(row), now),
        awaited=awaited,
        template=parts.make(Part.SHEET, partial(table.template, seat), ()) if awaited else (),
        commitment=commitment(game.seed) if game.turn == 1 and taught is None else "",
        seed=game.seed.hex() if over else "",
        winners=winners(game, turnover.verdict),
        drawn=have_all_won(game, turnover.verdict),
        guide=parts.make(Part.GUIDE, partial(first_guide, table, row), None) if is_first else None,
        lesson=taught,
        robots=parts.make(Part.ROBOTS, lambda: robots.in_report(game, table.met_by(row)), ""),
        phase=table.phase.title,
        ahead=len(turnover.ahead[row.id].orders) if awaited and row.id in turnover.ahead else None,
    )


def _eliminated(table: LoadedGame, row: SeatRow) -> str:
    """Return the words for an eliminated seat on its reports, or ""."""
    if not table.is_out(row):
        return ""
    seen = " You see what everyone can see." if row.eliminated else ""
    end = "Your next report comes when the game ends; REPORT FULL shows it until then."
    last = "" if table.game.for_one else f" {end}"
    return f"{row.name} is eliminated, so you need not send orders.{seen}{last}"


def _reader(row: SeatRow) -> Seat | None:
    """Return the seat whose news a report tells; an eliminated one reads those for everyone."""
    return None if row.eliminated else Seat(row.number)


def _generated(turnover: TurnTransition, row: SeatRow) -> tuple[str, ...]:
    """Return the default orders of a seat."""
    outcomes = () if row.eliminated else turnover.outcomes.get(Seat(row.number), ())
    return tuple(turnover.table.render([order for order, _ in outcomes]))


def _press_for(game: Game, seat: Seat, messages: Iterable[Press]) -> Iterable[PressItem]:
    return (message_of(game, item) for item in messages if seat in item.recipients)


def _delivered(row: SeatRow, messages: Iterable[Press]) -> Iterable[str]:
    """Yield the delivery receipts for the seat's own messages that asked for one."""
    for item in messages:
        if item.sender == row.number and item.receipt:
            yield (
                f"Your message from receipt #{item.letter.receipt} to "
                f"{addressees(row.game, item)} is in the reports of this turn."
            )


def _notes(turnover: TurnTransition) -> Iterable[str]:
    game = turnover.table.game
    holders = {row.person_id for row in game.seats}
    if game.turn == 1 and any(gm.person_id in holders for gm in game.gms):
        yield (
            "A GM of this game also plays in it. They see who has sent orders, but no orders "
            "and no reports."
        )
    yield from turnover.notes


def _silent(parts: Parts, turnover: TurnTransition) -> Sequence[str]:
    return parts.make(Part.SILENT, lambda: [*_missing(turnover)], [])


def _missing(turnover: TurnTransition) -> Iterable[str]:
    """Yield who sent no orders for the turn, if everybody may know."""
    game = turnover.table.game
    silent = sorted(seat_name(game, seat) for seat in turnover.missed)
    if silent and _names_are_public(turnover.table):
        yield f"No orders came from: {', '.join(silent)}."


def _names_are_public(table: LoadedGame) -> bool:
    """Return whether every seat knows every other, so that a name reveals nothing."""
    everybody = {Seat(row.number) for row in table.game.seats}
    return all(
        everybody <= table.ruleset.contacts(table.state, seat) | {seat} for seat in everybody
    )


def _missed(desk: Desk, turnover: TurnTransition, row: SeatRow) -> tuple[Finished, ...]:
    """Return the notice to a player who has missed the turn, if one is due."""
    seat, game = Seat(row.number), turnover.table.game
    # After the end no orders are expected, and an absent player gets only the report.
    if seat not in turnover.missed - turnover.excused.keys() or turnover.verdict is not None:
        return ()
    notice = MissedTurn(
        game=game.name,
        turn=game.turn - 1,
        seat=row.name,
        missed=row.missed,
        limit=game.missed_limit,
        generated=_generated(turnover, row),
        deadline=deadline_of(game, row),
        offered=game.standby and game.missed_limit > 0,
        in_rounds=len(turnover.table.ruleset.info.phases) > 1,
    )
    addressing = replace(_addressing(game, row, f"missed{_serial(game)}"), can_wait=True)
    return try_part(desk, game, Part.MISSED, lambda: written(desk, notice, addressing), ())


def _notify_gms(desk: Desk, turnover: TurnTransition) -> None:
    game = turnover.table.game
    if turnover.verdict is not None or not turnover.why:
        return
    counts = turnover.missed - turnover.excused.keys()
    resolved = turn_summaries.Resolved(
        game.turn - 1, turnover.why, counts, turnover.standing, turnover.notes
    )
    turn_summaries.keep(desk, game, resolved)


def standing(table: LoadedGame) -> View:
    """Return the standing of a game that the rules have not ended."""
    own = extras_of(table.ruleset).standing
    return own(table.state) if own is not None else table.ruleset.view(table.state, None, "")


def winners(game: Game, verdict: Verdict | None) -> tuple[str, ...]:
    """Return the names of the seats that have won."""
    return tuple(seat_name(game, seat) for seat in sorted(verdict.winners)) if verdict else ()


def have_all_won(game: Game, verdict: Verdict | None) -> bool:
    """Return whether every seat has won."""
    return verdict is not None and 1 < len(verdict.winners) == len(game.seats)


def _serial(game: Game) -> str:
    """Return a serial that distinguishes a turn's letters from those before a rollback."""
    return f"{game.turn}b{game.rollbacks}" if game.rollbacks else str(game.turn)


def _addressing(game: Game, row: SeatRow, serial: str) -> Addressing:
    assert row.person is not None
    return Addressing(mailbox(row.person), serial, game=game, seat=row, turn=game.turn)
