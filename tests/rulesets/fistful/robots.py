"""A simple player of A Fistful of Planets: settles, grows, and goes for the nearest enemy."""

from collections.abc import Iterator

from referee.rules.ruleset import Seat
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.knowledge import believed
from referee.rulesets.fistful.moving import objection
from referee.rulesets.fistful.orders import Move, Ships, StarNumber
from referee.rulesets.fistful.planning import points
from referee.rulesets.fistful.state import LETTERS, LINE, REACH, Fleet, Stage, Star, State

FLEET_TO_ATTACK = 4
"""With fewer warships a fleet waits for more."""
FLEET_TO_WIN = 12
"""With so many it makes for the enemy's homeworld."""


def sheet(state: State, seat: Seat) -> str:
    """Write an order sheet from what the player knows alone."""
    state = believed(state, seat)
    if state.stage is Stage.HOMES:
        return " ".join(RULESET.render(order) for order in RULESET.defaults(state, seat, ()))
    return " ".join([*_landings(state, seat), *_builds(state, seat), *_fleets(state, seat)])


def _landings(state: State, seat: Seat) -> Iterator[str]:
    """Land wherever nobody is; *state* then knows the colony."""
    for fleet in state.fleets_of(seat):
        star = state.stars[fleet.star]
        alone = not state.fleets_at(fleet.star, state.other(seat))
        if fleet.ships.transports and star.owner is None and alone:
            star.owner, star.size, star.colonized = seat, 1, True
            fleet.ships -= Ships(transports=1)
            yield f"F{fleet.letter}L"
    state.fleets = [fleet for fleet in state.fleets if fleet.ships]


def _builds(state: State, seat: Seat) -> Iterator[str]:
    free = [letter for letter in LETTERS if state.fleet(seat, letter) is None]
    for star in state.colonies_of(seat):
        have = points(state, star)
        if star.size < min(star.capacity, 3) and have:
            yield f"W{star.number}G"
        elif have > 2 and _in_danger(state, seat, star) and not star.fortified:
            yield f"W{star.number}F"
        elif have > 1 and free:
            yield f"W{star.number}B{_wares(state, seat, star, have)}F{free.pop()}"


def _in_danger(state: State, seat: Seat, star: Star) -> bool:
    enemies = state.fleets_of(state.other(seat))
    return any(state.apart(star.number, enemy.star) <= REACH for enemy in enemies)


def _wares(state: State, seat: Seat, star: Star, have: int) -> str:
    if _empty_near(state, seat, star.number):
        return {2: "1T", 3: "1T", 4: "1T1S", 5: "1T1C"}[have]
    return {2: "1S", 3: "1C", 4: "1D", 5: "1S1C"}[have]


def _empty_near(state: State, seat: Seat, star: StarNumber) -> list[StarNumber]:
    """Give the stars without colony on a transport line, where no fleet is yet."""
    return [
        n for n, other in state.stars.items()
        if other.owner is None and 0 < state.apart(star, n) <= LINE
        and not state.fleets_at(n, seat) and not state.fleets_at(n, state.other(seat))
    ]  # fmt: skip


def _fleets(state: State, seat: Seat) -> Iterator[str]:
    for fleet in state.fleets_of(seat):
        if fleet.ships.transports:
            yield from _settle(state, seat, fleet)
        elif (first := _first_at(state, seat, fleet)) is not fleet:
            first.ships += fleet.ships
            state.fleets.remove(fleet)
            yield f"F{fleet.letter}T*F{first.letter}"
    for fleet in state.fleets_of(seat):
        if not fleet.ships.transports:
            yield from _attack(state, seat, fleet)


def _first_at(state: State, seat: Seat, fleet: Fleet) -> Fleet:
    fleets = sorted(state.fleets_at(fleet.star, seat), key=lambda each: each.letter)
    return next(each for each in fleets if not each.ships.transports)


def _settle(state: State, seat: Seat, fleet: Fleet) -> Iterator[str]:
    for to in _empty_near(state, seat, fleet.star):
        if not objection(state, fleet, Move(fleet.letter, to)):
            fleet.star = to
            yield f"F{fleet.letter}W{to}"
            return


def _attack(state: State, seat: Seat, fleet: Fleet) -> Iterator[str]:
    """Go nearer to an enemy colony; a weak fleet looks at it, or is ready to leave."""
    targets = [star.number for star in state.colonies_of(state.other(seat))]
    target = min(targets, key=lambda number: (state.apart(fleet.star, number), number))
    home, prize = state.players[seat].home, state.players[state.other(seat)].home
    if prize and fleet.ships.warships >= FLEET_TO_WIN:
        target = prize
    if fleet.ships.warships >= FLEET_TO_ATTACK:
        ways = [n for n in state.stars if not objection(state, fleet, Move(fleet.letter, n))]
        to = min([fleet.star, *ways], key=lambda number: state.apart(number, target))
        if to != fleet.star:
            yield f"F{fleet.letter}W{to}"
    elif fleet.ships.scouts and state.apart(fleet.star, target) <= REACH:
        yield f"F{fleet.letter}R{target}"
    elif home and 0 < state.apart(fleet.star, home) <= LINE and state.stars[home].owner == seat:
        yield f"F{fleet.letter}X{home}"
