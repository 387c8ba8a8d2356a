"""Fleet orders: moves, and withdrawals before an enemy arrives (rules 11 to 17)."""

from dataclasses import dataclass

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rules.wording import counted, listed
from referee.rulesets.fistful.orders import (
    FleetOrder,
    Letter,
    Move,
    Recon,
    StarNumber,
    Withdraw,
)
from referee.rulesets.fistful.state import REACH, Fleet, State
from referee.rulesets.fistful.turn_state import WITHDRAWALS, Retreat, Turn


def assign_orders(turn: Turn) -> None:
    """Assign each fleet its first order; any others fail (rule 11)."""
    busy: set[tuple[Seat, Letter]] = set()
    for given in turn.given(FleetOrder):
        if turn.fleet(given) is None:
            continue
        key = given.seat, given.order.fleet
        if key in busy:
            given.fail(f"fleet {given.order.fleet} already has an order")
            continue
        busy.add(key)
        _accept(turn, given)


def _accept(turn: Turn, given: SheetOrder[FleetOrder]) -> None:
    fleet = turn.state.fleet(given.seat, given.order.fleet)
    assert fleet is not None
    if reason := objection(turn.state, fleet, given.order):
        given.fail(reason)
    elif isinstance(given.order, Recon):
        given.remark = looks(turn.state, fleet, given.order.stars).rejected


def prepare(turn: Turn) -> None:
    """Record the fleets that will withdraw, and those that will do recon after all battles."""
    for withdrawal in turn.given(Withdraw):
        turn.withdrawals[withdrawal.seat, withdrawal.order.fleet] = withdrawal
    for recon in turn.given(Recon):
        fleet = turn.state.fleet(recon.seat, recon.order.fleet)
        assert fleet is not None
        stars = looks(turn.state, fleet, recon.order.stars).stars
        turn.recons[recon.seat, recon.order.fleet] = recon, stars


def objection(state: State, fleet: Fleet, order: FleetOrder) -> str:
    """Return why a fleet cannot carry out an order, or "" if it can (rules 13, 15, 16)."""
    match order:
        case Move(to=to):
            return _objection_to_move(state, fleet, to)
        case Withdraw(to=to):
            return _objection_to_withdraw(state, fleet, to)
        case Recon(stars=stars):
            return _objection_to_recon(state, fleet, stars)
    return ""


def _objection_to_move(state: State, fleet: Fleet, to: int) -> str:
    if to not in state.stars:
        return f"there is no star W{to}"
    far, reach = state.apart(fleet.star, to), state.rules.range_of(fleet.ships)
    if to == fleet.star:
        return f"fleet {fleet.letter} is already at W{to}"
    if far > reach:
        return f"W{to} is {far} hexes away, but fleet {fleet.letter} can go only {reach}"
    only_scouts = fleet.ships.counts() == (0, fleet.ships.scouts, 0, 0)
    if not only_scouts and not state.supplied(fleet.owner, to):
        return f"W{to} is more than {REACH} hexes from all your colonies"
    return ""


def _objection_to_withdraw(state: State, fleet: Fleet, to: int) -> str:
    if to not in state.stars:
        return f"there is no star W{to}"
    far, reach = state.apart(fleet.star, to), state.rules.range_of(fleet.ships)
    if to == fleet.star:
        return f"fleet {fleet.letter} is at W{to}"
    if far > reach:
        return f"W{to} is {far} hexes away, but fleet {fleet.letter} can go only {reach}"
    if state.stars[to].owner != fleet.owner:
        return f"W{to} is not your colony"
    return ""


def _objection_to_recon(state: State, fleet: Fleet, stars: tuple[StarNumber, ...]) -> str:
    if not state.rules.fog:
        return "without fog of war you see everything, so recon is not possible"
    if not fleet.ships.scouts:
        return f"fleet {fleet.letter} has no scout"
    seen = looks(state, fleet, stars)
    return "" if seen.stars else seen.rejected


@dataclass(frozen=True, slots=True)
class Looks:
    """The stars that the scouts of a fleet look at, one each, and why none of the others."""

    stars: tuple[StarNumber, ...]
    rejected: str
    """The reasons, or an empty string."""


def looks(state: State, fleet: Fleet, stars: tuple[StarNumber, ...]) -> Looks:
    """Return the stars that a fleet looks at, one for each of its scouts (rule 16)."""
    reasons = {star: _objection_to_look(state, fleet, star) for star in stars}
    possible = [star for star in stars if not reasons[star]]
    rejected = [reason for reason in reasons.values() if reason]
    scouts = fleet.ships.scouts
    if left := possible[scouts:]:
        has = f"fleet {fleet.letter} has only {counted(scouts, 'scout')}"
        rejected.append(f"{has}, so nobody looks at {listed(f'W{star}' for star in left)}")
    return Looks(tuple(possible[:scouts]), "; ".join(rejected))


def _objection_to_look(state: State, fleet: Fleet, star: StarNumber) -> str:
    if star not in state.stars:
        return f"there is no star W{star}"
    far = state.apart(fleet.star, star)
    return f"W{star} is {far} hexes away, but scouts see only {REACH}" if far > REACH else ""


def move(turn: Turn) -> None:
    """Make all moves at once; fleets do not meet between stars (rule 17, F14)."""
    for given in turn.given(Move):
        fleet = turn.state.fleet(given.seat, given.order.fleet)
        assert fleet is not None
        fleet.star = given.order.to


def withdraw(turn: Turn) -> None:
    """Withdraw fleets from stars with enemies, until no more must leave (rule 17, F12).

    Each fleet withdraws at most once. If enemies stay at its new star, it fights.
    """
    while leaving := [given for given in turn.withdrawals.values() if _must_leave(turn, given)]:
        for star in sorted({_fleet(turn, given).star for given in leaving}):
            turn.meet(star)
        for given in leaving:
            del turn.withdrawals[given.seat, given.order.fleet]
            _leave(turn, _fleet(turn, given), given.order.to)


def _fleet(turn: Turn, given: SheetOrder[Withdraw]) -> Fleet:
    fleet = turn.state.fleet(given.seat, given.order.fleet)
    assert fleet is not None
    return fleet


def _must_leave(turn: Turn, given: SheetOrder[Withdraw]) -> bool:
    return bool(turn.state.fleets_at(_fleet(turn, given).star, turn.state.other(given.seat)))


def _leave(turn: Turn, fleet: Fleet, to: int) -> None:
    name, enemy = turn.name(fleet.owner), turn.state.other(fleet.owner)
    text = f"{name}'s fleet {fleet.letter} withdraws from W{fleet.star} to W{to}."
    turn.tell(WITHDRAWALS, text, fleet.star, seats={fleet.owner})
    turn.tell(WITHDRAWALS, f"{name} withdraws from W{fleet.star}.", fleet.star, seats={enemy})
    turn.retreats.append(Retreat(fleet.owner, fleet.letter, fleet.star, to))
    fleet.star = to
