"""PLAY: a game of one person against robots, which starts at once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from referee.desk.base import ledger
from referee.desk.base.announcements import tell
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import choose
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.base.tutorials import Tutorial, tutorial_of
from referee.desk.gm import game_setup, seat_robots
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import registration
from referee.desk.seats.departure import leave_game_for_one
from referee.domain.commands import Join, ListPlay, Play
from referee.domain.schedules import describe
from referee.domain.shares import Charge, Key, Size, Thing
from referee.letters.outgoing.notices import Joined
from referee.parsing.schedules import read_schedule
from referee.rules.dice import SECRET
from referee.rules.extras import extras_of
from referee.rules.ruleset import Ruleset, RulesetInfo, UserError
from referee.rules.wording import counted
from referee.store.games import games
from referee.store.models import Game, SeatRow

MOST_DAYS: Final = 7
"""The most days that a turn waits for its player."""
_ROBOTS: Final = 3
"""How many robots play if the person does not say."""
_REMINDER: Final = timedelta(days=1)
_IDLE: Final = timedelta(days=2)
"""A game without orders for so long gives way if the site has no place, and its domain most."""


@dataclass(frozen=True, slots=True)
class _Plan:
    ruleset: Ruleset[Any, Any]
    robots: int
    tutorial: Tutorial | None = None
    idle: SeatRow | None = None
    """The seat in an idle game that ends, because there is no place for another game."""

    @property
    def title(self) -> str:
        """The title of the game, which says whether it is a tutorial."""
        title = self.ruleset.info.title
        return title if self.tutorial is None else f"{title}, tutorial"


@question(ListPlay, "PLAY", For.ANYONE, shown_in="play")
def list_play(context: LetterContext, _given: ListPlay) -> str:
    """PLAY without a ruleset."""
    lines = [
        line
        for ruleset in context.site.rulesets.values()
        if extras_of(ruleset).robot is not None
        for line in _listed(ruleset)
    ]
    if not lines or not context.site.sizes[Size.GAMES]:
        return "Nobody can play against robots on this server. LIST shows games that you can join."
    return "\n".join(["You can play against robots:", *lines])


def _listed(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the lines of a ruleset in the answer to PLAY."""
    word, tutorial = ruleset.info.title.upper(), tutorial_of(ruleset)
    yield f"PLAY {word}: against {_against(ruleset.info)}"
    if tutorial is not None:
        yield f"PLAY TUTORIAL {word}: learn it in {counted(len(tutorial.steps), 'turn')}"


@command(Play, "PLAY", For.ANYONE, Effect.ENTERS, shown_in="play", answer=Joined)
def play(context: LetterContext, given: Play) -> Deed:
    """PLAY. The welcome is a letter of its own, and the first report follows at once."""
    planned = _planned(context, given)
    choices = registration.choices_of(planned.ruleset.info, Join("", choices=given.choices))

    def begin() -> str:
        # If the person cannot join, because of a choice that there is not, there is no game either.
        with context.session.begin_nested():
            game, row, welcome = _begin(context, planned, given)
        assert row.person is not None
        to, answered = mailbox(row.person), context.answered_id
        addressing = Addressing(to, "welcome", context.row, answered, game=game, seat=row)
        context.letters.append((welcome, addressing))
        return ""

    kind = "The tutorial" if given.tutorial else "A game"
    robots = counted(planned.robots, f"{given.strength.value} robot")
    return Deed(
        f"{kind} of {planned.ruleset.info.title} for you against {robots}. It starts at once. Each "
        "turn is resolved when you say FINAL. If no orders come within "
        f"{_days(given)}, the game ends.{registration.chosen(choices)}"
        f"{registration.introduced(context.sender_name)}",
        begin,
    )


def _begin(context: LetterContext, planned: _Plan, given: Play) -> tuple[Game, SeatRow, Joined]:
    """Create the game with its robots, and let the person join it."""
    desk, address = context.desk, context.identity.usual_address
    ledger.book(desk, _beginning(address))
    if planned.idle is not None:
        _end_idle(desk, planned.idle)
    game = _create(context, planned, given)
    for _ in range(planned.robots):
        seat_robots.add(desk, game, given.strength)
    tutorial = planned.tutorial
    choices = tutorial.choices if tutorial is not None else given.choices
    wish = registration.wish_in(desk, game, address, Join(game.name, (), choices))
    return game, *registration.join(desk, wish, context.sender_name)


def _end_idle(desk: Desk, row: SeatRow) -> None:
    calendar = leave_game_for_one(desk, row)
    what = (
        f"{row.game.name} has ended. It had no orders for {_IDLE.days} days, and somebody else "
        "asked for a game when there was no other place. PLAY begins a new one."
    )
    if row.person is not None:
        tell(desk, row.game, row.person, what, f"idle{row.id}", has_left=True)
    if calendar is not None:
        post(desk, *calendar)


def _create(context: LetterContext, planned: _Plan, given: Play) -> Game:
    desk, info, tutorial = context.desk, planned.ruleset.info, planned.tutorial
    options = info.chosen({})
    game_setup.check_setup(planned.ruleset, planned.robots + 1, options)
    game = games.create(
        desk.session,
        name=games.next_name(desk.session, info.prefix),
        title=planned.title,
        ruleset=info.key,
        options=options,
        places=planned.robots + 1,
        seed=tutorial.seed if tutorial is not None else desk.site.entropy(SECRET),
        schedule=describe(read_schedule(_days(given))),
        reminders=[int(_REMINDER.total_seconds())] if given.days > 1 else [],
        gm=None,
        now=desk.now,
    )
    choose(game, {"private": True, "early": 0})
    game.standby = False
    return game


def _planned(context: LetterContext, given: Play) -> _Plan:
    """Return the game that PLAY asks for. Raises UserError if it is not possible, or not now."""
    site = context.site
    ruleset = game_setup.ruleset_called(site, given.ruleset)
    info = ruleset.info
    if extras_of(ruleset).robot is None or not site.sizes[Size.GAMES]:
        raise UserError("There is no such game for one person here. PLAY shows what there is.")
    if not 1 <= given.days <= MOST_DAYS:
        raise UserError(f"A turn waits for you at most {MOST_DAYS} days: WITHIN {MOST_DAYS} days.")
    if given.tutorial:
        tutorial = tutorial_of(ruleset)
        if tutorial is None:
            raise UserError(f"{info.title} has no tutorial. PLAY lists the games that have one.")
        return _Plan(ruleset, tutorial.robots, tutorial, _check_limits(context))
    fewest, most = _bounds(info)
    robots = given.robots or min(max(_ROBOTS, fewest), most)
    if not fewest <= robots <= most:
        raise UserError(f"You can play {info.title} against {_against(info)}.")
    return _Plan(ruleset, robots, idle=_check_limits(context))


def _check_limits(context: LetterContext) -> SeatRow | None:
    """Return the seat in an idle game that has to end for one more, or None.

    Raises UserError if the person can have no game more.
    """
    desk, address = context.desk, context.identity.usual_address
    players = games.players_for_one(desk.session)
    charge, idle = ledger.holding(Thing.GAME_FOR_ONE, address, players), None
    refused = charge.refused(sizes=desk.site.sizes)
    if refused is not None and refused.share.key is Key.SITE:
        idle = _idle(desk, players)
    if idle is None:
        ledger.require(desk, charge)
    ledger.require(desk, _beginning(address))
    return idle


def _idle(desk: Desk, players: Sequence[str]) -> SeatRow | None:
    """Return the oldest seat in an idle game of the domain that holds most games, or None."""
    held = Counter(map(ledger.registered, players))
    seats = games.idle_for_one(desk.session, desk.now - _IDLE)
    most = max(held.values(), default=0)
    return next(
        (
            row
            for row in seats
            if row.person is not None and held[ledger.registered(row.person.address)] == most
        ),
        None,
    )


def _beginning(address: str) -> Charge:
    return Charge(Thing.BEGINNING, {Key.PERSON: address})


def _bounds(info: RulesetInfo) -> tuple[int, int]:
    """Return how many robots can play against a person, at least and at most."""
    return max(info.fewest_seats - 1, 1), info.most_seats - 1


def _against(info: RulesetInfo) -> str:
    fewest, most = _bounds(info)
    return counted(most, "robot") if fewest == most else f"{fewest} to {most} robots"


def _days(given: Play) -> str:
    return counted(given.days, "day")
