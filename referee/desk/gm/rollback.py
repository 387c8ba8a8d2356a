"""Turns previewed, replayed, rolled back and corrected by a GM."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from referee.desk.base.attachments import cancelled
from referee.desk.base.loaded_games import LoadedGame, Showing, lay_turn, load, seat_name
from referee.desk.base.outbox_writer import both_ways
from referee.desk.games import deadlines
from referee.desk.games.replay import turns_again
from referee.desk.games.resolution import Resolved, brief_of, resolve
from referee.desk.gm.queries import enclose
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.gm_authority import (
    BEGUN,
    announce_and_log,
    due_in_words,
    noted_of_clock,
    notify_others,
    notify_seat,
    plays,
    require_gm,
    require_outside_gm,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports import public_reports
from referee.desk.reports.turn_reports import report_anew
from referee.domain.gm_commands import Correct, Preview, Replay, Rollback
from referee.domain.sheets import Entry
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import Correction, GmAnswer, OrderResult
from referee.reports.changes import changes
from referee.reports.text import text
from referee.rules.news import opened
from referee.rules.ruleset import Event, RulingKind, Seat, UserError
from referee.rules.views import View
from referee.rules.wording import counted
from referee.store.database import codec
from referee.store.games import games, press
from referee.store.games import rollback as branches
from referee.store.models import Game, GameStatus, SeatRow

_REPLAY_SECONDS: Final = 5.0
"""The processor time that one REPLAY can take."""
_RESUMED: Final = " The others would take too long here. The operator can check them all."


@question(
    Preview,
    "PREVIEW",
    For.GM,
    shown_in="gm_undoing",
    answer=GmAnswer,
    check=lambda context: require_outside_gm(context, *BEGUN),
    says="mails you the reports as they would be now, and changes nothing.",
)
def preview_turn(context: LetterContext, _given: Preview) -> str:
    """PREVIEW. Shows the turn as it would be resolved now; nothing is stored."""
    game = context.game()
    resolved = resolve(context.site, game, brief_of(context.session, game, context.now))
    files = tuple(_files(resolved.before.game, resolved))
    notice = GmAnswer(
        game.name,
        f"preview of turn {game.turn}",
        "\n".join(_summary(resolved)),
        tuple(file.name for file in files),
    )
    enclose(context, notice, files)
    return ""


@question(
    Replay,
    "REPLAY",
    For.GM,
    shown_in="gm_undoing",
    check=lambda context: require_gm(context, *BEGUN, GameStatus.ENDED),
    says="resolves all stored turns again, and says whether they are identical.",
)
def prove(context: LetterContext, _given: Replay) -> str:
    """REPLAY. A GM who plays sees the number of differences, but not the differences."""
    game = context.game()
    each = _turns_again(context, game)
    differences = [difference for turn in reversed(each) for difference in turn]
    count = len(games.turns_of(context.session, game)) - 1
    turns = counted(count, "turn")
    if len(each) < count:
        turns = f"The newest {len(each)} of {turns}"
    if not differences:
        return f"{turns} resolved again: identical.{_RESUMED if len(each) < count else ''}"
    if game.status is not GameStatus.ENDED and plays(game, context.identity.person):
        return f"{turns} resolved again: {len(differences)} differences."
    return "\n".join([f"{turns} resolved again; these differ:", *differences])


def _turns_again(context: LetterContext, game: Game) -> list[Sequence[str]]:
    """Return the differences of each turn, the newest first, until the time is used up.

    This time does not count for the rest of the letter.
    """
    began, each = context.effort.spent, list[Sequence[str]]()
    with context.effort.apart():
        for differences in turns_again(context.session, context.site, game):
            each.append(differences)
            if context.effort.spent - began > _REPLAY_SECONDS:
                break
    return each


@command(Rollback, "ROLLBACK", For.GM, Effect.FOR_GOOD, shown_in="gm_undoing")
def rollback(context: LetterContext, given: Rollback) -> Deed:
    """ROLLBACK cannot be undone, but the undone turns are kept."""
    game, turn = _target(context, given)

    def go_back() -> str:
        what = f"{branches.ROLLED_BACK} from turn {game.turn} to turn {turn}."
        undone = game.turn
        branches.undo(context.session, game, turn)
        public_reports.forget_after(context.desk, game, turn)
        deadlines.begin(game, load(context.session, context.site, game).phase.key, context.now)
        press.follow(context.session, game)
        for row in game.seats:
            files = cancelled(context.site, game, row, context.now, turn=undone)
            notify_seat(context, row, f"{what} {_orders_now(row, turn)}", files)
        notify_others(context, game, what)
        # The players read the new deadline already.
        context.clock = None
        return noted_of_clock(context, game, what, at_once=True)

    later = games.turns_of(context.session, game)
    undone = [row for row in later if turn <= row.number < game.turn]
    resolved = "; ".join(
        f"turn {row.number}, resolved on {Moment(row.resolved_at, context.zone)}"
        for row in undone
        if row.resolved_at is not None
    )
    phase = lay_turn(context.site, game, undone[0]).phase.key
    count = len(branches.later_sheets(context.session, game, turn))
    sheets = f"{count} order sheet{'s' if count != 1 else ''}"
    lost = f"; {sheets} for later turns will not count" if count else ""
    return Deed(
        f"{game.name} goes back from turn {game.turn} to turn {turn}. Undone: {resolved}. "
        f"The sheets for turn {turn} stay on file{lost}. "
        f"{_next_due(context, game, turn, phase)} The players are notified at once. "
        "The undone turns are kept, but you cannot take this back. The dice stay the same.",
        go_back,
    )


def _next_due(context: LetterContext, game: Game, turn: int, phase: str) -> str:
    """Return when the turn is due that the game goes back to, as a sentence."""
    if game.status is GameStatus.HELD:
        return f"The game stays on hold, so turn {turn} has no deadline until it resumes (RESUME)."
    when = due_in_words(context, partial(deadlines.opening, game, phase))
    return f"Turn {turn} is then due {when}, as if it began now."


def _orders_now(row: SeatRow, turn: int) -> str:
    """Return the effects of a rollback to *turn* on the player of a seat, in sentences."""
    if row.eliminated:
        return f"{row.name} stays eliminated. REPORT mails the report again."
    return (
        f"Your orders for turn {turn} are on file as they were; ORDERS shows them. Orders for "
        "later turns do not count, nor does FINAL: send it again when you are ready. REPORT mails "
        "the report again."
    )


@command(
    Correct,
    "CORRECT",
    For.GM,
    shown_in="gm_undoing",
    because="all players read that you changed the state of the game",
)
def correct(context: LetterContext, given: Correct) -> Deed:
    """CORRECT, which the old values undo. It is stored with the turn for replays."""
    game = require_outside_gm(context, *BEGUN)
    before = load(context.session, context.site, game)
    state, effect = before.ruleset.correct(before.state, given.text)

    def change() -> str:
        row = games.turn_of(context.session, game, game.turn)
        encoded = codec.encode(state)
        row.state, row.digest = encoded.content, encoded.digest
        row.corrections = [*row.corrections, given.text]
        context.session.flush()
        corrections = context.reports.setdefault(0, _Corrections(context, before))
        assert isinstance(corrections, _Corrections)
        corrections.reasons.append(_reason(given))
        hidden = f"Corrected: {' / '.join(effect.splitlines()).rstrip('.')}."
        return announce_and_log(context, game, hidden, _announcement(given))

    changes = " ".join(f"{line.strip().removesuffix('.')}." for line in effect.splitlines())
    return Deed(
        f"This changes in {game.name} before the orders of turn {game.turn}: {changes} "
        f"All players read in the next report: {_announcement(given)} "
        "Players whose own report changes get it again at once.",
        change,
    )


@dataclass(slots=True)
class _Corrections:
    """The reports that all corrections of one email change, for the seats without another one."""

    context: LetterContext
    before: LoadedGame
    reasons: list[str] = field(default_factory=list)

    def __call__(self) -> None:
        """Mail them."""
        context, why = self.context, " ".join(self.reasons)
        after = load(context.session, context.site, self.before.game)
        for seat in after.game.seats:
            if seat.person is not None and seat.id not in context.reports:
                _report_correction(context, self.before, after, seat, why)
        public_reports.correct(context.desk, self.before, after, why)


def _report_correction(
    context: LetterContext, before: LoadedGame, after: LoadedGame, row: SeatRow, reason: str
) -> None:
    """Send a seat its corrected report, if it or the ruling on an order on file changed."""
    old, new = _view(before, row), _view(after, row)
    rejected = _no_longer_possible(context, before, after, row)
    if text(old) == text(new) and not rejected:
        return
    number = len(games.turn_of(context.session, row.game, row.game.turn).corrections)
    correction = Correction(reason, both_ways(changes(old, new)), rejected)
    serial = f"corrected{context.row.id}x{number}"
    report_anew(context.desk, after, row, serial, correction)


def _no_longer_possible(
    context: LetterContext, before: LoadedGame, after: LoadedGame, row: SeatRow
) -> tuple[OrderResult, ...]:
    """Return the orders on file for the turn that only the state *after* rejects, and why."""
    filed = games.on_file(context.session, row, row.game.turn)
    entries = after.with_orders([Entry(order, 0) for order in filed.orders] if filed else [])
    orders = [entry.order for entry in entries]
    seat = Seat(row.number)
    rulings = [table.ruleset.validate(table.state, seat, orders) for table in (before, after)]
    return tuple(
        OrderResult(entry.text, new.reason)
        for entry, old, new in zip(entries, *rulings, strict=True)
        if new.kind is RulingKind.REJECTED and old.kind is not RulingKind.REJECTED
    )


def _announcement(command: Correct) -> str:
    return f"{branches.CORRECTED} {_reason(command)}"


def _reason(command: Correct) -> str:
    return f"{command.reason.rstrip('.')}."


def _target(context: LetterContext, command: Rollback) -> tuple[Game, int]:
    """Return the game and the turn to go back to. Raises UserError if there is no such turn."""
    game = context.game()
    if game.status is GameStatus.ENDED and context.identity.is_gm:
        raise UserError(f"{game.name} has ended and its dice are known, so nothing can be undone.")
    game = require_outside_gm(context, *BEGUN, to="undo turns")
    if game.turn == 1:
        raise UserError(f"No turn of {game.name} is resolved yet, so there is nothing to undo.")
    if command.turns >= game.turn:
        done = counted(game.turn - 1, "turn")
        raise UserError(f"{game.name} has only {done} that can be undone.")
    return game, game.turn - command.turns


def _view(table: LoadedGame, row: SeatRow) -> View:
    """Return the view of a seat; an eliminated one sees what everyone can."""
    return table.show(Showing(None if row.eliminated else Seat(row.number), ""))


def _files(game: Game, resolved: Resolved) -> Iterator[OutgoingFile]:
    """Return every seat's report after the turn."""
    for row in game.seats:
        view = resolved.after.show(Showing(Seat(row.number), ""))
        report = text(opened(view, resolved.resolution.events, Seat(row.number))) + "\n"
        name = f"report-{row.number}.txt"
        yield OutgoingFile(name, "text/plain; charset=utf-8", report.encode())


def _summary(resolved: Resolved) -> Iterator[str]:
    """Return the outcome of every order, and the events, in lines."""
    table, gathered, resolution = resolved.before, resolved.gathered, resolved.resolution
    game = table.game
    for row in game.seats:
        seat = Seat(row.number)
        outcomes = resolution.outcomes.get(seat, ())
        missed = f": no orders, {'these' if outcomes else 'no'} default orders"
        eliminated = ": eliminated" if row.eliminated else ""
        status = eliminated or (missed if seat in gathered.missed else "")
        yield f"{row.name} (report-{row.number}.txt){status}"
        for order, outcome in outcomes:
            failed = "" if outcome.done else f"  FAILS: {outcome.reason}"
            yield f"  {table.ruleset.render(order)}{failed}"
    if resolution.events:
        yield "EVENTS"
    yield from (f"  {_audience(game, event)}: {event.text}" for event in resolution.events)
    if resolved.verdict is not None:
        yield "The game ends with this turn."


def _audience(game: Game, event: Event) -> str:
    if event.audience is None:
        return "all"
    return ", ".join(seat_name(game, seat) for seat in sorted(event.audience)) or "nobody"
