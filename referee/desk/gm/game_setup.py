"""Setup of games: created by a GM with a pack of house rules, filled, started when full."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from referee.desk.base import ledger, robots
from referee.desk.base.announcements import REFEREE
from referee.desk.base.desk import Desk, Site, spare
from referee.desk.base.loaded_games import (
    begin_turn,
    check_phases,
    choose,
    commitment,
    dice_of,
    house_options,
    load,
    ruleset_of,
    signups_of,
)
from referee.desk.base.option_text import options_of, players, written
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.base.private_games import join_line
from referee.desk.games import deadlines, house_rules, stalls, start_terms
from referee.desk.games.pack_text import summary
from referee.desk.orders import readiness, real_names
from referee.desk.orders.command_entries import Deed, Effect, For, command, question
from referee.desk.orders.gm_authority import require_gm
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reports.turn_reports import report_start
from referee.desk.seats import joining
from referee.desk.seats.registration import Registration, enrol
from referee.domain.commands import Create
from referee.domain.gm_commands import DropRules, ListRules, SaveRules
from referee.domain.house_rules import HOUSE_OPTIONS
from referee.domain.person_names import shows_link
from referee.domain.rule_packs import BUILT_IN, LONGEST_NAME, SETTINGS, RulePack
from referee.domain.ruleset_names import is_called
from referee.domain.schedules import Schedule, describe
from referee.domain.shares import Charge, Key, Thing
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import GameCreated, GameStarted
from referee.parsing.schedules import read_schedule
from referee.rules.dice import SECRET, Dice
from referee.rules.ruleset import Option, Ruleset, RulesetInfo, Seat, SignUp, UserError
from referee.rules.wording import counted
from referee.store import Session
from referee.store.database import codec
from referee.store.games import agenda, audit, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import people, rule_packs

REMINDERS = (timedelta(hours=72), timedelta(hours=24), timedelta(hours=3))
"""Times before the deadline at which players without orders are reminded."""

_SCHEDULE: Final = "14 days"
"""The schedule of a game for which its GM names none."""
_LONGEST_TITLE: Final = 78
FORMING: Final = timedelta(days=30)
"""How long a game that waits for players counts against the limit of its GM."""


class SetupFailed(Exception):
    """A ruleset failed to set up a game, before anything was changed; its exception is the cause.

    *info* is that of the ruleset.
    """

    def __init__(self, info: RulesetInfo) -> None:
        self.info = info
        super().__init__(info.key)


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that its GM can create: its ruleset, title, number of seats, options and schedule."""

    ruleset: Ruleset[Any, Any]
    title: str
    places: int
    options: dict[str, Any]
    of_house: dict[str, Any]
    schedule: Schedule
    pack: RulePack | None


def plan(desk: Desk, address: str, command: Create) -> Plan:
    """Return the game that CREATE asks for; setting it up once shows that it can start.

    Anybody may have asked, and is charged for the time. Raises UserError if the sender cannot
    create games, or not now, or no game can start with the options, and SetupFailed.
    """
    if desk.site.creators is not None and address not in desk.site.creators:
        raise UserError("On this server only certain addresses can create games. Ask the operator.")
    ruleset = ruleset_called(desk.site, command.ruleset)
    info = ruleset.info
    pack = _pack_called(desk, address, command.rules) if command.rules else None
    given = (*_options_of(pack, info), *command.options)
    options, of_house = _options(info.options, given)
    places = command.seats or info.most_seats
    if not info.fewest_seats <= places <= info.most_seats:
        raise UserError(f"{info.title} is for {players(info)}.")
    schedule = read_schedule(command.schedule or (pack.schedule if pack else _SCHEDULE))
    check_phases(schedule, info)
    _check_forming(desk, address)
    check_setup(ruleset, places, options)
    check_title(title := command.title or info.title)
    return Plan(ruleset, title, places, options, of_house, schedule, pack)


def _options_of(pack: RulePack | None, info: RulesetInfo) -> Iterator[tuple[str, str]]:
    """Yield the options of a pack as a GM writes them: of the house, and of its own ruleset."""
    if pack is not None:
        for name, value in pack.options.items():
            yield name, written(value)
        for name, value in pack.of_ruleset.items() if pack.ruleset == info.key else ():
            yield name, written(value)


def _check_forming(desk: Desk, address: str) -> None:
    """Raise UserError if too many games of the GM with this address wait for players."""
    forming = games.gms_of_forming(desk.session, desk.now - FORMING)
    ledger.require(desk, ledger.holding(Thing.FORMING, address, forming))


def create(desk: Desk, address: str, planned: Plan) -> tuple[Game, Registration, GameCreated]:
    """Create a game with the sender as its GM; return it, the GM, and the letter to the GM."""
    info, options = planned.ruleset.info, planned.options
    gm = enrol(desk, address, "", "")
    game = games.create(
        desk.session,
        name=games.next_name(desk.session, info.prefix),
        title=planned.title,
        ruleset=info.key,
        options=options,
        places=planned.places,
        seed=desk.site.entropy(SECRET),
        schedule=describe(planned.schedule),
        reminders=[int(step.total_seconds()) for step in REMINDERS],
        gm=gm.person,
        now=desk.now,
    )
    choose(game, planned.of_house)
    if planned.pack is not None:
        _apply(planned.pack, game)
    return game, gm, _created(desk.site, game, info.title, gm)


def _apply(pack: RulePack, game: Game) -> None:
    """Set the rest of a pack, besides the schedule and the options."""
    for name in SETTINGS:
        if name in pack.settings:
            setattr(game, name, pack.settings[name])
    game.press_rules = pack.press


def check_fewer(site: Site, game: Game) -> None:
    """Raise UserError if the game cannot start with the seats that are taken, or SetupFailed."""
    fewest = ruleset_of(site.rulesets, game.ruleset).info.fewest_seats
    if len(game.seats) < fewest:
        raise UserError(f"{game.name} needs at least {fewest} players; it has {len(game.seats)}.")
    if len(game.seats) == len(robots.of_game(game)):
        raise UserError(f"{game.name} needs at least one player who is not a robot.")
    check_options(site, game, game.options, len(game.seats))


def start_with_fewer(session: Session, game: Game) -> None:
    """Reduce the game to the seats that are taken, so that the next step of the loop starts it.

    If the ruleset fails there, the game waits as a full game does.
    """
    game.places = len(game.seats)
    start_terms.say_start(game)
    agenda.schedule(session, game, AgendaTopic.START)


def start(desk: Desk, game: Game) -> None:
    """Set up the game, whose seats are all taken, and put the first reports into the outbox."""
    ruleset = ruleset_of(desk.site.rulesets, game.ruleset)
    options = {**game.options, "game": game.name}
    state = ruleset.setup(signups_of(game), options, dice_of(game))
    game.turn, game.status, game.started_at = 1, GameStatus.RUNNING, desk.now
    deadlines.begin(game, ruleset.phase(state).key, desk.now)
    begin_turn(desk.session, ruleset, game, codec.encode(state))
    agenda.schedule(desk.session, game)
    seats = counted(len(game.seats), "seat")
    audit.note(
        desk.session, game, REFEREE, f"The game started with {seats}.", desk.now, public=False
    )
    stalls.recover(desk.session, game, "The game was started", desk.now)
    if played := robots.in_words(game):
        note = f"{played} WHO shows which, once you have met them."
        audit.note(desk.session, game, REFEREE, note, desk.now)
    table = load(desk.session, desk.site, game)
    report_start(desk, table)
    readiness.pass_over_robots(desk.session, table, desk.now)
    joining.turn_away_at_start(desk, game)
    _notify_gms(desk, game, ruleset, state)


def check_options(site: Site, game: Game, options: dict[str, Any], places: int) -> None:
    """Raise UserError if a game with this number of seats cannot start with these options.

    Raises SetupFailed, too.
    """
    check_setup(ruleset_of(site.rulesets, game.ruleset), places, options)


def check_setup(ruleset: Ruleset[Any, Any], places: int, options: dict[str, Any]) -> None:
    """Set up a game of this size and discard it, so that nobody joins a game that cannot start.

    Raises UserError in the words of the ruleset, or SetupFailed.
    """

    def failed(error: BaseException) -> None:
        if isinstance(error, UserError):
            raise error
        raise SetupFailed(ruleset.info) from error

    names = ruleset.info.names.stock
    seats = [SignUp(Seat(n), names[n % len(names)]) for n in range(1, places + 1)]
    dice = Dice(b"a game that is never played")
    spare(lambda: ruleset.setup(seats, options, dice), failed)


def check_title(title: str) -> None:
    """Raise UserError if a game cannot have this title, which strangers read, too."""
    if len(title) > _LONGEST_TITLE or not title.isprintable():
        raise UserError(f"A title can have at most {_LONGEST_TITLE} characters.")
    if shows_link(title):
        raise UserError(
            "A title has no link and no address in it: leave out http, www. and @, and write a "
            "blank behind a full stop."
        )


def ruleset_called(site: Site, name: str) -> Ruleset[Any, Any]:
    """Return the ruleset that a GM names by key or title. Raises UserError if there is none."""
    for ruleset in site.rulesets.values():
        if is_called(ruleset.info, name):
            return ruleset_of(site.rulesets, ruleset.info.key)
    known = ", ".join(ruleset.info.title for ruleset in site.rulesets.values())
    raise UserError(f'There is no ruleset "{name}" here. The rulesets are: {known}.')


def _options(
    known: Sequence[Option], given: Sequence[tuple[str, str]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the value of every option of the ruleset, and the house options that were given.

    Raises UserError for a bad one.
    """
    values: dict[str, Any] = {option.name: option.default for option in known}
    chosen = options_of((*known, *HOUSE_OPTIONS), given)
    of_house = {name: value for name, value in chosen.items() if name not in values}
    return {**values, **{n: value for n, value in chosen.items() if n in values}}, of_house


def _created(site: Site, game: Game, title: str, gm: Registration) -> GameCreated:
    return GameCreated(
        game=game.name,
        title=game.title,
        ruleset=title,
        places=game.places,
        schedule=deadlines.schedule_in_words(game),
        starts=next(start_terms.in_words(game, gm.person.zone)),
        join=join_line(site, game),
        joining=tuple(house_rules.who_joins(game)),
        options=tuple(f"{name} = {written(value)}" for name, value in game.options.items()),
        account=gm.person.account,
        code=gm.code,
        address=site.address,
    )


def _holder(row: SeatRow) -> str:
    """Return who has the seat, for the GM."""
    if row.person is None:
        return robots.without_player(row)
    return row.person.name or "no name given"


def _notify_gms(desk: Desk, game: Game, ruleset: Ruleset[Any, Any], state: Any) -> None:
    assert game.deadline_at is not None
    playing = {row.person_id for row in game.seats}
    same = real_names.doubled(row.person for row in game.seats)
    for gm in game.gms:
        # A GM who plays sees no more of the other players than they see of the GM.
        is_player = gm.person_id in playing
        notice = GameStarted(
            game=game.name,
            title=game.title,
            seats=tuple(
                f"{row.name}: {_holder(row)}{real_names.number_of(row.person, same)}"
                for row in game.seats
            )
            if not is_player
            else (),
            remarks=tuple(ruleset.gm_notes(state)) if not is_player else (),
            deadline=Moment(game.deadline_at, gm.person.zone),
            commitment=commitment(game.seed),
        )
        post(desk, notice, Addressing(mailbox(gm.person), "started", game=game))


def _pack_called(desk: Desk, address: str, name: str) -> RulePack:
    """Return the pack of that name: of the person with this address, or of the program.

    Raises UserError, which lists all names, if there is none.
    """
    person = people.by_address(desk.session, address)
    found = _own(desk, person)
    for pack in (*found, *BUILT_IN):
        if pack.name == name.lower():
            return pack
    names = ", ".join(pack.name for pack in (*found, *BUILT_IN))
    raise UserError(f'There is no pack called "{name}". You can use: {names}.')


@command(SaveRules, "RULES SAVE", For.GM, Effect.SETS, shown_in="rule_packs")
def save(context: LetterContext, given: SaveRules) -> Deed:
    """RULES SAVE, which RULES DROP undoes."""
    game, name = require_gm(context, *GameStatus), given.name.lower()
    person = context.person()
    if len(name) > LONGEST_NAME or not name.replace("-", "").isalnum():
        raise UserError(
            f"A name has letters, digits and hyphens, {LONGEST_NAME} characters at most."
        )
    if any(pack.name == name for pack in BUILT_IN):
        raise UserError(f"The program has a pack called {name}. Choose another name.")
    own = rule_packs.of(context.session, person)
    if any(pack.name == name for pack in own):
        raise UserError(f"You already have a pack called {name}. RULES DROP {name} deletes it.")
    ledger.require(context.desk, Charge(Thing.PACK, {Key.GM: ""}, held={Key.GM: len(own)}))
    pack = _pack_of(game, name)

    def keep() -> str:
        rule_packs.save(context.session, person, pack, context.now)
        return f"Saved. CREATE with RULES {name} uses it, and RULES DROP {name} deletes it."

    return Deed(f"This is saved for your next games. {summary(pack)}", keep)


@command(DropRules, "RULES DROP", For.KNOWN, Effect.SETS, shown_in="rule_packs")
def drop(context: LetterContext, given: DropRules) -> Deed:
    """RULES DROP."""
    person, name = context.person(), given.name.lower()
    if all(pack.name != name for pack in rule_packs.of(context.session, person)):
        raise UserError("You have saved no such pack. RULES LIST shows yours.")

    def delete() -> str:
        rule_packs.drop(context.session, person, name)
        return f"Your pack {name} is deleted. Games that were created with it keep their rules."

    return Deed("", delete)


@question(ListRules, "RULES LIST", For.ANYONE, shown_in="rule_packs")
def listed(context: LetterContext, _given: ListRules) -> str:
    """RULES LIST: the packs of the sender, and those of the program."""
    own = _own(context.desk, context.identity.person)
    lines = [f"Your pack {summary(pack)}" for pack in own]
    return "\n".join((*lines, *map(summary, BUILT_IN)))


def _own(desk: Desk, person: Person | None) -> list[RulePack]:
    return rule_packs.of(desk.session, person) if person is not None else []


def _pack_of(game: Game, name: str) -> RulePack:
    """Return all that a GM can choose for a game, as it is now."""
    return RulePack(
        name,
        game.schedule,
        {column: getattr(game, column) for column in SETTINGS},
        game.press_rules,
        house_options(game),
        game.ruleset,
        game.options,
    )
