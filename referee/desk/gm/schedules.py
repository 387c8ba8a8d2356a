"""Schedules and deadlines: what a GM changes, and what a GM does at once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from referee.desk.base.announcements import Move, shows_move
from referee.desk.base.deadline_moments import early_end_in_words
from referee.desk.base.loaded_games import check_phases, ruleset_of
from referee.desk.games import deadlines, hold_limits, missing_orders, reminders
from referee.desk.games.deadlines import go_on
from referee.desk.gm.change_notices import HELD, RESUMED, because
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    NoChange,
    announce_change,
    as_it_is,
    due_in_words,
    log_change,
    noted_of_clock,
    plays,
    refuse_player,
    require_gm,
    vote_on,
)
from referee.desk.orders.letter_context import ClockChange, LetterContext
from referee.desk.orders.readiness import ALL_TAKEN_BACK, can_be_taken_back, early_moment
from referee.domain.deadlines import coming, first_deadline, notice
from referee.domain.gm_commands import (
    Adjudicate,
    Extend,
    Hold,
    Remind,
    Resume,
    SetDeadline,
    SetSchedule,
)
from referee.domain.house_rules import early_wait
from referee.domain.schedules import Schedule, describe, in_words, roughly, spelled
from referee.domain.votes import Motion
from referee.letters.outgoing.local_time import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import UserError
from referee.store.models import LONG_AGO, Game, GameStatus

_FARTHEST = timedelta(days=366)
_ANOTHER = "DEADLINE with a day and an hour sets another one."
_SHOWN = 5
"""The number of deadlines that the preview of a new schedule shows."""


@command(Hold, "HOLD", For.GM, Effect.CONFIRMED, shown_in="gm_deadlines")
def hold(context: LetterContext, given: Hold) -> Deed:
    """HOLD. RESUME undoes it. The notice to the players can wait for their daily digest."""
    game = _game_to_hold(context)
    by_player = plays(game, context.identity.person)

    def stop() -> str:
        _begin_change(context, game, given.reason)
        deadlines.stop(context.session, game, context.now)
        if by_player:
            hold_limits.limit(context.session, game, context.now)
        return announce_change(context, game, f"{HELD}.{because(given.reason)}", at_once=True)

    left = spelled(timedelta(seconds=game.hold_seconds))
    ends = f" {hold_limits.limited(f'{left} after you confirm')}" if by_player else ""
    return Deed(
        f"No turn of {game.name} is resolved until you write RESUME, or the players vote for it. "
        "Orders are still accepted. FINAL stays in effect. RESUME sets a deadline that leaves at "
        f"least the time left now.{ends} {_notified(given.reason)}",
        stop,
    )


def preview_resume(context: LetterContext, command: Resume) -> str:
    """Return the preview of RESUME, which undoes HOLD."""
    game = _game_to_resume(context)
    table = context.playing()
    due = deadlines.after_hold(game, table.phase.key, context.now)
    when = due_in_words(context, partial(deadlines.after_hold, game, table.phase.key))
    what = f"{game.name} resumes. Turn {game.turn} is due {when}"
    notes = f"{_ANOTHER} {_notified(command.reason)} {_if_final(game)}".rstrip()
    return f"{what}{_before_hold(context, game, due)}. {notes}"


def _if_final(game: Game) -> str:
    """Return when the current turn of a game on hold ends once it resumes, if all are ready."""
    if not can_be_taken_back(game):
        return ""
    wait = early_wait(game.options_of_house)
    after = f"{in_words(wait)} after you confirm" if wait else "as soon as you confirm"
    return (
        f"But everyone is ready, so the turn is resolved {after}, unless somebody sends WAIT or "
        "new orders without FINAL."
    )


def _before_hold(context: LetterContext, game: Game, due: datetime) -> str:
    """Return how a deadline after a hold differs from the one before it, or ""."""
    if game.deadline_at is None or not shows_move(game.deadline_at, due):
        return ""
    old = Moment(game.deadline_at, context.zone)
    left = roughly(timedelta(seconds=game.remaining_seconds)) if game.remaining_seconds else ""
    return f" (before the hold: {old}, with {left} left)" if left else f" (before the hold: {old})"


def resume(context: LetterContext, command: Resume) -> str:
    """Handle RESUME. Notifies the players at once."""
    game = _game_to_resume(context)
    _begin_change(context, game, command.reason)
    go_on(context.session, context.playing(), context.now)
    return noted_of_clock(context, game, f"{RESUMED}.{because(command.reason)}", at_once=True)


def preview_schedule(context: LetterContext, command: SetSchedule) -> str:
    """Return the preview of SCHEDULE, with the old schedule that undoes it."""
    game, schedule = _rescheduled(context, command)
    due = game.deadline_at
    dates = "; ".join(str(moment) for moment in _next_deadlines(context, game, schedule))
    if due is None:
        dates_in_words = f"If it started now, turns would be due on: {dates}."
    elif game.status is GameStatus.HELD:
        dates_in_words = (
            f"The game stays on hold, so it has no deadline now. If turn {game.turn} is due on "
            f"{Moment(due, context.zone)} once it resumes, the deadlines after it are: {dates}."
        )
    else:
        stays = f"The current deadline is unchanged: {Moment(due, context.zone)}."
        dates_in_words = f"{stays} The deadlines after it: {dates}."
    becomes = f"The schedule of {game.name} becomes: {describe(schedule)}"
    return f"{becomes} (now: {game.schedule}). {dates_in_words}"


def schedule(context: LetterContext, command: SetSchedule) -> str:
    """Handle SCHEDULE."""
    game, schedule = _rescheduled(context, command)
    game.schedule = describe(schedule)
    # A schedule of every second week counts from the current deadline, which stays.
    game.scheduled_at = game.deadline_at
    return noted_of_clock(context, game, f"The GM changed the schedule: {game.schedule}.")


def preview_deadline(context: LetterContext, command: SetDeadline) -> str:
    """Return the preview of DEADLINE, with the old deadline that undoes it."""
    game = require_gm(context, *BEGUN)
    if extension := _extension_by_player(context, game, command):
        return preview_extend(context, extension)
    due = _due(context, game, command)
    warning = _if_short(context, game, due) or _if_far(game, due)
    return f"{_preview_move(context, game, due, command.reason)} {warning}".rstrip()


def deadline(context: LetterContext, command: SetDeadline) -> str:
    """Handle DEADLINE."""
    game = require_gm(context, *BEGUN)
    if extension := _extension_by_player(context, game, command):
        return extend(context, extension)
    due = _due(context, game, command)
    move = partial(deadlines.decide, context.session, game, due, context.now)
    return _move(context, game, due, command.reason, move)


def _extension_by_player(context: LetterContext, game: Game, command: SetDeadline) -> Extend | None:
    """Return the extension by which a GM who plays moves a deadline back, or None.

    Within the limit of extensions, so that they cannot stop the game.
    """
    assert game.deadline_at is not None
    span = _named(context, command) - game.deadline_at
    if span <= timedelta(0) or not plays(game, context.identity.person):
        return None
    return Extend(span, command.reason)


def _named(context: LetterContext, command: SetDeadline) -> datetime:
    """Return the moment that DEADLINE names."""
    return command.due(context.now, context.row.arrived_at, context.zone)


def _due(context: LetterContext, game: Game, command: SetDeadline) -> datetime:
    """Return the new deadline. Raises UserError if a GM who plays leaves too little time."""
    due = _named(context, command)
    if due != game.deadline_at and _if_short(context, game, due):
        least = in_words(deadlines.shortest_turn(game, context.playing().phase.key))
        refuse_player(context, game, f"leave less than {least} for a turn")
    return due


def preview_extend(context: LetterContext, command: Extend) -> str:
    """Return the preview of EXTEND. DEADLINE with the old deadline, which it shows, undoes it."""
    game = _game_to_extend(context, command)
    move = _preview_move(context, game, _extended(game, command), command.reason)
    return f"{move} {_left(game, command)}".rstrip()


def extend(context: LetterContext, command: Extend) -> str:
    """Handle EXTEND."""
    game = _game_to_extend(context, command)
    due = _extended(game, command)
    move = partial(deadlines.extend, context.session, game, command.span, context.now)
    return _move(context, game, due, command.reason, move)


def _game_to_extend(context: LetterContext, command: Extend) -> Game:
    """Return the game. Raises UserError, which names the vote of players if they have one."""
    vote = vote_on(context, Motion.EXTEND, f"VOTE EXTEND {in_words(command.span)}")
    return require_gm(context, *BEGUN, vote=vote)


def preview_remind(context: LetterContext, _command: Remind) -> str:
    """Return the preview of REMIND, which cannot be undone. Raises UserError if nobody gets one."""
    game = require_gm(context, GameStatus.RUNNING)
    rows = missing_orders.within_reach(context.desk, game)
    names = [row.name for row in rows]
    if not names:
        owing = missing_orders.owing(context.session, context.site, game)
        turn = f"turn {game.turn} of {game.name}"
        raise UserError(
            f"Everyone who still has to send orders for {turn} is away."
            if owing
            else f"Nobody still has to send orders for {turn}."
        )
    return f"A reminder of turn {game.turn} goes to: {', '.join(names)}."


def remind(context: LetterContext, _command: Remind) -> str:
    """Handle REMIND."""
    game = require_gm(context, GameStatus.RUNNING)
    rows = reminders.remind_now(context.desk, game, context.row.id)
    text = f"Reminded of turn {game.turn}: {', '.join(row.name for row in rows) or 'nobody'}."
    return log_change(context, game, text, text)


def preview_adjudicate(context: LetterContext, _command: Adjudicate) -> str:
    """Return the preview of ADJUDICATE. Only ROLLBACK undoes it."""
    game = _game_to_adjudicate(context)
    owing = ", ".join(row.name for row in missing_orders.owing(context.session, context.site, game))
    waiting = f"No orders yet: {owing}." if owing else "All orders are on file."
    turn = f"Turn {game.turn} of {game.name} is resolved now, before its deadline."
    return f"{turn} {waiting} {_after_now(context, game)}"


def adjudicate(context: LetterContext, _command: Adjudicate) -> str:
    """Handle ADJUDICATE. The turn becomes due; letters that came before are read first."""
    game = _game_to_adjudicate(context)
    # It does not wait for a mail source that is down, as a turn does that ends early, and WAIT does
    # not stop it.
    game.ready_at = LONG_AGO
    what = f"The GM resolved turn {game.turn} before its deadline."
    return _announce_at_once(context, game, what)


def _game_to_adjudicate(context: LetterContext) -> Game:
    game = require_gm(context, GameStatus.RUNNING)
    assert game.deadline_at is not None
    if context.now < game.deadline_at:
        refuse_player(context, game, "resolve a turn before its deadline")
    return game


def _game_to_hold(context: LetterContext) -> Game:
    game = require_gm(context, *BEGUN, vote=vote_on(context, Motion.PAUSE, "VOTE PAUSE"))
    if game.status is GameStatus.HELD:
        raise NoChange(f"{game.name} is already on hold, so nothing changes.")
    if game.resumed_turn == game.turn:
        raise UserError(
            f"The players resumed turn {game.turn} by a vote, so no GM can hold it again. EXTEND "
            "gives more time."
        )
    if plays(game, context.identity.person) and not game.hold_seconds:
        raise UserError(
            f"You play in {game.name}, and its turn {game.turn} has been on hold for "
            f"{hold_limits.LONGEST_IN_WORDS}. EXTEND gives more time."
        )
    return game


def _game_to_resume(context: LetterContext) -> Game:
    # Players can always vote to go on.
    game = require_gm(context, *BEGUN, vote="VOTE RESUME")
    if game.status is GameStatus.RUNNING:
        raise NoChange(f"{game.name} is not on hold, so nothing changes.")
    return game


def _announce_at_once(context: LetterContext, game: Game, what: str) -> str:
    """Announce the change. The deadline is left out, because it no longer matters."""
    announce_change(context, game, what)
    return f"Turn {game.turn} is resolved now. All players read in the report: {what}"


def _extended(game: Game, command: Extend) -> datetime:
    """Return the extended deadline. Raises UserError if the limit does not allow the extension."""
    assert game.deadline_at is not None
    advice = "EXTENSIONS changes this limit."
    deadlines.check_extension(game, command.span, advice)
    return game.deadline_at + command.span


def _left(game: Game, command: Extend) -> str:
    left = deadlines.left_to_extend(game) - command.span
    return f"Turn {game.turn} can then be extended by {spelled(left)} more." if left else ""


def _rescheduled(context: LetterContext, command: SetSchedule) -> tuple[Game, Schedule]:
    """Return the game and its new schedule. Raises UserError if it cannot have it, or has it."""
    game = require_gm(context, *UNDECIDED)
    schedule = read_schedule(command.schedule)
    check_phases(schedule, ruleset_of(context.site.rulesets, game.ruleset).info)
    # The same schedule counts from the current deadline, so it matters after that was moved.
    if describe(schedule) == game.schedule and game.scheduled_at in (None, game.deadline_at):
        raise as_it_is(game)
    if game.status in BEGUN:
        _check_length(context, game, schedule)
    return game, schedule


def _check_length(context: LetterContext, game: Game, schedule: Schedule) -> None:
    """Raise UserError if a GM who plays would make turns short, so that others miss them."""
    phases = ruleset_of(context.site.rulesets, game.ruleset).info.phases
    for phase in ("", *phases):
        least = deadlines.shortest_turn(game, phase)
        if notice(schedule, phase) < least:
            what = f"make turns so short that one can be left with less than {in_words(least)}"
            refuse_player(context, game, what)


def _next_deadlines(context: LetterContext, game: Game, schedule: Schedule) -> list[Moment]:
    due = game.deadline_at
    first = due if due is not None else first_deadline(schedule, context.now)
    following = coming(schedule, first, _SHOWN, timedelta(seconds=game.grace_seconds))
    moments = following if due is not None else [first, *following[:-1]]
    return [Moment(moment, context.zone) for moment in moments]


def _preview_move(context: LetterContext, game: Game, due: datetime, reason: str) -> str:
    _check(context, game, due)
    assert game.deadline_at is not None
    new, old = Moment(due, context.zone), Moment(game.deadline_at, context.zone)
    after = _after(context, game, due + timedelta(seconds=game.grace_seconds), due)
    told = f"Turn {game.turn} of {game.name} is due on {new} (now: {old})."
    if game.status is GameStatus.HELD:
        after = ""
        told = (
            f"{game.name} stays on hold. Once it resumes, turn {game.turn} is due on {new} or "
            f"later (before: {old})."
        )
    return (
        f"{told} {_notified(reason)} {after}"
        f" {_if_ready(game, due, context.zone, context.now, taken_back=_takes_back(game, due))}"
    ).rstrip()


def _after(context: LetterContext, game: Game, end: datetime, due: datetime) -> str:
    """Return when the next turn is due if the current one, which is due at *due*, ends at *end*."""
    if read_schedule(game.schedule).phases:
        return "The turns after it follow the schedule."
    phase = context.playing().phase.key
    after = deadlines.following(game, phase, phase, end, due)
    return f"The turn after it is due on {Moment(after, context.zone)}."


def _after_now(context: LetterContext, game: Game) -> str:
    """Return when the next turn is due if the current one ends before its deadline."""
    if read_schedule(game.schedule).phases:
        return "The turns after it follow the schedule."
    phase = context.playing().phase.key
    after = partial(deadlines.following, game, phase, phase)
    return f"The turn after it is due {due_in_words(context, after)}."


def _if_short(context: LetterContext, game: Game, due: datetime) -> str:
    """Return the warning that a deadline leaves less time than a turn otherwise keeps, or ""."""
    least = deadlines.shortest_turn(game, context.playing().phase.key)
    left = due - context.now
    if left >= least:
        return ""
    return (
        f"From now until then the players have {roughly(left)} for turn {game.turn}. When the "
        f"referee moves a deadline, it leaves them at least {in_words(least)}."
    )


def _if_far(game: Game, due: datetime) -> str:
    """Return the warning that a deadline moves by more than EXTEND could, or ""."""
    assert game.deadline_at is not None
    later = due - game.deadline_at
    if later <= deadlines.left_to_extend(game):
        return ""
    most = in_words(timedelta(seconds=game.extension_seconds))
    return (
        f"This moves turn {game.turn} by {spelled(later)}, but EXTEND and votes can give at most "
        f"{most} (EXTENSIONS)."
    )


def _takes_back(game: Game, due: datetime) -> bool:
    return game.deadline_at is not None and due > game.deadline_at and can_be_taken_back(game)


def _if_ready(game: Game, due: datetime, zone: str, now: datetime, *, taken_back: bool) -> str:
    """Return what the move means for a turn that ends before its deadline, or ""."""
    if taken_back:
        return ALL_TAKEN_BACK
    early = early_moment(game)
    return early_end_in_words(min(early, due) if early is not None else None, zone, now)


def _move(
    context: LetterContext, game: Game, due: datetime, reason: str, move: Callable[[], object]
) -> str:
    """Move the deadline by *move*; everyone is notified when the whole letter is done."""
    _check(context, game, due)
    assert game.deadline_at is not None
    fact = Move(f"The GM moved the deadline of turn {game.turn}", game.deadline_at)
    clock = _begin_change(context, game, reason)
    taken_back = _takes_back(game, due)
    clock.final_taken_back |= taken_back
    move()
    what = f"{fact.read_in('UTC', due).in_full}{because(reason)}"
    return noted_of_clock(context, game, what, ALL_TAKEN_BACK if taken_back else "", at_once=True)


def _begin_change(context: LetterContext, game: Game, reason: str) -> ClockChange:
    """Record when the turn is due before the letter changes that, and the reason for it."""
    assert game.deadline_at is not None
    if context.clock is None:
        context.clock = ClockChange(game.deadline_at, game.status is GameStatus.HELD)
    if reason:
        context.clock.reasons.append(reason)
    return context.clock


def _notified(reason: str) -> str:
    """Return what the preview says of the notice to the players."""
    return f"The players are notified at once{f' of the reason: {reason}' if reason else ''}."


def _check(context: LetterContext, game: Game, due: datetime) -> None:
    if due == game.deadline_at and game.status is GameStatus.RUNNING:
        raise as_it_is(game)
    if due <= context.now:
        raise UserError(
            f"{Moment(due, context.zone)} has passed. ADJUDICATE resolves the turn now."
        )
    if due > context.now + _FARTHEST:
        raise UserError(
            f"A deadline can be at most {_FARTHEST.days} days ahead. HOLD stops a game."
        )
