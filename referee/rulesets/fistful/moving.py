"""Fleet orders: moves, and withdrawals before an enemy who comes (rules 11 to 17)."""

from referee.rules.ruleset import Seat
from referee.rules.turns import SheetOrder
from referee.rulesets.fistful.orders import FleetOrder, Letter, Move, Recon, Withdraw
from referee.rulesets.fistful.state import REACH, Fleet, State
from referee.rulesets.fistful.turn_state import WITHDRAWALS, Turn


def give_orders(turn: Turn) -> None:
    """Let each fleet have the first order it was given; others fail (rule 11)."""
    busy: set[tuple[Seat, Letter]] = set()
    for given in turn.given(FleetOrder):
        if turn.fleet(given) is None:
            continue
        key = given.seat, given.order.fleet
        if key in busy:
            given.fail(f"fleet {given.order.fleet} has an order already")
            continue
        busy.add(key)
        _accept(turn, given)


def _accept(turn: Turn, given: SheetOrder[FleetOrder]) -> None:
    fleet = turn.state.fleet(given.seat, given.order.fleet)
    assert fleet is not None
    if reason := objection(turn.state, fleet, given.order):
        given.fail(reason)


def stand_by(turn: Turn) -> None:
    """Note which fleets will withdraw, and which will look around after all fighting."""
    for withdrawal in turn.given(Withdraw):
        turn.withdrawals[withdrawal.seat, withdrawal.order.fleet] = withdrawal
    for recon in turn.given(Recon):
        turn.recons[recon.seat, recon.order.fleet] = recon


def objection(state: State, fleet: Fleet, order: FleetOrder) -> str:
    """Say why a fleet cannot do what it is ordered; nothing when it can (rules 13, 15, 16)."""
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
        return f"there is no W{to}"
    far, reach = state.apart(fleet.star, to), state.rules.range_of(fleet.ships)
    if to == fleet.star:
        return f"fleet {fleet.letter} is at W{to} already"
    if far > reach:
        return f"W{to} is {far} hexes away, and fleet {fleet.letter} goes {reach}"
    only_scouts = fleet.ships.counts() == (0, fleet.ships.scouts, 0, 0)
    if not only_scouts and not state.supplied(fleet.owner, to):
        return f"W{to} is more than {REACH} hexes from every colony of yours"
    return ""


def _objection_to_withdraw(state: State, fleet: Fleet, to: int) -> str:
    if to not in state.stars:
        return f"there is no W{to}"
    far, reach = state.apart(fleet.star, to), state.rules.range_of(fleet.ships)
    if to == fleet.star:
        return f"fleet {fleet.letter} is at W{to}"
    if far > reach:
        return f"W{to} is {far} hexes away, and fleet {fleet.letter} goes {reach}"
    if state.stars[to].owner != fleet.owner:
        return f"W{to} is not your colony"
    return ""


def _objection_to_recon(state: State, fleet: Fleet, stars: tuple[int, ...]) -> str:
    if not state.rules.fog:
        return "without fog of war everybody sees everything"
    if not fleet.ships.scouts:
        return f"fleet {fleet.letter} has no scout"
    if len(stars) > fleet.ships.scouts:
        return f"fleet {fleet.letter} has {fleet.ships.scouts} scouts, one for each star"
    for star in stars:
        if star not in state.stars:
            return f"there is no W{star}"
        if state.apart(fleet.star, star) > REACH:
            return f"W{star} is {state.apart(fleet.star, star)} hexes away; scouts see {REACH}"
    return ""


def move(turn: Turn) -> None:
    """Make all moves at once; between stars nobody meets anybody (rule 17, F14)."""
    for given in turn.given(Move):
        fleet = turn.state.fleet(given.seat, given.order.fleet)
        assert fleet is not None
        fleet.star = given.order.to


def withdraw(turn: Turn) -> None:
    """Withdraw fleets from stars with enemies, again where that leads to others (rule 17, F12).

    A fleet withdraws once; if it comes to enemies that stay, it fights.
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
    turn.tell(WITHDRAWALS, text, {fleet.owner})
    turn.tell(WITHDRAWALS, f"{name} withdraws from W{fleet.star}.", {enemy})
    fleet.star = to
