"""Schedules, deadlines and time limits: what a GM changes, and what a GM does at once."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.desk.base.announcements import Move, early_end_in_words, shows_move
from referee.desk.base.loaded_games import check_phases, ruleset_of
from referee.desk.games import deadlines, hold_limits, missing_orders, proposals, reminders
from referee.desk.games.deadlines import go_on
from referee.desk.gm.change_notices import HELD, RESUMED, because
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.gm_authority import (
    BEGUN,
    UNDECIDED,
    NoChange,
    announce_change,
    as_it_is,
    begin_clock_change,
    due_in_words,
    log_change,
    noted_of_clock,
    plays,
    refuse_player,
    require_gm,
    set_column,
    vote_on,
)
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.readiness import ALL_TAKEN_BACK, can_be_taken_back, early_moment
from referee.desk.orders.sheets import closing_of
from referee.domain.deadlines import closing, coming, first_deadline, longest_turn, notice
from referee.domain.gm_commands import (
    Extend,
    Hold,
    Remind,
    Resolve,
    Resume,
    SetBank,
    SetDeadline,
    SetExtensions,
    SetGrace,
    SetMissed,
    SetReminders,
    SetSchedule,
)
from referee.domain.house_rules import early_wait
from referee.domain.schedules import Schedule, describe, in_words, roughly, spelled
from referee.domain.votes import Motion
from referee.letters.outgoing.local_time import Moment
from referee.parsing.schedules import read_schedule
from referee.rules.ruleset import UserError
from referee.rules.wording import listed
from referee.store.models import LONG_AGO, Game, GameStatus

_FARTHEST = timedelta(days=366)
_ANOTHER = "DEADLINE with a day and an hour sets another one."
_SHOWN = 5
"""The number of deadlines that the preview of a new schedule shows."""
_MOST_BY_PLAYER: Final = timedelta(days=14)
"""By how much a GM who plays can let a turn become longer in a game that has begun."""
_LONGEST_BY_PLAYER: Final = timedelta(days=28)
"""The longest turn that a GM who plays can make in a game that has begun."""
_MOST_REMINDERS: Final = 10


@command(Hold, "HOLD", For.GM, Effect.CHANGES, shown_in="gm_deadlines")
def hold(context: LetterContext, given: Hold) -> Deed:
    """HOLD. RESUME undoes it. The notice to the players can wait for their daily digest."""
    game = require_gm(context, *BEGUN, vote=vote_on(context, Motion.HOLD, "VOTE HOLD"))
    by_player = plays(game, context.identity.person)
    if game.status is GameStatus.HELD:
        raise NoChange(f"{game.name} is already on hold, so nothing changes.")
    if game.resumed_turn == game.turn:
        raise UserError(
            f"The players resumed turn {game.turn} by a vote, so no GM can hold it again. EXTEND "
            "gives more time."
        )
    if by_player and not game.hold_seconds:
        raise UserError(
            f"You play in {game.name}, and its turn {game.turn} has been on hold for "
            f"{hold_limits.LONGEST_IN_WORDS}. EXTEND gives more time."
        )

    def stop() -> str:
        begin_clock_change(context, game, given.reason)
        deadlines.stop(context.session, game, context.now)
        if by_player:
            hold_limits.limit(context.session, game, context.now)
        return announce_change(context, game, f"{HELD}.{because(given.reason)}", at_once=True)

    left = spelled(timedelta(seconds=game.hold_seconds))
    ends = f" {hold_limits.limited(f'{left} after it begins')}" if by_player else ""
    return Deed(
        f"No turn of {game.name} is resolved until you write RESUME, or the players vote for it. "
        "Orders are still accepted. FINAL stays in effect. RESUME sets a deadline that leaves at "
        f"least the time left now.{ends} {_notified(given.reason)}",
        stop,
    )


@command(Resume, "RESUME", For.GM, Effect.CHANGES, shown_in="gm_deadlines")
def resume(context: LetterContext, given: Resume) -> Deed:
    """RESUME undoes HOLD. The players are notified at once."""
    # Players can always vote to go on.
    game = require_gm(context, *BEGUN, vote="VOTE RESUME")
    if game.status is GameStatus.RUNNING:
        raise NoChange(f"{game.name} is not on hold, so nothing changes.")
    table = context.playing()

    def go() -> str:
        begin_clock_change(context, game, given.reason)
        go_on(context.session, table, context.now)
        return noted_of_clock(context, game, f"{RESUMED}.{because(given.reason)}", at_once=True)

    due = partial(deadlines.after_hold, game, table.phase.key)
    when, before = due_in_words(context, due), _before_hold(context, game, due(context.now))
    what = f"{game.name} resumes. Turn {game.turn} is due {when}{before}."
    return Deed(f"{what} {_ANOTHER} {_notified(given.reason)} {_if_final(game)}".rstrip(), go)


def _if_final(game: Game) -> str:
    """Return when the current turn of a game on hold ends once it resumes, if all are ready."""
    if not can_be_taken_back(game):
        return ""
    wait = early_wait(game.options_of_house)
    after = f"{in_words(wait)} after that" if wait else "at once"
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


@command(SetSchedule, "SCHEDULE", For.GM, Effect.CHANGES, shown_in="gm_schedules")
def set_schedule(context: LetterContext, given: SetSchedule) -> Deed:
    """SCHEDULE, which the old schedule undoes."""
    game = require_gm(context, *UNDECIDED)
    schedule = read_schedule(given.schedule)
    check_phases(schedule, ruleset_of(context.site.rulesets, game.ruleset).info)
    # The same schedule counts from the current deadline, so it matters after that was moved.
    if describe(schedule) == game.schedule and game.scheduled_at in (None, game.deadline_at):
        raise as_it_is(game)
    if game.status in BEGUN:
        _check_length(context, game, schedule)

    def change() -> str:
        game.schedule = describe(schedule)
        # A schedule of every second week counts from the current deadline, which stays.
        game.scheduled_at = game.deadline_at
        deadlines.close(game)
        return noted_of_clock(context, game, f"The GM changed the schedule: {game.schedule}.")

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
    return Deed(f"{becomes} (before: {game.schedule}). {dates_in_words}", change)


@command(SetDeadline, "DEADLINE", For.GM, Effect.CHANGES, shown_in="gm_deadlines")
def set_deadline(context: LetterContext, given: SetDeadline) -> Deed:
    """DEADLINE, which the old deadline undoes.

    If a GM who plays moves it back, this is an extension, within the limit of extensions, so that
    they cannot stop the game.
    """
    game = require_gm(context, *BEGUN)
    assert game.deadline_at is not None
    due = given.due(context.now, context.row.arrived_at, context.zone)
    if due > game.deadline_at and plays(game, context.identity.person):
        return _extension(context, Extend(due - game.deadline_at, given.reason), due)
    short = _if_short(context, game, due)
    if due != game.deadline_at and short:
        least = in_words(deadlines.shortest_turn(game, context.playing().phase.key))
        refuse_player(context, game, f"leave less than {least} for a turn")
    move = partial(deadlines.decide, context.session, game, due, context.now)
    return _move(context, game, due, given.reason, move, short or _if_far(game, due))


def _extension(context: LetterContext, given: Extend, due: datetime | None = None) -> Deed:
    """EXTEND, or DEADLINE to a later moment, *due*, by a GM who plays.

    DEADLINE with the old deadline, which the preview shows, undoes it. The refusal to a player
    names the vote on it, if the game has one.
    """
    vote = vote_on(context, Motion.EXTEND, f"VOTE EXTEND {in_words(given.span)}")
    game = require_gm(context, *BEGUN, vote=vote)
    assert game.deadline_at is not None
    proposals.check_extension(game, given.span, "OPTION EXTENSIONS changes this limit.")
    move = partial(deadlines.extend, context.session, game, given.span, context.now, due)
    landing = due or deadlines.land(game, game.deadline_at, given.span)
    later = landing - game.deadline_at
    left = game.left_to_extend - later
    can_again = left > timedelta(0)
    more = f"Turn {game.turn} can then be extended by {spelled(left)} more." if can_again else ""
    # Summer time begins or ends by an hour.
    if due is None and later > given.span + timedelta(hours=1):
        more = f"By the schedule that is {spelled(later)} later. DEADLINE sets any moment. {more}"
    return _move(context, game, landing, given.reason, move, more.rstrip())


@command(Extend, "EXTEND", For.GM, Effect.CHANGES, shown_in="gm_deadlines")
def extend(context: LetterContext, given: Extend) -> Deed:
    """EXTEND by a span."""
    return _extension(context, given)


@command(Remind, "REMIND NOW", For.GM, Effect.FOR_GOOD, shown_in="gm_deadlines")
def remind(context: LetterContext, _given: Remind) -> Deed:
    """REMIND NOW cannot be undone. It is refused if nobody gets one.

    A GM who plays does not learn who has orders to send or is away: neither who gets one is said,
    nor that nobody does.
    """
    game = require_gm(context, GameStatus.RUNNING)
    names = [row.name for row in missing_orders.within_reach(context.desk, game)]
    if plays(game, context.identity.person):
        names = ["those who still have to send orders and are not away"]
    if not names:
        owing = missing_orders.owing(context.session, context.site, game)
        turn = f"turn {game.turn} of {game.name}"
        raise UserError(
            f"Everyone who still has to send orders for {turn} is away."
            if owing
            else f"Nobody still has to send orders for {turn}."
        )

    def mail() -> str:
        reminders.remind_now(context.desk, game, context.row.id)
        text = f"Reminded of turn {game.turn}: {', '.join(names)}."
        return log_change(context, game, text, text)

    return Deed(f"A reminder of turn {game.turn} goes to: {', '.join(names)}.", mail)


@command(
    Resolve,
    "RESOLVE",
    For.GM,
    shown_in="gm_deadlines",
    because="the players get their reports at once",
)
def resolve_now(context: LetterContext, _given: Resolve) -> Deed:
    """RESOLVE. The turn becomes due; letters that came before are read first.

    Only ROLLBACK undoes it.
    """
    game = require_gm(context, GameStatus.RUNNING)
    assert game.deadline_at is not None
    assert game.closes_at is not None
    before = " before its deadline" if context.now < game.deadline_at else ""
    if not before and context.now < game.closes_at:
        before = " before its grace is over"
    if before:
        refuse_player(context, game, f"resolve a turn{before}")

    def resolve() -> str:
        # It does not wait for a mail source that is down, as a turn does that ends early, and WAIT
        # does not stop it.
        game.ready_at = LONG_AGO
        what = f"The GM resolved turn {game.turn}{before}."
        announce_change(context, game, what)
        # The deadline is left out, because it no longer matters.
        return f"Turn {game.turn} is resolved now. All players read in the report: {what}"

    owing = ", ".join(row.name for row in missing_orders.owing(context.session, context.site, game))
    waiting = f" No orders yet: {owing}." if owing else " All orders are on file."
    if plays(game, context.identity.person):
        waiting = ""
    turn = f"Turn {game.turn} of {game.name} is resolved now{before.replace(' ', ', ', 1)}."
    return Deed(f"{turn}{waiting} {_after_now(context, game)}", resolve)


def _check_length(context: LetterContext, game: Game, schedule: Schedule) -> None:
    """Raise UserError if a GM who plays would make turns short or stop the game.

    Others would miss turns that are short.
    """
    phases = ruleset_of(context.site.rulesets, game.ruleset).info.phases
    for phase in ("", *phases):
        least = deadlines.shortest_turn(game, phase)
        if notice(schedule, phase) < least:
            what = f"make turns so short that one can be left with less than {in_words(least)}"
            refuse_player(context, game, what)
    longest = longest_turn(read_schedule(game.schedule), context.now)
    if longest_turn(schedule, context.now) > max(longest, _LONGEST_BY_PLAYER):
        refuse_player(context, game, f"make turns of more than {in_words(_LONGEST_BY_PLAYER)}")


def _next_deadlines(context: LetterContext, game: Game, schedule: Schedule) -> list[Moment]:
    due = game.deadline_at
    # By the email's arrival, so that the question still holds when its CONFIRM comes.
    first = due if due is not None else first_deadline(schedule, context.row.arrived_at)
    following = coming(schedule, first, _SHOWN, timedelta(seconds=game.grace_seconds))
    moments = following if due is not None else [first, *following[:-1]]
    return [Moment(moment, context.zone) for moment in moments]


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
    if later <= game.left_to_extend:
        return ""
    most = in_words(timedelta(seconds=game.extension_seconds))
    return (
        f"This moves turn {game.turn} by {spelled(later)}, but EXTEND and votes can give at most "
        f"{most} (OPTION EXTENSIONS)."
    )


def _if_ready(game: Game, due: datetime, zone: str, now: datetime, *, taken_back: bool) -> str:
    """Return the effect of the move on a turn that ends before its deadline, or ""."""
    if taken_back:
        return ALL_TAKEN_BACK
    early = early_moment(game)
    return early_end_in_words(min(early, due) if early is not None else None, zone, now)


def _move(
    context: LetterContext,
    game: Game,
    due: datetime,
    reason: str,
    move: Callable[[], object],
    note: str,
) -> Deed:
    """Return the deed that moves the deadline by *move*; everyone is notified after the letter.

    *note* ends its preview.
    """
    _check(context, game, due)
    assert game.deadline_at is not None
    fact = Move(f"The GM moved the deadline of turn {game.turn}", game.deadline_at)
    taken_back = due > game.deadline_at and can_be_taken_back(game)

    def carry_out() -> str:
        clock = begin_clock_change(context, game, reason)
        clock.final_taken_back |= taken_back
        move()
        what = f"{fact.read_in('UTC', due).in_full}{because(reason)}"
        said = ALL_TAKEN_BACK if taken_back else ""
        return noted_of_clock(context, game, what, said, at_once=True)

    new, old = Moment(due, context.zone), Moment(game.deadline_at, context.zone)
    after = _after(context, game, closing_of(game, due), due)
    told = f"Turn {game.turn} of {game.name} is due on {new} (before: {old})."
    if game.status is GameStatus.HELD:
        after = ""
        told = (
            f"{game.name} stays on hold. Once it resumes, turn {game.turn} is due on {new} or "
            f"later (before: {old})."
        )
    ready = _if_ready(game, due, context.zone, context.now, taken_back=taken_back)
    says = f"{told} {_notified(reason)} {after} {ready}".rstrip()
    return Deed(f"{says} {note}".rstrip(), carry_out)


def _notified(reason: str) -> str:
    """Return the sentence of the preview about the notice to the players."""
    return f"The players are notified at once{f' of the reason: {reason}' if reason else ''}."


def _check(context: LetterContext, game: Game, due: datetime) -> None:
    if due == game.deadline_at and game.status is GameStatus.RUNNING:
        raise as_it_is(game)
    if due <= context.now:
        raise UserError(f"{Moment(due, context.zone)} has passed. RESOLVE resolves the turn now.")
    if due > context.now + _FARTHEST:
        raise UserError(
            f"A deadline can be at most {_FARTHEST.days} days ahead. HOLD stops a game."
        )


@command(SetExtensions, "OPTION", For.GM, Effect.CHANGES, shown_in="gm_schedules")
def set_extensions(context: LetterContext, given: SetExtensions) -> Deed:
    """OPTION EXTENSIONS, which the old value undoes."""
    game = _game(context, "an extension", given.most, timedelta(days=366))
    now = _now(game.extension_seconds, "no extensions")
    says = f"{_extensions(given.most, f' of {game.name}')} ({now})."
    told = f"{_extensions(given.most)}."
    deed = set_column(context, game, "extension_seconds", _seconds(given.most), says, told)
    _check_longer(context, game, given.most, "extensions")
    return deed


@command(SetGrace, "OPTION", For.GM, Effect.CHANGES, shown_in="gm_schedules")
def set_grace(context: LetterContext, given: SetGrace) -> Deed:
    """OPTION GRACE, which applies to the current turn already. The old value undoes it."""
    game, span = _game(context, "a grace period", given.span, timedelta(days=7)), given.span
    has_begun = game.deadline_at is not None and context.now >= game.deadline_at
    if has_begun and _seconds(span) < game.grace_seconds:
        refuse_player(context, game, "shorten a grace that has begun")
    grace = "no orders count after a deadline"
    if span:
        grace = f"orders are accepted until {in_words(span)} after each deadline"
    later = ", and turns are resolved that much later" if span else ""
    says = f"In {game.name} {grace}{later} ({_now(game.grace_seconds, 'no grace')})."
    if game.due_at is not None:
        closes = closing(read_schedule(game.schedule), game.due_at, span)
        says += f" Turn {game.turn} then takes orders until {Moment(closes, context.zone)}."
    told = f"{grace[0].upper()}{grace[1:]}."
    deed = set_column(context, game, "grace_seconds", _seconds(span), says, told)

    def change() -> str:
        said = deed.do()
        deadlines.close(game)
        return said

    return Deed(says, change)


@command(SetBank, "OPTION", For.GM, Effect.CHANGES, shown_in="time_bank")
def set_bank(context: LetterContext, given: SetBank) -> Deed:
    """OPTION BANK, which the old value undoes. A seat that has used its bank gets none back."""
    game, span = _game(context, "a time bank", given.span, timedelta(days=30)), in_words(given.span)
    now = _now(game.bank_seconds, "no time bank")
    says = f"No turn of {game.name} waits for a seat that would miss it ({now})."
    told = "No turn waits for a seat that would miss it."
    if given.span:
        says = (
            f"When a seat in {game.name} would miss its first turn, the deadline moves by at least "
            f"{span} for everyone, once for each seat ({now})."
        )
        if game.deadline_at is not None:
            later = Moment(deadlines.land(game, game.deadline_at, given.span), context.zone)
            says += f" If it misses this turn, that is until {later}."
        told = f"A turn waits at least {span} for a seat that would miss its first one."
    deed = set_column(context, game, "bank_seconds", _seconds(given.span), says, told)
    _check_longer(context, game, given.span, "a time bank")
    return deed


@command(SetMissed, "OPTION", For.GM, Effect.CHANGES, shown_in="standby_silent")
def set_missed(context: LetterContext, given: SetMissed) -> Deed:
    """OPTION MISSED, which applies from the next missed turn. The old number undoes it."""
    game = require_gm(context, *UNDECIDED)
    is_lower = given.limit and not 0 < game.missed_limit <= given.limit
    if is_lower and game.status in BEGUN:
        # They could give the seat to a friend then.
        refuse_player(context, game, "lower the number of turns that a player can miss")
    says = f"In {game.name} {_missed(given.limit)} (before: {_missed(game.missed_limit)})."
    told = f"From now on {_missed(given.limit)}."
    return set_column(context, game, "missed_limit", given.limit, says, told)


@command(SetReminders, "OPTION", For.GM, Effect.CHANGES, shown_in="gm_schedules")
def set_reminders(context: LetterContext, given: SetReminders) -> Deed:
    """OPTION REMINDERS, which the old list undoes. Players who have set their own keep them."""
    game = require_gm(context, *UNDECIDED)
    if len(given.steps) > _MOST_REMINDERS:
        raise UserError(f"A turn can have at most {_MOST_REMINDERS} reminders.")
    old = _list([timedelta(seconds=seconds) for seconds in game.reminders])
    says = f"{_reminders(given.steps, f' of {game.name}')} (before: {old})."
    told, seconds = f"{_reminders(given.steps)}.", [_seconds(step) for step in given.steps]
    return set_column(context, game, "reminders", seconds, says, told)


def _game(context: LetterContext, what: str, span: timedelta, most: timedelta) -> Game:
    """Return the game. Raises UserError if the span is longer than it can be."""
    game = require_gm(context, *UNDECIDED)
    if span > most:
        raise UserError(f"That is too long for {what}: at most {in_words(most)}.")
    return game


def _check_longer(context: LetterContext, game: Game, span: timedelta, what: str) -> None:
    """Raise UserError if a GM who plays would let turns become longer by that *span*."""
    if span > _MOST_BY_PLAYER and game.status in BEGUN:
        refuse_player(context, game, f"allow {what} of more than {in_words(_MOST_BY_PLAYER)}")


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def _missed(limit: int) -> str:
    if not limit:
        return "a player can miss any number of turns"
    turns = f"{limit} turns in a row" if limit > 1 else "a turn"
    return f"a player who misses {turns} can lose their seat"


def _extensions(most: timedelta, whose: str = "") -> str:
    if not most:
        return f"No turn{whose} can be extended"
    return f"A turn{whose} can be extended by {in_words(most)} in all"


def _reminders(steps: tuple[timedelta, ...], whose: str = "") -> str:
    return f"Reminders{whose} go out {_list(steps)}" if steps else f"No reminders{whose} go out"


def _now(seconds: int, none: str) -> str:
    """Return the value before a command, which undoes it; *none* is the word for zero."""
    old = timedelta(seconds=seconds)
    return f"before: {in_words(old) if old else none}"


def _list(steps: tuple[timedelta, ...] | list[timedelta]) -> str:
    if not steps:
        return "never"
    return f"{listed(map(in_words, steps))} before each deadline"
