"""The map as a chart: a panel for each level, with planets, ships in sight and known jumps."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from referee.rules.extras import Colour
from referee.rules.ruleset import Seat
from referee.rules.spots import pointy
from referee.rules.views import (
    Chart,
    Grid,
    Ground,
    Link,
    LinkKind,
    Mark,
    Node,
    Panel,
    Spot,
    Unit,
    UnitKind,
)
from referee.rulesets.singularity import units
from referee.rulesets.singularity.board import COLOURS, LETTERS, Space
from referee.rulesets.singularity.economy import value
from referee.rulesets.singularity.knowledge import foreign_ships, is_public, sees_damage
from referee.rulesets.singularity.report import missing, owner_name
from referee.rulesets.singularity.state import Chart as Jump
from referee.rulesets.singularity.state import Planet, Ship, State
from referee.rulesets.singularity.units import NAMES, SLIP


def chart(state: State, seat: Seat) -> Chart:
    """Return the planets, and the other spaces with ships in sight or at an end of a known jump."""
    owners = [state.players[seat].name]
    owners += [player.name for other, player in state.players.items() if other != seat]
    return _board(state, seat, tuple(owners))


def truth(state: State) -> Chart:
    """Return the board with all ships, dark ones too, and all jumps."""
    return _board(state, None, ())


def colours(state: State) -> dict[Seat, Colour]:
    """Return the colour of each player."""
    return {seat: Colour(COLOURS[player.colour]) for seat, player in state.players.items()}


def public(state: State) -> Chart | None:
    """Return the board with the owners of planets, or None while they are secret (T8)."""
    if not is_public(state):
        return None
    known = state.copy()
    known.ships, known.jumps = {}, []
    return truth(known)


def _board(state: State, seat: Seat | None, owners: tuple[str, ...]) -> Chart:
    """Return the board as a player knows it; without a seat, as it is."""
    return Chart(
        nodes=tuple(_nodes(state, seat, _ships(state, seat))),
        links=(*_neighbours(state), *_jumps(state, seat)),
        title="The board",
        owners=owners,
        grid=Grid.POINTY_HEXES,
        panels=tuple(_panels(state)),
        ground=tuple(_ground(state)),
    )


def _panels(state: State) -> Iterator[Panel]:
    highest = state.rules.board.highest
    for level in range(-highest, highest + 1):
        letter = LETTERS[level + highest]
        yield Panel(letter, f"Level {letter}", level=level)


def _ships(state: State, seat: Seat | None) -> dict[Space, list[Ship]]:
    """Return the ships that a player can see, by their spaces."""
    seen = [*state.fleet(seat), *foreign_ships(state, seat)] if seat is not None else None
    there: dict[Space, list[Ship]] = {}
    for ship in sorted(state.ships.values() if seen is None else seen, key=_rank):
        there.setdefault(ship.at, []).append(ship)
    return there


def _rank(ship: Ship) -> tuple[Seat, int]:
    return ship.owner, ship.number


def _nodes(state: State, seat: Seat | None, ships: dict[Space, list[Ship]]) -> Iterator[Node]:
    planets = {planet.at: planet for planet in state.planets.values()}
    for at, planet in planets.items():
        yield Node(
            f"W{planet.column}",
            (COLOURS[planet.colour],),
            _owner(state, seat, planet),
            spot=_spot(state, at),
            marks=(Mark.PRODUCTION,),
            units=tuple(_unit(state, seat, ship) for ship in ships.get(at, ())),
            details=(state.rules.board.written(at), *_worth(state, seat, planet)),
        )
    ends = {at for chart in _charts(state, seat) for at in (chart.start, chart.end)}
    for at in sorted((ships.keys() | ends) - planets.keys()):
        units_ = tuple(_unit(state, seat, ship) for ship in ships.get(at, ()))
        yield Node(state.rules.board.written(at), (), spot=_spot(state, at), units=units_)


def _owner(state: State, seat: Seat | None, planet: Planet) -> str:
    if seat is not None:
        return owner_name(state, seat, planet)
    return "" if planet.owner is None else state.players[planet.owner].name


def _worth(state: State, seat: Seat | None, planet: Planet) -> Iterator[str]:
    if seat is not None:
        yield f"worth {value(state, state.players[seat], planet.colour)} to you"


def _charts(state: State, seat: Seat | None) -> Sequence[Jump]:
    return state.jumps if seat is None else state.players[seat].charts


def _unit(state: State, seat: Seat | None, ship: Ship) -> Unit:
    """Return a ship as a unit, with its damage if it is known (T8)."""
    text = NAMES[ship.kind]
    is_open = seat is None or ship.owner == seat
    if seat is None or is_open or sees_damage(state, seat, ship):
        damaged = missing(state, ship)
        text += f", damaged: {damaged}" if damaged else ""
    if is_open:
        text += f", {units.written(ship.units)}" + (", dark" if ship.dark else "")
    reach = _reach(state, ship) if ship.owner == seat and not ship.dark else 0
    owner = state.players[ship.owner].name
    return Unit(f"S{ship.number}", owner, UnitKind.SHIP, text, reach)


def _reach(state: State, ship: Ship) -> int:
    """Return how far a ship can move without a jump: by slip, then by warp (rule 13)."""
    slips = ship.units.get(SLIP) and not state.rules.slip_consumes_drive
    return 2 * ship.drive if slips else ship.drive


def _neighbours(state: State) -> Iterator[Link]:
    for one, other in combinations(state.planets, 2):
        if state.rules.board.hexes_apart(one, other) == 1:
            yield Link(f"W{one}", f"W{other}", kind=LinkKind.NEAR)


def _jumps(state: State, seat: Seat | None) -> Iterator[Link]:
    for jump in sorted(_charts(state, seat), key=lambda chart: chart.start):
        yield Link(_key(state, jump.start), _key(state, jump.end), kind=LinkKind.JUMP)


def _key(state: State, at: Space) -> str:
    """Return the key of a space: that of its planet, or its name."""
    is_planet = state.planets[at.column].level == at.level
    return f"W{at.column}" if is_planet else state.rules.board.written(at)


def _spot(state: State, at: Space) -> Spot:
    letter = LETTERS[at.level + state.rules.board.highest]
    return pointy(*state.rules.board.axial(at.column), letter)


def _ground(state: State) -> Iterator[Ground]:
    for at in state.rules.board.spaces():
        yield Ground(_spot(state, at), state.rules.board.written(at))
