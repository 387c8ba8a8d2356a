"""The choice of homeworlds, one after the other or sealed (rule 3, F15)."""

from collections.abc import Sequence

from referee.rules.ruleset import Seat
from referee.rulesets.fistful.cluster import NORTH, SOUTH
from referee.rulesets.fistful.orders import ChooseHome, Order, StarNumber
from referee.rulesets.fistful.state import LINE, HomePick, Stage, Star, State
from referee.rulesets.fistful.turn_state import COLONIES, Turn


def choosers(state: State) -> frozenset[Seat]:
    """Return the seats that choose a homeworld now."""
    if state.rules.home_pick is HomePick.SEALED:
        return frozenset(seat for seat, player in state.players.items() if player.home is None)
    return frozenset({state.chooser})


def zones(state: State, seat: Seat) -> tuple[range, ...]:
    """Return the zones in which *seat* can choose: not that of the enemy's homeworld."""
    enemy = state.players[state.other(seat)].home
    if enemy is None:
        return NORTH, SOUTH
    return (SOUTH,) if state.stars[enemy].row in NORTH else (NORTH,)


def objection(state: State, seat: Seat, star: StarNumber) -> str:
    """Return why a star cannot be the player's homeworld, or "" if it can."""
    if state.stage is not Stage.HOMES:
        return "the homeworlds have already been chosen"
    if seat not in choosers(state):
        return "it is not your turn to choose"
    if star not in state.stars:
        return f"there is no star W{star}"
    if not any(state.stars[star].row in zone for zone in zones(state, seat)):
        rows = " or ".join(f"{zone.start} to {zone.stop - 1}" for zone in zones(state, seat))
        return f"W{star} is in row {state.stars[star].row}. Choose a star in rows {rows}"
    return ""


def meaning(state: State, star: StarNumber) -> str:
    """Return the meaning of a choice in words; if sealed, chance decides which of two counts."""
    if state.rules.home_pick is HomePick.SEALED and star in state.stars:
        for zone in (NORTH, SOUTH):
            if state.stars[star].row in zone:
                rows = f"{zone.start} to {zone.stop - 1}"
                return f"W{star} becomes your homeworld if you draw rows {rows}."
    return f"W{star} becomes your homeworld."


def usual(state: State, seat: Seat) -> list[Order]:
    """Return the default choice of a player: the best star of each allowed zone."""
    return [ChooseHome(_best(state, zone)) for zone in _wanted(state, seat)]


def unnamed(state: State, seat: Seat, orders: Sequence[Order]) -> list[str]:
    """Return a line for each zone without a choice, with the star that is chosen by default."""
    stars = [order.star for order in orders if isinstance(order, ChooseHome)]
    rows = {state.stars[star].row for star in stars if not objection(state, seat, star)}
    if seat not in choosers(state):
        return []
    if state.rules.home_pick is HomePick.OPEN:
        best = _best(state, _wanted(state, seat)[0])
        return [] if rows else [f"Your homeworld: W{best} by default."]
    return [
        f"Your homeworld in rows {zone.start} to {zone.stop - 1}: W{_best(state, zone)} by default."
        for zone in zones(state, seat)
        if rows.isdisjoint(zone)
    ]


def _wanted(state: State, seat: Seat) -> Sequence[range]:
    if state.rules.home_pick is HomePick.SEALED:
        return zones(state, seat)
    return zones(state, seat)[:1]


def best_in_zone_of(state: State, star: Star) -> Star:
    """Return the best star in the zone of *star*."""
    return state.stars[_best(state, NORTH if star.row in NORTH else SOUTH)]


def ranked(state: State, zone: range) -> list[Star]:
    """Return the stars of a zone, the best homeworld first."""
    stars = [star for star in state.stars.values() if star.row in zone]
    return sorted(stars, key=lambda s: (-s.capacity, -_near(state, s), s.number))


def _best(state: State, zone: range) -> StarNumber:
    return ranked(state, zone)[0].number


def _near(state: State, star: Star) -> int:
    others = (each for each in state.stars.values() if each is not star)
    return sum(e.capacity for e in others if state.apart(star.number, e.number) <= LINE)


def choose(turn: Turn) -> None:
    """Carry out the choices of homeworlds (rule 3)."""
    if turn.state.rules.home_pick is HomePick.SEALED:
        _choose_sealed(turn)
    else:
        _choose_open(turn)
    for given in turn.given(Order):
        if not isinstance(given.order, ChooseHome):
            given.fail("the homeworlds must be chosen first")
    turn.state.turn += 1
    turn.state.opening += 1
    if all(player.home is not None for player in turn.state.players.values()):
        turn.state.stage = Stage.ORDERS


def _choose_open(turn: Turn) -> None:
    state, seat = turn.state, turn.state.chooser
    for given in turn.given(ChooseHome):
        reason = objection(turn.before, given.seat, given.order.star)
        if not reason and state.players[seat].home is not None:
            reason = "only your first choice counts"
        if reason:
            given.fail(reason)
        else:
            _settle(turn, seat, given.order.star)
    if state.players[seat].home is None:
        _settle(turn, seat, _best(state, _wanted(turn.before, seat)[0]))
    state.chooser = state.other(seat)


def _choose_sealed(turn: Turn) -> None:
    """Draw a zone for each player who chooses, and use their choice for that zone."""
    # If a GM has set a homeworld by a correction, one player chooses in the remaining zone.
    free = turn.by_name(choosers(turn.before))
    order = turn.dice.at("zones").shuffled(zones(turn.before, free[0])) if free else []
    named: dict[tuple[Seat, range], StarNumber] = {}
    for given in turn.given(ChooseHome):
        reason = objection(turn.before, given.seat, given.order.star)
        zone = next((z for z in order if not reason and _lies(turn, given.order.star, z)), None)
        if zone is None:
            given.fail(reason)
        elif (given.seat, zone) in named:
            given.fail("only your first choice in this zone counts")
        else:
            named[given.seat, zone] = given.order.star
    for seat, zone in zip(free, order, strict=True):
        _settle(turn, seat, named.get((seat, zone), _best(turn.state, zone)))


def _lies(turn: Turn, star: StarNumber, zone: range) -> bool:
    return turn.state.stars[star].row in zone


def _settle(turn: Turn, seat: Seat, number: StarNumber) -> None:
    star = turn.state.stars[number]
    turn.state.players[seat].home = number
    star.owner, star.size = seat, star.capacity
    turn.tell(COLONIES, f"W{number} is the homeworld of {turn.name(seat)}.", number)
